/* SPDX-License-Identifier: Apache-2.0
 *
 * Phases: the ranges of one name and domain added up, by either reading. Every range is a
 * difference of two sums, so that neither launches nor nesting matter here; what is not known stays
 * unknown.
 */
#include "analyze/ranges_internal.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "tables/tables.h"

/* --- one phase -----------------------------------------------------------------------------------
 */

static bool in_window(const struct ks_ranges_ask *ask, ks_ns *start, ks_ns *end)
{
	if (!ask->window_on)
		return true;
	if (*end <= ask->from || *start >= ask->to)
		return false;
	*start = *start < ask->from ? ask->from : *start;
	*end = *end > ask->to ? ask->to : *end;
	return true;
}

/* One more instance; false on overflow. */
static bool add_instance(struct ks_range_group_sum *p, const struct ks_range_reading *by,
			 const struct ks_settled_range *x, ks_ns length)
{
	const ks_ns kernel = by->ns[x->to] - by->ns[x->from];
	const bool first = p->instances == 0;

	p->instances++;
	p->type = first || p->type == x->type ? x->type : KS_RANGE_TYPE_UNKNOWN;
	p->depth = first || x->depth < p->depth ? x->depth : p->depth;
	p->min_ns = first || length < p->min_ns ? length : p->min_ns;
	p->max_ns = length > p->max_ns ? length : p->max_ns;
	p->worst_ns = kernel > p->worst_ns ? kernel : p->worst_ns;
	p->kernels += by->begun[x->to] - by->ended[x->from];
	return !__builtin_add_overflow(p->wall_ns, length, &p->wall_ns) &&
	       !__builtin_add_overflow(p->kernel_ns, kernel, &p->kernel_ns);
}

/* One pass over the ranges in order of their times: groups jump about far less than times would. */
static enum ks_status sum_groups(const struct ks_ranges_answering *a)
{
	struct ks_ranges *r = a->r;
	bool ok = true;

	ks_mem_free(r->sum);
	r->sum = ks_mem_alloc(r->n_groups * sizeof(*r->sum));
	if (!r->sum)
		return ks_ranges_no_memory(a->err);
	for (uint32_t i = 0; ok && i < r->n_ranges; i++) {
		const struct ks_settled_range *x = &r->range[i];
		ks_ns start = r->time[x->from], end = r->time[x->to];

		if (in_window(a->ask, &start, &end))
			ok = add_instance(&r->sum[x->group], &a->by, x, end - start);
	}
	if (!ok)
		return ks_ranges_overflow(a->err);
	return ks_ranges_overlap_sums(r, a->err);
}

void ks_ranges_make_phase(const struct ks_ranges *r, uint32_t group, struct ks_phase *p)
{
	const struct ks_range_group *g = &r->group[group];
	const struct ks_range_group_sum *s = &r->sum[group];

	*p = (struct ks_phase){ .name = r->name[g->name],
				.domain = r->domain[g->domain].name,
				.domain_id = r->domain[g->domain].id,
				.type = s->type == KS_RANGE_TYPE_UNKNOWN ? KS_UNKNOWN : s->type,
				.depth = s->depth,
				.instances = s->instances,
				.wall_ns = s->wall_ns,
				.min_ns = s->min_ns,
				.max_ns = s->max_ns,
				.kernels = s->kernels,
				.kernel_ns = s->kernel_ns,
				.own_ns = r->own[group],
				.worst_kernel_ns = s->worst_ns,
				.gpu_ns = KS_UNKNOWN,
				.overlap_ns = KS_UNKNOWN,
				.overlap_process_ns = KS_UNKNOWN,
				.overlap_union_ns = KS_UNKNOWN,
				.overlap_kernels = UINT64_MAX };
	if (r->overlap_sum) {
		p->overlap_ns = r->overlap_sum[group].ns;
		p->overlap_process_ns = r->overlap_sum[group].process_ns;
		p->overlap_union_ns = r->overlap_sum[group].union_ns;
		p->overlap_kernels = r->overlap_sum[group].kernels;
	}
}

/* --- ranks ---------------------------------------------------------------------------------------
 */

static int by_rank(const void *x, const void *y)
{
	const struct ks_range_group_rank *a = x, *b = y;

	if (a->kernel_ns != b->kernel_ns)
		return a->kernel_ns > b->kernel_ns ? -1 : 1;
	return (a->group > b->group) - (a->group < b->group);
}

