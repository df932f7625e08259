/* SPDX-License-Identifier: Apache-2.0
 *
 * Time on the GPU of a few phases: the union of the kernels launched in them. Launches come in
 * order of start, so that a union is the end it reaches; nothing is kept per launch.
 */
#include "analyze/ranges_internal.h"

#include "base/mem.h"

#define MOST_PHASES 64 /* bits of a mask */

/* Sets the bit of every phase in the segments its instances cover, each segment once: ranges come
 * by thread and start, so that what is covered only grows. */
static void mask_segments(struct ks_ranges *r, const unsigned char *phase_of)
{
	uint32_t covered[MOST_PHASES] = { 0 };

	for (size_t i = 0; i < r->n_ranges; i++) {
		const struct ks_settled_range *x = &r->range[i];
		const unsigned phase = phase_of[x->group];

		if (phase == MOST_PHASES)
			continue;
		for (uint32_t k = x->from > covered[phase] ? x->from : covered[phase]; k < x->to;
		     k++)
			r->union_mask[k] |= (uint64_t)1 << phase;
		if (x->to > covered[phase])
			covered[phase] = x->to;
	}
}

enum ks_status ks_ranges_union_begin(struct ks_ranges *r, const struct ks_phase *phase, size_t n,
				     struct ks_err *err)
{
	unsigned char *phase_of = ks_mem_alloc(r->n_groups);

	ks_mem_free(r->union_mask);
	ks_mem_free(r->cover);
	r->n_covers = n < MOST_PHASES ? n : MOST_PHASES;
	r->union_mask = ks_mem_alloc((r->n_cuts + 1) * sizeof(*r->union_mask));
	r->cover = ks_mem_alloc(MOST_PHASES * sizeof(*r->cover));
	if (!phase_of || !r->union_mask || !r->cover) {
		ks_mem_free(phase_of);
		return ks_ranges_no_memory(err);
	}
	memset(phase_of, MOST_PHASES, r->n_groups);
	for (size_t i = 0; i < r->n_covers; i++) {
		const uint32_t group =
			ks_range_group_find(r, phase[i].domain_id, phase[i].domain, phase[i].name);

		r->cover[i].end = INT64_MIN;
		if (group != KS_RANGE_NONE)
			phase_of[group] = (unsigned char)i;
	}
	mask_segments(r, phase_of);
	ks_mem_free(phase_of);
	return KS_OK;
}

void ks_ranges_union_add(struct ks_ranges *r, uint32_t segment, ks_ns start, ks_ns end)
{
	uint64_t mask = segment == KS_SEGMENT_NONE ? 0 : r->union_mask[segment];

	for (; mask != 0; mask &= mask - 1) {
		struct ks_range_union_cover *c = &r->cover[__builtin_ctzll(mask)];

		if (end <= c->end)
			continue;
		c->sum += end - (start > c->end ? start : c->end);
		c->end = end;
	}
}

void ks_ranges_union_end(struct ks_ranges *r, struct ks_phase *phase, size_t n)
{
	for (size_t i = 0; i < n; i++)
		phase[i].gpu_ns = i < r->n_covers ? r->cover[i].sum : KS_UNKNOWN;
	ks_mem_free(r->union_mask);
	ks_mem_free(r->cover);
	r->union_mask = NULL;
	r->cover = NULL;
	r->n_covers = 0;
}
