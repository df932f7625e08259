/* SPDX-License-Identifier: Apache-2.0
 *
 * A native Nsight Systems report (.nsys-rep, .qdrep): finds nsys, has it export the report into a
 * private temporary folder, streams that, and removes the folder. No shell; without nsys the error
 * is the command to run where it is.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <sys/wait.h>

#include "base/str.h"
#include "source/nsys.h"
#include "source/tool.h"

extern char **environ;

enum { TAIL_BYTES = 4096 }; /* of what nsys prints: its last line says what went wrong */

struct export
{
	char nsys[PATH_MAX];
	char folder[PATH_MAX];
	char db[PATH_MAX + 16];
	char tail[TAIL_BYTES];
	size_t tail_n;
	int status; /* as waitpid gives it */
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

/* Keeps the end of what the child prints. */
static void drain(struct export *e, int fd)
{
	char piece[1024];
	ssize_t got;

	while ((got = read(fd, piece, sizeof(piece))) != 0) {
		if (got < 0) {
			if (errno == EINTR)
				continue;
			return;
		}

		const size_t n = (size_t)got;
		const size_t keep = e->tail_n + n > TAIL_BYTES ? TAIL_BYTES - n : e->tail_n;

		memmove(e->tail, e->tail + e->tail_n - keep, keep);
		memcpy(e->tail + keep, piece, n);
		e->tail_n = keep + n;
	}
}

static int spawn(struct export *e, const char *report, int out, pid_t *pid)
{
	char *const argv[] = { e->nsys,
			       (char[]){ "export" },
			       (char[]){ "--type" },
			       (char[]){ "sqlite" },
			       (char[]){ "--force-overwrite=true" },
			       (char[]){ "-o" },
			       e->db,
			       (char *)(uintptr_t)report,
			       NULL };
	posix_spawn_file_actions_t actions;
	int rc = posix_spawn_file_actions_init(&actions);

	if (rc)
		return rc;
	rc = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&actions, out, 1);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&actions, out, 2);
	if (!rc)
		rc = posix_spawn(pid, e->nsys, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return rc;
}

static enum ks_status not_started(const struct export *e, int why, struct ks_err *err)
{
	char name[32];

	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_SRC_EXPORT_START, e->nsys,
			  ks_err_errno(name, why), (char *)NULL);
}

static enum ks_status run_export(struct export *e, const char *report, struct ks_err *err)
{
	int pipe_fd[2];
	pid_t pid;

	if (pipe2(pipe_fd, O_CLOEXEC) != 0)
		return not_started(e, errno, err);

	const int rc = spawn(e, report, pipe_fd[1], &pid);

	close(pipe_fd[1]);
	if (rc == 0)
		drain(e, pipe_fd[0]);
	close(pipe_fd[0]);
	if (rc)
		return not_started(e, rc, err);
	while (waitpid(pid, &e->status, 0) < 0)
		if (errno != EINTR)
			return not_started(e, errno, err);
	return KS_OK;
}

/* The last line that is not blank. */
static ks_str last_line(const struct export *e)
{
	ks_str rest = ks_str_trim((ks_str){ e->tail, e->tail_n });
	size_t i = rest.n;

	while (i > 0 && rest.p[i - 1] != '\n' && rest.p[i - 1] != '\r')
		i--;
	return ks_str_trim((ks_str){ rest.p + i, rest.n - i });
}

static enum ks_status judge(const struct export *e, const char *path, struct ks_err *err)
{
	if (WIFEXITED(e->status) && WEXITSTATUS(e->status) == 0)
		return access(e->db, F_OK) == 0
			       ? KS_OK
			       : ks_input_explain_export(KS_TEXT_ERR_SRC_EXPORT_NOTHING, path, err);

	const ks_str said = last_line(e);
	char line[KS_ERR_ARG_LEN];
	char status[32];

	snprintf(line, sizeof(line), "%.*s",
		 (int)(said.n < sizeof(line) ? said.n : sizeof(line) - 1), said.p);
	snprintf(status, sizeof(status), "%d",
		 WIFEXITED(e->status) ? WEXITSTATUS(e->status) : 128 + WTERMSIG(e->status));
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
	struct export e = { .status = 0 };

	if (kind == KS_INPUT_SQLITE)
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_NOT_NSYS_REP, path, path,
				  (char *)NULL);
	if (kind != KS_INPUT_NSYS_REP && kind != KS_INPUT_QDREP)
		return ks_input_explain(kind, path, err);
	if (!ks_tool_find(ctx, "nsys", e.nsys, sizeof(e.nsys)))
		return ks_input_explain_export(KS_TEXT_ERR_SRC_NO_NSYS, path, err);

	const enum ks_status st = export_and_stream(ctx, &e, path, sink, err);

	remove_folder(&e);
	if (st != KS_OK)
		ks_err_at(err, path, -1);
	return st;
}

const struct ks_source_ops ks_source_nsys_rep = { .name = "nsys report", .stream = stream };
