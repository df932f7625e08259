/* SPDX-License-Identifier: Apache-2.0
 *
 * The timeline picture over hand-made logs: what is drawn, what is counted into columns, and that
 * the covered time of the picture is the covered time of the trace, painted nanosecond by
 * nanosecond.
 */
#include "all.h"

#include "analyze/analysis.h"
#include "base/mem.h"

#define LANES_MAX 80

struct drawn {
	struct ks_arena arena;
	struct ks_analysis *a;
	struct ks_lane lane[LANES_MAX];
	struct ks_slice *slice;
	size_t n, cap, at;
	struct ks_slice_log log;
	const struct ks_timeline_picture *p;
	struct ks_err err;
};

static enum ks_status rewind_log(void *self, struct ks_err *err)
{
	struct drawn *d = self;

	(void)err;
	d->at = 0;
	return KS_OK;
}

static enum ks_status next_of_log(void *self, struct ks_slice *s, bool *got, struct ks_err *err)
{
	struct drawn *d = self;

	(void)err;
	*got = d->at < d->n;
	if (*got)
		*s = d->slice[d->at++];
	return KS_OK;
}

static struct drawn *given_window(ks_ns from, ks_ns to)
{
	struct drawn *d = ks_mem_alloc(sizeof(*d));

	assert_non_null(d);
	ks_arena_init(&d->arena, (size_t)1 << 30);
	d->a = ks_mem_alloc(sizeof(*d->a));
	assert_non_null(d->a);
	d->a->arena = &d->arena;
	d->a->any_rows = to > from;
	d->a->first_ns = from - 1000;
	d->a->last_ns = to + 1000;
	d->a->window = (struct ks_window){ .on = true, .from = from, .to = to };
	d->log = (struct ks_slice_log){
		.self = d, .lane = d->lane, .n_names = 9, .rewind = rewind_log, .next = next_of_log
	};
	return d;
}

static uint32_t given_lane(struct drawn *d, enum ks_lane_kind kind)
{
	assert_true(d->log.n_lanes < LANES_MAX);
	d->lane[d->log.n_lanes] = (struct ks_lane){
		.kind = kind,
		.gpu = kind == KS_LANE_NVTX || kind == KS_LANE_API ? SIZE_MAX : 0,
		.pid = 7,
		.stream = (int64_t)d->log.n_lanes,
		.name = KS_LIT("lane"),
	};
	return (uint32_t)d->log.n_lanes++;
}

static struct ks_slice *given_slice(struct drawn *d, uint32_t lane, const char *name, ks_ns start,
				    ks_ns end)
{
	assert_true(KS_GROW(d->slice, d->cap, d->n + 1, SIZE_MAX / sizeof(*d->slice)));
	d->slice[d->n] = (struct ks_slice){ .lane = lane,
					    .name_id = 1,
					    .name = ks_str_c(name),
					    .start_ns = start,
					    .end_ns = end,
					    .bytes = KS_UNKNOWN };
	return &d->slice[d->n++];
}

static const struct ks_timeline_picture *when_drawn(struct drawn *d, unsigned columns)
{
	assert_int_equal(ks_picture_make(d->a, &d->log, columns, &d->p, &d->err), KS_OK);
	assert_non_null(d->p);
	assert_int_equal(d->p->drawn + d->p->binned, d->p->selected);
	return d->p;
}

static void released(struct drawn *d)
{
	ks_arena_release(&d->arena);
	ks_mem_free(d->slice);
	ks_mem_free(d->a);
	ks_mem_free(d);
}

static void expect_bar(const struct ks_bar *b, double x, double width, uint64_t slices, double fill)
{
	expect_near(b->x, x, 1e-12);
	expect_near(b->width, width, 1e-12);
	assert_int_equal(b->slices, slices);
	expect_near(b->fill, fill, 1e-12);
}

static void what_is_a_column_wide_is_a_bar(void **state)
{
	struct drawn *d = given_window(1000, 2000);

	(void)state;
	given_slice(d, given_lane(d, KS_LANE_STREAM), "gemm", 1100, 1300);
	const struct ks_timeline_picture *p = when_drawn(d, 10);

	assert_int_equal(p->n_bars, 1);
	expect_bar(&p->bar[0], 0.1, 0.2, 1, 1.0);
	assert_true(ks_str_eqc(p->bar[0].name, "gemm"));
	assert_int_equal(p->bar[0].start_ns, 1100);
	assert_int_equal(p->bar[0].end_ns, 1300);
	assert_int_equal(p->drawn, 1);
	assert_int_equal(p->n_rows, 1);
	assert_int_equal(p->row[0].slices, 1);
	released(d);
}

