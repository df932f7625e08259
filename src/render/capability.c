/* SPDX-License-Identifier: Apache-2.0
 *
 * What a machine can answer, for people: one screen that begins with the finding, then what can be
 * answered now, what is weak, what is missing, each group with what to do about it.
 */
#include "render/capability.h"

#include "base/str.h"
#include "render/route_words.h"

#define NAME_COLUMNS 24
#define INDENT	     2

struct sheet {
	struct ks_pen pen;
	const struct ks_capability_page *p;
};

static void heading(struct sheet *t, enum ks_text text)
{
	ks_pen_nl(&t->pen);
	ks_pen_put(&t->pen, KS_STYLE_BOLD, KS_PEN_WORD(&t->pen, text));
	ks_pen_nl(&t->pen);
}

/* A name in its column and a sentence behind it. */
static void row(struct sheet *t, enum ks_style style, const char *name, ks_str sentence)
{
	ks_words_entry(&t->pen, &(struct ks_words_row){ INDENT, NAME_COLUMNS, style }, name,
		       sentence);
}

static ks_str number(struct sheet *t, size_t n)
{
	return ks_pen_u64(&t->pen, n);
}

/* "NVIDIA H100, 8 devices" */
static ks_str device(struct sheet *t)
{
	const struct ks_means *m = &t->p->c->means;

	if (!m->gpu)
		return KS_PEN_WORD(&t->pen, KS_TEXT_CAP_NO_DEVICE);
	if (m->gpu_name.n == 0)
		return KS_PEN_WORD(&t->pen, KS_TEXT_CAP_DEVICE);
	return m->n_gpus > 1
		       ? KS_PEN_SAY(&t->pen, KS_TEXT_CAP_DEVICES, m->gpu_name, number(t, m->n_gpus))
		       : m->gpu_name;
}

static void head(struct sheet *t)
{
	const struct ks_capability *c = t->p->c;
	const enum ks_text finding = c->tier >= KS_TIER_TRACE	 ? KS_TEXT_CAP_CAN_RECORD
				     : c->tier == KS_TIER_DEVICE ? KS_TEXT_CAP_CANNOT_RECORD
								 : KS_TEXT_CAP_NOTHING_HERE;

	ks_pen_wrap(&t->pen, &(struct ks_wrap){ .style = KS_STYLE_BOLD },
		    KS_PEN_SAY(&t->pen, finding, number(t, ks_question_now_count()),
			       number(t, KS_QUESTION_COUNT)));
	ks_pen_wrap(&t->pen, &(struct ks_wrap){ .style = KS_STYLE_PLAIN },
		    KS_PEN_SAY(&t->pen, KS_TEXT_CAP_LAYER, number(t, (size_t)c->tier),
			       ks_str_c(ks_tier_name(c->tier)), device(t),
			       ks_str_c(ks_counter_state_meaning(c->means.counters, t->pen.lang))));
}

static void next_thing(struct sheet *t)
{
	const struct ks_action *a = ks_capability_first(t->p->c);
	const char *command = a != NULL ? ks_refusal_info(a->code)->command
					: ks_question_info(KS_QUESTION_KERNEL_TIME)->command;

	ks_pen_labelled(&t->pen, 0, KS_TEXT_CAP_NEXT,
			a != NULL ? ks_words_in(&t->pen, ks_refusal_info(a->code)->action)
				  : KS_PEN_WORD(&t->pen, KS_TEXT_CAP_RECORD));
	if (command[0] != '\0') {
		ks_pen_spaces(&t->pen, INDENT);
		ks_pen_put(&t->pen, KS_STYLE_ACCENT, ks_words_command(&t->pen, command));
		ks_pen_nl(&t->pen);
	}
}

/* The questions of this version, whatever the machine: a recording may come from another one. */
static void answered_now(struct sheet *t)
{
	heading(t, KS_TEXT_CAP_NOW);
	for (unsigned q = 0; q < KS_QUESTION_COUNT; q++) {
		const struct ks_question_info *i = ks_question_info((enum ks_question)q);

		if (i->now)
			row(t, KS_STYLE_GOOD, i->slug, ks_words_in(&t->pen, i->question));
	}
}

