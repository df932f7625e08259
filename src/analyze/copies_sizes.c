/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups of copies of one kind and size, with the rate of the slowest row and of the middle one
 * that is believed (contract 06 §14). Sums of durations are never made into a rate.
 */
#include "analyze/copies_internal.h"

#include "analyze/analysis.h"
#include "base/mem.h"
#include "base/num.h"
#include "tables/tables.h"

#define HOST_LIMIT_GB_PER_S 512.0 /* contract 06 §14: above any host link so far */
#define SLACK		    1.02  /* the same: measured rates may pass the nominal peak by this */
#define READ_ROWS	    1024
#define WORDS		    3

double ks_copy_limit_gb_per_s(int64_t kind, int64_t bandwidth)
{
	const double peak = (double)bandwidth / 1e9;

	if (bandwidth <= 0)
		return HOST_LIMIT_GB_PER_S;
	if (kind >= KS_COPY_ATOA && kind <= KS_COPY_DTOD)
		return SLACK * peak / 2.0; /* read and written on the same device */
	return kind == KS_COPY_PTOP ? SLACK * peak : HOST_LIMIT_GB_PER_S;
}

/* --- the order -----------------------------------------------------------------------------------
 *
 * Sorted by size descending, kind, believed or not, duration: what a record needs for that is known
 * only once devices and kinds are all there.
 */

struct order {		     /* by path */
	int64_t *kind_rank;  /* -1: of a device that is not selected */
	double *limit;	     /* GB/s, that is bytes per nanosecond */
	const int64_t *kind; /* by rank */
};

static void rekey(int64_t *rec, void *arg)
{
	const struct order *o = arg;
	const int64_t path = rec[1], duration = rec[2];

	if (o->kind_rank[path] < 0) {
		rec[0] = 1; /* behind all, sizes are negated */
		rec[1] = rec[2] = 0;
		return;
	}
	const bool believed = duration > 0 && (double)-rec[0] <= o->limit[path] * (double)duration;

	rec[1] = o->kind_rank[path] * 2 + !believed;
}

static int by_value(const void *x, const void *y)
{
	return ks_num_cmp_i64(*(const int64_t *)x, *(const int64_t *)y);
}

static size_t distinct_kinds(const struct ks_copies *c, int64_t *kind)
{
	size_t n = 0;

	for (uint32_t i = 0; i < c->paths.count; i++)
		kind[i] = ks_copies_path_key(c, i)->kind;
	qsort(kind, c->paths.count, sizeof(*kind), by_value);
	for (size_t i = 0; i < c->paths.count; i++) {
		if (n == 0 || kind[i] != kind[n - 1])
			kind[n++] = kind[i];
	}
	return n;
}

static void rank_paths(const struct ks_analysis *a, struct order *o, size_t n_kinds)
{
	const struct ks_copies *c = a->copies;

	for (uint32_t i = 0; i < c->paths.count; i++) {
		const struct ks_copy_path_key *key = ks_copies_path_key(c, i);
		const int64_t *at =
			bsearch(&key->kind, o->kind, n_kinds, sizeof(*o->kind), by_value);

		o->kind_rank[i] = -1;
		if (!at || !ks_copies_selected(a, key->device))
			continue;
		const struct ks_trace_gpu *gpu = a->devices.device[key->device].gpu;

		o->kind_rank[i] = at - o->kind;
		o->limit[i] =
			ks_copy_limit_gb_per_s(key->kind, gpu ? gpu->memory_bandwidth : KS_UNKNOWN);
	}
}

/* --- reading it back -----------------------------------------------------------------------------
 */

struct reader {
	struct ks_sorter *s;
	uint64_t at; /* of the record at buf[i] */
	size_t i, n;
	int64_t buf[READ_ROWS * WORDS];
};

/* The next record, not yet passed; NULL at the end. */
static enum ks_status ahead(struct reader *r, const int64_t **rec, struct ks_err *err)
{
	if (r->i == r->n) {
		r->i = 0;
		KS_TRY(ks_sorter_read(r->s, r->at, r->buf, READ_ROWS, &r->n, err));
	}
	*rec = r->i < r->n ? r->buf + r->i * WORDS : NULL;
	return KS_OK;
}

struct believed { /* durations of a group that are believed, ascending */
	uint64_t at, n;
	ks_ns first, last;
};

static void take(const struct reader *r, const int64_t *rec, struct ks_copy_group *g,
		 struct believed *b)
{
	if (rec[1] % 2 == 0) {
		if (b->n++ == 0) {
			b->at = r->at;
			b->first = rec[2];
		}
		b->last = rec[2];
	}
	g->max_ns = rec[2] > g->max_ns ? rec[2] : g->max_ns;
	g->count++;
}

static enum ks_status middle(const struct reader *r, const struct believed *b, ks_ns mid[2],
			     struct ks_err *err)
{
	const size_t want = b->n % 2 ? 1 : 2;
	int64_t rec[2 * WORDS] = { 0 };
	size_t got = 0;

