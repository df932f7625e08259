/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of the timeline about devices and kernels, from whole traces whose answer is arithmetic:
 * what ran at once, idle gaps with their neighbours, the profiler's overhead, kernels beside
 * collectives.
 */
#include "all.h"

#define MS INT64_C(1000000)

/* Device 0, in ms:   gemm 0..40 and 90..100, all-reduce 30..60, copy 50..70, nothing 70..90.
 * Alone: gemm 30 + 10, copy 10, all-reduce 10; gemm and all-reduce 10, copy and all-reduce 10. */
static void given_step(struct given *g)
{
	given_trace(g);
	g->sel.timeline = true;
	given_gpu(g, 0, 8, 0, 108);
	given_launch(g, "gemm", 0, 0, 40 * MS);
	given_launch(g, "ncclDevKernel_AllReduce", 0, 30 * MS, 30 * MS)->stream = 20;
	given_launch(g, "gemm", 0, 90 * MS, 10 * MS);
	given_copy(g, 0, 50 * MS, 20 * MS);
}

static double device_ms(const struct given *g, const char *name)
{
	const struct ks_ev *row = row_of(g, "(device)", name);

	assert_null(row->refused);
	return row->value.d;
}

static void every_mix_of_work_has_its_time(void **state)
{
	static const struct {
		const char *name;
		double ms;
	} want[] = {
		{ "ks__device_0__time_compute_ms", 40.0 },
		{ "ks__device_0__time_copy_ms", 10.0 },
		{ "ks__device_0__time_comm_ms", 10.0 },
		{ "ks__device_0__time_compute_copy_ms", 0.0 },
		{ "ks__device_0__time_compute_comm_ms", 10.0 },
		{ "ks__device_0__time_copy_comm_ms", 10.0 },
		{ "ks__device_0__time_compute_copy_comm_ms", 0.0 },
		{ "ks__device_0__busy_ms", 80.0 },
		{ "ks__device_0__kernel_busy_ms", 70.0 },
		{ "ks__device_0__idle_ms", 20.0 },
		{ "ks__device_0__idle_share_pct", 20.0 },
		{ "ks__device_0__idle_gap_max_ms", 20.0 },
	};
	struct given g;

	(void)state;
	given_step(&g);
	then_report(&g);
	for (size_t i = 0; i < KS_ARRAY_LEN(want); i++)
		expect_near(device_ms(&g, want[i].name), want[i].ms, 1e-12);
	expect_int(row_of(&g, "(device)", "ks__device_0__max_concurrent_streams"), 2);
	expect_int(row_of(&g, "(device)", "ks__device_0__idle_gap_count"), 1);
	assert_int_equal(g.r->timeline->device[0].comm_sum_ns, 30 * MS);
	given_release(&g);
}

static void expect_gap(const struct ks_report *r, size_t i, ks_ns start_ms, ks_ns end_ms,
		       const char *before, const char *after)
{
	const struct ks_gap *gap = &r->timeline->gap[i];

	assert_true(i < r->timeline->n_gaps);
	assert_int_equal(gap->start_ns, start_ms * MS);
	assert_int_equal(gap->end_ns, end_ms * MS);
	assert_string_equal(gap->before.p, before);
	assert_string_equal(gap->after.p, after);
}

static void a_gap_says_what_was_before_and_after(void **state)
{
	struct given g;

	(void)state;
	given_step(&g);
	given_launch(&g, "relu", 0, 120 * MS, 30 * MS)->stream = 8;
	given_launch(&g, "bias", 0, 120 * MS, 10 * MS)->stream = 9; /* the smaller name of two */
	given_copy(&g, 0, 180 * MS, 1 * MS)->kind = KS_COPY_DTOH;
	then_report(&g);
	assert_int_equal(g.r->timeline->n_gaps, 3);
	expect_gap(g.r, 0, 150, 180, "relu", "copy dtoh");
	expect_gap(g.r, 1, 70, 90, "copy htod", "gemm");
	expect_gap(g.r, 2, 100, 120, "gemm", "bias");
	given_release(&g);
}

/* -k chooses kernels to show; what a gap's neighbours are called does not depend on it. */
static void neighbours_of_a_gap_need_not_be_selected(void **state)
{
	struct given g;

	(void)state;
	given_step(&g);
	given_launch(&g, "relu", 0, 120 * MS, 30 * MS);
	g.sel.kernel = KS_LIT("gemm");
	then_report(&g);
	expect_gap(g.r, 1, 100, 120, "gemm", "relu");
	assert_int_equal(g.r->timeline->n_comm_kernels, 1);
	given_release(&g);
}

