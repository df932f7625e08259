/* SPDX-License-Identifier: Apache-2.0
 *
 * Escaping for GitHub-flavoured Markdown (CommonMark 0.31, GFM 0.29 with tables and autolinks). A
 * character that could mean something is written so that every reader prints it as itself.
 */
#include "render/md_pen.h"

#include "base/str.h"
#include "base/utf8.h"

#define NAME_COLS 160  /* of a kernel's name; longer ones are shortened as everywhere */
#define TEXT_COLS 2000 /* of a text: what is longer holds a name that nobody reads to its end */

void ks_md_raw(struct ks_md *m, const char *marks)
{
	ks_out_cstr(m->pen.out, marks);
}

void ks_md_mark(struct ks_md *m, enum ks_text mark)
{
	ks_md_raw(m, ks_text_get(mark, m->pen.lang));
}

void ks_md_nl(struct ks_md *m)
{
	ks_out_ch(m->pen.out, '\n');
}

/* --- running text -------------------------------------------------------------------------------
 */

struct text_state {
	struct ks_out *out;
	bool begun; /* something visible was written */
	bool list;  /* it begins as a numbered list does: up to the mark behind the number */
	char last[3];
};

static bool is_www(const char last[3])
{
	return (last[0] == 'w' || last[0] == 'W') && (last[1] == 'w' || last[1] == 'W') &&
	       (last[2] == 'w' || last[2] == 'W');
}

/* Whether the character needs a backslash where it stands. */
static bool is_mark(const struct text_state *s, char c)
{
	if (c != '\0' && strchr("\\`*_[]#~$", c) != NULL)
		return true;
	if (!s->begun && c != '\0' && strchr("+-=", c) != NULL)
		return true;
	if (s->list && (c == '.' || c == ')'))
		return true;
	return (c == '.' && is_www(s->last)) || (c == '/' && s->last[2] == ':');
}

static void put_char(struct text_state *s, char c)
{
	if (!s->begun && c == ' ')
		return; /* four of them would begin a code block */
	if (c == '|')
		ks_out_cstr(s->out,
			    "&#124;"); /* the one form that every table reader leaves alone */
	else if (c == '&')
		ks_out_cstr(s->out, "&amp;");
	else if (c == '<')
		ks_out_cstr(s->out, "&lt;");
	else if (c == '>')
		ks_out_cstr(s->out, "&gt;");
	else if (c == '@' && s->begun && s->last[2] != '@')
		ks_out_cstr(s->out, "`@`"); /* an address becomes a link however it is escaped */
	else {
		if (is_mark(s, c))
			ks_out_ch(s->out, '\\');
		ks_out_ch(s->out, c);
	}
	s->list = s->list && c >= '0' && c <= '9';
	s->begun = true;
	s->last[0] = s->last[1];
	s->last[1] = s->last[2];
	s->last[2] = c;
}

static void put_text(void *arg, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put_char(arg, p[i]);
}

/* "1. " and "1) ", but not "1.5". */
static bool begins_list(ks_str s)
{
	size_t i = 0;

	while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9')
		i++;
	return i > 0 && i < s.n && (s.p[i] == '.' || s.p[i] == ')') &&
	       (i + 1 == s.n || s.p[i + 1] == ' ');
}

void ks_md_text(struct ks_md *m, ks_str s)
{
	struct text_state state = { .out = m->pen.out, .list = begins_list(s) };

	const size_t n = ks_utf8_prefix_columns(s, TEXT_COLS);

	ks_utf8_visible((ks_str){ s.p, n }, put_text, &state);
	if (n < s.n)
		ks_md_raw(m, "\xe2\x80\xa6");
}

/* --- code ---------------------------------------------------------------------------------------
 */

static void put_buf(void *arg, const char *p, size_t n)
{
	ks_buf_add(arg, p, n);
}

static ks_str visible(struct ks_md *m, ks_str s)
{
	struct ks_buf b;

	ks_buf_init(&b, (size_t)64 << 20);
	ks_utf8_visible(s, put_buf, &b);
	ks_str out = ks_buf_keep(&b, m->pen.tmp);

	ks_buf_release(&b);
	return out;
}

