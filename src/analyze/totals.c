/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums per device, process and stream, and which devices are selected. Every sum is of whole
 * nanoseconds and is checked; parts add up to the whole by construction.
 */
#include "analyze/totals.h"

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

static enum ks_status no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "totals", NULL);
}

/* --- devices -------------------------------------------------------------------------------------
 */

static bool wanted(const struct ks_selection *sel, int64_t label)
{
	for (size_t i = 0; i < sel->n_devices; i++) {
		if (sel->device[i] == label)
			return true;
	}
	return sel->n_devices == 0;
}

static int by_number(const void *x, const void *y)
{
	return ks_num_cmp_i64(*(const int64_t *)x, *(const int64_t *)y);
}

/* "0, 1, 2": the labels --devices could have named. */
static enum ks_status no_such_device(struct ks_analysis *a, int64_t asked, struct ks_err *err)
{
	struct ks_buf list;
	char number[KS_NUM_LEN];
	int64_t *label = ks_mem_alloc((a->n_devices + 1) * sizeof(*label));
	size_t n = 0;

	if (!label)
		return no_memory(err);
	for (size_t i = 0; i < a->n_devices; i++) {
		if (a->device[i].used)
			label[n++] = a->devices.device[i].label;
	}
	qsort(label, n, sizeof(*label), by_number);
	ks_buf_init(&list, 64 * KS_ERR_ARG_LEN);
	for (size_t i = 0; i < n; i++) {
		ks_num_i64(number, label[i]);
		ks_buf_fmt(&list, "%s%s", i ? ", " : "", number);
	}
	ks_mem_free(label);
	ks_num_i64(number, asked);
	enum ks_status st = ks_err_set(
		err, KS_E_NOMATCH, n ? KS_TEXT_ERR_AN_NO_DEVICE : KS_TEXT_ERR_AN_NO_DEVICES_AT_ALL,
		number, ks_buf_text(&list), NULL);

	ks_buf_release(&list);
	return st;
}

static enum ks_status check_selection(struct ks_analysis *a, struct ks_err *err)
{
	for (size_t s = 0; s < a->sel->n_devices; s++) {
		bool found = false;

		for (size_t i = 0; i < a->n_devices; i++)
			found |= a->device[i].used &&
				 a->devices.device[i].label == a->sel->device[s];
		if (!found)
			return no_such_device(a, a->sel->device[s], err);
	}
	return KS_OK;
}

static enum ks_status overflow(struct ks_err *err)
{
	return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_OVERFLOW, NULL);
}

enum ks_status ks_totals_devices(struct ks_analysis *a, struct ks_err *err)
{
	uint64_t all_ns = 0;

	ks_devices_label(&a->devices);
	a->n_devices = a->devices.n;
	a->device = KS_ARENA_NEWS(a->arena, struct ks_device_work, a->n_devices);
	if (!a->device)
		return no_memory(err);
	for (uint32_t t = 0; t < a->launches.tracks.count; t++) {
		const struct ks_track *track = &a->launches.track[t];
		struct ks_device_work *d = &a->device[track->device];

		if (!ks_num_add_u64(&all_ns, track->total_ns) || all_ns > INT64_MAX)
			return overflow(err);
		d->launches += track->launches;
		d->kernel_ns += track->total_ns;
		d->bad_rows += track->bad_rows;
	}
	for (size_t i = 0; i < a->n_devices; i++) {
		struct ks_device_work *d = &a->device[i];

		if (i < a->n_device_rows) {
			d->copies = a->device_rows[i].copies;
			d->memsets = a->device_rows[i].memsets;
		}
		d->used = d->launches || d->copies || d->memsets;
		d->selected = wanted(a->sel, a->devices.device[i].label);
		if (d->selected) {
			a->kernel_ns += (ks_ns)d->kernel_ns;
			a->total_launches += d->launches;
		}
	}
	return check_selection(a, err);
}

/* --- the report's list of GPUs -------------------------------------------------------------------
 */

static struct ks_gpu gpu_facts(const struct ks_trace_gpu *g)
{
	struct ks_gpu gpu = {
		.cc_major = -1,
		.cc_minor = -1,
		.sm_count = KS_UNKNOWN,
		.l2_bytes = KS_UNKNOWN,
		.memory_bytes = KS_UNKNOWN,
		.memory_bandwidth = KS_UNKNOWN,
		.max_sm_clock_mhz = KS_UNKNOWN,
		.power_limit_w = -1.0,
	};

