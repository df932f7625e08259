/* SPDX-License-Identifier: Apache-2.0
 *
 * A text that is longer than the screen goes through a pager, as git's does. Never for anything but
 * text on a terminal, and never for what other programs read.
 */
#ifndef KS_CMD_PAGER_H
#define KS_CMD_PAGER_H

#include "cmd/app.h"
#include "cmd/options.h"

#define KS_PAGER_WORDS 16

/* The program and its arguments: $KERNOSCOPE_PAGER, else $PAGER, else `less -FRX`; split at blanks,
 * no shell. False: paging is turned off there by an empty word or by `cat`. `word` ends with NULL
 * and borrows from the run's arena. *named: the user named it. */
struct ks_pager {
	const char *word[KS_PAGER_WORDS + 1];
	bool named;
};
bool ks_pager_find(struct ks_app *app, struct ks_pager *p);

/* Whether this command with these options prints text for people on standard output. */
bool ks_pager_suits(const struct ks_opts *o, enum ks_command command);

/* Holds standard output back from here on, where a pager may be needed: after
 * ks_settings_manners, before anything is printed. */
void ks_pager_offer(struct ks_app *app, const struct ks_opts *o, enum ks_command command);
/* Shows what was held back: plainly when it fits the screen, else through the pager. A pager that
 * was left early is no error; one that cannot be started is a note when the user named it, and the
 * text is printed plainly. */
void ks_pager_show(struct ks_app *app);

#endif
