/* SPDX-License-Identifier: Apache-2.0
 *
 * Sections Duration, LaunchStats and LaunchConfigs of a kernel (contract 04). Values that belong to
 * one configuration are those of the one with most launches, and say so when there are several.
 */
#include "analyze/emit.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

/* Configurations of a kernel that get rows of their own; the rest is in the report's
 * launch_configs. */
#define SHOWN_CONFIGS 32
#define SHOWN_SIZES   64 /* numbers in an observed set */

/* What tells configurations apart. */
#define CONFIG_COLUMNS                                                                             \
	"gridX,gridY,gridZ,blockX,blockY,blockZ,registersPerThread,staticSharedMemory,"            \
	"dynamicSharedMemory,clusterX,clusterY,clusterZ"

static double ms(double ns)
{
	return ns / KS_NS_PER_MS;
}

static bool is_mixed(const struct ks_kernel_work *k)
{
	return k->n_configs > 1;
}

/* --- Duration ------------------------------------------------------------------------------------
 */

static void exact_time(struct ks_emit *e, enum ks_metric metric, double ns, struct ks_msg note)
{
	struct ks_ev_spec spec = ks_emit_spec(e, metric, e->by_time, "start,end", e->k->launches);

	spec.note = note;
	ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_REAL(ms(ns))));
}

static void quantile(struct ks_emit *e, enum ks_metric metric, struct ks_quantile q)
{
	struct ks_ev_spec spec = ks_emit_spec(e, metric, e->by_time, "start,end", e->k->launches);

	spec.inputs = &e->sum;
	spec.n_inputs = 1;
	spec.has_resolution = true;
	spec.resolution = ms(q.error_ns);
	if (q.error_ns > 0.0)
		spec.note = (struct ks_msg){ .id = KS_TEXT_AN_NOTE_SKETCH };
	ks_emit_row(e, ks_ev_derived(e->ev, &spec, KS_VAL_REAL(ms(q.ns))));
}

#define LEAST_FOR_INTERVAL 8 /* the smallest n whose ranks are inside 1 ... n (06 §1) */

static void no_interval(struct ks_emit *e, enum ks_metric metric)
{
	const struct ks_ev_spec spec =
		ks_emit_spec(e, metric, e->by_time, "start,end", e->k->launches);
	const struct ks_kv seen = { KS_LIT("launches"), KS_VAL_INT((int64_t)e->k->launches) };
	const struct ks_kv needed = { KS_LIT("launches"), KS_VAL_INT(LEAST_FOR_INTERVAL) };
	char have[KS_NUM_LEN], least[KS_NUM_LEN];

	ks_num_u64(have, e->k->launches);
	ks_num_u64(least, LEAST_FOR_INTERVAL);
	const struct ks_refuse_spec why = {
		.code = KS_REFUSAL_PREMISE_FAILED,
		.message = ks_store_msg(e->ev, KS_TEXT_AN_TOO_FEW_LAUNCHES, have, least, NULL),
		.observed = &seen,
		.n_observed = 1,
		.threshold = &needed,
		.n_threshold = 1,
		.action = { .id = KS_TEXT_AN_DO_MORE_LAUNCHES },
		.degraded = true,
	};

	ks_emit_row(e, ks_ev_refuse(e->ev, &spec, &why));
}

static void emit_quantiles(struct ks_emit *e)
{
	struct ks_sketch own = { 0 };
	const struct ks_sketch *s = ks_kernel_sketch(e->a, e->k, &own);
	uint64_t lo, hi;

	if (!s) {
		e->a->no_memory = true;
		ks_sketch_release(&own);
		return;
	}
	quantile(e, KS_METRIC_KS_LAUNCH_TIME_P50, ks_sketch_median(s));
	quantile(e, KS_METRIC_KS_LAUNCH_TIME_P90, ks_sketch_percentile(s, 90));
	quantile(e, KS_METRIC_KS_LAUNCH_TIME_P99, ks_sketch_percentile(s, 99));
	if (ks_sketch_interval(s->n, &lo, &hi)) {
		quantile(e, KS_METRIC_KS_LAUNCH_TIME_P50_LO, ks_sketch_rank(s, lo));
		quantile(e, KS_METRIC_KS_LAUNCH_TIME_P50_HI, ks_sketch_rank(s, hi));
	} else {
		no_interval(e, KS_METRIC_KS_LAUNCH_TIME_P50_LO);
		no_interval(e, KS_METRIC_KS_LAUNCH_TIME_P50_HI);
	}
	quantile(e, KS_METRIC_KS_LAUNCH_TIME_MAD, ks_sketch_mad(s));
	ks_sketch_release(&own);
}

