/* SPDX-License-Identifier: Apache-2.0
 *
 * Puts the options of the main command together. Reads no input and writes nothing but the log.
 */
#include "cmd/settings.h"

#include "base/mem.h"
#include "base/str.h"
#include "cmd/config.h"
#include "cmd/outputs.h"
#include "cmd/redaction.h"
#include "cmd/pager.h"
#include "cmd/plan.h"
#include "cmd/word.h"
#include "source/source.h"

/* `report FILE`: what kind of file it is, is seen from the file. */
static enum ks_status read_recorded(struct ks_settings *s, struct ks_err *err)
{
	const int n = s->opts.n_rest;

	if (s->from != KS_FROM_NONE && n == 0)
		return KS_OK;
	if (s->from != KS_FROM_NONE || n != 1)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_REPORT_FILE, NULL);
	s->path = s->opts.rest[0];
	const enum ks_input_kind kind = ks_input_sniff(s->path);

	s->from = KS_FROM_SQLITE;
	if (kind == KS_INPUT_JSON)
		s->from = KS_FROM_IMPORT;
	else if (kind == KS_INPUT_NSYS_REP || kind == KS_INPUT_QDREP)
		s->from = KS_FROM_NSYS_REP;
	return KS_OK;
}

/* The source is whichever one option names it; a program beside it is not started. */
static enum ks_status read_source(struct ks_settings *s, bool recorded, struct ks_err *err)
{
	static const struct {
		enum ks_option option;
		enum ks_from from;
	} sources[] = {
		{ KS_OPT_KS_SQLITE, KS_FROM_SQLITE },
		{ KS_OPT_KS_NSYS_REP, KS_FROM_NSYS_REP },
		{ KS_OPT_KS_SYNTHETIC, KS_FROM_SYNTHETIC },
		{ KS_OPT_IMPORT, KS_FROM_IMPORT },
	};
	const char *named = NULL;

	for (size_t i = 0; i < KS_ARRAY_LEN(sources); i++) {
		if (!ks_opt_on(&s->opts, sources[i].option))
			continue;
		const char *name = ks_option_info(sources[i].option)->name;

		if (named != NULL)
			return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_TWO_SOURCES, named, name,
					  NULL);
		named = name;
		s->from = sources[i].from;
		s->path = s->opts.opt[sources[i].option].value;
	}
	ks_code_source(s);
	if (recorded)
		KS_TRY(read_recorded(s, err));
	s->telemetry = s->opts.opt[KS_OPT_KS_TELEMETRY].value;
	if (s->telemetry != NULL && s->from == KS_FROM_IMPORT)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_TEL_REREAD, s->path, NULL);
	if (s->telemetry != NULL && s->from == KS_FROM_NONE && s->opts.n_rest == 0 &&
	    s->file[KS_FILE_MAP] == NULL)
		s->from = KS_FROM_NOTHING;
	if (recorded)
		return KS_OK;
	/* a program beside a source is ignored with a word; a second recording is a wish */
	if (s->from != KS_FROM_NONE && s->opts.n_rest > 0 &&
	    ks_word_reader(s->opts.rest[0]) != NULL)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_ONE_RECORDING,
				  s->path != NULL ? s->path : "--ks-synthetic", s->opts.rest[0],
				  NULL);
	return KS_OK;
}

static enum ks_format wanted_format(const struct ks_opts *o)
{
	enum ks_format f = KS_FORMAT_TEXT;

	if (ks_opt_is(o, KS_OPT_HTML, "-"))
		return KS_FORMAT_HTML;
	if (ks_opt_is(o, KS_OPT_REPORT_MD, "-"))
		return KS_FORMAT_MD;
	if (ks_opt_on(o, KS_OPT_LAUNCH_CSV))
		return KS_FORMAT_LAUNCH_CSV;
	if (ks_opt_on(o, KS_OPT_CSV))
		return KS_FORMAT_CSV;
	if (ks_opt_on(o, KS_OPT_FORMAT))
		(void)ks_format_find(ks_str_c(o->opt[KS_OPT_FORMAT].value), &f);
	return f;
}

static enum ks_status two_results(const char *a, const char *b, struct ks_err *err)
{
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_TWO_RESULTS, a, b, NULL);
}

/* --html - and --report-md - are the whole result. */
static enum ks_status check_pages(const struct ks_settings *s, struct ks_err *err)
{
	const struct ks_opts *o = &s->opts;
	const bool html = ks_opt_is(o, KS_OPT_HTML, "-"), md = ks_opt_is(o, KS_OPT_REPORT_MD, "-");
	const char *page = html ? "--html -" : "--report-md -";

