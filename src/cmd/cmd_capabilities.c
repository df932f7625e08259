/* SPDX-License-Identifier: Apache-2.0
 *
 * `capabilities`: what this machine can answer (contract 03 §13). Reads the host, asks verdict,
 * hands on to render; starts a program only for --probe.
 */
#include "base/str.h"
#include "cmd/command.h"
#include "cmd/machine.h"
#include "cmd/outputs.h"
#include "cmd/plan.h"
#include "render/capability.h"

/* NULL: standard output */
static const char *file_of(const struct ks_opts *o)
{
	const char *path = ks_opt_text(o, KS_OPT_OUT);

	return path != NULL && strcmp(path, "-") != 0 ? path : NULL;
}

struct job {
	const struct ks_capability_page *page;
	bool json, brief;
};

static enum ks_status fill(struct ks_app *app, void *arg, struct ks_out *out, struct ks_err *err)
{
	const struct job *j = arg;
	const struct ks_view view = { .term = app->term, .lang = ks_app_lang(app) };

	if (j->brief)
		return ks_capability_brief(&app->ctx, j->page, KS_BRIEF_BYTES, out, err);
	if (j->json)
		return ks_capability_json(&app->ctx, j->page, out, err);
	return ks_capability_text(&app->ctx, j->page, &view, out, err);
}

/* A file is JSON unless the line for agents was asked for; standard output then stays empty. */
static enum ks_status to_file(struct ks_app *app, const struct ks_opts *o, struct job *j,
			      struct ks_err *err)
{
	const struct ks_file_job file = {
		.path = file_of(o),
		.flags = ks_opt_on(o, KS_OPT_FORCE_OVERWRITE) ? KS_OUT_FORCE : 0,
		.fill = fill,
		.arg = j,
	};
	uint64_t bytes = 0;

	j->json = true;
	return ks_output_file(app, &file, &bytes, err);
}

static enum ks_status answer(struct ks_app *app, const struct ks_opts *o, struct ks_err *err)
{
	const struct ks_host_ask ask = ks_machine_ask(ks_opt_on(o, KS_OPT_PROBE));
	const struct ks_plan_ask plan = { .host = &ask,
					  .out = file_of(o),
					  .force = ks_opt_on(o, KS_OPT_FORCE_OVERWRITE) };
	struct ks_machine m;

	if (ks_plan_asked(o))
		return ks_plan_command(app, o, &plan, err);
	KS_TRY(ks_machine_read(app, ks_opt_on(o, KS_OPT_PROBE), &m, err));
	const struct ks_capability_page page = { .c = &m.capability,
						 .note = m.note,
						 .driver = m.host->driver,
						 .probed = ks_opt_on(o, KS_OPT_PROBE) };
	struct job j = { .page = &page,
			 .json = ks_opt_on(o, KS_OPT_JSON),
			 .brief = ks_opt_on(o, KS_OPT_BRIEF) };

	if (file_of(o) != NULL)
		return to_file(app, o, &j, err);
	return fill(app, &j, &app->out, err);
}

enum ks_status ks_cmd_capabilities(struct ks_app *app, int argc, char **argv, struct ks_err *err)
{
	struct ks_opts o;

	KS_TRY(ks_command_begin(app, KS_CMD_CAPABILITIES, &o, argc, argv, err));
	if (o.answered)
		return KS_OK;
	KS_TRY(ks_command_words_given(KS_CMD_CAPABILITIES, &o, 0, 0, err));
	return answer(app, &o, err);
}
