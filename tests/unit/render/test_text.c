/* SPDX-License-Identifier: Apache-2.0
 *
 * The text report as a reader sees it: what stands first, what fits, what lines up, and that no
 * input can write outside its cell.
 */
#include "all.h"

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"

static ks_str name_of(struct given *g, size_t i)
{
	return ks_arena_fmt(&g->run, "void ns::kernel_%zu<float, %zu>(float const*, float*)", i,
			    i * 7);
}

static struct given *with_kernels(size_t n)
{
	struct given *g = given_report();

	for (size_t i = 0; i < n; i++)
		given_kernel(g, name_of(g, i), 5 + i, (ks_ns)(1000000 * (n - i)), 1 + i % 3);
	given_device_rows(g);
	given_finished(g);
	return g;
}

static ks_str line(const char *text, size_t i)
{
	size_t n = 0;
	const char *p = line_of(text, i, &n);

	assert_non_null(p);
	return (ks_str){ p, n };
}

/* Columns before the first occurrence of `word` in the line, -1 if it is not there. */
static long column_of(ks_str s, const char *word)
{
	const char *at = memmem(s.p, s.n, word, strlen(word));

	return at == NULL ? -1 : (long)ks_utf8_columns((ks_str){ s.p, (size_t)(at - s.p) });
}

static size_t first_line_with(const char *text, const char *word)
{
	for (size_t i = 0; i < lines_in(text); i++)
		if (ks_str_has(line(text, i), ks_str_c(word)))
			return i;
	print_error("no line with \"%s\" in:\n%s", word, text);
	fail();
	return 0;
}

static void the_finding_is_the_first_line(void **state)
{
	struct given *g = with_kernels(12);
	const char *text = rendered(g, &ks_render_text);

	(void)state;
	assert_true(ks_str_has(line(text, 0), KS_LIT("of kernel time")));
	assert_true(first_line_with(text, "NVIDIA A100-SXM4-40GB") > 0);
	given_released(g);
}

static void the_first_screen_fits_the_terminal(void **state)
{
	static const int size[][2] = {
		{ 80, 24 }, { 140, 40 }, { 100, 30 }, { 200, 60 }, { 60, 24 }
	};
	static const size_t kernels[] = { 1, 3, 12, 5000 };

	(void)state;
	for (size_t k = 0; k < KS_ARRAY_LEN(kernels); k++) {
		struct given *g = with_kernels(kernels[k]);

		for (size_t i = 0; i < KS_ARRAY_LEN(size); i++)
			for (int zh = 0; zh < 2; zh++) {
				given_terminal(g, size[i][0], size[i][1]);
				given_language(g, zh ? KS_LANG_ZH : KS_LANG_EN);
				const char *text = rendered(g, &ks_render_text);

				expect_no_line_wider(text, (size_t)size[i][0]);
				assert_true(lines_in(text) < (size_t)size[i][1]);
			}
		given_released(g);
	}
}

static void a_taller_terminal_shows_more_kernels(void **state)
{
	struct given *g = with_kernels(60);

	(void)state;
	given_terminal(g, 140, 24);
	assert_null(strstr(rendered(g, &ks_render_text), "kernel_15<"));
	given_terminal(g, 140, 60);
	assert_non_null(strstr(rendered(g, &ks_render_text), "kernel_15<"));
	given_released(g);
}

static void kernels_left_out_are_counted_with_their_time(void **state)
{
	struct given *g = with_kernels(5000);
	const char *text = rendered(g, &ks_render_text);
	size_t rest = first_line_with(text, "more kernels");
	size_t head = first_line_with(text, "share  ");
	size_t shown = rest - head - 1;

	(void)state;
	assert_true(shown >= 3);
	ks_str want = ks_arena_fmt(&g->run, "+ %zu,%03zu more kernels", (5000 - shown) / 1000,
				   (5000 - shown) % 1000);

	assert_true(ks_str_starts(line(text, rest), want.p));
	given_released(g);
}

/* Every number of the table ends in the column its heading ends in. */
static void columns_line_up(void **state)
{
	(void)state;
	for (int zh = 0; zh < 2; zh++) {
		struct given *g = with_kernels(9);

		given_terminal(g, 140, 40);
		given_language(g, zh ? KS_LANG_ZH : KS_LANG_EN);
		const char *text = rendered(g, &ks_render_text);
		size_t head = first_line_with(text, zh ? "\xe5\x8d\xa0\xe6\xaf\x94" : "share  ");
		long at = column_of(line(text, head), "kernel");

		assert_true(at > 0);
		for (size_t i = 1; i <= 9; i++) {
			ks_str row = line(text, head + i);
			long name = column_of(row, "void ns::");

			assert_true(name < 0 || name == at);
			assert_int_equal(column_of(row, "%"), column_of(line(text, head + 1), "%"));
			assert_int_equal(column_of(row, "  33.3 "),
					 column_of(line(text, head + 1), "  33.3 "));
		}
		given_released(g);
	}
}

