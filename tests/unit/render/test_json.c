/* SPDX-License-Identifier: Apache-2.0
 *
 * .ksreport.json read back with another JSON library, key by key against contract 03 §4.
 */
#include "all.h"

#include <jansson.h>

#include "base/str.h"

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

static json_t *at(json_t *from, const char *key)
{
	json_t *v = json_object_get(from, key);

	if (v == NULL)
		print_error("no key %s\n", key);
	assert_non_null(v);
	return v;
}

static void expect_keys(json_t *object, const char *const *keys)
{
	for (size_t i = 0; keys[i] != NULL; i++)
		(void)at(object, keys[i]);
}

static struct given *with_kernels(size_t n)
{
	struct given *g = given_report();

	for (size_t i = 0; i < n; i++)
		given_kernel(g, ks_arena_fmt(&g->run, "k%zu", i), 6, (ks_ns)(1000000 * (n - i)),
			     1 + i % 3);
	given_device_rows(g);
	given_finished(g);
	return g;
}

static void all_keys_of_the_original_are_there(void **state)
{
	static const char *const top[] = { "schema_version",
					   "tool",
					   "tool_version",
					   "generated_at",
					   "host",
					   "device",
					   "device_ids",
					   "multi_device",
					   "wall_time_ns",
					   "sources",
					   "meta",
					   "kernels",
					   NULL };
	static const char *const device[] = { "name",
					      "driver",
					      "cuda_runtime",
					      "sm_count",
					      "compute_capability",
					      "l2_mib",
					      "memory_total_mib",
					      "max_sm_clock_mhz",
					      "power_limit_w",
					      "measured_peaks",
					      NULL };
	static const char *const meta[] = { "ledger_basis",  "dtype",	 "kernel_filter",
					    "warmup_s",	     "window_s", "peak_source",
					    "peak_override", "peaks",	 "calibration",
					    "memtrace",	     "window",	 NULL };
	static const char *const kernel[] = {
		"name",		"launch_count",	  "total_ns", "mean_ns",  "min_ns", "max_ns",
		"mixed_config", "launch_configs", "sections", "launches", NULL
	};
	static const char *const config[] = { "config",
					      "grid",
					      "block",
					      "launch_count",
					      "total_ns",
					      "mean_ns",
					      "registers_per_thread",
					      "static_smem_bytes",
					      "dynamic_smem_bytes",
					      NULL };
	struct given *g = with_kernels(3);
	json_t *root = parsed(g);

	(void)state;
	expect_keys(root, top);
	expect_keys(at(root, "device"), device);
	expect_keys(at(root, "meta"), meta);
	json_t *k = json_array_get(at(root, "kernels"), 2);

	expect_keys(k, kernel);
	expect_keys(json_array_get(at(k, "launch_configs"), 0), config);
	assert_int_equal(json_array_size(at(k, "launch_configs")), 3);
	assert_string_equal(json_string_value(at(json_array_get(at(root, "kernels"), 3), "name")),
			    "(device)");
	json_decref(root);
	given_released(g);
}

static void places_are_listed_and_what_is_unknown_is_null(void **state)
{
	static const struct ks_place place[] = {
		{ .gpu = 1, .pid = 111, .stream = 7, .launches = 5, .total_ns = 900000 },
		{ .gpu = 0, .pid = KS_UNKNOWN, .stream = KS_UNKNOWN, .launches = 1, .total_ns = 9 },
	};
	struct given *g = with_kernels(1);

	(void)state;
	g->kernel[0].place = place;
	g->kernel[0].n_places = 2;
	g->gpu[1].label = 42;
	g->r.n_gpus = 2;
	json_t *root = parsed(g);
	json_t *list = at(json_array_get(at(root, "kernels"), 0), "placement");
	json_t *first = json_array_get(list, 0), *second = json_array_get(list, 1);

	assert_int_equal(json_array_size(list), 2);
	assert_int_equal(json_integer_value(at(first, "device")), 42);
	assert_int_equal(json_integer_value(at(first, "pid")), 111);
	assert_int_equal(json_integer_value(at(first, "stream")), 7);
	assert_int_equal(json_integer_value(at(first, "launch_count")), 5);
	assert_int_equal(json_integer_value(at(first, "total_ns")), 900000);
	assert_int_equal(json_integer_value(at(second, "device")), 0);
	assert_true(json_is_null(at(second, "pid")));
	assert_true(json_is_null(at(second, "stream")));
	json_decref(root);
	given_released(g);
}

