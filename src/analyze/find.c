/* SPDX-License-Identifier: Apache-2.0
 *
 * The sink of `find`: takes each event of the kind into the sorter. Knows no name yet and leaves
 * out only what can be told from the row itself.
 */
#include "analyze/find_internal.h"

#include "analyze/eventname.h"
#include "analyze/launch.h"
#include "analyze/window.h"
#include "base/mem.h"
#include "base/num.h"
#include "tables/tables.h"

struct domain_key {
	int64_t process, domain;
};

struct seen { /* a row, as far as all kinds have it */
	ks_ns start_ns, end_ns;
	int64_t row;
	int64_t extra; /* bytes or correlation */
};

enum ks_status ks_find_no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "find", NULL);
}

static enum ks_status full(const struct ks_map *m, struct ks_err *err)
{
	char limit[KS_NUM_LEN];

	if (m->count < m->max)
		return ks_find_no_memory(err);
	(void)ks_num_u64(limit, m->max);
	return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_TOO_MANY, "find", limit, NULL);
}

/* --- names ---------------------------------------------------------------------------------------
 */

ks_str ks_find_text(const struct ks_find *f, int64_t ref)
{
	return ks_told_text(&f->names, ref);
}

static void on_wanted(void *self, const ks_nameref **ref, size_t *n)
{
	struct ks_find *f = self;

	ks_told_wanted(&f->names, ref, n);
}

static enum ks_status on_name(void *self, ks_nameref ref, ks_str text, struct ks_err *err)
{
	struct ks_find *f = self;

	ks_told_tell(&f->names, &f->arena, ref, text);
	return ks_arena_failed(&f->arena) ? ks_find_no_memory(err) : KS_OK;
}

/* --- rows ----------------------------------------------------------------------------------------
 */

bool ks_find_left_out(const struct ks_find_choice *c, ks_ns start, ks_ns end)
{
	const struct ks_window w = { .on = true,
				     .from = c->from == KS_UNKNOWN ? INT64_MIN : c->from,
				     .to = c->to == KS_UNKNOWN ? INT64_MAX : c->to };

	if (c->min_ns != KS_UNKNOWN && end - start < c->min_ns)
		return true;
	return !ks_window_clip(&w, &start, &end);
}

/* Whether the row itself says that it is not meant. */
static bool left_out(const struct ks_find_choice *c, const struct seen *e,
		     const struct ks_find_shape *s)
{
	if (c->stream != KS_UNKNOWN && s->stream != c->stream)
		return true;
	if (c->pid != KS_UNKNOWN && ks_global_pid(s->process) != c->pid)
		return true;
	return ks_find_left_out(c, e->start_ns, e->end_ns);
}

static enum ks_status take(struct ks_find *f, const struct seen *e, const struct ks_find_shape *s,
			   struct ks_err *err)
{
	/* a number that does not fit is none; no file has so many rows */
	const bool fits = e->row >= 0 && e->row < INT64_C(1) << (62 - KS_FIND_SHAPE_BITS);
	const uint32_t at = ks_map_add(&f->shapes, s, NULL);
	const int64_t row = fits ? e->row + 1 : 0;
	const bool is_ref = s->table != KS_FIND_T_MEMSET && s->table != KS_FIND_T_COPY &&
			    s->table != KS_FIND_T_PEER;

	f->out.rows++;
	if (at == KS_MAP_NONE)
		return full(&f->shapes, err);
	if (is_ref && !ks_told_wish(&f->names, s->name))
		return full(&f->names.refs, err);
	if (f->choice->kind == KS_FIND_GAP) {
		const int64_t rec[KS_FIND_WORDS] = { s->device, e->start_ns, e->end_ns,
						     row << KS_FIND_SHAPE_BITS | (int64_t)at };

		return ks_sorter_add(f->events, rec, err);
	}
	if (left_out(f->choice, e, s))
		return KS_OK;
	const int64_t length = e->end_ns - e->start_ns;
	const bool by_duration = f->choice->by_duration;
	const int64_t rec[KS_FIND_WORDS] = { by_duration ? -length : e->start_ns,
					     by_duration ? e->start_ns : length,
					     row << KS_FIND_SHAPE_BITS | (int64_t)at, e->extra };

