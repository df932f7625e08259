/* SPDX-License-Identifier: Apache-2.0
 *
 * Folding, stems and the comparison of words. The suffix rules are few on purpose: they only have
 * to bring forms of one word together, on both sides alike.
 */
#include "verdict/route_text.h"

#include "base/str.h"
#include "base/utf8.h"
#include "tables/questions.h"

#define TERM_MAX 96 /* bytes and characters of one word of the tables */
#define FUZZY_EN 6
#define FUZZY_ZH 4

static bool is_chinese(int32_t cp)
{
	return (cp >= 0x3400 && cp <= 0x4DBF) || (cp >= 0x4E00 && cp <= 0x9FFF);
}

/* The folded character, or 0 for one that only separates. */
static int32_t fold(int32_t cp)
{
	if (cp >= 0xFF01 && cp <= 0xFF5E)
		cp -= 0xFEE0;
	if (cp >= 'A' && cp <= 'Z')
		return cp - 'A' + 'a';
	if ((cp >= 'a' && cp <= 'z') || (cp >= '0' && cp <= '9') || is_chinese(cp))
		return cp;
	return 0;
}

static bool ends(const char *w, size_t n, const char *suffix)
{
	const size_t k = strlen(suffix);

	return n >= k && memcmp(w + n - k, suffix, k) == 0;
}

static size_t without_plural(char *w, size_t n)
{
	if (n > 4 && ends(w, n, "ies")) {
		w[n - 3] = 'y';
		return n - 2;
	}
	if (n > 4 && ends(w, n, "sses"))
		return n - 2;
	if (n > 3 && ends(w, n, "s") && !ends(w, n, "ss") && !ends(w, n, "us") && !ends(w, n, "is"))
		return n - 1;
	return n;
}

/* "running" becomes "run"; the double letter of "stalled" belongs to the word. */
static size_t undouble(const char *w, size_t n)
{
	const bool twice = n > 3 && w[n - 1] == w[n - 2];

	return twice && strchr("lsz", w[n - 1]) == NULL ? n - 1 : n;
}

size_t ks_stem(const char *word, size_t n, char *out)
{
	memcpy(out, word, n);
	n = without_plural(out, n);
	if (n > 8 && (ends(out, n, "ization") || ends(out, n, "isation")))
		n -= 5;
	else if (n > 5 && ends(out, n, "ing"))
		n = undouble(out, n - 3);
	else if (n > 4 && ends(out, n, "ed"))
		n = undouble(out, n - 2);
	if (n > 3 && out[n - 1] == 'e')
		n--;
	if (n > 5 && ends(out, n, "is"))
		out[n - 1] = 'z';
	return n;
}

static bool listed(const char *list, ks_str word)
{
	ks_str rest = ks_str_c(list);

	while (rest.p != NULL) {
		if (ks_str_eq(ks_str_cut(&rest, ','), word))
			return true;
	}
	return false;
}

/* Decodes and folds a term into at most TERM_MAX characters; 0 when it is longer. */
static size_t characters(ks_str term, int32_t cp[TERM_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < term.n;) {
		const int32_t c = fold(ks_utf8_next(term, &i));

		if (c == 0)
			continue;
		if (n == TERM_MAX)
			return 0;
		cp[n++] = c;
	}
	return n;
}

static size_t find_run(const struct ks_sentence *s, const int32_t *cp, size_t n, size_t from)
{
	for (size_t i = from; n > 0 && i + n <= s->n_cp; i++) {
		if (memcmp(s->cp + i, cp, n * sizeof(*cp)) == 0)
			return i;
	}
	return SIZE_MAX;
}

static void mark_chinese_stops(struct ks_sentence *s)
{
	ks_str rest = ks_str_c(ks_stop_words(KS_LANG_ZH));

	while (rest.p != NULL) {
		int32_t cp[TERM_MAX];
		const size_t n = characters(ks_str_cut(&rest, ','), cp);

		for (size_t at = find_run(s, cp, n, 0); at != SIZE_MAX;
		     at = find_run(s, cp, n, at + 1)) {
			for (size_t i = 0; i < n; i++)
				s->cp_stop[at + i] = true;
		}
	}
}

