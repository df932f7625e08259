/* SPDX-License-Identifier: Apache-2.0
 *
 * Device memory in use along the run, from its allocations and releases in order of time. What was
 * allocated before the recording began is not seen; where its release shows that there was some,
 * the numbers are lower bounds and say so.
 */
#include "analyze/copies_internal.h"

#include "analyze/emit.h"
#include "base/mem.h"
#include "base/num.h"
#include "tables/tables.h"

#define READ_ROWS 512
#define WORDS	  3

static enum ks_status count_unknown(struct ks_copies *c, uint32_t device, struct ks_err *err)
{
	if (!KS_GROW(c->unknown_memory, c->unknown_memory_cap, (size_t)device + 1, UINT32_MAX))
		return ks_copies_no_memory(err);
	if (c->n_unknown_memory <= device)
		c->n_unknown_memory = (size_t)device + 1;
	c->unknown_memory[device]++;
	return KS_OK;
}

enum ks_status ks_copies_memory(struct ks_copies *c, const struct ks_memory *row, uint32_t device,
				struct ks_err *err)
{
	/* Allocations first: a release of the same instant may be of one of them. */
	const int64_t rec[WORDS] = { row->start_ns, (int64_t)device * 2 + (row->operation == 1),
				     row->bytes };

	if (!ks_memory_is_on_device(row->kind))
		return KS_OK;
	if (row->bytes < 0 || row->start_ns == KS_UNKNOWN ||
	    (row->operation != 0 && row->operation != 1))
		return count_unknown(c, device, err);
	if (!c->memory)
		c->memory =
			ks_sorter_open(c->io, WORDS, (size_t)ks_limit(KS_LIMIT_COPY_SPILL_BYTES));
	return c->memory ? ks_sorter_add(c->memory, rec, err) : ks_copies_no_memory(err);
}

struct running { /* of a device; bytes since the recording began, negative after early releases */
	int64_t now, low, peak, end;
	uint64_t events, early;
	bool entered; /* an event inside the window was met */
};

static enum ks_status overflow(struct ks_err *err)
{
	return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_OVERFLOW, NULL);
}

static enum ks_status count_event(struct running *u, const struct ks_window *w, const int64_t *rec,
				  struct ks_err *err)
{
	const bool release = rec[1] % 2 != 0;
	const bool before_end = !w->on || rec[0] < w->to;

	if (before_end && !u->entered && (!w->on || rec[0] >= w->from)) {
		u->entered = true;
		u->peak = u->now;
	}
	if (release ? __builtin_sub_overflow(u->now, rec[2], &u->now)
		    : __builtin_add_overflow(u->now, rec[2], &u->now))
		return overflow(err);
	u->events++;
	if (u->now < u->low) { /* more was released than was seen allocated */
		u->low = u->now;
		u->early++;
	}
	if (!before_end)
		return KS_OK;
	u->end = u->now;
	if (u->entered && u->now > u->peak)
		u->peak = u->now;
	return KS_OK;
}

static enum ks_status run_through(struct ks_analysis *a, struct running *use, struct ks_err *err)
{
	struct ks_sorter *s = a->copies->memory;
	int64_t buf[READ_ROWS * WORDS];
	uint64_t at = 0;
	size_t n = 0;

	if (!s)
		return KS_OK;
	KS_TRY(ks_sorter_finish(s, NULL, NULL, err));
	for (;; at += n) {
		KS_TRY(ks_sorter_read(s, at, buf, READ_ROWS, &n, err));
		if (n == 0)
			return KS_OK;
		for (size_t i = 0; i < n; i++) {
			const int64_t *rec = buf + i * WORDS;

			if (rec[1] / 2 < (int64_t)a->n_devices)
				KS_TRY(count_event(&use[rec[1] / 2], &a->window, rec, err));
		}
	}
}

/* The running totals began at nothing; the lowest of them shows how much there was at least. */
static enum ks_status settle(const struct running *u, struct ks_device_time *d, struct ks_err *err)
{
	const int64_t peak = u->entered ? u->peak : u->end;

	if (__builtin_sub_overflow(peak, u->low, &d->memory_peak_bytes) ||
	    __builtin_sub_overflow(u->end, u->low, &d->memory_end_bytes))
		return overflow(err);
	return KS_OK;
}