static void a_kernel_is_told_apart_by_running_collectives(void **state)
{
	struct given g;

	(void)state;
	given_step(&g);
	then_report(&g);
	expect_real(row_of(&g, "gemm(int)", "ks__kernel_time_with_comm_ms"), 10.0);
	expect_real(row_of(&g, "gemm(int)", "ks__kernel_time_without_comm_ms"), 40.0);
	expect_real(row_of(&g, "gemm(int)", "ks__launch_time_p50_with_comm"), 40.0);
	expect_real(row_of(&g, "gemm(int)", "ks__launch_time_p50_without_comm"), 10.0);
	assert_false(has_row(&g, "ncclDevKernel_AllReduce(int)", "ks__kernel_time_with_comm_ms"));
	const struct ks_timeline *t = g.r->timeline;

	assert_int_equal(t->n_comm_kernels, 1);
	assert_string_equal(t->comm_kernel[0].kernel.p, "gemm(int)");
	assert_int_equal(t->comm_kernel[0].with_launches, 1);
	assert_int_equal(t->comm_kernel[0].without_launches, 1);
	assert_int_equal(t->comm_kernel[0].with_median_ns, 40 * MS);
	given_release(&g);
}

/* Most time beside collectives first, equal ones by name; 200 are listed, and no more. */
static void the_list_of_kernels_beside_collectives_is_bounded(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	g.sel.timeline = true;
	given_gpu(&g, 0, 8, 0, 108);
	given_launch(&g, "ncclKernel", 0, 0, 1000 * MS)->stream = 20;
	for (int i = 0; i < 210; i++) { /* named k000 to k209, of 1, 2 and 3 ms */
		const ks_str name = ks_arena_fmt(&g.arena, "k%03d", i);

		given_launch(&g, name.p, 0, 4 * i * MS, (1 + i % 3) * MS);
	}
	then_report(&g);
	const struct ks_timeline *t = g.r->timeline;

	assert_int_equal(t->n_comm_kernels, 200);
	assert_string_equal(t->comm_kernel[0].kernel.p, "k002(int)");
	assert_string_equal(t->comm_kernel[1].kernel.p, "k005(int)");
	assert_string_equal(t->comm_kernel[70].kernel.p, "k001(int)");
	assert_string_equal(t->comm_kernel[199].kernel.p, "k177(int)"); /* the 60th of 1 ms */
	given_release(&g);
}

/* --- the profiler's overhead ---------------------------------------------------------------------
 */

static void overhead_in_idle_time_is_shown(void **state)
{
	struct given g;

	(void)state;
	given_step(&g);
	given_overhead(&g, INT64_C(7) << 24 | 1, 65 * MS, 75 * MS); /* 5 ms while idle */
	given_overhead(&g, INT64_C(7) << 24 | 2, 72 * MS, 77 * MS); /* 2 ms more */
	given_overhead(&g, INT64_C(9) << 24 | 1, 70 * MS, 90 * MS); /* uses no device */
	given_overhead(&g, INT64_C(7) << 24 | 1, 80 * MS, 85 * MS)->profiler = false;
	then_report(&g);
	expect_real(row_of(&g, "(device)", "ks__device_0__idle_overhead_ms"), 7.0);
	assert_int_equal(g.r->timeline->gap[0].overhead_ns, 7 * MS);
	given_release(&g);
}

static void overhead_that_was_not_recorded_is_not_zero(void **state)
{
	struct given g;

	(void)state;
	given_step(&g);
	then_report(&g);
	expect_refused(row_of(&g, "(device)", "ks__device_0__idle_overhead_ms"),
		       KS_REFUSAL_METRIC_ABSENT);
	given_release(&g);
}

/* --- several devices -----------------------------------------------------------------------------
 */

static void devices_share_one_span(void **state)
{
	struct given g;

	(void)state;
	given_step(&g);
	given_gpu(&g, 1, 8, 0, 108);
	given_launch(&g, "gemm", 1, 10 * MS, 20 * MS);
	then_report(&g);
	expect_near(device_ms(&g, "ks__device_1__idle_ms"), 80.0, 1e-12);
	expect_int(row_of(&g, "(device)", "ks__device_1__idle_gap_count"), 2);
	expect_near(device_ms(&g, "ks__device_1__idle_gap_max_ms"), 70.0, 1e-12);
	expect_gap(g.r, 0, 30, 100, "gemm", ""); /* the end of the span */
	expect_gap(g.r, 2, 0, 10, "", "gemm");
	assert_int_equal(g.r->timeline->gap[0].gpu, 1);
	g.sel.device = (const int64_t[]){ 1 };
	g.sel.n_devices = 1;
	then_report(&g);
	assert_false(has_row(&g, "(device)", "ks__device_0__idle_gap_count"));
	assert_int_equal(g.r->timeline->n_gaps, 2);
	assert_int_equal(g.r->timeline->gap[0].gpu, 0); /* the first in the report */
	given_release(&g);
}

