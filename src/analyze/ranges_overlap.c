/* SPDX-License-Identifier: Apache-2.0
 *
 * The second reading of NVTX ranges: kernel time that overlaps them, whoever launched it. Kernels
 * come in order of start; at every cut point it is kept how much kernel time lies before it, of all
 * kernels and of those of the range's own process, so that any range is a difference.
 */
#include "analyze/ranges_internal.h"

#include <stdlib.h>

#include "base/mem.h"
#include "tables/tables.h"

/* Kernels of one process, or all. Sums wrap: only their differences are used, and those fit. */
struct running {
	uint64_t done_ns;      /* of kernels that have ended */
	uint64_t n, starts_ns; /* of those that run */
	uint64_t begun, ended;
};
struct active {
	ks_ns start, end;
	uint32_t owner; /* KS_RANGE_NONE: no range has its process */
};

struct ks_range_overlap {
	bool by_thread, complete;
	uint32_t *by_time; /* cut points in order of time over all threads */
	size_t next;	   /* the first that is still to come */
	struct ks_map owners;
	struct running *owner;
	uint32_t *owner_of; /* by thread */
	struct running all;
	struct active *heap; /* least end on top */
	size_t n_heap, heap_cap;
	ks_ns last_start;
	/* by cut point */
	ks_ns *ns, *owner_ns;
	uint64_t *begun, *ended;
};

void ks_ranges_overlap_close(struct ks_ranges *r)
{
	struct ks_range_overlap *o = r->overlap;

	if (!o)
		return;
	ks_map_release(&o->owners);
	void *const owned[] = { o->by_time, o->owner,	 o->owner_of, o->heap,
				o->ns,	    o->owner_ns, o->begun,    o->ended };

	for (size_t i = 0; i < KS_ARRAY_LEN(owned); i++)
		ks_mem_free(owned[i]);
	ks_mem_free(o);
	r->overlap = NULL;
}

/* --- beginning -----------------------------------------------------------------------------------
 */

/* The cut points of each thread are in order: a merge, with the next of each thread in the heap. */
static bool order_cuts(struct ks_ranges *r, struct ks_range_overlap *o)
{
	struct ks_range_heap heap = { 0 };
	uint32_t *at = ks_mem_alloc((r->n_threads + 1) * sizeof(*at));
	size_t n = 0;
	bool ok = at != NULL;

	for (uint32_t t = 0; ok && t < r->n_threads; t++) {
		at[t] = r->thread[t].cut_at;
		if (at[t] < r->thread[t + 1].cut_at)
			ok = ks_range_heap_push(&heap, r->time[at[t]], t);
	}
	while (ok && heap.n > 0) {
		const uint32_t t = ks_range_heap_pop(&heap);

		o->by_time[n++] = at[t]++;
		if (at[t] < r->thread[t + 1].cut_at)
			ok = ks_range_heap_push(&heap, r->time[at[t]], t);
	}
	ks_mem_free(heap.item);
	ks_mem_free(at);
	return ok;
}

static bool number_owners(const struct ks_ranges *r, struct ks_range_overlap *o)
{
	ks_map_init(&o->owners, sizeof(int64_t), r->n_threads + 1);
	for (size_t t = 0; t < r->n_threads; t++) {
		const int64_t id = r->thread[t].id;
		const int64_t owner = o->by_thread || id == KS_UNKNOWN ? id : id >> 24;

		o->owner_of[t] = ks_map_add(&o->owners, &owner, NULL);
		if (o->owner_of[t] == KS_MAP_NONE)
			return false;
	}
	return true;
}

static enum ks_status begin(struct ks_ranges *r, bool by_thread, struct ks_err *err)
{
	KS_TRY(ks_ranges_settled(r, err));
	ks_ranges_overlap_close(r);
	struct ks_range_overlap *o = ks_mem_alloc(sizeof(*o));
	const size_t n = r->n_cuts + 1;

	r->overlap = o;
	if (!o)
		return ks_ranges_no_memory(err);
	o->by_thread = by_thread;
	o->last_start = INT64_MIN;
	o->by_time = ks_mem_alloc(n * sizeof(*o->by_time));
	o->ns = ks_mem_alloc(n * sizeof(*o->ns));
	o->owner_ns = ks_mem_alloc(n * sizeof(*o->owner_ns));
	o->begun = ks_mem_alloc(n * sizeof(*o->begun));
	o->ended = ks_mem_alloc(n * sizeof(*o->ended));
	o->owner = ks_mem_alloc((r->n_threads + 1) * sizeof(*o->owner));
	o->owner_of = ks_mem_alloc((r->n_threads + 1) * sizeof(*o->owner_of));
	if (o->by_time && o->ns && o->owner_ns && o->begun && o->ended && o->owner && o->owner_of &&
	    order_cuts(r, o) && number_owners(r, o))
		return KS_OK;
	return ks_ranges_no_memory(err);
}

