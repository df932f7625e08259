/* SPDX-License-Identifier: Apache-2.0
 *
 * What every decision is made with: finding the rows it rests on, whoever made them, and filling in
 * its parts. Decides nothing itself.
 */
#include "base/str.h"
#include "evidence/value.h"
#include "verdict/verdict_internal.h"

#define DEFAULT_CURRENCY "CNY" /* contract 01 §3, --ks-currency */

/* --- rows ------------------------------------------------------------------------------------- */

bool ks_decide_has_value(const struct ks_ev *ev)
{
	return ev && !ev->refused && ev->value.kind != KS_V_NONE;
}

bool ks_decide_is_number(const struct ks_ev *ev)
{
	return ev && !ev->refused && ks_value_is_number(&ev->value);
}

double ks_decide_real(const struct ks_ev *ev)
{
	return ks_decide_is_number(ev) ? ks_value_real(&ev->value) : 0.0;
}

static bool comes_before(const struct ks_found *a, const struct ks_found *b)
{
	const bool has = ks_decide_has_value(a->ev), had = ks_decide_has_value(b->ev);

	if (has != had)
		return has;
	return a->owner->total_ns > b->owner->total_ns;
}

static void look_at(struct ks_decide *d, const struct ks_kernel *k, ks_id id)
{
	const struct ks_found here = { ks_ev_get(d->report->ev, id), k };

	if (!here.ev || here.ev->metric == KS_METRIC_NONE ||
	    ks_metric_info(here.ev->metric)->is_pattern)
		return;
	struct ks_found *best = &d->found[here.ev->metric];

	if (!best->ev || comes_before(&here, best))
		*best = here;
}

bool ks_decide_look(struct ks_decide *d)
{
	const struct ks_report *r = d->report;

	d->found = KS_ARENA_NEWS(d->arena, struct ks_found, KS_METRIC_COUNT);
	if (!d->found)
		return false;
	for (size_t k = 0; k < r->n_kernels; k++) {
		for (size_t s = 0; s < r->kernel[k].n_sections; s++) {
			const struct ks_section_rows *rows = &r->kernel[k].section[s];

			for (size_t i = 0; i < rows->n; i++)
				look_at(d, &r->kernel[k], rows->row[i]);
		}
	}
	return true;
}

struct ks_found ks_decide_find(const struct ks_decide *d, enum ks_metric metric)
{
	return d->found[metric];
}

const struct ks_ev *ks_decide_ev(const struct ks_decide *d, enum ks_metric metric)
{
	return d->found[metric].ev;
}

const struct ks_ev *ks_decide_of(const struct ks_decide *d, const struct ks_kernel *k,
				 enum ks_metric metric)
{
	for (size_t s = 0; k && s < k->n_sections; s++) {
		for (size_t i = 0; i < k->section[s].n; i++) {
			const struct ks_ev *ev = ks_ev_get(d->report->ev, k->section[s].row[i]);

			if (ev && ev->metric == metric)
				return ev;
		}
	}
	return NULL;
}

ks_str ks_decide_currency(const struct ks_decide *d)
{
	const struct ks_carried *c = d->report->carried;

	return c && c->currency.n > 0 ? c->currency : KS_LIT(DEFAULT_CURRENCY);
}

/* --- facts ------------------------------------------------------------------------------------ */

bool ks_facts_open(struct ks_facts *f, struct ks_arena *a)
{
	f->kv = KS_ARENA_NEWS(a, struct ks_kv, KS_VERDICT_FACTS);
	f->n = 0;
	return f->kv != NULL;
}

void ks_facts_add(struct ks_facts *f, const char *key, struct ks_value v)
{
	BUG_ON(f->n == KS_VERDICT_FACTS);
	if (f->n < KS_VERDICT_FACTS)
		f->kv[f->n++] = (struct ks_kv){ ks_str_c(key), v };
}

void ks_facts_add_row(struct ks_facts *f, const char *key, const struct ks_ev *ev)
{
	if (ks_decide_has_value(ev))
		ks_facts_add(f, key, ev->value);
}

/* --- one decision ----------------------------------------------------------------------------- */

struct ks_verdict_row *ks_decide_add(struct ks_decide *d, enum ks_verdict id,
				     enum ks_vstatus status)
{
	struct ks_verdict_row *row = &d->row[d->n++];

	*row = (struct ks_verdict_row){
		.id = id,
		.name = ks_str_c(ks_verdict_info(id)->id),
		.status = status,
		.prov = KS_PROV_UNAVAILABLE,
		.mdd = -1.0,
	};
	return row;
}

void ks_decide_refuse(struct ks_verdict_row *row, const struct ks_refused *why)
{
	row->status = KS_VERDICT_STATUS_REFUSED;
	row->value = KS_VAL_NONE;
	row->unit = KS_UNIT_NONE;
	row->unit_text = KS_STR_NONE;
	row->prov = KS_PROV_UNAVAILABLE;
	row->refused = why;
	row->next = (struct ks_msg){ .id = KS_TEXT_NONE };
}

void ks_decide_withdraw(struct ks_decide *d, struct ks_verdict_row *row,
			const struct ks_refused *why)
{
	const struct ks_value value = row->value;
	struct ks_kv *fact = value.kind == KS_V_NONE
				     ? NULL
				     : KS_ARENA_NEWS(d->arena, struct ks_kv, row->n_facts + 1);

	ks_decide_refuse(row, why);
	if (!fact)
		return;
	if (row->n_facts > 0)
		memcpy(fact, row->fact, row->n_facts * sizeof(*fact));
	fact[row->n_facts] = (struct ks_kv){ KS_LIT("uncitable_value"), value };
	row->fact = fact;
	row->n_facts++;
}

void ks_decide_value(struct ks_verdict_row *row, const struct ks_ev *ev)
{
	row->value = ev->value;
	row->unit = ev->unit;
	row->prov = ev->prov;
}

void ks_decide_facts(struct ks_verdict_row *row, const struct ks_facts *f)
{
	row->fact = f->kv;
	row->n_facts = f->n;
}

void ks_decide_rests_on(struct ks_decide *d, struct ks_verdict_row *row,
			const struct ks_ev *const *ev, size_t n)
{
	ks_str *name = KS_ARENA_NEWS(d->arena, ks_str, n);

	for (size_t i = 0; name && i < n; i++)
		if (ev[i])
			name[row->n_metrics++] = ev[i]->name;
	row->metric = name;
}
