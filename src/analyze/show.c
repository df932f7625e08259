/* SPDX-License-Identifier: Apache-2.0
 *
 * The readings of `show`. Each has a sink with the few rows it needs; names are told at the end of
 * each and kept as text.
 */
#include "analyze/show.h"

#include <stdlib.h>

#include "analyze/eventname.h"
#include "analyze/find_table.h"
#include "analyze/launch.h"
#include "analyze/ranges.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "model/device.h"
#include "tables/tables.h"

enum reading { READ_EVENT, READ_AROUND, READ_RANGES, READ_ALL };

struct seen { /* a row of any kind */
	bool there;
	enum ks_find_table table;
	ks_ns start_ns, end_ns;
	int64_t row, name, domain; /* name: a reference, or the kind of a copy */
	int64_t process, context, stream, thread;
	int64_t ordinal; /* of the device in its process */
	int64_t correlation, bytes;
	int64_t grid[3], block[3], regs, static_smem, dynamic_smem;
};

struct domain_key {
	int64_t process, domain;
};

struct ks_show {
	const struct ks_ctx *ctx;
	struct ks_arena arena;
	struct ks_sink_ops ops;
	struct ks_sink sink;
	enum reading reading;
	enum ks_find_table table;
	int64_t pid, row; /* of the id; pid KS_UNKNOWN for '-' */
	ks_str id;

	struct seen event, call, before, after;
	struct ks_devices devices; /* of the first reading */
	uint32_t device;

	struct ks_map texts; /* references of this reading, int64_t */
	ks_str *text;	     /* beside texts */
	size_t text_cap;
	ks_nameref *wish;
	size_t n_wish, wish_cap;

	struct ks_map
		domains; /* of this reading: process and domain, beside: its name's reference */
	int64_t *domain_name;
	size_t domain_cap;

	struct ks_ranges *ranges;
	struct seen *open;
	size_t n_open, open_cap;
	struct ks_steps steps;

	struct ks_shown_event shown_call, shown_before, shown_after;
	struct ks_shown out;
};

static enum ks_status no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "show", NULL);
}

/* --- names ---------------------------------------------------------------------------------------
 */

static uint32_t wish_for(struct ks_show *s, int64_t ref, struct ks_err *err)
{
	bool fresh = false;

	if (ref == 0)
		return KS_MAP_NONE;
	const uint32_t at = ks_map_add(&s->texts, &ref, &fresh);

	if (at == KS_MAP_NONE || !KS_GROW(s->text, s->text_cap, (size_t)at + 1, s->texts.max) ||
	    (fresh && !KS_GROW(s->wish, s->wish_cap, s->n_wish + 1, s->texts.max))) {
		(void)no_memory(err);
		return KS_MAP_NONE;
	}
	if (fresh)
		s->wish[s->n_wish++] = ref;
	return at;
}

static ks_str text_of(const struct ks_show *s, int64_t ref)
{
	const uint32_t at = ref == 0 ? KS_MAP_NONE : ks_map_find(&s->texts, &ref);

	return at == KS_MAP_NONE ? KS_LIT("") : s->text[at];
}

static bool named_by_ref(enum ks_find_table t)
{
	return t == KS_FIND_T_KERNEL || t >= KS_FIND_T_RANGE;
}

static void on_wanted(void *self, const ks_nameref **ref, size_t *n)
{
	struct ks_show *s = self;
	const struct seen *const seen[] = { &s->event, &s->call, &s->before, &s->after };

	for (size_t i = 0; i < KS_ARRAY_LEN(seen); i++) {
		if (s->reading != READ_RANGES && seen[i]->there && named_by_ref(seen[i]->table))
			(void)wish_for(s, seen[i]->name, NULL);
	}
	*ref = s->wish;
	*n = s->n_wish;
}

static enum ks_status on_name(void *self, ks_nameref ref, ks_str text, struct ks_err *err)
{
	struct ks_show *s = self;
	const uint32_t at = ks_map_find(&s->texts, &ref);

	s->n_wish = 0;
	if (at != KS_MAP_NONE)
		s->text[at] = ks_arena_dup(&s->arena, text);
	return ks_arena_failed(&s->arena) ? no_memory(err) : KS_OK;
}

/* --- rows ----------------------------------------------------------------------------------------
 */

static bool is_work(enum ks_find_table t)
{
	return t <= KS_FIND_T_MEMSET;
}

static bool is_event(const struct ks_show *s, const struct seen *e)
{
	return e->table == s->table && e->row == s->row && ks_global_pid(e->process) == s->pid;
}

