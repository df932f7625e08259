/* SPDX-License-Identifier: Apache-2.0
 *
 * The packet's one serializer: contract 03 §3, compact, keys in that order. Writes what the model
 * holds and nothing else; a refused number is never written as 0.
 */
#include "base/jsonw.h"
#include "base/str.h"
#include "evidence/value.h"
#include "verdict/packet_internal.h"

#define CLIP_HASH 64 /* SHA-256 in hexadecimal */
#define CLIP_ID	  48 /* bytes, of ids and codes that may come from a file of another version */

static void kv_id(struct ks_jsonw *w, const char *key, ks_str s)
{
	ks_jsonw_kv_str(w, key, ks_clip_plain(s, CLIP_ID));
}

static void object(struct ks_jsonw *w, const char *key, const struct ks_kv *kv, size_t n)
{
	ks_jsonw_key(w, key);
	ks_jsonw_obj(w);
	for (size_t i = 0; i < n; i++) {
		ks_jsonw_key_str(w, kv[i].key);
		ks_value_json(w, &kv[i].value);
	}
	ks_jsonw_obj_end(w);
}

static void kv_value(struct ks_jsonw *w, const char *key, const struct ks_value *v)
{
	ks_jsonw_key(w, key);
	ks_value_json(w, v);
}

static void kv_unit(struct ks_jsonw *w, enum ks_unit unit, ks_str text)
{
	if (text.n > 0)
		kv_id(w, "unit", text);
	else if (unit != KS_UNIT_NONE)
		ks_jsonw_kv_cstr(w, "unit", ks_unit_info(unit)->symbol);
}

/* Files a measurement depends on, by name and hash. */
static void inputs(struct ks_jsonw *w, const struct ks_packet *p)
{
	if (p->calibration.n > 0)
		kv_id(w, "calibration", p->calibration);
	if (p->memtrace_name.n == 0)
		return;
	ks_jsonw_key(w, "memtrace");
	ks_jsonw_obj(w);
	kv_id(w, "name", p->memtrace_name);
	if (p->memtrace_sha256.n > 0)
		ks_jsonw_kv_str(w, "sha256", ks_clip_plain(p->memtrace_sha256, CLIP_HASH));
	ks_jsonw_obj_end(w);
}

static void head(struct ks_jsonw *w, const struct ks_packet *p)
{
	const struct ks_report *r = p->report;
	const struct ks_verdicts *v = r->verdicts;

	ks_jsonw_kv_i64(w, "schema_version", 1);
	ks_jsonw_kv_cstr(w, "schema_revision", "1.4");
	ks_jsonw_kv_cstr(w, "tool", "kernoscope");
	kv_id(w, "tool_version", r->tool_version);
	ks_jsonw_key(w, "protocol");
	ks_jsonw_obj(w);
	kv_id(w, "hash", v->protocol_hash);
	kv_id(w, "basis", r->ledger_basis);
	kv_id(w, "window_mode", r->window_mode);
	if (r->within.n > 0)
		kv_id(w, "within", r->within);
	inputs(w, p);
	ks_jsonw_obj_end(w);
	ks_jsonw_key(w, "env");
	ks_jsonw_obj(w);
	ks_jsonw_kv_i64(w, "tier", v->tier);
	kv_id(w, "tier_name", ks_str_c(v->tier_name));
	if (v->tier_note.n > 0)
		ks_jsonw_kv_str(w, "tier_note", ks_clip_view(v->tier_note, KS_CLIP_NEXT));
	kv_id(w, "counter_state", v->counter_state);
	ks_jsonw_kv_strs(w, "blocked_by", v->blocked_by, v->n_blocked_by);
	ks_jsonw_obj_end(w);
}

static void premises(struct ks_jsonw *w, const struct ks_verdict_row *row)
{
	ks_jsonw_key(w, "premises");
	ks_jsonw_arr(w);
	for (size_t i = 0; i < row->n_premises; i++) {
		const struct ks_premise_row *p = &row->premise[i];

		ks_jsonw_obj(w);
		kv_id(w, "id", p->name);
		kv_value(w, "observed", &p->observed);
		ks_jsonw_kv_bool(w, "ok", p->ok);
		if (p->threshold.kind != KS_V_NONE)
			kv_value(w, "threshold", &p->threshold);
		kv_unit(w, p->unit, p->unit_text);
		ks_jsonw_obj_end(w);
	}
	ks_jsonw_arr_end(w);
}

static void refusal(struct ks_jsonw *w, const struct ks_refused *r)
{
	ks_jsonw_key(w, "refusal");
	ks_jsonw_obj(w);
	kv_id(w, "code", ks_refused_slug(r));
	if (r->n_observed > 0)
		object(w, "observed", r->observed, r->n_observed);
	if (r->n_threshold > 0)
		object(w, "threshold", r->threshold, r->n_threshold);
	ks_jsonw_obj_end(w);
}

