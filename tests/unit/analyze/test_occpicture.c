/* SPDX-License-Identifier: Apache-2.0
 *
 * Curves of occupancy: the launch is on each of them with the answer of its rows, the other points
 * by hand and by the worked cases of the contract (vectors/occupancy.json).
 */
#include "all.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "analyze/occupancy.h"
#include "evidence/occ_picture.h"

static struct ks_launch *given_curves(struct given *g, int64_t major, int64_t minor)
{
	given_trace(g);
	given_gpu(g, 0, major, minor, 108);
	g->sel.draw_occupancy = true;
	return given_launch(g, "k", 0, 0, 1000);
}

static const struct ks_occ_curve *curve_of(const struct given *g, enum ks_occ_axis axis)
{
	assert_non_null(g->r->occupancy);
	assert_int_equal(g->r->occupancy->refusal, KS_REFUSAL_NONE);
	return &g->r->occupancy->curve[axis];
}

static const struct ks_occ_point *point_at(const struct ks_occ_curve *c, int64_t value)
{
	size_t i = 0;

	while (i < c->n && c->point[i].value != value)
		i++;
	if (i == c->n)
		fail_msg("no point at %lld", (long long)value);
	return &c->point[i];
}

static void expect_point(const struct ks_occ_curve *c, int64_t value, int64_t blocks, double pct,
			 const char *limiter)
{
	const struct ks_occ_point *p = point_at(c, value);

	assert_int_equal(p->blocks, blocks);
	expect_near(p->pct, pct, 1e-12);
	assert_true(ks_str_eqc(p->limiter, limiter));
}

static void expect_step(const struct ks_occ_curve *c, int64_t value)
{
	size_t marked = 0;

	for (size_t i = 0; i < c->n; i++)
		marked += c->point[i].step_up;
	if (value < 0) {
		assert_int_equal(c->step_up, c->n);
		assert_int_equal(marked, 0);
		return;
	}
	assert_int_equal(c->point[c->step_up].value, value);
	assert_true(c->point[c->step_up].step_up);
	assert_int_equal(marked, 1);
}

/* sm_80, 8 warps a block. 38 registers: 38 * 32 = 1216, rounded to 1280 a warp; a quarter of 65536
 * holds 12 of them, the SM 48 warps = 6 blocks. 32 registers: 1024, 16 * 4 = 64 warps = 8 blocks.
 * 41: 1312 -> 1536: 10 * 4 = 40 warps = 5 blocks. 128: 4096: 4 * 4 = 16 warps = 2 blocks. */
static void registers_are_those_of_hand_arithmetic(void **state)
{
	struct given world, *g = &world;

	(void)state;
	given_curves(g, 8, 0)->regs = 38;
	then_report(g);
	const struct ks_occ_curve *c = curve_of(g, KS_OCC_AXIS_REGS);

	assert_int_equal(c->n, 255);
	assert_int_equal(c->point[c->current].value, 38);
	expect_point(c, 32, 8, 100.0, "registers+threads+warps");
	expect_point(c, 33, 6, 75.0, "registers");
	expect_point(c, 40, 6, 75.0, "registers");
	expect_point(c, 41, 5, 62.5, "registers");
	expect_point(c, 128, 2, 25.0, "registers");
	expect_step(c, 32);
	/* 48 warps are all that these registers hold: no block size has more */
	expect_step(curve_of(g, KS_OCC_AXIS_BLOCK), -1);
	expect_point(curve_of(g, KS_OCC_AXIS_BLOCK), 1024, 1, 50.0, "registers");
	expect_step(curve_of(g, KS_OCC_AXIS_SMEM), -1);
	given_release(g);
}

/* sm_80, 164 KiB. 30000 + 10000 + 1024 = 41024, rounded to 41088: 4 blocks of 8 warps = 50 %. Five
 * blocks: 167936 / 5 = 33587, down to 33536 in steps of 128, less 1024: 32512 B. 9 warps: 36 of 64;
 * 7 warps: 28. 163 KiB is all that can be asked for. */