static void end_word(struct ks_sentence *s, char *bytes, size_t from, size_t to, char *stems)
{
	if (to == from)
		return;
	const ks_str word = { bytes + from, to - from };

	s->word[s->n_words] = word;
	s->stem[s->n_words] = (ks_str){ stems + from, ks_stem(word.p, word.n, stems + from) };
	s->word_stop[s->n_words] = listed(ks_stop_words(KS_LANG_EN), word);
	s->meaning += s->word_stop[s->n_words] ? 0 : 2;
	s->n_words++;
}

bool ks_sentence_read(ks_str text, struct ks_arena *a, struct ks_sentence *s)
{
	*s = (struct ks_sentence){
		.word = KS_ARENA_NEWS(a, ks_str, text.n + 1),
		.stem = KS_ARENA_NEWS(a, ks_str, text.n + 1),
		.word_stop = KS_ARENA_NEWS(a, bool, text.n + 1),
		.cp = KS_ARENA_NEWS(a, int32_t, text.n + 1),
		.cp_stop = KS_ARENA_NEWS(a, bool, text.n + 1),
	};
	char *bytes = KS_ARENA_NEWS(a, char, text.n + 1),
	     *stems = KS_ARENA_NEWS(a, char, text.n + 1);
	size_t n = 0, begin = 0;

	if (ks_arena_failed(a))
		return false;
	for (size_t i = 0; i < text.n;) {
		const int32_t c = fold(ks_utf8_next(text, &i));

		if (c == 0 || is_chinese(c)) {
			end_word(s, bytes, begin, n, stems);
			begin = n;
		}
		if (c == 0)
			continue;
		s->cp[s->n_cp++] = c;
		if (!is_chinese(c))
			bytes[n++] = (char)c;
	}
	end_word(s, bytes, begin, n, stems);
	mark_chinese_stops(s);
	for (size_t i = 0; i < s->n_cp; i++)
		s->meaning += is_chinese(s->cp[i]) && !s->cp_stop[i];
	return true;
}

static bool same_word(const struct ks_sentence *s, size_t at, ks_str term)
{
	char stem[TERM_MAX];

	if (term.n > 0 && term.p[0] == '=')
		return ks_str_eq(s->word[at], (ks_str){ term.p + 1, term.n - 1 });
	if (term.n > TERM_MAX)
		return false;
	const ks_str t = { stem, ks_stem(term.p, term.n, stem) }, w = s->stem[at];

	if (ks_str_eq(w, t))
		return true;
	return w.n >= FUZZY_EN && t.n >= FUZZY_EN && w.p[0] == t.p[0] &&
	       ks_str_distance(w, t, 1) <= 1;
}

/* A phrase: its words one after the other. */
static int latin_at(const struct ks_sentence *s, size_t at, ks_str term)
{
	int covered = 0;

	while (term.p != NULL) {
		if (at >= s->n_words || !same_word(s, at, ks_str_cut(&term, ' ')))
			return 0;
		covered += s->word_stop[at++] ? 0 : 2;
	}
	return covered > 0 ? covered : 1;
}

/* Characters that count, of a run that stands there; Latin ones inside count half a word each. */
static int run_meaning(const struct ks_sentence *s, size_t at, size_t n)
{
	int covered = 0;

	for (size_t i = at; i < at + n; i++)
		covered += is_chinese(s->cp[i]) && !s->cp_stop[i];
	return covered > 0 ? covered : 1;
}

static int chinese_in(const struct ks_sentence *s, const int32_t *cp, size_t n)
{
	const size_t at = find_run(s, cp, n, 0);
	size_t pairs = 0;

	if (at != SIZE_MAX)
		return run_meaning(s, at, n);
	for (size_t i = 0; n >= FUZZY_ZH && i + 1 < n; i++)
		pairs += find_run(s, cp + i, 2, 0) != SIZE_MAX;
	return n >= FUZZY_ZH && pairs + 2 >= n ? (int)n - 1 : 0;
}

int ks_sentence_has(const struct ks_sentence *s, ks_str term)
{
	int32_t cp[TERM_MAX];
	const size_t n = characters(term, cp);

	for (size_t i = 0; i < n; i++) {
		if (is_chinese(cp[i]))
			return chinese_in(s, cp, n);
	}
	for (size_t at = 0; n > 0 && at < s->n_words; at++) {
		const int covered = latin_at(s, at, term);

		if (covered > 0)
			return covered;
	}
	return 0;
}
