/* SPDX-License-Identifier: Apache-2.0
 *
 * Several devices, streams and processes: parts add up, unions are per device, and a number that
 * differs between devices is nobody's.
 */
#include "all.h"

static void two_devices_have_their_own_totals_and_unions(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 8, 9, 128);
	given_gpu(&g, 1, 8, 9, 128);
	given_launch(&g, "k", 0, 0, 100);
	given_launch(&g, "k", 0, 50, 100); /* overlaps: union 150 */
	given_launch(&g, "k", 1, 500, 200);
	given_copy(&g, 0, 140, 60); /* with kernels: 0..200 */
	given_copy(&g, 1, 900, 100);
	then_report(&g);
	assert_int_equal(g.r->n_gpus_used, 2);
	assert_true(g.r->multi_device);
	assert_int_equal(g.r->span_ns, 1000);
	assert_int_equal(g.r->gpu[0].kernel_ns, 200);
	assert_int_equal(g.r->gpu[0].kernel_busy_ns, 150);
	assert_int_equal(g.r->gpu[0].busy_ns, 200);
	assert_int_equal(g.r->gpu[0].idle_ns, 800);
	expect_int(row_of(&g, "(device)", "ks__device_count"), 2);
	expect_real(row_of(&g, "(device)", "ks__device_1__busy_ms"), 3e-4);
	expect_real(row_of(&g, "(device)", "ks__device_1__idle_ms"), 7e-4);
	expect_int(row_of(&g, "(device)", "ks__device_0__launch_count"), 2);
	expect_int(row_of(&g, "(device)", "ks__device_0__kernels"), 1);
	expect_refused(row_of(&g, "(device)", "est__single_device_kernel_share_pct"),
		       KS_REFUSAL_MULTI_DEVICE_AGGREGATE);
	given_release(&g);
}

static void streams_and_processes_are_summed(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 8, 9, 128);
	g.process[g.n_processes++] =
		(struct ks_trace_process){ INT64_C(7) << 24, 7, KS_LIT("trainer") };
	given_launch(&g, "k", 0, 0, 100);
	given_launch(&g, "k", 0, 200, 30)->context = 2; /* same stream number in another context */
	given_launch(&g, "k", 0, 400, 7)->stream = 20;
	given_launch(&g, "k", 0, 600, 1)->process = INT64_C(8) << 24;
	then_report(&g);
	assert_true(g.r->multi_process);
	assert_int_equal(g.r->n_processes, 2);
	assert_string_equal(g.r->process[0].name.p, "trainer");
	assert_int_equal(g.r->process[0].kernel_ns, 137);
	assert_int_equal(g.r->n_streams, 3); /* (7, stream 7), (7, stream 20), (8, stream 7) */
	expect_real(row_of(&g, "(device)", "ks__device_0__stream_7__kernel_ms"), 131e-6);
	expect_int(row_of(&g, "(device)", "ks__device_0__stream_7__launch_count"), 3);
	expect_int(row_of(&g, "(device)", "ks__device_0__stream_20__launch_count"), 1);
	expect_real(row_of(&g, "(device)", "ks__process_8__kernel_ms"), 1e-6);
	expect_int(row_of(&g, "(device)", "ks__process_7__launch_count"), 3);
	given_release(&g);
}

static void one_ordinal_in_two_processes_can_be_two_devices(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 8, 9, 128);
	given_gpu(&g, 1, 9, 0, 132);
	g.map[g.n_maps++] = (struct ks_trace_gpu_map){ 0, 0, 7, KS_STR_NONE, 128 };
	g.map[g.n_maps++] = (struct ks_trace_gpu_map){ 1, 0, 8, KS_STR_NONE, 132 };
	given_launch(&g, "k", 0, 0, 100);
	given_launch(&g, "k", 0, 50, 100)->process = INT64_C(8) << 24;
	then_report(&g);
	assert_int_equal(g.r->n_gpus_used, 2);
	assert_int_equal(g.r->gpu[0].kernel_busy_ns, 100);
	assert_int_equal(g.r->gpu[1].kernel_busy_ns, 100);
	assert_int_equal(g.r->gpu[1].cc_major, 9);
	given_release(&g);
}

