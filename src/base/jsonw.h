/* SPDX-License-Identifier: Apache-2.0
 *
 * A streaming JSON writer over ks_out. The caller says begin/key/value/end in order; commas,
 * indents and escapes are made here. Strings may be any bytes: valid UTF-8 is kept, what must not
 * be shown raw is \u-escaped, and an invalid byte is written as the four characters \xNN.
 */
#ifndef KS_BASE_JSONW_H
#define KS_BASE_JSONW_H

#include "base/io.h"

#define KS_JSONW_DEPTH 24

struct ks_jsonw {
	struct ks_out *out;
	int indent; /* 0 = compact, no spaces at all; else spaces per level */
	int depth;
	bool after_key;
	bool has_item[KS_JSONW_DEPTH];
};

void ks_jsonw_init(struct ks_jsonw *w, struct ks_out *out, int indent);
void ks_jsonw_obj(struct ks_jsonw *w);
void ks_jsonw_obj_end(struct ks_jsonw *w);
void ks_jsonw_arr(struct ks_jsonw *w);
void ks_jsonw_arr_end(struct ks_jsonw *w);
void ks_jsonw_key(struct ks_jsonw *w, const char *key);
void ks_jsonw_key_str(struct ks_jsonw *w, ks_str key);
void ks_jsonw_str(struct ks_jsonw *w, ks_str s);
void ks_jsonw_cstr(struct ks_jsonw *w, const char *s);
void ks_jsonw_i64(struct ks_jsonw *w, int64_t v);
void ks_jsonw_u64(struct ks_jsonw *w, uint64_t v);
void ks_jsonw_double(struct ks_jsonw *w, double v); /* not finite: null (and BUG_ON) */
void ks_jsonw_bool(struct ks_jsonw *w, bool v);
void ks_jsonw_null(struct ks_jsonw *w);
/* key and value in one call */
void ks_jsonw_kv_str(struct ks_jsonw *w, const char *key, ks_str s);
void ks_jsonw_kv_cstr(struct ks_jsonw *w, const char *key, const char *s);
void ks_jsonw_kv_i64(struct ks_jsonw *w, const char *key, int64_t v);
void ks_jsonw_kv_double(struct ks_jsonw *w, const char *key, double v);
void ks_jsonw_kv_bool(struct ks_jsonw *w, const char *key, bool v);
void ks_jsonw_kv_known(struct ks_jsonw *w, const char *key, ks_str s); /* null for "" */
void ks_jsonw_kv_strs(struct ks_jsonw *w, const char *key, const ks_str *s, size_t n);

#endif