	if (!g)
		return gpu;
	gpu.name = g->name;
	gpu.uuid = g->uuid;
	gpu.bus = g->bus;
	gpu.driver = g->driver;
	gpu.chip = g->chip;
	if (g->power_limit_w > 0.0)
		gpu.power_limit_w = g->power_limit_w;
	if (g->cc_major > 0 && g->cc_major < 1000 && g->cc_minor >= 0 && g->cc_minor < 1000) {
		gpu.cc_major = (int)g->cc_major; /* 0.0 is what the tables write for "unknown" */
		gpu.cc_minor = (int)g->cc_minor;
	}
	if (g->sm_count > 0)
		gpu.sm_count = g->sm_count;
	if (g->l2_bytes > 0)
		gpu.l2_bytes = g->l2_bytes;
	if (g->memory_bytes > 0)
		gpu.memory_bytes = g->memory_bytes;
	if (g->memory_bandwidth > 0)
		gpu.memory_bandwidth = g->memory_bandwidth;
	if (g->clock_hz > 0)
		gpu.max_sm_clock_mhz = g->clock_hz / 1000000;
	return gpu;
}

static struct ks_msg how_matched(struct ks_store *ev, const struct ks_device *d)
{
	char ordinal[KS_NUM_LEN];

	ks_num_i64(ordinal, d->ordinal);
	switch (d->how) {
	case KS_DEVICE_BY_MAP:
		return ks_store_msg(
			ev, d->ordinals_differ ? KS_TEXT_AN_HOW_MAP_ORDINALS : KS_TEXT_AN_HOW_MAP,
			ordinal, NULL);
	case KS_DEVICE_BY_ORDINAL:
		return ks_store_msg(ev, KS_TEXT_AN_HOW_ORDINAL, ordinal, NULL);
	case KS_DEVICE_UNKNOWN:
		return ks_store_msg(ev, KS_TEXT_AN_HOW_UNKNOWN, ordinal, NULL);
	case KS_DEVICE_MISSING:
		break;
	}
	return ks_store_msg(ev, KS_TEXT_AN_HOW_MISSING, NULL);
}

static int by_use(const void *x, const void *y)
{
	const struct ks_gpu *a = x, *b = y;

	if (a->used != b->used)
		return a->used ? -1 : 1;
	if (a->label != b->label)
		return a->label < b->label ? -1 : 1;
	int c = ks_str_cmp(a->bus, b->bus);

	return c ? c : ks_str_cmp(a->name, b->name);
}

static bool refers_to(const struct ks_analysis *a, const struct ks_trace_gpu *g)
{
	for (size_t i = 0; i < a->devices.n; i++) {
		if (a->devices.device[i].gpu == g)
			return true;
	}
	return false;
}

static size_t list_devices(struct ks_analysis *a, struct ks_report *r, struct ks_gpu *gpu)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n_devices; i++) {
		const struct ks_device *d = &a->devices.device[i];
		const struct ks_device_work *w = &a->device[i];
		struct ks_gpu *g = &gpu[n++];

		*g = gpu_facts(d->gpu);
		g->label = d->label;
		g->resolved = d->how == KS_DEVICE_BY_MAP || d->how == KS_DEVICE_BY_ORDINAL;
		g->how = how_matched(r->ev, d);
		g->used = w->used && w->selected;
		if (!g->used)
			continue;
		g->launches = w->launches;
		g->kernel_ns = (ks_ns)w->kernel_ns;
		g->kernel_busy_ns = a->sweep ? ks_sweep_kernel_ns(a->sweep, (uint32_t)i)
					     : ks_busy_kernel_ns(a->busy, (uint32_t)i);
		g->busy_ns = a->sweep ? ks_sweep_all_ns(a->sweep, (uint32_t)i)
				      : ks_busy_all_ns(a->busy, (uint32_t)i);
		g->idle_ns = r->span_ns - g->busy_ns;
	}
	return n;
}

static enum ks_status make_gpus(struct ks_analysis *a, struct ks_report *r, struct ks_err *err)
{
	struct ks_gpu *gpu =
		KS_ARENA_NEWS(a->arena, struct ks_gpu, a->n_devices + a->devices.n_gpus);

	if (!gpu)
		return no_memory(err);
	size_t n = list_devices(a, r, gpu);

