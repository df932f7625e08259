/* SPDX-License-Identifier: Apache-2.0
 *
 * What the devices did, row by row: graph launches, copies, memsets, synchronisations, memory in
 * use and kernel launches. What a row does not say is unknown, never 0; what it says and cannot be
 * (a negative grid, text where a number belongs) is unknown as well.
 */
#include "source/nsys_columns.h"

static const struct ks_nsys_column launch_columns[] = {
	TIME(ks_launch, "start", start_ns),
	TIME(ks_launch, "end", end_ns),
	NUMBER(ks_launch, "deviceId", device, KS_UNKNOWN, 0, DIM),
	ID(ks_launch, "globalPid", process),
	ID(ks_launch, "contextId", context),
	NUMBER(ks_launch, "streamId", stream, 0, ID_MIN, ID_MAX),
	OR_NONE(ks_launch, "correlationId", correlation, ID_MIN, ID_MAX),
	NAME(ks_launch, "demangledName", demangled),
	NAME(ks_launch, "shortName", function),
	NAME(ks_launch, "mangledName", mangled),
	NUMBER(ks_launch, "gridX", grid[0], KS_UNKNOWN, 1, DIM),
	NUMBER(ks_launch, "gridY", grid[1], KS_UNKNOWN, 1, DIM),
	NUMBER(ks_launch, "gridZ", grid[2], KS_UNKNOWN, 1, DIM),
	NUMBER(ks_launch, "blockX", block[0], KS_UNKNOWN, 1, DIM),
	NUMBER(ks_launch, "blockY", block[1], KS_UNKNOWN, 1, DIM),
	NUMBER(ks_launch, "blockZ", block[2], KS_UNKNOWN, 1, DIM),
	NUMBER(ks_launch, "registersPerThread", regs, KS_UNKNOWN, 0, DIM),
	NUMBER(ks_launch, "staticSharedMemory", static_smem, KS_UNKNOWN, 0, BLOCK_BYTES),
	NUMBER(ks_launch, "dynamicSharedMemory", dynamic_smem, KS_UNKNOWN, 0, BLOCK_BYTES),
	NUMBER(ks_launch, "localMemoryPerThread", local_mem, KS_UNKNOWN, 0, BLOCK_BYTES),
	NUMBER(ks_launch, "sharedMemoryExecuted", smem_executed, KS_UNKNOWN, 0, BLOCK_BYTES),
	OR_NONE(ks_launch, "clusterX", cluster[0], 0, DIM),
	OR_NONE(ks_launch, "clusterY", cluster[1], 0, DIM),
	OR_NONE(ks_launch, "clusterZ", cluster[2], 0, DIM),
	OR_NONE(ks_launch, "graphNodeId", graph_node, ID_MIN, ID_MAX),
	OR_NONE(ks_launch, "graphId", graph, ID_MIN, ID_MAX),
	ROW(ks_launch, row),
};

static const struct ks_nsys_column copy_columns[] = {
	TIME(ks_copy, "start", start_ns),
	TIME(ks_copy, "end", end_ns),
	NUMBER(ks_copy, "deviceId", device, KS_UNKNOWN, 0, DIM),
	ID(ks_copy, "globalPid", process),
	ID(ks_copy, "contextId", context),
	NUMBER(ks_copy, "streamId", stream, 0, ID_MIN, ID_MAX),
	OR_NONE(ks_copy, "correlationId", correlation, ID_MIN, ID_MAX),
	NUMBER(ks_copy, "bytes", bytes, KS_UNKNOWN, 0, SIZE),
	ID(ks_copy, "copyKind", kind),
	ID(ks_copy, "srcKind", src_kind),
	ID(ks_copy, "dstKind", dst_kind),
	NUMBER(ks_copy, "srcDeviceId", src_device, KS_UNKNOWN, 0, DIM),
	NUMBER(ks_copy, "dstDeviceId", dst_device, KS_UNKNOWN, 0, DIM),
	ID(ks_copy, "migrationCause", cause),
	OR_NONE(ks_copy, "graphNodeId", graph_node, ID_MIN, ID_MAX),
	ROW(ks_copy, row),
};

