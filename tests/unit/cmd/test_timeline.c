/* SPDX-License-Identifier: Apache-2.0
 *
 * What the options of the timeline mean together: when it is read, what is kept of it, and where it
 * is written.
 */
#include "tests.h"

#include "base/str.h"
#include "fixture.h"

/* A list of sections reads no further table; whatever needs one says so. */
static void the_timeline_is_read_where_it_is_wanted(void **state)
{
	static const struct {
		const char *words;
		bool timeline, nvtx, comm;
	} cases[] = {
		{ "--ks-synthetic", true, true, true },
		{ "--ks-synthetic --set full", true, true, true },
		{ "--ks-synthetic --csv", true, true, true },
		{ "--ks-synthetic --section Duration", false, false, false },
		{ "--ks-synthetic --section Duration --section LaunchStats --section Occupancy",
		  false, false, false },
		{ "--ks-synthetic --section DeviceStatistics", true, false, false },
		{ "--ks-synthetic --section NvtxPhases", true, true, false },
		{ "--ks-synthetic --section Duration --section CommLedger", true, false, true },
		{ "--ks-synthetic --section Duration --ks-nvtx-phases", true, true, false },
		{ "--ks-synthetic --section Duration --within 1ms..2ms", true, false, false },
		{ "--ks-synthetic --section Duration --ks-comm my", true, false, false },
		{ "--ks-synthetic --section Duration --ks-step s", true, false, false },
		{ "--ks-synthetic --section Duration --ks-nvtx overlap", true, false, false },
		{ "--ks-synthetic --section Duration -o run", true, false, false },
		{ "--ks-synthetic --section Duration -o run --ks-perfetto none", false, false,
		  false },
		{ "--ks-synthetic --section Duration --ks-perfetto t", true, false, false },
		{ "--ks-synthetic --section Duration --format folded", true, false, false },
		{ "--ks-synthetic --section Duration --format nvtx-csv", true, false, false },
		{ "--ks-synthetic --section Duration --format histogram-svg", true, false, false },
		{ "--ks-synthetic --section Duration --format timeline-svg", true, false, false },
		{ "--ks-synthetic --section Duration --format occupancy-svg", false, false, false },
		{ "--ks-synthetic --section Duration --format json", false, false, false },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct fixture f;

		given(&f, cases[i].words);
		if (f.status != KS_OK || f.s.sel.timeline != cases[i].timeline ||
		    f.s.sel.section_on[KS_SECTION_NVTXPHASES] != cases[i].nvtx ||
		    f.s.sel.section_on[KS_SECTION_COMMLEDGER] != cases[i].comm)
			fail_msg("%s: status %d, timeline %d", cases[i].words, (int)f.status,
				 f.s.sel.timeline);
		done(&f);
	}
}

/* Parts of the timeline, in the letters of `parts` below. */
static const char *kept(const struct ks_selection *s, char parts[8])
{
	size_t n = 0;

	if (s->keep_phases)
		parts[n++] = 'p';
	if (s->keep_paths)
		parts[n++] = 't';
	if (s->keep_folded)
		parts[n++] = 'f';
	if (s->keep_slices)
		parts[n++] = 's';
	if (s->draw_timeline)
		parts[n++] = 'd';
	if (s->draw_durations)
		parts[n++] = 'h';
	if (s->draw_occupancy)
		parts[n++] = 'o';
	parts[n] = '\0';
	return parts;
}

