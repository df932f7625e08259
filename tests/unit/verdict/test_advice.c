/* SPDX-License-Identifier: Apache-2.0
 *
 * Directions of optimisation: which rows raise one, what bounds it, and in which order they come.
 * Occupancy steps are hand arithmetic on the limits of compute capability 8.9 (65,536 registers in
 * four partitions, granted 256 a warp; 100 KiB of shared memory, 1 KiB reserved a block).
 */
#include "all.h"

#include "verdict/advice.h"

#define DEVICE 2

struct table {
	struct desk desk;
	struct ks_config config;
	const struct ks_advices *got;
};

static void lay(struct table *t)
{
	struct desk *d = &t->desk;

	desk_start(d);
	t->got = NULL;
	t->config = (struct ks_config){ .grid = { 1048576, 1, 1 },
					.block = { 256, 1, 1 },
					.regs = 96,
					.static_smem = 0,
					.dynamic_smem = 49152 };
	d->kernel[0].config = &t->config;
	d->kernel[0].n_configs = 1;
	d->kernel[DEVICE] = (struct ks_kernel){ .name = KS_LIT("(device)"),
						.is_device = true,
						.section = &d->section[DEVICE],
						.n_sections = 1 };
	d->section[DEVICE] = (struct ks_section_rows){ .row = d->row[DEVICE] };
	d->report.n_kernels = 3;
	d->report.span_ns = 10000000;
}

/* A row of the run as a whole, with a pattern filled in. */
static void given_device(struct table *t, enum ks_metric metric, const char *name, double v)
{
	struct ks_ev_spec spec = { .metric = metric,
				   .name = ks_str_c(name),
				   .subject = KS_LIT("(device)"),
				   .origin = { KS_LIT("CUPTI_ACTIVITY_KIND_KERNEL"),
					       KS_LIT("start,end"), 5 } };
	struct ks_store *ev = t->desk.report.ev;

	if (ks_metric_info(metric)->prov == KS_PROV_EXACT)
		assert_int_not_equal(ks_ev_exact(ev, &spec, KS_VAL_REAL(v)), 0);
	else
		assert_int_not_equal(ks_ev_derived(ev, &spec, KS_VAL_REAL(v)), 0);
}

static void given_span(struct table *t)
{
	given_device(t, KS_METRIC_KS_TRACE_SPAN_MS, "ks__trace_span_ms", 10.0);
}

static const struct ks_advices *advised(struct table *t)
{
	struct desk *d = &t->desk;
	struct ks_err err;

	ks_err_init(&err);
	assert_int_equal(ks_advice_make(&d->ctx, &d->report, &d->kernel[0], &t->got, &err), KS_OK);
	assert_non_null(t->got);
	return t->got;
}

static void given_occupancy(struct table *t, double pct, const char *limiter, double blocks)
{
	given_number(&t->desk, 0, KS_METRIC_KS_THEORETICAL_OCCUPANCY_PCT, pct);
	given_text(&t->desk, 0, KS_METRIC_KS_OCCUPANCY_LIMITER, limiter);
	given_number(&t->desk, 0, KS_METRIC_KS_BLOCKS_PER_SM, blocks);
}

static void nothing_measured_advises_nothing(void **state)
{
	struct table t;

	(void)state;
	lay(&t);
	assert_int_equal(advised(&t)->n, 0);
	desk_end(&t.desk);
}

/* Three blocks of 8 warps: 16,384 registers a partition / 6 warps = 2,730, which 256 a step make
 * 2,560 = 80 a thread. 102,400 bytes / 3 = 34,133, in steps of 128 34,048, less 1,024: 33,024. */
