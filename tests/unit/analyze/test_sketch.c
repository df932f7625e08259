/* SPDX-License-Identifier: Apache-2.0
 *
 * Quantiles: exact while few, within their stated error above, the same for any order of values.
 * Expected values come from sorting all values.
 */
#include "all.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/sketch.h"
#include "base/mem.h"

static int by_value(const void *x, const void *y)
{
	const ks_ns a = *(const ks_ns *)x, b = *(const ks_ns *)y;

	return (a > b) - (a < b);
}

static int by_real(const void *x, const void *y)
{
	const double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

static void add_all(struct ks_sketch *s, const ks_ns *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_true(ks_sketch_add(s, v[i]));
	ks_sketch_settle(s);
}

static double middle_of(const double *v, size_t n)
{
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2.0;
}

static void few_values_are_exact(void **state)
{
	static const ks_ns v[] = { 500, 100, 300, 200, 400, 900 };
	struct ks_sketch s = { 0 };

	(void)state;
	add_all(&s, v, KS_ARRAY_LEN(v));
	assert_int_equal(s.min, 100);
	assert_int_equal(s.max, 900);
	expect_near(ks_sketch_median(&s).ns, 350.0, 0.0);	  /* (300 + 400) / 2 */
	expect_near(ks_sketch_percentile(&s, 90).ns, 900.0, 0.0); /* rank ceil(5.4) = 6 */
	expect_near(ks_sketch_percentile(&s, 50).ns, 300.0, 0.0); /* rank 3 */
	/* |v - 350| = 150 250 50 150 50 550; sorted 50 50 150 150 250 550; middle 150 */
	expect_near(ks_sketch_mad(&s).ns, 150.0, 0.0);
	expect_near(ks_sketch_mad(&s).error_ns, 0.0, 0.0);
	ks_sketch_release(&s);
}

static void one_value_is_its_own_quantile(void **state)
{
	static const ks_ns v[] = { 42 };
	struct ks_sketch s = { 0 };

	(void)state;
	add_all(&s, v, 1);
	expect_near(ks_sketch_median(&s).ns, 42.0, 0.0);
	expect_near(ks_sketch_percentile(&s, 99).ns, 42.0, 0.0);
	expect_near(ks_sketch_mad(&s).ns, 0.0, 0.0);
	ks_sketch_release(&s);
}

static void exact_up_to_64_and_no_further(void **state)
{
	struct ks_sketch s = { 0 };

	(void)state;
	for (ks_ns v = 1; v <= 64; v++)
		assert_true(ks_sketch_add(&s, 1000000 + v * 7));
	ks_sketch_settle(&s);
	assert_int_equal(s.bits, 0);
	expect_near(ks_sketch_rank(&s, 10).ns, 1000070.0, 0.0);
	assert_true(ks_sketch_add(&s, 2000000));
	assert_int_equal(s.bits, KS_SKETCH_BITS);
	assert_int_equal(s.n, 65);
	ks_sketch_release(&s);
}

static void fill(ks_ns *v, size_t n, unsigned kind, uint64_t seed)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t r = next_random(&seed);

		switch (kind) {
		case 0: /* narrow */
			v[i] = 20000 + (ks_ns)(r % 3000);
			break;
		case 1: /* many decades */
			v[i] = (ks_ns)1 << (r % 40);
			v[i] += (ks_ns)(next_random(&seed) % (uint64_t)v[i]);
			break;
		case 2: /* two far humps */
			v[i] = r & 1 ? 1500 + (ks_ns)(r % 100) : 90000000 + (ks_ns)(r % 7000000);
			break;
		default: /* tiny values, each with a bucket of its own */
			v[i] = (ks_ns)(r % 100) + 1;
			break;
		}
	}
}

static void check_quantile(struct ks_quantile q, double truth, const char *what)
{
	if (!(fabs(q.ns - truth) <= q.error_ns + 1e-6))
		fail_msg("%s: %.3f +- %.3f, truth %.3f", what, q.ns, q.error_ns, truth);
}

static void check_against_sorting(unsigned kind, size_t n)
{
	ks_ns *v = ks_mem_alloc(n * sizeof(*v));
	double *d = ks_mem_alloc(n * sizeof(*d));
	struct ks_sketch s = { 0 };

	fill(v, n, kind, 1234567 + kind);
	add_all(&s, v, n);
	qsort(v, n, sizeof(*v), by_value);
	for (unsigned percent = 1; percent < 100; percent++) {
		size_t rank = (n * percent + 99) / 100;

		check_quantile(ks_sketch_percentile(&s, percent), (double)v[rank - 1],
			       "percentile");
	}
	double median = ((double)v[(n - 1) / 2] + (double)v[n / 2]) / 2.0;

	check_quantile(ks_sketch_median(&s), median, "median");
	for (size_t i = 0; i < n; i++)
		d[i] = fabs((double)v[i] - median);
	qsort(d, n, sizeof(*d), by_real);
	check_quantile(ks_sketch_mad(&s), middle_of(d, n), "mad");
	/* the promised relative error: half a bucket of 2^-7 of the value */
	if (s.bits == KS_SKETCH_BITS)
		assert_true(ks_sketch_median(&s).error_ns <= ks_sketch_median(&s).ns / 256.0 + 0.5);
	ks_sketch_release(&s);
	ks_mem_free(v);
	ks_mem_free(d);
}