	if (!html && !md)
		return KS_OK;
	if (html && md)
		return two_results("--html -", "--report-md -", err);
	if (s->packet_on_stdout)
		return two_results("--packet -", page, err);
	if (ks_opt_on(o, KS_OPT_CSV) || ks_opt_on(o, KS_OPT_LAUNCH_CSV))
		return two_results(page, ks_opt_on(o, KS_OPT_CSV) ? "--csv" : "--launch-csv", err);
	if (ks_opt_on(o, KS_OPT_FORMAT) && !ks_opt_is(o, KS_OPT_FORMAT, html ? "html" : "md"))
		return two_results(page, "--format", err);
	return KS_OK;
}

static enum ks_status check_results(const struct ks_settings *s, struct ks_err *err)
{
	const struct ks_opts *o = &s->opts;

	if (s->file[KS_FILE_MAP] != NULL && strcmp(s->file[KS_FILE_MAP], "-") == 0 &&
	    s->from != KS_FROM_NONE)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_MAP_DASH, NULL);
	KS_TRY(check_pages(s, err));
	if (!ks_opt_on(o, KS_OPT_FORMAT))
		return KS_OK;
	if (s->packet_on_stdout)
		return two_results("--packet -", "--format", err);
	if (ks_opt_on(o, KS_OPT_LAUNCH_CSV))
		return two_results("--launch-csv", "--format", err);
	if (ks_opt_on(o, KS_OPT_CSV) && !ks_opt_is(o, KS_OPT_FORMAT, "csv"))
		return two_results("--csv", "--format", err);
	return KS_OK;
}

/* A screen asked for beside a machine format goes to stderr, where it cannot spoil the result. */
static void plan_screen(struct ks_settings *s, enum ks_format f)
{
	const struct ks_given *given = &s->opts.opt[KS_OPT_SCREEN];
	const bool only = given->value != NULL && strcmp(given->value, "only") == 0;
	const bool first = given->value != NULL && strcmp(given->value, "auto") == 0;
	const bool machine = s->packet_on_stdout || (f != KS_FORMAT_TEXT && f != KS_FORMAT_SCREEN);

	if (f == KS_FORMAT_SCREEN || ((only || first) && !machine))
		s->screen = KS_SCREEN_STDOUT;
	else if (only)
		s->screen = KS_SCREEN_STDERR;
	if (f == KS_FORMAT_SCREEN || (only && !machine))
		s->result = NULL;
}

/* Standard output holds one result; a packet there holds nothing beside it. */
static enum ks_status plan_stdout(struct ks_app *app, struct ks_settings *s, struct ks_err *err)
{
	const enum ks_format f = wanted_format(&s->opts);

	s->packet_on_stdout =
		s->file[KS_FILE_PACKET] != NULL && strcmp(s->file[KS_FILE_PACKET], "-") == 0;
	KS_TRY(check_results(s, err));
	if (s->packet_on_stdout && f != KS_FORMAT_TEXT)
		ks_app_say(app, KS_LOG_WARN, KS_TEXT_CMD_PACKET_WINS,
			   f == KS_FORMAT_CSV ? "--csv" : "--launch-csv", NULL);
	else if (f == KS_FORMAT_LAUNCH_CSV && ks_opt_on(&s->opts, KS_OPT_CSV))
		ks_app_say(app, KS_LOG_WARN, KS_TEXT_CMD_LAUNCH_CSV_WINS, NULL);
	if (!s->packet_on_stdout)
		s->result = f == KS_FORMAT_LAUNCH_CSV ? &ks_render_launch_csv : ks_render_find(f);
	plan_screen(s, f);
	return KS_OK;
}

static enum ks_status plan_files(struct ks_app *app, struct ks_settings *s, struct ks_err *err)
{
	const struct ks_opts *o = &s->opts;
	ks_str prefix = ks_str_c(o->opt[KS_OPT_EXPORT].value);

