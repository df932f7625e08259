/* SPDX-License-Identifier: Apache-2.0
 *
 * The answer of `stats`: one table of sums, or single events in order of time. Plain data, made by
 * analyze/stats, written by render/stats. Values are nanoseconds or bytes, whole; the mean and the
 * deviation are those of all rows, the deviation with n - 1 (0 for one row, as nsys prints it).
 */
#ifndef KS_EVIDENCE_STATS_H
#define KS_EVIDENCE_STATS_H

#include "base/err.h"
#include "tables/tables.h"

struct ks_stats_row {
	ks_str name;
	ks_str style; /* of a range: "PushPop", "StartEnd"; else "" */
	uint64_t n;
	int64_t total, min, max;
	double share_pct; /* of the totals of all rows */
	double mean, median, deviation;
	double median_error; /* the true median lies within this; 0: exact */
};

struct ks_stats_event { /* integers KS_UNKNOWN where the file does not say */
	ks_ns start_ns, duration_ns;
	int64_t correlation;
	bool is_kernel;
	int64_t grid[3], block[3], regs, static_smem, dynamic_smem; /* of a kernel */
	int64_t bytes, src_kind, dst_kind;			    /* of a copy or memset */
	double bytes_per_ns;					    /* < 0: none */
	ks_str device;						    /* "NVIDIA A100 (0)" */
	int64_t context, stream;
	ks_str name;
};
struct ks_stats_log { /* events by start, then duration; without holding them all */
	void *self;
	enum ks_status (*next)(void *self, struct ks_stats_event *e, bool *got, struct ks_err *err);
};

struct ks_stats {
	enum ks_stats_table table;
	const struct ks_stats_row *row; /* total descending, then name */
	size_t n;
	const struct ks_stats_log *log; /* of cuda_gpu_trace, else NULL */
	uint64_t events;		/* that the log holds */
	uint64_t bad_rows;	   /* left out: without a valid time, or (sizes) without a size */
	double worst_median_error; /* relative, over all rows; 0: every median is exact */
};

#endif
