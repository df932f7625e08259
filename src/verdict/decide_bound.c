/* SPDX-License-Identifier: Apache-2.0
 *
 * What binds a kernel: its distance to the roofline, the issue slots it uses, what L2 keeps, which
 * instructions it is made of, and rates that the hardware cannot reach. Each belongs to one kernel
 * and never speaks of another.
 */
#include "base/str.h"
#include "evidence/unit.h"
#include "evidence/value.h"
#include "verdict/verdict_internal.h"

#define NEAR_ROOF_PCT	   90.0
#define ISSUE_POSSIBLE_PCT 102.0 /* contract 06 §9: beyond measurement error of a full pipe */

/* --- over the peak ---------------------------------------------------------------------------- */

static bool is_marked(const struct ks_decide *d, const struct ks_kernel *k)
{
	return ks_decide_real(ks_decide_of(d, k, KS_METRIC_KS_OVER_PEAK_WARNING)) > 0.0;
}

static bool is_unowned(const struct ks_kernel *k)
{
	return !k || k->is_device;
}

/* The kernel with most time whose rate is above the peak; else the device; NULL: none. */
static const struct ks_kernel *marked(const struct ks_decide *d)
{
	const struct ks_report *r = d->report;
	const struct ks_kernel *worst = NULL;

	if (!ks_decide_has_value(ks_decide_ev(d, KS_METRIC_KS_OVER_PEAK_WARNING)))
		return NULL;
	for (size_t i = 0; i < r->n_kernels; i++) {
		const struct ks_kernel *k = &r->kernel[i];

		if (!is_marked(d, k))
			continue;
		if (!worst || (worst->is_device && !k->is_device) ||
		    (k->total_ns > worst->total_ns && !k->is_device))
			worst = k;
	}
	return worst;
}

/* A mark that nobody owns, or a roofline that nobody owns, counts against each other. */
bool ks_decide_is_over_peak(const struct ks_decide *d, const struct ks_kernel *k)
{
	const struct ks_report *r = d->report;
	bool any = false;

	if (is_marked(d, k))
		return true;
	for (size_t i = 0; i < r->n_kernels; i++)
		any = any ||
		      ((r->kernel[i].is_device || is_unowned(k)) && is_marked(d, &r->kernel[i]));
	return any;
}

void ks_decide_over_peak(struct ks_decide *d)
{
	const struct ks_kernel *k = marked(d);
	struct ks_premise_row *p;
	struct ks_facts f;

	if (!k)
		return;
	const struct ks_ev *ev = ks_decide_of(d, k, KS_METRIC_KS_OVER_PEAK_WARNING);
	struct ks_verdict_row *row =
		ks_decide_add(d, KS_VERDICT_OVER_PEAK, KS_VERDICT_STATUS_REFUSED);

	ks_decide_rests_on(d, row, &ev, 1);
	row->refused = ks_refused_make(
		d->report->ev,
		&(struct ks_refuse_spec){ .code = KS_REFUSAL_CALIBRATION_CALIBER_MISMATCH,
					  .message = { .id = KS_TEXT_DC_WHY_OVER_PEAK } });
	if (!ks_facts_open(&f, d->arena) || !ks_premises_open(d, &p))
		return;
	ks_facts_add(&f, "kernel", KS_VAL_TEXT(k->is_device ? KS_LIT("(device)") : k->name));
	ks_decide_facts(row, &f);
	p[0] = ks_premise_row(KS_PREMISE_OVER_PEAK, KS_VAL_INT(1), KS_VAL_NONE, false);
	row->premise = p;
	row->n_premises = 1;
}

/* --- roofline --------------------------------------------------------------------------------- */

static enum ks_text roofline_hint(const struct ks_ev *efficiency, const struct ks_ev *bound)
{
	if (ks_decide_real(efficiency) >= NEAR_ROOF_PCT)
		return KS_TEXT_DC_NEXT_ROOF_NEAR;
	if (!ks_decide_has_value(bound) || bound->value.kind != KS_V_TEXT)
		return KS_TEXT_DC_NEXT_ROOF_UNKNOWN;
	return ks_str_eqc(bound->value.s, "memory") ? KS_TEXT_DC_NEXT_ROOF_MEMORY
						    : KS_TEXT_DC_NEXT_ROOF_COMPUTE;
}

