/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the routing only: a sentence folded into words and characters, and whether a word of the
 * tables stands in it. Knows no question.
 */
#ifndef KS_VERDICT_ROUTE_TEXT_H
#define KS_VERDICT_ROUTE_TEXT_H

#include "base/arena.h"
#include "base/base.h"

struct ks_sentence {
	ks_str *word, *stem; /* Latin words in order, and their stems */
	bool *word_stop;
	size_t n_words;
	int32_t *cp; /* all letters, digits and Chinese characters, without what was between */
	bool *cp_stop;
	size_t n_cp;
	int meaning; /* two for a word, one for a Chinese character, stop words left out */
};

bool ks_sentence_read(ks_str s, struct ks_arena *a, struct ks_sentence *out);
/* How much meaning the term covers in the sentence; 0: it is not there. */
int ks_sentence_has(const struct ks_sentence *s, ks_str term);
/* Writes the stem of a lower-case word; returns its length (at most that of the word). */
size_t ks_stem(const char *word, size_t n, char *out);

#endif
