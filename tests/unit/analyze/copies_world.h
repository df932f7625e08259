/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of copies and communication share: as much of an analysis as those modules read,
 * made by hand, so that no other module has a say in the result.
 */
#ifndef KS_TESTS_ANALYZE_COPIES_WORLD_H
#define KS_TESTS_ANALYZE_COPIES_WORLD_H

#include "all.h"

#include "analyze/emit.h"

#define WORLD_PROCESS (INT64_C(7) << 24)
#define WORLD_DEVICES 8

struct world {
	struct ks_arena arena;
	struct ks_ctx ctx;
	struct ks_selection sel;
	struct ks_analysis a;
	struct ks_report r;
	struct ks_timeline t;
	struct ks_gpu gpu[WORLD_DEVICES];
	struct ks_device_work work[WORLD_DEVICES];
	struct ks_device_time time[WORLD_DEVICES];
	struct ks_emit e;
	struct ks_err err;
};

/* n GPUs with ordinals 0 to n - 1 and that memory bandwidth in bytes per second; 0 unknown. */
void world_open(struct world *w, size_t n, int64_t bandwidth);
void world_close(struct world *w);
/* Index of the device; ordinal KS_UNKNOWN: rows without a device. */
uint32_t world_device(struct world *w, int64_t ordinal);
/* A copy from pageable to device memory on device 0, to be changed. */
struct ks_copy world_row(int64_t kind, int64_t bytes, ks_ns duration);
/* Its device is the row's. */
void world_add(struct world *w, const struct ks_copy *row);
void world_copy(struct world *w, int64_t kind, int64_t bytes, ks_ns duration);
/* The answers of copies, and the rows of CommLedger and of memory in use. */
enum ks_status world_answered(struct world *w);
void then_answered(struct world *w);
/* The row of that name, or a failed test; whether there is one. */
const struct ks_ev *ledger(const struct world *w, const char *name);
bool in_ledger(const struct world *w, const char *name);
/* What the refusal saw under that key. */
double seen(const struct ks_ev *row, const char *key);

#endif
