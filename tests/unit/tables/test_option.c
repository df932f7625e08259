/* SPDX-License-Identifier: Apache-2.0
 *
 * Options, commands and formats against the command-line contract (sections 3 and 10, listed by
 * hand).
 */
#include "tests.h"

static const char *const of_the_original[] = {
	"kernel-name",
	"kernel-name-base",
	"launch-skip",
	"launch-count",
	"launch-skip-before-match",
	"target-processes",
	"devices",
	"export",
	"force-overwrite",
	"csv",
	"launch-csv",
	"print-summary",
	"print-details",
	"print-metric-name",
	"print-units",
	"page",
	"import",
	"list-sets",
	"no-case",
	"quiet",
	"log-file",
	"check-exit-code",
	"version",
	"set",
	"section",
	"metrics",
	"ks-synthetic",
	"ks-sqlite",
	"ks-nsys-rep",
	"ks-cubin",
	"ks-no-nvml",
	"ks-window",
	"ks-warmup",
	"ks-window-s",
	"ks-keep-intermediate",
	"ks-nvtx-phases",
	"ks-telemetry",
	"ks-telemetry-timeout-s",
	"ks-ncu-rep",
	"from-ncu-report",
	"ks-calibration",
	"ks-peak-tflops",
	"ks-peak-gbps",
	"ks-gemm",
	"ks-flops",
	"ks-bytes",
	"ks-dtype",
	"ks-achieved-occupancy",
	"ks-memtrace",
	"ks-l2-bytes",
	"ks-max-accesses",
	"ks-instr-hist",
	"ks-clock-mhz",
	"ks-sm-count",
	"ks-selfcheck",
	"ks-ledger-mb",
	"ks-ledger-total-mb",
	"ks-ledger-range-mb",
	"ks-ledger-basis",
	"ks-tokens",
	"ks-price-per-kwh",
	"ks-price-per-hour",
	"ks-idle-power-w",
	"ks-currency",
	"packet",
	"screen",
	"html",
	"report-md",
	"ks-perfetto",
	"ks-json-no-launches",
	"export-name-map",
	"export-ncu-rep",
	"repeat",
	"plan",
	"plan-json",
	"strict",
};

static const char *const inert[] = {
	"replay-mode",
	"app-replay-mode",
	"app-replay-buffer",
	"app-replay-match",
	"cache-control",
	"clock-control",
	"pm-sampling-buffer-size",
	"pm-sampling-interval",
	"pm-sampling-max-passes",
	"warp-sampling-buffer-size",
	"warp-sampling-interval",
	"warp-sampling-max-passes",
	"mps",
	"mps-num-clients",
	"mps-timeout",
	"pipeline-boost-state",
	"preload-library",
	"import-sass",
	"import-source",
};

static const char *const ours[] = {
	"no-pager",  "redact",	     "config",
	"help",	     "format",	     "lang",
	"color",     "no-progress",  "ks-json-launches",
	"cost",	     "ks-steps",     "ks-launches-per-step",
	"ks-trace",  "ks-collector", "ks-collector-cost",
	"within",    "ks-step",	     "ks-nvtx",
	"ks-comm",   "ks-tracks",    "ks-timeline-limit",
	"ks-family", "ks-rule",
};

static const char *const in_this_version[] = {
	"no-pager",
	"redact",
	"config",
	"cost",
	"plan",
	"plan-json",
	"html",
	"report-md",
	"kernel-name",
	"launch-count",
	"launch-skip",
	"launch-skip-before-match",
	"devices",
	"kernel-name-base",
	"metrics",
	"section",
	"set",
	"page",
	"print-summary",
	"print-details",
	"print-metric-name",
	"print-units",
	"csv",
	"launch-csv",
	"export",
	"force-overwrite",
	"import",
	"strict",
	"quiet",
	"log-file",
	"list-sets",
	"check-exit-code",
	"export-name-map",
	"ks-sqlite",
	"ks-nsys-rep",
	"ks-synthetic",
	"ks-cubin",
	"ks-selfcheck",
	"ks-telemetry",
	"ks-telemetry-timeout-s",
	"packet",
	"screen",
	"format",
	"lang",
	"color",
	"ks-json-launches",
	"ks-json-no-launches",
	"version",
	"help",
	"no-case",
	"no-progress",
	"within",
	"ks-step",
	"ks-nvtx",
	"ks-comm",
	"ks-family",
	"ks-rule",
	"ks-perfetto",
	"ks-timeline-limit",
	"ks-tracks",
	"ks-nvtx-phases",
};

