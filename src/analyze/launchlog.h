/* SPDX-License-Identifier: Apache-2.0
 *
 * Per-launch rows, kept only when a per-launch output was asked for: 24 bytes a launch, sorted at
 * the end and spilled past a budget. They come back kernel by kernel, and within a kernel by start,
 * device, stream and correlation. -s and -c choose among them and nothing else.
 */
#ifndef KS_ANALYZE_LAUNCHLOG_H
#define KS_ANALYZE_LAUNCHLOG_H

#include "base/err.h"
#include "base/io.h"
#include "model/trace.h"

struct ks_launchlog;

struct ks_launchlog_row {
	uint32_t group, track;
	ks_ns start_ns, duration_ns;
	uint32_t correlation;
	uint64_t index; /* among all rows of its kernel */
};

/* How rows are to be ordered, known once all names are. */
struct ks_launchlog_order {
	/* kernel of a group, 0 ... n_kernels - 1 in report order; n_kernels: not wanted */
	const uint32_t *kernel_of_group;
	uint32_t n_kernels;
	/* orders two (group, track) pairs of one kernel: device, stream, and what else tells them
	 * apart */
	int (*compare)(const void *arg, uint32_t group_a, uint32_t track_a, uint32_t group_b,
		       uint32_t track_b);
	const void *arg;
	ks_ns first_ns;	      /* no row starts before it */
	uint64_t skip, count; /* -s, -c; count 0: all */
	bool globally;	      /* over all rows in time order, not per kernel */
};

struct ks_launchlog *ks_launchlog_open(const struct ks_io *io);
void ks_launchlog_close(struct ks_launchlog *g);
enum ks_status ks_launchlog_add(struct ks_launchlog *g, uint32_t group, uint32_t track,
				const struct ks_launch *row, struct ks_err *err);
enum ks_status ks_launchlog_finish(struct ks_launchlog *g, const struct ks_launchlog_order *order,
				   struct ks_err *err);
/* Rows of one kernel from its first, one a call; *got false at its end. */
enum ks_status ks_launchlog_rewind(struct ks_launchlog *g, uint32_t kernel, struct ks_err *err);
enum ks_status ks_launchlog_next(struct ks_launchlog *g, struct ks_launchlog_row *row, bool *got,
				 struct ks_err *err);

#endif
