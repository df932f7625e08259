/* SPDX-License-Identifier: Apache-2.0
 *
 * The packet of a small report, whole: keys, order, clipping, the fields that make files repeat.
 */
#include "all.h"

#include <stdio.h>

static const struct ks_packet_spec plain = { .wall_s = 0.0 };

static void the_packet_of_the_synthetic_numbers_is_this_text(void **state)
{
	struct desk d;
	struct ks_packet *p;

	(void)state;
	desk_start(&d);
	given_rows(&d);
	d.report.synthetic = true;
	const struct ks_verdicts *v = decided(&d);
	char want[8192];
	const struct ks_refusal_info *unknown = ks_refusal_info(KS_REFUSAL_COUNTERS_UNKNOWN);

	(void)snprintf(
		want, sizeof(want),
		"{\"schema_version\":1,\"schema_revision\":\"1.4\",\"tool\":\"kernoscope\",\"tool_"
		"version\":"
		"\"9.9.9\",\"protocol\":{\"hash\":\"%.*s\",\"basis\":\"\",\"window_mode\":\"auto\"}"
		",\"env\":{"
		"\"tier\":0,\"tier_name\":\"demo\",\"tier_note\":\"a synthetic example: nothing "
		"was measured\","
		"\"counter_state\":\"unknown\",\"blocked_by\":[\"counters_unknown\"]},\"verdicts\":"
		"[{\"id\":"
		"\"kernel_time\",\"status\":\"ok\",\"actionable\":true,\"facts\":{\"top\":\"gemm\","
		"\"top_ms\":"
		"4.755,\"launches\":5,\"share_pct\":96.587447,\"total_ms\":4.923,\"n_kernels\":2},"
		"\"value\":"
		"4.755,\"unit\":\"ms\",\"provenance\":\"exact\",\"premises\":[{\"id\":\"kernel_"
		"share_of_total\","
		"\"observed\":96.587447,\"ok\":true,\"unit\":\"%%\"}],\"next\":\"add -k gemm "
		"--print-details "
		"all to see its launch configurations, percentiles and "
		"limits\",\"metrics\":[\"gpu__time_"
		"duration.sum\"]},{\"id\":\"saving_estimate_share\",\"status\":\"soft\","
		"\"actionable\":true,"
		"\"facts\":{\"basis\":\"time_share\",\"money\":\"unavailable\",\"needs\":"
		"\"calibration,price\","
		"\"n\":2,\"top_kernel\":\"gemm\",\"top_pct\":96.587447,\"top\":[{\"kernel\":"
		"\"gemm\",\"pct\":"
		"96.587447},{\"kernel\":\"add\",\"pct\":3.412553}]},\"value\":96.58744667885436,"
		"\"unit\":\"%%\","
		"\"provenance\":\"exact\",\"next\":\"a share of time is not a saving: that needs "
		"the kernel's "
		"work and this card's measured "
		"peaks\",\"metrics\":[\"gpu__time_duration.sum\"]},{\"id\":"
		"\"occupancy\",\"status\":\"soft\",\"actionable\":true,\"facts\":{\"theoretical_"
		"pct\":33.333333,"
		"\"limiter\":\"registers+shared_mem\"},\"value\":33.333333333333336,\"unit\":\"%%"
		"\","
		"\"provenance\":\"exact\",\"next\":\"several limits bind at once: lowering one "
		"alone changes "
		"nothing\",\"metrics\":[\"ks__theoretical_occupancy_pct\",\"ks__occupancy_"
		"limiter\"]}],"
		"\"unmeasured\":[],\"refusals\":{\"counters_unknown\":{\"action\":\"%s\",\"cost_"
		"kind\":"
		"\"manual\"%s%s%s}},\"next\":[{\"for\":\"kernel_time\",\"hint\":\"add -k gemm "
		"--print-details "
		"all to see its launch configurations, percentiles and "
		"limits\"},{\"for\":\"saving_estimate_"
		"share\",\"hint\":\"a share of time is not a saving: that needs the kernel's work "
		"and this "
		"card's measured pe…\"},{\"for\":\"occupancy\",\"hint\":\"several limits bind at "
		"once: lowering "
		"one alone changes "
		"nothing\"}],\"cost\":{\"wall_s\":0,\"launches\":25,\"unmeasured_metrics\":0,"
		"\"measured_metrics\":3,\"selftest_band\":false,\"packet_bytes\":",
		(int)v->protocol_hash.n, v->protocol_hash.p, unknown->action[KS_LANG_EN],
		unknown->command[0] ? ",\"cmd\":\"" : "", unknown->command,
		unknown->command[0] ? "\"" : "");
	ks_str text = packet_of(&d, &plain, &p);
	size_t n = strlen(want);

	assert_true(text.n > n);
	for (size_t i = 0; i < n; i++)
		if (text.p[i] != want[i])
			fail_msg("differs at %zu:\n%.*s\nwanted\n%s", i, 90, text.p + i, want + i);
	json_t *root = checked(text, KS_PACKET_BYTES);

	assert_true(json_is_true(json_object_get(root, "synthetic")));
	json_decref(root);
	desk_end(&d);
}

