/* SPDX-License-Identifier: Apache-2.0
 *
 * LD_PRELOAD library that makes one call of a run fail, chosen by number, so that a sweep exercises
 * every failure path of the real binary. Counts, and fails nothing, when no number is given.
 *
 *     KS_T_ALLOC=n    the n-th malloc, calloc or realloc returns NULL
 *     KS_T_STEP=n     the n-th step on a file fails with ENOSPC; a step is a write, pwrite, fsync,
 *                     rename or link that is not on stderr
 *     KS_T_KILL=n     SIGKILL in place of the n-th step
 *     KS_T_STICKY=1   every later call fails too: memory and disks that are full stay full
 *     KS_T_TORN=1     every write takes at most 5 bytes and every second one is interrupted first
 *     KS_T_COUNT=f    appends "allocations steps" to f at exit
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* glibc's own names for the allocator behind the public ones. */
extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t count, size_t n);
extern void *__libc_realloc(void *p, size_t n);

static struct {
	bool ready, sticky, torn;
	long alloc_at, step_at, kill_at;
	long allocs, steps, writes;
} shim;

static long number(const char *name)
{
	const char *text = getenv(name);

	return text ? strtol(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void begin(void)
{
	shim.alloc_at = number("KS_T_ALLOC");
	shim.step_at = number("KS_T_STEP");
	shim.kill_at = number("KS_T_KILL");
	shim.sticky = number("KS_T_STICKY") != 0;
	shim.torn = number("KS_T_TORN") != 0;
	shim.ready = true;
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("KS_T_COUNT");
	long allocs = shim.allocs, steps = shim.steps;

	shim.ready = false;
	if (path) {
		FILE *f = fopen(path, "a");

		if (f) {
			fprintf(f, "%ld %ld\n", allocs, steps);
			fclose(f);
		}
	}
}

static bool hit(long count, long at)
{
	return at > 0 && (count == at || (shim.sticky && count > at));
}

static bool alloc_fails(void)
{
	if (!shim.ready || !hit(++shim.allocs, shim.alloc_at))
		return false;
	errno = ENOMEM;
	return true;
}

static bool step_fails(void)
{
	if (!shim.ready)
		return false;
	shim.steps++;
	if (hit(shim.steps, shim.kill_at))
		kill(getpid(), SIGKILL);
	if (!hit(shim.steps, shim.step_at))
		return false;
	errno = ENOSPC;
	return true;
}

static void *next(const char *name)
{
	bool ready = shim.ready;
	void *p;

	shim.ready = false; /* dlsym may allocate */
	p = dlsym(RTLD_NEXT, name);
	shim.ready = ready;
	return p;
}

void *malloc(size_t n)
{
	return alloc_fails() ? NULL : __libc_malloc(n);
}

void *calloc(size_t count, size_t n)
{
	return alloc_fails() ? NULL : __libc_calloc(count, n);
}

void *realloc(void *p, size_t n)
{
	return alloc_fails() ? NULL : __libc_realloc(p, n);
}

/* The POSIX way to turn a symbol address into a function pointer. */
#define REAL(fn, name)                                                                             \
	do {                                                                                       \
		void *p_ = next(name);                                                             \
		memcpy(&(fn), &p_, sizeof(fn));                                                    \
	} while (0)

ssize_t write(int fd, const void *p, size_t n)
{
	ssize_t (*real)(int, const void *, size_t);

	REAL(real, "write");
	if (fd == 2)
		return real(fd, p, n);
	if (step_fails())
		return -1;
	if (shim.torn && ++shim.writes % 2 == 1) {
		errno = EINTR;
		return -1;
	}
	return real(fd, p, shim.torn && n > 5 ? 5 : n);
}

ssize_t pwrite(int fd, const void *p, size_t n, off_t at)
{
	ssize_t (*real)(int, const void *, size_t, off_t);

	REAL(real, "pwrite");
	return step_fails() ? -1 : real(fd, p, n, at);
}

int fsync(int fd)
{
	int (*real)(int);

	REAL(real, "fsync");
	return step_fails() ? -1 : real(fd);
}

int rename(const char *from, const char *to)
{
	int (*real)(const char *, const char *);

	REAL(real, "rename");
	return step_fails() ? -1 : real(from, to);
}

int renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned flags)
{
	int (*real)(int, const char *, int, const char *, unsigned);

	REAL(real, "renameat2");
	return step_fails() ? -1 : real(from_fd, from, to_fd, to, flags);
}

int link(const char *from, const char *to)
{
	int (*real)(const char *, const char *);

	REAL(real, "link");
	return step_fails() ? -1 : real(from, to);
}
