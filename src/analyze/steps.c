/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps of a program's main loop among its NVTX ranges: the outermost ranges of one thread and
 * folded name, apart from each other and alike in length, or no steps at all. Irregular ranges are
 * never called steps, not even when they were asked for by name.
 */
#include "analyze/ranges_internal.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "tables/tables.h"

#define FEWEST_STEPS 3	 /* issue 4, point 2: over at least 3 */
#define MOST_CV	     0.5 /* the same */
#define FIRST_APART  4	 /* from so many on the first, which may compile, does not count */

/* --- candidates ----------------------------------------------------------------------------------
 */

enum fault { FAULT_NONE, FAULT_FEW, FAULT_OVERLAP, FAULT_UNEVEN };

struct candidate { /* the ranges of one thread, domain and folded name */
	uint32_t fold, domain, thread;
	size_t n; /* outermost ones */
	ks_ns cover;
	double cv;
	enum fault fault;
	bool any;
};

struct finding {
	struct ks_ranges *r;
	struct ks_range_fold fold;
	uint32_t *group; /* by fold and domain */
	uint32_t *row;	 /* ranges of the candidate at work */
	size_t n_rows;
	uint32_t *best_row;
	struct candidate best, best_failed;
};

/* Keeps the outermost ranges of row[0 .. n), which are in order; false: some overlap otherwise. */
static bool keep_outermost(const struct ks_ranges *r, uint32_t *row, size_t *n)
{
	size_t kept = 0;

	for (size_t i = 0; i < *n; i++) {
		const struct ks_settled_range *x = &r->range[row[i]];
		const struct ks_settled_range *last = kept ? &r->range[row[kept - 1]] : NULL;

		if (last && x->from < last->to) {
			if (x->to > last->to)
				return false;
			continue;
		}
		row[kept++] = row[i];
	}
	*n = kept;
	return true;
}

static double length(const struct ks_ranges *r, uint32_t range)
{
	return (double)(ks_range_end(r, range) - ks_range_start(r, range));
}

/* Standard deviation of a sample over its mean. */
static double variation(const struct ks_ranges *r, const uint32_t *row, size_t n)
{
	double sum = 0.0, squares = 0.0;

	for (size_t i = 0; i < n; i++)
		sum += length(r, row[i]);
	const double mean = sum / (double)n;

	for (size_t i = 0; i < n; i++) {
		const double d = length(r, row[i]) - mean;

		squares += d * d;
	}
	return sqrt(squares / (double)(n - 1)) / mean;
}

/* Clamped: of overlapping ranges it only says which candidate to speak of. */
static ks_ns cover_of(const struct ks_ranges *r, const uint32_t *row, size_t n)
{
	ks_ns sum = 0;

	for (size_t i = 0; i < n; i++) {
		if (__builtin_add_overflow(sum, ks_range_end(r, row[i]) - ks_range_start(r, row[i]),
					   &sum))
			return INT64_MAX;
	}
	return sum;
}

static void judge(const struct ks_ranges *r, uint32_t *row, size_t n, struct candidate *c)
{
	c->cover = cover_of(r, row, n);
	c->n = n;
	if (!keep_outermost(r, row, &n)) {
		c->fault = FAULT_OVERLAP;
		return;
	}
	c->n = n;
	c->cover = cover_of(r, row, n);
	if (n < FEWEST_STEPS) {
		c->fault = FAULT_FEW;
		return;
	}
	const size_t skip = n >= FIRST_APART ? 1 : 0;

	c->cv = variation(r, row + skip, n - skip);
	c->fault = c->cv > MOST_CV ? FAULT_UNEVEN : FAULT_NONE;
}

static bool better(const struct finding *f, const struct candidate *a, const struct candidate *b)
{
	int c;

	if (!b->any)
		return true;
	if (a->cover != b->cover)
		return a->cover > b->cover;
	c = ks_str_cmp(ks_intern_get(&f->fold.text, a->fold),
		       ks_intern_get(&f->fold.text, b->fold));
	if (c != 0)
		return c < 0;
	return a->domain != b->domain ? a->domain < b->domain : a->thread < b->thread;
}

/* One thread's part of the rows: row[0 .. n). */
static void consider(struct finding *f, uint32_t *row, size_t n, struct candidate c)
{
	c.any = true;
	c.thread = f->r->range[row[0]].thread;
	judge(f->r, row, n, &c);
	if (c.fault != FAULT_NONE) {
		if (better(f, &c, &f->best_failed))
			f->best_failed = c;
		return;
	}
	if (!better(f, &c, &f->best))
		return;
	memcpy(f->best_row, row, c.n * sizeof(*row)); /* the outermost are in front */
	f->best = c;
}

static int by_number(const void *x, const void *y)
{
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return (a > b) - (a < b);
}

