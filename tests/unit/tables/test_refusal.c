/* SPDX-License-Identifier: Apache-2.0
 *
 * Refusals: the closed set of the original with the cost of each default remedy (contract 02,
 * section 4, by hand), our additions, and that every remedy can be followed in this version.
 */
#include "tests.h"

static const struct {
	const char *slug;
	enum ks_cost_kind kind;
	int seconds;
} closed_set[] = {
	{ "no_gpu", KS_COST_MANUAL, 0 },
	{ "pytorch_missing", KS_COST_MANUAL, 0 },
	{ "no_nvml", KS_COST_MANUAL, 0 },
	{ "no_nvml_samples", KS_COST_WALL, 0 },
	{ "nsys_missing", KS_COST_MANUAL, 0 },
	{ "cuobjdump_missing", KS_COST_MANUAL, 0 },
	{ "no_static_input", KS_COST_MANUAL, 0 },
	{ "nvbit_missing", KS_COST_MANUAL, 0 },
	{ "no_nvtx", KS_COST_WALL, 60 },
	{ "no_memtrace", KS_COST_WALL, 600 },
	{ "no_instr_hist", KS_COST_WALL, 600 },
	{ "no_occupancy_probe", KS_COST_WALL, 600 },
	{ "no_sass_source", KS_COST_MANUAL, 0 },
	{ "counters_denied", KS_COST_IMPOSSIBLE, 0 },
	{ "counters_unknown", KS_COST_MANUAL, 0 },
	{ "counters_not_installed", KS_COST_MANUAL, 0 },
	{ "sampling_unavailable", KS_COST_IMPOSSIBLE, 0 },
	{ "instrumentation_missing", KS_COST_WALL, 600 },
	{ "no_nvlink", KS_COST_IMPOSSIBLE, 0 },
	{ "not_applicable", KS_COST_WALL, 0 },
	{ "mixed_launch_config", KS_COST_WALL, 0 },
	{ "no_clock_reading", KS_COST_WALL, 0 },
	{ "env_shared_gpu", KS_COST_MANUAL, 0 },
	{ "env_throttled", KS_COST_WALL, 30 },
	{ "env_reading_unknown", KS_COST_WALL, 5 },
	{ "clock_not_locked", KS_COST_WALL, 5 },
	{ "no_launch_activity", KS_COST_WALL, 30 },
	{ "no_kernel_match", KS_COST_WALL, 5 },
	{ "no_kernels", KS_COST_WALL, 30 },
	{ "multi_kernel_window", KS_COST_WALL, 0 },
	{ "coverage_too_low", KS_COST_WALL, 20 },
	{ "share_too_low", KS_COST_WALL, 20 },
	{ "share_unknown", KS_COST_WALL, 5 },
	{ "window_launch_unaligned", KS_COST_WALL, 20 },
	{ "below_resolution", KS_COST_WALL, 20 },
	{ "mem_busy_zero", KS_COST_WALL, 20 },
	{ "trace_unavailable", KS_COST_WALL, 20 },
	{ "trace_too_many_accesses", KS_COST_MANUAL, 0 },
	{ "ledger_basis_unavailable", KS_COST_WALL, 0 },
	{ "zero_baseline", KS_COST_MANUAL, 0 },
	{ "no_calibration", KS_COST_WALL, 300 },
	{ "calibration_caliber_mismatch", KS_COST_WALL, 300 },
	{ "no_workload", KS_COST_WALL, 0 },
	{ "no_tokens", KS_COST_WALL, 0 },
	{ "no_price", KS_COST_WALL, 0 },
	{ "no_energy", KS_COST_WALL, 0 },
	{ "ncu_report_unreadable", KS_COST_MANUAL, 0 },
	{ "unknown_arch", KS_COST_MANUAL, 0 },
	{ "no_selftest_band", KS_COST_WALL, 120 },
	{ "mdd_unknown", KS_COST_WALL, 120 },
	{ "protocol_mismatch", KS_COST_WALL, 0 },
	{ "both_refused", KS_COST_MANUAL, 0 },
	{ "premise_failed", KS_COST_MANUAL, 0 },
	{ "multi_device_aggregate", KS_COST_WALL, 0 },
	{ "memcpy_duration_untrusted", KS_COST_WALL, 0 },
	{ "metric_absent", KS_COST_WALL, 0 },
	{ "legacy_report", KS_COST_WALL, 5 },
	{ "internal_unknown", KS_COST_MANUAL, 0 },
};

