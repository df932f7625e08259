/* SPDX-License-Identifier: Apache-2.0
 *
 * `help [TOPIC]`.
 */
#include "cmd/help.h"
#include "cmd/settings.h"

enum ks_status ks_cmd_help(struct ks_app *app, int argc, char **argv, struct ks_err *err)
{
	static const enum ks_option known[] = { KS_OPT_LANG, KS_OPT_COLOR, KS_OPT_HELP };
	const struct ks_opt_spec spec = { known, KS_ARRAY_LEN(known), true };
	struct ks_opts o;
	int words = argc;

	/* a topic may be an option: `help --set`; only --lang and --color before it are ours */
	if (argc == 2 && argv[1][0] == '-' && argv[1][1] != '\0')
		words = 1;
	const enum ks_status parsed = ks_opts_parse(&o, &app->arena, &spec, words, argv, err);

	ks_settings_manners(app, &o);
	KS_TRY(parsed);
	if (words < argc)
		return ks_help_topic(app, argv[1], err);
	if (o.n_rest > 1)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_ONE_TOPIC, NULL);
	return ks_help_topic(app, o.n_rest > 0 ? o.rest[0] : NULL, err);
}
