/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA graphs, all by hand: kernels of nodes and the replays they come from, coverage of the launch
 * calls, top nodes, graphs recorded as a whole, and what is refused when a part is missing.
 */
#include "calls_world.h"

#include "base/mem.h"

/* Two replays (calls 10 and 11) of a graph with nodes 1 and 2 of kernel "a" and node 3 of "b"; the
 * first replay has all three, the second only nodes 1 and 3. A third call left nothing. */
static void given_replays(struct world *w)
{
	const uint32_t a = world_group(w, "a(int)", 0), b = world_group(w, "b(int)", 0);

	for (int64_t i = 0; i < 3; i++)
		put_call(w, TID(1, 1), 10 + i, 1000 + i * 1000, 1050 + i * 1000,
			 "cudaGraphLaunch_v10000");
	no_more_calls(w);
	put_node(w, NODE(PID(1), 10, 1, a, 1100, 1110));
	put_node(w, NODE(PID(1), 10, 2, a, 1110, 1140));
	put_node(w, NODE(PID(1), 10, 3, b, 1140, 1145));
	put_node(w, NODE(PID(1), 11, 1, a, 2100, 2115));
	put_node(w, NODE(PID(1), 11, 3, b, 2115, 2135));
}

static void replays_are_told_apart_by_their_call(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	given_replays(&w);
	answer(&w);
	assert_int_equal(w.t.graphs.launch_calls, 3);
	assert_int_equal(w.t.graphs.replays, 2);
	assert_int_equal(w.t.graphs.node_launches, 5);
	assert_int_equal(w.t.graphs.node_ns, 10 + 30 + 5 + 15 + 20);
	assert_int_equal(w.t.graphs.runs, 0);
	expect_int(device_row(&w, "ks__graph_launch_calls"), 3);
	expect_int(device_row(&w, "ks__graph_replays"), 2);
	expect_int(device_row(&w, "ks__graph_node_launches"), 5);
	expect_real(device_row(&w, "ks__graph_node_ms"), 80e-6);
	expect_real(device_row(&w, "ks__graph_replay_nodes_mean"), 2.5);
	expect_real(device_row(&w, "ks__graph_replay_ms_mean"), 40e-6);
	expect_real(device_row(&w, "ks__graph_coverage_pct"), 200.0 / 3);
	assert_null(device_row(&w, "ks__graph_run_count"));
	/* kernels of graphs have no launch of their own */
	assert_null(device_row(&w, "ks__launch_latency_p50"));
	world_release(&w);
}

static void top_nodes_are_those_with_most_time(void **state)
{
	static const struct {
		const char *kernel;
		int64_t node;
		uint64_t launches;
		ks_ns ns;
	} want[] = { { "a(int)", 2, 1, 30 }, { "a(int)", 1, 2, 25 }, { "b(int)", 3, 2, 25 } };
	struct world w;

	(void)state;
	given_world(&w, 0);
	given_replays(&w);
	answer(&w);
	assert_int_equal(w.t.graphs.n_top, 3);
	for (size_t i = 0; i < KS_ARRAY_LEN(want); i++) {
		const struct ks_graph_node *got = &w.t.graphs.top[i];

		assert_string_equal(got->kernel.p, want[i].kernel);
		assert_int_equal(got->node, want[i].node);
		assert_int_equal(got->launches, want[i].launches);
		assert_int_equal(got->total_ns, want[i].ns);
	}
	world_release(&w);
}

/* A table of four nodes and a sorter of 16 KiB: counts go through the file many times. */
static void many_nodes_and_replays_are_exact_when_spilled(void **state)
{
	enum { REPLAYS = 700, NODES = 40 };
	struct world w;

	(void)state;
	for (unsigned shuffled = 0; shuffled <= 1; shuffled++) {
		given_world(&w, 1);
		const uint32_t group[2] = { world_group(&w, "a(int)", 0),
					    world_group(&w, "a(int)", 0) };

		no_more_calls(&w);
		for (int64_t i = 0; i < REPLAYS * NODES; i++) {
			/* 7919 is prime to 28000: every pair once, in another order */
			const int64_t at = shuffled ? i * 7919 % (REPLAYS * NODES) : i;
			const int64_t node = at % NODES, replay = at / NODES;

			put_node(&w, NODE(PID(1), replay + 1, node + 1, group[replay % 2], at * 100,
					  at * 100 + node + 1));
		}
		answer(&w);
		assert_int_equal(w.t.graphs.replays, REPLAYS);
		assert_int_equal(w.t.graphs.node_launches, REPLAYS * NODES);
		assert_int_equal(w.t.graphs.node_ns, REPLAYS * NODES * (NODES + 1) / 2);
		assert_int_equal(w.t.graphs.n_top, 20);
		for (size_t i = 0; i < 20; i++) {
			assert_int_equal(w.t.graphs.top[i].node, NODES - (int64_t)i);
			assert_int_equal(w.t.graphs.top[i].launches, REPLAYS);
			assert_int_equal(w.t.graphs.top[i].total_ns,
					 REPLAYS * (NODES - (int64_t)i));
		}
		world_release(&w);
	}
}

