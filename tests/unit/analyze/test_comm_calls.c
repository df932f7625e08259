/* SPDX-License-Identifier: Apache-2.0
 *
 * NCCL's calls from NVTX payloads: hand-made layouts and bytes. The layout of the first test is
 * that of a real capture (NCCL 2.2x, nsys 2026): communicator id, then "Message size [bytes]" at 8.
 */
#include "copies_world.h"

#define DOMAIN	  1
#define ALLREDUCE 16777220

static void field(struct world *w, int64_t schema, int64_t index, int64_t type, int64_t offset,
		  const char *name)
{
	const struct ks_payload_entry e = { .domain = DOMAIN,
					    .schema = schema,
					    .index = index,
					    .type = type,
					    .offset = offset,
					    .flags = KS_UNKNOWN,
					    .payload_bytes = KS_UNKNOWN,
					    .name = ks_str_c(name) };

	assert_int_equal(ks_comm_schema(w->a.comm, &e, &w->err), KS_OK);
}

static struct ks_range range(int64_t schema, ks_str payload)
{
	return (struct ks_range){
		.start_ns = 10, .end_ns = 20, .domain = DOMAIN, .schema = schema, .payload = payload
	};
}

static void call(struct world *w, uint32_t name, int64_t schema, ks_str payload)
{
	const struct ks_range r = range(schema, payload);

	assert_int_equal(ks_comm_range(w->a.comm, &r, name, &w->err), KS_OK);
}

static void json_call(struct world *w, uint32_t name, const char *json)
{
	struct ks_range r = range(KS_UNKNOWN, KS_STR_NONE);

	r.json = ks_str_c(json);
	assert_int_equal(ks_comm_range(w->a.comm, &r, name, &w->err), KS_OK);
}

static const ks_str names[] = {
	{ "ncclAllReduce", 13 },	{ "ncclSend", 8 },	 { "ncclCommInitRank", 16 },
	{ "someone else's range", 20 }, { "ncclallreduce", 13 }, { "ncclAllReduce (big)", 19 },
};
enum { ALL_REDUCE, SEND, INIT, OTHER, LOWER, DECORATED };

static void answered(struct world *w)
{
	assert_int_equal(ks_comm_answer(w->a.comm, names, &w->arena, &w->t, &w->err), KS_OK);
	then_answered(w);
}

/* 8 bytes of id, then 0x0000000000100000 = 1 MiB, little endian. */
static const ks_str one_mib = { "IDIDIDID\x00\x00\x10\x00\x00\x00\x00\x00", 16 };
static const ks_str two_mib = { "IDIDIDID\x00\x00\x20\x00\x00\x00\x00\x00", 16 };

static void sizes_are_read_where_the_schema_says(void **state)
{
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	field(&w, ALLREDUCE, 0, 18, KS_UNKNOWN, "NCCL communicator ID");
	field(&w, ALLREDUCE, 1, 22, 8, "Message size [bytes]");
	field(&w, ALLREDUCE + 6, 0, 18, KS_UNKNOWN, "NCCL communicator ID");
	field(&w, ALLREDUCE + 6, 1, 22, 8, "Message size [bytes]");
	field(&w, ALLREDUCE + 6, 2, 5, 16, "Peer rank");
	field(&w, ALLREDUCE + 7, 0, 5, 8, "No. of ranks");
	call(&w, ALL_REDUCE, ALLREDUCE, one_mib);
	call(&w, ALL_REDUCE, ALLREDUCE, two_mib);
	call(&w, SEND, ALLREDUCE + 6, one_mib);
	call(&w, INIT, ALLREDUCE + 7, one_mib); /* nothing in it is a size */
	call(&w, OTHER, ALLREDUCE, one_mib);	/* not NCCL's */
	answered(&w);
	assert_int_equal(w.t.n_comm_calls, 3);
	assert_string_equal(w.t.comm_call[0].name.p, "ncclAllReduce");
	expect_int(ledger(&w, "ks__nccl_allreduce_calls"), 2);
	expect_int(ledger(&w, "ks__nccl_allreduce_bytes"), 3 << 20);
	expect_int(ledger(&w, "ks__nccl_send_calls"), 1);
	expect_int(ledger(&w, "ks__nccl_send_bytes"), 1 << 20);
	expect_int(ledger(&w, "ks__nccl_comminitrank_calls"), 1);
	assert_false(in_ledger(&w, "ks__nccl_comminitrank_bytes"));
	assert_string_equal(ledger(&w, "ks__nccl_send_bytes")->origin->table.p, "NVTX_EVENTS");
	world_close(&w);
}

