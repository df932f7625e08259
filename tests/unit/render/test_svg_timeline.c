/* SPDX-License-Identifier: Apache-2.0
 *
 * The timeline picture: well-formed by the judgement of xmllint, self-contained, everything that is
 * counted printed, nothing drawn outside the plot.
 */
#include "all.h"

#include "base/str.h"

#define LEFT  220.0 /* of the plot */
#define WIDE  1000.0
#define START 5000000

struct pictured {
	struct given *g;
	struct ks_timeline t;
	struct ks_timeline_picture p;
	struct ks_lane row[64];
	unsigned depth[64];
	struct ks_bar bar[4096];
	struct ks_gap gap[2];
	struct ks_process process;
};

/* 1 ms from 5 ms on; no rows. */
static struct pictured *given_picture(void)
{
	struct given *g = given_report();
	struct pictured *q = KS_ARENA_NEW(&g->run, struct pictured);

	assert_non_null(q);
	q->g = g;
	q->p = (struct ks_timeline_picture){ .from_ns = START,
					     .to_ns = START + 1000000,
					     .row = q->row,
					     .row_depth = q->depth,
					     .bar = q->bar };
	q->t.picture = &q->p;
	q->t.gap = q->gap;
	g->r.timeline = &q->t;
	q->process = (struct ks_process){ .pid = 42, .name = KS_LIT("python") };
	g->r.process = &q->process;
	g->r.n_processes = 1;
	given_kernel(g, KS_LIT("gemm"), 10, 5000, 1);
	given_finished(g);
	return q;
}

static uint32_t given_row(struct pictured *q, enum ks_lane_kind kind, ks_str name)
{
	const bool host = kind == KS_LANE_NVTX || kind == KS_LANE_API;

	assert_true(q->p.n_rows < KS_ARRAY_LEN(q->row));
	q->row[q->p.n_rows] =
		(struct ks_lane){ .kind = kind,
				  .gpu = host ? SIZE_MAX : 0,
				  .pid = 42,
				  .stream = 7,
				  .process_name = host ? KS_LIT("python") : KS_LIT("GPU 0: A100"),
				  .name = name };
	q->depth[q->p.n_rows] = 1;
	return (uint32_t)q->p.n_rows++;
}

/* From `from` to `to` in shares of the window. */
static struct ks_bar *given_bar(struct pictured *q, uint32_t row, ks_str name, double from,
				double to)
{
	struct ks_bar *b = &q->bar[q->p.n_bars++];

	assert_true(q->p.n_bars <= KS_ARRAY_LEN(q->bar));
	*b = (struct ks_bar){ .row = row,
			      .x = from,
			      .width = to - from,
			      .slices = 1,
			      .fill = 1.0,
			      .name = name,
			      .start_ns = START + (ks_ns)(1e6 * from),
			      .end_ns = START + (ks_ns)(1e6 * to),
			      .bytes = KS_UNKNOWN };
	q->p.selected++;
	q->p.drawn++;
	return b;
}

static const char *drawn(struct pictured *q)
{
	return rendered(q->g, &ks_render_timeline);
}

static size_t times(const char *text, const char *what)
{
	size_t n = 0;

	for (const char *p = text; (p = strstr(p, what)) != NULL; p++)
		n++;
	return n;
}

static struct pictured *given_everything(void)
{
	struct pictured *q = given_picture();
	uint32_t stream = given_row(q, KS_LANE_STREAM, KS_LIT("stream 7"));
	uint32_t copy = given_row(q, KS_LANE_COPY, KS_LIT("stream 7 copies"));
	uint32_t memory = given_row(q, KS_LANE_MEMORY, KS_LIT("memory in use"));
	uint32_t nvtx = given_row(q, KS_LANE_NVTX, KS_LIT("thread 1"));
	uint32_t api = given_row(q, KS_LANE_API, KS_LIT("thread 1 calls"));

	given_bar(q, stream, KS_LIT("gemm"), 0.0, 0.25);
	given_bar(q, stream, KS_LIT("ncclDevKernel_AllReduce"), 0.5, 0.75)->comm = true;
	given_bar(q, copy, KS_LIT("copy HtoD"), 0.25, 0.5)->bytes = 4096;
	given_bar(q, memory, KS_LIT("memory"), 0.0, 1.0)->bytes = 1000000;
	given_bar(q, nvtx, KS_LIT("step"), 0.0, 1.0);
	given_bar(q, nvtx, KS_LIT("forward"), 0.0, 0.5)->depth = 1;
	q->depth[nvtx] = 2;
	struct ks_bar *bin = given_bar(q, api, KS_LIT("cudaLaunchKernel"), 0.1, 0.101);

