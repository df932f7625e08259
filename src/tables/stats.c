/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of stats.def. Counts nothing.
 */
#include "tables/tables.h"

enum unit { NS, MB };

static const struct ks_stats_info stats[KS_STATS_COUNT] = {
	[KS_STATS_NONE] = { .name = "", .title = { "", "" } },
#define KS_STATS(id, nm, what, un, count, heading, none, en, zh)                                   \
	[KS_STATS_##id] = { .name = (nm),                                                          \
			    .of = KS_STATS_OF_##what,                                              \
			    .in_mb = (un) == MB,                                                   \
			    .count_heading = (count),                                              \
			    .name_heading = (heading),                                             \
			    .absent = KS_REFUSAL_##none,                                           \
			    .title = { (en), (zh) } },
#include "tables/stats.def"
#undef KS_STATS
};

const struct ks_stats_info *ks_stats_info(enum ks_stats_table t)
{
	return &stats[(unsigned)t < KS_STATS_COUNT ? t : KS_STATS_NONE];
}

bool ks_stats_find(ks_str name, enum ks_stats_table *t)
{
	for (int i = KS_STATS_NONE + 1; i < KS_STATS_COUNT; i++) {
		const char *known = stats[i].name;

		if (strlen(known) == name.n && memcmp(known, name.p, name.n) == 0) {
			*t = (enum ks_stats_table)i;
			return true;
		}
	}
	return false;
}
