/* SPDX-License-Identifier: Apache-2.0
 *
 * The conditional answer (contract 02 §6): what an hour or a million tokens would cost if the price
 * or the tokens that nobody stated were so and so. Every input is named as assumed, every result as
 * depending on it. Without a measured power there is none.
 */
#include "base/arena.h"
#include "base/str.h"
#include "verdict/verdict_internal.h"

#define ASSUMED_PRICE_PER_KWH	0.8 /* contract 02 §6: examples, neither measured nor typical */
#define ASSUMED_TOKENS_PER_STEP 1200000

#define HOUR_S	 3600.0
#define WATT_KWH 1000.0 /* watts that use one kWh in an hour */

struct power {
	double mean_w, window_s; /* 0: not known */
};

static struct power measured(const struct ks_decide *d)
{
	const struct ks_ev *mean = ks_decide_ev(d, KS_METRIC_MEAS_WINDOW_POWER_MEAN_W);
	const struct ks_ev *energy = ks_decide_ev(d, KS_METRIC_MEAS_WINDOW_ENERGY_J);
	struct power p = { ks_decide_real(mean), 0.0 };

	/* the window is not a row of its own: energy over mean power is what it was */
	if (p.mean_w > 0.0 && ks_decide_is_number(energy))
		p.window_s = ks_decide_real(energy) / p.mean_w;
	return p;
}

static void hourly(struct ks_facts *f, const struct power *p, double *per_hour)
{
	if (*per_hour >= 0.0 || !(p->mean_w > 0.0))
		return;
	*per_hour = p->mean_w / WATT_KWH * ASSUMED_PRICE_PER_KWH;
	ks_facts_add(f, "assumed_price_per_kwh", KS_VAL_REAL(ASSUMED_PRICE_PER_KWH));
	ks_facts_add(f, "if_cost_per_hour", KS_VAL_REAL(*per_hour));
}

static void tokens(const struct ks_decide *d, struct ks_facts *f, const struct power *p,
		   double *per_s)
{
	const double steps = ks_decide_real(ks_decide_ev(d, KS_METRIC_KS_STEPS_IN_WINDOW));

	if (*per_s > 0.0 || !(steps > 0.0) || !(p->window_s > 0.0))
		return;
	*per_s = ASSUMED_TOKENS_PER_STEP * steps / p->window_s;
	ks_facts_add(f, "assumed_tokens_per_step", KS_VAL_INT(ASSUMED_TOKENS_PER_STEP));
	ks_facts_add(f, "if_tokens_s", KS_VAL_REAL(*per_s));
}

static ks_str join(struct ks_arena *a, ks_str list, const char *code)
{
	if (list.n == 0)
		return ks_str_c(code);
	/* the code that stands first may be one of those that were assumed */
	if (ks_str_eqc(list, code))
		return list;
	return ks_arena_fmt(a, "%.*s,%s", (int)list.n, list.p, code);
}

void ks_cost_assume(const struct ks_decide *d, const struct ks_assume *known, struct ks_facts *f)
{
	const struct power p = measured(d);
	const size_t before = f->n;
	double per_hour =
		ks_decide_is_number(known->per_hour) ? ks_decide_real(known->per_hour) : -1.0;
	double per_s = ks_decide_real(known->tokens_s);
	ks_str missing = known->missing;

	hourly(f, &p, &per_hour);
	if (f->n > before)
		missing = join(d->arena, missing, ks_refusal_info(KS_REFUSAL_NO_PRICE)->slug);
	const size_t priced = f->n;

	tokens(d, f, &p, &per_s);
	if (f->n > priced)
		missing = join(d->arena, missing, ks_refusal_info(KS_REFUSAL_NO_TOKENS)->slug);
	if (f->n == before)
		return; /* nothing was assumed, so nothing depends on it */
	if (per_hour >= 0.0 && per_s > 0.0)
		ks_facts_add(f, "if_cost_per_mtok", KS_VAL_REAL(per_hour * 1e6 / (per_s * HOUR_S)));
	ks_facts_add(f, "if_missing", KS_VAL_TEXT(missing));
	ks_facts_add(f, "if_currency", KS_VAL_TEXT(ks_decide_currency(d)));
	ks_facts_add(f, "if_basis", KS_VAL_TEXT(KS_LIT("conditional")));
	ks_facts_add(f, "if_provenance", KS_VAL_TEXT(ks_str_c(ks_prov_name(KS_PROV_ESTIMATED))));
}
