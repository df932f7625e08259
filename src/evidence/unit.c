/* SPDX-License-Identifier: Apache-2.0
 *
 * Unit conversion from the factors of units.def, and the words the original prints for a count.
 */
#include "evidence/unit.h"

#include "base/str.h"

bool ks_unit_convert(enum ks_unit from, enum ks_unit to, double *v)
{
	if (from == to)
		return true;
	const struct ks_unit_info *a = ks_unit_info(from);
	const struct ks_unit_info *b = ks_unit_info(to);

	if (a->dimension != b->dimension || !(b->factor > 0.0) || !(a->factor > 0.0))
		return false;
	/* One rounding where the factors are whole multiples of each other: 1e-3 is not a double.
	 */
	if (a->factor >= b->factor)
		*v *= a->factor / b->factor;
	else
		*v /= b->factor / a->factor;
	return true;
}

/* Contract 04, first paragraph: the original's words for what is `count` here. */
static const char *const counts[] = { "张", "次", "个", "段" };

bool ks_unit_read(ks_str word, enum ks_unit *u)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(counts); i++) {
		if (ks_str_eqc(word, counts[i])) {
			*u = KS_UNIT_COUNT;
			return true;
		}
	}
	if (word.n == 0) {
		*u = KS_UNIT_NONE;
		return true;
	}
	return ks_unit_find(word, u);
}
