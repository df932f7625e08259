/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of the counters: contract/vectors/doctor.json, every list of it, and the words for it.
 */
#include "all.h"

#include <sys/stat.h>

#include "verdict/counters.h"

static json_t *load_vectors(void)
{
	const char *shared = getenv("KS_SHARED");
	char path[1024];
	json_t *root;
	struct stat st;

	(void)snprintf(path, sizeof(path), "%s/contract/vectors/doctor.json",
		       shared != NULL && shared[0] != '\0' ? shared : "../shared");
	if (stat(path, &st) != 0) {
		print_message("skipped: no %s (set KS_SHARED)\n", path);
		skip();
	}
	root = json_load_file(path, 0, NULL);
	assert_non_null(root);
	return root;
}

static enum ks_known known(const json_t *v)
{
	assert_true(json_is_null(v) || json_is_boolean(v));
	return json_is_null(v) ? KS_KNOWN_UNREAD : json_is_true(v) ? KS_KNOWN_YES : KS_KNOWN_NO;
}

static bool flag(const json_t *in, const char *key)
{
	assert_true(json_is_boolean(json_object_get(in, key)));
	return json_is_true(json_object_get(in, key));
}

static void every_case_of_the_vectors(void **state)
{
	json_t *root = load_vectors();
	const json_t *cases = json_object_get(root, "cases");

	(void)state;
	assert_true(json_array_size(cases) > 30);
	for (size_t i = 0; i < json_array_size(cases); i++) {
		const json_t *c = json_array_get(cases, i), *in = json_object_get(c, "in");
		const struct ks_counter_reading r = {
			.ncu_found = flag(in, "ncu_found"),
			.ncu_in_path = flag(in, "ncu_in_path"),
			.policy_allows = known(json_object_get(in, "policy_allows")),
			.probe = known(json_object_get(in, "probe")),
			.static_only = flag(in, "static_only"),
			.may_override = flag(in, "cap_sys_admin_or_perfmon"),
		};
		const char *got = ks_counter_state_name(ks_counters_state(&r));

		if (strcmp(got, json_string_value(json_object_get(c, "expect"))) != 0)
			fail_msg("case %zu: %s", i, got);
	}
	json_decref(root);
}

static void every_mask_of_the_vectors(void **state)
{
	json_t *root = load_vectors();
	const json_t *masks = json_object_get(root, "cap_masks");

	(void)state;
	assert_true(json_array_size(masks) > 3);
	for (size_t i = 0; i < json_array_size(masks); i++) {
		const json_t *m = json_array_get(masks, i), *has = json_object_get(m, "has");
		const uint64_t mask =
			strtoull(json_string_value(json_object_get(m, "mask")), NULL, 16);
		size_t n = 0;

		n += ks_cap_has(mask, KS_CAP_SYS_ADMIN);
		n += ks_cap_has(mask, KS_CAP_PERFMON);
		assert_int_equal(n, json_array_size(has));
		for (size_t k = 0; k < json_array_size(has); k++) {
			const char *name = json_string_value(json_array_get(has, k));
			const bool admin = strcmp(name, "SYS_ADMIN") == 0;

			assert_true(admin || strcmp(name, "PERFMON") == 0);
			assert_true(ks_cap_has(mask, admin ? KS_CAP_SYS_ADMIN : KS_CAP_PERFMON));
		}
	}
	json_decref(root);
}

static void the_states_are_those_of_the_vectors(void **state)
{
	json_t *root = load_vectors();
	const json_t *states = json_object_get(root, "states");

	(void)state;
	assert_int_equal(json_array_size(states), KS_COUNTER_STATE_COUNT);
	for (size_t i = 0; i < json_array_size(states); i++) {
		bool found = false;

		for (int s = 0; s < KS_COUNTER_STATE_COUNT; s++)
			found |= strcmp(ks_counter_state_name((enum ks_counter_state)s),
					json_string_value(json_array_get(states, i))) == 0;
		assert_true(found);
	}
	json_decref(root);
}

/* version_sort is tested where the folders are looked for (source), search_order there too. */
static void no_list_of_the_vectors_is_unknown(void **state)
{
	static const char *const tested[] = { "schema",	      "topic",	   "states",	  "cases",
					      "search_order", "cap_masks", "version_sort" };
	json_t *root = load_vectors();
	const char *key;
	json_t *v;

	(void)state;
	json_object_foreach(root, key, v)
	{
		bool known_key = false;

		for (size_t i = 0; i < KS_ARRAY_LEN(tested); i++)
			known_key |= strcmp(key, tested[i]) == 0;
		if (!known_key)
			fail_msg("%s: no test reads it", key);
	}
	json_decref(root);
}

/* A host with ncu on PATH, a policy that locks, and no capability. */
static struct ks_host locked(void)
{
	return (struct ks_host){
		.tool = { [KS_TOOL_NCU] = { .path = KS_LIT("/bin/ncu"), .in_path = true } },
		.admin_only = KS_KNOWN_YES,
		.caps_read = true,
		.probe_name = KS_LIT("ncu --query-metrics"),
		.probe_output = KS_LIT("==ERROR== x"),
	};
}

