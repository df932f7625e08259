/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding a refusal code by what people type, and the groups a list shows.
 */
#include "all.h"

#include "verdict/remedy.h"

static void a_code_is_found_in_any_spelling_of_its_letters(void **state)
{
	static const char *const spelt[] = { "no_gpu", "NO_GPU", "no-gpu", "No Gpu" };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(spelt); i++) {
		enum ks_refusal code = KS_REFUSAL_NONE;

		assert_true(ks_remedy_find(ks_str_c(spelt[i]), &code));
		assert_int_equal(code, KS_REFUSAL_NO_GPU);
	}
}

static void what_is_no_code_leaves_the_answer_alone(void **state)
{
	static const char *const wrong[] = { "", "no_gup", "gpu", "no_gpu ",
					     "a_code_longer_than_any_that_ever_was_in_this_table" };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(wrong); i++) {
		enum ks_refusal code = KS_REFUSAL_NO_NVML;

		assert_false(ks_remedy_find(ks_str_c(wrong[i]), &code));
		assert_int_equal(code, KS_REFUSAL_NO_NVML);
	}
}

static void a_slip_has_a_nearest_code_and_noise_has_none(void **state)
{
	(void)state;
	assert_string_equal(ks_remedy_nearest(KS_LIT("no_gup")), "no_gpu");
	assert_string_equal(ks_remedy_nearest(KS_LIT("counter_denied")), "counters_denied");
	assert_null(ks_remedy_nearest(KS_LIT("zzzzzzzzzzzz")));
}

static void every_code_is_in_exactly_one_group(void **state)
{
	enum ks_refusal code[KS_REFUSAL_COUNT];
	bool seen[KS_REFUSAL_COUNT] = { false };
	size_t n = 0;

	(void)state;
	for (unsigned g = 0; g < KS_CAUSE_COUNT; g++) {
		const size_t of_group = ks_remedy_group((enum ks_cause_group)g, code);

		for (size_t i = 0; i < of_group; i++) {
			assert_false(seen[code[i]]);
			seen[code[i]] = true;
		}
		n += of_group;
	}
	assert_int_equal(n, KS_REFUSAL_COUNT - 1);
}

int test_remedy(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_code_is_found_in_any_spelling_of_its_letters),
		cmocka_unit_test(what_is_no_code_leaves_the_answer_alone),
		cmocka_unit_test(a_slip_has_a_nearest_code_and_noise_has_none),
		cmocka_unit_test(every_code_is_in_exactly_one_group),
	};

	return cmocka_run_group_tests_name("remedy", tests, NULL, NULL);
}
