/* SPDX-License-Identifier: Apache-2.0
 *
 * The sanity pass: each named rule has a report that breaks it, and the broken number is withheld
 * under the rule's name. A report that breaks none keeps every number.
 */
#include "all.h"

#include "analyze/sanity.h"

/* A sound report of one kernel on one device, made by hand so that a case can spoil one thing. */
struct fake {
	struct ks_arena arena;
	struct ks_report r;
	struct ks_kernel kernel[2];
	struct ks_section_rows section[2];
	struct ks_gpu gpu;
	struct ks_config config[2];
	struct ks_place place[2];
	ks_id row[2][64];
};

static ks_str subject(size_t k)
{
	return k ? KS_LIT("(device)") : KS_LIT("k(int)");
}

static void put(struct fake *f, size_t k, enum ks_metric metric, const char *name, double v)
{
	const struct ks_metric_info *info = ks_metric_info(metric);
	const struct ks_ev_spec spec = {
		.metric = metric,
		.name = ks_str_c(name),
		.subject = subject(k),
		.origin = { KS_LIT("T"), KS_LIT("c"), 1 },
	};
	const struct ks_value value =
		info->unit == KS_UNIT_COUNT && metric != KS_METRIC_KS_GRID_WAVES
			? KS_VAL_INT((int64_t)v)
			: KS_VAL_REAL(v);
	ks_id id = info->prov == KS_PROV_EXACT ? ks_ev_exact(f->r.ev, &spec, value)
					       : ks_ev_derived(f->r.ev, &spec, value);

	assert_true(id != 0);
	f->row[k][f->section[k].n++] = id;
}

