/* SPDX-License-Identifier: Apache-2.0
 *
 * Folders and files that are only added to, looked at by the system's own calls.
 */
#include "all.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/str.h"

static struct scratch dir;

static int start(void **state)
{
	(void)state;
	scratch_start(&dir);
	return 0;
}

static int end(void **state)
{
	(void)state;
	scratch_end(&dir);
	return 0;
}

static const char *path_of(const char *name)
{
	return in_scratch(&dir, name);
}

static void a_folder_is_made_once(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(ks_folder_make(path_of("new")), 0);
	assert_int_equal(stat(path_of("new"), &st), 0);
	assert_true(S_ISDIR(st.st_mode));
	assert_int_equal(ks_folder_make(path_of("new")), 0);
}

static void what_is_no_folder_is_told(void **state)
{
	(void)state;
	given_file(path_of("file"), "x");
	assert_int_equal(ks_folder_make(path_of("file")), ENOTDIR);
	assert_int_equal(symlink("/tmp", path_of("link")), 0);
	assert_int_equal(ks_folder_make(path_of("link")), ENOTDIR);
	assert_int_equal(ks_folder_make(path_of("no/such")), ENOENT);
}

static void names_are_told_apart_from_files(void **state)
{
	(void)state;
	assert_false(ks_folder_has(path_of("a")));
	given_file(path_of("a"), "x");
	assert_true(ks_folder_has(path_of("a")) && ks_folder_has_file(path_of("a")));
	assert_int_equal(symlink("nowhere", path_of("b")), 0);
	assert_true(ks_folder_has(path_of("b")));
	assert_false(ks_folder_has_file(path_of("b")));
}

struct counted {
	size_t n, most;
};

static bool count(void *arg, const char *name)
{
	struct counted *c = arg;

	assert_string_not_equal(name, ".");
	assert_string_not_equal(name, "..");
	return ++c->n < c->most;
}

static void entries_are_given_until_enough(void **state)
{
	struct counted all = { 0, 9 }, two = { 0, 2 };

	(void)state;
	given_file(path_of("a"), "");
	given_file(path_of("b"), "");
	given_file(path_of("c"), "");
	assert_int_equal(ks_folder_each(dir.dir, count, &all), 0);
	assert_int_equal(all.n, 3);
	assert_int_equal(ks_folder_each(dir.dir, count, &two), 0);
	assert_int_equal(two.n, 2);
	assert_int_equal(ks_folder_each(path_of("missing"), count, &all), ENOENT);
}

static int add(const char *line)
{
	return ks_append_line(&ks_io_system, path_of("log"), ks_str_c(line));
}

static void lines_are_added(void **state)
{
	(void)state;
	assert_int_equal(add("one\n"), 0);
	assert_int_equal(add("two\n"), 0);
	expect_file(path_of("log"), "one\ntwo\n");
}

static void a_torn_line_is_ended_first(void **state)
{
	(void)state;
	given_file(path_of("log"), "one\n{\"half");
	assert_int_equal(add("two\n"), 0);
	expect_file(path_of("log"), "one\n{\"half\ntwo\n");
}

static void links_and_pipes_are_not_written(void **state)
{
	(void)state;
	given_file(path_of("target"), "old");
	assert_int_equal(symlink("target", path_of("log")), 0);
	assert_int_equal(add("x\n"), ELOOP);
	expect_file(path_of("target"), "old");
	assert_int_equal(unlink(path_of("log")), 0);
	assert_int_equal(mkfifo(path_of("log"), 0600), 0);
	assert_int_not_equal(add("x\n"), 0);
}

static int writes_left;

static ssize_t full_disk(int fd, const void *p, size_t n)
{
	if (writes_left-- <= 0) {
		errno = ENOSPC;
		return -1;
	}
	return write(fd, p, n > 2 ? 2 : n);
}

/* Two bytes a time: the line comes whole, or not at all. */
static void a_full_disk_takes_the_line_back(void **state)
{
	struct ks_io io = ks_io_system;

	(void)state;
	io.sys_write = full_disk;
	for (int left = 0; left < 4; left++) {
		given_file(path_of("log"), "old\n");
		writes_left = left;
		const int err_no = ks_append_line(&io, path_of("log"), STR("line\n"));

		assert_int_equal(err_no, left < 3 ? ENOSPC : 0);
		expect_file(path_of("log"), left < 3 ? "old\n" : "old\nline\n");
	}
}

int test_folder(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_folder_is_made_once, start, end),
		cmocka_unit_test_setup_teardown(what_is_no_folder_is_told, start, end),
		cmocka_unit_test_setup_teardown(names_are_told_apart_from_files, start, end),
		cmocka_unit_test_setup_teardown(entries_are_given_until_enough, start, end),
		cmocka_unit_test_setup_teardown(lines_are_added, start, end),
		cmocka_unit_test_setup_teardown(a_torn_line_is_ended_first, start, end),
		cmocka_unit_test_setup_teardown(links_and_pipes_are_not_written, start, end),
		cmocka_unit_test_setup_teardown(a_full_disk_takes_the_line_back, start, end),
	};

	return cmocka_run_group_tests_name("folder", tests, NULL, NULL);
}
