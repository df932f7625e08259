/* SPDX-License-Identifier: Apache-2.0
 *
 * Two bar charts: how long the launches of the kernel with most time took, and how long each step
 * took. Heights are drawn against the largest; every number in words is the report's.
 */
#include "render/html.h"

#include "base/str.h"
#include "evidence/ratio.h"

#define WIDTH	  1000 /* user units */
#define HEIGHT	  100
#define MARKS	  24
#define MARK_ROOM 0.17 /* of the width, between labels */

static void open_chart(struct ks_html *h, ks_str label)
{
	ks_html_open(h, "svg", "ch");
	ks_xmlw_attr_fmt(&h->svg.w, "viewBox", "0 0 %d %d", WIDTH, HEIGHT);
	ks_html_attr(h, "preserveAspectRatio", "none");
	ks_html_attr(h, "role", "img");
	ks_xmlw_attr(&h->svg.w, "aria-label", ks_html_clip(h, label, 400));
}

/* Standing on the bottom, from x to x + w; what is there can be seen. */
static void add_column(struct ks_buf *path, int x, int w, double share)
{
	const int top = (int)(HEIGHT - share * HEIGHT + 0.5);

	ks_buf_fmt(path, "M%d %dV%dh%dV%dz", x, HEIGHT, top < HEIGHT - 2 ? top : HEIGHT - 2,
		   w > 1 ? w : 1, HEIGHT);
}

static void put_path(struct ks_html *h, const char *class, struct ks_buf *path)
{
	/* kept in the arena, so that a want of memory is not a shorter line */
	const ks_str d = ks_buf_keep(path, h->svg.pen.tmp);

	if (d.n > 0) {
		ks_html_open(h, "path", class);
		ks_xmlw_attr(&h->svg.w, "d", d);
		ks_html_close(h);
	}
	ks_buf_release(path);
}

/* --- durations -------------------------------------------------------------------------------- */

/* From the first bin to the last, and at least a twentieth of the duration: a kernel that hardly
 * varies shall look like one. */
static void scale(const struct ks_duration_picture *d, ks_ns *from, ks_ns *to)
{
	*from = d->by_duration[0].from_ns;
	*to = d->by_duration[d->n_by_duration - 1].to_ns;
	const ks_ns least = *from / 20 + 2, more = (least - (*to - *from)) / 2;

	if (more > 0 && *from > more) {
		*from -= more;
		*to += more;
	}
}

static void bins(struct ks_html *h, const struct ks_duration_picture *d, ks_ns from, ks_ns to)
{
	struct ks_buf path;

	ks_buf_init(&path, (size_t)1 << 16);
	for (size_t i = 0; i < d->n_by_duration; i++) {
		const struct ks_bin *b = &d->by_duration[i];
		const int left = (int)(WIDTH * ks_svg_log_place(from, to, b->from_ns));
		const int right = (int)(WIDTH * ks_svg_log_place(from, to, b->to_ns));

		if (b->n > 0 && d->most > 0)
			add_column(&path, left, right - left > 5 ? right - left - 2 : 4,
				   (double)b->n / (double)d->most);
	}
	put_path(h, "k0", &path);
}

static void marks(struct ks_html *h, ks_ns from, ks_ns to)
{
	struct ks_svg_mark mark[MARKS];
	const size_t n = ks_svg_log_marks(&h->svg, from, to, mark, MARKS);
	double free = -1.0;

	ks_html_open(h, "div", "ax");
	ks_html_attr(h, "aria-hidden", "true");
	for (size_t i = 0; i < n; i++) {
		const bool right = 100.0 * mark[i].where > KS_HTML_TICK_RIGHT;

		if (mark[i].where < free + (right ? MARK_ROOM : 0.0))
			continue;
		free = mark[i].where + MARK_ROOM;
		ks_html_tick(h, 100.0 * mark[i].where, mark[i].label);
	}
	ks_html_close(h);
}

void ks_html_durations(struct ks_html *h)
{
	const struct ks_timeline *t = h->r->timeline;
	struct ks_pen *p = &h->svg.pen;
	ks_ns from, to;

	if (t == NULL || t->n_durations == 0 || t->duration[0].n_by_duration == 0 ||
	    t->duration[0].launches < 2)
		return;
	const struct ks_duration_picture *d = &t->duration[0];
	const double mean = ks_mean_ns(d->sum_ns, d->launches);
	const ks_str part[] = {
		ks_html_count(h, d->launches, KS_TEXT_R_LAUNCH, KS_TEXT_R_LAUNCHES),
		KS_PEN_SAY(p, KS_TEXT_R_DUR_RANGE, ks_pen_duration(p, d->min_ns),
			   ks_pen_duration(p, d->max_ns)),
		mean >= 0.0
			? KS_PEN_SAY(p, KS_TEXT_R_SVG_MEAN, ks_pen_duration(p, (ks_ns)(mean + 0.5)))
			: KS_LIT(""),
		KS_PEN_SAY(p, KS_TEXT_R_DUR_MOST,
			   ks_html_count(h, d->most, KS_TEXT_R_LAUNCH, KS_TEXT_R_LAUNCHES)),
	};
	const ks_str said = ks_svg_joined(&h->svg, part, KS_ARRAY_LEN(part), 200);

	scale(d, &from, &to);
	ks_html_section(h, "durations", KS_PEN_WORD(p, KS_TEXT_H_DURATIONS));
	ks_html_open(h, "figure", NULL);
	ks_html_open(h, "figcaption", NULL);
	ks_html_open(h, "code", NULL);
	ks_html_put(h, ks_pen_name(p, d->kernel, h->level->name_cols, KS_LIT("")),
		    h->level->name_cols);
	ks_html_close(h);
	ks_html_open(h, "small", NULL);
	ks_html_put(h, said, 200);
	ks_html_close_n(h, 2);
	open_chart(h, said);
	bins(h, d, from, to);
	ks_html_close(h);
	marks(h, from, to);
	ks_html_close(h);
	ks_html_el(h, "p", "mu", KS_PEN_WORD(p, KS_TEXT_R_DUR_COL_HIST));
	ks_html_close(h);
}

