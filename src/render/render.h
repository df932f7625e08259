/* SPDX-License-Identifier: Apache-2.0
 *
 * What an output format is: a table row with one function that turns a finished report into bytes.
 * It computes nothing: no sum, no ratio, no threshold. If two formats disagree the bug is above
 * here.
 */
#ifndef KS_RENDER_RENDER_H
#define KS_RENDER_RENDER_H

#include "base/ctx.h"
#include "base/term.h"
#include "evidence/report.h"
#include "verdict/packet.h"

enum ks_page { KS_PAGE_DETAILS, KS_PAGE_RAW };
enum ks_details { KS_DETAILS_HEADER, KS_DETAILS_ALL };

struct ks_view_file { /* what a run writes besides: "report" and where */
	const char *key;
	ks_str path;
};

struct ks_view { /* display options; none of them changes a number */
	struct ks_term term;
	enum ks_lang lang; /* of the text */
	enum ks_page page;
	enum ks_details details;
	bool summary_per_kernel; /* --print-summary per-kernel */
	bool full_metric_names;	 /* Section.metric */
	bool auto_units;
	bool quiet;
	bool json_launches;
	const ks_str *metric; /* --metrics, translated; n_metrics 0 = all */
	size_t n_metrics;
	const bool *section_on;		/* KS_SECTION_COUNT entries, or NULL = all */
	const struct ks_packet *packet; /* for the screen; NULL otherwise */
	ks_str command;			/* of this run, as words a shell reads; "" when not known */
	const struct ks_view_file *file;
	size_t n_files;
};

struct ks_render_ops {
	enum ks_format format;
	bool needs_packet;
	enum ks_status (*render)(const struct ks_ctx *ctx, const struct ks_report *r,
				 const struct ks_view *v, struct ks_out *out, struct ks_err *err);
};

/* NULL for a format that is planned. */
const struct ks_render_ops *ks_render_find(enum ks_format f);

extern const struct ks_render_ops ks_render_text;	/* render/text.c */
extern const struct ks_render_ops ks_render_screen;	/* render/screen.c: from the packet alone */
extern const struct ks_render_ops ks_render_html;	/* render/html.c: from packet and report */
extern const struct ks_render_ops ks_render_json;	/* render/json.c: .ksreport.json */
extern const struct ks_render_ops ks_render_csv;	/* render/csv.c: metric rows */
extern const struct ks_render_ops ks_render_launch_csv; /* render/launch_csv.c */
extern const struct ks_render_ops ks_render_svg;	/* render/svg.c: kernel-time bars */
extern const struct ks_render_ops ks_render_timeline;	/* render/svg_timeline.c */
extern const struct ks_render_ops ks_render_histogram;	/* render/svg_histogram.c */
extern const struct ks_render_ops ks_render_occupancy_svg; /* render/svg_occupancy.c */
extern const struct ks_render_ops ks_render_occupancy_csv; /* render/occupancy_csv.c */
extern const struct ks_render_ops ks_render_folded;	   /* render/folded.c */
extern const struct ks_render_ops ks_render_nvtx_csv;	   /* render/nvtx_csv.c */
extern const struct ks_render_ops ks_render_perfetto;	   /* render/perfetto.c: protobuf */
extern const struct ks_render_ops ks_render_md;		   /* render/md.c: one kernel */
extern const struct ks_render_ops ks_render_perfetto_json; /* render/perfetto_json.c */

/* Whether a row passes --metrics and --section; used by every renderer of rows. */
bool ks_view_row(const struct ks_view *v, const struct ks_ev *row);

#endif
