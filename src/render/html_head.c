/* SPDX-License-Identifier: Apache-2.0
 *
 * The top of the page: the finding, the conclusion, what it was measured on, and what to do next.
 */
#include "render/html.h"

#include "base/str.h"
#include "evidence/rest.h"
#include "render/decided.h"

#define FINDING_COLS 64

static void fact(struct ks_html *h, const char *class, enum ks_text label, ks_str text)
{
	if (text.n == 0)
		return;
	ks_html_open(h, "li", class);
	ks_html_el(h, "small", NULL, KS_PEN_WORD(&h->svg.pen, label));
	ks_xmlw_text(&h->svg.w, KS_LIT(" "));
	ks_html_put(h, text, h->level->cols);
	ks_html_close(h);
}

static ks_str kernels(struct ks_html *h)
{
	struct ks_pen *p = &h->svg.pen;
	const size_t n = ks_report_kernels(h->r);

	if (n == 0)
		return KS_LIT("");
	if (h->r->total_kernels > 0 && n != h->r->total_kernels)
		return KS_PEN_SAY(p, KS_TEXT_R_SELECTED, ks_pen_u64(p, n),
				  ks_pen_u64(p, h->r->total_kernels),
				  ks_pen_duration(p, h->r->matched_ns));
	return ks_pen_u64(p, n);
}

static ks_str time_of(struct ks_html *h, ks_ns ns)
{
	return ns > 0 ? ks_pen_duration(&h->svg.pen, ns) : KS_LIT("");
}

/* Of the one device of the run; several have a block of their own. */
static void busy(struct ks_html *h)
{
	const struct ks_report *r = h->r;

	for (size_t i = 0; r->n_gpus_used == 1 && i < r->n_gpus; i++) {
		if (!r->gpu[i].used)
			continue;
		fact(h, NULL, KS_TEXT_H_BUSY, time_of(h, r->gpu[i].busy_ns));
		fact(h, NULL, KS_TEXT_H_IDLE, time_of(h, r->gpu[i].idle_ns));
	}
}

static void run_facts(struct ks_html *h)
{
	struct ks_pen *p = &h->svg.pen;
	const struct ks_report *r = h->r;
	const ks_str tool[] = { r->tool, r->tool_version };

	ks_html_open(h, "ul", "run");
	fact(h, NULL, KS_TEXT_H_SPAN, time_of(h, r->span_ns));
	fact(h, NULL, KS_TEXT_H_KERNEL_TIME, time_of(h, r->kernel_ns));
	busy(h);
	fact(h, NULL, KS_TEXT_H_LAUNCHES,
	     r->total_launches > 0 ? ks_pen_u64(p, r->total_launches) : KS_LIT(""));
	fact(h, NULL, KS_TEXT_H_KERNELS, kernels(h));
	fact(h, "wd", KS_TEXT_H_DEVICE, ks_svg_device(&h->svg, r));
	fact(h, "wd", KS_TEXT_H_INPUT, r->input_path);
	fact(h, "wd", KS_TEXT_H_PRODUCER, r->producer);
	if (r->reread)
		fact(h, "wd", KS_TEXT_H_MADE_BY,
		     ks_pen_cat(p, ks_pen_cat(p, tool[0], KS_LIT(" ")), tool[1]));
	ks_html_close(h);
}

void ks_html_head(struct ks_html *h)
{
	struct ks_pen *p = &h->svg.pen;

	ks_html_open(h, "header", NULL);
	ks_html_attr(h, "id", "header");
	ks_html_open(h, "section", NULL);
	ks_html_attr(h, "id", "conclusion");
	ks_html_el(h, "h1", NULL, ks_html_finding(h, FINDING_COLS));
	if (h->r->synthetic)
		ks_html_el(h, "p", "syn", KS_PEN_WORD(p, KS_TEXT_R_SYNTHETIC));
	if (h->vd->finding.id != KS_TEXT_NONE)
		ks_html_el(h, "p", NULL, ks_decided_conclusion(&h->svg.pen, h->k));
	ks_html_close(h);
	ks_xmlw_break(&h->svg.w);
	run_facts(h);
	ks_html_close(h);
	ks_xmlw_break(&h->svg.w);
}

static ks_str step_text(struct ks_html *h, size_t i)
{
	const struct ks_next *next = &h->k->next[i];

	if (next->slug.n > 0)
		return ks_html_action(h, next->code, next->slug);
	if (next->hint.id == KS_TEXT_NONE)
		return h->k->next_hint[i];
	return ks_pen_msg(&h->svg.pen, &next->hint);
}

static void step(struct ks_html *h, size_t i)
{
	const struct ks_next *next = &h->k->next[i];
	const struct ks_packet_remedy *r =
		next->slug.n > 0 ? ks_decided_remedy(h->k, next->code, next->slug) : NULL;

	ks_xmlw_break(&h->svg.w);
	ks_html_open(h, "li", NULL);
	if (next->for_name.n > 0 && !ks_str_eq(next->for_name, next->slug))
		ks_html_el(h, "span", "for", ks_html_clip(h, next->for_name, 40));
	ks_xmlw_text(&h->svg.w, KS_LIT(" "));
	if (next->slug.n > 0) {
		ks_html_code(h, next->slug);
		ks_xmlw_text(&h->svg.w, KS_LIT(" "));
	}
	ks_html_put(h, step_text(h, i), h->level->cols);
	if (next->slug.n > 0) {
		const ks_str cost = ks_decided_cost(&h->svg.pen, h->k, next->code, next->slug);

		ks_xmlw_text(&h->svg.w, KS_LIT(" "));
		ks_html_el(h, "small", NULL, cost);
	}
	if (r != NULL)
		ks_html_command(h, r->command);
	ks_html_close(h);
}

void ks_html_next(struct ks_html *h)
{
	if (h->k->n_next == 0)
		return;
	ks_html_section(h, "next", KS_PEN_WORD(&h->svg.pen, KS_TEXT_H_NEXT));
	ks_html_open(h, "ol", NULL);
	for (size_t i = 0; i < h->k->n_next; i++)
		step(h, i);
	ks_html_close_n(h, 2);
}
