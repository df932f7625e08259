/* SPDX-License-Identifier: Apache-2.0
 *
 * Evidence rows: values, units, provenance, origin and lineage of each, and a refusal where a
 * section was asked for that a recorded trace cannot fill.
 */
#include "all.h"

static void given_one_kernel(struct given *g)
{
	given_trace(g);
	given_gpu(g, 0, 8, 9, 128);
	given_launch(g, "k", 0, 1000, 500);
	given_launch(g, "k", 0, 3000, 700);
	given_launch(g, "k", 0, 5000, 1200);
}

static void durations_are_exact_and_say_where_from(void **state)
{
	struct given g;

	(void)state;
	given_one_kernel(&g);
	then_report(&g);
	const struct ks_ev *sum = row_of(&g, "k(int)", "gpu__time_duration.sum");

	expect_real(sum, 0.0024);
	assert_int_equal(sum->prov, KS_PROV_EXACT);
	assert_int_equal(sum->unit, KS_UNIT_MS);
	assert_string_equal(sum->origin->table.p, "CUPTI_ACTIVITY_KIND_KERNEL");
	assert_string_equal(sum->origin->columns.p, "start,end");
	assert_int_equal(sum->origin->rows, 3);
	expect_real(row_of(&g, "k(int)", "ks__launch_time_mean"), 0.0008);
	expect_real(row_of(&g, "k(int)", "ks__launch_time_min"), 0.0005);
	expect_real(row_of(&g, "k(int)", "ks__launch_time_max"), 0.0012);
	expect_int(row_of(&g, "k(int)", "ks__launch_count"), 3);
	assert_false(has_row(&g, "k(int)", "ks__bad_rows"));
	assert_false(has_row(&g, "k(int)", "ks__launch_config_count"));
	given_release(&g);
}

static void percentiles_are_derived_with_their_resolution(void **state)
{
	struct given g;

	(void)state;
	given_one_kernel(&g);
	then_report(&g);
	const struct ks_ev *p50 = row_of(&g, "k(int)", "ks__launch_time_p50");

	expect_real(p50, 0.0007);
	assert_int_equal(p50->prov, KS_PROV_DERIVED);
	assert_true(p50->has_resolution);
	expect_near(p50->resolution, 0.0, 0.0);
	assert_int_equal(p50->n_inputs, 1);
	assert_string_equal(ks_ev_get(g.r->ev, p50->inputs[0])->name.p, "gpu__time_duration.sum");
	expect_real(row_of(&g, "k(int)", "ks__launch_time_p90"), 0.0012);
	expect_real(row_of(&g, "k(int)", "ks__launch_time_mad"), 0.0002); /* 200, 0, 500 */
	const struct ks_ev *lo = row_of(&g, "k(int)", "ks__launch_time_p50_lo");

	expect_refused(lo, KS_REFUSAL_PREMISE_FAILED);
	assert_int_equal(lo->refused->observed[0].value.i, 3);
	assert_int_equal(lo->refused->threshold[0].value.i, 8);
	for (unsigned i = 0; i < 5; i++)
		given_launch(&g, "k", 0, 10000 + 2000 * i, 800 + i);
	then_report(&g); /* 500 700 800 801 802 803 804 1200: ranks 1 and 8 */
	expect_real(row_of(&g, "k(int)", "ks__launch_time_p50_lo"), 0.0005);
	expect_real(row_of(&g, "k(int)", "ks__launch_time_p50_hi"), 0.0012);
	given_release(&g);
}

static void many_launches_have_a_resolution(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	for (unsigned i = 0; i < 1000; i++)
		given_launch(&g, "k", 0, 100000 * i, 20000 + i);
	then_report(&g);
	const struct ks_ev *p50 = row_of(&g, "k(int)", "ks__launch_time_p50");

	assert_true(p50->resolution > 0.0 && p50->resolution <= 20500e-6 / 256);
	assert_true(p50->value.d >= 20499.5e-6 - p50->resolution &&
		    p50->value.d <= 20499.5e-6 + p50->resolution);
	assert_non_null(strstr(english(&g, &p50->note), "resolution"));
	given_release(&g);
}

