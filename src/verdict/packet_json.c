/* SPDX-License-Identifier: Apache-2.0
 *
 * From jansson's values to ours. Nothing here fails on odd content: what has no place is left out,
 * what nests too deep becomes "no value". Memory shortage shows in the arena.
 */
#include <jansson.h> /* before base/banned.h: its header names free */

#include "base/arena.h"
#include "verdict/packet_internal.h"

#define DEPTH 5 /* facts of both tools nest two levels */

static ks_str text_of(struct ks_arena *a, const json_t *v)
{
	if (!json_is_string(v))
		return KS_STR_NONE;
	return ks_arena_dup(a, (ks_str){ json_string_value(v), json_string_length(v) });
}

ks_str ks_pj_str(struct ks_arena *a, const json_t *object, const char *key)
{
	return text_of(a, json_object_get(object, key));
}

double ks_pj_real(const json_t *object, const char *key, double otherwise)
{
	const json_t *v = json_object_get(object, key);

	return json_is_number(v) ? json_number_value(v) : otherwise;
}

int64_t ks_pj_int(const json_t *object, const char *key)
{
	const json_t *v = json_object_get(object, key);

	return json_is_integer(v) ? (int64_t)json_integer_value(v) : 0;
}

bool ks_pj_true(const json_t *object, const char *key)
{
	return json_is_true(json_object_get(object, key));
}

static const struct ks_kv *object_at(struct ks_arena *a, const json_t *object, size_t *n,
				     int depth);

static struct ks_value value_at(struct ks_arena *a, const json_t *v, int depth)
{
	if (json_is_integer(v))
		return KS_VAL_INT((int64_t)json_integer_value(v));
	if (json_is_real(v))
		return KS_VAL_REAL(json_real_value(v));
	if (json_is_string(v))
		return KS_VAL_TEXT(text_of(a, v));
	if (json_is_boolean(v))
		return KS_VAL_BOOL(json_is_true(v));
	if (depth >= DEPTH)
		return KS_VAL_NONE;
	if (json_is_object(v)) {
		struct ks_value out = { .kind = KS_V_OBJECT };

		out.field = object_at(a, v, &out.n, depth + 1);
		return out;
	}
	if (!json_is_array(v))
		return KS_VAL_NONE;
	size_t n = json_array_size(v);
	struct ks_value *item = KS_ARENA_NEWS(a, struct ks_value, n);

	for (size_t i = 0; item && i < n; i++)
		item[i] = value_at(a, json_array_get(v, i), depth + 1);
	return (struct ks_value){ .kind = KS_V_ARRAY, .item = item, .n = item ? n : 0 };
}

static const struct ks_kv *object_at(struct ks_arena *a, const json_t *object, size_t *n, int depth)
{
	size_t count = json_object_size(object);
	struct ks_kv *kv = KS_ARENA_NEWS(a, struct ks_kv, count);
	const char *key;
	json_t *v;

	*n = 0;
	if (!kv || !json_is_object(object))
		return kv;
	/* Iterating does not change the object; jansson's interface has no const form. */
	json_t *it = (json_t *)(uintptr_t)object;

	json_object_foreach(it, key, v)
	{
		if (*n == count)
			break;
		kv[*n].key = ks_arena_dup(a, (ks_str){ key, strlen(key) });
		kv[*n].value = value_at(a, v, depth);
		(*n)++;
	}
	return kv;
}

struct ks_value ks_pj_value(struct ks_arena *a, const json_t *value)
{
	return value_at(a, value, 0);
}

const struct ks_kv *ks_pj_object(struct ks_arena *a, const json_t *object, size_t *n)
{
	return object_at(a, object, n, 0);
}

const ks_str *ks_pj_strings(struct ks_arena *a, const json_t *list, size_t max, size_t *n)
{
	size_t count = json_array_size(list); /* 0 for what is no list */

	if (count > max)
		count = max;
	ks_str *out = KS_ARENA_NEWS(a, ks_str, count);

	*n = 0;
	for (size_t i = 0; out && i < count; i++)
		if (json_is_string(json_array_get(list, i)))
			out[(*n)++] = text_of(a, json_array_get(list, i));
	return out;
}

struct ks_msg ks_pj_literal(struct ks_arena *a, ks_str text)
{
	ks_str *arg = text.n > 0 ? KS_ARENA_NEW(a, ks_str) : NULL;

	if (!arg)
		return (struct ks_msg){ .id = KS_TEXT_NONE };
	*arg = text;
	return (struct ks_msg){ .id = KS_TEXT_LITERAL, .n = 1, .arg = arg };
}
