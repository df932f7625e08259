/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside analyze/ only: what the rules of tables/rules.def found in a whole run: the claims on each
 * device's time, the parts of kernels' time that their launch configuration wastes, and why a rule
 * could not be looked for. Plain numbers; the rows are made by sec_findings.c.
 */
#ifndef KS_ANALYZE_FINDINGS_H
#define KS_ANALYZE_FINDINGS_H

#include "analyze/claims.h"
#include "analyze/emit.h"

struct ks_finding_sum {
	double ns;  /* of the device's time; of no other rule's */
	uint64_t n; /* gaps, copies or launches it is made of */
};
struct ks_finding_about {
	enum ks_refusal refusal; /* NONE: the rule was looked for */
	enum ks_text why;	 /* NONE: the sentence of the code */
	ks_str kernel;		 /* of a rule about kernels: the one with most of its time */
	ks_str detail;		 /* what about it, in words of this format; "" */
};
struct ks_finding_facts {
	size_t n_gpus;		    /* the report's used ones */
	struct ks_finding_sum *sum; /* n_gpus * KS_RULE_COUNT */
	struct ks_finding_about about[KS_RULE_COUNT];
};

/* Everything in the arena of the analysis. False: no memory. */
bool ks_findings_gather(struct ks_analysis *a, const struct ks_report *r,
			struct ks_finding_facts *f);
static inline struct ks_finding_sum *ks_finding_of(const struct ks_finding_facts *f, size_t gpu,
						   enum ks_rule rule)
{
	return &f->sum[gpu * KS_RULE_COUNT + rule];
}

/* findings_kernels.c: rules about launch configurations. */
bool ks_findings_kernels(struct ks_analysis *a, struct ks_finding_facts *f);

/* Of a grid on so many multiprocessors, the part of the time in which some of them wait for the
 * others, 0 to 1: blocks are dealt out evenly, the fullest multiprocessor ends last. */
double ks_finding_uneven(double blocks, double multiprocessors);
/* Of a grid of that many waves, the part that the last one leaves empty. */
double ks_finding_last_wave(double waves);
/* Of blocks of that many threads, the part of the warps' lanes that no thread has. */
double ks_finding_lanes(int64_t threads);

#endif
