/* SPDX-License-Identifier: Apache-2.0
 *
 * From the words of the command line to the command that answers them.
 */
#ifndef KS_CMD_DISPATCH_H
#define KS_CMD_DISPATCH_H

#include "cmd/app.h"

/* argv[1] is a command only when it is literally the name of one; everything else is the main
 * command. A name that is one slip away from a command and no program is a usage error. */
enum ks_status ks_dispatch(struct ks_app *app, int argc, char **argv, struct ks_err *err);

/* Whether a shell would find a program of that name. */
bool ks_program_exists(const struct ks_ctx *ctx, const char *name);

#endif
