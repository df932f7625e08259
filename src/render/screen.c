/* SPDX-License-Identifier: Apache-2.0
 *
 * The one-screen view. Drawn from the packet alone, so that what a person reads and what a program
 * reads cannot differ: every fact of the packet is here, and nothing that is not in it.
 */
#include "base/str.h"
#include "base/utf8.h"
#include "render/decided.h"
#include "render/pen.h"
#include "render/render.h"

#define SCREEN_TMP_MAX ((size_t)64 << 20)
#define RULE_COLS      96

struct screen {
	struct ks_pen pen;
	const struct ks_packet *k;
	const struct ks_verdicts *vd;
	bool packet_words; /* the packet's own sentences are in the language of the screen */
};

static void line(struct screen *s, size_t indent, enum ks_style style, ks_str text)
{
	const struct ks_wrap how = { .style = style, .at = indent, .hang = indent };

	if (text.n == 0)
		return;
	ks_pen_spaces(&s->pen, indent);
	ks_pen_wrap(&s->pen, &how, text);
}

static void labelled(struct screen *s, size_t indent, enum ks_text label, ks_str text)
{
	ks_pen_labelled(&s->pen, indent, label, text);
}

static void heading(struct screen *s, ks_str text)
{
	ks_pen_nl(&s->pen);
	line(s, 0, KS_STYLE_BOLD, text);
}

/* "action (cost)". The packet's own sentence where it is in the reader's language. */
static ks_str remedy_text(struct screen *s, enum ks_refusal code, ks_str slug)
{
	const struct ks_packet_remedy *r = ks_decided_remedy(s->k, code, slug);
	struct ks_pen *p = &s->pen;
	const ks_str text = r != NULL && r->action.n > 0 && s->packet_words
				    ? r->action
				    : ks_str_c(ks_refusal_info(code)->action[p->lang]);
	const ks_str cost = ks_decided_cost(p, s->k, code, slug);

	return cost.n > 0 ? KS_PEN_SAY(p, KS_TEXT_R_WITH_COST, text, cost) : text;
}

static ks_str command_text(const struct screen *s, enum ks_refusal code, ks_str slug)
{
	const struct ks_packet_remedy *r = ks_decided_remedy(s->k, code, slug);

	return r != NULL ? r->command : KS_LIT("");
}

/* The finding goes before everything, as in every output for people; then who says so. */
static void header(struct screen *s)
{
	struct ks_pen *p = &s->pen;
	const struct ks_report *r = s->k->report;
	ks_str hash = s->vd->protocol_hash, dot = ks_str_c(ks_pen_dot(p));
	size_t cols = (size_t)p->term->cols;

	const struct ks_msg finding = ks_decided_finding(p, &s->vd->finding);

	if (finding.id != KS_TEXT_NONE)
		line(s, 0, KS_STYLE_BOLD, ks_pen_msg_short(p, &finding, 48));
	if (ks_str_starts(hash, "sha256:"))
		hash = (ks_str){ hash.p + 7, hash.n - 7 < 12 ? hash.n - 7 : 12 };
	ks_str text = KS_PEN_SAY(p, KS_TEXT_R_S_HEADER, r->tool_version, dot, hash,
				 ks_pen_i64(p, s->vd->tier), ks_str_c(s->vd->tier_name));

	if (r->redacted != KS_REDACT_NO)
		text = ks_pen_cat(p, ks_pen_cat(p, text, dot), KS_PEN_WORD(p, KS_TEXT_RD_SCREEN));
	if (r->synthetic)
		text = ks_pen_cat(p, ks_pen_cat(p, text, dot),
				  KS_PEN_WORD(p, KS_TEXT_R_S_SYNTHETIC));
	line(s, 0, r->synthetic ? KS_STYLE_WARN : KS_STYLE_PLAIN, text);
	ks_pen_rule(p, cols < RULE_COLS ? cols : RULE_COLS);
}

/* What to change first, by the most that it can save. */
static void findings(struct screen *s)
{
	struct ks_pen *p = &s->pen;

	for (size_t i = 0; i < s->k->n_findings; i++) {
		const struct ks_packet_finding *f = &s->k->finding[i];
		const enum ks_rule rule = ks_rule_find(f->rule);
		const ks_str title = rule != KS_RULE_NONE
					     ? ks_str_c(ks_rule_info(rule)->title[p->lang])
					     : f->rule;

		line(s, 2, KS_STYLE_PLAIN,
		     KS_PEN_SAY(p, KS_TEXT_R_S_FINDING, ks_pen_fixed(p, f->share_pct, 1),
				ks_pen_real(p, f->bound_ms), title));
	}
}

