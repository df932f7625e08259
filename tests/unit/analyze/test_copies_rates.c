/* SPDX-License-Identifier: Apache-2.0
 *
 * Durations of copies: which are believed, which rate is published, and that a sum of them never
 * is. Also sizes by the hundred thousand, spilling, and the order of rows.
 */
#include "copies_world.h"

#include <errno.h>

#include "evidence/value.h"

#define MIB INT64_C(1048576)
#define GIB (1024 * MIB)

static const struct ks_copy_group *group_of(const struct world *w, int64_t kind, int64_t bytes)
{
	for (size_t i = 0; i < w->t.n_copy_groups; i++) {
		if (w->t.copy_group[i].kind == kind && w->t.copy_group[i].bytes == bytes)
			return &w->t.copy_group[i];
	}
	fail_msg("no group of kind %d and %lld bytes", (int)kind, (long long)bytes);
	return w->t.copy_group;
}

/* --- what is believed ----------------------------------------------------------------------------
 */

/* The staged rows of contract 06 §14: 1 GiB in 80 us would be 13,000 GB/s. */
static void the_rate_is_of_the_median_of_the_rows_that_are_possible(void **state)
{
	static const ks_ns duration[] = { 80594, 100000000, 50000000, 80000, 60000000, 0 };
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	for (size_t i = 0; i < KS_ARRAY_LEN(duration); i++)
		world_copy(&w, KS_COPY_HTOD, GIB, duration[i]);
	then_answered(&w);
	const struct ks_copy_group *g = group_of(&w, KS_COPY_HTOD, GIB);

	assert_int_equal(g->count, 6);
	assert_int_equal(g->max_ns, 100000000);
	assert_int_equal(g->median_ns, 60000000); /* of 50, 60 and 100 ms */
	expect_near(g->gb_per_s, 10.73741824, 1e-12);
	expect_near(g->typical_gb_per_s, 1.073741824 / 0.06, 1e-12);
	expect_real(ledger(&w, "est__copy_htod_1gb_gbs"), 1.073741824 / 0.06);
	assert_int_equal(ledger(&w, "est__copy_htod_1gb_gbs")->prov, KS_PROV_ESTIMATED);
	assert_int_equal(ks_copies_facts(w.a.copies)->bad_time_rows, 1);
	world_close(&w);
}

static void an_even_number_of_rows_has_the_mean_of_the_middle_two(void **state)
{
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	world_copy(&w, KS_COPY_HTOD, 10 * MIB, 4000000);
	world_copy(&w, KS_COPY_HTOD, 10 * MIB, 1000000);
	world_copy(&w, KS_COPY_HTOD, 10 * MIB, 2000001);
	world_copy(&w, KS_COPY_HTOD, 10 * MIB, 9000000);
	then_answered(&w);
	assert_int_equal(w.t.copy_group[0].median_ns, 3000000);
	expect_near(w.t.copy_group[0].typical_gb_per_s, 10485760.0 / 3000000.5, 1e-12);
	world_close(&w);
}

static void the_guard_depends_on_what_the_copy_crosses(void **state)
{
	static const struct {
		int64_t kind, bandwidth;
		double limit;
	} row[] = {
		{ KS_COPY_HTOD, 1000000000000, 512.0 },
		{ KS_COPY_DTOH, 1000000000000, 512.0 },
		{ KS_COPY_HTOH, 1000000000000, 512.0 },
		{ KS_COPY_HTOA, 1000000000000, 512.0 },
		{ KS_COPY_DTOD, 1000000000000, 510.0 },
		{ KS_COPY_ATOA, 1000000000000, 510.0 },
		{ KS_COPY_ATOD, 1000000000000, 510.0 },
		{ KS_COPY_DTOA, 1000000000000, 510.0 },
		{ KS_COPY_PTOP, 1000000000000, 1020.0 },
		{ KS_COPY_DTOD, KS_UNKNOWN, 512.0 },
		{ KS_COPY_DTOD, 0, 512.0 },
		{ KS_COPY_PTOP, KS_UNKNOWN, 512.0 },
		{ 17, 1000000000000, 512.0 },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(row); i++)
		expect_near(ks_copy_limit_gb_per_s(row[i].kind, row[i].bandwidth), row[i].limit,
			    1e-12);
}

