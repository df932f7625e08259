/* SPDX-License-Identifier: Apache-2.0
 *
 * The files a run will write, looked at before the work begins: that no name stands for two of
 * them or for the input, and that each can be written. Writes none.
 */
#include "cmd/outputs.h"

#include <limits.h>
#include <sys/stat.h>

#include "base/str.h"

bool ks_is_dash(const char *path)
{
	return strcmp(path, "-") == 0;
}

/* Pipes and terminals given by name are written straight to: opening them early would show. */
static bool is_stream(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISCHR(st.st_mode));
}

static bool is_same_inode(const char *a, const char *b)
{
	struct stat sa, sb;

	return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev &&
	       sa.st_ino == sb.st_ino;
}

/* The folder of a path, and what stands behind its last slash. False: the path is too long to be
 * opened anyway. */
static bool split(const char *path, char folder[PATH_MAX], const char **name)
{
	const char *slash = strrchr(path, '/');
	const size_t n = slash != NULL ? (size_t)(slash - path) + 1 : 0;

	if (n + 2 > PATH_MAX)
		return false;
	memcpy(folder, path, n);
	memcpy(folder + n, n > 0 ? "" : ".", n > 0 ? 1 : 2);
	*name = path + n;
	return true;
}

/* Two spellings of one file, whether it exists yet or not. */
static bool is_same_file(const char *a, const char *b)
{
	char folder[2][PATH_MAX];
	const char *name[2];

	if (strcmp(a, b) == 0 || is_same_inode(a, b))
		return true;
	return split(a, folder[0], &name[0]) && split(b, folder[1], &name[1]) &&
	       strcmp(name[0], name[1]) == 0 && is_same_inode(folder[0], folder[1]);
}

/* The input, or a file in which SQLite keeps a part of it. */
static bool is_of_input(const char *path, const char *input)
{
	static const char *const ending[] = { "", "-wal", "-shm", "-journal" };
	char side[PATH_MAX];

	for (size_t i = 0; i < KS_ARRAY_LEN(ending); i++) {
		const int n = snprintf(side, sizeof(side), "%s%s", input, ending[i]);

		if (n > 0 && n < (int)sizeof(side) && is_same_file(path, side))
			return true;
	}
	return false;
}

static enum ks_status try_open(struct ks_app *app, const char *path, int flags, struct ks_err *err)
{
	struct ks_out probe;

	if (is_stream(path))
		return KS_OK;
	KS_TRY(ks_out_open_file(&probe, app->ctx.io, path, flags, err));
	ks_out_abandon(&probe);
	return KS_OK;
}

enum ks_status ks_outputs_distinct(const struct ks_settings *s, struct ks_err *err)
{
	for (size_t i = 0; i < KS_FILE_COUNT; i++) {
		const char *path = s->file[i];

		if (path == NULL || ks_is_dash(path) || is_stream(path))
			continue;
		if ((s->path != NULL && is_of_input(path, s->path)) ||
		    (s->sel.selfcheck != NULL && is_same_file(path, s->sel.selfcheck)))
			return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_OVER_INPUT, path, NULL);
		for (size_t k = 0; k < i; k++) {
			if (s->file[k] != NULL && is_same_file(path, s->file[k]))
				return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_SAME_OUTPUT,
						  path, NULL);
		}
	}
	return KS_OK;
}

enum ks_status ks_outputs_check(struct ks_app *app, const struct ks_settings *s, struct ks_err *err)
{
	const int flags = s->force ? KS_OUT_FORCE : 0;

	for (size_t i = 0; i < KS_FILE_COUNT; i++) {
		if (s->file[i] != NULL && !ks_is_dash(s->file[i]) && i != KS_FILE_LOG)
			KS_TRY(try_open(app, s->file[i], flags, err)); /* the log is open already */
	}
	return KS_OK;
}
