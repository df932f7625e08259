/* SPDX-License-Identifier: Apache-2.0
 *
 * Theoretical occupancy of one kernel as one SVG: three charts, each against one resource of the
 * launch, with the launch and the nearest step up marked. Draws the points of the report.
 */
#include "base/str.h"
#include "evidence/rest.h"
#include "render/svg_pen.h"

#define WIDTH	   1160
#define CHART_STEP 376 /* from one chart to the next */
#define PLOT_LEFT  38  /* in a chart */
#define PLOT_W	   310
#define PLOT_H	   200
#define CHART_H	   (18 + PLOT_H + 24 + 44)
#define NAME_COLS  120
#define FACT_COLS  165
#define MARKS	   5 /* labels of an axis at most, besides 0 */
#define BAND	   "#bfdbfe"

struct page {
	struct ks_svg svg;
	const struct ks_report *r;
	const struct ks_occ_picture *p;
	double y;
};
struct chart {
	enum ks_occ_axis axis;
	const struct ks_occ_curve *curve;
	double x, top; /* of the plot */
	int64_t last;  /* value at its right edge */
};

static double across(const struct chart *h, int64_t value)
{
	return h->x + PLOT_W * (double)value / (double)h->last;
}

static double up(const struct chart *h, double pct)
{
	return h->top + PLOT_H * (1.0 - (pct < 100.0 ? pct : 100.0) / 100.0);
}

static ks_str what(struct page *c, const struct ks_occ_point *p)
{
	struct ks_pen *pen = &c->svg.pen;

	return KS_PEN_SAY(pen, KS_TEXT_R_OCC_AT, ks_pen_real(pen, p->pct),
			  ks_pen_i64(pen, p->blocks), ks_pen_i64(pen, p->warps), p->limiter);
}

static bool same(const struct ks_occ_point *a, const struct ks_occ_point *b)
{
	return a->blocks == b->blocks && a->warps == b->warps && ks_str_eq(a->limiter, b->limiter);
}

/* Neighbours with one answer are one bar, from the value before them to the last of them. */
static void bars(struct page *c, const struct chart *h)
{
	struct ks_pen *pen = &c->svg.pen;
	const struct ks_occ_point *point = h->curve->point;
	int64_t before = 0;

	for (size_t i = 0, last = 0; i < h->curve->n; i = last + 1) {
		for (last = i; last + 1 < h->curve->n && same(&point[i], &point[last + 1]);)
			last++;
		const double left = across(h, before), right = across(h, point[last].value);
		const double y = up(h, point[i].pct), w = right - left > 1.0 ? right - left : 1.0;

		before = point[last].value;
		ks_svg_group(&c->svg,
			     KS_PEN_SAY(pen, KS_TEXT_R_OCC_RANGE, ks_pen_i64(pen, point[i].value),
					ks_pen_i64(pen, point[last].value), what(c, &point[i])));
		KS_SVG_BOX(&c->svg, left, y, w, h->top + PLOT_H - y, 0.0, BAND);
		KS_SVG_BOX(&c->svg, left, y - 1.0, w, 2.0, 0.0, KS_SVG_BLUE);
		ks_xmlw_close(&c->svg.w);
	}
}

static void grid(struct page *c, const struct chart *h)
{
	for (int pct = 0; pct <= 100; pct += 25) {
		const double y = up(h, pct);

		KS_SVG_BOX(&c->svg, h->x, y - 0.5, PLOT_W, 1.0, 0.0, KS_SVG_FAINT);
		KS_SVG_TEXT(&c->svg, ks_arena_fmt(c->svg.pen.tmp, "%d %%", pct), .x = h->x - 6,
			    .y = y + 4, .size = 11, .fill = KS_SVG_MUTED, .right = true);
	}
}

static ks_str axis_label(struct page *c, enum ks_occ_axis axis, int64_t v)
{
	struct ks_pen *pen = &c->svg.pen;

	if (axis != KS_OCC_AXIS_SMEM || v == 0)
		return ks_pen_i64(pen, v);
	return v % 1024 == 0 ? ks_arena_fmt(pen->tmp, "%lld KiB", (long long)(v / 1024))
			     : ks_arena_fmt(pen->tmp, "%lld B", (long long)v);
}

