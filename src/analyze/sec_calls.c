/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of DeviceStatistics about the host side: CUDA calls, launch latency, synchronisation, CUDA
 * graphs; and the call site of a kernel. Says nothing about calls where none were recorded.
 */
#include "analyze/calls_internal.h"
#include "analyze/emit.h"
#include "base/num.h"
#include "base/str.h"

#define RUNTIME_TABLE "CUPTI_ACTIVITY_KIND_RUNTIME"
#define SYNC_TABLE    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"
#define GRAPH_TABLE   "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"
#define CHAIN_TABLE   "CUDA_CALLCHAINS"

static struct ks_ev_spec spec_of(const struct ks_emit *e, enum ks_metric metric,
				 enum ks_text source, struct ks_origin origin)
{
	struct ks_ev_spec spec =
		ks_emit_spec(e, metric, (struct ks_msg){ .id = source }, "", origin.rows);

	spec.origin = origin;
	return spec;
}

static struct ks_origin from(const char *table, const char *columns, uint64_t rows)
{
	return (struct ks_origin){ ks_str_c(table), ks_str_c(columns), rows };
}

static struct ks_value as_ms(double ns)
{
	return KS_VAL_REAL(ns / KS_NS_PER_MS);
}

static struct ks_msg note_of(struct ks_emit *e, enum ks_text id, uint64_t n)
{
	char number[KS_NUM_LEN];

	ks_num_u64(number, n);
	return ks_store_msg(e->ev, id, number, NULL);
}

/* The number is not in this input; `what` says why, and `action` what to do. */
static ks_id absent(struct ks_emit *e, enum ks_metric metric, enum ks_text why, enum ks_text action)
{
	const struct ks_calls *c = e->a->calls;
	const struct ks_ev_spec spec = { .metric = metric, .subject = e->subject };
	const struct ks_kv seen = { KS_LIT("calls"), KS_VAL_INT((int64_t)c->rows) };
	const struct ks_refuse_spec refusal = { .code = KS_REFUSAL_METRIC_ABSENT,
						.message = { .id = why },
						.observed = &seen,
						.n_observed = 1,
						.action = { .id = action } };

	return ks_emit_row(e, ks_ev_refuse(e->ev, &spec, &refusal));
}

/* --- calls ---------------------------------------------------------------------------------------
 */

static void emit_call_sum(struct ks_emit *e, enum ks_metric metric, uint64_t rows,
			  struct ks_value value, struct ks_msg note)
{
	const bool is_time = value.kind == KS_V_REAL;
	const bool is_failed = metric == KS_METRIC_KS_API_FAILED_COUNT;
	struct ks_ev_spec spec = spec_of(e, metric, KS_TEXT_AN_SRC_CALLS,
					 from(RUNTIME_TABLE,
					      is_failed ? "returnValue"
					      : is_time ? "start,end,nameId"
							: "nameId",
					      rows));

	spec.note = note;
	ks_emit_row(e, ks_ev_exact(e->ev, &spec, value));
}

static void emit_api(struct ks_emit *e)
{
	const struct ks_calls *c = e->a->calls;
	const struct ks_calls_sum *s = &c->sum;
	const struct ks_msg none = { 0 }, added = { .id = KS_TEXT_AN_NOTE_CALLS_ADDED };

	if (c->rows == 0)
		return;
	emit_call_sum(e, KS_METRIC_KS_API_CALL_COUNT, s->calls, KS_VAL_INT((int64_t)s->calls),
		      c->bad_rows ? note_of(e, KS_TEXT_AN_NOTE_CALLS_BAD, c->bad_rows) : none);
	emit_call_sum(e, KS_METRIC_KS_API_FAILED_COUNT, s->calls, KS_VAL_INT((int64_t)s->failed),
		      none);
	emit_call_sum(e, KS_METRIC_KS_LAUNCH_CALL_COUNT, s->launch_calls,
		      KS_VAL_INT((int64_t)s->launch_calls), none);
	emit_call_sum(e, KS_METRIC_KS_LAUNCH_CALL_MS, s->launch_calls, as_ms((double)s->launch_ns),
		      added);
	emit_call_sum(e, KS_METRIC_KS_SYNC_CALL_COUNT, s->sync_calls,
		      KS_VAL_INT((int64_t)s->sync_calls), none);
	emit_call_sum(e, KS_METRIC_KS_SYNC_CALL_MS, s->sync_calls, as_ms((double)s->sync_ns),
		      added);
}

