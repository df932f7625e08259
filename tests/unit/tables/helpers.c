/* SPDX-License-Identifier: Apache-2.0
 *
 * Helpers on names and texts. They share no code with what is tested.
 */
#include "tests.h"

#include <ctype.h>
#include <strings.h>

void id_of(const char *name, char *out, size_t cap)
{
	size_t n = 0;

	for (; *name; name++) {
		if (isalnum((unsigned char)*name)) {
			assert_true(n + 1 < cap);
			out[n++] = (char)toupper((unsigned char)*name);
		} else if (n && out[n - 1] != '_') {
			assert_true(n + 1 < cap);
			out[n++] = '_';
		}
	}
	while (n && out[n - 1] == '_')
		n--;
	out[n] = '\0';
}

size_t code_points(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

bool in_list(const char *list, const char *word, size_t n)
{
	while (*list) {
		const size_t len = strcspn(list, ",");

		if (len == n && !memcmp(list, word, n))
			return true;
		list += len + (list[len] == ',');
	}
	return false;
}

/* U+4E00 to U+9FFF are E4 B8 80 to E9 BF BF in UTF-8. */
bool has_cjk(const char *s)
{
	for (; *s; s++) {
		const unsigned char c = (unsigned char)*s;

		if ((c > 0xe4 && c <= 0xe9) || (c == 0xe4 && (unsigned char)s[1] >= 0xb8))
			return true;
	}
	return false;
}

/* Words that Chinese texts keep in English (docs/glossary.md). */
static bool is_loan_word(const char *word, size_t n)
{
	static const char *const loans[] = {
		"kernel", "memset", "trace", "warp", "section", "token"
	};

	for (size_t i = 0; i < KS_ARRAY_LEN(loans); i++) {
		if (strlen(loans[i]) == n && !strncasecmp(loans[i], word, n))
			return true;
	}
	return false;
}

/* Whether a text has a word to translate: three letters or more, not all capitals, not a loan word.
 */
static bool has_words(const char *s)
{
	while (*s) {
		size_t n = 0;
		bool lower = false;

		for (; isalpha((unsigned char)s[n]); n++)
			lower = lower || islower((unsigned char)s[n]);
		if (n >= 3 && lower && !is_loan_word(s, n))
			return true;
		s += n ? n : 1;
	}
	return false;
}

/* Bit n for each {n}. */
static unsigned placeholders(const char *s)
{
	unsigned bits = 0;

	for (; *s; s++) {
		if (s[0] == '{' && isdigit((unsigned char)s[1]) && s[2] == '}')
			bits |= 1u << (s[1] - '0');
	}
	return bits;
}

void expect_pair(const char *what, const char *en, const char *zh)
{
	if (!*en || !*zh)
		fail_msg("%s lacks a language", what);
	if (has_cjk(en))
		fail_msg("%s: the English text holds Chinese", what);
	if (has_words(en) && !has_cjk(zh))
		fail_msg("%s: \"%s\" is not translated", what, en);
	if (placeholders(en) != placeholders(zh))
		fail_msg("%s: the languages take different arguments", what);
}
