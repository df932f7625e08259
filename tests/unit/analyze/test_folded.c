/* SPDX-License-Identifier: Apache-2.0
 *
 * Folded stacks over hand-made launches and ranges: which path a launch stands under, and that no
 * nanosecond is lost or counted twice.
 */
#include "all.h"

#include "analyze/analysis.h"
#include "analyze/folded.h"
#include "base/mem.h"

#define THREAD ((int64_t)0x1000000700000008)

struct folded {
	struct ks_arena arena;
	struct ks_analysis *a;
	struct ks_devices devices;
	struct ks_kernel_work kernel[4];
	uint32_t of_group[5];
	struct ks_timeline t;
	struct ks_err err;
	ks_str text[4];
	size_t n_texts;
	ks_ns at; /* where the next launch begins */
};

/* Kernels "alpha" and "beta;x\ny", and a group 2 that was not selected. */
static struct folded *given_kernels(void)
{
	struct folded *f = ks_mem_alloc(sizeof(*f));

	assert_non_null(f);
	ks_arena_init(&f->arena, (size_t)1 << 28);
	f->a = ks_mem_alloc(sizeof(*f->a));
	assert_non_null(f->a);
	f->a->arena = &f->arena;
	ks_launches_init(&f->a->launches, &f->devices);
	f->a->kernel = f->kernel;
	f->kernel[0].name = KS_LIT("alpha");
	f->kernel[1].name = KS_LIT("beta;x\ny");
	f->a->n_kernels = 2;
	f->a->kernel_of_group = f->of_group;
	f->of_group[0] = 0;
	f->of_group[1] = 1;
	f->of_group[2] = 2;
	f->of_group[3] = 0; /* another configuration of alpha */
	for (uint32_t group = 0; group < 4; group++) {
		struct ks_pair_key key = { .group = group, .track = 0 };

		assert_int_equal(ks_map_add(&f->a->launches.pairs, &key, NULL), group);
	}
	f->a->sweep = ks_sweep_open(&ks_io_system, (size_t)1 << 20);
	assert_non_null(f->a->sweep);
	return f;
}

static void released(struct folded *f)
{
	ks_sweep_close(f->a->sweep);
	ks_ranges_close(f->a->ranges);
	ks_launches_release(&f->a->launches);
	ks_arena_release(&f->arena);
	ks_mem_free(f->a);
	ks_mem_free(f);
}

static void given_range(struct folded *f, const char *name, ks_ns start, ks_ns end)
{
	const struct ks_range row = { .start_ns = start,
				      .end_ns = end,
				      .thread = THREAD,
				      .end_thread = KS_UNKNOWN,
				      .type = 59,
				      .name = (ks_nameref)f->n_texts + 1,
				      .schema = KS_UNKNOWN,
				      .value = KS_UNKNOWN };

	if (f->a->ranges == NULL)
		f->a->ranges = ks_ranges_open();
	assert_non_null(f->a->ranges);
	assert_true(f->n_texts < KS_ARRAY_LEN(f->text));
	f->text[f->n_texts] = ks_str_c(name);
	assert_int_equal(ks_ranges_add(f->a->ranges, &row, (uint32_t)f->n_texts, &f->err), KS_OK);
	f->n_texts++;
}

static void given_settled_ranges(struct folded *f)
{
	assert_int_equal(ks_ranges_settle(f->a->ranges, f->text, f->n_texts, &f->err), KS_OK);
}

static void given_run(struct folded *f, uint32_t group, uint32_t segment, ks_ns length)
{
	const struct ks_sweep_row row = { f->at, f->at + length, group, segment };

	assert_int_equal(ks_sweep_launch(f->a->sweep, &row, &f->err), KS_OK);
	f->at += length;
}

/* A launch whose call began at `call`. */
static void given_call(struct folded *f, uint32_t group, ks_ns call, ks_ns length)
{
	const uint32_t segment = ks_ranges_segment(f->a->ranges, THREAD, call);

	given_run(f, group, segment, length);
	ks_ranges_count(f->a->ranges, segment, length);
}

static void when_folded(struct folded *f)
{
	assert_int_equal(ks_sweep_settle(f->a->sweep, &f->err), KS_OK);
	assert_int_equal(ks_folded_make(f->a, &f->t, &f->err), KS_OK);
}

