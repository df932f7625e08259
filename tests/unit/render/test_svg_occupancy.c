/* SPDX-License-Identifier: Apache-2.0
 *
 * The picture and the table of occupancy: what the report's points say, well-formed, and what is
 * there instead where they are refused.
 */
#include "all.h"

#include "base/str.h"

struct drawn {
	struct given *g;
	struct ks_occ_picture p;
	struct ks_occ_point point[3][3];
};

/* Three points on each axis, the launch in the middle; a step up by registers alone. */
static struct drawn *given_curves(ks_str name)
{
	struct given *g = given_report();
	struct drawn *d = KS_ARENA_NEW(&g->run, struct drawn);
	static const int64_t value[3][3] = { { 128, 256, 512 }, { 32, 40, 64 }, { 0, 1024, 2048 } };

	assert_non_null(d);
	d->g = g;
	d->p = (struct ks_occ_picture){ .kernel = name, .launches = 5, .config_launches = 4 };
	for (int axis = 0; axis < 3; axis++) {
		for (int i = 0; i < 3; i++)
			d->point[axis][i] = (struct ks_occ_point){ .value = value[axis][i],
								   .blocks = 4 - i,
								   .warps = 32 - 8 * i,
								   .pct = 50.0 - 12.5 * i,
								   .limiter = KS_LIT("registers") };
		d->point[axis][1].current = true;
		d->p.curve[axis] = (struct ks_occ_curve){
			.point = d->point[axis], .n = 3, .current = 1, .step_up = 3
		};
	}
	d->point[KS_OCC_AXIS_REGS][0].step_up = true;
	d->p.curve[KS_OCC_AXIS_REGS].step_up = 0;
	g->r.occupancy = &d->p;
	given_kernel(g, name, 5, 1000000, 1);
	given_finished(g);
	return d;
}

static void pictures_are_well_formed_in_both_languages(void **state)
{
	(void)state;
	for (int zh = 0; zh < 2; zh++) {
		struct drawn *d = given_curves(KS_LIT("void k<int>(float*)"));

		given_language(d->g, zh ? KS_LANG_ZH : KS_LANG_EN);
		expect_well_formed(rendered(d->g, &ks_render_occupancy_svg));
		given_released(d->g);
	}
}

static void the_launch_and_the_step_are_said(void **state)
{
	struct drawn *d = given_curves(KS_LIT("gemm"));
	const char *text;

	(void)state;
	d->p.carve_out = 32768;
	text = rendered(d->g, &ks_render_occupancy_svg);
	assert_non_null(strstr(text, ">256 threads \xc2\xb7 40 registers \xc2\xb7 1024 B shared "
				     "memory \xc2\xb7 37.5 %, blocks per SM: 3, warps: 24, limited "
				     "by registers<"));
	assert_non_null(strstr(text, ">nearest step up: at most 32 registers, 50 %<"));
	assert_non_null(strstr(text, ">no step up by this alone<"));
	assert_non_null(strstr(text, ">32 to 32: 50 %, blocks per SM: 4, warps: 32"));
	assert_non_null(strstr(text, "configuration of 4 of 5 launches"));
	assert_non_null(strstr(text, "within the 32768 B per SM"));
	given_released(d->g);
}

static void a_step_of_two_is_said_once(void **state)
{
	struct drawn *d = given_curves(KS_LIT("gemm"));
	const char *text;

	(void)state;
	d->p.both_regs = 24;
	d->p.both_smem = 512;
	d->p.both_pct = 75.0;
	text = rendered(d->g, &ks_render_occupancy_svg);
	text = strstr(text,
		      ">nearest step up, by both at once: at most 24 registers and 512 B, 75 %<");
	assert_non_null(text);
	assert_null(strstr(strchr(text, '<'), "by both")); /* not once more */
	given_released(d->g);
}

