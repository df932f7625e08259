/* SPDX-License-Identifier: Apache-2.0
 *
 * Constructors and the rules of contract 02 §1 and §2: each rule is broken once by a constructor
 * and once by a row that is read back.
 */
#include "all.h"

#include <math.h>
#include <stdio.h>

static void an_exact_value_keeps_unit_origin_and_resolution(void **state)
{
	struct bench b;

	(void)state;
	bench_start(&b);
	const struct ks_ev_spec spec = {
		.metric = KS_METRIC_GPU_TIME_DURATION_SUM,
		.subject = KS_LIT("gemm(float*)"),
		.source = { .id = KS_TEXT_LITERAL, .n = 1, .arg = &KS_LIT("kernel rows") },
		.origin = { KS_LIT("CUPTI_ACTIVITY_KIND_KERNEL"), KS_LIT("start,end"), 7 },
		.has_resolution = true,
		.resolution = 0.5,
	};
	ks_id id = ks_ev_exact(b.ev, &spec, KS_VAL_REAL(4.755));
	const struct ks_ev *row = ks_ev_get(b.ev, id);

	expect_real(&b, id, 4.755, KS_UNIT_MS, KS_PROV_EXACT);
	expect_str(row->name, "gpu__time_duration.sum");
	expect_str(row->subject, "gemm(float*)");
	assert_int_equal(row->section, KS_SECTION_DURATION);
	assert_true(row->has_resolution);
	expect_double(row->resolution, 0.5);
	expect_str(row->origin->table, "CUPTI_ACTIVITY_KIND_KERNEL");
	expect_str(row->origin->columns, "start,end");
	assert_int_equal(row->origin->rows, 7);
	expect_str(row->source.arg[0], "kernel rows");
	bench_end(&b);
}

static void every_provenance_has_its_constructor(void **state)
{
	struct bench b;

	(void)state;
	bench_start(&b);
	ks_id total = given_total(&b, 10.0);
	ks_id mean = given_derived(&b, KS_METRIC_KS_LAUNCH_TIME_P50, 2.0, &total, 1);
	ks_id busy = ks_ev_measured(
		b.ev,
		&(struct ks_ev_spec){ .metric = KS_METRIC_MEAS_NVML_MEM_BUSY_MEAN_PCT,
				      .has_resolution = true,
				      .resolution = 1.0 },
		KS_VAL_REAL(37.0));
	ks_id gbs = ks_ev_estimated(b.ev,
				    &(struct ks_ev_spec){ .metric = KS_METRIC_EST_ACHIEVED_GBS,
							  .subject = KS_LIT("k"),
							  .inputs = &mean,
							  .n_inputs = 1 },
				    KS_VAL_REAL(800.0));

	expect_real(&b, mean, 2.0, KS_UNIT_MS, KS_PROV_DERIVED);
	expect_real(&b, busy, 37.0, KS_UNIT_PCT, KS_PROV_MEASURED);
	expect_real(&b, gbs, 800.0, KS_UNIT_GB_PER_S, KS_PROV_ESTIMATED);
	assert_int_equal(ks_store_count(b.ev), 4);
	bench_end(&b);
}

static void a_text_value_has_no_unit(void **state)
{
	struct bench b;
	char limiter[] = "registers+shared_mem";

	(void)state;
	bench_start(&b);
	ks_id id = ks_ev_exact(b.ev,
			       &(struct ks_ev_spec){ .metric = KS_METRIC_KS_OCCUPANCY_LIMITER,
						     .subject = KS_LIT("k") },
			       KS_VAL_TEXT(ks_str_c(limiter)));

	limiter[0] = 'X'; /* the store has its own copy */
	expect_str(ks_ev_get(b.ev, id)->value.s, "registers+shared_mem");
	assert_int_equal(ks_ev_get(b.ev, id)->unit, KS_UNIT_NONE);
	bench_end(&b);
}

