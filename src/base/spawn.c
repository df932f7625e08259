/* SPDX-License-Identifier: Apache-2.0
 *
 * fork and exec by hand, because posix_spawn cannot ask for the child's death with our own. Between
 * the two only calls are made that are safe there.
 */
#define KS_BASE_DOOR
#include "base/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/clock.h"

extern char **environ;

/* How often the end of the child is looked for while a grandchild may hold the pipe. */
enum { SLICE_MS = 50 };

struct child {
	pid_t pid;
	int out; /* what it prints */
	ks_ns deadline;
	bool limited, ended, cut;
	int status;
};

static void child_main(const struct ks_spawn *s, int out, int failed)
{
	const int null = open("/dev/null", O_RDWR);
	const int errors = s->take != NULL ? null : out;

	if (null >= 0 && dup2(null, 0) >= 0 && dup2(out, 1) >= 0 && dup2(errors, 2) >= 0) {
		(void)signal(SIGPIPE, SIG_DFL);
		if (null > 2)
			(void)close(null);
		if (s->timeout_ms > 0) {
			(void)setpgid(0, 0);
			(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		}
		/* argv is not changed by exec; its type is older than const */
		char *const *argv;

		memcpy(&argv, &s->argv, sizeof(argv));
		(void)execve(argv[0], argv, environ);
	}
	const int why = errno;
	const ssize_t told = write(failed, &why, sizeof(why));

	_exit(told == (ssize_t)sizeof(why) ? 127 : 126);
}

/* 0, or the errno of an exec that failed: the pipe closes by itself when exec succeeds. */
static int exec_failure(int fd)
{
	int why = 0;
	ssize_t got;

	do
		got = read(fd, &why, sizeof(why));
	while (got < 0 && errno == EINTR);
	return got == (ssize_t)sizeof(why) ? why : 0;
}

static void collect(struct child *c, int flags)
{
	pid_t got;

	if (c->ended)
		return;
	do
		got = waitpid(c->pid, &c->status, flags);
	while (got < 0 && errno == EINTR);
	c->ended = got != 0;
	if (got < 0)
		c->status = -1;
}

static int start(const struct ks_spawn *s, struct child *c)
{
	int out[2], failed[2];

	if (pipe2(out, O_CLOEXEC) != 0)
		return errno;
	if (pipe2(failed, O_CLOEXEC) != 0) {
		const int why = errno;

		(void)close(out[0]);
		(void)close(out[1]);
		return why;
	}
	c->pid = fork();
	if (c->pid == 0)
		child_main(s, out[1], failed[1]);

	int why = c->pid < 0 ? errno : 0;

	/* on both sides, so that neither kills a group that is not there yet */
	if (c->pid > 0 && s->timeout_ms > 0)
		(void)setpgid(c->pid, c->pid);
	(void)close(out[1]);
	(void)close(failed[1]);
	if (why == 0)
		why = exec_failure(failed[0]);
	(void)close(failed[0]);
	c->out = out[0];
	if (why != 0) {
		(void)close(out[0]);
		if (c->pid > 0)
			collect(c, 0);
	}
	return why;
}

static void keep(const struct ks_spawn *s, const char *p, size_t n)
{
	struct ks_buf *b = s->kept;
	const size_t room = b->max > b->n ? b->max - b->n : 0;

	if (n > room && s->keep_end) {
		if (n > b->max) {
			p += n - b->max;
			n = b->max;
		}
		const size_t stay = b->n + n > b->max ? b->max - n : b->n;

		if (stay > 0)
			memmove(b->p, b->p + b->n - stay, stay);
		b->n = stay;
	} else if (n > room) {
		n = room;
	}
	if (n > 0)
		ks_buf_add(b, p, n);
}

/* One read; false at the end of the stream. */
static bool take(const struct ks_spawn *s, const struct child *c)
{
	char piece[4096];
	const ssize_t got = read(c->out, piece, sizeof(piece));

	if (got > 0 && s->take != NULL)
		s->take(s->arg, piece, (size_t)got);
	else if (got > 0)
		keep(s, piece, (size_t)got);
	return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

static int wait_ms(const struct child *c)
{
	if (!c->limited)
		return SLICE_MS;

	const ks_ns left = c->deadline - ks_clock_system.monotonic();

	if (left <= 0)
		return -1;
	return left / 1000000 < SLICE_MS ? (int)(left / 1000000) + 1 : SLICE_MS;
}

static void cut(struct child *c)
{
	c->cut = true;
	(void)kill(-c->pid, SIGKILL);
	(void)kill(c->pid, SIGKILL);
	collect(c, 0);
}

/* Until the child has ended and nothing it printed is left in the pipe. */
static void watch(const struct ks_spawn *s, struct child *c)
{
	bool open = true;

	while (open || !c->ended) {
		struct pollfd p = { .fd = open ? c->out : -1, .events = POLLIN };
		const int wait = wait_ms(c);

		if (wait < 0) {
			cut(c);
			return;
		}
		const int ready = poll(&p, 1, wait);

		if (ready > 0) {
			open = take(s, c);
			continue;
		}
		if (ready < 0 && errno != EINTR)
			open = false;
		/* nothing to read and no child any more: whoever holds the pipe is not ours */
		if (c->ended)
			return;
		collect(c, WNOHANG);
	}
}

struct ks_spawn_end ks_spawn_run(const struct ks_spawn *s)
{
	struct child c = { .limited = s->timeout_ms > 0 };

	if (c.limited)
		c.deadline = ks_clock_system.monotonic() + s->timeout_ms * 1000000;
	const int why = start(s, &c);

	if (why != 0)
		return (struct ks_spawn_end){ KS_SPAWN_FAILED, why };
	watch(s, &c);
	/* what it left running in its group goes with it */
	if (c.limited && !c.cut)
		(void)kill(-c.pid, SIGKILL);
	(void)close(c.out);
	if (c.cut)
		return (struct ks_spawn_end){ KS_SPAWN_TIMEOUT, 0 };
	if (c.status == -1)
		return (struct ks_spawn_end){ KS_SPAWN_FAILED, ECHILD };
	if (WIFEXITED(c.status))
		return (struct ks_spawn_end){ KS_SPAWN_EXITED, WEXITSTATUS(c.status) };
	return (struct ks_spawn_end){ KS_SPAWN_KILLED, WTERMSIG(c.status) };
}