	s->sel.selfcheck = o->opt[KS_OPT_KS_SELFCHECK].value;
	s->file[KS_FILE_PACKET] = o->opt[KS_OPT_PACKET].value;
	s->file[KS_FILE_MAP] = o->opt[KS_OPT_EXPORT_NAME_MAP].value;
	s->file[KS_FILE_LOG] = o->opt[KS_OPT_LOG_FILE].value;
	s->file[KS_FILE_HTML] = o->opt[KS_OPT_HTML].value;
	s->file[KS_FILE_MD] = o->opt[KS_OPT_REPORT_MD].value;
	s->force = ks_opt_on(o, KS_OPT_FORCE_OVERWRITE);
	s->strict = ks_opt_on(o, KS_OPT_STRICT);
	if (s->file[KS_FILE_LOG] != NULL && strcmp(s->file[KS_FILE_LOG], "-") == 0)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_LOG_DASH, NULL);
	if (prefix.p == NULL)
		return KS_OK;
	if (ks_str_eqc(prefix, "-"))
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_EXPORT_DASH, NULL);
	if (ks_str_ends(prefix, ".json"))
		prefix.n -= strlen(".json");
	if (ks_str_ends(prefix, ".ksreport"))
		prefix.n -= strlen(".ksreport");
	if (prefix.n == 0 || prefix.p[prefix.n - 1] == '/')
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_PREFIX,
				  o->opt[KS_OPT_EXPORT].value, NULL);
	s->file[KS_FILE_REPORT] =
		ks_arena_fmt(&app->arena, "%.*s.ksreport.json", (int)prefix.n, prefix.p).p;
	if (ks_opt_on(o, KS_OPT_LAUNCH_CSV))
		s->file[KS_FILE_LAUNCHES] =
			ks_arena_fmt(&app->arena, "%.*s.launches.csv", (int)prefix.n, prefix.p).p;
	if (!ks_opt_on(o, KS_OPT_NO_CASE))
		s->case_dir = ks_arena_fmt(&app->arena, "%.*s.case", (int)prefix.n, prefix.p).p;
	if (ks_arena_failed(&app->arena))
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
	return KS_OK;
}

/* Who names metrics or sections, or wants their sources, wants to see rows. */
static enum ks_details details(const struct ks_opts *o)
{
	if (ks_opt_on(o, KS_OPT_PRINT_DETAILS))
		return ks_opt_is(o, KS_OPT_PRINT_DETAILS, "all") ? KS_DETAILS_ALL
								 : KS_DETAILS_HEADER;
	if (ks_opt_on(o, KS_OPT_METRICS) || ks_opt_on(o, KS_OPT_SECTION) ||
	    !ks_opt_is(o, KS_OPT_PAGE, "details"))
		return KS_DETAILS_ALL;
	return KS_DETAILS_HEADER;
}

static void plan_view(struct ks_app *app, struct ks_settings *s)
{
	const struct ks_opts *o = &s->opts;
	struct ks_view *v = &s->view;

	v->term = app->term;
	v->lang = ks_app_lang(app);
	v->page = ks_opt_is(o, KS_OPT_PAGE, "raw") || ks_opt_is(o, KS_OPT_PAGE, "source")
			  ? KS_PAGE_RAW
			  : KS_PAGE_DETAILS;
	v->details = details(o);
	v->summary_per_kernel = ks_opt_is(o, KS_OPT_PRINT_SUMMARY, "per-kernel");
	v->full_metric_names = ks_opt_is(o, KS_OPT_PRINT_METRIC_NAME, "full");
	v->auto_units = !ks_opt_is(o, KS_OPT_PRINT_UNITS, "base");
	v->quiet = app->log.quiet;
	v->json_launches =
		ks_opt_on(o, KS_OPT_KS_JSON_LAUNCHES) && !ks_opt_on(o, KS_OPT_KS_JSON_NO_LAUNCHES);
	s->sel.keep_launches = v->json_launches || ks_opt_on(o, KS_OPT_LAUNCH_CSV);
	v->section_on = s->from == KS_FROM_IMPORT && s->sections_chosen ? s->sel.section_on : NULL;
}

/* The options that are taken for ncu's sake and change nothing, named in one line. */
static void name_inert(struct ks_app *app, const struct ks_opts *o)
{
	struct ks_buf names;

	ks_buf_init(&names, 4096);
	for (int id = KS_OPT_NONE + 1; id < KS_OPT_COUNT; id++) {
		if (ks_opt_on(o, (enum ks_option)id) &&
		    ks_option_info((enum ks_option)id)->ncu == KS_NCU_INERT)
			ks_buf_fmt(&names, "%s--%s", names.n > 0 ? ", " : "",
				   ks_option_info((enum ks_option)id)->name);
	}
	if (names.n > 0)
		ks_app_say(app, KS_LOG_WARN, KS_TEXT_CMD_INERT, ks_buf_text(&names), NULL);
	ks_buf_release(&names);
}

