/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a timeline picture. Every bar says on hover what it is; what is narrower than a pixel is
 * a column as high as the share of its time that is covered.
 */
#include "render/svg_tracks.h"

#include "base/str.h"
#include "base/utf8.h"

#define HEAD_H	   24
#define GROUP_GAP  6
#define ROW_GAP	   3
#define LABEL_COLS 28	/* 11 px font, 6.5 px a column, before the plot */
#define HEAD_COLS  150	/* above the plot */
#define BAR_COL	   6.4	/* px a column of the 10 px font inside bars */
#define TEXT_MIN   44.0 /* px of a bar that holds text */
#define SEEN_MIN   0.8	/* px: what is drawn can be seen */
#define LOW_MIN	   0.14 /* of a column's height, likewise */

static double level_height(enum ks_lane_kind kind)
{
	static const double of[] = {
		[KS_LANE_STREAM] = 18, [KS_LANE_COPY] = 12, [KS_LANE_SYNC] = 10,
		[KS_LANE_NVTX] = 15,   [KS_LANE_API] = 13,  [KS_LANE_MEMORY] = 28,
	};

	return (unsigned)kind < KS_ARRAY_LEN(of) ? of[kind] : 12;
}

static double row_height(const struct ks_tracks *t, size_t i)
{
	return level_height(t->p->row[i].kind) * t->p->row_depth[i];
}

double ks_tracks_place(struct ks_tracks *t, double top)
{
	const size_t n = t->p->n_rows;

	t->top = t->bottom = top;
	t->row_y = KS_ARENA_NEWS(t->svg->pen.tmp, double, n);
	t->heads = KS_ARENA_NEWS(t->svg->pen.tmp, bool, n);
	if (t->row_y == NULL || t->heads == NULL)
		return top;
	for (size_t i = 0; i < n; i++) {
		const struct ks_lane *l = &t->p->row[i];

		t->heads[i] = i == 0 || l->gpu != l[-1].gpu || l->pid != l[-1].pid;
		if (t->heads[i])
			top += HEAD_H + (i > 0 ? GROUP_GAP : 0);
		t->row_y[i] = top;
		top += row_height(t, i) + ROW_GAP;
	}
	t->bottom = top;
	return top;
}

/* Lanes of a device are named after the device; whose they are stands in the report. */
static ks_str process_name(const struct ks_tracks *t, const struct ks_lane *l)
{
	for (size_t i = 0; i < t->r->n_processes; i++)
		if (t->r->process[i].pid == l->pid && t->r->process[i].name.n > 0)
			return t->r->process[i].name;
	return l->gpu < t->r->n_gpus ? KS_LIT("") : l->process_name;
}

static ks_str process(struct ks_tracks *t, const struct ks_lane *l)
{
	struct ks_pen *p = &t->svg->pen;
	const ks_str name = ks_pen_name(p, process_name(t, l), 50, KS_LIT(""));

	if (l->pid == KS_UNKNOWN)
		return name;
	if (name.n == 0)
		return KS_PEN_SAY(p, KS_TEXT_R_TL_PROCESS, ks_pen_i64(p, l->pid));
	return KS_PEN_SAY(p, KS_TEXT_R_TL_PROCESS_NAMED, name, ks_pen_i64(p, l->pid));
}

static ks_str group_name(struct ks_tracks *t, const struct ks_lane *l)
{
	struct ks_pen *p = &t->svg->pen;

	if (l->gpu >= t->r->n_gpus)
		return KS_PEN_SAY(p, KS_TEXT_R_TL_HOST, process(t, l));
	const struct ks_gpu *g = &t->r->gpu[l->gpu];
	ks_str label = g->label == KS_UNKNOWN ? KS_PEN_WORD(p, KS_TEXT_R_DEVICE_UNKNOWN)
					      : ks_pen_i64(p, g->label);
	const ks_str part[] = {
		g->label == KS_UNKNOWN ? label
		: g->name.n > 0	       ? KS_PEN_SAY(p, KS_TEXT_R_DEVICE_N, label,
						    ks_pen_name(p, g->name, 40, KS_LIT("")))
				       : KS_PEN_SAY(p, KS_TEXT_R_DEVICE_BARE, label),
		process(t, l),
	};

	return ks_svg_joined(t->svg, part, KS_ARRAY_LEN(part), HEAD_COLS);
}

/* Whole, or its beginning and a mark. */
static ks_str cut_to(struct ks_tracks *t, ks_str s, size_t cols)
{
	if (ks_utf8_columns(s) <= cols)
		return s;
	return ks_pen_cat(&t->svg->pen, (ks_str){ s.p, ks_utf8_prefix_columns(s, cols - 1) },
			  KS_LIT("\xe2\x80\xa6"));
}

