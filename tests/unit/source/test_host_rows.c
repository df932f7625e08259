/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of the host: NVTX ranges, CUDA calls, overhead, call chains, names of threads. Small
 * databases made here; what is expected is what was written.
 */
#include "all.h"

#include "base/str.h"

#define STRINGS                                                                                    \
	"create table StringIds(id integer primary key, value text);"                              \
	"insert into StringIds values(1,'one'),(2,'two'),(3,'three');"
#define NVTX_COLUMNS                                                                               \
	"start,end,eventType,rangeId,category,color,text,globalTid,endGlobalTid,textId,domainId,"  \
	"uint64Value,int64Value,doubleValue,uint32Value,int32Value,floatValue,jsonTextId,"         \
	"jsonText,binaryData"

static void given(struct record *r, const char *sql)
{
	const char *path = in_scratch("host.sqlite");

	(void)unlink(path);
	given_db(path, sql);
	record_good(r, path);
}

static void given_range(struct record *r, const char *values)
{
	char sql[2048];

	(void)snprintf(sql, sizeof(sql),
		       STRINGS "create table NVTX_EVENTS(" NVTX_COLUMNS ");"
			       "insert into NVTX_EVENTS values(%s)",
		       values);
	given(r, sql);
	assert_int_equal(r->n_ranges, 1);
}

static void a_range_arrives_as_it_is(void **state)
{
	struct record r;

	(void)state;
	given_range(&r, "100,200,60,5,7,255,'step 1',300,301,null,2,null,null,null,null,null,null,"
			"null,null,null");
	const struct ks_range *g = &r.range[0];

	assert_int_equal(g->start_ns, 100);
	assert_int_equal(g->end_ns, 200);
	assert_int_equal(g->type, 60);
	assert_int_equal(g->thread, 300);
	assert_int_equal(g->end_thread, 301);
	assert_int_equal(g->domain, 2);
	assert_true(ks_str_eqc(record_name_of(&r, g->name), "step 1"));
	assert_true(g->schema == KS_UNKNOWN && g->value == KS_UNKNOWN);
	assert_int_equal(g->payload.n + g->json.n, 0);
	assert_int_equal(r.n_ranges_done, 1);
	assert_true(record_holding(&r, "NVTX_EVENTS")->analysed);
	record_end(&r);
}

static void null_in_a_range_is_unknown_but_for_the_default_domain(void **state)
{
	struct record r;

	(void)state;
	given_range(&r, "null,null,null,null,null,null,null,null,null,null,null,null,null,null,"
			"null,null,null,null,null,null");
	const struct ks_range *g = &r.range[0];

	assert_true(g->start_ns == KS_UNKNOWN && g->end_ns == KS_UNKNOWN);
	assert_true(g->thread == KS_UNKNOWN && g->end_thread == KS_UNKNOWN);
	assert_true(g->type == KS_UNKNOWN);
	assert_int_equal(g->domain, 0);
	assert_int_equal(g->name, 0);
	record_end(&r);
}

static void text_is_no_number_of_a_range(void **state)
{
	struct record r;

	(void)state;
	given_range(&r, "'100','200','59',null,'7',null,'x','300','301',null,'2','1','2',null,'3',"
			"'4',null,'5',null,null");
	const struct ks_range *g = &r.range[0];

	assert_true(g->start_ns == KS_UNKNOWN && g->end_ns == KS_UNKNOWN);
	assert_true(g->thread == KS_UNKNOWN && g->end_thread == KS_UNKNOWN);
	assert_true(g->type == KS_UNKNOWN && g->domain == KS_UNKNOWN);
	assert_true(g->value == KS_UNKNOWN && g->json.n == 0);
	record_end(&r);
}

