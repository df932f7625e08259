/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernel-time bars as one SVG file: no script, no outside resource, system fonts, the same bytes
 * for the same report.
 */
#include "base/str.h"
#include "base/utf8.h"
#include "evidence/rest.h"
#include "evidence/value.h"
#include "render/decided.h"
#include "render/svg_pen.h"
#include "render/text.h"
#include "verdict/verdict.h"

#define BARS_MAX 20

/* Geometry in user units (pixels at 100 %). */
#define WIDTH	    960
#define ROW	    46
#define BAR_X	    430
#define BAR_W	    256
#define BAR_H	    16
#define TIME_X	    792
#define OCC_X	    822
#define OCC_W	    110
#define TITLE_COLS  80 /* of the 17 px title: 11.2 px a column in the widest common font */
#define TITLE_LINES 3
#define TITLE_STEP  23
#define FACT_COLS   60 /* of an 11 px line that ends before the bars */

struct chart {
	struct ks_svg svg;
	ks_str title[TITLE_LINES];
	int title_lines;
	const struct ks_report *r;
	double axis_pct; /* share at the right end of the bars */
	double y;	 /* top of the next block */
};

static void text(struct chart *c, struct ks_svg_label l, ks_str s)
{
	ks_svg_text(&c->svg, &l, s);
}

/* The finding, or the name of the chart when there is none. */
static void break_title(struct chart *c)
{
	const struct ks_verdicts *vd = c->r->verdicts;
	ks_str s = KS_PEN_WORD(&c->svg.pen, KS_TEXT_R_SVG_TITLE);

	if (vd != NULL && vd->finding.id != KS_TEXT_NONE)
		s = ks_pen_msg_short(&c->svg.pen, &vd->finding, KS_SVG_NAME_COLS);
	while (c->title_lines < TITLE_LINES && s.n > 0) {
		bool last = c->title_lines + 1 == TITLE_LINES;
		size_t n = last ? s.n : ks_pen_line_length(s, TITLE_COLS);
		ks_str line = ks_str_trim((ks_str){ s.p, n });

		c->title[c->title_lines++] = ks_pen_name(&c->svg.pen, line, TITLE_COLS, KS_LIT(""));
		s = ks_str_trim((ks_str){ s.p + n, s.n - n });
	}
}

static void title(struct chart *c)
{
	struct ks_svg_label l = {
		.x = KS_SVG_MARGIN, .y = c->y, .size = 17, .fill = KS_SVG_INK, .bold = true
	};

	for (int i = 0; i < c->title_lines; i++, l.y += TITLE_STEP)
		text(c, l, c->title[i]);
	c->y = l.y - 1;
}

static void subtitle(struct chart *c)
{
	const struct ks_report *r = c->r;
	struct ks_pen *p = &c->svg.pen;
	const ks_str first[] = {
		ks_svg_device(&c->svg, r),
		KS_PEN_SAY(p, KS_TEXT_R_SPAN, ks_pen_duration(p, r->span_ns)),
		KS_PEN_SAY(p, KS_TEXT_R_KERNEL_TIME, ks_pen_duration(p, r->kernel_ns)),
		ks_svg_count(&c->svg, r->total_launches, KS_TEXT_R_LAUNCH, KS_TEXT_R_LAUNCHES),
	};
	const ks_str second[] = { ks_pen_name(p, r->input_path, 64, KS_LIT("")), r->producer };
	struct ks_svg_label l = { .x = KS_SVG_MARGIN, .y = c->y, .size = 13, .fill = KS_SVG_MUTED };

	text(c, l, ks_svg_joined(&c->svg, first, KS_ARRAY_LEN(first), 124));
	l.y += 18;
	text(c, l, ks_svg_joined(&c->svg, second, KS_ARRAY_LEN(second), 124));
	if (r->synthetic) {
		l.y += 20;
		l.fill = KS_SVG_AMBER;
		l.bold = true;
		text(c, l, KS_PEN_WORD(p, KS_TEXT_R_SYNTHETIC));
	}
	c->y = l.y + 26;
}

static void column_heads(struct chart *c)
{
	struct ks_pen *p = &c->svg.pen;
	struct ks_svg_label l = { .x = BAR_X, .y = c->y, .size = 11, .fill = KS_SVG_MUTED };

	text(c, l, KS_PEN_SAY(p, KS_TEXT_R_SVG_COL_SHARE, ks_pen_real(p, c->axis_pct)));
	l.x = OCC_X;
	text(c, l, KS_PEN_WORD(p, KS_TEXT_R_SVG_COL_OCC));
	l.x = TIME_X;
	l.right = true;
	text(c, l, KS_PEN_WORD(p, KS_TEXT_R_SVG_COL_TIME));
	c->y += 8;
}

/* Light lines at quarters of the axis, behind the bars. */
static void grid(struct chart *c, int rows)
{
	for (int i = 0; i <= 4; i++)
		KS_SVG_BOX(&c->svg, BAR_X + BAR_W * i / 4.0 - 0.5, c->y, 1.0, rows * ROW - 6, 0.0,
			   KS_SVG_FAINT);
}

