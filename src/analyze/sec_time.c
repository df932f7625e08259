/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of the timeline about devices and kernels: what ran at once, idle gaps, and the time of a
 * kernel beside and without collectives. Every number comes from the sweep; nothing is measured
 * again here.
 */
#include "analyze/emit.h"
#include "analyze/sweep_internal.h"
#include "base/num.h"
#include "base/str.h"

static double ms(double ns)
{
	return ns / KS_NS_PER_MS;
}

/* --- a device ------------------------------------------------------------------------------------
 */

struct device_rows {
	struct ks_emit *e;
	const struct ks_device_time *time;
	ks_str stem; /* "ks__device_0__" */
	uint64_t kernels, rows;
};

static ks_str stem_of(struct ks_emit *e, const struct ks_gpu *g)
{
	char number[KS_NUM_LEN];

	if (g->label < 0)
		return KS_LIT("ks__device_unknown__");
	ks_num_i64(number, g->label);
	return ks_arena_fmt(e->a->arena, "ks__device_%s__", number);
}

static ks_str name_of(const struct device_rows *d, const char *tail)
{
	return ks_arena_fmt(d->e->a->arena, "%.*s%s", (int)d->stem.n, d->stem.p, tail);
}

/* The row of this device that was made before, as input of another. */
static ks_id row_of(const struct device_rows *d, const char *tail)
{
	return ks_ev_find(d->e->ev, name_of(d, tail), d->e->subject);
}

static struct ks_ev_spec spec_of(const struct device_rows *d, enum ks_metric metric,
				 const char *tail)
{
	struct ks_ev_spec spec = ks_emit_spec(d->e, metric, d->e->by_union,
					      "start,end,deviceId,contextId,streamId", d->rows);

	spec.origin.table = d->e->all_tables;
	spec.name = name_of(d, tail);
	return spec;
}

static void emit_streams(const struct device_rows *d)
{
	struct ks_ev_spec spec =
		spec_of(d, KS_METRIC_KS_DEVICE_N_MAX_CONCURRENT_STREAMS, "max_concurrent_streams");

	if (d->kernels == 0)
		return;
	spec.origin.table = d->e->table;
	spec.origin.rows = d->kernels;
	spec.source = d->e->by_time;
	ks_emit_row(d->e, ks_ev_exact(d->e->ev, &spec, KS_VAL_INT((int64_t)d->time->max_streams)));
}

static void emit_mix(const struct device_rows *d)
{
	static const struct {
		unsigned mix;
		enum ks_metric metric;
		const char *tail;
	} part[] = {
		{ KS_MIX_COMPUTE, KS_METRIC_KS_DEVICE_N_TIME_COMPUTE_MS, "time_compute_ms" },
		{ KS_MIX_COPY, KS_METRIC_KS_DEVICE_N_TIME_COPY_MS, "time_copy_ms" },
		{ KS_MIX_COMM, KS_METRIC_KS_DEVICE_N_TIME_COMM_MS, "time_comm_ms" },
		{ KS_MIX_COMPUTE | KS_MIX_COPY, KS_METRIC_KS_DEVICE_N_TIME_COMPUTE_COPY_MS,
		  "time_compute_copy_ms" },
		{ KS_MIX_COMPUTE | KS_MIX_COMM, KS_METRIC_KS_DEVICE_N_TIME_COMPUTE_COMM_MS,
		  "time_compute_comm_ms" },
		{ KS_MIX_COPY | KS_MIX_COMM, KS_METRIC_KS_DEVICE_N_TIME_COPY_COMM_MS,
		  "time_copy_comm_ms" },
		{ KS_MIX_COMPUTE | KS_MIX_COPY | KS_MIX_COMM,
		  KS_METRIC_KS_DEVICE_N_TIME_COMPUTE_COPY_COMM_MS, "time_compute_copy_comm_ms" },
	};

	for (size_t i = 0; i < KS_ARRAY_LEN(part); i++) {
		const struct ks_ev_spec spec = spec_of(d, part[i].metric, part[i].tail);
		const double v = ms((double)d->time->mix_ns[part[i].mix]);

		ks_emit_row(d->e, ks_ev_derived(d->e->ev, &spec, KS_VAL_REAL(v)));
	}
}

/* --- idle time -----------------------------------------------------------------------------------
 */

static void emit_share(const struct device_rows *d, ks_id idle)
{
	const ks_id span = ks_ev_find(d->e->ev, KS_LIT("ks__trace_span_ms"), d->e->subject);
	const ks_id inputs[] = { idle, span };
	struct ks_ev_spec spec = spec_of(d, KS_METRIC_KS_DEVICE_N_IDLE_SHARE_PCT, "idle_share_pct");

	if (!idle || !span || d->e->r->span_ns <= 0)
		return;
	spec.inputs = inputs;
	spec.n_inputs = KS_ARRAY_LEN(inputs);
	ks_emit_row(d->e, ks_ev_derived(d->e->ev, &spec,
					KS_VAL_REAL(100.0 * (double)d->time->mix_ns[0] /
						    (double)d->e->r->span_ns)));
}

