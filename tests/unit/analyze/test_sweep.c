/* SPDX-License-Identifier: Apache-2.0
 *
 * The sweep against a picture of every nanosecond: what ran at once, gaps and their neighbours,
 * streams, kernels beside collectives, and busy.c for the unions. Random rows come from a printed
 * seed.
 */
#include "sweep_world.h"

#include <stdlib.h>

#include "analyze/busy.h"

/* --- the picture ---------------------------------------------------------------------------------
 */

struct moment { /* one nanosecond of one device */
	unsigned mix, tracks;
	bool overhead;
};

static bool uses(const struct world *w, uint32_t process, uint32_t device)
{
	for (size_t i = 0; i < w->n_users; i++) {
		if (w->user[i].device == device &&
		    (w->user[i].process == KS_UNKNOWN || w->user[i].process == (int64_t)process))
			return true;
	}
	return false;
}

static struct moment moment_of(const struct world *w, uint32_t device, ks_ns t)
{
	struct moment m = { 0 };

	for (size_t i = 0; i < w->n; i++) {
		const struct row *r = &w->row[i];

		if (t < r->start || t >= r->end)
			continue;
		if (r->kind == OVERHEAD) {
			m.overhead |= uses(w, r->which, device);
		} else if (r->kind == WORK) {
			m.mix |= r->which == device ? KS_MIX_COPY : 0;
		} else if (w->pair[r->which].device == device) {
			m.mix |= w->pair[r->which].comm ? KS_MIX_COMM : KS_MIX_COMPUTE;
			m.tracks |= 1u << w->pair[r->which].track;
		}
	}
	return m;
}

static bool is_on_device(const struct world *w, const struct row *r, uint32_t device)
{
	if (r->kind == LAUNCH)
		return w->pair[r->which].device == device;
	return r->kind == WORK && r->which == device;
}

static uint32_t what_of(const struct row *r)
{
	return r->kind == LAUNCH ? r->which : KS_SWEEP_WORK | r->what;
}

/* Smallest name of what ends (or starts) on the device at that time; NAMES + 999: nothing. */
static uint32_t neighbour(const struct world *w, uint32_t device, ks_ns at, bool ends)
{
	uint32_t least = NAMES + 999;

	for (size_t i = 0; i < w->n; i++) {
		const struct row *r = &w->row[i];

		if (is_on_device(w, r, device) && (ends ? r->end : r->start) == at &&
		    sweep_name(w, what_of(r)) < least)
			least = sweep_name(w, what_of(r));
	}
	return least;
}

static uint32_t name_or_none(const struct world *w, uint32_t what)
{
	return what == KS_SWEEP_NOTHING ? NAMES + 999 : sweep_name(w, what);
}

struct picture {
	ks_ns mix[8], gap_overhead, longest;
	uint32_t max_streams;
	uint64_t gaps;
	bool seen;
	struct ks_sweep_gap gap[HORIZON];
};

static void paint(const struct world *w, const struct moment *m, uint32_t device, struct picture *p)
{
	*p = (struct picture){ 0 };
	for (ks_ns t = w->from; t < w->to; t++) {
		const struct moment *now = &m[t];
		const uint32_t streams = (uint32_t)__builtin_popcount(now->tracks);

		p->mix[now->mix]++;
		p->seen |= now->mix != 0;
		p->max_streams = streams > p->max_streams ? streams : p->max_streams;
		if (now->mix)
			continue;
		if (t == w->from || m[t - 1].mix)
			p->gap[p->gaps++] = (struct ks_sweep_gap){ .device = device, .start = t };
		p->gap[p->gaps - 1].end = t + 1;
		p->gap[p->gaps - 1].overhead += now->overhead;
	}
	for (uint64_t i = 0; i < p->gaps; i++) {
		const ks_ns length = p->gap[i].end - p->gap[i].start;

		p->gap_overhead += p->gap[i].overhead;
		p->longest = length > p->longest ? length : p->longest;
	}
	if (!p->seen) /* a device without work has no gaps */
		p->gaps = 0, p->gap_overhead = p->longest = 0;
}

/* --- comparing -----------------------------------------------------------------------------------
 */

static int by_net_length(const void *x, const void *y)
{
	const struct ks_sweep_gap *a = x, *b = y;
	const ks_ns p = a->end - a->start - a->overhead, q = b->end - b->start - b->overhead;

	if (p != q)
		return p > q ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (int)b->device - (int)a->device; /* labels run the other way */
}

static void expect_gaps(const struct world *w, const struct ks_sweep *s, struct ks_sweep_gap *all,
			size_t n)
{
	qsort(all, n, sizeof(*all), by_net_length);
	assert_int_equal(s->top.n, n < 10 ? n : 10);
	for (size_t i = 0; i < s->top.n; i++) {
		const struct ks_sweep_gap *g = &s->top.gap[i];

		assert_int_equal(g->device, all[i].device);
		assert_int_equal(g->start, all[i].start);
		assert_int_equal(g->end, all[i].end);
		assert_int_equal(g->overhead, all[i].overhead);
		assert_int_equal(name_or_none(w, g->before),
				 neighbour(w, g->device, g->start, true));
		assert_int_equal(name_or_none(w, g->after), neighbour(w, g->device, g->end, false));
	}
}

