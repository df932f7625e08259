/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens --redact and tells it the words of the command line and of this machine. Replaces nothing
 * itself.
 */
#include "cmd/redaction.h"

#include <jansson.h>

#include "base/scrub.h"
#include "base/str.h"
#include "source/redact_json.h"
#include "verdict/packet_read.h"

enum { NAME_BYTES = 3 }; /* a user's or host's name that is shorter is not looked for */

static void turn_on(struct ks_app *app, enum ks_redact_mode mode)
{
	ks_redaction_close(app);
	app->ctx.redact = ks_redact_open(&app->arena, mode, app->ctx.env("KERNOSCOPE_REDACT_KEY"));
	app->log.redact = app->ctx.redact;
}

void ks_redaction_close(struct ks_app *app)
{
	ks_redact_close(app->ctx.redact);
	app->ctx.redact = app->log.redact = NULL;
}

/* --- words ---------------------------------------------------------------------------------------
 */

static bool is_like_path(ks_str word)
{
	return ks_scrub_ending(word).n > 0 || ks_str_has(word, KS_LIT("/"));
}

static void add_file(struct ks_app *app, ks_str word)
{
	ks_redact_argument(app->ctx.redact, word, ks_redact_path(app->ctx.redact, word));
}

/* The path, its last part, and what a message would call the export made of it. */
static void add_path(struct ks_app *app, const char *path)
{
	const ks_str whole = ks_str_c(path), ending = ks_scrub_ending(whole);
	ks_str rest = whole, last = whole;

	while (rest.p != NULL)
		last = ks_str_cut(&rest, '/');
	add_file(app, whole);
	add_file(app, last);
	if (last.n > ending.n)
		add_file(app, ks_arena_fmt(&app->arena, "%.*s.sqlite", (int)(last.n - ending.n),
					   last.p));
}

static void add_name(struct ks_app *app, const char *name, const char *to)
{
	static const char *const common[] = { "root", "user", "localhost" };
	const ks_str word = ks_str_c(name);

	for (size_t i = 0; i < KS_ARRAY_LEN(common); i++) {
		if (ks_str_eqc(word, common[i]))
			return;
	}
	if (word.n >= NAME_BYTES)
		ks_redact_word(app->ctx.redact, word, ks_str_c(to));
}

static void add_machine(struct ks_app *app)
{
	char host[256] = "";

	add_name(app, app->ctx.env("USER"), "<user>");
	add_name(app, app->ctx.env("LOGNAME"), "<user>");
	add_name(app, app->ctx.env("HOSTNAME"), "<host>");
	if (gethostname(host, sizeof(host) - 1) == 0)
		add_name(app, host, "<host>");
}

/* What a run was told to choose are names of the trace. */
static void add_choices(struct ks_app *app, const struct ks_opts *o)
{
	static const enum ks_option chosen[] = { KS_OPT_KERNEL_NAME, KS_OPT_KS_STEP, KS_OPT_KS_COMM,
						 KS_OPT_KS_FAMILY };
	struct ks_redact *r = app->ctx.redact;

	if (ks_redact_mode_of(r) != KS_REDACT_NAMES)
		return;
	for (size_t i = 0; i < KS_ARRAY_LEN(chosen); i++) {
		for (const struct ks_optval *v = o->opt[chosen[i]].first; v; v = v->next)
			ks_redact_argument(r, ks_str_c(v->text),
					   ks_redact_choice(r, ks_str_c(v->text)));
	}
	for (const struct ks_optval *v = o->opt[KS_OPT_KS_RULE].first; v; v = v->next)
		ks_redact_argument(r, ks_str_c(v->text), ks_redact_rule(r, ks_str_c(v->text)));
	const ks_str within = ks_str_c(o->opt[KS_OPT_WITHIN].value);

	ks_redact_argument(r, within, ks_redact_within(r, within));
}

/* METRIC@KERNEL of `explain`. */
static void add_kernel(struct ks_app *app, const char *word)
{
	struct ks_redact *r = app->ctx.redact;
	ks_str kernel = ks_str_c(word);

	(void)ks_str_cut(&kernel, '@');
	if (kernel.p != NULL && ks_redact_mode_of(r) == KS_REDACT_NAMES)
		ks_redact_argument(r, kernel, ks_redact_choice(r, kernel));
}

