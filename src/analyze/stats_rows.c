/* SPDX-License-Identifier: Apache-2.0
 *
 * The sums of `stats` as rows: names as nsys writes them, equal names added up, order by total.
 * Reads no row of a trace.
 */
#include <math.h>
#include <stdlib.h>

#include "analyze/eventname.h"
#include "analyze/stats_internal.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

struct folded { /* a row while it is put together */
	ks_str name, style;
	struct ks_stats_acc acc;
};

static ks_str domain_of(const struct ks_stats_sum *s, int64_t number)
{
	if (number < 0 || (size_t)number >= s->domain_cap)
		return KS_LIT("");
	return ks_stats_text(s, s->domain_name[number]);
}

static ks_str row_name(struct ks_stats_sum *s, const struct ks_stats_key *key)
{
	const ks_str text = ks_stats_text(s, key->name);

	switch (s->info->of) {
	case KS_STATS_OF_CALLS:
		return ks_event_call(ks_redact_text(s->ctx->redact, text));
	case KS_STATS_OF_COPIES:
		return ks_event_copy(&s->arena, key->style);
	case KS_STATS_OF_RANGES: {
		struct ks_redact *redact = s->ctx->redact;
		const ks_str domain =
			ks_redact_name(redact, KS_NAME_DOMAIN, domain_of(s, key->domain));
		const ks_str name = ks_redact_name(redact, KS_NAME_RANGE, text);

		return ks_arena_fmt(&s->arena, "%.*s:%.*s", (int)domain.n, domain.p, (int)name.n,
				    name.p);
	}
	case KS_STATS_OF_KERNELS:
	case KS_STATS_OF_EVENTS:
		break;
	}
	return ks_event_kernel(&s->arena, s->ctx->redact, text);
}

static ks_str row_style(const struct ks_stats_sum *s, const struct ks_stats_key *key)
{
	if (s->info->of != KS_STATS_OF_RANGES || key->style == 0)
		return KS_LIT("");
	return key->style == 1 ? KS_LIT("PushPop") : KS_LIT("StartEnd");
}

static int by_name(const void *x, const void *y)
{
	const struct folded *a = x, *b = y;
	const int c = ks_str_cmp(a->name, b->name);

	return c != 0 ? c : ks_str_cmp(a->style, b->style);
}

/* Into the first of the two, which then owns everything. */
static bool merge(struct ks_stats_acc *into, struct ks_stats_acc *from)
{
	if (__builtin_add_overflow(into->total, from->total, &into->total))
		return false;
	into->n += from->n;
	into->squares += from->squares;
	const bool ok = ks_sketch_merge(&into->sketch, &from->sketch);

	ks_sketch_release(&from->sketch);
	return ok;
}

/* Names that read alike become one row. Returns how many are left; SIZE_MAX: no memory. */
static size_t fold(struct folded *f, size_t n)
{
	size_t kept = 0;

	if (n == 0)
		return 0;
	qsort(f, n, sizeof(*f), by_name);
	for (size_t i = 1; i < n; i++) {
		if (by_name(&f[kept], &f[i]) == 0) {
			if (!merge(&f[kept].acc, &f[i].acc))
				return SIZE_MAX;
		} else if (++kept != i) {
			f[kept] = f[i];
			f[i].acc.sketch = (struct ks_sketch){ .n = 0 }; /* moved */
		}
	}
	return kept + 1;
}

/* With n - 1. n * squares - total^2 is exact where it fits, which it does below 2^128. */
static double deviation(const struct ks_stats_acc *a)
{
	const ks_u128 total = (ks_u128)a->total;

	if (a->n < 2)
		return 0.0;
	const double pairs = (double)a->n * (double)(a->n - 1);

	if (a->squares <= ~(ks_u128)0 / a->n)
		return sqrt((double)(a->n * a->squares - total * total) / pairs);
	const long double mean = (long double)a->total / (long double)a->n;
	const long double sum = (long double)a->squares - mean * (long double)a->total;

	return sum > 0 ? sqrt((double)(sum / (long double)(a->n - 1))) : 0.0;
}

static int by_total(const void *x, const void *y)
{
	const struct ks_stats_row *a = x, *b = y;
	int c = ks_num_cmp_i64(b->total, a->total);

	if (c == 0)
		c = ks_str_cmp(a->name, b->name);
	return c != 0 ? c : ks_str_cmp(a->style, b->style);
}

static struct ks_stats_row settle(struct folded *f, double all)
{
	struct ks_stats_acc *a = &f->acc;

	ks_sketch_settle(&a->sketch);
	const struct ks_quantile median = ks_sketch_median(&a->sketch);

	return (struct ks_stats_row){
		.name = f->name,
		.style = f->style,
		.n = a->n,
		.total = a->total,
		.min = a->sketch.min,
		.max = a->sketch.max,
		.share_pct = all > 0.0 ? 100.0 * (double)a->total / all : 0.0,
		.mean = (double)a->total / (double)a->n,
		.median = median.ns,
		.median_error = median.error_ns,
		.deviation = deviation(a),
	};
}

static enum ks_status answer(struct ks_stats_sum *s, struct folded *f, size_t n, struct ks_err *err)
{
	struct ks_stats_row *row = KS_ARENA_NEWS(&s->arena, struct ks_stats_row, n + 1);
	double all = 0.0;

	if (row == NULL)
		return ks_stats_no_memory(err);
	for (size_t i = 0; i < n; i++)
		all += (double)f[i].acc.total;
	for (size_t i = 0; i < n; i++) {
		row[i] = settle(&f[i], all);
		const double relative =
			row[i].median > 0.0 ? row[i].median_error / row[i].median : 0.0;

		if (relative > s->out.worst_median_error)
			s->out.worst_median_error = relative;
	}
	qsort(row, n, sizeof(*row), by_total);
	s->out.row = row;
	s->out.n = n;
	return ks_arena_failed(&s->arena) ? ks_stats_no_memory(err) : KS_OK;
}

enum ks_status ks_stats_rows(struct ks_stats_sum *s, struct ks_err *err)
{
	const size_t n = s->keys.count;
	struct folded *f = ks_mem_alloc((n + 1) * sizeof(*f));

	if (f == NULL)
		return ks_stats_no_memory(err);
	for (size_t i = 0; i < n; i++) {
		const struct ks_stats_key *key = ks_map_key(&s->keys, (uint32_t)i);

		f[i] = (struct folded){ row_name(s, key), row_style(s, key), s->acc[i] };
		s->acc[i].sketch = (struct ks_sketch){ .n = 0 }; /* moved */
	}
	const size_t kept = fold(f, n);
	const enum ks_status st =
		kept == SIZE_MAX ? ks_stats_no_memory(err) : answer(s, f, kept, err);

	for (size_t i = 0; i < n; i++)
		ks_sketch_release(&f[i].acc.sketch);
	ks_mem_free(f);
	return st;
}
