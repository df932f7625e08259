/* SPDX-License-Identifier: Apache-2.0
 *
 * The block about time, below the table of kernels: window, steps, phases, idle time, copies,
 * communication, graphs, calls. One line each, only of what the trace has; the most asked for
 * first, so that a small screen loses the rest.
 */
#include "render/text_timeline.h"

#include "base/str.h"
#include "base/utf8.h"
#include "evidence/value.h"

#define LABEL_COLS 10
#define INDENT	   2
#define NARROW	   72

/* Lines and phases by density. */
static const struct {
	size_t lines, phases, gaps, copies, devices;
} plan[] = {
	[KS_TEXT_LEVEL_CODES] = { 4, 0, 0, 1, 1 },
	[KS_TEXT_LEVEL_LINES] = { 7, 3, 1, 1, 2 },
	[KS_TEXT_LEVEL_FULL] = { SIZE_MAX, 8, 3, 4, 4 },
};

void ks_say_add(struct ks_say *s, ks_str text)
{
	if (text.n > 0 && s->n < KS_SAY_SEGMENTS)
		s->seg[s->n++] = text;
}

static void write_whole(struct ks_say *s)
{
	struct ks_pen *p = &s->t->pen;
	const struct ks_wrap how = { .at = INDENT + LABEL_COLS, .hang = INDENT + LABEL_COLS };
	ks_str line = s->seg[0];

	for (size_t i = 1; i < s->n; i++)
		line = ks_pen_cat(p, ks_pen_cat(p, line, ks_str_c(ks_pen_dot(p))), s->seg[i]);
	ks_pen_wrap(p, &how, line);
}

void ks_say_line(struct ks_say *s, ks_str label)
{
	struct ks_pen *p = &s->t->pen;

	if (s->n > 0 && s->left > 0) {
		s->left--;
		ks_pen_spaces(p, INDENT);
		ks_pen_cell(p, KS_STYLE_DIM, label, LABEL_COLS, false);
		if (s->t->all)
			write_whole(s);
		else
			ks_text_segments_at(p, INDENT + LABEL_COLS, s->seg, s->n);
	}
	s->n = 0;
}

static bool has_number(const struct ks_ev *row)
{
	return row != NULL && row->prov != KS_PROV_UNAVAILABLE && ks_value_is_number(&row->value);
}

ks_str ks_text_row_time(struct ks_pen *p, const struct ks_ev *row)
{
	if (!has_number(row))
		return KS_LIT("");
	return ks_pen_duration(p, (ks_ns)(ks_value_real(&row->value) * KS_NS_PER_MS + 0.5));
}

ks_str ks_text_row_pct(struct ks_pen *p, const struct ks_ev *row)
{
	return has_number(row) ? ks_pen_fixed(p, ks_value_real(&row->value), 1) : KS_LIT("");
}

ks_str ks_text_times(struct ks_pen *p, uint64_t n, enum ks_text one, enum ks_text many)
{
	return KS_PEN_SAY(p, n == 1 ? one : many, ks_pen_u64(p, n));
}

/* The edges as --within takes them, so that they can be pasted. */
static void window_line(struct ks_say *s)
{
	const struct ks_window_facts *w = &s->time->window;
	struct ks_pen *p = &s->t->pen;

	if (!w->on)
		return;
	ks_say_add(s, ks_pen_name(p, w->text, 40, KS_LIT("")));
	ks_say_add(s, KS_PEN_WORD(p, KS_TEXT_R_T_CLIPPED));
	ks_say_add(s, ks_pen_duration(p, w->to_ns - w->from_ns));
	if (w->cut_launches > 0)
		ks_say_add(s,
			   ks_text_times(p, w->cut_launches, KS_TEXT_R_T_CUT_ONE, KS_TEXT_R_T_CUT));
	ks_say_add(s, ks_arena_fmt(p->tmp, "%lldns..%lldns", (long long)w->from_ns,
				   (long long)w->to_ns));
	ks_say_line(s, KS_PEN_WORD(p, KS_TEXT_R_T_WINDOW));
}

/* Whether there is anything to say at all. */
static bool has_time(const struct ks_report *r)
{
	const struct ks_timeline *t = r->timeline;

	return t->window.on || t->ranges + t->open_ranges > 0 ||
	       (t->device != NULL && r->n_gpus_used > 0) ||
	       t->n_copy_kinds + t->n_comm_calls + t->n_api > 0 ||
	       t->graphs.launch_calls + t->graphs.runs + t->graphs.node_launches > 0;
}

void ks_text_timeline(struct ks_sheet *t, enum ks_text_level level)
{
	struct ks_say s = { .t = t, .time = t->r->timeline, .left = plan[level].lines };
	const bool small = level == KS_TEXT_LEVEL_CODES;
	struct ks_pen *p = &t->pen;

	if (s.time == NULL || !has_time(t->r))
		return;
	if (small && t->v->term.cols < NARROW) /* everything around takes more lines */
		s.left--;
	ks_pen_nl(p);
	if (!small)
		ks_text_heading(p, KS_PEN_WORD(p, KS_TEXT_R_T_HEADING));
	window_line(&s);
	ks_text_steps(&s);
	ks_text_nvtx(&s);
	ks_text_devices_time(&s, t->all ? SIZE_MAX : plan[level].devices);
	ks_text_communication(&s);
	ks_text_copies(&s, t->all ? SIZE_MAX : plan[level].copies);
	ks_text_gaps(&s, t->all ? SIZE_MAX : plan[level].gaps);
	ks_text_graphs(&s);
	ks_text_calls(&s);
	if (plan[level].phases > 0)
		ks_text_phases(&s, plan[level].phases);
}
