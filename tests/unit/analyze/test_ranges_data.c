/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranges of real exports against the answers computed for them apart from this program
 * (data/nsys-sqlite/<name>.expected.json): every range listed there, by both readings. The rows are
 * read with plain SQL here, so that only ranges*.c is on trial.
 */
#include "ranges_given.h"

#include <jansson.h>
#include <sqlite3.h>
#include <stdio.h>

#include "base/map.h"

static const char *const files[] = {
	"extrap_win_gtx1060_nvtx_2022",	 "fuser_h200_2024",	   "h100_2gpu_nccl_2026",
	"icon_rtx4070s_5k_memcpy_2025",	 "memfusion_rtx3090_nvtx", "nvtx_cudf_2020",
	"nvtx_numba_jit_2020",		 "nvtx_workflow_2020",	   "power_iteration_t4_nvtx_2025",
	"saxpy_mpi_perlmutter_2022",	 "nvtx_cpu_only_2020",	   "nvtx_pushpop_no_kernels_2022",
	"nvtx_startend_no_kernels_2022",
};

static sqlite3_stmt *query(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *s = NULL;

	if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	return s;
}

static bool has_column(sqlite3 *db, const char *table, const char *column)
{
	char sql[256];
	bool found;

	(void)snprintf(sql, sizeof(sql), "select 1 from pragma_table_info('%s') where name = '%s'",
		       table, column);
	sqlite3_stmt *s = query(db, sql);

	found = sqlite3_step(s) == SQLITE_ROW;
	sqlite3_finalize(s);
	return found;
}

static int64_t integer(sqlite3_stmt *s, int column)
{
	return sqlite3_column_type(s, column) == SQLITE_NULL ? KS_UNKNOWN
							     : sqlite3_column_int64(s, column);
}

/* Texts by the thousand: a table with a hash in place of the small one of ranges_given. */
static void given_file_ranges(struct given_ranges *g, sqlite3 *db, struct ks_intern *names)
{
	char sql[512];

	(void)snprintf(sql, sizeof(sql),
		       "select start, end, globalTid, domainId, eventType, coalesce(%s, %s) "
		       "from NVTX_EVENTS e",
		       has_column(db, "NVTX_EVENTS", "text") ? "text" : "NULL",
		       has_column(db, "NVTX_EVENTS", "textId")
			       ? "(select value from StringIds where id = e.textId)"
			       : "NULL");
	sqlite3_stmt *s = query(db, sql);

	while (sqlite3_step(s) == SQLITE_ROW) {
		const struct ks_range row = { .start_ns = integer(s, 0),
					      .end_ns = integer(s, 1),
					      .thread = integer(s, 2),
					      .end_thread = KS_UNKNOWN,
					      .domain = integer(s, 3),
					      .type = integer(s, 4) };
		const char *text = (const char *)sqlite3_column_text(s, 5);

		assert_int_equal(ks_ranges_add(g->r, &row,
					       text ? ks_intern_add(names, ks_str_c(text), NULL)
						    : UINT32_MAX,
					       &g->err),
				 KS_OK);
	}
	sqlite3_finalize(s);
	assert_int_equal(ks_ranges_settle(g->r, names->items, names->count, &g->err), KS_OK);
}

static void given_file_kernels(struct given_ranges *g, sqlite3 *db)
{
	const bool pid = has_column(db, "CUPTI_ACTIVITY_KIND_KERNEL", "globalPid");
	char sql[512];

	assert_int_equal(ks_ranges_overlap_begin(g->r, &g->err), KS_OK);
	if (has_column(db, "CUPTI_ACTIVITY_KIND_KERNEL", "start")) {
		(void)snprintf(
			sql, sizeof(sql),
			"select k.start, k.end, %s, r.globalTid, min(r.start) from "
			"CUPTI_ACTIVITY_KIND_KERNEL k left join CUPTI_ACTIVITY_KIND_RUNTIME r on "
			"r.correlationId = k.correlationId and %s group by k.rowid "
			"order by k.start, k.end",
			pid ? "k.globalPid" : "NULL",
			pid ? "r.globalTid >> 24 = k.globalPid >> 24" : "1");
		sqlite3_stmt *s = query(db, sql);

		while (sqlite3_step(s) == SQLITE_ROW) {
			const ks_ns start = integer(s, 0), end = integer(s, 1);

			if (integer(s, 4) == KS_UNKNOWN)
				ks_ranges_count(g->r, KS_SEGMENT_NONE, end - start);
			else
				given_call(g, integer(s, 3), integer(s, 4), end - start);
			assert_int_equal(
				ks_ranges_overlap_add(g->r, integer(s, 2), start, end, &g->err),
				KS_OK);
		}
		sqlite3_finalize(s);
	}
	assert_int_equal(ks_ranges_overlap_end(g->r, &g->err), KS_OK);
}

