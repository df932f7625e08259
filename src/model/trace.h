/* SPDX-License-Identifier: Apache-2.0
 *
 * The trace model: the rows a source streams and the sink it streams them into. Nothing else:
 * sources know no analysis, analysis knows no source. Rows are borrowed for the call; nothing is
 * kept per row by the source.
 *
 * Order of calls: meta, gpu*, gpu_map*, process*, thread*, diagnostic*; schema*, range*,
 * `wanted`/`name` and ranges_done; overhead*, call*, calls_done; graph_run*, copy*, memset*, sync*,
 * memory*, launch*; `wanted`/`name` again, frame*, holding*, done. Each kind so late that what it
 * is joined with is known: ranges before calls, calls before the work they launched, copies and
 * memsets before launches so that unions over both need one pass; holdings after the rows because
 * the pass counts them. Rows of one kind come in any order. A source leaves out what the sink's
 * `rows` does not have, and the steps around it.
 */
#ifndef KS_MODEL_TRACE_H
#define KS_MODEL_TRACE_H

#include "base/err.h"

/* A name in the source's own numbering. 0 = none. Turned into text once, after the rows. */
typedef int64_t ks_nameref;

/* `row` of the structs below: the number of the row in its table of the source, the same each time
 * the file is read. KS_UNKNOWN for a sink that does not ask for KS_ROWS_NUMBERS, and where a table
 * numbers no rows. */

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
	int64_t graph;	       /* graphId; 0 = none or not recorded */
	int64_t row;
};

/* The numbers of an export's enumerations; a source maps the file's own onto them. */
enum ks_copy_kind { /* contract 09: copyKind */
		    KS_COPY_HTOD = 1,
		    KS_COPY_DTOH,
		    KS_COPY_HTOA,
		    KS_COPY_ATOH,
		    KS_COPY_ATOA,
		    KS_COPY_ATOD,
		    KS_COPY_DTOA,
		    KS_COPY_DTOD,
		    KS_COPY_HTOH,
		    KS_COPY_PTOP,
		    KS_COPY_UM_HTOD, /* unified-memory migrations: no copies of the program */
		    KS_COPY_UM_DTOH,
		    KS_COPY_UM_DTOD,
};
enum ks_mem_kind {
	KS_MEM_PAGEABLE,
	KS_MEM_PINNED,
	KS_MEM_DEVICE,
	KS_MEM_ARRAY,
	KS_MEM_MANAGED,
	KS_MEM_DEVICE_STATIC,
	KS_MEM_MANAGED_STATIC,
	KS_MEM_UNKNOWN,
};

struct ks_copy {
	ks_ns start_ns, end_ns;
	int64_t device, process, context, stream, correlation;
	int64_t bytes; /* KS_UNKNOWN when NULL */
	int64_t kind, src_kind, dst_kind, src_device, dst_device;
	int64_t cause; /* of a migration; KS_UNKNOWN */
	int64_t graph_node;
	int64_t row;
	bool peer_table; /* from the table of peer copies, which numbers its own rows */
};

struct ks_memset {
	ks_ns start_ns, end_ns;
	int64_t device, process, context, stream, correlation;
	int64_t bytes, mem_kind;
	int64_t graph_node;
	int64_t row;
};

