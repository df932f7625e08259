/* SPDX-License-Identifier: Apache-2.0
 *
 * --plan: the steps of a command line from the values the run itself is made with. Does none of
 * them: it opens no file but to see whether it is there, and starts nothing.
 */
#ifndef KS_CMD_PLAN_H
#define KS_CMD_PLAN_H

#include "cmd/settings.h"
#include "render/plan.h"
#include "source/host.h"

static inline bool ks_plan_asked(const struct ks_opts *o)
{
	return ks_opt_on(o, KS_OPT_PLAN) || ks_opt_on(o, KS_OPT_PLAN_JSON);
}

/* An empty plan for this command line; strings live in app->arena. */
void ks_plan_begin(struct ks_app *app, struct ks_plan *p, int argc, char **argv);
/* One step; KS_PLAN_STEPS are always enough. The step is returned to be filled further. */
struct ks_plan_step *ks_plan_add(struct ks_plan *p, enum ks_operation op, const char *target);
/* The lists of a step. `path` must live as long as the plan. */
void ks_plan_reads(struct ks_app *app, struct ks_plan_step *s, const char *path);
void ks_plan_writes(struct ks_app *app, struct ks_plan_step *s, const char *path);
/* A program with its arguments, as words a shell would read. */
void ks_plan_runs(struct ks_app *app, struct ks_plan_step *s, const char *const *argv);
/* The main command's steps, in the order of contract 01 §9. */
enum ks_status ks_plan_main(struct ks_app *app, const struct ks_settings *s, struct ks_plan *p,
			    struct ks_err *err);
/* What a subcommand does besides printing its result; all zero for one that only prints. */
struct ks_plan_ask {
	enum ks_from from; /* of `path`, a trace or a report; KS_FROM_NONE: no input */
	const char *path;
	const struct ks_host_ask *host; /* NULL: this machine is not looked at */
	const char *out;		/* the file of the result; NULL: standard output */
	enum ks_operation out_op;	/* NONE: KS_OPERATION_WRITE_OUTPUTS */
	bool force;
};
/* Prints the whole plan of a subcommand. */
enum ks_status ks_plan_command(struct ks_app *app, const struct ks_opts *o,
			       const struct ks_plan_ask *ask, struct ks_err *err);
/* As text, or as JSON for --plan-json. */
enum ks_status ks_plan_print(struct ks_app *app, const struct ks_opts *o, const struct ks_plan *p,
			     struct ks_err *err);

#endif
