/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a program once and appends "wall_ns peak_rss_kib exit_status" to a file. A process of its
 * own because a child's peak memory starts at its parent's: an interpreter would measure itself.
 *     measure RESULT PROGRAM ARGS...
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	int status = 0;

	if (argc < 3) {
		fprintf(stderr, "usage: measure RESULT PROGRAM ARGS...\n");
		return 2;
	}
	const long long begin = now_ns();
	const pid_t pid = fork();

	if (pid == 0) {
		execv(argv[2], argv + 2);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid) {
		perror(argv[2]);
		return 1;
	}
	const long long wall = now_ns() - begin;
	FILE *f = fopen(argv[1], "a");

	if (!f) {
		perror(argv[1]);
		return 1;
	}
	fprintf(f, "%lld %ld %d\n", wall, usage.ru_maxrss,
		WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return fclose(f) == 0 ? 0 : 1;
}
