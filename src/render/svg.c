/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernel-time bars as one SVG file: no script, no outside resource, system fonts, the same bytes
 * for the same report. Has its own background, so that it reads on a dark page as well.
 */
#include "base/str.h"
#include "base/utf8.h"
#include "base/xmlw.h"
#include "evidence/rest.h"
#include "evidence/value.h"
#include "render/pen.h"
#include "render/text.h"
#include "verdict/verdict.h"

#define SVG_TMP_MAX ((size_t)256 << 20)
#define BARS_MAX    20

/* Geometry in user units (pixels at 100 %). */
#define WIDTH	      960
#define MARGIN	      28
#define ROW	      46
#define BAR_X	      430
#define BAR_W	      256
#define BAR_H	      16
#define TIME_X	      792
#define OCC_X	      822
#define OCC_W	      110
#define NAME_COLS     54 /* of a 12 px monospaced font, 7.2 px a column */
#define TITLE_COLS    80 /* of the 17 px title: 11.2 px a column in the widest common font */
#define TITLE_LINES   3
#define TITLE_STEP    23
#define FACT_COLS     60 /* of an 11 px line that ends before the bars */
#define FULL_NAME_MAX 4096

#define INK   "#1f2937"
#define MUTED "#6b7280"
#define FAINT "#e5e7eb"
#define PAPER "#ffffff"
#define BLUE  "#2563eb"
#define SLATE "#94a3b8"
#define TEAL  "#0d9488"
#define AMBER "#b45309"

static const char sans[] =
	"system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans CJK SC', "
	"'PingFang SC', 'Microsoft YaHei', sans-serif";
static const char mono[] = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', "
			   "'Noto Sans Mono CJK SC', monospace";

struct chart {
	struct ks_xmlw w;
	ks_str title[TITLE_LINES];
	int title_lines;
	struct ks_pen pen; /* for strings only */
	const struct ks_report *r;
	double axis_pct; /* share at the right end of the bars */
	int y;		 /* top of the next block */
};

struct label {
	double x;
	int y, size;
	const char *fill;
	bool right, bold, mono;
};

static void text(struct chart *c, struct label l, ks_str s)
{
	if (s.n == 0)
		return;
	ks_xmlw_open(&c->w, "text");
	ks_xmlw_attr_fmt(&c->w, "x", "%g", l.x);
	ks_xmlw_attr_fmt(&c->w, "y", "%d", l.y);
	ks_xmlw_attr_fmt(&c->w, "font-size", "%d", l.size);
	ks_xmlw_attr_c(&c->w, "fill", l.fill);
	if (l.right)
		ks_xmlw_attr_c(&c->w, "text-anchor", "end");
	if (l.bold)
		ks_xmlw_attr_c(&c->w, "font-weight", "600");
	if (l.mono)
		ks_xmlw_attr_c(&c->w, "font-family", mono);
	ks_xmlw_text(&c->w, s);
	ks_xmlw_close(&c->w);
}

struct box {
	double x, y, w, h, round;
	const char *fill;
};

static void box(struct chart *c, struct box b)
{
	ks_xmlw_open(&c->w, "rect");
	ks_xmlw_attr_fmt(&c->w, "x", "%g", b.x);
	ks_xmlw_attr_fmt(&c->w, "y", "%g", b.y);
	ks_xmlw_attr_fmt(&c->w, "width", "%.1f", b.w);
	ks_xmlw_attr_fmt(&c->w, "height", "%g", b.h);
	if (b.round > 0.0)
		ks_xmlw_attr_fmt(&c->w, "rx", "%g", b.round);
	ks_xmlw_attr_c(&c->w, "fill", b.fill);
	ks_xmlw_close(&c->w);
}

/* Parts that do not fit are left out from the end. */
static ks_str joined(struct chart *c, const ks_str *part, size_t n, size_t cols)
{
	ks_str all = KS_LIT("");

	for (size_t i = 0; i < n; i++) {
		if (part[i].n == 0 || ks_utf8_columns(all) + 3 + ks_utf8_columns(part[i]) > cols)
			continue;
		if (all.n > 0)
			all = ks_pen_cat(&c->pen, all, ks_str_c(ks_pen_dot(&c->pen)));
		all = ks_pen_cat(&c->pen, all, part[i]);
	}
	return all;
}

static ks_str count(struct ks_pen *p, uint64_t n, enum ks_text one, enum ks_text many)
{
	return KS_PEN_SAY(p, n == 1 ? one : many, ks_pen_u64(p, n));
}

