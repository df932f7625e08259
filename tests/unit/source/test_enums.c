/* SPDX-License-Identifier: Apache-2.0
 *
 * The file's own enumerations come before our numbers: the same names under other numbers must give
 * the same rows.
 */
#include "all.h"

#include "base/str.h"

static void given(struct record *r, const char *sql)
{
	const char *path = in_scratch("enum.sqlite");

	(void)unlink(path);
	given_db(path, "create table StringIds(id, value)"); /* the mark of an export */
	given_db(path, sql);
	record_good(r, path);
}

#define COPIES                                                                                     \
	"create table CUPTI_ACTIVITY_KIND_MEMCPY(start,end,copyKind,srcKind,dstKind,"              \
	"migrationCause);"                                                                         \
	"insert into CUPTI_ACTIVITY_KIND_MEMCPY values(1,2,1,0,2,5),(1,2,40,20,21,50),"            \
	"(1,2,99,99,null,null),(1,2,2,2,0,3);"

static void without_enumerations_numbers_stay_as_they_are(void **state)
{
	struct record r;

	(void)state;
	given(&r, COPIES);
	assert_int_equal(r.copy[0].kind, KS_COPY_HTOD);
	assert_int_equal(r.copy[0].src_kind, KS_MEM_PAGEABLE);
	assert_int_equal(r.copy[0].dst_kind, KS_MEM_DEVICE);
	assert_int_equal(r.copy[0].cause, 5);
	assert_int_equal(r.copy[1].kind, 40);
	assert_int_equal(r.copy[1].cause, 50);
	assert_int_equal(r.copy[2].kind, 99);
	record_end(&r);
}

static void numbers_of_the_file_become_ours_by_their_names(void **state)
{
	struct record r;

	(void)state;
	given(&r, COPIES
	      "create table ENUM_CUDA_MEMCPY_OPER(id integer primary key,name,label);"
	      "insert into ENUM_CUDA_MEMCPY_OPER values(40,'CUDA_MEMCPY_KIND_HTOD','x'),"
	      "(2,'CUDA_MEMCPY_KIND_DTOH','x'),(99,'CUDA_MEMCPY_KIND_NEW','x');"
	      "create table ENUM_CUDA_MEM_KIND(id integer primary key,name,label);"
	      "insert into ENUM_CUDA_MEM_KIND values(20,'CUDA_MEMOPR_MEMORY_KIND_PINNED','x'),"
	      "(21,'CUDA_MEMOPR_MEMORY_KIND_DEVICE','x'),(2,'SOMETHING_ELSE','x');"
	      "create table ENUM_CUDA_UNIF_MEM_MIGRATION(id integer primary key,name,label);"
	      "insert into ENUM_CUDA_UNIF_MEM_MIGRATION values"
	      "(50,'CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_EVICTION','x')");
	assert_true(r.copy[0].kind == KS_UNKNOWN);	       /* 1 is no longer ours: 40 is */
	assert_int_equal(r.copy[0].src_kind, KS_MEM_PAGEABLE); /* nothing else is said of 0 */
	assert_true(r.copy[0].dst_kind == KS_UNKNOWN);
	assert_int_equal(r.copy[0].cause, 5);
	assert_int_equal(r.copy[1].kind, KS_COPY_HTOD);
	assert_int_equal(r.copy[1].src_kind, KS_MEM_PINNED);
	assert_int_equal(r.copy[1].dst_kind, KS_MEM_DEVICE);
	assert_int_equal(r.copy[1].cause, 4);
	assert_int_equal(r.copy[2].kind, 99);
	assert_int_equal(r.copy[2].src_kind, 99);
	assert_true(r.copy[2].dst_kind == KS_UNKNOWN && r.copy[2].cause == KS_UNKNOWN);
	assert_int_equal(r.copy[3].kind, KS_COPY_DTOH);
	record_end(&r);
}