static const struct ks_nsys_column memset_columns[] = {
	TIME(ks_memset, "start", start_ns),
	TIME(ks_memset, "end", end_ns),
	NUMBER(ks_memset, "deviceId", device, KS_UNKNOWN, 0, DIM),
	ID(ks_memset, "globalPid", process),
	ID(ks_memset, "contextId", context),
	NUMBER(ks_memset, "streamId", stream, 0, ID_MIN, ID_MAX),
	OR_NONE(ks_memset, "correlationId", correlation, ID_MIN, ID_MAX),
	NUMBER(ks_memset, "bytes", bytes, KS_UNKNOWN, 0, SIZE),
	ID(ks_memset, "memKind", mem_kind),
	OR_NONE(ks_memset, "graphNodeId", graph_node, ID_MIN, ID_MAX),
	ROW(ks_memset, row),
};

/* CUPTI writes INT_MAX for a graph that begins on the host (CUpti_ActivityGraphTrace2). */
static const struct ks_nsys_column graph_columns[] = {
	TIME(ks_graph_run, "start", start_ns),
	TIME(ks_graph_run, "end", end_ns),
	NUMBER(ks_graph_run, "deviceId", device, KS_UNKNOWN, 0, DIM - 1),
	ID(ks_graph_run, "globalPid", process),
	ID(ks_graph_run, "contextId", context),
	NUMBER(ks_graph_run, "streamId", stream, 0, ID_MIN, ID_MAX),
	OR_NONE(ks_graph_run, "correlationId", correlation, ID_MIN, ID_MAX),
	OR_NONE(ks_graph_run, "graphId", graph, ID_MIN, ID_MAX),
};

/* CUPTI writes UINT32_MAX for the stream of an event (CUPTI_SYNCHRONIZATION_INVALID_VALUE). */
static const struct ks_nsys_column sync_columns[] = {
	TIME(ks_sync, "start", start_ns),
	TIME(ks_sync, "end", end_ns),
	NUMBER(ks_sync, "deviceId", device, KS_UNKNOWN, 0, DIM),
	ID(ks_sync, "globalPid", process),
	ID(ks_sync, "contextId", context),
	NUMBER(ks_sync, "streamId", stream, KS_UNKNOWN, 0, UINT32_MAX - 1),
	OR_NONE(ks_sync, "correlationId", correlation, ID_MIN, ID_MAX),
	OR_NONE(ks_sync, "syncType", type, 0, DIM),
};

static const struct ks_nsys_column memory_columns[] = {
	TIME(ks_memory, "start", start_ns),
	ID(ks_memory, "globalPid", process),
	NUMBER(ks_memory, "deviceId", device, KS_UNKNOWN, 0, DIM),
	ID(ks_memory, "contextId", context),
	NUMBER(ks_memory, "bytes", bytes, KS_UNKNOWN, 0, SIZE),
	ID(ks_memory, "memKind", kind),
	ID(ks_memory, "memoryOperationType", operation),
};

static enum ks_status deliver_graph(struct ks_nsys *n, void *row, struct ks_err *err)
{
	return n->sink->ops->graph_run(n->sink->self, row, err);
}

static enum ks_status hand_copy(struct ks_nsys *n, struct ks_copy c, struct ks_err *err)
{
	c.kind = ks_nsys_number(n, KS_NSYS_ENUM_COPY, c.kind);
	c.src_kind = ks_nsys_number(n, KS_NSYS_ENUM_MEMORY, c.src_kind);
	c.dst_kind = ks_nsys_number(n, KS_NSYS_ENUM_MEMORY, c.dst_kind);
	c.cause = ks_nsys_number(n, KS_NSYS_ENUM_CAUSE, c.cause);
	return n->sink->ops->copy(n->sink->self, &c, err);
}

static enum ks_status deliver_copy(struct ks_nsys *n, void *row, struct ks_err *err)
{
	struct ks_copy c = *(const struct ks_copy *)row;

	c.peer_table = false;
	return hand_copy(n, c, err);
}

static enum ks_status deliver_peer_copy(struct ks_nsys *n, void *row, struct ks_err *err)
{
	struct ks_copy c = *(const struct ks_copy *)row;

	c.peer_table = true;
	return hand_copy(n, c, err);
}

