/* SPDX-License-Identifier: Apache-2.0
 *
 * The sink of `show`: of each reading it keeps the few rows that are asked for. Names are told at
 * the end of a reading and kept as text.
 */
#include "analyze/show_internal.h"

#include "analyze/eventname.h"
#include "analyze/launch.h"
#include "base/mem.h"
#include "base/num.h"
#include "tables/tables.h"

enum ks_status ks_show_no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "show", NULL);
}

/* --- names ---------------------------------------------------------------------------------------
 */

static uint32_t wish_for(struct ks_show *s, int64_t ref, struct ks_err *err)
{
	if (!ks_told_wish(&s->names, ref)) {
		(void)ks_show_no_memory(err);
		return KS_MAP_NONE;
	}
	return ks_told_number(&s->names, ref);
}

ks_str ks_show_text(const struct ks_show *s, int64_t ref)
{
	return ks_told_text(&s->names, ref);
}

static bool named_by_ref(enum ks_find_table t)
{
	return t == KS_FIND_T_KERNEL || t >= KS_FIND_T_RANGE;
}

static void on_wanted(void *self, const ks_nameref **ref, size_t *n)
{
	struct ks_show *s = self;
	const struct ks_show_row *const seen[] = { &s->event, &s->call, &s->before, &s->after };

	for (size_t i = 0; i < KS_ARRAY_LEN(seen); i++) {
		if (s->reading != KS_SHOW_RANGES && seen[i]->there && named_by_ref(seen[i]->table))
			s->arena.failed |= !ks_told_wish(&s->names, seen[i]->name);
	}
	ks_told_wanted(&s->names, ref, n);
}

static enum ks_status on_name(void *self, ks_nameref ref, ks_str text, struct ks_err *err)
{
	struct ks_show *s = self;

	ks_told_tell(&s->names, &s->arena, ref, text);
	return ks_arena_failed(&s->arena) ? ks_show_no_memory(err) : KS_OK;
}

/* --- rows ----------------------------------------------------------------------------------------
 */

bool ks_show_is_work(enum ks_find_table t)
{
	return t <= KS_FIND_T_MEMSET;
}

static bool is_event(const struct ks_show *s, const struct ks_show_row *e)
{
	return e->table == s->table && e->row == s->row && ks_global_pid(e->process) == s->pid;
}

int ks_show_order(const struct ks_show_row *a, const struct ks_show_row *b)
{
	int c = ks_num_cmp_i64(a->start_ns, b->start_ns);

	if (c == 0)
		c = ks_num_cmp_i64(b->end_ns, a->end_ns);
	if (c == 0)
		c = ks_num_cmp_i64((int64_t)a->table, (int64_t)b->table);
	return c != 0 ? c : ks_num_cmp_i64(a->row, b->row);
}

static bool beside(const struct ks_show_row *a, const struct ks_show_row *b)
{
	if (ks_show_is_work(a->table) != ks_show_is_work(b->table))
		return false;
	if (ks_show_is_work(a->table))
		return a->process == b->process && a->ordinal == b->ordinal &&
		       a->context == b->context && a->stream == b->stream;
	return a->thread == b->thread &&
	       (a->table == KS_FIND_T_RANGE) == (b->table == KS_FIND_T_RANGE);
}

static void see_around(struct ks_show *s, const struct ks_show_row *e)
{
	if (is_event(s, e) || !beside(&s->event, e))
		return;
	const int c = ks_show_order(e, &s->event);

	if (c < 0 && (!s->before.there || ks_show_order(e, &s->before) > 0))
		s->before = *e;
	if (c > 0 && (!s->after.there || ks_show_order(e, &s->after) < 0))
		s->after = *e;
}

static enum ks_status see(struct ks_show *s, const struct ks_show_row *e, struct ks_err *err)
{
	if (s->reading == KS_SHOW_AROUND) {
		see_around(s, e);
		return KS_OK;
	}
	const uint32_t device = ks_show_is_work(e->table)
					? ks_devices_resolve(&s->devices, e->process, e->ordinal)
					: 0;

	if (device == UINT32_MAX)
		return ks_show_no_memory(err);
	if (!is_event(s, e))
		return KS_OK;
	s->event = *e;
	s->device = device;
	return KS_OK;
}

static enum ks_status see_work(struct ks_show *s, const struct ks_show_row *e, struct ks_err *err)
{
	return ks_launch_is_good(e->start_ns, e->end_ns) ? see(s, e, err) : KS_OK;
}

