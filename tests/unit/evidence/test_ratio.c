/* SPDX-License-Identifier: Apache-2.0
 *
 * Shares and means: never a division by nothing.
 */
#include "all.h"

#include "evidence/ratio.h"

static void a_share_is_a_percentage_of_the_whole(void **state)
{
	(void)state;
	expect_double(ks_share_pct(1, 8), 12.5);
	expect_double(ks_share_pct(30, 20), 150.0); /* nested ranges count twice */
	expect_double(ks_share_pct(0, 20), 0.0);
	assert_true(ks_share_pct(5, 0) < 0.0);
	assert_true(ks_share_pct(5, -1) < 0.0);
}

static void a_mean_needs_something_to_be_the_mean_of(void **state)
{
	(void)state;
	expect_double(ks_mean_ns(7, 2), 3.5);
	expect_double(ks_mean_ns(INT64_MAX, 1), 9223372036854775807.0);
	assert_true(ks_mean_ns(7, 0) < 0.0);
}

/* 45 of 90 ns on one device. */
static void kernel_time_has_a_share_only_of_a_span_that_was_measured(void **state)
{
	const struct ks_report one = {
		.tool_version = KS_LIT("1.0.0"), .kernel_ns = 45, .span_ns = 90, .n_gpus_used = 1
	};
	struct ks_report r = one;

	(void)state;
	expect_double(ks_report_kernel_time_pct(&r), 50.0);
	r.n_gpus_used = 2;
	assert_true(ks_report_kernel_time_pct(&r) < 0.0);
	r = one;
	r.synthetic = true;
	assert_true(ks_report_kernel_time_pct(&r) < 0.0);
	r = one;
	r.span_ns = 0;
	assert_true(ks_report_kernel_time_pct(&r) < 0.0);
	r = one;
	r.tool_version = KS_LIT("0.2.3"); /* its span is its own run time */
	assert_true(ks_report_is_original(&r) && ks_report_kernel_time_pct(&r) < 0.0);
	r.tool_version = KS_LIT("0.20.0");
	assert_false(ks_report_is_original(&r));
}

int test_ratio(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_share_is_a_percentage_of_the_whole),
		cmocka_unit_test(a_mean_needs_something_to_be_the_mean_of),
		cmocka_unit_test(kernel_time_has_a_share_only_of_a_span_that_was_measured),
	};

	return cmocka_run_group_tests_name("ratio", tests, NULL, NULL);
}
