/* SPDX-License-Identifier: Apache-2.0
 *
 * Joins a source with the analysis and the verdicts; the only place that knows both. Gives a file
 * that is not what it should be the advice it needs.
 */
#include "cmd/profile.h"

#include "base/scrub.h"
#include "base/shell.h"
#include "base/str.h"
#include "source/source.h"

double ks_profile_wall_s(const struct ks_app *app)
{
	if (app->ctx.env("SOURCE_DATE_EPOCH") != NULL)
		return 0.0;
	return (double)(app->ctx.clock->monotonic() - app->started_ns) * 1e-9;
}

/* "--output run.sqlite run.nsys-rep", for this very file. */
static enum ks_status advise_export(const char *path, struct ks_err *err)
{
	const char *slash = strrchr(path, '/');
	const char *dot = strrchr(slash != NULL ? slash : path, '.');
	const size_t stem = dot != NULL ? (size_t)(dot - path) : strlen(path);
	struct ks_buf to, words;

	ks_buf_init(&to, (size_t)64 * 1024);
	ks_buf_init(&words, (size_t)256 * 1024);
	ks_buf_fmt(&to, "%.*s.sqlite", (int)stem, path);
	ks_buf_cstr(&words, "--output");
	ks_shell_word(&words, ks_buf_text(&to));
	ks_shell_word(&words, path);
	const enum ks_status status = ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_CMD_IS_NSYS_REP, path,
						 ks_buf_text(&words), NULL);

	ks_buf_release(&to);
	ks_buf_release(&words);
	return status;
}

enum ks_status ks_profile_sniff(const char *path, struct ks_err *err)
{
	switch (ks_input_sniff(path)) {
	case KS_INPUT_NSYS_REP:
	case KS_INPUT_QDREP:
		return advise_export(path, err);
	case KS_INPUT_JSON:
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_CMD_IS_JSON, path, NULL);
	case KS_INPUT_NCU_REP:
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_CMD_IS_NCU_REP, path, NULL);
	case KS_INPUT_SQLITE:
	case KS_INPUT_EMPTY:
	case KS_INPUT_DIRECTORY:
	case KS_INPUT_MISSING:
	case KS_INPUT_UNREADABLE:
	case KS_INPUT_GZIP:
	case KS_INPUT_ELF:
	case KS_INPUT_OTHER:
		break; /* the reader says what is wrong with it */
	}
	return KS_OK;
}

const struct ks_source_ops *ks_profile_source(enum ks_from from)
{
	switch (from) {
	case KS_FROM_SQLITE:
		return &ks_source_nsys_sqlite;
	case KS_FROM_NSYS_REP:
		return &ks_source_nsys_rep;
	case KS_FROM_SYNTHETIC:
		return &ks_source_synth;
	case KS_FROM_NOTHING:
		return &ks_source_nothing;
	case KS_FROM_NONE:
	case KS_FROM_IMPORT:
	case KS_FROM_CODE:
		break;
	}
	return NULL;
}

/* A path longer than this is left out of the commands that remedies offer. */
#define COMMAND_PATH_MAX 1024

ks_str ks_profile_input(struct ks_app *app, enum ks_from from, const char *path)
{
	static const char *const option[] = {
		[KS_FROM_SQLITE] = "--ks-sqlite",
		[KS_FROM_NSYS_REP] = "--ks-nsys-rep",
		[KS_FROM_IMPORT] = "-i",
		[KS_FROM_CODE] = "--ks-cubin",
	};

	if (from == KS_FROM_SYNTHETIC)
		return KS_LIT("--ks-synthetic");
	if (from == KS_FROM_NONE || path == NULL)
		return KS_STR_NONE;
	if (app->ctx.redact != NULL) { /* a name that stands for any */
		const ks_str ending = ks_scrub_ending(ks_str_c(path));

		return ks_arena_fmt(&app->arena, "%s run%.*s", option[from], (int)ending.n,
				    ending.p);
	}
	ks_str word = ks_shell_quoted(&app->arena, ks_str_c(path), COMMAND_PATH_MAX);

	return word.n > 0 ? ks_arena_fmt(&app->arena, "%s %s", option[from], word.p) : KS_STR_NONE;
}

