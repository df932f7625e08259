/* SPDX-License-Identifier: Apache-2.0
 *
 * The sweep on rows whose answer is arithmetic: touching and nested launches, overhead inside a
 * gap, collectives, and the edges of the span.
 */
#include "sweep_world.h"

/* --- by hand -------------------------------------------------------------------------------------
 */

static void rows_that_touch_are_not_concurrent(void **state)
{
	struct world *w = new_sweep_world();

	(void)state;
	given_sweep_device(w);
	given_sweep_row(w, LAUNCH, 0, 10, 20);
	given_sweep_row(w, LAUNCH, 1, 20, 30);
	given_sweep_row(w, LAUNCH, 2, 30, 40);
	struct ks_sweep *s = swept_world(w, 1 << 20);

	assert_int_equal(s->device[0].max_streams, 1);
	assert_int_equal(s->device[0].gaps, 2); /* before and after */
	ks_sweep_close(s);
	given_sweep_row(w, LAUNCH, 2, 29, 30);
	s = swept_world(w, 1 << 20);
	assert_int_equal(s->device[0].max_streams, 2);
	ks_sweep_close(s);
	ks_mem_free(w);
}

static void two_kernels_of_one_stream_are_one_stream(void **state)
{
	struct world *w = new_sweep_world();

	(void)state;
	given_sweep_device(w);
	given_sweep_row(w, LAUNCH, 0, 10, 30);
	given_sweep_row(w, LAUNCH, 0, 15, 40);
	struct ks_sweep *s = swept_world(w, 1 << 20);

	assert_int_equal(s->device[0].max_streams, 1);
	assert_int_equal(s->device[0].mix[KS_MIX_COMPUTE], 30);
	ks_sweep_close(s);
	ks_mem_free(w);
}

/* Gap 20..60 with overhead 25..35 of one process and 30..40 of the same: 15 ns, not 20. Overhead of
 * a process that does not use the device is none of it. */
static void overhead_inside_a_gap_is_a_union(void **state)
{
	struct world *w = new_sweep_world();

	(void)state;
	given_sweep_device(w);
	given_sweep_row(w, LAUNCH, 0, 0, 20);
	given_sweep_row(w, WORK, 0, 60, 100);
	given_sweep_row(w, OVERHEAD, 7, 25, 35);
	given_sweep_row(w, OVERHEAD, 7, 30, 40);
	given_sweep_row(w, OVERHEAD, 8, 20, 60);
	given_sweep_row(w, OVERHEAD, 7, 70, 90); /* the device works */
	struct ks_sweep *s = swept_world(w, 1 << 20);

	assert_int_equal(s->device[0].gaps, 1);
	assert_int_equal(s->device[0].gap_overhead, 15);
	assert_int_equal(s->device[0].longest, 40);
	assert_int_equal(s->top.gap[0].overhead, 15);
	assert_int_equal(s->top.gap[0].before, 0);
	assert_int_equal(s->top.gap[0].after, KS_SWEEP_WORK | KS_COPY_HTOD);
	ks_sweep_close(s);
	ks_mem_free(w);
}

/* Overhead of an unknown process holds up every device. */
static void unknown_overhead_counts_everywhere(void **state)
{
	struct world *w = new_sweep_world();

	(void)state;
	given_sweep_device(w);
	given_sweep_row(w, LAUNCH, 0, 0, 20);
	given_sweep_row(w, LAUNCH, 1, 60, 100);
	struct ks_sweep *s = swept_world(w, 1 << 20);
	const struct ks_sweep_plan plan = sweep_plan(w);

	assert_int_equal(s->device[0].gap_overhead, 0);
	ks_sweep_close(s);
	s = ks_sweep_open(&ks_io_system, 1 << 20);
	assert_int_equal(ks_sweep_overhead(s, KS_UNKNOWN, 50, 99, NULL), KS_OK);
	assert_int_equal(ks_sweep_launch(s, &(struct ks_sweep_row){ 0, 20, 0, 0 }, NULL), KS_OK);
	assert_int_equal(ks_sweep_launch(s, &(struct ks_sweep_row){ 60, 100, 1, 0 }, NULL), KS_OK);
	assert_int_equal(ks_sweep_settle(s, NULL), KS_OK);
	assert_int_equal(ks_sweep_merge(s, &plan, NULL), KS_OK);
	assert_int_equal(s->device[0].gap_overhead, 10);
	ks_sweep_close(s);
	ks_mem_free(w);
}

