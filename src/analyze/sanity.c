/* SPDX-License-Identifier: Apache-2.0
 *
 * The sanity pass (DESIGN §2.6): one table of named rules over the finished evidence. A number that
 * breaks a rule becomes a refusal that names it; nothing is corrected.
 */
#include "analyze/sanity.h"

#include <math.h>

#include "base/num.h"
#include "base/str.h"
#include "evidence/value.h"

/* Sums of values that were each rounded to a double once. */
#define ROUNDING 1e-9

struct check {
	struct ks_report *r;
	const struct ks_kernel *k;
	ks_str rule;
	/* rows of the kernel by metric; of a pattern the last one */
	ks_id id[KS_METRIC_COUNT];
};

static bool number(const struct ks_store *ev, ks_id id, double *v)
{
	const struct ks_ev *row = ks_ev_get(ev, id);

	if (!row || !ks_value_is_number(&row->value))
		return false;
	*v = ks_value_real(&row->value);
	return true;
}

static bool value_of(const struct check *c, enum ks_metric metric, double *v)
{
	return number(c->r->ev, c->id[metric], v);
}

static double resolution_of(const struct check *c, enum ks_metric metric)
{
	const struct ks_ev *row = ks_ev_get(c->r->ev, c->id[metric]);

	return row && row->has_resolution ? row->resolution : 0.0;
}

static struct ks_kv fact(const char *key, double v)
{
	return (struct ks_kv){ ks_str_c(key), KS_VAL_REAL(v) };
}

static void condemn(struct check *c, ks_id id, struct ks_kv a, struct ks_kv b)
{
	ks_ev_condemn(c->r->ev, id, c->rule, a, b);
}

/* Every row of the kernel with this metric. */
static void condemn_all(struct check *c, enum ks_metric metric, struct ks_kv a, struct ks_kv b)
{
	for (size_t s = 0; s < c->k->n_sections; s++) {
		const struct ks_section_rows *rows = &c->k->section[s];

		for (size_t i = 0; i < rows->n; i++) {
			if (ks_ev_get(c->r->ev, rows->row[i])->metric == metric)
				condemn(c, rows->row[i], a, b);
		}
	}
}

/* small <= large, both given by metric, within their resolutions and rounding. */
static void check_order(struct check *c, enum ks_metric small, enum ks_metric large)
{
	double a, b;

	if (!value_of(c, small, &a) || !value_of(c, large, &b))
		return;
	double slack = resolution_of(c, small) + resolution_of(c, large) + ROUNDING * fabs(b);

	if (a <= b + slack)
		return;
	struct ks_kv x = fact(ks_metric_info(small)->name, a),
		     y = fact(ks_metric_info(large)->name, b);

	condemn(c, c->id[small], x, y);
	condemn(c, c->id[large], x, y);
}

static void mean_between_extremes(struct check *c)
{
	check_order(c, KS_METRIC_KS_LAUNCH_TIME_MIN, KS_METRIC_KS_LAUNCH_TIME_MEAN);
	check_order(c, KS_METRIC_KS_LAUNCH_TIME_MEAN, KS_METRIC_KS_LAUNCH_TIME_MAX);
	check_order(c, KS_METRIC_KS_LAUNCH_TIME_MIN, KS_METRIC_KS_LAUNCH_TIME_MAX);
}

static void percentiles_in_order(struct check *c)
{
	static const enum ks_metric chain[] = {
		KS_METRIC_KS_LAUNCH_TIME_MIN, KS_METRIC_KS_LAUNCH_TIME_P50,
		KS_METRIC_KS_LAUNCH_TIME_P90, KS_METRIC_KS_LAUNCH_TIME_P99,
		KS_METRIC_KS_LAUNCH_TIME_MAX,
	};

	for (size_t i = 1; i < KS_ARRAY_LEN(chain); i++)
		check_order(c, chain[i - 1], chain[i]);
	check_order(c, KS_METRIC_KS_LAUNCH_TIME_P50_LO, KS_METRIC_KS_LAUNCH_TIME_P50);
	check_order(c, KS_METRIC_KS_LAUNCH_TIME_P50, KS_METRIC_KS_LAUNCH_TIME_P50_HI);
}

static void total_is_mean_times_count(struct check *c)
{
	double total, mean, count;

	if (!value_of(c, KS_METRIC_GPU_TIME_DURATION_SUM, &total) ||
	    !value_of(c, KS_METRIC_KS_LAUNCH_TIME_MEAN, &mean) ||
	    !value_of(c, KS_METRIC_KS_LAUNCH_COUNT, &count))
		return;
	if (fabs(total - mean * count) <= ROUNDING * total)
		return;
	struct ks_kv a = fact("total_ms", total), b = fact("mean_ms_times_count", mean * count);

	condemn(c, c->id[KS_METRIC_KS_LAUNCH_TIME_MEAN], a, b);
	condemn(c, c->id[KS_METRIC_GPU_TIME_DURATION_SUM], a, b);
}

