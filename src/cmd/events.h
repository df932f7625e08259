/* SPDX-License-Identifier: Apache-2.0
 *
 * What `find`, `show` and `ncu-command` have alike: WORD FILE on the command line, a trace that is
 * read as often as it takes, and names that no event has.
 */
#ifndef KS_CMD_EVENTS_H
#define KS_CMD_EVENTS_H

#include "cmd/command.h"
#include "cmd/settings.h"
#include "evidence/found.h"
#include "model/trace.h"

struct ks_events_file {
	const char *path; /* NULL: the synthetic trace */
	enum ks_from from;
};

/* One word and the file in o->rest, or the word alone beside an option that names the source. */
enum ks_status ks_events_file(enum ks_command command, const struct ks_opts *o,
			      struct ks_events_file *file, struct ks_err *err);
/* As messages call it. */
const char *ks_events_name(const struct ks_events_file *file);
enum ks_status ks_events_read(struct ks_app *app, const struct ks_events_file *file,
			      const struct ks_sink *sink, struct ks_err *err);
/* Names of kernels and ranges are the program's; those of calls and copies are not. */
void ks_events_hide(struct ks_app *app, enum ks_find_kind kind, ks_str name);
/* The nearest names for one that no event has: KS_E_NOMATCH. The texts (enum ks_text) are for a
 * name and for a pattern. */
enum ks_status ks_events_no_name(const struct ks_found *f, const struct ks_events_file *file,
				 const int text[2], struct ks_err *err);

#endif
