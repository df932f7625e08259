/* SPDX-License-Identifier: Apache-2.0
 *
 * The top of the text report: the finding, what it was measured on, and totals. For a file without
 * kernels, what it holds instead.
 */
#include "base/str.h"
#include "base/utf8.h"
#include "evidence/rest.h"
#include "render/decided.h"
#include "render/text.h"
#include "verdict/verdict.h"

#define HEAD_SEGMENTS 6
/* One part in this many of a device's busy time is worth a line of its own. */
#define OTHER_WORK_SHOWN 20

void ks_text_segments(struct ks_pen *p, const ks_str *segment, size_t n)
{
	ks_text_segments_at(p, 0, segment, n);
}

void ks_text_segments_at(struct ks_pen *p, size_t at, const ks_str *segment, size_t n)
{
	size_t cols = (size_t)p->term->cols > at + 1 ? (size_t)p->term->cols - at : 1, used = 0;
	ks_str dot = ks_str_c(ks_pen_dot(p));
	size_t gap = ks_utf8_columns(dot);

	for (size_t i = 0; i < n; i++) {
		size_t w = ks_utf8_columns(segment[i]);

		if (w == 0)
			continue;
		if (used == 0 && w > cols) {
			ks_pen_cell(p, KS_STYLE_PLAIN, segment[i], cols, false);
			used = cols;
			continue;
		}
		if (used > 0 && used + gap + w > cols)
			continue;
		if (used > 0)
			ks_pen_put(p, KS_STYLE_DIM, dot);
		ks_pen_put(p, KS_STYLE_PLAIN, segment[i]);
		used += w + (used > 0 ? gap : 0);
	}
	ks_pen_nl(p);
}

void ks_text_heading(struct ks_pen *p, ks_str s)
{
	const struct ks_wrap how = { .style = KS_STYLE_BOLD };

	ks_pen_wrap(p, &how, s);
}

static void finding(struct ks_sheet *t)
{
	const struct ks_verdicts *vd = t->r->verdicts;
	size_t cols = (size_t)t->v->term.cols;
	const struct ks_wrap how = { .style = KS_STYLE_BOLD, .lines = t->all ? 0 : 3 };

	if (vd == NULL || vd->finding.id == KS_TEXT_NONE)
		return;
	const struct ks_msg said = ks_decided_finding(&t->pen, &vd->finding);

	ks_pen_wrap(&t->pen, &how,
		    ks_pen_msg_short(&t->pen, &said, cols > 120 ? 64 : cols * 2 / 5));
}

static ks_str arch_of(struct ks_pen *p, const struct ks_gpu *g)
{
	if (g->cc_major < 0 || g->cc_minor < 0)
		return KS_LIT("");
	return ks_arena_fmt(p->tmp, "sm_%d%d", g->cc_major, g->cc_minor);
}

static ks_str gpu_name(struct ks_pen *p, const struct ks_gpu *g)
{
	return g->name.n > 0 ? ks_pen_name(p, g->name, 40, KS_LIT(""))
			     : KS_PEN_WORD(p, KS_TEXT_R_DEVICE_UNKNOWN);
}

static ks_str sm_count(struct ks_pen *p, const struct ks_gpu *g)
{
	if (g->sm_count <= 0)
		return KS_LIT("");
	return KS_PEN_SAY(p, KS_TEXT_R_SMS, ks_pen_i64(p, g->sm_count));
}

static ks_str driver(struct ks_pen *p, const struct ks_gpu *g)
{
	return g->driver.n > 0 ? KS_PEN_SAY(p, KS_TEXT_R_DRIVER, g->driver) : KS_LIT("");
}