static void values_are_those_of_the_report(void **state)
{
	struct given *g = with_kernels(2);
	json_t *root = parsed(g);
	json_t *k = json_array_get(at(root, "kernels"), 0);
	json_t *row = json_array_get(at(json_array_get(at(k, "sections"), 0), "metrics"), 2);

	(void)state;
	assert_int_equal(json_integer_value(at(root, "wall_time_ns")), 6000000);
	assert_int_equal(json_integer_value(at(k, "total_ns")), 2000000);
	assert_int_equal(json_integer_value(at(at(root, "device"), "sm_count")), 108);
	assert_true(json_is_null(at(at(root, "device"), "memory_total_mib")));
	assert_int_equal(json_number_value(at(at(root, "device"), "l2_mib")), 40);
	assert_string_equal(json_string_value(at(at(root, "device"), "compute_capability")), "8.0");
	assert_string_equal(json_string_value(at(row, "name")), "ks__launch_time_p50");
	assert_string_equal(json_string_value(at(row, "resolution")), "0.004 ms");
	assert_string_equal(json_string_value(at(row, "unit")), "ms");
	assert_int_equal(json_array_size(at(k, "launches")), 0);
	json_decref(root);
	given_released(g);
}

static void a_refused_row_is_null_with_its_whole_refusal(void **state)
{
	static const char *const keys[] = { "code",	 "message", "severity", "observed",
					    "threshold", "remedy",  NULL };
	static const char *const remedy[] = { "action",	   "command",	   "cost_s",
					      "cost_kind", "then_answers", NULL };
	struct given *g = with_kernels(1);
	json_t *root = parsed(g);
	json_t *k = json_array_get(at(root, "kernels"), 0);
	json_t *row = json_array_get(at(json_array_get(at(k, "sections"), 2), "metrics"), 0);
	json_t *why = at(row, "refusal");

	(void)state;
	assert_true(json_is_null(at(row, "value")));
	assert_string_equal(json_string_value(at(row, "provenance")), "unavailable");
	expect_keys(why, keys);
	expect_keys(at(why, "remedy"), remedy);
	assert_string_equal(json_string_value(at(why, "code")), "no_workload");
	assert_true(json_is_false(at(at(why, "observed"), "peaks_provided")));
	/* R1: the reason is the refusal's message */
	assert_string_equal(json_string_value(at(row, "reason")),
			    json_string_value(at(why, "message")));
	json_decref(root);
	given_released(g);
}

static void the_meta_of_a_report_that_was_read_is_kept(void **state)
{
	struct given *g = with_kernels(1);

	(void)state;
	g->r.reread = true;
	g->r.raw_meta = KS_LIT("{\"clock_lock\":{\"state\":\"locked\"},\"x\":[1,2]}");
	json_t *root = parsed(g);

	assert_string_equal(json_string_value(at(at(at(root, "meta"), "clock_lock"), "state")),
			    "locked");
	assert_int_equal(json_array_size(at(at(root, "meta"), "x")), 2);
	(void)at(root, "kernels");
	json_decref(root);
	given_released(g);
}

static enum ks_status start_log(void *self, const struct ks_kernel *k, struct ks_err *err)
{
	struct given *g = self;

	(void)err;
	g->at = k == &g->kernel[0] ? 0 : g->n_launches;
	return KS_OK;
}

