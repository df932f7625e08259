/* SPDX-License-Identifier: Apache-2.0
 *
 * Fixed-width records of int64 words, collected in any order, given back in lexicographic order of
 * their words. Kept in memory up to a budget, then spilled to an anonymous temporary file; the
 * result is the same either way. Cheap when records arrive nearly sorted.
 */
#ifndef KS_BASE_SORTER_H
#define KS_BASE_SORTER_H

#include "base/io.h"

struct ks_sorter;

/* words: 1 to 4 per record. budget_bytes: memory for records. NULL when out of memory. */
struct ks_sorter *ks_sorter_open(const struct ks_io *io, unsigned words, size_t budget_bytes);
void ks_sorter_close(struct ks_sorter *s);
enum ks_status ks_sorter_add(struct ks_sorter *s, const int64_t *rec, struct ks_err *err);
uint64_t ks_sorter_count(const struct ks_sorter *s);
/* No more adds. `rekey` (may be NULL) rewrites each record in place before sorting, so that an
 * order known only at the end can be used; it must be a pure function of the record. */
enum ks_status ks_sorter_finish(struct ks_sorter *s, void (*rekey)(int64_t *rec, void *arg),
				void *arg, struct ks_err *err);
/* Records in order: `n` records from position `at` into out; *got fewer at the end. Any position
 * may be asked for again, so the sequence can be read as often as wanted. */
enum ks_status ks_sorter_read(struct ks_sorter *s, uint64_t at, int64_t *out, size_t n, size_t *got,
			      struct ks_err *err);

#endif
