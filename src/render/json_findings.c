/* SPDX-License-Identifier: Apache-2.0
 *
 * "findings": every rule of tables/rules.def and of --ks-rule, those that were found first. Absent
 * where nobody looked.
 */
#include "render/json.h"
#include "verdict/findings.h"

static void own(struct ks_json *j, const struct ks_finding_row *f)
{
	ks_jsonw_kv_str(&j->w, "metric", f->metric);
	ks_jsonw_kv_double(&j->w, "threshold", f->threshold);
	ks_jsonw_kv_cstr(&j->w, "when", f->above ? "above" : "below");
	if (f->state == KS_FINDING_FOUND || f->state == KS_FINDING_BELOW) {
		ks_jsonw_kv_double(&j->w, "value", f->value);
		ks_jsonw_kv_cstr(&j->w, "unit", ks_unit_info(f->unit)->symbol);
	}
}

static void known(struct ks_json *j, const struct ks_finding_row *f)
{
	const struct ks_rule_info *info = ks_rule_info(f->rule);

	ks_jsonw_kv_double(&j->w, "threshold_pct", f->least_pct);
	if (f->state == KS_FINDING_FOUND || f->state == KS_FINDING_BELOW) {
		ks_json_known(j, "device", f->device);
		ks_jsonw_kv_double(&j->w, "time_ms", f->ms);
		ks_jsonw_kv_double(&j->w, "share_pct", f->share_pct);
		ks_jsonw_key(&j->w, "count");
		ks_jsonw_u64(&j->w, f->count);
		ks_jsonw_key(&j->w, "bound_ms");
		if (f->bounded)
			ks_jsonw_double(&j->w, f->ms);
		else
			ks_jsonw_null(&j->w);
		if (!f->bounded)
			ks_jsonw_kv_cstr(&j->w, "no_bound", ks_refusal_info(f->no_bound)->slug);
	}
	ks_jsonw_kv_cstr(&j->w, "title", info->title[j->lang]);
	ks_jsonw_kv_cstr(&j->w, "remedy", info->remedy[j->lang]);
}

static void finding(struct ks_json *j, const struct ks_finding_row *f)
{
	ks_jsonw_obj(&j->w);
	ks_jsonw_kv_str(&j->w, "rule", f->slug);
	ks_jsonw_kv_cstr(&j->w, "state", ks_finding_state_name(f->state));
	if (f->rule == KS_RULE_NONE)
		own(j, f);
	else
		known(j, f);
	if (f->kernel.n > 0)
		ks_jsonw_kv_str(&j->w, "kernel", f->kernel);
	if (f->detail.n > 0)
		ks_jsonw_kv_str(&j->w, "detail", f->detail);
	if (f->state == KS_FINDING_REFUSED)
		ks_jsonw_kv_str(&j->w, "refusal", ks_refused_slug(f->refused));
	ks_jsonw_obj_end(&j->w);
}

void ks_json_findings(struct ks_json *j)
{
	const struct ks_findings *f = j->r->verdicts ? j->r->verdicts->findings : NULL;

	if (!f)
		return;
	ks_jsonw_key(&j->w, "findings");
	ks_jsonw_arr(&j->w);
	for (size_t i = 0; i < f->n; i++)
		finding(j, &f->row[i]);
	ks_jsonw_arr_end(&j->w);
}
