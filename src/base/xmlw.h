/* SPDX-License-Identifier: Apache-2.0
 *
 * A streaming XML writer over ks_out for SVG, JUnit and the HTML page: tags close in order, text
 * and attribute values are escaped, characters XML 1.0 forbids are made visible.
 */
#ifndef KS_BASE_XMLW_H
#define KS_BASE_XMLW_H

#include "base/io.h"

#define KS_XMLW_DEPTH 16

struct ks_xmlw {
	struct ks_out *out;
	int depth;
	bool tag_open; /* "<name" written, ">" not yet */
	bool html;     /* no blanks of its own; only elements that are void in HTML end in "/>" */
	const char *name[KS_XMLW_DEPTH];
	bool has_child[KS_XMLW_DEPTH]; /* then its end tag stands on a line of its own ... */
	bool has_text[KS_XMLW_DEPTH];  /* ... but never where blanks would become part of text */
};

void ks_xmlw_init(struct ks_xmlw *w, struct ks_out *out); /* writes the XML declaration */
/* A page that is HTML and well-formed XML at once: writes the doctype. Line ends and tabs inside a
 * text are shown as \n and \t. */
void ks_xmlw_init_html(struct ks_xmlw *w, struct ks_out *out);
void ks_xmlw_open(struct ks_xmlw *w, const char *name); /* name must outlive the close */
void ks_xmlw_attr(struct ks_xmlw *w, const char *name, ks_str value);
void ks_xmlw_attr_c(struct ks_xmlw *w, const char *name, const char *value);
void ks_xmlw_attr_fmt(struct ks_xmlw *w, const char *name, const char *fmt, ...) KS_PRINTF(3, 4);
void ks_xmlw_text(struct ks_xmlw *w, ks_str s);
void ks_xmlw_close(struct ks_xmlw *w);
void ks_xmlw_break(struct ks_xmlw *w); /* a line end, where HTML does not show it */

#endif
