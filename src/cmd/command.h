/* SPDX-License-Identifier: Apache-2.0
 *
 * How every subcommand begins: its options by the table, language and colours, and --help.
 */
#ifndef KS_CMD_COMMAND_H
#define KS_CMD_COMMAND_H

#include "cmd/app.h"
#include "cmd/options.h"

/* argv[0] is the command's name; options may stand among its words, which are left in o->rest.
 * o->answered: --help was answered and nothing is left to do. app->json_errors follows --json. */
enum ks_status ks_command_begin(struct ks_app *app, enum ks_command command, struct ks_opts *o,
				int argc, char **argv, struct ks_err *err);
/* KS_E_USAGE unless between `least` and `most` words stand in o->rest; the message shows the usage
 * row of the table. */
enum ks_status ks_command_words_given(enum ks_command command, const struct ks_opts *o, int least,
				      int most, struct ks_err *err);

#endif
