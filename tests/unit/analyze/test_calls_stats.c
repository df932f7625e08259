/* SPDX-License-Identifier: Apache-2.0
 *
 * What calls took by name, how long launches took to reach the device, and the rows made of it: all
 * by hand, and many latencies against the value of their rank.
 */
#include "calls_world.h"

#include <stdio.h>

#include "analyze/apiword.h"

#define SPILLED 1 /* raised to the least budget of a sorter, 16 KiB: 682 calls */

/* --- by name -------------------------------------------------------------------------------------
 */

static void names_of_calls_are_known_without_their_suffixes(void **state)
{
	static const struct {
		const char *name;
		enum ks_api_kind kind;
	} c[] = {
		{ "cudaLaunchKernel_v7000", KS_API_LAUNCH },
		{ "cudaLaunchKernel_ptsz_v7000", KS_API_LAUNCH },
		{ "cudaLaunchKernelExC_v11060", KS_API_LAUNCH },
		{ "cuLaunchKernel", KS_API_LAUNCH },
		{ "cuLaunchKernelEx_ptsz", KS_API_LAUNCH },
		{ "cudaGraphLaunch_v10000", KS_API_GRAPH },
		{ "cuGraphLaunch", KS_API_GRAPH },
		{ "cudaDeviceSynchronize_v3020", KS_API_SYNC },
		{ "cuCtxSynchronize_v2", KS_API_SYNC },
		{ "cudaStreamIsCapturing_v10000", KS_API_OTHER },
		{ "cudaMemcpy_v3020", KS_API_COPY },
		{ "cudaMemcpyAsync_v3020", KS_API_OTHER },
		{ "cuMemcpyDtoH_v2", KS_API_COPY },
		{ "cudaMemset_v3020", KS_API_MEMSET },
		{ "cudaMemsetAsync_v3020", KS_API_OTHER },
		{ "cudaMallocAsync_v11020", KS_API_OTHER },
		{ "cuMemFree_v2", KS_API_ALLOC },
		{ "cuModuleLoadDataEx", KS_API_MODULE },
		{ "cudaLaunchKernel_v", KS_API_OTHER },
		{ "cudaLaunchHostFunc_v10000", KS_API_OTHER },
		{ "_v7000", KS_API_OTHER },
		{ "v7000", KS_API_OTHER },
		{ "", KS_API_OTHER },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(c); i++)
		assert_int_equal(ks_api_kind(ks_str_c(c[i].name)), c[i].kind);
}

static void put_result(struct world *w, int64_t id, ks_ns length, int64_t result, const char *name)
{
	const struct ks_call row = { .start_ns = id * 1000,
				     .end_ns = id * 1000 + length,
				     .thread = TID(1, 1),
				     .correlation = id,
				     .result = result,
				     .chain = KS_UNKNOWN };

	put_row(w, &row, name);
}

static void given_some_calls(struct world *w)
{
	put_result(w, 1, 20, 0, "cudaMalloc_v3020");
	put_result(w, 2, 30, 2, "cudaMalloc_v3020"); /* out of memory */
	put_result(w, 3, 10, KS_UNKNOWN, "cudaLaunchKernel_v7000");
	put_result(w, 4, 14, 0, "cudaLaunchKernel_v7000");
	put_result(w, 5, 6, 0, "cudaGraphLaunch_v10000");
	put_result(w, 6, 500, 0, "cudaStreamSynchronize_v3020");
	put_result(w, 7, 300, 700, "cuCtxSynchronize");
	put_result(w, 8, 50, 600, "cudaEventQuery_v3020"); /* not ready: no failure */
	put_result(w, 9, 50, 0, NULL);			   /* no name */
	no_more_calls(w);
}

