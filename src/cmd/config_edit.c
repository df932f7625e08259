/* SPDX-License-Identifier: Apache-2.0
 *
 * One key of a configuration file is set or taken out; every other byte of the file stays. A file
 * that is not right is left alone: its fault is told first.
 */
#include "cmd/config.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>

#include "base/folder.h"
#include "base/str.h"

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

/* --- lines ---------------------------------------------------------------------------------------
 */

static bool is_comment(ks_str line)
{
	return line.n == 0 || line.p[0] == '#' || line.p[0] == ';' || line.p[0] == '[';
}

/* The value of a line KEY = VALUE as the reader takes it: behind the first = or :, before a blank
 * and a semicolon. False: the line is of another key. */
static bool find_value(ks_str line, const char *key, ks_str *value)
{
	const ks_str text = ks_str_trim(line);
	size_t at = 0;

	if (is_comment(text))
		return false;
	while (at < text.n && text.p[at] != '=' && text.p[at] != ':')
		at++;
	if (at == text.n || !ks_str_eqc(ks_str_trim((ks_str){ text.p, at }), key))
		return false;
	*value = (ks_str){ text.p + at + 1, text.n - at - 1 };
	for (size_t i = 1; i < value->n; i++) {
		if (value->p[i] == ';' && (value->p[i - 1] == ' ' || value->p[i - 1] == '\t'))
			value->n = i;
	}
	*value = ks_str_trim(*value);
	return true;
}

/* Where the last line of the key begins: it is the one that counts. */
static const char *last_line(ks_str text, const char *key)
{
	const char *found = NULL;
	ks_str value;

	for (ks_str rest = text; rest.p != NULL && rest.n > 0;) {
		const ks_str line = ks_str_cut(&rest, '\n');

		if (find_value(line, key, &value))
			found = line.p;
	}
	return found;
}

static void put_pair(struct ks_buf *to, const char *key, const char *value)
{
	if (to->n > 0 && to->p[to->n - 1] != '\n')
		ks_buf_ch(to, '\n');
	ks_buf_fmt(to, "%s = %s\n", key, value);
}

bool ks_config_edit_text(struct ks_buf *to, ks_str text, const char *key, const char *value)
{
	const size_t mark = ks_str_starts(text, BYTE_ORDER_MARK) ? strlen(BYTE_ORDER_MARK) : 0;

	ks_buf_add(to, text.p, mark);
	text.p += mark;
	text.n -= mark;
	const char *last = last_line(text, key);
	ks_str old = KS_STR_NONE;

	if (last == NULL && value == NULL)
		return false;
	for (ks_str rest = text; rest.p != NULL && rest.n > 0;) {
		const ks_str line = ks_str_cut(&rest, '\n');

		if (find_value(line, key, &old) && (value == NULL || line.p == last)) {
			if (value == NULL)
				continue;
			const size_t before = (size_t)(old.p - line.p);

			ks_buf_add(to, line.p, before);
			ks_buf_cstr(to, value);
			ks_buf_add(to, old.p + old.n, line.n - before - old.n);
		} else {
			ks_buf_str(to, line);
		}
		if (rest.p != NULL)
			ks_buf_ch(to, '\n');
	}
	if (last == NULL)
		put_pair(to, key, value);
	return true;
}

/* --- the file ------------------------------------------------------------------------------------
 */

static bool is_writable_value(const char *value)
{
	const ks_str v = ks_str_c(value);

	return v.n > 0 && ks_str_trim(v).n == v.n && !ks_str_has(v, KS_LIT(" ;")) &&
	       !ks_str_has(v, KS_LIT("\t;")) && !ks_str_has(v, KS_LIT("\n")) &&
	       !ks_str_has(v, KS_LIT("\r")) && v.p[0] != ';';
}

/* $XDG_CONFIG_HOME and the folder in it, as the standard asks: for the user alone. */
static enum ks_status make_folders(const char *path, struct ks_err *err)
{
	const int err_no = ks_folder_make_parents(path, 0700);
	char cause[32];

	if (err_no != 0)
		return ks_err_set(err, KS_E_OUTPUT, KS_TEXT_ERR_CONFIG_FOLDER, path,
				  ks_err_errno(cause, err_no), NULL);
	return KS_OK;
}

static enum ks_status write_file(struct ks_app *app, const struct ks_config_change *change,
				 ks_str text, struct ks_err *err)
{
	struct ks_out out;

	if (change->make_folders)
		KS_TRY(make_folders(change->path, err));
	KS_TRY(ks_out_open_file(&out, app->ctx.io, change->path, KS_OUT_FORCE, err));
	ks_out_str(&out, text);
	return ks_out_commit(&out, err);
}

/* The text that is there, if it is right: a line is not added to a file that nobody can read. */
static enum ks_status read_old(struct ks_app *app, const char *path, struct ks_buf *text,
			       struct ks_err *err)
{
	struct ks_configured *c = KS_ARENA_NEW(&app->arena, struct ks_configured);
	struct stat st;

	if (c == NULL)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
	if (lstat(path, &st) != 0)
		return KS_OK;
	KS_TRY(ks_config_read(app, &(struct ks_config_file){ path, KS_BY_USER, true }, c, err));
	return ks_io_read_regular(path, true, text, err);
}

enum ks_status ks_config_edit(struct ks_app *app, const struct ks_config_change *change,
			      struct ks_err *err)
{
	const char *key = ks_option_info(change->id)->config_key;
	const size_t most = (size_t)ks_limit(KS_LIMIT_CONFIG_BYTES);
	struct ks_buf old, text;

	if (change->value != NULL && !is_writable_value(change->value))
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CONFIG_VALUE, key, NULL);
	ks_buf_init(&old, most);
	ks_buf_init(&text, most + (size_t)4096);
	enum ks_status status = read_old(app, change->path, &old, err);

	if (status == KS_OK && !ks_config_edit_text(&text, ks_buf_view(&old), key, change->value))
		status = ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CONFIG_NOT_SET, key, change->path,
				    NULL);
	if (status == KS_OK && ks_buf_failed(&text))
		status = ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
	if (status == KS_OK)
		status = write_file(app, change, ks_buf_view(&text), err);
	ks_buf_release(&old);
	ks_buf_release(&text);
	return status;
}
