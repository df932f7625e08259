/* SPDX-License-Identifier: Apache-2.0
 *
 * Names that differ only in their digits: every run of digits becomes one '#', and the phases of
 * such names are added up. Knows no other likeness of names; one that stands alone keeps its
 * digits.
 */
#include "analyze/ranges_internal.h"

#include "base/mem.h"
#include "base/str.h"
#include "tables/tables.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

size_t ks_range_fold_text(ks_str s, char *out, size_t cap)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n && n < cap; i++) {
		if (!is_digit(s.p[i]))
			out[n++] = s.p[i];
		else if (i == 0 || !is_digit(s.p[i - 1]))
			out[n++] = '#';
	}
	return n;
}

bool ks_range_fold_open(struct ks_range_fold *f, const struct ks_ranges *r)
{
	const ks_str *name = r->raw_name ? r->raw_name : r->name;
	size_t longest = 0;

	ks_intern_init(&f->text, r->n_names + 1);
	for (size_t i = 0; i < r->n_names; i++)
		longest = name[i].n > longest ? name[i].n : longest;

	char *folded = ks_mem_alloc(longest);

	f->of = ks_mem_alloc(r->n_names * sizeof(*f->of));
	bool ok = folded && f->of;

	for (size_t i = 0; ok && i < r->n_names; i++) {
		const size_t n = ks_range_fold_text(name[i], folded, longest);

		f->of[i] = ks_intern_add(&f->text, (ks_str){ folded, n }, NULL);
		ok = f->of[i] != KS_MAP_NONE;
	}
	ks_mem_free(folded);
	return ok;
}

void ks_range_fold_close(struct ks_range_fold *f)
{
	ks_intern_release(&f->text);
	ks_mem_free(f->of);
	f->of = NULL;
}

uint32_t *ks_range_fold_groups(const struct ks_range_fold *fold, const struct ks_ranges *r)
{
	uint32_t *at = ks_mem_alloc((fold->text.count + 1) * sizeof(*at));
	uint32_t *order = ks_mem_alloc(r->n_groups * sizeof(*order));

	if (!at || !order) {
		ks_mem_free(at);
		ks_mem_free(order);
		return NULL;
	}
	for (size_t g = 0; g < r->n_groups; g++)
		at[fold->of[r->group[g].name] + 1]++;
	for (size_t i = 1; i <= fold->text.count; i++)
		at[i] += at[i - 1];
	for (size_t g = 0; g < r->n_groups; g++)
		order[at[fold->of[r->group[g].name]]++] = (uint32_t)g;
	ks_mem_free(at);
	return order;
}

/* --- phases of folded names ----------------------------------------------------------------------
 */

struct folded {
	struct ks_phase *phase; /* the best so far, in order */
	uint32_t *names;
	size_t n;
};

static ks_ns sum_known(ks_ns a, ks_ns b, bool *bad)
{
	ks_ns sum = 0;

	if (a == KS_UNKNOWN || b == KS_UNKNOWN)
		return KS_UNKNOWN;
	*bad |= __builtin_add_overflow(a, b, &sum);
	return sum;
}

static bool merge_phase(struct ks_phase *into, const struct ks_phase *p)
{
	bool bad = false;

	into->type = into->type == p->type ? p->type : KS_UNKNOWN;
	into->depth = p->depth < into->depth ? p->depth : into->depth;
	into->instances += p->instances;
	into->kernels += p->kernels;
	into->min_ns = p->min_ns < into->min_ns ? p->min_ns : into->min_ns;
	into->max_ns = p->max_ns > into->max_ns ? p->max_ns : into->max_ns;
	if (p->worst_kernel_ns > into->worst_kernel_ns)
		into->worst_kernel_ns = p->worst_kernel_ns;
	into->wall_ns = sum_known(into->wall_ns, p->wall_ns, &bad);
	into->kernel_ns = sum_known(into->kernel_ns, p->kernel_ns, &bad);
	into->own_ns = sum_known(into->own_ns, p->own_ns, &bad);
	into->overlap_ns = sum_known(into->overlap_ns, p->overlap_ns, &bad);
	into->overlap_process_ns = sum_known(into->overlap_process_ns, p->overlap_process_ns, &bad);
	into->overlap_union_ns = KS_UNKNOWN; /* unions do not add up */
	if (into->overlap_kernels != UINT64_MAX)
		into->overlap_kernels += p->overlap_kernels;
	return !bad;
}

