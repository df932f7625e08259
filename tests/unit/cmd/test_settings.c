/* SPDX-License-Identifier: Apache-2.0
 *
 * What options mean together: sources, standard output, selection, and contradictions.
 */
#include "tests.h"

#include "base/str.h"
#include "fixture.h"

static void standard_output_holds_one_result(void **state)
{
	static const struct {
		const char *words;
		const struct ks_render_ops *result;
		enum ks_screen_to screen;
		bool packet;
	} cases[] = {
		{ "--ks-synthetic", &ks_render_text, KS_SCREEN_OFF, false },
		{ "--ks-synthetic --csv", &ks_render_csv, KS_SCREEN_OFF, false },
		{ "--ks-synthetic --csv --launch-csv", &ks_render_launch_csv, KS_SCREEN_OFF,
		  false },
		{ "--ks-synthetic --format csv", &ks_render_csv, KS_SCREEN_OFF, false },
		{ "--ks-synthetic --format json", &ks_render_json, KS_SCREEN_OFF, false },
		{ "--ks-synthetic --format svg", &ks_render_svg, KS_SCREEN_OFF, false },
		{ "--ks-synthetic --screen only --format svg", &ks_render_svg, KS_SCREEN_STDERR,
		  false },
		{ "--ks-synthetic --format screen", NULL, KS_SCREEN_STDOUT, false },
		{ "--ks-synthetic --screen only", NULL, KS_SCREEN_STDOUT, false },
		{ "--ks-synthetic --screen auto", &ks_render_text, KS_SCREEN_STDOUT, false },
		{ "--ks-synthetic --screen off", &ks_render_text, KS_SCREEN_OFF, false },
		{ "--ks-synthetic --screen auto --csv", &ks_render_csv, KS_SCREEN_OFF, false },
		{ "--ks-synthetic --screen only --csv", &ks_render_csv, KS_SCREEN_STDERR, false },
		{ "--ks-synthetic --packet -", NULL, KS_SCREEN_OFF, true },
		{ "--ks-synthetic --packet - --screen auto", NULL, KS_SCREEN_OFF, true },
		{ "--ks-synthetic --packet - --csv", NULL, KS_SCREEN_OFF, true },
		{ "--ks-synthetic --packet p.json", &ks_render_text, KS_SCREEN_OFF, false },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct fixture f;

		given(&f, cases[i].words);
		if (f.status != KS_OK || f.s.result != cases[i].result ||
		    f.s.screen != cases[i].screen || f.s.packet_on_stdout != cases[i].packet)
			fail_msg("%s: status %d, screen %d, packet %d", cases[i].words,
				 (int)f.status, (int)f.s.screen, f.s.packet_on_stdout);
		done(&f);
	}
}

