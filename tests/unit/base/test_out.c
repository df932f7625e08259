/* SPDX-License-Identifier: Apache-2.0
 *
 * A file appears whole or not at all: every system call fails in turn, and what stands in the
 * folder afterwards is looked at by the system's own calls.
 */
#include "all.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
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

static const char *path_of(const char *name)
{
	return in_scratch(&dir, name);
}

/* Writes `text` to `path` through io; the status of the first step that failed. */
static enum ks_status write_file(const struct ks_io *io, const char *path, const char *text,
				 int flags, struct ks_err *err)
{
	struct ks_out o;

	ks_err_init(err);
	const enum ks_status status = ks_out_open_file(&o, io, path, flags, err);

	if (status != KS_OK)
		return status;
	ks_out_cstr(&o, text);
	return ks_out_commit(&o, err);
}

static void expect_refused(const char *path, int flags, enum ks_base_text text)
{
	struct ks_err err;

	assert_int_equal(write_file(&ks_io_system, path, "new", flags, &err), KS_E_OUTPUT);
	assert_int_equal(err.status, KS_E_OUTPUT);
	assert_int_equal(err.text, text);
	assert_string_equal(err.arg[0], path);
	assert_string_equal(err.where, path);
}

static void a_new_file_holds_what_was_written(void **state)
{
	struct ks_err err;
	struct stat st;
	const mode_t old_mask = umask(027);

	(void)state;
	assert_int_equal(write_file(&ks_io_system, path_of("a"), "hello\n", 0, &err), KS_OK);
	umask(old_mask);
	expect_file(path_of("a"), "hello\n");
	assert_int_equal(stat(path_of("a"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_int_equal(count_files(dir.dir), 1);
}

static void a_path_without_a_folder_is_in_the_current_one(void **state)
{
	char before[512];
	struct ks_err err;

	(void)state;
	assert_non_null(getcwd(before, sizeof(before)));
	assert_int_equal(chdir(dir.dir), 0);
	assert_int_equal(write_file(&ks_io_system, "plain", "x", 0, &err), KS_OK);
	assert_int_equal(chdir(before), 0);
	expect_file(path_of("plain"), "x");
}

static void nothing_is_there_before_commit_nor_after_abandon(void **state)
{
	struct ks_err err;
	struct ks_out o;

	(void)state;
	ks_err_init(&err);
	assert_int_equal(ks_out_open_file(&o, &ks_io_system, path_of("a"), 0, &err), KS_OK);
	for (int i = 0; i < 100000; i++)
		ks_out_cstr(&o, "0123456789");
	assert_int_equal(access(path_of("a"), F_OK), -1);
	ks_out_abandon(&o);
	assert_int_equal(count_files(dir.dir), 0);
}

static void an_existing_file_needs_force(void **state)
{
	struct ks_err err;

	(void)state;
	given_file(path_of("a"), "old");
	expect_refused(path_of("a"), 0, KS_BASE_TEXT_ERR_OUT_EXISTS);
	expect_file(path_of("a"), "old");
	assert_int_equal(write_file(&ks_io_system, path_of("a"), "new", KS_OUT_FORCE, &err), KS_OK);
	expect_file(path_of("a"), "new");
	assert_int_equal(count_files(dir.dir), 1);
}

static void a_file_that_appears_meanwhile_is_kept(void **state)
{
	struct ks_err err;
	struct ks_out o;

	(void)state;
	ks_err_init(&err);
	assert_int_equal(ks_out_open_file(&o, &ks_io_system, path_of("a"), 0, &err), KS_OK);
	ks_out_cstr(&o, "ours");
	given_file(path_of("a"), "theirs");
	assert_int_equal(ks_out_commit(&o, &err), KS_E_OUTPUT);
	assert_int_equal(err.text, KS_BASE_TEXT_ERR_OUT_EXISTS);
	expect_file(path_of("a"), "theirs");
	assert_int_equal(count_files(dir.dir), 1);
	given_file(path_of("b"), "b");
	assert_int_equal(ks_io_system.sys_rename_new(path_of("b"), dir.dir), -1);
	assert_int_equal(errno, EEXIST);
}

static void links_and_folders_are_never_written_through(void **state)
{
	char target[320];

	(void)state;
	(void)snprintf(target, sizeof(target), "%s", path_of("target"));
	given_file(target, "old");
	assert_int_equal(symlink(target, path_of("link")), 0);
	assert_int_equal(symlink("/dev/null", path_of("null")), 0);
	assert_int_equal(symlink("nowhere", path_of("dangling")), 0);
	expect_refused(path_of("link"), KS_OUT_FORCE, KS_BASE_TEXT_ERR_OUT_NOT_REGULAR);
	expect_refused(path_of("null"), KS_OUT_FORCE, KS_BASE_TEXT_ERR_OUT_NOT_REGULAR);
	expect_refused(path_of("dangling"), KS_OUT_FORCE, KS_BASE_TEXT_ERR_OUT_NOT_REGULAR);
	expect_refused(dir.dir, KS_OUT_FORCE, KS_BASE_TEXT_ERR_OUT_NOT_REGULAR);
	expect_file(target, "old");
	assert_int_equal(count_files(dir.dir), 4);
}

static void missing_folders_are_made(void **state)
{
	struct ks_err err;

	(void)state;
	assert_int_equal(write_file(&ks_io_system, path_of("no/such/file"), "x", 0, &err), KS_OK);
	expect_file(path_of("no/such/file"), "x");
	assert_int_equal(symlink("nowhere", path_of("dangling")), 0);
	assert_int_equal(write_file(&ks_io_system, path_of("dangling/file"), "x", 0, &err),
			 KS_E_OUTPUT);
	assert_int_equal(err.text, KS_BASE_TEXT_ERR_OUT_NO_FOLDER);
	given_file(path_of("file"), "x");
	assert_int_equal(write_file(&ks_io_system, path_of("file/in/it"), "x", 0, &err),
			 KS_E_OUTPUT);
	assert_int_equal(err.text, KS_BASE_TEXT_ERR_OUT_NOT_FOLDER);
}

static void a_folder_without_the_right_to_write_is_named(void **state)
{
	(void)state;
	assert_int_equal(chmod(dir.dir, 0555), 0);
	become_nobody();
	expect_refused(path_of("a"), 0, KS_BASE_TEXT_ERR_OUT_DENIED);
	become_root_again();
}

static void refusals_of_the_system_have_their_own_texts(void **state)
{
	static const struct {
		int err_no;
		enum ks_base_text text;
	} cases[] = {
		{ EACCES, KS_BASE_TEXT_ERR_OUT_DENIED }, { EROFS, KS_BASE_TEXT_ERR_OUT_DENIED },
		{ ENOSPC, KS_BASE_TEXT_ERR_OUT_FULL },	 { EDQUOT, KS_BASE_TEXT_ERR_OUT_FULL },
		{ EIO, KS_BASE_TEXT_ERR_OUT_WRITE },
	};
	struct ks_err err;

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		faulty = (struct faulty){ .fail_at = 1, .fail_errno = cases[i].err_no };
		assert_int_equal(write_file(&faulty_io, path_of("a"), "x", 0, &err), KS_E_OUTPUT);
		assert_int_equal(err.text, cases[i].text);
		assert_string_equal(faulty.failed, "open");
	}
	assert_int_equal(count_files(dir.dir), 0);
}

/* Every call fails in turn, over an old file and over none. */
static void fail_everywhere(int flags, const char *old)
{
	static char text[200001]; /* several buffers */
	struct ks_err err;
	int n = 0;

	memset(text, 'n', sizeof(text) - 1);
	do {
		if (old)
			given_file(path_of("a"), old);
		faulty = (struct faulty){ .fail_at = ++n, .fail_errno = ENOSPC };

		const enum ks_status status =
			write_file(&faulty_io, path_of("a"), text, flags, &err);
		const bool left_over = faulty.failed && strcmp(faulty.failed, "unlink") == 0;

		if (status == KS_OK) {
			expect_file(path_of("a"), text);
		} else {
			assert_int_equal(status, KS_E_OUTPUT);
			assert_int_equal(err.text, KS_BASE_TEXT_ERR_OUT_FULL);
			assert_string_equal(err.arg[1], "ENOSPC");
			if (old)
				expect_file(path_of("a"), old);
			else
				assert_int_equal(access(path_of("a"), F_OK), -1);
		}
		assert_int_equal(count_files(dir.dir), (old || status == KS_OK) + left_over);
		(void)unlink(path_of("a"));
	} while (faulty.failed);
	assert_true(n > 8); /* open, writes, fsync, close, rename, and three for the folder */
}

static void a_failure_anywhere_leaves_the_old_file_or_the_whole_new_one(void **state)
{
	(void)state;
	fail_everywhere(0, NULL);
	fail_everywhere(KS_OUT_FORCE, "old");
}

static void the_steps_that_must_not_fail_are_reported(void **state)
{
	static const char *const must[] = { "open", "write", "write", "fsync", "close", "rename" };
	struct ks_err err;
	static char text[100001];

	(void)state;
	memset(text, 'n', sizeof(text) - 1);
	for (int n = 0; n < (int)KS_ARRAY_LEN(must); n++) {
		/* the first write takes 99,990 bytes, the second the rest */
		faulty = (struct faulty){ .fail_at = n + 1, .fail_errno = EIO, .most = 99990 };
		assert_int_equal(write_file(&faulty_io, path_of("a"), text, 0, &err), KS_E_OUTPUT);
		assert_string_equal(faulty.failed, must[n]);
		assert_int_equal(err.text, KS_BASE_TEXT_ERR_OUT_WRITE);
		assert_string_equal(err.arg[1], "EIO");
		assert_int_equal(count_files(dir.dir), 0);
	}
}

static void short_and_interrupted_writes_are_continued(void **state)
{
	struct ks_err err;

	(void)state;
	faulty = (struct faulty){ .most = 3, .interrupt = true };
	assert_int_equal(write_file(&faulty_io, path_of("a"), "0123456789abcdefghij", 0, &err),
			 KS_OK);
	expect_file(path_of("a"), "0123456789abcdefghij");
	assert_true(faulty.calls > 14);
}

static void every_size_crosses_the_buffer_whole(void **state)
{
	static const size_t sizes[] = { 1, 7, 4096, 65535, 65536, 65537, 200000 };
	static char piece[200000], want[800001];
	struct ks_err err;

	(void)state;
	memset(piece, 'p', sizeof(piece));
	for (size_t i = 0; i < KS_ARRAY_LEN(sizes); i++) {
		const size_t n = 800000 / sizes[i] * sizes[i] / sizes[i];
		struct ks_out o;

		ks_err_init(&err);
		assert_int_equal(
			ks_out_open_file(&o, &ks_io_system, path_of("a"), KS_OUT_FORCE, &err),
			KS_OK);
		for (size_t k = 0; k < n; k++)
			ks_out_write(&o, piece, sizes[i]);
		assert_int_equal(o.total, n * sizes[i]);
		assert_int_equal(ks_out_commit(&o, &err), KS_OK);
		memset(want, 'p', n * sizes[i]);
		want[n * sizes[i]] = '\0';
		expect_file(path_of("a"), want);
	}
}

static void devices_are_written_straight(void **state)
{
	struct ks_err err;

	(void)state;
	assert_int_equal(write_file(&ks_io_system, "/dev/null", "x", 0, &err), KS_OK);
	if (access("/dev/full", W_OK) != 0) {
		print_message("no /dev/full here\n");
		skip();
	}
	assert_int_equal(write_file(&ks_io_system, "/dev/full", "x", 0, &err), KS_E_OUTPUT);
	assert_int_equal(err.text, KS_BASE_TEXT_ERR_OUT_FULL);
}

static void fifos_and_named_descriptors_are_written_straight(void **state)
{
	struct ks_err err;
	char text[16] = "", name[32];
	int pipe_fd[2];

	(void)state;
	assert_int_equal(mkfifo(path_of("fifo"), 0600), 0);

	const int reader = open(path_of("fifo"), O_RDONLY | O_NONBLOCK);

	assert_int_equal(write_file(&ks_io_system, path_of("fifo"), "by fifo", 0, &err), KS_OK);
	assert_int_equal(read(reader, text, sizeof(text)), 7);
	assert_string_equal(text, "by fifo");
	close(reader);

	assert_int_equal(pipe(pipe_fd), 0);
	(void)snprintf(name, sizeof(name), "/dev/fd/%d", pipe_fd[1]);
	assert_int_equal(write_file(&ks_io_system, name, "by name", 0, &err), KS_OK);
	assert_int_equal(read(pipe_fd[0], text, sizeof(text)), 7);
	assert_string_equal(text, "by name");
	assert_int_equal(close(pipe_fd[1]), 0); /* it was left open for us */
	close(pipe_fd[0]);
	assert_int_equal(write_file(&ks_io_system, name, "closed", 0, &err), KS_E_OUTPUT);
	assert_string_equal(err.arg[1], "EBADF");
}

static void a_reader_that_went_away_is_no_error(void **state)
{
	void (*old)(int) = signal(SIGPIPE, SIG_IGN);
	struct ks_err err;
	struct ks_out o;
	int fd[2];

	(void)state;
	assert_int_equal(pipe(fd), 0);
	close(fd[0]);
	ks_err_init(&err);
	ks_out_open_fd(&o, &ks_io_system, fd[1]);
	for (int i = 0; i < 100000; i++)
		ks_out_cstr(&o, "0123456789");
	assert_true(o.broken_pipe);
	assert_false(ks_out_failed(&o));
	assert_int_equal(ks_out_commit(&o, &err), KS_OK);
	assert_int_equal(err.status, KS_OK);
	close(fd[1]);
	signal(SIGPIPE, old);
}

static void a_slow_reader_of_a_non_blocking_pipe_is_waited_for(void **state)
{
	struct ks_out o;
	int fd[2];
	char text[4096];
	size_t sum = 0;

	(void)state;
	assert_int_equal(pipe2(fd, O_NONBLOCK), 0);

	const pid_t child = fork();

	if (child == 0) {
		ks_out_open_fd(&o, &ks_io_system, fd[1]);
		for (int i = 0; i < 100000; i++)
			ks_out_cstr(&o, "0123456789");
		_exit(ks_out_commit(&o, NULL) == KS_OK ? 0 : 1);
	}
	close(fd[1]);
	for (ssize_t n; (n = read(fd[0], text, sizeof(text))) != 0;)
		sum += n > 0 ? (size_t)n : 0;
	close(fd[0]);
	assert_int_equal(sum, 1000000);
}

static void a_full_disk_behind_stdout_is_an_error_that_stays(void **state)
{
	struct ks_err err;
	struct ks_out o;

	(void)state;
	ks_err_init(&err);
	faulty = (struct faulty){ .fail_at = 2, .fail_errno = ENOSPC };
	ks_out_open_fd(&o, &faulty_io, open("/dev/null", O_WRONLY));

	const int fd = o.fd;

	for (int i = 0; i < 30000; i++)
		ks_out_cstr(&o, "0123456789");
	assert_true(ks_out_failed(&o));
	assert_int_equal(ks_out_commit(&o, &err), KS_E_OUTPUT);
	assert_int_equal(err.text, KS_BASE_TEXT_ERR_OUT_FULL);
	assert_int_equal(faulty.calls, 2); /* nothing was tried after the failure */
	assert_int_equal(close(fd), 0);
}

static void memory_and_counting_sinks(void **state)
{
	struct ks_buf b;
	struct ks_out o;
	struct ks_err err;

	(void)state;
	ks_err_init(&err);
	ks_buf_init(&b, 10);
	ks_out_open_mem(&o, &b);
	ks_out_fmt(&o, "%s", "12345");
	ks_out_ch(&o, '6');
	assert_int_equal(o.total, 6);
	ks_out_str(&o, STR("too long"));
	assert_true(ks_out_failed(&o));
	assert_int_equal(ks_out_commit(&o, &err), KS_E_OUTPUT);
	assert_string_equal(ks_buf_text(&b), "123456");
	ks_buf_release(&b);

	ks_out_open_null(&o);
	ks_out_fmt(&o, "%1000d", 1);
	ks_out_cstr(&o, "x");
	assert_int_equal(o.total, 1001);
	assert_int_equal(ks_out_commit(&o, NULL), KS_OK);
}

int test_out(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_new_file_holds_what_was_written, start, end),
		cmocka_unit_test_setup_teardown(a_path_without_a_folder_is_in_the_current_one,
						start, end),
		cmocka_unit_test_setup_teardown(nothing_is_there_before_commit_nor_after_abandon,
						start, end),
		cmocka_unit_test_setup_teardown(an_existing_file_needs_force, start, end),
		cmocka_unit_test_setup_teardown(a_file_that_appears_meanwhile_is_kept, start, end),
		cmocka_unit_test_setup_teardown(links_and_folders_are_never_written_through, start,
						end),
		cmocka_unit_test_setup_teardown(missing_folders_are_made, start, end),
		cmocka_unit_test_setup_teardown(a_folder_without_the_right_to_write_is_named, start,
						end),
		cmocka_unit_test_setup_teardown(refusals_of_the_system_have_their_own_texts, start,
						end),
		cmocka_unit_test_setup_teardown(
			a_failure_anywhere_leaves_the_old_file_or_the_whole_new_one, start, end),
		cmocka_unit_test_setup_teardown(the_steps_that_must_not_fail_are_reported, start,
						end),
		cmocka_unit_test_setup_teardown(short_and_interrupted_writes_are_continued, start,
						end),
		cmocka_unit_test_setup_teardown(every_size_crosses_the_buffer_whole, start, end),
		cmocka_unit_test_setup_teardown(devices_are_written_straight, start, end),
		cmocka_unit_test_setup_teardown(fifos_and_named_descriptors_are_written_straight,
						start, end),
		cmocka_unit_test(a_reader_that_went_away_is_no_error),
		cmocka_unit_test(a_slow_reader_of_a_non_blocking_pipe_is_waited_for),
		cmocka_unit_test(a_full_disk_behind_stdout_is_an_error_that_stays),
		cmocka_unit_test(memory_and_counting_sinks),
	};

	return cmocka_run_group_tests_name("out", tests, NULL, NULL);
}
