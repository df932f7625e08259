/* SPDX-License-Identifier: Apache-2.0
 *
 * What a report says of the run as a whole: program, devices, processes, span, contents,
 * remarks. The original writes some of it; the rest has keys of ours and is unknown in its
 * reports.
 */
#include "base/str.h"
#include "source/ksreport.h"

#define MIB (1024.0 * 1024.0)

static int64_t mib_to_bytes(double mib)
{
	return mib > 0.0 && mib < 1e12 ? (int64_t)(mib * MIB) : KS_UNKNOWN;
}

/* "8.9"; -1 for what it does not say. */
static void read_capability(const ks_str text, struct ks_gpu *g)
{
	int part[2] = { -1, -1 };
	size_t i = 0;

	for (int k = 0; k < 2; k++) {
		for (; i < text.n && text.p[i] >= '0' && text.p[i] <= '9' && part[k] < 1000; i++)
			part[k] = (part[k] < 0 ? 0 : part[k] * 10) + (text.p[i] - '0');
		if (k == 0 && i < text.n && text.p[i] == '.')
			i++;
	}
	if (part[0] >= 0 && part[1] >= 0 && i == text.n) {
		g->cc_major = part[0];
		g->cc_minor = part[1];
	}
}

/* 0 is what the original writes for a fact it does not have. */
static int64_t fact(struct ks_reader *r, const json_t *o, const char *key)
{
	const double v = ks_reader_real(r, o, key, 0.0);

	return v > 0.0 && v < 9e15 ? (int64_t)v : KS_UNKNOWN;
}

static void read_facts(struct ks_reader *r, const json_t *o, struct ks_gpu *g)
{
	g->name = ks_reader_text(r, o, "name");
	g->driver = ks_reader_text(r, o, "driver");
	g->sm_count = fact(r, o, "sm_count");
	g->cc_major = -1;
	g->cc_minor = -1;
	read_capability(ks_reader_text(r, o, "compute_capability"), g);
	g->l2_bytes = mib_to_bytes(ks_reader_real(r, o, "l2_mib", 0.0));
	g->memory_bytes = mib_to_bytes(ks_reader_real(r, o, "memory_total_mib", 0.0));
	g->max_sm_clock_mhz = fact(r, o, "max_sm_clock_mhz");
	g->power_limit_w = ks_reader_real(r, o, "power_limit_w", -1.0);
	if (!(g->power_limit_w > 0.0))
		g->power_limit_w = -1.0;
	g->memory_bandwidth = KS_UNKNOWN;
}

static void read_device(struct ks_reader *r, const json_t *o, struct ks_gpu *g)
{
	read_facts(r, o, g);
	g->label = ks_reader_int(r, o, "id", KS_UNKNOWN);
	g->uuid = ks_reader_text(r, o, "uuid");
	g->bus = ks_reader_text(r, o, "bus");
	g->chip = ks_reader_text(r, o, "chip");
	g->l2_bytes = ks_reader_int(r, o, "l2_bytes", g->l2_bytes);
	g->memory_bytes = ks_reader_int(r, o, "memory_bytes", g->memory_bytes);
	g->memory_bandwidth = ks_reader_int(r, o, "memory_bandwidth", KS_UNKNOWN);
	g->used = ks_reader_bool(r, o, "used", false);
	g->resolved = ks_reader_bool(r, o, "resolved", false);
	g->how = ks_reader_msg(r, o, "how");
	g->launches = ks_reader_count(r, o, "launch_count");
	g->kernel_ns = ks_reader_int(r, o, "kernel_ns", 0);
	g->kernel_busy_ns = ks_reader_int(r, o, "kernel_busy_ns", 0);
	g->busy_ns = ks_reader_int(r, o, "busy_ns", 0);
	g->idle_ns = ks_reader_int(r, o, "idle_ns", 0);
}

/* The original describes one device, of the machine it ran on, and lists the ordinals that had
 * rows. */
static void read_devices_of_original(struct ks_reader *r, const json_t *doc)
{
	const json_t *facts = ks_reader_object(r, doc, "device");
	const json_t *ids = ks_reader_array(r, doc, "device_ids");
	const size_t n_ids = json_array_size(ids);
	const size_t n = n_ids ? n_ids : facts != NULL;
	struct ks_gpu *gpu = KS_ARENA_NEWS(r->arena, struct ks_gpu, n);

	if (!gpu) {
		ks_reader_no_memory(r);
		return;
	}
	for (size_t i = 0; i < n && !r->failed; i++) {
		const json_t *id = json_array_get(ids, i);
		const size_t mark = ks_reader_enter(r, "device", KS_READER_NO_INDEX);

		read_facts(r, i == 0 ? facts : NULL, &gpu[i]);
		ks_reader_leave(r, mark);
		if (id && !json_is_integer(id))
			ks_reader_wrong(r, "device_ids", KS_TEXT_SRC_SHAPE_INT);
		gpu[i].label = json_integer_value(id);
		gpu[i].used = n_ids > 0;
		gpu[i].resolved = i == 0;
	}
	r->report->gpu = gpu;
	r->report->n_gpus = n;
}

