/* SPDX-License-Identifier: Apache-2.0
 *
 * The profiler's own messages, and what they say about CUDA. Exports from about 2024 on have them
 * in DIAGNOSTIC_EVENT; in older ones the same sentences lie among the strings, in no table of their
 * own.
 */
#include "base/str.h"
#include "source/nsys.h"

struct diagnostic_row {
	int64_t severity;
	ks_str text;
};

static const struct ks_nsys_column diagnostic_columns[] = {
	{ "severity", offsetof(struct diagnostic_row, severity), KS_NSYS_INT, 0, 0, 0, 4 },
	{ "text", offsetof(struct diagnostic_row, text), KS_NSYS_TEXT, 0, 0, 0, 0 },
};

static enum ks_status stream_events(struct ks_nsys *n, struct ks_err *err)
{
	struct ks_nsys_table *t = ks_nsys_table(n, "DIAGNOSTIC_EVENT");
	struct ks_nsys_scan s;
	struct diagnostic_row row;
	bool got = true;

	if (!t)
		return KS_OK;
	ks_nsys_row_clear(&row, diagnostic_columns, KS_ARRAY_LEN(diagnostic_columns));

	enum ks_status st = ks_nsys_scan_open(&s, n, t, diagnostic_columns,
					      KS_ARRAY_LEN(diagnostic_columns), err);

	while (st == KS_OK && (st = ks_nsys_scan_next(&s, &row, &got, err)) == KS_OK && got) {
		const struct ks_trace_diagnostic d = { (int)row.severity, row.text };

		st = n->sink->ops->diagnostic(n->sink->self, &d, err);
	}
	ks_nsys_scan_close(&s);
	t->analysed = true;
	return st;
}

/* How the sentences of the profiler begin, as eleven exports of 2021 to 2026 have them, and whether
 * each is about a trace with CUDA. */
struct message {
	const char *start;
	bool about_cuda;
	int severity; /* 0: not passed on */
};
static const struct message messages[] = {
	{ "No CUDA events collected.", true, 2 },
	{ "CUDA profiling might have not been started correctly.", true, 2 },
	{ "Not all CUDA events might have been collected.", true, 2 },
	{ "CUDA injection initialized successfully.", true, 0 },
	{ "Number of CUDA events collected:", true, 0 },
	{ "Profiling has started.", false, 0 },
	{ "Common injection library initialized successfully.", false, 0 },
};

static const struct ks_nsys_column value_column = { "value", 0, KS_NSYS_TEXT, 0, 0, 0, 0 };

static const struct message *find_message(ks_str text)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(messages); i++)
		if (ks_str_starts(text, messages[i].start))
			return &messages[i];
	return NULL;
}

/* Looks through the strings for those sentences. pass_on: hand warnings to the sink as diagnostics.
 */
static enum ks_status read_messages(struct ks_nsys *n, bool pass_on, bool *any, bool *cuda,
				    struct ks_err *err)
{
	struct ks_nsys_table *t = ks_nsys_table(n, "StringIds");
	struct ks_nsys_scan s;
	ks_str row = { "", 0 };
	bool got = true;

	if (!t)
		return KS_OK;

	enum ks_status st = ks_nsys_scan_open(&s, n, t, &value_column, 1, err);

	while (st == KS_OK && (st = ks_nsys_scan_next(&s, &row, &got, err)) == KS_OK && got) {
		const struct message *m = find_message(row);

		if (!m)
			continue;
		*any = true;
		*cuda |= m->about_cuda;

		const struct ks_trace_diagnostic d = { m->severity, row };

		if (pass_on && m->severity)
			st = n->sink->ops->diagnostic(n->sink->self, &d, err);
	}
	ks_nsys_scan_close(&s);
	return st;
}

static bool has_diagnostics(const struct ks_nsys *n)
{
	const struct ks_nsys_table *t = ks_nsys_table(n, "DIAGNOSTIC_EVENT");

	return t && t->rows > 0;
}

enum ks_status ks_nsys_cuda_traced(struct ks_nsys *n, struct ks_trace_meta *m, struct ks_err *err)
{
	bool any = false;
	bool cuda = false;

	if (m->has_cuda_tables)
		m->cuda_traced = 1;
	if (m->cuda_traced >= 0)
		return KS_OK;
	KS_TRY(read_messages(n, false, &any, &cuda, err));
	if (cuda)
		m->cuda_traced = 1;
	else if (any)
		m->cuda_traced = 0;
	return KS_OK;
}

enum ks_status ks_nsys_diagnostics(struct ks_nsys *n, const struct ks_trace_meta *m,
				   struct ks_err *err)
{
	bool any = false;
	bool cuda = false;

	KS_TRY(stream_events(n, err));
	if (m->has_cuda_tables || has_diagnostics(n))
		return KS_OK;
	return read_messages(n, true, &any, &cuda, err);
}