static void a_wide_name_takes_two_columns_a_character(void **state)
{
	struct given *g = given_report();

	(void)state;
	given_kernel(
		g,
		KS_LIT("\xe5\x90\x91\xe9\x87\x8f\xe5\x8a\xa0\xe5\x90\x91\xe9\x87\x8f\xe5\x8a\xa0"
		       "\xe5\x90\x91\xe9\x87\x8f\xe5\x8a\xa0\xe5\x90\x91\xe9\x87\x8f\xe5\x8a\xa0"
		       "\xe5\x90\x91\xe9\x87\x8f\xe5\x8a\xa0\xe5\x90\x91\xe9\x87\x8f\xe5\x8a\xa0"),
		1, 1000, 1);
	given_finished(g);
	for (int cols = 40; cols < 120; cols += 7) {
		given_terminal(g, cols, 24);
		expect_no_line_wider(rendered(g, &ks_render_text), (size_t)cols);
	}
	given_released(g);
}

static void rows_that_look_alike_are_told_apart(void **state)
{
	struct given *g = given_report();
	const char *a =
		"void s::ew<double, 162, P<32, 4, long>, P<128, 8, float>, P<1, 2, 3>>(long)";
	const char *b =
		"void s::ew<double, 162, P<32, 4, long>, P<128, 16, float>, P<1, 2, 3>>(long)";

	(void)state;
	given_kernel(g, ks_str_c(a), 1, 3000, 1);
	given_kernel(g, ks_str_c(b), 1, 2000, 1);
	given_finished(g);
	for (int summary = 0; summary < 2; summary++) {
		g->v.summary_per_kernel = summary == 1;
		const char *text = rendered(g, &ks_render_text);

		assert_non_null(strstr(text, "16,float"));
	}
	given_released(g);
}

static void refusals_appear_once_per_code_with_what_to_do(void **state)
{
	struct given *g = with_kernels(3);
	const char *text;

	(void)state;
	given_terminal(g, 120, 60);
	text = rendered(g, &ks_render_text);
	const char *first = strstr(text, "no_workload");

	assert_non_null(first);
	assert_null(strstr(first + 1, "no_workload"));
	assert_non_null(strstr(text, ks_refusal_info(KS_REFUSAL_NO_WORKLOAD)->title[KS_LANG_EN]));
	assert_non_null(strstr(text, ks_refusal_info(KS_REFUSAL_NO_WORKLOAD)->action[KS_LANG_EN]));
	given_released(g);
}

static void made_up_data_says_so_in_words(void **state)
{
	struct given *g = with_kernels(2);

	(void)state;
	g->r.synthetic = true;
	g->v.quiet = true;
	assert_non_null(strstr(rendered(g, &ks_render_text), "SYNTHETIC"));
	given_released(g);
}

static void quiet_drops_the_header_and_nothing_else(void **state)
{
	struct given *g = with_kernels(2);

	(void)state;
	g->v.quiet = true;
	const char *text = rendered(g, &ks_render_text);

	assert_null(strstr(text, "535.54.03"));
	assert_non_null(strstr(text, "kernel_0"));
	assert_non_null(strstr(text, "no_workload"));
	given_released(g);
}

static void a_file_without_kernels_says_what_it_holds(void **state)
{
	struct given *g = given_report();

	(void)state;
	g->r.contents = (struct ks_contents){ .copies = 1234,
					      .copy_bytes = 123456789,
					      .api_calls = 17,
					      .why_no_kernels = KS_NK_NOTHING_RECORDED };
	given_device_rows(g);
	given_finished(g);
	const char *text = rendered(g, &ks_render_text);

	assert_true(ks_str_has(line(text, 0), KS_LIT("no GPU kernels")));
	assert_non_null(strstr(text, "1,234"));
	assert_non_null(strstr(text, "123.5 MB"));
	assert_null(strstr(text, "\n  memsets"));
	assert_true(lines_in(text) < 24);
	given_released(g);
}

