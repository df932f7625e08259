/* SPDX-License-Identifier: Apache-2.0
 *
 * Launch configurations: what tells them apart, how they are printed, and what happens to values
 * that belong to one configuration when there are several.
 */
#include "all.h"

static void registers_alone_make_two_configurations(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_launch(&g, "k", 0, 0, 10);
	given_launch(&g, "k", 0, 100, 20)->regs = 40;
	given_launch(&g, "k", 0, 200, 30)->regs = 40;
	then_report(&g);
	const struct ks_kernel *k = kernel_named(&g, "k(int)");

	assert_int_equal(k->n_configs, 2);
	assert_string_equal(k->config[0].key.p, "grid64x1x1_block256x1x1_smem0_regs40");
	assert_int_equal(k->config[0].launches, 2);
	assert_int_equal(k->config[0].total_ns, 50);
	assert_string_equal(k->config[1].key.p, "grid64x1x1_block256x1x1_smem0_regs32");
	given_release(&g);
}

static void the_static_dynamic_split_and_the_cluster_are_told_apart(void **state)
{
	struct given g;
	struct ks_launch *l;

	(void)state;
	given_trace(&g);
	l = given_launch(&g, "k", 0, 0, 10);
	l->static_smem = 100;
	l->dynamic_smem = 28;
	l = given_launch(&g, "k", 0, 100, 10);
	l->dynamic_smem = 128;
	l = given_launch(&g, "c", 0, 200, 10);
	l->cluster[0] = 2;
	l->cluster[1] = l->cluster[2] = 1;
	given_launch(&g, "c", 0, 300, 10);
	then_report(&g);
	const struct ks_kernel *k = kernel_named(&g, "k(int)"), *c = kernel_named(&g, "c(int)");

	config_named(k, "grid64x1x1_block256x1x1_smem128_static100");
	config_named(k, "grid64x1x1_block256x1x1_smem128_static0");
	config_named(c, "grid64x1x1_block256x1x1_smem0_cluster2x1x1");
	config_named(c, "grid64x1x1_block256x1x1_smem0_cluster0x0x0");
	given_release(&g);
}

static void a_suffix_appears_only_where_keys_would_collide(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_launch(&g, "k", 0, 0, 10);
	given_launch(&g, "k", 0, 100, 10)->grid[0] = 128;
	given_launch(&g, "k", 0, 200, 10)->regs = 64;
	then_report(&g);
	const struct ks_kernel *k = kernel_named(&g, "k(int)");

	config_named(k, "grid128x1x1_block256x1x1_smem0");
	config_named(k, "grid64x1x1_block256x1x1_smem0_regs32");
	config_named(k, "grid64x1x1_block256x1x1_smem0_regs64");
	given_release(&g);
}

static void streams_processes_and_carve_outs_do_not_split_a_configuration(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 8, 9, 128);
	given_launch(&g, "k", 0, 0, 10);
	given_launch(&g, "k", 0, 100, 10)->stream = 9;
	given_launch(&g, "k", 0, 200, 10)->process = INT64_C(8) << 24;
	given_launch(&g, "k", 0, 300, 10)->smem_executed = 65536;
	given_launch(&g, "k", 0, 400, 10)->local_mem = 16;
	then_report(&g);
	const struct ks_kernel *k = kernel_named(&g, "k(int)");

	assert_int_equal(k->n_configs, 1);
	assert_int_equal(k->config[0].launches, 5);
	assert_string_equal(k->config[0].key.p, "grid64x1x1_block256x1x1_smem0");
	expect_int(row_of(&g, "k(int)", "launch__local_mem_per_thread"), 16); /* the largest */
	given_release(&g);
}

static void a_mixed_kernel_refuses_sizes_and_lists_them(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 8, 9, 128);
	for (unsigned i = 0; i < 3; i++)
		given_launch(&g, "k", 0, 100 * i, 10)->grid[0] = 1000;
	given_launch(&g, "k", 0, 1000, 40)->block[0] = 128;
	then_report(&g);
	const struct ks_ev *grid = row_of(&g, "k(int)", "launch__grid_size");

	expect_refused(grid, KS_REFUSAL_MIXED_LAUNCH_CONFIG);
	assert_string_equal(grid->refused->observed[0].key.p, "configs");
	assert_int_equal(grid->refused->observed[0].value.i, 2);
	assert_string_equal(grid->refused->observed[1].value.s.p, "64|1000");
	expect_refused(row_of(&g, "k(int)", "launch__block_size"), KS_REFUSAL_MIXED_LAUNCH_CONFIG);
	assert_false(has_row(&g, "k(int)", "launch__thread_count"));
	expect_text(row_of(&g, "k(int)", "ks__grid_sizes_observed"), "64|1000");
	expect_text(row_of(&g, "k(int)", "ks__block_sizes_observed"), "128|256");
	expect_text(row_of(&g, "k(int)", "ks__dominant_config"), "grid1000x1x1_block256x1x1_smem0");
	expect_int(row_of(&g, "k(int)", "ks__launch_config_count"), 2);
	expect_int(row_of(&g, "k(int)", "ks__cfg_grid1000x1x1_block256x1x1_smem0__launch_count"),
		   3);
	expect_real(
		row_of(&g, "k(int)", "ks__cfg_grid64x1x1_block128x1x1_smem0__launch_time_mean_ms"),
		4e-5);
	/* sm_89, 256 threads, 32 registers: 6 blocks of 8 warps = 48 of 48; 128 threads: 12 x 4 */
	expect_real(row_of(&g, "k(int)",
			   "ks__cfg_grid64x1x1_block128x1x1_smem0__theoretical_occupancy_pct"),
		    100.0);
	expect_real(row_of(&g, "k(int)", "ks__theoretical_occupancy_pct"), 100.0);
	given_release(&g);
}