	for (size_t i = 0; i < a->devices.n_gpus; i++) {
		const struct ks_trace_gpu *g = &a->devices.gpu[i];

		if (refers_to(a, g))
			continue;
		gpu[n] = gpu_facts(g);
		gpu[n].label = g->id;
		gpu[n].resolved = true;
		gpu[n++].how = ks_store_msg(r->ev, KS_TEXT_AN_HOW_NOT_USED, NULL);
	}
	qsort(gpu, n, sizeof(*gpu), by_use);
	for (size_t i = 0; a->ctx->redact && i < n; i++) {
		gpu[i].uuid = gpu[i].bus = KS_LIT("");
		gpu[i].name = ks_redact_text(a->ctx->redact, gpu[i].name);
		gpu[i].chip = ks_redact_text(a->ctx->redact, gpu[i].chip);
	}
	r->gpu = gpu;
	r->n_gpus = n;
	while (r->n_gpus_used < n && gpu[r->n_gpus_used].used)
		r->n_gpus_used++;
	r->multi_device = r->n_gpus_used > 1;
	for (size_t i = 0; i < a->n_devices; i++) {
		for (size_t k = 0; k < r->n_gpus_used; k++) { /* labels are unique */
			if (gpu[k].label == a->devices.device[i].label)
				a->device[i].gpu = k;
		}
	}
	return KS_OK;
}

/* --- processes and streams -----------------------------------------------------------------------
 */

/* A track's totals under the key they are summed by. */
struct part {
	int64_t key[3];
	ks_str name;
	uint64_t launches;
	ks_ns kernel_ns;
};

static int by_key(const void *x, const void *y)
{
	const struct part *a = x, *b = y;

	for (size_t i = 0; i < KS_ARRAY_LEN(a->key); i++) {
		if (a->key[i] != b->key[i])
			return a->key[i] < b->key[i] ? -1 : 1;
	}
	return 0;
}

/* Adds up parts with the same key; returns how many are left. */
static size_t fold(struct part *p, size_t n)
{
	size_t kept = 0;

	qsort(p, n, sizeof(*p), by_key);
	for (size_t i = 0; i < n; i++) {
		if (kept && by_key(&p[kept - 1], &p[i]) == 0) {
			p[kept - 1].launches += p[i].launches;
			p[kept - 1].kernel_ns += p[i].kernel_ns;
		} else {
			p[kept++] = p[i];
		}
	}
	return kept;
}

static ks_str process_name(const struct ks_analysis *a, int64_t pid)
{
	ks_str name = KS_STR_NONE;

	for (size_t i = 0; i < a->n_processes; i++) {
		const struct ks_trace_process *p = &a->process[i];

		if (p->pid == pid && p->name.n && (name.n == 0 || ks_str_cmp(p->name, name) < 0))
			name = p->name;
	}
	return name;
}

static bool counts(const struct ks_analysis *a, uint32_t track)
{
	const struct ks_track *t = &a->launches.track[track];

	return t->launches && a->device[t->device].selected;
}

static size_t collect(const struct ks_analysis *a, struct part *p,
		      void (*key)(const struct ks_analysis *a, uint32_t track, int64_t key[3]))
{
	size_t n = 0;

	for (uint32_t t = 0; t < a->launches.tracks.count; t++) {
		if (!counts(a, t))
			continue;
		p[n] = (struct part){ .launches = a->launches.track[t].launches,
				      .kernel_ns = (ks_ns)a->launches.track[t].total_ns };
		key(a, t, p[n++].key);
	}
	return fold(p, n);
}

static void process_key(const struct ks_analysis *a, uint32_t track, int64_t key[3])
{
	key[0] = ks_global_pid(ks_launches_track_key(&a->launches, track)->process);
	key[1] = key[2] = 0;
}

static void whole_process_key(const struct ks_analysis *a, uint32_t track, int64_t key[3])
{
	key[0] = ks_launches_track_key(&a->launches, track)->process;
	key[1] = key[2] = 0;
}

static void stream_key(const struct ks_analysis *a, uint32_t track, int64_t key[3])
{
	const struct ks_track_key *k = ks_launches_track_key(&a->launches, track);

	key[0] = (int64_t)a->device[a->launches.track[track].device].gpu;
	key[1] = ks_global_pid(k->process);
	key[2] = k->stream;
}

