/* SPDX-License-Identifier: Apache-2.0
 *
 * The JSON of `capabilities` (contract 03 §13). Keys beyond the original's are additive.
 */
#include "render/capability.h"

#include "base/str.h"

#define TEXT_BYTES 8192 /* one sentence or command */

static void kv_text(struct ks_jsonw *w, const char *key, const char *const text[2],
		    enum ks_lang lang)
{
	ks_jsonw_kv_cstr(w, key, text[lang == KS_LANG_ZH]);
}

static void kv_msg(struct ks_jsonw *w, const char *key, const struct ks_msg *m, enum ks_lang lang)
{
	struct ks_buf b;

	ks_buf_init(&b, TEXT_BYTES);
	ks_msg_fmt(&b, lang, m);
	ks_jsonw_kv_str(w, key, ks_buf_view(&b));
	ks_buf_release(&b);
}

void ks_json_command(struct ks_jsonw *w, const char *key, const char *command)
{
	struct ks_buf b;

	ks_buf_init(&b, TEXT_BYTES);
	ks_command_fill(&b, command, &(struct ks_command_words){ .input = KS_LIT("") });
	ks_jsonw_kv_str(w, key, ks_buf_view(&b));
	ks_buf_release(&b);
}

void ks_json_list(struct ks_jsonw *w, const char *key, const char *commas)
{
	ks_str rest = ks_str_c(commas);

	ks_jsonw_key(w, key);
	ks_jsonw_arr(w);
	while (rest.p != NULL && rest.n > 0)
		ks_jsonw_str(w, ks_str_cut(&rest, ','));
	ks_jsonw_arr_end(w);
}

void ks_json_remedy(struct ks_jsonw *w, enum ks_refusal code, enum ks_lang lang)
{
	const struct ks_refusal_info *r = ks_refusal_info(code);

	ks_jsonw_key(w, "remedy");
	ks_jsonw_obj(w);
	kv_text(w, "action", r->action, lang);
	ks_json_command(w, "command", r->command);
	ks_jsonw_kv_double(w, "cost_s", r->cost_s);
	ks_jsonw_kv_cstr(w, "cost_kind", ks_cost_kind_name(r->cost_kind));
	ks_json_list(w, "then_answers", r->answers);
	ks_jsonw_obj_end(w);
}

static void write_tier(struct ks_jsonw *w, enum ks_tier t, bool needs, enum ks_lang lang)
{
	static const enum ks_text gives[KS_TIER_COUNT] = {
		[KS_TIER_DEMO] = KS_TEXT_TIER_GIVES_DEMO,
		[KS_TIER_DEVICE] = KS_TEXT_TIER_GIVES_DEVICE,
		[KS_TIER_TRACE] = KS_TEXT_TIER_GIVES_TRACE,
		[KS_TIER_INSTRUMENTED] = KS_TEXT_TIER_GIVES_INSTRUMENTED,
		[KS_TIER_COUNTERS] = KS_TEXT_TIER_GIVES_COUNTERS,
	};

	ks_jsonw_obj(w);
	ks_jsonw_kv_i64(w, "level", (int64_t)t);
	ks_jsonw_kv_cstr(w, "name", ks_tier_name(t));
	if (needs)
		ks_jsonw_kv_cstr(w, "needs", ks_tier_needs(t, lang));
	ks_jsonw_kv_cstr(w, "gives", ks_text_get(gives[t], lang));
	ks_jsonw_obj_end(w);
}

static void write_tiers(struct ks_jsonw *w, const struct ks_capability *c, enum ks_lang lang)
{
	ks_jsonw_key(w, "tier");
	write_tier(w, c->tier, false, lang);
	ks_jsonw_key(w, "next_tier");
	if (c->tier + 1 < KS_TIER_COUNT)
		write_tier(w, c->tier + 1, true, lang);
	else
		ks_jsonw_null(w);
}

