/* SPDX-License-Identifier: Apache-2.0
 *
 * -k, --kernel-name-base, --devices and --launch-skip-before-match: what they choose, and that none
 * of them changes totals, shares or the span.
 */
#include "all.h"

static void given_three_kernels(struct given *g)
{
	given_trace(g);
	given_launch(g, "gemm", 0, 0, 600);
	given_launch(g, "softmax", 0, 1000, 300);
	given_launch(g, "copy_rows", 0, 2000, 100);
}

static void a_chosen_kernel_keeps_its_share_of_everything(void **state)
{
	struct given g;

	(void)state;
	given_three_kernels(&g);
	g.sel.kernel = KS_LIT("softmax");
	then_report(&g);
	assert_int_equal(g.r->n_kernels, 2); /* and (device) */
	assert_int_equal(g.r->total_kernels, 3);
	assert_int_equal(g.r->kernel_ns, 1000);
	assert_int_equal(g.r->matched_ns, 300);
	assert_int_equal(g.r->total_launches, 3);
	assert_int_equal(g.r->span_ns, 2100);
	expect_near(g.r->kernel[0].share_pct, 30.0, 1e-12);
	assert_true(has_note(&g, "1 of 3 kernels"));
	given_release(&g);
}

static void a_pattern_chooses_several(void **state)
{
	struct given g;

	(void)state;
	given_three_kernels(&g);
	g.sel.kernel = KS_LIT("regex:^[gs]");
	then_report(&g);
	assert_int_equal(g.r->n_kernels, 3);
	assert_string_equal(g.r->kernel[0].name.p, "gemm(int)");
	given_release(&g);
}

static void no_match_names_the_nearest_and_the_other_form(void **state)
{
	struct given g;

	(void)state;
	given_three_kernels(&g);
	g.sel.kernel = KS_LIT("softma");
	assert_int_equal(when_analysed(&g), KS_E_NOMATCH);
	assert_non_null(strstr(error_text(&g), "softmax"));
	assert_non_null(strstr(error_text(&g), "regex:"));
	g.sel.kernel = KS_LIT("regex:nothing");
	assert_int_equal(when_analysed(&g), KS_E_NOMATCH);
	assert_non_null(strstr(error_text(&g), "with most time: gemm, softmax, copy_rows."));
	assert_non_null(strstr(error_text(&g), "--kernel-name-base demangled"));
	g.sel.kernel = KS_LIT("regex:copy_row$"); /* near to the last by spelling */
	assert_int_equal(when_analysed(&g), KS_E_NOMATCH);
	assert_non_null(strstr(error_text(&g), "with most time: gemm, softmax, copy_rows."));
	g.sel.base = KS_NAMES_DEMANGLED;
	assert_int_equal(when_analysed(&g), KS_E_NOMATCH);
	assert_null(strstr(error_text(&g), "--kernel-name-base"));
	g.sel.kernel = KS_LIT("regex:(");
	assert_int_equal(when_analysed(&g), KS_E_USAGE);
	given_release(&g);
}

static void the_default_matches_functions_and_groups_by_full_names(void **state)
{
	struct given g;
	struct ks_launch *l;

	(void)state;
	given_trace(&g);
	l = given_launch(&g, "scan", 0, 0, 10);
	l->demangled = given_name(&g, "void scan<float>(float*)");
	l = given_launch(&g, "scan", 0, 100, 20);
	l->demangled = given_name(&g, "void scan<int>(int*)");
	g.sel.kernel = KS_LIT("scan");
	then_report(&g);
	assert_int_equal(g.r->n_kernels, 3); /* variants of one template stay apart */
	assert_string_equal(kernel_named(&g, "void scan<int>(int*)")->base.p, "scan");
	g.sel.kernel = KS_LIT("void scan<int>(int*)");
	assert_int_equal(when_analysed(&g), KS_E_NOMATCH);
	g.sel.base = KS_NAMES_DEMANGLED;
	then_report(&g);
	assert_int_equal(g.r->n_kernels, 2);
	given_release(&g);
}

static void the_function_base_merges_and_says_how_many(void **state)
{
	struct given g;
	struct ks_launch *l;

	(void)state;
	given_trace(&g);
	l = given_launch(&g, "scan", 0, 0, 10);
	l->demangled = given_name(&g, "void scan<float>(float*)");
	l = given_launch(&g, "scan", 0, 100, 20);
	l->demangled = given_name(&g, "void scan<int>(int*)");
	given_launch(&g, "other", 0, 200, 5);
	g.sel.base = KS_NAMES_FUNCTION;
	then_report(&g);
	const struct ks_kernel *k = kernel_named(&g, "scan");

	assert_int_equal(k->n_names, 2);
	assert_int_equal(k->launches, 2);
	assert_int_equal(k->total_ns, 30);
	assert_int_equal(kernel_named(&g, "other")->n_names, 1);
	given_release(&g);
}