static void device_line(struct ks_sheet *t)
{
	struct ks_pen *p = &t->pen;
	const struct ks_report *r = t->r;
	ks_str seg[HEAD_SEGMENTS] = { KS_STR_NONE };

	if (r->n_gpus_used > 1) {
		seg[0] = KS_PEN_SAY(p, KS_TEXT_R_N_DEVICES, ks_pen_u64(p, r->n_gpus_used));
	} else if (r->n_gpus > 0) {
		seg[0] = gpu_name(p, &r->gpu[0]);
		seg[1] = arch_of(p, &r->gpu[0]);
		seg[2] = sm_count(p, &r->gpu[0]);
		seg[3] = driver(p, &r->gpu[0]);
	}
	seg[4] = r->producer;
	if (r->reread)
		seg[5] = KS_PEN_SAY(p, KS_TEXT_R_REREAD, r->tool, r->tool_version);
	if (seg[0].n + seg[4].n + seg[5].n > 0)
		ks_text_segments(p, seg, HEAD_SEGMENTS);
}

static ks_str plural(struct ks_pen *p, uint64_t n, enum ks_text one, enum ks_text many)
{
	return KS_PEN_SAY(p, n == 1 ? one : many, ks_pen_u64(p, n));
}

static void totals_line(struct ks_sheet *t)
{
	struct ks_pen *p = &t->pen;
	const struct ks_report *r = t->r;
	size_t n = ks_report_kernels(r);
	ks_str seg[HEAD_SEGMENTS] = { KS_STR_NONE };

	if (r->span_ns > 0)
		seg[0] = KS_PEN_SAY(p, KS_TEXT_R_SPAN, ks_pen_duration(p, r->span_ns));
	if (n > 0) {
		seg[1] = KS_PEN_SAY(p, KS_TEXT_R_KERNEL_TIME, ks_pen_duration(p, r->kernel_ns));
		seg[2] = plural(p, r->total_launches, KS_TEXT_R_LAUNCH, KS_TEXT_R_LAUNCHES);
		seg[3] = n == r->total_kernels || r->total_kernels == 0
				 ? plural(p, n, KS_TEXT_R_KERNEL, KS_TEXT_R_KERNELS)
				 : KS_PEN_SAY(p, KS_TEXT_R_SELECTED, ks_pen_u64(p, n),
					      ks_pen_u64(p, r->total_kernels),
					      ks_pen_duration(p, r->matched_ns));
	}
	seg[4] = ks_pen_name(p, r->input_path, 48, KS_LIT(""));
	if (seg[0].n + seg[1].n + seg[4].n > 0)
		ks_text_segments(p, seg, HEAD_SEGMENTS);
}

ks_str ks_text_device(struct ks_pen *p, const struct ks_gpu *g)
{
	return g->label < 0 ? KS_PEN_WORD(p, KS_TEXT_R_DEVICE_UNKNOWN)
			    : KS_PEN_SAY(p, KS_TEXT_R_DEVICE_BARE, ks_pen_i64(p, g->label));
}

/* Busy with anything, and the kernels' part of it: a device that copies all day is not busy with
 * kernels. */
static ks_str busy_of(struct ks_pen *p, const struct ks_gpu *g)
{
	return KS_PEN_SAY(p, KS_TEXT_R_BUSY, ks_pen_duration(p, g->busy_ns),
			  ks_pen_duration(p, g->kernel_busy_ns));
}

static void gpu_line(struct ks_sheet *t, const struct ks_gpu *g, bool named)
{
	struct ks_pen *p = &t->pen;
	ks_str seg[HEAD_SEGMENTS] = { KS_STR_NONE };

	seg[0] =
		named && g->label >= 0 && g->name.n > 0
			? KS_PEN_SAY(p, KS_TEXT_R_DEVICE_N, ks_pen_i64(p, g->label), gpu_name(p, g))
			: ks_text_device(p, g);
	seg[1] = busy_of(p, g);
	seg[2] = KS_PEN_SAY(p, KS_TEXT_R_IDLE, ks_pen_duration(p, g->idle_ns));
	if (named) { /* of one among several: the line above has those of the whole run */
		seg[3] = plural(p, g->launches, KS_TEXT_R_LAUNCH, KS_TEXT_R_LAUNCHES);
		seg[4] = KS_PEN_SAY(p, KS_TEXT_R_KERNEL_TIME, ks_pen_duration(p, g->kernel_ns));
	}
	seg[5] = arch_of(p, g);
	ks_text_segments(p, seg, HEAD_SEGMENTS);
}

