/* SPDX-License-Identifier: Apache-2.0
 *
 * The evidence page: well-formed by the judgement of xmllint, within its size whatever comes in,
 * no number where there is a refusal, bars where hand arithmetic puts them.
 */
#include "all.h"

#include "base/str.h"
#include "base/utf8.h"
#include "verdict/packet_read.h"

static const char *page_of(struct given *g)
{
	const struct ks_packet_spec spec = { .report_path = KS_LIT("") };
	struct ks_packet *packet = NULL;
	struct ks_err err;

	ks_err_init(&err);
	assert_int_equal(ks_packet_make(&g->ctx, &g->r, &spec, &packet, &err), KS_OK);
	g->v.packet = packet;
	return rendered(g, &ks_render_html);
}

/* The page of a packet that was read back, with nothing beside it. */
static const char *page_of_packet(struct given *g, const char *json)
{
	struct ks_packet *packet = NULL;
	struct ks_out out;
	struct ks_err err;

	ks_err_init(&err);
	assert_int_equal(ks_packet_parse(&g->ctx, ks_str_c(json), "p.json", &packet, &err), KS_OK);
	g->v.packet = packet;
	ks_buf_reset(&g->text);
	ks_out_open_mem(&out, &g->text);
	assert_int_equal(ks_render_html.render(&g->ctx, packet->report, &g->v, &out, &err), KS_OK);
	assert_int_equal(ks_out_commit(&out, &err), KS_OK);
	return ks_buf_text(&g->text);
}

static void expect_has(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		print_error("missing: %s\n", part);
	assert_non_null(strstr(text, part));
}

static void expect_lacks(const char *text, const char *part)
{
	if (strstr(text, part) != NULL)
		print_error("there is: %.80s\n", strstr(text, part));
	assert_null(strstr(text, part));
}

static size_t count_of(const char *text, const char *part)
{
	size_t n = 0;

	for (; (text = strstr(text, part)) != NULL; text++)
		n++;
	return n;
}

static void pages_of_every_size_are_well_formed_and_fit(void **state)
{
	static const size_t n[] = { 0, 1, 20, 21, 5000 };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(n); i++)
		for (int zh = 0; zh < 2; zh++) {
			struct given *g = given_kernels(n[i]);

			given_language(g, zh ? KS_LANG_ZH : KS_LANG_EN);
			const char *text = page_of(g);

			assert_true(strlen(text) <= 65536);
			expect_has(text, zh ? "<html lang=\"zh-Hans\">" : "<html lang=\"en\">");
			expect_well_formed(text);
			given_released(g);
		}
}

static void the_sections_of_the_contract_come_in_order(void **state)
{
	static const char *const id[] = {
		"<header id=\"header\">",
		"<section id=\"conclusion\">",
		"<section id=\"provenance-legend\">",
		"<section id=\"verdicts\">",
		"<section id=\"refusals\">",
		"<section id=\"unmeasured\">",
		"<section id=\"cost\">",
		"<footer id=\"footer\">",
	};
	struct given *g = given_kernels(3);
	const char *at = page_of(g);

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(id); i++) {
		at = strstr(at, id[i]);
		if (at == NULL)
			print_error("not there, or not in order: %s\n", id[i]);
		assert_non_null(at);
	}
	given_released(g);
}

/* 3 of 6 thousand ns: half of the kernel time. */
static void the_finding_is_the_first_text_of_the_page(void **state)
{
	struct given *g = given_kernels(3);
	const char *body = strstr(page_of(g), "<body>");

	(void)state;
	assert_non_null(body);
	for (bool tag = false;
	     *body != '\0' && (tag || *body == '<' || *body == '\n' || *body == '>'); body++)
		tag = *body == '<' ? true : *body == '>' ? false : tag;
	assert_memory_equal(body, "kernel_number_0 takes 50.0 % of kernel time", 43);
	given_released(g);
}

/* Tags of a page whatever its texts are. */
static size_t elements_with(ks_str name)
{
	struct given *g = given_report();
	size_t n;

	for (size_t i = 0; i < 3; i++)
		given_kernel(g, name, 1, (ks_ns)(90000 - i), 1);
	g->r.input_path = name;
	g->gpu[0].name = name;
	g->r.producer = name;
	given_device_rows(g);
	given_finished(g);
	const char *text = page_of(g);

	expect_no_control_bytes(text, false);
	expect_well_formed(text);
	n = count_of(text, "<");
	given_released(g);
	return n;
}

