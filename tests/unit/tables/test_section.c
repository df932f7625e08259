/* SPDX-License-Identifier: Apache-2.0
 *
 * Sections against the panel of the original (command-line contract, section 4).
 */
#include "tests.h"

enum { B = 1, D = 2, F = 4 };

static const struct {
	const char *name;
	unsigned sets;
	enum ks_refusal needs;
	bool strict;
} panel[] = {
	{ "Duration", B | D | F, KS_REFUSAL_NONE, false },
	{ "LaunchStats", B | D | F, KS_REFUSAL_NONE, false },
	{ "LaunchConfigs", B | D | F, KS_REFUSAL_NONE, false },
	{ "Occupancy", B | D | F, KS_REFUSAL_NONE, false },
	{ "SpeedOfLight", B | D | F, KS_REFUSAL_NONE, false },
	{ "DramTraffic", B | D | F, KS_REFUSAL_NONE, false },
	{ "MemoryTrace", B | D | F, KS_REFUSAL_NONE, false },
	{ "ComputeWorkloadAnalysis", D | F, KS_REFUSAL_COUNTERS_DENIED, true },
	{ "MemoryWorkloadAnalysis", D | F, KS_REFUSAL_COUNTERS_DENIED, true },
	{ "SourceCounters", D | F, KS_REFUSAL_SAMPLING_UNAVAILABLE, true },
	{ "MemoryWorkloadAnalysis_Tables", F, KS_REFUSAL_COUNTERS_DENIED, true },
	{ "SchedulerStats", F, KS_REFUSAL_COUNTERS_DENIED, true },
	{ "WarpStateStats", F, KS_REFUSAL_COUNTERS_DENIED, true },
	{ "InstructionStats", F, KS_REFUSAL_NONE, false },
	{ "WorkloadDistribution", F, KS_REFUSAL_INSTRUMENTATION_MISSING, true },
	{ "PmSampling", F, KS_REFUSAL_SAMPLING_UNAVAILABLE, true },
	{ "Nvlink_Tables", F, KS_REFUSAL_NO_NVLINK, true },
	{ "NumaAffinity", F, KS_REFUSAL_NOT_APPLICABLE, true },
	{ "DeviceStatistics", 0, KS_REFUSAL_NONE, false },
	{ "CommLedger", 0, KS_REFUSAL_NONE, false },
	{ "CostLedger", 0, KS_REFUSAL_NONE, false },
	{ "Telemetry", 0, KS_REFUSAL_NONE, false },
	{ "NvtxPhases", 0, KS_REFUSAL_NONE, false },
	{ "Prescription", 0, KS_REFUSAL_NONE, false },
	{ "NcuGroundTruth", 0, KS_REFUSAL_NONE, false },
	{ "OpenCLCommands", 0, KS_REFUSAL_NONE, false },
	{ "StaticCode", 0, KS_REFUSAL_NONE, false }, /* ours */
};

static void sections_are_in_the_sets_of_the_original(void **state)
{
	(void)state;
	assert_int_equal(KS_ARRAY_LEN(panel), KS_SECTION_COUNT - 1);
	for (size_t i = 0; i < KS_ARRAY_LEN(panel); i++) {
		enum ks_section s;

		if (!ks_section_find(STR(panel[i].name), &s))
			fail_msg("section %s is missing", panel[i].name);
		assert_int_equal(ks_section_info(s)->sets, panel[i].sets);
		assert_int_equal(ks_section_info(s)->needs, panel[i].needs);
		assert_int_equal(ks_section_info(s)->in_strict_list, panel[i].strict);
	}
}

static void a_section_without_numbers_has_a_status_row_of_its_own(void **state)
{
	(void)state;
	for (int i = 1; i < KS_SECTION_COUNT; i++) {
		const struct ks_section_info *s = ks_section_info((enum ks_section)i);
		const struct ks_metric_info *m = ks_metric_info(s->status_metric);
		char want[128] = "ks__";
		size_t n = 4;

		assert_int_equal(s->needs == KS_REFUSAL_NONE, s->status_metric == KS_METRIC_NONE);
		if (s->needs == KS_REFUSAL_NONE)
			continue;
		for (const char *p = s->name; *p; p++)
			want[n++] = (char)(*p >= 'A' && *p <= 'Z' ? *p + 32 : *p);
		memcpy(want + n, "_status", 8);
		assert_string_equal(m->name, want);
		assert_int_equal(m->section, i);
		assert_int_equal(m->planned_refusal, s->needs);
	}
}

static void unknown_sections_and_sets_are_not_found(void **state)
{
	enum ks_section s;

	(void)state;
	assert_false(ks_section_find(STR("duration"), &s));
	assert_false(ks_section_find(STR(""), &s));
	assert_string_equal(ks_set_name(KS_SET_FULL), "full");
}

int test_section(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_are_in_the_sets_of_the_original),
		cmocka_unit_test(a_section_without_numbers_has_a_status_row_of_its_own),
		cmocka_unit_test(unknown_sections_and_sets_are_not_found),
	};

	return cmocka_run_group_tests_name("section", tests, NULL, NULL);
}
