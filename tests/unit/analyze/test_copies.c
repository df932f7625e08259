/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies: bytes by kind, device, memory and cause; the durations that are believed. Expected values
 * are sums and quotients that can be done by hand.
 */
#include "copies_world.h"

#include <stdio.h>

#define MIB INT64_C(1048576)
#define GIB (1024 * MIB)

/* --- bytes ---------------------------------------------------------------------------------------
 */

static void bytes_add_up_by_kind_and_device(void **state)
{
	struct world w;
	struct ks_copy row;

	(void)state;
	world_open(&w, 2, 0);
	world_copy(&w, KS_COPY_HTOD, 100, 10);
	world_copy(&w, KS_COPY_HTOD, 200, 10);
	world_copy(&w, KS_COPY_DTOH, 50, 10);
	world_copy(&w, 17, 7, 10);
	row = world_row(KS_COPY_DTOH, 1000, 10);
	row.device = 1;
	world_add(&w, &row);
	then_answered(&w);
	expect_int(ledger(&w, "ks__comm_bytes_total"), 1357);
	expect_int(ledger(&w, "ks__comm_bytes_htod"), 300);
	expect_int(ledger(&w, "ks__comm_bytes_dtoh"), 1050);
	expect_int(ledger(&w, "ks__comm_bytes_kind_17"), 7);
	expect_int(ledger(&w, "ks__device_0__comm_bytes"), 357);
	expect_int(ledger(&w, "ks__device_1__comm_bytes"), 1000);
	assert_int_equal(ledger(&w, "ks__comm_bytes_total")->origin->rows, 5);
	assert_int_equal(ledger(&w, "ks__comm_bytes_htod")->origin->rows, 2);
	assert_false(in_ledger(&w, "ks__comm_bytes_null_rows"));
	assert_false(in_ledger(&w, "ks__comm_bytes_unknown_device_rows"));
	world_close(&w);
}

static void every_kind_has_its_row(void **state)
{
	static const char *const name[] = {
		"ks__comm_bytes_htod",	  "ks__comm_bytes_dtoh",    "ks__comm_bytes_htoa",
		"ks__comm_bytes_atoh",	  "ks__comm_bytes_atoa",    "ks__comm_bytes_atod",
		"ks__comm_bytes_dtoa",	  "ks__comm_bytes_dtod",    "ks__comm_bytes_htoh",
		"ks__comm_bytes_ptop",	  "ks__comm_bytes_um_htod", "ks__comm_bytes_um_dtoh",
		"ks__comm_bytes_um_dtod", "ks__comm_bytes_kind_14",
	};
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	world_copy(&w, 0, 5, 10);
	world_copy(&w, KS_UNKNOWN, 6, 10);
	for (int64_t kind = 1; kind <= 14; kind++)
		world_copy(&w, kind, 100 * kind, 10);
	then_answered(&w);
	for (int64_t kind = 1; kind <= 14; kind++)
		expect_int(ledger(&w, name[kind - 1]), 100 * kind);
	expect_int(ledger(&w, "ks__comm_bytes_kind_0"), 5);
	expect_int(ledger(&w, "ks__comm_bytes_kind_unknown"), 6);
	world_close(&w);
}

static void unknown_sizes_and_devices_are_counted_never_zero(void **state)
{
	struct world w;
	struct ks_copy row;

	(void)state;
	world_open(&w, 1, 0);
	world_copy(&w, KS_COPY_HTOD, KS_UNKNOWN, 10);
	world_copy(&w, KS_COPY_HTOD, 8192, 10);
	world_copy(&w, KS_COPY_DTOH, KS_UNKNOWN, 10);
	row = world_row(KS_COPY_HTOD, 4096, 10);
	row.device = KS_UNKNOWN;
	world_add(&w, &row);
	then_answered(&w);
	expect_int(ledger(&w, "ks__comm_bytes_total"), 12288);
	assert_int_equal(ledger(&w, "ks__comm_bytes_total")->note.id, KS_TEXT_AN_NOTE_COPIES_BOUND);
	assert_false(in_ledger(&w, "ks__comm_bytes_dtoh"));
	expect_int(ledger(&w, "ks__device_0__comm_bytes"), 8192);
	expect_int(ledger(&w, "ks__device_unknown__comm_bytes"), 4096);
	expect_refused(ledger(&w, "ks__comm_bytes_null_rows"),
		       KS_REFUSAL_MEMCPY_DURATION_UNTRUSTED);
	expect_near(seen(ledger(&w, "ks__comm_bytes_null_rows"), "rows"), 2.0, 0.0);
	expect_refused(ledger(&w, "ks__comm_bytes_unknown_device_rows"),
		       KS_REFUSAL_MEMCPY_DURATION_UNTRUSTED);
	expect_near(seen(ledger(&w, "ks__comm_bytes_unknown_device_rows"), "rows"), 1.0, 0.0);
	world_close(&w);
}

