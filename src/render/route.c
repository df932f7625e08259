/* SPDX-License-Identifier: Apache-2.0
 *
 * Routes for people: the command first, then what the answer rests on and what may stand in its
 * way.
 */
#include "render/route.h"

#include "base/str.h"
#include "render/route_words.h"

#define NAME_COLUMNS 24
#define INDENT	     3

static void one(struct ks_pen *p, size_t rank, enum ks_question id)
{
	const struct ks_question_info *q = ks_question_info(id);

	ks_pen_wrap(p, &(struct ks_wrap){ .style = KS_STYLE_BOLD, .hang = INDENT },
		    KS_PEN_SAY(p, KS_TEXT_ROUTE_ITEM, ks_pen_u64(p, rank),
			       ks_words_in(p, q->question), ks_str_c(q->slug)));
	ks_pen_spaces(p, INDENT);
	ks_pen_put(p, KS_STYLE_ACCENT, ks_words_command(p, q->command));
	ks_pen_nl(p);
	ks_pen_labelled(p, INDENT, q->now ? KS_TEXT_ROUTE_RESTS : KS_TEXT_ROUTE_NOT_YET,
			ks_words_in(p, q->rests));
	if (rank > 1)
		return;
	ks_pen_labelled(p, INDENT, KS_TEXT_ROUTE_ANSWERS, ks_words_spaced(p, q->outputs));
	ks_pen_labelled(p, INDENT, KS_TEXT_ROUTE_INSTEAD, ks_words_in(p, q->instead));
	ks_pen_labelled(p, INDENT, KS_TEXT_ROUTE_FAILS, ks_words_spaced(p, q->failures));
}

/* What is to be done, and the command that does it. */
static void tasks(struct ks_pen *p, const struct ks_route_tasks *t)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct ks_route_task *task = &t->task[i];

		ks_pen_wrap(p, &(struct ks_wrap){ .style = KS_STYLE_BOLD, .hang = INDENT },
			    KS_PEN_SAY(p, KS_TEXT_ROUTE_TASK,
				       ks_words_in(p, ks_task_info(task->id)->title)));
		ks_pen_spaces(p, INDENT);
		ks_pen_put(p, KS_STYLE_ACCENT, ks_words_task(p, task->id, task->name));
		ks_pen_nl(p);
	}
}

static void env_note(struct ks_pen *p, const struct ks_answer *a)
{
	if (a->state == KS_ANSWER_AVAILABLE)
		return;
	ks_pen_labelled(p, INDENT, KS_TEXT_ROUTE_HERE,
			KS_PEN_SAY(p,
				   ks_question_info(a->id)->now ? KS_TEXT_ROUTE_LACKS_NOW
								: KS_TEXT_ROUTE_LACKS,
				   ks_words_in(p, ks_refusal_info(a->code)->title)));
}

static void more(struct ks_pen *p)
{
	ks_pen_wrap(p, &(struct ks_wrap){ .style = KS_STYLE_DIM },
		    KS_PEN_WORD(p, KS_TEXT_ROUTE_MORE));
}

static void list(struct ks_pen *p)
{
	for (unsigned i = 0; i < KS_QUESTION_COUNT; i++) {
		const struct ks_question_info *q = ks_question_info((enum ks_question)i);

		ks_words_entry(p,
			       &(struct ks_words_row){ 2, NAME_COLUMNS,
						       q->now ? KS_STYLE_GOOD : KS_STYLE_PLAIN },
			       q->slug,
			       q->now ? ks_words_in(p, q->question)
				      : KS_PEN_SAY(p, KS_TEXT_ROUTE_LIST_LATER,
						   ks_words_in(p, q->question)));
	}
	more(p);
}

static struct ks_pen pen_of(const struct ks_ctx *ctx, const struct ks_view *v, struct ks_out *out)
{
	return (struct ks_pen){ .out = out, .term = &v->term, .lang = v->lang, .tmp = ctx->run };
}

enum ks_status ks_route_list_text(const struct ks_ctx *ctx, const struct ks_view *v,
				  struct ks_out *out, struct ks_err *err)
{
	struct ks_pen p = pen_of(ctx, v, out);

	list(&p);
	return ks_pen_done(&p, err);
}

enum ks_status ks_route_text(const struct ks_ctx *ctx, const struct ks_route_page *page,
			     const struct ks_view *v, struct ks_out *out, struct ks_err *err)
{
	struct ks_pen p = pen_of(ctx, v, out);

	tasks(&p, &page->routes.tasks);
	if (page->routes.n == 0 && page->routes.tasks.n > 0) {
		more(&p);
		return ks_pen_done(&p, err);
	}
	if (page->routes.n == 0) {
		ks_pen_wrap(&p, &(struct ks_wrap){ .style = KS_STYLE_BOLD },
			    KS_PEN_WORD(&p, KS_TEXT_ROUTE_UNKNOWN));
		list(&p);
		return ks_pen_done(&p, err);
	}
	for (size_t i = 0; i < page->routes.n; i++) {
		one(&p, i + 1, page->routes.route[i].id);
		if (i == 0)
			env_note(&p, &page->c->answer[page->routes.route[0].id]);
	}
	return ks_pen_done(&p, err);
}