/* Without a row of overhead it is not known whether the profiler had none or did not say. */
static void emit_overhead(const struct device_rows *d, ks_id idle)
{
	struct ks_ev_spec spec =
		spec_of(d, KS_METRIC_KS_DEVICE_N_IDLE_OVERHEAD_MS, "idle_overhead_ms");
	const struct ks_sorter *rows = d->e->a->sweep->overhead;
	const struct ks_refuse_spec none = { .code = KS_REFUSAL_METRIC_ABSENT,
					     .message = { .id = KS_TEXT_AN_NO_OVERHEAD_ROWS },
					     .degraded = true };

	if (!rows) {
		ks_emit_row(d->e, ks_ev_refuse(d->e->ev, &spec, &none));
		return;
	}
	spec.origin = (struct ks_origin){ KS_LIT("PROFILER_OVERHEAD"),
					  KS_LIT("start,end,globalTid"), ks_sorter_count(rows) };
	spec.inputs = &idle;
	spec.n_inputs = idle ? 1 : 0;
	ks_emit_row(d->e, ks_ev_derived(d->e->ev, &spec,
					KS_VAL_REAL(ms((double)d->time->gap_overhead_ns))));
}

static void emit_idle(const struct device_rows *d)
{
	const ks_id idle = row_of(d, "idle_ms");
	struct ks_ev_spec spec = spec_of(d, KS_METRIC_KS_DEVICE_N_IDLE_GAP_COUNT, "idle_gap_count");

	emit_share(d, idle);
	ks_emit_row(d->e, ks_ev_derived(d->e->ev, &spec, KS_VAL_INT((int64_t)d->time->gaps)));
	if (d->time->gaps == 0)
		return;
	spec = spec_of(d, KS_METRIC_KS_DEVICE_N_IDLE_GAP_MAX_MS, "idle_gap_max_ms");
	ks_emit_row(d->e, ks_ev_derived(d->e->ev, &spec,
					KS_VAL_REAL(ms((double)d->time->longest_gap_ns))));
	emit_overhead(d, idle);
}

static uint64_t rows_of(const struct ks_analysis *a, size_t gpu)
{
	uint64_t rows = 0;

	for (size_t i = 0; i < a->n_devices; i++) {
		const struct ks_device_work *w = &a->device[i];

		if (w->used && w->selected && w->gpu == gpu)
			rows += w->launches + w->copies + w->memsets;
	}
	return rows;
}

void ks_emit_device_time(struct ks_emit *e, size_t gpu)
{
	const struct ks_timeline *t = e->a->timeline;

	if (!e->a->sweep || !t || !t->device || gpu >= e->r->n_gpus_used)
		return;
	const struct ks_gpu *g = &e->r->gpu[gpu];
	const struct device_rows d = {
		.e = e,
		.time = &t->device[gpu],
		.stem = stem_of(e, g),
		.kernels = g->launches,
		.rows = rows_of(e->a, gpu),
	};

	emit_streams(&d);
	emit_mix(&d);
	emit_idle(&d);
}

/* --- a kernel beside collectives -----------------------------------------------------------------
 */

static void emit_part(struct ks_emit *e, enum ks_metric metric, ks_ns ns)
{
	struct ks_ev_spec spec =
		ks_emit_spec(e, metric, e->by_time, "start,end,deviceId", e->k->launches);

	spec.inputs = &e->sum;
	spec.n_inputs = e->sum ? 1 : 0;
	ks_emit_row(e, ks_ev_derived(e->ev, &spec, KS_VAL_REAL(ms((double)ns))));
}

static void emit_median(struct ks_emit *e, enum ks_metric metric, struct ks_sketch *s)
{
	struct ks_ev_spec spec = ks_emit_spec(e, metric, e->by_time, "start,end,deviceId", s->n);

	if (s->n == 0)
		return;
	ks_sketch_settle(s);
	const struct ks_quantile q = ks_sketch_median(s);

	spec.inputs = &e->sum;
	spec.n_inputs = e->sum ? 1 : 0;
	spec.has_resolution = true;
	spec.resolution = ms(q.error_ns);
	if (q.error_ns > 0.0)
		spec.note = (struct ks_msg){ .id = KS_TEXT_AN_NOTE_SKETCH };
	ks_emit_row(e, ks_ev_derived(e->ev, &spec, KS_VAL_REAL(ms(q.ns))));
}

void ks_emit_kernel_overlap(struct ks_emit *e)
{
	const struct ks_sweep *s = e->a->sweep;

	if (!s || !s->kernel || !e->k)
		return;
	const size_t at = (size_t)(e->k - e->a->kernel);

	if (at >= s->n_kernels || s->kernel[at].with_ns == 0)
		return;
	struct ks_sweep_kernel *k = &s->kernel[at];

	emit_part(e, KS_METRIC_KS_KERNEL_TIME_WITH_COMM_MS, k->with_ns);
	emit_part(e, KS_METRIC_KS_KERNEL_TIME_WITHOUT_COMM_MS, k->without_ns);
	emit_median(e, KS_METRIC_KS_LAUNCH_TIME_P50_WITH_COMM, &k->with);
	emit_median(e, KS_METRIC_KS_LAUNCH_TIME_P50_WITHOUT_COMM, &k->without);
}
