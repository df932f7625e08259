/* SPDX-License-Identifier: Apache-2.0
 *
 * What a trace says about when: the window, steps, NVTX phases, idle gaps, copies, communication,
 * graphs, CUDA calls. Plain data for tables and pictures, made by analyze; every number that stands
 * for the run is a row of the evidence store as well. Times are nanoseconds of the trace's clock,
 * clipped to the window where one was chosen.
 */
#ifndef KS_EVIDENCE_TIMELINE_H
#define KS_EVIDENCE_TIMELINE_H

#include "evidence/store.h"

struct ks_config;

/* --within: every sum is clipped to [from_ns, to_ns); lists hold whole rows. */
struct ks_window_facts {
	bool on;
	ks_str text; /* as given */
	ks_ns from_ns, to_ns;
	uint64_t cut_launches; /* launches that reach over an edge */
};

/* All ranges of one name in one domain (contract 06 §13). */
struct ks_phase {
	ks_str name, domain; /* exact name; "" for the default domain */
	int64_t domain_id;
	int64_t type;	/* eventType; KS_UNKNOWN where not recorded or where several are mixed */
	unsigned depth; /* smallest nesting depth of its instances */
	uint64_t instances;	       /* closed ranges */
	ks_ns wall_ns, min_ns, max_ns; /* length of the ranges: sum, shortest, longest */
	/* Through the launch call: kernels launched while the range was open on the launching
	 * thread. */
	uint64_t kernels;
	ks_ns kernel_ns, own_ns; /* every instance counted; own: innermost of its domain only */
	ks_ns worst_kernel_ns;	 /* of one instance */
	ks_ns gpu_ns;		 /* union of its kernels; KS_UNKNOWN where it was not asked for */
	/* By overlap in time, the second reading; KS_UNKNOWN where it was not asked for. */
	ks_ns overlap_ns;	  /* summed over instances */
	ks_ns overlap_process_ns; /* the same, kernels of the range's process alone */
	ks_ns overlap_union_ns;	  /* with the union of the instances */
	uint64_t overlap_kernels; /* kernels that overlap; KS_UNKNOWN-like UINT64_MAX where not
				     asked */
};
/* Every phase by kernel time descending, then name, domain; without holding them all. */
struct ks_phase_log {
	void *self;
	enum ks_status (*rewind)(void *self, struct ks_err *err);
	enum ks_status (*next)(void *self, struct ks_phase *row, bool *got, struct ks_err *err);
};

/* A node of the tree of open ranges, in preorder. total = own + the totals of its children that are
 * listed + left out. */
struct ks_path_node {
	ks_str name;	 /* exact; the root of a domain has its name */
	uint32_t parent; /* index; its own index for a root */
	unsigned depth;
	uint64_t kernels; /* launched with exactly this path */
	ks_ns own_ns, total_ns;
	ks_ns left_out_ns; /* totals of its children over the limit of the list */
};

/* A line of --format folded: NVTX path and kernel, "a;b;kernel". Sorted by text. */
struct ks_folded {
	ks_str stack; /* frames joined by ';', those inside names replaced */
	ks_ns ns;
};

enum ks_step_mark { KS_STEP_PLAIN, KS_STEP_FIRST, KS_STEP_WARMUP, KS_STEP_OUTLIER };
struct ks_step {
	ks_ns start_ns, end_ns; /* whole */
	ks_ns kernel_ns;	/* launched in it; KS_UNKNOWN outside the window and by overlap */
	enum ks_step_mark mark;
};
struct ks_steps {    /* n 0: the trace has no steps; `why` then says what was looked at */
	ks_str name; /* digits folded to '#' where they differ */
	ks_str domain;
	const struct ks_step *step; /* with a window: those that have a part in it, whole */
	size_t n;
	size_t first_number;	     /* of step[0] among all; others only with a window */
	size_t n_warmup, n_outliers; /* the first is neither */
	struct ks_msg why;
};

struct ks_gap {	    /* no kernel, copy or memset on the device */
	size_t gpu; /* index in the report's GPUs */
	ks_ns start_ns, end_ns;
	ks_ns overhead_ns;    /* of it, the profiler's own */
	ks_str before, after; /* kernel, or "copy HtoD", "memset"; "" at an end of the span */
};

/* Time of a device by what ran at once. Bit 0 computation, bit 1 copies and memsets, bit 2
 * communication; [0] is idle. [1..7] add up to the busy time. */
