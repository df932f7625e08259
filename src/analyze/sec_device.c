/* SPDX-License-Identifier: Apache-2.0
 *
 * Section DeviceStatistics of the pseudo kernel "(device)": totals per device, stream and process,
 * unions of busy time, and the span they are measured against.
 */
#include "analyze/emit.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

static ks_str number_or_unknown(struct ks_emit *e, int64_t v, bool unknown)
{
	char text[KS_NUM_LEN];

	if (unknown)
		return KS_LIT("unknown");
	ks_num_i64(text, v);
	return ks_arena_dup(e->a->arena, ks_str_c(text));
}

static ks_str device_number(struct ks_emit *e, const struct ks_gpu *g)
{
	return number_or_unknown(e, g->label, g->label < 0);
}

/* --- one device ----------------------------------------------------------------------------------
 */

struct device_rows {
	struct ks_emit *e;
	const struct ks_gpu *g;
	ks_str number;
	const struct ks_device_work *work;
};

static struct ks_ev_spec device_spec(const struct device_rows *d, enum ks_metric metric,
				     struct ks_msg source, const char *tail)
{
	struct ks_ev_spec spec =
		ks_emit_spec(d->e, metric, source, "start,end,deviceId", d->g->launches);

	if (metric == KS_METRIC_KS_DEVICE_N_BUSY_MS || metric == KS_METRIC_KS_DEVICE_N_IDLE_MS) {
		spec.origin.table = d->e->all_tables;
		spec.origin.rows = d->work->launches + d->work->copies + d->work->memsets;
	}
	spec.name = ks_arena_fmt(d->e->a->arena, "ks__device_%.*s__%s", (int)d->number.n,
				 d->number.p, tail);
	return spec;
}

static ks_id device_ms(const struct device_rows *d, enum ks_metric metric, struct ks_msg source,
		       const char *tail, ks_ns ns)
{
	const struct ks_ev_spec spec = device_spec(d, metric, source, tail);

	return ks_emit_row(d->e,
			   ks_ev_derived(d->e->ev, &spec, KS_VAL_REAL((double)ns / KS_NS_PER_MS)));
}

static void device_count(const struct device_rows *d, enum ks_metric metric, const char *tail,
			 uint64_t n)
{
	const struct ks_ev_spec spec = device_spec(d, metric, d->e->by_sum, tail);

	ks_emit_row(d->e, ks_ev_derived(d->e->ev, &spec, KS_VAL_INT((int64_t)n)));
}

static const struct ks_device_work *work_of(const struct ks_emit *e, size_t gpu)
{
	for (size_t i = 0; i < e->a->n_devices; i++) {
		const struct ks_device_work *w = &e->a->device[i];

		if (w->used && w->selected && w->gpu == gpu)
			return w;
	}
	return NULL;
}

static void emit_device(struct ks_emit *e, size_t gpu, ks_id span)
{
	const struct ks_gpu *g = &e->r->gpu[gpu];
	const struct ks_device_work *w = work_of(e, gpu);
	const struct device_rows d = { e, g, device_number(e, g), w };

	if (!w)
		return;
	if (g->launches) {
		device_count(&d, KS_METRIC_KS_DEVICE_N_LAUNCH_COUNT, "launch_count", g->launches);
		device_ms(&d, KS_METRIC_KS_DEVICE_N_KERNEL_MS, e->by_sum, "kernel_ms",
			  g->kernel_ns);
		device_count(&d, KS_METRIC_KS_DEVICE_N_KERNELS, "kernels", w->kernels);
		device_ms(&d, KS_METRIC_KS_DEVICE_N_KERNEL_BUSY_MS, e->by_union, "kernel_busy_ms",
			  g->kernel_busy_ns);
	}
	ks_id busy =
		device_ms(&d, KS_METRIC_KS_DEVICE_N_BUSY_MS, e->by_union, "busy_ms", g->busy_ns);
	const ks_id inputs[] = { span, busy };
	struct ks_ev_spec spec =
		device_spec(&d, KS_METRIC_KS_DEVICE_N_IDLE_MS, e->by_union, "idle_ms");

	if (span && busy) {
		spec.inputs = inputs;
		spec.n_inputs = KS_ARRAY_LEN(inputs);
		ks_emit_row(e, ks_ev_derived(e->ev, &spec,
					     KS_VAL_REAL((double)g->idle_ns / KS_NS_PER_MS)));
	}
	if (!e->r->timeline)
		return;
	ks_emit_device_time(e, gpu);
	ks_emit_memory_in_use(e, gpu);
}

/* --- streams and processes -----------------------------------------------------------------------
 */

