/* SPDX-License-Identifier: Apache-2.0
 *
 * A growable byte buffer. Refuses to grow past the ceiling given at init; the first refusal sticks.
 */
#define KS_BASE_DOOR
#include "base/buf.h"

#define FIRST_CAP 64

void ks_buf_init(struct ks_buf *b, size_t max_bytes)
{
	*b = (struct ks_buf){ .max = max_bytes < SIZE_MAX ? max_bytes : SIZE_MAX - 1 };
}

void ks_buf_release(struct ks_buf *b)
{
	free(b->p);
	ks_buf_init(b, b->max);
}

void ks_buf_reset(struct ks_buf *b)
{
	b->n = 0;
	if (b->p)
		b->p[0] = '\0';
}

/* Room for n more bytes and the NUL. */
static bool reserve(struct ks_buf *b, size_t n)
{
	if (b->failed || n > b->max - b->n) {
		b->failed = true;
		return false;
	}
	const size_t need = b->n + n + 1;

	if (need <= b->cap)
		return true;

	size_t cap = b->cap < FIRST_CAP ? FIRST_CAP : b->cap;

	while (cap < need)
		cap = cap > SIZE_MAX / 2 ? need : cap * 2;
	if (cap > b->max + 1)
		cap = b->max + 1;

	char *p = realloc(b->p, cap);

	if (!p) {
		b->failed = true;
		return false;
	}
	b->p = p;
	b->cap = cap;
	return true;
}

void ks_buf_add(struct ks_buf *b, const void *p, size_t n)
{
	if (!reserve(b, n))
		return;
	if (n > 0)
		memcpy(b->p + b->n, p, n);
	b->n += n;
	b->p[b->n] = '\0';
}

void ks_buf_str(struct ks_buf *b, ks_str s)
{
	ks_buf_add(b, s.p, s.n);
}

void ks_buf_cstr(struct ks_buf *b, const char *s)
{
	ks_buf_add(b, s, strlen(s));
}

void ks_buf_ch(struct ks_buf *b, char c)
{
	ks_buf_add(b, &c, 1);
}

void ks_buf_vfmt(struct ks_buf *b, const char *fmt, va_list ap)
{
	va_list again;

	va_copy(again, ap);
	const int n = vsnprintf(NULL, 0, fmt, ap);

	if (n < 0)
		b->failed = true;
	else if (reserve(b, (size_t)n)) {
		(void)vsnprintf(b->p + b->n, (size_t)n + 1, fmt, again);
		b->n += (size_t)n;
	}
	va_end(again);
}

void ks_buf_fmt(struct ks_buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	ks_buf_vfmt(b, fmt, ap);
	va_end(ap);
}

bool ks_buf_failed(const struct ks_buf *b)
{
	return b->failed;
}

ks_str ks_buf_view(const struct ks_buf *b)
{
	return (ks_str){ ks_buf_text(b), b->n };
}

const char *ks_buf_text(const struct ks_buf *b)
{
	return b->p ? b->p : "";
}

ks_str ks_buf_keep(const struct ks_buf *b, struct ks_arena *a)
{
	if (b->failed) {
		a->failed = true;
		return KS_STR_NONE;
	}
	return ks_arena_dup(a, ks_buf_view(b));
}
