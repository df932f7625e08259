/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the HTML renderer only: what its pieces share, and one function for each section of the
 * page. Every text from an input goes through ks_html_put, which bounds its length.
 */
#ifndef KS_RENDER_HTML_H
#define KS_RENDER_HTML_H

#include "render/pen.h"
#include "render/render.h"
#include "render/svg_axis.h"

/* How much is shown. A page that is over the size limit is made again with the next level. */
struct ks_html_level {
	size_t kernels, name_cols; /* rows of the table; columns of a kernel's name */
	size_t lanes, columns;	   /* of the timeline strips; columns along time */
	size_t steps;		   /* bars */
	size_t phases;		   /* rows of the table */
	size_t cols;		   /* of any other text */
	size_t facts, premises;	   /* of one verdict */
	size_t refusals;	   /* rows of the table */
};

struct ks_html {
	struct ks_svg svg; /* the writer, the pen and its arena */
	const struct ks_report *r;
	const struct ks_packet *k;
	const struct ks_verdicts *vd;
	const struct ks_html_level *level;
	bool packet_words; /* the packet's own sentences are in the language of the page */
	bool wide;	   /* the packet was made for the page: its report is there as well */
	bool cut;	   /* the level is not the first */
};

/* --- html.c: writing ---------------------------------------------------------------------------
 */
/* An element with a class (NULL: none); closed with ks_html_close. */
void ks_html_open(struct ks_html *h, const char *name, const char *class);
void ks_html_close(struct ks_html *h);
void ks_html_close_n(struct ks_html *h, int n);
void ks_html_attr(struct ks_html *h, const char *name, const char *value);
/* Text of at most so many columns, the rest marked as left out. */
void ks_html_put(struct ks_html *h, ks_str s, size_t cols);
ks_str ks_html_clip(struct ks_html *h, ks_str s, size_t cols);
/* An element that holds nothing but words of ours; nothing for an empty text. */
void ks_html_el(struct ks_html *h, const char *name, const char *class, ks_str text);
/* A paragraph of a label and a text; nothing for an empty text. */
void ks_html_labelled(struct ks_html *h, enum ks_text label, ks_str text);
/* A section with its heading; closed with ks_html_close. */
void ks_html_section(struct ks_html *h, const char *id, ks_str heading);
/* The head of a table, with a scope for each column; leaves the body open: close two. */
void ks_html_table(struct ks_html *h, const char *class, ks_str caption, const enum ks_text *col,
		   size_t n);
/* A cell; its column's name stands before it on narrow screens. */
void ks_html_cell(struct ks_html *h, const char *class, enum ks_text label);
/* Behind this a label stands left of its place, to stay on the page: the one before it needs twice
 * the room. */
#define KS_HTML_TICK_RIGHT 88.0
/* A label below a chart, its place in percent of the width. */
void ks_html_tick(struct ks_html *h, double pct, ks_str label);
/* style="PROPERTY:N%" with N from 0 to 100. */
void ks_html_pct(struct ks_html *h, const char *property, double pct);

/* --- html_words.c: what is said ----------------------------------------------------------------
 */
ks_str ks_html_finding(struct ks_html *h, size_t cols);
ks_str ks_html_action(struct ks_html *h, enum ks_refusal code, ks_str slug);
ks_str ks_html_title_of(struct ks_html *h, enum ks_refusal code, ks_str slug);
ks_str ks_html_count(struct ks_html *h, uint64_t n, enum ks_text one, enum ks_text many);
void ks_html_badge(struct ks_html *h, enum ks_prov prov);
/* A code, as a link where the table of refusals has its row. */
void ks_html_code(struct ks_html *h, ks_str slug);
/* A command line to copy; nothing for an empty one. */
void ks_html_command(struct ks_html *h, ks_str command);

/* --- sections ----------------------------------------------------------------------------------
 */
void ks_html_style(struct ks_html *h);	     /* html_style.c: what stands in the style element */
void ks_html_head(struct ks_html *h);	     /* html_head.c: finding, conclusion, the run */
void ks_html_next(struct ks_html *h);	     /* html_head.c */
void ks_html_findings(struct ks_html *h);    /* html_findings.c */
void ks_html_kernels(struct ks_html *h);     /* html_kernels.c */
void ks_html_families(struct ks_html *h);    /* html_kernels.c */
void ks_html_phases(struct ks_html *h);	     /* html_kernels.c */
void ks_html_devices(struct ks_html *h);     /* html_devices.c */
void ks_html_timeline(struct ks_html *h);    /* html_timeline.c */
void ks_html_durations(struct ks_html *h);   /* html_bars.c */
void ks_html_steps(struct ks_html *h);	     /* html_bars.c */
void ks_html_legend(struct ks_html *h);	     /* html_verdicts.c */
void ks_html_verdicts(struct ks_html *h);    /* html_verdicts.c */
void ks_html_refusals(struct ks_html *h);    /* html_refusals.c */
void ks_html_unmeasured(struct ks_html *h);  /* html_refusals.c */
void ks_html_environment(struct ks_html *h); /* html_refusals.c */
void ks_html_cost(struct ks_html *h);	     /* html_refusals.c */

#endif
