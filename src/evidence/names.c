/* SPDX-License-Identifier: Apache-2.0
 *
 * Open-addressing tables in an arena, kept at most half full. Growing leaves the old slots behind:
 * a doubling table wastes less than its own size.
 */
#define XXH_INLINE_ALL
#include <xxhash.h> /* before base/banned.h: it names malloc */

#include "evidence/names.h"

#include "base/str.h"

#define FIRST_SLOTS 64u

static uint64_t hash_str(ks_str s)
{
	return XXH3_64bits(s.n ? s.p : "", s.n);
}

static size_t slot_of(const struct ks_names *t, ks_str s, uint64_t hash)
{
	size_t i = (size_t)hash & (t->n_slots - 1);

	while (t->slot[i] != 0) {
		const struct ks_names_entry *e = &t->entry[t->slot[i] - 1];

		if (e->hash == hash && ks_str_eq(e->s, s))
			break;
		i = (i + 1) & (t->n_slots - 1);
	}
	return i;
}

static bool names_grow(struct ks_names *t, struct ks_arena *a)
{
	size_t slots = t->n_slots ? t->n_slots * 2 : FIRST_SLOTS;
	uint32_t *slot = KS_ARENA_NEWS(a, uint32_t, slots);
	struct ks_names_entry *entry = KS_ARENA_NEWS(a, struct ks_names_entry, slots / 2);

	if (!slot || !entry)
		return false;
	if (t->n > 0)
		memcpy(entry, t->entry, t->n * sizeof(*entry));
	t->entry = entry;
	t->cap = slots / 2;
	t->slot = slot;
	t->n_slots = slots;
	for (size_t i = 0; i < t->n; i++)
		slot[slot_of(t, entry[i].s, entry[i].hash)] = (uint32_t)(i + 1);
	return true;
}

uint32_t ks_names_add(struct ks_names *t, struct ks_arena *a, ks_str s)
{
	uint64_t hash = hash_str(s);

	if (t->n_slots > 0) {
		uint32_t at = t->slot[slot_of(t, s, hash)];

		if (at != 0)
			return at - 1;
	}
	if (t->n == t->cap && !names_grow(t, a))
		return KS_NAMES_NONE;
	ks_str copy = ks_arena_dup(a, s);

	if (ks_arena_failed(a))
		return KS_NAMES_NONE;
	t->entry[t->n] = (struct ks_names_entry){ .hash = hash, .s = copy };
	t->slot[slot_of(t, copy, hash)] = (uint32_t)(t->n + 1);
	return (uint32_t)t->n++;
}

uint32_t ks_names_find(const struct ks_names *t, ks_str s)
{
	if (t->n_slots == 0)
		return KS_NAMES_NONE;
	uint32_t at = t->slot[slot_of(t, s, hash_str(s))];

	return at == 0 ? KS_NAMES_NONE : at - 1;
}

static size_t pair_slot(const struct ks_pairs *t, uint32_t left, uint32_t right)
{
	/* Fibonacci hashing (Knuth, TAOCP 6.4): 2^64 divided by the golden ratio. */
	uint64_t h = (((uint64_t)left << 32) | right) * UINT64_C(0x9E3779B97F4A7C15);
	size_t i = (size_t)(h >> 32) & (t->n_slots - 1);

	while (t->slot[i].value != 0 && (t->slot[i].left != left || t->slot[i].right != right))
		i = (i + 1) & (t->n_slots - 1);
	return i;
}

static bool pairs_grow(struct ks_pairs *t, struct ks_arena *a)
{
	struct ks_pairs old = *t;

	t->n_slots = old.n_slots ? old.n_slots * 2 : FIRST_SLOTS;
	t->slot = KS_ARENA_NEWS(a, struct ks_pairs_entry, t->n_slots);
	if (!t->slot) {
		*t = old;
		return false;
	}
	for (size_t i = 0; i < old.n_slots; i++) {
		const struct ks_pairs_entry *e = &old.slot[i];

		if (e->value != 0)
			t->slot[pair_slot(t, e->left, e->right)] = *e;
	}
	return true;
}

bool ks_pairs_add(struct ks_pairs *t, struct ks_arena *a, uint32_t left, uint32_t right,
		  uint32_t value)
{
	if ((t->n + 1) * 2 > t->n_slots && !pairs_grow(t, a))
		return false;
	struct ks_pairs_entry *e = &t->slot[pair_slot(t, left, right)];

	if (e->value == 0) {
		*e = (struct ks_pairs_entry){ .left = left, .right = right, .value = value };
		t->n++;
	}
	return true;
}

uint32_t ks_pairs_find(const struct ks_pairs *t, uint32_t left, uint32_t right)
{
	return t->n_slots == 0 ? 0 : t->slot[pair_slot(t, left, right)].value;
}
