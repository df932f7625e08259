/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole inputs and their errors, and temporary files that nobody else can see.
 */
#include "all.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "faulty.h"

static struct scratch dir;

static int start(void **state)
{
	(void)state;
	faulty = (struct faulty){ 0 };
	scratch_start(&dir);
	return 0;
}

static int end(void **state)
{
	(void)state;
	scratch_end(&dir);
	return 0;
}

static void expect_unreadable(const char *path, size_t max, enum ks_base_text text)
{
	struct ks_buf b;
	struct ks_err err;

	ks_buf_init(&b, max);
	ks_err_init(&err);
	assert_int_equal(ks_io_read_file(path, &b, &err), KS_E_INPUT);
	assert_int_equal(err.text, text);
	assert_string_equal(err.arg[0], path);
	assert_string_equal(err.where, path);
	ks_buf_release(&b);
}

static void a_file_is_read_whole_up_to_the_ceiling(void **state)
{
	struct ks_buf b;
	struct ks_err err;
	const char *path = in_scratch(&dir, "a");

	(void)state;
	given_file(path, "0123456789");
	ks_buf_init(&b, 10);
	ks_err_init(&err);
	assert_int_equal(ks_io_read_file(path, &b, &err), KS_OK);
	assert_string_equal(ks_buf_text(&b), "0123456789");
	ks_buf_release(&b);
	expect_unreadable(path, 9, KS_BASE_TEXT_ERR_IN_TOO_BIG);
}

static void what_cannot_be_read_is_told_apart(void **state)
{
	(void)state;
	expect_unreadable(in_scratch(&dir, "none"), 10, KS_BASE_TEXT_ERR_IN_MISSING);
	expect_unreadable(dir.dir, 10, KS_BASE_TEXT_ERR_IN_DIRECTORY);
	given_file(in_scratch(&dir, "a"), "x");
	assert_int_equal(chmod(dir.path, 0), 0);
	become_nobody();
	expect_unreadable(dir.path, 10, KS_BASE_TEXT_ERR_IN_DENIED);
	become_root_again();
}

/* Opening a pipe that nobody writes to would wait for ever. */
static void only_regular_files_are_read_as_such(void **state)
{
	char link[1200];
	struct ks_err err;
	struct ks_buf b;

	(void)state;
	ks_buf_init(&b, 10);
	(void)snprintf(link, sizeof(link), "%s", in_scratch(&dir, "link"));
	given_file(in_scratch(&dir, "file"), "text");
	assert_int_equal(symlink(dir.path, link), 0);
	assert_int_equal(ks_io_read_regular(dir.path, false, &b, NULL), KS_OK);
	assert_int_equal(ks_io_read_regular(link, true, &b, NULL), KS_OK);
	assert_string_equal(ks_buf_text(&b), "texttext");
	assert_int_equal(mkfifo(in_scratch(&dir, "pipe"), 0600), 0);

	const char *const special[] = { dir.path, dir.dir, "/dev/null", link };

	for (size_t i = 0; i < KS_ARRAY_LEN(special); i++) {
		ks_err_init(&err);
		assert_int_equal(ks_io_read_regular(special[i], false, &b, &err), KS_E_INPUT);
		assert_int_equal(err.text, KS_BASE_TEXT_ERR_IN_SPECIAL);
		assert_string_equal(err.where, special[i]);
	}
	ks_err_init(&err);
	assert_int_equal(ks_io_read_regular(in_scratch(&dir, "none"), false, &b, &err), KS_E_INPUT);
	assert_int_equal(err.text, KS_BASE_TEXT_ERR_IN_MISSING);
	ks_buf_release(&b);
}

static void a_dash_is_stdin(void **state)
{
	struct ks_buf b;
	struct ks_err err;
	const int old = dup(STDIN_FILENO);
	int fd[2];

	(void)state;
	assert_int_equal(pipe(fd), 0);
	assert_int_equal(write(fd[1], "piped", 5), 5);
	close(fd[1]);
	assert_int_equal(dup2(fd[0], STDIN_FILENO), STDIN_FILENO);
	ks_buf_init(&b, 100);
	ks_err_init(&err);
	assert_int_equal(ks_io_read_file("-", &b, &err), KS_OK);
	assert_string_equal(ks_buf_text(&b), "piped");
	ks_buf_release(&b);
	close(fd[0]);
	if (old >= 0) {
		assert_int_equal(dup2(old, STDIN_FILENO), STDIN_FILENO);
		close(old);
	}
}

static void temporary_files_have_no_name(void **state)
{
	(void)state;
	assert_int_equal(setenv("TMPDIR", dir.dir, 1), 0);
	for (int round = 0; round < 2; round++) {
		struct ks_err err;
		char text[6] = "";
		int fd;

		ks_err_init(&err);
		faulty = (struct faulty){ .no_tmpfile = round == 1, .most = 2, .interrupt = true };
		assert_int_equal(ks_io_tempfile(&faulty_io, &fd, &err), KS_OK);
		assert_int_equal(count_files(dir.dir), 0);
		assert_int_equal(ks_io_pwrite_all(&faulty_io, fd, "hello", 5, 100), 0);
		assert_int_equal(ks_io_pread_all(&faulty_io, fd, text, 5, 100), 0);
		assert_string_equal(text, "hello");
		assert_int_equal(ks_io_pread_all(&faulty_io, fd, text, 6, 100),
				 EIO); /* past the end */
		close(fd);
	}
	assert_int_equal(unsetenv("TMPDIR"), 0);
}

static void a_folder_that_takes_no_temporary_file_is_named(void **state)
{
	struct ks_err err;
	int fd;

	(void)state;
	assert_int_equal(setenv("TMPDIR", in_scratch(&dir, "none"), 1), 0);
	ks_err_init(&err);
	assert_int_equal(ks_io_tempfile(&ks_io_system, &fd, &err), KS_E_ENV);
	assert_int_equal(err.text, KS_BASE_TEXT_ERR_SPILL_OPEN);
	assert_string_equal(err.arg[0], dir.path);
	assert_string_equal(err.arg[1], "ENOENT");
	assert_int_equal(unsetenv("TMPDIR"), 0);
}

int test_io(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_is_read_whole_up_to_the_ceiling, start, end),
		cmocka_unit_test_setup_teardown(what_cannot_be_read_is_told_apart, start, end),
		cmocka_unit_test_setup_teardown(only_regular_files_are_read_as_such, start, end),
		cmocka_unit_test_setup_teardown(a_dash_is_stdin, start, end),
		cmocka_unit_test_setup_teardown(temporary_files_have_no_name, start, end),
		cmocka_unit_test_setup_teardown(a_folder_that_takes_no_temporary_file_is_named,
						start, end),
	};

	return cmocka_run_group_tests_name("io", tests, NULL, NULL);
}
