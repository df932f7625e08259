/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of a report about the run as a whole. What is not known is null, never 0. The meta
 * object of a report that was read is written back as it was.
 */
#include "base/str.h"
#include "evidence/ratio.h"
#include "evidence/value.h"
#include "render/json.h"

#define MIB (1024.0 * 1024.0)

static void known_mib(struct ks_json *j, const char *key, int64_t bytes)
{
	ks_jsonw_key(&j->w, key);
	if (bytes <= 0)
		ks_jsonw_null(&j->w);
	else
		ks_jsonw_double(&j->w, (double)bytes / MIB);
}

static void known_real(struct ks_json *j, const char *key, double v)
{
	ks_jsonw_key(&j->w, key);
	if (v < 0.0)
		ks_jsonw_null(&j->w);
	else
		ks_jsonw_double(&j->w, v);
}

static void capability(struct ks_json *j, const struct ks_gpu *g)
{
	ks_buf_reset(&j->text);
	if (g->cc_major >= 0 && g->cc_minor >= 0)
		ks_buf_fmt(&j->text, "%d.%d", g->cc_major, g->cc_minor);
	ks_jsonw_kv_str(&j->w, "compute_capability", ks_buf_view(&j->text));
}

/* The keys of the original's device object. */
static void device_facts(struct ks_json *j, const struct ks_gpu *g)
{
	ks_jsonw_kv_str(&j->w, "name", g->name);
	ks_jsonw_kv_str(&j->w, "driver", g->driver);
	ks_jsonw_kv_cstr(&j->w, "cuda_runtime", "");
	ks_json_known(j, "sm_count", g->sm_count);
	capability(j, g);
	known_mib(j, "l2_mib", g->l2_bytes);
	known_mib(j, "memory_total_mib", g->memory_bytes);
	ks_json_known(j, "max_sm_clock_mhz", g->max_sm_clock_mhz);
	known_real(j, "power_limit_w", g->power_limit_w);
	ks_jsonw_key(&j->w, "measured_peaks");
	ks_jsonw_obj(&j->w);
	ks_jsonw_obj_end(&j->w);
}

void ks_json_device(struct ks_json *j)
{
	static const struct ks_gpu none = {
		.cc_major = -1,
		.cc_minor = -1,
		.sm_count = KS_UNKNOWN,
		.l2_bytes = KS_UNKNOWN,
		.memory_bytes = KS_UNKNOWN,
		.max_sm_clock_mhz = KS_UNKNOWN,
		.power_limit_w = -1.0,
	};
	const struct ks_report *r = j->r;

	ks_jsonw_key(&j->w, "device");
	ks_jsonw_obj(&j->w);
	device_facts(j, r->n_gpus > 0 ? &r->gpu[0] : &none);
	ks_jsonw_obj_end(&j->w);
	ks_jsonw_key(&j->w, "device_ids");
	ks_jsonw_arr(&j->w);
	for (size_t i = 0; i < r->n_gpus; i++)
		if (r->gpu[i].used)
			ks_jsonw_i64(&j->w, r->gpu[i].label);
	ks_jsonw_arr_end(&j->w);
	ks_jsonw_kv_bool(&j->w, "multi_device", r->multi_device);
}

static void null_of(struct ks_json *j, const char *key)
{
	ks_jsonw_key(&j->w, key);
	ks_jsonw_null(&j->w);
}

static void peaks(struct ks_json *j)
{
	ks_jsonw_kv_cstr(&j->w, "peak_source", "none");
	null_of(j, "peak_override");
	ks_jsonw_key(&j->w, "peaks");
	ks_jsonw_obj(&j->w);
	null_of(j, "bw_gbs");
	null_of(j, "compute_tflops");
	null_of(j, "ceiling_tflops");
	ks_jsonw_obj_end(&j->w);
	null_of(j, "calibration");
	null_of(j, "memtrace");
}