static enum ks_status deliver_memset(struct ks_nsys *n, void *row, struct ks_err *err)
{
	struct ks_memset m = *(const struct ks_memset *)row;

	m.mem_kind = ks_nsys_number(n, KS_NSYS_ENUM_MEMORY, m.mem_kind);
	return n->sink->ops->memset(n->sink->self, &m, err);
}

static enum ks_status deliver_sync(struct ks_nsys *n, void *row, struct ks_err *err)
{
	struct ks_sync s = *(const struct ks_sync *)row;

	s.type = ks_nsys_number(n, KS_NSYS_ENUM_SYNC, s.type);
	if (s.type == KS_UNKNOWN)
		s.type = 0;
	return n->sink->ops->sync(n->sink->self, &s, err);
}

static enum ks_status deliver_memory(struct ks_nsys *n, void *row, struct ks_err *err)
{
	struct ks_memory m = *(const struct ks_memory *)row;

	m.kind = ks_nsys_number(n, KS_NSYS_ENUM_MEMORY, m.kind);
	m.operation = ks_nsys_number(n, KS_NSYS_ENUM_OPERATION, m.operation);
	return n->sink->ops->memory(n->sink->self, &m, err);
}

static enum ks_status deliver_launch(struct ks_nsys *n, void *row, struct ks_err *err)
{
	return n->sink->ops->launch(n->sink->self, row, err);
}

enum ks_status ks_nsys_rows(struct ks_nsys *n, bool again, struct ks_err *err)
{
	struct ks_graph_run graph;
	struct ks_copy copy;
	struct ks_memset memset_row;
	struct ks_sync sync;
	struct ks_memory memory;
	struct ks_launch launch;
	const struct {
		unsigned rows;	 /* only for a sink that gets these, and only once; 0: always */
		unsigned spared; /* not for a sink that does without */
		struct ks_nsys_feed feed;
	} all[] = {
		{ KS_ROWS_GRAPHS,
		  0,
		  { "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", graph_columns, KS_ARRAY_LEN(graph_columns),
		    KS_TEXT_SRC_PROGRESS_EVENTS, &graph, deliver_graph } },
		{ 0,
		  KS_SPARED_COPIES,
		  { "CUPTI_ACTIVITY_KIND_MEMCPY", copy_columns, KS_ARRAY_LEN(copy_columns),
		    KS_TEXT_SRC_PROGRESS_COPIES, &copy, deliver_copy } },
		/* peer copies, in some exports */
		{ 0,
		  KS_SPARED_COPIES,
		  { "CUPTI_ACTIVITY_KIND_MEMCPY2", copy_columns, KS_ARRAY_LEN(copy_columns),
		    KS_TEXT_SRC_PROGRESS_COPIES, &copy, deliver_peer_copy } },
		{ 0,
		  KS_SPARED_COPIES,
		  { "CUPTI_ACTIVITY_KIND_MEMSET", memset_columns, KS_ARRAY_LEN(memset_columns),
		    KS_TEXT_SRC_PROGRESS_COPIES, &memset_row, deliver_memset } },
		{ KS_ROWS_SYNC,
		  0,
		  { "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", sync_columns, KS_ARRAY_LEN(sync_columns),
		    KS_TEXT_SRC_PROGRESS_EVENTS, &sync, deliver_sync } },
		{ KS_ROWS_MEMORY,
		  0,
		  { "CUDA_GPU_MEMORY_USAGE_EVENTS", memory_columns, KS_ARRAY_LEN(memory_columns),
		    KS_TEXT_SRC_PROGRESS_EVENTS, &memory, deliver_memory } },
		{ 0,
		  KS_SPARED_LAUNCHES,
		  { "CUPTI_ACTIVITY_KIND_KERNEL", launch_columns, KS_ARRAY_LEN(launch_columns),
		    KS_TEXT_SRC_PROGRESS_LAUNCHES, &launch, deliver_launch } },
	};

	for (size_t i = 0; i < KS_ARRAY_LEN(all); i++) {
		if (all[i].rows && (again || !(n->sink->rows & all[i].rows)))
			continue;
		if (all[i].spared & n->sink->spared)
			continue;
		KS_TRY(ks_nsys_feed(n, &all[i].feed, err));
	}
	return KS_OK;
}
