/* SPDX-License-Identifier: Apache-2.0
 *
 * Quoted words against what a real shell reads back, and command lines that people copy.
 */
#include "tests.h"

#include "base/str.h"
#include "base/shell.h"

static void words_are_quoted_only_where_needed(void **state)
{
	static const struct {
		const char *word, *quoted;
	} cases[] = {
		{ "run.sqlite", "run.sqlite" },
		{ "/a/b-c_d:e,f+g=h%i@j", "/a/b-c_d:e,f+g=h%i@j" },
		{ "a b", "'a b'" },
		{ "", "''" },
		{ "it's", "'it'\\''s'" },
		{ "$HOME", "'$HOME'" },
		{ "a;b", "'a;b'" },
		{ "\\", "'\\'" },
		{ "\xe6\xb5\x8b", "'\xe6\xb5\x8b'" },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct ks_buf b;

		ks_buf_init(&b, 100);
		ks_shell_word(&b, cases[i].word);
		assert_string_equal(ks_buf_text(&b), cases[i].quoted);
		ks_buf_release(&b);
	}
}

static void words_are_kept_apart(void **state)
{
	struct ks_buf b;

	(void)state;
	ks_buf_init(&b, 100);
	ks_shell_word(&b, "nsys");
	ks_shell_word(&b, "a b");
	ks_shell_word(&b, "c");
	assert_string_equal(ks_buf_text(&b), "nsys 'a b' c");
	ks_buf_release(&b);
}

static void a_word_too_long_for_a_command_is_left_out(void **state)
{
	struct ks_arena a;

	(void)state;
	ks_arena_init(&a, 4096);
	assert_string_equal(ks_shell_quoted(&a, KS_LIT("f<int>"), 8).p, "'f<int>'");
	assert_int_equal(ks_shell_quoted(&a, KS_LIT("f<int>"), 7).n, 0);
	assert_int_equal(ks_shell_quoted(&a, KS_LIT("a\0b"), 20).n, 0);
	assert_int_equal(ks_shell_quoted(&a, KS_STR_NONE, 20).n, 0);
	ks_arena_release(&a);
}

int test_shell(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_quoted_only_where_needed),
		cmocka_unit_test(words_are_kept_apart),
		cmocka_unit_test(a_word_too_long_for_a_command_is_left_out),
	};

	return cmocka_run_group_tests_name("shell", tests, NULL, NULL);
}
