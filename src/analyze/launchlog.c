/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of three words. While launches arrive: start, duration, (group, track) number and
 * correlation. At the end every record is repacked, bit by bit, into one 189-bit key in the order
 * wanted; the widths follow from the values met, so that real traces always fit. Holds no record
 * itself.
 */
#include "analyze/launchlog.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/sorter.h"
#include "tables/tables.h"

#define WORDS	  3
#define WORD_BITS 63 /* records are signed words that are never negative */
#define AHEAD	  512
#define MAX_PAIRS (UINT32_C(1) << 30)

struct pair_key {
	uint32_t group, track;
};

enum field { F_KERNEL, F_START, F_PAIR, F_CORRELATION, F_DURATION, F_COUNT };

struct ks_launchlog {
	const struct ks_io *io;
	struct ks_sorter *rows;
	struct ks_map pairs;
	uint64_t *pair_rows;
	size_t pair_cap;
	struct pair_key last;
	uint32_t last_pair;
	ks_ns max_start, max_duration;
	/* from finish on */
	struct ks_launchlog_order order;
	unsigned width[F_COUNT];
	uint32_t *rank, *pair_at; /* pair -> rank and back */
	uint64_t *kernel_at;	  /* n_kernels + 1 positions */
	bool bounded;		  /* only keys from lo to hi pass */
	int64_t lo[WORDS], hi[WORDS];
	/* reading */
	uint64_t base, at, end, next_read;
	int64_t *ahead;
	size_t ahead_i, ahead_n;
};

struct ks_launchlog *ks_launchlog_open(const struct ks_io *io)
{
	struct ks_launchlog *g = ks_mem_alloc(sizeof(*g));

	if (!g)
		return NULL;
	g->io = io;
	g->last_pair = KS_MAP_NONE;
	ks_map_init(&g->pairs, sizeof(struct pair_key), MAX_PAIRS);
	g->rows = ks_sorter_open(io, WORDS, (size_t)ks_limit(KS_LIMIT_LAUNCH_LOG_SPILL_BYTES));
	if (!g->rows) {
		ks_launchlog_close(g);
		return NULL;
	}
	return g;
}

void ks_launchlog_close(struct ks_launchlog *g)
{
	if (!g)
		return;
	ks_sorter_close(g->rows);
	ks_map_release(&g->pairs);
	ks_mem_free(g->pair_rows);
	ks_mem_free(g->rank);
	ks_mem_free(g->pair_at);
	ks_mem_free(g->kernel_at);
	ks_mem_free(g->ahead);
	ks_mem_free(g);
}

static enum ks_status no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "launch rows", NULL);
}

static uint32_t pair_of(struct ks_launchlog *g, uint32_t group, uint32_t track)
{
	const struct pair_key key = { group, track };

	if (g->last_pair != KS_MAP_NONE && memcmp(&key, &g->last, sizeof(key)) == 0)
		return g->last_pair;
	uint32_t at = ks_map_add(&g->pairs, &key, NULL);

	if (at == KS_MAP_NONE || !KS_GROW(g->pair_rows, g->pair_cap, (size_t)at + 1, MAX_PAIRS))
		return KS_MAP_NONE;
	g->last = key;
	g->last_pair = at;
	return at;
}

enum ks_status ks_launchlog_add(struct ks_launchlog *g, uint32_t group, uint32_t track,
				const struct ks_launch *row, struct ks_err *err)
{
	const uint32_t pair = pair_of(g, group, track);
	const ks_ns duration = row->end_ns - row->start_ns;

	if (pair == KS_MAP_NONE)
		return no_memory(err);
	const uint64_t correlation =
		row->correlation == KS_UNKNOWN ? 0 : (uint32_t)row->correlation;
	const int64_t rec[WORDS] = { row->start_ns, duration,
				     (int64_t)((uint64_t)pair << 32 | correlation) };

	if (ks_sorter_count(g->rows) == 0)
		g->max_start = row->start_ns;
	if (row->start_ns > g->max_start)
		g->max_start = row->start_ns;
	if (duration > g->max_duration)
		g->max_duration = duration;
	g->pair_rows[pair]++;
	return ks_sorter_add(g->rows, rec, err);
}

/* --- the packed key ------------------------------------------------------------------------------
 */

static unsigned bits_of(uint64_t v)
{
	return v ? 64U - (unsigned)__builtin_clzll(v) : 0;
}

/* Writes the fields from `first` on, most significant first, into three words. */
static void pack(const struct ks_launchlog *g, enum field first, const uint64_t field[F_COUNT],
		 int64_t rec[WORDS])
{
	unsigned word = 0, room = WORD_BITS;

	rec[0] = rec[1] = rec[2] = 0;
	for (unsigned f = first; f < F_COUNT; f++) {
		for (unsigned left = g->width[f]; left > 0;) {
			const unsigned take = left < room ? left : room;

			if (take == 0)
				return; /* set_widths refused keys that do not fit */
			uint64_t piece =
				(field[f] >> (left - take)) & (~UINT64_C(0) >> (64 - take));

			rec[word] |= (int64_t)(piece << (room - take));
			left -= take;
			room -= take;
			if (room == 0 && word < WORDS - 1) {
				word++;
				room = WORD_BITS;
			}
		}
	}
}