static void emit_mean(struct ks_emit *e)
{
	const struct ks_kernel_work *k = e->k;
	const ks_id inputs[] = { e->sum, e->count };
	struct ks_ev_spec spec = ks_emit_spec(e, KS_METRIC_KS_LAUNCH_TIME_MEAN, e->by_time,
					      "start,end", k->launches);

	spec.inputs = inputs;
	spec.n_inputs = KS_ARRAY_LEN(inputs);
	if (is_mixed(k))
		spec.note = (struct ks_msg){ .id = KS_TEXT_AN_NOTE_MIXTURE };
	if (k->cut_ns > 0) { /* the sum is of less than these launches */
		spec.note = (struct ks_msg){ .id = KS_TEXT_AN_NOTE_WHOLE };
		spec.n_inputs = 0;
	}
	double mean = (double)(k->total_ns + k->cut_ns) / (double)k->launches;

	ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_REAL(ms(mean))));
}

void ks_emit_duration(struct ks_emit *e)
{
	const struct ks_kernel_work *k = e->k;
	const struct ks_msg none = { 0 };
	struct ks_ev_spec spec = ks_emit_spec(e, KS_METRIC_GPU_TIME_DURATION_SUM, e->by_time,
					      "start,end", k->launches);

	e->sum = ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_REAL(ms((double)k->total_ns))));
	spec = ks_emit_spec(e, KS_METRIC_KS_LAUNCH_COUNT, e->by_time, "start,end", k->launches);
	e->count = ks_ev_exact(e->ev, &spec, KS_VAL_INT((int64_t)k->launches));
	if (e->sum == 0 || e->count == 0)
		return;
	emit_mean(e);
	exact_time(e, KS_METRIC_KS_LAUNCH_TIME_MIN, (double)k->min_ns, none);
	exact_time(e, KS_METRIC_KS_LAUNCH_TIME_MAX, (double)k->max_ns, none);
	ks_emit_row(e, e->count);
	if (is_mixed(k)) {
		spec = ks_emit_spec(e, KS_METRIC_KS_LAUNCH_CONFIG_COUNT, e->by_config,
				    CONFIG_COLUMNS, k->launches);
		ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_INT((int64_t)k->n_configs)));
	}
	emit_quantiles(e);
	if (k->bad_rows) {
		spec = ks_emit_spec(e, KS_METRIC_KS_BAD_ROWS, e->by_time, "start,end", k->bad_rows);
		ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_INT((int64_t)k->bad_rows)));
	}
	if (e->r->timeline)
		ks_emit_kernel_overlap(e);
	ks_emit_section(e, KS_SECTION_DURATION, none);
}

/* --- LaunchStats ---------------------------------------------------------------------------------
 */

static int by_size(const void *x, const void *y)
{
	return ks_num_cmp_i64(*(const int64_t *)x, *(const int64_t *)y);
}

/* "64|128|256": the distinct sizes of all configurations, at most SHOWN_SIZES of them. */
static ks_str observed_set(struct ks_emit *e, bool blocks)
{
	const struct ks_kernel_work *k = e->k;
	int64_t *size = ks_mem_alloc(k->n_configs * sizeof(*size));
	size_t n = 0, known = 0;
	struct ks_buf b;

	if (!size) {
		e->a->arena->failed = true; /* seen at the end of the phase, as for every text */
		return KS_STR_NONE;
	}
	for (size_t i = 0; i < k->n_configs; i++) {
		size[known] = ks_config_volume(blocks ? k->config[i].block : k->config[i].grid);
		known += size[known] != KS_UNKNOWN;
	}
	qsort(size, known, sizeof(*size), by_size);
	for (size_t i = 0; i < known; i++) {
		if (n == 0 || size[n - 1] != size[i])
			size[n++] = size[i];
	}
	ks_buf_init(&b, (SHOWN_SIZES + 2) * KS_NUM_LEN);
	for (size_t i = 0; i < n && i < SHOWN_SIZES; i++) {
		char number[KS_NUM_LEN];

		ks_num_i64(number, size[i]);
		ks_buf_fmt(&b, "%s%s", i ? "|" : "", number);
	}
	if (n > SHOWN_SIZES)
		ks_buf_fmt(&b, "|+%zu", n - SHOWN_SIZES);
	ks_str text = ks_buf_keep(&b, e->a->arena);

	ks_buf_release(&b);
	ks_mem_free(size);
	return text;
}