static void dtype_premise(struct ks_decide *d, struct ks_verdict_row *row,
			  const struct ks_kernel *owner)
{
	const struct ks_ev *warning =
		ks_decide_of(d, owner, KS_METRIC_KS_DTYPE_PEAK_EXCEEDED_WARNING);
	struct ks_premise_row *p;

	if (!(ks_decide_real(warning) > 0.0) || !ks_premises_open(d, &p))
		return;
	p[0] = ks_premise_row(KS_PREMISE_DTYPE_PEAK_EXCEEDED, KS_VAL_INT(1), KS_VAL_NONE, false);
	row->premise = p;
	row->n_premises = 1;
}

void ks_decide_roofline(struct ks_decide *d)
{
	struct ks_found at = ks_decide_find(d, KS_METRIC_EST_ROOFLINE_EFFICIENCY_PCT);
	struct ks_facts f;

	if (!ks_decide_has_value(at.ev))
		at = ks_decide_find(d, KS_METRIC_EST_BOUND);
	if (!ks_decide_has_value(at.ev))
		return;
	const struct ks_ev *ev[] = {
		ks_decide_of(d, at.owner, KS_METRIC_EST_BOUND),
		ks_decide_of(d, at.owner, KS_METRIC_EST_ROOFLINE_EFFICIENCY_PCT),
		ks_decide_of(d, at.owner, KS_METRIC_EST_ACHIEVED_GBS),
	};
	struct ks_verdict_row *row = ks_decide_add(d, KS_VERDICT_ROOFLINE, KS_VERDICT_STATUS_SOFT);

	d->roofline_of = at.owner;
	ks_decide_rests_on(d, row, ev, KS_ARRAY_LEN(ev));
	row->prov = KS_PROV_ESTIMATED;
	if (ks_decide_is_number(ev[1])) {
		row->value = ev[1]->value;
		row->unit = KS_UNIT_PCT;
	}
	row->next.id = roofline_hint(ev[1], ev[0]);
	dtype_premise(d, row, at.owner);
	if (!ks_facts_open(&f, d->arena))
		return;
	ks_facts_add(&f, "kernel", KS_VAL_TEXT(at.owner->name));
	ks_facts_add_row(&f, "bound", ev[0]);
	ks_facts_add_row(&f, "efficiency_pct", ev[1]);
	ks_facts_add_row(&f, "gbs", ev[2]);
	ks_decide_facts(row, &f);
}

/* --- issue slots ------------------------------------------------------------------------------ */

static const struct ks_refused *more_than_all(struct ks_decide *d, const struct ks_ev *util)
{
	const struct ks_kv observed = { KS_LIT("util_pct"), util->value };
	const struct ks_kv threshold = { KS_LIT("util_pct"), KS_VAL_REAL(ISSUE_POSSIBLE_PCT) };

	return ks_refused_make(d->report->ev, &(struct ks_refuse_spec){
						      .code = KS_REFUSAL_PREMISE_FAILED,
						      .message = { .id = KS_TEXT_DC_WHY_ISSUE },
						      .observed = &observed,
						      .n_observed = 1,
						      .threshold = &threshold,
						      .n_threshold = 1,
						      .action = { .id = KS_TEXT_DC_DO_ISSUE },
					      });
}

static enum ks_text issue_hint(const struct ks_ev *direction)
{
	if (!ks_decide_has_value(direction) || direction->value.kind != KS_V_TEXT)
		return KS_TEXT_NONE;
	/* the original says "latency-bound", "issue-bound" */
	if (ks_str_starts(direction->value.s, "latency"))
		return KS_TEXT_DC_NEXT_ISSUE_LATENCY;
	if (ks_str_starts(direction->value.s, "memory"))
		return KS_TEXT_DC_NEXT_ROOF_MEMORY;
	if (ks_str_starts(direction->value.s, "issue"))
		return KS_TEXT_DC_NEXT_ISSUE_SLOTS;
	return KS_TEXT_NONE;
}

