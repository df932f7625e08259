/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of the run as a whole: found under the pseudo kernel, never under a kernel's name.
 */
#include "all.h"

#include "evidence/run_row.h"

static ks_id given_idle(struct bench *b, ks_id from, double v)
{
	const struct ks_ev_spec spec = { .metric = KS_METRIC_KS_DEVICE_N_IDLE_MS,
					 .name = KS_LIT("ks__device_11__idle_ms"),
					 .subject = KS_LIT("(device)"),
					 .inputs = &from,
					 .n_inputs = 1 };

	return ks_ev_derived(b->ev, &spec, KS_VAL_REAL(v));
}

static void rows_of_the_run_are_found_by_name(void **state)
{
	struct ks_kernel kernel[] = { { .name = KS_LIT("k") },
				      { .name = KS_LIT("(device)"), .is_device = true } };
	struct ks_report r = { .kernel = kernel, .n_kernels = 2 };
	struct bench b;

	(void)state;
	bench_start(&b);
	r.ev = b.ev;
	const ks_id idle = given_idle(&b, given_total(&b, 1.0), 2.5);

	assert_ptr_equal(ks_run_row_owner(&r), &kernel[1]);
	assert_ptr_equal(ks_run_row_find(&r, "ks__device_11__idle_ms"), ks_ev_get(b.ev, idle));
	assert_ptr_equal(ks_run_row_of_device(&r, 11, "idle_ms"), ks_ev_get(b.ev, idle));
	assert_null(ks_run_row_of_device(&r, 1, "idle_ms"));
	assert_null(ks_run_row_find(&r, "gpu__time_duration.sum")); /* a kernel's */
	r.n_kernels = 1;
	assert_null(ks_run_row_owner(&r));
	assert_null(ks_run_row_find(&r, "ks__device_11__idle_ms"));
	bench_end(&b);
}

static void a_name_without_end_is_no_row(void **state)
{
	static char what[300];
	struct ks_kernel kernel = { .name = KS_LIT("(device)"), .is_device = true };
	struct ks_report r = { .kernel = &kernel, .n_kernels = 1 };
	struct bench b;

	(void)state;
	bench_start(&b);
	r.ev = b.ev;
	memset(what, 'x', sizeof(what) - 1);
	assert_null(ks_run_row_of_device(&r, INT64_MAX, what));
	bench_end(&b);
}

int test_run_row(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_the_run_are_found_by_name),
		cmocka_unit_test(a_name_without_end_is_no_row),
	};

	return cmocka_run_group_tests_name("run_row", tests, NULL, NULL);
}
