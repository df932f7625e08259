/* SPDX-License-Identifier: Apache-2.0
 *
 * Call sites, by hand: which frame is the program's own, how stacks are added up, and the two ways
 * in which exports number their chains.
 */
#include "calls_world.h"

#include <stdio.h>

#define APP "/opt/u/app"

/* A call whose row has the chain itself, as newer exports write it. */
static void put_chained(struct world *w, int64_t id, int64_t chain)
{
	const struct ks_call row = { .start_ns = id * 100,
				     .end_ns = id * 100 + 10,
				     .thread = TID(1, 1),
				     .correlation = id,
				     .chain = chain };

	put_row(w, &row, "cudaLaunchKernel_v7000");
}

/* A chain in a row of its own beside the call. */
static void put_backtrace(struct world *w, int64_t id, int64_t chain)
{
	const struct ks_call row = { .start_ns = id * 100 - 1,
				     .end_ns = id * 100 + 11,
				     .thread = TID(1, 1),
				     .correlation = id,
				     .chain = chain,
				     .event_class = 67 };

	put_row(w, &row, "cudaLaunchKernel");
	put_chained(w, id, KS_UNKNOWN);
}

static void launch(struct world *w, int64_t id, uint32_t group)
{
	const struct ks_launch row = { .start_ns = id * 100 + 20,
				       .end_ns = id * 100 + 30,
				       .process = PID(1),
				       .correlation = id };

	(void)put_launch(w, &row, group);
}

/* Frames as nsys writes them for a program that has the runtime linked into it (names after the
 * test data): the profiler, the driver, the runtime's entry, its template, the stub twice, the
 * program. */
static void put_chain(struct world *w, int64_t chain, const char *stub, const char *caller)
{
	put_frame(w, chain, 0, NULL, "/opt/nsight/target-linux-x64/libcupti.so.11.2");
	put_frame(w, chain, 1, NULL, "/usr/lib64/libcuda.so.460.32.03");
	put_frame(w, chain, 2, "cudaLaunchKernel", APP);
	put_frame(w, chain, 3, "cudaError cudaLaunchKernel<char>(char const*, dim3, dim3)", APP);
	put_frame(w, chain, 4, stub, APP);
	put_frame(w, chain, 5, stub, APP);
	put_frame(w, chain, 6, caller, APP);
	put_frame(w, chain, 7, "main", APP);
	put_frame(w, chain, 8, "__libc_start_main", "/usr/lib64/libc-2.28.so");
}

static void the_site_is_the_innermost_frame_of_the_program(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	const uint32_t add = world_group(&w, "add(double*)", 0);

	put_chained(&w, 1, 41);
	no_more_calls(&w);
	launch(&w, 1, add);
	put_chain(&w, 41, "add(double*)", "train(int)");
	answer(&w);
	assert_int_equal(w.t.n_call_sites, 1);
	assert_string_equal(w.t.call_site[0].kernel.p, "add(double*)");
	assert_string_equal(w.t.call_site[0].frame.p, "train(int) (app)");
	assert_string_equal(w.t.call_site[0].stack.p, "__libc_start_main;main;train(int)");
	assert_int_equal(w.t.call_site[0].launches, 1);
	expect_text(site_row(&w, "add(double*)"), "train(int) (app)");
	world_release(&w);
}

/* The two names come from two demanglers (saxpy_mpi_perlmutter_2022 of the test data). */
static void a_stub_is_known_whatever_its_blanks(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	const uint32_t add = world_group(&w, "add(double *, int)", 0);

	put_chained(&w, 1, 41);
	put_chained(&w, 2, 42);
	no_more_calls(&w);
	launch(&w, 1, add);
	launch(&w, 2, add);
	put_chain(&w, 41, "add(double*, int)", "train(int)");
	put_chain(&w, 42, "add(double*, int*)", "train(int)"); /* not the same */
	answer(&w);
	assert_int_equal(w.t.n_call_sites, 2);
	assert_string_equal(w.t.call_site[0].frame.p, "add(double*, int*) (app)");
	assert_string_equal(w.t.call_site[1].frame.p, "train(int) (app)");
	world_release(&w);
}