/* Everything the machine has for it is there; only the program does not do it yet. */
static void for_later(struct sheet *t)
{
	bool begun = false;

	for (unsigned q = 0; q < KS_QUESTION_COUNT; q++) {
		const struct ks_answer *a = &t->p->c->answer[q];
		const struct ks_question_info *i = ks_question_info(a->id);

		if (i->now || a->state == KS_ANSWER_REFUSED)
			continue;
		if (!begun)
			heading(t, KS_TEXT_CAP_LATER);
		begun = true;
		if (a->state == KS_ANSWER_DEGRADED)
			row(t, KS_STYLE_WARN, i->slug,
			    KS_PEN_SAY(&t->pen, KS_TEXT_CAP_WEAK, ks_words_in(&t->pen, i->question),
				       ks_words_in(&t->pen, ks_refusal_info(a->code)->title)));
		else
			row(t, KS_STYLE_PLAIN, i->slug, ks_words_in(&t->pen, i->question));
	}
}

static bool named_before(const struct ks_capability *c, size_t q)
{
	for (size_t i = 0; i < q; i++) {
		if (c->answer[i].state == KS_ANSWER_REFUSED &&
		    c->answer[i].code == c->answer[q].code)
			return true;
	}
	return false;
}

static ks_str questions_of(struct sheet *t, enum ks_refusal code)
{
	const struct ks_capability *c = t->p->c;
	struct ks_buf b;

	ks_buf_init(&b, 4096);
	for (size_t q = 0; q < KS_QUESTION_COUNT; q++) {
		if (c->answer[q].state == KS_ANSWER_REFUSED && c->answer[q].code == code)
			ks_buf_fmt(&b, "%s%s", b.n > 0 ? ", " : "",
				   ks_question_info(c->answer[q].id)->slug);
	}
	const ks_str s = ks_buf_keep(&b, t->pen.tmp);

	ks_buf_release(&b);
	return s;
}

static void missing(struct sheet *t)
{
	const struct ks_capability *c = t->p->c;
	bool begun = false;

	for (size_t q = 0; q < KS_QUESTION_COUNT; q++) {
		const enum ks_refusal code = c->answer[q].code;
		const struct ks_refusal_info *r = ks_refusal_info(code);

		if (c->answer[q].state != KS_ANSWER_REFUSED || named_before(c, q))
			continue;
		if (!begun)
			heading(t, KS_TEXT_CAP_MISSING);
		begun = true;
		row(t, KS_STYLE_BAD, r->slug,
		    KS_PEN_SAY(&t->pen, KS_TEXT_CAP_MISSING_ROW, ks_words_in(&t->pen, r->title),
			       questions_of(t, code)));
		row(t, KS_STYLE_PLAIN, "",
		    KS_PEN_SAY(&t->pen, KS_TEXT_CAP_DO, ks_words_in(&t->pen, r->action)));
	}
}

enum ks_status ks_capability_text(const struct ks_ctx *ctx, const struct ks_capability_page *p,
				  const struct ks_view *v, struct ks_out *out, struct ks_err *err)
{
	struct sheet t = {
		.pen = { .out = out, .term = &v->term, .lang = v->lang, .tmp = ctx->run }, .p = p
	};

	head(&t);
	next_thing(&t);
	answered_now(&t);
	for_later(&t);
	missing(&t);
	ks_pen_nl(&t.pen);
	ks_pen_wrap(&t.pen, &(struct ks_wrap){ .style = KS_STYLE_DIM },
		    ks_pen_msg(&t.pen, &p->note.probe));
	ks_pen_wrap(&t.pen, &(struct ks_wrap){ .style = KS_STYLE_DIM },
		    KS_PEN_WORD(&t.pen, KS_TEXT_CAP_MORE));
	return ks_pen_done(&t.pen, err);
}
