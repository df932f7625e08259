/* SPDX-License-Identifier: Apache-2.0
 *
 * Wording of the evidence page: what a code means, what helps and what it costs, in the words of
 * the packet where they are in the reader's language, else in those of the tables.
 */
#include "render/html.h"

#include "base/str.h"
#include "render/text.h"

#define CODES_NAMED 3

ks_str ks_html_join(struct ks_html *h, const ks_str *part, size_t n)
{
	ks_str all = KS_LIT("");

	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			all = ks_pen_cat(&h->svg.pen, all, KS_LIT(", "));
		all = ks_pen_cat(&h->svg.pen, all, part[i]);
	}
	return all;
}

/* `other` is a unit that this version does not know, of a packet that was read. */
ks_str ks_html_with_unit(struct ks_html *h, const struct ks_value *v, enum ks_unit unit,
			 ks_str other)
{
	struct ks_pen *p = &h->svg.pen;
	const ks_str symbol = other.n > 0 ? other : ks_str_c(ks_unit_info(unit)->symbol);

	if (v->kind == KS_V_NONE)
		return KS_PEN_WORD(p, KS_TEXT_R_UNREADABLE);
	const ks_str number = ks_pen_value(p, v);

	return symbol.n == 0 ? number : ks_pen_cat(p, ks_pen_cat(p, number, KS_LIT(" ")), symbol);
}

/* A Chinese sentence names the limiter in Chinese, as the text report does. */
static struct ks_msg in_words(struct ks_pen *p, const struct ks_msg *finding)
{
	struct ks_msg m = *finding;

	if (p->lang != KS_LANG_ZH || m.n <= KS_FINDING_LIMITER || m.arg[KS_FINDING_LIMITER].n == 0)
		return m;
	ks_str *arg = KS_ARENA_NEWS(p->tmp, ks_str, m.n);

	if (arg == NULL)
		return m;
	memcpy(arg, m.arg, m.n * sizeof(*arg));
	arg[KS_FINDING_LIMITER] = ks_text_limiter(p, arg[KS_FINDING_LIMITER]);
	m.arg = arg;
	return m;
}

/* What matters most; a packet that was read may have no finding, its conclusion stands there then.
 */
ks_str ks_html_finding(struct ks_html *h, size_t cols)
{
	struct ks_pen *p = &h->svg.pen;

	if (h->vd->finding.id == KS_TEXT_NONE)
		return ks_html_conclusion(h);
	const struct ks_msg said = in_words(p, &h->vd->finding);

	return ks_pen_msg_short(p, &said, cols);
}

static bool among(const ks_str *list, size_t n, ks_str s)
{
	for (size_t i = 0; i < n; i++)
		if (ks_str_eq(list[i], s))
			return true;
	return false;
}

ks_str ks_html_conclusion(struct ks_html *h)
{
	struct ks_pen *p = &h->svg.pen;
	const struct ks_packet *k = h->k;
	size_t refused = 0, named = 0;
	ks_str code[CODES_NAMED], first = KS_LIT("");

	for (size_t i = 0; i < k->n_verdicts; i++) {
		const struct ks_verdict_row *v = &k->verdict[i];

		if (v->status != KS_VERDICT_STATUS_REFUSED)
			continue;
		refused++;
		if (v->refused == NULL || named == CODES_NAMED ||
		    among(code, named, ks_refused_slug(v->refused)))
			continue;
		code[named++] = ks_refused_slug(v->refused);
		first = code[0];
	}
	if (k->n_verdicts == 0)
		return KS_PEN_WORD(p, KS_TEXT_R_S_NO_VERDICTS);
	if (refused == 0)
		return KS_PEN_SAY(p, KS_TEXT_R_S_ALL_HOLD, ks_pen_u64(p, k->n_verdicts));
	return KS_PEN_SAY(p, KS_TEXT_R_S_CONCLUSION, ks_pen_u64(p, refused),
			  ks_pen_u64(p, k->n_verdicts), ks_html_join(h, code, named),
			  ks_pen_u64(p, k->n_verdicts - refused), first);
}

/* The slug decides: a packet of another version may hold codes that are all unknown here. */
const struct ks_packet_remedy *ks_html_remedy(const struct ks_html *h, enum ks_refusal code,
					      ks_str slug)
{
	const struct ks_packet *k = h->k;

	for (size_t i = 0; i < k->n_remedies; i++)
		if (slug.n > 0 ? ks_str_eq(k->remedy[i].slug, slug) : k->remedy[i].code == code)
			return &k->remedy[i];
	return NULL;
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
	const struct ks_packet_remedy *r = ks_html_remedy(h, code, slug);

	if (whole != NULL)
		return ks_pen_refused_action(&h->svg.pen, whole);
	if (r != NULL && r->action.n > 0 && h->packet_words && !h->wide)
		return r->action;
	return ks_str_c(ks_refusal_info(code)->action[h->svg.pen.lang]);
}

ks_str ks_html_cost_of(struct ks_html *h, enum ks_refusal code, ks_str slug)
{
	const struct ks_packet_remedy *r = ks_html_remedy(h, code, slug);
	const struct ks_refusal_info *info = ks_refusal_info(code);
	struct ks_pen *p = &h->svg.pen;

	if (info->later)
		return KS_LIT("");
	if (r == NULL)
		return ks_pen_cost(p, info->cost_kind, info->cost_s);
	const ks_str cost = ks_pen_cost(p, r->cost_kind, r->cost_s);

	return r->degraded ? KS_PEN_SAY(p, KS_TEXT_R_S_DEGRADED, cost) : cost;
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
