/* SPDX-License-Identifier: Apache-2.0
 *
 * Above the table of kernels: what kinds of kernels the time went to, by their names. Six lines at
 * most, the sixth is what is left.
 */
#include "base/str.h"
#include "base/utf8.h"
#include "evidence/families.h"
#include "render/text.h"

#define LINES 6

static ks_str title_of(struct ks_sheet *t, const struct ks_family_line *f)
{
	enum ks_family known;

	if (f->slug.n == 0)
		return KS_PEN_WORD(&t->pen, KS_TEXT_R_FAMILY_REST);
	return ks_family_find(f->slug, &known) ? ks_str_c(ks_family_title(known, t->pen.lang))
					       : f->slug;
}

/* Time, share, launches, kernels; then the name, as in the table below. */
struct widths {
	size_t time, share;
};

static ks_str time_of(struct ks_pen *p, const struct ks_family_line *f)
{
	return ks_pen_duration(p, (ks_ns)(f->kernel_ms * KS_NS_PER_MS + 0.5));
}

static ks_str share_of(struct ks_pen *p, const struct ks_family_line *f)
{
	return ks_arena_fmt(p->tmp, "%s%%", ks_pen_fixed(p, f->share_pct, 1).p);
}

static ks_str facts_of(struct ks_pen *p, const struct ks_family_line *f)
{
	return KS_PEN_SAY(p, KS_TEXT_R_FAMILY_FACTS, ks_pen_u64(p, f->launches),
			  ks_pen_u64(p, f->kernels));
}

static void widen(size_t *width, ks_str s)
{
	const size_t w = ks_utf8_columns(s);

	*width = w > *width ? w : *width;
}

static void write_line(struct ks_sheet *t, const struct widths *w, const struct ks_family_line *f)
{
	struct ks_pen *p = &t->pen;
	const ks_str facts = facts_of(p, f), title = title_of(t, f);

	ks_pen_spaces(p, 2);
	ks_pen_cell(p, KS_STYLE_PLAIN, time_of(p, f), w->time, true);
	ks_pen_spaces(p, 2);
	ks_pen_cell(p, KS_STYLE_PLAIN, share_of(p, f), w->share, true);
	ks_pen_spaces(p, 2);
	ks_pen_put(p, KS_STYLE_PLAIN, title);
	if (2 + w->time + 2 + w->share + 2 + ks_utf8_columns(title) + 2 + ks_utf8_columns(facts) <=
	    (size_t)t->v->term.cols) {
		ks_pen_spaces(p, 2);
		ks_pen_put(p, KS_STYLE_DIM, facts);
	}
	ks_pen_nl(p);
}

size_t ks_text_families(struct ks_sheet *t, bool write)
{
	struct ks_family_line line[KS_FAMILIES_MOST];
	const size_t n = ks_report_families(t->r, line);
	struct widths w = { 0 };
	size_t shown = n;

	if (n < 2) /* one family, most often "other": the table says as much */
		return 0;
	if (n > LINES) {
		line[LINES - 1] = ks_families_rest(line, n, LINES - 1);
		shown = LINES;
	}
	if (!write)
		return shown + 2;
	ks_pen_nl(&t->pen);
	ks_text_heading(&t->pen, KS_PEN_WORD(&t->pen, KS_TEXT_R_FAMILIES));
	for (size_t i = 0; i < shown; i++) {
		widen(&w.time, time_of(&t->pen, &line[i]));
		widen(&w.share, share_of(&t->pen, &line[i]));
	}
	for (size_t i = 0; i < shown; i++)
		write_line(t, &w, &line[i]);
	return shown + 2;
}
