/* SPDX-License-Identifier: Apache-2.0
 *
 * What the writers of completions share: which names are offered where. Rows come from
 * completes.def.
 */
#ifndef KS_GEN_COMPLETION_H
#define KS_GEN_COMPLETION_H

#include "rows.h"

/* The row of an option in a command ("" = in general); a choice without one gets a row of kind
 * WORDS, a file ANY_FILE, all others NULL. *made holds a row that is not in the table. */
const struct g_complete *g_value_row(const struct g_option *o, const char *command,
				     struct g_complete *made);
/* Whether a value may stand behind "=" only, or not at all. */
int g_is_optional(const struct g_option *o);
/* Whether the option has values of its own in that command. */
int g_value_is_own(const struct g_option *o, const char *command);
/* The row of a command's word number `at` from 0, or NULL. */
const struct g_complete *g_word_row(const char *command, size_t at);
/* The names that a row stands for, with `between` between them. */
void g_names(FILE *out, const struct g_complete *row, const char *between);
/* A list with another separator. */
void g_separated(FILE *out, const char *list, char comma, const char *between);
void g_command_names(FILE *out, const char *between);
int g_is_files(const struct g_complete *row);
int g_is_list(const struct g_complete *row); /* several names with commas between */
/* Options whose value is the next word, live: "--x" and "-x", separated by `between`. */
void g_value_options(FILE *out, const char *between);

void g_bash(FILE *out);
void g_zsh(FILE *out);
void g_fish(FILE *out);

#endif