/* Column 2 is [200, 300): 10 + 30 + 10 ns of its 100 are covered. */
static void what_is_narrower_is_counted_into_its_column(void **state)
{
	struct drawn *d = given_window(0, 1000);
	uint32_t lane = given_lane(d, KS_LANE_STREAM);

	(void)state;
	given_slice(d, lane, "a", 200, 210);
	given_slice(d, lane, "long", 220, 250);
	given_slice(d, lane, "c", 280, 290);
	const struct ks_timeline_picture *p = when_drawn(d, 10);

	assert_int_equal(p->n_bars, 1);
	expect_bar(&p->bar[0], 0.2, 0.1, 3, 0.5);
	assert_true(ks_str_eqc(p->bar[0].name, "long"));
	assert_int_equal(p->bar[0].start_ns, 200);
	assert_int_equal(p->bar[0].end_ns, 290);
	assert_int_equal(p->binned, 3);
	released(d);
}

/* [290, 330) is 10 ns of column 2 and 30 of column 3, where it is counted as no further slice. */
static void time_that_reaches_into_the_next_column_is_shown_there(void **state)
{
	struct drawn *d = given_window(0, 1000);
	uint32_t lane = given_lane(d, KS_LANE_STREAM);

	(void)state;
	given_slice(d, lane, "a", 290, 330);
	given_slice(d, lane, "b", 580, 620);
	given_slice(d, lane, "c", 630, 640);
	const struct ks_timeline_picture *p = when_drawn(d, 10);

	assert_int_equal(p->n_bars, 4);
	expect_bar(&p->bar[0], 0.2, 0.1, 1, 0.1);
	expect_bar(&p->bar[1], 0.3, 0.1, 0, 0.3);
	expect_bar(&p->bar[2], 0.5, 0.1, 1, 0.2);
	expect_bar(&p->bar[3], 0.6, 0.1, 1, 0.3);
	assert_true(ks_str_eqc(p->bar[1].name, "a"));
	assert_true(ks_str_eqc(p->bar[3].name, "c"));
	assert_int_equal(p->binned, 3);
	released(d);
}

static void slices_are_clipped_to_the_window(void **state)
{
	static const struct {
		ks_ns start, end;
		uint64_t selected;
	} cases[] = {
		{ 0, 100, 0 },	 /* ends where the window begins */
		{ 200, 300, 0 }, /* begins where it ends */
		{ 0, 101, 1 },	 { 199, 300, 1 }, { 0, 1000, 1 },
		{ 100, 200, 1 }, { 100, 100, 1 }, /* marks */
		{ 200, 200, 0 }, { 99, 99, 0 },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct drawn *d = given_window(100, 200);

		given_slice(d, given_lane(d, KS_LANE_STREAM), "k", cases[i].start, cases[i].end);
		const struct ks_timeline_picture *p = when_drawn(d, 10);

		assert_int_equal(p->selected, cases[i].selected);
		assert_int_equal(p->n_rows, cases[i].selected);
		for (size_t b = 0; b < p->n_bars; b++) {
			assert_true(p->bar[b].x >= 0.0);
			assert_true(p->bar[b].x + p->bar[b].width <= 1.0 + 1e-12);
			assert_int_equal(p->bar[b].start_ns, cases[i].start); /* whole in words */
		}
		released(d);
	}
}

static void nested_ranges_stand_below_each_other(void **state)
{
	struct drawn *d = given_window(0, 100);
	uint32_t lane = given_lane(d, KS_LANE_NVTX);

	(void)state;
	given_slice(d, lane, "step", 0, 100);
	given_slice(d, lane, "forward", 0, 50);
	given_slice(d, lane, "layer", 10, 20);
	given_slice(d, lane, "mark", 20, 20);
	given_slice(d, lane, "layer", 20, 50);
	given_slice(d, lane, "backward", 50, 100);
	const struct ks_timeline_picture *p = when_drawn(d, 100);
	static const struct {
		const char *name;
		unsigned depth;
	} want[] = { { "step", 0 },  { "forward", 1 },	{ "layer", 2 },
		     { "layer", 2 }, { "backward", 1 }, { "mark", 2 } };

	assert_int_equal(p->n_bars, KS_ARRAY_LEN(want));
	assert_int_equal(p->row_depth[0], 3);
	for (size_t i = 0; i < KS_ARRAY_LEN(want); i++) {
		size_t found = 0;

		for (size_t b = 0; b < p->n_bars; b++)
			found += ks_str_eqc(p->bar[b].name, want[i].name) &&
				 p->bar[b].depth == want[i].depth;
		assert_true(found > 0);
	}
	released(d);
}

