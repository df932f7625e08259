/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside analyze/ only: the curves of --format occupancy-svg and occupancy-csv.
 */
#ifndef KS_ANALYZE_OCCPICTURE_H
#define KS_ANALYZE_OCCPICTURE_H

#include "analyze/analysis.h"

/* Makes r->occupancy of the first kernel of the report and its dominant configuration; needs the
 * rows. What the rows refuse is refused here by the same code. */
enum ks_status ks_occ_picture_make(struct ks_analysis *a, struct ks_report *r, struct ks_err *err);

#endif
