/* SPDX-License-Identifier: Apache-2.0
 *
 * The synthetic trace, number by number from contract 01 §7.
 */
#include "all.h"

#include "base/str.h"

static void the_numbers_of_the_contract(void **state)
{
	struct record r;
	ks_ns first = INT64_MAX;
	ks_ns last = 0;
	int64_t total = 0;

	(void)state;
	record_start(&r);
	assert_int_equal(record_stream(&r, &ks_source_synth, NULL), KS_OK);
	assert_true(r.meta.synthetic);
	assert_int_equal(r.n_launches, 25);
	for (size_t i = 0; i < r.n_launches; i++) {
		const struct ks_launch *l = &r.launch[i];

		first = l->start_ns < first ? l->start_ns : first;
		last = l->end_ns > last ? l->end_ns : last;
		total += l->end_ns - l->start_ns;
		assert_int_equal(l->device, 0);
		assert_int_equal(l->stream, 7);
		assert_int_equal(l->block[0], 256);
		assert_int_equal(l->correlation, i < 5 ? i : 100 + i - 5);
	}
	assert_int_equal(first, 1000000000);
	assert_int_equal(last - first, 6388400);
	assert_int_equal(total, 5 * 951000 + 20 * 8400);
	assert_int_equal(r.launch[1].start_ns - r.launch[0].start_ns, 1200000);
	assert_int_equal(r.launch[6].start_ns - r.launch[5].start_ns, 20000);
	record_end(&r);
}

static void the_shapes_and_names_of_the_contract(void **state)
{
	struct record r;

	(void)state;
	record_start(&r);
	assert_int_equal(record_stream(&r, &ks_source_synth, NULL), KS_OK);
	const struct ks_launch *gemm = &r.launch[0];
	const struct ks_launch *add = &r.launch[24];

	assert_int_equal(gemm->grid[0], 1048576);
	assert_int_equal(gemm->regs, 96);
	assert_int_equal(gemm->static_smem, 0);
	assert_int_equal(gemm->dynamic_smem, 49152);
	assert_int_equal(add->grid[0], 16384);
	assert_int_equal(add->regs, 16);
	assert_int_equal(add->dynamic_smem, 0);
	assert_int_equal(gemm->local_mem, 0); /* the original prints 0 for both */
	assert_int_equal(add->local_mem, 0);
	assert_true(ks_str_eqc(record_name_of(&r, gemm->demangled),
			       "synthetic_gemm(float const*, float const*, float*)"));
	assert_true(ks_str_eqc(record_name_of(&r, gemm->function), "synthetic_gemm"));
	assert_true(
		ks_str_eqc(record_name_of(&r, add->demangled), "synthetic_elementwise(float*)"));
	assert_true(ks_str_eqc(record_name_of(&r, add->function), "synthetic_elementwise"));
	record_end(&r);
}

static void the_device_of_the_contract(void **state)
{
	struct record r;

	(void)state;
	record_start(&r);
	assert_int_equal(record_stream(&r, &ks_source_synth, NULL), KS_OK);
	assert_int_equal(r.n_gpus, 1);
	const struct ks_trace_gpu *g = &r.devices.gpu[0];

	assert_true(ks_str_eqc(g->name, "synthetic-device"));
	assert_true(ks_str_eqc(g->driver, "n/a (synthetic)"));
	assert_int_equal(g->cc_major, 8);
	assert_int_equal(g->cc_minor, 9);
	assert_int_equal(g->sm_count, 128);
	assert_int_equal(g->l2_bytes, 75497472);
	assert_int_equal(g->clock_hz, 3105000000);
	assert_int_equal((int)g->power_limit_w, 450);
	record_end(&r);
}

static void it_has_no_ranges_and_no_calls_and_says_so(void **state)
{
	struct record r;

	(void)state;
	record_start(&r);
	assert_int_equal(record_stream(&r, &ks_source_synth, NULL), KS_OK);
	assert_int_equal(r.n_ranges_done, 1);
	assert_int_equal(r.n_calls_done, 1);
	assert_int_equal(r.n_ranges + r.n_calls, 0);
	assert_int_equal(r.launch[0].graph, 0);
	record_end(&r);
	record_start(&r);
	r.sink.rows = 0;
	assert_int_equal(record_stream(&r, &ks_source_synth, NULL), KS_OK);
	assert_int_equal(r.n_ranges_done + r.n_calls_done, 0);
	record_end(&r);
}

static void it_can_be_streamed_again(void **state)
{
	struct record r;

	(void)state;
	record_start(&r);
	r.passes_wanted = 2;
	assert_int_equal(record_stream(&r, &ks_source_synth, NULL), KS_OK);
	assert_int_equal(r.n_launches, 25);
	record_end(&r);
	record_start(&r);
	r.fail_at_launch = 3;
	assert_int_equal(record_stream(&r, &ks_source_synth, NULL), KS_E_INTERNAL);
	record_end(&r);
}

int test_synth(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_numbers_of_the_contract),
		cmocka_unit_test(the_shapes_and_names_of_the_contract),
		cmocka_unit_test(the_device_of_the_contract),
		cmocka_unit_test(it_has_no_ranges_and_no_calls_and_says_so),
		cmocka_unit_test(it_can_be_streamed_again),
	};

	return cmocka_run_group_tests_name("synth", tests, NULL, NULL);
}
