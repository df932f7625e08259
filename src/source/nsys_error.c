/* SPDX-License-Identifier: Apache-2.0
 *
 * What SQLite says about a trace, as one line that names the file, the place and the remedy. A
 * damaged page is never "no rows".
 */
#include <fcntl.h>

#include "base/num.h"
#include "source/nsys.h"

enum ks_status ks_nsys_no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "trace", (char *)NULL);
}

/* Bytes that SQLite locks in a database file: sqlite.org/fileformat.html §1.3.9 names the page,
 * os_unix.c the offsets: PENDING 0x40000000, RESERVED +1, SHARED +2 for 510 bytes. */
enum { LOCK_FIRST = 0x40000000, LOCK_BYTES = 512 };

/* The process that keeps us out, 0 if it cannot be told. Called after the database was closed,
 * since closing this handle drops all locks of our process on the file. */
static int64_t locker_of(const char *path)
{
	struct flock what = {
		.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = LOCK_FIRST, .l_len = LOCK_BYTES
	};
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	int64_t pid = 0;

	if (fd < 0)
		return 0;
	if (fcntl(fd, F_GETLK, &what) == 0 && what.l_type != F_UNLCK && what.l_pid > 0)
		pid = what.l_pid;
	close(fd);
	return pid;
}

static enum ks_status locked(struct ks_nsys *n, struct ks_err *err)
{
	char pid[KS_NUM_LEN];

	sqlite3_close_v2(n->db);
	n->db = NULL;

	const int64_t who = locker_of(n->file);

	if (!who)
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_LOCKED_UNKNOWN, n->path,
				  (char *)NULL);
	ks_num_i64(pid, who);
	return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_LOCKED, n->path, pid, (char *)NULL);
}

enum { MESSAGE_BYTES = 2 * KS_ERR_ARG_LEN }; /* more than is kept, so that a cut shows */

/* SQLite quotes the damaged text of a schema, line ends included: an error is one line. */
static const char *one_line(struct ks_nsys *n, char out[MESSAGE_BYTES])
{
	const char *what = sqlite3_errmsg(n->db);
	size_t i = 0;

	for (; what[i] && i + 1 < MESSAGE_BYTES; i++)
		out[i] = what[i];
	out[i] = '\0';
	for (; i-- > 0;)
		if ((unsigned char)out[i] < ' ')
			out[i] = ' ';
	return out;
}

static enum ks_status damaged(struct ks_nsys *n, const char *table, int64_t row, struct ks_err *err)
{
	char number[KS_NUM_LEN];
	char text[MESSAGE_BYTES];
	const char *what = one_line(n, text);

	if (!table)
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_DAMAGED, n->path, what,
				  (char *)NULL);
	if (row < 0)
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_DAMAGED_TABLE, n->path, table,
				  what, (char *)NULL);
	ks_num_i64(number, row + 1);
	return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_DAMAGED_ROW, n->path, table, number,
			  what, (char *)NULL);
}

enum ks_status ks_nsys_failed(struct ks_nsys *n, int rc, const char *table, int64_t row,
			      struct ks_err *err)
{
	char quoted[KS_ERR_ARG_LEN];
	char text[MESSAGE_BYTES];

	switch (rc & 0xff) {
	case SQLITE_NOMEM:
		ks_nsys_no_memory(err);
		break;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		locked(n, err);
		break;
	case SQLITE_CORRUPT:
	case SQLITE_FORMAT:
	case SQLITE_TOOBIG:
		damaged(n, table, row, err);
		break;
	case SQLITE_INTERRUPT: /* by on_tick of nsys_open.c */
		ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_TOO_MANY_ROWS, n->path,
			   table ? table : "sqlite_master", (char *)NULL);
		break;
	case SQLITE_NOTADB:
		ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_NOT_SQLITE, n->path, (char *)NULL);
		break;
	case SQLITE_READONLY: /* only a hot journal makes a reader want to write */
		ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_HOT_JOURNAL, n->path,
			   ks_input_quoted(quoted, sizeof(quoted), n->path), (char *)NULL);
		break;
	case SQLITE_IOERR:
		if (rc == SQLITE_IOERR_SHORT_READ || rc == SQLITE_IOERR_CORRUPTFS)
			damaged(n, table, row, err);
		else
			ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_READ, n->path,
				   one_line(n, text), (char *)NULL);
		break;
	case SQLITE_CANTOPEN:
		ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_READ, n->path, one_line(n, text),
			   (char *)NULL);
		break;
	default: /* a schema that SQLite itself rejects, or a query it will not run on it */
		if (table)
			ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_QUERY, n->path, table,
				   one_line(n, text), (char *)NULL);
		else
			damaged(n, NULL, -1, err);
		break;
	}
	ks_err_at(err, n->path, row);
	return err ? err->status : KS_E_INPUT;
}
