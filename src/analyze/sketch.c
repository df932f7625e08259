/* SPDX-License-Identifier: Apache-2.0
 *
 * Log-bucket sketch. A bucket is the position of the top bit and the next `bits` bits; values below
 * 2^bits have a bucket each. Precision is given up only when the window from the smallest to the
 * largest value would be too wide, so it depends on those two alone.
 */
#include "analyze/sketch.h"

#include <math.h>

#include "base/mem.h"
#include "tables/tables.h"

/* Room is added in steps so that a slowly widening window does not reallocate for every value. */
#define WINDOW_STEP 32

static uint32_t bucket_of(ks_ns v, unsigned bits)
{
	uint64_t u = (uint64_t)v;

	if (u >> bits == 0)
		return (uint32_t)u;
	unsigned top = 63U - (unsigned)__builtin_clzll(u);
	uint64_t sub = (u >> (top - bits)) & ((UINT64_C(1) << bits) - 1);

	return ((top - bits + 1) << bits) | (uint32_t)sub;
}

/* The same bucket with one bit less. */
static uint32_t bucket_halved(uint32_t index, unsigned bits)
{
	return index >> bits == 0 ? index : (index >> 1) + (UINT32_C(1) << (bits - 1));
}

static double bucket_low(uint32_t index, unsigned bits, double *width)
{
	if (index >> bits == 0) {
		*width = 1.0;
		return (double)index;
	}
	unsigned shift = (index >> bits) - 1;
	uint64_t sub = index & ((UINT32_C(1) << bits) - 1);

	*width = ldexp(1.0, (int)shift);
	return ldexp((double)((UINT64_C(1) << bits) + sub), (int)shift);
}

void ks_sketch_release(struct ks_sketch *s)
{
	ks_mem_free(s->value);
	ks_mem_free(s->bucket);
	*s = (struct ks_sketch){ 0 };
}

/* Lays the counts out anew for the window [lo, lo + len) at `bits`. */
static bool relayout(struct ks_sketch *s, uint32_t lo, uint32_t len, unsigned bits)
{
	uint32_t *fresh = NULL;
	size_t cap = 0;

	if (!KS_GROW(fresh, cap, len, KS_SKETCH_BUCKETS + WINDOW_STEP))
		return false;
	for (uint32_t i = 0; i < s->len; i++) {
		uint32_t at = s->lo + i;

		if (s->bucket[i] == 0)
			continue;
		for (unsigned b = s->bits; b > bits; b--)
			at = bucket_halved(at, b);
		if (s->bucket[i] > UINT32_MAX - fresh[at - lo]) {
			ks_mem_free(fresh);
			return false;
		}
		fresh[at - lo] += s->bucket[i];
	}
	ks_mem_free(s->bucket);
	s->bucket = fresh;
	s->cap = cap;
	s->lo = lo;
	s->len = len;
	s->bits = bits;
	return true;
}

/* Precision that [min, max] leaves: the most bits whose window is narrow enough. */
static unsigned bits_for(ks_ns min, ks_ns max)
{
	unsigned bits = KS_SKETCH_BITS;

	while (bits > 1 && bucket_of(max, bits) - bucket_of(min, bits) >= KS_SKETCH_BUCKETS)
		bits--;
	return bits;
}

/* Makes the window hold everything from min to max. */
static bool widen(struct ks_sketch *s, ks_ns min, ks_ns max)
{
	unsigned bits = bits_for(min, max);
	uint32_t lo = bucket_of(min, bits), hi = bucket_of(max, bits);

	if (s->bits == bits && s->len && lo >= s->lo && hi - s->lo < s->len)
		return true;
	uint32_t len = hi - lo + 1;

	len = (len + WINDOW_STEP - 1) / WINDOW_STEP * WINDOW_STEP;
	return relayout(s, lo, len, bits);
}

static bool count(struct ks_sketch *s, ks_ns v)
{
	uint32_t *c = &s->bucket[bucket_of(v, s->bits) - s->lo];

	if (*c == UINT32_MAX)
		return false;
	++*c;
	return true;
}

