/* SPDX-License-Identifier: Apache-2.0
 *
 * Verdicts, premises, counter states and tiers against the evidence contract (sections 6 and 8).
 */
#include "tests.h"

static const char *const verdict_order[] = {
	"kernel_time",
	"cost_per_token",
	"truth_vs_substitute",
	"saving_estimate",
	"saving_estimate_share",
	"dram_bytes",
	"dram_bytes_per_launch",
	"dram_bytes_trace",
	"ledger_verdict",
	"occupancy",
	"roofline",
	"issue_slot",
	"l2_locality",
	"over_peak",
	"static_mix",
};

static void verdicts_are_those_of_the_original_in_its_order(void **state)
{
	(void)state;
	assert_int_equal(KS_ARRAY_LEN(verdict_order), KS_VERDICT_COUNT - 1);
	for (size_t i = 0; i < KS_ARRAY_LEN(verdict_order); i++) {
		enum ks_verdict v;

		assert_true(ks_verdict_find(STR(verdict_order[i]), &v));
		assert_int_equal(v, i + 1);
		assert_string_equal(ks_verdict_info(v)->id, verdict_order[i]);
	}
}

static void five_verdicts_are_kept_before_the_others(void **state)
{
	static const char *const first[] = { "kernel_time", "cost_per_token", "saving_estimate",
					     "truth_vs_substitute", "over_peak" };
	unsigned kept = 0;

	(void)state;
	for (int i = 1; i < KS_VERDICT_COUNT; i++)
		kept += ks_verdict_info((enum ks_verdict)i)->kept_first;
	assert_int_equal(kept, KS_ARRAY_LEN(first));
	for (size_t i = 0; i < KS_ARRAY_LEN(first); i++) {
		enum ks_verdict v;

		assert_true(ks_verdict_find(STR(first[i]), &v));
		assert_true(ks_verdict_info(v)->kept_first);
		assert_true(ks_verdict_info(v)->primary_facts);
	}
}

static void a_failed_premise_gives_the_code_of_the_contract(void **state)
{
	static const struct {
		const char *id;
		enum ks_refusal code;
	} cases[] = {
		{ "dtype_peak_exceeded", KS_REFUSAL_CALIBRATION_CALIBER_MISMATCH },
		{ "over_peak", KS_REFUSAL_CALIBRATION_CALIBER_MISMATCH },
		{ "window_coverage_pct", KS_REFUSAL_COVERAGE_TOO_LOW },
		{ "env_gpu_busy_pct", KS_REFUSAL_COVERAGE_TOO_LOW },
		{ "matched_kernel_kernel_share_pct", KS_REFUSAL_SHARE_TOO_LOW },
		{ "env_gpu_exclusive", KS_REFUSAL_ENV_SHARED_GPU },
		{ "env_no_throttle_pct", KS_REFUSAL_ENV_THROTTLED },
		{ "kernel_time_pct_of_wall", KS_REFUSAL_PREMISE_FAILED },
		{ "kernel_share_of_total", KS_REFUSAL_PREMISE_FAILED },
		{ "trace_vs_nvml_pct", KS_REFUSAL_PREMISE_FAILED },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		enum ks_premise p;

		assert_true(ks_premise_find(STR(cases[i].id), &p));
		assert_int_equal(ks_premise_info(p)->fails_as, cases[i].code);
	}
	for (int i = 1; i < KS_PREMISE_COUNT; i++) {
		enum ks_premise p;

		assert_true(ks_premise_find(STR(ks_premise_info((enum ks_premise)i)->id), &p));
		assert_int_equal(p, i);
	}
}

static void unknown_verdicts_and_premises_are_not_found(void **state)
{
	enum ks_verdict v;
	enum ks_premise p;

	(void)state;
	assert_false(ks_verdict_find(STR("kernel"), &v));
	assert_int_equal(v, KS_VERDICT_NONE);
	assert_false(ks_premise_find(STR("luck"), &p));
	assert_int_equal(p, KS_PREMISE_NONE);
}

static void tiers_and_counter_states_have_the_names_of_the_packet(void **state)
{
	static const char *const tier[] = { "demo", "device", "trace", "instrumented", "counters" };
	static const char *const counter[] = { "unknown", "not-installed", "not-in-path", "denied",
					       "available" };

	(void)state;
	assert_int_equal(KS_ARRAY_LEN(tier), KS_TIER_COUNT);
	for (int i = 0; i < KS_TIER_COUNT; i++)
		assert_string_equal(ks_tier_name((enum ks_tier)i), tier[i]);
	assert_int_equal(KS_ARRAY_LEN(counter), KS_COUNTER_STATE_COUNT);
	for (int i = 0; i < KS_COUNTER_STATE_COUNT; i++)
		assert_string_equal(ks_counter_state_name((enum ks_counter_state)i), counter[i]);
}

int test_verdict(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts_are_those_of_the_original_in_its_order),
		cmocka_unit_test(five_verdicts_are_kept_before_the_others),
		cmocka_unit_test(a_failed_premise_gives_the_code_of_the_contract),
		cmocka_unit_test(unknown_verdicts_and_premises_are_not_found),
		cmocka_unit_test(tiers_and_counter_states_have_the_names_of_the_packet),
	};

	return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