static void axis_labels(struct page *c, const struct chart *h)
{
	int64_t by = 1;

	while (h->last / by > MARKS)
		by *= 2;
	for (int64_t v = 0; v <= h->last; v += by) {
		const double x = across(h, v);

		KS_SVG_BOX(&c->svg, x - 0.5, h->top + PLOT_H, 1.0, 4.0, 0.0, KS_SVG_SLATE);
		KS_SVG_TEXT(&c->svg, axis_label(c, h->axis, v), .x = x, .y = h->top + PLOT_H + 17,
			    .size = 11, .fill = KS_SVG_MUTED, .middle = true);
	}
	KS_SVG_BOX(&c->svg, h->x, h->top + PLOT_H, PLOT_W, 1.0, 0.0, KS_SVG_SLATE);
}

static void mark(struct page *c, const struct chart *h, size_t i, const char *fill)
{
	const struct ks_occ_point *p = &h->curve->point[i];
	const double x = across(h, p->value), y = up(h, p->pct);

	ks_svg_group(&c->svg,
		     KS_PEN_SAY(&c->svg.pen, KS_TEXT_R_OCC_RANGE, ks_pen_i64(&c->svg.pen, p->value),
				ks_pen_i64(&c->svg.pen, p->value), what(c, p)));
	KS_SVG_BOX(&c->svg, x - 1.0, y, 2.0, h->top + PLOT_H - y, 0.0, fill);
	KS_SVG_BOX(&c->svg, x - 4.0, y - 4.0, 8.0, 8.0, 4.0, fill);
	ks_xmlw_close(&c->svg.w);
}

/* Said once, below both charts: neither has a step of its own. */
static ks_str both_text(struct page *c, const struct chart *h)
{
	struct ks_pen *pen = &c->svg.pen;

	if (h->axis == KS_OCC_AXIS_SMEM)
		return KS_LIT("");
	return KS_PEN_SAY(pen, KS_TEXT_R_OCC_STEP_BOTH, ks_pen_i64(pen, c->p->both_regs),
			  ks_pen_i64(pen, c->p->both_smem), ks_pen_real(pen, c->p->both_pct));
}

static ks_str step_text(struct page *c, const struct chart *h)
{
	static const enum ks_text text[KS_OCC_AXIS_COUNT] = {
		[KS_OCC_AXIS_BLOCK] = KS_TEXT_R_OCC_STEP_BLOCK,
		[KS_OCC_AXIS_REGS] = KS_TEXT_R_OCC_STEP_REGS,
		[KS_OCC_AXIS_SMEM] = KS_TEXT_R_OCC_STEP_SMEM,
	};
	struct ks_pen *pen = &c->svg.pen;

	if (c->p->both_regs > 0 && h->axis != KS_OCC_AXIS_BLOCK)
		return both_text(c, h);
	if (h->curve->step_up >= h->curve->n)
		return KS_PEN_WORD(pen, KS_TEXT_R_OCC_NO_STEP);
	const struct ks_occ_point *p = &h->curve->point[h->curve->step_up];

	return KS_PEN_SAY(pen, text[h->axis], ks_pen_i64(pen, p->value), ks_pen_real(pen, p->pct));
}

