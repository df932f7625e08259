/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers for people, line breaking, labels; expectations written out by hand.
 */
#include "all.h"

#include "base/str.h"
#include "base/utf8.h"
#include "render/pen.h"

struct desk {
	struct ks_arena tmp;
	struct ks_buf b;
	struct ks_out out;
	struct ks_term term;
	struct ks_pen pen;
};

static void set_up(struct desk *d, int cols)
{
	ks_arena_init(&d->tmp, 1 << 24);
	ks_buf_init(&d->b, 1 << 24);
	ks_out_open_mem(&d->out, &d->b);
	d->term = (struct ks_term){ .utf8 = true, .cols = cols, .rows = 24 };
	d->pen = (struct ks_pen){
		.out = &d->out, .term = &d->term, .lang = KS_LANG_EN, .tmp = &d->tmp
	};
}

static const char *written(struct desk *d)
{
	assert_int_equal(ks_out_commit(&d->out, NULL), KS_OK);
	return ks_buf_text(&d->b);
}

static void tear_down(struct desk *d)
{
	ks_buf_release(&d->b);
	ks_arena_release(&d->tmp);
}

static void durations_keep_four_digits(void **state)
{
	static const struct {
		ks_ns ns;
		const char *utf8, *ascii;
	} cases[] = {
		{ 0, "0 ns", "0 ns" },
		{ 999, "999 ns", "999 ns" },
		{ 1000, "1.000 \xc2\xb5s", "1.000 us" },
		{ 951000, "951.0 \xc2\xb5s", "951.0 us" },
		{ 4755000, "4.755 ms", "4.755 ms" },
		{ 12345678, "12.35 ms", "12.35 ms" },
		{ 61000000000, "61.00 s", "61.00 s" },
		{ 7200000000000, "7,200 s", "7,200 s" },
	};
	struct desk d;

	(void)state;
	set_up(&d, 80);
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		d.term.utf8 = true;
		assert_string_equal(ks_pen_duration(&d.pen, cases[i].ns).p, cases[i].utf8);
		d.term.utf8 = false;
		assert_string_equal(ks_pen_duration(&d.pen, cases[i].ns).p, cases[i].ascii);
	}
	tear_down(&d);
}

static void bytes_and_grouped_numbers(void **state)
{
	struct desk d;

	(void)state;
	set_up(&d, 80);
	assert_string_equal(ks_pen_bytes(&d.pen, 512).p, "512 B");
	assert_string_equal(ks_pen_bytes(&d.pen, 1500).p, "1.500 kB");
	assert_string_equal(ks_pen_bytes(&d.pen, 123456789).p, "123.5 MB");
	assert_string_equal(ks_pen_bytes(&d.pen, UINT64_MAX).p, "18,447 PB");
	assert_string_equal(ks_pen_fixed(&d.pen, 1234567.891, 3).p, "1,234,567.891");
	assert_string_equal(ks_pen_fixed(&d.pen, -1234.5, 1).p, "-1,234.5");
	assert_string_equal(ks_pen_fixed(&d.pen, 0.0, 1).p, "0.0");
	assert_string_equal(ks_pen_u64(&d.pen, 1048576).p, "1,048,576");
	tear_down(&d);
}

static void costs_read_as_the_contract_says(void **state)
{
	struct desk d;

	(void)state;
	set_up(&d, 80);
	assert_string_equal(ks_pen_cost(&d.pen, KS_COST_IMPOSSIBLE, 0).p,
			    "the number itself cannot be had here");
	assert_string_equal(ks_pen_cost(&d.pen, KS_COST_MANUAL, 0).p, "manual");
	assert_string_equal(ks_pen_cost(&d.pen, KS_COST_WALL, 20).p, "about 20 s");
	assert_string_equal(ks_pen_cost(&d.pen, KS_COST_WALL, 600).p, "about 10 min");
	tear_down(&d);
}

static void expect_wrapped(int cols, struct ks_wrap how, const char *text, const char *want)
{
	struct desk d;

	set_up(&d, cols);
	ks_pen_wrap(&d.pen, &how, ks_str_c(text));
	assert_string_equal(written(&d), want);
	assert_int_equal(d.pen.lines, lines_in(want));
	tear_down(&d);
}

static void text_breaks_at_blanks(void **state)
{
	(void)state;
	expect_wrapped(10, (struct ks_wrap){ 0 }, "one two three", "one two\nthree\n");
	expect_wrapped(10, (struct ks_wrap){ 0 }, "exactly te n", "exactly te\nn\n");
	expect_wrapped(10, (struct ks_wrap){ .hang = 2 }, "one two three", "one two\n  three\n");
	expect_wrapped(10, (struct ks_wrap){ .at = 6 }, "one two", "one\ntwo\n");
	expect_wrapped(10, (struct ks_wrap){ 0 }, "", "\n");
}

