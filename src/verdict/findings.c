/* SPDX-License-Identifier: Apache-2.0
 *
 * Judges what the rules claimed: what is worth telling, in which order. Invents no number.
 */
#include "verdict/findings_rule.h"

#include <stdlib.h>

#include "base/redact.h"
#include "base/str.h"
#include "evidence/run_row.h"
#include "evidence/value.h"

#define MOST	 9e18 /* that a count of a report can be */
#define ROUNDING 1e-9 /* of sums that were written in milliseconds */

struct judging {
	const struct ks_ctx *ctx;
	const struct ks_report *r;
	struct ks_finding_row *row;
	size_t n;
	double span_ms;
};

const char *ks_finding_state_name(enum ks_finding_state s)
{
	static const char *const names[] = {
		[KS_FINDING_FOUND] = "found", [KS_FINDING_BELOW] = "below",
		[KS_FINDING_CLEAR] = "clear", [KS_FINDING_REFUSED] = "refused",
		[KS_FINDING_OFF] = "off",
	};

	return names[s];
}

static bool number_of(const struct ks_ev *row, double *v)
{
	if (!row || row->prov == KS_PROV_UNAVAILABLE || !ks_value_is_number(&row->value))
		return false;
	*v = ks_value_real(&row->value);
	return true;
}

static const struct ks_ev *rule_row(const struct judging *j, const char *slug, const char *tail)
{
	return ks_run_row_find(j->r, ks_arena_fmt(j->ctx->run, "ks__finding_%s_%s", slug, tail).p);
}

static const struct ks_refused *refused_as(const struct judging *j, enum ks_refusal code)
{
	const struct ks_refuse_spec why = { .code = code };

	return ks_refused_make(j->r->ev, &why);
}

static ks_str text_of(const struct ks_ev *row)
{
	return row && row->value.kind == KS_V_TEXT ? row->value.s : KS_LIT("");
}

/* --- rules of the table --------------------------------------------------------------------------
 */

static const struct ks_ev *device_row(const struct judging *j, int64_t label, const char *what)
{
	if (label >= 0)
		return ks_run_row_of_device(j->r, label, what);
	return ks_run_row_find(j->r, ks_arena_fmt(j->ctx->run, "ks__device_unknown__%s", what).p);
}

/* False: no part of the span, which refuses the rule. Only a report that was read back has such. */
static bool take_part(const struct judging *j, double ms, struct ks_finding_row *f)
{
	const bool good = ms >= 0.0 && ms <= j->span_ms * (1.0 + ROUNDING);

	if (!good)
		f->refused = refused_as(j, KS_REFUSAL_INCONSISTENT_EVIDENCE);
	return good;
}

/* The device it takes most of. A row that was condemned is no number, and says so. */
static void take_devices(const struct judging *j, struct ks_finding_row *f)
{
	const char *slug = ks_rule_info(f->rule)->slug;
	const char *what = ks_arena_fmt(j->ctx->run, "finding_%s_ms", slug).p;

	for (size_t i = 0; what && i < j->r->n_gpus_used; i++) {
		const struct ks_ev *row = device_row(j, j->r->gpu[i].label, what);
		double ms;

		if (row && !number_of(row, &ms))
			f->refused = row->refused ? row->refused
						  : refused_as(j, KS_REFUSAL_INCONSISTENT_EVIDENCE);
		if (!number_of(row, &ms) || !take_part(j, ms, f) || ms <= f->ms)
			continue;
		f->ms = ms;
		f->device = j->r->gpu[i].label;
	}
}

static void take_time(const struct judging *j, struct ks_finding_row *f)
{
	const struct ks_rule_info *info = ks_rule_info(f->rule);
	double ms;

	f->no_bound = info->no_bound;
	f->bounded = info->no_bound == KS_REFUSAL_NONE;
	if (f->bounded)
		take_devices(j, f);
	else if (number_of(rule_row(j, info->slug, "touched_ms"), &ms) && take_part(j, ms, f))
		f->ms = ms;
	f->share_pct = f->ms > 0.0 ? 100.0 * f->ms / j->span_ms : 0.0;
}