static enum ks_status on_launch(void *self, const struct ks_launch *l, struct ks_err *err)
{
	struct ks_show_row e = { .there = true,
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
	const struct ks_show_row e = { .there = true,
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
	const struct ks_show_row e = { .there = true,
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
static void see_call(struct ks_show *s, const struct ks_show_row *e)
{
	if (!ks_show_is_work(s->event.table) || s->event.correlation == 0 ||
	    e->correlation != s->event.correlation ||
	    ks_global_pid(e->process) != ks_global_pid(s->event.process))
		return;
	if (!s->call.there || ks_show_order(e, &s->call) < 0)
		s->call = *e;
}

static enum ks_status on_call(void *self, const struct ks_call *c, struct ks_err *err)
{
	struct ks_show *s = self;
	const struct ks_show_row e = { .there = true,
				       .table = c->driver_table ? KS_FIND_T_DRIVER
								: KS_FIND_T_RUNTIME,
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
	if (s->reading == KS_SHOW_AROUND)
		see_call(s, &e);
	return see(s, &e, err);
}

/* --- ranges --------------------------------------------------------------------------------------
 */

static enum ks_status name_domain(struct ks_show *s, const struct ks_range *r, struct ks_err *err)
{
	const struct ks_show_domain key = { ks_global_process(r->thread), r->domain };
	const uint32_t at = ks_map_add(&s->domains, &key, NULL);

	if (at == KS_MAP_NONE ||
	    !KS_GROW(s->domain_name, s->domain_cap, (size_t)at + 1, s->domains.max))
		return ks_show_no_memory(err);
	s->domain_name[at] = r->name;
	return r->name == 0 || wish_for(s, r->name, err) != KS_MAP_NONE ? KS_OK : KS_E_ENV;
}

const struct ks_show_row *ks_show_cause(const struct ks_show *s)
{
	if (!ks_show_is_work(s->event.table))
		return &s->event;
	return s->call.there ? &s->call : NULL;
}

static enum ks_status see_open(struct ks_show *s, const struct ks_show_row *e, struct ks_err *err)
{
	const struct ks_show_row *c = ks_show_cause(s);
	if (c == NULL)
		return KS_OK;
	const bool is_range = c->table == KS_FIND_T_RANGE;
	const ks_ns last = is_range ? c->end_ns : c->start_ns + 1;

	if (e->thread != c->thread || is_event(s, e) || e->start_ns > c->start_ns ||
	    e->end_ns < last || (is_range && ks_show_order(e, c) > 0))
		return KS_OK;
	if (!KS_GROW(s->open, s->open_cap, s->n_open + 1, SIZE_MAX / sizeof(*s->open)))
		return ks_show_no_memory(err);
	s->open[s->n_open++] = *e;
	return KS_OK;
}

static enum ks_status on_range(void *self, const struct ks_range *r, struct ks_err *err)
{
	struct ks_show *s = self;
	const struct ks_show_row e = { .there = true,
				       .table = KS_FIND_T_RANGE,
				       .start_ns = r->start_ns,
				       .end_ns = r->end_ns,
				       .start_end = ks_range_is_start_end(r->type),
				       .row = r->row,
				       .name = r->name,
				       .domain = r->domain,
				       .process = ks_global_process(r->thread),
				       .context = KS_UNKNOWN,
				       .stream = KS_UNKNOWN,
				       .thread = r->thread,
				       .ordinal = KS_UNKNOWN,
				       .bytes = KS_UNKNOWN };

	if (s->reading == KS_SHOW_RANGES) {
		const uint32_t name = wish_for(s, r->name, err);

		if (r->name != 0 && name == KS_MAP_NONE)
			return KS_E_ENV;
		KS_TRY(ks_ranges_add(s->ranges, r, name, err));
	}
	if (r->type == KS_RANGE_DOMAIN_CREATE)
		return name_domain(s, r, err);
	if (!ks_range_has_ends(r->type) || !ks_time_is_span(r->start_ns, r->end_ns))
		return KS_OK;
	return s->reading == KS_SHOW_RANGES ? see_open(s, &e, err) : see(s, &e, err);
}

static enum ks_status on_ranges_done(void *self, struct ks_err *err)
{
	struct ks_show *s = self;

	if (s->reading != KS_SHOW_RANGES)
		return KS_OK;
	KS_TRY(ks_ranges_settle(s->ranges, s->names.text, s->names.refs.count, err));
	return ks_ranges_steps(s->ranges, KS_LIT(""), &s->arena, &s->steps, err);
}

/* --- the rest of a trace -------------------------------------------------------------------------
 */

static enum ks_status on_gpu(void *self, const struct ks_trace_gpu *g, struct ks_err *err)
{
	struct ks_show *s = self;

	return s->reading == KS_SHOW_EVENT ? ks_devices_add_gpu(&s->devices, g, err) : KS_OK;
}

static enum ks_status on_gpu_map(void *self, const struct ks_trace_gpu_map *m, struct ks_err *err)
{
	struct ks_show *s = self;

	return s->reading == KS_SHOW_EVENT ? ks_devices_add_map(&s->devices, m, err) : KS_OK;
}

void ks_show_set_ops(struct ks_sink_ops *o)
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