static enum ks_status make_parts(struct ks_analysis *a, struct ks_report *r, struct part *p,
				 struct ks_err *err)
{
	r->multi_process = collect(a, p, whole_process_key) > 1;
	r->n_processes = collect(a, p, process_key);
	if (r->n_processes == 1 && p[0].key[0] == KS_UNKNOWN)
		r->n_processes =
			0; /* nothing is known about processes: no row, rather than one "unknown" */
	struct ks_process *process = KS_ARENA_NEWS(a->arena, struct ks_process, r->n_processes);

	if (!process)
		return no_memory(err);
	for (size_t i = 0; i < r->n_processes; i++)
		process[i] = (struct ks_process){ p[i].key[0], process_name(a, p[i].key[0]),
						  p[i].launches, p[i].kernel_ns };
	r->process = process;
	r->n_streams = collect(a, p, stream_key);
	struct ks_stream *stream = KS_ARENA_NEWS(a->arena, struct ks_stream, r->n_streams);

	if (!stream)
		return no_memory(err);
	for (size_t i = 0; i < r->n_streams; i++)
		stream[i] = (struct ks_stream){ (size_t)p[i].key[0], p[i].key[1], p[i].key[2],
						p[i].launches, p[i].kernel_ns };
	r->stream = stream;
	return KS_OK;
}

/* --- span and contents ---------------------------------------------------------------------------
 */

void ks_totals_whole_span(const struct ks_analysis *a, ks_ns *from, ks_ns *to)
{
	const struct ks_trace_meta *m = &a->meta;

	*from = *to = 0;
	if (a->any_rows) {
		*from = a->first_ns;
		*to = a->last_ns;
	} else if (m->other_first_ns != KS_UNKNOWN && m->other_last_ns != KS_UNKNOWN &&
		   ks_launch_is_good(m->other_first_ns, m->other_last_ns)) {
		*from = m->other_first_ns;
		*to = m->other_last_ns;
	}
}

void ks_totals_span(const struct ks_analysis *a, ks_ns *from, ks_ns *to)
{
	ks_totals_whole_span(a, from, to);
	if (!ks_window_clip(&a->window, from, to))
		*to = *from;
}

static void make_span(const struct ks_analysis *a, struct ks_report *r)
{
	ks_ns from, to;

	ks_totals_span(a, &from, &to);
	r->span_start_ns = from;
	r->span_ns = to - from;
	r->span_from_other_rows = !a->any_rows && to > from;
	r->capture_ns = a->meta.capture_ns > 0 ? a->meta.capture_ns : 0;
}

static enum ks_no_kernels why_none(const struct ks_analysis *a)
{
	if (a->sel->code_alone)
		return KS_NK_CODE_ONLY;
	if (a->contents.kernels)
		return KS_NK_NONE;
	if (a->meta.no_recording)
		return KS_NK_NO_TRACE;
	if (a->meta.kernel_table_unread)
		return KS_NK_NOT_A_TABLE;
	if (a->meta.graph_rows)
		return KS_NK_GRAPH_ONLY;
	if (a->meta.no_driver)
		return KS_NK_NO_DRIVER;
	if (a->meta.cuda_traced >= 0)
		return a->meta.cuda_traced ? KS_NK_NOTHING_RECORDED : KS_NK_NOT_TRACED;
	return a->meta.has_kernel_table || a->meta.has_cuda_tables ? KS_NK_NOTHING_RECORDED
								   : KS_NK_NOT_TRACED;
}

enum ks_status ks_totals_report(struct ks_analysis *a, struct ks_report *r, struct ks_err *err)
{
	struct part *p = ks_mem_alloc((a->launches.tracks.count + 1) * sizeof(*p));

	if (!p)
		return no_memory(err);
	a->contents.nvtx_rows = a->meta.nvtx_rows;
	a->contents.api_calls = a->meta.api_calls;
	a->contents.graph_rows = a->meta.graph_rows;
	a->contents.why_no_kernels = why_none(a);
	r->contents = a->contents;
	make_span(a, r);
	r->kernel_ns = a->kernel_ns;
	r->matched_ns = a->matched_ns;
	r->total_launches = a->total_launches;
	r->total_kernels = a->total_kernels;
	enum ks_status st = make_gpus(a, r, err);

	if (st == KS_OK)
		st = make_parts(a, r, p, err);
	ks_mem_free(p);
	return st;
}
