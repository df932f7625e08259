/* SPDX-License-Identifier: Apache-2.0
 *
 * What a million tokens, or an hour, costs. Decided only where the user stated a price or tokens,
 * or asked for it (--cost): a refusal nobody asked for is noise. Converts no currency.
 */
#include "base/arena.h"
#include "base/str.h"
#include "verdict/verdict_internal.h"

/* Contract 02 §5, environment premises. */
#define OTHER_PROCESSES_MOST 0.0
#define BUSY_PCT_LEAST	     80.0
#define LIMITED_PCT_BELOW    5.0

struct cost {
	const struct ks_ev *per_mtok, *per_hour, *energy, *tokens_s;
};

static bool refused_by(const struct ks_ev *ev, const enum ks_refusal *code, size_t n)
{
	for (size_t i = 0; ev && ev->refused && i < n; i++)
		if (ev->refused->code == code[i])
			return true;
	return false;
}

/* "no_price only when neither price is given", and the codes behind no_tokens (contract 06 §11):
 * any other refusal tells that the user stated one. Rows from before codes tell nothing. */
static bool was_stated(const struct cost *c)
{
	static const enum ks_refusal no_price[] = { KS_REFUSAL_NO_PRICE, KS_REFUSAL_LEGACY_REPORT,
						    KS_REFUSAL_INTERNAL_UNKNOWN };
	static const enum ks_refusal behind_tokens[] = { KS_REFUSAL_WINDOW_LAUNCH_UNALIGNED,
							 KS_REFUSAL_NO_LAUNCH_ACTIVITY };
	const bool price =
		c->per_hour && (ks_decide_has_value(c->per_hour) ||
				!refused_by(c->per_hour, no_price, KS_ARRAY_LEN(no_price)));

	return price || ks_decide_has_value(c->per_mtok) || ks_decide_has_value(c->tokens_s) ||
	       refused_by(c->tokens_s, behind_tokens, KS_ARRAY_LEN(behind_tokens));
}

/* --- premises --------------------------------------------------------------------------------- */

static struct ks_premise_row busy(const struct ks_decide *d)
{
	const struct ks_ev *idle = ks_decide_ev(d, KS_METRIC_MEAS_GPU_IDLE_PCT);
	const double pct = 100.0 - ks_decide_real(idle);

	return ks_premise_row(KS_PREMISE_ENV_GPU_BUSY_PCT,
			      ks_decide_is_number(idle) ? KS_VAL_REAL(pct) : KS_VAL_NONE,
			      KS_VAL_REAL(BUSY_PCT_LEAST), pct >= BUSY_PCT_LEAST);
}

static struct ks_premise_row reading(const struct ks_decide *d, enum ks_premise id,
				     enum ks_metric metric, double limit, bool inclusive)
{
	const struct ks_ev *ev = ks_decide_ev(d, metric);
	const double v = ks_decide_real(ev);

	return ks_premise_row(id, ks_decide_is_number(ev) ? ev->value : KS_VAL_NONE,
			      KS_VAL_REAL(limit), inclusive ? v <= limit : v < limit);
}

static void premises(struct ks_decide *d, struct ks_verdict_row *row, const struct cost *c)
{
	struct ks_premise_row *p;
	size_t n = 0;

	if (!ks_premises_open(d, &p))
		return;
	if (ks_decide_is_number(c->energy))
		p[n++] = ks_premise_told(KS_PREMISE_WINDOW_ENERGY_J, c->energy);
	if (ks_decide_is_number(c->tokens_s))
		p[n++] = ks_premise_told(KS_PREMISE_TOKENS_PER_S, c->tokens_s);
	p[n++] = reading(d, KS_PREMISE_ENV_GPU_EXCLUSIVE, KS_METRIC_MEAS_OTHER_PROCS_ON_GPU,
			 OTHER_PROCESSES_MOST, true);
	p[n++] = busy(d);
	p[n++] = reading(d, KS_PREMISE_ENV_NO_THROTTLE_PCT, KS_METRIC_MEAS_THROTTLE_LIMITED_PCT,
			 LIMITED_PCT_BELOW, false);
	row->premise = p;
	row->n_premises = n;
}

/* --- the three answers ------------------------------------------------------------------------ */

static void of_the_dearest(const struct ks_decide *d, struct ks_facts *f)
{
	const struct ks_found k = ks_decide_find(d, KS_METRIC_EST_KERNEL_COST_PER_HOUR);

	if (!ks_decide_has_value(k.ev))
		return;
	ks_facts_add(f, "top_kernel", KS_VAL_TEXT(k.owner->name));
	ks_facts_add(f, "top_kernel_per_hour", k.ev->value);
}

