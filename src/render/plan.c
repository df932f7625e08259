/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan as text and as JSON (contract 01 §9). Effects are those of the table's rows; the four
 * annotations follow from them.
 */
#include "render/plan.h"

#include "base/jsonw.h"
#include "base/str.h"
#include "render/pen.h"

#define PLAN_TMP_MAX  ((size_t)16 << 20)
#define NEEDS_CONSENT (KS_FX_MUTATES_TARGET | KS_FX_WRITES_FILESYSTEM | KS_FX_MAY_DISCARD_DATA)
#define RULE_COLS     96

static unsigned effects(const struct ks_plan_step *s)
{
	const unsigned all = ks_operation_info(s->op)->effects |
			     (s->n_origins > 0 ? (unsigned)KS_FX_ACCESSES_NETWORK : 0);

	return s->may_discard ? all : all & ~(unsigned)KS_FX_MAY_DISCARD_DATA;
}

/* Whether any step writes, may discard or changes the target (contract 01 §9). */
static bool needs_approval(const struct ks_plan *p)
{
	for (size_t i = 0; i < p->n; i++)
		if ((effects(&p->step[i]) & NEEDS_CONSENT) != 0)
			return true;
	return false;
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void effects_json(struct ks_jsonw *w, const struct ks_plan_step *s)
{
	const bool idempotent = ks_operation_info(s->op)->idempotent;
	const unsigned fx = effects(s);

	ks_jsonw_key(w, "effects");
	ks_jsonw_obj(w);
	for (unsigned bit = 0; bit < KS_FX_COUNT; bit++)
		ks_jsonw_kv_bool(w, ks_effect_name(bit), (fx & 1u << bit) != 0);
	ks_jsonw_kv_bool(w, "idempotent", idempotent);
	ks_jsonw_obj_end(w);
	ks_jsonw_key(w, "annotations");
	ks_jsonw_obj(w);
	ks_jsonw_kv_bool(w, "read_only_hint", fx == 0);
	ks_jsonw_kv_bool(w, "destructive_hint", (fx & KS_FX_MAY_DISCARD_DATA) != 0);
	ks_jsonw_kv_bool(w, "idempotent_hint", idempotent);
	ks_jsonw_kv_bool(w, "open_world_hint",
			 (fx & (KS_FX_LAUNCHES_PROCESS | KS_FX_ACCESSES_NETWORK)) != 0);
	ks_jsonw_obj_end(w);
}

static void list_json(struct ks_jsonw *w, const char *key, const ks_str *item, size_t n)
{
	if (n > 0)
		ks_jsonw_kv_strs(w, key, item, n);
}

static void step_json(struct ks_jsonw *w, const struct ks_plan_step *s, enum ks_lang lang)
{
	const struct ks_operation_info *op = ks_operation_info(s->op);

	ks_jsonw_obj(w);
	ks_jsonw_kv_cstr(w, "id", op->name);
	ks_jsonw_kv_cstr(w, "label", op->label[lang]);
	ks_jsonw_kv_str(w, "target", s->target);
	ks_jsonw_kv_cstr(w, "detail", op->why[lang]);
	ks_jsonw_kv_bool(w, "external", op->external);
	if (s->if_needed)
		ks_jsonw_kv_bool(w, "if_needed", true);
	effects_json(w, s);
	list_json(w, "commands", s->commands, s->n_commands);
	list_json(w, "reads", s->reads, s->n_reads);
	list_json(w, "writes", s->writes, s->n_writes);
	list_json(w, "network_origins", s->origins, s->n_origins);
	ks_jsonw_obj_end(w);
}

enum ks_status ks_plan_json(const struct ks_plan *p, enum ks_lang lang, struct ks_out *out,
			    struct ks_err *err)
{
	struct ks_jsonw w;

	(void)err;
	ks_jsonw_init(&w, out, 2);
	ks_jsonw_obj(&w);
	ks_jsonw_kv_strs(&w, "argv", p->argv, p->n_argv);
	ks_jsonw_kv_bool(&w, "requires_approval", needs_approval(p));
	ks_jsonw_key(&w, "steps");
	ks_jsonw_arr(&w);
	for (size_t i = 0; i < p->n; i++)
		step_json(&w, &p->step[i], lang);
	ks_jsonw_arr_end(&w);
	ks_jsonw_kv_str(&w, "note", p->note);
	ks_jsonw_obj_end(&w);
	ks_out_ch(out, '\n');
	return KS_OK;
}

/* --- text ------------------------------------------------------------------------------------- */

/* Most telling first; a step has at most three of them. */
static ks_str tags(struct ks_pen *p, const struct ks_plan_step *s)
{
	static const struct {
		unsigned bit;
		enum ks_text word;
	} word[] = {
		{ KS_FX_MAY_DISCARD_DATA, KS_TEXT_PLAN_TAG_DISCARDS },
		{ KS_FX_WRITES_FILESYSTEM, KS_TEXT_PLAN_TAG_WRITES },
		{ KS_FX_LAUNCHES_PROCESS, KS_TEXT_PLAN_TAG_RUNS },
		{ KS_FX_ACCESSES_NETWORK, KS_TEXT_PLAN_TAG_NETWORK },
		{ KS_FX_MUTATES_TARGET, KS_TEXT_PLAN_TAG_TARGET },
		{ KS_FX_MUTATES_SESSION, KS_TEXT_PLAN_TAG_SESSION },
	};
	const unsigned fx = effects(s);
	ks_str all = KS_LIT("");

	for (size_t i = 0; i < KS_ARRAY_LEN(word); i++) {
		if ((fx & word[i].bit) == 0)
			continue;
		if (all.n > 0)
			all = ks_pen_cat(p, all, KS_LIT(", "));
		all = ks_pen_cat(p, all, KS_PEN_WORD(p, word[i].word));
	}
	if (fx == 0)
		all = KS_PEN_WORD(p, s->op == KS_OPERATION_SPILL ? KS_TEXT_PLAN_TAG_NOTHING_STAYS
								 : KS_TEXT_PLAN_TAG_READS);
	if (s->if_needed)
		all = ks_pen_cat(p, ks_pen_cat(p, all, KS_LIT(", ")),
				 KS_PEN_WORD(p, KS_TEXT_PLAN_TAG_IF_NEEDED));
	return all;
}

static void list_text(struct ks_pen *p, enum ks_text label, const ks_str *item, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct ks_wrap how = { .at = 5, .hang = 7 };

		ks_pen_spaces(p, 5);
		ks_pen_wrap(p, &how, KS_PEN_SAY(p, label, item[i]));
	}
}

