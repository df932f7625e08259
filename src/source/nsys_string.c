/* SPDX-License-Identifier: Apache-2.0
 *
 * A single string by its id, without a pass over StringIds. Where the id is not the row id of that
 * table there is no quick way, and the string counts as not found.
 */
#include "source/nsys.h"

/* Asks for the row id, so that the row is found and not searched for, and for the id as well,
 * because only in an INTEGER PRIMARY KEY the two are the same. */
static const char by_id[] = "select value from StringIds where rowid = ?1 and id = ?1";

static enum ks_status prepare(struct ks_nsys *n, struct ks_err *err)
{
	const struct ks_nsys_table *t = ks_nsys_table(n, "StringIds");
	static const char *const needed[] = { "id", "value" };
	bool has = false;

	n->no_string_by_id = true;
	if (!t)
		return KS_OK;
	/* a column of that name would be searched */
	KS_TRY(ks_nsys_has_column(n, t, "rowid", &has, err));
	if (has)
		return KS_OK;
	for (size_t i = 0; i < KS_ARRAY_LEN(needed); i++) {
		KS_TRY(ks_nsys_has_column(n, t, needed[i], &has, err));
		if (!has)
			return KS_OK;
	}

	const int rc = sqlite3_prepare_v2(n->db, by_id, -1, &n->string_by_id, NULL);

	if ((rc & 0xff) == SQLITE_NOMEM)
		return ks_nsys_no_memory(err);
	n->no_string_by_id = rc != SQLITE_OK; /* a table without row ids */
	return KS_OK;
}

enum ks_status ks_nsys_string(struct ks_nsys *n, int64_t id, ks_str *text, bool *found,
			      struct ks_err *err)
{
	*text = (ks_str){ "", 0 };
	*found = false;
	if (!n->string_by_id && !n->no_string_by_id)
		KS_TRY(prepare(n, err));
	if (n->no_string_by_id)
		return KS_OK;
	sqlite3_reset(n->string_by_id);
	sqlite3_bind_int64(n->string_by_id, 1, id);

	const int rc = sqlite3_step(n->string_by_id);

	*found = rc == SQLITE_ROW;
	if (rc == SQLITE_DONE)
		return KS_OK;
	if (rc != SQLITE_ROW)
		return ks_nsys_failed(n, rc, "StringIds", -1, err);

	const char *p = (const char *)sqlite3_column_text(n->string_by_id, 0);

	if (p)
		*text = (ks_str){ p, (size_t)sqlite3_column_bytes(n->string_by_id, 0) };
	else if (sqlite3_column_type(n->string_by_id, 0) != SQLITE_NULL)
		return ks_nsys_no_memory(err);
	return KS_OK;
}
