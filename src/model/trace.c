/* SPDX-License-Identifier: Apache-2.0
 *
 * Serialized ids of a trace taken apart, types and times told, and the sink that keeps nothing. A
 * pid is 24 bits wide in them, so it says nothing about larger ones; the bits above 48 name the
 * host and are left out on purpose.
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

bool ks_range_is_start_end(int64_t type)
{
	return type == KS_RANGE_START_END || type == KS_RANGE_TEXT_START_END;
}

bool ks_range_has_ends(int64_t type)
{
	return type == KS_UNKNOWN || type == KS_RANGE_PUSH_POP || type == KS_RANGE_TEXT_PUSH_POP ||
	       ks_range_is_start_end(type);
}

bool ks_time_is_known(ks_ns t)
{
	const ks_ns far = INT64_MAX / 4;

	return t != KS_UNKNOWN && t >= -far && t <= far;
}

bool ks_time_is_span(ks_ns start, ks_ns end)
{
	return ks_time_is_known(start) && ks_time_is_known(end) && end >= start;
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

/* --- the sink that keeps nothing -----------------------------------------------------------------
 */

#define IGNORE(name, type)                                                                         \
	static enum ks_status name(void *self, const struct type *row, struct ks_err *err)         \
	{                                                                                          \
		(void)self;                                                                        \
		(void)row;                                                                         \
		(void)err;                                                                         \
		return KS_OK;                                                                      \
	}
IGNORE(no_meta, ks_trace_meta)
IGNORE(no_process, ks_trace_process)
IGNORE(no_holding, ks_trace_holding)
IGNORE(no_diagnostic, ks_trace_diagnostic)
IGNORE(no_thread, ks_trace_thread)
IGNORE(no_schema, ks_payload_entry)
IGNORE(no_overhead, ks_overhead)
IGNORE(no_graph_run, ks_graph_run)
IGNORE(no_sync, ks_sync)
IGNORE(no_memory_row, ks_memory)
IGNORE(no_frame, ks_frame)
IGNORE(no_gpu, ks_trace_gpu)
IGNORE(no_gpu_map, ks_trace_gpu_map)
IGNORE(no_range, ks_range)
IGNORE(no_call, ks_call)
IGNORE(no_copy, ks_copy)
IGNORE(no_memset, ks_memset)
IGNORE(no_launch, ks_launch)

static enum ks_status nothing_done(void *self, struct ks_err *err)
{
	(void)self;
	(void)err;
	return KS_OK;
}

static enum ks_status all_done(void *self, bool *again, struct ks_err *err)
{
	(void)self;
	(void)err;
	*again = false;
	return KS_OK;
}

static void nothing_wanted(void *self, const ks_nameref **ref, size_t *n)
{
	(void)self;
	*ref = NULL;
	*n = 0;
}

static enum ks_status no_name(void *self, ks_nameref ref, ks_str text, struct ks_err *err)
{
	(void)self;
	(void)ref;
	(void)text;
	(void)err;
	return KS_OK;
}

const struct ks_sink_ops ks_sink_nothing = {
	.meta = no_meta,
	.gpu = no_gpu,
	.gpu_map = no_gpu_map,
	.process = no_process,
	.holding = no_holding,
	.diagnostic = no_diagnostic,
	.thread = no_thread,
	.schema = no_schema,
	.range = no_range,
	.ranges_done = nothing_done,
	.overhead = no_overhead,
	.call = no_call,
	.calls_done = nothing_done,
	.graph_run = no_graph_run,
	.sync = no_sync,
	.memory = no_memory_row,
	.frame = no_frame,
	.copy = no_copy,
	.memset = no_memset,
	.launch = no_launch,
	.wanted = nothing_wanted,
	.name = no_name,
	.done = all_done,
};