static void every_row_type_uses_its_enumeration(void **state)
{
	struct record r;

	(void)state;
	given(&r, "create table ENUM_CUPTI_SYNC_TYPE(id,name);"
		  "insert into ENUM_CUPTI_SYNC_TYPE values"
		  "(30,'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE');"
		  "create table CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start,end,syncType);"
		  "insert into CUPTI_ACTIVITY_KIND_SYNCHRONIZATION values(1,2,30),(1,2,3),(1,2,4);"
		  "create table ENUM_CUPTI_OVERHEAD_TYPE(id,name);"
		  "insert into ENUM_CUPTI_OVERHEAD_TYPE values(60,'OVERHEAD_CUPTI_BUFFER_FLUSH'),"
		  "(3,'OVERHEAD_LAZY_FUNCTION_LOADING');"
		  "create table CUPTI_ACTIVITY_KIND_OVERHEAD(start,end,overheadType);"
		  "insert into CUPTI_ACTIVITY_KIND_OVERHEAD values(1,2,60),(1,2,3);"
		  "create table ENUM_CUDA_DEV_MEM_EVENT_OPER(id,name);"
		  "insert into ENUM_CUDA_DEV_MEM_EVENT_OPER values"
		  "(1,'CUDA_DEV_MEM_EVENT_OPR_ALLOCATION'),"
		  "(2,'CUDA_DEV_MEM_EVENT_OPR_DEALLOCATION');"
		  "create table CUDA_GPU_MEMORY_USAGE_EVENTS(start,memoryOperationType);"
		  "insert into CUDA_GPU_MEMORY_USAGE_EVENTS values(1,1),(2,2),(3,0);"
		  "create table ENUM_NSYS_EVENT_TYPE(id,name);"
		  "insert into ENUM_NSYS_EVENT_TYPE values(159,'NvtxPushPopRange'),"
		  "(175,'NvtxDomainCreate'),(34,'NvtxMark');"
		  "create table NVTX_EVENTS(start,end,eventType,text);"
		  "insert into NVTX_EVENTS values(1,2,159,'a'),(1,null,175,'d'),(1,1,34,'m'),"
		  "(1,2,59,'?')");
	assert_int_equal(r.sync[0].type, 3);
	assert_int_equal(r.sync[1].type, 0);
	assert_int_equal(r.sync[2].type, 4);
	assert_true(r.overhead[0].profiler);
	assert_false(r.overhead[1].profiler);
	assert_int_equal(r.memory[0].operation, 0);
	assert_int_equal(r.memory[1].operation, 1);
	assert_true(r.memory[2].operation == KS_UNKNOWN);
	assert_int_equal(r.range[0].type, 59);
	assert_int_equal(r.range[1].type, 75);
	assert_int_equal(r.range[2].type, 34);
	assert_true(r.range[3].type == KS_UNKNOWN);
	record_end(&r);
}

static void odd_enumerations_are_no_obstacle(void **state)
{
	static const char *const odd[] = {
		"create table ENUM_CUDA_MEMCPY_OPER(id,name)",
		"create table ENUM_CUDA_MEMCPY_OPER(label)",
		"create table ENUM_CUDA_MEMCPY_OPER(id)",
		"create table ENUM_CUDA_MEMCPY_OPER(id,name);"
		"insert into ENUM_CUDA_MEMCPY_OPER values(null,'CUDA_MEMCPY_KIND_HTOD'),"
		"('7','CUDA_MEMCPY_KIND_HTOD'),(7,null),(1,7),(2.5,'CUDA_MEMCPY_KIND_DTOH')",
		/* a view could make up rows */
		"create view ENUM_CUDA_MEMCPY_OPER as select 1 as id, 'CUDA_MEMCPY_KIND_DTOH' as "
		"name",
		/* renamed at its number */
		"create table ENUM_CUDA_MEMCPY_OPER(id,name);"
		"insert into ENUM_CUDA_MEMCPY_OPER values(1,'CUDA_MEMCPY_KIND_HOST_TO_DEVICE')",
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(odd); i++) {
		char sql[1024];
		struct record r;

		(void)snprintf(sql, sizeof(sql), "%s%s", COPIES, odd[i]);
		given(&r, sql);
		assert_int_equal(r.copy[0].kind, KS_COPY_HTOD);
		assert_int_equal(r.copy[3].kind, KS_COPY_DTOH);
		record_end(&r);
	}
}

static void a_name_that_comes_twice_has_its_smallest_number(void **state)
{
	static const char *const order[] = { "(50,'CUDA_MEMCPY_KIND_HTOD'),(40,'CUDA_MEMCPY_KIND_"
					     "HTOD')",
					     "(40,'CUDA_MEMCPY_KIND_HTOD'),(50,'CUDA_MEMCPY_KIND_"
					     "HTOD')" };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(order); i++) {
		char sql[1024];
		struct record r;

		(void)snprintf(sql, sizeof(sql),
			       COPIES "create table ENUM_CUDA_MEMCPY_OPER(id,name);"
				      "insert into ENUM_CUDA_MEMCPY_OPER values%s",
			       order[i]);
		given(&r, sql);
		assert_int_equal(r.copy[1].kind, KS_COPY_HTOD);
		record_end(&r);
	}
}

int test_enums(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_enumerations_numbers_stay_as_they_are),
		cmocka_unit_test(numbers_of_the_file_become_ours_by_their_names),
		cmocka_unit_test(every_row_type_uses_its_enumeration),
		cmocka_unit_test(odd_enumerations_are_no_obstacle),
		cmocka_unit_test(a_name_that_comes_twice_has_its_smallest_number),
	};

	return cmocka_run_group_tests_name("enumerations", tests, NULL, NULL);
}
