/* SPDX-License-Identifier: Apache-2.0
 *
 * Section NvtxPhases out of a timeline made by hand: its rows with their units and lineage, both
 * readings, steps, and the refusals.
 */
#include "all.h"

#include "analyze/emit.h"
#include "base/mem.h"

struct given_section {
	struct ks_arena arena;
	struct ks_analysis a;
	struct ks_report r;
	struct ks_timeline t;
	struct ks_emit e;
	const struct ks_section_rows *section; /* NULL: not made */
};

/* 1000 kernels, 8 ms of them in ranges and 2 ms not. */
static void given_section(struct given_section *g)
{
	*g = (struct given_section){ 0 };
	ks_arena_init(&g->arena, (size_t)1 << 28);
	g->a.arena = &g->arena;
	g->r.ev = ks_store_open(&g->arena);
	g->r.contents.kernels = 1000;
	g->r.contents.nvtx_rows = 20;
	g->r.timeline = &g->t;
	g->t.ranges = 12;
	g->t.attributed_ns = 8000000;
	g->t.unattributed_ns = 2000000;
}

static void when_emitted(struct given_section *g)
{
	size_t n;

	ks_emit_init(&g->e, &g->a, &g->r);
	ks_emit_subject(&g->e, NULL, KS_LIT("(device)"));
	ks_emit_nvtx_phases(&g->e);
	const struct ks_section_rows *s = ks_emit_sections(&g->e, &n);

	g->section = n > 0 ? s : NULL;
	assert_int_equal(ks_store_status(g->r.ev, NULL), KS_OK);
	assert_false(g->a.no_memory);
}

static void given_section_release(struct given_section *g)
{
	ks_emit_release(&g->e);
	ks_arena_release(&g->arena);
}

static const struct ks_ev *find_row(const struct given_section *g, const char *name)
{
	return ks_ev_get(g->r.ev, ks_ev_find(g->r.ev, ks_str_c(name), KS_LIT("(device)")));
}

static const struct ks_ev *row(const struct given_section *g, const char *name)
{
	const struct ks_ev *found = find_row(g, name);

	if (!found)
		fail_msg("no row %s", name);
	return found;
}

static const struct ks_phase step_phase = {
	.name = { "Step 190 to 200", 15 },
	.domain = { "lib", 3 },
	.domain_id = 1,
	.depth = 2,
	.instances = 4,
	.wall_ns = 20000000,
	.min_ns = 1000000,
	.max_ns = 9000000,
	.kernels = 500,
	.kernel_ns = 6000000,
	.own_ns = 1500000,
	.gpu_ns = 5000000,
};

static void a_phase_has_its_times_and_lengths(void **state)
{
	struct given_section g;

	(void)state;
	given_section(&g);
	g.t.phase = &step_phase;
	g.t.n_phases = g.t.phases_with_time = 1;
	when_emitted(&g);
	expect_real(row(&g, "ks__nvtx_attributed_kernel_ms"), 8.0);
	expect_real(row(&g, "ks__nvtx_unattributed_kernel_ms"), 2.0);
	expect_int(row(&g, "ks__nvtx_phase_count"), 1);
	expect_int(row(&g, "ks__nvtx_phase_omitted"), 0);
	expect_real(row(&g, "ks__nvtx_phase_0__Step_190_to_200__kernel_ms"), 6.0);
	expect_real(row(&g, "ks__nvtx_phase_0__Step_190_to_200__share_pct"), 60.0);
	expect_real(row(&g, "ks__nvtx_phase_0__Step_190_to_200__own_kernel_ms"), 1.5);
	expect_real(row(&g, "ks__nvtx_phase_0__Step_190_to_200__gpu_ms"), 5.0);
	expect_int(row(&g, "ks__nvtx_phase_0__Step_190_to_200__kernels"), 500);
	expect_real(row(&g, "ks__nvtx_phase_0__Step_190_to_200__total_ms"), 20.0);
	expect_int(row(&g, "ks__nvtx_phase_0__Step_190_to_200__instances"), 4);
	expect_real(row(&g, "ks__nvtx_phase_0__Step_190_to_200__mean_ms"), 5.0);
	expect_real(row(&g, "ks__nvtx_phase_0__Step_190_to_200__max_ms"), 9.0);
	/* the share comes from three rows, the mean from two */
	assert_int_equal(row(&g, "ks__nvtx_phase_0__Step_190_to_200__share_pct")->n_inputs, 3);
	assert_int_equal(row(&g, "ks__nvtx_phase_0__Step_190_to_200__mean_ms")->n_inputs, 2);
	assert_int_equal(g.section->note.id, KS_TEXT_AN_NOTE_NVTX_CALL);
	given_section_release(&g);
}