/* Rows of one stream or thread in order: by start, the longer first, then as the tables have them.
 */
static int order(const struct seen *a, const struct seen *b)
{
	int c = ks_num_cmp_i64(a->start_ns, b->start_ns);

	if (c == 0)
		c = ks_num_cmp_i64(b->end_ns, a->end_ns);
	if (c == 0)
		c = ks_num_cmp_i64((int64_t)a->table, (int64_t)b->table);
	return c != 0 ? c : ks_num_cmp_i64(a->row, b->row);
}

static bool beside(const struct seen *a, const struct seen *b)
{
	if (is_work(a->table) != is_work(b->table))
		return false;
	if (is_work(a->table))
		return a->process == b->process && a->ordinal == b->ordinal &&
		       a->context == b->context && a->stream == b->stream;
	return a->thread == b->thread &&
	       (a->table == KS_FIND_T_RANGE) == (b->table == KS_FIND_T_RANGE);
}

static void see_around(struct ks_show *s, const struct seen *e)
{
	if (is_event(s, e) || !beside(&s->event, e))
		return;
	const int c = order(e, &s->event);

	if (c < 0 && (!s->before.there || order(e, &s->before) > 0))
		s->before = *e;
	if (c > 0 && (!s->after.there || order(e, &s->after) < 0))
		s->after = *e;
}

static enum ks_status see(struct ks_show *s, const struct seen *e, struct ks_err *err)
{
	if (s->reading == READ_AROUND) {
		see_around(s, e);
		return KS_OK;
	}
	const uint32_t device =
		is_work(e->table) ? ks_devices_resolve(&s->devices, e->process, e->ordinal) : 0;

	if (device == UINT32_MAX)
		return no_memory(err);
	if (!is_event(s, e))
		return KS_OK;
	s->event = *e;
	s->device = device;
	return KS_OK;
}

static enum ks_status see_work(struct ks_show *s, const struct seen *e, struct ks_err *err)
{
	return ks_launch_is_good(e->start_ns, e->end_ns) ? see(s, e, err) : KS_OK;
}

static enum ks_status on_launch(void *self, const struct ks_launch *l, struct ks_err *err)
{
	struct seen e = { .there = true,
			  .table = KS_FIND_T_KERNEL,
			  .start_ns = l->start_ns,
			  .end_ns = l->end_ns,
			  .row = l->row,
			  .name = l->demangled != 0 ? l->demangled : l->function,
			  .process = l->process,
			  .context = l->context,
			  .stream = l->stream,
			  .thread = KS_UNKNOWN,
			  .ordinal = l->device,
			  .correlation = l->correlation,
			  .bytes = KS_UNKNOWN,
			  .regs = l->regs,
			  .static_smem = l->static_smem,
			  .dynamic_smem = l->dynamic_smem };

	if (e.name == 0)
		e.name = l->mangled;
	memcpy(e.grid, l->grid, sizeof(e.grid));
	memcpy(e.block, l->block, sizeof(e.block));
	return see_work(self, &e, err);
}

static enum ks_status on_copy(void *self, const struct ks_copy *c, struct ks_err *err)
{
	const struct seen e = { .there = true,
				.table = c->peer_table ? KS_FIND_T_PEER : KS_FIND_T_COPY,
				.start_ns = c->start_ns,
				.end_ns = c->end_ns,
				.row = c->row,
				.name = c->kind,
				.process = c->process,
				.context = c->context,
				.stream = c->stream,
				.thread = KS_UNKNOWN,
				.ordinal = c->device,
				.correlation = c->correlation,
				.bytes = c->bytes };

	return see_work(self, &e, err);
}

static enum ks_status on_memset(void *self, const struct ks_memset *m, struct ks_err *err)
{
	const struct seen e = { .there = true,
				.table = KS_FIND_T_MEMSET,
				.start_ns = m->start_ns,
				.end_ns = m->end_ns,
				.row = m->row,
				.name = KS_EVENT_MEMSET,
				.process = m->process,
				.context = m->context,
				.stream = m->stream,
				.thread = KS_UNKNOWN,
				.ordinal = m->device,
				.correlation = m->correlation,
				.bytes = m->bytes };

	return see_work(self, &e, err);
}

/* The call of a work's correlation id in its process; the outermost where one calls another. */
static void see_call(struct ks_show *s, const struct seen *e)
{
	if (!is_work(s->event.table) || s->event.correlation == 0 ||
	    e->correlation != s->event.correlation ||
	    ks_global_pid(e->process) != ks_global_pid(s->event.process))
		return;
	if (!s->call.there || order(e, &s->call) < 0)
		s->call = *e;
}

