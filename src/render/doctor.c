/* SPDX-License-Identifier: Apache-2.0
 *
 * `doctor` for people: the finding that matters most, the checks by group, what to do, and a text
 * to forward. Commands stand alone on their lines and are never broken, so that they can be copied.
 */
#include "render/doctor.h"

#include "base/str.h"
#include "render/pen.h"

enum { STATE_COLS = 6, INDENT = 2 };

static enum ks_style style_of(enum ks_check_state s)
{
	switch (s) {
	case KS_CHECK_OK:
		return KS_STYLE_GOOD;
	case KS_CHECK_WARN:
		return KS_STYLE_WARN;
	case KS_CHECK_FAIL:
		break;
	}
	return KS_STYLE_BAD;
}

static enum ks_text word_of(enum ks_check_state s)
{
	switch (s) {
	case KS_CHECK_OK:
		return KS_TEXT_R_DOCTOR_OK;
	case KS_CHECK_WARN:
		return KS_TEXT_R_DOCTOR_WARN;
	case KS_CHECK_FAIL:
		break;
	}
	return KS_TEXT_R_DOCTOR_FAIL;
}

static void heading(struct ks_pen *p, enum ks_text id)
{
	ks_pen_nl(p);
	ks_pen_put(p, KS_STYLE_BOLD, KS_PEN_WORD(p, id));
	ks_pen_nl(p);
}

static const char *colon(const struct ks_pen *p)
{
	return p->lang == KS_LANG_ZH ? "：" : ": ";
}

static void check_lines(struct ks_pen *p, const struct ks_checkup *c)
{
	const size_t at = INDENT + STATE_COLS;
	const ks_str name = ks_pen_msg(p, &c->name), detail = ks_pen_msg(p, &c->detail);
	const ks_str impact = c->state == KS_CHECK_OK ? ks_str_c("") : ks_pen_msg(p, &c->impact);

	ks_pen_spaces(p, INDENT);
	ks_pen_cell(p, style_of(c->state), KS_PEN_WORD(p, word_of(c->state)), STATE_COLS, false);
	ks_pen_wrap(p, &(struct ks_wrap){ .style = KS_STYLE_PLAIN, .at = at, .hang = at + 2 },
		    ks_pen_cat(p, ks_pen_cat(p, name, ks_str_c(colon(p))), detail));
	if (impact.n == 0)
		return;
	ks_pen_spaces(p, at + 2);
	ks_pen_wrap(p, &(struct ks_wrap){ .style = KS_STYLE_DIM, .at = at + 2, .hang = at + 2 },
		    impact);
}

static void checks(struct ks_pen *p, const struct ks_diagnosis *d)
{
	static const enum ks_text title[KS_CHECKS_COUNT] = {
		KS_TEXT_R_DOCTOR_G_HOST,      KS_TEXT_R_DOCTOR_G_HARDWARE,
		KS_TEXT_R_DOCTOR_G_POLICY,    KS_TEXT_R_DOCTOR_G_PERMISSIONS,
		KS_TEXT_R_DOCTOR_G_TOOLCHAIN, KS_TEXT_R_DOCTOR_G_OPTIONAL,
		KS_TEXT_R_DOCTOR_G_COUNTERS,
	};

	for (size_t i = 0; i < d->n_checks; i++) {
		if (i == 0 || d->check[i].group != d->check[i - 1].group)
			heading(p, title[d->check[i].group]);
		check_lines(p, &d->check[i]);
	}
	ks_pen_spaces(p, INDENT + STATE_COLS + 2);
	ks_pen_wrap(p,
		    &(struct ks_wrap){ .style = KS_STYLE_DIM,
				       .at = INDENT + STATE_COLS + 2,
				       .hang = INDENT + STATE_COLS + 2 },
		    ks_pen_msg(p, &d->note.probe));
}

static void steps(struct ks_pen *p, const struct ks_diagnosis *d, bool host, enum ks_text title)
{
	bool any = false;

	for (size_t i = 0; i < d->n_steps; i++) {
		const struct ks_todo *s = &d->step[i];

		if (s->host != host)
			continue;
		if (!any)
			heading(p, title);
		any = true;
		ks_pen_put_c(p, KS_STYLE_PLAIN, "  - ");
		ks_pen_wrap(p, &(struct ks_wrap){ .style = KS_STYLE_PLAIN, .at = 4, .hang = 4 },
			    ks_pen_msg(p, &s->text));
		if (s->command.n == 0)
			continue;
		ks_pen_spaces(p, 6);
		ks_pen_put(p, KS_STYLE_ACCENT, s->command);
		ks_pen_nl(p);
	}
}

static void lines(struct ks_pen *p, const struct ks_msg *line, size_t n, enum ks_text title)
{
	if (n > 0)
		heading(p, title);
	for (size_t i = 0; i < n; i++) {
		ks_pen_spaces(p, INDENT);
		ks_pen_wrap(
			p,
			&(struct ks_wrap){ .style = KS_STYLE_PLAIN, .at = INDENT, .hang = INDENT },
			ks_pen_msg(p, &line[i]));
	}
}

enum ks_status ks_doctor_text(const struct ks_ctx *ctx, const struct ks_diagnosis *d,
			      const struct ks_view *v, struct ks_out *out, struct ks_err *err)
{
	struct ks_pen p = { .out = out, .term = &v->term, .lang = v->lang, .tmp = ctx->run };

	ks_pen_wrap(&p, &(struct ks_wrap){ .style = style_of(d->first_state) },
		    ks_pen_msg(&p, &d->first));
	checks(&p, d);
	steps(&p, d, false, KS_TEXT_R_DOCTOR_YOURS);
	steps(&p, d, true, KS_TEXT_R_DOCTOR_HOSTS);
	lines(&p, d->letter, d->n_letter, KS_TEXT_R_DOCTOR_LETTER);
	lines(&p, d->plan, d->n_plan, KS_TEXT_R_DOCTOR_PLAN);
	return ks_pen_done(&p, err);
}
