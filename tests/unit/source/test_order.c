/* SPDX-License-Identifier: Apache-2.0
 *
 * What a sink hears and when: only the kinds of rows it asked for, names when it needs them, the
 * work of the devices again where it says so. The recording sink itself fails on a wrong order.
 */
#include "all.h"

#include "base/str.h"

/* Every kind of row once or more; names of every place are strings of their own. */
static const char everything[] =
	"create table StringIds(id integer primary key, value text);"
	"insert into StringIds "
	"values(1,'range'),(2,'call'),(3,'overhead'),(4,'kernel'),(5,'frame'),"
	"(6,'module'),(7,'thread'),(8,'{}');"
	"create table PROCESSES(globalPid,pid,name); insert into PROCESSES values(5,5,'p');"
	"create table ThreadNames(nameId,priority,globalTid); insert into ThreadNames "
	"values(7,1,6);"
	"create table DIAGNOSTIC_EVENT(severity,text); insert into DIAGNOSTIC_EVENT values(2,'w');"
	"create table NVTX_PAYLOAD_SCHEMAS(domainId,schemaId,payloadSize);"
	"insert into NVTX_PAYLOAD_SCHEMAS values(1,9,8);"
	"create table NVTX_PAYLOAD_SCHEMA_ENTRIES(domainId,schemaId,idx,type,name);"
	"insert into NVTX_PAYLOAD_SCHEMA_ENTRIES values(1,9,0,18,'f');"
	"create table NVTX_EVENTS(start,end,textId,domainId,jsonTextId,binaryData);"
	"insert into NVTX_EVENTS values(1,9,1,1,8,x'0000000000000001'),(2,5,1,0,null,null);"
	"create table PROFILER_OVERHEAD(start,end,nameId);"
	"insert into PROFILER_OVERHEAD values(1,2,3);"
	"create table CUPTI_ACTIVITY_KIND_RUNTIME(start,end,globalTid,correlationId,nameId);"
	"insert into CUPTI_ACTIVITY_KIND_RUNTIME values(3,4,6,11,2);"
	"create table CUPTI_ACTIVITY_KIND_GRAPH_TRACE(start,end,graphId);"
	"insert into CUPTI_ACTIVITY_KIND_GRAPH_TRACE values(5,9,1);"
	"create table CUPTI_ACTIVITY_KIND_MEMCPY(start,end,bytes,copyKind);"
	"insert into CUPTI_ACTIVITY_KIND_MEMCPY values(4,5,64,1);"
	"create table CUPTI_ACTIVITY_KIND_MEMSET(start,end,bytes);"
	"insert into CUPTI_ACTIVITY_KIND_MEMSET values(5,6,64);"
	"create table CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start,end,syncType);"
	"insert into CUPTI_ACTIVITY_KIND_SYNCHRONIZATION values(6,9,3);"
	"create table CUDA_GPU_MEMORY_USAGE_EVENTS(start,bytes);"
	"insert into CUDA_GPU_MEMORY_USAGE_EVENTS values(1,64);"
	"create table CUPTI_ACTIVITY_KIND_KERNEL(start,end,correlationId,demangledName);"
	"insert into CUPTI_ACTIVITY_KIND_KERNEL values(5,8,11,4);"
	"create table CUDA_CALLCHAINS(id,symbol,module,stackDepth);"
	"insert into CUDA_CALLCHAINS values(1,5,6,0);";

static void given_everything(const char *name)
{
	(void)unlink(in_scratch(name));
	given_db(in_scratch(name), everything);
}