	return ks_sorter_add(f->events, rec, err);
}

static enum ks_status take_work(struct ks_find *f, const struct seen *e, struct ks_find_shape *s,
				struct ks_err *err)
{
	if (!ks_launch_is_good(e->start_ns, e->end_ns)) {
		f->out.bad_rows++;
		return KS_OK;
	}
	s->device = ks_devices_resolve(&f->devices, s->process, s->device);
	return s->device == UINT32_MAX ? ks_find_no_memory(err) : take(f, e, s, err);
}

static enum ks_status on_launch(void *self, const struct ks_launch *l, struct ks_err *err)
{
	const struct seen e = { l->start_ns, l->end_ns, l->row, l->correlation };
	struct ks_find_shape s = { .table = KS_FIND_T_KERNEL,
				   .process = l->process,
				   .device = l->device,
				   .context = l->context,
				   .stream = l->stream,
				   .thread = KS_UNKNOWN };

	s.name = l->demangled != 0 ? l->demangled : l->function;
	if (s.name == 0)
		s.name = l->mangled;
	return take_work(self, &e, &s, err);
}

static enum ks_status on_copy(void *self, const struct ks_copy *c, struct ks_err *err)
{
	const struct seen e = { c->start_ns, c->end_ns, c->row, c->bytes };
	struct ks_find_shape s = { .table = c->peer_table ? KS_FIND_T_PEER : KS_FIND_T_COPY,
				   .name = c->kind,
				   .process = c->process,
				   .device = c->device,
				   .context = c->context,
				   .stream = c->stream,
				   .thread = KS_UNKNOWN };

	return take_work(self, &e, &s, err);
}

static enum ks_status on_memset(void *self, const struct ks_memset *m, struct ks_err *err)
{
	const struct seen e = { m->start_ns, m->end_ns, m->row, m->bytes };
	struct ks_find_shape s = { .table = KS_FIND_T_MEMSET,
				   .name = KS_EVENT_MEMSET,
				   .process = m->process,
				   .device = m->device,
				   .context = m->context,
				   .stream = m->stream,
				   .thread = KS_UNKNOWN };

	return take_work(self, &e, &s, err);
}

/* What a thread did may take no time at all. */
static enum ks_status take_host(struct ks_find *f, const struct seen *e,
				const struct ks_find_shape *s, struct ks_err *err)
{
	if (ks_time_is_span(e->start_ns, e->end_ns))
		return take(f, e, s, err);
	f->out.bad_rows++;
	return KS_OK;
}

static struct ks_find_shape of_thread(enum ks_find_table table, int64_t thread, int64_t name)
{
	return (struct ks_find_shape){ .table = table,
				       .name = name,
				       .process = ks_global_process(thread),
				       .device = KS_UNKNOWN,
				       .context = KS_UNKNOWN,
				       .stream = KS_UNKNOWN,
				       .thread = thread };
}

static enum ks_status on_call(void *self, const struct ks_call *c, struct ks_err *err)
{
	const struct seen e = { c->start_ns, c->end_ns, c->row, c->correlation };
	const struct ks_find_shape s = of_thread(
		c->driver_table ? KS_FIND_T_DRIVER : KS_FIND_T_RUNTIME, c->thread, c->name);

	return c->event_class == KS_CALL_BACKTRACE ? KS_OK : take_host(self, &e, &s, err);
}

static enum ks_status find_domain(struct ks_find *f, const struct ks_range *r, uint32_t *at,
				  struct ks_err *err)
{
	const struct domain_key key = { ks_global_process(r->thread),
					r->domain == KS_UNKNOWN ? 0 : r->domain };

	*at = ks_map_add(&f->domains, &key, NULL);
	if (*at == KS_MAP_NONE)
		return full(&f->domains, err);
	return KS_GROW(f->domain_name, f->domain_cap, (size_t)*at + 1, f->domains.max)
		       ? KS_OK
		       : ks_find_no_memory(err);
}

static enum ks_status on_range(void *self, const struct ks_range *r, struct ks_err *err)
{
	struct ks_find *f = self;
	const struct seen e = { r->start_ns, r->end_ns, r->row, 0 };
	struct ks_find_shape s = of_thread(KS_FIND_T_RANGE, r->thread, r->name);
	uint32_t domain = 0;