enum ks_status ks_ranges_overlap_begin(struct ks_ranges *r, struct ks_err *err)
{
	return begin(r, false, err);
}

enum ks_status ks_ranges_overlap_begin_by_thread(struct ks_ranges *r, struct ks_err *err)
{
	return begin(r, true, err);
}

/* --- the sweep -----------------------------------------------------------------------------------
 */

static void start_in(struct running *k, ks_ns start)
{
	k->n++;
	k->begun++;
	k->starts_ns += (uint64_t)start;
}

static void end_in(struct running *k, const struct active *a)
{
	k->n--;
	k->ended++;
	k->starts_ns -= (uint64_t)a->start;
	k->done_ns += (uint64_t)a->end - (uint64_t)a->start;
}

static ks_ns time_before(const struct running *k, ks_ns at)
{
	return (ks_ns)(k->done_ns + k->n * (uint64_t)at - k->starts_ns);
}

static void pop_active(struct ks_range_overlap *o)
{
	const struct active top = o->heap[0], moved = o->heap[--o->n_heap];
	size_t at = 0;

	for (size_t child; (child = 2 * at + 1) < o->n_heap; at = child) {
		if (child + 1 < o->n_heap && o->heap[child + 1].end < o->heap[child].end)
			child++;
		if (o->heap[child].end >= moved.end)
			break;
		o->heap[at] = o->heap[child];
	}
	o->heap[at] = moved;
	end_in(&o->all, &top);
	if (top.owner != KS_RANGE_NONE)
		end_in(&o->owner[top.owner], &top);
}

