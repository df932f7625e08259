/* SPDX-License-Identifier: Apache-2.0
 *
 * Filling in messages and choosing the language.
 */
#include "tests.h"

static void expect_literal(const char *arg, size_t n, const char *want)
{
	struct ks_buf b;
	const ks_str s = { arg, n };
	const struct ks_msg m = { KS_TEXT_LITERAL, 1, &s };

	ks_buf_init(&b, 4096);
	ks_msg_fmt(&b, KS_LANG_ZH, &m);
	assert_int_equal(ks_buf_view(&b).n, n);
	assert_memory_equal(ks_buf_text(&b), want, n);
	ks_buf_release(&b);
}

static void a_literal_message_is_its_argument_byte_for_byte(void **state)
{
	(void)state;
	expect_literal("plain", 5, "plain");
	expect_literal("{0} {1} {", 9, "{0} {1} {"); /* arguments are not filled in again */
	expect_literal("a\0b\xff", 4, "a\0b\xff");
}

static void a_missing_argument_leaves_a_gap_and_no_message_is_empty(void **state)
{
	struct ks_buf b;

	(void)state;
	ks_buf_init(&b, 4096);
	ks_text_fmt(&b, KS_LANG_EN, KS_TEXT_LITERAL, 0, NULL);
	ks_text_fmt(&b, KS_LANG_EN, KS_TEXT_NONE, 0, NULL);
	assert_int_equal(ks_buf_view(&b).n, 0);
	ks_buf_release(&b);
	assert_string_equal(ks_text_get((enum ks_text)(KS_TEXT_COUNT + 7), KS_LANG_ZH), "");
}

static void a_locale_name_gives_its_language(void **state)
{
	static const struct {
		const char *word;
		int lang; /* -1: names none that we have */
	} cases[] = {
		{ "en", KS_LANG_EN },
		{ "zh", KS_LANG_ZH },
		{ "zh_CN.UTF-8", KS_LANG_ZH },
		{ "ZH", KS_LANG_ZH },
		{ "zh-Hans", KS_LANG_ZH },
		{ "en_US.UTF-8", KS_LANG_EN },
		{ "C", KS_LANG_EN },
		{ "C.UTF-8", KS_LANG_EN },
		{ "POSIX", KS_LANG_EN },
		{ "fr_FR.UTF-8", -1 },
		{ "", -1 },
		{ "zhuang", -1 },
		{ "averylongwordindeed", -1 },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		enum ks_lang lang = KS_LANG_EN;
		const bool known = ks_lang_parse(STR(cases[i].word), &lang);

		assert_int_equal(known ? (int)lang : -1, cases[i].lang);
	}
}

static const char *no_env(const char *name)
{
	(void)name;
	return NULL;
}

static const char *chinese_lang(const char *name)
{
	return strcmp(name, "LANG") ? NULL : "zh_CN.UTF-8";
}

static const char *c_over_chinese(const char *name)
{
	if (!strcmp(name, "LC_ALL"))
		return "C";
	return chinese_lang(name);
}

static const char *french_over_chinese(const char *name)
{
	if (!strcmp(name, "LC_MESSAGES"))
		return "fr_FR.UTF-8";
	return chinese_lang(name);
}

static const char *own_over_c(const char *name)
{
	if (!strcmp(name, "KERNOSCOPE_LANG"))
		return "zh";
	return c_over_chinese(name);
}

static const char *empty_over_chinese(const char *name)
{
	if (!strcmp(name, "LC_ALL"))
		return "";
	return chinese_lang(name);
}

static void the_first_setting_that_counts_decides_the_language(void **state)
{
	(void)state;
	assert_int_equal(ks_lang_pick(NULL, NULL), KS_LANG_EN);
	assert_int_equal(ks_lang_pick(NULL, no_env), KS_LANG_EN);
	assert_int_equal(ks_lang_pick("zh", no_env), KS_LANG_ZH);
	assert_int_equal(ks_lang_pick("en", own_over_c), KS_LANG_EN);
	assert_int_equal(ks_lang_pick(NULL, own_over_c), KS_LANG_ZH);
	assert_int_equal(ks_lang_pick(NULL, chinese_lang), KS_LANG_ZH);
	assert_int_equal(ks_lang_pick(NULL, c_over_chinese), KS_LANG_EN);
	assert_int_equal(ks_lang_pick(NULL, french_over_chinese), KS_LANG_EN);
	assert_int_equal(ks_lang_pick(NULL, empty_over_chinese), KS_LANG_ZH);
}

int test_text(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_literal_message_is_its_argument_byte_for_byte),
		cmocka_unit_test(a_missing_argument_leaves_a_gap_and_no_message_is_empty),
		cmocka_unit_test(a_locale_name_gives_its_language),
		cmocka_unit_test(the_first_setting_that_counts_decides_the_language),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
