/* SPDX-License-Identifier: Apache-2.0
 *
 * The readings of `show`, one after another, and the answer they make.
 */
#include "analyze/show_internal.h"

#include <stdlib.h>

#include "analyze/eventname.h"
#include "base/mem.h"
#include "base/str.h"
#include "tables/tables.h"

/* --- readings ------------------------------------------------------------------------------------
 */

static void begin_reading(struct ks_show *s, enum ks_show_reading reading)
{
	const enum ks_find_kind kind = ks_find_kind_in(s->table);
	const unsigned all = KS_SPARED_COPIES | KS_SPARED_LAUNCHES;
	unsigned rows = KS_ROWS_NUMBERS, spared = all;

	if (reading == KS_SHOW_RANGES || kind == KS_FIND_RANGE)
		rows |= KS_ROWS_RANGES;
	else if (kind == KS_FIND_API || reading == KS_SHOW_AROUND)
		rows |= KS_ROWS_CALLS;
	if (ks_find_on_device(kind) && reading == KS_SHOW_AROUND)
		spared = 0;
	if (ks_find_on_device(kind) && reading == KS_SHOW_EVENT)
		spared = kind == KS_FIND_KERNEL ? KS_SPARED_COPIES : KS_SPARED_LAUNCHES;
	s->reading = reading;
	s->sink = (struct ks_sink){ &s->ops, s, rows, spared };
	ks_told_reset(&s->names);
	ks_map_release(&s->domains);
	ks_map_init(&s->domains, sizeof(struct ks_show_domain), (size_t)ks_limit(KS_LIMIT_TRACKS));
}

/* As the program calls it. */
static ks_str raw_domain_of(const struct ks_show *s, const struct ks_show_row *e)
{
	const struct ks_show_domain key = { e->process, e->domain };
	const uint32_t at =
		e->table == KS_FIND_T_RANGE ? ks_map_find(&s->domains, &key) : KS_MAP_NONE;

	return at == KS_MAP_NONE ? KS_LIT("") : ks_show_text(s, s->domain_name[at]);
}

static ks_str domain_of(const struct ks_show *s, const struct ks_show_row *e)
{
	const ks_str raw = raw_domain_of(s, e);

	return raw.n == 0 ? raw : ks_redact_name(s->ctx->redact, KS_NAME_DOMAIN, raw);
}

static ks_str name_of(struct ks_show *s, const struct ks_show_row *e)
{
	struct ks_redact *redact = s->ctx->redact;

	switch (ks_find_kind_in(e->table)) {
	case KS_FIND_KERNEL:
		return ks_event_kernel(&s->arena, redact, ks_show_text(s, e->name));
	case KS_FIND_COPY:
		return ks_event_copy(&s->arena, e->name);
	case KS_FIND_RANGE:
		return ks_redact_name(redact, KS_NAME_RANGE, ks_show_text(s, e->name));
	case KS_FIND_API:
	case KS_FIND_GAP:
	case KS_FIND_KINDS:
		break;
	}
	return ks_event_call(ks_redact_text(redact, ks_show_text(s, e->name)));
}

