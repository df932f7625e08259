/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of Nsight Compute (command-line contract, section 5) and namespaces (evidence contract,
 * section 1).
 */
#include "tests.h"

static void exact_names_are_found(void **state)
{
	static const struct {
		const char *ncu, *ours;
		enum ks_ncu_kind kind;
	} cases[] = {
		{ "dram__bytes.sum", "est__dram_bytes_total", KS_NCU_SUBSTITUTE },
		{ "dram__bytes_read.sum", "est__dram_bytes_read_per_launch", KS_NCU_SUBSTITUTE },
		{ "dram__bytes_write.sum", "est__dram_bytes_write_per_launch", KS_NCU_SUBSTITUTE },
		{ "dram__throughput.avg.pct_of_peak_sustained_elapsed",
		  "est__dram_throughput_pct_of_peak", KS_NCU_SUBSTITUTE },
		{ "gpu__time_duration.sum", "gpu__time_duration.sum", KS_NCU_SAME_SOURCE },
		{ "launch__registers_per_thread", "launch__registers_per_thread",
		  KS_NCU_SAME_SOURCE },
		{ "launch__grid_size", "launch__grid_size", KS_NCU_SAME_SOURCE },
		{ "lts__t_sector_hit_rate.pct", "est__l2_hit_rate_l2only_pct", KS_NCU_SUBSTITUTE },
		{ "l1tex__t_sector_hit_rate.pct", "", KS_NCU_NONE },
		{ "sm__throughput.avg.pct_of_peak_sustained_elapsed",
		  "est__issue_slot_utilization_pct", KS_NCU_SUBSTITUTE },
		{ "smsp__inst_executed.sum", "est__dynamic_warp_instructions", KS_NCU_SUBSTITUTE },
		{ "sm__warps_active.avg.pct_of_peak_sustained_active",
		  "meas__achieved_occupancy_pct", KS_NCU_SUBSTITUTE },
		{ "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", "",
		  KS_NCU_NONE },
		{ "smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct", "", KS_NCU_NONE },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		const struct ks_ncu_info *n = ks_ncu_find(STR(cases[i].ncu));

		if (!n)
			fail_msg("%s is missing", cases[i].ncu);
		else {
			assert_string_equal(n->ours, cases[i].ours);
			assert_int_equal(n->kind, cases[i].kind);
		}
	}
}

static void suffixes_are_stripped_and_nothing_else_is_guessed(void **state)
{
	static const struct {
		const char *name, *found; /* NULL: unknown */
	} cases[] = {
		{ "launch__grid_size.sum", "launch__grid_size" },
		{ "launch__registers_per_thread.avg.pct", "launch__registers_per_thread" },
		{ "gpu__time_duration.sum.per_second", "gpu__time_duration.sum" },
		{ "dram__bytes.sum.pct_of_peak_sustained_elapsed", "dram__bytes.sum" },
		{ "gpu__time_duration", NULL },
		{ "dram__byte.sum", NULL },
		{ "sum", NULL },
		{ ".sum", NULL },
		{ "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		const struct ks_ncu_info *n = ks_ncu_find(STR(cases[i].name));

		if (!cases[i].found)
			assert_null(n);
		else if (!n)
			fail_msg("%s is not found", cases[i].name);
		else
			assert_string_equal(n->ncu_name, cases[i].found);
	}
}

static void what_we_offer_instead_is_a_metric_of_ours(void **state)
{
	(void)state;
	for (size_t i = 0; i < ks_ncu_count(); i++) {
		const struct ks_ncu_info *n = ks_ncu_at(i);

		assert_int_equal(n->kind == KS_NCU_NONE, n->ours[0] == '\0');
		if (n->ours[0] && ks_metric_find(STR(n->ours)) == KS_METRIC_NONE)
			fail_msg("%s maps to an unknown metric", n->ncu_name);
		if (n->kind == KS_NCU_SAME_SOURCE)
			assert_string_equal(n->ours, n->ncu_name);
	}
	assert_null(ks_ncu_at(ks_ncu_count()));
}

static void strict_counts_nine_names_as_needing_counters(void **state)
{
	static const char *const needing[] = {
		"sm__maximum_warps_per_active_cycle_pct",
		"sm__throughput.avg.pct_of_peak_sustained_elapsed",
		"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
		"l1tex__t_sector_hit_rate.pct",
		"lts__t_sector_hit_rate.pct",
		"dram__bytes_read.sum",
		"dram__bytes_write.sum",
		"smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct",
		"smsp__inst_executed.sum",
	};
	unsigned n = 0;

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(needing); i++) {
		const struct ks_ncu_info *row = ks_ncu_find(STR(needing[i]));

		assert_non_null(row);
		assert_string_equal(row->ncu_name, needing[i]);
		assert_true(row->needs_counters);
	}
	for (size_t i = 0; i < ks_ncu_count(); i++)
		n += ks_ncu_at(i)->needs_counters;
	assert_int_equal(n, KS_ARRAY_LEN(needing));
}

static void namespaces_of_counters_and_of_ours_do_not_mix(void **state)
{
	static const char *const counters[] = { "sm__x",     "smsp__x",	  "l1tex__x", "lts__x",
						"dram__x",   "l1__x",	  "l2__x",    "sys__x",
						"nvlink__x", "membar__x", "tpc__x",   "fbpa__x",
						"idc__x" };
	static const char *const own[] = { "est__x", "meas__x", "model__x", "ks__x",
					   "ncu__dram__bytes" };
	static const char *const neither[] = { "launch__grid_size", "gpu__time_duration.sum",
					       "sm_x", "", "k" };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(counters); i++) {
		assert_true(ks_is_counter_name(STR(counters[i])));
		assert_false(ks_is_own_prefix(STR(counters[i])));
	}
	for (size_t i = 0; i < KS_ARRAY_LEN(own); i++) {
		assert_false(ks_is_counter_name(STR(own[i])));
		assert_true(ks_is_own_prefix(STR(own[i])));
	}
	for (size_t i = 0; i < KS_ARRAY_LEN(neither); i++) {
		assert_false(ks_is_counter_name(STR(neither[i])));
		assert_false(ks_is_own_prefix(STR(neither[i])));
	}
}

static void kinds_have_the_names_of_the_map_file(void **state)
{
	(void)state;
	assert_string_equal(ks_ncu_kind_name(KS_NCU_SUBSTITUTE), "substitute");
	assert_string_equal(ks_ncu_kind_name(KS_NCU_SAME_SOURCE), "same_source");
	assert_string_equal(ks_ncu_kind_name(KS_NCU_NONE), "none");
}

int test_ncu(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_names_are_found),
		cmocka_unit_test(suffixes_are_stripped_and_nothing_else_is_guessed),
		cmocka_unit_test(what_we_offer_instead_is_a_metric_of_ours),
		cmocka_unit_test(strict_counts_nine_names_as_needing_counters),
		cmocka_unit_test(namespaces_of_counters_and_of_ours_do_not_mix),
		cmocka_unit_test(kinds_have_the_names_of_the_map_file),
	};

	return cmocka_run_group_tests_name("ncu", tests, NULL, NULL);
}
