/* SPDX-License-Identifier: Apache-2.0
 *
 * Help from the tables: what an option, command, metric, section or refusal is. Reads no file.
 */
#ifndef KS_CMD_HELP_H
#define KS_CMD_HELP_H

#include "cmd/app.h"
#include "cmd/options.h"

void ks_help_version(struct ks_app *app);
void ks_help_sets(struct ks_app *app); /* --list-sets */
/* NULL: one screen of essentials; "all": every option; else a name of one of the tables. Unknown:
 * KS_E_USAGE with the nearest name. */
enum ks_status ks_help_topic(struct ks_app *app, const char *topic, struct ks_err *err);

/* What follows `help` or --help: a topic, and --lang or --color before or after it. */
struct ks_help_ask {
	const struct ks_opts *opts; /* what was parsed before */
	const char *topic;	    /* without one among the words; NULL: the essentials */
	int n;
	char **word;
	bool one; /* a second topic is an error */
};
enum ks_status ks_help_words(struct ks_app *app, const struct ks_help_ask *ask, struct ks_err *err);

#endif
