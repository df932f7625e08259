/* SPDX-License-Identifier: Apache-2.0
 *
 * Refusals: defaults of a code, what is inherited from inputs, how several causes are merged
 * (contract 02 §3), and what the sanity pass may do.
 */
#include "all.h"

static const ks_str kernel = { "k", 1 };

static void a_code_brings_its_default_remedy(void **state)
{
	struct bench b;

	(void)state;
	bench_start(&b);
	for (int code = 1; code < KS_REFUSAL_COUNT; code++) {
		const struct ks_refusal_info *info = ks_refusal_info((enum ks_refusal)code);
		ks_id id = given_refusal(&b, KS_METRIC_EST_ACHIEVED_GBS, (enum ks_refusal)code);
		const struct ks_refused *r = ks_ev_get(b.ev, id)->refused;

		expect_refused(&b, id, (enum ks_refusal)code);
		assert_int_equal(r->severity, info->severity);
		assert_int_equal(r->remedy.cost_kind, info->cost_kind);
		expect_double(r->remedy.cost_s, info->cost_s);
		/* a placeholder never reaches a reader */
		assert_int_equal(r->remedy.command.n == 0, info->command[0] == '\0');
		if (r->remedy.command.n > 0)
			assert_null(strchr(r->remedy.command.p, '{'));
		expect_str(ks_refused_slug(r), info->slug);
		/* as many answers as the table's list has pieces */
		size_t pieces = info->answers[0] ? 1 : 0;

		for (const char *p = info->answers; *p; p++)
			pieces += *p == ',';
		assert_int_equal(r->remedy.n_answers, pieces);
		for (size_t i = 0; i < r->remedy.n_answers; i++)
			assert_non_null(strstr(info->answers, r->remedy.answers[i].p));
	}
	bench_end(&b);
}

static void a_command_names_the_input_of_the_run(void **state)
{
	struct bench b;

	(void)state;
	bench_start(&b);
	ks_store_words(b.ev, &(struct ks_command_words){ .input = KS_LIT("-i 'a b.json'"),
							 .device = KS_LIT("3") });
	ks_id id = given_refusal(&b, KS_METRIC_EST_ACHIEVED_GBS, KS_REFUSAL_MULTI_DEVICE_AGGREGATE);

	expect_str(ks_ev_get(b.ev, id)->refused->remedy.command,
		   "kernoscope -i 'a b.json' --devices 3");
	expect_str(ks_store_command(b.ev, KS_REFUSAL_MIXED_LAUNCH_CONFIG, KS_LIT("'f<1>'")),
		   "kernoscope -i 'a b.json' -k 'f<1>' --print-details all");
	expect_str(ks_store_command(b.ev, KS_REFUSAL_MIXED_LAUNCH_CONFIG, KS_STR_NONE),
		   "kernoscope -i 'a b.json' -k NAME --print-details all");
	expect_str(ks_store_command(b.ev, KS_REFUSAL_NO_WORKLOAD, KS_STR_NONE), "");
	bench_end(&b);
}

static void overrides_of_a_row_win_over_the_code(void **state)
{
	struct bench b;
	const struct ks_kv seen = { KS_LIT("coverage_pct"), KS_VAL_REAL(41.5) };
	const struct ks_kv need = { KS_LIT("coverage_pct"), KS_VAL_REAL(80.0) };

	(void)state;
	bench_start(&b);
	ks_id id = ks_ev_refuse(
		b.ev,
		&(struct ks_ev_spec){ .metric = KS_METRIC_EST_ACHIEVED_GBS, .subject = kernel },
		&(struct ks_refuse_spec){
			.code = KS_REFUSAL_COVERAGE_TOO_LOW,
			.message =
				ks_store_msg(b.ev, KS_TEXT_LITERAL, "only 41.5 % was busy", NULL),
			.observed = &seen,
			.n_observed = 1,
			.threshold = &need,
			.n_threshold = 1,
			.action = ks_store_msg(b.ev, KS_TEXT_LITERAL, "run 30 s longer", NULL),
			.command = KS_LIT("run --longer"),
			.has_cost = true,
			.cost_s = 30.0,
			.cost_kind = KS_COST_WALL,
			.degraded = true,
		});
	const struct ks_refused *r = ks_ev_get(b.ev, id)->refused;
	struct ks_buf text;

	assert_int_equal(r->severity, KS_SEV_DEGRADED);
	expect_double(r->observed[0].value.d, 41.5);
	expect_double(r->threshold[0].value.d, 80.0);
	expect_str(r->remedy.command, "run --longer");
	expect_double(r->remedy.cost_s, 30.0);
	ks_buf_init(&text, 4096);
	ks_refused_message(b.ev, r, KS_LANG_EN, &text);
	assert_string_equal(ks_buf_text(&text), "only 41.5 % was busy");
	ks_buf_reset(&text);
	ks_refused_action(r, KS_LANG_EN, &text);
	assert_string_equal(ks_buf_text(&text), "run 30 s longer");
	ks_buf_release(&text);
	bench_end(&b);
}

