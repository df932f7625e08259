/* SPDX-License-Identifier: Apache-2.0
 *
 * The one-screen view against the packet it is drawn from: nothing of the packet may be missing.
 */
#include "all.h"

#include "base/str.h"

static struct given *with_kernels(size_t n)
{
	struct given *g = given_report();

	for (size_t i = 0; i < n; i++)
		given_kernel(g, ks_arena_fmt(&g->run, "k%zu", i), 5, (ks_ns)(1000000 * (n - i)), 1);
	given_device_rows(g);
	given_finished(g);
	return g;
}

/* The text without line breaks and indents, so that wrapped words can be found. */
static ks_str unwrapped(struct given *g, const char *text)
{
	struct ks_buf b;
	bool blank = false;

	ks_buf_init(&b, 1 << 24);
	for (; *text != '\0'; text++) {
		if (*text == ' ' || *text == '\n') {
			blank = true;
			continue;
		}
		if (blank)
			ks_buf_ch(&b, ' ');
		blank = false;
		ks_buf_ch(&b, *text);
	}
	ks_str s = ks_arena_dup(&g->run, ks_buf_view(&b));

	ks_buf_release(&b);
	return s;
}

static void expect_has(ks_str text, ks_str part)
{
	if (!ks_str_has(text, part))
		print_error("missing: %.*s\nin: %.*s\n", (int)part.n, part.p, (int)text.n, text.p);
	assert_true(ks_str_has(text, part));
}

static void every_fact_of_the_packet_is_visible(void **state)
{
	struct given *g = with_kernels(3);
	ks_str text;

	(void)state;
	given_terminal(g, 200, 24);
	text = unwrapped(g, rendered_screen(g));
	const struct ks_packet *k = g->v.packet;

	assert_true(k->n_verdicts > 0 && k->n_groups > 0 && k->n_next > 0);
	for (size_t i = 0; i < k->n_verdicts; i++) {
		const struct ks_verdict_row *v = &k->verdict[i];

		expect_has(text, v->name);
		for (size_t j = 0; j < v->n_facts; j++)
			expect_has(text, v->fact[j].key);
		for (size_t j = 0; j < v->n_metrics; j++)
			expect_has(text, v->metric[j]);
		if (v->refused != NULL)
			expect_has(text, ks_str_c(ks_refusal_info(v->refused->code)->slug));
	}
	for (size_t i = 0; i < k->n_groups; i++) {
		expect_has(text, k->group[i].slug);
		for (size_t j = 0; j < k->group[i].n_examples; j++)
			expect_has(text, k->group[i].example[j]);
	}
	for (size_t i = 0; i < k->n_remedies; i++) {
		expect_has(text, k->remedy[i].slug);
		expect_has(text, k->remedy[i].command);
	}
	for (size_t i = 0; i < k->n_omitted_listed; i++)
		expect_has(text, k->omitted_code[i]);
	bool degraded = false;

	for (size_t i = 0; i < k->n_remedies; i++)
		degraded = degraded || k->remedy[i].degraded;
	assert_int_equal(ks_str_has(text, KS_LIT(", degraded)")), degraded);
	expect_has(text, KS_LIT("window: auto"));
	expect_has(text,
		   ks_arena_fmt(&g->run, "protocol %.12s", g->r.verdicts->protocol_hash.p + 7));
	given_released(g);
}

static void blocks_come_in_the_order_of_the_contract(void **state)
{
	struct given *g = with_kernels(3);
	const char *text = rendered_screen(g);
	static const char *const order[] = { "k0 takes ",    "Kernoscope 0.3.0",
					     "Conclusion: ", "Conclusions and premises",
					     "Not measured", "Path:",
					     "Cost:" };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(order); i++) {
		const char *at = strstr(text, order[i]);

		assert_non_null(at);
		text = at;
	}
	given_released(g);
}

/* The packet is English unless --lang says otherwise; who reads the screen need not be. */
static void a_chinese_screen_of_an_english_packet_is_chinese(void **state)
{
	struct given *g = with_kernels(1);

	(void)state;
	given_language(g, KS_LANG_ZH);
	assert_int_equal(g->ctx.doc_lang, KS_LANG_EN);
	const char *text = rendered_screen(g);

	assert_null(strstr(text, ks_text_get(KS_TEXT_VD_TIER_TRACE, KS_LANG_EN)));
	assert_non_null(strstr(text, ks_text_get(KS_TEXT_VD_TIER_TRACE, KS_LANG_ZH)));
	given_released(g);
}

