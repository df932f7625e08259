/* SPDX-License-Identifier: Apache-2.0
 *
 * Below the table: refusals once per code with what to do, the next steps, remarks, the profiler's
 * own messages and what of the input was not read. Three densities, for screens of different
 * height.
 */
#include "base/str.h"
#include "base/utf8.h"
#include "render/text.h"
#include "verdict/verdict.h"

/* How many remarks of a kind a screen gets; all of them with --print-details all. */
#define NOTES_SHOWN 2
#define TABLES_MAX  256
#define NEXT_SHOWN  3
#define LINES_SHOWN 3 /* refusals with their remedy on a crowded screen, the others by code */

static bool full(const struct ks_sheet *t, enum ks_text_level level)
{
	return t->all || level == KS_TEXT_LEVEL_FULL;
}

static ks_str times(struct ks_pen *p, size_t n)
{
	return ks_arena_fmt(p->tmp, "%s%zu", p->term->utf8 ? "\xc3\x97" : "x", n);
}

static ks_str command_of(const struct ks_sheet *t, const struct ks_unmeasured *u)
{
	if (u->first != NULL && u->first->remedy.command.n > 0)
		return u->first->remedy.command;
	return ks_store_command(t->r->ev, u->code, KS_STR_NONE);
}

static ks_str action_of(struct ks_pen *p, const struct ks_unmeasured *u)
{
	if (u->first != NULL)
		return ks_pen_refused_action(p, u->first);
	return ks_str_c(ks_refusal_info(u->code)->action[p->lang]);
}

static ks_str cost_of(struct ks_pen *p, const struct ks_unmeasured *u)
{
	const struct ks_refusal_info *info = ks_refusal_info(u->code);

	if (info->later) /* not in this version: then it has no cost either */
		return KS_LIT("");
	if (u->first != NULL)
		return ks_pen_cost(p, u->first->remedy.cost_kind, u->first->remedy.cost_s);
	return ks_pen_cost(p, info->cost_kind, info->cost_s);
}

/* What is missing. Codes that stand for many reasons say which one, or which metrics it is about.
 */
static ks_str title_of(struct ks_sheet *t, const struct ks_unmeasured *u)
{
	struct ks_pen *p = &t->pen;
	ks_str title = ks_str_c(ks_refusal_info(u->code)->title[p->lang]);

	if (u->first != NULL && u->first->message.id != KS_TEXT_NONE &&
	    u->code == KS_REFUSAL_PREMISE_FAILED)
		return ks_pen_refused_message(p, t->r->ev, u->first);
	if (u->code != KS_REFUSAL_NOT_BUILT_IN || u->n_examples == 0)
		return title;
	ks_str list = u->example[0];

	if (u->n_examples > 1)
		list = ks_pen_cat(p, ks_pen_cat(p, list, KS_LIT(", ")), u->example[1]);
	return KS_PEN_SAY(p, KS_TEXT_R_WITH_COST, title, list);
}

static const char *arrow(const struct ks_pen *p)
{
	return p->term->utf8 ? "\xe2\x86\x92 " : "-> ";
}

struct code_cols {
	size_t code, times;
};

/* Code and count in their columns; returns the column that follows. */
static size_t code_cells(struct ks_sheet *t, const struct ks_unmeasured *u,
			 const struct code_cols *w)
{
	struct ks_pen *p = &t->pen;
	size_t most = (size_t)t->v->term.cols / 2, width = w->code < most ? w->code : most;

	ks_pen_spaces(p, 2);
	ks_pen_cell(p, KS_STYLE_WARN, u->slug, width, false);
	ks_pen_spaces(p, 1);
	ks_pen_cell(p, KS_STYLE_DIM, times(p, u->count), w->times, true);
	ks_pen_spaces(p, 2);
	return width + w->times + 5;
}

