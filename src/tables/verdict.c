/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of verdicts.def, premises.def, counter_states.def and tiers.def.
 */
#include "tables/tables.h"
#include "tables/find.h"
#define KS_LOOKUP_VERDICT
#include "tables/lookup.h"

#define KEEP_FIRST    true
#define KEEP_SECOND   false
#define FACTS_KEPT    true
#define FACTS_TRIMMED false

static const struct ks_verdict_info verdicts[KS_VERDICT_COUNT] = {
	[KS_VERDICT_NONE] = { .id = "", .phrase = { "", "" } },
#define KS_VERDICT(tag, nm, un, st, first, facts, en, zh)                                          \
	[KS_VERDICT_##tag] = { .id = (nm),                                                         \
			       .unit = KS_UNIT_##un,                                               \
			       .state = KS_STATE_##st,                                             \
			       .kept_first = KEEP_##first,                                         \
			       .primary_facts = FACTS_##facts,                                     \
			       .phrase = { (en), (zh) } },
#include "tables/verdicts.def"
#undef KS_VERDICT
};

static const struct ks_premise_info premises[KS_PREMISE_COUNT] = {
	[KS_PREMISE_NONE] = { .id = "",
			      .fails_as = KS_REFUSAL_PREMISE_FAILED,
			      .label = { "", "" } },
#define KS_PREMISE(tag, nm, ref, un, en, zh)                                                       \
	[KS_PREMISE_##tag] = { .id = (nm),                                                         \
			       .fails_as = KS_REFUSAL_##ref,                                       \
			       .unit = KS_UNIT_##un,                                               \
			       .label = { (en), (zh) } },
#include "tables/premises.def"
#undef KS_PREMISE
};

struct named {
	const char *name, *text[KS_LANG_COUNT];
};

static const struct named counter_states[KS_COUNTER_STATE_COUNT] = {
#define KS_COUNTER_STATE(id, nm, en, zh) [KS_COUNTER_STATE_##id] = { (nm), { (en), (zh) } },
#include "tables/counter_states.def"
#undef KS_COUNTER_STATE
};

static const struct named tiers[KS_TIER_COUNT] = {
#define KS_TIER(id, nm, en, zh) [KS_TIER_##id] = { (nm), { (en), (zh) } },
#include "tables/tiers.def"
#undef KS_TIER
};

const struct ks_verdict_info *ks_verdict_info(enum ks_verdict v)
{
	return &verdicts[(unsigned)v < KS_VERDICT_COUNT ? v : KS_VERDICT_NONE];
}

static const char *verdict_name(unsigned id)
{
	return verdicts[id].id;
}

bool ks_verdict_find(ks_str id, enum ks_verdict *v)
{
	const size_t at =
		ks_find_sorted(sorted_verdicts, KS_ARRAY_LEN(sorted_verdicts), verdict_name, id);

	*v = at == SIZE_MAX ? KS_VERDICT_NONE : (enum ks_verdict)sorted_verdicts[at];
	return at != SIZE_MAX;
}

const struct ks_premise_info *ks_premise_info(enum ks_premise p)
{
	return &premises[(unsigned)p < KS_PREMISE_COUNT ? p : KS_PREMISE_NONE];
}

static const char *premise_name(unsigned id)
{
	return premises[id].id;
}

bool ks_premise_find(ks_str id, enum ks_premise *p)
{
	const size_t at =
		ks_find_sorted(sorted_premises, KS_ARRAY_LEN(sorted_premises), premise_name, id);

	*p = at == SIZE_MAX ? KS_PREMISE_NONE : (enum ks_premise)sorted_premises[at];
	return at != SIZE_MAX;
}

static const struct named *counter_state(enum ks_counter_state s)
{
	return &counter_states[(unsigned)s < KS_COUNTER_STATE_COUNT ? s : KS_COUNTER_STATE_UNKNOWN];
}

const char *ks_counter_state_name(enum ks_counter_state s)
{
	return counter_state(s)->name;
}

const char *ks_counter_state_meaning(enum ks_counter_state s, enum ks_lang lang)
{
	return counter_state(s)->text[lang == KS_LANG_ZH];
}

const char *ks_tier_name(enum ks_tier t)
{
	return tiers[(unsigned)t < KS_TIER_COUNT ? t : KS_TIER_DEMO].name;
}

const char *ks_tier_needs(enum ks_tier t, enum ks_lang lang)
{
	return tiers[(unsigned)t < KS_TIER_COUNT ? t : KS_TIER_DEMO].text[lang == KS_LANG_ZH];
}
