/* SPDX-License-Identifier: Apache-2.0
 *
 * The error of a kernel choice that fits no kernel of a report. Chooses nothing itself.
 */
#ifndef KS_CMD_NOMATCH_H
#define KS_CMD_NOMATCH_H

#include "analyze/analyze.h"
#include "analyze/select.h"
#include "base/arena.h"

struct ks_nomatch {
	ks_str asked; /* NAME or regex:PATTERN */
	bool pattern; /* it is a pattern: nothing is near, those with most time are named */
	enum ks_name_base base;
	const char *path;
	enum ks_text name_text, pattern_text; /* {0} asked, {1} path, {2} names */
	size_t max;			      /* most names */
};

/* KS_E_NOMATCH, or KS_E_ENV without memory. */
enum ks_status ks_nomatch(struct ks_arena *a, const struct ks_nomatch *what,
			  const struct ks_report *r, struct ks_err *err);

/* The name of a kernel that a choice looks at. */
ks_str ks_match_name(const struct ks_kernel *k, enum ks_name_base base);
/* Whether a choice means the kernel: by its name, or by what a redacted report calls it. `redact`
 * may be NULL. */
enum ks_status ks_match_kernel(struct ks_matcher *m, struct ks_redact *redact,
			       const struct ks_kernel *k, enum ks_name_base base, bool *hit,
			       struct ks_err *err);

#endif
