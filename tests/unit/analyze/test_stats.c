/* SPDX-License-Identifier: Apache-2.0
 *
 * The events of `stats cuda_gpu_trace`: what is kept for each, and that it comes back whole.
 */
#include "all.h"

#include "analyze/stats_internal.h"
#include "base/io.h"

enum { COPIES = 1000 };

static struct ks_copy copy_of(int64_t i, int64_t correlation)
{
	return (struct ks_copy){ .start_ns = 1000 * i,
				 .end_ns = 1000 * i + 500,
				 .device = 0,
				 .process = 7,
				 .context = 1,
				 .stream = 7,
				 .correlation = correlation,
				 .bytes = i == 0 ? KS_UNKNOWN : 4096 + i,
				 .kind = 1,
				 .src_kind = 1,
				 .dst_kind = 2 };
}

/* Ids as every trace has them, and the ends of what the column can hold. */
static int64_t correlation_of(int64_t i)
{
	static const int64_t edge[] = { KS_UNKNOWN,   INT64_MAX, -1,
					INT32_MAX,    1,	 1 + INT64_C(2) * INT32_MAX,
					INT64_MIN + 1 };

	return i < (int64_t)KS_ARRAY_LEN(edge) ? edge[i] : i;
}

static void what_is_kept_does_not_grow_with_sizes_of_copies(void **state)
{
	const struct ks_ctx ctx = { .io = &ks_io_system };
	struct ks_stats_sum *s = ks_stats_open(&ctx, KS_STATS_TRACE);
	const struct ks_stats *out = NULL;
	struct ks_stats_event e;
	struct ks_err err = { 0 };
	bool got = false;

	(void)state;
	assert_non_null(s);
	const struct ks_sink *sink = ks_stats_sink(s);

	for (int64_t i = 0; i < COPIES; i++) {
		const struct ks_copy c = copy_of(i, correlation_of(i));

		assert_int_equal(sink->ops->copy(sink->self, &c, &err), KS_OK);
	}
	assert_true(s->shapes.count < 10); /* one, and one for each id beyond 31 bits */
	assert_int_equal(s->places.count, 1);
	assert_int_equal(ks_stats_finish(s, &out, &err), KS_OK);
	assert_int_equal(out->events, COPIES);
	for (int64_t i = 0; i < COPIES; i++) {
		const struct ks_copy c = copy_of(i, correlation_of(i));

		assert_int_equal(out->log->next(out->log->self, &e, &got, &err), KS_OK);
		assert_true(got);
		assert_int_equal(e.start_ns, c.start_ns);
		assert_int_equal(e.duration_ns, 500);
		assert_true(e.correlation == c.correlation && e.bytes == c.bytes);
		assert_true(!e.is_kernel && e.src_kind == 1 && e.dst_kind == 2);
	}
	assert_int_equal(out->log->next(out->log->self, &e, &got, &err), KS_OK);
	assert_false(got);
	ks_stats_close(s);
}

int test_stats(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_kept_does_not_grow_with_sizes_of_copies),
	};

	return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
