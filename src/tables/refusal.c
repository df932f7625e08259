/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of refusals.def. A remedy command that needs a planned option is not offered.
 */
#include "tables/tables.h"
#include "tables/find.h"
#define KS_LOOKUP_REFUSAL
#include "tables/lookup.h"

#define OFFER_OFFERED(command)	  (command)
#define OFFER_LATER(command)	  ""
#define OFFER_NO_COMMAND(command) ""

static const struct ks_refusal_info refusals[KS_REFUSAL_COUNT] = {
	[KS_REFUSAL_NONE] = { .slug = "",
			      .title = { "", "" },
			      .action = { "", "" },
			      .command = "",
			      .answers = "" },
#define KS_REFUSAL(id, sl, sev, cost, secs, st, offer, cmd, ans, ten, tzh, aen, azh)               \
	[KS_REFUSAL_##id] = { .slug = (sl),                                                        \
			      .severity = KS_SEV_##sev,                                            \
			      .cost_kind = KS_COST_##cost,                                         \
			      .cost_s = (secs),                                                    \
			      .state = KS_STATE_##st,                                              \
			      .title = { (ten), (tzh) },                                           \
			      .action = { (aen), (azh) },                                          \
			      .command = OFFER_##offer(cmd),                                       \
			      .answers = (ans) },
#include "tables/refusals.def"
#undef KS_REFUSAL
};

const struct ks_refusal_info *ks_refusal_info(enum ks_refusal r)
{
	return &refusals[(unsigned)r < KS_REFUSAL_COUNT ? r : KS_REFUSAL_NONE];
}

static const char *refusal_slug(unsigned id)
{
	return refusals[id].slug;
}

bool ks_refusal_find(ks_str slug, enum ks_refusal *r)
{
	const size_t at =
		ks_find_sorted(sorted_refusals, KS_ARRAY_LEN(sorted_refusals), refusal_slug, slug);

	*r = at == SIZE_MAX ? KS_REFUSAL_INTERNAL_UNKNOWN : (enum ks_refusal)sorted_refusals[at];
	return at != SIZE_MAX;
}

const char *ks_cost_kind_name(enum ks_cost_kind k)
{
	static const char *const name[] = { [KS_COST_WALL] = "wall_seconds",
					    [KS_COST_MANUAL] = "manual",
					    [KS_COST_IMPOSSIBLE] = "unavailable" };

	return name[(unsigned)k < KS_ARRAY_LEN(name) ? k : KS_COST_MANUAL];
}
