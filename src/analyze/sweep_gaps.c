/* SPDX-License-Identifier: Apache-2.0
 *
 * Idle gaps of a device: how many, how long, how much of them was the profiler's own overhead, and
 * the few with most time that is not, with what ended before and what started after. Of several
 * that end or start together the smallest name counts, so that the order of rows does not matter.
 */
#include "analyze/sweep_internal.h"

static ks_ns net(const struct ks_sweep_gap *g)
{
	return g->end - g->start - g->overhead;
}

/* Most time first, then the earlier one, then the smaller device number. */
static bool precedes(const struct ks_sweep_gaps *top, const struct ks_sweep_gap *a,
		     const struct ks_sweep_gap *b)
{
	if (net(a) != net(b))
		return net(a) > net(b);
	if (a->start != b->start)
		return a->start < b->start;
	return top->label[a->device] < top->label[b->device];
}

static void keep(struct ks_sweep_gaps *top, const struct ks_sweep_gap *g)
{
	size_t at = top->n;

	if (at == top->max && !precedes(top, g, &top->gap[at - 1]))
		return;
	if (at == top->max)
		at--;
	else
		top->n++;
	for (; at > 0 && precedes(top, g, &top->gap[at - 1]); at--)
		top->gap[at] = top->gap[at - 1];
	top->gap[at] = *g;
}

static uint32_t smaller(const struct ks_sweep *s, uint32_t a, uint32_t b)
{
	if (a == b || a == KS_SWEEP_NOTHING || b == KS_SWEEP_NOTHING)
		return a == KS_SWEEP_NOTHING ? b : a;
	return s->plan.compare(s->plan.arg, a, b) <= 0 ? a : b;
}

void ks_sweep_gap_settle(struct ks_sweep *s, struct ks_sweep_device *d)
{
	if (!d->pending)
		return;
	const ks_ns length = d->gap.end - d->gap.start;

	d->pending = false;
	d->gaps++;
	d->gap_overhead += d->gap.overhead;
	if (length > d->longest)
		d->longest = length;
	keep(&s->top, &d->gap);
}

void ks_sweep_gap_opens(struct ks_sweep *s, struct ks_sweep_device *d)
{
	if (s->claims)
		ks_claims_gap_opens(s->claims, (uint32_t)(d - s->device), d->now);
	d->idle_since = d->now;
	d->idle_overhead = 0;
}

void ks_sweep_gap_closes(struct ks_sweep *s, struct ks_sweep_device *d, ks_ns at, uint32_t what)
{
	if (at <= d->idle_since || d->n > 0)
		return;
	ks_sweep_gap_settle(s, d);
	d->gap = (struct ks_sweep_gap){
		.device = (uint32_t)(d - s->device),
		.before = d->last_what,
		.after = what,
		.start = d->idle_since,
		.end = at,
		.overhead = d->idle_overhead,
	};
	d->pending = true;
}

void ks_sweep_gap_shared(const struct ks_sweep *s, struct ks_sweep_device *d, uint32_t what)
{
	d->gap.after = smaller(s, d->gap.after, what);
}

void ks_sweep_gap_ended(const struct ks_sweep *s, struct ks_sweep_device *d, ks_ns at,
			uint32_t what)
{
	if (at > d->last_end || d->last_what == KS_SWEEP_NOTHING)
		d->last_what = what;
	else
		d->last_what = smaller(s, d->last_what, what);
	d->last_end = at;
}