static const struct {
	size_t kernel;
	enum ks_metric metric;
	const char *name;
	double value;
} sound[] = {
	{ 0, KS_METRIC_GPU_TIME_DURATION_SUM, "", 10.0 },
	{ 0, KS_METRIC_KS_LAUNCH_COUNT, "", 4 },
	{ 0, KS_METRIC_KS_LAUNCH_TIME_MEAN, "", 2.5 },
	{ 0, KS_METRIC_KS_LAUNCH_TIME_MIN, "", 1.0 },
	{ 0, KS_METRIC_KS_LAUNCH_TIME_MAX, "", 4.0 },
	{ 0, KS_METRIC_KS_LAUNCH_TIME_P50, "", 2.5 },
	{ 0, KS_METRIC_KS_LAUNCH_TIME_P90, "", 4.0 },
	{ 0, KS_METRIC_KS_LAUNCH_TIME_P99, "", 4.0 },
	{ 0, KS_METRIC_KS_LAUNCH_TIME_P50_LO, "", 1.0 },
	{ 0, KS_METRIC_KS_LAUNCH_TIME_P50_HI, "", 4.0 },
	{ 0, KS_METRIC_KS_LAUNCH_CONFIG_COUNT, "", 2 },
	{ 0, KS_METRIC_KS_CFG_C_LAUNCH_COUNT, "ks__cfg_a__launch_count", 3 },
	{ 0, KS_METRIC_KS_THEORETICAL_OCCUPANCY_PCT, "", 50.0 },
	{ 0, KS_METRIC_KS_CFG_C_THEORETICAL_OCCUPANCY_PCT, "ks__cfg_a__theoretical_occupancy_pct",
	  50.0 },
	{ 0, KS_METRIC_KS_TAIL_WAVE_FILL_PCT, "", 30.0 },
	{ 0, KS_METRIC_KS_KERNEL_TIME_WITH_COMM_MS, "", 3.0 },
	{ 0, KS_METRIC_KS_KERNEL_TIME_WITHOUT_COMM_MS, "", 7.0 },
	{ 1, KS_METRIC_KS_TRACE_SPAN_MS, "", 20.0 },
	{ 1, KS_METRIC_KS_DEVICE_N_LAUNCH_COUNT, "ks__device_0__launch_count", 4 },
	{ 1, KS_METRIC_KS_DEVICE_N_KERNEL_MS, "ks__device_0__kernel_ms", 10.0 },
	{ 1, KS_METRIC_KS_DEVICE_N_KERNEL_BUSY_MS, "ks__device_0__kernel_busy_ms", 9.0 },
	{ 1, KS_METRIC_KS_DEVICE_N_BUSY_MS, "ks__device_0__busy_ms", 12.0 },
	{ 1, KS_METRIC_KS_DEVICE_N_IDLE_MS, "ks__device_0__idle_ms", 8.0 },
	{ 1, KS_METRIC_KS_DEVICE_N_IDLE_GAP_MAX_MS, "ks__device_0__idle_gap_max_ms", 5.0 },
	{ 1, KS_METRIC_KS_DEVICE_N_IDLE_OVERHEAD_MS, "ks__device_0__idle_overhead_ms", 1.0 },
	{ 1, KS_METRIC_KS_DEVICE_N_TIME_COMPUTE_MS, "ks__device_0__time_compute_ms", 5.0 },
	{ 1, KS_METRIC_KS_DEVICE_N_TIME_COPY_MS, "ks__device_0__time_copy_ms", 3.0 },
	{ 1, KS_METRIC_KS_DEVICE_N_TIME_COMM_MS, "ks__device_0__time_comm_ms", 1.0 },
	{ 1, KS_METRIC_KS_DEVICE_N_TIME_COMPUTE_COPY_MS, "ks__device_0__time_compute_copy_ms",
	  1.5 },
	{ 1, KS_METRIC_KS_DEVICE_N_TIME_COMPUTE_COMM_MS, "ks__device_0__time_compute_comm_ms",
	  1.0 },
	{ 1, KS_METRIC_KS_DEVICE_N_TIME_COPY_COMM_MS, "ks__device_0__time_copy_comm_ms", 0.5 },
	{ 1, KS_METRIC_KS_DEVICE_N_TIME_COMPUTE_COPY_COMM_MS,
	  "ks__device_0__time_compute_copy_comm_ms", 0.0 },
	{ 1, KS_METRIC_KS_COMM_KERNEL_MS, "", 2.5 },
	{ 1, KS_METRIC_KS_DEVICE_N_STREAM_S_KERNEL_MS, "ks__device_0__stream_7__kernel_ms", 10.0 },
	{ 1, KS_METRIC_KS_DEVICE_N_STREAM_S_LAUNCH_COUNT, "ks__device_0__stream_7__launch_count",
	  4 },
	{ 1, KS_METRIC_KS_PROCESS_P_KERNEL_MS, "ks__process_7__kernel_ms", 10.0 },
	{ 1, KS_METRIC_KS_PROCESS_P_LAUNCH_COUNT, "ks__process_7__launch_count", 4 },
	{ 1, KS_METRIC_KS_FAMILY_F_KERNEL_MS, "ks__family_gemm__kernel_ms", 10.0 },
	{ 1, KS_METRIC_KS_FAMILY_F_LAUNCHES, "ks__family_gemm__launches", 4 },
	{ 1, KS_METRIC_KS_DEVICE_N_FINDING_RULE_MS, "ks__device_0__finding_host_sync_ms", 8.0 },
	{ 1, KS_METRIC_KS_DEVICE_N_IDLE_SHARE_PCT, "ks__device_0__idle_share_pct", 40.0 },
	{ 1, KS_METRIC_KS_COMM_KERNEL_SHARE_PCT, "", 25.0 },
	{ 1, KS_METRIC_KS_COMM_COMPUTE_OVERLAP_PCT, "", 60.0 },
	{ 1, KS_METRIC_KS_GRAPH_COVERAGE_PCT, "", 100.0 },
	{ 1, KS_METRIC_KS_LAUNCH_LATENCY_P50, "", 1.0 },
	{ 1, KS_METRIC_KS_LAUNCH_LATENCY_P90, "", 2.0 },
	{ 1, KS_METRIC_KS_LAUNCH_LATENCY_MAX, "", 2.0 },
	{ 1, KS_METRIC_KS_LAUNCH_QUEUE_P50, "", 0.5 },
	{ 1, KS_METRIC_KS_LAUNCH_QUEUE_P90, "", 0.75 },
	{ 1, KS_METRIC_KS_LAUNCH_QUEUE_MAX, "", 1.0 },
	{ 1, KS_METRIC_KS_COMM_BYTES_TOTAL, "", 96 },
	{ 1, KS_METRIC_KS_COMM_BYTES_HTOD, "", 64 },
	{ 1, KS_METRIC_KS_COMM_BYTES_KIND_N, "ks__comm_bytes_kind_17", 32 },
	{ 1, KS_METRIC_KS_DEVICE_N_COMM_BYTES, "ks__device_0__comm_bytes", 80 },
	{ 1, KS_METRIC_KS_DEVICE_UNKNOWN_COMM_BYTES, "", 16 },
	{ 1, KS_METRIC_KS_NVTX_ATTRIBUTED_KERNEL_MS, "", 7.0 },
	{ 1, KS_METRIC_KS_NVTX_UNATTRIBUTED_KERNEL_MS, "", 3.0 },
	{ 1, KS_METRIC_KS_NVTX_PHASE_I_SLUG_KERNEL_MS, "ks__nvtx_phase_0__a__kernel_ms", 7.0 },
	{ 1, KS_METRIC_KS_NVTX_PHASE_I_SLUG_OWN_KERNEL_MS, "ks__nvtx_phase_0__a__own_kernel_ms",
	  2.0 },
};

