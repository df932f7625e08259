/* SPDX-License-Identifier: Apache-2.0
 *
 * From records as they came to records track by track in order of time: the cut of a limit, which
 * calls and works can be joined by a flow, what moves to a further lane. Every pass reads once from
 * front to back.
 */
#include "analyze/slices_internal.h"

#include "base/mem.h"

#define READ_RECORDS 1024
#define CUT_BINS     4096 /* 64 bits of time take six passes at most */

/* --- records -------------------------------------------------------------------------------------
 */

struct rekeying {
	struct ks_slices *s;
	enum ks_slice_source source;
};

/* The call a record stands for, where it is the one that work of that correlation id is joined
 * with. */
static int64_t flow_of_call(struct ks_slices *s, const struct ks_slice_call_key *key,
			    const int64_t *rec)
{
	struct ks_call_hit hit = { .found = false };

	if (rec[3] == 0 || key->thread == KS_UNKNOWN || s->rekey_status != KS_OK)
		return 0;
	s->rekey_status = ks_calls_find(s->a->calls, ks_global_process(key->thread), rec[3], &hit,
					&s->rekey_err);
	if (s->rekey_status != KS_OK || !hit.found || hit.number >= KS_SLICE_CALLS - 1 ||
	    hit.start_ns != rec[0] || (hit.end_ns != KS_UNKNOWN && hit.end_ns != rec[1]))
		return 0;
	return (int64_t)hit.number + 1;
}

/* {start, end, key and graph bit, call} becomes {track, start, longer first, rank, graph, call}. */
static void rekey(int64_t *rec, void *arg)
{
	const struct rekeying *r = arg;
	const struct ks_slice_keys *k = &r->s->keys[r->source];
	const size_t key = (size_t)(rec[2] >> 1);
	const int64_t graph = rec[2] & 1;
	const uint32_t track = k->track[key];
	int64_t flow = rec[3];

	if (r->source == KS_SLICE_CALL)
		flow = track == KS_SLICE_NO_TRACK
			       ? 0
			       : flow_of_call(r->s, ks_map_key(&r->s->call_map, (uint32_t)key),
					      rec);
	rec[3] = (int64_t)k->rank[key] << 33 | graph << 32 | flow;
	rec[2] = ~rec[1];
	rec[1] = rec[0];
	rec[0] = track == KS_SLICE_NO_TRACK ? INT64_MAX : (int64_t)track << 32;
}

static enum ks_status sort_source(struct ks_slices *s, enum ks_slice_source source,
				  struct ks_err *err)
{
	struct rekeying r = { s, source };

	KS_TRY(ks_sorter_finish(s->sorter[source], rekey, &r, err));
	if (s->rekey_status == KS_OK)
		return KS_OK;
	if (err)
		*err = s->rekey_err;
	return s->rekey_status;
}

static enum ks_status load(struct ks_slices *s, enum ks_slice_source source, uint64_t at,
			   struct ks_err *err)
{
	struct ks_slice_cursor *c = &s->cursor[source];

	if (!c->buf)
		c->buf = ks_mem_alloc(READ_RECORDS * KS_SLICE_WORDS * sizeof(*c->buf));
	if (!c->buf)
		return ks_slices_no_memory(err);
	c->at = at;
	return ks_sorter_read(s->sorter[source], at, c->buf, READ_RECORDS, &c->n, err);
}

enum ks_status ks_slice_read(struct ks_slices *s, enum ks_slice_source source, uint64_t at,
			     struct ks_slice_record *rec, bool *got, struct ks_err *err)
{
	struct ks_slice_cursor *c = &s->cursor[source];

	if (at < c->at || at - c->at >= c->n)
		KS_TRY(load(s, source, at, err));
	*got = at - c->at < c->n;
	if (!*got)
		return KS_OK;
	const int64_t *w = c->buf + (at - c->at) * KS_SLICE_WORDS;

	*got = w[0] != INT64_MAX;
	*rec = (struct ks_slice_record){ .track = (uint32_t)(w[0] >> 32),
					 .lane = (uint32_t)w[0],
					 .start_ns = w[1],
					 .end_ns = ~w[2],
					 .rank = (uint32_t)(w[3] >> 33),
					 .graph = w[3] >> 32 & 1,
					 .flow = (uint32_t)w[3] };
	return KS_OK;
}

