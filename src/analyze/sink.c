/* SPDX-License-Identifier: Apache-2.0
 *
 * The sink a source streams a trace into. Counts every row once, keeps facts of the trace, and asks
 * for the rows again only when order over time could not be had in one pass. Computes no result.
 */
#include "analyze/sink.h"
#include "analyze/timeline.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

enum ks_status ks_sink_no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "analysis", NULL);
}

static enum ks_status status_of(const struct ks_err *err)
{
	return err && err->status != KS_OK ? err->status : KS_E_ENV;
}

/* --- facts ---------------------------------------------------------------------------------------
 */

static enum ks_status on_meta(void *self, const struct ks_trace_meta *m, struct ks_err *err)
{
	struct ks_analysis *a = self;

	a->meta = *m;
	a->meta.kind = ks_arena_dup(a->arena, m->kind);
	a->meta.path = ks_redact_path(a->ctx->redact, ks_arena_dup(a->arena, m->path));
	a->meta.product = ks_arena_dup(a->arena, m->product);
	a->meta.product_version = ks_arena_dup(a->arena, m->product_version);
	a->meta.schema_version = ks_arena_dup(a->arena, m->schema_version);
	a->meta.platform = ks_arena_dup(a->arena, m->platform);
	if (ks_arena_failed(a->arena))
		return ks_sink_no_memory(err);
	/* A wrong pattern is told before a long trace is read. */
	KS_TRY(ks_timeline_open(a, err));
	return a->matcher ? KS_OK : ks_matcher_open(&a->matcher, a->sel->kernel, err);
}

static enum ks_status on_gpu(void *self, const struct ks_trace_gpu *g, struct ks_err *err)
{
	struct ks_analysis *a = self;

	return ks_devices_add_gpu(&a->devices, g, err);
}

static enum ks_status on_gpu_map(void *self, const struct ks_trace_gpu_map *m, struct ks_err *err)
{
	struct ks_analysis *a = self;

	return ks_devices_add_map(&a->devices, m, err);
}

enum ks_status ks_sink_too_many(struct ks_err *err, const char *what, enum ks_limit limit)
{
	char text[KS_NUM_LEN];

	ks_num_i64(text, ks_limit(limit));
	return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_TOO_MANY, what, text, NULL);
}

static enum ks_status on_process(void *self, const struct ks_trace_process *p, struct ks_err *err)
{
	struct ks_analysis *a = self;
	const size_t max = (size_t)ks_limit(KS_LIMIT_PROCESSES);

	if (a->n_processes >= max)
		return ks_sink_too_many(err, "PROCESSES", KS_LIMIT_PROCESSES);
	if (!KS_GROW(a->process, a->process_cap, a->n_processes + 1, max))
		return ks_sink_no_memory(err);
	a->process[a->n_processes] = *p;
	a->process[a->n_processes++].name =
		ks_redact_name(a->ctx->redact, KS_NAME_PROCESS, ks_arena_dup(a->arena, p->name));
	return ks_arena_failed(a->arena) ? ks_sink_no_memory(err) : KS_OK;
}

static enum ks_status on_holding(void *self, const struct ks_trace_holding *h, struct ks_err *err)
{
	struct ks_analysis *a = self;
	const size_t max = (size_t)ks_limit(KS_LIMIT_HOLDINGS);

	if (a->n_holdings >= max)
		return ks_sink_too_many(err, "HOLDINGS", KS_LIMIT_HOLDINGS);
	if (!KS_GROW(a->holding, a->holding_cap, a->n_holdings + 1, max))
		return ks_sink_no_memory(err);
	a->holding[a->n_holdings++] = (struct ks_holding){
		.table = ks_redact_text(a->ctx->redact, ks_arena_dup(a->arena, h->table)),
		.rows = h->rows,
		.analysed = h->analysed,
	};
	return ks_arena_failed(a->arena) ? ks_sink_no_memory(err) : KS_OK;
}

