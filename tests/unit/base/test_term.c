/* SPDX-License-Identifier: Apache-2.0
 *
 * Colour and size from a table in place of the environment, and cells counted in columns by hand.
 */
#include "all.h"

#include <fcntl.h>
#include <sys/ioctl.h>

#include "base/term.h"

/* The environment of the test: NAME, value, ... ended by NULL. */
static const char *const *env_table;

static const char *env(const char *name)
{
	for (const char *const *row = env_table; *row; row += 2) {
		if (strcmp(row[0], name) == 0)
			return row[1];
	}
	return NULL;
}

static int open_terminal(int *master, unsigned short cols, unsigned short rows)
{
	const struct winsize size = { .ws_col = cols, .ws_row = rows };

	*master = posix_openpt(O_RDWR | O_NOCTTY);
	if (*master < 0 || grantpt(*master) != 0 || unlockpt(*master) != 0)
		return -1;

	const int fd = open(ptsname(*master), O_RDWR | O_NOCTTY);

	if (fd >= 0)
		assert_int_equal(ioctl(fd, TIOCSWINSZ, &size), 0);
	return fd;
}

static void colour_follows_the_conventions(void **state)
{
	static const struct {
		const char *const env[7];
		enum ks_color_mode mode;
		bool on_tty, on_pipe;
	} cases[] = {
		{ { "TERM", "xterm" }, KS_COLOR_AUTO, true, false },
		{ { "TERM", "dumb" }, KS_COLOR_AUTO, false, false },
		{ { NULL }, KS_COLOR_AUTO, false, false },
		{ { "TERM", "xterm", "NO_COLOR", "1" }, KS_COLOR_AUTO, false, false },
		{ { "TERM", "xterm", "NO_COLOR", "" }, KS_COLOR_AUTO, true, false },
		{ { "TERM", "xterm", "CLICOLOR_FORCE", "1" }, KS_COLOR_AUTO, true, true },
		{ { "TERM", "xterm", "CLICOLOR_FORCE", "0" }, KS_COLOR_AUTO, true, false },
		{ { "NO_COLOR", "1", "CLICOLOR_FORCE", "1" }, KS_COLOR_AUTO, false, false },
		{ { "NO_COLOR", "1" }, KS_COLOR_ALWAYS, true, true },
		{ { "TERM", "xterm", "CLICOLOR_FORCE", "1" }, KS_COLOR_NEVER, false, false },
	};
	int master;
	const int tty = open_terminal(&master, 0, 0);
	struct ks_term t;

	(void)state;
	if (tty < 0) {
		print_message("no pseudo terminal here\n");
		skip();
	}
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		env_table = cases[i].env;
		ks_term_probe(&t, tty, cases[i].mode, env);
		assert_true(t.is_tty);
		assert_int_equal(t.color, cases[i].on_tty);
		ks_term_probe(&t, -1, cases[i].mode, env);
		assert_false(t.is_tty);
		assert_int_equal(t.color, cases[i].on_pipe);
	}
	close(tty);
	close(master);
}

static void size_comes_from_the_environment_then_the_terminal_then_80_by_24(void **state)
{
	static const char *const none[] = { NULL };
	static const char *const set[] = { "COLUMNS", "132", "LINES", "50", NULL };
	static const char *const odd[] = { "COLUMNS", "-3", "LINES", "1e9", NULL };
	int master;
	const int tty = open_terminal(&master, 100, 30);
	struct ks_term t;

	(void)state;
	env_table = none;
	ks_term_probe(&t, -1, KS_COLOR_AUTO, env);
	assert_int_equal(t.cols, 80);
	assert_int_equal(t.rows, 24);
	env_table = set;
	ks_term_probe(&t, -1, KS_COLOR_AUTO, env);
	assert_int_equal(t.cols, 132);
	assert_int_equal(t.rows, 50);
	if (tty < 0) {
		print_message("no pseudo terminal here\n");
		skip();
	}
	env_table = odd;
	ks_term_probe(&t, tty, KS_COLOR_AUTO, env);
	assert_int_equal(t.cols, 100);
	assert_int_equal(t.rows, 30);
	close(tty);
	close(master);
}

