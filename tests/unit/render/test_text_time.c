/* SPDX-License-Identifier: Apache-2.0
 *
 * The block about time as a reader sees it: only what the trace has, most asked for first, and
 * nothing wider than the screen.
 */
#include "all.h"

#include "base/str.h"
#include "base/utf8.h"

static struct given *with_timeline(void)
{
	struct given *g = given_report();

	for (size_t i = 0; i < 9; i++)
		given_kernel(g, ks_arena_fmt(&g->run, "kernel_%zu", i), 5,
			     (ks_ns)(1000000 * (9 - i)), 1);
	given_device_rows(g);
	given_finished(g);
	given_timeline(g);
	given_terminal(g, 160, 80);
	return g;
}

static void expect_said(struct given *g, const char *const *want, size_t n)
{
	const char *text = rendered(g, &ks_render_text);

	for (size_t i = 0; i < n; i++)
		if (strstr(text, want[i]) == NULL) {
			print_error("no \"%s\" in:\n%s", want[i], text);
			fail();
		}
}
#define EXPECT_SAID(g, ...)                                                                        \
	expect_said(g, (const char *const[]){ __VA_ARGS__ },                                       \
		    KS_ARRAY_LEN(((const char *const[]){ __VA_ARGS__ })))

static void a_report_without_a_timeline_has_no_such_block(void **state)
{
	static const struct ks_device_time unused[1];
	static const struct ks_timeline nothing = { .ranges = 0 }, idle = { .device = unused };
	struct given *g = with_timeline();

	(void)state;
	assert_non_null(strstr(rendered(g, &ks_render_text), "Over time"));
	g->r.timeline = &nothing;
	assert_null(strstr(rendered(g, &ks_render_text), "Over time"));
	g->r.timeline = &idle; /* no row of a device could be used */
	g->r.n_gpus_used = 0;
	assert_null(strstr(rendered(g, &ks_render_text), "Over time"));
	g->r.timeline = NULL;
	assert_null(strstr(rendered(g, &ks_render_text), "Over time"));
	given_released(g);
}

static void each_question_has_its_line(void **state)
{
	struct given *g = with_timeline();

	(void)state;
	EXPECT_SAID(
		g, "  steps     5 of step # · first 9.000 ms · 1 outlier · 1 warm-up\n",
		"  NVTX      forward 10.0 %, Step # 6.7 % · by launch call · 125.0 µs outside all "
		"ranges · 1 range never closed · 2 marks\n",
		"  device 0  idle 2.000 ms · compute 5.000 ms · communication 700.0 µs · "
		"copy 400.0 µs · compute+communication 300.0 µs · compute+copy 100.0 µs · ",
		"  device 1  idle 8.500 ms\n", "  comm      ncclAllReduce 24 calls, 100.7 MB\n",
		"  copies    htod 268.4 MB · pageable to device · 4 copies · typically 12.7 GB/s "
		"at 67.11 MB\n",
		"            ptop 0 B · device 0 to 1 · 1 copy · 1 of unknown size\n",
		"  idle gap  900.0 µs · device 0 · after gemm, before copy htod · 250.0 µs of it "
		"profiler overhead\n",
		"            500.0 µs · device 1 · after the start, before gemm\n",
		"  graphs    100 launch calls · 96 replays by node: 480 kernels, 1.900 ms · 4 "
		"recorded as a whole, 80.00 µs · most in fused_mlp, 880.0 µs\n",
		"  calls     cudaLaunchKernel 1,234 times, 7.000 ms\n");
	given_released(g);
}

static void a_window_says_what_it_does_to_sums_and_lists(void **state)
{
	struct given *g = with_timeline();

	(void)state;
	given_window(g, "nvtx:step/3");
	EXPECT_SAID(g, "  window    nvtx:step/3 · sums clipped to it, lists whole · 2.500 ms "
		       "· 3 launches reach over its edges · 12000000ns..14500000ns\n");
	given_terminal(g, 80, 24);
	EXPECT_SAID(g, "nvtx:step/3 · sums clipped to it, lists whole");
	given_released(g);
}

static void phases_fold_digits_and_keep_their_domain(void **state)
{
	struct given *g = with_timeline();

	(void)state;
	EXPECT_SAID(g, "kernel ms  share  own ms  on GPU ms  times  mean ms  longest ms  phase\n",
		    "    4.500  10.0%   4.500      4.400      5    1.100       1.700  forward\n",
		    "    3.000   6.7%   1.000                12    2.000       2.000  Step # "
		    "@NCCL (12 "
		    "names)\n");
	given_released(g);
}

