/* SPDX-License-Identifier: Apache-2.0
 *
 * Which kernel of device code a kernel of a recording is: by equal names, by a function name that
 * stands once, by what the device can run; and otherwise not at all.
 */
#include "all.h"

#include "analyze/code.h"
#include "base/str.h"

static struct ks_arena arena;
static struct ks_code_function function[8];
static struct ks_code code;
static struct ks_code_file file[2];

static void given(const char *const *name, const int64_t *arch, size_t n)
{
	ks_arena_init(&arena, 1 << 20);
	code = (struct ks_code){
		.function = function, .n_functions = n, .file = file, .n_files = 1
	};
	for (size_t i = 0; i < n; i++)
		function[i] = (struct ks_code_function){ .name = ks_str_c(name[i]),
							 .arch = arch[i],
							 .is_kernel = true,
							 .registers = (int64_t)(10 + i) };
}

static struct ks_code_found when_asked(const char *name, const char *base, const char *mangled,
				       int64_t arch)
{
	const struct ks_codebook *b = ks_codebook_open(&code, &arena);
	const struct ks_code_wanted w = { ks_str_c(name), ks_str_c(base), ks_str_c(mangled), arch };

	assert_non_null(b);
	return ks_codebook_find(b, &w);
}

static void then_found(struct ks_code_found f, int64_t registers, bool by_base)
{
	assert_int_equal(f.how, KS_MATCH_FOUND);
	assert_int_equal(f.entry->f->registers, registers);
	assert_int_equal(f.by_base, by_base);
	ks_arena_release(&arena);
}

static void then_not(struct ks_code_found f, enum ks_code_match how)
{
	assert_int_equal(f.how, how);
	ks_arena_release(&arena);
}

static const char *const scales[] = { "_Z5scaleIfEvPT_", "_Z5scaleIdEvPT_", "plain" };
static const int64_t of_80[] = { 80, 80, 80 };

static void an_equal_mangled_name_is_the_kernel(void **state)
{
	(void)state;
	given(scales, of_80, 3);
	then_found(when_asked("void scale<double>(double*)", "scale", "_Z5scaleIdEvPT_", 80), 11,
		   false);
}

static void an_equal_demangled_name_is_the_kernel(void **state)
{
	(void)state;
	given(scales, of_80, 3);
	then_found(when_asked("void scale<float>(float*)", "scale", "", 80), 10, false);
	given(scales, of_80, 3);
	then_found(when_asked("plain", "plain", "", 80), 12, false);
}

/* The two variants of scale: whichever is meant, the function name does not say it. */
static void a_function_name_that_several_have_is_no_match(void **state)
{
	(void)state;
	given(scales, of_80, 3);
	then_not(when_asked("scale", "scale", "", 80), KS_MATCH_SEVERAL);
}

static void a_function_name_that_one_has_is_a_match_that_says_so(void **state)
{
	(void)state;
	given(scales + 1, of_80, 1);
	then_found(when_asked("scale<double>(double *)", "scale", "", 80), 10, true);
	given(scales + 1, of_80, 1);
	then_not(when_asked("scale<double>(double *)", "", "", 80), KS_MATCH_NONE);
}

static void names_that_only_resemble_each_other_do_not_match(void **state)
{
	(void)state;
	given(scales, of_80, 3);
	then_not(when_asked("scale_rows(float*)", "scale_rows", "_Z10scale_rowsPf", 80),
		 KS_MATCH_NONE);
	given(scales, of_80, 3);
	then_not(when_asked("plain2", "plain2", "plain2", 80), KS_MATCH_NONE);
}

static void of_several_architectures_the_device_takes_the_nearest(void **state)
{
	static const char *const k[] = { "k", "k", "k" };
	static const int64_t arch[] = { 80, 86, 90 };
	static const struct {
		int64_t device, registers;
	} c[] = { { 80, 10 }, { 86, 11 }, { 89, 11 }, { 90, 12 } };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(c); i++) {
		given(k, arch, 3);
		then_found(when_asked("k", "k", "k", c[i].device), c[i].registers, false);
	}
	given(k, arch, 3);
	then_not(when_asked("k", "k", "k", 75), KS_MATCH_OTHER_ARCH);
	given(k, arch, 3);
	then_not(when_asked("k", "k", "k", 100), KS_MATCH_OTHER_ARCH);
	given(k, arch, 3); /* the device is not known: any of the three */
	then_not(when_asked("k", "k", "k", KS_UNKNOWN), KS_MATCH_SEVERAL);
	given(k, arch, 1);
	then_found(when_asked("k", "k", "k", KS_UNKNOWN), 10, false);
}

static void what_is_twice_the_same_is_one_and_what_differs_is_none(void **state)
{
	static const char *const k[] = { "k", "k" };
	size_t n = 0;

	(void)state;
	given(k, of_80, 2);
	function[1].registers = function[0].registers;
	(void)ks_codebook_entries(ks_codebook_open(&code, &arena), &n);
	assert_int_equal(n, 1);
	then_found(when_asked("k", "k", "k", 80), 10, false);
	given(k, of_80, 2);
	(void)ks_codebook_entries(ks_codebook_open(&code, &arena), &n);
	assert_int_equal(n, 2);
	then_not(when_asked("k", "k", "k", 80), KS_MATCH_SEVERAL);
}

/* Device functions stand in for kernels only in a file that has none. */
static void device_functions_are_listed_of_files_without_kernels(void **state)
{
	static const char *const name[] = { "kernel", "helper", "other" };
	size_t n = 0;

	(void)state;
	given(name, of_80, 3);
	code.n_files = 2;
	function[1].is_kernel = false;
	function[2].is_kernel = false;
	function[2].file = 1;
	const struct ks_code_entry *e = ks_codebook_entries(ks_codebook_open(&code, &arena), &n);

	assert_int_equal(n, 2);
	assert_true(ks_str_eqc(e[0].name, "kernel"));
	assert_true(ks_str_eqc(e[1].name, "other"));
	ks_arena_release(&arena);
}

/* By its function name alone it would be the kernel of the recording; but nothing launches it. */
static void a_device_function_is_no_kernel_of_a_recording(void **state)
{
	static const char *const name[] = { "_Z4tilei", "_Z4tilef" };

	(void)state;
	given(name, of_80, 1);
	function[0].is_kernel = false;
	then_not(when_asked("tile(float)", "tile", "_Z4tilef", 80), KS_MATCH_NONE);
	given(name, of_80, 1);
	function[0].is_kernel = false;
	then_not(when_asked("tile(int)", "tile", "_Z4tilei", 80), KS_MATCH_NONE);
	given(name, of_80, 2); /* a function in one file, the kernel in another */
	code.n_files = 2;
	function[0].is_kernel = false;
	function[1].file = 1;
	then_found(when_asked("tile(double)", "tile", "", 80), 11, true);
}

int test_code(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_equal_mangled_name_is_the_kernel),
		cmocka_unit_test(an_equal_demangled_name_is_the_kernel),
		cmocka_unit_test(a_function_name_that_several_have_is_no_match),
		cmocka_unit_test(a_function_name_that_one_has_is_a_match_that_says_so),
		cmocka_unit_test(names_that_only_resemble_each_other_do_not_match),
		cmocka_unit_test(of_several_architectures_the_device_takes_the_nearest),
		cmocka_unit_test(what_is_twice_the_same_is_one_and_what_differs_is_none),
		cmocka_unit_test(device_functions_are_listed_of_files_without_kernels),
		cmocka_unit_test(a_device_function_is_no_kernel_of_a_recording),
	};

	return cmocka_run_group_tests_name("code", tests, NULL, NULL);
}
