/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts fixed-width records in place in memory, or as sorted runs in a temporary file that are
 * merged. Holds its budget and some bytes a run, never more. Makes no file until the budget is
 * spent.
 */
#define KS_BASE_DOOR
#include "base/sorter.h"

#include <errno.h>

#include "base/mem.h"

#define MOST_WORDS   4
#define SMALL_RANGE  24	   /* below it insertion beats quicksort (24-byte records, measured) */
#define NEAR_REACH   24	   /* records this far off still count as nearly sorted */
#define LEAST_BUDGET 16384 /* a merge needs three pieces at least */
#define MERGE_PIECE  4096  /* bytes of a run held at a time, at least: one page */
#define MOST_FAN_IN  128

#define W 1
#include "base/sort_width.h"
#define W 2
#include "base/sort_width.h"
#define W 3
#include "base/sort_width.h"
#define W 4
#include "base/sort_width.h"

struct run {
	uint64_t at, n; /* in records */
	int64_t first[MOST_WORDS], last[MOST_WORDS];
};

struct ks_sorter {
	const struct ks_io *io;
	unsigned words;
	size_t rec_bytes;
	int64_t *mem;
	size_t n, cap, max; /* records in mem, room for, ceiling */
	int fd;		    /* spilled runs; -1 = none */
	uint64_t spilled;   /* records in fd */
	struct run *runs;
	size_t n_runs, cap_runs;
	bool finished;
};

typedef void sort_fn(int64_t *words, size_t n);

static sort_fn *const sort_by_words[MOST_WORDS + 1] = { NULL, sort_1, sort_2, sort_3, sort_4 };

static bool less(const int64_t *a, const int64_t *b, unsigned words)
{
	for (unsigned i = 0; i < words; i++) {
		if (a[i] != b[i])
			return a[i] < b[i];
	}
	return false;
}

static int64_t *record(const struct ks_sorter *s, size_t i)
{
	return s->mem + i * s->words;
}

/* --- life ----------------------------------------------------------------------------------------
 */

struct ks_sorter *ks_sorter_open(const struct ks_io *io, unsigned words, size_t budget_bytes)
{
	BUG_ON(words < 1 || words > MOST_WORDS);
	if (words < 1 || words > MOST_WORDS)
		return NULL;

	struct ks_sorter *s = ks_mem_alloc(sizeof(*s));

	if (!s)
		return NULL;
	s->io = io;
	s->words = words;
	s->rec_bytes = words * sizeof(int64_t);
	s->max = (budget_bytes < LEAST_BUDGET ? LEAST_BUDGET : budget_bytes) / s->rec_bytes;
	s->fd = -1;
	return s;
}

void ks_sorter_close(struct ks_sorter *s)
{
	if (!s)
		return;
	if (s->fd >= 0)
		(void)s->io->sys_close(s->fd);
	free(s->mem);
	free(s->runs);
	free(s);
}

uint64_t ks_sorter_count(const struct ks_sorter *s)
{
	return s->spilled + s->n;
}

/* --- spilling ------------------------------------------------------------------------------------
 */

static enum ks_status no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_BASE_TEXT_ERR_NO_MEMORY, "sorting", NULL);
}

static enum ks_status io_failed(int err_no, struct ks_err *err)
{
	char name[32];

	return ks_err_set(err, KS_E_ENV, KS_BASE_TEXT_ERR_SPILL_IO, ks_err_errno(name, err_no),
			  NULL);
}

static enum ks_status read_at(const struct ks_sorter *s, uint64_t at, void *to, size_t n,
			      struct ks_err *err)
{
	const int err_no =
		ks_io_pread_all(s->io, s->fd, to, n * s->rec_bytes, (off_t)(at * s->rec_bytes));

	return err_no ? io_failed(err_no, err) : KS_OK;
}

static enum ks_status write_at(const struct ks_sorter *s, int fd, uint64_t at, const void *from,
			       size_t n, struct ks_err *err)
{
	const int err_no =
		ks_io_pwrite_all(s->io, fd, from, n * s->rec_bytes, (off_t)(at * s->rec_bytes));

	return err_no ? io_failed(err_no, err) : KS_OK;
}

/* Sorts what is in memory and writes it as a run of the file, at the run's place. */
static enum ks_status write_run(struct ks_sorter *s, struct run *r, struct ks_err *err)
{
	sort_by_words[s->words](s->mem, (size_t)r->n);
	memcpy(r->first, record(s, 0), s->rec_bytes);
	memcpy(r->last, record(s, (size_t)r->n - 1), s->rec_bytes);
	return write_at(s, s->fd, r->at, s->mem, (size_t)r->n, err);
}

static enum ks_status spill(struct ks_sorter *s, struct ks_err *err)
{
	if (s->fd < 0)
		KS_TRY(ks_io_tempfile(s->io, &s->fd, err));
	if (!KS_GROW(s->runs, s->cap_runs, s->n_runs + 1, SIZE_MAX / sizeof(*s->runs)))
		return no_memory(err);