/* A report that was read back may lack a rule that its version did not know, or hold any number. */
static void take_count(const struct judging *j, struct ks_finding_row *f)
{
	const struct ks_ev *count = rule_row(j, ks_rule_info(f->rule)->slug, "count");
	double n;

	if (count && count->prov == KS_PROV_UNAVAILABLE)
		f->refused = count->refused;
	else if (!number_of(count, &n))
		f->refused = refused_as(j, KS_REFUSAL_METRIC_ABSENT);
	else if (n < 0.0 || n >= MOST)
		f->refused = refused_as(j, KS_REFUSAL_INCONSISTENT_EVIDENCE);
	else
		f->count = (uint64_t)n;
}

static void judge(const struct judging *j, struct ks_finding_row *f)
{
	take_count(j, f);
	if (!f->refused)
		take_time(j, f);
	f->kernel = text_of(rule_row(j, ks_rule_info(f->rule)->slug, "kernel"));
	f->detail = text_of(rule_row(j, ks_rule_info(f->rule)->slug, "detail"));
	if (f->refused)
		f->state = KS_FINDING_REFUSED;
	else if (f->ms <= 0.0)
		f->state = KS_FINDING_CLEAR;
	else
		f->state = f->share_pct >= f->least_pct ? KS_FINDING_FOUND : KS_FINDING_BELOW;
}

static void add_rule(struct judging *j, enum ks_rule rule, const struct ks_own_rule *change)
{
	struct ks_finding_row *f = &j->row[j->n++];

	*f = (struct ks_finding_row){ .rule = rule,
				      .slug = ks_str_c(ks_rule_info(rule)->slug),
				      .device = -1,
				      .kernel = KS_LIT(""),
				      .detail = KS_LIT(""),
				      .metric = KS_LIT(""),
				      .least_pct = change ? change->least_pct
							  : ks_rule_info(rule)->least_pct };
	f->asked = change != NULL;
	if (change && change->off)
		f->state = KS_FINDING_OFF;
	else
		judge(j, f);
}

/* --- rules of the user's -------------------------------------------------------------------------
 */

static void look_at(const struct ks_own_rule *own, const struct ks_kernel *k,
		    const struct ks_ev *row, struct ks_finding_row *f)
{
	double v;

	if (!row || !ks_str_eq(row->name, own->metric))
		return;
	if (!number_of(row, &v)) {
		f->refused = f->refused ? f->refused : row->refused;
		return;
	}
	const bool first = f->state == KS_FINDING_REFUSED;

	f->unit = row->unit;
	if (!first && (own->above ? v <= f->value : v >= f->value))
		return;
	f->value = v;
	f->kernel = k->is_device ? KS_LIT("") : k->name;
	f->state = (own->above ? v > own->threshold : v < own->threshold) ? KS_FINDING_FOUND
									  : KS_FINDING_BELOW;
}

/* The row that is furthest past the threshold. */
static void add_own(struct judging *j, const struct ks_own_rule *own)
{
	struct ks_finding_row *f = &j->row[j->n++];

	*f = (struct ks_finding_row){ .slug = ks_redact_name(j->ctx->redact, KS_NAME_RULE,
							     ks_arena_dup(j->ctx->run, own->name)),
				      .state = KS_FINDING_REFUSED,
				      .asked = true,
				      .device = -1,
				      .kernel = KS_LIT(""),
				      .detail = KS_LIT(""),
				      .metric = own->metric,
				      .threshold = own->threshold,
				      .above = own->above,
				      .no_bound = KS_REFUSAL_NOT_APPLICABLE };
	for (size_t i = 0; i < j->r->n_kernels; i++) {
		const struct ks_kernel *k = &j->r->kernel[i];

		for (size_t s = 0; s < k->n_sections; s++) {
			for (size_t m = 0; m < k->section[s].n; m++)
				look_at(own, k, ks_ev_get(j->r->ev, k->section[s].row[m]), f);
		}
	}
	if (f->state != KS_FINDING_REFUSED)
		f->refused = NULL;
	else if (!f->refused)
		f->refused = refused_as(j, KS_REFUSAL_METRIC_ABSENT);
}

