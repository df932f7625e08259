/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows and tables for tests of the sweep, without an analysis around them.
 */
#ifndef KS_TESTS_ANALYZE_SWEEP_WORLD_H
#define KS_TESTS_ANALYZE_SWEEP_WORLD_H

#include "all.h"
#include "analyze/ranges.h"
#include "analyze/sweep_internal.h"
#include "base/mem.h"
#include "model/trace.h"

enum {
	HORIZON = 3000,
	DEVICES = 3,
	TRACKS = 6,
	PAIRS = 24,
	KERNELS = 4, /* number KERNELS: not in the report */
	PROCESSES = 2,
	NAMES = 5,
	ROWS = 120
};

struct row {
	enum { LAUNCH, WORK, OVERHEAD } kind;
	uint32_t which; /* pair; device; process */
	unsigned what;
	ks_ns start, end;
};

struct world {
	struct ks_sweep_pair pair[PAIRS];
	bool on[DEVICES];
	int64_t label[DEVICES];
	struct ks_sweep_user user[DEVICES * PROCESSES];
	size_t n_users;
	uint32_t name[PAIRS]; /* several pairs have one name */
	struct row row[3 * ROWS];
	size_t n;
	ks_ns from, to;
};

/* An empty world; ks_mem_free. */
struct world *new_sweep_world(void);
/* One device, used by process 7; span 0 .. 100. Pair i is kernel i on track i, named i modulo
 * NAMES; pair 3 communicates; pairs from TRACKS on are on no device. */
void given_sweep_device(struct world *w);
void given_sweep_row(struct world *w, unsigned kind, uint32_t which, ks_ns start, ks_ns end);
/* Works are named behind all kernels. */
uint32_t sweep_name(const struct world *w, uint32_t what);
struct ks_sweep_plan sweep_plan(struct world *w);
/* All rows of the world, after the sweep. */
struct ks_sweep *swept_world(struct world *w, size_t spill);
/* One of 0 ... n - 1. */
uint32_t random_below(uint64_t *seed, uint32_t n);

#endif
