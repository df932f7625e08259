/* SPDX-License-Identifier: Apache-2.0
 *
 * The timeline as strips, one for each stream. The picture's bars are put into the columns of the
 * strip by area, so that a column is as high as the share of its time that is covered, however
 * coarse the strip is. Labels are text of the page, not of the picture: they stay readable on a
 * narrow screen.
 */
#include "render/html.h"

#include "base/str.h"

#define HEIGHT	    20 /* user units of a strip */
#define SEEN	    2  /* of them: the least that is drawn */
#define NAMED	    6  /* kernels with a colour of their own */
#define KINDS	    (NAMED + 3)
#define KIND_OTHER  NAMED
#define KIND_COPY   (NAMED + 1)
#define KIND_COMM   (NAMED + 2)
#define COLUMNS_MAX 600
#define TICKS	    4

static const char *const kind_class[KINDS] = {
	"k0", "k1", "k2", "k3", "k4", "k5", "ko", "kc", "km"
};

struct strips {
	struct ks_html *h;
	const struct ks_timeline_picture *p;
	ks_str named[NAMED];
	size_t n_named;
	bool seen[KINDS]; /* drawn: has an entry of the legend */
	size_t columns;
	double covered[KINDS][COLUMNS_MAX]; /* share of a column, of the strip at hand */
};

static unsigned kind_of(const struct strips *s, const struct ks_bar *b)
{
	if (s->p->row[b->row].kind == KS_LANE_COPY)
		return KIND_COPY;
	if (b->comm)
		return KIND_COMM;
	for (unsigned i = 0; i < s->n_named; i++)
		if (ks_str_eq(s->named[i], b->name))
			return i;
	return KIND_OTHER;
}

/* The kernels with most time that the picture shows and that do not communicate. */
static void choose_names(struct strips *s)
{
	const struct ks_report *r = s->h->r;

	for (size_t i = 0; i < r->n_kernels && i < 4 * NAMED && s->n_named < NAMED; i++) {
		bool drawn = false;

		for (size_t b = 0; b < s->p->n_bars && !drawn; b++)
			drawn = s->p->row[s->p->bar[b].row].kind == KS_LANE_STREAM &&
				!s->p->bar[b].comm &&
				ks_str_eq(s->p->bar[b].name, r->kernel[i].name);
		if (drawn)
			s->named[s->n_named++] = r->kernel[i].name;
	}
}

static void add_bar(struct strips *s, const struct ks_bar *b)
{
	double *covered = s->covered[kind_of(s, b)];
	const double from = b->x * (double)s->columns, to = from + b->width * (double)s->columns;

	for (size_t c = from > 0.0 ? (size_t)from : 0; c < s->columns && (double)c < to; c++) {
		const double left = from > (double)c ? from : (double)c;
		const double right = to < (double)(c + 1) ? to : (double)(c + 1);

		if (right > left)
			covered[c] += (right - left) * b->fill;
	}
}

/* What is covered at all can be seen. */
static int height(double covered)
{
	if (covered <= 0.0)
		return 0;
	return covered * HEIGHT < SEEN ? SEEN
	       : covered < 1.0	       ? (int)(covered * HEIGHT + 0.5)
				       : HEIGHT;
}

/* The outline of one kind standing on those below it, as runs of equal height. */
static void outline(struct strips *s, const int *top)
{
	struct ks_buf path;
	size_t run = 0;

	ks_buf_init(&path, (size_t)1 << 20);
	ks_buf_fmt(&path, "M0 %d", HEIGHT);
	for (size_t c = 0; c < s->columns; c++) {
		run++;
		if (c + 1 < s->columns && top[c + 1] == top[c])
			continue;
		ks_buf_fmt(&path, "V%dh%zu", HEIGHT - top[c], run);
		run = 0;
	}
	ks_buf_fmt(&path, "V%dz", HEIGHT);
	/* kept in the arena, so that a want of memory is not a shorter line */
	ks_xmlw_attr(&s->h->svg.w, "d", ks_buf_keep(&path, s->h->svg.pen.tmp));
	ks_buf_release(&path);
}

/* Kinds stand on each other; the topmost is drawn first and the lower ones over it. */
static void draw(struct strips *s)
{
	int top[KINDS][COLUMNS_MAX];
	bool any[KINDS] = { false };

	for (size_t c = 0; c < s->columns; c++) {
		int below = 0;

		for (unsigned k = 0; k < KINDS; k++) {
			const int own = height(s->covered[k][c]);

			below = below + own < HEIGHT ? below + own : HEIGHT;
			top[k][c] = below;
			any[k] = any[k] || own > 0;
		}
	}
	for (unsigned k = KINDS; k-- > 0;) {
		if (!any[k])
			continue;
		s->seen[k] = true;
		ks_html_open(s->h, "path", kind_class[k]);
		outline(s, top[k]);
		ks_html_close(s->h);
	}
}

static void strip(struct strips *s, size_t row)
{
	struct ks_html *h = s->h;
	struct ks_pen *p = &h->svg.pen;
	const struct ks_lane *l = &s->p->row[row];
	const ks_str name = ks_html_clip(h, l->name, 40);

	memset(s->covered, 0, sizeof(s->covered));
	for (size_t i = 0; i < s->p->n_bars; i++)
		if (s->p->bar[i].row == row)
			add_bar(s, &s->p->bar[i]);
	ks_xmlw_break(&h->svg.w);
	ks_html_open(h, "div", "ln");
	ks_html_el(h, "span", NULL, name);
	ks_html_open(h, "svg", NULL);
	ks_xmlw_attr_fmt(&h->svg.w, "viewBox", "0 0 %zu %d", s->columns, HEIGHT);
	ks_html_attr(h, "preserveAspectRatio", "none");
	ks_html_attr(h, "role", "img");
	ks_xmlw_attr(&h->svg.w, "aria-label",
		     KS_PEN_SAY(p, KS_TEXT_H_STRIP, name, ks_pen_u64(p, l->slices)));
	draw(s);
	ks_html_close_n(h, 2);
}

