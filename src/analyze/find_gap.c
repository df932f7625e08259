/* SPDX-License-Identifier: Apache-2.0
 *
 * Idle gaps of devices: between the first work of a device and its last, the times without a
 * kernel, copy or memset on it. Reads the records of the work in order of device and time and makes
 * one record of each gap, in a second sorter; nothing else grows with the trace.
 */
#include <stdlib.h>

#include "analyze/find_internal.h"
#include "base/mem.h"
#include "base/num.h"
#include "tables/tables.h"

#define READ_AT_ONCE 256

/* A record of a gap: key, the other of start and duration, device (by rank of its label) and
 * number, and the places of its neighbours among the records of the work. */
enum { GAP_WORDS = 4, NUMBER_BITS = 43, PLACE_BITS = 32 };

struct place { /* a record of the work */
	uint64_t at;
	int64_t word; /* row and shape */
};

struct gap {
	ks_ns start, end;
	struct place before, after;
};

struct gaps {
	struct ks_find *f;
	struct ks_sorter *found;
	uint32_t *rank, *device; /* by number in `devices`, and the other way round */
	int64_t now;		 /* device of the record before; -1 at first */
	ks_ns busy_until;
	struct place last; /* what ended then */
	struct gap gap;
	bool pending; /* until it is known what else starts at its end */
	int64_t number;
};

static enum ks_status too_many(struct ks_err *err)
{
	char limit[KS_NUM_LEN];

	(void)ks_num_u64(limit, UINT32_MAX);
	return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_TOO_MANY, "find", limit, NULL);
}

static int64_t table_of(const struct ks_find *f, int64_t word)
{
	const struct ks_find_shape *s =
		ks_map_key(&f->shapes, (uint32_t)word & ((UINT32_C(1) << KS_FIND_SHAPE_BITS) - 1));

	return s->table;
}

/* Of several that end or start together the first by table and row stands for all. */
static bool precedes(const struct ks_find *f, int64_t a, int64_t b)
{
	const int c = ks_num_cmp_i64(table_of(f, a), table_of(f, b));

	return c != 0 ? c < 0 : a >> KS_FIND_SHAPE_BITS < b >> KS_FIND_SHAPE_BITS;
}

/* --- from work to gaps ---------------------------------------------------------------------------
 */

static bool is_chosen(const struct gaps *g)
{
	const struct ks_find_choice *c = g->f->choice;

	if (c->device != KS_UNKNOWN && ks_find_label(g->f, g->now) != c->device)
		return false;
	if (c->number != KS_UNKNOWN && g->number != c->number)
		return false;
	return !ks_find_left_out(c, g->gap.start, g->gap.end);
}

static enum ks_status settle(struct gaps *g, struct ks_err *err)
{
	if (!g->pending)
		return KS_OK;
	const bool by_duration = g->f->choice->by_duration;
	const int64_t length = g->gap.end - g->gap.start;
	const int64_t rank = (int64_t)g->rank[g->now];

	g->pending = false;
	g->number++;
	g->f->out.rows++;
	if (!is_chosen(g))
		return KS_OK;
	if (g->gap.after.at > UINT32_MAX || rank >= INT64_C(1) << (63 - NUMBER_BITS))
		return too_many(err);
	const int64_t rec[GAP_WORDS] = {
		by_duration ? -length : g->gap.start,
		by_duration ? g->gap.start : length,
		rank << NUMBER_BITS | g->number,
		(int64_t)(g->gap.before.at << PLACE_BITS | g->gap.after.at),
	};

	return ks_sorter_add(g->found, rec, err);
}

static enum ks_status see(struct gaps *g, uint64_t at, const int64_t rec[KS_FIND_WORDS],
			  struct ks_err *err)
{
	const ks_ns start = rec[1], end = rec[2];
	const struct place here = { at, rec[3] };

	if (rec[0] != g->now) {
		KS_TRY(settle(g, err));
		g->now = rec[0];
		g->number = 0;
		g->busy_until = end;
		g->last = here;
		return KS_OK;
	}
	if (start > g->busy_until) {
		KS_TRY(settle(g, err));
		g->gap = (struct gap){ g->busy_until, start, g->last, here };
		g->pending = true;
	} else if (g->pending && start == g->gap.end &&
		   precedes(g->f, here.word, g->gap.after.word)) {
		g->gap.after = here;
	}
	if (end > g->busy_until ||
	    (end == g->busy_until && precedes(g->f, here.word, g->last.word)))
		g->last = here;
	if (end > g->busy_until)
		g->busy_until = end;
	return KS_OK;
}

static enum ks_status sweep(struct gaps *g, struct ks_err *err)
{
	int64_t rec[READ_AT_ONCE * KS_FIND_WORDS];
	uint64_t at = 0;
	size_t n = 0;

