# fish completion of kernoscope
# SPDX-License-Identifier: Apache-2.0
# Made by ksgen from src/tables; edit the rows there, not this.

function __kernoscope_first
	test (count (commandline -opc)) -eq 1
end

# The command, which is the first word and nothing else, or main.
function __kernoscope_command
	set -l words (commandline -opc)
	if contains -- "$words[2]" doctor capabilities route report explain remedy stats find show ncu-command schema config help completion
		echo $words[2]
	else
		echo main
	end
end

function __kernoscope_is
	contains -- (__kernoscope_command) $argv
end

# Whether the cursor is at word number $argv[2] of command $argv[1].
function __kernoscope_at
	test (__kernoscope_command) = $argv[1]; or return 1
	set -l takes_value --ks-sqlite --ks-nsys-rep --import -i --ks-cubin --ks-telemetry --ks-telemetry-timeout-s --ks-selfcheck --kernel-name -k --kernel-name-base --launch-skip -s --launch-count -c --launch-skip-before-match --devices --within --ks-step --ks-nvtx --ks-comm --ks-family --ks-rule --set --section --metrics --format --export -o --packet --screen --print-summary --print-details --print-metric-name --print-units --page --export-name-map --html --report-md --ks-perfetto --ks-timeline-limit --ks-tracks --log-file --lang --color --config --unset --out -o --name --min-duration --device --stream --pid --sort --limit
	set -l n 0
	set -l skip 0
	for word in (commandline -opc)[3..-1]
		if test $skip = 1
			set skip 0
		else if contains -- $word $takes_value
			set skip 1
		else if not string match -q -- '-*' $word
			set n (math $n + 1)
		end
	end
	test $n = $argv[2]
end

# Files that end so, and folders.
function __kernoscope_files
	set -l word (string replace -r -- '^--[^=]*=' '' (commandline -ct))
	for ending in $argv
		set -l found $word*$ending
		set -q found[1]; and printf '%s\n' $found
	end
	__fish_complete_directories $word ''
end

# Several names with commas between: the last one is completed.
function __kernoscope_list
	set -l word (string replace -r -- '^--[^=]*=' '' (commandline -ct))
	set -l before (string replace -r -- '[^,]*$' '' $word)
	printf "$before%s\n" $argv
end

