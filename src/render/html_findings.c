/* SPDX-License-Identifier: Apache-2.0
 *
 * Findings: a table of the known bad patterns the run shows, with the most that each can save and
 * what to do about it.
 */
#include "base/str.h"
#include "render/html.h"
#include "verdict/findings.h"

#define TITLE_COLS  120
#define REMEDY_COLS 160

static void line(struct ks_html *h, const struct ks_finding_row *f)
{
	struct ks_pen *p = &h->svg.pen;
	const struct ks_rule_info *info = ks_rule_info(f->rule);

	ks_xmlw_break(&h->svg.w);
	ks_html_open(h, "tr", NULL);
	ks_html_attr(h, "role", "row");
	ks_html_cell(h, "n", KS_TEXT_H_COL_SAVES);
	ks_html_put(h,
		    f->bounded ? ks_arena_fmt(p->tmp, "%s %%", ks_pen_fixed(p, f->share_pct, 1).p)
			       : KS_LIT("?"),
		    20);
	ks_html_close(h);
	ks_html_cell(h, "n", KS_TEXT_H_COL_TIME);
	ks_html_put(h,
		    f->ms > 0.0 ? ks_pen_duration(p, (ks_ns)(f->ms * KS_NS_PER_MS + 0.5))
				: KS_LIT(""),
		    30);
	ks_html_close(h);
	ks_html_cell(h, NULL, KS_TEXT_H_COL_FINDING);
	ks_html_put(h, f->rule != KS_RULE_NONE ? ks_str_c(info->title[p->lang]) : f->slug,
		    TITLE_COLS);
	if (f->kernel.n > 0)
		ks_html_el(h, "div", "mu", ks_html_clip(h, f->kernel, TITLE_COLS));
	if (f->detail.n > 0)
		ks_html_el(h, "div", "mu", ks_html_clip(h, f->detail, TITLE_COLS));
	ks_html_close(h);
	ks_html_cell(h, NULL, KS_TEXT_H_COL_REMEDY);
	ks_html_put(h, ks_str_c(info->remedy[p->lang]), REMEDY_COLS);
	ks_html_close_n(h, 2);
}

void ks_html_findings(struct ks_html *h)
{
	static const enum ks_text columns[] = { KS_TEXT_H_COL_SAVES, KS_TEXT_H_COL_TIME,
						KS_TEXT_H_COL_FINDING, KS_TEXT_H_COL_REMEDY };
	const struct ks_findings *f = h->r->verdicts ? h->r->verdicts->findings : NULL;
	struct ks_pen *p = &h->svg.pen;

	if (!f)
		return;
	ks_html_section(h, "findings", KS_PEN_WORD(p, KS_TEXT_R_FINDINGS));
	if (f->n_found > 0) {
		ks_html_table(h, "stack", KS_LIT(""), columns, KS_ARRAY_LEN(columns));
		for (size_t i = 0; i < f->n_found; i++)
			line(h, &f->row[i]);
		ks_html_close_n(h, 2);
	}
	ks_html_el(h, "p", "mu",
		   KS_PEN_SAY(p, KS_TEXT_R_FINDINGS_REST, ks_pen_u64(p, f->n_below),
			      ks_pen_u64(p, f->n_clear), ks_pen_u64(p, f->n_refused)));
	ks_html_close(h);
}
