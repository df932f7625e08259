/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches, copies and overhead as sorted records of 24 bytes. Holds them and gives them back in
 * order of time; computes nothing from them.
 */
#include "analyze/sweep_internal.h"

#include "base/mem.h"
#include "tables/tables.h"

#define READ_ROWS 1024 /* 24 KiB: one read of a spilled file is worth many rows */

/* Copies are 1 in 100 launches in real traces, overhead 1 in 1000. */
#define WORK_SHARE     4
#define OVERHEAD_SHARE 8
#define CALL_SHARE     4

enum ks_status ks_sweep_no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "timeline", NULL);
}

struct ks_sweep *ks_sweep_open(const struct ks_io *io, size_t spill_bytes)
{
	struct ks_sweep *s = ks_mem_alloc(sizeof(*s));

	if (!s)
		return NULL;
	s->io = io;
	s->spill_bytes = spill_bytes;
	return s;
}

void ks_sweep_close(struct ks_sweep *s)
{
	if (!s)
		return;
	ks_sweep_forget(s);
	ks_sorter_close(s->launches);
	ks_sorter_close(s->work);
	ks_sorter_close(s->overhead);
	ks_sorter_close(s->calls);
	ks_mem_free(s);
}

/* --- adding --------------------------------------------------------------------------------------
 */

static enum ks_status add(struct ks_sweep *s, struct ks_sorter **rows, size_t share,
			  const int64_t rec[KS_SWEEP_WORDS], struct ks_err *err)
{
	if (!*rows)
		*rows = ks_sorter_open(s->io, KS_SWEEP_WORDS, s->spill_bytes / share);
	if (!*rows)
		return ks_sweep_no_memory(err);
	return ks_sorter_add(*rows, rec, err);
}

static int64_t two(uint32_t high, uint32_t low)
{
	return (int64_t)((uint64_t)high << 32 | low);
}

enum ks_status ks_sweep_launch(struct ks_sweep *s, const struct ks_sweep_row *row,
			       struct ks_err *err)
{
	const int64_t rec[KS_SWEEP_WORDS] = { row->start_ns, row->end_ns,
					      two(row->pair, row->segment) };

	return add(s, &s->launches, 1, rec, err);
}

enum ks_status ks_sweep_work(struct ks_sweep *s, uint32_t device, unsigned what, ks_ns start,
			     ks_ns end, struct ks_err *err)
{
	const int64_t rec[KS_SWEEP_WORDS] = { start, end, two(device, what) };

	return add(s, &s->work, WORK_SHARE, rec, err);
}

enum ks_status ks_sweep_overhead(struct ks_sweep *s, int64_t process, ks_ns start, ks_ns end,
				 struct ks_err *err)
{
	const int64_t rec[KS_SWEEP_WORDS] = { start, end, process };

	return add(s, &s->overhead, OVERHEAD_SHARE, rec, err);
}

enum ks_status ks_sweep_call(struct ks_sweep *s, int64_t process, enum ks_host_work work,
			     ks_ns start, ks_ns end, struct ks_err *err)
{
	const int64_t who = process == KS_UNKNOWN ? KS_SWEEP_NOBODY : process;
	const int64_t rec[KS_SWEEP_WORDS] = {
		start, end, (int64_t)((uint64_t)who << KS_SWEEP_CALL_BITS) | (int64_t)work
	};

	return add(s, &s->calls, CALL_SHARE, rec, err);
}

enum ks_status ks_sweep_settle(struct ks_sweep *s, struct ks_err *err)
{
	struct ks_sorter *const all[] = { s->launches, s->work, s->overhead, s->calls };

	for (size_t i = 0; i < KS_ARRAY_LEN(all); i++) {
		if (all[i])
			KS_TRY(ks_sorter_finish(all[i], NULL, NULL, err));
	}
	return KS_OK;
}

/* --- reading -------------------------------------------------------------------------------------
 */

enum ks_status ks_sweep_reader_open(struct ks_sweep_reader *r, struct ks_sorter *rows,
				    struct ks_err *err)
{
	*r = (struct ks_sweep_reader){ .rows = rows };
	if (!rows)
		return KS_OK;
	r->block = ks_mem_alloc(READ_ROWS * KS_SWEEP_WORDS * sizeof(*r->block));
	return r->block ? ks_sweep_reader_fill(r, err) : ks_sweep_no_memory(err);
}

void ks_sweep_reader_close(struct ks_sweep_reader *r)
{
	ks_mem_free(r->block);
	r->block = NULL;
}

/* The next block; none is left when n is 0. */
enum ks_status ks_sweep_reader_fill(struct ks_sweep_reader *r, struct ks_err *err)
{
	r->i = 0;
	KS_TRY(ks_sorter_read(r->rows, r->at, r->block, READ_ROWS, &r->n, err));
	r->at += r->n;
	return KS_OK;
}

static enum ks_status visit_all(struct ks_sweep_reader *r, ks_sweep_visit *visit, void *arg,
				struct ks_err *err)
{
	while (r->n > 0) {
		for (size_t i = 0; i < r->n; i++) {
			const int64_t *rec = r->block + i * KS_SWEEP_WORDS;
			const struct ks_sweep_row row = {
				.start_ns = rec[0],
				.end_ns = rec[1],
				.pair = (uint32_t)((uint64_t)rec[2] >> 32),
				.segment = (uint32_t)rec[2],
			};

			KS_TRY(visit(arg, &row, err));
		}
		KS_TRY(ks_sweep_reader_fill(r, err));
	}
	return KS_OK;
}

enum ks_status ks_sweep_each(struct ks_sweep *s, ks_sweep_visit *visit, void *arg,
			     struct ks_err *err)
{
	struct ks_sweep_reader r;
	enum ks_status st = ks_sweep_reader_open(&r, s->launches, err);

	if (st == KS_OK)
		st = visit_all(&r, visit, arg, err);
	ks_sweep_reader_close(&r);
	return st;
}

/* --- after the run -------------------------------------------------------------------------------
 */

static ks_ns mix_sum(const struct ks_sweep *s, uint32_t device, unsigned bits)
{
	ks_ns sum = 0;

	if (device >= s->n_devices)
		return 0;
	for (unsigned m = 1; m < KS_ARRAY_LEN(s->device->mix); m++) {
		if (m & bits)
			sum += s->device[device].mix[m];
	}
	return sum;
}

const struct ks_claims *ks_sweep_claims(const struct ks_sweep *s)
{
	return s->claims;
}

ks_ns ks_sweep_kernel_ns(const struct ks_sweep *s, uint32_t device)
{
	return mix_sum(s, device, KS_MIX_COMPUTE | KS_MIX_COMM);
}

ks_ns ks_sweep_all_ns(const struct ks_sweep *s, uint32_t device)
{
	return mix_sum(s, device, KS_MIX_COMPUTE | KS_MIX_COPY | KS_MIX_COMM);
}
