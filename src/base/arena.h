/* SPDX-License-Identifier: Apache-2.0
 *
 * Bump allocation with a ceiling. Nothing in an arena is freed one by one. After a failed
 * allocation the arena is sticky: every later call returns NULL and ks_arena_failed() is true, so
 * callers check once per phase.
 */
#ifndef KS_BASE_ARENA_H
#define KS_BASE_ARENA_H

#include <stdarg.h>

#include "base/base.h"

struct ks_arena_block;

struct ks_arena {
	struct ks_arena_block *head;
	size_t used;  /* bytes handed out */
	size_t limit; /* ceiling in bytes */
	bool failed;
};

void ks_arena_init(struct ks_arena *a, size_t limit_bytes);
/* Forget everything, keep one block. A failure stays, so that one check at the end of the work is
 * enough. */
void ks_arena_reset(struct ks_arena *a);
void ks_arena_release(
	struct ks_arena *a); /* give everything back; the arena can be init'ed again */
bool ks_arena_failed(const struct ks_arena *a);

/* Zeroed memory, aligned for any type; NULL when out of memory or over the ceiling. n may be 0. */
void *ks_arena_alloc(struct ks_arena *a, size_t n);
/* count elements of a type of that size, aligned for it, with overflow check. */
void *ks_arena_array(struct ks_arena *a, size_t count, size_t size);
#define KS_ARENA_NEW(a, type)	      ((type *)ks_arena_array((a), 1, sizeof(type)))
#define KS_ARENA_NEWS(a, type, count) ((type *)ks_arena_array((a), (count), sizeof(type)))

/* A copy that is NUL-terminated behind its n bytes. On failure p = "" and n = 0. */
ks_str ks_arena_dup(struct ks_arena *a, ks_str s);
/* printf into the arena. */
ks_str ks_arena_fmt(struct ks_arena *a, const char *fmt, ...) KS_PRINTF(2, 3);
ks_str ks_arena_vfmt(struct ks_arena *a, const char *fmt, va_list ap) KS_PRINTF(2, 0);

#endif
