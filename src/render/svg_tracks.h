/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of a timeline picture: labels, bars, columns, idle gaps. svg_timeline.c puts head and
 * legend around them.
 */
#ifndef KS_RENDER_SVG_TRACKS_H
#define KS_RENDER_SVG_TRACKS_H

#include "render/svg_colour.h"
#include "render/svg_pen.h"

#define KS_TRACKS_X 220 /* left edge of the plot */

struct ks_tracks {
	struct ks_svg *svg;
	const struct ks_report *r;
	const struct ks_timeline_picture *p;
	const struct ks_svg_keys *keys;
	double width; /* of the plot */
	double top, bottom;
	double *row_y; /* of each row, its top */
	bool *heads;   /* rows that begin a group */
};

/* Where the rows lie from `top` on; returns the bottom of the last one. Arrays are in the pen's
 * arena. */
double ks_tracks_place(struct ks_tracks *t, double top);
/* What lies behind the grid, then what lies on it. */
void ks_tracks_back(struct ks_tracks *t);
void ks_tracks_front(struct ks_tracks *t);

#endif
