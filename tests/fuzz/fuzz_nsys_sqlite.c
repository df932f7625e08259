/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as an Nsight Systems export: the reader must end in order, and every text and row it
 * hands on must be readable memory. The bytes go through a file, since that is what SQLite opens.
 */
#define KS_BASE_DOOR

#include "base/ctx.h"
#include "base/mem.h"
#include "model/device.h"
#include "source/source.h"
#include "input.h"

struct eater { /* reads everything it is given, keeps the references only */
	struct ks_arena arena;
	struct ks_devices devices;
	ks_nameref *ref;
	size_t n, cap, told;
	uint64_t sum;
};

static void eat(struct eater *e, ks_str s)
{
	for (size_t i = 0; i < s.n; i++)
		e->sum += (unsigned char)s.p[i];
}

static enum ks_status on_meta(void *self, const struct ks_trace_meta *m, struct ks_err *err)
{
	struct eater *e = self;

	(void)err;
	eat(e, m->product);
	eat(e, m->product_version);
	eat(e, m->schema_version);
	eat(e, m->platform);
	return KS_OK;
}

static enum ks_status on_gpu(void *self, const struct ks_trace_gpu *g, struct ks_err *err)
{
	return ks_devices_add_gpu(&((struct eater *)self)->devices, g, err);
}

static enum ks_status on_gpu_map(void *self, const struct ks_trace_gpu_map *m, struct ks_err *err)
{
	return ks_devices_add_map(&((struct eater *)self)->devices, m, err);
}

static enum ks_status on_process(void *self, const struct ks_trace_process *p, struct ks_err *err)
{
	(void)err;
	eat(self, p->name);
	return KS_OK;
}

static enum ks_status on_holding(void *self, const struct ks_trace_holding *h, struct ks_err *err)
{
	(void)err;
	eat(self, h->table);
	return KS_OK;
}

static enum ks_status on_diagnostic(void *self, const struct ks_trace_diagnostic *d,
				    struct ks_err *err)
{
	(void)err;
	eat(self, d->text);
	return KS_OK;
}

static enum ks_status on_copy(void *self, const struct ks_copy *c, struct ks_err *err)
{
	struct eater *e = self;

	(void)err;
	e->sum += ks_devices_resolve(&e->devices, c->process, c->device);
	return KS_OK;
}

static enum ks_status on_memset(void *self, const struct ks_memset *m, struct ks_err *err)
{
	struct eater *e = self;

	(void)err;
	e->sum += ks_devices_resolve(&e->devices, m->process, m->device);
	return KS_OK;
}

static void want(struct eater *e, ks_nameref ref)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->ref[i] == ref)
			return;
	if (ref && KS_GROW(e->ref, e->cap, e->n + 1, 4096))
		e->ref[e->n++] = ref;
}

static enum ks_status on_launch(void *self, const struct ks_launch *l, struct ks_err *err)
{
	struct eater *e = self;

	(void)err;
	e->sum += ks_devices_resolve(&e->devices, l->process, l->device);
	if (l->start_ns != KS_UNKNOWN && l->end_ns != KS_UNKNOWN)
		e->sum += (uint64_t)(l->end_ns - l->start_ns); /* must not overflow */
	want(e, l->demangled);
	want(e, l->function);
	want(e, l->mangled);
	return KS_OK;
}

static enum ks_status on_thread(void *self, const struct ks_trace_thread *t, struct ks_err *err)
{
	(void)err;
	eat(self, t->name);
	return KS_OK;
}

static enum ks_status on_schema(void *self, const struct ks_payload_entry *p, struct ks_err *err)
{
	(void)err;
	eat(self, p->name);
	eat(self, p->schema_name);
	return KS_OK;
}

static enum ks_status on_range(void *self, const struct ks_range *r, struct ks_err *err)
{
	(void)err;
	eat(self, r->payload);
	eat(self, r->json);
	want(self, r->name);
	return KS_OK;
}

static enum ks_status on_end_of_rows(void *self, struct ks_err *err)
{
	(void)self;
	(void)err;
	return KS_OK;
}

static enum ks_status on_overhead(void *self, const struct ks_overhead *o, struct ks_err *err)
{
	(void)err;
	want(self, o->name);
	return KS_OK;
}

static enum ks_status on_call(void *self, const struct ks_call *c, struct ks_err *err)
{
	(void)err;
	want(self, c->name);
	return KS_OK;
}

static enum ks_status on_graph_run(void *self, const struct ks_graph_run *g, struct ks_err *err)
{
	struct eater *e = self;

	(void)err;
	e->sum += ks_devices_resolve(&e->devices, g->process, g->device);
	return KS_OK;
}

static enum ks_status on_sync(void *self, const struct ks_sync *s, struct ks_err *err)
{
	struct eater *e = self;

	(void)err;
	e->sum += ks_devices_resolve(&e->devices, s->process, s->device);
	return KS_OK;
}

static enum ks_status on_memory(void *self, const struct ks_memory *m, struct ks_err *err)
{
	struct eater *e = self;

	(void)err;
	e->sum += ks_devices_resolve(&e->devices, m->process, m->device);
	return KS_OK;
}

static enum ks_status on_frame(void *self, const struct ks_frame *f, struct ks_err *err)
{
	(void)err;
	want(self, f->symbol);
	want(self, f->module);
	return KS_OK;
}

static void on_wanted(void *self, const ks_nameref **ref, size_t *n)
{
	struct eater *e = self;

	*ref = e->ref ? e->ref + e->told : NULL;
	*n = e->n - e->told;
	e->told = e->n;
}

static enum ks_status on_name(void *self, ks_nameref ref, ks_str text, struct ks_err *err)
{
	(void)ref;
	(void)err;
	eat(self, text);
	return KS_OK;
}

static enum ks_status on_done(void *self, bool *again, struct ks_err *err)
{
	struct eater *e = self;

	(void)err;
	*again = false;
	ks_devices_label(&e->devices);
	return KS_OK;
}

static const struct ks_sink_ops ops = {
	.meta = on_meta,
	.gpu = on_gpu,
	.gpu_map = on_gpu_map,
	.process = on_process,
	.holding = on_holding,
	.diagnostic = on_diagnostic,
	.copy = on_copy,
	.memset = on_memset,
	.launch = on_launch,
	.thread = on_thread,
	.schema = on_schema,
	.range = on_range,
	.ranges_done = on_end_of_rows,
	.overhead = on_overhead,
	.call = on_call,
	.calls_done = on_end_of_rows,
	.graph_run = on_graph_run,
	.sync = on_sync,
	.memory = on_memory,
	.frame = on_frame,
	.wanted = on_wanted,
	.name = on_name,
	.done = on_done,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct eater e = { .sum = 0 };
	const struct ks_sink sink = { &ops, &e, ~0u, 0 };
	const struct ks_ctx ctx = { .io = &ks_io_system,
				    .clock = &ks_clock_system,
				    .env = no_environment };
	struct ks_err err;
	char path[INPUT_PATH];

	if (!put(path, data, size))
		return 0;
	ks_err_init(&err);
	ks_arena_init(&e.arena, (size_t)1 << 28);
	ks_devices_init(&e.devices, &e.arena);

	const enum ks_status st = ks_source_nsys_sqlite.stream(&ctx, path, &sink, &err);

	if (st != err.status) /* an error without a record of it, or the other way round */
		abort();
	ks_mem_free(e.ref);
	ks_arena_release(&e.arena);
	(void)unlink(path);
	return 0;
}
