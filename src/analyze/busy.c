/* SPDX-License-Identifier: Apache-2.0
 *
 * Unions of time per device. Each device has a buffer of two windows: the first is sorted, the
 * second fills up; when it is full it is sorted too, both are merged, and the earlier half is
 * emitted. A row may therefore be late by up to a window of rows. Keeps no launch beyond that.
 */
#include "analyze/busy.h"

#include "base/mem.h"
#include "base/sorter.h"
#include "tables/tables.h"

#define COPY_SPILL_BYTES ((size_t)16 << 20) /* copies are 1 in 100 launches in real traces */
#define READ_ROWS	 256
#define MANY_DEVICES	 16 /* from here on a device gets a sixteenth of the window */

struct interval {
	int64_t start, end;
};

struct span_union { /* fed by start */
	ks_ns end;
	ks_ns total;
	bool any;
};

struct device {
	struct span_union kernels, all;
	struct interval *row; /* 2 * window; [0, kept) sorted, [kept, n) as they came */
	size_t window, kept, n;
	ks_ns floor;			    /* start of the last interval that was emitted */
	bool emitted, unordered;	    /* unordered: waits for the second pass */
	struct ks_sorter *sorter;	    /* of an unordered device in the second pass */
	uint64_t copies, copy_at, copy_end; /* its range in the sorted copies */
	int64_t *copy;			    /* read ahead: 3 words a record */
	size_t copy_i, copy_n;
};

struct ks_busy {
	const struct ks_io *io;
	size_t window, spill_bytes;
	struct device *device;
	size_t n, cap;
	struct ks_sorter *copies; /* device, start, end */
	struct interval *scratch; /* 2 * window */
	size_t n_unordered;
	bool copies_done, second;
};

static enum ks_status no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "time unions", NULL);
}

struct ks_busy *ks_busy_open(const struct ks_io *io, size_t window, size_t spill_bytes)
{
	struct ks_busy *b = ks_mem_alloc(sizeof(*b));

	if (!b)
		return NULL;
	b->io = io;
	b->window = window < 2 ? 2 : window;
	b->spill_bytes = spill_bytes;
	return b;
}

void ks_busy_close(struct ks_busy *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->n; i++) {
		ks_mem_free(b->device[i].row);
		ks_mem_free(b->device[i].copy);
		ks_sorter_close(b->device[i].sorter);
	}
	ks_sorter_close(b->copies);
	ks_mem_free(b->device);
	ks_mem_free(b->scratch);
	ks_mem_free(b);
}

static struct device *device_at(struct ks_busy *b, uint32_t device)
{
	if (device >= b->n) {
		if (!KS_GROW(b->device, b->cap, (size_t)device + 1,
			     (size_t)ks_limit(KS_LIMIT_DEVICES) + 1))
			return NULL;
		b->n = (size_t)device + 1;
	}
	return &b->device[device];
}

static void union_add(struct span_union *u, ks_ns start, ks_ns end)
{
	if (!u->any || start >= u->end) {
		u->total += end - start;
		u->end = end;
		u->any = true;
	} else if (end > u->end) {
		u->total += end - u->end;
		u->end = end;
	}
}

enum ks_status ks_busy_copy(struct ks_busy *b, uint32_t device, ks_ns start, ks_ns end,
			    struct ks_err *err)
{
	const int64_t rec[3] = { device, start, end };
	struct device *d = device_at(b, device);

	if (b->copies_done)
		return KS_OK; /* the second pass repeats them; they are known */
	if (!b->copies)
		b->copies = ks_sorter_open(b->io, 3, COPY_SPILL_BYTES);
	if (!b->copies || !d)
		return no_memory(err);
	d->copies++;
	return ks_sorter_add(b->copies, rec, err);
}

/* After the last copy: sorts them and gives each device its range. */
static enum ks_status copies_finish(struct ks_busy *b, struct ks_err *err)
{
	uint64_t at = 0;