static void what_is_too_long_breaks_anywhere(void **state)
{
	(void)state;
	expect_wrapped(5, (struct ks_wrap){ 0 }, "abcdefghijkl", "abcde\nfghij\nkl\n");
	expect_wrapped(5, (struct ks_wrap){ .at = 5, .hang = 5 }, "ab", "a\n     b\n");
}

static void wide_characters_break_between_each_other(void **state)
{
	(void)state;
	expect_wrapped(7, (struct ks_wrap){ 0 }, "\xe5\x90\x91\xe9\x87\x8f\xe5\x8a\xa0\xe6\xb3\x95",
		       "\xe5\x90\x91\xe9\x87\x8f\xe5\x8a\xa0\n\xe6\xb3\x95\n");
	/* closing punctuation does not begin a line */
	expect_wrapped(6, (struct ks_wrap){ 0 },
		       "\xe5\x90\x91\xe9\x87\x8f\xe5\x8a\xa0\xef\xbc\x8c\xe6\xb3\x95",
		       "\xe5\x90\x91\xe9\x87\x8f\n\xe5\x8a\xa0\xef\xbc\x8c\xe6\xb3\x95\n");
}

static void the_last_allowed_line_is_cut_with_a_mark(void **state)
{
	(void)state;
	expect_wrapped(10, (struct ks_wrap){ .lines = 2 }, "one two three four five six",
		       "one two\nthree fou\xe2\x80\xa6\n");
	expect_wrapped(10, (struct ks_wrap){ .lines = 2 }, "one two three four",
		       "one two\nthree four\n");
}

static void wrapped_text_is_visible(void **state)
{
	struct desk d;

	(void)state;
	for (size_t i = 0; i < n_hostile_names; i++) {
		set_up(&d, 20);
		ks_pen_wrap(&d.pen, &(struct ks_wrap){ .hang = 2 }, hostile_names[i]);
		const char *text = written(&d);

		expect_no_control_bytes(text, false);
		expect_no_line_wider(text, 20);
		tear_down(&d);
	}
}

static void a_full_width_colon_needs_no_blank(void **state)
{
	struct desk d;

	(void)state;
	set_up(&d, 40);
	ks_pen_labelled(&d.pen, 2, KS_TEXT_R_NOTE, KS_LIT("x"));
	d.pen.lang = KS_LANG_ZH;
	ks_pen_labelled(&d.pen, 0, KS_TEXT_R_NOTE, KS_LIT("x"));
	ks_pen_labelled(&d.pen, 0, KS_TEXT_R_NOTE, KS_LIT(""));
	assert_string_equal(written(&d), "  note: x\n\xe6\xb3\xa8\xef\xbc\x9ax\n");
	tear_down(&d);
}

static void facts_with_lists_stay_readable(void **state)
{
	const struct ks_kv field[] = { { KS_LIT("kernel"), KS_VAL_TEXT(KS_LIT("gemm")) },
				       { KS_LIT("pct"), KS_VAL_REAL(96.5) } };
	const struct ks_value item[] = { { .kind = KS_V_OBJECT, .field = field, .n = 2 } };
	const struct ks_kv kv[] = { { KS_LIT("n"), KS_VAL_INT(3) },
				    { KS_LIT("price"), KS_VAL_NONE },
				    { KS_LIT("top"),
				      { .kind = KS_V_ARRAY, .item = item, .n = 1 } } };
	struct desk d;

	(void)state;
	set_up(&d, 80);
	assert_string_equal(ks_pen_kvs(&d.pen, kv, 3).p,
			    "n=3 \xc2\xb7 price=unknown \xc2\xb7 top=[{kernel=gemm pct=96.5}]");
	tear_down(&d);
}

int test_pen(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations_keep_four_digits),
		cmocka_unit_test(bytes_and_grouped_numbers),
		cmocka_unit_test(costs_read_as_the_contract_says),
		cmocka_unit_test(text_breaks_at_blanks),
		cmocka_unit_test(what_is_too_long_breaks_anywhere),
		cmocka_unit_test(wide_characters_break_between_each_other),
		cmocka_unit_test(the_last_allowed_line_is_cut_with_a_mark),
		cmocka_unit_test(wrapped_text_is_visible),
		cmocka_unit_test(a_full_width_colon_needs_no_blank),
		cmocka_unit_test(facts_with_lists_stay_readable),
	};

	return cmocka_run_group_tests_name("pen", tests, NULL, NULL);
}
