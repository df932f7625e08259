/* SPDX-License-Identifier: Apache-2.0
 *
 * The sorter against qsort: every width, many shapes of input, in memory and spilled, with new keys
 * at the end, and with every system call failing in turn.
 */
#include "all.h"

#include <errno.h>

#include "base/sorter.h"
#include "faulty.h"

#define SMALL_RANGE 24
#define NEAR_REACH  24
#define W	    2
#include "base/sort_width.h"

#define IN_MEMORY (64u << 20)
#define TINY	  1u /* raised to the least budget: 16 KiB, 512 to 2,048 records */

enum shape {
	RANDOM,
	SORTED,
	REVERSED,
	NEARLY,
	EIGHT_RUNS,
	FEW_VALUES,
	ALL_EQUAL,
	ORGAN_PIPE,
	N_SHAPES
};

static uint64_t seed;

static uint64_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static int64_t key_of(enum shape shape, size_t i, size_t n)
{
	const int64_t at = (int64_t)i, all = (int64_t)n;

	switch (shape) {
	case SORTED:
		return at;
	case REVERSED:
		return all - at;
	case NEARLY:
		return at * 10 + (int64_t)(next_random() % 100);
	case EIGHT_RUNS:
		return at % (all / 8 + 1);
	case FEW_VALUES:
		return (int64_t)(next_random() % 3) - 1;
	case ALL_EQUAL:
		return -7;
	case ORGAN_PIPE:
		return at < all / 2 ? at : all - at;
	case RANDOM:
	case N_SHAPES:
		break;
	}
	return (int64_t)next_random();
}

/* n records of `words` words; further words are small, so that they decide between equal first
 * ones. */
static int64_t *given_records(enum shape shape, size_t n, unsigned words)
{
	int64_t *rec = malloc((n ? n : 1) * words * sizeof(*rec));

	assert_non_null(rec);
	seed = 88172645463325252u;
	for (size_t i = 0; i < n; i++) {
		rec[i * words] = key_of(shape, i, n);
		for (unsigned w = 1; w < words; w++)
			rec[i * words + w] = (int64_t)(next_random() % 5) - 2;
	}
	return rec;
}

static int compare(const void *a, const void *b, void *words)
{
	const int64_t *x = a, *y = b;

	for (unsigned i = 0; i < *(const unsigned *)words; i++) {
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	}
	return 0;
}

static void reverse_key(int64_t *rec, void *arg)
{
	rec[0] = *(const int64_t *)arg - rec[0] / 2;
}

static enum ks_status add_all(struct ks_sorter *s, const int64_t *rec, size_t n, unsigned words,
			      struct ks_err *err)
{
	for (size_t i = 0; i < n; i++)
		KS_TRY(ks_sorter_add(s, rec + i * words, err));
	return KS_OK;
}

/* Reads the whole in pieces of an odd size and compares; then once more from the middle. */
static void expect_sequence(struct ks_sorter *s, const int64_t *want, size_t n, unsigned words)
{
	int64_t piece[4 * 333];
	const size_t from[] = { 0, n / 2 };
	struct ks_err err;
	size_t got;

	ks_err_init(&err);
	assert_int_equal(ks_sorter_count(s), n);
	for (size_t k = 0; k < KS_ARRAY_LEN(from); k++) {
		size_t at = from[k];

		do {
			assert_int_equal(ks_sorter_read(s, at, piece, 333, &got, &err), KS_OK);
			assert_memory_equal(piece, want + at * words, got * words * sizeof(*want));
			at += got;
		} while (got > 0);
		assert_int_equal(at, n);
	}
}

static void expect_sorted(enum shape shape, size_t n, unsigned words, size_t budget, bool rekey)
{
	int64_t *rec = given_records(shape, n, words);
	int64_t base = 1000;
	struct ks_sorter *s = ks_sorter_open(&ks_io_system, words, budget);
	struct ks_err err;

	ks_err_init(&err);
	assert_non_null(s);
	assert_int_equal(add_all(s, rec, n, words, &err), KS_OK);
	assert_int_equal(ks_sorter_finish(s, rekey ? reverse_key : NULL, &base, &err), KS_OK);
	for (size_t i = 0; rekey && i < n; i++)
		reverse_key(rec + i * words, &base);
	qsort_r(rec, n, words * sizeof(*rec), compare, &words);
	expect_sequence(s, rec, n, words);
	ks_sorter_close(s);
	free(rec);
}

