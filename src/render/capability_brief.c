/* SPDX-License-Identifier: Apache-2.0
 *
 * `capabilities --brief`: one compact line that fits the budget, for agents (contract 03 §13).
 * Drops whole parts in a fixed order and says which.
 */
#include <stdlib.h>

#include "base/str.h"
#include "render/capability.h"

#define NEXT_MOST 4
#define NEXT_FEW  2
#define NAMES_FEW 8

/* What may be dropped, first to last: first what is ours, then the order of the contract. */
enum cut {
	CUT_RECORDING,
	CUT_COMMANDS,
	CUT_UNAVAILABLE,
	CUT_WEAK,
	CUT_NEXT,
	CUT_CANNOT,
	CUT_CAN,
	CUT_LAYER,
	CUTS
};
static const char *const cut_name[CUTS] = {
	"from_recording", "next.cmd",	"blocked_by_unavailable", "weak", "next", "cannot_answer",
	"can_answer",	  "next_layer",
};

struct line {
	const struct ks_capability_page *p;
	uint64_t json_bytes;
	enum cut cut; /* everything below this is dropped */
	struct ks_jsonw w;
};

static bool kept(const struct line *l, enum cut part)
{
	return part >= l->cut;
}

static void names(struct line *l, const char *key, enum ks_answerable state, size_t most)
{
	size_t n = 0;

	ks_jsonw_key(&l->w, key);
	ks_jsonw_arr(&l->w);
	for (size_t q = 0; q < KS_QUESTION_COUNT; q++) {
		const struct ks_answer *a = &l->p->c->answer[q];

		if (a->state == state && n++ < most)
			ks_jsonw_cstr(&l->w, ks_question_info(a->id)->slug);
	}
	ks_jsonw_arr_end(&l->w);
}

static void from_recording(struct line *l)
{
	ks_jsonw_key(&l->w, "from_recording");
	ks_jsonw_arr(&l->w);
	for (unsigned q = 0; q < KS_QUESTION_COUNT; q++) {
		if (ks_question_info((enum ks_question)q)->now)
			ks_jsonw_cstr(&l->w, ks_question_info((enum ks_question)q)->slug);
	}
	ks_jsonw_arr_end(&l->w);
}

static int by_slug(const void *a, const void *b)
{
	return strcmp(ks_refusal_info(*(const enum ks_refusal *)a)->slug,
		      ks_refusal_info(*(const enum ks_refusal *)b)->slug);
}

/* Codes that refuse something, each once, by name. */
static size_t codes(const struct ks_capability *c, enum ks_refusal code[KS_QUESTION_COUNT])
{
	size_t n = 0;

	for (size_t q = 0; q < KS_QUESTION_COUNT; q++) {
		size_t i = 0;

		if (c->answer[q].state != KS_ANSWER_REFUSED)
			continue;
		while (i < n && code[i] != c->answer[q].code)
			i++;
		if (i == n)
			code[n++] = c->answer[q].code;
	}
	qsort(code, n, sizeof(code[0]), by_slug);
	return n;
}

static void blocked(struct line *l, const char *key, bool hopeless_only)
{
	enum ks_refusal code[KS_QUESTION_COUNT];
	const size_t n = codes(l->p->c, code);

	ks_jsonw_key(&l->w, key);
	ks_jsonw_arr(&l->w);
	for (size_t i = 0; i < n; i++) {
		const struct ks_refusal_info *r = ks_refusal_info(code[i]);

		if (!hopeless_only || r->cost_kind == KS_COST_IMPOSSIBLE)
			ks_jsonw_cstr(&l->w, r->slug);
	}
	ks_jsonw_arr_end(&l->w);
}

