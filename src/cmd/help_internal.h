/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the help only: how its lines are set, and the pages of topics.def.
 */
#ifndef KS_CMD_HELP_INTERNAL_H
#define KS_CMD_HELP_INTERNAL_H

#include "cmd/help.h"

void ks_help_blanks(struct ks_out *out, size_t n);
/* Text filled between two margins; the first line begins at `at`. */
void ks_help_filled(struct ks_out *out, ks_str s, size_t at, size_t left);
/* A name in the first column, its text in the second. */
void ks_help_entry(struct ks_app *app, ks_str name, const char *text);

/* help_pages.c; false: there is no page of that name. */
bool ks_help_page(struct ks_app *app, const char *name);
void ks_help_list_topics(struct ks_app *app);

#endif
