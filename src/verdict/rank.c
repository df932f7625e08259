/* SPDX-License-Identifier: Apache-2.0
 *
 * The ranking decisions: which kernel takes the time, what share that is, what limits its
 * occupancy. Numbers come from evidence rows, or from the report's exact sums where a section was
 * not chosen.
 */
#include "base/str.h"
#include "evidence/ratio.h"
#include "evidence/rest.h"
#include "evidence/run_row.h"
#include "evidence/value.h"
#include "verdict/verdict_internal.h"

#define TOP_SHARES 3 /* entries of saving_estimate_share.top (contract 02 §6) */

static double ms(ks_ns ns)
{
	return (double)ns / KS_NS_PER_MS;
}

const struct ks_ev *ks_decide_stored(const struct ks_decide *d, enum ks_metric metric)
{
	const struct ks_store *ev = d->report->ev;

	return ks_ev_get(ev, ks_ev_find(ev, ks_str_c(ks_metric_info(metric)->name), d->top->name));
}

static struct ks_value device_ids(struct ks_decide *d)
{
	size_t n = d->report->n_gpus_used;
	struct ks_value *id = KS_ARENA_NEWS(d->arena, struct ks_value, n);

	for (size_t i = 0; id && i < n; i++)
		id[i] = KS_VAL_INT(d->report->gpu[i].label);
	return (struct ks_value){ .kind = KS_V_ARRAY, .item = id, .n = id ? n : 0 };
}

/* Negative when it is none. */
static double number(const struct ks_ev *row)
{
	return ks_decide_is_number(row) ? ks_decide_real(row) : -1.0;
}

/* Largest of a row over the devices, negative when none has it. */
static double worst_device(const struct ks_decide *d, const char *what)
{
	double worst = -1.0;

	for (size_t i = 0; i < d->report->n_gpus_used; i++) {
		const double v =
			number(ks_run_row_of_device(d->report, d->report->gpu[i].label, what));

		worst = v > worst ? v : worst;
	}
	return worst;
}

/* What no kernel can be blamed for, where it is worth a look: a device that waits a tenth of the
 * time, and communication that no computation hides. */
static void waiting_facts(struct ks_decide *d, struct ks_facts *f)
{
	const double idle = worst_device(d, "idle_share_pct");
	const double gap = worst_device(d, "idle_gap_max_ms");
	const double exposed = number(ks_run_row_find(d->report, "ks__comm_exposed_ms"));

	if (idle >= KS_WORTH_IDLE_PCT)
		ks_facts_add(f, "idle_pct", KS_VAL_REAL(idle));
	if (idle >= KS_WORTH_IDLE_PCT && gap > 0.0)
		ks_facts_add(f, "idle_gap_max_ms", KS_VAL_REAL(gap));
	if (exposed > 0.0)
		ks_facts_add(f, "comm_exposed_ms", KS_VAL_REAL(exposed));
}

static void kernel_time_facts(struct ks_decide *d, struct ks_verdict_row *row)
{
	const struct ks_report *r = d->report;
	struct ks_facts f;

	if (!ks_facts_open(&f, d->arena))
		return;
	ks_facts_add(&f, "top", KS_VAL_TEXT(d->top->name));
	ks_facts_add(&f, "top_ms", KS_VAL_REAL(ms(d->top->total_ns)));
	ks_facts_add(&f, "launches", KS_VAL_INT((int64_t)d->top->launches));
	ks_facts_add(&f, "share_pct", KS_VAL_REAL(d->top->share_pct));
	ks_facts_add(&f, "total_ms", KS_VAL_REAL(ms(r->kernel_ns)));
	ks_facts_add(&f, "n_kernels", KS_VAL_INT((int64_t)r->total_kernels));
	if (r->n_gpus_used > 1)
		ks_facts_add(&f, "device_ids", device_ids(d));
	waiting_facts(d, &f);
	row->fact = f.kv;
	row->n_facts = f.n;
}

static void kernel_time_premises(struct ks_decide *d, struct ks_verdict_row *row)
{
	const double of_span_pct = ks_report_kernel_time_pct(d->report);
	struct ks_premise_row *p = KS_ARENA_NEWS(d->arena, struct ks_premise_row, 2);

	if (!p)
		return;
	row->premise = p;
	p[row->n_premises++] = ks_premise_row(KS_PREMISE_KERNEL_SHARE_OF_TOTAL,
					      KS_VAL_REAL(d->top->share_pct), KS_VAL_NONE, true);
	if (of_span_pct >= 0.0)
		p[row->n_premises++] = ks_premise_row(KS_PREMISE_KERNEL_TIME_PCT_OF_WALL,
						      KS_VAL_REAL(of_span_pct), KS_VAL_NONE, true);
}

