/* SPDX-License-Identifier: Apache-2.0
 *
 * Outputs that appear whole or not at all. Never writes through a symbolic link and never over a
 * file it was not told to replace.
 */
#define KS_BASE_DOOR
#include "base/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/stat.h>

#include "base/num.h"
#include "base/str.h"

/* --- errors --------------------------------------------------------------------------------------
 */

static bool is_full(int err_no)
{
	return err_no == ENOSPC || err_no == EDQUOT;
}

/* The folder part of a path: "." when it has none. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static enum ks_status fail_output(struct ks_err *err, const char *path, int err_no)
{
	char *folder = folder_of(path);
	const char *dir = folder ? folder : path;
	char name[32];
	const char *cause = ks_err_errno(name, err_no);
	const enum ks_status bad = KS_E_OUTPUT;

	if (err_no == ENOENT)
		(void)ks_err_set(err, bad, KS_BASE_TEXT_ERR_OUT_NO_FOLDER, path, dir, NULL);
	else if (err_no == ENOTDIR)
		(void)ks_err_set(err, bad, KS_BASE_TEXT_ERR_OUT_NOT_FOLDER, path, dir, NULL);
	else if (err_no == EEXIST)
		(void)ks_err_set(err, bad, KS_BASE_TEXT_ERR_OUT_EXISTS, path, NULL);
	else if (err_no == EISDIR || err_no == ELOOP)
		(void)ks_err_set(err, bad, KS_BASE_TEXT_ERR_OUT_NOT_REGULAR, path, NULL);
	else if (err_no == ENOMEM)
		(void)ks_err_set(err, bad, KS_BASE_TEXT_ERR_NO_MEMORY, path, NULL);
	else if (ks_io_is_denied(err_no))
		(void)ks_err_set(err, bad, KS_BASE_TEXT_ERR_OUT_DENIED, path, dir, cause, NULL);
	else if (is_full(err_no))
		(void)ks_err_set(err, bad, KS_BASE_TEXT_ERR_OUT_FULL, path, cause, NULL);
	else
		(void)ks_err_set(err, bad, KS_BASE_TEXT_ERR_OUT_WRITE, path, cause, NULL);
	(void)ks_err_at(err, path, -1);
	free(folder);
	return KS_E_OUTPUT;
}

/* --- opening -------------------------------------------------------------------------------------
 */

static void out_init(struct ks_out *o, const struct ks_io *io, int fd)
{
	*o = (struct ks_out){ .io = io, .fd = fd };
	if (fd < 0)
		return;
	o->buffer = malloc(KS_OUT_BUFFER);
	if (!o->buffer)
		o->err_no = ENOMEM;
}

void ks_out_open_fd(struct ks_out *o, const struct ks_io *io, int fd)
{
	out_init(o, io, fd);
}

void ks_out_open_mem(struct ks_out *o, struct ks_buf *b)
{
	out_init(o, &ks_io_system, -1);
	o->mem = b;
}

void ks_out_open_null(struct ks_out *o)
{
	out_init(o, &ks_io_system, -1);
}

/* /dev/stdout and its kin are links to whatever the shell set up; the descriptor itself is meant.
 * -1: the path is none of them. */
static int named_fd(const char *path)
{
	uint64_t fd;

	if (strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	if (strncmp(path, "/dev/fd/", 8) == 0 && ks_num_parse_u64(ks_str_c(path + 8), &fd) &&
	    fd < INT32_MAX)
		return (int)fd;
	return -1;
}

/* What stands at the target: 0 when it may be written, *straight when it is a device or a FIFO. */
static int check_target(const char *path, bool force, bool *straight)
{
	struct stat st;

	*straight = false;
	if (lstat(path, &st) != 0)
		return errno == ENOENT && path[0] != '\0' ? 0 : errno;
	if (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode)) {
		*straight = true;
		return 0;
	}
	if (!S_ISREG(st.st_mode))
		return EISDIR;
	return force ? 0 : EEXIST;
}

