/* SPDX-License-Identifier: Apache-2.0
 *
 * Walking a value back: order, depth, repeated inputs, and what happens when the walk is cut or
 * ended.
 */
#include "all.h"

#include "evidence/lineage.h"

struct trail { /* "a(b(c)d)" of ids, '*' behind a repeated one, '!' behind a cut one */
	struct ks_buf b;
	size_t stop_after; /* 0: never */
	size_t entered;
};

static enum ks_status enter(void *arg, const struct ks_lineage_step *s, struct ks_err *err)
{
	struct trail *t = arg;

	(void)err;
	ks_buf_fmt(&t->b, "%s%u%s%s%s", s->index > 0 ? "," : "", s->id, s->repeated ? "*" : "",
		   s->cut ? "!" : "", s->has_children ? "(" : "");
	t->entered++;
	return t->stop_after == t->entered ? KS_E_OUTPUT : KS_OK;
}

static enum ks_status leave(void *arg, const struct ks_lineage_step *s, struct ks_err *err)
{
	struct trail *t = arg;

	(void)err;
	if (s->has_children)
		ks_buf_ch(&t->b, ')');
	return KS_OK;
}

static const struct ks_lineage_visitor visitor = { enter, leave };

static void expect_trail(struct bench *b, ks_id id, const char *text)
{
	struct trail t = { 0 };

	ks_buf_init(&t.b, 1u << 16);
	assert_int_equal(ks_lineage_walk(b->ev, id, &visitor, &t, NULL), KS_OK);
	assert_string_equal(ks_buf_text(&t.b), text);
	ks_buf_release(&t.b);
}

static void a_value_leads_back_to_what_was_read(void **state)
{
	struct bench b;

	(void)state;
	bench_start(&b);
	ks_id total = given_total(&b, 9.0); /* 1 */
	ks_id count = given_count(&b, 3);   /* 2 */
	ks_id mean = given_derived(&b, KS_METRIC_KS_LAUNCH_TIME_P50, 3.0, (ks_id[]){ total, count },
				   2); /* 3 */
	ks_id top = given_derived(&b, KS_METRIC_KS_GRID_WAVES, 1.0, (ks_id[]){ mean, count },
				  2); /* 4 */

	expect_trail(&b, total, "1");
	expect_trail(&b, mean, "3(1,2)");
	expect_trail(&b, top, "4(3(1,2),2*)");
	bench_end(&b);
}

static enum ks_status check_origin(void *arg, const struct ks_lineage_step *s, struct ks_err *err)
{
	(void)arg;
	(void)err;
	if (s->depth == 0) {
		assert_string_equal(s->formula,
				    ks_metric_info(KS_METRIC_KS_LAUNCH_TIME_P50)->formula);
		assert_true(strlen(s->formula) > 0);
		assert_int_equal(s->siblings, 1);
	} else {
		assert_int_equal(s->depth, 1);
		assert_int_equal(s->siblings, 2);
		expect_str(s->ev->origin->table, "CUPTI_ACTIVITY_KIND_KERNEL");
	}
	return KS_OK;
}

static void each_step_names_formula_and_origin(void **state)
{
	struct bench b;

	(void)state;
	bench_start(&b);
	ks_id in[2] = { given_total(&b, 9.0), given_count(&b, 3) };
	ks_id mean = given_derived(&b, KS_METRIC_KS_LAUNCH_TIME_P50, 3.0, in, 2);
	const struct ks_lineage_visitor v = { check_origin, NULL };

	assert_int_equal(ks_lineage_walk(b.ev, mean, &v, NULL, NULL), KS_OK);
	bench_end(&b);
}

