/* SPDX-License-Identifier: Apache-2.0
 *
 * Slices while the rows stream in: 32 bytes each, in four sorters that spill past a common budget.
 * Nothing is allocated for a row whose key was met before. Keeps whole rows and decides nothing.
 */
#include "analyze/slices_internal.h"

#include "analyze/copies.h"
#include "base/mem.h"

enum ks_status ks_slices_no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "slices", NULL);
}

/* Parts of the budget, of 16: a launch has a kernel and a call. */
static const size_t part[KS_SLICE_SOURCES] = { 6, 2, 6, 2 };
#define PARTS 16

struct ks_slices *ks_slices_open(const struct ks_io *io, uint64_t limit, unsigned lanes)
{
	struct ks_slices *s = ks_mem_alloc(sizeof(*s));
	const size_t budget = (size_t)ks_limit(KS_LIMIT_SLICE_SPILL_BYTES);

	if (!s)
		return NULL;
	s->io = io;
	s->limit = limit;
	s->lanes = lanes;
	s->last_work_key = s->last_call_key = KS_MAP_NONE;
	ks_map_init(&s->work_map, sizeof(struct ks_slice_work_key), UINT32_MAX / 2);
	ks_map_init(&s->call_map, sizeof(struct ks_slice_call_key), UINT32_MAX / 2);
	for (unsigned i = 0; i < KS_SLICE_SOURCES; i++) {
		s->sorter[i] = ks_sorter_open(io, KS_SLICE_WORDS, budget / PARTS * part[i]);
		if (!s->sorter[i]) {
			ks_slices_close(s);
			return NULL;
		}
	}
	return s;
}

void ks_slices_close(struct ks_slices *s)
{
	if (!s)
		return;
	for (unsigned i = 0; i < KS_SLICE_SOURCES; i++) {
		ks_sorter_close(s->sorter[i]);
		ks_mem_free(s->cursor[i].buf);
	}
	for (unsigned i = 0; i < KS_SLICE_KEYED; i++) {
		ks_mem_free(s->keys[i].track);
		ks_mem_free(s->keys[i].name);
		ks_mem_free(s->keys[i].rank);
		ks_mem_free(s->keys[i].key);
	}
	ks_map_release(&s->work_map);
	ks_map_release(&s->call_map);
	ks_map_release(&s->places);
	ks_intern_release(&s->names);
	void *const owned[] = { s->name_id, s->range_name, s->group_name, s->group_config,
				s->track,   s->lane,	   s->worked,	  s->many,
				s->called,  s->taken,	   s->first.open };

	for (size_t i = 0; i < KS_ARRAY_LEN(owned); i++)
		ks_mem_free(owned[i]);
	ks_mem_free(s);
}

static bool wants(const struct ks_slices *s, enum ks_lane_kind kind)
{
	return s->lanes == 0 || (s->lanes >> kind & 1);
}

/* The call as a record holds it: its number + 1, where it can be the start of a flow. */
static int64_t flow_of(const struct ks_call_hit *call)
{
	return call && call->found && call->number < KS_SLICE_CALLS - 1 ? (int64_t)call->number + 1
									: 0;
}

enum ks_status ks_slices_launch(struct ks_slices *s, const struct ks_launch *row, uint32_t pair,
				const struct ks_call_hit *call, struct ks_err *err)
{
	const int64_t rec[KS_SLICE_WORDS] = { row->start_ns, row->end_ns,
					      (int64_t)pair << 1 | (row->graph_node != 0),
					      flow_of(call) };

	return wants(s, KS_LANE_STREAM) ? ks_sorter_add(s->sorter[KS_SLICE_KERNEL], rec, err)
					: KS_OK;
}

/* Something without a length whose time is one that a launch may have. */
static bool is_good_mark(ks_ns at)
{
	return at < INT64_MAX && ks_launch_is_good(at, at + 1);
}

