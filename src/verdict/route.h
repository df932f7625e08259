/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of the questions a sentence means, in English or Chinese or both mixed. Deterministic, from
 * the rows of tables/intents.def alone; learns nothing and reads nothing.
 *
 * The sentence is folded (lower case, full-width forms, punctuation to blanks) and cut into Latin
 * words and runs of Chinese characters. A word of a concept is found when the stems are equal, or,
 * from six letters on, one slip apart; a Chinese one when it stands there, or, from four characters
 * on, when all but one of its character pairs do. An intent row whose concepts are all there gives
 * its weight; a keyword row gives KS_ROUTE_KEYWORD when it covers half of what carries meaning,
 * else KS_ROUTE_HINT. The score of a question is three times its best weight plus all its weights;
 * its best weight must reach KS_ROUTE_LEAST. Beside the questions stand the tasks
 * (tables/tasks.def), which have no weights: all words of an alternative are there, or they are
 * not.
 */
#ifndef KS_VERDICT_ROUTE_H
#define KS_VERDICT_ROUTE_H

#include "base/arena.h"
#include "tables/questions.h"

#define KS_ROUTES	 3    /* at most */
#define KS_ROUTE_TASKS	 2    /* at most */
#define KS_ROUTE_BYTES	 4096 /* of a sentence; what is behind is not read */
#define KS_ROUTE_KEYWORD 5
#define KS_ROUTE_HINT	 1
#define KS_ROUTE_LEAST	 4

struct ks_route {
	enum ks_question id;
	int score;
};
struct ks_route_task {
	enum ks_task id;
	ks_str name; /* the refusal code that the sentence names; lives as long as the program */
};
struct ks_route_tasks { /* rows of tables/tasks.def; a code first, then in the order of the table */
	struct ks_route_task task[KS_ROUTE_TASKS];
	size_t n;
};
struct ks_routes { /* best first; equal scores in the order of the table */
	struct ks_route route[KS_ROUTES];
	size_t n; /* 0: no question of ours */
	struct ks_route_tasks tasks;
};

/* Scratch memory comes from `a`; when that fails nothing matches and the arena says so. */
void ks_route_find(ks_str sentence, struct ks_arena *a, struct ks_routes *out);
/* Nothing but blanks and punctuation. */
bool ks_route_is_empty(ks_str sentence);

#endif
