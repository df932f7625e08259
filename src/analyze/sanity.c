/* SPDX-License-Identifier: Apache-2.0
 *
 * The sanity pass (DESIGN §2.6): one table of named rules over the finished evidence. A number that
 * breaks a rule becomes a refusal that names it; nothing is corrected.
 */
#include "analyze/sanity_internal.h"

#include <math.h>

#include "base/num.h"
#include "base/str.h"
#include "evidence/value.h"

bool ks_check_number(const struct ks_store *ev, ks_id id, double *v)
{
	const struct ks_ev *row = ks_ev_get(ev, id);

	if (!row || !ks_value_is_number(&row->value))
		return false;
	*v = ks_value_real(&row->value);
	return true;
}

bool ks_check_value_of(const struct ks_check *c, enum ks_metric metric, double *v)
{
	return ks_check_number(c->r->ev, c->id[metric], v);
}

struct ks_kv ks_check_fact(const char *key, double v)
{
	return (struct ks_kv){ ks_str_c(key), KS_VAL_REAL(v) };
}

void ks_check_condemn(struct ks_check *c, ks_id id, struct ks_kv a, struct ks_kv b)
{
	ks_ev_condemn(c->r->ev, id, c->rule, a, b);
}

void ks_check_condemn_all(struct ks_check *c, enum ks_metric metric, struct ks_kv a, struct ks_kv b)
{
	for (size_t s = 0; s < c->k->n_sections; s++) {
		const struct ks_section_rows *rows = &c->k->section[s];

		for (size_t i = 0; i < rows->n; i++) {
			if (ks_ev_get(c->r->ev, rows->row[i])->metric == metric)
				ks_check_condemn(c, rows->row[i], a, b);
		}
	}
}

static double resolution_of(const struct ks_check *c, enum ks_metric metric)
{
	const struct ks_ev *row = ks_ev_get(c->r->ev, c->id[metric]);

	return row && row->has_resolution ? row->resolution : 0.0;
}

/* small <= large, both given by metric, within their resolutions and rounding. */
void ks_check_order(struct ks_check *c, enum ks_metric small, enum ks_metric large)
{
	double a, b;

	if (!ks_check_value_of(c, small, &a) || !ks_check_value_of(c, large, &b))
		return;
	double slack =
		resolution_of(c, small) + resolution_of(c, large) + KS_CHECK_ROUNDING * fabs(b);

	if (a <= b + slack)
		return;
	struct ks_kv x = ks_check_fact(ks_metric_info(small)->name, a),
		     y = ks_check_fact(ks_metric_info(large)->name, b);

	ks_check_condemn(c, c->id[small], x, y);
	ks_check_condemn(c, c->id[large], x, y);
}

static void mean_between_extremes(struct ks_check *c)
{
	ks_check_order(c, KS_METRIC_KS_LAUNCH_TIME_MIN, KS_METRIC_KS_LAUNCH_TIME_MEAN);
	ks_check_order(c, KS_METRIC_KS_LAUNCH_TIME_MEAN, KS_METRIC_KS_LAUNCH_TIME_MAX);
	ks_check_order(c, KS_METRIC_KS_LAUNCH_TIME_MIN, KS_METRIC_KS_LAUNCH_TIME_MAX);
}

static void percentiles_in_order(struct ks_check *c)
{
	static const enum ks_metric chain[] = {
		KS_METRIC_KS_LAUNCH_TIME_MIN, KS_METRIC_KS_LAUNCH_TIME_P50,
		KS_METRIC_KS_LAUNCH_TIME_P90, KS_METRIC_KS_LAUNCH_TIME_P99,
		KS_METRIC_KS_LAUNCH_TIME_MAX,
	};

	for (size_t i = 1; i < KS_ARRAY_LEN(chain); i++)
		ks_check_order(c, chain[i - 1], chain[i]);
	ks_check_order(c, KS_METRIC_KS_LAUNCH_TIME_P50_LO, KS_METRIC_KS_LAUNCH_TIME_P50);
	ks_check_order(c, KS_METRIC_KS_LAUNCH_TIME_P50, KS_METRIC_KS_LAUNCH_TIME_P50_HI);
}

