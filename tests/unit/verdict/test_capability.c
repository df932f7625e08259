/* SPDX-License-Identifier: Apache-2.0
 *
 * What a machine can answer: every list of contract/vectors/capabilities.json (skipped where that
 * is not there), the changes of contract 06 §21 that the vectors do not show, and what must hold
 * for every combination of means.
 */
#include "all.h"

#include <stdio.h>
#include <stdlib.h>

#include "verdict/capability.h"

static json_t *of(const json_t *object, const char *key)
{
	json_t *v = json_object_get(object, key);

	if (!v)
		fail_msg("the file has no %s", key);
	return v;
}

static json_t *vectors(void)
{
	const char *shared = getenv("KS_SHARED");
	char path[512];

	snprintf(path, sizeof(path), "%s/contract/vectors/capabilities.json",
		 shared ? shared : "../shared");
	json_t *file = json_load_file(path, 0, NULL);

	if (!file)
		skip();
	return file;
}

static enum ks_counter_state counter_state(const char *name)
{
	for (unsigned s = 0; s < KS_COUNTER_STATE_COUNT; s++) {
		if (strcmp(ks_counter_state_name((enum ks_counter_state)s), name) == 0)
			return (enum ks_counter_state)s;
	}
	fail_msg("no counter state %s", name);
	return KS_COUNTER_STATE_UNKNOWN;
}

static struct ks_means means_of(json_t *in)
{
	struct ks_means m = { .counters = KS_COUNTER_STATE_UNKNOWN, .gpu_name = KS_LIT("") };
	const struct {
		const char *key;
		bool *flag;
	} flags[] = {
		{ "has_gpu", &m.gpu },
		{ "has_nvml", &m.nvml },
		{ "has_nsys", &m.nsys },
		{ "has_cuobjdump", &m.cuobjdump },
		{ "has_ncu", &m.ncu },
		{ "has_nvbit", &m.nvbit },
		{ "has_calibration", &m.calibration },
		{ "has_workload", &m.workload },
		{ "has_memtrace", &m.memtrace },
		{ "has_instr_hist", &m.histogram },
		{ "has_occupancy_probe", &m.occupancy_probe },
		{ "has_cubin", &m.cubin },
		{ "nvml_disabled_by_user", &m.nvml_disabled },
	};
	const char *key;
	json_t *value;

	json_object_foreach(in, key, value)
	{
		size_t i = 0;

		if (strcmp(key, "counter_state") == 0) {
			m.counters = counter_state(json_string_value(value));
			continue;
		}
		while (i < KS_ARRAY_LEN(flags) && strcmp(flags[i].key, key) != 0)
			i++;
		if (i == KS_ARRAY_LEN(flags))
			fail_msg("a case has %s, which is not known here", key);
		*flags[i].flag = json_is_true(value);
	}
	return m;
}

static void expect_questions(json_t *list)
{
	size_t i;
	json_t *row;

	assert_int_equal(json_array_size(list), KS_QUESTION_COUNT);
	json_array_foreach(list, i, row)
	{
		const struct ks_question_info *q = ks_question_info((enum ks_question)i);
		char outputs[256] = "";
		size_t k;
		json_t *name;

		json_array_foreach(of(row, "outputs"), k, name)
		{
			const size_t n = strlen(outputs);

			snprintf(outputs + n, sizeof(outputs) - n, "%s%s", k ? "," : "",
				 json_string_value(name));
		}
		assert_string_equal(q->slug, json_string_value(of(row, "id")));
		assert_int_equal(q->tier, json_integer_value(of(row, "tier")));
		assert_string_equal(q->outputs, outputs);
	}
}

static void expect_case(json_t *in, const json_t *want)
{
	const struct ks_means m = means_of(in);
	const json_t *codes = of(want, "codes"), *next = of(want, "next");
	struct ks_capability c;
	size_t refused = 0;

	ks_capability_judge(&m, &c);
	assert_int_equal(c.tier, json_integer_value(of(want, "tier")));
	assert_int_equal(json_object_size(of(want, "matrix")), KS_QUESTION_COUNT);
	for (size_t q = 0; q < KS_QUESTION_COUNT; q++) {
		const char *slug = ks_question_info((enum ks_question)q)->slug;
		const struct ks_answer *a = &c.answer[q];

		assert_string_equal(ks_answerable_name(a->state),
				    json_string_value(of(of(want, "matrix"), slug)));
		if (a->state != KS_ANSWER_REFUSED)
			continue;
		refused++;
		assert_string_equal(ks_refusal_info(a->code)->slug,
				    json_string_value(of(codes, slug)));
	}
	assert_int_equal(json_object_size(codes), refused);
	assert_int_equal(c.n_next, json_array_size(next));
	for (size_t i = 0; i < c.n_next; i++) {
		const json_t *row = json_array_get(next, i);

		assert_string_equal(ks_refusal_info(c.next[i].code)->slug,
				    json_string_value(json_array_get(row, 0)));
		assert_int_equal(c.next[i].n_unlocks, json_integer_value(json_array_get(row, 1)));
	}
}

