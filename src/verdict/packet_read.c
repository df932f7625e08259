/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a decision packet back: ours, or one of the original's. Takes statuses, premises and
 * numbers as they are written and decides nothing again; only the order of what to do next is
 * rebuilt when it was trimmed away.
 */
#include <jansson.h>

#include "base/arena.h"
#include "base/num.h"
#include "base/str.h"
#include "evidence/value.h"
#include "verdict/packet_internal.h"
#include "verdict/packet_read.h"
#include "verdict/verdict_internal.h"

/* --- what to do next -------------------------------------------------------------------------- */

static void one_next(struct ks_reader *r, const json_t *j)
{
	struct ks_packet *p = r->p;
	struct ks_next *next = &p->next[p->n_next];

	next->for_name = ks_pj_str(r->a, j, "for");
	next->slug = ks_pj_str(r->a, j, "code");
	if (!ks_verdict_find(next->for_name, &next->for_verdict))
		next->for_verdict = KS_VERDICT_NONE;
	if (next->slug.n > 0)
		(void)ks_refusal_find(next->slug, &next->code);
	else
		p->next_hint[p->n_next] = ks_pj_str(r->a, j, "hint");
	next->hint = ks_pj_literal(r->a, p->next_hint[p->n_next]);
	p->n_next++;
}

static void pointers(struct ks_reader *r, const json_t *list)
{
	struct ks_packet *p = r->p;

	for (size_t i = 0; i < json_array_size(list) && p->n_next < KS_PACKET_NEXT; i++)
		one_next(r, json_array_get(list, i));
	p->n_next_written = p->n_next < KS_PACKET_NEXT_WRITTEN ? p->n_next : KS_PACKET_NEXT_WRITTEN;
	if (p->n_next > 0)
		return;
	p->n_next = ks_next_order(p->verdict, p->n_verdicts, p->group, p->n_groups, p->next,
				  KS_PACKET_NEXT);
	for (size_t i = 0; i < p->n_next; i++)
		if (p->next[i].hint.n > 0)
			p->next_hint[i] = p->next[i].hint.arg[0];
}

/* --- the rest --------------------------------------------------------------------------------- */

static void environment(struct ks_reader *r, const json_t *root)
{
	struct ks_packet *p = r->p;
	const json_t *list = json_object_get(root, "environment_refusals");
	const json_t *more = json_object_get(root, "environment_refusals_more");

	for (size_t i = 0; i < json_array_size(list) && p->n_env < KS_PACKET_ENV; i++) {
		const json_t *j = json_array_get(list, i);

		p->env[p->n_env].slug = ks_pj_str(r->a, j, "code");
		p->env[p->n_env++].message = ks_pj_str(r->a, j, "message");
	}
	int64_t count = ks_pj_int(more, "count");

	p->more_env = count > 0 ? (size_t)count : 0;
	const ks_str *code = ks_pj_strings(r->a, json_object_get(more, "codes"), KS_PACKET_ENV,
					   &p->n_more_env_codes);

	for (size_t i = 0; i < p->n_more_env_codes; i++)
		p->more_env_code[i] = code[i];
}

static void findings(struct ks_reader *r, const json_t *list)
{
	struct ks_packet *p = r->p;

	for (size_t i = 0; i < json_array_size(list) && p->n_findings < KS_PACKET_FINDINGS; i++) {
		const json_t *j = json_array_get(list, i);
		const struct ks_packet_finding f = {
			.rule = ks_pj_str(r->a, j, "rule"),
			.share_pct = ks_pj_real(j, "share_pct", -1.0),
			.bound_ms = ks_pj_real(j, "bound_ms", -1.0),
			.device = json_is_integer(json_object_get(j, "device"))
					  ? ks_pj_int(j, "device")
					  : -1,
		};

		if (f.rule.n > 0 && f.bound_ms >= 0.0 && f.share_pct >= 0.0 && f.share_pct <= 100.0)
			p->finding[p->n_findings++] = f;
	}
}

static size_t count_of(const json_t *object, const char *key)
{
	int64_t v = ks_pj_int(object, key);

	return v > 0 ? (size_t)v : 0;
}

static void cost(struct ks_reader *r, const json_t *j)
{
	struct ks_packet *p = r->p;

	p->wall_s = ks_pj_real(j, "wall_s", 0.0);
	r->report->total_launches = count_of(j, "launches");
	r->v->unmeasured_metrics = count_of(j, "unmeasured_metrics");
	r->v->measured_metrics = count_of(j, "measured_metrics");
	p->report_bytes = count_of(j, "report_bytes");
	p->packet_bytes = count_of(j, "packet_bytes");
	p->over_budget = ks_pj_true(j, "over_budget");
	p->selftest_band = ks_pj_true(j, "selftest_band");
	const ks_str *s =
		ks_pj_strings(r->a, json_object_get(j, "trimmed"), KS_PACKET_STEPS, &p->n_trimmed);

	for (size_t i = 0; i < p->n_trimmed; i++)
		p->trimmed[i] = s[i];
	s = ks_pj_strings(r->a, json_object_get(j, "trimmed_ids"), KS_ARRAY_LEN(p->trimmed_id),
			  &p->n_trimmed_ids);
	for (size_t i = 0; i < p->n_trimmed_ids; i++)
		p->trimmed_id[i] = s[i];
}

