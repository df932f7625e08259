/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose a gap is: what no call took of it goes to what the host waited in when the gap began, to a
 * long gap, or to slow launches. Settled when time moves on behind it, so that it does not matter
 * which of several rows that start there comes first.
 */
#include "analyze/claims_internal.h"

void ks_claims_gap_opens(struct ks_claims *c, uint32_t device, ks_ns at)
{
	struct ks_claims_device *d = &c->device[device];

	d->gap_taken = 0;
	d->gap_took = 0;
	d->waits = 0;
	while (d->waits < KS_HOST_WORKS && d->until[d->waits] < at)
		d->waits++;
	if (at == c->ask.from)
		d->waits = KS_HOST_WORKS;
}

static enum ks_rule rule_of_wait(const struct ks_claims_device *d)
{
	static const enum ks_rule rule[KS_HOST_WORKS] = {
		[KS_HOST_COPY] = KS_RULE_BLOCKING_COPY, [KS_HOST_MEMSET] = KS_RULE_BLOCKING_MEMSET,
		[KS_HOST_SYNC] = KS_RULE_HOST_SYNC,	[KS_HOST_ALLOC] = KS_RULE_STEADY_ALLOC,
		[KS_HOST_MODULE] = KS_RULE_MODULE_LOAD,
	};

	return d->last_manner == KS_COPY_SCALAR ? KS_RULE_SCALAR_READ : rule[d->waits];
}

/* A kernel that is over before the next one could be launched, or that waited longer than it runs.
 */
static bool is_short(const struct ks_claims *c, const struct ks_claims_event *next, ks_ns gap)
{
	const ks_ns length = next->end - next->start;

	return !ks_claims_is_copy(next) && !next->comm &&
	       (length < c->short_kernel || length < gap);
}

static ks_ns left_of(const struct ks_claims_device *d)
{
	return d->gap_end - d->gap_start - d->gap_taken;
}

void ks_claims_gap_meets(struct ks_claims *c, struct ks_claims_device *d,
			 const struct ks_claims_event *next)
{
	if (d->gap_ended && is_short(c, next, left_of(d)))
		d->next_short[c->in_step] = true;
}

/* Whose the time of the gap is that no call took. NULL: nobody's. */
static struct ks_claims_sum *heir(const struct ks_claims *c, struct ks_claims_device *d, ks_ns gap)
{
	if (gap > c->long_gap)
		return &d->sum[KS_RULE_LONG_GAP];
	if (gap > c->turnaround)
		return NULL;
	if (d->waits < KS_HOST_WORKS)
		return &d->sum[rule_of_wait(d)];
	if (d->next_short[true])
		return &d->starved[true];
	return d->next_short[false] ? &d->starved[false] : NULL;
}

/* Once for each rule that has a part in it; of rules about copies those are counted, not the gaps
 * behind them. */
static void count_gap(struct ks_claims_device *d, struct ks_claims_sum *to)
{
	for (unsigned r = 0; r < KS_RULE_COUNT; r++) {
		if (&d->sum[r] == to || d->gap_took >> r & 1)
			d->sum[r].n += r != KS_RULE_SCALAR_READ && r != KS_RULE_BLOCKING_COPY &&
				       r != KS_RULE_BLOCKING_MEMSET;
	}
	if (to == &d->starved[0] || to == &d->starved[1])
		to->n++;
}

void ks_claims_gap_closes(struct ks_claims *c, uint32_t device, ks_ns start, ks_ns at)
{
	struct ks_claims_device *d = &c->device[device];

	d->gap_start = start;
	d->gap_end = at;
	d->gap_ended = true;
	d->next_short[false] = d->next_short[true] = false;
}

void ks_claims_gap_settle(const struct ks_claims *c, struct ks_claims_device *d)
{
	const ks_ns left = left_of(d);
	struct ks_claims_sum *to = NULL;

	if (!d->gap_ended)
		return;
	if (left > 0)
		to = heir(c, d, left);
	ks_claims_spread(c, d->idle, d->gap_start, d->gap_end);
	if (to)
		to->ns += left;
	else if (left > 0) /* calls take from the front */
		ks_claims_spread(c, d->rest, d->gap_end - left, d->gap_end);
	count_gap(d, to);
	d->gap_taken = 0;
	d->gap_took = 0;
	d->gap_ended = false;
}