/* The original prints this text and reads "mode=" back from it. */
static void window(struct ks_json *j)
{
	const struct ks_report *r = j->r;
	char seconds[32];
	size_t n = (size_t)snprintf(seconds, sizeof(seconds), "%.6f", (double)r->span_ns / 1e9);
	const ks_str arg[] = { r->window_mode, { seconds, n }, r->within };
	const enum ks_text whole =
		r->span_from_other_rows ? KS_TEXT_R_J_WINDOW_OTHER : KS_TEXT_R_J_WINDOW;
	const struct ks_msg m = {
		.id = r->within.n > 0 ? KS_TEXT_R_J_WINDOW_WITHIN : whole,
		.n = 3,
		.arg = arg,
	};

	ks_json_msg(j, "window", &m);
	ks_jsonw_kv_str(&j->w, "window_mode", r->window_mode);
	if (r->within.n > 0)
		ks_jsonw_kv_str(&j->w, "within", r->within);
	ks_jsonw_kv_cstr(&j->w, "dram_summary_unavailable",
			 ks_refusal_info(KS_REFUSAL_NO_NVML_SAMPLES)->title[j->lang]);
}

static void selfcheck(struct ks_json *j)
{
	const struct ks_selfcheck *s = j->r->carried ? j->r->carried->selfcheck : NULL;

	if (s == NULL)
		return;
	ks_jsonw_key(&j->w, "selfcheck");
	ks_jsonw_obj(&j->w);
	if (s->gpu.n > 0)
		ks_jsonw_kv_str(&j->w, "gpu", s->gpu);
	if (s->n_dram_band > 0) {
		ks_jsonw_key(&j->w, "band");
		ks_jsonw_obj(&j->w);
		ks_jsonw_key(&j->w, "dram_bytes_pct");
		ks_kvs_json(&j->w, s->dram_band, s->n_dram_band);
		ks_jsonw_obj_end(&j->w);
	}
	ks_jsonw_key(&j->w, "mdd");
	ks_jsonw_obj(&j->w);
	if (s->dram_mdd_pct >= 0.0)
		ks_jsonw_kv_double(&j->w, "dram_bytes_pct", s->dram_mdd_pct);
	if (s->kernel_time_mdd_pct >= 0.0)
		ks_jsonw_kv_double(&j->w, "kernel_time_pct", s->kernel_time_mdd_pct);
	ks_jsonw_obj_end(&j->w);
	ks_jsonw_obj_end(&j->w);
}

void ks_json_meta(struct ks_json *j)
{
	const struct ks_report *r = j->r;

	ks_jsonw_key(&j->w, "meta");
	if (r->raw_meta.n > 0) {
		ks_out_str(j->w.out, r->raw_meta);
		j->w.after_key = false;
		return;
	}
	ks_jsonw_obj(&j->w);
	if (r->synthetic)
		ks_jsonw_kv_bool(&j->w, "synthetic", true);
	if (r->degraded.n > 0)
		ks_jsonw_kv_str(&j->w, "degraded", r->degraded);
	if (r->redacted != KS_REDACT_NO)
		ks_jsonw_kv_cstr(&j->w, "redacted",
				 r->redacted == KS_REDACT_NAMES ? "names" : "yes");
	ks_jsonw_kv_str(&j->w, "ledger_basis", r->ledger_basis);
	ks_jsonw_kv_str(&j->w, "dtype", r->dtype);
	ks_jsonw_kv_str(&j->w, "kernel_filter", r->kernel_filter);
	ks_jsonw_kv_double(&j->w, "warmup_s", r->warmup_s);
	ks_jsonw_kv_double(&j->w, "window_s", r->window_s);
	peaks(j);
	window(j);
	if (ks_report_kernel_time_pct(r) > 0.0)
		ks_jsonw_kv_double(&j->w, "kernel_time_pct", ks_report_kernel_time_pct(r));
	if (r->input_path.n > 0)
		ks_jsonw_kv_str(&j->w, "nsys_sqlite", r->input_path);
	selfcheck(j);
	ks_json_telemetry(j);
	ks_json_phases(j);
	ks_jsonw_obj_end(&j->w);
}

