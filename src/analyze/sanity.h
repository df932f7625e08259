/* SPDX-License-Identifier: Apache-2.0
 *
 * The sanity pass (DESIGN §2.6): named rules over a finished report. A number that breaks a rule
 * becomes an inconsistent_evidence refusal that names it.
 */
#ifndef KS_ANALYZE_SANITY_H
#define KS_ANALYZE_SANITY_H

#include "evidence/report.h"

void ks_sanity_check(struct ks_report *r);
/* Of a report that was read: the bounds of single numbers. Sums are left alone, rows may be
 * missing. */
void ks_sanity_check_read(struct ks_report *r);
size_t ks_sanity_rules(void);
const char *ks_sanity_rule(size_t i);

#endif
