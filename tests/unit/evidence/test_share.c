/* SPDX-License-Identifier: Apache-2.0
 *
 * What rows have alike is kept once, and only then: one differing word, number or row count keeps
 * them apart, and what was lent to the store is never held on to.
 */
#include "all.h"

static const struct ks_refused *refused_over(struct bench *b, const char *section, double needed)
{
	char lent[32];

	(void)snprintf(lent, sizeof(lent), "%s", section);
	const struct ks_kv seen = { KS_LIT("section"), KS_VAL_TEXT(ks_str_c(lent)) };
	const struct ks_kv limit = { KS_LIT("needed"), KS_VAL_REAL(needed) };
	ks_id id = ks_ev_refuse(b->ev,
				&(struct ks_ev_spec){ .metric = KS_METRIC_LAUNCH_GRID_SIZE,
						      .subject = KS_LIT("k") },
				&(struct ks_refuse_spec){ .code = KS_REFUSAL_METRIC_ABSENT,
							  .observed = &seen,
							  .n_observed = 1,
							  .threshold = &limit,
							  .n_threshold = 1 });

	memset(lent, 'x', sizeof(lent) - 1);
	return ks_ev_get(b->ev, id)->refused;
}

static void refusals_that_say_the_same_are_one(void **state)
{
	struct bench b;

	(void)state;
	bench_start(&b);
	const struct ks_refused *first = refused_over(&b, "SchedulerStats", 2.5);

	assert_ptr_equal(refused_over(&b, "SchedulerStats", 2.5), first);
	assert_ptr_not_equal(refused_over(&b, "SchedulerStatz", 2.5), first);
	assert_ptr_not_equal(refused_over(&b, "SchedulerStats", 2.6), first);
	expect_str(first->observed[0].value.s, "SchedulerStats");
	bench_end(&b);
}

/* More of them than the store finds again: each keeps its own words all the same. */
static void many_refusals_keep_their_own_words(void **state)
{
	const struct ks_refused *kept[2000];
	char name[32];
	struct bench b;

	(void)state;
	bench_start(&b);
	for (int i = 0; i < 2000; i++) {
		(void)snprintf(name, sizeof(name), "section %d", i);
		kept[i] = refused_over(&b, name, i);
	}
	for (int i = 0; i < 2000; i++) {
		(void)snprintf(name, sizeof(name), "section %d", i);
		expect_str(kept[i]->observed[0].value.s, name);
		expect_double(kept[i]->threshold[0].value.d, i);
	}
	bench_end(&b);
}

static void rows_read_from_one_place_share_it(void **state)
{
	struct bench b;

	(void)state;
	bench_start(&b);
	const struct ks_ev *five = ks_ev_get(b.ev, given_count(&b, 5));
	const struct ks_ev *total = ks_ev_get(b.ev, given_total(&b, 1.0)); /* other columns */
	const struct ks_ev *six = ks_ev_get(b.ev, given_count(&b, 6));

	assert_ptr_equal(ks_ev_get(b.ev, given_count(&b, 5))->origin, five->origin);
	assert_ptr_not_equal(total->origin, five->origin);
	assert_ptr_not_equal(six->origin, five->origin);
	assert_int_equal(six->origin->rows, 6);
	expect_str(total->origin->columns, "start,end");
	bench_end(&b);
}

static void a_row_that_was_read_nowhere_has_an_empty_origin(void **state)
{
	struct bench b;

	(void)state;
	bench_start(&b);
	ks_id total = given_total(&b, 1.0);
	ks_id waves = given_derived(&b, KS_METRIC_KS_GRID_WAVES, 4.0, &total, 1);

	assert_int_equal(ks_ev_get(b.ev, waves)->origin->table.n, 0);
	assert_int_equal(ks_ev_get(b.ev, waves)->origin->rows, 0);
	bench_end(&b);
}

/* The first row of a name and subject is the one that is found, however many there are. */
static void each_of_many_rows_is_found_by_name_and_subject(void **state)
{
	char subject[32];
	struct bench b;

	(void)state;
	bench_start(&b);
	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < 5000; i++) {
			int n = snprintf(subject, sizeof(subject), "kernel %d", i);
			const struct ks_ev_spec spec = {
				.metric = KS_METRIC_KS_LAUNCH_COUNT,
				.subject = { subject, (size_t)n },
				.origin = { KS_LIT("T"), KS_LIT("c"), 1 },
			};

			assert_int_equal(ks_ev_exact(b.ev, &spec, KS_VAL_INT(i)),
					 pass * 5000 + i + 1);
		}
	}
	for (int i = 0; i < 5000; i++) {
		(void)snprintf(subject, sizeof(subject), "kernel %d", i);
		assert_int_equal(ks_ev_find(b.ev, KS_LIT("ks__launch_count"), ks_str_c(subject)),
				 i + 1);
	}
	assert_int_equal(ks_ev_find(b.ev, KS_LIT("ks__launch_count"), KS_LIT("kernel")), 0);
	assert_int_equal(ks_ev_find(b.ev, KS_LIT("kernel 1"), KS_LIT("ks__launch_count")), 0);
	bench_end(&b);
}

int test_share(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refusals_that_say_the_same_are_one),
		cmocka_unit_test(many_refusals_keep_their_own_words),
		cmocka_unit_test(rows_read_from_one_place_share_it),
		cmocka_unit_test(a_row_that_was_read_nowhere_has_an_empty_origin),
		cmocka_unit_test(each_of_many_rows_is_found_by_name_and_subject),
	};

	return cmocka_run_group_tests_name("share", tests, NULL, NULL);
}
