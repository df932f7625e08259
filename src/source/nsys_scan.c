/* SPDX-License-Identifier: Apache-2.0
 *
 * One pass over one table, in whatever order its rows are. The hot loop of the reader: no
 * allocation and no text per row unless the file itself writes text where others write an id.
 */
#include "source/nsys.h"

enum { PROGRESS_ROWS = 1 << 16 };

/* Whole doubles up to here are exact integers (2^53). */
static const double exact_double = 9007199254740992.0;

static bool is_bytes(enum ks_nsys_kind kind)
{
	return kind == KS_NSYS_TEXT || kind == KS_NSYS_BYTES;
}

void ks_nsys_row_clear(void *row, const struct ks_nsys_column *column, size_t n_columns)
{
	for (size_t i = 0; i < n_columns; i++) {
		char *cell = (char *)row + column[i].offset;

		if (is_bytes(column[i].kind))
			memset(cell, 0, sizeof(ks_str));
		else
			memcpy(cell, &column[i].absent, sizeof(int64_t));
	}
}

static const struct ks_nsys_column *find_column(const struct ks_nsys_column *column, size_t n,
						const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (sqlite3_stricmp(column[i].name, name) == 0)
			return &column[i];
	return NULL;
}

/* The integers that need no second look: all of the column's range, or every usual id. No cell of a
 * text column is one: no value has the type 0. */
static struct ks_nsys_bound bound_of(const struct ks_nsys_column *c)
{
	struct ks_nsys_bound b = { .column = c, .offset = c->offset };

	if (!is_bytes(c->kind))
		b.type = SQLITE_INTEGER;
	if (c->kind == KS_NSYS_INT) {
		b.low = (uint64_t)c->min;
		b.span = (uint64_t)c->max - (uint64_t)c->min;
	} else if (c->kind == KS_NSYS_NAME) {
		b.span = KS_NSYS_MAX_ID - 1;
		b.shift = 1;
	}
	return b;
}

/* Which of the wanted columns the table has: asked of the table itself, whatever its version. A
 * generated column runs an expression of the file's choice, so it is taken for absent; no export
 * has one. */
