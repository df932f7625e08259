/* SPDX-License-Identifier: Apache-2.0
 *
 * The Markdown report: its headings, its tables, and escapes against the rules of CommonMark and
 * GFM. What a parser makes of it is in tests/cli/report_md.t.
 */
#include "all.h"

#include "base/str.h"
#include "render/md_pen.h"

static const char *const headings[2][18] = {
	{ "# Kernel report:", "## 0. Profiling setup", "### Artifacts", "## 1. Headline numbers",
	  "## 2. Per-dimension analysis", "### 2.1 SM occupancy & launch geometry",
	  "### 2.2 Thread-block balance (tail effect)", "### 2.3 Instruction-level stall analysis",
	  "### 2.4 Tensor Core utilization", "### 2.5 SM utilization timeline",
	  "### 2.6 Memory access pattern", "### 2.7 Additional findings", "## 3. Summary diagnosis",
	  "## 4. Optimization directions (ranked by impact)", "### Priority 1 ",
	  "## 5. Confidence & caveats", "## 6. Reproduction", NULL },
	{ "# Kernel \xe6\x8a\xa5\xe5\x91\x8a", "## 0. ", "## 1. ", "## 2. ", "### 2.1 ", "### 2.2 ",
	  "### 2.3 ", "### 2.4 ", "### 2.5 ", "### 2.6 ", "### 2.7 ", "## 3. ", "## 4. ", "## 5. ",
	  "## 6. ", NULL },
};

static struct given *of_two(void)
{
	struct given *g = given_report();

	given_kernel(g, KS_LIT("gemm(float*)"), 5, 4755000, 1);
	given_kernel(g, KS_LIT("add(float*)"), 20, 168000, 1);
	given_device_rows(g);
	given_finished(g);
	return g;
}

static void expect_has(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("missing: %s\nin: %s", part, text);
}

static void sections_come_with_fixed_numbers(void **state)
{
	(void)state;
	for (int lang = 0; lang < 2; lang++) {
		struct given *g = of_two();

		given_language(g, (enum ks_lang)lang);
		const char *text = rendered(g, &ks_render_md), *at = text;

		for (size_t i = 0; headings[lang][i] != NULL; i++) {
			at = strstr(at, headings[lang][i]);
			if (at == NULL)
				fail_msg("no \"%s\" in its place in: %s", headings[lang][i], text);
			assert_true(at == text || at[-1] == '\n');
		}
		expect_no_control_bytes(text, false);
		given_released(g);
	}
}

static void every_table_row_has_five_cells(void **state)
{
	struct given *g = of_two();
	const char *text = rendered(g, &ks_render_md), *line;
	size_t n, rows = 0;

	(void)state;
	for (size_t i = 0; (line = line_of(text, i, &n)) != NULL; i++) {
		size_t bars = 0;

		if (line[0] != '|')
			continue;
		for (size_t j = 0; j < n; j++)
			bars += line[j] == '|';
		assert_int_equal(bars, 6);
		rows++;
	}
	/* head, rule, and the five headline rows that the report has */
	assert_int_equal(rows, 7);
	given_released(g);
}

static void only_the_kernel_with_most_time_is_told_about(void **state)
{
	struct given *g = of_two();
	const char *text = rendered(g, &ks_render_md);

	(void)state;
	expect_has(text, "`gemm(float*)`, 5 launches");
	expect_has(text, "`gpu__time_duration.sum` = 4.755 ms \\[exact\\]");
	expect_has(text, "the kernel with most time of the 2 that were selected");
	assert_null(strstr(text, "= 0.168 ms"));			   /* the other one's */
	expect_has(text, "`ks__trace_span_ms` = 6.3884 ms \\[derived\\]"); /* of the device */
	given_released(g);
}

