/* SPDX-License-Identifier: Apache-2.0
 *
 * What every test of verdict/ includes: cmocka in its required order, one group per module, and a
 * small report that a test changes before decisions are made from it.
 */
#ifndef KS_TESTS_VERDICT_ALL_H
#define KS_TESTS_VERDICT_ALL_H

#define KS_BASE_DOOR /* tests may use the system's own calls */

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/str.h"
#include "verdict/packet.h"
#include "verdict/packet_read.h"

int test_advice(void);
int test_capability(void);
int test_counters(void);
int test_diagnosis(void);
int test_decide(void);
int test_packet(void);
int test_remedy(void);
int test_route(void);
int test_packet_read(void);
int test_strict(void);
int test_trim(void);
int test_verdict(void);
int test_worst(void);

#define DESK_KERNELS 4
#define DESK_ROWS    8

/* A report of kernels "gemm" (4.755 ms in 5 launches) and "add" (0.168 ms in 20 launches): the
 * numbers of the synthetic trace, contract 01 §7. 4.755 of 4.923 ms are 96.58744668 %. */
struct desk {
	struct ks_arena arena;
	struct ks_ctx ctx;
	struct ks_report report;
	struct ks_gpu gpu[2];
	struct ks_kernel kernel[DESK_KERNELS];
	struct ks_section_rows section[DESK_KERNELS];
	ks_id row[DESK_KERNELS][DESK_ROWS];
	const char *epoch; /* SOURCE_DATE_EPOCH as the code under test sees it */
};

void desk_start(struct desk *d);
void desk_end(struct desk *d);
/* Evidence rows of a kernel; counted among the rows of its section. */
ks_id given_number(struct desk *d, size_t kernel, enum ks_metric metric, double v);
ks_id given_text(struct desk *d, size_t kernel, enum ks_metric metric, const char *v);
ks_id given_refusal(struct desk *d, size_t kernel, enum ks_metric metric, enum ks_refusal code);
/* Duration and occupancy rows of both kernels. */
void given_rows(struct desk *d);

const struct ks_verdicts *decided(struct desk *d);
const struct ks_verdict_row *row_of(struct desk *d, enum ks_verdict id); /* NULL: none */
struct ks_value fact_of(const struct ks_verdict_row *row, const char *key);
void expect_message(const struct ks_msg *m, enum ks_lang lang, const char *text);

/* The packet's text (arena of the desk) and the same parsed by jansson; json_decref it. Checks what
 * holds for every packet: size, budget, valid JSON and UTF-8, and that each cited code is found. */
ks_str packet_of(struct desk *d, const struct ks_packet_spec *spec, struct ks_packet **p);
json_t *checked(ks_str text, size_t budget);

void expect_str(ks_str s, const char *text);
/* cmocka compares floats only; here the last bits may differ, no more. */
void expect_double(double v, double want);

#endif