static enum ks_status on_diagnostic(void *self, const struct ks_trace_diagnostic *d,
				    struct ks_err *err)
{
	struct ks_analysis *a = self;
	const size_t max = (size_t)ks_limit(KS_LIMIT_DIAGNOSTICS);
	const ks_str text = ks_redact_text(a->ctx->redact, d->text);

	for (size_t i = 0; i < a->n_diagnostics; i++) {
		struct ks_diagnostic *have = &a->diagnostic[i];

		if (have->severity == d->severity && ks_str_eq(have->text, text)) {
			have->count++;
			return KS_OK;
		}
	}
	if (a->n_diagnostics >= max) {
		a->diagnostics_left_out++;
		return KS_OK;
	}
	if (!KS_GROW(a->diagnostic, a->diagnostic_cap, a->n_diagnostics + 1, max))
		return ks_sink_no_memory(err);
	a->diagnostic[a->n_diagnostics++] = (struct ks_diagnostic){
		.severity = d->severity,
		.text = ks_arena_dup(a->arena, text),
		.count = 1,
	};
	return ks_arena_failed(a->arena) ? ks_sink_no_memory(err) : KS_OK;
}

/* --- copies and memsets --------------------------------------------------------------------------
 */

static void widen_span(struct ks_analysis *a, ks_ns start, ks_ns end)
{
	if (!a->any_rows || start < a->first_ns)
		a->first_ns = start;
	if (!a->any_rows || end > a->last_ns)
		a->last_ns = end;
	a->any_rows = true;
}

uint32_t ks_sink_device(struct ks_analysis *a, int64_t process, int64_t ordinal, struct ks_err *err)
{
	if (!a->any_device || process != a->last_process || ordinal != a->last_ordinal) {
		a->last_device = ks_devices_resolve(&a->devices, process, ordinal);
		a->last_process = process;
		a->last_ordinal = ordinal;
		a->any_device = a->last_device != UINT32_MAX;
	}
	if (a->last_device == UINT32_MAX)
		(void)ks_launches_no_device(&a->devices, err);
	return a->last_device;
}

/* NULL with *err set when there is no room for it. */
static struct ks_device_rows *rows_of(struct ks_analysis *a, int64_t process, int64_t ordinal,
				      uint32_t *device, struct ks_err *err)
{
	*device = ks_sink_device(a, process, ordinal, err);
	if (*device == UINT32_MAX)
		return NULL;

	if (!KS_GROW(a->device_rows, a->device_rows_cap, (size_t)*device + 1, UINT32_MAX)) {
		(void)ks_sink_no_memory(err);
		return NULL;
	}
	if (a->n_device_rows <= *device)
		a->n_device_rows = (size_t)*device + 1;
	return &a->device_rows[*device];
}

static enum ks_status add_bytes(uint64_t *sum, int64_t bytes, struct ks_err *err)
{
	if (bytes < 0 || ks_num_add_u64(sum, (uint64_t)bytes)) /* KS_UNKNOWN is negative */
		return KS_OK;
	return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_OVERFLOW, NULL);
}

/* Work of a device other than kernels, once it is known to be good and in the window. */
static enum ks_status add_copy(struct ks_analysis *a, const struct ks_copy *c, uint32_t device,
			       const struct ks_sink_span *inside, struct ks_err *err)
{
	const unsigned what = c->kind > 0 && c->kind < KS_SWEEP_MEMSET ? (unsigned)c->kind : 0;
	enum ks_copy_manner manner;

	if (!a->sweep)
		return ks_busy_copy(a->busy, device, inside->start_ns, inside->end_ns, err);
	KS_TRY(ks_sink_copy_manner(a, c, device, &manner, err));
	return ks_sweep_work(a->sweep, device, what | manner << KS_SWEEP_MANNER_BITS,
			     inside->start_ns, inside->end_ns, err);
}

