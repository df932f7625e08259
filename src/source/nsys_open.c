/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens a trace read-only and makes no file beside it. What a writer left in a -wal is read as
 * well; what cannot be read honestly is an error with the remedy, never an empty or stale answer.
 *
 * Tried on SQLite 3.40.1: an ordinary read-only open of a database in WAL mode creates -shm and
 * -wal files; with `vfs=unix-none` and exclusive locking mode the index of the log is kept in
 * memory and nothing is created; with `immutable=1` a -wal is ignored, so that is used only when
 * there is none.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>

#include "base/num.h"
#include "source/nsys.h"

enum how {
	HOW_LOCKED,    /* the database's own locks keep writers off */
	HOW_IMMUTABLE, /* WAL mode without a log: nothing to lock with */
	HOW_LOG,       /* a log that no process has open: its index is built in our memory */
};

/* Offsets in the database header: sqlite.org/fileformat.html §1.3. */
enum {
	HEAD_BYTES = 100,
	HEAD_PAGE_SIZE = 16,
	HEAD_READ_VERSION = 19,
	HEAD_CHANGES = 24,
	HEAD_PAGES = 28,
	HEAD_PAGES_VALID_FOR = 92,
	HEAD_MIN_PAGE = 512,
};

enum { CACHE_KIB = 1024 };
enum { CELL_BYTES = 1 << 28 }; /* longest text that is read; names of 1 MB are met */
/* Rows of a table b-tree take at least 2 bytes of pointer, a length and a row id each. */
enum { MIN_ROW_BYTES = 4 };

static uint32_t be32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static enum ks_status truncated(const struct ks_nsys *n, int64_t want, struct ks_err *err)
{
	char said[KS_NUM_LEN];
	char has[KS_NUM_LEN];

	ks_num_i64(said, want);
	ks_num_i64(has, n->db_stat.st_size);
	ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_TRUNCATED, n->path, said, has, (char *)NULL);
	return ks_err_at(err, n->path, n->db_stat.st_size);
}

/* The first bytes of the file say how to open it and, unless a log may still grow it, whether it is
 * whole. */
static enum ks_status read_header(struct ks_nsys *n, unsigned char head[HEAD_BYTES],
				  struct ks_err *err)
{
	const int fd = open(n->real_path, O_RDONLY | O_CLOEXEC);
	ssize_t got = -1;

	if (fd >= 0) {
		got = pread(fd, head, HEAD_BYTES, 0);
		close(fd);
	}
	if (got < 0)
		return ks_input_explain(KS_INPUT_UNREADABLE, n->path, err);
	if (got < HEAD_BYTES)
		return truncated(n, HEAD_MIN_PAGE, err);

	int64_t page = head[HEAD_PAGE_SIZE] << 8 | head[HEAD_PAGE_SIZE + 1];

	if (page == 1)
		page = 65536;

	const int64_t want = page * be32(head + HEAD_PAGES);

	if (memcmp(head + HEAD_CHANGES, head + HEAD_PAGES_VALID_FOR, 4) == 0 &&
	    n->wal_stat.st_size == 0 && want > n->db_stat.st_size)
		return truncated(n, want, err);
	return KS_OK;
}

static bool side_file(const struct ks_nsys *n, const char *ending, struct stat *st)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s%s", n->real_path, ending) >= (int)sizeof(path))
		return false;
	return stat(path, st) == 0 && S_ISREG(st->st_mode);
}

/* Whether a process has the database open in WAL mode: such a process keeps a lock in the -shm file
 * as long as it lives. */
static bool log_is_in_use(const struct ks_nsys *n)
{
	struct flock any = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char path[PATH_MAX];
	bool used = false;

	if (snprintf(path, sizeof(path), "%s-shm", n->real_path) >= (int)sizeof(path))
		return false;

	const int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	if (fcntl(fd, F_GETLK, &any) == 0)
		used = any.l_type != F_UNLCK;
	close(fd);
	return used;
}

/* An empty log file is as good as none, but SQLite would make a -shm file for it. */
static enum how choose(const struct ks_nsys *n, bool has_log_file, const unsigned char *head)
{
	const bool wal_mode = head[HEAD_READ_VERSION] == 2;

	if ((!has_log_file && !wal_mode) || log_is_in_use(n))
		return HOW_LOCKED;
	return n->wal_stat.st_size > 0 ? HOW_LOG : HOW_IMMUTABLE;
}

