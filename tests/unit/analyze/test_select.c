/* SPDX-License-Identifier: Apache-2.0
 *
 * -k: exact names, patterns, what is wrong with a pattern, and which names are near.
 */
#include "all.h"

#include "analyze/select.h"

static bool hits(const char *expr, const char *name)
{
	struct ks_matcher *m = NULL;
	struct ks_err err;
	bool hit = false;

	ks_err_init(&err);
	assert_int_equal(ks_matcher_open(&m, ks_str_c(expr), &err), KS_OK);
	assert_int_equal(ks_matcher_test(m, ks_str_c(name), &hit, &err), KS_OK);
	ks_matcher_close(m);
	return hit;
}

static void a_name_matches_itself_only(void **state)
{
	(void)state;
	assert_true(hits("gemm", "gemm"));
	assert_false(hits("gemm", "gemm_tn")); /* ncu's rule: no part of a name */
	assert_false(hits("gemm", "GEMM"));
	assert_true(hits("", "anything"));
	assert_true(hits("a(b", "a(b")); /* no pattern without regex: */
}

static void a_pattern_is_searched(void **state)
{
	(void)state;
	assert_true(hits("regex:gemm", "my_gemm_tn"));
	assert_false(hits("regex:^gemm", "my_gemm_tn"));
	assert_true(hits("regex:^(a|b)+$", "abba"));
	assert_true(hits("regex:", "anything"));
	assert_true(hits("regex:核", "卷积核"));
	assert_true(
		hits("regex:tail", "\xff\xfe tail")); /* bytes that are no UTF-8 are no obstacle */
}

static enum ks_status open_status(const char *expr, struct ks_err *err)
{
	struct ks_matcher *m = NULL;

	ks_err_init(err);
	enum ks_status st = ks_matcher_open(&m, ks_str_c(expr), err);

	ks_matcher_close(m);
	return st;
}

static void a_bad_pattern_is_a_usage_error_with_its_place(void **state)
{
	struct ks_err err;

	(void)state;
	assert_int_equal(open_status("regex:ab(c", &err), KS_E_USAGE);
	assert_int_equal(err.text, KS_TEXT_ERR_AN_BAD_PATTERN);
	assert_string_equal(err.arg[0], "ab(c");
	assert_string_equal(err.arg[1], "4");
	assert_non_null(strstr(err.arg[2], "parenthes"));
	assert_int_equal(open_status("regex:[z-a]", &err), KS_E_USAGE);
	assert_int_equal(open_status("regex:*", &err), KS_E_USAGE);
}

static void a_pattern_that_explodes_is_stopped(void **state)
{
	struct ks_matcher *m = NULL;
	struct ks_err err;
	bool hit = false;
	char name[201];

	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	ks_err_init(&err);
	assert_int_equal(ks_matcher_open(&m, KS_LIT("regex:^(x+x+)+[yz]$"), &err), KS_OK);
	assert_int_equal(ks_matcher_test(m, ks_str_c(name), &hit, &err), KS_E_USAGE);
	assert_int_equal(err.text, KS_TEXT_ERR_AN_PATTERN_COST);
	ks_matcher_close(m);
}

static void near_names_come_first(void **state)
{
	const ks_str name[] = { KS_LIT("softmax_warp"), KS_LIT("gemm_tn"), KS_LIT("gem"),
				KS_LIT("reduce"), KS_LIT("gemn") };
	ks_str out[3] = { { 0 } };

	(void)state;
	assert_int_equal(ks_nearest_names(KS_LIT("gemm"), name, KS_ARRAY_LEN(name), out, 3), 3);
	assert_string_equal(out[0].p, "gemm_tn"); /* contains it */
	assert_string_equal(out[1].p, "gem");	  /* is contained in it */
	assert_string_equal(out[2].p, "gemn");	  /* one letter away */
	assert_int_equal(ks_nearest_names(KS_LIT("x"), name, 1, out, 3), 1);
	assert_int_equal(ks_nearest_names(KS_LIT("x"), name, 0, out, 3), 0);
}

int test_select(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_matches_itself_only),
		cmocka_unit_test(a_pattern_is_searched),
		cmocka_unit_test(a_bad_pattern_is_a_usage_error_with_its_place),
		cmocka_unit_test(a_pattern_that_explodes_is_stopped),
		cmocka_unit_test(near_names_come_first),
	};

	return cmocka_run_group_tests_name("select", tests, NULL, NULL);
}