bool ks_slice_add_bytes(const struct ks_slices *s, const struct ks_slice_record *rec, int64_t *now)
{
	const struct ks_slice_keys *k = &s->keys[KS_SLICE_WORK];
	const struct ks_slice_work_key *key = ks_map_key(&s->work_map, k->key[rec->rank]);

	return key->what == 1 ? !__builtin_sub_overflow(*now, key->bytes, now)
			      : !__builtin_add_overflow(*now, key->bytes, now);
}

bool ks_slice_is_kept(const struct ks_slices *s, ks_ns start, ks_ns end)
{
	const struct ks_window *w = &s->a->window;

	if (start >= s->cut_ns)
		return false;
	if (!w->on)
		return true;
	return start < w->to && (end > w->from || (end == start && start == w->from));
}

/* --- the cut -------------------------------------------------------------------------------------
 */

struct starts { /* bins over [low, low + CUT_BINS * width) */
	ks_ns first, last;
	uint64_t n, before; /* all; before low */
	ks_ns low;
	uint64_t width; /* 0: only first, last and n */
	uint64_t bin[CUT_BINS];
};

static void count_start(struct starts *t, ks_ns start)
{
	if (t->width == 0) {
		t->first = t->n == 0 || start < t->first ? start : t->first;
		t->last = t->n == 0 || start > t->last ? start : t->last;
		t->n++;
		return;
	}
	const uint64_t off = (uint64_t)start - (uint64_t)t->low;

	if (start >= t->low && off / t->width < CUT_BINS)
		t->bin[off / t->width]++;
	t->before += start < t->low;
}

static enum ks_status count_starts(struct ks_slices *s, struct starts *t, struct ks_err *err)
{
	struct ks_slice_record rec;
	struct ks_range_view v;
	bool got;

	t->before = 0;
	memset(t->bin, 0, sizeof(t->bin));
	for (unsigned source = 0; source < KS_SLICE_KEYED; source++) {
		for (uint64_t at = 0;; at++) {
			KS_TRY(ks_slice_read(s, (enum ks_slice_source)source, at, &rec, &got, err));
			if (!got)
				break;
			if (ks_slice_is_kept(s, rec.start_ns, rec.end_ns))
				count_start(t, rec.start_ns);
		}
	}
	if (!s->any_range)
		return KS_OK;
	KS_TRY(ks_ranges_rewind(s->a->ranges, err));
	while (ks_ranges_next(s->a->ranges, &v)) {
		if (ks_slice_is_kept(s, v.start_ns, v.end_ns))
			count_start(t, v.start_ns);
	}
	return KS_OK;
}

/* The earliest time from which on nothing is kept, so that at most `limit` slices remain. */
static enum ks_status find_cut(struct ks_slices *s, struct starts *t, struct ks_err *err)
{
	uint64_t span = (uint64_t)t->last - (uint64_t)t->first + 1; /* 0: all of 64 bits */
	size_t i = 0;

	t->low = t->first;
	do {
		t->width = (span - 1) / CUT_BINS + 1;
		KS_TRY(count_starts(s, t, err));
		uint64_t kept = t->before;

		for (i = 0; i < CUT_BINS - 1 && kept + t->bin[i] <= s->limit; i++)
			kept += t->bin[i];
		t->low = (ks_ns)((uint64_t)t->low + i * t->width);
		span = t->width;
	} while (span > 1);
	s->cut_ns = t->low;
	return KS_OK;
}

static enum ks_status settle_cut(struct ks_slices *s, struct ks_err *err)
{
	struct starts *t = ks_mem_alloc(sizeof(*t));

	if (!t)
		return ks_slices_no_memory(err);
	s->cut_ns = INT64_MAX;
	enum ks_status st = count_starts(s, t, err);
	const uint64_t n = t->n;

	s->log.first_ns = n ? t->first : 0;
	s->log.slices = n;
	if (st == KS_OK && s->limit && n > s->limit)
		st = find_cut(s, t, err);
	ks_mem_free(t);
	return st;
}

/* --- flows and lanes -----------------------------------------------------------------------------
 */

static enum ks_status open_bits(struct ks_slices *s, struct ks_err *err)
{
	const uint64_t n = s->a->calls ? ks_calls_count(s->a->calls) : 0;
	const size_t bytes = (size_t)(n / 8 + 1);

	s->n_calls = n;
	s->worked = ks_mem_alloc(bytes);
	s->many = ks_mem_alloc(bytes);
	s->called = ks_mem_alloc(bytes);
	s->taken = ks_mem_alloc(bytes);
	return s->worked && s->many && s->called && s->taken ? KS_OK : ks_slices_no_memory(err);
}

