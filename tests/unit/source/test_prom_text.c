/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of the Prometheus text format. Expected values: its documentation, and the examples there.
 */
#include "all.h"

#include "base/str.h"
#include "source/prom_text.h"

static void expect_key(const struct ks_prom_series *s, const char *key)
{
	struct ks_buf b;

	ks_buf_init(&b, 4096);
	ks_prom_key(&b, s);
	assert_string_equal(ks_buf_text(&b), key);
	ks_buf_release(&b);
}

static void expect_number(const char *line, const char *key, double v)
{
	struct ks_prom_series s;
	const enum ks_tel_why why = ks_prom_line(ks_str_c(line), &s);

	if (why != KS_TEL_FINE || s.number < v || s.number > v)
		fail_msg("%s: %s, %g", line, ks_tel_why_word(why), s.number);
	expect_key(&s, key);
}

static void expect_why(const char *line, enum ks_tel_why want)
{
	struct ks_prom_series s;
	const enum ks_tel_why why = ks_prom_line(ks_str_c(line), &s);

	if (why != want)
		fail_msg("%s: %s instead of %s", line, ks_tel_why_word(why), ks_tel_why_word(want));
}

static void values_in_every_spelling(void **state)
{
	(void)state;
	expect_number("a 1", "a", 1.0);
	expect_number("  a\t-1.5e3 ", "a", -1500.0);
	expect_number("a{} +2", "a", 2.0);
	expect_number("a 1 1395066363000", "a", 1.0);
	expect_number("a 1 -3982045", "a", 1.0);
	expect_number("a:b_9{x=\"\"} 0", "a:b_9{x=\"\"}", 0.0);
}

static void labels_are_sorted_and_kept_as_they_stand(void **state)
{
	(void)state;
	expect_number("m{z=\"1\",a=\"x,y}\",k = \"q\\\"\\\\\\n\" , } 3",
		      "m{a=\"x,y}\",k=\"q\\\"\\\\\\n\",z=\"1\"}", 3.0);
}

static void a_label_is_read_without_its_escapes(void **state)
{
	struct ks_prom_series s;
	struct ks_arena a;

	(void)state;
	ks_arena_init(&a, 65536);
	assert_int_equal(ks_prom_line(KS_LIT("m{a=\"x\\\"y\\\\z\\n\"} 1"), &s), KS_TEL_FINE);
	const ks_str text = ks_prom_label_text(&a, &s, "a");

	assert_true(ks_str_eqc(text, "x\"y\\z\n"));
	assert_int_equal(ks_prom_label_text(&a, &s, "b").n, 0);
	ks_arena_release(&a);
}

static void an_exemplar_is_passed_over(void **state)
{
	(void)state;
	expect_number("a 17 # {trace_id=\"oHg5SJYRHA0\"} 9.8 1520879607.789", "a", 17.0);
	expect_number("a 17 1520879607.789 # {t=\"1\"} 3", "a", 17.0);
}

static void the_first_reason_that_applies(void **state)
{
	(void)state;
	expect_why("a 1 2 3", KS_TEL_EXTRA_TOKENS);
	expect_why("a x y z", KS_TEL_EXTRA_TOKENS);
	expect_why("a x y", KS_TEL_BAD_TIMESTAMP);
	expect_why("a x", KS_TEL_BAD_VALUE);
	expect_why("a 0x10", KS_TEL_BAD_VALUE);
	expect_why("a 1,5", KS_TEL_BAD_VALUE);
	expect_why("a 1e999", KS_TEL_BAD_VALUE);
	expect_why("a NaN", KS_TEL_NAN);
	expect_why("a nan", KS_TEL_NAN);
	expect_why("a +Inf", KS_TEL_INF);
	expect_why("a -inf", KS_TEL_INF);
}

static void what_is_no_series(void **state)
{
	static const char *const lines[] = {
		"9a 1",
		"a",
		"a ",
		"-",
		"a{b=\"1\" 2",
		"a{b=\"1} 2",
		"a{b=1} 2",
		"a{9=\"1\"} 2",
		"a{b=\"1\",b=\"2\"} 2",
		"a{b=\"\\t\"} 2",
		"a-b 1",
		"a{b=\"1\"c=\"2\"} 1",
		"{a=\"b\"} 1",
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(lines); i++)
		expect_why(lines[i], KS_TEL_BAD_LINE);
}

static void more_labels_than_there_is_room_for(void **state)
{
	struct ks_buf b;
	struct ks_prom_series s;

	(void)state;
	ks_buf_init(&b, 65536);
	ks_buf_cstr(&b, "a{");
	for (int i = 0; i <= KS_PROM_LABELS; i++)
		ks_buf_fmt(&b, "l%d=\"x\",", i);
	ks_buf_cstr(&b, "} 1");
	assert_int_equal(ks_prom_line(ks_buf_view(&b), &s), KS_TEL_BAD_LINE);
	ks_buf_release(&b);
}

static void a_type_is_read(void **state)
{
	ks_str name, type;

	(void)state;
	assert_true(ks_prom_type(KS_LIT("# TYPE a counter"), &name, &type));
	assert_true(ks_str_eqc(name, "a") && ks_str_eqc(type, "counter"));
	assert_false(ks_prom_type(KS_LIT("# HELP a counter"), &name, &type));
	assert_false(ks_prom_type(KS_LIT("# TYPE a"), &name, &type));
	assert_false(ks_prom_type(KS_LIT("a 1"), &name, &type));
}

int test_prom_text(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_in_every_spelling),
		cmocka_unit_test(labels_are_sorted_and_kept_as_they_stand),
		cmocka_unit_test(a_label_is_read_without_its_escapes),
		cmocka_unit_test(an_exemplar_is_passed_over),
		cmocka_unit_test(the_first_reason_that_applies),
		cmocka_unit_test(what_is_no_series),
		cmocka_unit_test(more_labels_than_there_is_room_for),
		cmocka_unit_test(a_type_is_read),
	};

	return cmocka_run_group_tests_name("prom text", tests, NULL, NULL);
}