static void calls_are_listed_by_time_then_name(void **state)
{
	static const struct {
		const char *name;
		uint64_t calls, failed;
		ks_ns total, max;
		bool sync, launch;
	} want[] = {
		{ "cudaStreamSynchronize_v3020", 1, 0, 500, 500, true, false },
		{ "cuCtxSynchronize", 1, 1, 300, 300, true, false },
		{ "", 1, 0, 50, 50, false, false },
		{ "cudaEventQuery_v3020", 1, 0, 50, 50, false, false },
		{ "cudaMalloc_v3020", 2, 1, 50, 30, false, false },
		{ "cudaLaunchKernel_v7000", 2, 0, 24, 14, false, true },
		{ "cudaGraphLaunch_v10000", 1, 0, 6, 6, false, true },
	};
	struct world w;

	(void)state;
	given_world(&w, 0);
	given_some_calls(&w);
	answer(&w);
	assert_int_equal(w.t.n_api, KS_ARRAY_LEN(want));
	for (size_t i = 0; i < KS_ARRAY_LEN(want); i++) {
		const struct ks_api_call *got = &w.t.api[i];

		assert_string_equal(got->name.p, want[i].name);
		assert_int_equal(got->calls, want[i].calls);
		assert_int_equal(got->failed, want[i].failed);
		assert_int_equal(got->total_ns, want[i].total);
		assert_int_equal(got->max_ns, want[i].max);
		assert_int_equal(got->is_sync, want[i].sync);
		assert_int_equal(got->is_launch, want[i].launch);
	}
	expect_int(device_row(&w, "ks__api_call_count"), 9);
	expect_int(device_row(&w, "ks__api_failed_count"), 2);
	expect_int(device_row(&w, "ks__launch_call_count"), 3);
	expect_real(device_row(&w, "ks__launch_call_ms"), 30e-6);
	expect_int(device_row(&w, "ks__sync_call_count"), 2);
	expect_real(device_row(&w, "ks__sync_call_ms"), 800e-6);
	expect_int(device_row(&w, "ks__graph_launch_calls"), 1);
	world_release(&w);
}

/* The string table of a trace may hold one text under two numbers. */
static void names_that_read_the_same_are_one(void **state)
{
	const struct ks_call row = { .start_ns = 5,
				     .end_ns = 12,
				     .thread = TID(1, 1),
				     .correlation = 1,
				     .chain = KS_UNKNOWN };
	struct world w;

	(void)state;
	given_world(&w, 0);
	const uint32_t first = world_name(&w, "cuA"), second = world_name(&w, "cuB");

	w.a.ref_text[second] = w.a.ref_text[first];
	assert_int_equal(ks_calls_add(w.a.calls, &row, first, NULL), KS_OK);
	assert_int_equal(ks_calls_add(w.a.calls, &row, second, NULL), KS_OK);
	no_more_calls(&w);
	answer(&w);
	assert_int_equal(w.t.n_api_names, 1);
	assert_int_equal(w.t.api[0].calls, 2);
	assert_int_equal(w.t.api[0].total_ns, 14);
	world_release(&w);
}

/* 1000 names: all counted, as many listed as fit. */
static void a_list_of_names_ends_but_counts_all(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	for (int i = 0; i < 1000; i++) {
		char name[32];

		(void)snprintf(name, sizeof(name), "cu%04d", i);
		put_call(&w, TID(1, 1), i + 1, 0, 1000 - i, name);
	}
	no_more_calls(&w);
	answer(&w);
	assert_int_equal(w.t.n_api_names, 1000);
	assert_int_equal(w.t.n_api, 200);
	assert_string_equal(w.t.api[199].name.p, "cu0199");
	expect_int(device_row(&w, "ks__api_call_count"), 1000);
	world_release(&w);
}

static void times_of_calls_are_cut_to_the_window(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	w.window = (struct ks_window){ .on = true, .from = 100, .to = 200 };
	put_call(&w, TID(1, 1), 1, 0, 100, "cuX");	    /* ends at its edge: outside */
	put_call(&w, TID(1, 1), 2, 50, 130, "cuX");	    /* 30 inside */
	put_call(&w, TID(1, 1), 3, 100, 100, "cuX");	    /* no length, inside */
	put_call(&w, TID(1, 1), 4, 150, KS_UNKNOWN, "cuX"); /* no end, inside */
	put_call(&w, TID(1, 1), 5, 190, 400, "cuX");	    /* 10 inside */
	put_call(&w, TID(1, 1), 6, 200, 210, "cuX");	    /* outside */
	no_more_calls(&w);
	answer(&w);
	assert_int_equal(w.t.api[0].calls, 4);
	assert_int_equal(w.t.api[0].total_ns, 40);
	assert_int_equal(w.t.api[0].max_ns, 30);
	assert_true(find(&w, PID(1), 1).found); /* work in the window may be launched before it */
	world_release(&w);
}