static void per_mtok(struct ks_decide *d, struct ks_verdict_row *row, const struct cost *c)
{
	struct ks_facts f;

	row->status = KS_VERDICT_STATUS_OK;
	ks_decide_value(row, c->per_mtok);
	row->unit_text = d->report->carried ? d->report->carried->per_mtoken : KS_STR_NONE;
	row->next.id = KS_TEXT_DC_NEXT_COST;
	if (!ks_facts_open(&f, d->arena))
		return;
	ks_facts_add(&f, "per_mtok", c->per_mtok->value);
	ks_facts_add_row(&f, "per_hour", c->per_hour);
	ks_facts_add_row(&f, "tokens_s", c->tokens_s);
	ks_facts_add_row(&f, "j_per_token", ks_decide_ev(d, KS_METRIC_KS_J_PER_TOKEN));
	of_the_dearest(d, &f);
	ks_decide_facts(row, &f);
}

static void per_hour(struct ks_decide *d, struct ks_verdict_row *row, const struct cost *c)
{
	const struct ks_refused *no_tokens = c->per_mtok ? c->per_mtok->refused : NULL;
	struct ks_facts f;

	row->status = KS_VERDICT_STATUS_SOFT;
	ks_decide_value(row, c->per_hour);
	row->unit_text = d->report->carried ? d->report->carried->per_hour : KS_STR_NONE;
	row->next.id = KS_TEXT_DC_NEXT_COST_TOKENS;
	if (!ks_facts_open(&f, d->arena))
		return;
	ks_facts_add(&f, "per_hour", c->per_hour->value);
	ks_facts_add_row(&f, "tokens_s", c->tokens_s);
	of_the_dearest(d, &f);
	ks_cost_assume(d,
		       &(struct ks_assume){ c->per_hour, c->tokens_s,
					    no_tokens ? ks_refused_slug(no_tokens) : KS_STR_NONE },
		       &f);
	ks_decide_facts(row, &f);
}

/* A run that was recorded without power: what stands first is the price nobody gave, but giving it
 * would not help here, so the advice is another. */
static const struct ks_refused *without_power(struct ks_decide *d)
{
	const struct ks_kv observed[] = {
		{ KS_LIT("price_per_kwh"), KS_VAL_NONE },
		{ KS_LIT("price_per_hour"), KS_VAL_NONE },
		{ KS_LIT("tokens_per_step"), KS_VAL_NONE },
		{ KS_LIT("power_samples"), KS_VAL_INT(0) },
	};

	return ks_refused_make(d->report->ev, &(struct ks_refuse_spec){
						      .code = KS_REFUSAL_NO_PRICE,
						      .message = { .id = KS_TEXT_DC_WHY_COST },
						      .observed = observed,
						      .n_observed = KS_ARRAY_LEN(observed),
						      .action = { .id = KS_TEXT_DC_DO_COST },
					      });
}

static const struct ks_refused *why_none(struct ks_decide *d, const struct cost *c)
{
	const struct ks_ev *const row[] = { c->per_mtok, c->per_hour, c->energy };
	const struct ks_refused *why = NULL;

	for (size_t i = 0; i < KS_ARRAY_LEN(row) && !why; i++)
		why = row[i] ? row[i]->refused : NULL;
	if (!why || (why->code == KS_REFUSAL_NO_PRICE && !ks_decide_has_value(c->energy)))
		return without_power(d);
	return why;
}

static void no_money(struct ks_decide *d, struct ks_verdict_row *row, const struct cost *c)
{
	struct ks_facts f;

	ks_decide_refuse(row, why_none(d, c));
	if (!row->refused || !ks_facts_open(&f, d->arena))
		return;
	ks_cost_assume(d, &(struct ks_assume){ NULL, c->tokens_s, ks_refused_slug(row->refused) },
		       &f);
	ks_decide_facts(row, &f);
	if (f.n > 0) /* says what the conditional answer is, not the refusal */
		row->prov = KS_PROV_ESTIMATED;
}

void ks_decide_cost(struct ks_decide *d)
{
	const struct cost c = {
		.per_mtok = ks_decide_ev(d, KS_METRIC_KS_COST_PER_MTOK),
		.per_hour = ks_decide_ev(d, KS_METRIC_KS_COST_PER_HOUR),
		.energy = ks_decide_ev(d, KS_METRIC_MEAS_WINDOW_ENERGY_J),
		.tokens_s = ks_decide_ev(d, KS_METRIC_KS_TOKENS_PER_S),
	};
	const struct ks_ev *rests_on[] = { c.per_mtok, c.per_hour, c.energy };

	if (!d->report->asked_cost && !was_stated(&c))
		return;
	struct ks_verdict_row *row =
		ks_decide_add(d, KS_VERDICT_COST_PER_TOKEN, KS_VERDICT_STATUS_OK);

	ks_decide_rests_on(d, row, rests_on, KS_ARRAY_LEN(rests_on));
	premises(d, row, &c);
	if (ks_decide_is_number(c.per_mtok))
		per_mtok(d, row, &c);
	else if (ks_decide_is_number(c.per_hour))
		per_hour(d, row, &c);
	else
		no_money(d, row, &c);
}