static void copies_without_any_size_have_no_total(void **state)
{
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	world_copy(&w, KS_COPY_HTOD, KS_UNKNOWN, 10);
	then_answered(&w);
	expect_refused(ledger(&w, "ks__comm_bytes_total"), KS_REFUSAL_MEMCPY_DURATION_UNTRUSTED);
	assert_int_equal(w.t.n_copy_groups, 0);
	assert_int_equal(w.t.n_copy_kinds, 1);
	world_close(&w);
}

static void a_trace_without_copies_refuses_their_bytes(void **state)
{
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	then_answered(&w);
	assert_int_equal(w.e.n_sections, 1);
	expect_refused(ledger(&w, "ks__comm_bytes_total"), KS_REFUSAL_MEMCPY_DURATION_UNTRUSTED);
	assert_int_equal((int)seen(ledger(&w, "ks__comm_bytes_total"), "copy_rows"), 0);
	/* "read the byte counts instead" would be no help */
	assert_int_equal(ledger(&w, "ks__comm_bytes_total")->refused->remedy.action.id,
			 KS_TEXT_AN_DO_TRACE_CUDA);
	world_close(&w);
	world_open(&w, 1, 0); /* copies, but none in the window: 0 is known */
	w.a.any_copies = true;
	w.t.window.on = true;
	then_answered(&w);
	assert_null(ledger(&w, "ks__comm_bytes_total")->refused);
	assert_int_equal((int)ledger(&w, "ks__comm_bytes_total")->value.i, 0);
	world_close(&w);
}

static void memsets_alone_leave_the_copies_refused(void **state)
{
	struct world w;
	const struct ks_memset m = { .start_ns = 1, .end_ns = 2, .bytes = 40 };
	const struct ks_memset no_size = { .start_ns = 1, .end_ns = 2, .bytes = KS_UNKNOWN };

	(void)state;
	world_open(&w, 1, 0);
	assert_int_equal(ks_copies_memset(w.a.copies, &m, 0, true, &w.err), KS_OK);
	assert_int_equal(ks_copies_memset(w.a.copies, &m, 0, true, &w.err), KS_OK);
	assert_int_equal(ks_copies_memset(w.a.copies, &m, 0, false, &w.err), KS_OK);
	assert_int_equal(ks_copies_memset(w.a.copies, &no_size, 0, true, &w.err), KS_OK);
	then_answered(&w);
	expect_int(ledger(&w, "ks__memset_bytes_total"), 80);
	assert_int_equal(ledger(&w, "ks__memset_bytes_total")->note.id,
			 KS_TEXT_AN_NOTE_MEMSETS_BOUND);
	expect_refused(ledger(&w, "ks__comm_bytes_total"), KS_REFUSAL_MEMCPY_DURATION_UNTRUSTED);
	assert_false(in_ledger(&w, "ks__comm_time_sum_ns"));
	world_close(&w);
}

static void memsets_without_a_size_are_refused(void **state)
{
	struct world w;
	const struct ks_memset m = { .start_ns = 1, .end_ns = 2, .bytes = KS_UNKNOWN };

	(void)state;
	world_open(&w, 1, 0);
	assert_int_equal(ks_copies_memset(w.a.copies, &m, 0, true, &w.err), KS_OK);
	then_answered(&w);
	expect_refused(ledger(&w, "ks__memset_bytes_total"), KS_REFUSAL_METRIC_ABSENT);
	world_close(&w);
}

