/* SPDX-License-Identifier: Apache-2.0
 *
 * When a range of the chosen name and domain is open: on a thread for pushed ranges, in a process
 * for started ones, which ncu matches on every thread.
 */
#include <stdlib.h>

#include "analyze/ncu_internal.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

static enum ks_status domain_of(struct ks_ncu_count *n, const struct ks_range *r, uint32_t *at,
				struct ks_err *err)
{
	const struct ks_ncu_domain key = { ks_global_process(r->thread),
					   r->domain == KS_UNKNOWN ? 0 : r->domain };

	*at = ks_map_add(&n->domains, &key, NULL);
	return *at != KS_MAP_NONE && KS_GROW(n->domain_name, n->domain_cap, (size_t)*at + 1,
					     n->domains.max)
		       ? KS_OK
		       : ks_ncu_no_memory(err);
}

enum ks_status ks_ncu_add_range(struct ks_ncu_count *n, const struct ks_range *r,
				struct ks_err *err)
{
	const bool start_end = ks_range_is_start_end(r->type);
	uint32_t domain = 0;

	if (r->type == KS_RANGE_DOMAIN_CREATE) {
		KS_TRY(domain_of(n, r, &domain, err));
		n->domain_name[domain] = r->name;
		return ks_told_wish(&n->names, r->name) ? KS_OK : ks_ncu_no_memory(err);
	}
	if (!ks_range_has_ends(r->type) || !ks_time_is_known(r->start_ns) ||
	    start_end != n->range->start_end)
		return KS_OK;
	KS_TRY(domain_of(n, r, &domain, err));
	if (!ks_told_wish(&n->names, r->name) ||
	    !KS_GROW(n->span, n->span_cap, n->n_spans + 1, SIZE_MAX / sizeof(*n->span)))
		return ks_ncu_no_memory(err);
	n->span[n->n_spans++] = (struct ks_ncu_span){
		.owner = start_end ? ks_global_process(r->thread) : r->thread,
		.start = r->start_ns,
		.end = r->end_ns == KS_UNKNOWN ? INT64_MAX : r->end_ns, /* open to the last */
		.name = r->name,
		.domain = domain,
		.start_end = start_end,
	};
	return KS_OK;
}

static bool is_chosen(const struct ks_ncu_count *n, const struct ks_ncu_span *s)
{
	return ks_str_eq(ks_ncu_text(n, s->name), n->range->name) &&
	       ks_str_eq(ks_ncu_text(n, n->domain_name[s->domain]), n->range->domain);
}

static int by_owner(const void *x, const void *y)
{
	const struct ks_ncu_span *a = x, *b = y;
	const int c = ks_num_cmp_i64(a->owner, b->owner);

	return c != 0 ? c : ks_num_cmp_i64(a->start, b->start);
}

void ks_ncu_settle_ranges(struct ks_ncu_count *n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n->n_spans; i++) {
		if (is_chosen(n, &n->span[i]))
			n->span[kept++] = n->span[i];
	}
	if (kept > 0)
		qsort(n->span, kept, sizeof(*n->span), by_owner);
	n->n_spans = 0;
	for (size_t i = 0; i < kept; i++) {
		struct ks_ncu_span *last = n->n_spans > 0 ? &n->span[n->n_spans - 1] : NULL;
		const struct ks_ncu_span next = n->span[i];

		if (last == NULL || last->owner != next.owner || last->end < next.start)
			n->span[n->n_spans++] = next;
		else if (next.end > last->end)
			last->end = next.end;
	}
}

bool ks_ncu_is_inside(const struct ks_ncu_count *n, int64_t thread, ks_ns at)
{
	const int64_t owner = n->range->start_end ? ks_global_process(thread) : thread;
	const struct ks_ncu_span key = { .owner = owner, .start = at };
	size_t lo = 0, hi = n->n_spans;

	while (lo < hi) { /* the first that begins later */
		const size_t mid = lo + (hi - lo) / 2;

		if (by_owner(&n->span[mid], &key) <= 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > 0 && n->span[lo - 1].owner == owner && at < n->span[lo - 1].end;
}
