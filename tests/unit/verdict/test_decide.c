/* SPDX-License-Identifier: Apache-2.0
 *
 * Decisions whoever made their rows: which row speaks where several have the name, what a broken
 * premise takes along, what is assumed and what never is. The statuses through the whole program
 * are in tests/cli/verdicts.t.
 */
#include "all.h"

#include <stdio.h>

#include "verdict/environment.h"
#include "verdict/verdict_internal.h"

#define DEVICE 2

/* The pseudo kernel behind the two of the desk. */
static void given_device(struct desk *d)
{
	d->kernel[DEVICE] = (struct ks_kernel){ .name = KS_LIT("(device)"),
						.is_device = true,
						.section = &d->section[DEVICE],
						.n_sections = 1 };
	d->section[DEVICE] =
		(struct ks_section_rows){ .name = KS_LIT("CostLedger"), .row = d->row[DEVICE] };
	d->report.n_kernels = 3;
}

static ks_id given_estimate(struct desk *d, size_t kernel, enum ks_metric metric, double v)
{
	const struct ks_ev_spec spec = { .metric = metric, .subject = d->kernel[kernel].name };
	const ks_id id = ks_ev_estimated(d->report.ev, &spec, KS_VAL_REAL(v));

	assert_int_not_equal(id, 0);
	assert_true(d->section[kernel].n < DESK_ROWS);
	d->row[kernel][d->section[kernel].n++] = id;
	return id;
}

static void a_kernel_with_a_value_speaks_before_one_without(void **state)
{
	struct desk d;

	(void)state;
	desk_start(&d);
	given_refusal(&d, 0, KS_METRIC_EST_ROOFLINE_EFFICIENCY_PCT, KS_REFUSAL_NO_WORKLOAD);
	given_estimate(&d, 1, KS_METRIC_EST_ROOFLINE_EFFICIENCY_PCT, 40.0);
	decided(&d);
	const struct ks_verdict_row *v = row_of(&d, KS_VERDICT_ROOFLINE);

	assert_non_null(v);
	expect_str(fact_of(v, "kernel").s, "add");
	expect_double(v->value.d, 40.0);
	desk_end(&d);

	desk_start(&d); /* both have one: that of the kernel with most time */
	given_estimate(&d, 1, KS_METRIC_EST_ROOFLINE_EFFICIENCY_PCT, 40.0);
	given_estimate(&d, 0, KS_METRIC_EST_ROOFLINE_EFFICIENCY_PCT, 90.0);
	decided(&d);
	expect_str(fact_of(row_of(&d, KS_VERDICT_ROOFLINE), "kernel").s, "gemm");
	desk_end(&d);
}

static void decisions_come_in_the_order_of_the_table(void **state)
{
	struct desk d;
	enum ks_verdict before = KS_VERDICT_NONE;

	(void)state;
	desk_start(&d);
	given_device(&d);
	given_rows(&d);
	given_estimate(&d, 0, KS_METRIC_EST_ISSUE_SLOT_UTILIZATION_PCT, 10.0);
	given_estimate(&d, 0, KS_METRIC_EST_L2_HIT_RATE_L2ONLY_PCT, 10.0);
	given_estimate(&d, 1, KS_METRIC_EST_ROOFLINE_EFFICIENCY_PCT, 10.0);
	given_estimate(&d, DEVICE, KS_METRIC_EST_DRAM_BYTES_TOTAL, 10.0);
	given_number(&d, DEVICE, KS_METRIC_KS_COST_PER_HOUR, 1.0);
	given_number(&d, 1, KS_METRIC_KS_OVER_PEAK_WARNING, 1.0);
	const struct ks_verdicts *v = decided(&d);

	assert_int_equal(v->n, 9);
	for (size_t i = 0; i < v->n; i++) {
		assert_true(v->row[i].id > before);
		before = v->row[i].id;
	}
	desk_end(&d);
}

/* --- money ------------------------------------------------------------------------------------ */

