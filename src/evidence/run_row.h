/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows that stand for the run as a whole, not for one kernel: they belong to the pseudo kernel
 * "(device)". Looked up by name, which for rows of one device holds its number.
 */
#ifndef KS_EVIDENCE_RUN_ROW_H
#define KS_EVIDENCE_RUN_ROW_H

#include "evidence/report.h"

/* The pseudo kernel; NULL when the report has no such rows. */
const struct ks_kernel *ks_run_row_owner(const struct ks_report *r);
/* NULL: there is no row of that name; one that was refused is a row. */
const struct ks_ev *ks_run_row_find(const struct ks_report *r, const char *name);
/* The row ks__device_N__WHAT of device N, its label. */
const struct ks_ev *ks_run_row_of_device(const struct ks_report *r, int64_t label,
					 const char *what);

#endif
