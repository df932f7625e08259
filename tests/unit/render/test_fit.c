/* SPDX-License-Identifier: Apache-2.0
 *
 * Short forms of kernel names, worked out by hand from what may be left out in which order.
 */
#include "all.h"

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "render/fit.h"

static const char elementwise[] =
	"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
	"std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)";

static void expect_fit(const char *name, size_t cols, bool utf8, const char *apart,
		       const char *want)
{
	const struct ks_fit fit = { .cols = cols, .utf8 = utf8, .apart = ks_str_c(apart) };
	struct ks_buf b;

	ks_buf_init(&b, 1 << 20);
	ks_fit_name(&b, &fit, ks_str_c(name));
	assert_string_equal(ks_buf_text(&b), want);
	assert_true(ks_utf8_columns(ks_buf_view(&b)) <= cols);
	ks_buf_release(&b);
}

static void a_name_that_fits_is_whole(void **state)
{
	(void)state;
	expect_fit("ampere_sgemm_128x64_tn", 22, true, "", "ampere_sgemm_128x64_tn");
	expect_fit(elementwise, sizeof(elementwise) - 1, true, "", elementwise);
	expect_fit("", 4, true, "", "");
}

static void return_type_and_parameters_go_first(void **state)
{
	(void)state;
	expect_fit("void f<int, 2>(int*, float*)", 20, true, "", "f<int, 2>");
	expect_fit("void (anonymous namespace)::softmax<float, 9>(float*, int)", 50, true, "",
		   "(anonymous namespace)::softmax<float, 9>");
	expect_fit("unsigned long a::g(unsigned long const*)", 12, true, "", "a::g");
	expect_fit("void thing::operator()<int>(int, int)", 24, true, "", "thing::operator()<int>");
}

static void then_namespaces_inside_the_arguments(void **state)
{
	(void)state;
	expect_fit("void a::f<b::c::T<b::U>, (anonymous namespace)::W>(int)", 18, true, "",
		   "a::f<T<U>,W>");
	expect_fit("void a::f<(int)4, (bool)0, b::T<(unsigned long)3> >(int)", 14, true, "",
		   "a::f<4,0,T<3>>");
	expect_fit("void at::native::f<at::native::Add<float> >(int)", 14, true, "",
		   "f<Add<float>>");
}

static void then_the_arguments_are_cut_in_the_middle(void **state)
{
	(void)state;
	expect_fit("kernel<aaaaaaaaaaaaaaaa,bbbbbbbbbbbbbbbb>", 22, true, "",
		   "kernel<aaaaaaaaaa\xe2\x80\xa6"
		   "bbb>");
	expect_fit("kernel<aaaaaaaaaaaaaaaa,bbbbbbbbbbbbbbbb>", 22, false, "",
		   "kernel<aaaaaaaa...bbb>");
}

static void a_name_without_arguments_keeps_head_and_tail(void **state)
{
	(void)state;
	expect_fit("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 21, true, "",
		   "ncclDevKerne\xe2\x80\xa6_RING_LL");
	expect_fit("abcdefghij", 2, true, "", "ab");
}

static void two_names_alike_show_where_they_differ(void **state)
{
	(void)state;
	const char *one = "void k<double, 162, Policy<32, 4, long>, Policy<128, 8, float> >(int)";
	const char *two = "void k<double, 162, Policy<32, 4, long>, Policy<128, 9, float> >(int)";
	const struct ks_fit plain = { .cols = 24, .utf8 = true };
	const struct ks_fit apart = { .cols = 24, .utf8 = true, .apart = ks_str_c(one) };
	struct ks_buf a, b;

	ks_buf_init(&a, 4096);
	ks_buf_init(&b, 4096);
	ks_fit_name(&a, &plain, ks_str_c(one));
	ks_fit_name(&b, &apart, ks_str_c(two));
	assert_false(ks_str_eq(ks_buf_view(&a), ks_buf_view(&b)));
	assert_true(ks_str_has(ks_buf_view(&b), KS_LIT("9,float")));
	ks_buf_release(&a);
	ks_buf_release(&b);
}

static void names_that_differ_only_in_parameters_stay_apart(void **state)
{
	(void)state;
	expect_fit("f(int const*, int const*, int*)", 16, true, "f(int const*, int const*, long*)",
		   "f(int c\xe2\x80\xa6*, int*)");
}

static void no_width_and_no_byte_is_too_much(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_hostile_names; i++)
		for (size_t cols = 1; cols < 40; cols++) {
			const struct ks_fit fit = {
				.cols = cols,
				.utf8 = cols % 2 == 0,
				.apart = cols % 3 == 0 ? hostile_names[(i + 1) % n_hostile_names]
						       : KS_LIT("")
			};
			struct ks_buf b;

			ks_buf_init(&b, 4096);
			ks_fit_name(&b, &fit, hostile_names[i]);
			assert_false(ks_buf_failed(&b));
			/* one character may be wider than a column or two: an escape is up to 8 */
			assert_true(ks_utf8_columns(ks_buf_view(&b)) <= cols);
			ks_buf_release(&b);
		}
}

static void a_name_of_a_megabyte_is_cut(void **state)
{
	(void)state;
	const size_t n = (size_t)1 << 20;
	char *name = ks_mem_alloc(n);
	const struct ks_fit fit = { .cols = 30, .utf8 = true };
	struct ks_buf b;

	memset(name, '<', n);
	ks_buf_init(&b, 4096);
	ks_fit_name(&b, &fit, (ks_str){ name, n });
	assert_int_equal(ks_utf8_columns(ks_buf_view(&b)), 30);
	ks_buf_release(&b);
	ks_mem_free(name);
}

int test_fit(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_that_fits_is_whole),
		cmocka_unit_test(return_type_and_parameters_go_first),
		cmocka_unit_test(then_namespaces_inside_the_arguments),
		cmocka_unit_test(then_the_arguments_are_cut_in_the_middle),
		cmocka_unit_test(a_name_without_arguments_keeps_head_and_tail),
		cmocka_unit_test(two_names_alike_show_where_they_differ),
		cmocka_unit_test(names_that_differ_only_in_parameters_stay_apart),
		cmocka_unit_test(no_width_and_no_byte_is_too_much),
		cmocka_unit_test(a_name_of_a_megabyte_is_cut),
	};

	return cmocka_run_group_tests_name("fit", tests, NULL, NULL);
}
