/* SPDX-License-Identifier: Apache-2.0
 *
 * Work in order of time: 24 bytes a launch and 24 a copy, sorted and spilled past a budget. One
 * sweep over them gives per device what ran at once, the most streams at once, the idle gaps with
 * their neighbours and the profiler's overhead in them, and per kernel its time beside running
 * collectives. Takes the place of busy.h where the timeline is asked for.
 */
#ifndef KS_ANALYZE_SWEEP_H
#define KS_ANALYZE_SWEEP_H

#include "analyze/hostwork.h"
#include "analyze/launch.h"
#include "base/io.h"
#include "evidence/timeline.h"

struct ks_sweep;
struct ks_analysis;
struct ks_report;
struct ks_emit;
struct ks_claims;

struct ks_sweep_row { /* a launch, clipped to the window */
	ks_ns start_ns, end_ns;
	uint32_t pair;	  /* of ks_launches: its group and track */
	uint32_t segment; /* KS_SEGMENT_NONE */
};

struct ks_sweep *ks_sweep_open(const struct ks_io *io, size_t spill_bytes);
void ks_sweep_close(struct ks_sweep *s);
enum ks_status ks_sweep_launch(struct ks_sweep *s, const struct ks_sweep_row *row,
			       struct ks_err *err);
/* what: enum ks_copy_kind, or KS_SWEEP_MEMSET, for the names of a gap's neighbours; above it,
 * shifted by KS_SWEEP_MANNER_BITS, an enum ks_copy_manner. */
#define KS_SWEEP_MEMSET	     255
#define KS_SWEEP_MANNER_BITS 8
enum ks_status ks_sweep_work(struct ks_sweep *s, uint32_t device, unsigned what, ks_ns start,
			     ks_ns end, struct ks_err *err);
/* A call that can hold the process's devices up. process: globalPid >> 24, or KS_UNKNOWN. */
enum ks_status ks_sweep_call(struct ks_sweep *s, int64_t process, enum ks_host_work work,
			     ks_ns start, ks_ns end, struct ks_err *err);
/* Overhead of a process (globalPid >> 24), already clipped; only the profiler's own comes off gaps.
 */
enum ks_status ks_sweep_overhead(struct ks_sweep *s, int64_t process, ks_ns start, ks_ns end,
				 struct ks_err *err);
/* After the last row. Launches are then in order of start, then end. */
enum ks_status ks_sweep_settle(struct ks_sweep *s, struct ks_err *err);

/* Every launch in order; as often as wanted. */
typedef enum ks_status ks_sweep_visit(void *arg, const struct ks_sweep_row *row,
				      struct ks_err *err);
enum ks_status ks_sweep_each(struct ks_sweep *s, ks_sweep_visit *visit, void *arg,
			     struct ks_err *err);

/* The sweep: needs devices selected, names known and comm kernels told apart (ks_comm_is_group).
 * Rows of devices that are not selected are passed over. from, to: the span of the report. */
enum ks_status ks_sweep_run(struct ks_analysis *a, ks_ns from, ks_ns to, struct ks_err *err);

/* Who claims a device's time; NULL before the run. */
const struct ks_claims *ks_sweep_claims(const struct ks_sweep *s);
/* After the run; device: index in ks_devices. */
ks_ns ks_sweep_kernel_ns(const struct ks_sweep *s, uint32_t device);
ks_ns ks_sweep_all_ns(const struct ks_sweep *s, uint32_t device);
/* Fills device, gap and comm_kernel of the timeline; after the report's GPUs are made. */
enum ks_status ks_sweep_answer(struct ks_analysis *a, struct ks_report *r, struct ks_timeline *t,
			       struct ks_err *err);
/* Rows of DeviceStatistics for GPU i of the report; sec_time.c. */
void ks_emit_device_time(struct ks_emit *e, size_t gpu);
/* Rows of Duration of the kernel at work: beside and without collectives. */
void ks_emit_kernel_overlap(struct ks_emit *e);

#endif
