/* SPDX-License-Identifier: Apache-2.0
 *
 * What becomes of a cell: NULL, text, fractions, impossible numbers, names of every kind.
 */
#include "all.h"

#include <sqlite3.h>

#include "base/str.h"

#define COLUMNS                                                                                    \
	"start,end,deviceId,contextId,streamId,correlationId,globalPid,demangledName,shortName,"   \
	"mangledName,"                                                                             \
	"registersPerThread,gridX,gridY,gridZ,blockX,blockY,blockZ,staticSharedMemory,"            \
	"dynamicSharedMemory,"                                                                     \
	"localMemoryPerThread,sharedMemoryExecuted,clusterX,clusterY,clusterZ,graphNodeId"

static void given_row(struct record *r, const char *values)
{
	const char *path = in_scratch("row.sqlite");
	char sql[2048];

	(void)unlink(path);
	(void)snprintf(sql, sizeof(sql),
		       "create table StringIds(id integer primary key, value text);"
		       "insert into StringIds values(1,'one'),(0,'zero'),(-5,'minus five');"
		       "create table CUPTI_ACTIVITY_KIND_KERNEL(" COLUMNS ");"
		       "insert into CUPTI_ACTIVITY_KIND_KERNEL values(%s)",
		       values);
	given_db(path, sql);
	record_good(r, path);
	assert_int_equal(r->n_launches, 1);
}

static void a_whole_row_arrives_as_it_is(void **state)
{
	struct record r;

	(void)state;
	given_row(&r, "10,20,1,2,3,4,5,1,0,-5,32,7,8,9,64,2,1,100,200,16,65536,2,1,1,77");
	const struct ks_launch *l = &r.launch[0];

	assert_int_equal(l->start_ns, 10);
	assert_int_equal(l->end_ns, 20);
	assert_int_equal(l->device, 1);
	assert_int_equal(l->context, 2);
	assert_int_equal(l->stream, 3);
	assert_int_equal(l->correlation, 4);
	assert_int_equal(l->process, 5);
	assert_true(ks_str_eqc(record_name_of(&r, l->demangled), "one"));
	assert_true(ks_str_eqc(record_name_of(&r, l->function), "zero"));
	assert_true(ks_str_eqc(record_name_of(&r, l->mangled), "minus five"));
	assert_int_equal(l->regs, 32);
	assert_int_equal(l->grid[0], 7);
	assert_int_equal(l->grid[2], 9);
	assert_int_equal(l->block[1], 2);
	assert_int_equal(l->static_smem, 100);
	assert_int_equal(l->dynamic_smem, 200);
	assert_int_equal(l->local_mem, 16);
	assert_int_equal(l->smem_executed, 65536);
	assert_int_equal(l->cluster[0], 2);
	assert_int_equal(l->graph_node, 77);
	record_end(&r);
}

static void expect_unknown(const struct ks_launch *l, int64_t stream)
{
	assert_true(l->start_ns == KS_UNKNOWN && l->end_ns == KS_UNKNOWN);
	assert_true(l->device == KS_UNKNOWN && l->process == KS_UNKNOWN);
	assert_true(l->regs == KS_UNKNOWN && l->static_smem == KS_UNKNOWN &&
		    l->dynamic_smem == KS_UNKNOWN);
	for (size_t i = 0; i < 3; i++)
		assert_true(l->grid[i] == KS_UNKNOWN && l->block[i] == KS_UNKNOWN &&
			    l->cluster[i] == 0);
	assert_true(l->stream == stream);
	assert_int_equal(l->correlation, 0);
	assert_int_equal(l->graph_node, 0);
}

static void null_is_unknown_and_never_0(void **state)
{
	struct record r;

	(void)state;
	given_row(&r, "null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,"
		      "null,null,null,null,"
		      "null,null,null,null,null,null");
	expect_unknown(&r.launch[0], 0); /* a NULL stream is the default one, contract 05 §1.4 */
	assert_int_equal(r.launch[0].demangled, 0);
	record_end(&r);
}

static void text_is_never_a_number(void **state)
{
	struct record r;

	(void)state;
	given_row(&r, "'10','20','0','1','7','4','5',1,1,1,'32','1','1','1','64','1','1','0','0','"
		      "0','0','1','1','1',"
		      "'9'");
	expect_unknown(&r.launch[0], KS_UNKNOWN);
	record_end(&r);
}

