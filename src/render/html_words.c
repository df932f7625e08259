/* SPDX-License-Identifier: Apache-2.0
 *
 * Wording of the evidence page: what a code means, what helps and what it costs, in the words of
 * the packet where they are in the reader's language, else in those of the tables.
 */
#include "render/html.h"

#include "base/str.h"
#include "render/decided.h"

/* What matters most; a packet that was read may have no finding, its conclusion stands there then.
 */
ks_str ks_html_finding(struct ks_html *h, size_t cols)
{
	struct ks_pen *p = &h->svg.pen;

	if (h->vd->finding.id == KS_TEXT_NONE)
		return ks_decided_conclusion(p, h->k);
	const struct ks_msg said = ks_decided_finding(p, &h->vd->finding);

	return ks_pen_msg_short(p, &said, cols);
}

/* A packet holds the beginning of what to do. Where its report is there as well, the refusal itself
 * says all of it; NULL when the page shows none of that code. */
static const struct ks_refused *refusal_of(const struct ks_html *h, enum ks_refusal code)
{
	for (size_t i = 0; i < h->k->n_verdicts; i++)
		if (h->k->verdict[i].refused != NULL && h->k->verdict[i].refused->code == code)
			return h->k->verdict[i].refused;
	for (size_t i = 0; i < h->k->n_groups; i++)
		if (h->k->group[i].first != NULL && h->k->group[i].first->code == code)
			return h->k->group[i].first;
	return NULL;
}

ks_str ks_html_action(struct ks_html *h, enum ks_refusal code, ks_str slug)
{
	const struct ks_refused *whole = h->wide ? refusal_of(h, code) : NULL;
	const struct ks_packet_remedy *r = ks_decided_remedy(h->k, code, slug);

	if (whole != NULL)
		return ks_pen_refused_action(&h->svg.pen, whole);
	if (r != NULL && r->action.n > 0 && h->packet_words && !h->wide)
		return r->action;
	return ks_str_c(ks_refusal_info(code)->action[h->svg.pen.lang]);
}

ks_str ks_html_title_of(struct ks_html *h, enum ks_refusal code, ks_str slug)
{
	const struct ks_refusal_info *info = ks_refusal_info(code);

	if (slug.n > 0 && !ks_str_eqc(slug, info->slug))
		return KS_PEN_WORD(&h->svg.pen, KS_TEXT_H_OTHER_CODE);
	return ks_str_c(info->title[h->svg.pen.lang]);
}

ks_str ks_html_count(struct ks_html *h, uint64_t n, enum ks_text one, enum ks_text many)
{
	return ks_svg_count(&h->svg, n, one, many);
}

void ks_html_badge(struct ks_html *h, enum ks_prov prov)
{
	static const char *const class[] = {
		[KS_PROV_EXACT] = "b ex",	[KS_PROV_MEASURED] = "b me",
		[KS_PROV_DERIVED] = "b de",	[KS_PROV_ESTIMATED] = "b es",
		[KS_PROV_UNAVAILABLE] = "b un",
	};

	ks_html_open(h, "span", class[prov]);
	ks_html_put(h, ks_str_c(ks_prov_label(prov, h->svg.pen.lang)), h->level->cols);
	ks_html_close(h);
}

/* Whether the table of refusals, which shows the first ones, has it. */
static bool has_row(const struct ks_html *h, ks_str slug)
{
	const size_t n =
		h->k->n_remedies < h->level->refusals ? h->k->n_remedies : h->level->refusals;

	for (size_t i = 0; i < n; i++)
		if (ks_str_eq(h->k->remedy[i].slug, slug))
			return true;
	return false;
}

void ks_html_code(struct ks_html *h, ks_str slug)
{
	const bool link = has_row(h, slug);

	if (link) {
		ks_html_open(h, "a", NULL);
		ks_xmlw_attr(&h->svg.w, "href",
			     ks_pen_cat(&h->svg.pen, KS_LIT("#r-"), ks_html_clip(h, slug, 40)));
	}
	ks_html_open(h, "code", NULL);
	ks_html_put(h, slug, 40);
	ks_html_close_n(h, link ? 2 : 1);
}

void ks_html_command(struct ks_html *h, ks_str command)
{
	if (command.n == 0)
		return;
	ks_html_open(h, "code", "cmd");
	ks_html_put(h, command, h->level->cols);
	ks_html_close(h);
}
