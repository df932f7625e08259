/* SPDX-License-Identifier: Apache-2.0
 *
 * What could be saved, where a report carries what was found, and how far the substitutes are from
 * a real counter report. Adds nothing up: totals are those of the report.
 */
#include <math.h>

#include "base/arena.h"
#include "base/str.h"
#include "evidence/value.h"
#include "verdict/verdict_internal.h"

static struct ks_msg literal(struct ks_decide *d, ks_str text)
{
	ks_str *arg = text.n > 0 ? KS_ARENA_NEW(d->arena, ks_str) : NULL;

	if (!arg)
		return (struct ks_msg){ .id = KS_TEXT_NONE };
	*arg = text;
	return (struct ks_msg){ .id = KS_TEXT_LITERAL, .n = 1, .arg = arg };
}

/* A number between two others, or none at all. */
static bool lies_within(const struct ks_value *v, double low, double high)
{
	return !ks_value_is_number(v) || (ks_value_real(v) >= low && ks_value_real(v) <= high);
}

/* What a report carries can be anything: a number that cannot be is no decision. */
static void refuse_number(struct ks_decide *d, struct ks_verdict_row *row, const char *key,
			  const struct ks_value *v)
{
	const struct ks_kv observed = { ks_str_c(key), *v };

	ks_decide_refuse(row, ks_refused_make(d->report->ev,
					      &(struct ks_refuse_spec){
						      .code = KS_REFUSAL_INCONSISTENT_EVIDENCE,
						      .observed = &observed,
						      .n_observed = 1,
					      }));
}

/* --- truth ------------------------------------------------------------------------------------ */

void ks_decide_truth(struct ks_decide *d)
{
	const struct ks_carried *c = d->report->carried;
	const struct ks_truth *t = c ? c->truth : NULL;
	struct ks_facts f;

	if (!t)
		return;
	struct ks_verdict_row *row =
		ks_decide_add(d, KS_VERDICT_TRUTH_VS_SUBSTITUTE, KS_VERDICT_STATUS_OK);

	if (!lies_within(&t->max_abs_err_pct, 0.0, (double)INFINITY)) {
		refuse_number(d, row, "max_abs_err_pct", &t->max_abs_err_pct);
		return;
	}
	if (ks_facts_open(&f, d->arena)) {
		ks_facts_add(&f, "ncu", KS_VAL_TEXT(t->version.n > 0 ? t->version : KS_LIT("?")));
		ks_facts_add(&f, "compared", KS_VAL_INT(t->compared));
		ks_facts_add(&f, "pairs", KS_VAL_INT(t->total));
		ks_facts_add(&f, "actions", KS_VAL_INT(t->actions));
		if (t->max_abs_err_pct.kind != KS_V_NONE)
			ks_facts_add(&f, "max_abs_err_pct", t->max_abs_err_pct);
		ks_decide_facts(row, &f);
	}
	if (t->compared > 0) {
		row->value = t->max_abs_err_pct;
		row->unit = KS_UNIT_PCT;
		row->prov = KS_PROV_EXACT;
		row->next.id = KS_TEXT_DC_NEXT_TRUTH;
		return;
	}
	const struct ks_kv observed = { KS_LIT("pairs_compared"), KS_VAL_INT(t->compared) };
	const struct ks_kv threshold = { KS_LIT("pairs_compared"), KS_VAL_INT(1) };

	ks_decide_refuse(row, ks_refused_make(d->report->ev,
					      &(struct ks_refuse_spec){
						      .code = KS_REFUSAL_METRIC_ABSENT,
						      .message = { .id = KS_TEXT_DC_WHY_TRUTH },
						      .observed = &observed,
						      .n_observed = 1,
						      .threshold = &threshold,
						      .n_threshold = 1,
						      .action = { .id = KS_TEXT_DC_DO_TRUTH },
					      }));
}

/* --- saving ----------------------------------------------------------------------------------- */

static void share_alone(struct ks_decide *d)
{
	struct ks_facts f;

	if (!d->top)
		return;
	const struct ks_ev *total = ks_decide_stored(d, KS_METRIC_GPU_TIME_DURATION_SUM);
	struct ks_verdict_row *row =
		ks_decide_add(d, KS_VERDICT_SAVING_ESTIMATE_SHARE, KS_VERDICT_STATUS_SOFT);

	ks_decide_rests_on(d, row, &total, 1);
	if (total && total->refused) {
		ks_decide_refuse(row, total->refused);
		return;
	}
	row->value = KS_VAL_REAL(d->top->share_pct);
	row->unit = KS_UNIT_PCT;
	row->prov = KS_PROV_EXACT; /* a ratio of two exact sums (contract 02 §6) */
	row->next = (struct ks_msg){ .id = KS_TEXT_VD_NEXT_SAVING_SHARE };
	if (!ks_facts_open(&f, d->arena))
		return;
	ks_decide_time_share(d, &f);
	ks_decide_facts(row, &f);
}

