/* SPDX-License-Identifier: Apache-2.0
 *
 * Shares and means of exact sums, as doubles. Rounds nothing.
 */
#include "evidence/ratio.h"

#include "base/str.h"

double ks_share_pct(ks_ns part, ks_ns whole)
{
	return whole > 0 ? 100.0 * (double)part / (double)whole : -1.0;
}

double ks_mean_ns(ks_ns sum, uint64_t n)
{
	return n > 0 ? (double)sum / (double)n : -1.0;
}

bool ks_report_is_original(const struct ks_report *r)
{
	return ks_str_starts(r->tool_version, "0.1.") || ks_str_starts(r->tool_version, "0.2.");
}

double ks_report_kernel_time_pct(const struct ks_report *r)
{
	if (r->synthetic || r->n_gpus_used != 1 || ks_report_is_original(r))
		return -1.0;
	return ks_share_pct(r->kernel_ns, r->span_ns);
}
