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

int test_trace(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_come_apart),
		cmocka_unit_test(the_process_of_a_thread_is_its_id_without_the_thread),
		cmocka_unit_test(unknown_stays_unknown),
		cmocka_unit_test(a_cleared_gpu_knows_nothing),
	};

	return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