	g->now = -1;
	do {
		KS_TRY(ks_sorter_read(g->f->events, at, rec, READ_AT_ONCE, &n, err));
		for (size_t i = 0; i < n; i++)
			KS_TRY(see(g, at + i, &rec[i * KS_FIND_WORDS], err));
		at += n;
	} while (n > 0);
	KS_TRY(settle(g, err));
	return ks_sorter_finish(g->found, NULL, NULL, err);
}

/* --- from gaps to the answer ---------------------------------------------------------------------
 */

static enum ks_status neighbour(struct ks_find *f, const ks_str *shown, uint64_t at,
				const struct ks_found_event **out, struct ks_err *err)
{
	struct ks_found_event *e = KS_ARENA_NEW(&f->arena, struct ks_found_event);
	int64_t rec[KS_FIND_WORDS];
	size_t n = 0;

	if (e == NULL)
		return ks_find_no_memory(err);
	KS_TRY(ks_sorter_read(f->events, at, rec, 1, &n, err));
	if (n == 1)
		*e = ks_find_event_of(f, shown, rec[3], rec[1], rec[2] - rec[1]);
	*out = e;
	return KS_OK;
}

static enum ks_status put(struct gaps *g, const ks_str *shown, const int64_t rec[GAP_WORDS],
			  struct ks_found_event *e, struct ks_err *err)
{
	struct ks_find *f = g->f;
	const bool by_duration = f->choice->by_duration;
	const int64_t label = ks_find_label(f, g->device[rec[2] >> NUMBER_BITS]);
	const int64_t number = rec[2] & ((INT64_C(1) << NUMBER_BITS) - 1);

	*e = (struct ks_found_event){
		.kind = KS_FIND_GAP,
		.id = ks_find_gap_id(&f->arena, label, number),
		.domain = KS_LIT(""),
		.start_ns = by_duration ? rec[1] : rec[0],
		.duration_ns = by_duration ? -rec[0] : rec[1],
		.device = label,
		.stream = KS_UNKNOWN,
		.pid = KS_UNKNOWN,
		.tid = KS_UNKNOWN,
		.context = KS_UNKNOWN,
		.correlation = KS_UNKNOWN,
		.bytes = KS_UNKNOWN,
	};
	KS_TRY(neighbour(f, shown, (uint64_t)rec[3] >> PLACE_BITS, &e->before, err));
	KS_TRY(neighbour(f, shown, (uint64_t)rec[3] & UINT32_MAX, &e->after, err));
	e->name = ks_arena_fmt(&f->arena, "%.*s -> %.*s", (int)e->before->name.n, e->before->name.p,
			       (int)e->after->name.n, e->after->name.p);
	return KS_OK;
}

static enum ks_status list(struct gaps *g, const ks_str *shown, struct ks_err *err)
{
	struct ks_find *f = g->f;
	size_t kept = 0, n = 1;

	f->out.total = ks_sorter_count(g->found);
	while (kept < f->choice->limit && n > 0) {
		int64_t rec[GAP_WORDS];

		KS_TRY(ks_sorter_read(g->found, kept, rec, 1, &n, err));
		if (n == 0)
			break;
		if (!KS_GROW(f->event, f->event_cap, kept + 1, SIZE_MAX / sizeof(*f->event)))
			return ks_find_no_memory(err);
		KS_TRY(put(g, shown, rec, &f->event[kept++], err));
	}
	f->out.event = f->event;
	f->out.n = kept;
	return ks_arena_failed(&f->arena) ? ks_find_no_memory(err) : KS_OK;
}

static int by_label(const void *x, const void *y, void *arg)
{
	const struct ks_find *f = arg;
	const int64_t a = (int64_t) * (const uint32_t *)x, b = (int64_t) * (const uint32_t *)y;

	return ks_num_cmp_i64(ks_find_label(f, a), ks_find_label(f, b));
}

enum ks_status ks_find_gaps(struct ks_find *f, const ks_str *shown, struct ks_err *err)
{
	struct gaps g = {
		.f = f,
		.rank = KS_ARENA_NEWS(&f->arena, uint32_t, f->devices.n + 1),
		.device = KS_ARENA_NEWS(&f->arena, uint32_t, f->devices.n + 1),
	};

	if (g.rank == NULL || g.device == NULL)
		return ks_find_no_memory(err);
	g.found = ks_sorter_open(f->ctx->io, GAP_WORDS,
				 (size_t)ks_limit(KS_LIMIT_LAUNCH_LOG_SPILL_BYTES));
	if (g.found == NULL)
		return ks_find_no_memory(err);
	for (uint32_t i = 0; i < f->devices.n; i++)
		g.device[i] = i;
	qsort_r(g.device, f->devices.n, sizeof(*g.device), by_label, f);
	for (uint32_t i = 0; i < f->devices.n; i++)
		g.rank[g.device[i]] = i;
	f->out.rows = 0; /* of gaps from here on */
	enum ks_status st = sweep(&g, err);

	if (st == KS_OK)
		st = list(&g, shown, err);
	ks_sorter_close(g.found);
	return st;
}