static void the_finding_is_the_first_line(void **state)
{
	struct given *g = with_kernels(3);

	(void)state;
	assert_int_equal(strncmp(rendered_screen(g), "k0 takes ", strlen("k0 takes ")), 0);
	given_released(g);
}

/* The finding is one sentence, whoever prints it. */
static void a_chinese_finding_names_the_limiter_in_chinese_everywhere(void **state)
{
	static const char limiter[] = "\xe5\xaf\x84\xe5\xad\x98\xe5\x99\xa8+"
				      "\xe5\x85\xb1\xe4\xba\xab"; /* registers+shared */
	struct given *g = with_kernels(2);

	(void)state;
	given_language(g, KS_LANG_ZH);
	given_terminal(g, 200, 50);
	assert_non_null(strstr(rendered_screen(g), limiter));
	assert_non_null(strstr(rendered(g, &ks_render_text), limiter));
	assert_non_null(strstr(rendered(g, &ks_render_html), limiter));
	assert_non_null(strstr(rendered(g, &ks_render_md), limiter));
	given_released(g);
}

static void both_languages_fit_their_lines(void **state)
{
	struct given *g = with_kernels(3);

	(void)state;
	for (int zh = 0; zh < 2; zh++)
		for (int cols = 40; cols <= 120; cols += 20) {
			given_language(g, zh ? KS_LANG_ZH : KS_LANG_EN);
			given_terminal(g, cols, 24);
			const char *text = rendered_screen(g);

			expect_no_line_wider(text, (size_t)cols);
			assert_int_equal(strstr(text, "\xe7\xbb\x93\xe8\xae\xba") != NULL, zh);
		}
	given_released(g);
}

static void without_kernels_the_refusal_is_the_conclusion(void **state)
{
	struct given *g = given_report();

	(void)state;
	g->r.contents.copies = 1;
	g->r.contents.why_no_kernels = KS_NK_NOTHING_RECORDED;
	given_device_rows(g);
	given_finished(g);
	const char *text = rendered_screen(g);

	assert_non_null(strstr(text, "[no  ]"));
	assert_non_null(strstr(text, "no_launch_activity"));
	given_released(g);
}

static void made_up_data_says_so(void **state)
{
	struct given *g = with_kernels(1);

	(void)state;
	g->r.synthetic = true;
	expect_has(unwrapped(g, rendered_screen(g)), KS_LIT("SYNTHETIC DATA"));
	given_released(g);
}

static void hostile_names_are_visible(void **state)
{
	struct given *g = given_report();

	(void)state;
	for (size_t i = 0; i < n_hostile_names; i++)
		given_kernel(g, hostile_names[i], 1, (ks_ns)(90000 - 100 * i), 1);
	given_finished(g);
	const char *text = rendered_screen(g);

	expect_no_control_bytes(text, false);
	expect_no_line_wider(text, 80);
	given_released(g);
}

static void a_screen_without_packet_is_an_error(void **state)
{
	struct given *g = with_kernels(1);
	struct ks_out out;
	struct ks_err err;

	(void)state;
	ks_err_init(&err);
	ks_out_open_null(&out);
	assert_int_equal(ks_render_screen.render(&g->ctx, &g->r, &g->v, &out, &err), KS_E_INTERNAL);
	given_released(g);
}

int test_screen(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_fact_of_the_packet_is_visible),
		cmocka_unit_test(blocks_come_in_the_order_of_the_contract),
		cmocka_unit_test(the_finding_is_the_first_line),
		cmocka_unit_test(a_chinese_screen_of_an_english_packet_is_chinese),
		cmocka_unit_test(a_chinese_finding_names_the_limiter_in_chinese_everywhere),
		cmocka_unit_test(both_languages_fit_their_lines),
		cmocka_unit_test(without_kernels_the_refusal_is_the_conclusion),
		cmocka_unit_test(made_up_data_says_so),
		cmocka_unit_test(hostile_names_are_visible),
		cmocka_unit_test(a_screen_without_packet_is_an_error),
	};

	return cmocka_run_group_tests_name("screen", tests, NULL, NULL);
}
