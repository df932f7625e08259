/* SPDX-License-Identifier: Apache-2.0
 *
 * The same timeline as Chrome trace events in JSON, with the original's keys: times in microseconds
 * after the first slice, three decimals, so that nanoseconds stay exact. One process per device.
 * Computes nothing.
 */
#include "base/jsonw.h"
#include "base/mem.h"
#include "base/num.h"
#include "render/perfetto.h"

#define CUT_BYTES_MAX ((size_t)1 << 20)
/* How often a closed pipe or a full disk is looked at. */
#define CHECK_EVERY 4096
#define PIDS_LOOKED 4096 /* labels of devices are below it */
#define TID_OF_LANES                                                                               \
	1000000 /* tracks that are no stream's kernels: tid is this and their number               \
		 */
#define NS_PER_US 1000

struct writer {
	const struct ks_ctx *ctx;
	const struct ks_report *r;
	const struct ks_slice_log *log;
	struct ks_out *out;
	struct ks_jsonw w;
	bool host_pid[PIDS_LOOKED]; /* a process of the trace has it */
	bool *shared;		    /* by device: streams of several processes */
};

bool ks_perfetto_is_host(const struct ks_lane *lane)
{
	return lane->kind == KS_LANE_NVTX || lane->kind == KS_LANE_API;
}

const struct ks_slice_log *ks_perfetto_log(const struct ks_report *r, struct ks_err *err)
{
	if (r->timeline && r->timeline->slices)
		return r->timeline->slices;
	(void)ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_RENDER_SLICES, NULL);
	return NULL;
}

ks_str ks_perfetto_cut(const struct ks_ctx *ctx, const struct ks_slice_log *log, struct ks_arena *a)
{
	char text[KS_NUM_LEN];
	struct ks_buf b;
	const ks_str n = { text, ks_num_u64(text, log->left_out) };

	ks_buf_init(&b, CUT_BYTES_MAX);
	ks_text_fmt(&b, (enum ks_lang)ctx->doc_lang, KS_TEXT_R_PERFETTO_CUT, 1, &n);
	const ks_str cut = ks_buf_keep(&b, a);

	ks_buf_release(&b);
	return cut;
}

/* --- who is who ----------------------------------------------------------------------------------
 */

/* A device is the process of its number, as in the original, unless a real process has it. */
static int64_t pid_of(const struct writer *w, const struct ks_lane *lane)
{
	if (ks_perfetto_is_host(lane))
		return lane->pid >= 0 ? lane->pid : KS_PERFETTO_GPU_PID - 1;
	const int64_t label = lane->gpu < w->r->n_gpus ? w->r->gpu[lane->gpu].label : -1;

	return label >= 0 && label < PIDS_LOOKED && !w->host_pid[label]
		       ? label
		       : KS_PERFETTO_GPU_PID + (int64_t)lane->gpu;
}

/* Kernels of a stream have its number, as in the original, unless two processes may have the same.
 */
static int64_t tid_of(const struct writer *w, uint32_t number)
{
	const struct ks_lane *lane = &w->log->lane[number];

	if (lane->kind == KS_LANE_STREAM && lane->number == 0 && !w->shared[lane->gpu] &&
	    lane->stream >= 0 && lane->stream < TID_OF_LANES)
		return lane->stream;
	return TID_OF_LANES + (int64_t)number;
}

static void put_ids(struct writer *w, uint32_t number)
{
	ks_jsonw_kv_i64(&w->w, "pid", pid_of(w, &w->log->lane[number]));
	ks_jsonw_kv_i64(&w->w, "tid", tid_of(w, number));
}

/* --- tracks --------------------------------------------------------------------------------------
 */

static void put_meta(struct writer *w, uint32_t lane, const char *what, ks_str name)
{
	ks_jsonw_obj(&w->w);
	ks_jsonw_kv_cstr(&w->w, "ph", "M");
	ks_jsonw_kv_cstr(&w->w, "name", what);
	put_ids(w, lane);
	ks_jsonw_key(&w->w, "args");
	ks_jsonw_obj(&w->w);
	if (name.p)
		ks_jsonw_kv_str(&w->w, "name", name);
	else
		ks_jsonw_kv_i64(&w->w, "sort_index", lane);
	ks_jsonw_obj_end(&w->w);
	ks_jsonw_obj_end(&w->w);
}

static void put_tracks(struct writer *w)
{
	for (uint32_t i = 0; i < w->log->n_lanes && !ks_out_failed(w->out); i++) {
		const struct ks_lane *lane = &w->log->lane[i];

		put_meta(w, i, "thread_name", lane->name);
		put_meta(w, i, "thread_sort_index", KS_STR_NONE);
		if ((i == 0 || pid_of(w, lane) != pid_of(w, lane - 1)) && lane->process_name.n)
			put_meta(w, i, "process_name", lane->process_name);
	}
}

