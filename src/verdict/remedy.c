/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds refusal codes by what people type.
 */
#include "verdict/remedy.h"

#include "base/str.h"

#define CODE_MAX 64

bool ks_remedy_find(ks_str word, enum ks_refusal *code)
{
	char folded[CODE_MAX];
	enum ks_refusal found;

	if (word.n == 0 || word.n > CODE_MAX)
		return false;
	for (size_t i = 0; i < word.n; i++) {
		const char c = word.p[i];

		folded[i] = c == '-' || c == ' '   ? '_'
			    : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a')
						   : c;
	}
	if (!ks_refusal_find((ks_str){ folded, word.n }, &found))
		return false;
	*code = found;
	return true;
}

const char *ks_remedy_nearest(ks_str word)
{
	const char *slug[KS_REFUSAL_COUNT];
	size_t n = 0;

	for (int i = KS_REFUSAL_NONE + 1; i < KS_REFUSAL_COUNT; i++)
		slug[n++] = ks_refusal_info((enum ks_refusal)i)->slug;
	return ks_str_nearest(word, slug, n);
}

size_t ks_remedy_group(enum ks_cause_group g, enum ks_refusal code[KS_REFUSAL_COUNT])
{
	size_t n = 0;

	for (int i = KS_REFUSAL_NONE + 1; i < KS_REFUSAL_COUNT; i++) {
		if (ks_cause_info((enum ks_refusal)i)->group == g)
			code[n++] = (enum ks_refusal)i;
	}
	return n;
}
