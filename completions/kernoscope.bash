# bash completion of kernoscope: source this file, or put it where bash-completion looks.
# SPDX-License-Identifier: Apache-2.0
# Made by ksgen from src/tables; edit the rows there, not this.

_kernoscope_words() {
	local IFS=$' \n'
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

# Several names with commas between: the last one is completed.
_kernoscope_list() {
	local before= last=$cur i IFS=$' \n'
	[[ $cur == *,* ]] && before=${cur%,*}, last=${cur##*,}
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$last")
	for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=$before${COMPREPLY[i]}; done
	compopt -o nospace 2>/dev/null || :
}

# Folders, and files of the patterns: a|b. Without a pattern any file; -d: folders alone.
_kernoscope_files() {
	local -a dirs files=() patterns
	local p
	IFS='|' read -ra patterns <<<"$1"
	mapfile -t dirs < <(compgen -d -- "$cur")
	if [[ -z $1 ]]; then
		mapfile -t files < <(compgen -f -- "$cur")
		dirs=()
	elif [[ $1 != -d ]]; then
		for p in "${patterns[@]}"; do mapfile -t -O ${#files[@]} files < <(compgen -f -X "!$p" -- "$cur"); done
	fi
	COMPREPLY=("${dirs[@]}" "${files[@]}")
	compopt -o filenames 2>/dev/null || :
}

# What may follow option $2 of command $1; fails for an option without a value.
_kernoscope_value() {
	case $1:$2 in
	*:--ks-sqlite) _kernoscope_files '*.sqlite|*.db' ;;
	*:--ks-nsys-rep) _kernoscope_files '*.nsys-rep|*.qdrep' ;;
	*:--import | *:-i) _kernoscope_files '*.json' ;;
	*:--ks-cubin) _kernoscope_files '' ;;
	*:--ks-telemetry) : ;;
	*:--ks-telemetry-timeout-s) : ;;
	*:--ks-selfcheck) _kernoscope_files '*.json' ;;
	*:--kernel-name | *:-k) : ;;
	*:--kernel-name-base) _kernoscope_words 'function demangled mangled' ;;
	*:--launch-skip | *:-s) : ;;
	*:--launch-count | *:-c) : ;;
	*:--launch-skip-before-match) : ;;
	*:--devices) : ;;
	*:--within) : ;;
	*:--ks-step) : ;;
	*:--ks-nvtx) _kernoscope_words 'projection overlap' ;;
	*:--ks-comm) : ;;
	*:--ks-family) : ;;
	*:--ks-rule) : ;;
	*:--set) _kernoscope_words 'basic detailed full' ;;
	*:--section) _kernoscope_words 'Duration LaunchStats LaunchConfigs Occupancy SpeedOfLight InstructionStats MemoryTrace WorkloadDistribution ComputeWorkloadAnalysis MemoryWorkloadAnalysis MemoryWorkloadAnalysis_Tables SchedulerStats WarpStateStats SourceCounters PmSampling Nvlink_Tables NumaAffinity NcuGroundTruth DeviceStatistics CommLedger DramTraffic CostLedger Prescription NvtxPhases StaticCode Telemetry OpenCLCommands' ;;
	*:--metrics) _kernoscope_list 'gpu__time_duration.sum ks__launch_time_mean ks__launch_time_min ks__launch_time_max ks__launch_count ks__launch_config_count ks__launch_time_p50 ks__launch_time_p90 ks__launch_time_p99 ks__launch_time_p50_lo ks__launch_time_p50_hi ks__launch_time_mad ks__kernel_time_with_comm_ms ks__kernel_time_without_comm_ms ks__launch_time_p50_with_comm ks__launch_time_p50_without_comm ks__bad_rows launch__grid_size launch__block_size launch__thread_count ks__grid_sizes_observed ks__block_sizes_observed launch__registers_per_thread ks__cubin_registers_per_thread ks__cubin_shared_bytes ks__cubin_arch ks__cubin_stack_bytes ks__cubin_local_bytes ks__cubin_constant_bytes ks__cubin_barriers ks__cubin_code_bytes ks__registers_used_for_occupancy launch__shared_mem_per_block_static launch__shared_mem_per_block_dynamic launch__local_mem_per_thread ks__call_site ks__cuda_graph_capture ks__dominant_config ks__theoretical_occupancy_pct ks__blocks_per_sm ks__warps_per_sm ks__occupancy_limiter ks__grid_waves ks__tail_wave_fill_pct sm__maximum_warps_per_active_cycle_pct sm__throughput.avg.pct_of_peak_sustained_elapsed ks__static_sass_instructions ks__static_sass_share_tensor ks__static_sass_share_fp ks__static_sass_share_alu ks__static_sass_share_memory ks__static_sass_share_sync ks__static_sass_share_control ks__static_sass_share_communication ks__static_sass_share_other ks__static_sass_top smsp__inst_executed.sum ks__warpstatestats_status ks__schedulerstats_status ks__computeworkloadanalysis_status ks__memoryworkloadanalysis_status ks__memoryworkloadanalysis_tables_status ks__sourcecounters_status ks__pmsampling_status ks__nvlink_tables_status ks__numaaffinity_status ks__workloaddistribution_status ks__device_count ks__trace_span_ms ks__api_call_count ks__api_failed_count ks__launch_call_count ks__launch_call_ms ks__sync_call_count ks__sync_call_ms ks__launch_latency_p50 ks__launch_latency_p90 ks__launch_latency_max ks__launch_queue_p50 ks__launch_queue_p90 ks__launch_queue_max ks__graph_launch_calls ks__graph_replays ks__graph_coverage_pct ks__graph_node_launches ks__graph_node_ms ks__graph_replay_nodes_mean ks__graph_replay_ms_mean ks__graph_run_count ks__graph_run_ms ks__graph_run_busy_ms est__single_device_kernel_share_pct ks__comm_bytes_total ks__comm_bytes_htod ks__comm_bytes_dtoh ks__comm_bytes_htoa ks__comm_bytes_atoh ks__comm_bytes_atoa ks__comm_bytes_atod ks__comm_bytes_dtoa ks__comm_bytes_dtod ks__comm_bytes_htoh ks__comm_bytes_ptop ks__comm_bytes_um_htod ks__comm_bytes_um_dtoh ks__comm_bytes_um_dtod ks__device_unknown__comm_bytes ks__comm_bytes_null_rows ks__comm_bytes_unknown_device_rows ks__comm_time_sum_ns ks__comm_kernel_ms ks__comm_kernel_share_pct ks__comm_compute_overlap_pct ks__memset_bytes_total ks__comm_bytes_pageable ks__comm_bytes_pinned ks__comm_exposed_ms ks__nvtx_attributed_kernel_ms ks__nvtx_unattributed_kernel_ms ks__nvtx_phase_count ks__nvtx_phase_omitted ks__nvtx_open_ranges ks__nvtx_marks ks__step_count ks__step_p50_ms ks__step_mad_ms ks__step_first_ms ks__step_warmup_count ks__step_outlier_count ks__step_kernel_p50_ms meas__telemetry_endpoint_readings meas__telemetry_dcgm_power_w meas__telemetry_dcgm_energy_total_mj meas__telemetry_dcgm_gpu_util_pct meas__telemetry_dcgm_mem_copy_util_pct meas__telemetry_dcgm_sm_clock_mhz meas__telemetry_dcgm_mem_clock_mhz meas__telemetry_dcgm_fb_used_mib meas__telemetry_dcgm_fb_free_mib meas__telemetry_dcgm_last_xid_error_code meas__telemetry_dcgm_sm_occupancy_ratio meas__telemetry_dcgm_dram_active_ratio meas__telemetry_dcgm_pcie_tx_bytes_per_s meas__telemetry_dcgm_pcie_rx_bytes_per_s meas__telemetry_smi_power_w meas__telemetry_smi_power_limit_w meas__telemetry_smi_gpu_util_ratio meas__telemetry_smi_mem_util_ratio meas__telemetry_smi_sm_clock_hz meas__telemetry_smi_mem_clock_hz meas__telemetry_smi_temp_c meas__telemetry_smi_fb_used_bytes meas__telemetry_smi_fb_total_bytes meas__telemetry_smi_pcie_link_gen_count meas__telemetry_smi_pcie_link_width_count meas__telemetry_smi_clocks_event_reasons_code ks__code_kernels ks__code_device_functions ks__code_members ks__code_ptx_members ks__code_unread_members ks__code_matched_kernels ks__code_unmatched_kernels ks__code_unused_kernels' ;;
	stats:--format) _kernoscope_words 'text csv json' ;;
	*:--format) _kernoscope_words 'text screen json csv md html svg timeline-svg histogram-svg occupancy-svg occupancy-csv folded nvtx-csv perfetto' ;;
	*:--export | *:-o) _kernoscope_files '' ;;
	*:--packet) _kernoscope_files '' ;;
	*:--screen) _kernoscope_words 'auto only off' ;;
	*:--print-summary) _kernoscope_words 'none per-kernel' ;;
	*:--print-details) _kernoscope_words 'header all' ;;
	*:--print-metric-name) _kernoscope_words 'name full base' ;;
	*:--print-units) _kernoscope_words 'base auto' ;;
	*:--page) _kernoscope_words 'details raw source' ;;
	*:--export-name-map) _kernoscope_files '' ;;
	*:--html) _kernoscope_files '' ;;
	*:--report-md) _kernoscope_files '' ;;
	*:--ks-perfetto) _kernoscope_files '' ;;
	*:--ks-timeline-limit) : ;;
	*:--ks-tracks) _kernoscope_list 'streams copies sync nvtx api memory' ;;
	*:--log-file) _kernoscope_files '' ;;
	*:--redact) [[ -n $joined ]] || return 1; _kernoscope_words 'yes names' ;;
	*:--lang) _kernoscope_words 'en zh' ;;
	*:--color) _kernoscope_words 'auto always never' ;;
	*:--config) _kernoscope_files '' ;;
	*:--unset) : ;;
	*:--out | *:-o) _kernoscope_files '' ;;
	*:--name) : ;;
	*:--min-duration) : ;;
	*:--device) : ;;
	*:--stream) : ;;
	*:--pid) : ;;
	*:--sort) _kernoscope_words 'start duration' ;;
	*:--limit) : ;;
	*) return 1 ;;
	esac
}