static enum ks_status add_memset(struct ks_analysis *a, const struct ks_memset *m, uint32_t device,
				 const struct ks_sink_span *inside, struct ks_err *err)
{
	enum ks_copy_manner manner;

	if (!a->sweep)
		return ks_busy_copy(a->busy, device, inside->start_ns, inside->end_ns, err);
	KS_TRY(ks_sink_memset_manner(a, m, &manner, err));
	return ks_sweep_work(a->sweep, device, KS_SWEEP_MEMSET | manner << KS_SWEEP_MANNER_BITS,
			     inside->start_ns, inside->end_ns, err);
}

/* Bytes and number of a row belong to the window that its start is in, so that windows behind each
 * other add up; a row without a start belongs to the whole trace alone. */
static bool starts_inside(const struct ks_analysis *a, ks_ns start)
{
	const struct ks_window *w = &a->window;

	return !w->on || (start != KS_UNKNOWN && start >= w->from && start < w->to);
}

static enum ks_status on_copy(void *self, const struct ks_copy *c, struct ks_err *err)
{
	struct ks_analysis *a = self;
	const bool good = ks_launch_is_good(c->start_ns, c->end_ns);
	const bool inside = starts_inside(a, c->start_ns);
	ks_ns start = c->start_ns, end = c->end_ns;
	uint32_t device;

	if (a->second_pass)
		return KS_OK;
	a->any_copies = true;
	if (good)
		widen_span(a, start, end);
	if (good ? !ks_window_clip(&a->window, &start, &end) : !inside)
		return KS_OK;
	if (inside)
		KS_TRY(add_bytes(&a->contents.copy_bytes, c->bytes, err));
	if (!good && !a->copies) {
		a->contents.bad_copies++;
		return KS_OK;
	}
	struct ks_device_rows *rows = rows_of(a, c->process, c->device, &device, err);

	if (!rows)
		return status_of(err);
	if (a->copies)
		KS_TRY(ks_copies_add(a->copies, c, device, inside, err));
	if (!good) {
		a->contents.bad_copies++;
		return KS_OK;
	}
	rows->copies++;
	a->contents.copies += inside;
	KS_TRY(ks_sink_copy_slice(a, c, device, err));
	return add_copy(a, c, device, &(struct ks_sink_span){ start, end }, err);
}

static enum ks_status on_memset(void *self, const struct ks_memset *m, struct ks_err *err)
{
	struct ks_analysis *a = self;
	const bool good = ks_launch_is_good(m->start_ns, m->end_ns);
	const bool inside = starts_inside(a, m->start_ns);
	ks_ns start = m->start_ns, end = m->end_ns;
	uint32_t device;

	if (a->second_pass)
		return KS_OK;
	if (good)
		widen_span(a, start, end);
	if (good ? !ks_window_clip(&a->window, &start, &end) : !inside)
		return KS_OK;
	if (inside)
		KS_TRY(add_bytes(&a->contents.memset_bytes, m->bytes, err));
	if (!good && !a->copies) {
		a->contents.bad_memsets++;
		return KS_OK;
	}
	struct ks_device_rows *rows = rows_of(a, m->process, m->device, &device, err);

	if (!rows)
		return status_of(err);
	if (a->copies)
		KS_TRY(ks_copies_memset(a->copies, m, device, inside, err));
	if (!good) {
		a->contents.bad_memsets++;
		return KS_OK;
	}
	rows->memsets++;
	a->contents.memsets += inside;
	KS_TRY(ks_sink_memset_slice(a, m, device, err));
	return add_memset(a, m, device, &(struct ks_sink_span){ start, end }, err);
}

/* --- launches ------------------------------------------------------------------------------------
 */

/* A launch that belongs in the statistics of its kernel. */
static enum ks_status count_launch(struct ks_analysis *a, const struct ks_launch *row,
				   const struct ks_pair_key *at, ks_ns inside_ns,
				   struct ks_err *err)
{
	KS_TRY(ks_launches_count_group(&a->launches, at, row, inside_ns, err));
	return a->log ? ks_launchlog_add(a->log, at->group, at->track, row, err) : KS_OK;
}

