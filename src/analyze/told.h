/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside analyze/ only: names that a sink wishes for while rows stream in and is told afterwards,
 * each once. What find, show, stats and ncu-command keep of a reading; the report has a table of
 * its own, because it hides names.
 */
#ifndef KS_ANALYZE_TOLD_H
#define KS_ANALYZE_TOLD_H

#include "base/arena.h"
#include "base/map.h"
#include "model/trace.h"

struct ks_told {
	struct ks_map refs; /* ks_nameref */
	ks_str *text;	    /* by number of the reference; "" until told */
	size_t text_cap;
	ks_nameref *wish; /* what was not told yet */
	size_t n_wish, wish_cap;
};

void ks_told_init(struct ks_told *t);
void ks_told_release(struct ks_told *t);
/* For another reading of the file: nothing is wished for, numbers begin again. */
void ks_told_reset(struct ks_told *t);
/* False: no memory, or more names than KS_LIMIT_KERNEL_NAMES allows. 0 is no name. */
bool ks_told_wish(struct ks_told *t, ks_nameref ref);
/* KS_MAP_NONE: 0, or never wished for. */
uint32_t ks_told_number(const struct ks_told *t, ks_nameref ref);
/* "" for 0, for a name nobody wished for or told, and where there was no memory for the wish. */
ks_str ks_told_text(const struct ks_told *t, ks_nameref ref);
/* As ks_sink_ops.wanted and .name. The text is copied into the arena, which may fail. */
void ks_told_wanted(const struct ks_told *t, const ks_nameref **ref, size_t *n);
void ks_told_tell(struct ks_told *t, struct ks_arena *arena, ks_nameref ref, ks_str text);

#endif