/* Without locks SQLite does not look at a journal, so we do: one that was not finished starts with
 * a byte other than 0. */
static bool journal_is_hot(const struct ks_nsys *n)
{
	struct stat st;
	char path[PATH_MAX];
	char first = 0;

	if (!side_file(n, "-journal", &st) || st.st_size == 0 ||
	    snprintf(path, sizeof(path), "%s-journal", n->real_path) >= (int)sizeof(path))
		return false;

	const int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return true;

	const bool hot = pread(fd, &first, 1, 0) != 1 || first != 0;

	close(fd);
	return hot;
}

/* "file:" and the path with everything but plain characters as %XX: a path may hold ? # and %. */
static const char *make_uri(struct ks_nsys *n, enum how how)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";
	static const char hex[] = "0123456789ABCDEF";
	const char *query = how == HOW_IMMUTABLE ? "?mode=ro&immutable=1" : "?mode=ro";
	const size_t length = strlen(n->real_path);
	char *uri = ks_arena_alloc(&n->arena, length * 3 + 40);

	if (!uri)
		return NULL;

	size_t at = 5;

	memcpy(uri, "file:", 5);
	for (size_t i = 0; i < length; i++) {
		const unsigned char c = (unsigned char)n->real_path[i];

		if (strchr(plain, c)) {
			uri[at++] = (char)c;
			continue;
		}
		uri[at++] = '%';
		uri[at++] = hex[c >> 4];
		uri[at++] = hex[c & 15];
	}
	memcpy(uri + at, query, strlen(query) + 1);
	return uri;
}

/* Only reads of ordinary columns by our own statements; nothing from inside a view or trigger. */
static int authorize(void *arg, int action, const char *a, const char *b, const char *db,
		     const char *inside)
{
	(void)arg;
	(void)db;
	if (inside)
		return SQLITE_DENY;
	if (action == SQLITE_SELECT || action == SQLITE_READ)
		return SQLITE_OK;
	if (action == SQLITE_PRAGMA && sqlite3_stricmp(a, "table_xinfo") == 0)
		return SQLITE_OK;
	if (action == SQLITE_FUNCTION &&
	    (sqlite3_stricmp(b, "count") == 0 || sqlite3_stricmp(b, "max") == 0))
		return SQLITE_OK;
	return SQLITE_DENY;
}

/* A damaged or hostile file can fold a b-tree onto itself, so that a small file has more rows than
 * the world has seconds. No statement of ours takes more than OPS_PER_ROW steps of SQLite's machine
 * for a row, and no file more rows than fit into it. */
enum { OPS_PER_TICK = 1 << 16, OPS_PER_ROW = 64, TICKS_FREE = 16 };

static int on_tick(void *arg)
{
	struct ks_nsys *n = arg;

	return ++n->ticks > n->row_ceiling / (OPS_PER_TICK / OPS_PER_ROW) + TICKS_FREE;
}

static void set_limits(sqlite3 *db)
{
	sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_limit(db, SQLITE_LIMIT_WORKER_THREADS, 0);
	sqlite3_limit(db, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, CELL_BYTES);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, (int *)NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)NULL);
	sqlite3_busy_timeout(db, (int)ks_limit(KS_LIMIT_SQLITE_BUSY_MS));
}

/* One read transaction over everything, so that all tables are of one state. */
static int begin(sqlite3 *db, enum how how)
{
	char sql[256];

	snprintf(sql, sizeof(sql),
		 "%s pragma query_only=on; pragma cell_size_check=on; pragma mmap_size=0; "
		 "pragma cache_size=-%d; pragma temp_store=memory; begin; select max(rootpage) "
		 "from sqlite_master",
		 how == HOW_LOG ? "pragma locking_mode=exclusive;" : "", CACHE_KIB);
	return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

static enum ks_status open_failed(struct ks_nsys *n, int rc, struct ks_err *err)
{
	char quoted[KS_ERR_ARG_LEN];

	if (n->wal_stat.st_size > 0 &&
	    ((rc & 0xff) == SQLITE_CANTOPEN || (rc & 0xff) == SQLITE_IOERR ||
	     (rc & 0xff) == SQLITE_PROTOCOL)) {
		ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_WAL, n->path, sqlite3_errmsg(n->db),
			   ks_input_quoted(quoted, sizeof(quoted), n->path), (char *)NULL);
		return ks_err_at(err, n->path, -1);
	}
	return ks_nsys_failed(n, rc, NULL, -1, err);
}

