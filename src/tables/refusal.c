/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of refusals.def. A remedy command that needs a planned option is not offered.
 */
#include "tables/tables.h"

#include "base/str.h"
#include "tables/find.h"
#define KS_LOOKUP_REFUSAL
#include "tables/lookup.h"

#define OFFER_OFFERED(command)	  (command)
#define OFFER_LATER(command)	  ""
#define OFFER_NO_COMMAND(command) ""

#define LATER_OFFERED	 false
#define LATER_LATER	 true
#define LATER_NO_COMMAND false

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
			      .later = LATER_##offer,                                              \
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

void ks_command_fill(struct ks_buf *b, const char *command, const struct ks_command_words *w)
{
	const struct {
		const char *hole;
		ks_str word, otherwise;
	} holes[] = {
		{ "{input}", w->input, KS_LIT("--ks-sqlite run.sqlite") },
		{ "{kernel}", w->kernel, KS_LIT("NAME") },
		{ "{device}", w->device, KS_LIT("N") },
		{ "{name}", w->name, KS_LIT("NAME") },
	};

	while (*command != '\0') {
		size_t i = 0;

		while (i < KS_ARRAY_LEN(holes) &&
		       strncmp(command, holes[i].hole, strlen(holes[i].hole)) != 0)
			i++;
		if (i == KS_ARRAY_LEN(holes)) {
			ks_buf_ch(b, *command++);
			continue;
		}
		ks_buf_str(b, holes[i].word.n > 0 ? holes[i].word : holes[i].otherwise);
		command += strlen(holes[i].hole);
	}
}