static void without_a_message_the_title_speaks_in_both_languages(void **state)
{
	struct bench b;
	struct ks_buf text;

	(void)state;
	bench_start(&b);
	ks_buf_init(&text, 4096);
	ks_id id = given_refusal(&b, KS_METRIC_EST_ACHIEVED_GBS, KS_REFUSAL_NO_WORKLOAD);
	const struct ks_refusal_info *info = ks_refusal_info(KS_REFUSAL_NO_WORKLOAD);

	for (int lang = 0; lang < KS_LANG_COUNT; lang++) {
		ks_buf_reset(&text);
		ks_refused_message(b.ev, ks_ev_get(b.ev, id)->refused, (enum ks_lang)lang, &text);
		assert_string_equal(ks_buf_text(&text), info->title[lang]);
		ks_buf_reset(&text);
		ks_refused_action(ks_ev_get(b.ev, id)->refused, (enum ks_lang)lang, &text);
		assert_string_equal(ks_buf_text(&text), info->action[lang]);
	}
	ks_buf_release(&text);
	bench_end(&b);
}

static void a_value_derived_from_a_refusal_is_that_refusal(void **state)
{
	struct bench b;
	const struct ks_kv seen = { KS_LIT("configs"), KS_VAL_INT(3) };

	(void)state;
	bench_start(&b);
	ks_id total = given_total(&b, 9.0);
	ks_id grid = ks_ev_refuse(
		b.ev,
		&(struct ks_ev_spec){ .metric = KS_METRIC_LAUNCH_GRID_SIZE, .subject = kernel },
		&(struct ks_refuse_spec){ .code = KS_REFUSAL_MIXED_LAUNCH_CONFIG,
					  .observed = &seen,
					  .n_observed = 1 });
	ks_id first = given_derived(&b, KS_METRIC_KS_GRID_WAVES, 4.0, (ks_id[]){ total, grid }, 2);
	ks_id second = given_derived(&b, KS_METRIC_KS_TAIL_WAVE_FILL_PCT, 50.0, &first, 1);

	expect_refused(&b, second, KS_REFUSAL_MIXED_LAUNCH_CONFIG);
	assert_int_equal(ks_ev_get(b.ev, second)->refused->observed[0].value.i, 3);
	assert_int_equal(ks_ev_get(b.ev, second)->refused->n_causes, 0);
	assert_int_equal(ks_ev_get(b.ev, second)->n_inputs, 1); /* lineage stays */
	expect_real(&b, total, 9.0, KS_UNIT_MS, KS_PROV_EXACT);
	bench_end(&b);
}

static void several_causes_are_merged_first_one_leads(void **state)
{
	struct bench b;
	struct ks_buf text, want;

	(void)state;
	bench_start(&b);
	ks_id work = given_refusal(&b, KS_METRIC_EST_ACHIEVED_TFLOPS, KS_REFUSAL_NO_WORKLOAD);
	ks_id again = given_refusal(&b, KS_METRIC_EST_ACHIEVED_GBS, KS_REFUSAL_NO_WORKLOAD);
	ks_id peak =
		given_refusal(&b, KS_METRIC_EST_PCT_OF_MEASURED_BW_PEAK, KS_REFUSAL_NO_CALIBRATION);
	ks_id clock =
		given_refusal(&b, KS_METRIC_EST_ISSUED_IPC_PER_SM, KS_REFUSAL_NO_CLOCK_READING);
	ks_id two =
		given_derived(&b, KS_METRIC_KS_GRID_WAVES, 1.0, (ks_id[]){ work, again, peak }, 3);
	ks_id three =
		given_derived(&b, KS_METRIC_KS_TAIL_WAVE_FILL_PCT, 1.0, (ks_id[]){ two, clock }, 2);
	const struct ks_refused *r = ks_ev_get(b.ev, two)->refused;

	assert_int_equal(r->code, KS_REFUSAL_NO_WORKLOAD);
	assert_int_equal(r->n_causes, 1); /* the same code with the same words is said once */
	assert_int_equal(r->causes[0], peak);
	r = ks_ev_get(b.ev, three)->refused;
	assert_int_equal(r->code, KS_REFUSAL_NO_WORKLOAD);
	assert_int_equal(r->n_causes, 2);
	assert_int_equal(r->causes[0], peak);
	assert_int_equal(r->causes[1], clock);
	expect_str(r->remedy.command, ks_refusal_info(KS_REFUSAL_NO_WORKLOAD)->command);

	ks_buf_init(&text, 4096);
	ks_buf_init(&want, 4096);
	ks_refused_message(b.ev, r, KS_LANG_EN, &text);
	ks_buf_fmt(&want, "%s; %s; %s", ks_refusal_info(KS_REFUSAL_NO_WORKLOAD)->title[KS_LANG_EN],
		   ks_refusal_info(KS_REFUSAL_NO_CALIBRATION)->title[KS_LANG_EN],
		   ks_refusal_info(KS_REFUSAL_NO_CLOCK_READING)->title[KS_LANG_EN]);
	assert_string_equal(ks_buf_text(&text), ks_buf_text(&want));
	ks_buf_release(&text);
	ks_buf_release(&want);
	bench_end(&b);
}