/* Kernel 0 runs 0..50 and 60..80, collectives 20..30, 25..40 and 80..90: 20 ns of the first launch,
 * none of the second, which only touches. */
static void a_kernel_beside_collectives(void **state)
{
	struct world *w = new_sweep_world();

	(void)state;
	given_sweep_device(w);
	given_sweep_row(w, LAUNCH, 0, 0, 50);
	given_sweep_row(w, LAUNCH, 0, 60, 80);
	given_sweep_row(w, LAUNCH, 3, 20, 30);
	given_sweep_row(w, LAUNCH, 3, 25, 40);
	given_sweep_row(w, LAUNCH, 3, 80, 90);
	struct ks_sweep *s = swept_world(w, 1 << 20);
	const struct ks_sweep_kernel *k = &s->kernel[0];

	assert_int_equal(k->with_ns, 20);
	assert_int_equal(k->without_ns, 50);
	assert_int_equal(k->with.n, 1);
	assert_int_equal(k->without.n, 1);
	assert_int_equal(s->device[0].comm_sum, 35);
	assert_int_equal(s->device[0].mix[KS_MIX_COMM], 10);
	assert_int_equal(s->device[0].mix[KS_MIX_COMM | KS_MIX_COMPUTE], 20);
	ks_sweep_close(s);
	ks_mem_free(w);
}

/* The same gap on two devices: the one with the smaller number first, whichever came first. */
static void equal_gaps_are_in_the_order_of_their_devices(void **state)
{
	struct world *w = new_sweep_world();

	(void)state;
	for (int64_t first = 0; first < 2; first++) {
		given_sweep_device(w);
		w->on[1] = true;
		w->pair[1].device = 1;
		w->label[0] = first;
		w->label[1] = 1 - first;
		given_sweep_row(w, LAUNCH, 0, 0, 60);
		given_sweep_row(w, LAUNCH, 1, 0, 60);
		struct ks_sweep *s = swept_world(w, 1 << 20);

		assert_int_equal(s->top.n, 2);
		assert_int_equal(w->label[s->top.gap[0].device], 0);
		assert_int_equal(w->label[s->top.gap[1].device], 1);
		ks_sweep_close(s);
	}
	ks_mem_free(w);
}

static void rows_outside_the_span_are_cut(void **state)
{
	struct world *w = new_sweep_world();

	(void)state;
	given_sweep_device(w);
	given_sweep_row(w, LAUNCH, 0, 0, 50);
	given_sweep_row(w, LAUNCH, 1, 90, 120);
	given_sweep_row(w, WORK, 0, 1, 3);
	w->from = 40;
	struct ks_sweep *s = swept_world(w, 1 << 20);

	assert_int_equal(s->device[0].mix[KS_MIX_COMPUTE], 20);
	assert_int_equal(s->device[0].mix[KS_MIX_COPY], 0);
	assert_int_equal(s->device[0].mix[0], 40);
	assert_int_equal(s->device[0].gaps, 1);
	assert_int_equal(s->kernel[0].without_ns, 10); /* 40..50 of 0..50 */
	assert_int_equal(s->kernel[1].without_ns, 10); /* 90..100 of 90..120 */
	ks_sweep_close(s);
	ks_mem_free(w);
}

static void a_sweep_of_nothing_is_idle(void **state)
{
	struct world *w = new_sweep_world();

	(void)state;
	given_sweep_device(w);
	w->pair[3].comm = false;
	struct ks_sweep *s = swept_world(w, 1 << 20);

	assert_int_equal(s->device[0].mix[0], 100);
	assert_int_equal(s->device[0].gaps, 0);
	assert_int_equal(s->top.n, 0);
	assert_null(s->kernel);
	assert_int_equal(ks_sweep_all_ns(s, 0), 0);
	assert_int_equal(ks_sweep_all_ns(s, 99), 0);
	ks_sweep_close(s);
	ks_sweep_close(NULL);
	ks_mem_free(w);
}

int test_sweep_rows(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_that_touch_are_not_concurrent),
		cmocka_unit_test(two_kernels_of_one_stream_are_one_stream),
		cmocka_unit_test(overhead_inside_a_gap_is_a_union),
		cmocka_unit_test(unknown_overhead_counts_everywhere),
		cmocka_unit_test(a_kernel_beside_collectives),
		cmocka_unit_test(equal_gaps_are_in_the_order_of_their_devices),
		cmocka_unit_test(rows_outside_the_span_are_cut),
		cmocka_unit_test(a_sweep_of_nothing_is_idle),
	};

	return cmocka_run_group_tests_name("sweep rows", tests, NULL, NULL);
}