static void a_payload_too_short_or_without_a_schema_has_no_size(void **state)
{
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	field(&w, ALLREDUCE, 1, 22, 8, "Message size [bytes]");
	call(&w, ALL_REDUCE, ALLREDUCE, one_mib);
	call(&w, ALL_REDUCE, ALLREDUCE, (ks_str){ one_mib.p, 15 });
	call(&w, ALL_REDUCE, ALLREDUCE, (ks_str){ one_mib.p, 4 });
	call(&w, ALL_REDUCE, 99, one_mib);
	answered(&w);
	expect_int(ledger(&w, "ks__nccl_allreduce_calls"), 4);
	expect_int(ledger(&w, "ks__nccl_allreduce_bytes"), 1 << 20);
	assert_int_equal(ledger(&w, "ks__nccl_allreduce_bytes")->note.id,
			 KS_TEXT_AN_NOTE_NCCL_BOUND);
	assert_int_equal(w.t.comm_call[0].unknown_rows, 3);
	world_close(&w);
}

static void every_integer_type_is_read_at_its_width(void **state)
{
	static const char bytes[] = "\xfe\xff\xff\xff\xff\xff\xff\x7f\x01";
	static const struct {
		int64_t type, offset, want; /* want -1: no size */
	} row[] = {
		{ 12, 0, 0xfe },
		{ 11, 0, -1 },
		{ 14, 0, 0xfffe },
		{ 13, 0, -1 },
		{ 16, 0, 0xfffffffe },
		{ 6, 0, 0xfffffffe },
		{ 15, 0, -1 },
		{ 5, 0, -1 },
		{ 18, 0, INT64_MAX - 1 },
		{ 17, 0, INT64_MAX - 1 },
		{ 22, 1, -1 }, /* 0x017f... is fine, see below */
		{ 12, 8, 1 },
		{ 14, 7, 0x017f },
		{ 14, 8, -1 },
		{ 19, 0, -1 },
		{ 0, 0, -1 },
		{ 4096, 0, -1 },
		{ 18, -1, -1 },
		{ 18, INT64_MAX, -1 },
		{ KS_UNKNOWN, 0, -1 },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(row); i++) {
		struct world w;

		world_open(&w, 1, 0);
		field(&w, 5, 1, row[i].type, row[i].offset, "SIZE in Bytes");
		call(&w, SEND, 5, (ks_str){ bytes, row[i].type == 22 ? 8u : 9u });
		answered(&w);
		if (w.t.comm_call[0].unknown_rows != (row[i].want < 0) ||
		    (row[i].want >= 0 && w.t.comm_call[0].bytes != (uint64_t)row[i].want))
			fail_msg("type %d at %d: %llu bytes", (int)row[i].type, (int)row[i].offset,
				 (unsigned long long)w.t.comm_call[0].bytes);
		world_close(&w);
	}
}

static void pointers_and_arrays_hold_no_size_in_place(void **state)
{
	static const int64_t flags[] = { 1 << 1, 1 << 2, 1 << 4, 3 << 4 };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(flags); i++) {
		struct world w;
		const struct ks_payload_entry e = { .domain = DOMAIN,
						    .schema = ALLREDUCE,
						    .index = 1,
						    .type = 22,
						    .offset = 8,
						    .flags = flags[i],
						    .name = KS_LIT("Message size [bytes]") };

		world_open(&w, 1, 0);
		assert_int_equal(ks_comm_schema(w.a.comm, &e, &w.err), KS_OK);
		call(&w, SEND, ALLREDUCE, one_mib);
		answered(&w);
		assert_int_equal(w.t.comm_call[0].unknown_rows, 1);
		world_close(&w);
	}
}

/* Two processes register the same schema; two that differ leave it open which one holds. */
static void the_same_schema_twice_is_one_and_another_is_none(void **state)
{
	struct world w;

	(void)state;
	for (int64_t other = 0; other < 2; other++) {
		world_open(&w, 1, 0);
		field(&w, ALLREDUCE, 1, 22, 8, "Message size [bytes]");
		field(&w, ALLREDUCE, 1, 22, 8 - 8 * other, "Message size [bytes]");
		call(&w, ALL_REDUCE, ALLREDUCE, one_mib);
		answered(&w);
		assert_int_equal(w.t.comm_call[0].unknown_rows, other);
		world_close(&w);
	}
}

