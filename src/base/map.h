/* SPDX-License-Identifier: Apache-2.0
 *
 * Hash tables that number their keys in order of arrival: 0, 1, 2, ... Callers keep their values in
 * parallel arrays under that number. Keys are never removed.
 */
#ifndef KS_BASE_MAP_H
#define KS_BASE_MAP_H

#include "base/arena.h"

#define KS_MAP_NONE UINT32_MAX /* not there, out of memory, or over the ceiling */

/* Keys of one fixed size, compared bytewise: zero the padding. */
struct ks_map {
	unsigned char *keys; /* count * key_size, in order of arrival */
	uint64_t *slots;     /* hash in the upper half, number + 1 in the lower; 0 = empty */
	size_t key_size;
	size_t count, key_cap, n_slots, max;
};

void ks_map_init(struct ks_map *m, size_t key_size, size_t max_keys);
void ks_map_release(struct ks_map *m);
/* Number of the key, added if new (*fresh then true; fresh may be NULL); KS_MAP_NONE on failure. */
uint32_t ks_map_add(struct ks_map *m, const void *key, bool *fresh);
uint32_t ks_map_find(const struct ks_map *m, const void *key);
const void *ks_map_key(const struct ks_map *m, uint32_t number);

/* Keys that are byte strings; the table keeps its own copies, which live until release. */
struct ks_intern {
	ks_str *items;
	uint64_t *slots;
	size_t count, cap, n_slots, max;
	struct ks_arena bytes; /* where the copies live */
};

void ks_intern_init(struct ks_intern *t, size_t max_strings);
void ks_intern_release(struct ks_intern *t);
uint32_t ks_intern_add(struct ks_intern *t, ks_str s, bool *fresh);
uint32_t ks_intern_find(const struct ks_intern *t, ks_str s);
ks_str ks_intern_get(const struct ks_intern *t,
		     uint32_t number); /* NUL-terminated; "" if unknown */

#endif
