/* SPDX-License-Identifier: Apache-2.0
 *
 * The timeline of a window as one SVG: time from left to right, one row per stream and thread. No
 * script, no outside resource, the same bytes for the same report. Decides nothing: bars and
 * columns come from the report.
 */
#include "base/str.h"
#include "base/utf8.h"
#include "render/svg_axis.h"
#include "render/svg_tracks.h"

#define NAME_COLS   40 /* of a legend entry */
#define LEGEND_STEP 17
#define TITLE_COLS  90
#define LINE_COLS   170 /* of a 13 px line over the whole width */

struct picture {
	struct ks_svg svg;
	struct ks_svg_keys keys;
	struct ks_tracks tracks;
	const struct ks_report *r;
	const struct ks_timeline *t;
	const struct ks_timeline_picture *p;
	int width;
	double y;
	bool dry; /* measures the height, draws nothing */
};

static void line(struct picture *c, struct ks_svg_label l, ks_str s)
{
	l.x = KS_SVG_MARGIN;
	l.y = c->y;
	if (!c->dry)
		ks_svg_text(&c->svg, &l, s);
}

static ks_str title_of(struct picture *c)
{
	struct ks_pen *p = &c->svg.pen;
	const ks_str span = ks_pen_duration(p, c->p->to_ns - c->p->from_ns);

	if (!c->t->window.on)
		return KS_PEN_SAY(p, KS_TEXT_R_TL_TITLE, span);
	return KS_PEN_SAY(p, KS_TEXT_R_TL_TITLE_WITHIN,
			  ks_pen_name(p, c->t->window.text, TITLE_COLS - 30, KS_LIT("")), span);
}

static void head(struct picture *c)
{
	const struct ks_report *r = c->r;
	struct ks_pen *p = &c->svg.pen;
	const ks_str first[] = {
		ks_svg_device(&c->svg, r),
		KS_PEN_SAY(p, KS_TEXT_R_SPAN, ks_pen_duration(p, r->span_ns)),
		KS_PEN_SAY(p, KS_TEXT_R_KERNEL_TIME, ks_pen_duration(p, r->kernel_ns)),
		ks_svg_count(&c->svg, r->total_launches, KS_TEXT_R_LAUNCH, KS_TEXT_R_LAUNCHES),
	};
	const ks_str second[] = {
		KS_PEN_SAY(p, KS_TEXT_R_TL_CLOCK, ks_pen_i64(p, c->p->from_ns),
			   ks_pen_i64(p, c->p->to_ns)),
		ks_pen_name(p, r->input_path, 64, KS_LIT("")),
		r->producer,
	};
	struct ks_svg_label l = { .size = 17, .fill = KS_SVG_INK, .bold = true };

	c->y = KS_SVG_MARGIN + 14;
	line(c, l, title_of(c));
	l = (struct ks_svg_label){ .size = 13, .fill = KS_SVG_MUTED };
	c->y += 22;
	line(c, l, ks_svg_joined(&c->svg, first, KS_ARRAY_LEN(first), LINE_COLS));
	c->y += 18;
	line(c, l, ks_svg_joined(&c->svg, second, KS_ARRAY_LEN(second), LINE_COLS));
	if (r->synthetic) {
		c->y += 20;
		l.fill = KS_SVG_AMBER;
		l.bold = true;
		line(c, l, KS_PEN_WORD(p, KS_TEXT_R_SYNTHETIC));
	}
	c->y += 30;
}

static bool has_kind(const struct picture *c, enum ks_lane_kind kind)
{
	for (size_t i = 0; i < c->p->n_rows; i++)
		if (c->p->row[i].kind == kind)
			return true;
	return false;
}

static bool has_comm(const struct picture *c)
{
	for (size_t i = 0; i < c->p->n_bars; i++)
		if (c->p->bar[i].comm)
			return true;
	return false;
}

/* Puts an entry behind the one before, on a new line where it would not fit. */
static double entry(struct picture *c, double x, const char *fill, ks_str s)
{
	const double wide = ks_svg_legend_width(s);

	if (x > KS_SVG_MARGIN && x + wide > c->width - KS_SVG_MARGIN) {
		x = KS_SVG_MARGIN;
		c->y += LEGEND_STEP;
	}
	return c->dry ? x + wide : ks_svg_legend(&c->svg, x, c->y, fill, s);
}

static void legend(struct picture *c)
{
	struct ks_pen *p = &c->svg.pen;
	double x = KS_SVG_MARGIN;

	for (size_t i = 0; i < c->keys.n; i++)
		x = entry(c, x, ks_svg_key_colour(&c->keys.key[i])->fill,
			  ks_pen_name(p, c->keys.key[i].name, NAME_COLS, KS_LIT("")));
	if (x > KS_SVG_MARGIN)
		c->y += LEGEND_STEP;
	x = KS_SVG_MARGIN;
	if (has_kind(c, KS_LANE_COPY))
		x = entry(c, x, "#64748b", KS_PEN_WORD(p, KS_TEXT_R_TL_LEGEND_COPY));
	if (c->t->n_gaps > 0)
		x = entry(c, x, "#fbe3bd", KS_PEN_WORD(p, KS_TEXT_R_TL_LEGEND_GAP));
	if (has_comm(c))
		x = entry(c, x, "#d55e00", KS_PEN_WORD(p, KS_TEXT_R_TL_LEGEND_COMM));
	if (c->p->binned > 0)
		x = entry(c, x, KS_SVG_SLATE, KS_PEN_WORD(p, KS_TEXT_R_TL_LEGEND_BIN));
	if (x > KS_SVG_MARGIN)
		c->y += LEGEND_STEP;
}