/* metric NONE: nothing is spoiled among the rows. */
static void given_report(struct fake *f, enum ks_metric spoiled, double value)
{
	*f = (struct fake){ 0 };
	ks_arena_init(&f->arena, 1u << 24);
	f->r = (struct ks_report){ .ev = ks_store_open(&f->arena),
				   .gpu = &f->gpu,
				   .n_gpus = 1,
				   .n_gpus_used = 1,
				   .kernel = f->kernel,
				   .n_kernels = 2,
				   .span_ns = 20000000,
				   .kernel_ns = 10000000,
				   .total_launches = 4 };
	for (size_t i = 0; i < KS_ARRAY_LEN(sound); i++)
		put(f, sound[i].kernel, sound[i].metric, sound[i].name,
		    sound[i].metric == spoiled ? value : sound[i].value);
	f->config[0] = (struct ks_config){ .launches = 3, .total_ns = 6000000 };
	f->config[1] = (struct ks_config){ .launches = 1, .total_ns = 4000000 };
	f->place[0] = (struct ks_place){ .stream = 7, .launches = 3, .total_ns = 7000000 };
	f->place[1] = (struct ks_place){ .stream = 8, .launches = 1, .total_ns = 3000000 };
	for (size_t k = 0; k < 2; k++) {
		f->section[k].row = f->row[k];
		f->kernel[k] = (struct ks_kernel){ .name = subject(k),
						   .section = &f->section[k],
						   .n_sections = 1,
						   .is_device = k == 1 };
	}
	f->kernel[0].launches = 4;
	f->kernel[0].total_ns = 10000000;
	f->kernel[0].share_pct = 100.0;
	f->kernel[0].config = f->config;
	f->kernel[0].n_configs = 2;
	f->kernel[0].place = f->place;
	f->kernel[0].n_places = 2;
}

static const struct ks_ev *row_with(const struct fake *f, enum ks_metric metric)
{
	for (size_t k = 0; k < 2; k++) {
		for (size_t i = 0; i < f->section[k].n; i++) {
			const struct ks_ev *row = ks_ev_get(f->r.ev, f->row[k][i]);

			if (row->metric == metric)
				return row;
		}
	}
	fail_msg("no such row");
	return NULL;
}

static void expect_condemned(struct fake *f, enum ks_metric metric, const char *rule)
{
	ks_sanity_check(&f->r);
	const struct ks_ev *row = row_with(f, metric);

	expect_refused(row, KS_REFUSAL_INCONSISTENT_EVIDENCE);
	assert_string_equal(row->refused->rule.p, rule);
	assert_true(row->refused->n_observed >= 1 && row->refused->n_threshold == 1);
	ks_arena_release(&f->arena);
}

static void a_sound_report_keeps_every_number(void **state)
{
	struct fake f;

	(void)state;
	given_report(&f, KS_METRIC_NONE, 0.0);
	ks_sanity_check(&f.r);
	for (size_t i = 0; i < KS_ARRAY_LEN(sound); i++)
		assert_null(row_with(&f, sound[i].metric)->refused);
	ks_arena_release(&f.arena);
}

