/* SPDX-License-Identifier: Apache-2.0
 *
 * Which lanes become rows of the timeline picture, and in which order. Reads the log twice: to
 * count what is in the window, then to draw it. A row that is left out is counted with its slices.
 */
#include <stdlib.h>

#include "analyze/analysis.h"
#include "analyze/picture.h"
#include "analyze/totals.h"
#include "base/mem.h"
#include "base/num.h"

struct reader { /* the slices of the log that have a part in the window */
	const struct ks_slice_log *log;
	struct ks_picture_window in;
	struct ks_slice held; /* a counter's value, until the next one is known */
	bool holds, ended;
};

static enum ks_status rewind_to_start(struct reader *r, struct ks_err *err)
{
	r->holds = r->ended = false;
	return r->log->rewind(r->log->self, err);
}

static bool is_counter(const struct reader *r, const struct ks_slice *s)
{
	return r->log->lane[s->lane].kind == KS_LANE_MEMORY;
}

static enum ks_status take(struct reader *r, struct ks_slice *s, bool *got, struct ks_err *err)
{
	*got = false;
	if (r->ended)
		return KS_OK;
	KS_TRY(r->log->next(r->log->self, s, got, err));
	r->ended = !*got;
	return KS_OK;
}

/* The next slice as it is drawn: a counter's reaches to the next value of its lane, or for ever. */
static enum ks_status next_whole(struct reader *r, struct ks_slice *s, bool *got,
				 struct ks_err *err)
{
	struct ks_slice after;
	bool more = false;

	if (!r->holds)
		KS_TRY(take(r, &r->held, &r->holds, err));
	*got = r->holds;
	if (!*got)
		return KS_OK;
	*s = r->held;
	if (!is_counter(r, s)) {
		r->holds = false;
		return KS_OK;
	}
	KS_TRY(take(r, &after, &more, err));
	s->end_ns = more && after.lane == s->lane ? after.start_ns : INT64_MAX;
	r->holds = more;
	r->held = after;
	return KS_OK;
}

static bool clip(const struct ks_picture_window *in, struct ks_picture_slice *s)
{
	const ks_ns start = s->row.start_ns, end = s->row.end_ns;

	if (start >= in->to || end < in->from || (end == in->from && start < end))
		return false;
	s->from = start > in->from ? start : in->from;
	s->to = end < in->to ? end : in->to;
	if (s->counter)
		s->row.end_ns = s->to; /* "for ever" is no time to print */
	return true;
}

static enum ks_status next_inside(struct reader *r, struct ks_picture_slice *s, bool *got,
				  struct ks_err *err)
{
	do {
		KS_TRY(next_whole(r, &s->row, got, err));
		if (!*got)
			return KS_OK;
		if (s->row.lane >= r->log->n_lanes)
			return ks_err_set(err, KS_E_INTERNAL, KS_TEXT_ERR_AN_INTERNAL, "slices",
					  NULL);
		s->counter = is_counter(r, &s->row);
	} while (!clip(&r->in, s));
	return KS_OK;
}

struct candidate {
	const struct ks_lane *lane;
	uint32_t number;
	uint64_t slices;
};

/* What the device did matters most, then the program's own words for it, then its calls. */
static int weight(enum ks_lane_kind kind)
{
	static const int of[] = {
		[KS_LANE_STREAM] = 0, [KS_LANE_COPY] = 1, [KS_LANE_NVTX] = 2,
		[KS_LANE_API] = 3,    [KS_LANE_SYNC] = 4, [KS_LANE_MEMORY] = 1,
	};

	return (unsigned)kind < KS_ARRAY_LEN(of) ? of[kind] : 5;
}

static int by_weight(const void *x, const void *y)
{
	const struct candidate *a = x, *b = y;
	const int wa = weight(a->lane->kind), wb = weight(b->lane->kind);

	if (wa != wb)
		return wa - wb;
	if (a->slices != b->slices)
		return a->slices > b->slices ? -1 : 1;
	return a->number < b->number ? -1 : 1;
}

static int by_memory_last(const struct ks_lane *a, const struct ks_lane *b)
{
	return (a->kind == KS_LANE_MEMORY) - (b->kind == KS_LANE_MEMORY);
}

/* Devices first, each with its processes and their streams; then processes with their threads. */
static int by_place(const void *x, const void *y)
{
	const struct candidate *a = x, *b = y;
	const int order[] = {
		(a->lane->gpu > b->lane->gpu) - (a->lane->gpu < b->lane->gpu),
		ks_num_cmp_i64(a->lane->pid, b->lane->pid),
		by_memory_last(a->lane, b->lane),
		ks_num_cmp_i64(a->lane->tid, b->lane->tid),
		ks_num_cmp_i64(a->lane->stream, b->lane->stream),
		(int)a->lane->kind - (int)b->lane->kind,
	};

	for (size_t i = 0; i < KS_ARRAY_LEN(order); i++)
		if (order[i] != 0)
			return order[i];
	return a->number < b->number ? -1 : 1;
}

static enum ks_status count_slices(struct reader *r, uint64_t *count, struct ks_err *err)
{
	struct ks_picture_slice s;
	bool got = true;

	KS_TRY(rewind_to_start(r, err));
	for (;;) {
		KS_TRY(next_inside(r, &s, &got, err));
		if (!got)
			return KS_OK;
		count[s.row.lane]++;
	}
}