static void a_dimension_without_numbers_names_its_code(void **state)
{
	static const char *const codes[] = { "`instrumentation_missing`", "`no_instr_hist`",
					     "`counters_denied`", "`sampling_unavailable`",
					     "`no_memtrace`" };
	struct given *g = given_report();
	struct ks_kernel *k = &g->kernel[0];

	(void)state;
	given_kernel(g, KS_LIT("k()"), 1, 1000, 1);
	k->section++; /* without the section Duration, which is about launches being alike */
	k->n_sections--;
	given_finished(g);
	const char *at = rendered(g, &ks_render_md);

	at = strstr(at, "### 2.2");
	for (size_t i = 0; i < KS_ARRAY_LEN(codes); i++) {
		at = strstr(at, "**No number for this dimension:** ");
		assert_non_null(at);
		at += strlen("**No number for this dimension:** ");
		assert_int_equal(strncmp(at, codes[i], strlen(codes[i])), 0);
	}
	given_released(g);
}

static void the_command_is_fenced_beyond_its_own_ticks(void **state)
{
	struct given *g = of_two();

	(void)state;
	expect_has(rendered(g, &ks_render_md), "The command line is not known.");
	g->v.command = KS_LIT("kernoscope -k 'a```b' --format md");
	expect_has(rendered(g, &ks_render_md),
		   "\n````sh\nkernoscope -k 'a```b' --format md\n````\n");
	given_released(g);
}

static void written_files_are_artifacts(void **state)
{
	static const struct ks_view_file file[] = { { "report", { "a.ksreport.json", 15 } } };
	struct given *g = of_two();

	(void)state;
	g->v.file = file;
	g->v.n_files = 1;
	expect_has(rendered(g, &ks_render_md), "### Artifacts\n\n- report: `a.ksreport.json`\n");
	given_released(g);
}

static void without_a_kernel_there_is_no_report(void **state)
{
	struct given *g = given_report();
	struct ks_out out;
	struct ks_err err;

	(void)state;
	given_device_rows(g);
	given_finished(g);
	ks_err_init(&err);
	ks_out_open_null(&out);
	assert_int_equal(ks_render_md.render(&g->ctx, &g->r, &g->v, &out, &err), KS_E_INPUT);
	assert_int_equal(err.text, KS_TEXT_ERR_MD_NO_KERNEL);
	given_released(g);
}

static void hostile_names_make_no_structure(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_hostile_names; i++) {
		struct given *g = given_report();

		given_kernel(g, hostile_names[i], 1, 1000000, 1);
		given_finished(g);
		const char *text = rendered(g, &ks_render_md), *line;
		size_t n, level[4] = { 0 };

		for (size_t j = 0; (line = line_of(text, j, &n)) != NULL; j++) {
			size_t marks = strspn(line, "#");

			if (marks > 0 && marks < 4)
				level[marks]++;
			assert_true(line[0] != '<' && line[0] != '=' && line[0] != '\t');
		}
		assert_int_equal(level[1], 1);
		assert_int_equal(level[2], 7);
		expect_no_control_bytes(text, false);
		given_released(g);
	}
}

/* --- the pen ------------------------------------------------------------------------------------
 */

struct drawn {
	struct ks_arena tmp;
	struct ks_buf buf;
	struct ks_out out;
	struct ks_term term;
	struct ks_md m;
};

static void draw_start(struct drawn *d)
{
	ks_arena_init(&d->tmp, 1u << 24);
	ks_buf_init(&d->buf, 1u << 20);
	ks_out_open_mem(&d->out, &d->buf);
	d->term = (struct ks_term){ .utf8 = true, .cols = 160, .rows = 1000 };
	d->m = (struct ks_md){ .pen = { .out = &d->out, .term = &d->term, .tmp = &d->tmp } };
}

static void draw_end(struct drawn *d)
{
	assert_int_equal(ks_out_commit(&d->out, NULL), KS_OK);
	ks_buf_release(&d->buf);
	ks_arena_release(&d->tmp);
}

static void expect_drawn(struct drawn *d, const char *want)
{
	assert_string_equal(ks_buf_text(&d->buf), want);
	draw_end(d);
}