complete -c kernoscope -f
complete -c kernoscope -n '__kernoscope_first' -a doctor -d 'Diagnose this machine: device, tools, rights'
complete -c kernoscope -n '__kernoscope_first' -a capabilities -d 'What can be answered on this machine, and what is missing'
complete -c kernoscope -n '__kernoscope_first' -a route -d 'Which command answers a question'
complete -c kernoscope -n '__kernoscope_first' -a report -d 'Analyse a recorded trace or show a report again'
complete -c kernoscope -n '__kernoscope_at report 0' -x -a '(__kernoscope_files .sqlite .db .json .nsys-rep)'
complete -c kernoscope -n '__kernoscope_first' -a explain -d 'Walk a number back to the file, table and rows it comes from'
complete -c kernoscope -n '__kernoscope_at explain 0' -x -a 'gpu__time_duration.sum ks__launch_time_mean ks__launch_time_min ks__launch_time_max ks__launch_count ks__launch_config_count ks__launch_time_p50 ks__launch_time_p90 ks__launch_time_p99 ks__launch_time_p50_lo ks__launch_time_p50_hi ks__launch_time_mad ks__kernel_time_with_comm_ms ks__kernel_time_without_comm_ms ks__launch_time_p50_with_comm ks__launch_time_p50_without_comm ks__bad_rows launch__grid_size launch__block_size launch__thread_count ks__grid_sizes_observed ks__block_sizes_observed launch__registers_per_thread ks__cubin_registers_per_thread ks__cubin_shared_bytes ks__cubin_arch ks__cubin_stack_bytes ks__cubin_local_bytes ks__cubin_constant_bytes ks__cubin_barriers ks__cubin_code_bytes ks__registers_used_for_occupancy launch__shared_mem_per_block_static launch__shared_mem_per_block_dynamic launch__local_mem_per_thread ks__call_site ks__cuda_graph_capture ks__dominant_config ks__theoretical_occupancy_pct ks__blocks_per_sm ks__warps_per_sm ks__occupancy_limiter ks__grid_waves ks__tail_wave_fill_pct sm__maximum_warps_per_active_cycle_pct sm__throughput.avg.pct_of_peak_sustained_elapsed ks__static_sass_instructions ks__static_sass_share_tensor ks__static_sass_share_fp ks__static_sass_share_alu ks__static_sass_share_memory ks__static_sass_share_sync ks__static_sass_share_control ks__static_sass_share_communication ks__static_sass_share_other ks__static_sass_top smsp__inst_executed.sum ks__warpstatestats_status ks__schedulerstats_status ks__computeworkloadanalysis_status ks__memoryworkloadanalysis_status ks__memoryworkloadanalysis_tables_status ks__sourcecounters_status ks__pmsampling_status ks__nvlink_tables_status ks__numaaffinity_status ks__workloaddistribution_status ks__device_count ks__trace_span_ms ks__api_call_count ks__api_failed_count ks__launch_call_count ks__launch_call_ms ks__sync_call_count ks__sync_call_ms ks__launch_latency_p50 ks__launch_latency_p90 ks__launch_latency_max ks__launch_queue_p50 ks__launch_queue_p90 ks__launch_queue_max ks__graph_launch_calls ks__graph_replays ks__graph_coverage_pct ks__graph_node_launches ks__graph_node_ms ks__graph_replay_nodes_mean ks__graph_replay_ms_mean ks__graph_run_count ks__graph_run_ms ks__graph_run_busy_ms est__single_device_kernel_share_pct ks__comm_bytes_total ks__comm_bytes_htod ks__comm_bytes_dtoh ks__comm_bytes_htoa ks__comm_bytes_atoh ks__comm_bytes_atoa ks__comm_bytes_atod ks__comm_bytes_dtoa ks__comm_bytes_dtod ks__comm_bytes_htoh ks__comm_bytes_ptop ks__comm_bytes_um_htod ks__comm_bytes_um_dtoh ks__comm_bytes_um_dtod ks__device_unknown__comm_bytes ks__comm_bytes_null_rows ks__comm_bytes_unknown_device_rows ks__comm_time_sum_ns ks__comm_kernel_ms ks__comm_kernel_share_pct ks__comm_compute_overlap_pct ks__memset_bytes_total ks__comm_bytes_pageable ks__comm_bytes_pinned ks__comm_exposed_ms ks__nvtx_attributed_kernel_ms ks__nvtx_unattributed_kernel_ms ks__nvtx_phase_count ks__nvtx_phase_omitted ks__nvtx_open_ranges ks__nvtx_marks ks__step_count ks__step_p50_ms ks__step_mad_ms ks__step_first_ms ks__step_warmup_count ks__step_outlier_count ks__step_kernel_p50_ms meas__telemetry_endpoint_readings meas__telemetry_dcgm_power_w meas__telemetry_dcgm_energy_total_mj meas__telemetry_dcgm_gpu_util_pct meas__telemetry_dcgm_mem_copy_util_pct meas__telemetry_dcgm_sm_clock_mhz meas__telemetry_dcgm_mem_clock_mhz meas__telemetry_dcgm_fb_used_mib meas__telemetry_dcgm_fb_free_mib meas__telemetry_dcgm_last_xid_error_code meas__telemetry_dcgm_sm_occupancy_ratio meas__telemetry_dcgm_dram_active_ratio meas__telemetry_dcgm_pcie_tx_bytes_per_s meas__telemetry_dcgm_pcie_rx_bytes_per_s meas__telemetry_smi_power_w meas__telemetry_smi_power_limit_w meas__telemetry_smi_gpu_util_ratio meas__telemetry_smi_mem_util_ratio meas__telemetry_smi_sm_clock_hz meas__telemetry_smi_mem_clock_hz meas__telemetry_smi_temp_c meas__telemetry_smi_fb_used_bytes meas__telemetry_smi_fb_total_bytes meas__telemetry_smi_pcie_link_gen_count meas__telemetry_smi_pcie_link_width_count meas__telemetry_smi_clocks_event_reasons_code ks__code_kernels ks__code_device_functions ks__code_members ks__code_ptx_members ks__code_unread_members ks__code_matched_kernels ks__code_unmatched_kernels ks__code_unused_kernels'
complete -c kernoscope -n '__kernoscope_at explain 1' -x -a '(__kernoscope_files .sqlite .db .json)'
complete -c kernoscope -n '__kernoscope_first' -a remedy -d 'What a refusal code means and what to do'
complete -c kernoscope -n '__kernoscope_at remedy 0' -x -a 'no_gpu pytorch_missing no_nvml no_nvml_samples nsys_missing cuobjdump_missing no_static_input nvbit_missing no_nvtx no_memtrace no_instr_hist no_occupancy_probe no_sass_source counters_denied counters_unknown counters_not_installed sampling_unavailable instrumentation_missing no_nvlink not_applicable mixed_launch_config no_clock_reading env_shared_gpu env_throttled env_reading_unknown clock_not_locked no_launch_activity no_kernel_match no_kernels multi_kernel_window coverage_too_low share_too_low share_unknown window_launch_unaligned below_resolution mem_busy_zero trace_unavailable trace_too_many_accesses ledger_basis_unavailable zero_baseline no_calibration calibration_caliber_mismatch no_workload no_tokens no_price no_energy ncu_report_unreadable unknown_arch no_selftest_band mdd_unknown protocol_mismatch both_refused premise_failed multi_device_aggregate memcpy_duration_untrusted metric_absent legacy_report internal_unknown inconsistent_evidence not_built_in cupti_not_found cupti_symbol_missing cupti_other_subscriber cupti_denied cupti_unsupported injection_slot_taken nvtx_slot_taken collector_not_loaded no_kernels_recorded records_dropped trace_truncated clock_step graph_nodes_hidden gpm_unsupported gpm_denied tenancy_blind opencl_loader_no_layers opencl_not_loaded opencl_no_platform opencl_no_profiling opencl_untrusted_times local_size_unknown clock_unknown command_buffer_hidden opencl_cost_unknown'
complete -c kernoscope -n '__kernoscope_first' -a stats -d 'Summary tables as nsys stats names them'
complete -c kernoscope -n '__kernoscope_at stats 0' -x -a 'cuda_gpu_kern_sum cuda_api_sum cuda_gpu_mem_time_sum cuda_gpu_mem_size_sum nvtx_sum cuda_gpu_trace'
complete -c kernoscope -n '__kernoscope_at stats 1' -x -a '(__kernoscope_files .sqlite .db)'
complete -c kernoscope -n '__kernoscope_first' -a find -d 'Find single events of a trace'
complete -c kernoscope -n '__kernoscope_at find 0' -x -a 'kernel copy range api gap'
complete -c kernoscope -n '__kernoscope_at find 1' -x -a '(__kernoscope_files .sqlite .db)'
complete -c kernoscope -n '__kernoscope_first' -a show -d 'Show one event and what surrounds it'
complete -c kernoscope -n '__kernoscope_at show 0' -x
complete -c kernoscope -n '__kernoscope_at show 1' -x -a '(__kernoscope_files .sqlite .db)'
complete -c kernoscope -n '__kernoscope_first' -a ncu-command -d 'The ncu line that profiles one launch of a trace'
complete -c kernoscope -n '__kernoscope_at ncu-command 0' -x
complete -c kernoscope -n '__kernoscope_at ncu-command 1' -x -a '(__kernoscope_files .sqlite .db)'
complete -c kernoscope -n '__kernoscope_first' -a schema -d 'Print a JSON Schema'
complete -c kernoscope -n '__kernoscope_at schema 0' -x -a 'report packet error explain name-map perfetto doctor capabilities capabilities-brief route route-list route-error remedy remedy-list plan config case-manifest case-env case-journal-line stats find show ncu-command stats-list schema-list'
complete -c kernoscope -n '__kernoscope_first' -a config -d 'Show or set configuration'
complete -c kernoscope -n '__kernoscope_at config 0' -x -a 'set format screen print-details print-metric-name print-units page case quiet redact lang color progress pager'
complete -c kernoscope -n '__kernoscope_first' -a help -d 'Help on a command, option group or metric'
complete -c kernoscope -n '__kernoscope_at help 0' -x -a 'all tasks questions tiers provenance refusals timeline findings steps window counters config output-names selection doctor capabilities route report explain remedy stats find show ncu-command schema config help completion Duration LaunchStats LaunchConfigs Occupancy SpeedOfLight InstructionStats MemoryTrace WorkloadDistribution ComputeWorkloadAnalysis MemoryWorkloadAnalysis MemoryWorkloadAnalysis_Tables SchedulerStats WarpStateStats SourceCounters PmSampling Nvlink_Tables NumaAffinity NcuGroundTruth DeviceStatistics CommLedger DramTraffic CostLedger Prescription NvtxPhases StaticCode Telemetry OpenCLCommands'
complete -c kernoscope -n '__kernoscope_first' -a completion -d 'Print a shell completion script'
complete -c kernoscope -n '__kernoscope_at completion 0' -x -a 'bash zsh fish'
complete -c kernoscope -n '__kernoscope_is main report explain stats find show ncu-command' -l ks-sqlite -x -a '(__kernoscope_files .sqlite .db)' -d 'Analyse an Nsight Systems SQLite export'
complete -c kernoscope -n '__kernoscope_is main report' -l ks-nsys-rep -x -a '(__kernoscope_files .nsys-rep .qdrep)' -d 'Export a .nsys-rep with nsys, then analyse it'
complete -c kernoscope -n '__kernoscope_is main report' -l import -s i -x -a '(__kernoscope_files .json)' -d 'Show a .ksreport.json or a packet again; no analysis'
complete -c kernoscope -n '__kernoscope_is main report explain stats find show ncu-command' -l ks-synthetic -d 'Analyse the built-in made-up trace; marked SYNTHETIC everywhere'
complete -c kernoscope -n '__kernoscope_is main report' -l ks-cubin -r -F -d 'Static facts from a cubin or .so (repeatable)'
complete -c kernoscope -n '__kernoscope_is main report' -l ks-telemetry -x -d 'Device readings: exporter text or nvidia-smi output'
complete -c kernoscope -n '__kernoscope_is main report' -l ks-telemetry-timeout-s -x -d 'How long to wait for the endpoint'
complete -c kernoscope -n '__kernoscope_is main report' -l ks-selfcheck -x -a '(__kernoscope_files .json)' -d 'Self-test result: band and smallest difference of verdicts'
complete -c kernoscope -n '__kernoscope_is main report' -l kernel-name -s k -x -d 'Only this function name, exactly; or regex:PATTERN'
complete -c kernoscope -n '__kernoscope_is main report' -l kernel-name-base -x -a 'function demangled mangled' -d 'Name that -k matches and that kernels are grouped and shown by'
complete -c kernoscope -n '__kernoscope_is main report' -l launch-skip -s s -x -d 'Leave out the first N launches of each kernel from per-launch output'
complete -c kernoscope -n '__kernoscope_is main report' -l launch-count -s c -x -d 'At most N launches of each kernel in per-launch output; 0 is all'
complete -c kernoscope -n '__kernoscope_is main report' -l launch-skip-before-match -x -d 'Ignore the first N launches of the whole trace'
complete -c kernoscope -n '__kernoscope_is main report' -l devices -x -d 'Only these devices'
complete -c kernoscope -n '__kernoscope_is main report find' -l within -x -d 'Only this part: 1ms..2.5ms, nvtx:NAME[@DOMAIN][/N], step:N..M'
complete -c kernoscope -n '__kernoscope_is main report' -l ks-step -x -d 'NVTX range that is a step; found by itself otherwise'
complete -c kernoscope -n '__kernoscope_is main report' -l ks-nvtx -x -a 'projection overlap' -d 'Kernels of an NVTX range: launched in it, or at the same time'
complete -c kernoscope -n '__kernoscope_is main report' -l ks-comm -x -d 'Count these kernels as communication too; regex:PATTERN (repeatable)'
complete -c kernoscope -n '__kernoscope_is main report' -l ks-family -x -d 'Put these kernels into family NAME; NAME=regex:PATTERN (repeatable)'
complete -c kernoscope -n '__kernoscope_is main report' -l ks-rule -x -d 'Change a finding\'s least share, or add NAME:METRIC>VALUE (repeatable)'
complete -c kernoscope -n '__kernoscope_is main report' -l set -x -a 'basic detailed full' -d 'Which sections to show'
complete -c kernoscope -n '__kernoscope_is main report' -l section -x -a 'Duration LaunchStats LaunchConfigs Occupancy SpeedOfLight InstructionStats MemoryTrace WorkloadDistribution ComputeWorkloadAnalysis MemoryWorkloadAnalysis MemoryWorkloadAnalysis_Tables SchedulerStats WarpStateStats SourceCounters PmSampling Nvlink_Tables NumaAffinity NcuGroundTruth DeviceStatistics CommLedger DramTraffic CostLedger Prescription NvtxPhases StaticCode Telemetry OpenCLCommands' -d 'Show this section instead of a set (repeatable)'
complete -c kernoscope -n '__kernoscope_is main report' -l metrics -x -a '(__kernoscope_list gpu__time_duration.sum ks__launch_time_mean ks__launch_time_min ks__launch_time_max ks__launch_count ks__launch_config_count ks__launch_time_p50 ks__launch_time_p90 ks__launch_time_p99 ks__launch_time_p50_lo ks__launch_time_p50_hi ks__launch_time_mad ks__kernel_time_with_comm_ms ks__kernel_time_without_comm_ms ks__launch_time_p50_with_comm ks__launch_time_p50_without_comm ks__bad_rows launch__grid_size launch__block_size launch__thread_count ks__grid_sizes_observed ks__block_sizes_observed launch__registers_per_thread ks__cubin_registers_per_thread ks__cubin_shared_bytes ks__cubin_arch ks__cubin_stack_bytes ks__cubin_local_bytes ks__cubin_constant_bytes ks__cubin_barriers ks__cubin_code_bytes ks__registers_used_for_occupancy launch__shared_mem_per_block_static launch__shared_mem_per_block_dynamic launch__local_mem_per_thread ks__call_site ks__cuda_graph_capture ks__dominant_config ks__theoretical_occupancy_pct ks__blocks_per_sm ks__warps_per_sm ks__occupancy_limiter ks__grid_waves ks__tail_wave_fill_pct sm__maximum_warps_per_active_cycle_pct sm__throughput.avg.pct_of_peak_sustained_elapsed ks__static_sass_instructions ks__static_sass_share_tensor ks__static_sass_share_fp ks__static_sass_share_alu ks__static_sass_share_memory ks__static_sass_share_sync ks__static_sass_share_control ks__static_sass_share_communication ks__static_sass_share_other ks__static_sass_top smsp__inst_executed.sum ks__warpstatestats_status ks__schedulerstats_status ks__computeworkloadanalysis_status ks__memoryworkloadanalysis_status ks__memoryworkloadanalysis_tables_status ks__sourcecounters_status ks__pmsampling_status ks__nvlink_tables_status ks__numaaffinity_status ks__workloaddistribution_status ks__device_count ks__trace_span_ms ks__api_call_count ks__api_failed_count ks__launch_call_count ks__launch_call_ms ks__sync_call_count ks__sync_call_ms ks__launch_latency_p50 ks__launch_latency_p90 ks__launch_latency_max ks__launch_queue_p50 ks__launch_queue_p90 ks__launch_queue_max ks__graph_launch_calls ks__graph_replays ks__graph_coverage_pct ks__graph_node_launches ks__graph_node_ms ks__graph_replay_nodes_mean ks__graph_replay_ms_mean ks__graph_run_count ks__graph_run_ms ks__graph_run_busy_ms est__single_device_kernel_share_pct ks__comm_bytes_total ks__comm_bytes_htod ks__comm_bytes_dtoh ks__comm_bytes_htoa ks__comm_bytes_atoh ks__comm_bytes_atoa ks__comm_bytes_atod ks__comm_bytes_dtoa ks__comm_bytes_dtod ks__comm_bytes_htoh ks__comm_bytes_ptop ks__comm_bytes_um_htod ks__comm_bytes_um_dtoh ks__comm_bytes_um_dtod ks__device_unknown__comm_bytes ks__comm_bytes_null_rows ks__comm_bytes_unknown_device_rows ks__comm_time_sum_ns ks__comm_kernel_ms ks__comm_kernel_share_pct ks__comm_compute_overlap_pct ks__memset_bytes_total ks__comm_bytes_pageable ks__comm_bytes_pinned ks__comm_exposed_ms ks__nvtx_attributed_kernel_ms ks__nvtx_unattributed_kernel_ms ks__nvtx_phase_count ks__nvtx_phase_omitted ks__nvtx_open_ranges ks__nvtx_marks ks__step_count ks__step_p50_ms ks__step_mad_ms ks__step_first_ms ks__step_warmup_count ks__step_outlier_count ks__step_kernel_p50_ms meas__telemetry_endpoint_readings meas__telemetry_dcgm_power_w meas__telemetry_dcgm_energy_total_mj meas__telemetry_dcgm_gpu_util_pct meas__telemetry_dcgm_mem_copy_util_pct meas__telemetry_dcgm_sm_clock_mhz meas__telemetry_dcgm_mem_clock_mhz meas__telemetry_dcgm_fb_used_mib meas__telemetry_dcgm_fb_free_mib meas__telemetry_dcgm_last_xid_error_code meas__telemetry_dcgm_sm_occupancy_ratio meas__telemetry_dcgm_dram_active_ratio meas__telemetry_dcgm_pcie_tx_bytes_per_s meas__telemetry_dcgm_pcie_rx_bytes_per_s meas__telemetry_smi_power_w meas__telemetry_smi_power_limit_w meas__telemetry_smi_gpu_util_ratio meas__telemetry_smi_mem_util_ratio meas__telemetry_smi_sm_clock_hz meas__telemetry_smi_mem_clock_hz meas__telemetry_smi_temp_c meas__telemetry_smi_fb_used_bytes meas__telemetry_smi_fb_total_bytes meas__telemetry_smi_pcie_link_gen_count meas__telemetry_smi_pcie_link_width_count meas__telemetry_smi_clocks_event_reasons_code ks__code_kernels ks__code_device_functions ks__code_members ks__code_ptx_members ks__code_unread_members ks__code_matched_kernels ks__code_unmatched_kernels ks__code_unused_kernels)' -d 'Show only these metrics; names of ncu are translated'
complete -c kernoscope -n '__kernoscope_is main report' -l list-sets -d 'List the sets and their sections'
complete -c kernoscope -n '__kernoscope_is main report' -l format -x -a 'text screen json csv md html svg timeline-svg histogram-svg occupancy-svg occupancy-csv folded nvtx-csv perfetto' -d 'Format of the result; `help format` lists them'
complete -c kernoscope -n '__kernoscope_is stats' -l format -x -a 'text csv json' -d 'Format of the result; `help format` lists them'
complete -c kernoscope -n '__kernoscope_is main report' -l export -s o -r -F -d 'Write PREFIX.ksreport.json and PREFIX.perfetto-trace'
complete -c kernoscope -n '__kernoscope_is main capabilities report' -l force-overwrite -s f -d 'Replace output files that exist'
complete -c kernoscope -n '__kernoscope_is main report' -l packet -r -F -d 'Write the decision packet, max 4096 bytes; - is stdout'
complete -c kernoscope -n '__kernoscope_is main report' -l screen -x -a 'auto only off' -d 'The one-screen view: before the text, alone, or not at all'
complete -c kernoscope -n '__kernoscope_is main report' -l csv -d 'Metrics as CSV'
complete -c kernoscope -n '__kernoscope_is main report' -l launch-csv -d 'One CSV row per launch'
complete -c kernoscope -n '__kernoscope_is main report' -l print-summary -x -a 'none per-kernel' -d 'One line per kernel and nothing else'
complete -c kernoscope -n '__kernoscope_is main report' -l print-details -x -a 'header all' -d 'all adds metric rows, as --metrics and --section do'
complete -c kernoscope -n '__kernoscope_is main report' -l print-metric-name -x -a 'name full base' -d 'How metric names are written; full is Section.metric'
complete -c kernoscope -n '__kernoscope_is main report' -l print-units -x -a 'base auto' -d 'Scale large units in text, or keep them as they are'
complete -c kernoscope -n '__kernoscope_is main report' -l page -x -a 'details raw source' -d 'raw adds where each number was read'
complete -c kernoscope -n '__kernoscope_is main report' -l ks-json-launches -d 'Put the launches into the report'
complete -c kernoscope -n '__kernoscope_is main report' -l ks-json-no-launches -d 'Leave the launches out of the report (the default)'
complete -c kernoscope -n '__kernoscope_is main report' -l export-name-map -r -F -d 'Write what stands for each ncu name; .csv or JSON'
complete -c kernoscope -n '__kernoscope_is main report' -l html -r -F -d 'Write the evidence page; - is stdout'
complete -c kernoscope -n '__kernoscope_is main report' -l report-md -r -F -d 'Write a Markdown report on the kernel with most time'
complete -c kernoscope -n '__kernoscope_is main report' -l ks-perfetto -r -F -d 'Write the timeline here, as JSON if it ends in .json; none: -o writes none'
complete -c kernoscope -n '__kernoscope_is main report' -l ks-timeline-limit -x -d 'Most slices in timelines, the first ones stay; 0 is all'
complete -c kernoscope -n '__kernoscope_is main report' -l ks-tracks -x -a '(__kernoscope_list streams copies sync nvtx api memory)' -d 'Tracks of timelines: streams, copies, sync, nvtx, api, memory'
complete -c kernoscope -n '__kernoscope_is main report' -l no-case -d 'With -o: write no case directory PREFIX.case'
complete -c kernoscope -n '__kernoscope_is main report' -l strict -d 'Fail where something asked for could not be given'
complete -c kernoscope -n '__kernoscope_is main doctor capabilities route report explain remedy stats find show ncu-command schema config help completion' -l quiet -d 'Only the result and errors'
complete -c kernoscope -n '__kernoscope_is main report' -l log-file -r -F -d 'Write the messages to a file too'
complete -c kernoscope -n '__kernoscope_is main doctor report explain stats find show ncu-command' -l redact -a 'yes names' -d 'Take out paths, user and host names, addresses, ids and command lines; names: hash kernel and range names too'
complete -c kernoscope -n '__kernoscope_is main doctor capabilities route report explain remedy stats find show ncu-command schema config help completion' -l lang -x -a 'en zh' -d 'Language of text'
complete -c kernoscope -n '__kernoscope_is main doctor capabilities route report explain remedy stats find show ncu-command schema config help completion' -l color -x -a 'auto always never' -d 'Colours on the terminal'
complete -c kernoscope -n '__kernoscope_is main doctor capabilities route report explain remedy stats find show ncu-command schema config help completion' -l no-progress -d 'No progress line'
complete -c kernoscope -n '__kernoscope_is main doctor capabilities route report explain remedy stats find show ncu-command schema config help completion' -l no-pager -d 'Print a long result at once instead of page by page'
complete -c kernoscope -n '__kernoscope_is main doctor capabilities route report explain remedy stats find show ncu-command schema config help completion' -l config -r -F -d 'Read this configuration instead of the files that are found'
complete -c kernoscope -n '__kernoscope_is main report' -l check-exit-code -d 'Exit with the program\'s own code when it fails'
complete -c kernoscope -n '__kernoscope_is main doctor capabilities route report explain remedy stats find show ncu-command schema config help completion' -l plan -d 'Print what would be done and touched, and do nothing'
complete -c kernoscope -n '__kernoscope_is main doctor capabilities route report explain remedy stats find show ncu-command schema config help completion' -l plan-json -d 'The same as JSON'
complete -c kernoscope -n '__kernoscope_is main report' -l version -s v -d 'Print the version'
complete -c kernoscope -n '__kernoscope_is main doctor capabilities route report explain remedy stats find show ncu-command schema config help completion' -l help -s h -d 'Print help; help TOPIC for more'
complete -c kernoscope -n '__kernoscope_is main report' -l ks-nvtx-phases -d 'NVTX phases beside the sections that --section names'
complete -c kernoscope -n '__kernoscope_is main report' -l cost -d 'Show the cost verdicts without a price'
complete -c kernoscope -n '__kernoscope_is doctor capabilities route explain remedy stats find show ncu-command schema config' -l json -d 'The result as JSON'
complete -c kernoscope -n '__kernoscope_is config' -l show-origin -d 'Say where each value comes from'
complete -c kernoscope -n '__kernoscope_is config' -l unset -x -d 'Take a key out of your configuration file'
complete -c kernoscope -n '__kernoscope_is doctor' -l no-probe -d 'Do not run ncu to probe the counters'
complete -c kernoscope -n '__kernoscope_is capabilities' -l brief -d 'One compact line, at most 1300 bytes'
complete -c kernoscope -n '__kernoscope_is capabilities route' -l probe -d 'Probe the hardware counters too'
complete -c kernoscope -n '__kernoscope_is capabilities' -l out -s o -r -F -d 'Write the result to a file'
complete -c kernoscope -n '__kernoscope_is route stats schema' -l list -d 'List what can be asked for'
complete -c kernoscope -n '__kernoscope_is find' -l name -x -d 'Only events of this name, exactly; or regex:PATTERN'
complete -c kernoscope -n '__kernoscope_is find' -l min-duration -x -d 'Only events that last at least this long, such as 1.5ms'
complete -c kernoscope -n '__kernoscope_is find' -l device -x -d 'Only this device'
complete -c kernoscope -n '__kernoscope_is find' -l stream -x -d 'Only this stream'
complete -c kernoscope -n '__kernoscope_is find' -l pid -x -d 'Only this process'
complete -c kernoscope -n '__kernoscope_is find' -l sort -x -a 'start duration' -d 'Earliest or longest first'
complete -c kernoscope -n '__kernoscope_is find' -l limit -x -d 'List at most N events; all are counted'