void ks_decide_issue_slot(struct ks_decide *d)
{
	struct ks_found at = ks_decide_find(d, KS_METRIC_EST_ISSUE_SLOT_UTILIZATION_PCT);
	struct ks_facts f;

	if (!ks_decide_has_value(at.ev))
		at = ks_decide_find(d, KS_METRIC_EST_STALL_DIRECTION);
	if (!ks_decide_has_value(at.ev))
		return;
	const struct ks_ev *ev[] = {
		ks_decide_of(d, at.owner, KS_METRIC_EST_ISSUE_SLOT_UTILIZATION_PCT),
		ks_decide_of(d, at.owner, KS_METRIC_EST_STALL_DIRECTION),
	};
	struct ks_verdict_row *row =
		ks_decide_add(d, KS_VERDICT_ISSUE_SLOT, KS_VERDICT_STATUS_SOFT);

	ks_decide_rests_on(d, row, ev, KS_ARRAY_LEN(ev));
	row->prov = KS_PROV_ESTIMATED;
	if (ks_decide_is_number(ev[0])) {
		row->value = ev[0]->value;
		row->unit = KS_UNIT_PCT;
	}
	if (ks_decide_real(ev[0]) > ISSUE_POSSIBLE_PCT) {
		ks_decide_withdraw(d, row, more_than_all(d, ev[0]));
		return;
	}
	row->next.id = issue_hint(ev[1]);
	if (!ks_facts_open(&f, d->arena))
		return;
	ks_facts_add_row(&f, "util_pct", ev[0]);
	ks_facts_add_row(&f, "direction", ev[1]);
	ks_decide_facts(row, &f);
}

/* --- L2 and the instruction mix --------------------------------------------------------------- */

static const struct ks_ev *working_set(const struct ks_decide *d, const struct ks_kernel *owner)
{
	const struct ks_ev *whole = ks_decide_of(d, owner, KS_METRIC_MEAS_TRACE_WORKING_SET_MB);

	return ks_decide_is_number(whole)
		       ? whole
		       : ks_decide_of(d, owner, KS_METRIC_EST_TRACE_WORKING_SET_MB);
}

void ks_decide_l2(struct ks_decide *d)
{
	const struct ks_found at = ks_decide_find(d, KS_METRIC_EST_L2_HIT_RATE_L2ONLY_PCT);
	struct ks_facts f;

	if (!ks_decide_is_number(at.ev) || !ks_facts_open(&f, d->arena))
		return;
	const struct ks_ev *ev[] = { at.ev, working_set(d, at.owner) };
	struct ks_verdict_row *row =
		ks_decide_add(d, KS_VERDICT_L2_LOCALITY, KS_VERDICT_STATUS_SOFT);

	ks_decide_rests_on(d, row, ev, KS_ARRAY_LEN(ev));
	ks_decide_value(row, at.ev);
	row->next.id = KS_TEXT_DC_NEXT_L2;
	ks_facts_add(&f, "hit_pct", at.ev->value);
	double mib = ks_decide_real(ev[1]);

	if (ks_decide_is_number(ev[1]) && ks_unit_convert(ev[1]->unit, KS_UNIT_MIB, &mib))
		ks_facts_add(&f, "working_set_mib", KS_VAL_REAL(mib));
	ks_decide_facts(row, &f);
}

void ks_decide_static_mix(struct ks_decide *d)
{
	static const struct {
		const char *key;
		enum ks_metric metric;
	} part[] = {
		{ "tensor", KS_METRIC_KS_STATIC_SASS_SHARE_TENSOR },
		{ "fp", KS_METRIC_KS_STATIC_SASS_SHARE_FP },
		{ "alu", KS_METRIC_KS_STATIC_SASS_SHARE_ALU },
		{ "memory", KS_METRIC_KS_STATIC_SASS_SHARE_MEMORY },
		{ "sync", KS_METRIC_KS_STATIC_SASS_SHARE_SYNC },
		{ "control", KS_METRIC_KS_STATIC_SASS_SHARE_CONTROL },
		{ "other", KS_METRIC_KS_STATIC_SASS_SHARE_OTHER },
	};
	const struct ks_found at = ks_decide_find(d, KS_METRIC_KS_STATIC_SASS_INSTRUCTIONS);
	struct ks_facts f, mix;

	if (!ks_decide_is_number(at.ev) || !ks_facts_open(&f, d->arena) ||
	    !ks_facts_open(&mix, d->arena))
		return;
	for (size_t i = 0; i < KS_ARRAY_LEN(part); i++)
		ks_facts_add_row(&mix, part[i].key, ks_decide_of(d, at.owner, part[i].metric));
	struct ks_verdict_row *row = ks_decide_add(d, KS_VERDICT_STATIC_MIX, KS_VERDICT_STATUS_OK);

	ks_decide_rests_on(d, row, &at.ev, 1);
	ks_decide_value(row, at.ev);
	row->next.id = KS_TEXT_DC_NEXT_MIX;
	ks_facts_add(&f, "total", at.ev->value);
	ks_facts_add(&f, "mix",
		     (struct ks_value){ .kind = KS_V_OBJECT, .field = mix.kv, .n = mix.n });
	ks_decide_facts(row, &f);
}
