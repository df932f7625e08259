/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of the Nsight Systems SQLite reader, private to source/. One struct ks_nsys per streamed
 * file; everything is read by introspection, so a table or column that is not there is simply
 * unknown.
 */
#ifndef KS_SOURCE_NSYS_H
#define KS_SOURCE_NSYS_H

#include <sqlite3.h>
#include <sys/stat.h>

#include "base/map.h"
#include "source/source.h"
#include "tables/tables.h"

struct ks_nsys_table {
	const char *name;
	bool readable; /* an ordinary table, no view and no virtual table */
	bool analysed; /* its rows went to the sink */
	int64_t rows;  /* -1: not counted yet */
};

/* The enumerations of the format that a row's numbers are taken from. */
enum ks_nsys_enum_id {
	KS_NSYS_ENUM_COPY,
	KS_NSYS_ENUM_MEMORY,
	KS_NSYS_ENUM_CAUSE,
	KS_NSYS_ENUM_SYNC,
	KS_NSYS_ENUM_OVERHEAD,
	KS_NSYS_ENUM_OPERATION,
	KS_NSYS_ENUM_EVENT,
	KS_NSYS_ENUMS,
};
#define KS_NSYS_ENUM_NAMES 24
struct ks_nsys_enum { /* what number the file gives to each name that we know */
	int64_t at[KS_NSYS_ENUM_NAMES];
	bool moved; /* at least one is not ours */
};

struct ks_nsys_payload { /* a payload schema */
	int64_t bytes;	 /* of the whole payload; KS_UNKNOWN */
	ks_str name;
};
struct ks_nsys_payloads {
	struct ks_map schemas; /* {domain, schema} */
	struct ks_nsys_payload *schema;
	size_t schema_cap;
	struct ks_map sizes;  /* {domain, bytes} */
	int64_t *only_schema; /* the one of that size; KS_UNKNOWN where there are several */
	size_t size_cap;
};

struct ks_nsys {
	const struct ks_ctx *ctx;
	const struct ks_sink *sink;
	const char *path; /* the input as the user knows it, for messages */
	const char *file; /* the database; the same unless it was exported from `path` */
	sqlite3 *db;
	struct ks_arena arena; /* this pass over the file */
	struct ks_nsys_table *table;
	size_t n_tables;
	struct ks_intern text; /* names written as text in the rows */
	struct ks_nsys_enum enumeration[KS_NSYS_ENUMS];
	struct ks_nsys_payloads payloads;
	sqlite3_stmt *string_by_id; /* nsys_string.c */
	struct ks_lookup lookup;    /* nsys_names.c: for the sink, while rows stream in */
	bool no_string_by_id;
	int64_t row_ceiling; /* no table of a file this long can have more rows */
	int64_t ticks;	     /* of the running statement; set to 0 before each */
	bool wal_mode;	     /* by the header of the file itself */
	bool watched;	     /* no lock keeps writers off: see ks_nsys_unchanged */
	char *real_path;
	struct stat db_stat, wal_stat;
};

/* nsys_open.c: opens n->file read-only, with the rows of a -wal beside it, making no file. */
enum ks_status ks_nsys_open(struct ks_nsys *n, struct ks_err *err);
/* Fails when the file was written while it was read without a lock. */
enum ks_status ks_nsys_unchanged(const struct ks_nsys *n, struct ks_err *err);
void ks_nsys_close(struct ks_nsys *n);

/* nsys_error.c: the one place that turns what SQLite says into a line. table may be NULL; row < 0:
 * unknown. */
enum ks_status ks_nsys_failed(struct ks_nsys *n, int rc, const char *table, int64_t row,
			      struct ks_err *err);
enum ks_status ks_nsys_no_memory(struct ks_err *err);

/* nsys_schema.c: the list of tables; KS_E_INPUT when this is no Nsight Systems export. */
enum ks_status ks_nsys_schema(struct ks_nsys *n, struct ks_err *err);
/* NULL when there is no such readable table. */
/* Whether a view or virtual table has that name. */
bool ks_nsys_unreadable(const struct ks_nsys *n, const char *name);
struct ks_nsys_table *ks_nsys_table(const struct ks_nsys *n, const char *name);
/* Fills t->rows. t may be NULL. */
enum ks_status ks_nsys_count(struct ks_nsys *n, struct ks_nsys_table *t, struct ks_err *err);
enum ks_status ks_nsys_holdings(struct ks_nsys *n, struct ks_err *err);