static void totals(struct ks_json *j)
{
	const struct ks_report *r = j->r;

	ks_jsonw_kv_str(&j->w, "producer", r->producer);
	ks_jsonw_key(&j->w, "span");
	ks_jsonw_obj(&j->w);
	ks_jsonw_kv_i64(&j->w, "start_ns", r->span_start_ns);
	ks_jsonw_kv_i64(&j->w, "duration_ns", r->span_ns);
	ks_jsonw_kv_bool(&j->w, "from_other_rows", r->span_from_other_rows);
	ks_jsonw_kv_i64(&j->w, "capture_ns", r->capture_ns);
	ks_jsonw_obj_end(&j->w);
	ks_jsonw_key(&j->w, "totals");
	ks_jsonw_obj(&j->w);
	ks_jsonw_kv_i64(&j->w, "kernel_ns", r->kernel_ns);
	ks_jsonw_kv_i64(&j->w, "matched_ns", r->matched_ns);
	ks_jsonw_key(&j->w, "launches");
	ks_jsonw_u64(&j->w, r->total_launches);
	ks_jsonw_key(&j->w, "kernels");
	ks_jsonw_u64(&j->w, r->total_kernels);
	ks_jsonw_kv_bool(&j->w, "multi_process", r->multi_process);
	ks_jsonw_obj_end(&j->w);
}

static void device(struct ks_json *j, const struct ks_gpu *g)
{
	ks_jsonw_obj(&j->w);
	ks_json_number(j, "id", g->label);
	device_facts(j, g);
	ks_jsonw_kv_str(&j->w, "uuid", g->uuid);
	ks_jsonw_kv_str(&j->w, "bus", g->bus);
	ks_jsonw_kv_str(&j->w, "chip", g->chip);
	ks_json_known(j, "l2_bytes", g->l2_bytes);
	ks_json_known(j, "memory_bytes", g->memory_bytes);
	ks_json_known(j, "memory_bandwidth", g->memory_bandwidth);
	ks_jsonw_kv_bool(&j->w, "used", g->used);
	ks_jsonw_kv_bool(&j->w, "resolved", g->resolved);
	ks_json_msg(j, "how", &g->how);
	ks_jsonw_key(&j->w, "launch_count");
	ks_jsonw_u64(&j->w, g->launches);
	ks_jsonw_kv_i64(&j->w, "kernel_ns", g->kernel_ns);
	ks_jsonw_kv_i64(&j->w, "kernel_busy_ns", g->kernel_busy_ns);
	ks_jsonw_kv_i64(&j->w, "busy_ns", g->busy_ns);
	ks_jsonw_kv_i64(&j->w, "idle_ns", g->idle_ns);
	ks_jsonw_obj_end(&j->w);
}

static void devices(struct ks_json *j)
{
	ks_jsonw_key(&j->w, "devices");
	ks_jsonw_arr(&j->w);
	for (size_t i = 0; i < j->r->n_gpus; i++)
		device(j, &j->r->gpu[i]);
	ks_jsonw_arr_end(&j->w);
}

static void processes(struct ks_json *j)
{
	const struct ks_report *r = j->r;

	ks_jsonw_key(&j->w, "processes");
	ks_jsonw_arr(&j->w);
	for (size_t i = 0; i < r->n_processes; i++) {
		ks_jsonw_obj(&j->w);
		ks_json_known(j, "pid", r->process[i].pid);
		ks_jsonw_kv_str(&j->w, "name", r->process[i].name);
		ks_jsonw_key(&j->w, "launch_count");
		ks_jsonw_u64(&j->w, r->process[i].launches);
		ks_jsonw_kv_i64(&j->w, "kernel_ns", r->process[i].kernel_ns);
		ks_jsonw_obj_end(&j->w);
	}
	ks_jsonw_arr_end(&j->w);
}

static void streams(struct ks_json *j)
{
	const struct ks_report *r = j->r;

	ks_jsonw_key(&j->w, "streams");
	ks_jsonw_arr(&j->w);
	for (size_t i = 0; i < r->n_streams; i++) {
		ks_jsonw_obj(&j->w);
		ks_json_number(j, "device",
			       r->stream[i].gpu < r->n_gpus ? r->gpu[r->stream[i].gpu].label
							    : KS_UNKNOWN);
		ks_json_known(j, "pid", r->stream[i].pid);
		ks_json_known(j, "stream", r->stream[i].stream);
		ks_jsonw_key(&j->w, "launch_count");
		ks_jsonw_u64(&j->w, r->stream[i].launches);
		ks_jsonw_kv_i64(&j->w, "kernel_ns", r->stream[i].kernel_ns);
		ks_jsonw_obj_end(&j->w);
	}
	ks_jsonw_arr_end(&j->w);
}

