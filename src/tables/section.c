/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of sections.def and the three sets.
 */
#include "tables/tables.h"
#include "tables/find.h"
#define KS_LOOKUP_SECTION
#include "tables/lookup.h"

/* A set holds everything of the smaller sets. */
#define SETS_ALWAYS   0u
#define SETS_FULL     (1u << KS_SET_FULL)
#define SETS_DETAILED (SETS_FULL | 1u << KS_SET_DETAILED)
#define SETS_BASIC    (SETS_DETAILED | 1u << KS_SET_BASIC)

#define STRICT_STRICT	  true
#define STRICT_NOT_STRICT false

static const struct ks_section_info sections[KS_SECTION_COUNT] = {
	[KS_SECTION_NONE] = { .name = "", .title = { "", "" } },
#define KS_SECTION(id, nm, set, need, status, own, strict, en, zh)                                 \
	[KS_SECTION_##id] = { .name = (nm),                                                        \
			      .sets = SETS_##set,                                                  \
			      .needs = KS_REFUSAL_##need,                                          \
			      .status_metric = KS_METRIC_##status,                                 \
			      .owner = KS_OWNER_##own,                                             \
			      .in_strict_list = STRICT_##strict,                                   \
			      .title = { (en), (zh) } },
#include "tables/sections.def"
#undef KS_SECTION
};

static const char *const sets[] = {
	[KS_SET_BASIC] = "basic", [KS_SET_DETAILED] = "detailed", [KS_SET_FULL] = "full"
};

const struct ks_section_info *ks_section_info(enum ks_section s)
{
	return &sections[(unsigned)s < KS_SECTION_COUNT ? s : KS_SECTION_NONE];
}

static const char *section_name(unsigned id)
{
	return sections[id].name;
}

bool ks_section_find(ks_str name, enum ks_section *s)
{
	const size_t at =
		ks_find_sorted(sorted_sections, KS_ARRAY_LEN(sorted_sections), section_name, name);

	*s = at == SIZE_MAX ? KS_SECTION_NONE : (enum ks_section)sorted_sections[at];
	return at != SIZE_MAX;
}

const char *ks_set_name(enum ks_set s)
{
	return sets[(unsigned)s < KS_ARRAY_LEN(sets) ? s : KS_SET_BASIC];
}
