/* SPDX-License-Identifier: Apache-2.0
 *
 * `show ID FILE`: one event of a trace (contract 03 §23). Reads the file as often as it is asked
 * to.
 */
#include "analyze/show.h"
#include "base/str.h"
#include "cmd/command.h"
#include "cmd/plan.h"
#include "cmd/profile.h"
#include "render/show.h"
#include "source/source.h"

struct question {
	const char *id, *path; /* path NULL: the synthetic trace */
	enum ks_from from;
	bool json;
};

static enum ks_status read_question(const struct ks_opts *o, struct question *q, struct ks_err *err)
{
	const bool named = ks_opt_on(o, KS_OPT_KS_SQLITE), made = ks_opt_on(o, KS_OPT_KS_SYNTHETIC);

	if (named && made)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_TWO_SOURCES, "ks-sqlite",
				  "ks-synthetic", NULL);
	const int words = named || made ? 1 : 2;

	KS_TRY(ks_command_words_given(KS_CMD_SHOW, o, words, words, err));
	q->id = o->rest[0];
	q->json = ks_opt_on(o, KS_OPT_JSON);
	q->from = KS_FROM_SYNTHETIC;
	if (made)
		return KS_OK;
	q->path = named ? o->opt[KS_OPT_KS_SQLITE].value : o->rest[1];
	const enum ks_input_kind kind = ks_input_sniff(q->path);

	q->from = kind == KS_INPUT_NSYS_REP || kind == KS_INPUT_QDREP ? KS_FROM_NSYS_REP
								      : KS_FROM_SQLITE;
	if (kind == KS_INPUT_JSON)
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_STATS_REPORT, q->path, NULL);
	return KS_OK;
}

static enum ks_status look(struct ks_app *app, const struct question *q, struct ks_show *show,
			   struct ks_err *err)
{
	const struct ks_source_ops *source = ks_profile_source(q->from);
	const struct ks_view view = { .term = app->term, .lang = ks_app_lang(app) };
	bool more = true;

	if (q->from == KS_FROM_SQLITE)
		KS_TRY(ks_profile_sniff(q->path, err));
	while (more) {
		const enum ks_status streamed =
			source->stream(&app->ctx, q->path, ks_show_sink(show), err);

		ks_progress_done(&app->progress);
		KS_TRY(streamed);
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
	struct question q = { .path = NULL };
	struct ks_opts o;

	KS_TRY(ks_command_begin(app, KS_CMD_SHOW, &o, argc, argv, err));
	if (o.answered)
		return KS_OK;
	KS_TRY(read_question(&o, &q, err));
	if (ks_plan_asked(&o))
		return ks_plan_command(
			app, &o, &(struct ks_plan_ask){ .from = q.from, .path = q.path }, err);
	return answer(app, &q, err);
}