static enum ks_counter_state state_of(const struct ks_host *h)
{
	struct ks_counter_reading r;

	ks_counters_reading(h, &r);
	return ks_counters_state(&r);
}

static void what_a_host_says(void **state)
{
	struct ks_host h = locked();

	(void)state;
	assert_int_equal(state_of(&h), KS_COUNTER_STATE_DENIED);
	h.cap_eff = (uint64_t)1 << KS_CAP_PERFMON; /* one of the two is enough */
	assert_int_equal(state_of(&h), KS_COUNTER_STATE_UNKNOWN);
	h.cap_eff = (uint64_t)1 << KS_CAP_SYS_ADMIN;
	assert_int_equal(state_of(&h), KS_COUNTER_STATE_UNKNOWN);
	h.cap_eff = ~((uint64_t)1 << KS_CAP_SYS_ADMIN | (uint64_t)1 << KS_CAP_PERFMON);
	assert_int_equal(state_of(&h), KS_COUNTER_STATE_DENIED);
	h.caps_read = false; /* what cannot be read is not absent */
	assert_int_equal(state_of(&h), KS_COUNTER_STATE_UNKNOWN);
	h = locked();
	h.admin_only = KS_KNOWN_UNREAD;
	assert_int_equal(state_of(&h), KS_COUNTER_STATE_UNKNOWN);
	h = locked();
	h.probe = KS_PROBE_ALLOWED;
	assert_int_equal(state_of(&h), KS_COUNTER_STATE_AVAILABLE);
	h.probe = KS_PROBE_DENIED;
	assert_int_equal(state_of(&h), KS_COUNTER_STATE_DENIED);
	/* a probe that says neither is no denial, whatever the policy */
	h.probe = KS_PROBE_TIMEOUT;
	assert_int_equal(state_of(&h), KS_COUNTER_STATE_UNKNOWN);
	h.probe = KS_PROBE_NO_DEVICE;
	assert_int_equal(state_of(&h), KS_COUNTER_STATE_UNKNOWN);
	h.probe = KS_PROBE_FAILED;
	h.tool[KS_TOOL_NCU].in_path = false;
	assert_int_equal(state_of(&h), KS_COUNTER_STATE_NOT_IN_PATH);
}

static void expect_note(struct ks_host *h, const char *why, const char *probe)
{
	struct ks_counter_note note;
	struct ks_arena a;

	ks_arena_init(&a, 1u << 20);
	ks_counters_note(h, state_of(h), &a, &note);
	expect_message(&note.why, KS_LANG_EN, why);
	expect_message(&note.probe, KS_LANG_EN, probe);
	ks_arena_release(&a);
}

static void the_note_names_the_probe_and_its_strength(void **state)
{
	struct ks_host h = locked();

	(void)state;
	expect_note(&h,
		    "RmProfilingAdminOnly = 1, and this process has neither CAP_SYS_ADMIN nor "
		    "CAP_PERFMON",
		    "no probe was made");
	h.probe = KS_PROBE_ALLOWED;
	expect_note(&h,
		    "the driver answered /bin/ncu, although its policy says administrators only",
		    "weak probe (ncu --query-metrics): it lists metrics and reads no counter");
	h.admin_only = KS_KNOWN_NO;
	expect_note(&h, "the driver answered /bin/ncu",
		    "weak probe (ncu --query-metrics): it lists metrics and reads no counter");
	h.probe = KS_PROBE_DENIED;
	expect_note(&h, "the driver refused /bin/ncu", "probe (ncu --query-metrics): ==ERROR== x");
	h.probe = KS_PROBE_TIMEOUT;
	expect_note(&h, "/bin/ncu is there, and what the driver allows could not be told",
		    "the probe (ncu --query-metrics) did not end in time and was stopped");
	h.probe = KS_PROBE_FAILED;
	h.tool[KS_TOOL_NCU].in_path = false;
	expect_note(&h, "ncu is at /bin/ncu, which is not on PATH",
		    "the probe (ncu --query-metrics) says neither: ==ERROR== x");
	h.probe_output = KS_LIT("");
	expect_note(&h, "ncu is at /bin/ncu, which is not on PATH",
		    "the probe (ncu --query-metrics) failed and said nothing");
	h.probe = KS_PROBE_NOT_RUN;
	h.tool[KS_TOOL_NCU] = (struct ks_tool_place){ .n_searched = 7 };
	expect_note(&h, "ncu is in none of the 7 folders that were searched; nothing was denied",
		    "no probe was made");
}

int test_counters(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_case_of_the_vectors),
		cmocka_unit_test(every_mask_of_the_vectors),
		cmocka_unit_test(the_states_are_those_of_the_vectors),
		cmocka_unit_test(no_list_of_the_vectors_is_unknown),
		cmocka_unit_test(what_a_host_says),
		cmocka_unit_test(the_note_names_the_probe_and_its_strength),
	};

	return cmocka_run_group_tests_name("counters", tests, NULL, NULL);
}
