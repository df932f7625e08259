/* SPDX-License-Identifier: Apache-2.0
 *
 * What can be had on this machine with this version, by provenance, and by which way. Promises
 * nothing that only a later version can do.
 */
#include "base/str.h"
#include "verdict/diagnosis_internal.h"

static void offer(struct ks_desk *k, struct ks_offer *o, const enum ks_text *text, size_t n)
{
	struct ks_msg *item = KS_ARENA_NEWS(k->a, struct ks_msg, n);

	for (size_t i = 0; item != NULL && i < n; i++)
		item[i] = KS_DESK_WORD(k, text[i]);
	o->item = item;
	o->n = item != NULL ? n : 0;
}

static struct ks_msg counter_reason(const struct ks_desk *k)
{
	if (k->d->counters == KS_COUNTER_STATE_AVAILABLE)
		return KS_DESK_WORD(k, KS_TEXT_OFFER_BY_NCU);
	return k->d->note.why;
}

void ks_desk_offers(struct ks_desk *k)
{
	static const enum ks_text exact[] = { KS_TEXT_OFFER_TIMES, KS_TEXT_OFFER_OCCUPANCY,
					      KS_TEXT_OFFER_TIMELINE };
	static const enum ks_text derived[] = { KS_TEXT_OFFER_SHARES, KS_TEXT_OFFER_OVERLAP };
	static const enum ks_text none[] = { KS_TEXT_OFFER_MEMORY, KS_TEXT_OFFER_PIPES,
					     KS_TEXT_OFFER_STALLS, KS_TEXT_OFFER_SOURCE };
	struct ks_offer *o = KS_ARENA_NEWS(k->a, struct ks_offer, 5);
	struct ks_msg *plan = KS_ARENA_NEWS(k->a, struct ks_msg, 3);

	if (o == NULL || plan == NULL)
		return;
	o[0].prov = KS_PROV_EXACT;
	offer(k, &o[0], exact, KS_ARRAY_LEN(exact));
	o[0].reason = KS_DESK_WORD(k, k->d->ok ? KS_TEXT_NONE : KS_TEXT_OFFER_ELSEWHERE);
	o[1].prov = KS_PROV_MEASURED;
	o[1].reason = KS_DESK_WORD(k, KS_TEXT_OFFER_NO_SAMPLING);
	o[2].prov = KS_PROV_ESTIMATED;
	o[2].reason = KS_DESK_WORD(k, KS_TEXT_OFFER_NO_SAMPLING);
	o[3].prov = KS_PROV_DERIVED;
	offer(k, &o[3], derived, KS_ARRAY_LEN(derived));
	o[3].reason = KS_DESK_WORD(k, KS_TEXT_NONE);
	o[4].prov = KS_PROV_UNAVAILABLE;
	offer(k, &o[4], none, KS_ARRAY_LEN(none));
	o[4].reason = counter_reason(k);
	k->d->offer = o;
	k->d->n_offers = 5;

	if (k->d->ok && k->h->has_gpu != KS_KNOWN_NO)
		plan[k->d->n_plan++] = KS_DESK_WORD(k, KS_TEXT_PLAN_NSYS);
	if (k->d->ok)
		plan[k->d->n_plan++] = KS_DESK_WORD(k, KS_TEXT_PLAN_REPORT);
	plan[k->d->n_plan++] = KS_DESK_WORD(k, KS_TEXT_PLAN_SQLITE);
	k->d->plan = plan;
}