/* 0 < v <= 100 for every row of a percentage that is a part. */
static void check_percent(struct check *c, enum ks_metric metric)
{
	for (size_t s = 0; s < c->k->n_sections; s++) {
		const struct ks_section_rows *rows = &c->k->section[s];

		for (size_t i = 0; i < rows->n; i++) {
			double v;

			if (ks_ev_get(c->r->ev, rows->row[i])->metric != metric ||
			    !number(c->r->ev, rows->row[i], &v))
				continue;
			if (!(v > 0.0 && v <= 100.0 * (1.0 + ROUNDING)))
				condemn(c, rows->row[i], fact("pct", v), fact("pct", 100.0));
		}
	}
}

static void occupancy_within_100(struct check *c)
{
	check_percent(c, KS_METRIC_KS_THEORETICAL_OCCUPANCY_PCT);
	check_percent(c, KS_METRIC_KS_CFG_C_THEORETICAL_OCCUPANCY_PCT);
}

static void tail_fill_within_100(struct check *c)
{
	check_percent(c, KS_METRIC_KS_TAIL_WAVE_FILL_PCT);
}

static void configs_add_up(struct check *c)
{
	uint64_t launches = 0;
	ks_ns total = 0;

	if (c->k->is_device)
		return;
	for (size_t i = 0; i < c->k->n_configs; i++) {
		launches += c->k->config[i].launches;
		total += c->k->config[i].total_ns;
	}
	if (launches == c->k->launches && total == c->k->total_ns)
		return;
	struct ks_kv a = fact("launches_of_configurations", (double)launches),
		     b = fact("launches", (double)c->k->launches);

	condemn(c, c->id[KS_METRIC_KS_LAUNCH_CONFIG_COUNT], a, b);
	condemn_all(c, KS_METRIC_KS_CFG_C_LAUNCH_COUNT, a, b);
	condemn_all(c, KS_METRIC_KS_CFG_C_LAUNCH_TIME_MEAN_MS, a, b);
}

static void places_add_up(struct check *c)
{
	uint64_t launches = 0;
	ks_ns total = 0;

	if (c->k->is_device)
		return;
	for (size_t i = 0; i < c->k->n_places; i++) {
		launches += c->k->place[i].launches;
		total += c->k->place[i].total_ns;
	}
	if (launches != c->k->launches)
		condemn(c, c->id[KS_METRIC_KS_LAUNCH_COUNT],
			fact("launches_of_places", (double)launches),
			fact("launches", (double)c->k->launches));
	if (total != c->k->total_ns)
		condemn(c, c->id[KS_METRIC_GPU_TIME_DURATION_SUM],
			fact("places_ms", (double)total / KS_NS_PER_MS),
			fact("total_ms", (double)c->k->total_ns / KS_NS_PER_MS));
}

static void share_within_100(struct check *c)
{
	if (c->k->is_device || c->k->share_pct <= 100.0 * (1.0 + ROUNDING))
		return;
	condemn(c, c->id[KS_METRIC_GPU_TIME_DURATION_SUM], fact("share_pct", c->k->share_pct),
		fact("share_pct", 100.0));
}

/* Kernels are parts of all kernel time. */
static void kernels_within_total(struct check *c)
{
	ks_ns sum = 0;

	if (!c->k->is_device)
		return;
	for (size_t i = 0; i < c->r->n_kernels; i++)
		sum += c->r->kernel[i].total_ns;
	if (sum <= c->r->kernel_ns)
		return;
	condemn_all(c, KS_METRIC_KS_DEVICE_N_KERNEL_MS,
		    fact("kernels_ms", (double)sum / KS_NS_PER_MS),
		    fact("total_ms", (double)c->r->kernel_ns / KS_NS_PER_MS));
}

static void launch_within_span(struct check *c)
{
	const double span = (double)c->r->span_ns / KS_NS_PER_MS;
	double longest;

	if (!value_of(c, KS_METRIC_KS_LAUNCH_TIME_MAX, &longest) ||
	    longest <= span * (1.0 + ROUNDING))
		return;
	condemn(c, c->id[KS_METRIC_KS_LAUNCH_TIME_MAX], fact("launch_ms", longest),
		fact("span_ms", span));
}

/* --- rules of a device: rows of one GPU are found by name ----------------------------------------
 */

static ks_id device_row(const struct check *c, const struct ks_gpu *g, const char *tail)
{
	char name[96] = "ks__device_unknown__";

	if (g->label >= 0) {
		size_t at = strlen("ks__device_");

		at += ks_num_i64(name + at, g->label);
		memcpy(name + at, "__", 3);
	}
	size_t n = strlen(name), len = strlen(tail);

	if (n + len + 1 > sizeof(name))
		return 0;
	memcpy(name + n, tail, len + 1);
	return ks_ev_find(c->r->ev, ks_str_c(name), c->k->name);
}