static void total_is_mean_times_count(struct ks_check *c)
{
	double total, mean, count;

	if (!ks_check_value_of(c, KS_METRIC_GPU_TIME_DURATION_SUM, &total) ||
	    !ks_check_value_of(c, KS_METRIC_KS_LAUNCH_TIME_MEAN, &mean) ||
	    !ks_check_value_of(c, KS_METRIC_KS_LAUNCH_COUNT, &count))
		return;
	/* Launches that reach over an edge of the window are whole in the mean and cut in the sum.
	 */
	if (c->r->within.n > 0 ? total <= mean * count * (1.0 + KS_CHECK_ROUNDING)
			       : fabs(total - mean * count) <= KS_CHECK_ROUNDING * total)
		return;
	struct ks_kv a = ks_check_fact("total_ms", total),
		     b = ks_check_fact("mean_ms_times_count", mean * count);

	ks_check_condemn(c, c->id[KS_METRIC_KS_LAUNCH_TIME_MEAN], a, b);
	ks_check_condemn(c, c->id[KS_METRIC_GPU_TIME_DURATION_SUM], a, b);
}

/* 0 < v <= 100 for every row of a percentage that is a part. */
static void check_percent(struct ks_check *c, enum ks_metric metric)
{
	for (size_t s = 0; s < c->k->n_sections; s++) {
		const struct ks_section_rows *rows = &c->k->section[s];

		for (size_t i = 0; i < rows->n; i++) {
			double v;

			if (ks_ev_get(c->r->ev, rows->row[i])->metric != metric ||
			    !ks_check_number(c->r->ev, rows->row[i], &v))
				continue;
			if (!(v > 0.0 && v <= 100.0 * (1.0 + KS_CHECK_ROUNDING)))
				ks_check_condemn(c, rows->row[i], ks_check_fact("pct", v),
						 ks_check_fact("pct", 100.0));
		}
	}
}

static void occupancy_within_100(struct ks_check *c)
{
	check_percent(c, KS_METRIC_KS_THEORETICAL_OCCUPANCY_PCT);
	check_percent(c, KS_METRIC_KS_CFG_C_THEORETICAL_OCCUPANCY_PCT);
}

static void tail_fill_within_100(struct ks_check *c)
{
	check_percent(c, KS_METRIC_KS_TAIL_WAVE_FILL_PCT);
}

static void configs_add_up(struct ks_check *c)
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
	struct ks_kv a = ks_check_fact("launches_of_configurations", (double)launches),
		     b = ks_check_fact("launches", (double)c->k->launches);

	ks_check_condemn(c, c->id[KS_METRIC_KS_LAUNCH_CONFIG_COUNT], a, b);
	ks_check_condemn_all(c, KS_METRIC_KS_CFG_C_LAUNCH_COUNT, a, b);
	ks_check_condemn_all(c, KS_METRIC_KS_CFG_C_LAUNCH_TIME_MEAN_MS, a, b);
}

static void places_add_up(struct ks_check *c)
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
		ks_check_condemn(c, c->id[KS_METRIC_KS_LAUNCH_COUNT],
				 ks_check_fact("launches_of_places", (double)launches),
				 ks_check_fact("launches", (double)c->k->launches));
	if (total != c->k->total_ns)
		ks_check_condemn(c, c->id[KS_METRIC_GPU_TIME_DURATION_SUM],
				 ks_check_fact("places_ms", (double)total / KS_NS_PER_MS),
				 ks_check_fact("total_ms", (double)c->k->total_ns / KS_NS_PER_MS));
}

static void share_within_100(struct ks_check *c)
{
	if (c->k->is_device || c->k->share_pct <= 100.0 * (1.0 + KS_CHECK_ROUNDING))
		return;
	ks_check_condemn(c, c->id[KS_METRIC_GPU_TIME_DURATION_SUM],
			 ks_check_fact("share_pct", c->k->share_pct),
			 ks_check_fact("share_pct", 100.0));
}

/* Kernels are parts of all kernel time. */
static void kernels_within_total(struct ks_check *c)
{
	ks_ns sum = 0;

	if (!c->k->is_device)
		return;
	for (size_t i = 0; i < c->r->n_kernels; i++)
		sum += c->r->kernel[i].total_ns;
	if (sum <= c->r->kernel_ns)
		return;
	ks_check_condemn_all(c, KS_METRIC_KS_DEVICE_N_KERNEL_MS,
			     ks_check_fact("kernels_ms", (double)sum / KS_NS_PER_MS),
			     ks_check_fact("total_ms", (double)c->r->kernel_ns / KS_NS_PER_MS));
}