/* What cannot be used is said and left out: the report stands without it. */
static enum ks_status add_selfcheck(struct ks_app *app, const char *path, struct ks_report *report,
				    struct ks_err *err)
{
	struct ks_err why;

	ks_err_init(&why);
	const enum ks_status status = ks_selfcheck_add(&app->ctx, path, report, &why);

	if (status == KS_E_ENV) {
		*err = why;
		return status;
	}
	if (status != KS_OK) {
		const char *arg[KS_ERR_ARGS] = { NULL };

		for (size_t i = 0; i < why.n_args; i++)
			arg[i] = why.arg[i];
		ks_app_say(app, KS_LOG_WARN, (enum ks_text)why.text, arg[0], arg[1], arg[2], arg[3],
			   NULL);
		ks_app_say(app, KS_LOG_WARN, KS_TEXT_CMD_SELFCHECK_LEFT, NULL);
	} else if (ks_selfcheck_of(report) == NULL) {
		ks_app_say(app, KS_LOG_WARN, KS_TEXT_CMD_SELFCHECK_OTHER, path, NULL);
	}
	return KS_OK;
}

enum ks_status ks_profile_decide(struct ks_app *app, const struct ks_selection *sel,
				 struct ks_report *report, struct ks_err *err)
{
	report->asked_cost = sel->asked_cost;
	report->rule = sel->rule;
	report->n_rules = sel->n_rules;
	if (sel->selfcheck != NULL)
		KS_TRY(add_selfcheck(app, sel->selfcheck, report, err));
	return ks_verdicts_make(&app->ctx, report, err);
}

enum ks_status ks_profile_trace(struct ks_app *app, enum ks_from from, const char *path,
				const struct ks_selection *sel, struct ks_profile *p,
				struct ks_err *err)
{
	const struct ks_source_ops *source = ks_profile_source(from);

	BUG_ON(source == NULL && from != KS_FROM_CODE);
	if (source == NULL && from != KS_FROM_CODE)
		return ks_err_set(err, KS_E_INTERNAL, KS_TEXT_ERR_CMD_NO_TARGET, NULL);
	if (from == KS_FROM_SQLITE)
		KS_TRY(ks_profile_sniff(path, err));
	struct ks_selection *own = KS_ARENA_NEW(&app->arena, struct ks_selection);

	if (own != NULL) {
		*own = *sel;
		own->input = ks_profile_input(app, from, path);
		p->analysis = ks_analysis_open(&app->ctx, own);
	}
	if (p->analysis == NULL)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
	if (source != NULL)
		KS_TRY(source->stream(&app->ctx, path, ks_analysis_sink(p->analysis), err));
	KS_TRY(ks_analysis_finish(p->analysis, &p->report, err));
	return ks_profile_decide(app, sel, p->report, err);
}

enum ks_status ks_profile_open(struct ks_app *app, const struct ks_settings *s,
			       struct ks_profile *p, struct ks_err *err)
{
	enum ks_status status;

	struct ks_selection sel = s->sel;

	*p = (struct ks_profile){ .report = NULL };
	status = ks_profile_telemetry(app, s, &sel, err);
	if (status == KS_OK && s->from == KS_FROM_IMPORT)
		status = ks_profile_import(app, s, p, err);
	else if (status == KS_OK)
		status = ks_code_read(app, s, p, &sel, err);
	if (status == KS_OK && s->from != KS_FROM_IMPORT)
		status = ks_profile_trace(app, s->from, s->path, &sel, p, err);
	ks_progress_done(&app->progress);
	if (status != KS_OK)
		ks_profile_close(p);
	return status;
}

void ks_profile_close(struct ks_profile *p)
{
	if (p->analysis != NULL)
		ks_analysis_close(p->analysis);
	ks_code_release(&p->code);
	*p = (struct ks_profile){ .report = NULL };
}