/* The one device of a run has a line where copies and memsets keep it busy beside the kernels. */
static bool worth_a_line(const struct ks_report *r, const struct ks_gpu *g)
{
	return r->n_gpus_used > 1 || g->busy_ns - g->kernel_busy_ns > g->busy_ns / OTHER_WORK_SHOWN;
}

static void device_lines(struct ks_sheet *t)
{
	const struct ks_report *r = t->r;
	size_t most = t->all ? r->n_gpus_used : t->v->term.rows > 40 ? 16 : 4;
	size_t shown = 0;

	for (size_t i = 0; i < r->n_gpus; i++) {
		if (!r->gpu[i].used || !worth_a_line(r, &r->gpu[i]))
			continue;
		if (shown++ < most)
			gpu_line(t, &r->gpu[i], r->n_gpus_used > 1);
	}
	if (shown > most) {
		ks_pen_put(&t->pen, KS_STYLE_DIM,
			   KS_PEN_SAY(&t->pen, KS_TEXT_R_MORE_DEVICES,
				      ks_pen_u64(&t->pen, shown - most)));
		ks_pen_nl(&t->pen);
	}
}

void ks_text_head(struct ks_sheet *t)
{
	finding(t);
	if (t->r->synthetic) {
		const struct ks_wrap how = { .style = KS_STYLE_WARN };

		ks_pen_wrap(&t->pen, &how, KS_PEN_WORD(&t->pen, KS_TEXT_R_SYNTHETIC));
	}
	if (t->v->quiet)
		return;
	device_line(t);
	totals_line(t);
	device_lines(t);
}

static void content(struct ks_sheet *t, enum ks_text label, uint64_t n, ks_str more)
{
	struct ks_pen *p = &t->pen;
	size_t cols = (size_t)t->v->term.cols;
	size_t width = cols > 40 ? 28 : cols / 2;

	if (n == 0)
		return;
	ks_pen_spaces(p, 2);
	ks_pen_cell(p, KS_STYLE_PLAIN, KS_PEN_WORD(p, label), width, false);
	ks_pen_cell(p, KS_STYLE_BOLD, ks_pen_u64(p, n), 12 < cols - 2 - width ? 12 : 6, true);
	if (more.n > 0 && width + 16 + ks_utf8_columns(more) <= cols) {
		ks_pen_spaces(p, 2);
		ks_pen_put(p, KS_STYLE_PLAIN, more);
	}
	ks_pen_nl(p);
}

static ks_str bytes_of(struct ks_pen *p, uint64_t n)
{
	return n > 0 ? ks_pen_bytes(p, n) : KS_LIT("");
}

void ks_text_contents(struct ks_sheet *t)
{
	const struct ks_contents *c = &t->r->contents;
	struct ks_pen *p = &t->pen;

	ks_pen_nl(p);
	ks_text_heading(p, KS_PEN_WORD(p, KS_TEXT_R_CONTENTS));
	content(t, KS_TEXT_R_HAS_COPIES, c->copies, bytes_of(p, c->copy_bytes));
	content(t, KS_TEXT_R_HAS_MEMSETS, c->memsets, bytes_of(p, c->memset_bytes));
	content(t, KS_TEXT_R_HAS_GRAPHS, c->graph_rows, KS_LIT(""));
	content(t, KS_TEXT_R_HAS_NVTX, c->nvtx_rows, KS_LIT(""));
	content(t, KS_TEXT_R_HAS_API, c->api_calls, KS_LIT(""));
	content(t, KS_TEXT_R_HAS_BAD_KERNELS, c->bad_kernels, KS_LIT(""));
	content(t, KS_TEXT_R_HAS_BAD_COPIES, c->bad_copies, KS_LIT(""));
	content(t, KS_TEXT_R_HAS_BAD_MEMSETS, c->bad_memsets, KS_LIT(""));
	content(t, KS_TEXT_R_HAS_DEVICES, t->r->n_gpus,
		t->r->n_gpus > 0 ? gpu_name(p, &t->r->gpu[0]) : KS_LIT(""));
}
