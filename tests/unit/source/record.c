/* SPDX-License-Identifier: Apache-2.0
 *
 * The recording sink: keeps every row so that a test can look at all of them.
 */
#include "all.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/str.h"

#define ADD(r, array, count, cap)                                                                  \
	(assert_true(KS_GROW((r)->array, (r)->cap, (r)->count + 1, (size_t)1 << 28)),              \
	 &(r)->array[(r)->count++])

/* The order in which a source calls (model/trace.h). */
enum stage {
	META,
	GPU,
	GPU_MAP,
	PROCESS,
	THREAD,
	DIAGNOSTIC,
	SCHEMA,
	RANGE,
	RANGES_DONE,
	OVERHEAD,
	CALL,
	CALLS_DONE,
	GRAPH_RUN,
	COPY,
	MEMSET,
	SYNC,
	MEMORY,
	LAUNCH,
	FRAME,
	HOLDING,
	DONE,
};

static void at(struct record *r, enum stage stage)
{
	assert_true((int)stage >= r->stage);
	r->stage = (int)stage;
}

static enum ks_status on_meta(void *self, const struct ks_trace_meta *m, struct ks_err *err)
{
	struct record *r = self;

	at(r, META);
	(void)err;
	r->meta = *m;
	r->meta.product = ks_arena_dup(&r->arena, m->product);
	r->meta.product_version = ks_arena_dup(&r->arena, m->product_version);
	r->meta.schema_version = ks_arena_dup(&r->arena, m->schema_version);
	r->meta.platform = ks_arena_dup(&r->arena, m->platform);
	r->meta.path = ks_arena_dup(&r->arena, m->path);
	return KS_OK;
}

static enum ks_status on_gpu(void *self, const struct ks_trace_gpu *g, struct ks_err *err)
{
	struct record *r = self;

	at(r, GPU);
	r->n_gpus++;
	return ks_devices_add_gpu(&r->devices, g, err);
}

static enum ks_status on_gpu_map(void *self, const struct ks_trace_gpu_map *m, struct ks_err *err)
{
	struct record *r = self;

	at(r, GPU_MAP);
	r->n_maps++;
	return ks_devices_add_map(&r->devices, m, err);
}

static enum ks_status on_process(void *self, const struct ks_trace_process *p, struct ks_err *err)
{
	struct record *r = self;
	struct ks_trace_process *own = ADD(r, process, n_processes, process_cap);

	at(r, PROCESS);
	(void)err;
	*own = *p;
	own->name = ks_arena_dup(&r->arena, p->name);
	return KS_OK;
}

static enum ks_status on_holding(void *self, const struct ks_trace_holding *h, struct ks_err *err)
{
	struct record *r = self;
	struct ks_trace_holding *own = ADD(r, holding, n_holdings, holding_cap);

	at(r, HOLDING);
	(void)err;
	*own = *h;
	own->table = ks_arena_dup(&r->arena, h->table);
	return KS_OK;
}

static enum ks_status on_diagnostic(void *self, const struct ks_trace_diagnostic *d,
				    struct ks_err *err)
{
	struct record *r = self;
	struct ks_trace_diagnostic *own = ADD(r, diagnostic, n_diagnostics, diagnostic_cap);

	at(r, DIAGNOSTIC);
	(void)err;
	*own = *d;
	own->text = ks_arena_dup(&r->arena, d->text);
	return KS_OK;
}

static enum ks_status on_copy(void *self, const struct ks_copy *c, struct ks_err *err)
{
	struct record *r = self;

	at(r, COPY);
	(void)err;
	*ADD(r, copy, n_copies, copy_cap) = *c;
	return KS_OK;
}

static enum ks_status on_memset(void *self, const struct ks_memset *m, struct ks_err *err)
{
	struct record *r = self;

	at(r, MEMSET);
	(void)err;
	*ADD(r, memset, n_memsets, memset_cap) = *m;
	return KS_OK;
}

static enum ks_status on_launch(void *self, const struct ks_launch *l, struct ks_err *err)
{
	struct record *r = self;

	at(r, LAUNCH);
	if (r->fail_at_launch && r->n_launches + 1 == r->fail_at_launch)
		return ks_err_set(err, KS_E_INTERNAL, KS_TEXT_LITERAL, "the sink said no",
				  (char *)NULL);
	*ADD(r, launch, n_launches, launch_cap) = *l;
	return KS_OK;
}

static enum ks_status on_thread(void *self, const struct ks_trace_thread *t, struct ks_err *err)
{
	struct record *r = self;
	struct ks_trace_thread *own = ADD(r, thread, n_threads, thread_cap);

