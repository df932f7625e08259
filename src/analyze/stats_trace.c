/* SPDX-License-Identifier: Apache-2.0
 *
 * cuda_gpu_trace: every kernel, copy and memset in order of time. An event is four words in a
 * sorter that spills; what many events have alike is kept once.
 */
#include "analyze/launch.h"
#include "analyze/name.h"
#include "analyze/stats_internal.h"
#include "base/num.h"
#include "base/str.h"

/* Words of an event: start, duration, correlation << 32 | pair of shape and place, bytes. The size
 * of a copy is no part of its shape: each may have another. */
#define CORRELATION_BITS 31

static enum ks_status full(const struct ks_map *m, struct ks_err *err)
{
	char limit[KS_NUM_LEN];

	if (m->count < m->max)
		return ks_stats_no_memory(err);
	(void)ks_num_u64(limit, m->max);
	return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_TOO_MANY, "stats", limit, NULL);
}

struct when {
	ks_ns start_ns, end_ns;
	int64_t correlation, process, device, bytes;
};

static enum ks_status add(struct ks_stats_sum *s, const struct when *w,
			  struct ks_stats_shape *shape, struct ks_stats_place *place,
			  struct ks_err *err)
{
	const uint64_t low = (uint64_t)w->correlation & ((UINT64_C(1) << CORRELATION_BITS) - 1);
	const uint32_t device = ks_devices_resolve(&s->devices, w->process, w->device);

	if (device == UINT32_MAX)
		return ks_stats_no_memory(err);
	place->device = device;
	shape->correlation_high = w->correlation >> CORRELATION_BITS;
	const uint32_t p = ks_map_add(&s->places, place, NULL);
	const uint32_t h = ks_map_add(&s->shapes, shape, NULL);

	if (p == KS_MAP_NONE)
		return full(&s->places, err);
	if (h == KS_MAP_NONE)
		return full(&s->shapes, err);
	const struct ks_stats_pair pair = { h, p };
	const uint32_t at = ks_map_add(&s->pairs, &pair, NULL);

	if (at == KS_MAP_NONE)
		return full(&s->pairs, err);
	const int64_t rec[KS_STATS_EVENT_WORDS] = { w->start_ns, w->end_ns - w->start_ns,
						    (int64_t)(low << 32 | at), w->bytes };

	s->out.events++;
	return ks_sorter_add(s->events, rec, err);
}

enum ks_status ks_stats_event_launch(struct ks_stats_sum *s, const struct ks_launch *l,
				     struct ks_err *err)
{
	const struct when w = { l->start_ns, l->end_ns, l->correlation,
				l->process,  l->device, KS_UNKNOWN };
	struct ks_stats_place place = { 0, l->context, l->stream };
	struct ks_stats_shape shape = {
		.regs = l->regs,
		.static_smem = l->static_smem,
		.dynamic_smem = l->dynamic_smem,
		.src_kind = KS_UNKNOWN,
		.dst_kind = KS_UNKNOWN,
		.is_kernel = 1,
	};

	shape.name = l->demangled != 0 ? l->demangled : l->function;
	if (shape.name == 0)
		shape.name = l->mangled;
	for (size_t i = 0; i < 3; i++) {
		shape.grid[i] = l->grid[i];
		shape.block[i] = l->block[i];
	}
	if (!ks_told_wish(&s->names, shape.name))
		return ks_stats_no_memory(err);
	return add(s, &w, &shape, &place, err);
}

static enum ks_status add_transfer(struct ks_stats_sum *s, const struct when *w,
				   struct ks_stats_shape *shape, struct ks_stats_place *place,
				   struct ks_err *err)
{
	if (!ks_launch_is_good(w->start_ns, w->end_ns)) {
		s->out.bad_rows++;
		return KS_OK;
	}
	return add(s, w, shape, place, err);
}

enum ks_status ks_stats_event_copy(struct ks_stats_sum *s, const struct ks_copy *c,
				   struct ks_err *err)
{
	const struct when w = { c->start_ns, c->end_ns, c->correlation,
				c->process,  c->device, c->bytes };
	struct ks_stats_place place = { 0, c->context, c->stream };
	struct ks_stats_shape shape = {
		.name = c->kind,
		.src_kind = c->src_kind,
		.dst_kind = c->dst_kind,
	};

	return add_transfer(s, &w, &shape, &place, err);
}

