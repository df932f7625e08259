/* SPDX-License-Identifier: Apache-2.0
 *
 * The system's calls for folders and for adding to a file.
 */
#define KS_BASE_DOOR
#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>

#define LOCK_TRIES   100
#define LOCK_WAIT_MS 20

int ks_folder_make(const char *path)
{
	struct stat st;

	if (mkdir(path, 0777) == 0)
		return 0;
	const int err_no = errno;

	if (err_no != EEXIST)
		return err_no;
	if (lstat(path, &st) != 0)
		return errno;
	return S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
}

int ks_folder_make_parents(const char *path, unsigned mode)
{
	char *folder = strdup(path);
	int err_no = folder ? 0 : ENOMEM;

	for (char *slash = folder ? strchr(folder + 1, '/') : NULL; slash && err_no == 0;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(folder, (mode_t)mode) != 0 && errno != EEXIST)
			err_no = errno;
		*slash = '/';
	}
	free(folder);
	return err_no;
}

bool ks_folder_has(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

bool ks_folder_has_file(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

int ks_folder_each(const char *path, bool (*each)(void *arg, const char *name), void *arg)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;
	bool more = true;

	if (!dir)
		return errno;
	errno = 0;
	while (more && (entry = readdir(dir)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			more = each(arg, entry->d_name);
	const int err_no = more ? errno : 0;

	(void)closedir(dir);
	return err_no;
}

/* Somebody who holds the lock for ever must not stop us: the line is one write anyway. */
static bool locked(int fd)
{
	for (int i = 0; i < LOCK_TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return true;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return false; /* no locks on this file system */
		(void)poll(NULL, 0, LOCK_WAIT_MS);
	}
	return false;
}

static int write_all(const struct ks_io *io, int fd, const char *p, size_t n, size_t *done)
{
	while (*done < n) {
		const ssize_t put = io->sys_write(fd, p + *done, n - *done);

		if (put > 0)
			*done += (size_t)put;
		else if (put == 0)
			return EIO;
		else if (errno != EINTR)
			return errno;
	}
	return 0;
}

/* A last line without its end belongs to a run that was killed. */
static int is_torn(const struct ks_io *io, int fd, off_t size, bool *torn)
{
	char last = '\n';
	const int err_no = size > 0 ? ks_io_pread_all(io, fd, &last, 1, size - 1) : 0;

	*torn = last != '\n';
	return err_no;
}

static int append(const struct ks_io *io, int fd, ks_str line)
{
	struct stat st;
	struct ks_buf b;
	bool torn;
	size_t done = 0;
	const bool alone = locked(fd);

	if (fstat(fd, &st) != 0)
		return errno;
	if (!S_ISREG(st.st_mode))
		return EISDIR;
	int err_no = is_torn(io, fd, st.st_size, &torn);

	if (err_no != 0)
		return err_no;
	ks_buf_init(&b, line.n + 1);
	if (torn)
		ks_buf_ch(&b, '\n');
	ks_buf_str(&b, line);
	err_no = ks_buf_failed(&b) ? ENOMEM : write_all(io, fd, b.p, b.n, &done);
	ks_buf_release(&b);
	if (err_no != 0 && done > 0 && alone && ftruncate(fd, st.st_size) != 0)
		return err_no; /* then the next run ends the line */
	if (err_no == 0 && io->sys_fsync(fd) != 0 && errno != EINVAL && errno != EOPNOTSUPP)
		err_no = errno;
	return err_no;
}

int ks_append_line(const struct ks_io *io, const char *path, ks_str line)
{
	/* O_NONBLOCK: a FIFO of that name would wait for its other end */
	const int flags =
		O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	const int fd = io->sys_open(path, flags, 0666);

	if (fd < 0)
		return errno;
	int err_no = append(io, fd, line);

	if (io->sys_close(fd) != 0 && err_no == 0 && errno != EINTR)
		err_no = errno;
	return err_no;
}