static void devices_that_disagree_give_no_occupancy(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 7, 5, 40);  /* 1024 threads per SM: 4 blocks of 256 */
	given_gpu(&g, 1, 8, 9, 128); /* 1536: 6 blocks */
	given_launch(&g, "k", 0, 0, 100);
	given_launch(&g, "k", 1, 0, 100);
	given_launch(&g, "one", 0, 200, 50);
	then_report(&g);
	/* both give 100 %, yet with different blocks per SM */
	expect_refused(row_of(&g, "k(int)", "ks__blocks_per_sm"),
		       KS_REFUSAL_MULTI_DEVICE_AGGREGATE);
	const struct ks_ev *row = row_of(&g, "k(int)", "ks__theoretical_occupancy_pct");

	expect_refused(row, KS_REFUSAL_MULTI_DEVICE_AGGREGATE);
	assert_int_equal(row->refused->n_observed, 1);
	assert_int_equal(row->refused->n_threshold, 1);
	expect_int(row_of(&g, "one(int)", "ks__blocks_per_sm"), 4);
	given_release(&g);
}

static void devices_of_one_kind_agree_but_not_on_waves(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 8, 9, 128);
	given_gpu(&g, 1, 8, 9, 64);
	given_launch(&g, "k", 0, 0, 100);
	given_launch(&g, "k", 1, 0, 100);
	then_report(&g);
	expect_int(row_of(&g, "k(int)", "ks__blocks_per_sm"), 6);
	expect_refused(row_of(&g, "k(int)", "ks__grid_waves"), KS_REFUSAL_MULTI_DEVICE_AGGREGATE);
	given_release(&g);
}

static void a_row_without_device_is_never_device_0(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 8, 9, 128);
	given_launch(&g, "k", KS_UNKNOWN, 0, 100);
	given_launch(&g, "k", 0, 0, 100);
	then_report(&g);
	assert_int_equal(g.r->n_gpus_used, 2);
	expect_int(row_of(&g, "(device)", "ks__device_unknown__launch_count"), 1);
	expect_int(row_of(&g, "(device)", "ks__device_0__launch_count"), 1);
	assert_true(has_note(&g, "carry no device"));
	given_release(&g);
}

static void an_unknown_architecture_is_refused(void **state)
{
	static const struct {
		int64_t major, minor;
	} none[] = { { 0, 0 }, { KS_UNKNOWN, KS_UNKNOWN }, { 8, 5 }, { 99, 0 }, { INT64_MAX, 1 } };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(none); i++) {
		struct given g;

		given_trace(&g);
		given_gpu(&g, 0, none[i].major, none[i].minor, 128);
		given_launch(&g, "k", 0, 0, 100);
		then_report(&g);
		expect_refused(row_of(&g, "k(int)", "ks__theoretical_occupancy_pct"),
			       KS_REFUSAL_UNKNOWN_ARCH);
		expect_refused(row_of(&g, "k(int)", "ks__occupancy_limiter"),
			       KS_REFUSAL_UNKNOWN_ARCH);
		expect_refused(row_of(&g, "k(int)", "ks__grid_waves"), KS_REFUSAL_UNKNOWN_ARCH);
		given_release(&g);
	}
}

static void a_device_without_any_row_of_facts_is_said_to_be_unknown(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_launch(&g, "k", 3, 0, 100);
	then_report(&g);
	assert_false(g.r->gpu[0].resolved);
	assert_int_equal(g.r->gpu[0].label, 3);
	assert_true(has_note(&g, "holds no facts"));
	expect_refused(row_of(&g, "k(int)", "ks__theoretical_occupancy_pct"),
		       KS_REFUSAL_UNKNOWN_ARCH);
	given_release(&g);
}

static void waves_and_the_tail_are_arithmetic(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 8, 9, 10);
	given_launch(&g, "k", 0, 0, 100)->grid[0] = 150; /* 6 blocks per SM x 10 SMs = 60 at once */
	given_launch(&g, "whole", 0, 200, 50)->grid[0] = 120;
	then_report(&g);
	expect_real(row_of(&g, "k(int)", "ks__grid_waves"), 2.5);
	expect_real(row_of(&g, "k(int)", "ks__tail_wave_fill_pct"), 50.0);
	expect_real(row_of(&g, "whole(int)", "ks__grid_waves"), 2.0);
	expect_real(row_of(&g, "whole(int)", "ks__tail_wave_fill_pct"), 100.0);
	given_release(&g);
}