static void every_list_of_the_worked_cases_comes_out_as_written(void **state)
{
	json_t *file = vectors();
	const char *key;
	json_t *list, *row;
	size_t i;

	(void)state;
	json_object_foreach(file, key, list)
	{
		if (strcmp(key, "schema") == 0 || strcmp(key, "topic") == 0)
			continue;
		if (strcmp(key, "questions") == 0) {
			expect_questions(list);
			continue;
		}
		assert_string_equal(key, "cases");
		assert_true(json_array_size(list) >= 9);
		json_array_foreach(list, i, row)
		{
			print_message("%s\n", json_string_value(of(row, "id")));
			expect_case(of(row, "in"), of(row, "expect"));
		}
	}
	json_decref(file);
}

static struct ks_capability judged(struct ks_means m)
{
	struct ks_capability c;

	ks_capability_judge(&m, &c);
	return c;
}

/* Contract 06 §21, CHANGE: tiers stack, so instrumentation without a way to record is tier 1. */
static void a_tier_includes_the_tiers_below(void **state)
{
	struct ks_means m = { .gpu = true, .nvml = true, .nvbit = true };

	(void)state;
	assert_int_equal(judged(m).tier, KS_TIER_DEVICE);
	m.counters = KS_COUNTER_STATE_AVAILABLE;
	assert_int_equal(judged(m).tier, KS_TIER_DEVICE);
	m.nsys = true;
	assert_int_equal(judged(m).tier, KS_TIER_COUNTERS);
	m.counters = KS_COUNTER_STATE_DENIED;
	assert_int_equal(judged(m).tier, KS_TIER_INSTRUMENTED);
	m.gpu = false;
	assert_int_equal(judged(m).tier, KS_TIER_DEMO);
}

/* Contract 06 §21, CHANGE: links are looked for, not always refused. */
static void nvlink_is_refused_only_where_no_link_is_seen(void **state)
{
	struct ks_means m = { .gpu = true, .nvml = true, .nsys = true, .n_gpus = 2 };

	(void)state;
	assert_int_equal(judged(m).answer[KS_QUESTION_NVLINK].code, KS_REFUSAL_NO_NVLINK);
	m.nvlinks = KS_UNKNOWN;
	assert_int_equal(judged(m).answer[KS_QUESTION_NVLINK].code, KS_REFUSAL_NO_NVLINK);
	m.nvlinks = 24;
	m.counters = KS_COUNTER_STATE_DENIED;
	assert_int_equal(judged(m).answer[KS_QUESTION_NVLINK].code, KS_REFUSAL_COUNTERS_DENIED);
	m.counters = KS_COUNTER_STATE_AVAILABLE;
	assert_int_equal(judged(m).answer[KS_QUESTION_NVLINK].state, KS_ANSWER_AVAILABLE);
}

static void a_missing_library_and_a_library_switched_off_are_two_things(void **state)
{
	struct ks_means m = { .gpu = true, .nsys = true };

	(void)state;
	assert_int_equal(judged(m).answer[KS_QUESTION_DEVICE_BUSY].code, KS_REFUSAL_NO_NVML);
	m.nvml = m.nvml_disabled = true;
	assert_int_equal(judged(m).answer[KS_QUESTION_DEVICE_BUSY].code,
			 KS_REFUSAL_NO_NVML_SAMPLES);
}

static void a_cubin_without_cuobjdump_says_which_of_the_two_is_missing(void **state)
{
	struct ks_means m = { .cubin = true };

	(void)state;
	assert_int_equal(judged(m).answer[KS_QUESTION_STATIC_MIX].code,
			 KS_REFUSAL_CUOBJDUMP_MISSING);
	assert_int_equal(judged(m).answer[KS_QUESTION_STATIC_RESOURCES].code, KS_REFUSAL_NO_GPU);
}

static void a_weak_answer_says_what_is_missing(void **state)
{
	struct ks_means m = { .gpu = true, .nvml = true };

	(void)state;
	assert_int_equal(judged(m).answer[KS_QUESTION_DRAM_BYTES].code, KS_REFUSAL_NO_CALIBRATION);
	assert_int_equal(judged(m).answer[KS_QUESTION_ROOFLINE].code, KS_REFUSAL_NO_WORKLOAD);
	m.workload = true;
	assert_int_equal(judged(m).answer[KS_QUESTION_ROOFLINE].code, KS_REFUSAL_NO_CALIBRATION);
	assert_int_equal(judged(m).answer[KS_QUESTION_ROOFLINE].state, KS_ANSWER_DEGRADED);
}

static struct ks_means means_of_bits(unsigned bits, enum ks_counter_state counters)
{
	struct ks_means m = { .counters = counters, .gpu_name = KS_LIT("") };
	bool *const flag[] = { &m.gpu,	       &m.nvml,	    &m.nsys,	  &m.cuobjdump,
			       &m.nvbit,       &m.memtrace, &m.histogram, &m.occupancy_probe,
			       &m.calibration, &m.workload, &m.cubin,	  &m.nvml_disabled };

	for (size_t i = 0; i < KS_ARRAY_LEN(flag); i++)
		*flag[i] = (bits >> i & 1) != 0;
	m.nvlinks = (bits >> KS_ARRAY_LEN(flag) & 1) != 0 ? 12 : 0;
	return m;
}