static enum ks_status choose_rows(struct ks_picture_work *w, struct candidate *c, size_t n,
				  struct ks_arena *arena, struct ks_err *err)
{
	const size_t most = (size_t)ks_limit(KS_LIMIT_PICTURE_ROWS), kept = n < most ? n : most;
	struct ks_lane *row = KS_ARENA_NEWS(arena, struct ks_lane, kept);

	w->depth = KS_ARENA_NEWS(arena, unsigned, kept);
	if (row == NULL || w->depth == NULL)
		return ks_picture_no_memory(err);
	if (n > 1)
		qsort(c, n, sizeof(*c), by_weight);
	for (size_t i = kept; i < n; i++)
		w->out->slices_left_out += c[i].slices;
	if (kept > 1)
		qsort(c, kept, sizeof(*c), by_place);
	for (size_t i = 0; i < kept; i++) {
		row[i] = *c[i].lane;
		row[i].slices = c[i].slices;
		w->row_of_lane[c[i].number] = (uint32_t)i;
		w->depth[i] = 1;
	}
	w->out->row = row;
	w->out->row_depth = w->depth;
	w->out->n_rows = kept;
	w->out->rows_left_out = n - kept;
	return KS_OK;
}

static enum ks_status make_rows(struct ks_picture_work *w, struct reader *r, struct ks_arena *arena,
				struct ks_err *err)
{
	const size_t n = r->log->n_lanes;
	uint64_t *count = ks_mem_alloc((n + 1) * sizeof(*count));
	struct candidate *c = ks_mem_alloc((n + 1) * sizeof(*c));
	size_t used = 0;
	enum ks_status st = count == NULL || c == NULL ? ks_picture_no_memory(err)
						       : count_slices(r, count, err);

	for (size_t i = 0; i < n && st == KS_OK; i++) {
		w->row_of_lane[i] = UINT32_MAX;
		if (count[i] > 0)
			c[used++] = (struct candidate){ &r->log->lane[i], (uint32_t)i, count[i] };
	}
	if (st == KS_OK)
		st = choose_rows(w, c, used, arena, err);
	ks_mem_free(count);
	ks_mem_free(c);
	return st;
}

/* Whether a name is that of a communication kernel, asked once per name. */
static enum ks_status is_comm(struct ks_analysis *a, unsigned char *known,
			      struct ks_picture_slice *s, struct ks_err *err)
{
	unsigned char *k = &known[s->row.name_id];

	if (*k == 0) {
		bool is = false;

		KS_TRY(ks_comm_is(a->comm,
				  ks_redact_original(a->ctx->redact, KS_NAME_KERNEL, s->row.name),
				  &is, err));
		*k = is ? 2 : 1;
	}
	s->comm = *k == 2;
	return KS_OK;
}

static enum ks_status draw_all(struct ks_analysis *a, struct ks_picture_work *w, struct reader *r,
			       struct ks_err *err)
{
	unsigned char *known = ks_mem_alloc((size_t)r->log->n_names + 1);
	struct ks_picture_slice s;
	bool got = true;
	enum ks_status st = known == NULL ? ks_picture_no_memory(err) : rewind_to_start(r, err);

	while (st == KS_OK) {
		st = next_inside(r, &s, &got, err);
		if (st != KS_OK || !got)
			break;
		s.comm = false;
		if (a->comm != NULL && r->log->lane[s.row.lane].kind == KS_LANE_STREAM &&
		    s.row.name_id <= r->log->n_names)
			st = is_comm(a, known, &s, err);
		if (st == KS_OK)
			st = ks_picture_slice(w, &s, err);
	}
	ks_mem_free(known);
	return st;
}

static enum ks_status make(struct ks_analysis *a, struct ks_picture_work *w, struct reader *r,
			   struct ks_err *err)
{
	w->row_of_lane = ks_mem_alloc((r->log->n_lanes + 1) * sizeof(*w->row_of_lane));
	if (w->row_of_lane == NULL)
		return ks_picture_no_memory(err);
	if (w->in.to > w->in.from && w->columns > 0) {
		w->column_ns = (double)(w->in.to - w->in.from) / (double)w->columns;
		KS_TRY(make_rows(w, r, a->arena, err));
		KS_TRY(draw_all(a, w, r, err));
	}
	return ks_picture_finish(w, a->arena, err);
}

enum ks_status ks_picture_make(struct ks_analysis *a, const struct ks_slice_log *log,
			       unsigned columns, const struct ks_timeline_picture **picture,
			       struct ks_err *err)
{
	const int64_t levels = ks_limit(KS_LIMIT_PICTURE_DEPTH);
	struct ks_picture_work *w = ks_mem_alloc(sizeof(*w));
	struct reader r = { .log = log };
	enum ks_status st;

	if (w == NULL)
		return ks_picture_no_memory(err);
	ks_totals_span(a, &r.in.from, &r.in.to);
	w->in = r.in;
	w->columns = columns;
	w->levels = levels < KS_PICTURE_LEVELS ? (unsigned)levels : KS_PICTURE_LEVELS;
	w->lane = UINT32_MAX;
	w->out = KS_ARENA_NEW(a->arena, struct ks_timeline_picture);
	if (w->out != NULL) {
		w->out->from_ns = r.in.from;
		w->out->to_ns = r.in.to;
	}
	st = w->out == NULL ? ks_picture_no_memory(err) : make(a, w, &r, err);
	if (st == KS_OK)
		*picture = w->out;
	ks_mem_free(w->row_of_lane);
	ks_mem_free(w->bar);
	ks_mem_free(w);
	return st;
}