	(void)err;
	at(r, THREAD);
	*own = *t;
	own->name = ks_arena_dup(&r->arena, t->name);
	return KS_OK;
}

static enum ks_status on_schema(void *self, const struct ks_payload_entry *e, struct ks_err *err)
{
	struct record *r = self;
	struct ks_payload_entry *own = ADD(r, schema, n_schemas, schema_cap);

	(void)err;
	at(r, SCHEMA);
	*own = *e;
	own->name = ks_arena_dup(&r->arena, e->name);
	own->schema_name = ks_arena_dup(&r->arena, e->schema_name);
	return KS_OK;
}

static enum ks_status on_range(void *self, const struct ks_range *row, struct ks_err *err)
{
	struct record *r = self;
	struct ks_range *own = ADD(r, range, n_ranges, range_cap);

	(void)err;
	at(r, RANGE);
	*own = *row;
	own->payload = ks_arena_dup(&r->arena, row->payload);
	own->json = ks_arena_dup(&r->arena, row->json);
	return KS_OK;
}

static enum ks_status on_ranges_done(void *self, struct ks_err *err)
{
	struct record *r = self;

	(void)err;
	at(r, RANGES_DONE);
	for (size_t i = 0; i < r->n_ranges; i++)
		(void)record_name_of(r, r->range[i].name); /* told by now */
	r->n_ranges_done++;
	return KS_OK;
}

static enum ks_status on_calls_done(void *self, struct ks_err *err)
{
	struct record *r = self;

	(void)err;
	at(r, CALLS_DONE);
	r->n_calls_done++;
	return KS_OK;
}

static enum ks_status on_overhead(void *self, const struct ks_overhead *row, struct ks_err *err)
{
	struct record *r = self;

	(void)err;
	at(r, OVERHEAD);
	*ADD(r, overhead, n_overheads, overhead_cap) = *row;
	return KS_OK;
}

static enum ks_status on_call(void *self, const struct ks_call *row, struct ks_err *err)
{
	struct record *r = self;

	(void)err;
	at(r, CALL);
	*ADD(r, call, n_calls, call_cap) = *row;
	return KS_OK;
}

static enum ks_status on_graph_run(void *self, const struct ks_graph_run *row, struct ks_err *err)
{
	struct record *r = self;

	(void)err;
	at(r, GRAPH_RUN);
	*ADD(r, graph_run, n_graph_runs, graph_run_cap) = *row;
	return KS_OK;
}

static enum ks_status on_sync(void *self, const struct ks_sync *row, struct ks_err *err)
{
	struct record *r = self;

	(void)err;
	at(r, SYNC);
	*ADD(r, sync, n_syncs, sync_cap) = *row;
	return KS_OK;
}

static enum ks_status on_memory(void *self, const struct ks_memory *row, struct ks_err *err)
{
	struct record *r = self;

	(void)err;
	at(r, MEMORY);
	*ADD(r, memory, n_memories, memory_cap) = *row;
	return KS_OK;
}

static enum ks_status on_frame(void *self, const struct ks_frame *row, struct ks_err *err)
{
	struct record *r = self;

	(void)err;
	at(r, FRAME);
	*ADD(r, frame, n_frames, frame_cap) = *row;
	return KS_OK;
}

static void want(struct record *r, ks_nameref ref)
{
	if (ref)
		assert_true(ks_map_add(&r->wanted, &ref, NULL) != KS_MAP_NONE);
}

/* What has not been told yet, as the rows so far need it. */
static void on_wanted(void *self, const ks_nameref **ref, size_t *n)
{
	struct record *r = self;

	for (size_t i = 0; i < r->n_ranges; i++)
		want(r, r->range[i].name);
	for (size_t i = 0; i < r->n_overheads; i++)
		want(r, r->overhead[i].name);
	for (size_t i = 0; i < r->n_calls; i++)
		want(r, r->call[i].name);
	for (size_t i = 0; i < r->n_launches; i++) {
		want(r, r->launch[i].demangled);
		want(r, r->launch[i].function);
		want(r, r->launch[i].mangled);
	}
	for (size_t i = 0; i < r->n_frames; i++) {
		want(r, r->frame[i].symbol);
		want(r, r->frame[i].module);
	}
	assert_true(KS_GROW(r->name, r->name_cap, r->wanted.count + 1, (size_t)1 << 28));
	*n = r->wanted.count - r->n_told;
	*ref = *n ? ks_map_key(&r->wanted, (uint32_t)r->n_told) : NULL;
	r->n_told = r->wanted.count;
}

