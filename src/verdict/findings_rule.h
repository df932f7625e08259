/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside findings*.c only: a rule as --ks-rule writes it.
 */
#ifndef KS_VERDICT_FINDINGS_RULE_H
#define KS_VERDICT_FINDINGS_RULE_H

#include "verdict/findings.h"

struct ks_own_rule {
	ks_str name;
	enum ks_rule rule; /* of the table; NONE: the user's own */
	bool off;
	double least_pct; /* of a rule of the table */
	ks_str metric;
	bool above;
	double threshold;
};
/* Borrows from the text. */
enum ks_status ks_own_rule_read(ks_str text, struct ks_own_rule *out, struct ks_err *err);

#endif