static void ranges_deeper_than_the_picture_are_counted_into_its_lowest_level(void **state)
{
	struct drawn *d = given_window(0, 1000);
	uint32_t lane = given_lane(d, KS_LANE_NVTX);
	const unsigned limit = (unsigned)ks_limit(KS_LIMIT_PICTURE_DEPTH);

	(void)state;
	for (int i = 0; i < 100; i++)
		given_slice(d, lane, "r", i, 1000 - i);
	const struct ks_timeline_picture *p = when_drawn(d, 1000);

	assert_int_equal(p->row_depth[0], limit);
	assert_int_equal(p->n_bars, limit);
	assert_int_equal(p->selected, 100);
	assert_int_equal(p->drawn, limit);
	assert_int_equal(p->bar[limit - 1].slices, 100 - (limit - 1));
	released(d);
}

/* Lengths and distances of every size; painted into an array beside it. Columns of whole
 * nanoseconds, and some below one. */
static void covered_time_is_the_same_in_picture_and_trace(void **state)
{
	enum { SPAN = 20000 };
	static const unsigned columns[] = { 1, 10, 100, 400, 1000, SPAN, 2 * SPAN };
	uint64_t seed = 42;

	(void)state;
	print_message("seed 42\n");
	for (size_t c = 0; c < KS_ARRAY_LEN(columns); c++) {
		struct drawn *d = given_window(1000000, 1000000 + SPAN);
		uint32_t lane = given_lane(d, KS_LANE_STREAM);
		double covered = 0.0;
		ks_ns painted = 0;

		for (ks_ns at = -50; at < SPAN;) {
			const uint64_t most = next_random(&seed) % 5 == 0 ? 400 : 30;
			const ks_ns end = at + 1 + (ks_ns)(next_random(&seed) % most);

			given_slice(d, lane, "k", 1000000 + at, 1000000 + end);
			for (ks_ns i = at; i < end; i++)
				painted += i >= 0 && i < SPAN;
			at = end + (ks_ns)(next_random(&seed) % 40);
		}
		const struct ks_timeline_picture *p = when_drawn(d, columns[c]);

		for (size_t i = 0; i < p->n_bars; i++)
			covered += p->bar[i].fill * p->bar[i].width * SPAN;
		expect_near(covered, (double)painted, 1e-9);
		released(d);
	}
}

static void memory_grows_with_columns_and_not_with_slices(void **state)
{
	struct drawn *d = given_window(0, 1000000);
	uint32_t lane = given_lane(d, KS_LANE_STREAM);

	(void)state;
	for (ks_ns i = 0; i < 200000; i++)
		given_slice(d, lane, "k", 5 * i, 5 * i + 4);
	const struct ks_timeline_picture *p = when_drawn(d, 100);

	assert_int_equal(p->selected, 200000);
	assert_int_equal(p->n_bars, 100);
	for (size_t i = 0; i < p->n_bars; i++)
		expect_bar(&p->bar[i], (double)i / 100.0, 0.01, 2000, 0.8);
	released(d);
}

static void devices_come_first_when_there_are_too_many_rows(void **state)
{
	struct drawn *d = given_window(0, 1000);
	const size_t limit = (size_t)ks_limit(KS_LIMIT_PICTURE_ROWS);
	const size_t n = limit + 6;

	(void)state;
	for (size_t i = 0; i < n; i++) {
		uint32_t lane = given_lane(d, i % 2 ? KS_LANE_STREAM : KS_LANE_API);

		for (size_t k = 0; k <= i; k++)
			given_slice(d, lane, "x", (ks_ns)k, (ks_ns)k + 1);
	}
	const struct ks_timeline_picture *p = when_drawn(d, 100);
	size_t streams = 0;

	assert_int_equal(p->n_rows, limit);
	assert_int_equal(p->rows_left_out, 6);
	assert_int_equal(p->slices_left_out, 1 + 3 + 5 + 7 + 9 + 11); /* the calls with fewest */
	for (size_t i = 0; i < p->n_rows; i++)
		streams += p->row[i].kind == KS_LANE_STREAM;
	assert_int_equal(streams, n / 2);
	for (size_t i = 1; i < p->n_rows; i++)
		assert_true(p->row[i - 1].kind == p->row[i].kind ||
			    p->row[i - 1].kind == KS_LANE_STREAM);
	released(d);
}

