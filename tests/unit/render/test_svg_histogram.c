/* SPDX-License-Identifier: Apache-2.0
 *
 * The picture of durations: well-formed, counts as in the bins, bars as high as their counts.
 */
#include "all.h"

#include "base/str.h"
#include "render/svg_axis.h"

#define MS 1000000

struct timed {
	struct given *g;
	struct ks_timeline t;
	struct ks_duration_picture d[6];
	struct ks_bin length[2], time[3];
};

/* Three launches of 1 ms, one of 9 ms, the last in the third millisecond; `n` kernels of it. */
static struct timed *given_durations(size_t n, ks_str name)
{
	struct given *g = given_report();
	struct timed *q = KS_ARENA_NEW(&g->run, struct timed);

	assert_non_null(q);
	q->g = g;
	q->length[0] = (struct ks_bin){ MS, 3 * MS, 3, MS, MS, 3 * MS };
	q->length[1] = (struct ks_bin){ 3 * MS, 9 * MS + 1, 1, 9 * MS, 9 * MS, 9 * MS };
	q->time[0] = (struct ks_bin){ 0, 10 * MS, 3, MS, MS, 3 * MS };
	q->time[1] = (struct ks_bin){ 10 * MS, 20 * MS, 0, 0, 0, 0 };
	q->time[2] = (struct ks_bin){ 20 * MS, 30 * MS, 1, 9 * MS, 9 * MS, 9 * MS };
	for (size_t i = 0; i < n; i++) {
		q->d[i] = (struct ks_duration_picture){ .kernel = name,
							.launches = 4,
							.most = 3,
							.min_ns = MS,
							.max_ns = 9 * MS,
							.sum_ns = 12 * MS,
							.by_duration = q->length,
							.by_time = q->time,
							.n_by_duration = 2,
							.n_by_time = 3 };
		given_kernel(g, name, 4, 12 * MS, 1);
	}
	q->t.duration = q->d;
	q->t.n_durations = n;
	g->r.timeline = &q->t;
	given_finished(g);
	return q;
}

static void pictures_of_every_number_are_well_formed(void **state)
{
	(void)state;
	for (size_t n = 0; n <= 6; n++)
		for (int zh = 0; zh < 2; zh++) {
			struct timed *q = given_durations(n, KS_LIT("void k<int>(float*)"));

			given_language(q->g, zh ? KS_LANG_ZH : KS_LANG_EN);
			expect_well_formed(rendered(q->g, &ks_render_histogram));
			given_released(q->g);
		}
}

static void counts_and_durations_are_said(void **state)
{
	struct timed *q = given_durations(1, KS_LIT("gemm"));
	const char *text = rendered(q->g, &ks_render_histogram);

	(void)state;
	assert_non_null(strstr(text, ">4 launches \xc2\xb7 1.000 ms to 9.000 ms \xc2\xb7 mean "
				     "3.000 ms \xc2\xb7 tallest: 3 launches<"));
	assert_non_null(strstr(text, ">3 launches of 1000000 ns .. 2999999 ns<"));
	assert_non_null(strstr(text, ">1 launches of 3000000 ns .. 9000000 ns<"));
	assert_non_null(strstr(text, ">3 launches from 0 ns on: shortest 1.000 ms, mean 1.000 ms, "
				     "longest 1.000 ms<"));
	assert_null(strstr(text, "from 10000000 ns on")); /* nothing began there */
	given_released(q->g);
}

static void the_tallest_column_fills_the_plot(void **state)
{
	struct timed *q = given_durations(1, KS_LIT("gemm"));
	const char *text = rendered(q->g, &ks_render_histogram);
	const char *tall = strstr(text, "3 launches of"), *low = strstr(text, "1 launches of");

	(void)state;
	assert_non_null(tall);
	assert_non_null(low);
	assert_memory_equal(strstr(tall, "height=\"") + 8, "104\"", 4);
	assert_true(strtod(strstr(low, "height=\"") + 8, NULL) > 34.0);
	assert_true(strtod(strstr(low, "height=\"") + 8, NULL) < 35.0);
	given_released(q->g);
}

