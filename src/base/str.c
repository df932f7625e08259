/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions about borrowed byte strings. Allocates nothing, changes nothing.
 */
#include "base/str.h"

#define DISTANCE_MAX_LEN 64 /* longer words are never offered as a correction */

ks_str ks_str_c(const char *s)
{
	return s ? (ks_str){ s, strlen(s) } : KS_STR_NONE;
}

bool ks_str_eq(ks_str a, ks_str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

bool ks_str_eqc(ks_str a, const char *b)
{
	return ks_str_eq(a, ks_str_c(b));
}

int ks_str_cmp(ks_str a, ks_str b)
{
	const size_t n = a.n < b.n ? a.n : b.n;
	const int c = n > 0 ? memcmp(a.p, b.p, n) : 0;

	return c != 0 ? c : (a.n > b.n) - (a.n < b.n);
}

bool ks_str_starts(ks_str s, const char *prefix)
{
	const size_t n = strlen(prefix);

	return s.n >= n && (n == 0 || memcmp(s.p, prefix, n) == 0);
}

bool ks_str_ends(ks_str s, const char *suffix)
{
	const size_t n = strlen(suffix);

	return s.n >= n && (n == 0 || memcmp(s.p + (s.n - n), suffix, n) == 0);
}

bool ks_str_has(ks_str s, ks_str part)
{
	if (part.n == 0)
		return true;
	return s.n >= part.n && memmem(s.p, s.n, part.p, part.n) != NULL;
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

ks_str ks_str_trim(ks_str s)
{
	while (s.n > 0 && is_blank(s.p[0])) {
		s.p++;
		s.n--;
	}
	while (s.n > 0 && is_blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

ks_str ks_str_cut(ks_str *rest, char sep)
{
	const char *at = rest->n > 0 ? memchr(rest->p, sep, rest->n) : NULL;
	ks_str piece = *rest;

	if (!at) {
		*rest = KS_STR_NONE;
		return piece;
	}
	piece.n = (size_t)(at - rest->p);
	rest->n -= piece.n + 1;
	rest->p = at + 1;
	return piece;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Restricted Damerau-Levenshtein: no part is edited twice. Three rows of the usual matrix. */
size_t ks_str_distance(ks_str a, ks_str b, size_t max)
{
	size_t rows[3][DISTANCE_MAX_LEN + 1];
	const size_t gap = a.n > b.n ? a.n - b.n : b.n - a.n;

	if (a.n > DISTANCE_MAX_LEN || b.n > DISTANCE_MAX_LEN || gap > max)
		return max + 1;
	for (size_t j = 0; j <= b.n; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a.n; i++) {
		size_t *now = rows[i % 3], *up = rows[(i + 2) % 3], *up2 = rows[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= b.n; j++) {
			const char ca = lower(a.p[i - 1]), cb = lower(b.p[j - 1]);

			now[j] = least(up[j - 1] + (ca != cb), least(up[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && ca == lower(b.p[j - 2]) && cb == lower(a.p[i - 2]))
				now[j] = least(now[j], up2[j - 2] + 1);
		}
	}
	return least(rows[a.n % 3][b.n], max + 1);
}

const char *ks_str_nearest(ks_str word, const char *const *candidates, size_t n)
{
	const size_t max = word.n / 3 > 1 ? word.n / 3 : 1;
	size_t best = max + 1;
	const char *nearest = NULL;

	for (size_t i = 0; i < n; i++) {
		const size_t d = ks_str_distance(word, ks_str_c(candidates[i]), max);

		if (d < best) {
			best = d;
			nearest = candidates[i];
		}
	}
	return nearest;
}
