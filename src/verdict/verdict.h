/* SPDX-License-Identifier: Apache-2.0
 *
 * Decisions from evidence. Invents no number: every value and fact is taken from the report.
 */
#ifndef KS_VERDICT_VERDICT_H
#define KS_VERDICT_VERDICT_H

#include "base/ctx.h"
#include "evidence/report.h"

enum ks_vstatus { KS_VERDICT_STATUS_OK, KS_VERDICT_STATUS_SOFT, KS_VERDICT_STATUS_REFUSED };

struct ks_premise_row {
	enum ks_premise id;
	ks_str name;
	struct ks_value observed, threshold; /* KS_V_NONE: unreadable / no threshold */
	enum ks_unit unit;
	ks_str unit_text; /* re-read only: a unit that this version does not know; else "" */
	bool ok;
};
struct ks_verdict_row {
	enum ks_verdict id;
	ks_str name;
	enum ks_vstatus status;
	bool actionable;
	struct ks_value value;
	enum ks_unit unit;
	ks_str unit_text; /* as in a premise */
	enum ks_prov prov;
	const struct ks_kv *fact;
	size_t n_facts;
	const struct ks_premise_row *premise;
	size_t n_premises;
	const struct ks_refused *refused;
	struct ks_msg next;   /* hint, id NONE if none */
	const ks_str *metric; /* names of the evidence it rests on */
	size_t n_metrics;
	double mdd; /* < 0 none */
	const struct ks_kv *band;
	size_t n_band;
};
struct ks_unmeasured { /* refusals grouped by code */
	enum ks_refusal code;
	size_t count; /* distinct metric names */
	ks_str example[2];
	size_t n_examples;
	const struct ks_refused *first;
	ks_str slug; /* of the code; also of one that this version does not know */
};
struct ks_next {
	enum ks_verdict for_verdict; /* NONE for an unmeasured group */
	enum ks_refusal code;	     /* NONE for a hint */
	struct ks_msg hint;
	ks_str for_name; /* id of the verdict, or the code of a group */
	ks_str slug;	 /* of the code, "" for a hint */
};

struct ks_advices;  /* verdict/advice.h */
struct ks_findings; /* verdict/findings.h */

struct ks_verdicts {
	const struct ks_verdict_row *row;
	size_t n;
	const struct ks_unmeasured *unmeasured; /* by count descending, then code */
	size_t n_unmeasured;
	const struct ks_next *next;
	size_t n_next;
	size_t measured_metrics, unmeasured_metrics; /* distinct names with / without a value */
	struct ks_msg
		finding;      /* the one line that matters most: first line of every human output */
	ks_str protocol_hash; /* "sha256:0123456789abcdef" (02 §7) */
	int tier;	      /* capability tier of the evidence at hand */
	const char *tier_name;
	ks_str tier_note;	/* of the documents' language; "" none */
	enum ks_text tier_text; /* the same in any language; KS_TEXT_NONE: a packet brought it */
	ks_str counter_state;
	const ks_str *blocked_by; /* codes that stand before the next tier */
	size_t n_blocked_by;
	/* what to change first in the kernel with most time; NULL: no kernel, as in a packet */
	const struct ks_advices *advice;
	const struct ks_findings *findings; /* known bad patterns; NULL: not looked for */
};

/* The argument of a finding that is the slug of a limiter ("registers+shared_mem"). */
#define KS_FINDING_LIMITER 6

/* The order of contract 02 §6 over finished rows and groups: refused verdicts, hints, groups; each
 * code and each hint once, at most `max`. Returns how many. */
size_t ks_next_order(const struct ks_verdict_row *row, size_t n, const struct ks_unmeasured *group,
		     size_t n_groups, struct ks_next *next, size_t max);
const char *ks_vstatus_name(enum ks_vstatus s); /* "ok", "soft", "refused" */

/* The selftest that the report carries; NULL without one, or where it is of another GPU than the
 * launches: what one card's readings scatter by says nothing of another's. */
const struct ks_selfcheck *ks_selfcheck_of(const struct ks_report *r);

/* Adds report->verdicts. Everything lives in ctx->run. */
enum ks_status ks_verdicts_make(const struct ks_ctx *ctx, struct ks_report *report,
				struct ks_err *err);

#endif
