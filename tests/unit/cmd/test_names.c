/* SPDX-License-Identifier: Apache-2.0
 *
 * Macros of output names, in environments as the launchers set them.
 */
#include "tests.h"

#include <limits.h>

#include "base/str.h"
#include "cmd/names.h"

/* NAME=VALUE words of the current case; the look-up has no argument for them. */
static const char *const *world;

static const char *look_up(const char *name)
{
	const size_t n = strlen(name);

	for (size_t i = 0; world[i] != NULL; i++) {
		if (strncmp(world[i], name, n) == 0 && world[i][n] == '=')
			return world[i] + n + 1;
	}
	return NULL;
}

struct naming {
	struct ks_app app;
	struct ks_err err;
	const char *out;
	enum ks_status status;
};

static void expand(struct naming *n, enum ks_option option, const char *text,
		   const char *const *env)
{
	world = env;
	ks_app_init(&n->app, &(struct ks_app_world){ &ks_io_system, &ks_clock_system, look_up });
	ks_err_init(&n->err);
	n->out = NULL;
	n->status = ks_name_expand(&n->app, option, text, &n->out, &n->err);
}

static void done(struct naming *n)
{
	ks_out_abandon(&n->app.out);
	ks_out_abandon(&n->app.err);
	ks_arena_release(&n->app.arena);
}

#define MOST_WORDS 8

static void macros_become_what_the_environment_says(void **state)
{
	static const struct {
		const char *env[MOST_WORDS];
		const char *text, *want;
	} cases[] = {
		{ { NULL }, "run", "run" },
		{ { NULL }, "100%%", "100%" },
		{ { NULL }, "-", "-" },
		{ { "JOB=7" }, "run-%q{JOB}.json", "run-7.json" },
		{ { "A=x", "B=y" }, "%q{A}%q{B}%%p", "xy%p" },
		{ { "SLURM_PROCID=3", "SLURM_NTASKS=16" }, "r%r-of-%w", "r3-of-16" },
		{ { "OMPI_COMM_WORLD_RANK=0", "OMPI_COMM_WORLD_SIZE=2" }, "%r/%w", "0/2" },
		{ { "PMI_RANK=5", "PMI_SIZE=8" }, "%r-%w", "5-8" },
		{ { "PMIX_RANK=4" }, "%r", "4" },
		{ { "RANK=1", "WORLD_SIZE=4" }, "%r-%w", "1-4" },
		/* mpirun inside a Slurm job: the inner one */
		{ { "SLURM_PROCID=0", "SLURM_NTASKS=1", "OMPI_COMM_WORLD_RANK=6",
		    "OMPI_COMM_WORLD_SIZE=8" },
		  "%r-%w",
		  "6-8" },
		/* RANK alone is anybody's word */
		{ { "RANK=9", "SLURM_PROCID=2" }, "%r", "2" },
		/* srun with PMIx sets no size of its own */
		{ { "PMIX_RANK=2", "SLURM_PROCID=2", "SLURM_NTASKS=4" }, "%r-%w", "2-4" },
		{ { "OMPI_COMM_WORLD_RANK=", "SLURM_PROCID=2" }, "%r", "2" },
		{ { "SLURM_PROCID=007" }, "%r", "7" },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct naming n;

		expand(&n, KS_OPT_PACKET, cases[i].text, cases[i].env);
		if (n.status != KS_OK)
			fail_msg("%s: text %d: %s", cases[i].text, n.err.text, n.err.arg[1]);
		assert_string_equal(n.out, cases[i].want);
		done(&n);
	}
}

static void process_and_host_are_this_ones(void **state)
{
	static const char *const none[] = { NULL };
	char host[HOST_NAME_MAX + 1], want[HOST_NAME_MAX + 64];
	struct naming n;

	(void)state;
	assert_int_equal(gethostname(host, sizeof(host)), 0);
	(void)snprintf(want, sizeof(want), "%s.%ld", host, (long)getpid());
	expand(&n, KS_OPT_LOG_FILE, "%h.%p", none);
	assert_int_equal(n.status, KS_OK);
	assert_string_equal(n.out, want);
	done(&n);
}

