/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine-readable files of a case directory: manifest.json, env.json and a line of
 * journal.jsonl. Keys are those of contract 03 §9.
 */
#include "render/case.h"

#include "base/arena.h"
#include "base/str.h"
#include "render/case_next.h"

#define INDENT 2

const char *ks_case_file_name(enum ks_case_file f)
{
	static const char *const name[KS_CASE_FILES] = {
		[KS_CASE_MANIFEST] = "manifest.json", [KS_CASE_ENV] = "env.json",
		[KS_CASE_NEXT] = "next.md",	      [KS_CASE_README] = "README.md",
		[KS_CASE_JOURNAL] = "journal.jsonl",
	};

	return name[f];
}

static void outputs(struct ks_jsonw *w, const struct ks_case_run *run)
{
	ks_jsonw_key(w, "outputs");
	ks_jsonw_obj(w);
	for (size_t i = 0; i < run->n_outputs; i++)
		ks_jsonw_kv_str(w, run->output[i].key, run->output[i].path);
	ks_jsonw_obj_end(w);
}

static void time_of(struct ks_jsonw *w, const char *key, const struct ks_case_run *run)
{
	char iso[32];

	(void)ks_clock_iso(iso, run->epoch_s);
	ks_jsonw_kv_cstr(w, key, iso);
}

/* The codes that the packet explains, in order of their names. */
static void refusals(struct ks_jsonw *w, const struct ks_packet *p)
{
	ks_str last = KS_STR_NONE;

	ks_jsonw_key(w, "refusals");
	ks_jsonw_arr(w);
	for (size_t i = 0; i < p->n_remedies; i++) {
		const struct ks_packet_remedy *next = NULL;

		for (size_t j = 0; j < p->n_remedies; j++) {
			const struct ks_packet_remedy *r = &p->remedy[j];

			if ((last.p == NULL || ks_str_cmp(r->slug, last) > 0) &&
			    (next == NULL || ks_str_cmp(r->slug, next->slug) < 0))
				next = r;
		}
		if (next == NULL)
			break;
		ks_jsonw_str(w, next->slug);
		last = next->slug;
	}
	ks_jsonw_arr_end(w);
}

static ks_str device_name(const struct ks_report *r)
{
	return r->n_gpus_used > 0 && !r->synthetic ? r->gpu[0].name : KS_STR_NONE;
}

static void environment(struct ks_jsonw *w, const struct ks_report *r)
{
	const struct ks_verdicts *v = r->verdicts;

	ks_jsonw_obj(w);
	ks_jsonw_kv_i64(w, "tier", v->tier);
	ks_jsonw_kv_cstr(w, "tier_name", v->tier_name);
	ks_jsonw_kv_str(w, "counter_state", v->counter_state);
	ks_jsonw_kv_strs(w, "blocked_by", v->blocked_by, v->n_blocked_by);
	ks_jsonw_kv_known(w, "device", device_name(r));
	ks_jsonw_obj_end(w);
}

static void verdict_list(struct ks_jsonw *w, const struct ks_packet *p)
{
	ks_jsonw_key(w, "verdicts");
	ks_jsonw_arr(w);
	for (size_t i = 0; i < p->n_verdicts; i++) {
		ks_jsonw_obj(w);
		ks_jsonw_kv_str(w, "id", p->verdict[i].name);
		ks_jsonw_kv_cstr(w, "status", ks_vstatus_name(p->verdict[i].status));
		ks_jsonw_obj_end(w);
	}
	ks_jsonw_arr_end(w);
}

static void next_actions(struct ks_jsonw *w, const struct ks_packet *p)
{
	ks_jsonw_key(w, "next_actions");
	ks_jsonw_obj(w);
	ks_jsonw_kv_i64(w, "count", (int64_t)p->n_next);
	ks_jsonw_key(w, "items");
	ks_jsonw_arr(w);
	for (size_t i = 0; i < p->n_next; i++) {
		ks_jsonw_obj(w);
		ks_jsonw_kv_str(w, "for", p->next[i].for_name);
		ks_jsonw_kv_known(w, "code", p->next[i].slug);
		ks_jsonw_kv_known(w, "hint", p->next_hint[i]);
		ks_jsonw_kv_known(w, "cmd", ks_case_command(p, i));
		ks_jsonw_obj_end(w);
	}
	ks_jsonw_arr_end(w);
	ks_jsonw_obj_end(w);
}

