/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements, attributes and text by hand; no byte that XML 1.0 forbids comes through.
 */
#include "all.h"

#include "base/utf8.h"
#include "base/xmlw.h"

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

static void elements_nest_and_are_indented(void **state)
{
	struct capture c;
	struct ks_xmlw w;

	(void)state;
	capture_start(&c);
	ks_xmlw_init(&w, &c.out);
	ks_xmlw_open(&w, "svg");
	ks_xmlw_attr_fmt(&w, "width", "%d", 640);
	ks_xmlw_open(&w, "g");
	ks_xmlw_open(&w, "rect");
	ks_xmlw_attr_c(&w, "x", "1");
	ks_xmlw_close(&w);
	ks_xmlw_open(&w, "text");
	ks_xmlw_text(&w, STR("a & b"));
	ks_xmlw_close(&w);
	ks_xmlw_close(&w);
	ks_xmlw_close(&w);
	expect_written(&c, HEAD "<svg width=\"640\">\n  <g>\n    <rect x=\"1\"/>\n"
				"    <text>a &amp; b</text>\n  </g>\n</svg>\n");
	capture_end(&c);
}

static void text_next_to_children_gets_no_blanks(void **state)
{
	struct capture c;
	struct ks_xmlw w;

	(void)state;
	capture_start(&c);
	ks_xmlw_init(&w, &c.out);
	ks_xmlw_open(&w, "t");
	ks_xmlw_text(&w, STR("a"));
	ks_xmlw_open(&w, "b");
	ks_xmlw_close(&w);
	ks_xmlw_text(&w, STR("c"));
	ks_xmlw_close(&w);
	expect_written(&c, HEAD "<t>a<b/>c</t>\n");
	capture_end(&c);
}

/* HTML ends only void elements in "/>", adds no blank, and shows a line end as what it is. */
static void a_page_is_html_as_well(void **state)
{
	struct capture c;
	struct ks_xmlw w;

	(void)state;
	capture_start(&c);
	ks_xmlw_init_html(&w, &c.out);
	ks_xmlw_open(&w, "td");
	ks_xmlw_open(&w, "br");
	ks_xmlw_close(&w);
	ks_xmlw_break(&w);
	ks_xmlw_open(&w, "i");
	ks_xmlw_close(&w);
	ks_xmlw_open(&w, "b");
	ks_xmlw_text(&w, STR("a\nb\t<"));
	ks_xmlw_close(&w);
	ks_xmlw_close(&w);
	expect_written(&c, "<!DOCTYPE html>\n<td><br/>\n<i></i><b>a\\nb\\t&lt;</b></td>\n");
	capture_end(&c);
}

static void markup_and_control_bytes_are_escaped(void **state)
{
	struct capture c;
	struct ks_xmlw w;

	(void)state;
	capture_start(&c);
	ks_xmlw_init(&w, &c.out);
	ks_xmlw_open(&w, "n");
	ks_xmlw_attr(&w, "v", STR("<\"&'>\n\t\r\033\xFF"));
	ks_xmlw_text(&w, STR("]]><script>\0\xE2\x80\xAE\xEF\xBF\xBF\xE6\xA0\xB8"));
	ks_xmlw_close(&w);
	expect_written(&c, HEAD "<n v=\"&lt;&quot;&amp;&#39;&gt;&#10;&#9;\\r\\e\\xFF\">"
				"]]&gt;&lt;script&gt;\\u{0}\\u{202E}\\u{FFFF}\xE6\xA0\xB8</n>\n");
	capture_end(&c);
}

static void long_formatted_attributes_are_kept_whole(void **state)
{
	struct capture c;
	struct ks_xmlw w;

	(void)state;
	capture_start(&c);
	ks_xmlw_init(&w, &c.out);
	ks_buf_reset(&c.buf);
	ks_xmlw_open(&w, "p");
	ks_xmlw_attr_fmt(&w, "d", "%5000d", 7);
	ks_xmlw_close(&w);
	assert_int_equal(c.buf.n, strlen("<p d=\"\"/>\n") + 5000);
	capture_end(&c);
}

int test_xmlw(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_nest_and_are_indented),
		cmocka_unit_test(text_next_to_children_gets_no_blanks),
		cmocka_unit_test(a_page_is_html_as_well),
		cmocka_unit_test(markup_and_control_bytes_are_escaped),
		cmocka_unit_test(long_formatted_attributes_are_kept_whole),
	};

	return cmocka_run_group_tests_name("xmlw", tests, NULL, NULL);
}