static void launch_within_span(struct ks_check *c)
{
	const double span = (double)c->r->span_ns / KS_NS_PER_MS;
	double longest;

	if (c->r->within.n > 0) /* launches are whole, the span is cut */
		return;
	if (!ks_check_value_of(c, KS_METRIC_KS_LAUNCH_TIME_MAX, &longest) ||
	    longest <= span * (1.0 + KS_CHECK_ROUNDING))
		return;
	ks_check_condemn(c, c->id[KS_METRIC_KS_LAUNCH_TIME_MAX],
			 ks_check_fact("launch_ms", longest), ks_check_fact("span_ms", span));
}

/* Time beside collectives and without them is all the time of the kernel. */
static void beside_comm_adds_up(struct ks_check *c)
{
	double total, with, without;

	if (!ks_check_value_of(c, KS_METRIC_GPU_TIME_DURATION_SUM, &total) ||
	    !ks_check_value_of(c, KS_METRIC_KS_KERNEL_TIME_WITH_COMM_MS, &with) ||
	    !ks_check_value_of(c, KS_METRIC_KS_KERNEL_TIME_WITHOUT_COMM_MS, &without) ||
	    fabs(with + without - total) <= KS_CHECK_ROUNDING * total)
		return;
	struct ks_kv a = ks_check_fact("with_and_without_ms", with + without),
		     b = ks_check_fact("total_ms", total);

	ks_check_condemn(c, c->id[KS_METRIC_KS_KERNEL_TIME_WITH_COMM_MS], a, b);
	ks_check_condemn(c, c->id[KS_METRIC_KS_KERNEL_TIME_WITHOUT_COMM_MS], a, b);
}

/* --- the table -----------------------------------------------------------------------------------
 */

#define RULE(name)                                                                                 \
	{                                                                                          \
#name, name, false                                                                 \
	}
/* Holds of a number by itself: of one that was read as well, whose other parts may be left out. */
#define BOUND(name)                                                                                \
	{                                                                                          \
#name, name, true                                                                  \
	}
static const struct {
	const char *name;
	void (*check)(struct ks_check *c);
	bool bound;
} rules[] = {
	RULE(mean_between_extremes),
	RULE(percentiles_in_order),
	RULE(total_is_mean_times_count),
	BOUND(occupancy_within_100),
	BOUND(tail_fill_within_100),
	RULE(configs_add_up),
	RULE(places_add_up),
	BOUND(share_within_100),
	RULE(kernels_within_total),
	RULE(launch_within_span),
	{ "busy_within_span", ks_rule_busy_within_span, false },
	{ "kernel_busy_within_busy", ks_rule_kernel_busy_within_busy, false },
	{ "kernel_busy_within_kernel_time", ks_rule_kernel_busy_within_kernel_time, false },
	{ "gap_within_idle", ks_rule_gap_within_idle, false },
	{ "busy_and_idle_fill_span", ks_rule_busy_and_idle_fill_span, false },
	{ "mixes_add_up_to_busy", ks_rule_mixes_add_up_to_busy, false },
	{ "exposed_within_comm", ks_rule_exposed_within_comm, false },
	RULE(beside_comm_adds_up),
	{ "phases_add_up", ks_rule_phases_add_up, false },
	{ "own_within_phase", ks_rule_own_within_phase, false },
	{ "waits_in_order", ks_rule_waits_in_order, false },
	{ "parts_within_100", ks_rule_parts_within_100, true },
	{ "copied_bytes_add_up", ks_rule_copied_bytes_add_up, false },
	{ "devices_add_up", ks_rule_devices_add_up, false },
	{ "families_add_up", ks_rule_families_add_up, false },
	{ "findings_within_span", ks_rule_findings_within_span, false },
	{ "streams_add_up", ks_rule_streams_add_up, false },
	{ "processes_add_up", ks_rule_processes_add_up, false },
};

size_t ks_sanity_rules(void)
{
	return KS_ARRAY_LEN(rules);
}

const char *ks_sanity_rule(size_t i)
{
	return rules[i].name;
}

static void index_rows(struct ks_check *c)
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

static void check(struct ks_report *r, bool bounds_alone)
{
	struct ks_check c = { .r = r };

	for (size_t k = 0; k < r->n_kernels; k++) {
		c.k = &r->kernel[k];
		index_rows(&c);
		for (size_t i = 0; i < KS_ARRAY_LEN(rules); i++) {
			c.rule = ks_str_c(rules[i].name);
			if (rules[i].bound || !bounds_alone)
				rules[i].check(&c);
		}
	}
}

void ks_sanity_check(struct ks_report *r)
{
	check(r, false);
}

void ks_sanity_check_read(struct ks_report *r)
{
	check(r, true);
}
