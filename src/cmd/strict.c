/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of --strict over a finished report. Looks at rows, changes none.
 */
#include "cmd/strict.h"

#include <jansson.h>

#include "base/num.h"
#include "base/str.h"

struct strict {
	struct ks_app *app;
	const struct ks_settings *s;
	const struct ks_report *report;
	unsigned violations;
};

static void violation(struct strict *st, enum ks_text text, const char *a, const char *b)
{
	st->violations++;
	ks_app_say(st->app, KS_LOG_STRICT, text, a, b, NULL);
}

/* 1: an option of ncu that has no effect here. */
static void rule_inert(struct strict *st)
{
	for (int id = KS_OPT_NONE + 1; id < KS_OPT_COUNT; id++) {
		const struct ks_option_info *info = ks_option_info((enum ks_option)id);

		if (info->ncu == KS_NCU_INERT && ks_opt_on(&st->s->opts, (enum ks_option)id))
			violation(st, KS_TEXT_CMD_STRICT_INERT, info->name, NULL);
	}
}

/* 2: something of the environment was refused when the report was made. Only a report that is read
 * back can say so: a recorded trace has no environment of its own here. */
static void rule_environment(struct strict *st)
{
	const ks_str meta = st->report->raw_meta;

	if (meta.n == 0)
		return;
	json_t *root = json_loadb(meta.p, meta.n, JSON_REJECT_DUPLICATES, NULL);
	const json_t *list = json_object_get(root, "environment_refusals");

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *item = json_array_get(list, i);
		const char *code = json_string_value(json_object_get(item, "code"));
		const char *message = json_string_value(json_object_get(item, "message"));

		violation(st, KS_TEXT_CMD_STRICT_ENV, code != NULL ? code : "?",
			  message != NULL ? message : "");
	}
	json_decref(root);
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
static void rule_metrics(struct strict *st)
{
	for (size_t i = 0; i < st->s->n_asked; i++) {
		const struct ks_asked *a = &st->s->asked[i];
		const struct ks_ev *row = find_row(st->report, a->name);

		if (a->ncu != NULL && a->ncu->kind == KS_NCU_SUBSTITUTE)
			violation(st, KS_TEXT_CMD_STRICT_SUBSTITUTE, a->given.p, a->ncu->ours);
		else if (a->ncu != NULL && a->ncu->kind == KS_NCU_NONE)
			violation(st, KS_TEXT_CMD_STRICT_COUNTERS, a->given.p, NULL);
		else if (ks_is_counter_name(a->given))
			violation(st, KS_TEXT_CMD_STRICT_COUNTERS, a->given.p, NULL);
		else if (row == NULL)
			violation(st, KS_TEXT_CMD_STRICT_ABSENT, a->given.p, NULL);
		else if (row->prov == KS_PROV_UNAVAILABLE)
			violation(st, KS_TEXT_CMD_STRICT_REFUSED, a->given.p,
				  ks_refused_slug(row->refused).p);
	}
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

		if (info->in_strict_list && st->s->sel.section_on[i] &&
		    !section_has_value(st->report, (enum ks_section)i))
			violation(st, KS_TEXT_CMD_STRICT_SECTION, info->name, NULL);
	}
}

/* 6: a page that cannot be given. */
static void rule_page(struct strict *st)
{
	if (ks_opt_is(&st->s->opts, KS_OPT_PAGE, "source"))
		violation(st, KS_TEXT_CMD_STRICT_PAGE, NULL, NULL);
}

enum ks_status ks_strict_check(struct ks_app *app, const struct ks_settings *s,
			       const struct ks_report *report, struct ks_err *err)
{
	struct strict st = { app, s, report, 0 };
	char count[KS_NUM_LEN];

	if (!s->strict)
		return KS_OK;
	rule_inert(&st);
	if (report != NULL) {
		rule_environment(&st);
		rule_metrics(&st);
		rule_sections(&st);
	}
	rule_page(&st);
	if (st.violations == 0)
		return KS_OK;
	(void)ks_num_u64(count, st.violations);
	return ks_err_set(err, KS_E_STRICT, KS_TEXT_ERR_CMD_STRICT, count, NULL);
}