static void premise(struct screen *s, const struct ks_premise_row *row)
{
	struct ks_pen *p = &s->pen;
	ks_str text = KS_PEN_SAY(p, KS_TEXT_R_S_PREMISE, ks_decided_premise(p, row),
				 ks_decided_value(p, &row->observed, row->unit, row->unit_text));

	if (row->threshold.kind != KS_V_NONE)
		text = ks_pen_cat(p, text,
				  KS_PEN_SAY(p, KS_TEXT_R_S_THRESHOLD,
					     ks_decided_value(p, &row->threshold, row->unit,
							      row->unit_text)));
	text = ks_pen_cat(p, text,
			  ks_arena_fmt(p->tmp, " %s ", p->term->utf8 ? "\xe2\x86\x92" : "->"));
	text = ks_pen_cat(p, text, KS_PEN_WORD(p, row->ok ? KS_TEXT_R_S_MET : KS_TEXT_R_S_NOT_MET));
	line(s, 8, row->ok ? KS_STYLE_PLAIN : KS_STYLE_BAD, text);
}

static void refused_lines(struct screen *s, const struct ks_refused *why)
{
	struct ks_pen *p = &s->pen;
	const struct ks_refusal_info *info = ks_refusal_info(why->code);

	labelled(s, 8, KS_TEXT_R_S_REFUSED,
		 ks_pen_cat(p, ks_pen_cat(p, ks_refused_slug(why), KS_LIT(": ")),
			    ks_str_c(info->title[p->lang])));
	labelled(s, 8, KS_TEXT_R_OBSERVED, ks_pen_kvs(p, why->observed, why->n_observed));
	labelled(s, 8, KS_TEXT_R_THRESHOLD, ks_pen_kvs(p, why->threshold, why->n_threshold));
	labelled(s, 8, KS_TEXT_R_FIX, remedy_text(s, why->code, ks_refused_slug(why)));
	labelled(s, 8, KS_TEXT_R_COMMAND, command_text(s, why->code, ks_refused_slug(why)));
}

/* "(4.755 ms, exact, MDD 1 %)" */
static ks_str value_text(struct ks_pen *p, const struct ks_verdict_row *v)
{
	if (v->value.kind == KS_V_NONE)
		return KS_LIT("");
	ks_str text =
		ks_pen_cat(p, KS_LIT("  ("), ks_decided_value(p, &v->value, v->unit, v->unit_text));

	text = ks_pen_cat(p, text, ks_arena_fmt(p->tmp, ", %s", ks_prov_name(v->prov)));
	if (v->n_band > 0)
		text = ks_pen_cat(
			p, ks_pen_cat(p, text, KS_LIT(", ")),
			KS_PEN_SAY(p, KS_TEXT_R_S_BAND, ks_pen_kvs(p, v->band, v->n_band)));
	if (v->mdd >= 0.0)
		text = ks_pen_cat(p, ks_pen_cat(p, text, KS_LIT(", ")),
				  KS_PEN_SAY(p, KS_TEXT_R_S_MDD, ks_pen_real(p, v->mdd)));
	return ks_pen_cat(p, text, KS_LIT(")"));
}

static void status_tag(struct ks_pen *p, enum ks_vstatus status)
{
	static const struct {
		enum ks_text word;
		enum ks_style style;
	} tag[] = {
		[KS_VERDICT_STATUS_OK] = { KS_TEXT_R_S_OK, KS_STYLE_GOOD },
		[KS_VERDICT_STATUS_SOFT] = { KS_TEXT_R_S_SOFT, KS_STYLE_WARN },
		[KS_VERDICT_STATUS_REFUSED] = { KS_TEXT_R_S_NO, KS_STYLE_BAD },
	};

	ks_pen_put_c(p, KS_STYLE_DIM, "[");
	ks_pen_cell(p, tag[status].style, KS_PEN_WORD(p, tag[status].word), 4, false);
	ks_pen_put_c(p, KS_STYLE_DIM, "] ");
}