static void a_device_copy_faster_than_half_the_memory_is_refused(void **state)
{
	struct world w;

	(void)state;
	world_open(&w, 1, 1000000000000);		   /* 1000 GB/s: copies at most 510 */
	world_copy(&w, KS_COPY_DTOD, 511000000, 1000000);  /* 511 GB/s */
	world_copy(&w, KS_COPY_DTOD, 509000000, 1000000);  /* 509 GB/s */
	world_copy(&w, KS_COPY_HTOD, 1024000000, 2000000); /* 512 GB/s exactly */
	then_answered(&w);
	const struct ks_ev *fast = ledger(&w, "est__copy_dtod_487p3mb_gbs");

	expect_refused(fast, KS_REFUSAL_MEMCPY_DURATION_UNTRUSTED);
	expect_near(seen(fast, "gb_per_s"), 511.0, 1e-12);
	assert_int_equal(fast->refused->n_threshold, 1);
	expect_near(fast->refused->threshold[0].value.d, 510.0, 1e-12);
	expect_real(ledger(&w, "est__copy_dtod_485p4mb_gbs"), 509.0);
	expect_real(ledger(&w, "est__copy_htod_976p6mb_gbs"), 512.0);
	world_close(&w);
}

/* 1500 GB/s is possible on many a device; without its bandwidth nobody can say. */
static void a_device_copy_that_cannot_be_checked_says_so(void **state)
{
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	world_copy(&w, KS_COPY_DTOD, 1500 * MIB, 1048576);
	world_copy(&w, KS_COPY_HTOD, 1500 * MIB, 1048576);
	w.work[0].copies = 2;
	then_answered(&w);
	assert_int_equal(ledger(&w, "est__copy_dtod_1p5gb_gbs")->refused->message.id,
			 KS_TEXT_AN_COPY_UNCHECKED);
	assert_int_equal(ledger(&w, "est__copy_htod_1p5gb_gbs")->refused->message.id,
			 KS_TEXT_AN_COPY_TOO_FAST);
	world_close(&w);
}

/* The same size on a fast and a slow device: each row is judged by its own. */
static void each_row_is_judged_by_its_own_device(void **state)
{
	struct world w;
	struct ks_copy row = world_row(KS_COPY_DTOD, 100000000, 1000000); /* 100 GB/s */

	(void)state;
	world_open(&w, 2, 0);
	w.a.devices.gpu[0].memory_bandwidth = 1000000000000;
	w.a.devices.gpu[1].memory_bandwidth = 100000000000; /* at most 51 GB/s */
	world_add(&w, &row);
	row.device = 1;
	world_add(&w, &row);
	row.end_ns = row.start_ns + 4000000; /* 25 GB/s */
	world_add(&w, &row);
	then_answered(&w);
	assert_int_equal(w.t.copy_group[0].count, 3);
	assert_int_equal(w.t.copy_group[0].median_ns, 2500000); /* of 1 and 4 ms */
	world_close(&w);
}

/* --- what is published ---------------------------------------------------------------------------
 */

static void only_the_four_largest_of_a_mebibyte_and_more_have_a_rate(void **state)
{
	static const struct {
		int64_t bytes;
		const char *name;
		bool published;
	} row[] = {
		{ 3 * GIB / 2, "est__copy_htod_1p5gb_gbs", true },
		{ 200 * MIB, "est__copy_htod_200mb_gbs", true },
		{ 3 * MIB / 2, "est__copy_htod_1p5mb_gbs", true },
		{ MIB + 1024, "est__copy_htod_1mb_gbs", true },
		{ MIB, "est__copy_htod_1048576b_gbs", false }, /* the fifth */
	};
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	for (size_t i = KS_ARRAY_LEN(row); i-- > 0;)
		world_copy(&w, KS_COPY_HTOD, row[i].bytes, 1000000000);
	then_answered(&w);
	for (size_t i = 0; i < KS_ARRAY_LEN(row); i++) {
		assert_int_equal(w.t.copy_group[i].bytes, row[i].bytes);
		assert_int_equal(in_ledger(&w, row[i].name), row[i].published);
	}
	world_close(&w);
}