static void only_what_an_output_needs_is_kept(void **state)
{
	static const struct {
		const char *words, *parts;
	} cases[] = {
		{ "--ks-synthetic", "" },
		{ "--ks-synthetic --csv", "" },
		{ "--ks-synthetic --packet p.json", "" },
		{ "--ks-synthetic --print-details all", "t" },
		{ "--ks-synthetic --format json", "t" },
		{ "--ks-synthetic -o run", "ts" },
		{ "--ks-synthetic -o run --ks-perfetto none", "t" },
		{ "--ks-synthetic --ks-perfetto t", "s" },
		{ "--ks-synthetic --format timeline-svg", "sd" },
		{ "--ks-synthetic --format histogram-svg", "h" },
		{ "--ks-synthetic --format occupancy-svg", "o" },
		{ "--ks-synthetic --format occupancy-csv", "o" },
		{ "--ks-synthetic --format folded", "f" },
		{ "--ks-synthetic --format nvtx-csv", "p" },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct fixture f;
		char parts[8];

		given(&f, cases[i].words);
		if (f.status != KS_OK || strcmp(kept(&f.s.sel, parts), cases[i].parts) != 0)
			fail_msg("%s: status %d, keeps \"%s\"", cases[i].words, (int)f.status,
				 kept(&f.s.sel, parts));
		done(&f);
	}
}

static void the_trace_file_has_a_name_and_a_form(void **state)
{
	static const struct {
		const char *words, *file;
		bool json;
	} cases[] = {
		{ "--ks-synthetic", NULL, false },
		{ "--ks-synthetic -o run", "run.perfetto-trace", false },
		{ "--ks-synthetic -o d/run.v1.json", "d/run.v1.perfetto-trace", false },
		{ "--ks-synthetic -o run --ks-perfetto none", NULL, false },
		{ "--ks-synthetic -o run --ks-perfetto t.json", "t.json", true },
		{ "--ks-synthetic --ks-perfetto t.pb", "t.pb", false },
		{ "-i r.json -o run", NULL, false },
		{ "-i r.json -o run --ks-perfetto none", NULL, false },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct fixture f;

		given(&f, cases[i].words);
		assert_int_equal(f.status, KS_OK);
		if (cases[i].file == NULL)
			assert_null(f.s.file[KS_FILE_TIMELINE]);
		else
			assert_string_equal(f.s.file[KS_FILE_TIMELINE], cases[i].file);
		assert_int_equal(f.s.timeline_json, cases[i].json);
		done(&f);
	}
}

static void options_of_the_timeline_reach_the_selection(void **state)
{
	struct fixture f;

	(void)state;
	given(&f,
	      "--ks-synthetic --within step:2..4 --ks-step train --ks-nvtx overlap --ks-comm my "
	      "--ks-comm regex:^all --ks-tracks nvtx,api --ks-timeline-limit 500 "
	      "--ks-family mine=my:: -o x");
	assert_int_equal(f.status, KS_OK);
	assert_true(ks_str_eqc(f.s.sel.within, "step:2..4"));
	assert_true(ks_str_eqc(f.s.sel.step_name, "train"));
	assert_true(f.s.sel.by_overlap);
	assert_int_equal(f.s.sel.n_comm, 2);
	assert_true(ks_str_eqc(f.s.sel.comm[1], "regex:^all"));
	assert_int_equal(f.s.sel.n_families, 1);
	assert_true(ks_str_eqc(f.s.sel.family[0], "mine=my::"));
	assert_int_equal(f.s.sel.lanes, 1u << KS_LANE_NVTX | 1u << KS_LANE_API);
	assert_int_equal(f.s.sel.slice_limit, 500);
	assert_int_equal(f.log.n, 0);
	done(&f);
	given(&f, "--ks-synthetic --ks-tracks nvtx --ks-timeline-limit 5");
	assert_int_equal(f.status, KS_OK);
	assert_true(ks_str_eqc(f.s.sel.window_mode, "auto"));
	assert_true(ks_str_has(ks_buf_view(&f.log), KS_LIT("warn: --ks-tracks changes nothing")));
	assert_true(ks_str_has(ks_buf_view(&f.log), KS_LIT("warn: --ks-timeline-limit changes")));
	done(&f);
}

int test_timeline(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_timeline_is_read_where_it_is_wanted),
		cmocka_unit_test(only_what_an_output_needs_is_kept),
		cmocka_unit_test(the_trace_file_has_a_name_and_a_form),
		cmocka_unit_test(options_of_the_timeline_reach_the_selection),
	};

	return cmocka_run_group_tests_name("timeline", tests, NULL, NULL);
}