static void sizes_in_json_are_read_too(void **state)
{
	static const struct {
		const char *json;
		int64_t want; /* -1: none */
	} row[] = {
		{ "{\"Message size [bytes]\": 4096, \"Peer rank\": 3}", 4096 },
		{ "{\"a\":\"Message size [bytes]\",\"Message size [bytes]\" : 7}", 7 },
		{ "{\"Payload\":{\"message_size_bytes\":12}}", 12 },
		{ "{\"Peer rank\": 3}", -1 },
		{ "{\"Message size [bytes]\": 1.5}", -1 },
		{ "{\"Message size [bytes]\": -4}", -1 },
		{ "{\"Message size [bytes]\": \"12\"}", -1 },
		{ "{\"Message size [bytes]\": 99999999999999999999}", -1 },
		{ "{\"Message size [bytes]\":", -1 },
		{ "{\"Message size [bytes]", -1 },
		{ "{\"\\\"Message size [bytes]\\\"\":5}", 5 },
		{ "\"", -1 },
		{ "\\", -1 },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(row); i++) {
		struct world w;

		world_open(&w, 1, 0);
		json_call(&w, SEND, row[i].json);
		answered(&w);
		if (w.t.comm_call[0].unknown_rows != (row[i].want < 0) ||
		    w.t.comm_call[0].bytes != (uint64_t)(row[i].want < 0 ? 0 : row[i].want))
			fail_msg("%s", row[i].json);
		world_close(&w);
	}
}

static void names_that_differ_in_case_or_decoration_are_one_call(void **state)
{
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	field(&w, ALLREDUCE, 1, 22, 8, "Message size [bytes]");
	call(&w, ALL_REDUCE, ALLREDUCE, one_mib);
	call(&w, DECORATED, ALLREDUCE, one_mib);
	call(&w, LOWER, ALLREDUCE, two_mib);
	answered(&w);
	assert_int_equal(w.t.n_comm_calls, 2);
	expect_int(ledger(&w, "ks__nccl_allreduce_calls"), 3);
	expect_int(ledger(&w, "ks__nccl_allreduce_bytes"), 4 << 20);
	world_close(&w);
}

static void calls_count_in_the_window_they_start_in(void **state)
{
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	field(&w, ALLREDUCE, 1, 22, 8, "Message size [bytes]");
	for (int64_t start = 8; start <= 12; start++) {
		struct ks_range r = range(ALLREDUCE, one_mib);

		r.start_ns = start;
		assert_int_equal(ks_comm_range(w.a.comm, &r, SEND, &w.err), KS_OK);
	}
	w.a.window = (struct ks_window){ .on = true, .from = 9, .to = 11 };
	ks_comm_within(w.a.comm, &ks_io_system, &w.a.window);
	answered(&w);
	expect_int(ledger(&w, "ks__nccl_send_calls"), 2); /* 9 and 10 */
	world_close(&w);
}

static void without_ranges_there_are_no_calls(void **state)
{
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	answered(&w);
	assert_int_equal(w.t.n_comm_calls, 0);
	world_close(&w);
}

static void sums_past_63_bits_end_the_run(void **state)
{
	static const ks_str huge = { "IDIDIDID\xff\xff\xff\xff\xff\xff\xff\x7f", 16 };
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	field(&w, ALLREDUCE, 1, 22, 8, "Message size [bytes]");
	call(&w, SEND, ALLREDUCE, huge);
	call(&w, SEND, ALLREDUCE, huge);
	assert_int_equal(ks_comm_answer(w.a.comm, names, &w.arena, &w.t, &w.err), KS_E_INPUT);
	assert_int_equal(w.err.text, KS_TEXT_ERR_AN_OVERFLOW);
	world_close(&w);
}

static void running_out_of_memory_is_told(void **state)
{
	struct world w;
	struct ks_arena tiny;

	(void)state;
	world_open(&w, 1, 0);
	json_call(&w, SEND, "{}");
	ks_arena_init(&tiny, 8);
	assert_int_equal(ks_comm_answer(w.a.comm, names, &tiny, &w.t, &w.err), KS_E_ENV);
	ks_arena_release(&tiny);
	world_close(&w);
}

int test_comm_calls(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_read_where_the_schema_says),
		cmocka_unit_test(a_payload_too_short_or_without_a_schema_has_no_size),
		cmocka_unit_test(every_integer_type_is_read_at_its_width),
		cmocka_unit_test(pointers_and_arrays_hold_no_size_in_place),
		cmocka_unit_test(the_same_schema_twice_is_one_and_another_is_none),
		cmocka_unit_test(sizes_in_json_are_read_too),
		cmocka_unit_test(names_that_differ_in_case_or_decoration_are_one_call),
		cmocka_unit_test(calls_count_in_the_window_they_start_in),
		cmocka_unit_test(without_ranges_there_are_no_calls),
		cmocka_unit_test(sums_past_63_bits_end_the_run),
		cmocka_unit_test(running_out_of_memory_is_told),
	};

	return cmocka_run_group_tests_name("comm: NCCL's calls", tests, NULL, NULL);
}