static const struct ks_option_info *option(const char *name)
{
	const enum ks_option o = ks_option_find(STR(name));

	if (o == KS_OPT_NONE)
		fail_msg("option --%s is missing", name);
	return ks_option_info(o);
}

static bool listed(const char *const *list, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++) {
		if (!strcmp(list[i], name))
			return true;
	}
	return false;
}
#define LISTED(list, name) listed(list, KS_ARRAY_LEN(list), name)

static void every_option_of_the_original_is_accepted(void **state)
{
	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(of_the_original); i++)
		assert_true(ks_option_of(ks_option_find(STR(of_the_original[i])), KS_CMD_NONE));
}

static void the_main_command_has_no_option_beyond_the_lists(void **state)
{
	(void)state;
	for (int i = 1; i < KS_OPT_COUNT; i++) {
		const struct ks_option_info *o = ks_option_info((enum ks_option)i);

		if (!ks_option_of((enum ks_option)i, KS_CMD_NONE))
			continue;
		if (!LISTED(of_the_original, o->name) && !LISTED(inert, o->name) &&
		    !LISTED(ours, o->name))
			fail_msg("--%s is in no list", o->name);
	}
}

static void the_inert_options_of_ncu_take_a_value_and_are_hidden(void **state)
{
	unsigned n = 0;

	(void)state;
	assert_int_equal(KS_ARRAY_LEN(inert), 19);
	for (size_t i = 0; i < KS_ARRAY_LEN(inert); i++) {
		const struct ks_option_info *o = option(inert[i]);

		assert_int_equal(o->state, KS_STATE_INERT);
		assert_int_equal(o->ncu, KS_NCU_INERT);
		assert_true(o->hidden);
		assert_int_not_equal(o->arg, KS_ARG_NONE);
	}
	for (int i = 1; i < KS_OPT_COUNT; i++)
		n += ks_option_info((enum ks_option)i)->state == KS_STATE_INERT;
	assert_int_equal(n, KS_ARRAY_LEN(inert));
}

static void exactly_the_options_of_this_version_are_live(void **state)
{
	(void)state;
	for (int i = 1; i < KS_OPT_COUNT; i++) {
		const struct ks_option_info *o = ks_option_info((enum ks_option)i);

		if (!ks_option_of((enum ks_option)i, KS_CMD_NONE))
			continue;
		if ((o->state == KS_STATE_LIVE) != LISTED(in_this_version, o->name))
			fail_msg("--%s has the wrong state", o->name);
	}
}

static void short_names_are_those_of_ncu_and_unique(void **state)
{
	static const struct {
		char letter;
		const char *name;
	} letters[] = { { 'k', "kernel-name" },	    { 's', "launch-skip" },
			{ 'c', "launch-count" },    { 'o', "export" },
			{ 'f', "force-overwrite" }, { 'i', "import" },
			{ 'v', "version" },	    { 'h', "help" } };
	unsigned n = 0;

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(letters); i++)
		assert_int_equal(option(letters[i].name)->short_name, letters[i].letter);
	for (int i = 1; i < KS_OPT_COUNT; i++) {
		const struct ks_option_info *o = ks_option_info((enum ks_option)i);

		n += o->short_name && ks_option_of((enum ks_option)i, KS_CMD_NONE);
	}
	assert_int_equal(n, KS_ARRAY_LEN(letters));
}

static void guarded_numbers_are_those_of_the_contract(void **state)
{
	static const char *const guarded[] = { "ks-warmup",
					       "ks-window-s",
					       "ks-peak-tflops",
					       "ks-peak-gbps",
					       "ks-flops",
					       "ks-bytes",
					       "ks-tokens",
					       "ks-price-per-kwh",
					       "ks-price-per-hour",
					       "ks-idle-power-w",
					       "launch-skip",
					       "launch-count",
					       "launch-skip-before-match",
					       "ks-timeline-limit" };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(guarded); i++) {
		const struct ks_option_info *o = option(guarded[i]);

		assert_true(o->guarded);
		assert_true(o->arg == KS_ARG_INT || o->arg == KS_ARG_REAL);
	}
	for (int i = 1; i < KS_OPT_COUNT; i++) {
		const struct ks_option_info *o = ks_option_info((enum ks_option)i);

		if (o->guarded && o->arg != KS_ARG_INT && o->arg != KS_ARG_REAL)
			fail_msg("--%s is guarded but no number", o->name);
	}
}

