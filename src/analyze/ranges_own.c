/* SPDX-License-Identifier: Apache-2.0
 *
 * Own time: what the innermost open range of each domain gets, in one walk over the openings and
 * closings of every thread, and the tree of paths on the way. Gives no time to two ranges of a
 * domain.
 */
#include "analyze/ranges_internal.h"

#include "base/mem.h"
#include "tables/tables.h"

/* --- own time and paths --------------------------------------------------------------------------
 */

struct owning {
	const struct ks_ranges_answering *a;
	struct ks_range_lists lists; /* open ranges by domain */
	uint32_t *since;	     /* by domain: cut point up to which time was given out */
	bool overflow;
};

/* Time since the last change of the domain goes to its innermost range: the one that started last;
 * of those that started together the one that ends first. */
static bool give(struct owning *w, uint32_t domain, uint32_t cut)
{
	struct ks_ranges *r = w->a->r;
	const struct ks_range_reading *by = &w->a->by;
	const uint32_t inner = w->lists.tail[domain], from = w->since[domain];

	w->since[domain] = cut;
	if (inner == KS_RANGE_NONE || from == cut)
		return true;

	ks_ns *own = &r->own[r->range[inner].group];
	const ks_ns ns = by->ns[cut] - by->ns[from];
	const uint64_t kernels = by->overlap ? 0 : by->begun[cut] - by->ended[from];

	w->overflow |= __builtin_add_overflow(*own, ns, own);
	if (!w->lists.paths || (ns == 0 && kernels == 0))
		return true;
	return ks_range_paths_add(&w->lists, domain, ns, kernels);
}

/* Gives out the time of a thread; *covered grows by what lies in any range. */
static bool own_thread(struct owning *w, uint32_t thread, ks_ns *covered)
{
	struct ks_ranges *r = w->a->r;
	const ks_ns *ns = w->a->by.ns;
	struct ks_range_walk walk;
	uint32_t range, from = 0;
	bool opens;

	ks_range_walk_begin(&walk, r, thread);
	while (ks_range_walk_next(&walk, &range, &opens)) {
		const uint32_t domain = ks_range_domain_of(r, range);
		const uint32_t cut = opens ? r->range[range].from : r->range[range].to;

		if (!give(w, domain, cut))
			return false;
		if (opens) {
			if (walk.heap->n == 1)
				from = cut;
			ks_range_lists_push(&w->lists, domain, range);
		} else {
			if (walk.heap->n == 0)
				*covered += ns[cut] - ns[from];
			ks_range_lists_remove(&w->lists, domain, range);
		}
	}
	return true;
}

enum ks_status ks_ranges_own_times(struct ks_ranges_answering *a, ks_ns *covered)
{
	struct ks_ranges *r = a->r;
	struct owning w = { .a = a, .since = ks_mem_alloc(r->n_domains * sizeof(*w.since)) };
	bool ok = ks_range_lists_open(&w.lists, r, r->n_domains) && w.since;
	enum ks_status s;

	ks_mem_free(r->own);
	r->own = ks_mem_alloc(r->n_groups * sizeof(*r->own));
	if (a->ask->paths) {
		w.lists.paths = ks_range_paths_open(r, r->n_domains, false);
		ok = ok && w.lists.paths;
	}
	ok = ok && r->own;
	*covered = 0;
	for (uint32_t t = 0; ok && t < r->n_threads; t++)
		ok = own_thread(&w, t, covered);
	s = !ok ? ks_ranges_no_memory(a->err) : w.overflow ? ks_ranges_overflow(a->err) : KS_OK;
	if (s == KS_OK && a->ask->paths)
		s = ks_range_paths_answer(&w.lists, a->ask, a->arena, a->t, a->err);
	ks_range_lists_close(&w.lists);
	ks_mem_free(w.since);
	return s;
}
