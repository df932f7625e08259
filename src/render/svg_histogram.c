/* SPDX-License-Identifier: Apache-2.0
 *
 * Durations of the launches of the kernels with most time, as one SVG: how many launches took how
 * long, and how long they took along the run. Both on the same logarithmic scale; counts are those
 * of the report's bins.
 */
#include "base/str.h"
#include "evidence/ratio.h"
#include "evidence/rest.h"
#include "render/svg_axis.h"

#define WIDTH	   1160
#define BLOCK	   196 /* of one kernel */
#define PLOT_TOP   50  /* in a block */
#define PLOT_H	   104
#define HIST_X	   28
#define HIST_W	   400
#define COURSE_X   520
#define COURSE_W   612
#define NAME_COLS  120
#define FACT_COLS  160
#define MARKS	   24
#define MARK_ROOM  54.0 /* px between labels below an axis */
#define MARK_ABOVE 13.0 /* px between labels beside one */
#define BAND	   "#bfdbfe"

struct page {
	struct ks_svg svg;
	const struct ks_report *r;
	const struct ks_timeline *t;
	double y;
};
struct scale { /* of durations, of one kernel */
	ks_ns from, to;
	struct ks_svg_mark mark[MARKS];
	size_t n_marks;
};

static ks_str mean(struct ks_pen *p, ks_ns sum, uint64_t n)
{
	return ks_pen_duration(p, (ks_ns)(ks_mean_ns(sum, n) + 0.5));
}

static void facts(struct page *c, const struct ks_duration_picture *d)
{
	struct ks_pen *p = &c->svg.pen;
	const ks_str part[] = {
		ks_svg_count(&c->svg, d->launches, KS_TEXT_R_LAUNCH, KS_TEXT_R_LAUNCHES),
		KS_PEN_SAY(p, KS_TEXT_R_DUR_RANGE, ks_pen_duration(p, d->min_ns),
			   ks_pen_duration(p, d->max_ns)),
		d->launches > 0 ? KS_PEN_SAY(p, KS_TEXT_R_SVG_MEAN, mean(p, d->sum_ns, d->launches))
				: KS_LIT(""),
		KS_PEN_SAY(p, KS_TEXT_R_DUR_MOST,
			   ks_svg_count(&c->svg, d->most, KS_TEXT_R_LAUNCH, KS_TEXT_R_LAUNCHES)),
	};

	ks_svg_group(&c->svg, d->kernel);
	KS_SVG_TEXT(&c->svg, ks_pen_name(p, d->kernel, NAME_COLS, KS_LIT("")), .x = HIST_X,
		    .y = c->y + 16, .size = 13, .fill = KS_SVG_INK, .mono = true, .bold = true);
	ks_xmlw_close(&c->svg.w);
	KS_SVG_TEXT(&c->svg, ks_svg_joined(&c->svg, part, KS_ARRAY_LEN(part), FACT_COLS),
		    .x = HIST_X, .y = c->y + 34, .size = 11, .fill = KS_SVG_MUTED);
}

/* Labels below the histogram, and light lines; those too near to the one before are left out. */
static void histogram_axis(struct page *c, const struct scale *s)
{
	const double top = c->y + PLOT_TOP;
	double free = HIST_X - MARK_ROOM;

	for (size_t i = 0; i < s->n_marks; i++) {
		const double x = HIST_X + HIST_W * s->mark[i].where;

		if (x < free + MARK_ROOM)
			continue;
		free = x;
		KS_SVG_BOX(&c->svg, x - 0.5, top, 1.0, PLOT_H + 4, 0.0, KS_SVG_FAINT);
		KS_SVG_TEXT(&c->svg, s->mark[i].label, .x = x, .y = top + PLOT_H + 17, .size = 11,
			    .fill = KS_SVG_MUTED, .middle = x > HIST_X + 20);
	}
}

static void histogram(struct page *c, const struct ks_duration_picture *d, const struct scale *s)
{
	struct ks_pen *p = &c->svg.pen;
	const double bottom = c->y + PLOT_TOP + PLOT_H;

	for (size_t i = 0; i < d->n_by_duration; i++) {
		const struct ks_bin *b = &d->by_duration[i];
		const double left = HIST_X + HIST_W * ks_svg_log_place(s->from, s->to, b->from_ns);
		const double right = HIST_X + HIST_W * ks_svg_log_place(s->from, s->to, b->to_ns);
		double h = d->most > 0 ? PLOT_H * (double)b->n / (double)d->most : 0.0;

		if (b->n == 0)
			continue;
		h = h < 1.5 ? 1.5 : h;
		ks_svg_group(&c->svg,
			     KS_PEN_SAY(p, KS_TEXT_R_DUR_BIN, ks_pen_u64(p, b->n),
					ks_pen_i64(p, b->from_ns), ks_pen_i64(p, b->to_ns - 1)));
		KS_SVG_BOX(&c->svg, left, bottom - h, right - left > 2.5 ? right - left - 0.5 : 2.0,
			   h, 0.0, KS_SVG_BLUE);
		ks_xmlw_close(&c->svg.w);
	}
	KS_SVG_BOX(&c->svg, HIST_X, bottom, HIST_W, 1.0, 0.0, KS_SVG_SLATE);
}

