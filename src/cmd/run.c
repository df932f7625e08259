/* SPDX-License-Identifier: Apache-2.0
 *
 * The main command: settings, checks, report, outputs, in this order. A program is not started
 * here.
 */
#include "cmd/run.h"

#include "base/str.h"
#include "base/utf8.h"
#include "cmd/help.h"
#include "cmd/outputs.h"
#include "cmd/plan.h"
#include "base/shell.h"
#include "cmd/strict.h"
#include "cmd/suggest.h"
#include "cmd/word.h"

/* A program was named: this version reads recordings, so say how to make one of exactly this run.
 */
static enum ks_status refuse_live(const struct ks_settings *s, struct ks_err *err)
{
	struct ks_buf program;

	ks_buf_init(&program, KS_ERR_ARG_LEN);
	for (int i = 0; i < s->opts.n_rest && !ks_buf_failed(&program); i++)
		ks_shell_word(&program, s->opts.rest[i]);
	const bool fits = !ks_buf_failed(&program);
	const enum ks_status status =
		ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_LIVE,
			   fits ? ks_buf_text(&program) : s->opts.rest[0], NULL);

	ks_buf_release(&program);
	return status;
}

/* No source was named. Words that are left are a program, unless the first is plainly a recording.
 */
static enum ks_status without_source(struct ks_app *app, const struct ks_settings *s,
				     struct ks_err *err)
{
	if (s->file[KS_FILE_MAP] != NULL && s->opts.n_rest == 0) {
		if (strcmp(s->file[KS_FILE_MAP], "-") == 0)
			return ks_name_map_print(app, &app->out, err);
		KS_TRY(ks_outputs_check(app, s, err));
		return ks_name_map_write(app, s->file[KS_FILE_MAP], s->force ? KS_OUT_FORCE : 0,
					 err);
	}
	if (s->opts.n_rest == 0)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_TARGET, NULL);

	KS_TRY(ks_word_check(app, s->opts.rest[0], err));
	return refuse_live(s, err);
}

static bool has_row(const struct ks_report *report, ks_str name)
{
	const size_t n = ks_store_count(report->ev);

	for (size_t id = 1; id <= n; id++) {
		if (ks_str_eq(ks_ev_get(report->ev, (ks_id)id)->name, name))
			return true;
	}
	return false;
}

/* A name that no row of this report has is worth a word: the output will be empty of it. */
static void remark_asked(struct ks_app *app, const struct ks_settings *s,
			 const struct ks_report *report)
{
	for (size_t i = 0; i < s->n_asked; i++) {
		const struct ks_asked *a = &s->asked[i];
		const bool found = has_row(report, a->name);

		if (a->ncu != NULL && a->ncu->kind == KS_NCU_SUBSTITUTE) {
			ks_say_translated(app, a->ncu, found);
			continue;
		}
		if (found)
			continue;
		const char *near = ks_metric_find(a->given) == KS_METRIC_NONE && a->ncu == NULL
					   ? ks_suggest_metric(a->given)
					   : NULL;

		ks_app_say(app, KS_LOG_WARN,
			   near != NULL ? KS_TEXT_CMD_METRIC_UNMATCHED_NEAR
					: KS_TEXT_CMD_METRIC_UNMATCHED,
			   a->given.p, near, NULL);
	}
}

/* The picture or the table is then empty; the reason belongs on the terminal as well. */
static enum ks_status remark_occupancy(struct ks_app *app, const struct ks_settings *s,
				       const struct ks_report *report, struct ks_err *err)
{
	const struct ks_occ_picture *p = report->occupancy;
	struct ks_buf why, kernel;

	if (p == NULL || p->refusal == KS_REFUSAL_NONE)
		return KS_OK;
	const struct ks_refused refused = { .code = p->refusal, .message = p->why };

	ks_buf_init(&why, KS_ERR_ARG_LEN);
	ks_buf_init(&kernel, 2 * KS_ERR_ARG_LEN);
	ks_refused_message(report->ev, &refused, s->view.lang, &why);
	ks_buf_add(&kernel, p->kernel.p, ks_utf8_prefix(p->kernel, KS_ERR_ARG_LEN));
	const bool fits = !ks_buf_failed(&why) && !ks_buf_failed(&kernel);

	if (fits)
		ks_app_say(app, KS_LOG_WARN,
			   p->kernel.n > 0 ? KS_TEXT_CMD_OCCUPANCY_NONE
					   : KS_TEXT_CMD_OCCUPANCY_NO_KERNEL,
			   ks_buf_text(&why), ks_refusal_info(p->refusal)->slug,
			   ks_buf_text(&kernel), NULL);
	ks_buf_release(&kernel);
	ks_buf_release(&why);
	return fits ? KS_OK : ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
}

