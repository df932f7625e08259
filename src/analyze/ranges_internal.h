/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside ranges*.c and steps.c only: what a settled set of ranges looks like. Threads are in order
 * of their ids, ranges by thread, start, longer first, domain and name, names by text; nothing
 * depends on the order of rows. Times are cut points, numbered over all threads.
 */
#ifndef KS_ANALYZE_RANGES_INTERNAL_H
#define KS_ANALYZE_RANGES_INTERNAL_H

#include "analyze/ranges.h"
#include "base/map.h"

#define KS_RANGE_NONE	      UINT32_MAX
#define KS_RANGE_TYPE_UNKNOWN (-1)

struct ks_raw_range { /* as it came; gone once settled */
	ks_ns start, end;
	uint32_t name, thread, domain;
	int16_t type;	  /* eventType, KS_RANGE_TYPE_UNKNOWN */
	uint16_t crosses; /* it ended on another thread */
};
struct ks_range_point { /* a mark, or the start of a range that was never closed */
	ks_ns at;
	uint32_t name, thread, domain;
	bool open;
};
struct ks_range_domain_key {
	int64_t process, id;
};
struct ks_range_domain_title { /* a row of type 75 */
	uint32_t key, name;
};

struct ks_settled_range {
	uint32_t from, to; /* cut points */
	uint32_t group, thread;
	uint32_t depth; /* ranges of its thread and domain that were open when it started */
	int16_t type;
	uint16_t crosses;
};
struct ks_range_group { /* all ranges of one name and domain */
	uint32_t name, domain;
	uint32_t at; /* its instances by start: order[at] ... */
};
struct ks_range_domain {
	int64_t id;
	ks_str name;
};
struct ks_range_thread {
	int64_t id;
	uint32_t range_at, cut_at;
	uint32_t cursor; /* the cut point found last */
};

struct ks_range_open_end { /* of a heap: the least end on top */
	ks_ns end;
	uint32_t range;
};
struct ks_range_heap {
	struct ks_range_open_end *item;
	size_t n, cap;
};

struct ks_range_overlap;    /* ranges_overlap.c */
struct ks_range_view_state; /* ranges_view.c */

struct ks_range_union_cover {
	ks_ns end, sum;
};

struct ks_ranges {
	/* while rows come in; numbers of threads and domains are those of arrival */
	struct ks_raw_range *raw;
	size_t n_raw, raw_cap;
	struct ks_range_point *point;
	size_t n_points, point_cap;
	struct ks_map thread_map, domain_map;
	struct ks_range_domain_title *title;
	size_t n_titles, title_cap;
	struct ks_ranges_counts counts;
	int64_t last_add_thread, last_add_domain; /* of the row before, and their numbers */
	uint32_t last_add[2];
	bool any_add;

	/* settled; each of the first four has one element more than its number, as a fence */
	bool settled;
	struct ks_range_thread *thread;
	struct ks_range_group *group;
	ks_ns *time;	   /* of cut points */
	ks_ns *segment_ns; /* behind its cut point; summed up to before it once `summed` */
	uint64_t *segment_n;
	struct ks_settled_range *range;
	uint32_t *order;
	struct ks_range_domain *domain;
	ks_str *name;
	ks_str *raw_name; /* NULL, or what the names were before they were published */
	struct ks_redact *redact;
	size_t n_threads, n_groups, n_cuts, n_ranges, n_domains, n_names;
	uint32_t *thread_of;  /* number of arrival -> settled */
	struct ks_arena text; /* names of our own */
	struct ks_range_heap heap;
	ks_ns none_ns;
	bool summed;

	int64_t last_thread; /* looked up last */
	uint32_t last_number;

	/* answers */
	ks_ns *own; /* by group */
	struct ks_range_group_sum *sum;
	struct ks_range_overlap_sum *overlap_sum; /* NULL: the second reading was not asked for */
	struct ks_range_group_rank *rank;	  /* of the log */
	size_t n_rank, rank_at;