static void many_values_stay_within_the_stated_error(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < 4; kind++) {
		check_against_sorting(kind, 65);
		check_against_sorting(kind, 1000);
		check_against_sorting(kind, 20001);
	}
}

static bool same_sketch(const struct ks_sketch *a, const struct ks_sketch *b)
{
	if (a->n != b->n || a->min != b->min || a->max != b->max || a->bits != b->bits)
		return false;
	for (uint64_t rank = 1; rank <= a->n; rank++) {
		const struct ks_quantile x = ks_sketch_rank(a, rank), y = ks_sketch_rank(b, rank);

		if (memcmp(&x, &y, sizeof(x)) != 0)
			return false;
	}
	return true;
}

static void order_and_merging_do_not_matter(void **state)
{
	enum { N = 3000 };
	ks_ns *v = ks_mem_alloc(N * sizeof(*v));

	(void)state;
	for (unsigned kind = 0; kind < 4; kind++) {
		struct ks_sketch forward = { 0 }, backward = { 0 }, merged = { 0 };

		fill(v, N, kind, 99 + kind);
		add_all(&forward, v, N);
		for (size_t i = N; i > 0; i--)
			assert_true(ks_sketch_add(&backward, v[i - 1]));
		for (size_t from = 0; from < N; from += 170) { /* some parts exact, some not */
			struct ks_sketch part = { 0 };
			size_t n = from % 340 ? 170 : 30;

			if (n == 30 && from + 170 <= N)
				add_all(&part, v + from + 30, 140);
			else
				n = from + 170 <= N ? 170 : N - from;
			assert_true(ks_sketch_merge(&merged, &part));
			ks_sketch_release(&part);
			add_all(&part, v + from, n);
			assert_true(ks_sketch_merge(&merged, &part));
			ks_sketch_release(&part);
		}
		assert_true(same_sketch(&forward, &backward));
		assert_true(same_sketch(&forward, &merged));
		ks_sketch_release(&forward);
		ks_sketch_release(&backward);
		ks_sketch_release(&merged);
	}
	ks_mem_free(v);
}

static void a_wide_range_costs_precision_not_memory(void **state)
{
	struct ks_sketch s = { 0 };
	uint64_t seed = 5;

	(void)state;
	for (unsigned i = 0; i < 5000; i++)
		assert_true(ks_sketch_add(
			&s, (ks_ns)(next_random(&seed) >> (next_random(&seed) % 62 + 2))));
	assert_true(s.bits < KS_SKETCH_BITS && s.bits >= 5);
	assert_true(s.len <= KS_SKETCH_BUCKETS + 32);
	ks_sketch_release(&s);
}

static void the_interval_of_the_median_has_the_ranks_of_the_contract(void **state)
{
	uint64_t lo, hi;

	(void)state;
	assert_false(ks_sketch_interval(1, &lo, &hi));
	assert_false(ks_sketch_interval(7, &lo, &hi)); /* floor(3.5 - 2.593) = 0 */
	assert_true(ks_sketch_interval(8, &lo, &hi));  /* 4 - 2.772 = 1.228; 5 + 2.772 = 7.772 */
	assert_int_equal(lo, 1);
	assert_int_equal(hi, 8);
	assert_true(ks_sketch_interval(100, &lo, &hi)); /* 50 - 9.8 = 40.2; 51 + 9.8 = 60.8 */
	assert_int_equal(lo, 40);
	assert_int_equal(hi, 61);
}

int test_sketch(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_values_are_exact),
		cmocka_unit_test(one_value_is_its_own_quantile),
		cmocka_unit_test(exact_up_to_64_and_no_further),
		cmocka_unit_test(many_values_stay_within_the_stated_error),
		cmocka_unit_test(order_and_merging_do_not_matter),
		cmocka_unit_test(a_wide_range_costs_precision_not_memory),
		cmocka_unit_test(the_interval_of_the_median_has_the_ranks_of_the_contract),
	};

	return cmocka_run_group_tests_name("sketch", tests, NULL, NULL);
}
