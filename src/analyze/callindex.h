/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of three words, looked up by their first: by a cursor where keys are asked for in order,
 * by the first key of each block else. In memory, or spilled past a budget; answers are the same.
 */
#ifndef KS_ANALYZE_CALLINDEX_H
#define KS_ANALYZE_CALLINDEX_H

#include "base/sorter.h"

#define KS_CALLINDEX_WORDS 3
/* Records of a block: small, so that reading one for a single look-up costs little. */
#define KS_CALLINDEX_BLOCK 16
/* Blocks read at once where look-ups move on from one block to the next: 3 KiB. */
#define KS_CALLINDEX_AHEAD   8
#define KS_CALLINDEX_CURSORS 16 /* one for a process, so that rows of several may alternate */

struct ks_callcursor {
	size_t block, n_blocks; /* what is here; n_blocks 0: nothing yet */
	size_t n;		/* records here */
	size_t pos;		/* the last answer */
	/* Blocks, the record behind them, and one more to look at. */
	int64_t rec[KS_CALLINDEX_BLOCK * KS_CALLINDEX_AHEAD + 2][KS_CALLINDEX_WORDS];
};
struct ks_callindex {
	struct ks_sorter *sorter;
	uint64_t count, in_memory; /* in_memory: records the budget holds */
	int64_t *first;		   /* key of the first record of each block */
	size_t n_blocks, cap;
	struct ks_callcursor cursor[KS_CALLINDEX_CURSORS];
};

struct ks_callfound {
	const int64_t *rec;  /* the first record with that key; NULL: none */
	const int64_t *next; /* the record behind it; NULL: none */
	uint64_t number;     /* place of rec among all records */
};

/* False: no memory. */
bool ks_callindex_open(struct ks_callindex *ix, const struct ks_io *io, size_t budget_bytes);
void ks_callindex_release(struct ks_callindex *ix);
enum ks_status ks_callindex_add(struct ks_callindex *ix, const int64_t rec[KS_CALLINDEX_WORDS],
				struct ks_err *err);
/* No more adds. rekey as in base/sorter.h. */
enum ks_status ks_callindex_settle(struct ks_callindex *ix, void (*rekey)(int64_t *rec, void *arg),
				   void *arg, struct ks_err *err);
/* The records point into the cursor: valid until it is used again. */
enum ks_status ks_callindex_find(struct ks_callindex *ix, uint32_t cursor, int64_t key,
				 struct ks_callfound *found, struct ks_err *err);

#endif