static void money_is_decided_only_where_it_was_asked_for(void **state)
{
	static const struct {
		enum ks_metric metric;
		enum ks_refusal code; /* NONE: a value */
		bool asked, decided;
	} cases[] = {
		{ KS_METRIC_KS_COST_PER_HOUR, KS_REFUSAL_NO_PRICE, false, false },
		{ KS_METRIC_KS_COST_PER_HOUR, KS_REFUSAL_NO_PRICE, true, true },
		{ KS_METRIC_KS_COST_PER_HOUR, KS_REFUSAL_LEGACY_REPORT, false, false },
		{ KS_METRIC_KS_COST_PER_HOUR, KS_REFUSAL_INTERNAL_UNKNOWN, false, false },
		/* no_price comes only when no price was given: another code tells of one */
		{ KS_METRIC_KS_COST_PER_HOUR, KS_REFUSAL_NO_ENERGY, false, true },
		{ KS_METRIC_KS_COST_PER_HOUR, KS_REFUSAL_NONE, false, true },
		{ KS_METRIC_KS_TOKENS_PER_S, KS_REFUSAL_NO_TOKENS, false, false },
		/* the window's own code stands before no_tokens and tells nothing of tokens */
		{ KS_METRIC_KS_TOKENS_PER_S, KS_REFUSAL_BELOW_RESOLUTION, false, false },
		{ KS_METRIC_KS_TOKENS_PER_S, KS_REFUSAL_WINDOW_LAUNCH_UNALIGNED, false, true },
		{ KS_METRIC_KS_TOKENS_PER_S, KS_REFUSAL_NO_LAUNCH_ACTIVITY, false, true },
		{ KS_METRIC_KS_TOKENS_PER_S, KS_REFUSAL_NONE, false, true },
		{ KS_METRIC_MEAS_WINDOW_ENERGY_J, KS_REFUSAL_NONE, false, false },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct desk d;

		desk_start(&d);
		given_device(&d);
		if (cases[i].code == KS_REFUSAL_NONE)
			given_number(&d, DEVICE, cases[i].metric, 1.0);
		else
			given_refusal(&d, DEVICE, cases[i].metric, cases[i].code);
		d.report.asked_cost = cases[i].asked;
		decided(&d);
		if ((row_of(&d, KS_VERDICT_COST_PER_TOKEN) != NULL) != cases[i].decided)
			fail_msg("case %zu", i);
		desk_end(&d);
	}
}

static void a_trace_that_is_asked_for_money_says_what_it_lacks(void **state)
{
	struct desk d;

	(void)state;
	desk_start(&d);
	d.report.asked_cost = true;
	decided(&d);
	const struct ks_verdict_row *v = row_of(&d, KS_VERDICT_COST_PER_TOKEN);

	assert_int_equal(v->status, KS_VERDICT_STATUS_REFUSED);
	assert_int_equal(v->refused->code, KS_REFUSAL_NO_PRICE);
	assert_int_equal(v->refused->remedy.action.id, KS_TEXT_DC_DO_COST);
	assert_int_equal(v->n_facts, 0); /* nothing is assumed without a measured power */
	assert_int_equal(v->prov, KS_PROV_UNAVAILABLE);
	assert_int_equal(v->n_premises, 3);
	for (size_t i = 0; i < v->n_premises; i++)
		assert_true(!v->premise[i].ok && v->premise[i].observed.kind == KS_V_NONE);
	desk_end(&d);
}

static void a_conditional_answer_never_touches_the_decision(void **state)
{
	struct desk d;

	(void)state;
	desk_start(&d);
	given_device(&d);
	given_number(&d, DEVICE, KS_METRIC_MEAS_WINDOW_POWER_MEAN_W, 500.0);
	d.report.asked_cost = true;
	decided(&d);
	const struct ks_verdict_row *v = row_of(&d, KS_VERDICT_COST_PER_TOKEN);

	assert_int_equal(v->status, KS_VERDICT_STATUS_REFUSED);
	assert_false(v->actionable);
	assert_int_equal(v->value.kind, KS_V_NONE);
	expect_double(fact_of(v, "if_cost_per_hour").d, 0.4);	     /* 0.5 kW at 0.8 */
	assert_int_equal(fact_of(v, "if_tokens_s").kind, KS_V_NONE); /* no window, no steps */
	assert_int_equal(fact_of(v, "if_cost_per_mtok").kind, KS_V_NONE);
	expect_str(fact_of(v, "if_missing").s, "no_price");
	expect_str(fact_of(v, "if_basis").s, "conditional");
	expect_str(fact_of(v, "if_provenance").s, "estimated");
	expect_str(fact_of(v, "if_currency").s, "CNY");
	desk_end(&d);
}

