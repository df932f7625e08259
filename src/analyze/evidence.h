/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside analyze/ only: from kernels and totals to the evidence and the notes of the report.
 */
#ifndef KS_ANALYZE_EVIDENCE_H
#define KS_ANALYZE_EVIDENCE_H

#include "analyze/analysis.h"

/* Makes report->kernel with all sections, "(device)" last, and runs the sanity pass. */
enum ks_status ks_evidence_build(struct ks_analysis *a, struct ks_report *r, struct ks_err *err);
/* Notes and source lines. */
enum ks_status ks_notes_build(struct ks_analysis *a, struct ks_report *r, struct ks_err *err);
/* The report's view of the launch log; needs r->kernel. */
enum ks_status ks_rows_open(struct ks_analysis *a, struct ks_report *r, struct ks_err *err);

#endif
