/* SPDX-License-Identifier: Apache-2.0
 *
 * Serialized ids of a trace taken apart. A pid is 24 bits wide there, so it says nothing about
 * larger ones; the bits above 48 name the host and are left out on purpose.
 */
#include "model/trace.h"

enum { GLOBAL_FIELD_BITS = 24 }; /* contract 05 §1.8 */

static const uint64_t field_mask = (UINT64_C(1) << GLOBAL_FIELD_BITS) - 1;

int64_t ks_global_pid(int64_t global_id)
{
	if (global_id == KS_UNKNOWN)
		return KS_UNKNOWN;
	return (int64_t)(((uint64_t)global_id >> GLOBAL_FIELD_BITS) & field_mask);
}

int64_t ks_global_tid(int64_t global_id)
{
	if (global_id == KS_UNKNOWN)
		return KS_UNKNOWN;
	return (int64_t)((uint64_t)global_id & field_mask);
}

int64_t ks_global_process(int64_t global_id)
{
	if (global_id == KS_UNKNOWN)
		return KS_UNKNOWN;
	return (int64_t)((uint64_t)global_id & ~field_mask);
}

void ks_trace_gpu_clear(struct ks_trace_gpu *g)
{
	*g = (struct ks_trace_gpu){
		.id = KS_UNKNOWN,
		.cu_device = KS_UNKNOWN,
		.vm_id = KS_UNKNOWN,
		.cc_major = KS_UNKNOWN,
		.cc_minor = KS_UNKNOWN,
		.sm_count = KS_UNKNOWN,
		.l2_bytes = KS_UNKNOWN,
		.memory_bytes = KS_UNKNOWN,
		.memory_bandwidth = KS_UNKNOWN,
		.clock_hz = KS_UNKNOWN,
		.threads_per_warp = KS_UNKNOWN,
		.max_warps_per_sm = KS_UNKNOWN,
		.max_blocks_per_sm = KS_UNKNOWN,
		.max_regs_per_sm = KS_UNKNOWN,
		.max_regs_per_block = KS_UNKNOWN,
		.max_smem_per_sm = KS_UNKNOWN,
		.max_smem_per_block = KS_UNKNOWN,
		.max_smem_optin = KS_UNKNOWN,
		.max_threads_per_block = KS_UNKNOWN,
	};
}
