/* SPDX-License-Identifier: Apache-2.0
 *
 * Markdown report: "4. Optimization directions". They were found and ranked by verdict/advice; this
 * writes them down and adds no number.
 */
#include "base/str.h"
#include "render/md_pen.h"

static void bold(struct ks_md *m, enum ks_text label)
{
	ks_md_raw(m, "**");
	KS_MD_WORD(m, label);
	ks_md_raw(m, "**");
}

static void direction(struct ks_md *m, size_t number, const struct ks_advice *a)
{
	static const enum ks_text effort[] = {
		[KS_EFFORT_LOW] = KS_TEXT_MD_EFFORT_LOW,
		[KS_EFFORT_MEDIUM] = KS_TEXT_MD_EFFORT_MEDIUM,
		[KS_EFFORT_HIGH] = KS_TEXT_MD_EFFORT_HIGH,
	};
	struct ks_pen *p = &m->pen;

	ks_md_raw(m, "\n### ");
	KS_MD_SAY(m, KS_TEXT_MD_PRIORITY, ks_arena_fmt(p->tmp, "%zu", number),
		  KS_PEN_WORD(p, a->title));
	ks_md_raw(m, "\n\n");
	ks_md_text(m, ks_pen_msg_short(p, &a->what, 80));
	ks_md_raw(m, "\n\n");
	bold(m, KS_TEXT_MD_TRY);
	ks_md_raw(m, " ");
	KS_MD_WORD(m, a->how);
	ks_md_mark(m, a->step.id != KS_TEXT_NONE ? KS_TEXT_MD_STOP_THEN : KS_TEXT_MD_STOP);
	if (a->step.id != KS_TEXT_NONE)
		ks_md_text(m, ks_pen_msg(p, &a->step));
	ks_md_raw(m, "\n\n");
	bold(m, KS_TEXT_MD_EVIDENCE);
	ks_md_raw(m, "\n\n");
	for (size_t i = 0; i < a->n_evidence; i++)
		ks_md_row(m, ks_ev_get(m->r->ev, a->evidence[i]));
	ks_md_nl(m);
	bold(m, KS_TEXT_MD_IMPACT);
	ks_md_raw(m, " ");
	if (a->not_quantified != KS_REFUSAL_NONE) {
		KS_MD_WORD(m, KS_TEXT_MD_NOT_QUANTIFIED);
		ks_md_raw(m, " ");
		ks_md_code(m, ks_str_c(ks_refusal_info(a->not_quantified)->slug));
		ks_md_mark(m, KS_TEXT_MD_STOP_THEN);
	}
	ks_md_text(m, ks_pen_msg(p, &a->impact));
	ks_md_raw(m, "\n\n");
	bold(m, KS_TEXT_MD_EFFORT);
	ks_md_raw(m, " ");
	KS_MD_WORD(m, effort[a->effort]);
	ks_md_raw(m, " \xe2\x80\x94 ");
	KS_MD_WORD(m, a->effort_why);
	ks_md_nl(m);
}

void ks_md_directions(struct ks_md *m)
{
	const struct ks_advices *a = m->vd->advice;

	ks_md_heading(m, 2, KS_TEXT_MD_H4);
	KS_MD_WORD(m, a->n > 0 ? KS_TEXT_MD_ABOUT4 : KS_TEXT_MD_NO_DIRECTION);
	ks_md_nl(m);
	for (size_t i = 0; i < a->n; i++)
		direction(m, i + 1, &a->item[i]);
}
