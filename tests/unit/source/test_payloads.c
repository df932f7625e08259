/* SPDX-License-Identifier: Apache-2.0
 *
 * NVTX payloads: the fields of their schemas, and which schema a blob follows. The layouts are
 * those of NCCL's schemas in h100_2gpu_nccl_2026.sqlite.
 */
#include "all.h"

#include "base/str.h"

#define SCHEMAS                                                                                    \
	"create table NVTX_PAYLOAD_SCHEMAS(domainId,schemaId,name,type,flags,numEntries,"          \
	"payloadSize,alignTo);"                                                                    \
	"insert into NVTX_PAYLOAD_SCHEMAS values(1,16777218,null,1,null,4,24,null),"               \
	"(1,16777220,'AllGather',1,null,2,16,null),(1,16777225,null,1,null,3,24,null),"            \
	"(2,16777220,null,1,null,1,8,null);"                                                       \
	"create table NVTX_PAYLOAD_SCHEMA_ENTRIES(domainId,schemaId,idx,flags,type,name,"          \
	"description,arrayOrUnionDetail,offset);"                                                  \
	"insert into NVTX_PAYLOAD_SCHEMA_ENTRIES values"                                           \
	"(1,16777220,0,null,18,'NCCL communicator ID',null,null,null),"                            \
	"(1,16777220,1,null,22,'Message size [bytes]',null,null,8),"                               \
	"(1,16777225,2,3,5,'Peer rank',null,null,16),(7,9,1,null,5,'x',null,null,null);"

/* Four little-endian numbers in front: domain, schema, bytes, and the place or the whole length. */
#define NUMBER_1	"0100000000000000"
#define NUMBER_2	"0200000000000000"
#define NUMBER_8	"0800000000000000"
#define NUMBER_16	"1000000000000000"
#define NUMBER_24	"1800000000000000"
#define NUMBER_32	"2000000000000000"
#define NUMBER_40	"2800000000000000"
#define NUMBER_48	"3000000000000000"
#define NUMBER_16777218 "0200000100000000"
#define NUMBER_16777220 "0400000100000000"
#define NUMBER_16777225 "0900000100000000"
#define BODY_16		"bc0a0000000000000010000000000000"

static void given(struct record *r, const char *sql)
{
	const char *path = in_scratch("payload.sqlite");

	(void)unlink(path);
	given_db(path, sql);
	record_good(r, path);
}

static void given_payload(struct record *r, int domain, const char *value)
{
	char sql[4096];

	(void)snprintf(sql, sizeof(sql),
		       SCHEMAS "create table NVTX_EVENTS(start,end,domainId,binaryData);"
			       "insert into NVTX_EVENTS values(1,2,%d,%s)",
		       domain, value);
	given(r, sql);
	assert_int_equal(r->n_ranges, 1);
}

static void the_fields_of_a_schema_arrive(void **state)
{
	struct record r;

	(void)state;
	given(&r, SCHEMAS "create table NVTX_EVENTS(start)");
	assert_int_equal(r.n_schemas, 4);
	const struct ks_payload_entry *e = r.schema;

	assert_int_equal(e[0].domain, 1);
	assert_int_equal(e[0].schema, 16777220);
	assert_int_equal(e[0].index, 0);
	assert_int_equal(e[0].type, 18);
	assert_int_equal(e[0].offset, 0); /* of the first field, where it is left out */
	assert_int_equal(e[0].flags, 0);
	assert_int_equal(e[0].payload_bytes, 16);
	assert_true(ks_str_eqc(e[0].name, "NCCL communicator ID"));
	assert_true(ks_str_eqc(e[0].schema_name, "AllGather"));
	assert_int_equal(e[1].offset, 8);
	assert_int_equal(e[2].flags, 3);
	assert_int_equal(e[2].payload_bytes, 24);
	assert_int_equal(e[2].schema_name.n, 0);
	assert_true(e[3].offset == KS_UNKNOWN && e[3].payload_bytes == KS_UNKNOWN);
	assert_true(record_holding(&r, "NVTX_PAYLOAD_SCHEMAS")->analysed);
	record_end(&r);
}