	struct run *r = &s->runs[s->n_runs];

	r->at = s->spilled;
	r->n = s->n;
	KS_TRY(write_run(s, r, err));
	s->n_runs++;
	s->spilled += s->n;
	s->n = 0;
	return KS_OK;
}

/* Not zeroed, so that pages nobody has written to are not held. */
static bool grow(struct ks_sorter *s)
{
	const size_t first = LEAST_BUDGET / s->rec_bytes;
	const size_t cap = s->cap == 0 ? first : s->cap > s->max / 2 ? s->max : s->cap * 2;
	int64_t *mem = realloc(s->mem, (cap < s->max ? cap : s->max) * s->rec_bytes);

	if (!mem)
		return false;
	s->mem = mem;
	s->cap = cap < s->max ? cap : s->max;
	return true;
}

enum ks_status ks_sorter_add(struct ks_sorter *s, const int64_t *rec, struct ks_err *err)
{
	BUG_ON(s->finished);
	if (s->n == s->cap) {
		if (s->cap == s->max)
			KS_TRY(spill(s, err));
		else if (!grow(s))
			return no_memory(err);
	}
	int64_t *to = record(s, s->n++);

	for (unsigned i = 0; i < s->words; i++)
		to[i] = rec[i];
	return KS_OK;
}

/* --- merging -------------------------------------------------------------------------------------
 */

/* A run while it is read, a piece at a time. */
struct cursor {
	uint64_t at, left; /* what of the run is still in the file */
	int64_t *piece;
	size_t pos, n;
};

struct merge {
	struct cursor in[MOST_FAN_IN];
	unsigned heap[MOST_FAN_IN]; /* the run with the least record first */
	unsigned k;
	size_t piece; /* records */
	int64_t *out;
	size_t n_out;
	int fd;
	uint64_t at; /* where the next piece of output goes */
};

static enum ks_status refill(const struct ks_sorter *s, struct cursor *c, size_t piece,
			     struct ks_err *err)
{
	c->pos = 0;
	c->n = c->left < piece ? (size_t)c->left : piece;
	if (c->n == 0)
		return KS_OK;
	KS_TRY(read_at(s, c->at, c->piece, c->n, err));
	c->at += c->n;
	c->left -= c->n;
	return KS_OK;
}

static const int64_t *head(const struct ks_sorter *s, const struct merge *m, unsigned run)
{
	return m->in[run].piece + m->in[run].pos * s->words;
}

static void sift_down(const struct ks_sorter *s, struct merge *m, unsigned at)
{
	const unsigned moved = m->heap[at];

	for (unsigned child; (child = 2 * at + 1) < m->k; at = child) {
		if (child + 1 < m->k &&
		    less(head(s, m, m->heap[child + 1]), head(s, m, m->heap[child]), s->words))
			child++;
		if (!less(head(s, m, m->heap[child]), head(s, m, moved), s->words))
			break;
		m->heap[at] = m->heap[child];
	}
	m->heap[at] = moved;
}

static enum ks_status flush(const struct ks_sorter *s, struct merge *m, struct ks_err *err)
{
	if (m->n_out > 0)
		KS_TRY(write_at(s, m->fd, m->at, m->out, m->n_out, err));
	m->at += m->n_out;
	m->n_out = 0;
	return KS_OK;
}

/* Shares s->mem out among k runs and the output, and reads the first pieces. */
static enum ks_status merge_start(const struct ks_sorter *s, struct merge *m,
				  const struct run *runs, unsigned k, struct ks_err *err)
{
	m->k = k;
	m->piece = s->max / (k + 1);
	m->out = record(s, k * m->piece);
	for (unsigned i = 0; i < k; i++) {
		m->in[i] = (struct cursor){ .at = runs[i].at,
					    .left = runs[i].n,
					    .piece = record(s, i * m->piece) };
		KS_TRY(refill(s, &m->in[i], m->piece, err));
		m->heap[i] = i;
	}
	for (unsigned i = k / 2; i-- > 0;)
		sift_down(s, m, i);
	return KS_OK;
}

static enum ks_status merge_runs(const struct ks_sorter *s, struct merge *m, const struct run *runs,
				 unsigned k, struct ks_err *err)
{
	KS_TRY(merge_start(s, m, runs, k, err));
	while (m->k > 0) {
		struct cursor *c = &m->in[m->heap[0]];

		memcpy(m->out + m->n_out++ * s->words, c->piece + c->pos++ * s->words,
		       s->rec_bytes);
		if (m->n_out == m->piece)
			KS_TRY(flush(s, m, err));
		if (c->pos == c->n)
			KS_TRY(refill(s, c, m->piece, err));
		if (c->n == 0)
			m->heap[0] = m->heap[--m->k];
		if (m->k > 0)
			sift_down(s, m, 0);
	}
	return flush(s, m, err);
}

