/* SPDX-License-Identifier: Apache-2.0
 *
 * The parser against command lines whose reading is known. Prints nothing of its own.
 */
#include "tests.h"

#include "base/str.h"
#include "cmd/options.h"

#define MAX_WORDS 12

struct line {
	struct ks_arena arena;
	struct ks_opts o;
	struct ks_err err;
	enum ks_status status;
	char *argv[MAX_WORDS];
	int argc;
};

/* Splits at blanks; a word "''" is the empty word. `copy` holds the words. */
static void given(struct line *l, char *copy, const struct ks_opt_spec *spec)
{
	ks_str rest = ks_str_c(copy);

	*l = (struct line){ .argc = 1 };
	l->argv[0] = (char[]){ "kernoscope" };
	while (rest.p != NULL && l->argc < MAX_WORDS - 1) {
		const ks_str word = ks_str_cut(&rest, ' ');
		char *w = copy + (word.p - copy);

		w[word.n] = '\0';
		l->argv[l->argc++] = strcmp(w, "''") == 0 ? w + 2 : w;
	}
	ks_arena_init(&l->arena, (size_t)1 << 20);
	ks_err_init(&l->err);
	l->status = ks_opts_parse(&l->o, &l->arena, spec, l->argc, l->argv, &l->err);
}

static const struct ks_opt_spec main_spec = { KS_CMD_NONE, false };

static void readings_of_good_lines(void **state)
{
	static const struct {
		const char *words;
		enum ks_option id;
		const char *value; /* NULL: a flag */
		unsigned times;
		int rest;
	} cases[] = {
		{ "--ks-synthetic", KS_OPT_KS_SYNTHETIC, NULL, 1, 0 },
		{ "--ks-synth", KS_OPT_KS_SYNTHETIC, NULL, 1, 0 },
		{ "--ks-sqlite=a.sqlite", KS_OPT_KS_SQLITE, "a.sqlite", 1, 0 },
		{ "--ks-sqlite a --ks-sqlite b", KS_OPT_KS_SQLITE, "b", 2, 0 },
		{ "-k gemm", KS_OPT_KERNEL_NAME, "gemm", 1, 0 },
		{ "-kgemm", KS_OPT_KERNEL_NAME, "gemm", 1, 0 },
		{ "--kernel-name=regex:a=b", KS_OPT_KERNEL_NAME, "regex:a=b", 1, 0 },
		{ "-fk gemm", KS_OPT_FORCE_OVERWRITE, NULL, 1, 0 },
		{ "-k --", KS_OPT_KERNEL_NAME, "--", 1, 0 },
		{ "-f prog -c 3", KS_OPT_FORCE_OVERWRITE, NULL, 1, 3 },
		{ "-f -- -f", KS_OPT_FORCE_OVERWRITE, NULL, 1, 1 },
		{ "--set full --section Duration --section Occupancy", KS_OPT_SECTION, "Occupancy",
		  2, 0 },
		{ "-c 0", KS_OPT_LAUNCH_COUNT, "0", 1, 0 },
		{ "--replay-mode anything", KS_OPT_REPLAY_MODE, "anything", 1, 0 },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct line l;
		char copy[200];

		(void)snprintf(copy, sizeof(copy), "%s", cases[i].words);
		given(&l, copy, &main_spec);
		if (l.status != KS_OK)
			fail_msg("%s: status %d, text %d, %s", cases[i].words, (int)l.status,
				 l.err.text, l.err.arg[0]);
		assert_int_equal(l.o.opt[cases[i].id].times, cases[i].times);
		if (cases[i].value != NULL)
			assert_string_equal(l.o.opt[cases[i].id].value, cases[i].value);
		assert_int_equal(l.o.n_rest, cases[i].rest);
		ks_arena_release(&l.arena);
	}
}

