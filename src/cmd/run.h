/* SPDX-License-Identifier: Apache-2.0
 *
 * The main command's work; `report` shares it.
 */
#ifndef KS_CMD_RUN_H
#define KS_CMD_RUN_H

#include "cmd/profile.h"

/* Options, source, outputs. `recorded` as in ks_settings_read. */
enum ks_status ks_run(struct ks_app *app, int argc, char **argv, bool recorded, struct ks_err *err);

#endif