static void decision(struct ks_jsonw *w, const struct ks_verdict_row *row, ks_str next)
{
	ks_jsonw_obj(w);
	kv_id(w, "id", row->name);
	ks_jsonw_kv_cstr(w, "status", ks_vstatus_name(row->status));
	ks_jsonw_kv_bool(w, "actionable", row->actionable);
	if (row->n_facts > 0)
		object(w, "facts", row->fact, row->n_facts);
	if (row->value.kind != KS_V_NONE) {
		kv_value(w, "value", &row->value);
		kv_unit(w, row->unit, row->unit_text);
	}
	if (row->prov != KS_PROV_UNAVAILABLE)
		ks_jsonw_kv_cstr(w, "provenance", ks_prov_name(row->prov));
	if (row->n_band > 0)
		object(w, "band", row->band, row->n_band);
	if (row->mdd >= 0.0)
		ks_jsonw_kv_double(w, "mdd", row->mdd);
	if (row->n_premises > 0)
		premises(w, row);
	if (row->refused)
		refusal(w, row->refused);
	if (next.n > 0)
		ks_jsonw_kv_str(w, "next", next);
	if (row->n_metrics > 0)
		ks_jsonw_kv_strs(w, "metrics", row->metric, row->n_metrics);
	ks_jsonw_obj_end(w);
}

static void decisions(struct ks_jsonw *w, const struct ks_packet *p)
{
	ks_jsonw_key(w, "verdicts");
	ks_jsonw_arr(w);
	for (size_t i = 0; i < p->n_verdicts; i++)
		decision(w, &p->verdict[i], p->next_text[i]);
	ks_jsonw_arr_end(w);
}

static void groups(struct ks_jsonw *w, const struct ks_packet *p)
{
	ks_jsonw_key(w, "unmeasured");
	ks_jsonw_arr(w);
	for (size_t i = 0; i < p->n_groups; i++) {
		const struct ks_unmeasured *g = &p->group[i];

		ks_jsonw_obj(w);
		kv_id(w, "code", g->slug);
		ks_jsonw_kv_i64(w, "count", (int64_t)g->count);
		if (g->n_examples > 0)
			ks_jsonw_kv_strs(w, "examples", g->example, g->n_examples);
		ks_jsonw_obj_end(w);
	}
	ks_jsonw_arr_end(w);
}

static void remedies(struct ks_jsonw *w, const struct ks_packet *p)
{
	ks_jsonw_key(w, "refusals");
	ks_jsonw_obj(w);
	for (size_t i = 0; i < p->n_remedies; i++) {
		const struct ks_packet_remedy *m = &p->remedy[i];

		ks_jsonw_key_str(w, ks_clip_plain(m->slug, CLIP_ID));
		ks_jsonw_obj(w);
		if (m->action.n > 0)
			ks_jsonw_kv_str(w, "action", m->action);
		ks_jsonw_kv_cstr(w, "cost_kind", ks_cost_kind_name(m->cost_kind));
		if (m->cost_kind == KS_COST_WALL && m->cost_s > 0.0)
			ks_jsonw_kv_double(w, "cost_s", m->cost_s);
		if (m->command.n > 0)
			ks_jsonw_kv_str(w, "cmd", m->command);
		if (m->degraded)
			ks_jsonw_kv_cstr(w, "sev", "degraded");
		ks_jsonw_obj_end(w);
	}
	ks_jsonw_obj_end(w);
}

static void pointers(struct ks_jsonw *w, const struct ks_packet *p)
{
	if (p->n_next_written == 0)
		return;
	ks_jsonw_key(w, "next");
	ks_jsonw_arr(w);
	for (size_t i = 0; i < p->n_next_written; i++) {
		ks_jsonw_obj(w);
		kv_id(w, "for", p->next[i].for_name);
		if (p->next[i].slug.n > 0)
			kv_id(w, "code", p->next[i].slug);
		else
			ks_jsonw_kv_str(w, "hint", p->next_hint[i]);
		ks_jsonw_obj_end(w);
	}
	ks_jsonw_arr_end(w);
}

static void cost(struct ks_jsonw *w, const struct ks_packet *p)
{
	const struct ks_verdicts *v = p->report->verdicts;

	ks_jsonw_key(w, "cost");
	ks_jsonw_obj(w);
	ks_jsonw_kv_double(w, "wall_s", p->wall_s);
	ks_jsonw_kv_i64(w, "launches", (int64_t)p->report->total_launches);
	ks_jsonw_kv_i64(w, "unmeasured_metrics", (int64_t)v->unmeasured_metrics);
	ks_jsonw_kv_i64(w, "measured_metrics", (int64_t)v->measured_metrics);
	ks_jsonw_kv_bool(w, "selftest_band", p->selftest_band);
	if (p->report_bytes > 0)
		ks_jsonw_kv_i64(w, "report_bytes", (int64_t)p->report_bytes);
	if (p->n_trimmed > 0)
		ks_jsonw_kv_strs(w, "trimmed", p->trimmed, p->n_trimmed);
	if (p->n_trimmed_ids > 0)
		ks_jsonw_kv_strs(w, "trimmed_ids", p->trimmed_id, p->n_trimmed_ids);
	if (p->over_budget)
		ks_jsonw_kv_bool(w, "over_budget", true);
	ks_jsonw_kv_i64(w, "packet_bytes", (int64_t)p->packet_bytes);
	ks_jsonw_obj_end(w);
}

