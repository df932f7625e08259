/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside calls*.c, graphs.c, sites.c and sec_calls.c only: what is known of the CUDA calls of a
 * trace while rows stream in, and the sums the evidence is made of.
 */
#ifndef KS_ANALYZE_CALLS_INTERNAL_H
#define KS_ANALYZE_CALLS_INTERNAL_H

#include "analyze/analysis.h"
#include "analyze/callindex.h"
#include "analyze/sketch.h"
#include "analyze/tally.h"

/* A key is the correlation id above the number of the process, because calls of several processes
 * come in about the order of their ids. CUPTI's ids have 32 bits; 45 are let in, and 18 are room
 * for as many processes as KS_LIMIT_PROCESSES. */
#define KS_CALLS_ID_BITS      45
#define KS_CALLS_PROCESS_BITS 18
/* Durations are kept in 32 bits. */
#define KS_CALLS_OPEN	       UINT32_MAX	/* longer than 4.29 s, or no end */
#define KS_CALLS_BACKTRACE_ROW (UINT32_MAX - 1) /* a call chain: the next record is the call */
#define KS_SYNC_TYPES	       5		/* of ks_sync.type */

struct ks_calls_budget {
	size_t call_bytes; /* of the index */
	size_t side_bytes; /* of each of the smaller sorters */
	size_t keys;	   /* of each table of counts */
};

struct ks_api_sum {    /* of one number of a name */
	uint32_t name; /* UINT32_MAX: none */
	uint64_t calls, failed;
	ks_ns total_ns, max_ns;
};

struct ks_calls_device { /* by index in ks_devices */
	struct ks_sketch launch, queue;
	uint64_t joined, missing;	      /* ordinary launches with and without a call */
	uint64_t clock;			      /* joined ones that begin before their call */
	uint64_t node_launches, node_unknown; /* unknown: without a correlation id */
	uint64_t runs;
	ks_ns node_ns, run_ns;
};

/* --- graphs.c: what ran as part of CUDA graphs --------------------------------------------------
 */

#define KS_GRAPH_RECENT 256 /* replays remembered, so that each is noted about once */

struct ks_graphs_work {
	struct ks_map process; /* of the work */
	int64_t last_process;
	uint32_t last_number;
	/* (process and correlation id, device << 2 | how): one record for a replay at least */
	struct ks_sorter *replays;
	struct ks_sorter *runs; /* device, start, end */
	struct ks_tally nodes;	/* (node, group) */
	int64_t recent[KS_GRAPH_RECENT][2];
};
struct ks_graphs_sum {
	uint64_t launch_calls, covered; /* graph launch calls; those whose work was recorded */
	uint64_t replays, node_launches, node_unknown, runs;
	ks_ns node_ns, run_ns, run_union_ns;
};

bool ks_graphs_open(struct ks_graphs_work *g, const struct ks_io *io,
		    const struct ks_calls_budget *budget);
void ks_graphs_release(struct ks_graphs_work *g);
struct ks_graph_work_row { /* a kernel of a graph, or a graph that was recorded as a whole */
	int64_t process, correlation, node;
	uint32_t device, group;
	ks_ns start_ns, end_ns; /* clipped to the window */
	bool called;		/* its call was recorded and is in the window */
};
enum ks_status ks_graphs_node(struct ks_calls *c, const struct ks_graph_work_row *row,
			      struct ks_err *err);
enum ks_status ks_graphs_run(struct ks_calls *c, const struct ks_graph_work_row *row,
			     struct ks_err *err);
enum ks_status ks_graphs_answer(struct ks_analysis *a, struct ks_timeline *t, struct ks_err *err);

/* --- sites.c: where in the program kernels are launched -----------------------------------------
 */

struct ks_sites_work {
	struct ks_tally launches; /* (chain, group) */
	uint64_t *want;		  /* bit per chain */
	size_t n_want;
	struct ks_sorter *frames; /* chain, depth and whether unresolved, symbol and module */
	/* Ids that calls refer to; 0 alone is known to exist for certain in a call chain row. */
	int64_t last_chain;
	bool any_chain, zero_chain;
	bool zero_frame, next_frame; /* frames of chain 0, and of the one behind last_chain */
};