static void the_nearest_step_is_one_more_block(void **state)
{
	struct table t;

	(void)state;
	lay(&t);
	given_occupancy(&t, 100.0 / 3.0, "registers+shared_mem", 2);
	const struct ks_advices *a = advised(&t);

	assert_int_equal(a->n, 1);
	assert_int_equal(a->item[0].title, KS_TEXT_AD_OCC);
	assert_true(a->item[0].bound_ms < 0.0);
	assert_int_equal(a->item[0].not_quantified, KS_REFUSAL_NO_OCCUPANCY_PROBE);
	assert_int_equal(a->item[0].n_evidence, 3);
	expect_message(&a->item[0].what, KS_LANG_EN,
		       "At most 33.3333 % of the warp slots can be filled; the limit is "
		       "registers+shared_mem.");
	expect_message(
		&a->item[0].step, KS_LANG_EN,
		"The nearest step: at most 80 registers per thread (now 96) together with at "
		"most 33024 bytes of shared memory per block (now 49152) let 3 blocks reside "
		"on a multiprocessor instead of 2, a limit of 50 %.");
	desk_end(&t.desk);
}

static void one_limit_alone_names_one_step(void **state)
{
	struct table t;

	(void)state;
	lay(&t);
	t.config.dynamic_smem = 0;
	given_occupancy(&t, 100.0 / 3.0, "registers", 2);
	assert_int_equal(advised(&t)->item[0].step.id, KS_TEXT_AD_STEP_REGS);
	assert_int_equal(t.got->item[0].how, KS_TEXT_VD_NEXT_OCC_REGISTERS);
	desk_end(&t.desk);
	lay(&t);
	t.config.regs = 32;
	given_occupancy(&t, 100.0 / 3.0, "shared_mem", 2);
	assert_int_equal(advised(&t)->item[0].step.id, KS_TEXT_AD_STEP_SMEM);
	desk_end(&t.desk);
}

/* Where our table disagrees with the evidence, or a number is missing, there is no step. */
static void a_step_is_given_only_where_the_table_agrees(void **state)
{
	struct table t;

	(void)state;
	for (int i = 0; i < 3; i++) {
		lay(&t);
		given_occupancy(&t, 100.0 / 3.0, "registers+shared_mem", i == 0 ? 4 : 2);
		if (i == 1)
			t.config.regs = KS_UNKNOWN;
		if (i == 2)
			t.desk.gpu[0].cc_major = 99;
		assert_int_equal(advised(&t)->n, 1);
		assert_int_equal(t.got->item[0].step.id, KS_TEXT_NONE);
		desk_end(&t.desk);
	}
}

static void a_limit_above_one_half_is_left_alone(void **state)
{
	struct table t;

	(void)state;
	lay(&t);
	given_occupancy(&t, 50.0, "registers", 3);
	assert_int_equal(advised(&t)->n, 1);
	desk_end(&t.desk);
	lay(&t);
	given_occupancy(&t, 50.1, "registers", 3);
	assert_int_equal(advised(&t)->n, 0);
	desk_end(&t.desk);
}

/* 1.6 waves take two rounds: a fifth of 4.755 ms is 0.951 ms. */
static void the_last_wave_bounds_what_it_leaves_empty(void **state)
{
	struct table t;

	(void)state;
	lay(&t);
	given_number(&t.desk, 0, KS_METRIC_KS_GRID_WAVES, 1.6);
	given_number(&t.desk, 0, KS_METRIC_KS_TAIL_WAVE_FILL_PCT, 60.0);
	const struct ks_advices *a = advised(&t);

	assert_int_equal(a->n, 1);
	assert_int_equal(a->item[0].title, KS_TEXT_AD_TAIL);
	assert_true(a->item[0].bound_ms > 0.95099 && a->item[0].bound_ms < 0.95101);
	assert_int_equal(a->item[0].n_evidence, 2);
	expect_message(&a->item[0].impact, KS_LANG_EN,
		       "At most 0.951 ms, 20 % of this kernel's time, where all blocks take "
		       "equally long and nothing else runs beside it (estimated).");
	desk_end(&t.desk);
}

