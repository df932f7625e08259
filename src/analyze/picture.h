/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside analyze/ only: the picture at work. picture.c turns slices into bars and columns,
 * picture_rows.c reads the log, clips it to the window and chooses the rows.
 */
#ifndef KS_ANALYZE_PICTURE_H
#define KS_ANALYZE_PICTURE_H

#include "base/arena.h"
#include "base/err.h"
#include "evidence/timeline.h"

#define KS_PICTURE_LEVELS 64 /* room; how many are used is a limit */

struct ks_picture_window {
	ks_ns from, to;
};
struct ks_picture_slice {
	struct ks_slice row;
	ks_ns from, to; /* the part in the window */
	bool comm;
	bool counter; /* a value that holds until `to` */
};
struct ks_picture_level { /* one level of the lane at work: its column at hand */
	bool open;
	size_t column, wanted; /* wanted: where the next slice starts */
	ks_ns covered_ns, covered_to;
	ks_ns longest_ns;
	struct ks_bar bin;
};
struct ks_picture_work {
	struct ks_timeline_picture *out;
	struct ks_picture_window in;
	size_t columns;
	double column_ns;
	uint32_t *row_of_lane; /* UINT32_MAX: not drawn */
	unsigned *depth;       /* by row */
	uint32_t lane;	       /* at work; UINT32_MAX: none yet */
	unsigned levels;
	struct ks_picture_level level[KS_PICTURE_LEVELS];
	ks_ns open_to[KS_PICTURE_LEVELS];
	unsigned n_open;
	size_t lowest_bar; /* last one of the lowest level, and where it ends */
	ks_ns lowest_to;
	struct ks_bar *bar;
	size_t n_bars, bar_cap;
};

/* The next slice in the order of the log; counts it as drawn or binned. */
enum ks_status ks_picture_slice(struct ks_picture_work *w, const struct ks_picture_slice *s,
				struct ks_err *err);
/* After the last one: bars go into the arena. */
enum ks_status ks_picture_finish(struct ks_picture_work *w, struct ks_arena *arena,
				 struct ks_err *err);
enum ks_status ks_picture_no_memory(struct ks_err *err);

#endif
