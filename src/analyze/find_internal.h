/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside analyze/find* only.
 */
#ifndef KS_ANALYZE_FIND_INTERNAL_H
#define KS_ANALYZE_FIND_INTERNAL_H

#include "analyze/find.h"
#include "analyze/find_table.h"
#include "analyze/select.h"
#include "analyze/told.h"
#include "base/map.h"
#include "base/sorter.h"
#include "model/device.h"

/* Key, then the other of start and duration, then row and shape, then bytes or correlation. For
 * gaps: device, start, end, row and shape. */
#define KS_FIND_WORDS	   4
#define KS_FIND_SHAPE_BITS 24 /* KS_LIMIT_GROUPS */

struct ks_find_shape { /* what many events have alike; 64-bit fields only: compared bytewise */
	int64_t table;
	int64_t name; /* a reference of the source, or the kind of a copy */
	int64_t domain;
	int64_t process, device, context, stream, thread; /* device: number in `devices` */
};

struct ks_find {
	const struct ks_ctx *ctx;
	const struct ks_find_choice *choice;
	struct ks_matcher *matcher;
	struct ks_arena arena;
	struct ks_sink_ops ops;
	struct ks_sink sink;
	struct ks_devices devices;
	struct ks_map shapes;
	struct ks_sorter *events;

	struct ks_told names;  /* what this reading was told */
	struct ks_map domains; /* process and domain, beside: its name's reference */
	int64_t *domain_name;
	size_t domain_cap;

	struct ks_found_event *event;
	size_t event_cap;
	struct ks_found out;
};

/* find_answer.c. word: row and shape of a record. The shape's names are beside f->shapes. */
struct ks_found_event ks_find_event_of(struct ks_find *f, const ks_str *shown, int64_t word,
				       ks_ns start, ks_ns duration);
int64_t ks_find_label(const struct ks_find *f, int64_t device);
/* find_gap.c: the gaps between the records. */
enum ks_status ks_find_gaps(struct ks_find *f, const ks_str *shown, struct ks_err *err);
/* find.c */
/* Whether the times alone leave it out. */
bool ks_find_left_out(const struct ks_find_choice *c, ks_ns start, ks_ns end);

enum ks_status ks_find_no_memory(struct ks_err *err);
ks_str ks_find_text(const struct ks_find *f, int64_t ref);

#endif
