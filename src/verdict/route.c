/* SPDX-License-Identifier: Apache-2.0
 *
 * Concepts that stand in a sentence, intents that follow from them, and the best questions. The
 * weights are those of the table; the corpus in tests/unit/verdict measures them.
 */
#include "verdict/route.h"

#include "base/str.h"
#include "verdict/route_task.h"
#include "verdict/route_text.h"

/* A route that scores less than this share of the best one is left out. */
#define WORTH_PERCENT 45

struct tally {
	int best, sum;
};

/* The most that one word of the list covers; 0: none is there. */
static int any_of(const struct ks_sentence *s, const char *words)
{
	ks_str rest = ks_str_c(words);
	int most = 0;

	while (rest.p != NULL && rest.n > 0) {
		const int covered = ks_sentence_has(s, ks_str_cut(&rest, ','));

		most = covered > most ? covered : most;
	}
	return most;
}

static void find_concepts(const struct ks_sentence *s, bool *there)
{
	for (size_t i = 0; i < ks_concept_count(); i++) {
		const struct ks_concept_info *c = ks_concept_at(i);

		there[i] = any_of(s, c->en) > 0 || any_of(s, c->zh) > 0;
	}
}

static bool concept_there(const bool *there, ks_str name)
{
	for (size_t i = 0; i < ks_concept_count(); i++) {
		if (ks_str_eqc(name, ks_concept_at(i)->name))
			return there[i];
	}
	return false;
}

static bool all_there(const bool *there, const char *concepts)
{
	ks_str rest = ks_str_c(concepts);

	while (rest.p != NULL) {
		if (!concept_there(there, ks_str_cut(&rest, ' ')))
			return false;
	}
	return true;
}

static void add(struct tally *t, int weight)
{
	t->best = weight > t->best ? weight : t->best;
	t->sum += weight;
}

static void count(const struct ks_sentence *s, const bool *there, struct tally *tally)
{
	for (size_t i = 0; i < ks_intent_count(); i++) {
		const struct ks_intent_info *in = ks_intent_at(i);

		if (all_there(there, in->concepts))
			add(&tally[in->question], in->weight);
	}
	for (size_t i = 0; i < ks_keyword_count(); i++) {
		const struct ks_keyword_info *k = ks_keyword_at(i);
		const int covered = any_of(s, k->words);

		if (covered > 0)
			add(&tally[k->question],
			    2 * covered >= s->meaning ? KS_ROUTE_KEYWORD : KS_ROUTE_HINT);
	}
}

/* Puts a route at its place among those found before; the last falls out when there are too many.
 */
static void place(struct ks_routes *out, struct ks_route r)
{
	size_t at = out->n < KS_ROUTES ? out->n++ : KS_ROUTES;

	if (at == KS_ROUTES && out->route[--at].score >= r.score)
		return;
	while (at > 0 && out->route[at - 1].score < r.score) {
		out->route[at] = out->route[at - 1];
		at--;
	}
	out->route[at] = r;
}

void ks_route_find(ks_str sentence, struct ks_arena *a, struct ks_routes *out)
{
	struct tally tally[KS_QUESTION_COUNT] = { { 0, 0 } };
	bool *there = KS_ARENA_NEWS(a, bool, ks_concept_count());
	struct ks_sentence s;

	*out = (struct ks_routes){ .n = 0 };
	if (sentence.n > KS_ROUTE_BYTES)
		sentence.n = KS_ROUTE_BYTES;
	if (!there || !ks_sentence_read(sentence, a, &s))
		return;
	ks_route_find_tasks(sentence, &s, &out->tasks);
	find_concepts(&s, there);
	count(&s, there, tally);
	for (unsigned q = 0; q < KS_QUESTION_COUNT; q++) {
		if (tally[q].best >= KS_ROUTE_LEAST)
			place(out, (struct ks_route){ (enum ks_question)q,
						      3 * tally[q].best + tally[q].sum });
	}
	while (out->n > 1 &&
	       100 * out->route[out->n - 1].score < WORTH_PERCENT * out->route[0].score)
		out->n--;
}

bool ks_route_is_empty(ks_str sentence)
{
	for (size_t i = 0; i < sentence.n; i++) {
		if (strchr(" \t\r\n.,;:!?", sentence.p[i]) == NULL || sentence.p[i] == '\0')
			return false;
	}
	return true;
}