/* nsys_scan.c: rows of one table into a C struct, as its columns are. */
enum ks_nsys_kind {
	KS_NSYS_INT,
	KS_NSYS_NAME,
	KS_NSYS_TEXT,
	KS_NSYS_BYTES, /* a BLOB, or the bytes of a text, as they are in the file */
};

struct ks_nsys_column {
	const char *name;
	size_t offset; /* in the row struct: an int64_t, or a ks_str for TEXT and BYTES */
	enum ks_nsys_kind kind;
	int64_t absent;	  /* for a column that is not there, and NULL */
	int64_t invalid;  /* for text, fractions and numbers outside min..max */
	int64_t min, max; /* inclusive */
};

#define KS_NSYS_COLUMNS 32
#define KS_NSYS_ROW	"rowid" /* the column that every table has, but for those WITHOUT ROWID */
/* Further than 146 years from the zero of the clock is no time; so differences cannot overflow. */
#define KS_NSYS_TIME_MAX ((INT64_C(1) << 62) - 1)

struct ks_nsys_bound {	    /* a column as the hot loop wants it */
	uint64_t low, span; /* integers low..low + span are taken as they are, plus shift */
	int64_t shift;
	size_t offset;
	int type; /* SQLITE_INTEGER, or 0 for a column that has no fast way */
	const struct ks_nsys_column *column;
};

struct ks_nsys_scan {
	struct ks_nsys *nsys;
	struct ks_nsys_table *table;
	sqlite3_stmt *stmt;
	struct ks_nsys_bound bound[KS_NSYS_COLUMNS]; /* by result column */
	int n_bound;
	int64_t rows;
	int64_t expected; /* for progress; 0 = unknown */
	int progress;	  /* enum ks_text, NONE = silent */
	bool failed;	  /* a name could not be kept */
};

/* Every column becomes what it is when absent. Call once before the scan; it then sets only what is
 * there. */
void ks_nsys_row_clear(void *row, const struct ks_nsys_column *column, size_t n_columns);
/* Close the scan whatever this returns. */
enum ks_status ks_nsys_scan_open(struct ks_nsys_scan *s, struct ks_nsys *n,
				 struct ks_nsys_table *table, const struct ks_nsys_column *column,
				 size_t n_columns, struct ks_err *err);
enum ks_status ks_nsys_has_column(struct ks_nsys *n, const struct ks_nsys_table *table,
				  const char *name, bool *has, struct ks_err *err);
/* Shows `text` (enum ks_text) with a count while rows are read. */
void ks_nsys_scan_expect(struct ks_nsys_scan *s, int text);
/* The next row; texts are borrowed until the next call. */
enum ks_status ks_nsys_scan_next(struct ks_nsys_scan *s, void *row, bool *got, struct ks_err *err);
void ks_nsys_scan_close(struct ks_nsys_scan *s);

/* Ids below this are their own reference, plus one. */
#define KS_NSYS_MAX_ID (UINT64_C(1) << 62)
/* nsys_names.c: a name cell as a reference; *failed is set when out of memory or over the ceiling.
 */
ks_nameref ks_nsys_ref_of_id(struct ks_nsys *n, int64_t id, bool *failed);
ks_nameref ks_nsys_ref_of_text(struct ks_nsys *n, ks_str text, bool *failed);
/* Whether a name was written as text of nothing but blanks. */
bool ks_nsys_ref_is_blank(const struct ks_nsys *n, ks_nameref ref);
/* An order that does not depend on which name was met first. */
int ks_nsys_ref_cmp(const struct ks_nsys *n, ks_nameref a, ks_nameref b);
/* Tells the text of each of those references, from at most one pass over StringIds. No reference
 * twice, 0 is passed over. */
enum ks_status ks_nsys_resolve(struct ks_nsys *n, const ks_nameref *ref, size_t count,
			       enum ks_status (*tell)(void *self, ks_nameref ref, ks_str text,
						      struct ks_err *err),
			       void *self, struct ks_err *err);
/* The same for all that the sink wants by now. */
enum ks_status ks_nsys_names(struct ks_nsys *n, struct ks_err *err);
/* A single name at once; self: the struct ks_nsys. */
enum ks_status ks_nsys_name_now(void *self, ks_nameref ref, ks_str *text, struct ks_err *err);

