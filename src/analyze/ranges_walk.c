/* SPDX-License-Identifier: Apache-2.0
 *
 * The openings and closings of a thread's ranges in order of time, whatever nests or overlaps.
 * Holds the ends of what is open and nothing else.
 */
#include "analyze/ranges_internal.h"

#include "base/mem.h"

static bool before(const struct ks_range_open_end *a, const struct ks_range_open_end *b)
{
	return a->end != b->end ? a->end < b->end : a->range < b->range;
}

bool ks_range_heap_push(struct ks_range_heap *h, ks_ns end, uint32_t range)
{
	const struct ks_range_open_end e = { end, range };

	if (!KS_GROW(h->item, h->cap, h->n + 1, UINT32_MAX))
		return false;

	size_t at = h->n++;

	while (at > 0 && before(&e, &h->item[(at - 1) / 2])) {
		h->item[at] = h->item[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	h->item[at] = e;
	return true;
}

uint32_t ks_range_heap_pop(struct ks_range_heap *h)
{
	const uint32_t top = h->item[0].range;
	const struct ks_range_open_end moved = h->item[--h->n];
	size_t at = 0;

	for (size_t child; (child = 2 * at + 1) < h->n; at = child) {
		if (child + 1 < h->n && before(&h->item[child + 1], &h->item[child]))
			child++;
		if (!before(&h->item[child], &moved))
			break;
		h->item[at] = h->item[child];
	}
	h->item[at] = moved;
	return top;
}

void ks_range_walk_begin(struct ks_range_walk *w, struct ks_ranges *r, uint32_t thread)
{
	*w = (struct ks_range_walk){ r, &r->heap, r->thread[thread].range_at,
				     r->thread[thread + 1].range_at };
	r->heap.n = 0;
}

bool ks_range_walk_next(struct ks_range_walk *w, uint32_t *range, bool *opens)
{
	const struct ks_settled_range *all = w->r->range;

	if (w->heap->n > 0 &&
	    (w->next == w->end || w->heap->item[0].end <= (ks_ns)all[w->next].from)) {
		*range = ks_range_heap_pop(w->heap);
		*opens = false;
		return true;
	}
	if (w->next == w->end)
		return false;
	*range = w->next++;
	*opens = true;
	/* never grows: settling had as many open at once */
	return ks_range_heap_push(w->heap, (ks_ns)all[*range].to, *range);
}