# The options of a command; `main` is the program itself.
_kernoscope_options() {
	case $1 in
	doctor) _kernoscope_words '--quiet --redact --lang --color --no-progress --no-pager --config --plan --plan-json --help -h --json --no-probe' ;;
	capabilities) _kernoscope_words '--force-overwrite -f --quiet --lang --color --no-progress --no-pager --config --plan --plan-json --help -h --json --brief --probe --out -o' ;;
	route) _kernoscope_words '--quiet --lang --color --no-progress --no-pager --config --plan --plan-json --help -h --json --probe --list' ;;
	report) _kernoscope_words '--ks-sqlite --ks-nsys-rep --import -i --ks-synthetic --ks-cubin --ks-telemetry --ks-telemetry-timeout-s --ks-selfcheck --kernel-name -k --kernel-name-base --launch-skip -s --launch-count -c --launch-skip-before-match --devices --within --ks-step --ks-nvtx --ks-comm --ks-family --ks-rule --set --section --metrics --list-sets --format --export -o --force-overwrite -f --packet --screen --csv --launch-csv --print-summary --print-details --print-metric-name --print-units --page --ks-json-launches --ks-json-no-launches --export-name-map --html --report-md --ks-perfetto --ks-timeline-limit --ks-tracks --no-case --strict --quiet --log-file --redact --lang --color --no-progress --no-pager --config --check-exit-code --plan --plan-json --version -v --help -h --ks-nvtx-phases --cost' ;;
	explain) _kernoscope_words '--ks-sqlite --ks-synthetic --quiet --redact --lang --color --no-progress --no-pager --config --plan --plan-json --help -h --json' ;;
	remedy) _kernoscope_words '--quiet --lang --color --no-progress --no-pager --config --plan --plan-json --help -h --json' ;;
	stats) _kernoscope_words '--ks-sqlite --ks-synthetic --format --quiet --redact --lang --color --no-progress --no-pager --config --plan --plan-json --help -h --json --list' ;;
	find) _kernoscope_words '--ks-sqlite --ks-synthetic --within --quiet --redact --lang --color --no-progress --no-pager --config --plan --plan-json --help -h --json --name --min-duration --device --stream --pid --sort --limit' ;;
	show) _kernoscope_words '--ks-sqlite --ks-synthetic --quiet --redact --lang --color --no-progress --no-pager --config --plan --plan-json --help -h --json' ;;
	ncu-command) _kernoscope_words '--ks-sqlite --ks-synthetic --quiet --redact --lang --color --no-progress --no-pager --config --plan --plan-json --help -h --json' ;;
	schema) _kernoscope_words '--quiet --lang --color --no-progress --no-pager --config --plan --plan-json --help -h --json --list' ;;
	config) _kernoscope_words '--quiet --lang --color --no-progress --no-pager --config --plan --plan-json --help -h --json --show-origin --unset' ;;
	help) _kernoscope_words '--quiet --lang --color --no-progress --no-pager --config --plan --plan-json --help -h' ;;
	completion) _kernoscope_words '--quiet --lang --color --no-progress --no-pager --config --plan --plan-json --help -h' ;;
	main) _kernoscope_words '--ks-sqlite --ks-nsys-rep --import -i --ks-synthetic --ks-cubin --ks-telemetry --ks-telemetry-timeout-s --ks-selfcheck --kernel-name -k --kernel-name-base --launch-skip -s --launch-count -c --launch-skip-before-match --devices --within --ks-step --ks-nvtx --ks-comm --ks-family --ks-rule --set --section --metrics --list-sets --format --export -o --force-overwrite -f --packet --screen --csv --launch-csv --print-summary --print-details --print-metric-name --print-units --page --ks-json-launches --ks-json-no-launches --export-name-map --html --report-md --ks-perfetto --ks-timeline-limit --ks-tracks --no-case --strict --quiet --log-file --redact --lang --color --no-progress --no-pager --config --check-exit-code --plan --plan-json --version -v --help -h --ks-nvtx-phases --cost' ;;
	esac
}

