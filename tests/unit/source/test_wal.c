/* SPDX-License-Identifier: Apache-2.0
 *
 * A database with a write-ahead log beside it is read with the log's rows, wherever it lies and
 * whoever has it open, and nothing is made or changed beside it.
 */
#include "all.h"

#include <dirent.h>
#include <sqlite3.h>
#include <sys/stat.h>

static const char trace[] =
	"pragma journal_mode=wal; pragma wal_autocheckpoint=0;"
	"create table StringIds(id integer primary key, value text);"
	"insert into StringIds values(1, 'k');"
	"create table CUPTI_ACTIVITY_KIND_KERNEL(start int, end int, deviceId int, demangledName "
	"int);"
	"with recursive c(i) as (select 0 union all select i + 1 from c where i < 999)"
	" insert into CUPTI_ACTIVITY_KIND_KERNEL select i * 10, i * 10 + 5, 0, 1 from c;";

static sqlite3 *given_writer(const char *path)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, trace, NULL, NULL, NULL), SQLITE_OK);
	return db;
}

/* Copies t.sqlite and those of its side files that `with` names, out of `from` into a new folder.
 */
static const char *given_copy(const char *from, const char *to, const char *const *with)
{
	static char path[512];
	char source[512];
	char target[512];

	assert_int_equal(mkdir(in_scratch(to), 0700), 0);
	for (size_t i = 0; with[i]; i++) {
		(void)snprintf(source, sizeof(source), "%s/t.sqlite%s", in_scratch(from), with[i]);
		(void)snprintf(target, sizeof(target), "%s/t.sqlite%s", in_scratch(to), with[i]);
		copy_file(source, target);
	}
	(void)snprintf(path, sizeof(path), "%s/t.sqlite", in_scratch(to));
	return path;
}

static int64_t fingerprint(const char *file)
{
	char folder[512];
	struct stat st;
	int64_t sum = 0;

	(void)snprintf(folder, sizeof(folder), "%s", file);
	*strrchr(folder, '/') = '\0';

	DIR *d = opendir(folder);

	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		char path[1024];

		if (e->d_name[0] == '.')
			continue;
		(void)snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		assert_int_equal(stat(path, &st), 0);
		sum = sum * 31 + st.st_size + st.st_mtim.tv_nsec + (int64_t)st.st_ino;
		sum += (int64_t)strlen(e->d_name) << 40;
	}
	(void)closedir(d);
	return sum;
}

static void expect_1000(const char *path)
{
	const int64_t before = fingerprint(path);
	struct record r;

	record_good(&r, path);
	assert_int_equal(r.n_launches, 1000);
	record_end(&r);
	assert_int_equal(fingerprint(path),
			 before); /* nothing beside it was made, changed or removed */
}

static void the_log_is_read_in_every_situation(void **state)
{
	static const char *const all[] = { "", "-wal", "-shm", NULL };
	static const char *const no_index[] = { "", "-wal", NULL };
	const char *path;
	char live[512];
	struct stat st;

	(void)state;
	assert_int_equal(mkdir(in_scratch("live"), 0700), 0);
	(void)snprintf(live, sizeof(live), "%s/t.sqlite", in_scratch("live"));

	sqlite3 *writer = given_writer(live);

	assert_int_equal(stat(live, &st), 0);
	assert_int_equal(st.st_size, 4096); /* every row is in the log */
	expect_1000(live);
	expect_1000(given_copy("live", "all", all));
	expect_1000(given_copy("live", "noindex", no_index));
	path = given_copy("live", "readonly", no_index);
	assert_int_equal(chmod(in_scratch("readonly"), 0500), 0);
	expect_1000(path);
	assert_int_equal(chmod(in_scratch("readonly"), 0700), 0);
	assert_int_equal(sqlite3_exec(writer, "pragma wal_checkpoint(truncate)", NULL, NULL, NULL),
			 SQLITE_OK);
	expect_1000(live); /* an open writer, an empty log */
	expect_1000(given_copy("live", "emptylog", no_index));
	assert_int_equal(sqlite3_close(writer), SQLITE_OK);
	expect_1000(live); /* WAL mode, no log at all */
}

static void a_log_left_behind_is_asked_for(void **state)
{
	static const char *const only[] = { "", NULL };
	char live[512];
	struct record r;

	(void)state;
	assert_int_equal(mkdir(in_scratch("live2"), 0700), 0);
	(void)snprintf(live, sizeof(live), "%s/t.sqlite", in_scratch("live2"));

	sqlite3 *writer = given_writer(live);

	record_start(&r);
	assert_int_equal(record_nsys(&r, given_copy("live2", "lost", only)), KS_E_INPUT);
	assert_int_equal(r.err.text, KS_TEXT_ERR_SRC_WAL_MISSING);
	assert_non_null(strstr(record_error(&r), "wal_checkpoint(truncate)"));
	record_end(&r);
	assert_int_equal(sqlite3_close(writer), SQLITE_OK);
}

static void a_log_that_cannot_be_read_is_an_error_with_the_remedy(void **state)
{
	static const char *const no_index[] = { "", "-wal", NULL };
	char live[512];
	char log[600];
	const char *path;
	struct record r;

	(void)state;
	assert_int_equal(mkdir(in_scratch("live3"), 0700), 0);
	(void)snprintf(live, sizeof(live), "%s/t.sqlite", in_scratch("live3"));

	sqlite3 *writer = given_writer(live);

	path = given_copy("live3", "denied", no_index);
	(void)snprintf(log, sizeof(log), "%s-wal", path);
	assert_int_equal(sqlite3_close(writer), SQLITE_OK);
	assert_int_equal(chmod(path, 0644), 0);
	assert_int_equal(chmod(log, 0), 0);
	assert_int_equal(chmod(in_scratch("denied"), 0755), 0);
	assert_int_equal(chmod(in_scratch("."), 0755), 0);
	if (geteuid() == 0 && seteuid(65534) != 0) {
		print_message("root cannot give up its rights here\n");
		skip();
	}
	record_start(&r);

	const enum ks_status st = record_nsys(&r, path);

	if (getuid() == 0)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(st, KS_E_INPUT);
	assert_int_equal(r.err.text, KS_TEXT_ERR_SRC_WAL);
	record_end(&r);
}

int test_wal(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_log_is_read_in_every_situation),
		cmocka_unit_test(a_log_left_behind_is_asked_for),
		cmocka_unit_test(a_log_that_cannot_be_read_is_an_error_with_the_remedy),
	};

	return cmocka_run_group_tests_name("wal", tests, NULL, NULL);
}