static void exact_pair(struct ks_emit *e, const enum ks_metric metric[2], ks_str stem,
		       uint64_t launches, ks_ns kernel_ns)
{
	struct ks_ev_spec spec = ks_emit_spec(e, metric[0], e->by_sum, "start,end", launches);

	spec.name = ks_arena_fmt(e->a->arena, "%.*s__kernel_ms", (int)stem.n, stem.p);
	ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_REAL((double)kernel_ns / KS_NS_PER_MS)));
	spec.metric = metric[1];
	spec.name = ks_arena_fmt(e->a->arena, "%.*s__launch_count", (int)stem.n, stem.p);
	ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_INT((int64_t)launches)));
}

/* One stream number of one device may belong to several processes: they are one row here. */
struct stream_sum {
	size_t gpu;
	int64_t stream;
	uint64_t launches;
	ks_ns kernel_ns;
};

static int by_stream(const void *x, const void *y)
{
	const struct stream_sum *a = x, *b = y;

	if (a->gpu != b->gpu)
		return a->gpu < b->gpu ? -1 : 1;
	return (a->stream > b->stream) - (a->stream < b->stream);
}

static void emit_streams(struct ks_emit *e)
{
	static const enum ks_metric metric[2] = { KS_METRIC_KS_DEVICE_N_STREAM_S_KERNEL_MS,
						  KS_METRIC_KS_DEVICE_N_STREAM_S_LAUNCH_COUNT };
	const struct ks_report *r = e->r;
	struct stream_sum *sum = ks_mem_alloc((r->n_streams + 1) * sizeof(*sum));

	if (!sum) {
		e->a->no_memory = true;
		return;
	}
	for (size_t i = 0; i < r->n_streams; i++)
		sum[i] = (struct stream_sum){ r->stream[i].gpu, r->stream[i].stream,
					      r->stream[i].launches, r->stream[i].kernel_ns };
	qsort(sum, r->n_streams, sizeof(*sum), by_stream);
	for (size_t i = 0; i < r->n_streams;) {
		struct stream_sum s = sum[i++];

		for (; i < r->n_streams && by_stream(&s, &sum[i]) == 0; i++) {
			s.launches += sum[i].launches;
			s.kernel_ns += sum[i].kernel_ns;
		}
		ks_str device = device_number(e, &r->gpu[s.gpu]);
		ks_str stream = number_or_unknown(e, s.stream, s.stream == KS_UNKNOWN);
		ks_str stem = ks_arena_fmt(e->a->arena, "ks__device_%.*s__stream_%.*s",
					   (int)device.n, device.p, (int)stream.n, stream.p);

		exact_pair(e, metric, stem, s.launches, s.kernel_ns);
	}
	ks_mem_free(sum);
}

static void emit_processes(struct ks_emit *e)
{
	static const enum ks_metric metric[2] = { KS_METRIC_KS_PROCESS_P_KERNEL_MS,
						  KS_METRIC_KS_PROCESS_P_LAUNCH_COUNT };

	for (size_t i = 0; i < e->r->n_processes; i++) {
		const struct ks_process *p = &e->r->process[i];
		ks_str pid = number_or_unknown(e, p->pid, p->pid == KS_UNKNOWN);
		ks_str stem = ks_arena_fmt(e->a->arena, "ks__process_%.*s", (int)pid.n, pid.p);

		exact_pair(e, metric, stem, p->launches, p->kernel_ns);
	}
}

/* --- the section ---------------------------------------------------------------------------------
 */

static void emit_device_count(struct ks_emit *e)
{
	const struct ks_ev_spec spec = ks_emit_spec(e, KS_METRIC_KS_DEVICE_COUNT, e->by_sum,
						    "deviceId", e->r->total_launches);

	ks_emit_row(e, ks_ev_derived(e->ev, &spec, KS_VAL_INT((int64_t)e->r->n_gpus_used)));
}

static ks_id emit_span(struct ks_emit *e)
{
	const struct ks_contents *c = &e->r->contents;
	struct ks_ev_spec spec = ks_emit_spec(e, KS_METRIC_KS_TRACE_SPAN_MS, e->by_union,
					      "start,end", c->kernels + c->copies + c->memsets);

	spec.origin.table = e->all_tables;
	if (e->r->span_ns <= 0)
		return ks_emit_refuse(e, KS_METRIC_KS_TRACE_SPAN_MS, KS_REFUSAL_NO_LAUNCH_ACTIVITY,
				      KS_TEXT_AN_NO_ROWS_WITH_TIME);
	spec.note = (struct ks_msg){ .id = e->r->span_from_other_rows ? KS_TEXT_AN_NOTE_SPAN_OTHER
								      : KS_TEXT_AN_NOTE_SPAN };
	return ks_emit_row(
		e, ks_ev_derived(e->ev, &spec, KS_VAL_REAL((double)e->r->span_ns / KS_NS_PER_MS)));
}

