/* SPDX-License-Identifier: Apache-2.0
 *
 * Paths as a case directory shows them. Expectations are those of contract 03 §9 on a made-up
 * folder; what the original shows for the same lines is in tests/peer/case.t.
 */
#include "tests.h"

#include "base/str.h"
#include "cmd/casepath.h"

static struct ks_arena arena;

static const struct ks_case_place absolute = { { "/disk/a/work", 12 },
					       { "/disk/a/work/run/P.case", 23 } };
static const struct ks_case_place relative = { { "/disk/a/work", 12 }, { "run/P.case", 10 } };

static void expect(ks_str got, const char *want)
{
	if (!ks_str_eqc(got, want))
		fail_msg("\"%.*s\" is not \"%s\"", (int)got.n, got.p, want);
}

static void outputs_are_seen_from_the_folder(void **state)
{
	static const struct {
		const char *path, *seen;
	} cases[] = {
		{ "/disk/a/work/run/P.ksreport.json", "../P.ksreport.json" },
		{ "run/P.ksreport.json", "../P.ksreport.json" },
		{ "run/P.case/x", "x" },
		{ "p.json", "../../p.json" },
		{ "../b/p.json", "../../../b/p.json" },
		{ "./run/./sub//p.json", "../sub/p.json" },
		{ "run/sub/../p.json", "../p.json" },
		{ "/srv/customer/p.json", "<abs>/p.json" }, /* the root alone is common */
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		expect(ks_case_output_path(&arena, &absolute, ks_str_c(cases[i].path)),
		       cases[i].seen);
		expect(ks_case_output_path(&arena, &relative, ks_str_c(cases[i].path)),
		       cases[i].seen);
	}
}

static void absolute_arguments_lose_their_folder(void **state)
{
	static const struct {
		const char *arg, *shown;
	} cases[] = {
		{ "/data/secret/run.sqlite", "<abs>/run.sqlite" },
		{ "--packet=/data/secret/p.json", "--packet=<abs>/p.json" },
		{ "-o/data/secret/P", "-o<abs>/P" },
		{ "/disk/a/work/run/P", "../P" },
		{ "--packet=/disk/a/work/run/sub/p.json", "--packet=../sub/p.json" },
		{ "/disk/a/work/p.json", "<abs>/p.json" }, /* two steps up */
		{ "/disk/a/work/run/P.case", "." },
		{ "/disk/a/work/run/P.case/next.md", "next.md" },
		{ "/", "<abs>/" },
		{ "//data//secret/", "<abs>/secret" },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++)
		expect(ks_case_argument(&arena, &absolute, ks_str_c(cases[i].arg)), cases[i].shown);
}

static void everything_else_stays_as_it_was_given(void **state)
{
	static const char *const cases[] = {
		"--ks-synthetic",  "p.json",	       "../p.json", "-o",  "",	  "-",	"--",
		"--packet=p.json", "regex:/disk/.*/x", "-k",	    "a=b", "--=", "-x",
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++)
		expect(ks_case_argument(&arena, &absolute, ks_str_c(cases[i])), cases[i]);
}

static int start(void **state)
{
	(void)state;
	ks_arena_init(&arena, 1u << 20);
	return 0;
}

static int end(void **state)
{
	(void)state;
	ks_arena_release(&arena);
	return 0;
}

int test_casepath(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outputs_are_seen_from_the_folder),
		cmocka_unit_test(absolute_arguments_lose_their_folder),
		cmocka_unit_test(everything_else_stays_as_it_was_given),
	};

	return cmocka_run_group_tests_name("casepath", tests, start, end);
}