static void lanes_without_anything_in_the_window_are_no_rows(void **state)
{
	struct drawn *d = given_window(500, 600);

	(void)state;
	given_slice(d, given_lane(d, KS_LANE_STREAM), "before", 0, 400);
	given_lane(d, KS_LANE_COPY);
	given_slice(d, given_lane(d, KS_LANE_NVTX), "after", 700, 800);
	const struct ks_timeline_picture *p = when_drawn(d, 10);

	assert_int_equal(p->n_rows, 0);
	assert_int_equal(p->n_bars, 0);
	assert_int_equal(p->selected, 0);
	assert_int_equal(p->rows_left_out, 0);
	released(d);
}

/* 100 bytes in use from 0 on, 400 from 500 on, 200 from 750 on; the window begins at 250. */
static void a_counter_holds_until_its_next_value(void **state)
{
	struct drawn *d = given_window(250, 1250);
	uint32_t lane = given_lane(d, KS_LANE_MEMORY);
	static const double x[] = { 0.0, 0.25, 0.5 }, width[] = { 0.25, 0.25, 0.5 },
			    fill[] = { 0.25, 1.0, 0.5 };

	(void)state;
	given_slice(d, lane, "memory", 0, 0)->bytes = 100;
	given_slice(d, lane, "memory", 500, 500)->bytes = 400;
	given_slice(d, lane, "memory", 750, 750)->bytes = 200;
	const struct ks_timeline_picture *p = when_drawn(d, 100);

	assert_int_equal(p->n_bars, 3);
	assert_int_equal(p->selected, 3);
	for (size_t i = 0; i < 3; i++)
		expect_bar(&p->bar[i], x[i], width[i], 1, fill[i]);
	assert_int_equal(p->bar[1].bytes, 400);
	released(d);
}

static void without_a_window_the_span_of_the_trace_is_drawn(void **state)
{
	struct drawn *d = given_window(0, 0);

	(void)state;
	d->a->window.on = false;
	d->a->any_rows = true;
	d->a->first_ns = 100;
	d->a->last_ns = 300;
	given_slice(d, given_lane(d, KS_LANE_STREAM), "k", 100, 200);
	const struct ks_timeline_picture *p = when_drawn(d, 10);

	assert_int_equal(p->from_ns, 100);
	assert_int_equal(p->to_ns, 300);
	expect_bar(&p->bar[0], 0.0, 0.5, 1, 1.0);
	released(d);
}

static void a_trace_without_times_has_an_empty_picture(void **state)
{
	struct drawn *d = given_window(0, 0);

	(void)state;
	d->a->window.on = false;
	d->a->meta.other_first_ns = d->a->meta.other_last_ns = KS_UNKNOWN;
	given_slice(d, given_lane(d, KS_LANE_NVTX), "k", 100, 200);
	assert_int_equal(when_drawn(d, 10)->n_rows, 0);
	released(d);
}

static void no_memory_is_an_error(void **state)
{
	struct drawn *d = given_window(0, 1000);

	(void)state;
	for (ks_ns i = 0; i < 100; i++)
		given_slice(d, i ? 0 : given_lane(d, KS_LANE_STREAM), "k", 10 * i, 10 * i + 9);
	d->arena.limit = 2000;
	assert_int_equal(ks_picture_make(d->a, &d->log, 1000, &d->p, &d->err), KS_E_ENV);
	assert_null(d->p);
	released(d);
}

int test_picture(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_a_column_wide_is_a_bar),
		cmocka_unit_test(what_is_narrower_is_counted_into_its_column),
		cmocka_unit_test(time_that_reaches_into_the_next_column_is_shown_there),
		cmocka_unit_test(slices_are_clipped_to_the_window),
		cmocka_unit_test(nested_ranges_stand_below_each_other),
		cmocka_unit_test(ranges_deeper_than_the_picture_are_counted_into_its_lowest_level),
		cmocka_unit_test(covered_time_is_the_same_in_picture_and_trace),
		cmocka_unit_test(memory_grows_with_columns_and_not_with_slices),
		cmocka_unit_test(devices_come_first_when_there_are_too_many_rows),
		cmocka_unit_test(lanes_without_anything_in_the_window_are_no_rows),
		cmocka_unit_test(a_counter_holds_until_its_next_value),
		cmocka_unit_test(without_a_window_the_span_of_the_trace_is_drawn),
		cmocka_unit_test(a_trace_without_times_has_an_empty_picture),
		cmocka_unit_test(no_memory_is_an_error),
	};

	return cmocka_run_group_tests_name("picture", tests, NULL, NULL);
}
