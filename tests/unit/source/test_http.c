/* SPDX-License-Identifier: Apache-2.0
 *
 * What is refused before anything is sent; the network itself is tests/cli/telemetry_url.t.
 */
#include "all.h"

#include "base/str.h"
#include "source/http.h"
#include "source/telemetry.h"

static enum ks_tel_why get(const char *url, const char *library, char detail[64])
{
	const struct ks_http_ask ask = {
		.url = url, .timeout_s = 1.0, .clock = &ks_clock_system, .library = library
	};
	struct ks_buf body;

	ks_buf_init(&body, 4096);
	const enum ks_tel_why why = ks_http_get(&ask, &body, detail, 64);

	assert_int_equal(body.n, 0);
	ks_buf_release(&body);
	return why;
}

static void without_the_library_it_is_not_built_in(void **state)
{
	char detail[64];

	(void)state;
	assert_int_equal(get("http://127.0.0.1:1/", "libnowhere.so.9", detail),
			 KS_TEL_NOT_BUILT_IN);
	assert_string_equal(detail, "libcurl");
	/* a library of another kind is none either */
	assert_int_equal(get("http://127.0.0.1:1/", "libm.so.6", detail), KS_TEL_NOT_BUILT_IN);
}

static void other_schemes_are_not_asked(void **state)
{
	static const char *const urls[] = { "file:///etc/passwd", "ftp://a/b", "httpx://a",
					    "gopher://a" };
	char detail[64];

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(urls); i++)
		assert_int_equal(get(urls[i], "libnowhere.so.9", detail),
				 KS_TEL_UNSUPPORTED_SCHEME);
}

static void credentials_are_not_sent(void **state)
{
	char detail[64];

	(void)state;
	assert_int_equal(get("http://a:b@c/d", "libnowhere.so.9", detail), KS_TEL_NETWORK_ERROR);
	assert_string_equal(detail, "credentials");
	assert_true(ks_http_has_credentials("https://a@b"));
	/* libcurl takes a third slash as none, and a backslash as a part of the name */
	assert_int_equal(get("http:///a:b@c/d", "libnowhere.so.9", detail), KS_TEL_NETWORK_ERROR);
	assert_string_equal(detail, "credentials");
	assert_true(ks_http_has_credentials("http://a:80\\@b/"));
	assert_false(ks_http_has_credentials("https://a/b@c"));
	assert_false(ks_http_has_credentials("a@b"));
}

static void the_origin_of_a_url(void **state)
{
	struct ks_arena a;

	(void)state;
	ks_arena_init(&a, 65536);
	assert_true(
		ks_str_eqc(ks_telemetry_origin(&a, "http://h:9400/metrics?x=1"), "http://h:9400"));
	assert_true(ks_str_eqc(ks_telemetry_origin(&a, "HTTPS://h"), "HTTPS://h"));
	assert_true(ks_str_eqc(ks_telemetry_origin(&a, "http://u:p@h:1/"), "http://h:1"));
	assert_true(ks_str_eqc(ks_telemetry_origin(&a, "http:///u:p@h:1/"), "http://h:1"));
	assert_true(ks_str_eqc(ks_telemetry_origin(&a, "http://g:80\\@h:1/"), "http://h:1"));
	assert_int_equal(ks_telemetry_origin(&a, "run.prom").n, 0);
	assert_int_equal(ks_telemetry_origin(&a, "./a://b").n, 0);
	assert_int_equal(ks_telemetry_origin(&a, "://b").n, 0);
	assert_false(ks_telemetry_is_url("localhost:9400/metrics"));
	ks_arena_release(&a);
}

int test_http(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_the_library_it_is_not_built_in),
		cmocka_unit_test(other_schemes_are_not_asked),
		cmocka_unit_test(credentials_are_not_sent),
		cmocka_unit_test(the_origin_of_a_url),
	};

	return cmocka_run_group_tests_name("http", tests, NULL, NULL);
}