static void hostile_names_stay_text(void **state)
{
	const size_t plain = elements_with(KS_LIT("plain_kernel"));

	(void)state;
	for (size_t i = 0; i < n_hostile_names; i++)
		if (hostile_names[i].n > 0) /* an empty name has no line of its own */
			assert_int_equal(elements_with(hostile_names[i]), plain);
}

static void it_needs_nothing_from_outside(void **state)
{
	struct given *g = given_kernels(30);
	const char *text = page_of(g);

	(void)state;
	expect_lacks(text, "http:");
	expect_lacks(text, "https:");
	expect_lacks(text, "<script");
	expect_lacks(text, "src=");
	expect_lacks(text, "url(");
	expect_lacks(text, "@import");
	for (const char *at = text; (at = strstr(at, "href=\"")) != NULL; at++)
		assert_true(at[6] == '#' || strncmp(at + 6, "data:,\"", 7) == 0);
	expect_has(text, "default-src &#39;none&#39;");
	given_released(g);
}

static void the_same_report_gives_the_same_bytes(void **state)
{
	struct given *a = given_kernels(25), *b = given_kernels(25);

	(void)state;
	assert_string_equal(page_of(a), page_of(b));
	given_released(a);
	given_released(b);
}

static void what_is_not_listed_is_one_row_of_others(void **state)
{
	struct given *g = given_kernels(30);
	const char *text = page_of(g);

	(void)state;
	expect_has(text, ">kernel_number_19<");
	expect_lacks(text, ">kernel_number_20<");
	expect_has(text, ">10 more kernels<");
	expect_has(text, ">55.00 \xc2\xb5s<"); /* 10 + 9 + ... + 1 thousand ns */
	given_released(g);
}

#define HEAD                                                                                       \
	"{\"schema_version\":1,\"tool\":\"kernoscope\",\"tool_version\":\"0.2.3\",\"protocol\":{"  \
	"\"hash\":\"sha256:0ddd60fece897124\",\"basis\":\"\",\"window_mode\":\"auto\"},\"env\":{"  \
	"\"tier\":0,\"tier_name\":\"demo\",\"counter_state\":\"unknown\",\"blocked_by\":[]},"

static void a_refused_verdict_has_no_number(void **state)
{
	struct given *g = given_report();
	const char *text = page_of_packet(
		g, HEAD "\"verdicts\":[{\"id\":\"kernel_time\",\"status\":\"refused\","
			"\"actionable\":false,\"value\":31.4159,\"unit\":\"ms\",\"provenance\":"
			"\"exact\",\"facts\":{\"uncitable_value\":27.1828,\"launches\":4,\"err_"
			"pct\":27.1828,\"mb\":2.71},"
			"\"premises\":[],\"refusal\":{\"code\":\"no_kernels\"}}],\"unmeasured\":[],"
			"\"refusals\":{\"no_kernels\":{\"action\":\"record a run\",\"cost_kind\":"
			"\"wall_seconds\",\"cost_s\":20.0,\"cmd\":\"kernoscope doctor\"}},"
			"\"next\":[],\"cost\":{\"launches\":4}}");

	(void)state;
	expect_lacks(text, "31.4159");
	expect_lacks(text, "27.1828");
	expect_lacks(text, "2.71");
	expect_lacks(text, "uncitable_value");
	expect_has(text, ">n/a<a href=\"#r-no_kernels\"><code>no_kernels</code></a></td>");
	expect_has(text, "id=\"r-no_kernels\"");
	expect_has(text, ">record a run</td>");
	expect_has(text, "<code class=\"cmd\">kernoscope doctor</code>");
	expect_has(text, ">launches=4<");
	expect_well_formed(text);
	given_released(g);
}

