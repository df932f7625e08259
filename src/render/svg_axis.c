/* SPDX-License-Identifier: Apache-2.0
 *
 * Axes of pictures. Places ticks and words them; measures nothing.
 */
#include "render/svg_axis.h"

#include <math.h>

#define TICKS	  10
#define LOG_TICKS 7

static ks_ns next_step(ks_ns step, int i)
{
	static const int times_two[] = { 4, 5, 4 }; /* 1 -> 2 -> 5 -> 10, halves avoided */

	return step * times_two[i % 3] / 2;
}

ks_ns ks_svg_step(ks_ns span, int ticks)
{
	ks_ns step = 1;

	for (int i = 0; span / step > ticks && step < INT64_MAX / 5; i++)
		step = next_step(step, i);
	return step;
}

ks_str ks_svg_tick(struct ks_svg *s, ks_ns t, ks_ns step, ks_ns most)
{
	static const struct {
		ks_ns per;
		const char *name;
	} unit[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "\xc2\xb5s" }, { 1, "ns" } };
	size_t u = 0;
	int decimals = 0;

	if (t == 0)
		return KS_LIT("0");
	while (u + 1 < KS_ARRAY_LEN(unit) && most < unit[u].per)
		u++;
	for (ks_ns part = unit[u].per; part > 1 && step % part != 0; part /= 10)
		decimals++;
	return ks_arena_fmt(s->pen.tmp, "%s %s",
			    ks_pen_fixed(&s->pen, (double)t / (double)unit[u].per, decimals).p,
			    unit[u].name);
}

static double place(const struct ks_svg_axis *a, ks_ns since)
{
	return a->x + a->width * (double)since / (double)(a->to - a->from);
}

void ks_svg_time_grid(struct ks_svg *s, const struct ks_svg_axis *a)
{
	const ks_ns span = a->to - a->from, step = ks_svg_step(span, TICKS);

	for (ks_ns t = 0; t <= span; t += step)
		KS_SVG_BOX(s, place(a, t) - 0.5, a->top, 1.0, a->bottom - a->top, 0.0,
			   KS_SVG_FAINT);
}

void ks_svg_time_labels(struct ks_svg *s, const struct ks_svg_axis *a, double y)
{
	const ks_ns span = a->to - a->from, step = ks_svg_step(span, TICKS);

	for (ks_ns t = 0; t <= span; t += step) {
		const double x = place(a, t);

		/* a label stays over the plot it belongs to */
		KS_SVG_TEXT(s, ks_svg_tick(s, t, step, span), .x = x, .y = y, .size = 11,
			    .fill = KS_SVG_MUTED, .middle = t > 0 && x < a->x + a->width - 30,
			    .right = x >= a->x + a->width - 30);
	}
}

double ks_svg_log_place(ks_ns from, ks_ns to, ks_ns at)
{
	const double low = log((double)(from > 0 ? from : 1)), high = log((double)to);

	if (high <= low || at <= from)
		return 0.0;
	return at >= to ? 1.0 : (log((double)at) - low) / (high - low);
}

/* Narrow spans have steps as a plain axis has, wide ones 1, 2 and 5 or powers of ten only. */
size_t ks_svg_log_marks(struct ks_svg *s, ks_ns from, ks_ns to, struct ks_svg_mark *mark,
			size_t max)
{
	const bool narrow = to / 8 <= from;
	const bool tens_only = to / 10000 > from;
	ks_ns step = narrow ? ks_svg_step(to - from, LOG_TICKS) : 1;
	ks_ns at = narrow ? (from + step - 1) / step * step : 1;
	size_t n = 0;

	for (int i = 0; at <= to && n < max; i++) {
		if (at >= from && (!tens_only || i % 3 == 0)) {
			mark[n].at = at;
			mark[n].where = ks_svg_log_place(from, to, at);
			mark[n++].label =
				narrow ? ks_svg_tick(s, at, step, to) : ks_svg_tick(s, at, at, at);
		}
		if (at > INT64_MAX / 5)
			break;
		at = narrow ? at + step : next_step(at, i);
	}
	return n;
}
