/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of rules.def, and how a slug finds its row.
 */
#include "base/str.h"
#include "tables/tables.h"

static const struct ks_rule_info rules[KS_RULE_COUNT] = {
	[KS_RULE_NONE] = { .slug = "", .title = { "", "" }, .remedy = { "", "" } },
#define KS_RULE(id, sl, k, need, least, no, en, zh, do_en, do_zh)                                  \
	[KS_RULE_##id] = { .slug = (sl),                                                           \
			   .kind = KS_RULE_IS_##k,                                                 \
			   .needs = (need),                                                        \
			   .least_pct = (least),                                                   \
			   .no_bound = KS_REFUSAL_##no,                                            \
			   .title = { (en), (zh) },                                                \
			   .remedy = { (do_en), (do_zh) } },
#include "tables/rules.def"
#undef KS_RULE
};

const struct ks_rule_info *ks_rule_info(enum ks_rule r)
{
	return &rules[(unsigned)r < KS_RULE_COUNT ? r : KS_RULE_NONE];
}

enum ks_rule ks_rule_find(ks_str slug)
{
	for (unsigned i = KS_RULE_NONE + 1; i < KS_RULE_COUNT; i++) {
		if (ks_str_eqc(slug, rules[i].slug))
			return (enum ks_rule)i;
	}
	return KS_RULE_NONE;
}
