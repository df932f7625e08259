/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays grow by doubling, zeroed, up to the ceiling of their caller.
 */
#include "all.h"

#include "base/mem.h"

static void growing_keeps_the_old_and_zeroes_the_new(void **state)
{
	uint32_t *item = NULL;
	size_t cap = 0;

	(void)state;
	for (uint32_t n = 0; n < 1000; n++) {
		assert_true(KS_GROW(item, cap, n + 1, 1000));
		assert_true(cap >= n + 1 && cap <= 1000);
		for (size_t i = n; i < cap; i++)
			assert_int_equal(item[i], 0);
		item[n] = n + 7;
	}
	for (uint32_t n = 0; n < 1000; n++)
		assert_int_equal(item[n], n + 7);
	assert_false(KS_GROW(item, cap, 1001, 1000));
	assert_int_equal(cap, 1000);
	assert_int_equal(item[999], 1006);
	ks_mem_free(item);
}

static void absurd_sizes_change_nothing(void **state)
{
	uint64_t *item = NULL;
	size_t cap = 0;

	(void)state;
	assert_false(KS_GROW(item, cap, SIZE_MAX / 4, SIZE_MAX));
	assert_false(KS_GROW(item, cap, SIZE_MAX / 32, SIZE_MAX));
	assert_null(item);
	assert_int_equal(cap, 0);
	assert_false(KS_GROW(item, cap, 1, 0));
	assert_null(ks_mem_alloc(SIZE_MAX / 4));
}

static void small_ceilings_hold(void **state)
{
	char *item = NULL;
	size_t cap = 0;

	(void)state;
	assert_true(KS_GROW(item, cap, 1, 3));
	assert_int_equal(cap, 3);
	assert_true(KS_GROW(item, cap, 3, 3));
	assert_false(KS_GROW(item, cap, 4, 3));
	ks_mem_free(item);
	ks_mem_free(NULL);
}

static void fresh_memory_is_zeroed(void **state)
{
	unsigned char *p = ks_mem_alloc(64);

	(void)state;
	assert_non_null(p);
	for (size_t i = 0; i < 64; i++)
		assert_int_equal(p[i], 0);
	ks_mem_free(p);
	p = ks_mem_alloc(0);
	assert_non_null(p);
	ks_mem_free(p);
}

int test_mem(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(growing_keeps_the_old_and_zeroes_the_new),
		cmocka_unit_test(absurd_sizes_change_nothing),
		cmocka_unit_test(small_ceilings_hold),
		cmocka_unit_test(fresh_memory_is_zeroed),
	};

	return cmocka_run_group_tests_name("mem", tests, NULL, NULL);
}
