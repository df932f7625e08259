/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns of the tables as text for people: shared by capabilities, route and remedy.
 */
#ifndef KS_RENDER_ROUTE_WORDS_H
#define KS_RENDER_ROUTE_WORDS_H

#include "render/pen.h"
#include "tables/questions.h"

/* The text in the pen's language. */
ks_str ks_words_in(const struct ks_pen *p, const char *const text[2]);
/* A command with words in its places; in p->tmp. */
ks_str ks_words_command(struct ks_pen *p, const char *command);
/* The command of a task; in p->tmp. */
ks_str ks_words_task(struct ks_pen *p, enum ks_task id, ks_str name);
/* "a,b" as "a, b"; in p->tmp. */
ks_str ks_words_spaced(struct ks_pen *p, const char *commas);
/* A name of `indent` and `cols` columns, and a sentence wrapped beside it. */
struct ks_words_row {
	size_t indent, cols;
	enum ks_style style; /* of the name */
};
void ks_words_entry(struct ks_pen *p, const struct ks_words_row *row, const char *name,
		    ks_str sentence);

#endif
