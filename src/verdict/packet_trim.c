/* SPDX-License-Identifier: Apache-2.0
 *
 * Fits a packet into its budget, step by step, and says which steps were needed. The steps are
 * those of contract 03 §3; their order follows design decision 8: prose first, then repetition and
 * side facts, then whole entries; commands of remedies and facts of the ranking decisions last.
 * Ours are nested_facts, verdict_hints, omitted_codes, refusal_observed, report_path, and behind
 * all others premises, id_lists, refusal_details: without them a hostile input could exceed the
 * budget. What ranks (top, top_ms, share_pct of kernel_time) is never dropped.
 */
#include "base/io.h"
#include "base/str.h"
#include "evidence/value.h"
#include "verdict/packet_internal.h"

static bool drop_examples(struct ks_packet_work *w)
{
	bool changed = false;

	for (size_t i = 0; i < w->p->n_groups; i++) {
		changed = changed || w->p->group[i].n_examples > 0;
		w->p->group[i].n_examples = 0;
	}
	return changed;
}

static bool drop_metrics(struct ks_packet_work *w)
{
	bool changed = false;

	for (size_t i = 0; i < w->p->n_verdicts; i++) {
		changed = changed || w->p->verdict[i].n_metrics > 0;
		w->p->verdict[i].n_metrics = 0;
	}
	return changed;
}

static bool clip_actions(struct ks_packet_work *w)
{
	bool changed = false;

	for (size_t i = 0; i < w->p->n_remedies; i++) {
		ks_str *s = &w->p->remedy[i].action;
		ks_str cut = ks_clip(w->arena, *s, KS_CLIP_SHORT);

		changed = changed || cut.n != s->n;
		*s = cut;
	}
	return changed;
}

static bool drop_env_messages(struct ks_packet_work *w)
{
	bool changed = false;

	for (size_t i = 0; i < w->p->n_env; i++) {
		changed = changed || w->p->env[i].message.n > 0;
		w->p->env[i].message = KS_STR_NONE;
	}
	return changed;
}

static void note_id(struct ks_packet_work *w, const char *step, size_t i)
{
	struct ks_packet *p = w->p;

	if (p->n_trimmed_ids < KS_ARRAY_LEN(p->trimmed_id))
		p->trimmed_id[p->n_trimmed_ids++] = ks_arena_fmt(
			w->arena, "%s:%.*s", step, (int)p->verdict[i].name.n, p->verdict[i].name.p);
}

static bool same_list(const struct ks_value *a, const struct ks_value *b);

static bool same_value(const struct ks_value *a, const struct ks_value *b)
{
	if (a->kind == KS_V_TEXT)
		return a->s.n == b->s.n;
	if (a->kind == KS_V_LIST || a->kind == KS_V_ARRAY || a->kind == KS_V_OBJECT)
		return same_list(a, b);
	return true;
}

/* Whether clipping left everything as it was: clipped copies differ in length only. */
static bool same_list(const struct ks_value *a, const struct ks_value *b)
{
	bool same = a->n == b->n;

	for (size_t i = 0; same && i < a->n; i++) {
		if (a->kind == KS_V_LIST)
			same = a->list[i].n == b->list[i].n;
		else if (a->kind == KS_V_ARRAY)
			same = same_value(&a->item[i], &b->item[i]);
		else
			same = same_value(&a->field[i].value, &b->field[i].value);
	}
	return same;
}

static bool clip_nested(struct ks_packet_work *w)
{
	bool changed = false;

	for (size_t i = 0; i < w->p->n_verdicts; i++) {
		struct ks_verdict_row *row = &w->p->verdict[i];
		size_t n = row->n_facts;
		const struct ks_kv *cut = ks_clip_kvs(w->arena, row->fact, &n, true);
		struct ks_value before = { .kind = KS_V_OBJECT,
					   .field = row->fact,
					   .n = row->n_facts };
		struct ks_value after = { .kind = KS_V_OBJECT, .field = cut, .n = n };

		if (same_value(&before, &after))
			continue;
		row->fact = cut;
		row->n_facts = n;
		note_id(w, "nested_facts", i);
		changed = true;
	}
	return changed;
}

static bool drop_actions(struct ks_packet_work *w)
{
	bool changed = false;

	for (size_t i = 0; i < w->p->n_remedies; i++) {
		changed = changed || w->p->remedy[i].action.n > 0;
		w->p->remedy[i].action = KS_STR_NONE;
	}
	return changed;
}