static void the_mangled_base_falls_back_to_the_full_name(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_launch(&g, "a", 0, 0, 10)->mangled = given_name(&g, "_Z1ai");
	given_launch(&g, "b", 0, 100, 10);
	g.sel.base = KS_NAMES_MANGLED;
	g.sel.kernel = KS_LIT("_Z1ai");
	then_report(&g);
	assert_int_equal(kernel_named(&g, "_Z1ai")->launches, 1);
	g.sel.kernel = KS_LIT("b(int)");
	then_report(&g);
	given_release(&g);
}

static void names_fall_through_to_what_is_recorded(void **state)
{
	struct given g;
	struct ks_launch *l;

	(void)state;
	given_trace(&g);
	l = given_launch(&g, "x", 0, 0, 10); /* only a function name */
	l->demangled = 0;
	l = given_launch(&g, "y", 0, 100, 10); /* only a mangled one: demangled here */
	l->demangled = l->function = 0;
	l->mangled = given_name(&g, "_ZN2ns4scanIfEEvPT_");
	l = given_launch(&g, "z", 0, 200, 10); /* only a mangled one that is no mangled name */
	l->demangled = l->function = 0;
	l->mangled = given_name(&g, "plain_c_kernel");
	l = given_launch(&g, "w", 0, 300, 10); /* none at all */
	l->demangled = l->function = 0;
	then_report(&g);
	kernel_named(&g, "x");
	assert_string_equal(kernel_named(&g, "void ns::scan<float>(float*)")->base.p, "scan");
	kernel_named(&g, "plain_c_kernel");
	kernel_named(&g, "<unknown>");
	given_release(&g);
}

static void devices_choose_launches_and_their_totals(void **state)
{
	struct given g;
	const int64_t one = 1, nine = 9;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 8, 9, 128);
	given_gpu(&g, 1, 8, 9, 128);
	given_launch(&g, "k", 0, 0, 700);
	given_launch(&g, "k", 1, 100, 300);
	given_launch(&g, "only_on_0", 0, 1000, 50);
	g.sel.device = &one;
	g.sel.n_devices = 1;
	then_report(&g);
	assert_int_equal(g.r->n_kernels, 2);
	assert_int_equal(g.r->kernel_ns, 300);
	assert_int_equal(g.r->total_launches, 1);
	assert_int_equal(kernel_named(&g, "k(int)")->launches, 1);
	expect_near(g.r->kernel[0].share_pct, 100.0, 1e-12);
	assert_int_equal(g.r->n_gpus_used, 1);
	assert_int_equal(g.r->gpu[0].label, 1);
	assert_false(g.r->multi_device);
	assert_int_equal(g.r->span_ns, 1050); /* the span is that of the whole trace */
	assert_true(has_note(&g, "1 of 2 devices"));
	assert_false(has_row(&g, "(device)", "ks__device_0__kernel_ms"));
	g.sel.device = &nine;
	assert_int_equal(when_analysed(&g), KS_E_NOMATCH);
	assert_non_null(strstr(error_text(&g), "0, 1"));
	given_release(&g);
}

static void skipped_launches_leave_statistics_but_no_total(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	for (unsigned i = 0; i < 6; i++) /* latest first: order in the file does not matter */
		given_launch(&g, i < 3 ? "b" : "a", 0, 1000 * (6 - i), 100 + i);
	g.sel.skip_before_match = 4; /* the four earliest: three of a, one of b */
	then_report(&g);
	assert_int_equal(g.passes, 2);
	assert_int_equal(g.r->contents.skipped, 4);
	assert_int_equal(g.r->total_launches, 6);
	assert_int_equal(g.r->kernel_ns, 615);
	assert_int_equal(g.r->n_kernels, 2); /* every launch of a is skipped */
	assert_int_equal(kernel_named(&g, "b(int)")->launches, 2);
	assert_int_equal(kernel_named(&g, "b(int)")->total_ns, 201);
	assert_int_equal(g.r->gpu[0].kernel_busy_ns, 615);
	assert_true(has_note(&g, "left out 4 launches"));
	given_release(&g);
}

static void skipping_everything_leaves_no_kernel_to_show(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_launch(&g, "a", 0, 0, 100);
	g.sel.skip_before_match = 10;
	then_report(&g);
	assert_int_equal(g.r->n_kernels, 1);
	assert_int_equal(g.r->contents.skipped, 1);
	assert_int_equal(g.r->kernel_ns, 100);
	g.sel.kernel = KS_LIT("a");
	assert_int_equal(when_analysed(&g), KS_E_NOMATCH);
	given_release(&g);
}

int test_selection(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chosen_kernel_keeps_its_share_of_everything),
		cmocka_unit_test(a_pattern_chooses_several),
		cmocka_unit_test(no_match_names_the_nearest_and_the_other_form),
		cmocka_unit_test(the_default_matches_functions_and_groups_by_full_names),
		cmocka_unit_test(the_function_base_merges_and_says_how_many),
		cmocka_unit_test(the_mangled_base_falls_back_to_the_full_name),
		cmocka_unit_test(names_fall_through_to_what_is_recorded),
		cmocka_unit_test(devices_choose_launches_and_their_totals),
		cmocka_unit_test(skipped_launches_leave_statistics_but_no_total),
		cmocka_unit_test(skipping_everything_leaves_no_kernel_to_show),
	};

	return cmocka_run_group_tests_name("selection", tests, NULL, NULL);
}
