/* SPDX-License-Identifier: Apache-2.0
 *
 * One configuration file into values, with the line of each. A file that is not wholly right is an
 * error that names the line: nothing is skipped.
 */
#include "cmd/config.h"

#include <ini.h>

#include "base/num.h"
#include "base/str.h"

/* The library holds a line in 200 bytes, its end included. */
#define LINE_BYTES 197

struct reading {
	struct ks_app *app;
	struct ks_configured *c;
	const struct ks_config_file *f;
	ks_str rest;	 /* what is still to be handed out */
	int line;	 /* the last line handed out */
	bool too_long;	 /* the line after it */
	int failed_line; /* the first line whose meaning is wrong; 0: none */
	struct ks_err err;
};

static const char *place(const struct reading *r, int line)
{
	return ks_arena_fmt(&r->app->arena, "%s:%d", r->f->path, line).p;
}

/* fgets of the library, from memory. Blanks in front are dropped: a line that begins with one would
 * be read as the continuation of the line before. The first line is left as it is, so that a byte
 * order mark is one only where the file begins with it. */
static char *next_line(char *to, int room, void *arg)
{
	struct reading *r = arg;

	if (r->rest.p == NULL || r->rest.n == 0)
		return NULL;
	ks_str line = ks_str_cut(&r->rest, '\n');

	if (line.n > LINE_BYTES || (int)line.n > room - 2) {
		r->too_long = true;
		return NULL;
	}
	if (r->line > 0)
		line = ks_str_trim(line);
	memcpy(to, line.p, line.n);
	to[line.n] = '\0';
	r->line++;
	return to;
}

static enum ks_status no_key(const char *where, const char *name, const char *near,
			     struct ks_err *err)
{
	if (near != NULL)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CONFIG_KEY_NEAR, where, name, near,
				  NULL);
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CONFIG_KEY, where, name, NULL);
}

static enum ks_status take(struct reading *r, const char *name, const char *value)
{
	const char *near = NULL;
	const enum ks_option id = ks_config_key(ks_str_c(name), &near);
	const char *where = place(r, r->line);

	if (id == KS_OPT_NONE)
		return no_key(where, name, near, &r->err);
	if (r->f->origin == KS_BY_PROJECT && ks_option_info(id)->user_only)
		return ks_err_set(&r->err, KS_E_USAGE, KS_TEXT_ERR_CONFIG_PROJECT, where, name,
				  NULL);
	value = ks_arena_dup(&r->app->arena, ks_str_c(value)).p;
	KS_TRY(ks_config_check(id, &value, where, &r->err));
	r->c->set[id] =
		(struct ks_setting){ .value = value, .where = where, .origin = r->f->origin };
	return KS_OK;
}

/* Sections are headings for people and change nothing. */
static int take_pair(void *arg, const char *section, const char *name, const char *value)
{
	struct reading *r = arg;

	(void)section;
	if (r->failed_line != 0)
		return 1;
	if (take(r, name, value) == KS_OK)
		return 1;
	r->failed_line = r->line;
	return 0;
}

/* The first fault in the order of lines: what the library could not split, then a value, then a
 * line that was too long to be handed out. */
static enum ks_status judge(const struct reading *r, int bad_line, struct ks_err *err)
{
	char most[KS_NUM_LEN];

	if (bad_line < 0)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
	if (bad_line > 0 && bad_line != r->failed_line)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CONFIG_LINE, place(r, bad_line),
				  NULL);
	if (r->failed_line != 0) {
		if (err != NULL && err->status == KS_OK)
			*err = r->err;
		return r->err.status;
	}
	if (!r->too_long)
		return KS_OK;
	(void)ks_num_i64(most, LINE_BYTES);
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CONFIG_LONG, place(r, r->line + 1), most,
			  NULL);
}

static int lines_before(ks_str text, const char *at)
{
	int n = 1;

	for (const char *p = text.p; p < at; p++)
		n += *p == '\n';
	return n;
}

enum ks_status ks_config_parse(struct ks_app *app, const struct ks_config_file *f, ks_str text,
			       struct ks_configured *c, struct ks_err *err)
{
	struct reading r = { .app = app, .c = c, .f = f, .rest = text };
	const char *zero = text.n > 0 ? memchr(text.p, '\0', text.n) : NULL;

	if (zero != NULL)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CONFIG_ZERO,
				  place(&r, lines_before(text, zero)), NULL);
	ks_err_init(&r.err);
	KS_TRY(judge(&r, ini_parse_stream(next_line, &r, take_pair, &r), err));
	if (ks_arena_failed(&app->arena))
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
	return KS_OK;
}

enum ks_status ks_config_read(struct ks_app *app, const struct ks_config_file *f,
			      struct ks_configured *c, struct ks_err *err)
{
	/* a link in a project would show in our messages what its maker chose */
	const bool links = f->origin != KS_BY_PROJECT;
	struct ks_buf text;

	ks_buf_init(&text, (size_t)ks_limit(KS_LIMIT_CONFIG_BYTES));
	enum ks_status status = ks_io_read_regular(f->path, links, &text, err);

	if (status == KS_OK)
		status = ks_config_parse(app, f, ks_buf_view(&text), c, err);
	ks_buf_release(&text);
	return status;
}
