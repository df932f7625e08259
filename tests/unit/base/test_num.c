/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers against texts found by Python's repr and by hand, and round trips over hard doubles.
 */
#include "all.h"

#include <float.h>
#include <math.h>

#include "base/num.h"
#include "base/str.h"

static void integers_of_every_length(void **state)
{
	static const struct {
		int64_t v;
		const char *want, *grouped;
	} cases[] = {
		{ 0, "0", "0" },
		{ 9, "9", "9" },
		{ 10, "10", "10" },
		{ -1, "-1", "-1" },
		{ 999, "999", "999" },
		{ 1000, "1000", "1,000" },
		{ -1000, "-1000", "-1,000" },
		{ 1048576, "1048576", "1,048,576" },
		{ INT64_MAX, "9223372036854775807", "9,223,372,036,854,775,807" },
		{ INT64_MIN, "-9223372036854775808", "-9,223,372,036,854,775,808" },
	};
	char text[KS_NUM_LEN], by_libc[KS_NUM_LEN];

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		assert_int_equal(ks_num_i64(text, cases[i].v), strlen(cases[i].want));
		assert_string_equal(text, cases[i].want);
		assert_int_equal(ks_num_grouped(text, cases[i].v), strlen(cases[i].grouped));
		assert_string_equal(text, cases[i].grouped);
	}
	for (uint64_t power = 1, n = 0; n < 20; n++, power *= 10) {
		for (uint64_t v = power - 1; v <= power + 1; v++) {
			const int len =
				snprintf(by_libc, sizeof(by_libc), "%llu", (unsigned long long)v);

			assert_int_equal(ks_num_u64(text, v), len);
			assert_string_equal(text, by_libc);
		}
	}
	ks_num_u64(text, UINT64_MAX);
	assert_string_equal(text, "18446744073709551615");
}

static void doubles_get_their_shortest_text(void **state)
{
	static const struct {
		double v;
		const char *want;
	} cases[] = {
		{ 0.0, "0" },
		{ -0.0, "-0" },
		{ 5.0, "5" },
		{ -3.0, "-3" },
		{ 0.1, "0.1" },
		{ 0.1 + 0.2, "0.30000000000000004" },
		{ 1.0 / 3.0, "0.3333333333333333" },
		{ 2.5, "2.5" },
		{ -1234.000001, "-1234.000001" },
		{ 0.0001, "0.0001" },
		{ 0.000101, "0.000101" },
		{ 0.00001, "1e-05" },
		{ 999999999.999999, "999999999.999999" },
		{ 123456.789, "123456.789" },
		{ 1e21, "1e+21" },
		{ 1e22, "1e+22" },
		{ 5e-324, "5e-324" },
		{ 2.2250738585072014e-308, "2.2250738585072014e-308" },
		{ 9007199254740991.0, "9007199254740991" },
		{ -9007199254740991.0, "-9007199254740991" },
		{ 9007199254740993.0, "9007199254740992" },
		{ DBL_MAX, "1.7976931348623157e+308" },
		{ 3.14159, "3.14159" },
	};
	char text[KS_NUM_LEN];

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		assert_int_equal(ks_num_double(text, cases[i].v), strlen(cases[i].want));
		assert_string_equal(text, cases[i].want);
	}
}

static uint64_t next_random(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

static void expect_round_trip(double v)
{
	char text[KS_NUM_LEN];
	double back;
	const size_t n = ks_num_double(text, v);

	assert_true(n < KS_NUM_LEN && text[n] == '\0');
	assert_true(ks_num_parse_double((ks_str){ text, n }, &back));
	assert_memory_equal(&back, &v, sizeof(v));
}

static void doubles_of_any_bits_read_back_the_same(void **state)
{
	uint64_t x = 88172645463325252u; /* the seed is part of the test */

	(void)state;
	for (int i = 0; i < 20000; i++) {
		const uint64_t bits = next_random(&x);
		double v;

		memcpy(&v, &bits, sizeof(v));
		if (isfinite(v))
			expect_round_trip(v);
		expect_round_trip((double)(bits % 2000000000000u) / 1e6);
		expect_round_trip((double)(bits >> 11) * 0x1p-53);
	}
}

static void short_decimals_print_as_printf_does(void **state)
{
	uint64_t x = 42;
	char text[KS_NUM_LEN], by_libc[KS_NUM_LEN];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		const double v = (double)(next_random(&x) % 1000000000000000u) / 1e6;

		if (v < 1e-4)
			continue;
		(void)snprintf(by_libc, sizeof(by_libc), "%.15g", v);
		(void)ks_num_double(text, v);
		assert_string_equal(text, by_libc);
	}
}