static bool comes_before(const struct ks_phase *a, const struct ks_phase *b)
{
	if (a->kernel_ns != b->kernel_ns)
		return a->kernel_ns > b->kernel_ns;

	const int c = ks_str_cmp(a->name, b->name);

	if (c != 0)
		return c < 0;
	if (a->depth != b->depth)
		return a->depth < b->depth;
	if (a->domain_id != b->domain_id)
		return a->domain_id < b->domain_id;
	return ks_str_cmp(a->domain, b->domain) < 0;
}

static void keep_best(struct folded *f, size_t max, const struct ks_phase *p, uint32_t names)
{
	if (p->kernel_ns == 0 || (f->n == max && !comes_before(p, &f->phase[max - 1])))
		return;

	size_t at = f->n < max ? f->n++ : max - 1;

	for (; at > 0 && comes_before(p, &f->phase[at - 1]); at--) {
		f->phase[at] = f->phase[at - 1];
		f->names[at] = f->names[at - 1];
	}
	f->phase[at] = *p;
	f->names[at] = names;
}

/* Merges the groups from order[i] on that fold alike; returns where the next ones begin. */
static size_t merge_fold(const struct ks_ranges_answering *a, const struct ks_range_fold *fold,
			 const uint32_t *order, size_t i, struct folded *f)
{
	const struct ks_ranges *r = a->r;
	const struct ks_range_group *g = &r->group[order[i]];
	struct ks_phase sum = { 0 }, p;
	uint32_t names = 0;

	for (; i < r->n_groups && r->group[order[i]].domain == g->domain &&
	       fold->of[r->group[order[i]].name] == fold->of[g->name];
	     i++) {
		if (r->sum[order[i]].instances == 0)
			continue;
		ks_ranges_make_phase(r, order[i], &p);
		if (names++ == 0)
			sum = p;
		else if (!merge_phase(&sum, &p))
			return SIZE_MAX;
	}
	if (names > 1)
		sum.name = ks_redact_name(r->redact, KS_NAME_RANGE,
					  ks_intern_get(&fold->text, fold->of[g->name]));
	if (names > 0)
		keep_best(f, a->ask->max_phases, &sum, names);
	return i;
}

enum ks_status ks_ranges_put_folded(struct ks_ranges_answering *a)
{
	struct ks_ranges *r = a->r;
	const size_t max = a->ask->max_phases;
	struct folded f = { KS_ARENA_NEWS(a->arena, struct ks_phase, max),
			    KS_ARENA_NEWS(a->arena, uint32_t, max), 0 };
	struct ks_range_fold fold;
	bool ok = ks_range_fold_open(&fold, r) && f.phase && f.names;
	uint32_t *order = ok ? ks_range_fold_groups(&fold, r) : NULL;
	size_t i = 0;

	while (order && max > 0 && i < r->n_groups)
		i = merge_fold(a, &fold, order, i, &f);
	for (size_t k = 0; ok && k < f.n; k++) {
		if (f.names[k] > 1) /* its text is that of `fold`, which goes */
			f.phase[k].name = ks_arena_dup(a->arena, f.phase[k].name);
	}
	a->t->folded_phase = f.phase;
	a->t->folded_names = f.names;
	a->t->n_folded_phases = f.n;
	ks_mem_free(order);
	ks_range_fold_close(&fold);
	if (i == SIZE_MAX)
		return ks_ranges_overflow(a->err);
	return order && !ks_arena_failed(a->arena) ? KS_OK : ks_ranges_no_memory(a->err);
}