static void chart(struct page *c, enum ks_occ_axis axis)
{
	static const enum ks_text title[KS_OCC_AXIS_COUNT] = {
		[KS_OCC_AXIS_BLOCK] = KS_TEXT_R_OCC_BLOCK,
		[KS_OCC_AXIS_REGS] = KS_TEXT_R_OCC_REGS,
		[KS_OCC_AXIS_SMEM] = KS_TEXT_R_OCC_SMEM,
	};
	const struct ks_occ_curve *curve = &c->p->curve[axis];
	struct chart h = { .axis = axis, .curve = curve, .top = c->y + 18, .last = 1 };

	if (curve->n == 0)
		return;
	h.x = KS_SVG_MARGIN + PLOT_LEFT + CHART_STEP * (double)axis;
	if (curve->point[curve->n - 1].value > 1)
		h.last = curve->point[curve->n - 1].value;
	KS_SVG_TEXT(&c->svg, KS_PEN_WORD(&c->svg.pen, title[axis]), .x = h.x, .y = c->y, .size = 13,
		    .fill = KS_SVG_INK, .bold = true);
	grid(c, &h);
	bars(c, &h);
	axis_labels(c, &h);
	if (curve->step_up < curve->n)
		mark(c, &h, curve->step_up, KS_SVG_TEAL);
	mark(c, &h, curve->current, KS_SVG_AMBER);
	KS_SVG_TEXT(&c->svg, step_text(c, &h), .x = h.x, .y = h.top + PLOT_H + 38, .size = 12,
		    .fill = KS_SVG_INK);
}

static void refused(struct page *c)
{
	struct ks_pen *pen = &c->svg.pen;
	const struct ks_refused why = { .code = c->p->refusal, .message = c->p->why };

	KS_SVG_TEXT(&c->svg,
		    KS_PEN_SAY(pen, KS_TEXT_R_OCC_REFUSED,
			       ks_pen_refused_message(pen, c->r->ev, &why),
			       ks_str_c(ks_refusal_info(c->p->refusal)->slug)),
		    .x = KS_SVG_MARGIN, .y = c->y, .size = 14, .fill = KS_SVG_AMBER);
	c->y += 24;
}

static void facts(struct page *c)
{
	struct ks_pen *pen = &c->svg.pen;
	const struct ks_occ_point *now[KS_OCC_AXIS_COUNT];

	for (int i = 0; i < KS_OCC_AXIS_COUNT; i++)
		now[i] = &c->p->curve[i].point[c->p->curve[i].current];
	const ks_str part[] = {
		KS_PEN_SAY(pen, KS_TEXT_R_OCC_N_THREADS,
			   ks_pen_i64(pen, now[KS_OCC_AXIS_BLOCK]->value)),
		KS_PEN_SAY(pen, KS_TEXT_R_OCC_N_REGS,
			   ks_pen_i64(pen, now[KS_OCC_AXIS_REGS]->value)),
		KS_PEN_SAY(pen, KS_TEXT_R_OCC_N_BYTES,
			   ks_pen_i64(pen, now[KS_OCC_AXIS_SMEM]->value)),
		what(c, now[KS_OCC_AXIS_BLOCK]),
	};
	double x = KS_SVG_MARGIN;

	KS_SVG_TEXT(&c->svg, ks_svg_joined(&c->svg, part, KS_ARRAY_LEN(part), FACT_COLS), .x = x,
		    .y = c->y, .size = 12, .fill = KS_SVG_INK);
	c->y += 24;
	x = ks_svg_legend(&c->svg, x, c->y, KS_SVG_AMBER, KS_PEN_WORD(pen, KS_TEXT_R_OCC_LAUNCH));
	(void)ks_svg_legend(&c->svg, x, c->y, KS_SVG_TEAL, KS_PEN_WORD(pen, KS_TEXT_R_OCC_STEP));
	c->y += 32;
}