static const char *const additions[] = {
	"inconsistent_evidence",
	"not_built_in",
	"cupti_not_found",
	"cupti_symbol_missing",
	"cupti_other_subscriber",
	"cupti_denied",
	"cupti_unsupported",
	"injection_slot_taken",
	"nvtx_slot_taken",
	"collector_not_loaded",
	"no_kernels_recorded",
	"records_dropped",
	"trace_truncated",
	"clock_step",
	"graph_nodes_hidden",
	"gpm_unsupported",
	"gpm_denied",
	"tenancy_blind",
	"opencl_loader_no_layers",
	"opencl_not_loaded",
	"opencl_no_platform",
	"opencl_no_profiling",
	"opencl_untrusted_times",
	"local_size_unknown",
	"clock_unknown",
	"command_buffer_hidden",
	"opencl_cost_unknown",
};

static const char questions[] =
	"kernel_time,launch_configs,static_resources,theoretical_occupancy,device_busy,cost_per_"
	"token,"
	"dram_bytes,roofline,achieved_occupancy,dram_bytes_trace,issue_slot,l2_locality,static_mix,"
	"stall_breakdown,exact_dram,pipe_utilization,nvlink";

static void the_closed_set_has_58_codes_with_the_contracts_costs(void **state)
{
	(void)state;
	assert_int_equal(KS_ARRAY_LEN(closed_set), 58);
	for (size_t i = 0; i < KS_ARRAY_LEN(closed_set); i++) {
		enum ks_refusal r;

		if (!ks_refusal_find(STR(closed_set[i].slug), &r))
			fail_msg("code %s is missing", closed_set[i].slug);
		assert_string_equal(ks_refusal_info(r)->slug, closed_set[i].slug);
		assert_int_equal(ks_refusal_info(r)->cost_kind, closed_set[i].kind);
		assert_int_equal((int)ks_refusal_info(r)->cost_s, closed_set[i].seconds);
	}
}

static void our_additions_are_there_and_nothing_else(void **state)
{
	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(additions); i++) {
		enum ks_refusal r;

		if (!ks_refusal_find(STR(additions[i]), &r))
			fail_msg("code %s is missing", additions[i]);
	}
	assert_int_equal(KS_ARRAY_LEN(closed_set) + KS_ARRAY_LEN(additions), KS_REFUSAL_COUNT - 1);
}

static void every_code_is_found_by_its_slug_and_an_unknown_one_is_internal_unknown(void **state)
{
	static const char *const ids[] = {
		"NONE",
#define KS_REFUSAL(id, ...) #id,
#include "tables/refusals.def"
#undef KS_REFUSAL
	};
	enum ks_refusal r;
	char want[128];

	(void)state;
	for (int i = 1; i < KS_REFUSAL_COUNT; i++) {
		const char *slug = ks_refusal_info((enum ks_refusal)i)->slug;

		id_of(slug, want, sizeof(want));
		assert_string_equal(ids[i], want);
		assert_true(ks_refusal_find(STR(slug), &r));
		assert_int_equal(r, i);
	}
	assert_false(ks_refusal_find(STR("no_such_code"), &r));
	assert_int_equal(r, KS_REFUSAL_INTERNAL_UNKNOWN);
}

/* The packet clips actions to 46 and commands to 56 characters (contract 03, section 3). */
static void remedies_fit_the_packet_unclipped(void **state)
{
	(void)state;
	for (int i = 1; i < KS_REFUSAL_COUNT; i++) {
		const struct ks_refusal_info *r = ks_refusal_info((enum ks_refusal)i);

		if (code_points(r->action[KS_LANG_EN]) > 46 ||
		    code_points(r->action[KS_LANG_ZH]) > 46)
			fail_msg("the action of %s is too long", r->slug);
		if (code_points(r->command) > 56)
			fail_msg("the command of %s is too long", r->slug);
	}
}

static void remedies_unlock_known_questions(void **state)
{
	(void)state;
	for (int i = 1; i < KS_REFUSAL_COUNT; i++) {
		const struct ks_refusal_info *r = ks_refusal_info((enum ks_refusal)i);

		for (const char *p = r->answers; *p;) {
			const size_t n = strcspn(p, ",");

			if (!in_list(questions, p, n))
				fail_msg("%s unlocks no such question: %.*s", r->slug, (int)n, p);
			p += n + (p[n] == ',');
		}
	}
}

/* Whether one word of a kernoscope command line works in this version. */
static bool word_works(const char *word, size_t n, bool first)
{
	const ks_str w = { word, n };
	enum ks_command c;

	if (n > 2 && word[0] == '-' && word[1] == '-')
		return ks_option_info(ks_option_find((ks_str){ word + 2, n - 2 }))->state ==
			       KS_STATE_LIVE &&
		       ks_option_find((ks_str){ word + 2, n - 2 }) != KS_OPT_NONE;
	if (n == 2 && !memcmp(word, "--", 2))
		return false; /* a live run of a program is not in this version */
	if (first && ks_command_find(w, &c))
		return ks_command_info(c)->state == KS_STATE_LIVE;
	return true;
}