static void a_copy_that_began_before_the_window_belongs_to_the_one_before(void **state)
{
	struct world w;
	const struct ks_copy row = world_row(KS_COPY_HTOD, 500, 10);

	(void)state;
	world_open(&w, 1, 0);
	assert_int_equal(ks_copies_add(w.a.copies, &row, 0, false, &w.err), KS_OK);
	world_add(&w, &row);
	w.t.window.on = true;
	then_answered(&w);
	expect_int(ledger(&w, "ks__comm_bytes_total"), 500);
	assert_int_equal(ledger(&w, "ks__comm_bytes_total")->note.id,
			 KS_TEXT_AN_NOTE_COPIES_WINDOW);
	world_close(&w);
}

static void devices_that_are_not_selected_do_not_count(void **state)
{
	struct world w;
	struct ks_copy row = world_row(KS_COPY_HTOD, 2 * MIB, 1000000);

	(void)state;
	world_open(&w, 2, 0);
	world_add(&w, &row);
	row.device = 1;
	row.bytes = 3 * MIB;
	world_add(&w, &row);
	w.work[1].selected = false;
	then_answered(&w);
	expect_int(ledger(&w, "ks__comm_bytes_total"), 2 * MIB);
	assert_false(in_ledger(&w, "ks__device_1__comm_bytes"));
	assert_int_equal(w.t.n_copy_groups, 1);
	assert_int_equal(w.t.copy_group[0].bytes, 2 * MIB);
	assert_true(in_ledger(&w, "est__copy_htod_2mb_gbs"));
	assert_false(in_ledger(&w, "est__copy_htod_3mb_gbs"));
	world_close(&w);
}

static void sums_past_63_bits_end_the_run(void **state)
{
	struct world w;
	struct ks_copy row = world_row(KS_COPY_HTOD, INT64_MAX, 10);

	(void)state;
	world_open(&w, 2, 0);
	world_add(&w, &row);
	assert_int_equal(ks_copies_add(w.a.copies, &row, 0, true, &w.err), KS_E_INPUT);
	assert_int_equal(w.err.text, KS_TEXT_ERR_AN_OVERFLOW);
	world_close(&w);

	world_open(&w, 2, 0);
	world_add(&w, &row);
	row.device = 1; /* each device alone is fine */
	world_add(&w, &row);
	assert_int_equal(world_answered(&w), KS_E_INPUT);
	assert_int_equal(w.err.text, KS_TEXT_ERR_AN_OVERFLOW);
	world_close(&w);
}

/* --- where bytes went ----------------------------------------------------------------------------
 */

static void pageable_and_pinned_are_told_apart_on_the_host_side(void **state)
{
	static const struct {
		int64_t kind, src, dst, bytes;
	} row[] = {
		{ KS_COPY_HTOD, KS_MEM_PAGEABLE, KS_MEM_DEVICE, 1 },
		{ KS_COPY_HTOD, KS_MEM_PINNED, KS_MEM_DEVICE, 2 },
		{ KS_COPY_DTOH, KS_MEM_DEVICE, KS_MEM_PAGEABLE, 4 },
		{ KS_COPY_DTOH, KS_MEM_DEVICE, KS_MEM_PINNED, 8 },
		{ KS_COPY_HTOD, KS_MEM_MANAGED, KS_MEM_DEVICE, 16 },
		{ KS_COPY_HTOD, KS_UNKNOWN, KS_UNKNOWN, 32 },
		{ KS_COPY_UM_HTOD, KS_MEM_PAGEABLE, KS_MEM_PINNED,
		  64 }, /* no copy of the program */
		{ KS_COPY_HTOA, KS_MEM_PINNED, KS_MEM_ARRAY, 128 },
	};
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	for (size_t i = 0; i < KS_ARRAY_LEN(row); i++) {
		struct ks_copy c = world_row(row[i].kind, row[i].bytes, 10);

		c.src_kind = row[i].src;
		c.dst_kind = row[i].dst;
		world_add(&w, &c);
	}
	then_answered(&w);
	expect_int(ledger(&w, "ks__comm_bytes_pageable"), 1 + 4);
	expect_int(ledger(&w, "ks__comm_bytes_pinned"), 2 + 8 + 128);
	expect_int(ledger(&w, "ks__comm_bytes_total"), 255);
	assert_int_equal(w.t.n_copy_kinds, 8);
	assert_string_equal(w.t.copy_kind[1].kind.p, "htod");
	world_close(&w);
}

