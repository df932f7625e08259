/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of the .ksreport.json reader, private to source/. A document comes from anywhere: every
 * value is asked for with the type it must have, the first that has another ends the reading in one
 * error.
 */
#ifndef KS_SOURCE_KSREPORT_H
#define KS_SOURCE_KSREPORT_H

#include <jansson.h>

#include "evidence/report.h"
#include "source/source.h"

#define KS_REPORT_DEPTH 16 /* nesting of a value; real ones have 4 */

struct ks_reader {
	const struct ks_ctx *ctx;
	const char *path;
	struct ks_arena *arena; /* the run's */
	struct ks_report *report;
	struct ks_err *err;
	bool failed;		    /* sticky: the getters then return what is absent */
	char place[160];	    /* where in the document: "kernels[3].sections[0]" */
	struct ks_carried *carried; /* what the meta object gave; NULL before it was read */
	enum ks_text wrong; /* sentence for a wrong type, {0} path, {1} place, {2} what it must be;
			       NONE: a report's */
};

/* The whole file as JSON, redacted where the run is; json_decref it. NULL unless KS_OK. */
enum ks_status ks_reader_document(struct ks_reader *r, json_t **doc);

/* How deep a value is nested; it is not looked into further than `limit`. ksreport_meta.c. */
int ks_reader_depth(const json_t *v, int limit);
/* A place inside the present one; ks_reader_leave takes back what enter returned. */
size_t ks_reader_enter(struct ks_reader *r, const char *key, size_t index);
#define KS_READER_NO_INDEX SIZE_MAX
void ks_reader_leave(struct ks_reader *r, size_t mark);
/* The value under `key` is not `what` (enum ks_text SRC_SHAPE_*). */
void ks_reader_wrong(struct ks_reader *r, const char *key, int what);
void ks_reader_no_memory(struct ks_reader *r);

/* Absent and null give the default; a value of another type fails. Texts are copied to the arena.
 */
int64_t ks_reader_int(struct ks_reader *r, const json_t *o, const char *key, int64_t absent);
uint64_t ks_reader_count(struct ks_reader *r, const json_t *o, const char *key);
double ks_reader_real(struct ks_reader *r, const json_t *o, const char *key, double absent);
bool ks_reader_bool(struct ks_reader *r, const json_t *o, const char *key, bool absent);
ks_str ks_reader_text(struct ks_reader *r, const json_t *o, const char *key);
struct ks_msg ks_reader_msg(struct ks_reader *r, const json_t *o, const char *key);
/* NULL when absent; an array or object of the wrong type fails. */
const json_t *ks_reader_array(struct ks_reader *r, const json_t *o, const char *key);
const json_t *ks_reader_object(struct ks_reader *r, const json_t *o, const char *key);
/* Element i, which must be an object. NULL after a failure. */
const json_t *ks_reader_element(struct ks_reader *r, const json_t *array, size_t i);
/* Three numbers; null is KS_UNKNOWN. */
void ks_reader_triple(struct ks_reader *r, const json_t *o, const char *key, int64_t v[3]);
struct ks_value ks_reader_value(struct ks_reader *r, const json_t *v, const char *key);
const struct ks_kv *ks_reader_kvs(struct ks_reader *r, const json_t *o, const char *key, size_t *n);
/* Literal text as a message; "" gives no message. The text is already in the arena. */
struct ks_msg ks_reader_literal(struct ks_reader *r, ks_str text);

/* ksreport_run.c: everything about the run as a whole. ksreport_kernel.c: the kernels. */
void ks_reader_run(struct ks_reader *r, const json_t *doc);
void ks_reader_meta(struct ks_reader *r, const json_t *doc); /* ksreport_meta.c */
/* ksreport_carried.c: what meta says beside the rows; the label of money, from the unit of a row.
 */
void ks_reader_carried(struct ks_reader *r, const json_t *meta);
void ks_reader_currency(struct ks_reader *r, ks_str unit);
/* An object with the keys of a selftest (contract 03 §18). NULL after a failure. */
const struct ks_selfcheck *ks_reader_selfcheck(struct ks_reader *r, const json_t *o);
/* ksreport_meta.c: one key of the meta object that is kept as text; `value` is stolen. */
void ks_reader_keep_meta(struct ks_reader *r, const char *key, json_t *value);
void ks_reader_kernels(struct ks_reader *r, const json_t *doc);
/* ksreport_place.c: where a kernel's launches ran; the devices come first. */
void ks_reader_places(struct ks_reader *r, const json_t *o, struct ks_kernel *k);
/* Index of the device whose label is under `key`; no such device fails. */
size_t ks_reader_gpu(struct ks_reader *r, const json_t *o, const char *key);
void ks_reader_lineage(struct ks_reader *r, const json_t *doc); /* after the kernels */
/* Puts the kernels in the order that a report promises; the last step, the others go by the file's.
 */
void ks_reader_sort(struct ks_reader *r);
/* ksreport_launch.c: launches of a kernel, where the document has them. */
struct ks_read_launches;
void ks_reader_launches(struct ks_reader *r, const json_t *kernel, struct ks_kernel *k,
			size_t number, struct ks_read_launches *all);
struct ks_read_launches *ks_reader_launches_open(struct ks_reader *r, size_t n_kernels);
void ks_reader_launches_done(struct ks_reader *r, struct ks_read_launches *all);

#endif
