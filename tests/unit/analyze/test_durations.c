/* SPDX-License-Identifier: Apache-2.0
 *
 * Duration pictures: every launch is in exactly one bin of each kind, bins meet and hold what they
 * say, and the numbers are those of the kernels.
 */
#include "all.h"

static void given_durations(struct given *g)
{
	given_trace(g);
	given_gpu(g, 0, 8, 0, 108);
	g->sel.timeline = true;
	g->sel.draw_durations = true;
}

static const struct ks_duration_picture *picture_of(const struct given *g, const char *kernel)
{
	const struct ks_timeline *t = g->r->timeline;

	assert_non_null(t);
	for (size_t i = 0; i < t->n_durations; i++)
		if (ks_str_eqc(t->duration[i].kernel, kernel))
			return &t->duration[i];
	fail_msg("no picture of %s", kernel);
	return NULL;
}

static struct ks_bin sum_of(const struct ks_bin *b, size_t n)
{
	struct ks_bin all = { .from_ns = b[0].from_ns, .to_ns = b[n - 1].to_ns };

	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			assert_int_equal(b[i].from_ns, b[i - 1].to_ns);
		assert_true(b[i].to_ns > b[i].from_ns);
		if (b[i].n == 0)
			continue;
		assert_true(b[i].min_ns <= b[i].max_ns);
		assert_true(b[i].sum_ns >= b[i].min_ns * (ks_ns)b[i].n);
		assert_true(b[i].sum_ns <= b[i].max_ns * (ks_ns)b[i].n);
		all.min_ns = all.n == 0 || b[i].min_ns < all.min_ns ? b[i].min_ns : all.min_ns;
		all.max_ns = b[i].max_ns > all.max_ns ? b[i].max_ns : all.max_ns;
		all.n += b[i].n;
		all.sum_ns += b[i].sum_ns;
	}
	return all;
}

static void every_launch_is_in_one_bin(void **state)
{
	struct given world, *g = &world;
	uint64_t seed = 7, n = 5000;
	ks_ns at = 1000, sum = 0, low = INT64_MAX, high = 0;

	(void)state;
	given_durations(g);
	print_message("seed 7\n");
	for (uint64_t i = 0; i < n; i++) {
		const ks_ns length =
			1 + (ks_ns)(next_random(&seed) % 1000) * (ks_ns)(next_random(&seed) % 1000);

		given_launch(g, "k", 0, at, length);
		at += length + (ks_ns)(next_random(&seed) % 1000);
		sum += length;
		low = length < low ? length : low;
		high = length > high ? length : high;
	}
	then_report(g);
	const struct ks_duration_picture *d = picture_of(g, "k(int)");
	const struct ks_bin by_duration = sum_of(d->by_duration, d->n_by_duration);
	const struct ks_bin by_time = sum_of(d->by_time, d->n_by_time);

	assert_int_equal(by_duration.n, n);
	assert_int_equal(by_time.n, n);
	assert_int_equal(by_duration.sum_ns, sum);
	assert_int_equal(by_time.sum_ns, sum);
	assert_int_equal(by_duration.min_ns, low);
	assert_int_equal(by_duration.max_ns, high);
	assert_int_equal(by_duration.from_ns, low);
	assert_int_equal(by_duration.to_ns, high + 1);
	assert_int_equal(by_time.from_ns, 1000);
	assert_int_equal(d->launches, n);
	assert_int_equal(d->sum_ns, sum);
	assert_int_equal(d->min_ns, low);
	assert_int_equal(d->max_ns, high);
	bool any_fullest = false;

	for (size_t i = 0; i < d->n_by_duration; i++) {
		assert_true(d->by_duration[i].n <= d->most);
		any_fullest = any_fullest || d->by_duration[i].n == d->most;
	}
	assert_true(any_fullest);
	for (size_t i = 0; i < d->n_by_duration; i++)
		if (d->by_duration[i].n > 0) {
			assert_true(d->by_duration[i].min_ns >= d->by_duration[i].from_ns);
			assert_true(d->by_duration[i].max_ns < d->by_duration[i].to_ns);
		}
	given_release(g);
}

static void edges_stand_in_equal_ratios(void **state)
{
	struct given world, *g = &world;

	(void)state;
	given_durations(g);
	given_launch(g, "k", 0, 0, 1000);
	given_launch(g, "k", 0, 2000000000, 1000000000); /* six decades in 60 bins */
	then_report(g);
	const struct ks_duration_picture *d = picture_of(g, "k(int)");

	assert_int_equal(d->n_by_duration, 60);
	for (size_t i = 0; i < 6; i++) {
		double decade = 1000.0;

		for (size_t k = 0; k < i; k++)
			decade *= 10.0;
		expect_near((double)d->by_duration[10 * i].from_ns, decade, 0.002);
	}
	assert_int_equal(d->by_duration[0].n, 1);
	assert_int_equal(d->by_duration[59].n, 1);
	given_release(g);
}

static void equal_durations_are_one_bin(void **state)
{
	struct given world, *g = &world;

	(void)state;
	given_durations(g);
	for (int i = 0; i < 10; i++)
		given_launch(g, "k", 0, 100 * i, 50);
	then_report(g);
	const struct ks_duration_picture *d = picture_of(g, "k(int)");

	assert_int_equal(d->n_by_duration, 1);
	assert_int_equal(d->by_duration[0].from_ns, 50);
	assert_int_equal(d->by_duration[0].to_ns, 51);
	assert_int_equal(d->by_duration[0].n, 10);
	given_release(g);
}

static void only_the_kernels_with_most_time_are_drawn(void **state)
{
	static const char *const name[] = { "a", "b", "c", "d", "e", "f", "g", "h" };
	struct given world, *g = &world;

	(void)state;
	given_durations(g);
	for (int i = 0; i < 8; i++)
		given_launch(g, name[i], 0, 10000 * i, 100 * (i + 1));
	then_report(g);
	const struct ks_timeline *t = g->r->timeline;

	assert_int_equal(t->n_durations, 6);
	for (size_t i = 0; i < 6; i++)
		assert_true(ks_str_eq(t->duration[i].kernel, g->r->kernel[i].name));
	assert_true(ks_str_eqc(t->duration[0].kernel, "h(int)"));
	given_release(g);
}

static void a_selection_is_all_there_is(void **state)
{
	struct given world, *g = &world;

	(void)state;
	given_durations(g);
	given_launch(g, "a", 0, 0, 500);
	given_launch(g, "b", 0, 1000, 5);
	given_launch(g, "b", 0, 2000, 6);
	g->sel.kernel = KS_LIT("b");
	then_report(g);
	const struct ks_duration_picture *d = picture_of(g, "b(int)");

	assert_int_equal(g->r->timeline->n_durations, 1);
	assert_int_equal(sum_of(d->by_duration, d->n_by_duration).n, 2);
	given_release(g);
}

static void a_trace_without_kernels_has_no_picture(void **state)
{
	struct given world, *g = &world;

	(void)state;
	given_durations(g);
	given_copy(g, 0, 0, 100);
	then_report(g);
	assert_int_equal(g->r->timeline->n_durations, 0);
	given_release(g);
}

int test_durations(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_launch_is_in_one_bin),
		cmocka_unit_test(edges_stand_in_equal_ratios),
		cmocka_unit_test(equal_durations_are_one_bin),
		cmocka_unit_test(only_the_kernels_with_most_time_are_drawn),
		cmocka_unit_test(a_selection_is_all_there_is),
		cmocka_unit_test(a_trace_without_kernels_has_no_picture),
	};

	return cmocka_run_group_tests_name("durations", tests, NULL, NULL);
}