static void rows_are_found_by_name_and_subject(void **state)
{
	struct bench b;
	char name[32], pattern[64];

	(void)state;
	bench_start(&b);
	for (int i = 0; i < 3000; i++) {
		int n = snprintf(name, sizeof(name), "kernel%d", i);
		int m = snprintf(pattern, sizeof(pattern), "ks__device_%d__kernel_busy_ms", i);
		ks_id a =
			ks_ev_exact(b.ev,
				    &(struct ks_ev_spec){ .metric = KS_METRIC_GPU_TIME_DURATION_SUM,
							  .subject = { name, (size_t)n } },
				    KS_VAL_REAL(i));
		ks_id c = ks_ev_derived(
			b.ev,
			&(struct ks_ev_spec){ .metric = KS_METRIC_KS_DEVICE_N_KERNEL_BUSY_MS,
					      .name = { pattern, (size_t)m },
					      .inputs = &a,
					      .n_inputs = 1 },
			KS_VAL_REAL(i));

		assert_int_equal(a, 2 * i + 1);
		assert_int_equal(c, 2 * i + 2);
	}
	const struct ks_ev *first = ks_ev_get(b.ev, 1);

	assert_int_equal(ks_ev_find(b.ev, KS_LIT("gpu__time_duration.sum"), KS_LIT("kernel0")), 1);
	assert_int_equal(ks_ev_find(b.ev, KS_LIT("gpu__time_duration.sum"), KS_LIT("kernel2999")),
			 5999);
	assert_int_equal(ks_ev_find(b.ev, KS_LIT("ks__device_1234__kernel_busy_ms"), KS_STR_NONE),
			 2470);
	assert_int_equal(ks_ev_find(b.ev, KS_LIT("gpu__time_duration.sum"), KS_LIT("kernel3000")),
			 0);
	assert_int_equal(ks_ev_find(b.ev, KS_LIT("ks__no_such"), KS_LIT("kernel0")), 0);
	assert_ptr_equal(ks_ev_get(b.ev, 1), first); /* rows never move */
	assert_null(ks_ev_get(b.ev, 0));
	assert_null(ks_ev_get(b.ev, 6001));
	bench_end(&b);
}

static void the_first_of_two_equal_rows_is_found(void **state)
{
	struct bench b;

	(void)state;
	bench_start(&b);
	ks_id first = given_total(&b, 1.0);

	assert_int_not_equal(given_total(&b, 2.0), first);
	assert_int_equal(ks_ev_find(b.ev, KS_LIT("gpu__time_duration.sum"), KS_LIT("k")), first);
	bench_end(&b);
}

/* Given a name, a provenance and a value: which rule is broken. Expected by reading 02 §1 and §2.
 */
