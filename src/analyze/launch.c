/* SPDX-License-Identifier: Apache-2.0
 *
 * The hot path of a trace: two hash look-ups and a sketch update for a launch. Keeps no launch.
 */
#include "analyze/launch.h"

#include "base/mem.h"
#include "base/num.h"
#include "tables/tables.h"

void ks_launches_init(struct ks_launches *l, struct ks_devices *devices)
{
	*l = (struct ks_launches){ .devices = devices, .last_track = KS_MAP_NONE };
	ks_map_init(&l->groups, sizeof(struct ks_group_key), (size_t)ks_limit(KS_LIMIT_GROUPS));
	ks_map_init(&l->tracks, sizeof(struct ks_track_key), (size_t)ks_limit(KS_LIMIT_TRACKS));
	ks_map_init(&l->pairs, sizeof(struct ks_pair_key), (size_t)ks_limit(KS_LIMIT_PAIRS));
}

void ks_launches_release(struct ks_launches *l)
{
	for (size_t i = 0; i < l->groups.count && i < l->group_cap; i++)
		ks_sketch_release(&l->group[i].durations);
	ks_mem_free(l->group);
	ks_mem_free(l->track);
	ks_mem_free(l->pair);
	ks_map_release(&l->groups);
	ks_map_release(&l->tracks);
	ks_map_release(&l->pairs);
}

bool ks_launch_is_good(ks_ns start_ns, ks_ns end_ns)
{
	return ks_time_is_span(start_ns, end_ns) && end_ns > start_ns;
}

/* Out of memory and over the ceiling look the same from a container: both end the run. */
static uint32_t refuse_growth(size_t have, size_t max, struct ks_err *err, const char *what)
{
	char limit[KS_NUM_LEN];

	ks_num_u64(limit, max);
	if (have >= max)
		ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_TOO_MANY, what, limit, NULL);
	else
		ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, what, NULL);
	return KS_MAP_NONE;
}

static uint32_t full(const struct ks_map *m, struct ks_err *err, const char *what)
{
	return refuse_growth(m->count, m->max, err, what);
}

uint32_t ks_launches_no_device(const struct ks_devices *d, struct ks_err *err)
{
	return refuse_growth(d->n, (size_t)ks_limit(KS_LIMIT_DEVICES), err, "DEVICES");
}

static uint32_t new_track(struct ks_launches *l, const struct ks_track_key *key, struct ks_err *err)
{
	bool fresh = false;
	uint32_t at = ks_map_add(&l->tracks, key, &fresh);

	if (at == KS_MAP_NONE)
		return full(&l->tracks, err, "TRACKS");
	if (fresh) {
		if (!KS_GROW(l->track, l->track_cap, (size_t)at + 1, l->tracks.max))
			return full(&l->tracks, err, "TRACKS");
		l->track[at].device = ks_devices_resolve(l->devices, key->process, key->device);
		if (l->track[at].device == UINT32_MAX)
			return ks_launches_no_device(l->devices, err);
	}
	l->last = *key;
	l->last_track = at;
	return at;
}

uint32_t ks_launches_track(struct ks_launches *l, const struct ks_launch *row, struct ks_err *err)
{
	const struct ks_track_key key = { row->process, row->device, row->context, row->stream };

	if (l->last_track != KS_MAP_NONE && memcmp(&key, &l->last, sizeof(key)) == 0)
		return l->last_track;
	return new_track(l, &key, err);
}

static int64_t or_zero(int64_t v)
{
	return v == KS_UNKNOWN || v < 0 ? 0 : v;
}

