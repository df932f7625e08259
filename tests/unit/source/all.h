/* SPDX-License-Identifier: Apache-2.0
 *
 * What every test of source/ includes: cmocka, a sink that records everything it is told, databases
 * made from SQL, and where the shared data is.
 */
#ifndef KS_TEST_SOURCE_ALL_H
#define KS_TEST_SOURCE_ALL_H

#define KS_BASE_DOOR /* tests make and break files themselves */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/ctx.h"
#include "model/device.h"
#include "source/source.h"
#include "tables/tables.h"

struct record_name {
	ks_nameref ref;
	ks_str text;
};

struct record { /* all in order of arrival; texts live in the arena */
	struct ks_arena arena;
	struct ks_trace_meta meta;
	struct ks_devices devices;
	struct ks_trace_process *process;
	struct ks_trace_holding *holding;
	struct ks_trace_diagnostic *diagnostic;
	struct ks_copy *copy;
	struct ks_memset *memset;
	struct ks_launch *launch;
	ks_nameref *wanted;
	struct record_name *name;
	size_t n_gpus, n_maps, n_processes, n_holdings, n_diagnostics, n_copies, n_memsets,
		n_launches, n_wanted, n_names, n_passes;
	size_t process_cap, holding_cap, diagnostic_cap, copy_cap, memset_cap, launch_cap,
		wanted_cap, name_cap;
	size_t passes_wanted;  /* done says `again` until then */
	size_t fail_at_launch; /* > 0: that launch returns KS_E_INTERNAL */
	struct ks_sink sink;
	struct ks_err err;
};

void record_start(struct record *r);
void record_end(struct record *r);
/* Streams and returns the status; `source` reads `path`. */
enum ks_status record_stream(struct record *r, const struct ks_source_ops *source,
			     const char *path);
enum ks_status record_nsys(struct record *r, const char *path);
/* Streams a database that must be readable. */
void record_good(struct record *r, const char *path);
ks_str record_name_of(const struct record *r,
		      ks_nameref ref); /* "" for 0; fails when it has no text */
const struct ks_trace_holding *record_holding(const struct record *r, const char *table);
const char *record_error(const struct record *r); /* the English line; valid until the next call */

const struct ks_ctx *test_ctx(void);
void test_setenv(const char *name,
		 const char *value); /* what test_ctx()->env answers; NULL: not set */

/* The shared folder, or NULL after printing why the test is skipped. */
const char *shared_folder(void);

/* A temporary folder, one at a time. */
void scratch_start(void);
void scratch_end(void);
const char *in_scratch(const char *name); /* one of sixteen buffers in turn */
void given_bytes(const char *path, const void *p, size_t n);
void copy_file(const char *from, const char *to);
size_t read_bytes(const char *path, unsigned char **bytes); /* free() it */
void given_db(const char *path, const char *sql);

json_t *load_json(const char *path);

int test_vectors(void);
int test_files(void);
int test_events(void);
int test_open(void);
int test_wal(void);
int test_rows(void);
int test_schema(void);
int test_damage(void);
int test_sniff(void);
int test_synth(void);
int test_nsys_rep(void);
int test_ksreport(void);
int test_fixtures(void);

#endif
