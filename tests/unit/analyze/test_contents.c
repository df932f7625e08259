/* SPDX-License-Identifier: Apache-2.0
 *
 * Traces without kernels: a report that says why, and an error only when there is nothing at all.
 */
#include "all.h"

static void expect_cause(struct given *g, enum ks_no_kernels why, const char *words)
{
	then_report(g);
	assert_int_equal(g->r->n_kernels, 1);
	assert_int_equal(g->r->contents.why_no_kernels, why);
	const struct ks_ev *row = row_of(g, "(device)", "gpu__time_duration.sum");

	expect_refused(row, KS_REFUSAL_NO_LAUNCH_ACTIVITY);
	assert_non_null(strstr(english(g, &row->refused->message), words));
	assert_true(row->refused->remedy.action.id != KS_TEXT_NONE);
}

static void nothing_at_all_is_an_input_error(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	assert_int_equal(when_analysed(&g), KS_E_INPUT);
	assert_non_null(strstr(error_text(&g), "--trace=cuda"));
	given_release(&g);
}

static void copies_alone_are_a_report(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 12, 0, 84);
	given_copy(&g, 0, 1000, 500);
	given_copy(&g, 0, 1200, 500)->bytes = KS_UNKNOWN;
	given_copy(&g, 0, 9000, 0)->bytes = 50; /* no time, but its bytes moved */
	expect_cause(&g, KS_NK_NOTHING_RECORDED, "no kernel");
	assert_int_equal(g.r->contents.copies, 2);
	assert_int_equal(g.r->contents.bad_copies, 1);
	assert_int_equal(g.r->contents.copy_bytes, 1050);
	assert_int_equal(g.r->span_ns, 700);
	assert_int_equal(g.r->gpu[0].busy_ns, 700);
	expect_real(row_of(&g, "(device)", "ks__device_0__busy_ms"), 7e-4);
	assert_false(has_row(&g, "(device)", "ks__device_0__kernel_ms"));
	given_release(&g);
}

static void the_causes_are_told_apart(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	g.meta.nvtx_rows = 3;
	g.meta.has_kernel_table = g.meta.has_cuda_tables = false;
	expect_cause(&g, KS_NK_NOT_TRACED, "not traced");
	g.meta.has_cuda_tables = true;
	g.meta.api_calls = 10;
	expect_cause(&g, KS_NK_NOTHING_RECORDED, "no kernel");
	g.meta.graph_rows = 4;
	expect_cause(&g, KS_NK_GRAPH_ONLY, "graph");
	g.meta.kernel_table_unread = true;
	expect_cause(&g, KS_NK_NOT_A_TABLE, "never read");
	given_release(&g);
}

static void a_missing_driver_is_the_files_word_not_a_guess(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 8, 9, 128);
	g.meta.has_kernel_table = g.meta.has_cuda_tables = false;
	g.meta.no_driver = true;
	g.meta.cuda_traced = 1;
	expect_cause(&g, KS_NK_NO_DRIVER, "driver");
	given_release(&g);
}

static void what_the_file_says_of_tracing_outranks_which_tables_it_has(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 8, 9, 128);
	g.meta.has_kernel_table = g.meta.has_cuda_tables = false;
	g.meta.cuda_traced = 1;
	expect_cause(&g, KS_NK_NOTHING_RECORDED, "no kernel");
	g.meta.cuda_traced = 0;
	expect_cause(&g, KS_NK_NOT_TRACED, "not traced");
	given_release(&g);
}

static void equal_messages_of_the_profiler_are_folded(void **state)
{
	struct given g;
	bool again;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 8, 9, 128);
	g.a = ks_analysis_open(&g.ctx, &g.sel);
	const struct ks_sink *s = ks_analysis_sink(g.a);
	const struct ks_trace_diagnostic d[] = {
		{ 1, KS_LIT("Profiling has started.") },
		{ 3, KS_LIT("A buffer was dropped.") },
		{ 1, KS_LIT("Profiling has started.") },
	};

	assert_int_equal(s->ops->meta(s->self, &g.meta, &g.err), KS_OK);
	assert_int_equal(s->ops->gpu(s->self, &g.gpu[0], &g.err), KS_OK);
	for (size_t i = 0; i < KS_ARRAY_LEN(d); i++)
		assert_int_equal(s->ops->diagnostic(s->self, &d[i], &g.err), KS_OK);
	assert_int_equal(s->ops->done(s->self, &again, &g.err), KS_OK);
	assert_int_equal(ks_analysis_finish(g.a, &g.r, &g.err), KS_OK);
	assert_int_equal(g.r->n_diagnostics, 2);
	assert_int_equal(g.r->diagnostic[0].count, 2);
	given_release(&g);
}

static void a_device_alone_is_a_report(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	g.meta.has_kernel_table = g.meta.has_cuda_tables = false;
	given_gpu(&g, 0, 8, 6, 26);
	expect_cause(&g, KS_NK_NOT_TRACED, "not traced");
	assert_int_equal(g.r->n_gpus, 1);
	assert_false(g.r->gpu[0].used);
	expect_refused(row_of(&g, "(device)", "ks__trace_span_ms"), KS_REFUSAL_NO_LAUNCH_ACTIVITY);
	given_release(&g);
}

static void the_span_of_other_rows_is_said_to_be_one(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	g.meta.nvtx_rows = 2;
	g.meta.other_first_ns = 100;
	g.meta.other_last_ns = 5100;
	then_report(&g);
	assert_true(g.r->span_from_other_rows);
	assert_int_equal(g.r->span_ns, 5000);
	assert_true(has_note(&g, "other rows"));
	given_release(&g);
}

static void bad_rows_alone_are_no_kernel(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_launch(&g, "k", 0, 1000, 0);
	expect_cause(&g, KS_NK_NOTHING_RECORDED, "valid time");
	assert_int_equal(g.r->contents.bad_kernels, 1);
	given_release(&g);
}

static void sums_beyond_63_bits_are_an_error_not_a_number(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	for (unsigned i = 0; i < 8; i++)
		given_launch(&g, "k", i, -(INT64_MAX / 4), INT64_MAX / 2 - 2);
	assert_int_equal(when_analysed(&g), KS_E_INPUT);
	assert_int_equal(g.err.text, KS_TEXT_ERR_AN_OVERFLOW);
	given_release(&g);
}

static void times_out_of_range_are_bad_rows(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_launch(&g, "k", 0, 0, 100);
	given_launch(&g, "k", 0, INT64_MAX - 10, 5);
	given_launch(&g, "k", 0, INT64_MIN + 1, 5);
	then_report(&g);
	assert_int_equal(g.r->contents.bad_kernels, 2);
	assert_int_equal(g.r->span_ns, 100);
	given_release(&g);
}

int test_contents(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_at_all_is_an_input_error),
		cmocka_unit_test(copies_alone_are_a_report),
		cmocka_unit_test(the_causes_are_told_apart),
		cmocka_unit_test(a_missing_driver_is_the_files_word_not_a_guess),
		cmocka_unit_test(what_the_file_says_of_tracing_outranks_which_tables_it_has),
		cmocka_unit_test(equal_messages_of_the_profiler_are_folded),
		cmocka_unit_test(a_device_alone_is_a_report),
		cmocka_unit_test(the_span_of_other_rows_is_said_to_be_one),
		cmocka_unit_test(bad_rows_alone_are_no_kernel),
		cmocka_unit_test(sums_beyond_63_bits_are_an_error_not_a_number),
		cmocka_unit_test(times_out_of_range_are_bad_rows),
	};

	return cmocka_run_group_tests_name("contents", tests, NULL, NULL);
}
