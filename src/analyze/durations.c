/* SPDX-License-Identifier: Apache-2.0
 *
 * How long the launches of the kernels with most time took: counted by length, in bins whose edges
 * stand in equal ratios, and along the run. Two visits of the launches in order; nothing is kept
 * per launch. Every launch is in exactly one bin of each kind.
 */
#include <math.h>

#include "analyze/totals.h"
#include "base/mem.h"

#define LENGTH_BINS 60	/* columns of 6 pixels in the picture */
#define TIME_BINS   120 /* columns of 3 pixels */

struct course { /* of one kernel */
	ks_ns min_ns, max_ns;
	uint64_t n, most; /* most: in one bin of length */
	ks_ns sum_ns;
	ks_ns edge[LENGTH_BINS + 1]; /* ascending; bin i is [edge[i], edge[i + 1]) */
	size_t n_edges;
	struct ks_bin *length, *time;
};
struct work {
	struct ks_analysis *a;
	struct course *course;
	size_t n;
	ks_ns from, to; /* of the run */
	size_t n_times;
};

static enum ks_status no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "duration picture", NULL);
}

static struct course *course_of(struct work *w, const struct ks_sweep_row *row)
{
	const struct ks_pair_key *key = ks_launches_pair_key(&w->a->launches, row->pair);
	const uint32_t kernel = w->a->kernel_of_group[key->group];

	return kernel < w->n ? &w->course[kernel] : NULL;
}

static enum ks_status see_extent(void *arg, const struct ks_sweep_row *row, struct ks_err *err)
{
	struct work *w = arg;
	struct course *c = course_of(w, row);
	const ks_ns length = row->end_ns - row->start_ns;

	(void)err;
	if (c == NULL)
		return KS_OK;
	if (c->n++ == 0)
		c->min_ns = c->max_ns = length;
	if (length < c->min_ns)
		c->min_ns = length;
	if (length > c->max_ns)
		c->max_ns = length;
	return KS_OK;
}

/* Edges in equal ratios from the shortest to behind the longest; whole nanoseconds, so that bins of
 * a narrow spread are fewer and wider than that. */
static void make_edges(struct course *c)
{
	const double low = log((double)(c->min_ns > 0 ? c->min_ns : 1));
	const double high = log((double)c->max_ns + 1.0);

	c->edge[0] = c->min_ns;
	c->n_edges = 1;
	for (int i = 1; i < LENGTH_BINS; i++) {
		const double at = exp(low + (high - low) * i / LENGTH_BINS);
		const ks_ns edge = at < 9.2e18 ? (ks_ns)ceil(at) : INT64_MAX;

		if (edge > c->edge[c->n_edges - 1] && edge <= c->max_ns)
			c->edge[c->n_edges++] = edge;
	}
	c->edge[c->n_edges++] = c->max_ns < INT64_MAX ? c->max_ns + 1 : INT64_MAX;
}

static void count(struct ks_bin *b, ks_ns length)
{
	if (b->n++ == 0)
		b->min_ns = b->max_ns = length;
	if (length < b->min_ns)
		b->min_ns = length;
	if (length > b->max_ns)
		b->max_ns = length;
	b->sum_ns += length;
}

static size_t length_bin(const struct course *c, ks_ns length)
{
	size_t low = 0, high = c->n_edges - 1; /* edge[low] <= length < edge[high] */

	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;

		if (c->edge[middle] <= length)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static ks_ns time_edge(const struct work *w, size_t i)
{
	return i >= w->n_times ? w->to
			       : w->from + (ks_ns)((double)(w->to - w->from) * (double)i /
						   (double)w->n_times);
}

static size_t time_bin(const struct work *w, ks_ns at)
{
	const double share = (double)(at - w->from) / (double)(w->to - w->from);
	size_t i = share > 0.0 ? (size_t)(share * (double)w->n_times) : 0;

	if (i >= w->n_times)
		i = w->n_times - 1;
	while (i > 0 && at < time_edge(w, i)) /* the quotient was rounded up */
		i--;
	while (i + 1 < w->n_times && at >= time_edge(w, i + 1))
		i++;
	return i;
}

static enum ks_status see_length(void *arg, const struct ks_sweep_row *row, struct ks_err *err)
{
	struct work *w = arg;
	struct course *c = course_of(w, row);
	const ks_ns length = row->end_ns - row->start_ns;

	(void)err;
	if (c == NULL)
		return KS_OK;
	struct ks_bin *b = &c->length[length_bin(c, length)];

	count(b, length);
	c->most = b->n > c->most ? b->n : c->most;
	c->sum_ns += length;
	count(&c->time[time_bin(w, row->start_ns)], length);
	return KS_OK;
}

static enum ks_status make_bins(struct work *w, struct course *c, struct ks_err *err)
{
	make_edges(c);
	c->length = KS_ARENA_NEWS(w->a->arena, struct ks_bin, c->n_edges - 1);
	c->time = KS_ARENA_NEWS(w->a->arena, struct ks_bin, w->n_times);
	if (c->length == NULL || c->time == NULL)
		return no_memory(err);
	for (size_t i = 0; i + 1 < c->n_edges; i++) {
		c->length[i].from_ns = c->edge[i];
		c->length[i].to_ns = c->edge[i + 1];
	}
	for (size_t i = 0; i < w->n_times; i++) {
		c->time[i].from_ns = time_edge(w, i);
		c->time[i].to_ns = time_edge(w, i + 1);
	}
	return KS_OK;
}

static enum ks_status make_pictures(struct work *w, struct ks_timeline *t, struct ks_err *err)
{
	struct ks_duration_picture *p =
		KS_ARENA_NEWS(w->a->arena, struct ks_duration_picture, w->n);
	size_t n = 0;

	if (p == NULL)
		return no_memory(err);
	KS_TRY(ks_sweep_each(w->a->sweep, see_extent, w, err));
	for (size_t i = 0; i < w->n; i++)
		KS_TRY(make_bins(w, &w->course[i], err));
	KS_TRY(ks_sweep_each(w->a->sweep, see_length, w, err));
	for (size_t i = 0; i < w->n; i++) {
		const struct course *c = &w->course[i];

		if (c->n > 0)
			p[n++] = (struct ks_duration_picture){
				.kernel = w->a->kernel[i].name,
				.launches = c->n,
				.most = c->most,
				.min_ns = c->min_ns,
				.max_ns = c->max_ns,
				.sum_ns = c->sum_ns,
				.by_duration = c->length,
				.n_by_duration = c->n_edges - 1,
				.by_time = c->time,
				.n_by_time = w->n_times,
			};
	}
	t->duration = p;
	t->n_durations = n;
	return KS_OK;
}

enum ks_status ks_durations_make(struct ks_analysis *a, size_t max, struct ks_timeline *t,
				 struct ks_err *err)
{
	struct work w = {
		.a = a,
		.n = max < a->n_kernels ? max : a->n_kernels,
		.n_times = TIME_BINS,
	};
	enum ks_status st;

	ks_totals_span(a, &w.from, &w.to);
	if (w.n == 0 || w.to <= w.from)
		return KS_OK;
	if ((uint64_t)(w.to - w.from) < TIME_BINS)
		w.n_times = (size_t)(w.to - w.from);
	w.course = ks_mem_alloc(w.n * sizeof(*w.course));
	st = w.course == NULL ? no_memory(err) : make_pictures(&w, t, err);
	ks_mem_free(w.course);
	return st;
}
