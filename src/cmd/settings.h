/* SPDX-License-Identifier: Apache-2.0
 *
 * What the options of the main command mean together: one source, one selection, one view, and the
 * outputs. Contradictions end here, before any work begins.
 */
#ifndef KS_CMD_SETTINGS_H
#define KS_CMD_SETTINGS_H

#include "analyze/analyze.h"
#include "cmd/app.h"
#include "cmd/options.h"
#include "render/render.h"

enum ks_from {
	KS_FROM_NONE,
	KS_FROM_SQLITE,
	KS_FROM_NSYS_REP,
	KS_FROM_SYNTHETIC,
	KS_FROM_IMPORT,
	KS_FROM_CODE,	/* --ks-cubin alone */
	KS_FROM_NOTHING /* no recording: what stands beside one makes the report */
};

enum ks_screen_to { KS_SCREEN_OFF, KS_SCREEN_STDOUT, KS_SCREEN_STDERR };

enum ks_file { /* what a run may write, in the order in which it does */
	       KS_FILE_REPORT,
	       KS_FILE_LAUNCHES,
	       KS_FILE_TIMELINE,
	       KS_FILE_MAP,
	       KS_FILE_HTML,
	       KS_FILE_MD,
	       KS_FILE_PACKET,
	       KS_FILE_LOG,
	       KS_FILE_COUNT
};

struct ks_asked { /* one name of --metrics */
	ks_str given;
	ks_str name; /* ours, after translation; "" when ncu's has no counterpart */
	const struct ks_ncu_info *ncu; /* NULL: not a known ncu name */
};

struct ks_settings {
	struct ks_opts opts;
	enum ks_from from;
	const char *path; /* of the source; NULL for the synthetic trace */
	struct ks_selection sel;
	struct ks_view view;
	struct ks_asked *asked;
	size_t n_asked;
	const char *telemetry; /* --ks-telemetry; NULL: not given */
	bool sections_chosen;  /* --set or --section was given */

	/* standard output */
	const struct ks_render_ops *result; /* NULL: no rendered report there */
	enum ks_screen_to screen;
	bool packet_on_stdout;
	const char *file[KS_FILE_COUNT]; /* NULL: not asked for; "-": standard output */
	const char *case_dir;		 /* NULL: none is written */
	bool timeline_json;		 /* the trace file is JSON, not protobuf */
	bool force, strict;
};

/* Reads the main command's options into *s: language, colour, quietness and log of the run, then
 * everything above. `recorded`: the command is `report`, whose one positional is a file and may
 * stand among the options. Errors: KS_E_USAGE, and KS_E_OUTPUT for the log. Release whatever it
 * returns. */
enum ks_status ks_settings_read(struct ks_app *app, struct ks_settings *s, int argc, char **argv,
				bool recorded, struct ks_err *err);
void ks_settings_release(struct ks_settings *s);
/* Language, colours and quietness of any command. */
void ks_settings_manners(struct ks_app *app, const struct ks_opts *o);

/* choose.c: --set, --section, --metrics, --devices, -k, -c, -s into the selection and the view. */
enum ks_status ks_choose(struct ks_app *app, struct ks_settings *s, struct ks_err *err);
/* timeline.c: where the trace file goes; and, once outputs and view are settled, which parts of the
 * timeline they need. */
enum ks_status ks_timeline_file(struct ks_app *app, struct ks_settings *s, struct ks_err *err);
enum ks_status ks_choose_timeline(struct ks_app *app, struct ks_settings *s, struct ks_err *err);
/* code.c: that the files of --ks-cubin are the input where nothing else is, and that their
 * instructions are shown where no section was chosen. */
void ks_code_source(struct ks_settings *s);
void ks_code_sections(struct ks_app *app, struct ks_settings *s);
/* What stands for a name of ncu: that its row is shown, or why there is none. */
void ks_say_translated(struct ks_app *app, const struct ks_ncu_info *ncu, bool shown);
/* The sections a set has, the independent ones included. */
void ks_choose_set(bool section_on[KS_SECTION_COUNT], enum ks_set set);

#endif
