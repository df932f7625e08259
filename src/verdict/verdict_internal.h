/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside verdict/ only: the parts ks_verdicts_make is put together from.
 */
#ifndef KS_VERDICT_VERDICT_INTERNAL_H
#define KS_VERDICT_VERDICT_INTERNAL_H

#include "verdict/verdict.h"

#define KS_VERDICT_FACTS 16 /* as many as a packet keeps of one object (clip.c) */
#define KS_VERDICT_MOST	 16 /* before the cap of KS_PACKET_VERDICTS; 15 ids exist */

/* A row and whose it is. */
struct ks_found {
	const struct ks_ev *ev;	       /* NULL: the report has no such row */
	const struct ks_kernel *owner; /* the pseudo kernel for rows of the device */
};

struct ks_decide { /* one run of ks_verdicts_make */
	const struct ks_ctx *ctx;
	struct ks_arena *arena;
	const struct ks_report *report;
	const struct ks_kernel *top; /* NULL: no kernel */
	struct ks_verdict_row *row;  /* KS_VERDICT_MOST */
	size_t n;
	struct ks_found *found; /* KS_METRIC_COUNT; NULL in a packet that is read back */
	const struct ks_kernel *roofline_of; /* whose roofline was decided; NULL: nobody's */
};

struct ks_facts { /* of one verdict, while it is made */
	struct ks_kv *kv;
	size_t n;
};
bool ks_facts_open(struct ks_facts *f, struct ks_arena *a);
void ks_facts_add(struct ks_facts *f, const char *key, struct ks_value v);
/* Only where there is a value. */
void ks_facts_add_row(struct ks_facts *f, const char *key, const struct ks_ev *ev);

/* --- decide.c: looking for rows, making a decision ------------------------------------------- */

/* Fills d->found: of rows with the same name one with a value comes before one without, then that
 * of the kernel with most time. False: no memory. */
bool ks_decide_look(struct ks_decide *d);
/* That row of the report; its ev is NULL when there is none. */
struct ks_found ks_decide_find(const struct ks_decide *d, enum ks_metric metric);
const struct ks_ev *ks_decide_ev(const struct ks_decide *d, enum ks_metric metric);
/* That row of one kernel, NULL when it has none. Two kernels of one name are told apart. */
const struct ks_ev *ks_decide_of(const struct ks_decide *d, const struct ks_kernel *k,
				 enum ks_metric metric);
/* That row of the top kernel, also where its section was not chosen. */
const struct ks_ev *ks_decide_stored(const struct ks_decide *d, enum ks_metric metric);
bool ks_decide_has_value(const struct ks_ev *ev);
bool ks_decide_is_number(const struct ks_ev *ev);
double ks_decide_real(const struct ks_ev *ev); /* of a row that is a number; 0 else */
/* Its label for money, "CNY" where the report names none: the default of --ks-currency. */
ks_str ks_decide_currency(const struct ks_decide *d);

struct ks_verdict_row *ks_decide_add(struct ks_decide *d, enum ks_verdict id,
				     enum ks_vstatus status);
void ks_decide_refuse(struct ks_verdict_row *row, const struct ks_refused *why);
/* Refused although a value is known: it stays as the fact uncitable_value. */
void ks_decide_withdraw(struct ks_decide *d, struct ks_verdict_row *row,
			const struct ks_refused *why);
void ks_decide_value(struct ks_verdict_row *row, const struct ks_ev *ev);
void ks_decide_facts(struct ks_verdict_row *row, const struct ks_facts *f);
void ks_decide_rests_on(struct ks_decide *d, struct ks_verdict_row *row,
			const struct ks_ev *const *ev, size_t n);

/* --- the decisions, a file a family, called in the order of contract 02 §6 -------------------- */

void ks_decide_kernel_time(struct ks_decide *d);
void ks_decide_occupancy(struct ks_decide *d);
#define KS_WORTH_IDLE_PCT 10.0 /* less is the launch overhead of any program */
/* What to try, by what the limit is; several at once (a+b) get the general advice. NONE where the
 * row is missing or no text. */
enum ks_text ks_occupancy_hint(const struct ks_ev *limiter);
/* The facts of a ranking by time: also those of a saving that is refused. */
void ks_decide_time_share(struct ks_decide *d, struct ks_facts *f);
void ks_decide_cost(struct ks_decide *d);
void ks_decide_truth(struct ks_decide *d);
void ks_decide_saving(struct ks_decide *d);
void ks_decide_dram(struct ks_decide *d);
void ks_decide_ledger(struct ks_decide *d);
void ks_decide_roofline(struct ks_decide *d);
void ks_decide_issue_slot(struct ks_decide *d);
void ks_decide_l2(struct ks_decide *d);
void ks_decide_over_peak(struct ks_decide *d);
void ks_decide_static_mix(struct ks_decide *d);
/* Whether a rate of that kernel, or one that nobody owns, is above what the hardware can do. */
bool ks_decide_is_over_peak(const struct ks_decide *d, const struct ks_kernel *k);

/* cost_assume.c: what an hour or a million tokens would cost if what was not stated were so; adds
 * nothing without a measured power. */
struct ks_assume {
	const struct ks_ev *per_hour, *tokens_s; /* NULL or without a value: not known */
	ks_str missing;				 /* code that stands first, "" none */
};
void ks_cost_assume(const struct ks_decide *d, const struct ks_assume *known, struct ks_facts *f);

/* --- premise.c: one reading; degrade.c: what follows from those that do not hold ---------------
 */

#define KS_PREMISES_MOST 5
struct ks_premise_row ks_premise_row(enum ks_premise id, struct ks_value observed,
				     struct ks_value threshold, bool ok);
/* A reading against its limit; a row that is missing or refused is a reading that failed. */
struct ks_premise_row ks_premise_at_least(enum ks_premise id, const struct ks_ev *ev, double least);
/* For people only: no limit. */
struct ks_premise_row ks_premise_told(enum ks_premise id, const struct ks_ev *ev);
bool ks_premises_open(struct ks_decide *d, struct ks_premise_row **list);
/* Rule 1 of 02 §6: a failed premise refuses its verdict. */
void ks_premise_degrade(struct ks_decide *d, struct ks_verdict_row *row);
/* Rules 1 to 3, in that order. */
void ks_decide_degrade(struct ks_decide *d);
/* Error bands and smallest differences of a selftest, where the report carries one. */
void ks_decide_bands(struct ks_decide *d);

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