static void tables_nobody_read_are_named_biggest_first(void **state)
{
	static const struct ks_holding h[] = {
		{ { "SMALL", 5 }, 3, false }, { { "READ", 4 }, 999, true },
		{ { "EMPTY", 5 }, 0, false }, { { "BIG", 3 }, 12345, false },
		{ { "ALSO3", 5 }, 3, false }, { { "VIEW", 4 }, -1, false }
	};
	struct given *g = with_kernels(2);

	(void)state;
	g->r.holding = h;
	g->r.n_holdings = KS_ARRAY_LEN(h);
	assert_non_null(
		strstr(rendered(g, &ks_render_text),
		       "not analysed: 4 tables (rows): BIG 12,345, SMALL 3, ALSO3 3, VIEW ?"));
	given_released(g);
}

static void details_show_rows_with_provenance_and_refusals(void **state)
{
	struct given *g = with_kernels(2);

	(void)state;
	g->v.details = KS_DETAILS_ALL;
	given_terminal(g, 120, 40);
	const char *text = rendered(g, &ks_render_text);
	ks_str row = line(text, first_line_with(text, "ks__launch_count"));

	assert_int_equal(column_of(row, "ks__launch_count"), 4);
	assert_int_equal(column_of(row, "count   ["), 4 + 46 + 14 + 1);
	assert_int_equal(column_of(row, "[exact]"), 4 + 46 + 14 + 1 + 8);
	assert_non_null(strstr(text, "resolution: 0.004 ms"));
	assert_non_null(strstr(text, "[no_workload]"));
	assert_non_null(strstr(text, "observed: peaks_provided=false"));
	assert_non_null(strstr(text, "(+2 n/a)"));
	assert_null(strstr(text, "read from:"));
	g->v.page = KS_PAGE_RAW;
	assert_non_null(strstr(rendered(g, &ks_render_text),
			       "read from: CUPTI_ACTIVITY_KIND_KERNEL (start,end), 7 rows"));
	g->v.full_metric_names = true;
	assert_non_null(strstr(rendered(g, &ks_render_text), "Duration.ks__launch_count"));
	given_released(g);
}

/* "on:" of a kernel with n places; lines are joined, so that wrapping does not matter. */
static void expect_places(size_t n, enum ks_lang lang, const char *want)
{
	static const struct ks_place place[] = {
		{ .gpu = 0, .pid = 111, .stream = 7, .launches = 124, .total_ns = 15560000 },
		{ .gpu = 0, .pid = KS_UNKNOWN, .stream = KS_UNKNOWN, .launches = 1, .total_ns = 9 },
		{ .gpu = 1, .pid = 1, .stream = 2, .launches = 2, .total_ns = 4000000 },
		{ .gpu = 1, .pid = 1, .stream = 3, .launches = 2, .total_ns = 3000000 },
		{ .gpu = 0, .pid = 1, .stream = 4, .launches = 2, .total_ns = 2000000 },
		{ .gpu = 0, .pid = 1, .stream = 5, .launches = 2, .total_ns = 1000000 },
	};
	struct given *g = with_kernels(1);

	g->kernel[0].place = place;
	g->kernel[0].n_places = n;
	g->gpu[1].label = -1;
	g->r.n_gpus = 2;
	g->v.details = KS_DETAILS_ALL;
	given_language(g, lang);
	given_terminal(g, 400, 40);
	assert_non_null(strstr(rendered(g, &ks_render_text), want));
	given_terminal(g, 80, 24);
	expect_no_line_wider(rendered(g, &ks_render_text), 80);
	given_released(g);
}

static void details_say_where_a_kernel_ran(void **state)
{
	(void)state;
	expect_places(1, KS_LANG_EN,
		      "  on: device 0, process 111, stream 7 (124 launches, 15.5600 ms)\n");
	expect_places(2, KS_LANG_EN,
		      "stream 7 (124 launches, 15.5600 ms); device 0, process unknown, stream "
		      "unknown (1 launch, 0.0000 ms)\n");
	expect_places(4, KS_LANG_EN,
		      "; device unknown, process 1, stream 3 (2 launches, 3.0000 ms)\n");
	expect_places(6, KS_LANG_EN, "stream 3 (2 launches, 3.0000 ms); + 2 more\n");
	expect_places(6, KS_LANG_ZH,
		      "  位置：设备 0，进程 111，流 7（124 次启动，共 15.5600 "
		      "ms）；设备 0，进程 未知，流 未知（1 次启动");
	expect_places(6, KS_LANG_ZH, "共 3.0000 ms）；另有 2 处\n");
}

