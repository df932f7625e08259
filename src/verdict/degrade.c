/* SPDX-License-Identifier: Apache-2.0
 *
 * What follows from premises that do not hold (contract 02 §6, rules 1 to 3), and the bands of a
 * selftest. A premise that does not hold takes the number away; the number stays visible as a fact
 * that may not be cited.
 */
#include "base/str.h"
#include "verdict/verdict_internal.h"

/* A reading of the environment that could not be taken says nothing about other processes or
 * clocks: the code must not either. */
static enum ks_refusal code_of(const struct ks_premise_row *p)
{
	const enum ks_refusal code = ks_premise_info(p->id)->fails_as;
	const bool environment = p->id == KS_PREMISE_ENV_GPU_EXCLUSIVE ||
				 p->id == KS_PREMISE_ENV_GPU_BUSY_PCT ||
				 p->id == KS_PREMISE_ENV_NO_THROTTLE_PCT;

	if (environment && p->observed.kind == KS_V_NONE)
		return KS_REFUSAL_ENV_READING_UNKNOWN;
	return code == KS_REFUSAL_NONE ? KS_REFUSAL_PREMISE_FAILED : code;
}

static const struct ks_refused *failed(struct ks_decide *d, const struct ks_premise_row *p)
{
	struct ks_kv observed = { p->name, p->observed };
	struct ks_kv threshold = { p->name, p->threshold };

	return ks_refused_make(d->report->ev,
			       &(struct ks_refuse_spec){
				       .code = code_of(p),
				       .observed = &observed,
				       .n_observed = 1,
				       .threshold = &threshold,
				       .n_threshold = p->threshold.kind == KS_V_NONE ? 0 : 1,
			       });
}

void ks_premise_degrade(struct ks_decide *d, struct ks_verdict_row *row)
{
	const struct ks_premise_row *broken = NULL;

	for (size_t i = 0; i < row->n_premises && !broken; i++)
		if (!row->premise[i].ok)
			broken = &row->premise[i];
	row->actionable = row->status != KS_VERDICT_STATUS_REFUSED && !broken;
	if (row->status != KS_VERDICT_STATUS_REFUSED && broken)
		ks_decide_withdraw(d, row, failed(d, broken));
}

static struct ks_verdict_row *row_of(struct ks_decide *d, enum ks_verdict id)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->row[i].id == id)
			return &d->row[i];
	return NULL;
}

static bool is_refused(const struct ks_verdict_row *row)
{
	return row && row->status == KS_VERDICT_STATUS_REFUSED;
}

static const struct ks_refused *because(struct ks_decide *d, enum ks_refusal code,
					enum ks_text message)
{
	return ks_refused_make(d->report->ev, &(struct ks_refuse_spec){
						      .code = code, .message = { .id = message } });
}

/* Rule 2: a peak that was exceeded is no peak, so neither is what was measured against it. */
static void over_peak(struct ks_decide *d)
{
	struct ks_verdict_row *saving = row_of(d, KS_VERDICT_SAVING_ESTIMATE);
	struct ks_verdict_row *roofline = row_of(d, KS_VERDICT_ROOFLINE);

	if (!row_of(d, KS_VERDICT_OVER_PEAK))
		return;
	if (saving && !is_refused(saving))
		ks_decide_withdraw(d, saving,
				   because(d, KS_REFUSAL_CALIBRATION_CALIBER_MISMATCH,
					   KS_TEXT_DC_WHY_OVER_PEAK_SAVING));
	if (roofline && !is_refused(roofline) && ks_decide_is_over_peak(d, d->roofline_of))
		ks_decide_withdraw(d, roofline,
				   because(d, KS_REFUSAL_CALIBRATION_CALIBER_MISMATCH,
					   KS_TEXT_DC_WHY_OVER_PEAK_ROOFLINE));
}

/* A side of a range has no number: the word itself is what may not be cited. */
static void withdraw_position(struct ks_decide *d, struct ks_verdict_row *ledger,
			      const struct ks_refused *why)
{
	if (ledger->value.kind == KS_V_NONE && ledger->n_facts == 1) {
		ledger->value = ledger->fact[0].value;
		ledger->n_facts = 0;
	}
	ks_decide_withdraw(d, ledger, why);
}

/* Why there are no bytes of a launch: of the decision, or of its row where nothing was sampled and
 * no decision was made. NULL: there are. */
static const struct ks_refused *launch_refused(struct ks_decide *d)
{
	const struct ks_verdict_row *launch = row_of(d, KS_VERDICT_DRAM_BYTES_PER_LAUNCH);
	const struct ks_ev *ev = ks_decide_ev(d, KS_METRIC_EST_DRAM_BYTES_PER_LAUNCH);

	if (launch)
		return is_refused(launch) ? launch->refused : NULL;
	return ev ? ev->refused : NULL;
}

/* Rule 3: a ledger that was compared with the bytes of a launch falls with them. A range is always
 * compared so. */
static void ledger(struct ks_decide *d)
{
	const ks_str basis = d->report->ledger_basis;
	const struct ks_refused *why = launch_refused(d);
	struct ks_verdict_row *row = row_of(d, KS_VERDICT_LEDGER_VERDICT);

	if (!why || !row || is_refused(row))
		return;
	if (row->value.kind != KS_V_NONE && basis.n > 0 && !ks_str_eqc(basis, "auto") &&
	    !ks_str_starts(basis, "per-launch"))
		return;
	withdraw_position(d, row, because(d, why->code, KS_TEXT_DC_WHY_LEDGER));
}

void ks_decide_degrade(struct ks_decide *d)
{
	for (size_t i = 0; i < d->n; i++)
		ks_premise_degrade(d, &d->row[i]);
	over_peak(d);
	ledger(d);
	for (size_t i = 0; i < d->n; i++)
		d->row[i].actionable = d->row[i].actionable && !is_refused(&d->row[i]);
}

/* The driver's tables and PyTorch name one card with and without its maker. */
static ks_str card(ks_str name)
{
	static const char maker[] = "NVIDIA ";

	name = ks_str_trim(name);
	if (ks_str_starts(name, maker)) {
		name.p += strlen(maker);
		name.n -= strlen(maker);
	}
	return name;
}

const struct ks_selfcheck *ks_selfcheck_of(const struct ks_report *r)
{
	const struct ks_selfcheck *s = r->carried ? r->carried->selfcheck : NULL;

	for (size_t i = 0; s && s->gpu.n > 0 && i < r->n_gpus; i++)
		if (r->gpu[i].used && r->gpu[i].name.n > 0 &&
		    !ks_str_eq(card(r->gpu[i].name), card(s->gpu)))
			return NULL;
	return s;
}

void ks_decide_bands(struct ks_decide *d)
{
	const struct ks_selfcheck *s = ks_selfcheck_of(d->report);

	for (size_t i = 0; s && i < d->n; i++) {
		struct ks_verdict_row *row = &d->row[i];

		if (row->id == KS_VERDICT_KERNEL_TIME || row->id == KS_VERDICT_OCCUPANCY) {
			row->mdd = s->kernel_time_mdd_pct;
		} else if (row->id == KS_VERDICT_DRAM_BYTES ||
			   row->id == KS_VERDICT_DRAM_BYTES_PER_LAUNCH ||
			   row->id == KS_VERDICT_DRAM_BYTES_TRACE) {
			row->mdd = s->dram_mdd_pct;
			row->band = s->dram_band;
			row->n_band = s->n_dram_band;
		}
	}
}
