/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables that are not there, not tables, or not of nsys; and what a trace says about itself.
 */
#include "all.h"

#include <sqlite3.h>

#include "base/str.h"

#define STRINGS "create table StringIds(id integer primary key, value text);"
#define KERNELS "create table CUPTI_ACTIVITY_KIND_KERNEL(start,end,deviceId,demangledName);"

static const char *given(const char *name, const char *sql)
{
	const char *path = in_scratch(name);

	(void)unlink(path);
	given_db(path, sql);
	return path;
}

static void expect_error(const char *path, int text)
{
	struct record r;

	record_start(&r);
	assert_int_equal(record_nsys(&r, path), KS_E_INPUT);
	if (r.err.text != text)
		fail_msg("another error: %s", record_error(&r));
	record_end(&r);
}

static void a_database_without_tables(void **state)
{
	(void)state;
	expect_error(given("none.sqlite", "create table a(b); drop table a"),
		     KS_TEXT_ERR_SRC_NO_TABLES);
}

static void a_database_of_something_else(void **state)
{
	(void)state;
	expect_error(given("else.sqlite", "create table contacts(name, phone)"),
		     KS_TEXT_ERR_SRC_NOT_NSYS);
}

static void a_database_of_nvprof(void **state)
{
	(void)state;
	expect_error(given("nvprof.sqlite", "create table StringTable(_id_, value); create table "
					    "CUPTI_ACTIVITY_KIND_KERNEL(start,end);"
					    "create table CUPTI_ACTIVITY_KIND_RUNTIME(start,end)"),
		     KS_TEXT_ERR_SRC_NVPROF);
}

static void views_are_named_and_never_read(void **state)
{
	const char *path = given(
		"views.sqlite", STRINGS
		"create table hidden(start,end,demangledName);"
		"insert into hidden values(1,2,'made up');"
		"create view CUPTI_ACTIVITY_KIND_KERNEL as select * from hidden;"
		"create view TARGET_INFO_GPU as select 9 as computeMajor, 0 as computeMinor;");
	struct record r;

	(void)state;
	record_good(&r, path);
	assert_int_equal(r.n_launches, 0);
	assert_int_equal(r.n_gpus, 0);
	assert_false(r.meta.has_kernel_table);
	assert_true(r.meta.kernel_table_unread);
	assert_int_equal(record_holding(&r, "CUPTI_ACTIVITY_KIND_KERNEL")->rows, -1);
	assert_false(record_holding(&r, "CUPTI_ACTIVITY_KIND_KERNEL")->analysed);
	assert_int_equal(record_holding(&r, "hidden")->rows, 1);
	record_end(&r);
	expect_error(given("onlyview.sqlite",
			   "create table t(start,end);"
			   "create view CUPTI_ACTIVITY_KIND_KERNEL as select * from t"),
		     KS_TEXT_ERR_SRC_VIEW);
}

static void virtual_tables_are_never_read(void **state)
{
	const char *path = in_scratch("virtual.sqlite");
	sqlite3 *db;
	struct record r;

	(void)state;
	(void)unlink(path);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, STRINGS, NULL, NULL, NULL), SQLITE_OK);
	if (sqlite3_exec(
		    db,
		    "create virtual table CUPTI_ACTIVITY_KIND_KERNEL using fts5(start, \"end\")",
		    NULL, NULL, NULL) != SQLITE_OK) {
		(void)sqlite3_close(db);
		print_message("this SQLite has no fts5\n");
		skip();
	}
	assert_int_equal(sqlite3_exec(db, "insert into CUPTI_ACTIVITY_KIND_KERNEL values(1,2)",
				      NULL, NULL, NULL),
			 SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	record_good(&r, path);
	assert_int_equal(r.n_launches, 0);
	assert_int_equal(record_holding(&r, "CUPTI_ACTIVITY_KIND_KERNEL")->rows, -1);
	record_end(&r);
}