/* 99.01 waves take 100 rounds, 0.99 % lost; 1.98 take two, 1 % lost. */
static void less_than_a_percent_is_not_worth_a_word(void **state)
{
	static const struct {
		double waves;
		size_t n;
	} cases[] = { { 4096.0, 0 }, { 1.0, 0 }, { 99.01, 0 }, { 1.98, 1 }, { 0.5, 1 } };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct table t;

		lay(&t);
		given_number(&t.desk, 0, KS_METRIC_KS_GRID_WAVES, cases[i].waves);
		assert_int_equal(advised(&t)->n, cases[i].n);
		if (cases[i].waves < 1.0)
			assert_int_equal(t.got->item[0].title, KS_TEXT_AD_SMALL_GRID);
		desk_end(&t.desk);
	}
}

static void mixed_configurations_bound_no_wave(void **state)
{
	struct table t;

	(void)state;
	lay(&t);
	t.desk.kernel[0].n_configs = 3;
	t.desk.kernel[0].mixed_config = true;
	given_number(&t.desk, 0, KS_METRIC_KS_GRID_WAVES, 1.25);
	given_number(&t.desk, 0, KS_METRIC_KS_LAUNCH_CONFIG_COUNT, 3);
	const struct ks_advices *a = advised(&t);

	assert_int_equal(a->n, 2);
	assert_int_equal(a->item[0].not_quantified, KS_REFUSAL_MIXED_LAUNCH_CONFIG);
	assert_int_equal(a->item[1].title, KS_TEXT_AD_MIXED);
	desk_end(&t.desk);
}

/* Idle 3 of 10 ms, copies alone 4, communication 0.05: below one percent. */
static void bounds_come_first_and_the_largest_before_the_others(void **state)
{
	struct table t;

	(void)state;
	lay(&t);
	given_span(&t);
	given_occupancy(&t, 100.0 / 3.0, "registers+shared_mem", 2);
	given_device(&t, KS_METRIC_KS_DEVICE_N_IDLE_MS, "ks__device_0__idle_ms", 3.0);
	given_device(&t, KS_METRIC_KS_DEVICE_N_TIME_COPY_MS, "ks__device_0__time_copy_ms", 4.0);
	given_device(&t, KS_METRIC_KS_COMM_EXPOSED_MS, "ks__comm_exposed_ms", 0.05);
	const struct ks_advices *a = advised(&t);

	assert_int_equal(a->n, 3);
	assert_int_equal(a->item[0].title, KS_TEXT_AD_COPY);
	expect_double(a->item[0].bound_ms, 4.0);
	assert_int_equal(a->item[1].title, KS_TEXT_AD_IDLE);
	expect_double(a->item[1].bound_ms, 3.0);
	assert_int_equal(a->item[2].title, KS_TEXT_AD_OCC);
	desk_end(&t.desk);
}

static void idle_time_below_a_tenth_is_not_worth_a_word(void **state)
{
	struct table t;

	(void)state;
	for (int i = 0; i < 2; i++) {
		lay(&t);
		given_span(&t);
		given_device(&t, KS_METRIC_KS_DEVICE_N_IDLE_MS, "ks__device_0__idle_ms",
			     i ? 1.0 : 0.99);
		assert_int_equal(advised(&t)->n, (size_t)i);
		desk_end(&t.desk);
	}
}

static void pageable_memory_comes_before_streams(void **state)
{
	struct table t;

	(void)state;
	lay(&t);
	given_span(&t);
	given_device(&t, KS_METRIC_KS_DEVICE_N_TIME_COPY_MS, "ks__device_0__time_copy_ms", 4.0);
	given_device(&t, KS_METRIC_KS_COMM_BYTES_PAGEABLE, "ks__comm_bytes_pageable", 4096);
	assert_int_equal(advised(&t)->item[0].how, KS_TEXT_AD_COPY_HOW_PAGEABLE);
	desk_end(&t.desk);
}

/* Two devices that wait 8 ms each add up to 16 ms of a span of 10. */
static void no_bound_is_more_than_the_span(void **state)
{
	struct table t;

	(void)state;
	lay(&t);
	given_span(&t);
	given_device(&t, KS_METRIC_KS_COMM_EXPOSED_MS, "ks__comm_exposed_ms", 16.0);
	expect_double(advised(&t)->item[0].bound_ms, 10.0);
	desk_end(&t.desk);
}

