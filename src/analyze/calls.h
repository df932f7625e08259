/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA calls: which one launched a row of work (process and correlation id, earliest start where
 * one id has several rows), what each kind of call took, how long launches took to reach the
 * device. 24 bytes a call, sorted and spilled past a budget.
 */
#ifndef KS_ANALYZE_CALLS_H
#define KS_ANALYZE_CALLS_H

#include "analyze/ranges.h"
#include "analyze/window.h"
#include "base/io.h"

struct ks_calls;
struct ks_analysis;
struct ks_emit;

struct ks_call_hit {
	bool found;
	ks_ns start_ns, end_ns; /* end KS_UNKNOWN: a call of more than 4.29 s, or none recorded */
	uint32_t segment;	/* of the NVTX ranges, KS_SEGMENT_NONE */
	/* Place among the calls by id, then process, from 0: the same call, the same number,
	 * whatever the order of the rows. */
	uint64_t number;
};

/* ranges may be NULL. */
struct ks_calls *ks_calls_open(const struct ks_io *io, struct ks_ranges *ranges,
			       const struct ks_window *window);
void ks_calls_close(struct ks_calls *c);
/* `name`: number of row->name in the caller's table of names, UINT32_MAX for none. */
enum ks_status ks_calls_add(struct ks_calls *c, const struct ks_call *row, uint32_t name,
			    struct ks_err *err);
/* The call added last copies or sets memory in the form that waits. */
enum ks_status ks_calls_waits(struct ks_calls *c, const struct ks_call *row, struct ks_err *err);
enum ks_status ks_calls_settle(struct ks_calls *c, struct ks_err *err);
/* Whether any call with a correlation id was recorded. */
bool ks_calls_any(const struct ks_calls *c);
uint64_t ks_calls_count(const struct ks_calls *c);
/* process: globalPid of the work; KS_UNKNOWN is taken for the only process that called, if there is
 * one alone. Cheap when correlation ids come in order. */
enum ks_status ks_calls_find(struct ks_calls *c, int64_t process, int64_t correlation,
			     struct ks_call_hit *hit, struct ks_err *err);
struct ks_call_work { /* a copy or memset */
	int64_t process, correlation;
	ks_ns end_ns;
};
/* Whether such a call made it and did not return before it was done: cudaMemset of device memory
 * and cudaMemcpy from pageable memory mostly do. */
enum ks_status ks_calls_made_waiting(struct ks_calls *c, const struct ks_call_work *work,
				     bool *waited, struct ks_err *err);
/* The call that launched a good kernel row; latency, call chain and graph replay are counted. */
enum ks_status ks_calls_launch(struct ks_calls *c, const struct ks_launch *row, uint32_t device,
			       uint32_t group, struct ks_call_hit *hit, struct ks_err *err);
enum ks_status ks_calls_graph_run(struct ks_calls *c, const struct ks_graph_run *row,
				  uint32_t device, struct ks_err *err);
enum ks_status ks_calls_sync(struct ks_calls *c, const struct ks_sync *row, uint32_t device,
			     struct ks_err *err);

/* Chains whose frames are wanted, and the frames; symbol and module are numbers of names. */
bool ks_calls_wants_chain(const struct ks_calls *c, int64_t chain);
enum ks_status ks_calls_frame(struct ks_calls *c, const struct ks_frame *row, uint32_t symbol,
			      uint32_t module, struct ks_err *err);

/* Fills graphs, api and call_site of the report's timeline; keeps what the rows below need. */
enum ks_status ks_calls_answer(struct ks_analysis *a, struct ks_timeline *t, struct ks_err *err);
/* Rows of DeviceStatistics: calls, launch latency, synchronisation, graphs; sec_calls.c. */
void ks_emit_calls(struct ks_emit *e);
/* Rows of LaunchStats of the kernel at work: its call site. */
void ks_emit_call_site(struct ks_emit *e);

#endif
