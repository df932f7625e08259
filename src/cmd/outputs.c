/* SPDX-License-Identifier: Apache-2.0
 *
 * Sends one finished report to every place that was asked for. Renders nothing itself.
 */
#include "cmd/outputs.h"

#include <limits.h>
#include <sys/stat.h>

#include "base/num.h"
#include "base/str.h"

#define MAX_OUTPUTS 6
/* From here on a report with launches gets a remark (contract 01 §6). */
#define LARGE_REPORT_BYTES (2 * 1024 * 1024)

static bool is_dash(const char *path)
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

static void list_outputs(const struct ks_settings *s, const char *all[MAX_OUTPUTS])
{
	const char *const named[MAX_OUTPUTS] = { s->report_file, s->launches_file, s->timeline_file,
						 s->packet_file, s->map_file,	   s->log_file };

	memcpy(all, named, sizeof(named));
}

enum ks_status ks_outputs_distinct(const struct ks_settings *s, struct ks_err *err)
{
	const char *all[MAX_OUTPUTS];

	list_outputs(s, all);
	for (size_t i = 0; i < MAX_OUTPUTS; i++) {
		if (all[i] == NULL || is_dash(all[i]) || is_stream(all[i]))
			continue;
		if (s->path != NULL && is_of_input(all[i], s->path))
			return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_OVER_INPUT, all[i],
					  NULL);
		for (size_t k = 0; k < i; k++) {
			if (all[k] != NULL && is_same_file(all[i], all[k]))
				return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_SAME_OUTPUT,
						  all[i], NULL);
		}
	}
	return KS_OK;
}

enum ks_status ks_outputs_check(struct ks_app *app, const struct ks_settings *s, struct ks_err *err)
{
	const int flags = s->force ? KS_OUT_FORCE : 0;
	const char *all[MAX_OUTPUTS];

	list_outputs(s, all);
	for (size_t i = 0; i < MAX_OUTPUTS; i++) {
		if (all[i] != NULL && !is_dash(all[i]) && all[i] != s->log_file)
			KS_TRY(try_open(app, all[i], flags, err)); /* the log is open already */
	}
	return KS_OK;
}

enum ks_status ks_output_file(struct ks_app *app, const struct ks_file_job *job, uint64_t *bytes,
			      struct ks_err *err)
{
	char size[KS_NUM_LEN];
	struct ks_out out;

	KS_TRY(ks_out_open_file(&out, app->ctx.io, job->path, job->flags, err));
	const enum ks_status status = job->fill(app, job->arg, &out, err);
	const uint64_t total = out.total;

	if (status != KS_OK) {
		ks_out_abandon(&out);
		return status;
	}
	KS_TRY(ks_out_commit(&out, err));
	if (bytes != NULL)
		*bytes = total;
	(void)ks_num_grouped(size, (int64_t)total);
	ks_app_say(app, KS_LOG_PROF, KS_TEXT_CMD_WROTE, job->path, size, NULL);
	return KS_OK;
}

/* What a fill function needs to run one renderer. */
struct render_job {
	const struct ks_render_ops *ops;
	const struct ks_settings *s;
	const struct ks_profile *p;
};

static enum ks_status fill_render(struct ks_app *app, void *arg, struct ks_out *out,
				  struct ks_err *err)
{
	const struct render_job *j = arg;
	struct ks_view view = j->s->view;

	view.packet = j->p->packet;
	return j->ops->render(&app->ctx, j->p->report, &view, out, err);
}

static enum ks_status fill_packet(struct ks_app *app, void *arg, struct ks_out *out,
				  struct ks_err *err)
{
	const struct ks_profile *p = arg;

	(void)err;
	ks_packet_write(&app->ctx, p->packet, out);
	return KS_OK;
}

static enum ks_status make_packet(struct ks_app *app, const struct ks_settings *s,
				  struct ks_profile *p, uint64_t report_bytes, struct ks_err *err)
{
	const struct ks_packet_spec spec = {
		.wall_s = ks_profile_wall_s(app),
		.report_bytes = report_bytes,
		.report_path = ks_str_c(s->report_file),
		.budget = (size_t)ks_limit(KS_LIMIT_PACKET_BYTES),
	};

	if (p->packet != NULL || (s->packet_file == NULL && s->screen == KS_SCREEN_OFF))
		return KS_OK;
	return ks_packet_make(&app->ctx, p->report, &spec, &p->packet, err);
}