/* --- steps ------------------------------------------------------------------------------------ */

enum step_kind { STEP_PLAIN, STEP_START, STEP_OUTLIER, STEP_KINDS };

static const struct {
	const char *class;
	enum ks_text text;
} step_kinds[STEP_KINDS] = {
	[STEP_PLAIN] = { "k0", KS_TEXT_H_STEP_PLAIN },
	[STEP_START] = { "ko", KS_TEXT_H_STEP_START },
	[STEP_OUTLIER] = { "km", KS_TEXT_H_STEP_OUTLIER },
};

static enum step_kind kind_of(const struct ks_step *s)
{
	return s->mark == KS_STEP_OUTLIER ? STEP_OUTLIER
	       : s->mark == KS_STEP_PLAIN ? STEP_PLAIN
					  : STEP_START;
}

static ks_ns length_of(const struct ks_step *s)
{
	return s->end_ns - s->start_ns;
}

/* Where there are more steps than bars, a bar is the longest of its steps. */
static size_t longest(const struct ks_steps *s, size_t from, size_t to)
{
	size_t best = from;

	for (size_t i = from + 1; i < to; i++)
		if (length_of(&s->step[i]) > length_of(&s->step[best]))
			best = i;
	return best;
}

static void step_bars(struct ks_html *h, const struct ks_steps *s, size_t bars, ks_ns most)
{
	struct ks_buf path[STEP_KINDS];

	for (int k = 0; k < STEP_KINDS; k++)
		ks_buf_init(&path[k], (size_t)1 << 18);
	for (size_t i = 0; i < bars; i++) {
		const size_t at = longest(s, i * s->n / bars, (i + 1) * s->n / bars);
		const int left = (int)(WIDTH * i / bars), right = (int)(WIDTH * (i + 1) / bars);

		add_column(&path[kind_of(&s->step[at])], left,
			   right - left > 4 ? right - left - 1 : right - left,
			   most > 0 ? (double)length_of(&s->step[at]) / (double)most : 0.0);
	}
	for (int k = 0; k < STEP_KINDS; k++)
		put_path(h, step_kinds[k].class, &path[k]);
}

static void step_legend(struct ks_html *h, const struct ks_steps *s)
{
	bool seen[STEP_KINDS] = { false };

	for (size_t i = 0; i < s->n; i++)
		seen[kind_of(&s->step[i])] = true;
	ks_html_open(h, "ul", "key");
	for (int k = 0; k < STEP_KINDS; k++)
		if (seen[k])
			ks_html_el(h, "li", step_kinds[k].class,
				   KS_PEN_WORD(&h->svg.pen, step_kinds[k].text));
	ks_html_close(h);
}

void ks_html_steps(struct ks_html *h)
{
	const struct ks_timeline *t = h->r->timeline;
	struct ks_pen *p = &h->svg.pen;

	if (t == NULL || t->steps.n == 0 || t->steps.step == NULL)
		return;
	const struct ks_steps *s = &t->steps;
	const size_t bars = s->n < h->level->steps ? s->n : h->level->steps;
	const ks_ns most = length_of(&s->step[longest(s, 0, s->n)]);
	const ks_str said = KS_PEN_SAY(p, KS_TEXT_H_STEPS_SAID, ks_pen_u64(p, s->n),
				       ks_html_clip(h, s->name, 60), ks_pen_duration(p, most));

	ks_html_section(h, "steps", KS_PEN_WORD(p, KS_TEXT_R_T_STEPS_TITLE));
	ks_html_open(h, "figure", NULL);
	ks_html_el(h, "figcaption", NULL, said);
	open_chart(h, said);
	step_bars(h, s, bars, most);
	ks_html_close(h);
	step_legend(h, s);
	ks_html_close(h);
	if (bars < s->n)
		ks_html_el(h, "p", "mu",
			   KS_PEN_SAY(p, KS_TEXT_H_STEPS_BINNED, ks_pen_u64(p, bars)));
	ks_html_close(h);
}
