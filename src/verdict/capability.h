/* SPDX-License-Identifier: Apache-2.0
 *
 * What a machine can answer, as a pure function of what it has (contract 06 §21). Reads nothing and
 * allocates nothing: the means come from evidence/host.h, or from a test.
 */
#ifndef KS_VERDICT_CAPABILITY_H
#define KS_VERDICT_CAPABILITY_H

#include "evidence/host.h"
#include "tables/questions.h"

struct ks_means {
	bool gpu, nvml, nsys, cuobjdump, ncu, nvbit;
	bool calibration, workload, memtrace, histogram, occupancy_probe, cubin;
	bool nvml_disabled; /* by the user: there, and not to be used */
	int64_t nvlinks;    /* active links of all devices; <= 0: none, or unknown */
	enum ks_counter_state counters;
	ks_str gpu_name; /* "" unknown */
	size_t n_gpus;
};

enum ks_answerable { KS_ANSWER_AVAILABLE, KS_ANSWER_DEGRADED, KS_ANSWER_REFUSED };

struct ks_answer {
	enum ks_question id;
	enum ks_answerable state;
	enum ks_refusal code; /* why it is refused; of a weak answer: what is missing */
};

struct ks_action { /* one thing to do, with what it unlocks, in the order of the questions */
	enum ks_refusal code;
	enum ks_question unlocks[KS_QUESTION_COUNT];
	size_t n_unlocks;
};

struct ks_capability {
	struct ks_means means;
	enum ks_tier tier;
	struct ks_answer answer[KS_QUESTION_COUNT]; /* in the order of the table */
	struct ks_action next[KS_QUESTION_COUNT];   /* cheapest per question unlocked first */
	size_t n_next;
};

/* Tiers stack: 2 and above need a GPU and nsys, 3 NVBit too, 4 counters that can be read. Refusals
 * that nothing can be done about are in no action. */
void ks_capability_judge(const struct ks_means *means, struct ks_capability *c);
/* What a machine has by itself: no file of a run counts. */
struct ks_means ks_capability_means(const struct ks_host *host, enum ks_counter_state counters);

/* Whether doing it lets this version answer something from a recording made here. */
bool ks_action_helps_now(const struct ks_action *a);
/* The one to show a person: the first that helps now; NULL when none does. */
const struct ks_action *ks_capability_first(const struct ks_capability *c);

const char *ks_answerable_name(enum ks_answerable s); /* "available", "degraded", "refused" */

#endif
