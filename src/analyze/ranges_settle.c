/* SPDX-License-Identifier: Apache-2.0
 *
 * From rows in any order to ranges in the order of ranges_internal.h: names, domains and threads
 * are numbered by their values, rows sorted, times turned into cut points. All of it in n log n
 * whatever overlaps, and without anything left that depends on which row came first.
 */
#include "analyze/ranges_internal.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "tables/tables.h"

/* --- threads and rows ----------------------------------------------------------------------------
 */

struct thread_entry {
	int64_t id;
	uint32_t number;
};

static int by_thread(const void *x, const void *y)
{
	const struct thread_entry *a = x, *b = y;

	return ks_num_cmp_i64(a->id, b->id);
}

static bool settle_threads(struct ks_range_settling *s)
{
	struct ks_ranges *r = s->r;
	struct thread_entry *entry;

	r->n_threads = r->thread_map.count;
	entry = ks_mem_alloc((r->n_threads + 1) * sizeof(*entry));
	r->thread = ks_mem_alloc((r->n_threads + 1) * sizeof(*r->thread));
	r->thread_of = ks_mem_alloc((r->n_threads + 1) * sizeof(*r->thread_of));
	if (!entry || !r->thread || !r->thread_of) {
		ks_mem_free(entry);
		return false;
	}
	for (size_t i = 0; i < r->n_threads; i++) {
		const int64_t *id = ks_map_key(&r->thread_map, (uint32_t)i);

		entry[i] = (struct thread_entry){ *id, (uint32_t)i };
	}
	qsort(entry, r->n_threads, sizeof(*entry), by_thread);
	for (size_t i = 0; i < r->n_threads; i++) {
		r->thread[i].id = entry[i].id;
		r->thread_of[entry[i].number] = (uint32_t)i;
	}
	ks_mem_free(entry);
	return true;
}

static int by_order(const void *x, const void *y)
{
	const struct ks_raw_range *a = x, *b = y;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	if (a->domain != b->domain)
		return a->domain < b->domain ? -1 : 1;
	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	return (a->crosses > b->crosses) - (a->crosses < b->crosses);
}

/* Rows of a thread mostly come in order, or a few places off (a range is written when it ends):
 * then moving those is all there is to do. False: too far off for that. */
#define NEAR_REACH 32
static bool insertion_sort(struct ks_raw_range *a, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		const struct ks_raw_range moved = a[i];
		size_t at = i;

		while (at > 0 && by_order(&moved, &a[at - 1]) < 0) {
			if (i - at == NEAR_REACH) {
				a[at] = moved;
				return false;
			}
			a[at] = a[at - 1];
			at--;
		}
		a[at] = moved;
	}
	return true;
}

/* To their threads with the settled numbers, and in order there. */
static bool settle_rows(struct ks_range_settling *s)
{
	struct ks_ranges *r = s->r;
	struct ks_range_thread *t = r->thread;

	s->sorted = ks_mem_alloc(r->n_raw * sizeof(*s->sorted));
	if (!s->sorted)
		return false;
	for (size_t i = 0; i < r->n_raw; i++)
		t[r->thread_of[r->raw[i].thread]].cursor++;
	for (size_t i = 0; i < r->n_threads; i++) {
		t[i + 1].range_at = t[i].range_at + t[i].cursor;
		t[i].cursor = t[i].range_at;
	}
	for (size_t i = 0; i < r->n_raw; i++) {
		struct ks_raw_range raw = r->raw[i];

		raw.thread = r->thread_of[raw.thread];
		raw.domain = s->domain_of[raw.domain];
		raw.name = s->name_of[ks_range_name_slot(s, raw.name)];
		s->sorted[t[raw.thread].cursor++] = raw;
	}
	r->n_ranges = r->n_raw;
	ks_mem_free(r->raw);
	r->raw = NULL;
	r->n_raw = r->raw_cap = 0;
	for (size_t i = 0; i < r->n_threads; i++) {
		struct ks_raw_range *a = s->sorted + t[i].range_at;
		const size_t n = t[i + 1].range_at - t[i].range_at;

		if (!insertion_sort(a, n))
			qsort(a, n, sizeof(*a), by_order);
	}
	return true;
}

static int by_point(const void *x, const void *y)
{
	const struct ks_range_point *a = x, *b = y;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->domain != b->domain)
		return a->domain < b->domain ? -1 : 1;
	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	return (a->open > b->open) - (a->open < b->open);
}