static void sums_beyond_63_bits_end_the_run(void **state)
{
	const struct ks_call row = { .start_ns = -(INT64_MAX / 4),
				     .end_ns = INT64_MAX / 4,
				     .thread = TID(1, 1),
				     .chain = KS_UNKNOWN };
	struct world w;

	(void)state;
	given_world(&w, 0);
	put_row(&w, &row, "cuX");
	assert_int_equal(ks_calls_add(w.a.calls, &row, world_name(&w, "cuX"), &w.err), KS_OK);
	assert_int_equal(ks_calls_add(w.a.calls, &row, world_name(&w, "cuX"), &w.err), KS_E_INPUT);
	world_release(&w);
}

/* --- latency -------------------------------------------------------------------------------------
 */

static void put_kernel(struct world *w, int64_t device, int64_t id, ks_ns start)
{
	const struct ks_launch row = { .start_ns = start,
				       .end_ns = start + 100,
				       .device = device,
				       .process = PID(1),
				       .correlation = id };

	(void)put_launch(w, &row, 0);
}

/* Calls take 10 ns. Launch times 5, 15, 35, 45, 1000; queue times 0, 5, 25, 35, 990. */
static void given_launches(struct world *w)
{
	static const ks_ns after[] = { 35, 5, 1000, 15, 45 };

	for (int64_t i = 1; i <= 8; i++)
		put_call(w, TID(1, 1), i, i * 10000, i * 10000 + 10, "cuLaunchKernel");
	no_more_calls(w);
	for (int64_t i = 1; i <= 5; i++)
		put_kernel(w, 0, i, i * 10000 + after[i - 1]);
	put_kernel(w, 1, 6, 69999); /* 9999 ns on another device */
	put_kernel(w, 0, 7, 69990); /* before its call */
	put_kernel(w, 0, 99, 5);    /* no call */
}

static void launch_and_queue_times_are_those_of_a_sorted_list(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	given_launches(&w);
	w.device[1].selected = false;
	answer(&w);
	expect_real(device_row(&w, "ks__launch_latency_p50"), 35e-6);
	expect_real(device_row(&w, "ks__launch_latency_p90"), 1000e-6);
	expect_real(device_row(&w, "ks__launch_latency_max"), 1000e-6);
	expect_real(device_row(&w, "ks__launch_queue_p50"), 25e-6);
	expect_real(device_row(&w, "ks__launch_queue_p90"), 990e-6);
	expect_real(device_row(&w, "ks__launch_queue_max"), 990e-6);

	const struct ks_ev *row = device_row(&w, "ks__launch_latency_p50");

	assert_true(row->has_resolution);
	assert_int_equal(row->note.id, KS_TEXT_AN_NOTE_LATENCY_PART);
	assert_string_equal(row->note.arg[0].p, "5");
	assert_string_equal(row->note.arg[1].p, "1");
	assert_string_equal(row->note.arg[2].p, "1");
	world_release(&w);
}

static void the_selected_devices_are_added_up(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	given_launches(&w);
	answer(&w);
	expect_real(device_row(&w, "ks__launch_latency_p50"), 40e-6); /* of 35 and 45 */
	expect_real(device_row(&w, "ks__launch_latency_max"), 9999e-6);
	world_release(&w);
}

/* 20,000 launches: within the error that the row states of the value of that rank. */
static void many_latencies_are_within_their_resolution(void **state)
{
	enum { N = 20000 };
	struct world w;

	(void)state;
	given_world(&w, SPILLED);
	for (int64_t i = 0; i < N; i++)
		put_call(&w, TID(1, 1), i + 1, i * 50, i * 50 + 10, "cuLaunchKernel");
	no_more_calls(&w);
	for (int64_t i = 0; i < N; i++) /* 1000 ... 20999, each once, in another order */
		put_kernel(&w, 0, i + 1, i * 50 + 1000 + i * 7919 % N);
	answer(&w);
	const struct ks_ev *p50 = device_row(&w, "ks__launch_latency_p50");
	const struct ks_ev *p90 = device_row(&w, "ks__launch_latency_p90");

	assert_true(p50->resolution > 0 && p50->resolution < 0.005 * p50->value.d);
	assert_true(p50->value.d - p50->resolution <= 10999.5e-6 &&
		    p50->value.d + p50->resolution >= 10999.5e-6);
	assert_true(p90->value.d - p90->resolution <= 18999e-6 &&
		    p90->value.d + p90->resolution >= 18999e-6);
	expect_real(device_row(&w, "ks__launch_latency_max"), 20999e-6);
	world_release(&w);
}

