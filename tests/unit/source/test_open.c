/* SPDX-License-Identifier: Apache-2.0
 *
 * Inputs that cannot be read: each gives one error of its own, with the path and what to do.
 */
#include "all.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const char small_trace[] =
	"create table StringIds(id integer primary key, value text);"
	"insert into StringIds values(1, 'k');"
	"create table CUPTI_ACTIVITY_KIND_KERNEL(start int, end int, deviceId int, demangledName "
	"int);"
	"with recursive c(i) as (select 0 union all select i + 1 from c where i < 999)"
	" insert into CUPTI_ACTIVITY_KIND_KERNEL select i * 10, i * 10 + 5, 0, 1 from c;";

static void expect_error(const char *path, int text)
{
	struct record r;
	const char *line;

	record_start(&r);
	assert_int_equal(record_nsys(&r, path), KS_E_INPUT);
	line = record_error(&r);
	if (r.err.text != text)
		fail_msg("another error: %s", line);
	assert_non_null(strstr(line, path)); /* names the file */
	assert_null(strchr(line, '\n'));     /* one line */
	assert_string_equal(r.err.where, path);
	assert_int_equal(r.n_launches, 0);
	record_end(&r);
}

static void a_missing_file(void **state)
{
	(void)state;
	expect_error(in_scratch("not-there.sqlite"), KS_TEXT_ERR_IN_MISSING);
}

static void an_empty_file(void **state)
{
	const char *path = in_scratch("empty.sqlite");

	(void)state;
	given_bytes(path, "", 0);
	expect_error(path, KS_TEXT_ERR_SRC_EMPTY);
	/* SQLite deletes a log beside an empty database; we must not */
	given_bytes(in_scratch("empty.sqlite-wal"), "log", 3);
	expect_error(path, KS_TEXT_ERR_SRC_EMPTY);
	assert_int_equal(access(in_scratch("empty.sqlite-wal"), F_OK), 0);
}

static void a_folder(void **state)
{
	const char *path = in_scratch("folder.sqlite");

	(void)state;
	assert_int_equal(mkdir(path, 0700), 0);
	expect_error(path, KS_TEXT_ERR_IN_DIRECTORY);
}

static void a_pipe_does_not_hang(void **state)
{
	const char *path = in_scratch("pipe");

	(void)state;
	assert_int_equal(mkfifo(path, 0600), 0);
	expect_error(path, KS_TEXT_ERR_SRC_NOT_REGULAR);
	expect_error("/dev/null", KS_TEXT_ERR_SRC_NOT_REGULAR);
}

static void an_unreadable_file(void **state)
{
	const char *path = in_scratch("secret.sqlite");

	(void)state;
	given_db(path, small_trace);
	assert_int_equal(chmod(path, 0), 0);
	if (geteuid() == 0 && seteuid(65534) != 0) {
		print_message("root cannot give up its rights here\n");
		skip();
	}
	/* the folder is root's own; let the file be seen */
	if (access(path, F_OK) != 0) {
		if (getuid() == 0)
			assert_int_equal(seteuid(0), 0);
		(void)chmod(in_scratch("."), 0755);
		if (getuid() == 0)
			assert_int_equal(seteuid(65534), 0);
	}
	expect_error(path, KS_TEXT_ERR_IN_DENIED);
	if (getuid() == 0)
		assert_int_equal(seteuid(0), 0);
}