static void add_options(struct ks_app *app, const struct ks_opts *o)
{
	for (int id = KS_OPT_NONE + 1; id < KS_OPT_COUNT; id++) {
		/* a file, or a URL, which names a host */
		if (ks_option_info((enum ks_option)id)->arg != KS_ARG_FILE &&
		    id != KS_OPT_KS_TELEMETRY)
			continue;
		for (const struct ks_optval *v = o->opt[id].first; v; v = v->next)
			add_path(app, v->text);
	}
}

static void add_rest(struct ks_app *app, const struct ks_opts *o, bool program)
{
	for (int i = 0; i < o->n_rest; i++) {
		if (is_like_path(ks_str_c(o->rest[i])))
			add_path(app, o->rest[i]);
		else if (program)
			ks_redact_argument(app->ctx.redact, ks_str_c(o->rest[i]),
					   KS_LIT("<argument>"));
		else
			add_kernel(app, o->rest[i]);
	}
}

/* --- the run -------------------------------------------------------------------------------------
 */

void ks_redaction_scan(struct ks_app *app, int argc, char **argv)
{
	bool asked = app->ctx.env("KERNOSCOPE_REDACT") != NULL;

	/* an abbreviation counts, and so does a word of the program: here too much is right */
	for (int i = 1; i < argc; i++)
		asked = asked || ks_str_starts(ks_str_c(argv[i]), "--red");
	if (!asked)
		return;
	turn_on(app, KS_REDACT_YES);
	add_machine(app);
	for (int i = 1; i < argc; i++) {
		ks_str word = ks_str_c(argv[i]);

		if (ks_str_starts(word, "-"))
			(void)ks_str_cut(&word, '=');
		if (word.p != NULL && is_like_path(word))
			ks_redact_argument(app->ctx.redact, word,
					   ks_redact_path(app->ctx.redact, word));
	}
}

bool ks_redaction_settle(struct ks_app *app, const struct ks_opts *o, bool program)
{
	const bool names = ks_opt_is(o, KS_OPT_REDACT, "names");

	if (!ks_opt_on(o, KS_OPT_REDACT)) {
		ks_redaction_close(app);
		return true;
	}
	turn_on(app, names ? KS_REDACT_NAMES : KS_REDACT_YES);
	add_machine(app);
	add_options(app, o);
	add_choices(app, o);
	add_rest(app, o, program);
	return app->ctx.redact != NULL;
}

void ks_redaction_files(struct ks_app *app, const struct ks_settings *s)
{
	if (app->ctx.redact == NULL)
		return;
	for (size_t i = 0; i < KS_ARRAY_LEN(s->file); i++)
		add_path(app, s->file[i]);
	add_path(app, s->path);
	add_path(app, s->case_dir);
}

/* --- packets -------------------------------------------------------------------------------------
 */

static int add_piece(const char *piece, size_t n, void *arg)
{
	struct ks_buf *b = arg;

	ks_buf_add(b, piece, n);
	return ks_buf_failed(b) ? -1 : 0;
}

/* The text of the document, redacted. What is no JSON stays: its reader says what is wrong. */
static bool redact_text(const struct ks_app *app, struct ks_buf *text)
{
	json_t *doc =
		json_loadb(ks_buf_text(text), text->n, JSON_ALLOW_NUL | JSON_DECODE_ANY, NULL);

	if (doc == NULL)
		return true;
	const bool good = ks_redact_json(&app->ctx, doc);

	ks_buf_reset(text);
	const bool whole = good && json_dump_callback(doc, add_piece, text, JSON_ENCODE_ANY) == 0;

	json_decref(doc);
	return whole;
}

enum ks_status ks_redaction_packet(struct ks_app *app, const char *path, struct ks_packet **packet,
				   struct ks_err *err)
{
	struct ks_buf text;

	if (app->ctx.redact == NULL)
		return ks_packet_read(&app->ctx, path, packet, err);
	ks_buf_init(&text, 4 * (size_t)ks_limit(KS_LIMIT_PACKET_INPUT_BYTES));
	enum ks_status status = ks_io_read_file(path, &text, err);

	if (status == KS_OK && !redact_text(app, &text))
		status = ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
	if (status == KS_OK)
		status = ks_packet_parse(&app->ctx, ks_buf_view(&text), path, packet, err);
	ks_buf_release(&text);
	return status;
}