static void defaults_are_those_of_the_contract(void **state)
{
	static const struct {
		const char *name, *deflt;
	} cases[] = {
		{ "set", "basic" },
		{ "print-summary", "none" },
		{ "print-details", "header" },
		{ "print-metric-name", "name" },
		{ "print-units", "auto" },
		{ "page", "details" },
		{ "launch-skip", "0" },
		{ "launch-count", "0" },
		{ "target-processes", "all" },
		{ "ks-window", "auto" },
		{ "ks-warmup", "0" },
		{ "ks-dtype", "bf16" },
		{ "ks-ledger-basis", "auto" },
		{ "ks-currency", "CNY" },
		{ "repeat", "1" },
		{ "ks-telemetry-timeout-s", "5.0" },
		{ "kernel-name-base", "" },
		{ "screen", "" },
		{ "size-mb", "256" },
		{ "runs", "3" },
		{ "schedulers", "4" },
		{ "l1-bytes", "131072" },
		{ "l2-ways", "16" },
		{ "flush-ms", "200" },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++)
		assert_string_equal(option(cases[i].name)->deflt, cases[i].deflt);
}

/* Whether `word` is one of "a|b|c". */
static bool is_choice(const char *choices, const char *word)
{
	const size_t len = strlen(word);

	while (*choices) {
		const size_t n = strcspn(choices, "|");

		if (n == len && !memcmp(choices, word, n))
			return true;
		choices += n + (choices[n] == '|');
	}
	return false;
}

static void every_row_is_consistent(void **state)
{
	char want[128];
	static const char *const ids[] = {
		"NONE",
#define KS_OPTION(id, ...) #id,
#include "tables/options.def"
#undef KS_OPTION
	};

	(void)state;
	for (int i = 1; i < KS_OPT_COUNT; i++) {
		const struct ks_option_info *o = ks_option_info((enum ks_option)i);

		id_of(o->name, want, sizeof(want));
		assert_string_equal(ids[i], want);
		assert_int_equal(ks_option_find(STR(o->name)), i);
		assert_int_equal(o->arg == KS_ARG_NONE, o->metavar[0] == '\0');
		if (o->arg == KS_ARG_CHOICE && o->deflt[0] && !is_choice(o->metavar, o->deflt))
			fail_msg("--%s: the default is no choice", o->name);
		if (o->alias_of[0])
			assert_int_not_equal(ks_option_find(STR(o->alias_of)), KS_OPT_NONE);
		assert_int_equal(!ks_option_of((enum ks_option)i, KS_CMD_NONE),
				 o->group == KS_GROUP_SUBCOMMAND);
		assert_int_equal(o->state == KS_STATE_PLANNED, o->since[0] == '\0');
	}
	assert_int_equal(ks_option_find(STR("kernel-nam")), KS_OPT_NONE);
	assert_int_equal(ks_option_find(STR("")), KS_OPT_NONE);
}

/* Every short and long name means one thing to a command. */
static void a_command_has_each_name_once(void **state)
{
	(void)state;
	for (int c = 0; c < KS_CMD_COUNT; c++) {
		unsigned seen[256] = { 0 };

		for (int i = 1; i < KS_OPT_COUNT; i++) {
			const struct ks_option_info *o = ks_option_info((enum ks_option)i);
			const unsigned char letter = (unsigned char)o->short_name;

			if (letter && ks_option_of((enum ks_option)i, (enum ks_command)c) &&
			    seen[letter]++)
				fail_msg("%s: -%c twice", ks_command_info((enum ks_command)c)->name,
					 letter);
		}
	}
}