static bool drop_hints(struct ks_packet_work *w)
{
	bool changed = false;

	for (size_t i = 0; i < w->p->n_verdicts; i++) {
		changed = changed || w->p->next_text[i].n > 0;
		w->p->next_text[i] = KS_STR_NONE;
	}
	return changed;
}

static bool drop_next(struct ks_packet_work *w)
{
	bool changed = w->p->n_next_written > 0;

	w->p->n_next_written = 0;
	return changed;
}

static bool fewer_groups(struct ks_packet_work *w)
{
	struct ks_packet *p = w->p;
	bool changed = p->n_groups > 3;

	while (p->n_groups > 3) {
		p->n_groups--;
		p->more_groups++;
		p->more_metrics += p->group[p->n_groups].count;
	}
	return changed;
}

/* Keeps the failed premises of a decision, or the first one when none failed. */
static bool drop_passing(struct ks_packet_work *w)
{
	bool changed = false;

	for (size_t i = 0; i < w->p->n_verdicts; i++) {
		struct ks_verdict_row *row = &w->p->verdict[i];
		struct ks_premise_row *kept =
			KS_ARENA_NEWS(w->arena, struct ks_premise_row, row->n_premises);
		size_t n = 0;

		if (!kept || row->n_premises < 2)
			continue;
		for (size_t j = 0; j < row->n_premises; j++)
			if (!row->premise[j].ok)
				kept[n++] = row->premise[j];
		if (n == 0)
			kept[n++] = row->premise[0];
		changed = changed || n < row->n_premises;
		row->premise = kept;
		row->n_premises = n;
	}
	return changed;
}

static bool has_fact(const struct ks_verdict_row *row, const char *key)
{
	for (size_t i = 0; i < row->n_facts; i++)
		if (ks_str_eqc(row->fact[i].key, key))
			return true;
	return false;
}

static bool is_primary(const struct ks_verdict_row *row)
{
	if (has_fact(row, "uncitable_value"))
		return true;
	return row->id != KS_VERDICT_NONE && ks_verdict_info(row->id)->primary_facts;
}

static bool drop_side_facts(struct ks_packet_work *w)
{
	bool changed = false;

	for (size_t i = 0; i < w->p->n_verdicts; i++) {
		if (w->p->verdict[i].n_facts == 0 || is_primary(&w->p->verdict[i]))
			continue;
		w->p->verdict[i].n_facts = 0;
		note_id(w, "facts_secondary", i);
		changed = true;
	}
	return changed;
}

static bool fewer_env(struct ks_packet_work *w)
{
	struct ks_packet *p = w->p;
	bool changed = p->n_env > 4;

	while (p->n_env > 4) {
		p->n_env--;
		p->more_env++;
		if (p->n_more_env_codes < KS_ARRAY_LEN(p->more_env_code))
			p->more_env_code[p->n_more_env_codes++] = p->env[p->n_env].slug;
	}
	return changed;
}

static bool fewer_remedies(struct ks_packet_work *w)
{
	if (w->p->n_remedies <= 8)
		return false;
	w->p->n_remedies = 8;
	return true;
}

static bool kept_first(const struct ks_verdict_row *row)
{
	return row->id != KS_VERDICT_NONE && ks_verdict_info(row->id)->kept_first;
}

/* From the end, those of lesser rank first; order unchanged. */
static bool fewer_verdicts(struct ks_packet *p, size_t keep)
{
	bool changed = false;

	while (p->n_verdicts > keep) {
		size_t i = p->n_verdicts - 1;

		while (i > 0 && kept_first(&p->verdict[i]))
			i--;
		if (kept_first(&p->verdict[i]))
			i = p->n_verdicts - 1;
		if (p->n_more_verdicts < KS_ARRAY_LEN(p->more_verdict))
			p->more_verdict[p->n_more_verdicts++] = p->verdict[i].name;
		p->n_more_listed = p->n_more_verdicts;
		for (; i + 1 < p->n_verdicts; i++) {
			p->verdict[i] = p->verdict[i + 1];
			p->next_text[i] = p->next_text[i + 1];
		}
		p->n_verdicts--;
		changed = true;
	}
	return changed;
}