static void write_env(struct ks_jsonw *w, const struct ks_capability_page *p)
{
	const struct ks_means *m = &p->c->means;

	ks_jsonw_key(w, "env");
	ks_jsonw_obj(w);
	ks_jsonw_kv_bool(w, "has_gpu", m->gpu);
	ks_jsonw_kv_str(w, "gpu_name", m->gpu_name);
	ks_jsonw_kv_bool(w, "has_nvml", m->nvml);
	ks_jsonw_kv_bool(w, "has_nsys", m->nsys);
	ks_jsonw_kv_bool(w, "has_cuobjdump", m->cuobjdump);
	ks_jsonw_kv_bool(w, "has_ncu", m->ncu);
	ks_jsonw_kv_cstr(w, "counter_state", ks_counter_state_name(m->counters));
	ks_jsonw_kv_bool(w, "has_nvbit", m->nvbit);
	ks_jsonw_kv_bool(w, "has_calibration", m->calibration);
	ks_jsonw_kv_bool(w, "has_workload", m->workload);
	ks_jsonw_kv_bool(w, "has_memtrace", m->memtrace);
	ks_jsonw_kv_bool(w, "has_instr_hist", m->histogram);
	ks_jsonw_kv_bool(w, "has_occupancy_probe", m->occupancy_probe);
	ks_jsonw_kv_bool(w, "has_cubin", m->cubin);
	ks_jsonw_kv_bool(w, "nvml_disabled_by_user", m->nvml_disabled);
	ks_jsonw_kv_i64(w, "devices", (int64_t)m->n_gpus);
	ks_jsonw_kv_i64(w, "nvlinks", m->nvlinks > 0 ? m->nvlinks : 0);
	ks_jsonw_kv_str(w, "driver", p->driver);
	ks_jsonw_obj_end(w);
}

static void write_observed(struct ks_jsonw *w, enum ks_refusal code, const struct ks_means *m)
{
	ks_jsonw_key(w, "observed");
	ks_jsonw_obj(w);
	if (code == KS_REFUSAL_NO_GPU)
		ks_jsonw_kv_str(w, "gpu", m->gpu_name);
	else if (code == KS_REFUSAL_NO_NVLINK)
		ks_jsonw_kv_i64(w, "devices", (int64_t)m->n_gpus);
	else if (code == KS_REFUSAL_COUNTERS_DENIED || code == KS_REFUSAL_COUNTERS_UNKNOWN ||
		 code == KS_REFUSAL_COUNTERS_NOT_INSTALLED)
		ks_jsonw_kv_cstr(w, "counter_state", ks_counter_state_name(m->counters));
	ks_jsonw_obj_end(w);
	ks_jsonw_key(w, "threshold");
	ks_jsonw_obj(w);
	ks_jsonw_obj_end(w);
}

static void write_refusal(struct ks_jsonw *w, enum ks_refusal code, const struct ks_means *m,
			  enum ks_lang lang)
{
	const struct ks_refusal_info *r = ks_refusal_info(code);

	ks_jsonw_obj(w);
	ks_jsonw_kv_cstr(w, "code", r->slug);
	kv_text(w, "message", r->title, lang);
	ks_jsonw_kv_cstr(w, "severity", r->severity == KS_SEV_BLOCKING ? "blocking" : "degraded");
	write_observed(w, code, m);
	ks_json_remedy(w, code, lang);
	ks_jsonw_obj_end(w);
}

static void write_answer(struct ks_jsonw *w, const struct ks_answer *a, const struct ks_means *m,
			 enum ks_lang lang)
{
	const struct ks_question_info *q = ks_question_info(a->id);

