/* SPDX-License-Identifier: Apache-2.0
 *
 * Per-launch rows: present only when asked for, kernel by kernel in time order, chosen by -s and
 * -c.
 */
#include "all.h"

#include "analyze/launchlog.h"

static size_t read_all(struct given *g, const char *kernel, ks_ns *start, uint64_t *index,
		       size_t max)
{
	const struct ks_launch_log *log = g->r->launches;
	struct ks_launch_view v;
	size_t n = 0;
	bool got = true;

	assert_non_null(log);
	assert_int_equal(log->rewind(log->self, kernel_named(g, kernel), &g->err), KS_OK);
	while (n < max) {
		assert_int_equal(log->next(log->self, &v, &got, &g->err), KS_OK);
		if (!got)
			break;
		assert_string_equal(v.kernel.p, kernel);
		start[n] = v.start_ns;
		index[n++] = v.index;
	}
	return n;
}

static void given_two_kernels(struct given *g)
{
	given_trace(g);
	g->sel.keep_launches = true;
	for (ks_ns i = 9; i >= 0; i--) /* latest first */
		given_launch(g, i % 2 ? "odd" : "even", 0, 100 * i, i % 2 ? 50 : 10);
}

static void expect_starts(struct given *g, const char *kernel, const ks_ns *expect, size_t n)
{
	ks_ns start[32];
	uint64_t index[32];

	assert_int_equal(read_all(g, kernel, start, index, 32), n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(start[i], expect[i]);
}

static void launches_are_kept_only_when_asked_for(void **state)
{
	struct given g;

	(void)state;
	given_two_kernels(&g);
	g.sel.keep_launches = false;
	then_report(&g);
	assert_null(g.r->launches);
	given_release(&g);
}

static void each_kernel_comes_in_time_order_as_often_as_wanted(void **state)
{
	static const ks_ns even[] = { 0, 200, 400, 600, 800 }, odd[] = { 100, 300, 500, 700, 900 };
	struct given g;

	(void)state;
	given_two_kernels(&g);
	then_report(&g);
	expect_starts(&g, "even(int)", even, 5);
	expect_starts(&g, "odd(int)", odd, 5);
	expect_starts(&g, "even(int)", even, 5);
	given_release(&g);
}

static void skip_and_count_choose_per_kernel(void **state)
{
	static const ks_ns even[] = { 200, 400 }, odd[] = { 300, 500 };
	struct given g;
	ks_ns start[8];
	uint64_t index[8];

	(void)state;
	given_two_kernels(&g);
	g.sel.launch_skip = 1;
	g.sel.launch_count = 2;
	then_report(&g);
	expect_starts(&g, "even(int)", even, 2);
	expect_starts(&g, "odd(int)", odd, 2);
	assert_int_equal(read_all(&g, "odd(int)", start, index, 8), 2);
	assert_int_equal(index[0], 1); /* its number among all launches of the kernel */
	assert_int_equal(kernel_named(&g, "odd(int)")->launches, 5); /* display only */
	assert_int_equal(g.r->kernel_ns, 300);
	g.sel.launch_skip = 100;
	then_report(&g);
	expect_starts(&g, "odd(int)", NULL, 0);
	given_release(&g);
}

static void in_ncu_mode_they_count_over_all_kernels(void **state)
{
	static const ks_ns even[] = { 200, 400 }, odd[] = { 300 }, last[] = { 900 };
	struct given g;

	(void)state;
	given_two_kernels(&g);
	g.sel.count_globally = true;
	g.sel.launch_skip = 2;
	g.sel.launch_count = 3; /* 200, 300, 400 */
	then_report(&g);
	expect_starts(&g, "even(int)", even, 2);
	expect_starts(&g, "odd(int)", odd, 1);
	g.sel.launch_skip = 9;
	g.sel.launch_count = 0;
	then_report(&g);
	expect_starts(&g, "odd(int)", last, 1);
	g.sel.launch_skip = 10;
	then_report(&g);
	expect_starts(&g, "odd(int)", NULL, 0);
	given_release(&g);
}

static void in_ncu_mode_only_matching_launches_count(void **state)
{
	static const ks_ns odd[] = { 300, 500 };
	struct given g;

	(void)state;
	given_two_kernels(&g);
	g.sel.count_globally = true;
	g.sel.kernel = KS_LIT("odd");
	g.sel.launch_skip = 1;
	g.sel.launch_count = 2;
	then_report(&g);
	expect_starts(&g, "odd(int)", odd, 2);
	given_release(&g);
}

static void ties_are_ordered_by_device_stream_and_correlation(void **state)
{
	struct given g;
	struct ks_launch_view v;
	bool got;
	/* as they are given: worst order first */
	static const int64_t row[][3] = { { 1, 3, 5 }, { 0, 9, 1 }, { 0, 3, 8 }, { 0, 3, 2 } };

	(void)state;
	given_trace(&g);
	g.sel.keep_launches = true;
	for (size_t i = 0; i < KS_ARRAY_LEN(row); i++) {
		struct ks_launch *l = given_launch(&g, "k", row[i][0], 1000, 10 + (ks_ns)i);

		l->stream = row[i][1];
		l->correlation = row[i][2];
	}
	then_report(&g);
	const struct ks_launch_log *log = g.r->launches;

	assert_int_equal(log->rewind(log->self, kernel_named(&g, "k(int)"), NULL), KS_OK);
	for (size_t i = KS_ARRAY_LEN(row); i > 0; i--) {
		assert_int_equal(log->next(log->self, &v, &got, NULL), KS_OK);
		assert_true(got);
		assert_int_equal(v.end_ns - v.start_ns, 10 + (ks_ns)i - 1);
		assert_int_equal(v.device, row[i - 1][0]);
		assert_int_equal(v.stream, row[i - 1][1]);
	}
	given_release(&g);
}

static void extreme_times_survive_packing(void **state)
{
	struct given g;
	struct ks_launch_view v;
	bool got;

	(void)state;
	given_trace(&g);
	g.sel.keep_launches = true;
	given_launch(&g, "k", 0, -(INT64_C(1) << 50), 1);
	given_launch(&g, "k", 0, INT64_C(1) << 50, INT64_C(1) << 49);
	given_launch(&g, "k", 0, 0, 1)->correlation = UINT32_MAX;
	then_report(&g);
	const struct ks_launch_log *log = g.r->launches;

	assert_int_equal(log->rewind(log->self, kernel_named(&g, "k(int)"), NULL), KS_OK);
	assert_int_equal(log->next(log->self, &v, &got, NULL), KS_OK);
	assert_int_equal(v.start_ns, -(INT64_C(1) << 50));
	assert_int_equal(log->next(log->self, &v, &got, NULL), KS_OK);
	assert_int_equal(v.start_ns, 0);
	assert_int_equal(log->next(log->self, &v, &got, NULL), KS_OK);
	assert_int_equal(v.end_ns, (INT64_C(1) << 50) + (INT64_C(1) << 49));
	given_release(&g);
}

static void the_device_has_no_launches(void **state)
{
	struct given g;

	(void)state;
	given_two_kernels(&g);
	then_report(&g);
	expect_starts(&g, "(device)", NULL, 0);
	given_release(&g);
}

int test_launchlog(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(launches_are_kept_only_when_asked_for),
		cmocka_unit_test(each_kernel_comes_in_time_order_as_often_as_wanted),
		cmocka_unit_test(skip_and_count_choose_per_kernel),
		cmocka_unit_test(in_ncu_mode_they_count_over_all_kernels),
		cmocka_unit_test(in_ncu_mode_only_matching_launches_count),
		cmocka_unit_test(ties_are_ordered_by_device_stream_and_correlation),
		cmocka_unit_test(extreme_times_survive_packing),
		cmocka_unit_test(the_device_has_no_launches),
	};

	return cmocka_run_group_tests_name("launchlog", tests, NULL, NULL);
}
