/* SPDX-License-Identifier: Apache-2.0
 *
 * --strict (contract 01 §8): what was asked for and is not in a finished report. Rules about
 * options that have no effect are not here: they need no report.
 */
#ifndef KS_VERDICT_STRICT_H
#define KS_VERDICT_STRICT_H

#include "base/arena.h"
#include "evidence/report.h"

struct ks_strict_name {		       /* one of --metrics */
	ks_str given;		       /* as it was typed */
	ks_str name;		       /* of the row that answers it */
	const struct ks_ncu_info *ncu; /* NULL: no name of ncu */
};

struct ks_strict_ask {
	const struct ks_strict_name *metric;
	size_t n_metrics;
	const bool *section_on; /* KS_SECTION_COUNT; those named, else those of the set */
	bool ledger, price, tokens;
};

struct ks_violation {
	enum ks_text text; /* arguments {0} and {1} */
	ks_str a, b;	   /* "" none; zero-terminated */
};

/* In the order of the rules: environment, metrics, sections, ledger, price, tokens. `list` lives in
 * the arena. NULL: no memory. */
const struct ks_violation *ks_strict_violations(const struct ks_report *r,
						const struct ks_strict_ask *ask, enum ks_lang lang,
						struct ks_arena *a, size_t *n);

#endif