	ks_jsonw_obj(w);
	ks_jsonw_kv_cstr(w, "id", q->slug);
	kv_text(w, "question", q->question, lang);
	ks_jsonw_kv_cstr(w, "state", ks_answerable_name(a->state));
	ks_jsonw_kv_i64(w, "tier_required", (int64_t)q->tier);
	ks_json_list(w, "outputs", q->outputs);
	kv_text(w, "how", a->state == KS_ANSWER_REFUSED ? ks_refusal_info(a->code)->title : q->how,
		lang);
	ks_jsonw_kv_bool(w, "in_this_version", q->now);
	ks_json_command(w, "command", q->command);
	kv_text(w, "rests_on", q->rests, lang);
	if (q->instead[0][0] != '\0')
		kv_text(w, "alternative", q->instead, lang);
	if (a->state == KS_ANSWER_DEGRADED)
		ks_jsonw_kv_cstr(w, "weak_because", ks_refusal_info(a->code)->slug);
	if (a->state == KS_ANSWER_REFUSED) {
		ks_jsonw_key(w, "refusal");
		write_refusal(w, a->code, m, lang);
	}
	ks_jsonw_obj_end(w);
}

static void write_action(struct ks_jsonw *w, const struct ks_action *a, enum ks_lang lang)
{
	const struct ks_refusal_info *r = ks_refusal_info(a->code);

	ks_jsonw_obj(w);
	ks_jsonw_kv_cstr(w, "code", r->slug);
	kv_text(w, "action", r->action, lang);
	ks_json_command(w, "command", r->command);
	ks_jsonw_kv_cstr(w, "cost_kind", ks_cost_kind_name(r->cost_kind));
	ks_jsonw_kv_double(w, "cost_s", r->cost_s);
	ks_jsonw_key(w, "unlocks");
	ks_jsonw_arr(w);
	for (size_t i = 0; i < a->n_unlocks; i++)
		ks_jsonw_cstr(w, ks_question_info(a->unlocks[i])->slug);
	ks_jsonw_arr_end(w);
	ks_jsonw_kv_bool(w, "in_this_version", ks_action_helps_now(a));
	ks_jsonw_obj_end(w);
}

static void write_lists(struct ks_jsonw *w, const struct ks_capability *c, enum ks_lang lang)
{
	ks_jsonw_key(w, "matrix");
	ks_jsonw_obj(w);
	for (size_t q = 0; q < KS_QUESTION_COUNT; q++)
		ks_jsonw_kv_cstr(w, ks_question_info(c->answer[q].id)->slug,
				 ks_answerable_name(c->answer[q].state));
	ks_jsonw_obj_end(w);
	ks_jsonw_key(w, "answers");
	ks_jsonw_arr(w);
	for (size_t q = 0; q < KS_QUESTION_COUNT; q++)
		write_answer(w, &c->answer[q], &c->means, lang);
	ks_jsonw_arr_end(w);
	ks_jsonw_key(w, "next_actions");
	ks_jsonw_arr(w);
	for (size_t i = 0; i < c->n_next; i++)
		write_action(w, &c->next[i], lang);
	ks_jsonw_arr_end(w);
	ks_jsonw_key(w, "refusals");
	ks_jsonw_arr(w);
	for (size_t q = 0; q < KS_QUESTION_COUNT; q++) {
		if (c->answer[q].state == KS_ANSWER_REFUSED)
			write_refusal(w, c->answer[q].code, &c->means, lang);
	}
	ks_jsonw_arr_end(w);
}

enum ks_status ks_capability_json(const struct ks_ctx *ctx, const struct ks_capability_page *p,
				  struct ks_out *out, struct ks_err *err)
{
	const enum ks_lang lang = (enum ks_lang)ctx->doc_lang;
	struct ks_jsonw w;

	(void)err;
	ks_jsonw_init(&w, out, 2);
	ks_jsonw_obj(&w);
	ks_jsonw_kv_i64(&w, "schema_version", 1);
	ks_jsonw_kv_cstr(&w, "tool", "kernoscope");
	ks_jsonw_kv_cstr(&w, "tool_version", KS_VERSION);
	write_tiers(&w, p->c, lang);
	write_env(&w, p);
	write_lists(&w, p->c, lang);
	kv_msg(&w, "counter_note", &p->note.why, lang);
	kv_msg(&w, "probe_note", &p->note.probe, lang);
	ks_jsonw_obj_end(&w);
	ks_out_ch(out, '\n');
	return KS_OK;
}
