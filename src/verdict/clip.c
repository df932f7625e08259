/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortening for packets: by characters, as contract 03 §3 counts them, or by the bytes they take
 * in JSON. Cuts between characters; an invalid byte counts as one.
 */
#include <math.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "verdict/packet_internal.h"

#define MOST_KEYS  16 /* of one object; ours have at most 12 */
#define MOST_ITEMS 8  /* of one list: available_names has 8 (contract 02 §4.3) */
#define MOST_DEPTH 4

static size_t after_chars(ks_str s, size_t chars)
{
	size_t i = 0;

	for (size_t n = 0; n < chars && i < s.n; n++)
		(void)ks_utf8_next(s, &i);
	return i;
}

ks_str ks_clip_view(ks_str s, size_t chars)
{
	return (ks_str){ s.p, after_chars(s, chars) };
}

ks_str ks_clip_plain(ks_str s, size_t bytes)
{
	size_t i = 0, used = 0;

	for (size_t end = 0; end < s.n; i = end) {
		int32_t cp = ks_utf8_next(s, &end);
		bool escaped = cp < ' ' || cp == '"' || cp == '\\' || ks_utf8_is_hostile(cp);

		used += escaped ? 12 : end - i; /* at most two \uXXXX */
		if (used > bytes)
			break;
	}
	return (ks_str){ s.p, i };
}

ks_str ks_clip(struct ks_arena *a, ks_str s, size_t chars)
{
	static const char ellipsis[] = "\xe2\x80\xa6";

	if (after_chars(s, chars) >= s.n)
		return s;
	size_t keep = after_chars(s, chars - 1);
	char *p = ks_arena_alloc(a, keep + sizeof(ellipsis));

	if (!p)
		return KS_STR_NONE;
	memcpy(p, s.p, keep);
	memcpy(p + keep, ellipsis, sizeof(ellipsis) - 1);
	return (ks_str){ p, keep + sizeof(ellipsis) - 1 };
}

static struct ks_value clip_value(struct ks_arena *a, struct ks_value v, bool nested, int depth);

/* Six decimals: a nanosecond in milliseconds. The value of a decision itself is never rounded. */
static double decimals(double v)
{
	return fabs(v) < 1e9 ? round(v * 1e6) / 1e6 : v;
}

static const struct ks_kv *clip_object(struct ks_arena *a, const struct ks_kv *kv, size_t *n,
				       bool nested, int depth)
{
	if (*n > MOST_KEYS)
		*n = MOST_KEYS;
	struct ks_kv *out = KS_ARENA_NEWS(a, struct ks_kv, *n);

	for (size_t i = 0; out && i < *n; i++) {
		out[i].key = ks_clip_view(kv[i].key, KS_CLIP_FACT);
		out[i].value = clip_value(a, kv[i].value, nested, depth);
	}
	if (!out)
		*n = 0;
	return out;
}

static struct ks_value clip_array(struct ks_arena *a, struct ks_value v, bool nested, int depth)
{
	if (v.n > MOST_ITEMS)
		v.n = MOST_ITEMS;
	if (v.kind == KS_V_ARRAY) {
		struct ks_value *item = KS_ARENA_NEWS(a, struct ks_value, v.n);

		for (size_t i = 0; item && i < v.n; i++)
			item[i] = clip_value(a, v.item[i], nested, depth + 1);
		v.item = item;
		v.n = item ? v.n : 0;
		return v;
	}
	ks_str *list = KS_ARENA_NEWS(a, ks_str, v.n);

	for (size_t i = 0; list && i < v.n; i++)
		list[i] = nested ? ks_clip(a, v.list[i], KS_CLIP_FACT) : v.list[i];
	v.list = list;
	v.n = list ? v.n : 0;
	return v;
}

static struct ks_value clip_value(struct ks_arena *a, struct ks_value v, bool nested, int depth)
{
	if (v.kind == KS_V_REAL)
		v.d = decimals(v.d);
	if (v.kind == KS_V_TEXT && (depth == 0 || nested))
		v.s = ks_clip(a, v.s, KS_CLIP_FACT);
	if (v.kind == KS_V_LIST || v.kind == KS_V_ARRAY || v.kind == KS_V_OBJECT) {
		if (depth >= MOST_DEPTH)
			return KS_VAL_NONE;
		if (v.kind == KS_V_OBJECT)
			v.field = clip_object(a, v.field, &v.n, nested, depth + 1);
		else
			v = clip_array(a, v, nested, depth);
	}
	return v;
}

const struct ks_kv *ks_clip_kvs(struct ks_arena *a, const struct ks_kv *kv, size_t *n, bool nested)
{
	return clip_object(a, kv, n, nested, 0);
}

struct ks_value ks_clip_value(struct ks_arena *a, struct ks_value v)
{
	return clip_value(a, v, true, 0);
}
