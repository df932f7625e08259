/* SPDX-License-Identifier: Apache-2.0
 *
 * The case directory PREFIX.case: evidence and progress over several runs. Made when missing; a
 * folder that holds other things and no manifest of ours is left alone. The journal is only added
 * to; the other files describe the last run, each whole or as it was.
 */
#ifndef KS_CMD_CASEDIR_H
#define KS_CMD_CASEDIR_H

#include "cmd/app.h"
#include "render/case.h"

struct ks_case_job {
	const char *folder;	 /* PREFIX.case */
	const char *const *argv; /* the arguments behind the program's name */
	int argc;
	int rc;				     /* what the run will return */
	const struct ks_packet *packet;	     /* made of the report of this run */
	const struct ks_case_output *output; /* key and path as given on the command line */
	size_t n_outputs;
};

/* KS_E_OUTPUT when the folder is not ours or a file could not be written; what was there before is
 * intact then. */
enum ks_status ks_case_write(struct ks_app *app, const struct ks_case_job *job, struct ks_err *err);

#endif
