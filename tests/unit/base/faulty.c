/* SPDX-License-Identifier: Apache-2.0
 *
 * The failing io table of the tests. Everything that does not fail on purpose is the real call.
 */
#define KS_BASE_DOOR
#include "faulty.h"

#include <errno.h>
#include <fcntl.h>

struct faulty faulty;

static bool fails(const char *call)
{
	if (++faulty.calls != faulty.fail_at)
		return false;
	faulty.failed = call;
	errno = faulty.fail_errno;
	return true;
}

static bool interrupted(void)
{
	if (!faulty.interrupt || faulty.calls % 2 == 0)
		return false;
	errno = EINTR;
	return true;
}

static size_t at_most(size_t n)
{
	return faulty.most > 0 && faulty.most < n ? faulty.most : n;
}

static int f_open(const char *path, int flags, mode_t mode)
{
	if (fails("open"))
		return -1;
	if (faulty.no_tmpfile && (flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return ks_io_system.sys_open(path, flags, mode);
}

static ssize_t f_write(int fd, const void *p, size_t n)
{
	return fails("write") || interrupted() ? -1 : ks_io_system.sys_write(fd, p, at_most(n));
}

static ssize_t f_pread(int fd, void *p, size_t n, off_t at)
{
	return fails("pread") || interrupted() ? -1 : ks_io_system.sys_pread(fd, p, at_most(n), at);
}

static ssize_t f_pwrite(int fd, const void *p, size_t n, off_t at)
{
	return fails("pwrite") || interrupted() ? -1
						: ks_io_system.sys_pwrite(fd, p, at_most(n), at);
}

static int f_fsync(int fd)
{
	return fails("fsync") ? -1 : ks_io_system.sys_fsync(fd);
}

static int f_close(int fd)
{
	const bool failed = fails("close");
	const int err_no = errno;
	const int rc = ks_io_system.sys_close(fd); /* a failing close closes as well */

	errno = err_no;
	return failed ? -1 : rc;
}

static int f_rename(const char *from, const char *to)
{
	return fails("rename") ? -1 : ks_io_system.sys_rename(from, to);
}

static int f_rename_new(const char *from, const char *to)
{
	return fails("rename") ? -1 : ks_io_system.sys_rename_new(from, to);
}

static int f_unlink(const char *path)
{
	return fails("unlink") ? -1 : ks_io_system.sys_unlink(path);
}

const struct ks_io faulty_io = {
	.sys_open = f_open,
	.sys_write = f_write,
	.sys_pread = f_pread,
	.sys_pwrite = f_pwrite,
	.sys_fsync = f_fsync,
	.sys_close = f_close,
	.sys_rename = f_rename,
	.sys_rename_new = f_rename_new,
	.sys_unlink = f_unlink,
};