static enum ks_status run_source(struct ks_app *app, const struct ks_settings *s,
				 struct ks_err *err)
{
	struct ks_profile p;
	enum ks_status status;

	KS_TRY(ks_outputs_check(app, s, err));
	KS_TRY(ks_profile_open(app, s, &p, err));
	if (p.report != NULL)
		remark_asked(app, s, p.report);
	/* what was just measured is worth keeping whatever --strict says; a re-read report is not
	 */
	status = s->from == KS_FROM_IMPORT ? ks_strict_check(app, s, p.report, err) : KS_OK;
	if (status == KS_OK)
		status = ks_outputs_write(app, s, &p, err);
	if (status == KS_OK && p.report != NULL)
		status = remark_occupancy(app, s, p.report, err);
	if (status == KS_OK && s->from != KS_FROM_IMPORT)
		status = ks_strict_check(app, s, p.report, err);
	if (status == KS_OK)
		status = ks_outputs_case(app, s, &p, err);
	ks_profile_close(&p);
	return status;
}

/* `kernoscope --plan doctor`: a program of that name is not meant. */
static enum ks_status check_planned(const struct ks_settings *s, struct ks_err *err)
{
	enum ks_command id = KS_CMD_NONE;

	if (s->opts.n_rest > 0 && !s->opts.dashdash &&
	    ks_command_find(ks_str_c(s->opts.rest[0]), &id))
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_PLAN_COMMAND, s->opts.rest[0],
				  NULL);
	if (s->from == KS_FROM_NONE && s->file[KS_FILE_MAP] == NULL)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_TARGET, NULL);
	return KS_OK;
}

static enum ks_status show_plan(struct ks_app *app, const struct ks_settings *s, struct ks_err *err)
{
	struct ks_plan plan;

	KS_TRY(check_planned(s, err));
	ks_plan_begin(app, &plan, app->argc - 1, app->argv + 1);
	KS_TRY(ks_plan_main(app, s, &plan, err));
	return ks_plan_print(app, &s->opts, &plan, err);
}

static enum ks_status answer(struct ks_app *app, const struct ks_settings *s, bool recorded,
			     struct ks_err *err)
{
	if (ks_opt_on(&s->opts, KS_OPT_VERSION)) {
		ks_help_version(app);
		return KS_OK;
	}
	if (ks_opt_on(&s->opts, KS_OPT_HELP))
		return ks_help_words(app,
				     &(struct ks_help_ask){ &s->opts, recorded ? "report" : NULL,
							    s->opts.n_rest, s->opts.rest, false },
				     err);
	if (ks_opt_on(&s->opts, KS_OPT_LIST_SETS)) {
		ks_help_sets(app);
		return KS_OK;
	}
	if (ks_plan_asked(&s->opts))
		return show_plan(app, s, err);
	if (s->from == KS_FROM_NONE)
		return without_source(app, s, err);
	return run_source(app, s, err);
}

enum ks_status ks_run(struct ks_app *app, int argc, char **argv, bool recorded, struct ks_err *err)
{
	struct ks_settings s;
	enum ks_status status = ks_settings_read(app, &s, argc, argv, recorded, err);

	if (status == KS_OK)
		status = answer(app, &s, recorded, err);
	ks_settings_release(&s);
	return status;
}

enum ks_status ks_cmd_main(struct ks_app *app, int argc, char **argv, struct ks_err *err)
{
	return ks_run(app, argc, argv, false, err);
}