	if (r->type == KS_RANGE_DOMAIN_CREATE) {
		KS_TRY(find_domain(f, r, &domain, err));
		f->domain_name[domain] = r->name;
		return ks_told_wish(&f->names, r->name) ? KS_OK : full(&f->names.refs, err);
	}
	if (!ks_range_has_ends(r->type) || r->end_ns == KS_UNKNOWN)
		return KS_OK; /* a mark, a name, or still open when the recording stopped */
	KS_TRY(find_domain(f, r, &domain, err));
	s.domain = domain;
	return take_host(f, &e, &s, err);
}

/* --- the rest of a trace -------------------------------------------------------------------------
 */

static enum ks_status on_gpu(void *self, const struct ks_trace_gpu *g, struct ks_err *err)
{
	struct ks_find *f = self;

	return ks_devices_add_gpu(&f->devices, g, err);
}

static enum ks_status on_gpu_map(void *self, const struct ks_trace_gpu_map *m, struct ks_err *err)
{
	struct ks_find *f = self;

	return ks_devices_add_map(&f->devices, m, err);
}

static const struct {
	unsigned rows, spared;
} needs[KS_FIND_KINDS] = {
	[KS_FIND_KERNEL] = { 0, KS_SPARED_COPIES },
	[KS_FIND_COPY] = { 0, KS_SPARED_LAUNCHES },
	[KS_FIND_RANGE] = { KS_ROWS_RANGES, KS_SPARED_COPIES | KS_SPARED_LAUNCHES },
	[KS_FIND_API] = { KS_ROWS_CALLS, KS_SPARED_COPIES | KS_SPARED_LAUNCHES },
	[KS_FIND_GAP] = { 0, 0 },
};

enum ks_status ks_find_open(const struct ks_ctx *ctx, const struct ks_find_choice *choice,
			    struct ks_find **out, struct ks_err *err)
{
	struct ks_find *f = ks_mem_alloc(sizeof(*f));

	if (f == NULL)
		return ks_find_no_memory(err);
	f->ctx = ctx;
	f->choice = choice;
	f->out.choice = choice;
	f->ops = ks_sink_nothing;
	f->ops.gpu = on_gpu;
	f->ops.gpu_map = on_gpu_map;
	f->ops.range = on_range;
	f->ops.call = on_call;
	f->ops.copy = on_copy;
	f->ops.memset = on_memset;
	f->ops.launch = on_launch;
	f->ops.wanted = on_wanted;
	f->ops.name = on_name;
	f->sink = (struct ks_sink){ &f->ops, f, KS_ROWS_NUMBERS | needs[choice->kind].rows,
				    needs[choice->kind].spared };
	ks_arena_init(&f->arena, (size_t)ks_limit(KS_LIMIT_RUN_ARENA_BYTES));
	ks_devices_init(&f->devices, &f->arena);
	ks_map_init(&f->shapes, sizeof(struct ks_find_shape), (size_t)ks_limit(KS_LIMIT_GROUPS));
	ks_told_init(&f->names);
	ks_map_init(&f->domains, sizeof(struct domain_key), (size_t)ks_limit(KS_LIMIT_TRACKS));
	f->events = ks_sorter_open(ctx->io, KS_FIND_WORDS,
				   (size_t)ks_limit(KS_LIMIT_LAUNCH_LOG_SPILL_BYTES));
	const enum ks_status status = f->events == NULL
					      ? ks_find_no_memory(err)
					      : ks_matcher_open(&f->matcher, choice->name, err);

	if (status == KS_OK)
		*out = f;
	else
		ks_find_close(f);
	return status;
}

void ks_find_close(struct ks_find *f)
{
	if (f == NULL)
		return;
	ks_matcher_close(f->matcher);
	if (f->events != NULL)
		ks_sorter_close(f->events);
	ks_map_release(&f->shapes);
	ks_told_release(&f->names);
	ks_map_release(&f->domains);
	ks_mem_free(f->domain_name);
	ks_mem_free(f->event);
	ks_arena_release(&f->arena);
	ks_mem_free(f);
}

const struct ks_sink *ks_find_sink(struct ks_find *f)
{
	return &f->sink;
}
