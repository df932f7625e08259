/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside sweep*.c and sec_time.c only: what is stored of a launch, what a sweep has to be told, and
 * the state of a device while time passes over it. Knows no names and no report, so that a sweep
 * can be tested on rows alone.
 */
#ifndef KS_ANALYZE_SWEEP_INTERNAL_H
#define KS_ANALYZE_SWEEP_INTERNAL_H

#include "analyze/claims.h"
#include "analyze/sketch.h"
#include "analyze/sweep.h"
#include "base/sorter.h"

#define KS_SWEEP_WORDS	   3	       /* start, end, and a word of two numbers */
#define KS_SWEEP_MIGRATION UINT32_C(8) /* beside KS_MIX_*: unified memory moves */
#define KS_SWEEP_CLASS(bit)                                                                        \
	((unsigned)__builtin_ctz(bit)) /* 0 compute, 1 copy, 2 comm, 3 migration */

/* A call: who made it, above what it does. A process has 40 bits. */
#define KS_SWEEP_CALL_BITS 3
#define KS_SWEEP_NOBODY	   (INT64_C(1) << 50)

/* What worked: the pair of a launch, or a kind of copy with the top bit set. */
#define KS_SWEEP_WORK	 (UINT32_C(1) << 31)
#define KS_SWEEP_KIND	 UINT32_C(0xff) /* of a copy; KS_SWEEP_MANNER_BITS above it */
#define KS_SWEEP_NOTHING UINT32_MAX	/* an end of the span */

struct ks_sweep_pair {	 /* of ks_launches */
	uint32_t device; /* UINT32_MAX: passed over */
	uint32_t track;
	uint32_t kernel; /* of the analysis; n_kernels or above: none */
	bool comm;
};
struct ks_sweep_user { /* a process (globalPid >> 24, KS_UNKNOWN) and a device it uses */
	int64_t process;
	uint32_t device;
};

/* What a sweep has to be told besides the rows. */
struct ks_sweep_plan {
	ks_ns from, to;
	const struct ks_sweep_pair *pair;
	size_t n_pairs, n_tracks;
	const bool *device_on;
	const int64_t *label; /* by device: order of equal gaps */
	size_t n_devices;
	size_t n_kernels;
	const struct ks_sweep_user *user; /* by process */
	size_t n_users;
	const struct ks_claims_ask *claims;		   /* NULL: nobody asks whose the time is */
	int (*compare)(void *arg, uint32_t a, uint32_t b); /* names of two workers */
	void *arg;
};

struct ks_sweep_gap {
	uint32_t device;
	uint32_t before, after; /* what worked */
	ks_ns start, end, overhead;
};
struct ks_sweep_gaps { /* those with most time that is not overhead, most first */
	struct ks_sweep_gap *gap;
	size_t n, max;
	const int64_t *label;
};

struct ks_sweep_span { /* small enough to be passed in registers */
	ks_ns start, end;
};
struct ks_sweep_active {
	ks_ns end, start;
	ks_ns comm_before; /* communication on the device up to the start */
	uint32_t what, bit;
};
struct ks_sweep_device {
	bool on, seen;
	unsigned bits; /* of KS_MIX_* and KS_SWEEP_MIGRATION: what is active */
	size_t n_class[4];
	ks_ns now, idle_since;
	ks_ns mix[8];
	ks_ns comm_ns; /* length of the union of communication up to now */
	uint64_t comm_sum;
	ks_ns overhead_until; /* end of the overhead seen so far */
	ks_ns idle_overhead;  /* of the idle time since idle_since */
	uint32_t streams, max_streams;
	struct ks_sweep_active *active; /* heap: the earliest end first */
	size_t n, cap;
	ks_ns last_end;
	uint32_t last_what;
	bool pending; /* the last gap, until it is known what else starts with its end */
	struct ks_sweep_gap gap;
	uint64_t gaps;
	ks_ns gap_overhead, longest;
};
struct ks_sweep_kernel { /* a computing kernel of the report, beside communication */
	ks_ns with_ns, without_ns;
	struct ks_sketch with, without; /* durations of launches, by whether they overlap any */
};

struct ks_sweep {
	const struct ks_io *io;
	size_t spill_bytes;
	struct ks_sorter *launches, *work, *overhead, *calls; /* NULL while there is no such row */
	struct ks_claims *claims;			      /* of the run; NULL: not asked for */
	/* of the run */
	struct ks_sweep_plan plan;
	struct ks_sweep_device *device;
	size_t n_devices;
	uint32_t *on_track;		/* kernels that run on it now */
	struct ks_sweep_kernel *kernel; /* NULL: nothing communicates */
	size_t n_kernels;
	struct ks_sweep_gaps top;
};

/* A sorter that is read from front to back. */
struct ks_sweep_reader {
	struct ks_sorter *rows;
	uint64_t at;
	int64_t *block;
	size_t i, n;
};
enum ks_status ks_sweep_no_memory(struct ks_err *err);
enum ks_status ks_sweep_reader_open(struct ks_sweep_reader *r, struct ks_sorter *rows,
				    struct ks_err *err);
void ks_sweep_reader_close(struct ks_sweep_reader *r);
enum ks_status ks_sweep_reader_fill(struct ks_sweep_reader *r, struct ks_err *err);

/* sweep_merge.c: rows of the sorters in order of start over the devices of the plan. */
enum ks_status ks_sweep_merge(struct ks_sweep *s, const struct ks_sweep_plan *plan,
			      struct ks_err *err);
/* Gives back what the last merge made. */
void ks_sweep_forget(struct ks_sweep *s);

/* sweep_device.c: time passes on one device. `at` never goes back. */
enum ks_status ks_sweep_device_start(struct ks_sweep *s, struct ks_sweep_device *d,
				     struct ks_sweep_span span, uint32_t what, struct ks_err *err);
enum ks_status ks_sweep_device_overhead(struct ks_sweep *s, struct ks_sweep_device *d,
					struct ks_sweep_span span, struct ks_err *err);
enum ks_status ks_sweep_device_call(struct ks_sweep *s, struct ks_sweep_device *d,
				    struct ks_sweep_span span, enum ks_host_work work,
				    struct ks_err *err);
enum ks_status ks_sweep_device_end(struct ks_sweep *s, struct ks_sweep_device *d,
				   struct ks_err *err);

/* sweep_gaps.c */
void ks_sweep_gap_opens(struct ks_sweep *s, struct ks_sweep_device *d);
/* Something starts on an idle device; `what` NOTHING: the end of the span. */
void ks_sweep_gap_closes(struct ks_sweep *s, struct ks_sweep_device *d, ks_ns at, uint32_t what);
/* Something more starts where the last gap ends. */
void ks_sweep_gap_shared(const struct ks_sweep *s, struct ks_sweep_device *d, uint32_t what);
/* Something ended. */
void ks_sweep_gap_ended(const struct ks_sweep *s, struct ks_sweep_device *d, ks_ns at,
			uint32_t what);
void ks_sweep_gap_settle(struct ks_sweep *s, struct ks_sweep_device *d);

#endif
