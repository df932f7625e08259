/* SPDX-License-Identifier: Apache-2.0
 *
 * Which family a name is of. The names are those of real exports, each put into its family by hand,
 * and of the libraries' public sources.
 */
#include "all.h"

#include "analyze/family.h"
#include "base/mem.h"
#include "tables/tables.h"

static struct ks_families *families_with(const ks_str *rule, size_t n)
{
	struct ks_families *f = NULL;
	struct ks_err err;

	ks_err_init(&err);
	assert_int_equal(ks_families_open(&f, rule, n, &err), KS_OK);
	return f;
}

static ks_str family_of(struct ks_families *f, const char *name)
{
	struct ks_err err;
	uint32_t at = 0;

	ks_err_init(&err);
	assert_int_equal(ks_families_of(f, ks_str_c(name), &at, &err), KS_OK);
	return ks_families_sum(f, at)->slug;
}

struct named {
	const char *name, *family;
};

static void expect_families(const struct named *row, size_t n)
{
	struct ks_families *f = families_with(NULL, 0);

	for (size_t i = 0; i < n; i++) {
		const ks_str got = family_of(f, row[i].name);

		if (!ks_str_eqc(got, row[i].family))
			fail_msg("%s: %.*s, not %s", row[i].name, (int)got.n, got.p, row[i].family);
	}
	ks_families_close(f);
}

static void names_of_real_exports_have_their_families(void **state)
{
	static const struct named row[] = {
		{ "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize64x256x8_stage3_warpsize1x4x1_"
		  "ffma_aligna4_alignc4_execute_kernel__5x_cublas",
		  "gemm" },
		{ "nvjet_hsh_256x128_64x4_1x2_h_bz_coopA_NTT", "gemm" },
		{ "trt_ampere_h16816gemm_64x64_ldg8_relu_stages_64x5_tn_v1", "gemm" },
		{ "void cutlass::Kernel<cutlass_75_wmma_tensorop_s161616gemm_f16_16x16_128x1_nn_"
		  "align1>(T1::Params)",
		  "gemm" },
		{ "void gemv2T_kernel_val<int, int, double, double, double, double, (int)128, "
		  "(int)16>(cublasGemvParamsEx<int>, T5, T5)",
		  "gemm" },
		{ "ampere_sgemm_128x64_tn", "gemm" },
		{ "volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_nn", "gemm" },
		{ "void cublasLt::splitKreduce_kernel<(int)32, (int)16, int, double>(int)",
		  "reduction" },
		{ "void splitKreduce_kernel<(int)32, (int)16, int, float>(int)", "reduction" },
		{ "sm80_xmma_fprop_implicit_gemm_f16f16_f16f16_f16_nhwckrsc_nhwc_"
		  "tilesize128x128x32_"
		  "stage4_warpsize2x2x1_g1_tensor16x8x16_t1r3s3_aACCESS_execute_kernel_trt",
		  "convolution" },
		{ "void cutlass__5x_cudnn::Kernel<cutlass_tensorop_f16_s16816fprop_optimized>(int)",
		  "convolution" },
		{ "volta_scudnn_128x64_relu_interior_nn_v1", "convolution" },
		{ "sm50_xmma_pooling_coalescedC_NHWC_kMAX_3_False_execute_kernel_trt", "pooling" },
		{ "void flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128>>(Flash_fwd_params)",
		  "attention" },
		{ "fmha_cutlassF_f16_aligned_64x64_rf_sm80(int)", "attention" },
		{ "void at::native::<unnamed>::vectorized_layer_norm_kernel<float>(int)", "norm" },
		{ "void (anonymous namespace)::softmax_warp_forward<float, float>(int)",
		  "softmax" },
		{ "void <unnamed>::softmax_warp_forward<float, float, float, (int)6>(T2 *)",
		  "softmax" },
		{ "void at::native::reduce_kernel<(int)512, (int)1, "
		  "at::native::ReduceOp<float>>(T3)",
		  "reduction" },
		{ "void cub::CUB_200300_89_NS::DeviceReduceKernel<int>(int)", "reduction" },
		{ "void at_cuda_detail::cub::DeviceReduceSingleTileKernel<int>(int)", "reduction" },
		{ "void at::native::vectorized_elementwise_kernel<(int)4, "
		  "at::native::CUDAFunctor_add<float>, std::array<char *, (unsigned long)3>>(int)",
		  "elementwise" },
		{ "cupy_subtract__float64_float64_float64", "elementwise" },
		{ "void "
		  "at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda("
		  "at::TensorIteratorBase &)::[lambda() (instance 3)]>(int)",
		  "copy" },
		{ "void at::native::vectorized_elementwise_kernel<(int)4, "
		  "at::native::FillFunctor<float>, std::array<char *, (unsigned long)1>>(int)",
		  "copy" },
		{ "void at::native::<unnamed>::CatArrayBatchedCopy_vectorized<int>(int)", "copy" },
		{ "void genericReformat::copyVectorizedKernel<double, __half>(unsigned int)",
		  "copy" },
		{ "cupy_copy__float64_float64", "copy" },
		{ "void cub::CUB_200200_800_NS::DeviceRadixSortOnesweepKernel<int>(int)",
		  "sort_scan" },
		{ "void thrust::cuda_cub::core::_kernel_agent<thrust::cuda_cub::__merge_sort::"
		  "BlockSortAgent<int*>, int*>(int*)",
		  "sort_scan" },
		{ "void thrust::THRUST_200300_89_NS::cuda_cub::core::_kernel_agent<"
		  "thrust::THRUST_200300_89_NS::cuda_cub::__transform::unary_transform_f<int>>("
		  "int)",
		  "elementwise" },
		{ "void gen_sequenced<curandStateXORWOW, double, int>(curandStateXORWOW*, double*)",
		  "random" },
		{ "cupy_random_x_mod_1", "random" },
		{ "void regular_fft<256u, 8u, 16u>(int)", "fft" },
		{ "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)", "communication" },
		{ "triton_poi_fused_add_0", "elementwise" },
	};

	(void)state;
	expect_families(row, KS_ARRAY_LEN(row));
}

