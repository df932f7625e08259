/* SPDX-License-Identifier: Apache-2.0
 *
 * Typed access to a JSON document: absent is absent, a wrong type is an error that names the place.
 */
#include "base/num.h"
#include "base/str.h"
#include "source/ksreport.h"

size_t ks_reader_enter(struct ks_reader *r, const char *key, size_t index)
{
	const size_t mark = strlen(r->place);
	char *end = r->place + mark;
	const size_t room = sizeof(r->place) - mark;

	if (index == KS_READER_NO_INDEX)
		snprintf(end, room, "%s%s", mark ? "." : "", key);
	else
		snprintf(end, room, "%s%s[%zu]", mark ? "." : "", key, index);
	return mark;
}

void ks_reader_leave(struct ks_reader *r, size_t mark)
{
	r->place[mark] = '\0';
}

void ks_reader_wrong(struct ks_reader *r, const char *key, int what)
{
	char place[sizeof(r->place) + 64];

	if (r->failed)
		return;
	snprintf(place, sizeof(place), "%s%s%s", r->place, r->place[0] && key[0] ? "." : "", key);
	ks_err_set(r->err, KS_E_INPUT,
		   (int)(r->wrong != KS_TEXT_NONE ? r->wrong : KS_TEXT_ERR_SRC_REPORT_SHAPE),
		   r->path, place, ks_text_get((enum ks_text)what, (enum ks_lang)r->ctx->lang),
		   (char *)NULL);
	ks_err_at(r->err, r->path, -1);
	r->failed = true;
}

void ks_reader_no_memory(struct ks_reader *r)
{
	if (!r->failed)
		ks_err_set(r->err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "report", (char *)NULL);
	r->failed = true;
}

static const json_t *get(const struct ks_reader *r, const json_t *o, const char *key)
{
	const json_t *v = r->failed ? NULL : json_object_get(o, key);

	return json_is_null(v) ? NULL : v;
}

/* 2^53: a real number up to here may stand for an integer (some writers print 5.0). */
static const double exact_real = 9007199254740992.0;

static bool whole(const json_t *v, int64_t *out)
{
	if (json_is_integer(v)) {
		*out = json_integer_value(v);
		return *out != KS_UNKNOWN;
	}
	if (!json_is_real(v))
		return false;

	const double d = json_real_value(v);

	if (!(d >= -exact_real && d <= exact_real))
		return false;
	*out = (int64_t)d;
	return !((double)*out < d || (double)*out > d);
}

int64_t ks_reader_int(struct ks_reader *r, const json_t *o, const char *key, int64_t absent)
{
	const json_t *v = get(r, o, key);
	int64_t i = absent;

	if (v && !whole(v, &i)) {
		ks_reader_wrong(r, key, KS_TEXT_SRC_SHAPE_INT);
		return absent;
	}
	return i;
}

uint64_t ks_reader_count(struct ks_reader *r, const json_t *o, const char *key)
{
	const int64_t i = ks_reader_int(r, o, key, 0);

	if (i < 0)
		ks_reader_wrong(r, key, KS_TEXT_SRC_SHAPE_INT);
	return i < 0 ? 0 : (uint64_t)i;
}

double ks_reader_real(struct ks_reader *r, const json_t *o, const char *key, double absent)
{
	const json_t *v = get(r, o, key);

	if (!v)
		return absent;
	if (!json_is_number(v)) {
		ks_reader_wrong(r, key, KS_TEXT_SRC_SHAPE_REAL);
		return absent;
	}
	return json_number_value(v);
}

bool ks_reader_bool(struct ks_reader *r, const json_t *o, const char *key, bool absent)
{
	const json_t *v = get(r, o, key);

	if (!v)
		return absent;
	if (!json_is_boolean(v))
		ks_reader_wrong(r, key, KS_TEXT_SRC_SHAPE_BOOL);
	return json_is_true(v);
}

static ks_str copy_text(struct ks_reader *r, const json_t *v)
{
	const ks_str s = { json_string_value(v), json_string_length(v) };
	const ks_str own = ks_arena_dup(r->arena, s);

	if (ks_arena_failed(r->arena))
		ks_reader_no_memory(r);
	return own;
}

ks_str ks_reader_text(struct ks_reader *r, const json_t *o, const char *key)
{
	const json_t *v = get(r, o, key);

	if (!v)
		return KS_LIT("");
	if (!json_is_string(v)) {
		ks_reader_wrong(r, key, KS_TEXT_SRC_SHAPE_TEXT);
		return KS_LIT("");
	}
	return copy_text(r, v);
}

struct ks_msg ks_reader_literal(struct ks_reader *r, ks_str text)
{
	if (!text.n)
		return (struct ks_msg){ .id = KS_TEXT_NONE };

	ks_str *arg = KS_ARENA_NEW(r->arena, ks_str);

