/* SPDX-License-Identifier: Apache-2.0
 *
 * Deals the slices of a track to lanes in which they nest. The first lane takes what fits; what
 * does not goes to further lanes, the lowest that is free. However many overlap, a slice costs the
 * logarithm of their number.
 */
#include "analyze/slices_internal.h"

#include "base/mem.h"

/* --- the first lane ------------------------------------------------------------------------------
 */

void ks_slice_first_reset(struct ks_slice_first *f, bool nests)
{
	f->nests = nests;
	f->end = INT64_MIN;
	f->n_open = 0;
}

bool ks_slice_first_takes(struct ks_slice_first *f, ks_ns start, ks_ns end, bool *failed)
{
	*failed = false;
	if (!f->nests) {
		if (start < f->end)
			return false;
		f->end = end;
		return true;
	}
	while (f->n_open > 0 && f->open[f->n_open - 1] <= start)
		f->n_open--;
	if (f->n_open > 0 && f->open[f->n_open - 1] < end)
		return false;
	if (end == start)
		return true;
	*failed = !KS_GROW(f->open, f->cap, f->n_open + 1, UINT32_MAX);
	if (*failed)
		return false;
	f->open[f->n_open++] = end;
	return true;
}

/* --- heaps of (number, lane), the least first ----------------------------------------------------
 */

static bool less(const int64_t a[2], const int64_t b[2])
{
	return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
}

static bool push(struct ks_slice_heap *h, int64_t number, int64_t lane)
{
	const int64_t moved[2] = { number, lane };
	size_t at = h->n;

	if (!KS_GROW(h->item, h->cap, h->n + 1, UINT32_MAX))
		return false;
	h->n++;
	for (; at > 0 && less(moved, h->item[(at - 1) / 2]); at = (at - 1) / 2)
		memcpy(h->item[at], h->item[(at - 1) / 2], sizeof(moved));
	memcpy(h->item[at], moved, sizeof(moved));
	return true;
}

static int64_t pop(struct ks_slice_heap *h)
{
	const int64_t lane = h->item[0][1];
	const int64_t moved[2] = { h->item[h->n - 1][0], h->item[h->n - 1][1] };
	size_t at = 0;

	h->n--;
	for (size_t child; (child = 2 * at + 1) < h->n; at = child) {
		if (child + 1 < h->n && less(h->item[child + 1], h->item[child]))
			child++;
		if (!less(h->item[child], moved))
			break;
		memcpy(h->item[at], h->item[child], sizeof(moved));
	}
	memcpy(h->item[at], moved, sizeof(moved));
	return lane;
}

/* --- all lanes -----------------------------------------------------------------------------------
 */

void ks_slice_deal_reset(struct ks_slice_deal *d, bool nests)
{
	ks_slice_first_reset(&d->first, nests);
	d->busy.n = d->free.n = 0;
	d->lanes = 1;
}

uint32_t ks_slice_deal(struct ks_slice_deal *d, ks_ns start, ks_ns end)
{
	bool failed;

	if (ks_slice_first_takes(&d->first, start, end, &failed))
		return 0;
	while (!failed && d->busy.n > 0 && d->busy.item[0][0] <= start)
		failed = !push(&d->free, 0, pop(&d->busy));
	if (failed || (d->free.n == 0 && d->lanes == UINT32_MAX - 1))
		return UINT32_MAX;
	const int64_t lane = d->free.n > 0 ? pop(&d->free) : (int64_t)d->lanes++;

	return push(&d->busy, end, lane) ? (uint32_t)lane : UINT32_MAX;
}

void ks_slice_deal_release(struct ks_slice_deal *d)
{
	ks_mem_free(d->first.open);
	ks_mem_free(d->busy.item);
	ks_mem_free(d->free.item);
}