/* Plots are 200 high: 50 % is 100, and the first of the block sizes reaches to a quarter of 310. */
static void bars_are_as_high_as_their_percent(void **state)
{
	struct drawn *d = given_curves(KS_LIT("gemm"));
	const char *text = rendered(d->g, &ks_render_occupancy_svg);
	const char *bar = strstr(text, ">128 to 128: 50 %");

	(void)state;
	assert_non_null(bar);
	assert_memory_equal(strstr(bar, "height=\"") + 8, "100\"", 4);
	assert_memory_equal(strstr(bar, "width=\"") + 7, "77.5\"", 5);
	given_released(d->g);
}

static void the_table_has_every_point(void **state)
{
	struct drawn *d = given_curves(KS_LIT("gemm"));

	(void)state;
	assert_string_equal(rendered(d->g, &ks_render_occupancy_csv),
			    "axis,value,blocks_per_sm,warps_per_sm,occupancy_pct,limiter,current,"
			    "step_up\r\n"
			    "threads_per_block,128,4,32,50,registers,0,0\r\n"
			    "threads_per_block,256,3,24,37.5,registers,1,0\r\n"
			    "threads_per_block,512,2,16,25,registers,0,0\r\n"
			    "registers_per_thread,32,4,32,50,registers,0,1\r\n"
			    "registers_per_thread,40,3,24,37.5,registers,1,0\r\n"
			    "registers_per_thread,64,2,16,25,registers,0,0\r\n"
			    "shared_mem_per_block,0,4,32,50,registers,0,0\r\n"
			    "shared_mem_per_block,1024,3,24,37.5,registers,1,0\r\n"
			    "shared_mem_per_block,2048,2,16,25,registers,0,0\r\n");
	given_released(d->g);
}

static void a_refusal_is_a_picture_and_an_empty_table(void **state)
{
	(void)state;
	for (int zh = 0; zh < 2; zh++) {
		struct drawn *d = given_curves(KS_LIT("gemm"));
		const char *text;

		d->p = (struct ks_occ_picture){ .kernel = KS_LIT("gemm"),
						.refusal = KS_REFUSAL_UNKNOWN_ARCH,
						.why = { .id = KS_TEXT_AN_ARCH_NOT_IN_TABLE } };
		given_language(d->g, zh ? KS_LANG_ZH : KS_LANG_EN);
		text = rendered(d->g, &ks_render_occupancy_svg);
		expect_well_formed(text);
		assert_non_null(strstr(text, zh ? "没有曲线：架构表中没有该设备的计算能力"
						: "No curves: the table of architectures does"));
		assert_non_null(strstr(text, "[unknown_arch]"));
		assert_string_equal(rendered(d->g, &ks_render_occupancy_csv),
				    "axis,value,blocks_per_sm,warps_per_sm,occupancy_pct,limiter,"
				    "current,step_up\r\n");
		given_released(d->g);
	}
}

static void hostile_names_stay_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_hostile_names; i++) {
		struct drawn *d = given_curves(hostile_names[i]);
		const char *text = rendered(d->g, &ks_render_occupancy_svg);

		expect_no_control_bytes(text, false);
		assert_null(strstr(text, "<script"));
		expect_well_formed(text);
		given_released(d->g);
	}
}

static void a_report_without_curves_is_an_error(void **state)
{
	struct given *g = given_report();
	struct ks_err err = { 0 };
	struct ks_out out;

	(void)state;
	ks_out_open_null(&out);
	assert_int_equal(ks_render_occupancy_svg.render(&g->ctx, &g->r, &g->v, &out, &err),
			 KS_E_INPUT);
	assert_int_equal(ks_render_occupancy_csv.render(&g->ctx, &g->r, &g->v, &out, &err),
			 KS_E_INPUT);
	given_released(g);
}

int test_svg_occupancy(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pictures_are_well_formed_in_both_languages),
		cmocka_unit_test(the_launch_and_the_step_are_said),
		cmocka_unit_test(a_step_of_two_is_said_once),
		cmocka_unit_test(bars_are_as_high_as_their_percent),
		cmocka_unit_test(the_table_has_every_point),
		cmocka_unit_test(a_refusal_is_a_picture_and_an_empty_table),
		cmocka_unit_test(hostile_names_stay_text),
		cmocka_unit_test(a_report_without_curves_is_an_error),
	};

	return cmocka_run_group_tests_name("svg occupancy", tests, NULL, NULL);
}
