/* SPDX-License-Identifier: Apache-2.0
 *
 * Wrong spellings and the names they are nearest to.
 */
#include "tests.h"

#include "base/str.h"
#include "cmd/dispatch.h"
#include "cmd/suggest.h"

static void commands_one_slip_away(void **state)
{
	static const struct {
		const char *typed, *meant;
	} cases[] = {
		{ "explian", "explain" }, { "explai", "explain" }, { "reports", "report" },
		{ "hlep", "help" },	  { "doctr", "doctor" },   { "explain", NULL },
		{ "python", NULL },	  { "--help", NULL },	   { "e", NULL },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		const char *got = ks_suggest_command(cases[i].typed);

		if (cases[i].meant == NULL)
			assert_null(got);
		else
			assert_string_equal(got, cases[i].meant);
	}
}

static void names_of_the_tables(void **state)
{
	(void)state;
	assert_string_equal(ks_suggest_section(ks_str_c("Ocupancy")), "Occupancy");
	assert_string_equal(ks_suggest_section(ks_str_c("launchstats")), "LaunchStats");
	assert_null(ks_suggest_section(ks_str_c("qqqqqqqqqqqqqq")));
	assert_string_equal(ks_suggest_metric(ks_str_c("ks__launch_time_maen")),
			    "ks__launch_time_mean");
	assert_string_equal(ks_suggest_metric(ks_str_c("gpu__time_duration.sm")),
			    "gpu__time_duration.sum");
	assert_string_equal(ks_suggest_format("svgg"), "svg");
	assert_string_equal(ks_suggest_topic("counters_denid"), "counters_denied");
	assert_string_equal(ks_suggest_topic("--launch-cuont"), "launch-count");
}

static const char *path_of_bin(const char *name)
{
	return strcmp(name, "PATH") == 0 ? "/nonexistent:/bin:/usr/bin" : NULL;
}

static void programs_are_looked_for_as_a_shell_does(void **state)
{
	const struct ks_ctx ctx = { .env = path_of_bin };

	(void)state;
	assert_true(ks_program_exists(&ctx, "sh"));
	assert_true(ks_program_exists(&ctx, "/bin/sh"));
	assert_false(ks_program_exists(&ctx, "explian"));
	assert_false(ks_program_exists(&ctx, "./explian"));
}

int test_suggest(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_one_slip_away),
		cmocka_unit_test(names_of_the_tables),
		cmocka_unit_test(programs_are_looked_for_as_a_shell_does),
	};

	return cmocka_run_group_tests_name("suggest", tests, NULL, NULL);
}
