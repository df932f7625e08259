/* SPDX-License-Identifier: Apache-2.0
 *
 * Metrics: every name of the catalogue (contract 04, listed by hand), the rules of provenance,
 * families.
 */
#include "tests.h"

static const char *const catalogue[] = {
	"gpu__time_duration.sum",
	"ks__launch_time_mean",
	"ks__launch_time_min",
	"ks__launch_time_max",
	"ks__launch_count",
	"ks__launch_config_count",
	"ks__launch_time_p50",
	"ks__launch_time_p90",
	"ks__launch_time_p99",
	"ks__launch_time_p50_lo",
	"ks__launch_time_p50_hi",
	"ks__launch_time_mad",
	"ks__bad_rows",
	"launch__grid_size",
	"launch__block_size",
	"launch__thread_count",
	"ks__grid_sizes_observed",
	"ks__block_sizes_observed",
	"launch__registers_per_thread",
	"ks__cubin_registers_per_thread",
	"ks__cubin_shared_bytes",
	"ks__registers_used_for_occupancy",
	"launch__shared_mem_per_block_static",
	"launch__shared_mem_per_block_dynamic",
	"launch__local_mem_per_thread",
	"ks__cuda_graph_capture",
	"ks__dominant_config",
	"ks__theoretical_occupancy_pct",
	"ks__blocks_per_sm",
	"ks__warps_per_sm",
	"ks__occupancy_limiter",
	"ks__grid_waves",
	"ks__tail_wave_fill_pct",
	"meas__achieved_occupancy_pct",
	"sm__maximum_warps_per_active_cycle_pct",
	"est__achieved_gbs",
	"est__pct_of_measured_bw_peak",
	"est__achieved_tflops",
	"est__pct_of_measured_compute_peak",
	"ks__dtype_peak_exceeded_warning",
	"est__roofline_ideal_ns",
	"est__bound",
	"est__roofline_efficiency_pct",
	"ks__calibration_caliber_spread_pct",
	"est__arithmetic_intensity",
	"ks__over_peak_warning",
	"sm__throughput.avg.pct_of_peak_sustained_elapsed",
	"ks__static_sass_instructions",
	"ks__static_sass_share_tensor",
	"ks__static_sass_share_fp",
	"ks__static_sass_share_alu",
	"ks__static_sass_share_memory",
	"ks__static_sass_share_sync",
	"ks__static_sass_share_control",
	"ks__static_sass_share_other",
	"smsp__inst_executed.sum",
	"meas__sectors_per_request",
	"meas__coalescing_efficiency_pct",
	"meas__trace_working_set_mb",
	"meas__trace_records",
	"meas__trace_records_global",
	"est__l2_hit_rate_l2only_pct",
	"est__l2_hit_rate_with_l1_pct",
	"est__dram_bytes_per_launch_trace",
	"est__dram_bytes_per_launch_trace_bounds",
	"est__dram_bytes_read_per_launch",
	"est__dram_bytes_write_per_launch",
	"ks__dram_trace_vs_nvml_pct",
	"est__dynamic_warp_instructions",
	"est__issue_slot_utilization_pct",
	"est__issued_ipc_per_sm",
	"est__stall_direction",
	"est__warp_instructions_per_launch",
	"est__dyn_instr_share_tensor",
	"est__dyn_instr_share_fp",
	"est__dyn_instr_share_alu",
	"est__dyn_instr_share_memory",
	"est__dyn_instr_share_sync",
	"est__dyn_instr_share_control",
	"est__dyn_instr_share_other",
	"smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct",
	"ks__computeworkloadanalysis_status",
	"ks__memoryworkloadanalysis_status",
	"ks__memoryworkloadanalysis_tables_status",
	"ks__schedulerstats_status",
	"ks__warpstatestats_status",
	"ks__sourcecounters_status",
	"ks__pmsampling_status",
	"ks__nvlink_tables_status",
	"ks__numaaffinity_status",
	"ks__workloaddistribution_status",
	"ks__device_count",
	"ks__trace_span_ms",
	"est__single_device_kernel_share_pct",
	"ks__clock_lock_state",
	"meas__nvml_mem_busy_mean_pct",
	"est__dram_busy_equivalent_gbs",
	"meas__sm_clock_mean_mhz",
	"meas__sm_clock_max_mhz",
	"meas__power_max_w",
	"meas__device_energy_j",
	"meas__sm_clock_p50_mhz",
	"meas__throttle_limited_pct",
	"meas__gpu_idle_pct",
	"meas__other_procs_on_gpu",
	"est__dram_bytes_total",
	"est__dram_bytes_per_launch",
	"est__dram_throughput_pct_of_peak",
	"ks__sampler_window_coverage_pct",
	"ks__matched_kernel_kernel_share_pct",
	"ks__matched_kernel_window_share_pct",
	"ks__attribution_bias_estimate_pct",
	"ks__window_busy_segments",
	"ks__dram_window_mem_busy_mean_pct",
	"est__dram_vs_ledger_err_pct",
	"est__dram_range_position_pct",
	"ks__ledger_range_verdict",
	"meas__window_energy_j",
	"meas__window_power_mean_w",
	"ks__steps_in_window",
	"ks__tokens_in_window",
	"ks__tokens_per_s",
	"ks__j_per_token",
	"ks__cost_per_hour",
	"ks__cost_per_hour_energy",
	"ks__cost_per_hour_rental",
	"ks__cost_per_mtok",
	"ks__cost_per_mtok_energy",
	"ks__cost_per_mtok_rental",
	"est__kernel_energy_share_pct",
	"est__kernel_energy_j",
	"est__kernel_energy_per_launch_j",
	"est__kernel_cost_per_hour",
	"ks__prescription_headroom_n",
	"ks__prescription_total_saving_per_hour",
	"ks__prescription_total_saving_per_mtok",
	"ks__prescription_note",
	"ks__comm_bytes_total",
	"ks__comm_bytes_htod",
	"ks__comm_bytes_dtoh",
	"ks__comm_bytes_htoa",
	"ks__comm_bytes_atoh",
	"ks__comm_bytes_atoa",
	"ks__comm_bytes_atod",
	"ks__comm_bytes_dtoa",
	"ks__comm_bytes_dtod",
	"ks__comm_bytes_htoh",
	"ks__comm_bytes_ptop",
	"ks__comm_bytes_um_htod",
	"ks__comm_bytes_um_dtoh",
	"ks__comm_bytes_um_dtod",
	"ks__device_unknown__comm_bytes",
	"ks__comm_bytes_null_rows",
	"ks__comm_bytes_unknown_device_rows",
	"ks__comm_time_sum_ns",
	"ks__comm_kernel_ms",
	"ks__comm_kernel_share_pct",
	"ks__comm_compute_overlap_pct",
	"ks__memset_bytes_total",
	"ks__nvtx_attributed_kernel_ms",
	"ks__nvtx_unattributed_kernel_ms",
	"ks__nvtx_phase_count",
	"ks__nvtx_phase_omitted",
	"meas__telemetry_endpoint_readings",
	"meas__telemetry_dcgm_power_w",
	"meas__telemetry_dcgm_energy_total_mj",
	"meas__telemetry_dcgm_gpu_util_pct",
	"meas__telemetry_dcgm_mem_copy_util_pct",
	"meas__telemetry_dcgm_sm_clock_mhz",
	"meas__telemetry_dcgm_mem_clock_mhz",
	"meas__telemetry_dcgm_fb_used_mib",
	"meas__telemetry_dcgm_fb_free_mib",
	"meas__telemetry_dcgm_last_xid_error_code",
	"meas__telemetry_dcgm_sm_occupancy_ratio",
	"meas__telemetry_dcgm_dram_active_ratio",
	"meas__telemetry_dcgm_pcie_tx_bytes_per_s",
	"meas__telemetry_dcgm_pcie_rx_bytes_per_s",
	"ncu__gpu__time_duration.sum",
	"ncu__launch__registers_per_thread",
	"ncu__launch__shared_mem_per_block_static",
	"ncu__sm__throughput.avg.pct_of_peak_sustained_elapsed",
	"ncu__gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
	"ncu__lts__t_sector_hit_rate.pct",
	"ncu__l1tex__t_sector_hit_rate.pct",
	"ncu__sm__warps_active.avg.pct_of_peak_sustained_active",
	"ncu__dram__bytes.sum",
	"ncu__dram__bytes_read.sum",
	"ncu__dram__bytes_write.sum",
};

