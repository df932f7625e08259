/* SPDX-License-Identifier: Apache-2.0
 *
 * The quotients that several outputs print beside exact sums. Here and not in a renderer, so
 * that every output says the same; never a division by nothing.
 */
#ifndef KS_EVIDENCE_RATIO_H
#define KS_EVIDENCE_RATIO_H

#include "evidence/report.h"

/* Percent of the whole; negative when there is no whole: no number then. */
double ks_share_pct(ks_ns part, ks_ns whole);
/* Sum over n; negative for none. */
double ks_mean_ns(ks_ns sum, uint64_t n);

/* Whether the published original made it (0.1.x, 0.2.x). */
bool ks_report_is_original(const struct ks_report *r);
/* Kernel time in % of the span. Negative where there is no such share: kernels of several devices
 * take it above 100 %, the span of the original's reports is its own run time, that of the
 * synthetic trace is made up. */
double ks_report_kernel_time_pct(const struct ks_report *r);

#endif
