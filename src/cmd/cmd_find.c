/* SPDX-License-Identifier: Apache-2.0
 *
 * `find KIND FILE`: single events of a trace (contract 03 §23). Reads the choice, runs the file
 * through it, and says on stderr what the list does not.
 */
#include "analyze/find.h"
#include "analyze/window.h"
#include "base/num.h"
#include "base/str.h"
#include "cmd/command.h"
#include "cmd/plan.h"
#include "cmd/profile.h"
#include "render/find.h"
#include "source/source.h"

struct question {
	struct ks_find_choice choice;
	const char *path; /* NULL: the synthetic trace */
	enum ks_from from;
	bool json;
};

static enum ks_status find_kind(const char *word, enum ks_find_kind *kind, struct ks_err *err)
{
	const char *name[KS_FIND_KINDS];

	if (ks_find_kind_of(ks_str_c(word), kind))
		return KS_OK;
	for (int i = 0; i < KS_FIND_KINDS; i++)
		name[i] = ks_find_word((enum ks_find_kind)i);
	const char *near = ks_str_nearest(ks_str_c(word), name, KS_FIND_KINDS);

	if (near != NULL)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_FIND_KIND_NEAR, word, near, NULL);
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_FIND_KIND, word, NULL);
}

static enum ks_status read_window(const struct ks_opts *o, struct ks_find_choice *c,
				  struct ks_err *err)
{
	const char *text = o->opt[KS_OPT_WITHIN].value;
	struct ks_window_spec spec;

	c->from = c->to = KS_UNKNOWN;
	if (text == NULL)
		return KS_OK;
	KS_TRY(ks_window_parse(ks_str_c(text), &spec, err));
	if (spec.kind != KS_WINDOW_TIME)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_FIND_WITHIN, text, NULL);
	c->from = spec.from;
	c->to = spec.to;
	return KS_OK;
}

static int64_t number(const struct ks_opts *o, enum ks_option id)
{
	return ks_opt_on(o, id) ? ks_opt_int(o, id) : KS_UNKNOWN;
}

static enum ks_status read_choice(const struct ks_opts *o, struct ks_find_choice *c,
				  struct ks_err *err)
{
	static const enum ks_option of_device[] = { KS_OPT_DEVICE, KS_OPT_STREAM };
	const char *least = o->opt[KS_OPT_MIN_DURATION].value;

	KS_TRY(find_kind(o->rest[0], &c->kind, err));
	for (size_t i = 0; i < KS_ARRAY_LEN(of_device); i++) {
		if (ks_opt_on(o, of_device[i]) && !ks_find_on_device(c->kind))
			return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_FIND_NO_STREAM,
					  ks_option_info(of_device[i])->name, ks_find_word(c->kind),
					  NULL);
	}
	c->name = ks_str_c(o->opt[KS_OPT_NAME].value);
	c->min_ns = KS_UNKNOWN;
	if (least != NULL && (!ks_window_time(ks_str_c(least), &c->min_ns) || c->min_ns < 0))
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_FIND_TIME, least, NULL);
	c->device = number(o, KS_OPT_DEVICE);
	c->stream = number(o, KS_OPT_STREAM);
	c->pid = number(o, KS_OPT_PID);
	c->by_duration = ks_opt_is(o, KS_OPT_SORT, "duration");
	c->limit = (uint64_t)ks_opt_int(o, KS_OPT_LIMIT);
	return read_window(o, c, err);
}

/* Names of kernels and ranges are the program's; those of calls and copies are not. */
static void hide_name(struct ks_app *app, const struct ks_find_choice *c)
{
	struct ks_redact *r = app->ctx.redact;
	const bool own = c->kind == KS_FIND_KERNEL || c->kind == KS_FIND_RANGE;

	if (ks_redact_mode_of(r) == KS_REDACT_NAMES && (own || ks_str_starts(c->name, "regex:")))
		ks_redact_argument(r, c->name, ks_redact_choice(r, c->name));
}

static enum ks_status find_source(struct question *q, const char *file, struct ks_err *err)
{
	const enum ks_input_kind kind = ks_input_sniff(file);

	q->path = file;
	q->from = kind == KS_INPUT_NSYS_REP || kind == KS_INPUT_QDREP ? KS_FROM_NSYS_REP
								      : KS_FROM_SQLITE;
	if (kind == KS_INPUT_JSON)
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_STATS_REPORT, file, NULL);
	return KS_OK;
}