static void unpack(const struct ks_launchlog *g, const int64_t rec[WORDS], uint64_t field[F_COUNT])
{
	unsigned word = 0, room = WORD_BITS;

	memset(field, 0, F_COUNT * sizeof(*field));
	for (unsigned f = 0; f < F_COUNT; f++) {
		for (unsigned left = g->width[f]; left > 0;) {
			const unsigned take = left < room ? left : room;

			if (take == 0)
				return; /* set_widths refused keys that do not fit */
			uint64_t piece = ((uint64_t)rec[word] >> (room - take)) &
					 (~UINT64_C(0) >> (64 - take));

			field[f] = field[f] << take | piece;
			left -= take;
			room -= take;
			if (room == 0 && word < WORDS - 1) {
				word++;
				room = WORD_BITS;
			}
		}
	}
}

static void rekey(int64_t *rec, void *arg)
{
	const struct ks_launchlog *g = arg;
	const uint32_t pair = (uint32_t)((uint64_t)rec[2] >> 32);
	const struct pair_key *key = ks_map_key(&g->pairs, pair);
	const uint64_t field[F_COUNT] = {
		[F_KERNEL] = g->order.kernel_of_group[key->group],
		[F_START] = (uint64_t)rec[0] - (uint64_t)g->order.first_ns,
		[F_PAIR] = g->rank[pair],
		[F_CORRELATION] = (uint32_t)rec[2],
		[F_DURATION] = (uint64_t)rec[1],
	};

	pack(g, F_KERNEL, field, rec);
}

/* --- ordering ------------------------------------------------------------------------------------
 */

static int compare_pairs(const void *a, const void *b, void *arg)
{
	const struct ks_launchlog *g = arg;
	const struct pair_key *x = ks_map_key(&g->pairs, *(const uint32_t *)a);
	const struct pair_key *y = ks_map_key(&g->pairs, *(const uint32_t *)b);

	return g->order.compare(g->order.arg, x->group, x->track, y->group, y->track);
}

static enum ks_status rank_pairs(struct ks_launchlog *g, struct ks_err *err)
{
	const size_t n = g->pairs.count;

	g->rank = ks_mem_alloc((n + 1) * sizeof(*g->rank));
	g->pair_at = ks_mem_alloc((n + 1) * sizeof(*g->pair_at));
	g->kernel_at = ks_mem_alloc(((size_t)g->order.n_kernels + 1) * sizeof(*g->kernel_at));
	g->ahead = ks_mem_alloc(AHEAD * WORDS * sizeof(*g->ahead));
	if (!g->rank || !g->pair_at || !g->kernel_at || !g->ahead)
		return no_memory(err);
	for (uint32_t i = 0; i < n; i++)
		g->pair_at[i] = i;
	qsort_r(g->pair_at, n, sizeof(*g->pair_at), compare_pairs, g);
	for (uint32_t i = 0; i < n; i++)
		g->rank[g->pair_at[i]] = i;
	for (uint32_t i = 0; i < n; i++) {
		const struct pair_key *key = ks_map_key(&g->pairs, i);
		uint32_t kernel = g->order.kernel_of_group[key->group];

		if (kernel < g->order.n_kernels)
			g->kernel_at[kernel + 1] += g->pair_rows[i];
	}
	for (uint32_t k = 0; k < g->order.n_kernels; k++)
		g->kernel_at[k + 1] += g->kernel_at[k];
	return KS_OK;
}

static enum ks_status set_widths(struct ks_launchlog *g, struct ks_err *err)
{
	unsigned sum = 0;

	g->width[F_KERNEL] = bits_of(g->order.n_kernels);
	g->width[F_START] = bits_of((uint64_t)g->max_start - (uint64_t)g->order.first_ns);
	g->width[F_PAIR] = bits_of(g->pairs.count);
	g->width[F_CORRELATION] = 32;
	g->width[F_DURATION] = bits_of((uint64_t)g->max_duration);
	for (unsigned f = 0; f < F_COUNT; f++)
		sum += g->width[f];
	if (sum > WORDS * WORD_BITS)
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_TRACE_TOO_LONG, NULL);
	return KS_OK;
}

/* The key of a row without its kernel: its place in time. */
static void time_key(const struct ks_launchlog *g, const int64_t rec[WORDS], int64_t key[WORDS])
{
	uint64_t field[F_COUNT];

	unpack(g, rec, field);
	pack(g, F_START, field, key);
}

static int compare_keys(const int64_t a[WORDS], const int64_t b[WORDS])
{
	for (unsigned i = 0; i < WORDS; i++) {
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	}
	return 0;
}

static enum ks_status fill_in_time_order(struct ks_launchlog *g, struct ks_sorter *times,
					 struct ks_err *err)
{
	const uint64_t n = g->kernel_at[g->order.n_kernels];
	size_t got = 0;

