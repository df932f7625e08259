/* SPDX-License-Identifier: Apache-2.0
 *
 * Readings as rows, and which device of the trace they are of: by UUID, else by a model that stands
 * alone, else none.
 */
#include "all.h"

#include "tables/telemetry.h"

static struct ks_tel_reading reading_of(size_t device, double v)
{
	return (struct ks_tel_reading){
		.base = KS_METRIC_MEAS_TELEMETRY_SMI_POWER_W,
		.metric = KS_METRIC_MEAS_TELEMETRY_SMI_POWER_W,
		.name = KS_LIT("meas__telemetry_smi_power_w"),
		.value = v,
		.key = KS_LIT("power"),
		.text = KS_LIT(""),
		.line = 7,
		.device = device,
	};
}

static void given_gpu_named(struct given *g, int64_t ordinal, const char *name, const char *uuid)
{
	struct ks_trace_gpu *gpu = given_gpu(g, ordinal, 8, 0, 108);

	gpu->name = ks_str_c(name);
	gpu->uuid = ks_str_c(uuid);
}

/* One device with one reading, beside a trace of one launch. */
static size_t joined_with(struct given *g, const struct ks_tel_device *d)
{
	const struct ks_tel_reading reading = reading_of(0, 71.5);
	const struct ks_telemetry t = {
		.where = KS_LIT("text"),
		.probe = KS_TEL_READ,
		.reading = &reading,
		.n_readings = 1,
		.n_values = 1,
		.device = d,
		.n_devices = 1,
	};

	g->sel.telemetry = &t;
	given_launch(g, "k", 0, 0, 100);
	then_report(g);
	assert_ptr_equal(g->r->telemetry, &t);
	expect_real(row_of(g, "(device)", "meas__telemetry_smi_power_w"), 71.5);
	return g->r->telemetry_join[0].gpu;
}

static void by_uuid_whatever_the_case_and_prefix(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu_named(&g, 0, "NVIDIA A100", "GPU-AAAA");
	given_gpu_named(&g, 1, "NVIDIA A100", "GPU-bbbb");
	assert_int_equal(joined_with(&g, &(struct ks_tel_device){ .uuid = KS_LIT("aaaa") }), 0);
	assert_int_equal(joined_with(&g, &(struct ks_tel_device){ .uuid = KS_LIT("gpu-AAAA") }), 0);
	assert_int_equal(g.r->telemetry_join[0].how.id, KS_TEXT_TEL_BY_UUID);
	given_release(&g);
}

static void another_uuid_is_another_device_whatever_its_model(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu_named(&g, 0, "NVIDIA A100", "GPU-aaaa");
	assert_int_equal(joined_with(&g, &(struct ks_tel_device){ .uuid = KS_LIT("GPU-cccc"),
								  .model = KS_LIT("NVIDIA A100") }),
			 SIZE_MAX);
	assert_int_equal(g.r->telemetry_join[0].how.id, KS_TEXT_TEL_APART_UUID);
	given_release(&g);
}

static void by_a_model_that_stands_alone(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu_named(&g, 0, "Tesla T4", "");
	assert_int_equal(
		joined_with(&g, &(struct ks_tel_device){ .uuid = KS_LIT("GPU-cccc"),
							 .model = KS_LIT("NVIDIA Tesla T4") }),
		0);
	assert_int_equal(g.r->telemetry_join[0].how.id, KS_TEXT_TEL_BY_MODEL);
	given_release(&g);
}

static void several_of_a_model_are_not_guessed_at(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu_named(&g, 0, "Tesla T4", "");
	given_gpu_named(&g, 1, "Tesla T4", "");
	assert_int_equal(joined_with(&g, &(struct ks_tel_device){ .model = KS_LIT("Tesla T4") }),
			 SIZE_MAX);
	assert_int_equal(g.r->telemetry_join[0].how.id, KS_TEXT_TEL_APART_MANY);
	given_release(&g);
}

static void an_instance_is_no_board(void **state)
{
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu_named(&g, 0, "NVIDIA A100", "GPU-aaaa");
	assert_int_equal(joined_with(&g, &(struct ks_tel_device){ .uuid = KS_LIT("GPU-aaaa"),
								  .instance = KS_LIT("3") }),
			 SIZE_MAX);
	assert_int_equal(g.r->telemetry_join[0].how.id, KS_TEXT_TEL_APART_PART);
	given_release(&g);
}

static void a_failure_is_a_row_that_says_so(void **state)
{
	const struct ks_tel_item missing = { KS_LIT("DCGM_FI_PROF_DRAM_ACTIVE"), KS_TEL_TIMEOUT,
					     0 };
	const struct ks_telemetry t = {
		.where = KS_LIT("http://h"),
		.probe = KS_TEL_FAILED,
		.why = KS_TEL_TIMEOUT,
		.missing = { &missing, 1, 1 },
	};
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 8, 0, 108);
	given_launch(&g, "k", 0, 0, 100);
	g.sel.telemetry = &t;
	then_report(&g);
	expect_refused(row_of(&g, "(device)", "meas__telemetry_endpoint_readings"),
		       KS_REFUSAL_ENV_READING_UNKNOWN);
	expect_refused(row_of(&g, "(device)", "meas__telemetry_dcgm_dram_active_ratio"),
		       KS_REFUSAL_ENV_READING_UNKNOWN);
	given_release(&g);
}

static void what_is_absent_and_what_cannot_be_asked_have_codes_of_their_own(void **state)
{
	const struct ks_tel_item missing[] = {
		{ KS_LIT("DCGM_FI_PROF_DRAM_ACTIVE"), KS_TEL_ABSENT, 0 },
		{ KS_LIT("DCGM_FI_PROF_SM_OCCUPANCY"), KS_TEL_NOT_BUILT_IN, 0 },
	};
	const struct ks_telemetry t = {
		.where = KS_LIT("x"),
		.probe = KS_TEL_FAILED,
		.why = KS_TEL_NOT_BUILT_IN,
		.missing = { missing, 2, 2 },
	};
	struct given g;

	(void)state;
	given_trace(&g);
	given_gpu(&g, 0, 8, 0, 108);
	given_launch(&g, "k", 0, 0, 100);
	g.sel.telemetry = &t;
	then_report(&g);
	expect_refused(row_of(&g, "(device)", "meas__telemetry_dcgm_dram_active_ratio"),
		       KS_REFUSAL_METRIC_ABSENT);
	expect_refused(row_of(&g, "(device)", "meas__telemetry_dcgm_sm_occupancy_ratio"),
		       KS_REFUSAL_NOT_BUILT_IN);
	given_release(&g);
}

int test_telemetry(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_uuid_whatever_the_case_and_prefix),
		cmocka_unit_test(another_uuid_is_another_device_whatever_its_model),
		cmocka_unit_test(by_a_model_that_stands_alone),
		cmocka_unit_test(several_of_a_model_are_not_guessed_at),
		cmocka_unit_test(an_instance_is_no_board),
		cmocka_unit_test(a_failure_is_a_row_that_says_so),
		cmocka_unit_test(what_is_absent_and_what_cannot_be_asked_have_codes_of_their_own),
	};

	return cmocka_run_group_tests_name("telemetry", tests, NULL, NULL);
}