static int bind_columns(struct ks_nsys_scan *s, const struct ks_nsys_column *column,
			size_t n_columns)
{
	enum { NAME = 1, HIDDEN = 6 }; /* of pragma table_xinfo */
	sqlite3_stmt *info = NULL;
	char *sql = sqlite3_mprintf("pragma table_xinfo(\"%w\")", s->table->name);

	if (!sql)
		return SQLITE_NOMEM;

	int rc = sqlite3_prepare_v2(s->nsys->db, sql, -1, &info, NULL);

	sqlite3_free(sql);
	while (rc == SQLITE_OK && (rc = sqlite3_step(info)) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(info, NAME);
		const struct ks_nsys_column *c = name ? find_column(column, n_columns, name) : NULL;

		rc = name ? SQLITE_OK : SQLITE_NOMEM;
		if (c && s->n_bound < KS_NSYS_COLUMNS && sqlite3_column_int(info, HIDDEN) == 0)
			s->bound[s->n_bound++] = bound_of(c);
	}
	sqlite3_finalize(info);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

enum ks_status ks_nsys_has_column(struct ks_nsys *n, const struct ks_nsys_table *table,
				  const char *name, bool *has, struct ks_err *err)
{
	const struct ks_nsys_column wanted = { .name = name, .kind = KS_NSYS_INT };
	struct ks_nsys_table copy = *table;
	struct ks_nsys_scan s = { .nsys = n, .table = &copy };
	const int rc = bind_columns(&s, &wanted, 1);

	*has = s.n_bound > 0;
	return rc == SQLITE_OK ? KS_OK : ks_nsys_failed(n, rc, table->name, -1, err);
}

/* The row's number, where the sink asks for it and the table has one and no column of that name. A
 * table without one answers SQLITE_ERROR to the question; every other code is a failure. */
static int bind_row_number(struct ks_nsys_scan *s, const struct ks_nsys_column *column,
			   size_t n_columns)
{
	const struct ks_nsys_column *c = find_column(column, n_columns, KS_NSYS_ROW);
	sqlite3_stmt *stmt = NULL;

	if (!c || !(s->nsys->sink->rows & KS_ROWS_NUMBERS) || s->n_bound >= KS_NSYS_COLUMNS)
		return SQLITE_OK;
	for (int i = 0; i < s->n_bound; i++)
		if (s->bound[i].column == c)
			return SQLITE_OK;

	char *sql = sqlite3_mprintf("select [" KS_NSYS_ROW "] from \"%w\" limit 0", s->table->name);
	const int rc = sql ? sqlite3_prepare_v2(s->nsys->db, sql, -1, &stmt, NULL) : SQLITE_NOMEM;

	if (rc == SQLITE_OK)
		s->bound[s->n_bound++] = bound_of(c);
	sqlite3_finalize(stmt);
	sqlite3_free(sql);
	return rc == SQLITE_ERROR ? SQLITE_OK : rc;
}

enum ks_status ks_nsys_scan_open(struct ks_nsys_scan *s, struct ks_nsys *n,
				 struct ks_nsys_table *table, const struct ks_nsys_column *column,
				 size_t n_columns, struct ks_err *err)
{
	*s = (struct ks_nsys_scan){ .nsys = n, .table = table };
	n->ticks = 0;

	int rc = bind_columns(s, column, n_columns);

	if (rc == SQLITE_OK)
		rc = bind_row_number(s, column, n_columns);
	if (rc != SQLITE_OK)
		return ks_nsys_failed(n, rc, table->name, -1, err);

	sqlite3_str *sql = sqlite3_str_new(n->db);

	sqlite3_str_appendall(sql, "select ");
	for (int i = 0; i < s->n_bound; i++)
		sqlite3_str_appendf(sql, "%s\"%w\"", i ? "," : "", s->bound[i].column->name);
	sqlite3_str_appendf(sql, "%s from \"%w\"", s->n_bound ? "" : "1", table->name);

	char *text = sqlite3_str_finish(sql);

	if (!text)
		return ks_nsys_no_memory(err);
	rc = sqlite3_prepare_v2(n->db, text, -1, &s->stmt, NULL);
	sqlite3_free(text);
	return rc == SQLITE_OK ? KS_OK : ks_nsys_failed(n, rc, table->name, -1, err);
}

/* The largest row id is near the number of rows and costs one look; tables without row ids give
 * none. */
void ks_nsys_scan_expect(struct ks_nsys_scan *s, int text)
{
	sqlite3_stmt *stmt = NULL;
	char *sql = NULL;

	s->progress = text;
	if (s->nsys->ctx->progress)
		sql = sqlite3_mprintf("select max(rowid) from \"%w\"", s->table->name);
	if (!sql)
		return;
	if (sqlite3_prepare_v2(s->nsys->db, sql, -1, &stmt, NULL) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW)
		s->expected = sqlite3_column_int64(stmt, 0);
	sqlite3_free(sql);
	sqlite3_finalize(stmt);
}

/* A cell that is no integer. A whole REAL is one all the same; text never is. */
static int64_t odd_int(const struct ks_nsys_column *c, sqlite3_value *v, int type)
{
	if (type == SQLITE_NULL)
		return c->absent;
	if (type != SQLITE_FLOAT)
		return c->invalid;

	const double d = sqlite3_value_double(v);

	if (!(d >= -exact_double && d <= exact_double))
		return c->invalid;

	const int64_t whole = (int64_t)d;

	if ((double)whole < d || (double)whole > d)
		return c->invalid;
	return whole >= c->min && whole <= c->max ? whole : c->invalid;
}

/* Text as SQLite makes it: bytes are asked for after the text, so that what is stored as UTF-16 is
 * converted first and a NUL inside does not cut it. Only out of memory is there a value but no
 * text. */
static ks_str text_of(struct ks_nsys_scan *s, sqlite3_value *v, int type)
{
	const char *p = (const char *)sqlite3_value_text(v);

	if (p)
		return (ks_str){ p, (size_t)sqlite3_value_bytes(v) };
	s->failed |= type != SQLITE_NULL;
	return (ks_str){ "", 0 };
}

/* A BLOB of no bytes has no pointer either. */
static ks_str blob_of(struct ks_nsys_scan *s, sqlite3_value *v)
{
	const char *p = sqlite3_value_blob(v);
	const size_t n = (size_t)sqlite3_value_bytes(v);

	s->failed |= !p && n;
	return p ? (ks_str){ p, n } : (ks_str){ "", 0 };
}

static int64_t name_of(struct ks_nsys_scan *s, sqlite3_value *v, int type)
{
	if (type == SQLITE_INTEGER)
		return ks_nsys_ref_of_id(s->nsys, sqlite3_value_int64(v), &s->failed);
	if (type == SQLITE_NULL)
		return 0;
	return ks_nsys_ref_of_text(s->nsys, text_of(s, v, type), &s->failed);
}

/* Everything but an integer in its range. */
static void fill_odd(struct ks_nsys_scan *s, const struct ks_nsys_bound *b, sqlite3_value *v,
		     char *row)
{
	const int type = sqlite3_value_type(v);
	const struct ks_nsys_column *c = b->column;
	int64_t x;

	if (is_bytes(c->kind)) {
		const bool blob = c->kind == KS_NSYS_BYTES && type == SQLITE_BLOB;
		const ks_str text = blob ? blob_of(s, v) : text_of(s, v, type);

		memcpy(row + c->offset, &text, sizeof(text));
		return;
	}
	if (c->kind == KS_NSYS_NAME)
		x = name_of(s, v, type);
	else
		x = type == SQLITE_INTEGER ? c->invalid : odd_int(c, v, type);
	memcpy(row + c->offset, &x, sizeof(x));
}

/* An id below 2^62 is its own reference but for the shift (nsys_names.c), so ids and numbers go one
 * way: one comparison and one addition each. */
static void fill(struct ks_nsys_scan *s, char *row)
{
	sqlite3_stmt *const stmt = s->stmt;
	const struct ks_nsys_bound *b = s->bound;

	for (int i = 0, n = s->n_bound; i < n; i++, b++) {
		sqlite3_value *v = sqlite3_column_value(stmt, i);
		int64_t x;

		if (sqlite3_value_type(v) != b->type ||
		    (uint64_t)(x = sqlite3_value_int64(v)) - b->low > b->span) {
			fill_odd(s, b, v, row);
			continue;
		}
		x += b->shift;
		memcpy(row + b->offset, &x, sizeof(x));
	}
}

static void show_progress(const struct ks_nsys_scan *s)
{
	const struct ks_ctx *ctx = s->nsys->ctx;
	const char *text = ks_text_get((enum ks_text)s->progress, (enum ks_lang)ctx->lang);

	if (ctx->progress)
		ks_progress_show(ctx->progress, (ks_str){ text, strlen(text) }, (uint64_t)s->rows,
				 (uint64_t)(s->expected > s->rows ? s->expected : 0));
}

static enum ks_status too_many(const struct ks_nsys_scan *s, struct ks_err *err)
{
	ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_TOO_MANY_ROWS, s->nsys->path, s->table->name,
		   (char *)NULL);
	return ks_err_at(err, s->nsys->path, s->rows);
}

