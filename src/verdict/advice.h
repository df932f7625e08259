/* SPDX-License-Identifier: Apache-2.0
 *
 * What to change first in a kernel: at most five directions, by what they can bring at most. Made
 * from evidence rows of that kernel and of the run as a whole, never from those of another kernel.
 * A direction whose effect no row bounds says so with a code instead of a guess.
 */
#ifndef KS_VERDICT_ADVICE_H
#define KS_VERDICT_ADVICE_H

#include "base/ctx.h"
#include "evidence/report.h"

#define KS_ADVICE_MOST	   5
#define KS_ADVICE_EVIDENCE 8

enum ks_effort { KS_EFFORT_LOW, KS_EFFORT_MEDIUM, KS_EFFORT_HIGH };

struct ks_advice {
	enum ks_text title;
	struct ks_msg what; /* what the rows say, with their numbers */
	enum ks_text how;   /* what to do about it */
	struct ks_msg step; /* the nearest step that changes anything; id NONE: not known */
	ks_id evidence[KS_ADVICE_EVIDENCE]; /* rows with a value */
	size_t n_evidence;
	double bound_ms;      /* it cannot bring more than this; < 0: not quantified */
	struct ks_msg impact; /* the bound and what it is, or what would have to be measured */
	enum ks_refusal not_quantified; /* why there is no bound; NONE with one */
	double touches_ms;		/* time it is about: orders directions without a bound */
	enum ks_effort effort;
	enum ks_text effort_why;
};

struct ks_advices {
	const struct ks_kernel *kernel;	       /* the one they are about */
	struct ks_advice item[KS_ADVICE_MOST]; /* bounds descending, then those without one */
	size_t n;
};

/* Called by ks_verdicts_make for the kernel with most time: a renderer finds the directions in
 * report->verdicts. Everything lives in ctx->run. KS_E_ENV when out of memory. */
enum ks_status ks_advice_make(const struct ks_ctx *ctx, const struct ks_report *r,
			      const struct ks_kernel *k, const struct ks_advices **advices,
			      struct ks_err *err);

#endif
