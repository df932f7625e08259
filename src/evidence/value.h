/* SPDX-License-Identifier: Apache-2.0
 *
 * Values: copying, comparing, and their one JSON form, shared by packets, reports and CSV cells.
 */
#ifndef KS_EVIDENCE_VALUE_H
#define KS_EVIDENCE_VALUE_H

#include "base/jsonw.h"
#include "evidence/store.h"

/* Deep copy into the arena; a failed copy leaves the arena sticky. */
struct ks_value ks_value_copy(struct ks_arena *a, struct ks_value v);
const struct ks_kv *ks_kvs_copy(struct ks_arena *a, const struct ks_kv *kv, size_t n);
struct ks_msg ks_msg_copy(struct ks_arena *a, struct ks_msg m);

/* The same to the bit. */
bool ks_value_same(const struct ks_value *a, const struct ks_value *b);
bool ks_kvs_same(const struct ks_kv *a, size_t n_a, const struct ks_kv *b, size_t n_b);
bool ks_msg_same(const struct ks_msg *a, const struct ks_msg *b);

bool ks_value_finite(const struct ks_value *v);
/* A percentage of 100 or more: of an occupancy, that nothing limits it. */
bool ks_value_is_full_pct(const struct ks_value *v);
bool ks_value_is_number(const struct ks_value *v);
double ks_value_real(const struct ks_value *v); /* of a number; 0 for everything else */

/* For a sentence: 5, 1.25, text, a, b; nothing for no value. */
void ks_value_text(struct ks_buf *out, const struct ks_value *v);
/* null, 5, 1.25, "text", true, ["a","b"] */
void ks_value_json(struct ks_jsonw *w, const struct ks_value *v);
/* An object with its keys in byte order, whatever order they were given in. */
void ks_kvs_json(struct ks_jsonw *w, const struct ks_kv *kv, size_t n);

#endif
