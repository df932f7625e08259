/* SPDX-License-Identifier: Apache-2.0
 *
 * One device while time passes over it: what is active, in a heap by end, and the time of every mix
 * of computation, copies and communication. What ends at a moment ends before what starts then.
 * Keeps nothing of what has ended.
 */
#include "analyze/sweep_internal.h"

#include "base/mem.h"
#include "base/num.h"
#include "tables/tables.h"

/* --- the heap ------------------------------------------------------------------------------------
 */

static enum ks_status push(struct ks_sweep_device *d, struct ks_sweep_span span, uint32_t what,
			   uint32_t bit, struct ks_err *err)
{
	if (d->n == d->cap && !KS_GROW(d->active, d->cap, d->n + 1, UINT32_MAX))
		return ks_sweep_no_memory(err);
	size_t at = d->n++;

	for (; at > 0 && d->active[(at - 1) / 2].end > span.end; at = (at - 1) / 2)
		d->active[at] = d->active[(at - 1) / 2];
	d->active[at] = (struct ks_sweep_active){ span.end, span.start, d->comm_ns, what, bit };
	return KS_OK;
}

static void pop(struct ks_sweep_device *d)
{
	if (--d->n == 0)
		return;
	const struct ks_sweep_active moved = d->active[d->n];
	size_t at = 0;

	for (size_t child; (child = 2 * at + 1) < d->n; at = child) {
		if (child + 1 < d->n && d->active[child + 1].end < d->active[child].end)
			child++;
		if (moved.end <= d->active[child].end)
			break;
		d->active[at] = d->active[child];
	}
	d->active[at] = moved;
}

/* --- time ----------------------------------------------------------------------------------------
 */

/* A migration of unified memory is no copy of the program, so it overlaps nothing; where nothing
 * else runs it is what keeps the device busy (contract 04, CommLedger). */
static uint32_t mix_of(uint32_t bits)
{
	if (bits == KS_SWEEP_MIGRATION)
		return KS_MIX_COPY;
	return bits & ~KS_SWEEP_MIGRATION;
}

static bool is_kernel(uint32_t bit)
{
	return bit == KS_MIX_COMPUTE || bit == KS_MIX_COMM;
}

static uint32_t number_of(const struct ks_sweep *s, const struct ks_sweep_device *d)
{
	return (uint32_t)(d - s->device);
}

static void pass(struct ks_sweep *s, struct ks_sweep_device *d, ks_ns at)
{
	const ks_ns dt = at - d->now;

	if (dt <= 0)
		return;
	d->mix[mix_of(d->bits)] += dt;
	if (d->bits & KS_MIX_COMM)
		d->comm_ns += dt;
	if (d->bits == 0 && d->overhead_until > d->now)
		d->idle_overhead += (d->overhead_until < at ? d->overhead_until : at) - d->now;
	if (s->claims)
		ks_claims_pass(s->claims, number_of(s, d), d->now, at, d->bits, d->overhead_until);
	d->now = at;
}

static struct ks_claims_event event_of(const struct ks_sweep_active *a)
{
	return (struct ks_claims_event){ a->what, a->bit == KS_MIX_COMM, a->start, a->end };
}

/* A launch of a kernel of the report has ended. The sums are parts of its total, which is checked.
 */
static bool count_beside_comm(struct ks_sweep_kernel *k, const struct ks_sweep_active *ended,
			      ks_ns with)
{
	const ks_ns duration = ended->end - ended->start;

	k->with_ns += with;
	k->without_ns += duration - with;
	return ks_sketch_add(with > 0 ? &k->with : &k->without, duration);
}

static enum ks_status kernel_ends(struct ks_sweep *s, struct ks_sweep_device *d,
				  const struct ks_sweep_active *ended, struct ks_err *err)
{
	const struct ks_sweep_pair *pair = &s->plan.pair[ended->what];

	if (--s->on_track[pair->track] == 0)
		d->streams--;
	if (!s->kernel || pair->comm || pair->kernel >= s->n_kernels)
		return KS_OK;
	return count_beside_comm(&s->kernel[pair->kernel], ended, d->comm_ns - ended->comm_before)
		       ? KS_OK
		       : ks_sweep_no_memory(err);
}