/* Twenty facts of three hundred letters: eight are shown, 72 columns of each. */
static void facts_are_few_and_short(void **state)
{
	struct given *g = given_report();
	struct ks_buf json;

	(void)state;
	ks_buf_init(&json, 1 << 20);
	ks_buf_cstr(&json, HEAD "\"verdicts\":[{\"id\":\"kernel_time\",\"status\":\"ok\","
				"\"actionable\":true,\"value\":5,\"unit\":\"ms\",\"provenance\":"
				"\"exact\",\"facts\":{");
	for (int i = 0; i < 20; i++) {
		ks_buf_fmt(&json, "%s\"f%02d\":\"", i > 0 ? "," : "", i);
		for (int k = 0; k < 300; k++)
			ks_buf_ch(&json, 'x');
		ks_buf_ch(&json, '"');
	}
	ks_buf_cstr(&json, "},\"premises\":[]}],\"unmeasured\":[],\"refusals\":{},\"next\":[],"
			   "\"cost\":{}}");
	const char *text = page_of_packet(g, ks_buf_text(&json));
	const char *facts = strstr(text, "<ul class=\"fa\">");

	assert_non_null(facts);
	const char *end = strstr(facts, "</ul>");

	assert_non_null(end);
	expect_has(facts, "<li>+ 12 more</li></ul>");
	size_t shown = 0;

	for (const char *li = facts; (li = strstr(li, "<li>f")) != NULL && li < end;
	     li++, shown++) {
		const char *close = strstr(li, "</li>");

		assert_true(ks_utf8_columns((ks_str){ li + 4, (size_t)(close - li - 4) }) <= 72);
	}
	assert_int_equal(shown, 8);
	ks_buf_release(&json);
	given_released(g);
}

/* A text in which every character costs six bytes, or takes no column at all. */
static void worst(struct ks_buf *b, size_t n, bool marks)
{
	ks_buf_ch(b, '"');
	for (size_t i = 0; i < n; i++)
		ks_buf_cstr(b, marks ? "\xcc\x81" : "\\\"");
	ks_buf_ch(b, '"');
}

static void worst_verdict(struct ks_buf *b, int i, bool marks)
{
	ks_buf_fmt(b, "%s{\"id\":", i > 0 ? "," : "");
	worst(b, 200, marks);
	ks_buf_cstr(b, ",\"status\":\"refused\",\"actionable\":false,\"value\":1e308,\"unit\":");
	worst(b, 200, marks);
	ks_buf_cstr(b, ",\"provenance\":\"exact\",\"next\":");
	worst(b, 600, marks);
	ks_buf_cstr(b, ",\"metrics\":[");
	worst(b, 300, marks);
	ks_buf_cstr(b, "],\"facts\":{");
	for (int k = 0; k < 12; k++) {
		ks_buf_fmt(b, "%s\"f%d\":", k > 0 ? "," : "", k);
		worst(b, 200, marks);
	}
	ks_buf_cstr(b, "},\"premises\":[");
	for (int k = 0; k < 12; k++) {
		ks_buf_cstr(b, k > 0 ? ",{\"id\":" : "{\"id\":");
		worst(b, 150, marks);
		ks_buf_cstr(b, ",\"observed\":");
		worst(b, 150, marks);
		ks_buf_cstr(b, ",\"ok\":false,\"threshold\":");
		worst(b, 150, marks);
		ks_buf_cstr(b, ",\"unit\":");
		worst(b, 50, marks);
		ks_buf_ch(b, '}');
	}
	ks_buf_fmt(b, "],\"refusal\":{\"code\":\"code_%030d\",\"observed\":{\"a\":", i);
	worst(b, 600, marks);
	ks_buf_cstr(b, "},\"threshold\":{\"a\":");
	worst(b, 600, marks);
	ks_buf_cstr(b, "}}}");
}