static void caption(struct picture *c)
{
	const struct ks_timeline_picture *q = c->p;
	const struct ks_slice_log *log = c->t->slices;
	struct ks_pen *p = &c->svg.pen;
	struct ks_svg_label l = { .size = 11, .fill = KS_SVG_INK };

	line(c, l,
	     KS_PEN_SAY(p, KS_TEXT_R_TL_COUNTS, ks_pen_u64(p, q->selected), ks_pen_u64(p, q->drawn),
			ks_pen_u64(p, q->binned)));
	l.fill = KS_SVG_AMBER;
	if (q->rows_left_out > 0) {
		c->y += LEGEND_STEP;
		line(c, l,
		     KS_PEN_SAY(p, KS_TEXT_R_TL_ROWS_LEFT, ks_pen_u64(p, q->rows_left_out),
				ks_pen_u64(p, q->slices_left_out)));
	}
	if (log != NULL && log->left_out > 0) {
		c->y += LEGEND_STEP;
		line(c, l,
		     KS_PEN_SAY(p, KS_TEXT_R_TL_LIMIT, ks_pen_u64(p, log->left_out),
				ks_pen_i64(p, log->cut_ns)));
	}
	l.fill = KS_SVG_MUTED;
	c->y += LEGEND_STEP;
	line(c, l, ks_svg_signature(&c->svg, KS_PEN_WORD(p, KS_TEXT_R_TL_EXACT)));
}

static void rows(struct picture *c)
{
	const struct ks_svg_axis axis = {
		.x = KS_TRACKS_X,
		.width = c->tracks.width,
		.top = c->tracks.top,
		.bottom = c->tracks.bottom + 2,
		.from = c->p->from_ns,
		.to = c->p->to_ns,
	};

	KS_SVG_TEXT(&c->svg, KS_PEN_WORD(&c->svg.pen, KS_TEXT_R_TL_AXIS), .x = KS_SVG_MARGIN,
		    .y = axis.top - 2, .size = 11, .fill = KS_SVG_MUTED);
	ks_svg_time_labels(&c->svg, &axis, axis.top - 2);
	ks_tracks_back(&c->tracks);
	ks_svg_time_grid(&c->svg, &axis);
	ks_tracks_front(&c->tracks);
}

static void below(struct picture *c)
{
	c->y += 24;
	if (c->p->n_rows > 0)
		legend(c);
	caption(c);
}

/* The height of the page stands in its first line, so everything but the rows is laid out twice. */
static void measure(struct picture *c)
{
	c->dry = true;
	head(c);
	c->y = ks_tracks_place(&c->tracks, c->y + 4);
	below(c);
	c->dry = false;
}

static void draw(struct picture *c)
{
	struct ks_pen *p = &c->svg.pen;

	measure(c);
	ks_svg_document(&c->svg, c->width, (int)c->y + KS_SVG_MARGIN, title_of(c),
			KS_PEN_SAY(p, KS_TEXT_R_TL_DESC, ks_pen_u64(p, c->p->selected),
				   ks_pen_duration(p, c->p->to_ns - c->p->from_ns)));
	head(c);
	if (c->p->n_rows > 0)
		rows(c);
	else
		line(c, (struct ks_svg_label){ .size = 14, .fill = KS_SVG_MUTED },
		     KS_PEN_WORD(p, KS_TEXT_R_TL_NONE));
	c->y = c->tracks.bottom;
	below(c);
	ks_xmlw_close(&c->svg.w);
}

static enum ks_status render(const struct ks_ctx *ctx, const struct ks_report *r,
			     const struct ks_view *v, struct ks_out *out, struct ks_err *err)
{
	struct picture c = { .r = r, .t = r->timeline };

	(void)ctx;
	if (r->timeline == NULL || r->timeline->picture == NULL)
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_RENDER_TIMELINE, NULL);
	c.p = r->timeline->picture;
	c.width = KS_TRACKS_X + (int)ks_limit(KS_LIMIT_PICTURE_COLUMNS) + KS_SVG_MARGIN;
	ks_svg_keys_make(&c.keys, r, c.p);
	ks_svg_begin(&c.svg, v, out);
	c.tracks = (struct ks_tracks){ .svg = &c.svg,
				       .r = r,
				       .p = c.p,
				       .keys = &c.keys,
				       .width = (double)ks_limit(KS_LIMIT_PICTURE_COLUMNS) };
	draw(&c);
	ks_out_ch(out, '\n');
	return ks_svg_done(&c.svg, err);
}

const struct ks_render_ops ks_render_timeline = {
	.format = KS_FORMAT_TIMELINE,
	.render = render,
};