static void everything_arrives_in_the_order_of_the_model(void **state)
{
	struct record r;

	(void)state;
	given_everything("all.sqlite");
	record_good(&r, in_scratch("all.sqlite"));
	assert_int_equal(r.n_threads, 1);
	assert_string_equal(r.thread[0].name.p, "thread");
	assert_int_equal(r.n_diagnostics, 1);
	assert_int_equal(r.n_schemas, 1);
	assert_int_equal(r.n_ranges, 2);
	assert_int_equal(r.range[0].schema, 9);
	assert_true(ks_str_eqc(r.range[0].json, "{}"));
	assert_int_equal(r.n_overheads, 1);
	assert_int_equal(r.n_calls, 1);
	assert_int_equal(r.n_graph_runs, 1);
	assert_int_equal(r.n_copies, 1);
	assert_int_equal(r.n_memsets, 1);
	assert_int_equal(r.n_syncs, 1);
	assert_int_equal(r.n_memories, 1);
	assert_int_equal(r.n_launches, 1);
	assert_int_equal(r.n_frames, 1);
	assert_int_equal(r.n_names, 6);
	assert_true(ks_str_eqc(record_name_of(&r, r.range[1].name), "range"));
	assert_true(ks_str_eqc(record_name_of(&r, r.call[0].name), "call"));
	assert_true(ks_str_eqc(record_name_of(&r, r.overhead[0].name), "overhead"));
	assert_true(ks_str_eqc(record_name_of(&r, r.launch[0].demangled), "kernel"));
	assert_true(ks_str_eqc(record_name_of(&r, r.frame[0].module), "module"));
	for (size_t i = 0; i < r.n_holdings; i++)
		assert_true(r.holding[i].analysed && r.holding[i].rows > 0);
	record_end(&r);
}

