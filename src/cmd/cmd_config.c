/* SPDX-License-Identifier: Apache-2.0
 *
 * `config`: which values hold here and who gave them; sets one in the user's file. Never writes a
 * project's file.
 */
#include "base/str.h"
#include "cmd/command.h"
#include "cmd/config.h"
#include "cmd/plan.h"

static enum ks_status find_key(const char *word, enum ks_option *id, struct ks_err *err)
{
	const char *near = NULL;

	*id = ks_config_key(ks_str_c(word), &near);
	if (*id != KS_OPT_NONE && ks_config_is_shown(*id))
		return KS_OK;
	if (*id != KS_OPT_NONE)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CONFIG_PLANNED, "config", word,
				  NULL);
	if (near != NULL)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CONFIG_KEY_NEAR, "config", word,
				  near, NULL);
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CONFIG_KEY, "config", word, NULL);
}

/* The file that is written: the user's, or the one of --config. */
static enum ks_status find_target(const struct ks_configured *c, const struct ks_opts *o,
				  struct ks_config_change *change, struct ks_err *err)
{
	if (c->files.n > 0 && c->files.file[0].origin != KS_BY_PROJECT) {
		change->path = c->files.file[0].path;
		change->make_folders = c->files.file[0].origin == KS_BY_USER;
		return KS_OK;
	}
	return ks_err_set(err, KS_E_USAGE,
			  ks_opt_on(o, KS_OPT_CONFIG) ? KS_TEXT_ERR_CONFIG_NONE_WRITTEN
						      : KS_TEXT_ERR_CONFIG_NO_HOME,
			  NULL);
}

/* A value that somebody nearer overrides was written all the same, which is worth a word. */
static void remark_hidden(struct ks_app *app, const struct ks_configured *c, const char *path,
			  enum ks_option id)
{
	const struct ks_setting *s = &c->set[id];
	const ks_str where = ks_str_c(s->where);

	if (s->value != NULL && s->where != NULL && s->origin > KS_BY_USER &&
	    !ks_str_starts(where, path))
		ks_app_say(app, KS_LOG_WARN, KS_TEXT_CONFIG_HIDDEN, ks_option_info(id)->config_key,
			   s->value, s->where, NULL);
}

static enum ks_status change(struct ks_app *app, const struct ks_configured *c,
			     const struct ks_opts *o, struct ks_config_change *what,
			     struct ks_err *err)
{
	const char *key = ks_option_info(what->id)->config_key;

	if (what->value != NULL)
		KS_TRY(ks_config_check(what->id, &what->value, "config", err));
	KS_TRY(find_target(c, o, what, err));
	if (ks_plan_asked(o))
		return ks_plan_command(app, o,
				       &(struct ks_plan_ask){
					       .out = what->path,
					       .out_op = KS_OPERATION_WRITE_CONFIG,
				       },
				       err);
	KS_TRY(ks_config_edit(app, what, err));
	if (what->value != NULL)
		ks_app_say(app, KS_LOG_NOTE, KS_TEXT_CONFIG_WROTE, key, what->value, what->path,
			   NULL);
	else
		ks_app_say(app, KS_LOG_NOTE, KS_TEXT_CONFIG_TAKEN_OUT, key, what->path, NULL);
	remark_hidden(app, c, what->path, what->id);
	return KS_OK;
}

enum ks_status ks_cmd_config(struct ks_app *app, int argc, char **argv, struct ks_err *err)
{
	struct ks_config_change what = { .value = NULL };
	struct ks_configured *c = KS_ARENA_NEW(&app->arena, struct ks_configured);
	struct ks_opts o;

	if (c == NULL)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
	KS_TRY(ks_command_begin(app, KS_CMD_CONFIG, &o, argc, argv, err));
	if (o.answered)
		return KS_OK;
	const char *unset = o.opt[KS_OPT_UNSET].value;

	KS_TRY(ks_command_words_given(KS_CMD_CONFIG, &o, 0, unset != NULL ? 0 : 2, err));
	KS_TRY(ks_config_load(app, o.opt[KS_OPT_CONFIG].value, c, err));
	if (unset != NULL || o.n_rest > 0)
		KS_TRY(find_key(unset != NULL ? unset : o.rest[0], &what.id, err));
	what.value = o.n_rest > 1 ? o.rest[1] : NULL;
	if (unset != NULL || what.value != NULL)
		return change(app, c, &o, &what, err);
	if (ks_plan_asked(&o))
		return ks_plan_command(app, &o, &(struct ks_plan_ask){ .path = NULL }, err);
	ks_config_show(app, c, &o, what.id);
	return KS_OK;
}
