/* SPDX-License-Identifier: Apache-2.0
 *
 * The lanes of the log: first those of devices, then the NVTX ranges, then the calls of each
 * thread, and what each of them is called. A lane without a slice is not there.
 */
#include "analyze/slices_internal.h"

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

#define LABEL_MAX ((size_t)1 << 16)

static ks_str say(struct ks_slices *s, enum ks_text id, ks_str first, ks_str second)
{
	const ks_str arg[2] = { first, second };
	struct ks_buf b;

	ks_buf_init(&b, LABEL_MAX + first.n + second.n);
	ks_text_fmt(&b, (enum ks_lang)s->a->ctx->doc_lang, id, 2, arg);
	const ks_str text = ks_buf_keep(&b, s->a->arena);

	ks_buf_release(&b);
	return text;
}

static ks_str say_number(struct ks_slices *s, enum ks_text id, int64_t v)
{
	char text[KS_NUM_LEN];

	return say(s, id, v < 0 ? KS_LIT("?") : (ks_str){ text, ks_num_i64(text, v) }, KS_STR_NONE);
}

/* A name by global id; of two for one id the lesser. */
struct names {
	struct ks_map ids;
	ks_str *name;
	size_t cap;
};

static bool add_name(struct names *n, int64_t id, ks_str name)
{
	bool fresh = false;
	const uint32_t at = ks_map_add(&n->ids, &id, &fresh);

	if (at == KS_MAP_NONE || !KS_GROW(n->name, n->cap, (size_t)at + 1, UINT32_MAX))
		return false;
	if (fresh || ks_str_cmp(name, n->name[at]) < 0)
		n->name[at] = name;
	return true;
}

static ks_str find_name(const struct names *n, int64_t id)
{
	const uint32_t at = ks_map_find(&n->ids, &id);

	return at == KS_MAP_NONE ? KS_STR_NONE : n->name[at];
}

struct listing {
	struct ks_slices *s;
	struct names process, thread;
	bool shared; /* several processes used the device at hand */
};

static bool list_names(struct listing *l)
{
	const struct ks_analysis *a = l->s->a;
	bool whole = true;

	ks_map_init(&l->process.ids, sizeof(int64_t), UINT32_MAX / 2);
	ks_map_init(&l->thread.ids, sizeof(int64_t), UINT32_MAX / 2);
	for (size_t i = 0; i < a->n_processes && whole; i++)
		whole = add_name(&l->process, a->process[i].global_pid, a->process[i].name);
	for (size_t i = 0; i < a->n_threads && whole; i++)
		whole = add_name(&l->thread, a->thread[i].global_tid, a->thread[i].name);
	return whole;
}

static void release_names(struct listing *l)
{
	ks_map_release(&l->process.ids);
	ks_map_release(&l->thread.ids);
	ks_mem_free(l->process.name);
	ks_mem_free(l->thread.name);
}

static ks_str name_of_gpu(struct ks_slices *s, size_t gpu)
{
	const struct ks_gpu *g = &s->r->gpu[gpu];
	char label[KS_NUM_LEN];

	if (g->label < 0)
		return say(s, KS_TEXT_AN_LANE_GPU_UNKNOWN, KS_STR_NONE, KS_STR_NONE);
	const ks_str number = { label, ks_num_i64(label, g->label) };

	return say(s, g->name.n ? KS_TEXT_AN_LANE_GPU : KS_TEXT_AN_LANE_GPU_BARE, number, g->name);
}

/* --- what a lane is called -----------------------------------------------------------------------
 */

static ks_str further(struct ks_slices *s, ks_str name, uint32_t number)
{
	char text[KS_NUM_LEN];

	if (number == 0)
		return name;
	return say(s, KS_TEXT_AN_LANE_FURTHER, name,
		   (ks_str){ text, ks_num_u64(text, (uint64_t)number + 1) });
}

/* Whether tracks of more than one process follow, from the first one of a device on. */
static bool is_shared(const struct ks_slices *s, uint32_t track)
{
	const struct ks_slice_place *first = &s->track[track].place;

	for (uint32_t i = track; i < s->n_tracks; i++) {
		const struct ks_slice_place *p = &s->track[i].place;

		if (p->host != first->host || p->whose != first->whose)
			return false;
		if (p->kind != KS_LANE_MEMORY && p->process != first->process)
			return true;
	}
	return false;
}

