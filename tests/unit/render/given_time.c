/* SPDX-License-Identifier: Apache-2.0
 *
 * A timeline made by hand: two devices, steps, phases of two domains, gaps, copies, collectives, a
 * graph, calls. Numbers are chosen, not computed, so that tests can name them.
 */
#include "given.h"

static const struct ks_step steps[] = {
	{ .start_ns = 1000000, .end_ns = 10000000, .kernel_ns = 3000000, .mark = KS_STEP_FIRST },
	{ .start_ns = 10000000, .end_ns = 12000000, .kernel_ns = 1500000, .mark = KS_STEP_WARMUP },
	{ .start_ns = 12000000, .end_ns = 13000000, .kernel_ns = 900000 },
	{ .start_ns = 13000000, .end_ns = 14000000, .kernel_ns = 900000 },
	{ .start_ns = 14000000, .end_ns = 19000000, .kernel_ns = 950000, .mark = KS_STEP_OUTLIER },
};

#define PHASE_COMMON                                                                               \
	.overlap_ns = KS_UNKNOWN, .overlap_process_ns = KS_UNKNOWN,                                \
	.overlap_union_ns = KS_UNKNOWN, .overlap_kernels = UINT64_MAX

static const struct ks_phase phases[] = {
	{ .name = { "forward", 7 },
	  .domain = { "", 0 },
	  .type = 59,
	  .depth = 1,
	  .instances = 5,
	  .wall_ns = 5500000,
	  .min_ns = 900000,
	  .max_ns = 1700000,
	  .kernels = 40,
	  .kernel_ns = 4500000,
	  .own_ns = 4500000,
	  .worst_kernel_ns = 1400000,
	  .gpu_ns = 4400000,
	  PHASE_COMMON },
	{ .name = { "Step 1", 6 },
	  .domain = { "NCCL", 4 },
	  .domain_id = 3,
	  .type = KS_UNKNOWN,
	  .instances = 1,
	  .wall_ns = 2000000,
	  .min_ns = 2000000,
	  .max_ns = 2000000,
	  .kernels = 9,
	  .kernel_ns = 2500000,
	  .own_ns = 1000000,
	  .worst_kernel_ns = 2500000,
	  .gpu_ns = KS_UNKNOWN,
	  PHASE_COMMON },
};
static const struct ks_phase folded[] = {
	{ .name = { "forward", 7 },
	  .domain = { "", 0 },
	  .type = 59,
	  .depth = 1,
	  .instances = 5,
	  .wall_ns = 5500000,
	  .min_ns = 900000,
	  .max_ns = 1700000,
	  .kernels = 40,
	  .kernel_ns = 4500000,
	  .own_ns = 4500000,
	  .worst_kernel_ns = 1400000,
	  .gpu_ns = 4400000,
	  PHASE_COMMON },
	{ .name = { "Step #", 6 },
	  .domain = { "NCCL", 4 },
	  .domain_id = 3,
	  .type = KS_UNKNOWN,
	  .instances = 12,
	  .wall_ns = 24000000,
	  .min_ns = 2000000,
	  .max_ns = 2000000,
	  .kernels = 99,
	  .kernel_ns = 3000000,
	  .own_ns = 1000000,
	  .worst_kernel_ns = 2500000,
	  .gpu_ns = KS_UNKNOWN,
	  PHASE_COMMON },
};
static const uint32_t folded_names[] = { 1, 12 };

static const struct ks_path_node paths[] = {
	{ .name = { "", 0 }, .parent = 0, .total_ns = 4500000, .own_ns = 0 },
	{ .name = { "step", 4 },
	  .parent = 0,
	  .depth = 1,
	  .kernels = 2,
	  .own_ns = 500000,
	  .total_ns = 4500000 },
	{ .name = { "forward", 7 },
	  .parent = 1,
	  .depth = 2,
	  .kernels = 38,
	  .own_ns = 4000000,
	  .total_ns = 4000000 },
};

static const struct ks_device_time devices[] = {
	{ .mix_ns = { 2000000, 5000000, 400000, 100000, 700000, 300000, 0, 0 },
	  .max_streams = 3,
	  .gaps = 12,
	  .gap_overhead_ns = 250000,
	  .longest_gap_ns = 900000,
	  .comm_sum_ns = 1000000,
	  .memory_peak_bytes = 7000000000,
	  .memory_end_bytes = 0 },
	{ .mix_ns = { 8500000 }, .memory_peak_bytes = KS_UNKNOWN, .memory_end_bytes = KS_UNKNOWN },
};
static const struct ks_gap gaps[] = {
	{ .gpu = 0,
	  .start_ns = 3000000,
	  .end_ns = 3900000,
	  .overhead_ns = 250000,
	  .before = { "gemm", 4 },
	  .after = { "copy htod", 9 } },
	{ .gpu = 1,
	  .start_ns = 1000,
	  .end_ns = 501000,
	  .before = { "", 0 },
	  .after = { "gemm", 4 } },
};