static void utf8_is_what_the_first_locale_variable_names(void **state)
{
	static const struct {
		const char *const env[7];
		bool want;
	} cases[] = {
		{ { NULL }, false },
		{ { "LANG", "en_US.UTF-8" }, true },
		{ { "LANG", "zh_CN.utf8" }, true },
		{ { "LANG", "C" }, false },
		{ { "LC_ALL", "C", "LANG", "en_US.UTF-8" }, false },
		{ { "LC_ALL", "", "LC_CTYPE", "C.UTF-8", "LANG", "C" }, true },
	};
	struct ks_term t;

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		env_table = cases[i].env;
		ks_term_probe(&t, -1, KS_COLOR_AUTO, env);
		assert_int_equal(t.utf8, cases[i].want);
	}
}

static void styles_are_written_only_with_colour(void **state)
{
	struct capture c;
	const struct ks_term plain = { .color = false }, colour = { .color = true };

	(void)state;
	capture_start(&c);
	ks_term_style(&plain, &c.out, KS_STYLE_BAD);
	expect_written(&c, "");
	ks_term_style(&colour, &c.out, KS_STYLE_BAD);
	ks_term_text(&c.out, STR("x\033"));
	ks_term_style(&colour, &c.out, KS_STYLE_PLAIN);
	expect_written(&c, "\033[31mx\\e\033[0m");
	capture_end(&c);
}

static void cells_take_exactly_their_columns(void **state)
{
	static const struct {
		bool utf8, right;
		ks_str in;
		size_t cols;
		const char *want;
	} cases[] = {
		{ true, false, BYTES("ab"), 4, "ab  " },
		{ true, true, BYTES("ab"), 4, "  ab" },
		{ true, false, BYTES("abcd"), 4, "abcd" },
		{ true, false, BYTES("abcde"), 4, "abc\xE2\x80\xA6" },
		{ false, false, BYTES("abcde"), 4, "a..." },
		{ false, false, BYTES("abcde"), 3, "abc" },
		{ true, false, BYTES("abcde"), 1, "a" },
		{ true, false, BYTES("abcde"), 0, "" },
		{ true, false, BYTES("\xE6\xA0\xB8\xE5\xBF\x83"), 4, "\xE6\xA0\xB8\xE5\xBF\x83" },
		{ true, false, BYTES("\xE6\xA0\xB8\xE5\xBF\x83"), 3, "\xE6\xA0\xB8\xE2\x80\xA6" },
		{ true, false, BYTES("\xE6\xA0\xB8\xE5\xBF\x83\xE5\xBF\x83"), 4,
		  "\xE6\xA0\xB8\xE2\x80\xA6 " },
		{ true, true, BYTES("\xE6\xA0\xB8\xE5\xBF\x83\xE5\xBF\x83"), 4,
		  " \xE6\xA0\xB8\xE2\x80\xA6" },
		{ true, false, BYTES("a\nb"), 6, "a\\nb  " },
		{ true, false, BYTES("a\033b"), 3, "a\xE2\x80\xA6 " },
		{ true, false, { NULL, 0 }, 2, "  " },
	};
	struct capture c;

	(void)state;
	capture_start(&c);
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		const struct ks_term t = { .utf8 = cases[i].utf8 };

		ks_term_cell(&t, &c.out, cases[i].in, cases[i].cols, cases[i].right);
		expect_written(&c, cases[i].want);
	}
	capture_end(&c);
}

int test_term(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(colour_follows_the_conventions),
		cmocka_unit_test(size_comes_from_the_environment_then_the_terminal_then_80_by_24),
		cmocka_unit_test(utf8_is_what_the_first_locale_variable_names),
		cmocka_unit_test(styles_are_written_only_with_colour),
		cmocka_unit_test(cells_take_exactly_their_columns),
	};

	return cmocka_run_group_tests_name("term", tests, NULL, NULL);
}
