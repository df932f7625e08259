/* SPDX-License-Identifier: Apache-2.0
 *
 * Dates whose seconds are known from `date -u -d`, and SOURCE_DATE_EPOCH in front of the real time.
 */
#include "all.h"

#include "base/clock.h"

static void seconds_are_written_as_utc(void **state)
{
	static const struct {
		int64_t s;
		const char *want;
	} cases[] = {
		{ 0, "1970-01-01T00:00:00+0000" },
		{ 951782400, "2000-02-29T00:00:00+0000" },
		{ 1796060464, "2026-11-30T17:41:04+0000" },
		{ -1, "1969-12-31T23:59:59+0000" },
		{ 253402300799, "9999-12-31T23:59:59+0000" },
		{ INT64_MAX, "9999-12-31T23:59:59+0000" },
		{ INT64_MIN, "0001-01-01T00:00:00+0000" },
	};
	char text[32];

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		assert_int_equal(ks_clock_iso(text, cases[i].s), 24);
		assert_string_equal(text, cases[i].want);
	}
}

static void source_date_epoch_stands_in_for_now(void **state)
{
	static const char *const invalid[] = { "", "x", "-5", "12 ", "99999999999999" };

	(void)state;
	assert_int_equal(setenv("SOURCE_DATE_EPOCH", "1700000000", 1), 0);
	assert_int_equal(ks_clock_system.epoch_s(), 1700000000);
	for (size_t i = 0; i < KS_ARRAY_LEN(invalid); i++) {
		assert_int_equal(setenv("SOURCE_DATE_EPOCH", invalid[i], 1), 0);
		assert_true(ks_clock_system.epoch_s() - (int64_t)time(NULL) <= 1);
		assert_true((int64_t)time(NULL) - ks_clock_system.epoch_s() <= 1);
	}
	assert_int_equal(unsetenv("SOURCE_DATE_EPOCH"), 0);
}

static void monotonic_time_never_goes_back(void **state)
{
	ks_ns last = ks_clock_system.monotonic();

	(void)state;
	assert_true(last > 0);
	for (int i = 0; i < 1000; i++) {
		const ks_ns now = ks_clock_system.monotonic();

		assert_true(now >= last);
		last = now;
	}
}

int test_clock(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seconds_are_written_as_utc),
		cmocka_unit_test(source_date_epoch_stands_in_for_now),
		cmocka_unit_test(monotonic_time_never_goes_back),
	};

	return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
