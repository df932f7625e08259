/* SPDX-License-Identifier: Apache-2.0
 *
 * Names and pairs of numbers, numbered in order of arrival; the index of the store and the counts
 * of distinct metrics. Lives in an arena, so there is nothing to release.
 */
#ifndef KS_EVIDENCE_NAMES_H
#define KS_EVIDENCE_NAMES_H

#include "base/arena.h"

#define KS_NAMES_NONE UINT32_MAX

struct ks_names_entry {
	uint64_t hash;
	ks_str s;
};
struct ks_names {
	struct ks_names_entry *entry;
	uint32_t *slot; /* entry number + 1; 0 = free */
	size_t n, cap, n_slots;
};

/* Number of the name, added when new; KS_NAMES_NONE when out of memory. */
uint32_t ks_names_add(struct ks_names *t, struct ks_arena *a, ks_str s);
uint32_t ks_names_find(const struct ks_names *t, ks_str s);

struct ks_pairs_entry {
	uint32_t left, right, value;
};
struct ks_pairs { /* (number, number) -> first value given; never 0 */
	struct ks_pairs_entry *slot;
	size_t n, n_slots;
};
/* Keeps the first value of a pair. False when out of memory. */
bool ks_pairs_add(struct ks_pairs *t, struct ks_arena *a, uint32_t left, uint32_t right,
		  uint32_t value);
uint32_t ks_pairs_find(const struct ks_pairs *t, uint32_t left, uint32_t right); /* 0: none */

#endif
