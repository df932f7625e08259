/* SPDX-License-Identifier: Apache-2.0
 *
 * What many rows have alike is kept once: where they were read, what they were made from, why they
 * are refused. Thousands of kernels that lack the same counter share one refusal. What was kept
 * last is found again; what was pushed out of the small tables is kept a second time, no more.
 */
#include "base/str.h"
#include "evidence/store_internal.h"
#include "evidence/value.h"

/* Fibonacci hashing (Knuth, TAOCP 6.4): 2^64 divided by the golden ratio. */
#define GOLDEN UINT64_C(0x9E3779B97F4A7C15)

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * GOLDEN;
	return h ^ h >> 32;
}

/* --- origins --------------------------------------------------------------------------------- */

static const struct ks_origin nowhere = { .rows = 0 };

static bool same_origin(const struct ks_origin *a, const struct ks_origin *b)
{
	return a->rows == b->rows && ks_str_eq(a->table, b->table) &&
	       ks_str_eq(a->columns, b->columns);
}

/* The texts are a handful for all rows, so they are found among the names; the pairs with a count
 * of rows are many. */
static const struct ks_origin *copy_origin(struct ks_store *ev, const struct ks_origin *given)
{
	const uint32_t table = ks_names_add(&ev->names, ev->arena, given->table);
	const uint32_t columns = ks_names_add(&ev->names, ev->arena, given->columns);
	struct ks_origin *kept = KS_ARENA_NEW(ev->arena, struct ks_origin);

	if (!kept || table == KS_NAMES_NONE || columns == KS_NAMES_NONE)
		return NULL;
	kept->table = ev->names.entry[table].s;
	kept->columns = ev->names.entry[columns].s;
	kept->rows = given->rows;
	return kept;
}

const struct ks_origin *ks_store_origin(struct ks_store *ev, const struct ks_origin *given)
{
	if (same_origin(given, &nowhere))
		return &nowhere;
	uint64_t h = mix(mix(mix(0, given->rows), given->table.n), given->columns.n);

	if (given->columns.n > 0) /* enough to tell columns of one length apart */
		h = mix(h, (unsigned char)given->columns.p[0]);
	const struct ks_origin **place = &ev->origin[h % KS_STORE_SHARED];

	if (*place && same_origin(*place, given))
		return *place;
	const struct ks_origin *kept = copy_origin(ev, given);

	if (!kept) {
		ev->no_memory = true;
		return &nowhere;
	}
	*place = kept;
	return kept;
}

/* --- inputs ----------------------------------------------------------------------------------- */

const ks_id *ks_store_inputs(struct ks_store *ev, const ks_id *input, size_t n)
{
	const struct ks_ev *before = ks_store_row(ev, (ks_id)ev->n);

	if (n == 0)
		return NULL;
	if (before && before->n_inputs == n &&
	    memcmp(before->inputs, input, n * sizeof(*input)) == 0)
		return before->inputs;
	ks_id *kept = KS_ARENA_NEWS(ev->arena, ks_id, n);

	if (kept)
		memcpy(kept, input, n * sizeof(*kept));
	return kept;
}

/* --- refusals --------------------------------------------------------------------------------- */

static uint64_t mix_value(uint64_t h, const struct ks_value *v)
{
	h = mix(h, v->kind);
	if (v->kind == KS_V_INT || v->kind == KS_V_BOOL)
		return mix(h, (uint64_t)v->i);
	if (v->kind != KS_V_TEXT)
		return h;
	for (size_t i = 0; i < v->s.n && i < 32; i++) /* the rest is compared, not hashed */
		h = mix(h, (unsigned char)v->s.p[i]);
	return h;
}

static bool same_remedy(const struct ks_remedy *a, const struct ks_remedy *b)
{
	const struct ks_value x = { .kind = KS_V_LIST, .list = a->answers, .n = a->n_answers };
	const struct ks_value y = { .kind = KS_V_LIST, .list = b->answers, .n = b->n_answers };
	const struct ks_value cost_a = KS_VAL_REAL(a->cost_s), cost_b = KS_VAL_REAL(b->cost_s);

	return ks_msg_same(&a->action, &b->action) && ks_str_eq(a->command, b->command) &&
	       ks_value_same(&cost_a, &cost_b) && a->cost_kind == b->cost_kind &&
	       (a->answers == b->answers || ks_value_same(&x, &y));
}

static bool same_refusal(const struct ks_refused *a, const struct ks_refused *b)
{
	return a->code == b->code && a->severity == b->severity &&
	       ks_msg_same(&a->message, &b->message) &&
	       ks_kvs_same(a->observed, a->n_observed, b->observed, b->n_observed) &&
	       ks_kvs_same(a->threshold, a->n_threshold, b->threshold, b->n_threshold) &&
	       ks_str_eq(a->rule, b->rule) && ks_str_eq(a->read_code, b->read_code) &&
	       same_remedy(&a->remedy, &b->remedy);
}

static ks_str copy_text(struct ks_arena *a, ks_str s)
{
	return s.n > 0 ? ks_arena_dup(a, s) : KS_STR_NONE;
}

static const struct ks_refused *copy_refusal(struct ks_arena *a, const struct ks_refused *given)
{
	struct ks_refused *r = KS_ARENA_NEW(a, struct ks_refused);

	if (!r)
		return NULL;
	*r = *given;
	r->message = ks_msg_copy(a, given->message);
	r->observed = ks_kvs_copy(a, given->observed, given->n_observed);
	r->n_observed = r->observed ? given->n_observed : 0;
	r->threshold = ks_kvs_copy(a, given->threshold, given->n_threshold);
	r->n_threshold = r->threshold ? given->n_threshold : 0;
	r->rule = copy_text(a, given->rule);
	r->read_code = copy_text(a, given->read_code);
	r->remedy.action = ks_msg_copy(a, given->remedy.action);
	r->remedy.command = copy_text(a, given->remedy.command);
	const struct ks_value answers =
		ks_value_copy(a, (struct ks_value){ .kind = KS_V_LIST,
						    .list = given->remedy.answers,
						    .n = given->remedy.n_answers });

	r->remedy.answers = answers.list;
	r->remedy.n_answers = answers.n;
	r->causes = NULL;
	r->n_causes = 0;
	return r;
}

const struct ks_refused *ks_store_refusal(struct ks_store *ev, const struct ks_refused *given)
{
	uint64_t h = mix(mix(0, given->code), given->message.id);

	for (size_t i = 0; i < given->n_observed; i++)
		h = mix_value(h, &given->observed[i].value);
	const struct ks_refused **place = &ev->refusal[h % KS_STORE_SHARED];

	if (*place && same_refusal(*place, given))
		return *place;
	const struct ks_refused *kept = copy_refusal(ev->arena, given);

	if (kept)
		*place = kept;
	return kept;
}
