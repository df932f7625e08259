/* SPDX-License-Identifier: Apache-2.0
 *
 * Look-up by name. Allocates nothing and builds nothing.
 */
#include "tables/find.h"

int ks_name_cmp(ks_str name, const char *row_name)
{
	const size_t n = strlen(row_name);
	const int c = memcmp(name.n ? name.p : "", row_name, name.n < n ? name.n : n);

	if (c)
		return c;
	return (name.n > n) - (name.n < n);
}

size_t ks_find_sorted(const uint16_t *ids, size_t n, const char *(*name_of)(unsigned id),
		      ks_str name)
{
	size_t lo = 0;
	size_t hi = n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;
		const int c = ks_name_cmp(name, name_of(ids[mid]));

		if (!c)
			return mid;
		if (c < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return SIZE_MAX;
}
