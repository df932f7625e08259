/* SPDX-License-Identifier: Apache-2.0
 *
 * Theoretical occupancy: arithmetic on one launch configuration and the limits of one device
 * (contract 06 §7). Pure; allocates nothing.
 */
#ifndef KS_ANALYZE_OCCUPANCY_H
#define KS_ANALYZE_OCCUPANCY_H

#include "tables/tables.h"

#define KS_OCC_UNLIMITED INT64_MAX

struct ks_occ_limits { /* of the measured device; from its table row, each replaced by the trace's
			  where known */
	int64_t threads_per_sm, warps_per_sm, blocks_per_sm, regs_per_sm, regs_per_block, reg_gran,
		max_regs_per_thread, smem_per_sm, smem_optin, smem_reserved, smem_gran,
		sub_partitions, max_threads_per_block, barriers_per_sm; /* 0 = no barrier limit */
	bool from_trace;     /* at least one limit came from the trace */
	unsigned from_table; /* bits of ks_occ_source: these came from the table of architectures */
};
enum ks_occ_source {
	KS_OCC_FROM_WARPS = 1,
	KS_OCC_FROM_BLOCKS = 2,
	KS_OCC_FROM_REGS = 4,
	KS_OCC_FROM_SMEM = 8
};
struct ks_occ_trace_limits { /* as a trace gives them; <= 0: not known */
	int64_t threads_per_warp, warps_per_sm, blocks_per_sm, regs_per_sm, regs_per_block,
		smem_per_sm, smem_optin, max_threads_per_block;
};
struct ks_occ_in {
	int64_t block_threads, regs, static_smem, dynamic_smem;
	int64_t smem_executed; /* carve-out bytes per SM; <= 0: maximal */
	int64_t barriers;      /* named barriers per block; < 0: not known */
};
enum ks_occ_limiter {
	KS_OCC_BARRIERS = 1,
	KS_OCC_BLOCKS = 2,
	KS_OCC_REGISTERS = 4,
	KS_OCC_SMEM = 8,
	KS_OCC_THREADS = 16,
	KS_OCC_WARPS = 32
};
struct ks_occ_out {
	int64_t warps_per_block, blocks, warps;
	int64_t limit_registers, limit_threads, limit_warps, limit_smem, limit_blocks,
		limit_barriers;
	unsigned limiters; /* bits of ks_occ_limiter at the minimum */
	double occupancy_pct;
};
enum ks_occ_status { KS_OCC_OK, KS_OCC_INVALID_LAUNCH };

void ks_occ_limits_of(struct ks_occ_limits *l, const struct ks_arch_info *arch);
/* Replaces the table's limits one by one where the trace knows better. Granularities, reserve and
 * sub-partitions always stay the table's. */
void ks_occ_limits_from_trace(struct ks_occ_limits *l, const struct ks_occ_trace_limits *t);
enum ks_occ_status ks_occupancy(const struct ks_occ_limits *l, const struct ks_occ_in *in,
				struct ks_occ_out *out);
/* The nearest launch of which more blocks fit on an SM, with fewer registers and less dynamic
 * shared memory as `less` allows (KS_OCC_REGISTERS, KS_OCC_SMEM). False: these alone give none. */
bool ks_occ_step_up(const struct ks_occ_limits *l, const struct ks_occ_in *in, unsigned less,
		    struct ks_occ_in *next, struct ks_occ_out *then);
/* Names sorted and joined by '+': "registers+shared_mem". Returns the length. */
size_t ks_occ_limiter_text(char out[80], unsigned limiters);

#endif
