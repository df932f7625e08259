/* SPDX-License-Identifier: Apache-2.0
 *
 * The sink of the `stats` tables: adds each row to the sums of its name. Prints nothing and keeps
 * no row but for cuda_gpu_trace, whose events go to a sorter.
 */
#include "analyze/stats_internal.h"

#include "analyze/launch.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

struct domain_key {
	int64_t process, domain;
};

enum ks_status ks_stats_no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "stats", NULL);
}

static enum ks_status full(const struct ks_map *m, struct ks_err *err)
{
	char limit[KS_NUM_LEN];

	if (m->count < m->max)
		return ks_stats_no_memory(err);
	(void)ks_num_u64(limit, m->max);
	return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_TOO_MANY, "stats", limit, NULL);
}

/* --- names ---------------------------------------------------------------------------------------
 */

ks_str ks_stats_text(const struct ks_stats_sum *s, int64_t ref)
{
	return ks_told_text(&s->names, ref);
}

static void on_wanted(void *self, const ks_nameref **ref, size_t *n)
{
	struct ks_stats_sum *s = self;

	ks_told_wanted(&s->names, ref, n);
}

static enum ks_status on_name(void *self, ks_nameref ref, ks_str text, struct ks_err *err)
{
	struct ks_stats_sum *s = self;

	ks_told_tell(&s->names, &s->arena, ref, text);
	return ks_arena_failed(&s->arena) ? ks_stats_no_memory(err) : KS_OK;
}

/* --- sums ----------------------------------------------------------------------------------------
 */

static enum ks_status add(struct ks_stats_sum *s, const struct ks_stats_key *key, int64_t value,
			  struct ks_err *err)
{
	const uint32_t at = ks_map_add(&s->keys, key, NULL);

	if (at == KS_MAP_NONE)
		return full(&s->keys, err);
	if (!KS_GROW(s->acc, s->acc_cap, at + 1, s->keys.max) ||
	    !ks_told_wish(&s->names, key->name))
		return ks_stats_no_memory(err);
	struct ks_stats_acc *a = &s->acc[at];
	int64_t total = 0;

	if (__builtin_add_overflow(a->total, value, &total))
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_OVERFLOW, s->info->name, NULL);
	a->total = total;
	a->n++;
	a->squares += (ks_u128)value * (ks_u128)value;
	return ks_sketch_add(&a->sketch, value) ? KS_OK : ks_stats_no_memory(err);
}

static int64_t name_of(const struct ks_launch *l)
{
	if (l->demangled != 0)
		return l->demangled;
	return l->function != 0 ? l->function : l->mangled;
}

static enum ks_status on_launch(void *self, const struct ks_launch *l, struct ks_err *err)
{
	struct ks_stats_sum *s = self;
	const struct ks_stats_key key = { .name = name_of(l) };

	if (!ks_launch_is_good(l->start_ns, l->end_ns)) {
		s->out.bad_rows++;
		return KS_OK;
	}
	if (s->info->of == KS_STATS_OF_EVENTS)
		return ks_stats_event_launch(s, l, err);
	return add(s, &key, l->end_ns - l->start_ns, err);
}

/* A copy or memset: its time, or its size. */
static enum ks_status add_copy(struct ks_stats_sum *s, int64_t kind, ks_ns start_ns, ks_ns end_ns,
			       int64_t bytes, struct ks_err *err)
{
	/* a name of its own: never a reference of the source */
	const struct ks_stats_key key = { .style = kind, .domain = 1 };
	const bool good = s->info->in_mb ? bytes != KS_UNKNOWN && bytes >= 0
					 : ks_launch_is_good(start_ns, end_ns);

	if (!good) {
		s->out.bad_rows++;
		return KS_OK;
	}
	return add(s, &key, s->info->in_mb ? bytes : end_ns - start_ns, err);
}

static enum ks_status on_copy(void *self, const struct ks_copy *c, struct ks_err *err)
{
	struct ks_stats_sum *s = self;

	if (s->info->of == KS_STATS_OF_EVENTS)
		return ks_stats_event_copy(s, c, err);
	return add_copy(s, c->kind, c->start_ns, c->end_ns, c->bytes, err);
}

static enum ks_status on_memset(void *self, const struct ks_memset *m, struct ks_err *err)
{
	struct ks_stats_sum *s = self;

	if (s->info->of == KS_STATS_OF_EVENTS)
		return ks_stats_event_memset(s, m, err);
	return add_copy(s, KS_EVENT_MEMSET, m->start_ns, m->end_ns, m->bytes, err);
}

static enum ks_status on_call(void *self, const struct ks_call *c, struct ks_err *err)
{
	struct ks_stats_sum *s = self;
	const struct ks_stats_key key = { .name = c->name };

	if (c->event_class == KS_CALL_BACKTRACE)
		return KS_OK;
	if (!ks_time_is_span(c->start_ns, c->end_ns)) {
		s->out.bad_rows++;
		return KS_OK;
	}
	return add(s, &key, c->end_ns - c->start_ns, err);
}

static enum ks_status name_domain(struct ks_stats_sum *s, const struct ks_range *r,
				  struct ks_err *err)
{
	const struct domain_key key = { ks_global_process(r->thread), r->domain };
	const uint32_t at = ks_map_add(&s->domains, &key, NULL);

	if (at == KS_MAP_NONE)
		return full(&s->domains, err);
	if (!KS_GROW(s->domain_name, s->domain_cap, at + 1, s->domains.max) ||
	    !ks_told_wish(&s->names, r->name))
		return ks_stats_no_memory(err);
	s->domain_name[at] = r->name;
	return KS_OK;
}

