/* SPDX-License-Identifier: Apache-2.0
 *
 * The sweep on very many rows: all at once, all equal, and in a temporary file.
 */
#include "sweep_world.h"

#include <errno.h>

enum { MANY = 100000 };

static struct ks_sweep *opened(size_t spill)
{
	struct ks_sweep *s = ks_sweep_open(&ks_io_system, spill);

	assert_non_null(s);
	return s;
}

static void put_launch(struct ks_sweep *s, ks_ns start, ks_ns end, uint32_t pair)
{
	const struct ks_sweep_row row = { start, end, pair, KS_SEGMENT_NONE };

	assert_int_equal(ks_sweep_launch(s, &row, NULL), KS_OK);
}

/* All at once: launch i runs from i to MANY + i, so at MANY - 1 every one of them runs. */
static void a_hundred_thousand_at_once(void **state)
{
	struct world *w = new_sweep_world();
	struct ks_sweep *s = opened(1 << 24);

	(void)state;
	given_sweep_device(w);
	w->to = 2 * MANY;
	for (ks_ns i = 0; i < MANY; i++)
		put_launch(s, i, MANY + i, (uint32_t)i % TRACKS);
	assert_int_equal(ks_sweep_settle(s, NULL), KS_OK);
	const struct ks_sweep_plan plan = sweep_plan(w);

	assert_int_equal(ks_sweep_merge(s, &plan, NULL), KS_OK);
	assert_int_equal(s->device[0].max_streams, TRACKS);
	assert_int_equal(ks_sweep_kernel_ns(s, 0), 2 * MANY - 1);
	assert_int_equal(s->device[0].mix[0], 1);
	/* launch 3, 9, ... communicate: from 3 to MANY + the last of them */
	assert_int_equal(s->device[0].comm_ns, MANY + (MANY - 4 - (MANY - 4) % TRACKS + 3) - 3);
	ks_sweep_close(s);
	ks_mem_free(w);
}

static void rows_that_are_all_equal(void **state)
{
	struct world *w = new_sweep_world();
	struct ks_sweep *s = opened(1 << 24);

	(void)state;
	given_sweep_device(w);
	for (uint32_t i = 0; i < MANY; i++)
		put_launch(s, 10, 20, i % 3);
	assert_int_equal(ks_sweep_settle(s, NULL), KS_OK);
	const struct ks_sweep_plan plan = sweep_plan(w);

	assert_int_equal(ks_sweep_merge(s, &plan, NULL), KS_OK);
	assert_int_equal(s->device[0].mix[KS_MIX_COMPUTE], 10);
	assert_int_equal(s->device[0].gaps, 2);
	assert_int_equal(s->top.gap[0].start, 20); /* 80 ns, after all of them */
	assert_int_equal(s->top.gap[0].before, 0); /* the smallest name of three */
	assert_int_equal(s->top.gap[1].after, 0);
	ks_sweep_close(s);
	ks_mem_free(w);
}

struct seen {
	uint64_t n;
	ks_ns last_start, last_end, sum;
};

static enum ks_status see(void *arg, const struct ks_sweep_row *row, struct ks_err *err)
{
	struct seen *seen = arg;

	(void)err;
	assert_true(row->start_ns > seen->last_start ||
		    (row->start_ns == seen->last_start && row->end_ns >= seen->last_end));
	assert_int_equal(row->segment, (uint32_t)row->start_ns * 2);
	assert_int_equal(row->pair, (uint32_t)row->start_ns % 7);
	seen->last_start = row->start_ns;
	seen->last_end = row->end_ns;
	seen->sum += row->end_ns - row->start_ns;
	seen->n++;
	return KS_OK;
}

/* 24 bytes each, 16 KiB of memory: most of them are in the temporary file. */
static void spilled_launches_come_back_as_often_as_wanted(void **state)
{
	struct ks_sweep *s = opened(16384);

	(void)state;
	for (ks_ns i = 0; i < 20000; i++) {
		const ks_ns start = i * 7919 % 20000; /* each number once */
		const struct ks_sweep_row row = { start, start + 1 + start % 10,
						  (uint32_t)start % 7, (uint32_t)start * 2 };

		assert_int_equal(ks_sweep_launch(s, &row, NULL), KS_OK);
	}
	assert_int_equal(ks_sweep_settle(s, NULL), KS_OK);
	for (int pass = 0; pass < 2; pass++) {
		struct seen seen = { .last_start = -1 };

		assert_int_equal(ks_sweep_each(s, see, &seen, NULL), KS_OK);
		assert_int_equal(seen.n, 20000);
		assert_int_equal(seen.sum, 20000 / 10 * 55); /* 1 + 2 + ... + 10 */
	}
	ks_sweep_close(s);
}