static void other_names_have_none(void **state)
{
	static const struct named row[] = {
		/* what an application calls its kernels says nothing that the table knows */
		{ "void thrust::cuda_cub::core::_kernel_agent<thrust::cuda_cub::__parallel_for::"
		  "ParallelForAgent<thrust::cuda_cub::for_each_f<int*, user>>>(int)",
		  "other" },
		{ "calcHistogramKernel(uchar4 *, unsigned int *, int, int)", "other" },
		{ "nvkernel_matmult_mnk_offload_F1L115_7", "other" },
		{ "compute_tendencies_z_334_gpu", "other" },
		/* a word inside a name is none */
		{ "my_sgemm_128x64", "other" },
		{ "void my::ampere_sgemm(int)", "other" },
		{ "void my::kernel<cub::DeviceReduceKernel<int>>(int)", "other" },
		{ "xcutlass_80_gemm", "other" },
		{ "ampere-gemm", "other" },
		{ "CUB_NS::DeviceReduceKernel", "other" },
		{ "", "other" },
		{ "<", "other" },
		{ "CUB_", "other" },
		{ "THRUST_200300_NS::", "other" },
	};

	(void)state;
	expect_families(row, KS_ARRAY_LEN(row));
}

static void the_users_rules_come_first(void **state)
{
	const ks_str rule[] = { KS_LIT("moe=my::expert"), KS_LIT("gemm=regex:^tiled_.*mul$"),
				KS_LIT("moe=nccl"), KS_LIT("never=nothing") };
	struct ks_families *f = families_with(rule, KS_ARRAY_LEN(rule));

	(void)state;
	assert_int_equal(ks_families_count(f), KS_FAMILY_COUNT + 2);
	assert_true(ks_str_eqc(ks_families_unmatched(f), "moe=my::expert"));
	assert_true(ks_str_eqc(family_of(f, "void my::expert_kernel<4>(int)"), "moe"));
	assert_true(ks_str_eqc(family_of(f, "void yours::my::expert(int)"), "other"));
	assert_true(ks_str_eq(ks_families_unmatched(f), rule[1]));
	assert_true(ks_str_eqc(family_of(f, "tiled_mul"), "gemm"));
	assert_true(ks_str_eqc(family_of(f, "ncclDevKernel_AllReduce(int)"), "moe"));
	assert_true(ks_str_eqc(ks_families_unmatched(f), "never=nothing"));
	assert_false(ks_families_is_known(KS_FAMILY_COUNT));
	assert_true(ks_families_is_known(KS_FAMILY_GEMM));
	ks_families_close(f);
}

