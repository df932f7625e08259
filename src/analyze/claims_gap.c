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
	d->wait_ns = d->waits < KS_HOST_WORKS ? d->until[d->waits] - d->since[d->waits] : 0;
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

struct share {
	struct ks_claims_sum *to; /* NULL: nobody's */
	ks_ns ns;
};

/* Whose a gap is in which the host did not wait, or what is left of one in which it did. */
static struct ks_claims_sum *launcher(struct ks_claims_device *d)
{
	if (d->next_short[true])
		return &d->starved[true];
	return d->next_short[false] ? &d->starved[false] : NULL;
}

/* What no call took of the gap goes to at most two. Without a wait the host would have launched the
 * next work earlier by the length of the wait, and no more than that. */
static void divide(const struct ks_claims *c, struct ks_claims_device *d, ks_ns left,
		   struct share share[2])
{
	share[0] = share[1] = (struct share){ NULL, 0 };
	if (left > c->long_gap) {
		share[0] = (struct share){ &d->sum[KS_RULE_LONG_GAP], left };
		return;
	}
	if (left > c->turnaround)
		return;
	if (d->waits < KS_HOST_WORKS) {
		share[0].to = &d->sum[rule_of_wait(d)];
		share[0].ns = left < d->wait_ns ? left : d->wait_ns;
	}
	share[1].to = launcher(d);
	share[1].ns = share[1].to ? left - share[0].ns : 0;
}

/* Once for each rule that has a part in it; of rules about copies those are counted, not the gaps
 * behind them. */
static void count_gap(struct ks_claims_device *d, const struct share share[2])
{
	for (unsigned r = 0; r < KS_RULE_COUNT; r++) {
		if ((&d->sum[r] == share[0].to && share[0].ns > 0) || d->gap_took >> r & 1)
			d->sum[r].n += r != KS_RULE_SCALAR_READ && r != KS_RULE_BLOCKING_COPY &&
				       r != KS_RULE_BLOCKING_MEMSET;
	}
	if (share[1].ns > 0)
		share[1].to->n++;
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
	struct share share[2] = { { NULL, 0 }, { NULL, 0 } };
	ks_ns left = left_of(d);

	if (!d->gap_ended)
		return;
	if (left > 0)
		divide(c, d, left, share);
	for (size_t i = 0; i < KS_ARRAY_LEN(share); i++) {
		if (share[i].to)
			share[i].to->ns += share[i].ns;
		left -= share[i].ns;
	}
	ks_claims_spread(c, d->idle, d->gap_start, d->gap_end);
	if (left > 0) /* the others take from the front */
		ks_claims_spread(c, d->rest, d->gap_end - left, d->gap_end);
	count_gap(d, share);
	d->gap_taken = 0;
	d->gap_took = 0;
	d->gap_ended = false;
}