static void read_devices(struct ks_reader *r, const json_t *doc)
{
	const json_t *list = ks_reader_array(r, doc, "devices");
	const size_t n = json_array_size(list);

	if (!list) {
		read_devices_of_original(r, doc);
	} else {
		struct ks_gpu *gpu = KS_ARENA_NEWS(r->arena, struct ks_gpu, n);

		for (size_t i = 0; gpu && i < n && !r->failed; i++) {
			const size_t mark = ks_reader_enter(r, "devices", i);

			read_device(r, ks_reader_element(r, list, i), &gpu[i]);
			ks_reader_leave(r, mark);
		}
		if (!gpu)
			ks_reader_no_memory(r);
		r->report->gpu = gpu;
		r->report->n_gpus = gpu ? n : 0;
	}
	for (size_t i = 0; i < r->report->n_gpus; i++)
		r->report->n_gpus_used += r->report->gpu[i].used;
	r->report->multi_device =
		ks_reader_bool(r, doc, "multi_device", r->report->n_gpus_used > 1);
}

static void read_processes(struct ks_reader *r, const json_t *doc)
{
	const json_t *list = ks_reader_array(r, doc, "processes");
	const size_t n = json_array_size(list);
	struct ks_process *process = KS_ARENA_NEWS(r->arena, struct ks_process, n);

	if (!process) {
		ks_reader_no_memory(r);
		return;
	}
	for (size_t i = 0; i < n && !r->failed; i++) {
		const size_t mark = ks_reader_enter(r, "processes", i);
		const json_t *o = ks_reader_element(r, list, i);

		process[i].pid = ks_reader_int(r, o, "pid", KS_UNKNOWN);
		process[i].name = ks_reader_text(r, o, "name");
		process[i].launches = ks_reader_count(r, o, "launch_count");
		process[i].kernel_ns = ks_reader_int(r, o, "kernel_ns", 0);
		ks_reader_leave(r, mark);
	}
	r->report->process = process;
	r->report->n_processes = n;
}

size_t ks_reader_gpu(struct ks_reader *r, const json_t *o, const char *key)
{
	const int64_t label = ks_reader_int(r, o, key, KS_UNKNOWN);
	size_t i = 0;

	while (i < r->report->n_gpus && r->report->gpu[i].label != label)
		i++;
	if (i >= r->report->n_gpus)
		ks_reader_wrong(r, key, KS_TEXT_SRC_SHAPE_INT);
	return i;
}

static void read_streams(struct ks_reader *r, const json_t *doc)
{
	const json_t *list = ks_reader_array(r, doc, "streams");
	const size_t n = json_array_size(list);
	struct ks_stream *stream = KS_ARENA_NEWS(r->arena, struct ks_stream, n);

	if (!stream) {
		ks_reader_no_memory(r);
		return;
	}
	for (size_t i = 0; i < n && !r->failed; i++) {
		const size_t mark = ks_reader_enter(r, "streams", i);
		const json_t *o = ks_reader_element(r, list, i);

		stream[i].gpu = ks_reader_gpu(r, o, "device");
		stream[i].pid = ks_reader_int(r, o, "pid", KS_UNKNOWN);
		stream[i].stream = ks_reader_int(r, o, "stream", KS_UNKNOWN);
		stream[i].launches = ks_reader_count(r, o, "launch_count");
		stream[i].kernel_ns = ks_reader_int(r, o, "kernel_ns", 0);
		ks_reader_leave(r, mark);
	}
	r->report->stream = stream;
	r->report->n_streams = n;
}

static void read_span(struct ks_reader *r, const json_t *doc)
{
	const json_t *span = ks_reader_object(r, doc, "span");
	const json_t *totals = ks_reader_object(r, doc, "totals");
	struct ks_report *p = r->report;

	p->span_ns = ks_reader_int(r, doc, "wall_time_ns", 0);
	p->span_start_ns = ks_reader_int(r, span, "start_ns", 0);
	p->span_ns = ks_reader_int(r, span, "duration_ns", p->span_ns);
	p->span_from_other_rows = ks_reader_bool(r, span, "from_other_rows", false);
	p->capture_ns = ks_reader_int(r, span, "capture_ns", 0);
	p->kernel_ns = ks_reader_int(r, totals, "kernel_ns", 0);
	p->matched_ns = ks_reader_int(r, totals, "matched_ns", 0);
	p->total_launches = ks_reader_count(r, totals, "launches");
	p->total_kernels = (size_t)ks_reader_count(r, totals, "kernels");
	p->multi_process = ks_reader_bool(r, totals, "multi_process", false);
}

static const struct {
	const char *word;
	enum ks_no_kernels why;
} why_words[] = {
	{ "cuda_not_traced", KS_NK_NOT_TRACED },
	{ "nothing_recorded", KS_NK_NOTHING_RECORDED },
	{ "no_driver", KS_NK_NO_DRIVER },
	{ "graph_rows_only", KS_NK_GRAPH_ONLY },
	{ "kernel_table_not_read", KS_NK_NOT_A_TABLE },
	{ "code_only", KS_NK_CODE_ONLY },
	{ "no_trace_given", KS_NK_NO_TRACE },
};

