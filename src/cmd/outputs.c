/* SPDX-License-Identifier: Apache-2.0
 *
 * Sends one finished report to every place that was asked for. Renders nothing itself.
 */
#include "cmd/outputs.h"

#include "base/num.h"
#include "base/str.h"
#include "cmd/casedir.h"
#include "cmd/runline.h"

/* From here on a report with launches gets a remark (contract 01 §6). */
#define LARGE_REPORT_BYTES (2 * 1024 * 1024)

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

/* One file of a run, as its fill function gets it. */
struct work {
	const struct ks_settings *s;
	struct ks_profile *p;
	enum ks_file kind;
	uint64_t bytes; /* of the report, once it is written */
};

static enum ks_status render(struct ks_app *app, const struct work *w,
			     const struct ks_render_ops *ops, struct ks_out *out,
			     struct ks_err *err)
{
	struct ks_view view = w->s->view;
	const struct ks_report *r = w->p->report;

	view.packet = w->p->packet;
	ks_run_line(app, w->s, &view);
	if (r == NULL && view.packet != NULL) /* a packet that was read tells a part of it */
		r = view.packet->report;
	return ops->render(&app->ctx, r, &view, out, err);
}

static const struct ks_render_ops *renderer(const struct ks_settings *s, enum ks_file kind)
{
	switch (kind) {
	case KS_FILE_LAUNCHES:
		return &ks_render_launch_csv;
	case KS_FILE_TIMELINE:
		return s->timeline_json ? &ks_render_perfetto_json : &ks_render_perfetto;
	case KS_FILE_HTML:
		return ks_render_find(KS_FORMAT_HTML);
	case KS_FILE_MD:
		return ks_render_find(KS_FORMAT_MD);
	case KS_FILE_REPORT:
	case KS_FILE_MAP: /* these three are not rendered */
	case KS_FILE_PACKET:
	case KS_FILE_LOG:
	case KS_FILE_COUNT:
		break;
	}
	return &ks_render_json;
}

static enum ks_status fill(struct ks_app *app, void *arg, struct ks_out *out, struct ks_err *err)
{
	const struct work *w = arg;

	if (w->kind != KS_FILE_PACKET)
		return render(app, w, renderer(w->s, w->kind), out, err);
	ks_packet_write(&app->ctx, w->p->packet, out);
	return KS_OK;
}

static bool wants_packet(const struct ks_settings *s)
{
	bool file = s->file[KS_FILE_PACKET] != NULL;

	for (int kind = 0; kind < KS_FILE_COUNT; kind++)
		file = file ||
		       (s->file[kind] != NULL && renderer(s, (enum ks_file)kind)->needs_packet);
	return file || s->case_dir != NULL || s->screen != KS_SCREEN_OFF ||
	       (s->result != NULL && s->result->needs_packet);
}

static enum ks_status make_packet(struct ks_app *app, const struct work *w, struct ks_err *err)
{
	const struct ks_settings *s = w->s;
	const struct ks_packet_spec spec = {
		.wall_s = ks_profile_wall_s(app),
		.report_bytes = w->bytes,
		.report_path = ks_redact_path(app->ctx.redact, ks_str_c(s->file[KS_FILE_REPORT])),
		.budget = (size_t)ks_limit(KS_LIMIT_PACKET_BYTES),
	};

	if (w->p->packet != NULL || !wants_packet(s))
		return KS_OK;
	return ks_packet_make(&app->ctx, w->p->report, &spec, &w->p->packet, err);
}

/* A report says what it left out, and why it is large. */
static void remark_report(struct ks_app *app, const struct work *w)
{
	const struct ks_settings *s = w->s;
	const struct ks_report *r = w->p->report;
	const char *path = s->file[KS_FILE_REPORT];

	if (r->reread && !ks_opt_on(&s->opts, KS_OPT_KS_PERFETTO))
		ks_app_say(app, KS_LOG_NOTE, KS_TEXT_CMD_TIMELINE_REREAD, path, NULL);
	if (s->view.json_launches && w->bytes > (uint64_t)LARGE_REPORT_BYTES)
		ks_app_say(app, KS_LOG_NOTE, KS_TEXT_CMD_LARGE, path, NULL);
	else if (!s->view.json_launches && !r->reread && r->total_launches > 0 &&
		 !ks_opt_on(&s->opts, KS_OPT_KS_JSON_NO_LAUNCHES))
		ks_app_say(app, KS_LOG_NOTE, KS_TEXT_CMD_LAUNCHES_OUT, path, NULL);
}

