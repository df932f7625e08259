/* SPDX-License-Identifier: Apache-2.0
 *
 * Decoding by the table of Unicode 15 chapter 3 (well-formed sequences), and visible forms by hand.
 */
#include "all.h"

#include "base/utf8.h"

static void well_formed_sequences_decode(void **state)
{
	static const struct {
		const char *bytes;
		int32_t cp;
	} cases[] = {
		{ "A", 'A' },
		{ "\xC2\x80", 0x80 },
		{ "\xDF\xBF", 0x7FF },
		{ "\xE0\xA0\x80", 0x800 },
		{ "\xED\x9F\xBF", 0xD7FF },
		{ "\xEE\x80\x80", 0xE000 },
		{ "\xEF\xBF\xBF", 0xFFFF },
		{ "\xF0\x90\x80\x80", 0x10000 },
		{ "\xF4\x8F\xBF\xBF", 0x10FFFF },
		{ "\xE6\xA0\xB8", 0x6838 },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		const ks_str s = { cases[i].bytes, strlen(cases[i].bytes) };
		size_t at = 0;
		char back[4];

		assert_int_equal(ks_utf8_next(s, &at), cases[i].cp);
		assert_int_equal(at, s.n);
		assert_int_equal(ks_utf8_put(back, (uint32_t)cases[i].cp), s.n);
		assert_memory_equal(back, s.p, s.n);
		assert_true(ks_utf8_valid(s));
	}
}

static void ill_formed_sequences_are_taken_byte_by_byte(void **state)
{
	static const char *const cases[] = {
		"\x80",
		"\xBF",
		"\xC0\x80",
		"\xC1\xBF",
		"\xE0\x80\x80",
		"\xE0\x9F\xBF",
		"\xED\xA0\x80",
		"\xED\xBF\xBF",
		"\xF0\x8F\xBF\xBF",
		"\xF4\x90\x80\x80",
		"\xF5\x80\x80\x80",
		"\xFF",
		"\xC3",
		"\xE6\xA0",
		"\xF0\x9F\x98",
		"\xC3(",
		"\xE6\xA0(",
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		const ks_str s = { cases[i], strlen(cases[i]) };
		size_t at = 0;

		assert_int_equal(ks_utf8_next(s, &at), -1);
		assert_int_equal(at, 1);
		assert_false(ks_utf8_valid(s));
	}
	assert_true(ks_utf8_valid(STR("")));
	assert_true(ks_utf8_valid(STR("a\0b")));
}

static void code_points_that_must_not_be_shown(void **state)
{
	static const int32_t hostile[] = {
		0,	0x1F,	0x7F,	0x80,	0x9B,	 0x9F,	  0xAD,	   0x61C,    0x200B, 0x200E,
		0x200F, 0x2028, 0x2029, 0x202A, 0x202E,	 0x2066,  0x2069,  0xFEFF,   0xFDD0, 0xFFFE,
		0xFFFF, 0xFFF9, 0xD800, 0xDFFF, 0x1FFFE, 0xE0001, 0xE0041, 0x10FFFF,
	};
	static const int32_t shown[] = { ' ',	 '~',	 0xA0,	 0xE9,	 0x301,	  0x6838,
					 0xAC00, 0xE000, 0xFE0F, 0xFFFD, 0x1F600, 0xE0100 };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(hostile); i++)
		assert_true(ks_utf8_is_hostile(hostile[i]));
	for (size_t i = 0; i < KS_ARRAY_LEN(shown); i++)
		assert_false(ks_utf8_is_hostile(shown[i]));
}

static void collect(void *arg, const char *p, size_t n)
{
	ks_buf_add(arg, p, n);
}

