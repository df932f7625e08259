/* SPDX-License-Identifier: Apache-2.0
 *
 * `remedy` for people and as JSON. States nothing that is not a column of a row.
 */
#include "render/remedy.h"

#include "base/str.h"
#include "render/capability.h"
#include "render/route_words.h"

#define NAME_COLUMNS 26

static struct ks_pen pen_of(const struct ks_ctx *ctx, const struct ks_view *v, struct ks_out *out)
{
	return (struct ks_pen){ .out = out, .term = &v->term, .lang = v->lang, .tmp = ctx->run };
}

enum ks_status ks_remedy_text(const struct ks_ctx *ctx, enum ks_refusal code,
			      const struct ks_view *v, struct ks_out *out, struct ks_err *err)
{
	const struct ks_refusal_info *r = ks_refusal_info(code);
	const struct ks_cause_info *c = ks_cause_info(code);
	struct ks_pen p = pen_of(ctx, v, out);

	ks_pen_wrap(
		&p, &(struct ks_wrap){ .style = KS_STYLE_BOLD },
		KS_PEN_SAY(&p, KS_TEXT_REMEDY_HEAD, ks_str_c(r->slug), ks_words_in(&p, r->title)));
	ks_pen_labelled(&p, 2, KS_TEXT_REMEDY_WHEN, ks_words_in(&p, c->when));
	ks_pen_labelled(&p, 2, KS_TEXT_REMEDY_DO, ks_words_in(&p, r->action));
	ks_pen_labelled(&p, 2, KS_TEXT_REMEDY_COMMAND, ks_words_command(&p, r->command));
	ks_pen_labelled(&p, 2, KS_TEXT_REMEDY_COST, ks_pen_cost(&p, r->cost_kind, r->cost_s));
	ks_pen_labelled(&p, 2,
			r->cost_kind == KS_COST_IMPOSSIBLE ? KS_TEXT_REMEDY_STANDS
							   : KS_TEXT_REMEDY_UNLOCKS,
			ks_words_spaced(&p, r->answers));
	if (c->group == KS_CAUSE_MACHINE && c->part == KS_PART_NOW)
		ks_pen_labelled(&p, 2, KS_TEXT_REMEDY_HERE,
				KS_PEN_WORD(&p, KS_TEXT_REMEDY_HERE_DOCTOR));
	ks_pen_labelled(&p, 2, KS_TEXT_REMEDY_LATER, ks_str_c(ks_part_text(c->part, p.lang)));
	return ks_pen_done(&p, err);
}

static void list_group(struct ks_pen *p, enum ks_cause_group g)
{
	enum ks_refusal code[KS_REFUSAL_COUNT];
	const size_t n = ks_remedy_group(g, code);

	ks_pen_put_c(p, KS_STYLE_BOLD, ks_cause_group_title(g, p->lang));
	ks_pen_nl(p);
	for (size_t i = 0; i < n; i++) {
		const struct ks_refusal_info *r = ks_refusal_info(code[i]);
		const bool now = ks_cause_info(code[i])->part == KS_PART_NOW;

		ks_words_entry(
			p,
			&(struct ks_words_row){ 2, NAME_COLUMNS,
						now ? KS_STYLE_PLAIN : KS_STYLE_DIM },
			r->slug,
			now ? ks_words_in(p, r->title)
			    : KS_PEN_SAY(p, KS_TEXT_ROUTE_LIST_LATER, ks_words_in(p, r->title)));
	}
}

enum ks_status ks_remedy_list_text(const struct ks_ctx *ctx, const struct ks_view *v,
				   struct ks_out *out, struct ks_err *err)
{
	struct ks_pen p = pen_of(ctx, v, out);

	for (unsigned g = 0; g < KS_CAUSE_COUNT; g++)
		list_group(&p, (enum ks_cause_group)g);
	ks_pen_wrap(&p, &(struct ks_wrap){ .style = KS_STYLE_DIM },
		    KS_PEN_WORD(&p, KS_TEXT_REMEDY_MORE));
	return ks_pen_done(&p, err);
}

/* The group's word in machine formats: its id, which is ASCII in every language. */
static const char *group_word(enum ks_cause_group g)
{
	static const char *const word[KS_CAUSE_COUNT] = {
		[KS_CAUSE_MACHINE] = "machine",		[KS_CAUSE_INPUT] = "input",
		[KS_CAUSE_ENVIRONMENT] = "environment", [KS_CAUSE_PREMISE] = "premise",
		[KS_CAUSE_DECISION] = "decision",	[KS_CAUSE_COLLECTOR] = "collector",
		[KS_CAUSE_OPENCL] = "opencl",
	};

	return word[g];
}

static void code_keys(struct ks_jsonw *w, enum ks_refusal code, enum ks_lang lang)
{
	const struct ks_refusal_info *r = ks_refusal_info(code);
	const struct ks_cause_info *c = ks_cause_info(code);
	const bool zh = lang == KS_LANG_ZH;

	ks_jsonw_kv_cstr(w, "code", r->slug);
	ks_jsonw_kv_cstr(w, "title", r->title[zh]);
	ks_jsonw_kv_cstr(w, "when", c->when[zh]);
	ks_jsonw_kv_cstr(w, "severity", r->severity == KS_SEV_BLOCKING ? "blocking" : "degraded");
	ks_jsonw_kv_cstr(w, "group", group_word(c->group));
	ks_jsonw_kv_cstr(w, "state", r->state == KS_STATE_LIVE ? "live" : "planned");
	ks_jsonw_kv_cstr(w, "later", ks_part_text(c->part, lang));
	ks_json_remedy(w, code, lang);
}

void ks_remedy_json(const struct ks_ctx *ctx, enum ks_refusal code, struct ks_out *out)
{
	const enum ks_lang lang = (enum ks_lang)ctx->doc_lang;
	struct ks_jsonw w;

	ks_jsonw_init(&w, out, 2);
	ks_jsonw_obj(&w);
	ks_jsonw_kv_i64(&w, "schema_version", 1);
	if (code != KS_REFUSAL_NONE) {
		code_keys(&w, code, lang);
	} else {
		ks_jsonw_key(&w, "refusals");
		ks_jsonw_arr(&w);
		for (int i = KS_REFUSAL_NONE + 1; i < KS_REFUSAL_COUNT; i++) {
			ks_jsonw_obj(&w);
			code_keys(&w, (enum ks_refusal)i, lang);
			ks_jsonw_obj_end(&w);
		}
		ks_jsonw_arr_end(&w);
	}
	ks_jsonw_obj_end(&w);
	ks_out_ch(out, '\n');
}
