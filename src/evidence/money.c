/* SPDX-License-Identifier: Apache-2.0
 *
 * Units of money under the label of a report.
 */
#include "evidence/money.h"

const char *ks_report_unit(const struct ks_report *r, enum ks_unit unit)
{
	const struct ks_carried *c = r->carried;

	if (c && unit == KS_UNIT_CUR_PER_H && c->per_hour.n > 0)
		return c->per_hour.p;
	if (c && unit == KS_UNIT_CUR_PER_MTOKEN && c->per_mtoken.n > 0)
		return c->per_mtoken.p;
	return ks_unit_info(unit)->symbol;
}
