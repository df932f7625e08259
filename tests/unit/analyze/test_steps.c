/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps: what counts as one, which of several candidates wins, marks, and why there are none.
 */
#include "ranges_given.h"

#include <stdio.h>

#define OTHER THREAD(7, 2)

struct given_steps {
	struct given_ranges g;
	struct ks_steps steps;
};

/* Ranges "name 0", "name 1", ... behind each other, 10 ns apart, of the lengths given (0 ends). */
static void given_loop(struct given_ranges *g, int64_t thread, const char *name,
		       const ks_ns *length)
{
	ks_ns at = 1000;

	for (int i = 0; length[i]; i++) {
		char text[64];

		(void)snprintf(text, sizeof(text), "%s %d", name, i);
		given_range_of(g, thread, 0, at, at + length[i], text);
		at += length[i] + 10;
	}
}

static void when_looked_for(struct given_steps *s, const char *name)
{
	when_settled(&s->g);
	assert_int_equal(ks_ranges_steps(s->g.r, ks_str_c(name), &s->g.arena, &s->steps, &s->g.err),
			 KS_OK);
}

static void then_marks(const struct ks_steps *s, const char *marks)
{
	static const char letter[] = { [KS_STEP_PLAIN] = '.',
				       [KS_STEP_FIRST] = 'F',
				       [KS_STEP_WARMUP] = 'W',
				       [KS_STEP_OUTLIER] = 'O' };

	assert_int_equal(s->n, strlen(marks));
	for (size_t i = 0; i < s->n; i++)
		assert_int_equal(letter[s->step[i].mark], marks[i]);
}

static void then_why(const struct given_steps *s, enum ks_text id, const char *first)
{
	assert_int_equal(s->steps.n, 0);
	assert_int_equal(s->steps.why.id, id);
	if (first)
		assert_true(ks_str_eqc(s->steps.why.arg[0], first));
}

static void even_ranges_with_a_step_word_are_steps(void **state)
{
	struct given_steps s;

	(void)state;
	given_ranges(&s.g);
	/* the first compiles; two warm up; the later half is 100; 140 is out of line, 104 is not */
	given_loop(
		&s.g, THREAD(7, 1), "train_step",
		(const ks_ns[]){ 900, 180, 150, 100, 104, 100, 140, 100, 100, 100, 100, 100, 0 });
	when_looked_for(&s, NULL);
	then_marks(&s.steps, "FWW...O.....");
	assert_int_equal(s.steps.n_warmup, 2);
	assert_int_equal(s.steps.n_outliers, 1);
	assert_true(ks_str_eqc(s.steps.name, "train_step #"));
	assert_int_equal(s.steps.step[1].start_ns, 1000 + 900 + 10);
	assert_int_equal(s.steps.step[1].end_ns, 1000 + 900 + 10 + 180);
	given_ranges_release(&s.g);
}

static void ranges_inside_of_the_same_name_are_no_steps_of_their_own(void **state)
{
	struct given_steps s;

	(void)state;
	given_ranges(&s.g);
	for (ks_ns i = 0; i < 5; i++) {
		given_range(&s.g, 100 * i, 100 * i + 90, "step");
		given_range(&s.g, 100 * i + 10, 100 * i + 20, "step");
		given_range(&s.g, 100 * i + 30, 100 * i + 40, "step");
	}
	when_looked_for(&s, NULL);
	then_marks(&s.steps, "F....");
	assert_true(ks_str_eqc(s.steps.name, "step"));
	assert_int_equal(s.steps.step[4].end_ns - s.steps.step[4].start_ns, 90);
	given_ranges_release(&s.g);
}

