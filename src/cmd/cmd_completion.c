/* SPDX-License-Identifier: Apache-2.0
 *
 * `completion SHELL`: the completion script as it was made from the tables. Installs nothing.
 */
#include "base/str.h"
#include "cmd/command.h"
#include "cmd/plan.h"
#include "cmd/suggest.h"
#include "tables/printed.h"

enum ks_status ks_cmd_completion(struct ks_app *app, int argc, char **argv, struct ks_err *err)
{
	struct ks_opts o;

	KS_TRY(ks_command_begin(app, KS_CMD_COMPLETION, &o, argc, argv, err));
	if (o.answered)
		return KS_OK;
	KS_TRY(ks_command_words_given(KS_CMD_COMPLETION, &o, 1, 1, err));
	if (ks_plan_asked(&o))
		return ks_plan_command(app, &o, &(struct ks_plan_ask){ .path = NULL }, err);
	const struct ks_printed *p = ks_printed_find(KS_PRINTED_COMPLETION, o.rest[0]);

	if (p != NULL) {
		ks_out_str(&app->out, p->text);
		return KS_OK;
	}
	const char *near = ks_suggest_printed(KS_PRINTED_COMPLETION, o.rest[0]);

	if (near != NULL)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_GEN_SHELL_NEAR, o.rest[0], near,
				  NULL);
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_GEN_SHELL, o.rest[0], NULL);
}