/* --- what follows from premises ----------------------------------------------------------------
 */

static void an_unreadable_environment_is_called_that(void **state)
{
	static const enum ks_premise id[] = { KS_PREMISE_ENV_GPU_EXCLUSIVE,
					      KS_PREMISE_ENV_GPU_BUSY_PCT,
					      KS_PREMISE_ENV_NO_THROTTLE_PCT };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(id); i++) {
		for (int readable = 0; readable < 2; readable++) {
			struct desk d;
			const struct ks_premise_row p =
				ks_premise_row(id[i], readable ? KS_VAL_REAL(50.0) : KS_VAL_NONE,
					       KS_VAL_REAL(1.0), false);
			struct ks_verdict_row row = { .premise = &p,
						      .n_premises = 1,
						      .value = KS_VAL_REAL(7.0) };

			desk_start(&d);
			struct ks_decide decide = { .ctx = &d.ctx,
						    .arena = &d.arena,
						    .report = &d.report };

			ks_premise_degrade(&decide, &row);
			assert_int_equal(row.status, KS_VERDICT_STATUS_REFUSED);
			assert_int_equal(row.refused->code,
					 readable ? ks_premise_info(id[i])->fails_as
						  : KS_REFUSAL_ENV_READING_UNKNOWN);
			expect_double(fact_of(&row, "uncitable_value").d, 7.0);
			desk_end(&d);
		}
	}
}

static void every_limit_holds_on_its_own_side(void **state)
{
	struct ks_ev ev = { .value = KS_VAL_REAL(50.0) };

	(void)state;
	assert_true(ks_premise_at_least(KS_PREMISE_WINDOW_COVERAGE_PCT, &ev, 50.0).ok);
	ev.value = KS_VAL_REAL(49.999999999);
	assert_false(ks_premise_at_least(KS_PREMISE_WINDOW_COVERAGE_PCT, &ev, 50.0).ok);
	assert_false(ks_premise_at_least(KS_PREMISE_WINDOW_COVERAGE_PCT, NULL, 0.0).ok);
	ev.value = KS_VAL_TEXT(KS_LIT("much"));
	assert_false(ks_premise_at_least(KS_PREMISE_WINDOW_COVERAGE_PCT, &ev, 0.0).ok);
}

/* --- carried ---------------------------------------------------------------------------------- */

static void the_environment_lists_unlocked_clocks_once(void **state)
{
	const struct ks_env_refusal given[] = { { KS_STR_NONE, KS_STR_NONE },
						{ { "two words", 9 }, KS_STR_NONE },
						{ { "clock_not_locked", 16 }, { "said", 4 } } };
	struct desk d;
	struct ks_carried c = { .clock_lock = KS_LIT("unlocked") };
	size_t n = 0;

	(void)state;
	desk_start(&d);
	assert_non_null(ks_environment(&d.report, KS_LANG_EN, &d.arena, &n));
	assert_int_equal(n, 0); /* a trace says nothing of it */
	expect_str(ks_clock_lock(&d.report), "unknown");
	d.report.carried = &c;
	const struct ks_env_refusal *env = ks_environment(&d.report, KS_LANG_EN, &d.arena, &n);

	assert_int_equal(n, 1);
	expect_str(env[0].slug, "clock_not_locked");
	c.env = given;
	c.n_env = 3;
	env = ks_environment(&d.report, KS_LANG_EN, &d.arena, &n);
	assert_int_equal(n, 3);
	expect_str(env[0].slug, "internal_unknown"); /* what is no code is none of ours */
	expect_str(env[1].slug, "internal_unknown");
	expect_str(env[2].message, "said");
	c.clock_lock = KS_LIT("locked, I think");
	expect_str(ks_clock_lock(&d.report), "unknown");
	desk_end(&d);
}