static void omitted(struct ks_reader *r, const json_t *root)
{
	struct ks_packet *p = r->p;
	const json_t *j = json_object_get(root, "refusals_omitted");
	const json_t *codes = json_object_get(j, "codes");

	p->omitted_code = KS_ARENA_NEWS(r->a, ks_str, KS_READ_CODES);
	const ks_str *code = ks_pj_strings(r->a, codes, KS_READ_CODES, &p->n_omitted_listed);

	for (size_t i = 0; p->omitted_code && code && i < p->n_omitted_listed; i++)
		p->omitted_code[i] = code[i];
	p->n_omitted = count_of(j, "count");
	if (p->n_omitted < p->n_omitted_listed)
		p->n_omitted = p->n_omitted_listed;
	j = json_object_get(root, "unmeasured_more");
	p->more_groups += count_of(j, "groups");
	p->more_metrics += count_of(j, "metrics");
	j = json_object_get(json_object_get(root, "verdicts_more"), "ids");
	size_t n = 0;
	const ks_str *id = ks_pj_strings(r->a, j, KS_ARRAY_LEN(p->more_verdict), &n);

	for (size_t i = 0; i < n && p->n_more_verdicts < KS_ARRAY_LEN(p->more_verdict); i++)
		p->more_verdict[p->n_more_verdicts++] = id[i];
	p->n_more_listed = p->n_more_verdicts;
}

static void head(struct ks_reader *r, const json_t *root)
{
	struct ks_report *report = r->report;
	const json_t *protocol = json_object_get(root, "protocol");
	const json_t *env = json_object_get(root, "env");

	report->tool = ks_pj_str(r->a, root, "tool");
	report->tool_version = ks_pj_str(r->a, root, "tool_version");
	report->synthetic = ks_pj_true(root, "synthetic");
	report->reread = true;
	report->ledger_basis = ks_pj_str(r->a, protocol, "basis");
	report->window_mode = ks_pj_str(r->a, protocol, "window_mode");
	report->within = ks_pj_str(r->a, protocol, "within");
	r->v->protocol_hash = ks_pj_str(r->a, protocol, "hash");
	int64_t tier = ks_pj_int(env, "tier");

	r->v->tier = tier >= 0 && tier <= 4 ? (int)tier : 0;
	r->v->tier_name = ks_pj_str(r->a, env, "tier_name").p;
	if (!r->v->tier_name)
		r->v->tier_name = "";
	r->v->tier_note = ks_pj_str(r->a, env, "tier_note");
	r->v->counter_state = ks_pj_str(r->a, env, "counter_state");
	r->v->blocked_by = ks_pj_strings(r->a, json_object_get(env, "blocked_by"), KS_READ_CODES,
					 &r->v->n_blocked_by);
	r->p->clock_lock = ks_pj_str(r->a, root, "clock_lock");
	r->p->calibration = ks_pj_str(r->a, protocol, "calibration");
	const json_t *trace = json_object_get(protocol, "memtrace");

	r->p->memtrace_name = ks_pj_str(r->a, trace, "name");
	r->p->memtrace_sha256 = ks_pj_str(r->a, trace, "sha256");
	r->p->report_path = ks_pj_str(r->a, root, "report_path");
}

/* --- the finding ------------------------------------------------------------------------------ */

static const struct ks_verdict_row *row_of(const struct ks_reader *r, enum ks_verdict id)
{
	for (size_t i = 0; i < r->v->n; i++)
		if (r->row[i].id == id)
			return &r->row[i];
	return NULL;
}

static struct ks_value fact(const struct ks_verdict_row *row, const char *key)
{
	for (size_t i = 0; i < row->n_facts; i++)
		if (ks_str_eqc(row->fact[i].key, key))
			return row->fact[i].value;
	return KS_VAL_NONE;
}

static double number_fact(const struct ks_verdict_row *row, const char *key)
{
	const struct ks_value v = fact(row, key);

	return ks_value_real(&v);
}

/* Counts beyond 2^53 are no counts of ours, and their doubles no whole numbers. */
static bool is_count(double v)
{
	return v >= 0.0 && v < 9007199254740992.0;
}