#define KS_MIX_COMPUTE 1
#define KS_MIX_COPY    2
#define KS_MIX_COMM    4
struct ks_device_time { /* beside the report's used GPUs */
	ks_ns mix_ns[8];
	uint64_t max_streams; /* with a kernel at once */
	uint64_t gaps;
	ks_ns gap_overhead_ns; /* profiler overhead inside idle time */
	ks_ns longest_gap_ns;
	ks_ns comm_sum_ns;			     /* communication kernels, summed */
	int64_t memory_peak_bytes, memory_end_bytes; /* device memory; KS_UNKNOWN: not recorded */
};

struct ks_copy_group { /* copies of one kind and size */
	int64_t kind;
	int64_t bytes; /* KS_UNKNOWN: all further sizes of that kind added up; no rate then */
	uint64_t count;
	ks_ns max_ns;
	ks_ns median_ns;	 /* of the plausible rows; 0: none */
	double gb_per_s;	 /* bytes / max_ns; < 0: no rate */
	double typical_gb_per_s; /* bytes / median_ns; < 0: no rate */
};
struct ks_copy_kind_sum {
	ks_str kind;			       /* "htod", "um_dtoh", "kind_17" */
	int64_t number;			       /* copyKind as recorded; KS_UNKNOWN */
	int64_t src_kind, dst_kind, cause;     /* KS_UNKNOWN where not recorded or mixed */
	ks_str src_name, dst_name, cause_name; /* "pageable" ...; "" */
	int64_t src_device, dst_device;	       /* of peer copies; KS_UNKNOWN */
	uint64_t count, unknown_bytes_rows;
	uint64_t bytes;
	ks_ns total_ns; /* never a denominator: single durations are doubtful */
};

struct ks_comm_call { /* a collective as NCCL's payload records it */
	ks_str name;  /* ncclAllReduce */
	uint64_t calls;
	uint64_t bytes;
	uint64_t unknown_rows; /* calls whose payload has no size */
};
struct ks_kernel_overlap { /* a kernel beside running collectives */
	ks_str kernel;
	ks_ns with_ns, without_ns;
	uint64_t with_launches, without_launches; /* by whether any of it overlapped */
	ks_ns with_median_ns, without_median_ns;
};

struct ks_graph_node { /* kernels of one graph node */
	ks_str kernel;
	int64_t node;
	uint64_t launches;
	ks_ns total_ns;
};
struct ks_graphs {
	uint64_t launch_calls;	/* cudaGraphLaunch and its like among the calls */
	uint64_t replays;	/* launches whose node kernels were recorded */
	uint64_t node_launches; /* kernel rows of graphs */
	ks_ns node_ns;
	uint64_t runs; /* graph launches recorded as a whole: never added to the nodes */
	ks_ns run_ns, run_union_ns;
	const struct ks_graph_node *top;
	size_t n_top;
};

struct ks_api_call {
	ks_str name;
	bool is_sync, is_launch;
	uint64_t calls, failed;
	ks_ns total_ns, max_ns;
};

struct ks_call_site {
	ks_str kernel;
	ks_str frame; /* innermost frame outside the CUDA libraries: "symbol (module)" */
	ks_str stack; /* "main;train;launch", outermost first */
	uint64_t launches;
};

/* Kernel durations for a picture: a logarithmic histogram and the course along the run. */
struct ks_bin {
	ks_ns from_ns, to_ns; /* of the duration, or of the time */
	uint64_t n;
	ks_ns min_ns, max_ns, sum_ns; /* durations of the launches in it */
};
struct ks_duration_picture {
	ks_str kernel;
	uint64_t launches, most; /* in all bins; in the fullest bin of by_duration */
	ks_ns min_ns, max_ns, sum_ns;
	const struct ks_bin *by_duration, *by_time;
	size_t n_by_duration, n_by_time;
};

/* --- the log of everything, for pictures and trace files ---------------------------------------
 */

