/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside sites.c and sites_stack.c only: the frames of one chain after the other.
 */
#ifndef KS_ANALYZE_SITES_H
#define KS_ANALYZE_SITES_H

#include "analyze/calls_internal.h"

#define KS_SITE_FRAMES 64 /* of a chain, the innermost ones; deeper ones are cut and marked */

struct ks_site_frame {
	int64_t depth;
	uint32_t symbol, module; /* numbers of names, UINT32_MAX for none */
	bool unresolved;
};
struct ks_frame_reader {
	struct ks_sorter *frames;
	uint64_t at;
	size_t pos, n;
	int64_t piece[64][3];
	/* of the chain asked for, innermost first */
	struct ks_site_frame frame[KS_SITE_FRAMES];
	size_t n_frames;
	bool cut;
};
/* Fills frame[]; chains are asked for in ascending order. */
enum ks_status ks_frames_of(struct ks_frame_reader *r, int64_t chain, struct ks_err *err);

/* What to add to the chain of a call to get the id of its frames: in exports of 2022 calls count
 * chains from 0 and the table of frames from 1 (seen in both files with chains of the test data:
 * call 0 to n, frames 1 to n + 1). Later ones use the same ids, 0 meaning none. */
int64_t ks_sites_shift(const struct ks_sites_work *s);

#endif
