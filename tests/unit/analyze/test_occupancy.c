/* SPDX-License-Identifier: Apache-2.0
 *
 * Theoretical occupancy against the worked cases of the contract (vectors/occupancy.json, checked
 * there against CUDA's own occupancy header), and what the cases leave out.
 */
#include "all.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "analyze/occupancy.h"

static json_t *vectors;

static int load(void **state)
{
	char path[512];
	json_error_t error;

	(void)state;
	if (!shared_file(path, "contract/vectors/occupancy.json"))
		return 0;
	vectors = json_load_file(path, 0, &error);
	return vectors ? 0 : -1;
}

static int unload(void **state)
{
	(void)state;
	json_decref(vectors);
	vectors = NULL;
	return 0;
}

static int64_t integer(const json_t *object, const char *key, int64_t fallback)
{
	const json_t *v = json_object_get(object, key);

	return json_is_integer(v) ? json_integer_value(v) : fallback;
}

/* "sm_89" or "sm_103" */
static const struct ks_arch_info *arch_named(const char *name)
{
	int number = 0;

	if (strncmp(name, "sm_", 3) != 0)
		return NULL;
	for (const char *p = name + 3; *p; p++)
		number = number * 10 + (*p - '0');
	return ks_arch_find(number / 10, number % 10);
}

static int64_t limit_or_none(const json_t *limits, const char *key)
{
	return integer(limits, key, KS_OCC_UNLIMITED); /* null: unlimited */
}

static void check_case(const json_t *c)
{
	const json_t *in = json_object_get(c, "in"), *expect = json_object_get(c, "expect");
	const json_t *limits = json_object_get(expect, "limits");
	const char *id = json_string_value(json_object_get(c, "id"));
	const struct ks_arch_info *arch =
		arch_named(json_string_value(json_object_get(in, "arch")));
	const struct ks_occ_in ask = {
		.block_threads = integer(in, "threads_per_block", 0),
		.regs = integer(in, "registers_per_thread", 0),
		.static_smem = integer(in, "smem_static", 0),
		.dynamic_smem = integer(in, "smem_dynamic", 0),
		.smem_executed = integer(in, "smem_executed", 0),
		.barriers = integer(in, "barriers", -1),
	};
	struct ks_occ_limits l;
	struct ks_occ_out out;
	char limiter[80];

	if (!arch) {
		assert_string_equal(json_string_value(json_object_get(c, "expect_refusal")),
				    "unknown_arch");
		return;
	}
	ks_occ_limits_of(&l, arch);
	enum ks_occ_status st = ks_occupancy(&l, &ask, &out);

	if (!expect) {
		if (st != KS_OCC_INVALID_LAUNCH)
			fail_msg("%s: should be invalid", id);
		assert_string_equal(json_string_value(json_object_get(c, "expect_refusal")),
				    "invalid_launch");
		return;
	}
	assert_int_equal(st, KS_OCC_OK);
	ks_occ_limiter_text(limiter, out.limiters);
	if (out.blocks != integer(expect, "blocks_per_sm", -1) ||
	    strcmp(limiter, json_string_value(json_object_get(expect, "limiter"))) != 0)
		fail_msg("%s: %lld blocks by %s", id, (long long)out.blocks, limiter);
	assert_int_equal(out.warps_per_block, integer(expect, "warps_per_block", -1));
	assert_int_equal(out.warps, integer(expect, "warps_per_sm", -1));
	/* the file shows four digits */
	assert_true(fabs(out.occupancy_pct -
			 json_number_value(json_object_get(expect, "occupancy_pct"))) <= 5e-5);
	assert_int_equal(out.limit_registers, limit_or_none(limits, "registers"));
	assert_int_equal(out.limit_threads, limit_or_none(limits, "threads"));
	assert_int_equal(out.limit_warps, limit_or_none(limits, "warps"));
	assert_int_equal(out.limit_smem, limit_or_none(limits, "shared_mem"));
	assert_int_equal(out.limit_blocks, limit_or_none(limits, "block_limit"));
	if (json_object_get(limits, "barriers"))
		assert_int_equal(out.limit_barriers, limit_or_none(limits, "barriers"));
}

static void every_worked_case_comes_out(void **state)
{
	size_t i;
	json_t *c;

	(void)state;
	if (!vectors)
		skip();
	const json_t *cases = json_object_get(vectors, "theoretical");

	assert_true(json_array_size(cases) >= 64);
	json_array_foreach(cases, i, c) check_case(c);
}