static void emit_sync(struct ks_emit *e)
{
	static const char *const kind[KS_SYNC_TYPES] = { "unknown", "event", "stream_event",
							 "stream", "context" };
	const struct ks_calls *c = e->a->calls;

	for (unsigned i = 0; i < KS_SYNC_TYPES; i++) {
		struct ks_ev_spec spec =
			spec_of(e, KS_METRIC_KS_SYNC_ON_KIND_COUNT, KS_TEXT_AN_SRC_SYNC,
				from(SYNC_TABLE, "start,end,syncType", c->sync_rows[i]));

		if (c->sync_rows[i] == 0)
			continue;
		spec.name = ks_arena_fmt(e->a->arena, "ks__sync_on_%s_count", kind[i]);
		ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_INT((int64_t)c->sync_rows[i])));
		spec.metric = KS_METRIC_KS_SYNC_ON_KIND_MS;
		spec.name = ks_arena_fmt(e->a->arena, "ks__sync_on_%s_ms", kind[i]);
		ks_emit_row(e, ks_ev_exact(e->ev, &spec, as_ms((double)c->sync_ns[i])));
	}
}

/* --- latency -------------------------------------------------------------------------------------
 */

static struct ks_msg latency_note(struct ks_emit *e)
{
	const struct ks_calls_sum *s = &e->a->calls->sum;
	char used[KS_NUM_LEN], missing[KS_NUM_LEN], clock[KS_NUM_LEN];

	ks_num_u64(used, s->launch.n);
	ks_num_u64(missing, s->missing);
	ks_num_u64(clock, s->clock);
	if (s->missing == 0 && s->clock == 0)
		return ks_store_msg(e->ev, KS_TEXT_AN_NOTE_LATENCY_OF, used, NULL);
	return ks_store_msg(e->ev, KS_TEXT_AN_NOTE_LATENCY_PART, used, missing, clock, NULL);
}

static void emit_spread(struct ks_emit *e, const struct ks_sketch *s,
			const enum ks_metric metric[3], struct ks_msg note)
{
	if (s->n == 0)
		return;
	const struct ks_quantile q[3] = { ks_sketch_median(s), ks_sketch_percentile(s, 90),
					  ks_sketch_rank(s, s->n) };

	for (unsigned i = 0; i < KS_ARRAY_LEN(q); i++) {
		struct ks_ev_spec spec = spec_of(e, metric[i], KS_TEXT_AN_SRC_LATENCY,
						 from("CUPTI_ACTIVITY_KIND_KERNEL," RUNTIME_TABLE,
						      "start,end,correlationId", s->n));

		spec.has_resolution = true;
		spec.resolution = q[i].error_ns / KS_NS_PER_MS;
		spec.note = note;
		ks_emit_row(e, ks_ev_derived(e->ev, &spec, as_ms(q[i].ns)));
	}
}

static void emit_latency(struct ks_emit *e)
{
	static const enum ks_metric latency[3] = { KS_METRIC_KS_LAUNCH_LATENCY_P50,
						   KS_METRIC_KS_LAUNCH_LATENCY_P90,
						   KS_METRIC_KS_LAUNCH_LATENCY_MAX };
	static const enum ks_metric queue[3] = { KS_METRIC_KS_LAUNCH_QUEUE_P50,
						 KS_METRIC_KS_LAUNCH_QUEUE_P90,
						 KS_METRIC_KS_LAUNCH_QUEUE_MAX };
	const struct ks_calls *c = e->a->calls;
	const struct ks_calls_sum *s = &c->sum;

	if (s->joined + s->missing == 0)
		return;
	if (c->rows == 0) {
		absent(e, latency[0], KS_TEXT_AN_NO_CALLS, KS_TEXT_AN_DO_TRACE_CUDA);
		return;
	}
	if (s->launch.n == 0) {
		absent(e, latency[0], KS_TEXT_AN_NO_CALL_MATCHES, KS_TEXT_AN_DO_TRACE_CUDA);
		return;
	}
	emit_spread(e, &s->launch, latency, latency_note(e));
	emit_spread(e, &s->queue, queue, (struct ks_msg){ .id = KS_TEXT_AN_NOTE_QUEUE });
}

