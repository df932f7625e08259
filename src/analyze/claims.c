/* SPDX-License-Identifier: Apache-2.0
 *
 * Claims on a device's time, event by event. Every amount is part of the time that passed, and is
 * given away once.
 */
#include "analyze/claims_internal.h"
#include "base/mem.h"

#define STEADY_SHARE 10 /* of the span, where no steps are known */
#define GAP_SHARE    20 /* of a step, or of the span */

static int by_length(const void *x, const void *y)
{
	const ks_ns a = *(const ks_ns *)x, b = *(const ks_ns *)y;

	return (a > b) - (a < b);
}

/* False: no memory. */
static bool median_step(const struct ks_claims_ask *ask, ks_ns *middle)
{
	ks_ns *length = ks_mem_alloc(ask->n_steps * sizeof(*length));

	if (!length)
		return false;
	for (size_t i = 0; i < ask->n_steps; i++)
		length[i] = ask->step[i].end_ns - ask->step[i].start_ns;
	qsort(length, ask->n_steps, sizeof(*length), by_length);
	*middle = length[ask->n_steps / 2];
	ks_mem_free(length);
	return true;
}

static bool measure_long_gap(const struct ks_claims_ask *ask, ks_ns *gap)
{
	ks_ns whole = ask->to - ask->from;

	if (ask->n_steps > 0 && !median_step(ask, &whole))
		return false;
	*gap = whole / GAP_SHARE;
	return true;
}

static ks_ns steady_from(const struct ks_claims_ask *ask)
{
	return ask->n_steps > 0 ? ask->step[0].end_ns
				: ask->from + (ask->to - ask->from) / STEADY_SHARE;
}

struct ks_claims *ks_claims_open(const struct ks_claims_ask *ask)
{
	struct ks_claims *c = ks_mem_alloc(sizeof(*c));

	if (!c)
		return NULL;
	c->ask = *ask;
	c->steady_from = steady_from(ask);
	c->turnaround = ks_limit(KS_LIMIT_TURNAROUND_NS);
	c->short_kernel = ks_limit(KS_LIMIT_SHORT_KERNEL_NS);
	c->device = ks_mem_alloc(ask->n_devices * sizeof(*c->device));
	c->step = ks_mem_alloc(ask->n_steps * sizeof(*c->step));
	c->alone = ks_mem_alloc(ask->n_pairs * sizeof(*c->alone));
	if (!c->device || !c->step || !c->alone || !measure_long_gap(ask, &c->long_gap)) {
		ks_claims_close(c);
		return NULL;
	}
	for (size_t i = 0; i < ask->n_devices; i++) {
		c->device[i].waits = KS_HOST_WORKS;
		c->device[i].last_end = ask->from;
		for (size_t w = 0; w < KS_HOST_WORKS; w++)
			c->device[i].until[w] = c->device[i].since[w] = ask->from;
	}
	return c;
}

void ks_claims_close(struct ks_claims *c)
{
	if (!c)
		return;
	ks_mem_free(c->device);
	ks_mem_free(c->step);
	ks_mem_free(c->alone);
	ks_mem_free(c);
}

/* --- the host ------------------------------------------------------------------------------------
 */

/* Steps follow each other, and calls come in order of time. */
static bool is_in_step(struct ks_claims *c, ks_ns at)
{
	const struct ks_step *step = c->ask.step;

	while (c->step_at < c->ask.n_steps && step[c->step_at].end_ns <= at)
		c->step_at++;
	return c->step_at < c->ask.n_steps && step[c->step_at].start_ns <= at;
}

void ks_claims_call(struct ks_claims *c, uint32_t device, enum ks_host_work work, ks_ns start,
		    ks_ns end)
{
	ks_ns *until = &c->device[device].until[work];

	/* what comes before the first kernel sets up, however long it takes */
	if (work >= KS_HOST_ALLOC && (start < c->steady_from || !c->any_kernel))
		return;
	if (work == KS_HOST_SYNC && c->ask.n_steps > 0 && !is_in_step(c, start))
		return;
	if (start > *until)
		c->device[device].since[work] = start;
	if (end > *until)
		*until = end;
}

/* --- time ----------------------------------------------------------------------------------------
 */

static void take(struct ks_claims_device *d, enum ks_rule rule, ks_ns *at, ks_ns until, ks_ns end)
{
	const ks_ns to = until < end ? until : end;

	if (to <= *at)
		return;
	d->sum[rule].ns += to - *at;
	d->gap_taken += to - *at;
	d->gap_took |= 1U << rule;
	*at = to;
}

