/* SPDX-License-Identifier: Apache-2.0
 *
 * NVTX ranges by hand: what is a range, what a call belongs to, domains and threads, names that
 * tie, windows, finding one instance, and sizes that must not be quadratic.
 */
#include "ranges_given.h"

#include <stdio.h>

#include "base/mem.h"

#define T1 THREAD(7, 1)
#define T2 THREAD(7, 2)

static void structure_says_what_is_a_range(void **state)
{
	struct ks_range row = { .thread = T1, .end_thread = KS_UNKNOWN, .type = PUSH_POP };
	struct ks_ranges_counts c;
	struct given_ranges g;

	(void)state;
	given_ranges(&g);
	given_range(&g, 10, 20, "closed");
	row.start_ns = 30;
	row.end_ns = KS_UNKNOWN;
	given_range_row(&g, &row, "open");
	row.end_ns = 30;
	given_range_row(&g, &row, "mark");
	row.end_ns = 29;
	given_range_row(&g, &row, "backwards");
	row.start_ns = KS_UNKNOWN;
	given_range_row(&g, &row, "no start");
	row.start_ns = INT64_MIN + 1;
	row.end_ns = INT64_MAX;
	given_range_row(&g, &row, "longer than the clock");
	row.start_ns = 40;
	row.end_ns = KS_UNKNOWN;
	row.type = 34;
	given_range_row(&g, &row, "a mark by its type");
	row.type = 33;
	given_range_row(&g, &row, "a category");
	row.type = 39;
	given_range_row(&g, &row, "a thread's name");
	row.type = 76;
	given_range_row(&g, &row, NULL);
	given_domain(&g, T1, 3, "lib");
	when_settled(&g);
	ks_ranges_counts(g.r, &c);
	assert_int_equal(c.rows, 11);
	assert_int_equal(c.closed, 1);
	assert_int_equal(c.open, 1);
	assert_int_equal(c.marks, 2);
	assert_int_equal(c.bad, 3);
	assert_int_equal(c.names, 1);
	assert_int_equal(c.domains, 1);
	assert_int_equal(c.segments, 2);
	when_answered(&g);
	assert_int_equal(g.t.ranges, 1);
	assert_int_equal(g.t.open_ranges, 1);
	assert_int_equal(g.t.marks, 2);
	assert_int_equal(g.t.bad_ranges, 3);
	given_ranges_release(&g);
}

static void a_range_has_its_start_and_not_its_end(void **state)
{
	struct given_ranges g;

	(void)state;
	given_ranges(&g);
	given_range(&g, 100, 200, "r");
	when_settled(&g);
	assert_int_equal(ks_ranges_segment(g.r, T1, 99), KS_SEGMENT_NONE);
	given_call(&g, T1, 99, 1);
	given_call(&g, T1, 100, 10);
	given_call(&g, T1, 199, 100);
	given_call(&g, T1, 200, 1000);
	given_call(&g, T2, 150, 10000); /* another thread */
	given_call(&g, KS_UNKNOWN, 150, 100000);
	ks_ranges_count(g.r, KS_SEGMENT_NONE, 1000000); /* no call known */
	when_answered(&g);
	assert_int_equal(phase_of(&g, 0, "r").kernel_ns, 110);
	assert_int_equal(phase_of(&g, 0, "r").kernels, 2);
	assert_int_equal(g.t.attributed_ns, 110);
	assert_int_equal(g.t.unattributed_ns, 1111001);
	given_ranges_release(&g);
}

static void a_name_nested_in_itself_counts_twice(void **state)
{
	struct given_ranges g;

	(void)state;
	given_ranges(&g);
	given_range(&g, 0, 100, "again");
	given_range(&g, 10, 90, "again");
	given_range(&g, 20, 30, "leaf");
	when_settled(&g);
	given_call(&g, T1, 25, 5);
	given_call(&g, T1, 50, 7);
	given_call(&g, T1, 95, 11);
	when_answered(&g);
	const struct ks_phase again = phase_of(&g, 0, "again"), leaf = phase_of(&g, 0, "leaf");

	assert_int_equal(again.instances, 2);
	assert_int_equal(again.kernel_ns, (5 + 7 + 11) + (5 + 7));
	assert_int_equal(again.own_ns, 7 + 11);
	assert_int_equal(again.worst_kernel_ns, 23);
	assert_int_equal(again.depth, 0);
	assert_int_equal(again.min_ns, 80);
	assert_int_equal(again.max_ns, 100);
	assert_int_equal(leaf.depth, 2);
	assert_int_equal(leaf.own_ns, 5);
	/* root, again, again;again, again;again;leaf */
	assert_int_equal(g.t.n_paths, 4);
	assert_int_equal(g.t.path[0].total_ns, 23);
	assert_int_equal(g.t.path[1].own_ns, 11);
	assert_int_equal(g.t.path[2].own_ns, 7);
	assert_int_equal(g.t.path[3].own_ns, 5);
	assert_int_equal(g.t.path[3].depth, 3);
	given_ranges_release(&g);
}

