/* SPDX-License-Identifier: Apache-2.0
 *
 * What a host means for somebody who wants to profile on it: the finding that comes first, the
 * state of each check, and who can mend what.
 */
#include "all.h"

#include "verdict/diagnosis.h"

struct clinic {
	struct ks_arena arena;
	struct ks_ctx ctx;
	struct ks_host host;
	struct ks_host_gpu gpu[2];
};

/* One GPU, nsys and ncu on PATH, an open policy, an ordinary user. */
static void given_good_host(struct clinic *c)
{
	*c = (struct clinic){
		.host = {
			.platform = KS_LIT("Linux"),
			.uid = 1000,
			.n_gpus = 1,
			.has_gpu = KS_KNOWN_YES,
			.has_nvml = true,
			.driver = KS_LIT("550.54.15"),
			.admin_only = KS_KNOWN_NO,
			.params_path = KS_LIT("/proc/driver/nvidia/params"),
			.caps_read = true,
			.perf_paranoid = 2,
			.probe = KS_PROBE_ALLOWED,
			.probe_name = KS_LIT("ncu --query-metrics"),
		},
		.gpu = { { .name = KS_LIT("Test GPU"), .cc_major = 8, .cc_minor = 9,
			   .memory_mib = 24564, .nvlinks = 3 },
			 { .name = KS_LIT("Test GPU"), .cc_major = 8, .cc_minor = 9,
			   .memory_mib = 24564, .nvlinks = 0 } },
	};
	c->host.gpu = c->gpu;
	for (size_t i = 0; i < KS_TOOL_COUNT; i++)
		c->host.tool[i] = (struct ks_tool_place){ .name = KS_LIT("tool"),
							  .path = KS_LIT("/bin/tool"),
							  .in_path = true,
							  .n_searched = 1 };
	ks_arena_init(&c->arena, 64u << 20);
	c->ctx = (struct ks_ctx){ .io = &ks_io_system, .run = &c->arena };
}

/* The same, its counters locked in a container: policy, probe, and nothing in the bounding set. */
static void given_locked_host(struct clinic *c)
{
	given_good_host(c);
	c->host.admin_only = KS_KNOWN_YES;
	c->host.probe = KS_PROBE_DENIED;
	c->host.probe_output = KS_LIT("==ERROR== ERR_NVGPUCTRPERM");
	c->host.container = KS_LIT("docker");
	c->host.uid = 0;
}

static const struct ks_diagnosis *diagnosed(struct clinic *c)
{
	const struct ks_diagnosis *d = NULL;
	struct ks_err err;

	ks_err_init(&err);
	assert_int_equal(ks_diagnose(&c->ctx, &c->host, &d, &err), KS_OK);
	assert_non_null(d);
	return d;
}

static const struct ks_checkup *check_of(const struct ks_diagnosis *d, const char *id)
{
	for (size_t i = 0; i < d->n_checks; i++)
		if (strcmp(d->check[i].id, id) == 0)
			return &d->check[i];
	fail_msg("no check %s", id);
	return NULL;
}

static void expect_state(const struct ks_diagnosis *d, const char *id, const char *state)
{
	const char *got = ks_check_state_name(check_of(d, id)->state);

	if (strcmp(got, state) != 0)
		fail_msg("%s: %s", id, got);
}

static bool has_step(const struct ks_diagnosis *d, const char *command)
{
	for (size_t i = 0; i < d->n_steps; i++)
		if (ks_str_starts(d->step[i].command, command))
			return true;
	return false;
}

/* The step whose command begins so. */
static struct ks_todo step_with(const struct ks_diagnosis *d, const char *command)
{
	for (size_t i = 0; i < d->n_steps; i++)
		if (ks_str_starts(d->step[i].command, command))
			return d->step[i];
	fail_msg("no step %s", command);
	return (struct ks_todo){ .host = false };
}

static void expect_first(struct clinic *c, enum ks_text id, bool ok)
{
	const struct ks_diagnosis *d = diagnosed(c);

	assert_int_equal(d->first.id, id);
	assert_int_equal(d->ok, ok);
	ks_arena_release(&c->arena);
}