static void settle_points(struct ks_range_settling *s)
{
	struct ks_ranges *r = s->r;

	for (size_t i = 0; i < r->n_points; i++) {
		struct ks_range_point *p = &r->point[i];

		p->thread = r->thread_of[p->thread];
		p->domain = s->domain_of[p->domain];
		p->name = s->name_of[ks_range_name_slot(s, p->name)];
	}
	if (r->n_points > 0)
		qsort(r->point, r->n_points, sizeof(*r->point), by_point);
}

/* --- groups --------------------------------------------------------------------------------------
 */

/* One pass of a radix sort: `from` (NULL: 0, 1, 2 ...) into `to`, in order of key(row), stable. */
static bool sort_by_key(const struct ks_range_settling *s, const uint32_t *from, uint32_t *to,
			bool domains)
{
	const size_t n = s->r->n_ranges, n_keys = domains ? s->r->n_domains : s->r->n_names;
	uint32_t *at = ks_mem_alloc((n_keys + 2) * sizeof(*at));

	if (!at)
		return false;
	for (size_t i = 0; i < n; i++)
		at[(domains ? s->sorted[i].domain : s->sorted[i].name) + 1]++;
	for (size_t i = 1; i <= n_keys; i++)
		at[i] += at[i - 1];
	for (size_t i = 0; i < n; i++) {
		const uint32_t row = from ? from[i] : (uint32_t)i;

		to[at[domains ? s->sorted[row].domain : s->sorted[row].name]++] = row;
	}
	ks_mem_free(at);
	return true;
}

static bool same_group(const struct ks_raw_range *a, const struct ks_raw_range *b)
{
	return a->name == b->name && a->domain == b->domain;
}

static bool count_groups(struct ks_range_settling *s)
{
	struct ks_ranges *r = s->r;
	size_t n = 0;

	for (size_t i = 0; i < r->n_ranges; i++)
		n += i == 0 || !same_group(&s->sorted[r->order[i]], &s->sorted[r->order[i - 1]]);
	r->group = ks_mem_alloc((n + 1) * sizeof(*r->group));
	return r->group != NULL;
}

static bool starts_before(const struct ks_range_settling *s, uint32_t a, uint32_t b)
{
	return s->sorted[a].start != s->sorted[b].start ? s->sorted[a].start < s->sorted[b].start
							: a < b;
}

/* End of the run in order that begins at `at`. */
static size_t run_end(const struct ks_range_settling *s, const uint32_t *row, size_t at, size_t n)
{
	do {
		at++;
	} while (at < n && starts_before(s, row[at - 1], row[at]));
	return at;
}

static void merge_runs(const struct ks_range_settling *s, uint32_t *row, size_t mid, size_t n)
{
	size_t a = 0, b = mid, out = 0;

	memcpy(s->spare, row, mid * sizeof(*row));
	while (a < mid) {
		if (b < n && starts_before(s, row[b], s->spare[a]))
			row[out++] = row[b++];
		else
			row[out++] = s->spare[a++];
	}
}

/* Instances of several threads lie thread behind thread until here: as many runs as threads, merged
 * two by two. */
static void sort_instances(const struct ks_range_settling *s, uint32_t *row, size_t n)
{
	for (bool sorted = false; !sorted;) {
		sorted = true;
		for (size_t at = 0; at < n;) {
			const size_t mid = run_end(s, row, at, n);

			if (mid == n)
				break;
			const size_t end = run_end(s, row, mid, n);

			merge_runs(s, row + at, mid - at, end - at);
			sorted = sorted && at == 0 && end == n;
			at = end;
		}
	}
}

/* Ranges by domain, name, start; they learn the number of their group. */
static bool settle_groups(struct ks_range_settling *s)
{
	struct ks_ranges *r = s->r;
	uint32_t *by_name = ks_mem_alloc(r->n_ranges * sizeof(*by_name));

	r->order = ks_mem_alloc(r->n_ranges * sizeof(*r->order));
	if (!by_name || !r->order || !sort_by_key(s, NULL, by_name, false) ||
	    !sort_by_key(s, by_name, r->order, true)) {
		ks_mem_free(by_name);
		return false;
	}
	s->spare = by_name; /* for the merges below */
	r->range = ks_mem_alloc(r->n_ranges * sizeof(*r->range));
	if (!count_groups(s) || !r->range)
		return false;
	for (size_t i = 0; i < r->n_ranges;) {
		const struct ks_raw_range *first = &s->sorted[r->order[i]];
		struct ks_range_group *g = &r->group[r->n_groups];
		size_t end = i;

		*g = (struct ks_range_group){ first->name, first->domain, (uint32_t)i };
		for (; end < r->n_ranges && same_group(first, &s->sorted[r->order[end]]); end++)
			r->range[r->order[end]].group = (uint32_t)r->n_groups;
		sort_instances(s, r->order + i, end - i);
		r->n_groups++;
		i = end;
	}
	r->group[r->n_groups].at = (uint32_t)r->n_ranges;
	return true;
}

