/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernel time by path of open NVTX ranges, for flame graphs.
 */
#ifndef KS_ANALYZE_FOLDED_H
#define KS_ANALYZE_FOLDED_H

#include "base/err.h"
#include "evidence/timeline.h"

struct ks_analysis;

/* Fills folded of the timeline: one line per path and kernel, sorted by text, of the kernels that
 * -k keeps. Launches with no range open stand under "(no range)". The times add up to the kernel
 * time of those kernels on the selected devices, clipped to the window. */
enum ks_status ks_folded_make(struct ks_analysis *a, struct ks_timeline *t, struct ks_err *err);

#endif
