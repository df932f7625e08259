/* SPDX-License-Identifier: Apache-2.0
 *
 * DRAM bytes: of the window, of a launch, from an access trace; and against the user's ledger. All
 * are estimates. Where the run was not sampled or traced at all there is no decision: the groups of
 * what was not measured say so once.
 */
#include "base/str.h"
#include "evidence/unit.h"
#include "evidence/value.h"
#include "verdict/verdict_internal.h"

/* Contract 02 §5. */
#define COVERAGE_TOTAL_LEAST  50.0
#define COVERAGE_LAUNCH_LEAST 80.0
#define SHARE_LEAST	      95.0

/* A refusal that says the input was never there. */
static bool was_tried(const struct ks_ev *ev)
{
	return ev && (!ev->refused || (ev->refused->code != KS_REFUSAL_NO_NVML_SAMPLES &&
				       ev->refused->code != KS_REFUSAL_NO_MEMTRACE));
}

/* The value in bytes and the fact in MB, or the row's refusal. False: refused. */
static bool bytes(struct ks_verdict_row *row, const struct ks_ev *ev, struct ks_facts *f)
{
	double b = ks_decide_real(ev), mb = b;

	if (ev->refused) {
		ks_decide_refuse(row, ev->refused);
		return false;
	}
	if (!ks_unit_convert(ev->unit, KS_UNIT_B, &b) ||
	    !ks_unit_convert(ev->unit, KS_UNIT_MB, &mb))
		return false;
	row->value = KS_VAL_REAL(b);
	row->unit = KS_UNIT_B;
	row->prov = ev->prov;
	ks_facts_add(f, "mb", KS_VAL_REAL(mb));
	return true;
}

static void total(struct ks_decide *d)
{
	const struct ks_ev *ev[] = {
		ks_decide_ev(d, KS_METRIC_EST_DRAM_BYTES_TOTAL),
		ks_decide_ev(d, KS_METRIC_KS_SAMPLER_WINDOW_COVERAGE_PCT),
		ks_decide_ev(d, KS_METRIC_KS_DRAM_WINDOW_MEM_BUSY_MEAN_PCT),
	};
	struct ks_premise_row *p;
	struct ks_facts f;

	if (!was_tried(ev[0]))
		return;
	struct ks_verdict_row *row =
		ks_decide_add(d, KS_VERDICT_DRAM_BYTES, KS_VERDICT_STATUS_SOFT);

	ks_decide_rests_on(d, row, ev, KS_ARRAY_LEN(ev));
	if (!ks_facts_open(&f, d->arena) || !ks_premises_open(d, &p))
		return;
	p[row->n_premises++] =
		ks_premise_at_least(KS_PREMISE_WINDOW_COVERAGE_PCT, ev[1], COVERAGE_TOTAL_LEAST);
	if (ks_decide_is_number(ev[2]))
		p[row->n_premises++] = ks_premise_told(KS_PREMISE_WINDOW_MEM_BUSY_PCT, ev[2]);
	row->premise = p;
	if (!bytes(row, ev[0], &f))
		return;
	ks_decide_facts(row, &f);
	row->next.id = KS_TEXT_DC_NEXT_DRAM;
}