static void eight_phases_are_listed_and_the_rest_counted(void **state)
{
	struct given_section g;
	struct ks_phase phase[10];

	(void)state;
	given_section(&g);
	for (size_t i = 0; i < KS_ARRAY_LEN(phase); i++)
		phase[i] = step_phase;
	phase[7].name = KS_LIT("--");
	g.t.phase = phase;
	g.t.n_phases = KS_ARRAY_LEN(phase);
	g.t.phases_with_time = 12;
	when_emitted(&g);
	expect_int(row(&g, "ks__nvtx_phase_count"), 8);
	expect_int(row(&g, "ks__nvtx_phase_omitted"), 4);
	assert_non_null(find_row(&g, "ks__nvtx_phase_7__phase__kernel_ms"));
	assert_null(find_row(&g, "ks__nvtx_phase_8__Step_190_to_200__kernel_ms"));
	given_section_release(&g);
}

static void names_become_slugs_of_letters_and_digits(void **state)
{
	static const struct {
		const char *name, *metric;
	} table[] = {
		{ "aten::add", "ks__nvtx_phase_0__aten__add__max_ms" },
		{ "  x  ", "ks__nvtx_phase_0__x__max_ms" },
		{ "\xe6\xad\xa5 1", "ks__nvtx_phase_0__1__max_ms" }, /* a Chinese character */
		{ "a\xc3\xa9z", "ks__nvtx_phase_0__a_z__max_ms" },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(table); i++) {
		struct given_section g;
		struct ks_phase p = step_phase;

		given_section(&g);
		p.name = ks_str_c(table[i].name);
		g.t.phase = &p;
		g.t.n_phases = g.t.phases_with_time = 1;
		when_emitted(&g);
		assert_non_null(row(&g, table[i].metric));
		given_section_release(&g);
	}
}

static void overlap_says_that_it_is_the_second_reading(void **state)
{
	struct given_section g;
	struct ks_phase p = step_phase;

	(void)state;
	given_section(&g);
	p.gpu_ns = KS_UNKNOWN;
	g.t.by_overlap = true;
	g.t.phase = &p;
	g.t.n_phases = g.t.phases_with_time = 1;
	when_emitted(&g);
	assert_int_equal(g.section->note.id, KS_TEXT_AN_NOTE_NVTX_OVERLAP);
	assert_int_equal(row(&g, "ks__nvtx_attributed_kernel_ms")->source.id,
			 KS_TEXT_AN_SRC_NVTX_OVERLAP);
	assert_null(find_row(&g, "ks__nvtx_phase_0__Step_190_to_200__gpu_ms"));
	given_section_release(&g);
}

static void open_ranges_and_marks_are_exact(void **state)
{
	struct given_section g;

	(void)state;
	given_section(&g);
	g.t.open_ranges = 3;
	g.t.marks = 5;
	when_emitted(&g);
	expect_int(row(&g, "ks__nvtx_open_ranges"), 3);
	expect_int(row(&g, "ks__nvtx_marks"), 5);
	assert_int_equal(row(&g, "ks__nvtx_marks")->prov, KS_PROV_EXACT);
	given_section_release(&g);
}

#define MS 1000000
static const struct ks_step steps[] = {
	{ 0, 50 * MS, 9 * MS, KS_STEP_FIRST },
	{ 50 * MS, 70 * MS, 9 * MS, KS_STEP_WARMUP },
	{ 70 * MS, 80 * MS, 4 * MS, KS_STEP_PLAIN },
	{ 80 * MS, 92 * MS, 6 * MS, KS_STEP_PLAIN },
	{ 92 * MS, 122 * MS, 8 * MS, KS_STEP_OUTLIER },
};

static void steps_have_median_spread_and_marks(void **state)
{
	struct given_section g;

	(void)state;
	given_section(&g);
	g.t.steps = (struct ks_steps){ .name = KS_LIT("step #"), .step = steps, .n = 5 };
	when_emitted(&g);
	expect_int(row(&g, "ks__step_count"), 5);
	expect_real(row(&g, "ks__step_first_ms"), 50.0);
	/* 10, 12 and 30 are left: median 12, deviations 2, 0, 18 */
	expect_real(row(&g, "ks__step_p50_ms"), 12.0);
	expect_real(row(&g, "ks__step_mad_ms"), 2.0);
	expect_real(row(&g, "ks__step_kernel_p50_ms"), 6.0);
	expect_int(row(&g, "ks__step_warmup_count"), 1);
	expect_int(row(&g, "ks__step_outlier_count"), 1);
	given_section_release(&g);
}

