/* SPDX-License-Identifier: Apache-2.0
 *
 * `explain METRIC[@KERNEL] FILE`: one value walked back to file, table and rows (contract 03 §23).
 * Finds the row; drawing it is render's.
 */
#include "analyze/select.h"
#include "base/str.h"
#include "cmd/command.h"
#include "cmd/nomatch.h"
#include "cmd/plan.h"
#include "cmd/profile.h"
#include "cmd/suggest.h"
#include "evidence/ratio.h"
#include "render/explain.h"
#include "source/source.h"

struct question {
	ks_str metric; /* ours */
	ks_str kernel; /* "" = the first that has the metric, most time first */
	const char *path;
	struct ks_redact *redact; /* NULL: nothing is redacted */
	enum ks_from from;
	const struct ks_ncu_info *ncu; /* set when ncu's name was translated */
};

/* METRIC[@KERNEL]; no metric name holds an '@', kernel names may. */
static enum ks_status read_question(const struct ks_opts *o, struct question *q, struct ks_err *err)
{
	const bool named = ks_opt_on(o, KS_OPT_KS_SQLITE) || ks_opt_on(o, KS_OPT_KS_SYNTHETIC);

	if (ks_opt_on(o, KS_OPT_KS_SQLITE) && ks_opt_on(o, KS_OPT_KS_SYNTHETIC))
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_TWO_SOURCES, "ks-sqlite",
				  "ks-synthetic", NULL);
	if (o->n_rest != (named ? 1 : 2))
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_EXPLAIN_WORDS, NULL);
	q->kernel = ks_str_c(o->rest[0]);
	q->metric = ks_str_cut(&q->kernel, '@');
	if (q->kernel.p == NULL)
		q->kernel = ks_str_c("");
	q->from = KS_FROM_SQLITE;
	if (ks_opt_on(o, KS_OPT_KS_SYNTHETIC)) {
		q->from = KS_FROM_SYNTHETIC;
	} else {
		q->path = named ? o->opt[KS_OPT_KS_SQLITE].value : o->rest[1];
		if (!named && ks_input_sniff(q->path) == KS_INPUT_JSON)
			q->from = KS_FROM_IMPORT;
	}
	return KS_OK;
}

/* ncu's name becomes ours; a name of neither is a slip of the hand, unless the report may know it.
 */
static enum ks_status check_metric(struct ks_app *app, struct question *q, struct ks_err *err)
{
	const struct ks_ncu_info *ncu = ks_ncu_find(q->metric);
	const ks_str given = ks_arena_dup(&app->arena, q->metric);

	q->metric = given;
	if (ks_metric_find(given) != KS_METRIC_NONE || q->from == KS_FROM_IMPORT)
		return KS_OK;
	if (ncu != NULL && ncu->ours[0] != '\0') {
		q->metric = ks_str_c(ncu->ours);
		q->ncu = ncu;
		return KS_OK;
	}
	const char *near = ks_suggest_metric(given);

	if (near != NULL)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_METRIC_NEAR, given.p, near,
				  NULL);
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_METRIC, given.p, NULL);
}

static const char *file_of(const struct question *q)
{
	return q->path != NULL ? q->path : "--ks-synthetic";
}

static enum ks_status no_kernel(const struct question *q, bool pattern, const struct ks_report *r,
				struct ks_arena *a, struct ks_err *err)
{
	const struct ks_nomatch what = {
		.asked = q->kernel,
		.pattern = pattern,
		.base = KS_NAMES_DEFAULT,
		.path = file_of(q),
		.name_text = KS_TEXT_ERR_CMD_NO_KERNEL_AT,
		.pattern_text = KS_TEXT_ERR_CMD_NO_KERNEL_AT_PATTERN,
		.max = pattern ? 5 : 1,
	};

	return ks_nomatch(a, &what, r, err);
}

/* The first kernel (most time first) whose full name, or else function name, fits. */
static enum ks_status first_fit(const struct question *q, struct ks_matcher *m,
				const struct ks_report *r, const struct ks_kernel **found,
				struct ks_err *err)
{
	static const enum ks_name_base bases[] = { KS_NAMES_DEMANGLED, KS_NAMES_FUNCTION };

	for (size_t b = 0; b < KS_ARRAY_LEN(bases); b++) {
		for (size_t i = 0; i < r->n_kernels; i++) {
			const struct ks_kernel *k = &r->kernel[i];
			bool hit = false;

			KS_TRY(ks_match_kernel(m, q->redact, k, bases[b], &hit, err));
			/* a pattern never means the device; its full name may be given */
			if (!hit || (k->is_device && ks_matcher_is_regex(m)))
				continue;
			*found = k;
			return KS_OK;
		}
	}
	return KS_OK;
}

