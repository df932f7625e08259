/* SPDX-License-Identifier: Apache-2.0
 *
 * From a finished report to its decisions. Every number is one the report already has. Decisions
 * about money, tokens or a ledger are made only where the user gave them or asked.
 */
#include "verdict/verdict.h"

#include "base/str.h"
#include "verdict/advice.h"
#include "verdict/findings.h"
#include "verdict/packet.h"
#include "verdict/verdict_internal.h"

const char *ks_vstatus_name(enum ks_vstatus s)
{
	static const char *const names[] = {
		[KS_VERDICT_STATUS_OK] = "ok",
		[KS_VERDICT_STATUS_SOFT] = "soft",
		[KS_VERDICT_STATUS_REFUSED] = "refused",
	};

	return names[s];
}

static const struct ks_kernel *top_kernel(const struct ks_report *r)
{
	/* by time, the rows of the run as a whole last */
	const struct ks_kernel *k = r->n_kernels > 0 ? &r->kernel[0] : NULL;

	return k && !k->is_device && k->launches > 0 ? k : NULL;
}

static void tier(const struct ks_decide *d, struct ks_verdicts *v)
{
	static const ks_str unknown[] = { { "counters_unknown", sizeof("counters_unknown") - 1 } };
	const bool demo = d->report->synthetic;
	/* 02 §8: what the evidence at hand needs, not what this machine has */
	const enum ks_tier at_hand = demo ? KS_TIER_DEMO : KS_TIER_TRACE;

	v->tier = (int)at_hand;
	v->tier_name = ks_tier_name(at_hand);
	v->tier_text = demo ? KS_TEXT_VD_TIER_DEMO : KS_TEXT_VD_TIER_TRACE;
	v->tier_note = ks_str_c(ks_text_get(v->tier_text, (enum ks_lang)d->ctx->doc_lang));
	/* a recorded trace cannot tell */
	v->counter_state = ks_str_c(ks_counter_state_name(KS_COUNTER_STATE_UNKNOWN));
	v->blocked_by = unknown;
	v->n_blocked_by = KS_ARRAY_LEN(unknown);
}

/* In the order of contract 02 §6, which is that of verdicts.def. */
static void (*const decisions[])(struct ks_decide *d) = {
	ks_decide_kernel_time, ks_decide_cost,	 ks_decide_truth,     ks_decide_saving,
	ks_decide_dram,	       ks_decide_ledger, ks_decide_occupancy, ks_decide_roofline,
	ks_decide_issue_slot,  ks_decide_l2,	 ks_decide_over_peak, ks_decide_static_mix,
};

static bool decide(struct ks_decide *d, struct ks_verdicts *v)
{
	if (!ks_decide_look(d))
		return false;
	for (size_t i = 0; i < KS_ARRAY_LEN(decisions); i++)
		decisions[i](d);
	ks_decide_degrade(d);
	ks_decide_bands(d);
	v->row = d->row;
	v->n = d->n;
	tier(d, v);
	if (!ks_unmeasured_count(d, v))
		return false;
	struct ks_next *next = KS_ARENA_NEWS(d->arena, struct ks_next, KS_PACKET_NEXT);

	if (!next)
		return false;
	v->n_next =
		ks_next_order(v->row, v->n, v->unmeasured, v->n_unmeasured, next, KS_PACKET_NEXT);
	v->next = next;
	v->finding = ks_finding(d);
	v->protocol_hash = ks_protocol_hash(d);
	return v->protocol_hash.n > 0;
}

enum ks_status ks_verdicts_make(const struct ks_ctx *ctx, struct ks_report *report,
				struct ks_err *err)
{
	struct ks_decide d = {
		.ctx = ctx, .arena = ctx->run, .report = report, .top = top_kernel(report)
	};
	struct ks_verdicts *v = KS_ARENA_NEW(ctx->run, struct ks_verdicts);

	d.row = KS_ARENA_NEWS(ctx->run, struct ks_verdict_row, KS_VERDICT_MOST);
	if (!v || !d.row || !decide(&d, v) || ks_arena_failed(ctx->run))
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_VD_NO_MEMORY, NULL);
	if (d.top)
		KS_TRY(ks_advice_make(ctx, report, d.top, &v->advice, err));
	KS_TRY(ks_findings_make(ctx, report, &v->findings, err));
	KS_TRY(ks_store_status(report->ev, err));
	report->verdicts = v;
	return KS_OK;
}
