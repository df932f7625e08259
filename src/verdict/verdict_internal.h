/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside verdict/ only: the parts ks_verdicts_make is put together from.
 */
#ifndef KS_VERDICT_VERDICT_INTERNAL_H
#define KS_VERDICT_VERDICT_INTERNAL_H

#include "verdict/verdict.h"

#define KS_VERDICT_FACTS 12
#define KS_VERDICT_MOST	 16 /* before the cap of KS_PACKET_VERDICTS */

struct ks_decide { /* one run of ks_verdicts_make */
	const struct ks_ctx *ctx;
	struct ks_arena *arena;
	const struct ks_report *report;
	const struct ks_kernel *top; /* NULL: no kernel */
	struct ks_verdict_row *row;  /* KS_VERDICT_MOST */
	size_t n;
};

struct ks_facts { /* of one verdict, while it is made */
	struct ks_kv *kv;
	size_t n;
};
bool ks_facts_open(struct ks_facts *f, struct ks_arena *a);
void ks_facts_add(struct ks_facts *f, const char *key, struct ks_value v);

/* Appends the ranking verdicts: kernel_time, saving_estimate_share, occupancy. */
void ks_verdict_rank(struct ks_decide *d);

/* premise.c: one reading; and rule 1 of 02 §6: a failed premise refuses its verdict. */
struct ks_premise_row ks_premise_row(enum ks_premise id, struct ks_value observed,
				     struct ks_value threshold, bool ok);
void ks_premise_degrade(struct ks_decide *d, struct ks_verdict_row *row);

/* unmeasured.c: groups and counts over the rows of the report's sections. False: no memory. */
bool ks_unmeasured_count(struct ks_decide *d, struct ks_verdicts *v);

/* protocol.c; "" when out of memory. */
ks_str ks_protocol_hash(const struct ks_decide *d);

/* finding.c */
struct ks_msg ks_finding(const struct ks_decide *d);
/* Why there is nothing to rank; `text` NONE when there are kernels. */
struct ks_nothing {
	enum ks_text finding, why, action;
	const char *cause, *command;
};
struct ks_nothing ks_nothing_to_rank(const struct ks_report *r);

#endif