static enum ks_status on_range(void *self, const struct ks_range *r, struct ks_err *err)
{
	struct ks_stats_sum *s = self;
	const struct domain_key domain = { ks_global_process(r->thread),
					   r->domain == KS_UNKNOWN ? 0 : r->domain };

	if (r->type == KS_RANGE_DOMAIN_CREATE)
		return name_domain(s, r, err);
	if (!ks_range_has_ends(r->type) || r->end_ns == KS_UNKNOWN)
		return KS_OK; /* a mark, a name, or still open when the recording stopped */
	if (!ks_time_is_span(r->start_ns, r->end_ns)) {
		s->out.bad_rows++;
		return KS_OK;
	}
	const uint32_t at = ks_map_add(&s->domains, &domain, NULL);

	if (at == KS_MAP_NONE)
		return full(&s->domains, err);
	if (!KS_GROW(s->domain_name, s->domain_cap, at + 1, s->domains.max))
		return ks_stats_no_memory(err);
	const bool start_end = ks_range_is_start_end(r->type);
	const struct ks_stats_key key = { .name = r->name,
					  .domain = (int64_t)at,
					  .style = r->type == KS_UNKNOWN ? 0 : 1 + start_end };

	return add(s, &key, r->end_ns - r->start_ns, err);
}

/* --- the rest of a trace -------------------------------------------------------------------------
 */

static enum ks_status on_gpu(void *self, const struct ks_trace_gpu *g, struct ks_err *err)
{
	struct ks_stats_sum *s = self;

	return ks_devices_add_gpu(&s->devices, g, err);
}

static enum ks_status on_gpu_map(void *self, const struct ks_trace_gpu_map *m, struct ks_err *err)
{
	struct ks_stats_sum *s = self;

	return ks_devices_add_map(&s->devices, m, err);
}

static void set_ops(struct ks_sink_ops *o)
{
	*o = ks_sink_nothing;
	o->gpu = on_gpu;
	o->gpu_map = on_gpu_map;
	o->range = on_range;
	o->call = on_call;
	o->copy = on_copy;
	o->memset = on_memset;
	o->launch = on_launch;
	o->wanted = on_wanted;
	o->name = on_name;
}

static unsigned rows_for(enum ks_stats_of of)
{
	if (of == KS_STATS_OF_CALLS)
		return KS_ROWS_CALLS;
	return of == KS_STATS_OF_RANGES ? KS_ROWS_RANGES : 0;
}

static unsigned spared_by(enum ks_stats_of of)
{
	const unsigned copies =
		of == KS_STATS_OF_COPIES || of == KS_STATS_OF_EVENTS ? 0 : KS_SPARED_COPIES;
	const unsigned launches =
		of == KS_STATS_OF_KERNELS || of == KS_STATS_OF_EVENTS ? 0 : KS_SPARED_LAUNCHES;

	return copies | launches;
}

struct ks_stats_sum *ks_stats_open(const struct ks_ctx *ctx, enum ks_stats_table table)
{
	struct ks_stats_sum *s = ks_mem_alloc(sizeof(*s));

	if (s == NULL)
		return NULL;
	s->ctx = ctx;
	s->info = ks_stats_info(table);
	s->out.table = table;
	set_ops(&s->ops);
	s->sink = (struct ks_sink){ &s->ops, s, rows_for(s->info->of), spared_by(s->info->of) };
	ks_arena_init(&s->arena, (size_t)ks_limit(KS_LIMIT_RUN_ARENA_BYTES));
	ks_devices_init(&s->devices, &s->arena);
	ks_map_init(&s->keys, sizeof(struct ks_stats_key), (size_t)ks_limit(KS_LIMIT_KERNEL_NAMES));
	ks_told_init(&s->names);
	ks_map_init(&s->domains, sizeof(struct domain_key), (size_t)ks_limit(KS_LIMIT_TRACKS));
	ks_map_init(&s->shapes, sizeof(struct ks_stats_shape), (size_t)ks_limit(KS_LIMIT_GROUPS));
	ks_map_init(&s->places, sizeof(struct ks_stats_place), (size_t)ks_limit(KS_LIMIT_TRACKS));
	ks_map_init(&s->pairs, sizeof(struct ks_stats_pair), (size_t)ks_limit(KS_LIMIT_PAIRS));
	if (s->info->of == KS_STATS_OF_EVENTS) {
		s->events = ks_sorter_open(ctx->io, KS_STATS_EVENT_WORDS,
					   (size_t)ks_limit(KS_LIMIT_LAUNCH_LOG_SPILL_BYTES));
		if (s->events == NULL) {
			ks_stats_close(s);
			return NULL;
		}
	}
	return s;
}

void ks_stats_close(struct ks_stats_sum *s)
{
	if (s == NULL)
		return;
	for (size_t i = 0; i < s->acc_cap; i++)
		ks_sketch_release(&s->acc[i].sketch);
	ks_mem_free(s->acc);
	ks_mem_free(s->domain_name);
	ks_map_release(&s->keys);
	ks_told_release(&s->names);
	ks_map_release(&s->domains);
	ks_map_release(&s->shapes);
	ks_map_release(&s->places);
	ks_map_release(&s->pairs);
	if (s->events != NULL)
		ks_sorter_close(s->events);
	ks_arena_release(&s->arena);
	ks_mem_free(s);
}

const struct ks_sink *ks_stats_sink(struct ks_stats_sum *s)
{
	return &s->sink;
}

enum ks_status ks_stats_finish(struct ks_stats_sum *s, const struct ks_stats **out,
			       struct ks_err *err)
{
	if (s->info->of == KS_STATS_OF_EVENTS)
		KS_TRY(ks_stats_events_finish(s, err));
	else
		KS_TRY(ks_stats_rows(s, err));
	*out = &s->out;
	return KS_OK;
}
