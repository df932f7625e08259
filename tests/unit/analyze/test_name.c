/* SPDX-License-Identifier: Apache-2.0
 *
 * The function name inside a demangled one, by a table of shapes and by every name of the real
 * exports, whose own shortName column is the answer.
 */
#include "all.h"

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>

#include "analyze/name.h"

static void expect_function(const char *demangled, const char *function)
{
	ks_str got = ks_name_function(ks_str_c(demangled));

	if (!ks_str_eqc(got, function))
		fail_msg("%s: %.*s, not %s", demangled, (int)got.n, got.p, function);
}

static void every_shape_of_name_is_read(void **state)
{
	(void)state;
	expect_function("saxpy", "saxpy");
	expect_function("saxpy(int, float, float*)", "saxpy");
	expect_function("void saxpy<float>(int)", "saxpy");
	expect_function("void ns::inner::saxpy<float, (int)4>(int)", "saxpy");
	expect_function("void (anonymous namespace)::softmax<(bool)1>(float*)", "softmax");
	expect_function("void <unnamed>::elementwise<int>(int)", "elementwise");
	expect_function("void at::native::<unnamed>::reduce<int>(int)", "reduce");
	expect_function("void f<g(int)::[lambda(int) (instance 1)]>(T1)", "f");
	expect_function("void f<std::array<int, 4ul>>(int)", "f");
	expect_function("void f<(a::b)0, &c::d>(int)", "f");
	expect_function("outer(int)::{lambda(float)#1}::operator()(float) const", "operator()");
	expect_function("ns::functor::operator()(int)", "operator()");
	expect_function("ns::stream::operator<<(int)", "operator<<");
	expect_function("ns::t::operator bool() const", "operator bool");
	expect_function("my_operator(int)", "my_operator");
	expect_function("unsigned int ns::hash(int)", "hash");
	expect_function("float* pick(int)", "pick");
	expect_function("float *pick(int)", "pick");
	expect_function("void f(int) [clone .part.0]", "f");
	expect_function("void f<int>", "f");
	expect_function("sm80_xmma_gemm_f32f32_tn_n_tilesize64x256x8_execute_kernel__5x_cublas",
			"sm80_xmma_gemm_f32f32_tn_n_tilesize64x256x8_execute_kernel__5x_cublas");
	expect_function("a->b(int)", "a->b"); /* not a name at all: nothing is lost */
	expect_function("", "");
	expect_function("<unknown>", "<unknown>");
	expect_function("((((", "((((");
	expect_function("f(((", "f(((");
	expect_function(">>>)", ">>>)");
}

static void bottomless_nesting_leaves_the_name_whole(void **state)
{
	char deep[2048];

	(void)state;
	memset(deep, '<', sizeof(deep));
	ks_str got = ks_name_function((ks_str){ deep, sizeof(deep) });

	assert_int_equal(got.n, sizeof(deep));
}

static void mangled_names_are_demangled(void **state)
{
	struct ks_buf b;

	(void)state;
	ks_buf_init(&b, 1 << 16);
	assert_true(ks_name_demangle(KS_LIT("_Z12add_parallelPKfS0_Pfi"), &b));
	assert_string_equal(ks_buf_text(&b),
			    "add_parallel(float const*, float const*, float*, int)");
	assert_true(ks_name_demangle(KS_LIT("_ZN2ns4scanIfEEvPT_"), &b));
	assert_string_equal(ks_buf_text(&b), "void ns::scan<float>(float*)");
	assert_false(ks_name_demangle(KS_LIT("saxpy"), &b));
	assert_false(ks_name_demangle(KS_LIT("_Z"), &b));
	assert_false(ks_name_demangle(KS_LIT("_Znot a name"), &b));
	assert_false(ks_name_demangle(((ks_str){ "_Z1f\0v", 6 }), &b));
	assert_false(ks_name_demangle(KS_LIT(""), &b));
	ks_buf_release(&b);

	ks_buf_init(&b, 20); /* one name too long does not spoil the next */
	assert_false(ks_name_demangle(KS_LIT("_Z12add_parallelPKfS0_Pfi"), &b));
	assert_false(ks_buf_failed(&b));
	assert_true(ks_name_demangle(KS_LIT("_Z3addPf"), &b));
	assert_string_equal(ks_buf_text(&b), "add(float*)");
	ks_buf_release(&b);
}

static size_t check_file(const char *path)
{
	json_error_t error;
	size_t i, n = 0;
	json_t *file = json_load_file(path, 0, &error), *k;

	assert_non_null(file);
	json_array_foreach(json_object_get(file, "kernels"), i, k)
	{
		const char *shown = json_string_value(json_object_get(k, "short"));

		if (!shown || !*shown)
			continue;
		expect_function(json_string_value(json_object_get(k, "demangled")), shown);
		n++;
	}
	json_decref(file);
	return n;
}

static void every_name_of_the_real_exports_is_read(void **state)
{
	char folder[512], path[1024];
	size_t names = 0;
	const struct dirent *e;

	(void)state;
	if (!shared_file(folder, "data/nsys-sqlite"))
		skip();
	DIR *d = opendir(folder);

	assert_non_null(d);
	while ((e = readdir(d)) != NULL) {
		if (!ks_str_ends(ks_str_c(e->d_name), ".expected.json"))
			continue;
		(void)snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		names += check_file(path);
	}
	closedir(d);
	assert_true(names > 300);
}

int test_name(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_shape_of_name_is_read),
		cmocka_unit_test(bottomless_nesting_leaves_the_name_whole),
		cmocka_unit_test(mangled_names_are_demangled),
		cmocka_unit_test(every_name_of_the_real_exports_is_read),
	};

	return cmocka_run_group_tests_name("name", tests, NULL, NULL);
}
