/* SPDX-License-Identifier: Apache-2.0
 *
 * `help [TOPIC]`. A topic may be an option (`help --set`), so nothing is parsed here.
 */
#include "cmd/help.h"
#include "cmd/pager.h"
#include "cmd/settings.h"

enum ks_status ks_cmd_help(struct ks_app *app, int argc, char **argv, struct ks_err *err)
{
	struct ks_opts none = { .n_rest = 0 };
	const struct ks_help_ask ask = { &none, NULL, argc - 1, argv + 1, true };

	ks_settings_manners(app, &none);
	ks_pager_offer(app, &none, KS_CMD_HELP);
	return ks_help_words(app, &ask, err);
}
