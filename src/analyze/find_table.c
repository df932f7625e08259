/* SPDX-License-Identifier: Apache-2.0
 *
 * Ids of events, written and read. Knows no row.
 */
#include "analyze/find_table.h"

#include "base/num.h"
#include "base/str.h"
#include "model/trace.h"

static const struct {
	const char *word;
	enum ks_find_kind kind;
} tables[KS_FIND_TABLES] = {
	[KS_FIND_T_KERNEL] = { "kernel", KS_FIND_KERNEL },
	[KS_FIND_T_COPY] = { "copy", KS_FIND_COPY },
	[KS_FIND_T_PEER] = { "peer", KS_FIND_COPY },
	[KS_FIND_T_MEMSET] = { "memset", KS_FIND_COPY },
	[KS_FIND_T_RANGE] = { "range", KS_FIND_RANGE },
	[KS_FIND_T_RUNTIME] = { "api", KS_FIND_API },
	[KS_FIND_T_DRIVER] = { "driver", KS_FIND_API },
	[KS_FIND_T_GAP] = { "gap", KS_FIND_GAP },
};

enum ks_find_kind ks_find_kind_in(enum ks_find_table table)
{
	return tables[table].kind;
}

ks_str ks_find_id(struct ks_arena *a, enum ks_find_table table, int64_t process, int64_t row)
{
	const int64_t pid = ks_global_pid(process);
	const char *word = tables[table].word;

	if (row == KS_UNKNOWN)
		return KS_LIT("");
	if (pid == KS_UNKNOWN)
		return ks_arena_fmt(a, "%s:-:%lld", word, (long long)row);
	return ks_arena_fmt(a, "%s:%lld:%lld", word, (long long)pid, (long long)row);
}

ks_str ks_find_gap_id(struct ks_arena *a, int64_t label, int64_t number)
{
	return label < 0 ? KS_LIT("")
			 : ks_arena_fmt(a, "%s:%lld:%lld", tables[KS_FIND_T_GAP].word,
					(long long)label, (long long)number);
}

bool ks_find_id_parse(ks_str id, enum ks_find_table *table, int64_t *pid, int64_t *row)
{
	ks_str rest = id;
	const ks_str word = ks_str_cut(&rest, ':'), process = ks_str_cut(&rest, ':');
	int t = 0;

	while (t < KS_FIND_TABLES && !ks_str_eqc(word, tables[t].word))
		t++;
	if (t == KS_FIND_TABLES || rest.p == NULL || !ks_num_parse_i64(rest, row) || *row < 0)
		return false;
	*table = (enum ks_find_table)t;
	*pid = KS_UNKNOWN;
	return ks_str_eqc(process, "-") || (ks_num_parse_i64(process, pid) && *pid >= 0);
}
