/* SPDX-License-Identifier: Apache-2.0
 *
 * The one place where a number changes its unit.
 */
#ifndef KS_EVIDENCE_UNIT_H
#define KS_EVIDENCE_UNIT_H

#include "tables/tables.h"

/* *v from one unit to another of the same dimension; false (and *v untouched) when they differ. */
bool ks_unit_convert(enum ks_unit from, enum ks_unit to, double *v) KS_MUST_USE;
/* A unit as a report has it: our symbols and the words of reports by the original. */
bool ks_unit_read(ks_str word, enum ks_unit *u);

#endif
