/* SPDX-License-Identifier: Apache-2.0
 *
 * A native report, exported by an nsys that is a script of the test: found where the tools are,
 * called without a shell, its failures told, nothing left behind.
 */
#include "all.h"

#include <dirent.h>
#include <sys/stat.h>

#include "base/str.h"

static void given_nsys(const char *script)
{
	char text[2048];

	(void)mkdir(in_scratch("tools"), 0700);
	(void)mkdir(in_scratch("tmp"), 0700);
	(void)snprintf(text, sizeof(text), "#!/bin/sh\n%s\n", script);
	given_bytes(in_scratch("tools/nsys"), text, strlen(text));
	assert_int_equal(chmod(in_scratch("tools/nsys"), 0700), 0);
	test_setenv("PATH", NULL);
	test_setenv("KS_TOOL_SEARCH_DIRS", in_scratch("tools"));
	test_setenv("TMPDIR", in_scratch("tmp"));
}

static const char *given_report(const char *name)
{
	const char *path = in_scratch(name);

	given_bytes(path, "NVIDIA Tegra Profiler Report 2026@1", 35);
	return path;
}

static void expect_nothing_left(void)
{
	DIR *d = opendir(in_scratch("tmp"));
	size_t n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	(void)closedir(d);
	assert_int_equal(n, 2);
}

static void the_export_is_streamed_and_removed(void **state)
{
	const char *path = given_report("my report.nsys-rep");
	char script[1024];
	struct record r;

	(void)state;
	(void)unlink(in_scratch("ready.sqlite"));
	given_db(in_scratch("ready.sqlite"),
		 "create table StringIds(id,value); insert into StringIds values(1,'k');"
		 "create table CUPTI_ACTIVITY_KIND_KERNEL(start,end,demangledName);"
		 "insert into CUPTI_ACTIVITY_KIND_KERNEL values(1,5,1)");
	(void)snprintf(script, sizeof(script),
		       "[ \"$1 $2 $3 $4 $5\" = 'export --type sqlite --force-overwrite=true -o' ] "
		       "|| exit 9\n"
		       "[ \"$7\" = '%s' ] || exit 8\n/bin/cp '%s' \"$6\"",
		       path, in_scratch("ready.sqlite"));
	given_nsys(script);
	record_start(&r);
	if (record_stream(&r, &ks_source_nsys_rep, path) != KS_OK)
		fail_msg("%s", record_error(&r));
	assert_int_equal(r.n_launches, 1);
	assert_true(ks_str_eqc(record_name_of(&r, r.launch[0].demangled), "k"));
	assert_true(ks_str_eqc(r.meta.path, path)); /* what the user gave, not the temporary file */
	record_end(&r);
	expect_nothing_left();
}

static void a_failing_export_says_its_last_line(void **state)
{
	const char *path = given_report("bad.qdrep");
	struct record r;

	(void)state;
	given_nsys(
		"echo 'Processing 10%'; echo; echo 'The report is too old.' >&2; echo >&2; exit 3");
	record_start(&r);
	assert_int_equal(record_stream(&r, &ks_source_nsys_rep, path), KS_E_ENV);
	assert_int_equal(r.err.text, KS_TEXT_ERR_SRC_EXPORT_FAILED);
	assert_non_null(strstr(record_error(&r), "(exit status 3): The report is too old."));
	record_end(&r);
	expect_nothing_left();
}

static void an_export_that_writes_nothing(void **state)
{
	const char *path = given_report("nothing.nsys-rep");
	struct record r;

	(void)state;
	given_nsys("i=0; while [ $i -lt 3000 ]; do echo 'a line of chatter that fills the pipe'; "
		   "i=$((i+1)); done; exit 0");
	record_start(&r);
	assert_int_equal(record_stream(&r, &ks_source_nsys_rep, path), KS_E_ENV);
	assert_int_equal(r.err.text, KS_TEXT_ERR_SRC_EXPORT_NOTHING);
	record_end(&r);
	expect_nothing_left();
}

static void an_export_that_is_killed_or_writes_rubbish(void **state)
{
	const char *path = given_report("killed.nsys-rep");
	struct record r;

	(void)state;
	given_nsys("kill -9 $$");
	record_start(&r);
	assert_int_equal(record_stream(&r, &ks_source_nsys_rep, path), KS_E_ENV);
	assert_non_null(strstr(record_error(&r), "137"));
	record_end(&r);
	given_nsys("echo rubbish > \"$6\"");
	record_start(&r);
	assert_int_equal(record_stream(&r, &ks_source_nsys_rep, path), KS_E_INPUT);
	assert_non_null(strstr(record_error(&r), path));
	record_end(&r);
	expect_nothing_left();
}

static void without_nsys_the_command_is_given(void **state)
{
	const char *path = given_report("run.nsys-rep");
	struct record r;

	(void)state;
	given_nsys("exit 0");
	test_setenv("KS_TOOL_SEARCH_DIRS", NULL);
	record_start(&r);
	if (record_stream(&r, &ks_source_nsys_rep, path) == KS_E_ENV &&
	    r.err.text == KS_TEXT_ERR_SRC_EXPORT_FAILED) {
		record_end(&r);
		print_message("this machine has an nsys of its own\n");
		skip();
	}
	assert_int_equal(r.err.status, KS_E_ENV);
	assert_int_equal(r.err.text, KS_TEXT_ERR_SRC_NO_NSYS);
	assert_non_null(strstr(record_error(&r), "nsys export --type sqlite --output "));
	assert_non_null(strstr(record_error(&r), "run.sqlite "));
	record_end(&r);
}

static void what_is_no_native_report_is_said(void **state)
{
	struct record r;

	(void)state;
	given_nsys("exit 0");
	given_db(in_scratch("already.sqlite"), "create table StringIds(id,value)");
	record_start(&r);
	assert_int_equal(record_stream(&r, &ks_source_nsys_rep, in_scratch("already.sqlite")),
			 KS_E_INPUT);
	assert_int_equal(r.err.text, KS_TEXT_ERR_SRC_NOT_NSYS_REP);
	record_end(&r);
	record_start(&r);
	assert_int_equal(record_stream(&r, &ks_source_nsys_rep, in_scratch("no.nsys-rep")),
			 KS_E_INPUT);
	assert_int_equal(r.err.text, KS_TEXT_ERR_IN_MISSING);
	record_end(&r);
	test_setenv("TMPDIR", "/nowhere/at/all");
	record_start(&r);
	assert_int_equal(record_stream(&r, &ks_source_nsys_rep, given_report("x.nsys-rep")),
			 KS_E_ENV);
	assert_int_equal(r.err.text, KS_TEXT_ERR_SRC_TEMP_FOLDER);
	record_end(&r);
}

int test_nsys_rep(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_export_is_streamed_and_removed),
		cmocka_unit_test(a_failing_export_says_its_last_line),
		cmocka_unit_test(an_export_that_writes_nothing),
		cmocka_unit_test(an_export_that_is_killed_or_writes_rubbish),
		cmocka_unit_test(without_nsys_the_command_is_given),
		cmocka_unit_test(what_is_no_native_report_is_said),
	};

	return cmocka_run_group_tests_name("nsys_rep", tests, NULL, NULL);
}