static void every_bad_line_names_its_fault(void **state)
{
	static const struct {
		const char *words;
		enum ks_text text;
		const char *arg[2];
	} cases[] = {
		{ "--ks-sqllite x", KS_TEXT_ERR_CMD_OPT_NEAR, { "ks-sqllite", "ks-sqlite" } },
		{ "--ks-sqllite=x", KS_TEXT_ERR_CMD_OPT_NEAR, { "ks-sqllite", "ks-sqlite" } },
		{ "--kernal-name x", KS_TEXT_ERR_CMD_OPT_NEAR, { "kernal-name", "kernel-name" } },
		{ "--zzzzzzzzzz", KS_TEXT_ERR_CMD_OPT_UNKNOWN, { "zzzzzzzzzz", NULL } },
		{ "-Z", KS_TEXT_ERR_CMD_OPT_LETTER, { "Z", NULL } },
		{ "-fZ", KS_TEXT_ERR_CMD_OPT_LETTER, { "Z", NULL } },
		{ "--quiet -Z", KS_TEXT_ERR_CMD_OPT_LETTER, { "Z", NULL } },
		{ "--print-metric x", KS_TEXT_ERR_CMD_CHOICE, { "print-metric-name", "x" } },
		{ "--csv=yes", KS_TEXT_ERR_CMD_OPT_VALUE, { "csv", NULL } },
		{ "-k", KS_TEXT_ERR_CMD_OPT_NO_VALUE, { "kernel-name", NULL } },
		{ "--ks-sqlite", KS_TEXT_ERR_CMD_OPT_NO_VALUE, { "ks-sqlite", NULL } },
		{ "-c x", KS_TEXT_ERR_CMD_NOT_INT, { "launch-count", "x" } },
		{ "-c 1.5", KS_TEXT_ERR_CMD_NOT_INT, { "launch-count", "1.5" } },
		{ "-c 0x10", KS_TEXT_ERR_CMD_NOT_INT, { "launch-count", "0x10" } },
		{ "-c 99999999999999999999",
		  KS_TEXT_ERR_CMD_NOT_INT,
		  { "launch-count", "99999999999999999999" } },
		{ "-c -1", KS_TEXT_ERR_CMD_NEGATIVE, { "launch-count", "-1" } },
		{ "--launch-skip -3", KS_TEXT_ERR_CMD_NEGATIVE, { "launch-skip", "-3" } },
		{ "--set ful", KS_TEXT_ERR_CMD_CHOICE_NEAR, { "set", "ful" } },
		{ "--set everything", KS_TEXT_ERR_CMD_CHOICE, { "set", "everything" } },
		{ "--format jsn", KS_TEXT_ERR_CMD_CHOICE_NEAR, { "format", "jsn" } },
		{ "--format launch_csv", KS_TEXT_ERR_CMD_CHOICE, { "format", "launch_csv" } },
		{ "--format sarif", KS_TEXT_ERR_CMD_FORMAT_PLANNED, { "sarif", NULL } },
		{ "--ks-memtrace x", KS_TEXT_ERR_CMD_OPT_PLANNED, { "ks-memtrace", NULL } },
		{ "-k ''", KS_TEXT_ERR_CMD_EMPTY, { "kernel-name", NULL } },
		{ "--json", KS_TEXT_ERR_CMD_OPT_UNKNOWN, { "json", NULL } },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct line l;
		char copy[200];

		(void)snprintf(copy, sizeof(copy), "%s", cases[i].words);
		given(&l, copy, &main_spec);
		if (l.status != KS_E_USAGE || l.err.text != (int)cases[i].text)
			fail_msg("%s: status %d: %s {%s} {%s}", cases[i].words, (int)l.status,
				 ks_text_get((enum ks_text)l.err.text, KS_LANG_EN), l.err.arg[0],
				 l.err.arg[1]);
		for (size_t k = 0; k < 2 && cases[i].arg[k] != NULL; k++)
			assert_string_equal(l.err.arg[k], cases[i].arg[k]);
		ks_arena_release(&l.arena);
	}
}

static void an_ambiguous_prefix_lists_what_it_fits(void **state)
{
	struct line l;
	char copy[] = "--print-m name --print-su none --launch 3";

	(void)state;
	given(&l, copy, &main_spec);
	assert_int_equal(l.status, KS_E_USAGE);
	assert_int_equal(l.err.text, KS_TEXT_ERR_CMD_OPT_AMBIGUOUS);
	assert_string_equal(l.err.arg[0], "launch");
	assert_non_null(strstr(l.err.arg[1], "--launch-skip"));
	assert_non_null(strstr(l.err.arg[1], "--launch-count"));
	/* what came before the fault is kept: the message may be wanted in the language it names */
	assert_int_equal(l.o.opt[KS_OPT_PRINT_METRIC_NAME].times, 1);
	ks_arena_release(&l.arena);
}

static void a_double_dash_is_seen_only_where_it_stands(void **state)
{
	static const struct {
		const char *words;
		bool seen;
		int rest;
	} cases[] = {
		{ "-f -- prog", true, 1 }, { "-f prog -- x", false, 3 }, { "-k -- prog", false, 1 },
		{ "--", true, 0 },	   { "-f", false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct line l;
		char copy[100];

		(void)snprintf(copy, sizeof(copy), "%s", cases[i].words);
		given(&l, copy, &main_spec);
		assert_int_equal(l.status, KS_OK);
		assert_int_equal(l.o.dashdash, cases[i].seen);
		assert_int_equal(l.o.n_rest, cases[i].rest);
		ks_arena_release(&l.arena);
	}
}

static void version_ends_the_parse(void **state)
{
	struct line l;
	char copy[] = "--version --nonsense";

	(void)state;
	given(&l, copy, &main_spec);
	assert_int_equal(l.status, KS_OK);
	assert_true(ks_opt_on(&l.o, KS_OPT_VERSION));
	ks_arena_release(&l.arena);
}

static void a_command_knows_only_its_own_options(void **state)
{
	const struct ks_opt_spec spec = { KS_CMD_EXPLAIN, true };
	struct line l;
	char good[] = "metric --json file --lang zh";
	char bad[] = "metric --csv";

	(void)state;
	given(&l, good, &spec);
	assert_int_equal(l.status, KS_OK);
	assert_int_equal(l.o.n_rest, 2);
	assert_string_equal(l.o.rest[0], "metric");
	assert_string_equal(l.o.rest[1], "file");
	ks_arena_release(&l.arena);
	given(&l, bad, &spec);
	assert_int_equal(l.status, KS_E_USAGE);
	ks_arena_release(&l.arena);
}

static void out_of_memory_is_an_error_not_a_crash(void **state)
{
	struct ks_arena tiny;
	struct ks_opts o;
	struct ks_err err;
	char name[] = "kernoscope", flag[] = "--csv";
	char *argv[] = { name, flag, NULL };

	(void)state;
	ks_arena_init(&tiny, 64);
	ks_err_init(&err);
	assert_int_equal(ks_opts_parse(&o, &tiny, &main_spec, 2, argv, &err), KS_E_ENV);
	ks_arena_release(&tiny);
}

int test_options(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(readings_of_good_lines),
		cmocka_unit_test(every_bad_line_names_its_fault),
		cmocka_unit_test(an_ambiguous_prefix_lists_what_it_fits),
		cmocka_unit_test(a_double_dash_is_seen_only_where_it_stands),
		cmocka_unit_test(version_ends_the_parse),
		cmocka_unit_test(a_command_knows_only_its_own_options),
		cmocka_unit_test(out_of_memory_is_an_error_not_a_crash),
	};

	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