static void mark_flow(struct ks_slices *s, enum ks_slice_source source, uint32_t flow)
{
	if (flow == 0 || flow > s->n_calls)
		return;
	if (source == KS_SLICE_CALL) {
		ks_slice_set(s->called, flow);
		return;
	}
	if (ks_slice_bit(s->worked, flow))
		ks_slice_set(s->many, flow);
	ks_slice_set(s->worked, flow);
}

/* The track knows which source it came from. */
static enum ks_status move_on(struct ks_slices *s, const struct ks_slice_record *rec, uint32_t lane,
			      struct ks_err *err)
{
	const int64_t more[KS_SLICE_WORDS] = {
		(int64_t)((uint64_t)rec->track << 32 | lane),
		rec->start_ns,
		~rec->end_ns,
		(int64_t)((uint64_t)rec->rank << 33 | (rec->graph ? UINT64_C(1) << 32 : 0) |
			  rec->flow),
	};

	return ks_sorter_add(s->sorter[KS_SLICE_MORE], more, err);
}

static enum ks_status count_record(struct ks_slices *s, enum ks_slice_source source,
				   struct ks_slice_deal *deal, const struct ks_slice_record *rec,
				   struct ks_err *err)
{
	struct ks_slice_track *track = &s->track[rec->track];
	const bool counter = track->place.kind == KS_LANE_MEMORY;

	track->n++;
	if (counter) {
		if (!ks_slice_add_bytes(s, rec, &s->now_bytes))
			return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_OVERFLOW, NULL);
		if (s->now_bytes < track->low_bytes)
			track->low_bytes = s->now_bytes;
	}
	if (!ks_slice_is_kept(s, rec->start_ns, rec->end_ns))
		return KS_OK;
	s->log.slices++;
	mark_flow(s, source, rec->flow);
	const uint32_t lane = counter ? 0 : ks_slice_deal(deal, rec->start_ns, rec->end_ns);

	if (lane == UINT32_MAX)
		return ks_slices_no_memory(err);
	if (lane > 0)
		return move_on(s, rec, lane, err);
	track->kept++;
	return KS_OK;
}

static enum ks_status count_source(struct ks_slices *s, enum ks_slice_source source,
				   struct ks_slice_deal *deal, struct ks_err *err)
{
	struct ks_slice_record rec;
	uint32_t track = KS_SLICE_NO_TRACK;
	bool got;

	for (uint64_t at = 0;; at++) {
		KS_TRY(ks_slice_read(s, source, at, &rec, &got, err));
		if (!got)
			return KS_OK;
		if (rec.track != track) {
			track = rec.track;
			s->track[track].at = at;
			s->now_bytes = 0;
			ks_slice_deal_reset(deal, source == KS_SLICE_CALL);
		}
		KS_TRY(count_record(s, source, deal, &rec, err));
	}
}

static enum ks_status count_sources(struct ks_slices *s, struct ks_err *err)
{
	struct ks_slice_deal deal = { .lanes = 0 };
	enum ks_status st = KS_OK;

	for (unsigned source = 0; source < KS_SLICE_KEYED && st == KS_OK; source++)
		st = count_source(s, (enum ks_slice_source)source, &deal, err);
	ks_slice_deal_release(&deal);
	return st;
}

enum ks_status ks_slices_settle(struct ks_analysis *a, struct ks_report *r, struct ks_err *err)
{
	struct ks_slices *s = a->slices;

	s->a = a;
	s->r = r;
	ks_err_init(&s->rekey_err);
	KS_TRY(ks_slices_keys(s, err));
	KS_TRY(open_bits(s, err));
	for (unsigned source = 0; source < KS_SLICE_KEYED; source++)
		KS_TRY(sort_source(s, (enum ks_slice_source)source, err));
	KS_TRY(settle_cut(s, err));
	const uint64_t all = s->log.slices;

	s->log.slices = 0;
	KS_TRY(count_sources(s, err));
	KS_TRY(ks_sorter_finish(s->sorter[KS_SLICE_MORE], NULL, NULL, err));
	KS_TRY(ks_slices_lanes(s, err));
	s->log.left_out = all - s->log.slices;
	s->log.cut_ns = s->cut_ns;
	s->log.n_names = (uint32_t)s->names.count;
	ks_slices_log_open(s);
	return KS_OK;
}