static const char *const ids[] = {
	"NONE",
#define KS_METRIC(id, ...) #id,
#include "tables/metrics.def"
#undef KS_METRIC
};

static bool starts(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

static void every_name_of_the_catalogue_has_a_row(void **state)
{
	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(catalogue); i++) {
		const enum ks_metric m = ks_metric_find(STR(catalogue[i]));

		if (m == KS_METRIC_NONE)
			fail_msg("metric %s is missing", catalogue[i]);
		assert_string_equal(ks_metric_info(m)->name, catalogue[i]);
		assert_false(ks_metric_info(m)->is_pattern);
	}
}

static void every_row_is_found_by_its_name_and_its_id_follows_from_it(void **state)
{
	char want[256];

	(void)state;
	assert_int_equal(KS_ARRAY_LEN(ids), KS_METRIC_COUNT);
	for (int i = 1; i < KS_METRIC_COUNT; i++) {
		const struct ks_metric_info *m = ks_metric_info((enum ks_metric)i);

		id_of(m->name, want, sizeof(want));
		assert_string_equal(ids[i], want);
		assert_int_equal(ks_metric_find(STR(m->name)), i);
		assert_int_equal(m->is_pattern, strchr(m->name, '{') != NULL);
	}
}

static void names_obey_the_rules_of_provenance(void **state)
{
	(void)state;
	for (int i = 1; i < KS_METRIC_COUNT; i++) {
		const struct ks_metric_info *m = ks_metric_info((enum ks_metric)i);
		const bool no_value = m->prov == KS_PROV_UNAVAILABLE;
		bool ok = true;

		if (ks_is_counter_name(STR(m->name)))
			ok = no_value; /* R2: the allowlist is empty */
		else if (starts(m->name, "launch__") || starts(m->name, "gpu__time_duration"))
			ok = m->prov == KS_PROV_EXACT; /* R4 */
		else if (starts(m->name, "meas__"))
			ok = m->prov == KS_PROV_MEASURED;
		else if (starts(m->name, "est__"))
			ok = m->prov == KS_PROV_ESTIMATED || no_value;
		else
			ok = ks_is_own_prefix(STR(m->name)); /* R3 */
		if (!ok)
			fail_msg("%s breaks a naming rule", m->name);
	}
}

