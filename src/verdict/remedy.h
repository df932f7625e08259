/* SPDX-License-Identifier: Apache-2.0
 *
 * Refusal codes as something to look up: the nearest one to a slip of the hand, and the order of a
 * list. Everything else about a code is a column of its row.
 */
#ifndef KS_VERDICT_REMEDY_H
#define KS_VERDICT_REMEDY_H

#include "tables/questions.h"

/* Also with - or blanks for _, and in any case. False: *code is untouched. */
bool ks_remedy_find(ks_str word, enum ks_refusal *code);
const char *ks_remedy_nearest(ks_str word); /* NULL: none is near */
/* Codes of a group in the order of their table; returns how many. */
size_t ks_remedy_group(enum ks_cause_group g, enum ks_refusal code[KS_REFUSAL_COUNT]);

#endif