static void what_is_not_shown_is_named(void **state)
{
	static const struct {
		ks_str in;
		const char *want;
		size_t cols;
	} cases[] = {
		{ BYTES("plain"), "plain", 5 },
		{ BYTES(""), "", 0 },
		{ BYTES("a\nb\tc\rd\033e"), "a\\nb\\tc\\rd\\ee", 13 },
		{ BYTES("a\0b"), "a\\u{0}b", 7 },
		{ BYTES("\x7F"), "\\u{7F}", 6 },
		{ BYTES("\xC2\x9B[31m"), "\\u{9B}[31m", 10 },
		{ BYTES("x\xFF\xC0y"), "x\\xFF\\xC0y", 10 },
		{ BYTES("\xE2\x80\xAE"
			"evil"),
		  "\\u{202E}evil", 12 },
		{ BYTES("\xF3\xA0\x81\x81"), "\\u{E0041}", 9 },
		{ BYTES("\xE6\xA0\xB8\xE5\xBF\x83"), "\xE6\xA0\xB8\xE5\xBF\x83", 4 },
		{ BYTES("e\xCC\x81"), "e\xCC\x81", 1 },
		{ BYTES("\xF4\x8F\xBF\xBF"), "\\u{10FFFF}", 10 },
		{ BYTES("\xED\xA0\x80"), "\\xED\\xA0\\x80", 12 },
	};
	struct ks_buf b;

	(void)state;
	ks_buf_init(&b, 1000);
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		ks_buf_reset(&b);
		ks_utf8_visible(cases[i].in, collect, &b);
		assert_string_equal(ks_buf_text(&b), cases[i].want);
		assert_int_equal(ks_utf8_columns(cases[i].in), cases[i].cols);
	}
	ks_buf_release(&b);
}

static void no_byte_string_yields_a_control_byte(void **state)
{
	struct ks_buf b;

	(void)state;
	ks_buf_init(&b, 1000);
	for (unsigned first = 0; first < 256; first++) {
		for (unsigned second = 0; second < 256; second++) {
			const char pair[] = { (char)first, (char)second, 'z' };

			ks_buf_reset(&b);
			ks_utf8_visible((ks_str){ pair, 3 }, collect, &b);
			assert_true(ks_utf8_valid(ks_buf_view(&b)));
			for (size_t i = 0; i < b.n; i++)
				assert_true((unsigned char)b.p[i] >= 0x20 && b.p[i] != 0x7F);
			assert_null(memmem(b.p, b.n, "\xC2\x9B", 2));
		}
	}
	ks_buf_release(&b);
}

static void prefixes_end_between_code_points(void **state)
{
	const ks_str s = STR("a\xE6\xA0\xB8\xC3\xA9z"); /* 1 + 3 + 2 + 1 bytes */
	static const size_t want[] = { 0, 1, 1, 1, 4, 4, 6, 7, 7 };
	const ks_str odd = STR("\xE6\xA0\xFF\xFF");

	(void)state;
	for (size_t n = 0; n < KS_ARRAY_LEN(want); n++)
		assert_int_equal(ks_utf8_prefix(s, n), want[n]);
	for (size_t n = 0; n <= odd.n; n++)
		assert_int_equal(ks_utf8_prefix(odd, n), n);
}

static void prefixes_fit_into_columns(void **state)
{
	const ks_str s = STR("a\xE6\xA0\xB8\nb"); /* 1 + 2 + 2 (as \n) + 1 columns */
	static const size_t want[] = { 0, 1, 1, 4, 4, 5, 6, 6 };

	(void)state;
	for (size_t n = 0; n < KS_ARRAY_LEN(want); n++)
		assert_int_equal(ks_utf8_prefix_columns(s, n), want[n]);
	/* an accent belongs to the letter before it */
	assert_int_equal(ks_utf8_prefix_columns(STR("e\xCC\x81x"), 1), 3);
}

static void widths(void **state)
{
	(void)state;
	assert_int_equal(ks_utf8_width('a'), 1);
	assert_int_equal(ks_utf8_width(0xE9), 1);
	assert_int_equal(ks_utf8_width(0x301), 0);
	assert_int_equal(ks_utf8_width(0x6838), 2);
	assert_int_equal(ks_utf8_width(0xFF21), 2);
	assert_int_equal(ks_utf8_width(0x1F600), 2);
}

int test_utf8(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(well_formed_sequences_decode),
		cmocka_unit_test(ill_formed_sequences_are_taken_byte_by_byte),
		cmocka_unit_test(code_points_that_must_not_be_shown),
		cmocka_unit_test(what_is_not_shown_is_named),
		cmocka_unit_test(no_byte_string_yields_a_control_byte),
		cmocka_unit_test(prefixes_end_between_code_points),
		cmocka_unit_test(prefixes_fit_into_columns),
		cmocka_unit_test(widths),
	};

	return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
