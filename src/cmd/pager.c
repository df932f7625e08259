/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides from the terminal and the options whether text is held back, and from its length whether
 * a pager shows it. Changes no byte of it.
 */
#include "cmd/pager.h"

#include "base/feed.h"
#include "base/str.h"
#include "base/utf8.h"

bool ks_pager_find(struct ks_app *app, struct ks_pager *p)
{
	static const char *const names[] = { "KERNOSCOPE_PAGER", "PAGER" };
	const char *program = NULL;
	size_t n = 0;

	for (size_t i = 0; i < KS_ARRAY_LEN(names) && program == NULL; i++)
		program = app->ctx.env(names[i]);
	*p = (struct ks_pager){ .named = program != NULL };
	ks_str rest = ks_str_c(program != NULL ? program : "less -FRX");

	while (rest.p != NULL) {
		const ks_str word = ks_str_trim(ks_str_cut(&rest, ' '));

		if (word.n == 0)
			continue;
		if (n == KS_PAGER_WORDS)
			return false;
		p->word[n++] = ks_arena_dup(&app->arena, word).p;
	}
	return n > 0 && strcmp(p->word[0], "cat") != 0;
}

/* Outputs of other options that take standard output, and results that programs read. */
static bool is_machine_result(const struct ks_opts *o)
{
	static const enum ks_option flags[] = { KS_OPT_JSON,	  KS_OPT_CSV,	KS_OPT_LAUNCH_CSV,
						KS_OPT_PLAN_JSON, KS_OPT_BRIEF, KS_OPT_STDIO };
	const char *format = o->opt[KS_OPT_FORMAT].value;

	for (size_t i = 0; i < KS_ARRAY_LEN(flags); i++) {
		if (ks_opt_on(o, flags[i]))
			return true;
	}
	for (int id = KS_OPT_NONE + 1; id < KS_OPT_COUNT; id++) {
		if (ks_option_info((enum ks_option)id)->output &&
		    ks_str_eqc(ks_str_c(o->opt[id].value), "-"))
			return true;
	}
	return format != NULL && strcmp(format, "text") != 0 && strcmp(format, "screen") != 0;
}

bool ks_pager_suits(const struct ks_opts *o, enum ks_command command)
{
	static const enum ks_command others[] = { KS_CMD_MCP,	     KS_CMD_SERVE,  KS_CMD_SCHEMA,
						  KS_CMD_COMPLETION, KS_CMD_RECORD, KS_CMD_EXPORT };

	for (size_t i = 0; i < KS_ARRAY_LEN(others); i++) {
		if (command == others[i])
			return false;
	}
	return !ks_opt_on(o, KS_OPT_NO_PAGER) && !is_machine_result(o);
}

void ks_pager_offer(struct ks_app *app, const struct ks_opts *o, enum ks_command command)
{
	struct ks_pager pager;

	if (app->out.fd != 1 || !ks_term_can_erase(1, app->ctx.env) ||
	    !ks_pager_suits(o, command) || !ks_pager_find(app, &pager))
		return;
	ks_buf_init(&app->page, (size_t)ks_limit(KS_LIMIT_PAGED_BYTES));
	ks_out_abandon(&app->out);
	ks_out_open_mem(&app->out, &app->page);
	app->paged = true;
}

/* Rows of the screen the text takes; a line that is wider than the screen takes several. Sequences
 * for colours are counted as if they were shown, which can only call a pager too early, and that
 * one ends by itself when the text fits. */
static size_t screen_rows(const struct ks_app *app, ks_str text)
{
	const size_t cols = app->term.cols > 0 ? (size_t)app->term.cols : 1;
	size_t rows = 0;

	for (ks_str rest = text; rest.p != NULL && rest.n > 0;) {
		const ks_str line = ks_str_cut(&rest, '\n');
		const size_t wide = line.n > cols ? ks_utf8_columns(line) : line.n;

		rows += wide > cols ? (wide + cols - 1) / cols : 1;
	}
	return rows;
}

/* Whether a pager showed it. */
static bool show_in_pager(struct ks_app *app, ks_str text)
{
	/* what less needs to keep the colours, should PAGER be less and LESS not be set */
	static const char *const defaults[] = { "LESS=FRX", "LV=-c", NULL };
	struct ks_pager pager;
	char cause[32];

	if (!ks_pager_find(app, &pager) || ks_arena_failed(&app->arena))
		return false;
	const int err_no = ks_feed(pager.word, defaults, text);

	if (err_no != 0 && pager.named)
		ks_app_say(app, KS_LOG_NOTE, KS_TEXT_PAGER_FAILED, pager.word[0],
			   ks_err_errno(cause, err_no), NULL);
	return err_no == 0;
}

void ks_pager_show(struct ks_app *app)
{
	if (!app->paged)
		return;
	app->paged = false;
	if (ks_out_failed(&app->out)) { /* told when the stream is closed */
		ks_buf_release(&app->page);
		return;
	}
	ks_out_abandon(&app->out);
	ks_out_open_fd(&app->out, app->ctx.io, 1);
	const ks_str text = ks_buf_view(&app->page);

	if (screen_rows(app, text) < (size_t)app->term.rows || !show_in_pager(app, text))
		ks_out_str(&app->out, text);
	ks_buf_release(&app->page);
}