static void what_would_go_wrong_is_refused(void **state)
{
	static const struct {
		const char *env[MOST_WORDS];
		const char *text;
		enum ks_text message;
		const char *names; /* in the message */
	} cases[] = {
		{ { NULL }, "%x", KS_TEXT_ERR_NAME_MACRO, "%x" },
		{ { NULL }, "run%", KS_TEXT_ERR_NAME_MACRO, "%" },
		{ { NULL }, "%q", KS_TEXT_ERR_NAME_MACRO, "%q" },
		{ { NULL }, "%q{}", KS_TEXT_ERR_NAME_MACRO, "%q" },
		{ { NULL }, "%q{JOB", KS_TEXT_ERR_NAME_MACRO, "%q" },
		{ { NULL }, "%q{JOB}", KS_TEXT_ERR_NAME_UNSET, "JOB" },
		{ { "JOB=" }, "%q{JOB}", KS_TEXT_ERR_NAME_UNSET, "JOB" },
		{ { "JOB=a/b" }, "%q{JOB}", KS_TEXT_ERR_NAME_VALUE, "JOB" },
		{ { "JOB=.." }, "%q{JOB}", KS_TEXT_ERR_NAME_VALUE, "JOB" },
		{ { "JOB=a..b" }, "%q{JOB}", KS_TEXT_ERR_NAME_VALUE, "JOB" },
		{ { "JOB=a\nb" }, "%q{JOB}", KS_TEXT_ERR_NAME_VALUE, "JOB" },
		{ { "JOB=\033[2J" }, "%q{JOB}", KS_TEXT_ERR_NAME_VALUE, "JOB" },
		{ { NULL }, "%r", KS_TEXT_ERR_NAME_LAUNCHER, "%r" },
		{ { NULL }, "%w", KS_TEXT_ERR_NAME_LAUNCHER, "%w" },
		{ { "RANK=0" }, "%r", KS_TEXT_ERR_NAME_LAUNCHER, "%r" },
		{ { "PMI_RANK=../x" }, "%r", KS_TEXT_ERR_NAME_RANK, "PMI_RANK" },
		{ { "PMI_RANK=-1" }, "%r", KS_TEXT_ERR_NAME_RANK, "PMI_RANK" },
		{ { "PMI_RANK=4294967296" }, "%r", KS_TEXT_ERR_NAME_RANK, "PMI_RANK" },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct naming n;

		expand(&n, KS_OPT_PACKET, cases[i].text, cases[i].env);
		if (n.status != KS_E_USAGE || n.err.text != (int)cases[i].message)
			fail_msg("%s: status %d, text %d", cases[i].text, (int)n.status,
				 n.err.text);
		assert_string_equal(n.err.arg[0], "packet");
		assert_string_equal(n.err.arg[1], cases[i].names);
		done(&n);
	}
}

static void a_name_that_fits_no_path_is_refused(void **state)
{
	static char word[PATH_MAX + 16];
	const char *const env[] = { word, NULL };
	struct naming n;

	(void)state;
	memset(word, 'a', sizeof(word) - 1);
	memcpy(word, "JOB=", 4);
	word[4 + PATH_MAX - 1] = '\0';
	expand(&n, KS_OPT_PACKET, "%q{JOB}", env);
	assert_int_equal(n.status, KS_OK);
	done(&n);
	word[4 + PATH_MAX - 1] = 'a';
	word[4 + PATH_MAX] = '\0';
	expand(&n, KS_OPT_PACKET, "%q{JOB}", env);
	assert_int_equal(n.status, KS_E_USAGE);
	assert_int_equal(n.err.text, KS_TEXT_ERR_NAME_LONG);
	done(&n);
}

static void touch(const char *path)
{
	struct ks_out out;

	assert_int_equal(ks_out_open_file(&out, &ks_io_system, path, 0, NULL), KS_OK);
	assert_int_equal(ks_out_commit(&out, NULL), KS_OK);
}

static void numbers_are_the_smallest_that_are_free(void **state)
{
	static const char *const none[] = { NULL };
	char root[PATH_MAX], back[PATH_MAX];
	struct naming n;

	(void)state;
	assert_non_null(getcwd(back, sizeof(back)));
	(void)snprintf(root, sizeof(root), "%s/ks-names.XXXXXX",
		       getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
	assert_non_null(mkdtemp(root));
	assert_int_equal(chdir(root), 0);
	touch("a1");
	touch("a3");
	touch("run-1.perfetto-trace");

	expand(&n, KS_OPT_PACKET, "a%i", none);
	assert_string_equal(n.out, "a2");
	done(&n);
	expand(&n, KS_OPT_PACKET, "a%n", none);
	assert_string_equal(n.out, "a2");
	done(&n);
	expand(&n, KS_OPT_PACKET, "b%i-%i", none);
	assert_string_equal(n.out, "b1-1");
	done(&n);
	/* a prefix is free when none of the files made from it is there */
	expand(&n, KS_OPT_EXPORT, "run-%i", none);
	assert_string_equal(n.out, "run-2");
	done(&n);
	expand(&n, KS_OPT_EXPORT, "run-%i.ksreport.json", none);
	assert_string_equal(n.out, "run-2.ksreport.json");
	done(&n);

	assert_int_equal(remove("a1"), 0);
	assert_int_equal(remove("a3"), 0);
	assert_int_equal(remove("run-1.perfetto-trace"), 0);
	assert_int_equal(chdir(back), 0);
	assert_int_equal(rmdir(root), 0);
}

int test_names(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(macros_become_what_the_environment_says),
		cmocka_unit_test(process_and_host_are_this_ones),
		cmocka_unit_test(what_would_go_wrong_is_refused),
		cmocka_unit_test(a_name_that_fits_no_path_is_refused),
		cmocka_unit_test(numbers_are_the_smallest_that_are_free),
	};

	return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
