/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that are handed a text: all of it, part of it, or that are not there.
 */
#include "all.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "base/feed.h"

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

static const char *const no_defaults[] = { NULL };

/* `script` runs with the file to write as $1. */
static int feed_script(const char *script, const char *const *defaults, ks_str text)
{
	const char *const argv[] = { "sh", "-c", script, "script", in_scratch(&dir, "out"), NULL };

	return ks_feed(argv, defaults, text);
}

static void the_whole_text_arrives(void **state)
{
	static char text[1u << 19]; /* more than a pipe holds */

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	assert_int_equal(
		feed_script("cat >\"$1\"", no_defaults, (ks_str){ text, sizeof(text) - 1 }), 0);
	expect_file(in_scratch(&dir, "out"), text);
	assert_int_equal(feed_script("cat >\"$1\"", no_defaults, KS_STR_NONE), 0);
	expect_file(in_scratch(&dir, "out"), "");
}

static void leaving_early_is_no_failure(void **state)
{
	static char text[1u << 19];

	(void)state;
	memset(text, '\n', sizeof(text) - 1);
	assert_int_equal(feed_script("exit 7", no_defaults, (ks_str){ text, sizeof(text) - 1 }), 0);
	assert_int_equal(
		feed_script("read x; exec <&-; kill -9 $$", no_defaults, (ks_str){ text, 9999 }),
		0);
}

static void what_is_not_there_is_told(void **state)
{
	const char *const none[] = { "/nonexistent/program", NULL };
	const char *const folder[] = { "/", NULL };

	(void)state;
	assert_int_equal(ks_feed(none, no_defaults, KS_LIT("x")), ENOENT);
	assert_int_equal(ks_feed(folder, no_defaults, KS_LIT("x")), EACCES);
}

static void defaults_do_not_replace_what_is_set(void **state)
{
	static const char *const defaults[] = { "KS_TEST_A=default", "KS_TEST_B=default", NULL };

	(void)state;
	assert_int_equal(setenv("KS_TEST_A", "own", 1), 0);
	assert_int_equal(unsetenv("KS_TEST_B"), 0);
	assert_int_equal(feed_script("echo $KS_TEST_A $KS_TEST_B >\"$1\"", defaults, KS_STR_NONE),
			 0);
	expect_file(in_scratch(&dir, "out"), "own default\n");
	assert_null(getenv("KS_TEST_B"));
	assert_int_equal(unsetenv("KS_TEST_A"), 0);
}

/* We ignore a broken pipe; a pager that did so would never notice that its terminal is gone. */
static void the_program_gets_its_signals_as_they_are_by_default(void **state)
{
	struct sigaction now;

	(void)state;
	(void)signal(SIGPIPE, SIG_IGN);
	assert_int_equal(feed_script("grep -c '^SigIgn:.*[13579bdf]...$' /proc/self/status >\"$1\"",
				     no_defaults, KS_STR_NONE),
			 0);
	expect_file(in_scratch(&dir, "out"), "0\n"); /* bit 12: SIGPIPE is 13 */
	assert_int_equal(sigaction(SIGINT, NULL, &now), 0);
	assert_true(now.sa_handler == SIG_DFL);
	(void)signal(SIGPIPE, SIG_DFL);
}

int test_feed(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_whole_text_arrives),
		cmocka_unit_test(leaving_early_is_no_failure),
		cmocka_unit_test(what_is_not_there_is_told),
		cmocka_unit_test(defaults_do_not_replace_what_is_set),
		cmocka_unit_test(the_program_gets_its_signals_as_they_are_by_default),
	};

	return cmocka_run_group_tests_name("feed", tests, start, end);
}
