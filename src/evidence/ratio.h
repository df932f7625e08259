/* SPDX-License-Identifier: Apache-2.0
 *
 * The two quotients that several outputs print beside exact sums. Here and not in a renderer, so
 * that every output says the same; never a division by nothing.
 */
#ifndef KS_EVIDENCE_RATIO_H
#define KS_EVIDENCE_RATIO_H

#include "base/base.h"

/* Percent of the whole; negative when there is no whole: no number then. */
double ks_share_pct(ks_ns part, ks_ns whole);
/* Sum over n; negative for none. */
double ks_mean_ns(ks_ns sum, uint64_t n);

#endif
