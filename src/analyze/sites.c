/* SPDX-License-Identifier: Apache-2.0
 *
 * Call chains while rows stream in: which chains launched which kernels, and the frames of those
 * chains. The chains are joined with their frames once, when all rows are in. Names no function.
 */
#include "analyze/sites.h"
#include "base/mem.h"

/* Chains up to here have a bit that says whether they are wanted (8 MiB at most); those beyond are
 * all wanted, at the cost of frames nobody asks for. */
#define MOST_BITS  (INT64_C(1) << 26)
#define MOST_DEPTH (INT64_C(1) << 40)

bool ks_sites_open(struct ks_sites_work *s, const struct ks_io *io,
		   const struct ks_calls_budget *budget)
{
	s->frames = ks_sorter_open(io, 3, budget->side_bytes);
	return s->frames && ks_tally_open(&s->launches, io, budget->keys, budget->side_bytes);
}

void ks_sites_release(struct ks_sites_work *s)
{
	ks_tally_release(&s->launches);
	ks_sorter_close(s->frames);
	ks_mem_free(s->want);
}

void ks_sites_chain(struct ks_sites_work *s, int64_t chain)
{
	if (!s->any_chain || chain > s->last_chain)
		s->last_chain = chain;
	s->any_chain = true;
	s->zero_chain |= chain == 0;
}

static bool want(struct ks_sites_work *s, int64_t chain)
{
	const size_t word = (size_t)(chain / 64);

	if (chain >= MOST_BITS)
		return true;
	if (!KS_GROW(s->want, s->n_want, word + 1, (size_t)(MOST_BITS / 64)))
		return false;
	s->want[word] |= UINT64_C(1) << (chain % 64);
	return true;
}

enum ks_status ks_sites_launch(struct ks_calls *c, int64_t chain, uint32_t group,
			       struct ks_err *err)
{
	const struct ks_tally_row row = { { chain, group }, 1, 0 };

	/* its frames, or those one behind it: see ks_sites_shift */
	if (chain < MOST_BITS && (!want(&c->sites, chain) || !want(&c->sites, chain + 1)))
		return ks_calls_no_memory(err);
	return ks_tally_add(&c->sites.launches, &row, err);
}

/* A chain of a later number than any call has; ids up to the largest one stay in range. */
static bool is_next(const struct ks_sites_work *s, int64_t chain)
{
	return chain > s->last_chain && chain - 1 == s->last_chain;
}

bool ks_calls_wants_chain(const struct ks_calls *c, int64_t chain)
{
	const struct ks_sites_work *s = &c->sites;

	if (chain < 0 || !ks_tally_any(&s->launches))
		return false;
	if (chain >= MOST_BITS || chain == 0 || is_next(s, chain))
		return true;
	return (size_t)(chain / 64) < s->n_want && (s->want[chain / 64] >> (chain % 64) & 1);
}

enum ks_status ks_calls_frame(struct ks_calls *c, const struct ks_frame *row, uint32_t symbol,
			      uint32_t module, struct ks_err *err)
{
	struct ks_sites_work *s = &c->sites;

	if (row->depth < 0 || row->depth > MOST_DEPTH)
		return KS_OK; /* no place in a chain */
	s->zero_frame |= row->chain == 0;
	s->next_frame |= is_next(s, row->chain);

	const int64_t rec[3] = { row->chain, row->depth * 2 + row->unresolved,
				 (int64_t)((uint64_t)symbol << 32 | module) };

	return ks_sorter_add(s->frames, rec, err);
}

int64_t ks_sites_shift(const struct ks_sites_work *s)
{
	return s->zero_chain && s->next_frame && !s->zero_frame ? 1 : 0;
}

/* --- chain by chain ------------------------------------------------------------------------------
 */

static enum ks_status next_frame(struct ks_frame_reader *r, const int64_t **rec, struct ks_err *err)
{
	*rec = NULL;
	if (r->pos == r->n) {
		r->pos = r->n = 0;
		KS_TRY(ks_sorter_read(r->frames, r->at, r->piece[0], KS_ARRAY_LEN(r->piece), &r->n,
				      err));
		r->at += r->n;
	}
	if (r->pos < r->n)
		*rec = r->piece[r->pos];
	return KS_OK;
}

enum ks_status ks_frames_of(struct ks_frame_reader *r, int64_t chain, struct ks_err *err)
{
	const int64_t *rec;

	r->n_frames = 0;
	r->cut = false;
	for (;; r->pos++) {
		KS_TRY(next_frame(r, &rec, err));
		if (!rec || rec[0] > chain)
			return KS_OK;
		if (rec[0] < chain)
			continue;
		if (r->n_frames == KS_ARRAY_LEN(r->frame)) {
			r->cut = true;
			continue;
		}
		const uint64_t names = (uint64_t)rec[2];

		r->frame[r->n_frames++] = (struct ks_site_frame){
			.depth = rec[1] / 2,
			.symbol = (uint32_t)(names >> 32),
			.module = (uint32_t)names,
			.unresolved = rec[1] % 2 != 0,
		};
	}
}
