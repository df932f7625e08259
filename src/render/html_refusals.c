/* SPDX-License-Identifier: Apache-2.0
 *
 * What has no number and why, what would get it, where the run stood, and what the page cost.
 */
#include "render/html.h"

#include "base/str.h"
#include "render/decided.h"

static void refusal(struct ks_html *h, const struct ks_packet_remedy *r)
{
	ks_xmlw_break(&h->svg.w);
	ks_html_open(h, "tr", NULL);
	ks_html_attr(h, "role", "row");
	ks_xmlw_attr(&h->svg.w, "id",
		     ks_pen_cat(&h->svg.pen, KS_LIT("r-"), ks_html_clip(h, r->slug, 40)));
	ks_html_cell(h, NULL, KS_TEXT_H_COL_CODE);
	ks_html_open(h, "code", NULL);
	ks_html_put(h, r->slug, 40);
	ks_html_close_n(h, 2);
	ks_html_cell(h, NULL, KS_TEXT_H_COL_MEANS);
	ks_html_put(h, ks_html_title_of(h, r->code, r->slug), h->level->cols);
	ks_html_close(h);
	ks_html_cell(h, NULL, KS_TEXT_H_COL_ACTION);
	ks_html_put(h, ks_html_action(h, r->code, r->slug), h->level->cols);
	ks_html_close(h);
	ks_html_cell(h, NULL, KS_TEXT_H_COL_COST);
	ks_html_put(h, ks_decided_cost(&h->svg.pen, h->k, r->code, r->slug), h->level->cols);
	ks_html_close(h);
	ks_html_cell(h, NULL, KS_TEXT_H_COL_COMMAND);
	ks_html_command(h, r->command);
	ks_html_close_n(h, 2);
}

void ks_html_refusals(struct ks_html *h)
{
	static const enum ks_text col[] = { KS_TEXT_H_COL_CODE, KS_TEXT_H_COL_MEANS,
					    KS_TEXT_H_COL_ACTION, KS_TEXT_H_COL_COST,
					    KS_TEXT_H_COL_COMMAND };
	struct ks_pen *p = &h->svg.pen;
	const struct ks_packet *k = h->k;
	const size_t n = k->n_remedies < h->level->refusals ? k->n_remedies : h->level->refusals;

	ks_html_section(h, "refusals", KS_PEN_WORD(p, KS_TEXT_H_REFUSALS));
	if (n == 0)
		ks_html_el(h, "p", NULL, KS_PEN_WORD(p, KS_TEXT_H_NO_REFUSALS));
	else
		ks_html_table(h, "stack", KS_PEN_WORD(p, KS_TEXT_H_REFUSALS_CAPTION), col,
			      KS_ARRAY_LEN(col));
	for (size_t i = 0; i < n; i++)
		refusal(h, &k->remedy[i]);
	if (n > 0)
		ks_html_close_n(h, 2);
	if (k->n_remedies > n)
		ks_html_el(h, "p", "mu",
			   KS_PEN_SAY(p, KS_TEXT_H_MORE, ks_pen_u64(p, k->n_remedies - n)));
	ks_html_labelled(h, KS_TEXT_H_OMITTED,
			 ks_decided_list(&h->svg.pen, k->omitted_code, k->n_omitted_listed));
	ks_html_close(h);
}

static void group(struct ks_html *h, const struct ks_unmeasured *u)
{
	struct ks_pen *p = &h->svg.pen;

	ks_xmlw_break(&h->svg.w);
	ks_html_open(h, "tr", NULL);
	ks_html_attr(h, "role", "row");
	ks_html_cell(h, NULL, KS_TEXT_H_COL_CODE);
	ks_html_code(h, u->slug);
	ks_html_close(h);
	ks_html_cell(h, NULL, KS_TEXT_H_COL_MEANS);
	ks_html_put(h, ks_html_title_of(h, u->code, u->slug), h->level->cols);
	ks_html_close(h);
	ks_html_cell(h, "n", KS_TEXT_H_COL_METRICS);
	ks_html_put(h, ks_pen_u64(p, u->count), h->level->cols);
	ks_html_close(h);
	ks_html_cell(h, "ex1", KS_TEXT_H_COL_EXAMPLES);
	ks_html_put(h, ks_decided_list(&h->svg.pen, u->example, u->n_examples), h->level->cols);
	ks_html_close(h);
	ks_html_cell(h, NULL, KS_TEXT_H_COL_WAY);
	ks_html_put(h, ks_decided_way(p, h->k, u), h->level->cols);
	ks_html_close_n(h, 2);
}

