/* SPDX-License-Identifier: Apache-2.0
 *
 * The answer of `show`: one event of a trace, what launched it and what stands beside it. Plain
 * data, made by analyze/show, written by render/show.
 */
#ifndef KS_EVIDENCE_SHOWN_H
#define KS_EVIDENCE_SHOWN_H

#include "evidence/found.h"

struct ks_shown_event {
	struct ks_found_event of;
	int64_t grid[3], block[3], regs, static_smem, dynamic_smem; /* of a kernel */
};

/* A range with names as the program gave them, never redacted: to compare, not to show. */
struct ks_shown_range {
	ks_str name, domain;
	bool start_end; /* else pushed and popped */
};

struct ks_shown {
	struct ks_shown_event event;
	const struct ks_shown_event *launch_call; /* of work; NULL: none is known */
	const ks_str
		*path; /* ranges open on its thread when it, or its call, began; outermost first */
	const struct ks_shown_range *range; /* beside path */
	size_t n_path;
	int64_t step; /* that it, or its call, began in, from 0; KS_UNKNOWN */
	/* On its stream, or its thread: the last that began before it, the first that began after.
	 * NULL at an end. */
	const struct ks_shown_event *before, *after;
};

#endif
