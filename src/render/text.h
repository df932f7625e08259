/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the text renderer only: its pieces, each of which writes one block from the report.
 */
#ifndef KS_RENDER_TEXT_H
#define KS_RENDER_TEXT_H

#include "render/pen.h"
#include "render/render.h"

/* How much of the lower blocks fits; the first screen is tried from FULL downwards. */
enum ks_text_level { KS_TEXT_LEVEL_CODES, KS_TEXT_LEVEL_LINES, KS_TEXT_LEVEL_FULL };

struct ks_sheet {
	struct ks_pen pen;
	const struct ks_report *r;
	const struct ks_view *v;
	bool all; /* --print-details all: nothing is left out */
};

/* The row of that metric of a kernel, NULL when it was not made. */
const struct ks_ev *ks_text_kernel_row(const struct ks_report *r, const struct ks_kernel *k,
				       enum ks_metric metric);

/* "device 0", or "unknown device" for rows that name none. */
ks_str ks_text_device(struct ks_pen *p, const struct ks_gpu *g);

/* Joins segments with a dot; those that do not fit are left out from the end, the first is cut. */
void ks_text_segments(struct ks_pen *p, const ks_str *segment, size_t n);
/* The same on a line of which `at` columns are written. */
void ks_text_segments_at(struct ks_pen *p, size_t at, const ks_str *segment, size_t n);
void ks_text_heading(struct ks_pen *p, ks_str s);

void ks_text_head(struct ks_sheet *t);	   /* finding, mark of synthetic data, device, totals */
void ks_text_contents(struct ks_sheet *t); /* what a file without kernels holds */
void ks_text_table(struct ks_sheet *t, size_t rows);
/* Known bad patterns, a few lines; nothing where none was found. */
void ks_text_findings(struct ks_sheet *t);
/* text_code.c: kernels of device code that nothing launched; at most so many. */
void ks_text_code(struct ks_sheet *t, size_t rows);
/* What kinds of kernels there are, and the lines that takes; 0 where it says nothing. */
size_t ks_text_families(struct ks_sheet *t, bool write);
void ks_text_summary(struct ks_sheet *t); /* --print-summary per-kernel */
/* text_telemetry.c: readings by device; nothing where none were asked for. */
void ks_text_telemetry(struct ks_sheet *t, enum ks_text_level level);
/* text_timeline.c: when, in which phase, waiting for what; nothing without a timeline. */
void ks_text_timeline(struct ks_sheet *t, enum ks_text_level level);
void ks_text_timeline_lists(struct ks_sheet *t); /* text_time_lists.c: every detail of it */
void ks_text_tail(struct ks_sheet *t, enum ks_text_level level);
void ks_text_details(struct ks_sheet *t);

#endif