static const struct {
	const char *name;
	enum ks_prov prov;
	bool has_value, refused;
	double value;
	const char *rule;
} rules[] = {
	{ "gpu__time_duration.sum", KS_PROV_EXACT, true, false, 1.0, NULL },
	{ "launch__block_size", KS_PROV_EXACT, true, false, 1.0, NULL },
	{ "ks__launch_count", KS_PROV_EXACT, true, false, 1.0, NULL },
	{ "ks__launch_time_p50", KS_PROV_DERIVED, true, false, 1.0, NULL },
	{ "meas__power_max_w", KS_PROV_MEASURED, true, false, 1.0, NULL },
	{ "est__bound", KS_PROV_ESTIMATED, true, false, 1.0, NULL },
	{ "model__x", KS_PROV_ESTIMATED, true, false, 1.0, NULL },
	{ "ks__x", KS_PROV_ESTIMATED, true, false, 1.0, NULL },
	{ "ncu__dram__bytes.sum", KS_PROV_EXACT, true, false, 1.0, NULL },
	{ "dram__bytes.sum", KS_PROV_UNAVAILABLE, false, true, 0.0, NULL },
	{ "whatever", KS_PROV_UNAVAILABLE, false, true, 0.0, NULL },
	/* R1: no value and no refusal, a value under a refusal, unavailable with a value */
	{ "ks__x", KS_PROV_UNAVAILABLE, false, false, 0.0, "R1" },
	{ "ks__x", KS_PROV_DERIVED, true, true, 1.0, "R1" },
	{ "ks__x", KS_PROV_DERIVED, false, false, 0.0, "R1" },
	{ "ks__x", KS_PROV_UNAVAILABLE, true, true, 1.0, "R1" },
	/* R2: the allow-list is empty, so exact does not help */
	{ "dram__bytes.sum", KS_PROV_EXACT, true, false, 1.0, "R2" },
	{ "sm__throughput.avg", KS_PROV_ESTIMATED, true, false, 1.0, "R2" },
	{ "nvlink__bytes", KS_PROV_MEASURED, true, false, 1.0, "R2" },
	/* R4 comes before R3 */
	{ "launch__block_size", KS_PROV_DERIVED, true, false, 1.0, "R4" },
	{ "gpu__time_duration.avg", KS_PROV_ESTIMATED, true, false, 1.0, "R4" },
	/* R3 */
	{ "foo__bar", KS_PROV_DERIVED, true, false, 1.0, "R3" },
	{ "ncu__dram__bytes.sum", KS_PROV_ESTIMATED, true, false, 1.0, "R3" },
	/* naming */
	{ "meas__power_max_w", KS_PROV_DERIVED, true, false, 1.0, "naming" },
	{ "ks__x", KS_PROV_MEASURED, true, false, 1.0, "naming" },
	{ "est__bound", KS_PROV_EXACT, true, false, 1.0, "naming" },
	{ "model__x", KS_PROV_DERIVED, true, false, 1.0, "naming" },
	{ "foo__bar", KS_PROV_EXACT, true, false, 1.0, "naming" },
	/* finite */
	{ "ks__x", KS_PROV_DERIVED, true, false, (double)NAN, "finite" },
	{ "ks__x", KS_PROV_DERIVED, true, false, HUGE_VAL, "finite" },
	{ "ks__x", KS_PROV_DERIVED, true, false, -HUGE_VAL, "finite" },
};

static void each_rule_is_told_by_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(rules); i++) {
		struct ks_value v = rules[i].has_value ? KS_VAL_REAL(rules[i].value) : KS_VAL_NONE;
		const char *rule = ks_ev_broken_rule(ks_str_c(rules[i].name), rules[i].prov, &v,
						     rules[i].refused);

		if ((rule == NULL) != (rules[i].rule == NULL) ||
		    (rule && strcmp(rule, rules[i].rule) != 0))
			fail_msg("row %zu (%s): %s", i, rules[i].name, rule ? rule : "none");
	}
}

static ks_id counter_with_a_value(struct bench *b)
{
	enum ks_metric m = KS_METRIC_SM_THROUGHPUT_AVG_PCT_OF_PEAK_SUSTAINED_ELAPSED;

	return ks_ev_exact(b->ev, &(struct ks_ev_spec){ .metric = m }, KS_VAL_REAL(80.0));
}

static ks_id inexact_duration(struct bench *b)
{
	ks_id in = given_count(b, 1);

	return given_derived(b, KS_METRIC_GPU_TIME_DURATION_SUM, 1.0, &in, 1);
}

static ks_id measured_statistic(struct bench *b)
{
	return ks_ev_measured(b->ev, &(struct ks_ev_spec){ .metric = KS_METRIC_KS_LAUNCH_TIME_P50 },
			      KS_VAL_REAL(1.0));
}

static ks_id not_a_number(struct bench *b)
{
	return given_total(b, (double)NAN);
}

static ks_id infinite(struct bench *b)
{
	return given_total(b, HUGE_VAL);
}

static ks_id no_value(struct bench *b)
{
	return ks_ev_exact(b->ev, &(struct ks_ev_spec){ .metric = KS_METRIC_KS_LAUNCH_COUNT },
			   KS_VAL_NONE);
}

static ks_id exact_percentile(struct bench *b)
{
	return ks_ev_exact(b->ev, &(struct ks_ev_spec){ .metric = KS_METRIC_KS_LAUNCH_TIME_P50 },
			   KS_VAL_REAL(1.0));
}