static void worst_packet(struct ks_buf *b, bool marks)
{
	ks_buf_cstr(b, HEAD "\"verdicts\":[");
	for (int i = 0; i < 10; i++)
		worst_verdict(b, i, marks);
	ks_buf_cstr(b, "],\"unmeasured\":[");
	for (int i = 0; i < 6; i++) {
		ks_buf_fmt(b, "%s{\"code\":\"code_%030d\",\"count\":9,\"examples\":[",
			   i > 0 ? "," : "", i);
		worst(b, 500, marks);
		ks_buf_ch(b, ',');
		worst(b, 500, marks);
		ks_buf_cstr(b, "]}");
	}
	ks_buf_cstr(b, "],\"refusals\":{");
	for (int i = 0; i < 60; i++) {
		ks_buf_fmt(b, "%s\"code_%030d\":{\"action\":", i > 0 ? "," : "", i);
		worst(b, 200, marks);
		ks_buf_cstr(b, ",\"cost_kind\":\"manual\",\"cmd\":");
		worst(b, 200, marks);
		ks_buf_ch(b, '}');
	}
	ks_buf_cstr(b, "},\"next\":[");
	for (int i = 0; i < 8; i++) {
		ks_buf_cstr(b, i > 0 ? ",{\"for\":" : "{\"for\":");
		worst(b, 200, marks);
		ks_buf_cstr(b, ",\"hint\":");
		worst(b, 600, marks);
		ks_buf_ch(b, '}');
	}
	ks_buf_cstr(b, "],\"environment_refusals\":[");
	for (int i = 0; i < 8; i++) {
		ks_buf_fmt(b, "%s{\"code\":\"code_%030d\",\"message\":", i > 0 ? "," : "", i);
		worst(b, 600, marks);
		ks_buf_ch(b, '}');
	}
	ks_buf_cstr(b, "],\"clock_lock\":");
	worst(b, 600, marks);
	ks_buf_cstr(b, ",\"cost\":{}}");
}

/* As large as a packet may be that is read, and nothing in it but what costs most. */
static void the_worst_packet_fits(void **state)
{
	(void)state;
	for (int marks = 0; marks < 2; marks++) {
		struct given *g = given_report();
		struct ks_buf json;

		ks_buf_init(&json, 1 << 20);
		worst_packet(&json, marks);
		assert_false(ks_buf_failed(&json));
		const char *text = page_of_packet(g, ks_buf_text(&json));

		if (strlen(text) > 65536)
			print_error("%zu bytes\n", strlen(text));
		assert_true(strlen(text) <= 65536);
		expect_has(text, "This page shows less detail to stay within 65,536 bytes");
		expect_well_formed(text);
		ks_buf_release(&json);
		given_released(g);
	}
}

static void without_packet_it_says_so(void **state)
{
	struct given *g = given_kernels(1);
	struct ks_out out;
	struct ks_err err;

	(void)state;
	ks_err_init(&err);
	ks_out_open_null(&out);
	assert_int_equal(ks_render_html.render(&g->ctx, &g->r, &g->v, &out, &err), KS_E_INTERNAL);
	assert_int_equal(out.total, 0);
	(void)ks_out_commit(&out, &err);
	given_released(g);
}

/* --- charts ----------------------------------------------------------------------------------- */

static const struct ks_lane lanes[] = {
	{ .kind = KS_LANE_STREAM, .name = { "stream 7", 8 }, .slices = 4 },
	{ .kind = KS_LANE_API, .gpu = SIZE_MAX, .name = { "calls", 5 }, .slices = 1 },
	{ .kind = KS_LANE_COPY, .name = { "stream 7 copies", 15 }, .slices = 1 },
};
static const struct ks_bar bars[] = {
	{ .row = 0, .x = 0.5, .width = 0.5, .slices = 1, .fill = 1.0, .name = { "gemm", 4 } },
	{ .row = 0, .x = 0.25, .width = 0.25, .slices = 3, .fill = 0.5, .name = { "tail", 4 } },
	{ .row = 1, .x = 0.0, .width = 1.0, .slices = 1, .fill = 1.0, .name = { "call", 4 } },
	{ .row = 2, .x = 0.0, .width = 0.0005, .slices = 1, .fill = 1.0, .name = { "copy", 4 } },
};

static struct given *with_picture(struct ks_timeline *t, struct ks_timeline_picture *q)
{
	struct given *g = given_report();

	*q = (struct ks_timeline_picture){ .from_ns = 1000,
					   .to_ns = 5001000,
					   .row = lanes,
					   .n_rows = KS_ARRAY_LEN(lanes),
					   .bar = bars,
					   .n_bars = KS_ARRAY_LEN(bars) };
	*t = (struct ks_timeline){ .picture = q };
	given_kernel(g, KS_LIT("gemm"), 1, 2500000, 1);
	given_device_rows(g);
	g->r.timeline = t;
	given_finished(g);
	return g;
}

/* 600 columns, 20 high. gemm covers the right half, full; the three of `tail`, which is no kernel
 * of the report, cover half of the second quarter; the copy covers 0.3 of the first column, which
 * is 6 of 20. Calls of the host are no strip. */
