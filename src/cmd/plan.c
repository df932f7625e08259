/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills a plan from the same settings the run is made with, and prints it. Does no step of it.
 */
#include "cmd/plan.h"

#include <limits.h>

#include "base/shell.h"
#include "base/str.h"
#include "cmd/casedir.h"
#include "cmd/config.h"
#include "cmd/outputs.h"
#include "cmd/pager.h"
#include "cmd/runline.h"
#include "source/cubin.h"
#include "source/source.h"
#include "source/tool.h"
#include "source/telemetry.h"

/* Room a list grows by; a plan has few entries. */
#define LIST_STEP 8

static enum ks_status no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
}

void ks_plan_begin(struct ks_app *app, struct ks_plan *p, int argc, char **argv)
{
	ks_str *word = KS_ARENA_NEWS(&app->arena, ks_str, (size_t)argc + 1);

	*p = (struct ks_plan){ .argv = word };
	for (int i = 0; word != NULL && i < argc; i++)
		word[p->n_argv++] = ks_run_word(app, i > 0 ? argv[i - 1] : NULL, argv[i]);
}

struct ks_plan_step *ks_plan_add(struct ks_plan *p, enum ks_operation op, const char *target)
{
	struct ks_plan_step *s = &p->step[p->n < KS_PLAN_STEPS ? p->n : KS_PLAN_STEPS - 1];

	BUG_ON(p->n >= KS_PLAN_STEPS);
	p->n += p->n < KS_PLAN_STEPS;
	*s = (struct ks_plan_step){ .op = op, .target = ks_str_c(target) };
	return s;
}

static void append(struct ks_app *app, const ks_str **list, size_t *n, ks_str item)
{
	if (*n % LIST_STEP == 0) {
		ks_str *more = KS_ARENA_NEWS(&app->arena, ks_str, *n + LIST_STEP);

		if (more == NULL)
			return; /* the arena says so at the end */
		for (size_t i = 0; i < *n; i++)
			more[i] = (*list)[i];
		*list = more;
	}
	ks_str *own = (ks_str *)(uintptr_t)*list;

	own[(*n)++] = item;
}

void ks_plan_reads(struct ks_app *app, struct ks_plan_step *s, const char *path)
{
	append(app, &s->reads, &s->n_reads, ks_str_c(path));
}

void ks_plan_writes(struct ks_app *app, struct ks_plan_step *s, const char *path)
{
	append(app, &s->writes, &s->n_writes, ks_str_c(path));
}

void ks_plan_runs(struct ks_app *app, struct ks_plan_step *s, const char *const *argv)
{
	struct ks_buf line;

	ks_buf_init(&line, (size_t)256 * 1024);
	for (; *argv != NULL; argv++)
		ks_shell_word(&line, *argv);
	append(app, &s->commands, &s->n_commands, ks_buf_keep(&line, &app->arena));
	ks_buf_release(&line);
}

/* While the host's readings are listed: what opens files, and what starts a program, are two steps.
 */
struct host_steps {
	struct ks_app *app;
	struct ks_plan *plan;
	size_t step[2]; /* [running]: number + 1 in the plan; 0 none yet */
};

static void host_reading(void *arg, enum ks_host_does does, ks_str path)
{
	struct host_steps *h = arg;
	const bool running = does == KS_HOST_RUNS;
	const enum ks_operation op = running ? KS_OPERATION_PROBE_ENV : KS_OPERATION_READ_HOST;

	if (h->step[running] == 0) {
		struct ks_plan_step *fresh =
			ks_plan_add(h->plan, op, ks_operation_info(op)->label[KS_LANG_EN]);

		fresh->if_needed = running;
		h->step[running] = h->plan->n;
	}
	struct ks_plan_step *s = &h->plan->step[h->step[running] - 1];
	const ks_str own = ks_arena_dup(&h->app->arena, path);

	if (running) {
		s->target = own;
		append(h->app, &s->commands, &s->n_commands, own);
	} else {
		append(h->app, &s->reads, &s->n_reads, own);
	}
}

/* --- the main command ---------------------------------------------------------------------------
 */

/* Only files that are there: none is made by looking. */
static void plan_config(struct ks_app *app, const struct ks_opts *o, struct ks_plan *p)
{
	struct ks_plan_step *step = NULL;
	struct ks_config_files files;

	ks_config_find(app, o->opt[KS_OPT_CONFIG].value, &files);
	for (size_t i = 0; i < files.n; i++) {
		if (!files.file[i].there)
			continue;
		if (step == NULL)
			step = ks_plan_add(p, KS_OPERATION_READ_CONFIG, files.file[i].path);
		ks_plan_reads(app, step, files.file[i].path);
	}
}