/* Refused, yet which kernel takes the time is known all the same. */
static void no_range(struct ks_decide *d, const struct ks_prescription *p)
{
	struct ks_verdict_row *row =
		ks_decide_add(d, KS_VERDICT_SAVING_ESTIMATE, KS_VERDICT_STATUS_REFUSED);
	const ks_str slug = p->refusal.n > 0 ? p->refusal : p->money_refusal;
	const ks_str message =
		p->refusal_message.n > 0 ? p->refusal_message : p->money_refusal_message;
	enum ks_refusal code = KS_REFUSAL_NO_WORKLOAD;
	struct ks_facts f;

	if (slug.n == 0 || !ks_refusal_find(slug, &code))
		code = KS_REFUSAL_NO_WORKLOAD;
	ks_decide_refuse(row, ks_refused_make(d->report->ev, &(struct ks_refuse_spec){
								     .code = code,
								     .message = literal(d, message),
							     }));
	if (!d->top || !ks_facts_open(&f, d->arena))
		return;
	ks_decide_time_share(d, &f);
	ks_decide_facts(row, &f);
}

static void saving_facts(struct ks_decide *d, struct ks_verdict_row *row,
			 const struct ks_prescription *p)
{
	struct ks_facts f;

	if (!ks_facts_open(&f, d->arena))
		return;
	ks_facts_add(&f, "n", KS_VAL_INT((int64_t)p->n));
	ks_facts_add(&f, "top_kernel", KS_VAL_TEXT(p->kernel));
	ks_facts_add(&f, "confidence", KS_VAL_TEXT(p->confidence));
	if (p->pct_lo.kind != KS_V_NONE && p->pct_hi.kind != KS_V_NONE) {
		ks_facts_add(&f, "top_pct_lo", p->pct_lo);
		ks_facts_add(&f, "top_pct_hi", p->pct_hi);
	}
	if (p->total_per_hour.kind != KS_V_NONE) {
		ks_facts_add(&f, "total_per_hour", p->total_per_hour);
		ks_facts_add(&f, "currency", KS_VAL_TEXT(ks_decide_currency(d)));
	}
	if (p->total_per_mtok.kind != KS_V_NONE)
		ks_facts_add(&f, "total_per_mtok", p->total_per_mtok);
	if (p->money_refusal.n > 0)
		ks_facts_add(&f, "no_money", KS_VAL_TEXT(p->money_refusal));
	ks_decide_facts(row, &f);
}

/* A saving is a part of what is spent, its range begins below its end, and money is not negative.
 */
static bool refuse_impossible(struct ks_decide *d, const struct ks_prescription *p)
{
	const double top = ks_value_is_number(&p->pct_hi) ? ks_value_real(&p->pct_hi) : 100.0;
	const struct {
		const char *key;
		const struct ks_value *v;
		double high;
	} part[] = {
		{ "top_pct_hi", &p->pct_hi, 100.0 },
		{ "top_pct_lo", &p->pct_lo, top },
		{ "total_per_hour", &p->total_per_hour, (double)INFINITY },
		{ "total_per_mtok", &p->total_per_mtok, (double)INFINITY },
	};

	for (size_t i = 0; i < KS_ARRAY_LEN(part); i++) {
		if (lies_within(part[i].v, 0.0, part[i].high))
			continue;
		refuse_number(
			d, ks_decide_add(d, KS_VERDICT_SAVING_ESTIMATE, KS_VERDICT_STATUS_REFUSED),
			part[i].key, part[i].v);
		return true;
	}
	return false;
}

void ks_decide_saving(struct ks_decide *d)
{
	const struct ks_carried *c = d->report->carried;
	const struct ks_prescription *p = c ? c->prescription : NULL;

	if (!p) {
		share_alone(d);
		return;
	}
	if (p->n == 0) {
		no_range(d, p);
		return;
	}
	if (refuse_impossible(d, p))
		return;
	const bool money = p->total_per_hour.kind != KS_V_NONE;
	struct ks_verdict_row *row =
		ks_decide_add(d, KS_VERDICT_SAVING_ESTIMATE,
			      money ? KS_VERDICT_STATUS_OK : KS_VERDICT_STATUS_SOFT);

	row->prov = KS_PROV_ESTIMATED;
	row->next.id = KS_TEXT_DC_NEXT_SAVING;
	if (money) {
		row->value = p->total_per_hour;
		row->unit = KS_UNIT_CUR_PER_H;
		row->unit_text = c->per_hour;
	}
	saving_facts(d, row, p);
}
