/* SPDX-License-Identifier: Apache-2.0
 *
 * Launch statistics and configurations against vectors/launchstats.json.
 */
#include "all.h"

#include <jansson.h>
#include <stdio.h>

static int64_t integer(const json_t *object, const char *key)
{
	const json_t *v = json_object_get(object, key);

	assert_true(json_is_integer(v));
	return json_integer_value(v);
}

static void shape(int64_t out[3], const json_t *array)
{
	for (size_t i = 0; i < 3; i++)
		out[i] = json_integer_value(json_array_get(array, i));
}

static void given_rows(struct given *g, const json_t *rows)
{
	size_t i;
	json_t *row;

	json_array_foreach(rows, i, row)
	{
		struct ks_launch *l = given_launch(g, "k", 0, integer(row, "start"), 1);

		l->end_ns = integer(row, "end");
		shape(l->grid, json_object_get(row, "grid"));
		shape(l->block, json_object_get(row, "block"));
		l->static_smem = integer(row, "static_smem");
		l->dynamic_smem = integer(row, "dynamic_smem");
		l->regs = integer(row, "regs");
	}
}

static void check_configs(const struct ks_kernel *k, const json_t *expect)
{
	size_t i;
	json_t *c;

	assert_int_equal(k->n_configs, json_array_size(expect));
	json_array_foreach(expect, i, c)
	{
		assert_string_equal(k->config[i].key.p,
				    json_string_value(json_object_get(c, "key")));
		assert_int_equal(k->config[i].launches, integer(c, "count"));
		assert_int_equal(k->config[i].total_ns, integer(c, "total_ns"));
		expect_near(k->config[i].mean_ns, json_number_value(json_object_get(c, "mean_ns")),
			    1e-9);
	}
}

static void check_case(const json_t *c)
{
	const json_t *expect = json_object_get(c, "expect");
	struct given g;

	given_trace(&g);
	given_rows(&g, json_object_get(c, "in"));
	then_report(&g);
	const struct ks_kernel *k = kernel_named(&g, "k(int)");

	assert_int_equal(k->launches, integer(expect, "n"));
	assert_int_equal(k->bad_rows, integer(expect, "bad_rows"));
	assert_int_equal(k->total_ns, integer(expect, "total_ns"));
	assert_int_equal(k->min_ns, integer(expect, "min_ns"));
	assert_int_equal(k->max_ns, integer(expect, "max_ns"));
	expect_near(k->mean_ns, json_number_value(json_object_get(expect, "mean_ns")), 1e-9);
	assert_int_equal(k->mixed_config, json_is_true(json_object_get(expect, "mixed")));
	expect_real(row_of(&g, "k(int)", "ks__launch_time_p50"),
		    (double)integer(expect, "p50_ns") / 1e6);
	check_configs(k, json_object_get(expect, "configs"));
	given_release(&g);
}

static void every_worked_case_comes_out(void **state)
{
	char path[512];
	json_error_t error;
	const char *key;
	size_t i;
	json_t *value, *c;

	(void)state;
	if (!shared_file(path, "contract/vectors/launchstats.json"))
		skip();
	json_t *vectors = json_load_file(path, 0, &error);

	assert_non_null(vectors);
	json_object_foreach(vectors, key, value)
	{
		if (strcmp(key, "schema") != 0 && strcmp(key, "topic") != 0 &&
		    strcmp(key, "cases") != 0)
			fail_msg("launchstats.json has a list this test does not know: %s", key);
	}
	assert_true(json_array_size(json_object_get(vectors, "cases")) >= 1);
	json_array_foreach(json_object_get(vectors, "cases"), i, c) check_case(c);
	json_decref(vectors);
}

int test_launchstats(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_worked_case_comes_out) };

	return cmocka_run_group_tests_name("launchstats", tests, NULL, NULL);
}