static int open_straight(struct ks_out *o, const char *path)
{
	struct stat st;

	o->fd = o->io->sys_open(path, O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, 0);
	if (o->fd < 0)
		return errno;
	o->owns_fd = true;
	if (fstat(o->fd, &st) == 0 && !S_ISCHR(st.st_mode) && !S_ISFIFO(st.st_mode))
		return EISDIR; /* it was swapped for something else since the check */
	return 0;
}

static int open_tmp(struct ks_out *o, const char *path)
{
	const char *slash = strrchr(path, '/');
	const ks_str dir = { path, slash ? (size_t)(slash - path) + 1 : 0 };

	o->fd = ks_io_open_new(o->io, dir, O_WRONLY, 0666, &o->tmp);
	if (o->fd < 0 && errno == ENOENT && slash) {
		const int err_no = ks_folder_make_parents(path, 0777);

		if (err_no != 0)
			return err_no;
		o->fd = ks_io_open_new(o->io, dir, O_WRONLY, 0666, &o->tmp);
	}
	o->owns_fd = o->fd >= 0;
	return o->fd < 0 ? errno : 0;
}

static int open_target(struct ks_out *o, const char *path)
{
	bool straight;
	const int fd = named_fd(path);

	if (fd >= 0) {
		o->fd = fd;
		return fcntl(fd, F_GETFL) < 0 ? errno : 0;
	}
	const int err_no = check_target(path, o->force, &straight);

	if (err_no != 0)
		return err_no;
	return straight ? open_straight(o, path) : open_tmp(o, path);
}

enum ks_status ks_out_open_file(struct ks_out *o, const struct ks_io *io, const char *path,
				int flags, struct ks_err *err)
{
	out_init(o, io, -1);
	o->force = (flags & KS_OUT_FORCE) != 0;
	o->path = strdup(path);
	o->buffer = malloc(KS_OUT_BUFFER);
	o->err_no = o->path && o->buffer ? open_target(o, path) : ENOMEM;
	if (o->err_no == 0)
		return KS_OK;

	const int err_no = o->err_no;

	ks_out_abandon(o);
	o->err_no = err_no;
	return fail_output(err, path, err_no);
}

/* --- writing -------------------------------------------------------------------------------------
 */

/* Somebody made the descriptor non-blocking and its reader is slow. */
static void wait_writable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	(void)poll(&p, 1, -1);
}

static void write_all(struct ks_out *o, const char *p, size_t n)
{
	while (n > 0 && o->err_no == 0 && !o->broken_pipe) {
		const ssize_t wrote = o->io->sys_write(o->fd, p, n);

		if (wrote > 0) {
			p += wrote;
			n -= (size_t)wrote;
		} else if (wrote == 0) {
			o->err_no = EIO; /* would never end otherwise */
		} else if (errno == EPIPE) {
			o->broken_pipe = true;
		} else if (errno == EAGAIN) {
			wait_writable(o->fd);
		} else if (errno != EINTR) {
			o->err_no = errno;
		}
	}
}

void ks_out_flush(struct ks_out *o)
{
	if (o->fd >= 0 && o->pending > 0)
		write_all(o, o->buffer, o->pending);
	o->pending = 0;
}

void ks_out_write(struct ks_out *o, const void *p, size_t n)
{
	if (o->err_no != 0 || n == 0)
		return;
	o->total += n;
	if (o->mem) {
		ks_buf_add(o->mem, p, n);
		if (ks_buf_failed(o->mem))
			o->err_no = ENOMEM;
		return;
	}
	if (o->fd < 0 || o->broken_pipe)
		return;
	if (n > KS_OUT_BUFFER - o->pending)
		ks_out_flush(o);
	if (n >= KS_OUT_BUFFER) {
		write_all(o, p, n);
		return;
	}
	memcpy(o->buffer + o->pending, p, n);
	o->pending += n;
}

void ks_out_str(struct ks_out *o, ks_str s)
{
	ks_out_write(o, s.p, s.n);
}

void ks_out_cstr(struct ks_out *o, const char *s)
{
	ks_out_write(o, s, strlen(s));
}

void ks_out_ch(struct ks_out *o, char c)
{
	ks_out_write(o, &c, 1);
}