/* --- slices --------------------------------------------------------------------------------------
 */

/* Nanoseconds as microseconds: a whole number below 2^53, so the quotient is the nearest double and
 * its shortest text the exact one up to 15 digits (11 days). */
static void put_us(struct writer *w, const char *key, ks_ns ns)
{
	ks_jsonw_kv_double(&w->w, key, (double)ns / NS_PER_US);
}

/* Unsigned, because ranges may hold any time. */
static ks_ns since_first(const struct writer *w, ks_ns at)
{
	return (ks_ns)((uint64_t)at - (uint64_t)w->log->first_ns);
}

static void put_three(struct writer *w, const char *key, const int64_t v[3])
{
	ks_jsonw_key(&w->w, key);
	ks_jsonw_arr(&w->w);
	for (unsigned i = 0; i < 3; i++) {
		if (v[i] == KS_UNKNOWN)
			ks_jsonw_null(&w->w);
		else
			ks_jsonw_i64(&w->w, v[i]);
	}
	ks_jsonw_arr_end(&w->w);
}

static void put_known(struct writer *w, const char *key, int64_t v)
{
	if (v != KS_UNKNOWN)
		ks_jsonw_kv_i64(&w->w, key, v);
}

static void put_args(struct writer *w, const struct ks_slice *s, enum ks_lane_kind kind)
{
	const struct ks_config *c = s->config;

	ks_jsonw_key(&w->w, "args");
	ks_jsonw_obj(&w->w);
	if (c) {
		put_three(w, "grid", c->grid);
		put_three(w, "block", c->block);
		ks_jsonw_kv_str(&w->w, "config", c->key);
		put_known(w, "registers_per_thread", c->regs);
		put_known(w, "static_smem_bytes", c->static_smem);
		put_known(w, "dynamic_smem_bytes", c->dynamic_smem);
	}
	if (kind == KS_LANE_STREAM)
		ks_jsonw_kv_bool(&w->w, "cuda_graph", s->graph);
	if (kind == KS_LANE_COPY)
		put_known(w, "bytes", s->bytes);
	ks_jsonw_kv_cstr(&w->w, "provenance", "exact");
	if (kind == KS_LANE_STREAM)
		ks_jsonw_kv_cstr(&w->w, "source", "CUPTI activity (nsys sqlite)");
	ks_jsonw_obj_end(&w->w);
}

static const char *category(enum ks_lane_kind kind)
{
	static const char *const word[] = {
		[KS_LANE_STREAM] = "kernel", [KS_LANE_COPY] = "memory",
		[KS_LANE_SYNC] = "sync",     [KS_LANE_NVTX] = "nvtx",
		[KS_LANE_API] = "cuda_api",  [KS_LANE_MEMORY] = "memory_in_use",
	};

	return word[kind];
}

static void put_event_head(struct writer *w, const struct ks_slice *s, const char *phase)
{
	ks_jsonw_kv_cstr(&w->w, "ph", phase);
	ks_jsonw_kv_str(&w->w, "name", s->name);
	ks_jsonw_kv_cstr(&w->w, "cat", category(w->log->lane[s->lane].kind));
	put_us(w, "ts", since_first(w, s->start_ns));
}

static void put_counter(struct writer *w, const struct ks_slice *s)
{
	ks_jsonw_obj(&w->w);
	put_event_head(w, s, "C");
	put_ids(w, s->lane);
	ks_jsonw_key(&w->w, "args");
	ks_jsonw_obj(&w->w);
	ks_jsonw_kv_i64(&w->w, "bytes", s->bytes);
	ks_jsonw_obj_end(&w->w);
	ks_jsonw_obj_end(&w->w);
}

static void put_slice(struct writer *w, const struct ks_slice *s)
{
	const enum ks_lane_kind kind = w->log->lane[s->lane].kind;
	const bool mark = s->end_ns == s->start_ns;

	ks_jsonw_obj(&w->w);
	put_event_head(w, s, mark ? "i" : "X");
	if (mark)
		ks_jsonw_kv_cstr(&w->w, "s", "t");
	else
		put_us(w, "dur", (ks_ns)((uint64_t)s->end_ns - (uint64_t)s->start_ns));
	put_ids(w, s->lane);
	put_args(w, s, kind);
	ks_jsonw_obj_end(&w->w);
}

