/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything the program writes goes through a ks_out. A file is written under a temporary name in
 * the same folder, fsynced and renamed at commit: it appears whole or not at all, never through a
 * symbolic link, never over an existing file unless forced. Errors are sticky; commit reports them.
 */
#ifndef KS_BASE_IO_H
#define KS_BASE_IO_H

#include <sys/types.h>

#include "base/base.h"
#include "base/buf.h"
#include "base/err.h"

/* The system calls outputs and spills are made of; tests replace them to fail on purpose. */
struct ks_io {
	int (*sys_open)(const char *path, int flags, mode_t mode);
	ssize_t (*sys_write)(int fd, const void *p, size_t n);
	ssize_t (*sys_pread)(int fd, void *p, size_t n, off_t at);
	ssize_t (*sys_pwrite)(int fd, const void *p, size_t n, off_t at);
	int (*sys_fsync)(int fd);
	int (*sys_close)(int fd);
	int (*sys_rename)(const char *from, const char *to);
	int (*sys_rename_new)(const char *from, const char *to); /* EEXIST instead of replacing */
	int (*sys_unlink)(const char *path);
};
extern const struct ks_io ks_io_system;

struct ks_out {
	const struct ks_io *io;
	int fd;		    /* -1: memory or counting only */
	struct ks_buf *mem; /* memory sink */
	char *path, *tmp;   /* file sink: final and temporary name; tmp NULL: written straight */
	char *buffer;	    /* pending bytes, at most KS_OUT_BUFFER */
	size_t pending;
	uint64_t total; /* bytes accepted so far */
	int err_no;	/* first errno, 0 = fine */
	bool owns_fd, force;
	bool broken_pipe; /* the reader went away: the rest is dropped, and that is no error */
};

#define KS_OUT_BUFFER 65536
enum { KS_OUT_FORCE = 1 }; /* may replace an existing regular file */

/* Opens the temporary file; folders that are missing are made first. Fails (KS_E_OUTPUT, texts
 * ERR_OUT_*) when the folder cannot be made or is not writable, the target exists without
 * KS_OUT_FORCE, or is a symbolic link, a folder, a socket or a block device. A character device or
 * FIFO, and /dev/stdout, /dev/stderr and /dev/fd/N, are written straight. After a failure the
 * handle drops everything and commit repeats the failure. */
enum ks_status ks_out_open_file(struct ks_out *o, const struct ks_io *io, const char *path,
				int flags, struct ks_err *err);
/* An fd that stays the caller's (stdout). A closed pipe is remembered as broken_pipe, not an error.
 */
void ks_out_open_fd(struct ks_out *o, const struct ks_io *io, int fd);
void ks_out_open_mem(struct ks_out *o, struct ks_buf *b); /* b stays the caller's */
void ks_out_open_null(struct ks_out *o);		  /* counts only: ks_out.total */

void ks_out_write(struct ks_out *o, const void *p, size_t n);
void ks_out_str(struct ks_out *o, ks_str s);
void ks_out_cstr(struct ks_out *o, const char *s);
void ks_out_ch(struct ks_out *o, char c);
void ks_out_fmt(struct ks_out *o, const char *fmt, ...) KS_PRINTF(2, 3);
bool ks_out_failed(const struct ks_out *o);
void ks_out_flush(struct ks_out *o); /* hands the pending bytes to the system; no fsync */

/* Flushes; a file is fsynced and renamed. The handle is closed whatever happens. On failure the old
 * file is intact and the temporary one gone. The folder is fsynced as far as the file system lets
 * us: a failure there is none of the output, which is in place already. */
enum ks_status ks_out_commit(struct ks_out *o, struct ks_err *err);
void ks_out_abandon(struct ks_out *o); /* closes and removes the temporary file */

/* $TMPDIR, else /tmp: where temporary files go. */
const char *ks_io_tempdir(void);
/* An anonymous temporary file (O_TMPFILE, else unlinked at once) in $TMPDIR or /tmp for spills.
 * fd through *fd; the caller closes it with io->sys_close. */
enum ks_status ks_io_tempfile(const struct ks_io *io, int *fd, struct ks_err *err);
/* A new file DIR/.kernoscope-PID-N.tmp, opened with these flags besides O_CREAT | O_EXCL; `dir` is
 * empty or ends in a slash. *name, the caller's to free, and its descriptor; or -1 with errno set
 * and *name NULL (EAGAIN: every number is taken). */
int ks_io_open_new(const struct ks_io *io, ks_str dir, int flags, mode_t mode, char **name);
bool ks_io_is_denied(int err_no); /* it is about rights */
/* Whole ranges, whatever the system does with short counts and EINTR. 0, or the errno; a range that
 * ends behind the file is EIO. */
int ks_io_pread_all(const struct ks_io *io, int fd, void *p, size_t n, off_t at);
int ks_io_pwrite_all(const struct ks_io *io, int fd, const void *p, size_t n, off_t at);
/* Whole file into b, up to b->max (over it: KS_E_INPUT, ERR_IN_TOO_BIG). "-" reads stdin. */
enum ks_status ks_io_read_file(const char *path, struct ks_buf *b, struct ks_err *err);
/* Not more than b->max bytes of it; *more: there are some behind them. 0, or the errno (ENOMEM: of
 * b too). */
int ks_io_read_head(const char *path, struct ks_buf *b, bool *more);
/* Whole again, for a file that must be a regular one: never waits at a FIFO or a terminal, which
 * are KS_E_INPUT with ERR_IN_SPECIAL, as is a symbolic link unless `links`. "-" is a name like
 * others.
 */
enum ks_status ks_io_read_regular(const char *path, bool links, struct ks_buf *b,
				  struct ks_err *err);

#endif