static void fractions_and_impossible_numbers_are_unknown(void **state)
{
	struct record r;

	(void)state;
	given_row(&r, "10.5,1e300,-1,1.5,0.5,0.5,0.5,1,1,1,-3,0,-1,2147483648,0,-7,1e10,-1,1e30,-1,"
		      "-1,-1,-1,-1,0.5");
	expect_unknown(&r.launch[0], KS_UNKNOWN);
	record_end(&r);
}

static void whole_reals_are_integers(void **state)
{
	struct record r;

	(void)state;
	given_row(&r, "10.0,20.0,0.0,1,7,4,5,1,1,1,32.0,1,1,1,64,1,1,0,0,0,0,0,0,0,0");
	assert_int_equal(r.launch[0].start_ns, 10);
	assert_int_equal(r.launch[0].device, 0);
	assert_int_equal(r.launch[0].regs, 32);
	record_end(&r);
}

static void times_out_of_the_world_cannot_overflow(void **state)
{
	struct record r;

	(void)state;
	given_row(&r, "-9223372036854775807,9223372036854775807,0,1,7,4,5,1,1,1,32,1,1,1,64,1,1,0,"
		      "0,0,0,0,0,0,0");
	assert_true(r.launch[0].start_ns == KS_UNKNOWN && r.launch[0].end_ns == KS_UNKNOWN);
	record_end(&r);
	given_row(&r, "-4611686018427387903,4611686018427387903,0,1,7,4,5,1,1,1,32,1,1,1,64,1,1,0,"
		      "0,0,0,0,0,0,0");
	assert_int_equal(r.launch[0].end_ns - r.launch[0].start_ns, INT64_MAX - 1);
	record_end(&r);
}

static void zero_length_and_inverted_rows_are_passed_on(void **state)
{
	struct record r;

	(void)state;
	given_row(&r, "30,30,0,1,7,4,5,1,1,1,32,1,1,1,64,1,1,0,0,0,0,0,0,0,0");
	assert_int_equal(r.launch[0].end_ns, 30);
	record_end(&r);
	given_row(&r, "40,30,0,1,7,4,5,1,1,1,32,1,1,1,64,1,1,0,0,0,0,0,0,0,0");
	assert_int_equal(r.launch[0].start_ns, 40);
	assert_int_equal(r.launch[0].end_ns, 30);
	record_end(&r);
}

static void names_may_be_text_unknown_ids_or_numbers_of_any_size(void **state)
{
	static const struct {
		const char *value, *name;
	} c[] = {
		{ "'inline(int)'", "inline(int)" },
		{ "1", "one" },
		{ "0", "zero" },
		{ "-5", "minus five" },
		{ "12345", "12345" },
		{ "-12345", "-12345" },
		{ "9223372036854775807", "9223372036854775807" },
		{ "-9223372036854775807", "-9223372036854775807" },
		{ "4611686018427387904", "4611686018427387904" },
		{ "1.5", "1.5" },
		{ "x'6162'", "ab" },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(c); i++) {
		char values[256];
		struct record r;

		(void)snprintf(values, sizeof(values),
			       "10,20,0,1,7,4,5,%s,null,'',32,1,1,1,64,1,1,0,0,0,0,0,0,0,0",
			       c[i].value);
		given_row(&r, values);

		const ks_str name = record_name_of(&r, r.launch[0].demangled);

		if (!ks_str_eqc(name, c[i].name))
			fail_msg("%s gave %.*s", c[i].value, (int)name.n, name.p);
		assert_int_equal(r.launch[0].function, 0);
		assert_int_equal(r.launch[0].mangled, 0); /* empty text is no name */
		record_end(&r);
	}
}

static void bytes_of_names_are_kept(void **state)
{
	const char *path = in_scratch("bytes.sqlite");
	struct record r;

	(void)state;
	(void)unlink(path);
	given_db(path,
		 "create table StringIds(id integer primary key, value text);"
		 "insert into StringIds values(1, cast(x'00ff80c3284100' as text));"
		 "insert into StringIds values(2, replace(hex(zeroblob(1500000)), '0', 'n'));"
		 "create table "
		 "CUPTI_ACTIVITY_KIND_KERNEL(start,end,demangledName,shortName,mangledName);"
		 "insert into CUPTI_ACTIVITY_KIND_KERNEL values(1,2,1,2,cast(x'e282' as text))");
	record_good(&r, path);

	const ks_str bytes = record_name_of(&r, r.launch[0].demangled);
	const ks_str big = record_name_of(&r, r.launch[0].function);

	assert_int_equal(bytes.n, 7); /* the NULs too */
	assert_memory_equal(bytes.p, "\x00\xff\x80\xc3\x28\x41\x00", 7);
	assert_int_equal(big.n, 3000000);
	assert_int_equal(big.p[2999999], 'n');
	assert_true(ks_str_eqc(record_name_of(&r, r.launch[0].mangled), "\xe2\x82"));
	record_end(&r);
}

