/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside analyze/ only: on which device, process and stream the launches of each kernel ran.
 */
#ifndef KS_ANALYZE_PLACE_H
#define KS_ANALYZE_PLACE_H

#include "analyze/analysis.h"

/* Gives every selected kernel its places. After the kernels and the report's list of GPUs. */
enum ks_status ks_places_build(struct ks_analysis *a, struct ks_err *err);

#endif
