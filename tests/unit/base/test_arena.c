/* SPDX-License-Identifier: Apache-2.0
 *
 * The arena hands out zeroed, aligned, separate memory up to its ceiling, and remembers a failure.
 */
#include "all.h"

#include "base/arena.h"

static void memory_is_zeroed_aligned_and_separate(void **state)
{
	struct ks_arena a;
	unsigned char *part[200];

	(void)state;
	ks_arena_init(&a, SIZE_MAX);
	for (size_t i = 0; i < KS_ARRAY_LEN(part); i++) {
		part[i] = ks_arena_alloc(&a, i + 1);
		assert_non_null(part[i]);
		assert_int_equal((uintptr_t)part[i] % _Alignof(max_align_t), 0);
		for (size_t k = 0; k <= i; k++)
			assert_int_equal(part[i][k], 0);
		memset(part[i], (int)i, i + 1);
	}
	for (size_t i = 0; i < KS_ARRAY_LEN(part); i++) {
		for (size_t k = 0; k <= i; k++)
			assert_int_equal(part[i][k], i);
	}
	ks_arena_release(&a);
}

static void memory_after_a_reset_is_zeroed_again(void **state)
{
	struct ks_arena a;

	(void)state;
	ks_arena_init(&a, 1u << 20);
	for (int round = 0; round < 3; round++) {
		unsigned char *p = ks_arena_alloc(&a, 3000);

		assert_non_null(p);
		for (size_t i = 0; i < 3000; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xAA, 3000);
		assert_non_null(ks_arena_alloc(&a, 500000));
		ks_arena_reset(&a);
		assert_int_equal(a.used, 0);
	}
	ks_arena_release(&a);
}

static void the_ceiling_holds_and_the_failure_sticks(void **state)
{
	struct ks_arena a;

	(void)state;
	ks_arena_init(&a, 1000);
	assert_non_null(ks_arena_alloc(&a, 900));
	assert_false(ks_arena_failed(&a));
	assert_null(ks_arena_alloc(&a, 200));
	assert_true(ks_arena_failed(&a));
	assert_null(ks_arena_alloc(&a, 1));
	assert_string_equal(ks_arena_dup(&a, STR("text")).p, "");
	assert_int_equal(ks_arena_fmt(&a, "%d", 1).n, 0);
	ks_arena_reset(&a);
	assert_true(ks_arena_failed(&a)); /* what failed before a reset is not forgotten */
	assert_null(ks_arena_alloc(&a, 1));
	ks_arena_release(&a);
	assert_non_null(ks_arena_alloc(&a, 1));
	ks_arena_release(&a);
}

static void absurd_sizes_fail_instead_of_wrapping(void **state)
{
	struct ks_arena a;

	(void)state;
	ks_arena_init(&a, SIZE_MAX);
	assert_null(ks_arena_array(&a, SIZE_MAX / 2, 3));
	ks_arena_release(&a);
	assert_null(ks_arena_alloc(&a, SIZE_MAX));
	ks_arena_release(&a);
	assert_null(ks_arena_alloc(&a, SIZE_MAX / 4));
	assert_true(ks_arena_failed(&a));
	ks_arena_release(&a);
}

static void copies_are_terminated_and_keep_nul_bytes(void **state)
{
	struct ks_arena a;

	(void)state;
	ks_arena_init(&a, 1u << 20);

	const ks_str copy = ks_arena_dup(&a, STR("a\0b"));

	assert_int_equal(copy.n, 3);
	assert_memory_equal(copy.p, "a\0b", 4);
	assert_string_equal(ks_arena_dup(&a, KS_STR_NONE).p, "");
	assert_false(ks_arena_failed(&a));
	assert_string_equal(ks_arena_fmt(&a, "%s-%05d", "x", 42).p, "x-00042");
	assert_int_equal(ks_arena_fmt(&a, "%2000d", 1).n, 2000);
	ks_arena_release(&a);
}

int test_arena(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_zeroed_aligned_and_separate),
		cmocka_unit_test(memory_after_a_reset_is_zeroed_again),
		cmocka_unit_test(the_ceiling_holds_and_the_failure_sticks),
		cmocka_unit_test(absurd_sizes_fail_instead_of_wrapping),
		cmocka_unit_test(copies_are_terminated_and_keep_nul_bytes),
	};

	return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
