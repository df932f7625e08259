/* SPDX-License-Identifier: Apache-2.0
 *
 * `ncu-command KERNEL|ID FILE`: the line that makes ncu profile one launch of the trace. Finds the
 * launch, what stands around it, and how many of its name come before it; starts nothing.
 */
#include "analyze/find.h"
#include "analyze/find_table.h"
#include "analyze/ncu_count.h"
#include "analyze/show.h"
#include "base/str.h"
#include "cmd/events.h"
#include "cmd/plan.h"
#include "render/ncu_line.h"

struct question {
	const char *word; /* KERNEL or ID */
	struct ks_events_file file;
	bool json;
	bool by_id;
	const char *id; /* once it is known */
	uint64_t named; /* launches that a name chose from */
};

static enum ks_status read_question(struct ks_app *app, const struct ks_opts *o, struct question *q,
				    struct ks_err *err)
{
	enum ks_find_table table = KS_FIND_T_KERNEL;
	int64_t pid = 0, row = 0;

	KS_TRY(ks_events_file(KS_CMD_NCU_COMMAND, o, &q->file, err));
	q->word = o->rest[0];
	q->json = ks_opt_on(o, KS_OPT_JSON);
	q->by_id = ks_find_id_parse(ks_str_c(q->word), &table, &pid, &row);
	if (q->by_id && table != KS_FIND_T_KERNEL)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_NCU_KIND, q->word, NULL);
	if (!q->by_id)
		ks_events_hide(app, KS_FIND_KERNEL, ks_str_c(q->word));
	return KS_OK;
}

static const int no_name[] = { KS_TEXT_ERR_NCU_NO_KERNEL, KS_TEXT_ERR_NCU_NO_PATTERN };

/* Of the launches of a name that of the median duration: the one that stands for most. */
static enum ks_status take_found(struct ks_app *app, struct question *q, struct ks_find *find,
				 struct ks_err *err)
{
	const struct ks_found *f = NULL;

	KS_TRY(ks_events_read(app, &q->file, ks_find_sink(find), err));
	KS_TRY(ks_find_finish(find, &f, err));
	if (f->no_such_name)
		return ks_events_no_name(f, &q->file, no_name, err);
	if (f->n == 0)
		return ks_err_set(err, KS_E_NOMATCH, KS_TEXT_FIND_NONE, ks_events_name(&q->file),
				  ks_find_word(KS_FIND_KERNEL), NULL);
	if (f->event[0].id.n == 0)
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_NCU_NO_ROW, ks_events_name(&q->file),
				  NULL);
	q->named = f->total;
	q->id = ks_arena_dup(&app->arena, f->event[0].id).p;
	return KS_OK;
}

static enum ks_status choose(struct ks_app *app, struct question *q, struct ks_err *err)
{
	const struct ks_find_choice choice = {
		.kind = KS_FIND_KERNEL,
		.name = ks_str_c(q->word),
		.min_ns = KS_UNKNOWN,
		.from = KS_UNKNOWN,
		.to = KS_UNKNOWN,
		.device = KS_UNKNOWN,
		.stream = KS_UNKNOWN,
		.pid = KS_UNKNOWN,
		.number = KS_UNKNOWN,
		.by_duration = true,
		.median = true,
	};
	struct ks_find *find = NULL;

	q->id = q->word;
	if (q->by_id)
		return KS_OK;
	if (choice.name.n == 0) /* which would be every name */
		return ks_err_set(err, KS_E_NOMATCH, KS_TEXT_ERR_NCU_NO_KERNEL, "\"\"",
				  ks_find_word(KS_FIND_KERNEL), ks_events_name(&q->file), "-",
				  NULL);
	KS_TRY(ks_find_open(&app->ctx, &choice, &find, err));
	const enum ks_status status = take_found(app, q, find, err);

	ks_find_close(find);
	return status;
}

static enum ks_status put(struct ks_app *app, const struct question *q,
			  const struct ks_ncu_line *found, struct ks_err *err)
{
	const struct ks_view view = { .term = app->term, .lang = ks_app_lang(app) };
	struct ks_ncu_line line = *found;

	line.named = q->named;
	if (!line.program_known)
		ks_app_say(app, KS_LOG_WARN, KS_TEXT_NCU_NO_PROGRAM, ks_events_name(&q->file),
			   NULL);
	return q->json ? ks_ncu_line_json(&line, &view, &app->out, err)
		       : ks_ncu_line_text(&line, &view, &app->out, err);
}

static enum ks_status count(struct ks_app *app, const struct question *q,
			    const struct ks_shown *shown, struct ks_err *err)
{
	const struct ks_ncu_line *line = NULL;
	struct ks_ncu_count *n = NULL;

	KS_TRY(ks_ncu_open(&app->ctx, shown, &n, err));
	enum ks_status status = ks_events_read(app, &q->file, ks_ncu_sink(n), err);

	if (status == KS_OK)
		status = ks_ncu_finish(n, &line, err);
	if (status == KS_OK)
		status = put(app, q, line, err);
	ks_ncu_close(n);
	return status;
}

static enum ks_status look_around(struct ks_app *app, const struct question *q,
				  struct ks_show *show, struct ks_err *err)
{
	bool more = true;

	while (more) {
		KS_TRY(ks_events_read(app, &q->file, ks_show_sink(show), err));
		KS_TRY(ks_show_read(show, &more, err));
	}
	return count(app, q, ks_show_answer(show), err);
}

static enum ks_status answer(struct ks_app *app, struct question *q, struct ks_err *err)
{
	struct ks_show *show = NULL;

	KS_TRY(choose(app, q, err));
	KS_TRY(ks_show_open(&app->ctx, q->id, &show, err));
	const enum ks_status status = look_around(app, q, show, err);

	ks_show_close(show);
	return status;
}

enum ks_status ks_cmd_ncu_command(struct ks_app *app, int argc, char **argv, struct ks_err *err)
{
	struct question q = { .word = NULL };
	struct ks_opts o;

	KS_TRY(ks_command_begin(app, KS_CMD_NCU_COMMAND, &o, argc, argv, err));
	if (o.answered)
		return KS_OK;
	KS_TRY(read_question(app, &o, &q, err));
	if (ks_plan_asked(&o))
		return ks_plan_command(
			app, &o, &(struct ks_plan_ask){ .from = q.file.from, .path = q.file.path },
			err);
	return answer(app, &q, err);
}