static void a_report_that_does_not_say_where_has_no_such_line(void **state)
{
	struct given *g = with_kernels(1);

	(void)state;
	g->v.details = KS_DETAILS_ALL;
	assert_null(strstr(rendered(g, &ks_render_text), "  on:"));
	given_released(g);
}

static void the_metric_filter_leaves_only_what_was_asked_for(void **state)
{
	static const ks_str want[] = { { "ks__launch_count", 16 } };
	struct given *g = with_kernels(2);

	(void)state;
	g->v.details = KS_DETAILS_ALL;
	g->v.metric = want;
	g->v.n_metrics = 1;
	const char *text = rendered(g, &ks_render_text);

	assert_non_null(strstr(text, "    ks__launch_count"));
	assert_null(strstr(text, "gpu__time_duration.sum"));
	assert_non_null(strstr(text, "filtered by --metrics: ks__launch_count"));
	given_released(g);
}

static void the_summary_is_one_line_a_kernel(void **state)
{
	(void)state;
	for (size_t n = 0; n < 3; n++) {
		struct given *g = with_kernels(n * 2500);

		g->v.summary_per_kernel = true;
		const char *text = rendered(g, &ks_render_text);

		assert_int_equal(lines_in(text), n * 2500);
		expect_no_line_wider(text, 80);
		given_released(g);
	}
}

static void colour_adds_escapes_and_changes_no_letter(void **state)
{
	struct given *g = with_kernels(4);
	struct ks_buf plain;

	(void)state;
	ks_buf_init(&plain, 1 << 20);
	ks_buf_cstr(&plain, rendered(g, &ks_render_text));
	g->v.term.color = true;
	const char *text = rendered(g, &ks_render_text);
	size_t at = 0;

	for (; *text != '\0'; text++) {
		if (*text == '\033') {
			text = strchr(text, 'm');
			assert_non_null(text);
			continue;
		}
		assert_true(at < plain.n && plain.p[at++] == *text);
	}
	assert_int_equal(at, plain.n);
	ks_buf_release(&plain);
	given_released(g);
}

static void without_utf8_only_ascii_is_drawn(void **state)
{
	struct given *g = with_kernels(40);

	(void)state;
	g->v.term.utf8 = false;
	g->v.details = KS_DETAILS_ALL;
	for (const char *c = rendered(g, &ks_render_text); *c != '\0'; c++)
		assert_true((unsigned char)*c < 0x80);
	given_released(g);
}

static void hostile_names_stay_inside_their_cells(void **state)
{
	struct given *g = given_report();

	(void)state;
	for (size_t i = 0; i < n_hostile_names; i++)
		given_kernel(g, hostile_names[i], 1 + i, (ks_ns)(90000 - 100 * i), 1);
	g->r.input_path = hostile_names[0];
	g->r.producer = hostile_names[1];
	g->gpu[0].name = hostile_names[5];
	static const struct ks_diagnostic said[] = { { 3, { "\033[2Jgone\nline\0nul", 16 }, 2 } };

	g->r.diagnostic = said;
	g->r.n_diagnostics = 1;
	given_finished(g);
	for (int cols = 40; cols <= 160; cols += 40)
		for (int mode = 0; mode < 3; mode++) {
			given_terminal(g, cols, 40);
			g->v.details = mode == 1 ? KS_DETAILS_ALL : KS_DETAILS_HEADER;
			g->v.summary_per_kernel = mode == 2;
			const char *text = rendered(g, &ks_render_text);

			expect_no_control_bytes(text, false);
			expect_no_line_wider(text, (size_t)cols);
		}
	given_released(g);
}

static void a_name_of_a_megabyte_costs_a_few_lines(void **state)
{
	const size_t n = (size_t)1 << 20;
	char *name = ks_mem_alloc(n);
	struct given *g = given_report();

	(void)state;
	memset(name, 'k', n);
	given_kernel(g, (ks_str){ name, n }, 2, 5000, 1);
	given_finished(g);
	assert_true(lines_in(rendered(g, &ks_render_text)) < 24);
	g->v.details = KS_DETAILS_ALL;
	const char *text = rendered(g, &ks_render_text);

	expect_no_line_wider(text, 80);
	assert_true(lines_in(text) < 200);
	given_released(g);
	ks_mem_free(name);
}