static void files_of_other_kinds(void **state)
{
	static const struct {
		const char *name, *bytes;
		size_t n;
		int text;
	} c[] = {
		{ "text.sqlite", "just some text\n", 15, KS_TEXT_ERR_SRC_NOT_SQLITE },
		{ "a.nsys-rep", "NVIDIA Tegra Profiler Report 2026@1", 35,
		  KS_TEXT_ERR_SRC_NSYS_REP },
		{ "a.qdrep", "NVIDIA Tegra Profiler Report 1.", 31, KS_TEXT_ERR_SRC_NSYS_REP },
		{ "a.ncu-rep", "NVR\0\4\0\0\0", 8, KS_TEXT_ERR_SRC_NCU_REP },
		{ "a.sqlite.gz", "\x1f\x8b\x08\0", 4, KS_TEXT_ERR_SRC_GZIP },
		{ "program",
		  "\x7f"
		  "ELF\2\1\1",
		  7, KS_TEXT_ERR_SRC_ELF },
		{ "a.ksreport.json", " {\"schema_version\": 1}", 22, KS_TEXT_ERR_SRC_JSON },
		{ "almost.sqlite", "SQLite format 3\0\x10", 17, KS_TEXT_ERR_SRC_TRUNCATED },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(c); i++) {
		given_bytes(in_scratch(c[i].name), c[i].bytes, c[i].n);
		expect_error(in_scratch(c[i].name), c[i].text);
	}
}

static void the_export_command_can_be_pasted(void **state)
{
	const char *path = in_scratch("my run's.nsys-rep");
	struct record r;

	(void)state;
	given_bytes(path, "NVIDIA Tegra Profiler Report 1.", 31);
	record_start(&r);
	assert_int_equal(record_nsys(&r, path), KS_E_INPUT);
	assert_non_null(strstr(record_error(&r), "nsys export --type sqlite --output '"));
	assert_non_null(strstr(record_error(&r), "my run'\\''s.sqlite' '"));
	assert_non_null(strstr(record_error(&r), "my run'\\''s.nsys-rep'"));
	record_end(&r);
}

static void a_file_cut_anywhere_is_said_to_be_cut(void **state)
{
	const char *whole = in_scratch("whole.sqlite");
	const char *cut = in_scratch("cut.sqlite");
	unsigned char *bytes;

	(void)state;
	given_db(whole, small_trace);

	const size_t n = read_bytes(whole, &bytes);

	for (size_t at = 100; at < n; at += n / 20) {
		given_bytes(cut, bytes, at);
		expect_error(cut, KS_TEXT_ERR_SRC_TRUNCATED);
	}
	free(bytes);
}

static void names_of_files_may_hold_anything(void **state)
{
	static const char *const names[] = { "a b.sqlite",	    "a?mode=rwc.sqlite",
					     "a#b.sqlite",	    "a%20b.sqlite",
					     "\xe4\xb8\xad.sqlite", "\xff\xfe.sqlite",
					     "a'\"b.sqlite" };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(names); i++) {
		struct record r;

		given_db(in_scratch("plain.sqlite"), small_trace);
		assert_int_equal(rename(in_scratch("plain.sqlite"), in_scratch(names[i])), 0);
		record_good(&r, in_scratch(names[i]));
		assert_int_equal(r.n_launches, 1000);
		record_end(&r);
	}
}

/* A child that holds a lock until it is told to end. */
static pid_t given_lock(const char *path, const char *sql, int *tell)
{
	int ready[2];
	int wait_for[2];
	char byte;

	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(wait_for), 0);

	const pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		sqlite3 *db;

		(void)close(wait_for[1]);
		if (sqlite3_open(path, &db) != SQLITE_OK ||
		    sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
			_exit(1);
		if ((write)(ready[1], "x", 1) != 1)
			_exit(1);
		(void)!read(wait_for[0], &byte, 1);
		_exit(0);
	}
	(void)close(ready[1]);
	(void)close(wait_for[0]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	(void)close(ready[0]);
	*tell = wait_for[1];
	return pid;
}