static ks_id text_for_a_number(struct bench *b)
{
	return ks_ev_exact(b->ev, &(struct ks_ev_spec){ .metric = KS_METRIC_KS_LAUNCH_COUNT },
			   KS_VAL_TEXT(KS_LIT("five")));
}

static ks_id name_of_another_metric(struct bench *b)
{
	return ks_ev_exact(b->ev,
			   &(struct ks_ev_spec){ .metric = KS_METRIC_KS_LAUNCH_COUNT,
						 .name = KS_LIT("ks__bad_rows") },
			   KS_VAL_INT(1));
}

static ks_id name_that_does_not_fit_its_pattern(struct bench *b)
{
	ks_id in = given_count(b, 1);

	return ks_ev_derived(b->ev,
			     &(struct ks_ev_spec){ .metric = KS_METRIC_KS_DEVICE_N_KERNEL_BUSY_MS,
						   .name = KS_LIT("ks__device_busy"),
						   .inputs = &in,
						   .n_inputs = 1 },
			     KS_VAL_REAL(1.0));
}

static ks_id negative_resolution(struct bench *b)
{
	return ks_ev_exact(b->ev,
			   &(struct ks_ev_spec){ .metric = KS_METRIC_KS_LAUNCH_COUNT,
						 .has_resolution = true,
						 .resolution = -1.0 },
			   KS_VAL_INT(1));
}

static ks_id derived_from_nothing(struct bench *b)
{
	return given_derived(b, KS_METRIC_KS_LAUNCH_TIME_P50, 1.0, NULL, 0);
}

static ks_id derived_from_a_row_that_is_not_there(struct bench *b)
{
	return given_derived(b, KS_METRIC_KS_LAUNCH_TIME_P50, 1.0, &(ks_id){ 77 }, 1);
}

static void a_constructor_never_keeps_a_value_that_breaks_a_rule(void **state)
{
	(void)state;
	expect_broken(counter_with_a_value, "R2");
	expect_broken(inexact_duration, "R4");
	expect_broken(measured_statistic, "naming");
	expect_broken(not_a_number, "finite");
	expect_broken(infinite, "finite");
	expect_broken(no_value, "R1");
	expect_broken(exact_percentile, "provenance");
	expect_broken(text_for_a_number, "value kind");
	expect_broken(name_of_another_metric, "name");
	expect_broken(name_that_does_not_fit_its_pattern, "name");
	expect_broken(negative_resolution, "resolution");
	expect_broken(derived_from_nothing, "lineage");
	expect_broken(derived_from_a_row_that_is_not_there, "lineage");
}

#ifndef KS_DEBUG
static void a_row_without_a_metric_ends_the_phase_in_an_error(void **state)
{
	struct bench b;
	struct ks_err err;

	(void)state;
	bench_start(&b);
	ks_err_init(&err);
	assert_int_equal(ks_ev_exact(b.ev, &(struct ks_ev_spec){ 0 }, KS_VAL_INT(1)), 0);
	assert_int_equal(given_total(&b, 1.0), 0);
	assert_int_equal(ks_store_status(b.ev, &err), KS_E_INTERNAL);
	bench_end(&b);
}
#endif

static void after_an_allocation_failure_every_call_returns_0(void **state)
{
	struct bench b;
	struct ks_err err;
	size_t made = 0;

	(void)state;
	ks_arena_init(&b.arena, 200u << 10);
	b.ev = ks_store_open(&b.arena);
	assert_non_null(b.ev);
	assert_int_equal(ks_store_status(b.ev, NULL), KS_OK);
	while (made < 100000 && given_total(&b, 1.0) != 0)
		made++;
	assert_in_range(made, 100, 99999);
	assert_int_equal(given_refusal(&b, KS_METRIC_EST_BOUND, KS_REFUSAL_NO_WORKLOAD), 0);
	assert_int_equal(ks_ev_reread(b.ev,
				      &(struct ks_ev_spec){ .metric = KS_METRIC_KS_LAUNCH_COUNT },
				      KS_PROV_EXACT, KS_STR_NONE, KS_VAL_INT(1), NULL),
			 0);
	ks_err_init(&err);
	assert_int_equal(ks_store_status(b.ev, &err), KS_E_ENV);
	assert_int_equal(err.text, KS_TEXT_ERR_EV_NO_MEMORY);
	bench_end(&b);
}

