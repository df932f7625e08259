/* SPDX-License-Identifier: Apache-2.0
 *
 * The printed texts: found by name, whole, and described in both languages. What they say is judged
 * by the tests in tests/known/schema.t and tests/cli/completion.t.
 */
#include "tests.h"

#include "tables/printed.h"

static void each_text_is_found_by_its_name(void **state)
{
	static const enum ks_printed_kind kinds[] = { KS_PRINTED_SCHEMA, KS_PRINTED_COMPLETION };

	(void)state;
	for (size_t k = 0; k < 2; k++) {
		const struct ks_printed *p;
		size_t i = 0;

		for (; (p = ks_printed_at(kinds[k], i)) != NULL; i++)
			assert_ptr_equal(ks_printed_find(kinds[k], p->name), p);
		assert_true(i >= 3);
		assert_null(ks_printed_at(kinds[k], i + 1));
		assert_null(ks_printed_find(kinds[k], ""));
		assert_null(ks_printed_find(kinds[k], "no such text"));
	}
	/* a name of one kind is none of the other */
	assert_null(ks_printed_find(KS_PRINTED_SCHEMA, "bash"));
	assert_null(ks_printed_find(KS_PRINTED_COMPLETION, "packet"));
}

static void a_schema_is_one_json_object_on_lines(void **state)
{
	const struct ks_printed *p;

	(void)state;
	for (size_t i = 0; (p = ks_printed_at(KS_PRINTED_SCHEMA, i)) != NULL; i++) {
		assert_true(p->text.n > 100);
		assert_memory_equal(p->text.p, "{\n", 2);
		assert_memory_equal(p->text.p + p->text.n - 3, "\n}\n", 3);
		assert_null(memchr(p->text.p, '\0', p->text.n));
		expect_pair(p->name, p->title[KS_LANG_EN], p->title[KS_LANG_ZH]);
	}
}

static void every_json_of_the_contract_has_a_schema(void **state)
{
	static const char *const want[] = { "report",  "packet",	"error",
					    "explain", "plan",		"config",
					    "doctor",  "capabilities",	"route",
					    "remedy",  "case-manifest", "case-journal-line",
					    "name-map" };

	(void)state;
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		if (ks_printed_find(KS_PRINTED_SCHEMA, want[i]) == NULL)
			fail_msg("no schema is called %s", want[i]);
	}
}

static void the_three_shells_have_a_completion(void **state)
{
	(void)state;
	assert_non_null(ks_printed_find(KS_PRINTED_COMPLETION, "bash"));
	assert_non_null(ks_printed_find(KS_PRINTED_COMPLETION, "zsh"));
	assert_non_null(ks_printed_find(KS_PRINTED_COMPLETION, "fish"));
}

int test_printed(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_text_is_found_by_its_name),
		cmocka_unit_test(a_schema_is_one_json_object_on_lines),
		cmocka_unit_test(every_json_of_the_contract_has_a_schema),
		cmocka_unit_test(the_three_shells_have_a_completion),
	};

	return cmocka_run_group_tests_name("printed", tests, NULL, NULL);
}
