/* SPDX-License-Identifier: Apache-2.0
 *
 * Shares and means of exact sums, as doubles. Rounds nothing.
 */
#include "evidence/ratio.h"

double ks_share_pct(ks_ns part, ks_ns whole)
{
	return whole > 0 ? 100.0 * (double)part / (double)whole : -1.0;
}

double ks_mean_ns(ks_ns sum, uint64_t n)
{
	return n > 0 ? (double)sum / (double)n : -1.0;
}