static void start_end_ranges_overlap_and_end_elsewhere(void **state)
{
	struct ks_range row = { .thread = T1, .end_thread = T2, .type = START_END };
	struct ks_ranges_counts c;
	struct given_ranges g;

	(void)state;
	given_ranges(&g);
	row.start_ns = 0;
	row.end_ns = 50;
	given_range_row(&g, &row, "first");
	row.start_ns = 30;
	row.end_ns = 80;
	given_range_row(&g, &row, "second");
	when_settled(&g);
	given_call(&g, T1, 10, 1);
	given_call(&g, T1, 40, 2); /* both are open; the second started last */
	given_call(&g, T1, 60, 4);
	given_call(&g, T2, 45, 8); /* they belong to the thread that started them */
	when_answered(&g);
	ks_ranges_counts(g.r, &c);
	assert_int_equal(c.crossing, 2);
	assert_int_equal(phase_of(&g, 0, "first").kernel_ns, 3);
	assert_int_equal(phase_of(&g, 0, "first").own_ns, 1);
	assert_int_equal(phase_of(&g, 0, "second").kernel_ns, 6);
	assert_int_equal(phase_of(&g, 0, "second").own_ns, 6);
	assert_int_equal(phase_of(&g, 0, "second").type, START_END);
	assert_int_equal(g.t.unattributed_ns, 8);
	given_ranges_release(&g);
}

static void domains_count_apart(void **state)
{
	struct given_ranges g;

	(void)state;
	given_ranges(&g);
	given_domain(&g, T1, 1, "lib");
	given_range_of(&g, T1, 1, 0, 100, "x");
	given_range_of(&g, T1, 0, 10, 90, "x");
	given_range_of(&g, T1, 2, 20, 80, "x"); /* a domain without a name */
	when_settled(&g);
	given_call(&g, T1, 50, 5);
	given_call(&g, T1, 95, 7);
	when_answered(&g);
	assert_int_equal(g.t.n_domains, 3);
	assert_int_equal(g.t.n_names, 3);
	/* the innermost of each domain has all of it */
	assert_int_equal(phase_of(&g, 1, "x").own_ns, 12);
	assert_int_equal(phase_of(&g, 0, "x").own_ns, 5);
	assert_int_equal(phase_of(&g, 2, "x").own_ns, 5);
	assert_true(ks_str_eqc(phase_of(&g, 1, "x").domain, "lib"));
	assert_true(ks_str_eqc(phase_of(&g, 0, "x").domain, ""));
	assert_true(ks_str_eqc(phase_of(&g, 2, "x").domain, "2"));
	assert_int_equal(g.t.attributed_ns, 12);
	given_ranges_release(&g);
}

static void one_domain_number_can_mean_two_domains(void **state)
{
	struct given_ranges g;

	(void)state;
	given_ranges(&g);
	given_domain(&g, THREAD(1, 1), 1, "a");
	given_domain(&g, THREAD(2, 1), 1, "b");
	given_range_of(&g, THREAD(1, 1), 1, 0, 10, "x");
	given_range_of(&g, THREAD(2, 1), 1, 0, 10, "x");
	given_range_of(&g, THREAD(3, 1), 1, 0, 10, "x"); /* says no name: that of the first */
	when_settled(&g);
	when_answered(&g);
	assert_int_equal(g.t.n_domains, 2);
	assert_int_equal(g.t.n_names, 2);
	assert_int_equal(phase_of(&g, 1, "x").instances, 2); /* "a" comes first */
	given_ranges_release(&g);
}

static void ranges_without_a_name_are_one_phase(void **state)
{
	struct given_ranges g;

	(void)state;
	given_ranges(&g);
	given_range(&g, 0, 10, NULL);
	given_range(&g, 20, 30, " \t");
	when_settled(&g);
	when_answered(&g);
	assert_int_equal(phase_of(&g, 0, "<unnamed>").instances, 2);
	given_ranges_release(&g);
}