static void the_finding_that_matters_most(void **state)
{
	static const struct ks_tool_place nowhere = { .n_searched = 7 };
	struct clinic c;

	(void)state;
	given_good_host(&c);
	expect_first(&c, KS_TEXT_FIRST_AVAILABLE, true);
	given_good_host(&c);
	c.host.has_gpu = KS_KNOWN_NO;
	c.host.n_gpus = 0;
	c.host.tool[KS_TOOL_NSYS] = nowhere;
	expect_first(&c, KS_TEXT_FIRST_NO_GPU, false);
	given_locked_host(&c); /* what stops recording goes before the counters */
	c.host.tool[KS_TOOL_NSYS] = nowhere;
	expect_first(&c, KS_TEXT_FIRST_NO_NSYS, false);
	given_locked_host(&c);
	expect_first(&c, KS_TEXT_FIRST_DENIED, true);
	given_locked_host(&c);
	c.host.uid = 1000;
	c.host.cap_bnd = (uint64_t)1 << KS_CAP_SYS_ADMIN;
	expect_first(&c, KS_TEXT_FIRST_DENIED_USER, true);
	given_good_host(&c);
	c.host.tool[KS_TOOL_NCU] = nowhere;
	expect_first(&c, KS_TEXT_FIRST_NOT_INSTALLED, true);
	given_good_host(&c);
	c.host.probe = KS_PROBE_TIMEOUT;
	expect_first(&c, KS_TEXT_FIRST_UNKNOWN, true);
	given_good_host(&c);
	c.host.probe = KS_PROBE_NOT_RUN;
	c.host.tool[KS_TOOL_NCU].in_path = false;
	expect_first(&c, KS_TEXT_FIRST_NOT_IN_PATH, true);
	given_good_host(&c);
	c.host.has_gpu = KS_KNOWN_UNREAD;
	c.host.n_gpus = 0;
	expect_first(&c, KS_TEXT_FIRST_GPU_UNREAD, true);
}

static void checks_of_a_good_host(void **state)
{
	static const char *const ok[] = { "platform",	   "gpu",	    "driver_policy",
					  "user",	   "nsys",	    "cuobjdump",
					  "nvdisasm",	   "nvidia-smi",    "counters",
					  "cap_perfmon",   "cap_sys_admin", "perf_event_paranoid",
					  "cuda_injection" };
	struct clinic c;

	(void)state;
	given_good_host(&c);
	const struct ks_diagnosis *d = diagnosed(&c);

	for (size_t i = 0; i < KS_ARRAY_LEN(ok); i++)
		expect_state(d, ok[i], "ok");
	expect_message(&check_of(d, "gpu")->detail, KS_LANG_EN,
		       "Test GPU, driver 550.54.15, sm_89, 24564 MiB");
	assert_int_equal(d->n_letter, 0);
	for (size_t i = 1; i < d->n_checks; i++)
		assert_true(d->check[i].group >= d->check[i - 1].group);
	ks_arena_release(&c.arena);
}

static void a_locked_container(void **state)
{
	struct clinic c;

	(void)state;
	given_locked_host(&c);
	const struct ks_diagnosis *d = diagnosed(&c);

	expect_state(d, "driver_policy", "warn");
	expect_state(d, "cap_sys_admin", "fail");
	expect_state(d, "cap_perfmon", "fail");
	expect_state(d, "counters", "fail");
	expect_state(d, "nsys", "ok");
	assert_false(step_with(d, "docker run --gpus all --cap-add SYS_ADMIN").host);
	assert_true(
		step_with(d, "echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0'").host);
	assert_false(has_step(d, "sudo kernoscope")); /* root in here gains nothing */
	ks_arena_release(&c.arena);
}

static void the_letter_names_setting_alternatives_and_evidence(void **state)
{
	static const char *const words[] = { "NVreg_RestrictProfilingToAdminUsers=0",
					     "CAP_PERFMON",
					     "CAP_SYS_ADMIN",
					     "550.54.15",
					     "Test GPU",
					     "/proc/driver/nvidia/params",
					     "ERR_NVGPUCTRPERM",
					     "https://developer.nvidia.com/ERR_NVGPUCTRPERM" };
	struct clinic c;
	struct ks_buf text;

	(void)state;
	given_locked_host(&c);
	const struct ks_diagnosis *d = diagnosed(&c);

	ks_buf_init(&text, 1u << 16);
	for (int lang = KS_LANG_EN; lang <= KS_LANG_ZH; lang++) {
		ks_buf_reset(&text);
		for (size_t i = 0; i < d->n_letter; i++)
			ks_msg_fmt(&text, (enum ks_lang)lang, &d->letter[i]);
		for (size_t i = 0; i < KS_ARRAY_LEN(words); i++)
			if (strstr(ks_buf_text(&text), words[i]) == NULL)
				fail_msg("%s is not in: %s", words[i], ks_buf_text(&text));
		assert_null(strstr(ks_buf_text(&text), "{"));
	}
	ks_buf_release(&text);
	ks_arena_release(&c.arena);
}

static void capabilities_matter_only_where_they_are_needed(void **state)
{
	struct clinic c;

	(void)state;
	given_locked_host(&c);
	c.host.cap_eff = (uint64_t)1 << KS_CAP_PERFMON;
	c.host.cap_bnd = c.host.cap_eff;
	const struct ks_diagnosis *d = diagnosed(&c);

	expect_state(d, "cap_perfmon", "ok");
	expect_state(d, "cap_sys_admin", "ok"); /* one of them is enough */
	expect_state(d, "driver_policy", "ok");
	ks_arena_release(&c.arena);
	given_locked_host(&c);
	c.host.uid = 1000;
	c.host.cap_bnd = ~(uint64_t)0;
	d = diagnosed(&c);
	expect_state(d, "cap_sys_admin", "warn"); /* in the bounding set: root can have it */
	assert_true(has_step(d, "sudo kernoscope doctor"));
	ks_arena_release(&c.arena);
	given_locked_host(&c);
	c.host.caps_read = false;
	expect_state(diagnosed(&c), "cap_perfmon", "warn");
	ks_arena_release(&c.arena);
}