/* A report says what it left out, and why it is large. */
static void remark_report(struct ks_app *app, const struct ks_settings *s,
			  const struct ks_profile *p, uint64_t bytes)
{
	if (p->report->reread && !ks_opt_on(&s->opts, KS_OPT_KS_PERFETTO))
		ks_app_say(app, KS_LOG_NOTE, KS_TEXT_CMD_TIMELINE_REREAD, s->report_file, NULL);
	if (s->view.json_launches && bytes > (uint64_t)LARGE_REPORT_BYTES)
		ks_app_say(app, KS_LOG_NOTE, KS_TEXT_CMD_LARGE, s->report_file, NULL);
	else if (!s->view.json_launches && !p->report->reread && p->report->total_launches > 0 &&
		 !ks_opt_on(&s->opts, KS_OPT_KS_JSON_NO_LAUNCHES))
		ks_app_say(app, KS_LOG_NOTE, KS_TEXT_CMD_LAUNCHES_OUT, s->report_file, NULL);
}

/* What the trace file holds, what a limit cut off, and where it is looked at. */
static void remark_timeline(struct ks_app *app, const struct ks_settings *s,
			    const struct ks_slice_log *log)
{
	char slices[KS_NUM_LEN], left[KS_NUM_LEN], from[KS_NUM_LEN];

	(void)ks_num_grouped(slices, (int64_t)log->slices);
	ks_app_say(app, KS_LOG_NOTE, KS_TEXT_CMD_TIMELINE, s->timeline_file, slices, NULL);
	if (log->left_out == 0)
		return;
	(void)ks_num_grouped(left, (int64_t)log->left_out);
	(void)ks_num_i64(from, log->cut_ns);
	ks_app_say(app, KS_LOG_WARN, KS_TEXT_CMD_TIMELINE_CUT, s->timeline_file, left, from, NULL);
}

static enum ks_status write_timeline(struct ks_app *app, const struct ks_settings *s,
				     const struct ks_profile *p, struct ks_err *err)
{
	const struct ks_timeline *t = p->report->timeline;
	struct render_job job = { s->timeline_json ? &ks_render_perfetto_json : &ks_render_perfetto,
				  s, p };

	if (s->timeline_file == NULL)
		return KS_OK;
	KS_TRY(ks_output_file(app,
			      &(struct ks_file_job){ s->timeline_file, s->force ? KS_OUT_FORCE : 0,
						     fill_render, &job },
			      NULL, err));
	if (t != NULL && t->slices != NULL)
		remark_timeline(app, s, t->slices);
	return KS_OK;
}

static enum ks_status write_files(struct ks_app *app, const struct ks_settings *s,
				  struct ks_profile *p, struct ks_err *err)
{
	const int flags = s->force ? KS_OUT_FORCE : 0;
	struct render_job report = { &ks_render_json, s, p };
	struct render_job launches = { &ks_render_launch_csv, s, p };
	uint64_t bytes = 0;

	if (s->report_file != NULL) {
		KS_TRY(ks_output_file(
			app, &(struct ks_file_job){ s->report_file, flags, fill_render, &report },
			&bytes, err));
		remark_report(app, s, p, bytes);
	}
	if (s->launches_file != NULL)
		KS_TRY(ks_output_file(
			app,
			&(struct ks_file_job){ s->launches_file, flags, fill_render, &launches },
			NULL, err));
	KS_TRY(write_timeline(app, s, p, err));
	if (s->map_file != NULL)
		KS_TRY(ks_name_map_write(app, s->map_file, flags, err));
	KS_TRY(make_packet(app, s, p, bytes, err));
	if (s->packet_file != NULL && !s->packet_on_stdout)
		KS_TRY(ks_output_file(
			app, &(struct ks_file_job){ s->packet_file, flags, fill_packet, p }, NULL,
			err));
	return KS_OK;
}

enum ks_status ks_outputs_write(struct ks_app *app, const struct ks_settings *s,
				struct ks_profile *p, struct ks_err *err)
{
	struct render_job job = { &ks_render_screen, s, p };

	if (p->report == NULL) /* a packet that was read: it is the screen */
		return job.ops->render(&app->ctx, p->packet->report,
				       &(struct ks_view){ .term = s->view.term,
							  .lang = s->view.lang,
							  .packet = p->packet },
				       &app->out, err);
	KS_TRY(write_files(app, s, p, err));
	if (s->screen != KS_SCREEN_OFF)
		KS_TRY(fill_render(app, &job, s->screen == KS_SCREEN_STDOUT ? &app->out : &app->err,
				   err));
	if (s->packet_on_stdout) {
		ks_packet_write(&app->ctx, p->packet, &app->out);
		ks_out_ch(&app->out, '\n');
	}
	if (s->result == NULL)
		return KS_OK;
	if (s->screen == KS_SCREEN_STDOUT)
		ks_out_ch(&app->out, '\n');
	job.ops = s->result;
	return fill_render(app, &job, &app->out, err);
}