static void bad_rules_are_usage_errors(void **state)
{
	static const struct {
		const char *rule;
		enum ks_text text;
	} row[] = {
		{ "gemm", KS_TEXT_ERR_AN_FAMILY_FORM },
		{ "=my", KS_TEXT_ERR_AN_FAMILY_FORM },
		{ "gemm=", KS_TEXT_ERR_AN_FAMILY_FORM },
		{ "gemm=regex:", KS_TEXT_ERR_AN_FAMILY_FORM },
		{ "GEMM=my", KS_TEXT_ERR_AN_FAMILY_FORM },
		{ "1st=my", KS_TEXT_ERR_AN_FAMILY_FORM },
		{ "a__b=my", KS_TEXT_ERR_AN_FAMILY_FORM },
		{ "a_=my", KS_TEXT_ERR_AN_FAMILY_FORM },
		{ "a-b=my", KS_TEXT_ERR_AN_FAMILY_FORM },
		{ "abcdefghijklmnopqrstuvwxyzabcdefg=my", KS_TEXT_ERR_AN_FAMILY_FORM },
		{ "gemm=regex:(", KS_TEXT_ERR_AN_FAMILY_PATTERN },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(row); i++) {
		const ks_str rule = ks_str_c(row[i].rule);
		struct ks_families *f = NULL;
		struct ks_err err;

		ks_err_init(&err);
		if (ks_families_open(&f, &rule, 1, &err) != KS_E_USAGE || f != NULL ||
		    err.text != (int)row[i].text)
			fail_msg("%s", row[i].rule);
	}
}

/* A second star would make a hostile name cost the square of its length. */
static void no_pattern_of_the_table_has_two_stars(void **state)
{
	static const char *const pattern[] = {
#define KS_FAMILY_RULE(family, prefix, part) prefix, part,
#include "tables/kclass.def"
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(pattern); i++) {
		const char *star = strchr(pattern[i], '*');

		if ((star && strchr(star + 1, '*')) || pattern[i][0] == '*')
			fail_msg("%s", pattern[i]);
	}
}

static void every_family_has_a_slug_of_its_own(void **state)
{
	(void)state;
	for (unsigned i = 0; i < KS_FAMILY_COUNT; i++) {
		enum ks_family found = KS_FAMILY_OTHER;

		assert_true(ks_family_find(ks_str_c(ks_family_slug((enum ks_family)i)), &found));
		assert_int_equal(found, i);
		assert_true(*ks_family_title(found, KS_LANG_EN));
		assert_true(*ks_family_title(found, KS_LANG_ZH));
	}
}

int test_family(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_real_exports_have_their_families),
		cmocka_unit_test(other_names_have_none),
		cmocka_unit_test(the_users_rules_come_first),
		cmocka_unit_test(bad_rules_are_usage_errors),
		cmocka_unit_test(no_pattern_of_the_table_has_two_stars),
		cmocka_unit_test(every_family_has_a_slug_of_its_own),
	};

	return cmocka_run_group_tests_name("family", tests, NULL, NULL);
}