static void axis(struct strips *s)
{
	struct ks_html *h = s->h;
	const ks_ns span = s->p->to_ns - s->p->from_ns, step = ks_svg_step(span, TICKS);

	ks_html_open(h, "div", "ax");
	ks_html_attr(h, "aria-hidden", "true");
	for (ks_ns t = 0; t <= span && step > 0; t += step) {
		const double pct = 100.0 * (double)t / (double)span;

		if (pct < KS_HTML_TICK_RIGHT || (double)step * 3.0 > (double)span)
			ks_html_tick(h, pct, ks_svg_tick(&h->svg, t, step, span));
	}
	ks_html_close(h);
}

/* Short forms that are the same show the part in which the names differ. */
static ks_str named(struct strips *s, unsigned k)
{
	const size_t cols = s->h->level->name_cols / 2;
	struct ks_pen *p = &s->h->svg.pen;
	const ks_str mine = ks_pen_name(p, s->named[k], cols, KS_LIT(""));

	for (unsigned i = 0; i < k; i++)
		if (ks_str_eq(mine, ks_pen_name(p, s->named[i], cols, KS_LIT(""))))
			return ks_pen_name(p, s->named[k], cols, s->named[i]);
	return mine;
}

static void legend(struct strips *s)
{
	struct ks_html *h = s->h;
	struct ks_pen *p = &h->svg.pen;
	static const enum ks_text word[KINDS] = { [KIND_OTHER] = KS_TEXT_H_KIND_OTHER,
						  [KIND_COPY] = KS_TEXT_R_TL_LEGEND_COPY,
						  [KIND_COMM] = KS_TEXT_H_KIND_COMM };

	ks_html_open(h, "ul", "key");
	for (unsigned k = 0; k < KINDS; k++) {
		if (!s->seen[k])
			continue;
		ks_html_open(h, "li", kind_class[k]);
		ks_html_put(h, k < NAMED ? named(s, k) : KS_PEN_WORD(p, word[k]), 80);
		ks_html_close(h);
	}
	ks_html_close(h);
}

static ks_str lane_device(struct ks_html *h, const struct ks_lane *l)
{
	struct ks_pen *p = &h->svg.pen;

	if (l->gpu >= h->r->n_gpus || h->r->gpu[l->gpu].label < 0)
		return KS_PEN_WORD(p, KS_TEXT_R_DEVICE_UNKNOWN);
	return KS_PEN_SAY(p, KS_TEXT_R_DEVICE_BARE, ks_pen_i64(p, h->r->gpu[l->gpu].label));
}

static bool is_shown(const struct ks_lane *l)
{
	return l->kind == KS_LANE_STREAM || l->kind == KS_LANE_COPY;
}

/* With several devices each has its part of the strips. Returns how many are not shown. */
static size_t all_strips(struct strips *s)
{
	const size_t devices = s->h->r->n_gpus_used > 1 ? s->h->r->n_gpus_used : 1;
	const size_t each = s->h->level->lanes > devices ? s->h->level->lanes / devices : 1;
	size_t shown = 0, of_device = 0, left = 0, device = SIZE_MAX;

	for (size_t i = 0; i < s->p->n_rows; i++) {
		const struct ks_lane *l = &s->p->row[i];

		if (!is_shown(l))
			continue;
		if (l->gpu != device)
			of_device = 0;
		if (of_device == each || shown == s->h->level->lanes) {
			left++;
			continue;
		}
		if (l->gpu != device && devices > 1)
			ks_html_el(s->h, "p", "dv", lane_device(s->h, l));
		device = l->gpu;
		of_device++;
		shown++;
		strip(s, i);
	}
	return left;
}

static bool has_strips(const struct ks_timeline_picture *p)
{
	for (size_t i = 0; i < p->n_rows; i++)
		if (is_shown(&p->row[i]))
			return true;
	return false;
}

void ks_html_timeline(struct ks_html *h)
{
	const struct ks_timeline *t = h->r->timeline;
	struct ks_pen *p = &h->svg.pen;

	if (t == NULL || t->picture == NULL || !has_strips(t->picture) ||
	    t->picture->to_ns <= t->picture->from_ns)
		return;
	struct strips *s = KS_ARENA_NEW(p->tmp, struct strips);

	if (s == NULL)
		return;
	*s = (struct strips){ .h = h, .p = t->picture, .columns = h->level->columns };
	choose_names(s);
	ks_html_section(
		h, "timeline",
		KS_PEN_SAY(p, KS_TEXT_R_TL_TITLE, ks_pen_duration(p, s->p->to_ns - s->p->from_ns)));
	ks_html_open(h, "figure", NULL);
	ks_html_el(h, "figcaption", NULL, KS_PEN_WORD(p, KS_TEXT_H_TIMELINE_CAPTION));
	const size_t left = all_strips(s);

	axis(s);
	legend(s);
	ks_html_close(h);
	if (left + s->p->rows_left_out > 0)
		ks_html_el(h, "p", "mu",
			   KS_PEN_SAY(p, KS_TEXT_H_MORE_STRIPS,
				      ks_pen_u64(p, left + s->p->rows_left_out)));
	ks_html_close(h);
}