static void read_contents(struct ks_reader *r, const json_t *doc)
{
	const json_t *o = ks_reader_object(r, doc, "contents");
	struct ks_contents *c = &r->report->contents;
	const struct {
		const char *key;
		uint64_t *to;
	} count[] = {
		{ "kernel_rows", &c->kernels },
		{ "bad_kernel_rows", &c->bad_kernels },
		{ "copy_rows", &c->copies },
		{ "bad_copy_rows", &c->bad_copies },
		{ "copy_bytes", &c->copy_bytes },
		{ "memset_rows", &c->memsets },
		{ "bad_memset_rows", &c->bad_memsets },
		{ "memset_bytes", &c->memset_bytes },
		{ "nvtx_rows", &c->nvtx_rows },
		{ "api_calls", &c->api_calls },
		{ "graph_launches", &c->graph_launches },
		{ "graph_rows", &c->graph_rows },
		{ "skipped_launches", &c->skipped },
	};
	const ks_str why = ks_reader_text(r, o, "why_no_kernels");

	for (size_t i = 0; i < KS_ARRAY_LEN(count); i++)
		*count[i].to = ks_reader_count(r, o, count[i].key);
	for (size_t i = 0; i < KS_ARRAY_LEN(why_words); i++)
		if (ks_str_eqc(why, why_words[i].word))
			c->why_no_kernels = why_words[i].why;
}

static void read_holdings(struct ks_reader *r, const json_t *doc)
{
	const json_t *list = ks_reader_array(r, doc, "holdings");
	const size_t n = json_array_size(list);
	struct ks_holding *holding = KS_ARENA_NEWS(r->arena, struct ks_holding, n);

	if (!holding) {
		ks_reader_no_memory(r);
		return;
	}
	for (size_t i = 0; i < n && !r->failed; i++) {
		const size_t mark = ks_reader_enter(r, "holdings", i);
		const json_t *o = ks_reader_element(r, list, i);

		holding[i].table = ks_reader_text(r, o, "table");
		holding[i].rows = ks_reader_int(r, o, "rows", -1);
		holding[i].analysed = ks_reader_bool(r, o, "analysed", false);
		ks_reader_leave(r, mark);
	}
	r->report->holding = holding;
	r->report->n_holdings = n;
}

static void read_diagnostics(struct ks_reader *r, const json_t *doc)
{
	const json_t *list = ks_reader_array(r, doc, "diagnostics");
	const size_t n = json_array_size(list);
	struct ks_diagnostic *d = KS_ARENA_NEWS(r->arena, struct ks_diagnostic, n);

	if (!d) {
		ks_reader_no_memory(r);
		return;
	}
	for (size_t i = 0; i < n && !r->failed; i++) {
		const size_t mark = ks_reader_enter(r, "diagnostics", i);
		const json_t *o = ks_reader_element(r, list, i);
		const int64_t severity = ks_reader_int(r, o, "severity", 0);

		d[i].severity = severity >= 0 && severity <= 4 ? (int)severity : 0;
		d[i].text = ks_reader_text(r, o, "text");
		d[i].count = ks_reader_count(r, o, "count");
		ks_reader_leave(r, mark);
	}
	r->report->diagnostic = d;
	r->report->n_diagnostics = n;
}

static void read_notes(struct ks_reader *r, const json_t *doc)
{
	const json_t *list = ks_reader_array(r, doc, "notes");
	const size_t n = json_array_size(list);
	struct ks_msg *note = KS_ARENA_NEWS(r->arena, struct ks_msg, n);

	if (!note) {
		ks_reader_no_memory(r);
		return;
	}
	for (size_t i = 0; i < n && !r->failed; i++) {
		const json_t *v = json_array_get(list, i);
		const ks_str text = { json_string_value(v), json_string_length(v) };

		if (!json_is_string(v))
			ks_reader_wrong(r, "notes", KS_TEXT_SRC_SHAPE_TEXT);
		else
			note[i] = ks_reader_literal(r, ks_arena_dup(r->arena, text));
	}
	r->report->note = note;
	r->report->n_notes = n;
}

void ks_reader_run(struct ks_reader *r, const json_t *doc)
{
	struct ks_report *p = r->report;

	p->tool = ks_reader_text(r, doc, "tool");
	p->tool_version = ks_reader_text(r, doc, "tool_version");
	p->generated_at = ks_reader_text(r, doc, "generated_at");
	p->producer = ks_reader_text(r, doc, "producer");
	ks_reader_meta(r, doc);
	read_devices(r, doc);
	read_processes(r, doc);
	read_streams(r, doc);
	read_span(r, doc);
	read_contents(r, doc);
	read_holdings(r, doc);
	read_diagnostics(r, doc);
	read_notes(r, doc);
}
