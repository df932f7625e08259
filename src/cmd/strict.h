/* SPDX-License-Identifier: Apache-2.0
 *
 * --strict: what a CI job must not overlook, as errors (contract 01 §8).
 */
#ifndef KS_CMD_STRICT_H
#define KS_CMD_STRICT_H

#include "cmd/settings.h"

/* Prints one `error(strict): ` line per violation. KS_E_STRICT with a closing text when there is
 * one, KS_OK otherwise. `report` is NULL for a packet: rules about rows then do not apply. */
enum ks_status ks_strict_check(struct ks_app *app, const struct ks_settings *s,
			       const struct ks_report *report, struct ks_err *err);

#endif