/* --- all of them ---------------------------------------------------------------------------------
 */

static int by_weight(const void *x, const void *y)
{
	const struct ks_finding_row *a = x, *b = y;

	if (a->state != b->state)
		return a->state < b->state ? -1 : 1;
	if ((a->rule == KS_RULE_NONE) != (b->rule == KS_RULE_NONE))
		return a->rule == KS_RULE_NONE ? -1 : 1;
	if (a->bounded != b->bounded)
		return a->bounded ? -1 : 1;
	if (a->ms < b->ms || a->ms > b->ms)
		return a->ms > b->ms ? -1 : 1;
	if (a->rule != b->rule)
		return a->rule < b->rule ? -1 : 1;
	return ks_str_cmp(a->slug, b->slug);
}

static void count_states(const struct judging *j, struct ks_findings *out)
{
	for (size_t i = 0; i < j->n; i++) {
		out->n_found += j->row[i].state == KS_FINDING_FOUND;
		out->n_below += j->row[i].state == KS_FINDING_BELOW;
		out->n_clear += j->row[i].state == KS_FINDING_CLEAR;
		out->n_refused += j->row[i].state == KS_FINDING_REFUSED;
	}
}

static enum ks_status judge_all(struct judging *j, struct ks_err *err)
{
	struct ks_own_rule change[KS_RULE_COUNT], own;
	bool changed[KS_RULE_COUNT] = { false };

	for (size_t i = 0; i < j->r->n_rules; i++) {
		KS_TRY(ks_own_rule_read(j->r->rule[i], &own, err));
		changed[own.rule] = own.rule != KS_RULE_NONE;
		change[own.rule] = own;
	}
	for (unsigned r = KS_RULE_NONE + 1; r < KS_RULE_COUNT; r++)
		add_rule(j, (enum ks_rule)r, changed[r] ? &change[r] : NULL);
	for (size_t i = 0; i < j->r->n_rules; i++) {
		KS_TRY(ks_own_rule_read(j->r->rule[i], &own, err));
		if (own.rule == KS_RULE_NONE)
			add_own(j, &own);
	}
	return KS_OK;
}

static bool any_rows(const struct judging *j)
{
	for (unsigned r = KS_RULE_NONE + 1; r < KS_RULE_COUNT; r++) {
		if (rule_row(j, ks_rule_info((enum ks_rule)r)->slug, "count"))
			return true;
	}
	return false;
}

enum ks_status ks_findings_make(const struct ks_ctx *ctx, const struct ks_report *r,
				const struct ks_findings **out, struct ks_err *err)
{
	struct judging j = { .ctx = ctx, .r = r };
	struct ks_findings *f;

	*out = NULL;
	if (r->n_rules == 0 && !any_rows(&j))
		return KS_OK;
	f = KS_ARENA_NEW(ctx->run, struct ks_findings);
	j.row = KS_ARENA_NEWS(ctx->run, struct ks_finding_row, KS_RULE_COUNT + r->n_rules);
	if (!f || !j.row)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_VD_NO_MEMORY, NULL);
	if (!number_of(ks_run_row_find(r, "ks__trace_span_ms"), &j.span_ms) ||
	    j.span_ms * KS_NS_PER_MS >= MOST)
		j.span_ms = 0.0; /* no share of that can be told */
	KS_TRY(judge_all(&j, err));
	if (ks_arena_failed(ctx->run))
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_VD_NO_MEMORY, NULL);
	qsort(j.row, j.n, sizeof(*j.row), by_weight);
	f->row = j.row;
	f->n = j.n;
	count_states(&j, f);
	*out = f;
	return KS_OK;
}