static bool six_verdicts(struct ks_packet_work *w)
{
	return fewer_verdicts(w->p, 6);
}

static bool five_verdicts(struct ks_packet_work *w)
{
	return fewer_verdicts(w->p, 5);
}

/* Cited codes are always listed; of the others four. */
static bool fewer_codes(struct ks_packet_work *w)
{
	struct ks_packet *p = w->p;
	size_t cited = 0;

	for (size_t i = p->n_remedies; i < w->n_all; i++)
		cited += p->remedy[i].cited;
	if (p->n_omitted <= cited + 4)
		return false;
	p->n_omitted_listed = cited + 4; /* ks_packet_cite put the cited ones first */
	return true;
}

static bool drop_observed(struct ks_packet_work *w)
{
	bool changed = false;

	for (size_t i = 0; i < w->p->n_verdicts; i++) {
		const struct ks_refused *r = w->p->verdict[i].refused;
		struct ks_refused *bare = r ? KS_ARENA_NEW(w->arena, struct ks_refused) : NULL;

		if (!bare || r->n_observed + r->n_threshold == 0)
			continue;
		*bare = *r;
		bare->n_observed = 0;
		bare->n_threshold = 0;
		w->p->verdict[i].refused = bare;
		changed = true;
	}
	return changed;
}

static bool drop_path(struct ks_packet_work *w)
{
	bool changed = w->p->report_path.n > 0;

	w->p->report_path = KS_STR_NONE;
	return changed;
}

static bool drop_commands(struct ks_packet_work *w)
{
	bool changed = false;

	for (size_t i = 0; i < w->p->n_remedies; i++) {
		changed = changed || w->p->remedy[i].command.n > 0;
		w->p->remedy[i].command = KS_STR_NONE;
	}
	return changed;
}

/* What ranks: which kernel, how long, what share. Takes a name to at most 48 bytes whatever is in
 * it. */
static bool ranking_only(struct ks_packet_work *w, struct ks_verdict_row *row)
{
	static const char *const keep[] = { "top", "top_ms", "share_pct" };
	struct ks_kv *fact = KS_ARENA_NEWS(w->arena, struct ks_kv, KS_ARRAY_LEN(keep));
	size_t n = 0;

	for (size_t i = 0; fact && i < row->n_facts; i++) {
		for (size_t j = 0; j < KS_ARRAY_LEN(keep); j++) {
			if (n == KS_ARRAY_LEN(keep) || !ks_str_eqc(row->fact[i].key, keep[j]))
				continue;
			fact[n] = row->fact[i];
			if (fact[n].value.kind == KS_V_TEXT)
				fact[n].value.s = ks_clip_plain(fact[n].value.s, KS_CLIP_FACT);
			else if (!ks_value_is_number(&fact[n].value))
				fact[n].value = KS_VAL_NONE;
			n++;
		}
	}
	const bool fewer = n < row->n_facts;

	row->fact = fact;
	row->n_facts = n;
	return fewer;
}

static bool drop_facts(struct ks_packet_work *w)
{
	bool changed = false;

	for (size_t i = 0; i < w->p->n_verdicts; i++) {
		struct ks_verdict_row *row = &w->p->verdict[i];
		bool fewer = row->n_facts > 0;

		if (row->id == KS_VERDICT_KERNEL_TIME)
			fewer = ranking_only(w, row);
		else
			row->n_facts = 0;
		if (fewer)
			note_id(w, "facts_primary", i);
		changed = changed || fewer;
	}
	return changed;
}

/* One premise each, its reading only where it is a number. */
static bool one_premise(struct ks_packet_work *w)
{
	bool changed = false;

	for (size_t i = 0; i < w->p->n_verdicts; i++) {
		struct ks_verdict_row *row = &w->p->verdict[i];
		struct ks_premise_row *kept = KS_ARENA_NEW(w->arena, struct ks_premise_row);

		row->n_band = 0;
		if (!kept || row->n_premises == 0)
			continue;
		*kept = row->premise[0];
		if (!ks_value_is_number(&kept->observed))
			kept->observed = KS_VAL_NONE;
		if (!ks_value_is_number(&kept->threshold))
			kept->threshold = KS_VAL_NONE;
		row->premise = kept;
		row->n_premises = 1;
		changed = true;
	}
	return changed;
}

