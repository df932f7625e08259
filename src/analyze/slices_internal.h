/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside slices*.c only. Rows of three sources (kernels; copies, memsets, synchronisation and
 * memory events; calls) become records of 32 bytes, each with a key that stands for all it shares
 * with others. A key belongs to a track: a stream or thread and a kind of lane. What overlaps on a
 * track moves into a fourth source and gets lanes of its own.
 */
#ifndef KS_ANALYZE_SLICES_INTERNAL_H
#define KS_ANALYZE_SLICES_INTERNAL_H

#include "analyze/analysis.h"
#include "base/map.h"
#include "base/sorter.h"

#define KS_SLICE_WORDS	  4
#define KS_SLICE_NO_TRACK UINT32_MAX
#define KS_SLICE_CALLS	  UINT32_MAX /* calls up to which one can be the start of a flow */

enum ks_slice_source {
	KS_SLICE_KERNEL,
	KS_SLICE_WORK,
	KS_SLICE_CALL,
	KS_SLICE_MORE,
	KS_SLICE_SOURCES
};
#define KS_SLICE_KEYED KS_SLICE_MORE /* sources with keys of their own */

/* Compared bytewise: 64-bit fields only. */
struct ks_slice_work_key {
	int64_t kind; /* enum ks_lane_kind */
	int64_t device, process, stream;
	int64_t what; /* copy kind or KS_SWEEP_MEMSET; synchronisation type; 1 for a release */
	int64_t bytes;
};
struct ks_slice_call_key {
	int64_t thread, name;
};
/* What tells tracks apart. Their order is that of the fields. */
struct ks_slice_place {
	int64_t host;  /* 0 a device's, 1 a thread's */
	int64_t whose; /* index in the report's GPUs; global id of the thread */
	int64_t kind;  /* enum ks_lane_kind */
	int64_t process, stream;
};

/* Of all keys of a source. Keys that look the same in every output have one rank. */
struct ks_slice_keys {
	size_t n;
	uint32_t *track, *name; /* by key; KS_SLICE_NO_TRACK: left out */
	uint32_t *rank;		/* by key */
	uint32_t *key;		/* by rank: one of its keys */
};

struct ks_slice_track {
	struct ks_slice_place place;
	enum ks_slice_source source;
	uint64_t at, n;	   /* its records in the source */
	uint64_t kept;	   /* of them in the first lane */
	int64_t low_bytes; /* of a counter: its lowest value, at most 0 */
};

struct ks_slice_lane {		     /* beside the log's lanes */
	enum ks_slice_source source; /* KS_SLICE_SOURCES: the ranges */
	uint32_t track;
	uint64_t at, n; /* records to look at */
};

/* What is open in the first lane of a track: everything of calls, which nest, else one slice. */
struct ks_slice_first {
	bool nests;
	ks_ns end;
	ks_ns *open;
	size_t n_open, cap;
};

/* Lanes 1, 2 ... of a track, in which nothing overlaps: the lowest that is free. */
struct ks_slice_heap {
	int64_t (*item)[2]; /* end or nothing, lane */
	size_t n, cap;
};
struct ks_slice_deal {
	struct ks_slice_first first;
	struct ks_slice_heap busy, free;
	uint32_t lanes;
};

struct ks_slice_cursor { /* over one source, in order */
	int64_t *buf;
	uint64_t at; /* position of buf[0] */
	size_t n;
};

struct ks_slice_record {
	uint32_t track;
	uint32_t lane; /* KS_SLICE_MORE only */
	ks_ns start_ns, end_ns;
	uint32_t rank;
	bool graph;
	uint32_t flow; /* number of the call + 1; 0 none */
};

struct ks_slices {
	const struct ks_io *io;
	uint64_t limit;
	unsigned lanes;
	struct ks_sorter *sorter[KS_SLICE_SOURCES];
	struct ks_map work_map, call_map;
	struct ks_slice_work_key last_work;
	struct ks_slice_call_key last_call;
	uint32_t last_work_key, last_call_key;

	/* settled */
	struct ks_analysis *a;
	struct ks_report *r;
	enum ks_status rekey_status;
	struct ks_err rekey_err;
	struct ks_slice_keys keys[KS_SLICE_KEYED];
	struct ks_intern names;
	uint32_t *name_id;    /* by number in names; from 1, by text */
	uint32_t *range_name; /* by the ranges' number: number in names + 1; 0 not met */
	size_t range_name_cap;
	uint32_t *group_name;
	const struct ks_config **group_config;
	struct ks_map places;
	struct ks_slice_track *track;
	size_t n_tracks;
	struct ks_slice_lane *lane;
	struct ks_lane *view;
	ks_ns cut_ns; /* nothing from here on; INT64_MAX: no cut */
	uint64_t n_calls;
	uint8_t *worked, *many, *called, *taken; /* bits by call */
	struct ks_slice_log log;

	/* while it is read */
	struct ks_slice_cursor cursor[KS_SLICE_SOURCES];
	size_t at_lane, n_lanes_before_ranges, n_range_lanes;
	uint64_t at_record;
	int64_t now_bytes;
	struct ks_slice_first first;
	uint32_t range_lane; /* the ranges' own number */
	size_t at_range_lane;
	bool any_range;
};

enum ks_status ks_slices_no_memory(struct ks_err *err);

/* slices_part.c */
void ks_slice_first_reset(struct ks_slice_first *f, bool nests);
/* Whether the first lane takes it; *failed: no memory. */
bool ks_slice_first_takes(struct ks_slice_first *f, ks_ns start, ks_ns end, bool *failed);
void ks_slice_deal_reset(struct ks_slice_deal *d, bool nests);
/* The lane of the track it goes to, from 0; UINT32_MAX: no memory. Slices come by start, longer
 * first. */
uint32_t ks_slice_deal(struct ks_slice_deal *d, ks_ns start, ks_ns end);
void ks_slice_deal_release(struct ks_slice_deal *d);

/* slices_names.c: places, names and ranks of all keys; before anything is sorted. */
enum ks_status ks_slices_keys(struct ks_slices *s, struct ks_err *err);
ks_str ks_slices_name(const struct ks_slices *s, uint32_t number);

/* slices_lanes.c: what lanes are called, in the order of their numbers. */
enum ks_status ks_slices_lanes(struct ks_slices *s, struct ks_err *err);

/* slices_settle.c */
static inline bool ks_slice_bit(const uint8_t *bits, uint32_t flow)
{
	return bits[(flow - 1) / 8] >> (flow - 1) % 8 & 1;
}
static inline void ks_slice_set(uint8_t *bits, uint32_t flow)
{
	bits[(flow - 1) / 8] |= (uint8_t)(1u << (flow - 1) % 8);
}
/* In the window and before the cut. */
bool ks_slice_is_kept(const struct ks_slices *s, ks_ns start, ks_ns end);
/* Record `at` of a source; *got false behind the last and behind the last that has a track. */
enum ks_status ks_slice_read(struct ks_slices *s, enum ks_slice_source source, uint64_t at,
			     struct ks_slice_record *rec, bool *got, struct ks_err *err);
/* Value of a counter after the record; false: it cannot be held. */
bool ks_slice_add_bytes(const struct ks_slices *s, const struct ks_slice_record *rec, int64_t *now);

/* slices_log.c */
void ks_slices_log_open(struct ks_slices *s);

#endif
