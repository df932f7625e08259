/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets a run up, prints its lines for people, and closes it: a result that could not be written
 * whole is never exit code 0. Decides nothing about the result.
 */
#include "cmd/app.h"

#include "base/jsonw.h"
#include "base/str.h"
#include "cmd/dispatch.h"
#include "cmd/redaction.h"
#include "cmd/pager.h"

/* The longest line for people; names inside come from strangers. */
#define LINE_MAX_BYTES ((size_t)64 * 1024)

void ks_app_init(struct ks_app *app, const struct ks_app_world *world)
{
	*app = (struct ks_app){ .started_ns = 0 };
	ks_arena_init(&app->arena, (size_t)ks_limit(KS_LIMIT_RUN_ARENA_BYTES));
	ks_out_open_fd(&app->out, world->io, 1);
	ks_out_open_fd(&app->err, world->io, 2);
	app->log = (struct ks_log){ .err = &app->err };
	app->ctx = (struct ks_ctx){
		.io = world->io,
		.clock = world->clock,
		.env = world->env,
		.log = &app->log,
		.run = &app->arena,
		.lang = (int)ks_lang_pick(NULL, world->env),
		.doc_lang = (int)KS_LANG_EN,
	};
	app->started_ns = world->clock->monotonic();
}

void ks_app_terminal(struct ks_app *app, enum ks_color_mode mode)
{
	ks_term_probe(&app->term, 1, mode, app->ctx.env);
	if (app->ctx.lang == (int)KS_LANG_ZH)
		app->term.utf8 = true;
}

enum ks_status ks_app_log_to(struct ks_app *app, const char *path, int flags, struct ks_err *err)
{
	KS_TRY(ks_out_open_file(&app->log_file, app->ctx.io, path, flags, err));
	app->log.file = &app->log_file;
	app->log_open = true;
	return KS_OK;
}

/* C strings up to NULL; more than KS_ERR_ARGS are our mistake. */
static unsigned take_args(va_list ap, ks_str arg[KS_ERR_ARGS])
{
	unsigned n = 0;

	for (const char *s = va_arg(ap, const char *); s != NULL; s = va_arg(ap, const char *)) {
		BUG_ON(n == KS_ERR_ARGS);
		if (n < KS_ERR_ARGS)
			arg[n++] = ks_str_c(s);
	}
	return n;
}

/* The text with its arguments; the buffer is made here and released by the caller. */
static void compose(const struct ks_app *app, struct ks_buf *line, enum ks_text text, va_list ap)
{
	ks_str arg[KS_ERR_ARGS];
	const unsigned n = take_args(ap, arg);

	ks_buf_init(line, LINE_MAX_BYTES);
	for (unsigned i = 0; i < n; i++)
		arg[i] = ks_redact_text(app->ctx.redact, arg[i]);
	ks_text_fmt(line, ks_app_lang(app), text, n, arg);
}

void ks_app_say(struct ks_app *app, enum ks_log_kind kind, enum ks_text text, ...)
{
	struct ks_buf line;
	va_list ap;

	va_start(ap, text);
	compose(app, &line, text, ap);
	va_end(ap);
	ks_log_line(&app->log, kind, ks_buf_view(&line));
	ks_buf_release(&line);
}

void ks_app_print(struct ks_app *app, enum ks_text text, ...)
{
	struct ks_buf line;
	va_list ap;

	va_start(ap, text);
	compose(app, &line, text, ap);
	va_end(ap);
	ks_term_text(&app->out, ks_buf_view(&line));
	ks_out_ch(&app->out, '\n');
	ks_buf_release(&line);
}

static ks_str where_of(const struct ks_app *app, const struct ks_err *err)
{
	return ks_redact_text(app->ctx.redact, ks_str_c(err->where));
}

/* The sentence of an error in one language, with its place where the sentence does not name it. */
static void error_sentence(const struct ks_app *app, struct ks_buf *line, enum ks_lang lang,
			   const struct ks_err *err)
{
	ks_str arg[KS_ERR_ARGS];

	for (unsigned i = 0; i < err->n_args && i < KS_ERR_ARGS; i++)
		arg[i] = ks_redact_text(app->ctx.redact, ks_str_c(err->arg[i]));
	ks_text_fmt(line, lang, (enum ks_text)err->text, err->n_args, arg);
	const ks_str where = where_of(app, err);

	if (where.n > 0 && !ks_str_has(ks_buf_view(line), where))
		ks_buf_fmt(line, " (%.*s)", (int)where.n, where.p);
}