static void shared_memory_counts_as_a_whole(void **state)
{
	struct given world, *g = &world;

	(void)state;
	struct ks_launch *l = given_curves(g, 8, 0);

	l->static_smem = 10000;
	l->dynamic_smem = 30000;
	then_report(g);
	const struct ks_occ_curve *c = curve_of(g, KS_OCC_AXIS_SMEM);

	assert_int_equal(c->point[c->current].value, 40000);
	expect_point(c, 40000, 4, 50.0, "shared_mem");
	expect_step(c, 32512);
	expect_point(c, 32512, 5, 62.5, "shared_mem");
	expect_point(c, 163 * 1024, 1, 12.5, "shared_mem");
	assert_int_equal(c->point[c->n - 1].value, 163 * 1024);
	expect_point(c, 0, 8, 100.0, "registers+threads+warps");
	expect_step(curve_of(g, KS_OCC_AXIS_BLOCK), 288);
	expect_point(curve_of(g, KS_OCC_AXIS_BLOCK), 288, 4, 56.25, "shared_mem");
	expect_step(curve_of(g, KS_OCC_AXIS_REGS), -1);
	given_release(g);
}

/* 32 KiB per SM were configured: nothing above 31 KiB a block is drawn, as that would be launched
 * with another carve-out. 15 KiB + 1 KiB: 2 blocks; 7 + 1: 4; 32 / 3 = 10.67 KiB - 1: 9856 B. */
static void the_carve_out_of_the_launch_ends_the_axis(void **state)
{
	struct given world, *g = &world;

	(void)state;
	struct ks_launch *l = given_curves(g, 8, 0);

	l->dynamic_smem = 15 * 1024;
	l->smem_executed = 32 * 1024;
	then_report(g);
	const struct ks_occ_curve *c = curve_of(g, KS_OCC_AXIS_SMEM);

	assert_int_equal(g->r->occupancy->carve_out, 32 * 1024);
	assert_int_equal(c->point[c->n - 1].value, 31 * 1024);
	expect_point(c, 15 * 1024, 2, 25.0, "shared_mem");
	expect_point(c, 7 * 1024, 4, 50.0, "shared_mem");
	expect_step(c, 9856);
	given_release(g);
}

static void a_block_of_part_warps_is_a_point_of_its_own(void **state)
{
	struct given world, *g = &world;

	(void)state;
	given_curves(g, 8, 9)->block[0] = 100;
	then_report(g);
	const struct ks_occ_curve *c = curve_of(g, KS_OCC_AXIS_BLOCK);

	assert_int_equal(c->n, 33);
	assert_int_equal(c->point[c->current].value, 100);
	/* 4 warps: threads 1536/100 = 15, warps 48/4 = 12 */
	expect_point(c, 100, 12, 100.0, "warps");
	for (size_t i = 1; i < c->n; i++)
		assert_true(c->point[i].value > c->point[i - 1].value);
	given_release(g);
}

