/* SPDX-License-Identifier: Apache-2.0
 *
 * `stats TABLE FILE`: one of the summary tables of nsys (contract 03 §23). A table that the file
 * cannot fill is a refusal: said on stderr, with nothing but the headings as the result.
 */
#include "analyze/stats.h"
#include "base/num.h"
#include "base/str.h"
#include "cmd/command.h"
#include "cmd/plan.h"
#include "cmd/profile.h"
#include "render/stats.h"
#include "source/source.h"

struct question {
	enum ks_stats_table table;
	const char *path; /* NULL: the synthetic trace */
	enum ks_from from;
	enum ks_format format;
};

static enum ks_status find_table(const char *word, enum ks_stats_table *t, struct ks_err *err)
{
	const char *name[KS_STATS_COUNT];
	size_t n = 0;

	if (ks_stats_find(ks_str_c(word), t))
		return KS_OK;
	for (int i = KS_STATS_NONE + 1; i < KS_STATS_COUNT; i++)
		name[n++] = ks_stats_info((enum ks_stats_table)i)->name;
	const char *near = ks_str_nearest(ks_str_c(word), name, n);

	if (near != NULL)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_STATS_TABLE_NEAR, word, near, NULL);
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_STATS_TABLE, word, NULL);
}

static enum ks_status find_format(const struct ks_opts *o, enum ks_format *f, struct ks_err *err)
{
	const char *word = o->opt[KS_OPT_FORMAT].value;

	*f = ks_opt_on(o, KS_OPT_JSON) ? KS_FORMAT_JSON : KS_FORMAT_TEXT;
	if (word == NULL)
		return KS_OK;
	(void)ks_format_find(ks_str_c(word), f);
	if (*f == KS_FORMAT_TEXT || *f == KS_FORMAT_CSV || *f == KS_FORMAT_JSON)
		return KS_OK;
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_STATS_FORMAT, word, NULL);
}

static enum ks_status find_source(struct question *q, const char *file, struct ks_err *err)
{
	q->path = file;
	switch (ks_input_sniff(file)) {
	case KS_INPUT_JSON:
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_STATS_REPORT, file, NULL);
	case KS_INPUT_NSYS_REP:
	case KS_INPUT_QDREP:
		q->from = KS_FROM_NSYS_REP;
		return KS_OK;
	case KS_INPUT_SQLITE:
	case KS_INPUT_NCU_REP:
	case KS_INPUT_EMPTY:
	case KS_INPUT_DIRECTORY:
	case KS_INPUT_MISSING:
	case KS_INPUT_UNREADABLE:
	case KS_INPUT_GZIP:
	case KS_INPUT_ELF:
	case KS_INPUT_OTHER:
		break; /* the reader says what is wrong with it */
	}
	q->from = KS_FROM_SQLITE;
	return KS_OK;
}

static enum ks_status read_question(const struct ks_opts *o, struct question *q, struct ks_err *err)
{
	const bool named = ks_opt_on(o, KS_OPT_KS_SQLITE), made = ks_opt_on(o, KS_OPT_KS_SYNTHETIC);

	if (named && made)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_TWO_SOURCES, "ks-sqlite",
				  "ks-synthetic", NULL);
	const int words = named || made ? 1 : 2;

	KS_TRY(ks_command_words_given(KS_CMD_STATS, o, words, words, err));
	KS_TRY(find_table(o->rest[0], &q->table, err));
	KS_TRY(find_format(o, &q->format, err));
	q->from = KS_FROM_SYNTHETIC;
	if (made)
		return KS_OK;
	return find_source(q, named ? o->opt[KS_OPT_KS_SQLITE].value : o->rest[1], err);
}

/* What the numbers do not say by themselves goes to stderr, never into a cell. */
static void remark(struct ks_app *app, const struct question *q, const struct ks_stats *t)
{
	const struct ks_stats_info *info = ks_stats_info(t->table);
	const enum ks_lang lang = ks_app_lang(app);
	const char *file = q->path != NULL ? q->path : "--ks-synthetic";
	char n[KS_NUM_LEN], error[KS_NUM_LEN];

	if (t->n == 0 && t->events == 0)
		ks_app_say(app, KS_LOG_WARN, KS_TEXT_STATS_ABSENT, file, info->name,
			   info->absent == KS_REFUSAL_METRIC_ABSENT
				   ? ks_text_get(KS_TEXT_STATS_ABSENT_WHY, lang)
				   : ks_refusal_info(info->absent)->title[lang],
			   ks_refusal_info(info->absent)->slug, NULL);
	if (t->bad_rows > 0) {
		(void)ks_num_grouped(n, (int64_t)t->bad_rows);
		ks_app_say(app, KS_LOG_WARN, KS_TEXT_STATS_BAD, n, NULL);
	}
	if (t->worst_median_error > 0.0) {
		(void)ks_num_i64(n, ks_limit(KS_LIMIT_EXACT_LAUNCHES));
		(void)snprintf(error, sizeof(error), "%.2f", 100.0 * t->worst_median_error);
		ks_app_say(app, KS_LOG_NOTE, KS_TEXT_STATS_MEDIAN, n, error, NULL);
	}
}

static enum ks_status write_table(struct ks_app *app, const struct question *q,
				  const struct ks_stats *t, struct ks_err *err)
{
	const struct ks_view view = { .term = app->term, .lang = ks_app_lang(app) };

	if (q->format == KS_FORMAT_CSV)
		return ks_stats_csv_out(t, &app->out, err);
	if (q->format == KS_FORMAT_JSON)
		return ks_stats_json_out(t, &app->out, err);
	return ks_stats_text_out(t, &view, &app->out, err);
}

static enum ks_status count(struct ks_app *app, const struct question *q, struct ks_stats_sum *s,
			    struct ks_err *err)
{
	const struct ks_source_ops *source = ks_profile_source(q->from);
	const struct ks_stats *t = NULL;

	if (q->from == KS_FROM_SQLITE)
		KS_TRY(ks_profile_sniff(q->path, err));
	const enum ks_status streamed = source->stream(&app->ctx, q->path, ks_stats_sink(s), err);

	ks_progress_done(&app->progress);
	KS_TRY(streamed);
	KS_TRY(ks_stats_finish(s, &t, err));
	remark(app, q, t);
	return write_table(app, q, t, err);
}

static enum ks_status answer(struct ks_app *app, const struct question *q, struct ks_err *err)
{
	struct ks_stats_sum *s = ks_stats_open(&app->ctx, q->table);

	if (s == NULL)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
	const enum ks_status status = count(app, q, s, err);

	ks_stats_close(s);
	return status;
}

enum ks_status ks_cmd_stats(struct ks_app *app, int argc, char **argv, struct ks_err *err)
{
	struct question q = { .path = NULL };
	struct ks_opts o;

	KS_TRY(ks_command_begin(app, KS_CMD_STATS, &o, argc, argv, err));
	if (o.answered)
		return KS_OK;
	if (ks_opt_on(&o, KS_OPT_LIST) && ks_plan_asked(&o))
		return ks_plan_command(app, &o, &(struct ks_plan_ask){ .path = NULL }, err);
	if (ks_opt_on(&o, KS_OPT_LIST)) {
		const struct ks_view view = { .lang = ks_app_lang(app) };

		return ks_stats_list(&view, ks_opt_on(&o, KS_OPT_JSON), &app->out, err);
	}
	KS_TRY(read_question(&o, &q, err));
	if (ks_plan_asked(&o))
		return ks_plan_command(
			app, &o, &(struct ks_plan_ask){ .from = q.from, .path = q.path }, err);
	return answer(app, &q, err);
}