static void a_rate_above_the_peak_advises_nothing(void **state)
{
	(void)state;
	for (int over = 0; over < 2; over++) {
		struct table t;
		struct ks_ev_spec spec = { .metric = KS_METRIC_EST_ROOFLINE_EFFICIENCY_PCT,
					   .subject = KS_LIT("gemm") };

		lay(&t);
		assert_int_not_equal(ks_ev_estimated(t.desk.report.ev, &spec, KS_VAL_REAL(80.0)),
				     0);
		if (over)
			given_number(&t.desk, 0, KS_METRIC_KS_OVER_PEAK_WARNING, 1);
		const struct ks_advices *a = advised(&t);

		assert_int_equal(a->n, over ? 0 : 1);
		if (!over) /* a fifth of 4.755 ms */
			assert_true(a->item[0].bound_ms > 0.9509 && a->item[0].bound_ms < 0.9511);
		desk_end(&t.desk);
	}
}

static void at_most_five_are_given(void **state)
{
	struct table t;

	(void)state;
	lay(&t);
	given_span(&t);
	t.desk.kernel[0].n_configs = 2;
	t.desk.kernel[0].mixed_config = true;
	given_occupancy(&t, 25.0, "registers", 2);
	given_number(&t.desk, 0, KS_METRIC_KS_GRID_WAVES, 1.25);
	given_number(&t.desk, 0, KS_METRIC_KS_LAUNCH_CONFIG_COUNT, 2);
	given_number(&t.desk, 0, KS_METRIC_LAUNCH_LOCAL_MEM_PER_THREAD, 16);
	given_device(&t, KS_METRIC_KS_DEVICE_N_IDLE_MS, "ks__device_0__idle_ms", 3.0);
	given_device(&t, KS_METRIC_KS_DEVICE_N_TIME_COPY_MS, "ks__device_0__time_copy_ms", 4.0);
	const struct ks_advices *a = advised(&t);

	assert_int_equal(a->n, KS_ADVICE_MOST);
	assert_true(a->item[0].bound_ms >= a->item[1].bound_ms && a->item[1].bound_ms > 0.0);
	assert_true(a->item[2].bound_ms < 0.0);
	desk_end(&t.desk);
}

/* The other kernel has rows of its own; none is about this one. */
static void rows_of_another_kernel_are_not_borrowed(void **state)
{
	struct table t;

	(void)state;
	lay(&t);
	given_number(&t.desk, 1, KS_METRIC_KS_GRID_WAVES, 1.25);
	given_number(&t.desk, 1, KS_METRIC_LAUNCH_LOCAL_MEM_PER_THREAD, 16);
	assert_int_equal(advised(&t)->n, 0);
	desk_end(&t.desk);
}

int test_advice(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_measured_advises_nothing),
		cmocka_unit_test(the_nearest_step_is_one_more_block),
		cmocka_unit_test(one_limit_alone_names_one_step),
		cmocka_unit_test(a_step_is_given_only_where_the_table_agrees),
		cmocka_unit_test(a_limit_above_one_half_is_left_alone),
		cmocka_unit_test(the_last_wave_bounds_what_it_leaves_empty),
		cmocka_unit_test(less_than_a_percent_is_not_worth_a_word),
		cmocka_unit_test(mixed_configurations_bound_no_wave),
		cmocka_unit_test(bounds_come_first_and_the_largest_before_the_others),
		cmocka_unit_test(idle_time_below_a_tenth_is_not_worth_a_word),
		cmocka_unit_test(pageable_memory_comes_before_streams),
		cmocka_unit_test(no_bound_is_more_than_the_span),
		cmocka_unit_test(a_rate_above_the_peak_advises_nothing),
		cmocka_unit_test(at_most_five_are_given),
		cmocka_unit_test(rows_of_another_kernel_are_not_borrowed),
	};

	return cmocka_run_group_tests_name("advice", tests, NULL, NULL);
}