static void a_report_and_its_size_are_named(void **state)
{
	struct desk d;
	struct ks_packet *p;
	const struct ks_packet_spec spec = {
		.wall_s = 0.0123456,
		.report_bytes = 62728,
		.report_path = KS_LIT("out/run.ksreport.json"),
	};

	(void)state;
	desk_start(&d);
	given_rows(&d);
	decided(&d);
	json_t *root = checked(packet_of(&d, &spec, &p), KS_PACKET_BYTES);
	const json_t *cost = json_object_get(root, "cost");

	assert_int_equal(json_integer_value(json_object_get(cost, "report_bytes")), 62728);
	expect_double(json_number_value(json_object_get(cost, "wall_s")), 0.012);
	assert_string_equal(json_string_value(json_object_get(root, "report_path")),
			    "out/run.ksreport.json");
	json_decref(root);
	d.epoch = "1"; /* under SOURCE_DATE_EPOCH our own time is not in the file */
	root = checked(packet_of(&d, &spec, &p), KS_PACKET_BYTES);
	expect_double(json_number_value(json_object_get(json_object_get(root, "cost"), "wall_s")),
		      0.0);
	json_decref(root);
	desk_end(&d);
}

static void the_same_report_gives_the_same_bytes(void **state)
{
	struct desk a, b;
	struct ks_packet *p;

	(void)state;
	desk_start(&a);
	desk_start(&b);
	given_rows(&a);
	given_rows(&b);
	decided(&a);
	decided(&b);
	ks_str x = packet_of(&a, &plain, &p), y = packet_of(&b, &plain, &p);

	assert_true(ks_str_eq(x, y));
	desk_end(&a);
	desk_end(&b);
}

static void string_facts_are_clipped_nested_names_are_not(void **state)
{
	static const char name[] =
		"void ns::kernel<float, 128, 64, Policy<2, 3>>(float const*, float*, long)";
	struct desk d;
	struct ks_packet *p;

	(void)state;
	desk_start(&d);
	d.kernel[0].name = KS_LIT(name);
	decided(&d);
	json_t *root = checked(packet_of(&d, &plain, &p), KS_PACKET_BYTES);
	const json_t *v = json_object_get(root, "verdicts");
	const json_t *facts = json_object_get(json_array_get(v, 0), "facts");

	assert_string_equal(json_string_value(json_object_get(facts, "top")),
			    "void ns::kernel<float, 128, 64, Policy<2, 3>>(f…");
	facts = json_object_get(json_array_get(v, 1), "facts");
	assert_string_equal(json_string_value(json_object_get(
				    json_array_get(json_object_get(facts, "top"), 0), "kernel")),
			    name);
	json_decref(root);
	desk_end(&d);
}

static void texts_follow_the_language_of_documents(void **state)
{
	struct desk d;
	struct ks_packet *p;

	(void)state;
	desk_start(&d);
	given_rows(&d);
	d.ctx.doc_lang = KS_LANG_ZH;
	decided(&d);
	json_t *root = checked(packet_of(&d, &plain, &p), KS_PACKET_BYTES);
	const json_t *v = json_array_get(json_object_get(root, "verdicts"), 2);

	assert_string_equal(json_string_value(json_object_get(v, "next")),
			    ks_text_get(KS_TEXT_VD_NEXT_OCC_SEVERAL, KS_LANG_ZH));
	json_decref(root);
	desk_end(&d);
}

static void a_refused_decision_has_no_value(void **state)
{
	struct desk d;
	struct ks_packet *p;

	(void)state;
	desk_start(&d);
	d.report.n_kernels = 0;
	d.report.contents.why_no_kernels = KS_NK_NOT_TRACED;
	decided(&d);
	json_t *root = checked(packet_of(&d, &plain, &p), KS_PACKET_BYTES);
	const json_t *v = json_array_get(json_object_get(root, "verdicts"), 0);
	const json_t *refusal = json_object_get(v, "refusal");
	const json_t *remedy =
		json_object_get(json_object_get(root, "refusals"), "no_launch_activity");

	assert_string_equal(json_string_value(json_object_get(v, "status")), "refused");
	assert_null(json_object_get(v, "value"));
	assert_string_equal(json_string_value(json_object_get(refusal, "code")),
			    "no_launch_activity");
	assert_string_equal(
		json_string_value(json_object_get(json_object_get(refusal, "observed"), "cause")),
		"cuda not traced");
	assert_string_equal(json_string_value(json_object_get(remedy, "cmd")),
			    "nsys profile -t cuda,nvtx -o run PROGRAM");
	json_decref(root);
	desk_end(&d);
}

int test_packet(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_packet_of_the_synthetic_numbers_is_this_text),
		cmocka_unit_test(a_report_and_its_size_are_named),
		cmocka_unit_test(the_same_report_gives_the_same_bytes),
		cmocka_unit_test(string_facts_are_clipped_nested_names_are_not),
		cmocka_unit_test(texts_follow_the_language_of_documents),
		cmocka_unit_test(a_refused_decision_has_no_value),
	};

	return cmocka_run_group_tests_name("packet", tests, NULL, NULL);
}