static void the_three_most_frequent_sites_are_listed(void **state)
{
	static const char *const caller[] = { "a()", "b()", "c()", "d()" };
	struct world w;

	(void)state;
	given_world(&w, 1);
	const uint32_t add = world_group(&w, "add(double*)", 0);
	const uint32_t again = world_group(&w, "add(double*)", 0); /* another grid */
	const uint32_t mul = world_group(&w, "mul(double*)", 0);

	for (int64_t id = 1; id <= 11; id++)
		put_chained(&w, id, id);
	no_more_calls(&w);
	/* add: a 2, b 4, c 2, d 2 (of equal counts the names decide); mul: d 1 */
	static const unsigned who[] = { 3, 0, 1, 1, 2, 3, 1, 2, 0, 1 };

	for (int64_t id = 1; id <= 10; id++)
		launch(&w, id, id % 2 ? add : again);
	launch(&w, 11, mul);
	for (int64_t chain = 11; chain >= 1; chain--)
		put_chain(&w, chain, chain == 11 ? "mul(double*)" : "add(double*)",
			  chain == 11 ? "d()" : caller[who[chain - 1]]);
	answer(&w);
	static const struct {
		const char *frame;
		uint64_t launches;
	} want[] = {
		{ "b() (app)", 4 }, { "a() (app)", 2 }, { "c() (app)", 2 }, { "d() (app)", 1 }
	};

	assert_int_equal(w.t.n_call_sites, KS_ARRAY_LEN(want));
	for (size_t i = 0; i < KS_ARRAY_LEN(want); i++) {
		assert_string_equal(w.t.call_site[i].frame.p, want[i].frame);
		assert_int_equal(w.t.call_site[i].launches, want[i].launches);
		assert_string_equal(w.t.call_site[i].kernel.p,
				    i == 3 ? "mul(double*)" : "add(double*)");
	}
	expect_text(site_row(&w, "mul(double*)"), "d() (app)");
	world_release(&w);
}

/* Calls count chains from 0, frames from 1: every chain of a call is one less than its frames. */
static void chains_that_are_one_off_are_put_right(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	const uint32_t add = world_group(&w, "add(double*)", 0);

	for (int64_t id = 1; id <= 3; id++)
		put_backtrace(&w, id, id - 1);
	no_more_calls(&w);
	launch(&w, 2, add);
	put_chain(&w, 1, "x()", "wrong(1)");
	put_chain(&w, 2, "add(double*)", "right()");
	put_chain(&w, 3, "x()", "wrong(3)");
	answer(&w);
	assert_int_equal(w.t.n_call_sites, 1);
	assert_string_equal(w.t.call_site[0].frame.p, "right() (app)");
	world_release(&w);
}

/* The same chains with frames from 0: nothing to put right. */
static void chains_from_zero_are_taken_as_they_are(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	const uint32_t add = world_group(&w, "add(double*)", 0);

	for (int64_t id = 1; id <= 3; id++)
		put_backtrace(&w, id, id - 1);
	no_more_calls(&w);
	launch(&w, 2, add);
	put_chain(&w, 0, "x()", "wrong(0)");
	put_chain(&w, 1, "add(double*)", "right()");
	put_chain(&w, 2, "x()", "wrong(2)");
	put_chain(&w, 3, "x()", "nobody's");
	answer(&w);
	assert_string_equal(w.t.call_site[0].frame.p, "right() (app)");
	world_release(&w);
}

static void chain_zero_of_a_call_is_none(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	const uint32_t add = world_group(&w, "add(double*)", 0);

	put_chained(&w, 1, 0);
	no_more_calls(&w);
	launch(&w, 1, add);
	assert_false(ks_calls_wants_chain(w.a.calls, 0));
	assert_false(ks_calls_wants_chain(w.a.calls, 1));
	put_chain(&w, 1, "add(double*)", "nobody()");
	answer(&w);
	assert_int_equal(w.t.n_call_sites, 0);
	assert_null(site_row(&w, "add(double*)"));
	world_release(&w);
}