static void a_chain_beyond_the_limit_is_cut_and_says_so(void **state)
{
	struct bench b;
	struct trail t = { 0 };

	(void)state;
	bench_start(&b);
	ks_id id = given_total(&b, 1.0);

	for (int i = 0; i < 1000; i++)
		id = given_derived(&b, KS_METRIC_KS_LAUNCH_TIME_P50, 1.0, &id, 1);
	ks_buf_init(&t.b, 1u << 16);
	assert_int_equal(ks_lineage_walk(b.ev, id, &visitor, &t, NULL), KS_OK);
	assert_int_equal(t.entered, KS_LINEAGE_DEPTH);
	assert_non_null(strchr(ks_buf_text(&t.b), '!'));
	ks_buf_release(&t.b);
	bench_end(&b);
}

static void a_lattice_is_walked_once_per_row(void **state)
{
	struct bench b;
	struct trail t = { 0 };

	(void)state;
	bench_start(&b);
	ks_id a = given_total(&b, 1.0), c = given_total(&b, 2.0);

	/* each pair is made from both of the pair before: 2^30 paths, 62 rows */
	for (int i = 0; i < 30; i++) {
		ks_id in[2] = { a, c };

		a = given_derived(&b, KS_METRIC_KS_LAUNCH_TIME_P50, 1.0, in, 2);
		c = given_derived(&b, KS_METRIC_KS_LAUNCH_TIME_P90, 1.0, in, 2);
	}
	ks_buf_init(&t.b, 1u << 16);
	assert_int_equal(ks_lineage_walk(b.ev, a, &visitor, &t, NULL), KS_OK);
	assert_in_range(t.entered, 60, 130);
	ks_buf_release(&t.b);
	bench_end(&b);
}

static void a_visitor_can_end_the_walk(void **state)
{
	struct bench b;
	struct trail t = { .stop_after = 2 };

	(void)state;
	bench_start(&b);
	ks_id in[2] = { given_total(&b, 9.0), given_count(&b, 3) };
	ks_id mean = given_derived(&b, KS_METRIC_KS_LAUNCH_TIME_P50, 3.0, in, 2);

	ks_buf_init(&t.b, 1u << 16);
	assert_int_equal(ks_lineage_walk(b.ev, mean, &visitor, &t, NULL), KS_E_OUTPUT);
	assert_string_equal(ks_buf_text(&t.b), "3(1");
	ks_buf_release(&t.b);
	bench_end(&b);
}

static void an_unknown_row_is_an_error(void **state)
{
	struct bench b;
	struct ks_err err;

	(void)state;
	bench_start(&b);
	ks_err_init(&err);
	assert_int_equal(ks_lineage_walk(b.ev, 1, &visitor, NULL, &err), KS_E_INTERNAL);
	assert_string_equal(err.arg[0], "1");
	bench_end(&b);
}

/* As in a report made by hand: later rows as inputs, a circle, the row itself, ids of nothing. */
static void a_circle_of_re_read_rows_is_walked_once(void **state)
{
	struct bench b;

	(void)state;
	bench_start(&b);
	ks_id a = given_total(&b, 9.0), c = given_count(&b, 3);

	ks_ev_relink(b.ev, a, (ks_id[]){ c, a, 0, 99 }, 4);
	ks_ev_relink(b.ev, c, (ks_id[]){ a }, 1);
	assert_int_equal(ks_ev_get(b.ev, a)->n_inputs, 1);
	expect_trail(&b, a, "1(2(1*))");
	ks_ev_relink(b.ev, 99, (ks_id[]){ a }, 1);
	assert_int_equal(ks_store_count(b.ev), 2);
	bench_end(&b);
}

int test_lineage(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_value_leads_back_to_what_was_read),
		cmocka_unit_test(each_step_names_formula_and_origin),
		cmocka_unit_test(a_chain_beyond_the_limit_is_cut_and_says_so),
		cmocka_unit_test(a_lattice_is_walked_once_per_row),
		cmocka_unit_test(a_visitor_can_end_the_walk),
		cmocka_unit_test(a_circle_of_re_read_rows_is_walked_once),
		cmocka_unit_test(an_unknown_row_is_an_error),
	};

	return cmocka_run_group_tests_name("lineage", tests, NULL, NULL);
}
