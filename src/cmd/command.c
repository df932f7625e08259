/* SPDX-License-Identifier: Apache-2.0
 *
 * The common beginning of the subcommands. Decides nothing a command means.
 */
#include "cmd/command.h"

#include "base/str.h"
#include "cmd/config.h"
#include "cmd/help.h"
#include "cmd/pager.h"
#include "cmd/redaction.h"
#include "cmd/settings.h"

enum ks_status ks_command_begin(struct ks_app *app, enum ks_command command, struct ks_opts *o,
				int argc, char **argv, struct ks_err *err)
{
	const struct ks_opt_spec spec = { command, true };
	const enum ks_status parsed = ks_opts_parse(o, &app->arena, &spec, argc, argv, err);

	const enum ks_status settled = ks_config_settle(app, o, command, err);

	const bool hides = ks_redaction_settle(app, o, false);

	ks_settings_manners(app, o);
	ks_pager_offer(app, o, command);
	app->json_errors = app->json_errors || ks_opt_on(o, KS_OPT_JSON);
	KS_TRY(parsed);
	KS_TRY(settled);
	if (!hides)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
	if (!ks_opt_on(o, KS_OPT_HELP))
		return KS_OK;
	o->answered = true;
	return ks_help_words(app,
			     &(struct ks_help_ask){ o, ks_command_info(command)->name, o->n_rest,
						    o->rest, false },
			     err);
}

enum ks_status ks_command_words_given(enum ks_command command, const struct ks_opts *o, int least,
				      int most, struct ks_err *err)
{
	if (o->n_rest >= least && o->n_rest <= most)
		return KS_OK;
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_WORDS, ks_command_info(command)->usage,
			  NULL);
}
