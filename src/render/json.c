/* SPDX-License-Identifier: Apache-2.0
 *
 * .ksreport.json, schema 1 (contract 03 §4): the original's keys in its order, ours added behind
 * them. Streamed, never built in memory; the launches of a kernel only when they were asked for.
 */
#include "render/json.h"

#include <sys/utsname.h>

#include "base/str.h"

#define JSON_TEXT_MAX ((size_t)256 << 20)

void ks_json_msg(struct ks_json *j, const char *key, const struct ks_msg *m)
{
	ks_buf_reset(&j->text);
	if (m->id != KS_TEXT_NONE)
		ks_msg_fmt(&j->text, j->lang, m);
	ks_jsonw_kv_str(&j->w, key, ks_buf_view(&j->text));
}

void ks_json_known(struct ks_json *j, const char *key, int64_t v)
{
	ks_jsonw_key(&j->w, key);
	if (v < 0)
		ks_jsonw_null(&j->w);
	else
		ks_jsonw_i64(&j->w, v);
}

void ks_json_number(struct ks_json *j, const char *key, int64_t v)
{
	ks_jsonw_key(&j->w, key);
	if (v == KS_UNKNOWN)
		ks_jsonw_null(&j->w);
	else
		ks_jsonw_i64(&j->w, v);
}

static void host(struct ks_json *j)
{
	struct utsname u;

	ks_buf_reset(&j->text);
	if (uname(&u) == 0 && j->r->redacted != KS_REDACT_NO)
		ks_buf_cstr(&j->text, u.sysname);
	else if (uname(&u) == 0)
		ks_buf_fmt(&j->text, "%s-%s-%s", u.sysname, u.release, u.machine);
	ks_jsonw_key(&j->w, "host");
	ks_jsonw_obj(&j->w);
	ks_jsonw_kv_str(&j->w, "platform", ks_buf_view(&j->text));
	ks_jsonw_kv_cstr(&j->w, "python", "");
	ks_jsonw_obj_end(&j->w);
}

static void sources(struct ks_json *j)
{
	bool warned = false;

	ks_jsonw_key(&j->w, "sources");
	ks_jsonw_obj(&j->w);
	for (size_t i = 0; i < j->r->n_sources; i++) {
		ks_buf_reset(&j->text);
		ks_msg_fmt(&j->text, j->lang, &j->r->source[i].text);
		ks_jsonw_key_str(&j->w, j->r->source[i].key);
		ks_jsonw_str(&j->w, ks_buf_view(&j->text));
		warned = warned || ks_str_eqc(j->r->source[i].key, "WARNING");
	}
	if (j->r->synthetic && !warned)
		ks_jsonw_kv_cstr(&j->w, "WARNING", ks_text_get(KS_TEXT_R_SYNTHETIC, j->lang));
	ks_jsonw_obj_end(&j->w);
}

static enum ks_status document(struct ks_json *j, struct ks_err *err)
{
	const struct ks_report *r = j->r;

	ks_jsonw_obj(&j->w);
	ks_jsonw_kv_i64(&j->w, "schema_version", 1);
	ks_jsonw_kv_str(&j->w, "tool", r->tool);
	ks_jsonw_kv_str(&j->w, "tool_version", r->tool_version);
	ks_jsonw_kv_str(&j->w, "generated_at", r->generated_at);
	host(j);
	ks_json_device(j);
	ks_jsonw_kv_i64(&j->w, "wall_time_ns", r->span_ns);
	sources(j);
	ks_json_meta(j);
	ks_json_context(j);
	ks_json_timeline(j);
	ks_json_families(j);
	ks_json_findings(j);
	KS_TRY(ks_json_kernels(j, err));
	ks_jsonw_obj_end(&j->w);
	ks_out_ch(j->w.out, '\n');
	if (ks_buf_failed(&j->text))
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_RENDER_MEMORY, NULL);
	return KS_OK;
}

static enum ks_status render(const struct ks_ctx *ctx, const struct ks_report *r,
			     const struct ks_view *v, struct ks_out *out, struct ks_err *err)
{
	struct ks_json j = { .ctx = ctx, .r = r, .v = v, .lang = (enum ks_lang)ctx->doc_lang };

	ks_buf_init(&j.text, JSON_TEXT_MAX);
	ks_jsonw_init(&j.w, out, 2);
	enum ks_status st = document(&j, err);

	ks_buf_release(&j.text);
	return st;
}

const struct ks_render_ops ks_render_json = {
	.format = KS_FORMAT_JSON,
	.render = render,
};