static int64_t integer(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

static void check_case(const json_t *c)
{
	const json_t *in = json_object_get(c, "in"), *expect = json_object_get(c, "expect");
	const char *arch = json_string_value(json_object_get(in, "arch"));
	const long number = strtol(arch + 3, NULL, 10);
	struct given world, *g = &world;
	struct ks_launch *l = given_curves(g, number / 10, number % 10);

	l->block[0] = integer(in, "threads_per_block");
	l->regs = integer(in, "registers_per_thread");
	l->static_smem = integer(in, "smem_static");
	l->dynamic_smem = integer(in, "smem_dynamic");
	l->smem_executed = integer(in, "smem_executed");
	then_report(g);
	for (int axis = 0; axis < KS_OCC_AXIS_COUNT; axis++) {
		const struct ks_occ_curve *curve = curve_of(g, (enum ks_occ_axis)axis);
		const struct ks_occ_point *p = &curve->point[curve->current];

		assert_true(p->current);
		assert_int_equal(p->blocks, integer(expect, "blocks_per_sm"));
		assert_int_equal(p->warps, integer(expect, "warps_per_sm"));
		assert_true(ks_str_eqc(p->limiter,
				       json_string_value(json_object_get(expect, "limiter"))));
		/* the file shows four digits */
		assert_true(fabs(p->pct - json_number_value(json_object_get(
						  expect, "occupancy_pct"))) <= 5e-5);
		expect_int(row_of(g, "k(int)", "ks__blocks_per_sm"), p->blocks);
		expect_int(row_of(g, "k(int)", "ks__warps_per_sm"), p->warps);
		expect_real(row_of(g, "k(int)", "ks__theoretical_occupancy_pct"), p->pct);
	}
	given_release(g);
}

/* Barriers are not part of a recording; a block that does not fit never ran. */
static void the_launch_is_where_the_worked_cases_say(void **state)
{
	char path[512];
	json_error_t error;
	size_t i, n = 0;
	json_t *c;

	(void)state;
	if (!shared_file(path, "contract/vectors/occupancy.json"))
		skip();
	json_t *vectors = json_load_file(path, 0, &error);

	json_array_foreach(json_object_get(vectors, "theoretical"), i, c)
	{
		if (!json_object_get(c, "expect") ||
		    json_object_get(json_object_get(c, "in"), "barriers") ||
		    integer(json_object_get(c, "expect"), "blocks_per_sm") < 1)
			continue;
		check_case(c);
		n++;
	}
	json_decref(vectors);
	assert_true(n >= 40);
}

/* The advice of a report and the picture ask the same function. */
static void a_step_changes_only_what_it_may(void **state)
{
	struct ks_occ_limits l;
	struct ks_occ_in in = { .block_threads = 256,
				.regs = 96,
				.static_smem = 1024,
				.dynamic_smem = 47 * 1024,
				.barriers = -1 };
	struct ks_occ_in next;
	struct ks_occ_out then;

	(void)state;
	/* sm_89: 96 * 32 = 3072: 5 * 4 = 20 warps = 2 blocks; (48 + 1) KiB: 100 / 49 = 2 */
	ks_occ_limits_of(&l, ks_arch_find(8, 9));
	assert_false(ks_occ_step_up(&l, &in, 0, &next, &then));
	assert_false(ks_occ_step_up(&l, &in, KS_OCC_REGISTERS, &next, &then));
	assert_false(ks_occ_step_up(&l, &in, KS_OCC_SMEM, &next, &then));
	/* both: 3 blocks are 24 warps, 6 a partition: 2730 -> 2560 registers a warp = 80; 102400 /
	 * 3 = 34133 -> 34048 - 1024 = 33024, of which 1024 are static */
	assert_true(ks_occ_step_up(&l, &in, KS_OCC_REGISTERS | KS_OCC_SMEM, &next, &then));
	assert_int_equal(next.regs, 80);
	assert_int_equal(next.dynamic_smem, 32000);
	assert_int_equal(then.blocks, 3);
	/* what is static stays: 100 KiB / 3 does not hold 40 KiB */
	in.static_smem = 40 * 1024;
	in.dynamic_smem = 8 * 1024;
	in.regs = 32;
	assert_false(ks_occ_step_up(&l, &in, KS_OCC_SMEM, &next, &then));
}

/* The launch of the case above: registers and shared memory hold 2 blocks each. */
static void where_two_limit_alike_the_step_needs_both(void **state)
{
	struct given world, *g = &world;

	(void)state;
	struct ks_launch *l = given_curves(g, 8, 9);

	l->regs = 96;
	l->static_smem = 1024;
	l->dynamic_smem = 47 * 1024;
	then_report(g);
	expect_step(curve_of(g, KS_OCC_AXIS_REGS), -1);
	expect_step(curve_of(g, KS_OCC_AXIS_SMEM), -1);
	assert_int_equal(g->r->occupancy->both_regs, 80);
	assert_int_equal(g->r->occupancy->both_smem, 33024);
	expect_near(g->r->occupancy->both_pct, 50.0, 1e-12); /* 24 of 48 warps */
	given_release(g);
	given_curves(g, 8, 0)->regs = 38; /* registers alone */
	then_report(g);
	assert_int_equal(g->r->occupancy->both_regs, 0);
	given_release(g);
}

static void expect_no_curves(struct given *g, enum ks_refusal code)
{
	then_report(g);
	const struct ks_occ_picture *p = g->r->occupancy;

	assert_non_null(p);
	assert_int_equal(p->refusal, code);
	for (int axis = 0; axis < KS_OCC_AXIS_COUNT; axis++)
		assert_int_equal(p->curve[axis].n, 0);
	given_release(g);
}

static void what_is_not_known_is_refused_by_its_code(void **state)
{
	struct given world, *g = &world;

	(void)state;
	given_curves(g, 8, 5); /* no such architecture */
	expect_no_curves(g, KS_REFUSAL_UNKNOWN_ARCH);
	given_curves(g, 8, 0)->regs = KS_UNKNOWN;
	expect_no_curves(g, KS_REFUSAL_METRIC_ABSENT);
	given_curves(g, 8, 0)->dynamic_smem = KS_UNKNOWN;
	expect_no_curves(g, KS_REFUSAL_METRIC_ABSENT);
	given_curves(g, 8, 0)->block[0] = 4096;
	expect_no_curves(g, KS_REFUSAL_INCONSISTENT_EVIDENCE);
	given_trace(g);
	given_gpu(g, 0, 8, 0, 108);
	given_copy(g, 0, 0, 100);
	g->sel.draw_occupancy = true;
	expect_no_curves(g, KS_REFUSAL_NO_LAUNCH_ACTIVITY);
}

/* 256 threads, 32 registers: 100 % on sm_80 and on sm_90, 8 blocks; with more shared memory they
 * part. The same with two carve-outs. */
static void devices_that_agree_on_the_launch_alone_have_no_curve(void **state)
{
	struct given world, *g = &world;

	(void)state;
	given_curves(g, 8, 0);
	given_gpu(g, 1, 9, 0, 132);
	given_launch(g, "k", 1, 2000, 1000);
	then_report(g);
	expect_real(row_of(g, "k(int)", "ks__theoretical_occupancy_pct"), 100.0);
	assert_int_equal(g->r->occupancy->refusal, KS_REFUSAL_MULTI_DEVICE_AGGREGATE);
	given_release(g);
	given_curves(g, 8, 0)->smem_executed = 32 * 1024;
	given_launch(g, "k", 0, 2000, 1000)->smem_executed = 64 * 1024;
	expect_no_curves(g, KS_REFUSAL_MIXED_LAUNCH_CONFIG);
}

static void nothing_is_made_unless_asked_for(void **state)
{
	struct given world, *g = &world;

	(void)state;
	given_curves(g, 8, 0);
	g->sel.draw_occupancy = false;
	then_report(g);
	assert_null(g->r->occupancy);
	given_release(g);
}

/* The kernel with most time, and of it the configuration with most launches. */
static void the_first_kernel_is_drawn_in_its_dominant_configuration(void **state)
{
	struct given world, *g = &world;

	(void)state;
	given_curves(g, 8, 0);
	given_launch(g, "long", 0, 2000, 9000)->block[0] = 64;
	given_launch(g, "long", 0, 12000, 10)->block[0] = 96;
	given_launch(g, "long", 0, 13000, 10)->block[0] = 96;
	then_report(g);
	const struct ks_occ_curve *c = curve_of(g, KS_OCC_AXIS_BLOCK);

	assert_true(ks_str_eqc(g->r->occupancy->kernel, "long(int)"));
	assert_int_equal(c->point[c->current].value, 96);
	assert_int_equal(g->r->occupancy->config_launches, 2);
	assert_int_equal(g->r->occupancy->launches, 3);
	given_release(g);
}

int test_occpicture(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_are_those_of_hand_arithmetic),
		cmocka_unit_test(shared_memory_counts_as_a_whole),
		cmocka_unit_test(the_carve_out_of_the_launch_ends_the_axis),
		cmocka_unit_test(a_block_of_part_warps_is_a_point_of_its_own),
		cmocka_unit_test(the_launch_is_where_the_worked_cases_say),
		cmocka_unit_test(a_step_changes_only_what_it_may),
		cmocka_unit_test(where_two_limit_alike_the_step_needs_both),
		cmocka_unit_test(what_is_not_known_is_refused_by_its_code),
		cmocka_unit_test(devices_that_agree_on_the_launch_alone_have_no_curve),
		cmocka_unit_test(nothing_is_made_unless_asked_for),
		cmocka_unit_test(the_first_kernel_is_drawn_in_its_dominant_configuration),
	};

	return cmocka_run_group_tests_name("occupancy picture", tests, NULL, NULL);
}
