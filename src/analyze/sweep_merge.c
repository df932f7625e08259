/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches, copies and overhead in one order of start, each given to the devices it is about. Makes
 * one pass; what it holds grows with devices, kernels and what is active at once, never with rows.
 */
#include "analyze/sweep_internal.h"

#include "base/mem.h"
#include "tables/tables.h"

void ks_sweep_forget(struct ks_sweep *s)
{
	for (size_t i = 0; i < s->n_devices; i++)
		ks_mem_free(s->device[i].active);
	for (size_t i = 0; s->kernel && i < s->n_kernels; i++) {
		ks_sketch_release(&s->kernel[i].with);
		ks_sketch_release(&s->kernel[i].without);
	}
	ks_mem_free(s->device);
	ks_mem_free(s->on_track);
	ks_mem_free(s->kernel);
	ks_mem_free(s->top.gap);
	ks_claims_close(s->claims);
	s->claims = NULL;
	s->device = NULL;
	s->on_track = NULL;
	s->kernel = NULL;
	s->top = (struct ks_sweep_gaps){ 0 };
	s->n_devices = s->n_kernels = 0;
}

static bool any_comm(const struct ks_sweep_plan *p)
{
	for (size_t i = 0; i < p->n_pairs; i++) {
		if (p->pair[i].comm && p->pair[i].device != UINT32_MAX)
			return true;
	}
	return false;
}

static enum ks_status prepare(struct ks_sweep *s, struct ks_err *err)
{
	const struct ks_sweep_plan *p = &s->plan;

	s->top.max = (size_t)ks_limit(KS_LIMIT_GAPS);
	s->top.label = p->label;
	s->top.gap = ks_mem_alloc(s->top.max * sizeof(*s->top.gap));
	s->device = ks_mem_alloc(p->n_devices * sizeof(*s->device));
	s->on_track = ks_mem_alloc(p->n_tracks * sizeof(*s->on_track));
	if (!s->top.gap || !s->device || !s->on_track)
		return ks_sweep_no_memory(err);
	s->n_devices = p->n_devices;
	for (size_t i = 0; i < p->n_devices; i++) {
		struct ks_sweep_device *d = &s->device[i];

		d->on = p->device_on[i];
		d->now = d->idle_since = d->last_end = d->overhead_until = p->from;
		d->last_what = KS_SWEEP_NOTHING;
	}
	s->claims = p->claims ? ks_claims_open(p->claims) : NULL;
	if (p->claims && !s->claims)
		return ks_sweep_no_memory(err);
	if (!any_comm(p))
		return KS_OK;
	s->kernel = ks_mem_alloc(p->n_kernels * sizeof(*s->kernel));
	s->n_kernels = s->kernel ? p->n_kernels : 0;
	return s->kernel ? KS_OK : ks_sweep_no_memory(err);
}

/* --- one row -------------------------------------------------------------------------------------
 */

/* What of it is in the span; start == end: nothing. */
static struct ks_sweep_span clip(const struct ks_sweep_plan *p, const int64_t *rec)
{
	const ks_ns start = rec[0] < p->from ? p->from : rec[0];
	const ks_ns end = rec[1] > p->to ? p->to : rec[1];

	return (struct ks_sweep_span){ start, end < start ? start : end };
}

static enum ks_status on_launch(struct ks_sweep *s, const int64_t *rec, struct ks_err *err)
{
	const uint32_t pair = (uint32_t)((uint64_t)rec[2] >> 32);
	const uint32_t device = s->plan.pair[pair].device;
	const struct ks_sweep_span span = clip(&s->plan, rec);

	if (device >= s->n_devices || span.start == span.end)
		return KS_OK;
	if (s->claims)
		ks_claims_launch(s->claims, pair, (uint32_t)rec[2]);
	return ks_sweep_device_start(s, &s->device[device], span, pair, err);
}

static enum ks_status on_work(struct ks_sweep *s, const int64_t *rec, struct ks_err *err)
{
	const uint32_t device = (uint32_t)((uint64_t)rec[2] >> 32);
	/* no kind is as large as the top bit and the numbers below NOTHING */
	const uint32_t kind = (uint32_t)rec[2] & (KS_SWEEP_WORK / 2 - 1);
	const struct ks_sweep_span span = clip(&s->plan, rec);

	if (device >= s->n_devices || !s->device[device].on || span.start == span.end)
		return KS_OK;
	return ks_sweep_device_start(s, &s->device[device], span, KS_SWEEP_WORK | kind, err);
}

