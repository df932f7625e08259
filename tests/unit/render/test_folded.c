/* SPDX-License-Identifier: Apache-2.0
 *
 * Folded stacks as text: one line each, the value behind the last blank.
 */
#include "all.h"

#define LINE(s, ns)                                                                                \
	{                                                                                          \
		{ (s), sizeof(s) - 1 }, (ns)                                                       \
	}
static const struct ks_folded lines[] = {
	LINE("(no range);copy_kernel", 7),
	LINE("step;forward;void gemm<float, 4>(int)", 123456789012),
	LINE("step;\033]0;owned\007;\xe5\x8a\xa0", 1),
};

static void a_line_is_stack_blank_value(void **state)
{
	struct given *g = given_report();
	struct ks_timeline t = { .folded = lines, .n_folded = 3 };

	(void)state;
	g->r.timeline = &t;
	assert_string_equal(rendered(g, &ks_render_folded),
			    "(no range);copy_kernel 7\n"
			    "step;forward;void gemm<float, 4>(int) 123456789012\n"
			    "step;\\e]0;owned\\u{7};\xe5\x8a\xa0 1\n");
	given_released(g);
}

static void a_trace_without_kernels_is_an_empty_file(void **state)
{
	struct given *g = given_report();
	struct ks_timeline t = { 0 };

	(void)state;
	g->r.timeline = &t;
	assert_string_equal(rendered(g, &ks_render_folded), "");
	given_released(g);
}

static void a_report_without_stacks_is_an_error(void **state)
{
	struct given *g = given_report();
	struct ks_timeline t = { 0 };
	struct ks_err err = { 0 };
	struct ks_out out;

	(void)state;
	ks_out_open_null(&out);
	assert_int_equal(ks_render_folded.render(&g->ctx, &g->r, &g->v, &out, &err), KS_E_INPUT);
	g->r.timeline = &t;
	g->r.kernel_ns = 1; /* there is time, but nobody kept its stacks */
	assert_int_equal(ks_render_folded.render(&g->ctx, &g->r, &g->v, &out, &err), KS_E_INPUT);
	given_released(g);
}

int test_folded(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_stack_blank_value),
		cmocka_unit_test(a_trace_without_kernels_is_an_empty_file),
		cmocka_unit_test(a_report_without_stacks_is_an_error),
	};

	return cmocka_run_group_tests_name("folded", tests, NULL, NULL);
}
