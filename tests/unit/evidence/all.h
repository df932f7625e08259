/* SPDX-License-Identifier: Apache-2.0
 *
 * What every test of evidence/ includes: cmocka in its required order, one group per module, and a
 * store of its own for each test.
 */
#ifndef KS_TESTS_EVIDENCE_ALL_H
#define KS_TESTS_EVIDENCE_ALL_H

#define KS_BASE_DOOR /* tests may use the system's own calls */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/str.h"
#include "evidence/store.h"

int test_lineage(void);
int test_names(void);
int test_ratio(void);
int test_refuse(void);
int test_run_row(void);
int test_share(void);
int test_store(void);
int test_throttle(void);
int test_unit(void);
int test_value(void);

struct bench {
	struct ks_arena arena;
	struct ks_store *ev;
};

void bench_start(struct bench *b);
void bench_end(struct bench *b);

/* Rows as analysis makes them; all of the kernel "k". */
ks_id given_count(struct bench *b, int64_t launches); /* exact, with an origin */
ks_id given_total(struct bench *b, double ms);	      /* exact, with an origin */
ks_id given_refusal(struct bench *b, enum ks_metric metric, enum ks_refusal code);
ks_id given_derived(struct bench *b, enum ks_metric metric, double v, const ks_id *input, size_t n);

void expect_real(struct bench *b, ks_id id, double v, enum ks_unit unit, enum ks_prov prov);
void expect_refused(struct bench *b, ks_id id, enum ks_refusal code);
/* A broken rule: aborts in debug builds (checked in a child), else the row is an internal_unknown
 * refusal that names the rule. `make` adds one row to the bench and returns it. */
void expect_broken(ks_id (*make)(struct bench *b), const char *rule);
void expect_str(ks_str s, const char *text);
/* cmocka compares floats only; here the last bits may differ, no more. */
void expect_double(double v, double want);

#endif
