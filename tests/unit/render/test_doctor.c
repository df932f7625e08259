/* SPDX-License-Identifier: Apache-2.0
 *
 * A diagnosis as text and as JSON: what is in it is shown, hostile bytes are not, commands can be
 * copied.
 */
#include "all.h"

#include <jansson.h>

#include "base/str.h"
#include "base/utf8.h"
#include "render/doctor.h"

static const char bad_name[] = "GPU \x1b[31m\"<b>\n\xff";

struct bed {
	struct ks_arena arena;
	struct ks_ctx ctx;
	struct ks_host host;
	struct ks_host_gpu gpu;
	struct ks_view view;
	struct ks_buf text;
	const struct ks_diagnosis *d;
};

/* Locked counters, so that every part of the page is there; a name and a path that are hostile. */
static void given_bed(struct bed *b, enum ks_lang lang)
{
	static const char *const tool[KS_TOOL_COUNT] = { "nsys", "ncu", "cuobjdump", "nvdisasm",
							 "nvidia-smi" };

	*b = (struct bed){
		.host = {
			.platform = KS_LIT("Linux"),
			.n_gpus = 1,
			.has_gpu = KS_KNOWN_YES,
			.driver = KS_LIT("550.54.15"),
			.admin_only = KS_KNOWN_YES,
			.params_path = KS_LIT("/proc/driver/nvidia/params"),
			.caps_read = true,
			.perf_paranoid = 4,
			.probe = KS_PROBE_DENIED,
			.probe_name = KS_LIT("ncu --query-metrics"),
			.probe_output = KS_LIT("\x1b]0;title\x07 ERR_NVGPUCTRPERM"),
			.container = KS_LIT("docker"),
		},
		.gpu = { .name = { bad_name, sizeof(bad_name) - 1 }, .cc_major = -1,
			 .memory_mib = KS_UNKNOWN, .sm_count = KS_UNKNOWN,
			 .max_sm_clock_mhz = KS_UNKNOWN, .power_limit_w = -1.0,
			 .nvlinks = KS_UNKNOWN },
		.view = { .term = { .utf8 = true, .cols = 80, .rows = 24 }, .lang = lang },
	};
	b->host.gpu = &b->gpu;
	for (size_t i = 0; i < KS_TOOL_COUNT; i++)
		b->host.tool[i].name = ks_str_c(tool[i]);
	b->host.tool[KS_TOOL_NCU].path = KS_LIT("/x y/ncu");
	b->host.tool[KS_TOOL_NSYS].path = KS_LIT("/bin/nsys");
	ks_arena_init(&b->arena, 64u << 20);
	ks_buf_init(&b->text, 16u << 20);
	b->ctx = (struct ks_ctx){
		.io = &ks_io_system, .run = &b->arena, .lang = (int)lang, .doc_lang = (int)lang
	};
	assert_int_equal(ks_diagnose(&b->ctx, &b->host, &b->d, NULL), KS_OK);
}

static void bed_end(struct bed *b)
{
	ks_buf_release(&b->text);
	ks_arena_release(&b->arena);
}

static const char *page(struct bed *b, bool json)
{
	struct ks_out out;
	struct ks_err err;

	ks_err_init(&err);
	ks_buf_reset(&b->text);
	ks_out_open_mem(&out, &b->text);
	assert_int_equal(json ? ks_doctor_json(&b->ctx, b->d, &out, &err)
			      : ks_doctor_text(&b->ctx, b->d, &b->view, &out, &err),
			 KS_OK);
	assert_int_equal(ks_out_commit(&out, NULL), KS_OK);
	return ks_buf_text(&b->text);
}

static void the_finding_stands_first(void **state)
{
	struct bed b;

	(void)state;
	given_bed(&b, KS_LANG_EN);
	assert_int_equal(
		strncmp(page(&b, false), "Ready to record. Hardware counters are denied", 45), 0);
	bed_end(&b);
	given_bed(&b, KS_LANG_ZH);
	assert_int_equal(strncmp(page(&b, false), "可以录制。", strlen("可以录制。")), 0);
	bed_end(&b);
}

/* Whether a line of the page is one of the commands, which are never broken. */
static bool is_command(const struct bed *b, ks_str line)
{
	for (size_t i = 0; i < b->d->n_steps; i++)
		if (b->d->step[i].command.n > 0 &&
		    ks_str_eq(ks_str_trim(line), b->d->step[i].command))
			return true;
	return false;
}

