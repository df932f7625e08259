/* SPDX-License-Identifier: Apache-2.0
 *
 * What only the whole run can tell about claims: steps that launch the same, pages that go both
 * ways, stretches of low use.
 */
#include "analyze/claims_internal.h"
#include "analyze/window.h"

#define LEAST_LAUNCHES 10 /* of a step, so that a graph of it is worth while */
#define ALIKE_PCT      90 /* of the steps */
#define BOTH_WAYS_PCT  10 /* of the migrations go the other way */
#define STRETCH_BINS   (KS_CLAIMS_BINS / 20)

/* --- steps ---------------------------------------------------------------------------------------
 */

/* splitmix64's finaliser: equal sums of these are equal launches, in whatever order. */
static uint64_t mixed(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

void ks_claims_launch(struct ks_claims *c, uint32_t pair, uint32_t segment)
{
	const size_t step = c->ask.ranges && c->ask.n_steps > 0
				    ? ks_ranges_step_of(c->ask.ranges, segment)
				    : SIZE_MAX;

	c->in_step = step < c->ask.n_steps;
	if (!c->in_step || (c->ask.graph && c->ask.graph[pair]))
		return;
	c->step[step].hash += mixed(pair);
	c->step[step].n++;
}

static bool counts(const struct ks_claims *c, size_t step)
{
	const struct ks_window *w = c->ask.window;

	if (w && (c->ask.step[step].end_ns <= w->from || c->ask.step[step].start_ns >= w->to))
		return false;
	return c->ask.step[step].mark != KS_STEP_FIRST && c->ask.step[step].mark != KS_STEP_WARMUP;
}

static bool same(const struct ks_claims_step *x, const struct ks_claims_step *y)
{
	return x->hash == y->hash && x->n == y->n;
}

/* The step that more than half of them are like, if there is one. */
static const struct ks_claims_step *usual(const struct ks_claims *c)
{
	const struct ks_claims_step *most = NULL;
	size_t votes = 0;

	for (size_t i = 0; i < c->ask.n_steps; i++) {
		if (!counts(c, i))
			continue;
		if (votes == 0)
			most = &c->step[i];
		votes = same(most, &c->step[i]) ? votes + 1 : votes - 1;
	}
	return most;
}

static bool steps_are_alike(const struct ks_claims *c)
{
	const struct ks_claims_step *one = usual(c);
	size_t n = 0, alike = 0;

	if (!one || one->n < LEAST_LAUNCHES)
		return false;
	for (size_t i = 0; i < c->ask.n_steps; i++) {
		n += counts(c, i);
		alike += counts(c, i) && same(one, &c->step[i]);
	}
	return n >= 2 && 100 * alike >= ALIKE_PCT * n;
}

/* --- stretches -----------------------------------------------------------------------------------
 */

static ks_ns edge(const struct ks_claims *c, size_t bin)
{
	const ks_ns span = c->ask.to - c->ask.from;

	return c->ask.from + (ks_ns)((double)span * (double)bin / KS_CLAIMS_BINS);
}

static size_t bin_of(const struct ks_claims *c, ks_ns at)
{
	const ks_ns span = c->ask.to - c->ask.from;
	size_t bin =
		span > 0 ? (size_t)((double)(at - c->ask.from) / (double)span * KS_CLAIMS_BINS) : 0;

	bin = bin < KS_CLAIMS_BINS ? bin : KS_CLAIMS_BINS - 1;
	while (bin > 0 && edge(c, bin) > at)
		bin--;
	while (bin + 1 < KS_CLAIMS_BINS && edge(c, bin + 1) <= at)
		bin++;
	return bin;
}

void ks_claims_spread(const struct ks_claims *c, ks_ns *bin, ks_ns start, ks_ns end)
{
	for (size_t i = bin_of(c, start); start < end && i < KS_CLAIMS_BINS; i++) {
		const ks_ns next = i + 1 < KS_CLAIMS_BINS ? edge(c, i + 1) : end;
		const ks_ns to = next < end ? next : end;

		if (to > start)
			bin[i] += to - start;
		start = to > start ? to : start;
	}
}

static bool is_low(const struct ks_claims *c, const struct ks_claims_device *d, size_t bin)
{
	return 2 * d->idle[bin] > edge(c, bin + 1) - edge(c, bin);
}

/* Bins behind each other that are idle more than half of the time. */
static void claim_stretches(const struct ks_claims *c, struct ks_claims_device *d)
{
	struct ks_claims_sum *sum = &d->sum[KS_RULE_LOW_USE];

	for (size_t i = 0, end; i < KS_CLAIMS_BINS; i = end + 1) {
		ks_ns ns = 0;

		for (end = i; end < KS_CLAIMS_BINS && is_low(c, d, end); end++)
			ns += d->rest[end];
		if (end - i < STRETCH_BINS || ns == 0)
			continue;
		sum->ns += ns;
		sum->n++;
	}
}

/* --- all of it -----------------------------------------------------------------------------------
 */

static void add(struct ks_claims_sum *to, const struct ks_claims_sum *from)
{
	to->ns += from->ns;
	to->n += from->n;
}

static bool goes_both_ways(const struct ks_claims_device *d)
{
	const uint64_t n = d->migrations[0] + d->migrations[1];
	const uint64_t less =
		d->migrations[0] < d->migrations[1] ? d->migrations[0] : d->migrations[1];

	return less > 0 && 100 * less >= BOTH_WAYS_PCT * n;
}

void ks_claims_settle(struct ks_claims *c, bool graphs, const bool *one_stream)
{
	const bool alike = steps_are_alike(c);

	for (size_t i = 0; i < c->ask.n_devices; i++) {
		struct ks_claims_device *d = &c->device[i];
		const enum ks_rule slow = graphs ? KS_RULE_GRAPH_INCOMPLETE : KS_RULE_LAUNCH_BOUND;

		ks_claims_gap_settle(c, d);
		add(&d->sum[slow], &d->starved[0]);
		add(&d->sum[alike ? KS_RULE_GRAPH_CANDIDATE : slow], &d->starved[1]);
		if (!goes_both_ways(d))
			d->sum[KS_RULE_UM_THRASH] = (struct ks_claims_sum){ 0 };
		if (!one_stream[i])
			d->sum[KS_RULE_ONE_STREAM] = (struct ks_claims_sum){ 0 };
		claim_stretches(c, d);
	}
}

ks_ns ks_claims_alone(const struct ks_claims *c, uint32_t pair)
{
	return pair < c->ask.n_pairs ? c->alone[pair] : 0;
}

struct ks_claims_sum ks_claims_sum(const struct ks_claims *c, uint32_t device, enum ks_rule rule)
{
	if (device >= c->ask.n_devices)
		return (struct ks_claims_sum){ 0 };
	return c->device[device].sum[rule];
}