	mid[0] = b->first;
	mid[1] = b->last;
	if (b->n <= 2)
		return KS_OK;
	KS_TRY(ks_sorter_read(r->s, b->at + (b->n - 1) / 2, rec, want, &got, err));
	if (got != want)
		return ks_err_set(err, KS_E_INTERNAL, KS_TEXT_ERR_AN_INTERNAL, "copies", NULL);
	mid[0] = rec[2];
	mid[1] = rec[(want - 1) * WORDS + 2];
	return KS_OK;
}

/* The next group; count 0 at the end. */
static enum ks_status next_group(struct reader *r, const struct order *o, struct ks_copy_group *g,
				 struct ks_err *err)
{
	struct believed b = { 0 };
	const int64_t *rec;
	ks_ns mid[2];

	*g = (struct ks_copy_group){ .gb_per_s = -1.0, .typical_gb_per_s = -1.0 };
	KS_TRY(ahead(r, &rec, err));
	if (!rec || rec[0] > 0)
		return KS_OK;
	const int64_t size = rec[0], rank = rec[1] / 2;

	g->bytes = -size;
	g->kind = o->kind[rank];
	while (rec && rec[0] == size && rec[1] / 2 == rank) {
		take(r, rec, g, &b);
		r->i++;
		r->at++;
		KS_TRY(ahead(r, &rec, err));
	}
	if (g->bytes == 0 || ks_copy_is_migration(g->kind))
		return KS_OK;
	if (g->max_ns > 0)
		g->gb_per_s = (double)g->bytes / (double)g->max_ns;
	if (b.n == 0)
		return KS_OK;
	KS_TRY(middle(r, &b, mid, err));
	g->median_ns = mid[0] + (mid[1] - mid[0]) / 2;
	g->typical_gb_per_s = (double)g->bytes / (0.5 * ((double)mid[0] + (double)mid[1]));
	return KS_OK;
}

/* --- the list ------------------------------------------------------------------------------------
 */

/* Sizes past the ceiling are the smallest: they are added up per kind, so that none is lost. */
static void fold(struct ks_copies *c, struct ks_copy_group *other, const struct ks_copy_group *g)
{
	if (other->count == 0)
		*other = (struct ks_copy_group){ .kind = g->kind,
						 .bytes = KS_UNKNOWN,
						 .gb_per_s = -1.0,
						 .typical_gb_per_s = -1.0 };
	other->count += g->count;
	other->max_ns = g->max_ns > other->max_ns ? g->max_ns : other->max_ns;
	c->facts.folded_sizes++;
}

static enum ks_status keep(struct ks_copies *c, const struct ks_copy_group *g, struct ks_err *err)
{
	if (!KS_GROW(c->group, c->group_cap, c->n_groups + 1, SIZE_MAX / sizeof(*g)))
		return ks_copies_no_memory(err);
	c->group[c->n_groups++] = *g;
	return KS_OK;
}

static enum ks_status list_groups(struct ks_copies *c, const struct order *o,
				  struct ks_copy_group *other, size_t n_kinds, struct ks_err *err)
{
	const size_t max = (size_t)ks_limit(KS_LIMIT_COPY_GROUPS);
	struct reader r = { .s = c->sizes };
	struct ks_copy_group g;

	c->n_groups = 0;
	for (;;) {
		KS_TRY(next_group(&r, o, &g, err));
		if (g.count == 0)
			break;
		if (c->n_groups < max) {
			KS_TRY(keep(c, &g, err));
			continue;
		}
		const int64_t *at = bsearch(&g.kind, o->kind, n_kinds, sizeof(*o->kind), by_value);

		if (at)
			fold(c, &other[at - o->kind], &g);
	}
	for (size_t i = 0; i < n_kinds; i++) {
		if (other[i].count)
			KS_TRY(keep(c, &other[i], err));
	}
	return KS_OK;
}

static enum ks_status make_groups(struct ks_analysis *a, struct order *o, int64_t *kind,
				  struct ks_err *err)
{
	struct ks_copies *c = a->copies;
	const size_t n_kinds = distinct_kinds(c, kind);
	struct ks_copy_group *other = ks_mem_alloc(n_kinds * sizeof(*other) + 1);
	enum ks_status st = other ? KS_OK : ks_copies_no_memory(err);

	o->kind = kind;
	rank_paths(a, o, n_kinds);
	if (st == KS_OK)
		st = ks_sorter_finish(c->sizes, rekey, o, err);
	if (st == KS_OK)
		st = list_groups(c, o, other, n_kinds, err);
	ks_mem_free(other);
	return st;
}

enum ks_status ks_copies_groups(struct ks_analysis *a, struct ks_timeline *t, struct ks_err *err)
{
	struct ks_copies *c = a->copies;
	const size_t n = c->paths.count;

	if (!c->sizes)
		return KS_OK;
	struct order o = { ks_mem_alloc((n + 1) * sizeof(*o.kind_rank)),
			   ks_mem_alloc((n + 1) * sizeof(*o.limit)), NULL };
	int64_t *kind = ks_mem_alloc((n + 1) * sizeof(*kind));
	const enum ks_status st = o.kind_rank && o.limit && kind ? make_groups(a, &o, kind, err)
								 : ks_copies_no_memory(err);

	ks_mem_free(o.kind_rank);
	ks_mem_free(o.limit);
	ks_mem_free(kind);
	t->copy_group = c->group;
	t->n_copy_groups = c->n_groups;
	return st;
}
