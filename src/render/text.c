/* SPDX-License-Identifier: Apache-2.0
 *
 * The default output for people: one screen that begins with the finding, then, when asked for,
 * every kernel in detail. Decides what fits; each block is written by its own file.
 */
#include "render/text.h"

#include "evidence/rest.h"

#define TEXT_TMP_MAX  ((size_t)1 << 30)
#define TEXT_PART_MAX ((size_t)1 << 30)

/* Kernel rows a density must leave room for; with fewer, the next one is tried. */
static const size_t wanted_rows[] = {
	[KS_TEXT_LEVEL_CODES] = 3,
	[KS_TEXT_LEVEL_LINES] = 8,
	[KS_TEXT_LEVEL_FULL] = 10,
};

/* What stands below the kernels, written aside to learn its height. */
static size_t below_aside(struct ks_sheet *t, enum ks_text_level level, struct ks_buf *b)
{
	struct ks_out *screen = t->pen.out, aside;
	size_t before = t->pen.lines, lines;

	ks_buf_reset(b);
	ks_out_open_mem(&aside, b);
	t->pen.out = &aside;
	ks_text_timeline(t, level);
	ks_text_telemetry(t, level);
	ks_text_tail(t, level);
	t->pen.out = screen;
	if (ks_out_commit(&aside, NULL) != KS_OK)
		t->pen.tmp->failed = true;
	lines = t->pen.lines - before;
	t->pen.lines = before;
	return lines;
}

/* Kernel rows that there is room for beside the head and a tail of so many lines. */
static size_t rows_left(const struct ks_sheet *t, size_t n, size_t tail)
{
	/* the prompt below, the table's blank line, heading and its line of what is left out */
	size_t taken = t->pen.lines + tail + 3, rows = (size_t)t->v->term.rows;

	if (rows > taken && rows - taken >= n)
		return n;
	return rows > taken + 1 ? rows - taken - 1 : 0;
}

static bool fits(const struct ks_sheet *t, size_t n, size_t tail, size_t want)
{
	if (n == 0)
		return t->pen.lines + tail < (size_t)t->v->term.rows;
	return rows_left(t, n, tail) >= want;
}

/* Above the table where there is room for both; returns the rows that are left for that. */
static size_t families(struct ks_sheet *t, size_t n, size_t rows, size_t tail)
{
	const size_t full = wanted_rows[KS_TEXT_LEVEL_FULL], want = n < full ? n : full;
	const size_t lines = ks_text_families(t, false);
	const size_t left = rows_left(t, n, tail + lines);

	if (lines == 0 || (left < want && !t->all))
		return rows;
	ks_text_families(t, true);
	return left < want ? want : left;
}

/* The largest density of what is below at which enough rows of the table fit; returns those. */
static size_t choose_density(struct ks_sheet *t, size_t n, struct ks_buf *tail, size_t *lines)
{
	for (int level = KS_TEXT_LEVEL_FULL;; level--) {
		const size_t want = n < wanted_rows[level] ? n : wanted_rows[level];

		*lines = below_aside(t, (enum ks_text_level)level, tail);
		if (!t->all && level != KS_TEXT_LEVEL_CODES && !fits(t, n, *lines, want))
			continue;
		size_t rows = rows_left(t, n, *lines);

		rows = rows < want ? want : rows;
		if (ks_report_kernels(t->r) > 0 && (t->all || level == KS_TEXT_LEVEL_FULL))
			rows = families(t, n, rows, *lines);
		return rows;
	}
}

static void screenful(struct ks_sheet *t)
{
	const size_t code = ks_report_code_kernels(t->r), n = ks_report_kernels(t->r);
	size_t lines = 0;
	struct ks_buf tail;

	ks_buf_init(&tail, TEXT_PART_MAX);
	ks_text_head(t);
	ks_text_findings(t);
	if (n + code == 0 && t->r->contents.why_no_kernels != KS_NK_NO_TRACE)
		ks_text_contents(t);
	const size_t rows = choose_density(t, n > 0 ? n : code, &tail, &lines);

	if (n > 0) {
		ks_pen_nl(&t->pen);
		ks_text_table(t, rows);
	} else {
		ks_text_code(t, t->all ? code : rows);
	}
	ks_out_str(t->pen.out, ks_buf_view(&tail));
	if (ks_buf_failed(&tail))
		t->pen.tmp->failed = true;
	ks_buf_release(&tail);
}

static enum ks_status render(const struct ks_ctx *ctx, const struct ks_report *r,
			     const struct ks_view *v, struct ks_out *out, struct ks_err *err)
{
	struct ks_arena tmp;
	struct ks_sheet t = {
		.pen = { .out = out, .term = &v->term, .lang = v->lang, .tmp = &tmp },
		.r = r,
		.v = v,
		.all = v->details == KS_DETAILS_ALL,
	};

	(void)ctx;
	ks_arena_init(&tmp, TEXT_TMP_MAX);
	/* of device code there is nothing to sum up: its table says all */
	if (v->summary_per_kernel && (ks_report_kernels(r) > 0 || ks_report_code_kernels(r) == 0)) {
		ks_text_summary(&t);
	} else {
		screenful(&t);
		if (t.all && v->n_metrics == 0)
			ks_text_timeline_lists(&t);
		if (t.all)
			ks_text_details(&t);
	}
	enum ks_status st = ks_pen_done(&t.pen, err);

	ks_arena_release(&tmp);
	return st;
}

const struct ks_render_ops ks_render_text = {
	.format = KS_FORMAT_TEXT,
	.render = render,
};