/* Rules that one wrong row breaks: which row, which value, which rule. */
static const struct {
	enum ks_metric spoiled;
	double value;
	const char *rule;
} broken[] = {
	{ KS_METRIC_KS_LAUNCH_TIME_MIN, 3.0, "mean_between_extremes" },
	{ KS_METRIC_KS_LAUNCH_TIME_MAX, 2.0, "mean_between_extremes" },
	{ KS_METRIC_KS_LAUNCH_TIME_P90, 2.0, "percentiles_in_order" },
	{ KS_METRIC_KS_LAUNCH_TIME_P50_LO, 3.0, "percentiles_in_order" },
	{ KS_METRIC_GPU_TIME_DURATION_SUM, 11.0, "total_is_mean_times_count" },
	{ KS_METRIC_KS_THEORETICAL_OCCUPANCY_PCT, 100.5, "occupancy_within_100" },
	{ KS_METRIC_KS_CFG_C_THEORETICAL_OCCUPANCY_PCT, 0.0, "occupancy_within_100" },
	{ KS_METRIC_KS_TAIL_WAVE_FILL_PCT, 120.0, "tail_fill_within_100" },
	{ KS_METRIC_KS_DEVICE_N_BUSY_MS, 20.5, "busy_within_span" },
	{ KS_METRIC_KS_DEVICE_N_BUSY_MS, 8.0, "kernel_busy_within_busy" },
	{ KS_METRIC_KS_DEVICE_N_KERNEL_BUSY_MS, 11.0, "kernel_busy_within_kernel_time" },
	{ KS_METRIC_KS_DEVICE_N_IDLE_GAP_MAX_MS, 8.5, "gap_within_idle" },
	{ KS_METRIC_KS_DEVICE_N_IDLE_OVERHEAD_MS, 8.5, "gap_within_idle" },
	{ KS_METRIC_KS_DEVICE_N_IDLE_MS, 9.0, "busy_and_idle_fill_span" },
	{ KS_METRIC_KS_DEVICE_N_TIME_COPY_COMM_MS, 0.25, "mixes_add_up_to_busy" },
	{ KS_METRIC_KS_DEVICE_N_TIME_COMPUTE_MS, 5.5, "mixes_add_up_to_busy" },
	{ KS_METRIC_KS_KERNEL_TIME_WITH_COMM_MS, 3.5, "beside_comm_adds_up" },
	{ KS_METRIC_KS_DEVICE_N_KERNEL_MS, 10.5, "devices_add_up" },
	{ KS_METRIC_KS_DEVICE_N_LAUNCH_COUNT, 5, "devices_add_up" },
	{ KS_METRIC_KS_FAMILY_F_KERNEL_MS, 9.5, "families_add_up" },
	{ KS_METRIC_KS_FAMILY_F_LAUNCHES, 3, "families_add_up" },
	{ KS_METRIC_KS_DEVICE_N_FINDING_RULE_MS, 20.5, "findings_within_span" },
	{ KS_METRIC_KS_DEVICE_N_STREAM_S_KERNEL_MS, 9.5, "streams_add_up" },
	{ KS_METRIC_KS_DEVICE_N_STREAM_S_LAUNCH_COUNT, 3, "streams_add_up" },
	{ KS_METRIC_KS_PROCESS_P_KERNEL_MS, 9.5, "processes_add_up" },
	{ KS_METRIC_KS_PROCESS_P_LAUNCH_COUNT, 3, "processes_add_up" },
	{ KS_METRIC_KS_DEVICE_N_IDLE_SHARE_PCT, 100.5, "parts_within_100" },
	{ KS_METRIC_KS_COMM_KERNEL_SHARE_PCT, 101.0, "parts_within_100" },
	{ KS_METRIC_KS_COMM_COMPUTE_OVERLAP_PCT, 101.0, "parts_within_100" },
	{ KS_METRIC_KS_GRAPH_COVERAGE_PCT, 150.0, "parts_within_100" },
	{ KS_METRIC_KS_LAUNCH_LATENCY_P50, 2.5, "waits_in_order" },
	{ KS_METRIC_KS_LAUNCH_LATENCY_MAX, 1.5, "waits_in_order" },
	{ KS_METRIC_KS_LAUNCH_QUEUE_P90, 0.25, "waits_in_order" },
	{ KS_METRIC_KS_LAUNCH_QUEUE_MAX, 0.7, "waits_in_order" },
	{ KS_METRIC_KS_COMM_BYTES_TOTAL, 97, "copied_bytes_add_up" },
	{ KS_METRIC_KS_NVTX_ATTRIBUTED_KERNEL_MS, 7.5, "phases_add_up" },
	{ KS_METRIC_KS_NVTX_UNATTRIBUTED_KERNEL_MS, 2.5, "phases_add_up" },
	{ KS_METRIC_KS_NVTX_PHASE_I_SLUG_OWN_KERNEL_MS, 7.5, "own_within_phase" },
	{ KS_METRIC_KS_NVTX_PHASE_I_SLUG_KERNEL_MS, 1.0, "own_within_phase" },
};

static void one_wrong_row_is_withheld(void **state)
{
	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(broken); i++) {
		struct fake f;

		given_report(&f, broken[i].spoiled, broken[i].value);
		expect_condemned(&f, broken[i].spoiled, broken[i].rule);
	}
}

static void configurations_must_add_up(void **state)
{
	struct fake f;

	(void)state;
	given_report(&f, KS_METRIC_NONE, 0.0);
	f.config[1].launches = 2;
	expect_condemned(&f, KS_METRIC_KS_CFG_C_LAUNCH_COUNT, "configs_add_up");
}

