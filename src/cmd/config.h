/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of options that were not said on the command line: from the environment, a project's file
 * and the user's file. A key is the name of an option, without a leading "no-"; a flag is yes or
 * no. No key names an input, an output or a program.
 */
#ifndef KS_CMD_CONFIG_H
#define KS_CMD_CONFIG_H

#include "cmd/app.h"
#include "cmd/options.h"

struct ks_setting {
	const char *value; /* "yes" or "no" for a flag, in the sense of the key; NULL: not set */
	const char *where; /* "FILE:LINE" or the name of a variable; NULL for a default */
	enum ks_giver origin;
};

struct ks_config_file {
	const char *path;
	enum ks_giver origin; /* KS_BY_USER, _PROJECT or _FILE */
	bool there;	      /* exists, and is read */
};

/* What is looked at and opened; a plan prints the same. */
struct ks_config_files {
	struct ks_config_file file[2]; /* lowest origin first */
	size_t n;
	const char *foreign; /* a project's file that another user owns: not read; NULL: none */
};

struct ks_configured {
	struct ks_config_files files;
	struct ks_setting set[KS_OPT_COUNT];
};

/* config_find.c: the files for --config NAME (NULL: not given; "none": no file). The user's file is
 * $XDG_CONFIG_HOME/kernoscope/config, else $HOME/.config/kernoscope/config; the project's is
 * .kernoscope in the current folder or the nearest above it, up to a folder with .git or the home.
 * Only looks. */
void ks_config_find(struct ks_app *app, const char *name, struct ks_config_files *files);

/* Reads the files that are there and the environment; with `name` only that file and the
 * environment. Errors: KS_E_INPUT for a file that cannot be read, KS_E_USAGE for what stands in it
 * or in a variable. */
enum ks_status ks_config_load(struct ks_app *app, const char *name, struct ks_configured *c,
			      struct ks_err *err);

/* What follows ks_opts_parse: options that were not given get the configured values, and the names
 * of outputs their macros (names.h). Reads no file for --help and --version. `command` as in
 * ks_opt_spec. */
enum ks_status ks_config_settle(struct ks_app *app, struct ks_opts *o, enum ks_command command,
				struct ks_err *err);

/* The option of a key; KS_OPT_NONE: no such key, and *near the nearest or NULL. */
enum ks_option ks_config_key(ks_str key, const char **near);
/* The default of a key: the row's, "yes" or "no" for a flag; NULL: none. */
const char *ks_config_default(enum ks_option id);
/* Checks a value of a key; *value becomes "yes" or "no" for a flag. `where` stands in the message.
 */
enum ks_status ks_config_check(enum ks_option id, const char **value, const char *where,
			       struct ks_err *err);

/* config_file.c: the text of one file into c->set, and the file itself. */
enum ks_status ks_config_parse(struct ks_app *app, const struct ks_config_file *f, ks_str text,
			       struct ks_configured *c, struct ks_err *err);
enum ks_status ks_config_read(struct ks_app *app, const struct ks_config_file *f,
			      struct ks_configured *c, struct ks_err *err);

/* config_edit.c: sets a key in a file, or takes it out with value NULL. Comments and other lines
 * stay; the file is replaced whole or not at all; folders of the user's file are made. */
struct ks_config_change {
	const char *path;
	bool make_folders;
	enum ks_option id;
	const char *value;
};
enum ks_status ks_config_edit(struct ks_app *app, const struct ks_config_change *change,
			      struct ks_err *err);

/* The same on a text that was parsed without a fault. False: there was nothing to take out. */
bool ks_config_edit_text(struct ks_buf *to, ks_str text, const char *key, const char *value);

/* config_show.c: whether an option has a key in this version; and what `config` prints, all keys or
 * only that of `only` (KS_OPT_NONE: all). `o` are the options of the command itself: --json,
 * --show-origin, and values that its own line gives. */
bool ks_config_is_shown(enum ks_option id);
void ks_config_show(struct ks_app *app, const struct ks_configured *c, const struct ks_opts *o,
		    enum ks_option only);

#endif