static void one_id_of_two_processes_is_two_replays(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	const uint32_t a = world_group(&w, "a(int)", 0);

	put_call(&w, TID(1, 1), 10, 0, 5, "cuGraphLaunch");
	put_call(&w, TID(2, 1), 10, 0, 5, "cuGraphLaunch");
	no_more_calls(&w);
	put_node(&w, NODE(PID(1), 10, 1, a, 10, 20));
	put_node(&w, NODE(PID(2), 10, 1, a, 30, 40));
	answer(&w);
	assert_int_equal(w.t.graphs.replays, 2);
	expect_real(device_row(&w, "ks__graph_coverage_pct"), 100.0);
	world_release(&w);
}

/* One graph on two devices is one replay; coverage is of the host and sees all devices. */
static void a_replay_on_two_devices_is_one(void **state)
{
	struct world w;

	(void)state;
	for (int selected = 0; selected <= 2; selected++) {
		given_world(&w, 0);
		const uint32_t a = world_group(&w, "a(int)", 0), b = world_group(&w, "b(int)", 1);

		put_call(&w, TID(1, 1), 10, 0, 5, "cuGraphLaunch");
		no_more_calls(&w);
		put_node(&w, NODE(PID(1), 10, 1, a, 10, 20));
		put_node(&w, NODE(PID(1), 10, 2, b, 10, 25));
		w.device[0].selected = selected > 1;
		w.device[1].selected = selected > 0;
		answer(&w);
		assert_int_equal(w.t.graphs.replays, selected > 0);
		assert_int_equal(w.t.graphs.node_ns, selected == 2 ? 25 : selected == 1 ? 15 : 0);
		expect_real(device_row(&w, "ks__graph_coverage_pct"), 100.0);
		world_release(&w);
	}
}

/* 3000 of them, one device after the other: what is remembered of one must not hide the other. */
static void many_replays_on_two_devices_are_all_counted(void **state)
{
	enum { REPLAYS = 3000 };
	struct world w;

	(void)state;
	given_world(&w, 0);
	const uint32_t group[2] = { world_group(&w, "a(int)", 0), world_group(&w, "b(int)", 1) };

	no_more_calls(&w);
	for (int64_t i = 0; i < REPLAYS * 2; i++)
		put_node(&w, NODE(PID(1), i / 2 + 1, 1, group[i % 2], i * 10, i * 10 + 5));
	w.device[0].selected = false;
	answer(&w);
	assert_int_equal(w.t.graphs.replays, REPLAYS);
	world_release(&w);
}

static void kernels_without_an_id_belong_to_no_replay(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	const uint32_t a = world_group(&w, "a(int)", 0);

	no_more_calls(&w);
	put_node(&w, NODE(PID(1), 10, 1, a, 10, 20));
	put_node(&w, NODE(PID(1), 0, 1, a, 30, 40));
	answer(&w);
	expect_int(device_row(&w, "ks__graph_node_launches"), 2);
	expect_int(device_row(&w, "ks__graph_replays"), 1);
	assert_int_equal(device_row(&w, "ks__graph_replays")->note.id,
			 KS_TEXT_AN_NOTE_GRAPH_UNKNOWN);
	assert_null(device_row(&w, "ks__graph_replay_ms_mean"));
	expect_refused(device_row(&w, "ks__graph_coverage_pct"), KS_REFUSAL_METRIC_ABSENT);
	assert_null(device_row(&w, "ks__graph_launch_calls"));
	world_release(&w);
}

static void no_id_at_all_refuses_the_replays(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	const uint32_t a = world_group(&w, "a(int)", 0);

	no_more_calls(&w);
	put_node(&w, NODE(PID(1), 0, 1, a, 30, 40));
	answer(&w);
	expect_refused(device_row(&w, "ks__graph_replays"), KS_REFUSAL_METRIC_ABSENT);
	world_release(&w);
}

static void replays_without_their_calls_have_no_coverage(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	const uint32_t a = world_group(&w, "a(int)", 0);

	put_call(&w, TID(1, 1), 10, 0, 5, "cuGraphLaunch");
	put_call(&w, TID(1, 1), 11, 10, 15, "my_own_launcher"); /* launches one as well */
	no_more_calls(&w);
	put_node(&w, NODE(PID(1), 10, 1, a, 10, 20));
	put_node(&w, NODE(PID(1), 11, 1, a, 30, 40));
	answer(&w);
	expect_int(device_row(&w, "ks__graph_launch_calls"), 1);
	expect_refused(device_row(&w, "ks__graph_coverage_pct"), KS_REFUSAL_METRIC_ABSENT);
	world_release(&w);
}