static const struct ks_copy_group groups[] = {
	{ .kind = 1,
	  .bytes = 67108864,
	  .count = 4,
	  .max_ns = 5400000,
	  .median_ns = 5300000,
	  .gb_per_s = 12.4,
	  .typical_gb_per_s = 12.7 },
	{ .kind = 17,
	  .bytes = KS_UNKNOWN,
	  .count = 1,
	  .max_ns = 10,
	  .gb_per_s = -1.0,
	  .typical_gb_per_s = -1.0 },
};
static const struct ks_copy_kind_sum kinds[] = {
	{ .kind = { "htod", 4 },
	  .src_kind = 0,
	  .dst_kind = 2,
	  .cause = KS_UNKNOWN,
	  .src_name = { "pageable", 8 },
	  .dst_name = { "device", 6 },
	  .src_device = KS_UNKNOWN,
	  .dst_device = KS_UNKNOWN,
	  .count = 4,
	  .bytes = 268435456,
	  .total_ns = 21000000 },
	{ .kind = { "ptop", 4 },
	  .src_kind = KS_UNKNOWN,
	  .dst_kind = KS_UNKNOWN,
	  .cause = KS_UNKNOWN,
	  .src_device = 0,
	  .dst_device = 1,
	  .count = 1,
	  .unknown_bytes_rows = 1,
	  .total_ns = 10 },
};

static const struct ks_comm_call comm_calls[] = {
	{ .name = { "ncclAllReduce", 13 }, .calls = 24, .bytes = 100663296 },
};
static const struct ks_kernel_overlap beside[] = {
	{ .kernel = { "gemm", 4 },
	  .with_ns = 300000,
	  .without_ns = 5000000,
	  .with_launches = 3,
	  .without_launches = 30,
	  .with_median_ns = 120000,
	  .without_median_ns = 100000 },
};
static const struct ks_graph_node nodes[] = {
	{ .kernel = { "fused_mlp", 9 }, .node = 42, .launches = 96, .total_ns = 880000 },
};
static const struct ks_api_call api[] = {
	{ .name = { "cudaLaunchKernel", 16 },
	  .is_launch = true,
	  .calls = 1234,
	  .failed = 2,
	  .total_ns = 7000000,
	  .max_ns = 90000 },
};
static const struct ks_call_site sites[] = {
	{ .kernel = { "gemm", 4 },
	  .frame = { "train_step (app)", 16 },
	  .stack = { "main;loop;train_step", 20 },
	  .launches = 40 },
};

void given_timeline(struct given *g)
{
	struct ks_timeline *t = KS_ARENA_NEW(&g->run, struct ks_timeline);

	*t = (struct ks_timeline){
		.ranges = 17,
		.open_ranges = 1,
		.marks = 2,
		.n_names = 13,
		.n_domains = 2,
		.attributed_ns = 7000000,
		.unattributed_ns = 125000,
		.no_call_launches = 1,
		.phase = phases,
		.n_phases = KS_ARRAY_LEN(phases),
		.phases_with_time = 13,
		.folded_phase = folded,
		.folded_names = folded_names,
		.n_folded_phases = KS_ARRAY_LEN(folded),
		.path = paths,
		.n_paths = KS_ARRAY_LEN(paths),
		.steps = { .name = KS_LIT("step #"),
			   .domain = KS_LIT(""),
			   .step = steps,
			   .n = KS_ARRAY_LEN(steps),
			   .n_warmup = 1,
			   .n_outliers = 1 },
		.device = devices,
		.gap = gaps,
		.n_gaps = KS_ARRAY_LEN(gaps),
		.copy_group = groups,
		.n_copy_groups = KS_ARRAY_LEN(groups),
		.copy_kind = kinds,
		.n_copy_kinds = KS_ARRAY_LEN(kinds),
		.comm_call = comm_calls,
		.n_comm_calls = KS_ARRAY_LEN(comm_calls),
		.comm_kernel = beside,
		.n_comm_kernels = KS_ARRAY_LEN(beside),
		.graphs = { .launch_calls = 100,
			    .replays = 96,
			    .node_launches = 480,
			    .node_ns = 1900000,
			    .runs = 4,
			    .run_ns = 80000,
			    .run_union_ns = 80000,
			    .top = nodes,
			    .n_top = 1 },
		.api = api,
		.n_api = 1,
		.n_api_names = 7,
		.call_site = sites,
		.n_call_sites = 1,
	};
	g->gpu[1] = g->gpu[0];
	g->gpu[1].label = 1;
	g->r.n_gpus = g->r.n_gpus_used = 2;
	g->r.timeline = t;
}

void given_window(struct given *g, const char *text)
{
	struct ks_timeline *t = KS_ARENA_NEW(&g->run, struct ks_timeline);

	*t = *g->r.timeline;
	t->window = (struct ks_window_facts){ .on = true,
					      .text = { text, strlen(text) },
					      .from_ns = 12000000,
					      .to_ns = 14500000,
					      .cut_launches = 3 };
	g->r.timeline = t;
}
