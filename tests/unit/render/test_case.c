/* SPDX-License-Identifier: Apache-2.0
 *
 * The files of a case directory against the packet they are drawn from. Keys are those of contract
 * 03 §9, in its order; a JSON reader judges them in tests/cli/case.t.
 */
#include "all.h"

#include "base/str.h"
#include "render/case.h"

struct folder {
	struct given *g;
	struct ks_case_run run;
};

static const ks_str command[] = { { "-o", 2 }, { "../P", 4 } };
static const struct ks_case_output output[] = { { "report", { "../P.ksreport.json", 18 } } };

static void given_folder(struct folder *f)
{
	const struct ks_packet_spec spec = { .report_path = KS_LIT("") };
	struct ks_packet *packet = NULL;
	struct ks_err err;

	f->g = given_report();
	given_kernel(f->g, KS_LIT("gemm|*(float*)"), 5, 4755000, 1);
	given_device_rows(f->g);
	given_finished(f->g);
	ks_err_init(&err);
	assert_int_equal(ks_packet_make(&f->g->ctx, &f->g->r, &spec, &packet, &err), KS_OK);
	f->run = (struct ks_case_run){ .packet = packet,
				       .epoch_s = 1700000000,
				       .command = command,
				       .n_command = 2,
				       .output = output,
				       .n_outputs = 1,
				       .rc = 0,
				       .lang = KS_LANG_EN };
}

static const char *filled(struct folder *f, ks_case_fill_fn *fill)
{
	struct ks_out out;

	ks_buf_reset(&f->g->text);
	ks_out_open_mem(&out, &f->g->text);
	assert_int_equal(fill(&f->g->ctx, &f->run, &out, NULL), KS_OK);
	assert_int_equal(ks_out_commit(&out, NULL), KS_OK);
	return ks_buf_text(&f->g->text);
}

static void expect_in_order(const char *text, const char *const *part)
{
	for (; *part != NULL; part++) {
		const char *at = strstr(text, *part);

		if (at == NULL)
			fail_msg("no %s behind what came before in: %s", *part, text);
		text = at;
	}
}

static void the_manifest_has_the_keys_of_the_contract(void **state)
{
	static const char *const keys[] = {
		"\"schema_version\": 1",
		"\"created\": \"2023-11-14T22:13:20+0000\"", /* date -u -d @1700000000 */
		"\"tool_version\": \"0.3.0\"",
		"\"packet_schema\"",
		"\"protocol_hash\": \"sha256:",
		"\"protocol_basis\"",
		"\"window_mode\": \"auto\"",
		"\"protocol_inputs\"",
		"\"calibration\": null",
		"\"memtrace\": null",
		"\"env\"",
		"\"tier\"",
		"\"tier_name\"",
		"\"counter_state\"",
		"\"blocked_by\"",
		"\"device\": \"NVIDIA A100-SXM4-40GB\"",
		"\"command\"",
		"\"../P\"",
		"\"outputs\"",
		"\"report\": \"../P.ksreport.json\"",
		"\"verdicts\"",
		"\"id\": \"kernel_time\"",
		"\"status\": \"ok\"",
		"\"refusals\"",
		"\"counters_denied\"",
		"\"next_actions\"",
		"\"count\"",
		"\"items\"",
		NULL,
	};
	struct folder f;

	(void)state;
	given_folder(&f);
	expect_in_order(filled(&f, ks_case_manifest), keys);
	given_released(f.g);
}

/* The environment is one object in both files. */
static void env_is_that_of_the_manifest(void **state)
{
	struct folder f;
	char env[2048];
	size_t n = 0;

	(void)state;
	given_folder(&f);
	for (const char *c = filled(&f, ks_case_env); *c != '\0' && n < sizeof(env) - 1; c++)
		if (*c != ' ' && *c != '\n')
			env[n++] = *c;
	env[n] = '\0';
	struct ks_buf flat;

	ks_buf_init(&flat, 1u << 20);
	for (const char *c = filled(&f, ks_case_manifest); *c != '\0'; c++)
		if (*c != ' ' && *c != '\n')
			ks_buf_ch(&flat, *c);
	/* blanks inside names are gone from both */
	assert_non_null(strstr(ks_buf_text(&flat), env));
	ks_buf_release(&flat);
	given_released(f.g);
}

static void a_run_is_one_line_of_the_journal(void **state)
{
	static const char *const keys[] = {
		"{\"ts\":\"2023-11-14T22:13:20+0000\"",
		"\"command\":[\"-o\",\"../P\"]",
		"\"rc\":2",
		"\"packet_bytes\":",
		"\"trimmed\":[",
		"\"verdicts\":{\"kernel_time\":\"ok\"",
		"\"refusals\":[",
		"\"outputs\":{\"report\":\"../P.ksreport.json\"}}\n",
		NULL,
	};
	struct folder f;

	(void)state;
	given_folder(&f);
	f.run.rc = 2;
	expect_in_order(filled(&f, ks_case_journal), keys);
	assert_int_equal(lines_in(filled(&f, ks_case_journal)), 1);
	given_released(f.g);
}

static void codes_are_those_of_the_packet_in_order(void **state)
{
	struct folder f;
	const char *text;

	(void)state;
	given_folder(&f);
	text = strstr(filled(&f, ks_case_journal), "\"refusals\":[");
	for (size_t i = 0; i < f.run.packet->n_remedies; i++) {
		const ks_str slug = f.run.packet->remedy[i].slug;
		const ks_str quoted = ks_arena_fmt(&f.g->run, "\"%.*s\"", (int)slug.n, slug.p);

		assert_non_null(strstr(text, quoted.p));
	}
	/* "counters_denied" before "no_workload": by name, not by weight */
	assert_true(strstr(text, "\"counters_denied\"") < strstr(text, "\"no_workload\""));
	given_released(f.g);
}

static void the_path_is_numbered_and_cannot_be_broken(void **state)
{
	struct folder f;

	(void)state;
	for (int lang = 0; lang < 2; lang++) {
		given_folder(&f);
		f.run.lang = (enum ks_lang)lang;
		const char *text = filled(&f, ks_case_next);

		assert_int_equal(text[0], '#');
		for (size_t i = 0; i < f.run.packet->n_next; i++) {
			const ks_str mark = ks_arena_fmt(&f.g->run, "\n%zu. `", i + 1);

			assert_non_null(strstr(text, mark.p));
		}
		assert_null(strstr(text, "\n9. "));
		expect_no_control_bytes(text, false);
		given_released(f.g);
	}
}

static void the_readme_is_short(void **state)
{
	struct folder f;

	(void)state;
	for (int lang = 0; lang < 2; lang++) {
		given_folder(&f);
		f.run.lang = (enum ks_lang)lang;
		assert_true(strlen(filled(&f, ks_case_readme)) <= 1024);
		assert_non_null(strstr(filled(&f, ks_case_readme), "`journal.jsonl`"));
		given_released(f.g);
	}
}

int test_case(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_manifest_has_the_keys_of_the_contract),
		cmocka_unit_test(env_is_that_of_the_manifest),
		cmocka_unit_test(a_run_is_one_line_of_the_journal),
		cmocka_unit_test(codes_are_those_of_the_packet_in_order),
		cmocka_unit_test(the_path_is_numbered_and_cannot_be_broken),
		cmocka_unit_test(the_readme_is_short),
	};

	return cmocka_run_group_tests_name("case", tests, NULL, NULL);
}
