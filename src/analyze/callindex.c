/* SPDX-License-Identifier: Apache-2.0
 *
 * The look-up that joins work with the call that launched it. Rows of a trace come nearly in the
 * order of their correlation ids, so the next answer is most often the next record; a shuffled file
 * costs a binary search over the blocks and one in the block.
 */
#include "analyze/callindex.h"

#include "base/mem.h"
#include "tables/tables.h"

/* Steps from the last answer before a binary search is the shorter way: between two launches lie a
 * handful of other calls. */
#define STEPS 8

bool ks_callindex_open(struct ks_callindex *ix, const struct ks_io *io, size_t budget_bytes)
{
	*ix = (struct ks_callindex){ 0 };
	ix->in_memory = budget_bytes / (KS_CALLINDEX_WORDS * sizeof(int64_t));
	ix->sorter = ks_sorter_open(io, KS_CALLINDEX_WORDS, budget_bytes);
	return ix->sorter != NULL;
}

void ks_callindex_release(struct ks_callindex *ix)
{
	ks_sorter_close(ix->sorter);
	ks_mem_free(ix->first);
	*ix = (struct ks_callindex){ 0 };
}

enum ks_status ks_callindex_add(struct ks_callindex *ix, const int64_t rec[KS_CALLINDEX_WORDS],
				struct ks_err *err)
{
	ix->count++;
	return ks_sorter_add(ix->sorter, rec, err);
}

/* The first key of each block. In memory one record is read for it; from a file many at once,
 * because each reading costs more than the records. */
static enum ks_status note_blocks(struct ks_callindex *ix, struct ks_err *err)
{
	struct ks_callcursor *c = &ix->cursor[0];
	const size_t ahead = ix->count > ix->in_memory ? KS_CALLINDEX_AHEAD : 1;
	const size_t n = ahead > 1 ? ahead * KS_CALLINDEX_BLOCK : 1;

	for (uint64_t at = 0; at < ix->count; at += ahead * KS_CALLINDEX_BLOCK) {
		size_t got = 0;

		KS_TRY(ks_sorter_read(ix->sorter, at, c->rec[0], n, &got, err));
		if (got == 0)
			return ks_err_set(err, KS_E_INTERNAL, KS_TEXT_ERR_AN_INTERNAL, "calls",
					  NULL);
		for (size_t i = 0; i < got; i += KS_CALLINDEX_BLOCK)
			ix->first[ix->n_blocks++] = c->rec[i][0];
	}
	return KS_OK;
}

enum ks_status ks_callindex_settle(struct ks_callindex *ix, void (*rekey)(int64_t *rec, void *arg),
				   void *arg, struct ks_err *err)
{
	const uint64_t blocks = (ix->count + KS_CALLINDEX_BLOCK - 1) / KS_CALLINDEX_BLOCK;

	KS_TRY(ks_sorter_finish(ix->sorter, rekey, arg, err));
	if (blocks == 0)
		return KS_OK;
	if (blocks > SIZE_MAX || !KS_GROW(ix->first, ix->cap, (size_t)blocks, (size_t)blocks))
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "calls", NULL);
	return note_blocks(ix, err);
}

/* --- finding -------------------------------------------------------------------------------------
 */

/* Whether the first record with a key that is not less is certain to be here. Not so for the first
 * key of a block: records before the block may have it too. */
static bool holds(const struct ks_callcursor *c, int64_t key)
{
	if (c->n == 0 || key > c->rec[c->n - 1][0])
		return false;
	return key > c->rec[0][0] || (key == c->rec[0][0] && c->block == 0);
}

/* The number of first keys in [lo, hi) before one that is not less, counted from 0. */
static size_t narrow(const int64_t *first, size_t lo, size_t hi, int64_t key)
{
	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (first[mid] < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Ids of a run are spread about evenly: a guess by proportion, then steps that double until the key
 * lies between. Uneven ids cost a few steps more than a plain binary search. */
static size_t blocks_before(const struct ks_callindex *ix, int64_t key)
{
	const size_t n = ix->n_blocks;
	const double low = (double)ix->first[0], width = (double)ix->first[n - 1] - low;
	size_t at, step = 1;

	if (ix->first[0] >= key)
		return 0;
	if (ix->first[n - 1] < key)
		return n;
	at = (size_t)(((double)key - low) / width * (double)(n - 1));
	if (at >= n)
		at = n - 1;
	if (ix->first[at] < key) {
		while (n - at > step && ix->first[at + step] < key) {
			at += step;
			step *= 2;
		}
		return narrow(ix->first, at + 1, n - at > step ? at + step : n, key);
	}
	while (at > step && ix->first[at - step] >= key) {
		at -= step;
		step *= 2;
	}
	return narrow(ix->first, at > step ? at - step + 1 : 0, at, key);
}

/* Reads the block that the key begins in, or right behind: the last whose first key is less. */
static enum ks_status load(const struct ks_callindex *ix, struct ks_callcursor *c, int64_t key,
			   struct ks_err *err)
{
	const size_t next = c->block + c->n_blocks;
	const bool goes_on = c->n_blocks > 0 && next < ix->n_blocks && ix->first[next] < key &&
			     (next + 1 >= ix->n_blocks || ix->first[next + 1] >= key);
	const size_t before = goes_on ? next + 1 : blocks_before(ix, key);

	c->block = before > 0 ? before - 1 : 0;
	c->n_blocks = goes_on ? KS_CALLINDEX_AHEAD : 1;
	c->pos = 0;
	return ks_sorter_read(ix->sorter, (uint64_t)c->block * KS_CALLINDEX_BLOCK, c->rec[0],
			      c->n_blocks * KS_CALLINDEX_BLOCK + 2, &c->n, err);
}

/* Moves to the first record here whose key is not less. */
static void seek(struct ks_callcursor *c, int64_t key)
{
	size_t lo = 0, hi = c->n;

	if (c->rec[c->pos][0] <= key) {
		for (unsigned i = 0; i < STEPS && c->pos < c->n; i++, c->pos++) {
			if (c->rec[c->pos][0] >= key)
				return;
		}
		lo = c->pos;
	} else {
		hi = c->pos;
	}
	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (c->rec[mid][0] < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	c->pos = lo;
}

enum ks_status ks_callindex_find(struct ks_callindex *ix, uint32_t cursor, int64_t key,
				 struct ks_callfound *found, struct ks_err *err)
{
	struct ks_callcursor *c = &ix->cursor[cursor % KS_CALLINDEX_CURSORS];

	*found = (struct ks_callfound){ 0 };
	if (ix->count == 0)
		return KS_OK;
	if (!holds(c, key))
		KS_TRY(load(ix, c, key, err));
	seek(c, key);
	if (c->pos == c->n) { /* beyond the last record */
		c->pos = 0;
		return KS_OK;
	}
	if (c->rec[c->pos][0] != key)
		return KS_OK;
	found->rec = c->rec[c->pos];
	found->next = c->pos + 1 < c->n ? c->rec[c->pos + 1] : NULL;
	found->number = (uint64_t)c->block * KS_CALLINDEX_BLOCK + c->pos;
	return KS_OK;
}
