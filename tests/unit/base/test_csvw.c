/* SPDX-License-Identifier: Apache-2.0
 *
 * RFC 4180 by hand, with cells made to hurt: formulas, quotes, control bytes, line breaks.
 */
#include "all.h"

#include "base/csvw.h"

static const struct {
	ks_str in;
	const char *want;
} cells[] = {
	{ BYTES("plain"), "plain" },
	{ BYTES(""), "" },
	{ BYTES("a,b"), "\"a,b\"" },
	{ BYTES("say \"hi\""), "\"say \"\"hi\"\"\"" },
	{ BYTES("\"\""), "\"\"\"\"\"\"" },
	{ BYTES(" lead"), "\" lead\"" },
	{ BYTES("trail "), "\"trail \"" },
	{ BYTES("=1+1"), "\"'=1+1\"" },
	{ BYTES("+cmd"), "\"'+cmd\"" },
	{ BYTES("-cmd|' /C calc'!A0"), "\"'-cmd|' /C calc'!A0\"" },
	{ BYTES("@SUM(A1)"), "\"'@SUM(A1)\"" },
	{ BYTES("\tx"), "\"'\\tx\"" },
	{ BYTES("\rx"), "\"'\\rx\"" },
	{ BYTES("=\"a\",b"), "\"'=\"\"a\"\",b\"" },
	{ BYTES("a\r\nb"), "a\\r\\nb" },
	{ BYTES("a=b"), "a=b" },
	{ BYTES("\0=1"), "\\u{0}=1" },
	{ BYTES("x\xFF"), "x\\xFF" },
	{ BYTES("\xE6\xA0\xB8"), "\xE6\xA0\xB8" },
	{ BYTES("\033]0;t\007"), "\\e]0;t\\u{7}" },
};

static void cells_are_quoted_and_disarmed(void **state)
{
	struct capture c;
	struct ks_csvw w;
	struct ks_buf b;

	(void)state;
	capture_start(&c);
	ks_buf_init(&b, 1000);
	for (size_t i = 0; i < KS_ARRAY_LEN(cells); i++) {
		ks_csvw_init(&w, &c.out);
		ks_csvw_str(&w, cells[i].in);
		expect_written(&c, cells[i].want);
		ks_buf_reset(&b);
		ks_csvw_cell(&b, cells[i].in);
		assert_string_equal(ks_buf_text(&b), cells[i].want);
	}
	ks_buf_release(&b);
	capture_end(&c);
}

static void rows_end_in_crlf_and_numbers_are_never_disarmed(void **state)
{
	struct capture c;
	struct ks_csvw w;

	(void)state;
	capture_start(&c);
	ks_csvw_init(&w, &c.out);
	ks_csvw_cstr(&w, "kernel");
	ks_csvw_empty(&w);
	ks_csvw_i64(&w, -5);
	ks_csvw_double(&w, -0.25);
	ks_csvw_raw(&w, STR("\"x,y\""));
	ks_csvw_empty(&w);
	ks_csvw_end(&w);
	ks_csvw_empty(&w);
	ks_csvw_empty(&w);
	ks_csvw_end(&w);
	expect_written(&c, "kernel,,-5,-0.25,\"x,y\",\r\n,\r\n");
	capture_end(&c);
}

int test_csvw(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_are_quoted_and_disarmed),
		cmocka_unit_test(rows_end_in_crlf_and_numbers_are_never_disarmed),
	};

	return cmocka_run_group_tests_name("csvw", tests, NULL, NULL);
}