static enum ks_status too_many_names(const struct ks_nsys_scan *s, struct ks_err *err)
{
	char max[32];

	if (s->nsys->text.count < s->nsys->text.max)
		return ks_nsys_no_memory(err);
	snprintf(max, sizeof(max), "%zu", s->nsys->text.max);
	ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_TOO_MANY_NAMES, s->nsys->path, max,
		   (char *)NULL);
	return ks_err_at(err, s->nsys->path, s->rows);
}

enum ks_status ks_nsys_scan_next(struct ks_nsys_scan *s, void *row, bool *got, struct ks_err *err)
{
	const int rc = sqlite3_step(s->stmt);

	*got = rc == SQLITE_ROW;
	if (rc == SQLITE_DONE) {
		s->table->rows = s->rows;
		return KS_OK;
	}
	if (rc != SQLITE_ROW)
		return ks_nsys_failed(s->nsys, rc, s->table->name, s->rows, err);
	fill(s, row);
	if (s->failed)
		return too_many_names(s, err);
	if (++s->rows > s->nsys->row_ceiling)
		return too_many(s, err);
	if (s->progress && s->rows % PROGRESS_ROWS == 0)
		show_progress(s);
	return KS_OK;
}

void ks_nsys_scan_close(struct ks_nsys_scan *s)
{
	sqlite3_finalize(s->stmt);
	s->stmt = NULL;
}