static void every_shape_and_width_in_memory(void **state)
{
	static const size_t sizes[] = { 0, 1, 2, 3, 24, 25, 26, 100, 5000, 40000 };

	(void)state;
	for (enum shape shape = 0; shape < N_SHAPES; shape++) {
		for (unsigned words = 1; words <= 4; words++) {
			for (size_t i = 0; i < KS_ARRAY_LEN(sizes); i++)
				expect_sorted(shape, sizes[i], words, IN_MEMORY, false);
		}
	}
}

static void every_shape_and_width_spilled(void **state)
{
	/* around one budget of each width, and enough for two passes of three-way merges */
	static const size_t sizes[] = { 511, 512, 513, 683, 1024, 2048, 2049, 30000 };

	(void)state;
	for (enum shape shape = 0; shape < N_SHAPES; shape++) {
		for (unsigned words = 1; words <= 4; words++) {
			for (size_t i = 0; i < KS_ARRAY_LEN(sizes); i++)
				expect_sorted(shape, sizes[i], words, TINY, false);
		}
	}
}

static void new_keys_at_the_end_decide_the_order(void **state)
{
	(void)state;
	for (enum shape shape = 0; shape < N_SHAPES; shape++) {
		expect_sorted(shape, 20000, 2, IN_MEMORY, true);
		expect_sorted(shape, 20000, 3, TINY, true);
		expect_sorted(shape, 100, 4, TINY, true);
	}
}

static void extreme_words_keep_their_order(void **state)
{
	static const int64_t in[] = { 0, INT64_MAX, INT64_MIN, -1, 1, INT64_MIN, INT64_MAX };
	static const int64_t want[] = { INT64_MIN, INT64_MIN, -1, 0, 1, INT64_MAX, INT64_MAX };
	struct ks_sorter *s = ks_sorter_open(&ks_io_system, 1, IN_MEMORY);

	(void)state;
	assert_non_null(s);
	assert_int_equal(add_all(s, in, 7, 1, NULL), KS_OK);
	assert_int_equal(ks_sorter_finish(s, NULL, NULL, NULL), KS_OK);
	expect_sequence(s, want, 7, 1);
	ks_sorter_close(s);
	ks_sorter_close(NULL);
}

/* The way out of quicksort's bad cases, which no ordinary input takes. */
static void heapsort_sorts_as_well(void **state)
{
	unsigned words = 2;

	(void)state;
	for (enum shape shape = 0; shape < N_SHAPES; shape++) {
		for (size_t n = 0; n < 300; n = n * 2 + 1) {
			int64_t *rec = given_records(shape, n, 2),
				*want = given_records(shape, n, 2);

			heapsort_2((struct rec2 *)(void *)rec, n);
			qsort_r(want, n, 2 * sizeof(*want), compare, &words);
			assert_memory_equal(rec, want, n * 2 * sizeof(*rec));
			sort_2(rec, n);
			assert_memory_equal(rec, want, n * 2 * sizeof(*rec));
			free(rec);
			free(want);
		}
	}
}

static void zigzags_and_runs_that_interleave_end_in_a_moment(void **state)
{
	const size_t n = 200000;
	int64_t *rec = malloc(n * sizeof(*rec));
	unsigned words = 1;
	struct ks_sorter *s = ks_sorter_open(&ks_io_system, 1, IN_MEMORY);

	(void)state;
	assert_non_null(rec);
	assert_non_null(s);
	for (size_t i = 0; i < n; i++)
		rec[i] = (int64_t)(i % 2 ? i : n - i);
	assert_int_equal(add_all(s, rec, n, 1, NULL), KS_OK);
	assert_int_equal(ks_sorter_finish(s, NULL, NULL, NULL), KS_OK);
	qsort_r(rec, n, sizeof(*rec), compare, &words);
	expect_sequence(s, rec, n, 1);
	ks_sorter_close(s);
	free(rec);
}

