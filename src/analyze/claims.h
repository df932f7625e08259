/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose is the time of a device that is not plain work: while the sweep passes over it, each
 * nanosecond is claimed by at most one rule of tables/rules.def, so that what rules claim on one
 * device never adds up to more than the span. Knows rows and calls, no names and no report; decides
 * nothing about what is worth telling.
 *
 * Idle time belongs to the profiler's overhead, then to calls that load modules or allocate while
 * it lasts; the rest of the gap to what the host waited in when the gap began, to a long gap, or to
 * slow launches. Copies that run while nothing else does belong to the manner they were made in.
 */
#ifndef KS_ANALYZE_CLAIMS_H
#define KS_ANALYZE_CLAIMS_H

#include "analyze/hostwork.h"
#include "analyze/ranges.h"
#include "tables/tables.h"

#define KS_CLAIMS_BINS 200 /* of the span, for stretches of low use */

struct ks_claims_ask {	/* what there is to know besides the rows; borrowed until the settling */
	ks_ns from, to; /* the span */
	size_t n_devices, n_pairs;
	const struct ks_ranges *ranges; /* which step a launch belongs to; NULL without steps */
	const struct ks_step *step;
	size_t n_steps;
	const struct ks_window *window; /* NULL: the whole run. Other steps have no launches here */
	const bool *graph;		/* by pair: part of a CUDA graph */
};
struct ks_claims_sum { /* of one rule on one device */
	ks_ns ns;
	uint64_t n; /* gaps, copies or launches it is made of */
};
struct ks_claims;

/* NULL: no memory. */
struct ks_claims *ks_claims_open(const struct ks_claims_ask *ask);
void ks_claims_close(struct ks_claims *c);

/* --- while time passes over a device; the sweep calls these in order of time --------------------
 */

void ks_claims_call(struct ks_claims *c, uint32_t device, enum ks_host_work work, ks_ns start,
		    ks_ns end);
/* Before the launch begins: counts it into its step. */
void ks_claims_launch(struct ks_claims *c, uint32_t pair, uint32_t segment);
/* bits: KS_MIX_*, and KS_SWEEP_MIGRATION. overhead_until: end of the profiler's overhead so far. */
void ks_claims_pass(struct ks_claims *c, uint32_t device, ks_ns from, ks_ns to, unsigned bits,
		    ks_ns overhead_until);
struct ks_claims_event {
	uint32_t what; /* as in the sweep: a pair, or a copy with the top bit set */
	bool comm;     /* a kernel that communicates */
	ks_ns start, end;
};
void ks_claims_begin(struct ks_claims *c, uint32_t device, const struct ks_claims_event *e);
void ks_claims_end(struct ks_claims *c, uint32_t device, const struct ks_claims_event *e);
void ks_claims_gap_opens(struct ks_claims *c, uint32_t device, ks_ns at);
/* Before what ends the gap begins; or at the end of the span. */
void ks_claims_gap_closes(struct ks_claims *c, uint32_t device, ks_ns start, ks_ns at);

/* --- afterwards ----------------------------------------------------------------------------------
 */

/* What only the whole run can tell: whether steps are alike, whether pages went both ways, which
 * stretches are idle. graphs: kernels of CUDA graphs were recorded. one_stream: by device. */
void ks_claims_settle(struct ks_claims *c, bool graphs, const bool *one_stream);
/* Time of a pair's launches in which no other kernel ran on the device. */
ks_ns ks_claims_alone(const struct ks_claims *c, uint32_t pair);
struct ks_claims_sum ks_claims_sum(const struct ks_claims *c, uint32_t device, enum ks_rule rule);

#endif
