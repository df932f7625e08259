/* SPDX-License-Identifier: Apache-2.0
 *
 * Look-ups over questions.def, intents.def, refusal_causes.def, topics.def and tasks.def. Rows
 * only: what a machine can answer and what a sentence means is verdict's.
 */
#ifndef KS_TABLES_QUESTIONS_H
#define KS_TABLES_QUESTIONS_H

#include "tables/tables.h"

/* What a question needs. A missing one refuses in the order of the bits; CALIBRATION and WORKLOAD
 * only weaken the answer; OR_CUBIN: a cubin with cuobjdump answers it as well. */
enum ks_need {
	KS_NEED_GPU = 1 << 0,
	KS_NEED_NVML = 1 << 1,
	KS_NEED_NSYS = 1 << 2,
	KS_NEED_NVBIT = 1 << 3,
	KS_NEED_MEMTRACE = 1 << 4,
	KS_NEED_HISTOGRAM = 1 << 5,
	KS_NEED_OCC_PROBE = 1 << 6,
	KS_NEED_NVLINK = 1 << 7,
	KS_NEED_COUNTERS = 1 << 8,
	KS_NEED_CUBIN = 1 << 9,
	KS_NEED_CALIBRATION = 1 << 10,
	KS_NEED_WORKLOAD = 1 << 11,
	KS_NEED_OR_CUBIN = 1 << 12
};

struct ks_question_info {
	const char *slug;
	enum ks_tier tier;
	unsigned needs;
	bool now;	      /* this version answers it from a recording */
	const char *outputs;  /* metric names, commas between */
	const char *command;  /* works in this version; {input} as in a remedy */
	const char *failures; /* codes, commas between */
	const char *question[2], *how[2], *rests[2], *instead[2];
};
const struct ks_question_info *ks_question_info(enum ks_question q); /* q: 0 .. COUNT - 1 */
bool ks_question_find(ks_str slug, enum ks_question *q);
size_t ks_question_now_count(void); /* how many this version answers from a recording */

/* A word list of one meaning: English words (stems are compared) and Chinese words. */
struct ks_concept_info {
	const char *name, *en, *zh; /* words, commas between; a blank inside makes a phrase */
};
size_t ks_concept_count(void);
const struct ks_concept_info *ks_concept_at(size_t i);

/* All concepts of a row together point at a question. */
struct ks_intent_info {
	enum ks_question question;
	int weight;
	const char *concepts; /* names, blanks between; "!NAME": must not be there */
};
size_t ks_intent_count(void);
const struct ks_intent_info *ks_intent_at(size_t i);

/* The original's keyword of a question: enough alone when it is most of what was asked. */
struct ks_keyword_info {
	enum ks_question question;
	const char *words; /* commas between */
};
size_t ks_keyword_count(void);
const struct ks_keyword_info *ks_keyword_at(size_t i);

/* Words that carry no meaning of their own ("what", "please"), commas between. */
const char *ks_stop_words(enum ks_lang lang);

/* When a code is raised, in which group a list shows it, and which part of the program raises it:
 * KS_PART_NOW is in this version, any other is named by what is missing. */
struct ks_cause_info {
	enum ks_cause_group group;
	enum ks_part part;
	const char *when[2];
};
const struct ks_cause_info *ks_cause_info(enum ks_refusal r);
const char *ks_cause_group_title(enum ks_cause_group g, enum ks_lang lang);
const char *ks_part_text(enum ks_part p, enum ks_lang lang); /* "" for NOW */

struct ks_topic_info {
	const char *name;
	const char *title[2];
	const char
		*page[2]; /* lines to be filled; one that starts with a blank is shown as it is */
};
const struct ks_topic_info *ks_topic_info(enum ks_topic t);
bool ks_topic_find(ks_str name, enum ks_topic *t);

/* What people come for that is no question about a number; the command does it. */
struct ks_task_info {
	const char *slug, *command; /* {input} and {name} stand for words */
	const char *title[2];	    /* goes on from "To" */
	const char
		*words; /* of `route`: alternatives with commas, a plus where two belong together */
};
const struct ks_task_info *ks_task_info(enum ks_task t);
/* Appends the command; `name` is a word a shell reads, empty where it needs none. */
void ks_task_command(struct ks_buf *b, enum ks_task t, ks_str name);

#endif
