/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside evidence/ only: what a store is made of. Everybody else holds row ids.
 */
#ifndef KS_EVIDENCE_STORE_INTERNAL_H
#define KS_EVIDENCE_STORE_INTERNAL_H

#include "evidence/names.h"
#include "evidence/store.h"

#define KS_STORE_CHUNK	256u /* rows per chunk: rows never move, so pointers to them stay good */
#define KS_STORE_SHARED 256u /* origins and refusals that are found again */

_Static_assert(KS_METRIC_COUNT <= UINT16_MAX && KS_SECTION_COUNT <= UINT8_MAX &&
		       KS_UNIT_COUNT <= UINT8_MAX && KS_PROV_COUNT <= UINT8_MAX,
	       "the fields of ks_ev hold every id");

struct ks_store {
	struct ks_arena *arena;
	struct ks_ev **chunk;
	size_t n, n_chunks, chunk_cap;
	struct ks_names names; /* of metrics, subjects, tables and columns */
	uint64_t *slot;	       /* index.c */
	size_t n_slots, n_indexed;
	ks_str own_name[KS_METRIC_COUNT]; /* as kept in `names`; p NULL: not met yet */
	ks_str subject;			  /* of the row before, as kept in `names` */
	bool no_memory, misused;
	struct ks_command_words words; /* of the remedies */
	/* default remedies, made at first use: thousands of rows share a few codes */
	const struct ks_remedy *remedy[KS_REFUSAL_COUNT];
	/* share.c: what was kept last, by hash */
	const struct ks_origin *origin[KS_STORE_SHARED];
	const struct ks_refused *refusal[KS_STORE_SHARED];
};

struct ks_ev *ks_store_row(const struct ks_store *ev, ks_id id); /* NULL: unknown */
bool ks_store_sticky(const struct ks_store *ev);
/* Adds a row with name, subject, section, texts and lineage of the spec; NULL once sticky. */
struct ks_ev *ks_store_add(struct ks_store *ev, const struct ks_ev_spec *spec, ks_id *id);

/* Value, unit, provenance and resolution of a row that has one. */
void ks_store_set_value(struct ks_store *ev, struct ks_ev *row, const struct ks_ev_spec *spec,
			enum ks_prov prov, struct ks_value v);
/* The id, or 0 when memory ran out while the row was filled. */
ks_id ks_store_finish(struct ks_store *ev, ks_id id);

/* index.c: makes room for a row whose name and subject are kept in `names`, and fetches its slot
 * ahead; false when out of memory. Then, once it has its id, enters it; the first of a pair stays.
 */
bool ks_store_index_ready(struct ks_store *ev, const struct ks_ev *row);
void ks_store_index(struct ks_store *ev, const struct ks_ev *row, ks_id id);

/* share.c: copies in the arena, one for all rows that have the same. NULL when out of memory; an
 * origin is never NULL, the store is sticky then. */
const struct ks_origin *ks_store_origin(struct ks_store *ev, const struct ks_origin *given);
const ks_id *ks_store_inputs(struct ks_store *ev, const ks_id *input, size_t n);
const struct ks_refused *ks_store_refusal(struct ks_store *ev, const struct ks_refused *given);

/* Refusal objects; NULL only when out of memory. */
const struct ks_refused *ks_refused_broken(struct ks_store *ev, const char *rule);
const struct ks_refused *ks_refused_copy(struct ks_store *ev, const struct ks_refused *r);
/* What a row made from these inputs is refused with: NULL when all of them have values. */
const struct ks_refused *ks_refused_of_inputs(struct ks_store *ev, const ks_id *input, size_t n);
/* Turns a row into a refusal; its value, resolution and provenance go. */
void ks_store_refuse_row(struct ks_store *ev, struct ks_ev *row, const struct ks_refused *why);

#endif