static enum ks_status bad_launch(struct ks_analysis *a, const struct ks_launch *row, uint32_t track,
				 struct ks_err *err)
{
	const uint32_t device = a->launches.track[track].device;
	const uint32_t group = ks_launches_group(&a->launches, row, device, err);

	if (group == KS_MAP_NONE)
		return status_of(err);
	a->launches.track[track].bad_rows++;
	a->launches.group[group].bad_rows++;
	a->contents.bad_kernels++;
	return KS_OK;
}

/* Into whatever keeps launches in order of time. start, end: in the window. */
static enum ks_status add_in_time(struct ks_analysis *a, const struct ks_launch *row,
				  const struct ks_pair_key *at, const struct ks_sink_span *inside,
				  struct ks_err *err)
{
	const uint32_t device = a->launches.track[at->track].device;

	if (a->sweep)
		return ks_sink_launch(a, row, at, inside, err);
	return ks_busy_launch(a->busy, device, inside->start_ns, inside->end_ns, err);
}

static enum ks_status first_pass(struct ks_analysis *a, const struct ks_launch *row, uint32_t track,
				 struct ks_err *err)
{
	struct ks_sink_span inside = { row->start_ns, row->end_ns };

	if (!ks_launch_is_good(row->start_ns, row->end_ns))
		return bad_launch(a, row, track, err);
	widen_span(a, row->start_ns, row->end_ns);
	if (!ks_window_clip(&a->window, &inside.start_ns, &inside.end_ns))
		return KS_OK;
	const uint32_t device = a->launches.track[track].device;
	const struct ks_pair_key at = { ks_launches_group(&a->launches, row, device, err), track };
	const ks_ns inside_ns = inside.end_ns - inside.start_ns;

	if (at.group == KS_MAP_NONE)
		return status_of(err);
	a->window.cut_launches += inside_ns != row->end_ns - row->start_ns;
	a->contents.kernels++;
	if (row->graph_node != 0 && row->graph_node != KS_UNKNOWN)
		a->contents.graph_launches++;
	KS_TRY(ks_launches_count_track(&a->launches, track, inside_ns, err));
	KS_TRY(add_in_time(a, row, &at, &inside, err));
	if (a->skip_keys) {
		const int64_t key[4] = { row->start_ns, row->device, row->stream,
					 row->correlation };

		return ks_sorter_add(a->skip_keys, key, err);
	}
	return count_launch(a, row, &at, inside_ns, err);
}

static bool is_skipped(const struct ks_analysis *a, const struct ks_launch *row)
{
	const int64_t key[4] = { row->start_ns, row->device, row->stream, row->correlation };
	const int64_t last[4] = { a->skip_last.start, a->skip_last.device, a->skip_last.stream,
				  a->skip_last.correlation };

	for (size_t i = 0; i < KS_ARRAY_LEN(key); i++) {
		if (key[i] != last[i])
			return key[i] < last[i];
	}
	return true;
}

static enum ks_status second_pass(struct ks_analysis *a, const struct ks_launch *row,
				  uint32_t track, struct ks_err *err)
{
	const uint32_t device = a->launches.track[track].device;
	ks_ns start = row->start_ns, end = row->end_ns;

	if (!ks_launch_is_good(start, end) || !ks_window_clip(&a->window, &start, &end))
		return KS_OK;
	if (!a->sweep)
		KS_TRY(ks_busy_launch(a->busy, device, start, end, err));
	if (!a->skip_keys)
		return KS_OK;
	if (a->skip_all || is_skipped(a, row)) {
		a->contents.skipped++;
		return KS_OK;
	}
	const struct ks_pair_key at = { ks_launches_group(&a->launches, row, device, err), track };

	return at.group == KS_MAP_NONE ? status_of(err)
				       : count_launch(a, row, &at, end - start, err);
}

static enum ks_status on_launch(void *self, const struct ks_launch *row, struct ks_err *err)
{
	struct ks_analysis *a = self;
	uint32_t track = ks_launches_track(&a->launches, row, err);