/* -k with the name it looks at, ready to be pasted. */
static struct ks_msg look_closer(struct ks_decide *d)
{
	struct ks_msg m = { .id = KS_TEXT_VD_NEXT_KERNEL_TIME };
	ks_str *name = KS_ARENA_NEW(d->arena, ks_str);

	if (!name)
		return m;
	const bool whole = d->top->base.n == 0 || d->report->redacted == KS_REDACT_NAMES;

	*name = ks_kernel_word(d->arena, whole ? d->top->name : d->top->base);
	if (name->n == 0)
		*name = KS_LIT("NAME");
	m.arg = name;
	m.n = 1;
	return m;
}

static void longest(struct ks_decide *d)
{
	struct ks_verdict_row *row = ks_decide_add(d, KS_VERDICT_KERNEL_TIME, KS_VERDICT_STATUS_OK);
	const struct ks_ev *total = ks_decide_stored(d, KS_METRIC_GPU_TIME_DURATION_SUM);

	ks_decide_rests_on(d, row, &total, 1);
	if (total && total->refused) {
		ks_decide_refuse(row, total->refused);
		return;
	}
	row->value = total ? total->value : KS_VAL_REAL(ms(d->top->total_ns));
	row->unit = total ? total->unit : KS_UNIT_MS;
	row->prov = total ? total->prov : KS_PROV_EXACT;
	row->next = look_closer(d);
	kernel_time_facts(d, row);
	kernel_time_premises(d, row);
}

static struct ks_value top_shares(struct ks_decide *d)
{
	struct ks_value *item = KS_ARENA_NEWS(d->arena, struct ks_value, TOP_SHARES);
	struct ks_kv *kv = KS_ARENA_NEWS(d->arena, struct ks_kv, 2 * TOP_SHARES);
	const struct ks_report *r = d->report;
	size_t n = 0;

	for (; item && kv && n < TOP_SHARES && n < ks_report_kernels(r); n++) {
		const struct ks_kernel *k = &r->kernel[n];

		kv[2 * n] = (struct ks_kv){ KS_LIT("kernel"), KS_VAL_TEXT(k->name) };
		kv[2 * n + 1] = (struct ks_kv){ KS_LIT("pct"), KS_VAL_REAL(k->share_pct) };
		item[n] = (struct ks_value){ .kind = KS_V_OBJECT, .field = &kv[2 * n], .n = 2 };
	}
	return (struct ks_value){ .kind = KS_V_ARRAY, .item = item, .n = n };
}

/* What is missing before a share of time becomes a sum of money. */
static ks_str needs(const struct ks_decide *d)
{
	const bool work = ks_decide_has_value(ks_decide_ev(d, KS_METRIC_EST_ACHIEVED_GBS));
	const bool price = ks_decide_has_value(ks_decide_ev(d, KS_METRIC_KS_COST_PER_HOUR));

	if (work)
		return price ? KS_LIT("workload") : KS_LIT("price");
	return price ? KS_LIT("calibration") : KS_LIT("calibration,price");
}

void ks_decide_time_share(struct ks_decide *d, struct ks_facts *f)
{
	struct ks_value top = top_shares(d);

	ks_facts_add(f, "basis", KS_VAL_TEXT(KS_LIT("time_share")));
	ks_facts_add(f, "money", KS_VAL_TEXT(KS_LIT("unavailable")));
	ks_facts_add(f, "needs", KS_VAL_TEXT(needs(d)));
	ks_facts_add(f, "n", KS_VAL_INT((int64_t)ks_report_kernels(d->report)));
	ks_facts_add(f, "top_kernel", KS_VAL_TEXT(d->top->name));
	ks_facts_add(f, "top_pct", KS_VAL_REAL(d->top->share_pct));
	ks_facts_add(f, "top", top);
}

