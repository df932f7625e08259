/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of the devices beyond copies, memsets and launches: graphs launched as a whole,
 * synchronisations, memory in use; and what graphs and migrations add to the others.
 */
#include "all.h"

#include "base/str.h"

static void given(struct record *r, const char *sql)
{
	const char *path = in_scratch("device.sqlite");

	(void)unlink(path);
	given_db(path, "create table StringIds(id, value)"); /* the mark of an export */
	given_db(path, sql);
	record_good(r, path);
}

static void a_graph_launched_as_a_whole_arrives(void **state)
{
	struct record r;

	(void)state;
	given(&r,
	      "create table CUPTI_ACTIVITY_KIND_GRAPH_TRACE(start,end,deviceId,contextId,streamId,"
	      "correlationId,globalPid,graphId,graphExecId);"
	      "insert into CUPTI_ACTIVITY_KIND_GRAPH_TRACE values(10,90,1,2,3,4,5,6,7),"
	      "(10,90,2147483647,null,null,null,null,null,null)");
	assert_int_equal(r.n_graph_runs, 2);
	const struct ks_graph_run *g = r.graph_run;

	assert_int_equal(g->start_ns, 10);
	assert_int_equal(g->end_ns, 90);
	assert_int_equal(g->device, 1);
	assert_int_equal(g->context, 2);
	assert_int_equal(g->stream, 3);
	assert_int_equal(g->correlation, 4);
	assert_int_equal(g->process, 5);
	assert_int_equal(g->graph, 6);
	assert_true(g[1].device == KS_UNKNOWN); /* it began on the host */
	assert_true(g[1].process == KS_UNKNOWN && g[1].correlation == 0 && g[1].graph == 0);
	assert_true(r.meta.has_graph_trace);
	assert_int_equal(r.meta.graph_rows, 2);
	assert_true(record_holding(&r, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE")->analysed);
	record_end(&r);
}

static void synchronisations_arrive(void **state)
{
	struct record r;

	(void)state;
	given(&r, "create table CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start,end,deviceId,contextId,"
		  "streamId,correlationId,globalPid,syncType,eventId);"
		  "insert into CUPTI_ACTIVITY_KIND_SYNCHRONIZATION values(1,2,0,1,7,9,5,3,null),"
		  "(3,4,0,1,4294967295,9,5,1,2),(5,6,null,null,null,null,null,null,null),"
		  "('7',8,'0',1,'7','9','5','3',null)");
	assert_int_equal(r.n_syncs, 4);
	assert_int_equal(r.sync[0].stream, 7);
	assert_int_equal(r.sync[0].correlation, 9);
	assert_int_equal(r.sync[0].process, 5);
	assert_int_equal(r.sync[0].type, 3);
	assert_true(r.sync[1].stream == KS_UNKNOWN); /* that of an event is none */
	assert_int_equal(r.sync[1].type, 1);
	assert_true(r.sync[2].device == KS_UNKNOWN && r.sync[2].stream == KS_UNKNOWN);
	assert_int_equal(r.sync[2].type, 0);
	assert_true(r.sync[3].start_ns == KS_UNKNOWN && r.sync[3].device == KS_UNKNOWN);
	assert_int_equal(r.sync[3].type, 0);
	record_end(&r);
}

static void allocations_and_releases_arrive(void **state)
{
	struct record r;

	(void)state;
	given(&r, "create table "
		  "CUDA_GPU_MEMORY_USAGE_EVENTS(start,globalPid,deviceId,contextId,address,"
		  "pc,bytes,memKind,memoryOperationType,name,correlationId);"
		  "insert into CUDA_GPU_MEMORY_USAGE_EVENTS values(1,5,0,1,4096,0,64,2,0,null,3),"
		  "(2,5,0,1,4096,0,64,2,1,'x',3),(3,5,0,1,-4096,0,-1,null,null,null,null)");
	assert_int_equal(r.n_memories, 3);
	assert_int_equal(r.memory[0].start_ns, 1);
	assert_int_equal(r.memory[0].process, 5);
	assert_int_equal(r.memory[0].device, 0);
	assert_int_equal(r.memory[0].bytes, 64);
	assert_int_equal(r.memory[0].kind, KS_MEM_DEVICE);
	assert_int_equal(r.memory[0].operation, 0);
	assert_int_equal(r.memory[1].operation, 1);
	assert_true(r.memory[2].bytes == KS_UNKNOWN && r.memory[2].kind == KS_UNKNOWN);
	assert_true(r.memory[2].operation == KS_UNKNOWN);
	record_end(&r);
}

static void work_of_a_graph_is_told_apart(void **state)
{
	struct record r;

	(void)state;
	given(&r,
	      "create table CUPTI_ACTIVITY_KIND_KERNEL(start,end,launchType,graphNodeId,graphId);"
	      "insert into CUPTI_ACTIVITY_KIND_KERNEL values(1,2,2,77,8),(3,4,null,null,null);"
	      "create table CUPTI_ACTIVITY_KIND_MEMCPY(start,end,bytes,copyKind,migrationCause,"
	      "graphNodeId);"
	      "insert into CUPTI_ACTIVITY_KIND_MEMCPY values(1,2,64,11,4,null),(3,4,64,1,null,78);"
	      "create table CUPTI_ACTIVITY_KIND_MEMSET(start,end,bytes,memKind,graphNodeId);"
	      "insert into CUPTI_ACTIVITY_KIND_MEMSET values(1,2,64,2,79),(1,2,64,null,'79')");
	assert_int_equal(r.launch[0].graph_node, 77);
	assert_int_equal(r.launch[0].graph, 8);
	assert_int_equal(r.launch[1].graph, 0);
	assert_int_equal(r.copy[0].kind, KS_COPY_UM_HTOD);
	assert_int_equal(r.copy[0].cause, 4);
	assert_int_equal(r.copy[0].graph_node, 0);
	assert_true(r.copy[1].cause == KS_UNKNOWN);
	assert_int_equal(r.copy[1].graph_node, 78);
	assert_int_equal(r.memset[0].mem_kind, KS_MEM_DEVICE);
	assert_int_equal(r.memset[0].graph_node, 79);
	assert_true(r.memset[1].mem_kind == KS_UNKNOWN && r.memset[1].graph_node == 0);
	record_end(&r);
}

int test_device_rows(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_graph_launched_as_a_whole_arrives),
		cmocka_unit_test(synchronisations_arrive),
		cmocka_unit_test(allocations_and_releases_arrive),
		cmocka_unit_test(work_of_a_graph_is_told_apart),
	};

	return cmocka_run_group_tests_name("rows of the devices", tests, NULL, NULL);
}