/* --- cut points ----------------------------------------------------------------------------------
 */

struct cutting {
	struct ks_range_settling *s;
	uint32_t *open_of; /* ranges open by domain */
};

static uint32_t cut_at(struct ks_ranges *r, const struct ks_range_thread *t, ks_ns at)
{
	if (r->n_cuts == t->cut_at || r->time[r->n_cuts - 1] != at)
		r->time[r->n_cuts++] = at;
	return (uint32_t)(r->n_cuts - 1);
}

static void close_first(struct cutting *c, const struct ks_range_thread *t)
{
	struct ks_ranges *r = c->s->r;
	const ks_ns end = r->heap.item[0].end;
	const uint32_t closed = ks_range_heap_pop(&r->heap);

	r->range[closed].to = cut_at(r, t, end);
	c->open_of[c->s->sorted[closed].domain]--;
}

static bool cut_thread(struct cutting *c, const struct ks_range_thread *t)
{
	struct ks_ranges *r = c->s->r;

	for (uint32_t i = t->range_at; i < t[1].range_at; i++) {
		const struct ks_raw_range *raw = &c->s->sorted[i];
		struct ks_settled_range *out = &r->range[i];

		while (r->heap.n > 0 && r->heap.item[0].end <= raw->start)
			close_first(c, t);
		out->from = cut_at(r, t, raw->start);
		out->thread = raw->thread;
		out->depth = c->open_of[raw->domain]++;
		out->type = raw->type;
		out->crosses = raw->crosses;
		if (!ks_range_heap_push(&r->heap, raw->end, i))
			return false;
	}
	while (r->heap.n > 0)
		close_first(c, t);
	return true;
}

static bool settle_cuts(struct ks_range_settling *s)
{
	struct ks_ranges *r = s->r;
	struct cutting c = { s, ks_mem_alloc((r->n_domains + 1) * sizeof(*c.open_of)) };
	bool ok = c.open_of != NULL;

	r->time = ks_mem_alloc((2 * r->n_ranges + 1) * sizeof(*r->time));
	ok = ok && r->time;
	for (size_t i = 0; ok && i < r->n_threads; i++) {
		struct ks_range_thread *t = &r->thread[i];

		t->cut_at = t->cursor = (uint32_t)r->n_cuts;
		ok = cut_thread(&c, t);
	}
	r->thread[r->n_threads].cut_at = (uint32_t)r->n_cuts;
	ks_mem_free(c.open_of);
	ks_mem_free(s->sorted);
	s->sorted = NULL;
	return ok;
}

enum ks_status ks_ranges_settle(struct ks_ranges *r, const ks_str *text, size_t n_texts,
				struct ks_err *err)
{
	struct ks_range_settling s = { .r = r, .text = text, .n_texts = n_texts };

	BUG_ON(r->settled);
	bool ok = ks_range_settle_names(&s) && ks_range_settle_domains(&s) && settle_threads(&s) &&
		  settle_rows(&s);

	if (ok)
		settle_points(&s);
	ok = ok && settle_groups(&s) && settle_cuts(&s);
	ks_mem_free(s.name_of);
	ks_mem_free(s.domain_of);
	ks_mem_free(s.sorted);
	ks_mem_free(s.spare);
	ks_map_release(&r->domain_map);
	if (ok) {
		r->segment_ns = ks_mem_alloc((r->n_cuts + 1) * sizeof(*r->segment_ns));
		r->segment_n = ks_mem_alloc((r->n_cuts + 1) * sizeof(*r->segment_n));
		r->settled = r->segment_ns && r->segment_n;
	}
	return r->settled ? KS_OK : ks_ranges_no_memory(err);
}

/* A source without NVTX rows never says that they are over. */
enum ks_status ks_ranges_settled(struct ks_ranges *r, struct ks_err *err)
{
	return r->settled ? KS_OK : ks_ranges_settle(r, NULL, 0, err);
}