static void expect_device(const struct ks_sweep *s, uint32_t device, const struct picture *p)
{
	const struct ks_sweep_device *d = &s->device[device];

	for (size_t i = 0; i < KS_ARRAY_LEN(p->mix); i++)
		assert_int_equal(d->mix[i], p->mix[i]);
	assert_int_equal(d->max_streams, p->max_streams);
	assert_int_equal(d->gaps, p->gaps);
	assert_int_equal(d->longest, p->longest);
	assert_int_equal(d->gap_overhead, p->gap_overhead);
}

static ks_ns beside_comm(const struct world *w, const struct row *launch)
{
	ks_ns n = 0;

	for (ks_ns t = launch->start; t < launch->end; t++) {
		for (size_t i = 0; i < w->n; i++) {
			const struct row *r = &w->row[i];

			if (r->kind == LAUNCH && w->pair[r->which].comm &&
			    w->pair[r->which].device == w->pair[launch->which].device &&
			    t >= r->start && t < r->end) {
				n++;
				break;
			}
		}
	}
	return n;
}

static int by_length(const void *x, const void *y)
{
	const ks_ns a = *(const ks_ns *)x, b = *(const ks_ns *)y;

	return (a > b) - (a < b);
}

static void expect_sketch(struct ks_sketch *s, ks_ns *length, size_t n)
{
	assert_int_equal(s->n, n);
	if (n == 0 || n > 64) /* exact up to here */
		return;
	qsort(length, n, sizeof(*length), by_length);
	ks_sketch_settle(s);
	const double twice = 2.0 * ks_sketch_median(s).ns;

	assert_int_equal((ks_ns)twice, length[(n - 1) / 2] + length[n / 2]);
}

static void expect_kernel(const struct world *w, const struct ks_sweep *s, uint32_t kernel)
{
	struct ks_sweep_kernel *k = &s->kernel[kernel];
	ks_ns with = 0, without = 0, met[ROWS], apart[ROWS];
	size_t n_met = 0, n_apart = 0;

	for (size_t i = 0; i < w->n; i++) {
		const struct row *r = &w->row[i];

		if (r->kind != LAUNCH || w->pair[r->which].kernel != kernel ||
		    w->pair[r->which].comm || w->pair[r->which].device >= DEVICES)
			continue;
		const ks_ns n = beside_comm(w, r);

		with += n;
		without += r->end - r->start - n;
		if (n)
			met[n_met++] = r->end - r->start;
		else
			apart[n_apart++] = r->end - r->start;
	}
	assert_int_equal(k->with_ns, with);
	assert_int_equal(k->without_ns, without);
	expect_sketch(&k->with, met, n_met);
	expect_sketch(&k->without, apart, n_apart);
}

static void expect_comm_sums(const struct world *w, const struct ks_sweep *s)
{
	uint64_t sum[DEVICES] = { 0 };

	for (size_t i = 0; i < w->n; i++) {
		const struct ks_sweep_pair *p = &w->pair[w->row[i].which % PAIRS];

		if (w->row[i].kind == LAUNCH && p->comm && p->device < DEVICES)
			sum[p->device] += (uint64_t)(w->row[i].end - w->row[i].start);
	}
	for (size_t i = 0; i < DEVICES; i++)
		assert_int_equal(s->device[i].comm_sum, sum[i]);
}

static void expect_busy(const struct world *w, const struct ks_sweep *s)
{
	struct ks_busy *b = ks_busy_open(&ks_io_system, 4096, 1 << 20);
	bool again = false;

	for (int kind = WORK; kind >= LAUNCH; kind--) { /* copies come first */
		for (size_t i = 0; i < w->n; i++) {
			const struct row *r = &w->row[i];
			const uint32_t device =
				kind == LAUNCH ? w->pair[r->which % PAIRS].device : r->which;

			if ((int)r->kind != kind || device >= DEVICES)
				continue;
			assert_int_equal((kind == WORK ? ks_busy_copy : ks_busy_launch)(
						 b, device, r->start, r->end, NULL),
					 KS_OK);
		}
	}
	assert_int_equal(ks_busy_flush(b, &again, NULL), KS_OK);
	assert_false(again);
	for (uint32_t i = 0; i < DEVICES; i++) {
		if (!w->on[i])
			continue;
		assert_int_equal(ks_sweep_kernel_ns(s, i), ks_busy_kernel_ns(b, i));
		assert_int_equal(ks_sweep_all_ns(s, i), ks_busy_all_ns(b, i));
	}
	ks_busy_close(b);
}

