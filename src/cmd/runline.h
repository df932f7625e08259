/* SPDX-License-Identifier: Apache-2.0
 *
 * What a document says about the run that wrote it: its command line, and the other files of it.
 */
#ifndef KS_CMD_RUNLINE_H
#define KS_CMD_RUNLINE_H

#include "cmd/settings.h"

/* Fills view->command and view->file, both redacted where the run is. Strings live in app->arena,
 * which is failed when there is no memory. */
void ks_run_line(struct ks_app *app, const struct ks_settings *s, struct ks_view *view);

#endif