static enum ks_status next_of_log(void *self, struct ks_launch_view *row, bool *got,
				  struct ks_err *err)
{
	struct given *g = self;

	(void)err;
	*got = g->at < g->n_launches;
	if (*got)
		*row = g->launch[g->at++];
	return KS_OK;
}

static void launches_appear_only_when_asked_for(void **state)
{
	struct given *g = with_kernels(2);
	const struct ks_launch_view rows[] = {
		{ .config = &g->kernel[0].config[0],
		  .start_ns = 1000,
		  .end_ns = 1951,
		  .stream = 7 },
		{ .config = &g->kernel[0].config[0],
		  .index = 1,
		  .start_ns = 3000,
		  .end_ns = 3100,
		  .stream = KS_UNKNOWN,
		  .device = KS_UNKNOWN },
	};

	(void)state;
	g->launch = rows;
	g->n_launches = 2;
	g->launch_log = (struct ks_launch_log){ g, start_log, next_of_log };
	g->r.launches = &g->launch_log;
	json_t *root = parsed(g);

	assert_int_equal(json_array_size(at(json_array_get(at(root, "kernels"), 0), "launches")),
			 0);
	json_decref(root);
	g->v.json_launches = true;
	root = parsed(g);
	json_t *launches = at(json_array_get(at(root, "kernels"), 0), "launches");

	assert_int_equal(json_array_size(launches), 2);
	assert_int_equal(json_integer_value(at(json_array_get(launches, 0), "duration_ns")), 951);
	assert_int_equal(json_integer_value(at(json_array_get(launches, 0), "stream_id")), 7);
	assert_true(json_is_null(at(json_array_get(launches, 1), "device_id")));
	assert_int_equal(json_array_size(at(json_array_get(at(root, "kernels"), 1), "launches")),
			 0);
	json_decref(root);
	given_released(g);
}

static void hostile_names_and_five_thousand_kernels_parse(void **state)
{
	struct given *g = given_report();

	(void)state;
	for (size_t i = 0; i < 5000; i++)
		given_kernel(g, hostile_names[i % n_hostile_names], 1, (ks_ns)(90000 - i), 1);
	g->r.input_path = hostile_names[5];
	given_finished(g);
	json_t *root = parsed(g);

	assert_int_equal(json_array_size(at(root, "kernels")), 5000);
	assert_string_equal(json_string_value(at(json_array_get(at(root, "kernels"), 3), "name")),
			    hostile_names[3].p);
	json_decref(root);
	given_released(g);
}

static void a_run_without_kernels_is_a_report(void **state)
{
	struct given *g = given_report();

	(void)state;
	g->r.n_gpus = 0;
	g->r.n_gpus_used = 0;
	g->r.contents.why_no_kernels = KS_NK_NOT_TRACED;
	g->r.contents.nvtx_rows = 9;
	given_finished(g);
	json_t *root = parsed(g);

	assert_int_equal(json_array_size(at(root, "kernels")), 0);
	assert_int_equal(json_integer_value(at(at(root, "contents"), "nvtx_rows")), 9);
	assert_string_equal(json_string_value(at(at(root, "contents"), "why_no_kernels")),
			    "cuda_not_traced");
	json_decref(root);
	given_released(g);
}

int test_json(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_keys_of_the_original_are_there),
		cmocka_unit_test(values_are_those_of_the_report),
		cmocka_unit_test(places_are_listed_and_what_is_unknown_is_null),
		cmocka_unit_test(a_refused_row_is_null_with_its_whole_refusal),
		cmocka_unit_test(the_meta_of_a_report_that_was_read_is_kept),
		cmocka_unit_test(launches_appear_only_when_asked_for),
		cmocka_unit_test(hostile_names_and_five_thousand_kernels_parse),
		cmocka_unit_test(a_run_without_kernels_is_a_report),
	};

	return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