bool ks_sites_open(struct ks_sites_work *s, const struct ks_io *io,
		   const struct ks_calls_budget *budget);
void ks_sites_release(struct ks_sites_work *s);
/* A call has that chain. */
void ks_sites_chain(struct ks_sites_work *s, int64_t chain);
enum ks_status ks_sites_launch(struct ks_calls *c, int64_t chain, uint32_t group,
			       struct ks_err *err);
enum ks_status ks_sites_answer(struct ks_analysis *a, struct ks_timeline *t, struct ks_err *err);

/* --- all of it ----------------------------------------------------------------------------------
 */

struct ks_calls {
	struct ks_ranges *ranges;
	const struct ks_window *window;
	struct ks_calls_budget budget;

	/* which call */
	struct ks_map process; /* number of a process that called, in order of arrival */
	uint32_t *rank;	       /* by that number: its place by id; NULL before settle */
	int64_t last_process;
	uint32_t last_number;
	struct ks_callindex calls;  /* key, start, segment and duration */
	struct ks_callindex chains; /* key, start, chain */
	struct ks_callindex
		waiting; /* copies and memsets in the form that waits: key, start, end */
	uint64_t rows, bad_rows, no_id;

	/* what calls took, by name */
	uint32_t *slot; /* by number of the name + 1: its place in api + 1 */
	size_t slot_cap;
	struct ks_api_sum *api;
	size_t n_api, api_cap;

	uint64_t sync_rows[KS_SYNC_TYPES];
	ks_ns sync_ns[KS_SYNC_TYPES];

	struct ks_calls_device *device;
	size_t n_devices, device_cap;
	struct ks_graphs_work graphs;
	struct ks_sites_work sites;

	/* made by the answer, over the selected devices */
	struct ks_calls_sum {
		uint64_t calls, failed, launch_calls, sync_calls;
		ks_ns launch_ns, sync_ns;
		struct ks_sketch launch, queue;
		uint64_t joined, missing, clock;
		struct ks_graphs_sum graphs;
		const uint32_t *site_of_kernel; /* first of its call sites; NULL: there are none */
	} sum;
};

/* As ks_calls_open, with budgets of its own: tests spill early. */
struct ks_calls *ks_calls_open_sized(const struct ks_io *io, struct ks_ranges *ranges,
				     const struct ks_window *window,
				     const struct ks_calls_budget *budget);
enum ks_status ks_calls_no_memory(struct ks_err *err);
/* Adds to a sum of times; KS_E_INPUT beyond 63 bits. */
enum ks_status ks_calls_add_ns(ks_ns *sum, ks_ns ns, struct ks_err *err);
/* Whether a correlation id can be part of a key. */
bool ks_calls_is_id(int64_t correlation);
/* One number for process (its number) and correlation id. */
int64_t ks_calls_key(uint32_t process, int64_t correlation);
/* NULL with *err set when there is no room. */
struct ks_calls_device *ks_calls_device(struct ks_calls *c, uint32_t device, struct ks_err *err);
/* Whether a call counts in the window, and how much of it; end KS_UNKNOWN: 0. */
bool ks_calls_inside(const struct ks_calls *c, ks_ns start, ks_ns end, ks_ns *ns);
/* Text of a name by its number; "" for none. */
ks_str ks_calls_text(const struct ks_analysis *a, uint32_t name);

/* calls_stats.c */
enum ks_status ks_calls_count_api(struct ks_calls *c, const struct ks_call *row, uint32_t name,
				  struct ks_err *err);
enum ks_status ks_calls_latency(struct ks_calls *c, const struct ks_launch *row, uint32_t device,
				const struct ks_call_hit *hit, struct ks_err *err);
enum ks_status ks_calls_answer_api(struct ks_analysis *a, struct ks_timeline *t,
				   struct ks_err *err);

#endif