static void a_device_without_number_has_rows_too(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	g.sel.timeline = true;
	given_launch(&g, "k", KS_UNKNOWN, 0, 10 * MS);
	given_launch(&g, "k", KS_UNKNOWN, 30 * MS, 10 * MS);
	then_report(&g);
	expect_near(device_ms(&g, "ks__device_unknown__idle_gap_max_ms"), 20.0, 1e-12);
	given_release(&g);
}

static void a_device_that_only_copies_has_no_streams_of_kernels(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	g.sel.timeline = true;
	given_gpu(&g, 0, 8, 0, 108);
	given_copy(&g, 0, 0, 10 * MS);
	then_report(&g);
	assert_false(has_row(&g, "(device)", "ks__device_0__max_concurrent_streams"));
	expect_near(device_ms(&g, "ks__device_0__time_copy_ms"), 10.0, 1e-12);
	expect_int(row_of(&g, "(device)", "ks__device_0__idle_gap_count"), 0);
	given_release(&g);
}

/* --- order, and without a timeline ---------------------------------------------------------------
 */

static void reverse(struct given *g)
{
	for (size_t i = 0; i < g->n_launches / 2; i++) {
		const struct ks_launch t = g->launch[i];

		g->launch[i] = g->launch[g->n_launches - 1 - i];
		g->launch[g->n_launches - 1 - i] = t;
	}
}

static void rows_in_reverse_give_the_same_gaps(void **state)
{
	struct given g;

	(void)state;
	given_step(&g);
	for (int i = 0; i < 3; i++) { /* three that start and end together */
		given_launch(&g, i == 1 ? "alpha" : "zeta", 0, 120 * MS, 10 * MS)->stream = 30 + i;
		given_launch(&g, i == 2 ? "beta" : "omega", 1, 0, 10 * MS)->stream = 30 + i;
	}
	for (int pass = 0; pass < 2; pass++) {
		then_report(&g);
		assert_int_equal(g.r->timeline->n_gaps, 3);
		expect_gap(g.r, 0, 10, 130, "beta", "");
		expect_gap(g.r, 1, 70, 90, "copy htod", "gemm");
		expect_gap(g.r, 2, 100, 120, "gemm", "alpha");
		expect_int(row_of(&g, "(device)", "ks__device_0__max_concurrent_streams"), 3);
		reverse(&g);
	}
	given_release(&g);
}

static void without_a_timeline_there_are_no_such_rows(void **state)
{
	struct given g;

	(void)state;
	given_step(&g);
	g.sel.timeline = false;
	then_report(&g);
	assert_null(g.r->timeline);
	assert_false(has_row(&g, "(device)", "ks__device_0__time_compute_ms"));
	assert_false(has_row(&g, "gemm(int)", "ks__kernel_time_with_comm_ms"));
	expect_near(device_ms(&g, "ks__device_0__busy_ms"), 80.0, 1e-12);
	given_release(&g);
}

int test_sec_time(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_mix_of_work_has_its_time),
		cmocka_unit_test(a_gap_says_what_was_before_and_after),
		cmocka_unit_test(neighbours_of_a_gap_need_not_be_selected),
		cmocka_unit_test(a_kernel_is_told_apart_by_running_collectives),
		cmocka_unit_test(the_list_of_kernels_beside_collectives_is_bounded),
		cmocka_unit_test(overhead_in_idle_time_is_shown),
		cmocka_unit_test(overhead_that_was_not_recorded_is_not_zero),
		cmocka_unit_test(devices_share_one_span),
		cmocka_unit_test(a_device_without_number_has_rows_too),
		cmocka_unit_test(a_device_that_only_copies_has_no_streams_of_kernels),
		cmocka_unit_test(rows_in_reverse_give_the_same_gaps),
		cmocka_unit_test(without_a_timeline_there_are_no_such_rows),
	};

	return cmocka_run_group_tests_name("sec_time", tests, NULL, NULL);
}