static void plan_pager(struct ks_app *app, const struct ks_opts *o, struct ks_plan *p)
{
	struct ks_pager pager;

	if (!app->term.is_tty || !ks_pager_suits(o, KS_CMD_NONE) || !ks_pager_find(app, &pager))
		return;
	struct ks_plan_step *step = ks_plan_add(p, KS_OPERATION_PAGE, pager.word[0]);

	step->if_needed = true;
	ks_plan_runs(app, step, pager.word);
}

/* The files of --ks-cubin that a run reads: a report that is read again takes none. */
static const struct ks_optval *code_files(const struct ks_settings *s)
{
	const bool taken = s->from != KS_FROM_NONE && s->from != KS_FROM_IMPORT;

	return taken ? s->opts.opt[KS_OPT_KS_CUBIN].first : NULL;
}

/* A file is read; a URL is asked. */
static void plan_telemetry(struct ks_app *app, const struct ks_settings *s, struct ks_plan *p)
{
	if (s->telemetry == NULL)
		return;
	const ks_str origin = ks_telemetry_origin(&app->arena, s->telemetry);
	struct ks_plan_step *step = ks_plan_add(p, KS_OPERATION_READ_TELEMETRY, s->telemetry);

	if (origin.n > 0) {
		step->target = origin;
		append(app, &step->origins, &step->n_origins, origin);
	} else if (!ks_is_dash(s->telemetry)) {
		ks_plan_reads(app, step, s->telemetry);
	}
}

static void plan_input(struct ks_app *app, const struct ks_settings *s, struct ks_plan *p)
{
	const char *const input[] = { s->path,
				      s->sel.selfcheck }; /* the built-in trace has no path */
	struct ks_plan_step *step = NULL;

	for (size_t i = 0; i < KS_ARRAY_LEN(input); i++) {
		if (input[i] == NULL || (i == 0 && s->from == KS_FROM_CODE))
			continue;
		if (step == NULL)
			step = ks_plan_add(p, KS_OPERATION_READ_INPUTS, input[i]);
		ks_plan_reads(app, step, input[i]);
	}
	for (const struct ks_optval *v = code_files(s); v != NULL; v = v->next) {
		if (step == NULL)
			step = ks_plan_add(p, KS_OPERATION_READ_INPUTS, v->text);
		ks_plan_reads(app, step, v->text);
	}
}

/* The folders in which nsys is looked for. */
static void tool_reading(void *arg, enum ks_host_does does, ks_str path)
{
	struct host_steps *h = arg;
	struct ks_plan_step *s = &h->plan->step[h->plan->n - 1];

	(void)does;
	append(h->app, &s->reads, &s->n_reads, ks_arena_dup(&h->app->arena, path));
}

static void plan_export(struct ks_app *app, const struct ks_settings *s, struct ks_plan *p)
{
	const char *words[KS_NSYS_EXPORT_WORDS];

	if (s->from != KS_FROM_NSYS_REP)
		return;
	struct ks_plan_step *step = ks_plan_add(p, KS_OPERATION_NSYS_EXPORT, s->path);
	const ks_str folder = ks_arena_fmt(&app->arena, "%s/kernoscope-XXXXXX", ks_io_tempdir());
	const ks_str db = ks_arena_fmt(&app->arena, "%.*s/trace.sqlite", (int)folder.n, folder.p);

	if (ks_arena_failed(&app->arena))
		return;
	ks_nsys_export_words(words, "nsys", s->path, db.p);
	ks_plan_runs(app, step, words);
	ks_plan_writes(app, step, folder.p);
	ks_host_plan(&app->ctx, &(struct ks_host_ask){ .tools = true }, tool_reading,
		     &(struct host_steps){ .app = app, .plan = p });
}

/* The programs that list instructions, where they are: which of them a file needs is seen when it
 * is read. */
static void plan_code(struct ks_app *app, const struct ks_settings *s, struct ks_plan *p)
{
	const struct ks_optval *first = code_files(s);
	const char *words[KS_SASS_WORDS];
	char program[PATH_MAX];

	if (first == NULL || !s->sel.section_on[KS_SECTION_INSTRUCTIONSTATS])
		return;
	struct ks_plan_step *step = ks_plan_add(p, KS_OPERATION_STATIC_DUMP, first->text);

	step->if_needed = true;
	ks_host_plan(&app->ctx, &(struct ks_host_ask){ .tools = true }, tool_reading,
		     &(struct host_steps){ .app = app, .plan = p });
	for (int t = 0; t < KS_SASS_TOOLS; t++) {
		if (!ks_tool_find(&app->ctx, ks_sass_tool_name((enum ks_sass_tool)t), program,
				  sizeof(program), NULL))
			continue;
		for (const struct ks_optval *v = first; v != NULL; v = v->next) {
			ks_sass_words(words, (enum ks_sass_tool)t, program, v->text);
			ks_plan_runs(app, step, words);
		}
	}
}