static void peer_copies_are_by_pair_of_devices(void **state)
{
	static const struct {
		int64_t kind, device, src, dst, bytes;
	} row[] = {
		{ KS_COPY_PTOP, 0, 0, 1, 100 },
		{ KS_COPY_PTOP, 1, 0, 1, 20 }, /* the same pair, recorded by the other device */
		{ KS_COPY_DTOD, 0, 0, 1, 3 },  /* the same pair again */
		{ KS_COPY_PTOP, 0, 1, 0, 7 },
		{ KS_COPY_DTOD, 0, 0, 0, 1000 }, /* within one device */
		{ KS_COPY_DTOD, 0, KS_UNKNOWN, KS_UNKNOWN, 2000 },
		{ KS_COPY_HTOD, 0, 0, 1, 4000 }, /* no peer copy, whatever it says */
		{ KS_COPY_PTOP, 0, 0, 5, 11 },	 /* a device without rows of its own */
	};
	struct world w;

	(void)state;
	world_open(&w, 2, 0);
	for (size_t i = 0; i < KS_ARRAY_LEN(row); i++) {
		struct ks_copy c = world_row(row[i].kind, row[i].bytes, 10);

		c.device = row[i].device;
		c.src_device = row[i].src;
		c.dst_device = row[i].dst;
		world_add(&w, &c);
	}
	then_answered(&w);
	expect_int(ledger(&w, "ks__comm_bytes_peer_0_1"), 123);
	expect_int(ledger(&w, "ks__comm_bytes_peer_1_0"), 7);
	expect_int(ledger(&w, "ks__comm_bytes_peer_0_5"), 11);
	assert_false(in_ledger(&w, "ks__comm_bytes_peer_0_0"));
	expect_int(ledger(&w, "ks__comm_bytes_dtod"), 3003);
	expect_int(ledger(&w, "ks__comm_bytes_ptop"), 138);
	world_close(&w);
}

/* Process 8 sees only the second GPU, as its ordinal 0: a peer is a device, not an ordinal. */
static void a_peer_is_found_through_the_process_that_names_it(void **state)
{
	static const int64_t process = INT64_C(8) << 24;
	const struct ks_trace_gpu_map map[] = {
		{ .gpu_id = 0, .cuda_id = 0, .pid = 7, .sm_count = KS_UNKNOWN },
		{ .gpu_id = 1, .cuda_id = 1, .pid = 7, .sm_count = KS_UNKNOWN },
		{ .gpu_id = 1, .cuda_id = 0, .pid = 8, .sm_count = KS_UNKNOWN },
		{ .gpu_id = 0, .cuda_id = 1, .pid = 8, .sm_count = KS_UNKNOWN },
	};
	struct world w;
	struct ks_copy c = world_row(KS_COPY_PTOP, 64, 10);
	struct ks_devices *d = &w.a.devices;

	(void)state;
	world_open(&w, 0, 0);
	for (int64_t id = 0; id < 2; id++) {
		struct ks_trace_gpu gpu;

		ks_trace_gpu_clear(&gpu);
		gpu.id = id;
		gpu.name = KS_LIT("Test GPU");
		assert_int_equal(ks_devices_add_gpu(d, &gpu, &w.err), KS_OK);
	}
	for (size_t i = 0; i < KS_ARRAY_LEN(map); i++)
		assert_int_equal(ks_devices_add_map(d, &map[i], &w.err), KS_OK);
	assert_int_equal(ks_devices_resolve(d, WORLD_PROCESS, 0), 0);
	assert_int_equal(ks_devices_resolve(d, WORLD_PROCESS, 1), 1);
	assert_int_equal(ks_devices_resolve(d, process, 0), 1);
	assert_int_equal(ks_devices_resolve(d, process, 1), 0);
	c.src_device = 0;
	c.dst_device = 1;
	world_add(&w, &c); /* of process 7: device 0 to device 1 */
	c.process = process;
	c.bytes = 8;
	assert_int_equal(ks_copies_add(w.a.copies, &c, 1, true, &w.err), KS_OK); /* 1 to 0 */
	then_answered(&w);
	assert_int_equal(w.t.n_copy_kinds, 2);
	const int64_t first = d->device[0].label, second = d->device[1].label;
	char name[2][64];

	(void)snprintf(name[0], sizeof(name[0]), "ks__comm_bytes_peer_%d_%d", (int)first,
		       (int)second);
	(void)snprintf(name[1], sizeof(name[1]), "ks__comm_bytes_peer_%d_%d", (int)second,
		       (int)first);
	expect_int(ledger(&w, name[0]), 64);
	expect_int(ledger(&w, name[1]), 8);
	world_close(&w);
}