static void phases_come_by_kernel_time_then_name(void **state)
{
	struct given_ranges g;

	(void)state;
	given_ranges(&g);
	g.ask.max_phases = 2;
	given_range(&g, 0, 10, "c");
	given_range(&g, 10, 20, "b");
	given_range(&g, 20, 30, "a");
	given_range(&g, 30, 40, "none");
	when_settled(&g);
	given_call(&g, T1, 5, 7);
	given_call(&g, T1, 15, 9);
	given_call(&g, T1, 25, 7);
	when_answered(&g);
	assert_int_equal(g.t.phases_with_time, 3);
	assert_int_equal(g.t.n_phases, 2);
	assert_true(ks_str_eqc(g.t.phase[0].name, "b"));
	assert_true(ks_str_eqc(g.t.phase[1].name, "a"));
	assert_int_equal(phase_of(&g, 0, "none").kernel_ns, 0); /* the log has it */
	assert_int_equal(phase_of(&g, 0, "none").depth, 0);	/* what touches does not nest */
	given_ranges_release(&g);
}

static void names_that_differ_in_digits_fold(void **state)
{
	struct given_ranges g;

	(void)state;
	given_ranges(&g);
	given_range(&g, 0, 10, "Step 1 to 10");
	given_range(&g, 10, 30, "Step 11 to 20");
	given_range(&g, 40, 50, "conv2d"); /* alone: it keeps its digit */
	when_settled(&g);
	given_call(&g, T1, 5, 7);
	given_call(&g, T1, 15, 9);
	given_call(&g, T1, 45, 1);
	when_answered(&g);
	assert_int_equal(g.t.n_folded_phases, 2);
	assert_true(ks_str_eqc(g.t.folded_phase[0].name, "Step # to #"));
	assert_int_equal(g.t.folded_names[0], 2);
	assert_int_equal(g.t.folded_phase[0].instances, 2);
	assert_int_equal(g.t.folded_phase[0].kernel_ns, 16);
	assert_int_equal(g.t.folded_phase[0].wall_ns, 30);
	assert_true(ks_str_eqc(g.t.folded_phase[1].name, "conv2d"));
	assert_int_equal(g.t.folded_names[1], 1);
	given_ranges_release(&g);
}

static void a_window_clips_lengths_and_leaves_the_rest_out(void **state)
{
	struct given_ranges g;

	(void)state;
	given_ranges(&g);
	g.ask.window_on = true;
	g.ask.from = 50;
	g.ask.to = 150;
	given_range(&g, 0, 50, "r"); /* touches the edge only */
	given_range(&g, 60, 90, "r");
	given_range(&g, 100, 170, "r");
	given_range(&g, 150, 160, "out");
	when_settled(&g);
	when_answered(&g);
	const struct ks_phase p = phase_of(&g, 0, "r");

	assert_int_equal(p.instances, 2);
	assert_int_equal(p.wall_ns, 30 + 50);
	assert_int_equal(p.max_ns, 50);
	assert_int_equal(g.t.ranges, 2);
	assert_int_equal(g.t.n_names, 1);
	given_ranges_release(&g);
}

static void an_instance_is_found_by_name_domain_and_number(void **state)
{
	static const struct {
		const char *name, *domain;
		uint64_t number, have;
		ks_ns from; /* 0: not there */
	} table[] = {
		{ "x", "", 1, 3, 200 },	 { "x", "lib", 0, 1, 200 }, { "x", "5", 0, 1, 200 },
		{ "x", "0", 1, 2, 300 }, { "x", "0", 2, 2, 0 },	    { "y", "", 0, 0, 0 },
	};
	struct given_ranges g;

	(void)state;
	given_ranges(&g);
	given_domain(&g, T1, 5, "lib");
	given_range_of(&g, T1, 0, 300, 310, "x");
	given_range_of(&g, T1, 5, 200, 220, "x");
	given_range_of(&g, T2, 0, 100, 130, "x");
	when_settled(&g);
	for (size_t i = 0; i < KS_ARRAY_LEN(table); i++) {
		struct ks_range_found found;

		assert_int_equal(ks_ranges_instance(g.r, ks_str_c(table[i].name),
						    ks_str_c(table[i].domain), table[i].number,
						    &found),
				 table[i].from > 0);
		assert_int_equal(found.have, table[i].have);
		if (table[i].from > 0)
			assert_int_equal(found.from, table[i].from);
	}
	given_ranges_release(&g);
}