static void triggers_odd_names_and_generated_columns_are_harmless(void **state)
{
	const char *path = given(
		"odd.sqlite", STRINGS
		"create table \"CUPTI_ACTIVITY_KIND_KERNEL\"(start,end,deviceId,demangledName,"
		" twice as (start * 2), \"odd\"\"name\" int, \"select\" int);"
		"insert into CUPTI_ACTIVITY_KIND_KERNEL(start,end,deviceId,demangledName) "
		"values(1,2,0,'k');"
		"create table log(x);"
		"create trigger t after insert on CUPTI_ACTIVITY_KIND_KERNEL begin insert into log "
		"values(1); end;"
		"create table \"a\"\"b; drop table log\"(x); create table 'x''y'(start);");
	struct record r;

	(void)state;
	record_good(&r, path);
	assert_int_equal(r.n_launches, 1);
	assert_int_equal(record_holding(&r, "a\"b; drop table log")->rows, 0);
	assert_int_equal(record_holding(&r, "x'y")->rows, 0);
	assert_int_equal(record_holding(&r, "log")->rows, 0);
	record_end(&r);
}

static void a_generated_column_cannot_make_up_values(void **state)
{
	const char *path = given(
		"generated.sqlite", STRINGS
		"create table CUPTI_ACTIVITY_KIND_KERNEL(x, start as (length(hex(x))), end as (7),"
		" deviceId);"
		"insert into CUPTI_ACTIVITY_KIND_KERNEL(x, deviceId) values(1, 3)");
	struct record r;

	(void)state;
	record_good(&r, path);
	assert_int_equal(r.n_launches, 1);
	assert_true(r.launch[0].start_ns == KS_UNKNOWN && r.launch[0].end_ns == KS_UNKNOWN);
	assert_int_equal(r.launch[0].device, 3);
	record_end(&r);
}

static void tables_without_row_ids_and_columns_in_any_case(void **state)
{
	const char *path =
		given("case.sqlite",
		      "create table stringids(ID integer primary key, VALUE text) without rowid;"
		      "insert into stringids values(3,'k');"
		      "create table cupti_activity_kind_kernel(START int, End int, DEMANGLEDNAME "
		      "int, DeviceID int,"
		      " primary key(START)) without rowid; insert into cupti_activity_kind_kernel "
		      "values(5,9,3,1)");
	struct record r;

	(void)state;
	record_good(&r, path);
	assert_int_equal(r.n_launches, 1);
	assert_int_equal(r.launch[0].end_ns, 9);
	assert_int_equal(r.launch[0].device, 1);
	assert_true(ks_str_eqc(record_name_of(&r, r.launch[0].demangled), "k"));
	record_end(&r);
}

static void a_kernel_table_without_times_gives_bad_rows_not_none(void **state)
{
	const char *path = given("notime.sqlite",
				 STRINGS "create table CUPTI_ACTIVITY_KIND_KERNEL(gridX);"
					 "insert into CUPTI_ACTIVITY_KIND_KERNEL values(1),(2)");
	struct record r;

	(void)state;
	record_good(&r, path);
	assert_int_equal(r.n_launches, 2);
	assert_true(r.launch[1].start_ns == KS_UNKNOWN);
	record_end(&r);
}

static void holdings_have_their_rows_and_a_mark(void **state)
{
	const char *path = given(
		"hold.sqlite", STRINGS KERNELS
		"insert into CUPTI_ACTIVITY_KIND_KERNEL values(1,2,0,1),(3,4,0,1);"
		"create table OSRT_API(start,end); insert into OSRT_API values(1,2),(1,2),(1,2);"
		"create table ENUM_CUDA_MEM_KIND(id,name);"
		"create table NVTX_EVENTS(start,end); insert into NVTX_EVENTS values(1,2)");
	struct record r;

	(void)state;
	record_good(&r, path);
	assert_int_equal(r.n_holdings, 4);
	assert_int_equal(record_holding(&r, "CUPTI_ACTIVITY_KIND_KERNEL")->rows, 2);
	assert_true(record_holding(&r, "CUPTI_ACTIVITY_KIND_KERNEL")->analysed);
	assert_true(record_holding(&r, "StringIds")->analysed);
	assert_int_equal(record_holding(&r, "OSRT_API")->rows, 3);
	assert_false(record_holding(&r, "OSRT_API")->analysed);
	assert_null(record_holding(&r, "ENUM_CUDA_MEM_KIND"));
	assert_int_equal(r.meta.nvtx_rows, 1);
	assert_true(r.meta.other_first_ns == KS_UNKNOWN); /* there is work, so its span counts */
	record_end(&r);
}

