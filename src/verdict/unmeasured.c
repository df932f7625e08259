/* SPDX-License-Identifier: Apache-2.0
 *
 * What could not be measured, grouped by refusal code, and in which order to go on. Counts distinct
 * metric names over the rows of the report's sections, so rows nobody chose are not held against
 * it.
 */
#include "base/str.h"
#include "evidence/names.h"
#include "verdict/verdict_internal.h"

struct tally {
	struct ks_arena *arena;
	struct ks_names names;
	struct ks_pairs by_code;     /* (name, code) seen */
	struct ks_pairs by_class;    /* (name, measured or not) seen */
	struct ks_names codes;	     /* slugs: a re-read report may hold codes of another version */
	struct ks_unmeasured *group; /* by number in `codes` */
	size_t cap;
	size_t measured, unmeasured;
};

static bool first_time(struct ks_pairs *t, struct ks_arena *a, uint32_t left, uint32_t right,
		       bool *failed)
{
	if (ks_pairs_find(t, left, right) != 0)
		return false;
	if (!ks_pairs_add(t, a, left, right, 1))
		*failed = true;
	return true;
}

static struct ks_unmeasured *group_of(struct tally *t, const struct ks_refused *r, uint32_t *number)
{
	*number = ks_names_add(&t->codes, t->arena, ks_refused_slug(r));
	if (*number == KS_NAMES_NONE)
		return NULL;
	if (*number >= t->cap) {
		size_t cap = t->cap ? t->cap * 2 : KS_REFUSAL_COUNT;
		struct ks_unmeasured *group = KS_ARENA_NEWS(t->arena, struct ks_unmeasured, cap);

		if (!group)
			return NULL;
		if (t->cap > 0)
			memcpy(group, t->group, t->cap * sizeof(*group));
		t->group = group;
		t->cap = cap;
	}
	return &t->group[*number];
}

static bool count_refused(struct tally *t, const struct ks_ev *row, uint32_t name)
{
	uint32_t code = 0;
	struct ks_unmeasured *g = group_of(t, row->refused, &code);
	bool failed = false;

	if (!g)
		return false;
	if (!first_time(&t->by_code, t->arena, name, code, &failed))
		return true;
	if (g->count++ == 0) {
		g->code = row->refused->code;
		g->first = row->refused;
		g->slug = ks_refused_slug(row->refused);
	}
	if (g->n_examples < KS_ARRAY_LEN(g->example))
		g->example[g->n_examples++] = row->name;
	return !failed;
}

static bool count_row(struct tally *t, const struct ks_ev *row)
{
	uint32_t name = ks_names_add(&t->names, t->arena, row->name);
	bool failed = name == KS_NAMES_NONE;

	if (!failed && first_time(&t->by_class, t->arena, name, row->refused ? 1 : 0, &failed)) {
		t->measured += !row->refused;
		t->unmeasured += row->refused != NULL;
	}
	if (failed || !row->refused)
		return !failed;
	return count_refused(t, row, name);
}

static int by_weight(const struct ks_unmeasured *a, const struct ks_unmeasured *b)
{
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return ks_str_cmp(a->slug, b->slug);
}

static void sort_groups(struct ks_unmeasured *g, size_t n)
{
	for (size_t i = 1; i < n; i++) { /* fewer than a hundred codes */
		struct ks_unmeasured x = g[i];
		size_t j = i;

		for (; j > 0 && by_weight(&x, &g[j - 1]) < 0; j--)
			g[j] = g[j - 1];
		g[j] = x;
	}
}

static bool count_section(struct tally *t, const struct ks_store *ev,
			  const struct ks_section_rows *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct ks_ev *row = ks_ev_get(ev, s->row[i]);

		if (row && !count_row(t, row))
			return false;
	}
	return true;
}

bool ks_unmeasured_count(struct ks_decide *d, struct ks_verdicts *v)
{
	const struct ks_report *r = d->report;
	struct tally t = { .arena = d->arena };

	for (size_t k = 0; k < r->n_kernels; k++)
		for (size_t s = 0; s < r->kernel[k].n_sections; s++)
			if (!count_section(&t, r->ev, &r->kernel[k].section[s]))
				return false;
	sort_groups(t.group, t.codes.n);
	v->unmeasured = t.group;
	v->n_unmeasured = t.codes.n;
	v->measured_metrics = t.measured;
	v->unmeasured_metrics = t.unmeasured;
	return true;
}

/* --- next ------------------------------------------------------------------------------------- */

static bool said(const struct ks_next *next, size_t n, ks_str slug, const struct ks_msg *hint)
{
	for (size_t i = 0; i < n; i++) {
		if (slug.n > 0 && ks_str_eq(next[i].slug, slug))
			return true;
		if (slug.n > 0 || next[i].hint.id != hint->id || next[i].slug.n > 0)
			continue;
		/* Literal hints (re-read packets) differ by their text. */
		if (hint->id != KS_TEXT_LITERAL || (hint->n > 0 && next[i].hint.n > 0 &&
						    ks_str_eq(hint->arg[0], next[i].hint.arg[0])))
			return true;
	}
	return false;
}

static size_t next_refused(const struct ks_verdict_row *row, size_t n, struct ks_next *next,
			   size_t max)
{
	size_t k = 0;

	for (size_t i = 0; i < n && k < max; i++) {
		if (row[i].status != KS_VERDICT_STATUS_REFUSED || !row[i].refused)
			continue;
		ks_str slug = ks_refused_slug(row[i].refused);

		if (said(next, k, slug, NULL))
			continue;
		next[k++] = (struct ks_next){
			.for_verdict = row[i].id,
			.code = row[i].refused->code,
			.for_name = row[i].name,
			.slug = slug,
		};
	}
	return k;
}

size_t ks_next_order(const struct ks_verdict_row *row, size_t n, const struct ks_unmeasured *group,
		     size_t n_groups, struct ks_next *next, size_t max)
{
	size_t k = next_refused(row, n, next, max);

	for (size_t i = 0; i < n && k < max; i++) {
		if (row[i].status == KS_VERDICT_STATUS_REFUSED || row[i].next.id == KS_TEXT_NONE)
			continue;
		if (said(next, k, KS_STR_NONE, &row[i].next))
			continue;
		next[k++] = (struct ks_next){
			.for_verdict = row[i].id,
			.hint = row[i].next,
			.for_name = row[i].name,
		};
	}
	for (size_t i = 0; i < n_groups && k < max; i++) {
		/* A group that was read back may lack its code: then there is nothing to do about
		 * it. */
		if (group[i].slug.n == 0 || said(next, k, group[i].slug, NULL))
			continue;
		next[k++] = (struct ks_next){
			.code = group[i].code,
			.for_name = group[i].slug,
			.slug = group[i].slug,
		};
	}
	return k;
}
