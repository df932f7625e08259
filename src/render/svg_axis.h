/* SPDX-License-Identifier: Apache-2.0
 *
 * Ticks of a picture's axes: steps of 1, 2 or 5 in one unit of time for the whole axis.
 */
#ifndef KS_RENDER_SVG_AXIS_H
#define KS_RENDER_SVG_AXIS_H

#include "render/svg_pen.h"

/* The smallest step of 1, 2 or 5 times a power of ten with at most `ticks` steps in the span. */
ks_ns ks_svg_step(ks_ns span, int ticks);
/* A time as a label of an axis that ends at `most` and has that step: "0", "1.5 ms". */
ks_str ks_svg_tick(struct ks_svg *s, ks_ns t, ks_ns step, ks_ns most);

struct ks_svg_axis { /* from the left edge of a plot; labels are times since `from` */
	double x, width, top, bottom;
	ks_ns from, to;
};
/* Light lines from top to bottom, and their labels above or below them. */
void ks_svg_time_grid(struct ks_svg *s, const struct ks_svg_axis *a);
void ks_svg_time_labels(struct ks_svg *s, const struct ks_svg_axis *a, double y);

/* Positions 0..1 and labels of a logarithmic axis of durations; returns how many, at most max. */
struct ks_svg_mark {
	ks_ns at;
	double where;
	ks_str label;
};
size_t ks_svg_log_marks(struct ks_svg *s, ks_ns from, ks_ns to, struct ks_svg_mark *mark,
			size_t max);
/* Where a duration stands between two on a logarithmic axis, 0..1. */
double ks_svg_log_place(ks_ns from, ks_ns to, ks_ns at);

#endif
