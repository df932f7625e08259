/* SPDX-License-Identifier: Apache-2.0
 *
 * The system calls themselves, spill files, and whole small inputs. Files that people see are
 * written by base/out.c.
 */
#define KS_BASE_DOOR
#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/num.h"

#define TMP_TRIES 100 /* left-overs of killed runs with our process id are stepped over */

/* --- the system's own calls ----------------------------------------------------------------------
 */

static int real_open(const char *path, int flags, mode_t mode)
{
	return open(path, flags, mode);
}

/* renameat2 is missing on some file systems; link has the same guarantee there. */
static int real_rename_new(const char *from, const char *to)
{
	if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	if (link(from, to) == 0)
		return unlink(from);
	if (errno != EPERM && errno != ENOSYS && errno != EOPNOTSUPP)
		return -1;
	if (access(to, F_OK) == 0) {
		errno = EEXIST;
		return -1;
	}
	return rename(from, to);
}

const struct ks_io ks_io_system = {
	.sys_open = real_open,
	.sys_write = write,
	.sys_pread = pread,
	.sys_pwrite = pwrite,
	.sys_fsync = fsync,
	.sys_close = close,
	.sys_rename = rename,
	.sys_rename_new = real_rename_new,
	.sys_unlink = unlink,
};

/* --- spill files ---------------------------------------------------------------------------------
 */

