/* SPDX-License-Identifier: Apache-2.0
 *
 * Which call launched what: by hand for each rule, against a linear search for many rows, in memory
 * and spilled.
 */
#include "calls_world.h"

#include "base/mem.h"

#define SPILLED 1 /* raised to the least budget of a sorter, 16 KiB: 682 calls */

/* --- which call ----------------------------------------------------------------------------------
 */

static void one_id_of_two_processes_is_two_calls(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	put_call(&w, TID(9, 1), 5, 900, 910, "cudaLaunchKernel_v7000");
	put_call(&w, TID(3, 1), 5, 300, 340, "cudaLaunchKernel_v7000");
	put_call(&w, TID(3, 2), 6, 400, 440, "cudaLaunchKernel_v7000");
	no_more_calls(&w);

	const struct ks_call_hit three = find(&w, PID(3), 5), nine = find(&w, PID(9), 5);

	assert_true(three.found && nine.found);
	assert_int_equal(three.start_ns, 300);
	assert_int_equal(three.end_ns, 340);
	assert_int_equal(nine.start_ns, 900);
	/* places by id, then process, whichever row came first */
	assert_int_equal(three.number, 0);
	assert_int_equal(nine.number, 1);
	assert_int_equal(find(&w, PID(3), 6).number, 2);
	assert_false(find(&w, PID(9), 6).found);
	assert_false(find(&w, PID(4), 5).found);
	world_release(&w);
}

static void the_earliest_row_of_an_id_is_the_call(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	put_call(&w, TID(1, 1), 7, 120, 180, "cuLaunchKernel"); /* the driver's, inside */
	put_call(&w, TID(1, 1), 7, 100, 200, "cudaLaunchKernel_v7000");
	no_more_calls(&w);

	const struct ks_call_hit hit = find(&w, PID(1), 7);

	assert_int_equal(hit.start_ns, 100);
	assert_int_equal(hit.end_ns, 200);
	assert_int_equal(ks_calls_count(w.a.calls), 2);
	world_release(&w);
}

/* Numbers of a row pair of a real file (extrap_a100_cpu_samples of the test data, id 415). */
static void a_call_chain_row_is_no_call_but_gives_the_start(void **state)
{
	const struct ks_call chain = { .start_ns = 449692573,
				       .end_ns = 449740306,
				       .thread = TID(1, 1),
				       .correlation = 415,
				       .chain = 5,
				       .event_class = 67 };
	struct world w;

	(void)state;
	given_world(&w, 0);
	put_row(&w, &chain, "cudaLaunchKernel");
	put_call(&w, TID(1, 1), 415, 449692654, 449740251, "cudaLaunchKernel_v7000");
	no_more_calls(&w);

	const struct ks_call_hit hit = find(&w, PID(1), 415);

	assert_int_equal(hit.start_ns, 449692573);
	assert_int_equal(hit.end_ns, 449740251);
	assert_int_equal(ks_calls_count(w.a.calls), 1);
	answer(&w);
	assert_int_equal(w.t.n_api_names, 1);
	assert_string_equal(w.t.api[0].name.p, "cudaLaunchKernel_v7000");
	assert_int_equal(w.t.api[0].total_ns, 449740251 - 449692654);
	world_release(&w);
}

static void work_without_a_process_is_joined_with_the_only_one(void **state)
{
	struct world w;

	(void)state;
	for (int processes = 1; processes <= 2; processes++) {
		given_world(&w, 0);
		for (int p = 1; p <= processes; p++)
			put_call(&w, TID(p, 1), 5, 100 * p, 100 * p + 10, "cuLaunchKernel");
		no_more_calls(&w);
		assert_int_equal(find(&w, KS_UNKNOWN, 5).found, processes == 1);
		assert_true(find(&w, PID(1), 5).found);
		world_release(&w);
	}
}

static void calls_without_a_thread_join_only_work_without_a_process(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	put_call(&w, KS_UNKNOWN, 5, 100, 110, "cuLaunchKernel");
	no_more_calls(&w);
	assert_true(find(&w, KS_UNKNOWN, 5).found);
	assert_false(find(&w, PID(1), 5).found);
	world_release(&w);
}

