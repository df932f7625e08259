/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside claims*.c only: the state of a device, and what waits for the whole run to be known.
 */
#ifndef KS_ANALYZE_CLAIMS_INTERNAL_H
#define KS_ANALYZE_CLAIMS_INTERNAL_H

#include "analyze/claims.h"
#include "analyze/sweep_internal.h"
#include "evidence/timeline.h"

_Static_assert(KS_RULE_COUNT <= 32, "rules are bits of one number");

struct ks_claims_device {
	struct ks_claims_sum sum[KS_RULE_COUNT];
	ks_ns until[KS_HOST_WORKS]; /* end of the calls seen so far */
	ks_ns since[KS_HOST_WORKS]; /* from when on, without a pause */
	/* the gap at hand */
	ks_ns gap_taken;	 /* by overhead and calls */
	unsigned gap_took;	 /* bit per rule that took some */
	enum ks_host_work waits; /* KS_HOST_WORKS: the host did not wait */
	ks_ns wait_ns;		 /* length of the wait: without it the host is that much earlier */
	/* behind it, until time moves on and it is settled */
	bool gap_ended;
	ks_ns gap_start, gap_end;
	bool next_short[2]; /* a kernel shorter than the gap starts there; true: in a step */
	/* what ended last */
	ks_ns last_end;
	enum ks_copy_manner last_manner;
	/* what runs */
	uint32_t manner[KS_COPY_MANNERS];
	uint32_t kernels;
	uint64_t kernel_sum; /* of the pairs: with one kernel, its pair */
	/* idle before short kernels, inside and outside of steps; settled into a rule at the end */
	struct ks_claims_sum starved[2];
	uint64_t migrations[2]; /* to the device, from it */
	/* of the span: idle, and idle that nobody claims */
	ks_ns idle[KS_CLAIMS_BINS], rest[KS_CLAIMS_BINS];
};

struct ks_claims_step {
	uint64_t hash, n; /* of its launches outside of graphs, in whatever order */
};

struct ks_claims {
	struct ks_claims_ask ask;
	ks_ns long_gap, steady_from, turnaround, short_kernel;
	struct ks_claims_device *device;
	struct ks_claims_step *step;
	ks_ns *alone;	 /* by pair */
	bool any_kernel; /* one has begun */
	bool in_step;	 /* the launch at hand */
	size_t step_at;	 /* found last */
};

static inline bool ks_claims_is_copy(const struct ks_claims_event *e)
{
	return (e->what & KS_SWEEP_WORK) != 0;
}

/* claims_gap.c */
/* Something starts, perhaps where a gap ended. */
void ks_claims_gap_meets(struct ks_claims *c, struct ks_claims_device *d,
			 const struct ks_claims_event *next);
/* Gives away the gap that ended, if there is one. */
void ks_claims_gap_settle(const struct ks_claims *c, struct ks_claims_device *d);

/* claims_settle.c: time [start, end) of the device goes into its bins. */
void ks_claims_spread(const struct ks_claims *c, ks_ns *bin, ks_ns start, ks_ns end);

#endif