/* Neighbours that are in order as they stand are one run. */
static void join_runs(struct ks_sorter *s)
{
	size_t kept = 0;

	for (size_t i = 1; i < s->n_runs; i++) {
		struct run *before = &s->runs[kept];

		if (less(s->runs[i].first, before->last, s->words)) {
			s->runs[++kept] = s->runs[i];
			continue;
		}
		before->n += s->runs[i].n;
		memcpy(before->last, s->runs[i].last, s->rec_bytes);
	}
	s->n_runs = s->n_runs > 0 ? kept + 1 : 0;
}

static void widen(struct run *to, const struct run *r, unsigned words)
{
	const size_t bytes = words * sizeof(int64_t);

	to->n += r->n;
	if (less(r->first, to->first, words))
		memcpy(to->first, r->first, bytes);
	if (less(to->last, r->last, words))
		memcpy(to->last, r->last, bytes);
}

static unsigned fan_in(const struct ks_sorter *s)
{
	const size_t pieces = s->max * s->rec_bytes / MERGE_PIECE;

	return pieces > MOST_FAN_IN ? MOST_FAN_IN : pieces < 3 ? 2 : (unsigned)pieces - 1;
}

/* Merges the runs of the file, group by group, into a new file that takes its place. */
static enum ks_status merge_pass(struct ks_sorter *s, struct merge *m, struct ks_err *err)
{
	const unsigned most = fan_in(s);
	enum ks_status status = ks_io_tempfile(s->io, &m->fd, err);
	size_t n_merged = 0;

	if (status != KS_OK)
		return status;
	m->at = 0;
	for (size_t i = 0; i < s->n_runs && status == KS_OK;) {
		const unsigned k = s->n_runs - i < most ? (unsigned)(s->n_runs - i) : most;
		struct run merged = s->runs[i];

		status = merge_runs(s, m, &s->runs[i], k, err);
		for (unsigned j = 1; j < k; j++)
			widen(&merged, &s->runs[i + j], s->words);
		merged.at = s->runs[i].at; /* groups keep their place: nothing is added or lost */
		s->runs[n_merged++] = merged;
		i += k;
	}
	s->n_runs = n_merged;
	if (status != KS_OK) {
		(void)s->io->sys_close(m->fd);
		return status;
	}
	(void)s->io->sys_close(s->fd);
	s->fd = m->fd;
	return KS_OK;
}

/* --- the end of adding ---------------------------------------------------------------------------
 */

typedef void rekey_fn(int64_t *rec, void *arg);

static void rekey_memory(struct ks_sorter *s, size_t n, rekey_fn *rekey, void *arg)
{
	for (size_t i = 0; i < n; i++)
		rekey(record(s, i), arg);
}

/* Every run once more through memory: new keys, new order, same place. */
static enum ks_status rekey_runs(struct ks_sorter *s, rekey_fn *rekey, void *arg,
				 struct ks_err *err)
{
	for (size_t i = 0; i < s->n_runs; i++) {
		struct run *r = &s->runs[i];

		KS_TRY(read_at(s, r->at, s->mem, (size_t)r->n, err));
		rekey_memory(s, (size_t)r->n, rekey, arg);
		KS_TRY(write_run(s, r, err));
	}
	return KS_OK;
}

static enum ks_status merge_all(struct ks_sorter *s, struct ks_err *err)
{
	struct merge *m = ks_mem_alloc(sizeof(*m));
	enum ks_status status = m ? KS_OK : no_memory(err);

	join_runs(s);
	while (status == KS_OK && s->n_runs > 1) {
		status = merge_pass(s, m, err);
		join_runs(s);
	}
	free(m);
	return status;
}

enum ks_status ks_sorter_finish(struct ks_sorter *s, rekey_fn *rekey, void *arg, struct ks_err *err)
{
	s->finished = true;
	if (s->fd < 0) {
		if (rekey)
			rekey_memory(s, s->n, rekey, arg);
		sort_by_words[s->words](s->mem, s->n);
		return KS_OK;
	}
	if (s->n > 0)
		KS_TRY(spill(s, err));
	if (rekey)
		KS_TRY(rekey_runs(s, rekey, arg, err));
	KS_TRY(merge_all(s, err));
	free(s->mem); /* reading goes straight to the file from here on */
	s->mem = NULL;
	return KS_OK;
}

enum ks_status ks_sorter_read(struct ks_sorter *s, uint64_t at, int64_t *out, size_t n, size_t *got,
			      struct ks_err *err)
{
	const uint64_t count = ks_sorter_count(s);

	BUG_ON(!s->finished);
	*got = 0;
	if (at >= count || n == 0)
		return KS_OK;
	if (n > count - at)
		n = (size_t)(count - at);
	if (s->fd >= 0)
		KS_TRY(read_at(s, at, out, n, err));
	else
		memcpy(out, record(s, (size_t)at), n * s->rec_bytes);
	*got = n;
	return KS_OK;
}
