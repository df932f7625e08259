/* SPDX-License-Identifier: Apache-2.0
 *
 * What the renderers for people write with: texts of the table, styles, wrapping and cells, all
 * escaped at this last step and measured in terminal columns. Knows nothing of reports.
 */
#ifndef KS_RENDER_PEN_H
#define KS_RENDER_PEN_H

#include "base/arena.h"
#include "base/term.h"
#include "evidence/store.h"

struct ks_pen {
	struct ks_out *out;
	const struct ks_term *term;
	enum ks_lang lang;
	struct ks_arena *tmp; /* short-lived strings; the caller's, reset when it likes */
	size_t lines;	      /* line ends written so far */
};

/* Texts, in the pen's language, as raw bytes in pen->tmp. */
ks_str ks_pen_text(struct ks_pen *p, enum ks_text id, unsigned n, const ks_str *arg);
#define KS_PEN_SAY(p, id, ...)                                                                     \
	ks_pen_text((p), (id), (unsigned)KS_ARRAY_LEN(((const ks_str[]){ __VA_ARGS__ })),          \
		    (const ks_str[]){ __VA_ARGS__ })
#define KS_PEN_WORD(p, id) ks_pen_text((p), (id), 0, NULL)
ks_str ks_pen_msg(struct ks_pen *p, const struct ks_msg *m);
/* A message whose arguments longer than `cols` columns are shortened as kernel names. */
ks_str ks_pen_msg_short(struct ks_pen *p, const struct ks_msg *m, size_t cols);
ks_str ks_pen_refused_message(struct ks_pen *p, const struct ks_store *ev,
			      const struct ks_refused *r);
ks_str ks_pen_refused_action(struct ks_pen *p, const struct ks_refused *r);
/* "the number itself cannot be had here", "manual", "≈0", "20 s", "5 min" (contract 02 §3) */
ks_str ks_pen_cost(struct ks_pen *p, enum ks_cost_kind kind, double cost_s);

/* Numbers. */
ks_str ks_pen_i64(struct ks_pen *p, int64_t v);
ks_str ks_pen_u64(struct ks_pen *p, uint64_t v);		 /* 12,345 */
ks_str ks_pen_real(struct ks_pen *p, double v);			 /* %.6g */
ks_str ks_pen_fixed(struct ks_pen *p, double v, int decimals);	 /* 1,234.568 */
ks_str ks_pen_duration(struct ks_pen *p, ks_ns ns);		 /* 951 ns, 4.755 ms, 12.3 s */
ks_str ks_pen_bytes(struct ks_pen *p, uint64_t n);		 /* 512 B, 1.21 GB */
ks_str ks_pen_value(struct ks_pen *p, const struct ks_value *v); /* "" for none */
/* "a=1 · b=x, y" */
ks_str ks_pen_kvs(struct ks_pen *p, const struct ks_kv *kv, size_t n);
ks_str ks_pen_name(struct ks_pen *p, ks_str name, size_t cols, ks_str apart);
const char *ks_pen_dot(const struct ks_pen *p); /* " · " or " | " */

/* a then b, whatever bytes they hold. */
ks_str ks_pen_cat(struct ks_pen *p, ks_str a, ks_str b);

/* Writing. */
void ks_pen_put(struct ks_pen *p, enum ks_style style, ks_str s);
void ks_pen_put_c(struct ks_pen *p, enum ks_style style, const char *s);
void ks_pen_spaces(struct ks_pen *p, size_t n);
void ks_pen_rule(struct ks_pen *p, size_t cols);
void ks_pen_nl(struct ks_pen *p);
/* Exactly `cols` columns, cut with a mark, escapes of the style not counted. */
void ks_pen_cell(struct ks_pen *p, enum ks_style style, ks_str s, size_t cols, bool right);

struct ks_wrap {
	enum ks_style style;
	size_t at;    /* columns already used on this line */
	size_t hang;  /* indent of the following lines */
	size_t lines; /* at most so many lines, the last one cut with a mark; 0 = no limit */
};
/* Writes s from the current column over as many lines as it takes, none wider than the terminal;
 * breaks at blanks, between wide characters, or inside what is too long. Ends with a line end. */
void ks_pen_wrap(struct ks_pen *p, const struct ks_wrap *how, ks_str s);

/* Writes a label after `indent` blanks; returns the column that follows. */
size_t ks_pen_label(struct ks_pen *p, size_t indent, enum ks_text label);
/* Label and wrapped text, nothing at all when the text is empty. */
void ks_pen_labelled(struct ks_pen *p, size_t indent, enum ks_text label, ks_str text);
/* Bytes of s that go on a line of `cols` columns by the same rules; at least one character. */
size_t ks_pen_line_length(ks_str s, size_t cols);

/* Out of memory anywhere in the pen's strings, as the one error of a renderer. */
enum ks_status ks_pen_done(struct ks_pen *p, struct ks_err *err);

#endif
