/* SPDX-License-Identifier: Apache-2.0
 *
 * Premises of a decision: what must hold for its number to be used, each reading with its limit.
 * What could not be read never holds.
 */
#include "base/str.h"
#include "verdict/verdict_internal.h"

struct ks_premise_row ks_premise_row(enum ks_premise id, struct ks_value observed,
				     struct ks_value threshold, bool ok)
{
	const struct ks_premise_info *info = ks_premise_info(id);

	return (struct ks_premise_row){
		.id = id,
		.name = ks_str_c(info->id),
		.observed = observed,
		.threshold = threshold,
		.unit = info->unit,
		.ok = ok && observed.kind != KS_V_NONE, /* unreadable is never fine */
	};
}

struct ks_premise_row ks_premise_at_least(enum ks_premise id, const struct ks_ev *ev, double least)
{
	if (!ks_decide_is_number(ev))
		return ks_premise_row(id, KS_VAL_NONE, KS_VAL_REAL(least), false);
	return ks_premise_row(id, ev->value, KS_VAL_REAL(least), ks_decide_real(ev) >= least);
}

struct ks_premise_row ks_premise_told(enum ks_premise id, const struct ks_ev *ev)
{
	return ks_premise_row(id, ev->value, KS_VAL_NONE, true);
}

bool ks_premises_open(struct ks_decide *d, struct ks_premise_row **list)
{
	*list = KS_ARENA_NEWS(d->arena, struct ks_premise_row, KS_PREMISES_MOST);
	return *list != NULL;
}
