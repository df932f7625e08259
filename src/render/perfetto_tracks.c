/* SPDX-License-Identifier: Apache-2.0
 *
 * The tracks of a Perfetto trace: a process per device, the host's processes and threads, and a
 * track for every lane in the order of the log.
 */
#include "render/perfetto_writer.h"

/* How often a closed pipe or a full disk is looked at. */
#define CHECK_EVERY 4096

static enum ks_status tell_gpu(struct ks_perfetto_writer *w, const struct ks_lane *lane,
			       struct ks_err *err)
{
	struct ks_pbw *b = &w->block;
	const size_t start = b->n, at = ks_perfetto_open(w), track = ks_pbw_open(b, PACKET_TRACK);

	ks_pbw_uint(b, TRACK_UUID, ks_perfetto_uuid(KS_UUID_GPU, lane->gpu));
	const size_t process = ks_pbw_open(b, TRACK_PROCESS);

	ks_pbw_uint(b, PROCESS_PID, (uint64_t)KS_PERFETTO_GPU_PID + lane->gpu);
	ks_pbw_text(b, PROCESS_NAME, lane->process_name);
	ks_pbw_close(b, process);
	ks_pbw_uint(b, TRACK_CHILDREN, ORDER_EXPLICIT);
	ks_pbw_text(b, TRACK_DESCRIPTION,
		    KS_LIT("kernoscope " KS_VERSION "; exact (CUPTI activity timestamps)"));
	ks_pbw_close(b, track);
	ks_perfetto_sequence(b, 1, NEEDS_STATE);
	return ks_perfetto_close(w, start, at, err);
}

static enum ks_status tell_process(struct ks_perfetto_writer *w, const struct ks_lane *lane,
				   struct ks_err *err)
{
	struct ks_pbw *b = &w->block;
	const size_t start = b->n, at = ks_perfetto_open(w), track = ks_pbw_open(b, PACKET_TRACK);

	ks_pbw_uint(b, TRACK_UUID, ks_perfetto_uuid(KS_UUID_PROCESS, (uint64_t)lane->pid));
	const size_t process = ks_pbw_open(b, TRACK_PROCESS);

	ks_pbw_uint(b, PROCESS_PID, (uint64_t)lane->pid);
	if (lane->process_name.n)
		ks_pbw_text(b, PROCESS_NAME, lane->process_name);
	ks_pbw_close(b, process);
	ks_pbw_close(b, track);
	ks_perfetto_sequence(b, 1, NEEDS_STATE);
	return ks_perfetto_close(w, start, at, err);
}

static uint64_t thread_uuid(const struct ks_lane *lane)
{
	return ks_perfetto_uuid(KS_UUID_THREAD, (uint64_t)lane->pid << 24 | (uint64_t)lane->tid);
}

static enum ks_status tell_thread(struct ks_perfetto_writer *w, const struct ks_lane *lane,
				  struct ks_err *err)
{
	struct ks_pbw *b = &w->block;
	const size_t start = b->n, at = ks_perfetto_open(w), track = ks_pbw_open(b, PACKET_TRACK);

	ks_pbw_uint(b, TRACK_UUID, thread_uuid(lane));
	ks_pbw_uint(b, TRACK_PARENT, ks_perfetto_uuid(KS_UUID_PROCESS, (uint64_t)lane->pid));
	const size_t thread = ks_pbw_open(b, TRACK_THREAD);

	ks_pbw_uint(b, THREAD_PID, (uint64_t)lane->pid);
	ks_pbw_uint(b, THREAD_TID, (uint64_t)lane->tid);
	if (lane->thread_name.n)
		ks_pbw_text(b, THREAD_NAME, lane->thread_name);
	ks_pbw_close(b, thread);
	ks_pbw_uint(b, TRACK_CHILDREN, ORDER_EXPLICIT);
	ks_pbw_close(b, track);
	ks_perfetto_sequence(b, 1, NEEDS_STATE);
	return ks_perfetto_close(w, start, at, err);
}

static bool has_pid(const struct ks_lane *lane)
{
	return lane->pid >= 0;
}

static bool has_tid(const struct ks_lane *lane)
{
	return lane->tid >= 0;
}

static uint64_t parent_of(const struct ks_lane *lane)
{
	if (!ks_perfetto_is_host(lane))
		return ks_perfetto_uuid(KS_UUID_GPU, lane->gpu);
	if (!has_pid(lane))
		return 0;
	return has_tid(lane) ? thread_uuid(lane)
			     : ks_perfetto_uuid(KS_UUID_PROCESS, (uint64_t)lane->pid);
}

static enum ks_status tell_lane(struct ks_perfetto_writer *w, uint32_t number, struct ks_err *err)
{
	const struct ks_lane *lane = &w->log->lane[number];
	struct ks_pbw *b = &w->block;
	const size_t start = b->n, at = ks_perfetto_open(w), track = ks_pbw_open(b, PACKET_TRACK);
	const uint64_t parent = parent_of(lane);

	ks_pbw_uint(b, TRACK_UUID, ks_perfetto_uuid(KS_UUID_LANE, number));
	ks_pbw_text(b, TRACK_NAME, lane->name);
	if (parent)
		ks_pbw_uint(b, TRACK_PARENT, parent);
	if (lane->kind == KS_LANE_MEMORY) {
		const size_t counter = ks_pbw_open(b, TRACK_COUNTER);

		ks_pbw_uint(b, COUNTER_UNIT, UNIT_BYTES);
		ks_pbw_close(b, counter);
	}
	ks_pbw_uint(b, TRACK_RANK, number);
	ks_pbw_close(b, track);
	ks_perfetto_sequence(b, 1, NEEDS_STATE);
	return ks_perfetto_close(w, start, at, err);
}

/* Lanes of one process and thread stand together; what a lane shares with the one before is told
 * already. */
enum ks_status ks_perfetto_tracks(struct ks_perfetto_writer *w, struct ks_err *err)
{
	struct ks_pbw *b = &w->block;
	const size_t start = b->n, at = ks_perfetto_open(w);

	ks_perfetto_sequence(b, 1, CLEARED);
	KS_TRY(ks_perfetto_close(w, start, at, err));
	for (uint32_t i = 0; i < w->log->n_lanes; i++) {
		const struct ks_lane *lane = &w->log->lane[i], *before = i ? lane - 1 : NULL;
		const bool host = ks_perfetto_is_host(lane);
		const bool same = before && host == ks_perfetto_is_host(before) &&
				  lane->gpu == before->gpu && (!host || lane->pid == before->pid);

		if (!same && !host)
			KS_TRY(tell_gpu(w, lane, err));
		if (!same && host && has_pid(lane))
			KS_TRY(tell_process(w, lane, err));
		if (host && has_pid(lane) && has_tid(lane) && !(same && lane->tid == before->tid))
			KS_TRY(tell_thread(w, lane, err));
		KS_TRY(tell_lane(w, i, err));
		if (i % CHECK_EVERY == 0 && ks_out_failed(w->out))
			return KS_OK;
	}
	return KS_OK;
}
