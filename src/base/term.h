/* SPDX-License-Identifier: Apache-2.0
 *
 * What the terminal is and which colours it may get. Colour always carries a meaning that the text
 * carries as well.
 */
#ifndef KS_BASE_TERM_H
#define KS_BASE_TERM_H

#include "base/io.h"

enum ks_color_mode { KS_COLOR_AUTO, KS_COLOR_ALWAYS, KS_COLOR_NEVER };
enum ks_style {
	KS_STYLE_PLAIN,
	KS_STYLE_BOLD,
	KS_STYLE_DIM,
	KS_STYLE_GOOD,
	KS_STYLE_WARN,
	KS_STYLE_BAD,
	KS_STYLE_ACCENT
};

struct ks_term {
	bool is_tty;
	bool color;
	bool utf8; /* may draw with UTF-8 (locale variables name UTF-8, or Chinese was chosen) */
	int cols, rows; /* 80 x 24 when unknown */
};

/* Looks at fd and at an environment look-up (getenv in the product, a table in tests): NO_COLOR,
 * CLICOLOR_FORCE, TERM=dumb, COLUMNS, LINES, LC_ALL/LC_CTYPE/LANG. */
void ks_term_probe(struct ks_term *t, int fd, enum ks_color_mode mode,
		   const char *(*env)(const char *));
/* Whether fd is a terminal that knows how to erase a line: TERM is set and not dumb. */
bool ks_term_can_erase(int fd, const char *(*env)(const char *));
/* Escape sequences, or nothing when colour is off. */
void ks_term_style(const struct ks_term *t, struct ks_out *out, enum ks_style style);
/* Text made visible (base/utf8.h). */
void ks_term_text(struct ks_out *out, ks_str s);
/* Exactly `cols` columns: longer text is cut at its end with an ellipsis, shorter text is padded
 * with blanks on the right (on the left when align_right). East Asian wide characters take two. */
void ks_term_cell(const struct ks_term *t, struct ks_out *out, ks_str s, size_t cols,
		  bool align_right);

#endif
