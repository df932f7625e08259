/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rows of tasks.def a sentence asks for, and the refusal code it names. Weighs nothing: a row
 * is meant when all words of one of its alternatives stand there.
 */
#include "verdict/route_task.h"

#include "base/str.h"

static bool all_words(const struct ks_sentence *s, ks_str words)
{
	while (words.p != NULL) {
		if (ks_sentence_has(s, ks_str_cut(&words, '+')) == 0)
			return false;
	}
	return true;
}

static bool one_alternative(const struct ks_sentence *s, const char *alternatives)
{
	ks_str rest = ks_str_c(alternatives);

	while (rest.p != NULL && rest.n > 0) {
		if (all_words(s, ks_str_cut(&rest, ',')))
			return true;
	}
	return false;
}

static void add(struct ks_route_tasks *out, enum ks_task id, ks_str name)
{
	if (out->n < KS_ROUTE_TASKS)
		out->task[out->n++] = (struct ks_route_task){ id, name };
}

static bool of_a_code(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* A code is written with its underscores; "no price" in words is no code. */
static void find_code(ks_str sentence, struct ks_route_tasks *out)
{
	for (size_t i = 0; i < sentence.n;) {
		const size_t from = i;
		enum ks_refusal code;

		while (i < sentence.n && of_a_code(sentence.p[i]))
			i++;
		const ks_str word = { sentence.p + from, i - from };

		if (memchr(word.p, '_', word.n) != NULL && ks_refusal_find(word, &code)) {
			add(out, KS_TASK_CODE, ks_str_c(ks_refusal_info(code)->slug));
			return;
		}
		if (i == from)
			i++;
	}
}

void ks_route_find_tasks(ks_str sentence, const struct ks_sentence *s, struct ks_route_tasks *out)
{
	*out = (struct ks_route_tasks){ .n = 0 };
	find_code(sentence, out);
	for (unsigned t = 0; t < KS_TASK_COUNT; t++) {
		if (one_alternative(s, ks_task_info((enum ks_task)t)->words))
			add(out, (enum ks_task)t, KS_STR_NONE);
	}
}
