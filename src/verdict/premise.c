/* SPDX-License-Identifier: Apache-2.0
 *
 * Premises of a decision: what must hold for its number to be used. A premise that does not hold
 * takes the number away; the number stays visible as a fact that may not be cited.
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

static const struct ks_refused *failed(struct ks_decide *d, const struct ks_premise_row *p)
{
	enum ks_refusal code = ks_premise_info(p->id)->fails_as;
	struct ks_kv observed = { p->name, p->observed };
	struct ks_kv threshold = { p->name, p->threshold };

	return ks_refused_make(
		d->report->ev,
		&(struct ks_refuse_spec){
			.code = code == KS_REFUSAL_NONE ? KS_REFUSAL_PREMISE_FAILED : code,
			.observed = &observed,
			.n_observed = 1,
			.threshold = &threshold,
			.n_threshold = p->threshold.kind == KS_V_NONE ? 0 : 1,
		});
}

static void keep_uncitable(struct ks_decide *d, struct ks_verdict_row *row)
{
	struct ks_kv *fact = KS_ARENA_NEWS(d->arena, struct ks_kv, row->n_facts + 1);

	if (!fact)
		return;
	if (row->n_facts > 0)
		memcpy(fact, row->fact, row->n_facts * sizeof(*fact));
	fact[row->n_facts] = (struct ks_kv){ KS_LIT("uncitable_value"), row->value };
	row->fact = fact;
	row->n_facts++;
}

void ks_premise_degrade(struct ks_decide *d, struct ks_verdict_row *row)
{
	const struct ks_premise_row *broken = NULL;

	for (size_t i = 0; i < row->n_premises && !broken; i++)
		if (!row->premise[i].ok)
			broken = &row->premise[i];
	row->actionable = row->status != KS_VERDICT_STATUS_REFUSED && !broken;
	if (row->status == KS_VERDICT_STATUS_REFUSED || !broken)
		return;
	row->refused = failed(d, broken);
	row->status = KS_VERDICT_STATUS_REFUSED;
	keep_uncitable(d, row);
	row->value = KS_VAL_NONE;
	row->unit = KS_UNIT_NONE;
	row->prov = KS_PROV_UNAVAILABLE;
	row->next = (struct ks_msg){ .id = KS_TEXT_NONE };
}
