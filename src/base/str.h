/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions about borrowed byte strings. Allocates nothing.
 */
#ifndef KS_BASE_STR_H
#define KS_BASE_STR_H

#include "base/base.h"

ks_str ks_str_c(const char *s); /* NULL gives the empty view */
bool ks_str_eq(ks_str a, ks_str b);
bool ks_str_eqc(ks_str a, const char *b);
int ks_str_cmp(ks_str a, ks_str b); /* bytewise, shorter first */
bool ks_str_starts(ks_str s, const char *prefix);
bool ks_str_ends(ks_str s, const char *suffix);
bool ks_str_has(ks_str s, ks_str part);
ks_str ks_str_trim(ks_str s); /* without ASCII blanks at both ends */
/* Cuts the text before the first `sep` off *rest and returns it; the last piece leaves *rest.p
 * NULL. */
ks_str ks_str_cut(ks_str *rest, char sep);
/* Damerau-Levenshtein distance, capped at `max`+1; case-insensitive for ASCII. */
size_t ks_str_distance(ks_str a, ks_str b, size_t max);
/* The candidate nearest to `word` (distance at most a third of its length, at least 1), or NULL. */
const char *ks_str_nearest(ks_str word, const char *const *candidates, size_t n);

#endif