/* --- rows read back --------------------------------------------------------------------------- */

static ks_id reread(struct bench *b, enum ks_metric m, const char *name, enum ks_prov prov,
		    const char *unit, struct ks_value v)
{
	return ks_ev_reread(b->ev, &(struct ks_ev_spec){ .metric = m, .name = ks_str_c(name) },
			    prov, ks_str_c(unit), v, NULL);
}

static void a_row_read_back_keeps_its_value(void **state)
{
	struct bench b;

	(void)state;
	bench_start(&b);
	expect_real(&b,
		    reread(&b, KS_METRIC_GPU_TIME_DURATION_SUM, "", KS_PROV_EXACT, "ms",
			   KS_VAL_REAL(2.5)),
		    2.5, KS_UNIT_MS, KS_PROV_EXACT);
	/* another unit of the same dimension: 2500000 ns are 2.5 ms */
	expect_real(&b,
		    reread(&b, KS_METRIC_GPU_TIME_DURATION_SUM, "", KS_PROV_EXACT, "ns",
			   KS_VAL_REAL(2.5e6)),
		    2.5, KS_UNIT_MS, KS_PROV_EXACT);
	/* the original's empty unit of a number, and its word for a count */
	ks_id bare = reread(&b, KS_METRIC_KS_LAUNCH_COUNT, "", KS_PROV_EXACT, "", KS_VAL_INT(5));
	ks_id word = reread(&b, KS_METRIC_KS_LAUNCH_COUNT, "", KS_PROV_EXACT, "次", KS_VAL_INT(6));

	assert_int_equal(ks_ev_get(b.ev, bare)->value.i, 5);
	assert_int_equal(ks_ev_get(b.ev, bare)->unit, KS_UNIT_COUNT);
	assert_int_equal(ks_ev_get(b.ev, word)->value.i, 6);
	assert_int_equal(ks_ev_get(b.ev, word)->unit, KS_UNIT_COUNT);
	/* a metric of a later version */
	ks_id later = reread(&b, KS_METRIC_NONE, "ks__not_yet", KS_PROV_DERIVED, "GB/s",
			     KS_VAL_REAL(1.0));

	expect_real(&b, later, 1.0, KS_UNIT_GB_PER_S, KS_PROV_DERIVED);
	bench_end(&b);
}

static void a_row_read_back_that_breaks_a_rule_becomes_a_refusal(void **state)
{
	struct bench b;
	static const struct {
		const char *name;
		enum ks_prov prov;
		const char *unit;
		struct ks_value value;
		const char *rule;
	} cases[] = {
		{ "dram__bytes.sum", KS_PROV_EXACT, "B", { .kind = KS_V_INT, .i = 7 }, "R2" },
		{ "launch__block_size", KS_PROV_DERIVED, "", { .kind = KS_V_INT, .i = 7 }, "R4" },
		{ "foo__bar", KS_PROV_ESTIMATED, "", { .kind = KS_V_INT, .i = 7 }, "R3" },
		{ "meas__x", KS_PROV_EXACT, "", { .kind = KS_V_INT, .i = 7 }, "naming" },
		{ "ks__x", KS_PROV_DERIVED, "furlong", { .kind = KS_V_INT, .i = 7 }, "unit" },
		{ "ks__x",
		  KS_PROV_DERIVED,
		  "ms",
		  { .kind = KS_V_REAL, .d = (double)NAN },
		  "finite" },
		{ "ks__x", KS_PROV_DERIVED, "ms", { .kind = KS_V_NONE }, "R1" },
		{ "ks__x", KS_PROV_UNAVAILABLE, "ms", { .kind = KS_V_INT, .i = 7 }, "R1" },
	};

	(void)state;
	bench_start(&b);
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		ks_id id = reread(&b, KS_METRIC_NONE, cases[i].name, cases[i].prov, cases[i].unit,
				  cases[i].value);

		expect_refused(&b, id, KS_REFUSAL_INTERNAL_UNKNOWN);
		expect_str(ks_ev_get(b.ev, id)->refused->rule, cases[i].rule);
	}
	ks_id id =
		reread(&b, KS_METRIC_GPU_TIME_DURATION_SUM, "", KS_PROV_EXACT, "B", KS_VAL_INT(7));

	expect_refused(&b, id, KS_REFUSAL_INTERNAL_UNKNOWN); /* bytes are no time */
	bench_end(&b);
}

