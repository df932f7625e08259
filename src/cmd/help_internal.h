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

/* --- help_lists.c ------------------------------------------------------------------------------
 */

void ks_help_option(struct ks_app *app, const struct ks_option_info *o);
void ks_help_group(struct ks_app *app, enum ks_option_group g); /* those that work */
/* Those that do not yet: of one group, or of all (NONE) but those of subcommands. */
void ks_help_planned(struct ks_app *app, enum ks_option_group g);
void ks_help_inert(struct ks_app *app); /* those of ncu without an effect */
/* What a command takes besides its words; what every command takes is said under `help general`. */
void ks_help_own(struct ks_app *app, enum ks_command c);
void ks_help_all(struct ks_app *app);
void ks_help_essentials(struct ks_app *app); /* one screen of 24 lines */

/* help_pages.c; false: there is no page of that name. */
bool ks_help_page(struct ks_app *app, const char *name);
void ks_help_list_topics(struct ks_app *app);

#endif