	if (track == KS_MAP_NONE)
		return status_of(err);
	return a->second_pass ? second_pass(a, row, track, err) : first_pass(a, row, track, err);
}

/* --- names and the end ---------------------------------------------------------------------------
 */

uint32_t ks_sink_name(struct ks_analysis *a, ks_nameref ref)
{
	if (ref == 0)
		return UINT32_MAX;
	const uint32_t number = ks_map_add(&a->refs, &ref, NULL);

	if (number == KS_MAP_NONE)
		a->no_memory = true;
	return number;
}

static void on_wanted(void *self, const ks_nameref **ref, size_t *n)
{
	struct ks_analysis *a = self;

	for (uint32_t g = 0; g < a->launches.groups.count; g++) {
		const struct ks_group_key *key = ks_launches_group_key(&a->launches, g);

		(void)ks_sink_name(a, key->demangled);
		(void)ks_sink_name(a, key->function);
		(void)ks_sink_name(a, key->mangled);
	}
	*n = a->refs.count - a->n_told;
	*ref = *n ? ks_map_key(&a->refs, (uint32_t)a->n_told) : NULL;
	a->n_told = a->refs.count;
}

static enum ks_status on_name(void *self, ks_nameref ref, ks_str text, struct ks_err *err)
{
	struct ks_analysis *a = self;
	uint32_t at = ks_map_find(&a->refs, &ref);

	if (at == KS_MAP_NONE)
		return KS_OK;
	if (!KS_GROW(a->ref_text, a->ref_cap, a->refs.count, UINT32_MAX))
		return ks_sink_no_memory(err);
	a->ref_text[at] = ks_arena_dup(a->arena, text);
	return ks_arena_failed(a->arena) ? ks_sink_no_memory(err) : KS_OK;
}

/* The key of the last launch that --launch-skip-before-match skips. */
static enum ks_status find_skip_last(struct ks_analysis *a, struct ks_err *err)
{
	const uint64_t n = ks_sorter_count(a->skip_keys), skip = a->sel->skip_before_match;
	int64_t key[4];
	size_t got = 0;

	KS_TRY(ks_sorter_finish(a->skip_keys, NULL, NULL, err));
	a->skip_all = skip >= n;
	if (a->skip_all)
		return KS_OK;
	KS_TRY(ks_sorter_read(a->skip_keys, skip - 1, key, 1, &got, err));
	a->skip_last = (struct ks_skip_key){ key[0], key[1], key[2], key[3] };
	return KS_OK;
}

static enum ks_status on_done(void *self, bool *again, struct ks_err *err)
{
	struct ks_analysis *a = self;

	*again = false;
	if (a->no_memory)
		return ks_sink_no_memory(err);
	if (!a->sweep)
		KS_TRY(ks_busy_flush(a->busy, again, err));
	if (a->skip_keys && !a->second_pass) {
		KS_TRY(find_skip_last(a, err));
		*again = true;
	}
	a->second_pass = true;
	return KS_OK;
}

const struct ks_sink_ops ks_analysis_sink_ops = {
	.meta = on_meta,
	.gpu = on_gpu,
	.gpu_map = on_gpu_map,
	.process = on_process,
	.holding = on_holding,
	.diagnostic = on_diagnostic,
	.thread = ks_sink_on_thread,
	.schema = ks_sink_on_schema,
	.range = ks_sink_on_range,
	.ranges_done = ks_sink_on_ranges_done,
	.overhead = ks_sink_on_overhead,
	.call = ks_sink_on_call,
	.calls_done = ks_sink_on_calls_done,
	.graph_run = ks_sink_on_graph_run,
	.sync = ks_sink_on_sync,
	.memory = ks_sink_on_memory,
	.frame = ks_sink_on_frame,
	.copy = on_copy,
	.memset = on_memset,
	.launch = on_launch,
	.wanted = on_wanted,
	.name = on_name,
	.done = on_done,
};