static void a_missing_value_without_a_reason_is_a_legacy_report(void **state)
{
	struct bench b;

	(void)state;
	bench_start(&b);
	expect_refused(&b,
		       reread(&b, KS_METRIC_EST_BOUND, "", KS_PROV_UNAVAILABLE, "", KS_VAL_NONE),
		       KS_REFUSAL_LEGACY_REPORT);
	bench_end(&b);
}

static void a_refusal_read_back_is_kept_whole(void **state)
{
	struct bench b;
	const struct ks_kv observed = { KS_LIT("configs"), KS_VAL_INT(3) };
	const struct ks_refused r = {
		.code = KS_REFUSAL_INTERNAL_UNKNOWN,
		.read_code = KS_LIT("code_of_tomorrow"),
		.severity = KS_SEV_DEGRADED,
		.message = { .id = KS_TEXT_LITERAL, .n = 1, .arg = &KS_LIT("too many") },
		.observed = &observed,
		.n_observed = 1,
		.remedy = { .command = KS_LIT("do this"),
			    .cost_s = 20.0,
			    .cost_kind = KS_COST_WALL },
	};

	(void)state;
	bench_start(&b);
	ks_id id = ks_ev_reread(b.ev, &(struct ks_ev_spec){ .metric = KS_METRIC_LAUNCH_GRID_SIZE },
				KS_PROV_UNAVAILABLE, KS_STR_NONE, KS_VAL_NONE, &r);
	const struct ks_refused *got = ks_ev_get(b.ev, id)->refused;

	expect_refused(&b, id, KS_REFUSAL_INTERNAL_UNKNOWN);
	expect_str(ks_refused_slug(got), "code_of_tomorrow");
	assert_int_equal(got->severity, KS_SEV_DEGRADED);
	expect_str(got->observed[0].key, "configs");
	assert_int_equal(got->observed[0].value.i, 3);
	expect_str(got->remedy.command, "do this");
	expect_double(got->remedy.cost_s, 20.0);
	bench_end(&b);
}

int test_store(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_exact_value_keeps_unit_origin_and_resolution),
		cmocka_unit_test(every_provenance_has_its_constructor),
		cmocka_unit_test(a_text_value_has_no_unit),
		cmocka_unit_test(rows_are_found_by_name_and_subject),
		cmocka_unit_test(the_first_of_two_equal_rows_is_found),
		cmocka_unit_test(each_rule_is_told_by_name),
		cmocka_unit_test(a_constructor_never_keeps_a_value_that_breaks_a_rule),
#ifndef KS_DEBUG
		cmocka_unit_test(a_row_without_a_metric_ends_the_phase_in_an_error),
#endif
		cmocka_unit_test(after_an_allocation_failure_every_call_returns_0),
		cmocka_unit_test(a_row_read_back_keeps_its_value),
		cmocka_unit_test(a_row_read_back_that_breaks_a_rule_becomes_a_refusal),
		cmocka_unit_test(a_missing_value_without_a_reason_is_a_legacy_report),
		cmocka_unit_test(a_refusal_read_back_is_kept_whole),
	};

	return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
