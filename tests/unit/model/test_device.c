/* SPDX-License-Identifier: Apache-2.0
 *
 * Which GPU a row means: by the trace's map, else by cuDevice, else unknown; never by list order.
 */
#include "all.h"

#include "model/device.h"

struct given {
	struct ks_arena arena;
	struct ks_devices d;
};

#define GLOBAL(pid) ((INT64_C(1) << 48) | (int64_t)(pid) << 24)

static int setup(void **state)
{
	static struct given g;

	ks_arena_init(&g.arena, 1u << 24);
	ks_devices_init(&g.d, &g.arena);
	*state = &g;
	return 0;
}

static int teardown(void **state)
{
	ks_arena_release(&((struct given *)*state)->arena);
	return 0;
}

static void given_gpu(struct given *g, int64_t id, int64_t cu_device, int64_t cc_major)
{
	struct ks_trace_gpu row;

	ks_trace_gpu_clear(&row);
	row.id = id;
	row.cu_device = cu_device;
	row.cc_major = cc_major;
	row.vm_id = INT64_C(1) << 48;
	assert_int_equal(ks_devices_add_gpu(&g->d, &row, NULL), KS_OK);
}

static void given_map(struct given *g, int64_t gpu_id, int64_t cuda_id, int64_t pid)
{
	const struct ks_trace_gpu_map row = { gpu_id, cuda_id, pid, KS_LIT(""), KS_UNKNOWN };

	assert_int_equal(ks_devices_add_map(&g->d, &row, NULL), KS_OK);
}

static const struct ks_device *resolved(struct given *g, int64_t process, int64_t ordinal)
{
	const uint32_t i = ks_devices_resolve(&g->d, process, ordinal);

	assert_true(i < g->d.n);
	return &g->d.device[i];
}

static void ordinals_go_by_cu_device_not_by_place(void **state)
{
	struct given *g = *state;

	given_gpu(g, 0, 3, 8); /* as a public A100 export has it: id 0 is ordinal 3 */
	given_gpu(g, 3, 0, 8);
	const struct ks_device *v = resolved(g, GLOBAL(7), 0);

	assert_int_equal(v->how, KS_DEVICE_BY_ORDINAL);
	assert_int_equal(v->gpu->id, 3);
}

static void the_map_of_the_process_comes_first(void **state)
{
	struct given *g = *state;

	given_gpu(g, 0, 0, 8);
	given_gpu(g, 1, 1, 8);
	given_map(g, 1, 0, 100); /* process 100 sees GPU 1 as ordinal 0 */
	given_map(g, 0, 0, 200);
	assert_int_equal(resolved(g, GLOBAL(100), 0)->gpu->id, 1);
	assert_int_equal(resolved(g, GLOBAL(200), 0)->gpu->id, 0);
	assert_int_equal(resolved(g, GLOBAL(300), 0)->gpu->id, 0);	      /* no row: cuDevice */
	assert_int_equal(resolved(g, GLOBAL(300), 0)->how, KS_DEVICE_BY_MAP); /* shared with 200 */
	assert_int_equal(g->d.n, 2);
}

static void two_processes_on_ordinal_0_of_two_gpus_get_two_labels(void **state)
{
	struct given *g = *state;

	given_gpu(g, 4, 0, 9);
	given_gpu(g, 5, 1, 9);
	given_map(g, 4, 0, 100);
	given_map(g, 5, 0, 200);
	const uint32_t a = ks_devices_resolve(&g->d, GLOBAL(100), 0);
	const uint32_t b = ks_devices_resolve(&g->d, GLOBAL(200), 0);

	assert_int_not_equal(a, b);
	ks_devices_label(&g->d);
	assert_int_equal(g->d.device[a].label, 4);
	assert_int_equal(g->d.device[b].label, 5);
}

static void one_gpu_under_two_ordinals_is_one_device(void **state)
{
	struct given *g = *state;

	given_gpu(g, 2, 0, 9);
	given_map(g, 2, 0, 100);
	given_map(g, 2, 1, 200);
	const uint32_t a = ks_devices_resolve(&g->d, GLOBAL(200), 1);

	assert_int_equal(ks_devices_resolve(&g->d, GLOBAL(100), 0), a);
	assert_true(g->d.device[a].ordinals_differ);
	assert_int_equal(g->d.device[a].ordinal, 0);
	ks_devices_label(&g->d);
	assert_int_equal(g->d.device[a].label, 2);
}

static void a_gpu_without_facts_is_still_one_device(void **state)
{
	struct given *g = *state;

	given_map(g, 3, 0, 100);
	given_map(g, 3, 0, 200);
	const uint32_t a = ks_devices_resolve(&g->d, GLOBAL(100), 0);

	assert_int_equal(ks_devices_resolve(&g->d, GLOBAL(200), 0), a);
	assert_int_equal(g->d.device[a].gpu->id, 3);
	assert_true(g->d.device[a].gpu->cc_major == KS_UNKNOWN);
}

static void contradicting_maps_leave_the_device_unknown(void **state)
{
	struct given *g = *state;

	given_gpu(g, 0, 0, 8);
	given_gpu(g, 1, 1, 8);
	given_map(g, 0, 0, 100);
	given_map(g, 1, 0, 100);
	assert_int_equal(resolved(g, GLOBAL(100), 0)->how, KS_DEVICE_UNKNOWN);
	assert_null(resolved(g, GLOBAL(100), 0)->gpu);
}

