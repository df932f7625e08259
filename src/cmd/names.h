/* SPDX-License-Identifier: Apache-2.0
 *
 * Macros in the names of outputs, as profilers have them:
 *     %p  process number           %h  host name
 *     %i, %n  the smallest number from 1 that makes a name no file has yet
 *     %r  rank                     %w  number of ranks
 *     %q{NAME}  environment        %%  a percent sign
 * %i is Nsight Compute's name for the number and %n Nsight Systems'. Rank and size come from the
 * variables of torchrun, Open MPI, PMIx, MPICH and Slurm, innermost first; without a launcher they
 * are an error, because every process would take the same name.
 */
#ifndef KS_CMD_NAMES_H
#define KS_CMD_NAMES_H

#include "cmd/app.h"

/* *out is `text` itself when it has no %, else in the run's arena. `option` is the one that has the
 * name: for --export a number is free when none of the files made from the prefix exists.
 * Errors (KS_E_USAGE): no such macro; a variable that is missing, empty, no number where one is
 * needed, or whose value holds '/', ".." or a control character; a name too long for a path. */
enum ks_status ks_name_expand(struct ks_app *app, enum ks_option option, const char *text,
			      const char **out, struct ks_err *err);

#endif