static void verdict(struct screen *s, size_t i)
{
	struct ks_pen *p = &s->pen;
	const struct ks_verdict_row *v = &s->k->verdict[i];
	const struct ks_wrap how = { .at = 7, .hang = 8 };
	ks_str phrase = v->id == KS_VERDICT_NONE
				? KS_LIT("")
				: ks_str_c(ks_verdict_info(v->id)->phrase[p->lang]);
	ks_str text = ks_pen_cat(p, v->name, phrase.n > 0 ? KS_LIT(": ") : KS_LIT(""));
	ks_str next = ks_pen_msg(p, &v->next);

	status_tag(p, v->status);
	ks_pen_wrap(p, &how, ks_pen_cat(p, ks_pen_cat(p, text, phrase), value_text(p, v)));
	if (!v->actionable && v->status != KS_VERDICT_STATUS_REFUSED)
		line(s, 8, KS_STYLE_WARN, KS_PEN_WORD(p, KS_TEXT_R_S_NOT_ACTIONABLE));
	labelled(s, 8, KS_TEXT_R_S_FACTS, ks_pen_kvs(p, v->fact, v->n_facts));
	for (size_t j = 0; j < v->n_premises; j++)
		premise(s, &v->premise[j]);
	if (v->refused != NULL)
		refused_lines(s, v->refused);
	labelled(s, 8, KS_TEXT_R_S_METRICS, ks_decided_list(p, v->metric, v->n_metrics));
	if (s->packet_words && s->k->next_text[i].n > 0)
		next = s->k->next_text[i];
	labelled(s, 8, KS_TEXT_R_S_NEXT, next);
}

static void verdicts(struct screen *s)
{
	struct ks_pen *p = &s->pen;

	if (s->k->n_verdicts == 0)
		return;
	heading(s, KS_PEN_WORD(p, KS_TEXT_R_S_VERDICTS));
	for (size_t i = 0; i < s->k->n_verdicts; i++)
		verdict(s, i);
	labelled(s, 2, KS_TEXT_R_S_MORE_VERDICTS,
		 ks_decided_list(p, s->k->more_verdict, s->k->n_more_verdicts));
}

static void environment(struct screen *s)
{
	struct ks_pen *p = &s->pen;
	const struct ks_packet *k = s->k;
	ks_str blocked = ks_decided_list(p, s->vd->blocked_by, s->vd->n_blocked_by);

	const ks_str basis = k->report->ledger_basis, within = k->report->within;
	ks_str window = k->report->window_mode;

	if (within.n > 0)
		window = ks_pen_cat(p, ks_pen_cat(p, window, ks_str_c(ks_pen_dot(p))), within);

	if (k->n_env + blocked.n + k->clock_lock.n + k->calibration.n + k->memtrace_name.n +
		    s->vd->counter_state.n + window.n + basis.n ==
	    0)
		return;
	heading(s, KS_PEN_WORD(p, KS_TEXT_R_S_ENVIRONMENT));
	line(s, 2, KS_STYLE_PLAIN,
	     s->vd->tier_text != KS_TEXT_NONE ? KS_PEN_WORD(p, s->vd->tier_text)
					      : s->vd->tier_note);
	if (s->vd->counter_state.n > 0)
		line(s, 2, KS_STYLE_PLAIN,
		     KS_PEN_SAY(p, KS_TEXT_R_S_COUNTERS, s->vd->counter_state));
	labelled(s, 2, KS_TEXT_R_S_WINDOW, window);
	labelled(s, 2, KS_TEXT_R_S_BASIS, basis);
	labelled(s, 2, KS_TEXT_R_S_CLOCK, k->clock_lock);
	labelled(s, 2, KS_TEXT_DC_S_CALIBRATION, k->calibration);
	labelled(s, 2, KS_TEXT_DC_S_MEMTRACE, k->memtrace_name);
	labelled(s, 2, KS_TEXT_R_S_BLOCKED, blocked);
	for (size_t i = 0; i < k->n_env; i++)
		line(s, 2, KS_STYLE_WARN,
		     ks_pen_cat(p, ks_pen_cat(p, k->env[i].slug, KS_LIT(": ")), k->env[i].message));
	if (k->more_env > 0)
		labelled(s, 2, KS_TEXT_R_S_MORE_VERDICTS,
			 ks_decided_list(p, k->more_env_code, k->n_more_env_codes));
}

