/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside analyze/ only: occupancy of a configuration on the devices that ran it. One answer, or the
 * reason why there is none.
 */
#ifndef KS_ANALYZE_CONFIGOCC_H
#define KS_ANALYZE_CONFIGOCC_H

#include "analyze/analysis.h"
#include "analyze/occupancy.h"

struct ks_config_occ {
	enum ks_refusal refusal; /* NONE: `out` holds */
	enum ks_text why;	 /* sentence for the refusal; NONE: that of the code */
	struct ks_occ_in in;	 /* the launch, as asked */
	struct ks_occ_out out;
	struct ks_occ_limits limits;
	const struct ks_trace_gpu *gpu;
	bool carve_out_assumed; /* maximal carve-out: the trace does not say what was configured */
	/* The answers agree, yet by other limits or carve-outs: elsewhere they may not. */
	bool limits_differ, carve_outs_differ;
	/* for a refusal: what was seen, and against what */
	const char *seen, *needed;
	double seen_value, needed_value;
	/* waves: blocks of the grid over what the device holds at once */
	enum ks_refusal waves_refusal;
	double waves;
};

void ks_config_occupancy(const struct ks_analysis *a, const struct ks_config *c,
			 const struct ks_config_groups *groups, struct ks_config_occ *occ);
/* Blocks of the grid, threads of a block; KS_UNKNOWN when a part is or the product is too big. */
int64_t ks_config_volume(const int64_t v[3]);

#endif