/* A target that is the first path below needs no line of its own. */
static bool is_listed(const struct ks_plan_step *s)
{
	return (s->n_reads > 0 && ks_str_eq(s->reads[0], s->target)) ||
	       (s->n_writes > 0 && ks_str_eq(s->writes[0], s->target)) ||
	       (s->n_commands > 0 && ks_str_eq(s->commands[0], s->target));
}

static void step_text(struct ks_pen *p, size_t number, const struct ks_plan_step *s)
{
	const struct ks_operation_info *op = ks_operation_info(s->op);
	const enum ks_style style =
		(effects(s) & NEEDS_CONSENT) != 0 ? KS_STYLE_WARN : KS_STYLE_PLAIN;
	ks_str head = ks_arena_fmt(p->tmp, "%zu. %s  [", number, op->label[p->lang]);

	head = ks_pen_cat(p, ks_pen_cat(p, head, tags(p, s)), KS_LIT("]"));
	ks_pen_wrap(p, &(struct ks_wrap){ .style = style, .hang = 5 }, head);
	if (!is_listed(s))
		ks_pen_labelled(p, 5, KS_TEXT_PLAN_TARGET, s->target);
	ks_pen_labelled(p, 5, KS_TEXT_PLAN_WHY, ks_str_c(op->why[p->lang]));
	list_text(p, KS_TEXT_PLAN_RUNS, s->commands, s->n_commands);
	list_text(p, KS_TEXT_PLAN_READS, s->reads, s->n_reads);
	list_text(p, KS_TEXT_PLAN_WRITES, s->writes, s->n_writes);
}

enum ks_status ks_plan_text(const struct ks_plan *p, const struct ks_view *v, struct ks_out *out,
			    struct ks_err *err)
{
	struct ks_arena tmp;
	struct ks_pen pen = { .out = out, .term = &v->term, .lang = v->lang, .tmp = &tmp };
	const size_t cols = (size_t)v->term.cols;
	const bool consent = needs_approval(p);

	ks_arena_init(&tmp, PLAN_TMP_MAX);
	ks_pen_wrap(&pen, &(struct ks_wrap){ .style = KS_STYLE_BOLD },
		    KS_PEN_WORD(&pen, consent ? KS_TEXT_PLAN_CONSENT : KS_TEXT_PLAN_HARMLESS));
	ks_pen_rule(&pen, cols < RULE_COLS ? cols : RULE_COLS);
	for (size_t i = 0; i < p->n; i++)
		step_text(&pen, i + 1, &p->step[i]);
	ks_pen_rule(&pen, cols < RULE_COLS ? cols : RULE_COLS);
	if (p->note.n > 0)
		ks_pen_wrap(&pen, &(struct ks_wrap){ .at = 0 }, p->note);
	ks_pen_wrap(&pen, &(struct ks_wrap){ .at = 0 },
		    KS_PEN_WORD(&pen, KS_TEXT_PLAN_NOTHING_DONE));
	const enum ks_status st = ks_pen_done(&pen, err);

	ks_arena_release(&tmp);
	return st;
}