static enum ks_status on_call(void *self, const struct ks_call *c, struct ks_err *err)
{
	struct ks_show *s = self;
	const struct seen e = { .there = true,
				.table = c->driver_table ? KS_FIND_T_DRIVER : KS_FIND_T_RUNTIME,
				.start_ns = c->start_ns,
				.end_ns = c->end_ns,
				.row = c->row,
				.name = c->name,
				.process = ks_global_process(c->thread),
				.context = KS_UNKNOWN,
				.stream = KS_UNKNOWN,
				.thread = c->thread,
				.ordinal = KS_UNKNOWN,
				.correlation = c->correlation,
				.bytes = KS_UNKNOWN };

	if (c->event_class == KS_CALL_BACKTRACE || !ks_time_is_span(e.start_ns, e.end_ns))
		return KS_OK;
	if (s->reading == READ_AROUND)
		see_call(s, &e);
	return see(s, &e, err);
}

/* --- ranges --------------------------------------------------------------------------------------
 */

static enum ks_status name_domain(struct ks_show *s, const struct ks_range *r, struct ks_err *err)
{
	const struct domain_key key = { ks_global_process(r->thread), r->domain };
	const uint32_t at = ks_map_add(&s->domains, &key, NULL);

	if (at == KS_MAP_NONE ||
	    !KS_GROW(s->domain_name, s->domain_cap, (size_t)at + 1, s->domains.max))
		return no_memory(err);
	s->domain_name[at] = r->name;
	return r->name == 0 || wish_for(s, r->name, err) != KS_MAP_NONE ? KS_OK : KS_E_ENV;
}

static ks_str domain_of(const struct ks_show *s, const struct seen *e)
{
	const struct domain_key key = { e->process, e->domain };
	const uint32_t at =
		e->table == KS_FIND_T_RANGE ? ks_map_find(&s->domains, &key) : KS_MAP_NONE;

	if (at == KS_MAP_NONE)
		return KS_LIT("");
	return ks_redact_name(s->ctx->redact, KS_NAME_DOMAIN, text_of(s, s->domain_name[at]));
}

/* What began the event: its call, or itself. Work without a known call has no thread. */
static const struct seen *cause(const struct ks_show *s)
{
	if (!is_work(s->event.table))
		return &s->event;
	return s->call.there ? &s->call : NULL;
}

static enum ks_status see_open(struct ks_show *s, const struct seen *e, struct ks_err *err)
{
	const struct seen *c = cause(s);
	if (c == NULL)
		return KS_OK;
	const bool is_range = c->table == KS_FIND_T_RANGE;
	const ks_ns last = is_range ? c->end_ns : c->start_ns + 1;

	if (e->thread != c->thread || is_event(s, e) || e->start_ns > c->start_ns ||
	    e->end_ns < last || (is_range && order(e, c) > 0))
		return KS_OK;
	if (!KS_GROW(s->open, s->open_cap, s->n_open + 1, SIZE_MAX / sizeof(*s->open)))
		return no_memory(err);
	s->open[s->n_open++] = *e;
	return KS_OK;
}

static enum ks_status on_range(void *self, const struct ks_range *r, struct ks_err *err)
{
	struct ks_show *s = self;
	const struct seen e = { .there = true,
				.table = KS_FIND_T_RANGE,
				.start_ns = r->start_ns,
				.end_ns = r->end_ns,
				.row = r->row,
				.name = r->name,
				.domain = r->domain,
				.process = ks_global_process(r->thread),
				.context = KS_UNKNOWN,
				.stream = KS_UNKNOWN,
				.thread = r->thread,
				.ordinal = KS_UNKNOWN,
				.bytes = KS_UNKNOWN };

	if (s->reading == READ_RANGES) {
		const uint32_t name = wish_for(s, r->name, err);

		if (r->name != 0 && name == KS_MAP_NONE)
			return KS_E_ENV;
		KS_TRY(ks_ranges_add(s->ranges, r, name, err));
	}
	if (r->type == KS_RANGE_DOMAIN_CREATE)
		return name_domain(s, r, err);
	if (!ks_range_has_ends(r->type) || !ks_time_is_span(r->start_ns, r->end_ns))
		return KS_OK;
	return s->reading == READ_RANGES ? see_open(s, &e, err) : see(s, &e, err);
}

static enum ks_status on_ranges_done(void *self, struct ks_err *err)
{
	struct ks_show *s = self;