static void contradictions_are_usage_errors(void **state)
{
	static const struct {
		const char *words;
		enum ks_text text;
	} cases[] = {
		{ "--ks-synthetic --ks-sqlite x", KS_TEXT_ERR_CMD_TWO_SOURCES },
		{ "-i x --ks-sqlite y", KS_TEXT_ERR_CMD_TWO_SOURCES },
		{ "--ks-synthetic --format json --csv", KS_TEXT_ERR_CMD_TWO_RESULTS },
		{ "--ks-synthetic --format json --packet -", KS_TEXT_ERR_CMD_TWO_RESULTS },
		{ "--ks-synthetic --section Duratoin", KS_TEXT_ERR_CMD_SECTION_NEAR },
		{ "--ks-synthetic --section qqqqqqqqqqq", KS_TEXT_ERR_CMD_SECTION },
		{ "--ks-synthetic --metrics ks__launch_cuont", KS_TEXT_ERR_CMD_METRIC_NEAR },
		{ "--ks-synthetic --metrics qqqqqqqqqqqq", KS_TEXT_ERR_CMD_METRIC },
		{ "--ks-synthetic --devices a", KS_TEXT_ERR_CMD_DEVICES },
		{ "--ks-synthetic --devices 0,,1", KS_TEXT_ERR_CMD_DEVICES },
		{ "--ks-synthetic --devices 0,", KS_TEXT_ERR_CMD_DEVICES },
		{ "--ks-synthetic -o out/", KS_TEXT_ERR_CMD_PREFIX },
		{ "--ks-synthetic -o .json", KS_TEXT_ERR_CMD_PREFIX },
		{ "--ks-synthetic -o -", KS_TEXT_ERR_CMD_EXPORT_DASH },
		{ "--ks-synthetic x.sqlite", KS_TEXT_ERR_CMD_ONE_RECORDING },
		{ "--ks-sqlite x y.nsys-rep", KS_TEXT_ERR_CMD_ONE_RECORDING },
		{ "--ks-synthetic --log-file -", KS_TEXT_ERR_CMD_LOG_DASH },
		{ "--ks-synthetic --ks-perfetto -", KS_TEXT_ERR_CMD_PERFETTO_DASH },
		{ "--ks-synthetic --ks-tracks stream", KS_TEXT_ERR_CMD_CHOICE_NEAR },
		{ "--ks-synthetic --ks-tracks qqqqqqq", KS_TEXT_ERR_CMD_CHOICE },
		{ "--ks-synthetic --ks-tracks nvtx,,api", KS_TEXT_ERR_CMD_CHOICE },
		{ "--ks-synthetic --ks-nvtx projektion", KS_TEXT_ERR_CMD_CHOICE_NEAR },
		{ "--ks-synthetic --ks-timeline-limit -1", KS_TEXT_ERR_CMD_NEGATIVE },
		{ "--ks-synthetic --ks-comm regex:(", KS_TEXT_ERR_AN_COMM_PATTERN },
		{ "--ks-synthetic --ks-family mine=regex:(", KS_TEXT_ERR_AN_FAMILY_PATTERN },
		{ "--ks-synthetic --ks-family mine", KS_TEXT_ERR_AN_FAMILY_FORM },
		{ "--ks-synthetic --within 2ms..1ms", KS_TEXT_ERR_AN_WITHIN_EMPTY },
		{ "--ks-synthetic --within yesterday", KS_TEXT_ERR_AN_WITHIN_FORM },
		{ "-i r.json --within 1ms..2ms", KS_TEXT_ERR_CMD_REREAD_TIMELINE },
		{ "-i r.json --ks-step step", KS_TEXT_ERR_CMD_REREAD_TIMELINE },
		{ "-i r.json --ks-comm my", KS_TEXT_ERR_CMD_REREAD_TIMELINE },
		{ "-i r.json --ks-family a=b", KS_TEXT_ERR_CMD_REREAD_TIMELINE },
		{ "-i r.json --ks-perfetto t.json", KS_TEXT_ERR_CMD_REREAD_TIMELINE },
		{ "-i r.json --format perfetto", KS_TEXT_ERR_CMD_REREAD_FORMAT },
		{ "-i r.json --format timeline-svg", KS_TEXT_ERR_CMD_REREAD_FORMAT },
		{ "-i r.json --format histogram-svg", KS_TEXT_ERR_CMD_REREAD_FORMAT },
		{ "-i r.json --format occupancy-svg", KS_TEXT_ERR_CMD_REREAD_FORMAT },
		{ "-i r.json --format occupancy-csv", KS_TEXT_ERR_CMD_REREAD_FORMAT },
		{ "-i r.json --format folded", KS_TEXT_ERR_CMD_REREAD_FORMAT },
		{ "-i r.json --format nvtx-csv", KS_TEXT_ERR_CMD_REREAD_FORMAT },
		{ "--ks-synthetic -o run --packet run.perfetto-trace",
		  KS_TEXT_ERR_CMD_SAME_OUTPUT },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct fixture f;

		given(&f, cases[i].words);
		if (f.status != KS_E_USAGE || f.err.text != (int)cases[i].text)
			fail_msg("%s: status %d, %s", cases[i].words, (int)f.status,
				 ks_text_get((enum ks_text)f.err.text, KS_LANG_EN));
		done(&f);
	}
}

static void sections_follow_sets(void **state)
{
	static const struct {
		const char *words;
		bool occupancy, scheduler, device;
	} cases[] = {
		{ "--ks-synthetic", true, false, true },
		{ "--ks-synthetic --set full", true, true, true },
		{ "--ks-synthetic --set detailed", true, false, true },
		{ "--ks-synthetic --section SchedulerStats", false, true, true },
		{ "--ks-synthetic --set full --section Occupancy", true, false, true },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct fixture f;

		given(&f, cases[i].words);
		assert_int_equal(f.status, KS_OK);
		assert_int_equal(f.s.sel.section_on[KS_SECTION_OCCUPANCY], cases[i].occupancy);
		assert_int_equal(f.s.sel.section_on[KS_SECTION_SCHEDULERSTATS], cases[i].scheduler);
		assert_int_equal(f.s.sel.section_on[KS_SECTION_DEVICESTATISTICS], cases[i].device);
		done(&f);
	}
}