static void group(struct screen *s, const struct ks_unmeasured *u)
{
	struct ks_pen *p = &s->pen;
	const struct ks_refusal_info *info = ks_refusal_info(u->code);
	ks_str text = ks_arena_fmt(p->tmp, "[%s] %s%zu ", ks_decided_way(p, s->k, u).p,
				   p->term->utf8 ? "\xc3\x97" : "x", u->count);
	ks_str example = ks_decided_list(p, u->example, u->n_examples);

	text = ks_pen_cat(p, ks_pen_cat(p, text, u->slug),
			  ks_arena_fmt(p->tmp, ": %s", info->title[p->lang]));

	if (example.n > 0)
		text = ks_pen_cat(p, ks_pen_cat(p, ks_pen_cat(p, text, KS_LIT(" (")), example),
				  KS_LIT(")"));
	line(s, 2, KS_STYLE_PLAIN, text);
	labelled(s, 6, KS_TEXT_R_FIX, remedy_text(s, u->code, u->slug));
	labelled(s, 6, KS_TEXT_R_COMMAND, command_text(s, u->code, u->slug));
}

static void unmeasured(struct screen *s)
{
	struct ks_pen *p = &s->pen;
	const struct ks_packet *k = s->k;

	if (k->n_groups == 0)
		return;
	heading(s, KS_PEN_SAY(p, KS_TEXT_R_S_UNMEASURED, ks_pen_u64(p, s->vd->unmeasured_metrics),
			      ks_pen_u64(p, s->vd->measured_metrics)));
	for (size_t i = 0; i < k->n_groups; i++)
		group(s, &k->group[i]);
	if (k->more_groups > 0)
		line(s, 2, KS_STYLE_DIM,
		     KS_PEN_SAY(p, KS_TEXT_R_S_MORE_GROUPS, ks_pen_u64(p, k->more_groups),
				ks_pen_u64(p, k->more_metrics)));
}

static bool shown_above(const struct ks_packet *k, const struct ks_packet_remedy *r)
{
	for (size_t i = 0; i < k->n_groups; i++)
		if (ks_str_eq(k->group[i].slug, r->slug))
			return true;
	for (size_t i = 0; i < k->n_verdicts; i++)
		if (k->verdict[i].refused != NULL && k->verdict[i].refused->code == r->code)
			return true;
	return false;
}

static void other_refusals(struct screen *s)
{
	struct ks_pen *p = &s->pen;
	bool any = false;

	for (size_t i = 0; i < s->k->n_remedies; i++) {
		const struct ks_packet_remedy *r = &s->k->remedy[i];

		if (shown_above(s->k, r))
			continue;
		if (!any)
			heading(s, KS_PEN_WORD(p, KS_TEXT_R_S_OTHER_REFUSALS));
		any = true;
		line(s, 2, KS_STYLE_PLAIN,
		     ks_pen_cat(p, ks_pen_cat(p, r->slug, KS_LIT(": ")),
				remedy_text(s, r->code, r->slug)));
		labelled(s, 6, KS_TEXT_R_COMMAND, r->command);
	}
}

static ks_str next_text(struct screen *s, size_t i)
{
	struct ks_pen *p = &s->pen;
	const struct ks_next *next = &s->k->next[i];

	if (next->slug.n > 0)
		return ks_pen_cat(p, ks_pen_cat(p, next->slug, KS_LIT(": ")),
				  remedy_text(s, next->code, next->slug));
	if (s->packet_words || next->hint.id == KS_TEXT_NONE)
		return s->k->next_hint[i];
	return ks_pen_msg(p, &next->hint);
}

static void path(struct screen *s)
{
	struct ks_pen *p = &s->pen;
	const struct ks_wrap how = { .at = 5, .hang = 5 };

	if (s->k->n_next == 0)
		return;
	heading(s, KS_PEN_WORD(p, KS_TEXT_R_S_PATH));
	for (size_t i = 0; i < s->k->n_next; i++) {
		const struct ks_next *next = &s->k->next[i];
		ks_str tag = KS_LIT("");

		if (next->for_name.n > 0 && !ks_str_eq(next->for_name, next->slug))
			tag = ks_pen_cat(p, ks_pen_cat(p, KS_LIT("["), next->for_name),
					 KS_LIT("] "));
		ks_pen_cell(p, KS_STYLE_DIM, ks_arena_fmt(p->tmp, "%zu.", i + 1), 4, true);
		ks_pen_spaces(p, 1);
		ks_pen_wrap(p, &how, ks_pen_cat(p, tag, next_text(s, i)));
		if (next->slug.n > 0)
			labelled(s, 5, KS_TEXT_R_COMMAND, command_text(s, next->code, next->slug));
	}
}

