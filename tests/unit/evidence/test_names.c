/* SPDX-License-Identifier: Apache-2.0
 *
 * The index: names and pairs are numbered in order of arrival and found again, whatever their
 * bytes.
 */
#include "all.h"

#include <stdio.h>

#include "evidence/names.h"

static void names_keep_their_numbers_while_the_table_grows(void **state)
{
	struct ks_arena a;
	struct ks_names t = { 0 };
	char text[32];

	(void)state;
	ks_arena_init(&a, 64u << 20);
	for (uint32_t i = 0; i < 20000; i++) {
		int n = snprintf(text, sizeof(text), "name %u", i);

		assert_int_equal(ks_names_add(&t, &a, (ks_str){ text, (size_t)n }), i);
	}
	for (uint32_t i = 0; i < 20000; i++) {
		int n = snprintf(text, sizeof(text), "name %u", i);

		assert_int_equal(ks_names_find(&t, (ks_str){ text, (size_t)n }), i);
		assert_int_equal(ks_names_add(&t, &a, (ks_str){ text, (size_t)n }), i);
	}
	assert_int_equal(ks_names_find(&t, KS_LIT("name 20000")), KS_NAMES_NONE);
	ks_arena_release(&a);
}

static void names_are_bytes_not_text(void **state)
{
	struct ks_arena a;
	struct ks_names t = { 0 };

	(void)state;
	ks_arena_init(&a, 1u << 20);
	assert_int_equal(ks_names_find(&t, KS_LIT("a")), KS_NAMES_NONE);
	assert_int_equal(ks_names_add(&t, &a, KS_STR_NONE), 0);
	assert_int_equal(ks_names_add(&t, &a, KS_LIT("a")), 1);
	assert_int_equal(ks_names_add(&t, &a, KS_LIT("a\0b")), 2);
	assert_int_equal(ks_names_add(&t, &a, KS_LIT("a\0")), 3);
	assert_int_equal(ks_names_add(&t, &a, KS_LIT("\xff\xfe")), 4);
	assert_int_equal(ks_names_find(&t, KS_LIT("a\0b")), 2);
	assert_int_equal(ks_names_find(&t, KS_LIT("")), 0);
	ks_arena_release(&a);
}

static void pairs_keep_the_first_value(void **state)
{
	struct ks_arena a;
	struct ks_pairs t = { 0 };

	(void)state;
	ks_arena_init(&a, 64u << 20);
	assert_int_equal(ks_pairs_find(&t, 0, 0), 0);
	for (uint32_t i = 0; i < 300; i++)
		for (uint32_t j = 0; j < 60; j++)
			assert_true(ks_pairs_add(&t, &a, i, j, 1 + i * 60 + j));
	assert_true(ks_pairs_add(&t, &a, 7, 7, 999999));
	for (uint32_t i = 0; i < 300; i++)
		for (uint32_t j = 0; j < 60; j++)
			assert_int_equal(ks_pairs_find(&t, i, j), 1 + i * 60 + j);
	assert_int_equal(ks_pairs_find(&t, 60, 7), 3608);
	assert_int_equal(ks_pairs_find(&t, 7, 60), 0);
	ks_arena_release(&a);
}

static void a_full_arena_is_reported(void **state)
{
	struct ks_arena a;
	struct ks_names names = { 0 };
	struct ks_pairs pairs = { 0 };

	(void)state;
	ks_arena_init(&a, 8);
	assert_int_equal(ks_names_add(&names, &a, KS_LIT("x")), KS_NAMES_NONE);
	assert_false(ks_pairs_add(&pairs, &a, 1, 1, 1));
	assert_int_equal(ks_pairs_find(&pairs, 1, 1), 0);
	ks_arena_release(&a);
}

int test_names(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_keep_their_numbers_while_the_table_grows),
		cmocka_unit_test(names_are_bytes_not_text),
		cmocka_unit_test(pairs_keep_the_first_value),
		cmocka_unit_test(a_full_arena_is_reported),
	};

	return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