static void refusal_full(struct ks_sheet *t, const struct ks_unmeasured *u,
			 const struct code_cols *w)
{
	struct ks_pen *p = &t->pen;
	size_t at = code_cells(t, u, w);
	ks_str command = command_of(t, u), cost = cost_of(p, u);
	const struct ks_wrap title = { .at = at, .hang = at, .lines = t->all ? 0 : 2 };
	const struct ks_wrap fix = {
		.style = KS_STYLE_DIM, .at = 4, .hang = 6, .lines = t->all ? 0 : 3
	};
	const struct ks_wrap run = { .style = KS_STYLE_ACCENT, .at = 6, .hang = 8 };

	ks_pen_wrap(p, &title, title_of(t, u));
	ks_pen_spaces(p, 4);
	ks_pen_wrap(p, &fix,
		    ks_pen_cat(p, ks_str_c(arrow(p)),
			       cost.n == 0 ? action_of(p, u)
					   : KS_PEN_SAY(p, KS_TEXT_R_WITH_COST, action_of(p, u),
							cost)));
	if (command.n == 0)
		return;
	ks_pen_spaces(p, 6);
	ks_pen_wrap(p, &run, command);
}

/* What one line holds: title and remedy, else the remedy alone, on as many lines as it is worth. A
 * command is never cut. */
static void refusal_line(struct ks_sheet *t, const struct ks_unmeasured *u,
			 const struct code_cols *w, size_t lines)
{
	struct ks_pen *p = &t->pen;
	size_t at = code_cells(t, u, w), cols = (size_t)t->v->term.cols;
	size_t room = cols > at + 8 ? cols - at : 8;
	const struct ks_wrap one = { .at = at, .hang = at, .lines = lines };
	ks_str title = title_of(t, u);
	ks_str advice = ks_pen_cat(p, ks_str_c(arrow(p)), action_of(p, u));
	ks_str run = command_of(t, u);

	if (run.n > 0 && ks_utf8_columns(run) + 2 <= room)
		advice = ks_pen_cat(p, ks_str_c(arrow(p)), run);
	if (ks_utf8_columns(title) + 1 + ks_utf8_columns(advice) <= room)
		advice = ks_pen_cat(p, ks_pen_cat(p, title, KS_LIT(" ")), advice);
	ks_pen_wrap(p, &one, advice);
}

/* Whether a decision is refused for this reason: those are worth their lines first. */
static bool blocks_verdict(const struct ks_verdicts *vd, const struct ks_unmeasured *u)
{
	for (size_t i = 0; i < vd->n; i++)
		if (vd->row[i].refused != NULL &&
		    ks_str_eq(ks_refused_slug(vd->row[i].refused), u->slug))
			return true;
	return false;
}

/* The groups, those that block a decision before the others; returns how many those are. */
static size_t by_urgency(const struct ks_verdicts *vd, const struct ks_unmeasured **group)
{
	size_t n = 0, urgent;

	for (size_t i = 0; i < vd->n_unmeasured; i++)
		if (blocks_verdict(vd, &vd->unmeasured[i]))
			group[n++] = &vd->unmeasured[i];
	urgent = n;
	for (size_t i = 0; i < vd->n_unmeasured; i++)
		if (!blocks_verdict(vd, &vd->unmeasured[i]))
			group[n++] = &vd->unmeasured[i];
	return urgent;
}

/* Codes and counts alone. */
static void refusal_codes(struct ks_sheet *t, const struct ks_unmeasured *const *group, size_t n)
{
	struct ks_pen *p = &t->pen;
	ks_str list = KS_LIT("");
	const struct ks_wrap how = { .style = KS_STYLE_WARN, .at = 2, .hang = 2 };

	for (size_t i = 0; i < n; i++)
		list = ks_pen_cat(
			p, ks_pen_cat(p, list, i > 0 ? KS_LIT(", ") : KS_LIT("")),
			ks_pen_cat(p, group[i]->slug,
				   ks_arena_fmt(p->tmp, " %s", times(p, group[i]->count).p)));
	if (list.n == 0)
		return;
	ks_pen_spaces(p, 2);
	ks_pen_wrap(p, &how, list);
}

