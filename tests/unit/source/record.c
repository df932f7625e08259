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

static enum ks_status on_meta(void *self, const struct ks_trace_meta *m, struct ks_err *err)
{
	struct record *r = self;

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

	r->n_gpus++;
	return ks_devices_add_gpu(&r->devices, g, err);
}

static enum ks_status on_gpu_map(void *self, const struct ks_trace_gpu_map *m, struct ks_err *err)
{
	struct record *r = self;

	r->n_maps++;
	return ks_devices_add_map(&r->devices, m, err);
}

static enum ks_status on_process(void *self, const struct ks_trace_process *p, struct ks_err *err)
{
	struct record *r = self;
	struct ks_trace_process *own = ADD(r, process, n_processes, process_cap);

	(void)err;
	*own = *p;
	own->name = ks_arena_dup(&r->arena, p->name);
	return KS_OK;
}

static enum ks_status on_holding(void *self, const struct ks_trace_holding *h, struct ks_err *err)
{
	struct record *r = self;
	struct ks_trace_holding *own = ADD(r, holding, n_holdings, holding_cap);

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

	(void)err;
	*own = *d;
	own->text = ks_arena_dup(&r->arena, d->text);
	return KS_OK;
}

static enum ks_status on_copy(void *self, const struct ks_copy *c, struct ks_err *err)
{
	struct record *r = self;

	(void)err;
	assert_int_equal(r->n_launches, 0); /* copies and memsets come before launches */
	*ADD(r, copy, n_copies, copy_cap) = *c;
	return KS_OK;
}

static enum ks_status on_memset(void *self, const struct ks_memset *m, struct ks_err *err)
{
	struct record *r = self;

	(void)err;
	assert_int_equal(r->n_launches, 0);
	*ADD(r, memset, n_memsets, memset_cap) = *m;
	return KS_OK;
}

static enum ks_status on_launch(void *self, const struct ks_launch *l, struct ks_err *err)
{
	struct record *r = self;

	if (r->fail_at_launch && r->n_launches + 1 == r->fail_at_launch)
		return ks_err_set(err, KS_E_INTERNAL, KS_TEXT_LITERAL, "the sink said no",
				  (char *)NULL);
	*ADD(r, launch, n_launches, launch_cap) = *l;
	return KS_OK;
}

static void want(struct record *r, ks_nameref ref)
{
	if (!ref)
		return;
	for (size_t i = 0; i < r->n_wanted; i++)
		if (r->wanted[i] == ref)
			return;
	*ADD(r, wanted, n_wanted, wanted_cap) = ref;
}

static void on_wanted(void *self, const ks_nameref **ref, size_t *n)
{
	struct record *r = self;

	for (size_t i = 0; i < r->n_launches; i++) {
		want(r, r->launch[i].demangled);
		want(r, r->launch[i].function);
		want(r, r->launch[i].mangled);
	}
	*ref = r->wanted;
	*n = r->n_wanted;
}

static enum ks_status on_name(void *self, ks_nameref ref, ks_str text, struct ks_err *err)
{
	struct record *r = self;

	(void)err;
	for (size_t i = 0; i < r->n_names; i++)
		assert_true(r->name[i].ref != ref); /* each once */
	*ADD(r, name, n_names, name_cap) =
		(struct record_name){ ref, ks_arena_dup(&r->arena, text) };
	return KS_OK;
}

static enum ks_status on_done(void *self, bool *again, struct ks_err *err)
{
	struct record *r = self;

	(void)err;
	*again = ++r->n_passes < r->passes_wanted;
	if (*again) {
		r->n_copies = 0;
		r->n_memsets = 0;
		r->n_launches = 0;
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
	r->sink = (struct ks_sink){ &ops, r };
}

void record_end(struct record *r)
{
	ks_mem_free(r->process);
	ks_mem_free(r->holding);
	ks_mem_free(r->diagnostic);
	ks_mem_free(r->copy);
	ks_mem_free(r->memset);
	ks_mem_free(r->launch);
	ks_mem_free(r->wanted);
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
	for (size_t i = 0; i < r->n_names; i++)
		if (r->name[i].ref == ref)
			return r->name[i].text;
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