enum ks_text ks_occupancy_hint(const struct ks_ev *limiter)
{
	static const struct {
		const char *limiter;
		enum ks_text hint;
	} hints[] = {
		{ "registers", KS_TEXT_VD_NEXT_OCC_REGISTERS },
		{ "shared_mem", KS_TEXT_VD_NEXT_OCC_SHARED_MEM },
		{ "block_limit", KS_TEXT_VD_NEXT_OCC_BLOCK_LIMIT },
		{ "threads", KS_TEXT_VD_NEXT_OCC_THREADS },
		{ "warps", KS_TEXT_VD_NEXT_OCC_THREADS },
		{ "threads+warps", KS_TEXT_VD_NEXT_OCC_THREADS },
	};

	if (!limiter || limiter->value.kind != KS_V_TEXT)
		return KS_TEXT_NONE;
	for (size_t i = 0; i < KS_ARRAY_LEN(hints); i++)
		if (ks_str_eqc(limiter->value.s, hints[i].limiter))
			return hints[i].hint;
	return KS_TEXT_VD_NEXT_OCC_SEVERAL;
}

void ks_decide_occupancy(struct ks_decide *d)
{
	if (!d->top)
		return;
	const struct ks_ev *ev[3] = {
		ks_decide_stored(d, KS_METRIC_MEAS_ACHIEVED_OCCUPANCY_PCT),
		ks_decide_stored(d, KS_METRIC_KS_THEORETICAL_OCCUPANCY_PCT),
		ks_decide_stored(d, KS_METRIC_KS_OCCUPANCY_LIMITER),
	};
	bool achieved = ev[0] && ev[0]->value.kind != KS_V_NONE;
	const struct ks_ev *value = achieved ? ev[0] : ev[1];
	struct ks_facts f;

	if (!value)
		return;
	struct ks_verdict_row *row = ks_decide_add(
		d, KS_VERDICT_OCCUPANCY, achieved ? KS_VERDICT_STATUS_OK : KS_VERDICT_STATUS_SOFT);

	ks_decide_rests_on(d, row, ev, KS_ARRAY_LEN(ev));
	if (value->refused) {
		ks_decide_refuse(row, value->refused);
		return;
	}
	ks_decide_value(row, value);
	if (!ks_facts_open(&f, d->arena))
		return;
	if (ev[1] && ev[1]->value.kind != KS_V_NONE)
		ks_facts_add(&f, "theoretical_pct", ev[1]->value);
	if (achieved)
		ks_facts_add(&f, "achieved_pct", ev[0]->value);
	if (ev[2] && ev[2]->value.kind != KS_V_NONE)
		ks_facts_add(&f, "limiter", ev[2]->value);
	row->fact = f.kv;
	row->n_facts = f.n;
	row->next.id =
		ks_value_real(&value->value) < 100.0 ? ks_occupancy_hint(ev[2]) : KS_TEXT_NONE;
}

/* A report of the original says only that it has none. */
static bool cause_known(const struct ks_report *r)
{
	const struct ks_contents *c = &r->contents;

	return !r->reread || c->why_no_kernels != KS_NK_NONE || c->bad_kernels > 0 ||
	       c->skipped > 0;
}

/* No kernel at all: the one decision there is says why. */
static void nothing(struct ks_decide *d)
{
	struct ks_verdict_row *row =
		ks_decide_add(d, KS_VERDICT_KERNEL_TIME, KS_VERDICT_STATUS_REFUSED);
	struct ks_nothing why = ks_nothing_to_rank(d->report);
	const struct ks_contents *c = &d->report->contents;
	struct ks_kv observed[4] = {
		{ KS_LIT("launches"), KS_VAL_INT(0) },
		{ KS_LIT("cause"), KS_VAL_TEXT(ks_str_c(why.cause)) },
		{ KS_LIT("bad_rows"), KS_VAL_INT((int64_t)c->bad_kernels) },
		{ KS_LIT("graph_rows"), KS_VAL_INT((int64_t)c->graph_rows) },
	};

	row->refused = ks_refused_make(d->report->ev,
				       &(struct ks_refuse_spec){
					       .code = cause_known(d->report)
							       ? KS_REFUSAL_NO_LAUNCH_ACTIVITY
							       : KS_REFUSAL_NO_KERNELS,
					       .message = { .id = why.why },
					       .observed = observed,
					       .n_observed = KS_ARRAY_LEN(observed),
					       .action = { .id = why.action },
					       .command = ks_str_c(why.command),
				       });
}

void ks_decide_kernel_time(struct ks_decide *d)
{
	if (d->top)
		longest(d);
	else
		nothing(d);
}