static double price(const struct ks_action *a)
{
	const struct ks_refusal_info *r = ks_refusal_info(a->code);

	return (r->cost_kind == KS_COST_WALL && r->cost_s > 1.0 ? r->cost_s : 1.0) /
	       (double)a->n_unlocks;
}

static void expect_sound(const struct ks_capability *c)
{
	size_t unlocked = 0, to_unlock = 0;

	for (size_t i = 0; i < c->n_next; i++) {
		unlocked += c->next[i].n_unlocks;
		assert_int_not_equal(ks_refusal_info(c->next[i].code)->cost_kind,
				     KS_COST_IMPOSSIBLE);
		if (i > 0)
			assert_true(price(&c->next[i - 1]) <= price(&c->next[i]));
		for (size_t k = 0; k < c->next[i].n_unlocks; k++)
			assert_int_equal(c->answer[c->next[i].unlocks[k]].code, c->next[i].code);
	}
	for (size_t q = 0; q < KS_QUESTION_COUNT; q++) {
		const struct ks_answer *a = &c->answer[q];

		assert_int_equal(a->id, q);
		assert_int_equal(a->state == KS_ANSWER_AVAILABLE, a->code == KS_REFUSAL_NONE);
		to_unlock += a->state == KS_ANSWER_REFUSED &&
			     ks_refusal_info(a->code)->cost_kind != KS_COST_IMPOSSIBLE;
	}
	assert_int_equal(unlocked, to_unlock);
}

static void more_means_never_answer_less(void **state)
{
	(void)state;
	for (unsigned s = 0; s < KS_COUNTER_STATE_COUNT; s++) {
		for (unsigned bits = 0; bits < 1u << 13; bits++) {
			const struct ks_capability c =
				judged(means_of_bits(bits, (enum ks_counter_state)s));

			expect_sound(&c);
			for (unsigned b = 0; b < 13; b++) {
				const struct ks_capability more = judged(
					means_of_bits(bits | 1u << b, (enum ks_counter_state)s));

				if (b == 11)
					continue; /* switching NVML off is less */
				assert_true(more.tier >= c.tier);
				for (size_t q = 0; q < KS_QUESTION_COUNT; q++)
					assert_true(more.answer[q].state <= c.answer[q].state);
			}
		}
	}
}

/* What unlocks a question that a recording answers comes first; nothing that needs a later version.
 */
static void the_one_thing_to_do_next_helps_this_version(void **state)
{
	struct ks_means m = { .counters = KS_COUNTER_STATE_NOT_INSTALLED };
	struct ks_capability c = judged(m);

	(void)state;
	assert_int_equal(ks_capability_first(&c)->code, KS_REFUSAL_NO_GPU);
	m.gpu = true;
	c = judged(m);
	assert_int_equal(ks_capability_first(&c)->code, KS_REFUSAL_NSYS_MISSING);
	m.nsys = true;
	c = judged(m);
	assert_true(c.n_next > 0);
	assert_null(ks_capability_first(&c));
}

static void means_come_from_what_the_host_showed(void **state)
{
	const struct ks_host_gpu gpu[] = { { .name = KS_LIT("A"), .nvlinks = KS_UNKNOWN },
					   { .name = KS_LIT("B"), .nvlinks = 12 } };
	struct ks_host host = { .gpu = gpu, .n_gpus = 2, .has_gpu = KS_KNOWN_YES };
	struct ks_means m = ks_capability_means(&host, KS_COUNTER_STATE_DENIED);

	(void)state;
	assert_true(m.gpu && !m.nvml && !m.nsys && !m.nvbit && !m.calibration);
	assert_int_equal(m.nvlinks, 12);
	assert_int_equal(m.n_gpus, 2);
	expect_str(m.gpu_name, "A");
	host.tool[KS_TOOL_NSYS].path = KS_LIT("/opt/nsys");
	host.nvbit_path = KS_LIT("/opt/nvbit");
	host.has_nvml = true;
	host.has_gpu = KS_KNOWN_UNREAD;
	m = ks_capability_means(&host, KS_COUNTER_STATE_UNKNOWN);
	assert_true(!m.gpu && m.nvml && m.nsys && m.nvbit && !m.ncu);
}

int test_capability(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_list_of_the_worked_cases_comes_out_as_written),
		cmocka_unit_test(a_tier_includes_the_tiers_below),
		cmocka_unit_test(nvlink_is_refused_only_where_no_link_is_seen),
		cmocka_unit_test(a_missing_library_and_a_library_switched_off_are_two_things),
		cmocka_unit_test(a_cubin_without_cuobjdump_says_which_of_the_two_is_missing),
		cmocka_unit_test(a_weak_answer_says_what_is_missing),
		cmocka_unit_test(more_means_never_answer_less),
		cmocka_unit_test(the_one_thing_to_do_next_helps_this_version),
		cmocka_unit_test(means_come_from_what_the_host_showed),
	};

	return cmocka_run_group_tests_name("capability", tests, NULL, NULL);
}