static void lines_fit_and_commands_are_whole(void **state)
{
	(void)state;
	for (int lang = KS_LANG_EN; lang <= KS_LANG_ZH; lang++) {
		struct bed b;
		size_t commands = 0, wanted = 0;

		given_bed(&b, (enum ks_lang)lang);
		ks_str rest = ks_str_c(page(&b, false));

		while (rest.p != NULL) {
			const ks_str line = ks_str_cut(&rest, '\n');

			if (is_command(&b, line))
				commands++;
			else if (ks_utf8_columns(line) > 80)
				fail_msg("too wide: %.*s", (int)line.n, line.p);
		}
		for (size_t i = 0; i < b.d->n_steps; i++)
			wanted += b.d->step[i].command.n > 0;
		assert_true(wanted >= 4);
		assert_int_equal(commands, wanted);
		bed_end(&b);
	}
}

static void hostile_bytes_are_not_shown_raw(void **state)
{
	struct bed b;

	(void)state;
	given_bed(&b, KS_LANG_EN);
	const char *text = page(&b, false);

	assert_null(strchr(text, '\x1b'));
	assert_null(strchr(text, '\x07'));
	assert_null(strchr(text, '\xff'));
	bed_end(&b);
}

static void colour_says_nothing_that_words_do_not(void **state)
{
	struct bed b;
	const char *plain;
	size_t n = 0;

	(void)state;
	given_bed(&b, KS_LANG_EN);
	plain = ks_arena_dup(&b.arena, ks_str_c(page(&b, false))).p;
	b.view.term.color = true;
	const char *text = page(&b, false);

	assert_non_null(strchr(text, '\x1b'));
	for (; *text != '\0'; text++) {
		if (*text == '\x1b')
			text = strchr(text, 'm');
		else
			assert_int_equal(*text, plain[n++]);
	}
	assert_int_equal(n, strlen(plain));
	bed_end(&b);
}

static void json_has_the_keys_and_types_of_the_original(void **state)
{
	static const char *const keys[] = {
		"schema_version", "tool",
		"tool_version",	  "ok",
		"diagnosed",	  "host",
		"device",	  "tools",
		"counter_state",  "counter_state_note",
		"nvbit_path",	  "checks",
		"capabilities",	  "backend_plan",
		"advice",
	};
	struct bed b;
	json_error_t fault;

	(void)state;
	given_bed(&b, KS_LANG_EN);
	b.gpu.memory_mib = 24564;
	b.gpu.power_limit_w = 450.0;
	json_t *j = json_loads(page(&b, true), JSON_REJECT_DUPLICATES, &fault);

	if (j == NULL)
		fail_msg("not JSON at %d: %s", fault.position, fault.text);
	for (size_t i = 0; i < KS_ARRAY_LEN(keys); i++)
		if (json_object_get(j, keys[i]) == NULL)
			fail_msg("no %s", keys[i]);
	const json_t *device = json_object_get(j, "device");

	assert_int_equal(json_integer_value(json_object_get(j, "schema_version")), 2);
	assert_string_equal(json_string_value(json_object_get(device, "memory_mib")), "24564");
	assert_string_equal(json_string_value(json_object_get(device, "power_limit_w")), "450.00");
	assert_true(json_is_null(json_object_get(device, "max_sm_clock_mhz")));
	assert_true(json_is_null(json_object_get(device, "sm_count")));
	assert_string_equal(json_string_value(json_object_get(j, "counter_state")), "denied");
	assert_true(json_array_size(json_object_get(j, "admin_text")) > 5);
	assert_string_equal(
		json_string_value(json_object_get(json_object_get(j, "host"), "python")), "");
	json_decref(j);
	bed_end(&b);
}

static void json_without_a_gpu_has_an_empty_device(void **state)
{
	struct bed b;

	(void)state;
	given_bed(&b, KS_LANG_ZH);
	b.host.n_gpus = 0;
	b.host.caps_read = false;
	json_t *j = json_loads(page(&b, true), JSON_REJECT_DUPLICATES, NULL);

	assert_non_null(j);
	assert_int_equal(json_object_size(json_object_get(j, "device")), 0);
	assert_int_equal(json_array_size(json_object_get(j, "devices")), 0);
	assert_true(json_is_null(json_object_get(json_object_get(j, "rights"), "cap_eff")));
	json_decref(j);
	bed_end(&b);
}

int test_doctor(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_finding_stands_first),
		cmocka_unit_test(lines_fit_and_commands_are_whole),
		cmocka_unit_test(hostile_bytes_are_not_shown_raw),
		cmocka_unit_test(colour_says_nothing_that_words_do_not),
		cmocka_unit_test(json_has_the_keys_and_types_of_the_original),
		cmocka_unit_test(json_without_a_gpu_has_an_empty_device),
	};

	return cmocka_run_group_tests_name("doctor", tests, NULL, NULL);
}