static void the_header_tells_the_schema(void **state)
{
	static const char *const last[] = { NUMBER_32, NUMBER_48 }; /* place; whole length */

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(last); i++) {
		char value[512];
		struct record r;

		(void)snprintf(value, sizeof(value),
			       "x'" NUMBER_1 NUMBER_16777220 NUMBER_16 "%s" BODY_16 "'", last[i]);
		given_payload(&r, 1, value);
		assert_int_equal(r.range[0].schema, 16777220);
		assert_int_equal(r.range[0].payload.n, 16);
		assert_memory_equal(r.range[0].payload.p, "\xbc\x0a\0\0\0\0\0\0\0\x10\0\0\0\0\0\0",
				    16);
		record_end(&r);
	}
}

static void the_header_may_put_the_payload_further_on(void **state)
{
	struct record r;

	(void)state;
	given_payload(&r, 1,
		      "x'" NUMBER_1 NUMBER_16777220 NUMBER_16 NUMBER_40 "ffffffffffffffff" BODY_16
		      "'");
	assert_int_equal(r.range[0].schema, 16777220);
	assert_int_equal(r.range[0].payload.n, 16);
	assert_int_equal((unsigned char)r.range[0].payload.p[0], 0xbc);
	record_end(&r);
}

static void what_does_not_fit_has_no_header(void **state)
{
	static const char *const odd[] = {
		NUMBER_2 NUMBER_16777220 NUMBER_16 NUMBER_32 BODY_16, /* another domain */
		NUMBER_1 NUMBER_8 NUMBER_16 NUMBER_32 BODY_16,	      /* no such schema */
		NUMBER_1 NUMBER_16777220 NUMBER_24 NUMBER_32 BODY_16, /* more than there is */
		NUMBER_1 NUMBER_16777220 NUMBER_8 NUMBER_32 BODY_16,  /* less than it needs */
		NUMBER_1 NUMBER_16777220 "ffffffffffffffff" NUMBER_32 BODY_16,
		"ffffffffffffffff" NUMBER_16777220 NUMBER_16 NUMBER_32 BODY_16,
		NUMBER_1 NUMBER_16777220 NUMBER_16 "200000",
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(odd); i++) {
		char value[512];
		struct record r;

		(void)snprintf(value, sizeof(value), "x'%s'", odd[i]);
		given_payload(&r, 1, value);
		if (r.range[0].schema != KS_UNKNOWN)
			fail_msg("row %zu", i);
		assert_int_equal(r.range[0].payload.n, strlen(odd[i]) / 2); /* untouched */
		record_end(&r);
	}
}

static void a_bare_payload_has_the_only_schema_of_its_size(void **state)
{
	static const struct {
		int domain;
		size_t bytes;
		int64_t schema;
	} c[] = {
		{ 1, 16, 16777220 },  { 1, 24, KS_UNKNOWN }, /* two of that size */
		{ 1, 8, KS_UNKNOWN },			     /* none in this domain */
		{ 2, 8, 16777220 },   { 3, 16, KS_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(c); i++) {
		char value[64];
		struct record r;

		(void)snprintf(value, sizeof(value), "zeroblob(%zu)", c[i].bytes);
		given_payload(&r, c[i].domain, value);
		if (r.range[0].schema != c[i].schema)
			fail_msg("row %zu", i);
		assert_int_equal(r.range[0].payload.n, c[i].bytes);
		record_end(&r);
	}
}

static void cells_that_are_no_blob(void **state)
{
	static const struct {
		const char *value;
		size_t bytes;
	} c[] = {
		{ "null", 0 },
		{ "x''", 0 },
		{ "''", 0 },
		{ "'text'", 4 },
		{ "cast(x'00ff80c3284100' as text)", 7 },
		{ "12", 2 },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(c); i++) {
		struct record r;

		given_payload(&r, 1, c[i].value);
		assert_int_equal(r.range[0].payload.n, c[i].bytes);
		assert_true(r.range[0].schema == KS_UNKNOWN);
		record_end(&r);
	}
}

static void a_blob_of_a_utf16_database_keeps_its_bytes(void **state)
{
	struct record r;

	(void)state;
	given(&r, "pragma encoding='UTF-16le';" SCHEMAS
		  "create table NVTX_EVENTS(start,end,domainId,binaryData);"
		  "insert into NVTX_EVENTS values(1,2,1,x'00d801dcff00fe01" NUMBER_8 "')");
	assert_int_equal(r.range[0].payload.n, 16);
	assert_memory_equal(r.range[0].payload.p, "\x00\xd8\x01\xdc\xff\x00\xfe\x01", 8);
	assert_int_equal(r.range[0].schema, 16777220);
	record_end(&r);
}

/* Processes register their own; the order of rows must not decide. */
static void schemas_that_contradict_each_other_have_no_size(void **state)
{
	static const char *const order[] = { "order by payloadSize", "order by payloadSize desc" };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(order); i++) {
		char sql[1024];
		struct record r;

		(void)snprintf(
			sql, sizeof(sql),
			"create table t(domainId,schemaId,name,payloadSize);"
			"insert into t values(1,5,'b',8),(1,5,'a',16),(1,6,'c',8),"
			"(null,7,'d',32),(1,null,'e',64),(1,8,'f',-1);"
			"create table NVTX_PAYLOAD_SCHEMAS as select * from t %s;"
			"create table NVTX_PAYLOAD_SCHEMA_ENTRIES(domainId,schemaId,idx,name);"
			"insert into NVTX_PAYLOAD_SCHEMA_ENTRIES values(1,5,0,'x'),"
			"(0,7,0,'y'),(1,null,0,'z'),(1,8,0,'w');"
			"create table NVTX_EVENTS(start,end,domainId,binaryData);"
			"insert into NVTX_EVENTS values(1,2,1,zeroblob(8)),"
			"(1,2,1,zeroblob(16)),(1,2,null,zeroblob(32))",
			order[i]);
		given(&r, sql);
		assert_int_equal(r.n_schemas, 3);
		assert_true(r.schema[0].payload_bytes == KS_UNKNOWN);
		assert_true(ks_str_eqc(r.schema[0].schema_name, "a"));
		assert_int_equal(r.schema[1].payload_bytes, 32);
		assert_true(r.schema[2].payload_bytes == KS_UNKNOWN);
		assert_int_equal(r.range[0].schema, 6);
		assert_true(r.range[1].schema == KS_UNKNOWN);
		assert_int_equal(r.range[2].schema, 7);
		record_end(&r);
	}
}