static void head(struct page *c)
{
	struct ks_pen *pen = &c->svg.pen;
	const struct ks_report *r = c->r;
	const ks_str first[] = {
		ks_svg_device(&c->svg, r),
		ks_pen_name(pen, r->input_path, 64, KS_LIT("")),
		r->producer,
	};

	KS_SVG_TEXT(&c->svg, KS_PEN_WORD(pen, KS_TEXT_R_OCC_TITLE), .x = KS_SVG_MARGIN, .y = c->y,
		    .size = 17, .fill = KS_SVG_INK, .bold = true);
	c->y += 22;
	KS_SVG_TEXT(&c->svg, ks_svg_joined(&c->svg, first, KS_ARRAY_LEN(first), FACT_COLS),
		    .x = KS_SVG_MARGIN, .y = c->y, .size = 13, .fill = KS_SVG_MUTED);
	if (r->synthetic) {
		c->y += 20;
		KS_SVG_TEXT(&c->svg, KS_PEN_WORD(pen, KS_TEXT_R_SYNTHETIC), .x = KS_SVG_MARGIN,
			    .y = c->y, .size = 13, .fill = KS_SVG_AMBER, .bold = true);
	}
	c->y += 28;
	if (c->p->kernel.n == 0)
		return;
	ks_svg_group(&c->svg, c->p->kernel);
	KS_SVG_TEXT(&c->svg, ks_pen_name(pen, c->p->kernel, NAME_COLS, KS_LIT("")),
		    .x = KS_SVG_MARGIN, .y = c->y, .size = 13, .fill = KS_SVG_INK, .mono = true,
		    .bold = true);
	ks_xmlw_close(&c->svg.w);
	c->y += 20;
}

static void foot(struct page *c)
{
	struct ks_pen *pen = &c->svg.pen;
	const struct ks_occ_picture *p = c->p;
	const size_t all = ks_report_kernels(c->r);
	const ks_str part[] = {
		p->config_launches < p->launches
			? KS_PEN_SAY(pen, KS_TEXT_R_OCC_CONFIG, ks_pen_u64(pen, p->config_launches),
				     ks_pen_u64(pen, p->launches))
			: KS_LIT(""),
		p->carve_out > 0
			? KS_PEN_SAY(pen, KS_TEXT_R_OCC_CARVE_OUT, ks_pen_i64(pen, p->carve_out))
			: KS_LIT(""),
		all > 1 ? KS_PEN_SAY(pen, KS_TEXT_R_DUR_MORE, ks_pen_u64(pen, all - 1))
			: KS_LIT(""),
	};

	KS_SVG_TEXT(&c->svg, ks_svg_joined(&c->svg, part, KS_ARRAY_LEN(part), FACT_COLS),
		    .x = KS_SVG_MARGIN, .y = c->y, .size = 11, .fill = KS_SVG_INK);
	KS_SVG_TEXT(&c->svg, ks_svg_signature(&c->svg, KS_PEN_WORD(pen, KS_TEXT_R_OCC_EXACT)),
		    .x = KS_SVG_MARGIN, .y = c->y + 17, .size = 11, .fill = KS_SVG_MUTED);
}

static void draw(struct page *c)
{
	struct ks_pen *pen = &c->svg.pen;
	const bool curves = c->p->refusal == KS_REFUSAL_NONE;
	const int heads = KS_SVG_MARGIN + 14 + 22 + 28 + (c->r->synthetic ? 20 : 0) +
			  (c->p->kernel.n > 0 ? 20 : 0);

	ks_svg_document(&c->svg, WIDTH, heads + (curves ? 24 + 32 + CHART_H : 24) + 17 + 24,
			KS_PEN_WORD(pen, KS_TEXT_R_OCC_TITLE),
			KS_PEN_WORD(pen, KS_TEXT_R_OCC_DESC));
	c->y = KS_SVG_MARGIN + 14;
	head(c);
	if (curves) {
		facts(c);
		for (int axis = 0; axis < KS_OCC_AXIS_COUNT; axis++)
			chart(c, (enum ks_occ_axis)axis);
		c->y += CHART_H;
	} else {
		refused(c);
	}
	foot(c);
	ks_xmlw_close(&c->svg.w);
}

static enum ks_status render(const struct ks_ctx *ctx, const struct ks_report *r,
			     const struct ks_view *v, struct ks_out *out, struct ks_err *err)
{
	struct page c = { .r = r, .p = r->occupancy };

	(void)ctx;
	if (r->occupancy == NULL)
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_RENDER_OCCUPANCY, NULL);
	ks_svg_begin(&c.svg, v, out);
	draw(&c);
	ks_out_ch(out, '\n');
	return ks_svg_done(&c.svg, err);
}

const struct ks_render_ops ks_render_occupancy_svg = {
	.format = KS_FORMAT_OCCUPANCY_SVG,
	.render = render,
};
