/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions, causes of refusals and help topics: both languages complete, every name a row of its
 * table, and a cause that says "now" exactly where the refusal is live.
 */
#include "tests.h"

#include <stdio.h>

#include "tables/questions.h"

static void the_seventeen_questions_are_complete_in_both_languages(void **state)
{
	(void)state;
	assert_int_equal(KS_QUESTION_COUNT, 17);
	for (unsigned i = 0; i < KS_QUESTION_COUNT; i++) {
		const struct ks_question_info *q = ks_question_info((enum ks_question)i);
		enum ks_question found;

		assert_true(ks_question_find(STR(q->slug), &found));
		assert_int_equal(found, i);
		expect_pair(q->slug, q->question[0], q->question[1]);
		expect_pair(q->slug, q->how[0], q->how[1]);
		expect_pair(q->slug, q->rests[0], q->rests[1]);
		if (q->instead[0][0] != '\0' || q->instead[1][0] != '\0')
			expect_pair(q->slug, q->instead[0], q->instead[1]);
		assert_true(strstr(q->command, "kernoscope ") == q->command);
		/* what is for later says so, and what is answered now does not */
		assert_true(q->now || strstr(q->rests[0], "eed") != NULL ||
			    strstr(q->rests[0], "hardware counters") != NULL);
	}
}

static void questions_can_be_refused_with_codes_that_exist(void **state)
{
	(void)state;
	for (unsigned i = 0; i < KS_QUESTION_COUNT; i++) {
		for (const char *p = ks_question_info((enum ks_question)i)->failures; *p;) {
			const size_t n = strcspn(p, ",");
			enum ks_refusal r;

			if (!ks_refusal_find((ks_str){ p, n }, &r))
				fail_msg("no code %.*s", (int)n, p);
			p += n + (p[n] == ',');
		}
	}
}

static void a_cause_is_now_exactly_where_the_refusal_is_live(void **state)
{
	(void)state;
	for (int i = KS_REFUSAL_NONE + 1; i < KS_REFUSAL_COUNT; i++) {
		const struct ks_refusal_info *r = ks_refusal_info((enum ks_refusal)i);
		const struct ks_cause_info *c = ks_cause_info((enum ks_refusal)i);

		if (c->when[0] == NULL)
			fail_msg("%s has no row in refusal_causes.def", r->slug);
		expect_pair(r->slug, c->when[0], c->when[1]);
		if ((c->part == KS_PART_NOW) != (r->state == KS_STATE_LIVE))
			fail_msg("%s: state and part disagree", r->slug);
		if (c->part != KS_PART_NOW)
			expect_pair(r->slug, ks_part_text(c->part, KS_LANG_EN),
				    ks_part_text(c->part, KS_LANG_ZH));
	}
}

static void every_group_has_codes_and_a_title(void **state)
{
	(void)state;
	for (unsigned g = 0; g < KS_CAUSE_COUNT; g++) {
		size_t n = 0;

		expect_pair("group", ks_cause_group_title((enum ks_cause_group)g, KS_LANG_EN),
			    ks_cause_group_title((enum ks_cause_group)g, KS_LANG_ZH));
		for (int i = KS_REFUSAL_NONE + 1; i < KS_REFUSAL_COUNT; i++)
			n += ks_cause_info((enum ks_refusal)i)->group == (enum ks_cause_group)g;
		assert_true(n > 0);
	}
}

/* Examples are the same in both languages: they are for the shell. */
static void expect_same_examples(const struct ks_topic_info *t)
{
	const char *a = t->page[0], *b = t->page[1];

	for (;;) {
		a = strstr(a, "\n ");
		b = strstr(b, "\n ");
		if (!a || !b)
			break;
		const size_t n = strcspn(a + 1, "\n");

		assert_int_equal(strcspn(b + 1, "\n"), n);
		assert_memory_equal(a + 1, b + 1, n);
		a++;
		b++;
	}
	assert_true(!a && !b);
}

static void topics_are_complete_in_both_languages(void **state)
{
	(void)state;
	for (unsigned i = 0; i < KS_TOPIC_COUNT; i++) {
		const struct ks_topic_info *t = ks_topic_info((enum ks_topic)i);
		enum ks_topic found;

		assert_true(ks_topic_find(STR(t->name), &found));
		assert_int_equal(found, i);
		expect_pair(t->name, t->title[0], t->title[1]);
		expect_pair(t->name, t->page[0], t->page[1]);
		expect_same_examples(t);
	}
}

static void tasks_are_complete_in_both_languages(void **state)
{
	(void)state;
	for (unsigned i = 0; i < KS_TASK_COUNT; i++) {
		const struct ks_task_info *t = ks_task_info((enum ks_task)i);

		expect_pair(t->slug, t->title[0], t->title[1]);
		assert_true(strstr(t->command, "kernoscope ") == t->command);
		for (unsigned k = 0; k < i; k++)
			assert_string_not_equal(t->slug, ks_task_info((enum ks_task)k)->slug);
	}
}

int test_question(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_seventeen_questions_are_complete_in_both_languages),
		cmocka_unit_test(questions_can_be_refused_with_codes_that_exist),
		cmocka_unit_test(a_cause_is_now_exactly_where_the_refusal_is_live),
		cmocka_unit_test(every_group_has_codes_and_a_title),
		cmocka_unit_test(topics_are_complete_in_both_languages),
		cmocka_unit_test(tasks_are_complete_in_both_languages),
	};

	return cmocka_run_group_tests_name("questions, causes, topics", tests, NULL, NULL);
}