int ks_io_open_new(const struct ks_io *io, ks_str dir, int flags, mode_t mode, char **name)
{
	const size_t cap = dir.n + 48;
	int fd = -1;

	*name = malloc(cap);
	if (!*name)
		return -1; /* malloc set errno */
	for (int i = 0; i < TMP_TRIES && fd < 0; i++) {
		(void)snprintf(*name, cap, "%.*s.kernoscope-%ld-%d.tmp", (int)dir.n, dir.p,
			       (long)getpid(), i);
		fd = io->sys_open(*name, flags | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
		if (fd < 0 && errno != EEXIST && errno != EINTR)
			break;
	}
	if (fd >= 0)
		return fd;
	const int err_no = errno == EEXIST ? EAGAIN : errno;

	free(*name);
	*name = NULL;
	errno = err_no;
	return -1;
}

static int open_unlinked(const struct ks_io *io, const char *dir)
{
	struct ks_buf folder;
	char *name = NULL;
	int fd = -1;

	ks_buf_init(&folder, SIZE_MAX);
	ks_buf_fmt(&folder, "%s/", dir);
	if (ks_buf_failed(&folder))
		errno = ENOMEM;
	else
		fd = ks_io_open_new(io, ks_buf_view(&folder), O_RDWR, 0600, &name);
	const int err_no = errno;

	ks_buf_release(&folder);
	if (fd >= 0)
		(void)io->sys_unlink(name);
	free(name);
	errno = err_no;
	return fd;
}

const char *ks_io_tempdir(void)
{
	const char *set = getenv("TMPDIR");

	return set && set[0] != '\0' ? set : "/tmp";
}

enum ks_status ks_io_tempfile(const struct ks_io *io, int *fd, struct ks_err *err)
{
	const char *dir = ks_io_tempdir();
	char name[32];

	*fd = io->sys_open(dir, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
	if (*fd < 0 &&
	    (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL || errno == EINTR))
		*fd = open_unlinked(io, dir);
	if (*fd >= 0)
		return KS_OK;
	return ks_err_set(err, KS_E_ENV, KS_BASE_TEXT_ERR_SPILL_OPEN, dir,
			  ks_err_errno(name, errno), NULL);
}

int ks_io_pread_all(const struct ks_io *io, int fd, void *p, size_t n, off_t at)
{
	char *to = p;

	while (n > 0) {
		const ssize_t got = io->sys_pread(fd, to, n, at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? errno : EIO;
		to += got;
		at += got;
		n -= (size_t)got;
	}
	return 0;
}

int ks_io_pwrite_all(const struct ks_io *io, int fd, const void *p, size_t n, off_t at)
{
	const char *from = p;

	while (n > 0) {
		const ssize_t put = io->sys_pwrite(fd, from, n, at);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return put < 0 ? errno : EIO;
		from += put;
		at += put;
		n -= (size_t)put;
	}
	return 0;
}

/* --- whole small inputs --------------------------------------------------------------------------
 */

bool ks_io_is_denied(int err_no)
{
	return err_no == EACCES || err_no == EPERM || err_no == EROFS;
}

static enum ks_status fail_input(struct ks_err *err, const char *path, int err_no, int64_t at)
{
	char name[32];
	const char *cause = ks_err_errno(name, err_no);

	if (err_no == ENOENT || err_no == ENOTDIR)
		(void)ks_err_set(err, KS_E_INPUT, KS_BASE_TEXT_ERR_IN_MISSING, path, NULL);
	else if (ks_io_is_denied(err_no))
		(void)ks_err_set(err, KS_E_INPUT, KS_BASE_TEXT_ERR_IN_DENIED, path, cause, NULL);
	else if (err_no == EISDIR)
		(void)ks_err_set(err, KS_E_INPUT, KS_BASE_TEXT_ERR_IN_DIRECTORY, path, NULL);
	else
		(void)ks_err_set(err, KS_E_INPUT, KS_BASE_TEXT_ERR_IN_READ, path, cause, NULL);
	(void)ks_err_at(err, path, at);
	return KS_E_INPUT;
}

static enum ks_status fail_buffer(const struct ks_buf *b, const char *path, bool too_big,
				  struct ks_err *err)
{
	char limit[KS_NUM_LEN];

	if (!too_big)
		return ks_err_set(err, KS_E_ENV, KS_BASE_TEXT_ERR_NO_MEMORY, path, NULL);
	(void)ks_num_u64(limit, b->max);
	(void)ks_err_set(err, KS_E_INPUT, KS_BASE_TEXT_ERR_IN_TOO_BIG, path, limit, NULL);
	return ks_err_at(err, path, (int64_t)b->max);
}

static enum ks_status read_fd(int fd, const char *path, struct ks_buf *b, struct ks_err *err)
{
	enum ks_status status = KS_OK;
	char *piece = malloc(KS_OUT_BUFFER);

	if (!piece)
		return fail_buffer(b, path, false, err);
	while (status == KS_OK) {
		const ssize_t got = read(fd, piece, KS_OUT_BUFFER);

		if (got == 0)
			break;
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			status = fail_input(err, path, errno, (int64_t)b->n);
			break;
		}
		const bool too_big = (size_t)got > b->max - b->n;

		ks_buf_add(b, piece, (size_t)got);
		if (ks_buf_failed(b))
			status = fail_buffer(b, path, too_big, err);
	}
	free(piece);
	return status;
}

enum ks_status ks_io_read_file(const char *path, struct ks_buf *b, struct ks_err *err)
{
	if (strcmp(path, "-") == 0)
		return read_fd(STDIN_FILENO, path, b, err);

	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return fail_input(err, path, errno, -1);

	const enum ks_status status = read_fd(fd, path, b, err);

	(void)close(fd);
	return status;
}

/* Reads on until there is more than fits, or the end. */
static int read_up_to(int fd, struct ks_buf *b, char *piece, bool *more)
{
	for (;;) {
		const ssize_t got = read(fd, piece, KS_OUT_BUFFER);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? errno : 0;
		const size_t room = b->max - b->n;

		*more = (size_t)got > room;
		ks_buf_add(b, piece, *more ? room : (size_t)got);
		if (*more || ks_buf_failed(b))
			return ks_buf_failed(b) ? ENOMEM : 0;
	}
}

int ks_io_read_head(const char *path, struct ks_buf *b, bool *more)
{
	const bool in = strcmp(path, "-") == 0;
	const int fd = in ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	*more = false;
	if (fd < 0)
		return errno;
	char *piece = malloc(KS_OUT_BUFFER);
	const int err_no = piece != NULL ? read_up_to(fd, b, piece, more) : ENOMEM;

	free(piece);
	if (!in)
		(void)close(fd);
	return err_no;
}

enum ks_status ks_io_read_regular(const char *path, bool links, struct ks_buf *b,
				  struct ks_err *err)
{
	struct stat st;
	const int fd =
		open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (links ? 0 : O_NOFOLLOW));
	enum ks_status status = KS_OK;

	if (fd < 0 && errno != ELOOP && errno != ENXIO)
		return fail_input(err, path, errno, -1);
	if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		status = ks_err_set(err, KS_E_INPUT, KS_BASE_TEXT_ERR_IN_SPECIAL, path, NULL);
		(void)ks_err_at(err, path, -1);
	} else {
		status = read_fd(fd, path, b, err);
	}
	if (fd >= 0)
		(void)close(fd);
	return status;
}