static void mixed_size(struct ks_emit *e, enum ks_metric metric, const char *key, ks_str set)
{
	const struct ks_ev_spec spec = { .metric = metric, .subject = e->subject };
	const struct ks_kv seen[] = {
		{ KS_LIT("configs"), KS_VAL_INT((int64_t)e->k->n_configs) },
		{ ks_str_c(key), KS_VAL_TEXT(set) },
	};
	const ks_str matched = e->k->base.n > 0 ? e->k->base : e->subject; /* what -k looks at */
	const struct ks_refuse_spec why = {
		.code = KS_REFUSAL_MIXED_LAUNCH_CONFIG,
		.observed = seen,
		.n_observed = KS_ARRAY_LEN(seen),
		.command = ks_store_command(e->ev, KS_REFUSAL_MIXED_LAUNCH_CONFIG,
					    ks_kernel_word(e->a->arena, matched)),
	};

	ks_emit_row(e, ks_ev_refuse(e->ev, &spec, &why));
}

static ks_id config_value(struct ks_emit *e, enum ks_metric metric, const char *columns, int64_t v)
{
	struct ks_ev_spec spec =
		ks_emit_spec(e, metric, e->by_config, columns, e->k->config[0].launches);

	if (v == KS_UNKNOWN || v < 0)
		return ks_emit_refuse(e, metric, KS_REFUSAL_METRIC_ABSENT, KS_TEXT_AN_NOT_RECORDED);
	if (is_mixed(e->k))
		spec.note = (struct ks_msg){ .id = KS_TEXT_AN_NOTE_DOMINANT };
	return ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_INT(v)));
}

static void config_text(struct ks_emit *e, enum ks_metric metric, const char *columns, ks_str text)
{
	const struct ks_ev_spec spec =
		ks_emit_spec(e, metric, e->by_config, columns, e->k->launches);

	ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_TEXT(text)));
}

static void emit_shape(struct ks_emit *e)
{
	const struct ks_config *c = &e->k->config[0];
	const int64_t shape[3] = { ks_config_volume(c->grid), ks_config_volume(c->block), 1 };

	if (is_mixed(e->k)) {
		ks_str grids = observed_set(e, false), blocks = observed_set(e, true);

		mixed_size(e, KS_METRIC_LAUNCH_GRID_SIZE, "grid_sizes", grids);
		mixed_size(e, KS_METRIC_LAUNCH_BLOCK_SIZE, "block_sizes", blocks);
		config_text(e, KS_METRIC_KS_GRID_SIZES_OBSERVED, "gridX,gridY,gridZ", grids);
		config_text(e, KS_METRIC_KS_BLOCK_SIZES_OBSERVED, "blockX,blockY,blockZ", blocks);
		return;
	}
	e->grid = config_value(e, KS_METRIC_LAUNCH_GRID_SIZE, "gridX,gridY,gridZ", shape[0]);
	e->block = config_value(e, KS_METRIC_LAUNCH_BLOCK_SIZE, "blockX,blockY,blockZ", shape[1]);
	const ks_id inputs[] = { e->grid, e->block };
	struct ks_ev_spec spec =
		ks_emit_spec(e, KS_METRIC_LAUNCH_THREAD_COUNT, e->by_config,
			     "gridX,gridY,gridZ,blockX,blockY,blockZ", c->launches);

	spec.inputs = inputs;
	spec.n_inputs = KS_ARRAY_LEN(inputs);
	int64_t threads = shape[0] == KS_UNKNOWN || shape[1] == KS_UNKNOWN
				  ? KS_UNKNOWN
				  : ks_config_volume(shape);

	if (threads == KS_UNKNOWN)
		ks_emit_refuse(e, KS_METRIC_LAUNCH_THREAD_COUNT, KS_REFUSAL_METRIC_ABSENT,
			       KS_TEXT_AN_NOT_RECORDED);
	else
		ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_INT(threads)));
}

/* The largest of the dominant configuration; it is no part of the configuration's identity. */
static int64_t local_memory(const struct ks_emit *e)
{
	const struct ks_config_groups *g = &e->k->config_group[0];
	int64_t most = KS_UNKNOWN;

	for (size_t i = 0; i < g->n; i++) {
		int64_t v = ks_launches_group_key(&e->a->launches, g->group[i])->local_mem;

		if (v > most)
			most = v;
	}
	return most;
}