static void a_row_without_a_value_names_its_refusal(void **state)
{
	(void)state;
	for (int i = 1; i < KS_METRIC_COUNT; i++) {
		const struct ks_metric_info *m = ks_metric_info((enum ks_metric)i);
		const bool refuses = m->state == KS_STATE_PLANNED || m->prov == KS_PROV_UNAVAILABLE;

		if (refuses != (m->planned_refusal != KS_REFUSAL_NONE))
			fail_msg("%s: state and refusal do not fit", m->name);
		if ((m->state == KS_STATE_LIVE) != (m->since[0] != '\0'))
			fail_msg("%s: state and since do not fit", m->name);
		assert_int_not_equal(m->state, KS_STATE_INERT);
	}
}

static void a_text_value_has_no_unit_and_a_number_has_one(void **state)
{
	(void)state;
	for (int i = 1; i < KS_METRIC_COUNT; i++) {
		const struct ks_metric_info *m = ks_metric_info((enum ks_metric)i);

		if (m->is_text && m->unit != KS_UNIT_NONE)
			fail_msg("%s is text with a unit", m->name);
		if (!m->is_text && m->prov != KS_PROV_UNAVAILABLE && m->unit == KS_UNIT_NONE)
			fail_msg("%s is a number without a unit", m->name);
	}
}

static void an_instance_finds_its_family(void **state)
{
	static const struct {
		const char *name;
		enum ks_metric metric;
	} cases[] = {
		{ "ks__device_3__kernel_ms", KS_METRIC_KS_DEVICE_N_KERNEL_MS },
		{ "ks__device_12__kernels", KS_METRIC_KS_DEVICE_N_KERNELS },
		{ "ks__device_-1__launch_count", KS_METRIC_KS_DEVICE_N_LAUNCH_COUNT },
		{ "ks__device_0__kernel_busy_ms", KS_METRIC_KS_DEVICE_N_KERNEL_BUSY_MS },
		{ "ks__device_0__busy_ms", KS_METRIC_KS_DEVICE_N_BUSY_MS },
		{ "ks__device_0__stream_7__kernel_ms", KS_METRIC_KS_DEVICE_N_STREAM_S_KERNEL_MS },
		{ "ks__device_0__stream_unknown__launch_count",
		  KS_METRIC_KS_DEVICE_N_STREAM_S_LAUNCH_COUNT },
		{ "ks__process_4711__kernel_ms", KS_METRIC_KS_PROCESS_P_KERNEL_MS },
		{ "ks__device_1__comm_bytes", KS_METRIC_KS_DEVICE_N_COMM_BYTES },
		{ "ks__device_unknown__comm_bytes", KS_METRIC_KS_DEVICE_UNKNOWN_COMM_BYTES },
		{ "ks__comm_bytes_kind_14", KS_METRIC_KS_COMM_BYTES_KIND_N },
		{ "ks__cfg_grid4x1x1_block8x1x1_smem0__launch_count",
		  KS_METRIC_KS_CFG_C_LAUNCH_COUNT },
		{ "ks__cfg_grid4x1x1_block8x1x1_smem0_regs40__theoretical_occupancy_pct",
		  KS_METRIC_KS_CFG_C_THEORETICAL_OCCUPANCY_PCT },
		{ "est__copy_htod_1p5mb_gbs", KS_METRIC_EST_COPY_KIND_SIZE_GBS },
		{ "est__copy_um_htod_1gb_gbs", KS_METRIC_EST_COPY_KIND_SIZE_GBS },
		{ "ks__nvtx_phase_0__a__b__share_pct", KS_METRIC_KS_NVTX_PHASE_I_SLUG_SHARE_PCT },
		{ "ks__nvtx_phase_7__x__own_kernel_ms",
		  KS_METRIC_KS_NVTX_PHASE_I_SLUG_OWN_KERNEL_MS },
		{ "est__prescription__headroom_1__void_f_int___achieved_pct",
		  KS_METRIC_EST_PRESCRIPTION_HEADROOM_I_K_ACHIEVED_PCT },
		{ "meas__telemetry_dcgm_power_w__gpu_0",
		  KS_METRIC_MEAS_TELEMETRY_DCGM_POWER_W_GPU_G },
		{ "ks__truth_vs_substitute_pct[launch__registers_per_thread]",
		  KS_METRIC_KS_TRUTH_VS_SUBSTITUTE_PCT_M },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		const enum ks_metric m = ks_metric_find(STR(cases[i].name));

		if (m != cases[i].metric)
			fail_msg("%s found %s", cases[i].name, ks_metric_info(m)->name);
	}
}

