/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions between units of one dimension, checked by hand arithmetic; nothing between
 * dimensions.
 */
#include "all.h"

#include "evidence/unit.h"

static void units_of_one_dimension_convert(void **state)
{
	static const struct {
		enum ks_unit from, to;
		double given, want;
	} cases[] = {
		{ KS_UNIT_NS, KS_UNIT_MS, 2500000.0, 2.5 },
		{ KS_UNIT_MS, KS_UNIT_NS, 2.5, 2500000.0 },
		{ KS_UNIT_S, KS_UNIT_MS, 1.5, 1500.0 },
		{ KS_UNIT_MB, KS_UNIT_B, 1.5, 1500000.0 },
		{ KS_UNIT_MIB, KS_UNIT_B, 1.0, 1048576.0 },
		{ KS_UNIT_GIB, KS_UNIT_MIB, 2.0, 2048.0 },
		{ KS_UNIT_B, KS_UNIT_KIB, 1024.0, 1.0 },
		{ KS_UNIT_GHZ, KS_UNIT_MHZ, 1.755, 1755.0 },
		{ KS_UNIT_PCT, KS_UNIT_PCT, 33.3, 33.3 },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		double v = cases[i].given;

		assert_true(ks_unit_convert(cases[i].from, cases[i].to, &v));
		expect_double(v, cases[i].want);
	}
}

static void units_of_two_dimensions_do_not(void **state)
{
	double v = 7.0;

	(void)state;
	assert_false(ks_unit_convert(KS_UNIT_MS, KS_UNIT_B, &v));
	assert_false(ks_unit_convert(KS_UNIT_PCT, KS_UNIT_COUNT, &v));
	expect_double(v, 7.0);
}

static void the_words_of_the_original_are_known(void **state)
{
	static const struct {
		const char *word;
		enum ks_unit unit;
	} known[] = {
		{ "张", KS_UNIT_COUNT }, { "次", KS_UNIT_COUNT }, { "个", KS_UNIT_COUNT },
		{ "段", KS_UNIT_COUNT }, { "", KS_UNIT_NONE },	  { "ms", KS_UNIT_MS },
		{ "%", KS_UNIT_PCT },	 { "B", KS_UNIT_B },
	};
	enum ks_unit u;

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(known); i++) {
		assert_true(ks_unit_read(ks_str_c(known[i].word), &u));
		assert_int_equal(u, known[i].unit);
	}
	assert_false(ks_unit_read(KS_LIT("furlong"), &u));
}

int test_unit(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_of_one_dimension_convert),
		cmocka_unit_test(units_of_two_dimensions_do_not),
		cmocka_unit_test(the_words_of_the_original_are_known),
	};

	return cmocka_run_group_tests_name("unit", tests, NULL, NULL);
}