	if (!arg) {
		ks_reader_no_memory(r);
		return (struct ks_msg){ .id = KS_TEXT_NONE };
	}
	*arg = text;
	return (struct ks_msg){ .id = KS_TEXT_LITERAL, .n = 1, .arg = arg };
}

struct ks_msg ks_reader_msg(struct ks_reader *r, const json_t *o, const char *key)
{
	return ks_reader_literal(r, ks_reader_text(r, o, key));
}

const json_t *ks_reader_array(struct ks_reader *r, const json_t *o, const char *key)
{
	const json_t *v = get(r, o, key);

	if (v && !json_is_array(v)) {
		ks_reader_wrong(r, key, KS_TEXT_SRC_SHAPE_ARRAY);
		return NULL;
	}
	return v;
}

const json_t *ks_reader_object(struct ks_reader *r, const json_t *o, const char *key)
{
	const json_t *v = get(r, o, key);

	if (v && !json_is_object(v)) {
		ks_reader_wrong(r, key, KS_TEXT_SRC_SHAPE_OBJECT);
		return NULL;
	}
	return v;
}

const json_t *ks_reader_element(struct ks_reader *r, const json_t *array, size_t i)
{
	const json_t *v = r->failed ? NULL : json_array_get(array, i);

	if (!r->failed && !json_is_object(v)) {
		ks_reader_wrong(r, "", KS_TEXT_SRC_SHAPE_OBJECT);
		return NULL;
	}
	return v;
}

void ks_reader_triple(struct ks_reader *r, const json_t *o, const char *key, int64_t v[3])
{
	const json_t *a = ks_reader_array(r, o, key);

	if (!a)
		return;
	for (size_t i = 0; i < 3; i++) {
		const json_t *one = json_array_get(a, i);

		v[i] = KS_UNKNOWN;
		if (json_array_size(a) != 3 || (!json_is_null(one) && !whole(one, &v[i]))) {
			ks_reader_wrong(r, key, KS_TEXT_SRC_SHAPE_TRIPLE);
			return;
		}
	}
}

static struct ks_value value_at(struct ks_reader *r, const json_t *v, int depth);

static const struct ks_kv *fields(struct ks_reader *r, const json_t *o, size_t *n, int depth)
{
	struct ks_kv *kv = KS_ARENA_NEWS(r->arena, struct ks_kv, json_object_size(o));
	const char *key;
	json_t *v;

	*n = 0;
	if (!kv) {
		ks_reader_no_memory(r);
		return NULL;
	}
	json_object_foreach((json_t *)(uintptr_t)o, key, v) kv[(*n)++] =
		(struct ks_kv){ ks_arena_dup(r->arena, ks_str_c(key)), value_at(r, v, depth) };
	return kv;
}

static struct ks_value list_at(struct ks_reader *r, const json_t *a, int depth)
{
	const size_t n = json_array_size(a);
	struct ks_value *item = KS_ARENA_NEWS(r->arena, struct ks_value, n);

	if (!item) {
		ks_reader_no_memory(r);
		return KS_VAL_NONE;
	}
	for (size_t i = 0; i < n; i++)
		item[i] = value_at(r, json_array_get(a, i), depth);
	return (struct ks_value){ .kind = KS_V_ARRAY, .item = item, .n = n };
}

static struct ks_value value_at(struct ks_reader *r, const json_t *v, int depth)
{
	struct ks_value out = KS_VAL_NONE;

	if (r->failed)
		return out;
	if (depth > KS_REPORT_DEPTH) {
		ks_reader_wrong(r, "", KS_TEXT_SRC_SHAPE_DEPTH);
		return out;
	}
	switch (json_typeof(v)) {
	case JSON_INTEGER:
		return KS_VAL_INT(json_integer_value(v));
	case JSON_REAL:
		return KS_VAL_REAL(json_real_value(v));
	case JSON_STRING:
		return KS_VAL_TEXT(copy_text(r, v));
	case JSON_TRUE:
	case JSON_FALSE:
		return KS_VAL_BOOL(json_is_true(v));
	case JSON_ARRAY:
		return list_at(r, v, depth + 1);
	case JSON_OBJECT:
		out.kind = KS_V_OBJECT;
		out.field = fields(r, v, &out.n, depth + 1);
		return out;
	case JSON_NULL:
		break;
	}
	return out;
}

struct ks_value ks_reader_value(struct ks_reader *r, const json_t *o, const char *key)
{
	const json_t *v = get(r, o, key);

	return v ? value_at(r, v, 0) : KS_VAL_NONE;
}

const struct ks_kv *ks_reader_kvs(struct ks_reader *r, const json_t *o, const char *key, size_t *n)
{
	const json_t *v = ks_reader_object(r, o, key);

	*n = 0;
	return v ? fields(r, v, n, 0) : NULL;
}