static void release_lock(pid_t pid, int tell)
{
	int status;

	(void)close(tell);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void a_locked_file_names_who_holds_it(void **state)
{
	const char *path = in_scratch("locked.sqlite");
	struct record r;
	char pid_text[32];
	int tell;

	(void)state;
	given_db(path, small_trace);

	const pid_t pid = given_lock(path, "begin exclusive", &tell);
	const ks_ns start = ks_clock_system.monotonic();

	record_start(&r);
	assert_int_equal(record_nsys(&r, path), KS_E_INPUT);
	assert_int_equal(r.err.text, KS_TEXT_ERR_SRC_LOCKED);
	(void)snprintf(pid_text, sizeof(pid_text), "process %d ", (int)pid);
	assert_non_null(strstr(record_error(&r), pid_text));
	assert_true(ks_clock_system.monotonic() - start < INT64_C(3000000000));
	record_end(&r);
	release_lock(pid, tell);
	record_good(&r, path);
	assert_int_equal(r.n_launches, 1000);
	record_end(&r);
}

static void a_writer_that_has_not_committed_does_not_disturb(void **state)
{
	const char *path = in_scratch("busy.sqlite");
	struct record r;
	int tell;

	(void)state;
	given_db(path, small_trace);

	const pid_t pid = given_lock(path, "begin; delete from CUPTI_ACTIVITY_KIND_KERNEL", &tell);

	record_good(&r, path);
	assert_int_equal(r.n_launches, 1000);
	record_end(&r);
	release_lock(pid, tell);
}

static void a_hot_journal_is_an_error_with_the_remedy(void **state)
{
	const char *path = in_scratch("hot.sqlite");
	const char *copy = in_scratch("hot2.sqlite");
	char journal[2][512];
	struct record r;
	int tell;

	(void)state;
	given_db(path, small_trace);

	/* a writer that spilled changed pages into the file and then died: file and journal as they
	 * stood */
	const pid_t pid = given_lock(
		path,
		"pragma cache_size=2; begin; update CUPTI_ACTIVITY_KIND_KERNEL set start=0,end=1;"
		"insert into CUPTI_ACTIVITY_KIND_KERNEL"
		" select a.start,a.end,0,1 from CUPTI_ACTIVITY_KIND_KERNEL a",
		&tell);

	(void)snprintf(journal[0], sizeof(journal[0]), "%s-journal", path);
	(void)snprintf(journal[1], sizeof(journal[1]), "%s-journal", copy);
	copy_file(path, copy);
	copy_file(journal[0], journal[1]);
	release_lock(pid, tell);
	record_start(&r);
	assert_int_equal(record_nsys(&r, copy), KS_E_INPUT);
	assert_int_equal(r.err.text, KS_TEXT_ERR_SRC_HOT_JOURNAL);
	record_end(&r);
	assert_int_equal(access(journal[1], F_OK), 0); /* left for SQLite to roll back */
}

static void a_sink_that_fails_stops_the_stream(void **state)
{
	const char *path = in_scratch("sink.sqlite");
	struct record r;

	(void)state;
	given_db(path, small_trace);
	record_start(&r);
	r.fail_at_launch = 10;
	assert_int_equal(record_nsys(&r, path), KS_E_INTERNAL);
	assert_int_equal(r.n_launches, 9);
	record_end(&r);
}

static void rows_come_again_when_the_sink_asks(void **state)
{
	const char *path = in_scratch("again.sqlite");
	struct record r;

	(void)state;
	given_db(path, small_trace);
	record_start(&r);
	r.passes_wanted = 2;
	assert_int_equal(record_nsys(&r, path), KS_OK);
	assert_int_equal(r.n_passes, 2);
	assert_int_equal(r.n_launches, 1000);
	assert_int_equal(r.n_names, 1);
	record_end(&r);
}

int test_open(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_missing_file),
		cmocka_unit_test(an_empty_file),
		cmocka_unit_test(a_folder),
		cmocka_unit_test(a_pipe_does_not_hang),
		cmocka_unit_test(an_unreadable_file),
		cmocka_unit_test(files_of_other_kinds),
		cmocka_unit_test(the_export_command_can_be_pasted),
		cmocka_unit_test(a_file_cut_anywhere_is_said_to_be_cut),
		cmocka_unit_test(names_of_files_may_hold_anything),
		cmocka_unit_test(a_locked_file_names_who_holds_it),
		cmocka_unit_test(a_writer_that_has_not_committed_does_not_disturb),
		cmocka_unit_test(a_hot_journal_is_an_error_with_the_remedy),
		cmocka_unit_test(a_sink_that_fails_stops_the_stream),
		cmocka_unit_test(rows_come_again_when_the_sink_asks),
	};

	return cmocka_run_group_tests_name("open", tests, NULL, NULL);
}