static void describe_device_lane(struct listing *l, const struct ks_slice_place *p,
				 const struct ks_lane *before, struct ks_lane *lane)
{
	static const enum ks_text text[] = {
		[KS_LANE_STREAM] = KS_TEXT_AN_LANE_STREAM,
		[KS_LANE_COPY] = KS_TEXT_AN_LANE_STREAM_COPY,
		[KS_LANE_SYNC] = KS_TEXT_AN_LANE_STREAM_SYNC,
	};
	struct ks_slices *s = l->s;
	char pid[KS_NUM_LEN];

	lane->gpu = (size_t)p->whose;
	lane->pid = ks_global_pid(p->process);
	lane->tid = KS_UNKNOWN;
	lane->stream = p->stream;
	lane->process_name = before && before->gpu == lane->gpu ? before->process_name
								: name_of_gpu(s, lane->gpu);
	if (lane->kind == KS_LANE_MEMORY) {
		lane->name = say(s, KS_TEXT_AN_LANE_MEMORY, KS_STR_NONE, KS_STR_NONE);
		return;
	}
	lane->name = say_number(s, text[lane->kind], p->stream);
	if (l->shared && lane->pid >= 0)
		lane->name = say(s, KS_TEXT_AN_LANE_OF_PROCESS, lane->name,
				 (ks_str){ pid, ks_num_i64(pid, lane->pid) });
}

/* domain: of NVTX, "" for the default one. */
static void describe_host_lane(struct listing *l, int64_t thread, ks_str domain,
			       const struct ks_lane *before, struct ks_lane *lane)
{
	struct ks_slices *s = l->s;

	lane->gpu = SIZE_MAX;
	lane->pid = ks_global_pid(thread);
	lane->tid = ks_global_tid(thread);
	lane->stream = KS_UNKNOWN;
	if (before && before->gpu == SIZE_MAX && before->pid == lane->pid)
		lane->process_name = before->process_name;
	else if (thread != KS_UNKNOWN)
		lane->process_name = find_name(&l->process, ks_global_process(thread));
	lane->thread_name = before && before->gpu == SIZE_MAX && before->pid == lane->pid &&
					    before->tid == lane->tid
				    ? before->thread_name
				    : find_name(&l->thread, thread);
	const ks_str who = lane->thread_name.n ? lane->thread_name
					       : say_number(s, KS_TEXT_AN_LANE_THREAD, lane->tid);

	if (lane->kind == KS_LANE_API)
		lane->name = say(s, KS_TEXT_AN_LANE_API, who, KS_STR_NONE);
	else if (domain.n)
		lane->name = say(s, KS_TEXT_AN_LANE_NVTX_DOMAIN, who, domain);
	else
		lane->name = say(s, KS_TEXT_AN_LANE_NVTX, who, KS_STR_NONE);
}

/* --- the list ------------------------------------------------------------------------------------
 */

static struct ks_lane *add_lane(struct ks_slices *s, enum ks_lane_kind kind, uint32_t number,
				const struct ks_slice_lane *read, uint64_t slices)
{
	const size_t at = s->log.n_lanes++;

	s->lane[at] = *read;
	s->view[at] = (struct ks_lane){ .kind = kind, .number = number, .slices = slices };
	return &s->view[at];
}

static const struct ks_lane *before(const struct ks_slices *s, const struct ks_lane *lane)
{
	return lane > s->view ? lane - 1 : NULL;
}

static void add_track_lane(struct listing *l, uint32_t track, uint32_t number,
			   const struct ks_slice_lane *read, uint64_t slices)
{
	struct ks_slices *s = l->s;
	const struct ks_slice_place *p = &s->track[track].place;
	struct ks_lane *lane = add_lane(s, (enum ks_lane_kind)p->kind, number, read, slices);

	if (p->host)
		describe_host_lane(l, p->whose, KS_STR_NONE, before(s, lane), lane);
	else
		describe_device_lane(l, p, before(s, lane), lane);
	lane->name = further(s, lane->name, number);
}

/* The lanes of a track: its first one, then those of what moved on, which starts at *more. */
static enum ks_status add_track(struct listing *l, uint32_t number, uint64_t *more,
				struct ks_err *err)
{
	struct ks_slices *s = l->s;
	const struct ks_slice_track *track = &s->track[number];
	struct ks_slice_record rec;
	bool got;

