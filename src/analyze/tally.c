/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting by key in bounded memory. The result does not depend on when the table was emptied.
 */
#include "analyze/tally.h"

#include "base/mem.h"
#include "tables/tables.h"

static enum ks_status no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "calls", NULL);
}

bool ks_tally_open(struct ks_tally *t, const struct ks_io *io, size_t max_keys, size_t budget_bytes)
{
	*t = (struct ks_tally){ .max_keys = max_keys };
	ks_map_init(&t->keys, sizeof(struct ks_tally_key), max_keys);
	t->sorter = ks_sorter_open(io, 4, budget_bytes);
	return t->sorter != NULL;
}

void ks_tally_release(struct ks_tally *t)
{
	ks_map_release(&t->keys);
	ks_mem_free(t->value);
	ks_sorter_close(t->sorter);
	*t = (struct ks_tally){ 0 };
}

bool ks_tally_any(const struct ks_tally *t)
{
	return t->keys.count > 0 || (t->sorter && ks_sorter_count(t->sorter) > 0);
}

static enum ks_status empty(struct ks_tally *t, struct ks_err *err)
{
	for (uint32_t i = 0; i < t->keys.count; i++) {
		const struct ks_tally_key *key = ks_map_key(&t->keys, i);
		const int64_t rec[4] = { key->a, key->b, t->value[i].n, t->value[i].sum };

		KS_TRY(ks_sorter_add(t->sorter, rec, err));
		t->value[i] = (struct ks_tally_sum){ 0 };
	}
	ks_map_release(&t->keys);
	return KS_OK;
}

static bool add_up(struct ks_tally_sum *to, int64_t n, int64_t sum)
{
	return !__builtin_add_overflow(to->n, n, &to->n) &&
	       !__builtin_add_overflow(to->sum, sum, &to->sum);
}

static enum ks_status overflow(struct ks_err *err)
{
	return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_OVERFLOW, NULL);
}

enum ks_status ks_tally_add(struct ks_tally *t, const struct ks_tally_row *row, struct ks_err *err)
{
	if (t->keys.count >= t->max_keys && ks_map_find(&t->keys, &row->key) == KS_MAP_NONE)
		KS_TRY(empty(t, err));

	const uint32_t at = ks_map_add(&t->keys, &row->key, NULL);

	if (at == KS_MAP_NONE || !KS_GROW(t->value, t->cap, (size_t)at + 1, t->max_keys))
		return no_memory(err);
	return add_up(&t->value[at], row->n, row->sum) ? KS_OK : overflow(err);
}

enum ks_status ks_tally_settle(struct ks_tally *t, void (*rekey)(int64_t *rec, void *arg),
			       void *arg, struct ks_err *err)
{
	KS_TRY(empty(t, err));
	ks_mem_free(t->value);
	t->value = NULL;
	t->cap = 0;
	return ks_sorter_finish(t->sorter, rekey, arg, err);
}

/* NULL at the end. */
static const int64_t *peek(struct ks_tally *t, enum ks_status *status, struct ks_err *err)
{
	*status = KS_OK;
	if (t->pos == t->n) {
		t->pos = t->n = 0;
		*status = ks_sorter_read(t->sorter, t->at, t->piece[0], KS_TALLY_PIECE, &t->n, err);
		t->at += t->n;
	}
	return *status == KS_OK && t->pos < t->n ? t->piece[t->pos] : NULL;
}

enum ks_status ks_tally_next(struct ks_tally *t, struct ks_tally_row *row, bool *got,
			     struct ks_err *err)
{
	struct ks_tally_sum sum = { 0 };
	enum ks_status status;
	const int64_t *rec = peek(t, &status, err);

	*got = rec != NULL;
	if (!rec)
		return status;
	row->key = (struct ks_tally_key){ rec[0], rec[1] };
	while (rec && rec[0] == row->key.a && rec[1] == row->key.b) {
		if (!add_up(&sum, rec[2], rec[3]))
			return overflow(err);
		t->pos++;
		rec = peek(t, &status, err);
	}
	row->n = sum.n;
	row->sum = sum.sum;
	return status;
}