/* Everything that ends up to then has ended, and it is then. */
static enum ks_status run_until(struct ks_sweep *s, struct ks_sweep_device *d, ks_ns at,
				struct ks_err *err)
{
	while (d->n > 0 && d->active[0].end <= at) {
		const struct ks_sweep_active *ended = &d->active[0];

		pass(s, d, ended->end);
		if (--d->n_class[KS_SWEEP_CLASS(ended->bit)] == 0)
			d->bits &= ~ended->bit;
		ks_sweep_gap_ended(s, d, ended->end, ended->what);
		if (s->claims) {
			const struct ks_claims_event e = event_of(ended);

			ks_claims_end(s->claims, number_of(s, d), &e);
		}
		if (is_kernel(ended->bit))
			KS_TRY(kernel_ends(s, d, ended, err));
		pop(d);
		if (d->n == 0)
			ks_sweep_gap_opens(s, d);
	}
	pass(s, d, at);
	return KS_OK;
}

static enum ks_status kernel_starts(struct ks_sweep *s, struct ks_sweep_device *d,
				    const struct ks_sweep_pair *pair, struct ks_sweep_span span,
				    struct ks_err *err)
{
	if (s->on_track[pair->track]++ == 0 && ++d->streams > d->max_streams)
		d->max_streams = d->streams;
	if (!pair->comm)
		return KS_OK;
	if (!ks_num_add_u64(&d->comm_sum, (uint64_t)(span.end - span.start)) ||
	    d->comm_sum > INT64_MAX)
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_OVERFLOW, NULL);
	return KS_OK;
}

static uint32_t bit_of(const struct ks_sweep *s, uint32_t what)
{
	const uint32_t kind = what & KS_SWEEP_KIND;

	if (what & KS_SWEEP_WORK)
		return kind >= KS_COPY_UM_HTOD && kind <= KS_COPY_UM_DTOD ? KS_SWEEP_MIGRATION
									  : KS_MIX_COPY;
	return s->plan.pair[what].comm ? KS_MIX_COMM : KS_MIX_COMPUTE;
}

static void claim_start(const struct ks_sweep *s, const struct ks_sweep_device *d,
			const struct ks_sweep_active *starts)
{
	const struct ks_claims_event e = event_of(starts);
	const uint32_t device = number_of(s, d);

	if (d->bits == 0 && starts->start > d->idle_since)
		ks_claims_gap_closes(s->claims, device, d->idle_since, starts->start);
	ks_claims_begin(s->claims, device, &e);
}

enum ks_status ks_sweep_device_start(struct ks_sweep *s, struct ks_sweep_device *d,
				     struct ks_sweep_span span, uint32_t what, struct ks_err *err)
{
	const uint32_t bit = bit_of(s, what);

	KS_TRY(run_until(s, d, span.start, err));
	if (s->claims)
		claim_start(s, d, &(struct ks_sweep_active){ span.end, span.start, 0, what, bit });
	if (d->bits == 0)
		ks_sweep_gap_closes(s, d, span.start, what);
	else if (d->pending && d->gap.end == span.start)
		ks_sweep_gap_shared(s, d, what);
	d->seen = true;
	d->bits |= bit;
	d->n_class[KS_SWEEP_CLASS(bit)]++;
	if (is_kernel(bit))
		KS_TRY(kernel_starts(s, d, &s->plan.pair[what], span, err));
	return push(d, span, what, bit, err);
}

enum ks_status ks_sweep_device_overhead(struct ks_sweep *s, struct ks_sweep_device *d,
					struct ks_sweep_span span, struct ks_err *err)
{
	KS_TRY(run_until(s, d, span.start, err));
	if (span.end > d->overhead_until)
		d->overhead_until = span.end;
	return KS_OK;
}

enum ks_status ks_sweep_device_call(struct ks_sweep *s, struct ks_sweep_device *d,
				    struct ks_sweep_span span, enum ks_host_work work,
				    struct ks_err *err)
{
	KS_TRY(run_until(s, d, span.start, err));
	ks_claims_call(s->claims, number_of(s, d), work, span.start, span.end);
	return KS_OK;
}

enum ks_status ks_sweep_device_end(struct ks_sweep *s, struct ks_sweep_device *d,
				   struct ks_err *err)
{
	KS_TRY(run_until(s, d, s->plan.to, err));
	if (d->seen && s->claims && d->bits == 0 && s->plan.to > d->idle_since)
		ks_claims_gap_closes(s->claims, number_of(s, d), d->idle_since, s->plan.to);
	if (d->seen) {
		ks_sweep_gap_closes(s, d, s->plan.to, KS_SWEEP_NOTHING);
		ks_sweep_gap_settle(s, d);
	}
	ks_mem_free(d->active);
	d->active = NULL;
	return KS_OK;
}
