/* SPDX-License-Identifier: Apache-2.0
 *
 * --export-name-map: which of our names stands for which of ncu's, and what differs. A declaration
 * from the table; it holds no data.
 */
#include "cmd/outputs.h"

#include "base/csvw.h"
#include "base/jsonw.h"
#include "base/str.h"

static enum ks_status as_csv(struct ks_app *app, void *arg, struct ks_out *out, struct ks_err *err)
{
	struct ks_csvw w;

	(void)arg;
	(void)err;
	ks_csvw_init(&w, out);
	ks_csvw_cstr(&w, "ncu_name");
	ks_csvw_cstr(&w, "ours");
	ks_csvw_cstr(&w, "kind");
	ks_csvw_cstr(&w, "caliber");
	ks_csvw_end(&w);
	for (size_t i = 0; i < ks_ncu_count(); i++) {
		const struct ks_ncu_info *n = ks_ncu_at(i);

		ks_csvw_cstr(&w, n->ncu_name);
		ks_csvw_cstr(&w, n->ours);
		ks_csvw_cstr(&w, ks_ncu_kind_name(n->kind));
		ks_csvw_cstr(&w, ks_ncu_caliber(n, (enum ks_lang)app->ctx.doc_lang));
		ks_csvw_end(&w);
	}
	return KS_OK;
}

static enum ks_status as_json(struct ks_app *app, void *arg, struct ks_out *out, struct ks_err *err)
{
	struct ks_jsonw w;

	(void)arg;
	(void)err;
	ks_jsonw_init(&w, out, 2);
	ks_jsonw_obj(&w);
	ks_jsonw_kv_cstr(&w, "schema", "kernoscope-name-map-v1");
	ks_jsonw_key(&w, "map");
	ks_jsonw_arr(&w);
	for (size_t i = 0; i < ks_ncu_count(); i++) {
		const struct ks_ncu_info *n = ks_ncu_at(i);

		ks_jsonw_obj(&w);
		ks_jsonw_kv_cstr(&w, "ncu_name", n->ncu_name);
		ks_jsonw_kv_cstr(&w, "ours", n->ours);
		ks_jsonw_kv_cstr(&w, "kind", ks_ncu_kind_name(n->kind));
		ks_jsonw_kv_cstr(&w, "caliber", ks_ncu_caliber(n, (enum ks_lang)app->ctx.doc_lang));
		ks_jsonw_obj_end(&w);
	}
	ks_jsonw_arr_end(&w);
	ks_jsonw_obj_end(&w);
	ks_out_ch(out, '\n');
	return KS_OK;
}

enum ks_status ks_name_map_write(struct ks_app *app, const char *path, int flags,
				 struct ks_err *err)
{
	const bool csv = ks_str_ends(ks_str_c(path), ".csv");

	return ks_output_file(
		app, &(struct ks_file_job){ path, flags, csv ? as_csv : as_json, NULL }, NULL, err);
}

enum ks_status ks_name_map_print(struct ks_app *app, struct ks_out *out, struct ks_err *err)
{
	return as_json(app, NULL, out, err);
}