static void ids_that_cannot_be_joined_are_counted(void **state)
{
	const int64_t id[] = { 0, -1, KS_UNKNOWN, INT64_C(1) << 45, INT64_MAX };
	struct world w;

	(void)state;
	given_world(&w, 0);
	for (size_t i = 0; i < KS_ARRAY_LEN(id); i++)
		put_call(&w, TID(1, 1), id[i], 100, 110, "cuLaunchKernel");
	no_more_calls(&w);
	assert_int_equal(ks_calls_count(w.a.calls), KS_ARRAY_LEN(id));
	assert_false(ks_calls_any(w.a.calls));
	for (size_t i = 0; i < KS_ARRAY_LEN(id); i++)
		assert_false(find(&w, PID(1), id[i]).found);
	assert_int_equal(w.a.calls->no_id, KS_ARRAY_LEN(id));
	world_release(&w);
}

static void a_call_without_an_end_joins_and_takes_no_time(void **state)
{
	struct world w;

	(void)state;
	given_world(&w, 0);
	put_call(&w, TID(1, 1), 1, 100, KS_UNKNOWN, "cuLaunchKernel");
	put_call(&w, TID(1, 1), 2, 100, 90, "cuLaunchKernel"); /* ends before it starts */
	put_call(&w, TID(1, 1), 3, 100, INT64_MAX, "cuLaunchKernel");
	put_call(&w, TID(1, 1), 4, KS_UNKNOWN, 90, "cuLaunchKernel");
	put_call(&w, TID(1, 1), 5, INT64_MAX, INT64_MAX, "cuLaunchKernel");
	put_call(&w, TID(1, 1), 6, 100, 130, "cuLaunchKernel");
	no_more_calls(&w);
	for (int64_t id = 1; id <= 3; id++) {
		const struct ks_call_hit hit = find(&w, PID(1), id);

		assert_true(hit.found);
		assert_int_equal(hit.start_ns, 100);
		assert_int_equal(hit.end_ns, KS_UNKNOWN);
	}
	assert_false(find(&w, PID(1), 4).found);
	assert_false(find(&w, PID(1), 5).found);
	answer(&w);
	assert_int_equal(w.t.api[0].calls, 4);
	assert_int_equal(w.t.api[0].total_ns, 30);
	assert_int_equal(w.a.calls->bad_rows, 2);
	world_release(&w);
}

/* 2^32 - 2 ns is the longest duration that is not kept: 4.29 s. */
static void the_end_of_a_very_long_call_is_not_kept(void **state)
{
	const ks_ns longest = 4294967293;
	struct world w;

	(void)state;
	given_world(&w, 0);
	put_call(&w, TID(1, 1), 1, 10, 10 + longest, "cuInit");
	put_call(&w, TID(1, 1), 2, 10, 11 + longest, "cuInit");
	no_more_calls(&w);
	assert_int_equal(find(&w, PID(1), 1).end_ns, 10 + longest);
	assert_int_equal(find(&w, PID(1), 2).end_ns, KS_UNKNOWN);
	answer(&w);
	assert_int_equal(w.t.api[0].total_ns, 2 * longest + 1); /* the sums have it */
	world_release(&w);
}

/* --- many calls against a linear search ----------------------------------------------------------
 */

enum { MANY = 5000 };

struct plain {
	int64_t process, id;
	ks_ns start, end;
};

static void shuffle(struct plain *p, size_t n, uint64_t *seed)
{
	for (size_t i = n; i > 1; i--) {
		const size_t k = (size_t)(next_random(seed) % i);
		const struct plain t = p[i - 1];

		p[i - 1] = p[k];
		p[k] = t;
	}
}

/* Three processes, ids with gaps, a tenth of them twice or more often. */
static void make_calls(struct plain *p, uint64_t *seed)
{
	int64_t id = 1;

	for (size_t i = 0; i < MANY; i++) {
		id += (int64_t)(next_random(seed) % 10 == 0 ? 0 : next_random(seed) % 4);
		p[i].process = 11 + (int64_t)(next_random(seed) % 3);
		p[i].id = id;
		p[i].start = (ks_ns)i * 10 + (ks_ns)(next_random(seed) % 7);
		p[i].end = p[i].start + (ks_ns)(next_random(seed) % 100);
	}
}

