/* SPDX-License-Identifier: Apache-2.0
 *
 * Markdown report: sections 3, 5 and 6, what was decided, how sure it is, how to do it again.
 * Decisions were made before; this writes them down.
 */
#include "base/str.h"
#include "render/decided.h"
#include "render/md_pen.h"

#define LISTED 10 /* rows of one level of certainty; the rest is counted */

/* --- 3 ------------------------------------------------------------------------------------------
 */

static void premise(struct ks_md *m, const struct ks_premise_row *row)
{
	ks_md_raw(m, "  - ");
	KS_MD_SAY(m, KS_TEXT_R_S_PREMISE, ks_decided_premise(&m->pen, row),
		  ks_decided_value(&m->pen, &row->observed, row->unit, row->unit_text));
	if (row->threshold.kind != KS_V_NONE)
		KS_MD_SAY(m, KS_TEXT_R_S_THRESHOLD,
			  ks_decided_value(&m->pen, &row->threshold, row->unit, row->unit_text));
	ks_md_raw(m, " \xe2\x86\x92 ");
	KS_MD_WORD(m, row->ok ? KS_TEXT_R_S_MET : KS_TEXT_R_S_NOT_MET);
	ks_md_nl(m);
}

static void refused_line(struct ks_md *m, const struct ks_refused *why)
{
	const ks_str seen = ks_pen_kvs(&m->pen, why->observed, why->n_observed);

	ks_md_raw(m, "  - ");
	KS_MD_WORD(m, KS_TEXT_R_S_REFUSED);
	ks_md_raw(m, " ");
	ks_md_refusal(m, why->code, ks_refused_slug(why));
	if (seen.n > 0) {
		ks_md_raw(m, "; ");
		KS_MD_WORD(m, KS_TEXT_R_OBSERVED);
		ks_md_raw(m, " ");
		ks_md_text(m, seen);
	}
	ks_md_nl(m);
}

/* How far the value may be off, and how large a difference must be to be one. */
static void scatter(struct ks_md *m, const struct ks_verdict_row *v)
{
	struct ks_pen *p = &m->pen;

	if (v->n_band > 0) {
		ks_md_mark(m, KS_TEXT_MD_COMMA);
		KS_MD_SAY(m, KS_TEXT_R_S_BAND, ks_pen_kvs(p, v->band, v->n_band));
	}
	if (v->mdd >= 0.0) {
		ks_md_mark(m, KS_TEXT_MD_COMMA);
		KS_MD_SAY(m, KS_TEXT_R_S_MDD, ks_pen_real(p, v->mdd));
	}
}

static void verdict(struct ks_md *m, const struct ks_verdict_row *v)
{
	struct ks_pen *p = &m->pen;
	const ks_str facts = ks_pen_kvs(p, v->fact, v->n_facts);

	ks_md_raw(m, "- **\\[");
	ks_md_raw(m, ks_vstatus_name(v->status));
	ks_md_raw(m, "\\]** ");
	ks_md_code(m, v->name);
	if (v->id != KS_VERDICT_NONE) {
		ks_md_raw(m, " ");
		ks_md_text(m, ks_str_c(ks_verdict_info(v->id)->phrase[p->lang]));
	}
	if (v->value.kind != KS_V_NONE) {
		ks_md_mark(m, KS_TEXT_MD_COLON);
		ks_md_text(m, ks_decided_value(&m->pen, &v->value, v->unit, v->unit_text));
		ks_md_raw(m, " \\[");
		ks_md_raw(m, ks_prov_name(v->prov));
		ks_md_raw(m, "\\]");
		scatter(m, v);
	}
	ks_md_nl(m);
	if (!v->actionable && v->status != KS_VERDICT_STATUS_REFUSED) {
		ks_md_raw(m, "  - ");
		KS_MD_WORD(m, KS_TEXT_R_S_NOT_ACTIONABLE);
		ks_md_nl(m);
	}
	if (facts.n > 0) {
		ks_md_raw(m, "  - ");
		KS_MD_WORD(m, KS_TEXT_R_S_FACTS);
		ks_md_raw(m, " ");
		ks_md_text(m, facts);
		ks_md_nl(m);
	}
	for (size_t i = 0; i < v->n_premises; i++)
		premise(m, &v->premise[i]);
	if (v->refused != NULL)
		refused_line(m, v->refused);
}

static void path_step(struct ks_md *m, size_t number, const struct ks_next *next)
{
	struct ks_pen *p = &m->pen;
	const struct ks_refused *why = ks_decided_refused(m->vd, next);
	ks_str command = KS_STR_NONE;

	ks_md_text(m, ks_arena_fmt(p->tmp, "%zu", number));
	ks_md_raw(m, ". ");
	ks_md_code(m, next->for_name);
	ks_md_mark(m, KS_TEXT_MD_COLON);
	if (next->slug.n == 0) {
		ks_md_text(m, ks_pen_msg_short(p, &next->hint, 80));
	} else {
		if (!ks_str_eq(next->slug, next->for_name)) { /* a group is named by its code */
			ks_md_code(m, next->slug);
			ks_md_mark(m, KS_TEXT_MD_COMMA);
		}
		ks_md_text(m, why != NULL ? ks_pen_refused_action(p, why)
					  : ks_str_c(ks_refusal_info(next->code)->action[p->lang]));
		command = why != NULL && why->remedy.command.n > 0
				  ? why->remedy.command
				  : ks_store_command(m->r->ev, next->code, KS_STR_NONE);
	}
	if (command.n > 0) {
		ks_md_raw(m, " ");
		ks_md_code(m, command);
	}
	ks_md_nl(m);
}