/* What the full height of a row of memory stands for. */
static ks_str full_height(struct ks_tracks *t, size_t row)
{
	int64_t most = 0;

	for (size_t i = 0; t->p->row[row].kind == KS_LANE_MEMORY && i < t->p->n_bars; i++)
		if (t->p->bar[i].row == row && t->p->bar[i].bytes > most)
			most = t->p->bar[i].bytes;
	return most > 0 ? KS_PEN_SAY(&t->svg->pen, KS_TEXT_R_TL_FULL,
				     ks_pen_bytes(&t->svg->pen, (uint64_t)most))
			: KS_LIT("");
}

static void row_label(struct ks_tracks *t, size_t i)
{
	const struct ks_lane *l = &t->p->row[i];
	const ks_str full = full_height(t, i);
	const double y = t->row_y[i] + (level_height(l->kind) + 8) / 2;

	ks_svg_group(t->svg, l->name);
	KS_SVG_TEXT(t->svg, cut_to(t, l->name, LABEL_COLS), .x = KS_SVG_MARGIN,
		    .y = full.n > 0 ? y - 6 : y, .size = 11, .fill = KS_SVG_MUTED);
	if (full.n > 0)
		KS_SVG_TEXT(t->svg, full, .x = KS_SVG_MARGIN, .y = y + 7, .size = 10,
			    .fill = KS_SVG_MUTED);
	ks_xmlw_close(&t->svg->w);
}

static void labels(struct ks_tracks *t)
{
	for (size_t i = 0; i < t->p->n_rows; i++) {
		const struct ks_lane *l = &t->p->row[i];
		const double y = t->row_y[i];

		if (t->heads[i])
			KS_SVG_TEXT(t->svg, group_name(t, l), .x = KS_SVG_MARGIN, .y = y - 6,
				    .size = 12, .fill = KS_SVG_INK, .bold = true);
		row_label(t, i);
	}
}

/* Rows of a device, from its first to its last: gaps are drawn over all of them. */
static bool rows_of(const struct ks_tracks *t, size_t gpu, double *top, double *bottom)
{
	bool any = false;

	for (size_t i = 0; i < t->p->n_rows; i++) {
		if (t->p->row[i].gpu != gpu)
			continue;
		if (!any)
			*top = t->row_y[i];
		any = true;
		*bottom = t->row_y[i] + row_height(t, i);
	}
	return any;
}

static void gap(struct ks_tracks *t, const struct ks_gap *g)
{
	struct ks_pen *p = &t->svg->pen;
	const ks_ns from = g->start_ns > t->p->from_ns ? g->start_ns : t->p->from_ns;
	const ks_ns to = g->end_ns < t->p->to_ns ? g->end_ns : t->p->to_ns;
	const double px = t->width / (double)(t->p->to_ns - t->p->from_ns);
	double top = 0, bottom = 0;

	if (to <= from || (double)(to - from) * px < 1.0 || !rows_of(t, g->gpu, &top, &bottom))
		return;
	ks_svg_group(t->svg,
		     KS_PEN_SAY(p, KS_TEXT_R_TL_GAP, ks_pen_duration(p, g->end_ns - g->start_ns),
				ks_pen_i64(p, g->start_ns),
				g->before.n > 0 ? g->before : KS_PEN_WORD(p, KS_TEXT_R_TL_EDGE),
				g->after.n > 0 ? g->after : KS_PEN_WORD(p, KS_TEXT_R_TL_EDGE)));
	KS_SVG_BOX(t->svg, KS_TRACKS_X + (double)(from - t->p->from_ns) * px, top - 2,
		   (double)(to - from) * px, bottom - top + 4, 0, "#fdf0dc");
	ks_xmlw_close(&t->svg->w);
}

void ks_tracks_back(struct ks_tracks *t)
{
	const struct ks_timeline *all = t->r->timeline;

	if (t->row_y == NULL)
		return;
	for (size_t i = 0; i < t->p->n_rows; i++)
		KS_SVG_BOX(t->svg, KS_TRACKS_X, t->row_y[i], t->width, row_height(t, i), 0,
			   "#f6f8fa");
	for (size_t i = 0; i < all->n_gaps; i++)
		gap(t, &all->gap[i]);
}

