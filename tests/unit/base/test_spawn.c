/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that are run without a shell: what they print, how they end, and how they are ended.
 */
#include "all.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/num.h"
#include "base/spawn.h"
#include "base/str.h"

static struct ks_spawn_end run(const char *const *argv, int64_t timeout_ms, struct ks_buf *kept,
			       bool keep_end)
{
	const struct ks_spawn s = {
		.argv = argv, .timeout_ms = timeout_ms, .kept = kept, .keep_end = keep_end
	};

	return ks_spawn_run(&s);
}

static struct ks_spawn_end run_script(const char *script, int64_t timeout_ms, struct ks_buf *kept,
				      bool keep_end)
{
	const char *const argv[] = { "/bin/sh", "-c", script, NULL };

	return run(argv, timeout_ms, kept, keep_end);
}

static void expect_end(struct ks_spawn_end end, enum ks_spawn_how how, int code)
{
	assert_int_equal(end.how, how);
	assert_int_equal(end.code, code);
}

/* A process is over when it is gone or waits to be collected by somebody else. */
static bool is_over(const char *path)
{
	char text[256] = "";
	FILE *f = fopen(path, "r");
	const char *name_end;
	bool over;

	if (f == NULL)
		return true;
	over = fgets(text, sizeof(text), f) == NULL;
	name_end = strrchr(text, ')');
	over |= name_end != NULL && name_end[2] == 'Z';
	(void)fclose(f);
	return over;
}

/* A signal takes its time to arrive; a minute is for ever. */
static void expect_over(ks_str pid_text)
{
	const ks_ns until = ks_clock_system.monotonic() + (ks_ns)60 * 1000000000;
	char path[64];
	int64_t pid = 0;

	assert_true(ks_num_parse_i64(ks_str_trim(pid_text), &pid) && pid > 1);
	(void)snprintf(path, sizeof(path), "/proc/%lld/stat", (long long)pid);
	while (!is_over(path)) {
		if (ks_clock_system.monotonic() > until)
			fail_msg("process %lld is still there", (long long)pid);
		(void)sched_yield();
	}
}

static void both_streams_and_the_status(void **state)
{
	struct ks_buf kept;

	(void)state;
	ks_buf_init(&kept, 1000);
	expect_end(run_script("echo out; echo err >&2; exit 3", 0, &kept, false), KS_SPAWN_EXITED,
		   3);
	assert_string_equal(ks_buf_text(&kept), "out\nerr\n");
	ks_buf_reset(&kept);
	expect_end(run_script("kill -9 $$", 10000, &kept, false), KS_SPAWN_KILLED, SIGKILL);
	assert_int_equal(kept.n, 0);
	ks_buf_release(&kept);
}

static void no_shell_reads_the_words(void **state)
{
	static const char *const argv[] = { "/usr/bin/printf", "<%s>", "$(echo x) *; a  b", "",
					    NULL };
	struct ks_buf kept;

	(void)state;
	ks_buf_init(&kept, 1000);
	expect_end(run(argv, 0, &kept, false), KS_SPAWN_EXITED, 0);
	assert_string_equal(ks_buf_text(&kept), "<$(echo x) *; a  b><>");
	ks_buf_release(&kept);
}

static void standard_input_is_empty(void **state)
{
	struct ks_buf kept;

	(void)state;
	ks_buf_init(&kept, 1000);
	expect_end(run_script("cat; echo end", 10000, &kept, false), KS_SPAWN_EXITED, 0);
	assert_string_equal(ks_buf_text(&kept), "end\n");
	ks_buf_release(&kept);
}

static void the_beginning_or_the_end_is_kept(void **state)
{
	static const char many[] =
		"i=0; while [ $i -lt 20000 ]; do echo 123456789; i=$((i+1)); done; echo last";
	struct ks_buf kept;

	(void)state;
	ks_buf_init(&kept, 15);
	expect_end(run_script(many, 0, &kept, false), KS_SPAWN_EXITED, 0);
	assert_string_equal(ks_buf_text(&kept), "123456789\n12345");
	ks_buf_reset(&kept);
	expect_end(run_script(many, 0, &kept, true), KS_SPAWN_EXITED, 0);
	assert_string_equal(ks_buf_text(&kept), "123456789\nlast\n");
	assert_false(ks_buf_failed(&kept));
	ks_buf_release(&kept);
}

static void what_cannot_be_run(void **state)
{
	static const char *const missing[] = { "/nowhere/at/all", NULL };
	static const char *const folder[] = { "/tmp", NULL };
	struct ks_buf kept;

	(void)state;
	ks_buf_init(&kept, 1000);
	expect_end(run(missing, 0, &kept, false), KS_SPAWN_FAILED, ENOENT);
	expect_end(run(folder, 1000, &kept, false), KS_SPAWN_FAILED, EACCES);
	ks_buf_release(&kept);
}

static void one_that_hangs_is_cut_with_its_children(void **state)
{
	struct ks_buf kept;

	(void)state;
	ks_buf_init(&kept, 1000);
	expect_end(run_script("sleep 1000 & echo $!; wait", 300, &kept, false), KS_SPAWN_TIMEOUT,
		   0);
	expect_over(ks_buf_view(&kept));
	ks_buf_reset(&kept);
	/* it closed what it prints to, and hangs all the same */
	expect_end(run_script("echo $$; exec >&- 2>&-; exec sleep 1000", 300, &kept, false),
		   KS_SPAWN_TIMEOUT, 0);
	expect_over(ks_buf_view(&kept));
	ks_buf_reset(&kept);
	/* it prints for ever */
	expect_end(run_script("while :; do echo more; done", 300, &kept, false), KS_SPAWN_TIMEOUT,
		   0);
	assert_int_equal(kept.n, 1000);
	ks_buf_release(&kept);
}

static void a_child_left_behind_holds_nobody_up(void **state)
{
	struct ks_buf kept;
	int64_t pid = 0;

	(void)state;
	ks_buf_init(&kept, 1000);
	expect_end(run_script("sleep 1000 & echo $!; exit 4", 0, &kept, false), KS_SPAWN_EXITED, 4);
	assert_true(ks_num_parse_i64(ks_str_trim(ks_buf_view(&kept)), &pid) && pid > 1);
	assert_int_equal(kill((pid_t)pid, SIGKILL), 0); /* without a limit it is left alone */
	ks_buf_reset(&kept);
	expect_end(run_script("sleep 1000 & echo $!; exit 4", 10000, &kept, false), KS_SPAWN_EXITED,
		   4);
	expect_over(ks_buf_view(&kept));
	ks_buf_release(&kept);
}

int test_spawn(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_streams_and_the_status),
		cmocka_unit_test(no_shell_reads_the_words),
		cmocka_unit_test(standard_input_is_empty),
		cmocka_unit_test(the_beginning_or_the_end_is_kept),
		cmocka_unit_test(what_cannot_be_run),
		cmocka_unit_test(one_that_hangs_is_cut_with_its_children),
		cmocka_unit_test(a_child_left_behind_holds_nobody_up),
	};

	return cmocka_run_group_tests_name("spawn", tests, NULL, NULL);
}