static void a_file_is_made_only_when_the_budget_is_spent(void **state)
{
	int64_t *rec = given_records(RANDOM, 1025, 2);
	struct ks_sorter *s = ks_sorter_open(&faulty_io, 2, TINY);
	struct ks_err err;

	(void)state;
	ks_err_init(&err);
	assert_non_null(s);
	faulty = (struct faulty){ 0 };
	assert_int_equal(add_all(s, rec, 1024, 2, &err), KS_OK);
	assert_int_equal(faulty.calls, 0);
	assert_int_equal(add_all(s, rec + 2048, 1, 2, &err), KS_OK);
	assert_int_equal(faulty.calls, 2); /* open, pwrite */
	ks_sorter_close(s);
	free(rec);
}

/* The n-th call fails: the sorter says so, or (when the close of an old file failed) goes on. */
static bool fail_at(int n, const int64_t *rec, const int64_t *want, size_t count, bool rekey)
{
	struct ks_sorter *s = ks_sorter_open(&faulty_io, 3, TINY);
	int64_t base = 1000;
	struct ks_err err;

	ks_err_init(&err);
	assert_non_null(s);
	faulty = (struct faulty){ .fail_at = n, .fail_errno = ENOSPC };

	enum ks_status status = add_all(s, rec, count, 3, &err);

	if (status == KS_OK)
		status = ks_sorter_finish(s, rekey ? reverse_key : NULL, &base, &err);

	const bool failed = faulty.failed != NULL;

	if (status == KS_OK) {
		assert_true(!failed || strcmp(faulty.failed, "close") == 0);
		faulty.fail_at = 0;
		expect_sequence(s, want, count, 3);
	} else {
		assert_true(failed);
		assert_int_equal(status, KS_E_ENV);
		assert_int_equal(err.text, strcmp(faulty.failed, "open") == 0
						   ? KS_BASE_TEXT_ERR_SPILL_OPEN
						   : KS_BASE_TEXT_ERR_SPILL_IO);
	}
	ks_sorter_close(s);
	return failed;
}

static void a_failing_temporary_file_is_an_error_and_never_a_wrong_order(void **state)
{
	const size_t count = 5000;
	unsigned words = 3;
	int64_t base = 1000;

	(void)state;
	for (int rekey = 0; rekey < 2; rekey++) {
		int64_t *rec = given_records(RANDOM, count, 3);
		int64_t *want = given_records(RANDOM, count, 3);
		int n = 1;

		for (size_t i = 0; rekey && i < count; i++)
			reverse_key(want + i * 3, &base);
		qsort_r(want, count, 3 * sizeof(*want), compare, &words);
		while (fail_at(n, rec, want, count, rekey))
			n++;
		assert_true(n > 20);
		free(rec);
		free(want);
	}
}

static void short_and_interrupted_calls_change_nothing(void **state)
{
	int64_t *rec = given_records(RANDOM, 3000, 2);
	unsigned words = 2;
	struct ks_sorter *s = ks_sorter_open(&faulty_io, 2, TINY);

	(void)state;
	assert_non_null(s);
	faulty = (struct faulty){ .most = 1001, .interrupt = true };
	assert_int_equal(add_all(s, rec, 3000, 2, NULL), KS_OK);
	assert_int_equal(ks_sorter_finish(s, NULL, NULL, NULL), KS_OK);
	qsort_r(rec, 3000, 2 * sizeof(*rec), compare, &words);
	expect_sequence(s, rec, 3000, 2);
	ks_sorter_close(s);
	free(rec);
}

int test_sorter(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_shape_and_width_in_memory),
		cmocka_unit_test(every_shape_and_width_spilled),
		cmocka_unit_test(new_keys_at_the_end_decide_the_order),
		cmocka_unit_test(extreme_words_keep_their_order),
		cmocka_unit_test(heapsort_sorts_as_well),
		cmocka_unit_test(zigzags_and_runs_that_interleave_end_in_a_moment),
		cmocka_unit_test(a_file_is_made_only_when_the_budget_is_spent),
		cmocka_unit_test(a_failing_temporary_file_is_an_error_and_never_a_wrong_order),
		cmocka_unit_test(short_and_interrupted_calls_change_nothing),
	};

	return cmocka_run_group_tests_name("sorter", tests, NULL, NULL);
}