	if (s->reading != READ_RANGES)
		return KS_OK;
	KS_TRY(ks_ranges_settle(s->ranges, s->text, s->texts.count, err));
	return ks_ranges_steps(s->ranges, KS_LIT(""), &s->arena, &s->steps, err);
}

/* --- the rest of a trace -------------------------------------------------------------------------
 */

static enum ks_status on_gpu(void *self, const struct ks_trace_gpu *g, struct ks_err *err)
{
	struct ks_show *s = self;

	return s->reading == READ_EVENT ? ks_devices_add_gpu(&s->devices, g, err) : KS_OK;
}

static enum ks_status on_gpu_map(void *self, const struct ks_trace_gpu_map *m, struct ks_err *err)
{
	struct ks_show *s = self;

	return s->reading == READ_EVENT ? ks_devices_add_map(&s->devices, m, err) : KS_OK;
}

/* --- readings ------------------------------------------------------------------------------------
 */

static void begin_reading(struct ks_show *s, enum reading reading)
{
	const enum ks_find_kind kind = ks_find_kind_in(s->table);
	const unsigned all = KS_SPARED_COPIES | KS_SPARED_LAUNCHES;
	unsigned rows = KS_ROWS_NUMBERS, spared = all;

	if (reading == READ_RANGES || kind == KS_FIND_RANGE)
		rows |= KS_ROWS_RANGES;
	else if (kind == KS_FIND_API || reading == READ_AROUND)
		rows |= KS_ROWS_CALLS;
	if (ks_find_on_device(kind) && reading == READ_AROUND)
		spared = 0;
	if (ks_find_on_device(kind) && reading == READ_EVENT)
		spared = kind == KS_FIND_KERNEL ? KS_SPARED_COPIES : KS_SPARED_LAUNCHES;
	s->reading = reading;
	s->sink = (struct ks_sink){ &s->ops, s, rows, spared };
	ks_map_release(&s->texts);
	ks_map_release(&s->domains);
	ks_map_init(&s->texts, sizeof(int64_t), 2 * (size_t)ks_limit(KS_LIMIT_KERNEL_NAMES));
	ks_map_init(&s->domains, sizeof(struct domain_key), (size_t)ks_limit(KS_LIMIT_TRACKS));
	for (size_t i = 0; i < s->text_cap; i++)
		s->text[i] = KS_LIT("");
	s->n_wish = 0;
}

static ks_str name_of(struct ks_show *s, const struct seen *e)
{
	struct ks_redact *redact = s->ctx->redact;

	switch (ks_find_kind_in(e->table)) {
	case KS_FIND_KERNEL:
		return ks_event_kernel(&s->arena, redact, text_of(s, e->name));
	case KS_FIND_COPY:
		return ks_event_copy(&s->arena, e->name);
	case KS_FIND_RANGE:
		return ks_redact_name(redact, KS_NAME_RANGE, text_of(s, e->name));
	case KS_FIND_API:
	case KS_FIND_KINDS:
		break;
	}
	return ks_event_call(ks_redact_text(redact, text_of(s, e->name)));
}

static void put(struct ks_show *s, const struct seen *e, struct ks_shown_event *out)
{
	const bool work = is_work(e->table);
	const int64_t label = work ? s->devices.device[s->device].label : -1;

	*out = (struct ks_shown_event){
		.of = { .id = ks_find_id(&s->arena, e->table, e->process, e->row),
			.name = name_of(s, e),
			.domain = domain_of(s, e),
			.start_ns = e->start_ns,
			.duration_ns = e->end_ns - e->start_ns,
			.device = label < 0 ? KS_UNKNOWN : label,
			.stream = e->stream,
			.pid = ks_global_pid(e->process),
			.tid = ks_global_tid(e->thread),
			.context = e->context,
			.correlation = e->correlation == 0 ? KS_UNKNOWN : e->correlation,
			.bytes = e->bytes },
		.kind = ks_find_kind_in(e->table),
		.regs = e->regs,
		.static_smem = e->static_smem,
		.dynamic_smem = e->dynamic_smem,
	};
	memcpy(out->grid, e->grid, sizeof(out->grid));
	memcpy(out->block, e->block, sizeof(out->block));
}

static const struct ks_shown_event *put_if(struct ks_show *s, const struct seen *e,
					   struct ks_shown_event *out)
{
	if (!e->there)
		return NULL;
	put(s, e, out);
	return out;
}

static int by_order(const void *a, const void *b)
{
	return order(a, b);
}

