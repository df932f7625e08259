/* SPDX-License-Identifier: Apache-2.0
 *
 * What a trace says about itself: who wrote it, when it was captured, whether CUDA was traced at
 * all, and the profiler's own messages. Believes no version string: tables and columns decide what
 * is read.
 */
#include "base/str.h"
#include "source/nsys.h"

struct pair {
	ks_str name, value;
};

static const struct ks_nsys_column pair_columns[] = {
	{ "name", offsetof(struct pair, name), KS_NSYS_TEXT, 0, 0, 0, 0 },
	{ "value", offsetof(struct pair, value), KS_NSYS_TEXT, 0, 0, 0, 0 },
};

/* Rows of a (name, value) table whose names are asked for; a name that comes twice keeps its first
 * value. *value is left alone for names that are not there. */
static enum ks_status read_pairs(struct ks_nsys *n, const char *table, const char *const *name,
				 ks_str *const *value, struct ks_err *err)
{
	struct ks_nsys_table *t = ks_nsys_table(n, table);
	struct ks_nsys_scan s;
	struct pair row;
	bool got = true;

	if (!t)
		return KS_OK;
	ks_nsys_row_clear(&row, pair_columns, KS_ARRAY_LEN(pair_columns));

	enum ks_status st =
		ks_nsys_scan_open(&s, n, t, pair_columns, KS_ARRAY_LEN(pair_columns), err);

	while (st == KS_OK && (st = ks_nsys_scan_next(&s, &row, &got, err)) == KS_OK && got)
		for (size_t i = 0; name[i]; i++)
			if (ks_str_eqc(row.name, name[i]) && !value[i]->n)
				*value[i] = ks_arena_dup(&n->arena, row.value);
	ks_nsys_scan_close(&s);
	t->analysed = true;
	if (st == KS_OK && ks_arena_failed(&n->arena))
		return ks_nsys_no_memory(err);
	return st;
}

static enum ks_status read_export(struct ks_nsys *n, struct ks_trace_meta *m, struct ks_err *err)
{
	static const char *const name[] = { "EXPORT_PRODUCT_NAME", "EXPORT_PRODUCT_VERSION",
					    "EXPORT_SCHEMA_VERSION", "EXPORT_PLATFORM", NULL };
	ks_str *const value[] = { &m->product, &m->product_version, &m->schema_version,
				  &m->platform };

	KS_TRY(read_pairs(n, "META_DATA_EXPORT", name, value, err));
	return read_pairs(n, "EXPORT_META_DATA", name, value, err); /* its name before 2024 */
}

/* CAPTURE_EVENT_TYPE comes once for each kind of event, so that every row is looked at. */
static enum ks_status read_capture(struct ks_nsys *n, struct ks_trace_meta *m, struct ks_err *err)
{
	struct ks_nsys_table *t = ks_nsys_table(n, "META_DATA_CAPTURE");
	struct ks_nsys_scan s;
	struct pair row;
	bool got = true;
	bool lists_events = false;

	if (!t)
		return KS_OK;
	ks_nsys_row_clear(&row, pair_columns, KS_ARRAY_LEN(pair_columns));

	enum ks_status st =
		ks_nsys_scan_open(&s, n, t, pair_columns, KS_ARRAY_LEN(pair_columns), err);

	while (st == KS_OK && (st = ks_nsys_scan_next(&s, &row, &got, err)) == KS_OK && got) {
		if (!ks_str_eqc(row.name, "CAPTURE_EVENT_TYPE"))
			continue;
		lists_events = true;
		if (ks_str_eqc(row.value, "Cuda"))
			m->cuda_traced = 1;
	}
	ks_nsys_scan_close(&s);
	t->analysed = true;
	if (lists_events && m->cuda_traced < 0)
		m->cuda_traced = 0;
	return st;
}

/* Newer exports write 525.105.17, older ones the same without dots: three digits, the last two, and
 * what is between (530.30.02 and 5303002, 426.00 and 42600 are met). */
static ks_str dotted_driver(struct ks_nsys *n, ks_str v)
{
	for (size_t i = 0; i < v.n; i++)
		if (v.p[i] < '0' || v.p[i] > '9')
			return v;
	if (v.n < 5 || v.n > 8)
		return v.n && v.p[0] == '0' ? KS_LIT("") : v;
	if (v.n == 5)
		return ks_arena_fmt(&n->arena, "%.3s.%.2s", v.p, v.p + 3);
	return ks_arena_fmt(&n->arena, "%.3s.%.*s.%.2s", v.p, (int)v.n - 5, v.p + 3, v.p + v.n - 2);
}

/* *silent: the machine's facts were recorded and no driver is among them. */
static enum ks_status read_driver(struct ks_nsys *n, ks_str *driver, bool *silent,
				  struct ks_err *err)
{
	static const char *const name[] = { "NvDriverVersion", NULL };
	ks_str *const value[] = { driver };
	struct ks_nsys_table *t = ks_nsys_table(n, "TARGET_INFO_SYSTEM_ENV");

