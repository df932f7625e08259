/* SPDX-License-Identifier: Apache-2.0
 *
 * Growable arrays over the heap. Refuses to grow past the ceiling it is given.
 */
#define KS_BASE_DOOR
#include "base/mem.h"

#define FIRST_CAP 16

bool ks_mem_grow(void **p, size_t *cap, size_t need, size_t size, size_t max)
{
	if (need <= *cap)
		return true;
	if (need > max || size == 0 || max == 0)
		return false;

	size_t next = *cap < FIRST_CAP / 2 ? FIRST_CAP : *cap > max / 2 ? max : *cap * 2;

	if (next < need)
		next = need;
	if (next > max)
		next = max;
	if (next > SIZE_MAX / size)
		return false;

	void *old;

	memcpy(&old, p, sizeof(old)); /* *p may be a pointer to any type */

	char *grown = realloc(old, next * size);

	if (!grown)
		return false;
	memset(grown + *cap * size, 0, (next - *cap) * size);
	old = grown;
	memcpy(p, &old, sizeof(old));
	*cap = next;
	return true;
}

void *ks_mem_alloc(size_t n)
{
	return calloc(1, n ? n : 1);
}

void ks_mem_free(void *p)
{
	free(p);
}
