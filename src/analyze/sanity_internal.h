/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside sanity*.c only: the report under check, one kernel of it at a time, and the rules that
 * live in other files than the table.
 */
#ifndef KS_ANALYZE_SANITY_INTERNAL_H
#define KS_ANALYZE_SANITY_INTERNAL_H

#include "analyze/sanity.h"

/* Sums of values that were each rounded to a double once. */
#define KS_CHECK_ROUNDING 1e-9

struct ks_check {
	struct ks_report *r;
	const struct ks_kernel *k;
	ks_str rule;
	/* rows of the kernel by metric; of a pattern the last one */
	ks_id id[KS_METRIC_COUNT];
};

/* False: not there, or no number. */
bool ks_check_number(const struct ks_store *ev, ks_id id, double *v);
bool ks_check_value_of(const struct ks_check *c, enum ks_metric metric, double *v);
struct ks_kv ks_check_fact(const char *key, double v);
void ks_check_condemn(struct ks_check *c, ks_id id, struct ks_kv a, struct ks_kv b);
/* Every row of the kernel with this metric. */
void ks_check_condemn_all(struct ks_check *c, enum ks_metric metric, struct ks_kv a,
			  struct ks_kv b);

/* small <= large, within their resolutions and rounding. */
void ks_check_order(struct ks_check *c, enum ks_metric small, enum ks_metric large);

/* sanity_time.c: nothing for a kernel that is no device */
void ks_rule_phases_add_up(struct ks_check *c);
void ks_rule_own_within_phase(struct ks_check *c);
void ks_rule_waits_in_order(struct ks_check *c);
void ks_rule_parts_within_100(struct ks_check *c);
void ks_rule_copied_bytes_add_up(struct ks_check *c);

/* sanity_device.c: nothing for a kernel that is no device */
void ks_rule_busy_within_span(struct ks_check *c);
void ks_rule_kernel_busy_within_busy(struct ks_check *c);
void ks_rule_kernel_busy_within_kernel_time(struct ks_check *c);
void ks_rule_gap_within_idle(struct ks_check *c);
void ks_rule_busy_and_idle_fill_span(struct ks_check *c);
void ks_rule_mixes_add_up_to_busy(struct ks_check *c);
void ks_rule_exposed_within_comm(struct ks_check *c);
void ks_rule_devices_add_up(struct ks_check *c);
void ks_rule_families_add_up(struct ks_check *c);
void ks_rule_findings_within_span(struct ks_check *c);
void ks_rule_streams_add_up(struct ks_check *c);
void ks_rule_processes_add_up(struct ks_check *c);

#endif
