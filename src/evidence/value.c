/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies, comparisons and the JSON form of values. Knows no metric and no unit.
 */
#include "evidence/value.h"

#include <math.h>

#include "base/num.h"
#include "base/str.h"

static const ks_str *copy_list(struct ks_arena *a, const ks_str *s, size_t n)
{
	ks_str *out = KS_ARENA_NEWS(a, ks_str, n);

	if (!out)
		return NULL;
	for (size_t i = 0; i < n; i++)
		out[i] = ks_arena_dup(a, s[i]);
	return out;
}

/* Recursion ends: values nest as deep as the reader of packets lets them (its limit), or one level.
 */
static const struct ks_value *copy_items(struct ks_arena *a, const struct ks_value *item, size_t n)
{
	struct ks_value *out = KS_ARENA_NEWS(a, struct ks_value, n);

	if (!out)
		return NULL;
	for (size_t i = 0; i < n; i++)
		out[i] = ks_value_copy(a, item[i]);
	return out;
}

struct ks_value ks_value_copy(struct ks_arena *a, struct ks_value v)
{
	if (v.kind == KS_V_TEXT)
		v.s = ks_arena_dup(a, v.s);
	if (v.kind == KS_V_LIST) {
		v.list = copy_list(a, v.list, v.n);
		if (!v.list)
			v.n = 0;
	}
	if (v.kind == KS_V_ARRAY) {
		v.item = copy_items(a, v.item, v.n);
		if (!v.item)
			v.n = 0;
	}
	if (v.kind == KS_V_OBJECT) {
		v.field = ks_kvs_copy(a, v.field, v.n);
		if (!v.field)
			v.n = 0;
	}
	return v;
}

const struct ks_kv *ks_kvs_copy(struct ks_arena *a, const struct ks_kv *kv, size_t n)
{
	if (n == 0)
		return NULL;
	struct ks_kv *out = KS_ARENA_NEWS(a, struct ks_kv, n);

	if (!out)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		out[i].key = ks_arena_dup(a, kv[i].key);
		out[i].value = ks_value_copy(a, kv[i].value);
	}
	return out;
}

struct ks_msg ks_msg_copy(struct ks_arena *a, struct ks_msg m)
{
	if (m.n > 0)
		m.arg = copy_list(a, m.arg, m.n);
	if (m.n > 0 && !m.arg)
		m.n = 0;
	return m;
}

static bool same_texts(const ks_str *a, const ks_str *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!ks_str_eq(a[i], b[i]))
			return false;
	return true;
}

/* Recursion ends as it does for copies. */
static bool same_items(const struct ks_value *a, const struct ks_value *b)
{
	for (size_t i = 0; i < a->n; i++)
		if (!ks_value_same(&a->item[i], &b->item[i]))
			return false;
	return true;
}

bool ks_value_same(const struct ks_value *a, const struct ks_value *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case KS_V_NONE:
		return true;
	case KS_V_INT:
	case KS_V_BOOL:
		return a->i == b->i;
	case KS_V_REAL:
		return memcmp(&a->d, &b->d, sizeof(a->d)) == 0;
	case KS_V_TEXT:
		return ks_str_eq(a->s, b->s);
	case KS_V_LIST:
		return a->n == b->n && same_texts(a->list, b->list, a->n);
	case KS_V_ARRAY:
		return a->n == b->n && same_items(a, b);
	case KS_V_OBJECT:
		return ks_kvs_same(a->field, a->n, b->field, b->n);
	}
	return false;
}

bool ks_kvs_same(const struct ks_kv *a, size_t n_a, const struct ks_kv *b, size_t n_b)
{
	if (n_a != n_b)
		return false;
	for (size_t i = 0; i < n_a; i++)
		if (!ks_str_eq(a[i].key, b[i].key) || !ks_value_same(&a[i].value, &b[i].value))
			return false;
	return true;
}

bool ks_msg_same(const struct ks_msg *a, const struct ks_msg *b)
{
	return a->id == b->id && a->n == b->n && same_texts(a->arg, b->arg, a->n);
}

bool ks_value_finite(const struct ks_value *v)
{
	return v->kind != KS_V_REAL || isfinite(v->d);
}

