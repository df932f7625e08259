/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the Markdown renderer only: its pen, and its pieces. Everything that came from an input
 * goes through ks_md_text or ks_md_code, which leave no character of it with a meaning in Markdown:
 * no name can end a table row, open a heading, a link or an HTML tag.
 */
#ifndef KS_RENDER_MD_PEN_H
#define KS_RENDER_MD_PEN_H

#include "render/pen.h"
#include "render/render.h"
#include "verdict/advice.h"

struct ks_md {
	struct ks_pen pen;
	const struct ks_report *r;
	const struct ks_view *v;
	const struct ks_verdicts *vd;
	const struct ks_kernel *k;	/* the one it is about */
	const struct ks_kernel *device; /* the rows of the run as a whole; NULL: none */
};

/* Our own marks: bytes as they are. */
void ks_md_raw(struct ks_md *m, const char *marks);
void ks_md_nl(struct ks_md *m);
/* Punctuation between two pieces, as the language writes it. */
void ks_md_mark(struct ks_md *m, enum ks_text mark);
/* Running text; on one line. `KS_MD_SAY` takes a row of the text table with its arguments. */
void ks_md_text(struct ks_md *m, ks_str s);
#define KS_MD_SAY(m, id, ...) ks_md_text((m), KS_PEN_SAY(&(m)->pen, id, __VA_ARGS__))
#define KS_MD_WORD(m, id)     ks_md_text((m), KS_PEN_WORD(&(m)->pen, id))
/* A code span. In a table a vertical bar is written \u{7C}: whatever escape it got there, some
 * reader would take it for the end of the cell. Empty text gets the word for it. */
void ks_md_code(struct ks_md *m, ks_str s);
void ks_md_cell_code(struct ks_md *m, ks_str s);
/* A kernel's name as a code span, shortened to a line. */
void ks_md_name(struct ks_md *m, ks_str name);
/* Fenced lines that a shell can read. */
void ks_md_block(struct ks_md *m, ks_str command);

/* An empty line and "## title". */
void ks_md_heading(struct ks_md *m, int level, enum ks_text title);
/* "- **label:** " */
void ks_md_item(struct ks_md *m, enum ks_text label);
/* "value unit"; n/a for a refused row. */
void ks_md_value(struct ks_md *m, const struct ks_ev *row);
/* One item: name, value, provenance, resolution and note; or n/a, code and why. */
void ks_md_row(struct ks_md *m, const struct ks_ev *row);
/* "`code` (title)" */
void ks_md_refusal(struct ks_md *m, enum ks_refusal code, ks_str slug);

void ks_md_setup(struct ks_md *m);	/* md_setup.c: title, 0 and 1 */
void ks_md_dimensions(struct ks_md *m); /* md_dims.c: 2 */
void ks_md_findings(struct ks_md *m);	/* md_findings.c: of 2.7 */
void ks_md_summary(struct ks_md *m);	/* md_end.c: 3 */
void ks_md_directions(struct ks_md *m); /* md_advice.c: 4 */
void ks_md_confidence(struct ks_md *m); /* md_end.c: 5 */
void ks_md_again(struct ks_md *m);	/* 6 */

#endif