static ks_str limiter(struct chart *c, const struct ks_ev *occ, const struct ks_ev *by)
{
	struct ks_pen *p = &c->svg.pen;

	if (occ != NULL && occ->refused != NULL)
		return KS_PEN_SAY(p, KS_TEXT_R_SVG_REFUSED, ks_refused_slug(occ->refused));
	if (by == NULL || by->value.kind != KS_V_TEXT)
		return KS_LIT("");
	return KS_PEN_SAY(p, KS_TEXT_R_SVG_LIMITER, ks_decided_limiter(p, by->value.s));
}

static void gauge(struct chart *c, const struct ks_ev *occ)
{
	struct ks_pen *p = &c->svg.pen;
	struct ks_svg_label l = { .x = OCC_X, .y = c->y + 14, .size = 12, .fill = KS_SVG_INK };
	double pct;

	if (occ == NULL)
		return;
	if (!ks_value_is_number(&occ->value)) {
		l.fill = KS_SVG_MUTED;
		text(c, l, KS_PEN_WORD(p, KS_TEXT_R_NA));
		return;
	}
	pct = ks_value_real(&occ->value);
	text(c, l, ks_pen_cat(p, ks_pen_fixed(p, pct, 1), KS_LIT(" %")));
	KS_SVG_BOX(&c->svg, OCC_X, c->y + 20, OCC_W, 6, 3, KS_SVG_FAINT);
	KS_SVG_BOX(&c->svg, OCC_X, c->y + 20, OCC_W * (pct < 100.0 ? pct : 100.0) / 100.0, 6, 3,
		   KS_SVG_TEAL);
}

static void bar(struct chart *c, double share_pct, ks_ns total_ns, const char *fill)
{
	struct ks_pen *p = &c->svg.pen;
	double w = BAR_W * share_pct / c->axis_pct;
	struct ks_svg_label time = { .x = TIME_X,
				     .y = c->y + 14,
				     .size = 13,
				     .fill = KS_SVG_INK,
				     .right = true,
				     .bold = true };
	struct ks_svg_label share = {
		.x = TIME_X, .y = c->y + 30, .size = 11, .fill = KS_SVG_MUTED, .right = true
	};

	KS_SVG_BOX(&c->svg, BAR_X, c->y + 4, w < 1.0 ? 1.0 : w, BAR_H, 2, fill);
	text(c, time, ks_pen_duration(p, total_ns));
	text(c, share, ks_pen_cat(p, ks_pen_fixed(p, share_pct, 1), KS_LIT(" %")));
}

static void close_row(struct chart *c)
{
	ks_xmlw_close(&c->svg.w);
	c->y += ROW;
	ks_arena_reset(c->svg.pen.tmp);
}

static void kernel_row(struct chart *c, const struct ks_kernel *k, ks_str apart)
{
	struct ks_pen *p = &c->svg.pen;
	const struct ks_ev *occ =
		ks_text_kernel_row(c->r, k, KS_METRIC_KS_THEORETICAL_OCCUPANCY_PCT);
	const struct ks_ev *by = ks_text_kernel_row(c->r, k, KS_METRIC_KS_OCCUPANCY_LIMITER);
	const ks_str facts[] = {
		ks_svg_count(&c->svg, k->launches, KS_TEXT_R_LAUNCH, KS_TEXT_R_LAUNCHES),
		KS_PEN_SAY(p, KS_TEXT_R_SVG_MEAN, ks_pen_duration(p, (ks_ns)(k->mean_ns + 0.5))),
		limiter(c, occ, by),
		k->n_configs > 1 ? KS_PEN_SAY(p, KS_TEXT_R_SVG_CONFIGS, ks_pen_u64(p, k->n_configs))
				 : KS_LIT(""),
	};

	ks_svg_group(&c->svg, k->name);
	text(c,
	     (struct ks_svg_label){ .x = KS_SVG_MARGIN,
				    .y = c->y + 14,
				    .size = 12,
				    .fill = KS_SVG_INK,
				    .mono = true },
	     ks_pen_name(p, k->name, KS_SVG_NAME_COLS, apart));
	text(c,
	     (struct ks_svg_label){
		     .x = KS_SVG_MARGIN, .y = c->y + 30, .size = 11, .fill = KS_SVG_MUTED },
	     ks_svg_joined(&c->svg, facts, KS_ARRAY_LEN(facts), FACT_COLS));
	bar(c, k->share_pct, k->total_ns, KS_SVG_BLUE);
	gauge(c, occ);
	close_row(c);
}

/* A name before this one whose short form is the same, or nothing. */
static ks_str taken_by(struct chart *c, size_t i)
{
	ks_str mine = ks_pen_name(&c->svg.pen, c->r->kernel[i].name, KS_SVG_NAME_COLS, KS_LIT(""));

	for (size_t j = 0; j < i; j++)
		if (ks_str_eq(mine, ks_pen_name(&c->svg.pen, c->r->kernel[j].name, KS_SVG_NAME_COLS,
						KS_LIT(""))))
			return c->r->kernel[j].name;
	return KS_LIT("");
}