/* --- graphs --------------------------------------------------------------------------------------
 */

static ks_id emit_graph(struct ks_emit *e, enum ks_metric metric, struct ks_value value,
			struct ks_msg note)
{
	const struct ks_graphs_sum *g = &e->a->calls->sum.graphs;
	struct ks_ev_spec spec = spec_of(e, metric, KS_TEXT_AN_SRC_GRAPH_NODES,
					 from("CUPTI_ACTIVITY_KIND_KERNEL",
					      value.kind == KS_V_REAL ? "start,end,graphNodeId"
								      : "graphNodeId,correlationId",
					      g->node_launches));

	spec.note = note;
	return ks_emit_row(e, ks_ev_exact(e->ev, &spec, value));
}

static void emit_mean(struct ks_emit *e, enum ks_metric metric, ks_id sum, ks_id replays,
		      double value)
{
	const struct ks_graphs_sum *g = &e->a->calls->sum.graphs;
	const ks_id inputs[] = { sum, replays };
	struct ks_ev_spec spec =
		spec_of(e, metric, KS_TEXT_AN_SRC_GRAPH_NODES,
			from("CUPTI_ACTIVITY_KIND_KERNEL", "start,end,graphNodeId,correlationId",
			     g->node_launches));

	if (!sum || !replays)
		return;
	spec.inputs = inputs;
	spec.n_inputs = KS_ARRAY_LEN(inputs);
	ks_emit_row(e, ks_ev_derived(e->ev, &spec, KS_VAL_REAL(value)));
}

static void emit_nodes(struct ks_emit *e)
{
	const struct ks_graphs_sum *g = &e->a->calls->sum.graphs;
	const struct ks_msg none = { 0 }, both = { .id = KS_TEXT_AN_NOTE_GRAPH_BOTH };

	if (g->node_launches == 0) {
		if (g->runs > 0)
			ks_emit_refuse(e, KS_METRIC_KS_GRAPH_NODE_LAUNCHES,
				       KS_REFUSAL_GRAPH_NODES_HIDDEN, KS_TEXT_AN_NK_GRAPH_ONLY);
		return;
	}
	const ks_id count = emit_graph(e, KS_METRIC_KS_GRAPH_NODE_LAUNCHES,
				       KS_VAL_INT((int64_t)g->node_launches), none);
	const ks_id time = emit_graph(e, KS_METRIC_KS_GRAPH_NODE_MS, as_ms((double)g->node_ns),
				      g->runs ? both : none);

	if (g->replays == 0) {
		absent(e, KS_METRIC_KS_GRAPH_REPLAYS, KS_TEXT_AN_NO_GRAPH_IDS,
		       KS_TEXT_AN_DO_EXPORT_NEWER);
		return;
	}
	const ks_id replays = emit_graph(
		e, KS_METRIC_KS_GRAPH_REPLAYS, KS_VAL_INT((int64_t)g->replays),
		g->node_unknown ? note_of(e, KS_TEXT_AN_NOTE_GRAPH_UNKNOWN, g->node_unknown)
				: none);

	if (g->node_unknown)
		return; /* the sums hold kernels that no replay counted here has */
	emit_mean(e, KS_METRIC_KS_GRAPH_REPLAY_NODES_MEAN, count, replays,
		  (double)g->node_launches / (double)g->replays);
	emit_mean(e, KS_METRIC_KS_GRAPH_REPLAY_MS_MEAN, time, replays,
		  (double)g->node_ns / (double)g->replays / KS_NS_PER_MS);
}

