/* SPDX-License-Identifier: Apache-2.0
 *
 * Bump allocation from a chain of blocks that double in size. Frees nothing but whole arenas.
 */
#define KS_BASE_DOOR
#include "base/arena.h"

#define FIRST_BLOCK 4096u
#define MOST_BLOCK  (256u * 1024u) /* a bigger request gets a block of its own */

struct ks_arena_block {
	struct ks_arena_block *next;
	size_t size, used;
	max_align_t data[];
};

void ks_arena_init(struct ks_arena *a, size_t limit_bytes)
{
	*a = (struct ks_arena){ .limit = limit_bytes };
}

static void free_chain(struct ks_arena_block *b)
{
	while (b) {
		struct ks_arena_block *next = b->next;

		free(b);
		b = next;
	}
}

void ks_arena_reset(struct ks_arena *a)
{
	if (a->head) {
		free_chain(a->head->next);
		a->head->next = NULL;
		a->head->used = 0;
	}
	a->used = 0;
}

void ks_arena_release(struct ks_arena *a)
{
	free_chain(a->head);
	ks_arena_init(a, a->limit);
}

bool ks_arena_failed(const struct ks_arena *a)
{
	return a->failed;
}

/* Puts a block with room for n bytes in front; false when there is no memory. */
static bool add_block(struct ks_arena *a, size_t n)
{
	size_t size = a->head ? a->head->size * 2 : FIRST_BLOCK;

	if (size > MOST_BLOCK)
		size = MOST_BLOCK;
	if (size < n)
		size = n;

	struct ks_arena_block *b = malloc(sizeof(*b) + size);

	if (!b)
		return false;
	b->size = size;
	b->used = 0;
	b->next = a->head;
	a->head = b;
	return true;
}

/* n bytes, not zeroed; align is a power of two. */
static char *carve(struct ks_arena *a, size_t n, size_t align)
{
	const size_t pad = a->head ? -a->head->used & (align - 1) : 0;

	if (a->failed || n > a->limit || a->used > a->limit - n || n > SIZE_MAX / 2) {
		a->failed = true;
		return NULL;
	}
	if (!a->head || pad > a->head->size - a->head->used ||
	    n > a->head->size - a->head->used - pad) {
		if (!add_block(a, n)) {
			a->failed = true;
			return NULL;
		}
	} else {
		a->head->used += pad;
	}
	char *p = (char *)a->head->data + a->head->used;

	a->head->used += n;
	a->used += n;
	return p;
}

void *ks_arena_alloc(struct ks_arena *a, size_t n)
{
	char *p = carve(a, n ? n : 1, _Alignof(max_align_t));

	return p ? memset(p, 0, n ? n : 1) : NULL;
}

/* The alignment of a type divides its size, so the lowest bit of the size is alignment enough. */
static size_t align_for(size_t size)
{
	const size_t low = size & -size;

	return low != 0 && low < _Alignof(max_align_t) ? low : _Alignof(max_align_t);
}

void *ks_arena_array(struct ks_arena *a, size_t count, size_t size)
{
	if (size != 0 && count > SIZE_MAX / size) {
		a->failed = true;
		return NULL;
	}
	const size_t n = count * size > 0 ? count * size : 1;
	char *p = carve(a, n, align_for(size));

	return p ? memset(p, 0, n) : NULL;
}

ks_str ks_arena_dup(struct ks_arena *a, ks_str s)
{
	char *p = s.n < SIZE_MAX ? carve(a, s.n + 1, 1) : NULL;

	if (!p) {
		a->failed = true;
		return KS_LIT("");
	}
	if (s.n > 0)
		memcpy(p, s.p, s.n);
	p[s.n] = '\0';
	return (ks_str){ p, s.n };
}

ks_str ks_arena_vfmt(struct ks_arena *a, const char *fmt, va_list ap)
{
	va_list again;

	va_copy(again, ap);
	const int n = vsnprintf(NULL, 0, fmt, ap);
	char *p = n >= 0 ? carve(a, (size_t)n + 1, 1) : NULL;

	if (p)
		(void)vsnprintf(p, (size_t)n + 1, fmt, again);
	else
		a->failed = true;
	va_end(again);
	return p ? (ks_str){ p, (size_t)n } : KS_LIT("");
}

ks_str ks_arena_fmt(struct ks_arena *a, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	const ks_str s = ks_arena_vfmt(a, fmt, ap);

	va_end(ap);
	return s;
}
