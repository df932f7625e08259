/* SPDX-License-Identifier: Apache-2.0
 *
 * The settled slices, lane by lane, as often as wanted. Holds a buffer for each source and what is
 * open in the lane at hand.
 */
#include "analyze/slices_internal.h"

static enum ks_status rewind_log(void *self, struct ks_err *err)
{
	struct ks_slices *s = self;

	s->at_lane = 0;
	s->at_record = 0;
	s->now_bytes = 0;
	s->at_range_lane = SIZE_MAX;
	memset(s->taken, 0, (size_t)(s->n_calls / 8 + 1));
	return s->any_range ? ks_ranges_rewind(s->a->ranges, err) : KS_OK;
}

/* A flow has both its ends or it is none; of two rows that are the same call the first has it. */
static void set_flow(struct ks_slices *s, const struct ks_slice_record *rec, bool starts,
		     struct ks_slice *slice)
{
	const uint32_t flow = rec->flow;

	if (flow == 0 || flow > s->n_calls || !ks_slice_bit(s->worked, flow) ||
	    !ks_slice_bit(s->called, flow))
		return;
	if (starts) {
		if (ks_slice_bit(s->taken, flow))
			return;
		ks_slice_set(s->taken, flow);
	}
	slice->flow = flow;
	slice->flow_starts = starts;
	slice->flow_shared = ks_slice_bit(s->many, flow);
}

static void describe(struct ks_slices *s, const struct ks_slice_track *track,
		     const struct ks_slice_record *rec, struct ks_slice *slice)
{
	const struct ks_slice_keys *k = &s->keys[track->source];
	const uint32_t key = k->key[rec->rank], name = k->name[key];

	*slice = (struct ks_slice){ .lane = (uint32_t)s->at_lane,
				    .name_id = s->name_id[name],
				    .name = ks_slices_name(s, name),
				    .start_ns = rec->start_ns,
				    .end_ns = rec->end_ns,
				    .graph = rec->graph,
				    .bytes = KS_UNKNOWN };
	if (track->source == KS_SLICE_KERNEL)
		slice->config = s->group_config[ks_launches_pair_key(&s->a->launches, key)->group];
	if (track->place.kind == KS_LANE_COPY)
		slice->bytes =
			((const struct ks_slice_work_key *)ks_map_key(&s->work_map, key))->bytes;
	set_flow(s, rec, track->source == KS_SLICE_CALL, slice);
}

/* Whether the record is a slice of the lane at hand. */
static bool belongs(struct ks_slices *s, const struct ks_slice_lane *lane,
		    const struct ks_slice_record *rec, bool *failed)
{
	const struct ks_slice_track *track = &s->track[lane->track];

	*failed = false;
	if (lane->source == KS_SLICE_MORE)
		return true;
	if (track->place.kind == KS_LANE_MEMORY) {
		*failed = !ks_slice_add_bytes(s, rec, &s->now_bytes);
		return !*failed && ks_slice_is_kept(s, rec->start_ns, rec->end_ns);
	}
	return ks_slice_is_kept(s, rec->start_ns, rec->end_ns) &&
	       ks_slice_first_takes(&s->first, rec->start_ns, rec->end_ns, failed);
}

/* *got false: the lane is over. */
static enum ks_status next_record(struct ks_slices *s, const struct ks_slice_lane *lane,
				  struct ks_slice *slice, bool *got, struct ks_err *err)
{
	const struct ks_slice_track *track = &s->track[lane->track];
	struct ks_slice_record rec;
	bool failed = false;

	if (s->at_record == 0) {
		s->now_bytes = 0;
		ks_slice_first_reset(&s->first, track->source == KS_SLICE_CALL);
	}
	while (s->at_record < lane->n) {
		KS_TRY(ks_slice_read(s, lane->source, lane->at + s->at_record++, &rec, got, err));
		if (!*got || !belongs(s, lane, &rec, &failed)) {
			if (failed)
				return ks_slices_no_memory(err);
			continue;
		}
		describe(s, track, &rec, slice);
		if (track->place.kind == KS_LANE_MEMORY)
			slice->bytes = s->now_bytes - track->low_bytes;
		return KS_OK;
	}
	*got = false;
	return KS_OK;
}

/* Ranges come lane by lane by themselves; lanes without a kept one have no number. */
static enum ks_status next_range(struct ks_slices *s, struct ks_slice *slice, bool *got)
{
	struct ks_range_view v;

	while (ks_ranges_next(s->a->ranges, &v)) {
		if (!ks_slice_is_kept(s, v.start_ns, v.end_ns))
			continue;
		if (s->at_range_lane == SIZE_MAX || v.lane != s->range_lane)
			s->at_range_lane++; /* from SIZE_MAX to 0 */
		s->range_lane = v.lane;
		s->at_lane = s->n_lanes_before_ranges + s->at_range_lane;
		const uint32_t name = s->range_name[v.name_number] - 1;

		*slice = (struct ks_slice){ .lane = (uint32_t)s->at_lane,
					    .name_id = s->name_id[name],
					    .name = ks_slices_name(s, name),
					    .start_ns = v.start_ns,
					    .end_ns = v.end_ns,
					    .bytes = KS_UNKNOWN };
		*got = true;
		return KS_OK;
	}
	*got = false;
	return KS_OK;
}

static enum ks_status next_slice(void *self, struct ks_slice *slice, bool *got, struct ks_err *err)
{
	struct ks_slices *s = self;

	while (s->at_lane < s->log.n_lanes) {
		const struct ks_slice_lane *lane = &s->lane[s->at_lane];

		if (lane->source == KS_SLICE_SOURCES)
			KS_TRY(next_range(s, slice, got));
		else
			KS_TRY(next_record(s, lane, slice, got, err));
		if (*got)
			return KS_OK;
		if (lane->source == KS_SLICE_SOURCES)
			s->at_lane = s->n_lanes_before_ranges + s->n_range_lanes;
		else
			s->at_lane++;
		s->at_record = 0;
	}
	*got = false;
	return KS_OK;
}

void ks_slices_log_open(struct ks_slices *s)
{
	s->log.self = s;
	s->log.rewind = rewind_log;
	s->log.next = next_slice;
}
