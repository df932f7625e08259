/* SPDX-License-Identifier: Apache-2.0
 *
 * Directions that no kernel can be blamed for: time in which the device waits, copies or
 * communicates while nothing computes. Each bound is a row of the evidence: more time than there is
 * cannot be won.
 */
#include "base/str.h"
#include "evidence/run_row.h"
#include "verdict/advice_internal.h"
#include "verdict/verdict_internal.h"

#define WORTH_PCT 1.0 /* of the span: less than two runs can tell apart */

/* One of the sums of a device, of the device where it is largest. */
struct worst {
	const struct ks_ev *row;
	int64_t device;
};

static const struct ks_ev *device_row(const struct ks_advise *a, int64_t device, const char *what)
{
	const struct ks_ev *row = ks_run_row_of_device(a->r, device, what);

	return ks_decide_has_value(row) ? row : NULL;
}

static struct worst worst_device(const struct ks_advise *a, const char *what)
{
	struct worst w = { NULL, -1 };

	for (size_t i = 0; i < a->r->n_gpus_used; i++) {
		const int64_t device = a->r->gpu[i].label;
		const struct ks_ev *row = device_row(a, device, what);

		if (ks_advice_number(row) > ks_advice_number(w.row))
			w = (struct worst){ row, device };
	}
	return w;
}

static double span_ms(const struct ks_advise *a)
{
	return ks_advice_number(ks_advice_run_row(a, "ks__trace_span_ms"));
}

static bool is_worth(const struct ks_advise *a, double ms, double pct)
{
	return ms > 0.0 && span_ms(a) > 0.0 && 100.0 * ms / span_ms(a) >= pct;
}

static void idle(struct ks_advise *a)
{
	const struct worst w = worst_device(a, "idle_ms");
	const double ms = ks_advice_number(w.row);

	if (!is_worth(a, ms, KS_WORTH_IDLE_PCT))
		return;
	struct ks_advice *on = ks_advice_add(a, KS_TEXT_AD_IDLE, KS_TEXT_AD_IDLE_HOW);
	const ks_str arg[] = { ks_arena_fmt(a->arena, "%lld", (long long)w.device),
			       ks_advice_real(a, ms), ks_advice_real(a, span_ms(a)) };

	if (!on)
		return;
	on->what = ks_advice_say(a, KS_TEXT_AD_IDLE_WHAT, KS_ARRAY_LEN(arg), arg);
	ks_advice_bound(a, on, ms, KS_TEXT_AD_SPAN_IMPACT, span_ms(a));
	on->effort = KS_EFFORT_MEDIUM;
	on->effort_why = KS_TEXT_AD_IDLE_EFFORT;
	ks_advice_rests(a, on, w.row);
	ks_advice_rests(a, on, device_row(a, w.device, "idle_share_pct"));
	ks_advice_rests(a, on, device_row(a, w.device, "idle_gap_count"));
	ks_advice_rests(a, on, device_row(a, w.device, "idle_gap_max_ms"));
	ks_advice_rests(a, on, device_row(a, w.device, "idle_overhead_ms"));
	ks_advice_rests(a, on, ks_advice_run_row(a, "ks__launch_latency_p50"));
	ks_advice_rests(a, on, ks_advice_run_row(a, "ks__sync_call_ms"));
	ks_advice_rests(a, on, ks_advice_run_row(a, "ks__launch_call_ms"));
}

static void communication(struct ks_advise *a)
{
	const struct ks_ev *row = ks_advice_run_row(a, "ks__comm_exposed_ms");
	const double ms = ks_advice_number(row);

	if (!is_worth(a, ms, WORTH_PCT))
		return;
	struct ks_advice *on = ks_advice_add(a, KS_TEXT_AD_COMM, KS_TEXT_AD_COMM_HOW);
	const ks_str arg[] = { ks_advice_real(a, ms) };

	if (!on)
		return;
	on->what = ks_advice_say(a, KS_TEXT_AD_COMM_WHAT, KS_ARRAY_LEN(arg), arg);
	/* the row adds up all devices, the run cannot get shorter than nothing */
	ks_advice_bound(a, on, ms < span_ms(a) ? ms : span_ms(a), KS_TEXT_AD_SPAN_IMPACT,
			span_ms(a));
	on->effort = KS_EFFORT_HIGH;
	on->effort_why = KS_TEXT_AD_COMM_EFFORT;
	ks_advice_rests(a, on, row);
	ks_advice_rests(a, on, ks_advice_run_row(a, "ks__comm_kernel_ms"));
	ks_advice_rests(a, on, ks_advice_run_row(a, "ks__comm_compute_overlap_pct"));
}

static void copies(struct ks_advise *a)
{
	const struct worst w = worst_device(a, "time_copy_ms");
	const double ms = ks_advice_number(w.row);

	if (!is_worth(a, ms, WORTH_PCT))
		return;
	const struct ks_ev *pageable = ks_advice_run_row(a, "ks__comm_bytes_pageable");
	struct ks_advice *on =
		ks_advice_add(a, KS_TEXT_AD_COPY,
			      ks_advice_number(pageable) > 0.0 ? KS_TEXT_AD_COPY_HOW_PAGEABLE
							       : KS_TEXT_AD_COPY_HOW);
	const ks_str arg[] = { ks_arena_fmt(a->arena, "%lld", (long long)w.device),
			       ks_advice_real(a, ms) };

	if (!on)
		return;
	on->what = ks_advice_say(a, KS_TEXT_AD_COPY_WHAT, KS_ARRAY_LEN(arg), arg);
	ks_advice_bound(a, on, ms, KS_TEXT_AD_SPAN_IMPACT, span_ms(a));
	on->effort = KS_EFFORT_MEDIUM;
	on->effort_why = KS_TEXT_AD_COPY_EFFORT;
	ks_advice_rests(a, on, w.row);
	ks_advice_rests(a, on, device_row(a, w.device, "time_compute_copy_ms"));
	ks_advice_rests(a, on, ks_advice_run_row(a, "ks__comm_bytes_total"));
	ks_advice_rests(a, on, pageable);
	ks_advice_rests(a, on, ks_advice_run_row(a, "ks__comm_bytes_pinned"));
}

void ks_advice_run(struct ks_advise *a)
{
	idle(a);
	communication(a);
	copies(a);
}