static void next(struct line *l)
{
	const struct ks_capability *c = l->p->c;
	const size_t most = kept(l, CUT_NEXT) ? NEXT_MOST : NEXT_FEW;

	ks_jsonw_key(&l->w, "next");
	ks_jsonw_arr(&l->w);
	for (size_t i = 0; i < c->n_next && i < most; i++) {
		const struct ks_refusal_info *r = ks_refusal_info(c->next[i].code);

		ks_jsonw_obj(&l->w);
		ks_jsonw_kv_cstr(&l->w, "code", r->slug);
		ks_jsonw_kv_i64(&l->w, "unlocks", (int64_t)c->next[i].n_unlocks);
		ks_jsonw_kv_cstr(&l->w, "cost_kind", ks_cost_kind_name(r->cost_kind));
		ks_jsonw_kv_double(&l->w, "cost_s", r->cost_s);
		if (kept(l, CUT_COMMANDS))
			ks_json_command(&l->w, "cmd", r->command);
		ks_jsonw_obj_end(&l->w);
	}
	ks_jsonw_arr_end(&l->w);
}

static void next_layer(struct line *l)
{
	static const char contains[] = "refusal_reasons,remedies,premises,per_question_state";

	ks_jsonw_key(&l->w, "next_layer");
	ks_jsonw_obj(&l->w);
	ks_jsonw_kv_cstr(&l->w, "command",
			 l->p->probed ? "kernoscope capabilities --json --probe"
				      : "kernoscope capabilities --json");
	ks_jsonw_key(&l->w, "bytes");
	ks_jsonw_u64(&l->w, l->json_bytes);
	ks_json_list(&l->w, "contains", contains);
	ks_jsonw_obj_end(&l->w);
}

static void trimmed(struct line *l)
{
	if (l->cut == CUT_RECORDING)
		return;
	ks_jsonw_key(&l->w, "trimmed");
	ks_jsonw_arr(&l->w);
	for (int i = 0; i < (int)l->cut; i++)
		ks_jsonw_cstr(&l->w, cut_name[i]);
	ks_jsonw_arr_end(&l->w);
}

static void write_line(struct line *l, struct ks_out *out)
{
	const struct ks_capability *c = l->p->c;

	ks_jsonw_init(&l->w, out, 0);
	ks_jsonw_obj(&l->w);
	ks_jsonw_kv_i64(&l->w, "schema_version", 1);
	ks_jsonw_kv_cstr(&l->w, "tool", "kernoscope");
	ks_jsonw_kv_cstr(&l->w, "tool_version", KS_VERSION);
	ks_jsonw_key(&l->w, "tier");
	ks_jsonw_obj(&l->w);
	ks_jsonw_kv_i64(&l->w, "level", (int64_t)c->tier);
	ks_jsonw_kv_cstr(&l->w, "name", ks_tier_name(c->tier));
	ks_jsonw_obj_end(&l->w);
	ks_jsonw_kv_cstr(&l->w, "counter_state", ks_counter_state_name(c->means.counters));
	names(l, "can_answer", KS_ANSWER_AVAILABLE,
	      kept(l, CUT_CAN) ? KS_QUESTION_COUNT : NAMES_FEW);
	if (kept(l, CUT_WEAK))
		names(l, "weak", KS_ANSWER_DEGRADED, KS_QUESTION_COUNT);
	names(l, "cannot_answer", KS_ANSWER_REFUSED,
	      kept(l, CUT_CANNOT) ? KS_QUESTION_COUNT : NAMES_FEW);
	if (kept(l, CUT_RECORDING))
		from_recording(l);
	blocked(l, "blocked_by", false);
	if (kept(l, CUT_UNAVAILABLE))
		blocked(l, "blocked_by_unavailable", true);
	next(l);
	if (kept(l, CUT_LAYER))
		next_layer(l);
	trimmed(l);
	ks_jsonw_obj_end(&l->w);
}

enum ks_status ks_capability_brief(const struct ks_ctx *ctx, const struct ks_capability_page *p,
				   size_t budget, struct ks_out *out, struct ks_err *err)
{
	struct line l = { .p = p };
	struct ks_out counted;

	ks_out_open_null(&counted);
	KS_TRY(ks_capability_json(ctx, p, &counted, err));
	l.json_bytes = counted.total;
	ks_out_abandon(&counted);
	for (int cut = 0; cut <= CUTS; cut++) {
		ks_out_open_null(&counted);
		l.cut = (enum cut)cut;
		write_line(&l, &counted);
		const bool fits = counted.total <= budget;

		ks_out_abandon(&counted);
		if (fits)
			break;
	}
	write_line(&l, out);
	ks_out_ch(out, '\n');
	return KS_OK;
}
