/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies are deep, JSON and text forms are as written here by hand.
 */
#include "all.h"

#include <math.h>

#include "evidence/value.h"

static const ks_str pair[] = { { "a", 1 }, { "b\"", 2 } };
static const struct ks_kv fields[] = {
	{ { "kernel", 6 }, { .kind = KS_V_TEXT, .s = { "k1", 2 } } },
	{ { "pct", 3 }, { .kind = KS_V_REAL, .d = 12.5 } },
};
static const struct ks_value items[] = {
	{ .kind = KS_V_OBJECT, .field = fields, .n = 2 },
	{ .kind = KS_V_INT, .i = -3 },
};

static void expect_forms(struct ks_value v, const char *json, const char *text)
{
	struct ks_buf b;
	struct ks_out out;
	struct ks_jsonw w;
	struct ks_arena a;

	ks_arena_init(&a, 1u << 20);
	ks_buf_init(&b, 4096);
	struct ks_value copy = ks_value_copy(&a, v);

	ks_out_open_mem(&out, &b);
	ks_jsonw_init(&w, &out, 0);
	ks_value_json(&w, &copy);
	assert_int_equal(ks_out_commit(&out, NULL), KS_OK);
	assert_string_equal(ks_buf_text(&b), json);
	ks_buf_reset(&b);
	ks_value_text(&b, &copy);
	assert_string_equal(ks_buf_text(&b), text);
	ks_buf_release(&b);
	ks_arena_release(&a);
}

static void every_kind_has_its_json_and_its_text(void **state)
{
	(void)state;
	expect_forms(KS_VAL_NONE, "null", "");
	expect_forms(KS_VAL_INT(INT64_MIN), "-9223372036854775808", "-9223372036854775808");
	expect_forms(KS_VAL_REAL(0.1), "0.1", "0.1");
	expect_forms(KS_VAL_REAL(4.755), "4.755", "4.755");
	expect_forms(KS_VAL_TEXT(KS_LIT("a\nb")), "\"a\\nb\"", "a\nb");
	expect_forms(KS_VAL_BOOL(true), "true", "true");
	expect_forms(KS_VAL_BOOL(false), "false", "false");
	expect_forms((struct ks_value){ .kind = KS_V_LIST, .list = pair, .n = 2 },
		     "[\"a\",\"b\\\"\"]", "a, b\"");
	expect_forms((struct ks_value){ .kind = KS_V_LIST }, "[]", "");
	expect_forms((struct ks_value){ .kind = KS_V_ARRAY, .item = items, .n = 2 },
		     "[{\"kernel\":\"k1\",\"pct\":12.5},-3]", "kernel=k1 pct=12.5, -3");
	expect_forms((struct ks_value){ .kind = KS_V_OBJECT }, "{}", "");
}

static void an_object_is_written_with_its_keys_in_order(void **state)
{
	const struct ks_kv kv[] = {
		{ KS_LIT("zeta"), KS_VAL_INT(1) },  { KS_LIT("alpha"), KS_VAL_INT(2) },
		{ KS_LIT("alpha"), KS_VAL_INT(3) }, { KS_LIT("mid"), KS_VAL_INT(4) },
		{ KS_LIT(""), KS_VAL_INT(5) },
	};
	struct ks_buf b;
	struct ks_out out;
	struct ks_jsonw w;

	(void)state;
	ks_buf_init(&b, 4096);
	ks_out_open_mem(&out, &b);
	ks_jsonw_init(&w, &out, 0);
	ks_jsonw_arr(&w);
	ks_kvs_json(&w, kv, KS_ARRAY_LEN(kv));
	ks_kvs_json(&w, NULL, 0);
	ks_jsonw_arr_end(&w);
	assert_int_equal(ks_out_commit(&out, NULL), KS_OK);
	assert_string_equal(ks_buf_text(&b),
			    "[{\"\":5,\"alpha\":2,\"alpha\":3,\"mid\":4,\"zeta\":1},{}]");
	ks_buf_release(&b);
}

static void a_copy_shares_nothing_with_its_source(void **state)
{
	char text[] = "gone", key[] = "key";
	ks_str list[] = { { text, 4 } };
	const struct ks_kv kv[] = {
		{ { key, 3 }, { .kind = KS_V_LIST, .list = list, .n = 1 } },
	};
	struct ks_arena a;

	(void)state;
	ks_arena_init(&a, 1u << 20);
	const struct ks_kv *copy = ks_kvs_copy(&a, kv, 1);

	memset(text, 'x', 4);
	memset(key, 'x', 3);
	list[0].n = 0;
	expect_str(copy[0].key, "key");
	expect_str(copy[0].value.list[0], "gone");
	assert_null(ks_kvs_copy(&a, NULL, 0));
	ks_arena_release(&a);
}

static void a_copy_without_memory_is_empty_and_the_arena_knows(void **state)
{
	struct ks_arena a;

	(void)state;
	ks_arena_init(&a, 16);
	struct ks_value v =
		ks_value_copy(&a, (struct ks_value){ .kind = KS_V_ARRAY, .item = items, .n = 2 });

	assert_int_equal(v.n, 0);
	assert_true(ks_arena_failed(&a));
	ks_arena_release(&a);
}

static void numbers_are_told_from_the_rest(void **state)
{
	const struct ks_value real = KS_VAL_REAL(2.5), whole = KS_VAL_INT(3),
			      text = KS_VAL_TEXT(KS_LIT("3"));
	const struct ks_value nan = KS_VAL_REAL((double)NAN), inf = KS_VAL_REAL(-HUGE_VAL);

	(void)state;
	assert_true(ks_value_is_number(&real));
	assert_true(ks_value_is_number(&whole));
	assert_false(ks_value_is_number(&text));
	expect_double(ks_value_real(&real), 2.5);
	expect_double(ks_value_real(&whole), 3.0);
	expect_double(ks_value_real(&text), 0.0);
	assert_true(ks_value_finite(&real));
	assert_true(ks_value_finite(&text));
	assert_false(ks_value_finite(&nan));
	assert_false(ks_value_finite(&inf));
}

int test_value(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_has_its_json_and_its_text),
		cmocka_unit_test(an_object_is_written_with_its_keys_in_order),
		cmocka_unit_test(a_copy_shares_nothing_with_its_source),
		cmocka_unit_test(a_copy_without_memory_is_empty_and_the_arena_knows),
		cmocka_unit_test(numbers_are_told_from_the_rest),
	};

	return cmocka_run_group_tests_name("value", tests, NULL, NULL);
}