static void adapters_of_other_vendors_are_no_cuda_device(void **state)
{
	struct given *g = *state;

	given_gpu(g, 1, 0, 0); /* an Intel adapter, ordinal 0, capability 0 */
	given_gpu(g, 0, 0, 6);
	given_gpu(g, 2, 0, 0);
	assert_int_equal(resolved(g, GLOBAL(1), 0)->gpu->id, 0);
}

static void two_cuda_gpus_of_one_ordinal_are_ambiguous(void **state)
{
	struct given *g = *state;

	given_gpu(g, 0, 0, 8);
	given_gpu(g, 1, 0, 8);
	assert_int_equal(resolved(g, GLOBAL(1), 0)->how, KS_DEVICE_UNKNOWN);
}

static void unknown_devices_are_kept_apart_by_ordinal_and_host(void **state)
{
	struct given *g = *state;
	const uint32_t a = ks_devices_resolve(&g->d, GLOBAL(1), 0);

	assert_int_equal(ks_devices_resolve(&g->d, GLOBAL(2), 0), a);
	assert_int_not_equal(ks_devices_resolve(&g->d, GLOBAL(1), 1), a);
	assert_int_not_equal(ks_devices_resolve(&g->d, GLOBAL(1) + (INT64_C(1) << 48), 0), a);
	assert_int_equal(g->d.n, 3);
}

static void a_missing_ordinal_is_never_device_0(void **state)
{
	struct given *g = *state;

	given_gpu(g, 0, 0, 8);
	const uint32_t missing = ks_devices_resolve(&g->d, GLOBAL(1), KS_UNKNOWN);
	const uint32_t zero = ks_devices_resolve(&g->d, GLOBAL(1), 0);

	assert_int_not_equal(missing, zero);
	assert_int_equal(g->d.device[missing].how, KS_DEVICE_MISSING);
	ks_devices_label(&g->d);
	assert_int_equal(g->d.device[missing].label, -1);
	assert_int_equal(g->d.device[zero].label, 0);
}

/* Labels of a set of (process, ordinal) keys met in one order and in the other. */
static void labels_do_not_depend_on_the_order_of_rows(void **state)
{
	static const struct {
		int64_t pid, ordinal;
	} key[] = { { 100, 0 }, { 200, 0 }, { 300, 0 }, { 100, 1 }, { 400, 5 }, { 500, 0 } };
	const size_t n = KS_ARRAY_LEN(key);
	int64_t label[2][KS_ARRAY_LEN(key)];
	struct given *g = *state;

	for (int round = 0; round < 2; round++) {
		ks_devices_init(&g->d, &g->arena);
		given_gpu(g, 0, 0, 8);
		given_gpu(g, 1, 1, 8);
		given_gpu(g, 2, 2, 8);
		given_map(g, 2, 0, 100);
		given_map(g, 1, 0, 200);
		given_map(g, 0, 0, 300);
		given_map(g, 1, 1, 100);
		given_map(g, 9, 0, 500);
		for (size_t i = 0; i < n; i++) {
			const size_t at = round ? n - 1 - i : i;

			(void)resolved(g, GLOBAL(key[at].pid), key[at].ordinal);
		}
		ks_devices_label(&g->d);
		for (size_t i = 0; i < n; i++)
			label[round][i] = resolved(g, GLOBAL(key[i].pid), key[i].ordinal)->label;
		for (size_t i = 0; i < g->d.n; i++)
			for (size_t k = 0; k < i; k++)
				assert_int_not_equal(g->d.device[i].label, g->d.device[k].label);
	}
	assert_memory_equal(label[0], label[1], sizeof(label[0]));
}

static void thousands_of_processes_are_found_again(void **state)
{
	struct given *g = *state;

	for (int round = 0; round < 2; round++)
		for (int64_t pid = 0; pid < 3000; pid++)
			assert_int_equal(ks_devices_resolve(&g->d, GLOBAL(pid), pid % 8), pid % 8);
	assert_int_equal(g->d.n, 8);
}

static void running_out_of_memory_is_told(void **state)
{
	struct given *g = *state;
	struct ks_arena tiny;
	struct ks_trace_gpu row;

	(void)g;
	ks_arena_init(&tiny, 64);
	ks_devices_init(&g->d, &tiny);
	ks_trace_gpu_clear(&row);
	assert_int_equal(ks_devices_add_gpu(&g->d, &row, NULL), KS_E_ENV);
	assert_int_equal(ks_devices_resolve(&g->d, 1, 0), UINT32_MAX);
	ks_arena_release(&tiny);
}

int test_device(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(ordinals_go_by_cu_device_not_by_place),
		T(the_map_of_the_process_comes_first),
		T(two_processes_on_ordinal_0_of_two_gpus_get_two_labels),
		T(one_gpu_under_two_ordinals_is_one_device),
		T(a_gpu_without_facts_is_still_one_device),
		T(contradicting_maps_leave_the_device_unknown),
		T(adapters_of_other_vendors_are_no_cuda_device),
		T(two_cuda_gpus_of_one_ordinal_are_ambiguous),
		T(unknown_devices_are_kept_apart_by_ordinal_and_host),
		T(a_missing_ordinal_is_never_device_0),
		T(labels_do_not_depend_on_the_order_of_rows),
		T(thousands_of_processes_are_found_again),
		T(running_out_of_memory_is_told),
	};
#undef T

	return cmocka_run_group_tests_name("device", tests, NULL, NULL);
}