static void a_prefix_loses_its_json(void **state)
{
	static const struct {
		const char *words, *report;
	} cases[] = {
		{ "--ks-synthetic -o run", "run.ksreport.json" },
		{ "--ks-synthetic -o run.json", "run.ksreport.json" },
		{ "--ks-synthetic -o run.ksreport.json", "run.ksreport.json" },
		{ "--ks-synthetic -o d/run.v1", "d/run.v1.ksreport.json" },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct fixture f;

		given(&f, cases[i].words);
		assert_int_equal(f.status, KS_OK);
		assert_string_equal(f.s.file[KS_FILE_REPORT], cases[i].report);
		assert_null(f.s.file[KS_FILE_LAUNCHES]);
		done(&f);
	}
}

static void ncu_names_are_translated(void **state)
{
	struct fixture f;

	(void)state;
	given(&f, "--ks-synthetic --metrics dram__bytes.sum,ks__launch_count");
	assert_int_equal(f.status, KS_OK);
	assert_int_equal(f.s.n_asked, 2);
	assert_string_equal(f.s.view.metric[0].p, "est__dram_bytes_total");
	assert_string_equal(f.s.view.metric[1].p, "dram__bytes.sum"); /* its row has the refusal */
	assert_string_equal(f.s.view.metric[2].p, "ks__launch_count");
	assert_int_equal(f.log.n, 0); /* whether it is shown is known with the report */
	done(&f);
}

/* "shown" is said of nothing that is not. */
static void a_substitute_is_said_to_be_shown_only_when_it_is(void **state)
{
	static const struct {
		const char *ncu;
		bool shown;
		const char *said;
	} cases[] = {
		{ "dram__bytes.sum", true, "shown instead: est__dram_bytes_total" },
		{ "sm__warps_active.avg.pct_of_peak_sustained_active", false,
		  "not measured in this input: no_occupancy_probe" },
		{ "sm__maximum_warps_per_active_cycle_pct", false, "the section Occupancy" },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct fixture f;

		given(&f, "--ks-synthetic");
		ks_out_open_mem(&f.app.err, &f.log); /* given() closed it */
		ks_say_translated(&f.app, ks_ncu_find(ks_str_c(cases[i].ncu)), cases[i].shown);
		assert_int_equal(ks_out_commit(&f.app.err, NULL), KS_OK);
		assert_true(ks_str_has(ks_buf_view(&f.log), ks_str_c(cases[i].said)));
		assert_int_equal(ks_str_has(ks_buf_view(&f.log), ks_str_c("shown instead")),
				 cases[i].shown);
		done(&f);
	}
}

static void inert_options_are_named_in_one_line(void **state)
{
	struct fixture f;
	size_t lines = 0;

	(void)state;
	given(&f, "--ks-synthetic --replay-mode kernel --clock-control none");
	assert_int_equal(f.status, KS_OK);
	for (size_t i = 0; i < f.log.n; i++)
		lines += f.log.p[i] == '\n';
	assert_int_equal(lines, 1);
	assert_true(ks_str_starts(ks_buf_view(&f.log), "warn: "));
	assert_true(ks_str_has(ks_buf_view(&f.log), ks_str_c("--replay-mode, --clock-control")));
	done(&f);
}

static void devices_are_numbers(void **state)
{
	struct fixture f;

	(void)state;
	given(&f, "--ks-synthetic --devices 0,3,12");
	assert_int_equal(f.status, KS_OK);
	assert_int_equal(f.s.sel.n_devices, 3);
	assert_int_equal(f.s.sel.device[2], 12);
	done(&f);
}

int test_settings(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(standard_output_holds_one_result),
		cmocka_unit_test(contradictions_are_usage_errors),
		cmocka_unit_test(sections_follow_sets),
		cmocka_unit_test(a_prefix_loses_its_json),
		cmocka_unit_test(ncu_names_are_translated),
		cmocka_unit_test(a_substitute_is_said_to_be_shown_only_when_it_is),
		cmocka_unit_test(inert_options_are_named_in_one_line),
		cmocka_unit_test(devices_are_numbers),
	};

	return cmocka_run_group_tests_name("settings", tests, NULL, NULL);
}