static struct code_cols code_widths(struct ks_sheet *t, const struct ks_unmeasured *const *group,
				    size_t n)
{
	struct code_cols w = { 0, 0 };

	for (size_t i = 0; i < n; i++) {
		size_t code = ks_utf8_columns(group[i]->slug);
		size_t count = ks_utf8_columns(times(&t->pen, group[i]->count));

		w.code = code > w.code ? code : w.code;
		w.times = count > w.times ? count : w.times;
	}
	return w;
}

/* With the way to the reasons where that takes no second line. */
static void not_measured(struct ks_sheet *t, const struct ks_verdicts *vd)
{
	struct ks_pen *p = &t->pen;
	const ks_str without = ks_pen_u64(p, vd->unmeasured_metrics),
		     with = ks_pen_u64(p, vd->measured_metrics);
	const ks_str why = KS_PEN_SAY(p, KS_TEXT_R_NOT_MEASURED_WHY, without, with);

	ks_text_heading(p, ks_utf8_columns(why) <= (size_t)t->v->term.cols
				   ? why
				   : KS_PEN_SAY(p, KS_TEXT_R_NOT_MEASURED, without, with));
}

static void refusals(struct ks_sheet *t, enum ks_text_level level)
{
	const struct ks_verdicts *vd = t->r->verdicts;
	struct ks_pen *p = &t->pen;

	if (vd == NULL || vd->n_unmeasured == 0)
		return;
	const struct ks_unmeasured **group =
		KS_ARENA_NEWS(p->tmp, const struct ks_unmeasured *, vd->n_unmeasured);

	if (group == NULL)
		return;
	ks_pen_nl(p);
	not_measured(t, vd);
	size_t urgent = by_urgency(vd, group);
	size_t lines = level == KS_TEXT_LEVEL_LINES && urgent < LINES_SHOWN ? LINES_SHOWN : urgent;

	if (full(t, level) || lines > vd->n_unmeasured)
		lines = vd->n_unmeasured;
	struct code_cols w = code_widths(t, group, lines);

	for (size_t i = 0; i < lines; i++) {
		if (full(t, level))
			refusal_full(t, group[i], &w);
		else
			refusal_line(t, group[i], &w, i < urgent ? 2 : 1);
	}
	refusal_codes(t, group + lines, vd->n_unmeasured - lines);
}

static bool grouped_above(const struct ks_verdicts *vd, enum ks_refusal code)
{
	for (size_t i = 0; i < vd->n_unmeasured; i++)
		if (vd->unmeasured[i].code == code)
			return true;
	return false;
}

/* Why the verdict was refused, in its own words; NULL when only the code is known. */
static const struct ks_refused *refused_of(const struct ks_verdicts *vd, const struct ks_next *next)
{
	for (size_t i = 0; i < vd->n; i++)
		if (vd->row[i].id == next->for_verdict && vd->row[i].refused != NULL)
			return vd->row[i].refused;
	return NULL;
}

struct step {
	ks_str text, command;
};

/* The id reads as English; in Chinese the decision's own name. */
static ks_str decision_name(const struct ks_pen *p, const struct ks_next *next)
{
	if (p->lang != KS_LANG_ZH || next->for_verdict == KS_VERDICT_NONE)
		return next->for_name;
	return ks_str_c(ks_verdict_info(next->for_verdict)->phrase[p->lang]);
}

/* A hint in its own words; a refusal as its code and remedy, unless it was listed just above. */
static struct step next_step_of(struct ks_sheet *t, const struct ks_next *next)
{
	const struct ks_verdicts *vd = t->r->verdicts;
	const struct ks_refusal_info *info = ks_refusal_info(next->code);
	const struct ks_refused *why = refused_of(vd, next);
	struct ks_pen *p = &t->pen;
	struct step s = { KS_LIT(""), KS_LIT("") };