	uint64_t *union_mask; /* by segment */
	struct ks_range_union_cover *cover;
	size_t n_covers;

	struct ks_range_overlap *overlap;

	uint32_t *stack; /* by segment */
	ks_str *stack_text;
	size_t n_stacks;

	uint32_t *step_range; /* the steps found last */
	struct ks_step *step;
	size_t n_steps;

	struct ks_range_view_state *view;
};

enum ks_status ks_ranges_no_memory(struct ks_err *err);

/* --- settling ------------------------------------------------------------------------------------
 */
struct ks_range_settling {
	struct ks_ranges *r;
	const ks_str *text;
	size_t n_texts;
	uint32_t *name_of;   /* number of the caller -> rank; the last one is that of no name */
	uint32_t *domain_of; /* number of arrival -> number */
	struct ks_raw_range *sorted;
	uint32_t *spare; /* as many numbers as ranges */
};

enum ks_status ks_ranges_settled(struct ks_ranges *r, struct ks_err *err);
bool ks_range_settle_names(struct ks_range_settling *s);
bool ks_range_settle_domains(struct ks_range_settling *s);		       /* after the names */
size_t ks_range_name_slot(const struct ks_range_settling *s, uint32_t number); /* of name_of */

/* --- the heap ------------------------------------------------------------------------------------
 */
bool ks_range_heap_push(struct ks_range_heap *h, ks_ns end, uint32_t range) KS_MUST_USE;
uint32_t ks_range_heap_pop(struct ks_range_heap *h);

/* --- walking a thread: every opening and closing in order of time, closings first ----------------
 */
struct ks_range_walk {
	const struct ks_ranges *r;
	struct ks_range_heap *heap; /* has room for all that are open at once */
	uint32_t next, end;
};
void ks_range_walk_begin(struct ks_range_walk *w, struct ks_ranges *r, uint32_t thread);
bool ks_range_walk_next(struct ks_range_walk *w, uint32_t *range, bool *opens);

static inline uint32_t ks_range_domain_of(const struct ks_ranges *r, uint32_t range)
{
	return r->group[r->range[range].group].domain;
}
static inline ks_ns ks_range_start(const struct ks_ranges *r, uint32_t range)
{
	return r->time[r->range[range].from];
}
static inline ks_ns ks_range_end(const struct ks_ranges *r, uint32_t range)
{
	return r->time[r->range[range].to];
}

/* --- readings: kernel time and number up to a cut point ------------------------------------------
 */
struct ks_range_reading {
	const ks_ns *ns;
	const uint64_t *begun, *ended; /* kernels in [a, b): begun[b] - ended[a] */
	bool overlap;
};
void ks_ranges_sum_up(struct ks_ranges *r); /* segments become sums up to their cut point */
struct ks_range_reading ks_ranges_projection(const struct ks_ranges *r);
struct ks_range_reading ks_ranges_overlap(const struct ks_ranges *r);
/* Sums of all groups by overlap, where it was asked for. */
enum ks_status ks_ranges_overlap_sums(struct ks_ranges *r, struct ks_err *err);
/* Of all threads; total: all kernel time. */
enum ks_status ks_ranges_overlap_attributed(struct ks_ranges *r, ks_ns *attributed, ks_ns *total,
					    struct ks_err *err);
void ks_ranges_overlap_close(struct ks_ranges *r);
void ks_ranges_view_close(struct ks_ranges *r);
ks_ns ks_ranges_total_ns(const struct ks_ranges *r);

/* --- phases --------------------------------------------------------------------------------------
 */
struct ks_range_group_sum { /* of the instances in the window */
	uint64_t instances, kernels;
	ks_ns wall_ns, min_ns, max_ns, kernel_ns, worst_ns;
	uint32_t depth;
	int16_t type; /* KS_RANGE_TYPE_UNKNOWN: not recorded, or mixed */
};
struct ks_range_overlap_sum {
	ks_ns ns, process_ns, union_ns;
	uint64_t kernels;
};
struct ks_range_group_rank {
	ks_ns kernel_ns;
	uint32_t group, depth;
};