static void text_stored_as_utf16_is_read(void **state)
{
	const char *path = in_scratch("utf16.sqlite");
	struct record r;

	(void)state;
	(void)unlink(path);
	given_db(path, "pragma encoding='UTF-16le'; create table StringIds(id integer primary key, "
		       "value text);"
		       "insert into StringIds values(1, 'k\xc3\xb6rnel');"
		       "create table CUPTI_ACTIVITY_KIND_KERNEL(start,end,demangledName,shortName);"
		       "insert into CUPTI_ACTIVITY_KIND_KERNEL values(1,2,1,'in\xc3\xa9')");
	record_good(&r, path);
	assert_true(ks_str_eqc(record_name_of(&r, r.launch[0].demangled), "k\xc3\xb6rnel"));
	assert_true(ks_str_eqc(record_name_of(&r, r.launch[0].function), "in\xc3\xa9"));
	record_end(&r);
}

static void the_same_text_is_one_name(void **state)
{
	const char *path = in_scratch("same.sqlite");
	struct record r;

	(void)state;
	(void)unlink(path);
	given_db(path,
		 "create table CUPTI_ACTIVITY_KIND_KERNEL(start,end,demangledName);"
		 "insert into CUPTI_ACTIVITY_KIND_KERNEL values(1,2,'a'),(3,4,'b'),(5,6,'a')");
	record_good(&r, path);
	assert_int_equal(r.n_launches, 3);
	assert_true(r.launch[0].demangled == r.launch[2].demangled);
	assert_true(r.launch[0].demangled != r.launch[1].demangled);
	assert_int_equal(r.n_names, 2);
	record_end(&r);
}

static void copies_and_memsets_arrive(void **state)
{
	const char *path = in_scratch("copies.sqlite");
	struct record r;

	(void)state;
	(void)unlink(path);
	given_db(
		path,
		"create table StringIds(id,value);"
		"create table "
		"CUPTI_ACTIVITY_KIND_MEMCPY(start,end,deviceId,contextId,streamId,correlationId,"
		"globalPid,"
		"bytes,copyKind,srcKind,dstKind,srcDeviceId,dstDeviceId);"
		"insert into CUPTI_ACTIVITY_KIND_MEMCPY values(1,2,0,1,7,9,5,4096,1,0,2,null,null),"
		"(3,4,null,1,7,9,5,null,99,null,null,0,1);"
		"create table CUPTI_ACTIVITY_KIND_MEMCPY2(start,end,bytes,copyKind);"
		"insert into CUPTI_ACTIVITY_KIND_MEMCPY2 values(5,6,10,10);"
		"create table "
		"CUPTI_ACTIVITY_KIND_MEMSET(start,end,deviceId,streamId,bytes,memKind);"
		"insert into CUPTI_ACTIVITY_KIND_MEMSET values(7,8,0,7,-1,2)");
	record_good(&r, path);
	assert_int_equal(r.n_copies, 3);
	assert_int_equal(r.copy[0].bytes, 4096);
	assert_int_equal(r.copy[0].src_kind, 0);
	assert_int_equal(r.copy[0].dst_kind, 2);
	assert_true(r.copy[1].bytes == KS_UNKNOWN && r.copy[1].device == KS_UNKNOWN);
	assert_int_equal(r.copy[1].kind, 99);
	assert_int_equal(r.copy[2].kind, 10);
	assert_int_equal(r.n_memsets, 1);
	assert_true(r.memset[0].bytes == KS_UNKNOWN);
	record_end(&r);
}

int test_rows(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_row_arrives_as_it_is),
		cmocka_unit_test(null_is_unknown_and_never_0),
		cmocka_unit_test(text_is_never_a_number),
		cmocka_unit_test(fractions_and_impossible_numbers_are_unknown),
		cmocka_unit_test(whole_reals_are_integers),
		cmocka_unit_test(times_out_of_the_world_cannot_overflow),
		cmocka_unit_test(zero_length_and_inverted_rows_are_passed_on),
		cmocka_unit_test(names_may_be_text_unknown_ids_or_numbers_of_any_size),
		cmocka_unit_test(bytes_of_names_are_kept),
		cmocka_unit_test(text_stored_as_utf16_is_read),
		cmocka_unit_test(the_same_text_is_one_name),
		cmocka_unit_test(copies_and_memsets_arrive),
	};

	return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