static int open_as(struct ks_nsys *n, enum how how)
{
	const char *uri = make_uri(n, how);

	if (!uri)
		return SQLITE_NOMEM;

	int rc = sqlite3_open_v2(uri, &n->db,
				 SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
				 how == HOW_LOG ? "unix-none" : NULL);

	if (rc != SQLITE_OK)
		return rc;
	sqlite3_extended_result_codes(n->db, 1);
	set_limits(n->db);
	rc = begin(n->db, how);
	if (rc == SQLITE_OK)
		sqlite3_set_authorizer(n->db, authorize, NULL);
	sqlite3_progress_handler(n->db, OPS_PER_TICK, on_tick, n);
	return rc;
}

/* Some cluster file systems know no locks; a lone reader then does without. */
static bool locks_work(const char *path)
{
	struct flock any = { .l_type = F_RDLCK, .l_whence = SEEK_SET, .l_len = 1 };
	const int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return true;

	const bool works = fcntl(fd, F_GETLK, &any) == 0;

	close(fd);
	return works;
}

static enum ks_status open_db(struct ks_nsys *n, enum how how, struct ks_err *err)
{
	if (how != HOW_LOCKED && journal_is_hot(n))
		return ks_nsys_failed(n, SQLITE_READONLY, NULL, -1, err);

	int rc = open_as(n, how);

	if (how == HOW_LOCKED &&
	    ((rc & 0xff) == SQLITE_BUSY || rc == SQLITE_IOERR_LOCK || rc == SQLITE_IOERR_RDLOCK)) {
		if (!locks_work(n->real_path) && !journal_is_hot(n)) {
			sqlite3_close_v2(n->db);
			how = n->wal_stat.st_size > 0 ? HOW_LOG : HOW_IMMUTABLE;
			rc = open_as(n, how);
		}
	}
	n->watched = how != HOW_LOCKED;
	return rc == SQLITE_OK ? KS_OK : open_failed(n, rc, err);
}

enum ks_status ks_nsys_open(struct ks_nsys *n, struct ks_err *err)
{
	const enum ks_input_kind kind = ks_input_sniff(n->file);

	if (kind != KS_INPUT_SQLITE)
		return ks_input_explain(kind, n->path, err);

	char real[PATH_MAX];

	if (!realpath(n->file, real) || stat(real, &n->db_stat) != 0) {
		char name[32];

		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_READ, n->path,
				  ks_err_errno(name, errno), (char *)NULL);
	}
	n->real_path = (char *)ks_arena_alloc(&n->arena, strlen(real) + 1);
	if (!n->real_path)
		return ks_nsys_no_memory(err);
	memcpy(n->real_path, real, strlen(real) + 1);

	unsigned char head[HEAD_BYTES];
	const bool has_log_file = side_file(n, "-wal", &n->wal_stat);

	KS_TRY(read_header(n, head, err));

	const enum how how = choose(n, has_log_file, head);

	n->wal_mode = head[HEAD_READ_VERSION] == 2;
	n->row_ceiling = (n->db_stat.st_size + n->wal_stat.st_size) / MIN_ROW_BYTES;
	return open_db(n, how, err);
}

static bool same_state(const struct stat *a, const struct stat *b)
{
	return a->st_size == b->st_size && a->st_ino == b->st_ino &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

enum ks_status ks_nsys_unchanged(const struct ks_nsys *n, struct ks_err *err)
{
	struct stat now;
	struct stat log = { 0 };

	if (!n->watched)
		return KS_OK;

	const bool same_db = stat(n->real_path, &now) == 0 && same_state(&now, &n->db_stat);
	const bool has_log = side_file(n, "-wal", &log);

	if (same_db && (has_log ? log.st_size : 0) == n->wal_stat.st_size &&
	    (log.st_size == 0 || same_state(&log, &n->wal_stat)))
		return KS_OK;
	ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_CHANGED, n->path, (char *)NULL);
	return ks_err_at(err, n->path, -1);
}

void ks_nsys_close(struct ks_nsys *n)
{
	sqlite3_finalize(n->string_by_id);
	sqlite3_close_v2(n->db);
	n->db = NULL;
	ks_nsys_payloads_release(n);
	ks_intern_release(&n->text);
	ks_arena_release(&n->arena);
}