static enum ks_status add_work(struct ks_slices *s, const struct ks_slice_work_key *key,
			       const ks_ns span[2], int64_t flow, struct ks_err *err)
{
	if (!wants(s, (enum ks_lane_kind)key->kind))
		return KS_OK;
	if (s->last_work_key == KS_MAP_NONE || memcmp(key, &s->last_work, sizeof(*key)) != 0) {
		s->last_work_key = ks_map_add(&s->work_map, key, NULL);
		s->last_work = *key;
		if (s->last_work_key == KS_MAP_NONE)
			return ks_slices_no_memory(err);
	}
	const int64_t rec[KS_SLICE_WORDS] = { span[0], span[1], (int64_t)s->last_work_key << 1,
					      flow };

	return ks_sorter_add(s->sorter[KS_SLICE_WORK], rec, err);
}

enum ks_status ks_slices_copy(struct ks_slices *s, const struct ks_copy *row, uint32_t device,
			      const struct ks_call_hit *call, struct ks_err *err)
{
	const struct ks_slice_work_key key = { .kind = KS_LANE_COPY,
					       .device = device,
					       .process = row->process,
					       .stream = row->stream,
					       .what = row->kind,
					       .bytes = row->bytes };

	return add_work(s, &key, (ks_ns[]){ row->start_ns, row->end_ns }, flow_of(call), err);
}

enum ks_status ks_slices_memset(struct ks_slices *s, const struct ks_memset *row, uint32_t device,
				const struct ks_call_hit *call, struct ks_err *err)
{
	const struct ks_slice_work_key key = { .kind = KS_LANE_COPY,
					       .device = device,
					       .process = row->process,
					       .stream = row->stream,
					       .what = KS_SWEEP_MEMSET,
					       .bytes = row->bytes };

	return add_work(s, &key, (ks_ns[]){ row->start_ns, row->end_ns }, flow_of(call), err);
}

enum ks_status ks_slices_sync(struct ks_slices *s, const struct ks_sync *row, uint32_t device,
			      struct ks_err *err)
{
	const struct ks_slice_work_key key = { .kind = KS_LANE_SYNC,
					       .device = device,
					       .process = row->process,
					       .stream = row->stream,
					       .what = row->type,
					       .bytes = KS_UNKNOWN };

	return add_work(s, &key, (ks_ns[]){ row->start_ns, row->end_ns }, 0, err);
}

/* The same rows that the numbers of memory in use are made of. */
enum ks_status ks_slices_memory(struct ks_slices *s, const struct ks_memory *row, uint32_t device,
				struct ks_err *err)
{
	const struct ks_slice_work_key key = { .kind = KS_LANE_MEMORY,
					       .device = device,
					       .process = KS_UNKNOWN,
					       .stream = KS_UNKNOWN,
					       .what = row->operation,
					       .bytes = row->bytes };

	if (!ks_memory_is_on_device(row->kind) || row->bytes < 0 || !is_good_mark(row->start_ns) ||
	    (row->operation != 0 && row->operation != 1))
		return KS_OK;
	return add_work(s, &key, (ks_ns[]){ row->start_ns, row->start_ns }, 0, err);
}

/* A call may take no time that the clock can tell, but it does not end before it starts. */
enum ks_status ks_slices_call(struct ks_slices *s, const struct ks_call *row, uint32_t name,
			      struct ks_err *err)
{
	const struct ks_slice_call_key key = { row->thread, name };

	if (!wants(s, KS_LANE_API) ||
	    !(row->end_ns == row->start_ns ? is_good_mark(row->start_ns)
					   : ks_launch_is_good(row->start_ns, row->end_ns)))
		return KS_OK;
	if (s->last_call_key == KS_MAP_NONE || memcmp(&key, &s->last_call, sizeof(key)) != 0) {
		s->last_call_key = ks_map_add(&s->call_map, &key, NULL);
		s->last_call = key;
		if (s->last_call_key == KS_MAP_NONE)
			return ks_slices_no_memory(err);
	}
	const int64_t rec[KS_SLICE_WORDS] = { row->start_ns, row->end_ns,
					      (int64_t)s->last_call_key << 1, row->correlation };

	return ks_sorter_add(s->sorter[KS_SLICE_CALL], rec, err);
}

const struct ks_slice_log *ks_slices_log(const struct ks_slices *s)
{
	return &s->log;
}
