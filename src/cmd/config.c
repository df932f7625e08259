/* SPDX-License-Identifier: Apache-2.0
 *
 * Puts the configuration behind the command line: command line, environment, project, user,
 * default, in this order. Knows which options give way to one that was said.
 */
#include "cmd/config.h"

#include "base/str.h"
#include "cmd/names.h"

/* --- keys and values -----------------------------------------------------------------------------
 */

/* The key of --no-NAME is NAME: yes there is the flag left out. */
static bool is_turned(const struct ks_option_info *info)
{
	return strncmp(info->name, "no-", 3) == 0 && strcmp(info->name + 3, info->config_key) == 0;
}

/* Who writes an option where its key belongs (no-pager, --set) means that key; NULL: no option. */
static const char *key_of_option(ks_str word)
{
	while (word.n > 0 && word.p[0] == '-')
		word = (ks_str){ word.p + 1, word.n - 1 };
	for (int id = KS_OPT_NONE + 1; id < KS_OPT_COUNT; id++) {
		const struct ks_option_info *o = ks_option_info((enum ks_option)id);

		if (o->config_key[0] != '\0' && ks_str_eqc(word, o->name))
			return o->config_key;
	}
	return NULL;
}

enum ks_option ks_config_key(ks_str key, const char **near)
{
	const char *names[KS_OPT_COUNT];
	size_t n = 0;

	for (int id = KS_OPT_NONE + 1; id < KS_OPT_COUNT; id++) {
		const char *own = ks_option_info((enum ks_option)id)->config_key;

		if (own[0] == '\0')
			continue;
		if (ks_str_eqc(key, own))
			return (enum ks_option)id;
		names[n++] = own;
	}
	*near = key_of_option(key);
	if (*near == NULL)
		*near = ks_str_nearest(key, names, n);
	return KS_OPT_NONE;
}

const char *ks_config_default(enum ks_option id)
{
	const struct ks_option_info *info = ks_option_info(id);

	if (info->arg == KS_ARG_NONE)
		return is_turned(info) ? "yes" : "no";
	return info->deflt[0] != '\0' ? info->deflt : NULL;
}

static enum ks_status check_flag(const char *key, const char **value, const char *where,
				 struct ks_err *err)
{
	static const char *const words[][2] = {
		{ "no", "yes" }, { "off", "on" }, { "false", "true" }, { "0", "1" }
	};

	for (size_t i = 0; i < KS_ARRAY_LEN(words); i++) {
		for (size_t on = 0; on < 2; on++) {
			if (strcmp(*value, words[i][on]) != 0)
				continue;
			*value = words[0][on];
			return KS_OK;
		}
	}
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CONFIG_YES_NO, where, key, *value, NULL);
}

enum ks_status ks_config_check(enum ks_option id, const char **value, const char *where,
			       struct ks_err *err)
{
	const struct ks_option_info *info = ks_option_info(id);

	if (info->state == KS_STATE_PLANNED)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CONFIG_PLANNED, where,
				  info->config_key, NULL);
	if (info->arg == KS_ARG_NONE)
		return check_flag(info->config_key, value, where, err);
	const enum ks_status status = ks_opt_check(id, *value, err);

	return status == KS_OK ? KS_OK : ks_err_at(err, where, -1);
}

/* --- the environment -----------------------------------------------------------------------------
 */

/* A locale name is a language here, and one we do not have is skipped, as it always was. */
static bool read_lang(const char **value)
{
	enum ks_lang lang = KS_LANG_EN;

	if (!ks_lang_parse(ks_str_c(*value), &lang))
		return false;
	*value = lang == KS_LANG_ZH ? "zh" : "en";
	return true;
}

static enum ks_status load_variable(struct ks_app *app, enum ks_option id, struct ks_configured *c,
				    struct ks_err *err)
{
	const struct ks_option_info *info = ks_option_info(id);
	const char *value = info->env[0] != '\0' ? app->ctx.env(info->env) : NULL;

	if (value == NULL || value[0] == '\0' || info->state == KS_STATE_PLANNED)
		return KS_OK;
	if (id == KS_OPT_LANG && !read_lang(&value))
		return KS_OK;
	KS_TRY(ks_config_check(id, &value, info->env, err));
	c->set[id] = (struct ks_setting){ value, info->env, KS_BY_ENV };
	return KS_OK;
}

/* What the terminal world agreed on is the environment as well, and goes before a file. */
static void load_colors(const struct ks_app *app, struct ks_setting *color)
{
	const char *off = app->ctx.env("NO_COLOR"), *on = app->ctx.env("CLICOLOR_FORCE");
	const char *name = NULL;

	if (color->origin >= KS_BY_ENV)
		return;
	if (off != NULL && off[0] != '\0')
		name = "NO_COLOR";
	else if (on != NULL && on[0] != '\0' && strcmp(on, "0") != 0)
		name = "CLICOLOR_FORCE";
	if (name != NULL)
		*color = (struct ks_setting){ "auto", name, KS_BY_ENV };
}

enum ks_status ks_config_load(struct ks_app *app, const char *name, struct ks_configured *c,
			      struct ks_err *err)
{
	*c = (struct ks_configured){ .files.n = 0 };
	ks_config_find(app, name, &c->files);
	if (ks_arena_failed(&app->arena))
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
	for (size_t i = 0; i < c->files.n; i++) {
		if (c->files.file[i].there)
			KS_TRY(ks_config_read(app, &c->files.file[i], c, err));
	}
	for (int id = KS_OPT_NONE + 1; id < KS_OPT_COUNT; id++) {
		if (ks_option_info((enum ks_option)id)->config_key[0] != '\0')
			KS_TRY(load_variable(app, (enum ks_option)id, c, err));
	}
	load_colors(app, &c->set[KS_OPT_COLOR]);
	return KS_OK;
}