	if (b->copies_done)
		return KS_OK;
	b->copies_done = true;
	if (b->copies)
		KS_TRY(ks_sorter_finish(b->copies, NULL, NULL, err));
	for (size_t i = 0; i < b->n; i++) {
		b->device[i].copy_at = at;
		at += b->device[i].copies;
		b->device[i].copy_end = at;
	}
	return KS_OK;
}

/* The next copy of the device that starts at or before `until` goes into the union. */
static enum ks_status copies_until(struct ks_busy *b, struct device *d, ks_ns until,
				   struct ks_err *err)
{
	for (;;) {
		if (d->copy_i == d->copy_n) {
			uint64_t left = d->copy_end - d->copy_at;

			if (left == 0)
				return KS_OK;
			if (!d->copy)
				d->copy = ks_mem_alloc(READ_ROWS * 3 * sizeof(int64_t));
			if (!d->copy)
				return no_memory(err);
			KS_TRY(ks_sorter_read(b->copies, d->copy_at, d->copy,
					      left < READ_ROWS ? (size_t)left : READ_ROWS,
					      &d->copy_n, err));
			d->copy_i = 0;
			d->copy_at += d->copy_n;
			if (d->copy_n == 0)
				return ks_err_set(err, KS_E_INTERNAL, KS_TEXT_ERR_AN_INTERNAL,
						  "copies", NULL);
		}
		const int64_t *c = d->copy + d->copy_i * 3;

		if (c[1] > until)
			return KS_OK;
		union_add(&d->all, c[1], c[2]);
		d->copy_i++;
	}
}

static enum ks_status emit(struct ks_busy *b, struct device *d, const struct interval *row,
			   size_t n, struct ks_err *err)
{
	const bool has_copies = d->copies > 0;

	for (size_t i = 0; i < n; i++) {
		union_add(&d->kernels, row[i].start, row[i].end);
		if (has_copies)
			KS_TRY(copies_until(b, d, row[i].start, err));
		union_add(&d->all, row[i].start, row[i].end);
	}
	if (n) {
		d->floor = row[n - 1].start;
		d->emitted = true;
	}
	return KS_OK;
}

