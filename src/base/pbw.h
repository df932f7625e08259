/* SPDX-License-Identifier: Apache-2.0
 *
 * Protobuf wire format, written into memory that grows up to a ceiling. Knows fields and wire
 * types, no messages. Sticky: after a failure every call is a no-op and ks_pbw_failed() is true.
 */
#ifndef KS_BASE_PBW_H
#define KS_BASE_PBW_H

#include "base/base.h"

struct ks_pbw {
	unsigned char *p;
	size_t n, cap, max;
	bool failed;
};

enum { /* protobuf.dev, "Encoding": wire types, and the most bytes that a number takes */
       KS_PBW_VARINT = 0,
       KS_PBW_FIXED64 = 1,
       KS_PBW_BYTES = 2,
       KS_PBW_LONGEST = 10,
};

void ks_pbw_init(struct ks_pbw *w, size_t max_bytes);
void ks_pbw_release(struct ks_pbw *w);
/* Forgets what was written, keeps the memory. A failure stays. */
void ks_pbw_reset(struct ks_pbw *w);
bool ks_pbw_failed(const struct ks_pbw *w);

/* Makes room for that many bytes more; false after a failure. For the writers below. */
bool ks_pbw_grow(struct ks_pbw *w, size_t more);

static inline bool ks_pbw_room(struct ks_pbw *w, size_t more)
{
	return w->cap - w->n >= more || ks_pbw_grow(w, more);
}

static inline void ks_pbw_raw(struct ks_pbw *w, uint64_t v) /* after ks_pbw_room */
{
	while (v > 0x7f) {
		w->p[w->n++] = (unsigned char)(v | 0x80);
		v >>= 7;
	}
	w->p[w->n++] = (unsigned char)v;
}

/* int32, int64, uint32, uint64, bool and enum fields; a negative number is its two's complement. */
static inline void ks_pbw_uint(struct ks_pbw *w, unsigned field, uint64_t v)
{
	if (!ks_pbw_room(w, (size_t)2 * KS_PBW_LONGEST))
		return;
	ks_pbw_raw(w, (uint64_t)field << 3 | KS_PBW_VARINT);
	ks_pbw_raw(w, v);
}

static inline void ks_pbw_fixed64(struct ks_pbw *w, unsigned field, uint64_t v)
{
	if (!ks_pbw_room(w, KS_PBW_LONGEST + sizeof(v)))
		return;
	ks_pbw_raw(w, (uint64_t)field << 3 | KS_PBW_FIXED64);
	for (unsigned i = 0; i < sizeof(v); i++)
		w->p[w->n++] = (unsigned char)(v >> 8 * i);
}

void ks_pbw_bytes(struct ks_pbw *w, unsigned field, const void *p, size_t n);
/* A string field must be UTF-8: what is not, and what must not be shown raw, is made visible. */
void ks_pbw_text(struct ks_pbw *w, unsigned field, ks_str s);

/* A message inside a message: everything between open and close. Returns the place for close. */
static inline size_t ks_pbw_open(struct ks_pbw *w, unsigned field)
{
	if (!ks_pbw_room(w, KS_PBW_LONGEST + 1))
		return 0;
	ks_pbw_raw(w, (uint64_t)field << 3 | KS_PBW_BYTES);
	w->p[w->n++] = 0; /* room for the length of a short one */
	return w->n;
}

void ks_pbw_close_long(struct ks_pbw *w, size_t at);

static inline void ks_pbw_close(struct ks_pbw *w, size_t at)
{
	if (w->failed)
		return;
	if (w->n - at > 0x7f)
		ks_pbw_close_long(w, at);
	else
		w->p[at - 1] = (unsigned char)(w->n - at);
}

#endif