/* From the call to its work; where a call launched several, each but the call is a step. */
static void put_flow(struct writer *w, const struct ks_slice *s)
{
	char id[KS_NUM_LEN];

	ks_jsonw_obj(&w->w);
	ks_jsonw_kv_cstr(&w->w, "ph", s->flow_starts ? "s" : s->flow_shared ? "t" : "f");
	if (!s->flow_starts)
		ks_jsonw_kv_cstr(&w->w, "bp", "e");
	ks_jsonw_kv_cstr(&w->w, "name", "launch");
	ks_jsonw_kv_cstr(&w->w, "cat", "flow");
	ks_jsonw_kv_str(&w->w, "id", (ks_str){ id, ks_num_u64(id, s->flow) });
	put_us(w, "ts", since_first(w, s->start_ns));
	put_ids(w, s->lane);
	ks_jsonw_obj_end(&w->w);
}

static enum ks_status put_slices(struct writer *w, struct ks_err *err)
{
	struct ks_slice s;
	bool got = true;

	KS_TRY(w->log->rewind(w->log->self, err));
	for (uint64_t i = 0;; i++) {
		if (i % CHECK_EVERY == 0 && ks_out_failed(w->out))
			return KS_OK;
		KS_TRY(w->log->next(w->log->self, &s, &got, err));
		if (!got)
			return KS_OK;
		ks_out_ch(w->out, '\n');
		if (w->log->lane[s.lane].kind == KS_LANE_MEMORY)
			put_counter(w, &s);
		else
			put_slice(w, &s);
		if (s.flow)
			put_flow(w, &s);
	}
}

/* --- the whole -----------------------------------------------------------------------------------
 */

static enum ks_status put_metadata(struct writer *w, struct ks_err *err)
{
	struct ks_arena tmp;

	ks_jsonw_key(&w->w, "metadata");
	ks_jsonw_obj(&w->w);
	ks_jsonw_kv_cstr(&w->w, "generator", "kernoscope " KS_VERSION);
	ks_jsonw_kv_i64(&w->w, "time_base_offset_ns", w->log->first_ns);
	ks_jsonw_kv_cstr(&w->w, "provenance", "exact (CUPTI activity timestamps)");
	ks_arena_init(&tmp, CUT_BYTES_MAX);
	if (w->log->left_out) {
		ks_jsonw_key(&w->w, "left_out_slices");
		ks_jsonw_u64(&w->w, w->log->left_out);
		ks_jsonw_kv_i64(&w->w, "cut_ns", w->log->cut_ns);
		ks_jsonw_kv_str(&w->w, "note", ks_perfetto_cut(w->ctx, w->log, &tmp));
	}
	const bool failed = ks_arena_failed(&tmp);

	ks_arena_release(&tmp);
	ks_jsonw_obj_end(&w->w);
	return failed ? ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_RENDER_MEMORY, NULL) : KS_OK;
}

static void look_at_lanes(struct writer *w)
{
	for (size_t i = 0; i < w->log->n_lanes; i++) {
		const struct ks_lane *lane = &w->log->lane[i];

		if (i > 0 && lane->kind == KS_LANE_STREAM && lane[-1].kind == KS_LANE_STREAM &&
		    lane->gpu == lane[-1].gpu && lane->pid != lane[-1].pid)
			w->shared[lane->gpu] = true;

		if (ks_perfetto_is_host(lane) && lane->pid >= 0 && lane->pid < PIDS_LOOKED)
			w->host_pid[lane->pid] = true;
	}
}

static enum ks_status write_all(struct writer *w, struct ks_err *err)
{
	look_at_lanes(w);
	ks_jsonw_init(&w->w, w->out, 0);
	ks_jsonw_obj(&w->w);
	ks_jsonw_kv_cstr(&w->w, "displayTimeUnit", "ns");
	ks_jsonw_key(&w->w, "traceEvents");
	ks_jsonw_arr(&w->w);
	put_tracks(w);
	KS_TRY(put_slices(w, err));
	ks_jsonw_arr_end(&w->w);
	KS_TRY(put_metadata(w, err));
	ks_jsonw_obj_end(&w->w);
	ks_out_ch(w->out, '\n');
	return KS_OK;
}

static enum ks_status render(const struct ks_ctx *ctx, const struct ks_report *r,
			     const struct ks_view *v, struct ks_out *out, struct ks_err *err)
{
	struct writer w = { .ctx = ctx, .r = r, .log = ks_perfetto_log(r, err), .out = out };

	(void)v;
	if (!w.log)
		return KS_E_INPUT;
	w.shared = ks_mem_alloc(r->n_gpus + 1);
	if (!w.shared)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_RENDER_MEMORY, NULL);
	const enum ks_status st = write_all(&w, err);

	ks_mem_free(w.shared);
	return st;
}

const struct ks_render_ops ks_render_perfetto_json = {
	.format = KS_FORMAT_PERFETTO,
	.render = render,
};