static void expect_line(const struct folded *f, size_t i, const char *stack, ks_ns ns)
{
	assert_true(i < f->t.n_folded);
	if (!ks_str_eqc(f->t.folded[i].stack, stack))
		fail_msg("line %zu is %.*s", i, (int)f->t.folded[i].stack.n,
			 f->t.folded[i].stack.p);
	assert_int_equal(f->t.folded[i].ns, ns);
}

static void without_ranges_everything_stands_under_no_range(void **state)
{
	struct folded *f = given_kernels();

	(void)state;
	given_run(f, 0, KS_SEGMENT_NONE, 10);
	given_run(f, 1, KS_SEGMENT_NONE, 20);
	given_run(f, 3, KS_SEGMENT_NONE, 5);
	given_run(f, 2, KS_SEGMENT_NONE, 1000); /* not selected */
	when_folded(f);
	assert_int_equal(f->t.n_folded, 2);
	expect_line(f, 0, "(no range);alpha", 15);
	expect_line(f, 1, "(no range);beta,x y", 20);
	released(f);
}

static void a_launch_stands_under_the_ranges_open_at_its_call(void **state)
{
	struct folded *f = given_kernels();

	(void)state;
	given_range(f, "step", 0, 100);
	given_range(f, "forward;\npass", 10, 50);
	given_settled_ranges(f);
	given_call(f, 0, 5, 1);
	given_call(f, 0, 20, 10);
	given_call(f, 1, 30, 100);
	given_call(f, 0, 40, 1000);
	given_call(f, 0, 60, 10000);
	given_call(f, 0, 200, 100000); /* after both */
	when_folded(f);
	assert_int_equal(f->t.n_folded, 4);
	expect_line(f, 0, "(no range);alpha", 100000);
	expect_line(f, 1, "step;alpha", 10001);
	expect_line(f, 2, "step;forward, pass;alpha", 1010);
	expect_line(f, 3, "step;forward, pass;beta,x y", 100);
	released(f);
}

static void names_that_become_the_same_are_one_line(void **state)
{
	struct folded *f = given_kernels();

	(void)state;
	f->kernel[0].name = KS_LIT("f;g");
	f->kernel[1].name = KS_LIT("f,g");
	given_run(f, 0, KS_SEGMENT_NONE, 10);
	given_run(f, 1, KS_SEGMENT_NONE, 20);
	when_folded(f);
	assert_int_equal(f->t.n_folded, 1);
	expect_line(f, 0, "(no range);f,g", 30);
	released(f);
}

static void no_nanosecond_is_lost(void **state)
{
	struct folded *f = given_kernels();
	uint64_t seed = 3;
	ks_ns want = 0, got = 0;

	(void)state;
	print_message("seed 3\n");
	given_range(f, "a", 0, 1000);
	given_range(f, "b", 100, 600);
	given_range(f, "c", 500, 900); /* overlaps b without nesting */
	given_settled_ranges(f);
	for (int i = 0; i < 20000; i++) {
		const uint32_t group = (uint32_t)(next_random(&seed) % 4);
		const ks_ns length = 1 + (ks_ns)(next_random(&seed) % 1000);

		given_call(f, group, (ks_ns)(next_random(&seed) % 1200), length);
		want += group != 2 ? length : 0;
	}
	when_folded(f);
	for (size_t i = 0; i < f->t.n_folded; i++) {
		got += f->t.folded[i].ns;
		if (i > 0)
			assert_true(ks_str_cmp(f->t.folded[i - 1].stack, f->t.folded[i].stack) < 0);
	}
	assert_int_equal(got, want);
	released(f);
}

static void no_memory_is_an_error(void **state)
{
	struct folded *f = given_kernels();

	(void)state;
	given_run(f, 0, KS_SEGMENT_NONE, 10);
	f->arena.limit = 8;
	assert_int_equal(ks_sweep_settle(f->a->sweep, &f->err), KS_OK);
	assert_int_equal(ks_folded_make(f->a, &f->t, &f->err), KS_E_ENV);
	released(f);
}

int test_folded(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_ranges_everything_stands_under_no_range),
		cmocka_unit_test(a_launch_stands_under_the_ranges_open_at_its_call),
		cmocka_unit_test(names_that_become_the_same_are_one_line),
		cmocka_unit_test(no_nanosecond_is_lost),
		cmocka_unit_test(no_memory_is_an_error),
	};

	return cmocka_run_group_tests_name("folded", tests, NULL, NULL);
}