static void a_chain_without_a_resolved_frame_has_no_site(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	const uint32_t add = world_group(&w, "add(double*)", 0);

	put_chained(&w, 1, 41);
	no_more_calls(&w);
	launch(&w, 1, add);
	put_frame(&w, 41, 0, NULL, APP);
	put_frame(&w, 41, 1, "cudaLaunchKernel", APP);
	put_frame(&w, 41, 2, "f", "/usr/lib/libcudart.so.12");
	answer(&w);
	assert_int_equal(w.t.n_call_sites, 0);
	world_release(&w);
}

static void unresolved_frames_behind_the_site_show_their_module(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	const uint32_t add = world_group(&w, "add(double*)", 0);

	put_chained(&w, 1, 41);
	no_more_calls(&w);
	launch(&w, 1, add);
	put_frame(&w, 41, 0, NULL, "C:\\app\\plain.dll");
	put_frame(&w, 41, 1, "at::launch", "/usr/lib/libtorch_cuda.so");
	put_frame(&w, 41, 2, NULL, "C:\\app\\plain.dll");
	put_frame(&w, 41, 3, "main", NULL);
	answer(&w);
	assert_string_equal(w.t.call_site[0].frame.p, "at::launch (libtorch_cuda.so)");
	assert_string_equal(w.t.call_site[0].stack.p, "main;[plain.dll];at::launch");
	world_release(&w);
}

/* 200 frames: the 64 innermost ones stay, two of them of the runtime. */
static void a_deep_stack_is_cut_at_its_outer_end(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 1);
	const uint32_t add = world_group(&w, "add(double*)", 0);

	put_chained(&w, 1, 41);
	no_more_calls(&w);
	launch(&w, 1, add);
	for (int64_t depth = 199; depth >= 0; depth--) {
		char name[16];

		(void)snprintf(name, sizeof(name), "f%d", (int)depth);
		put_frame(&w, 41, depth, depth < 2 ? "cudaLaunchKernel" : name, APP);
	}
	answer(&w);
	assert_string_equal(w.t.call_site[0].frame.p, "f2 (app)");
	const char *want = "...;f63;f62;";

	assert_memory_equal(w.t.call_site[0].stack.p, want, strlen(want));
	assert_true(ks_str_ends(w.t.call_site[0].stack, ";f3;f2"));
	world_release(&w);
}

/* Damaged input: a depth twice, depths that cannot be, frames of chains nobody has. */
static void doubled_frames_count_once_whatever_their_order(void **state)
{
	struct world w;

	(void)state;
	for (int swapped = 0; swapped <= 1; swapped++) {
		given_world(&w, 0);
		const uint32_t add = world_group(&w, "add(double*)", 0);

		put_chained(&w, 1, 41);
		no_more_calls(&w);
		launch(&w, 1, add);
		put_frame(&w, 41, 3, swapped ? "zeta" : "alpha", APP);
		put_frame(&w, 41, 3, swapped ? "alpha" : "zeta", APP);
		put_frame(&w, 41, -1, "below", APP);
		put_frame(&w, 41, INT64_MAX, "above", APP);
		put_frame(&w, 41, 4, "main", APP);
		put_frame(&w, 7, 0, "other", APP);
		put_frame(&w, -3, 0, "other", APP);
		answer(&w);
		assert_int_equal(w.t.n_call_sites, 1);
		assert_string_equal(w.t.call_site[0].stack.p, "main;alpha");
		world_release(&w);
	}
}

static void a_graph_kernel_has_the_site_of_its_graph_launch(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	const uint32_t add = world_group(&w, "add(double*)", 0);

	put_chained(&w, 1, 41);
	no_more_calls(&w);
	put_node(&w, NODE(PID(1), 1, 5, add, 200, 300));
	put_node(&w, NODE(PID(1), 1, 6, add, 300, 400));
	put_frame(&w, 41, 0, "cudaGraphLaunch", "/usr/lib/libcudart.so.12");
	put_frame(&w, 41, 1, "replay()", APP);
	answer(&w);
	assert_string_equal(w.t.call_site[0].frame.p, "replay() (app)");
	assert_int_equal(w.t.call_site[0].launches, 2);
	world_release(&w);
}

