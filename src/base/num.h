/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers to text and back, independent of the locale. Everything strict: no blanks, no tail.
 */
#ifndef KS_BASE_NUM_H
#define KS_BASE_NUM_H

#include "base/base.h"

#define KS_NUM_LEN 40 /* holds any result below, NUL included */

/* All return the length written. */
size_t ks_num_i64(char out[KS_NUM_LEN], int64_t v);
size_t ks_num_u64(char out[KS_NUM_LEN], uint64_t v);
/* The first of %.15g, %.16g and %.17g that reads back as the same double (denormals: from %.1g on):
 * the shortest text there is, but for some powers of two, which get one digit more. Integral values
 * below 2^53 print without point and exponent ("5", not "5.0"). v must be finite. */
size_t ks_num_double(char out[KS_NUM_LEN], double v);
/* For people: %.6g, integral values as integers. */
size_t ks_num_human(char out[KS_NUM_LEN], double v);
/* With thousands separators, for people: 1,048,576. */
size_t ks_num_grouped(char out[KS_NUM_LEN], int64_t v);

bool ks_num_parse_i64(ks_str s, int64_t *v);
bool ks_num_parse_u64(ks_str s, uint64_t *v);
bool ks_num_parse_double(ks_str s, double *v); /* finite only; no hex, no inf, no nan */

/* -1, 0 or 1, without the overflow of a difference. */
int ks_num_cmp_i64(int64_t a, int64_t b);
/* The mean of the two middle ones where n is even; n > 0, no NaN. Sorts v. */
double ks_num_median(double *v, size_t n);

/* Saturation is never silent: false on overflow, *sum untouched. */
bool ks_num_add_u64(uint64_t *sum, uint64_t v);

#endif
