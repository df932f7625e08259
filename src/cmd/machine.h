/* SPDX-License-Identifier: Apache-2.0
 *
 * This machine as `capabilities` and `route` see it: read once, judged once. What is opened and run
 * is source/host.h's list, by the parts asked for here.
 */
#ifndef KS_CMD_MACHINE_H
#define KS_CMD_MACHINE_H

#include "cmd/app.h"
#include "source/host.h"
#include "verdict/capability.h"
#include "verdict/counters.h"

struct ks_machine {
	struct ks_host *host;
	struct ks_counter_note note;
	struct ks_capability capability;
};

/* The parts of the host that are read; the probe starts ncu when it is there. For --plan too. */
struct ks_host_ask ks_machine_ask(bool probe);
enum ks_status ks_machine_read(struct ks_app *app, bool probe, struct ks_machine *m,
			       struct ks_err *err);

#endif