void ks_out_fmt(struct ks_out *o, const char *fmt, ...)
{
	char small[256];
	va_list ap;

	va_start(ap, fmt);
	const int n = vsnprintf(small, sizeof(small), fmt, ap);

	va_end(ap);
	if (n >= 0 && (size_t)n < sizeof(small)) {
		ks_out_write(o, small, (size_t)n);
		return;
	}
	struct ks_buf b;

	ks_buf_init(&b, SIZE_MAX);
	va_start(ap, fmt);
	ks_buf_vfmt(&b, fmt, ap);
	va_end(ap);
	ks_out_str(o, ks_buf_view(&b));
	if (ks_buf_failed(&b) && o->err_no == 0)
		o->err_no = ENOMEM;
	ks_buf_release(&b);
}

bool ks_out_failed(const struct ks_out *o)
{
	return o->err_no != 0;
}

/* --- closing -------------------------------------------------------------------------------------
 */

static void drop_handle(struct ks_out *o)
{
	free(o->buffer);
	free(o->path);
	free(o->tmp);
	o->buffer = o->path = o->tmp = NULL;
	o->mem = NULL;
	o->pending = 0;
	o->fd = -1;
	o->owns_fd = false;
}

void ks_out_abandon(struct ks_out *o)
{
	if (o->fd >= 0 && o->owns_fd)
		(void)o->io->sys_close(o->fd);
	if (o->tmp)
		(void)o->io->sys_unlink(o->tmp);
	drop_handle(o);
}

/* The new name must survive a power cut; where a folder cannot be synced, the file is there anyway.
 */
static void sync_folder(const struct ks_io *io, const char *path)
{
	char *folder = folder_of(path);
	const int fd = folder ? io->sys_open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) : -1;

	if (fd >= 0) {
		(void)io->sys_fsync(fd);
		(void)io->sys_close(fd);
	}
	free(folder);
}

static int sync_file(const struct ks_out *o)
{
	if (o->io->sys_fsync(o->fd) == 0 || errno == EINVAL || errno == EOPNOTSUPP)
		return 0; /* the last two: a file system that knows no syncing */
	return errno;
}

/* fsync, close, rename; 0 or the errno. The temporary file is gone afterwards. */
static int finish_tmp(struct ks_out *o)
{
	bool straight;
	int err_no = o->err_no != 0 ? o->err_no : sync_file(o);

	if (o->io->sys_close(o->fd) != 0 && err_no == 0 && errno != EINTR)
		err_no = errno; /* some network file systems report a full disk only here */
	o->fd = -1;
	if (err_no == 0)
		err_no = check_target(o->path, o->force, &straight);
	if (err_no == 0 && straight)
		err_no = EISDIR;
	if (err_no == 0) {
		const int rc = o->force ? o->io->sys_rename(o->tmp, o->path)
					: o->io->sys_rename_new(o->tmp, o->path);

		err_no = rc != 0 ? errno : 0;
	}
	if (err_no != 0)
		(void)o->io->sys_unlink(o->tmp);
	else
		sync_folder(o->io, o->path);
	return err_no;
}

static const char *out_name(const struct ks_out *o, char label[KS_NUM_LEN + 3])
{
	if (o->path)
		return o->path;
	if (o->fd == STDOUT_FILENO)
		return "stdout";
	if (o->fd == STDERR_FILENO)
		return "stderr";
	memcpy(label, "fd ", 3);
	(void)ks_num_i64(label + 3, o->fd);
	return o->fd < 0 ? "memory" : label;
}

enum ks_status ks_out_commit(struct ks_out *o, struct ks_err *err)
{
	enum ks_status status = KS_OK;
	char label[KS_NUM_LEN + 3];
	const char *name = out_name(o, label);

	ks_out_flush(o);
	if (o->tmp)
		o->err_no = finish_tmp(o);
	else if (o->fd >= 0 && o->owns_fd && o->io->sys_close(o->fd) != 0 && o->err_no == 0 &&
		 errno != EINTR)
		o->err_no = errno;
	if (o->err_no != 0)
		status = fail_output(err, name, o->err_no);
	drop_handle(o);
	return status;
}