/* Kernels 2 of 10 ms busy, copies the rest: the line must not read as 10 ms of kernels. */
static void a_copy_bound_device_does_not_look_kernel_busy(void **state)
{
	(void)state;
	for (int copies = 0; copies < 2; copies++) {
		struct given *g = with_kernels(2);

		g->gpu[0].kernel_busy_ns = 2000000;
		g->gpu[0].busy_ns = copies ? 10000000 : 2000000;
		g->gpu[0].idle_ns = 5000000;
		const char *at =
			strstr(rendered(g, &ks_render_text),
			       "device 0 \xc2\xb7 busy 10.00 ms (kernels 2.000 ms) \xc2\xb7 "
			       "idle 5.000 ms");

		assert_int_equal(at != NULL, copies);
		given_released(g);
	}
}

static void every_device_of_several_has_its_line(void **state)
{
	struct given *g = with_kernels(2);

	(void)state;
	g->gpu[1] = g->gpu[0];
	g->gpu[1].label = 1;
	g->gpu[0].busy_ns = g->gpu[0].kernel_busy_ns = 3000000;
	g->gpu[1].busy_ns = g->gpu[1].kernel_busy_ns = 4000000;
	g->r.n_gpus = g->r.n_gpus_used = 2;
	const char *text = rendered(g, &ks_render_text);

	assert_true(ks_str_has(line(text, first_line_with(text, "device 0")),
			       KS_LIT("busy 3.000 ms (kernels 3.000 ms)")));
	assert_true(ks_str_has(line(text, first_line_with(text, "device 1")),
			       KS_LIT("busy 4.000 ms (kernels 4.000 ms)")));
	given_released(g);
}

/* A negative label stands for rows without a device; no device has that number. */
static void rows_without_a_device_are_not_device_minus_one(void **state)
{
	struct given *g = with_kernels(2);

	(void)state;
	g->gpu[1] = g->gpu[0];
	g->gpu[1].label = -1;
	g->r.n_gpus = g->r.n_gpus_used = 2;
	const char *text = rendered(g, &ks_render_text);

	assert_non_null(strstr(text, "\nunknown device"));
	assert_null(strstr(text, "device -1"));
	given_released(g);
}

/* 5 launches of 2469 ns each. */
static void microseconds_are_spelled_as_the_terminal_can_draw_them(void **state)
{
	(void)state;
	for (int utf8 = 0; utf8 < 2; utf8++) {
		struct given *g = given_report();

		given_kernel(g, KS_LIT("k(int)"), 5, 12345, 1);
		given_device_rows(g);
		given_finished(g);
		g->v.term.utf8 = utf8;
		const char *text = rendered(g, &ks_render_text);

		assert_true(ks_str_has(line(text, 0),
				       ks_str_c(utf8 ? "12.345 \xc2\xb5s in" : "12.345 us in")));
		assert_int_equal(strstr(text, "\xc2\xb5s") != NULL, utf8);
		given_released(g);
	}
}

int test_text(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_finding_is_the_first_line),
		cmocka_unit_test(the_first_screen_fits_the_terminal),
		cmocka_unit_test(a_taller_terminal_shows_more_kernels),
		cmocka_unit_test(kernels_left_out_are_counted_with_their_time),
		cmocka_unit_test(columns_line_up),
		cmocka_unit_test(a_wide_name_takes_two_columns_a_character),
		cmocka_unit_test(rows_that_look_alike_are_told_apart),
		cmocka_unit_test(refusals_appear_once_per_code_with_what_to_do),
		cmocka_unit_test(made_up_data_says_so_in_words),
		cmocka_unit_test(quiet_drops_the_header_and_nothing_else),
		cmocka_unit_test(a_file_without_kernels_says_what_it_holds),
		cmocka_unit_test(tables_nobody_read_are_named_biggest_first),
		cmocka_unit_test(details_show_rows_with_provenance_and_refusals),
		cmocka_unit_test(details_say_where_a_kernel_ran),
		cmocka_unit_test(a_report_that_does_not_say_where_has_no_such_line),
		cmocka_unit_test(the_metric_filter_leaves_only_what_was_asked_for),
		cmocka_unit_test(a_copy_bound_device_does_not_look_kernel_busy),
		cmocka_unit_test(every_device_of_several_has_its_line),
		cmocka_unit_test(rows_without_a_device_are_not_device_minus_one),
		cmocka_unit_test(microseconds_are_spelled_as_the_terminal_can_draw_them),
		cmocka_unit_test(the_summary_is_one_line_a_kernel),
		cmocka_unit_test(colour_adds_escapes_and_changes_no_letter),
		cmocka_unit_test(without_utf8_only_ascii_is_drawn),
		cmocka_unit_test(hostile_names_stay_inside_their_cells),
		cmocka_unit_test(a_name_of_a_megabyte_costs_a_few_lines),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
