/* SPDX-License-Identifier: Apache-2.0
 *
 * `doctor --json`. The keys of the original keep their types: device facts that it took from
 * nvidia-smi are texts there, and host.python, which nothing of ours has, is an empty text. What is
 * not known is null. `devices`, `libraries`, `slots`, `steps` and what else the original lacks is
 * additive.
 */
#include "base/jsonw.h"
#include "base/str.h"
#include "render/doctor.h"

#define TEXT_BYTES ((size_t)1024 * 1024)

struct page {
	const struct ks_diagnosis *d;
	const struct ks_host *h;
	struct ks_jsonw w;
	struct ks_buf text; /* scratch */
	enum ks_lang lang;
};

static ks_str said(struct page *p, const struct ks_msg *m)
{
	ks_buf_reset(&p->text);
	ks_msg_fmt(&p->text, p->lang, m);
	return ks_buf_view(&p->text);
}

static void kv_msg(struct page *p, const char *key, const struct ks_msg *m)
{
	ks_jsonw_kv_str(&p->w, key, said(p, m));
}

static void kv_number(struct page *p, const char *key, int64_t v)
{
	ks_jsonw_key(&p->w, key);
	if (v != KS_UNKNOWN)
		ks_jsonw_i64(&p->w, v);
	else
		ks_jsonw_null(&p->w);
}

static void kv_flag(struct page *p, const char *key, enum ks_known v)
{
	ks_jsonw_key(&p->w, key);
	if (v == KS_KNOWN_UNREAD)
		ks_jsonw_null(&p->w);
	else
		ks_jsonw_bool(&p->w, v == KS_KNOWN_YES);
}

/* A number as the text that the original has there. */
static void kv_number_text(struct page *p, const char *key, int64_t v)
{
	ks_buf_reset(&p->text);
	if (v != KS_UNKNOWN)
		ks_buf_fmt(&p->text, "%lld", (long long)v);
	ks_jsonw_kv_known(&p->w, key, ks_buf_view(&p->text));
}

static void capability_key(struct page *p, const struct ks_host_gpu *g)
{
	ks_buf_reset(&p->text);
	if (g->cc_major > 0)
		ks_buf_fmt(&p->text, "%d.%d", g->cc_major, g->cc_minor);
	ks_jsonw_kv_known(&p->w, "compute_capability", ks_buf_view(&p->text));
}

static void device(struct page *p)
{
	const struct ks_host *h = p->h;

	ks_jsonw_key(&p->w, "device");
	ks_jsonw_obj(&p->w);
	if (h->n_gpus > 0) {
		const struct ks_host_gpu *g = &h->gpu[0];

		ks_jsonw_kv_known(&p->w, "name", g->name);
		ks_jsonw_kv_known(&p->w, "driver", h->driver);
		capability_key(p, g);
		kv_number_text(p, "memory_mib", g->memory_mib);
		kv_number_text(p, "max_sm_clock_mhz", g->max_sm_clock_mhz);
		ks_buf_reset(&p->text);
		if (g->power_limit_w >= 0.0)
			ks_buf_fmt(&p->text, "%.2f", g->power_limit_w);
		ks_jsonw_kv_known(&p->w, "power_limit_w", ks_buf_view(&p->text));
		ks_jsonw_kv_i64(&p->w, "count", (int64_t)h->n_gpus);
		kv_number(p, "sm_count", g->sm_count);
	}
	ks_jsonw_obj_end(&p->w);
}

static void devices(struct page *p)
{
	const struct ks_host *h = p->h;

	ks_jsonw_key(&p->w, "devices");
	ks_jsonw_arr(&p->w);
	for (size_t i = 0; i < h->n_gpus; i++) {
		const struct ks_host_gpu *g = &h->gpu[i];

		ks_jsonw_obj(&p->w);
		ks_jsonw_kv_known(&p->w, "name", g->name);
		ks_jsonw_kv_known(&p->w, "uuid", g->uuid);
		capability_key(p, g);
		kv_number(p, "memory_mib", g->memory_mib);
		kv_number(p, "sm_count", g->sm_count);
		kv_number(p, "max_sm_clock_mhz", g->max_sm_clock_mhz);
		ks_jsonw_key(&p->w, "power_limit_w");
		if (g->power_limit_w >= 0.0)
			ks_jsonw_double(&p->w, g->power_limit_w);
		else
			ks_jsonw_null(&p->w);
		kv_number(p, "nvlinks_active", g->nvlinks);
		ks_jsonw_obj_end(&p->w);
	}
	ks_jsonw_arr_end(&p->w);
	kv_flag(p, "has_gpu", h->has_gpu);
	ks_jsonw_kv_known(&p->w, "devices_from", h->gpu_from);
	ks_jsonw_kv_known(&p->w, "driver", h->driver);
	ks_jsonw_kv_known(&p->w, "driver_cuda", h->cuda);
}

