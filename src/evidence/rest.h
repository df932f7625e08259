/* SPDX-License-Identifier: Apache-2.0
 *
 * What a list that shows only its first entries leaves out. Here and not in a renderer, so that
 * every output says the same.
 */
#ifndef KS_EVIDENCE_REST_H
#define KS_EVIDENCE_REST_H

#include "evidence/report.h"

struct ks_rest {
	size_t n; /* kernels, the pseudo kernel of the device rows not counted */
	ks_ns total_ns;
	uint64_t launches;
	double share_pct; /* of all kernel time of the selected devices; 0 when there is none */
};

/* The kernels of the report from number `shown` on. */
struct ks_rest ks_report_rest(const struct ks_report *r, size_t shown);
/* Kernels without the pseudo kernel, and without those of device code that nothing launched: they
 * come first. */
size_t ks_report_kernels(const struct ks_report *r);
/* Those of device code, which come next. */
size_t ks_report_code_kernels(const struct ks_report *r);

#endif
