/* SPDX-License-Identifier: Apache-2.0
 *
 * `doctor`: reads this machine, judges it and shows the diagnosis. Exit code 0 whenever there is
 * one, whatever it says.
 */
#include "cmd/command.h"
#include "cmd/plan.h"
#include "render/doctor.h"
#include "source/host.h"
#include "verdict/diagnosis.h"

static enum ks_status diagnose(struct ks_app *app, const struct ks_opts *o, struct ks_err *err)
{
	const struct ks_host_ask ask = {
		.devices = true,
		.sm_count = true,
		.tools = true,
		.policy = true,
		.libraries = true,
		.nvbit = true,
		.probe = !ks_opt_on(o, KS_OPT_NO_PROBE),
	};
	const struct ks_view view = { .term = app->term, .lang = ks_app_lang(app) };
	const struct ks_diagnosis *d;
	struct ks_host *host;

	if (ks_plan_asked(o))
		return ks_plan_command(app, o, &(struct ks_plan_ask){ .host = &ask }, err);
	KS_TRY(ks_host_read(&app->ctx, &ask, &host, err));
	KS_TRY(ks_diagnose(&app->ctx, host, &d, err));
	if (ks_opt_on(o, KS_OPT_JSON))
		return ks_doctor_json(&app->ctx, d, &app->out, err);
	return ks_doctor_text(&app->ctx, d, &view, &app->out, err);
}

enum ks_status ks_cmd_doctor(struct ks_app *app, int argc, char **argv, struct ks_err *err)
{
	struct ks_opts o;

	KS_TRY(ks_command_begin(app, KS_CMD_DOCTOR, &o, argc, argv, err));
	if (o.answered)
		return KS_OK;
	KS_TRY(ks_command_words_given(KS_CMD_DOCTOR, &o, 0, 0, err));
	return diagnose(app, &o, err);
}
