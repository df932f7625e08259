/* SPDX-License-Identifier: Apache-2.0
 *
 * Joins source/host with the two judgements over it. Decides nothing.
 */
#include "cmd/machine.h"

struct ks_host_ask ks_machine_ask(bool probe)
{
	return (struct ks_host_ask){
		.devices = true, .tools = true, .policy = true, .nvbit = true, .probe = probe
	};
}

enum ks_status ks_machine_read(struct ks_app *app, bool probe, struct ks_machine *m,
			       struct ks_err *err)
{
	const struct ks_host_ask ask = ks_machine_ask(probe);
	struct ks_counter_reading reading;

	KS_TRY(ks_host_read(&app->ctx, &ask, &m->host, err));
	ks_counters_reading(m->host, &reading);
	const enum ks_counter_state state = ks_counters_state(&reading);
	const struct ks_means means = ks_capability_means(m->host, state);

	ks_counters_note(m->host, state, &app->arena, &m->note);
	ks_capability_judge(&means, &m->capability);
	return KS_OK;
}
