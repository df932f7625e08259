/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules of the sanity pass about the timeline: phases, waits, shares and copied bytes. Says nothing
 * about rows that are not there.
 */
#include "analyze/sanity_internal.h"

#include <math.h>

#include "base/num.h"
#include "evidence/value.h"

/* Every kernel was launched in a range or in none. */
void ks_rule_phases_add_up(struct ks_check *c)
{
	const double all = (double)c->r->kernel_ns / KS_NS_PER_MS;
	double in, out;

	if (!c->k->is_device ||
	    !ks_check_value_of(c, KS_METRIC_KS_NVTX_ATTRIBUTED_KERNEL_MS, &in) ||
	    !ks_check_value_of(c, KS_METRIC_KS_NVTX_UNATTRIBUTED_KERNEL_MS, &out) ||
	    fabs(in + out - all) <= KS_CHECK_ROUNDING * all)
		return;
	struct ks_kv a = ks_check_fact("attributed_and_unattributed_ms", in + out),
		     b = ks_check_fact("total_ms", all);

	ks_check_condemn(c, c->id[KS_METRIC_KS_NVTX_ATTRIBUTED_KERNEL_MS], a, b);
	ks_check_condemn(c, c->id[KS_METRIC_KS_NVTX_UNATTRIBUTED_KERNEL_MS], a, b);
}

/* Own time is a part of the inclusive time; the rows of a phase follow each other. */
void ks_rule_own_within_phase(struct ks_check *c)
{
	for (size_t s = 0; c->k->is_device && s < c->k->n_sections; s++) {
		const struct ks_section_rows *rows = &c->k->section[s];
		ks_id whole = 0;

		for (size_t i = 0; i < rows->n; i++) {
			const enum ks_metric metric = ks_ev_get(c->r->ev, rows->row[i])->metric;
			double own, all;

			if (metric == KS_METRIC_KS_NVTX_PHASE_I_SLUG_KERNEL_MS)
				whole = rows->row[i];
			if (metric != KS_METRIC_KS_NVTX_PHASE_I_SLUG_OWN_KERNEL_MS ||
			    !ks_check_number(c->r->ev, rows->row[i], &own) ||
			    !ks_check_number(c->r->ev, whole, &all) ||
			    own <= all * (1.0 + KS_CHECK_ROUNDING))
				continue;
			ks_check_condemn(c, rows->row[i], ks_check_fact("own_kernel_ms", own),
					 ks_check_fact("kernel_ms", all));
			ks_check_condemn(c, whole, ks_check_fact("own_kernel_ms", own),
					 ks_check_fact("kernel_ms", all));
		}
	}
}

void ks_rule_waits_in_order(struct ks_check *c)
{
	if (!c->k->is_device)
		return;
	ks_check_order(c, KS_METRIC_KS_LAUNCH_LATENCY_P50, KS_METRIC_KS_LAUNCH_LATENCY_P90);
	ks_check_order(c, KS_METRIC_KS_LAUNCH_LATENCY_P90, KS_METRIC_KS_LAUNCH_LATENCY_MAX);
	ks_check_order(c, KS_METRIC_KS_LAUNCH_QUEUE_P50, KS_METRIC_KS_LAUNCH_QUEUE_P90);
	ks_check_order(c, KS_METRIC_KS_LAUNCH_QUEUE_P90, KS_METRIC_KS_LAUNCH_QUEUE_MAX);
}

static bool is_part_of_100(enum ks_metric metric)
{
	/* Not the share of a phase: of ranges that nest both count (contract 06 §13). */
	return metric == KS_METRIC_KS_COMM_KERNEL_SHARE_PCT ||
	       metric == KS_METRIC_KS_COMM_COMPUTE_OVERLAP_PCT ||
	       metric == KS_METRIC_KS_GRAPH_COVERAGE_PCT ||
	       metric == KS_METRIC_KS_DEVICE_N_IDLE_SHARE_PCT;
}

void ks_rule_parts_within_100(struct ks_check *c)
{
	for (size_t s = 0; c->k->is_device && s < c->k->n_sections; s++) {
		const struct ks_section_rows *rows = &c->k->section[s];

		for (size_t i = 0; i < rows->n; i++) {
			double v;

			if (!is_part_of_100(ks_ev_get(c->r->ev, rows->row[i])->metric) ||
			    !ks_check_number(c->r->ev, rows->row[i], &v) ||
			    (v >= 0.0 && v <= 100.0 * (1.0 + KS_CHECK_ROUNDING)))
				continue;
			ks_check_condemn(c, rows->row[i], ks_check_fact("pct", v),
					 ks_check_fact("pct", 100.0));
		}
	}
}

static bool is_bytes_of_kind(enum ks_metric metric)
{
	return (metric >= KS_METRIC_KS_COMM_BYTES_HTOD &&
		metric <= KS_METRIC_KS_COMM_BYTES_UM_DTOD) ||
	       metric == KS_METRIC_KS_COMM_BYTES_KIND_N;
}

static bool is_bytes_of_device(enum ks_metric metric)
{
	return metric == KS_METRIC_KS_DEVICE_N_COMM_BYTES ||
	       metric == KS_METRIC_KS_DEVICE_UNKNOWN_COMM_BYTES;
}

static void check_bytes(struct ks_check *c, bool is_part(enum ks_metric), const char *what)
{
	double total, part, sum = 0.0;

	if (!ks_check_value_of(c, KS_METRIC_KS_COMM_BYTES_TOTAL, &total))
		return;
	for (size_t s = 0; s < c->k->n_sections; s++) {
		const struct ks_section_rows *rows = &c->k->section[s];

		for (size_t i = 0; i < rows->n; i++) {
			if (!is_part(ks_ev_get(c->r->ev, rows->row[i])->metric))
				continue;
			if (!ks_check_number(c->r->ev, rows->row[i], &part))
				return; /* withheld already: the sum is not known */
			sum += part;
		}
	}
	if (fabs(sum - total) > KS_CHECK_ROUNDING * total)
		ks_check_condemn(c, c->id[KS_METRIC_KS_COMM_BYTES_TOTAL], ks_check_fact(what, sum),
				 ks_check_fact("bytes", total));
}

void ks_rule_copied_bytes_add_up(struct ks_check *c)
{
	if (!c->k->is_device)
		return;
	check_bytes(c, is_bytes_of_kind, "bytes_by_kind");
	check_bytes(c, is_bytes_of_device, "bytes_by_device");
}