static void the_launch_shape_is_exact(void **state)
{
	struct given g;

	(void)state;
	given_one_kernel(&g);
	then_report(&g);
	expect_int(row_of(&g, "k(int)", "launch__grid_size"), 64);
	expect_int(row_of(&g, "k(int)", "launch__block_size"), 256);
	expect_int(row_of(&g, "k(int)", "launch__thread_count"), 64 * 256);
	expect_int(row_of(&g, "k(int)", "launch__registers_per_thread"), 32);
	expect_int(row_of(&g, "k(int)", "launch__shared_mem_per_block_static"), 0);
	assert_int_equal(row_of(&g, "k(int)", "launch__shared_mem_per_block_static")->unit,
			 KS_UNIT_B);
	assert_false(has_row(&g, "k(int)", "ks__cuda_graph_capture"));
	given_release(&g);
}

static void occupancy_names_its_inputs(void **state)
{
	struct given g;

	(void)state;
	given_one_kernel(&g);
	then_report(&g);
	const struct ks_ev *occ = row_of(&g, "k(int)", "ks__theoretical_occupancy_pct");

	expect_real(occ, 100.0);
	assert_int_equal(occ->prov, KS_PROV_EXACT);
	assert_int_equal(occ->n_inputs, 4);
	assert_string_equal(ks_ev_get(g.r->ev, occ->inputs[0])->name.p, "launch__block_size");
	expect_text(row_of(&g, "k(int)", "ks__occupancy_limiter"), "threads+warps");
	assert_int_equal(
		kernel_named(&g, "k(int)")->config[0].occupancy_pct,
		ks_ev_find(g.r->ev, KS_LIT("ks__theoretical_occupancy_pct"), KS_LIT("k(int)")));
	given_release(&g);
}

static void graph_launches_and_bad_rows_are_counted(void **state)
{
	struct given g;

	(void)state;
	given_one_kernel(&g);
	g.launch[1].graph_node = 77;
	given_launch(&g, "k", 0, 9000, 0);
	given_launch(&g, "k", 0, 9500, -20);
	given_launch(&g, "k", 0, 9900, 10)->end_ns = KS_UNKNOWN;
	then_report(&g);
	const struct ks_ev *graph = row_of(&g, "k(int)", "ks__cuda_graph_capture");

	expect_text(graph, "yes");
	assert_non_null(strstr(english(&g, &graph->note), "1 of 3"));
	expect_int(row_of(&g, "k(int)", "ks__bad_rows"), 3);
	assert_int_equal(g.r->contents.bad_kernels, 3);
	assert_int_equal(g.r->contents.graph_launches, 1);
	assert_true(has_note(&g, "3 kernel rows have no valid time"));
	assert_int_equal(g.r->span_ns, 5200); /* 1000 ... 6200: bad rows are in no number */
	given_release(&g);
}

/* Which code each row of --set full answers with (contract 04, 01 §4). */
static void every_section_answers(void **state)
{
	static const struct {
		const char *kernel, *metric;
		enum ks_refusal code;
	} expect[] = {
		{ "k(int)", "sm__maximum_warps_per_active_cycle_pct", KS_REFUSAL_COUNTERS_DENIED },
		{ "k(int)", "est__achieved_tflops", KS_REFUSAL_NO_WORKLOAD },
		{ "k(int)", "sm__throughput.avg.pct_of_peak_sustained_elapsed",
		  KS_REFUSAL_COUNTERS_DENIED },
		{ "k(int)", "ks__static_sass_instructions", KS_REFUSAL_NO_STATIC_INPUT },
		{ "k(int)", "smsp__inst_executed.sum", KS_REFUSAL_COUNTERS_DENIED },
		{ "k(int)", "ks__computeworkloadanalysis_status", KS_REFUSAL_COUNTERS_DENIED },
		{ "k(int)", "ks__memoryworkloadanalysis_status", KS_REFUSAL_COUNTERS_DENIED },
		{ "k(int)", "ks__memoryworkloadanalysis_tables_status",
		  KS_REFUSAL_COUNTERS_DENIED },
		{ "k(int)", "ks__schedulerstats_status", KS_REFUSAL_COUNTERS_DENIED },
		{ "k(int)", "ks__warpstatestats_status", KS_REFUSAL_COUNTERS_DENIED },
		{ "k(int)", "ks__sourcecounters_status", KS_REFUSAL_SAMPLING_UNAVAILABLE },
		{ "k(int)", "ks__pmsampling_status", KS_REFUSAL_SAMPLING_UNAVAILABLE },
		{ "k(int)", "ks__nvlink_tables_status", KS_REFUSAL_NO_NVLINK },
		{ "k(int)", "ks__numaaffinity_status", KS_REFUSAL_NOT_APPLICABLE },
		{ "k(int)", "ks__workloaddistribution_status", KS_REFUSAL_INSTRUMENTATION_MISSING },
		{ "(device)", "est__dram_bytes_total", KS_REFUSAL_NO_NVML_SAMPLES },
	};
	struct given g;

	(void)state;
	given_one_kernel(&g);
	for (unsigned s = 1; s < KS_SECTION_COUNT; s++)
		g.sel.section_on[s] = true;
	then_report(&g);
	for (size_t i = 0; i < KS_ARRAY_LEN(expect); i++)
		expect_refused(row_of(&g, expect[i].kernel, expect[i].metric), expect[i].code);
	given_release(&g);
}

