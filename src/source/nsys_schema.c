/* SPDX-License-Identifier: Apache-2.0
 *
 * Which tables a trace has, which of them are ordinary ones, and how many rows each holds. A view
 * or a virtual table is named and never read: it can make up rows.
 */
#include "base/str.h"
#include "source/nsys.h"

/* Any of these marks an export of Nsight Systems; the oldest have no table of metadata (contract
 * 09). */
static const char *const marks[] = {
	"CUPTI_ACTIVITY_KIND_KERNEL",
	"CUPTI_ACTIVITY_KIND_RUNTIME",
	"TARGET_INFO_GPU",
	"META_DATA_EXPORT",
	"EXPORT_META_DATA",
	"TARGET_INFO_SYSTEM_ENV",
	"ANALYSIS_DETAILS",
	"NVTX_EVENTS",
	"ProcessStreams",
};

/* The enumerations of the format (ENUM_*) and SQLite's own tables describe the file; they hold
 * nothing of the run. */
static bool is_dictionary(const char *name)
{
	return sqlite3_strnicmp(name, "ENUM_", 5) == 0 || sqlite3_strnicmp(name, "sqlite_", 7) == 0;
}

static enum ks_status add_table(struct ks_nsys *n, size_t *cap, sqlite3_stmt *stmt,
				struct ks_err *err)
{
	const char *name = (const char *)sqlite3_column_text(stmt, 0);
	const char *type = (const char *)sqlite3_column_text(stmt, 1);

	if (!name || !type) /* never NULL in a table of SQLite's own */
		return ks_nsys_no_memory(err);
	if (is_dictionary(name))
		return KS_OK;
	if (n->n_tables >= (size_t)ks_limit(KS_LIMIT_HOLDINGS)) {
		char max[32];

		snprintf(max, sizeof(max), "%lld", (long long)ks_limit(KS_LIMIT_HOLDINGS));
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_TOO_MANY_TABLES, n->path, max,
				  (char *)NULL);
	}
	if (n->n_tables == *cap) {
		const size_t want = *cap ? *cap * 2 : 128;
		struct ks_nsys_table *bigger = KS_ARENA_NEWS(&n->arena, struct ks_nsys_table, want);

		if (!bigger)
			return ks_nsys_no_memory(err);
		if (n->n_tables)
			memcpy(bigger, n->table, n->n_tables * sizeof(*bigger));
		n->table = bigger;
		*cap = want;
	}

	const ks_str own = ks_arena_dup(&n->arena, ks_str_c(name));

	if (ks_arena_failed(&n->arena))
		return ks_nsys_no_memory(err);
	/* a virtual table has no page of its own in the file */
	n->table[n->n_tables++] = (struct ks_nsys_table){
		.name = own.p,
		.readable = strcmp(type, "table") == 0 && sqlite3_column_int64(stmt, 2) > 0,
		.rows = -1,
	};
	return KS_OK;
}

static enum ks_status list_tables(struct ks_nsys *n, struct ks_err *err)
{
	sqlite3_stmt *stmt = NULL;
	size_t cap = 0;
	enum ks_status st = KS_OK;
	int rc = sqlite3_prepare_v2(
		n->db,
		"select name, type, rootpage from sqlite_master where type in ('table', 'view')",
		-1, &stmt, NULL);

	while (rc == SQLITE_OK && st == KS_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		st = add_table(n, &cap, stmt, err);
		rc = SQLITE_OK;
	}
	sqlite3_finalize(stmt);
	if (st != KS_OK)
		return st;
	return rc == SQLITE_DONE ? KS_OK : ks_nsys_failed(n, rc, "sqlite_master", -1, err);
}

struct ks_nsys_table *ks_nsys_table(const struct ks_nsys *n, const char *name)
{
	for (size_t i = 0; i < n->n_tables; i++)
		if (n->table[i].readable && sqlite3_stricmp(n->table[i].name, name) == 0)
			return &n->table[i];
	return NULL;
}

bool ks_nsys_unreadable(const struct ks_nsys *n, const char *name)
{
	for (size_t i = 0; i < n->n_tables; i++)
		if (!n->table[i].readable && sqlite3_stricmp(n->table[i].name, name) == 0)
			return true;
	return false;
}

static enum ks_status not_an_export(const struct ks_nsys *n, struct ks_err *err)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(marks); i++)
		if (ks_nsys_unreadable(n, marks[i]))
			return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_VIEW, n->path, marks[i],
					  (char *)NULL);
	if (ks_nsys_table(n, "StringTable"))
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_NVPROF, n->path, (char *)NULL);
	return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_NOT_NSYS, n->path, n->table[0].name,
			  (char *)NULL);
}

enum ks_status ks_nsys_schema(struct ks_nsys *n, struct ks_err *err)
{
	KS_TRY(list_tables(n, err));
	if (!n->n_tables) {
		const bool log_lost = n->wal_mode && n->wal_stat.st_size == 0;
		char quoted[KS_ERR_ARG_LEN];

		ks_err_set(err, KS_E_INPUT,
			   log_lost ? KS_TEXT_ERR_SRC_WAL_MISSING : KS_TEXT_ERR_SRC_NO_TABLES,
			   n->path, ks_input_quoted(quoted, sizeof(quoted), n->path), (char *)NULL);
		return ks_err_at(err, n->path, -1);
	}
	if (ks_nsys_table(n, "StringIds"))
		return KS_OK;
	/* nvprof's files share table names with nsys', but keep their texts in StringTable */
	for (size_t i = 0; i < KS_ARRAY_LEN(marks) && !ks_nsys_table(n, "StringTable"); i++)
		if (ks_nsys_table(n, marks[i]))
			return KS_OK;
	not_an_export(n, err);
	return ks_err_at(err, n->path, -1);
}

/* count(1) and not count(*), which SQLite does in one step that nothing can interrupt
 * (nsys_open.c). */
enum ks_status ks_nsys_count(struct ks_nsys *n, struct ks_nsys_table *t, struct ks_err *err)
{
	if (!t || !t->readable || t->rows >= 0)
		return KS_OK;

	sqlite3_stmt *stmt = NULL;
	char *sql = sqlite3_mprintf("select count(1) from \"%w\"", t->name);

	if (!sql)
		return ks_nsys_no_memory(err);
	n->ticks = 0;

	int rc = sqlite3_prepare_v2(n->db, sql, -1, &stmt, NULL);

	sqlite3_free(sql);
	if (rc == SQLITE_OK)
		rc = sqlite3_step(stmt);
	if (rc == SQLITE_ROW)
		t->rows = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return rc == SQLITE_ROW ? KS_OK : ks_nsys_failed(n, rc, t->name, -1, err);
}

static int by_name(const void *a, const void *b)
{
	const struct ks_nsys_table *x = a;
	const struct ks_nsys_table *y = b;

	return strcmp(x->name, y->name);
}

enum ks_status ks_nsys_holdings(struct ks_nsys *n, struct ks_err *err)
{
	qsort(n->table, n->n_tables, sizeof(*n->table), by_name);
	for (size_t i = 0; i < n->n_tables; i++) {
		struct ks_nsys_table *t = &n->table[i];

		KS_TRY(ks_nsys_count(n, t, err));

		const struct ks_trace_holding h = { ks_str_c(t->name), t->rows, t->analysed };

		KS_TRY(n->sink->ops->holding(n->sink->self, &h, err));
	}
	return KS_OK;
}
