/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside analyze/ only: totals that are not about one kernel.
 */
#ifndef KS_ANALYZE_TOTALS_H
#define KS_ANALYZE_TOTALS_H

#include "analyze/analysis.h"

/* Labels the devices, applies --devices, sums tracks per device. Before kernels are built. */
enum ks_status ks_totals_devices(struct ks_analysis *a, struct ks_err *err);
/* Span, contents, GPUs, processes and streams of the report. r->ev must be open. */
enum ks_status ks_totals_report(struct ks_analysis *a, struct ks_report *r, struct ks_err *err);

#endif
