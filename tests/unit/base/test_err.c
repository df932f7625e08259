/* SPDX-License-Identifier: Apache-2.0
 *
 * The first error is the one that is kept, with its arguments cut between code points.
 */
#include "all.h"

#include "base/err.h"
#include "base/utf8.h"
#include "base/str.h"

#include <errno.h>

static void the_first_error_wins(void **state)
{
	struct ks_err err;

	(void)state;
	ks_err_init(&err);
	assert_int_equal(ks_err_at(&err, "nowhere", 1), KS_OK);
	assert_string_equal(err.where, "");
	assert_int_equal(ks_err_set(&err, KS_E_INPUT, 7, "a", "b", NULL), KS_E_INPUT);
	assert_int_equal(ks_err_set(&err, KS_E_OUTPUT, 8, "c", NULL), KS_E_OUTPUT);
	assert_int_equal(err.status, KS_E_INPUT);
	assert_int_equal(err.text, 7);
	assert_int_equal(err.n_args, 2);
	assert_string_equal(err.arg[1], "b");
	assert_int_equal(err.offset, -1);
	assert_int_equal(ks_err_at(&err, "run.sqlite", 12), KS_E_INPUT);
	assert_int_equal(ks_err_at(&err, "other", 13), KS_E_INPUT);
	assert_string_equal(err.where, "run.sqlite");
	assert_int_equal(err.offset, 12);
}

static void without_a_record_the_status_is_all(void **state)
{
	(void)state;
	assert_int_equal(ks_err_set(NULL, KS_E_ENV, 7, "a", NULL), KS_E_ENV);
	assert_int_equal(ks_err_at(NULL, "x", 0),
			 KS_E_INPUT); /* a failure that nobody reads is still one */
}

static void long_arguments_are_cut_between_code_points(void **state)
{
	char name[600] = "";
	struct ks_err err;

	(void)state;
	for (int i = 0; i < 150; i++) /* three bytes each: 450 */
		memcpy(name + 3 * i, "\xE6\xA0\xB8", 4);
	ks_err_init(&err);
	ks_err_set(&err, KS_E_INPUT, 7, name, NULL);
	assert_int_equal(strlen(err.arg[0]),
			 84 * 3 + 3); /* 252 bytes are the most that fit before ... */
	assert_true(ks_utf8_valid(ks_str_c(err.arg[0])));
	assert_string_equal(err.arg[0] + 252, "...");
	ks_err_init(&err);
	ks_err_set(&err, KS_E_INPUT, 7, "1", "2", "3", "4", "5", NULL);
	assert_int_equal(err.n_args, KS_ERR_ARGS);
}

static void errno_values_have_one_name_in_every_language(void **state)
{
	char name[32];

	(void)state;
	assert_string_equal(ks_err_errno(name, ENOSPC), "ENOSPC");
	assert_string_equal(ks_err_errno(name, EACCES), "EACCES");
	assert_string_equal(ks_err_errno(name, 99999), "errno 99999");
	assert_string_equal(ks_err_errno(name, -1), "errno -1");
}

static const struct {
	const char *en, *zh;
} texts[] = {
#define KS_TEXT(id, en, zh) { en, zh },
#include "base/text_base.def"
#undef KS_TEXT
};

static unsigned placeholders(const char *text)
{
	unsigned set = 0;

	for (; *text; text++) {
		if (text[0] == '{' && text[1] >= '0' && text[1] < '0' + KS_ERR_ARGS &&
		    text[2] == '}')
			set |= 1u << (text[1] - '0');
	}
	return set;
}

static void both_languages_name_the_same_arguments(void **state)
{
	(void)state;
	assert_int_equal(KS_BASE_TEXT_COUNT, KS_ARRAY_LEN(texts) + 2);
	for (size_t i = 0; i < KS_ARRAY_LEN(texts); i++) {
		assert_true(ks_utf8_valid(ks_str_c(texts[i].zh)));
		assert_int_equal(placeholders(texts[i].en), placeholders(texts[i].zh));
		assert_null(strchr(texts[i].en, '\n'));
	}
}

int test_err(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_error_wins),
		cmocka_unit_test(without_a_record_the_status_is_all),
		cmocka_unit_test(long_arguments_are_cut_between_code_points),
		cmocka_unit_test(errno_values_have_one_name_in_every_language),
		cmocka_unit_test(both_languages_name_the_same_arguments),
	};

	return cmocka_run_group_tests_name("err", tests, NULL, NULL);
}
