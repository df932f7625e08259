/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the first row of a name and subject. Open addressing over row ids; a slot holds half the
 * hash beside the id, so that a miss is seen without touching a row. Both texts are kept once in
 * `names`, so they are compared, and hashed, by where they lie.
 */
#include "evidence/store_internal.h"

#define FIRST_SLOTS 64u

static uint32_t hash_of(const char *name, const char *subject)
{
	/* Fibonacci hashing (Knuth, TAOCP 6.4): 2^64 divided by the golden ratio. */
	uint64_t h = (uint64_t)(uintptr_t)name * UINT64_C(0x9E3779B97F4A7C15);

	h = ((h ^ h >> 32) + (uint64_t)(uintptr_t)subject) * UINT64_C(0x9E3779B97F4A7C15);
	return (uint32_t)(h >> 32);
}

/* Index of the slot that holds the row, or of the empty one where it would go. */
static size_t probe(const struct ks_store *ev, const char *name, const char *subject, uint32_t hash)
{
	const size_t mask = ev->n_slots - 1;
	size_t at = hash & mask;

	for (; ev->slot[at] != 0; at = (at + 1) & mask) {
		if ((uint32_t)(ev->slot[at] >> 32) != hash)
			continue;
		const struct ks_ev *row = ks_store_row(ev, (ks_id)ev->slot[at]);

		if (row->name.p == name && row->subject.p == subject)
			break;
	}
	return at;
}

static bool grow(struct ks_store *ev)
{
	const size_t n = ev->n_slots ? ev->n_slots * 2 : FIRST_SLOTS;
	uint64_t *wider = KS_ARENA_NEWS(ev->arena, uint64_t, n);

	if (!wider)
		return false;
	for (size_t i = 0; i < ev->n_slots; i++) {
		size_t at = (size_t)(ev->slot[i] >> 32) & (n - 1);

		if (ev->slot[i] == 0)
			continue;
		while (wider[at] != 0)
			at = (at + 1) & (n - 1);
		wider[at] = ev->slot[i];
	}
	ev->slot = wider;
	ev->n_slots = n;
	return true;
}

bool ks_store_index_ready(struct ks_store *ev, const struct ks_ev *row)
{
	if ((ev->n_indexed + 1) * 2 > ev->n_slots && !grow(ev))
		return false;
	const uint32_t hash = hash_of(row->name.p, row->subject.p);

	__builtin_prefetch(&ev->slot[hash & (ev->n_slots - 1)], 1);
	return true;
}

void ks_store_index(struct ks_store *ev, const struct ks_ev *row, ks_id id)
{
	const uint32_t hash = hash_of(row->name.p, row->subject.p);
	uint64_t *slot = &ev->slot[probe(ev, row->name.p, row->subject.p, hash)];

	if (*slot == 0) {
		*slot = (uint64_t)hash << 32 | id;
		ev->n_indexed++;
	}
}

ks_id ks_ev_find(const struct ks_store *ev, ks_str name, ks_str subject)
{
	const uint32_t a = ks_names_find(&ev->names, name);
	const uint32_t b = ks_names_find(&ev->names, subject);

	if (a == KS_NAMES_NONE || b == KS_NAMES_NONE || ev->n_slots == 0)
		return 0;
	const char *n = ev->names.entry[a].s.p, *s = ev->names.entry[b].s.p;

	return (ks_id)ev->slot[probe(ev, n, s, hash_of(n, s))];
}
