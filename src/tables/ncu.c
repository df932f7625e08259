/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of ncu_names.def: what stands for a name of Nsight Compute. Nothing is matched fuzzily.
 */
#include "tables/tables.h"
#include "tables/find.h"
#define KS_LOOKUP_NCU
#include "tables/lookup.h"

#define NEEDS_COUNTERS	  true
#define NEEDS_NO_COUNTERS false

static const struct ks_ncu_info ncus[] = {
#define KS_NCU(nm, knd, own, counters, en, zh)                                                     \
	{ .ncu_name = (nm),                                                                        \
	  .kind = KS_NCU_##knd,                                                                    \
	  .ours = (own),                                                                           \
	  .caliber = (en),                                                                         \
	  .needs_counters = NEEDS_##counters,                                                      \
	  .caliber_zh = (zh) },
#include "tables/ncu_names.def"
};

static const char *const suffixes[] = {
#define KS_NCU_SUFFIX(s) (s),
#include "tables/ncu_names.def"
};

static const char *const counter_prefixes[] = {
#define KS_COUNTER_PREFIX(s) (s),
#include "tables/ncu_names.def"
};

static const char *const own_prefixes[] = {
#define KS_OWN_PREFIX(s) (s),
#include "tables/ncu_names.def"
};

size_t ks_ncu_count(void)
{
	return KS_ARRAY_LEN(ncus);
}

const struct ks_ncu_info *ks_ncu_at(size_t i)
{
	return i < KS_ARRAY_LEN(ncus) ? &ncus[i] : NULL;
}

static const char *ncu_name(unsigned id)
{
	return ncus[id].ncu_name;
}

/* False when no suffix is left. */
static bool strip_suffix(ks_str *name)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(suffixes); i++) {
		const size_t n = strlen(suffixes[i]);

		if (name->n > n && !memcmp(name->p + name->n - n, suffixes[i], n)) {
			name->n -= n;
			return true;
		}
	}
	return false;
}

const struct ks_ncu_info *ks_ncu_find(ks_str name)
{
	do {
		const size_t at =
			ks_find_sorted(sorted_ncus, KS_ARRAY_LEN(sorted_ncus), ncu_name, name);

		if (at != SIZE_MAX)
			return &ncus[sorted_ncus[at]];
	} while (strip_suffix(&name));
	return NULL;
}

const char *ks_ncu_kind_name(enum ks_ncu_kind k)
{
	static const char *const name[] = { [KS_NCU_SUBSTITUTE] = "substitute",
					    [KS_NCU_SAME_SOURCE] = "same_source",
					    [KS_NCU_NONE] = "none" };

	return name[(unsigned)k < KS_ARRAY_LEN(name) ? k : KS_NCU_NONE];
}

static bool has_prefix(ks_str s, const char *const *prefix, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s.n == 0 || s.p[0] != prefix[i][0])
			continue; /* asked for every row of evidence: most end here */

		const size_t len = strlen(prefix[i]);

		if (s.n >= len && !memcmp(s.p, prefix[i], len))
			return true;
	}
	return false;
}

bool ks_is_counter_name(ks_str metric)
{
	return has_prefix(metric, counter_prefixes, KS_ARRAY_LEN(counter_prefixes));
}

bool ks_is_own_prefix(ks_str metric)
{
	return has_prefix(metric, own_prefixes, KS_ARRAY_LEN(own_prefixes));
}
