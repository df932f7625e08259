/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the files of a case directory. The manifest comes first: it is what makes the folder ours,
 * so a run that is stopped behind it leaves nothing that the next one would refuse.
 */
#include "cmd/casedir.h"

#include <errno.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/str.h"
#include "cmd/casepath.h"
#include "cmd/runline.h"

#define LINE_MAX_BYTES ((size_t)64 << 20)
#define MARK	       "\"packet_schema\"" /* in a manifest of ours, and of the original */

static ks_case_fill_fn *const fill_of[KS_CASE_FILES] = {
	[KS_CASE_MANIFEST] = ks_case_manifest, [KS_CASE_ENV] = ks_case_env,
	[KS_CASE_NEXT] = ks_case_next,	       [KS_CASE_README] = ks_case_readme,
	[KS_CASE_JOURNAL] = ks_case_journal,
};

static const char *path_of(struct ks_app *app, const char *folder, enum ks_case_file f)
{
	return ks_arena_fmt(&app->arena, "%s/%s", folder, ks_case_file_name(f)).p;
}

/* --- whose folder it is ------------------------------------------------------------------------
 */

struct stranger {
	char name[256];
};

/* What a run of ours may have left there, killed ones included. */
static bool is_ours(const char *name)
{
	for (int f = 0; f < KS_CASE_FILES; f++)
		if (strcmp(name, ks_case_file_name((enum ks_case_file)f)) == 0)
			return true;
	return ks_str_starts(ks_str_c(name), ".kernoscope-");
}

static bool look(void *arg, const char *name)
{
	struct stranger *s = arg;

	if (is_ours(name))
		return true;
	(void)snprintf(s->name, sizeof(s->name), "%s", name);
	return false;
}

/* A manifest that says so. Notes of the user may lie beside it. */
static bool has_manifest(struct ks_app *app, const char *folder)
{
	const char *path = path_of(app, folder, KS_CASE_MANIFEST);
	struct ks_buf b;

	if (!ks_folder_has_file(path))
		return false;
	ks_buf_init(&b, LINE_MAX_BYTES);
	const bool read = ks_io_read_file(path, &b, NULL) == KS_OK;
	const bool ours = read && ks_str_has(ks_buf_view(&b), KS_LIT(MARK));

	ks_buf_release(&b);
	return ours;
}

static enum ks_status fail_folder(const char *folder, int err_no, struct ks_err *err)
{
	char cause[32];

	if (err_no == ENOTDIR)
		return ks_err_set(err, KS_E_OUTPUT, KS_TEXT_ERR_CASE_NOT_FOLDER, folder, NULL);
	return ks_err_set(err, KS_E_OUTPUT, KS_TEXT_ERR_CASE_FOLDER, folder,
			  ks_err_errno(cause, err_no), NULL);
}

static enum ks_status take_folder(struct ks_app *app, const char *folder, struct ks_err *err)
{
	struct stranger s = { "" };
	int err_no = ks_folder_make(folder);

	if (err_no == 0)
		err_no = ks_folder_each(folder, look, &s);
	if (err_no != 0)
		return fail_folder(folder, err_no, err);
	if (s.name[0] != '\0' && !has_manifest(app, folder))
		return ks_err_set(err, KS_E_OUTPUT, KS_TEXT_ERR_CASE_FOREIGN, folder, s.name, NULL);
	return KS_OK;
}

/* --- files --------------------------------------------------------------------------------------
 */

static enum ks_status write_file(struct ks_app *app, const struct ks_case_run *run,
				 const char *path, enum ks_case_file f, struct ks_err *err)
{
	/* the journal is made, never replaced */
	const int flags = f == KS_CASE_JOURNAL ? 0 : KS_OUT_FORCE;
	struct ks_out out;

	/* an output may be a pipe, a file of a case never is: nobody reads it, and we would wait */
	if (ks_folder_has(path) && !ks_folder_has_file(path))
		return ks_err_set(err, KS_E_OUTPUT, KS_TEXT_ERR_OUT_NOT_REGULAR, path, NULL);
	KS_TRY(ks_out_open_file(&out, app->ctx.io, path, flags, err));
	const enum ks_status status = fill_of[f](&app->ctx, run, &out, err);

	if (status == KS_OK)
		return ks_out_commit(&out, err);
	ks_out_abandon(&out);
	return status;
}

