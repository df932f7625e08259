/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside sweep*.c only: names of workers, numbered as the sweep numbers them.
 */
#ifndef KS_ANALYZE_SWEEP_NAMES_H
#define KS_ANALYZE_SWEEP_NAMES_H

#include "analyze/analysis.h"
#include "analyze/sweep_internal.h"

/* Made when they are first asked for: by the answer, and where several things end together. */
struct ks_sweep_names {
	struct ks_analysis *a;
	ks_str *group;			  /* by group; p NULL: not yet made */
	ks_str work[KS_SWEEP_MEMSET + 1]; /* by kind of copy */
	struct ks_buf text;
	bool no_memory;
};

void ks_sweep_names_init(struct ks_sweep_names *n, struct ks_analysis *a);
void ks_sweep_names_release(struct ks_sweep_names *n);
/* "" for nothing; lives as long as the analysis. */
ks_str ks_sweep_name(struct ks_sweep_names *n, uint32_t what);
/* For the plan of a sweep; arg: struct ks_sweep_names. */
int ks_sweep_names_compare(void *arg, uint32_t a, uint32_t b);

#endif
