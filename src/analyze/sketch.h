/* SPDX-License-Identifier: Apache-2.0
 *
 * Durations of many launches in little memory: every value while there are few
 * (KS_LIMIT_EXACT_LAUNCHES), a dense window of
 * logarithmic buckets above that. The state depends on the values alone, never on their order, and
 * two sketches merge exactly. Quantiles come with the half-width of the bucket they were read from.
 */
#ifndef KS_ANALYZE_SKETCH_H
#define KS_ANALYZE_SKETCH_H

#include "base/base.h"

#define KS_SKETCH_BITS 7 /* bits behind the leading one: half-width 2^-8 of the value, 0.39 % */
#define KS_SKETCH_BUCKETS                                                                          \
	4096 /* widest window; beyond it neighbours are paired and a bit is lost */

struct ks_sketch {
	uint64_t n;
	ks_ns min, max;	  /* undefined while n is 0 */
	ks_ns *value;	  /* n values, while bits is 0 */
	uint32_t *bucket; /* counts of buckets lo ... lo + len - 1, once bits is not 0 */
	size_t cap;	  /* of whichever of the two there is */
	uint32_t lo, len;
	unsigned bits;
};

struct ks_quantile {
	double ns;
	double error_ns; /* the true value is within this of `ns`; 0: exact */
};

/* All zero is an empty sketch. */
void ks_sketch_release(struct ks_sketch *s);
/* v >= 0. False when out of memory or when a bucket would overflow; the sketch is then unusable. */
bool ks_sketch_add(struct ks_sketch *s, ks_ns v);
bool ks_sketch_merge(struct ks_sketch *into, const struct ks_sketch *from);
/* Sorts the exact values; called once before the questions below. */
void ks_sketch_settle(struct ks_sketch *s);
/* Value of rank 1 ... n. */
struct ks_quantile ks_sketch_rank(const struct ks_sketch *s, uint64_t rank);
/* Middle value; mean of the two middle ones for an even count. n > 0. */
struct ks_quantile ks_sketch_median(const struct ks_sketch *s);
/* Rank ceil(percent * n / 100). n > 0. */
struct ks_quantile ks_sketch_percentile(const struct ks_sketch *s, unsigned percent);
/* Median of |value - median|. n > 0. */
struct ks_quantile ks_sketch_mad(const struct ks_sketch *s);
/* Ranks of the 95 % interval of the median; false when they fall outside 1 ... n. */
bool ks_sketch_interval(uint64_t n, uint64_t *lo, uint64_t *hi);

#endif
