/* SPDX-License-Identifier: Apache-2.0
 *
 * --redact of a run: the object that layers below ask through ctx->redact, and the words of this
 * very command line that messages must not repeat. What is replaced, and by what, is
 * base/redact.h's.
 */
#ifndef KS_CMD_REDACTION_H
#define KS_CMD_REDACTION_H

#include "cmd/settings.h"

/* Before the command line is understood: whoever wrote --redact somewhere gets no message that
 * repeats a path, even one about a slip in the same line. */
void ks_redaction_scan(struct ks_app *app, int argc, char **argv);
/* Once it is: on with the mode that was asked for, or off. `program`: words that are left are a
 * program and its arguments. False: no memory for it, so that nothing may be written. */
bool ks_redaction_settle(struct ks_app *app, const struct ks_opts *o, bool program);
/* Files whose names were made of options. */
void ks_redaction_files(struct ks_app *app, const struct ks_settings *s);
void ks_redaction_close(struct ks_app *app);
/* A packet that is read back, redacted where that was asked for. */
enum ks_status ks_redaction_packet(struct ks_app *app, const char *path, struct ks_packet **packet,
				   struct ks_err *err);

#endif
