/* SPDX-License-Identifier: Apache-2.0
 *
 * The chart: well-formed by the judgement of xmllint, self-contained, the same bytes every time.
 */
#include "all.h"

#include "base/str.h"

static void charts_of_every_size_are_well_formed(void **state)
{
	static const size_t n[] = { 0, 1, 20, 21, 5000 };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(n); i++)
		for (int zh = 0; zh < 2; zh++) {
			struct given *g = given_kernels(n[i]);

			given_language(g, zh ? KS_LANG_ZH : KS_LANG_EN);
			expect_well_formed(rendered(g, &ks_render_svg));
			given_released(g);
		}
}

static void hostile_names_stay_text(void **state)
{
	struct given *g = given_report();

	(void)state;
	for (size_t i = 0; i < n_hostile_names; i++)
		given_kernel(g, hostile_names[i], 1, (ks_ns)(90000 - i), 1);
	g->r.input_path = hostile_names[3];
	g->gpu[0].name = hostile_names[7];
	given_finished(g);
	const char *text = rendered(g, &ks_render_svg);

	expect_no_control_bytes(text, false);
	assert_null(strstr(text, "<script"));
	expect_well_formed(text);
	given_released(g);
}

static void it_needs_nothing_from_outside(void **state)
{
	struct given *g = given_kernels(30);
	const char *text = rendered(g, &ks_render_svg);
	const char *link = strstr(text, "http");

	(void)state;
	assert_non_null(link);
	assert_memory_equal(link, "http://www.w3.org/2000/svg",
			    26); /* the name space, not a link */
	assert_null(strstr(link + 1, "http"));
	assert_null(strstr(text, "href"));
	assert_null(strstr(text, "@import"));
	assert_non_null(strstr(text, "<title id=\"ks-title\">"));
	assert_non_null(strstr(text, "<desc id=\"ks-desc\">"));
	assert_non_null(strstr(text, "fill=\"#ffffff\""));
	given_released(g);
}

static void what_is_not_drawn_is_one_bar_of_others(void **state)
{
	struct given *g = given_kernels(30);
	const char *text = rendered(g, &ks_render_svg);

	(void)state;
	assert_non_null(strstr(text, ">kernel_number_19<"));
	assert_null(strstr(text, ">kernel_number_20<"));
	assert_non_null(strstr(text, ">10 more kernels<"));
	assert_non_null(strstr(text, ">55.00 \xc2\xb5s<")); /* 10 + 9 + ... + 1 thousand ns */
	given_released(g);
}

static void the_same_report_gives_the_same_bytes(void **state)
{
	struct given *a = given_kernels(25), *b = given_kernels(25);

	(void)state;
	assert_string_equal(rendered(a, &ks_render_svg), rendered(b, &ks_render_svg));
	given_released(a);
	given_released(b);
}

static void no_bar_is_longer_than_the_axis(void **state)
{
	struct given *g = given_kernels(7);
	const char *p = rendered(g, &ks_render_svg);
	size_t n = 0;

	(void)state;
	for (; (p = strstr(p, "<rect x=\"430\"")) != NULL; p++, n++) {
		const char *width = strstr(p, "width=\"");

		assert_non_null(width);
		assert_true(strtod(width + 7, NULL) <= 256.0);
	}
	assert_int_equal(n, 7);
	given_released(g);
}

int test_svg(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(charts_of_every_size_are_well_formed),
		cmocka_unit_test(hostile_names_stay_text),
		cmocka_unit_test(it_needs_nothing_from_outside),
		cmocka_unit_test(what_is_not_drawn_is_one_bar_of_others),
		cmocka_unit_test(the_same_report_gives_the_same_bytes),
		cmocka_unit_test(no_bar_is_longer_than_the_axis),
	};

	return cmocka_run_group_tests_name("svg", tests, NULL, NULL);
}