static bool has_band(const struct ks_packet *k)
{
	for (size_t i = 0; i < k->n_verdicts; i++)
		if (k->verdict[i].n_band > 0)
			return true;
	return false;
}

static void cost(struct screen *s)
{
	struct ks_pen *p = &s->pen;
	const struct ks_packet *k = s->k;
	ks_str dot = ks_str_c(ks_pen_dot(p));
	ks_str part[5] = {
		KS_PEN_SAY(p, KS_TEXT_R_S_WALL, ks_pen_fixed(p, k->wall_s, 3)),
		KS_PEN_SAY(p, KS_TEXT_R_S_PACKET, ks_pen_u64(p, k->packet_bytes)),
		KS_PEN_SAY(p,
			   k->report->total_launches == 1 ? KS_TEXT_R_LAUNCH : KS_TEXT_R_LAUNCHES,
			   ks_pen_u64(p, k->report->total_launches)),
		has_band(k) ? KS_LIT("") : KS_PEN_WORD(p, KS_TEXT_R_S_NO_BAND),
		k->report_bytes > 0
			? KS_PEN_SAY(p, KS_TEXT_R_S_REPORT, ks_pen_u64(p, k->report_bytes))
			: KS_LIT(""),
	};
	ks_str all = part[0];

	for (size_t i = 1; i < KS_ARRAY_LEN(part); i++)
		if (part[i].n > 0)
			all = ks_pen_cat(p, ks_pen_cat(p, all, dot), part[i]);
	ks_pen_nl(p);
	labelled(s, 0, KS_TEXT_R_S_COST, all);
	if (k->report_path.n > 0)
		line(s, 2, KS_STYLE_DIM, KS_PEN_SAY(p, KS_TEXT_R_S_REPORT_PATH, k->report_path));
	if (k->n_trimmed > 0)
		line(s, 2, KS_STYLE_DIM,
		     KS_PEN_SAY(p, KS_TEXT_R_S_TRIMMED,
				ks_decided_list(p, k->trimmed, k->n_trimmed)));
	if (k->n_trimmed_ids > 0)
		line(s, 2, KS_STYLE_DIM, ks_decided_list(p, k->trimmed_id, k->n_trimmed_ids));
	if (k->n_omitted > 0)
		line(s, 2, KS_STYLE_DIM,
		     KS_PEN_SAY(p, KS_TEXT_R_S_OMITTED,
				ks_decided_list(p, k->omitted_code, k->n_omitted_listed)));
	if (k->over_budget)
		line(s, 2, KS_STYLE_WARN, KS_PEN_WORD(p, KS_TEXT_R_S_OVER));
}

static enum ks_status render(const struct ks_ctx *ctx, const struct ks_report *r,
			     const struct ks_view *v, struct ks_out *out, struct ks_err *err)
{
	struct ks_arena tmp;
	struct screen s = {
		.pen = { .out = out, .term = &v->term, .lang = v->lang, .tmp = &tmp },
		.k = v->packet,
		.packet_words = (int)v->lang == ctx->doc_lang,
	};

	(void)r;
	if (s.k == NULL || s.k->report == NULL || s.k->report->verdicts == NULL)
		return ks_err_set(err, KS_E_INTERNAL, KS_TEXT_ERR_RENDER_NO_PACKET, NULL);
	s.vd = s.k->report->verdicts;
	ks_arena_init(&tmp, SCREEN_TMP_MAX);
	header(&s);
	findings(&s);
	line(&s, 0, KS_STYLE_BOLD, ks_decided_conclusion(&s.pen, s.k));
	verdicts(&s);
	environment(&s);
	unmeasured(&s);
	other_refusals(&s);
	path(&s);
	cost(&s);
	enum ks_status st = ks_pen_done(&s.pen, err);

	ks_arena_release(&tmp);
	return st;
}

const struct ks_render_ops ks_render_screen = {
	.format = KS_FORMAT_SCREEN,
	.needs_packet = true,
	.render = render,
};