/* What needs order over time spills where it does not fit; a report and a packet never do. */
static void plan_spill(const struct ks_settings *s, struct ks_plan *p)
{
	if (s->from != KS_FROM_SQLITE && s->from != KS_FROM_NSYS_REP)
		return;
	struct ks_plan_step *step = ks_plan_add(p, KS_OPERATION_SPILL, ks_io_tempdir());

	step->if_needed = true;
}

static bool to_disk(const struct ks_settings *s, enum ks_file kind)
{
	return s->file[kind] != NULL && !ks_is_dash(s->file[kind]);
}

static void plan_outputs(struct ks_app *app, const struct ks_settings *s, struct ks_plan *p)
{
	static const enum ks_file family[] = { KS_FILE_REPORT, KS_FILE_LAUNCHES, KS_FILE_TIMELINE,
					       KS_FILE_PACKET };
	struct ks_plan_step *step = NULL;

	for (size_t i = 0; i < KS_ARRAY_LEN(family); i++) {
		if (!to_disk(s, family[i]))
			continue;
		if (step == NULL)
			step = ks_plan_add(p, KS_OPERATION_WRITE_OUTPUTS, s->file[family[i]]);
		step->may_discard = s->force;
		ks_plan_writes(app, step, s->file[family[i]]);
	}
}

static void plan_one(struct ks_app *app, const struct ks_settings *s, struct ks_plan *p,
		     enum ks_file kind)
{
	static const enum ks_operation op_of[KS_FILE_COUNT] = {
		[KS_FILE_MAP] = KS_OPERATION_WRITE_NAME_MAP,
		[KS_FILE_HTML] = KS_OPERATION_WRITE_HTML_VIEW,
		[KS_FILE_MD] = KS_OPERATION_WRITE_REPORT_MD,
		[KS_FILE_LOG] = KS_OPERATION_WRITE_LOG_FILE,
	};

	if (!to_disk(s, kind))
		return;
	struct ks_plan_step *step = ks_plan_add(p, op_of[kind], s->file[kind]);

	step->may_discard = s->force;
	ks_plan_writes(app, step, s->file[kind]);
}

static void plan_case(struct ks_app *app, const struct ks_settings *s, struct ks_plan *p)
{
	if (s->case_dir == NULL)
		return;
	struct ks_plan_step *step = ks_plan_add(p, KS_OPERATION_WRITE_CASE, s->case_dir);

	for (int f = 0; f < KS_CASE_FILES; f++)
		ks_plan_writes(app, step,
			       ks_arena_fmt(&app->arena, "%s/%s", s->case_dir,
					    ks_case_file_name((enum ks_case_file)f))
				       .p);
}

enum ks_status ks_plan_main(struct ks_app *app, const struct ks_settings *s, struct ks_plan *p,
			    struct ks_err *err)
{
	plan_config(app, &s->opts, p);
	plan_telemetry(app, s, p);
	plan_input(app, s, p);
	plan_export(app, s, p);
	plan_code(app, s, p);
	plan_spill(s, p);
	plan_outputs(app, s, p);
	plan_case(app, s, p);
	plan_one(app, s, p, KS_FILE_MAP);
	plan_one(app, s, p, KS_FILE_HTML);
	plan_one(app, s, p, KS_FILE_MD);
	plan_one(app, s, p, KS_FILE_LOG);
	plan_pager(app, &s->opts, p);
	return ks_arena_failed(&app->arena) ? no_memory(err) : KS_OK;
}

enum ks_status ks_plan_command(struct ks_app *app, const struct ks_opts *o,
			       const struct ks_plan_ask *ask, struct ks_err *err)
{
	const struct ks_settings s = { .from = ask->from, .path = ask->path, .opts = *o };
	struct ks_plan plan;

	ks_plan_begin(app, &plan, app->argc - 1, app->argv + 1);
	KS_TRY(ks_plan_main(app, &s, &plan, err));
	if (ask->host != NULL)
		ks_host_plan(&app->ctx, ask->host, host_reading,
			     &(struct host_steps){ .app = app, .plan = &plan });
	if (ask->out != NULL && !ks_is_dash(ask->out)) {
		const enum ks_operation op =
			ask->out_op != KS_OPERATION_NONE ? ask->out_op : KS_OPERATION_WRITE_OUTPUTS;
		struct ks_plan_step *step = ks_plan_add(&plan, op, ask->out);

		step->may_discard = ask->force;
		ks_plan_writes(app, step, ask->out);
	}
	return ks_plan_print(app, o, &plan, err);
}

enum ks_status ks_plan_print(struct ks_app *app, const struct ks_opts *o, const struct ks_plan *p,
			     struct ks_err *err)
{
	const struct ks_view view = { .term = app->term, .lang = ks_app_lang(app) };

	if (ks_arena_failed(&app->arena))
		return no_memory(err);
	if (ks_opt_on(o, KS_OPT_PLAN_JSON))
		return ks_plan_json(p, (enum ks_lang)app->ctx.doc_lang, &app->out, err);
	return ks_plan_text(p, &view, &app->out, err);
}