static enum ks_status put_ranges(struct ks_show *s, struct ks_err *err)
{
	const struct seen *c = cause(s);
	const ks_ns at = c != NULL ? c->start_ns : KS_UNKNOWN;
	ks_str *path = KS_ARENA_NEWS(&s->arena, ks_str, s->n_open + 1);

	if (path == NULL)
		return no_memory(err);
	if (s->n_open > 0)
		qsort(s->open, s->n_open, sizeof(*s->open), by_order);
	for (size_t i = 0; i < s->n_open; i++) {
		const ks_str name = name_of(s, &s->open[i]), domain = domain_of(s, &s->open[i]);

		path[i] = domain.n == 0 ? name
					: ks_arena_fmt(&s->arena, "%.*s:%.*s", (int)domain.n,
						       domain.p, (int)name.n, name.p);
	}
	s->out.path = path;
	s->out.n_path = s->n_open;
	for (size_t i = 0; i < s->steps.n; i++) {
		if (s->steps.step[i].start_ns <= at && at < s->steps.step[i].end_ns)
			s->out.step = (int64_t)i;
	}
	return KS_OK;
}

enum ks_status ks_show_read(struct ks_show *s, bool *more, struct ks_err *err)
{
	const enum reading now = s->reading;

	if (now == READ_EVENT && !s->event.there)
		return ks_err_set(err, KS_E_NOMATCH, KS_TEXT_ERR_SHOW_NONE, s->id.p, NULL);
	if (now == READ_EVENT) {
		ks_devices_label(&s->devices);
		put(s, &s->event, &s->out.event);
	}
	if (now == READ_AROUND) {
		s->out.launch_call = put_if(s, &s->call, &s->shown_call);
		s->out.before = put_if(s, &s->before, &s->shown_before);
		s->out.after = put_if(s, &s->after, &s->shown_after);
	}
	if (now == READ_RANGES)
		KS_TRY(put_ranges(s, err));
	*more = now == READ_EVENT || (now == READ_AROUND && cause(s) != NULL);
	if (*more)
		begin_reading(s, now == READ_EVENT ? READ_AROUND : READ_RANGES);
	return ks_arena_failed(&s->arena) ? no_memory(err) : KS_OK;
}

const struct ks_shown *ks_show_answer(const struct ks_show *s)
{
	return &s->out;
}

const struct ks_sink *ks_show_sink(struct ks_show *s)
{
	return &s->sink;
}

static void set_ops(struct ks_sink_ops *o)
{
	*o = ks_sink_nothing;
	o->gpu = on_gpu;
	o->gpu_map = on_gpu_map;
	o->range = on_range;
	o->ranges_done = on_ranges_done;
	o->call = on_call;
	o->copy = on_copy;
	o->memset = on_memset;
	o->launch = on_launch;
	o->wanted = on_wanted;
	o->name = on_name;
}

enum ks_status ks_show_open(const struct ks_ctx *ctx, const char *id, struct ks_show **out,
			    struct ks_err *err)
{
	enum ks_find_table table = KS_FIND_T_KERNEL;
	int64_t pid = 0, row = 0;

	if (!ks_find_id_parse(ks_str_c(id), &table, &pid, &row))
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_SHOW_ID, id, NULL);
	struct ks_show *s = ks_mem_alloc(sizeof(*s));

	if (s == NULL)
		return no_memory(err);
	*out = s;
	s->ctx = ctx;
	s->id = ks_str_c(id);
	s->table = table;
	s->pid = pid;
	s->row = row;
	s->out.step = KS_UNKNOWN;
	ks_arena_init(&s->arena, (size_t)ks_limit(KS_LIMIT_RUN_ARENA_BYTES));
	ks_devices_init(&s->devices, &s->arena);
	set_ops(&s->ops);
	s->ranges = ks_ranges_open();
	if (s->ranges == NULL) {
		*out = NULL;
		ks_show_close(s);
		return no_memory(err);
	}
	ks_ranges_redact(s->ranges, ctx->redact);
	begin_reading(s, READ_EVENT);
	return KS_OK;
}

void ks_show_close(struct ks_show *s)
{
	if (s == NULL)
		return;
	ks_ranges_close(s->ranges);
	ks_map_release(&s->texts);
	ks_map_release(&s->domains);
	ks_mem_free(s->text);
	ks_mem_free(s->wish);
	ks_mem_free(s->domain_name);
	ks_mem_free(s->open);
	ks_arena_release(&s->arena);
	ks_mem_free(s);
}
