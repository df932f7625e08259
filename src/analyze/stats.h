/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums by name as nsys prints them, and single events in order of time: a sink of its own, because
 * these tables follow the grouping of that tool and not ours. Sums are exact integers; the median
 * comes from the sketch. Memory grows with names, never with rows; events spill.
 */
#ifndef KS_ANALYZE_STATS_H
#define KS_ANALYZE_STATS_H

#include "base/ctx.h"
#include "evidence/stats.h"
#include "model/trace.h"

struct ks_stats_sum;

/* NULL: no memory. */
struct ks_stats_sum *ks_stats_open(const struct ks_ctx *ctx, enum ks_stats_table table);
void ks_stats_close(struct ks_stats_sum *s);
/* Valid until close; asks for the rows the table needs and no others. */
const struct ks_sink *ks_stats_sink(struct ks_stats_sum *s);
/* After the stream. *out lives until close. */
enum ks_status ks_stats_finish(struct ks_stats_sum *s, const struct ks_stats **out,
			       struct ks_err *err);

#endif