static enum ks_status append_line(struct ks_app *app, const struct ks_case_run *run,
				  const char *path, struct ks_err *err)
{
	char cause[32];
	struct ks_out out;
	struct ks_buf b;

	ks_buf_init(&b, LINE_MAX_BYTES);
	ks_out_open_mem(&out, &b);
	enum ks_status status = fill_of[KS_CASE_JOURNAL](&app->ctx, run, &out, err);

	if (ks_out_commit(&out, err) != KS_OK)
		status = KS_E_OUTPUT;
	const int err_no = status == KS_OK ? ks_append_line(app->ctx.io, path, ks_buf_view(&b)) : 0;

	if (err_no != 0)
		status = ks_err_set(err, KS_E_OUTPUT, KS_TEXT_ERR_CASE_JOURNAL, path,
				    ks_err_errno(cause, err_no), NULL);
	ks_buf_release(&b);
	return status;
}

/* The first line makes the file, whole or not at all; when another run was faster, ours is added to
 * its file. */
static enum ks_status write_journal(struct ks_app *app, const struct ks_case_run *run,
				    const char *path, struct ks_err *err)
{
	struct ks_err first;

	ks_err_init(&first);
	if (!ks_folder_has(path)) {
		const enum ks_status status = write_file(app, run, path, KS_CASE_JOURNAL, &first);

		if (status == KS_OK || !ks_folder_has(path)) {
			*err = first;
			return status;
		}
	}
	return append_line(app, run, path, err);
}

static enum ks_status write_files(struct ks_app *app, const struct ks_case_run *run,
				  const char *folder, struct ks_err *err)
{
	for (int f = 0; f < KS_CASE_JOURNAL; f++) {
		const char *path = path_of(app, folder, (enum ks_case_file)f);

		if (f == KS_CASE_README && ks_folder_has(path))
			continue;
		KS_TRY(write_file(app, run, path, (enum ks_case_file)f, err));
	}
	return write_journal(app, run, path_of(app, folder, KS_CASE_JOURNAL), err);
}

/* --- front --------------------------------------------------------------------------------------
 */

static bool place_of(struct ks_app *app, const char *folder, struct ks_case_place *place)
{
	char cwd[4096];

	if (getcwd(cwd, sizeof(cwd)) == NULL)
		cwd[0] =
			'\0'; /* a folder that was removed below us: relative paths stay relative */
	place->cwd = ks_arena_dup(&app->arena, ks_str_c(cwd));
	place->folder = ks_str_c(folder);
	return !ks_arena_failed(&app->arena);
}

static bool show_paths(struct ks_app *app, const struct ks_case_job *job, struct ks_case_run *run)
{
	struct ks_arena *a = &app->arena;
	ks_str *command = KS_ARENA_NEWS(a, ks_str, (size_t)job->argc);
	struct ks_case_output *output = KS_ARENA_NEWS(a, struct ks_case_output, job->n_outputs);
	struct ks_case_place place;

	if (command == NULL || output == NULL || !place_of(app, job->folder, &place))
		return false;
	for (int i = 0; i < job->argc; i++)
		command[i] = ks_case_argument(
			a, &place,
			ks_redact_text(
				app->ctx.redact,
				ks_run_word(app, i > 0 ? job->argv[i - 1] : NULL, job->argv[i])));
	for (size_t i = 0; i < job->n_outputs; i++)
		output[i] = (struct ks_case_output){
			job->output[i].key,
			ks_redact_path(app->ctx.redact,
				       ks_case_output_path(a, &place, job->output[i].path))
		};
	run->command = command;
	run->n_command = (size_t)job->argc;
	run->output = output;
	run->n_outputs = job->n_outputs;
	return !ks_arena_failed(a);
}

enum ks_status ks_case_write(struct ks_app *app, const struct ks_case_job *job, struct ks_err *err)
{
	struct ks_case_run run = {
		.packet = job->packet,
		.epoch_s = app->ctx.clock->epoch_s(),
		.rc = job->rc,
		.lang = (enum ks_lang)app->ctx.lang,
	};

	if (!show_paths(app, job, &run))
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
	KS_TRY(take_folder(app, job->folder, err));
	KS_TRY(write_files(app, &run, job->folder, err));
	ks_app_say(app, KS_LOG_PROF, KS_TEXT_CMD_CASE_WROTE, job->folder, NULL);
	return KS_OK;
}
