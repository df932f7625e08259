/* SPDX-License-Identifier: Apache-2.0
 *
 * "timeline" and "nvtx_phases" of a report, read back with another JSON library.
 */
#include "all.h"

#include <jansson.h>
#include <math.h>

#include "base/str.h"

static struct given *with_timeline(void)
{
	struct given *g = given_report();

	given_kernel(g, KS_LIT("gemm"), 6, 45000000, 1);
	given_device_rows(g);
	given_finished(g);
	given_timeline(g);
	return g;
}

static json_t *parsed(struct given *g)
{
	json_error_t why;
	const char *text = rendered(g, &ks_render_json);
	json_t *root = json_loadb(text, g->text.n, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &why);

	if (root == NULL)
		print_error("line %d: %s\n", why.line, why.text);
	assert_non_null(root);
	return root;
}

/* The value at a path: "timeline nvtx phases 1 name"; numbers are places in a list. */
static json_t *at(json_t *v, const char *path)
{
	ks_str rest = ks_str_c(path);

	while (rest.p != NULL && v != NULL) {
		char word[64];
		const ks_str w = ks_str_cut(&rest, ' ');

		assert_true(w.n < sizeof(word));
		memcpy(word, w.p, w.n);
		word[w.n] = '\0';
		v = json_is_array(v) ? json_array_get(v, (size_t)strtoul(word, NULL, 10))
				     : json_object_get(v, word);
	}
	if (v == NULL)
		print_error("nothing at %s\n", path);
	assert_non_null(v);
	return v;
}

static void expect_number(json_t *v, double want)
{
	if (!json_is_number(v) || fabs(json_number_value(v) - want) > 1e-12)
		fail_msg("%.17g is not %.17g", json_number_value(v), want);
}

static void times_are_whole_nanoseconds(void **state)
{
	static const struct {
		const char *path;
		json_int_t want;
	} cases[] = {
		{ "timeline steps count", 5 },
		{ "timeline steps warmup", 1 },
		{ "timeline steps list 1 start_ns", 10000000 },
		{ "timeline steps list 1 end_ns", 12000000 },
		{ "timeline steps list 4 kernel_ns", 950000 },
		{ "timeline nvtx ranges", 17 },
		{ "timeline nvtx attributed_ns", 7000000 },
		{ "timeline nvtx unattributed_ns", 125000 },
		{ "timeline nvtx phases_with_time", 13 },
		{ "timeline nvtx phases 0 kernel_ns", 4500000 },
		{ "timeline nvtx phases 0 gpu_ns", 4400000 },
		{ "timeline nvtx folded 1 names", 12 },
		{ "timeline nvtx paths 2 parent", 1 },
		{ "timeline nvtx paths 1 own_ns", 500000 },
		{ "timeline devices 0 mix_ns idle", 2000000 },
		{ "timeline devices 0 mix_ns compute_copy", 100000 },
		{ "timeline devices 0 mix_ns compute_comm", 300000 },
		{ "timeline devices 0 memory_end_bytes", 0 },
		{ "timeline devices 1 device", 1 },
		{ "timeline idle_gaps 1 device", 1 },
		{ "timeline idle_gaps 0 overhead_ns", 250000 },
		{ "timeline copies groups 0 bytes", 67108864 },
		{ "timeline copies kinds 1 source_device", 0 },
		{ "timeline communication calls 0 bytes", 100663296 },
		{ "timeline communication kernels 0 with_median_ns", 120000 },
		{ "timeline graphs runs", 4 },
		{ "timeline graphs top 0 node", 42 },
		{ "timeline api 0 failed", 2 },
		{ "timeline api_names", 7 },
		{ "timeline call_sites 0 launches", 40 },
	};
	struct given *g = with_timeline();
	json_t *root = parsed(g);

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		json_t *v = at(root, cases[i].path);

		if (!json_is_integer(v) || json_integer_value(v) != cases[i].want)
			fail_msg("%s is not %lld", cases[i].path, (long long)cases[i].want);
	}
	assert_string_equal(json_string_value(at(root, "timeline steps list 4 mark")), "outlier");
	assert_string_equal(json_string_value(at(root, "timeline nvtx reading")), "projection");
	assert_string_equal(json_string_value(at(root, "timeline copies groups 0 kind")), "htod");
	json_decref(root);
	given_released(g);
}

