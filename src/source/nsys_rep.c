/* SPDX-License-Identifier: Apache-2.0
 *
 * A native Nsight Systems report (.nsys-rep, .qdrep): finds nsys, has it export the report into a
 * private temporary folder, streams that, and removes the folder. No shell; without nsys the error
 * is the command to run where it is.
 */
#include <errno.h>
#include <limits.h>

#include "base/spawn.h"
#include "base/str.h"
#include "source/nsys.h"
#include "source/tool.h"

enum { TAIL_BYTES = 4096 }; /* of what nsys prints: its last line says what went wrong */

struct export
{
	char nsys[PATH_MAX];
	char folder[PATH_MAX];
	char db[PATH_MAX + 16];
	struct ks_buf tail;
	struct ks_spawn_end end;
};

static enum ks_status make_folder(const struct ks_ctx *ctx, struct export *e, struct ks_err *err)
{
	const char *tmp = ctx->env ? ctx->env("TMPDIR") : NULL;
	char name[32];

	if (!tmp || !tmp[0])
		tmp = "/tmp";
	if (snprintf(e->folder, sizeof(e->folder), "%s/kernoscope-XXXXXX", tmp) >=
	    (int)sizeof(e->folder))
		errno = ENAMETOOLONG;
	else if (mkdtemp(e->folder)) {
		snprintf(e->db, sizeof(e->db), "%s/trace.sqlite", e->folder);
		return KS_OK;
	}
	e->folder[0] = '\0';
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_SRC_TEMP_FOLDER, tmp,
			  ks_err_errno(name, errno), (char *)NULL);
}

static void remove_folder(const struct export *e)
{
	static const char *const ending[] = { "", "-journal", "-wal", "-shm" };
	char path[PATH_MAX + 32];

	if (!e->folder[0])
		return;
	for (size_t i = 0; i < KS_ARRAY_LEN(ending); i++) {
		snprintf(path, sizeof(path), "%s%s", e->db, ending[i]);
		unlink(path);
	}
	rmdir(e->folder);
}

void ks_nsys_export_words(const char *words[KS_NSYS_EXPORT_WORDS], const char *nsys,
			  const char *report, const char *db)
{
	const char *const all[KS_NSYS_EXPORT_WORDS] = {
		nsys, "export", "--type", "sqlite", "--force-overwrite=true", "-o", db, report, NULL
	};

	memcpy(words, all, sizeof(all));
}

static enum ks_status run_export(struct export *e, const char *report, struct ks_err *err)
{
	const char *argv[KS_NSYS_EXPORT_WORDS];
	const struct ks_spawn run = { .argv = argv, .kept = &e->tail, .keep_end = true };
	char name[32];

	ks_nsys_export_words(argv, e->nsys, report, e->db);
	e->end = ks_spawn_run(&run);
	if (e->end.how != KS_SPAWN_FAILED)
		return KS_OK;
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_SRC_EXPORT_START, e->nsys,
			  ks_err_errno(name, e->end.code), (char *)NULL);
}

/* The last line that is not blank. */
static ks_str last_line(const struct export *e)
{
	ks_str rest = ks_str_trim(ks_buf_view(&e->tail));
	size_t i = rest.n;

	while (i > 0 && rest.p[i - 1] != '\n' && rest.p[i - 1] != '\r')
		i--;
	return ks_str_trim((ks_str){ rest.p + i, rest.n - i });
}

static enum ks_status judge(const struct export *e, const char *path, struct ks_err *err)
{
	if (e->end.how == KS_SPAWN_EXITED && e->end.code == 0)
		return access(e->db, F_OK) == 0
			       ? KS_OK
			       : ks_input_explain_export(KS_TEXT_ERR_SRC_EXPORT_NOTHING, path, err);

	const ks_str said = last_line(e);
	char line[KS_ERR_ARG_LEN];
	char status[32];

	snprintf(line, sizeof(line), "%.*s",
		 (int)(said.n < sizeof(line) ? said.n : sizeof(line) - 1), said.p);
	snprintf(status, sizeof(status), "%d",
		 e->end.how == KS_SPAWN_EXITED ? e->end.code : 128 + e->end.code);
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_SRC_EXPORT_FAILED, path, e->nsys, status, line,
			  (char *)NULL);
}

static enum ks_status export_and_stream(const struct ks_ctx *ctx, struct export *e,
					const char *path, const struct ks_sink *sink,
					struct ks_err *err)
{
	char from[PATH_MAX];

	/* a path that starts with '-' would be an option to nsys */
	snprintf(from, sizeof(from), "%s%s", path[0] == '-' ? "./" : "", path);
	KS_TRY(make_folder(ctx, e, err));
	KS_TRY(run_export(e, from, err));
	KS_TRY(judge(e, path, err));
	return ks_nsys_stream(ctx, e->db, path, sink, err);
}

static enum ks_status stream(const struct ks_ctx *ctx, const char *path, const struct ks_sink *sink,
			     struct ks_err *err)
{
	const enum ks_input_kind kind = ks_input_sniff(path);
	struct export e = { .folder = "" };

	if (kind == KS_INPUT_SQLITE || kind == KS_INPUT_OTHER)
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_NOT_NSYS_REP, path, path,
				  (char *)NULL);
	if (kind != KS_INPUT_NSYS_REP && kind != KS_INPUT_QDREP)
		return ks_input_explain(kind, path, err);
	if (!ks_tool_find(ctx, "nsys", e.nsys, sizeof(e.nsys), NULL))
		return ks_input_explain_export(KS_TEXT_ERR_SRC_NO_NSYS, path, err);

	ks_buf_init(&e.tail, TAIL_BYTES);
	const enum ks_status st = export_and_stream(ctx, &e, path, sink, err);

	ks_buf_release(&e.tail);
	remove_folder(&e);
	if (st != KS_OK)
		ks_err_at(err, path, -1);
	return st;
}

const struct ks_source_ops ks_source_nsys_rep = { .name = "nsys report", .stream = stream };
