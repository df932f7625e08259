/* SPDX-License-Identifier: Apache-2.0
 *
 * `route QUESTION...`: the command that answers a question (contract 03 §15). What the sentence
 * means is verdict's; this file only joins the words.
 */
#include "base/str.h"
#include "cmd/command.h"
#include "cmd/machine.h"
#include "cmd/plan.h"
#include "render/route.h"

#define SENTENCE_BYTES ((size_t)64 * 1024) /* far more than is read of it */

static ks_str sentence(struct ks_app *app, const struct ks_opts *o)
{
	struct ks_buf b;

	ks_buf_init(&b, SENTENCE_BYTES);
	for (int i = 0; i < o->n_rest && b.n < SENTENCE_BYTES / 2; i++) {
		const ks_str word = ks_str_c(o->rest[i]);

		if (i > 0)
			ks_buf_ch(&b, ' ');
		ks_buf_add(&b, word.p, word.n < SENTENCE_BYTES / 4 ? word.n : SENTENCE_BYTES / 4);
	}
	const ks_str s = ks_buf_keep(&b, &app->arena);

	ks_buf_release(&b);
	return s;
}

static enum ks_status list(struct ks_app *app, bool json, const struct ks_view *v,
			   struct ks_err *err)
{
	return json ? ks_route_list_json(&app->ctx, &app->out, err)
		    : ks_route_list_text(&app->ctx, v, &app->out, err);
}

static enum ks_status answer(struct ks_app *app, const struct ks_opts *o, struct ks_err *err)
{
	const struct ks_view view = { .term = app->term, .lang = ks_app_lang(app) };
	const bool json = ks_opt_on(o, KS_OPT_JSON);
	struct ks_route_page page = { .question = sentence(app, o) };
	const struct ks_host_ask ask = ks_machine_ask(ks_opt_on(o, KS_OPT_PROBE));
	const struct ks_plan_ask plan = { .host = ks_opt_on(o, KS_OPT_LIST) ? NULL : &ask };
	struct ks_machine m;

	if (ks_plan_asked(o))
		return ks_plan_command(app, o, &plan, err);
	if (ks_opt_on(o, KS_OPT_LIST))
		return list(app, json, &view, err);
	if (ks_route_is_empty(page.question)) {
		if (json)
			ks_route_empty_json(&app->ctx, ks_exit_code(KS_E_USAGE), &app->out);
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_ROUTE_EMPTY, NULL);
	}
	ks_route_find(page.question, &app->arena, &page.routes);
	KS_TRY(ks_machine_read(app, ks_opt_on(o, KS_OPT_PROBE), &m, err));
	page.c = &m.capability;
	return json ? ks_route_json(&app->ctx, &page, &app->out, err)
		    : ks_route_text(&app->ctx, &page, &view, &app->out, err);
}

enum ks_status ks_cmd_route(struct ks_app *app, int argc, char **argv, struct ks_err *err)
{
	struct ks_opts o;

	KS_TRY(ks_command_begin(app, KS_CMD_ROUTE, &o, argc, argv, err));
	return o.answered ? KS_OK : answer(app, &o, err);
}