static void migrations_have_their_own_kinds_and_causes_and_no_rate(void **state)
{
	static const struct {
		int64_t kind, cause, bytes;
	} row[] = {
		{ KS_COPY_UM_HTOD, 2, 4 * MIB },	 { KS_COPY_UM_HTOD, 3, 8 * MIB },
		{ KS_COPY_UM_DTOH, 2, 16 * MIB },	 { KS_COPY_UM_DTOD, 1, 32 * MIB },
		{ KS_COPY_UM_HTOD, 99, 64 * MIB },	 { KS_COPY_UM_HTOD, KS_UNKNOWN, 128 * MIB },
		{ KS_COPY_HTOD, KS_UNKNOWN, 256 * MIB }, { KS_COPY_UM_DTOH, 0, 512 * MIB },
	};
	struct world w;

	(void)state;
	world_open(&w, 1, 0);
	for (size_t i = 0; i < KS_ARRAY_LEN(row); i++) {
		struct ks_copy c = world_row(row[i].kind, row[i].bytes, 100000000);

		c.cause = row[i].cause;
		world_add(&w, &c);
	}
	then_answered(&w);
	expect_int(ledger(&w, "ks__comm_bytes_total"), 1020 * MIB);
	expect_int(ledger(&w, "ks__comm_bytes_um_htod"), (4 + 8 + 64 + 128) * MIB);
	expect_int(ledger(&w, "ks__comm_bytes_um_dtoh"), (16 + 512) * MIB);
	expect_int(ledger(&w, "ks__comm_bytes_um_dtod"), 32 * MIB);
	expect_int(ledger(&w, "ks__um_migration_bytes_page_fault"), 20 * MIB);
	expect_int(ledger(&w, "ks__um_migration_bytes_speculative_prefetch"), 8 * MIB);
	expect_int(ledger(&w, "ks__um_migration_bytes_user_prefetch"), 32 * MIB);
	expect_int(ledger(&w, "ks__um_migration_bytes_unknown"), 512 * MIB);
	expect_int(ledger(&w, "ks__um_migration_bytes_other"), 64 * MIB);
	assert_true(in_ledger(&w, "est__copy_htod_256mb_gbs"));
	assert_false(in_ledger(&w, "est__copy_um_dtoh_512mb_gbs"));
	assert_int_equal(w.t.n_copy_groups, 8);
	assert_int_equal(w.t.copy_group[0].kind, KS_COPY_UM_DTOH);
	assert_true(w.t.copy_group[0].gb_per_s < 0.0 && w.t.copy_group[0].typical_gb_per_s < 0.0);
	world_close(&w);
}

int test_copies(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_add_up_by_kind_and_device),
		cmocka_unit_test(every_kind_has_its_row),
		cmocka_unit_test(unknown_sizes_and_devices_are_counted_never_zero),
		cmocka_unit_test(copies_without_any_size_have_no_total),
		cmocka_unit_test(a_trace_without_copies_refuses_their_bytes),
		cmocka_unit_test(memsets_alone_leave_the_copies_refused),
		cmocka_unit_test(memsets_without_a_size_are_refused),
		cmocka_unit_test(a_copy_that_began_before_the_window_belongs_to_the_one_before),
		cmocka_unit_test(devices_that_are_not_selected_do_not_count),
		cmocka_unit_test(sums_past_63_bits_end_the_run),
		cmocka_unit_test(pageable_and_pinned_are_told_apart_on_the_host_side),
		cmocka_unit_test(peer_copies_are_by_pair_of_devices),
		cmocka_unit_test(a_peer_is_found_through_the_process_that_names_it),
		cmocka_unit_test(migrations_have_their_own_kinds_and_causes_and_no_rate),
	};

	return cmocka_run_group_tests_name("copies", tests, NULL, NULL);
}