static bool one_finding(struct ks_packet_work *w)
{
	const bool changed = w->p->n_findings > 1;

	w->p->n_findings = changed ? 1 : w->p->n_findings;
	return changed;
}

static bool drop_id_lists(struct ks_packet_work *w)
{
	struct ks_packet *p = w->p;
	bool changed = p->n_trimmed_ids > 0 || p->n_findings > 0 || p->n_more_listed > 0 ||
		       p->n_more_env_codes > 0 || p->calibration.n > 0 || p->memtrace_name.n > 0;

	p->n_trimmed_ids = 0;
	p->n_findings = 0;
	p->n_more_listed = 0;
	p->n_more_env_codes = 0;
	p->calibration = KS_STR_NONE; /* the hash of the protocol stands for them */
	p->memtrace_name = KS_STR_NONE;
	return changed;
}

/* Codes stay findable: they move to the list of omitted ones, the cited first. Groups and the
 * environment become numbers, or their codes alone could fill the packet. What is left is five
 * decisions of fixed fields and texts of at most 48 bytes: less than the budget of 4096. */
static bool drop_remedies(struct ks_packet_work *w)
{
	struct ks_packet *p = w->p;
	bool changed = p->n_remedies + p->n_groups + p->n_env > 0;

	for (; p->n_groups > 0; p->n_groups--) {
		p->more_groups++;
		p->more_metrics += p->group[p->n_groups - 1].count;
	}
	p->more_env += p->n_env;
	p->n_env = 0;
	p->n_remedies = 0;
	ks_packet_cite(w);
	while (p->n_omitted_listed > 0 && !p->remedy[p->n_omitted_listed - 1].cited)
		p->n_omitted_listed--;
	return changed;
}

static const struct {
	const char *name;
	bool (*apply)(struct ks_packet_work *w); /* false: nothing to do, not listed */
} steps[] = {
	{ "unmeasured_examples", drop_examples },
	{ "verdict_metrics", drop_metrics },
	{ "refusal_actions", clip_actions },
	{ "environment_messages", drop_env_messages },
	{ "nested_facts", clip_nested },
	{ "refusal_action_text", drop_actions },
	{ "verdict_hints", drop_hints },
	{ "next_pointers", drop_next },
	{ "unmeasured_groups", fewer_groups },
	{ "findings", one_finding },
	{ "passing_premises", drop_passing },
	{ "facts_secondary", drop_side_facts },
	{ "environment_entries", fewer_env },
	{ "refusal_entries", fewer_remedies },
	{ "verdicts", six_verdicts },
	{ "verdicts_hard_cap", five_verdicts },
	{ "omitted_codes", fewer_codes },
	{ "refusal_observed", drop_observed },
	{ "report_path", drop_path },
	{ "remedy_commands", drop_commands },
	{ "facts_primary", drop_facts },
	{ "premises", one_premise },
	{ "id_lists", drop_id_lists },
	{ "refusal_details", drop_remedies },
};
_Static_assert(KS_ARRAY_LEN(steps) <= KS_PACKET_STEPS, "every step can be listed");

size_t ks_packet_measure(const struct ks_ctx *ctx, struct ks_packet *p)
{
	size_t size = 0;

	/* The size is part of what is measured; it settles as soon as its digits do. */
	for (int round = 0; round < 6; round++) {
		struct ks_out out;

		p->packet_bytes = size;
		ks_out_open_null(&out);
		ks_packet_write(ctx, p, &out);
		(void)ks_out_commit(&out, NULL);
		if (out.total == size)
			break;
		size = (size_t)out.total;
	}
	return size;
}

void ks_packet_trim(struct ks_packet_work *w)
{
	struct ks_packet *p = w->p;
	size_t size = ks_packet_measure(w->ctx, p);

	for (size_t i = 0; i < KS_ARRAY_LEN(steps) && size > w->budget; i++) {
		bool omitted = p->n_omitted_listed < p->n_omitted;

		if (!steps[i].apply(w))
			continue;
		p->trimmed[p->n_trimmed++] = ks_str_c(steps[i].name);
		/* What is cited changes with what is shown; a shortened list of codes stays short.
		 */
		if (!omitted && p->n_omitted_listed == p->n_omitted)
			ks_packet_cite(w);
		size = ks_packet_measure(w->ctx, p);
	}
	if (size > w->budget) {
		p->over_budget = true;
		(void)ks_packet_measure(w->ctx, p);
	}
}