static void options_name_known_commands(void **state)
{
	(void)state;
	for (int i = 1; i < KS_OPT_COUNT; i++) {
		const struct ks_option_info *o = ks_option_info((enum ks_option)i);

		for (const char *p = o->commands; *p;) {
			const size_t n = strcspn(p, ",");
			const bool word = (n == 4 && !strncmp(p, "main", 4)) ||
					  (n == 3 && !strncmp(p, "all", 3));
			enum ks_command c;

			if (!word && !ks_command_find((ks_str){ p, n }, &c))
				fail_msg("--%s: no such command: %.*s", o->name, (int)n, p);
			p += n + (p[n] == ',');
		}
	}
}

static void commands_of_the_original_and_ours_are_there(void **state)
{
	static const char *const names[] = {
		"doctor", "occupancy", "memtrace",   "issue",	    "capabilities", "selftest",
		"diff",	  "route",     "skill",	     "gate",	    "mcp",	    "calibrate",
		"record", "export",    "report",     "explain",	    "remedy",	    "ncu-rep",
		"stats",  "find",      "show",	     "fleet",	    "serve",	    "schema",
		"config", "help",      "completion", "ncu-command",
	};
	static const char *const live[] = { "report", "explain",      "help",	    "doctor",
					    "route",  "capabilities", "remedy",	    "stats",
					    "schema", "config",	      "completion", "find",
					    "show",   "ncu-command" };
	enum ks_command c;

	(void)state;
	assert_int_equal(KS_ARRAY_LEN(names), KS_CMD_COUNT - 1);
	for (size_t i = 0; i < KS_ARRAY_LEN(names); i++) {
		assert_true(ks_command_find(STR(names[i]), &c));
		assert_string_equal(ks_command_info(c)->name, names[i]);
		assert_int_equal(ks_command_info(c)->state == KS_STATE_LIVE,
				 LISTED(live, names[i]));
		assert_memory_equal(ks_command_info(c)->usage, names[i], strlen(names[i]));
	}
	assert_false(ks_command_find(STR("docto"), &c));
	assert_int_equal(c, KS_CMD_NONE);
}

static void formats_are_those_of_the_design(void **state)
{
	static const char *const names[] = { "text",	      "screen",	       "json",
					     "ndjson",	      "csv",	       "md",
					     "html",	      "svg",	       "perfetto",
					     "openmetrics",   "junit",	       "sarif",
					     "github",	      "gitlab",	       "gobench",
					     "folded",	      "nvtx-csv",      "timeline-svg",
					     "histogram-svg", "occupancy-svg", "occupancy-csv" };
	static const char *const live[] = {
		"text",	    "screen",	    "json",	     "csv",	     "svg",
		"perfetto", "timeline-svg", "histogram-svg", "folded",	     "nvtx-csv",
		"md",	    "html",	    "occupancy-svg", "occupancy-csv"
	};
	enum ks_format f;

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(names); i++) {
		assert_true(ks_format_find(STR(names[i]), &f));
		assert_string_equal(ks_format_info(f)->name, names[i]);
		assert_int_equal(ks_format_info(f)->state == KS_STATE_LIVE, LISTED(live, names[i]));
	}
	assert_int_equal(KS_ARRAY_LEN(names) + 1, KS_FORMAT_COUNT - 1);
	assert_false(ks_format_find(STR("launch_csv"), &f));
	assert_int_equal(f, KS_FORMAT_NONE);
	assert_false(ks_format_find(STR("xml"), &f));
}

int test_option(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_option_of_the_original_is_accepted),
		cmocka_unit_test(the_main_command_has_no_option_beyond_the_lists),
		cmocka_unit_test(the_inert_options_of_ncu_take_a_value_and_are_hidden),
		cmocka_unit_test(exactly_the_options_of_this_version_are_live),
		cmocka_unit_test(short_names_are_those_of_ncu_and_unique),
		cmocka_unit_test(guarded_numbers_are_those_of_the_contract),
		cmocka_unit_test(defaults_are_those_of_the_contract),
		cmocka_unit_test(every_row_is_consistent),
		cmocka_unit_test(options_name_known_commands),
		cmocka_unit_test(a_command_has_each_name_once),
		cmocka_unit_test(commands_of_the_original_and_ours_are_there),
		cmocka_unit_test(formats_are_those_of_the_design),
	};

	return cmocka_run_group_tests_name("option", tests, NULL, NULL);
}
