/* SPDX-License-Identifier: Apache-2.0
 *
 * Protobuf wire format, written into memory. Refuses to write more than its ceiling.
 */
#include "base/pbw.h"

#include "base/mem.h"
#include "base/utf8.h"

#define FIRST_BYTES 4096

void ks_pbw_init(struct ks_pbw *w, size_t max_bytes)
{
	*w = (struct ks_pbw){ .max = max_bytes };
}

void ks_pbw_release(struct ks_pbw *w)
{
	ks_mem_free(w->p);
	*w = (struct ks_pbw){ .max = w->max };
}

void ks_pbw_reset(struct ks_pbw *w)
{
	w->n = 0;
}

bool ks_pbw_failed(const struct ks_pbw *w)
{
	return w->failed;
}

bool ks_pbw_grow(struct ks_pbw *w, size_t more)
{
	const size_t need = more > SIZE_MAX - w->n ? SIZE_MAX : w->n + more;

	if (!w->failed && !KS_GROW(w->p, w->cap, need < FIRST_BYTES ? FIRST_BYTES : need, w->max))
		w->failed = true;
	return !w->failed;
}

void ks_pbw_bytes(struct ks_pbw *w, unsigned field, const void *p, size_t n)
{
	if (n > SIZE_MAX - 2 * (size_t)KS_PBW_LONGEST ||
	    !ks_pbw_room(w, n + 2 * (size_t)KS_PBW_LONGEST)) {
		w->failed = true;
		return;
	}
	ks_pbw_raw(w, (uint64_t)field << 3 | KS_PBW_BYTES);
	ks_pbw_raw(w, n);
	if (n)
		memcpy(w->p + w->n, p, n);
	w->n += n;
}

static void put(void *arg, const char *p, size_t n)
{
	struct ks_pbw *w = arg;

	if (n == 0 || !ks_pbw_room(w, n))
		return;
	memcpy(w->p + w->n, p, n);
	w->n += n;
}

void ks_pbw_text(struct ks_pbw *w, unsigned field, ks_str s)
{
	const size_t at = ks_pbw_open(w, field);

	ks_utf8_visible(s, put, w);
	ks_pbw_close(w, at);
}

void ks_pbw_close_long(struct ks_pbw *w, size_t at)
{
	const size_t n = w->n - at;
	size_t more = 0;

	for (size_t v = n; v > 0x7f; v >>= 7)
		more++;
	if (!ks_pbw_room(w, more))
		return;
	memmove(w->p + at + more, w->p + at, n);
	w->n = at - 1;
	ks_pbw_raw(w, n);
	w->n += n;
}