	bin->slices = 17;
	bin->fill = 0.5;
	q->p.selected += 16;
	q->p.drawn--;
	q->p.binned = 17;
	q->gap[0] = (struct ks_gap){ .gpu = 0,
				     .start_ns = START + 750000,
				     .end_ns = START + 1250000,
				     .before = KS_LIT("ncclDevKernel_AllReduce") };
	q->t.n_gaps = 1;
	return q;
}

static void a_picture_of_everything_is_well_formed_in_both_languages(void **state)
{
	(void)state;
	for (int zh = 0; zh < 2; zh++) {
		struct pictured *q = given_everything();

		given_language(q->g, zh ? KS_LANG_ZH : KS_LANG_EN);
		expect_well_formed(drawn(q));
		given_released(q->g);
	}
}

static void every_bar_says_what_it_is(void **state)
{
	struct pictured *q = given_everything();
	const char *text = drawn(q);

	(void)state;
	assert_non_null(strstr(text, "<title>gemm: 250.0 \xc2\xb5s, from 5000000 ns</title>"));
	assert_non_null(strstr(text, ">full height 1.000 MB<")); /* of the row of memory */
	assert_non_null(strstr(text, ">copy HtoD: 250.0 \xc2\xb5s, from 5250000 ns, 4.096 kB<"));
	assert_non_null(strstr(text, ">17 slices within 5100000 ns .. 5101000 ns, the longest: "
				     "cudaLaunchKernel<"));
	assert_non_null(strstr(text, ">idle for 500.0 \xc2\xb5s from 5750000 ns, after: "
				     "ncclDevKernel_AllReduce, before: edge of the trace<"));
	given_released(q->g);
}

static void what_is_counted_is_printed(void **state)
{
	struct pictured *q = given_everything();
	struct ks_slice_log log = { .left_out = 1234, .cut_ns = START + 999 };

	(void)state;
	q->p.rows_left_out = 5;
	q->p.slices_left_out = 6789;
	q->t.slices = &log;
	const char *text = drawn(q);

	assert_non_null(strstr(text, ">slices: 23 = 6 drawn one by one + 17 narrower than"));
	assert_non_null(strstr(text, ">5 more rows with 6,789 slices are not drawn"));
	assert_non_null(strstr(text, ">1,234 slices are over --ks-timeline-limit: nothing that "
				     "starts from 5000999 ns on"));
	assert_non_null(strstr(text, ">5000000 ns to 6000000 ns on the clock of the trace"));
	given_released(q->g);
}

static void rows_stand_under_their_device_and_process(void **state)
{
	struct pictured *q = given_everything();
	const char *text = drawn(q);

	(void)state;
	assert_int_equal(
		times(text, ">device 0 NVIDIA A100-SXM4-40GB \xc2\xb7 python (process 42)<"), 1);
	assert_int_equal(times(text, ">host, python (process 42)<"), 1);
	assert_true(strstr(text, ">device 0 ") < strstr(text, ">host, "));
	given_released(q->g);
}

static void nothing_is_drawn_outside_the_plot(void **state)
{
	struct pictured *q = given_everything();
	const char *p = drawn(q);
	size_t n = 0;

	(void)state;
	for (; (p = strstr(p, "<rect x=\"")) != NULL; p++) {
		const double x = strtod(p + 9, NULL);
		const char *width = strstr(p, "width=\"");

		assert_non_null(width);
		if (x < LEFT - 1) /* paper and legend */
			continue;
		n++;
		assert_true(x + strtod(width + 7, NULL) <= LEFT + WIDE + 0.6);
	}
	assert_true(n > 7);
	given_released(q->g);
}

static void a_column_is_as_high_as_its_share(void **state)
{
	struct pictured *q = given_picture();
	uint32_t row = given_row(q, KS_LANE_STREAM, KS_LIT("stream 7"));
	struct ks_bar *bin = given_bar(q, row, KS_LIT("k"), 0.5, 0.501);

	(void)state;
	bin->fill = 0.5;
	const char *half = strstr(drawn(q), "<rect x=\"720.00\"");

	assert_non_null(half);
	assert_non_null(strstr(half, "height=\""));
	assert_memory_equal(strstr(half, "height=\"") + 8, "8.5\"", 4); /* of 17 */
	given_released(q->g);
}