static bool is_first(const struct plain *x, const struct plain *y)
{
	return x->start != y->start ? x->start < y->start : x->end < y->end;
}

static const struct plain *searched(const struct plain *p, int64_t process, int64_t id)
{
	const struct plain *best = NULL;

	for (size_t i = 0; i < MANY; i++) {
		if (p[i].process == process && p[i].id == id && (!best || is_first(&p[i], best)))
			best = &p[i];
	}
	return best;
}

static uint64_t placed(const struct plain *p, const struct plain *call)
{
	uint64_t before = 0;

	for (size_t i = 0; i < MANY; i++) {
		if (p[i].id != call->id)
			before += p[i].id < call->id;
		else
			before += p[i].process < call->process;
	}
	return before;
}

static void check_find(struct world *w, const struct plain *p, int64_t process, int64_t id)
{
	const struct plain *want = searched(p, process, id);
	const struct ks_call_hit got = find(w, PID(process), id);

	assert_int_equal(got.found, want != NULL);
	if (!want)
		return;
	assert_int_equal(got.start_ns, want->start);
	assert_int_equal(got.end_ns, want->end);
	assert_int_equal(got.number, placed(p, want));
}

static void many_calls_are_found_as_by_a_linear_search(void **state)
{
	static const size_t budget[] = { 0, SPILLED };
	struct plain *p = ks_mem_alloc(MANY * sizeof(*p));
	uint64_t seed = 0x5eed5;

	(void)state;
	assert_non_null(p);
	make_calls(p, &seed);
	for (unsigned round = 0; round < 4; round++) {
		struct world w;

		given_world(&w, budget[round % 2]);
		if (round >= 2)
			shuffle(p, MANY, &seed);
		for (size_t i = 0; i < MANY; i++)
			put_call(&w, TID(p[i].process, 1), p[i].id, p[i].start, p[i].end, "x");
		no_more_calls(&w);
		for (size_t i = 0; i < MANY; i += 3) /* in the order of the rows */
			check_find(&w, p, p[i].process, p[i].id);
		for (int64_t id = 1; id < 9000; id += 17) /* gaps and what is behind the last */
			check_find(&w, p, 11 + id % 4, id);
		for (unsigned i = 0; i < 500; i++)
			check_find(&w, p, 11 + (int64_t)(next_random(&seed) % 3),
				   (int64_t)(next_random(&seed) % 8000));
		world_release(&w);
	}
	ks_mem_free(p);
}

static void one_id_for_all_calls_is_the_earliest_of_them(void **state)
{
	struct world w;

	(void)state;
	for (size_t budget = 0; budget <= SPILLED; budget++) {
		given_world(&w, budget);
		for (ks_ns i = 0; i < MANY; i++)
			put_call(&w, TID(1, 1), 77, 1000 + (i * 2777) % MANY, 9000, "x");
		no_more_calls(&w);
		assert_false(find(&w, PID(1), 76).found);
		assert_int_equal(find(&w, PID(1), 77).start_ns, 1000);
		assert_int_equal(find(&w, PID(1), 77).number, 0);
		assert_false(find(&w, PID(1), 78).found);
		world_release(&w);
	}
}

int test_calls(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_id_of_two_processes_is_two_calls),
		cmocka_unit_test(the_earliest_row_of_an_id_is_the_call),
		cmocka_unit_test(a_call_chain_row_is_no_call_but_gives_the_start),
		cmocka_unit_test(work_without_a_process_is_joined_with_the_only_one),
		cmocka_unit_test(calls_without_a_thread_join_only_work_without_a_process),
		cmocka_unit_test(ids_that_cannot_be_joined_are_counted),
		cmocka_unit_test(a_call_without_an_end_joins_and_takes_no_time),
		cmocka_unit_test(the_end_of_a_very_long_call_is_not_kept),
		cmocka_unit_test(many_calls_are_found_as_by_a_linear_search),
		cmocka_unit_test(one_id_for_all_calls_is_the_earliest_of_them),
	};

	return cmocka_run_group_tests_name("calls", tests, NULL, NULL);
}