static void places_must_add_up(void **state)
{
	struct fake f;

	(void)state;
	given_report(&f, KS_METRIC_NONE, 0.0);
	f.place[1].launches = 2;
	expect_condemned(&f, KS_METRIC_KS_LAUNCH_COUNT, "places_add_up");
	given_report(&f, KS_METRIC_NONE, 0.0);
	f.place[1].total_ns--;
	expect_condemned(&f, KS_METRIC_GPU_TIME_DURATION_SUM, "places_add_up");
	given_report(&f, KS_METRIC_NONE, 0.0);
	f.kernel[0].n_places = 0;
	expect_condemned(&f, KS_METRIC_KS_LAUNCH_COUNT, "places_add_up");
}

/* Exposed communication of 1 ms is more than 0.5 ms of it. */
static void exposed_communication_is_a_part(void **state)
{
	struct fake f;

	(void)state;
	given_report(&f, KS_METRIC_KS_COMM_KERNEL_MS, 0.5);
	expect_condemned(&f, KS_METRIC_KS_DEVICE_N_TIME_COMM_MS, "exposed_within_comm");
}

/* Either sum on its own: by kind, by device. */
static void copied_bytes_have_two_sums(void **state)
{
	static const enum ks_metric part[] = { KS_METRIC_KS_COMM_BYTES_HTOD,
					       KS_METRIC_KS_COMM_BYTES_KIND_N,
					       KS_METRIC_KS_DEVICE_N_COMM_BYTES,
					       KS_METRIC_KS_DEVICE_UNKNOWN_COMM_BYTES };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(part); i++) {
		struct fake f;

		given_report(&f, part[i], 5);
		expect_condemned(&f, KS_METRIC_KS_COMM_BYTES_TOTAL, "copied_bytes_add_up");
	}
}

static void a_share_is_at_most_everything(void **state)
{
	struct fake f;

	(void)state;
	given_report(&f, KS_METRIC_NONE, 0.0);
	f.kernel[0].share_pct = 101.0;
	expect_condemned(&f, KS_METRIC_GPU_TIME_DURATION_SUM, "share_within_100");
}

static void kernels_are_parts_of_the_total(void **state)
{
	struct fake f;

	(void)state;
	given_report(&f, KS_METRIC_NONE, 0.0);
	f.kernel[0].total_ns = 10000001;
	f.config[0].total_ns++;
	f.place[0].total_ns++;
	expect_condemned(&f, KS_METRIC_KS_DEVICE_N_KERNEL_MS, "kernels_within_total");
}

static void a_launch_fits_in_the_span(void **state)
{
	struct fake f;

	(void)state;
	given_report(&f, KS_METRIC_NONE, 0.0);
	f.r.span_ns = 3000000;
	expect_condemned(&f, KS_METRIC_KS_LAUNCH_TIME_MAX, "launch_within_span");
}

static bool is_tripped_here(const char *rule)
{
	static const char *const others[] = { "configs_add_up",	    "places_add_up",
					      "share_within_100",   "kernels_within_total",
					      "launch_within_span", "exposed_within_comm" };

	for (size_t i = 0; i < KS_ARRAY_LEN(broken); i++) {
		if (strcmp(broken[i].rule, rule) == 0)
			return true;
	}
	for (size_t i = 0; i < KS_ARRAY_LEN(others); i++) {
		if (strcmp(others[i], rule) == 0)
			return true;
	}
	return false;
}

static void every_rule_has_a_test(void **state)
{
	(void)state;
	assert_true(ks_sanity_rules() > 10);
	for (size_t i = 0; i < ks_sanity_rules(); i++) {
		if (!is_tripped_here(ks_sanity_rule(i)))
			fail_msg("nothing trips %s", ks_sanity_rule(i));
	}
}

int test_sanity(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sound_report_keeps_every_number),
		cmocka_unit_test(one_wrong_row_is_withheld),
		cmocka_unit_test(configurations_must_add_up),
		cmocka_unit_test(places_must_add_up),
		cmocka_unit_test(exposed_communication_is_a_part),
		cmocka_unit_test(copied_bytes_have_two_sums),
		cmocka_unit_test(a_share_is_at_most_everything),
		cmocka_unit_test(kernels_are_parts_of_the_total),
		cmocka_unit_test(a_launch_fits_in_the_span),
		cmocka_unit_test(every_rule_has_a_test),
	};

	return cmocka_run_group_tests_name("sanity", tests, NULL, NULL);
}
