/* SPDX-License-Identifier: Apache-2.0
 *
 * --within: the part of the trace that every number is about. Half-open: [from, to). Times are
 * clipped to it; rows that only touch an edge are outside. Decided before the first row of work, so
 * that nothing is read twice for it.
 */
#ifndef KS_ANALYZE_WINDOW_H
#define KS_ANALYZE_WINDOW_H

#include "base/base.h"
#include "base/err.h"

enum ks_window_kind { KS_WINDOW_ALL, KS_WINDOW_TIME, KS_WINDOW_RANGE, KS_WINDOW_STEPS };

struct ks_window_spec {
	enum ks_window_kind kind;
	ks_str text;	     /* as given */
	ks_ns from, to;	     /* TIME: KS_UNKNOWN where left open */
	ks_str name, domain; /* RANGE: domain "" = any */
	int64_t first, last; /* RANGE: instance `first`, from 0; STEPS: first to before `last` */
};

/* A..B with ns, us, ms or s behind each number (ns without), either side may be left out;
 * nvtx:NAME[@DOMAIN][/N], N from 0 and 0 when left out; step:N or step:N..M, M not included.
 * "" is the whole trace. KS_E_USAGE says what is wrong with it. The spec borrows from `text`. */
enum ks_status ks_window_parse(ks_str text, struct ks_window_spec *spec, struct ks_err *err);

/* A length or a point of time as --within writes them: exactly, in nanoseconds. */
bool ks_window_time(ks_str text, ks_ns *ns);

struct ks_window {
	bool on;
	ks_ns from, to;
	uint64_t cut_launches;
};

/* Whether [*start, *end) has a part inside; both are clipped to it. */
static inline bool ks_window_clip(const struct ks_window *w, ks_ns *start, ks_ns *end)
{
	if (!w->on)
		return true;
	if (*end <= w->from || *start >= w->to)
		return false;
	if (*start < w->from)
		*start = w->from;
	if (*end > w->to)
		*end = w->to;
	return true;
}

#endif
