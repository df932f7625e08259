/* SPDX-License-Identifier: Apache-2.0
 *
 * The legend of provenance and the table of verdicts. A refused verdict has no number: "n/a" and
 * its code stand there, and the value that may not be cited is not shown.
 */
#include "render/html.h"

#include "base/str.h"
#include "evidence/value.h"
#include "render/decided.h"

#define FACT_COLS 72

void ks_html_legend(struct ks_html *h)
{
	static const enum ks_prov all[] = { KS_PROV_EXACT, KS_PROV_MEASURED, KS_PROV_DERIVED,
					    KS_PROV_ESTIMATED, KS_PROV_UNAVAILABLE };
	struct ks_pen *p = &h->svg.pen;

	ks_html_section(h, "provenance-legend", KS_PEN_WORD(p, KS_TEXT_H_LEGEND));
	ks_html_open(h, "dl", "lg");
	for (size_t i = 0; i < KS_ARRAY_LEN(all); i++) {
		ks_html_open(h, "dt", NULL);
		ks_html_badge(h, all[i]);
		ks_html_close(h);
		ks_html_open(h, "dd", NULL);
		ks_html_put(h, ks_str_c(ks_prov_meaning(all[i], p->lang)), 400);
		ks_html_close(h);
	}
	ks_html_close_n(h, 2);
}

static void status(struct ks_html *h, enum ks_vstatus s)
{
	static const struct {
		enum ks_text word;
		const char *class;
	} tag[] = {
		[KS_VERDICT_STATUS_OK] = { KS_TEXT_H_OK, "b ok" },
		[KS_VERDICT_STATUS_SOFT] = { KS_TEXT_H_SOFT, "b so" },
		[KS_VERDICT_STATUS_REFUSED] = { KS_TEXT_H_REFUSED, "b no" },
	};

	ks_html_cell(h, "st", KS_TEXT_H_COL_STATUS);
	ks_html_el(h, "span", tag[s].class, KS_PEN_WORD(&h->svg.pen, tag[s].word));
	ks_html_close(h);
}

/* What an answer that was withdrawn would have been; NULL: nothing was. */
static const struct ks_kv *uncitable(const struct ks_verdict_row *v)
{
	for (size_t i = 0; i < v->n_facts; i++)
		if (ks_str_eqc(v->fact[i].key, "uncitable_value"))
			return &v->fact[i];
	return NULL;
}

/* The number that may not be cited, its own fact, or bytes said once more in MB. */
static bool says_again(const struct ks_kv *fact, const struct ks_kv *number)
{
	return number != NULL &&
	       (ks_value_same(&fact->value, &number->value) || ks_str_eqc(fact->key, "mb"));
}

static void facts(struct ks_html *h, const struct ks_verdict_row *v)
{
	struct ks_pen *p = &h->svg.pen;
	const struct ks_kv *number = uncitable(v);
	size_t shown = 0, left = 0;

	for (size_t i = 0; i < v->n_facts; i++) {
		if (says_again(&v->fact[i], number))
			continue;
		if (shown == h->level->facts) {
			left++;
			continue;
		}
		if (shown++ == 0)
			ks_html_open(h, "ul", "fa");
		ks_html_open(h, "li", NULL);
		ks_html_put(h, ks_pen_kvs(p, &v->fact[i], 1), FACT_COLS);
		ks_html_close(h);
	}
	if (shown > 0 && left > 0)
		ks_html_el(h, "li", NULL, KS_PEN_SAY(p, KS_TEXT_H_MORE, ks_pen_u64(p, left)));
	if (shown > 0)
		ks_html_close(h);
}

static void premise(struct ks_html *h, const struct ks_premise_row *row)
{
	struct ks_pen *p = &h->svg.pen;
	ks_str text = ks_pen_cat(
		p, KS_LIT(" "),
		ks_decided_value(&h->svg.pen, &row->observed, row->unit, row->unit_text));

	if (row->threshold.kind != KS_V_NONE)
		text = ks_pen_cat(p, text,
				  KS_PEN_SAY(p, KS_TEXT_R_S_THRESHOLD,
					     ks_decided_value(&h->svg.pen, &row->threshold,
							      row->unit, row->unit_text)));
	ks_html_open(h, "li", row->ok ? NULL : "bad");
	ks_html_el(h, "span", row->ok ? "b ok" : "b no",
		   KS_PEN_WORD(p, row->ok ? KS_TEXT_R_S_MET : KS_TEXT_R_S_NOT_MET));
	ks_xmlw_text(&h->svg.w, KS_LIT(" "));
	ks_html_put(h, ks_decided_premise(p, row), h->level->cols);
	ks_html_put(h, text, h->level->cols);
	ks_html_close(h);
}

static void premises(struct ks_html *h, const struct ks_verdict_row *v)
{
	struct ks_pen *p = &h->svg.pen;
	const size_t n = v->n_premises < h->level->premises ? v->n_premises : h->level->premises;

	if (n == 0)
		return;
	ks_html_open(h, "ul", "pr");
	for (size_t i = 0; i < n; i++)
		premise(h, &v->premise[i]);
	if (n < v->n_premises)
		ks_html_el(h, "li", NULL,
			   KS_PEN_SAY(p, KS_TEXT_H_MORE, ks_pen_u64(p, v->n_premises - n)));
	ks_html_close(h);
}