static void tools(struct page *p)
{
	ks_jsonw_key(&p->w, "tools");
	ks_jsonw_obj(&p->w);
	for (size_t i = 0; i < KS_TOOL_COUNT; i++) {
		const struct ks_tool_place *t = &p->h->tool[i];

		ks_jsonw_key_str(&p->w, t->name);
		ks_jsonw_obj(&p->w);
		ks_jsonw_kv_str(&p->w, "name", t->name);
		ks_jsonw_kv_known(&p->w, "path", t->path);
		ks_jsonw_kv_bool(&p->w, "in_path", t->in_path);
		ks_jsonw_kv_bool(&p->w, "found", t->path.n > 0);
		ks_jsonw_kv_strs(&p->w, "searched_dirs", t->searched, t->n_searched);
		ks_jsonw_obj_end(&p->w);
	}
	ks_jsonw_obj_end(&p->w);
}

static const char *probe_word(enum ks_probe probe)
{
	switch (probe) {
	case KS_PROBE_NOT_RUN:
		break;
	case KS_PROBE_ALLOWED:
		return "allowed";
	case KS_PROBE_DENIED:
		return "denied";
	case KS_PROBE_NO_DEVICE:
		return "no_device";
	case KS_PROBE_FAILED:
		return "failed";
	case KS_PROBE_TIMEOUT:
		return "timeout";
	}
	return "not_run";
}

static void counters(struct page *p)
{
	const struct ks_diagnosis *d = p->d;
	struct ks_buf note;

	ks_buf_init(&note, TEXT_BYTES);
	ks_msg_fmt(&note, p->lang, &d->note.why);
	ks_buf_cstr(&note, p->lang == KS_LANG_ZH ? "；" : "; ");
	ks_msg_fmt(&note, p->lang, &d->note.probe);
	ks_jsonw_kv_cstr(&p->w, "counter_state", ks_counter_state_name(d->counters));
	ks_jsonw_kv_str(&p->w, "counter_state_note", ks_buf_view(&note));
	ks_jsonw_key(&p->w, "counter_probe");
	ks_jsonw_obj(&p->w);
	ks_jsonw_kv_known(&p->w, "name", p->h->probe_name);
	ks_jsonw_kv_cstr(&p->w, "answer", probe_word(p->h->probe));
	ks_jsonw_kv_cstr(&p->w, "strength", p->h->probe_name.n > 0 ? "weak" : "none");
	ks_jsonw_kv_known(&p->w, "line", p->h->probe_output);
	ks_jsonw_obj_end(&p->w);
	p->text.failed |= ks_buf_failed(&note);
	ks_buf_release(&note);
}

static void kv_mask(struct page *p, const char *key, uint64_t mask)
{
	ks_buf_reset(&p->text);
	if (p->h->caps_read)
		ks_buf_fmt(&p->text, "%016llx", (unsigned long long)mask);
	ks_jsonw_kv_known(&p->w, key, ks_buf_view(&p->text));
}

static void rights(struct page *p)
{
	const struct ks_host *h = p->h;

	ks_jsonw_key(&p->w, "rights");
	ks_jsonw_obj(&p->w);
	kv_flag(p, "rm_profiling_admin_only", h->admin_only);
	kv_mask(p, "cap_eff", h->cap_eff);
	kv_mask(p, "cap_bnd", h->cap_bnd);
	kv_number(p, "perf_event_paranoid", h->perf_paranoid);
	ks_jsonw_obj_end(&p->w);
}

static void library_list(struct page *p, const char *key, const struct ks_library *l, size_t n)
{
	ks_jsonw_key(&p->w, key);
	ks_jsonw_arr(&p->w);
	for (size_t i = 0; i < n; i++) {
		ks_jsonw_obj(&p->w);
		ks_jsonw_kv_str(&p->w, "path", l[i].path);
		ks_jsonw_kv_known(&p->w, "version", l[i].version);
		kv_flag(p, "loads", l[i].loads);
		ks_jsonw_kv_str(&p->w, "why", l[i].why);
		ks_jsonw_obj_end(&p->w);
	}
	ks_jsonw_arr_end(&p->w);
}

static void libraries(struct page *p)
{
	library_list(p, "nvml", p->h->nvml, p->h->n_nvml);
	library_list(p, "cupti", p->h->cupti, p->h->n_cupti);
	ks_jsonw_key(&p->w, "slots");
	ks_jsonw_obj(&p->w);
	ks_jsonw_kv_known(&p->w, "CUDA_INJECTION64_PATH", p->h->cuda_injection);
	ks_jsonw_kv_known(&p->w, "NVTX_INJECTION64_PATH", p->h->nvtx_injection);
	ks_jsonw_kv_known(&p->w, "LD_PRELOAD", p->h->preload);
	ks_jsonw_obj_end(&p->w);
}