static void without_calls_the_latency_is_refused(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	no_more_calls(&w);
	put_kernel(&w, 0, 1, 100);
	answer(&w);
	expect_refused(device_row(&w, "ks__launch_latency_p50"), KS_REFUSAL_METRIC_ABSENT);
	assert_int_equal(device_row(&w, "ks__launch_latency_p50")->refused->message.id,
			 KS_TEXT_AN_NO_CALLS);
	assert_null(device_row(&w, "ks__api_call_count"));
	assert_null(device_row(&w, "ks__launch_queue_p50"));
	world_release(&w);
}

static void calls_that_match_no_kernel_are_said(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	put_call(&w, TID(2, 1), 1, 10, 20, "cuLaunchKernel");
	no_more_calls(&w);
	put_kernel(&w, 0, 1, 100); /* of process 1 */
	answer(&w);
	expect_refused(device_row(&w, "ks__launch_latency_p50"), KS_REFUSAL_METRIC_ABSENT);
	assert_int_equal(device_row(&w, "ks__launch_latency_p50")->refused->message.id,
			 KS_TEXT_AN_NO_CALL_MATCHES);
	world_release(&w);
}

static void a_trace_of_nothing_has_no_rows(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	no_more_calls(&w);
	answer(&w);
	assert_null(device_row(&w, "ks__launch_latency_p50"));
	assert_int_equal(w.emit.n_rows, 0);
	world_release(&w);
}

static void synchronisations_are_added_up_by_kind(void **state)
{
	static const int64_t type[] = { 1, 3, 3, 4, 9, KS_UNKNOWN };
	struct world w;

	(void)state;
	given_world(&w, 0);
	w.window = (struct ks_window){ .on = true, .from = 0, .to = 1000 };
	no_more_calls(&w);
	for (size_t i = 0; i < KS_ARRAY_LEN(type); i++) {
		const struct ks_sync row = { .start_ns = 900,
					     .end_ns = 1000 + (ks_ns)i,
					     .type = type[i] };

		assert_int_equal(ks_calls_sync(w.a.calls, &row, 0, &w.err), KS_OK);
	}
	answer(&w);
	expect_int(device_row(&w, "ks__sync_on_event_count"), 1);
	expect_int(device_row(&w, "ks__sync_on_stream_count"), 2);
	expect_real(device_row(&w, "ks__sync_on_stream_ms"), 200e-6);
	expect_int(device_row(&w, "ks__sync_on_context_count"), 1);
	expect_int(device_row(&w, "ks__sync_on_unknown_count"), 2);
	assert_null(device_row(&w, "ks__sync_on_stream_event_count"));
	world_release(&w);
}

int test_calls_stats(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_calls_are_known_without_their_suffixes),
		cmocka_unit_test(calls_are_listed_by_time_then_name),
		cmocka_unit_test(names_that_read_the_same_are_one),
		cmocka_unit_test(a_list_of_names_ends_but_counts_all),
		cmocka_unit_test(times_of_calls_are_cut_to_the_window),
		cmocka_unit_test(sums_beyond_63_bits_end_the_run),
		cmocka_unit_test(launch_and_queue_times_are_those_of_a_sorted_list),
		cmocka_unit_test(the_selected_devices_are_added_up),
		cmocka_unit_test(many_latencies_are_within_their_resolution),
		cmocka_unit_test(without_calls_the_latency_is_refused),
		cmocka_unit_test(calls_that_match_no_kernel_are_said),
		cmocka_unit_test(a_trace_of_nothing_has_no_rows),
		cmocka_unit_test(synchronisations_are_added_up_by_kind),
	};

	return cmocka_run_group_tests_name("calls by name", tests, NULL, NULL);
}
