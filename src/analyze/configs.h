/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside analyze/ only: launch configurations of a kernel, and the order of everything that has
 * one.
 */
#ifndef KS_ANALYZE_CONFIGS_H
#define KS_ANALYZE_CONFIGS_H

#include "analyze/analysis.h"

/* Fills k->config, k->config_group: grid, block, registers, static and dynamic shared memory and
 * cluster tell configurations apart; devices, streams and processes do not. */
enum ks_status ks_configs_build(struct ks_analysis *a, struct ks_kernel_work *k,
				struct ks_err *err);
/* By configuration alone: < 0, 0, > 0. */
int ks_configs_compare(const struct ks_group_key *a, const struct ks_group_key *b);
/* By configuration, then by all else that tells two groups apart, in the words of the trace. */
int ks_groups_compare(const struct ks_analysis *a, uint32_t x, uint32_t y);

#endif
