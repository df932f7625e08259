/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line as given: which options, with which texts. The options are the rows of
 * tables/options.def; nothing here knows one by name. What they mean is settings.h.
 */
#ifndef KS_CMD_OPTIONS_H
#define KS_CMD_OPTIONS_H

#include "base/arena.h"
#include "base/err.h"
#include "tables/tables.h"

struct ks_optval {
	const char *text;
	const struct ks_optval *next; /* in the order given */
};

enum ks_giver { /* who gave a value; a later one goes before an earlier one */
		KS_BY_DEFAULT,
		KS_BY_USER,
		KS_BY_PROJECT,
		KS_BY_FILE, /* --config FILE */
		KS_BY_ENV,
		KS_BY_LINE /* the command line */
};

struct ks_given {
	unsigned times;
	const char *value; /* the last one; NULL when the option takes none */
	const struct ks_optval *first;
	struct ks_optval *last;
	enum ks_giver
		origin; /* ks_opts_parse knows the command line alone; config.h adds the rest */
};

struct ks_opts {
	struct ks_given opt[KS_OPT_COUNT];
	char **rest; /* what follows the options: a program and its arguments, or files */
	int n_rest;
	bool answered; /* --help was, and nothing is left to do (command.h) */
	bool dashdash; /* a "--" ended the options: what follows is never an option or a command */
};

/* Whose options: the rows of the table that name the command (ks_option_of). */
struct ks_opt_spec {
	enum ks_command command; /* KS_CMD_NONE: the main command */
	bool permute; /* options may follow the positionals; otherwise the first positional ends
			 them */
};

/* Strings borrow from argv. On an error the options before it are in `o`, so that the message can
 * be printed in the chosen language. --version and --help end the parse where they stand.
 * Errors (KS_E_USAGE): unknown or ambiguous name, missing or surplus value, not a number, negative
 * where guarded, not one of the choices, not in this version. */
enum ks_status ks_opts_parse(struct ks_opts *o, struct ks_arena *a, const struct ks_opt_spec *spec,
			     int argc, char **argv, struct ks_err *err);

static inline bool ks_opt_on(const struct ks_opts *o, enum ks_option id)
{
	return o->opt[id].times > 0;
}
/* The last value, else the default of the table's row, else NULL. */
const char *ks_opt_text(const struct ks_opts *o, enum ks_option id);
int64_t ks_opt_int(const struct ks_opts *o, enum ks_option id); /* checked when parsed; 0 if none */
double ks_opt_real(const struct ks_opts *o, enum ks_option id);
bool ks_opt_is(const struct ks_opts *o, enum ks_option id, const char *choice);

/* Gives an option a value, or its flag when the row takes none, as if it had been said once more.
 */
enum ks_status ks_opt_give(struct ks_opts *o, struct ks_arena *a, enum ks_option id,
			   const char *value, enum ks_giver origin, struct ks_err *err);
/* Checks one value against its row; used by the parser and by tests. */
enum ks_status ks_opt_check(enum ks_option id, const char *value, struct ks_err *err);

#endif