static void what_only_resembles_an_instance_is_not_found(void **state)
{
	static const char *const names[] = {
		"ks__device__kernel_ms",
		"ks__device_x__kernel_ms",
		"ks__device_3__kernel_ms_",
		"ks__device_3__kernel",
		"ks__device_3__stream___kernel_ms",
		"ks__device_3a__kernel_ms",
		"ks__device_-__kernel_ms",
		"ks__cfg___launch_count",
		"est__copy_htod__gbs",
		"ks__truth_vs_substitute_pct[]",
		"ks__truth_vs_substitute_pct[x",
		"ks__nvtx_phase_x__a__share_pct",
		"gpu__time_duration",
		"gpu__time_duration.sum ",
		"GPU__TIME_DURATION.SUM",
		"ks__",
		"",
		"{N}",
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(names); i++) {
		const enum ks_metric m = ks_metric_find(STR(names[i]));

		if (m != KS_METRIC_NONE)
			fail_msg("\"%s\" found %s", names[i], ks_metric_info(m)->name);
	}
}

static void every_family_finds_an_instance_made_from_it(void **state)
{
	(void)state;
	for (int i = 1; i < KS_METRIC_COUNT; i++) {
		const struct ks_metric_info *m = ks_metric_info((enum ks_metric)i);
		char name[256];
		size_t n = 0;

		if (!m->is_pattern)
			continue;
		for (const char *p = m->name; *p; p++) {
			if (*p == '{')
				p = strchr(p, '}');
			name[n++] = *p == '}' ? '5' : *p;
		}
		name[n] = '\0';
		assert_int_equal(ks_metric_find(STR(name)), i);
	}
}

static void a_name_may_hold_any_bytes(void **state)
{
	static char big[1 << 20];

	(void)state;
	memset(big, 'x', sizeof(big));
	assert_int_equal(ks_metric_find((ks_str){ big, sizeof(big) }), KS_METRIC_NONE);
	memcpy(big, "ks__cfg_", 8);
	memcpy(big + sizeof(big) - 14, "__launch_count", 14);
	assert_int_equal(ks_metric_find((ks_str){ big, sizeof(big) }),
			 KS_METRIC_KS_CFG_C_LAUNCH_COUNT);
	assert_int_equal(ks_metric_find((ks_str){ "ks__launch_count\0", 17 }), KS_METRIC_NONE);
	assert_int_equal(ks_metric_find(KS_STR_NONE), KS_METRIC_NONE);
}

int test_metric(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_name_of_the_catalogue_has_a_row),
		cmocka_unit_test(every_row_is_found_by_its_name_and_its_id_follows_from_it),
		cmocka_unit_test(names_obey_the_rules_of_provenance),
		cmocka_unit_test(a_row_without_a_value_names_its_refusal),
		cmocka_unit_test(a_text_value_has_no_unit_and_a_number_has_one),
		cmocka_unit_test(an_instance_finds_its_family),
		cmocka_unit_test(what_only_resembles_an_instance_is_not_found),
		cmocka_unit_test(every_family_finds_an_instance_made_from_it),
		cmocka_unit_test(a_name_may_hold_any_bytes),
	};

	return cmocka_run_group_tests_name("metric", tests, NULL, NULL);
}