static void smaller_copies_have_none(void **state)
{
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	world_copy(&w, KS_COPY_HTOD, MIB - 1, 1000000);
	then_answered(&w);
	assert_int_equal(w.t.n_copy_groups, 1);
	assert_true(w.t.copy_group[0].typical_gb_per_s > 0.0);
	for (size_t id = 1; id <= ks_store_count(w.r.ev); id++)
		assert_int_not_equal(ks_ev_get(w.r.ev, (ks_id)id)->metric,
				     KS_METRIC_EST_COPY_KIND_SIZE_GBS);
	world_close(&w);
}

static void two_sizes_of_one_label_have_two_names(void **state)
{
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	world_copy(&w, KS_COPY_DTOH, 3 * GIB + 5, 1000000000);
	world_copy(&w, KS_COPY_DTOH, 3 * GIB, 2000000000);
	then_answered(&w);
	expect_real(ledger(&w, "est__copy_dtoh_3gb_gbs"), 3.221225477);
	expect_real(ledger(&w, "est__copy_dtoh_3221225472b_gbs"), 1.610612736);
	world_close(&w);
}

static void the_sum_of_durations_is_always_refused(void **state)
{
	struct world w;
	const struct ks_ev *row;

	(void)state;
	world_open(&w, 1, 0);
	world_copy(&w, KS_COPY_HTOD, 3000, 1000);
	world_copy(&w, KS_COPY_DTOH, 9000, 2000);
	world_copy(&w, KS_COPY_DTOH, KS_UNKNOWN, 1000);
	then_answered(&w);
	row = ledger(&w, "ks__comm_time_sum_ns");
	expect_refused(row, KS_REFUSAL_MEMCPY_DURATION_UNTRUSTED);
	expect_near(seen(row, "bytes"), 12000.0, 0.0);
	expect_near(seen(row, "sum_ns"), 4000.0, 0.0);
	expect_near(seen(row, "implied_gbs_if_summed"), 3.0, 1e-12);
	world_close(&w);
}

static void rows_without_a_duration_have_no_rate(void **state)
{
	static const ks_ns end[] = { 1000, 900, KS_UNKNOWN }; /* the start is 1000 */
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	for (size_t i = 0; i < KS_ARRAY_LEN(end); i++) {
		struct ks_copy row = world_row(KS_COPY_HTOD, 2 * MIB, 0);

		row.end_ns = end[i];
		world_add(&w, &row);
	}
	then_answered(&w);
	assert_int_equal(w.t.copy_group[0].count, 3);
	assert_int_equal(w.t.copy_group[0].max_ns, 0);
	assert_true(w.t.copy_group[0].gb_per_s < 0.0);
	expect_refused(ledger(&w, "est__copy_htod_2mb_gbs"), KS_REFUSAL_MEMCPY_DURATION_UNTRUSTED);
	assert_int_equal(ledger(&w, "est__copy_htod_2mb_gbs")->refused->n_observed, 3);
	world_close(&w);
}

static void a_copy_of_nothing_has_no_rate(void **state)
{
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	world_copy(&w, KS_COPY_HTOD, 0, 1000);
	then_answered(&w);
	assert_int_equal(w.t.copy_group[0].max_ns, 1000);
	assert_true(w.t.copy_group[0].gb_per_s < 0.0);
	expect_int(ledger(&w, "ks__comm_bytes_total"), 0);
	world_close(&w);
}

/* --- order and size ------------------------------------------------------------------------------
 */

#define ROWS 3000

static void make_rows(struct ks_copy *row)
{
	uint64_t seed = 88172645463325252u;

	for (size_t i = 0; i < ROWS; i++) {
		row[i] = world_row((int64_t)(next_random(&seed) % 14),
				   (int64_t)(next_random(&seed) % 40) * 100000,
				   (ks_ns)(next_random(&seed) % 100000));
		row[i].device = (int64_t)(next_random(&seed) % 3);
		row[i].src_kind = (int64_t)(next_random(&seed) % 3);
		row[i].src_device = (int64_t)(next_random(&seed) % 3);
		row[i].dst_device = (int64_t)(next_random(&seed) % 3);
		row[i].cause = (int64_t)(next_random(&seed) % 7);
	}
}

static void shuffle(struct ks_copy *row)
{
	uint64_t seed = 424242;

	for (size_t i = ROWS; i-- > 1;) {
		const size_t k = (size_t)(next_random(&seed) % (i + 1));
		const struct ks_copy keep = row[i];

		row[i] = row[k];
		row[k] = keep;
	}
}

