/* SPDX-License-Identifier: Apache-2.0
 *
 * What the writer writes is read back by jansson, a parser that is not ours, and compared by eye
 * where layout matters.
 */
#include "all.h"

#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/jsonw.h"

static void compact_has_no_blanks(void **state)
{
	struct capture c;
	struct ks_jsonw w;

	(void)state;
	capture_start(&c);
	ks_jsonw_init(&w, &c.out, 0);
	ks_jsonw_obj(&w);
	ks_jsonw_kv_i64(&w, "a", -5);
	ks_jsonw_key(&w, "list");
	ks_jsonw_arr(&w);
	ks_jsonw_bool(&w, true);
	ks_jsonw_null(&w);
	ks_jsonw_double(&w, 0.5);
	ks_jsonw_obj(&w);
	ks_jsonw_obj_end(&w);
	ks_jsonw_arr(&w);
	ks_jsonw_arr_end(&w);
	ks_jsonw_arr_end(&w);
	ks_jsonw_kv_cstr(&w, "t", "x");
	ks_jsonw_obj_end(&w);
	expect_written(&c, "{\"a\":-5,\"list\":[true,null,0.5,{},[]],\"t\":\"x\"}");
	capture_end(&c);
}

static void what_is_not_known_is_null_and_a_list_is_whole(void **state)
{
	const ks_str two[] = { KS_LIT("a"), KS_LIT("") };
	struct capture c;
	struct ks_jsonw w;

	(void)state;
	capture_start(&c);
	ks_jsonw_init(&w, &c.out, 0);
	ks_jsonw_obj(&w);
	ks_jsonw_kv_known(&w, "x", KS_LIT("y"));
	ks_jsonw_kv_known(&w, "none", KS_LIT(""));
	ks_jsonw_kv_strs(&w, "two", two, 2);
	ks_jsonw_kv_strs(&w, "no", NULL, 0);
	ks_jsonw_obj_end(&w);
	expect_written(&c, "{\"x\":\"y\",\"none\":null,\"two\":[\"a\",\"\"],\"no\":[]}");
	capture_end(&c);
}

static void indented_is_laid_out_as_python_does(void **state)
{
	struct capture c;
	struct ks_jsonw w;

	(void)state;
	capture_start(&c);
	ks_jsonw_init(&w, &c.out, 2);
	ks_jsonw_obj(&w);
	ks_jsonw_kv_i64(&w, "a", 1);
	ks_jsonw_key(&w, "b");
	ks_jsonw_arr(&w);
	ks_jsonw_i64(&w, 1);
	ks_jsonw_obj(&w);
	ks_jsonw_kv_bool(&w, "c", false);
	ks_jsonw_obj_end(&w);
	ks_jsonw_arr_end(&w);
	ks_jsonw_key(&w, "d");
	ks_jsonw_obj(&w);
	ks_jsonw_obj_end(&w);
	ks_jsonw_obj_end(&w);
	/* python3 -c 'json.dumps({"a":1,"b":[1,{"c":False}],"d":{}}, indent=2)' */
	expect_written(
		&c, "{\n  \"a\": 1,\n  \"b\": [\n    1,\n    {\n      \"c\": false\n    }\n  ],\n"
		    "  \"d\": {}\n}");
	capture_end(&c);
}

static void numbers_keep_their_value(void **state)
{
	struct capture c;
	struct ks_jsonw w;

	(void)state;
	capture_start(&c);
	ks_jsonw_init(&w, &c.out, 0);
	ks_jsonw_arr(&w);
	ks_jsonw_i64(&w, INT64_MIN);
	ks_jsonw_u64(&w, UINT64_MAX);
	ks_jsonw_double(&w, 1e300);
	ks_jsonw_double(&w, 3.0);
	ks_jsonw_kv_double(&(struct ks_jsonw){ .out = &c.out }, "k", 0.1);
	ks_jsonw_arr_end(&w);
	expect_written(&c, "[-9223372036854775808,18446744073709551615,1e+300,3\"k\":0.1]");
	capture_end(&c);
}

#ifndef KS_DEBUG
static void no_number_that_json_lacks_is_written(void **state)
{
	struct capture c;
	struct ks_jsonw w;

	(void)state;
	capture_start(&c);
	ks_jsonw_init(&w, &c.out, 0);
	ks_jsonw_arr(&w);
	ks_jsonw_double(&w, (double)NAN);
	ks_jsonw_double(&w, (double)INFINITY);
	ks_jsonw_arr_end(&w);
	expect_written(&c, "[null,null]");
	capture_end(&c);
}