static double height_at(const struct page *c, const struct scale *s, ks_ns duration)
{
	return c->y + PLOT_TOP + PLOT_H * (1.0 - ks_svg_log_place(s->from, s->to, duration));
}

/* Labels beside the course, lines behind it. */
static void course_axis(struct page *c, const struct scale *s)
{
	double free = c->y + PLOT_TOP + PLOT_H + 2 * MARK_ABOVE;

	for (size_t i = 0; i < s->n_marks; i++) {
		const double y = height_at(c, s, s->mark[i].at);

		if (y > free - MARK_ABOVE)
			continue;
		free = y;
		KS_SVG_BOX(&c->svg, COURSE_X, y - 0.5, COURSE_W, 1.0, 0.0, KS_SVG_FAINT);
		KS_SVG_TEXT(&c->svg, s->mark[i].label, .x = COURSE_X - 6, .y = y + 4, .size = 11,
			    .fill = KS_SVG_MUTED, .right = true);
	}
}

static void course_bin(struct page *c, const struct ks_bin *b, const struct scale *s,
		       const struct ks_svg_axis *axis)
{
	struct ks_pen *p = &c->svg.pen;
	const double px = axis->width / (double)(axis->to - axis->from);
	const double x = axis->x + (double)(b->from_ns - axis->from) * px;
	const double w = (double)(b->to_ns - b->from_ns) * px;
	const double middle = height_at(c, s, (ks_ns)(ks_mean_ns(b->sum_ns, b->n) + 0.5));
	const double top = height_at(c, s, b->max_ns), bottom = height_at(c, s, b->min_ns);

	ks_svg_group(&c->svg, KS_PEN_SAY(p, KS_TEXT_R_DUR_COURSE, ks_pen_u64(p, b->n),
					 ks_pen_i64(p, b->from_ns), ks_pen_duration(p, b->min_ns),
					 mean(p, b->sum_ns, b->n), ks_pen_duration(p, b->max_ns)));
	KS_SVG_BOX(&c->svg, x, top - 1.0, w < 1.0 ? 1.0 : w, bottom - top + 2.0, 0.0, BAND);
	KS_SVG_BOX(&c->svg, x, middle - 1.0, w < 1.0 ? 1.0 : w, 2.0, 0.0, KS_SVG_BLUE);
	ks_xmlw_close(&c->svg.w);
}

static void course(struct page *c, const struct ks_duration_picture *d, const struct scale *s)
{
	const struct ks_svg_axis axis = {
		.x = COURSE_X,
		.width = COURSE_W,
		.top = c->y + PLOT_TOP,
		.bottom = c->y + PLOT_TOP + PLOT_H,
		.from = d->by_time[0].from_ns,
		.to = d->by_time[d->n_by_time - 1].to_ns,
	};

	course_axis(c, s);
	for (size_t i = 0; i < d->n_by_time; i++)
		if (d->by_time[i].n > 0)
			course_bin(c, &d->by_time[i], s, &axis);
	KS_SVG_BOX(&c->svg, axis.x, axis.bottom, axis.width, 1.0, 0.0, KS_SVG_SLATE);
	ks_svg_time_labels(&c->svg, &axis, axis.bottom + 17);
}

/* From the first bin to the last, and at least a twentieth of the duration: a kernel that hardly
 * varies shall look like one. */
static void make_scale(struct page *c, const struct ks_duration_picture *d, struct scale *s)
{
	s->from = d->by_duration[0].from_ns;
	s->to = d->by_duration[d->n_by_duration - 1].to_ns;
	const ks_ns least = s->from / 20 + 2, more = (least - (s->to - s->from)) / 2;

	if (more > 0 && s->from > more) {
		s->from -= more;
		s->to += more;
	}
	s->n_marks = ks_svg_log_marks(&c->svg, s->from, s->to, s->mark, MARKS);
}

static void block(struct page *c, const struct ks_duration_picture *d)
{
	struct scale s = { 0 };

	if (d->n_by_duration == 0 || d->n_by_time == 0)
		return;
	make_scale(c, d, &s);
	facts(c, d);
	histogram_axis(c, &s);
	histogram(c, d, &s);
	course(c, d, &s);
	c->y += BLOCK;
}