static void without_work_the_span_is_that_of_the_other_rows(void **state)
{
	const char *path = given(
		"span.sqlite", STRINGS KERNELS
		"insert into CUPTI_ACTIVITY_KIND_KERNEL values(9,9,0,1);" /* bad */
		"create table CUPTI_ACTIVITY_KIND_RUNTIME(start,end,returnValue);"
		"insert into CUPTI_ACTIVITY_KIND_RUNTIME values(50,60,0),(40,45,0);"
		"create table NVTX_EVENTS(start,end); insert into NVTX_EVENTS values(70,null);"
		"create table PROFILER_OVERHEAD(start,end);"
		"insert into PROFILER_OVERHEAD values(1,1000)");
	struct record r;

	(void)state;
	record_good(&r, path);
	assert_int_equal(r.meta.other_first_ns, 40);
	assert_int_equal(r.meta.other_last_ns, 70);
	assert_int_equal(r.meta.api_calls, 0); /* this sink asks for calls and counts them */
	assert_int_equal(r.n_calls, 2);
	assert_false(r.meta.no_driver);
	record_end(&r);
}

static void a_machine_without_a_driver_is_told(void **state)
{
	static const char *const sql[] = {
		/* every call answers "no CUDA-capable device" */
		STRINGS "create table CUPTI_ACTIVITY_KIND_RUNTIME(start,end,returnValue);"
			"insert into CUPTI_ACTIVITY_KIND_RUNTIME values(1,2,100)",
		/* the machine's facts are there, a driver is not among them, and no GPU */
		STRINGS
		"create table TARGET_INFO_SYSTEM_ENV(name,value);"
		"insert into TARGET_INFO_SYSTEM_ENV values('CpuCores','8'),('NvDriverVersion','')",
		STRINGS "create table TARGET_INFO_SYSTEM_ENV(name,value); create table "
			"TARGET_INFO_GPU(name);"
			"insert into TARGET_INFO_SYSTEM_ENV values('NvDriverVersion','0')",
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(sql); i++) {
		struct record r;

		record_good(&r, given("nodriver.sqlite", sql[i]));
		assert_true(r.meta.no_driver);
		record_end(&r);
	}
}

static void driver_versions_get_their_dots(void **state)
{
	static const struct {
		const char *stored, *shown;
	} c[] = {
		{ "580.95.05", "580.95.05" }, { "52510517", "525.105.17" },
		{ "5303002", "530.30.02" },   { "42600", "426.00" },
		{ "55067", "550.67" },	      { "weird", "weird" },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(c); i++) {
		char sql[512];
		struct record r;

		(void)snprintf(
			sql, sizeof(sql),
			STRINGS
			"create table TARGET_INFO_SYSTEM_ENV(name,value);"
			"insert into TARGET_INFO_SYSTEM_ENV values('NvDriverVersion','%s');"
			"create table TARGET_INFO_GPU(id,cuDevice,computeMajor,computeMinor);"
			"insert into TARGET_INFO_GPU values(0,0,9,0)",
			c[i].stored);
		record_good(&r, given("driver.sqlite", sql));
		assert_true(ks_str_eqc(r.devices.gpu[0].driver, c[i].shown));
		record_end(&r);
	}
}

