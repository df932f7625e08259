/* SPDX-License-Identifier: Apache-2.0
 *
 * The synthetic trace (contract 01 §7): two kernels whose every number is arithmetic, to try
 * outputs without a recording. Marked synthetic in its metadata; measures nothing.
 */
#include "base/str.h"
#include "source/source.h"
#include "tables/tables.h"

enum { REF_GEMM = 1, REF_GEMM_FUNCTION, REF_ELEMENTWISE, REF_ELEMENTWISE_FUNCTION };

static const struct {
	ks_nameref ref;
	ks_str text;
} names[] = {
	{ REF_GEMM, { "synthetic_gemm(float const*, float const*, float*)", 50 } },
	{ REF_GEMM_FUNCTION, { "synthetic_gemm", 14 } },
	{ REF_ELEMENTWISE, { "synthetic_elementwise(float*)", 29 } },
	{ REF_ELEMENTWISE_FUNCTION, { "synthetic_elementwise", 21 } },
};

struct phase { /* one kernel, launched at a fixed period */
	int64_t launches;
	ks_ns first_ns, period_ns, dur_ns;
	int64_t first_correlation;
	struct ks_launch shape;
};

#define SHAPE                                                                                      \
	.device = 0, .process = KS_UNKNOWN, .context = KS_UNKNOWN, .stream = 7,                    \
	.block = { 256, 1, 1 }, .static_smem = 0, .local_mem = 0, .smem_executed = KS_UNKNOWN

static const struct phase phases[] = {
	{ 5,
	  1000000000,
	  1200000,
	  951000,
	  0,
	  { SHAPE, .demangled = REF_GEMM, .function = REF_GEMM_FUNCTION, .grid = { 1048576, 1, 1 },
	    .regs = 96, .dynamic_smem = 49152 } },
	{ 20,
	  1006000000,
	  20000,
	  8400,
	  100,
	  { SHAPE, .demangled = REF_ELEMENTWISE, .function = REF_ELEMENTWISE_FUNCTION,
	    .grid = { 16384, 1, 1 }, .regs = 16, .dynamic_smem = 0 } },
};

static enum ks_status stream_launches(const struct ks_sink *sink, struct ks_err *err)
{
	if (sink->spared & KS_SPARED_LAUNCHES)
		return KS_OK;
	int64_t number = 0;

	for (size_t p = 0; p < KS_ARRAY_LEN(phases); p++) {
		for (int64_t i = 0; i < phases[p].launches; i++) {
			struct ks_launch row = phases[p].shape;

			row.start_ns = phases[p].first_ns + i * phases[p].period_ns;
			row.end_ns = row.start_ns + phases[p].dur_ns;
			row.correlation = phases[p].first_correlation + i;
			row.row = ++number;
			KS_TRY(sink->ops->launch(sink->self, &row, err));
		}
	}
	return KS_OK;
}

static enum ks_status stream_names(const struct ks_sink *sink, struct ks_err *err)
{
	const ks_nameref *ref = NULL;
	size_t count = 0;

	sink->ops->wanted(sink->self, &ref, &count);
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < KS_ARRAY_LEN(names); k++)
			if (names[k].ref == ref[i])
				KS_TRY(sink->ops->name(sink->self, ref[i], names[k].text, err));
	return KS_OK;
}

static enum ks_status stream_facts(const struct ks_sink *sink, struct ks_err *err)
{
	const struct ks_trace_meta meta = {
		.kind = KS_LIT("synthetic"),
		.synthetic = true,
		.utc_epoch_ns = KS_UNKNOWN,
		.capture_ns = KS_UNKNOWN,
		.has_kernel_table = true,
		.has_cuda_tables = true,
		.cuda_traced = 1,
		.other_first_ns = KS_UNKNOWN,
		.other_last_ns = KS_UNKNOWN,
	};
	struct ks_trace_gpu gpu;

	ks_trace_gpu_clear(&gpu);
	gpu.id = 0;
	gpu.cu_device = 0;
	gpu.name = KS_LIT("synthetic-device");
	gpu.driver = KS_LIT("n/a (synthetic)");
	gpu.cc_major = 8;
	gpu.cc_minor = 9;
	gpu.sm_count = 128;
	gpu.l2_bytes = INT64_C(72) << 20;
	gpu.clock_hz = INT64_C(3105000000);
	gpu.power_limit_w = 450.0;
	KS_TRY(sink->ops->meta(sink->self, &meta, err));
	return sink->ops->gpu(sink->self, &gpu, err);
}

static enum ks_status stream(const struct ks_ctx *ctx, const char *path, const struct ks_sink *sink,
			     struct ks_err *err)
{
	(void)ctx;
	(void)path;
	KS_TRY(stream_facts(sink, err));
	/* it has no ranges and no calls; a sink that wants them hears the end of them */
	if (sink->rows & KS_ROWS_RANGES)
		KS_TRY(sink->ops->ranges_done(sink->self, err));
	if (sink->rows & KS_ROWS_CALLS)
		KS_TRY(sink->ops->calls_done(sink->self, err));
	KS_TRY(stream_launches(sink, err));
	KS_TRY(stream_names(sink, err));

	bool again = true;

	KS_TRY(sink->ops->done(sink->self, &again, err));
	while (again) {
		again = false;
		KS_TRY(stream_launches(sink, err));
		KS_TRY(sink->ops->done(sink->self, &again, err));
	}
	return KS_OK;
}

const struct ks_source_ops ks_source_synth = { .name = "synthetic", .stream = stream };