static void condemning_a_number_takes_what_was_made_from_it(void **state)
{
	struct bench b;
	const struct ks_kv share = { KS_LIT("share_pct"), KS_VAL_REAL(130.0) };
	const struct ks_kv most = { KS_LIT("share_pct"), KS_VAL_REAL(100.0) };
	struct ks_buf text;

	(void)state;
	bench_start(&b);
	ks_id total = given_total(&b, 9.0);
	ks_id count = given_count(&b, 3);
	ks_id p50 = given_derived(&b, KS_METRIC_KS_LAUNCH_TIME_P50, 3.0, &total, 1);
	ks_id apart = given_derived(&b, KS_METRIC_KS_GRID_WAVES, 2.0, &count, 1);
	ks_id gbs = ks_ev_estimated(b.ev,
				    &(struct ks_ev_spec){ .metric = KS_METRIC_EST_ACHIEVED_GBS,
							  .inputs = (ks_id[]){ count, p50 },
							  .n_inputs = 2 },
				    KS_VAL_REAL(1.0));

	ks_ev_condemn(b.ev, total, KS_LIT("share_at_most_100"), share, most);
	expect_refused(&b, total, KS_REFUSAL_INCONSISTENT_EVIDENCE);
	expect_refused(&b, p50, KS_REFUSAL_INCONSISTENT_EVIDENCE);
	expect_refused(&b, gbs, KS_REFUSAL_INCONSISTENT_EVIDENCE);
	expect_real(&b, apart, 2.0, KS_UNIT_COUNT, KS_PROV_DERIVED);
	const struct ks_refused *r = ks_ev_get(b.ev, gbs)->refused;

	expect_str(r->rule, "share_at_most_100");
	expect_str(r->observed[0].value.s, "share_at_most_100");
	expect_double(r->observed[1].value.d, 130.0);
	expect_double(r->threshold[0].value.d, 100.0);
	ks_buf_init(&text, 4096);
	ks_refused_message(b.ev, r, KS_LANG_EN, &text);
	assert_string_equal(
		ks_buf_text(&text),
		"rule share_at_most_100 failed: share_pct = 130 against share_pct = 100");
	ks_buf_release(&text);
	/* made afterwards from a condemned row: refused as well */
	expect_refused(&b, given_derived(&b, KS_METRIC_KS_LAUNCH_TIME_P90, 1.0, &total, 1),
		       KS_REFUSAL_INCONSISTENT_EVIDENCE);
	bench_end(&b);
}

static void a_refusal_cannot_be_condemned(void **state)
{
	struct bench b;
	const struct ks_kv kv = { KS_LIT("x"), KS_VAL_INT(1) };

	(void)state;
	bench_start(&b);
	ks_id id = given_refusal(&b, KS_METRIC_EST_ACHIEVED_GBS, KS_REFUSAL_NO_WORKLOAD);

	ks_ev_condemn(b.ev, id, KS_LIT("rule"), kv, kv);
	ks_ev_condemn(b.ev, 99, KS_LIT("rule"), kv, kv);
	expect_refused(&b, id, KS_REFUSAL_NO_WORKLOAD);
	bench_end(&b);
}

int test_refuse(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_code_brings_its_default_remedy),
		cmocka_unit_test(a_command_names_the_input_of_the_run),
		cmocka_unit_test(overrides_of_a_row_win_over_the_code),
		cmocka_unit_test(without_a_message_the_title_speaks_in_both_languages),
		cmocka_unit_test(a_value_derived_from_a_refusal_is_that_refusal),
		cmocka_unit_test(several_causes_are_merged_first_one_leads),
		cmocka_unit_test(condemning_a_number_takes_what_was_made_from_it),
		cmocka_unit_test(a_refusal_cannot_be_condemned),
	};

	return cmocka_run_group_tests_name("refuse", tests, NULL, NULL);
}