uint32_t ks_launches_group(struct ks_launches *l, const struct ks_launch *row, uint32_t device,
			   struct ks_err *err)
{
	const struct ks_group_key key = {
		.demangled = row->demangled,
		.function = row->function,
		.mangled = row->mangled,
		.device = device,
		.grid = { row->grid[0], row->grid[1], row->grid[2] },
		.block = { row->block[0], row->block[1], row->block[2] },
		.regs = row->regs,
		.static_smem = row->static_smem,
		.dynamic_smem = row->dynamic_smem,
		.local_mem = row->local_mem,
		.smem_executed = or_zero(row->smem_executed),
		.cluster = { or_zero(row->cluster[0]), or_zero(row->cluster[1]),
			     or_zero(row->cluster[2]) },
	};
	bool fresh = false;
	uint32_t at = ks_map_add(&l->groups, &key, &fresh);

	if (at == KS_MAP_NONE)
		return full(&l->groups, err, "GROUPS");
	if (fresh && !KS_GROW(l->group, l->group_cap, (size_t)at + 1, l->groups.max))
		return full(&l->groups, err, "GROUPS");
	__builtin_prefetch(&l->group[at]); /* counted into a little later */
	return at;
}

static enum ks_status overflow(struct ks_err *err)
{
	return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_OVERFLOW, NULL);
}

enum ks_status ks_launches_count_track(struct ks_launches *l, uint32_t track, ks_ns duration,
				       struct ks_err *err)
{
	struct ks_track *t = &l->track[track];

	t->launches++;
	return __builtin_add_overflow(t->total_ns, (uint64_t)duration, &t->total_ns) ? overflow(err)
										     : KS_OK;
}

/* No sum here can overflow: those of the group, which these are parts of, are checked. */
static void settle_group(struct ks_launches *l, struct ks_group *g)
{
	if (g->last_track == 0)
		return;
	l->pair[g->last_pair].launches += g->durations.n - g->counted_launches;
	l->pair[g->last_pair].total_ns += g->total_ns - g->counted_ns;
	g->counted_launches = g->durations.n;
	g->counted_ns = g->total_ns;
}

static enum ks_status move_to_track(struct ks_launches *l, uint32_t group, uint32_t track,
				    struct ks_err *err)
{
	const struct ks_pair_key key = { group, track };
	struct ks_group *g = &l->group[group];
	const uint32_t at = ks_map_add(&l->pairs, &key, NULL);

	if (at == KS_MAP_NONE || !KS_GROW(l->pair, l->pair_cap, (size_t)at + 1, l->pairs.max)) {
		(void)full(&l->pairs, err, "PAIRS");
		return err && err->status != KS_OK ? err->status : KS_E_ENV;
	}
	settle_group(l, g);
	g->last_track = track + 1;
	g->last_pair = at;
	return KS_OK;
}

void ks_launches_settle(struct ks_launches *l)
{
	for (uint32_t i = 0; i < l->groups.count; i++)
		settle_group(l, &l->group[i]);
}

uint32_t ks_launches_pair(struct ks_launches *l, const struct ks_pair_key *at, struct ks_err *err)
{
	const struct ks_group *g = &l->group[at->group];

	if (g->last_track != at->track + 1 && move_to_track(l, at->group, at->track, err) != KS_OK)
		return KS_MAP_NONE;
	return g->last_pair;
}

enum ks_status ks_launches_count_group(struct ks_launches *l, const struct ks_pair_key *at,
				       const struct ks_launch *row, ks_ns inside_ns,
				       struct ks_err *err)
{
	struct ks_group *g = &l->group[at->group];
	const ks_ns duration = row->end_ns - row->start_ns;

	if (g->last_track != at->track + 1)
		KS_TRY(move_to_track(l, at->group, at->track, err));
	if (row->graph_node != 0 && row->graph_node != KS_UNKNOWN)
		g->graph_launches++;
	if (__builtin_add_overflow(g->total_ns, (uint64_t)inside_ns, &g->total_ns) ||
	    __builtin_add_overflow(g->cut_ns, (uint64_t)(duration - inside_ns), &g->cut_ns))
		return overflow(err);
	if (!ks_sketch_add(&g->durations, duration))
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "launch durations", NULL);
	return KS_OK;
}
