/* SPDX-License-Identifier: Apache-2.0
 *
 * Line breaking by terminal columns, for texts with and without blanks (Chinese has none).
 */
#include "base/utf8.h"
#include "render/pen.h"

/* Must not begin a line: closing punctuation, ASCII and CJK. */
static bool closes(int32_t cp)
{
	static const int32_t sign[] = { ',',	'.',	';',	':',	'!',	'?',	')',
					']',	'%',	0x3001, 0x3002, 0xff0c, 0xff1b, 0xff1a,
					0xff01, 0xff1f, 0xff09, 0x300d, 0x201d, 0x2019 };

	for (size_t i = 0; i < KS_ARRAY_LEN(sign); i++)
		if (sign[i] == cp)
			return true;
	return false;
}

/* Must not end a line. */
static bool opens(int32_t cp)
{
	return cp == '(' || cp == '[' || cp == 0xff08 || cp == 0x300c || cp == 0x201c ||
	       cp == 0x2018;
}

static bool wide(int32_t cp)
{
	return cp >= 0x1100 && ks_utf8_width(cp) == 2;
}

size_t ks_pen_line_length(ks_str s, size_t width)
{
	size_t i = 0, cols = 0, brk = 0;
	int32_t before = ' ';

	while (i < s.n) {
		size_t next = i;
		int32_t cp = ks_utf8_next(s, &next);
		size_t w = ks_utf8_columns((ks_str){ s.p + i, next - i });

		if (i > 0 && !closes(cp) && !opens(before) && (wide(cp) || wide(before)))
			brk = i;
		if (cp == ' ' && cols <= width)
			brk = i;
		if (cols + w > width && cp != ' ')
			return brk > 0 ? brk : i > 0 ? i : next;
		cols += w;
		before = cp;
		i = next;
	}
	return s.n;
}

static ks_str skip_blanks(ks_str s)
{
	while (s.n > 0 && s.p[0] == ' ') {
		s.p++;
		s.n--;
	}
	return s;
}

static size_t room(size_t cols, size_t used)
{
	return cols > used + 1 ? cols - used : 1;
}

void ks_pen_wrap(struct ks_pen *p, const struct ks_wrap *how, ks_str s)
{
	size_t cols = (size_t)p->term->cols, used = how->at, line = 1;

	for (;;) {
		size_t n = ks_pen_line_length(s, room(cols, used));
		ks_str piece = { s.p, n };
		ks_str rest = skip_blanks((ks_str){ s.p + n, s.n - n });

		while (piece.n > 0 && piece.p[piece.n - 1] == ' ')
			piece.n--;
		if (rest.n > 0 && line == how->lines) {
			/* the cell cuts with a mark; without padding, it is as wide as it gets */
			ks_pen_cell(p, how->style, s, room(cols, used), false);
			ks_pen_nl(p);
			return;
		}
		ks_pen_put(p, how->style, piece);
		ks_pen_nl(p);
		if (rest.n == 0)
			return;
		used = how->hang;
		ks_pen_spaces(p, used);
		s = rest;
		line++;
	}
}