static void remark(struct ks_app *app, const struct ks_settings *s)
{
	const struct ks_opts *o = &s->opts;

	if (app->ncu_mode)
		ks_app_say(app, app->log.quiet ? KS_LOG_NOTE : KS_LOG_PROF, KS_TEXT_CMD_NCU_MODE,
			   NULL);
	name_inert(app, o);
	if (s->from != KS_FROM_NONE && s->opts.n_rest > 0 && s->opts.rest[0] != s->path)
		ks_app_say(app, KS_LOG_WARN, KS_TEXT_CMD_PROGRAM_UNUSED, s->opts.rest[0], NULL);
	if (ks_opt_is(o, KS_OPT_PAGE, "source"))
		ks_app_say(app, KS_LOG_WARN, KS_TEXT_CMD_PAGE_SOURCE, NULL);
	if (ks_opt_is(o, KS_OPT_PRINT_METRIC_NAME, "base"))
		ks_app_say(app, KS_LOG_WARN, KS_TEXT_CMD_NAME_BASE, NULL);
	if (s->from == KS_FROM_IMPORT &&
	    (s->sel.launch_skip > 0 || s->sel.launch_count > 0 || s->sel.skip_before_match > 0))
		ks_app_say(app, KS_LOG_WARN, KS_TEXT_CMD_REREAD_LAUNCHES, NULL);
	else if ((s->sel.launch_skip > 0 || s->sel.launch_count > 0) && !s->sel.keep_launches)
		ks_app_say(app, KS_LOG_NOTE, KS_TEXT_CMD_COUNT_LISTS_ONLY, NULL);
}

void ks_settings_manners(struct ks_app *app, const struct ks_opts *o)
{
	const char *lang = o->opt[KS_OPT_LANG].value;
	enum ks_color_mode color = KS_COLOR_AUTO;

	app->ctx.lang = (int)ks_lang_pick(lang, app->ctx.env);
	if (o->opt[KS_OPT_LANG].origin == KS_BY_LINE)
		app->ctx.doc_lang = app->ctx.lang;
	app->log.quiet = ks_opt_on(o, KS_OPT_QUIET);
	app->json_errors = ks_opt_is(o, KS_OPT_FORMAT, "json");
	if (ks_opt_is(o, KS_OPT_COLOR, "always"))
		color = KS_COLOR_ALWAYS;
	else if (ks_opt_is(o, KS_OPT_COLOR, "never"))
		color = KS_COLOR_NEVER;
	ks_app_terminal(app, color);
	if (!app->log.quiet && !ks_opt_on(o, KS_OPT_NO_PROGRESS) &&
	    ks_term_can_erase(2, app->ctx.env)) {
		app->progress = (struct ks_progress){ .err = &app->err, .clock = app->ctx.clock };
		app->ctx.progress = &app->progress;
	}
}

enum ks_status ks_settings_read(struct ks_app *app, struct ks_settings *s, int argc, char **argv,
				bool recorded, struct ks_err *err)
{
	const struct ks_opt_spec spec = { .permute = recorded };

	*s = (struct ks_settings){ .from = KS_FROM_NONE };
	const enum ks_status parsed = ks_opts_parse(&s->opts, &app->arena, &spec, argc, argv, err);

	if (ks_opt_on(&s->opts, KS_OPT_VERSION))
		return KS_OK; /* must not look at the terminal */
	const enum ks_command command = recorded ? KS_CMD_REPORT : KS_CMD_NONE;
	const enum ks_status settled = ks_config_settle(app, &s->opts, command, err);

	const bool hides = ks_redaction_settle(app, &s->opts, !recorded);

	ks_settings_manners(app, &s->opts);
	ks_pager_offer(app, &s->opts, command);
	KS_TRY(parsed);
	KS_TRY(settled);
	if (!hides)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
	if (parsed != KS_OK || ks_opt_on(&s->opts, KS_OPT_HELP) ||
	    ks_opt_on(&s->opts, KS_OPT_LIST_SETS))
		return parsed;

	KS_TRY(plan_files(app, s, err));
	KS_TRY(read_source(s, recorded, err));
	KS_TRY(ks_timeline_file(app, s, err));
	ks_redaction_files(app, s);
	KS_TRY(ks_outputs_distinct(s, err));
	if (s->file[KS_FILE_LOG] != NULL && !ks_plan_asked(&s->opts))
		KS_TRY(ks_app_log_to(app, s->file[KS_FILE_LOG], s->force ? KS_OUT_FORCE : 0, err));
	KS_TRY(ks_choose(app, s, err));
	ks_code_sections(app, s);
	KS_TRY(plan_stdout(app, s, err));
	plan_view(app, s);
	KS_TRY(ks_choose_timeline(app, s, err));
	remark(app, s);
	return KS_OK;
}

void ks_settings_release(struct ks_settings *s)
{
	ks_mem_free(s->asked);
	s->asked = NULL;
}
