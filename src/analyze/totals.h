/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside analyze/ only: totals that are not about one kernel.
 */
#ifndef KS_ANALYZE_TOTALS_H
#define KS_ANALYZE_TOTALS_H

#include "analyze/analysis.h"

/* Labels the devices, applies --devices, sums tracks per device. Before kernels are built. */
enum ks_status ks_totals_devices(struct ks_analysis *a, struct ks_err *err);
/* The span of the report: of the trace's work, cut to the window. */
void ks_totals_span(const struct ks_analysis *a, ks_ns *from, ks_ns *to);
/* The same of the whole trace; 0 and 0 when no row has a time. */
void ks_totals_whole_span(const struct ks_analysis *a, ks_ns *from, ks_ns *to);
/* Span, contents, GPUs, processes and streams of the report. r->ev must be open. */
enum ks_status ks_totals_report(struct ks_analysis *a, struct ks_report *r, struct ks_err *err);

#endif