static void the_name_is_the_text_or_else_the_registered_string(void **state)
{
	static const struct {
		const char *text, *text_id, *name;
	} c[] = {
		{ "'inline'", "2", "inline" },
		{ "null", "2", "two" },
		{ "''", "2", "two" },
		{ "'  \t '", "2", "two" },
		{ "' a '", "2", " a " },
		{ "3", "null", "three" }, /* an id where others write text */
		{ "3", "2", "three" },
		{ "null", "99", "99" }, /* an id without a string */
		{ "null", "'registered'", "registered" },
		{ "null", "'  '", "" },
		{ "'   '", "null", "" },
		{ "null", "null", "" },
		{ "x'6d61726b'", "null", "mark" },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(c); i++) {
		char values[256];
		struct record r;

		(void)snprintf(values, sizeof(values),
			       "1,2,59,null,null,null,%s,4,null,%s,0,null,null,null,null,null,null,"
			       "null,null,null",
			       c[i].text, c[i].text_id);
		given_range(&r, values);

		const ks_str name = record_name_of(&r, r.range[0].name);

		if (!ks_str_eqc(name, c[i].name))
			fail_msg("%s, %s gave %.*s", c[i].text, c[i].text_id, (int)name.n, name.p);
		record_end(&r);
	}
}

static void the_plain_payload_is_the_first_integer_there_is(void **state)
{
	static const struct {
		const char *u64, *i64, *u32, *i32;
		int64_t value;
	} c[] = {
		{ "5", "null", "null", "null", 5 },
		{ "null", "-6", "null", "null", -6 },
		{ "null", "null", "7", "null", 7 },
		{ "null", "null", "null", "-8", -8 },
		{ "0", "1", "null", "null", 0 },
		{ "-1", "null", "null", "null", KS_UNKNOWN }, /* 2^64 - 1: no column shows it */
		{ "null", "null", "null", "null", KS_UNKNOWN },
		{ "2.5", "null", "null", "null", KS_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(c); i++) {
		char values[256];
		struct record r;

		(void)snprintf(values, sizeof(values),
			       "1,2,34,null,null,null,'m',4,null,null,0,%s,%s,1.5,%s,%s,2.5,"
			       "null,null,null",
			       c[i].u64, c[i].i64, c[i].u32, c[i].i32);
		given_range(&r, values);
		if (r.range[0].value != c[i].value)
			fail_msg("row %zu gave %lld", i, (long long)r.range[0].value);
		record_end(&r);
	}
}

static void json_is_inline_or_a_string_by_its_id(void **state)
{
	static const struct {
		const char *id, *text, *json;
	} c[] = {
		{ "null", "'{\"a\":1}'", "{\"a\":1}" },
		{ "2", "null", "two" },
		{ "2", "'{}'", "{}" },
		{ "99", "null", "" },
		{ "null", "null", "" },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(c); i++) {
		char values[256];
		struct record r;

		(void)snprintf(values, sizeof(values),
			       "1,2,59,null,null,null,'m',4,null,null,0,null,null,null,null,null,"
			       "null,%s,%s,null",
			       c[i].id, c[i].text);
		given_range(&r, values);
		if (!ks_str_eqc(r.range[0].json, c[i].json))
			fail_msg("row %zu", i);
		record_end(&r);
	}
}

/* Looked up only where it costs no scan: otherwise a file could make every row read a whole table.
 */
static void json_by_id_needs_an_id_that_is_the_row_id(void **state)
{
	static const char *const strings[] = {
		"create table StringIds(id integer, value text)",
		"create table StringIds(id integer, value text, rowid integer)",
		"create table StringIds(id integer primary key, value text) without rowid",
		"create table StringIds(id integer primary key)",
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(strings); i++) {
		char sql[1024];
		struct record r;

		(void)snprintf(sql, sizeof(sql),
			       "%s; insert into StringIds(id) values(8);"
			       "create table NVTX_EVENTS(start,end,jsonTextId);"
			       "insert into NVTX_EVENTS values(1,2,8)",
			       strings[i]);
		given(&r, sql);
		assert_int_equal(r.n_ranges, 1);
		assert_int_equal(r.range[0].json.n, 0);
		record_end(&r);
	}
}

static void a_table_of_ranges_may_have_hardly_any_column(void **state)
{
	struct record r;

	(void)state;
	given(&r, "create table NVTX_EVENTS(start,text); insert into NVTX_EVENTS values(5,'a')");
	assert_int_equal(r.n_ranges, 1);
	assert_true(r.range[0].end_ns == KS_UNKNOWN && r.range[0].type == KS_UNKNOWN);
	record_end(&r);
	given(&r, "create table NVTX_EVENTS(other); insert into NVTX_EVENTS values(5),(6)");
	assert_int_equal(r.n_ranges, 2);
	assert_true(r.range[1].start_ns == KS_UNKNOWN);
	record_end(&r);
}

static void all_types_of_rows_are_passed_on(void **state)
{
	struct record r;

	(void)state;
	given(&r, STRINGS "create table NVTX_EVENTS(start,end,eventType,text,domainId);"
			  "insert into NVTX_EVENTS values(0,null,75,'NCCL',1),(1,null,33,'cat',0),"
			  "(2,null,34,'mark',0),(3,null,39,'thread',0),(4,4,34,'mark',0),"
			  "(9,5,59,'backwards',0),(6,7,1234,'new',0)");
	assert_int_equal(r.n_ranges, 7);
	assert_int_equal(r.range[0].type, 75);
	assert_int_equal(r.range[0].domain, 1);
	assert_int_equal(r.range[5].end_ns, 5);
	assert_int_equal(r.range[6].type, 1234);
	record_end(&r);
}

static void a_view_in_place_of_the_ranges_is_not_read(void **state)
{
	struct record r;

	(void)state;
	given(&r, STRINGS "create table other(start,end,text);"
			  "insert into other values(1,2,'made up');"
			  "create view NVTX_EVENTS as select * from other;"
			  "create table CUPTI_ACTIVITY_KIND_KERNEL(start,end)");
	assert_int_equal(r.n_ranges, 0);
	assert_int_equal(r.n_ranges_done, 1);
	assert_int_equal(record_holding(&r, "NVTX_EVENTS")->rows, -1);
	assert_false(record_holding(&r, "NVTX_EVENTS")->analysed);
	record_end(&r);
}

static void calls_of_both_tables_arrive(void **state)
{
	struct record r;

	(void)state;
	given(&r,
	      STRINGS "create table CUPTI_ACTIVITY_KIND_RUNTIME(start,end,eventClass,globalTid,"
		      "correlationId,nameId,returnValue,callchainId);"
		      "insert into CUPTI_ACTIVITY_KIND_RUNTIME values(10,20,0,7,11,1,0,5),"
		      "(30,null,null,null,null,null,null,null),('1','2','3','4','5','6','7','8');"
		      "create table CUPTI_ACTIVITY_KIND_DRIVER(start,end,nameId,returnValue);"
		      "insert into CUPTI_ACTIVITY_KIND_DRIVER values(40,50,'cuInit',35)");
	assert_int_equal(r.n_calls, 4);
	assert_int_equal(r.n_calls_done, 1);
	const struct ks_call *c = r.call;

	assert_int_equal(c[0].start_ns, 10);
	assert_int_equal(c[0].end_ns, 20);
	assert_int_equal(c[0].event_class, 0);
	assert_int_equal(c[0].thread, 7);
	assert_int_equal(c[0].correlation, 11);
	assert_int_equal(c[0].result, 0);
	assert_int_equal(c[0].chain, 5);
	assert_true(ks_str_eqc(record_name_of(&r, c[0].name), "one"));
	assert_true(c[1].end_ns == KS_UNKNOWN && c[1].thread == KS_UNKNOWN);
	assert_true(c[1].result == KS_UNKNOWN && c[1].chain == KS_UNKNOWN);
	assert_int_equal(c[1].correlation, 0);
	assert_true(c[2].start_ns == KS_UNKNOWN && c[2].thread == KS_UNKNOWN);
	assert_true(c[2].result == KS_UNKNOWN && c[2].correlation == 0);
	assert_true(ks_str_eqc(record_name_of(&r, c[2].name), "6"));
	assert_int_equal(c[3].result, 35);
	assert_true(ks_str_eqc(record_name_of(&r, c[3].name), "cuInit"));
	assert_true(record_holding(&r, "CUPTI_ACTIVITY_KIND_DRIVER")->analysed);
	record_end(&r);
}

static void overhead_is_the_profilers_or_the_drivers(void **state)
{
	static const bool profiler[] = { true, true,  false, false, false, true,  true,
					 true, false, false, false, false, false, false };
	struct record r;

	(void)state;
	given(&r, STRINGS "create table PROFILER_OVERHEAD(start,end,globalTid,nameId,overheadType);"
			  "insert into PROFILER_OVERHEAD values(1,2,3,1,0),(4,5,null,null,8);"
			  "create table CUPTI_ACTIVITY_KIND_OVERHEAD(start,end,globalTid,nameId,"
			  "overheadType);"
			  "insert into CUPTI_ACTIVITY_KIND_OVERHEAD values(0,1,3,1,0),(1,2,3,1,1),"
			  "(2,3,3,1,2),(3,4,3,1,3),(4,5,3,1,4),(5,6,3,1,5),(6,7,3,1,6),(7,8,3,1,7),"
			  "(8,9,3,2,8),(9,10,3,1,9),(10,11,3,1,null),(11,12,3,1,'4')");
	assert_int_equal(r.n_overheads, KS_ARRAY_LEN(profiler));
	for (size_t i = 0; i < KS_ARRAY_LEN(profiler); i++)
		assert_true(r.overhead[i].profiler == profiler[i]);
	assert_int_equal(r.overhead[0].start_ns, 1);
	assert_int_equal(r.overhead[0].thread, 3);
	assert_true(r.overhead[1].thread == KS_UNKNOWN && r.overhead[1].name == 0);
	assert_int_equal(r.overhead[10].end_ns, 9);
	assert_true(ks_str_eqc(record_name_of(&r, r.overhead[10].name), "two"));
	record_end(&r);
}

static void frames_arrive_with_their_names(void **state)
{
	struct record r;

	(void)state;
	given(&r, STRINGS "create table CUDA_CALLCHAINS(id,symbol,module,unresolved,originalIP,"
			  "stackDepth);"
			  "insert into CUDA_CALLCHAINS values(4,1,2,null,77,0),(4,3,2,1,78,1),"
			  "(5,'inline',null,0,79,null),(6,1,2,0,80,-1)");
	assert_int_equal(r.n_frames, 4);
	assert_int_equal(r.frame[0].chain, 4);
	assert_int_equal(r.frame[0].depth, 0);
	assert_false(r.frame[0].unresolved);
	assert_true(r.frame[1].unresolved);
	assert_int_equal(r.frame[1].depth, 1);
	assert_true(ks_str_eqc(record_name_of(&r, r.frame[1].symbol), "three"));
	assert_true(ks_str_eqc(record_name_of(&r, r.frame[1].module), "two"));
	assert_true(ks_str_eqc(record_name_of(&r, r.frame[2].symbol), "inline"));
	assert_true(r.frame[2].depth == KS_UNKNOWN && r.frame[2].module == 0);
	assert_true(r.frame[3].depth == KS_UNKNOWN);
	assert_true(record_holding(&r, "CUDA_CALLCHAINS")->analysed);
	record_end(&r);
}

static const char *thread_name(const struct record *r, int64_t id)
{
	for (size_t i = 0; i < r->n_threads; i++)
		if (r->thread[i].global_tid == id)
			return r->thread[i].name.p;
	return NULL;
}

static void threads_have_one_name_each(void **state)
{
	/* the same rows in two orders: the answer may not follow the order */
	static const char *const order[] = { "", " order by priority desc, nameId desc" };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(order); i++) {
		char sql[1024];
		struct record r;

		(void)snprintf(sql, sizeof(sql),
			       STRINGS
			       "create table t(nameId,priority,globalTid);"
			       "insert into t values(1,20,100),(2,5,100),(3,1,101),(2,1,101),"
			       "(1,0,102),(99,0,103),('b',2,104),('a',2,104),(null,9,105),"
			       "(1,1,null),(1,1,'106');"
			       "create table ThreadNames as select * from t%s;"
			       "create table CUPTI_ACTIVITY_KIND_KERNEL(start,end)",
			       order[i]);
		given(&r, sql);
		assert_int_equal(r.n_threads, 5);
		assert_string_equal(thread_name(&r, 100), "one"); /* the higher priority */
		assert_string_equal(thread_name(&r, 101), "two"); /* the smaller id */
		assert_string_equal(thread_name(&r, 102), "one");
		assert_string_equal(thread_name(&r, 103), "99");
		assert_string_equal(thread_name(&r, 104), "a");
		assert_true(record_holding(&r, "ThreadNames")->analysed);
		record_end(&r);
	}
}