/* From values to buckets. */
static bool spread(struct ks_sketch *s)
{
	ks_ns *value = s->value;

	s->value = NULL;
	s->cap = 0;
	s->len = 0;
	bool fine = widen(s, s->min, s->max);

	for (uint64_t i = 0; fine && i < s->n; i++)
		fine = count(s, value[i]);
	ks_mem_free(value);
	return fine;
}

bool ks_sketch_add(struct ks_sketch *s, ks_ns v)
{
	const uint64_t exact = s->bits ? 0 : (uint64_t)ks_limit(KS_LIMIT_EXACT_LAUNCHES);

	if (s->n < exact) {
		if (!KS_GROW(s->value, s->cap, s->n + 1, exact))
			return false;
		s->value[s->n] = v;
	} else if (s->bits == 0 && !spread(s)) {
		return false;
	}
	if (s->n == 0 || v < s->min)
		s->min = v;
	if (s->n == 0 || v > s->max)
		s->max = v;
	s->n++;
	if (s->bits == 0)
		return true;
	uint32_t at = bucket_of(v, s->bits);

	if (at < s->lo || at - s->lo >= s->len) {
		if (!widen(s, s->min, s->max))
			return false;
	}
	return count(s, v);
}

bool ks_sketch_merge(struct ks_sketch *into, const struct ks_sketch *from)
{
	if (from->bits == 0) {
		for (uint64_t i = 0; i < from->n; i++) {
			if (!ks_sketch_add(into, from->value[i]))
				return false;
		}
		return true;
	}
	ks_ns min = into->n && into->min < from->min ? into->min : from->min;
	ks_ns max = into->n && into->max > from->max ? into->max : from->max;

	if (into->bits == 0 && into->n && !spread(into))
		return false;
	if (!widen(into, min, max))
		return false;
	into->min = min;
	into->max = max;
	into->n += from->n;
	for (uint32_t i = 0; i < from->len; i++) {
		uint32_t at = from->lo + i;

		if (from->bucket[i] == 0)
			continue;
		for (unsigned b = from->bits; b > into->bits; b--)
			at = bucket_halved(at, b);
		if (from->bucket[i] > UINT32_MAX - into->bucket[at - into->lo])
			return false;
		into->bucket[at - into->lo] += from->bucket[i];
	}
	return true;
}

void ks_sketch_settle(struct ks_sketch *s)
{
	if (s->bits)
		return;
	for (uint64_t i = 1; i < s->n; i++) { /* at most 64: insertion sort */
		ks_ns v = s->value[i];
		uint64_t at = i;

		for (; at > 0 && s->value[at - 1] > v; at--)
			s->value[at] = s->value[at - 1];
		s->value[at] = v;
	}
}

/* Midpoint of the values that can be in bucket i, and half the distance of its ends. */
static struct ks_quantile bucket_value(const struct ks_sketch *s, uint32_t i)
{
	double width, low = bucket_low(s->lo + i, s->bits, &width), high = low + width - 1.0;

	if (low < (double)s->min)
		low = (double)s->min;
	if (high > (double)s->max)
		high = (double)s->max;
	return (struct ks_quantile){ .ns = low + (high - low) / 2.0,
				     .error_ns = (high - low) / 2.0 };
}

struct ks_quantile ks_sketch_rank(const struct ks_sketch *s, uint64_t rank)
{
	if (s->bits == 0)
		return (struct ks_quantile){ .ns = (double)s->value[rank - 1] };
	if (rank <= 1 || rank >= s->n) /* the ends are known exactly */
		return (struct ks_quantile){ .ns = (double)(rank <= 1 ? s->min : s->max) };
	uint64_t seen = 0;

	for (uint32_t i = 0; i < s->len; i++) {
		seen += s->bucket[i];
		if (seen >= rank)
			return bucket_value(s, i);
	}
	return (struct ks_quantile){ .ns = (double)s->max };
}

