/* SPDX-License-Identifier: Apache-2.0
 *
 * --strict over a report: rules 2 to 5 and 7 of contract 01 §8, each broken and kept. What the
 * program prints of them is in tests/cli/strict.t.
 */
#include "all.h"

#include "verdict/strict.h"

#define MOST 8

struct found {
	size_t n;
	struct ks_violation v[MOST];
};

static struct found violations(struct desk *d, const struct ks_strict_ask *ask)
{
	static const bool no_section[KS_SECTION_COUNT];
	struct ks_strict_ask own = *ask;
	struct found f = { 0 };

	if (!own.section_on)
		own.section_on = no_section;
	const struct ks_violation *v =
		ks_strict_violations(&d->report, &own, KS_LANG_EN, &d->arena, &f.n);

	assert_non_null(v);
	assert_true(f.n <= MOST);
	memcpy(f.v, v, f.n * sizeof(*v));
	return f;
}

static void nothing_asked_is_nothing_broken(void **state)
{
	struct desk d;

	(void)state;
	desk_start(&d);
	given_rows(&d);
	assert_int_equal(violations(&d, &(struct ks_strict_ask){ 0 }).n, 0);
	desk_end(&d);
}

static void a_refused_environment_breaks_a_rule(void **state)
{
	static const struct ks_env_refusal env = { { "nsys_missing", 12 }, { "no nsys", 7 } };
	const struct ks_carried c = { .env = &env, .n_env = 1, .clock_lock = KS_LIT("unlocked") };
	struct desk d;

	(void)state;
	desk_start(&d);
	d.report.carried = &c;
	const struct found f = violations(&d, &(struct ks_strict_ask){ 0 });

	assert_int_equal(f.n, 2); /* the clocks as well */
	expect_str(f.v[0].a, "nsys_missing");
	expect_str(f.v[0].b, "no nsys");
	expect_str(f.v[1].a, "clock_not_locked");
	desk_end(&d);
}

static void a_section_of_counters_without_a_value_breaks_a_rule(void **state)
{
	bool on[KS_SECTION_COUNT] = { false };
	struct desk d;

	(void)state;
	desk_start(&d);
	on[KS_SECTION_SCHEDULERSTATS] = true;
	on[KS_SECTION_DURATION] = true; /* needs no counters */
	struct found f = violations(&d, &(struct ks_strict_ask){ .section_on = on });

	assert_int_equal(f.n, 1);
	expect_str(f.v[0].a, "SchedulerStats");
	given_refusal(&d, 0, KS_METRIC_EST_ISSUE_SLOT_UTILIZATION_PCT, KS_REFUSAL_NO_INSTR_HIST);
	d.section[0].section = KS_SECTION_SCHEDULERSTATS;
	d.section[0].n_refused = 1;
	assert_int_equal(violations(&d, &(struct ks_strict_ask){ .section_on = on }).n, 1);
	d.section[0].n_refused = 0; /* another row has a value: the section gave something */
	assert_int_equal(violations(&d, &(struct ks_strict_ask){ .section_on = on }).n, 0);
	desk_end(&d);
}

static void a_ledger_that_could_not_be_compared_breaks_a_rule(void **state)
{
	const struct ks_strict_ask ask = { .ledger = true };
	struct desk d;

	(void)state;
	desk_start(&d);
	struct found f = violations(&d, &ask);

	assert_int_equal(f.n, 1);
	expect_str(f.v[0].b, "metric_absent");
	const struct ks_ev_spec spec = { .metric = KS_METRIC_EST_DRAM_RANGE_POSITION_PCT };

	(void)ks_ev_estimated(d.report.ev, &spec, KS_VAL_REAL(30.0)); /* a range was given */
	assert_int_equal(violations(&d, &ask).n, 0);
	given_refusal(&d, 0, KS_METRIC_EST_DRAM_VS_LEDGER_ERR_PCT, KS_REFUSAL_NO_CALIBRATION);
	f = violations(&d, &ask);
	assert_int_equal(f.n, 1);
	expect_str(f.v[0].a, "est__dram_vs_ledger_err_pct");
	expect_str(f.v[0].b, "no_calibration");
	desk_end(&d);
}

static void a_price_or_tokens_without_their_number_break_a_rule(void **state)
{
	struct desk d;

	(void)state;
	desk_start(&d);
	struct found f = violations(&d, &(struct ks_strict_ask){ .price = true });

	assert_int_equal(f.n, 1);
	expect_str(f.v[0].a, "ks__cost_per_hour");
	f = violations(&d, &(struct ks_strict_ask){ .tokens = true });
	assert_int_equal(f.n, 2);
	expect_str(f.v[0].a, "ks__tokens_per_s");
	expect_str(f.v[1].a, "ks__cost_per_mtok");
	given_number(&d, 0, KS_METRIC_KS_COST_PER_HOUR, 1.0);
	given_number(&d, 0, KS_METRIC_KS_TOKENS_PER_S, 1.0);
	given_refusal(&d, 0, KS_METRIC_KS_COST_PER_MTOK, KS_REFUSAL_NO_PRICE);
	f = violations(&d, &(struct ks_strict_ask){ .price = true, .tokens = true });
	assert_int_equal(f.n, 1);
	expect_str(f.v[0].b, "no_price");
	desk_end(&d);
}

static void a_metric_breaks_a_rule_by_what_it_lacks(void **state)
{
	static const struct {
		const char *given, *name;
		enum ks_text text; /* NONE: nothing is wrong */
	} cases[] = {
		{ "gpu__time_duration.sum", "gpu__time_duration.sum", KS_TEXT_NONE },
		{ "ks__launch_count", "ks__launch_count", KS_TEXT_CMD_STRICT_ABSENT },
		{ "est__achieved_tflops", "est__achieved_tflops", KS_TEXT_CMD_STRICT_REFUSED },
		{ "sm__cycles_active.avg", "sm__cycles_active.avg", KS_TEXT_CMD_STRICT_COUNTERS },
		{ "dram__bytes.sum", "est__dram_bytes_total", KS_TEXT_CMD_STRICT_SUBSTITUTE },
	};
	struct desk d;

	(void)state;
	desk_start(&d);
	given_rows(&d);
	given_refusal(&d, 0, KS_METRIC_EST_ACHIEVED_TFLOPS, KS_REFUSAL_NO_WORKLOAD);
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		const struct ks_strict_name name = { ks_str_c(cases[i].given),
						     ks_str_c(cases[i].name),
						     ks_ncu_find(ks_str_c(cases[i].given)) };
		const struct found f =
			violations(&d, &(struct ks_strict_ask){ .metric = &name, .n_metrics = 1 });

		assert_int_equal(f.n, cases[i].text != KS_TEXT_NONE);
		if (f.n > 0)
			assert_int_equal(f.v[0].text, cases[i].text);
	}
	desk_end(&d);
}

int test_strict(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_asked_is_nothing_broken),
		cmocka_unit_test(a_refused_environment_breaks_a_rule),
		cmocka_unit_test(a_section_of_counters_without_a_value_breaks_a_rule),
		cmocka_unit_test(a_ledger_that_could_not_be_compared_breaks_a_rule),
		cmocka_unit_test(a_price_or_tokens_without_their_number_break_a_rule),
		cmocka_unit_test(a_metric_breaks_a_rule_by_what_it_lacks),
	};

	return cmocka_run_group_tests_name("strict", tests, NULL, NULL);
}