/* The rows of a fold and domain, thread by thread. */
static void consider_rows(struct finding *f, struct candidate c)
{
	const struct ks_settled_range *range = f->r->range;

	if (f->n_rows == 0)
		return;
	qsort(f->row, f->n_rows, sizeof(*f->row), by_number); /* by thread, then start */
	for (size_t i = 0; i < f->n_rows;) {
		size_t end = i + 1;

		while (end < f->n_rows && range[f->row[end]].thread == range[f->row[i]].thread)
			end++;
		consider(f, f->row + i, end - i, c);
		i = end;
	}
}

struct asking {
	ks_str name, folded;
	bool any;   /* a name was asked for */
	bool exact; /* it is the name of a range as it is */
};

static bool is_asked(const struct finding *f, const struct asking *ask, uint32_t group)
{
	const struct ks_ranges *r = f->r;
	const uint32_t name = r->group[group].name;
	const ks_str folded = ks_intern_get(&f->fold.text, f->fold.of[name]);

	if (!ask->any)
		return ks_steps_has_word(folded);
	return ask->exact ? ks_str_eq(r->name[name], ask->name)
			  : ks_str_eq(folded, ask->name) || ks_str_eq(folded, ask->folded);
}

static void look(struct finding *f, const struct asking *ask)
{
	const struct ks_ranges *r = f->r;

	for (size_t i = 0; i < r->n_groups;) {
		const struct ks_range_group *first = &r->group[f->group[i]];
		const struct candidate c = { .fold = f->fold.of[first->name],
					     .domain = first->domain };

		f->n_rows = 0;
		for (; i < r->n_groups; i++) {
			const struct ks_range_group *g = &r->group[f->group[i]];

			if (g->domain != c.domain || f->fold.of[g->name] != c.fold)
				break;
			if (!is_asked(f, ask, f->group[i]))
				continue;
			for (uint32_t k = g->at; k < g[1].at; k++)
				f->row[f->n_rows++] = r->order[k];
		}
		consider_rows(f, c);
	}
}

/* --- answers -------------------------------------------------------------------------------------
 */

static struct ks_msg say(struct ks_arena *arena, enum ks_text id, const ks_str *arg, unsigned n)
{
	ks_str *kept = KS_ARENA_NEWS(arena, ks_str, n);

	for (unsigned i = 0; kept && i < n; i++)
		kept[i] = ks_arena_dup(arena, arg[i]);
	return (struct ks_msg){ id, kept ? n : 0, kept };
}

static ks_str number_text(struct ks_arena *arena, uint64_t n)
{
	char text[KS_NUM_LEN];

	ks_num_u64(text, n);
	return ks_arena_dup(arena, ks_str_c(text));
}

/* A name in a sentence or an answer: nothing is looked up by it any more. */
static ks_str public_name(const struct ks_ranges *r, ks_str name)
{
	return ks_redact_name(r->redact, KS_NAME_RANGE, name);
}

static struct ks_msg why_not(const struct finding *f, struct ks_arena *arena)
{
	const struct candidate *c = &f->best_failed;
	const ks_str fewest = number_text(arena, FEWEST_STEPS);
	const ks_str arg[3] = { public_name(f->r, ks_intern_get(&f->fold.text, c->fold)),
				number_text(arena, c->n),
				c->fault == FAULT_FEW ? fewest
						      : ks_arena_fmt(arena, "%.2f", c->cv) };

	switch (c->fault) {
	case FAULT_FEW:
		return say(arena, KS_TEXT_AN_STEPS_FEW, arg, 3);
	case FAULT_OVERLAP:
		return say(arena, KS_TEXT_AN_STEPS_OVERLAP, arg, 2);
	case FAULT_UNEVEN:
	case FAULT_NONE:
		break;
	}
	return say(arena, KS_TEXT_AN_STEPS_UNEVEN, arg, 3);
}

static struct ks_msg why_none(const struct finding *f, const struct asking *ask,
			      struct ks_arena *arena)
{
	ks_str near[3], list = KS_STR_NONE;

	if (f->r->n_ranges == 0)
		return (struct ks_msg){ .id = KS_TEXT_AN_STEPS_NO_RANGES };
	if (f->best_failed.any)
		return why_not(f, arena);
	if (!ask->any) {
		const ks_str n = number_text(arena, f->r->n_names);

		return say(arena, KS_TEXT_AN_STEPS_NO_NAME, &n, 1);
	}
	const size_t n = ks_ranges_nearest(f->r, ask->name, near, KS_ARRAY_LEN(near));

	for (size_t i = 0; i < n; i++)
		near[i] = public_name(f->r, near[i]);
	for (size_t i = 0; i < n; i++)
		list = ks_arena_fmt(arena, "%.*s%s%.*s", (int)list.n, list.n ? list.p : "",
				    i ? ", " : "", (int)near[i].n, near[i].p);
	const ks_str arg[2] = { public_name(f->r, ask->name), list };

