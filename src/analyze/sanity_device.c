/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules of the sanity pass about devices: what is a part of what, and parts that add up. Rows of
 * one GPU are found by name.
 */
#include "analyze/sanity_internal.h"

#include <math.h>

#include "base/num.h"
#include "base/str.h"
#include "evidence/value.h"

static ks_id device_row(const struct ks_check *c, const struct ks_gpu *g, const char *tail)
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

static void device_order(struct ks_check *c, const char *small, const char *large)
{
	if (!c->k->is_device)
		return;
	for (size_t i = 0; i < c->r->n_gpus_used; i++) {
		const ks_id a = device_row(c, &c->r->gpu[i], small);
		const ks_id b = large ? device_row(c, &c->r->gpu[i], large)
				      : c->id[KS_METRIC_KS_TRACE_SPAN_MS];
		double x, y;

		if (!ks_check_number(c->r->ev, a, &x) || !ks_check_number(c->r->ev, b, &y) ||
		    x <= y * (1.0 + KS_CHECK_ROUNDING))
			continue;
		struct ks_kv seen = ks_check_fact(small, x),
			     limit = ks_check_fact(large ? large : "span_ms", y);

		ks_check_condemn(c, a, seen, limit);
		if (large)
			ks_check_condemn(c, b, seen, limit);
	}
}

void ks_rule_busy_within_span(struct ks_check *c)
{
	device_order(c, "busy_ms", NULL);
}

void ks_rule_kernel_busy_within_busy(struct ks_check *c)
{
	device_order(c, "kernel_busy_ms", "busy_ms");
}

void ks_rule_kernel_busy_within_kernel_time(struct ks_check *c)
{
	device_order(c, "kernel_busy_ms", "kernel_ms");
}

void ks_rule_gap_within_idle(struct ks_check *c)
{
	device_order(c, "idle_gap_max_ms", "idle_ms");
	device_order(c, "idle_overhead_ms", "idle_ms");
}

static bool device_number(const struct ks_check *c, size_t gpu, const char *tail, double *v)
{
	return ks_check_number(c->r->ev, device_row(c, &c->r->gpu[gpu], tail), v);
}

void ks_rule_busy_and_idle_fill_span(struct ks_check *c)
{
	const double span = (double)c->r->span_ns / KS_NS_PER_MS;

	for (size_t i = 0; c->k->is_device && i < c->r->n_gpus_used; i++) {
		double busy, idle;

		if (!device_number(c, i, "busy_ms", &busy) ||
		    !device_number(c, i, "idle_ms", &idle) ||
		    fabs(busy + idle - span) <= KS_CHECK_ROUNDING * span)
			continue;
		struct ks_kv a = ks_check_fact("busy_and_idle_ms", busy + idle),
			     b = ks_check_fact("span_ms", span);

		ks_check_condemn(c, device_row(c, &c->r->gpu[i], "busy_ms"), a, b);
		ks_check_condemn(c, device_row(c, &c->r->gpu[i], "idle_ms"), a, b);
	}
}

/* Computation, copies and communication: each mix of them is one row. */
static const char *const mix_row[] = {
	"time_compute_ms",	     "time_copy_ms",	     "time_comm_ms",
	"time_compute_copy_ms",	     "time_compute_comm_ms", "time_copy_comm_ms",
	"time_compute_copy_comm_ms",
};

void ks_rule_mixes_add_up_to_busy(struct ks_check *c)
{
	for (size_t i = 0; c->k->is_device && i < c->r->n_gpus_used; i++) {
		double busy, part, sum = 0.0;
		size_t n = 0;

		for (; n < KS_ARRAY_LEN(mix_row) && device_number(c, i, mix_row[n], &part); n++)
			sum += part;
		if (n < KS_ARRAY_LEN(mix_row) || !device_number(c, i, "busy_ms", &busy) ||
		    fabs(sum - busy) <= KS_CHECK_ROUNDING * busy)
			continue;
		for (n = 0; n < KS_ARRAY_LEN(mix_row); n++)
			ks_check_condemn(c, device_row(c, &c->r->gpu[i], mix_row[n]),
					 ks_check_fact("sum_ms", sum),
					 ks_check_fact("busy_ms", busy));
	}
}

