/* SPDX-License-Identifier: Apache-2.0
 *
 * Which names are communication, by the built-in patterns and the user's, and the rows made of
 * their time. Names are those of the libraries' public sources.
 */
#include "copies_world.h"

static bool is_comm(struct ks_comm *c, const char *name)
{
	struct ks_err err;
	bool is = false;

	ks_err_init(&err);
	assert_int_equal(ks_comm_is(c, ks_str_c(name), &is, &err), KS_OK);
	return is;
}

static struct ks_comm *comm_with(const ks_str *pattern, size_t n)
{
	struct ks_comm *c = NULL;
	struct ks_err err;

	ks_err_init(&err);
	assert_int_equal(ks_comm_open(&c, pattern, n, &err), KS_OK);
	return c;
}

static void patterns_are_anchored_at_the_qualified_name(void **state)
{
	static const struct {
		const char *name;
		const char *library; /* "" = none */
	} row[] = {
		{ "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long, ncclWork*)",
		  "NCCL" },
		{ "void ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", "NCCL" },
		{ "ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*)", "NCCL" },
		{ "ncclAllReduceRingLLKernel_sum_f32(ncclColl)", "NCCL" },
		{ "static void ncclSymkDevKernel_AllGather_LL(x)", "NCCL" },
		{ "ncclX", "NCCL" },
		{ "void deep_ep::internode::dispatch<true, 8>(int4*, float*)", "DeepEP" },
		{ "void c10d::intra_node_comm::oneShotAllReduceKernel<1>(int)", "PyTorch c10d" },
		{ "void vllm::cross_device_reduce_1stage<__half, 2>(vllm::RankData*)", "vLLM" },
		{ "std::enable_if<(2 > 1), void>::type ncclKernel(int)", "NCCL" },
		{ "unsigned long const* nvshmemi_transfer_kernel(int)", "NVSHMEM" },
		/* a word inside a name is none */
		{ "at::native::elementwise_kernel<broadcast_add>", "" },
		{ "void my::ncclwrap(int)", "" },
		{ "void gemm<ncclFloat>(ncclComm*)", "" },
		{ "void (anonymous namespace)::ncclLike(int)", "" },
		{ "void at::native::vectorized_elementwise_kernel<4, at::native::allreduce>(int)",
		  "" },
		{ "allreduce_add(float*)", "" },
		{ "vllm::rms_norm_kernel<float>(int)", "" },
		{ "NcclKernel(int)", "" },
		{ "gemm", "" },
		{ "", "" },
		{ "nccl", "NCCL" },
		{ "<", "" },
		{ "((((", "" },
		{ "operator>>(x)", "" },
	};
	struct ks_comm *c = comm_with(NULL, 0);

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(row); i++) {
		if (is_comm(c, row[i].name) != (row[i].library[0] != '\0'))
			fail_msg("%s", row[i].name);
		assert_string_equal(ks_comm_library(ks_str_c(row[i].name)), row[i].library);
	}
	ks_comm_close(c);
}

static void users_add_prefixes_and_patterns(void **state)
{
	static const ks_str pattern[] = { { "my::ar", 6 }, { "regex:^tp_.*_reduce", 19 } };
	struct ks_comm *c = comm_with(pattern, 2);

	(void)state;
	assert_true(is_comm(c, "void my::ar_kernel<4>(int)"));
	assert_true(is_comm(c, "void tp_fused_reduce(int)")); /* anchored behind the return type */
	assert_true(is_comm(c, "ncclX"));
	assert_false(is_comm(c, "void not_my::ar_kernel(int)"));
	assert_false(is_comm(c, "void x::tp_fused_reduce(int)"));
	ks_comm_close(c);
}

static void bad_patterns_are_usage_errors_that_name_the_option(void **state)
{
	static const struct {
		const char *pattern;
		enum ks_text text;
	} row[] = {
		{ "", KS_TEXT_ERR_AN_COMM_EMPTY },
		{ "regex:", KS_TEXT_ERR_AN_COMM_EMPTY },
		{ "regex:(a", KS_TEXT_ERR_AN_COMM_PATTERN },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(row); i++) {
		const ks_str pattern = ks_str_c(row[i].pattern);
		struct ks_comm *c = NULL;
		struct ks_err err;

		ks_err_init(&err);
		assert_int_equal(ks_comm_open(&c, &pattern, 1, &err), KS_E_USAGE);
		assert_int_equal(err.text, row[i].text);
		assert_null(c);
	}
}

static void a_pattern_that_costs_too_much_is_told(void **state)
{
	const ks_str pattern = KS_LIT("regex:^(a|aa)+$");
	struct ks_comm *c = comm_with(&pattern, 1);
	struct ks_err err;
	bool is;

	(void)state;
	ks_err_init(&err);
	assert_int_equal(
		ks_comm_is(c,
			   KS_LIT("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac"),
			   &is, &err),
		KS_E_USAGE);
	assert_int_equal(err.text, KS_TEXT_ERR_AN_COMM_COST);
	ks_comm_close(c);
}