/* nsys_meta.c: meta, devices and diagnostics. */
enum ks_status ks_nsys_meta(struct ks_nsys *n, struct ks_err *err);
/* nsys_program.c: fills program, folder and arguments. */
enum ks_status ks_nsys_program(struct ks_nsys *n, struct ks_trace_meta *m, struct ks_err *err);
/* nsys_secret.c: tells ctx->redact the words to look for; nothing without it. */
enum ks_status ks_nsys_secrets(struct ks_nsys *n, struct ks_err *err);
/* nsys_span.c: fills other_first_ns, other_last_ns and no_driver where no GPU did any work. */
#define KS_NSYS_API_TABLES 2
#define KS_NSYS_API_DRIVER 1 /* which of them holds the driver's */
extern const char *const ks_nsys_api_tables[KS_NSYS_API_TABLES];
enum ks_status ks_nsys_other_span(struct ks_nsys *n, struct ks_trace_meta *m, struct ks_err *err);
/* nsys_diag.c */
enum ks_status ks_nsys_cuda_traced(struct ks_nsys *n, struct ks_trace_meta *m, struct ks_err *err);
enum ks_status ks_nsys_diagnostics(struct ks_nsys *n, const struct ks_trace_meta *m,
				   struct ks_err *err);
/* nsys_device.c */
enum ks_status ks_nsys_devices(struct ks_nsys *n, ks_str driver, struct ks_err *err);
/* nsys_enum.c: which number means what in this file. Read once, before rows. */
enum ks_status ks_nsys_enums(struct ks_nsys *n, struct ks_err *err);
int64_t ks_nsys_moved(const struct ks_nsys *n, enum ks_nsys_enum_id which, int64_t number);
/* A number of the file as one of ours; as it is where neither knows a name for it. */
static inline int64_t ks_nsys_number(const struct ks_nsys *n, enum ks_nsys_enum_id which,
				     int64_t number)
{
	return n->enumeration[which].moved ? ks_nsys_moved(n, which, number) : number;
}

/* nsys_feed.c: hands the rows of one table to the sink. `row` is scratch of the row type. */
struct ks_nsys_feed {
	const char *table;
	const struct ks_nsys_column *column;
	size_t n_columns;
	int progress; /* text while it is read */
	void *row;
	enum ks_status (*deliver)(struct ks_nsys *n, void *row, struct ks_err *err);
};
/* Nothing where there is no such table. */
enum ks_status ks_nsys_feed(struct ks_nsys *n, const struct ks_nsys_feed *f, struct ks_err *err);

/* nsys_rows.c: what the devices did. again: the copies, memsets and launches alone. */
enum ks_status ks_nsys_rows(struct ks_nsys *n, bool again, struct ks_err *err);
/* nsys_events.c: what the host did */
enum ks_status ks_nsys_ranges(struct ks_nsys *n, struct ks_err *err);
enum ks_status ks_nsys_calls(struct ks_nsys *n, struct ks_err *err);
enum ks_status ks_nsys_frames(struct ks_nsys *n, struct ks_err *err);
/* nsys_threads.c: names of threads */
enum ks_status ks_nsys_threads(struct ks_nsys *n, struct ks_err *err);
/* nsys_payload.c: the schemas of NVTX payloads, to the sink and kept for the rows */
enum ks_status ks_nsys_schemas(struct ks_nsys *n, struct ks_err *err);
/* Finds out the schema of r->payload and takes the exporter's header off. */
void ks_nsys_payload(const struct ks_nsys *n, struct ks_range *r);
void ks_nsys_payloads_release(struct ks_nsys *n);
/* nsys_string.c: one string by its id, where that costs no scan. Borrowed until the next call. */
enum ks_status ks_nsys_string(struct ks_nsys *n, int64_t id, ks_str *text, bool *found,
			      struct ks_err *err);

/* nsys_sqlite.c: streams the database `file`, which people know as `path`. */
enum ks_status ks_nsys_stream(const struct ks_ctx *ctx, const char *file, const char *path,
			      const struct ks_sink *sink, struct ks_err *err);

/* sniff.c: why a file that is no SQLite database cannot be read, as an error. */
enum ks_status ks_input_explain(enum ks_input_kind kind, const char *path, struct ks_err *err);
/* The same with the export command for a native report: text is ERR_SRC_NSYS_REP or
 * ERR_SRC_NO_NSYS. */
enum ks_status ks_input_explain_export(int text, const char *path, struct ks_err *err);

#endif