static void rows_in_another_order_give_the_same_answer(void **state)
{
	static struct ks_copy row[ROWS];
	struct world w[2];

	(void)state;
	make_rows(row);
	for (int round = 0; round < 2; round++) {
		world_open(&w[round], 3, 900000000000);
		for (size_t i = 0; i < ROWS; i++)
			world_add(&w[round], &row[i]);
		then_answered(&w[round]);
		shuffle(row);
	}
	assert_int_equal(w[0].t.n_copy_groups, w[1].t.n_copy_groups);
	assert_memory_equal(w[0].t.copy_group, w[1].t.copy_group,
			    w[0].t.n_copy_groups * sizeof(struct ks_copy_group));
	assert_int_equal(w[0].t.n_copy_kinds, w[1].t.n_copy_kinds);
	for (size_t i = 0; i < w[0].t.n_copy_kinds; i++) {
		assert_true(ks_str_eq(w[0].t.copy_kind[i].kind, w[1].t.copy_kind[i].kind));
		assert_int_equal(w[0].t.copy_kind[i].bytes, w[1].t.copy_kind[i].bytes);
		assert_int_equal(w[0].t.copy_kind[i].total_ns, w[1].t.copy_kind[i].total_ns);
	}
	assert_int_equal(ks_store_count(w[0].r.ev), ks_store_count(w[1].r.ev));
	for (ks_id id = 1; id <= ks_store_count(w[0].r.ev); id++)
		assert_true(ks_value_same(&ks_ev_get(w[0].r.ev, id)->value,
					  &ks_ev_get(w[1].r.ev, id)->value));
	world_close(&w[0]);
	world_close(&w[1]);
}

static void two_hundred_thousand_sizes_are_groups_of_their_own(void **state)
{
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	for (int64_t i = 0; i < 200000; i++)
		world_copy(&w, KS_COPY_DTOH, 1 + (i * 7919) % 200000, 100000);
	then_answered(&w);
	assert_int_equal(w.t.n_copy_groups, 200000);
	assert_int_equal(w.t.copy_group[0].bytes, 200000);
	assert_int_equal(w.t.copy_group[199999].bytes, 1);
	assert_int_equal(ks_copies_facts(w.a.copies)->folded_sizes, 0);
	expect_int(ledger(&w, "ks__comm_bytes_total"), INT64_C(200000) * 200001 / 2);
	world_close(&w);
}

/* Sizes past the ceiling are added up per kind: every row is still counted once. */
static void sizes_past_the_ceiling_are_added_up(void **state)
{
	const int64_t max = ks_limit(KS_LIMIT_COPY_GROUPS), more = 1000;
	struct world w;
	uint64_t rows = 0;

	(void)state;
	world_open(&w, 1, 0);
	for (int64_t i = 1; i <= max + more; i++)
		world_copy(&w, i % 2 ? KS_COPY_HTOD : KS_COPY_DTOH, i, i);
	then_answered(&w);
	assert_int_equal(w.t.n_copy_groups, (size_t)max + 2);
	for (size_t i = 0; i < w.t.n_copy_groups; i++)
		rows += w.t.copy_group[i].count;
	assert_int_equal(rows, (uint64_t)(max + more));
	assert_int_equal(w.t.copy_group[max - 1].bytes, more + 1);
	const struct ks_copy_group *htod = &w.t.copy_group[max], *dtoh = &w.t.copy_group[max + 1];

	assert_true(htod->bytes == KS_UNKNOWN && dtoh->bytes == KS_UNKNOWN);
	assert_int_equal(htod->count, 500);
	assert_int_equal(dtoh->count, 500);
	assert_int_equal(dtoh->max_ns, more);
	assert_true(htod->gb_per_s < 0.0);
	assert_int_equal(ks_copies_facts(w.a.copies)->folded_sizes, (uint64_t)more);
	world_close(&w);
}