static void checks(struct page *p)
{
	ks_jsonw_key(&p->w, "checks");
	ks_jsonw_arr(&p->w);
	for (size_t i = 0; i < p->d->n_checks; i++) {
		const struct ks_checkup *c = &p->d->check[i];

		ks_jsonw_obj(&p->w);
		ks_jsonw_kv_cstr(&p->w, "group", ks_check_group_name(c->group));
		ks_jsonw_kv_cstr(&p->w, "id", c->id);
		kv_msg(p, "name", &c->name);
		ks_jsonw_kv_cstr(&p->w, "status", ks_check_state_name(c->state));
		kv_msg(p, "detail", &c->detail);
		kv_msg(p, "impact", &c->impact);
		ks_jsonw_obj_end(&p->w);
	}
	ks_jsonw_arr_end(&p->w);
}

static void messages(struct page *p, const char *key, const struct ks_msg *m, size_t n)
{
	ks_jsonw_key(&p->w, key);
	ks_jsonw_arr(&p->w);
	for (size_t i = 0; i < n; i++)
		ks_jsonw_str(&p->w, said(p, &m[i]));
	ks_jsonw_arr_end(&p->w);
}

static void offers(struct page *p)
{
	ks_jsonw_key(&p->w, "capabilities");
	ks_jsonw_arr(&p->w);
	for (size_t i = 0; i < p->d->n_offers; i++) {
		const struct ks_offer *o = &p->d->offer[i];

		ks_jsonw_obj(&p->w);
		ks_jsonw_kv_cstr(&p->w, "provenance", ks_prov_name(o->prov));
		messages(p, "items", o->item, o->n);
		kv_msg(p, "reason", &o->reason);
		ks_jsonw_obj_end(&p->w);
	}
	ks_jsonw_arr_end(&p->w);
}

/* The original's list of sentences; a command follows its sentence. */
static void advice(struct page *p)
{
	const char *between = p->lang == KS_LANG_ZH ? "：" : ": ";

	ks_jsonw_key(&p->w, "advice");
	ks_jsonw_arr(&p->w);
	for (size_t i = 0; i < p->d->n_steps; i++) {
		(void)said(p, &p->d->step[i].text);
		if (p->d->step[i].command.n > 0) {
			ks_buf_cstr(&p->text, between);
			ks_buf_str(&p->text, p->d->step[i].command);
		}
		ks_jsonw_str(&p->w, ks_buf_view(&p->text));
	}
	ks_jsonw_arr_end(&p->w);
}

static void steps(struct page *p)
{
	ks_jsonw_key(&p->w, "steps");
	ks_jsonw_arr(&p->w);
	for (size_t i = 0; i < p->d->n_steps; i++) {
		const struct ks_todo *s = &p->d->step[i];

		ks_jsonw_obj(&p->w);
		ks_jsonw_kv_cstr(&p->w, "who", s->host ? "host" : "you");
		kv_msg(p, "text", &s->text);
		ks_jsonw_kv_str(&p->w, "command", s->command);
		ks_jsonw_obj_end(&p->w);
	}
	ks_jsonw_arr_end(&p->w);
	messages(p, "admin_text", p->d->letter, p->d->n_letter);
}

static void head(struct page *p)
{
	ks_jsonw_kv_i64(&p->w, "schema_version", 2);
	ks_jsonw_kv_cstr(&p->w, "tool", "kernoscope");
	ks_jsonw_kv_cstr(&p->w, "tool_version", KS_VERSION);
	ks_jsonw_kv_bool(&p->w, "ok", p->d->ok);
	ks_jsonw_kv_bool(&p->w, "diagnosed", true);
	kv_msg(p, "finding", &p->d->first);
	ks_jsonw_key(&p->w, "host");
	ks_jsonw_obj(&p->w);
	ks_jsonw_kv_str(&p->w, "platform", p->h->platform);
	ks_jsonw_kv_cstr(&p->w, "python", "");
	ks_jsonw_kv_i64(&p->w, "uid", p->h->uid);
	ks_jsonw_kv_known(&p->w, "container", p->h->container);
	ks_jsonw_obj_end(&p->w);
}

enum ks_status ks_doctor_json(const struct ks_ctx *ctx, const struct ks_diagnosis *d,
			      struct ks_out *out, struct ks_err *err)
{
	struct page p = { .d = d, .h = d->host, .lang = (enum ks_lang)ctx->doc_lang };
	bool failed;

	ks_buf_init(&p.text, TEXT_BYTES);
	ks_jsonw_init(&p.w, out, 2);
	ks_jsonw_obj(&p.w);
	head(&p);
	device(&p);
	devices(&p);
	tools(&p);
	counters(&p);
	rights(&p);
	ks_jsonw_kv_str(&p.w, "nvbit_path", p.h->nvbit_path);
	libraries(&p);
	checks(&p);
	offers(&p);
	messages(&p, "backend_plan", d->plan, d->n_plan);
	advice(&p);
	steps(&p);
	ks_jsonw_obj_end(&p.w);
	ks_out_ch(out, '\n');
	failed = ks_buf_failed(&p.text);
	ks_buf_release(&p.text);
	return failed ? ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_RENDER_MEMORY, NULL) : KS_OK;
}