static void ranges_of_one_text_are_one_name(void **state)
{
	struct record r;

	(void)state;
	given(&r, "create table NVTX_EVENTS(start,end,text);"
		  "with recursive n(i) as (select 0 union all select i + 1 from n where i < 99999)"
		  "insert into NVTX_EVENTS select i, i + 1000000, 'same' from n");
	assert_int_equal(r.n_ranges, 100000);
	assert_int_equal(r.n_names, 1);
	record_end(&r);
}

/* Few are looked up one by one, many in one pass; with and without a primary key. */
static void many_registered_names_are_all_found(void **state)
{
	static const char *const key[] = { "integer primary key", "integer" };
	static const int count[] = { 100, 20000 };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		const int n = count[i / 2];
		char sql[1024];
		struct record r;

		(void)snprintf(
			sql, sizeof(sql),
			"create table StringIds(id %s, value text); create table n(i);"
			"with recursive c(i) as (select 1 union all select i + 1 from c where i < "
			"%d)"
			"insert into n select i from c;"
			"insert into StringIds select i * 3, 'name ' || i from n order by -i;"
			"create table NVTX_EVENTS(start,end,textId);"
			"insert into NVTX_EVENTS select i, i + 1, i * 3 from n;"
			"insert into NVTX_EVENTS values(1,2,4)",
			key[i % 2], n);
		given(&r, sql);
		assert_int_equal(r.n_names, n + 1);
		for (int k = 1; k <= n; k++) {
			char name[32];

			(void)snprintf(name, sizeof(name), "name %d", k);
			if (!ks_str_eqc(record_name_of(&r, r.range[k - 1].name), name))
				fail_msg("%s", name);
		}
		assert_true(ks_str_eqc(record_name_of(&r, r.range[n].name), "4"));
		record_end(&r);
	}
}

