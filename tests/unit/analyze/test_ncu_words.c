/* SPDX-License-Identifier: Apache-2.0
 *
 * The ncu line by hand: what ncu reads as an operator, what a shell reads, and what no line can
 * hold. The expected words are those of ncu's documented options and of POSIX quoting.
 */
#include "all.h"

#include "analyze/ncu_words.h"

static struct ks_arena arena;

static int given_arena(void **state)
{
	(void)state;
	ks_arena_init(&arena, (size_t)1 << 20);
	return 0;
}

static int no_arena(void **state)
{
	(void)state;
	ks_arena_release(&arena);
	return 0;
}

static struct ks_ncu_line when_asked(const struct ks_ncu_ask *ask)
{
	struct ks_ncu_line line = { .skip = 0 };

	ks_ncu_words(&arena, ask, &line);
	return line;
}

static void then_is(ks_str got, const char *want)
{
	if (!ks_str_eqc(got, want))
		fail_msg("%.*s, not %s", (int)got.n, got.p, want);
}

static void expect_filter(const char *domain, const char *name, bool start_end, const char *want)
{
	const struct ks_shown_range r = { ks_str_c(name), ks_str_c(domain), start_end };

	then_is(ks_ncu_range_filter(&arena, &r), want);
}

static void a_launch_is_name_ordinal_and_program(void **state)
{
	const ks_str argument[] = { KS_LIT("-n"), KS_LIT("4") };
	const struct ks_ncu_line line = when_asked(&(struct ks_ncu_ask){
		.function = KS_LIT("gemm"),
		.nvtx = KS_LIT(""),
		.skip = 41,
		.program = KS_LIT("./app"),
		.folder = KS_LIT("/opt/run"),
		.argument = argument,
		.n_arguments = 2,
	});

	(void)state;
	then_is(line.command, "cd /opt/run && ncu --target-processes all --kernel-name gemm "
			      "--launch-skip 41 --launch-count 1 ./app -n 4");
	assert_true(line.program_known);
	assert_int_equal(line.n_argv, 12);
}

static void a_range_adds_its_filter(void **state)
{
	const struct ks_ncu_line line = when_asked(&(struct ks_ncu_ask){
		.function = KS_LIT("k"), .nvtx = KS_LIT("step 1/"), .program = KS_LIT("a") });

	(void)state;
	then_is(line.command, "ncu --target-processes all --kernel-name k --nvtx --nvtx-include "
			      "'step 1/' --launch-skip 0 --launch-count 1 a");
}

static void an_unknown_program_leaves_its_place(void **state)
{
	const ks_str argument[] = { KS_LIT("left out") };
	const struct ks_ncu_line line = when_asked(&(struct ks_ncu_ask){
		.function = KS_LIT("k"),
		.nvtx = KS_LIT(""),
		.program = KS_LIT(""),
		.folder = KS_LIT("/opt"),
		.argument = argument,
		.n_arguments = 1,
	});

	(void)state;
	then_is(line.command, "ncu --target-processes all --kernel-name k --launch-skip 0 "
			      "--launch-count 1 PROGRAM");
	assert_false(line.program_known);
	assert_int_equal(line.folder.n, 0);
}

static void words_are_quoted_for_a_shell(void **state)
{
	const ks_str argument[] = { KS_LIT("a b"), KS_LIT("it's"), KS_LIT(""), KS_LIT("$(x)") };
	const struct ks_ncu_line line = when_asked(&(struct ks_ncu_ask){
		.function = KS_LIT("operator<<"),
		.nvtx = KS_LIT(""),
		.program = KS_LIT("./my app"),
		.folder = KS_LIT("-dir"),
		.argument = argument,
		.n_arguments = 4,
	});

	(void)state;
	then_is(line.command, "cd -- -dir && ncu --target-processes all --kernel-name 'operator<<' "
			      "--launch-skip 0 --launch-count 1 './my app' 'a b' 'it'\\''s' '' "
			      "'$(x)'");
}

static void a_word_that_is_no_line_is_no_program(void **state)
{
	static const char *const bad[] = { "a\nb", "a\x1b[2J", "a\xff", "\xe2\x80\xae!" };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(bad); i++) {
		const struct ks_ncu_line line = when_asked(&(struct ks_ncu_ask){
			.function = KS_LIT("k"), .nvtx = KS_LIT(""), .program = ks_str_c(bad[i]) });

		assert_false(line.program_known);
	}
	assert_true(ks_ncu_is_plain(KS_LIT("plain text, \xe4\xb8\xad")));
}

static void a_name_like_a_pattern_becomes_one(void **state)
{
	const struct ks_ncu_line line = when_asked(&(struct ks_ncu_ask){
		.function = KS_LIT("regex:a.b"), .nvtx = KS_LIT(""), .program = KS_LIT("a") });

	(void)state;
	then_is(line.argv[4], "regex:^regex:a\\.b$");
}

static void graphs_and_collectives_have_their_modes(void **state)
{
	const struct ks_ncu_line line = when_asked(&(struct ks_ncu_ask){ .function = KS_LIT("k"),
									 .nvtx = KS_LIT(""),
									 .graph = true,
									 .collective = true,
									 .program = KS_LIT("a") });

	(void)state;
	then_is(line.command,
		"ncu --target-processes all --kernel-name k --launch-skip 0 "
		"--launch-count 1 --graph-profiling node --replay-mode application a");
}

static void a_pushed_range_ends_with_a_slash(void **state)
{
	(void)state;
	expect_filter("", "step", false, "step/");
	expect_filter("", "step", true, "step");
	expect_filter("torch", "step", false, "torch@step/");
}

static void operators_of_the_filter_are_quoted(void **state)
{
	(void)state;
	expect_filter("a@b", "x/y,[z]*+", false, "a\\@b@x\\/y\\,\\[z\\]\\*\\+/");
}

static void a_range_that_cannot_be_told_has_no_filter(void **state)
{
	(void)state;
	expect_filter("", "", false, "");
	expect_filter("", "a\nb", false, "");
	expect_filter("a\x1b", "b", false, "");
	expect_filter("", "regex:x", false, "");
	expect_filter("", "a\\b", false, "");
}

int test_ncu_words(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_launch_is_name_ordinal_and_program),
		cmocka_unit_test(a_range_adds_its_filter),
		cmocka_unit_test(an_unknown_program_leaves_its_place),
		cmocka_unit_test(words_are_quoted_for_a_shell),
		cmocka_unit_test(a_word_that_is_no_line_is_no_program),
		cmocka_unit_test(a_name_like_a_pattern_becomes_one),
		cmocka_unit_test(graphs_and_collectives_have_their_modes),
		cmocka_unit_test(a_pushed_range_ends_with_a_slash),
		cmocka_unit_test(operators_of_the_filter_are_quoted),
		cmocka_unit_test(a_range_that_cannot_be_told_has_no_filter),
	};

	return cmocka_run_group_tests(tests, given_arena, no_arena);
}