static void a_window_keeps_the_steps_it_touches(void **state)
{
	struct given_section g;

	(void)state;
	given_section(&g);
	g.t.steps = (struct ks_steps){ .name = KS_LIT("step #"), .step = steps, .n = 5 };
	g.t.window = (struct ks_window_facts){ .on = true, .from_ns = 70 * MS, .to_ns = 81 * MS };
	when_emitted(&g);
	expect_int(row(&g, "ks__step_count"), 2);
	expect_real(row(&g, "ks__step_p50_ms"), 11.0);
	expect_int(row(&g, "ks__step_outlier_count"), 0);
	assert_null(find_row(&g, "ks__step_first_ms"));
	given_section_release(&g);
}

static void no_steps_are_none_and_say_why(void **state)
{
	struct given_section g;

	(void)state;
	given_section(&g);
	g.t.steps.why.id = KS_TEXT_AN_STEPS_NO_RANGES;
	when_emitted(&g);
	expect_int(row(&g, "ks__step_count"), 0);
	assert_int_equal(row(&g, "ks__step_count")->note.id, KS_TEXT_AN_STEPS_NO_RANGES);
	assert_null(find_row(&g, "ks__step_p50_ms"));
	given_section_release(&g);
}

static void what_is_missing_is_refused_with_its_reason(void **state)
{
	static const struct {
		uint64_t ranges, kernels, rows;
		bool window;
		enum ks_refusal code;
		enum ks_text why;
	} table[] = {
		{ 0, 5, 0, false, KS_REFUSAL_NO_NVTX, KS_TEXT_AN_NO_NVTX_AT_ALL },
		{ 0, 5, 3, false, KS_REFUSAL_NO_NVTX, KS_TEXT_AN_NO_NVTX_CLOSED },
		{ 0, 5, 3, true, KS_REFUSAL_NO_NVTX, KS_TEXT_AN_NO_NVTX_IN_WINDOW },
		{ 0, 0, 3, false, KS_REFUSAL_NO_NVTX, KS_TEXT_AN_NO_NVTX_NOR_KERNELS },
		{ 2, 0, 3, false, KS_REFUSAL_NO_LAUNCH_ACTIVITY, KS_TEXT_AN_NVTX_NO_KERNELS },
	};
	static const char *const metric[] = { "ks__nvtx_attributed_kernel_ms",
					      "ks__nvtx_unattributed_kernel_ms",
					      "ks__nvtx_phase_count", "ks__nvtx_phase_omitted" };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(table); i++) {
		struct given_section g;

		given_section(&g);
		g.t.ranges = table[i].ranges;
		g.r.contents.kernels = table[i].kernels;
		g.r.contents.nvtx_rows = table[i].rows;
		g.t.window.on = table[i].window;
		when_emitted(&g);
		for (size_t k = 0; k < KS_ARRAY_LEN(metric); k++) {
			expect_refused(row(&g, metric[k]), table[i].code);
			assert_int_equal(row(&g, metric[k])->refused->message.id, table[i].why);
		}
		given_section_release(&g);
	}
}

static void a_report_without_a_timeline_refuses_too(void **state)
{
	struct given_section g;

	(void)state;
	given_section(&g);
	g.r.timeline = NULL;
	g.r.contents.nvtx_rows = 0;
	when_emitted(&g);
	expect_refused(row(&g, "ks__nvtx_phase_count"), KS_REFUSAL_NO_NVTX);
	given_section_release(&g);
}

int test_sec_nvtx(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_phase_has_its_times_and_lengths),
		cmocka_unit_test(eight_phases_are_listed_and_the_rest_counted),
		cmocka_unit_test(names_become_slugs_of_letters_and_digits),
		cmocka_unit_test(overlap_says_that_it_is_the_second_reading),
		cmocka_unit_test(open_ranges_and_marks_are_exact),
		cmocka_unit_test(steps_have_median_spread_and_marks),
		cmocka_unit_test(a_window_keeps_the_steps_it_touches),
		cmocka_unit_test(no_steps_are_none_and_say_why),
		cmocka_unit_test(what_is_missing_is_refused_with_its_reason),
		cmocka_unit_test(a_report_without_a_timeline_refuses_too),
	};

	return cmocka_run_group_tests_name("section NvtxPhases", tests, NULL, NULL);
}