static enum ks_status read_question(struct ks_app *app, const struct ks_opts *o, struct question *q,
				    struct ks_err *err)
{
	const bool named = ks_opt_on(o, KS_OPT_KS_SQLITE), made = ks_opt_on(o, KS_OPT_KS_SYNTHETIC);

	if (named && made)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_TWO_SOURCES, "ks-sqlite",
				  "ks-synthetic", NULL);
	const int words = named || made ? 1 : 2;

	KS_TRY(ks_command_words_given(KS_CMD_FIND, o, words, words, err));
	KS_TRY(read_choice(o, &q->choice, err));
	hide_name(app, &q->choice);
	q->json = ks_opt_on(o, KS_OPT_JSON);
	q->from = KS_FROM_SYNTHETIC;
	if (made)
		return KS_OK;
	return find_source(q, named ? o->opt[KS_OPT_KS_SQLITE].value : o->rest[1], err);
}

static const char *file_of(const struct question *q)
{
	return q->path != NULL ? q->path : "--ks-synthetic";
}

/* The nearest names for one that no event has. */
static enum ks_status no_such_name(const struct question *q, const struct ks_found *f,
				   struct ks_err *err)
{
	const bool pattern = ks_str_starts(q->choice.name, "regex:");
	struct ks_buf list;

	ks_buf_init(&list, (size_t)64 * 1024);
	for (size_t i = 0; i < f->n_near; i++)
		ks_buf_fmt(&list, "%s%.*s", i > 0 ? ", " : "", (int)f->near[i].n, f->near[i].p);
	const enum ks_status status = ks_err_set(
		err, KS_E_NOMATCH, pattern ? KS_TEXT_ERR_FIND_NO_PATTERN : KS_TEXT_ERR_FIND_NO_NAME,
		q->choice.name.p, ks_find_word(q->choice.kind), file_of(q),
		f->n_near > 0 ? ks_buf_text(&list) : "-", NULL);

	ks_buf_release(&list);
	return status;
}

static void remark(struct ks_app *app, const struct question *q, const struct ks_found *f)
{
	char n[KS_NUM_LEN];

	if (f->rows == 0)
		ks_app_say(app, KS_LOG_WARN, KS_TEXT_FIND_NONE, file_of(q),
			   ks_find_word(q->choice.kind), NULL);
	if (f->bad_rows == 0)
		return;
	(void)ks_num_grouped(n, (int64_t)f->bad_rows);
	ks_app_say(app, KS_LOG_WARN, KS_TEXT_FIND_BAD, n, NULL);
}

static enum ks_status look(struct ks_app *app, const struct question *q, struct ks_find *find,
			   struct ks_err *err)
{
	const struct ks_source_ops *source = ks_profile_source(q->from);
	const struct ks_view view = { .term = app->term, .lang = ks_app_lang(app) };
	const struct ks_found *f = NULL;

	if (q->from == KS_FROM_SQLITE)
		KS_TRY(ks_profile_sniff(q->path, err));
	const enum ks_status streamed = source->stream(&app->ctx, q->path, ks_find_sink(find), err);

	ks_progress_done(&app->progress);
	KS_TRY(streamed);
	KS_TRY(ks_find_finish(find, &f, err));
	if (f->no_such_name)
		return no_such_name(q, f, err);
	remark(app, q, f);
	if (!q->json)
		return ks_find_text_out(f, &view, &app->out, err);
	return ks_find_json_out(f, ks_redact_path(app->ctx.redact, ks_str_c(file_of(q))), &app->out,
				err);
}

static enum ks_status answer(struct ks_app *app, const struct question *q, struct ks_err *err)
{
	struct ks_find *find = NULL;

	KS_TRY(ks_find_open(&app->ctx, &q->choice, &find, err));
	const enum ks_status status = look(app, q, find, err);

	ks_find_close(find);
	return status;
}

enum ks_status ks_cmd_find(struct ks_app *app, int argc, char **argv, struct ks_err *err)
{
	struct question q = { .path = NULL };
	struct ks_opts o;

	KS_TRY(ks_command_begin(app, KS_CMD_FIND, &o, argc, argv, err));
	if (o.answered)
		return KS_OK;
	KS_TRY(read_question(app, &o, &q, err));
	if (ks_plan_asked(&o))
		return ks_plan_command(
			app, &o, &(struct ks_plan_ask){ .from = q.from, .path = q.path }, err);
	return answer(app, &q, err);
}
