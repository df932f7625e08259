/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of --strict over a finished report. Looks at rows, changes none, says nothing itself.
 */
#include "verdict/strict.h"

#include "verdict/findings.h"
#include "verdict/verdict.h"

#include "base/str.h"
#include "verdict/environment.h"

struct strict {
	const struct ks_report *report;
	const struct ks_strict_ask *ask;
	struct ks_violation *list; /* room for every rule at its most */
	size_t n;
};

static void violation(struct strict *st, enum ks_text text, ks_str a, ks_str b)
{
	st->list[st->n++] = (struct ks_violation){ text, a, b };
}

/* 2: something of the environment was refused when the report was made. Only a report that is read
 * back can say so: a recorded trace has no environment of its own here. */
static void rule_environment(struct strict *st, const struct ks_env_refusal *env, size_t n)
{
	for (size_t i = 0; i < n; i++)
		violation(st, KS_TEXT_CMD_STRICT_ENV, env[i].slug,
			  env[i].message.n > 0 ? env[i].message : KS_LIT(""));
}

/* The first row of that name that has a value, else any row of that name, else NULL. */
static const struct ks_ev *find_row(const struct ks_report *r, ks_str name)
{
	const struct ks_ev *found = NULL;
	const size_t n = ks_store_count(r->ev);

	for (size_t id = 1; id <= n; id++) {
		const struct ks_ev *row = ks_ev_get(r->ev, (ks_id)id);

		if (row == NULL || !ks_str_eq(row->name, name))
			continue;
		if (row->prov != KS_PROV_UNAVAILABLE)
			return row;
		found = row;
	}
	return found;
}

/* 3: a metric that was asked for and has no value of that very name. */
static void rule_metric(struct strict *st, const struct ks_strict_name *m)
{
	const struct ks_ev *row = find_row(st->report, m->name);

	if (m->ncu != NULL && m->ncu->kind == KS_NCU_SUBSTITUTE)
		violation(st, KS_TEXT_CMD_STRICT_SUBSTITUTE, m->given, ks_str_c(m->ncu->ours));
	else if ((m->ncu != NULL && m->ncu->kind == KS_NCU_NONE) || ks_is_counter_name(m->given))
		violation(st, KS_TEXT_CMD_STRICT_COUNTERS, m->given, KS_LIT(""));
	else if (row == NULL)
		violation(st, KS_TEXT_CMD_STRICT_ABSENT, m->given, KS_LIT(""));
	else if (row->prov == KS_PROV_UNAVAILABLE)
		violation(st, KS_TEXT_CMD_STRICT_REFUSED, m->given, ks_refused_slug(row->refused));
}

static bool section_has_value(const struct ks_report *r, enum ks_section id)
{
	for (size_t k = 0; k < r->n_kernels; k++) {
		const struct ks_kernel *kernel = &r->kernel[k];

		for (size_t i = 0; i < kernel->n_sections; i++) {
			const struct ks_section_rows *rows = &kernel->section[i];

			if (rows->section == id && rows->n > rows->n_refused)
				return true;
		}
	}
	return false;
}

/* 4: a section that needs counters and produced nothing: named ones, else those of the set. */
static void rule_sections(struct strict *st)
{
	for (int i = KS_SECTION_NONE + 1; i < KS_SECTION_COUNT; i++) {
		const struct ks_section_info *info = ks_section_info((enum ks_section)i);

		if (info->in_strict_list && st->ask->section_on[i] &&
		    !section_has_value(st->report, (enum ks_section)i))
			violation(st, KS_TEXT_CMD_STRICT_SECTION, ks_str_c(info->name), KS_LIT(""));
	}
}

/* 5: a comparison with a ledger that was asked for. Which of the two rows there is depends on
 * whether a number or a range was given; neither is as bad as a refused one. */
static void rule_ledger(struct strict *st)
{
	static const enum ks_metric row_id[] = { KS_METRIC_EST_DRAM_VS_LEDGER_ERR_PCT,
						 KS_METRIC_EST_DRAM_RANGE_POSITION_PCT };
	bool any = false;

	for (size_t i = 0; i < KS_ARRAY_LEN(row_id); i++) {
		const ks_str name = ks_str_c(ks_metric_info(row_id[i])->name);
		const struct ks_ev *row = find_row(st->report, name);

		any = any || row != NULL;
		if (row != NULL && row->prov == KS_PROV_UNAVAILABLE)
			violation(st, KS_TEXT_DC_STRICT_LEDGER, name,
				  ks_refused_slug(row->refused));
	}
	if (!any)
		violation(st, KS_TEXT_DC_STRICT_LEDGER, ks_str_c(ks_metric_info(row_id[0])->name),
			  ks_str_c(ks_refusal_info(KS_REFUSAL_METRIC_ABSENT)->slug));
}

/* 7: what a price or tokens were given for. */
static void rule_money(struct strict *st, enum ks_metric metric, enum ks_text text)
{
	const ks_str name = ks_str_c(ks_metric_info(metric)->name);
	const struct ks_ev *row = find_row(st->report, name);

	if (row == NULL)
		violation(st, text, name,
			  ks_str_c(ks_refusal_info(KS_REFUSAL_METRIC_ABSENT)->slug));
	else if (row->prov == KS_PROV_UNAVAILABLE)
		violation(st, text, name, ks_refused_slug(row->refused));
}

/* 8: what --ks-rule names. */
static void rule_findings(struct strict *st, const struct ks_findings *f)
{
	for (size_t i = 0; f && i < f->n; i++) {
		const struct ks_finding_row *row = &f->row[i];

		if (row->asked && row->state == KS_FINDING_FOUND)
			violation(st, KS_TEXT_DC_STRICT_RULE, row->slug, KS_LIT(""));
		else if (row->asked && row->state == KS_FINDING_REFUSED)
			violation(st, KS_TEXT_DC_STRICT_RULE_REFUSED, row->slug,
				  ks_refused_slug(row->refused));
	}
}

const struct ks_violation *ks_strict_violations(const struct ks_report *r,
						const struct ks_strict_ask *ask, enum ks_lang lang,
						struct ks_arena *a, size_t *n)
{
	size_t n_env = 0;
	const struct ks_env_refusal *env = ks_environment(r, lang, a, &n_env);
	struct strict st = { .report = r, .ask = ask };
	const size_t most = n_env + ask->n_metrics + KS_SECTION_COUNT + r->n_rules + 5;

	*n = 0;
	st.list = KS_ARENA_NEWS(a, struct ks_violation, most);
	if (!env || !st.list)
		return NULL;
	rule_environment(&st, env, n_env);
	for (size_t i = 0; i < ask->n_metrics; i++)
		rule_metric(&st, &ask->metric[i]);
	rule_sections(&st);
	if (ask->ledger)
		rule_ledger(&st);
	if (ask->price)
		rule_money(&st, KS_METRIC_KS_COST_PER_HOUR, KS_TEXT_DC_STRICT_PRICE);
	if (ask->tokens) {
		rule_money(&st, KS_METRIC_KS_TOKENS_PER_S, KS_TEXT_DC_STRICT_TOKENS);
		rule_money(&st, KS_METRIC_KS_COST_PER_MTOK, KS_TEXT_DC_STRICT_TOKENS);
	}
	rule_findings(&st, r->verdicts ? r->verdicts->findings : NULL);
	*n = st.n;
	return st.list;
}