static void a_launch_that_cannot_have_run_is_inconsistent(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 8, 9, 128);
	given_launch(&g, "fat", 0, 0, 100)->dynamic_smem = 200 * 1024;
	given_launch(&g, "wide", 0, 200, 100)->block[0] = 2048;
	given_launch(&g, "empty", 0, 400, 100)->block[0] = 0;
	then_report(&g);
	const char *const all[] = { "fat(int)", "wide(int)", "empty(int)" };

	for (size_t i = 0; i < KS_ARRAY_LEN(all); i++) {
		const struct ks_ev *row = row_of(&g, all[i], "ks__theoretical_occupancy_pct");

		expect_refused(row, KS_REFUSAL_INCONSISTENT_EVIDENCE);
		assert_string_equal(row->refused->rule.p, "launch_fits_device");
	}
	given_release(&g);
}

static void what_was_assumed_is_said(void **state)
{
	struct given g;
	struct ks_trace_gpu *gpu;

	(void)state;
	given_trace(&g);
	gpu = given_gpu(&g, 0, 8, 9, 128);
	gpu->max_warps_per_sm = 48;
	gpu->threads_per_warp = 32;
	gpu->max_regs_per_sm = 65536;
	gpu->max_smem_per_sm = 102400;
	gpu->max_blocks_per_sm = 0; /* as 2022 exports write it: unknown */
	given_launch(&g, "k", 0, 0, 100)->dynamic_smem = 1024;
	given_launch(&g, "known", 0, 200, 50)->smem_executed = 65536;
	then_report(&g);
	const char *note =
		english(&g, &row_of(&g, "k(int)", "ks__theoretical_occupancy_pct")->note);

	assert_non_null(strstr(note, "block_limit"));
	assert_null(strstr(note, "warps"));
	assert_non_null(strstr(note, "carve-out"));
	note = english(&g, &row_of(&g, "known(int)", "ks__theoretical_occupancy_pct")->note);
	assert_null(strstr(note, "carve-out"));
	given_release(&g);
}

static void the_executed_carve_out_counts_from_7_0_on(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 8, 9, 128);
	given_gpu(&g, 1, 6, 1, 10);
	struct ks_launch *l = given_launch(&g, "k", 0, 0, 100);

	/* 15 KiB + 1 KiB reserve = 16 KiB: 64 KiB hold 4, 100 KiB hold 6 */
	l->dynamic_smem = 15 * 1024;
	l->smem_executed = 64 * 1024;
	l = given_launch(&g, "old", 1, 0, 50);
	l->dynamic_smem = 16 * 1024; /* 96 KiB / 16 KiB = 6, whatever the column says */
	l->smem_executed = 32 * 1024;
	then_report(&g);
	expect_int(row_of(&g, "k(int)", "ks__blocks_per_sm"), 4);
	expect_text(row_of(&g, "k(int)", "ks__occupancy_limiter"), "shared_mem");
	expect_int(row_of(&g, "old(int)", "ks__blocks_per_sm"), 6);
	given_release(&g);
}

/* The ceiling of the table limits.def; memory is not what is short. */
static void more_devices_than_any_machine_has_are_an_input_error(void **state)
{
	for (int copies = 0; copies < 2; copies++) {
		struct given g;

		(void)state;
		given_trace(&g);
		for (int64_t i = 0; i <= 4096; i++) {
			if (copies)
				given_copy(&g, i, 100 * i, 50);
			else
				given_launch(&g, "k", i, 100 * i, 50);
		}
		assert_int_equal(when_analysed(&g), KS_E_INPUT);
		assert_non_null(strstr(error_text(&g), "DEVICES = 4096"));
		given_release(&g);
	}
}

int test_devices(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_devices_have_their_own_totals_and_unions),
		cmocka_unit_test(streams_and_processes_are_summed),
		cmocka_unit_test(one_ordinal_in_two_processes_can_be_two_devices),
		cmocka_unit_test(devices_that_disagree_give_no_occupancy),
		cmocka_unit_test(devices_of_one_kind_agree_but_not_on_waves),
		cmocka_unit_test(a_row_without_device_is_never_device_0),
		cmocka_unit_test(an_unknown_architecture_is_refused),
		cmocka_unit_test(a_device_without_any_row_of_facts_is_said_to_be_unknown),
		cmocka_unit_test(waves_and_the_tail_are_arithmetic),
		cmocka_unit_test(a_launch_that_cannot_have_run_is_inconsistent),
		cmocka_unit_test(what_was_assumed_is_said),
		cmocka_unit_test(more_devices_than_any_machine_has_are_an_input_error),
		cmocka_unit_test(the_executed_carve_out_counts_from_7_0_on),
	};

	return cmocka_run_group_tests_name("devices", tests, NULL, NULL);
}