static void per_launch(struct ks_decide *d)
{
	const struct ks_ev *ev[] = {
		ks_decide_ev(d, KS_METRIC_EST_DRAM_BYTES_PER_LAUNCH),
		ks_decide_ev(d, KS_METRIC_KS_SAMPLER_WINDOW_COVERAGE_PCT),
		ks_decide_ev(d, KS_METRIC_KS_MATCHED_KERNEL_KERNEL_SHARE_PCT),
	};
	const struct ks_ev *bias = ks_decide_ev(d, KS_METRIC_KS_ATTRIBUTION_BIAS_ESTIMATE_PCT);
	struct ks_premise_row *p;
	struct ks_facts f;

	if (!was_tried(ev[0]))
		return;
	struct ks_verdict_row *row =
		ks_decide_add(d, KS_VERDICT_DRAM_BYTES_PER_LAUNCH, KS_VERDICT_STATUS_SOFT);

	ks_decide_rests_on(d, row, ev, KS_ARRAY_LEN(ev));
	if (!ks_facts_open(&f, d->arena) || !ks_premises_open(d, &p))
		return;
	p[row->n_premises++] =
		ks_premise_at_least(KS_PREMISE_WINDOW_COVERAGE_PCT, ev[1], COVERAGE_LAUNCH_LEAST);
	p[row->n_premises++] =
		ks_premise_at_least(KS_PREMISE_MATCHED_KERNEL_KERNEL_SHARE_PCT, ev[2], SHARE_LEAST);
	row->premise = p;
	if (!bytes(row, ev[0], &f))
		return;
	if (ks_decide_real(bias) > 0.0)
		ks_facts_add(&f, "bias_pct", bias->value);
	ks_decide_facts(row, &f);
	row->next.id = KS_TEXT_DC_NEXT_DRAM_LAUNCH;
}

static void traced(struct ks_decide *d)
{
	const struct ks_found ev = ks_decide_find(d, KS_METRIC_EST_DRAM_BYTES_PER_LAUNCH_TRACE);
	struct ks_premise_row *p;
	struct ks_facts f;

	if (!was_tried(ev.ev))
		return;
	const struct ks_ev *ratio = ks_decide_of(d, ev.owner, KS_METRIC_KS_DRAM_TRACE_VS_NVML_PCT);
	struct ks_verdict_row *row =
		ks_decide_add(d, KS_VERDICT_DRAM_BYTES_TRACE, KS_VERDICT_STATUS_SOFT);

	ks_decide_rests_on(d, row, &ev.ev, 1);
	if (!ks_facts_open(&f, d->arena) || !ks_premises_open(d, &p))
		return;
	if (ks_decide_is_number(ratio))
		p[row->n_premises++] = ks_premise_told(KS_PREMISE_TRACE_VS_NVML_PCT, ratio);
	row->premise = p;
	if (!bytes(row, ev.ev, &f))
		return;
	ks_decide_facts(row, &f);
	row->next.id = KS_TEXT_DC_NEXT_DRAM_TRACE;
}

void ks_decide_dram(struct ks_decide *d)
{
	total(d);
	per_launch(d);
	traced(d);
}

void ks_decide_ledger(struct ks_decide *d)
{
	const struct ks_ev *err = ks_decide_ev(d, KS_METRIC_EST_DRAM_VS_LEDGER_ERR_PCT);
	const struct ks_ev *side = ks_decide_ev(d, KS_METRIC_KS_LEDGER_RANGE_VERDICT);
	const struct ks_ev *used = ks_decide_has_value(err) ? err : side;
	struct ks_facts f;

	if (!ks_decide_has_value(used)) {
		/* a ledger that was given and could not be compared is worth a word */
		used = err ? err : side;
		if (!used || !used->refused || d->report->ledger_basis.n == 0)
			return;
	}
	struct ks_verdict_row *row =
		ks_decide_add(d, KS_VERDICT_LEDGER_VERDICT, KS_VERDICT_STATUS_SOFT);

	ks_decide_rests_on(d, row, &used, 1);
	if (used->refused) {
		ks_decide_refuse(row, used->refused);
		return;
	}
	if (!ks_facts_open(&f, d->arena))
		return;
	row->prov = KS_PROV_DERIVED; /* contract 02 §6: a comparison, not a reading */
	row->next.id = KS_TEXT_DC_NEXT_LEDGER;
	if (used == err) {
		row->value = err->value;
		row->unit = KS_UNIT_PCT;
	}
	ks_facts_add(&f, used == err ? "err_pct" : "position", used->value);
	ks_decide_facts(row, &f);
}
