/* SPDX-License-Identifier: Apache-2.0
 *
 * For traces without any work of a GPU: the span of the rows there are, and whether the CUDA calls
 * say that there was no device to work on. Reads nothing else when there is work.
 */
#include "source/nsys.h"

const char *const ks_nsys_api_tables[KS_NSYS_API_TABLES] = { "CUPTI_ACTIVITY_KIND_RUNTIME",
							     "CUPTI_ACTIVITY_KIND_DRIVER" };

/* Whether a table has a row that will count as work: one is enough. A table that cannot be read is
 * said to have some, so that its scan meets the damage and tells the row. */
static enum ks_status has_work(struct ks_nsys *n, const char *table, bool *has, struct ks_err *err)
{
	struct ks_nsys_table *t = ks_nsys_table(n, table);
	sqlite3_stmt *stmt = NULL;
	bool start = false;
	bool end = false;

	if (!t || *has)
		return KS_OK;
	KS_TRY(ks_nsys_has_column(n, t, "start", &start, err));
	KS_TRY(ks_nsys_has_column(n, t, "end", &end, err));
	if (!start || !end)
		return KS_OK;

	/* no text, no times that the rows' reader takes for damaged */
	char *sql =
		sqlite3_mprintf("select 1 from \"%w\" where \"end\" > \"start\" and \"start\" >= "
				"%lld and \"end\" <= %lld limit 1",
				t->name, (long long)-KS_NSYS_TIME_MAX, (long long)KS_NSYS_TIME_MAX);

	if (!sql)
		return ks_nsys_no_memory(err);
	n->ticks = 0;

	int rc = sqlite3_prepare_v2(n->db, sql, -1, &stmt, NULL);

	sqlite3_free(sql);
	if (rc == SQLITE_OK)
		rc = sqlite3_step(stmt);
	*has = rc != SQLITE_DONE;
	sqlite3_finalize(stmt);
	return rc == SQLITE_NOMEM ? ks_nsys_no_memory(err) : KS_OK;
}

struct timed_row {
	int64_t start, end, result;
};

#define TIMED(column, field)                                                                       \
	{                                                                                          \
		column, offsetof(struct timed_row, field), KS_NSYS_INT, KS_UNKNOWN, KS_UNKNOWN,    \
			-KS_NSYS_TIME_MAX, KS_NSYS_TIME_MAX                                        \
	}

static const struct ks_nsys_column timed_columns[] = {
	TIMED("start", start),
	TIMED("end", end),
	{ "returnValue", offsetof(struct timed_row, result), KS_NSYS_INT, 0, 0, INT32_MIN,
	  INT32_MAX },
};

/* Results that mean there is no usable driver or device: 34 stub library, 35 driver older than the
 * runtime, 100 no device, 803 driver and library do not match (CUDA runtime and driver API, both
 * alike). */
static bool means_no_driver(int64_t result)
{
	return result == 34 || result == 35 || result == 100 || result == 803;
}

static bool is_api_table(const char *table)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(ks_nsys_api_tables); i++)
		if (sqlite3_stricmp(table, ks_nsys_api_tables[i]) == 0)
			return true;
	return false;
}

static void widen(struct ks_trace_meta *m, const struct timed_row *row)
{
	if (row->start == KS_UNKNOWN)
		return;

	const int64_t end = row->end != KS_UNKNOWN && row->end > row->start ? row->end : row->start;

	if (m->other_first_ns == KS_UNKNOWN || row->start < m->other_first_ns)
		m->other_first_ns = row->start;
	if (m->other_last_ns == KS_UNKNOWN || end > m->other_last_ns)
		m->other_last_ns = end;
}

static enum ks_status widen_by(struct ks_nsys *n, struct ks_nsys_table *t, struct ks_trace_meta *m,
			       struct ks_err *err)
{
	const bool is_api = is_api_table(t->name);
	struct ks_nsys_scan s;
	struct timed_row row;
	bool got = true;

	ks_nsys_row_clear(&row, timed_columns, KS_ARRAY_LEN(timed_columns));

	enum ks_status st =
		ks_nsys_scan_open(&s, n, t, timed_columns, KS_ARRAY_LEN(timed_columns), err);

	while (st == KS_OK && (st = ks_nsys_scan_next(&s, &row, &got, err)) == KS_OK && got) {
		widen(m, &row);
		if (is_api)
			m->no_driver |= means_no_driver(row.result);
	}
	ks_nsys_scan_close(&s);
	return st;
}

/* Rows that are no event of the program: the profiler's own, and those of the work we found none
 * of. */
static const char *const no_events[] = { "PROFILER_OVERHEAD", "CUPTI_ACTIVITY_KIND_KERNEL",
					 "CUPTI_ACTIVITY_KIND_MEMCPY",
					 "CUPTI_ACTIVITY_KIND_MEMSET" };

static enum ks_status is_event_table(struct ks_nsys *n, const struct ks_nsys_table *t, bool *is,
				     struct ks_err *err)
{
	*is = t->readable;
	for (size_t i = 0; i < KS_ARRAY_LEN(no_events); i++)
		if (sqlite3_stricmp(t->name, no_events[i]) == 0)
			*is = false;
	return *is ? ks_nsys_has_column(n, t, "start", is, err) : KS_OK;
}

/* The span of the other rows is asked for only when there is no work of a GPU to take it from. */
enum ks_status ks_nsys_other_span(struct ks_nsys *n, struct ks_trace_meta *m, struct ks_err *err)
{
	bool work = false;

	KS_TRY(has_work(n, "CUPTI_ACTIVITY_KIND_KERNEL", &work, err));
	KS_TRY(has_work(n, "CUPTI_ACTIVITY_KIND_MEMCPY", &work, err));
	KS_TRY(has_work(n, "CUPTI_ACTIVITY_KIND_MEMSET", &work, err));
	for (size_t i = 0; !work && i < n->n_tables; i++) {
		bool is_event = false;

		KS_TRY(is_event_table(n, &n->table[i], &is_event, err));
		if (is_event)
			KS_TRY(widen_by(n, &n->table[i], m, err));
	}
	return KS_OK;
}