/* 20,000 launches, each with a chain of its own: tables and frames go through the file. */
static void a_chain_for_every_launch_is_added_up(void **state)
{
	enum { N = 20000 };
	struct world w;

	(void)state;
	given_world(&w, 1);
	const uint32_t add = world_group(&w, "add(double*)", 0);

	for (int64_t id = 1; id <= N; id++)
		put_chained(&w, id, id);
	no_more_calls(&w);
	for (int64_t i = 0; i < N; i++)
		launch(&w, 1 + i * 7919 % N, add);
	for (int64_t i = 0; i < N; i++) {
		const int64_t chain = 1 + i * 6007 % N;

		put_frame(&w, chain, 1, chain % 4 ? "often()" : "seldom()", APP);
		put_frame(&w, chain, 0, "cuLaunchKernel", "/usr/lib/libcuda.so.1");
	}
	answer(&w);
	assert_int_equal(w.t.n_call_sites, 2);
	assert_string_equal(w.t.call_site[0].stack.p, "often()");
	assert_int_equal(w.t.call_site[0].launches, N / 4 * 3);
	assert_int_equal(w.t.call_site[1].launches, N / 4);
	world_release(&w);
}

/* No id lies behind the largest one. */
static void the_largest_id_is_a_chain_like_any_other(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	const uint32_t add = world_group(&w, "add(double*)", 0);

	put_chained(&w, 1, INT64_MAX);
	put_chained(&w, 2, INT64_MAX - 1);
	put_backtrace(&w, 3, 0);
	no_more_calls(&w);
	for (int64_t id = 1; id <= 3; id++)
		launch(&w, id, add);
	put_chain(&w, INT64_MAX, "add(double*)", "last()");
	put_chain(&w, INT64_MAX - 1, "add(double*)", "before()");
	put_chain(&w, INT64_MIN + 1, "add(double*)", "none()");
	answer(&w);
	assert_int_equal(w.t.n_call_sites, 2);
	assert_string_equal(w.t.call_site[0].frame.p, "before() (app)");
	assert_string_equal(w.t.call_site[1].frame.p, "last() (app)");
	world_release(&w);
}

static void kernels_that_are_not_in_the_report_have_no_site(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	const uint32_t add = world_group(&w, "add(double*)", 0);

	put_chained(&w, 1, 41);
	no_more_calls(&w);
	launch(&w, 1, add);
	put_chain(&w, 41, "add(double*)", "f()");
	w.kernel_of_group[add] = (uint32_t)w.a.n_kernels; /* not selected by -k */
	answer(&w);
	assert_int_equal(w.t.n_call_sites, 0);
	world_release(&w);
}

int test_sites(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_site_is_the_innermost_frame_of_the_program),
		cmocka_unit_test(a_stub_is_known_whatever_its_blanks),
		cmocka_unit_test(the_three_most_frequent_sites_are_listed),
		cmocka_unit_test(chains_that_are_one_off_are_put_right),
		cmocka_unit_test(chains_from_zero_are_taken_as_they_are),
		cmocka_unit_test(chain_zero_of_a_call_is_none),
		cmocka_unit_test(a_chain_without_a_resolved_frame_has_no_site),
		cmocka_unit_test(unresolved_frames_behind_the_site_show_their_module),
		cmocka_unit_test(a_deep_stack_is_cut_at_its_outer_end),
		cmocka_unit_test(doubled_frames_count_once_whatever_their_order),
		cmocka_unit_test(a_graph_kernel_has_the_site_of_its_graph_launch),
		cmocka_unit_test(a_chain_for_every_launch_is_added_up),
		cmocka_unit_test(the_largest_id_is_a_chain_like_any_other),
		cmocka_unit_test(kernels_that_are_not_in_the_report_have_no_site),
	};

	return cmocka_run_group_tests_name("call sites", tests, NULL, NULL);
}