# What a command's word number $2 may be.
_kernoscope_word() {
	case $1:$2 in
	report:0) _kernoscope_files '*.sqlite|*.db|*.json|*.nsys-rep' ;;
	explain:0) _kernoscope_words 'gpu__time_duration.sum ks__launch_time_mean ks__launch_time_min ks__launch_time_max ks__launch_count ks__launch_config_count ks__launch_time_p50 ks__launch_time_p90 ks__launch_time_p99 ks__launch_time_p50_lo ks__launch_time_p50_hi ks__launch_time_mad ks__kernel_time_with_comm_ms ks__kernel_time_without_comm_ms ks__launch_time_p50_with_comm ks__launch_time_p50_without_comm ks__bad_rows launch__grid_size launch__block_size launch__thread_count ks__grid_sizes_observed ks__block_sizes_observed launch__registers_per_thread ks__cubin_registers_per_thread ks__cubin_shared_bytes ks__cubin_arch ks__cubin_stack_bytes ks__cubin_local_bytes ks__cubin_constant_bytes ks__cubin_barriers ks__cubin_code_bytes ks__registers_used_for_occupancy launch__shared_mem_per_block_static launch__shared_mem_per_block_dynamic launch__local_mem_per_thread ks__call_site ks__cuda_graph_capture ks__dominant_config ks__theoretical_occupancy_pct ks__blocks_per_sm ks__warps_per_sm ks__occupancy_limiter ks__grid_waves ks__tail_wave_fill_pct sm__maximum_warps_per_active_cycle_pct sm__throughput.avg.pct_of_peak_sustained_elapsed ks__static_sass_instructions ks__static_sass_share_tensor ks__static_sass_share_fp ks__static_sass_share_alu ks__static_sass_share_memory ks__static_sass_share_sync ks__static_sass_share_control ks__static_sass_share_communication ks__static_sass_share_other ks__static_sass_top smsp__inst_executed.sum ks__warpstatestats_status ks__schedulerstats_status ks__computeworkloadanalysis_status ks__memoryworkloadanalysis_status ks__memoryworkloadanalysis_tables_status ks__sourcecounters_status ks__pmsampling_status ks__nvlink_tables_status ks__numaaffinity_status ks__workloaddistribution_status ks__device_count ks__trace_span_ms ks__api_call_count ks__api_failed_count ks__launch_call_count ks__launch_call_ms ks__sync_call_count ks__sync_call_ms ks__launch_latency_p50 ks__launch_latency_p90 ks__launch_latency_max ks__launch_queue_p50 ks__launch_queue_p90 ks__launch_queue_max ks__graph_launch_calls ks__graph_replays ks__graph_coverage_pct ks__graph_node_launches ks__graph_node_ms ks__graph_replay_nodes_mean ks__graph_replay_ms_mean ks__graph_run_count ks__graph_run_ms ks__graph_run_busy_ms est__single_device_kernel_share_pct ks__comm_bytes_total ks__comm_bytes_htod ks__comm_bytes_dtoh ks__comm_bytes_htoa ks__comm_bytes_atoh ks__comm_bytes_atoa ks__comm_bytes_atod ks__comm_bytes_dtoa ks__comm_bytes_dtod ks__comm_bytes_htoh ks__comm_bytes_ptop ks__comm_bytes_um_htod ks__comm_bytes_um_dtoh ks__comm_bytes_um_dtod ks__device_unknown__comm_bytes ks__comm_bytes_null_rows ks__comm_bytes_unknown_device_rows ks__comm_time_sum_ns ks__comm_kernel_ms ks__comm_kernel_share_pct ks__comm_compute_overlap_pct ks__memset_bytes_total ks__comm_bytes_pageable ks__comm_bytes_pinned ks__comm_exposed_ms ks__nvtx_attributed_kernel_ms ks__nvtx_unattributed_kernel_ms ks__nvtx_phase_count ks__nvtx_phase_omitted ks__nvtx_open_ranges ks__nvtx_marks ks__step_count ks__step_p50_ms ks__step_mad_ms ks__step_first_ms ks__step_warmup_count ks__step_outlier_count ks__step_kernel_p50_ms meas__telemetry_endpoint_readings meas__telemetry_dcgm_power_w meas__telemetry_dcgm_energy_total_mj meas__telemetry_dcgm_gpu_util_pct meas__telemetry_dcgm_mem_copy_util_pct meas__telemetry_dcgm_sm_clock_mhz meas__telemetry_dcgm_mem_clock_mhz meas__telemetry_dcgm_fb_used_mib meas__telemetry_dcgm_fb_free_mib meas__telemetry_dcgm_last_xid_error_code meas__telemetry_dcgm_sm_occupancy_ratio meas__telemetry_dcgm_dram_active_ratio meas__telemetry_dcgm_pcie_tx_bytes_per_s meas__telemetry_dcgm_pcie_rx_bytes_per_s meas__telemetry_smi_power_w meas__telemetry_smi_power_limit_w meas__telemetry_smi_gpu_util_ratio meas__telemetry_smi_mem_util_ratio meas__telemetry_smi_sm_clock_hz meas__telemetry_smi_mem_clock_hz meas__telemetry_smi_temp_c meas__telemetry_smi_fb_used_bytes meas__telemetry_smi_fb_total_bytes meas__telemetry_smi_pcie_link_gen_count meas__telemetry_smi_pcie_link_width_count meas__telemetry_smi_clocks_event_reasons_code ks__code_kernels ks__code_device_functions ks__code_members ks__code_ptx_members ks__code_unread_members ks__code_matched_kernels ks__code_unmatched_kernels ks__code_unused_kernels' ;;
	explain:1) _kernoscope_files '*.sqlite|*.db|*.json' ;;
	remedy:0) _kernoscope_words 'no_gpu pytorch_missing no_nvml no_nvml_samples nsys_missing cuobjdump_missing no_static_input nvbit_missing no_nvtx no_memtrace no_instr_hist no_occupancy_probe no_sass_source counters_denied counters_unknown counters_not_installed sampling_unavailable instrumentation_missing no_nvlink not_applicable mixed_launch_config no_clock_reading env_shared_gpu env_throttled env_reading_unknown clock_not_locked no_launch_activity no_kernel_match no_kernels multi_kernel_window coverage_too_low share_too_low share_unknown window_launch_unaligned below_resolution mem_busy_zero trace_unavailable trace_too_many_accesses ledger_basis_unavailable zero_baseline no_calibration calibration_caliber_mismatch no_workload no_tokens no_price no_energy ncu_report_unreadable unknown_arch no_selftest_band mdd_unknown protocol_mismatch both_refused premise_failed multi_device_aggregate memcpy_duration_untrusted metric_absent legacy_report internal_unknown inconsistent_evidence not_built_in cupti_not_found cupti_symbol_missing cupti_other_subscriber cupti_denied cupti_unsupported injection_slot_taken nvtx_slot_taken collector_not_loaded no_kernels_recorded records_dropped trace_truncated clock_step graph_nodes_hidden gpm_unsupported gpm_denied tenancy_blind opencl_loader_no_layers opencl_not_loaded opencl_no_platform opencl_no_profiling opencl_untrusted_times local_size_unknown clock_unknown command_buffer_hidden opencl_cost_unknown' ;;
	stats:0) _kernoscope_words 'cuda_gpu_kern_sum cuda_api_sum cuda_gpu_mem_time_sum cuda_gpu_mem_size_sum nvtx_sum cuda_gpu_trace' ;;
	stats:1) _kernoscope_files '*.sqlite|*.db' ;;
	find:0) _kernoscope_words 'kernel copy range api gap' ;;
	find:1) _kernoscope_files '*.sqlite|*.db' ;;
	show:0) _kernoscope_words '' ;;
	show:1) _kernoscope_files '*.sqlite|*.db' ;;
	ncu-command:0) _kernoscope_words '' ;;
	ncu-command:1) _kernoscope_files '*.sqlite|*.db' ;;
	schema:0) _kernoscope_words 'report packet error explain name-map perfetto doctor capabilities capabilities-brief route route-list route-error remedy remedy-list plan config case-manifest case-env case-journal-line stats find show ncu-command stats-list schema-list' ;;
	config:0) _kernoscope_words 'set format screen print-details print-metric-name print-units page case quiet redact lang color progress pager' ;;
	help:0) _kernoscope_words 'all tasks questions tiers provenance refusals timeline findings steps window counters config output-names selection doctor capabilities route report explain remedy stats find show ncu-command schema config help completion Duration LaunchStats LaunchConfigs Occupancy SpeedOfLight InstructionStats MemoryTrace WorkloadDistribution ComputeWorkloadAnalysis MemoryWorkloadAnalysis MemoryWorkloadAnalysis_Tables SchedulerStats WarpStateStats SourceCounters PmSampling Nvlink_Tables NumaAffinity NcuGroundTruth DeviceStatistics CommLedger DramTraffic CostLedger Prescription NvtxPhases StaticCode Telemetry OpenCLCommands' ;;
	completion:0) _kernoscope_words 'bash zsh fish' ;;
	*) _kernoscope_options "$1" ;;
	esac
}

