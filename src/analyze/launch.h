/* SPDX-License-Identifier: Apache-2.0
 *
 * Accumulators that launches are counted into: one per group (names, device and launch
 * configuration), one per track (process, device, context, stream) and one per pair of them that
 * occurs. Memory grows with their number, never with the number of launches; nothing is allocated
 * for a launch of a known group on a known track.
 */
#ifndef KS_ANALYZE_LAUNCH_H
#define KS_ANALYZE_LAUNCH_H

#include "analyze/sketch.h"
#include "base/err.h"
#include "base/map.h"
#include "model/device.h"

struct ks_group_key { /* compared bytewise: 64-bit fields only, so there is no padding */
	int64_t demangled, function, mangled;
	int64_t device; /* index in ks_devices */
	int64_t grid[3], block[3];
	int64_t regs, static_smem, dynamic_smem, local_mem, smem_executed;
	int64_t cluster[3];
};
struct ks_group {
	struct ks_sketch durations; /* good rows only; n is their count */
	uint64_t total_ns;	    /* clipped to the window */
	uint64_t cut_ns;	    /* of the same launches, outside it */
	uint64_t bad_rows, graph_launches;
	/* Rows are counted into the pair when the group moves on to another track, so that a row on
	 * the same track as the one before costs a comparison. */
	uint32_t last_track; /* + 1; 0: none yet */
	uint32_t last_pair;
	uint64_t counted_launches, counted_ns; /* of this group, in pairs already */
};
struct ks_pair_key {
	uint32_t group, track;
};
struct ks_pair { /* complete after ks_launches_settle */
	uint64_t launches, total_ns;
};

struct ks_track_key {
	int64_t process, device, context, stream; /* device: ordinal as recorded */
};
struct ks_track {
	uint32_t device; /* index in ks_devices */
	uint64_t launches, total_ns, bad_rows;
};

struct ks_launches {
	struct ks_devices *devices;
	struct ks_map groups, tracks, pairs;
	struct ks_group *group;
	struct ks_track *track;
	struct ks_pair *pair;
	size_t group_cap, track_cap, pair_cap;
	struct ks_track_key last;
	uint32_t last_track; /* KS_MAP_NONE: none yet */
};

void ks_launches_init(struct ks_launches *l, struct ks_devices *devices);
void ks_launches_release(struct ks_launches *l);

/* A row that has a start, an end behind it, and a start that is not before the clock's zero by more
 * than the clock can hold. Everything else is left out of every number and counted as bad. */
bool ks_launch_is_good(ks_ns start_ns, ks_ns end_ns);

/* Index of the track or group, added when new; KS_MAP_NONE with *err set on failure. */
uint32_t ks_launches_track(struct ks_launches *l, const struct ks_launch *row, struct ks_err *err);
uint32_t ks_launches_group(struct ks_launches *l, const struct ks_launch *row, uint32_t device,
			   struct ks_err *err);
/* Why there was no room for another device; KS_MAP_NONE. */
uint32_t ks_launches_no_device(const struct ks_devices *d, struct ks_err *err);
/* Counts a row that is good; the sums are exact or the run ends in an error. */
enum ks_status ks_launches_count_track(struct ks_launches *l, uint32_t track, ks_ns duration,
				       struct ks_err *err);
/* inside_ns: of the row's time, what is in the window; the whole where there is none. */
enum ks_status ks_launches_count_group(struct ks_launches *l, const struct ks_pair_key *at,
				       const struct ks_launch *row, ks_ns inside_ns,
				       struct ks_err *err);
/* Number of that group and track, added when new; KS_MAP_NONE with *err set on failure. */
uint32_t ks_launches_pair(struct ks_launches *l, const struct ks_pair_key *at, struct ks_err *err);
/* Counts into the pairs what is still to be counted there; more rows may follow. */
void ks_launches_settle(struct ks_launches *l);

static inline const struct ks_group_key *ks_launches_group_key(const struct ks_launches *l,
							       uint32_t group)
{
	return ks_map_key(&l->groups, group);
}
static inline const struct ks_track_key *ks_launches_track_key(const struct ks_launches *l,
							       uint32_t track)
{
	return ks_map_key(&l->tracks, track);
}
static inline const struct ks_pair_key *ks_launches_pair_key(const struct ks_launches *l,
							     uint32_t pair)
{
	return ks_map_key(&l->pairs, pair);
}

#endif