static void head(struct page *c)
{
	const struct ks_report *r = c->r;
	struct ks_pen *p = &c->svg.pen;
	const ks_str title[] = {
		KS_PEN_WORD(p, KS_TEXT_R_DUR_TITLE),
		c->t->window.on ? ks_pen_name(p, c->t->window.text, 60, KS_LIT("")) : KS_LIT(""),
	};
	const ks_str first[] = {
		ks_svg_device(&c->svg, r),
		KS_PEN_SAY(p, KS_TEXT_R_SPAN, ks_pen_duration(p, r->span_ns)),
		KS_PEN_SAY(p, KS_TEXT_R_KERNEL_TIME, ks_pen_duration(p, r->kernel_ns)),
		ks_pen_name(p, r->input_path, 64, KS_LIT("")),
		r->producer,
	};

	KS_SVG_TEXT(&c->svg, ks_svg_joined(&c->svg, title, KS_ARRAY_LEN(title), 100), .x = HIST_X,
		    .y = c->y, .size = 17, .fill = KS_SVG_INK, .bold = true);
	c->y += 22;
	KS_SVG_TEXT(&c->svg, ks_svg_joined(&c->svg, first, KS_ARRAY_LEN(first), FACT_COLS),
		    .x = HIST_X, .y = c->y, .size = 13, .fill = KS_SVG_MUTED);
	if (r->synthetic) {
		c->y += 20;
		KS_SVG_TEXT(&c->svg, KS_PEN_WORD(p, KS_TEXT_R_SYNTHETIC), .x = HIST_X, .y = c->y,
			    .size = 13, .fill = KS_SVG_AMBER, .bold = true);
	}
	c->y += 28;
	if (c->t->n_durations == 0) {
		KS_SVG_TEXT(&c->svg, KS_PEN_WORD(p, KS_TEXT_R_SVG_NONE), .x = HIST_X, .y = c->y,
			    .size = 14, .fill = KS_SVG_MUTED);
		c->y += 24;
		return;
	}
	KS_SVG_TEXT(&c->svg, KS_PEN_WORD(p, KS_TEXT_R_DUR_COL_HIST), .x = HIST_X, .y = c->y,
		    .size = 11, .fill = KS_SVG_MUTED);
	KS_SVG_TEXT(&c->svg, KS_PEN_WORD(p, KS_TEXT_R_DUR_COL_TIME), .x = COURSE_X, .y = c->y,
		    .size = 11, .fill = KS_SVG_MUTED);
	c->y += 10;
}

static void foot(struct page *c)
{
	struct ks_pen *p = &c->svg.pen;
	const size_t all = ks_report_kernels(c->r);
	const uint64_t cut = c->t->window.on ? c->t->window.cut_launches : 0;
	const ks_str part[] = {
		all > c->t->n_durations
			? KS_PEN_SAY(p, KS_TEXT_R_DUR_MORE, ks_pen_u64(p, all - c->t->n_durations))
			: KS_LIT(""),
		cut > 0 ? KS_PEN_SAY(p, KS_TEXT_R_DUR_CUT, ks_pen_u64(p, cut)) : KS_LIT(""),
	};

	KS_SVG_TEXT(&c->svg, ks_svg_joined(&c->svg, part, KS_ARRAY_LEN(part), FACT_COLS),
		    .x = HIST_X, .y = c->y, .size = 11, .fill = KS_SVG_INK);
	KS_SVG_TEXT(&c->svg, ks_svg_signature(&c->svg, KS_PEN_WORD(p, KS_TEXT_R_DUR_EXACT)),
		    .x = HIST_X, .y = c->y + 17, .size = 11, .fill = KS_SVG_MUTED);
}

static void draw(struct page *c)
{
	struct ks_pen *p = &c->svg.pen;
	const size_t n = c->t->n_durations;
	const int heads = KS_SVG_MARGIN + 14 + 22 + 28 + (c->r->synthetic ? 20 : 0);

	ks_svg_document(&c->svg, WIDTH, heads + (n > 0 ? 10 + BLOCK * (int)n : 24) + 17 + 24,
			KS_PEN_WORD(p, KS_TEXT_R_DUR_TITLE),
			KS_PEN_SAY(p, KS_TEXT_R_DUR_DESC, ks_pen_u64(p, n)));
	c->y = KS_SVG_MARGIN + 14;
	head(c);
	for (size_t i = 0; i < n; i++)
		block(c, &c->t->duration[i]);
	foot(c);
	ks_xmlw_close(&c->svg.w);
}

static enum ks_status render(const struct ks_ctx *ctx, const struct ks_report *r,
			     const struct ks_view *v, struct ks_out *out, struct ks_err *err)
{
	struct page c = { .r = r, .t = r->timeline };

	(void)ctx;
	if (r->timeline == NULL || (r->timeline->duration == NULL && ks_report_kernels(r) > 0))
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_RENDER_DURATIONS, NULL);
	ks_svg_begin(&c.svg, v, out);
	draw(&c);
	ks_out_ch(out, '\n');
	return ks_svg_done(&c.svg, err);
}

const struct ks_render_ops ks_render_histogram = {
	.format = KS_FORMAT_HISTOGRAM,
	.render = render,
};