/* The longest run of that character: a fence must be longer. */
static size_t longest_run(ks_str s, char c)
{
	size_t longest = 0, run = 0;

	for (size_t i = 0; i < s.n; i++) {
		run = s.p[i] == c ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

static void fence(struct ks_md *m, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ks_out_ch(m->pen.out, '`');
}

static void code_span(struct ks_md *m, ks_str raw, bool in_table)
{
	const ks_str s = visible(m, raw);

	if (s.n == 0) {
		KS_MD_WORD(m, KS_TEXT_MD_NO_NAME);
		return;
	}
	const size_t ticks = longest_run(s, '`') + 1;
	const bool edge =
		s.p[0] == '`' || s.p[s.n - 1] == '`' || s.p[0] == ' ' || s.p[s.n - 1] == ' ';

	fence(m, ticks);
	ks_md_raw(m, edge ? " " : "");
	for (size_t i = 0; i < s.n; i++) {
		if (in_table && s.p[i] == '|')
			ks_md_raw(m, "\\u{7C}");
		else
			ks_out_ch(m->pen.out, s.p[i]);
	}
	ks_md_raw(m, edge ? " " : "");
	fence(m, ticks);
}

void ks_md_code(struct ks_md *m, ks_str s)
{
	code_span(m, s, false);
}

void ks_md_cell_code(struct ks_md *m, ks_str s)
{
	code_span(m, s, true);
}

void ks_md_name(struct ks_md *m, ks_str name)
{
	code_span(m, ks_pen_name(&m->pen, name, NAME_COLS, KS_LIT("")), false);
}

void ks_md_block(struct ks_md *m, ks_str command)
{
	const ks_str s = visible(m, command);
	const size_t ticks = longest_run(s, '`') < 3 ? 3 : longest_run(s, '`') + 1;

	ks_md_nl(m);
	fence(m, ticks);
	ks_md_raw(m, "sh\n");
	ks_out_str(m->pen.out, s);
	ks_md_nl(m);
	fence(m, ticks);
	ks_md_nl(m);
}

/* --- lines --------------------------------------------------------------------------------------
 */

void ks_md_heading(struct ks_md *m, int level, enum ks_text title)
{
	ks_md_nl(m);
	for (int i = 0; i < level; i++)
		ks_md_raw(m, "#");
	ks_md_raw(m, " ");
	/* ours, and "0." after a mark is no list */
	ks_out_cstr(m->pen.out, ks_text_get(title, m->pen.lang));
	ks_md_raw(m, "\n\n");
}

void ks_md_item(struct ks_md *m, enum ks_text label)
{
	ks_md_raw(m, "- **");
	KS_MD_WORD(m, label);
	ks_md_raw(m, "** ");
}

void ks_md_value(struct ks_md *m, const struct ks_ev *row)
{
	const char *symbol = ks_unit_info(row->unit)->symbol;

	if (row->refused != NULL || row->value.kind == KS_V_NONE) {
		KS_MD_WORD(m, KS_TEXT_R_NA);
		return;
	}
	if (row->value.kind == KS_V_TEXT)
		ks_md_code(m, ks_pen_name(&m->pen, row->value.s, NAME_COLS, KS_LIT("")));
	else
		ks_md_text(m, ks_pen_value(&m->pen, &row->value));
	if (symbol[0] == '\0')
		return;
	ks_md_raw(m, " ");
	ks_md_text(m, ks_str_c(symbol));
}

void ks_md_refusal(struct ks_md *m, enum ks_refusal code, ks_str slug)
{
	const struct ks_refusal_info *info = ks_refusal_info(code);

	ks_md_code(m, slug.n > 0 ? slug : ks_str_c(info->slug));
	ks_md_mark(m, KS_TEXT_MD_OPEN);
	ks_md_text(m, ks_str_c(info->title[m->pen.lang]));
	ks_md_mark(m, KS_TEXT_MD_CLOSE);
}

static void dash_text(struct ks_md *m, ks_str s)
{
	if (s.n == 0)
		return;
	ks_md_raw(m, " \xe2\x80\x94 ");
	ks_md_text(m, s);
}

void ks_md_row(struct ks_md *m, const struct ks_ev *row)
{
	struct ks_pen *p = &m->pen;

	ks_md_raw(m, "- ");
	ks_md_name(m, row->name);
	ks_md_raw(m, " = ");
	ks_md_value(m, row);
	if (row->refused != NULL) {
		ks_md_mark(m, KS_TEXT_MD_OPEN);
		ks_md_code(m, ks_refused_slug(row->refused));
		ks_md_mark(m, KS_TEXT_MD_CLOSE);
	}
	ks_md_raw(m, " \\[");
	ks_md_raw(m, ks_prov_name(row->prov));
	ks_md_raw(m, "\\]");
	if (row->has_resolution && row->resolution > 0.0) {
		ks_md_mark(m, KS_TEXT_MD_COMMA);
		KS_MD_WORD(m, KS_TEXT_R_RESOLUTION);
		ks_md_raw(m, " ");
		ks_md_text(m, ks_pen_real(p, row->resolution));
		ks_md_raw(m, " ");
		ks_md_text(m, ks_str_c(ks_unit_info(row->unit)->symbol));
	}
	dash_text(m, row->refused != NULL ? ks_pen_refused_message(p, m->r->ev, row->refused)
					  : ks_pen_msg_short(p, &row->note, NAME_COLS));
	ks_md_nl(m);
}
