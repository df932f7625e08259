/* SPDX-License-Identifier: Apache-2.0
 *
 * Theoretical occupancy of one kernel against each resource of its launch, the other two as
 * launched. Plain data for a picture and a table, made by analyze with the arithmetic of the rows.
 */
#ifndef KS_EVIDENCE_OCC_PICTURE_H
#define KS_EVIDENCE_OCC_PICTURE_H

#include "evidence/store.h"

enum ks_occ_axis {
	KS_OCC_AXIS_BLOCK, /* threads of a block */
	KS_OCC_AXIS_REGS,  /* registers of a thread */
	KS_OCC_AXIS_SMEM,  /* static and dynamic shared memory of a block, bytes */
	KS_OCC_AXIS_COUNT
};

struct ks_occ_point {
	int64_t value;
	int64_t blocks, warps; /* per SM; 0: such a block cannot run */
	double pct;
	ks_str limiter; /* "registers+shared_mem" */
	bool current;	/* as launched */
	bool step_up;	/* nearest value of this axis with a higher occupancy */
};
struct ks_occ_curve {
	const struct ks_occ_point *point; /* by value ascending */
	size_t n, current;		  /* index of the launch */
	size_t step_up;			  /* index; n: this axis alone has none */
};
struct ks_occ_picture {
	ks_str kernel;		 /* "" when there is none */
	enum ks_refusal refusal; /* NONE: the curves hold */
	struct ks_msg why;	 /* id NONE: the code's title */
	int64_t carve_out; /* bytes of shared memory per SM as launched; 0: not recorded, or all of
			      the SM's */
	/* Where registers and shared memory limit alike: the step that needs fewer of both. 0:
	 * none. */
	int64_t both_regs, both_smem;
	double both_pct;
	uint64_t config_launches; /* of the configuration drawn, and of all of the kernel */
	uint64_t launches;
	struct ks_occ_curve curve[KS_OCC_AXIS_COUNT];
};

#endif
