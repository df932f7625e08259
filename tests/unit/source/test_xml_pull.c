/* SPDX-License-Identifier: Apache-2.0
 *
 * The pull reader of XML, as the pieces it gives: "<a" opens, ">a" closes, the rest is text.
 */
#include "all.h"

#include "base/buf.h"
#include "base/str.h"
#include "source/xml_pull.h"

static void pieces(struct ks_buf *b, const char *text)
{
	struct ks_xml x;
	enum ks_xml_event e;

	ks_xml_init(&x, ks_str_c(text), 1);
	while ((e = ks_xml_next(&x)) != KS_XML_END && e != KS_XML_BAD) {
		ks_buf_cstr(b, e == KS_XML_OPEN ? "<" : e == KS_XML_CLOSE ? ">" : "");
		ks_buf_str(b, e == KS_XML_TEXT ? x.text : x.name);
		ks_buf_ch(b, '|');
	}
	ks_buf_cstr(b, e == KS_XML_END ? "end" : "bad");
}

static void expect(const char *text, const char *want)
{
	struct ks_buf b;

	ks_buf_init(&b, 65536);
	pieces(&b, text);
	assert_string_equal(ks_buf_text(&b), want);
	ks_buf_release(&b);
}

static void elements_and_texts(void **state)
{
	(void)state;
	expect("<a><b>1 W</b><c/></a>", "<a|<b|1 W|>b|<c|>c|>a|end");
	expect("<?xml version=\"1.0\" ?>\n<!DOCTYPE a SYSTEM \"a.dtd\">\n<a>x</a>\n",
	       "<a|x|>a|end");
	expect("\xef\xbb\xbf<a q='>' ></a >", "<a|>a|end");
	expect("<a>1<!-- 2 > -->3</a>", "<a|1|3|>a|end");
}

static void what_stops_inside_is_bad(void **state)
{
	(void)state;
	expect("", "bad");
	expect("x", "bad");
	expect("<a>", "<a|bad");
	expect("<a>1", "<a|1|bad");
	expect("<a><b></a>", "<a|<b|bad");
	expect("<a></a><b></b>", "<a|>a|bad");
	expect("<a></a>tail", "<a|>a|bad");
	expect("<a x=\"1></a>", "bad");
	expect("</a>", "bad");
	expect("<a <b></b></a>", "bad");
}

static void nothing_is_defined_or_run(void **state)
{
	(void)state;
	expect("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "bad");
	expect("<a><!ENTITY b \"c\"></a>", "<a|bad");
	expect("<a><![CDATA[x]]></a>", "<a|bad");
	expect("<a><?php x ?></a>", "<a|bad");
}

static void depth_has_a_limit(void **state)
{
	struct ks_buf b;
	struct ks_xml x;
	size_t opened = 0;

	(void)state;
	ks_buf_init(&b, 65536);
	for (int i = 0; i < 1000; i++)
		ks_buf_cstr(&b, "<a>");
	ks_xml_init(&x, ks_buf_view(&b), 1);
	while (ks_xml_next(&x) == KS_XML_OPEN)
		opened++;
	assert_int_equal(opened, ks_limit(KS_LIMIT_XML_DEPTH));
	assert_int_equal(ks_xml_next(&x), KS_XML_BAD);
	ks_buf_release(&b);
}

static void attributes_are_found(void **state)
{
	struct ks_xml x;

	(void)state;
	ks_xml_init(&x, KS_LIT("<gpu a = 'b' id=\"00:01\" />"), 1);
	assert_int_equal(ks_xml_next(&x), KS_XML_OPEN);
	assert_true(ks_str_eqc(ks_xml_attribute(&x, "id"), "00:01"));
	assert_true(ks_str_eqc(ks_xml_attribute(&x, "a"), "b"));
	assert_int_equal(ks_xml_attribute(&x, "c").n, 0);
}

static void entities_become_what_they_mean(void **state)
{
	struct ks_arena a;

	(void)state;
	ks_arena_init(&a, 65536);
	assert_true(ks_str_eqc(ks_xml_plain(&a, KS_LIT("a&amp;&lt;&gt;&quot;&apos;&#65;b")),
			       "a&<>\"'Ab"));
	assert_true(ks_str_eqc(ks_xml_plain(&a, KS_LIT("&b; & &#0; &#x41; &#")),
			       "&b; & &#0; &#x41; &#"));
	ks_arena_release(&a);
}

static void lines_are_counted(void **state)
{
	struct ks_xml x;

	(void)state;
	ks_xml_init(&x, KS_LIT("<a>\n\n<b>"), 7);
	assert_int_equal(ks_xml_next(&x), KS_XML_OPEN);
	assert_int_equal(ks_xml_next(&x), KS_XML_TEXT);
	assert_int_equal(x.line, 9);
}

int test_xml_pull(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_and_texts),
		cmocka_unit_test(what_stops_inside_is_bad),
		cmocka_unit_test(nothing_is_defined_or_run),
		cmocka_unit_test(depth_has_a_limit),
		cmocka_unit_test(attributes_are_found),
		cmocka_unit_test(entities_become_what_they_mean),
		cmocka_unit_test(lines_are_counted),
	};

	return cmocka_run_group_tests_name("xml pull", tests, NULL, NULL);
}