/* --- behind the command line ---------------------------------------------------------------------
 */

/* What was said goes before what was configured also where the two are different options. */
static const struct {
	enum ks_option configured, said;
} gives_way[] = {
	{ KS_OPT_FORMAT, KS_OPT_CSV },
	{ KS_OPT_FORMAT, KS_OPT_LAUNCH_CSV },
	{ KS_OPT_FORMAT, KS_OPT_SCREEN },
	{ KS_OPT_SCREEN, KS_OPT_FORMAT },
	{ KS_OPT_SCREEN, KS_OPT_CSV },
	{ KS_OPT_SCREEN, KS_OPT_LAUNCH_CSV },
	{ KS_OPT_SCREEN, KS_OPT_METRICS },
	{ KS_OPT_SCREEN, KS_OPT_SECTION },
	{ KS_OPT_SCREEN, KS_OPT_PAGE },
	{ KS_OPT_SCREEN, KS_OPT_PRINT_DETAILS },
	{ KS_OPT_SCREEN, KS_OPT_PRINT_SUMMARY },
	{ KS_OPT_PRINT_DETAILS, KS_OPT_METRICS },
	{ KS_OPT_PRINT_DETAILS, KS_OPT_SECTION },
	{ KS_OPT_PRINT_DETAILS, KS_OPT_PAGE },
	{ KS_OPT_PRINT_DETAILS, KS_OPT_PRINT_SUMMARY },
};

/* Some output was told to take standard output. */
static bool is_stdout_taken(const struct ks_opts *o)
{
	for (int id = KS_OPT_NONE + 1; id < KS_OPT_COUNT; id++) {
		const char *value = o->opt[id].value;

		if (ks_option_info((enum ks_option)id)->output && value != NULL &&
		    strcmp(value, "-") == 0)
			return true;
	}
	return false;
}

static bool must_yield(const struct ks_opts *o, enum ks_option id)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(gives_way); i++) {
		if (gives_way[i].configured == id && o->opt[gives_way[i].said].origin == KS_BY_LINE)
			return true;
	}
	return (id == KS_OPT_FORMAT || id == KS_OPT_SCREEN) && is_stdout_taken(o);
}

static enum ks_status merge(struct ks_app *app, struct ks_opts *o, enum ks_command command,
			    const struct ks_configured *c, struct ks_err *err)
{
	const bool main = command == KS_CMD_NONE || command == KS_CMD_REPORT;

	for (int i = KS_OPT_NONE + 1; i < KS_OPT_COUNT; i++) {
		const enum ks_option id = (enum ks_option)i;
		const struct ks_setting *s = &c->set[id];
		const struct ks_option_info *info = ks_option_info(id);

		if (s->value == NULL || ks_opt_on(o, id) || !ks_option_of(id, command))
			continue;
		if (info->arg == KS_ARG_NONE && (strcmp(s->value, "yes") == 0) == is_turned(info))
			continue;
		/* the formats of other commands are others */
		if (must_yield(o, id) || (id == KS_OPT_FORMAT && !main))
			continue;
		KS_TRY(ks_opt_give(o, &app->arena, id, s->value, s->origin, err));
	}
	return KS_OK;
}

static enum ks_status expand_names(struct ks_app *app, struct ks_opts *o, struct ks_err *err)
{
	for (int i = KS_OPT_NONE + 1; i < KS_OPT_COUNT; i++) {
		struct ks_given *g = &o->opt[i];
		const char *name = NULL;

		if (!ks_option_info((enum ks_option)i)->output || g->value == NULL)
			continue;
		KS_TRY(ks_name_expand(app, (enum ks_option)i, g->value, &name, err));
		g->value = name;
		g->last->text = name;
	}
	return KS_OK;
}

/* A file that was named must be there; reading it says in which way it is not. */
static enum ks_status check_named(struct ks_app *app, struct ks_configured *c, struct ks_err *err)
{
	const struct ks_config_file *f = &c->files.file[0];

	if (c->files.n == 0 || f->origin != KS_BY_FILE || f->there)
		return KS_OK;
	return ks_config_read(app, f, c, err);
}

enum ks_status ks_config_settle(struct ks_app *app, struct ks_opts *o, enum ks_command command,
				struct ks_err *err)
{
	const struct ks_given *named = &o->opt[KS_OPT_CONFIG];
	struct ks_configured *c = NULL;

	if (ks_opt_on(o, KS_OPT_HELP) || ks_opt_on(o, KS_OPT_VERSION))
		return KS_OK;
	c = KS_ARENA_NEW(&app->arena, struct ks_configured);
	if (c == NULL)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
	KS_TRY(ks_config_load(app, named->value, c, err));
	if (command != KS_CMD_CONFIG) /* which makes the file */
		KS_TRY(check_named(app, c, err));
	KS_TRY(merge(app, o, command, c, err));
	if (c->files.foreign != NULL && !ks_opt_on(o, KS_OPT_QUIET))
		ks_app_say(app, KS_LOG_NOTE, KS_TEXT_CONFIG_FOREIGN, c->files.foreign, NULL);
	return expand_names(app, o, err);
}
