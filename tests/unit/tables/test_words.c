/* SPDX-License-Identifier: Apache-2.0
 *
 * Every row of every table is complete in both languages.
 */
#include "tests.h"

static void every_text_is_complete_in_both_languages(void **state)
{
	static const char *const id[] = { "NONE",
#define KS_TEXT(name, en, zh) #name,
					  KS_TEXT(LITERAL, "", "")
#include "tables/text.def"
#undef KS_TEXT
	};

	(void)state;
	assert_int_equal(KS_ARRAY_LEN(id), KS_TEXT_COUNT);
	for (int i = KS_TEXT_LITERAL; i < KS_TEXT_COUNT; i++)
		expect_pair(id[i], ks_text_get((enum ks_text)i, KS_LANG_EN),
			    ks_text_get((enum ks_text)i, KS_LANG_ZH));
}

static void every_metric_and_refusal_is_explained_in_both_languages(void **state)
{
	(void)state;
	for (int i = 1; i < KS_METRIC_COUNT; i++) {
		const struct ks_metric_info *m = ks_metric_info((enum ks_metric)i);

		expect_pair(m->name, m->what[KS_LANG_EN], m->what[KS_LANG_ZH]);
		assert_true(m->formula[0] != '\0');
	}
	for (int i = 1; i < KS_REFUSAL_COUNT; i++) {
		const struct ks_refusal_info *r = ks_refusal_info((enum ks_refusal)i);

		expect_pair(r->slug, r->title[KS_LANG_EN], r->title[KS_LANG_ZH]);
		expect_pair(r->slug, r->action[KS_LANG_EN], r->action[KS_LANG_ZH]);
	}
}

static void every_section_verdict_and_premise_is_named_in_both_languages(void **state)
{
	(void)state;
	for (int i = 1; i < KS_SECTION_COUNT; i++) {
		const struct ks_section_info *s = ks_section_info((enum ks_section)i);

		expect_pair(s->name, s->title[KS_LANG_EN], s->title[KS_LANG_ZH]);
	}
	for (int i = 1; i < KS_VERDICT_COUNT; i++) {
		const struct ks_verdict_info *v = ks_verdict_info((enum ks_verdict)i);

		expect_pair(v->id, v->phrase[KS_LANG_EN], v->phrase[KS_LANG_ZH]);
	}
	for (int i = 1; i < KS_PREMISE_COUNT; i++) {
		const struct ks_premise_info *p = ks_premise_info((enum ks_premise)i);

		expect_pair(p->id, p->label[KS_LANG_EN], p->label[KS_LANG_ZH]);
	}
}

static void every_option_command_and_format_has_help_in_both_languages(void **state)
{
	(void)state;
	for (int i = 1; i < KS_OPT_COUNT; i++) {
		const struct ks_option_info *o = ks_option_info((enum ks_option)i);

		expect_pair(o->name, o->help[KS_LANG_EN], o->help[KS_LANG_ZH]);
	}
	for (int i = 1; i < KS_GROUP_COUNT; i++)
		expect_pair("option group", ks_group_title((enum ks_option_group)i, KS_LANG_EN),
			    ks_group_title((enum ks_option_group)i, KS_LANG_ZH));
	for (int i = 1; i < KS_CMD_COUNT; i++) {
		const struct ks_command_info *c = ks_command_info((enum ks_command)i);

		expect_pair(c->name, c->help[KS_LANG_EN], c->help[KS_LANG_ZH]);
	}
	for (int i = 1; i < KS_FORMAT_COUNT; i++) {
		const struct ks_format_info *f = ks_format_info((enum ks_format)i);

		expect_pair(f->name, f->help[KS_LANG_EN], f->help[KS_LANG_ZH]);
	}
}

static void every_small_table_is_complete_in_both_languages(void **state)
{
	(void)state;
	for (int i = 0; i < KS_PROV_COUNT; i++) {
		const enum ks_prov p = (enum ks_prov)i;

		expect_pair(ks_prov_name(p), ks_prov_label(p, KS_LANG_EN),
			    ks_prov_label(p, KS_LANG_ZH));
		expect_pair(ks_prov_name(p), ks_prov_meaning(p, KS_LANG_EN),
			    ks_prov_meaning(p, KS_LANG_ZH));
	}
	for (int i = 0; i < KS_COUNTER_STATE_COUNT; i++) {
		const enum ks_counter_state s = (enum ks_counter_state)i;

		expect_pair(ks_counter_state_name(s), ks_counter_state_meaning(s, KS_LANG_EN),
			    ks_counter_state_meaning(s, KS_LANG_ZH));
	}
	for (int i = 0; i < KS_TIER_COUNT; i++) {
		const char *en = ks_tier_needs((enum ks_tier)i, KS_LANG_EN);
		const char *zh = ks_tier_needs((enum ks_tier)i, KS_LANG_ZH);

		if (strcmp(en, "NVBit") != 0) /* a product name is the same in both */
			expect_pair(ks_tier_name((enum ks_tier)i), en, zh);
	}
	for (size_t i = 0; i < ks_ncu_count(); i++)
		expect_pair(ks_ncu_at(i)->ncu_name, ks_ncu_at(i)->caliber,
			    ks_ncu_at(i)->caliber_zh);
#define KS_UNIT(id, symbol, factor, dimension, en, zh) expect_pair(#id, en, zh);
#include "tables/units.def"
#define KS_LIMIT(id, value, unit, en, zh) expect_pair(#id, en, zh);
#include "tables/limits.def"
#undef KS_LIMIT
#define KS_ENV(id, name, st, en, zh) expect_pair(#id, en, zh);
#include "tables/env.def"
#undef KS_ENV
#define KS_EXIT(status, code, word, en, zh) expect_pair(word, en, zh);
#include "tables/exit_codes.def"
#undef KS_EXIT
}

int test_words(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_text_is_complete_in_both_languages),
		cmocka_unit_test(every_metric_and_refusal_is_explained_in_both_languages),
		cmocka_unit_test(every_section_verdict_and_premise_is_named_in_both_languages),
		cmocka_unit_test(every_option_command_and_format_has_help_in_both_languages),
		cmocka_unit_test(every_small_table_is_complete_in_both_languages),
	};

	return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
