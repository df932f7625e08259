/* SPDX-License-Identifier: Apache-2.0
 *
 * Streaming JSON. Escapes at the last step; writes no number JSON does not know.
 */
#include "base/jsonw.h"

#include <errno.h>
#include <math.h>

#include "base/num.h"
#include "base/str.h"
#include "base/utf8.h"

void ks_jsonw_init(struct ks_jsonw *w, struct ks_out *out, int indent)
{
	*w = (struct ks_jsonw){ .out = out, .indent = indent };
}

static void new_line(struct ks_jsonw *w)
{
	if (w->indent <= 0)
		return;
	ks_out_ch(w->out, '\n');
	for (int i = 0; i < w->depth * w->indent; i++)
		ks_out_ch(w->out, ' ');
}

/* Comma and indent in front of a key or of an array's item. */
static void next_item(struct ks_jsonw *w)
{
	if (w->after_key) {
		w->after_key = false;
		return;
	}
	if (w->depth == 0)
		return;
	if (w->has_item[w->depth - 1])
		ks_out_ch(w->out, ',');
	w->has_item[w->depth - 1] = true;
	new_line(w);
}

static void open_level(struct ks_jsonw *w, char bracket)
{
	next_item(w);
	ks_out_ch(w->out, bracket);
	BUG_ON(w->depth >= KS_JSONW_DEPTH);
	if (w->depth >= KS_JSONW_DEPTH) {
		w->out->err_no = w->out->err_no ? w->out->err_no : EOVERFLOW;
		return;
	}
	w->has_item[w->depth++] = false;
}

static void close_level(struct ks_jsonw *w, char bracket)
{
	BUG_ON(w->depth <= 0 || w->after_key);
	if (w->depth <= 0)
		return;
	w->depth--;
	if (w->has_item[w->depth])
		new_line(w);
	ks_out_ch(w->out, bracket);
}

void ks_jsonw_obj(struct ks_jsonw *w)
{
	open_level(w, '{');
}

void ks_jsonw_obj_end(struct ks_jsonw *w)
{
	close_level(w, '}');
}

void ks_jsonw_arr(struct ks_jsonw *w)
{
	open_level(w, '[');
}

void ks_jsonw_arr_end(struct ks_jsonw *w)
{
	close_level(w, ']');
}

static void put_unit(struct ks_out *out, unsigned unit)
{
	ks_out_fmt(out, "\\u%04x", unit);
}

static const char short_form[][2] = { { '"', '"' },  { '\\', '\\' }, { '\n', 'n' }, { '\t', 't' },
				      { '\r', 'r' }, { '\b', 'b' },  { '\f', 'f' } };

static void put_escape(struct ks_out *out, int32_t cp, unsigned char byte)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(short_form); i++) {
		if (cp == short_form[i][0]) {
			ks_out_ch(out, '\\');
			ks_out_ch(out, short_form[i][1]);
			return;
		}
	}
	if (cp < 0) {
		ks_out_fmt(out, "\\\\x%02X", byte);
	} else if (cp < 0x10000) {
		put_unit(out, (unsigned)cp);
	} else {
		put_unit(out, 0xD800u + ((unsigned)(cp - 0x10000) >> 10));
		put_unit(out, 0xDC00u + ((unsigned)(cp - 0x10000) & 0x3FF));
	}
}

/* Most characters are of these. */
static bool is_plain(char c)
{
	return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

static void put_string(struct ks_out *out, ks_str s)
{
	size_t raw = 0; /* start of what was not written yet */

	ks_out_ch(out, '"');
	for (size_t i = 0; i < s.n;) {
		const size_t at = i;

		if (is_plain(s.p[i])) {
			i++;
			continue;
		}
		const int32_t cp = ks_utf8_next(s, &i);

		if (cp >= 0 && cp != '"' && cp != '\\' && !ks_utf8_is_hostile(cp))
			continue;
		ks_out_write(out, s.p + raw, at - raw);
		put_escape(out, cp, (unsigned char)s.p[at]);
		raw = i;
	}
	if (s.n > raw)
		ks_out_write(out, s.p + raw, s.n - raw);
	ks_out_ch(out, '"');
}

void ks_jsonw_key(struct ks_jsonw *w, const char *key)
{
	ks_jsonw_key_str(w, ks_str_c(key));
}

void ks_jsonw_key_str(struct ks_jsonw *w, ks_str key)
{
	BUG_ON(w->after_key);
	next_item(w);
	put_string(w->out, key);
	ks_out_cstr(w->out, w->indent > 0 ? ": " : ":");
	w->after_key = true;
}

void ks_jsonw_str(struct ks_jsonw *w, ks_str s)
{
	next_item(w);
	put_string(w->out, s);
}

void ks_jsonw_cstr(struct ks_jsonw *w, const char *s)
{
	ks_jsonw_str(w, ks_str_c(s));
}

void ks_jsonw_i64(struct ks_jsonw *w, int64_t v)
{
	char text[KS_NUM_LEN];

	next_item(w);
	ks_out_write(w->out, text, ks_num_i64(text, v));
}

void ks_jsonw_u64(struct ks_jsonw *w, uint64_t v)
{
	char text[KS_NUM_LEN];

	next_item(w);
	ks_out_write(w->out, text, ks_num_u64(text, v));
}

void ks_jsonw_double(struct ks_jsonw *w, double v)
{
	char text[KS_NUM_LEN];

	BUG_ON(!isfinite(v));
	if (!isfinite(v)) {
		ks_jsonw_null(w);
		return;
	}
	next_item(w);
	ks_out_write(w->out, text, ks_num_double(text, v));
}

void ks_jsonw_bool(struct ks_jsonw *w, bool v)
{
	next_item(w);
	ks_out_cstr(w->out, v ? "true" : "false");
}

void ks_jsonw_null(struct ks_jsonw *w)
{
	next_item(w);
	ks_out_cstr(w->out, "null");
}

void ks_jsonw_kv_str(struct ks_jsonw *w, const char *key, ks_str s)
{
	ks_jsonw_key(w, key);
	ks_jsonw_str(w, s);
}

void ks_jsonw_kv_cstr(struct ks_jsonw *w, const char *key, const char *s)
{
	ks_jsonw_key(w, key);
	ks_jsonw_cstr(w, s);
}

void ks_jsonw_kv_i64(struct ks_jsonw *w, const char *key, int64_t v)
{
	ks_jsonw_key(w, key);
	ks_jsonw_i64(w, v);
}

void ks_jsonw_kv_double(struct ks_jsonw *w, const char *key, double v)
{
	ks_jsonw_key(w, key);
	ks_jsonw_double(w, v);
}

void ks_jsonw_kv_bool(struct ks_jsonw *w, const char *key, bool v)
{
	ks_jsonw_key(w, key);
	ks_jsonw_bool(w, v);
}

void ks_jsonw_kv_known(struct ks_jsonw *w, const char *key, ks_str s)
{
	ks_jsonw_key(w, key);
	if (s.n > 0)
		ks_jsonw_str(w, s);
	else
		ks_jsonw_null(w);
}

void ks_jsonw_kv_strs(struct ks_jsonw *w, const char *key, const ks_str *s, size_t n)
{
	ks_jsonw_key(w, key);
	ks_jsonw_arr(w);
	for (size_t i = 0; i < n; i++)
		ks_jsonw_str(w, s[i]);
	ks_jsonw_arr_end(w);
}
