/* SPDX-License-Identifier: Apache-2.0
 *
 * Serialized ids come apart as contract 05 §1.8 says; expected values by hand from its formula.
 */
#include "all.h"

#include "model/trace.h"

static void ids_come_apart(void **state)
{
	static const struct {
		int64_t id, pid, tid;
	} c[] = {
		{ 1107296547, 66, 291 },	 /* 66 * 2^24 + 291 */
		{ 281682091442854, 12345, 678 }, /* 2^48 + 12345 * 2^24 + 678 */
		{ 0, 0, 0 },
		{ 16777215, 0, 16777215 },
		{ INT64_MAX, 16777215, 16777215 },
		{ -1, 16777215, 16777215 },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(c); i++) {
		assert_int_equal(ks_global_pid(c[i].id), c[i].pid);
		assert_int_equal(ks_global_tid(c[i].id), c[i].tid);
	}
}

/* Damaged ids too: a negative one keeps all bits but the thread's. */
static void the_process_of_a_thread_is_its_id_without_the_thread(void **state)
{
	static const struct {
		int64_t id, process;
	} c[] = {
		{ 0x0100001092001093, 0x0100001092000000 },
		{ 0, 0 },
		{ 0xffffff, 0 },
		{ -1, -0x1000000 },
		{ -0x1000000, -0x1000000 },
		{ INT64_MIN + 1, INT64_MIN },
		{ INT64_MAX, INT64_MAX - 0xffffff },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(c); i++)
		assert_true(ks_global_process(c[i].id) == c[i].process);
	assert_true(ks_global_process(KS_UNKNOWN) == KS_UNKNOWN);
}

static void unknown_stays_unknown(void **state)
{
	(void)state;
	assert_true(ks_global_pid(KS_UNKNOWN) == KS_UNKNOWN);
	assert_true(ks_global_tid(KS_UNKNOWN) == KS_UNKNOWN);
}

static void a_cleared_gpu_knows_nothing(void **state)
{
	struct ks_trace_gpu g;

	(void)state;
	memset(&g, 0x55, sizeof(g));
	ks_trace_gpu_clear(&g);
	assert_true(g.id == KS_UNKNOWN && g.cu_device == KS_UNKNOWN && g.cc_major == KS_UNKNOWN);
	assert_true(g.max_threads_per_block == KS_UNKNOWN && g.max_smem_optin == KS_UNKNOWN);
	assert_int_equal(g.name.n, 0);
}

/* The types are those of the enumeration table of real exports (contract 09). */
static void ranges_are_told_from_marks_and_names(void **state)
{
	static const struct {
		int64_t type;
		bool ends, start_end;
	} c[] = { { KS_UNKNOWN, true, false }, { 59, true, false },  { 60, true, true },
		  { 70, true, false },	       { 71, true, true },   { 34, false, false },
		  { 65, false, false },	       { 75, false, false }, { 33, false, false },
		  { 0, false, false } };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(c); i++) {
		assert_int_equal(ks_range_has_ends(c[i].type), c[i].ends);
		assert_int_equal(ks_range_is_start_end(c[i].type), c[i].start_end);
	}
}

/* 2^61 - 1 is the last time that is one: twice that still fits 63 bits. */
static void times_too_far_to_subtract_are_none(void **state)
{
	const ks_ns last = 2305843009213693951;

	(void)state;
	assert_true(ks_time_is_span(-last, last) && ks_time_is_span(5, 5));
	assert_false(ks_time_is_span(0, last + 1));
	assert_false(ks_time_is_span(-last - 1, 0));
	assert_false(ks_time_is_span(5, 4));
	assert_false(ks_time_is_span(KS_UNKNOWN, 4));
	assert_false(ks_time_is_span(4, KS_UNKNOWN));
}

int test_trace(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_come_apart),
		cmocka_unit_test(the_process_of_a_thread_is_its_id_without_the_thread),
		cmocka_unit_test(unknown_stays_unknown),
		cmocka_unit_test(ranges_are_told_from_marks_and_names),
		cmocka_unit_test(times_too_far_to_subtract_are_none),
		cmocka_unit_test(a_cleared_gpu_knows_nothing),
	};

	return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