static void strips_cover_what_the_trace_covers(void **state)
{
	struct ks_timeline_picture q;
	struct ks_timeline t;
	struct given *g = with_picture(&t, &q);
	const char *text = page_of(g);

	(void)state;
	assert_int_equal(count_of(text, "<div class=\"ln\">"), 2);
	expect_has(text, "<path class=\"k0\" d=\"M0 20V20h300V0h300V20z\"/>");
	expect_has(text, "<path class=\"ko\" d=\"M0 20V20h150V10h150V0h300V20z\"/>");
	expect_has(text, "<path class=\"kc\" d=\"M0 20V14h1V20h599V20z\"/>");
	expect_has(text, "aria-label=\"stream 7: 4 slices\"");
	expect_has(text, ">Timeline, 5.000 ms<");
	expect_has(text, "<span style=\"left:40%\">2 ms</span>");
	expect_well_formed(text);
	given_released(g);
}

/* Steps of 9, 2, 1, 1 and 5 ms: five bars of 200 of 1000 units with one unit between them, as high
 * as their share of 9 ms: 100, 22, 11, 11 and 56 of 100. */
static void steps_are_as_high_as_they_are_long(void **state)
{
	struct given *g = given_report();

	(void)state;
	given_kernel(g, KS_LIT("gemm"), 1, 2500000, 1);
	given_device_rows(g);
	given_timeline(g);
	given_finished(g);
	const char *text = page_of(g);

	expect_has(text, "<path class=\"ko\" d=\"M0 100V0h199V100zM200 100V78h199V100z\"/>");
	expect_has(text, "<path class=\"k0\" d=\"M400 100V89h199V100zM600 100V89h199V100z\"/>");
	expect_has(text, "<path class=\"km\" d=\"M800 100V44h199V100z\"/>");
	expect_has(text, "the highest bar is 9.000 ms");
	expect_has(text, "<section id=\"devices\">");
	expect_has(text, "<section id=\"phases\">");
	expect_well_formed(text);
	given_released(g);
}

/* Three launches between 1 and 3 ms and one up to 9 ms: on a logarithmic axis the edge stands in
 * the middle; the lower bar is a third of the other. */
static void durations_are_counted_into_bars(void **state)
{
	static const struct ks_bin length[] = {
		{ 1000000, 3000000, 3, 1000000, 1000000, 3000000 },
		{ 3000000, 9000000, 1, 8000000, 8000000, 8000000 },
	};
	const struct ks_duration_picture d = { .kernel = KS_LIT("gemm"),
					       .launches = 4,
					       .most = 3,
					       .min_ns = 1000000,
					       .max_ns = 8000000,
					       .sum_ns = 11000000,
					       .by_duration = length,
					       .n_by_duration = 2 };
	const struct ks_timeline t = { .duration = &d, .n_durations = 1 };
	struct given *g = given_report();

	(void)state;
	given_kernel(g, KS_LIT("gemm"), 4, 11000000, 1);
	given_device_rows(g);
	g->r.timeline = &t;
	given_finished(g);
	const char *text = page_of(g);

	expect_has(text, "<path class=\"k0\" d=\"M0 100V0h498V100zM500 100V67h498V100z\"/>");
	expect_has(text, "4 launches \xc2\xb7 1.000 ms to 8.000 ms \xc2\xb7 mean 2.750 ms \xc2\xb7 "
			 "tallest: 3 launches");
	given_released(g);
}

int test_html(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_of_every_size_are_well_formed_and_fit),
		cmocka_unit_test(the_sections_of_the_contract_come_in_order),
		cmocka_unit_test(the_finding_is_the_first_text_of_the_page),
		cmocka_unit_test(hostile_names_stay_text),
		cmocka_unit_test(it_needs_nothing_from_outside),
		cmocka_unit_test(the_same_report_gives_the_same_bytes),
		cmocka_unit_test(what_is_not_listed_is_one_row_of_others),
		cmocka_unit_test(a_refused_verdict_has_no_number),
		cmocka_unit_test(facts_are_few_and_short),
		cmocka_unit_test(the_worst_packet_fits),
		cmocka_unit_test(without_packet_it_says_so),
		cmocka_unit_test(strips_cover_what_the_trace_covers),
		cmocka_unit_test(steps_are_as_high_as_they_are_long),
		cmocka_unit_test(durations_are_counted_into_bars),
	};

	return cmocka_run_group_tests_name("html", tests, NULL, NULL);
}