static const char *why_word(enum ks_no_kernels why)
{
	static const char *const word[] = {
		[KS_NK_NONE] = "",
		[KS_NK_NOT_TRACED] = "cuda_not_traced",
		[KS_NK_NOTHING_RECORDED] = "nothing_recorded",
		[KS_NK_NO_DRIVER] = "no_driver",
		[KS_NK_GRAPH_ONLY] = "graph_rows_only",
		[KS_NK_NOT_A_TABLE] = "kernel_table_not_read",
		[KS_NK_CODE_ONLY] = "code_only",
		[KS_NK_NO_TRACE] = "no_trace_given",
	};

	return (size_t)why < KS_ARRAY_LEN(word) ? word[why] : "";
}

static void contents(struct ks_json *j)
{
	const struct ks_contents *c = &j->r->contents;
	const struct {
		const char *key;
		uint64_t n;
	} count[] = {
		{ "kernel_rows", c->kernels },
		{ "bad_kernel_rows", c->bad_kernels },
		{ "copy_rows", c->copies },
		{ "bad_copy_rows", c->bad_copies },
		{ "copy_bytes", c->copy_bytes },
		{ "memset_rows", c->memsets },
		{ "bad_memset_rows", c->bad_memsets },
		{ "memset_bytes", c->memset_bytes },
		{ "nvtx_rows", c->nvtx_rows },
		{ "api_calls", c->api_calls },
		{ "graph_launches", c->graph_launches },
		{ "graph_rows", c->graph_rows },
		{ "skipped_launches", c->skipped },
	};

	ks_jsonw_key(&j->w, "contents");
	ks_jsonw_obj(&j->w);
	for (size_t i = 0; i < KS_ARRAY_LEN(count); i++) {
		ks_jsonw_key(&j->w, count[i].key);
		ks_jsonw_u64(&j->w, count[i].n);
	}
	ks_jsonw_kv_cstr(&j->w, "why_no_kernels", why_word(c->why_no_kernels));
	ks_jsonw_obj_end(&j->w);
}

static void holdings(struct ks_json *j)
{
	const struct ks_report *r = j->r;

	ks_jsonw_key(&j->w, "holdings");
	ks_jsonw_arr(&j->w);
	for (size_t i = 0; i < r->n_holdings; i++) {
		ks_jsonw_obj(&j->w);
		ks_jsonw_kv_str(&j->w, "table", r->holding[i].table);
		ks_json_known(j, "rows", r->holding[i].rows);
		ks_jsonw_kv_bool(&j->w, "analysed", r->holding[i].analysed);
		ks_jsonw_obj_end(&j->w);
	}
	ks_jsonw_arr_end(&j->w);
}

static void remarks(struct ks_json *j)
{
	const struct ks_report *r = j->r;

	ks_jsonw_key(&j->w, "diagnostics");
	ks_jsonw_arr(&j->w);
	for (size_t i = 0; i < r->n_diagnostics; i++) {
		ks_jsonw_obj(&j->w);
		ks_jsonw_kv_i64(&j->w, "severity", r->diagnostic[i].severity);
		ks_jsonw_kv_str(&j->w, "text", r->diagnostic[i].text);
		ks_jsonw_key(&j->w, "count");
		ks_jsonw_u64(&j->w, r->diagnostic[i].count);
		ks_jsonw_obj_end(&j->w);
	}
	ks_jsonw_arr_end(&j->w);
	ks_jsonw_key(&j->w, "notes");
	ks_jsonw_arr(&j->w);
	for (size_t i = 0; i < r->n_notes; i++) {
		ks_buf_reset(&j->text);
		ks_msg_fmt(&j->text, j->lang, &r->note[i]);
		ks_jsonw_str(&j->w, ks_buf_view(&j->text));
	}
	ks_jsonw_arr_end(&j->w);
}

void ks_json_context(struct ks_json *j)
{
	totals(j);
	devices(j);
	processes(j);
	streams(j);
	contents(j);
	holdings(j);
	remarks(j);
}