static void emit_single_device_share(struct ks_emit *e)
{
	const struct ks_ev_spec spec = { .metric = KS_METRIC_EST_SINGLE_DEVICE_KERNEL_SHARE_PCT,
					 .subject = e->subject };
	ks_str *label = KS_ARENA_NEWS(e->a->arena, ks_str, e->r->n_gpus_used);

	if (!label) {
		e->a->no_memory = true;
		return;
	}
	for (size_t i = 0; i < e->r->n_gpus_used; i++)
		label[i] = device_number(e, &e->r->gpu[i]);
	const struct ks_kv seen = { KS_LIT("device_ids"),
				    { .kind = KS_V_LIST, .list = label, .n = e->r->n_gpus_used } };
	const struct ks_refuse_spec why = { .code = KS_REFUSAL_MULTI_DEVICE_AGGREGATE,
					    .observed = &seen,
					    .n_observed = 1 };

	ks_emit_row(e, ks_ev_refuse(e->ev, &spec, &why));
}

void ks_emit_device_statistics(struct ks_emit *e)
{
	emit_device_count(e);
	ks_id span = emit_span(e);

	for (size_t i = 0; i < e->r->n_gpus_used; i++)
		emit_device(e, i, span);
	emit_streams(e);
	emit_processes(e);
	ks_emit_families(e);
	ks_emit_findings(e);
	if (e->r->timeline)
		ks_emit_calls(e);
	if (e->r->multi_device)
		emit_single_device_share(e);
	ks_emit_section(e, KS_SECTION_DEVICESTATISTICS, (struct ks_msg){ 0 });
}

/* A trace without kernels: the one refusal that all questions about kernels come down to. */
void ks_emit_no_kernels(struct ks_emit *e)
{
	static const enum ks_text why[] = {
		[KS_NK_NONE] = KS_TEXT_AN_NK_ALL_SKIPPED,
		[KS_NK_NOT_TRACED] = KS_TEXT_AN_NK_NOT_TRACED,
		[KS_NK_NOTHING_RECORDED] = KS_TEXT_AN_NK_NOTHING_RECORDED,
		[KS_NK_NO_DRIVER] = KS_TEXT_AN_NK_NO_DRIVER,
		[KS_NK_GRAPH_ONLY] = KS_TEXT_AN_NK_GRAPH_ONLY,
		[KS_NK_NOT_A_TABLE] = KS_TEXT_AN_NK_NOT_A_TABLE,
		[KS_NK_CODE_ONLY] = KS_TEXT_CODE_NK,
		[KS_NK_NO_TRACE] = KS_TEXT_AN_NK_NO_TRACE,
	};
	static const enum ks_text what[] = {
		[KS_NK_NONE] = KS_TEXT_AN_DO_SKIP_LESS,
		[KS_NK_NOT_TRACED] = KS_TEXT_AN_DO_TRACE_CUDA,
		[KS_NK_NOTHING_RECORDED] = KS_TEXT_AN_DO_CHECK_PROGRAM,
		[KS_NK_NO_DRIVER] = KS_TEXT_AN_DO_INSTALL_DRIVER,
		[KS_NK_GRAPH_ONLY] = KS_TEXT_AN_DO_TRACE_NODES,
		[KS_NK_NOT_A_TABLE] = KS_TEXT_AN_DO_EXPORT_AGAIN,
		[KS_NK_CODE_ONLY] = KS_TEXT_CODE_DO_RECORD,
		[KS_NK_NO_TRACE] = KS_TEXT_AN_DO_GIVE_TRACE,
	};
	const struct ks_contents *c = &e->r->contents;
	const bool outside = e->r->within.n > 0 && (c->why_no_kernels == KS_NK_NONE ||
						    c->why_no_kernels == KS_NK_NOTHING_RECORDED);
	const struct ks_ev_spec spec = { .metric = KS_METRIC_GPU_TIME_DURATION_SUM,
					 .subject = e->subject };
	const struct ks_kv seen[] = {
		{ KS_LIT("kernel_rows"), KS_VAL_INT((int64_t)(c->kernels + c->bad_kernels)) },
		{ KS_LIT("graph_rows"), KS_VAL_INT((int64_t)c->graph_rows) },
	};
	const struct ks_refuse_spec refusal = {
		.code = KS_REFUSAL_NO_LAUNCH_ACTIVITY,
		.message = { .id = outside ? KS_TEXT_AN_NK_WITHIN : why[c->why_no_kernels] },
		.observed = seen,
		.n_observed = KS_ARRAY_LEN(seen),
		.action = { .id = outside ? KS_TEXT_AN_DO_WIDEN : what[c->why_no_kernels] },
	};

	ks_emit_row(e, ks_ev_refuse(e->ev, &spec, &refusal));
	ks_emit_section(e, KS_SECTION_DURATION, (struct ks_msg){ 0 });
}
