/* SPDX-License-Identifier: Apache-2.0
 *
 * `remedy [CODE]`: what a refusal means and what to do; without a code all of them by group. Reads
 * nothing but the tables.
 */
#include "base/str.h"
#include "cmd/command.h"
#include "cmd/plan.h"
#include "render/remedy.h"

static enum ks_status show(struct ks_app *app, const struct ks_opts *o, enum ks_refusal code,
			   struct ks_err *err)
{
	const struct ks_view view = { .term = app->term, .lang = ks_app_lang(app) };

	if (ks_opt_on(o, KS_OPT_JSON)) {
		ks_remedy_json(&app->ctx, code, &app->out);
		return KS_OK;
	}
	return code == KS_REFUSAL_NONE ? ks_remedy_list_text(&app->ctx, &view, &app->out, err)
				       : ks_remedy_text(&app->ctx, code, &view, &app->out, err);
}

enum ks_status ks_cmd_remedy(struct ks_app *app, int argc, char **argv, struct ks_err *err)
{
	enum ks_refusal code = KS_REFUSAL_NONE;
	struct ks_opts o;

	KS_TRY(ks_command_begin(app, KS_CMD_REMEDY, &o, argc, argv, err));
	if (o.answered)
		return KS_OK;
	KS_TRY(ks_command_words_given(KS_CMD_REMEDY, &o, 0, 1, err));
	if (o.n_rest == 1 && !ks_remedy_find(ks_str_c(o.rest[0]), &code)) {
		const char *near = ks_remedy_nearest(ks_str_c(o.rest[0]));

		if (near != NULL)
			return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_REMEDY_NEAR, o.rest[0], near,
					  NULL);
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_REMEDY_UNKNOWN, o.rest[0], NULL);
	}
	if (ks_plan_asked(&o))
		return ks_plan_command(app, &o, &(struct ks_plan_ask){ .path = NULL }, err);
	return show(app, &o, code, err);
}
