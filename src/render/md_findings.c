/* SPDX-License-Identifier: Apache-2.0
 *
 * Markdown report: the known bad patterns that the run shows, in section 2.7. Each with the most
 * that it can save and what to do.
 */
#include "base/str.h"
#include "render/md_pen.h"
#include "verdict/findings.h"

static void one(struct ks_md *m, const struct ks_finding_row *f)
{
	struct ks_pen *p = &m->pen;
	const struct ks_rule_info *info = ks_rule_info(f->rule);

	ks_md_raw(m, "- **");
	ks_md_text(m, f->rule != KS_RULE_NONE ? ks_str_c(info->title[p->lang]) : f->slug);
	ks_md_raw(m, "** ");
	if (f->bounded)
		KS_MD_SAY(m, KS_TEXT_MD_FINDING_BOUND, ks_pen_fixed(p, f->share_pct, 1),
			  ks_pen_real(p, f->ms), ks_pen_u64(p, f->count));
	else if (f->ms > 0.0)
		KS_MD_SAY(m, KS_TEXT_MD_FINDING_TIME, ks_pen_real(p, f->ms),
			  ks_pen_u64(p, f->count));
	else
		KS_MD_SAY(m, f->above ? KS_TEXT_R_FINDING_ABOVE : KS_TEXT_R_FINDING_UNDER, f->slug,
			  f->metric, ks_pen_real(p, f->value), ks_pen_real(p, f->threshold));
	if (f->kernel.n > 0) {
		ks_md_raw(m, " ");
		ks_md_name(m, f->kernel);
	}
	if (f->detail.n > 0) {
		ks_md_raw(m, " ");
		ks_md_text(m, f->detail);
	}
	if (info->remedy[p->lang][0] != '\0') {
		ks_md_raw(m, " \xe2\x86\x92 ");
		ks_md_text(m, ks_str_c(info->remedy[p->lang]));
	}
	ks_md_nl(m);
}

void ks_md_findings(struct ks_md *m)
{
	const struct ks_findings *f = m->vd ? m->vd->findings : NULL;

	bool any = false;

	for (size_t i = 0; f && i < f->n_found; i++) {
		/* the report is about one kernel; another's launches are not its matter */
		if (f->row[i].kernel.n > 0 && !ks_str_eq(f->row[i].kernel, m->k->name))
			continue;
		one(m, &f->row[i]);
		any = true;
	}
	if (any)
		ks_md_nl(m);
}
