/* SPDX-License-Identifier: Apache-2.0
 *
 * Which names -k means: exactly this one, or regex:PATTERN found anywhere in it. A pattern that
 * costs too much is an error, never a silent "no".
 */
#ifndef KS_ANALYZE_SELECT_H
#define KS_ANALYZE_SELECT_H

#include "base/arena.h"
#include "base/err.h"

struct ks_matcher;

/* expr "" matches everything. KS_E_USAGE for a bad pattern, with the place in it. */
enum ks_status ks_matcher_open(struct ks_matcher **m, ks_str expr, struct ks_err *err);
void ks_matcher_close(struct ks_matcher *m);
bool ks_matcher_is_regex(const struct ks_matcher *m);
enum ks_status ks_matcher_test(struct ks_matcher *m, ks_str name, bool *hit, struct ks_err *err);

/* The names nearest to what was asked for, best first: those that contain it, then by distance.
 * Fills at most `max` entries of out; returns how many. `name` holds distinct names, most important
 * first. */
size_t ks_nearest_names(ks_str asked, const ks_str *name, size_t n, ks_str *out, size_t max);

#endif