static void near_names_are_offered(void **state)
{
	struct given_ranges g;
	ks_str near[2];

	(void)state;
	given_ranges(&g);
	given_range(&g, 0, 1, "forward");
	given_range(&g, 0, 1, "backward");
	given_range(&g, 0, 1, "optimizer");
	when_settled(&g);
	assert_int_equal(ks_ranges_nearest(g.r, KS_LIT("forwards"), near, 2), 1);
	assert_true(ks_str_eqc(near[0], "forward"));
	assert_int_equal(ks_ranges_nearest(g.r, KS_LIT("ward"), near, 2), 2); /* they hold it */
	assert_true(ks_str_eqc(near[0], "backward"));
	assert_int_equal(ks_ranges_nearest(g.r, KS_LIT("zzz"), near, 2), 2); /* none: the first */
	given_ranges_release(&g);
}

static void marks_and_lanes_come_in_order(void **state)
{
	struct ks_range mark = { .thread = T1, .end_thread = KS_UNKNOWN, .type = 34 };
	struct given_ranges g;
	struct ks_range_view v;
	static const struct {
		const char *name;
		uint32_t lane, number;
		unsigned depth;
	} want[] = { { "a", 0, 0, 0 }, { "m", 0, 0, 1 },  { "b", 0, 0, 0 },
		     { "c", 1, 1, 0 }, { "m2", 2, 0, 0 }, { "m", 3, 0, 0 } };

	(void)state;
	given_ranges(&g);
	given_range(&g, 0, 20, "a");
	given_range(&g, 10, 30, "c"); /* overlaps without nesting */
	given_range(&g, 20, 40, "b");
	mark.start_ns = mark.end_ns = 5;
	given_range_row(&g, &mark, "m");
	mark.domain = 4; /* a domain with a mark alone */
	given_range_row(&g, &mark, "m2");
	mark.domain = 0;
	mark.thread = T2; /* a thread with a mark alone */
	given_range_row(&g, &mark, "m");
	when_settled(&g);
	for (unsigned pass = 0; pass < 2; pass++) {
		assert_int_equal(ks_ranges_rewind(g.r, &g.err), KS_OK);
		for (size_t i = 0; i < KS_ARRAY_LEN(want); i++) {
			assert_true(ks_ranges_next(g.r, &v));
			assert_true(ks_str_eqc(v.name, want[i].name));
			assert_int_equal(v.lane, want[i].lane);
			assert_int_equal(v.lane_number, want[i].number);
			assert_int_equal(v.depth, want[i].depth);
		}
		assert_false(ks_ranges_next(g.r, &v));
	}
	given_ranges_release(&g);
}

/* Times that lie evenly, in bursts and at both ends of the clock, asked for in any order: the
 * answer is that of counting from the first one. */
static void calls_in_any_order_find_their_segment(void **state)
{
	enum { RANGES = 600, CALLS = 4000 };
	ks_ns cut[2 * RANGES];
	struct given_ranges g;
	size_t n = 0;
	uint64_t seed = 1;

	(void)state;
	given_ranges(&g);
	for (ks_ns i = 0; i < RANGES; i++) {
		const ks_ns far = i < 200 ? -(INT64_C(1) << 60) : i < 400 ? 0 : INT64_C(1) << 60;
		const ks_ns start = far + i * (i % 200 < 100 ? 10 : 1000000);

		given_range(&g, start, start + 5, "r");
		cut[n++] = start;
		cut[n++] = start + 5;
	}
	when_settled(&g);
	for (size_t i = 0; i < CALLS; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		const size_t near = (size_t)(seed >> 33) % n;
		const ks_ns at = cut[near] + (ks_ns)(seed >> 20 & 7) - 3;
		size_t before = 0;

		while (before < n && cut[before] <= at)
			before++;
		assert_int_equal(ks_ranges_segment(g.r, T1, at),
				 before ? (uint32_t)before - 1 : KS_SEGMENT_NONE);
	}
	given_ranges_release(&g);
}

