/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts and sums by a key of two numbers, however many keys there are: a table of bounded size
 * that is emptied into a sorter when full. Comes back in order of the keys, each once.
 */
#ifndef KS_ANALYZE_TALLY_H
#define KS_ANALYZE_TALLY_H

#include "base/io.h"
#include "base/map.h"
#include "base/sorter.h"

struct ks_tally_key {
	int64_t a, b;
};
struct ks_tally_row {
	struct ks_tally_key key;
	int64_t n, sum;
};
struct ks_tally_sum {
	int64_t n, sum;
};
#define KS_TALLY_PIECE 64 /* records read at a time */
struct ks_tally {
	struct ks_map keys;
	struct ks_tally_sum *value;
	size_t cap, max_keys;
	struct ks_sorter *sorter;
	uint64_t at; /* the next record to be read */
	size_t pos, n;
	int64_t piece[KS_TALLY_PIECE][4];
};

/* max_keys: of the table. False: no memory. */
bool ks_tally_open(struct ks_tally *t, const struct ks_io *io, size_t max_keys,
		   size_t budget_bytes);
void ks_tally_release(struct ks_tally *t);
bool ks_tally_any(const struct ks_tally *t);
/* n, sum >= 0. KS_E_INPUT when a sum goes over 63 bits. */
enum ks_status ks_tally_add(struct ks_tally *t, const struct ks_tally_row *row, struct ks_err *err);
/* No more adds. rekey (may be NULL) may change the key; equal new keys are added up. */
enum ks_status ks_tally_settle(struct ks_tally *t, void (*rekey)(int64_t *rec, void *arg),
			       void *arg, struct ks_err *err);
enum ks_status ks_tally_next(struct ks_tally *t, struct ks_tally_row *row, bool *got,
			     struct ks_err *err);

#endif
