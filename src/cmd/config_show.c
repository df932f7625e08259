/* SPDX-License-Identifier: Apache-2.0
 *
 * The configuration as text that can be used as a file, and as JSON. Decides no value.
 */
#include "base/jsonw.h"
#include "base/str.h"
#include "cmd/config.h"

static const char *origin_word(enum ks_giver origin)
{
	static const char *const words[] = {
		[KS_BY_DEFAULT] = "default", [KS_BY_USER] = "user",
		[KS_BY_PROJECT] = "project", [KS_BY_FILE] = "file",
		[KS_BY_ENV] = "environment", [KS_BY_LINE] = "command_line",
	};

	return words[origin];
}

/* The value that holds, whoever gave it; NULL when nobody did and there is no default. */
static struct ks_setting effective(const struct ks_app *app, const struct ks_configured *c,
				   const struct ks_opts *o, enum ks_option id)
{
	const struct ks_given *said = &o->opt[id];
	struct ks_setting s = c->set[id];

	if (said->times > 0 && said->origin == KS_BY_LINE)
		return (struct ks_setting){ said->value != NULL		    ? said->value
					    : *ks_config_default(id) == 'y' ? "no"
									    : "yes",
					    NULL, KS_BY_LINE };
	if (s.value != NULL)
		return s;
	s.value = ks_config_default(id);
	if (id == KS_OPT_LANG) /* the locale decides */
		s.value = ks_app_lang(app) == KS_LANG_ZH ? "zh" : "en";
	return s;
}

/* --- text ----------------------------------------------------------------------------------------
 */

static void put_origin(struct ks_app *app, const struct ks_setting *s)
{
	if (s->where != NULL)
		ks_term_text(&app->out, ks_str_c(s->where));
	else if (s->origin == KS_BY_LINE)
		ks_out_cstr(&app->out, ks_text_get(KS_TEXT_CONFIG_LINE, ks_app_lang(app)));
	else
		ks_out_cstr(&app->out, ks_text_get(s->value != NULL ? KS_TEXT_CONFIG_DEFAULT
								    : KS_TEXT_CONFIG_NOT_SET,
						   ks_app_lang(app)));
}

/* As a line of a configuration file: what is printed can be used as one. */
static void put_setting(struct ks_app *app, const struct ks_opts *o, enum ks_option id,
			const struct ks_setting *s)
{
	ks_out_fmt(&app->out, "%s%s =", s->value != NULL ? "" : "# ",
		   ks_option_info(id)->config_key);
	if (s->value != NULL) {
		ks_out_ch(&app->out, ' ');
		ks_term_text(&app->out, ks_str_c(s->value));
	}
	if (ks_opt_on(o, KS_OPT_SHOW_ORIGIN)) {
		ks_out_cstr(&app->out, " ; ");
		put_origin(app, s);
	}
	ks_out_ch(&app->out, '\n');
}

static void put_value(struct ks_app *app, const struct ks_opts *o, const struct ks_setting *s)
{
	ks_term_text(&app->out, ks_str_c(s->value));
	if (ks_opt_on(o, KS_OPT_SHOW_ORIGIN)) {
		ks_out_cstr(&app->out, " ; ");
		put_origin(app, s);
	}
	ks_out_ch(&app->out, '\n');
}

/* --- JSON ----------------------------------------------------------------------------------------
 */

static void json_setting(struct ks_jsonw *w, enum ks_option id, const struct ks_setting *s)
{
	const struct ks_option_info *info = ks_option_info(id);

	ks_jsonw_obj(w);
	ks_jsonw_kv_cstr(w, "key", info->config_key);
	ks_jsonw_kv_cstr(w, "option", info->name);
	ks_jsonw_kv_known(w, "value", ks_str_c(s->value));
	ks_jsonw_kv_known(w, "default", ks_str_c(ks_config_default(id)));
	ks_jsonw_kv_cstr(w, "origin", origin_word(s->origin));
	ks_jsonw_kv_known(w, "where", ks_str_c(s->where));
	ks_jsonw_kv_known(w, "environment", ks_str_c(info->env));
	ks_jsonw_key(w, "project_may_set");
	ks_jsonw_bool(w, !info->user_only);
	ks_jsonw_obj_end(w);
}

static void json_files(struct ks_jsonw *w, const struct ks_config_files *files)
{
	ks_jsonw_key(w, "files");
	ks_jsonw_arr(w);
	for (size_t i = 0; i < files->n; i++) {
		ks_jsonw_obj(w);
		ks_jsonw_kv_cstr(w, "origin", origin_word(files->file[i].origin));
		ks_jsonw_kv_cstr(w, "path", files->file[i].path);
		ks_jsonw_key(w, "read");
		ks_jsonw_bool(w, files->file[i].there);
		ks_jsonw_obj_end(w);
	}
	ks_jsonw_arr_end(w);
}

/* --- both ----------------------------------------------------------------------------------------
 */

bool ks_config_is_shown(enum ks_option id)
{
	const struct ks_option_info *info = ks_option_info(id);

	return info->config_key[0] != '\0' && info->state != KS_STATE_PLANNED;
}

void ks_config_show(struct ks_app *app, const struct ks_configured *c, const struct ks_opts *o,
		    enum ks_option only)
{
	const bool json = ks_opt_on(o, KS_OPT_JSON);
	struct ks_jsonw w;

	ks_jsonw_init(&w, &app->out, 2);
	if (json) {
		ks_jsonw_obj(&w);
		ks_jsonw_kv_cstr(&w, "schema", "kernoscope-config-v1");
		json_files(&w, &c->files);
		ks_jsonw_key(&w, "settings");
		ks_jsonw_arr(&w);
	}
	for (int i = KS_OPT_NONE + 1; i < KS_OPT_COUNT; i++) {
		const enum ks_option id = (enum ks_option)i;
		const struct ks_setting s = effective(app, c, o, id);

		if (!ks_config_is_shown(id) || (only != KS_OPT_NONE && only != id))
			continue;
		if (json)
			json_setting(&w, id, &s);
		else if (only != KS_OPT_NONE)
			put_value(app, o, &s);
		else
			put_setting(app, o, id, &s);
	}
	if (!json)
		return;
	ks_jsonw_arr_end(&w);
	ks_jsonw_obj_end(&w);
	ks_out_ch(&app->out, '\n');
}