static void unknown_columns_are_shown_as_unknown(void **state)
{
	struct given g;
	struct ks_launch *l;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 8, 9, 128);
	l = given_launch(&g, "k", 0, 0, 10);
	l->grid[1] = l->block[2] = l->regs = l->static_smem = KS_UNKNOWN;
	then_report(&g);
	const struct ks_kernel *k = kernel_named(&g, "k(int)");

	assert_string_equal(k->config[0].key.p, "grid64x?x1_block256x1x?_smem?");
	expect_refused(row_of(&g, "k(int)", "launch__grid_size"), KS_REFUSAL_METRIC_ABSENT);
	expect_refused(row_of(&g, "k(int)", "launch__block_size"), KS_REFUSAL_METRIC_ABSENT);
	expect_refused(row_of(&g, "k(int)", "launch__registers_per_thread"),
		       KS_REFUSAL_METRIC_ABSENT);
	expect_refused(row_of(&g, "k(int)", "ks__registers_used_for_occupancy"),
		       KS_REFUSAL_METRIC_ABSENT);
	expect_refused(row_of(&g, "k(int)", "ks__theoretical_occupancy_pct"),
		       KS_REFUSAL_METRIC_ABSENT);
	expect_refused(row_of(&g, "k(int)", "ks__grid_waves"), KS_REFUSAL_METRIC_ABSENT);
	given_release(&g);
}

static void two_unknowns_that_differ_elsewhere_keep_apart(void **state)
{
	struct given g;
	struct ks_launch *l;

	(void)state;
	given_trace(&g);
	l = given_launch(&g, "k", 0, 0, 10);
	l->static_smem = KS_UNKNOWN;
	l->dynamic_smem = 16;
	l = given_launch(&g, "k", 0, 100, 10);
	l->static_smem = KS_UNKNOWN;
	l->dynamic_smem = 32;
	then_report(&g);
	const struct ks_kernel *k = kernel_named(&g, "k(int)");

	config_named(k, "grid64x1x1_block256x1x1_smem?_dynamic16");
	config_named(k, "grid64x1x1_block256x1x1_smem?_dynamic32");
	given_release(&g);
}

static void only_the_first_configurations_get_rows(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	for (unsigned i = 0; i < 40; i++)
		given_launch(&g, "k", 0, 100 * i, 10)->grid[0] = 1 + i;
	then_report(&g);
	const struct ks_kernel *k = kernel_named(&g, "k(int)");
	size_t rows = 0;

	assert_int_equal(k->n_configs, 40);
	for (size_t s = 0; s < k->n_sections; s++) {
		if (k->section[s].section != KS_SECTION_LAUNCHCONFIGS)
			continue;
		rows = k->section[s].n;
		assert_non_null(strstr(english(&g, &k->section[s].note), "32"));
		assert_non_null(strstr(english(&g, &k->section[s].note), "40"));
	}
	assert_int_equal(rows, 3 * 32);
	given_release(&g);
}

int test_configs(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_alone_make_two_configurations),
		cmocka_unit_test(the_static_dynamic_split_and_the_cluster_are_told_apart),
		cmocka_unit_test(a_suffix_appears_only_where_keys_would_collide),
		cmocka_unit_test(streams_processes_and_carve_outs_do_not_split_a_configuration),
		cmocka_unit_test(a_mixed_kernel_refuses_sizes_and_lists_them),
		cmocka_unit_test(unknown_columns_are_shown_as_unknown),
		cmocka_unit_test(two_unknowns_that_differ_elsewhere_keep_apart),
		cmocka_unit_test(only_the_first_configurations_get_rows),
	};

	return cmocka_run_group_tests_name("configs", tests, NULL, NULL);
}
