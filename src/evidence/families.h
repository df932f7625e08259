/* SPDX-License-Identifier: Apache-2.0
 *
 * The families of kernels a report has rows for, most time first. From the rows alone, so that a
 * report that was read back says the same.
 */
#ifndef KS_EVIDENCE_FAMILIES_H
#define KS_EVIDENCE_FAMILIES_H

#include "evidence/report.h"

#define KS_FAMILIES_MOST 64 /* the table has 17; the rest are the user's */

struct ks_family_line {
	ks_str slug;
	double kernel_ms, share_pct;
	uint64_t launches, kernels;
};

/* Fills `line`, which has KS_FAMILIES_MOST entries; returns how many. 0 when there are more, or
 * when one of them is refused: a list with a gap would look whole. */
size_t ks_report_families(const struct ks_report *r, struct ks_family_line *line);
/* The lines from number `shown` on as one; its slug is "". */
struct ks_family_line ks_families_rest(const struct ks_family_line *line, size_t n, size_t shown);

#endif