static void a_sink_gets_only_what_it_asks_for(void **state)
{
	static const struct {
		unsigned rows;
		size_t schemas, ranges, overheads, calls, graphs, syncs, memories, frames;
		const char *not_analysed;
	} c[] = {
		{ 0, 0, 0, 0, 0, 0, 0, 0, 0, "NVTX_EVENTS" },
		{ KS_ROWS_RANGES, 1, 2, 0, 0, 0, 0, 0, 0, "CUPTI_ACTIVITY_KIND_RUNTIME" },
		{ KS_ROWS_OVERHEAD, 0, 0, 1, 0, 0, 0, 0, 0, "ThreadNames" },
		{ KS_ROWS_CALLS, 0, 0, 0, 1, 0, 0, 0, 0, "PROFILER_OVERHEAD" },
		{ KS_ROWS_GRAPHS, 0, 0, 0, 0, 1, 0, 0, 0, "NVTX_PAYLOAD_SCHEMAS" },
		{ KS_ROWS_SYNC, 0, 0, 0, 0, 0, 1, 0, 0, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE" },
		{ KS_ROWS_MEMORY, 0, 0, 0, 0, 0, 0, 1, 0, "CUDA_CALLCHAINS" },
		{ KS_ROWS_FRAMES, 0, 0, 0, 0, 0, 0, 0, 1, "CUDA_GPU_MEMORY_USAGE_EVENTS" },
	};

	(void)state;
	given_everything("asked.sqlite");
	for (size_t i = 0; i < KS_ARRAY_LEN(c); i++) {
		struct record r;

		record_start(&r);
		r.sink.rows = c[i].rows;
		assert_int_equal(record_nsys(&r, in_scratch("asked.sqlite")), KS_OK);
		assert_int_equal(r.n_schemas, c[i].schemas);
		assert_int_equal(r.n_ranges, c[i].ranges);
		assert_int_equal(r.n_ranges_done, c[i].ranges > 0);
		assert_int_equal(r.n_overheads, c[i].overheads);
		assert_int_equal(r.n_calls, c[i].calls);
		assert_int_equal(r.n_calls_done, c[i].calls);
		assert_int_equal(r.n_threads, c[i].calls);
		assert_int_equal(r.n_graph_runs, c[i].graphs);
		assert_int_equal(r.n_syncs, c[i].syncs);
		assert_int_equal(r.n_memories, c[i].memories);
		assert_int_equal(r.n_frames, c[i].frames);
		assert_int_equal(r.n_copies + r.n_memsets + r.n_launches, 3);
		assert_false(record_holding(&r, c[i].not_analysed)->analysed);
		record_end(&r);
	}
}

static void a_sink_may_do_without_the_work_of_the_devices(void **state)
{
	static const struct {
		unsigned spared;
		size_t copies, launches;
	} c[] = {
		{ KS_SPARED_COPIES, 0, 1 },
		{ KS_SPARED_LAUNCHES, 2, 0 },
		{ KS_SPARED_COPIES | KS_SPARED_LAUNCHES, 0, 0 },
	};

	(void)state;
	given_everything("spared.sqlite");
	for (size_t i = 0; i < KS_ARRAY_LEN(c); i++) {
		struct record r;

		record_start(&r);
		r.sink.spared = c[i].spared;
		assert_int_equal(record_nsys(&r, in_scratch("spared.sqlite")), KS_OK);
		assert_int_equal(r.n_copies + r.n_memsets, c[i].copies);
		assert_int_equal(r.n_launches, c[i].launches);
		assert_int_equal(r.n_ranges, 2);
		assert_int_equal(r.n_calls, 1);
		record_end(&r);
	}
}

static void a_second_pass_repeats_the_work_of_the_devices_alone(void **state)
{
	struct record r;

	(void)state;
	given_everything("again.sqlite");
	record_start(&r);
	r.passes_wanted = 2;
	assert_int_equal(record_nsys(&r, in_scratch("again.sqlite")), KS_OK);
	assert_int_equal(r.n_passes, 2);
	assert_int_equal(r.n_copies, 1); /* counted from 0 in each pass */
	assert_int_equal(r.n_memsets, 1);
	assert_int_equal(r.n_launches, 1);
	assert_int_equal(r.n_ranges, 2);
	assert_int_equal(r.n_ranges_done, 1);
	assert_int_equal(r.n_calls, 1);
	assert_int_equal(r.n_calls_done, 1);
	assert_int_equal(r.n_graph_runs, 1);
	assert_int_equal(r.n_syncs, 1);
	assert_int_equal(r.n_memories, 1);
	assert_int_equal(r.n_frames, 1);
	assert_int_equal(r.n_threads, 1);
	record_end(&r);
}

static void a_trace_of_ranges_alone_ends_all_it_began(void **state)
{
	struct record r;

	(void)state;
	(void)unlink(in_scratch("alone.sqlite"));
	given_db(in_scratch("alone.sqlite"), "create table NVTX_EVENTS(start,end,text); insert "
					     "into NVTX_EVENTS values(1,2,'a')");
	record_good(&r, in_scratch("alone.sqlite"));
	assert_int_equal(r.n_ranges_done, 1);
	assert_int_equal(r.n_calls_done, 1);
	assert_int_equal(r.n_passes, 1);
	assert_false(r.meta.has_kernel_table);
	record_end(&r);
}

/* Which table a failing sink stops at, and that nothing is told after it. */
static void an_error_of_the_sink_ends_the_stream(void **state)
{
	struct record r;

	(void)state;
	given_everything("no.sqlite");
	record_start(&r);
	r.fail_at_launch = 1;
	assert_int_equal(record_nsys(&r, in_scratch("no.sqlite")), KS_E_INTERNAL);
	assert_int_equal(r.n_frames, 0);
	assert_int_equal(r.n_passes, 0);
	record_end(&r);
}

int test_order(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_arrives_in_the_order_of_the_model),
		cmocka_unit_test(a_sink_gets_only_what_it_asks_for),
		cmocka_unit_test(a_sink_may_do_without_the_work_of_the_devices),
		cmocka_unit_test(a_second_pass_repeats_the_work_of_the_devices_alone),
		cmocka_unit_test(a_trace_of_ranges_alone_ends_all_it_began),
		cmocka_unit_test(an_error_of_the_sink_ends_the_stream),
	};

	return cmocka_run_group_tests_name("order of calls", tests, NULL, NULL);
}
