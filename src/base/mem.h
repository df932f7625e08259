/* SPDX-License-Identifier: Apache-2.0
 *
 * The only door to the heap outside base/: growable arrays with a ceiling.
 */
#ifndef KS_BASE_MEM_H
#define KS_BASE_MEM_H

#include "base/base.h"

/* Makes room for `need` elements of `size` bytes in *p (capacity *cap), doubling, never above `max`
 * elements. New elements are zeroed. False (and nothing changed) when out of memory or over max. */
bool ks_mem_grow(void **p, size_t *cap, size_t need, size_t size, size_t max) KS_MUST_USE;
/* Typed front: KS_GROW(vec->item, vec->cap, n + 1, KS_LIMIT_...) */
#define KS_GROW(ptr, cap, need, max)                                                               \
	ks_mem_grow((void **)(void *)&(ptr), &(cap), (need), sizeof(*(ptr)), (max))

void *ks_mem_alloc(size_t n) KS_MUST_USE; /* zeroed, NULL on failure */
void ks_mem_free(void *p);		  /* NULL is fine */

#endif