struct ks_ranges_answering {
	struct ks_ranges *r;
	const struct ks_ranges_ask *ask;
	struct ks_range_reading by;
	struct ks_arena *arena;
	struct ks_timeline *t;
	struct ks_err *err;
};

enum ks_status ks_ranges_overflow(struct ks_err *err);
/* Fills r->own; *covered: kernel time in any range, thread by thread. */
enum ks_status ks_ranges_own_times(struct ks_ranges_answering *a, ks_ns *covered);
void ks_ranges_make_phase(const struct ks_ranges *r, uint32_t group, struct ks_phase *p);
enum ks_status ks_ranges_put_folded(struct ks_ranges_answering *a);

/* --- steps ---------------------------------------------------------------------------------------
 */
bool ks_steps_has_word(ks_str name);
/* Marks of step[0 .. out->n), at least three; v has room for as many. */
void ks_steps_mark(struct ks_step *step, struct ks_steps *out, double *v);

/* --- open ranges as lists, and their paths (ranges_paths.c) --------------------------------------
 */
struct ks_range_paths; /* tree of paths with their time; NULL where only lists are wanted */

struct ks_range_lists {	       /* one list per domain, or one for all */
	uint32_t *prev, *next; /* by range */
	uint32_t *tail;	       /* by list */
	struct ks_range_paths *paths;
};
bool ks_range_lists_open(struct ks_range_lists *l, const struct ks_ranges *r,
			 size_t n_lists) KS_MUST_USE;
void ks_range_lists_close(struct ks_range_lists *l);
void ks_range_lists_push(struct ks_range_lists *l, uint32_t list, uint32_t range);
void ks_range_lists_remove(struct ks_range_lists *l, uint32_t list, uint32_t range);

/* by_group: frames are groups and there is no root; else names below a root per list. */
struct ks_range_paths *ks_range_paths_open(const struct ks_ranges *r, size_t n_lists,
					   bool by_group);
void ks_range_paths_close(struct ks_range_paths *p);
/* Node of what is open in the list, which is not empty; KS_RANGE_NONE: no memory. */
uint32_t ks_range_paths_node(struct ks_range_lists *l, uint32_t list);
bool ks_range_paths_add(struct ks_range_lists *l, uint32_t list, ks_ns ns, uint64_t kernels);
size_t ks_range_paths_count(const struct ks_range_paths *p);
/* Frames of a node, innermost first; their number. */
size_t ks_range_paths_frames(const struct ks_range_paths *p, uint32_t node, uint32_t *frame,
			     size_t cap);
/* The tree into `t`. */
enum ks_status ks_range_paths_answer(struct ks_range_lists *l, const struct ks_ranges_ask *ask,
				     struct ks_arena *arena, struct ks_timeline *t,
				     struct ks_err *err);

/* --- finding (ranges_find.c)
 * ----------------------------------------------------------------------
 */
uint32_t ks_range_name_find(const struct ks_ranges *r, ks_str name); /* KS_RANGE_NONE: not there */
uint32_t ks_range_group_find(const struct ks_ranges *r, int64_t domain_id, ks_str domain,
			     ks_str name);

/* --- names with digits folded (ranges_fold.c) ----------------------------------------------------
 */
struct ks_range_fold {
	struct ks_intern text; /* "Step # to #" */
	uint32_t *of;	       /* by name */
};
bool ks_range_fold_open(struct ks_range_fold *f, const struct ks_ranges *r) KS_MUST_USE;
void ks_range_fold_close(struct ks_range_fold *f);
/* Numbers of all groups by folded name, and by domain within it; to be freed. NULL: no memory. */
uint32_t *ks_range_fold_groups(const struct ks_range_fold *fold, const struct ks_ranges *r);
/* `s` with every run of digits as one '#', cut to what out holds; its length. */
size_t ks_range_fold_text(ks_str s, char *out, size_t cap);

#endif