/* First user of that process or of a later one. */
static size_t first_user(const struct ks_sweep_plan *p, int64_t process)
{
	size_t lo = 0, hi = p->n_users;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (p->user[mid].process < process)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static enum ks_status held_up(struct ks_sweep *s, int64_t process, struct ks_sweep_span span,
			      struct ks_err *err)
{
	for (size_t i = first_user(&s->plan, process);
	     i < s->plan.n_users && s->plan.user[i].process == process; i++) {
		struct ks_sweep_device *d = &s->device[s->plan.user[i].device];

		if (d->on)
			KS_TRY(ks_sweep_device_overhead(s, d, span, err));
	}
	return KS_OK;
}

/* Overhead of a process holds up the devices it uses and those of which no user is known; of an
 * unknown process, all. */
static enum ks_status on_overhead(struct ks_sweep *s, const int64_t *rec, struct ks_err *err)
{
	const struct ks_sweep_span span = clip(&s->plan, rec);

	if (span.start == span.end)
		return KS_OK;
	if (rec[2] != KS_UNKNOWN) {
		KS_TRY(held_up(s, rec[2], span, err));
		return held_up(s, KS_UNKNOWN, span, err);
	}
	for (size_t i = 0; i < s->n_devices; i++) {
		if (s->device[i].on)
			KS_TRY(ks_sweep_device_overhead(s, &s->device[i], span, err));
	}
	return KS_OK;
}

/* The same of a call: for the devices its process uses, of an unknown process for all. */
static enum ks_status calls_of(struct ks_sweep *s, int64_t process, enum ks_host_work work,
			       struct ks_sweep_span span, struct ks_err *err)
{
	for (size_t i = first_user(&s->plan, process);
	     i < s->plan.n_users && s->plan.user[i].process == process; i++) {
		const uint32_t device = s->plan.user[i].device;

		if (s->device[device].on)
			KS_TRY(ks_sweep_device_call(s, &s->device[device], span, work, err));
	}
	return KS_OK;
}

static enum ks_status on_call(struct ks_sweep *s, const int64_t *rec, struct ks_err *err)
{
	const struct ks_sweep_span span = clip(&s->plan, rec);
	const enum ks_host_work work =
		(enum ks_host_work)(rec[2] & ((1 << KS_SWEEP_CALL_BITS) - 1));
	const int64_t process = rec[2] >> KS_SWEEP_CALL_BITS;

	if (!s->claims || span.start == span.end)
		return KS_OK;
	if (process != KS_SWEEP_NOBODY) {
		KS_TRY(calls_of(s, process, work, span, err));
		return calls_of(s, KS_UNKNOWN, work, span, err);
	}
	for (size_t i = 0; i < s->n_devices; i++) {
		if (s->device[i].on)
			KS_TRY(ks_sweep_device_call(s, &s->device[i], span, work, err));
	}
	return KS_OK;
}

/* --- all rows ------------------------------------------------------------------------------------
 */

enum { LAUNCHES, WORK, OVERHEAD, CALLS, STREAMS };

typedef enum ks_status row_fn(struct ks_sweep *s, const int64_t *rec, struct ks_err *err);
static row_fn *const on_row[STREAMS] = { on_launch, on_work, on_overhead, on_call };

static ks_ns next_start(const struct ks_sweep_reader *r)
{
	return r->i < r->n ? r->block[r->i * KS_SWEEP_WORDS] : INT64_MAX;
}

/* The stream whose next row starts first, and up to when it stays the first. */
static unsigned first_stream(const struct ks_sweep_reader r[STREAMS], ks_ns *until)
{
	unsigned first = 0;

	*until = INT64_MAX;
	for (unsigned i = 1; i < STREAMS; i++) {
		const ks_ns start = next_start(&r[i]), least = next_start(&r[first]);

		if (start < least) {
			*until = least;
			first = i;
		} else if (start < *until) {
			*until = start;
		}
	}
	return first;
}

static enum ks_status merge_rows(struct ks_sweep *s, struct ks_sweep_reader r[STREAMS],
				 struct ks_err *err)
{
	for (;;) {
		ks_ns until;
		const unsigned first = first_stream(r, &until);
		struct ks_sweep_reader *in = &r[first];
		row_fn *const row = on_row[first];

		if (in->i == in->n)
			return KS_OK;
		do {
			KS_TRY(row(s, in->block + in->i++ * KS_SWEEP_WORDS, err));
			if (in->i == in->n)
				KS_TRY(ks_sweep_reader_fill(in, err));
		} while (in->i < in->n && next_start(in) <= until);
	}
}

enum ks_status ks_sweep_merge(struct ks_sweep *s, const struct ks_sweep_plan *plan,
			      struct ks_err *err)
{
	struct ks_sorter *const rows[STREAMS] = { s->launches, s->work, s->overhead, s->calls };
	struct ks_sweep_reader r[STREAMS] = { 0 };

	ks_sweep_forget(s);
	s->plan = *plan;
	enum ks_status st = prepare(s, err);

	for (unsigned i = 0; st == KS_OK && i < STREAMS; i++)
		st = ks_sweep_reader_open(&r[i], rows[i], err);
	if (st == KS_OK)
		st = merge_rows(s, r, err);
	for (unsigned i = 0; i < STREAMS; i++)
		ks_sweep_reader_close(&r[i]);
	for (size_t i = 0; st == KS_OK && i < s->n_devices; i++) {
		if (s->device[i].on)
			st = ks_sweep_device_end(s, &s->device[i], err);
	}
	return st;
}