static void thresholds_and_slots(void **state)
{
	struct clinic c;

	(void)state;
	given_good_host(&c);
	c.host.perf_paranoid = 3;
	c.host.cuda_injection = KS_LIT("/tool.so");
	c.host.preload = KS_LIT("/pre.so");
	c.host.nvbit_misnamed = true;
	const struct ks_diagnosis *d = diagnosed(&c);

	expect_state(d, "perf_event_paranoid", "warn"); /* 2 is allowed: checks_of_a_good_host */
	assert_true(step_with(d, "sudo sysctl kernel.perf_event_paranoid=2").host);
	expect_state(d, "cuda_injection", "warn");
	assert_true(has_step(d, "unset CUDA_INJECTION64_PATH"));
	expect_state(d, "nvtx_injection", "ok");
	expect_state(d, "ld_preload", "warn");
	assert_int_equal(check_of(d, "nvbit")->detail.id, KS_TEXT_DETAIL_NVBIT_MISNAMED);
	ks_arena_release(&c.arena);
	given_good_host(&c);
	c.host.perf_paranoid = KS_UNKNOWN;
	d = diagnosed(&c);
	expect_state(d, "perf_event_paranoid", "warn");
	assert_false(has_step(d, "sudo sysctl"));
	ks_arena_release(&c.arena);
}

static void links_between_gpus(void **state)
{
	struct clinic c;

	(void)state;
	given_good_host(&c);
	c.host.n_gpus = 2;
	const struct ks_diagnosis *d = diagnosed(&c);

	expect_message(&check_of(d, "gpu")->detail, KS_LANG_EN,
		       "Test GPU x 2, driver 550.54.15, sm_89, 24564 MiB");
	expect_message(&check_of(d, "nvlink")->detail, KS_LANG_EN,
		       "1 of the 2 GPUs that answer have active links, 3 links in all");
	ks_arena_release(&c.arena);
	given_good_host(&c);
	c.host.n_gpus = 2;
	c.gpu[0].nvlinks = c.gpu[1].nvlinks = KS_UNKNOWN;
	c.gpu[0].name = KS_LIT("Other GPU");
	c.host.driver = KS_STR_NONE;
	d = diagnosed(&c);
	expect_state(d, "nvlink", "warn");
	expect_message(&check_of(d, "gpu")->detail, KS_LANG_EN,
		       "Other GPU + Test GPU, sm_89, 24564 MiB");
	ks_arena_release(&c.arena);
}

static void a_folder_with_a_blank_is_quoted(void **state)
{
	struct clinic c;

	(void)state;
	given_good_host(&c);
	c.host.probe = KS_PROBE_NOT_RUN;
	c.host.tool[KS_TOOL_NCU].in_path = false;
	c.host.tool[KS_TOOL_NCU].path = KS_LIT("/my tools/$x/ncu");

	expect_str(step_with(diagnosed(&c), "export PATH=").command,
		   "export PATH='/my tools/$x':\"$PATH\"");
	ks_arena_release(&c.arena);
}

static void a_machine_without_a_gpu(void **state)
{
	struct clinic c;

	(void)state;
	given_good_host(&c);
	c.host.has_gpu = KS_KNOWN_NO;
	c.host.n_gpus = 0;
	c.host.container = KS_LIT("podman");
	const struct ks_diagnosis *d = diagnosed(&c);

	expect_state(d, "gpu", "fail");
	assert_true(has_step(d, "podman run --device nvidia.com/gpu=all IMAGE"));
	assert_true(has_step(d, "kernoscope report run.sqlite"));
	assert_true(d->n_offers == 5 && d->n_plan > 0);
	ks_arena_release(&c.arena);
}

int test_diagnosis(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_finding_that_matters_most),
		cmocka_unit_test(checks_of_a_good_host),
		cmocka_unit_test(a_locked_container),
		cmocka_unit_test(the_letter_names_setting_alternatives_and_evidence),
		cmocka_unit_test(capabilities_matter_only_where_they_are_needed),
		cmocka_unit_test(thresholds_and_slots),
		cmocka_unit_test(links_between_gpus),
		cmocka_unit_test(a_folder_with_a_blank_is_quoted),
		cmocka_unit_test(a_machine_without_a_gpu),
	};

	return cmocka_run_group_tests_name("diagnosis", tests, NULL, NULL);
}
