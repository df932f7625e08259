/* SPDX-License-Identifier: Apache-2.0
 *
 * `report FILE`: the main command on a recorded file. Options may stand before and after the name.
 */
#include "cmd/run.h"

enum ks_status ks_cmd_report(struct ks_app *app, int argc, char **argv, struct ks_err *err)
{
	return ks_run(app, argc, argv, true, err);
}
