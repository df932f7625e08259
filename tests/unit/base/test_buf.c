/* SPDX-License-Identifier: Apache-2.0
 *
 * The buffer grows to its ceiling and not a byte beyond.
 */
#include "all.h"

#include "base/buf.h"

static void an_empty_buffer_is_an_empty_text(void **state)
{
	struct ks_buf b;

	(void)state;
	ks_buf_init(&b, 10);
	assert_string_equal(ks_buf_text(&b), "");
	assert_int_equal(ks_buf_view(&b).n, 0);
	ks_buf_add(&b, NULL, 0);
	assert_false(ks_buf_failed(&b));
	ks_buf_release(&b);
}

static void pieces_are_joined(void **state)
{
	struct ks_buf b;

	(void)state;
	ks_buf_init(&b, 1000);
	ks_buf_cstr(&b, "one ");
	ks_buf_str(&b, STR("two"));
	ks_buf_ch(&b, ' ');
	ks_buf_fmt(&b, "%d-%s", 3, "three");
	assert_string_equal(ks_buf_text(&b), "one two 3-three");
	for (int i = 0; i < 98; i++)
		ks_buf_cstr(&b, "0123456789");
	assert_int_equal(b.n, 15 + 980);
	assert_false(ks_buf_failed(&b));
	ks_buf_release(&b);
}

static void the_ceiling_is_reached_but_not_passed(void **state)
{
	struct ks_buf b;

	(void)state;
	ks_buf_init(&b, 5);
	ks_buf_cstr(&b, "12345");
	assert_false(ks_buf_failed(&b));
	ks_buf_ch(&b, '6');
	assert_true(ks_buf_failed(&b));
	assert_string_equal(ks_buf_text(&b), "12345");
	ks_buf_fmt(&b, "%d", 7);
	assert_string_equal(ks_buf_text(&b), "12345");
	ks_buf_reset(&b); /* what was lost stays known: the work is checked once, at its end */
	assert_true(ks_buf_failed(&b));
	ks_buf_fmt(&b, "%d", 7);
	assert_string_equal(ks_buf_text(&b), "");
	ks_buf_release(&b);
}

static void keeping_a_failed_buffer_fails_the_arena(void **state)
{
	struct ks_buf b;
	struct ks_arena a;

	(void)state;
	ks_arena_init(&a, 1u << 16);
	ks_buf_init(&b, 5);
	ks_buf_cstr(&b, "1234");
	ks_str kept = ks_buf_keep(&b, &a);

	assert_int_equal(kept.n, 4);
	assert_memory_equal(kept.p, "1234", 4);
	assert_false(ks_arena_failed(&a));
	ks_buf_cstr(&b, "56");
	assert_int_equal(ks_buf_keep(&b, &a).n, 0);
	assert_true(ks_arena_failed(&a));
	ks_buf_release(&b);
	ks_arena_release(&a);
}

static void an_absurd_size_fails(void **state)
{
	struct ks_buf b;

	(void)state;
	ks_buf_init(&b, SIZE_MAX);
	ks_buf_add(&b, "x", 1);
	ks_buf_add(&b, "x", SIZE_MAX / 8);
	assert_true(ks_buf_failed(&b));
	assert_string_equal(ks_buf_text(&b), "x");
	ks_buf_release(&b);
}

int test_buf(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_buffer_is_an_empty_text),
		cmocka_unit_test(pieces_are_joined),
		cmocka_unit_test(the_ceiling_is_reached_but_not_passed),
		cmocka_unit_test(keeping_a_failed_buffer_fails_the_arena),
		cmocka_unit_test(an_absurd_size_fails),
	};

	return cmocka_run_group_tests_name("buf", tests, NULL, NULL);
}
