/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels and the NVTX phases with most time, each with the bar of its share. Shares and sums
 * are those of the report; what is not listed is one last row.
 */
#include "render/html.h"

#include "base/str.h"
#include "evidence/families.h"
#include "evidence/ratio.h"
#include "evidence/rest.h"
#include "evidence/value.h"
#include "render/decided.h"
#include "render/text.h"

#define FAMILIES_SHOWN 6

struct row { /* of either table */
	ks_str name;
	const ks_str *fact;
	size_t n_facts;
	ks_ns total_ns;
	double share_pct; /* negative: none */
	const char *bar;  /* class */
};

static void table(struct ks_html *h, ks_str caption, enum ks_text first)
{
	const enum ks_text col[] = { first, KS_TEXT_H_COL_BAR, KS_TEXT_H_COL_TIME };

	ks_html_table(h, "tm", caption, col, KS_ARRAY_LEN(col));
}

static void bar(struct ks_html *h, const struct row *r)
{
	ks_html_cell(h, "ba", KS_TEXT_NONE);
	if (r->share_pct >= 0.0) {
		ks_html_open(h, "div", r->bar);
		ks_html_pct(h, "width", r->share_pct);
		ks_html_close(h);
	}
	ks_html_close(h);
}

static void put(struct ks_html *h, const struct row *r)
{
	struct ks_pen *p = &h->svg.pen;

	ks_xmlw_break(&h->svg.w);
	ks_html_open(h, "tr", NULL);
	ks_html_attr(h, "role", "row");
	ks_html_open(h, "th", NULL);
	ks_html_attr(h, "scope", "row");
	ks_html_attr(h, "role", "rowheader");
	ks_html_open(h, "code", NULL);
	ks_html_put(h, r->name, h->level->name_cols);
	ks_html_close(h);
	ks_html_open(h, "small", NULL);
	ks_html_put(h, ks_svg_joined(&h->svg, r->fact, r->n_facts, 200), 200);
	ks_html_close_n(h, 2);
	bar(h, r);
	ks_html_cell(h, "n", KS_TEXT_NONE);
	ks_html_put(h, ks_pen_duration(p, r->total_ns), 40);
	if (r->share_pct >= 0.0)
		ks_html_el(h, "small", NULL,
			   ks_pen_cat(p, ks_pen_fixed(p, r->share_pct, 1), KS_LIT(" %")));
	ks_html_close_n(h, 2);
}

static ks_str occupancy(struct ks_html *h, const struct ks_kernel *k)
{
	struct ks_pen *p = &h->svg.pen;
	const struct ks_ev *occ =
		ks_text_kernel_row(h->r, k, KS_METRIC_KS_THEORETICAL_OCCUPANCY_PCT);
	const struct ks_ev *by = ks_text_kernel_row(h->r, k, KS_METRIC_KS_OCCUPANCY_LIMITER);

	if (occ == NULL)
		return KS_LIT("");
	if (occ->refused != NULL)
		return KS_PEN_SAY(p, KS_TEXT_R_SVG_REFUSED, ks_refused_slug(occ->refused));
	const ks_str pct = ks_pen_fixed(p, ks_value_real(&occ->value), 1);

	if (by == NULL || by->value.kind != KS_V_TEXT || ks_value_is_full_pct(&occ->value))
		return KS_PEN_SAY(p, KS_TEXT_H_OCCUPANCY, pct);
	return KS_PEN_SAY(p, KS_TEXT_H_OCCUPANCY_BY, pct, ks_decided_limiter(p, by->value.s));
}

/* A name before this one whose short form is the same, or nothing. */
static ks_str taken_by(struct ks_html *h, size_t i)
{
	const size_t cols = h->level->name_cols;
	struct ks_pen *p = &h->svg.pen;
	const ks_str mine = ks_pen_name(p, h->r->kernel[i].name, cols, KS_LIT(""));

	for (size_t j = 0; j < i; j++)
		if (ks_str_eq(mine, ks_pen_name(p, h->r->kernel[j].name, cols, KS_LIT(""))))
			return h->r->kernel[j].name;
	return KS_LIT("");
}

static void kernel(struct ks_html *h, size_t i)
{
	struct ks_pen *p = &h->svg.pen;
	const struct ks_kernel *k = &h->r->kernel[i];
	const ks_str fact[] = {
		ks_html_count(h, k->launches, KS_TEXT_R_LAUNCH, KS_TEXT_R_LAUNCHES),
		KS_PEN_SAY(p, KS_TEXT_R_SVG_MEAN, ks_pen_duration(p, (ks_ns)(k->mean_ns + 0.5))),
		occupancy(h, k),
		k->n_configs > 1 ? KS_PEN_SAY(p, KS_TEXT_R_SVG_CONFIGS, ks_pen_u64(p, k->n_configs))
				 : KS_LIT(""),
	};
	const struct row row = {
		.name = ks_pen_name(p, k->name, h->level->name_cols, taken_by(h, i)),
		.fact = fact,
		.n_facts = KS_ARRAY_LEN(fact),
		.total_ns = k->total_ns,
		.share_pct = k->share_pct,
		.bar = "kb",
	};

	put(h, &row);
}