static void rest_row(struct chart *c, const struct ks_rest *rest)
{
	struct ks_pen *p = &c->svg.pen;
	ks_str name = rest->n == 1 ? KS_PEN_WORD(p, KS_TEXT_R_SVG_OTHER_ONE)
				   : KS_PEN_SAY(p, KS_TEXT_R_SVG_OTHER, ks_pen_u64(p, rest->n));

	ks_svg_group(&c->svg, name);
	text(c,
	     (struct ks_svg_label){ .x = KS_SVG_MARGIN,
				    .y = c->y + 14,
				    .size = 12,
				    .fill = KS_SVG_INK,
				    .mono = true },
	     name);
	text(c,
	     (struct ks_svg_label){
		     .x = KS_SVG_MARGIN, .y = c->y + 30, .size = 11, .fill = KS_SVG_MUTED },
	     ks_svg_count(&c->svg, rest->launches, KS_TEXT_R_LAUNCH, KS_TEXT_R_LAUNCHES));
	bar(c, rest->share_pct, rest->total_ns, KS_SVG_SLATE);
	close_row(c);
}

static void legend(struct chart *c, bool other)
{
	struct ks_pen *p = &c->svg.pen;
	double x = KS_SVG_MARGIN;

	c->y += 16;
	x = ks_svg_legend(&c->svg, x, c->y, KS_SVG_BLUE, KS_PEN_WORD(p, KS_TEXT_R_SVG_LEGEND_TIME));
	if (other)
		x = ks_svg_legend(&c->svg, x, c->y, KS_SVG_SLATE,
				  KS_PEN_WORD(p, KS_TEXT_R_SVG_LEGEND_OTHER));
	(void)ks_svg_legend(&c->svg, x, c->y, KS_SVG_TEAL,
			    KS_PEN_WORD(p, KS_TEXT_R_SVG_LEGEND_OCC));
	c->y += 18;
	text(c,
	     (struct ks_svg_label){
		     .x = KS_SVG_MARGIN, .y = c->y, .size = 11, .fill = KS_SVG_MUTED },
	     ks_svg_signature(&c->svg, KS_PEN_WORD(p, KS_TEXT_R_SVG_EXACT)));
}

/* The next round share above the largest one, so that bars of a flat profile can still be told
 * apart. */
static double axis_for(double largest)
{
	static const double round[] = { 2.0, 5.0, 10.0, 20.0, 50.0 };

	for (size_t i = 0; i < KS_ARRAY_LEN(round); i++)
		if (largest <= round[i])
			return round[i];
	return 100.0;
}

static void draw(struct chart *c)
{
	struct ks_pen *p = &c->svg.pen;
	size_t n = ks_report_kernels(c->r), shown = n < BARS_MAX ? n : BARS_MAX;
	struct ks_rest rest = ks_report_rest(c->r, shown);
	int rows = (int)shown + (rest.n > 0);
	double largest = shown > 0 ? c->r->kernel[0].share_pct : 0.0;

	c->axis_pct = axis_for(rest.share_pct > largest ? rest.share_pct : largest);
	break_title(c);
	ks_svg_document(&c->svg, WIDTH,
			KS_SVG_MARGIN + TITLE_STEP * c->title_lines + 120 + rows * ROW +
				(c->r->synthetic ? 20 : 0),
			KS_PEN_WORD(p, KS_TEXT_R_SVG_TITLE),
			KS_PEN_SAY(p, KS_TEXT_R_SVG_DESC, ks_pen_u64(p, n),
				   ks_pen_duration(p, c->r->kernel_ns)));
	c->y = KS_SVG_MARGIN + 14;
	title(c);
	subtitle(c);
	if (rows == 0) {
		text(c,
		     (struct ks_svg_label){
			     .x = KS_SVG_MARGIN, .y = c->y, .size = 14, .fill = KS_SVG_MUTED },
		     KS_PEN_WORD(&c->svg.pen, KS_TEXT_R_SVG_NONE));
	} else {
		column_heads(c);
		grid(c, rows);
	}
	for (size_t i = 0; i < shown; i++)
		kernel_row(c, &c->r->kernel[i], taken_by(c, i));
	if (rest.n > 0)
		rest_row(c, &rest);
	if (rows > 0)
		legend(c, rest.n > 0);
	ks_xmlw_close(&c->svg.w);
}

static enum ks_status render(const struct ks_ctx *ctx, const struct ks_report *r,
			     const struct ks_view *v, struct ks_out *out, struct ks_err *err)
{
	struct chart c = { .r = r };

	(void)ctx;
	ks_svg_begin(&c.svg, v, out);
	draw(&c);
	ks_out_ch(out, '\n');
	return ks_svg_done(&c.svg, err);
}

const struct ks_render_ops ks_render_svg = {
	.format = KS_FORMAT_SVG,
	.render = render,
};
