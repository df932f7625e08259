/* SPDX-License-Identifier: Apache-2.0
 *
 * Unions of time against a bitmap of nanoseconds: sorted, nearly sorted and shuffled rows, with
 * copies, with a window that is too small, and with a spill budget that is too small.
 */
#include "all.h"

#include <stdio.h>

#include "analyze/busy.h"
#include "base/mem.h"

enum { HORIZON = 60000, DEVICES = 3 };

struct row {
	uint32_t device;
	ks_ns start, end;
};

struct picture { /* one byte per nanosecond: bit 0 kernel, bit 1 anything */
	unsigned char busy[DEVICES][HORIZON];
};

static void paint(struct picture *p, const struct row *r, unsigned bits)
{
	for (ks_ns t = r->start; t < r->end; t++)
		p->busy[r->device][t] |= (unsigned char)bits;
}

static ks_ns count(const struct picture *p, uint32_t device, unsigned bit)
{
	ks_ns n = 0;

	for (size_t t = 0; t < HORIZON; t++)
		n += (p->busy[device][t] & bit) != 0;
	return n;
}

static void make_rows(struct row *r, size_t n, uint64_t seed, ks_ns jitter)
{
	for (size_t i = 0; i < n; i++) {
		r[i].device = (uint32_t)(next_random(&seed) % DEVICES);
		r[i].start = (ks_ns)(i * (HORIZON - 2000) / n) +
			     (ks_ns)(next_random(&seed) % (uint64_t)jitter);
		r[i].end = r[i].start + 1 + (ks_ns)(next_random(&seed) % 40);
	}
}

static void shuffle(struct row *r, size_t n, uint64_t seed)
{
	for (size_t i = n; i > 1; i--) {
		size_t k = (size_t)(next_random(&seed) % i);
		struct row t = r[i - 1];

		r[i - 1] = r[k];
		r[k] = t;
	}
}

static void feed(struct ks_busy *b, const struct row *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_int_equal(ks_busy_launch(b, r[i].device, r[i].start, r[i].end, NULL), KS_OK);
}

struct plan {
	size_t kernels, copies, window, spill;
	ks_ns jitter;
	bool shuffled;
	bool expect_again;
};

static void check(const struct plan *p, uint64_t seed)
{
	struct row *k = ks_mem_alloc((p->kernels + 1) * sizeof(*k)),
		   *c = ks_mem_alloc((p->copies + 1) * sizeof(*c));
	struct picture *pic = ks_mem_alloc(sizeof(*pic));
	struct ks_busy *b = ks_busy_open(&ks_io_system, p->window, p->spill);
	bool again = false;

	make_rows(k, p->kernels, seed, p->jitter);
	make_rows(c, p->copies, seed + 1, 1000);
	if (p->shuffled)
		shuffle(k, p->kernels, seed + 2);
	for (size_t i = 0; i < p->kernels; i++)
		paint(pic, &k[i], 3);
	for (size_t i = 0; i < p->copies; i++) {
		paint(pic, &c[i], 2);
		assert_int_equal(ks_busy_copy(b, c[i].device, c[i].start, c[i].end, NULL), KS_OK);
	}
	feed(b, k, p->kernels);
	assert_int_equal(ks_busy_flush(b, &again, NULL), KS_OK);
	assert_int_equal(again, p->expect_again);
	if (again) {
		feed(b, k, p->kernels);
		assert_int_equal(ks_busy_flush(b, &again, NULL), KS_OK);
		assert_false(again);
	}
	for (uint32_t d = 0; d < DEVICES; d++) {
		assert_int_equal(ks_busy_kernel_ns(b, d), count(pic, d, 1));
		assert_int_equal(ks_busy_all_ns(b, d), count(pic, d, 2));
	}
	ks_busy_close(b);
	ks_mem_free(k);
	ks_mem_free(c);
	ks_mem_free(pic);
}

static void check_seeds(struct plan p)
{
	for (uint64_t seed = 1; seed <= 5; seed++)
		check(&p, seed * 7919);
}

static void nearly_sorted_rows_need_one_pass(void **state)
{
	(void)state;
	check_seeds((struct plan){ 4000, 0, 256, 1 << 20, 50, false, false });
	check_seeds((struct plan){ 4000, 300, 256, 1 << 20, 50, false, false });
	check_seeds((struct plan){ 5, 3, 256, 1 << 20, 50, false, false }); /* less than a window */
}

static void shuffled_rows_ask_for_a_second_pass(void **state)
{
	(void)state;
	check_seeds((struct plan){ 4000, 300, 64, 1 << 20, 50, true, true });
	/* the whole trace fits in the window: order does not matter at all */
	check_seeds((struct plan){ 300, 50, 4096, 1 << 20, 50, true, false });
}

static void a_spilled_device_gives_the_same_union(void **state)
{
	(void)state;
	check_seeds((struct plan){ 9000, 2000, 64, 4096, 50, true, true });
}

static void copies_alone_make_a_device_busy(void **state)
{
	(void)state;
	check_seeds((struct plan){ 0, 200, 64, 1 << 20, 50, false, false });
}

static void one_unordered_device_does_not_disturb_the_others(void **state)
{
	struct ks_busy *b = ks_busy_open(&ks_io_system, 4, 1 << 20);
	bool again = false;

	(void)state;
	for (unsigned pass = 0; pass < 2; pass++) {
		for (ks_ns t = 0; t < 100; t++) {
			assert_int_equal(ks_busy_launch(b, 0, t * 10, t * 10 + 5, NULL), KS_OK);
			assert_int_equal(ks_busy_launch(b, 1, 1000 - t * 10, 1004 - t * 10, NULL),
					 KS_OK);
		}
		assert_int_equal(ks_busy_flush(b, &again, NULL), KS_OK);
		assert_int_equal(again, pass == 0);
	}
	assert_int_equal(ks_busy_kernel_ns(b, 0), 500);
	assert_int_equal(ks_busy_kernel_ns(b, 1), 400);
	assert_int_equal(ks_busy_kernel_ns(b, 2), 0); /* never seen */
	ks_busy_close(b);
}

int test_busy(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nearly_sorted_rows_need_one_pass),
		cmocka_unit_test(shuffled_rows_ask_for_a_second_pass),
		cmocka_unit_test(a_spilled_device_gives_the_same_union),
		cmocka_unit_test(copies_alone_make_a_device_busy),
		cmocka_unit_test(one_unordered_device_does_not_disturb_the_others),
	};

	return cmocka_run_group_tests_name("busy", tests, NULL, NULL);
}