/* Runs on device 0: 0-100, 50-150, 60-70, 140-145 and 200-210, union 160; on device 1: 0-30. */
static void given_runs(struct world *w)
{
	for (int64_t id = 1; id <= 6; id++)
		put_call(w, TID(1, 1), id, -100 + id, -90 + id, "cudaGraphLaunch_v10000");
	no_more_calls(w);
	put_run(w, 0, 3, 60, 70);
	put_run(w, 1, 5, 0, 30);
	put_run(w, 0, 4, 200, 210);
	put_run(w, 0, 1, 0, 100);
	put_run(w, 0, 2, 50, 150);
	put_run(w, 0, 6, 140, 145);
}

static void whole_graphs_are_summed_and_united_per_device(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	given_runs(&w);
	answer(&w);
	assert_int_equal(w.t.graphs.runs, 6);
	assert_int_equal(w.t.graphs.run_ns, 100 + 100 + 10 + 5 + 10 + 30);
	assert_int_equal(w.t.graphs.run_union_ns, 160 + 30);
	assert_int_equal(w.t.graphs.node_launches, 0);
	assert_int_equal(w.t.graphs.replays, 0);
	expect_int(device_row(&w, "ks__graph_run_count"), 6);
	expect_real(device_row(&w, "ks__graph_run_ms"), 255e-6);
	expect_real(device_row(&w, "ks__graph_run_busy_ms"), 190e-6);
	expect_real(device_row(&w, "ks__graph_coverage_pct"), 100.0);
	expect_refused(device_row(&w, "ks__graph_node_launches"), KS_REFUSAL_GRAPH_NODES_HIDDEN);
	assert_null(device_row(&w, "ks__graph_node_ms"));
	world_release(&w);
}

static void whole_graphs_of_other_devices_do_not_count(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	given_runs(&w);
	w.device[0].selected = false;
	answer(&w);
	assert_int_equal(w.t.graphs.runs, 1);
	assert_int_equal(w.t.graphs.run_ns, 30);
	assert_int_equal(w.t.graphs.run_union_ns, 30);
	world_release(&w);
}

static void both_kinds_are_shown_and_never_added(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	given_replays(&w);
	put_run(&w, 0, 12, 3100, 3200);
	answer(&w);
	expect_real(device_row(&w, "ks__graph_node_ms"), 80e-6);
	expect_real(device_row(&w, "ks__graph_run_ms"), 100e-6);
	expect_real(device_row(&w, "ks__graph_coverage_pct"), 100.0);
	assert_int_equal(device_row(&w, "ks__graph_node_ms")->note.id, KS_TEXT_AN_NOTE_GRAPH_BOTH);
	assert_int_equal(device_row(&w, "ks__graph_run_ms")->note.id, KS_TEXT_AN_NOTE_GRAPH_BOTH);
	world_release(&w);
}

/* The window holds the second replay whole, and the end of the first one's last kernel. */
static void graphs_are_cut_to_the_window(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	w.window = (struct ks_window){ .on = true, .from = 1142, .to = 2120 };
	given_replays(&w);
	put_run(&w, 0, 12, 2110, 3200);
	put_run(&w, 0, 12, 3100, 3200);
	answer(&w);
	assert_int_equal(w.t.graphs.launch_calls, 1); /* at 2000 */
	assert_int_equal(w.t.graphs.node_launches, 3);
	assert_int_equal(w.t.graphs.node_ns, 3 + 15 + 5);
	assert_int_equal(w.t.graphs.replays, 2);
	assert_int_equal(w.t.graphs.runs, 1);
	assert_int_equal(w.t.graphs.run_ns, 10);
	expect_real(device_row(&w, "ks__graph_coverage_pct"), 100.0);
	world_release(&w);
}

static void rows_with_bad_times_are_left_out(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	no_more_calls(&w);
	put_run(&w, 0, 1, 10, 10);
	put_run(&w, 0, 1, KS_UNKNOWN, 10);
	put_run(&w, 0, 1, INT64_MAX - 5, INT64_MAX);
	answer(&w);
	assert_int_equal(w.t.graphs.runs, 0);
	assert_null(device_row(&w, "ks__graph_run_count"));
	world_release(&w);
}

int test_graphs(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(replays_are_told_apart_by_their_call),
		cmocka_unit_test(top_nodes_are_those_with_most_time),
		cmocka_unit_test(many_nodes_and_replays_are_exact_when_spilled),
		cmocka_unit_test(one_id_of_two_processes_is_two_replays),
		cmocka_unit_test(a_replay_on_two_devices_is_one),
		cmocka_unit_test(many_replays_on_two_devices_are_all_counted),
		cmocka_unit_test(kernels_without_an_id_belong_to_no_replay),
		cmocka_unit_test(no_id_at_all_refuses_the_replays),
		cmocka_unit_test(replays_without_their_calls_have_no_coverage),
		cmocka_unit_test(whole_graphs_are_summed_and_united_per_device),
		cmocka_unit_test(whole_graphs_of_other_devices_do_not_count),
		cmocka_unit_test(both_kinds_are_shown_and_never_added),
		cmocka_unit_test(graphs_are_cut_to_the_window),
		cmocka_unit_test(rows_with_bad_times_are_left_out),
	};

	return cmocka_run_group_tests_name("graphs", tests, NULL, NULL);
}