	for (uint64_t at = 0; at < n; at += got) {
		KS_TRY(ks_sorter_read(g->rows, at, g->ahead,
				      n - at < AHEAD ? (size_t)(n - at) : AHEAD, &got, err));
		if (got == 0)
			break;
		for (size_t i = 0; i < got; i++) {
			int64_t key[WORDS];

			time_key(g, g->ahead + i * WORDS, key);
			KS_TRY(ks_sorter_add(times, key, err));
		}
	}
	return ks_sorter_finish(times, NULL, NULL, err);
}

/* -s and -c over everything: finds the first and the last key that pass. */
static enum ks_status bound(struct ks_launchlog *g, struct ks_err *err)
{
	const uint64_t n = g->kernel_at[g->order.n_kernels], skip = g->order.skip;
	uint64_t last = n;

	if (!g->order.globally || (skip == 0 && g->order.count == 0) || n == 0)
		return KS_OK;
	g->bounded = true;
	if (skip >= n) { /* nothing passes */
		g->lo[0] = INT64_MAX;
		return KS_OK;
	}
	if (g->order.count && g->order.count < n - skip)
		last = skip + g->order.count;
	struct ks_sorter *times =
		ks_sorter_open(g->io, WORDS, (size_t)ks_limit(KS_LIMIT_LAUNCH_LOG_SPILL_BYTES));
	size_t got = 0;

	if (!times)
		return no_memory(err);
	enum ks_status st = fill_in_time_order(g, times, err);

	if (st == KS_OK)
		st = ks_sorter_read(times, skip, g->lo, 1, &got, err);
	if (st == KS_OK)
		st = ks_sorter_read(times, last - 1, g->hi, 1, &got, err);
	ks_sorter_close(times);
	return st;
}

enum ks_status ks_launchlog_finish(struct ks_launchlog *g, const struct ks_launchlog_order *order,
				   struct ks_err *err)
{
	g->order = *order;
	KS_TRY(set_widths(g, err));
	KS_TRY(rank_pairs(g, err));
	KS_TRY(ks_sorter_finish(g->rows, rekey, g, err));
	return bound(g, err);
}

/* --- reading -------------------------------------------------------------------------------------
 */

enum ks_status ks_launchlog_rewind(struct ks_launchlog *g, uint32_t kernel, struct ks_err *err)
{
	(void)err;
	g->base = g->at = g->end = 0;
	g->ahead_i = g->ahead_n = 0;
	if (kernel >= g->order.n_kernels)
		return KS_OK;
	g->base = g->at = g->kernel_at[kernel];
	g->end = g->kernel_at[kernel + 1];
	if (!g->order.globally) {
		uint64_t n = g->end - g->base, skip = g->order.skip < n ? g->order.skip : n;

		g->at += skip;
		if (g->order.count && g->order.count < n - skip)
			g->end = g->at + g->order.count;
	}
	g->next_read = g->at;
	return KS_OK;
}

static bool passes(const struct ks_launchlog *g, const int64_t rec[WORDS])
{
	int64_t key[WORDS];

	if (!g->bounded)
		return true;
	time_key(g, rec, key);
	return compare_keys(key, g->lo) >= 0 && compare_keys(key, g->hi) <= 0;
}

static void unfold(const struct ks_launchlog *g, const int64_t rec[WORDS],
		   struct ks_launchlog_row *row)
{
	uint64_t field[F_COUNT];

	unpack(g, rec, field);
	const struct pair_key *key = ks_map_key(&g->pairs, g->pair_at[field[F_PAIR]]);

	*row = (struct ks_launchlog_row){
		.group = key->group,
		.track = key->track,
		.start_ns = (ks_ns)((uint64_t)g->order.first_ns + field[F_START]),
		.duration_ns = (ks_ns)field[F_DURATION],
		.correlation = (uint32_t)field[F_CORRELATION],
		.index = g->at - g->base,
	};
}

enum ks_status ks_launchlog_next(struct ks_launchlog *g, struct ks_launchlog_row *row, bool *got,
				 struct ks_err *err)
{
	*got = false;
	while (g->at < g->end) {
		if (g->ahead_i == g->ahead_n) {
			uint64_t left = g->end - g->next_read;

			KS_TRY(ks_sorter_read(g->rows, g->next_read, g->ahead,
					      left < AHEAD ? (size_t)left : AHEAD, &g->ahead_n,
					      err));
			g->next_read += g->ahead_n;
			g->ahead_i = 0;
			if (g->ahead_n == 0)
				return ks_err_set(err, KS_E_INTERNAL, KS_TEXT_ERR_AN_INTERNAL,
						  "launches", NULL);
		}
		const int64_t *rec = g->ahead + g->ahead_i++ * WORDS;

		if (passes(g, rec)) {
			unfold(g, rec, row);
			g->at++;
			*got = true;
			return KS_OK;
		}
		g->at++;
	}
	return KS_OK;
}
