/* SPDX-License-Identifier: Apache-2.0
 *
 * Which known bad patterns (tables/rules.def) a run shows, most time first, and for every other
 * rule whether it was looked for. Made from the rows ks__finding_* and ks__device_N__finding_*
 * alone, so that a report that was read back says the same.
 *
 * --ks-rule changes them: NAME=PCT another least share of the span in percent, NAME=off not at all;
 * NAME:METRIC>VALUE or NAME:METRIC<VALUE is a rule of the user's own about any number of the
 * report, in the metric's unit.
 */
#ifndef KS_VERDICT_FINDINGS_H
#define KS_VERDICT_FINDINGS_H

#include "base/ctx.h"
#include "evidence/report.h"

enum ks_finding_state {
	KS_FINDING_FOUND,
	KS_FINDING_BELOW, /* it is there, and takes less than the rule asks for */
	KS_FINDING_CLEAR, /* looked for, and not there */
	KS_FINDING_REFUSED,
	KS_FINDING_OFF,
};
struct ks_finding_row {
	enum ks_rule rule; /* NONE: one of the user's */
	ks_str slug;
	enum ks_finding_state state;
	bool asked;	  /* --ks-rule names it */
	int64_t device;	  /* label of the device it takes most of; -1: unknown, or of the run */
	double ms;	  /* of that device's time; 0 for a rule of the user's */
	double share_pct; /* ms in percent of the span */
	bool bounded;	  /* ms is the most that can be saved, and no other row's */
	double least_pct; /* of the span, to be a finding */
	uint64_t count;	  /* gaps, copies or launches */
	ks_str kernel, detail;		  /* "" where it is about none */
	const struct ks_refused *refused; /* of a refused one */
	enum ks_refusal no_bound;	  /* of a found one without a bound */
	/* of a rule of the user's */
	ks_str metric;
	double value, threshold;
	bool above; /* found above the threshold; else below */
	enum ks_unit unit;
};
struct ks_findings {
	const struct ks_finding_row *row; /* found ones first: the user's own, then bounds
					   descending, then the others */
	size_t n, n_found, n_below, n_clear, n_refused;
};

/* KS_E_USAGE for a text that is none of the forms above. */
enum ks_status ks_findings_check(const ks_str *rule, size_t n, struct ks_err *err);
/* From report->rule. *out NULL: the report has no such rows (the timeline was not asked for). */
enum ks_status ks_findings_make(const struct ks_ctx *ctx, const struct ks_report *r,
				const struct ks_findings **out, struct ks_err *err);
const char *ks_finding_state_name(enum ks_finding_state s);

#endif