static void emit_runs(struct ks_emit *e)
{
	const struct ks_graphs_sum *g = &e->a->calls->sum.graphs;
	const struct ks_origin origin = from(GRAPH_TABLE, "start,end,deviceId", g->runs);
	struct ks_ev_spec spec =
		spec_of(e, KS_METRIC_KS_GRAPH_RUN_COUNT, KS_TEXT_AN_SRC_GRAPH_RUNS, origin);

	if (g->runs == 0)
		return;
	ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_INT((int64_t)g->runs)));
	spec.metric = KS_METRIC_KS_GRAPH_RUN_MS;
	if (g->node_launches)
		spec.note.id = KS_TEXT_AN_NOTE_GRAPH_BOTH;
	ks_emit_row(e, ks_ev_exact(e->ev, &spec, as_ms((double)g->run_ns)));
	spec.metric = KS_METRIC_KS_GRAPH_RUN_BUSY_MS;
	ks_emit_row(e, ks_ev_derived(e->ev, &spec, as_ms((double)g->run_union_ns)));
}

static void emit_coverage(struct ks_emit *e, ks_id calls)
{
	const struct ks_graphs_sum *g = &e->a->calls->sum.graphs;
	struct ks_ev_spec spec =
		spec_of(e, KS_METRIC_KS_GRAPH_COVERAGE_PCT, KS_TEXT_AN_SRC_CALLS,
			from(RUNTIME_TABLE, "nameId,correlationId", g->launch_calls));

	if (e->a->calls->rows == 0) {
		absent(e, KS_METRIC_KS_GRAPH_COVERAGE_PCT, KS_TEXT_AN_NO_GRAPH_CALLS,
		       KS_TEXT_AN_DO_TRACE_CUDA);
		return;
	}
	if (g->launch_calls == 0 || g->covered > g->launch_calls) {
		absent(e, KS_METRIC_KS_GRAPH_COVERAGE_PCT, KS_TEXT_AN_GRAPH_CALLS_MISSING,
		       KS_TEXT_AN_DO_TRACE_CUDA);
		return;
	}
	if (!calls)
		return;
	spec.inputs = &calls;
	spec.n_inputs = 1;
	ks_emit_row(e, ks_ev_derived(
			       e->ev, &spec,
			       KS_VAL_REAL(100.0 * (double)g->covered / (double)g->launch_calls)));
}

static void emit_graphs(struct ks_emit *e)
{
	const struct ks_calls *c = e->a->calls;
	const struct ks_graphs_sum *g = &c->sum.graphs;
	ks_id calls = 0;

	if (g->launch_calls == 0 && g->node_launches == 0 && g->runs == 0)
		return;
	if (c->rows > 0) {
		const struct ks_ev_spec spec =
			spec_of(e, KS_METRIC_KS_GRAPH_LAUNCH_CALLS, KS_TEXT_AN_SRC_CALLS,
				from(RUNTIME_TABLE, "nameId", g->launch_calls));

		calls = ks_emit_row(
			e, ks_ev_exact(e->ev, &spec, KS_VAL_INT((int64_t)g->launch_calls)));
	}
	emit_nodes(e);
	emit_runs(e);
	emit_coverage(e, calls);
}

void ks_emit_calls(struct ks_emit *e)
{
	if (!e->a->calls)
		return;
	emit_api(e);
	emit_sync(e);
	emit_latency(e);
	emit_graphs(e);
}

/* --- of a kernel ---------------------------------------------------------------------------------
 */

void ks_emit_call_site(struct ks_emit *e)
{
	const struct ks_analysis *a = e->a;
	const struct ks_call_site *site;
	char part[KS_NUM_LEN], all[KS_NUM_LEN];

	if (!a->calls || !a->timeline || !a->calls->sum.site_of_kernel || !e->k)
		return;
	const uint32_t at = a->calls->sum.site_of_kernel[e->k - a->kernel];

	if (at >= a->timeline->n_call_sites)
		return;
	site = &a->timeline->call_site[at];
	struct ks_ev_spec spec =
		spec_of(e, KS_METRIC_KS_CALL_SITE, KS_TEXT_AN_SRC_CHAINS,
			from(CHAIN_TABLE, "symbol,module,unresolved,stackDepth", site->launches));

	ks_num_u64(part, site->launches);
	ks_num_u64(all, e->k->launches);
	spec.note = ks_store_msg(e->ev, KS_TEXT_AN_NOTE_CALL_SITE, part, all, NULL);
	ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_TEXT(site->frame)));
}
