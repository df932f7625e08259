/* SPDX-License-Identifier: Apache-2.0
 *
 * The unit of a row as it is printed: sums of money carry the label their report gave. Converts
 * nothing.
 */
#ifndef KS_EVIDENCE_MONEY_H
#define KS_EVIDENCE_MONEY_H

#include "evidence/report.h"

/* "EUR/h" where the report names a currency, else the unit's own symbol. Zero-terminated. */
const char *ks_report_unit(const struct ks_report *r, enum ks_unit unit);

#endif
