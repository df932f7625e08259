/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of families.def, and how a slug finds its row.
 */
#include "base/str.h"
#include "tables/tables.h"

static const struct {
	const char *slug, *title[2];
} families[KS_FAMILY_COUNT] = {
#define KS_FAMILY(id, slug, en, zh) [KS_FAMILY_##id] = { slug, { en, zh } },
#include "tables/families.def"
#undef KS_FAMILY
};

const char *ks_family_slug(enum ks_family f)
{
	return families[(unsigned)f < KS_FAMILY_COUNT ? f : KS_FAMILY_OTHER].slug;
}

bool ks_family_find(ks_str slug, enum ks_family *f)
{
	for (unsigned i = 0; i < KS_FAMILY_COUNT; i++) {
		if (!ks_str_eqc(slug, families[i].slug))
			continue;
		*f = (enum ks_family)i;
		return true;
	}
	return false;
}

const char *ks_family_title(enum ks_family f, enum ks_lang lang)
{
	return families[(unsigned)f < KS_FAMILY_COUNT ? f : KS_FAMILY_OTHER]
		.title[lang == KS_LANG_ZH];
}