static void a_trace_without_ranges_has_answers_too(void **state)
{
	struct ks_range_view v;
	struct ks_steps steps;
	struct given_ranges g;

	(void)state;
	given_ranges(&g); /* never settled */
	assert_int_equal(ks_ranges_segment(g.r, T1, 5), KS_SEGMENT_NONE);
	when_answered(&g);
	assert_int_equal(g.t.n_phases + g.t.n_folded_phases + g.t.n_paths, 0);
	assert_int_equal(ks_ranges_stacks(g.r, &g.arena, &g.err), KS_OK);
	assert_int_equal(ks_ranges_rewind(g.r, &g.err), KS_OK);
	assert_false(ks_ranges_next(g.r, &v));
	assert_int_equal(ks_ranges_steps(g.r, KS_STR_NONE, &g.arena, &steps, &g.err), KS_OK);
	assert_int_equal(steps.n, 0);
	given_ranges_release(&g);
}

static void deep_nesting_folds_into_the_last_level(void **state)
{
	struct given_ranges g;
	char name[16];
	const ks_ns deep = ks_limit(KS_LIMIT_PATH_DEPTH) + 36;

	(void)state;
	given_ranges(&g);
	for (ks_ns i = 0; i < deep; i++) {
		(void)snprintf(name, sizeof(name), "r%03d", (int)i);
		given_range(&g, i, 1000 - i, name);
	}
	when_settled(&g);
	for (ks_ns i = 0; i < deep; i++)
		given_call(&g, T1, i, 1);
	when_answered(&g);
	assert_int_equal(g.t.n_paths, ks_limit(KS_LIMIT_PATH_DEPTH) + 1);
	const struct ks_path_node *last = &g.t.path[g.t.n_paths - 1];

	assert_int_equal(last->own_ns, 1 + 36);
	assert_int_equal(g.t.path[0].total_ns, deep);
	given_ranges_release(&g);
}

static void few_paths_are_kept_of_many(void **state)
{
	struct given_ranges g;
	char name[16];

	(void)state;
	given_ranges(&g);
	g.ask.max_paths = 4;
	for (ks_ns i = 0; i < 10; i++) {
		(void)snprintf(name, sizeof(name), "r%d", (int)i);
		given_range(&g, 10 * i, 10 * i + 10, name);
	}
	when_settled(&g);
	for (ks_ns i = 0; i < 10; i++)
		given_call(&g, T1, 10 * i, 1 + i);
	when_answered(&g);
	assert_int_equal(g.t.n_paths, 4);
	assert_int_equal(g.t.paths_left_out, 7);
	assert_int_equal(g.t.path[0].total_ns, 55);
	assert_true(ks_str_eqc(g.t.path[1].name, "r9"));
	assert_true(ks_str_eqc(g.t.path[3].name, "r7"));
	given_ranges_release(&g);
}

/* A sum that does not fit is an error, never a wrapped number. */
static void sums_that_overflow_are_an_error(void **state)
{
	struct given_ranges g;

	(void)state;
	given_ranges(&g);
	for (ks_ns i = 0; i < 4; i++)
		given_range(&g, i, INT64_MAX / 2, "r");
	when_settled(&g);
	assert_int_equal(ks_ranges_answer(g.r, &g.ask, &g.arena, &g.t, &g.err), KS_E_INPUT);
	given_ranges_release(&g);
}

static void no_memory_for_the_answer_is_an_error(void **state)
{
	static const struct ks_ranges_ask ask = { .max_phases = 10,
						  .paths = true,
						  .max_paths = 10 };
	struct given_ranges g;

	(void)state;
	given_ranges(&g);
	given_range(&g, 0, 10, "step 1");
	given_range(&g, 10, 20, "step 2");
	given_range(&g, 20, 30, "step 3");
	when_settled(&g);
	given_call(&g, T1, 5, 7);
	for (size_t room = 0; room < 600; room += 40) {
		struct ks_steps steps;
		struct ks_arena small;

		ks_arena_init(&small, room);
		ks_err_init(&g.err);
		/* ten phases of each list alone are more than that */
		assert_int_equal(ks_ranges_answer(g.r, &ask, &small, &g.t, &g.err), KS_E_ENV);
		assert_int_equal(g.err.status, KS_E_ENV);
		ks_arena_release(&small);
		ks_arena_init(&small, room / 10);
		assert_int_equal(ks_ranges_steps(g.r, KS_STR_NONE, &small, &steps, &g.err),
				 KS_E_ENV);
		ks_arena_release(&small);
	}
	when_answered(&g); /* and nothing was spoiled */
	assert_int_equal(g.t.attributed_ns, 7);
	given_ranges_release(&g);
}

