/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions about byte strings, with NUL bytes and empty ones among them. Distances by hand.
 */
#include "all.h"

#include "base/str.h"

static void equality_is_of_bytes_and_length(void **state)
{
	(void)state;
	assert_true(ks_str_eq(STR("a\0b"), STR("a\0b")));
	assert_false(ks_str_eq(STR("a\0b"), STR("a\0c")));
	assert_false(ks_str_eq(STR("ab"), STR("abc")));
	assert_true(ks_str_eq(KS_STR_NONE, STR("")));
	assert_true(ks_str_eqc(STR("abc"), "abc"));
	assert_true(ks_str_eqc(KS_STR_NONE, ""));
	assert_null(ks_str_c(NULL).p);
	assert_int_equal(ks_str_c(NULL).n, 0);
}

static void order_is_bytewise_and_shorter_first(void **state)
{
	(void)state;
	assert_true(ks_str_cmp(STR("a"), STR("b")) < 0);
	assert_true(ks_str_cmp(STR("a"), STR("ab")) < 0);
	assert_true(ks_str_cmp(STR("\xFF"), STR("a")) > 0);
	assert_true(ks_str_cmp(KS_STR_NONE, STR("")) == 0);
	assert_true(ks_str_cmp(STR("b"), STR("ab")) > 0);
}

static void parts_are_found(void **state)
{
	(void)state;
	assert_true(ks_str_starts(STR("regex:x"), "regex:"));
	assert_false(ks_str_starts(STR("reg"), "regex:"));
	assert_true(ks_str_starts(KS_STR_NONE, ""));
	assert_true(ks_str_ends(STR("run.sqlite"), ".sqlite"));
	assert_false(ks_str_ends(STR("sqlite"), ".sqlite"));
	assert_true(ks_str_has(STR("a\0bc"), STR("\0b")));
	assert_false(ks_str_has(STR("abc"), STR("abcd")));
	assert_true(ks_str_has(KS_STR_NONE, STR("")));
}

static void blanks_are_trimmed(void **state)
{
	(void)state;
	assert_true(ks_str_eqc(ks_str_trim(STR(" \t a b\r\n")), "a b"));
	assert_int_equal(ks_str_trim(STR(" \n ")).n, 0);
	assert_int_equal(ks_str_trim(KS_STR_NONE).n, 0);
}

static void lists_are_cut(void **state)
{
	ks_str rest = STR("a,,b");

	(void)state;
	assert_true(ks_str_eqc(ks_str_cut(&rest, ','), "a"));
	assert_true(ks_str_eqc(ks_str_cut(&rest, ','), ""));
	assert_non_null(rest.p);
	assert_true(ks_str_eqc(ks_str_cut(&rest, ','), "b"));
	assert_null(rest.p);
	rest = STR("a,");
	assert_true(ks_str_eqc(ks_str_cut(&rest, ','), "a"));
	assert_non_null(rest.p);
	assert_true(ks_str_eqc(ks_str_cut(&rest, ','), ""));
	assert_null(rest.p);
}

static void distances(void **state)
{
	static const struct {
		const char *a, *b;
		size_t max, want;
	} cases[] = {
		{ "kitten", "sitting", 9, 3 }, { "", "abc", 9, 3 },
		{ "abc", "abc", 9, 0 },	       { "ab", "ba", 9, 1 },
		{ "ABC", "abc", 9, 0 },	       { "ca", "abc", 9, 3 },
		{ "kitten", "sitting", 2, 3 }, { "a", "abcdef", 2, 3 },
		{ "packet", "pakcet", 9, 1 },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		const ks_str a = ks_str_c(cases[i].a), b = ks_str_c(cases[i].b);

		assert_int_equal(ks_str_distance(a, b, cases[i].max), cases[i].want);
		assert_int_equal(ks_str_distance(b, a, cases[i].max), cases[i].want);
	}
}

static void the_nearest_word_is_offered_only_when_near(void **state)
{
	static const char *const words[] = { "section", "set", "metrics", "kernel-name" };

	(void)state;
	assert_string_equal(ks_str_nearest(STR("metric"), words, 4), "metrics");
	assert_string_equal(ks_str_nearest(STR("kernle-name"), words, 4), "kernel-name");
	assert_string_equal(ks_str_nearest(STR("st"), words, 4), "set");
	assert_null(ks_str_nearest(STR("colour"), words, 4));
	assert_null(ks_str_nearest(STR("x"), words, 0));
}

int test_str(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equality_is_of_bytes_and_length),
		cmocka_unit_test(order_is_bytewise_and_shorter_first),
		cmocka_unit_test(parts_are_found),
		cmocka_unit_test(blanks_are_trimmed),
		cmocka_unit_test(lists_are_cut),
		cmocka_unit_test(distances),
		cmocka_unit_test(the_nearest_word_is_offered_only_when_near),
	};

	return cmocka_run_group_tests_name("str", tests, NULL, NULL);
}
