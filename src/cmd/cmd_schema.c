/* SPDX-License-Identifier: Apache-2.0
 *
 * `schema [NAME]`: a JSON Schema as it was made from the tables, or the list of them. Knows no
 * document.
 */
#include "base/jsonw.h"
#include "base/str.h"
#include "cmd/command.h"
#include "cmd/plan.h"
#include "cmd/suggest.h"
#include "tables/printed.h"

#define NAME_COLUMN 20 /* where the second column begins */

static void list_text(struct ks_app *app)
{
	const struct ks_printed *p;

	ks_app_print(app, KS_TEXT_GEN_SCHEMAS, NULL);
	for (size_t i = 0; (p = ks_printed_at(KS_PRINTED_SCHEMA, i)) != NULL; i++)
		ks_out_fmt(&app->out, "  %-*s  %s\n", NAME_COLUMN, p->name,
			   p->title[ks_app_lang(app)]);
}

static void list_json(struct ks_app *app)
{
	const struct ks_printed *p;
	struct ks_jsonw w;

	ks_jsonw_init(&w, &app->out, 2);
	ks_jsonw_obj(&w);
	ks_jsonw_kv_i64(&w, "schema_version", 1);
	ks_jsonw_key(&w, "schemas");
	ks_jsonw_arr(&w);
	for (size_t i = 0; (p = ks_printed_at(KS_PRINTED_SCHEMA, i)) != NULL; i++) {
		ks_jsonw_obj(&w);
		ks_jsonw_kv_cstr(&w, "name", p->name);
		ks_jsonw_kv_cstr(&w, "what", p->title[app->ctx.doc_lang]);
		ks_jsonw_kv_i64(&w, "bytes", (int64_t)p->text.n);
		ks_jsonw_obj_end(&w);
	}
	ks_jsonw_arr_end(&w);
	ks_jsonw_obj_end(&w);
	ks_out_ch(&app->out, '\n');
}

enum ks_status ks_cmd_schema(struct ks_app *app, int argc, char **argv, struct ks_err *err)
{
	struct ks_opts o;

	KS_TRY(ks_command_begin(app, KS_CMD_SCHEMA, &o, argc, argv, err));
	if (o.answered)
		return KS_OK;
	const bool list = o.n_rest == 0 || ks_opt_on(&o, KS_OPT_LIST);

	KS_TRY(ks_command_words_given(KS_CMD_SCHEMA, &o, 0, ks_opt_on(&o, KS_OPT_LIST) ? 0 : 1,
				      err));
	if (ks_plan_asked(&o))
		return ks_plan_command(app, &o, &(struct ks_plan_ask){ .path = NULL }, err);
	if (list && ks_opt_on(&o, KS_OPT_JSON)) {
		list_json(app);
		return KS_OK;
	}
	if (list) {
		list_text(app);
		return KS_OK;
	}
	const struct ks_printed *p = ks_printed_find(KS_PRINTED_SCHEMA, o.rest[0]);

	if (p != NULL) {
		ks_out_str(&app->out, p->text);
		return KS_OK;
	}
	const char *near = ks_suggest_printed(KS_PRINTED_SCHEMA, o.rest[0]);

	if (near != NULL)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_GEN_SCHEMA_NEAR, o.rest[0], near,
				  NULL);
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_GEN_SCHEMA, o.rest[0], NULL);
}
