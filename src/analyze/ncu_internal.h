/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of ncu_* share: ncu_ranges.c says when the chosen range is open, ncu_count.c
 * counts launches, ncu_answer.c makes the line.
 */
#ifndef KS_ANALYZE_NCU_INTERNAL_H
#define KS_ANALYZE_NCU_INTERNAL_H

#include "analyze/callindex.h"
#include "analyze/find_table.h"
#include "analyze/ncu_count.h"
#include "analyze/told.h"
#include "base/map.h"
#include "model/device.h"

struct ks_ncu_span {   /* a range; later a stretch of time in which one is open */
	int64_t owner; /* thread, or process for what any thread may end */
	ks_ns start, end;
	int64_t name; /* a reference */
	uint32_t domain;
	bool start_end;
};
struct ks_ncu_domain {
	int64_t process, domain;
};

struct ks_ncu_place {		 /* 64-bit fields only: compared bytewise */
	int64_t process, device; /* device: number in `devices` */
	int64_t function, demangled, mangled;
};
struct ks_ncu_tally { /* launches of a place */
	uint64_t n, inside;
	uint64_t called;		  /* whose call is known */
	uint64_t by_call, by_call_inside; /* of those that come before the chosen one */
	uint64_t by_start;		  /* by start on the device */
	bool overlaps;			  /* one of them, the chosen one in time */
};

struct ks_ncu_count {
	const struct ks_ctx *ctx;
	const struct ks_shown *shown;
	const struct ks_shown_range *range; /* of the filter; NULL */
	struct ks_arena arena;
	struct ks_sink_ops ops;
	struct ks_sink sink;
	struct ks_devices devices;
	ks_str program, folder; /* as they may be shown */
	const ks_str *argument;
	size_t n_arguments;
	bool hidden; /* a word became another for --redact */

	struct ks_told names; /* what this reading was told */

	struct ks_map domains; /* struct ks_ncu_domain, beside: its name's reference */
	int64_t *domain_name;
	size_t domain_cap;
	struct ks_ncu_span *span; /* in order of owner and time once the ranges have come */
	size_t n_spans, span_cap;

	struct ks_map pids; /* int64_t */
	struct ks_callindex calls;
	struct ks_map places; /* struct ks_ncu_place */
	struct ks_ncu_tally *tally;
	size_t tally_cap;
	int64_t row;	 /* of the chosen launch */
	uint32_t target; /* its place; KS_MAP_NONE until it has come */
	bool graph;	 /* it belongs to one */
	struct ks_ncu_line line;
};

enum ks_status ks_ncu_no_memory(struct ks_err *err);
/* "" for none. */
ks_str ks_ncu_text(const struct ks_ncu_count *n, int64_t ref);

/* ncu_ranges.c */
enum ks_status ks_ncu_add_range(struct ks_ncu_count *n, const struct ks_range *r,
				struct ks_err *err);
/* After the names of the ranges: leaves the times in which the chosen one is open. */
void ks_ncu_settle_ranges(struct ks_ncu_count *n);
bool ks_ncu_is_inside(const struct ks_ncu_count *n, int64_t thread, ks_ns at);

#endif