static enum ks_status find_of_kernel(const struct question *q, const struct ks_report *r,
				     struct ks_arena *a, ks_id *id, struct ks_err *err)
{
	const struct ks_kernel *found = NULL;
	struct ks_matcher *m = NULL;

	KS_TRY(ks_matcher_open(&m, q->kernel, err));
	const bool pattern = ks_matcher_is_regex(m);
	const enum ks_status status = first_fit(q, m, r, &found, err);

	ks_matcher_close(m);
	KS_TRY(status);
	if (found == NULL)
		return no_kernel(q, pattern, r, a, err);
	*id = ks_ev_find(r->ev, q->metric, found->name);
	return KS_OK;
}

static enum ks_status find_row(const struct question *q, const struct ks_report *r,
			       struct ks_arena *a, ks_id *id, struct ks_err *err)
{
	*id = 0;
	if (q->kernel.n > 0)
		KS_TRY(find_of_kernel(q, r, a, id, err));
	/* by time, the rows of the device last */
	for (size_t i = 0; i < r->n_kernels && *id == 0 && q->kernel.n == 0; i++)
		*id = ks_ev_find(r->ev, q->metric, r->kernel[i].name);
	if (*id != 0)
		return KS_OK;

	if (q->from == KS_FROM_IMPORT && ks_metric_find(q->metric) == KS_METRIC_NONE) {
		const char *near = ks_suggest_metric(q->metric);

		if (near != NULL)
			return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_METRIC_NEAR, q->metric.p,
					  near, NULL);
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_METRIC, q->metric.p, NULL);
	}
	if (q->kernel.n == 0)
		return ks_err_set(err, KS_E_NOMATCH, KS_TEXT_ERR_CMD_NO_METRIC, file_of(q),
				  q->metric.p, NULL);
	return ks_err_set(err, KS_E_NOMATCH, KS_TEXT_ERR_CMD_NO_METRIC_ROW, file_of(q), q->metric.p,
			  q->kernel.p, NULL);
}

/* The original keeps no lineage, and its numbers follow other formulas than the tables here say. */
static enum ks_status read_report(struct ks_app *app, const struct question *q,
				  struct ks_profile *p, struct ks_err *err)
{
	KS_TRY(ks_ksreport_read(&app->ctx, q->path, &p->report, err));
	if (ks_report_is_original(p->report))
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_CMD_LEGACY_REPORT, q->path, NULL);
	return KS_OK;
}

static enum ks_status draw(struct ks_app *app, const struct ks_opts *o, const struct question *q,
			   const struct ks_report *r, struct ks_err *err)
{
	struct ks_explain e = { .report = r,
				.file = ks_redact_path(app->ctx.redact,
						       ks_str_c(q->path != NULL ? q->path : "")) };
	const struct ks_view view = { .term = app->term, .lang = ks_app_lang(app) };

	const enum ks_status status = find_row(q, r, &app->arena, &e.id, err);

	if (q->ncu != NULL)
		ks_say_translated(app, q->ncu, e.id != 0);
	KS_TRY(status);
	if (ks_opt_on(o, KS_OPT_JSON))
		return ks_explain_json(&app->ctx, &e, &app->out, err);
	return ks_explain_text(&app->ctx, &e, &view, &app->out, err);
}

static enum ks_status answer(struct ks_app *app, const struct ks_opts *o, struct ks_err *err)
{
	struct ks_profile p = { .report = NULL };
	struct ks_selection sel = { .kernel = ks_str_c("") };
	struct question q = { .redact = app->ctx.redact };

	KS_TRY(read_question(o, &q, err));
	KS_TRY(check_metric(app, &q, err));
	if (ks_plan_asked(o))
		return ks_plan_command(
			app, o, &(struct ks_plan_ask){ .from = q.from, .path = q.path }, err);
	ks_choose_set(sel.section_on, KS_SET_FULL);
	sel.timeline = true;
	sel.dtype = ks_str_c(ks_option_info(KS_OPT_KS_DTYPE)->deflt);
	sel.window_mode = ks_str_c(ks_option_info(KS_OPT_KS_WINDOW)->deflt);
	sel.ledger_basis = ks_str_c("");

	enum ks_status status = q.from == KS_FROM_IMPORT
					? read_report(app, &q, &p, err)
					: ks_profile_trace(app, q.from, q.path, &sel, &p, err);
	ks_progress_done(&app->progress);
	if (status == KS_OK)
		status = draw(app, o, &q, p.report, err);
	ks_profile_close(&p);
	return status;
}

enum ks_status ks_cmd_explain(struct ks_app *app, int argc, char **argv, struct ks_err *err)
{
	struct ks_opts o;

	KS_TRY(ks_command_begin(app, KS_CMD_EXPLAIN, &o, argc, argv, err));
	return o.answered ? KS_OK : answer(app, &o, err);
}