static void a_window_that_cuts_launches_says_so(void **state)
{
	struct timed *q = given_durations(1, KS_LIT("gemm"));

	(void)state;
	q->t.window = (struct ks_window_facts){ .on = true,
						.text = KS_LIT("1ms..2ms"),
						.cut_launches = 2 };
	const char *text = rendered(q->g, &ks_render_histogram);

	assert_non_null(strstr(text, ">launches that reach over an edge of the window: 2"));
	assert_non_null(strstr(text, "1ms..2ms<"));
	given_released(q->g);
}

static void hostile_names_stay_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_hostile_names; i++) {
		struct timed *q = given_durations(1, hostile_names[i]);
		const char *text = rendered(q->g, &ks_render_histogram);

		expect_no_control_bytes(text, false);
		assert_null(strstr(text, "<script"));
		expect_well_formed(text);
		given_released(q->g);
	}
}

static void a_report_without_durations_is_an_error(void **state)
{
	struct given *g = given_report();
	struct ks_err err = { 0 };
	struct ks_out out;

	(void)state;
	ks_out_open_null(&out);
	assert_int_equal(ks_render_histogram.render(&g->ctx, &g->r, &g->v, &out, &err), KS_E_INPUT);
	given_released(g);
}

static void steps_of_an_axis_are_round(void **state)
{
	static const struct {
		ks_ns span;
		int ticks;
		ks_ns step;
	} cases[] = {
		{ 1, 10, 1 },
		{ 10, 10, 1 },
		{ 11, 10, 2 },
		{ 30, 10, 5 },
		{ 99, 10, 10 },
		{ 1000000, 10, 100000 },
		{ 1234567, 10, 200000 },
		{ 60000000000, 10, 10000000000 },
		{ INT64_MAX, 10, 1000000000000000000 },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++)
		assert_int_equal(ks_svg_step(cases[i].span, cases[i].ticks), cases[i].step);
}

static void logarithmic_axes_have_a_few_round_marks(void **state)
{
	static const struct {
		ks_ns from, to;
		const char *first;
	} cases[] = {
		{ 1000, 1001, "1.000 \xc2\xb5s" },
		{ 1000, 900000, "1 \xc2\xb5s" },
		{ 900, 3000000000, "1 \xc2\xb5s" },
		{ 41800, 43200, "41.8 \xc2\xb5s" },
		{ 1, 2, "1 ns" },
		{ 1, INT64_MAX, "1 ns" },
		{ 5000000, 70000000, "5 ms" },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct ks_svg s;
		struct ks_view v = { .lang = KS_LANG_EN };
		struct ks_svg_mark mark[24];
		struct ks_out out;

		ks_out_open_null(&out);
		ks_svg_begin(&s, &v, &out);
		const size_t n = ks_svg_log_marks(&s, cases[i].from, cases[i].to, mark, 24);

		assert_true(n >= 1);
		for (size_t m = 0; m < n; m++) {
			assert_true(mark[m].where >= 0.0 && mark[m].where <= 1.0);
			assert_true(m == 0 || mark[m].at > mark[m - 1].at);
		}
		assert_string_equal(mark[0].label.p, cases[i].first);
		assert_int_equal(ks_svg_done(&s, NULL), KS_OK);
	}
}

int test_svg_histogram(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pictures_of_every_number_are_well_formed),
		cmocka_unit_test(counts_and_durations_are_said),
		cmocka_unit_test(the_tallest_column_fills_the_plot),
		cmocka_unit_test(a_window_that_cuts_launches_says_so),
		cmocka_unit_test(hostile_names_stay_text),
		cmocka_unit_test(a_report_without_durations_is_an_error),
		cmocka_unit_test(steps_of_an_axis_are_round),
		cmocka_unit_test(logarithmic_axes_have_a_few_round_marks),
	};

	return cmocka_run_group_tests_name("svg histogram", tests, NULL, NULL);
}