/* More than fit into the budget: durations 1 us to N us, so that the median is known. */
static void spilled_rows_have_the_same_median(void **state)
{
	const int64_t n = ks_limit(KS_LIMIT_COPY_SPILL_BYTES) / 24 + 100001;
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	for (int64_t i = 0; i < n; i++)
		world_copy(&w, KS_COPY_HTOD, 100, 1000 * (1 + (i * 48611) % n));
	then_answered(&w);
	assert_int_equal(w.t.n_copy_groups, 1);
	assert_int_equal(w.t.copy_group[0].count, (uint64_t)n);
	assert_int_equal(w.t.copy_group[0].max_ns, 1000 * n);
	assert_int_equal(w.t.copy_group[0].median_ns, n % 2 ? 1000 * (n + 1) / 2 : 500 * (n + 1));
	world_close(&w);
}

static int no_open(const char *path, int flags, mode_t mode)
{
	(void)path;
	(void)flags;
	(void)mode;
	errno = EACCES;
	return -1;
}

static void a_spill_that_fails_is_told(void **state)
{
	const int64_t n = ks_limit(KS_LIMIT_COPY_SPILL_BYTES) / 24 + 10;
	struct ks_io io = ks_io_system;
	struct ks_copies *c;
	struct ks_err err;
	enum ks_status st = KS_OK;

	(void)state;
	ks_err_init(&err);
	io.sys_open = no_open;
	c = ks_copies_open(&io);
	for (int64_t i = 0; i < n && st == KS_OK; i++) {
		const struct ks_copy row = world_row(KS_COPY_HTOD, i, 10);

		st = ks_copies_add(c, &row, 0, true, &err);
	}
	assert_int_equal(st, KS_E_ENV);
	ks_copies_close(c);
}

static void too_many_paths_name_the_limit(void **state)
{
	struct world w;
	enum ks_status st = KS_OK;

	(void)state;
	world_open(&w, 1, 0);
	for (int64_t i = 0; st == KS_OK && i <= ks_limit(KS_LIMIT_COPY_PATHS); i++) {
		const struct ks_copy row = world_row(100 + i, 1, 10);

		st = ks_copies_add(w.a.copies, &row, 0, true, &w.err);
	}
	assert_int_equal(st, KS_E_INPUT);
	assert_int_equal(w.err.text, KS_TEXT_ERR_AN_TOO_MANY);
	assert_string_equal(w.err.arg[0], "COPY_PATHS");
	world_close(&w);
}

static void running_out_of_memory_is_told(void **state)
{
	struct world w;
	struct ks_arena tiny;

	(void)state;
	world_open(&w, 1, 0);
	world_copy(&w, KS_COPY_HTOD, 100, 10);
	ks_arena_init(&tiny, 16);
	w.a.arena = &tiny;
	assert_int_equal(world_answered(&w), KS_E_ENV);
	assert_int_equal(w.err.text, KS_TEXT_ERR_NO_MEMORY);
	ks_arena_release(&tiny);
	world_close(&w);
}

int test_copies_rates(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rate_is_of_the_median_of_the_rows_that_are_possible),
		cmocka_unit_test(an_even_number_of_rows_has_the_mean_of_the_middle_two),
		cmocka_unit_test(the_guard_depends_on_what_the_copy_crosses),
		cmocka_unit_test(a_device_copy_faster_than_half_the_memory_is_refused),
		cmocka_unit_test(a_device_copy_that_cannot_be_checked_says_so),
		cmocka_unit_test(each_row_is_judged_by_its_own_device),
		cmocka_unit_test(only_the_four_largest_of_a_mebibyte_and_more_have_a_rate),
		cmocka_unit_test(smaller_copies_have_none),
		cmocka_unit_test(two_sizes_of_one_label_have_two_names),
		cmocka_unit_test(the_sum_of_durations_is_always_refused),
		cmocka_unit_test(rows_without_a_duration_have_no_rate),
		cmocka_unit_test(a_copy_of_nothing_has_no_rate),
		cmocka_unit_test(rows_in_another_order_give_the_same_answer),
		cmocka_unit_test(two_hundred_thousand_sizes_are_groups_of_their_own),
		cmocka_unit_test(sizes_past_the_ceiling_are_added_up),
		cmocka_unit_test(spilled_rows_have_the_same_median),
		cmocka_unit_test(a_spill_that_fails_is_told),
		cmocka_unit_test(too_many_paths_name_the_limit),
		cmocka_unit_test(running_out_of_memory_is_told),
	};

	return cmocka_run_group_tests_name("copies: rates", tests, NULL, NULL);
}
