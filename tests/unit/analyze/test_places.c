/* SPDX-License-Identifier: Apache-2.0
 *
 * On which device, process and stream a kernel ran: made-up rows, sums worked out by hand.
 */
#include "all.h"

#define PID(n) (INT64_C(n) << 24)

struct expected {
	size_t gpu;
	int64_t pid, stream;
	uint64_t launches;
	ks_ns total_ns;
};

static void expect_places(const struct given *g, const char *kernel, const struct expected *want,
			  size_t n)
{
	const struct ks_kernel *k = kernel_named(g, kernel);

	assert_int_equal(k->n_places, n);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(k->place[i].gpu, want[i].gpu);
		assert_int_equal(k->place[i].pid, want[i].pid);
		assert_int_equal(k->place[i].stream, want[i].stream);
		assert_int_equal(k->place[i].launches, want[i].launches);
		assert_int_equal(k->place[i].total_ns, want[i].total_ns);
	}
}

static void given_row(struct given *g, ks_ns start, ks_ns duration, int64_t pid, int64_t stream)
{
	struct ks_launch *l = given_launch(g, "k", 0, start, duration);

	l->process = pid;
	l->stream = stream;
}

static void contexts_of_a_process_are_one_place(void **state)
{
	static const struct expected want[] = {
		{ 0, 7, 20, 1, 500 },
		{ 0, 7, 7, 3, 130 },
		{ 0, 8, 7, 1, 9 },
	};
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 8, 9, 128);
	given_launch(&g, "k", 0, 0, 100);
	given_launch(&g, "k", 0, 200, 20)->context = 2;
	given_launch(&g, "k", 0, 300, 10)->grid[0] = 99; /* another configuration */
	given_row(&g, 1000, 9, PID(8), 7);
	given_row(&g, 2000, 500, PID(7), 20);
	given_launch(&g, "other", 0, 5000, 1);
	then_report(&g);
	expect_places(&g, "k(int)", want, KS_ARRAY_LEN(want));
	given_release(&g);
}

static void equal_times_are_ordered_by_device_process_and_stream(void **state)
{
	static const struct expected want[] = {
		{ 0, 7, 3, 1, 100 },
		{ 0, 7, 20, 1, 100 },
		{ 0, 9, 1, 1, 100 },
		{ 1, 7, 7, 1, 100 },
	};
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 8, 9, 128);
	given_gpu(&g, 1, 8, 9, 128);
	given_launch(&g, "k", 1, 0, 100);
	given_row(&g, 1000, 100, PID(9), 1);
	given_row(&g, 2000, 100, PID(7), 20);
	given_row(&g, 3000, 100, PID(7), 3);
	then_report(&g);
	expect_places(&g, "k(int)", want, KS_ARRAY_LEN(want));
	given_release(&g);
}

/* Streams take turns, so that every launch of the kernel comes after one on another stream. */
static void many_streams_in_turn_lose_nothing(void **state)
{
	uint64_t seed = 11, launches[50] = { 0 };
	ks_ns total[50] = { 0 };
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 8, 9, 128);
	for (int i = 0; i < 5000; i++) {
		const size_t stream = next_random(&seed) % 50;
		const ks_ns duration = 1 + (ks_ns)(next_random(&seed) % 1000);

		given_row(&g, 2000 * i, duration, PID(7), (int64_t)stream);
		launches[stream]++;
		total[stream] += duration;
	}
	then_report(&g);
	const struct ks_kernel *k = kernel_named(&g, "k(int)");

	assert_int_equal(k->n_places, 50);
	for (size_t i = 0; i < k->n_places; i++) {
		assert_int_equal(k->place[i].launches, launches[k->place[i].stream]);
		assert_int_equal(k->place[i].total_ns, total[k->place[i].stream]);
		assert_true(i == 0 || k->place[i - 1].total_ns >= k->place[i].total_ns);
	}
	given_release(&g);
}

static void what_is_not_recorded_stays_unknown(void **state)
{
	static const struct expected want[] = {
		{ 0, 7, 7, 1, 100 },
		{ 0, KS_UNKNOWN, KS_UNKNOWN, 1, 50 },
	};
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 8, 9, 128);
	given_launch(&g, "k", 0, 0, 100);
	given_row(&g, 1000, 50, KS_UNKNOWN, KS_UNKNOWN);
	then_report(&g);
	expect_places(&g, "k(int)", want, KS_ARRAY_LEN(want));
	given_release(&g);
}

static void unusable_rows_are_nowhere(void **state)
{
	static const struct expected want[] = { { 0, 7, 7, 1, 100 } };
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 8, 9, 128);
	given_launch(&g, "k", 0, 0, 100);
	given_row(&g, 1000, 0, PID(7), 7);
	given_row(&g, 2000, -5, PID(7), 99);
	then_report(&g);
	assert_int_equal(kernel_named(&g, "k(int)")->bad_rows, 2);
	expect_places(&g, "k(int)", want, KS_ARRAY_LEN(want));
	given_release(&g);
}

static void devices_that_were_not_chosen_are_left_out(void **state)
{
	static const struct expected want[] = { { 0, 7, 7, 1, 300 } };
	const int64_t one = 1;
	struct given g;

	(void)state;
	given_trace(&g);
	given_launch(&g, "k", 0, 0, 700);
	given_launch(&g, "k", 1, 100, 300);
	g.sel.device = &one;
	g.sel.n_devices = 1;
	then_report(&g);
	expect_places(&g, "k(int)", want, KS_ARRAY_LEN(want));
	assert_int_equal(g.r->gpu[0].label, 1);
	given_release(&g);
}

static void skipped_launches_are_left_out(void **state)
{
	static const struct expected want[] = { { 0, 7, 9, 1, 30 }, { 0, 7, 8, 1, 20 } };
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 8, 9, 128);
	given_row(&g, 3000, 30, PID(7), 9);
	given_row(&g, 2000, 20, PID(7), 8);
	given_row(&g, 1000, 10, PID(7), 8);
	given_row(&g, 0, 500, PID(7), 1);
	g.sel.skip_before_match = 2;
	then_report(&g);
	expect_places(&g, "k(int)", want, KS_ARRAY_LEN(want));
	given_release(&g);
}

int test_places(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contexts_of_a_process_are_one_place),
		cmocka_unit_test(equal_times_are_ordered_by_device_process_and_stream),
		cmocka_unit_test(many_streams_in_turn_lose_nothing),
		cmocka_unit_test(what_is_not_recorded_stays_unknown),
		cmocka_unit_test(unusable_rows_are_nowhere),
		cmocka_unit_test(devices_that_were_not_chosen_are_left_out),
		cmocka_unit_test(skipped_launches_are_left_out),
	};

	return cmocka_run_group_tests_name("places", tests, NULL, NULL);
}