enum ks_lane_kind {
	KS_LANE_STREAM, /* kernels of one stream */
	KS_LANE_COPY,	/* copies and memsets of one stream */
	KS_LANE_SYNC,
	KS_LANE_NVTX,	/* ranges of one thread and domain */
	KS_LANE_API,	/* CUDA calls of one thread */
	KS_LANE_MEMORY, /* counter: device memory in use */
};
struct ks_lane { /* a track; where its slices would overlap without nesting there are several */
	enum ks_lane_kind kind;
	size_t gpu; /* index in the report's GPUs; SIZE_MAX for host lanes */
	int64_t pid, tid, stream;
	ks_str process_name, thread_name, name; /* what people see; thread_name may be "" */
	uint32_t number;			/* 0 for the first of its kind with this identity */
	uint64_t slices;
};
struct ks_slice {
	uint32_t lane;
	uint32_t name_id; /* same text, same id; ids run from 1 to n_names */
	ks_str name;
	ks_ns start_ns, end_ns; /* equal: a mark */
	uint64_t flow;		/* 0: none. The launch call and what it launched have the same */
	bool flow_starts;	/* the launch call */
	bool flow_shared;	/* the call launched more than one of them */
	const struct ks_config *config; /* of a kernel, else NULL */
	bool graph;			/* kernel of a CUDA graph */
	int64_t bytes;			/* of a copy or memset, KS_UNKNOWN; value of a counter */
};
/* Slices lane by lane in nesting order: by start, and of two that start together the longer first.
 * NULL in the report unless a picture or a trace file was asked for. */
struct ks_slice_log {
	void *self;
	const struct ks_lane *lane;
	size_t n_lanes;
	uint32_t n_names;
	ks_ns first_ns;		   /* nothing starts before it; 0 when there is nothing */
	uint64_t slices, left_out; /* left_out: over --ks-timeline-limit, latest first */
	ks_ns cut_ns;		   /* with left_out: nothing that starts from here on is in it */
	enum ks_status (*rewind)(void *self, struct ks_err *err);
	enum ks_status (*next)(void *self, struct ks_slice *s, bool *got, struct ks_err *err);
};

/* A picture of lanes: bars, or bins where bars would be narrower than a pixel. */
struct ks_bar {
	uint32_t row;
	double x, width; /* 0..1 of the picture's span */
	uint64_t slices; /* 1: a single slice */
	double fill;	 /* of a bin: share of its width that is covered, 0..1 */
	unsigned depth;	 /* nesting, of ranges and calls */
	ks_str name;	 /* of several: of the one that lasts longest */
	ks_ns start_ns, end_ns;
	int64_t bytes; /* of a copy; value of a counter, its largest where there are several */
	bool comm;     /* a communication kernel */
};
struct ks_timeline_picture {
	ks_ns from_ns, to_ns;
	const struct ks_lane *row; /* lanes that have something in the window */
	const unsigned *row_depth; /* nesting levels of each */
	size_t n_rows, rows_left_out;
	uint64_t slices_left_out; /* in the window, on those rows */
	const struct ks_bar *bar;
	size_t n_bars;
	uint64_t selected, drawn, binned; /* slices in the window; drawn + binned = selected */
};

struct ks_timeline { /* NULL in the report unless the sections of the timeline were asked for */
	struct ks_window_facts window;

	/* NVTX */
	bool by_overlap; /* no launch calls were recorded: phases are by overlap */
	uint64_t ranges, open_ranges, marks, bad_ranges;
	size_t n_names; /* distinct (domain, name) */
	size_t n_domains;
	ks_ns attributed_ns, unattributed_ns;
	uint64_t no_call_launches; /* launches without a call row, unattributed */
	const struct ks_phase
		*phase; /* those that have kernel time, most first; at most the limit */
	size_t n_phases, phases_with_time;
	const struct ks_phase *folded_phase; /* the same with digits folded; name has '#' */
	const uint32_t *folded_names;	     /* how many names each stands for */
	size_t n_folded_phases;
	const struct ks_path_node *path; /* NULL unless asked for */
	size_t n_paths, paths_left_out;
	struct ks_steps steps;

	/* devices, beside report->gpu[0 .. n_gpus_used) */
	const struct ks_device_time *device;
	const struct ks_gap *gap; /* longest first, over all devices */
	size_t n_gaps;

	/* copies */
	const struct ks_copy_group *copy_group; /* bytes descending, then kind */
	size_t n_copy_groups;
	const struct ks_copy_kind_sum *copy_kind;
	size_t n_copy_kinds;

	/* communication */
	const struct ks_comm_call *comm_call;
	size_t n_comm_calls;
	const struct ks_kernel_overlap *comm_kernel; /* compute kernels that met a collective */
	size_t n_comm_kernels;

	struct ks_graphs graphs;
	const struct ks_api_call *api; /* total time descending, then name */
	size_t n_api, n_api_names;
	const struct ks_call_site *call_site; /* by kernel as in the report, then launches */
	size_t n_call_sites;

	/* on request */
	const struct ks_phase_log *phases;
	const struct ks_folded *folded;
	size_t n_folded;
	const struct ks_slice_log *slices;
	const struct ks_timeline_picture *picture;
	const struct ks_duration_picture *duration;
	size_t n_durations;
};

#endif