static void every_detail_adds_the_lists(void **state)
{
	struct given *g = with_timeline();

	(void)state;
	assert_null(strstr(rendered(g, &ks_render_text), "train_step"));
	g->v.details = KS_DETAILS_ALL;
	EXPECT_SAID(g, "Steps\n", "  1      2.000      1.500  10000000  warm-up\n",
		    "NVTX phases by their exact names\n", "Step 1 @NCCL\n",
		    "  + 11 more: ", "NVTX paths: total = own + children\n",
		    "4.500   0.000         0  (default domain)\n",
		    "4.500   0.500         2    step\n", "4.000   4.000        38      forward\n",
		    "Longest idle gaps\n", "Copies by kind and size\n", "67.11 MB", "kind_17\n",
		    "Kernels beside communication and alone\n", "CUDA graph nodes\n",
		    "CUDA calls\n", "  + 6 more: ", "gemm: train_step (app), 40 launches\n",
		    "main;loop;train_step\n");
	g->v.metric = &KS_LIT("ks__launch_count");
	g->v.n_metrics = 1;
	assert_null(strstr(rendered(g, &ks_render_text), "train_step"));
	given_released(g);
}

static void a_small_screen_loses_the_less_important_lines(void **state)
{
	struct given *g = with_timeline();

	(void)state;
	given_window(g, "nvtx:step/3");
	given_terminal(g, 80, 24);
	const char *text = rendered(g, &ks_render_text);

	assert_non_null(strstr(text, "  window "));
	assert_non_null(strstr(text, "  steps "));
	assert_null(strstr(text, "cudaLaunchKernel"));
	given_released(g);
}

static void the_first_screen_still_fits(void **state)
{
	static const int size[][2] = { { 80, 24 },  { 140, 40 }, { 100, 30 },
				       { 200, 60 }, { 60, 24 },	 { 40, 30 } };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(size); i++)
		for (int zh = 0; zh < 2; zh++) {
			struct given *g = with_timeline();

			given_window(g, "nvtx:step/3");
			given_terminal(g, size[i][0], size[i][1]);
			given_language(g, zh ? KS_LANG_ZH : KS_LANG_EN);
			const char *text = rendered(g, &ks_render_text);

			expect_no_line_wider(text, (size_t)size[i][0]);
			if (lines_in(text) >= (size_t)size[i][1])
				print_error("%zu lines in %d\n%s", lines_in(text), size[i][1],
					    text);
			assert_true(lines_in(text) < (size_t)size[i][1]);
			given_released(g);
		}
}

static void no_line_is_wider_with_every_detail(void **state)
{
	(void)state;
	for (int cols = 40; cols < 160; cols += 13)
		for (int zh = 0; zh < 2; zh++) {
			struct given *g = with_timeline();

			g->v.details = KS_DETAILS_ALL;
			given_terminal(g, cols, 24);
			given_language(g, zh ? KS_LANG_ZH : KS_LANG_EN);
			expect_no_line_wider(rendered(g, &ks_render_text), (size_t)cols);
			given_released(g);
		}
}

/* Names of ranges, frames and windows come from strangers, too. */
static void hostile_names_stay_in_their_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_hostile_names; i++) {
		struct given *g = with_timeline();
		struct ks_timeline *t = KS_ARENA_NEW(&g->run, struct ks_timeline);
		struct ks_phase phase = g->r.timeline->phase[0];
		const struct ks_path_node node = { .name = hostile_names[i], .total_ns = 5 };
		const struct ks_gap gap = { .end_ns = 5,
					    .before = hostile_names[i],
					    .after = hostile_names[i] };
		const struct ks_call_site site = { hostile_names[i], hostile_names[i],
						   hostile_names[i], 1 };
		const struct ks_api_call call = { .name = hostile_names[i], .calls = 1 };

		*t = *g->r.timeline;
		phase.name = phase.domain = t->steps.name = hostile_names[i];
		t->phase = t->folded_phase = &phase;
		t->path = &node;
		t->gap = &gap;
		t->call_site = &site;
		t->api = &call;
		t->n_phases = t->n_folded_phases = t->n_paths = t->n_gaps = 1;
		t->window = (struct ks_window_facts){ .on = true, .text = hostile_names[i] };
		g->r.timeline = t;
		g->v.details = KS_DETAILS_ALL;
		expect_no_control_bytes(rendered(g, &ks_render_text), false);
		given_released(g);
	}
}

int test_text_time(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_without_a_timeline_has_no_such_block),
		cmocka_unit_test(each_question_has_its_line),
		cmocka_unit_test(a_window_says_what_it_does_to_sums_and_lists),
		cmocka_unit_test(phases_fold_digits_and_keep_their_domain),
		cmocka_unit_test(every_detail_adds_the_lists),
		cmocka_unit_test(a_small_screen_loses_the_less_important_lines),
		cmocka_unit_test(the_first_screen_still_fits),
		cmocka_unit_test(no_line_is_wider_with_every_detail),
		cmocka_unit_test(hostile_names_stay_in_their_line),
	};

	return cmocka_run_group_tests_name("text_time", tests, NULL, NULL);
}