static void more_schemas_than_any_run_has_are_an_error(void **state)
{
	const char *path = in_scratch("schemas.sqlite");
	struct record r;

	(void)state;
	(void)unlink(path);
	given_db(path,
		 "create table NVTX_EVENTS(start); create table "
		 "NVTX_PAYLOAD_SCHEMAS(domainId,schemaId,payloadSize);"
		 "with recursive n(i) as (select 0 union all select i + 1 from n where i < 70000)"
		 "insert into NVTX_PAYLOAD_SCHEMAS select 1, i, i from n");
	record_start(&r);
	assert_int_equal(record_nsys(&r, path), KS_E_INPUT);
	assert_int_equal(r.err.text, KS_TEXT_ERR_SRC_TOO_MANY_SCHEMAS);
	record_end(&r);
}

static void the_schemas_of_a_real_export_arrive(void **state)
{
	const char *shared = shared_folder();
	char path[512];
	struct record r;

	(void)state;
	if (!shared)
		skip();
	(void)snprintf(path, sizeof(path), "%s/data/nsys-sqlite/h100_2gpu_nccl_2026.sqlite",
		       shared);
	record_good(&r, path);
	assert_int_equal(r.n_schemas, 34);
	for (size_t i = 0; i < r.n_schemas; i++) {
		const struct ks_payload_entry *e = &r.schema[i];

		assert_int_equal(e->domain, 1);
		assert_true(e->payload_bytes == 8 || e->payload_bytes == 16 ||
			    e->payload_bytes == 24);
		assert_true(e->offset >= 0 && e->offset < e->payload_bytes);
	}
	record_end(&r);
}

int test_payloads(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_fields_of_a_schema_arrive),
		cmocka_unit_test(the_header_tells_the_schema),
		cmocka_unit_test(the_header_may_put_the_payload_further_on),
		cmocka_unit_test(what_does_not_fit_has_no_header),
		cmocka_unit_test(a_bare_payload_has_the_only_schema_of_its_size),
		cmocka_unit_test(cells_that_are_no_blob),
		cmocka_unit_test(a_blob_of_a_utf16_database_keeps_its_bytes),
		cmocka_unit_test(schemas_that_contradict_each_other_have_no_size),
		cmocka_unit_test(more_schemas_than_any_run_has_are_an_error),
		cmocka_unit_test(the_schemas_of_a_real_export_arrive),
	};

	return cmocka_run_group_tests_name("payloads", tests, NULL, NULL);
}