static void put(struct ks_show *s, const struct ks_show_row *e, struct ks_shown_event *out)
{
	const bool work = ks_show_is_work(e->table);
	const int64_t label = work ? s->devices.device[s->device].label : -1;

	*out = (struct ks_shown_event){
		.of = { .kind = ks_find_kind_in(e->table),
			.id = ks_find_id(&s->arena, e->table, e->process, e->row),
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
		.regs = e->regs,
		.static_smem = e->static_smem,
		.dynamic_smem = e->dynamic_smem,
	};
	memcpy(out->grid, e->grid, sizeof(out->grid));
	memcpy(out->block, e->block, sizeof(out->block));
}

static const struct ks_shown_event *put_if(struct ks_show *s, const struct ks_show_row *e,
					   struct ks_shown_event *out)
{
	if (!e->there)
		return NULL;
	put(s, e, out);
	return out;
}

static int by_order(const void *a, const void *b)
{
	return ks_show_order(a, b);
}

static enum ks_status put_ranges(struct ks_show *s, struct ks_err *err)
{
	const struct ks_show_row *c = ks_show_cause(s);
	const ks_ns at = c != NULL ? c->start_ns : KS_UNKNOWN;
	ks_str *path = KS_ARENA_NEWS(&s->arena, ks_str, s->n_open + 1);
	struct ks_shown_range *range =
		KS_ARENA_NEWS(&s->arena, struct ks_shown_range, s->n_open + 1);

	if (path == NULL || range == NULL)
		return ks_show_no_memory(err);
	if (s->n_open > 0)
		qsort(s->open, s->n_open, sizeof(*s->open), by_order);
	for (size_t i = 0; i < s->n_open; i++) {
		const struct ks_show_row *e = &s->open[i];
		const ks_str name = name_of(s, e), domain = domain_of(s, e);

		range[i] = (struct ks_shown_range){ ks_show_text(s, e->name), raw_domain_of(s, e),
						    e->start_end };
		path[i] = domain.n == 0 ? name
					: ks_arena_fmt(&s->arena, "%.*s:%.*s", (int)domain.n,
						       domain.p, (int)name.n, name.p);
	}
	s->out.path = path;
	s->out.range = range;
	s->out.n_path = s->n_open;
	for (size_t i = 0; i < s->steps.n; i++) {
		if (s->steps.step[i].start_ns <= at && at < s->steps.step[i].end_ns)
			s->out.step = (int64_t)i;
	}
	return KS_OK;
}

/* As far as `find` knows it. */
static struct ks_shown_event shown_of(const struct ks_found_event *e)
{
	return (struct ks_shown_event){
		.of = *e,
		.grid = { KS_UNKNOWN, KS_UNKNOWN, KS_UNKNOWN },
		.block = { KS_UNKNOWN, KS_UNKNOWN, KS_UNKNOWN },
		.regs = KS_UNKNOWN,
		.static_smem = KS_UNKNOWN,
		.dynamic_smem = KS_UNKNOWN,
	};
}

/* The gap with its neighbours; what ends it is read next. */
static enum ks_status read_gap(struct ks_show *s, bool *more, struct ks_err *err)
{
	const struct ks_found *f = NULL;

	KS_TRY(ks_find_finish(s->find, &f, err));
	if (f->n == 0)
		return ks_err_set(err, KS_E_NOMATCH, KS_TEXT_ERR_SHOW_NONE, s->id.p, NULL);
	s->out.event = shown_of(&f->event[0]);
	s->shown_before = shown_of(f->event[0].before);
	s->shown_after = shown_of(f->event[0].after);
	s->out.before = &s->shown_before;
	s->out.after = &s->shown_after;
	*more = ks_find_id_parse(s->shown_after.of.id, &s->table, &s->pid, &s->row);
	if (*more)
		begin_reading(s, KS_SHOW_EVENT);
	return KS_OK;
}

enum ks_status ks_show_read(struct ks_show *s, bool *more, struct ks_err *err)
{
	const enum ks_show_reading now = s->reading;

	if (now == KS_SHOW_GAP)
		return read_gap(s, more, err);
	if (now == KS_SHOW_EVENT && !s->event.there)
		return ks_err_set(err, KS_E_NOMATCH, KS_TEXT_ERR_SHOW_NONE, s->id.p, NULL);
	if (now == KS_SHOW_EVENT) {
		ks_devices_label(&s->devices);
		put(s, &s->event, s->find != NULL ? &s->shown_after : &s->out.event);
	}
	if (now == KS_SHOW_AROUND)
		s->out.launch_call = put_if(s, &s->call, &s->shown_call);
	if (now == KS_SHOW_AROUND && s->find == NULL) {
		s->out.before = put_if(s, &s->before, &s->shown_before);
		s->out.after = put_if(s, &s->after, &s->shown_after);
	}
	if (now == KS_SHOW_RANGES)
		KS_TRY(put_ranges(s, err));
	*more = now == KS_SHOW_EVENT || (now == KS_SHOW_AROUND && ks_show_cause(s) != NULL);
	if (*more)
		begin_reading(s, now == KS_SHOW_EVENT ? KS_SHOW_AROUND : KS_SHOW_RANGES);
	return ks_arena_failed(&s->arena) ? ks_show_no_memory(err) : KS_OK;
}

const struct ks_shown *ks_show_answer(const struct ks_show *s)
{
	return &s->out;
}

const struct ks_sink *ks_show_sink(struct ks_show *s)
{
	return &s->sink;
}

static enum ks_status open_gap(struct ks_show *s, struct ks_show **out, struct ks_err *err)
{
	s->gap = (struct ks_find_choice){
		.kind = KS_FIND_GAP,
		.name = KS_LIT(""),
		.min_ns = KS_UNKNOWN,
		.from = KS_UNKNOWN,
		.to = KS_UNKNOWN,
		.device = s->pid,
		.stream = KS_UNKNOWN,
		.pid = KS_UNKNOWN,
		.number = s->row,
		.limit = 1,
	};
	const enum ks_status st = ks_find_open(s->ctx, &s->gap, &s->find, err);

	if (st != KS_OK) {
		*out = NULL;
		ks_show_close(s);
		return st;
	}
	s->reading = KS_SHOW_GAP;
	s->sink = *ks_find_sink(s->find);
	return KS_OK;
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
		return ks_show_no_memory(err);
	*out = s;
	s->ctx = ctx;
	s->id = ks_str_c(id);
	s->table = table;
	s->pid = pid;
	s->row = row;
	s->out.step = KS_UNKNOWN;
	ks_arena_init(&s->arena, (size_t)ks_limit(KS_LIMIT_RUN_ARENA_BYTES));
	ks_devices_init(&s->devices, &s->arena);
	ks_show_set_ops(&s->ops);
	s->ranges = ks_ranges_open();
	if (s->ranges == NULL) {
		*out = NULL;
		ks_show_close(s);
		return ks_show_no_memory(err);
	}
	ks_ranges_redact(s->ranges, ctx->redact);
	if (table == KS_FIND_T_GAP)
		return open_gap(s, out, err);
	begin_reading(s, KS_SHOW_EVENT);
	return KS_OK;
}

void ks_show_close(struct ks_show *s)
{
	if (s == NULL)
		return;
	ks_ranges_close(s->ranges);
	ks_find_close(s->find);
	ks_told_release(&s->names);
	ks_map_release(&s->domains);
	ks_mem_free(s->domain_name);
	ks_mem_free(s->open);
	ks_arena_release(&s->arena);
	ks_mem_free(s);
}