static void others(struct ks_html *h, const struct ks_rest *rest)
{
	struct ks_pen *p = &h->svg.pen;
	const ks_str fact[] = { ks_html_count(h, rest->launches, KS_TEXT_R_LAUNCH,
					      KS_TEXT_R_LAUNCHES) };
	const struct row row = {
		.name = rest->n == 1 ? KS_PEN_WORD(p, KS_TEXT_R_SVG_OTHER_ONE)
				     : KS_PEN_SAY(p, KS_TEXT_R_SVG_OTHER, ks_pen_u64(p, rest->n)),
		.fact = fact,
		.n_facts = 1,
		.total_ns = rest->total_ns,
		.share_pct = rest->share_pct,
		.bar = "ob",
	};

	put(h, &row);
}

void ks_html_kernels(struct ks_html *h)
{
	struct ks_pen *p = &h->svg.pen;
	const size_t all = ks_report_kernels(h->r);
	const size_t n = all < h->level->kernels ? all : h->level->kernels;
	const struct ks_rest rest = ks_report_rest(h->r, n);

	if (all == 0)
		return;
	ks_html_section(h, "kernels", KS_PEN_WORD(p, KS_TEXT_R_SVG_TITLE));
	table(h, KS_PEN_WORD(p, KS_TEXT_H_KERNELS_CAPTION), KS_TEXT_H_COL_KERNEL);
	for (size_t i = 0; i < n; i++)
		kernel(h, i);
	if (rest.n > 0)
		others(h, &rest);
	ks_html_close_n(h, 3);
}

static void family(struct ks_html *h, const struct ks_family_line *f)
{
	struct ks_pen *p = &h->svg.pen;
	enum ks_family known;
	const ks_str fact[] = {
		KS_PEN_SAY(p, KS_TEXT_R_FAMILY_FACTS, ks_pen_u64(p, f->launches),
			   ks_pen_u64(p, f->kernels)),
	};
	const struct row row = {
		.name = f->slug.n == 0 ? KS_PEN_WORD(p, KS_TEXT_R_FAMILY_REST)
			: ks_family_find(f->slug, &known)
				? ks_str_c(ks_family_title(known, p->lang))
				: f->slug,
		.fact = fact,
		.n_facts = 1,
		.total_ns = (ks_ns)(f->kernel_ms * KS_NS_PER_MS + 0.5),
		.share_pct = f->share_pct,
		.bar = "ob",
	};

	put(h, &row);
}

/* What kinds of kernels the time went to; one kind alone says nothing. */
void ks_html_families(struct ks_html *h)
{
	struct ks_family_line line[KS_FAMILIES_MOST];
	struct ks_pen *p = &h->svg.pen;
	size_t n = ks_report_families(h->r, line);

	if (n < 2)
		return;
	if (n > FAMILIES_SHOWN) {
		line[FAMILIES_SHOWN - 1] = ks_families_rest(line, n, FAMILIES_SHOWN - 1);
		n = FAMILIES_SHOWN;
	}
	ks_html_section(h, "families", KS_PEN_WORD(p, KS_TEXT_H_FAMILIES));
	table(h, KS_PEN_WORD(p, KS_TEXT_R_FAMILIES), KS_TEXT_H_COL_FAMILY);
	for (size_t i = 0; i < n; i++)
		family(h, &line[i]);
	ks_html_close_n(h, 3);
}

/* `names`: how many names the phase stands for. */
static void phase(struct ks_html *h, const struct ks_phase *ph, uint32_t names)
{
	struct ks_pen *p = &h->svg.pen;
	const ks_str fact[] = {
		ph->domain.n > 0 ? ks_pen_name(p, ph->domain, 40, KS_LIT("")) : KS_LIT(""),
		KS_PEN_SAY(p, ph->instances == 1 ? KS_TEXT_H_TIME_ONE : KS_TEXT_H_TIMES,
			   ks_pen_u64(p, ph->instances)),
		ks_html_count(h, ph->kernels, KS_TEXT_R_LAUNCH, KS_TEXT_R_LAUNCHES),
		names > 1 ? KS_PEN_SAY(p, KS_TEXT_H_NAMES, ks_pen_u64(p, names)) : KS_LIT(""),
	};
	const struct row row = {
		.name = ks_html_clip(h, ph->name, h->level->name_cols),
		.fact = fact,
		.n_facts = KS_ARRAY_LEN(fact),
		.total_ns = ph->kernel_ns,
		.share_pct = ks_share_pct(ph->kernel_ns, h->r->kernel_ns),
		.bar = "pb",
	};

	put(h, &row);
}

void ks_html_phases(struct ks_html *h)
{
	const struct ks_timeline *t = h->r->timeline;
	struct ks_pen *p = &h->svg.pen;

	if (t == NULL || t->n_folded_phases == 0 || h->level->phases == 0)
		return;
	const size_t all = t->n_folded_phases;
	const size_t n = all < h->level->phases ? all : h->level->phases;

	ks_html_section(h, "phases", KS_PEN_WORD(p, KS_TEXT_H_PHASES));
	table(h, KS_PEN_WORD(p, t->by_overlap ? KS_TEXT_H_PHASES_OVERLAP : KS_TEXT_H_PHASES_CALL),
	      KS_TEXT_H_COL_PHASE);
	for (size_t i = 0; i < n; i++)
		phase(h, &t->folded_phase[i], t->folded_names[i]);
	ks_html_close_n(h, 2);
	if (all > n)
		ks_html_el(h, "p", "mu", KS_PEN_SAY(p, KS_TEXT_H_MORE, ks_pen_u64(p, all - n)));
	ks_html_close(h);
}