static void too_deep_is_an_error_and_no_overflow(void **state)
{
	struct capture c;
	struct ks_jsonw w;

	(void)state;
	capture_start(&c);
	ks_jsonw_init(&w, &c.out, 0);
	for (int i = 0; i < KS_JSONW_DEPTH + 5; i++)
		ks_jsonw_arr(&w);
	assert_true(ks_out_failed(&c.out));
	assert_int_equal(ks_out_commit(&c.out, NULL), KS_E_OUTPUT);
	ks_buf_release(&c.buf);
}
#else
static void a_number_that_json_lacks_is_our_bug(void **state)
{
	const pid_t child = fork();
	int how;

	(void)state;
	assert_true(child >= 0);
	if (child == 0) {
		struct ks_out null;
		struct ks_jsonw w;

		(void)signal(SIGABRT, SIG_DFL);
		(void)!freopen("/dev/null", "w", stderr);
		ks_out_open_null(&null);
		ks_jsonw_init(&w, &null, 0);
		ks_jsonw_double(&w, (double)NAN);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &how, 0), child);
	assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGABRT);
}
#endif

/* Writes in as a string and gives back what jansson reads. */
static json_t *reread(ks_str in)
{
	struct capture c;
	struct ks_jsonw w;
	json_error_t error;

	capture_start(&c);
	ks_jsonw_init(&w, &c.out, 0);
	ks_jsonw_str(&w, in);
	for (size_t i = 0; i < c.buf.n; i++)
		assert_true((unsigned char)c.buf.p[i] >= 0x20 && c.buf.p[i] != 0x7F);

	json_t *v = json_loadb(c.buf.p, c.buf.n, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);

	assert_non_null(v);
	capture_end(&c);
	return v;
}

static void strings_are_read_back_the_same(void **state)
{
	static const ks_str cases[] = {
		BYTES(""),
		BYTES("plain"),
		BYTES("\"quoted\" \\ back"),
		BYTES("\n\t\r\b\f"),
		BYTES("\033[31mred\033[0m"),
		BYTES("nul \0 inside"),
		BYTES("\x7F"),
		BYTES("\xE6\xA0\xB8\xE5\xBF\x83"),
		BYTES("\xE2\x80\xAE"
		      "bidi"),
		BYTES("\xC2\x9B"),
		BYTES("\xF0\x9F\x98\x80"),
		BYTES("\xF3\xA0\x81\x81 tag"),
		BYTES("</script>"),
		BYTES("\xE2\x80\xA8"),
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		json_t *v = reread(cases[i]);

		assert_int_equal(json_string_length(v), cases[i].n);
		assert_memory_equal(json_string_value(v), cases[i].p, cases[i].n);
		json_decref(v);
	}
}

static void invalid_bytes_are_named(void **state)
{
	static const struct {
		ks_str in;
		const char *want;
	} cases[] = { { BYTES("a\xFFz"), "a\\xFFz" },
		      { BYTES("\xED\xA0\x80"), "\\xED\\xA0\\x80" },
		      { BYTES("\xC3"), "\\xC3" },
		      { BYTES("\x80\n"), "\\x80\n" } };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		json_t *v = reread(cases[i].in);

		assert_string_equal(json_string_value(v), cases[i].want);
		json_decref(v);
	}
}

static void escapes_as_written(void **state)
{
	struct capture c;
	struct ks_jsonw w;

	(void)state;
	capture_start(&c);
	ks_jsonw_init(&w, &c.out, 0);
	ks_jsonw_obj(&w);
	ks_jsonw_key_str(&w, STR("k\"\xFF"));
	ks_jsonw_str(&w, STR("\033\xE2\x80\xAE\xF3\xA0\x81\x81\xE6\xA0\xB8"));
	ks_jsonw_kv_str(&w, "n", KS_STR_NONE);
	ks_jsonw_obj_end(&w);
	expect_written(
		&c, "{\"k\\\"\\\\xFF\":\"\\u001b\\u202e\\udb40\\udc41\xE6\xA0\xB8\",\"n\":\"\"}");
	capture_end(&c);
}

int test_jsonw(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(compact_has_no_blanks),
		cmocka_unit_test(what_is_not_known_is_null_and_a_list_is_whole),
		cmocka_unit_test(indented_is_laid_out_as_python_does),
		cmocka_unit_test(numbers_keep_their_value),
#ifdef KS_DEBUG
		cmocka_unit_test(a_number_that_json_lacks_is_our_bug),
#else
		cmocka_unit_test(no_number_that_json_lacks_is_written),
		cmocka_unit_test(too_deep_is_an_error_and_no_overflow),
#endif
		cmocka_unit_test(strings_are_read_back_the_same),
		cmocka_unit_test(invalid_bytes_are_named),
		cmocka_unit_test(escapes_as_written),
	};

	return cmocka_run_group_tests_name("jsonw", tests, NULL, NULL);
}
