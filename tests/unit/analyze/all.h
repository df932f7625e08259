/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of analyze/ share: a hand-made trace that is streamed into the real sink, as a
 * source would, and questions to the report that comes out.
 */
#ifndef KS_TESTS_ANALYZE_ALL_H
#define KS_TESTS_ANALYZE_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/analyze.h"
#include "base/str.h"

int test_sketch(void);
int test_occupancy(void);
int test_occpicture(void);
int test_launchstats(void);
int test_stats(void);
int test_busy(void);
int test_name(void);
int test_ncu_words(void);
int test_code(void);
int test_family(void);
int test_select(void);
int test_window(void);
int test_configs(void);
int test_selection(void);
int test_devices(void);
int test_places(void);
int test_order(void);
int test_launchlog(void);
int test_evidence(void);
int test_contents(void);
int test_sanity(void);
int test_copies(void);
int test_copies_rates(void);
int test_copies_memory(void);
int test_comm(void);
int test_comm_calls(void);
int test_comm_vectors(void);
int test_ranges(void);
int test_ranges_brute(void);
int test_ranges_data(void);
int test_steps(void);
int test_phases_vectors(void);
int test_sec_nvtx(void);
int test_calls(void);
int test_calls_stats(void);
int test_graphs(void);
int test_sites(void);
int test_slices(void);
int test_picture(void);
int test_durations(void);
int test_folded(void);
int test_sweep(void);
int test_sweep_rows(void);
int test_sweep_many(void);
int test_sec_time(void);
int test_telemetry(void);

/* A small generator, so that "random" rows are the same everywhere (xorshift64, seed printed). */
uint64_t next_random(uint64_t *state);

struct given {
	struct ks_arena arena;
	struct ks_ctx ctx;
	struct ks_selection sel;
	struct ks_err err;
	struct ks_trace_meta meta;
	const char *name[512]; /* reference i + 1 */
	size_t n_names;
	struct ks_trace_gpu gpu[8];
	size_t n_gpus;
	struct ks_trace_gpu_map map[8];
	size_t n_maps;
	struct ks_trace_process process[4];
	size_t n_processes;
	struct ks_copy *copy;
	size_t n_copies, copy_cap;
	struct ks_launch *launch;
	size_t n_launches, launch_cap;
	struct ks_overhead overhead[8];
	size_t n_overheads;
	/* of the last run */
	struct ks_analysis *a;
	struct ks_report *r;
	unsigned passes;
};

/* An empty trace, all sections of --set basic on. */
void given_trace(struct given *g);
void given_release(struct given *g);
/* Reference of a name, made at first use; NULL is 0: no name. */
ks_nameref given_name(struct given *g, const char *text);
/* A GPU with CUDA ordinal `ordinal` and no limits of its own; its row can be completed by the
 * caller. */
struct ks_trace_gpu *given_gpu(struct given *g, int64_t ordinal, int64_t major, int64_t minor,
			       int64_t sms);
/* Row of "void name(int)": grid 64, block 256, 32 registers, no shared memory, process 7, stream 7.
 */
struct ks_launch *given_launch(struct given *g, const char *name, int64_t device, ks_ns start,
			       ks_ns duration);
struct ks_copy *given_copy(struct given *g, int64_t device, ks_ns start, ks_ns duration);
/* Overhead of the profiler on that thread (globalTid). */
struct ks_overhead *given_overhead(struct given *g, int64_t thread, ks_ns start, ks_ns end);

/* Streams everything; the status of streaming or of finishing. */
enum ks_status when_analysed(struct given *g);
/* The same, and it must work. */
struct ks_report *then_report(struct given *g);

const struct ks_kernel *kernel_named(const struct given *g, const char *name);
const struct ks_config *config_named(const struct ks_kernel *k, const char *key);
/* The row, or a failed test. kernel "(device)" for device rows. */
const struct ks_ev *row_of(const struct given *g, const char *kernel, const char *metric);
bool has_row(const struct given *g, const char *kernel, const char *metric);
void expect_real(const struct ks_ev *row, double v);
void expect_int(const struct ks_ev *row, int64_t v);
void expect_text(const struct ks_ev *row, const char *v);
void expect_refused(const struct ks_ev *row, enum ks_refusal code);
void expect_near(double a, double b, double relative);
/* The English sentence of a message, in the test's arena. */
const char *english(struct given *g, const struct ks_msg *m);
const char *error_text(struct given *g);
bool has_note(struct given *g, const char *part);
/* ../shared or $KS_SHARED with `path` behind it; false (with a line that says so) when it is not
 * there. */
bool shared_file(char out[512], const char *path);

#endif