static void kernel_time_is_what_was_launched_in_each(void **state)
{
	struct given_steps s;

	(void)state;
	given_ranges(&s.g);
	given_loop(&s.g, THREAD(7, 1), "step", (const ks_ns[]){ 50, 50, 50, 0 });
	when_looked_for(&s, NULL);
	given_call(&s.g, THREAD(7, 1), 1000, 7);
	given_call(&s.g, THREAD(7, 1), 1049, 5);
	given_call(&s.g, THREAD(7, 1), 1055, 100); /* between two */
	given_call(&s.g, THREAD(7, 1), 1130, 3);
	for (unsigned pass = 0; pass < 2; pass++) { /* before and after the sums are made */
		ks_ranges_steps_time(s.g.r, &s.steps);
		assert_int_equal(s.steps.step[0].kernel_ns, 12);
		assert_int_equal(s.steps.step[1].kernel_ns, 0);
		assert_int_equal(s.steps.step[2].kernel_ns, 3);
		when_answered(&s.g);
	}
	given_ranges_release(&s.g);
}

static void the_candidate_that_covers_most_wins(void **state)
{
	struct given_steps s;

	(void)state;
	given_ranges(&s.g);
	given_loop(&s.g, THREAD(7, 1), "microbatch", (const ks_ns[]){ 50, 50, 50, 50, 0 });
	given_loop(&s.g, OTHER, "step", (const ks_ns[]){ 100, 100, 100, 0 });
	given_loop(&s.g, THREAD(7, 1), "layer", (const ks_ns[]){ 500, 500, 500, 0 }); /* no word */
	when_looked_for(&s, NULL);
	assert_true(ks_str_eqc(s.steps.name, "step #"));
	given_ranges_release(&s.g);
}

static void of_equal_candidates_the_first_by_name_wins(void **state)
{
	(void)state;
	for (unsigned turn = 0; turn < 2; turn++) { /* in whatever order they came */
		struct given_steps s;

		given_ranges(&s.g);
		given_loop(&s.g, THREAD(7, 1), turn ? "step" : "batch",
			   (const ks_ns[]){ 50, 50, 50, 0 });
		given_loop(&s.g, THREAD(7, 1), turn ? "batch" : "step",
			   (const ks_ns[]){ 50, 50, 50, 0 });
		when_looked_for(&s, NULL);
		assert_true(ks_str_eqc(s.steps.name, "batch #"));
		given_ranges_release(&s.g);
	}
}

static void a_name_that_was_asked_for_needs_no_word(void **state)
{
	static const char *const ask[] = { "layer 1", "layer #", "layer 77" };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(ask); i++) {
		struct given_steps s;

		given_ranges(&s.g);
		given_loop(&s.g, THREAD(7, 1), "layer", (const ks_ns[]){ 50, 51, 52, 0 });
		given_loop(&s.g, THREAD(7, 1), "step", (const ks_ns[]){ 500, 500, 500, 0 });
		when_looked_for(&s, ask[i]);
		assert_true(ks_str_eqc(s.steps.name, "layer #"));
		then_marks(&s.steps, "F..");
		given_ranges_release(&s.g);
	}
}

static void an_exact_name_keeps_the_others_out(void **state)
{
	struct given_steps s;

	(void)state;
	given_ranges(&s.g);
	for (ks_ns i = 0; i < 4; i++) {
		given_range(&s.g, 100 * i, 100 * i + 40, "phase 1");
		given_range(&s.g, 100 * i + 50, 100 * i + 90, "phase 2");
	}
	when_looked_for(&s, "phase 2");
	assert_true(ks_str_eqc(s.steps.name, "phase 2"));
	assert_int_equal(s.steps.n, 4);
	given_ranges_release(&s.g);
}

static void uneven_ranges_are_no_steps(void **state)
{
	static const ks_ns uneven[] = { 40, 10, 30, 50, 70, 0 };
	struct given_steps s;

	(void)state;
	given_ranges(&s.g);
	given_loop(&s.g, THREAD(7, 1), "step", uneven);
	when_looked_for(&s, NULL);
	/* lengths 10, 30, 50, 70: mean 40, deviation sqrt(2000 / 3) = 25.82, variation 0.65 */
	then_why(&s, KS_TEXT_AN_STEPS_UNEVEN, "step #");
	assert_true(ks_str_eqc(s.steps.why.arg[1], "5"));
	assert_true(ks_str_eqc(s.steps.why.arg[2], "0.65"));
	/* nor when they are asked for */
	assert_int_equal(ks_ranges_steps(s.g.r, KS_LIT("step #"), &s.g.arena, &s.steps, &s.g.err),
			 KS_OK);
	then_why(&s, KS_TEXT_AN_STEPS_UNEVEN, "step #");
	given_ranges_release(&s.g);
}