static void an_empty_window_says_so(void **state)
{
	struct pictured *q = given_picture();

	(void)state;
	q->t.window = (struct ks_window_facts){ .on = true, .text = KS_LIT("step:3") };
	const char *text = drawn(q);

	assert_non_null(strstr(text, ">Nothing was recorded in this window<"));
	assert_non_null(strstr(text, ">Timeline of step:3, 1.000 ms<"));
	expect_well_formed(text);
	given_released(q->g);
}

static void hostile_names_stay_text(void **state)
{
	struct pictured *q = given_picture();

	(void)state;
	for (size_t i = 0; i < n_hostile_names; i++) {
		uint32_t row =
			given_row(q, i % 2 ? KS_LANE_STREAM : KS_LANE_NVTX, hostile_names[i]);

		q->row[row].process_name = hostile_names[i];
		q->row[row].pid = (int64_t)i;
		given_bar(q, row, hostile_names[i], 0.0, 0.9);
	}
	q->gap[0] = (struct ks_gap){ .start_ns = START,
				     .end_ns = START + 500000,
				     .before = hostile_names[0],
				     .after = hostile_names[3] };
	q->t.n_gaps = 1;
	q->t.window = (struct ks_window_facts){ .on = true, .text = hostile_names[1] };
	const char *text = drawn(q);

	expect_no_control_bytes(text, false);
	assert_null(strstr(text, "<script"));
	expect_well_formed(text);
	given_released(q->g);
}

static void it_needs_nothing_from_outside(void **state)
{
	struct pictured *q = given_everything();
	const char *text = drawn(q), *link = strstr(text, "http");

	(void)state;
	assert_non_null(link);
	assert_null(strstr(link + 1, "http")); /* the name space, not a link */
	assert_null(strstr(text, "href"));
	assert_null(strstr(text, "@import"));
	assert_non_null(strstr(text, "fill=\"#ffffff\""));
	given_released(q->g);
}

static void the_same_report_gives_the_same_bytes(void **state)
{
	struct pictured *a = given_everything(), *b = given_everything();

	(void)state;
	assert_string_equal(drawn(a), drawn(b));
	given_released(a->g);
	given_released(b->g);
}

static void bars_of_a_full_picture_are_well_formed(void **state)
{
	struct pictured *q = given_picture();

	(void)state;
	for (size_t i = 0; i < 64; i++) {
		uint32_t row = given_row(q, (enum ks_lane_kind)(i % 6), KS_LIT("row"));

		for (int k = 0; k < 64; k++)
			given_bar(q, row, KS_LIT("gemm"), k / 64.0, (k + 1) / 64.0);
	}
	expect_well_formed(drawn(q));
	given_released(q->g);
}

static void a_report_without_a_picture_is_an_error(void **state)
{
	struct given *g = given_report();
	struct ks_err err = { 0 };
	struct ks_out out;

	(void)state;
	ks_out_open_null(&out);
	assert_int_equal(ks_render_timeline.render(&g->ctx, &g->r, &g->v, &out, &err), KS_E_INPUT);
	given_released(g);
}

int test_svg_timeline(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_picture_of_everything_is_well_formed_in_both_languages),
		cmocka_unit_test(every_bar_says_what_it_is),
		cmocka_unit_test(what_is_counted_is_printed),
		cmocka_unit_test(rows_stand_under_their_device_and_process),
		cmocka_unit_test(nothing_is_drawn_outside_the_plot),
		cmocka_unit_test(a_column_is_as_high_as_its_share),
		cmocka_unit_test(an_empty_window_says_so),
		cmocka_unit_test(hostile_names_stay_text),
		cmocka_unit_test(it_needs_nothing_from_outside),
		cmocka_unit_test(the_same_report_gives_the_same_bytes),
		cmocka_unit_test(bars_of_a_full_picture_are_well_formed),
		cmocka_unit_test(a_report_without_a_picture_is_an_error),
	};

	return cmocka_run_group_tests_name("svg timeline", tests, NULL, NULL);
}