/* The finding, or the name of the chart when there is none. */
static void break_title(struct chart *c)
{
	const struct ks_verdicts *vd = c->r->verdicts;
	ks_str s = KS_PEN_WORD(&c->pen, KS_TEXT_R_SVG_TITLE);

	if (vd != NULL && vd->finding.id != KS_TEXT_NONE)
		s = ks_pen_msg_short(&c->pen, &vd->finding, NAME_COLS);
	while (c->title_lines < TITLE_LINES && s.n > 0) {
		bool last = c->title_lines + 1 == TITLE_LINES;
		size_t n = last ? s.n : ks_pen_line_length(s, TITLE_COLS);
		ks_str line = ks_str_trim((ks_str){ s.p, n });

		c->title[c->title_lines++] = ks_pen_name(&c->pen, line, TITLE_COLS, KS_LIT(""));
		s = ks_str_trim((ks_str){ s.p + n, s.n - n });
	}
}

static void title(struct chart *c)
{
	struct label l = { .x = MARGIN, .y = c->y, .size = 17, .fill = INK, .bold = true };

	for (int i = 0; i < c->title_lines; i++, l.y += TITLE_STEP)
		text(c, l, c->title[i]);
	c->y = l.y - 1;
}

static ks_str device(struct chart *c)
{
	const struct ks_report *r = c->r;
	struct ks_pen *p = &c->pen;

	if (r->n_gpus_used > 1)
		return KS_PEN_SAY(p, KS_TEXT_R_N_DEVICES, ks_pen_u64(p, r->n_gpus_used));
	if (r->n_gpus == 0)
		return KS_LIT("");
	const struct ks_gpu *g = &r->gpu[0];
	ks_str name = g->name.n > 0 ? ks_pen_name(p, g->name, 40, KS_LIT(""))
				    : KS_PEN_WORD(p, KS_TEXT_R_DEVICE_UNKNOWN);

	if (g->cc_major < 0)
		return name;
	return ks_pen_cat(p, name, ks_arena_fmt(p->tmp, " (sm_%d%d)", g->cc_major, g->cc_minor));
}

static void subtitle(struct chart *c)
{
	const struct ks_report *r = c->r;
	struct ks_pen *p = &c->pen;
	const ks_str first[] = {
		device(c),
		KS_PEN_SAY(p, KS_TEXT_R_SPAN, ks_pen_duration(p, r->span_ns)),
		KS_PEN_SAY(p, KS_TEXT_R_KERNEL_TIME, ks_pen_duration(p, r->kernel_ns)),
		count(p, r->total_launches, KS_TEXT_R_LAUNCH, KS_TEXT_R_LAUNCHES),
	};
	const ks_str second[] = { ks_pen_name(p, r->input_path, 64, KS_LIT("")), r->producer };
	struct label l = { .x = MARGIN, .y = c->y, .size = 13, .fill = MUTED };

	text(c, l, joined(c, first, KS_ARRAY_LEN(first), 124));
	l.y += 18;
	text(c, l, joined(c, second, KS_ARRAY_LEN(second), 124));
	if (r->synthetic) {
		l.y += 20;
		l.fill = AMBER;
		l.bold = true;
		text(c, l, KS_PEN_WORD(p, KS_TEXT_R_SYNTHETIC));
	}
	c->y = l.y + 26;
}

static void column_heads(struct chart *c)
{
	struct ks_pen *p = &c->pen;
	struct label l = { .x = BAR_X, .y = c->y, .size = 11, .fill = MUTED };

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
		box(c, (struct box){ BAR_X + BAR_W * i / 4.0 - 0.5, c->y, 1.0, rows * ROW - 6, 0.0,
				     FAINT });
}

static ks_str limiter(struct chart *c, const struct ks_ev *occ, const struct ks_ev *by)
{
	struct ks_pen *p = &c->pen;

	if (occ != NULL && occ->refused != NULL)
		return KS_PEN_SAY(p, KS_TEXT_R_SVG_REFUSED, ks_refused_slug(occ->refused));
	if (by == NULL || by->value.kind != KS_V_TEXT)
		return KS_LIT("");
	return KS_PEN_SAY(p, KS_TEXT_R_SVG_LIMITER, ks_text_limiter(p, by->value.s));
}

static void gauge(struct chart *c, const struct ks_ev *occ)
{
	struct ks_pen *p = &c->pen;
	struct label l = { .x = OCC_X, .y = c->y + 14, .size = 12, .fill = INK };
	double pct;

	if (occ == NULL)
		return;
	if (!ks_value_is_number(&occ->value)) {
		l.fill = MUTED;
		text(c, l, KS_PEN_WORD(p, KS_TEXT_R_NA));
		return;
	}
	pct = ks_value_real(&occ->value);
	text(c, l, ks_pen_cat(p, ks_pen_fixed(p, pct, 1), KS_LIT(" %")));
	box(c, (struct box){ OCC_X, c->y + 20, OCC_W, 6, 3, FAINT });
	box(c, (struct box){ OCC_X, c->y + 20, OCC_W * (pct < 100.0 ? pct : 100.0) / 100.0, 6, 3,
			     TEAL });
}