static void only_the_chosen_sections_are_made(void **state)
{
	struct given g;

	(void)state;
	given_one_kernel(&g);
	memset(g.sel.section_on, 0, sizeof(g.sel.section_on));
	g.sel.section_on[KS_SECTION_OCCUPANCY] = true;
	then_report(&g);
	assert_int_equal(kernel_named(&g, "k(int)")->n_sections, 1);
	assert_int_equal(kernel_named(&g, "(device)")->n_sections, 0);
	expect_real(row_of(&g, "k(int)", "ks__theoretical_occupancy_pct"), 100.0);
	given_release(&g);
}

static void a_section_is_named_by_its_worst_row(void **state)
{
	struct given g;

	(void)state;
	given_one_kernel(&g);
	then_report(&g);
	const struct ks_kernel *k = kernel_named(&g, "k(int)");

	for (size_t s = 0; s < k->n_sections; s++) {
		const struct ks_section_rows *rows = &k->section[s];

		if (rows->section == KS_SECTION_DURATION)
			assert_int_equal(rows->prov,
					 KS_PROV_DERIVED); /* percentiles beside exact rows */
		if (rows->section == KS_SECTION_DURATION)
			assert_int_equal(rows->n_refused, 2); /* the interval of three launches */
		if (rows->section == KS_SECTION_LAUNCHSTATS)
			assert_int_equal(rows->prov, KS_PROV_EXACT);
		if (rows->section == KS_SECTION_SPEEDOFLIGHT)
			assert_int_equal(rows->prov, KS_PROV_UNAVAILABLE);
	}
	given_release(&g);
}

static void a_synthetic_trace_is_marked(void **state)
{
	struct given g;

	(void)state;
	given_one_kernel(&g);
	g.meta.synthetic = true;
	then_report(&g);
	assert_true(g.r->synthetic);
	assert_int_equal(g.r->input_path.n, 0);
	const struct ks_ev *sum = row_of(&g, "k(int)", "gpu__time_duration.sum");

	assert_non_null(strstr(english(&g, &sum->source), "synthetic"));
	assert_string_equal(g.r->source[g.r->n_sources - 1].key.p, "WARNING");
	given_release(&g);
}

static void the_report_says_what_made_it(void **state)
{
	struct given g;

	(void)state;
	given_one_kernel(&g);
	then_report(&g);
	assert_string_equal(g.r->producer.p, "nsys 2024.1, schema 3.9");
	assert_string_equal(g.r->input_path.p, "hand.sqlite");
	assert_string_equal(g.r->tool.p, "kernoscope");
	assert_string_equal(g.r->generated_at.p, "2023-11-14T22:13:20+0000"); /* epoch 1700000000 */
	given_release(&g);
}

int test_evidence(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations_are_exact_and_say_where_from),
		cmocka_unit_test(percentiles_are_derived_with_their_resolution),
		cmocka_unit_test(many_launches_have_a_resolution),
		cmocka_unit_test(the_launch_shape_is_exact),
		cmocka_unit_test(occupancy_names_its_inputs),
		cmocka_unit_test(graph_launches_and_bad_rows_are_counted),
		cmocka_unit_test(every_section_answers),
		cmocka_unit_test(only_the_chosen_sections_are_made),
		cmocka_unit_test(a_section_is_named_by_its_worst_row),
		cmocka_unit_test(a_synthetic_trace_is_marked),
		cmocka_unit_test(the_report_says_what_made_it),
	};

	return cmocka_run_group_tests_name("evidence", tests, NULL, NULL);
}
