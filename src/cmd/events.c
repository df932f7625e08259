/* SPDX-License-Identifier: Apache-2.0
 *
 * A trace for commands about single events.
 */
#include "cmd/events.h"

#include "base/str.h"
#include "cmd/profile.h"
#include "source/source.h"

enum ks_status ks_events_file(enum ks_command command, const struct ks_opts *o,
			      struct ks_events_file *file, struct ks_err *err)
{
	const bool named = ks_opt_on(o, KS_OPT_KS_SQLITE), made = ks_opt_on(o, KS_OPT_KS_SYNTHETIC);

	if (named && made)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_TWO_SOURCES, "ks-sqlite",
				  "ks-synthetic", NULL);
	const int words = named || made ? 1 : 2;

	KS_TRY(ks_command_words_given(command, o, words, words, err));
	*file = (struct ks_events_file){ NULL, KS_FROM_SYNTHETIC };
	if (made)
		return KS_OK;
	file->path = named ? o->opt[KS_OPT_KS_SQLITE].value : o->rest[1];
	const enum ks_input_kind kind = ks_input_sniff(file->path);

	file->from = kind == KS_INPUT_NSYS_REP || kind == KS_INPUT_QDREP ? KS_FROM_NSYS_REP
									 : KS_FROM_SQLITE;
	if (kind == KS_INPUT_JSON)
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_STATS_REPORT, file->path, NULL);
	return KS_OK;
}

const char *ks_events_name(const struct ks_events_file *file)
{
	return file->path != NULL ? file->path : "--ks-synthetic";
}

enum ks_status ks_events_read(struct ks_app *app, const struct ks_events_file *file,
			      const struct ks_sink *sink, struct ks_err *err)
{
	const struct ks_source_ops *source = ks_profile_source(file->from);

	if (file->from == KS_FROM_SQLITE)
		KS_TRY(ks_profile_sniff(file->path, err));
	const enum ks_status streamed = source->stream(&app->ctx, file->path, sink, err);

	ks_progress_done(&app->progress);
	return streamed;
}

void ks_events_hide(struct ks_app *app, enum ks_find_kind kind, ks_str name)
{
	struct ks_redact *r = app->ctx.redact;
	const bool own = kind == KS_FIND_KERNEL || kind == KS_FIND_RANGE;

	if (ks_redact_mode_of(r) == KS_REDACT_NAMES && (own || ks_str_starts(name, "regex:")))
		ks_redact_argument(r, name, ks_redact_choice(r, name));
}

enum ks_status ks_events_no_name(const struct ks_found *f, const struct ks_events_file *file,
				 const int text[2], struct ks_err *err)
{
	const struct ks_find_choice *c = f->choice;
	const bool pattern = ks_str_starts(c->name, "regex:");
	struct ks_buf list;

	ks_buf_init(&list, (size_t)64 * 1024);
	for (size_t i = 0; i < f->n_near; i++)
		ks_buf_fmt(&list, "%s%.*s", i > 0 ? ", " : "", (int)f->near[i].n, f->near[i].p);
	const enum ks_status status =
		ks_err_set(err, KS_E_NOMATCH, text[pattern], c->name.p, ks_find_word(c->kind),
			   ks_events_name(file), f->n_near > 0 ? ks_buf_text(&list) : "-", NULL);

	ks_buf_release(&list);
	return status;
}