static void bar(struct chart *c, double share_pct, ks_ns total_ns, const char *fill)
{
	struct ks_pen *p = &c->pen;
	double w = BAR_W * share_pct / c->axis_pct;
	struct label time = {
		.x = TIME_X, .y = c->y + 14, .size = 13, .fill = INK, .right = true, .bold = true
	};
	struct label share = {
		.x = TIME_X, .y = c->y + 30, .size = 11, .fill = MUTED, .right = true
	};

	box(c, (struct box){ BAR_X, c->y + 4, w < 1.0 ? 1.0 : w, BAR_H, 2, fill });
	text(c, time, ks_pen_duration(p, total_ns));
	text(c, share, ks_pen_cat(p, ks_pen_fixed(p, share_pct, 1), KS_LIT(" %")));
}

static void open_row(struct chart *c, ks_str full_name)
{
	ks_xmlw_open(&c->w, "g");
	ks_xmlw_open(&c->w, "title");
	ks_xmlw_text(&c->w, (ks_str){ full_name.p, ks_utf8_prefix(full_name, FULL_NAME_MAX) });
	ks_xmlw_close(&c->w);
}

static void close_row(struct chart *c)
{
	ks_xmlw_close(&c->w);
	c->y += ROW;
	ks_arena_reset(c->pen.tmp);
}

static void kernel_row(struct chart *c, const struct ks_kernel *k, ks_str apart)
{
	struct ks_pen *p = &c->pen;
	const struct ks_ev *occ =
		ks_text_kernel_row(c->r, k, KS_METRIC_KS_THEORETICAL_OCCUPANCY_PCT);
	const struct ks_ev *by = ks_text_kernel_row(c->r, k, KS_METRIC_KS_OCCUPANCY_LIMITER);
	const ks_str facts[] = {
		count(p, k->launches, KS_TEXT_R_LAUNCH, KS_TEXT_R_LAUNCHES),
		KS_PEN_SAY(p, KS_TEXT_R_SVG_MEAN, ks_pen_duration(p, (ks_ns)(k->mean_ns + 0.5))),
		limiter(c, occ, by),
		k->n_configs > 1 ? KS_PEN_SAY(p, KS_TEXT_R_SVG_CONFIGS, ks_pen_u64(p, k->n_configs))
				 : KS_LIT(""),
	};

	open_row(c, k->name);
	text(c,
	     (struct label){ .x = MARGIN, .y = c->y + 14, .size = 12, .fill = INK, .mono = true },
	     ks_pen_name(p, k->name, NAME_COLS, apart));
	text(c, (struct label){ .x = MARGIN, .y = c->y + 30, .size = 11, .fill = MUTED },
	     joined(c, facts, KS_ARRAY_LEN(facts), FACT_COLS));
	bar(c, k->share_pct, k->total_ns, BLUE);
	gauge(c, occ);
	close_row(c);
}

/* A name before this one whose short form is the same, or nothing. */
static ks_str taken_by(struct chart *c, size_t i)
{
	ks_str mine = ks_pen_name(&c->pen, c->r->kernel[i].name, NAME_COLS, KS_LIT(""));

	for (size_t j = 0; j < i; j++)
		if (ks_str_eq(mine,
			      ks_pen_name(&c->pen, c->r->kernel[j].name, NAME_COLS, KS_LIT(""))))
			return c->r->kernel[j].name;
	return KS_LIT("");
}

static void rest_row(struct chart *c, const struct ks_rest *rest)
{
	struct ks_pen *p = &c->pen;
	ks_str name = rest->n == 1 ? KS_PEN_WORD(p, KS_TEXT_R_SVG_OTHER_ONE)
				   : KS_PEN_SAY(p, KS_TEXT_R_SVG_OTHER, ks_pen_u64(p, rest->n));

	open_row(c, name);
	text(c,
	     (struct label){ .x = MARGIN, .y = c->y + 14, .size = 12, .fill = INK, .mono = true },
	     name);
	text(c, (struct label){ .x = MARGIN, .y = c->y + 30, .size = 11, .fill = MUTED },
	     count(p, rest->launches, KS_TEXT_R_LAUNCH, KS_TEXT_R_LAUNCHES));
	bar(c, rest->share_pct, rest->total_ns, SLATE);
	close_row(c);
}