/* What the trace file holds, what a limit cut off, and where it is looked at. */
static void remark_timeline(struct ks_app *app, const struct work *w)
{
	const char *path = w->s->file[KS_FILE_TIMELINE];
	const struct ks_timeline *t = w->p->report->timeline;
	const struct ks_slice_log *log = t != NULL ? t->slices : NULL;
	char slices[KS_NUM_LEN], left[KS_NUM_LEN], from[KS_NUM_LEN];

	if (log == NULL)
		return;
	(void)ks_num_grouped(slices, (int64_t)log->slices);
	ks_app_say(app, KS_LOG_NOTE, KS_TEXT_CMD_TIMELINE, path, slices, NULL);
	if (log->left_out == 0)
		return;
	(void)ks_num_grouped(left, (int64_t)log->left_out);
	(void)ks_num_i64(from, log->cut_ns);
	ks_app_say(app, KS_LOG_WARN, KS_TEXT_CMD_TIMELINE_CUT, path, left, from, NULL);
}

static enum ks_status write_file(struct ks_app *app, struct work *w, struct ks_err *err)
{
	const char *path = w->s->file[w->kind];
	const int flags = w->s->force ? KS_OUT_FORCE : 0;
	uint64_t bytes = 0;

	if (path == NULL || ks_is_dash(path) || w->kind == KS_FILE_LOG)
		return KS_OK;
	if (w->kind == KS_FILE_MAP)
		return ks_name_map_write(app, path, flags, err);
	KS_TRY(ks_output_file(app, &(struct ks_file_job){ path, flags, fill, w }, &bytes, err));
	if (w->kind == KS_FILE_REPORT) {
		w->bytes = bytes;
		remark_report(app, w);
	} else if (w->kind == KS_FILE_TIMELINE) {
		remark_timeline(app, w);
	}
	return KS_OK;
}

/* The packet tells the size of the report; what is drawn from the packet comes after it. */
static enum ks_status write_files(struct ks_app *app, struct work *w, struct ks_err *err)
{
	for (int kind = 0; kind < KS_FILE_COUNT; kind++) {
		w->kind = (enum ks_file)kind;
		if (kind == KS_FILE_HTML)
			KS_TRY(make_packet(app, w, err));
		KS_TRY(write_file(app, w, err));
	}
	return KS_OK;
}

static enum ks_status print_result(struct ks_app *app, const struct work *w, struct ks_err *err)
{
	const struct ks_settings *s = w->s;

	if (s->screen != KS_SCREEN_OFF)
		KS_TRY(render(app, w, &ks_render_screen,
			      s->screen == KS_SCREEN_STDOUT ? &app->out : &app->err, err));
	if (s->packet_on_stdout) {
		ks_packet_write(&app->ctx, w->p->packet, &app->out);
		ks_out_ch(&app->out, '\n');
	}
	if (s->result == NULL)
		return KS_OK;
	if (s->screen == KS_SCREEN_STDOUT)
		ks_out_ch(&app->out, '\n');
	return render(app, w, s->result, &app->out, err);
}

enum ks_status ks_outputs_write(struct ks_app *app, const struct ks_settings *s,
				struct ks_profile *p, struct ks_err *err)
{
	struct work w = { .s = s, .p = p };

	KS_TRY(write_files(app, &w, err));
	if (p->report == NULL && (s->result == NULL || !s->result->needs_packet))
		return render(app, &w, &ks_render_screen, &app->out,
			      err); /* a packet is the screen */
	return print_result(app, &w, err);
}

enum ks_status ks_outputs_case(struct ks_app *app, const struct ks_settings *s,
			       const struct ks_profile *p, struct ks_err *err)
{
	struct ks_case_output output[KS_FILE_COUNT];
	struct ks_case_job job = {
		.folder = s->case_dir,
		.argv = (const char *const *)(app->argv + 1),
		.argc = app->argc - 1,
		.packet = p->packet,
		.output = output,
	};

	if (s->case_dir == NULL || p->packet == NULL)
		return KS_OK;
	for (size_t i = 0; i < ks_n_named_files; i++) {
		const struct ks_named_file *f = &ks_named_files[i];
		const char *path = s->file[f->file];

		if (f->in_case && path != NULL && !ks_is_dash(path))
			output[job.n_outputs++] = (struct ks_case_output){ f->key, ks_str_c(path) };
	}
	return ks_case_write(app, &job, err);
}