/* "name:hash", as the calibration has it. */
static ks_str memtrace(const struct ks_ctx *ctx, const struct ks_packet *p)
{
	const ks_str name = p->memtrace_name, hash = p->memtrace_sha256;

	if (name.n == 0 || hash.n == 0)
		return name;
	return ks_arena_fmt(ctx->run, "%.*s:%.*s", (int)name.n, name.p, (int)hash.n, hash.p);
}

enum ks_status ks_case_manifest(const struct ks_ctx *ctx, const struct ks_case_run *run,
				struct ks_out *out, struct ks_err *err)
{
	const struct ks_packet *p = run->packet;
	const struct ks_report *r = p->report;
	struct ks_jsonw w;

	(void)err;
	ks_jsonw_init(&w, out, INDENT);
	ks_jsonw_obj(&w);
	ks_jsonw_kv_i64(&w, "schema_version", 1);
	time_of(&w, "created", run);
	ks_jsonw_kv_str(&w, "tool_version", r->tool_version);
	ks_jsonw_key(&w, "packet_schema");
	ks_jsonw_arr(&w);
	ks_jsonw_i64(&w, 1);
	ks_jsonw_cstr(&w, "1.4");
	ks_jsonw_arr_end(&w);
	ks_jsonw_kv_str(&w, "protocol_hash", r->verdicts->protocol_hash);
	ks_jsonw_kv_str(&w, "protocol_basis", r->ledger_basis);
	ks_jsonw_kv_str(&w, "window_mode", r->window_mode);
	ks_jsonw_key(&w, "protocol_inputs");
	ks_jsonw_obj(&w);
	ks_jsonw_kv_known(&w, "calibration", p->calibration);
	ks_jsonw_kv_known(&w, "memtrace", memtrace(ctx, p));
	ks_jsonw_obj_end(&w);
	ks_jsonw_key(&w, "env");
	environment(&w, r);
	ks_jsonw_kv_strs(&w, "command", run->command, run->n_command);
	outputs(&w, run);
	verdict_list(&w, p);
	refusals(&w, p);
	next_actions(&w, p);
	ks_jsonw_obj_end(&w);
	ks_out_ch(out, '\n');
	return KS_OK;
}

enum ks_status ks_case_env(const struct ks_ctx *ctx, const struct ks_case_run *run,
			   struct ks_out *out, struct ks_err *err)
{
	struct ks_jsonw w;

	(void)ctx;
	(void)err;
	ks_jsonw_init(&w, out, INDENT);
	environment(&w, run->packet->report);
	ks_out_ch(out, '\n');
	return KS_OK;
}

enum ks_status ks_case_journal(const struct ks_ctx *ctx, const struct ks_case_run *run,
			       struct ks_out *out, struct ks_err *err)
{
	const struct ks_packet *p = run->packet;
	struct ks_jsonw w;

	(void)ctx;
	(void)err;
	ks_jsonw_init(&w, out, 0);
	ks_jsonw_obj(&w);
	time_of(&w, "ts", run);
	ks_jsonw_kv_strs(&w, "command", run->command, run->n_command);
	ks_jsonw_kv_i64(&w, "rc", run->rc);
	ks_jsonw_kv_i64(&w, "packet_bytes", (int64_t)p->packet_bytes);
	ks_jsonw_kv_strs(&w, "trimmed", p->trimmed, p->n_trimmed);
	ks_jsonw_key(&w, "verdicts");
	ks_jsonw_obj(&w);
	for (size_t i = 0; i < p->n_verdicts; i++) {
		ks_jsonw_key_str(&w, p->verdict[i].name);
		ks_jsonw_cstr(&w, ks_vstatus_name(p->verdict[i].status));
	}
	ks_jsonw_obj_end(&w);
	refusals(&w, p);
	outputs(&w, run);
	ks_jsonw_obj_end(&w);
	ks_out_ch(out, '\n');
	return KS_OK;
}