	return say(arena, KS_TEXT_AN_STEPS_NOT_THERE, arg, 2);
}

static bool put_steps(const struct finding *f, struct ks_arena *arena, struct ks_steps *out)
{
	struct ks_ranges *r = f->r;
	const size_t n = f->best.n;
	struct ks_step *step = KS_ARENA_NEWS(arena, struct ks_step, n);
	double *v = ks_mem_alloc(n * sizeof(*v));
	bool one_name = true;

	r->step_range = ks_mem_alloc(n * sizeof(*r->step_range));
	if (!step || !v || !r->step_range) {
		ks_mem_free(v);
		return false;
	}
	for (size_t i = 0; i < n; i++) {
		const uint32_t range = f->best_row[i];

		r->step_range[i] = range;
		step[i] = (struct ks_step){ .start_ns = ks_range_start(r, range),
					    .end_ns = ks_range_end(r, range) };
		one_name = one_name && r->range[range].group == r->range[f->best_row[0]].group;
	}
	out->name = one_name ? r->name[r->group[r->range[f->best_row[0]].group].name]
			     : ks_arena_dup(arena, ks_intern_get(&f->fold.text, f->best.fold));
	out->name = public_name(r, out->name);
	out->domain = ks_redact_name(r->redact, KS_NAME_DOMAIN, r->domain[f->best.domain].name);
	out->step = r->step = step;
	out->n = r->n_steps = n;
	ks_steps_mark(step, out, v);
	ks_mem_free(v);
	return true;
}

static bool fold_asked(const struct ks_ranges *r, ks_str name, struct asking *ask, char **folded)
{
	*ask = (struct asking){ .name = name, .any = name.n > 0 };
	*folded = ks_mem_alloc(name.n);
	if (!*folded)
		return false;
	ask->folded = (ks_str){ *folded, ks_range_fold_text(name, *folded, name.n) };
	ask->exact = name.n > 0 && ks_range_name_find(r, name) != KS_RANGE_NONE;
	return true;
}

enum ks_status ks_ranges_steps(struct ks_ranges *r, ks_str asked, struct ks_arena *arena,
			       struct ks_steps *steps, struct ks_err *err)
{
	struct finding f = { .r = r };
	struct asking ask = { 0 };
	char *folded = NULL;

	KS_TRY(ks_ranges_settled(r, err));
	bool ok = ks_range_fold_open(&f.fold, r) && fold_asked(r, asked, &ask, &folded);

	*steps = (struct ks_steps){ 0 };
	ks_mem_free(r->step_range);
	r->step_range = NULL;
	r->step = NULL;
	r->n_steps = 0;
	f.group = ok ? ks_range_fold_groups(&f.fold, r) : NULL;
	f.row = ks_mem_alloc(r->n_ranges * sizeof(*f.row));
	f.best_row = ks_mem_alloc(r->n_ranges * sizeof(*f.best_row));
	ok = f.group && f.row && f.best_row;
	if (ok)
		look(&f, &ask);
	if (ok && !f.best.any && ask.exact) { /* one of many that differ in a number, then */
		ask.exact = false;
		look(&f, &ask);
	}
	if (ok && f.best.any)
		ok = put_steps(&f, arena, steps);
	else if (ok)
		steps->why = why_none(&f, &ask, arena);
	ks_range_fold_close(&f.fold);
	ks_mem_free(folded);
	ks_mem_free(f.group);
	ks_mem_free(f.row);
	ks_mem_free(f.best_row);
	return ok && !ks_arena_failed(arena) ? KS_OK : ks_ranges_no_memory(err);
}

size_t ks_ranges_step_of(const struct ks_ranges *r, uint32_t segment)
{
	size_t lo = 0, hi = r->n_steps;

	while (lo < hi) { /* of one thread and apart, so in order of segments */
		const size_t mid = lo + (hi - lo) / 2;

		if (r->range[r->step_range[mid]].to <= segment)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < r->n_steps && r->range[r->step_range[lo]].from <= segment ? lo : SIZE_MAX;
}

void ks_ranges_steps_time(const struct ks_ranges *r, struct ks_steps *steps)
{
	for (size_t i = 0; i < r->n_steps && i < steps->n; i++) {
		const struct ks_settled_range *x = &r->range[r->step_range[i]];
		ks_ns sum = 0;

		for (uint32_t k = x->from; !r->summed && k < x->to; k++)
			sum += r->segment_ns[k];
		r->step[i].kernel_ns =
			r->summed ? r->segment_ns[x->to] - r->segment_ns[x->from] : sum;
	}
}
