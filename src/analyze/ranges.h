/* SPDX-License-Identifier: Apache-2.0
 *
 * The NVTX ranges of a trace, at most 100 bytes each. The ends of all ranges of a thread, of
 * whatever domain, cut its time into segments; what a thread launches is counted into the segment
 * its call starts in. From the segments come, without looking at a launch again: inclusive time of
 * every range however ranges overlap, own time per domain, and the tree of paths (contract 06 §13).
 *
 *     add* -> settle -> segment() while calls come -> count() while launches come -> questions
 */
#ifndef KS_ANALYZE_RANGES_H
#define KS_ANALYZE_RANGES_H

#include "base/arena.h"
#include "base/err.h"
#include "base/redact.h"
#include "evidence/timeline.h"
#include "model/trace.h"

#define KS_SEGMENT_NONE UINT32_MAX /* a thread without ranges, or no call known */

struct ks_ranges;

struct ks_ranges *ks_ranges_open(void);
void ks_ranges_close(struct ks_ranges *r);
/* NULL: names are published as they are. */
void ks_ranges_redact(struct ks_ranges *r, struct ks_redact *redact);

/* `name` is the number of row->name in the caller's table of names (0 ... ), UINT32_MAX for none.
 * Rows without an end, with end == start (marks) and with no start are counted and make no range;
 * marks are kept for pictures. Type 75 names a domain, 33 and 39 are no ranges. */
enum ks_status ks_ranges_add(struct ks_ranges *r, const struct ks_range *row, uint32_t name,
			     struct ks_err *err);
/* After the last row: `text` are the names by number. Same text is one name from here on, whatever
 * its number was; numbers of names are then in the order of their texts. The texts are borrowed:
 * they must live as long as `r`. */
enum ks_status ks_ranges_settle(struct ks_ranges *r, const ks_str *text, size_t n_texts,
				struct ks_err *err);

struct ks_ranges_counts {
	uint64_t closed, open, marks, bad, rows;
	uint64_t crossing; /* of the closed ones: ended on another thread */
	size_t names, domains, threads, segments;
};
void ks_ranges_counts(const struct ks_ranges *r, struct ks_ranges_counts *c);

/* Instance `number` (from 0, by start) of the ranges of that name and domain ("" = any; by its name
 * or its number). False when there are not so many; found->have says how many there are. */
struct ks_range_found {
	ks_ns from, to; /* set when it is there */
	uint64_t have;
};
bool ks_ranges_instance(const struct ks_ranges *r, ks_str name, ks_str domain, uint64_t number,
			struct ks_range_found *found);
/* The range names nearest to one that is not there; at most max. When none is near: the first by
 * text.
 */
size_t ks_ranges_nearest(const struct ks_ranges *r, ks_str name, ks_str *out, size_t max);

/* The segment of the thread at that time. Cheap when times of a thread come in order. */
uint32_t ks_ranges_segment(struct ks_ranges *r, int64_t thread, ks_ns at);
/* Counts one launch into the segment its call started in; NONE counts as unattributed. */
void ks_ranges_count(struct ks_ranges *r, uint32_t segment, ks_ns duration);

/* After the last question by name: from here on names and domains read as a report calls them; what
 * folds alike still does. Steps have such names already. */
enum ks_status ks_ranges_publish(struct ks_ranges *r, struct ks_err *err);

/* The answers, after the last count. Strings borrow from `r`; arrays are in `arena`. */
struct ks_ranges_ask {
	size_t max_phases; /* rows of phase[] and folded_phase[] */
	bool paths;	   /* fill path[] */
	size_t max_paths;  /* of those with most time; a parent is always there */
	bool window_on;	   /* instances outside are left out, lengths are clipped */
	ks_ns from, to;
};
/* Fills ranges ... n_folded_phases of `t`; kernel times by projection. */
enum ks_status ks_ranges_answer(struct ks_ranges *r, const struct ks_ranges_ask *ask,
				struct ks_arena *arena, struct ks_timeline *t, struct ks_err *err);

/* Union of the kernels of phase[0 .. n): add every launch in order of start, then end. */
enum ks_status ks_ranges_union_begin(struct ks_ranges *r, const struct ks_phase *phase, size_t n,
				     struct ks_err *err);
void ks_ranges_union_add(struct ks_ranges *r, uint32_t segment, ks_ns start, ks_ns end);
void ks_ranges_union_end(struct ks_ranges *r, struct ks_phase *phase, size_t n);

/* The second reading: add every launch in order of start, then end. Afterwards the phases of the
 * log (and of `answer`, where `by_overlap`) carry overlap times. process: globalPid. */
enum ks_status ks_ranges_overlap_begin(struct ks_ranges *r, struct ks_err *err);
/* For traces whose kernels carry a thread (globalTid): it is then given in place of the process,
 * and kernels count for the ranges of their own thread alone. */
enum ks_status ks_ranges_overlap_begin_by_thread(struct ks_ranges *r, struct ks_err *err);
enum ks_status ks_ranges_overlap_add(struct ks_ranges *r, int64_t process, ks_ns start, ks_ns end,
				     struct ks_err *err);
enum ks_status ks_ranges_overlap_end(struct ks_ranges *r, struct ks_err *err);
/* Answers by overlap instead of projection; kernel_ns is overlap_ns, own_ns the innermost. */
enum ks_status ks_ranges_answer_overlap(struct ks_ranges *r, const struct ks_ranges_ask *ask,
					struct ks_arena *arena, struct ks_timeline *t,
					struct ks_err *err);

/* Every phase, for --format nvtx-csv; after one of the answers, with the same window. NULL: no
 * memory. */
const struct ks_phase_log *ks_ranges_phases(struct ks_ranges *r, const struct ks_ranges_ask *ask,
					    struct ks_arena *arena);

/* The path of open ranges of a segment, all domains together, outermost first and joined by ';'
 * ("domain:name" when there are several domains, ';' inside names replaced by ','). Numbers run
 * from 0; equal paths have equal numbers; UINT32_MAX: nothing is open, or nothing was launched in
 * the segment. After the last count. */
enum ks_status ks_ranges_stacks(struct ks_ranges *r, struct ks_arena *arena, struct ks_err *err);
uint32_t ks_ranges_stack(const struct ks_ranges *r, uint32_t segment);
ks_str ks_ranges_stack_text(const struct ks_ranges *r, uint32_t stack);

/* Steps (steps.c): of the name asked for, or found by name and by regularity. */
enum ks_status ks_ranges_steps(struct ks_ranges *r, ks_str asked, struct ks_arena *arena,
			       struct ks_steps *steps, struct ks_err *err);
/* The step whose range covers the segment; SIZE_MAX: none. */
size_t ks_ranges_step_of(const struct ks_ranges *r, uint32_t segment);
/* Kernel time of each step, after the last count. */
void ks_ranges_steps_time(const struct ks_ranges *r, struct ks_steps *steps);

/* Ranges and marks for pictures, lane by lane: a lane is one thread and domain, and more where
 * ranges overlap without nesting. In order of start, longer first. */
struct ks_range_view {
	uint32_t lane; /* 0 ... */
	int64_t thread, domain_id;
	ks_str domain, name;
	uint32_t lane_number; /* among the lanes of that thread and domain */
	uint32_t name_number;
	unsigned depth;
	ks_ns start_ns, end_ns;
};
enum ks_status ks_ranges_rewind(struct ks_ranges *r, struct ks_err *err);
bool ks_ranges_next(struct ks_ranges *r, struct ks_range_view *v);

#endif
