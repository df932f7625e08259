/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies, memsets and kernel launches, row by row. What a row does not say is unknown, never 0;
 * what it says and cannot be (a negative grid, text where a number belongs) is unknown as well.
 */
#include "source/nsys.h"

#define TIME(type, column, field)                                                                  \
	{                                                                                          \
		column, offsetof(struct type, field), KS_NSYS_INT, KS_UNKNOWN, KS_UNKNOWN,         \
			-KS_NSYS_TIME_MAX, KS_NSYS_TIME_MAX                                        \
	}
#define NUMBER(type, column, field, absent, min, max)                                              \
	{                                                                                          \
		column, offsetof(struct type, field), KS_NSYS_INT, absent, KS_UNKNOWN, min, max    \
	}
/* where the model says 0 for "none" */
#define OR_NONE(type, column, field, min, max)                                                     \
	{                                                                                          \
		column, offsetof(struct type, field), KS_NSYS_INT, 0, 0, min, max                  \
	}
#define NAME(type, column, field)                                                                  \
	{                                                                                          \
		column, offsetof(struct type, field), KS_NSYS_NAME, 0, 0, 0, 0                     \
	}

#define ID_MIN (INT64_MIN + 1) /* INT64_MIN is KS_UNKNOWN */
#define ID_MAX INT64_MAX
#define DIM    INT32_MAX	  /* cuda limits gridDim.x to 2^31 - 1, everything else to less */
#define BYTES  (INT64_C(1) << 40) /* more than any GPU's shared or local memory of a block */
#define SIZE   (INT64_C(1) << 56) /* bytes of one copy */

static const struct ks_nsys_column launch_columns[] = {
	TIME(ks_launch, "start", start_ns),
	TIME(ks_launch, "end", end_ns),
	NUMBER(ks_launch, "deviceId", device, KS_UNKNOWN, 0, DIM),
	NUMBER(ks_launch, "globalPid", process, KS_UNKNOWN, ID_MIN, ID_MAX),
	NUMBER(ks_launch, "contextId", context, KS_UNKNOWN, ID_MIN, ID_MAX),
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
	NUMBER(ks_launch, "staticSharedMemory", static_smem, KS_UNKNOWN, 0, BYTES),
	NUMBER(ks_launch, "dynamicSharedMemory", dynamic_smem, KS_UNKNOWN, 0, BYTES),
	NUMBER(ks_launch, "localMemoryPerThread", local_mem, KS_UNKNOWN, 0, BYTES),
	NUMBER(ks_launch, "sharedMemoryExecuted", smem_executed, KS_UNKNOWN, 0, BYTES),
	OR_NONE(ks_launch, "clusterX", cluster[0], 0, DIM),
	OR_NONE(ks_launch, "clusterY", cluster[1], 0, DIM),
	OR_NONE(ks_launch, "clusterZ", cluster[2], 0, DIM),
	OR_NONE(ks_launch, "graphNodeId", graph_node, ID_MIN, ID_MAX),
};

static const struct ks_nsys_column copy_columns[] = {
	TIME(ks_copy, "start", start_ns),
	TIME(ks_copy, "end", end_ns),
	NUMBER(ks_copy, "deviceId", device, KS_UNKNOWN, 0, DIM),
	NUMBER(ks_copy, "globalPid", process, KS_UNKNOWN, ID_MIN, ID_MAX),
	NUMBER(ks_copy, "contextId", context, KS_UNKNOWN, ID_MIN, ID_MAX),
	NUMBER(ks_copy, "streamId", stream, 0, ID_MIN, ID_MAX),
	OR_NONE(ks_copy, "correlationId", correlation, ID_MIN, ID_MAX),
	NUMBER(ks_copy, "bytes", bytes, KS_UNKNOWN, 0, SIZE),
	NUMBER(ks_copy, "copyKind", kind, KS_UNKNOWN, ID_MIN, ID_MAX),
	NUMBER(ks_copy, "srcKind", src_kind, KS_UNKNOWN, ID_MIN, ID_MAX),
	NUMBER(ks_copy, "dstKind", dst_kind, KS_UNKNOWN, ID_MIN, ID_MAX),
	NUMBER(ks_copy, "srcDeviceId", src_device, KS_UNKNOWN, 0, DIM),
	NUMBER(ks_copy, "dstDeviceId", dst_device, KS_UNKNOWN, 0, DIM),
};