/* n ranges of each hostile shape; anything quadratic would take minutes. */
enum { MANY = 100000 };
enum shape { STAIRS, NESTED, ALL_EQUAL, OWN_NAME, OWN_DOMAIN, OWN_THREAD };

static void given_shape(struct given_ranges *g, enum shape shape)
{
	struct ks_range row = { .thread = T1, .end_thread = KS_UNKNOWN, .type = PUSH_POP };

	for (ks_ns i = 0; i < MANY; i++) {
		row.start_ns = shape == ALL_EQUAL ? 5 : i;
		row.end_ns = shape == NESTED ? 3 * MANY - i : shape == ALL_EQUAL ? 9 : MANY + i;
		row.domain = shape == OWN_DOMAIN ? i : 0;
		row.thread = shape == OWN_THREAD ? i : T1;
		assert_int_equal(
			ks_ranges_add(g->r, &row, shape == OWN_NAME ? (uint32_t)i : 0, &g->err),
			KS_OK);
	}
}

static void hostile_shapes_take_no_longer(void **state)
{
	ks_str *text = ks_mem_alloc(MANY * sizeof(*text));
	char *bytes = ks_mem_alloc(MANY * 8);

	(void)state;
	for (size_t i = 0; i < MANY; i++)
		text[i] = (ks_str){ bytes + 8 * i, (size_t)snprintf(bytes + 8 * i, 8, "s%zu", i) };
	for (enum shape shape = STAIRS; shape <= OWN_THREAD; shape++) {
		struct ks_range_view v;
		struct ks_steps steps;
		struct given_ranges g;
		size_t seen = 0;

		given_ranges(&g);
		given_shape(&g, shape);
		assert_int_equal(ks_ranges_settle(g.r, text, MANY, &g.err), KS_OK);
		assert_int_equal(ks_ranges_steps(g.r, KS_LIT("s0"), &g.arena, &steps, &g.err),
				 KS_OK);
		assert_int_equal(ks_ranges_overlap_begin(g.r, &g.err), KS_OK);
		for (ks_ns i = 0; i < MANY; i++) {
			given_call(&g, T1, 2 * i, 10);
			assert_int_equal(ks_ranges_overlap_add(g.r, T1, 2 * i, 3 * MANY, &g.err),
					 KS_OK);
		}
		assert_int_equal(ks_ranges_overlap_end(g.r, &g.err), KS_OK);
		when_answered(&g);
		assert_int_equal(g.t.attributed_ns + g.t.unattributed_ns, 10 * MANY);
		assert_int_equal(g.t.ranges, MANY);
		assert_int_equal(ks_ranges_stacks(g.r, &g.arena, &g.err), KS_OK);
		assert_int_equal(ks_ranges_rewind(g.r, &g.err), KS_OK);
		while (ks_ranges_next(g.r, &v))
			seen++;
		assert_int_equal(seen, MANY);
		given_ranges_release(&g);
	}
	ks_mem_free(text);
	ks_mem_free(bytes);
}

int test_ranges(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(structure_says_what_is_a_range),
		cmocka_unit_test(a_range_has_its_start_and_not_its_end),
		cmocka_unit_test(a_name_nested_in_itself_counts_twice),
		cmocka_unit_test(start_end_ranges_overlap_and_end_elsewhere),
		cmocka_unit_test(domains_count_apart),
		cmocka_unit_test(one_domain_number_can_mean_two_domains),
		cmocka_unit_test(ranges_without_a_name_are_one_phase),
		cmocka_unit_test(phases_come_by_kernel_time_then_name),
		cmocka_unit_test(names_that_differ_in_digits_fold),
		cmocka_unit_test(a_window_clips_lengths_and_leaves_the_rest_out),
		cmocka_unit_test(an_instance_is_found_by_name_domain_and_number),
		cmocka_unit_test(near_names_are_offered),
		cmocka_unit_test(marks_and_lanes_come_in_order),
		cmocka_unit_test(calls_in_any_order_find_their_segment),
		cmocka_unit_test(a_trace_without_ranges_has_answers_too),
		cmocka_unit_test(deep_nesting_folds_into_the_last_level),
		cmocka_unit_test(few_paths_are_kept_of_many),
		cmocka_unit_test(sums_that_overflow_are_an_error),
		cmocka_unit_test(no_memory_for_the_answer_is_an_error),
		cmocka_unit_test(hostile_shapes_take_no_longer),
	};

	return cmocka_run_group_tests_name("ranges", tests, NULL, NULL);
}
