/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of formats and the row filter.
 */
#include "all.h"

#include "base/str.h"

static void every_live_format_has_a_renderer_and_no_planned_one(void **state)
{
	(void)state;
	for (int f = KS_FORMAT_NONE + 1; f < KS_FORMAT_COUNT; f++) {
		const struct ks_render_ops *ops = ks_render_find((enum ks_format)f);

		assert_int_equal(ops != NULL,
				 ks_format_info((enum ks_format)f)->state == KS_STATE_LIVE);
		if (ops != NULL)
			assert_int_equal(ops->format, f);
	}
}

static void rows_pass_by_exact_name_and_section(void **state)
{
	const struct ks_ev row = { .name = KS_LIT("ks__launch_count"),
				   .section = KS_SECTION_DURATION };
	const ks_str same[] = { KS_LIT("x"), KS_LIT("ks__launch_count") };
	const ks_str part[] = { KS_LIT("ks__launch") };
	bool on[KS_SECTION_COUNT] = { false };
	struct ks_view v = { .n_metrics = 0 };

	(void)state;
	assert_true(ks_view_row(&v, &row));
	v.metric = same;
	v.n_metrics = 2;
	assert_true(ks_view_row(&v, &row));
	v.metric = part;
	v.n_metrics = 1;
	assert_false(ks_view_row(&v, &row));
	v.n_metrics = 0;
	v.section_on = on;
	assert_false(ks_view_row(&v, &row));
	on[KS_SECTION_DURATION] = true;
	assert_true(ks_view_row(&v, &row));
}

int test_render(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_live_format_has_a_renderer_and_no_planned_one),
		cmocka_unit_test(rows_pass_by_exact_name_and_section),
	};

	return cmocka_run_group_tests_name("render", tests, NULL, NULL);
}
