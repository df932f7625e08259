/* SPDX-License-Identifier: Apache-2.0
 *
 * Open addressing with linear probing; a slot holds half the hash beside the number of its key, so
 * a miss is seen without touching the keys and growing never hashes again. Removes nothing.
 */
#define KS_BASE_DOOR
#define XXH_INLINE_ALL
#include "base/map.h"

#include <xxhash.h>

#include "base/mem.h"

#define FIRST_SLOTS 64u

static uint32_t hash_of(const void *p, size_t n)
{
	return (uint32_t)(XXH3_64bits(p, n) >> 32);
}

static uint64_t slot_of(uint32_t hash, uint32_t number)
{
	return (uint64_t)hash << 32 | (uint64_t)(number + 1);
}

/* Doubles the slots when they are half full. */
static bool grow_slots(uint64_t **slots, size_t *n_slots, size_t count)
{
	if (count * 2 < *n_slots)
		return true;

	const size_t n = *n_slots ? *n_slots * 2 : FIRST_SLOTS;
	uint64_t *wider = calloc(n, sizeof(*wider));

	if (!wider)
		return false;
	for (size_t i = 0; i < *n_slots; i++) {
		const uint64_t slot = (*slots)[i];
		size_t at = (size_t)(slot >> 32) & (n - 1);

		if (slot == 0)
			continue;
		while (wider[at] != 0)
			at = (at + 1) & (n - 1);
		wider[at] = slot;
	}
	free(*slots);
	*slots = wider;
	*n_slots = n;
	return true;
}

/* --- keys of one size ----------------------------------------------------------------------------
 */

void ks_map_init(struct ks_map *m, size_t key_size, size_t max_keys)
{
	*m = (struct ks_map){ .key_size = key_size,
			      .max = max_keys < KS_MAP_NONE - 1 ? max_keys : KS_MAP_NONE - 1 };
}

void ks_map_release(struct ks_map *m)
{
	free(m->keys);
	free(m->slots);
	ks_map_init(m, m->key_size, m->max);
}

/* Index of the slot that holds the key, or of the empty one where it would go. */
static size_t map_probe(const struct ks_map *m, const void *key, uint32_t hash)
{
	const size_t mask = m->n_slots - 1;
	size_t at = hash & mask;

	for (;; at = (at + 1) & mask) {
		const uint64_t slot = m->slots[at];

		if (slot == 0)
			return at;
		if ((uint32_t)(slot >> 32) != hash)
			continue;
		if (memcmp(m->keys + ((uint32_t)slot - 1) * m->key_size, key, m->key_size) == 0)
			return at;
	}
}

static uint32_t map_append(struct ks_map *m, const void *key, uint32_t hash)
{
	if (m->count >= m->max || !grow_slots(&m->slots, &m->n_slots, m->count + 1))
		return KS_MAP_NONE;

	void *keys = m->keys;
	const bool grown = ks_mem_grow(&keys, &m->key_cap, m->count + 1, m->key_size, m->max);

	m->keys = keys;
	if (!grown)
		return KS_MAP_NONE;

	const uint32_t number = (uint32_t)m->count++;

	memcpy(m->keys + number * m->key_size, key, m->key_size);
	m->slots[map_probe(m, key, hash)] = slot_of(hash, number);
	return number;
}

uint32_t ks_map_add(struct ks_map *m, const void *key, bool *fresh)
{
	const uint32_t hash = hash_of(key, m->key_size);

	if (fresh)
		*fresh = false;
	if (m->n_slots > 0) {
		const uint64_t slot = m->slots[map_probe(m, key, hash)];

		if (slot != 0)
			return (uint32_t)slot - 1;
	}
	const uint32_t number = map_append(m, key, hash);

	if (fresh)
		*fresh = number != KS_MAP_NONE;
	return number;
}

uint32_t ks_map_find(const struct ks_map *m, const void *key)
{
	if (m->n_slots == 0)
		return KS_MAP_NONE;

	const uint64_t slot = m->slots[map_probe(m, key, hash_of(key, m->key_size))];

	return slot != 0 ? (uint32_t)slot - 1 : KS_MAP_NONE;
}

const void *ks_map_key(const struct ks_map *m, uint32_t number)
{
	return number < m->count ? m->keys + number * m->key_size : NULL;
}

/* --- byte strings --------------------------------------------------------------------------------
 */

void ks_intern_init(struct ks_intern *t, size_t max_strings)
{
	*t = (struct ks_intern){ .max = max_strings < KS_MAP_NONE - 1 ? max_strings
								      : KS_MAP_NONE - 1 };
	ks_arena_init(&t->bytes, SIZE_MAX);
}

void ks_intern_release(struct ks_intern *t)
{
	free(t->items);
	free(t->slots);
	ks_arena_release(&t->bytes);
	ks_intern_init(t, t->max);
}

static size_t intern_probe(const struct ks_intern *t, ks_str s, uint32_t hash)
{
	const size_t mask = t->n_slots - 1;
	size_t at = hash & mask;

	for (;; at = (at + 1) & mask) {
		const uint64_t slot = t->slots[at];

		if (slot == 0)
			return at;
		if ((uint32_t)(slot >> 32) != hash)
			continue;

		const ks_str known = t->items[(uint32_t)slot - 1];

		if (known.n == s.n && (s.n == 0 || memcmp(known.p, s.p, s.n) == 0))
			return at;
	}
}

static uint32_t intern_append(struct ks_intern *t, ks_str s, uint32_t hash)
{
	if (t->count >= t->max || !grow_slots(&t->slots, &t->n_slots, t->count + 1) ||
	    !KS_GROW(t->items, t->cap, t->count + 1, t->max))
		return KS_MAP_NONE;

	const ks_str copy = ks_arena_dup(&t->bytes, s);

	if (ks_arena_failed(&t->bytes))
		return KS_MAP_NONE;

	const uint32_t number = (uint32_t)t->count++;

	t->items[number] = copy;
	t->slots[intern_probe(t, s, hash)] = slot_of(hash, number);
	return number;
}

uint32_t ks_intern_add(struct ks_intern *t, ks_str s, bool *fresh)
{
	const uint32_t hash = hash_of(s.n ? s.p : "", s.n);

	if (fresh)
		*fresh = false;
	if (t->n_slots > 0) {
		const uint64_t slot = t->slots[intern_probe(t, s, hash)];

		if (slot != 0)
			return (uint32_t)slot - 1;
	}
	const uint32_t number = intern_append(t, s, hash);

	if (fresh)
		*fresh = number != KS_MAP_NONE;
	return number;
}

uint32_t ks_intern_find(const struct ks_intern *t, ks_str s)
{
	if (t->n_slots == 0)
		return KS_MAP_NONE;

	const uint64_t slot = t->slots[intern_probe(t, s, hash_of(s.n ? s.p : "", s.n))];

	return slot != 0 ? (uint32_t)slot - 1 : KS_MAP_NONE;
}

ks_str ks_intern_get(const struct ks_intern *t, uint32_t number)
{
	return number < t->count ? t->items[number] : KS_LIT("");
}