static void calibration_clocks_and_peaks_are_part_of_the_protocol(void **state)
{
	const struct ks_carried carried[] = {
		{ .clock_lock = KS_LIT("unknown"), .peaks = KS_LIT("none") },
		{ .clock_lock = KS_LIT("locked") },
		{ .calibration = KS_LIT("cal.json:00") },
		{ .peaks = KS_LIT("override") },
	};
	ks_str hash[KS_ARRAY_LEN(carried) + 1];
	struct desk d[KS_ARRAY_LEN(carried) + 1];

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(hash); i++) {
		desk_start(&d[i]);
		d[i].report.carried = i == 0 ? NULL : &carried[i - 1];
		hash[i] = decided(&d[i])->protocol_hash;
	}
	assert_true(ks_str_eq(hash[0], hash[1])); /* a trace that says nothing of them */
	for (size_t i = 1; i < KS_ARRAY_LEN(hash); i++)
		for (size_t j = 0; j < i; j++)
			assert_int_equal(ks_str_eq(hash[i], hash[j]), i == 1);
	for (size_t i = 0; i < KS_ARRAY_LEN(hash); i++)
		desk_end(&d[i]);
}

/* Every decision at once, with less memory than it takes: an error, or all of it. */
static void short_of_memory_there_is_an_error_or_every_decision(void **state)
{
	const struct ks_prescription saving = { .n = 1, .total_per_hour = KS_VAL_REAL(1.0) };
	static const struct ks_truth truth = { .compared = 1 };
	static const struct ks_selfcheck check = { .dram_mdd_pct = 5.0 };
	const struct ks_carried c = { .prescription = &saving,
				      .truth = &truth,
				      .selfcheck = &check };
	size_t failures = 0;

	(void)state;
	for (size_t room = 0; room < (96u << 10); room += 512) {
		struct desk d;
		struct ks_err err;

		desk_start(&d);
		given_device(&d);
		given_estimate(&d, 0, KS_METRIC_EST_ISSUE_SLOT_UTILIZATION_PCT, 110.0);
		given_estimate(&d, 0, KS_METRIC_EST_ROOFLINE_EFFICIENCY_PCT, 10.0);
		given_estimate(&d, 0, KS_METRIC_EST_L2_HIT_RATE_L2ONLY_PCT, 10.0);
		given_number(&d, 0, KS_METRIC_KS_OVER_PEAK_WARNING, 1.0);
		given_estimate(&d, DEVICE, KS_METRIC_EST_DRAM_BYTES_PER_LAUNCH, 10.0);
		given_estimate(&d, DEVICE, KS_METRIC_EST_DRAM_VS_LEDGER_ERR_PCT, 1.0);
		given_number(&d, DEVICE, KS_METRIC_MEAS_WINDOW_POWER_MEAN_W, 500.0);
		d.report.asked_cost = true;
		d.report.carried = &c;
		d.arena.limit = d.arena.used + room;
		ks_err_init(&err);
		const enum ks_status st = ks_verdicts_make(&d.ctx, &d.report, &err);

		failures += st != KS_OK;
		if (st != KS_OK)
			assert_int_equal(st, KS_E_ENV);
		else
			assert_int_equal(d.report.verdicts->n, 10);
		desk_end(&d);
	}
	assert_true(failures > 0 && failures < 192);
}

int test_decide(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kernel_with_a_value_speaks_before_one_without),
		cmocka_unit_test(decisions_come_in_the_order_of_the_table),
		cmocka_unit_test(money_is_decided_only_where_it_was_asked_for),
		cmocka_unit_test(a_trace_that_is_asked_for_money_says_what_it_lacks),
		cmocka_unit_test(a_conditional_answer_never_touches_the_decision),
		cmocka_unit_test(an_unreadable_environment_is_called_that),
		cmocka_unit_test(every_limit_holds_on_its_own_side),
		cmocka_unit_test(the_environment_lists_unlocked_clocks_once),
		cmocka_unit_test(calibration_clocks_and_peaks_are_part_of_the_protocol),
		cmocka_unit_test(short_of_memory_there_is_an_error_or_every_decision),
	};

	return cmocka_run_group_tests_name("decide", tests, NULL, NULL);
}