static double legend_item(struct chart *c, double x, const char *fill, ks_str s)
{
	box(c, (struct box){ x, c->y - 9, 10, 10, 2, fill });
	text(c, (struct label){ .x = x + 16, .y = c->y, .size = 11, .fill = MUTED }, s);
	return x + 16 + 6.2 * (double)ks_utf8_columns(s) + 22;
}

static void legend(struct chart *c, bool other)
{
	struct ks_pen *p = &c->pen;
	double x = MARGIN;

	c->y += 16;
	x = legend_item(c, x, BLUE, KS_PEN_WORD(p, KS_TEXT_R_SVG_LEGEND_TIME));
	if (other)
		x = legend_item(c, x, SLATE, KS_PEN_WORD(p, KS_TEXT_R_SVG_LEGEND_OTHER));
	(void)legend_item(c, x, TEAL, KS_PEN_WORD(p, KS_TEXT_R_SVG_LEGEND_OCC));
	c->y += 18;
	text(c, (struct label){ .x = MARGIN, .y = c->y, .size = 11, .fill = MUTED },
	     ks_pen_cat(p, ks_arena_fmt(p->tmp, "Kernoscope %s%s", KS_VERSION, ks_pen_dot(p)),
			KS_PEN_WORD(p, KS_TEXT_R_SVG_EXACT)));
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

static void open_document(struct chart *c, int height)
{
	struct ks_pen *p = &c->pen;

	ks_xmlw_open(&c->w, "svg");
	ks_xmlw_attr_c(&c->w, "xmlns", "http://www.w3.org/2000/svg");
	ks_xmlw_attr_fmt(&c->w, "width", "%d", WIDTH);
	ks_xmlw_attr_fmt(&c->w, "height", "%d", height);
	ks_xmlw_attr_fmt(&c->w, "viewBox", "0 0 %d %d", WIDTH, height);
	ks_xmlw_attr_c(&c->w, "role", "img");
	ks_xmlw_attr_c(&c->w, "aria-labelledby", "ks-title ks-desc");
	ks_xmlw_attr_c(&c->w, "font-family", sans);
	ks_xmlw_open(&c->w, "title");
	ks_xmlw_attr_c(&c->w, "id", "ks-title");
	ks_xmlw_text(&c->w, KS_PEN_WORD(p, KS_TEXT_R_SVG_TITLE));
	ks_xmlw_close(&c->w);
	ks_xmlw_open(&c->w, "desc");
	ks_xmlw_attr_c(&c->w, "id", "ks-desc");
	ks_xmlw_text(&c->w,
		     KS_PEN_SAY(p, KS_TEXT_R_SVG_DESC, ks_pen_u64(p, ks_report_kernels(c->r)),
				ks_pen_duration(p, c->r->kernel_ns)));
	ks_xmlw_close(&c->w);
	box(c, (struct box){ 0, 0, WIDTH, height, 8, PAPER });
}

static void draw(struct chart *c)
{
	size_t n = ks_report_kernels(c->r), shown = n < BARS_MAX ? n : BARS_MAX;
	struct ks_rest rest = ks_report_rest(c->r, shown);
	int rows = (int)shown + (rest.n > 0);
	double largest = shown > 0 ? c->r->kernel[0].share_pct : 0.0;

	c->axis_pct = axis_for(rest.share_pct > largest ? rest.share_pct : largest);
	break_title(c);
	open_document(c, MARGIN + TITLE_STEP * c->title_lines + 120 + rows * ROW +
				 (c->r->synthetic ? 20 : 0));
	c->y = MARGIN + 14;
	title(c);
	subtitle(c);
	if (rows == 0) {
		text(c, (struct label){ .x = MARGIN, .y = c->y, .size = 14, .fill = MUTED },
		     KS_PEN_WORD(&c->pen, KS_TEXT_R_SVG_NONE));
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
	ks_xmlw_close(&c->w);
}

static enum ks_status render(const struct ks_ctx *ctx, const struct ks_report *r,
			     const struct ks_view *v, struct ks_out *out, struct ks_err *err)
{
	static const struct ks_term paper = { .utf8 = true, .cols = TITLE_COLS, .rows = 100 };
	struct ks_arena tmp;
	struct chart c = { .r = r, .pen = { .term = &paper, .lang = v->lang, .tmp = &tmp } };

	(void)ctx;
	ks_arena_init(&tmp, SVG_TMP_MAX);
	ks_xmlw_init(&c.w, out);
	draw(&c);
	ks_out_ch(out, '\n');
	enum ks_status st = ks_pen_done(&c.pen, err);

	ks_arena_release(&tmp);
	return st;
}

const struct ks_render_ops ks_render_svg = {
	.format = KS_FORMAT_SVG,
	.render = render,
};