static void the_metadata_is_read_under_both_its_names(void **state)
{
	static const char *const table[] = { "META_DATA_EXPORT", "EXPORT_META_DATA" };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(table); i++) {
		char sql[1024];
		struct record r;

		(void)snprintf(
			sql, sizeof(sql),
			STRINGS
			"create table %s(name,value); insert into %s "
			"values('EXPORT_PRODUCT_NAME','P'),"
			"('EXPORT_PRODUCT_VERSION','1.2'),('EXPORT_SCHEMA_VERSION','3'),"
			"('EXPORT_PLATFORM','linux');"
			"create table TARGET_INFO_SESSION_START_TIME(utcEpochNs);"
			"insert into TARGET_INFO_SESSION_START_TIME values(1700000000000000000);"
			"create table ANALYSIS_DETAILS(globalVid,duration);"
			"insert into ANALYSIS_DETAILS values(1,777)",
			table[i], table[i]);
		record_good(&r, given("meta.sqlite", sql));
		assert_true(ks_str_eqc(r.meta.product, "P"));
		assert_true(ks_str_eqc(r.meta.product_version, "1.2"));
		assert_true(ks_str_eqc(r.meta.schema_version, "3"));
		assert_true(ks_str_eqc(r.meta.platform, "linux"));
		assert_int_equal(r.meta.utc_epoch_ns, 1700000000000000000);
		assert_int_equal(r.meta.capture_ns, 777);
		record_end(&r);
	}
}

static void the_capture_says_whether_cuda_was_traced(void **state)
{
	static const struct {
		const char *rows;
		int traced;
	} c[] = {
		{ "('CAPTURE_EVENT_TYPE','OSRuntime'),('CAPTURE_EVENT_TYPE','Cuda')", 1 },
		{ "('CAPTURE_EVENT_TYPE','OSRuntime'),('CAPTURE_EVENT_TYPE','NvtxEvents')", 0 },
		{ "('DEVICE_TYPE','Unix')", -1 },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(c); i++) {
		char sql[512];
		struct record r;

		(void)snprintf(sql, sizeof(sql),
			       STRINGS "create table META_DATA_CAPTURE(name,value); insert into "
				       "META_DATA_CAPTURE values%s",
			       c[i].rows);
		record_good(&r, given("capture.sqlite", sql));
		assert_int_equal(r.meta.cuda_traced, c[i].traced);
		record_end(&r);
	}
}

static void diagnostics_and_processes_arrive(void **state)
{
	const char *path = given(
		"diag.sqlite", STRINGS KERNELS
		"create table DIAGNOSTIC_EVENT(timestamp,severity,text);"
		"insert into DIAGNOSTIC_EVENT values(1,2,'careful'),(2,2,'careful'),(3,9,'odd');"
		"create table PROCESSES(globalPid,pid,name);"
		"insert into PROCESSES values(281474993487872,1,'init'),(null,null,null)");
	struct record r;

	(void)state;
	record_good(&r, path);
	assert_int_equal(r.n_diagnostics, 3);
	assert_int_equal(r.diagnostic[0].severity, 2);
	assert_true(ks_str_eqc(r.diagnostic[1].text, "careful"));
	assert_true(r.diagnostic[2].severity <= 0); /* no such level */
	assert_int_equal(r.n_processes, 2);
	assert_int_equal(r.process[0].pid, 1);
	assert_true(ks_str_eqc(r.process[0].name, "init"));
	record_end(&r);
}

int test_schema(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_database_without_tables),
		cmocka_unit_test(a_database_of_something_else),
		cmocka_unit_test(a_database_of_nvprof),
		cmocka_unit_test(views_are_named_and_never_read),
		cmocka_unit_test(virtual_tables_are_never_read),
		cmocka_unit_test(triggers_odd_names_and_generated_columns_are_harmless),
		cmocka_unit_test(a_generated_column_cannot_make_up_values),
		cmocka_unit_test(tables_without_row_ids_and_columns_in_any_case),
		cmocka_unit_test(a_kernel_table_without_times_gives_bad_rows_not_none),
		cmocka_unit_test(holdings_have_their_rows_and_a_mark),
		cmocka_unit_test(without_work_the_span_is_that_of_the_other_rows),
		cmocka_unit_test(a_machine_without_a_driver_is_told),
		cmocka_unit_test(driver_versions_get_their_dots),
		cmocka_unit_test(the_metadata_is_read_under_both_its_names),
		cmocka_unit_test(the_capture_says_whether_cuda_was_traced),
		cmocka_unit_test(diagnostics_and_processes_arrive),
	};

	return cmocka_run_group_tests_name("schema", tests, NULL, NULL);
}
