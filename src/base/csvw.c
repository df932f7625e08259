/* SPDX-License-Identifier: Apache-2.0
 *
 * RFC 4180 rows. Text that a spreadsheet would run as a formula is disarmed; numbers never are.
 */
#include "base/csvw.h"

#include "base/num.h"
#include "base/str.h"
#include "base/utf8.h"

/* Where a cell goes: straight to an output or into a buffer. */
struct sink {
	void (*put)(void *to, const char *p, size_t n);
	void *to;
};

static void put_out(void *to, const char *p, size_t n)
{
	ks_out_write(to, p, n);
}

static void put_buf(void *to, const char *p, size_t n)
{
	ks_buf_add(to, p, n);
}

/* Text of a quoted cell: quotes double. */
static void put_quoted(void *arg, const char *p, size_t n)
{
	const struct sink *s = arg;

	while (n > 0) {
		const char *quote = memchr(p, '"', n);
		const size_t piece = quote ? (size_t)(quote - p) + 1 : n;

		s->put(s->to, p, piece);
		if (quote)
			s->put(s->to, "\"", 1);
		p += piece;
		n -= piece;
	}
}

static bool is_formula(ks_str s)
{
	return s.n > 0 && s.p[0] != '\0' && strchr("=+-@\t\r\n", s.p[0]) != NULL;
}

/* Control bytes need no quotes: they are made visible first. */
static bool needs_quotes(ks_str s)
{
	return s.n > 0 && (memchr(s.p, ',', s.n) || memchr(s.p, '"', s.n) || s.p[0] == ' ' ||
			   s.p[s.n - 1] == ' ');
}

static void put_cell(struct sink *to, ks_str s)
{
	const bool formula = is_formula(s);

	if (!formula && !needs_quotes(s)) {
		ks_utf8_visible(s, to->put, to->to);
		return;
	}
	to->put(to->to, "\"'", formula ? 2 : 1);
	ks_utf8_visible(s, put_quoted, to);
	to->put(to->to, "\"", 1);
}

void ks_csvw_init(struct ks_csvw *w, struct ks_out *out)
{
	*w = (struct ks_csvw){ .out = out };
}

static void next_cell(struct ks_csvw *w)
{
	if (w->started)
		ks_out_ch(w->out, ',');
	w->started = true;
}

void ks_csvw_str(struct ks_csvw *w, ks_str s)
{
	struct sink to = { put_out, w->out };

	next_cell(w);
	put_cell(&to, s);
}

void ks_csvw_cstr(struct ks_csvw *w, const char *s)
{
	ks_csvw_str(w, ks_str_c(s));
}

void ks_csvw_i64(struct ks_csvw *w, int64_t v)
{
	char text[KS_NUM_LEN];

	next_cell(w);
	ks_out_write(w->out, text, ks_num_i64(text, v));
}

void ks_csvw_double(struct ks_csvw *w, double v)
{
	char text[KS_NUM_LEN];

	next_cell(w);
	ks_out_write(w->out, text, ks_num_double(text, v));
}

void ks_csvw_empty(struct ks_csvw *w)
{
	next_cell(w);
}

void ks_csvw_raw(struct ks_csvw *w, ks_str s)
{
	next_cell(w);
	ks_out_str(w->out, s);
}

void ks_csvw_end(struct ks_csvw *w)
{
	ks_out_cstr(w->out, "\r\n");
	w->started = false;
}

void ks_csvw_cell(struct ks_buf *b, ks_str s)
{
	struct sink to = { put_buf, b };

	put_cell(&to, s);
}
