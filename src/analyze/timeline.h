/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside analyze/ only: joins what the modules of the timeline know into one struct ks_timeline.
 */
#ifndef KS_ANALYZE_TIMELINE_H
#define KS_ANALYZE_TIMELINE_H

#include "analyze/analysis.h"

/* Opens the modules the selection asks for and settles a window of times. KS_E_ENV: no memory. */
enum ks_status ks_timeline_open(struct ks_analysis *a, struct ks_err *err);
void ks_timeline_close(struct ks_analysis *a);
/* After the kernels are built: sorts launches, runs the sweep, counts them into the NVTX ranges.
 * Without a timeline it only checks nothing and returns. */
enum ks_status ks_timeline_run(struct ks_analysis *a, struct ks_err *err);
/* After the report's GPUs are made: fills report->timeline. */
enum ks_status ks_timeline_build(struct ks_analysis *a, struct ks_report *r, struct ks_err *err);

#endif