static void why_refused(struct ks_html *h, const struct ks_refused *why)
{
	struct ks_pen *p = &h->svg.pen;
	const ks_str slug = ks_refused_slug(why);

	ks_html_open(h, "p", NULL);
	ks_html_code(h, slug);
	ks_xmlw_text(&h->svg.w, KS_LIT(" "));
	ks_html_put(h, ks_html_title_of(h, why->code, slug), h->level->cols);
	ks_html_close(h);
	ks_html_labelled(h, KS_TEXT_R_OBSERVED, ks_pen_kvs(p, why->observed, why->n_observed));
	ks_html_labelled(h, KS_TEXT_R_THRESHOLD, ks_pen_kvs(p, why->threshold, why->n_threshold));
}

static void what(struct ks_html *h, size_t i)
{
	struct ks_pen *p = &h->svg.pen;
	const struct ks_verdict_row *v = &h->k->verdict[i];
	const ks_str next = !h->wide && h->packet_words && h->k->next_text[i].n > 0
				    ? h->k->next_text[i]
				    : ks_pen_msg(p, &v->next);

	ks_html_cell(h, "wh", KS_TEXT_NONE);
	ks_html_open(h, "p", NULL);
	if (v->id != KS_VERDICT_NONE) {
		ks_html_el(h, "b", NULL, ks_str_c(ks_verdict_info(v->id)->phrase[p->lang]));
		ks_xmlw_text(&h->svg.w, KS_LIT(" "));
	}
	ks_html_open(h, "code", NULL);
	ks_html_put(h, v->name, 60);
	ks_html_close_n(h, 2);
	if (!v->actionable && v->status != KS_VERDICT_STATUS_REFUSED)
		ks_html_el(h, "p", "warn", KS_PEN_WORD(p, KS_TEXT_R_S_NOT_ACTIONABLE));
	if (v->refused != NULL)
		why_refused(h, v->refused);
	premises(h, v);
	facts(h, v);
	ks_html_labelled(h, KS_TEXT_R_S_METRICS,
			 ks_decided_list(&h->svg.pen, v->metric, v->n_metrics));
	ks_html_labelled(h, KS_TEXT_R_S_NEXT, next);
	ks_html_close(h);
}

/* The number and what bounds it; a refused verdict has none, whatever was computed. */
static void value(struct ks_html *h, const struct ks_verdict_row *v)
{
	struct ks_pen *p = &h->svg.pen;
	const bool none = v->status == KS_VERDICT_STATUS_REFUSED || v->value.kind == KS_V_NONE;

	ks_html_cell(h, "n", KS_TEXT_H_COL_VALUE);
	ks_html_put(h, none ? KS_PEN_WORD(p, KS_TEXT_R_NA) : ks_pen_value(p, &v->value), 60);
	if (none && v->refused != NULL)
		ks_html_code(h, ks_refused_slug(v->refused));
	if (!none && v->n_band > 0)
		ks_html_el(h, "small", NULL,
			   KS_PEN_SAY(p, KS_TEXT_R_S_BAND,
				      ks_html_clip(h, ks_pen_kvs(p, v->band, v->n_band), 60)));
	if (!none && v->mdd >= 0.0)
		ks_html_el(h, "small", NULL,
			   KS_PEN_SAY(p, KS_TEXT_R_S_MDD, ks_pen_real(p, v->mdd)));
	ks_html_close(h);
	ks_html_cell(h, "u", KS_TEXT_H_COL_UNIT);
	if (!none)
		ks_html_put(h,
			    v->unit_text.n > 0 ? v->unit_text
					       : ks_str_c(ks_unit_info(v->unit)->symbol),
			    24);
	ks_html_close(h);
	ks_html_cell(h, "pv", KS_TEXT_H_COL_PROV);
	ks_html_badge(h, none ? KS_PROV_UNAVAILABLE : v->prov);
	ks_html_close(h);
}

void ks_html_verdicts(struct ks_html *h)
{
	static const enum ks_text col[] = { KS_TEXT_H_COL_STATUS, KS_TEXT_H_COL_VERDICT,
					    KS_TEXT_H_COL_VALUE, KS_TEXT_H_COL_UNIT,
					    KS_TEXT_H_COL_PROV };
	struct ks_pen *p = &h->svg.pen;
	const struct ks_packet *k = h->k;

	ks_html_section(h, "verdicts", KS_PEN_WORD(p, KS_TEXT_R_S_VERDICTS));
	if (k->n_verdicts == 0)
		ks_html_el(h, "p", NULL, KS_PEN_WORD(p, KS_TEXT_R_S_NO_VERDICTS));
	else
		ks_html_table(h, "stack vd", KS_PEN_WORD(p, KS_TEXT_H_VERDICTS_CAPTION), col,
			      KS_ARRAY_LEN(col));
	for (size_t i = 0; i < k->n_verdicts; i++) {
		ks_xmlw_break(&h->svg.w);
		ks_html_open(h, "tr", NULL);
		ks_html_attr(h, "role", "row");
		status(h, k->verdict[i].status);
		what(h, i);
		value(h, &k->verdict[i]);
		ks_html_close(h);
	}
	if (k->n_verdicts > 0)
		ks_html_close_n(h, 2);
	if (k->n_more_verdicts > 0)
		ks_html_labelled(h, KS_TEXT_R_S_MORE_VERDICTS,
				 ks_decided_list(&h->svg.pen, k->more_verdict, k->n_more_listed));
	ks_html_close(h);
}