static void findings(struct ks_jsonw *w, const struct ks_packet *p)
{
	if (p->n_findings == 0)
		return;
	ks_jsonw_key(w, "findings");
	ks_jsonw_arr(w);
	for (size_t i = 0; i < p->n_findings; i++) {
		const struct ks_packet_finding *f = &p->finding[i];

		ks_jsonw_obj(w);
		kv_id(w, "rule", f->rule);
		ks_jsonw_kv_double(w, "share_pct", f->share_pct);
		ks_jsonw_kv_double(w, "bound_ms", f->bound_ms);
		if (f->device >= 0)
			ks_jsonw_kv_i64(w, "device", f->device);
		ks_jsonw_obj_end(w);
	}
	ks_jsonw_arr_end(w);
}

static void environment(struct ks_jsonw *w, const struct ks_packet *p)
{
	if (p->n_env + p->more_env == 0)
		return;
	ks_jsonw_key(w, "environment_refusals");
	ks_jsonw_arr(w);
	for (size_t i = 0; i < p->n_env; i++) {
		ks_jsonw_obj(w);
		kv_id(w, "code", p->env[i].slug);
		if (p->env[i].message.n > 0)
			ks_jsonw_kv_str(w, "message", ks_clip_view(p->env[i].message, KS_CLIP_ENV));
		ks_jsonw_obj_end(w);
	}
	ks_jsonw_arr_end(w);
	if (p->more_env == 0)
		return;
	ks_jsonw_key(w, "environment_refusals_more");
	ks_jsonw_obj(w);
	ks_jsonw_kv_i64(w, "count", (int64_t)p->more_env);
	ks_jsonw_kv_strs(w, "codes", p->more_env_code, p->n_more_env_codes);
	if (p->n_more_env_codes < p->more_env)
		ks_jsonw_kv_bool(w, "codes_truncated", true);
	ks_jsonw_obj_end(w);
}

static void rest(struct ks_jsonw *w, const struct ks_packet *p)
{
	if (p->more_groups > 0) {
		ks_jsonw_key(w, "unmeasured_more");
		ks_jsonw_obj(w);
		ks_jsonw_kv_i64(w, "groups", (int64_t)p->more_groups);
		ks_jsonw_kv_i64(w, "metrics", (int64_t)p->more_metrics);
		ks_jsonw_obj_end(w);
	}
	if (p->n_more_verdicts > 0) {
		ks_jsonw_key(w, "verdicts_more");
		ks_jsonw_obj(w);
		ks_jsonw_kv_i64(w, "count", (int64_t)p->n_more_verdicts);
		if (p->n_more_listed > 0)
			ks_jsonw_kv_strs(w, "ids", p->more_verdict, p->n_more_listed);
		ks_jsonw_obj_end(w);
	}
	if (p->report->synthetic)
		ks_jsonw_kv_bool(w, "synthetic", true);
	if (p->clock_lock.n > 0)
		kv_id(w, "clock_lock", p->clock_lock);
	environment(w, p);
	if (p->n_omitted > 0) {
		ks_jsonw_key(w, "refusals_omitted");
		ks_jsonw_obj(w);
		ks_jsonw_kv_i64(w, "count", (int64_t)p->n_omitted);
		ks_jsonw_kv_strs(w, "codes", p->omitted_code, p->n_omitted_listed);
		if (p->n_omitted_listed < p->n_omitted)
			ks_jsonw_kv_bool(w, "codes_truncated", true);
		ks_jsonw_obj_end(w);
	}
	if (p->report_path.n > 0)
		ks_jsonw_kv_str(w, "report_path", p->report_path);
}

/* All texts were made in the language of documents when the packet was built. */
static void whole(const struct ks_packet *p, struct ks_out *out)
{
	struct ks_jsonw w;

	ks_jsonw_init(&w, out, 0);
	ks_jsonw_obj(&w);
	head(&w, p);
	decisions(&w, p);
	findings(&w, p);
	groups(&w, p);
	remedies(&w, p);
	pointers(&w, p);
	cost(&w, p);
	rest(&w, p);
	ks_jsonw_obj_end(&w);
}

void ks_packet_write(const struct ks_ctx *ctx, const struct ks_packet *p, struct ks_out *out)
{
	if (!p->was_read) {
		whole(p, out);
		return;
	}
	/* the file's own size and ours differ by a blank here and there */
	struct ks_packet own = *p;

	own.was_read = false;
	own.over_budget = false;
	own.over_budget = ks_packet_measure(ctx, &own) > KS_PACKET_BYTES;
	(void)ks_packet_measure(ctx, &own);
	whole(&own, out);
}