static int by_start(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* Insertion sort: rows of a device come nearly sorted, so few have to move and not far. Where that
 * is not so it gives up after a few moves a row and leaves the rest to qsort. */
static void sort_tail(struct interval *row, size_t n)
{
	size_t moves_left = 8 * n;

	for (size_t i = 1; i < n; i++) {
		const struct interval r = row[i];
		size_t at = i;

		for (; at > 0 && row[at - 1].start > r.start && moves_left > 0; at--, moves_left--)
			row[at] = row[at - 1];
		row[at] = r;
		if (moves_left == 0) {
			qsort(row, n, sizeof(*row), by_start);
			return;
		}
	}
}

/* Sorts and merges what the device has; the result is in d->row. */
static void merge(const struct ks_busy *b, struct device *d)
{
	struct interval *row = d->row, *out = b->scratch;
	size_t i = 0, j = d->kept, n = 0;

	sort_tail(row + d->kept, d->n - d->kept);
	if (d->kept == 0 || d->kept == d->n || row[d->kept - 1].start <= row[d->kept].start)
		return; /* one after the other: in order already */
	while (i < d->kept && j < d->n)
		out[n++] = row[i].start <= row[j].start ? row[i++] : row[j++];
	while (i < d->kept)
		out[n++] = row[i++];
	memcpy(row, out, n * sizeof(*row)); /* the rest, from j on, is in place */
}

static enum ks_status give_room(struct ks_busy *b, struct device *d, struct ks_err *err)
{
	if (!d->row) {
		d->window = b->n <= MANY_DEVICES ? b->window : b->window / 16 + 2;
		d->row = ks_mem_alloc(2 * d->window * sizeof(*d->row));
		if (!b->scratch)
			b->scratch = ks_mem_alloc(2 * b->window * sizeof(*b->scratch));
		return d->row && b->scratch ? KS_OK : no_memory(err);
	}
	merge(b, d);
	KS_TRY(emit(b, d, d->row, d->n - d->window, err));
	memmove(d->row, d->row + (d->n - d->window), d->window * sizeof(*d->row));
	d->kept = d->n = d->window;
	return KS_OK;
}

static enum ks_status second_launch(struct ks_busy *b, struct device *d, ks_ns start, ks_ns end,
				    struct ks_err *err)
{
	const int64_t rec[2] = { start, end };

	if (!d->unordered)
		return KS_OK;
	if (!d->sorter)
		d->sorter = ks_sorter_open(b->io, 2, b->spill_bytes / b->n_unordered);
	return d->sorter ? ks_sorter_add(d->sorter, rec, err) : no_memory(err);
}

enum ks_status ks_busy_launch(struct ks_busy *b, uint32_t device, ks_ns start, ks_ns end,
			      struct ks_err *err)
{
	if (!b->copies_done)
		KS_TRY(copies_finish(b, err));
	struct device *d = device_at(b, device);

	if (!d)
		return no_memory(err);
	if (b->second)
		return second_launch(b, d, start, end, err);
	if (d->unordered)
		return KS_OK;
	if (d->emitted && start < d->floor) {
		d->unordered = true;
		b->n_unordered++;
		ks_mem_free(d->row);
		d->row = NULL;
		d->n = d->kept = 0;
		return KS_OK;
	}
	if (!d->row || d->n == 2 * d->window)
		KS_TRY(give_room(b, d, err));
	d->row[d->n++] = (struct interval){ start, end };
	return KS_OK;
}

/* From the beginning: what was added to the unions before the disorder was noticed is void. */
static void start_over(struct device *d)
{
	d->kernels = (struct span_union){ 0 };
	d->all = (struct span_union){ 0 };
	d->emitted = false;
	d->copy_at = d->copy_end - d->copies;
	d->copy_i = d->copy_n = 0;
}

static enum ks_status emit_sorted(struct ks_busy *b, struct device *d, struct ks_err *err)
{
	struct interval part[READ_ROWS];
	uint64_t at = 0;
	size_t got = 0;

	start_over(d);
	if (!d->sorter)
		return KS_OK;
	KS_TRY(ks_sorter_finish(d->sorter, NULL, NULL, err));
	do {
		int64_t rec[READ_ROWS * 2];

		KS_TRY(ks_sorter_read(d->sorter, at, rec, READ_ROWS, &got, err));
		memcpy(part, rec, got * sizeof(*part));
		KS_TRY(emit(b, d, part, got, err));
		at += got;
	} while (got > 0);
	ks_sorter_close(d->sorter);
	d->sorter = NULL;
	return KS_OK;
}

enum ks_status ks_busy_flush(struct ks_busy *b, bool *again, struct ks_err *err)
{
	KS_TRY(copies_finish(b, err));
	for (size_t i = 0; i < b->n; i++) {
		struct device *d = &b->device[i];

		if (b->second != d->unordered)
			continue;
		if (d->unordered) {
			KS_TRY(emit_sorted(b, d, err));
			d->unordered = false;
		} else if (d->row) {
			merge(b, d);
			KS_TRY(emit(b, d, d->row, d->n, err));
			ks_mem_free(d->row);
			d->row = NULL;
		}
		KS_TRY(copies_until(b, d, INT64_MAX, err));
	}
	*again = !b->second && b->n_unordered > 0;
	b->second = true;
	return KS_OK;
}

ks_ns ks_busy_kernel_ns(const struct ks_busy *b, uint32_t device)
{
	return device < b->n ? b->device[device].kernels.total : 0;
}

ks_ns ks_busy_all_ns(const struct ks_busy *b, uint32_t device)
{
	return device < b->n ? b->device[device].all.total : 0;
}