static bool command_works(const char *command)
{
	const char *p = command + strcspn(command, " ");

	for (bool first = true; *p; first = false) {
		p += strspn(p, " ");
		const size_t n = strcspn(p, " ");

		if (!word_works(p, n, first))
			return false;
		p += n;
	}
	return true;
}

static void a_command_is_offered_exactly_when_it_works_in_this_version(void **state)
{
	static const struct {
		const char *slug, *offer, *command;
	} rows[] = {
#define KS_REFUSAL(id, slug, sev, cost, s, st, offer, command, ...) { slug, #offer, command },
#include "tables/refusals.def"
#undef KS_REFUSAL
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(rows); i++) {
		const bool ours = !strncmp(rows[i].command, "kernoscope ", 11);
		const bool works = !ours || command_works(rows[i].command);
		const char *want = !rows[i].command[0] ? "NO_COMMAND" : works ? "OFFERED" : "LATER";
		enum ks_refusal r;

		if (strcmp(rows[i].offer, want) != 0)
			fail_msg("%s should be %s", rows[i].slug, want);
		assert_true(ks_refusal_find(STR(rows[i].slug), &r));
		assert_string_equal(ks_refusal_info(r)->command,
				    strcmp(want, "OFFERED") ? "" : rows[i].command);
	}
}

/* A remedy that needs a planned option says so; once the option is there the row must change. */
static void a_remedy_that_is_for_later_says_so(void **state)
{
	static const struct {
		const char *slug, *offer;
		enum ks_state st;
		const char *en, *zh;
	} rows[] = {
#define KS_REFUSAL(id, slug, sev, cost, s, st, offer, cmd, answers, ten, tzh, aen, azh)            \
	{ slug, #offer, KS_STATE_##st, aen, azh },
#include "tables/refusals.def"
#undef KS_REFUSAL
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(rows); i++) {
		const bool later = !strcmp(rows[i].offer, "LATER");
		const bool says = strstr(rows[i].en, "(not in this version)") != NULL;

		if (rows[i].st != KS_STATE_LIVE)
			continue;
		if (later && !says)
			fail_msg("%s promises what this version cannot do", rows[i].slug);
		if (says && !strcmp(rows[i].offer, "OFFERED"))
			fail_msg("%s is offered and denied", rows[i].slug);
		assert_int_equal(says, strstr(rows[i].zh, "此版本尚不支持") != NULL);
	}
}

static void what_metrics_and_sections_refuse_with_is_live(void **state)
{
	(void)state;
	for (int i = 1; i < KS_SECTION_COUNT; i++) {
		const enum ks_refusal r = ks_section_info((enum ks_section)i)->needs;

		if (r != KS_REFUSAL_NONE)
			assert_int_equal(ks_refusal_info(r)->state, KS_STATE_LIVE);
	}
	for (int i = 1; i < KS_METRIC_COUNT; i++) {
		const struct ks_metric_info *m = ks_metric_info((enum ks_metric)i);

		if (m->state == KS_STATE_LIVE && m->planned_refusal != KS_REFUSAL_NONE)
			assert_int_equal(ks_refusal_info(m->planned_refusal)->state, KS_STATE_LIVE);
	}
}

static void cost_kinds_have_the_names_of_the_files(void **state)
{
	(void)state;
	assert_string_equal(ks_cost_kind_name(KS_COST_WALL), "wall_seconds");
	assert_string_equal(ks_cost_kind_name(KS_COST_MANUAL), "manual");
	assert_string_equal(ks_cost_kind_name(KS_COST_IMPOSSIBLE), "unavailable");
}

int test_refusal(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_closed_set_has_58_codes_with_the_contracts_costs),
		cmocka_unit_test(our_additions_are_there_and_nothing_else),
		cmocka_unit_test(
			every_code_is_found_by_its_slug_and_an_unknown_one_is_internal_unknown),
		cmocka_unit_test(remedies_fit_the_packet_unclipped),
		cmocka_unit_test(remedies_unlock_known_questions),
		cmocka_unit_test(a_command_is_offered_exactly_when_it_works_in_this_version),
		cmocka_unit_test(a_remedy_that_is_for_later_says_so),
		cmocka_unit_test(what_metrics_and_sections_refuse_with_is_live),
		cmocka_unit_test(cost_kinds_have_the_names_of_the_files),
	};

	return cmocka_run_group_tests_name("refusal", tests, NULL, NULL);
}
