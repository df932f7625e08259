/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside analyze/stats* only.
 */
#ifndef KS_ANALYZE_STATS_INTERNAL_H
#define KS_ANALYZE_STATS_INTERNAL_H

#include "analyze/eventname.h"
#include "analyze/sketch.h"
#include "analyze/stats.h"
#include "analyze/told.h"
#include "base/map.h"
#include "base/sorter.h"
#include "model/device.h"

#define KS_STATS_EVENT_WORDS 4

__extension__ typedef unsigned __int128 ks_u128;

struct ks_stats_acc { /* of one key */
	uint64_t n;
	int64_t total;
	ks_u128 squares;
	struct ks_sketch sketch;
};

struct ks_stats_key { /* what rows are summed by; unused parts 0 */
	int64_t name; /* a reference of the source, or the kind of a copy */
	int64_t domain, style;
};

/* What many events have alike, kept once. */
struct ks_stats_shape {
	int64_t name; /* as in a key */
	int64_t grid[3], block[3], regs, static_smem, dynamic_smem;
	int64_t src_kind, dst_kind;
	int64_t is_kernel;
	int64_t correlation_high; /* what does not fit into an event's word; 0 in every real trace
				   */
};
struct ks_stats_place {
	int64_t device, context, stream;
};
struct ks_stats_pair { /* numbers of a shape and of a place */
	uint32_t shape, place;
};

struct ks_stats_sum {
	const struct ks_ctx *ctx;
	struct ks_arena arena; /* names and the answer */
	const struct ks_stats_info *info;
	struct ks_sink_ops ops;
	struct ks_sink sink;
	struct ks_map keys; /* struct ks_stats_key */
	struct ks_stats_acc *acc;
	size_t acc_cap;

	struct ks_told names;  /* what this reading was told */
	struct ks_map domains; /* id of a domain, beside: its name's reference */
	int64_t *domain_name;
	size_t domain_cap;

	struct ks_devices devices;
	struct ks_map shapes, places, pairs;
	struct ks_sorter *events;
	ks_str *shape_name, *place_device; /* beside shapes and places */
	uint64_t at;			   /* of the next event to be read */
	struct ks_stats_log log;

	struct ks_stats out;
};

/* stats.c */
enum ks_status ks_stats_no_memory(struct ks_err *err);
/* Text of a reference; "" where the source had none. */
ks_str ks_stats_text(const struct ks_stats_sum *s, int64_t ref);

/* stats_trace.c */
enum ks_status ks_stats_event_launch(struct ks_stats_sum *s, const struct ks_launch *l,
				     struct ks_err *err);
enum ks_status ks_stats_event_copy(struct ks_stats_sum *s, const struct ks_copy *c,
				   struct ks_err *err);
enum ks_status ks_stats_event_memset(struct ks_stats_sum *s, const struct ks_memset *m,
				     struct ks_err *err);
enum ks_status ks_stats_events_finish(struct ks_stats_sum *s, struct ks_err *err);

/* stats_rows.c */
enum ks_status ks_stats_rows(struct ks_stats_sum *s, struct ks_err *err);

#endif
