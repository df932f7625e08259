/* SPDX-License-Identifier: Apache-2.0
 *
 * Device memory in use: running totals that can be followed by hand, in any order of rows, and what
 * is said where the recording began too late to see an allocation.
 */
#include "copies_world.h"

#include <stdio.h>

#define MB 1000000

struct event {
	ks_ns at;
	int64_t op, megabytes, kind;
};

static void give(struct world *w, const struct event *e, size_t n, int64_t device)
{
	for (size_t i = 0; i < n; i++) {
		const struct ks_memory row = {
			.start_ns = e[i].at,
			.process = WORLD_PROCESS,
			.device = device,
			.bytes = e[i].megabytes < 0 ? KS_UNKNOWN : e[i].megabytes * MB,
			.kind = e[i].kind,
			.operation = e[i].op,
		};

		assert_int_equal(
			ks_copies_memory(w->a.copies, &row, world_device(w, device), &w->err),
			KS_OK);
	}
}

static void expect_use(const struct world *w, int device, double peak, double end)
{
	char name[64];

	(void)snprintf(name, sizeof(name), "ks__device_%d__memory_peak_mb", device);
	expect_real(ledger(w, name), peak);
	(void)snprintf(name, sizeof(name), "ks__device_%d__memory_end_mb", device);
	expect_real(ledger(w, name), end);
}

static void peak_and_end_follow_the_events_in_time_in_any_order(void **state)
{
	static const struct event e[] = {
		{ 10, 0, 100, KS_MEM_DEVICE },	     /* 100 */
		{ 20, 0, 50, KS_MEM_ARRAY },	     /* 150 */
		{ 30, 1, 100, KS_MEM_DEVICE },	     /* 50 */
		{ 40, 0, 70, KS_MEM_DEVICE_STATIC }, /* 120 */
		{ 50, 1, 50, KS_MEM_ARRAY },	     /* 70 */
	};
	static const size_t order[2][5] = { { 0, 1, 2, 3, 4 }, { 3, 1, 4, 0, 2 } };

	(void)state;
	for (int round = 0; round < 2; round++) {
		struct world w;

		world_open(&w, 1, 0);
		for (size_t i = 0; i < 5; i++)
			give(&w, &e[order[round][i]], 1, 0);
		then_answered(&w);
		expect_use(&w, 0, 150.0, 70.0);
		assert_int_equal(w.t.device[0].memory_peak_bytes, 150 * MB);
		assert_int_equal(ledger(&w, "ks__device_0__memory_peak_mb")->note.id,
				 KS_TEXT_AN_NOTE_MEMORY);
		assert_int_equal(ledger(&w, "ks__device_0__memory_peak_mb")->origin->rows, 5);
		world_close(&w);
	}
}

static void devices_are_apart_and_one_without_events_has_no_number(void **state)
{
	static const struct event first[] = { { 1, 0, 10, KS_MEM_DEVICE } };
	static const struct event third[] = { { 1, 0, 30, KS_MEM_DEVICE },
					      { 2, 1, 30, KS_MEM_DEVICE } };
	struct world w;

	(void)state;
	world_open(&w, 3, 0);
	give(&w, first, 1, 0);
	give(&w, third, 2, 2);
	then_answered(&w);
	expect_use(&w, 0, 10.0, 10.0);
	expect_use(&w, 2, 30.0, 0.0);
	assert_false(in_ledger(&w, "ks__device_1__memory_peak_mb"));
	assert_true(w.t.device[1].memory_peak_bytes == KS_UNKNOWN);
	world_close(&w);
}

static void host_and_managed_memory_are_not_on_the_device(void **state)
{
	static const struct event e[] = {
		{ 1, 0, 10, KS_MEM_DEVICE },
		{ 2, 0, 1000, KS_MEM_PINNED },
		{ 3, 0, 1000, KS_MEM_PAGEABLE },
		{ 4, 0, 1000, KS_MEM_MANAGED },
		{ 5, 0, 1000, KS_MEM_MANAGED_STATIC },
		{ 6, 0, 1000, KS_MEM_UNKNOWN },
		{ 7, 0, 5, KS_UNKNOWN }, /* an export that does not say the kind */
	};
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	give(&w, e, KS_ARRAY_LEN(e), 0);
	then_answered(&w);
	expect_use(&w, 0, 15.0, 15.0);
	world_close(&w);
}

