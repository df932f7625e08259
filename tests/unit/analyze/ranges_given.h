/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of ranges*.c and steps.c share: rows by hand into a set of ranges, launches by
 * hand into its segments, and phases found again by name.
 */
#ifndef KS_TESTS_RANGES_GIVEN_H
#define KS_TESTS_RANGES_GIVEN_H

#include "all.h"

#include "analyze/ranges.h"

#define PUSH_POP		59
#define START_END		60
#define THREAD(process, thread) ((int64_t)(process) << 24 | (thread))

struct given_ranges {
	struct ks_arena arena;
	struct ks_ranges *r;
	ks_str *text;
	size_t n_texts, text_cap;
	struct ks_ranges_ask ask;
	struct ks_timeline t;
	struct ks_err err;
};

void given_ranges(struct given_ranges *g);
void given_ranges_release(struct given_ranges *g);
/* Number of a name in the table that goes to settle; NULL: none. */
uint32_t given_range_name(struct given_ranges *g, const char *text);
/* A row of a type; end KS_UNKNOWN: never closed. */
void given_range_row(struct given_ranges *g, const struct ks_range *row, const char *name);
/* A push/pop range of thread 1 of process 7 and the default domain. */
void given_range(struct given_ranges *g, ks_ns start, ks_ns end, const char *name);
void given_range_of(struct given_ranges *g, int64_t thread, int64_t domain, ks_ns start, ks_ns end,
		    const char *name);
void given_domain(struct given_ranges *g, int64_t thread, int64_t domain, const char *name);
void when_settled(struct given_ranges *g);
/* A launch whose call starts at that time. */
void given_call(struct given_ranges *g, int64_t thread, ks_ns at, ks_ns duration);
/* By projection, with all paths. */
void when_answered(struct given_ranges *g);
/* The phase, or a failed test; from the log, so that phases without kernel time are there too. */
struct ks_phase phase_of(struct given_ranges *g, int64_t domain, const char *name);

#endif