void ks_md_summary(struct ks_md *m)
{
	const struct ks_verdicts *vd = m->vd;

	ks_md_heading(m, 2, KS_TEXT_MD_H3);
	for (size_t i = 0; i < vd->n; i++)
		verdict(m, &vd->row[i]);
	if (vd->n_next == 0)
		return;
	ks_md_heading(m, 3, KS_TEXT_MD_H_PATH);
	for (size_t i = 0; i < vd->n_next && i < KS_PACKET_NEXT; i++)
		path_step(m, i + 1, &vd->next[i]);
}

/* --- 5 ------------------------------------------------------------------------------------------
 */

/* Rows of the kernel whose level is exact, or is weaker. */
static void rows_by_level(struct ks_md *m, bool exact)
{
	const struct ks_kernel *k = m->k;
	size_t n = 0;

	for (size_t i = 0; i < k->n_sections; i++) {
		for (size_t j = 0; j < k->section[i].n; j++) {
			const struct ks_ev *row = ks_ev_get(m->r->ev, k->section[i].row[j]);

			if (row == NULL || row->refused != NULL || !ks_view_row(m->v, row) ||
			    (row->prov == KS_PROV_EXACT) != exact)
				continue;
			if (n++ < LISTED)
				ks_md_row(m, row);
		}
	}
	if (n == 0 || n > LISTED) {
		ks_md_raw(m, "- ");
		if (n == 0)
			KS_MD_WORD(m, KS_TEXT_MD_NONE);
		else
			KS_MD_SAY(m, KS_TEXT_MD_MORE, ks_pen_u64(&m->pen, n - LISTED));
		ks_md_nl(m);
	}
}

/* What the first of them says beyond the title of the code. */
static void reason(struct ks_md *m, const struct ks_unmeasured *u)
{
	const ks_str title = ks_str_c(ks_refusal_info(u->code)->title[m->pen.lang]);
	const ks_str why =
		u->first != NULL ? ks_pen_refused_message(&m->pen, m->r->ev, u->first) : title;

	if (ks_str_eq(why, title))
		return;
	ks_md_mark(m, KS_TEXT_MD_COLON);
	ks_md_text(m, why);
}

static void unanswered(struct ks_md *m)
{
	const struct ks_verdicts *vd = m->vd;

	for (size_t i = 0; i < vd->n; i++) {
		if (vd->row[i].refused == NULL)
			continue;
		ks_md_raw(m, "- ");
		ks_md_code(m, vd->row[i].name);
		ks_md_mark(m, KS_TEXT_MD_COLON);
		ks_md_refusal(m, vd->row[i].refused->code, ks_refused_slug(vd->row[i].refused));
		ks_md_nl(m);
	}
	for (size_t i = 0; i < vd->n_unmeasured; i++) {
		const struct ks_unmeasured *u = &vd->unmeasured[i];

		ks_md_raw(m, "- ");
		ks_md_refusal(m, u->code, u->slug);
		reason(m, u);
		ks_md_nl(m);
	}
}

void ks_md_confidence(struct ks_md *m)
{
	ks_md_heading(m, 2, KS_TEXT_MD_H5);
	ks_md_raw(m, "**");
	KS_MD_WORD(m, KS_TEXT_MD_SURE);
	ks_md_raw(m, "**\n\n");
	rows_by_level(m, true);
	ks_md_raw(m, "\n**");
	KS_MD_WORD(m, KS_TEXT_MD_UNSURE);
	ks_md_raw(m, "**\n\n");
	rows_by_level(m, false);
	ks_md_raw(m, "\n**");
	KS_MD_WORD(m, KS_TEXT_MD_UNANSWERED);
	ks_md_raw(m, "**\n\n");
	unanswered(m);
}

/* --- 6 ------------------------------------------------------------------------------------------
 */

void ks_md_again(struct ks_md *m)
{
	ks_md_heading(m, 2, KS_TEXT_MD_H6);
	KS_MD_WORD(m, KS_TEXT_MD_AGAIN);
	ks_md_nl(m);
	if (m->v->command.n > 0)
		ks_md_block(m, m->v->command);
	ks_md_nl(m);
	ks_md_item(m, KS_TEXT_MD_HASH);
	ks_md_code(m, m->vd->protocol_hash);
	ks_md_raw(m, " ");
	KS_MD_WORD(m, KS_TEXT_MD_HASH_MEANS);
	ks_md_nl(m);
}