	if (next->slug.n == 0) {
		/* a name to paste is not shortened; every detail is its own answer to the hint */
		if (next->hint.id != KS_TEXT_VD_NEXT_KERNEL_TIME)
			s.text = ks_pen_msg_short(p, &next->hint, 48);
		else if (!t->all)
			s.text = ks_pen_msg(p, &next->hint);
		return s;
	}
	if (next->for_verdict == KS_VERDICT_NONE)
		return s;
	if (grouped_above(vd, next->code)) {
		s.text = KS_PEN_SAY(p, KS_TEXT_R_NEXT_RESOLVE, decision_name(p, next), next->slug);
		return s;
	}
	s.text = KS_PEN_SAY(p, KS_TEXT_R_NEXT_DO, decision_name(p, next), next->slug,
			    why != NULL ? ks_pen_refused_action(p, why)
					: ks_str_c(info->action[p->lang]));
	s.command = why != NULL ? why->remedy.command
				: ks_store_command(t->r->ev, next->code, KS_STR_NONE);
	return s;
}

static void remark(struct ks_sheet *t, enum ks_text label, ks_str text, size_t lines)
{
	const struct ks_wrap how = { .at = ks_pen_label(&t->pen, 0, label),
				     .hang = 2,
				     .lines = lines };

	ks_pen_wrap(&t->pen, &how, text);
}

/* The most important step as a remark, where a list of them would cost the table its rows. */
static void next_step(struct ks_sheet *t)
{
	const struct ks_verdicts *vd = t->r->verdicts;

	for (size_t i = 0; vd != NULL && i < vd->n_next; i++) {
		struct step s = next_step_of(t, &vd->next[i]);

		if (s.text.n == 0)
			continue;
		remark(t, KS_TEXT_R_S_NEXT, s.text, 2);
		ks_pen_labelled(&t->pen, 2, KS_TEXT_R_COMMAND, s.command);
		return;
	}
}

static void next_steps(struct ks_sheet *t)
{
	const struct ks_verdicts *vd = t->r->verdicts;
	struct ks_pen *p = &t->pen;
	size_t most = t->all ? SIZE_MAX : NEXT_SHOWN, shown = 0;
	const struct ks_wrap how = { .at = 5, .hang = 5, .lines = t->all ? 0 : 3 };

	for (size_t i = 0; vd != NULL && i < vd->n_next && shown < most; i++) {
		struct step s = next_step_of(t, &vd->next[i]);

		if (s.text.n == 0)
			continue;
		if (shown++ == 0) {
			ks_pen_nl(p);
			ks_text_heading(p, KS_PEN_WORD(p, KS_TEXT_R_NEXT));
		}
		ks_pen_cell(p, KS_STYLE_DIM, ks_arena_fmt(p->tmp, "%zu.", shown), 4, true);
		ks_pen_spaces(p, 1);
		ks_pen_wrap(p, &how, s.text);
		ks_pen_labelled(p, 5, KS_TEXT_R_COMMAND, s.command);
	}
}

/* Profilers write paragraphs; here they are one. */
static ks_str diagnostic_text(struct ks_pen *p, const struct ks_diagnostic *d)
{
	ks_str text = ks_arena_dup(p->tmp, d->text);
	char *c = ks_arena_alloc(p->tmp, text.n);

	for (size_t i = 0; c != NULL && i < text.n; i++)
		c[i] = text.p[i] == '\n' || text.p[i] == '\r' ? ' ' : text.p[i];
	if (c != NULL)
		text.p = c;
	if (d->count < 2)
		return text;
	return ks_pen_cat(p, text, ks_arena_fmt(p->tmp, " (%s)", times(p, (size_t)d->count).p));
}

static size_t notes(struct ks_sheet *t, size_t most, enum ks_text_level level)
{
	const struct ks_report *r = t->r;
	size_t left_out = 0, lines = t->all ? 0 : 2, shown = 0;
	size_t said = t->all ? 0 : full(t, level) ? 2 : 1;

	for (size_t i = 0; i < r->n_notes; i++) {
		if (i < most)
			remark(t, KS_TEXT_R_NOTE, ks_pen_msg_short(&t->pen, &r->note[i], 48),
			       lines);
		else
			left_out++;
	}
	for (size_t i = 0; i < r->n_diagnostics; i++) {
		if (!t->all && r->diagnostic[i].severity < 2)
			continue;
		if (shown++ < most)
			remark(t, KS_TEXT_R_PROFILER, diagnostic_text(&t->pen, &r->diagnostic[i]),
			       said);
		else
			left_out++;
	}
	return left_out;
}