static ks_str size_of(struct ks_tracks *t, const struct ks_bar *b)
{
	if (b->bytes < 0)
		return KS_LIT("");
	return ks_pen_cat(&t->svg->pen, KS_LIT(", "),
			  ks_pen_bytes(&t->svg->pen, (uint64_t)b->bytes));
}

static ks_str hover(struct ks_tracks *t, const struct ks_bar *b)
{
	struct ks_pen *p = &t->svg->pen;
	const ks_str name = { b->name.p, ks_utf8_prefix(b->name, KS_SVG_NAME_MAX / 2) };
	ks_str what;

	if (b->slices > 1)
		what = KS_PEN_SAY(p, KS_TEXT_R_TL_BIN, ks_pen_u64(p, b->slices),
				  ks_pen_i64(p, b->start_ns), ks_pen_i64(p, b->end_ns), name);
	else
		what = KS_PEN_SAY(p, KS_TEXT_R_TL_BAR, name,
				  ks_pen_duration(p, b->end_ns - b->start_ns),
				  ks_pen_i64(p, b->start_ns));
	return ks_pen_cat(p, what, size_of(t, b));
}

static void bar_text(struct ks_tracks *t, const struct ks_bar *b, double x, double w)
{
	const struct ks_lane *l = &t->p->row[b->row];
	const double h = level_height(l->kind);
	ks_str s;

	if (w < TEXT_MIN || h < 12 || l->kind == KS_LANE_MEMORY)
		return;
	const size_t cols = (size_t)((w - 8) / BAR_COL);

	s = l->kind == KS_LANE_STREAM ? ks_pen_name(&t->svg->pen, b->name, cols, KS_LIT(""))
				      : cut_to(t, b->name, cols);
	KS_SVG_TEXT(t->svg, s, .x = x + 4, .y = t->row_y[b->row] + b->depth * h + (h + 7) / 2,
		    .size = h < 14 ? 9 : 10,
		    .fill = ks_svg_colour_of(t->keys, l->kind, b->name, b->comm)->ink);
}

/* A column as high as what it holds, standing on the bottom of its level. */
static double height_of(const struct ks_bar *b, enum ks_lane_kind kind)
{
	const double full = level_height(kind) - 1;
	const double least = kind == KS_LANE_MEMORY ? 0.0 : LOW_MIN;

	return full * (b->fill < least ? least : b->fill > 1.0 ? 1.0 : b->fill);
}

static void bar(struct ks_tracks *t, const struct ks_bar *b)
{
	const enum ks_lane_kind kind = t->p->row[b->row].kind;
	const struct ks_svg_colour *c = ks_svg_colour_of(t->keys, kind, b->name, b->comm);
	const double bottom = t->row_y[b->row] + (b->depth + 1) * level_height(kind) - 1;
	const double x = KS_TRACKS_X + b->x * t->width, h = height_of(b, kind);
	double w = b->width * t->width;
	struct ks_xmlw *out = &t->svg->w;

	/* neighbours stay apart where there is room for a line between them */
	w = w > 3.0 && c->edge[0] == '\0' && kind != KS_LANE_MEMORY ? w - 0.5 : w;
	ks_svg_group(t->svg, hover(t, b));
	ks_xmlw_open(out, "rect");
	ks_xmlw_attr_fmt(out, "x", "%.2f", x);
	ks_xmlw_attr_fmt(out, "y", "%.1f", bottom - h);
	ks_xmlw_attr_fmt(out, "width", "%.2f", w < SEEN_MIN ? SEEN_MIN : w);
	ks_xmlw_attr_fmt(out, "height", "%.1f", h);
	ks_xmlw_attr_c(out, "fill", c->edge[0] != '\0' && w < 3.0 ? c->edge : c->fill);
	if (c->edge[0] != '\0' && w >= 3.0) {
		ks_xmlw_attr_c(out, "stroke", c->edge);
		ks_xmlw_attr_c(out, "stroke-width", "0.6");
	}
	ks_xmlw_close(out);
	bar_text(t, b, x, w);
	ks_xmlw_close(out);
}

void ks_tracks_front(struct ks_tracks *t)
{
	struct ks_arena scratch, *kept = t->svg->pen.tmp;

	if (t->row_y == NULL || t->heads == NULL)
		return;
	ks_arena_init(&scratch, (size_t)64 << 20);
	t->svg->pen.tmp = &scratch;
	labels(t);
	for (size_t i = 0; i < t->p->n_bars; i++) {
		bar(t, &t->p->bar[i]);
		kept->failed |= ks_arena_failed(&scratch);
		ks_arena_reset(&scratch);
	}
	t->svg->pen.tmp = kept;
	ks_arena_release(&scratch);
}