static void emit_graph(struct ks_emit *e)
{
	char part[KS_NUM_LEN], whole[KS_NUM_LEN];
	struct ks_ev_spec spec = ks_emit_spec(e, KS_METRIC_KS_CUDA_GRAPH_CAPTURE, e->by_config,
					      "graphNodeId", e->k->graph_launches);

	if (e->k->graph_launches == 0)
		return;
	ks_num_u64(part, e->k->graph_launches);
	ks_num_u64(whole, e->k->launches);
	spec.note = ks_store_msg(e->ev, KS_TEXT_AN_NOTE_GRAPH, part, whole, NULL);
	ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_TEXT(KS_LIT("yes"))));
}

void ks_emit_launch_stats(struct ks_emit *e)
{
	const struct ks_config *c = &e->k->config[0];

	emit_shape(e);
	e->regs = config_value(e, KS_METRIC_LAUNCH_REGISTERS_PER_THREAD, "registersPerThread",
			       c->regs);
	if (e->code != NULL)
		ks_emit_code_resources(e);
	struct ks_ev_spec spec = ks_emit_spec(e, KS_METRIC_KS_REGISTERS_USED_FOR_OCCUPANCY,
					      e->by_config, "registersPerThread", c->launches);

	spec.inputs = &e->regs;
	spec.n_inputs = e->regs ? 1 : 0;
	ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_INT(c->regs)));
	e->static_smem = config_value(e, KS_METRIC_LAUNCH_SHARED_MEM_PER_BLOCK_STATIC,
				      "staticSharedMemory", c->static_smem);
	e->dynamic_smem = config_value(e, KS_METRIC_LAUNCH_SHARED_MEM_PER_BLOCK_DYNAMIC,
				       "dynamicSharedMemory", c->dynamic_smem);
	config_value(e, KS_METRIC_LAUNCH_LOCAL_MEM_PER_THREAD, "localMemoryPerThread",
		     local_memory(e));
	emit_graph(e);
	if (e->r->timeline)
		ks_emit_call_site(e);
	if (is_mixed(e->k)) {
		config_text(e, KS_METRIC_KS_DOMINANT_CONFIG, CONFIG_COLUMNS, c->key);
		e->dominant = e->n_rows ? e->row[e->n_rows - 1] : 0;
	}
	ks_emit_section(
		e, KS_SECTION_LAUNCHSTATS,
		(struct ks_msg){ .id = is_mixed(e->k) ? KS_TEXT_AN_NOTE_DOMINANT : KS_TEXT_NONE });
}

/* --- LaunchConfigs -------------------------------------------------------------------------------
 */

static ks_str config_name(const struct ks_emit *e, const struct ks_config *c, const char *tail)
{
	return ks_arena_fmt(e->a->arena, "ks__cfg_%.*s__%s", (int)c->key.n, c->key.p, tail);
}

static void emit_config(struct ks_emit *e, size_t i)
{
	struct ks_config *c = &e->k->config[i];
	struct ks_config_occ occ;
	struct ks_ev_spec spec = ks_emit_spec(e, KS_METRIC_KS_CFG_C_LAUNCH_TIME_MEAN_MS, e->by_time,
					      "start,end", c->launches);

	spec.name = config_name(e, c, "launch_time_mean_ms");
	ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_REAL(ms(c->mean_ns))));
	spec = ks_emit_spec(e, KS_METRIC_KS_CFG_C_LAUNCH_COUNT, e->by_config, CONFIG_COLUMNS,
			    c->launches);
	spec.name = config_name(e, c, "launch_count");
	ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_INT((int64_t)c->launches)));
	spec = ks_emit_spec(
		e, KS_METRIC_KS_CFG_C_THEORETICAL_OCCUPANCY_PCT, e->by_limits,
		"blockX,blockY,blockZ,registersPerThread,staticSharedMemory,dynamicSharedMemory",
		c->launches);
	spec.name = config_name(e, c, "theoretical_occupancy_pct");
	ks_config_occupancy(e->a, c, &e->k->config_group[i], &occ);
	c->occupancy_pct = ks_emit_config_occupancy(e, &spec, &occ);
}

void ks_emit_launch_configs(struct ks_emit *e)
{
	const size_t n = e->k->n_configs;
	struct ks_msg note = { 0 };

	if (!is_mixed(e->k))
		return;
	for (size_t i = 0; i < n && i < SHOWN_CONFIGS; i++)
		emit_config(e, i);
	if (n > SHOWN_CONFIGS) {
		char shown[KS_NUM_LEN], all[KS_NUM_LEN];

		ks_num_u64(shown, SHOWN_CONFIGS);
		ks_num_u64(all, n);
		note = ks_store_msg(e->ev, KS_TEXT_AN_NOTE_SHOWN_CONFIGS, shown, all, NULL);
	}
	ks_emit_section(e, KS_SECTION_LAUNCHCONFIGS, note);
}
