/* SPDX-License-Identifier: Apache-2.0
 *
 * Every slice of the timeline, kept only when a trace file or a picture was asked for: 32 bytes
 * each, sorted and spilled past a budget. Comes back lane by lane.
 */
#ifndef KS_ANALYZE_SLICES_H
#define KS_ANALYZE_SLICES_H

#include "analyze/calls.h"
#include "analyze/sweep.h"

struct ks_slices;
struct ks_analysis;

/* limit: slices that are kept, those that start first; 0 = all. lanes: bits of ks_lane_kind, 0 =
 * all. */
struct ks_slices *ks_slices_open(const struct ks_io *io, uint64_t limit, unsigned lanes);
void ks_slices_close(struct ks_slices *s);
/* Whole rows, good ones, of which a part is in the window. */
enum ks_status ks_slices_launch(struct ks_slices *s, const struct ks_launch *row, uint32_t pair,
				const struct ks_call_hit *call, struct ks_err *err);
enum ks_status ks_slices_copy(struct ks_slices *s, const struct ks_copy *row, uint32_t device,
			      const struct ks_call_hit *call, struct ks_err *err);
enum ks_status ks_slices_memset(struct ks_slices *s, const struct ks_memset *row, uint32_t device,
				const struct ks_call_hit *call, struct ks_err *err);
enum ks_status ks_slices_sync(struct ks_slices *s, const struct ks_sync *row, uint32_t device,
			      struct ks_err *err);
enum ks_status ks_slices_memory(struct ks_slices *s, const struct ks_memory *row, uint32_t device,
				struct ks_err *err);
/* name: number of row->name. Calls without a correlation id are kept too. */
enum ks_status ks_slices_call(struct ks_slices *s, const struct ks_call *row, uint32_t name,
			      struct ks_err *err);
/* Lanes and order; ranges come from a->ranges. Afterwards the log below may be read. */
enum ks_status ks_slices_settle(struct ks_analysis *a, struct ks_report *r, struct ks_err *err);
const struct ks_slice_log *ks_slices_log(const struct ks_slices *s);

/* picture.c: bars and bins of the log for a picture `columns` wide; in the run arena. */
enum ks_status ks_picture_make(struct ks_analysis *a, const struct ks_slice_log *log,
			       unsigned columns, const struct ks_timeline_picture **picture,
			       struct ks_err *err);
/* durations.c: for the kernels of the report with most time (at most `max`), from the launch log
 * order of the sweep. */
enum ks_status ks_durations_make(struct ks_analysis *a, size_t max, struct ks_timeline *t,
				 struct ks_err *err);

#endif
