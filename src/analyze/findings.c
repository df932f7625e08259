/* SPDX-License-Identifier: Apache-2.0
 *
 * Gathers what the rules claim, device by device, and says of those that this trace cannot answer
 * what it lacks. Computes no time of its own.
 */
#include "analyze/findings.h"

#include "analyze/sweep_internal.h"
#include "base/str.h"

static void refuse(struct ks_finding_about *about, enum ks_refusal code, enum ks_text why)
{
	about->refusal = code;
	about->why = why;
}

static void look_at_needs(const struct ks_analysis *a, enum ks_rule rule,
			  struct ks_finding_about *about)
{
	const unsigned needs = ks_rule_info(rule)->needs;
	struct ks_ranges_counts ranges;

	ks_ranges_counts(a->ranges, &ranges);
	if (needs & KS_NEEDS_NODES && a->meta.graph_rows > 0)
		refuse(about, KS_REFUSAL_GRAPH_NODES_HIDDEN, KS_TEXT_NONE);
	else if (needs & KS_NEEDS_CALLS && !ks_calls_any(a->calls))
		refuse(about, KS_REFUSAL_METRIC_ABSENT, KS_TEXT_AN_FINDING_NO_CALLS);
	else if (needs & KS_NEEDS_CALLS && a->unnamed_calls > 0)
		refuse(about, KS_REFUSAL_METRIC_ABSENT, KS_TEXT_AN_FINDING_NO_NAMES);
	else if (needs & KS_NEEDS_STEPS && ranges.closed == 0)
		refuse(about, KS_REFUSAL_NO_NVTX, KS_TEXT_NONE);
	else if (needs & KS_NEEDS_STEPS && a->steps.n == 0)
		refuse(about, KS_REFUSAL_METRIC_ABSENT, KS_TEXT_AN_FINDING_NO_STEPS);
	else if (needs & KS_NEEDS_OVERHEAD && !a->sweep->overhead)
		refuse(about, KS_REFUSAL_METRIC_ABSENT, KS_TEXT_AN_NO_OVERHEAD_ROWS);
}

static void take_claims(const struct ks_analysis *a, struct ks_finding_facts *f)
{
	const struct ks_claims *claims = ks_sweep_claims(a->sweep);

	for (uint32_t i = 0; i < a->n_devices; i++) {
		const struct ks_device_work *w = &a->device[i];

		if (!w->used || !w->selected || w->gpu >= f->n_gpus)
			continue;
		for (unsigned r = KS_RULE_NONE + 1; r < KS_RULE_COUNT; r++) {
			const struct ks_claims_sum sum = ks_claims_sum(claims, i, (enum ks_rule)r);
			struct ks_finding_sum *to = ks_finding_of(f, w->gpu, (enum ks_rule)r);

			to->ns += (double)sum.ns;
			to->n += sum.ns > 0 ? sum.n : 0;
		}
	}
}

static ks_ns inside(const struct ks_report *r, const struct ks_step *s)
{
	const ks_ns from = r->span_start_ns, to = from + r->span_ns;
	const ks_ns start = s->start_ns > from ? s->start_ns : from;
	const ks_ns end = s->end_ns < to ? s->end_ns : to;

	return end > start ? end - start : 0;
}

/* By how much the first step and those that warm up are longer than the mean of the plain ones: no
 * more than what of them is in the span. */
static void take_warm_up(const struct ks_timeline *t, const struct ks_report *r,
			 struct ks_finding_facts *f)
{
	struct ks_finding_sum *to = ks_finding_of(f, 0, KS_RULE_WARM_UP);
	const struct ks_steps *s = &t->steps;
	ks_ns plain = 0;
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (s->step[i].mark == KS_STEP_PLAIN && ++n > 0)
			plain += s->step[i].end_ns - s->step[i].start_ns;
	}
	for (size_t i = 0; i < s->n && n > 0; i++) {
		const double part = (double)inside(r, &s->step[i]);
		double over = (double)(s->step[i].end_ns - s->step[i].start_ns) -
			      (double)plain / (double)n;

		over = over < part ? over : part;
		if ((s->step[i].mark != KS_STEP_FIRST && s->step[i].mark != KS_STEP_WARMUP) ||
		    over <= 0.0)
			continue;
		to->ns += over;
		to->n++;
	}
}

bool ks_findings_gather(struct ks_analysis *a, const struct ks_report *r,
			struct ks_finding_facts *f)
{
	*f = (struct ks_finding_facts){ .n_gpus = r->n_gpus_used };
	f->sum = KS_ARENA_NEWS(a->arena, struct ks_finding_sum, (f->n_gpus + 1) * KS_RULE_COUNT);
	if (!f->sum)
		return false;
	for (unsigned i = KS_RULE_NONE + 1; i < KS_RULE_COUNT; i++)
		look_at_needs(a, (enum ks_rule)i, &f->about[i]);
	take_claims(a, f);
	if (f->n_gpus > 0)
		take_warm_up(a->timeline, r, f);
	return ks_findings_kernels(a, f);
}
