/* SPDX-License-Identifier: Apache-2.0
 *
 * contract/vectors/nsys.json, every case: the table as the case defines it, and what is read from
 * it.
 */
#include "all.h"

#include <sqlite3.h>

#include "base/str.h"

static void bind_json(sqlite3_stmt *s, int at, const json_t *v)
{
	if (json_is_integer(v))
		(void)sqlite3_bind_int64(s, at, json_integer_value(v));
	else if (json_is_string(v))
		(void)sqlite3_bind_text(s, at, json_string_value(v), -1, SQLITE_TRANSIENT);
	else
		assert_true(json_is_null(v));
}

static void insert_rows(sqlite3 *db, const char *table, const json_t *rows)
{
	for (size_t i = 0; i < json_array_size(rows); i++) {
		const json_t *row = json_array_get(rows, i);
		const int n = (int)json_array_size(row);
		char sql[512];
		int at = snprintf(sql, sizeof(sql), "insert into %s values(", table);
		sqlite3_stmt *s;

		for (int k = 0; k < n; k++)
			at += snprintf(sql + at, sizeof(sql) - (size_t)at, "%s?", k ? "," : "");
		(void)snprintf(sql + at, sizeof(sql) - (size_t)at, ")");
		assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
		for (int k = 0; k < n; k++)
			bind_json(s, k + 1, json_array_get(row, (size_t)k));
		assert_int_equal(sqlite3_step(s), SQLITE_DONE);
		(void)sqlite3_finalize(s);
	}
}

static void given_case(const char *path, const json_t *in)
{
	const json_t *ddl = json_object_get(in, "ddl");
	const json_t *strings = json_object_get(in, "stringids");
	sqlite3 *db;

	(void)unlink(path);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	for (size_t i = 0; i < json_array_size(ddl); i++)
		assert_int_equal(sqlite3_exec(db, json_string_value(json_array_get(ddl, i)), NULL,
					      NULL, NULL),
				 SQLITE_OK);
	if (strings)
		assert_int_equal(
			sqlite3_exec(db, "create table if not exists StringIds(id int, value text)",
				     NULL, NULL, NULL),
			SQLITE_OK);
	insert_rows(db, "StringIds", strings);
	insert_rows(db, "CUPTI_ACTIVITY_KIND_KERNEL", json_object_get(in, "kernel_rows"));
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static bool good(const struct ks_launch *l)
{
	return l->start_ns != KS_UNKNOWN && l->end_ns != KS_UNKNOWN && l->end_ns > l->start_ns;
}

static int64_t count(const struct record *r, bool (*is)(const struct ks_launch *))
{
	int64_t n = 0;

	for (size_t i = 0; i < r->n_launches; i++)
		n += is(&r->launch[i]);
	return n;
}

static bool is_bad(const struct ks_launch *l)
{
	return !good(l);
}

static bool is_graph(const struct ks_launch *l)
{
	return good(l) && l->graph_node;
}

static bool has_no_device(const struct ks_launch *l)
{
	return good(l) && l->device == KS_UNKNOWN;
}

static bool list_has(const json_t *list, int64_t v)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (json_integer_value(json_array_get(list, i)) == v)
			return true;
	return false;
}

static void expect_each(const struct record *r, const char *key, const json_t *want)
{
	for (size_t i = 0; i < r->n_launches; i++) {
		const struct ks_launch *l = &r->launch[i];

		if (!good(l))
			continue;
		if (strcmp(key, "devices") == 0)
			assert_true(list_has(want, l->device));
		else
			assert_true(list_has(want, ks_global_pid(l->process)));
	}
}

static void expect_names(const struct record *r, const json_t *want)
{
	for (size_t i = 0; i < r->n_launches; i++) {
		const ks_str name = record_name_of(r, r->launch[i].demangled);
		bool found = false;

		for (size_t k = 0; k < json_array_size(want); k++)
			found |= ks_str_eqc(name, json_string_value(json_array_get(want, k)));
		assert_true(found);
	}
}

static ks_ns first_start(const struct record *r)
{
	ks_ns first = INT64_MAX;

	for (size_t i = 0; i < r->n_launches; i++)
		if (r->launch[i].start_ns < first)
			first = r->launch[i].start_ns;
	return first;
}

static bool processes_differ(const struct record *r)
{
	for (size_t i = 1; i < r->n_launches; i++)
		if (r->launch[i].process != r->launch[0].process)
			return true;
	return false;
}

static void expect(const struct record *r, const char *key, const json_t *want)
{
	if (strcmp(key, "launches") == 0)
		assert_int_equal(count(r, good), json_integer_value(want));
	else if (strcmp(key, "bad_rows") == 0)
		assert_int_equal(count(r, is_bad), json_integer_value(want));
	else if (strcmp(key, "graph_launches") == 0)
		assert_int_equal(count(r, is_graph), json_integer_value(want));
	else if (strcmp(key, "unknown_device_rows") == 0)
		assert_int_equal(count(r, has_no_device), json_integer_value(want));
	else if (strcmp(key, "first_start") == 0)
		assert_int_equal(first_start(r), json_integer_value(want));
	else if (strcmp(key, "names") == 0)
		expect_names(r, want);
	else if (strcmp(key, "devices") == 0 || strcmp(key, "pids") == 0)
		expect_each(r, key, want);
	else if (strcmp(key, "multi_process") == 0)
		assert_int_equal(processes_differ(r), json_is_true(want));
	else
		fail_msg("nsys.json expects %s, which this test does not know", key);
}

static void run_case(const json_t *c)
{
	const char *path = in_scratch("vector.sqlite");
	json_t *wanted = json_object_get(c, "expect");
	const json_t *error = json_object_get(c, "expect_error");
	struct record r;
	const char *key;
	json_t *v;

	given_case(path, json_object_get(c, "in"));
	record_good(&r, path);
	json_object_foreach(wanted, key, v) expect(&r, key, v);
	if (error) {
		assert_string_equal(json_string_value(error), "no_kernel_table");
		assert_false(r.meta.has_kernel_table);
		assert_int_equal(r.n_launches, 0);
	}
	assert_true(wanted || error);
	record_end(&r);
}

static void expect_ids(const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *c = json_array_get(list, i);
		const int64_t id = json_integer_value(json_object_get(c, "globalTid"));

		assert_int_equal(ks_global_pid(id), json_integer_value(json_object_get(c, "pid")));
		assert_int_equal(ks_global_tid(id), json_integer_value(json_object_get(c, "tid")));
	}
}

static void every_case_of_nsys_json(void **state)
{
	const char *shared = shared_folder();
	char path[512];
	const char *key;
	json_t *v;

	(void)state;
	if (!shared)
		skip();
	(void)snprintf(path, sizeof(path), "%s/contract/vectors/nsys.json", shared);

	json_t *doc = load_json(path);

	json_object_foreach(doc, key, v)
	{
		if (strcmp(key, "global_ids") == 0)
			expect_ids(v);
		else if (strcmp(key, "cases") == 0)
			for (size_t i = 0; i < json_array_size(v); i++)
				run_case(json_array_get(v, i));
		else if (strcmp(key, "schema") != 0 && strcmp(key, "topic") != 0)
			fail_msg("nsys.json has a list %s, which this test does not know", key);
	}
	json_decref(doc);
}

int test_vectors(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_case_of_nsys_json),
	};

	return cmocka_run_group_tests_name("vectors", tests, NULL, NULL);
}