static void expect_picture(const struct world *w, struct ks_sweep *s)
{
	static const size_t moments = HORIZON + 1;
	struct moment *m = ks_mem_alloc(moments * sizeof(*m));
	struct picture *p = ks_mem_alloc(sizeof(*p));
	struct ks_sweep_gap *all = ks_mem_alloc(DEVICES * HORIZON * sizeof(*all));
	size_t n = 0;
	bool comm = false;

	for (uint32_t device = 0; device < DEVICES; device++) {
		if (!w->on[device])
			continue;
		for (ks_ns t = w->from; t < w->to; t++)
			m[t] = moment_of(w, device, t);
		paint(w, m, device, p);
		expect_device(s, device, p);
		memcpy(all + n, p->gap, p->gaps * sizeof(*all));
		n += p->gaps;
	}
	expect_gaps(w, s, all, n);
	for (size_t i = 0; i < PAIRS; i++)
		comm |= w->pair[i].comm && w->pair[i].device < DEVICES;
	assert_int_equal(s->kernel != NULL, comm);
	for (uint32_t k = 0; comm && k < KERNELS; k++)
		expect_kernel(w, s, k);
	expect_comm_sums(w, s);
	expect_busy(w, s);
	ks_mem_free(m);
	ks_mem_free(p);
	ks_mem_free(all);
}

/* --- random worlds -------------------------------------------------------------------------------
 */

static void add_row(struct world *w, uint64_t *seed, unsigned kind, uint32_t which)
{
	struct row *r = &w->row[w->n++];

	r->kind = kind;
	r->which = which;
	r->what = random_below(seed, 3);
	/* times in steps of 5: many rows start and end together */
	r->start = 5 * (ks_ns)random_below(seed, (HORIZON - 200) / 5);
	r->end = r->start + 5 * (ks_ns)(1 + random_below(seed, 20));
}

/* The span of the rows that are no overhead, as the caller has it. */
static void set_span(struct world *w)
{
	w->from = HORIZON;
	for (size_t i = 0; i < w->n; i++) {
		if (w->row[i].kind == OVERHEAD)
			continue;
		w->from = w->row[i].start < w->from ? w->row[i].start : w->from;
		w->to = w->row[i].end > w->to ? w->row[i].end : w->to;
	}
	w->from = w->from < w->to ? w->from : w->to;
}

static void make_world(struct world *w, uint64_t seed, uint32_t rows)
{
	*w = (struct world){ 0 };
	for (uint32_t i = 0; i < 16; i++)
		(void)next_random(&seed);
	const bool comm = random_below(&seed, 4) != 0;
	const bool one_off = random_below(&seed, 3) == 0;

	for (uint32_t i = 0; i < DEVICES; i++) {
		w->on[i] = !(one_off && i == 1);
		w->label[i] = DEVICES - (int64_t)i;
		if (i == 2)
			w->user[w->n_users++] = (struct ks_sweep_user){ KS_UNKNOWN, 2 };
	}
	for (uint32_t p = 0; p < PROCESSES; p++) { /* device 0: both; device 1: process 1 */
		for (uint32_t i = 0; i <= p; i++)
			w->user[w->n_users++] = (struct ks_sweep_user){ p, i };
	}
	for (uint32_t i = 0; i < PAIRS; i++) {
		const uint32_t track = random_below(&seed, TRACKS);

		w->pair[i] =
			(struct ks_sweep_pair){ .device = w->on[track % DEVICES] ? track % DEVICES
										 : UINT32_MAX,
						.track = track,
						.kernel = random_below(&seed, KERNELS + 1),
						.comm = comm && random_below(&seed, 4) == 0 };
		w->name[i] = random_below(&seed, NAMES);
	}
	for (uint32_t i = 0; i < rows; i++) {
		add_row(w, &seed, LAUNCH, random_below(&seed, PAIRS));
		if (random_below(&seed, 3) == 0)
			add_row(w, &seed, WORK, random_below(&seed, DEVICES));
		if (random_below(&seed, 3) == 0)
			add_row(w, &seed, OVERHEAD, random_below(&seed, PROCESSES + 1));
	}
	set_span(w);
}

static void shuffle(struct world *w, uint64_t seed)
{
	for (size_t i = w->n; i > 1; i--) {
		const size_t k = (size_t)(next_random(&seed) % i);
		const struct row t = w->row[i - 1];

		w->row[i - 1] = w->row[k];
		w->row[k] = t;
	}
}

static void every_nanosecond_is_counted_once(void **state)
{
	struct world *w = new_sweep_world();

	(void)state;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		make_world(w, seed * 7919, 1 + (uint32_t)(seed * 2 % ROWS));
		print_message("seed %u\n", (unsigned)(seed * 7919));
		struct ks_sweep *s = swept_world(w, 1 << 20);

		expect_picture(w, s);
		ks_sweep_close(s);
	}
	ks_mem_free(w);
}

static void order_of_rows_does_not_matter(void **state)
{
	struct world *w = new_sweep_world();

	(void)state;
	make_world(w, 104729, ROWS);
	for (uint64_t seed = 1; seed <= 5; seed++) {
		shuffle(w, seed);
		struct ks_sweep *s = swept_world(w, 1 << 20);

		expect_picture(w, s);
		ks_sweep_close(s);
	}
	ks_mem_free(w);
}

int test_sweep(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_nanosecond_is_counted_once),
		cmocka_unit_test(order_of_rows_does_not_matter),
	};

	return cmocka_run_group_tests_name("sweep", tests, NULL, NULL);
}
