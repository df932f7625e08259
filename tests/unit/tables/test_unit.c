/* SPDX-License-Identifier: Apache-2.0
 *
 * Units and provenance.
 */
#include "tests.h"

static void every_symbol_finds_its_unit(void **state)
{
	(void)state;
	for (int i = 0; i < KS_UNITS; i++) {
		enum ks_unit u = KS_UNITS;

		assert_true(ks_unit_find(STR(ks_unit_info((enum ks_unit)i)->symbol), &u));
		assert_int_equal(u, i);
	}
}

static void units_of_one_dimension_convert_by_their_factors(void **state)
{
	static const struct {
		enum ks_unit a, b;
		double ratio; /* how many b one a is */
	} cases[] = {
		{ KS_UNIT_MS, KS_UNIT_NS, 1e6 },    { KS_UNIT_S, KS_UNIT_US, 1e6 },
		{ KS_UNIT_GB, KS_UNIT_MB, 1e3 },    { KS_UNIT_TB, KS_UNIT_B, 1e12 },
		{ KS_UNIT_MIB, KS_UNIT_KIB, 1024 }, { KS_UNIT_GIB, KS_UNIT_B, 1073741824.0 },
		{ KS_UNIT_TIB, KS_UNIT_GIB, 1024 }, { KS_UNIT_GB_PER_S, KS_UNIT_B_PER_S, 1e9 },
		{ KS_UNIT_J, KS_UNIT_MJ, 1e3 },	    { KS_UNIT_GHZ, KS_UNIT_MHZ, 1e3 },
		{ KS_UNIT_PB, KS_UNIT_TB, 1e3 },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		const struct ks_unit_info *a = ks_unit_info(cases[i].a);
		const struct ks_unit_info *b = ks_unit_info(cases[i].b);

		assert_int_equal(a->dimension, b->dimension);
		assert_true(a->factor / b->factor > cases[i].ratio * (1 - 1e-12));
		assert_true(a->factor / b->factor < cases[i].ratio * (1 + 1e-12));
	}
	assert_int_not_equal(ks_unit_info(KS_UNIT_MS)->dimension,
			     ks_unit_info(KS_UNIT_B)->dimension);
	assert_int_not_equal(ks_unit_info(KS_UNIT_PCT)->dimension,
			     ks_unit_info(KS_UNIT_COUNT)->dimension);
}

static void the_originals_spellings_are_understood(void **state)
{
	static const struct {
		const char *symbol;
		enum ks_unit unit;
	} cases[] = {
		{ "张", KS_UNIT_COUNT },	{ "次", KS_UNIT_COUNT },
		{ "个", KS_UNIT_COUNT },	{ "段", KS_UNIT_COUNT },
		{ "CNY/h", KS_UNIT_CUR_PER_H }, { "USD/Mtoken", KS_UNIT_CUR_PER_MTOKEN },
		{ "µs", KS_UNIT_US },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		enum ks_unit u = KS_UNIT_NONE;

		assert_true(ks_unit_find(STR(cases[i].symbol), &u));
		assert_int_equal(u, cases[i].unit);
	}
}

static void unknown_units_are_not_found(void **state)
{
	static const char *const symbols[] = {
		"furlong", "Ms", "ms ", "/h", "a/b/h", "MB/s/s", "%%"
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(symbols); i++) {
		enum ks_unit u = KS_UNIT_NONE;

		if (ks_unit_find(STR(symbols[i]), &u))
			fail_msg("\"%s\" was taken for a unit", symbols[i]);
	}
}

static void provenance_ranks_from_estimated_to_exact(void **state)
{
	(void)state;
	assert_int_equal(ks_prov_rank(KS_PROV_ESTIMATED), 1);
	assert_int_equal(ks_prov_rank(KS_PROV_MEASURED), 2);
	assert_int_equal(ks_prov_rank(KS_PROV_DERIVED), 3);
	assert_int_equal(ks_prov_rank(KS_PROV_EXACT), 4);
	assert_int_equal(ks_prov_rank(KS_PROV_UNAVAILABLE), 5);
}

static void provenance_names_are_those_of_the_files(void **state)
{
	static const char *const names[] = { "exact", "measured", "derived", "estimated",
					     "unavailable" };
	enum ks_prov p;

	(void)state;
	assert_int_equal(KS_ARRAY_LEN(names), KS_PROV_COUNT);
	for (int i = 0; i < KS_PROV_COUNT; i++) {
		assert_string_equal(ks_prov_name((enum ks_prov)i), names[i]);
		assert_true(ks_prov_find(STR(names[i]), &p));
		assert_int_equal(p, i);
	}
	assert_false(ks_prov_find(STR("guessed"), &p));
}

int test_unit(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_symbol_finds_its_unit),
		cmocka_unit_test(units_of_one_dimension_convert_by_their_factors),
		cmocka_unit_test(the_originals_spellings_are_understood),
		cmocka_unit_test(unknown_units_are_not_found),
		cmocka_unit_test(provenance_ranks_from_estimated_to_exact),
		cmocka_unit_test(provenance_names_are_those_of_the_files),
	};

	return cmocka_run_group_tests_name("unit", tests, NULL, NULL);
}