/* Groups are in order of domain, then name; the order of equal times is name, depth, domain. */
static int by_rank_and_name(const void *x, const void *y, void *arg)
{
	const struct ks_range_group_rank *a = x, *b = y;
	const struct ks_ranges *r = arg;
	const uint32_t name[2] = { r->group[a->group].name, r->group[b->group].name };

	if (a->kernel_ns == b->kernel_ns && name[0] != name[1])
		return name[0] < name[1] ? -1 : 1;
	if (a->kernel_ns == b->kernel_ns && a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	return by_rank(x, y);
}

static enum ks_status rank_groups(struct ks_ranges_answering *a)
{
	struct ks_ranges *r = a->r;

	ks_mem_free(r->rank);
	r->n_rank = 0;
	r->rank = ks_mem_alloc(r->n_groups * sizeof(*r->rank));
	if (!r->rank)
		return ks_ranges_no_memory(a->err);
	for (uint32_t g = 0; g < r->n_groups; g++) {
		const struct ks_range_group_sum *s = &r->sum[g];

		if (s->instances == 0)
			continue;
		r->rank[r->n_rank++] = (struct ks_range_group_rank){ s->kernel_ns, g, s->depth };
		a->t->ranges += s->instances;
		a->t->n_names++;
		a->t->phases_with_time += s->kernel_ns > 0;
	}
	qsort_r(r->rank, r->n_rank, sizeof(*r->rank), by_rank_and_name, r);
	return KS_OK;
}

static enum ks_status put_phases(struct ks_ranges_answering *a)
{
	struct ks_ranges *r = a->r;
	const size_t most = a->t->phases_with_time < a->ask->max_phases ? a->t->phases_with_time
									: a->ask->max_phases;
	struct ks_phase *p = KS_ARENA_NEWS(a->arena, struct ks_phase, most);

	if (!p)
		return ks_ranges_no_memory(a->err);
	for (size_t i = 0; i < most; i++)
		ks_ranges_make_phase(r, r->rank[i].group, &p[i]);
	a->t->phase = p;
	a->t->n_phases = most;
	return KS_OK;
}

/* --- answers -------------------------------------------------------------------------------------
 */

static void put_counts(struct ks_ranges_answering *a)
{
	struct ks_ranges *r = a->r;
	struct ks_ranges_counts c;

	ks_ranges_counts(r, &c);
	a->t->bad_ranges = c.bad;
	a->t->n_domains = c.domains;
	a->t->marks = a->t->open_ranges = 0;
	for (size_t i = 0; i < r->n_points; i++) {
		const struct ks_range_point *p = &r->point[i];
		const bool begun = !a->ask->window_on || p->at < a->ask->to;

		if (p->open)
			a->t->open_ranges += begun;
		else
			a->t->marks += begun && (!a->ask->window_on || p->at >= a->ask->from);
	}
}

static enum ks_status answer(struct ks_ranges_answering *a)
{
	ks_ns covered = 0;

	a->t->by_overlap = a->by.overlap;
	a->t->ranges = 0;
	a->t->n_names = a->t->phases_with_time = 0;
	put_counts(a);
	KS_TRY(ks_ranges_own_times(a, &covered));
	if (a->by.overlap) {
		ks_ns total = 0;

		KS_TRY(ks_ranges_overlap_attributed(a->r, &covered, &total, a->err));
		a->t->unattributed_ns = total - covered;
	} else {
		a->t->unattributed_ns = ks_ranges_total_ns(a->r) - covered;
	}
	a->t->attributed_ns = covered;
	KS_TRY(sum_groups(a));
	KS_TRY(rank_groups(a));
	KS_TRY(put_phases(a));
	return ks_ranges_put_folded(a);
}

enum ks_status ks_ranges_answer(struct ks_ranges *r, const struct ks_ranges_ask *ask,
				struct ks_arena *arena, struct ks_timeline *t, struct ks_err *err)
{
	KS_TRY(ks_ranges_settled(r, err));
	ks_ranges_sum_up(r);

	struct ks_ranges_answering a = { r, ask, ks_ranges_projection(r), arena, t, err };

	return answer(&a);
}

enum ks_status ks_ranges_answer_overlap(struct ks_ranges *r, const struct ks_ranges_ask *ask,
					struct ks_arena *arena, struct ks_timeline *t,
					struct ks_err *err)
{
	KS_TRY(ks_ranges_settled(r, err));
	ks_ranges_sum_up(r);

	struct ks_ranges_answering a = { r, ask, ks_ranges_overlap(r), arena, t, err };

	return answer(&a);
}

/* --- the log -------------------------------------------------------------------------------------
 */

static enum ks_status log_rewind(void *self, struct ks_err *err)
{
	struct ks_ranges *r = self;

	(void)err;
	r->rank_at = 0;
	return KS_OK;
}

static enum ks_status log_next(void *self, struct ks_phase *row, bool *got, struct ks_err *err)
{
	struct ks_ranges *r = self;

	(void)err;
	*got = r->rank_at < r->n_rank;
	if (*got)
		ks_ranges_make_phase(r, r->rank[r->rank_at++].group, row);
	return KS_OK;
}

const struct ks_phase_log *ks_ranges_phases(struct ks_ranges *r, const struct ks_ranges_ask *ask,
					    struct ks_arena *arena)
{
	struct ks_phase_log *log = KS_ARENA_NEW(arena, struct ks_phase_log);

	BUG_ON(!r->rank);
	(void)ask; /* the answer had the same */
	r->rank_at = 0;
	if (log)
		*log = (struct ks_phase_log){ r, log_rewind, log_next };
	return log;
}