static bool push_active(struct ks_range_overlap *o, const struct active *a)
{
	if (!KS_GROW(o->heap, o->heap_cap, o->n_heap + 1, SIZE_MAX))
		return false;

	size_t at = o->n_heap++;

	while (at > 0 && a->end < o->heap[(at - 1) / 2].end) {
		o->heap[at] = o->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	o->heap[at] = *a;
	return true;
}

/* The process (or thread) whose ranges a cut point belongs to. */
static uint32_t owner_of_cut(const struct ks_ranges *r, const struct ks_range_overlap *o,
			     uint32_t cut)
{
	uint32_t lo = 0, hi = (uint32_t)r->n_threads;

	while (hi - lo > 1) {
		const uint32_t mid = lo + (hi - lo) / 2;

		if (r->thread[mid].cut_at <= cut)
			lo = mid;
		else
			hi = mid;
	}
	return o->owner_of[lo];
}

/* Settles the cut points up to `at`: every kernel that starts before them has been added. */
static void settle_cuts_to(const struct ks_ranges *r, struct ks_range_overlap *o, ks_ns at)
{
	for (; o->next < r->n_cuts; o->next++) {
		const uint32_t cut = o->by_time[o->next];
		const ks_ns time = r->time[cut];

		if (time > at)
			return;
		while (o->n_heap > 0 && o->heap[0].end <= time)
			pop_active(o);
		const struct running *owner = &o->owner[owner_of_cut(r, o, cut)];
		const struct running *counted = o->by_thread ? owner : &o->all;

		o->ns[cut] = time_before(&o->all, time);
		o->owner_ns[cut] = time_before(owner, time);
		o->begun[cut] = counted->begun;
		o->ended[cut] = counted->ended;
	}
}

enum ks_status ks_ranges_overlap_add(struct ks_ranges *r, int64_t process, ks_ns start, ks_ns end,
				     struct ks_err *err)
{
	struct ks_range_overlap *o = r->overlap;
	const int64_t owner = o->by_thread || process == KS_UNKNOWN ? process : process >> 24;
	struct active a = { start, end, KS_RANGE_NONE };

	BUG_ON(start < o->last_start);
	o->last_start = start;
	settle_cuts_to(r, o, start);
	if (process != KS_UNKNOWN)
		a.owner = ks_map_find(&o->owners, &owner);
	start_in(&o->all, start);
	if (a.owner != KS_RANGE_NONE)
		start_in(&o->owner[a.owner], start);
	return push_active(o, &a) ? KS_OK : ks_ranges_no_memory(err);
}

enum ks_status ks_ranges_overlap_end(struct ks_ranges *r, struct ks_err *err)
{
	struct ks_range_overlap *o = r->overlap;

	(void)err;
	settle_cuts_to(r, o, INT64_MAX);
	while (o->n_heap > 0)
		pop_active(o);
	ks_mem_free(o->heap);
	o->heap = NULL;
	o->heap_cap = 0;
	o->complete = true;
	return KS_OK;
}

/* --- answers -------------------------------------------------------------------------------------
 */

struct ks_range_reading ks_ranges_overlap(const struct ks_ranges *r)
{
	const struct ks_range_overlap *o = r->overlap;

	return (struct ks_range_reading){ o->by_thread ? o->owner_ns : o->ns, o->begun, o->ended,
					  true };
}

/* Kernel time over the union of the instances, which come in order of start. */
static ks_ns union_ns(const struct ks_ranges *r, const struct ks_range_reading *by, uint32_t group)
{
	const struct ks_range_group *g = &r->group[group];
	ks_ns sum = 0, end = 0;
	uint32_t from = KS_RANGE_NONE, to = KS_RANGE_NONE;

	for (uint32_t i = g->at; i < g[1].at; i++) {
		const struct ks_settled_range *x = &r->range[r->order[i]];

		if (from == KS_RANGE_NONE || r->time[x->from] > end) {
			sum += from == KS_RANGE_NONE ? 0 : by->ns[to] - by->ns[from];
			from = x->from;
			to = x->to;
		} else if (r->time[x->to] > end) {
			to = x->to;
		}
		end = r->time[to];
	}
	return from == KS_RANGE_NONE ? 0 : sum + (by->ns[to] - by->ns[from]);
}

static bool add_overlap(const struct ks_ranges *r, const struct ks_range_reading *by,
			const struct ks_settled_range *x, struct ks_range_overlap_sum *s)
{
	const ks_ns *owner_ns = r->overlap->owner_ns;

	s->kernels += by->begun[x->to] - by->ended[x->from];
	if (r->thread[x->thread].id == KS_UNKNOWN)
		s->process_ns = KS_UNKNOWN; /* nobody knows whose range it is */
	else if (s->process_ns != KS_UNKNOWN &&
		 __builtin_add_overflow(s->process_ns, owner_ns[x->to] - owner_ns[x->from],
					&s->process_ns))
		return false;
	return !__builtin_add_overflow(s->ns, by->ns[x->to] - by->ns[x->from], &s->ns);
}

enum ks_status ks_ranges_overlap_sums(struct ks_ranges *r, struct ks_err *err)
{
	const struct ks_range_overlap *o = r->overlap;

	ks_mem_free(r->overlap_sum);
	r->overlap_sum = NULL;
	if (!o || !o->complete)
		return KS_OK;

	const struct ks_range_reading by = ks_ranges_overlap(r);

	r->overlap_sum = ks_mem_alloc(r->n_groups * sizeof(*r->overlap_sum));
	if (!r->overlap_sum)
		return ks_ranges_no_memory(err);
	for (size_t i = 0; i < r->n_ranges; i++) {
		const struct ks_settled_range *x = &r->range[i];

		if (!add_overlap(r, &by, x, &r->overlap_sum[x->group]))
			return ks_ranges_overflow(err);
	}
	for (uint32_t g = 0; g < r->n_groups; g++)
		r->overlap_sum[g].union_ns = o->by_thread ? KS_UNKNOWN : union_ns(r, &by, g);
	return KS_OK;
}

/* How many ranges begin less how many end at each cut point. NULL: no memory. */
static int64_t *changes_at_cuts(const struct ks_ranges *r)
{
	int64_t *change = ks_mem_alloc((r->n_cuts + 1) * sizeof(*change));

	for (size_t i = 0; change && i < r->n_ranges; i++) {
		change[r->range[i].from]++;
		change[r->range[i].to]--;
	}
	return change;
}

enum ks_status ks_ranges_overlap_attributed(struct ks_ranges *r, ks_ns *attributed, ks_ns *total,
					    struct ks_err *err)
{
	const struct ks_range_overlap *o = r->overlap;
	const struct ks_range_reading by = ks_ranges_overlap(r);
	int64_t *change = changes_at_cuts(r), open = 0;
	ks_ns since = 0;

	if (!change)
		return ks_ranges_no_memory(err);
	*attributed = 0;
	*total = (ks_ns)o->all.done_ns;
	for (size_t i = 0; i < r->n_cuts; i++) {
		/* cut points of a thread are in order by themselves */
		const uint32_t cut = o->by_thread ? (uint32_t)i : o->by_time[i];

		if (open == 0)
			since = by.ns[cut];
		open += change[cut];
		if (open == 0)
			*attributed += by.ns[cut] - since;
	}
	ks_mem_free(change);
	return KS_OK;
}