# Counts the words of the command before the cursor that are no options and no values of options.
_kernoscope_count() {
	local i w takes_value='--ks-sqlite --ks-nsys-rep --import -i --ks-cubin --ks-telemetry --ks-telemetry-timeout-s --ks-selfcheck --kernel-name -k --kernel-name-base --launch-skip -s --launch-count -c --launch-skip-before-match --devices --within --ks-step --ks-nvtx --ks-comm --ks-family --ks-rule --set --section --metrics --format --export -o --packet --screen --print-summary --print-details --print-metric-name --print-units --page --export-name-map --html --report-md --ks-perfetto --ks-timeline-limit --ks-tracks --log-file --lang --color --config --unset --out -o --name --min-duration --device --stream --pid --sort --limit'
	words=0
	for ((i = 2; i < COMP_CWORD; i++)); do
		w=${COMP_WORDS[i]}
		case $w in
		-*)
			if [[ ${COMP_WORDS[i + 1]} == = ]]; then
				i=$((i + 2))
			elif [[ " $takes_value " == *" $w "* ]]; then
				i=$((i + 1))
			fi
			;;
		*) words=$((words + 1)) ;;
		esac
	done
}

_kernoscope() {
	local commands='doctor capabilities route report explain remedy stats find show ncu-command schema config help completion'
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=main words joined=
	COMPREPLY=()
	# --option=value arrives as three words
	if [[ $cur == = ]]; then
		cur= joined=yes
	elif [[ $prev == = && COMP_CWORD -gt 2 ]]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]} joined=yes
	fi
	# the command is the first word and nothing else
	if [[ COMP_CWORD -gt 1 && " $commands " == *" ${COMP_WORDS[1]} "* ]]; then
		command=${COMP_WORDS[1]}
	fi
	if [[ $prev == -* ]] && _kernoscope_value "$command" "$prev"; then
		:
	elif [[ $cur == -* ]]; then
		_kernoscope_options "$command"
	elif ((COMP_CWORD == 1)); then
		_kernoscope_words "$commands"
	else
		_kernoscope_count
		_kernoscope_word "$command" "$words"
	fi
}

complete -F _kernoscope kernoscope
