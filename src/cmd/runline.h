/* SPDX-License-Identifier: Apache-2.0
 *
 * What a document says about the run that wrote it: its command line, and the other files of it.
 */
#ifndef KS_CMD_RUNLINE_H
#define KS_CMD_RUNLINE_H

#include "cmd/settings.h"

/* Files of a run that its other files name, by the words of contract 03 §9. */
struct ks_named_file {
	enum ks_file file;
	const char *key;
	bool in_case; /* the manifest of a case directory has it too */
};
extern const struct ks_named_file ks_named_files[];
extern const size_t ks_n_named_files;

/* Fills view->command and view->file, both redacted where the run is. Strings live in app->arena,
 * which is failed when there is no memory. */
void ks_run_line(struct ks_app *app, const struct ks_settings *s, struct ks_view *view);

/* A word of a command line as files may show it: the URL behind --ks-telemetry without the name and
 * password in it. `before`: the word in front of it; NULL for the first. */
ks_str ks_run_word(struct ks_app *app, const char *before, const char *word);

#endif