enum ks_status ks_stats_event_memset(struct ks_stats_sum *s, const struct ks_memset *m,
				     struct ks_err *err)
{
	const struct when w = { m->start_ns, m->end_ns, m->correlation,
				m->process,  m->device, m->bytes };
	struct ks_stats_place place = { 0, m->context, m->stream };
	struct ks_stats_shape shape = {
		.name = KS_EVENT_MEMSET,
		.src_kind = KS_UNKNOWN,
		.dst_kind = m->mem_kind,
	};

	return add_transfer(s, &w, &shape, &place, err);
}

/* "NVIDIA A100 (0)": the name where the trace knows it, and the label of the report. */
static ks_str device_text(struct ks_stats_sum *s, int64_t index)
{
	const struct ks_device *d = &s->devices.device[index];
	const bool known = d->gpu != NULL && d->gpu->name.n > 0;
	const ks_str name = known ? ks_redact_text(s->ctx->redact, d->gpu->name) : KS_LIT("GPU");

	if (d->label < 0)
		return name;
	return ks_arena_fmt(&s->arena, "%.*s (%lld)", (int)name.n, name.p, (long long)d->label);
}

static ks_str event_name(struct ks_stats_sum *s, const struct ks_stats_shape *shape)
{
	if (shape->is_kernel == 0)
		return ks_event_copy(&s->arena, shape->name);
	return ks_event_kernel(&s->arena, s->ctx->redact, ks_stats_text(s, shape->name));
}

/* The texts of shapes and places are made once, before the first event is asked for. */
static bool make_texts(struct ks_stats_sum *s)
{
	s->shape_name = KS_ARENA_NEWS(&s->arena, ks_str, s->shapes.count + 1);
	s->place_device = KS_ARENA_NEWS(&s->arena, ks_str, s->places.count + 1);
	if (s->shape_name == NULL || s->place_device == NULL)
		return false;
	for (size_t i = 0; i < s->shapes.count; i++)
		s->shape_name[i] = event_name(s, ks_map_key(&s->shapes, (uint32_t)i));
	for (size_t i = 0; i < s->places.count; i++) {
		const struct ks_stats_place *p = ks_map_key(&s->places, (uint32_t)i);

		s->place_device[i] = device_text(s, p->device);
	}
	return !ks_arena_failed(&s->arena);
}

static enum ks_status next(void *self, struct ks_stats_event *e, bool *got, struct ks_err *err)
{
	struct ks_stats_sum *s = self;
	int64_t rec[KS_STATS_EVENT_WORDS];
	size_t n = 0;

	KS_TRY(ks_sorter_read(s->events, s->at, rec, 1, &n, err));
	*got = n == 1;
	if (!*got)
		return KS_OK;
	s->at++;
	const uint64_t low = (uint64_t)rec[2] >> 32;
	const struct ks_stats_pair *pair = ks_map_key(&s->pairs, (uint32_t)rec[2]);
	const struct ks_stats_shape *shape = ks_map_key(&s->shapes, pair->shape);
	const struct ks_stats_place *place = ks_map_key(&s->places, pair->place);
	const int64_t bytes = rec[3];

	*e = (struct ks_stats_event){
		.start_ns = rec[0],
		.duration_ns = rec[1],
		.correlation =
			(int64_t)((uint64_t)shape->correlation_high << CORRELATION_BITS | low),
		.is_kernel = shape->is_kernel != 0,
		.regs = shape->regs,
		.static_smem = shape->static_smem,
		.dynamic_smem = shape->dynamic_smem,
		.bytes = bytes,
		.bytes_per_ns = bytes >= 0 ? (double)bytes / (double)rec[1] : -1.0,
		.src_kind = shape->src_kind,
		.dst_kind = shape->dst_kind,
		.device = s->place_device[pair->place],
		.context = place->context,
		.stream = place->stream,
		.name = s->shape_name[pair->shape],
	};
	for (size_t i = 0; i < 3; i++) {
		e->grid[i] = shape->grid[i];
		e->block[i] = shape->block[i];
	}
	return KS_OK;
}

enum ks_status ks_stats_events_finish(struct ks_stats_sum *s, struct ks_err *err)
{
	KS_TRY(ks_sorter_finish(s->events, NULL, NULL, err));
	ks_devices_label(&s->devices);
	if (!make_texts(s))
		return ks_stats_no_memory(err);
	s->log = (struct ks_stats_log){ s, next };
	s->out.log = &s->log;
	return KS_OK;
}
