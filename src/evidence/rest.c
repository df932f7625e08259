/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds up the tail of the kernel list. Exact integers; the share is of the report's own
 * denominator.
 */
#include "evidence/rest.h"

struct ks_rest ks_report_rest(const struct ks_report *r, size_t shown)
{
	struct ks_rest rest = { 0 };

	for (size_t i = shown; i < r->n_kernels; i++) {
		if (r->kernel[i].is_device || r->kernel[i].launches == 0)
			continue;
		rest.n++;
		rest.total_ns += r->kernel[i].total_ns;
		rest.launches += r->kernel[i].launches;
	}
	if (r->kernel_ns > 0)
		rest.share_pct = 100.0 * (double)rest.total_ns / (double)r->kernel_ns;
	return rest;
}

size_t ks_report_kernels(const struct ks_report *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_kernels; i++)
		n += !r->kernel[i].is_device && r->kernel[i].launches > 0;
	return n;
}

size_t ks_report_code_kernels(const struct ks_report *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_kernels; i++)
		n += !r->kernel[i].is_device && r->kernel[i].launches == 0;
	return n;
}
