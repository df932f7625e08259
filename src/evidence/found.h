/* SPDX-License-Identifier: Apache-2.0
 *
 * The answer of `find`: single events that fit a choice. Plain data, made by analyze/find, written
 * by render/find. Integers are KS_UNKNOWN where the file does not say or the kind has no such
 * thing.
 */
#ifndef KS_EVIDENCE_FOUND_H
#define KS_EVIDENCE_FOUND_H

#include "base/err.h"

enum ks_find_kind {
	KS_FIND_KERNEL,
	KS_FIND_COPY, /* copies and memsets */
	KS_FIND_RANGE,
	KS_FIND_API,
	KS_FIND_GAP, /* a device with nothing to do, between its first work and its last */
	KS_FIND_KINDS
};
/* The word of the command line and of JSON. */
const char *ks_find_word(enum ks_find_kind kind);
bool ks_find_kind_of(ks_str word, enum ks_find_kind *kind);
/* Whether events of the kind are work of a device, with a stream. */
static inline bool ks_find_is_work(enum ks_find_kind kind)
{
	return kind == KS_FIND_KERNEL || kind == KS_FIND_COPY;
}
/* Whether they belong to a device; else to a thread. */
static inline bool ks_find_on_device(enum ks_find_kind kind)
{
	return ks_find_is_work(kind) || kind == KS_FIND_GAP;
}

struct ks_find_choice { /* KS_UNKNOWN: whatever it is */
	enum ks_find_kind kind;
	ks_str name;	/* exact, or regex:PATTERN; "" = all */
	ks_ns min_ns;	/* shortest duration */
	ks_ns from, to; /* a part of it lies in [from, to) */
	int64_t device; /* as the report labels it */
	int64_t stream, pid;
	int64_t number;	  /* of a gap on its device, from 1 */
	bool by_duration; /* longest first; else earliest first */
	bool median;	  /* list only one: of the median duration, the shorter of two */
	uint64_t limit;	  /* most that are listed; the count is of all */
};

struct ks_found_event {
	enum ks_find_kind kind;
	ks_str id; /* table:pid:row; "" where the table numbers no rows; of a gap gap:device:number
		    */
	ks_str name;
	ks_str domain; /* of a range; "" */
	ks_ns start_ns, duration_ns;
	int64_t device, stream, pid, tid, context;
	int64_t correlation;			     /* of a kernel or call */
	int64_t bytes;				     /* of a copy or memset */
	const struct ks_found_event *before, *after; /* of a gap: what ended last, what starts */
};

struct ks_found {
	const struct ks_find_choice *choice;
	ks_str name; /* that of the choice, as it may be shown */
	uint64_t total;
	uint64_t rows;	   /* events of the kind, chosen or not */
	uint64_t bad_rows; /* left out: without a valid time */
	const struct ks_found_event *event;
	size_t n;
	const ks_str *near; /* where no event has the name: the nearest names there are */
	size_t n_near;
	bool no_such_name;
};

#endif
