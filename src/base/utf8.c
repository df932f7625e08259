/* SPDX-License-Identifier: Apache-2.0
 *
 * Strict UTF-8 and the visible forms of what must not be shown raw. Classes and widths are
 * utf8proc's. Refuses overlong forms, surrogates and code points above U+10FFFF.
 */
#include "base/utf8.h"

#include <utf8proc.h>

#include "base/num.h"

static int32_t continuation(ks_str s, size_t i)
{
	const unsigned char c = i < s.n ? (unsigned char)s.p[i] : 0;

	return (c & 0xC0) == 0x80 ? c & 0x3F : -1;
}

static const struct {
	unsigned char mask, lead;
	int32_t least; /* a smaller value would be overlong */
} form[] = { { 0xE0, 0xC0, 0x80 }, { 0xF0, 0xE0, 0x800 }, { 0xF8, 0xF0, 0x10000 } };

int32_t ks_utf8_next(ks_str s, size_t *i)
{
	const unsigned char c = (unsigned char)s.p[(*i)++];

	if (c < 0x80)
		return c;
	for (size_t f = 0; f < KS_ARRAY_LEN(form); f++) {
		if ((c & form[f].mask) != form[f].lead)
			continue;

		int32_t cp = c & ~form[f].mask & 0xFF;

		for (size_t k = 0; k <= f; k++) {
			const int32_t more = continuation(s, *i + k);

			if (more < 0)
				return -1;
			cp = cp << 6 | more;
		}
		if (cp < form[f].least || cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
			return -1;
		*i += f + 1;
		return cp;
	}
	return -1;
}

size_t ks_utf8_put(char out[4], uint32_t cp)
{
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	const size_t n = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;

	for (size_t i = n - 1; i > 0; i--) {
		out[i] = (char)(0x80 | (cp & 0x3F));
		cp >>= 6;
	}
	out[0] = (char)(form[n - 2].lead | cp);
	return n;
}

bool ks_utf8_valid(ks_str s)
{
	for (size_t i = 0; i < s.n;) {
		if (ks_utf8_next(s, &i) < 0)
			return false;
	}
	return true;
}

bool ks_utf8_is_hostile(int32_t cp)
{
	if (cp < 0x80)
		return cp < 0x20 || cp == 0x7F;
	if ((cp & 0xFFFE) == 0xFFFE || (cp >= 0xFDD0 && cp <= 0xFDEF))
		return true; /* noncharacters */
	if (cp >= 0xE0000 && cp <= 0xE0FFF)
		return cp < 0xE0100 ||
		       cp > 0xE01EF; /* tags; never drawn, save variation selectors */
	switch ((int)utf8proc_category(cp)) {
	case UTF8PROC_CATEGORY_CC:
	case UTF8PROC_CATEGORY_CF:
	case UTF8PROC_CATEGORY_CS:
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP:
		return true;
	default:
		return cp > 0x10FFFF;
	}
}

int ks_utf8_width(int32_t cp)
{
	if (cp >= 0x20 && cp < 0x7F)
		return 1;
	return utf8proc_charwidth(cp);
}

static const char hex[] = "0123456789ABCDEF";
static const char named[][2] = { { '\n', 'n' }, { '\t', 't' }, { '\r', 'r' }, { 0x1B, 'e' } };

/* The visible form of what is not shown raw: an invalid byte when cp < 0. Returns its length. */
static size_t escape(char out[16], int32_t cp, unsigned char byte)
{
	size_t n = 0;

	out[n++] = '\\';
	if (cp < 0) {
		out[n++] = 'x';
		out[n++] = hex[byte >> 4];
		out[n++] = hex[byte & 15];
		return n;
	}
	for (size_t i = 0; i < KS_ARRAY_LEN(named); i++) {
		if (cp == named[i][0]) {
			out[n++] = named[i][1];
			return n;
		}
	}
	out[n++] = 'u';
	out[n++] = '{';
	int shift = 20;

	while (shift > 0 && cp >> shift == 0)
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		out[n++] = hex[cp >> shift & 15];
	out[n++] = '}';
	return n;
}

/* Columns of the code point, or invalid byte, at s.p[*i] after escaping; advances. */
static size_t next_columns(ks_str s, size_t *i)
{
	char text[16];
	const size_t at = *i;

	if (s.p[at] >= ' ' && s.p[at] <= '~') { /* most text: nothing to look up */
		++*i;
		return 1;
	}
	const int32_t cp = ks_utf8_next(s, i);

	if (cp < 0 || ks_utf8_is_hostile(cp))
		return escape(text, cp, (unsigned char)s.p[at]);

	const int width = ks_utf8_width(cp);

	return width > 0 ? (size_t)width : 0;
}

size_t ks_utf8_columns(ks_str s)
{
	size_t sum = 0;

	for (size_t i = 0; i < s.n;)
		sum += next_columns(s, &i);
	return sum;
}

void ks_utf8_visible(ks_str s, void (*put)(void *arg, const char *p, size_t n), void *arg)
{
	size_t raw = 0; /* start of what was not handed on yet */

	for (size_t i = 0; i < s.n;) {
		if (s.p[i] >= ' ' && s.p[i] <= '~') { /* most text: nothing to look up */
			i++;
			continue;
		}
		const size_t at = i;
		const int32_t cp = ks_utf8_next(s, &i);

		if (cp >= 0 && !ks_utf8_is_hostile(cp))
			continue;

		char text[16];
		const size_t n = escape(text, cp, (unsigned char)s.p[at]);

		if (at > raw)
			put(arg, s.p + raw, at - raw);
		put(arg, text, n);
		raw = i;
	}
	if (s.n > raw)
		put(arg, s.p + raw, s.n - raw);
}

size_t ks_utf8_prefix(ks_str s, size_t bytes)
{
	if (bytes >= s.n)
		return s.n;
	for (size_t back = 1; back <= 3 && back <= bytes; back++) {
		size_t i = bytes - back;

		if (ks_utf8_next(s, &i) >= 0)
			return i > bytes ? bytes - back : bytes;
	}
	return bytes;
}

size_t ks_utf8_prefix_columns(ks_str s, size_t cols)
{
	size_t used = 0, i = 0;

	while (i < s.n) {
		size_t next = i;

		used += next_columns(s, &next);
		if (used > cols)
			return i;
		i = next;
	}
	return i;
}