	if (track->kept)
		add_track_lane(
			l, number, 0,
			&(struct ks_slice_lane){ track->source, number, track->at, track->n },
			track->kept);
	for (;;) {
		KS_TRY(ks_slice_read(s, KS_SLICE_MORE, *more, &rec, &got, err));
		if (!got || rec.track != number)
			return KS_OK;
		struct ks_slice_lane read = { KS_SLICE_MORE, number, *more, 0 };
		const uint32_t lane = rec.lane;

		while (got && rec.track == number && rec.lane == lane) {
			read.n++;
			KS_TRY(ks_slice_read(s, KS_SLICE_MORE, *more + read.n, &rec, &got, err));
		}
		*more += read.n;
		add_track_lane(l, number, lane, &read, read.n);
	}
}

static enum ks_status add_ranges(struct listing *l, struct ks_err *err)
{
	struct ks_slices *s = l->s;
	struct ks_lane *lane = NULL;
	struct ks_range_view v;
	uint32_t last = 0;

	s->n_lanes_before_ranges = s->log.n_lanes;
	if (!s->any_range)
		return KS_OK;
	KS_TRY(ks_ranges_rewind(s->a->ranges, err));
	while (ks_ranges_next(s->a->ranges, &v)) {
		if (!ks_slice_is_kept(s, v.start_ns, v.end_ns))
			continue;
		if (!lane || v.lane != last) {
			lane = add_lane(s, KS_LANE_NVTX, v.lane_number,
					&(struct ks_slice_lane){ .source = KS_SLICE_SOURCES }, 0);
			describe_host_lane(l, v.thread, v.domain, before(s, lane), lane);
			lane->name = further(s, lane->name, v.lane_number);
		}
		last = v.lane;
		lane->slices++;
		s->log.slices++;
	}
	s->n_range_lanes = s->log.n_lanes - s->n_lanes_before_ranges;
	return KS_OK;
}

/* At most so many lanes: counted first, so that the list never moves. */
static enum ks_status count_lanes(struct ks_slices *s, size_t *n, struct ks_err *err)
{
	struct ks_slice_record rec = { .track = KS_SLICE_NO_TRACK }, last = rec;
	struct ks_range_view v;
	uint32_t lane = 0;
	bool got = true, any = false;

	*n = s->n_tracks;
	for (uint64_t at = 0;; at++) {
		KS_TRY(ks_slice_read(s, KS_SLICE_MORE, at, &rec, &got, err));
		if (!got)
			break;
		*n += at == 0 || rec.track != last.track || rec.lane != last.lane;
		last = rec;
	}
	if (!s->any_range)
		return KS_OK;
	KS_TRY(ks_ranges_rewind(s->a->ranges, err));
	for (; ks_ranges_next(s->a->ranges, &v); any = true) {
		*n += !any || v.lane != lane;
		lane = v.lane;
	}
	return KS_OK;
}

static enum ks_status list_all(struct listing *l, struct ks_err *err)
{
	struct ks_slices *s = l->s;
	uint64_t more = 0;
	uint32_t i = 0;

	if (!list_names(l))
		return ks_slices_no_memory(err);
	for (; i < s->n_tracks && !s->track[i].place.host; i++) {
		if (i == 0 || s->track[i].place.whose != s->track[i - 1].place.whose)
			l->shared = is_shared(s, i);
		KS_TRY(add_track(l, i, &more, err));
	}
	KS_TRY(add_ranges(l, err));
	for (; i < s->n_tracks; i++)
		KS_TRY(add_track(l, i, &more, err));
	s->log.lane = s->view;
	return ks_arena_failed(s->a->arena) ? ks_slices_no_memory(err) : KS_OK;
}

enum ks_status ks_slices_lanes(struct ks_slices *s, struct ks_err *err)
{
	struct listing l = { .s = s };
	size_t n;

	KS_TRY(count_lanes(s, &n, err));
	s->lane = ks_mem_alloc((n + 1) * sizeof(*s->lane));
	s->view = KS_ARENA_NEWS(s->a->arena, struct ks_lane, n + 1);
	if (!s->lane || !s->view)
		return ks_slices_no_memory(err);
	const enum ks_status st = list_all(&l, err);

	release_names(&l);
	return st;
}