static void text_loses_every_meaning(void **state)
{
	static const struct {
		const char *raw, *written;
	} cases[] = {
		{ "plain text, 4.755 ms (of 5)!", "plain text, 4.755 ms (of 5)!" },
		{ "a*b_c`d", "a\\*b\\_c\\`d" },
		{ "[x](y) ![z]", "\\[x\\](y) !\\[z\\]" },
		{ "<b>&amp;", "&lt;b&gt;&amp;amp;" },
		{ "a|b", "a&#124;b" },
		{ "\\|", "\\\\&#124;" },
		{ "# head", "\\# head" },
		{ "- item", "\\- item" },
		{ "+ item", "\\+ item" },
		{ "a - b + c = d", "a - b + c = d" },
		{ "===", "\\===" },
		{ "1. first", "1\\. first" },
		{ "12) first", "12\\) first" },
		{ "1.5 times", "1.5 times" },
		{ "    code", "code" },
		{ "~~~", "\\~\\~\\~" },
		{ "http://x.y", "http:\\//x.y" },
		{ "WWW.x.y", "WWW\\.x.y" },
		{ "a@b.c $x$", "a`@`b.c \\$x\\$" },
		{ "two\nlines", "two\\\\nlines" },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct drawn d;

		draw_start(&d);
		ks_md_text(&d.m, ks_str_c(cases[i].raw));
		expect_drawn(&d, cases[i].written);
	}
}

static void code_is_fenced_as_far_as_it_needs(void **state)
{
	static const struct {
		const char *raw, *written, *in_table;
	} cases[] = {
		{ "a<b>(int*)", "`a<b>(int*)`", "`a<b>(int*)`" },
		{ "a`b", "``a`b``", "``a`b``" },
		{ "``", "``` `` ```", "``` `` ```" },
		{ "`x", "`` `x ``", "`` `x ``" },
		{ " x", "`  x `", "`  x `" },
		{ "a|b", "`a|b`", "`a\\u{7C}b`" },
		{ "a\\|b", "`a\\|b`", "`a\\\\u{7C}b`" },
		{ "a\nb", "`a\\nb`", "`a\\nb`" },
		{ "", "(no name)", "(no name)" },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct drawn d;

		draw_start(&d);
		ks_md_code(&d.m, ks_str_c(cases[i].raw));
		expect_drawn(&d, cases[i].written);
		draw_start(&d);
		ks_md_cell_code(&d.m, ks_str_c(cases[i].raw));
		expect_drawn(&d, cases[i].in_table);
	}
}

static void a_text_without_end_is_cut_with_a_mark(void **state)
{
	struct drawn d;
	ks_str s;

	(void)state;
	draw_start(&d);
	s = ks_arena_fmt(&d.tmp, "%*s", 9000, "x");
	ks_md_text(&d.m, ks_pen_cat(&d.m.pen, KS_LIT("y"), s));
	assert_true(d.buf.n < 2100);
	assert_true(ks_str_ends(ks_buf_view(&d.buf), "\xe2\x80\xa6"));
	draw_end(&d);
}

int test_md(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_come_with_fixed_numbers),
		cmocka_unit_test(every_table_row_has_five_cells),
		cmocka_unit_test(only_the_kernel_with_most_time_is_told_about),
		cmocka_unit_test(a_dimension_without_numbers_names_its_code),
		cmocka_unit_test(the_command_is_fenced_beyond_its_own_ticks),
		cmocka_unit_test(written_files_are_artifacts),
		cmocka_unit_test(without_a_kernel_there_is_no_report),
		cmocka_unit_test(hostile_names_make_no_structure),
		cmocka_unit_test(text_loses_every_meaning),
		cmocka_unit_test(code_is_fenced_as_far_as_it_needs),
		cmocka_unit_test(a_text_without_end_is_cut_with_a_mark),
	};

	return cmocka_run_group_tests_name("md", tests, NULL, NULL);
}
