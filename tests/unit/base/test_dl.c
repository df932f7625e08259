/* SPDX-License-Identifier: Apache-2.0
 *
 * Libraries that are loaded at run time: the C library's own mathematics stands for any.
 */
#include "all.h"

#include "base/dl.h"

static void a_function_is_found_and_called(void **state)
{
	struct ks_dl dl;
	char text[256] = "";

	(void)state;
	assert_true(ks_dl_open(&dl, "libm.so.6", text, sizeof(text)));
	double (*const square_root)(double) = (double (*)(double))ks_dl_find(&dl, "sqrt");

	assert_non_null(square_root);
	assert_int_equal((int)square_root(1764.0), 42);
	assert_null(ks_dl_find(&dl, "no_such_function_in_here"));
	assert_true(ks_dl_path(&dl, text, sizeof(text)));
	assert_int_equal(text[0], '/');
	assert_non_null(strstr(text, "libm"));
	assert_false(ks_dl_path(&dl, text, 3)); /* it does not fit */
	ks_dl_close(&dl);
	assert_null(ks_dl_find(&dl, "sqrt"));
	ks_dl_close(&dl);
}

static void what_cannot_be_loaded_says_why(void **state)
{
	struct ks_dl dl;
	char why[256] = "";

	(void)state;
	assert_false(ks_dl_open(&dl, "/no/such/library.so", why, sizeof(why)));
	assert_non_null(strstr(why, "/no/such/library.so"));
	assert_false(ks_dl_no_memory(why));
	assert_false(ks_dl_open(&dl, "/no/such/library.so", NULL, 0));
	assert_null(ks_dl_find(&dl, "sqrt"));
}

static void memory_that_runs_out_is_told_apart(void **state)
{
	(void)state;
	assert_true(ks_dl_no_memory(
		"libx.so: cannot allocate address lookup data: Cannot allocate memory"));
	assert_true(ks_dl_no_memory("libx.so: cannot create shared object descriptor"));
	assert_true(ks_dl_no_memory("out of memory"));
	/* that is a property of the library */
	assert_false(ks_dl_no_memory("libx.so: cannot allocate memory in static TLS block"));
}

int test_dl(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_is_found_and_called),
		cmocka_unit_test(what_cannot_be_loaded_says_why),
		cmocka_unit_test(memory_that_runs_out_is_told_apart),
	};

	return cmocka_run_group_tests_name("dl", tests, NULL, NULL);
}