static void a_long_first_step_does_not_make_them_uneven(void **state)
{
	struct given_steps s;

	(void)state;
	given_ranges(&s.g);
	given_loop(&s.g, THREAD(7, 1), "step", (const ks_ns[]){ 9000, 50, 50, 50, 0 });
	when_looked_for(&s, NULL);
	then_marks(&s.steps, "F...");
	given_ranges_release(&s.g);
}

static void overlapping_few_and_absent_ranges_say_why(void **state)
{
	struct given_steps s;

	(void)state;
	given_ranges(&s.g);
	given_range(&s.g, 0, 60, "step 1");
	given_range(&s.g, 50, 110, "step 2");
	given_range(&s.g, 100, 160, "step 3");
	when_looked_for(&s, NULL);
	then_why(&s, KS_TEXT_AN_STEPS_OVERLAP, "step #");
	given_ranges_release(&s.g);

	given_ranges(&s.g);
	given_loop(&s.g, THREAD(7, 1), "step", (const ks_ns[]){ 50, 50, 0 });
	given_loop(&s.g, OTHER, "step", (const ks_ns[]){ 50, 50, 0 }); /* threads do not add up */
	when_looked_for(&s, NULL);
	then_why(&s, KS_TEXT_AN_STEPS_FEW, "step #");
	given_ranges_release(&s.g);

	given_ranges(&s.g);
	given_range(&s.g, 0, 60, "forward");
	when_looked_for(&s, NULL);
	then_why(&s, KS_TEXT_AN_STEPS_NO_NAME, "1");
	assert_int_equal(ks_ranges_steps(s.g.r, KS_LIT("forwards"), &s.g.arena, &s.steps, &s.g.err),
			 KS_OK);
	then_why(&s, KS_TEXT_AN_STEPS_NOT_THERE, "forwards");
	assert_true(ks_str_eqc(s.steps.why.arg[1], "forward"));
	given_ranges_release(&s.g);

	given_ranges(&s.g);
	when_looked_for(&s, NULL);
	then_why(&s, KS_TEXT_AN_STEPS_NO_RANGES, NULL);
	given_ranges_release(&s.g);
}

static void words_are_whole_words(void **state)
{
	static const struct {
		const char *name;
		bool is_step;
	} table[] = {
		{ "step", true },	   { "Step", true },	  { "STEP=", true },
		{ "ProfilerStep#", true }, { "trainStep", true }, { "train_step_", true },
		{ "iteration:", true },	   { "my batch", true },  { "epoch/", true },
		{ "stepper", false },	   { "footstep", false }, { "iterator", false },
		{ "batched_gemm", false }, { "epochs_x", false }, { "forward", false },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(table); i++) {
		struct given_steps s;

		given_ranges(&s.g);
		given_loop(&s.g, THREAD(7, 1), table[i].name, (const ks_ns[]){ 50, 50, 50, 0 });
		when_looked_for(&s, NULL);
		if ((s.steps.n == 3) != table[i].is_step)
			fail_msg("%s", table[i].name);
		given_ranges_release(&s.g);
	}
}

int test_steps(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(even_ranges_with_a_step_word_are_steps),
		cmocka_unit_test(ranges_inside_of_the_same_name_are_no_steps_of_their_own),
		cmocka_unit_test(kernel_time_is_what_was_launched_in_each),
		cmocka_unit_test(the_candidate_that_covers_most_wins),
		cmocka_unit_test(of_equal_candidates_the_first_by_name_wins),
		cmocka_unit_test(a_name_that_was_asked_for_needs_no_word),
		cmocka_unit_test(an_exact_name_keeps_the_others_out),
		cmocka_unit_test(uneven_ranges_are_no_steps),
		cmocka_unit_test(a_long_first_step_does_not_make_them_uneven),
		cmocka_unit_test(overlapping_few_and_absent_ranges_say_why),
		cmocka_unit_test(words_are_whole_words),
	};

	return cmocka_run_group_tests_name("steps", tests, NULL, NULL);
}