/* What of the communication nothing hides is a part of it, on all devices together. */
void ks_rule_exposed_within_comm(struct ks_check *c)
{
	double comm, part, sum = 0.0;

	if (!c->k->is_device || !ks_check_value_of(c, KS_METRIC_KS_COMM_KERNEL_MS, &comm))
		return;
	for (size_t i = 0; i < c->r->n_gpus_used; i++) {
		if (device_number(c, i, "time_comm_ms", &part))
			sum += part;
	}
	if (sum > comm * (1.0 + KS_CHECK_ROUNDING))
		ks_check_condemn_all(c, KS_METRIC_KS_DEVICE_N_TIME_COMM_MS,
				     ks_check_fact("exposed_ms", sum),
				     ks_check_fact("comm_kernel_ms", comm));
}

/* --- parts add up to the whole -------------------------------------------------------------------
 */

/* Sum over the rows of one metric; a refused one among them makes it unknown. */
static bool sum_rows(const struct ks_check *c, enum ks_metric metric, double *sum)
{
	bool any = false;

	*sum = 0.0;
	for (size_t s = 0; s < c->k->n_sections; s++) {
		const struct ks_section_rows *rows = &c->k->section[s];

		for (size_t i = 0; i < rows->n; i++) {
			double v;

			if (ks_ev_get(c->r->ev, rows->row[i])->metric != metric)
				continue;
			if (!ks_check_number(c->r->ev, rows->row[i], &v))
				return false;
			*sum += v;
			any = true;
		}
	}
	return any;
}

static void check_parts(struct ks_check *c, enum ks_metric time, enum ks_metric count)
{
	const double ms = (double)c->r->kernel_ns / KS_NS_PER_MS,
		     launches = (double)c->r->total_launches;
	double sum;

	if (!c->k->is_device)
		return;
	if (sum_rows(c, time, &sum) && fabs(sum - ms) > KS_CHECK_ROUNDING * ms)
		ks_check_condemn_all(c, time, ks_check_fact("sum_ms", sum),
				     ks_check_fact("total_ms", ms));
	if (sum_rows(c, count, &sum) && fabs(sum - launches) > 0.5)
		ks_check_condemn_all(c, count, ks_check_fact("sum", sum),
				     ks_check_fact("launches", launches));
}

static ks_id finding_row(const struct ks_check *c, const char *stem, const char *slug)
{
	char name[128];

	snprintf(name, sizeof(name), "%sfinding_%s_ms", stem, slug);
	return ks_ev_find(c->r->ev, ks_str_c(name), c->k->name);
}

void ks_rule_devices_add_up(struct ks_check *c)
{
	check_parts(c, KS_METRIC_KS_DEVICE_N_KERNEL_MS, KS_METRIC_KS_DEVICE_N_LAUNCH_COUNT);
}

void ks_rule_families_add_up(struct ks_check *c)
{
	check_parts(c, KS_METRIC_KS_FAMILY_F_KERNEL_MS, KS_METRIC_KS_FAMILY_F_LAUNCHES);
}

/* What findings can save on one device is no more than the span: none shares time with another. */
void ks_rule_findings_within_span(struct ks_check *c)
{
	const double span = (double)c->r->span_ns / KS_NS_PER_MS;

	for (size_t i = 0; c->k->is_device && i < c->r->n_gpus_used; i++) {
		const int64_t label = c->r->gpu[i].label;
		char stem[KS_NUM_LEN + 32];
		double sum = 0.0, v;

		if (label >= 0)
			snprintf(stem, sizeof(stem), "ks__device_%lld__", (long long)label);
		else
			snprintf(stem, sizeof(stem), "ks__device_unknown__");
		for (size_t r = KS_RULE_NONE + 1; r < KS_RULE_COUNT; r++) {
			const ks_id id = finding_row(c, stem, ks_rule_info((enum ks_rule)r)->slug);

			sum += id && ks_check_number(c->r->ev, id, &v) ? v : 0.0;
		}
		if (sum > span * (1.0 + KS_CHECK_ROUNDING))
			ks_check_condemn_all(c, KS_METRIC_KS_DEVICE_N_FINDING_RULE_MS,
					     ks_check_fact("sum_ms", sum),
					     ks_check_fact("span_ms", span));
	}
}

void ks_rule_streams_add_up(struct ks_check *c)
{
	check_parts(c, KS_METRIC_KS_DEVICE_N_STREAM_S_KERNEL_MS,
		    KS_METRIC_KS_DEVICE_N_STREAM_S_LAUNCH_COUNT);
}

void ks_rule_processes_add_up(struct ks_check *c)
{
	check_parts(c, KS_METRIC_KS_PROCESS_P_KERNEL_MS, KS_METRIC_KS_PROCESS_P_LAUNCH_COUNT);
}