/* --- groups --------------------------------------------------------------------------------------
 */

/* Names as references 1 ..., one group each; which of the three a group has is chosen. */
static void groups_are_settled_by_the_best_name_there_is(void **state)
{
	static const struct {
		const char *demangled, *function, *mangled;
		bool is;
	} row[] = {
		{ "void ncclDevKernel_X(int)", "ncclDevKernel_X", NULL, true },
		{ "void my::ncclwrap(int)", "ncclwrap", NULL, false }, /* the full name decides */
		{ NULL, "ncclDevKernel_X", NULL, true },
		{ NULL, NULL, "_Z11ncclKernel1i", true },
		{ NULL, NULL, "_ZN7deep_ep8dispatchEi", true },
		{ NULL, NULL, "_ZN2my8dispatchEi", false },
		{ NULL, NULL, NULL, false },
		{ "gemm(int)", "gemm", NULL, false },
	};
	struct world w;
	ks_str text[64] = { KS_STR_NONE };
	struct ks_analysis *a = &w.a;

	(void)state;
	world_open(&w, 1, 0);
	ks_launches_init(&a->launches, &a->devices);
	ks_map_init(&a->refs, sizeof(ks_nameref), 64);
	a->ref_text = text;
	a->ref_cap = KS_ARRAY_LEN(text);
	ks_nameref next = 0;

	for (size_t i = 0; i < KS_ARRAY_LEN(row); i++) {
		const char *name[3] = { row[i].demangled, row[i].function, row[i].mangled };
		ks_nameref ref[3] = { 0 };

		for (int k = 0; k < 3; k++) {
			if (!name[k])
				continue;
			ref[k] = ++next;
			text[ks_map_add(&a->refs, &ref[k], NULL)] = ks_str_c(name[k]);
		}
		const struct ks_launch l = { .demangled = ref[0],
					     .function = ref[1],
					     .mangled = ref[2],
					     .regs = (int64_t)i };

		assert_int_equal(ks_launches_group(&a->launches, &l, 0, &w.err), i);
	}
	assert_int_equal(ks_comm_groups(a, &w.err), KS_OK);
	for (uint32_t i = 0; i < KS_ARRAY_LEN(row); i++) {
		if (ks_comm_is_group(a->comm, i) != row[i].is)
			fail_msg("group %u", (unsigned)i);
	}
	assert_false(ks_comm_is_group(a->comm, KS_ARRAY_LEN(row)));
	ks_map_release(&a->refs);
	ks_launches_release(&a->launches);
	world_close(&w);
}

/* --- rows ----------------------------------------------------------------------------------------
 */

/* Device 0: communication for 10 ms, 4 of them beside computation, 1 of those beside a copy too.
 * Device 1: 6 ms, none of it hidden. */
static void exposed_and_hidden_communication_add_up_over_devices(void **state)
{
	struct world w;

	(void)state;
	world_open(&w, 2, 0);
	w.r.kernel_ns = 64000000;
	w.time[0].mix_ns[KS_MIX_COMPUTE] = 30000000;
	w.time[0].mix_ns[KS_MIX_COMM] = 5000000;
	w.time[0].mix_ns[KS_MIX_COMM | KS_MIX_COPY] = 1000000;
	w.time[0].mix_ns[KS_MIX_COMM | KS_MIX_COMPUTE] = 3000000;
	w.time[0].mix_ns[KS_MIX_COMM | KS_MIX_COMPUTE | KS_MIX_COPY] = 1000000;
	w.time[0].comm_sum_ns = 10000000;
	w.time[1].mix_ns[KS_MIX_COMM] = 6000000;
	w.time[1].comm_sum_ns = 6000000;
	then_answered(&w);
	expect_real(ledger(&w, "ks__comm_kernel_ms"), 16.0);
	expect_real(ledger(&w, "ks__comm_kernel_share_pct"), 25.0);
	expect_real(ledger(&w, "ks__comm_compute_overlap_pct"), 25.0); /* 4 of 16 */
	expect_real(ledger(&w, "ks__comm_exposed_ms"), 12.0);
	expect_real(ledger(&w, "ks__device_0__comm_kernel_ms"), 10.0);
	expect_real(ledger(&w, "ks__device_1__comm_kernel_ms"), 6.0);
	expect_refused(ledger(&w, "ks__comm_bytes_total"), KS_REFUSAL_MEMCPY_DURATION_UNTRUSTED);
	assert_int_equal(ledger(&w, "ks__comm_kernel_share_pct")->n_inputs, 1);
	world_close(&w);
}

int test_comm(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_are_anchored_at_the_qualified_name),
		cmocka_unit_test(users_add_prefixes_and_patterns),
		cmocka_unit_test(bad_patterns_are_usage_errors_that_name_the_option),
		cmocka_unit_test(a_pattern_that_costs_too_much_is_told),
		cmocka_unit_test(groups_are_settled_by_the_best_name_there_is),
		cmocka_unit_test(exposed_and_hidden_communication_add_up_over_devices),
	};

	return cmocka_run_group_tests_name("comm", tests, NULL, NULL);
}