static void finding(struct ks_reader *r)
{
	const struct ks_verdict_row *time = row_of(r, KS_VERDICT_KERNEL_TIME);
	struct ks_kernel top = { 0 };
	struct ks_decide d = {
		.ctx = r->ctx, .arena = r->a, .report = r->report, .row = r->row, .n = r->v->n
	};

	if (!time)
		return;
	if (time->status == KS_VERDICT_STATUS_REFUSED) {
		ks_str *arg = KS_ARENA_NEW(r->a, ks_str);

		if (arg && time->refused)
			*arg = ks_refused_slug(time->refused);
		r->v->finding = (struct ks_msg){ KS_TEXT_VD_FIND_READ_REFUSED, arg ? 1 : 0, arg };
		return;
	}
	struct ks_value name = fact(time, "top");
	const double ns = number_fact(time, "top_ms") * KS_NS_PER_MS;
	const double launches = number_fact(time, "launches");
	const double kernels = number_fact(time, "n_kernels");

	/* Facts are the first to go when a packet is trimmed; a sentence without a name says
	 * nothing. */
	if (name.kind != KS_V_TEXT || !(ns > 0.0 && ns < 9e18) || !is_count(launches) ||
	    !is_count(kernels))
		return;
	top.name = name.s;
	top.total_ns = (ks_ns)(ns + 0.5);
	top.launches = (uint64_t)launches;
	top.share_pct = number_fact(time, "share_pct");
	r->report->total_kernels = (size_t)kernels;
	d.top = &top;
	r->v->finding = ks_finding(&d);
}

/* --- front ------------------------------------------------------------------------------------ */

static enum ks_status check(const struct ks_reader *r, const json_t *root)
{
	if (!json_is_object(root) || !json_is_array(json_object_get(root, "verdicts")))
		return ks_err_set(r->err, KS_E_INPUT, KS_TEXT_ERR_VD_NOT_PACKET, r->where, NULL);
	const json_t *schema = json_object_get(root, "schema_version");

	if (!json_is_integer(schema))
		return ks_reader_bad_field(r, "schema_version");
	if (json_integer_value(schema) != 1) {
		char num[KS_NUM_LEN];

		ks_num_i64(num, (int64_t)json_integer_value(schema));
		return ks_err_set(r->err, KS_E_INPUT, KS_TEXT_ERR_VD_SCHEMA, r->where, num, NULL);
	}
	return KS_OK;
}

static enum ks_status read_root(struct ks_reader *r, const json_t *root)
{
	KS_TRY(check(r, root));
	head(r, root);
	ks_reader_remedies(r, json_object_get(root, "refusals"));
	KS_TRY(ks_reader_decisions(r, json_object_get(root, "verdicts")));
	ks_reader_groups(r, json_object_get(root, "unmeasured"));
	pointers(r, json_object_get(root, "next"));
	findings(r, json_object_get(root, "findings"));
	environment(r, root);
	cost(r, json_object_get(root, "cost"));
	omitted(r, root);
	r->v->next = r->p->next;
	r->v->n_next = r->p->n_next;
	finding(r);
	for (size_t i = 0; i < r->p->n_remedies; i++)
		r->p->remedy[i].cited = ks_packet_is_cited(r->p, r->p->remedy[i].slug);
	return KS_OK;
}

static bool open_model(struct ks_reader *r)
{
	r->p = KS_ARENA_NEW(r->a, struct ks_packet);
	r->report = KS_ARENA_NEW(r->a, struct ks_report);
	r->v = KS_ARENA_NEW(r->a, struct ks_verdicts);
	if (!r->p || !r->report || !r->v)
		return false;
	r->report->ev = ks_store_open(r->a);
	r->report->verdicts = r->v;
	r->p->report = r->report;
	r->p->was_read = true;
	return r->report->ev != NULL;
}

enum ks_status ks_packet_parse(const struct ks_ctx *ctx, ks_str text, const char *where,
			       struct ks_packet **packet, struct ks_err *err)
{
	struct ks_reader r = { .ctx = ctx, .a = ctx->run, .where = where, .err = err };
	json_error_t fault;

	if (!open_model(&r))
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_VD_NO_MEMORY, NULL);
	json_t *root = json_loadb(text.n > 0 ? text.p : "", text.n,
				  JSON_ALLOW_NUL | JSON_DECODE_ANY, &fault);

	if (!root) {
		char line[KS_NUM_LEN];

		if (json_error_code(&fault) == json_error_out_of_memory)
			return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_VD_NO_MEMORY, NULL);
		ks_num_i64(line, fault.line);
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_VD_NOT_JSON, where, line, fault.text,
				  NULL);
	}
	r.report->redacted = ks_redact_mode_of(ctx->redact);
	enum ks_status st = read_root(&r, root);

	json_decref(root);
	KS_TRY(st);
	if (ks_arena_failed(r.a))
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_VD_NO_MEMORY, NULL);
	*packet = r.p;
	return KS_OK;
}

enum ks_status ks_packet_read(const struct ks_ctx *ctx, const char *path, struct ks_packet **packet,
			      struct ks_err *err)
{
	struct ks_buf b;

	ks_buf_init(&b, (size_t)ks_limit(KS_LIMIT_PACKET_INPUT_BYTES));
	enum ks_status st = ks_io_read_file(path, &b, err);

	if (st == KS_OK)
		st = ks_packet_parse(ctx, ks_buf_view(&b), path, packet, err);
	ks_buf_release(&b);
	return st;
}

bool ks_packet_sniff(ks_str text)
{
	json_t *root = json_loadb(text.n > 0 ? text.p : "", text.n, JSON_ALLOW_NUL, NULL);
	bool is = json_is_array(json_object_get(root, "verdicts")) &&
		  !json_object_get(root, "kernels");

	json_decref(root);
	return is;
}