static void error_as_json(struct ks_app *app, ks_str sentence, const struct ks_err *err)
{
	struct ks_jsonw w;

	ks_jsonw_init(&w, &app->err, 0);
	ks_jsonw_obj(&w);
	ks_jsonw_key(&w, "error");
	ks_jsonw_obj(&w);
	ks_jsonw_kv_i64(&w, "status", ks_exit_code(err->status));
	ks_jsonw_kv_cstr(&w, "cause", ks_status_word(err->status));
	ks_jsonw_kv_str(&w, "message", sentence);
	if (err->where[0] != '\0')
		ks_jsonw_kv_str(&w, "where", where_of(app, err));
	if (err->offset >= 0)
		ks_jsonw_kv_i64(&w, "offset", err->offset);
	ks_jsonw_obj_end(&w);
	ks_jsonw_obj_end(&w);
	ks_out_ch(&app->err, '\n');
}

/* Without memory there are still a constant text and the descriptor. */
static void last_words(const struct ks_app *app)
{
	const char *const piece[] = {
		"error: ", ks_text_get(KS_TEXT_ERR_CMD_NO_MEMORY, ks_app_lang(app)), "\n"
	};

	for (size_t i = 0; i < KS_ARRAY_LEN(piece); i++)
		(void)app->ctx.io->sys_write(2, piece[i], strlen(piece[i]));
}

void ks_app_report_error(struct ks_app *app, const struct ks_err *err)
{
	const enum ks_lang lang =
		app->json_errors ? (enum ks_lang)app->ctx.doc_lang : ks_app_lang(app);
	struct ks_buf line;

	ks_progress_done(&app->progress);
	ks_buf_init(&line, LINE_MAX_BYTES);
	error_sentence(app, &line, lang, err);
	if (!app->json_errors && err->status != KS_E_STRICT) /* its prefix says so already */
		ks_buf_fmt(&line, " [%s]", ks_status_word(err->status));
	if (ks_buf_failed(&line) || ks_out_failed(&app->err))
		last_words(app);
	else if (app->json_errors)
		error_as_json(app, ks_redact_text(app->ctx.redact, ks_buf_view(&line)), err);
	else
		ks_log_line(&app->log, err->status == KS_E_STRICT ? KS_LOG_STRICT : KS_LOG_ERROR,
			    ks_buf_view(&line));
	ks_buf_release(&line);
}

/* A result that could not be written whole turns success into failure; a reader that went away does
 * not. After an error that was told already there is nothing to add. */
static enum ks_status close_stream(struct ks_app *app, struct ks_out *out, enum ks_status status)
{
	struct ks_err err;

	ks_err_init(&err);
	if (ks_out_commit(out, &err) == KS_OK || status != KS_OK)
		return status;
	ks_app_report_error(app, &err);
	return err.status;
}

static enum ks_status close_streams(struct ks_app *app, enum ks_status status)
{
	status = close_stream(app, &app->out, status);
	app->log.file = NULL;
	if (app->log_open)
		status = close_stream(app, &app->log_file, status);
	(void)ks_out_commit(&app->err, NULL);
	return status;
}

int ks_app_main(struct ks_app *app, int argc, char **argv)
{
	struct ks_err err;

	ks_err_init(&err);
	app->argc = argc;
	app->argv = argv;
	ks_redaction_scan(app, argc, argv);
	enum ks_status status = ks_dispatch(app, argc, argv, &err);

	if (status == KS_OK && ks_redact_failed(app->ctx.redact))
		status = ks_err_set(&err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
	if (status != KS_OK && err.text != (int)KS_TEXT_NONE)
		ks_app_report_error(app, &err);
	ks_pager_show(app);
	status = close_streams(app, status);
	ks_redaction_close(app);
	ks_arena_release(&app->arena);
	return ks_exit_code(status);
}
