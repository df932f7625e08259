/* SPDX-License-Identifier: Apache-2.0
 *
 * What one run of the program owns: its streams, its log, its arena and its language. Commands get
 * it and pass the `ctx` inside down to the layers below, which never see the rest.
 */
#ifndef KS_CMD_APP_H
#define KS_CMD_APP_H

#include "base/ctx.h"
#include "base/term.h"
#include "tables/tables.h"

/* What tests replace. */
struct ks_app_world {
	const struct ks_io *io;
	const struct ks_clock *clock;
	const char *(*env)(const char *name);
};

struct ks_app {
	struct ks_ctx ctx;
	struct ks_arena arena;
	struct ks_out out, err; /* standard output: the result; standard error: everything else */
	struct ks_out log_file;
	struct ks_log log;
	struct ks_progress progress;
	struct ks_term term; /* of standard output; probed by ks_app_terminal */
	struct ks_buf page;  /* what standard output holds back for the pager, when `paged` */
	ks_ns started_ns;
	int argc; /* the whole command line, for --plan and what is written beside results */
	char **argv;
	bool ncu_mode;	  /* called as `ncu` */
	bool json_errors; /* the result is JSON: an error is one JSON line on stderr */
	bool log_open;
	bool paged; /* standard output is held back (pager.h) */
};

void ks_app_init(struct ks_app *app, const struct ks_app_world *world);
/* Runs the command line and gives everything back. Returns the exit code. */
int ks_app_main(struct ks_app *app, int argc, char **argv);

/* Looks at standard output: size, colours, UTF-8. */
void ks_app_terminal(struct ks_app *app, enum ks_color_mode mode);
/* Opens --log-file; lines from here on go to both. */
enum ks_status ks_app_log_to(struct ks_app *app, const char *path, int flags, struct ks_err *err);

/* A line for people on stderr. Arguments are C strings that fill {0}, {1}, ...; NULL ends them. */
void ks_app_say(struct ks_app *app, enum ks_log_kind kind, enum ks_text text, ...)
	__attribute__((sentinel));
/* The same text, as a piece of a result, onto standard output. */
void ks_app_print(struct ks_app *app, enum ks_text text, ...) __attribute__((sentinel));
/* One line: what went wrong, where, and the word for its class. */
void ks_app_report_error(struct ks_app *app, const struct ks_err *err);

static inline enum ks_lang ks_app_lang(const struct ks_app *app)
{
	return (enum ks_lang)app->ctx.lang;
}
/* What differs between ncu's number and ours, in one language. */
static inline const char *ks_ncu_caliber(const struct ks_ncu_info *n, enum ks_lang lang)
{
	return lang == KS_LANG_ZH ? n->caliber_zh : n->caliber;
}

/* argc and argv of a command begin with its name. The status becomes the exit code; *err, when it
 * has a text, is printed by the caller. */
typedef enum ks_status ks_command_fn(struct ks_app *app, int argc, char **argv, struct ks_err *err);
ks_command_fn ks_cmd_main;	   /* run.c: no subcommand */
ks_command_fn ks_cmd_config;	   /* cmd_config.c */
ks_command_fn ks_cmd_capabilities; /* cmd_capabilities.c */
ks_command_fn ks_cmd_doctor;	   /* cmd_doctor.c */
ks_command_fn ks_cmd_explain;	   /* cmd_explain.c */
ks_command_fn ks_cmd_find;	   /* cmd_find.c */
ks_command_fn ks_cmd_help;	   /* cmd_help.c */
ks_command_fn ks_cmd_ncu_command;  /* cmd_ncu_command.c */
ks_command_fn ks_cmd_stats;	   /* cmd_stats.c */
ks_command_fn ks_cmd_remedy;	   /* cmd_remedy.c */
ks_command_fn ks_cmd_report;	   /* cmd_report.c */
ks_command_fn ks_cmd_route;	   /* cmd_route.c */
ks_command_fn ks_cmd_show;	   /* cmd_show.c */
ks_command_fn ks_cmd_schema;	   /* cmd_schema.c */
ks_command_fn ks_cmd_completion;   /* cmd_completion.c */

#endif