static const struct ks_nsys_column memset_columns[] = {
	TIME(ks_memset, "start", start_ns),
	TIME(ks_memset, "end", end_ns),
	NUMBER(ks_memset, "deviceId", device, KS_UNKNOWN, 0, DIM),
	NUMBER(ks_memset, "globalPid", process, KS_UNKNOWN, ID_MIN, ID_MAX),
	NUMBER(ks_memset, "contextId", context, KS_UNKNOWN, ID_MIN, ID_MAX),
	NUMBER(ks_memset, "streamId", stream, 0, ID_MIN, ID_MAX),
	OR_NONE(ks_memset, "correlationId", correlation, ID_MIN, ID_MAX),
	NUMBER(ks_memset, "bytes", bytes, KS_UNKNOWN, 0, SIZE),
	NUMBER(ks_memset, "memKind", mem_kind, KS_UNKNOWN, ID_MIN, ID_MAX),
};

/* A table whose rows go to the sink one by one. `row` is scratch of the row type, `deliver` hands
 * it on. */
struct stream {
	const char *table;
	const struct ks_nsys_column *column;
	size_t n_columns;
	int progress; /* text while it is read */
	void *row;
	enum ks_status (*deliver)(const struct ks_sink *sink, const void *row, struct ks_err *err);
};

static enum ks_status stream(struct ks_nsys *n, const struct stream *w, struct ks_err *err)
{
	struct ks_nsys_table *t = ks_nsys_table(n, w->table);
	struct ks_nsys_scan s;
	bool got = true;

	if (!t)
		return KS_OK;
	ks_nsys_row_clear(w->row, w->column, w->n_columns);

	enum ks_status st = ks_nsys_scan_open(&s, n, t, w->column, w->n_columns, err);

	if (st == KS_OK)
		ks_nsys_scan_expect(&s, w->progress);
	while (st == KS_OK && (st = ks_nsys_scan_next(&s, w->row, &got, err)) == KS_OK && got)
		st = w->deliver(n->sink, w->row, err);
	ks_nsys_scan_close(&s);
	t->analysed = true;
	return st;
}

static enum ks_status deliver_copy(const struct ks_sink *sink, const void *row, struct ks_err *err)
{
	return sink->ops->copy(sink->self, row, err);
}

static enum ks_status deliver_memset(const struct ks_sink *sink, const void *row,
				     struct ks_err *err)
{
	return sink->ops->memset(sink->self, row, err);
}

static enum ks_status deliver_launch(const struct ks_sink *sink, const void *row,
				     struct ks_err *err)
{
	return sink->ops->launch(sink->self, row, err);
}

enum ks_status ks_nsys_rows(struct ks_nsys *n, struct ks_err *err)
{
	struct ks_copy copy;
	struct ks_memset memset_row;
	struct ks_launch launch;
	const struct stream all[] = {
		{ "CUPTI_ACTIVITY_KIND_MEMCPY", copy_columns, KS_ARRAY_LEN(copy_columns),
		  KS_TEXT_SRC_PROGRESS_COPIES, &copy, deliver_copy },
		/* peer copies, in some exports */
		{ "CUPTI_ACTIVITY_KIND_MEMCPY2", copy_columns, KS_ARRAY_LEN(copy_columns),
		  KS_TEXT_SRC_PROGRESS_COPIES, &copy, deliver_copy },
		{ "CUPTI_ACTIVITY_KIND_MEMSET", memset_columns, KS_ARRAY_LEN(memset_columns),
		  KS_TEXT_SRC_PROGRESS_COPIES, &memset_row, deliver_memset },
		{ "CUPTI_ACTIVITY_KIND_KERNEL", launch_columns, KS_ARRAY_LEN(launch_columns),
		  KS_TEXT_SRC_PROGRESS_LAUNCHES, &launch, deliver_launch },
	};

	for (size_t i = 0; i < KS_ARRAY_LEN(all); i++)
		KS_TRY(stream(n, &all[i], err));
	return KS_OK;
}