static void device_order(struct check *c, const char *small, const char *large)
{
	if (!c->k->is_device)
		return;
	for (size_t i = 0; i < c->r->n_gpus_used; i++) {
		const ks_id a = device_row(c, &c->r->gpu[i], small);
		const ks_id b = large ? device_row(c, &c->r->gpu[i], large)
				      : c->id[KS_METRIC_KS_TRACE_SPAN_MS];
		double x, y;

		if (!number(c->r->ev, a, &x) || !number(c->r->ev, b, &y) ||
		    x <= y * (1.0 + ROUNDING))
			continue;
		struct ks_kv seen = fact(small, x), limit = fact(large ? large : "span_ms", y);

		condemn(c, a, seen, limit);
		if (large)
			condemn(c, b, seen, limit);
	}
}

static void busy_within_span(struct check *c)
{
	device_order(c, "busy_ms", NULL);
}

static void kernel_busy_within_busy(struct check *c)
{
	device_order(c, "kernel_busy_ms", "busy_ms");
}

static void kernel_busy_within_kernel_time(struct check *c)
{
	device_order(c, "kernel_busy_ms", "kernel_ms");
}

/* --- parts add up to the whole -------------------------------------------------------------------
 */

/* Sum over the rows of one metric; a refused one among them makes it unknown. */
static bool sum_rows(const struct check *c, enum ks_metric metric, double *sum)
{
	bool any = false;

	*sum = 0.0;
	for (size_t s = 0; s < c->k->n_sections; s++) {
		const struct ks_section_rows *rows = &c->k->section[s];

		for (size_t i = 0; i < rows->n; i++) {
			double v;

			if (ks_ev_get(c->r->ev, rows->row[i])->metric != metric)
				continue;
			if (!number(c->r->ev, rows->row[i], &v))
				return false;
			*sum += v;
			any = true;
		}
	}
	return any;
}

static void check_parts(struct check *c, enum ks_metric time, enum ks_metric count)
{
	const double ms = (double)c->r->kernel_ns / KS_NS_PER_MS,
		     launches = (double)c->r->total_launches;
	double sum;

	if (!c->k->is_device)
		return;
	if (sum_rows(c, time, &sum) && fabs(sum - ms) > ROUNDING * ms)
		condemn_all(c, time, fact("sum_ms", sum), fact("total_ms", ms));
	if (sum_rows(c, count, &sum) && fabs(sum - launches) > 0.5)
		condemn_all(c, count, fact("sum", sum), fact("launches", launches));
}

static void devices_add_up(struct check *c)
{
	check_parts(c, KS_METRIC_KS_DEVICE_N_KERNEL_MS, KS_METRIC_KS_DEVICE_N_LAUNCH_COUNT);
}

static void streams_add_up(struct check *c)
{
	check_parts(c, KS_METRIC_KS_DEVICE_N_STREAM_S_KERNEL_MS,
		    KS_METRIC_KS_DEVICE_N_STREAM_S_LAUNCH_COUNT);
}

static void processes_add_up(struct check *c)
{
	check_parts(c, KS_METRIC_KS_PROCESS_P_KERNEL_MS, KS_METRIC_KS_PROCESS_P_LAUNCH_COUNT);
}

/* --- the table -----------------------------------------------------------------------------------
 */

#define RULE(name)                                                                                 \
	{                                                                                          \
#name, name                                                                        \
	}
static const struct {
	const char *name;
	void (*check)(struct check *c);
} rules[] = {
	RULE(mean_between_extremes),
	RULE(percentiles_in_order),
	RULE(total_is_mean_times_count),
	RULE(occupancy_within_100),
	RULE(tail_fill_within_100),
	RULE(configs_add_up),
	RULE(places_add_up),
	RULE(share_within_100),
	RULE(kernels_within_total),
	RULE(launch_within_span),
	RULE(busy_within_span),
	RULE(kernel_busy_within_busy),
	RULE(kernel_busy_within_kernel_time),
	RULE(devices_add_up),
	RULE(streams_add_up),
	RULE(processes_add_up),
};

size_t ks_sanity_rules(void)
{
	return KS_ARRAY_LEN(rules);
}

const char *ks_sanity_rule(size_t i)
{
	return rules[i].name;
}

static void index_rows(struct check *c)
{
	memset(c->id, 0, sizeof(c->id));
	for (size_t s = 0; s < c->k->n_sections; s++) {
		const struct ks_section_rows *rows = &c->k->section[s];

		for (size_t i = 0; i < rows->n; i++) {
			const struct ks_ev *row = ks_ev_get(c->r->ev, rows->row[i]);

			c->id[row->metric] = rows->row[i];
		}
	}
}

void ks_sanity_check(struct ks_report *r)
{
	struct check c = { .r = r };

	for (size_t k = 0; k < r->n_kernels; k++) {
		c.k = &r->kernel[k];
		index_rows(&c);
		for (size_t i = 0; i < KS_ARRAY_LEN(rules); i++) {
			c.rule = ks_str_c(rules[i].name);
			rules[i].check(&c);
		}
	}
}
