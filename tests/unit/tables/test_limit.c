/* SPDX-License-Identifier: Apache-2.0
 *
 * Limits and exit codes.
 */
#include "tests.h"

static void every_limit_is_a_positive_number(void **state)
{
	(void)state;
	for (int i = 1; i < KS_LIMIT_COUNT; i++)
		assert_true(ks_limit((enum ks_limit)i) > 0);
	assert_int_equal(ks_limit(KS_LIMIT_NONE), 0);
	assert_int_equal(ks_limit(KS_LIMIT_COUNT), 0);
}

static void the_budgets_of_the_contract_are_kept(void **state)
{
	(void)state;
	assert_int_equal(ks_limit(KS_LIMIT_PACKET_BYTES), 4096);
	assert_int_equal(ks_limit(KS_LIMIT_PACKET_INPUT_BYTES), 256 * 1024);
	assert_int_equal(ks_limit(KS_LIMIT_JSON_INPUT_BYTES), 256 * 1024 * 1024);
	assert_int_equal(ks_limit(KS_LIMIT_EXACT_LAUNCHES), 64);
	assert_int_equal(ks_limit(KS_LIMIT_UNION_SPILL_BYTES), 64 * 1024 * 1024);
	assert_int_equal(ks_limit(KS_LIMIT_LAUNCH_LOG_SPILL_BYTES), 256 * 1024 * 1024);
	assert_true(ks_limit(KS_LIMIT_RUN_ARENA_BYTES) == INT64_C(8) << 30);
}

static void exit_codes_are_those_of_the_contract(void **state)
{
	static const struct {
		enum ks_status status;
		int code;
		const char *word;
	} cases[] = {
		{ KS_OK, 0, "ok" },
		{ KS_E_USAGE, 2, "usage" },
		{ KS_E_INPUT, 1, "input" },
		{ KS_E_OUTPUT, 1, "output" },
		{ KS_E_ENV, 1, "environment" },
		{ KS_E_NOMATCH, 1, "no_match" },
		{ KS_E_STRICT, 2, "strict" },
		{ KS_E_INTERNAL, 1, "internal" },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		assert_int_equal(ks_exit_code(cases[i].status), cases[i].code);
		assert_string_equal(ks_status_word(cases[i].status), cases[i].word);
	}
	assert_int_equal(ks_exit_code((enum ks_status)99), 1);
}

int test_limit(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_limit_is_a_positive_number),
		cmocka_unit_test(the_budgets_of_the_contract_are_kept),
		cmocka_unit_test(exit_codes_are_those_of_the_contract),
	};

	return cmocka_run_group_tests_name("limit", tests, NULL, NULL);
}
