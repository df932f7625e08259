/* SPDX-License-Identifier: Apache-2.0
 *
 * `find KIND FILE`: single events of a trace (contract 03 §23). Reads the choice, runs the file
 * through it, and says on stderr what the list does not.
 */
#include "analyze/find.h"
#include "analyze/window.h"
#include "base/num.h"
#include "base/str.h"
#include "cmd/events.h"
#include "cmd/plan.h"
#include "render/find.h"

struct question {
	struct ks_find_choice choice;
	struct ks_events_file file;
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

/* A filter that no event of the kind can have is a slip. */
static enum ks_status check_filters(const struct ks_opts *o, enum ks_find_kind kind,
				    struct ks_err *err)
{
	static const enum ks_option of_device[] = { KS_OPT_DEVICE, KS_OPT_STREAM };
	static const enum ks_option not_of_gaps[] = { KS_OPT_NAME, KS_OPT_STREAM, KS_OPT_PID };

	for (size_t i = 0; i < KS_ARRAY_LEN(of_device); i++) {
		if (ks_opt_on(o, of_device[i]) && !ks_find_on_device(kind))
			return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_FIND_NO_STREAM,
					  ks_option_info(of_device[i])->name, ks_find_word(kind),
					  NULL);
	}
	for (size_t i = 0; i < KS_ARRAY_LEN(not_of_gaps); i++) {
		if (ks_opt_on(o, not_of_gaps[i]) && kind == KS_FIND_GAP)
			return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_FIND_GAP,
					  ks_option_info(not_of_gaps[i])->name, NULL);
	}
	return KS_OK;
}

static enum ks_status read_choice(const struct ks_opts *o, struct ks_find_choice *c,
				  struct ks_err *err)
{
	const char *least = o->opt[KS_OPT_MIN_DURATION].value;

	KS_TRY(find_kind(o->rest[0], &c->kind, err));
	KS_TRY(check_filters(o, c->kind, err));
	c->name = ks_str_c(o->opt[KS_OPT_NAME].value);
	c->min_ns = KS_UNKNOWN;
	if (least != NULL && (!ks_window_time(ks_str_c(least), &c->min_ns) || c->min_ns < 0))
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_FIND_TIME, least, NULL);
	c->device = number(o, KS_OPT_DEVICE);
	c->stream = number(o, KS_OPT_STREAM);
	c->pid = number(o, KS_OPT_PID);
	c->number = KS_UNKNOWN;
	c->by_duration = ks_opt_is(o, KS_OPT_SORT, "duration");
	c->limit = (uint64_t)ks_opt_int(o, KS_OPT_LIMIT);
	return read_window(o, c, err);
}

static enum ks_status read_question(struct ks_app *app, const struct ks_opts *o, struct question *q,
				    struct ks_err *err)
{
	KS_TRY(ks_events_file(KS_CMD_FIND, o, &q->file, err));
	KS_TRY(read_choice(o, &q->choice, err));
	ks_events_hide(app, q->choice.kind, q->choice.name);
	q->json = ks_opt_on(o, KS_OPT_JSON);
	return KS_OK;
}

static void remark(struct ks_app *app, const struct question *q, const struct ks_found *f)
{
	char n[KS_NUM_LEN];

	if (f->rows == 0)
		ks_app_say(app, KS_LOG_WARN, KS_TEXT_FIND_NONE, ks_events_name(&q->file),
			   ks_find_word(q->choice.kind), NULL);
	if (f->bad_rows == 0)
		return;
	(void)ks_num_grouped(n, (int64_t)f->bad_rows);
	ks_app_say(app, KS_LOG_WARN, KS_TEXT_FIND_BAD, n, NULL);
}

static const int no_name[] = { KS_TEXT_ERR_FIND_NO_NAME, KS_TEXT_ERR_FIND_NO_PATTERN };

static enum ks_status look(struct ks_app *app, const struct question *q, struct ks_find *find,
			   struct ks_err *err)
{
	const struct ks_view view = { .term = app->term, .lang = ks_app_lang(app) };
	const struct ks_found *f = NULL;

	KS_TRY(ks_events_read(app, &q->file, ks_find_sink(find), err));
	KS_TRY(ks_find_finish(find, &f, err));
	if (f->no_such_name)
		return ks_events_no_name(f, &q->file, no_name, err);
	remark(app, q, f);
	if (!q->json)
		return ks_find_text_out(f, &view, &app->out, err);
	return ks_find_json_out(f,
				ks_redact_path(app->ctx.redact, ks_str_c(ks_events_name(&q->file))),
				&app->out, err);
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
	struct question q = { .json = false };
	struct ks_opts o;

	KS_TRY(ks_command_begin(app, KS_CMD_FIND, &o, argc, argv, err));
	if (o.answered)
		return KS_OK;
	KS_TRY(read_question(app, &o, &q, err));
	if (ks_plan_asked(&o))
		return ks_plan_command(
			app, &o, &(struct ks_plan_ask){ .from = q.file.from, .path = q.file.path },
			err);
	return answer(app, &q, err);
}
