/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of units.def and prov.def.
 */
#include "tables/tables.h"
#include "tables/find.h"
#define KS_LOOKUP_UNIT
#include "tables/lookup.h"

enum dimension {
	DIM_NONE,
	DIM_COUNT,
	DIM_PERCENT,
	DIM_RATIO,
	DIM_CODE,
	DIM_TIME,
	DIM_BYTES,
	DIM_BYTE_RATE,
	DIM_INTENSITY,
	DIM_FLOP_RATE,
	DIM_FREQUENCY,
	DIM_TEMPERATURE,
	DIM_POWER,
	DIM_ENERGY,
	DIM_TOKENS,
	DIM_TOKEN_RATE,
	DIM_TOKEN_ENERGY,
	DIM_COST_RATE,
	DIM_TOKEN_COST,
	DIM_ISSUE_RATE,
};

static const struct ks_unit_info units[KS_UNITS] = {
#define KS_UNIT(id, sym, fac, dim, en, zh)                                                         \
	[KS_UNIT_##id] = { .symbol = (sym), .factor = (fac), .dimension = DIM_##dim },
#include "tables/units.def"
};

static const struct alias {
	const char *symbol;
	enum ks_unit unit;
} aliases[] = {
#define KS_UNIT_ALIAS(sym, id) { (sym), KS_UNIT_##id },
#include "tables/units.def"
};

const struct ks_unit_info *ks_unit_info(enum ks_unit u)
{
	return &units[(unsigned)u < KS_UNITS ? u : KS_UNIT_NONE];
}

static const char *unit_symbol(unsigned id)
{
	return units[id].symbol;
}

/* The currency is a label of the user's: letters in front of "/h" or "/Mtoken". */
static bool is_money(ks_str symbol, const char *per)
{
	const size_t n = strlen(per);

	if (symbol.n <= n || memcmp(symbol.p + symbol.n - n, per, n) != 0)
		return false;
	return !memchr(symbol.p, '/', symbol.n - n);
}

bool ks_unit_find(ks_str symbol, enum ks_unit *u)
{
	const size_t at =
		ks_find_sorted(sorted_units, KS_ARRAY_LEN(sorted_units), unit_symbol, symbol);

	if (at != SIZE_MAX) {
		*u = (enum ks_unit)sorted_units[at];
		return true;
	}
	for (size_t i = 0; i < KS_ARRAY_LEN(aliases); i++) {
		if (!ks_name_cmp(symbol, aliases[i].symbol)) {
			*u = aliases[i].unit;
			return true;
		}
	}
	if (!is_money(symbol, "/h") && !is_money(symbol, "/Mtoken"))
		return false;
	*u = is_money(symbol, "/h") ? KS_UNIT_CUR_PER_H : KS_UNIT_CUR_PER_MTOKEN;
	return true;
}

static const struct prov_info {
	const char *name;
	int rank;
	const char *label[KS_LANG_COUNT], *meaning[KS_LANG_COUNT];
} provs[KS_PROV_COUNT] = {
#define KS_PROV(id, nm, rk, len, lzh, men, mzh)                                                    \
	[KS_PROV_##id] = {                                                                         \
		.name = (nm), .rank = (rk), .label = { (len), (lzh) }, .meaning = { (men), (mzh) } \
	},
#include "tables/prov.def"
#undef KS_PROV
};

static const struct prov_info *prov_info(enum ks_prov p)
{
	return &provs[(unsigned)p < KS_PROV_COUNT ? p : KS_PROV_UNAVAILABLE];
}

const char *ks_prov_name(enum ks_prov p)
{
	return prov_info(p)->name;
}

int ks_prov_rank(enum ks_prov p)
{
	return prov_info(p)->rank;
}

const char *ks_prov_label(enum ks_prov p, enum ks_lang lang)
{
	return prov_info(p)->label[lang == KS_LANG_ZH];
}

const char *ks_prov_meaning(enum ks_prov p, enum ks_lang lang)
{
	return prov_info(p)->meaning[lang == KS_LANG_ZH];
}

bool ks_prov_find(ks_str name, enum ks_prov *p)
{
	for (unsigned i = 0; i < KS_PROV_COUNT; i++) {
		if (!ks_name_cmp(name, provs[i].name)) {
			*p = (enum ks_prov)i;
			return true;
		}
	}
	return false;
}
