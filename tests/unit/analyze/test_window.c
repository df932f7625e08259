/* SPDX-License-Identifier: Apache-2.0
 *
 * --within as text: what it means, and what is no window.
 */
#include "all.h"

#include "analyze/window.h"
#include "base/str.h"
#include "tables/tables.h"

static void times_are_whole_nanoseconds(void **state)
{
	static const struct {
		const char *text;
		ks_ns from, to;
	} all[] = {
		{ "0..1", 0, 1 },
		{ "10ns..2us", 10, 2000 },
		{ "1.25ms..1.5s", 1250000, 1500000000 },
		{ "..500ms", KS_UNKNOWN, 500000000 },
		{ "1s..", 1000000000, KS_UNKNOWN },
		{ "-5..5", -5, 5 },
		{ "0.000000001s..1s", 1, 1000000000 },
		{ " 3us .. 4us ", 3000, 4000 },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(all); i++) {
		struct ks_window_spec w;

		assert_int_equal(ks_window_parse(ks_str_c(all[i].text), &w, NULL), KS_OK);
		assert_int_equal(w.kind, KS_WINDOW_TIME);
		assert_int_equal(w.from, all[i].from);
		assert_int_equal(w.to, all[i].to);
	}
}

static void ranges_have_name_domain_and_number(void **state)
{
	static const struct {
		const char *text, *name, *domain;
		int64_t number;
	} all[] = {
		{ "nvtx:forward", "forward", "", 0 },
		{ "nvtx:forward/3", "forward", "", 3 },
		{ "nvtx:all reduce@NCCL", "all reduce", "NCCL", 0 },
		{ "nvtx:all reduce@NCCL/12", "all reduce", "NCCL", 12 },
		{ "nvtx:a/b", "a/b", "", 0 },
		{ "nvtx:a/b/7", "a/b", "", 7 },
		{ "nvtx:user@host@D", "user@host", "D", 0 },
		{ "nvtx:1..2", "1..2", "", 0 },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(all); i++) {
		struct ks_window_spec w;

		assert_int_equal(ks_window_parse(ks_str_c(all[i].text), &w, NULL), KS_OK);
		assert_int_equal(w.kind, KS_WINDOW_RANGE);
		assert_true(ks_str_eqc(w.name, all[i].name));
		assert_true(ks_str_eqc(w.domain, all[i].domain));
		assert_int_equal(w.first, all[i].number);
	}
}

static void steps_end_before_the_second_number(void **state)
{
	struct ks_window_spec w;

	(void)state;
	assert_int_equal(ks_window_parse(KS_LIT("step:4"), &w, NULL), KS_OK);
	assert_int_equal(w.kind, KS_WINDOW_STEPS);
	assert_int_equal(w.first, 4);
	assert_int_equal(w.last, 5);
	assert_int_equal(ks_window_parse(KS_LIT("step:2..9"), &w, NULL), KS_OK);
	assert_int_equal(w.first, 2);
	assert_int_equal(w.last, 9);
	assert_int_equal(ks_window_parse(KS_LIT(""), &w, NULL), KS_OK);
	assert_int_equal(w.kind, KS_WINDOW_ALL);
}

static void what_is_no_window_is_a_usage_error(void **state)
{
	static const struct {
		const char *text;
		int why;
	} all[] = {
		{ "5", KS_TEXT_ERR_AN_WITHIN_FORM },
		{ "..", KS_TEXT_ERR_AN_WITHIN_FORM },
		{ "nvtx:", KS_TEXT_ERR_AN_WITHIN_FORM },
		{ "nvtx:@NCCL", KS_TEXT_ERR_AN_WITHIN_FORM },
		{ "a..b", KS_TEXT_ERR_AN_WITHIN_TIME },
		{ "1.5..2", KS_TEXT_ERR_AN_WITHIN_TIME }, /* half a nanosecond */
		{ "0.0001us..1us", KS_TEXT_ERR_AN_WITHIN_TIME },
		{ "1h..2h", KS_TEXT_ERR_AN_WITHIN_TIME },
		{ "99999999999s..", KS_TEXT_ERR_AN_WITHIN_TIME }, /* beyond 2^62 ns */
		{ "99999999999999999999..", KS_TEXT_ERR_AN_WITHIN_TIME },
		{ "s..1s", KS_TEXT_ERR_AN_WITHIN_TIME },
		{ "1s..1s", KS_TEXT_ERR_AN_WITHIN_EMPTY },
		{ "2s..1s", KS_TEXT_ERR_AN_WITHIN_EMPTY },
		{ "step:3..3", KS_TEXT_ERR_AN_WITHIN_EMPTY },
		{ "step:", KS_TEXT_ERR_AN_WITHIN_STEPS },
		{ "step:-1", KS_TEXT_ERR_AN_WITHIN_STEPS },
		{ "step:a..b", KS_TEXT_ERR_AN_WITHIN_STEPS },
		{ "step:9223372036854775807", KS_TEXT_ERR_AN_WITHIN_STEPS },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(all); i++) {
		struct ks_window_spec w;
		struct ks_err err;

		ks_err_init(&err);
		assert_int_equal(ks_window_parse(ks_str_c(all[i].text), &w, &err), KS_E_USAGE);
		assert_int_equal(err.text, all[i].why);
	}
}

static void rows_are_clipped_to_the_half_open_window(void **state)
{
	const struct ks_window w = { .on = true, .from = 100, .to = 200 };
	static const struct {
		ks_ns start, end, from, to;
		bool inside;
	} all[] = {
		{ 0, 100, 0, 0, false },   /* ends where it begins */
		{ 200, 300, 0, 0, false }, /* begins where it ends */
		{ 50, 101, 100, 101, true }, { 199, 300, 199, 200, true },
		{ 0, 1000, 100, 200, true }, { 120, 130, 120, 130, true },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(all); i++) {
		ks_ns start = all[i].start, end = all[i].end;

		assert_int_equal(ks_window_clip(&w, &start, &end), all[i].inside);
		if (!all[i].inside)
			continue;
		assert_int_equal(start, all[i].from);
		assert_int_equal(end, all[i].to);
	}
}

int test_window(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_whole_nanoseconds),
		cmocka_unit_test(ranges_have_name_domain_and_number),
		cmocka_unit_test(steps_end_before_the_second_number),
		cmocka_unit_test(what_is_no_window_is_a_usage_error),
		cmocka_unit_test(rows_are_clipped_to_the_half_open_window),
	};

	return cmocka_run_group_tests_name("window", tests, NULL, NULL);
}
