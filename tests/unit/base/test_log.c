/* SPDX-License-Identifier: Apache-2.0
 *
 * Prefixes, --quiet, the log file, and progress on a pseudo terminal and on a pipe.
 */
#include "all.h"

#include <fcntl.h>

#include "base/log.h"

static void lines_have_their_prefix_and_are_escaped(void **state)
{
	static const struct {
		enum ks_log_kind kind;
		const char *want;
		bool when_quiet;
	} cases[] = {
		{ KS_LOG_NOTE, "note: a\\nb\n", false },
		{ KS_LOG_WARN, "warn: a\\nb\n", false },
		{ KS_LOG_ERROR, "error: a\\nb\n", true },
		{ KS_LOG_STRICT, "error(strict): a\\nb\n", true },
		{ KS_LOG_HINT, "hint: a\\nb\n", true },
		{ KS_LOG_PROF, "==PROF== a\\nb\n", true },
		{ KS_LOG_PLAIN, "a\\nb\n", false },
	};
	struct capture err, file;

	(void)state;
	capture_start(&err);
	capture_start(&file);

	struct ks_log log = { .err = &err.out, .file = &file.out };

	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		log.quiet = false;
		ks_log_line(&log, cases[i].kind, STR("a\nb"));
		expect_written(&err, cases[i].want);
		expect_written(&file, cases[i].want);
		log.quiet = true;
		ks_log_line(&log, cases[i].kind, STR("a\nb"));
		expect_written(&err, cases[i].when_quiet ? cases[i].want : "");
		expect_written(&file, cases[i].when_quiet ? cases[i].want : "");
	}
	log.file = NULL;
	ks_log_line(&log, KS_LOG_ERROR, STR("x\033[2J"));
	expect_written(&err, "error: x\\e[2J\n");
	capture_end(&err);
	capture_end(&file);
}

static ks_ns now_ns; /* what the clock of this test says */

static ks_ns fake_monotonic(void)
{
	return now_ns;
}

static const struct ks_clock fake_clock = { .monotonic = fake_monotonic };

static size_t read_some(int fd, char *text, size_t cap)
{
	const ssize_t n = read(fd, text, cap - 1);

	text[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}

static void progress_is_drawn_on_a_terminal_ten_times_a_second(void **state)
{
	const int master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	char text[256];
	struct ks_out err;

	(void)state;
	if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
		print_message("no pseudo terminal here\n");
		skip();
	}
	const int slave = open(ptsname(master), O_RDWR | O_NOCTTY);

	assert_true(slave >= 0);
	ks_out_open_fd(&err, &ks_io_system, slave);

	struct ks_progress p = { .err = &err, .clock = &fake_clock };

	now_ns = 1000000000;
	ks_progress_show(&p, STR("reading"), 1, 4);
	read_some(master, text, sizeof(text));
	assert_string_equal(text, "\rreading  25 %\033[K");
	now_ns += 99000000;
	ks_progress_show(&p, STR("reading"), 2, 4);
	assert_int_equal(read_some(master, text, sizeof(text)), 0);
	now_ns += 1000000;
	ks_progress_show(&p, STR("read\n"), 7, 0);
	read_some(master, text, sizeof(text));
	assert_string_equal(text, "\rread\\n 7\033[K");
	ks_progress_done(&p);
	read_some(master, text, sizeof(text));
	assert_string_equal(text, "\r\033[K");
	ks_progress_done(&p);
	assert_int_equal(read_some(master, text, sizeof(text)), 0);
	assert_int_equal(ks_out_commit(&err, NULL), KS_OK);
	close(slave);
	close(master);
}

static void progress_is_silent_elsewhere(void **state)
{
	int pipe_fd[2];
	char text[16];
	struct ks_out err;

	(void)state;
	assert_int_equal(pipe2(pipe_fd, O_NONBLOCK), 0);
	ks_out_open_fd(&err, &ks_io_system, pipe_fd[1]);

	struct ks_progress p = { .err = &err, .clock = &fake_clock };

	ks_progress_show(&p, STR("reading"), 1, 4);
	ks_progress_done(&p);
	assert_int_equal(read_some(pipe_fd[0], text, sizeof(text)), 0);
	assert_int_equal(err.total, 0);
	ks_progress_show(&(struct ks_progress){ .clock = &fake_clock }, STR("x"), 1, 1);
	ks_progress_show(NULL, STR("x"), 1, 1);
	ks_progress_done(NULL);
	assert_int_equal(ks_out_commit(&err, NULL), KS_OK);
	close(pipe_fd[0]);
	close(pipe_fd[1]);
}

int test_log(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_have_their_prefix_and_are_escaped),
		cmocka_unit_test(progress_is_drawn_on_a_terminal_ten_times_a_second),
		cmocka_unit_test(progress_is_silent_elsewhere),
	};

	return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