bool ks_value_is_number(const struct ks_value *v)
{
	return v->kind == KS_V_INT || v->kind == KS_V_REAL;
}

double ks_value_real(const struct ks_value *v)
{
	if (v->kind == KS_V_INT)
		return (double)v->i;
	return v->kind == KS_V_REAL ? v->d : 0.0;
}

void ks_value_text(struct ks_buf *out, const struct ks_value *v)
{
	char num[KS_NUM_LEN];

	switch (v->kind) {
	case KS_V_NONE:
		return;
	case KS_V_INT:
		ks_buf_add(out, num, ks_num_i64(num, v->i));
		return;
	case KS_V_REAL:
		ks_buf_add(out, num, ks_num_human(num, v->d));
		return;
	case KS_V_TEXT:
		ks_buf_str(out, v->s);
		return;
	case KS_V_BOOL:
		ks_buf_cstr(out, v->i != 0 ? "true" : "false");
		return;
	case KS_V_LIST:
		for (size_t i = 0; i < v->n; i++) {
			ks_buf_cstr(out, i > 0 ? ", " : "");
			ks_buf_str(out, v->list[i]);
		}
		return;
	case KS_V_ARRAY:
		for (size_t i = 0; i < v->n; i++) {
			ks_buf_cstr(out, i > 0 ? ", " : "");
			ks_value_text(out, &v->item[i]);
		}
		return;
	case KS_V_OBJECT:
		for (size_t i = 0; i < v->n; i++) {
			ks_buf_cstr(out, i > 0 ? " " : "");
			ks_buf_str(out, v->field[i].key);
			ks_buf_ch(out, '=');
			ks_value_text(out, &v->field[i].value);
		}
		return;
	}
}

void ks_value_json(struct ks_jsonw *w, const struct ks_value *v)
{
	switch (v->kind) {
	case KS_V_NONE:
		ks_jsonw_null(w);
		return;
	case KS_V_INT:
		ks_jsonw_i64(w, v->i);
		return;
	case KS_V_REAL:
		ks_jsonw_double(w, v->d);
		return;
	case KS_V_TEXT:
		ks_jsonw_str(w, v->s);
		return;
	case KS_V_BOOL:
		ks_jsonw_bool(w, v->i != 0);
		return;
	case KS_V_LIST:
		ks_jsonw_arr(w);
		for (size_t i = 0; i < v->n; i++)
			ks_jsonw_str(w, v->list[i]);
		ks_jsonw_arr_end(w);
		return;
	case KS_V_ARRAY:
		ks_jsonw_arr(w);
		for (size_t i = 0; i < v->n; i++)
			ks_value_json(w, &v->item[i]);
		ks_jsonw_arr_end(w);
		return;
	case KS_V_OBJECT:
		ks_jsonw_obj(w);
		for (size_t i = 0; i < v->n; i++) {
			ks_jsonw_key_str(w, v->field[i].key);
			ks_value_json(w, &v->field[i].value);
		}
		ks_jsonw_obj_end(w);
		return;
	}
}

/* The next key after `last` in byte order, equal keys by position: no copy needed for a handful. */
static size_t next_key(const struct ks_kv *kv, size_t n, size_t last)
{
	size_t best = n;

	for (size_t i = 0; i < n; i++) {
		int after = last == n ? 1 : ks_str_cmp(kv[i].key, kv[last].key);

		if (after < 0 || (after == 0 && i <= last))
			continue;
		if (best == n || ks_str_cmp(kv[i].key, kv[best].key) < 0)
			best = i;
	}
	return best;
}

void ks_kvs_json(struct ks_jsonw *w, const struct ks_kv *kv, size_t n)
{
	ks_jsonw_obj(w);
	for (size_t i = next_key(kv, n, n); i < n; i = next_key(kv, n, i)) {
		ks_jsonw_key_str(w, kv[i].key);
		ks_value_json(w, &kv[i].value);
	}
	ks_jsonw_obj_end(w);
}

bool ks_value_is_full_pct(const struct ks_value *v)
{
	return ks_value_is_number(v) && ks_value_real(v) >= 100.0;
}
