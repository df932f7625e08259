/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of questions.def, intents.def, refusal_causes.def, topics.def and tasks.def. Interprets
 * none.
 */
#include "tables/questions.h"

#include "tables/find.h"

#define ANSWERED_NOW   true
#define ANSWERED_LATER false

static const struct ks_question_info questions[KS_QUESTION_COUNT] = {
#define KS_QUESTION(id, sl, ti, nd, offer, out, cmd, fail, qen, qzh, hen, hzh, ren, rzh, ien, izh) \
	[KS_QUESTION_##id] = { .slug = (sl),                                                       \
			       .tier = KS_TIER_##ti,                                               \
			       .needs = (nd),                                                      \
			       .now = ANSWERED_##offer,                                            \
			       .outputs = (out),                                                   \
			       .command = (cmd),                                                   \
			       .failures = (fail),                                                 \
			       .question = { (qen), (qzh) },                                       \
			       .how = { (hen), (hzh) },                                            \
			       .rests = { (ren), (rzh) },                                          \
			       .instead = { (ien), (izh) } },
#include "tables/questions.def"
#undef KS_QUESTION
};

static const struct ks_concept_info concepts[] = {
#define KS_CONCEPT(nm, words_en, words_zh) { (nm), (words_en), (words_zh) },
#include "tables/intents.def"
};

static const struct ks_intent_info intents[] = {
#define KS_INTENT(q, w, list) { KS_QUESTION_##q, (w), (list) },
#include "tables/intents.def"
};

static const struct ks_keyword_info keywords[] = {
#define KS_KEYWORD(q, list) { KS_QUESTION_##q, (list) },
#include "tables/intents.def"
};

static const char *const stop[KS_LANG_COUNT] = {
#define KS_STOP(en, zh) [KS_LANG_EN] = (en), [KS_LANG_ZH] = (zh),
#include "tables/intents.def"
};

static const struct ks_cause_info causes[KS_REFUSAL_COUNT] = {
	[KS_REFUSAL_NONE] = { .when = { "", "" } },
#define KS_CAUSE(id, gr, pt, en, zh)                                                               \
	[KS_REFUSAL_##                                                                             \
		id] = { .group = KS_CAUSE_##gr, .part = KS_PART_##pt, .when = { (en), (zh) } },
#include "tables/refusal_causes.def"
};

static const char *const cause_groups[KS_CAUSE_COUNT][KS_LANG_COUNT] = {
#define KS_CAUSE_GROUP(id, en, zh) [KS_CAUSE_##id] = { (en), (zh) },
#include "tables/refusal_causes.def"
};

static const char *const parts[KS_PART_COUNT][KS_LANG_COUNT] = {
#define KS_PART(id, en, zh) [KS_PART_##id] = { (en), (zh) },
#include "tables/refusal_causes.def"
};

static const struct ks_topic_info topics[KS_TOPIC_COUNT] = {
#define KS_TOPIC(id, nm, ten, tzh, pen, pzh)                                                       \
	[KS_TOPIC_##id] = { .name = (nm), .title = { (ten), (tzh) }, .page = { (pen), (pzh) } },
#include "tables/topics.def"
#undef KS_TOPIC
};

static const struct ks_task_info tasks[KS_TASK_COUNT] = {
#define KS_TASK(id, sl, cmd, en, zh, wd)                                                           \
	[KS_TASK_##id] = { .slug = (sl), .command = (cmd), .title = { (en), (zh) }, .words = (wd) },
#include "tables/tasks.def"
#undef KS_TASK
};

const struct ks_question_info *ks_question_info(enum ks_question q)
{
	return &questions[(unsigned)q < KS_QUESTION_COUNT ? q : KS_QUESTION_KERNEL_TIME];
}

bool ks_question_find(ks_str slug, enum ks_question *q)
{
	for (unsigned i = 0; i < KS_QUESTION_COUNT; i++) {
		if (ks_name_cmp(slug, questions[i].slug) == 0) {
			*q = (enum ks_question)i;
			return true;
		}
	}
	return false;
}

size_t ks_question_now_count(void)
{
	size_t n = 0;

	for (unsigned i = 0; i < KS_QUESTION_COUNT; i++)
		n += questions[i].now && (questions[i].needs & KS_NEED_CUBIN) == 0;
	return n;
}

size_t ks_concept_count(void)
{
	return KS_ARRAY_LEN(concepts);
}

const struct ks_concept_info *ks_concept_at(size_t i)
{
	return &concepts[i < KS_ARRAY_LEN(concepts) ? i : 0];
}

size_t ks_intent_count(void)
{
	return KS_ARRAY_LEN(intents);
}

const struct ks_intent_info *ks_intent_at(size_t i)
{
	return &intents[i < KS_ARRAY_LEN(intents) ? i : 0];
}

size_t ks_keyword_count(void)
{
	return KS_ARRAY_LEN(keywords);
}

const struct ks_keyword_info *ks_keyword_at(size_t i)
{
	return &keywords[i < KS_ARRAY_LEN(keywords) ? i : 0];
}

const char *ks_stop_words(enum ks_lang lang)
{
	return stop[lang == KS_LANG_ZH ? KS_LANG_ZH : KS_LANG_EN];
}

const struct ks_cause_info *ks_cause_info(enum ks_refusal r)
{
	return &causes[(unsigned)r < KS_REFUSAL_COUNT ? r : KS_REFUSAL_NONE];
}

const char *ks_cause_group_title(enum ks_cause_group g, enum ks_lang lang)
{
	return cause_groups[(unsigned)g < KS_CAUSE_COUNT ? g : 0][lang == KS_LANG_ZH];
}

const char *ks_part_text(enum ks_part p, enum ks_lang lang)
{
	return parts[(unsigned)p < KS_PART_COUNT ? p : 0][lang == KS_LANG_ZH];
}

const struct ks_topic_info *ks_topic_info(enum ks_topic t)
{
	return &topics[(unsigned)t < KS_TOPIC_COUNT ? t : 0];
}

bool ks_topic_find(ks_str name, enum ks_topic *t)
{
	for (unsigned i = 0; i < KS_TOPIC_COUNT; i++) {
		if (ks_name_cmp(name, topics[i].name) == 0) {
			*t = (enum ks_topic)i;
			return true;
		}
	}
	return false;
}

const struct ks_task_info *ks_task_info(enum ks_task t)
{
	return &tasks[(unsigned)t < KS_TASK_COUNT ? t : 0];
}

void ks_task_command(struct ks_buf *b, enum ks_task t, ks_str name)
{
	ks_command_fill(b, ks_task_info(t)->command, &(struct ks_command_words){ .name = name });
}
