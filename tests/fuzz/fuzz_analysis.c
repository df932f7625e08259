/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as the rows of a trace, past every reader: what analysis counts must stay in bounds,
 * end in order, and give a report that every format can write. The first two bytes choose what is
 * asked for; the rest are rows, each a kind and as many numbers as it has, in the order a source
 * must keep.
 */
#define KS_BASE_DOOR

#include "analyze/analyze.h"
#include "render/perfetto.h"
#include "render/render.h"
#include "verdict/verdict.h"
#include "input.h"

struct bytes {
	const uint8_t *p;
	size_t n;
};

static uint8_t byte(struct bytes *b)
{
	if (b->n == 0)
		return 0;
	b->n--;
	return *b->p++;
}

/* Mostly small, so that rows meet; sometimes the numbers that arithmetic breaks on. */
static int64_t number(struct bytes *b)
{
	static const int64_t odd[] = { KS_UNKNOWN,
				       -1,
				       INT64_MAX,
				       (INT64_C(1) << 62) - 1,
				       -(INT64_C(1) << 62) + 1,
				       INT64_C(1) << 48,
				       INT64_C(1) << 32,
				       UINT32_MAX,
				       INT32_MAX,
				       0 };
	const uint8_t first = byte(b);
	int64_t v = 0;

	if (first < 128)
		return first;
	if (first < 200)
		return (int64_t)(first - 128) << 20;
	if (first < 250)
		return odd[first % KS_ARRAY_LEN(odd)];
	for (int i = 0; i < 7; i++)
		v = v << 8 | byte(b);
	return v;
}

/* A time as sources hand them on: within 2^62 or unknown (nsys.h, KS_NSYS_TIME_MAX). */
static ks_ns when(struct bytes *b)
{
	const int64_t v = number(b);

	return v == KS_UNKNOWN || (v < INT64_C(1) << 62 && v > -(INT64_C(1) << 62)) ? v
										    : KS_UNKNOWN;
}

/* Sizes and counts as sources hand them on: never negative but for unknown. */
static int64_t count(struct bytes *b)
{
	const int64_t v = number(b);

	return v < 0 ? KS_UNKNOWN : v;
}

#define TEXT(s)                                                                                    \
	{                                                                                          \
		(s), sizeof(s) - 1                                                                 \
	}
static const ks_str texts[] = {
	TEXT("step"),
	TEXT("step 1"),
	TEXT("step 2"),
	TEXT("void gemm<1>(x)"),
	TEXT("ncclDevKernel_AllReduce(x)"),
	TEXT("cudaLaunchKernel_v7000"),
	TEXT("cudaGraphLaunch_v10000"),
	TEXT("cudaStreamSynchronize_v3020"),
	TEXT("ncclSend"),
	TEXT("a;b\nc"),
	TEXT("\xff\xfe"),
	TEXT(""),
};

static ks_nameref name(struct bytes *b)
{
	return byte(b) % (KS_ARRAY_LEN(texts) + 1); /* 0: none */
}

static enum ks_status tell_names(const struct ks_sink *s, struct ks_err *err)
{
	const ks_nameref *ref = NULL;
	size_t n = 0;

	s->ops->wanted(s->self, &ref, &n);
	for (size_t i = 0; i < n; i++)
		KS_TRY(s->ops->name(s->self, ref[i], texts[ref[i] - 1], err));
	return KS_OK;
}

static enum ks_status facts(struct bytes *b, const struct ks_sink *s, struct ks_err *err)
{
	const struct ks_trace_meta meta = { .kind = KS_LIT("fuzz"),
					    .utc_epoch_ns = KS_UNKNOWN,
					    .capture_ns = KS_UNKNOWN,
					    .has_kernel_table = true,
					    .cuda_traced = 1,
					    .other_first_ns = 0,
					    .other_last_ns = 100 };
	struct ks_trace_gpu gpu;