static void people_get_six_digits(void **state)
{
	char text[KS_NUM_LEN];

	(void)state;
	ks_num_human(text, 1.0 / 3.0);
	assert_string_equal(text, "0.333333");
	ks_num_human(text, 12345678.0);
	assert_string_equal(text, "12345678");
	ks_num_human(text, 12345678.5);
	assert_string_equal(text, "1.23457e+07");
	ks_num_human(text, -0.0);
	assert_string_equal(text, "0");
}

static void integers_are_read_strictly(void **state)
{
	static const char *const bad[] = { "",
					   "-",
					   "+",
					   " 1",
					   "1 ",
					   "0x1",
					   "1.0",
					   "1e3",
					   "--1",
					   "9223372036854775808",
					   "-9223372036854775809" };
	int64_t v = 77;
	uint64_t u = 77;

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(bad); i++)
		assert_false(ks_num_parse_i64(ks_str_c(bad[i]), &v));
	assert_false(ks_num_parse_i64(STR("1\0"), &v));
	assert_int_equal(v, 77);
	assert_true(ks_num_parse_i64(STR("-9223372036854775808"), &v) && v == INT64_MIN);
	assert_true(ks_num_parse_i64(STR("9223372036854775807"), &v) && v == INT64_MAX);
	assert_true(ks_num_parse_i64(STR("-0"), &v) && v == 0);
	assert_true(ks_num_parse_i64(STR("+007"), &v) && v == 7);
	assert_true(ks_num_parse_u64(STR("18446744073709551615"), &u) && u == UINT64_MAX);
	assert_false(ks_num_parse_u64(STR("18446744073709551616"), &u));
	assert_false(ks_num_parse_u64(STR("-1"), &u));
	assert_false(ks_num_parse_u64(KS_STR_NONE, &u));
}

static void doubles_are_read_strictly(void **state)
{
	static const char *const bad[] = { "",	  ".",	   "e5", "1e",	    "1e+", "inf",
					   "nan", "0x1p3", " 1", "1 ",	    "1,5", "1e999",
					   "-",	  "1.2.3", "1f", "infinity" };
	static const struct {
		const char *text;
		double want;
	} good[] = { { "1", 1 },      { "-1.5", -1.5 }, { ".5", 0.5 },	   { "5.", 5 },
		     { "1e3", 1000 }, { "1E-2", 0.01 }, { "+2.5e+1", 25 }, { "1e-999", 0 } };
	double v = 77;

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(bad); i++)
		assert_false(ks_num_parse_double(ks_str_c(bad[i]), &v));
	assert_true(v > 76.9 && v < 77.1);
	for (size_t i = 0; i < KS_ARRAY_LEN(good); i++) {
		assert_true(ks_num_parse_double(ks_str_c(good[i].text), &v));
		assert_memory_equal(&v, &good[i].want, sizeof(v));
	}
}

static void sums_stop_before_they_wrap(void **state)
{
	uint64_t sum = UINT64_MAX - 5;

	(void)state;
	assert_true(ks_num_add_u64(&sum, 5));
	assert_true(sum == UINT64_MAX);
	assert_false(ks_num_add_u64(&sum, 1));
	assert_true(sum == UINT64_MAX);
}

static void the_median_is_the_middle_or_between_two(void **state)
{
	double odd[] = { 5.0, -1.0, 3.0 }, even[] = { 8.0, 1.0, 2.0, 4.0 }, one[] = { 7.0 };
	double same[] = { 2.0, 2.0 };

	(void)state;
	assert_int_equal((int)(2.0 * ks_num_median(odd, 3)), 2 * 3);
	assert_int_equal((int)(2.0 * ks_num_median(even, 4)), 2 * 3);
	assert_int_equal((int)(2.0 * ks_num_median(one, 1)), 2 * 7);
	assert_int_equal((int)(2.0 * ks_num_median(same, 2)), 2 * 2);
}

int test_num(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_of_every_length),
		cmocka_unit_test(doubles_get_their_shortest_text),
		cmocka_unit_test(doubles_of_any_bits_read_back_the_same),
		cmocka_unit_test(short_decimals_print_as_printf_does),
		cmocka_unit_test(people_get_six_digits),
		cmocka_unit_test(integers_are_read_strictly),
		cmocka_unit_test(doubles_are_read_strictly),
		cmocka_unit_test(sums_stop_before_they_wrap),
		cmocka_unit_test(the_median_is_the_middle_or_between_two),
	};

	return cmocka_run_group_tests_name("num", tests, NULL, NULL);
}