static enum ks_status fill(struct ks_analysis *a, const struct running *use,
			   struct ks_device_time *time, struct ks_memory_use *facts,
			   struct ks_err *err)
{
	const struct ks_copies *c = a->copies;

	for (size_t i = 0; i < a->n_devices; i++) {
		const struct ks_device_work *w = &a->device[i];

		if (!w->used || !w->selected)
			continue;
		facts[w->gpu] = (struct ks_memory_use){
			.events = use[i].events,
			.early_releases = use[i].early,
			.unknown_rows = i < c->n_unknown_memory ? c->unknown_memory[i] : 0,
		};
		if (use[i].events)
			KS_TRY(settle(&use[i], &time[w->gpu], err));
	}
	return KS_OK;
}

enum ks_status ks_copies_memory_in_use(struct ks_analysis *a, struct ks_report *r,
				       struct ks_timeline *t, struct ks_err *err)
{
	const size_t n = r->n_gpus_used;
	struct ks_device_time *time = KS_ARENA_NEWS(a->arena, struct ks_device_time, n);
	struct ks_memory_use *facts = KS_ARENA_NEWS(a->arena, struct ks_memory_use, n);
	struct running *use = ks_mem_alloc((a->n_devices + 1) * sizeof(*use));
	enum ks_status st = time && facts && use ? KS_OK : ks_copies_no_memory(err);

	if (st == KS_OK)
		st = run_through(a, use, err);
	for (size_t i = 0; i < n && st == KS_OK; i++) {
		if (t->device)
			time[i] = t->device[i];
		time[i].memory_peak_bytes = time[i].memory_end_bytes = KS_UNKNOWN;
	}
	if (st == KS_OK)
		st = fill(a, use, time, facts, err);
	ks_mem_free(use);
	t->device = time;
	a->copies->use = facts;
	return st;
}

/* --- rows ----------------------------------------------------------------------------------------
 */

static struct ks_msg note_of(struct ks_emit *e, const struct ks_memory_use *u)
{
	char early[KS_NUM_LEN], unknown[KS_NUM_LEN];

	if (u->early_releases == 0 && u->unknown_rows == 0)
		return (struct ks_msg){ .id = KS_TEXT_AN_NOTE_MEMORY };
	ks_num_u64(early, u->early_releases);
	ks_num_u64(unknown, u->unknown_rows);
	return ks_store_msg(e->ev, KS_TEXT_AN_NOTE_MEMORY_BOUND, early, unknown, NULL);
}

static void emit_mb(struct ks_emit *e, enum ks_metric metric, const char *tail, size_t gpu,
		    int64_t bytes)
{
	const struct ks_memory_use *u = &e->a->copies->use[gpu];
	struct ks_ev_spec spec =
		ks_emit_spec(e, metric, (struct ks_msg){ .id = KS_TEXT_AN_SRC_MEMORY },
			     "start,deviceId,bytes,memKind,memoryOperationType", u->events);
	char label[KS_NUM_LEN] = "unknown";

	if (e->r->gpu[gpu].label >= 0)
		ks_num_i64(label, e->r->gpu[gpu].label);
	if (!e->a->meta.synthetic)
		spec.origin.table = KS_LIT("CUDA_GPU_MEMORY_USAGE_EVENTS");
	spec.name = ks_arena_fmt(e->a->arena, "ks__device_%s__%s", label, tail);
	spec.note = note_of(e, u);
	ks_emit_row(e, ks_ev_derived(e->ev, &spec, KS_VAL_REAL((double)bytes / 1e6)));
}

void ks_emit_memory_in_use(struct ks_emit *e, size_t gpu)
{
	const struct ks_timeline *t = e->r->timeline;

	if (!t || !t->device || !e->a->copies || !e->a->copies->use ||
	    t->device[gpu].memory_peak_bytes == KS_UNKNOWN)
		return;
	emit_mb(e, KS_METRIC_KS_DEVICE_N_MEMORY_PEAK_MB, "memory_peak_mb", gpu,
		t->device[gpu].memory_peak_bytes);
	emit_mb(e, KS_METRIC_KS_DEVICE_N_MEMORY_END_MB, "memory_end_mb", gpu,
		t->device[gpu].memory_end_bytes);
}
