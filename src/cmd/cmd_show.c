/* SPDX-License-Identifier: Apache-2.0
 *
 * `show ID FILE`: one event of a trace (contract 03 §23). Reads the file as often as it is asked
 * to.
 */
#include "analyze/show.h"
#include "cmd/events.h"
#include "cmd/plan.h"
#include "render/show.h"

struct question {
	const char *id;
	struct ks_events_file file;
	bool json;
};

static enum ks_status read_question(const struct ks_opts *o, struct question *q, struct ks_err *err)
{
	KS_TRY(ks_events_file(KS_CMD_SHOW, o, &q->file, err));
	q->id = o->rest[0];
	q->json = ks_opt_on(o, KS_OPT_JSON);
	return KS_OK;
}

static enum ks_status look(struct ks_app *app, const struct question *q, struct ks_show *show,
			   struct ks_err *err)
{
	const struct ks_view view = { .term = app->term, .lang = ks_app_lang(app) };
	bool more = true;

	while (more) {
		KS_TRY(ks_events_read(app, &q->file, ks_show_sink(show), err));
		KS_TRY(ks_show_read(show, &more, err));
	}
	if (q->json)
		return ks_show_json_out(ks_show_answer(show), &app->out, err);
	return ks_show_text_out(ks_show_answer(show), &view, &app->out, err);
}

static enum ks_status answer(struct ks_app *app, const struct question *q, struct ks_err *err)
{
	struct ks_show *show = NULL;

	KS_TRY(ks_show_open(&app->ctx, q->id, &show, err));
	const enum ks_status status = look(app, q, show, err);

	ks_show_close(show);
	return status;
}

enum ks_status ks_cmd_show(struct ks_app *app, int argc, char **argv, struct ks_err *err)
{
	struct question q = { .id = NULL };
	struct ks_opts o;

	KS_TRY(ks_command_begin(app, KS_CMD_SHOW, &o, argc, argv, err));
	if (o.answered)
		return KS_OK;
	KS_TRY(read_question(&o, &q, err));
	if (ks_plan_asked(&o))
		return ks_plan_command(
			app, &o, &(struct ks_plan_ask){ .from = q.file.from, .path = q.file.path },
			err);
	return answer(app, &q, err);
}
