/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys are numbered in order of arrival and found again, through every growth and up to the
 * ceiling.
 */
#include "all.h"

#include "base/map.h"

static void keys_of_every_size_are_numbered_in_order(void **state)
{
	static const size_t sizes[] = { 1, 4, 16, 64, 160, 300 };

	(void)state;
	for (size_t s = 0; s < KS_ARRAY_LEN(sizes); s++) {
		const uint32_t n = sizes[s] == 1 ? 256 : 20000;
		unsigned char key[300];
		struct ks_map m;
		bool fresh;

		ks_map_init(&m, sizes[s], SIZE_MAX);
		memset(key, 0x55, sizeof(key));
		assert_int_equal(ks_map_find(&m, key), KS_MAP_NONE);
		for (int round = 0; round < 2; round++) {
			for (uint32_t i = 0; i < n; i++) {
				memcpy(key, &i, sizes[s] < 4 ? 1 : 4);
				assert_int_equal(ks_map_add(&m, key, &fresh), i);
				assert_int_equal(fresh, round == 0);
				assert_int_equal(ks_map_find(&m, key), i);
				assert_memory_equal(ks_map_key(&m, i), key, sizes[s]);
			}
		}
		assert_int_equal(m.count, n);
		assert_null(ks_map_key(&m, n));
		ks_map_release(&m);
	}
}

static void the_ceiling_of_keys_holds(void **state)
{
	struct ks_map m;
	bool fresh = true;

	(void)state;
	ks_map_init(&m, sizeof(int), 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(ks_map_add(&m, &i, NULL), i);
	assert_int_equal(ks_map_add(&m, &(int){ 3 }, &fresh), KS_MAP_NONE);
	assert_false(fresh);
	assert_int_equal(ks_map_add(&m, &(int){ 2 }, &fresh), 2);
	assert_int_equal(ks_map_find(&m, &(int){ 3 }), KS_MAP_NONE);
	ks_map_release(&m);
}

static void strings_of_any_bytes_are_interned_once(void **state)
{
	static char long_name[1u << 20];
	struct ks_intern t;
	bool fresh;

	(void)state;
	memset(long_name, 'k', sizeof(long_name));
	ks_intern_init(&t, SIZE_MAX);
	assert_int_equal(ks_intern_find(&t, STR("a")), KS_MAP_NONE);

	const ks_str names[] = { STR("a"), STR("a\0"),	  STR("a\0b"),
				 STR(""),  STR("\xFF\n"), { long_name, sizeof(long_name) } };

	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < KS_ARRAY_LEN(names); i++) {
			assert_int_equal(ks_intern_add(&t, names[i], &fresh), i);
			assert_int_equal(fresh, round == 0);
		}
	}
	assert_int_equal(ks_intern_add(&t, KS_STR_NONE, NULL), 3);
	for (uint32_t i = 0; i < KS_ARRAY_LEN(names); i++) {
		const ks_str kept = ks_intern_get(&t, i);

		assert_int_equal(kept.n, names[i].n);
		assert_memory_equal(kept.p, names[i].p, kept.n);
		assert_int_equal(kept.p[kept.n], 0);
	}
	assert_string_equal(ks_intern_get(&t, 99).p, "");
	ks_intern_release(&t);
}

static void many_strings_stay_where_they_are(void **state)
{
	struct ks_intern t;
	char name[32];

	(void)state;
	ks_intern_init(&t, 50000);
	ks_intern_add(&t, STR("first"), NULL);

	const char *first = ks_intern_get(&t, 0).p;

	for (uint32_t i = 1; i < 50000; i++) {
		const int n = snprintf(name, sizeof(name), "kernel_%u", i);

		assert_int_equal(ks_intern_add(&t, (ks_str){ name, (size_t)n }, NULL), i);
	}
	assert_ptr_equal(ks_intern_get(&t, 0).p, first);
	assert_int_equal(ks_intern_find(&t, STR("kernel_777")), 777);
	assert_int_equal(ks_intern_find(&t, STR("kernel_50000")), KS_MAP_NONE);
	assert_int_equal(ks_intern_add(&t, STR("one too many"), NULL), KS_MAP_NONE);
	ks_intern_release(&t);
}

int test_map(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_of_every_size_are_numbered_in_order),
		cmocka_unit_test(the_ceiling_of_keys_holds),
		cmocka_unit_test(strings_of_any_bytes_are_interned_once),
		cmocka_unit_test(many_strings_stay_where_they_are),
	};

	return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
