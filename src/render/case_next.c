/* SPDX-License-Identifier: Apache-2.0
 *
 * The files of a case directory for people: next.md, the numbered path, and README.md.
 */
#include "render/case_next.h"

#include "base/str.h"
#include "render/decided.h"
#include "render/md_pen.h"

#define NEXT_TMP_MAX ((size_t)64 << 20)

ks_str ks_case_command(const struct ks_packet *p, size_t i)
{
	const struct ks_next *next = &p->next[i];
	const struct ks_refused *why = ks_decided_refused(p->report->verdicts, next);

	if (next->slug.n == 0)
		return KS_STR_NONE;
	if (why != NULL && why->remedy.command.n > 0)
		return why->remedy.command;
	for (size_t j = 0; j < p->n_remedies; j++)
		if (ks_str_eq(p->remedy[j].slug, next->slug) && p->remedy[j].command.n > 0)
			return p->remedy[j].command;
	if (p->report->ev == NULL || next->code == KS_REFUSAL_NONE)
		return KS_STR_NONE;
	return ks_store_command(p->report->ev, next->code, KS_STR_NONE);
}

/* "   - label text" */
static void detail(struct ks_md *m, enum ks_text label, ks_str text)
{
	if (text.n == 0)
		return;
	ks_md_raw(m, "   - ");
	KS_MD_WORD(m, label);
	ks_md_raw(m, " ");
	ks_md_text(m, text);
	ks_md_nl(m);
}

static size_t missing(const struct ks_packet *p, const struct ks_next *next)
{
	for (size_t i = 0; next->for_verdict == KS_VERDICT_NONE && i < p->n_groups; i++)
		if (ks_str_eq(p->group[i].slug, next->slug))
			return p->group[i].count;
	return 0;
}

static void step(struct ks_md *m, const struct ks_packet *p, size_t i)
{
	const struct ks_next *next = &p->next[i];
	const struct ks_refused *why = ks_decided_refused(p->report->verdicts, next);
	const ks_str command = ks_case_command(p, i);
	const size_t n = missing(p, next);

	ks_md_raw(m, ks_arena_fmt(m->pen.tmp, "%zu. ", i + 1).p);
	ks_md_code(m, next->for_name);
	if (next->slug.n > 0 && !ks_str_eq(next->slug, next->for_name)) {
		ks_md_raw(m, ", ");
		KS_MD_WORD(m, KS_TEXT_CASE_REFUSED);
		ks_md_raw(m, " ");
		ks_md_code(m, next->slug);
	}
	ks_md_nl(m);
	if (next->slug.n > 0)
		detail(m, KS_TEXT_CASE_DO,
		       why != NULL ? ks_pen_refused_action(&m->pen, why)
				   : ks_str_c(ks_refusal_info(next->code)->action[m->pen.lang]));
	else
		detail(m, KS_TEXT_CASE_HINT, ks_pen_msg_short(&m->pen, &next->hint, 80));
	if (n > 0)
		detail(m, KS_TEXT_CASE_HINT,
		       KS_PEN_SAY(&m->pen, KS_TEXT_CASE_METRICS_MISSING, ks_pen_u64(&m->pen, n)));
	if (command.n == 0)
		return;
	ks_md_raw(m, "   - ");
	KS_MD_WORD(m, KS_TEXT_CASE_RUN);
	ks_md_raw(m, " ");
	ks_md_code(m, command);
	ks_md_nl(m);
}

enum ks_status ks_case_next(const struct ks_ctx *ctx, const struct ks_case_run *run,
			    struct ks_out *out, struct ks_err *err)
{
	const struct ks_term page = { .utf8 = true, .cols = 160, .rows = 1000 };
	struct ks_arena tmp;
	struct ks_md m = { .pen = { .out = out, .term = &page, .lang = run->lang, .tmp = &tmp } };

	(void)ctx;
	ks_arena_init(&tmp, NEXT_TMP_MAX);
	ks_md_raw(&m, "# ");
	KS_MD_WORD(&m, KS_TEXT_CASE_NEXT_TITLE);
	ks_md_raw(&m, "\n\n");
	if (run->packet->n_next == 0) {
		KS_MD_WORD(&m, KS_TEXT_CASE_NO_NEXT);
		ks_md_nl(&m);
	}
	for (size_t i = 0; i < run->packet->n_next; i++)
		step(&m, run->packet, i);
	const enum ks_status status = ks_pen_done(&m.pen, err);

	ks_arena_release(&tmp);
	return status;
}

enum ks_status ks_case_readme(const struct ks_ctx *ctx, const struct ks_case_run *run,
			      struct ks_out *out, struct ks_err *err)
{
	static const enum ks_text holds[KS_CASE_FILES] = {
		[KS_CASE_MANIFEST] = KS_TEXT_CASE_README_MANIFEST,
		[KS_CASE_ENV] = KS_TEXT_CASE_README_ENV,
		[KS_CASE_NEXT] = KS_TEXT_CASE_README_NEXT,
		[KS_CASE_JOURNAL] = KS_TEXT_CASE_README_JOURNAL,
	};
	const enum ks_lang lang = run->lang;

	(void)ctx;
	(void)err;
	ks_out_fmt(out, "# %s\n\n%s\n\n| %s |\n| --- | --- |\n",
		   ks_text_get(KS_TEXT_CASE_README_TITLE, lang),
		   ks_text_get(KS_TEXT_CASE_README_WHAT, lang),
		   ks_text_get(KS_TEXT_CASE_README_FILES, lang));
	for (int f = 0; f < KS_CASE_FILES; f++)
		if (f != KS_CASE_README)
			ks_out_fmt(out, "| `%s` | %s |\n", ks_case_file_name((enum ks_case_file)f),
				   ks_text_get(holds[f], lang));
	ks_out_fmt(out, "\n%s\n", ks_text_get(KS_TEXT_CASE_README_RULES, lang));
	return KS_OK;
}