	KS_TRY(read_pairs(n, "TARGET_INFO_SYSTEM_ENV", name, value, err));
	*driver = dotted_driver(n, *driver);
	*silent = t && t->rows > 0 && !driver->n;
	return ks_arena_failed(&n->arena) ? ks_nsys_no_memory(err) : KS_OK;
}

/* One integer column of a table of few rows: the largest, or KS_UNKNOWN. */
static enum ks_status read_int(struct ks_nsys *n, const char *table, const char *column,
			       int64_t *value, struct ks_err *err)
{
	const struct ks_nsys_column c = { column,     0, KS_NSYS_INT, KS_UNKNOWN,
					  KS_UNKNOWN, 0, INT64_MAX };
	struct ks_nsys_table *t = ks_nsys_table(n, table);
	struct ks_nsys_scan s;
	int64_t row = KS_UNKNOWN;
	bool got = true;

	if (!t)
		return KS_OK;

	enum ks_status st = ks_nsys_scan_open(&s, n, t, &c, 1, err);

	while (st == KS_OK && (st = ks_nsys_scan_next(&s, &row, &got, err)) == KS_OK && got)
		if (row > *value)
			*value = row;
	ks_nsys_scan_close(&s);
	t->analysed = true;
	return st;
}

static enum ks_status count_tables(struct ks_nsys *n, struct ks_trace_meta *m, struct ks_err *err)
{
	struct ks_nsys_table *nvtx = ks_nsys_table(n, "NVTX_EVENTS");
	struct ks_nsys_table *graph = ks_nsys_table(n, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE");

	KS_TRY(ks_nsys_count(n, nvtx, err));
	KS_TRY(ks_nsys_count(n, graph, err));
	m->nvtx_rows = nvtx ? (uint64_t)nvtx->rows : 0;
	m->graph_rows = graph ? (uint64_t)graph->rows : 0;
	m->has_graph_trace = graph != NULL;
	m->has_kernel_table = ks_nsys_table(n, "CUPTI_ACTIVITY_KIND_KERNEL") != NULL;
	m->kernel_table_unread = ks_nsys_unreadable(n, "CUPTI_ACTIVITY_KIND_KERNEL");
	for (size_t i = 0; i < n->n_tables; i++)
		m->has_cuda_tables |=
			n->table[i].readable &&
			sqlite3_strnicmp(n->table[i].name, "CUPTI_ACTIVITY_KIND_", 20) == 0 &&
			ks_str_has(ks_str_c(n->table[i].name), KS_LIT("OPENACC")) == false;
	/* Where the calls are read the sink counts them: counting a table is a pass over it. */
	for (size_t i = 0; !(n->sink->rows & KS_ROWS_CALLS) && i < KS_ARRAY_LEN(ks_nsys_api_tables);
	     i++) {
		struct ks_nsys_table *t = ks_nsys_table(n, ks_nsys_api_tables[i]);

		KS_TRY(ks_nsys_count(n, t, err));
		m->api_calls += t ? (uint64_t)t->rows : 0;
	}
	return KS_OK;
}

enum ks_status ks_nsys_meta(struct ks_nsys *n, struct ks_err *err)
{
	struct ks_trace_meta m = {
		.names = &n->lookup,
		.kind = KS_LIT("nsys sqlite"),
		.path = ks_str_c(n->path),
		.utc_epoch_ns = KS_UNKNOWN,
		.capture_ns = KS_UNKNOWN,
		.other_first_ns = KS_UNKNOWN,
		.other_last_ns = KS_UNKNOWN,
		.cuda_traced = -1,
	};
	ks_str driver = KS_LIT("");
	bool silent = false;

	n->lookup = (struct ks_lookup){ n, ks_nsys_name_now };
	KS_TRY(ks_nsys_secrets(n, err));
	KS_TRY(read_export(n, &m, err));
	KS_TRY(read_capture(n, &m, err));
	KS_TRY(ks_nsys_program(n, &m, err));
	KS_TRY(read_driver(n, &driver, &silent, err));
	KS_TRY(read_int(n, "TARGET_INFO_SESSION_START_TIME", "utcEpochNs", &m.utc_epoch_ns, err));
	KS_TRY(read_int(n, "ANALYSIS_DETAILS", "duration", &m.capture_ns, err));
	KS_TRY(count_tables(n, &m, err));
	KS_TRY(ks_nsys_other_span(n, &m, err));

	struct ks_nsys_table *gpus = ks_nsys_table(n, "TARGET_INFO_GPU");

	KS_TRY(ks_nsys_count(n, gpus, err));
	if (silent && !m.has_cuda_tables && !(gpus && gpus->rows > 0))
		m.no_driver = true;
	KS_TRY(ks_nsys_cuda_traced(n, &m, err));
	KS_TRY(n->sink->ops->meta(n->sink->self, &m, err));
	KS_TRY(ks_nsys_devices(n, driver, err));
	if (n->sink->rows & KS_ROWS_CALLS)
		KS_TRY(ks_nsys_threads(n, err));
	return ks_nsys_diagnostics(n, &m, err);
}