static void what_is_not_known_is_null(void **state)
{
	static const char *const null[] = {
		"timeline window",
		"timeline nvtx phases 0 overlap_ns",
		"timeline nvtx phases 1 gpu_ns",
		"timeline nvtx phases 1 type",
		"timeline nvtx paths 0 parent",
		"timeline devices 1 memory_peak_bytes",
		"timeline copies groups 1 bytes",
		"timeline copies groups 1 gb_per_s",
		"timeline copies kinds 0 source_device",
		"timeline copies kinds 1 source",
	};
	struct given *g = with_timeline();
	json_t *root = parsed(g);

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(null); i++)
		if (!json_is_null(at(root, null[i])))
			fail_msg("%s is not null", null[i]);
	json_decref(root);
	given_released(g);
}

static void a_window_is_told_with_its_edges(void **state)
{
	struct given *g = with_timeline();

	(void)state;
	given_window(g, "step:2..4");
	json_t *root = parsed(g);

	assert_string_equal(json_string_value(at(root, "timeline window text")), "step:2..4");
	assert_int_equal(json_integer_value(at(root, "timeline window start_ns")), 12000000);
	assert_int_equal(json_integer_value(at(root, "timeline window end_ns")), 14500000);
	assert_int_equal(json_integer_value(at(root, "timeline window cut_launches")), 3);
	json_decref(root);
	given_released(g);
}

static void phases_stand_in_meta_under_the_keys_of_the_original(void **state)
{
	struct given *g = with_timeline();
	json_t *root = parsed(g), *phases = at(root, "meta nvtx_phases");

	(void)state;
	expect_number(at(phases, "unattributed_ms"), 0.125);
	expect_number(at(phases, "attributed_ms"), 7.0);
	assert_int_equal(json_integer_value(at(phases, "count")), 2);
	assert_int_equal(json_integer_value(at(phases, "omitted")), 11);
	assert_true(json_string_length(at(phases, "basis")) > 0);
	assert_int_equal(json_string_length(at(phases, "reason")), 0);
	expect_number(at(phases, "phases 0 kernel_ms"), 4.5);
	expect_number(at(phases, "phases 0 share_pct"), 10.0);
	expect_number(at(phases, "phases 0 mean_ms"), 1.1);
	assert_int_equal(json_integer_value(at(phases, "phases 1 depth")), 0);
	json_decref(root);
	given_released(g);
}

static void without_a_timeline_nothing_is_written(void **state)
{
	struct given *g = with_timeline();

	(void)state;
	g->r.timeline = NULL;
	const char *text = rendered(g, &ks_render_json);

	assert_null(strstr(text, "\"timeline\""));
	assert_null(strstr(text, "nvtx_phases"));
	given_released(g);
}

static void a_timeline_that_was_read_is_written_back_as_it_was(void **state)
{
	struct given *g = with_timeline();

	(void)state;
	g->r.timeline = NULL;
	g->r.raw_timeline = KS_LIT("{\n    \"kept\": [\n      1\n    ]\n  }");
	assert_non_null(strstr(
		rendered(g, &ks_render_json),
		",\n  \"timeline\": {\n    \"kept\": [\n      1\n    ]\n  },\n  \"kernels\": "));
	json_decref(parsed(g));
	given_released(g);
}

static void hostile_names_stay_in_their_strings(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_hostile_names; i++) {
		struct given *g = with_timeline();
		struct ks_timeline *t = KS_ARENA_NEW(&g->run, struct ks_timeline);
		struct ks_phase phase = g->r.timeline->phase[0];

		*t = *g->r.timeline;
		phase.name = phase.domain = t->steps.name = hostile_names[i];
		t->phase = &phase;
		t->n_phases = 1;
		g->r.timeline = t;
		json_decref(parsed(g));
		expect_no_control_bytes(ks_buf_text(&g->text), false);
		given_released(g);
	}
}

int test_json_time(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_whole_nanoseconds),
		cmocka_unit_test(what_is_not_known_is_null),
		cmocka_unit_test(a_window_is_told_with_its_edges),
		cmocka_unit_test(phases_stand_in_meta_under_the_keys_of_the_original),
		cmocka_unit_test(without_a_timeline_nothing_is_written),
		cmocka_unit_test(a_timeline_that_was_read_is_written_back_as_it_was),
		cmocka_unit_test(hostile_names_stay_in_their_strings),
	};

	return cmocka_run_group_tests_name("json_time", tests, NULL, NULL);
}
