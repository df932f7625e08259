/* SPDX-License-Identifier: Apache-2.0
 *
 * The JSON of `route`. Keys beyond the original's are additive.
 */
#include "base/str.h"
#include "render/capability.h"
#include "render/route.h"

static void kv(struct ks_jsonw *w, const char *key, const char *const text[2], enum ks_lang lang)
{
	ks_jsonw_kv_cstr(w, key, text[lang == KS_LANG_ZH]);
}

static void question_keys(struct ks_jsonw *w, enum ks_question id, enum ks_lang lang)
{
	const struct ks_question_info *q = ks_question_info(id);

	ks_jsonw_kv_cstr(w, "id", q->slug);
	kv(w, "question", q->question, lang);
	ks_jsonw_kv_i64(w, "tier", (int64_t)q->tier);
	ks_json_list(w, "answers", q->outputs);
	kv(w, "alt", q->instead, lang);
	ks_json_command(w, "command", q->command);
	kv(w, "caliber", q->rests, lang);
	ks_jsonw_kv_bool(w, "in_this_version", q->now);
}

static void failures(struct ks_jsonw *w, const char *codes, enum ks_lang lang)
{
	ks_str rest = ks_str_c(codes);

	ks_jsonw_key(w, "failures");
	ks_jsonw_arr(w);
	while (rest.p != NULL && rest.n > 0) {
		enum ks_refusal code = KS_REFUSAL_NONE;

		(void)ks_refusal_find(ks_str_cut(&rest, ','), &code);
		const struct ks_refusal_info *r = ks_refusal_info(code);

		ks_jsonw_obj(w);
		ks_jsonw_kv_cstr(w, "code", r->slug);
		kv(w, "action", r->action, lang);
		ks_json_command(w, "cmd", r->command);
		ks_jsonw_kv_cstr(w, "cost_kind", ks_cost_kind_name(r->cost_kind));
		ks_jsonw_kv_double(w, "cost_s", r->cost_s);
		ks_jsonw_obj_end(w);
	}
	ks_jsonw_arr_end(w);
}

static void tasks(struct ks_jsonw *w, const struct ks_route_tasks *t, enum ks_lang lang)
{
	ks_jsonw_key(w, "tasks");
	ks_jsonw_arr(w);
	for (size_t i = 0; i < t->n; i++) {
		const struct ks_task_info *info = ks_task_info(t->task[i].id);
		struct ks_buf b;

		ks_jsonw_obj(w);
		ks_jsonw_kv_cstr(w, "id", info->slug);
		kv(w, "title", info->title, lang);
		ks_buf_init(&b, 4096);
		ks_task_command(&b, t->task[i].id, t->task[i].name);
		ks_jsonw_kv_str(w, "command", ks_buf_view(&b));
		ks_buf_release(&b);
		ks_jsonw_obj_end(w);
	}
	ks_jsonw_arr_end(w);
}

static void kv_note(struct ks_jsonw *w, const struct ks_route_page *p, enum ks_lang lang)
{
	const struct ks_answer *a = &p->c->answer[p->routes.route[0].id];
	const ks_str title = ks_str_c(ks_refusal_info(a->code)->title[lang == KS_LANG_ZH]);
	struct ks_buf b;

	if (a->state == KS_ANSWER_AVAILABLE)
		return;
	ks_buf_init(&b, 4096);
	ks_text_fmt(&b, lang,
		    ks_question_info(a->id)->now ? KS_TEXT_ROUTE_LACKS_NOW : KS_TEXT_ROUTE_LACKS, 1,
		    &title);
	ks_jsonw_kv_str(w, "env_note", ks_buf_view(&b));
	ks_buf_release(&b);
}

enum ks_status ks_route_json(const struct ks_ctx *ctx, const struct ks_route_page *p,
			     struct ks_out *out, struct ks_err *err)
{
	const enum ks_lang lang = (enum ks_lang)ctx->doc_lang;
	struct ks_jsonw w;

	(void)err;
	ks_jsonw_init(&w, out, 2);
	ks_jsonw_obj(&w);
	ks_jsonw_kv_str(&w, "question", p->question);
	ks_jsonw_kv_bool(&w, "matched", p->routes.n > 0);
	ks_jsonw_key(&w, "routes");
	ks_jsonw_arr(&w);
	for (size_t i = 0; i < p->routes.n; i++) {
		ks_jsonw_obj(&w);
		question_keys(&w, p->routes.route[i].id, lang);
		failures(&w, ks_question_info(p->routes.route[i].id)->failures, lang);
		ks_jsonw_kv_i64(&w, "score", p->routes.route[i].score);
		ks_jsonw_obj_end(&w);
	}
	ks_jsonw_arr_end(&w);
	tasks(&w, &p->routes.tasks, lang);
	if (p->routes.n > 0) {
		kv_note(&w, p, lang);
	} else {
		ks_jsonw_kv_cstr(&w, "hint", ks_text_get(KS_TEXT_ROUTE_HINT, lang));
		ks_jsonw_key(&w, "can_ask");
		ks_jsonw_arr(&w);
		for (unsigned q = 0; q < KS_QUESTION_COUNT; q++)
			ks_jsonw_cstr(&w, ks_question_info((enum ks_question)q)->slug);
		ks_jsonw_arr_end(&w);
	}
	ks_jsonw_obj_end(&w);
	ks_out_ch(out, '\n');
	return KS_OK;
}

enum ks_status ks_route_list_json(const struct ks_ctx *ctx, struct ks_out *out, struct ks_err *err)
{
	struct ks_jsonw w;

	(void)err;
	ks_jsonw_init(&w, out, 2);
	ks_jsonw_obj(&w);
	ks_jsonw_key(&w, "routes");
	ks_jsonw_arr(&w);
	for (unsigned q = 0; q < KS_QUESTION_COUNT; q++) {
		ks_jsonw_obj(&w);
		question_keys(&w, (enum ks_question)q, (enum ks_lang)ctx->doc_lang);
		ks_jsonw_obj_end(&w);
	}
	ks_jsonw_arr_end(&w);
	ks_jsonw_obj_end(&w);
	ks_out_ch(out, '\n');
	return KS_OK;
}

void ks_route_empty_json(const struct ks_ctx *ctx, int rc, struct ks_out *out)
{
	const enum ks_lang lang = (enum ks_lang)ctx->doc_lang;
	struct ks_jsonw w;

	ks_jsonw_init(&w, out, 2);
	ks_jsonw_obj(&w);
	ks_jsonw_kv_cstr(&w, "error", ks_text_get(KS_TEXT_ERR_ROUTE_EMPTY, lang));
	ks_jsonw_kv_cstr(&w, "hint", ks_text_get(KS_TEXT_ROUTE_HINT, lang));
	ks_jsonw_kv_i64(&w, "rc", rc);
	ks_jsonw_obj_end(&w);
	ks_out_ch(out, '\n');
}
