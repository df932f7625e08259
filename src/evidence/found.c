/* SPDX-License-Identifier: Apache-2.0
 *
 * The words for kinds of single events.
 */
#include "evidence/found.h"

#include "base/str.h"

static const char *const words[KS_FIND_KINDS] = {
	[KS_FIND_KERNEL] = "kernel", [KS_FIND_COPY] = "copy", [KS_FIND_RANGE] = "range",
	[KS_FIND_API] = "api",	     [KS_FIND_GAP] = "gap",
};

const char *ks_find_word(enum ks_find_kind kind)
{
	return words[kind];
}

bool ks_find_kind_of(ks_str word, enum ks_find_kind *kind)
{
	for (int i = 0; i < KS_FIND_KINDS; i++) {
		if (!ks_str_eqc(word, words[i]))
			continue;
		*kind = (enum ks_find_kind)i;
		return true;
	}
	return false;
}