static enum ks_status refuse(void *arg, const struct ks_sweep_row *row, struct ks_err *err)
{
	(void)row;
	(void)err;
	return ++*(int *)arg == 3 ? KS_E_INPUT : KS_OK;
}

static void a_visit_that_fails_ends_the_pass(void **state)
{
	struct ks_sweep *s = opened(1 << 20);
	int calls = 0;

	(void)state;
	for (ks_ns i = 0; i < 10; i++)
		put_launch(s, i, i + 1, 0);
	assert_int_equal(ks_sweep_settle(s, NULL), KS_OK);
	assert_int_equal(ks_sweep_each(s, refuse, &calls, NULL), KS_E_INPUT);
	assert_int_equal(calls, 3);
	ks_sweep_close(s);
}

static void the_picture_is_the_same_from_a_spilled_file(void **state)
{
	struct world *w = new_sweep_world();
	struct ks_sweep *memory = opened(1 << 26), *file = opened(16384);

	(void)state;
	given_sweep_device(w);
	uint64_t seed = 4242;

	w->to = 0;
	for (uint32_t i = 0; i < 30000; i++) {
		const ks_ns start = (ks_ns)random_below(&seed, 400000);
		const ks_ns end = start + 1 + (ks_ns)random_below(&seed, 30);
		const uint32_t pair = random_below(&seed, TRACKS);

		put_launch(memory, start, end, pair);
		put_launch(file, start, end, pair);
		w->to = end > w->to ? end : w->to;
		if (i % 5)
			continue;
		assert_int_equal(ks_sweep_work(memory, 0, 1, end, end + 9, NULL), KS_OK);
		assert_int_equal(ks_sweep_work(file, 0, 1, end, end + 9, NULL), KS_OK);
		w->to = end + 9 > w->to ? end + 9 : w->to;
	}
	const struct ks_sweep_plan plan = sweep_plan(w);

	assert_int_equal(ks_sweep_settle(memory, NULL), KS_OK);
	assert_int_equal(ks_sweep_settle(file, NULL), KS_OK);
	assert_int_equal(ks_sweep_merge(memory, &plan, NULL), KS_OK);
	assert_int_equal(ks_sweep_merge(file, &plan, NULL), KS_OK);
	assert_memory_equal(memory->device[0].mix, file->device[0].mix, 8 * sizeof(ks_ns));
	assert_int_equal(memory->device[0].gaps, file->device[0].gaps);
	assert_memory_equal(memory->top.gap, file->top.gap,
			    memory->top.n * sizeof(*memory->top.gap));
	ks_sweep_close(memory);
	ks_sweep_close(file);
	ks_mem_free(w);
}

static ssize_t no_room(int fd, const void *p, size_t n, off_t at)
{
	(void)fd;
	(void)p;
	(void)n;
	(void)at;
	errno = ENOSPC;
	return -1;
}

static void a_full_disk_is_an_error(void **state)
{
	struct ks_io io = ks_io_system;
	struct ks_err err;
	enum ks_status st = KS_OK;

	(void)state;
	io.sys_pwrite = no_room;
	ks_err_init(&err);
	struct ks_sweep *s = ks_sweep_open(&io, 16384);

	for (ks_ns i = 0; st == KS_OK && i < 5000; i++)
		st = ks_sweep_launch(s, &(struct ks_sweep_row){ i, i + 1, 0, 0 }, &err);
	assert_int_equal(st, KS_E_ENV);
	ks_sweep_close(s);
}

int test_sweep_many(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hundred_thousand_at_once),
		cmocka_unit_test(rows_that_are_all_equal),
		cmocka_unit_test(spilled_launches_come_back_as_often_as_wanted),
		cmocka_unit_test(a_visit_that_fails_ends_the_pass),
		cmocka_unit_test(the_picture_is_the_same_from_a_spilled_file),
		cmocka_unit_test(a_full_disk_is_an_error),
	};

	return cmocka_run_group_tests_name("many rows", tests, NULL, NULL);
}
