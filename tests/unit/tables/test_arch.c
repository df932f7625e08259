/* SPDX-License-Identifier: Apache-2.0
 *
 * Architectures against the vectors, which were made from the CUDA occupancy header and the
 * programming guide, and a few rows by hand.
 */
#include "tests.h"

#include <jansson.h>

static json_t *load_vectors(void)
{
	const char *shared = getenv("KS_SHARED");
	char path[4096];
	json_error_t why;

	(void)snprintf(path, sizeof(path), "%s/contract/vectors/occupancy.json",
		       shared ? shared : "../shared");
	return json_load_file(path, 0, &why);
}

static int field(const json_t *row, const char *name)
{
	const json_t *v = json_object_get(row, name);

	if (!json_is_integer(v))
		fail_msg("the vector has no integer %s", name);
	return (int)json_integer_value(v);
}

static void expect_same(const struct ks_arch_info *a, const json_t *row)
{
	assert_int_equal(a->threads_per_sm, field(row, "threads_per_sm"));
	assert_int_equal(a->warps_per_sm, field(row, "warps_per_sm"));
	assert_int_equal(a->blocks_per_sm, field(row, "blocks_per_sm"));
	assert_int_equal(a->regs_per_sm, field(row, "regs_per_sm"));
	assert_int_equal(a->regs_per_block, field(row, "regs_per_block"));
	assert_int_equal(a->reg_gran_per_warp, field(row, "reg_gran_per_warp"));
	assert_int_equal(a->max_regs_per_thread, field(row, "max_regs_per_thread"));
	assert_int_equal(a->smem_per_sm, field(row, "smem_per_sm"));
	assert_int_equal(a->smem_optin, field(row, "smem_per_block_optin"));
	assert_int_equal(a->smem_reserved, field(row, "smem_reserved_per_block"));
	assert_int_equal(a->smem_gran, field(row, "smem_gran"));
	assert_int_equal(a->sub_partitions, field(row, "sub_partitions"));
	assert_int_equal(a->max_threads_per_block, field(row, "max_threads_per_block"));
}

static void every_architecture_has_the_limits_of_the_vectors(void **state)
{
	json_t *root = load_vectors();
	const json_t *table = json_object_get(root, "arch_table");
	const char *key;
	json_t *row;

	(void)state;
	if (!root) {
		print_message(
			"skipped: contract/vectors/occupancy.json is not there (KS_SHARED)\n");
		skip();
	}
	assert_int_equal(json_object_size(table), ks_arch_count());
	json_object_foreach((json_t *)(uintptr_t)table, key, row)
	{
		const char *cc = json_string_value(json_object_get(row, "cc"));
		char *minor;
		const long major = strtol(cc, &minor, 10);
		const struct ks_arch_info *a =
			ks_arch_find((int)major, (int)strtol(minor + 1, NULL, 10));

		if (!a)
			fail_msg("no row for compute capability %s", cc);
		else
			expect_same(a, row);
	}
	json_decref(root);
}

static void rows_by_hand_agree(void **state)
{
	const struct ks_arch_info *ada = ks_arch_find(8, 9);
	const struct ks_arch_info *pascal = ks_arch_find(6, 0);

	(void)state;
	assert_non_null(ada);
	assert_int_equal(ada->threads_per_sm, 1536);
	assert_int_equal(ada->blocks_per_sm, 24);
	assert_int_equal(ada->smem_optin, 99 * 1024);
	assert_int_equal(ada->barriers_factor, 0);
	assert_non_null(pascal);
	assert_int_equal(pascal->sub_partitions, 2);
	assert_int_equal(ks_arch_find(9, 0)->barriers_factor, 2);
	assert_int_equal(ks_arch_find(10, 0)->barriers_factor, 2);
	assert_int_equal(ks_arch_find(10, 3)->barriers_factor, 1);
	assert_int_equal(ks_arch_find(12, 0)->barriers_factor, 1);
}

static void an_unknown_architecture_has_no_neighbour(void **state)
{
	(void)state;
	assert_null(ks_arch_find(3, 5));
	assert_null(ks_arch_find(8, 1));
	assert_null(ks_arch_find(9, 9));
	assert_null(ks_arch_find(-1, -1));
	assert_null(ks_arch_at(ks_arch_count()));
}

static void rows_are_sorted_and_make_sense(void **state)
{
	(void)state;
	for (size_t i = 0; i < ks_arch_count(); i++) {
		const struct ks_arch_info *a = ks_arch_at(i);

		assert_int_equal(a->threads_per_sm, 32 * a->warps_per_sm);
		assert_true(a->smem_optin + a->smem_reserved <= a->smem_per_sm);
		assert_true(a->regs_per_block <= a->regs_per_sm);
		if (!i)
			continue;
		const struct ks_arch_info *before = ks_arch_at(i - 1);

		assert_true(before->major < a->major ||
			    (before->major == a->major && before->minor < a->minor));
	}
}

int test_arch(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_architecture_has_the_limits_of_the_vectors),
		cmocka_unit_test(rows_by_hand_agree),
		cmocka_unit_test(an_unknown_architecture_has_no_neighbour),
		cmocka_unit_test(rows_are_sorted_and_make_sense),
	};

	return cmocka_run_group_tests_name("arch", tests, NULL, NULL);
}