int test_host_rows(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_range_arrives_as_it_is),
		cmocka_unit_test(null_in_a_range_is_unknown_but_for_the_default_domain),
		cmocka_unit_test(text_is_no_number_of_a_range),
		cmocka_unit_test(the_name_is_the_text_or_else_the_registered_string),
		cmocka_unit_test(the_plain_payload_is_the_first_integer_there_is),
		cmocka_unit_test(json_is_inline_or_a_string_by_its_id),
		cmocka_unit_test(json_by_id_needs_an_id_that_is_the_row_id),
		cmocka_unit_test(a_table_of_ranges_may_have_hardly_any_column),
		cmocka_unit_test(all_types_of_rows_are_passed_on),
		cmocka_unit_test(a_view_in_place_of_the_ranges_is_not_read),
		cmocka_unit_test(calls_of_both_tables_arrive),
		cmocka_unit_test(overhead_is_the_profilers_or_the_drivers),
		cmocka_unit_test(frames_arrive_with_their_names),
		cmocka_unit_test(threads_have_one_name_each),
		cmocka_unit_test(ranges_of_one_text_are_one_name),
		cmocka_unit_test(many_registered_names_are_all_found),
	};

	return cmocka_run_group_tests_name("rows of the host", tests, NULL, NULL);
}