static ks_str rows_text(struct ks_pen *p, const struct ks_holding *h)
{
	return h->rows < 0 ? KS_LIT("?") : ks_pen_u64(p, (uint64_t)h->rows);
}

static bool unread(const struct ks_holding *h)
{
	return !h->analysed && h->rows != 0;
}

/* The unread table with the most rows not above `rows`; ties in the order of the input. */
static size_t next_holding(const struct ks_report *r, size_t after, int64_t rows)
{
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < r->n_holdings; i++) {
		const struct ks_holding *h = &r->holding[i];

		if (!unread(h) || h->rows > rows ||
		    (h->rows == rows && i <= after && after != SIZE_MAX))
			continue;
		if (best == SIZE_MAX || h->rows > r->holding[best].rows)
			best = i;
	}
	return best;
}

/* Names the tables nobody read, biggest first, as many as the lines hold; all of them with
 * --print-details all. */
static void holdings(struct ks_sheet *t, enum ks_text_level level)
{
	const struct ks_report *r = t->r;
	struct ks_pen *p = &t->pen;
	size_t n = 0, at = SIZE_MAX;
	int64_t rows = INT64_MAX;
	struct ks_buf b;

	ks_buf_init(&b, (size_t)1 << 20);
	for (size_t i = 0; i < r->n_holdings; i++)
		n += unread(&r->holding[i]);
	for (size_t i = 0; i < n && i < TABLES_MAX; i++) {
		at = next_holding(r, at, rows);
		if (at == SIZE_MAX)
			break;
		rows = r->holding[at].rows;
		ks_buf_cstr(&b, i > 0 ? ", " : "");
		ks_buf_str(&b, ks_pen_name(p, r->holding[at].table, 48, KS_LIT("")));
		ks_buf_fmt(&b, " %s", rows_text(p, &r->holding[at]).p);
	}
	if (n > 0)
		remark(t, KS_TEXT_R_NOT_READ,
		       KS_PEN_SAY(p, KS_TEXT_R_TABLES, ks_pen_u64(p, n), ks_buf_view(&b)),
		       t->all		? 0
		       : full(t, level) ? 2
					: 1);
	ks_buf_release(&b);
}

/* With every detail, the remarks may be missing altogether; nothing then needs a blank before it.
 */
static bool remarks_follow(const struct ks_report *r)
{
	for (size_t i = 0; i < r->n_holdings; i++)
		if (unread(&r->holding[i]))
			return true;
	return r->n_notes + r->n_diagnostics > 0;
}

void ks_text_tail(struct ks_sheet *t, enum ks_text_level level)
{
	struct ks_pen *p = &t->pen;
	size_t most = t->all ? SIZE_MAX : full(t, level) ? NOTES_SHOWN : 1, left_out;
	const struct ks_wrap how = { .style = KS_STYLE_DIM, .lines = 1 };

	refusals(t, level);
	if (full(t, level))
		next_steps(t);
	if (level != KS_TEXT_LEVEL_CODES && (!t->all || remarks_follow(t->r)))
		ks_pen_nl(p);
	if (!full(t, level))
		next_step(t);
	left_out = notes(t, most, level);
	holdings(t, level);
	if (left_out > 0)
		ks_pen_wrap(p, &how, KS_PEN_SAY(p, KS_TEXT_R_MORE_NOTES, ks_pen_u64(p, left_out)));
	if (!t->all && level == KS_TEXT_LEVEL_FULL)
		ks_pen_wrap(p, &how, KS_PEN_WORD(p, KS_TEXT_R_MORE));
}
