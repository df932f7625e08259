/* SPDX-License-Identifier: Apache-2.0
 *
 * The trace model: the rows a source streams and the sink it streams them into. Nothing else:
 * sources know no analysis, analysis knows no source. Rows are borrowed for the call; nothing is
 * kept per row by the source.
 *
 * Order of calls: meta, gpu*, gpu_map*, process*, diagnostic*, then any number of copy and memset
 * rows, then launch rows, then `wanted`/`name` once, then holding*, then done. Copies and memsets
 * come before launches so that unions over both need one pass; holdings come after the rows because
 * the pass counts them. Rows of one kind come in any order.
 */
#ifndef KS_MODEL_TRACE_H
#define KS_MODEL_TRACE_H

#include "base/err.h"

/* A name in the source's own numbering. 0 = none. Turned into text once, after the rows. */
typedef int64_t ks_nameref;

struct ks_launch {
	ks_ns start_ns,
		end_ns;	 /* KS_UNKNOWN when absent; end <= start is passed on, the sink counts it */
	int64_t device;	 /* CUDA ordinal in its process; KS_UNKNOWN, never 0, when absent */
	int64_t process; /* globalPid as recorded; KS_UNKNOWN when absent */
	int64_t context, stream;
	int64_t correlation; /* 0 = none */
	ks_nameref demangled, function, mangled;
	int64_t grid[3], block[3];
	int64_t regs;				      /* per thread */
	int64_t static_smem, dynamic_smem, local_mem; /* bytes; local per thread */
	int64_t smem_executed; /* carve-out in bytes per SM; KS_UNKNOWN or 0 = not known */
	int64_t cluster[3];    /* 0 = none */
	int64_t graph_node;    /* non-zero: belongs to a CUDA graph */
};

struct ks_copy {
	ks_ns start_ns, end_ns;
	int64_t device, process, context, stream, correlation;
	int64_t bytes; /* KS_UNKNOWN when NULL */
	int64_t kind, src_kind, dst_kind, src_device, dst_device;
};

struct ks_memset {
	ks_ns start_ns, end_ns;
	int64_t device, process, context, stream, correlation;
	int64_t bytes, mem_kind;
};

struct ks_trace_gpu { /* one row of TARGET_INFO_GPU; integers KS_UNKNOWN when absent */
	int64_t id, cu_device, vm_id;
	ks_str name, uuid, bus, chip, driver;
	int64_t cc_major, cc_minor;
	int64_t sm_count, l2_bytes, memory_bytes, memory_bandwidth, clock_hz;
	double power_limit_w; /* 0 = unknown; no nsys export says it */
	/* occupancy limits; 0 and KS_UNKNOWN both mean not known */
	int64_t threads_per_warp, max_warps_per_sm, max_blocks_per_sm, max_regs_per_sm,
		max_regs_per_block, max_smem_per_sm, max_smem_per_block, max_smem_optin,
		max_threads_per_block;
};
/* Everything unknown. */
void ks_trace_gpu_clear(struct ks_trace_gpu *g);

struct ks_trace_gpu_map { /* one row of TARGET_INFO_CUDA_DEVICE */
	int64_t gpu_id, cuda_id, pid;
	ks_str uuid;
	int64_t sm_count;
};
struct ks_trace_process {
	int64_t global_pid, pid;
	ks_str name;
};
struct ks_trace_meta {
	ks_str kind; /* "nsys sqlite", "synthetic" */
	ks_str path, product, product_version, schema_version, platform;
	bool synthetic;
	int64_t utc_epoch_ns; /* KS_UNKNOWN */
	ks_ns capture_ns;     /* KS_UNKNOWN */
	bool has_kernel_table, has_cuda_tables, has_graph_trace;
	bool kernel_table_unread; /* a view or virtual table stands in its place */
	int cuda_traced; /* 1 the file says CUDA was traced, 0 that it was not, -1 it does not say
			  */
	bool no_driver;	 /* the file says that the machine had no usable NVIDIA driver or device */
	ks_ns other_first_ns,
		other_last_ns; /* span over the other rows with time; KS_UNKNOWN if none */
	uint64_t nvtx_rows, api_calls, graph_rows;
};
struct ks_trace_holding {
	ks_str table;
	int64_t rows; /* -1: a view or virtual table, never read */
	bool analysed;
};
struct ks_trace_diagnostic { /* one row; the sink folds identical ones */
	int severity;
	ks_str text;
};

struct ks_sink_ops {
	enum ks_status (*meta)(void *self, const struct ks_trace_meta *m, struct ks_err *err);
	enum ks_status (*gpu)(void *self, const struct ks_trace_gpu *g, struct ks_err *err);
	enum ks_status (*gpu_map)(void *self, const struct ks_trace_gpu_map *m, struct ks_err *err);
	enum ks_status (*process)(void *self, const struct ks_trace_process *p, struct ks_err *err);
	enum ks_status (*holding)(void *self, const struct ks_trace_holding *h, struct ks_err *err);
	enum ks_status (*diagnostic)(void *self, const struct ks_trace_diagnostic *d,
				     struct ks_err *err);
	enum ks_status (*copy)(void *self, const struct ks_copy *c, struct ks_err *err);
	enum ks_status (*memset)(void *self, const struct ks_memset *m, struct ks_err *err);
	enum ks_status (*launch)(void *self, const struct ks_launch *l, struct ks_err *err);
	/* All name references whose text the sink needs, each once; the array is the sink's. */
	void (*wanted)(void *self, const ks_nameref **ref, size_t *n);
	enum ks_status (*name)(void *self, ks_nameref ref, ks_str text, struct ks_err *err);
	/* The pass is over. *again true: the sink needs the copy, memset and launch rows once more
	 * (rows came too far out of order for its window); only those are then repeated. */
	enum ks_status (*done)(void *self, bool *again, struct ks_err *err);
};
struct ks_sink {
	const struct ks_sink_ops *ops;
	void *self;
};

/* pid and tid of a serialized id (contract 05 §1.8). KS_UNKNOWN stays KS_UNKNOWN. */
int64_t ks_global_pid(int64_t global_id);
int64_t ks_global_tid(int64_t global_id);

#endif