enum ks_range_type { /* contract 05 §1.11, 09: NVTX_EVENTS.eventType */
		     KS_RANGE_CATEGORY = 33,
		     KS_RANGE_MARK = 34,
		     KS_RANGE_THREAD = 39,
		     KS_RANGE_PUSH_POP = 59,
		     KS_RANGE_START_END = 60,
		     KS_RANGE_TEXT_CATEGORY = 64,
		     KS_RANGE_TEXT_MARK = 65,
		     KS_RANGE_TEXT_PUSH_POP = 70,
		     KS_RANGE_TEXT_START_END = 71,
		     KS_RANGE_DOMAIN_CREATE = 75, /* names a domain */
		     KS_RANGE_DOMAIN_DESTROY = 76,
		     KS_RANGE_NAME_DEVICE = 97,
		     KS_RANGE_NAME_CONTEXT = 98,
		     KS_RANGE_NAME_STREAM = 99,
};
struct ks_range {		/* a row of NVTX_EVENTS, of whatever type */
	ks_ns start_ns, end_ns; /* end KS_UNKNOWN: open when the recording stopped, or no range */
	int64_t thread;		/* globalTid; KS_UNKNOWN when absent */
	int64_t end_thread;	/* endGlobalTid; KS_UNKNOWN: the same */
	int64_t domain;		/* 0 is the default one */
	int64_t type;		/* eventType (contract 05 §1.11); KS_UNKNOWN where not recorded */
	ks_nameref name;	/* 0: none, blank ones too */
	int64_t schema;		/* of the payload; KS_UNKNOWN */
	ks_str payload;		/* bytes laid out as the schema says; "" */
	ks_str json;		/* payload as JSON text; "" */
	int64_t value;		/* the plain payload where it is an integer; KS_UNKNOWN */
	int64_t row;
};
struct ks_payload_entry { /* one field of a payload schema */
	int64_t domain, schema;
	int64_t index, type, offset, flags;
	int64_t payload_bytes; /* size of the whole payload; KS_UNKNOWN */
	ks_str name;	       /* of the field */
	ks_str schema_name;    /* "" */
};
#define KS_CALL_BACKTRACE 67 /* event_class of a call chain, beside the call (contract 09) */
struct ks_call {	     /* a CUDA runtime or driver call */
	ks_ns start_ns, end_ns;
	int64_t thread, correlation; /* correlation 0: none */
	int64_t result;		     /* 0 success; KS_UNKNOWN */
	int64_t chain;		     /* call chain; KS_UNKNOWN */
	int64_t event_class;
	ks_nameref name;
	int64_t row;
	bool driver_table; /* from the table of driver calls, which numbers its own rows */
};
struct ks_overhead {
	ks_ns start_ns, end_ns;
	int64_t thread;
	bool profiler; /* the profiler's own; else the driver's (module loading, full buffers) */
	ks_nameref name;
};
struct ks_graph_run { /* a graph launch recorded as a whole */
	ks_ns start_ns, end_ns;
	int64_t device, process, context, stream, correlation, graph;
};
struct ks_sync {
	ks_ns start_ns, end_ns;
	int64_t device, process, context, stream, correlation;
	int64_t type; /* 1 event, 2 stream waits for event, 3 stream, 4 context; 0 unknown */
};
struct ks_memory { /* one allocation or release of memory */
	ks_ns start_ns;
	int64_t process, device, context, bytes, kind; /* enum ks_mem_kind */
	int64_t operation;			       /* 0 allocation, 1 release; KS_UNKNOWN */
};
struct ks_frame { /* one frame of a call chain; depth 0 is the innermost */
	int64_t chain, depth;
	ks_nameref symbol, module;
	bool unresolved;
};
struct ks_trace_thread {
	int64_t global_tid;
	ks_str name;
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
/* Text of a name while rows stream in, for the few names that decide what a row is. Valid until the
 * next question; "" where there is none, or none can be had quickly. */
struct ks_lookup {
	void *self;
	enum ks_status (*text)(void *self, ks_nameref ref, ks_str *text, struct ks_err *err);
};
struct ks_trace_meta {
	const struct ks_lookup *names; /* NULL: nobody can be asked; lives as long as the stream */
	ks_str kind;		       /* "nsys sqlite", "synthetic" */
	ks_str path, product, product_version, schema_version, platform;
	ks_str program, folder; /* what was recorded, and where it was started; "" when not known */
	const ks_str *argument;
	size_t n_arguments;
	bool synthetic;
	bool no_recording;    /* there is none: a report of something else */
	int64_t utc_epoch_ns; /* KS_UNKNOWN */
	ks_ns capture_ns;     /* KS_UNKNOWN */
	bool has_kernel_table, has_cuda_tables, has_graph_trace;
	bool kernel_table_unread; /* a view or virtual table stands in its place */
	int cuda_traced; /* 1 the file says CUDA was traced, 0 that it was not, -1 it does not say
			  */
	bool no_driver;	 /* the file says that the machine had no usable NVIDIA driver or device */
	ks_ns other_first_ns,
		other_last_ns; /* span over the other rows with time; KS_UNKNOWN if none */
	uint64_t nvtx_rows, graph_rows;
	uint64_t api_calls; /* 0 where the sink asks for calls: it counts them itself */
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
	enum ks_status (*thread)(void *self, const struct ks_trace_thread *t, struct ks_err *err);
	enum ks_status (*schema)(void *self, const struct ks_payload_entry *e, struct ks_err *err);
	enum ks_status (*range)(void *self, const struct ks_range *r, struct ks_err *err);
	enum ks_status (*ranges_done)(void *self, struct ks_err *err);
	enum ks_status (*overhead)(void *self, const struct ks_overhead *o, struct ks_err *err);
	enum ks_status (*call)(void *self, const struct ks_call *c, struct ks_err *err);
	enum ks_status (*calls_done)(void *self, struct ks_err *err);
	enum ks_status (*graph_run)(void *self, const struct ks_graph_run *g, struct ks_err *err);
	enum ks_status (*sync)(void *self, const struct ks_sync *s, struct ks_err *err);
	enum ks_status (*memory)(void *self, const struct ks_memory *m, struct ks_err *err);
	enum ks_status (*frame)(void *self, const struct ks_frame *f, struct ks_err *err);
	enum ks_status (*copy)(void *self, const struct ks_copy *c, struct ks_err *err);
	enum ks_status (*memset)(void *self, const struct ks_memset *m, struct ks_err *err);
	enum ks_status (*launch)(void *self, const struct ks_launch *l, struct ks_err *err);
	/* All name references whose text the sink needs by now and has not been told, each once;
	 * the array is the sink's. Asked after the ranges, after the launches and after the frames.
	 */
	void (*wanted)(void *self, const ks_nameref **ref, size_t *n);
	enum ks_status (*name)(void *self, ks_nameref ref, ks_str text, struct ks_err *err);
	/* The pass is over. *again true: the sink needs the copy, memset and launch rows once more
	 * (rows came too far out of order for its window); only those are then repeated. */
	enum ks_status (*done)(void *self, bool *again, struct ks_err *err);
};
/* Kinds of rows beyond facts, copies, memsets and launches, which a sink gets without asking. */
enum ks_rows {
	KS_ROWS_RANGES = 1 << 0, /* schema, range, ranges_done */
	KS_ROWS_CALLS = 1 << 1,	 /* call, calls_done, thread */
	KS_ROWS_OVERHEAD = 1 << 2,
	KS_ROWS_GRAPHS = 1 << 3,
	KS_ROWS_SYNC = 1 << 4,
	KS_ROWS_MEMORY = 1 << 5,
	KS_ROWS_FRAMES = 1 << 6,
	KS_ROWS_NUMBERS = 1 << 7, /* no kind of row: `row` of those that come */
};
/* And what it may do without: such tables are not read. */
enum ks_spared {
	KS_SPARED_COPIES = 1 << 0, /* copy, memset */
	KS_SPARED_LAUNCHES = 1 << 1,
};
struct ks_sink {
	const struct ks_sink_ops *ops;
	void *self;
	unsigned rows;	 /* of enum ks_rows */
	unsigned spared; /* of enum ks_spared */
};

/* A sink that takes every row and keeps nothing: what a sink of few rows begins with. */
extern const struct ks_sink_ops ks_sink_nothing;

/* Whether a row of that type has two ends; one without a type has. */
bool ks_range_has_ends(int64_t type);
bool ks_range_is_start_end(int64_t type);

/* So near that differences, and the span of any two rows, stay inside 63 bits. KS_UNKNOWN is not.
 */
bool ks_time_is_known(ks_ns t);
/* Whether these are two times, in order. */
bool ks_time_is_span(ks_ns start, ks_ns end);

/* pid and tid of a serialized id (contract 05 §1.8). KS_UNKNOWN stays KS_UNKNOWN. */
int64_t ks_global_pid(int64_t global_id);
int64_t ks_global_tid(int64_t global_id);
/* The globalPid of a globalTid: the same without the thread. */
int64_t ks_global_process(int64_t global_id);

#endif
