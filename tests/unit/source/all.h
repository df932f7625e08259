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
#include "base/map.h"
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
	struct ks_trace_thread *thread;
	struct ks_payload_entry *schema;
	struct ks_range *range;
	struct ks_overhead *overhead;
	struct ks_call *call;
	struct ks_graph_run *graph_run;
	struct ks_sync *sync;
	struct ks_memory *memory;
	struct ks_frame *frame;
	struct ks_map wanted; /* in order of arrival */
	size_t n_told;
	struct record_name *name; /* by number in wanted */
	size_t n_gpus, n_maps, n_processes, n_holdings, n_diagnostics, n_copies, n_memsets,
		n_launches, n_threads, n_schemas, n_ranges, n_overheads, n_calls, n_graph_runs,
		n_syncs, n_memories, n_frames, n_names, n_passes;
	size_t process_cap, holding_cap, diagnostic_cap, copy_cap, memset_cap, launch_cap,
		thread_cap, schema_cap, range_cap, overhead_cap, call_cap, graph_run_cap, sync_cap,
		memory_cap, frame_cap, name_cap;
	size_t n_ranges_done, n_calls_done;
	int stage;	       /* of the order of model/trace.h */
	size_t passes_wanted;  /* done says `again` until then */
	size_t fail_at_launch; /* > 0: that launch returns KS_E_INTERNAL */
	struct ks_sink sink;
	struct ks_err err;
};

#define RECORD_ALL_ROWS                                                                            \
	(KS_ROWS_RANGES | KS_ROWS_CALLS | KS_ROWS_OVERHEAD | KS_ROWS_GRAPHS | KS_ROWS_SYNC |       \
	 KS_ROWS_MEMORY | KS_ROWS_FRAMES)

/* The sink asks for all rows; set r->sink.rows before streaming for fewer. */
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

int test_prom_text(void);
int test_xml_pull(void);
int test_telemetry(void);
int test_telemetry_vectors(void);
int test_http(void);
int test_vectors(void);
int test_files(void);
int test_events(void);
int test_open(void);
int test_wal(void);
int test_redact_json(void);
int test_rows(void);
int test_host(void);
int test_host_rows(void);
int test_device_rows(void);
int test_enums(void);
int test_payloads(void);
int test_order(void);
int test_schema(void);
int test_damage(void);
int test_sniff(void);
int test_synth(void);
int test_nsys_rep(void);
int test_ksreport(void);
int test_fixtures(void);
int test_cubin(void);
int test_sass(void);

#endif