static struct ks_quantile middle(struct ks_quantile a, struct ks_quantile b)
{
	return (struct ks_quantile){ .ns = a.ns + (b.ns - a.ns) / 2.0,
				     .error_ns = (a.error_ns + b.error_ns) / 2.0 };
}

struct ks_quantile ks_sketch_median(const struct ks_sketch *s)
{
	return middle(ks_sketch_rank(s, (s->n + 1) / 2), ks_sketch_rank(s, s->n / 2 + 1));
}

struct ks_quantile ks_sketch_percentile(const struct ks_sketch *s, unsigned percent)
{
	uint64_t whole = s->n / 100, rest = s->n % 100;

	return ks_sketch_rank(s, whole * percent + (rest * percent + 99) / 100);
}

/* Steps outwards from the median, nearest bucket or value first. */
struct outward {
	const struct ks_sketch *s;
	double centre;
	int64_t left, right; /* next index on either side */
};

static uint64_t weight_at(const struct ks_sketch *s, int64_t i)
{
	return s->bits ? s->bucket[i] : 1;
}

static struct ks_quantile value_at(const struct ks_sketch *s, int64_t i)
{
	if (s->bits)
		return bucket_value(s, (uint32_t)i);
	return (struct ks_quantile){ .ns = (double)s->value[i] };
}

static void skip_empty(struct outward *w, int64_t end)
{
	while (w->left >= 0 && weight_at(w->s, w->left) == 0)
		w->left--;
	while (w->right < end && weight_at(w->s, w->right) == 0)
		w->right++;
}

/* Distance of the next nearest value and how many values are there; 0 at the end. */
static uint64_t step(struct outward *w, struct ks_quantile *distance)
{
	const int64_t end = w->s->bits ? (int64_t)w->s->len : (int64_t)w->s->n;

	skip_empty(w, end);
	if (w->left < 0 && w->right >= end)
		return 0;
	bool go_left = w->right >= end;
	int64_t at;

	if (w->left >= 0 && w->right < end)
		go_left = w->centre - value_at(w->s, w->left).ns <=
			  value_at(w->s, w->right).ns - w->centre;
	if (go_left)
		at = w->left--;
	else
		at = w->right++;
	*distance = value_at(w->s, at);
	distance->ns = fabs(distance->ns - w->centre);
	return weight_at(w->s, at);
}

struct ks_quantile ks_sketch_mad(const struct ks_sketch *s)
{
	const struct ks_quantile p50 = ks_sketch_median(s);
	const uint64_t rank_a = (s->n + 1) / 2, rank_b = s->n / 2 + 1;
	struct outward w = { .s = s, .centre = p50.ns, .left = -1 };
	struct ks_quantile d = { 0 }, a = { 0 };
	uint64_t seen = 0;
	bool have_a = false;
	const int64_t end = s->bits ? (int64_t)s->len : (int64_t)s->n;

	while (w.right < end && (weight_at(s, w.right) == 0 || value_at(s, w.right).ns <= p50.ns))
		w.left = w.right++;
	while (seen < rank_b) {
		uint64_t n = step(&w, &d);

		if (n == 0)
			break;
		seen += n;
		if (!have_a && seen >= rank_a) {
			a = d;
			have_a = true;
		}
	}
	struct ks_quantile mad = middle(a, d);

	mad.error_ns += p50.error_ns;
	return mad;
}

bool ks_sketch_interval(uint64_t n, uint64_t *lo, uint64_t *hi)
{
	/* 0.98 = 1.96 / 2: binomial ranks of the median, normal approximation (contract 06 §1) */
	double half = (double)n / 2.0, spread_ranks = 0.98 * sqrt((double)n);
	double low = floor(half - spread_ranks), high = ceil(half + 1.0 + spread_ranks);

	if (low < 1.0 || high > (double)n)
		return false;
	*lo = (uint64_t)low;
	*hi = (uint64_t)high;
	return true;
}