static void the_architecture_table_is_the_contracts(void **state)
{
	const char *name;
	json_t *row;
	size_t n = 0;

	(void)state;
	if (!vectors)
		skip();
	json_object_foreach(json_object_get(vectors, "arch_table"), name, row)
	{
		const struct ks_arch_info *a = arch_named(name);

		if (!a)
			fail_msg("%s is missing", name);
		assert_int_equal(a->threads_per_sm, integer(row, "threads_per_sm", -1));
		assert_int_equal(a->warps_per_sm, integer(row, "warps_per_sm", -1));
		assert_int_equal(a->blocks_per_sm, integer(row, "blocks_per_sm", -1));
		assert_int_equal(a->regs_per_sm, integer(row, "regs_per_sm", -1));
		assert_int_equal(a->regs_per_block, integer(row, "regs_per_block", -1));
		assert_int_equal(a->smem_per_sm, integer(row, "smem_per_sm", -1));
		assert_int_equal(a->smem_optin, integer(row, "smem_per_block_optin", -1));
		assert_int_equal(a->smem_reserved, integer(row, "smem_reserved_per_block", -1));
		assert_int_equal(a->smem_gran, integer(row, "smem_gran", -1));
		assert_int_equal(a->reg_gran_per_warp, integer(row, "reg_gran_per_warp", -1));
		assert_int_equal(a->sub_partitions, integer(row, "sub_partitions", -1));
		n++;
	}
	assert_true(n >= 19);
}

/* Lists that this layer answers, and those that belong to other work; a new one must be looked at.
 */
static void no_list_of_the_file_is_overlooked(void **state)
{
	static const char *const known[] = {
		"schema",   "topic", "rules", "arch_table", "theoretical", "random_crosscheck",
		"achieved", /* occupancy records: not part of a recorded trace */
	};
	const char *key;
	json_t *value;

	(void)state;
	if (!vectors)
		skip();
	json_object_foreach(vectors, key, value)
	{
		bool found = false;

		for (size_t i = 0; i < KS_ARRAY_LEN(known); i++)
			found |= strcmp(known[i], key) == 0;
		if (!found)
			fail_msg("occupancy.json has a list this test does not know: %s", key);
	}
}

static struct ks_occ_limits limits(int major, int minor)
{
	struct ks_occ_limits l;

	ks_occ_limits_of(&l, ks_arch_find(major, minor));
	return l;
}

static void the_trace_replaces_limits_one_by_one(void **state)
{
	struct ks_occ_limits l = limits(8, 9);

	(void)state;
	ks_occ_limits_from_trace(&l, &(struct ks_occ_trace_limits){ .blocks_per_sm = 16 });
	assert_int_equal(l.blocks_per_sm, 16);
	assert_int_equal(l.warps_per_sm, 48); /* the table's */
	assert_int_equal(l.smem_gran, 128);
	assert_true(l.from_trace);
	assert_int_equal(l.from_table, KS_OCC_FROM_WARPS | KS_OCC_FROM_REGS | KS_OCC_FROM_SMEM);
	l = limits(8, 9);
	ks_occ_limits_from_trace(&l, &(struct ks_occ_trace_limits){ .blocks_per_sm = 0,
								    .warps_per_sm = KS_UNKNOWN });
	assert_int_equal(l.blocks_per_sm, 24); /* 0 and unknown are no limits */
	assert_false(l.from_trace);
	ks_occ_limits_from_trace(
		&l, &(struct ks_occ_trace_limits){ .warps_per_sm = 64, .threads_per_warp = 32 });
	assert_int_equal(l.threads_per_sm, 2048);
}

static void a_block_that_needs_opt_in_counts_against_it(void **state)
{
	const struct ks_occ_limits l = limits(8, 9);
	struct ks_occ_in in = {
		.block_threads = 128, .regs = 32, .dynamic_smem = 99 * 1024, .barriers = -1
	};
	struct ks_occ_out out;

	(void)state;
	/* 99 KiB + 1 KiB reserve = 100 KiB = the whole SM: one block of 4 warps, 4/48 */
	assert_int_equal(ks_occupancy(&l, &in, &out), KS_OCC_OK);
	assert_int_equal(out.blocks, 1);
	expect_near(out.occupancy_pct, 100.0 * 4 / 48, 1e-12);
	in.dynamic_smem++;
	assert_int_equal(ks_occupancy(&l, &in, &out), KS_OCC_OK);
	assert_int_equal(out.blocks, 0);
}

static void what_cannot_be_launched_is_invalid(void **state)
{
	const struct ks_occ_limits l = limits(9, 0);
	const struct ks_occ_in bad[] = {
		{ .block_threads = 0, .regs = 32 },
		{ .block_threads = 1025, .regs = 32 },
		{ .block_threads = 256, .regs = 256 },
		{ .block_threads = 256, .regs = -1 },
		{ .block_threads = 256, .regs = 32, .static_smem = -4 },
		{ .block_threads = 256, .regs = 32, .dynamic_smem = INT64_MAX },
	};
	struct ks_occ_out out;

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(bad); i++)
		assert_int_equal(ks_occupancy(&l, &bad[i], &out), KS_OCC_INVALID_LAUNCH);
	assert_null(ks_arch_find(8, 5)); /* no neighbour is taken */
}

int test_occupancy(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_worked_case_comes_out),
		cmocka_unit_test(the_architecture_table_is_the_contracts),
		cmocka_unit_test(no_list_of_the_file_is_overlooked),
		cmocka_unit_test(the_trace_replaces_limits_one_by_one),
		cmocka_unit_test(a_block_that_needs_opt_in_counts_against_it),
		cmocka_unit_test(what_cannot_be_launched_is_invalid),
	};

	return cmocka_run_group_tests_name("occupancy", tests, load, unload);
}
