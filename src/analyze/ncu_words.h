/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of ncu for one launch. What ncu reads as an operator is quoted for ncu, what a
 * shell reads is quoted for the shell. Knows no trace.
 */
#ifndef KS_ANALYZE_NCU_WORDS_H
#define KS_ANALYZE_NCU_WORDS_H

#include "base/arena.h"
#include "evidence/ncu_line.h"
#include "evidence/shown.h"

struct ks_ncu_ask {
	ks_str function; /* exact, as ncu compares it by default */
	ks_str nvtx;	 /* of ks_ncu_range_filter; "" */
	uint64_t skip;
	bool graph, collective;
	ks_str program, folder; /* "": not known */
	const ks_str *argument;
	size_t n_arguments;
};

/* Whether a text can stand in one line of a shell, byte for byte, without harm to a terminal. */
bool ks_ncu_is_plain(ks_str s);
/* DOMAIN@NAME/ for a pushed range, without the / for a started one; "" for a range that ncu cannot
 * be told. */
ks_str ks_ncu_range_filter(struct ks_arena *a, const struct ks_shown_range *range);
/* Fills argv, command, folder and program_known. */
void ks_ncu_words(struct ks_arena *a, const struct ks_ncu_ask *ask, struct ks_ncu_line *line);

#endif