/* 80 MB were there before: 100 is released of 20 that were seen allocated. */
static void a_release_of_what_was_there_before_raises_everything(void **state)
{
	static const struct event e[] = {
		{ 10, 0, 20, KS_MEM_DEVICE },  /* at least 100 */
		{ 20, 1, 100, KS_MEM_DEVICE }, /* 0 */
		{ 30, 0, 60, KS_MEM_DEVICE },  /* 60 */
	};
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	give(&w, e, KS_ARRAY_LEN(e), 0);
	then_answered(&w);
	expect_use(&w, 0, 100.0, 60.0);
	const struct ks_ev *row = ledger(&w, "ks__device_0__memory_peak_mb");

	assert_int_equal(row->note.id, KS_TEXT_AN_NOTE_MEMORY_BOUND);
	assert_string_equal(row->note.arg[0].p, "1");
	world_close(&w);
}

static void events_that_do_not_say_what_they_did_make_a_lower_bound(void **state)
{
	static const struct event e[] = {
		{ 10, 0, 20, KS_MEM_DEVICE },	      { 20, 0, -1, KS_MEM_DEVICE }, /* no size */
		{ 30, KS_UNKNOWN, 5, KS_MEM_DEVICE }, /* no operation */
		{ KS_UNKNOWN, 0, 5, KS_MEM_DEVICE },  /* no time */
		{ 40, 7, 5, KS_MEM_DEVICE },	      /* an operation nobody knows */
	};
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	give(&w, e, KS_ARRAY_LEN(e), 0);
	then_answered(&w);
	expect_use(&w, 0, 20.0, 20.0);
	assert_string_equal(ledger(&w, "ks__device_0__memory_end_mb")->note.arg[1].p, "4");
	world_close(&w);
}

/* An allocation and a release of the same instant: the allocation came first. */
static void an_allocation_comes_before_a_release_of_the_same_instant(void **state)
{
	static const struct event e[] = { { 10, 1, 20, KS_MEM_DEVICE },
					  { 10, 0, 20, KS_MEM_DEVICE } };
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	give(&w, e, 2, 0);
	then_answered(&w);
	expect_use(&w, 0, 20.0, 0.0);
	world_close(&w);
}

static void a_window_has_its_own_peak_and_end(void **state)
{
	static const struct event e[] = {
		{ 10, 0, 100, KS_MEM_DEVICE }, /* 100 */
		{ 20, 1, 60, KS_MEM_DEVICE },  /* 40 */
		{ 30, 0, 20, KS_MEM_DEVICE },  /* 60 */
		{ 40, 1, 10, KS_MEM_DEVICE },  /* 50 */
		{ 50, 0, 900, KS_MEM_DEVICE }, /* 950 */
	};
	static const struct {
		ks_ns from, to;
		double peak, end;
	} window[] = {
		{ 0, 100, 950.0, 950.0 }, { 20, 50, 100.0, 50.0 }, /* 100 until the release at 20 */
		{ 21, 50, 60.0, 50.0 },	  { 41, 45, 50.0, 50.0 },  /* nothing happened in it */
		{ 60, 70, 950.0, 950.0 }, { 0, 5, 0.0, 0.0 },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(window); i++) {
		struct world w;

		world_open(&w, 1, 0);
		w.a.window.on = true;
		w.a.window.from = window[i].from;
		w.a.window.to = window[i].to;
		give(&w, e, KS_ARRAY_LEN(e), 0);
		then_answered(&w);
		expect_use(&w, 0, window[i].peak, window[i].end);
		world_close(&w);
	}
}

static void running_totals_past_63_bits_end_the_run(void **state)
{
	struct world w;
	const struct ks_memory row = {
		.start_ns = 1, .bytes = INT64_MAX, .kind = KS_MEM_DEVICE, .operation = 0
	};

	(void)state;
	world_open(&w, 1, 0);
	assert_int_equal(ks_copies_memory(w.a.copies, &row, 0, &w.err), KS_OK);
	assert_int_equal(ks_copies_memory(w.a.copies, &row, 0, &w.err), KS_OK);
	assert_int_equal(world_answered(&w), KS_E_INPUT);
	assert_int_equal(w.err.text, KS_TEXT_ERR_AN_OVERFLOW);
	world_close(&w);
}

int test_copies_memory(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(peak_and_end_follow_the_events_in_time_in_any_order),
		cmocka_unit_test(devices_are_apart_and_one_without_events_has_no_number),
		cmocka_unit_test(host_and_managed_memory_are_not_on_the_device),
		cmocka_unit_test(a_release_of_what_was_there_before_raises_everything),
		cmocka_unit_test(events_that_do_not_say_what_they_did_make_a_lower_bound),
		cmocka_unit_test(an_allocation_comes_before_a_release_of_the_same_instant),
		cmocka_unit_test(a_window_has_its_own_peak_and_end),
		cmocka_unit_test(running_totals_past_63_bits_end_the_run),
	};

	return cmocka_run_group_tests_name("copies: memory in use", tests, NULL, NULL);
}