static enum ks_status on_name(void *self, ks_nameref ref, ks_str text, struct ks_err *err)
{
	struct record *r = self;
	const uint32_t number = ks_map_find(&r->wanted, &ref);

	(void)err;
	assert_true(number != KS_MAP_NONE && !r->name[number].ref); /* each once */
	r->name[number] = (struct record_name){ ref, ks_arena_dup(&r->arena, text) };
	r->n_names++;
	return KS_OK;
}

static enum ks_status on_done(void *self, bool *again, struct ks_err *err)
{
	struct record *r = self;

	at(r, DONE);
	(void)err;
	*again = ++r->n_passes < r->passes_wanted;
	if (*again) {
		r->n_copies = 0;
		r->n_memsets = 0;
		r->n_launches = 0;
		r->stage = COPY; /* nothing before it comes again */
	}
	return KS_OK;
}

static const struct ks_sink_ops ops = {
	.meta = on_meta,
	.gpu = on_gpu,
	.gpu_map = on_gpu_map,
	.process = on_process,
	.holding = on_holding,
	.diagnostic = on_diagnostic,
	.thread = on_thread,
	.schema = on_schema,
	.range = on_range,
	.ranges_done = on_ranges_done,
	.overhead = on_overhead,
	.call = on_call,
	.calls_done = on_calls_done,
	.graph_run = on_graph_run,
	.sync = on_sync,
	.memory = on_memory,
	.frame = on_frame,
	.copy = on_copy,
	.memset = on_memset,
	.launch = on_launch,
	.wanted = on_wanted,
	.name = on_name,
	.done = on_done,
};

void record_start(struct record *r)
{
	*r = (struct record){ .passes_wanted = 1 };
	ks_arena_init(&r->arena, (size_t)1 << 30);
	ks_devices_init(&r->devices, &r->arena);
	ks_err_init(&r->err);
	ks_map_init(&r->wanted, sizeof(ks_nameref), (size_t)1 << 28);
	r->sink = (struct ks_sink){ &ops, r, RECORD_ALL_ROWS, 0 };
}

void record_end(struct record *r)
{
	ks_mem_free(r->process);
	ks_mem_free(r->holding);
	ks_mem_free(r->diagnostic);
	ks_mem_free(r->copy);
	ks_mem_free(r->memset);
	ks_mem_free(r->launch);
	ks_mem_free(r->thread);
	ks_mem_free(r->schema);
	ks_mem_free(r->range);
	ks_mem_free(r->overhead);
	ks_mem_free(r->call);
	ks_mem_free(r->graph_run);
	ks_mem_free(r->sync);
	ks_mem_free(r->memory);
	ks_mem_free(r->frame);
	ks_map_release(&r->wanted);
	ks_mem_free(r->name);
	ks_arena_release(&r->arena);
}

enum ks_status record_stream(struct record *r, const struct ks_source_ops *source, const char *path)
{
	const enum ks_status st = source->stream(test_ctx(), path, &r->sink, &r->err);

	assert_int_equal(st, r->err.status);
	return st;
}

enum ks_status record_nsys(struct record *r, const char *path)
{
	return record_stream(r, &ks_source_nsys_sqlite, path);
}

const char *record_error(const struct record *r)
{
	static char line[4096];
	struct ks_buf b;
	ks_str arg[KS_ERR_ARGS];

	for (unsigned i = 0; i < r->err.n_args; i++)
		arg[i] = ks_str_c(r->err.arg[i]);
	ks_buf_init(&b, sizeof(line));
	ks_text_fmt(&b, KS_LANG_EN, (enum ks_text)r->err.text, r->err.n_args, arg);
	(void)snprintf(line, sizeof(line), "%s", ks_buf_text(&b));
	ks_buf_release(&b);
	return line;
}

void record_good(struct record *r, const char *path)
{
	record_start(r);
	if (record_nsys(r, path) != KS_OK)
		fail_msg("%s: %s", path, record_error(r));
}

ks_str record_name_of(const struct record *r, ks_nameref ref)
{
	if (!ref)
		return KS_LIT("");
	const uint32_t number = ks_map_find(&r->wanted, &ref);

	if (number != KS_MAP_NONE && r->name[number].ref == ref)
		return r->name[number].text;
	fail_msg("no text for name %lld", (long long)ref);
	return KS_LIT("");
}

const struct ks_trace_holding *record_holding(const struct record *r, const char *table)
{
	for (size_t i = 0; i < r->n_holdings; i++)
		if (ks_str_eqc(r->holding[i].table, table))
			return &r->holding[i];
	return NULL;
}
