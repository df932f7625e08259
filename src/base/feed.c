/* SPDX-License-Identifier: Apache-2.0
 *
 * A pipe, a child on its reading end, and the text into it.
 */
#define KS_BASE_DOOR
#include "base/feed.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

static bool is_in_environment(const char *pair)
{
	const size_t n = (size_t)(strchr(pair, '=') - pair) + 1;

	for (char **e = environ; e != NULL && *e != NULL; e++) {
		if (strncmp(*e, pair, n) == 0)
			return true;
	}
	return false;
}

/* The environment and the defaults it lacks; the strings stay where they are. NULL: no memory. */
static const char **environment(const char *const *defaults)
{
	size_t n = 0, more = 0;

	while (environ != NULL && environ[n] != NULL)
		n++;
	while (defaults[more] != NULL)
		more++;
	const char **all = malloc((n + more + 1) * sizeof(*all));

	if (all == NULL)
		return NULL;
	for (size_t i = 0; i < n; i++)
		all[i] = environ[i];
	for (size_t i = 0; i < more; i++) {
		if (!is_in_environment(defaults[i]))
			all[n++] = defaults[i];
	}
	all[n] = NULL;
	return all;
}

/* The signals we ignore are not for the child to ignore. */
static int start(const char *const *argv, const char *const *env, int input, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t normal;
	int rc = posix_spawn_file_actions_init(&files);

	if (rc != 0)
		return rc;
	rc = posix_spawnattr_init(&attr);
	if (rc == 0) {
		(void)sigemptyset(&normal);
		(void)sigaddset(&normal, SIGPIPE);
		(void)sigaddset(&normal, SIGXFSZ);
		(void)sigaddset(&normal, SIGINT);
		(void)sigaddset(&normal, SIGQUIT);
		(void)posix_spawnattr_setsigdefault(&attr, &normal);
		(void)posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
		rc = posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
		/* the prototype lacks a const that POSIX promises */
		union {
			const char *const *in;
			char *const *out;
		} words = { argv }, names = { env };

		if (rc == 0)
			rc = posix_spawnp(pid, argv[0], &files, &attr, words.out, names.out);
		(void)posix_spawnattr_destroy(&attr);
	}
	(void)posix_spawn_file_actions_destroy(&files);
	return rc;
}

static void pour(int fd, ks_str text)
{
	while (text.n > 0) {
		const ssize_t n = write(fd, text.p, text.n);

		if (n > 0) {
			text.p += n;
			text.n -= (size_t)n;
		} else if (n == 0 || errno != EINTR) {
			return; /* EPIPE: it was left before the end */
		}
	}
}

static int feed(const char *const *argv, const char *const *env, ks_str text)
{
	int ends[2], status;
	pid_t pid = -1;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return errno;
	const int rc = start(argv, env, ends[0], &pid);

	(void)close(ends[0]);
	if (rc == 0)
		pour(ends[1], text);
	(void)close(ends[1]);
	while (rc == 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	return rc;
}

int ks_feed(const char *const *argv, const char *const *defaults, ks_str text)
{
	static const int keys[] = { SIGINT, SIGQUIT, SIGPIPE };
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction old[KS_ARRAY_LEN(keys)];
	const char **env = environment(defaults);

	if (env == NULL)
		return ENOMEM;
	for (size_t i = 0; i < KS_ARRAY_LEN(keys); i++)
		(void)sigaction(keys[i], &ignore, &old[i]);
	const int rc = feed(argv, env, text);

	for (size_t i = 0; i < KS_ARRAY_LEN(keys); i++)
		(void)sigaction(keys[i], &old[i], NULL);
	free(env);
	return rc;
}