static int64_t expected(const json_t *row, const char *key)
{
	const json_t *v = json_object_get(row, key);

	assert_true(json_is_integer(v));
	return json_integer_value(v);
}

/* Rows of the answers by (domain, name), which are unique in them. */
static bool is_row(const json_t *row, const struct ks_phase *p)
{
	const char *name = json_string_value(json_object_get(row, "name"));
	const json_t *domain = json_object_get(row, "domain");

	return p->domain_id == (json_is_integer(domain) ? json_integer_value(domain) : 0) && name &&
	       ks_str_eqc(p->name, name);
}

static void check_row(const struct ks_phase *p, const json_t *row, bool kernels)
{
	assert_int_equal(p->instances, expected(row, "count"));
	assert_int_equal(p->wall_ns, expected(row, "wall_ns"));
	assert_int_equal(p->type, expected(row, "event_type"));
	if (!kernels)
		return;
	assert_int_equal(p->overlap_ns, expected(row, "kernel_overlap_ns"));
	assert_int_equal(p->overlap_union_ns, expected(row, "kernel_overlap_of_union_ns"));
	if (json_is_integer(json_object_get(row, "kernel_overlap_same_process_ns")) &&
	    p->overlap_process_ns != KS_UNKNOWN)
		assert_int_equal(p->overlap_process_ns,
				 expected(row, "kernel_overlap_same_process_ns"));
	if (json_is_integer(json_object_get(row, "launched_kernel_ns"))) {
		assert_int_equal(p->kernel_ns, expected(row, "launched_kernel_ns"));
		assert_int_equal(p->kernels, expected(row, "launched_kernels"));
	}
}

static void check_phases(struct given_ranges *g, const json_t *rows, bool kernels)
{
	const struct ks_phase_log *log = ks_ranges_phases(g->r, &g->ask, &g->arena);
	struct ks_phase p;
	size_t found = 0;
	bool got = true;

	while (got) {
		size_t i;
		json_t *row;

		assert_int_equal(log->next(log->self, &p, &got, &g->err), KS_OK);
		json_array_foreach(rows, i, row)
		{
			if (!got || !is_row(row, &p))
				continue;
			check_row(&p, row, kernels);
			found++;
		}
	}
	assert_int_equal(found, json_array_size(rows));
}

static void check_file(const char *name)
{
	char part[256], path[512];
	struct ks_ranges_counts counts;
	struct given_ranges g;
	struct ks_intern names;
	sqlite3 *db = NULL;

	(void)snprintf(part, sizeof(part), "data/nsys-sqlite/%s.expected.json", name);
	assert_true(shared_file(path, part));
	json_t *answers = json_load_file(path, 0, NULL);
	const json_t *nvtx = json_object_get(answers, "nvtx");

	(void)snprintf(part, sizeof(part), "data/nsys-sqlite/%s.sqlite", name);
	assert_true(shared_file(path, part));
	assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	given_ranges(&g);
	ks_intern_init(&names, 1000000);
	given_file_ranges(&g, db, &names);
	given_file_kernels(&g, db);
	when_answered(&g);
	ks_ranges_counts(g.r, &counts);
	assert_int_equal(counts.rows, expected(nvtx, "rows"));
	assert_int_equal(counts.closed, expected(nvtx, "closed_ranges"));
	assert_int_equal(counts.open, expected(nvtx, "open_ranges"));
	check_phases(&g, json_object_get(nvtx, "ranges"),
		     has_column(db, "CUPTI_ACTIVITY_KIND_RUNTIME", "start"));
	sqlite3_close(db);
	given_ranges_release(&g);
	ks_intern_release(&names);
	json_decref(answers);
}

static void ranges_of_real_files_are_as_expected(void **state)
{
	char path[512];

	(void)state;
	if (!shared_file(path, "data/nsys-sqlite/SOURCES.md"))
		skip();
	for (size_t i = 0; i < KS_ARRAY_LEN(files); i++)
		check_file(files[i]);
}

int test_ranges_data(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_of_real_files_are_as_expected),
	};

	return cmocka_run_group_tests_name("ranges of real files", tests, NULL, NULL);
}