	KS_TRY(s->ops->meta(s->self, &meta, err));
	ks_trace_gpu_clear(&gpu);
	gpu.id = gpu.cu_device = 0;
	gpu.cc_major = 8;
	gpu.cc_minor = 0;
	gpu.sm_count = 108;
	gpu.memory_bandwidth = count(b);
	return s->ops->gpu(s->self, &gpu, err);
}

static enum ks_status ranges(struct bytes *b, const struct ks_sink *s, struct ks_err *err)
{
	static const uint8_t blob[24] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };

	for (unsigned n = byte(b); n > 0; n--) {
		struct ks_range r = { .start_ns = when(b),
				      .end_ns = when(b),
				      .thread = number(b),
				      .end_thread = KS_UNKNOWN,
				      .domain = number(b),
				      .type = 59 + byte(b) % 17,
				      .name = name(b),
				      .schema = byte(b) % 3,
				      .value = KS_UNKNOWN };

		r.payload = (ks_str){ (const char *)blob, byte(b) % sizeof(blob) };
		if (byte(b) % 8 == 0) {
			const struct ks_payload_entry e = {
				.domain = r.domain,
				.schema = r.schema,
				.type = number(b),
				.offset = number(b),
				.payload_bytes = KS_UNKNOWN,
				.name = KS_LIT("Message size [bytes]"),
			};

			KS_TRY(s->ops->schema(s->self, &e, err));
		}
		KS_TRY(s->ops->range(s->self, &r, err));
	}
	KS_TRY(tell_names(s, err));
	return s->ops->ranges_done(s->self, err);
}

static enum ks_status calls(struct bytes *b, const struct ks_sink *s, struct ks_err *err)
{
	for (unsigned n = byte(b) % 8; n > 0; n--) {
		const struct ks_overhead o = { when(b), when(b), number(b), true, 0 };

		KS_TRY(s->ops->overhead(s->self, &o, err));
	}
	for (unsigned n = byte(b); n > 0; n--) {
		const struct ks_call c = { .start_ns = when(b),
					   .end_ns = when(b),
					   .thread = number(b),
					   .correlation = number(b),
					   .result = number(b),
					   .chain = number(b),
					   .event_class = byte(b) % 70,
					   .name = name(b) };

		KS_TRY(s->ops->call(s->self, &c, err));
	}
	return s->ops->calls_done(s->self, err);
}

static enum ks_status other_work(struct bytes *b, const struct ks_sink *s, struct ks_err *err)
{
	for (unsigned n = byte(b) % 8; n > 0; n--) {
		const struct ks_graph_run g = { .start_ns = when(b),
						.end_ns = when(b),
						.device = count(b),
						.process = number(b),
						.correlation = number(b) };

		KS_TRY(s->ops->graph_run(s->self, &g, err));
	}
	for (unsigned n = byte(b) % 64; n > 0; n--) {
		const struct ks_copy c = { .start_ns = when(b),
					   .end_ns = when(b),
					   .device = count(b),
					   .process = number(b),
					   .stream = number(b),
					   .correlation = number(b),
					   .bytes = count(b),
					   .kind = number(b),
					   .src_kind = number(b),
					   .dst_kind = number(b),
					   .src_device = count(b),
					   .dst_device = count(b),
					   .cause = number(b) };

		KS_TRY(s->ops->copy(s->self, &c, err));
	}
	for (unsigned n = byte(b) % 8; n > 0; n--) {
		const struct ks_memset m = { .start_ns = when(b),
					     .end_ns = when(b),
					     .device = count(b),
					     .bytes = count(b) };
		const struct ks_memory u = { .start_ns = when(b),
					     .device = count(b),
					     .bytes = count(b),
					     .kind = number(b),
					     .operation = byte(b) % 3 };
		const struct ks_sync y = { .start_ns = when(b),
					   .end_ns = when(b),
					   .device = count(b),
					   .type = byte(b) % 6 };

		KS_TRY(s->ops->memset(s->self, &m, err));
		KS_TRY(s->ops->sync(s->self, &y, err));
		KS_TRY(s->ops->memory(s->self, &u, err));
	}
	return KS_OK;
}