/* Every call at hand began before: it holds from here to its end. */
static void pass_idle(struct ks_claims_device *d, ks_ns from, ks_ns to, ks_ns overhead_until)
{
	take(d, KS_RULE_PROFILER_OVERHEAD, &from, overhead_until, to);
	take(d, KS_RULE_MODULE_LOAD, &from, d->until[KS_HOST_MODULE], to);
	take(d, KS_RULE_STEADY_ALLOC, &from, d->until[KS_HOST_ALLOC], to);
}

static const enum ks_rule rule_of_manner[KS_COPY_MANNERS] = {
	[KS_COPY_NONE] = KS_RULE_NONE,
	[KS_COPY_PLAIN] = KS_RULE_ONE_STREAM,
	[KS_COPY_PAGEABLE] = KS_RULE_PAGEABLE_COPY,
	[KS_COPY_SETS] = KS_RULE_BLOCKING_MEMSET,
	[KS_COPY_BLOCKING] = KS_RULE_BLOCKING_COPY,
	[KS_COPY_SCALAR] = KS_RULE_SCALAR_READ,
};

static void pass_copies(struct ks_claims_device *d, ks_ns dt)
{
	for (unsigned m = KS_COPY_MANNERS; m-- > 0;) {
		if (d->manner[m] == 0)
			continue;
		d->sum[rule_of_manner[m]].ns += dt;
		return;
	}
}

/* Several kernels at once are nobody's time, whatever else runs beside them. */
static void pass_kernels(struct ks_claims *c, const struct ks_claims_device *d, ks_ns dt,
			 unsigned bits)
{
	if (d->kernels == 1 && !(bits & KS_MIX_COMM))
		c->alone[d->kernel_sum] += dt;
}

void ks_claims_pass(struct ks_claims *c, uint32_t device, ks_ns from, ks_ns to, unsigned bits,
		    ks_ns overhead_until)
{
	struct ks_claims_device *d = &c->device[device];

	ks_claims_gap_settle(c, d);
	if (bits == 0)
		pass_idle(d, from, to, overhead_until);
	else if (bits & KS_MIX_COMPUTE)
		pass_kernels(c, d, to - from, bits);
	else if (bits & KS_MIX_COMM)
		d->sum[KS_RULE_EXPOSED_COMM].ns += to - from;
	else if (bits & KS_MIX_COPY)
		pass_copies(d, to - from);
	else if (bits & KS_SWEEP_MIGRATION)
		d->sum[KS_RULE_UM_THRASH].ns += to - from;
}

/* --- what runs -----------------------------------------------------------------------------------
 */

static enum ks_copy_manner manner_of(const struct ks_claims_event *e)
{
	return ks_claims_is_copy(e)
		       ? (enum ks_copy_manner)((e->what & ~KS_SWEEP_WORK) >> KS_SWEEP_MANNER_BITS)
		       : KS_COPY_PLAIN;
}

static void begin_copy(struct ks_claims_device *d, const struct ks_claims_event *e)
{
	const uint32_t kind = e->what & KS_SWEEP_KIND;
	const enum ks_copy_manner m = manner_of(e);

	if (kind >= KS_COPY_UM_HTOD && kind <= KS_COPY_UM_DTOD) {
		d->sum[KS_RULE_UM_THRASH].n++;
		d->migrations[0] += kind == KS_COPY_UM_HTOD;
		d->migrations[1] += kind == KS_COPY_UM_DTOH;
		return;
	}
	d->manner[m]++;
	d->sum[rule_of_manner[m]].n++;
}

void ks_claims_begin(struct ks_claims *c, uint32_t device, const struct ks_claims_event *e)
{
	struct ks_claims_device *d = &c->device[device];

	ks_claims_gap_meets(c, d, e);
	c->any_kernel = c->any_kernel || !ks_claims_is_copy(e);
	if (ks_claims_is_copy(e)) {
		begin_copy(d, e);
	} else if (e->comm) {
		d->sum[KS_RULE_EXPOSED_COMM].n++;
	} else {
		d->kernels++;
		d->kernel_sum += e->what;
	}
}

void ks_claims_end(struct ks_claims *c, uint32_t device, const struct ks_claims_event *e)
{
	struct ks_claims_device *d = &c->device[device];
	const enum ks_copy_manner m = manner_of(e);
	const uint32_t kind = e->what & KS_SWEEP_KIND;

	if (e->end > d->last_end || m > d->last_manner)
		d->last_manner = m;
	d->last_end = e->end;
	if (ks_claims_is_copy(e)) {
		if (kind < KS_COPY_UM_HTOD || kind > KS_COPY_UM_DTOD)
			d->manner[m]--;
	} else if (!e->comm) {
		d->kernels--;
		d->kernel_sum -= e->what;
	}
}