void ks_html_unmeasured(struct ks_html *h)
{
	static const enum ks_text col[] = { KS_TEXT_H_COL_CODE, KS_TEXT_H_COL_MEANS,
					    KS_TEXT_H_COL_METRICS, KS_TEXT_H_COL_EXAMPLES,
					    KS_TEXT_H_COL_WAY };
	struct ks_pen *p = &h->svg.pen;
	const struct ks_packet *k = h->k;

	ks_html_section(h, "unmeasured", KS_PEN_WORD(p, KS_TEXT_H_UNMEASURED));
	ks_html_el(h, "p", NULL,
		   KS_PEN_SAY(p, KS_TEXT_H_UNMEASURED_SUM, ks_pen_u64(p, h->vd->unmeasured_metrics),
			      ks_pen_u64(p, h->vd->measured_metrics)));
	if (k->n_groups > 0)
		ks_html_table(h, "stack", KS_PEN_WORD(p, KS_TEXT_H_UNMEASURED_CAPTION), col,
			      KS_ARRAY_LEN(col));
	for (size_t i = 0; i < k->n_groups; i++)
		group(h, &k->group[i]);
	if (k->n_groups > 0)
		ks_html_close_n(h, 2);
	if (k->more_groups > 0)
		ks_html_el(h, "p", "mu",
			   KS_PEN_SAY(p, KS_TEXT_R_S_MORE_GROUPS, ks_pen_u64(p, k->more_groups),
				      ks_pen_u64(p, k->more_metrics)));
	ks_html_close(h);
}

void ks_html_environment(struct ks_html *h)
{
	struct ks_pen *p = &h->svg.pen;
	const struct ks_packet *k = h->k;
	const struct ks_report *of = k->report;
	const ks_str window[] = { of->window_mode, of->within };

	ks_html_section(h, "environment", KS_PEN_WORD(p, KS_TEXT_R_S_ENVIRONMENT));
	ks_html_labelled(h, KS_TEXT_H_TIER,
			 KS_PEN_SAY(p, KS_TEXT_H_TIER_IS, ks_pen_i64(p, h->vd->tier),
				    ks_str_c(h->vd->tier_name)));
	ks_html_labelled(h, KS_TEXT_H_COUNTERS, h->vd->counter_state);
	ks_html_labelled(h, KS_TEXT_R_S_WINDOW,
			 ks_decided_list(&h->svg.pen, window, of->within.n > 0 ? 2 : 1));
	ks_html_labelled(h, KS_TEXT_R_S_BASIS, of->ledger_basis);
	ks_html_labelled(h, KS_TEXT_R_S_CLOCK, k->clock_lock);
	ks_html_labelled(h, KS_TEXT_R_S_BLOCKED,
			 ks_decided_list(&h->svg.pen, h->vd->blocked_by, h->vd->n_blocked_by));
	ks_html_labelled(h, KS_TEXT_H_PROTOCOL, h->vd->protocol_hash);
	for (size_t i = 0; i < k->n_env; i++) {
		ks_html_open(h, "p", "warn");
		ks_html_code(h, k->env[i].slug);
		ks_xmlw_text(&h->svg.w, KS_LIT(" "));
		ks_html_put(h, k->env[i].message, h->level->cols);
		ks_html_close(h);
	}
	if (k->more_env > 0)
		ks_html_labelled(
			h, KS_TEXT_R_S_MORE_VERDICTS,
			ks_decided_list(&h->svg.pen, k->more_env_code, k->n_more_env_codes));
	ks_html_close(h);
}

static bool has_band(const struct ks_packet *k)
{
	for (size_t i = 0; i < k->n_verdicts; i++)
		if (k->verdict[i].n_band > 0)
			return true;
	return false;
}

void ks_html_cost(struct ks_html *h)
{
	struct ks_pen *p = &h->svg.pen;
	const struct ks_packet *k = h->k;
	const ks_str part[] = {
		/* a page made twice of one trace is the same page */
		k->wall_s > 0.0 && !h->wide
			? KS_PEN_SAY(p, KS_TEXT_R_S_WALL, ks_pen_fixed(p, k->wall_s, 3))
			: KS_LIT(""),
		h->wide ? KS_LIT("")
			: KS_PEN_SAY(p, KS_TEXT_R_S_PACKET, ks_pen_u64(p, k->packet_bytes)),
		k->report_bytes > 0
			? KS_PEN_SAY(p, KS_TEXT_R_S_REPORT, ks_pen_u64(p, k->report_bytes))
			: KS_LIT(""),
		ks_html_count(h, k->report->total_launches, KS_TEXT_R_LAUNCH, KS_TEXT_R_LAUNCHES),
		has_band(k) ? KS_LIT("") : KS_PEN_WORD(p, KS_TEXT_R_S_NO_BAND),
	};

	ks_html_section(h, "cost", KS_PEN_WORD(p, KS_TEXT_H_COST));
	ks_html_el(h, "p", NULL, ks_svg_joined(&h->svg, part, KS_ARRAY_LEN(part), 400));
	if (k->report_path.n > 0)
		ks_html_el(h, "p", NULL,
			   KS_PEN_SAY(p, KS_TEXT_R_S_REPORT_PATH,
				      ks_html_clip(h, k->report_path, h->level->cols)));
	if (k->n_trimmed > 0)
		ks_html_el(h, "p", "mu",
			   KS_PEN_SAY(p, KS_TEXT_R_S_TRIMMED,
				      ks_html_clip(h,
						   ks_decided_list(&h->svg.pen, k->trimmed,
								   k->n_trimmed),
						   h->level->cols)));
	if (h->cut)
		ks_html_el(h, "p", "warn",
			   KS_PEN_SAY(p, KS_TEXT_H_CUT,
				      ks_pen_u64(p, (uint64_t)ks_limit(KS_LIMIT_HTML_BYTES))));
	ks_html_close(h);
}