static enum ks_status launches(struct bytes *b, const struct ks_sink *s, struct ks_err *err)
{
	while (b->n > 0) {
		const struct ks_launch l = { .start_ns = when(b),
					     .end_ns = when(b),
					     .device = count(b),
					     .process = number(b),
					     .context = byte(b) % 3,
					     .stream = number(b),
					     .correlation = number(b),
					     .demangled = name(b),
					     .grid = { 1, 1, 1 },
					     .block = { 32, 1, 1 },
					     .regs = 32,
					     .smem_executed = KS_UNKNOWN,
					     .graph_node = byte(b) % 4 };

		KS_TRY(s->ops->launch(s->self, &l, err));
	}
	return tell_names(s, err);
}

static enum ks_status stream(struct bytes *b, const struct ks_sink *s, struct ks_err *err)
{
	bool again = false;

	KS_TRY(facts(b, s, err));
	KS_TRY(ranges(b, s, err));
	KS_TRY(calls(b, s, err));
	KS_TRY(other_work(b, s, err));
	KS_TRY(launches(b, s, err));
	for (int64_t chain = 0; chain < 4; chain++) {
		const struct ks_frame f = { .chain = chain, .symbol = 1 + chain, .module = 2 };

		KS_TRY(s->ops->frame(s->self, &f, err));
	}
	KS_TRY(tell_names(s, err));
	return s->ops->done(s->self, &again, err);
}

static void write_all(const struct ks_ctx *ctx, const struct ks_report *r)
{
	static const struct ks_render_ops *const ops[] = {
		&ks_render_text,      &ks_render_json,	   &ks_render_csv,
		&ks_render_folded,    &ks_render_nvtx_csv, &ks_render_timeline,
		&ks_render_histogram, &ks_render_perfetto, &ks_render_perfetto_json,
	};
	const struct ks_view view = { .term = { .cols = 100 }, .details = KS_DETAILS_ALL };

	for (size_t i = 0; i < KS_ARRAY_LEN(ops); i++) {
		struct ks_err err;
		struct ks_out out;

		ks_err_init(&err);
		ks_out_open_null(&out);
		(void)ops[i]->render(ctx, r, &view, &out, &err);
		(void)ks_out_commit(&out, &err);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const windows[] = { "",	    "10..90",	 "..50",
					       "nvtx:step", "step:0..2", "step:1" };
	struct bytes b = { data, size };
	struct ks_arena arena;
	const struct ks_ctx ctx = {
		.io = &ks_io_system, .clock = &ks_clock_system, .env = no_environment, .run = &arena
	};
	const uint8_t first = byte(&b), second = byte(&b);
	struct ks_selection sel = { .timeline = true, .by_overlap = first & 1 };
	struct ks_report *report = NULL;
	struct ks_err err;

	sel.within = (ks_str){ windows[second % KS_ARRAY_LEN(windows)],
			       strlen(windows[second % KS_ARRAY_LEN(windows)]) };
	sel.keep_phases = sel.keep_paths = sel.keep_folded = sel.keep_slices = true;
	sel.draw_timeline = sel.draw_durations = sel.draw_occupancy = true;
	sel.slice_limit = first & 2 ? 20 : 0;
	for (size_t i = 0; i < KS_SECTION_COUNT; i++)
		sel.section_on[i] = true;
	ks_err_init(&err);
	ks_arena_init(&arena, (size_t)1 << 28);
	struct ks_analysis *a = ks_analysis_open(&ctx, &sel);

	if (a) {
		enum ks_status st = stream(&b, ks_analysis_sink(a), &err);

		if (st == KS_OK)
			st = ks_analysis_finish(a, &report, &err);
		if (st != err.status) /* an error without a record of it, or the other way round */
			abort();
		if (st == KS_OK && ks_verdicts_make(&ctx, report, &err) == KS_OK)
			write_all(&ctx, report);
	}
	ks_analysis_close(a);
	ks_arena_release(&arena);
	return 0;
}
