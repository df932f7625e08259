/* SPDX-License-Identifier: Apache-2.0
 *
 * Below the head: which known bad patterns the run shows, by the most that each can save. A few
 * lines; with every detail also what to do, and which rules could not be looked for.
 */
#include "base/str.h"
#include "base/utf8.h"
#include "render/text.h"
#include "verdict/findings.h"

enum { FEW = 2, SEVERAL = 4, ROOM_FOR_SEVERAL = 40, NAME_LEAST = 12 };

static ks_str title_of(struct ks_sheet *t, const struct ks_finding_row *f)
{
	if (f->rule != KS_RULE_NONE)
		return ks_str_c(ks_rule_info(f->rule)->title[t->pen.lang]);
	return KS_PEN_SAY(&t->pen, f->above ? KS_TEXT_R_FINDING_ABOVE : KS_TEXT_R_FINDING_UNDER,
			  f->slug, f->metric, ks_pen_real(&t->pen, f->value),
			  ks_pen_real(&t->pen, f->threshold));
}

static ks_str share_of(struct ks_pen *p, const struct ks_finding_row *f)
{
	if (f->rule == KS_RULE_NONE)
		return KS_LIT("!");
	if (!f->bounded)
		return KS_LIT("?");
	return ks_arena_fmt(p->tmp, "%s%%", ks_pen_fixed(p, f->share_pct, 1).p);
}

static ks_str time_of(struct ks_pen *p, const struct ks_finding_row *f)
{
	if (f->ms <= 0.0)
		return KS_LIT("");
	return ks_pen_duration(p, (ks_ns)(f->ms * KS_NS_PER_MS + 0.5));
}

struct widths {
	size_t share, time;
};

static void widen(size_t *width, ks_str s)
{
	const size_t w = ks_utf8_columns(s);

	*width = w > *width ? w : *width;
}

/* The kernel where there is room for a part of its name. */
static void put_kernel(struct ks_sheet *t, const struct ks_finding_row *f, size_t at)
{
	const size_t cols = (size_t)t->v->term.cols;

	if (f->kernel.n == 0 || at + 3 + NAME_LEAST > cols)
		return;
	ks_pen_put(&t->pen, KS_STYLE_DIM, KS_LIT(" \xc2\xb7 "));
	ks_pen_put(&t->pen, KS_STYLE_DIM,
		   ks_pen_name(&t->pen, f->kernel, cols - at - 3, KS_LIT("")));
}

/* What --ks-rule and help call it, where there is room. */
static size_t put_slug(struct ks_sheet *t, const struct ks_finding_row *f, size_t at)
{
	if (f->rule == KS_RULE_NONE || at + f->slug.n + 3 > (size_t)t->v->term.cols)
		return 0;
	ks_pen_put(&t->pen, KS_STYLE_DIM,
		   ks_arena_fmt(t->pen.tmp, " [%.*s]", (int)f->slug.n, f->slug.p));
	return f->slug.n + 3;
}

static void put_below(struct ks_pen *p, size_t indent, ks_str s)
{
	const struct ks_wrap how = { .style = KS_STYLE_DIM, .at = indent, .hang = indent };

	if (s.n == 0)
		return;
	ks_pen_spaces(p, indent);
	ks_pen_wrap(p, &how, s);
}

static void write_line(struct ks_sheet *t, const struct ks_finding_row *f, const struct widths *w)
{
	struct ks_pen *p = &t->pen;
	const size_t before = 2 + w->share + 2 + w->time + 2, cols = (size_t)t->v->term.cols;
	const ks_str title = title_of(t, f);
	size_t width = ks_utf8_columns(title);

	if (before + width > cols)
		width = cols > before + 1 ? cols - before : 1;
	ks_pen_spaces(p, 2);
	ks_pen_cell(p, f->bounded ? KS_STYLE_BOLD : KS_STYLE_DIM, share_of(p, f), w->share, true);
	ks_pen_spaces(p, 2);
	ks_pen_cell(p, KS_STYLE_PLAIN, time_of(p, f), w->time, true);
	ks_pen_spaces(p, 2);
	ks_pen_cell(p, KS_STYLE_PLAIN, title, width, false);
	width += put_slug(t, f, before + width);
	put_kernel(t, f, before + width);
	ks_pen_nl(p);
	if (!t->all || f->rule == KS_RULE_NONE)
		return;
	put_below(p, before, f->detail);
	put_below(p, before, ks_str_c(ks_rule_info(f->rule)->remedy[p->lang]));
}

/* What was not found, and what could not be looked for. */
static void write_rest(struct ks_sheet *t, const struct ks_findings *f, size_t shown)
{
	struct ks_pen *p = &t->pen;
	struct ks_buf codes;
	if (!t->all) {
		if (f->n_found <= shown)
			return;
		ks_pen_spaces(p, 2);
		ks_pen_put(
			p, KS_STYLE_DIM,
			KS_PEN_SAY(p, KS_TEXT_R_FINDINGS_MORE, ks_pen_u64(p, f->n_found - shown)));
		ks_pen_nl(p);
		return;
	}
	put_below(p, 2,
		  KS_PEN_SAY(p, KS_TEXT_R_FINDINGS_REST, ks_pen_u64(p, f->n_below),
			     ks_pen_u64(p, f->n_clear), ks_pen_u64(p, f->n_refused)));
	ks_buf_init(&codes, (size_t)1 << 16);
	for (size_t i = 0; i < f->n; i++) {
		if (f->row[i].state != KS_FINDING_REFUSED)
			continue;
		const ks_str code = ks_refused_slug(f->row[i].refused);

		ks_buf_fmt(&codes, "%s%.*s (%.*s)", codes.n > 0 ? ", " : "", (int)f->row[i].slug.n,
			   f->row[i].slug.p, (int)code.n, code.p);
	}
	if (codes.n > 0)
		put_below(p, 2,
			  KS_PEN_SAY(p, KS_TEXT_R_FINDINGS_REFUSED, ks_buf_keep(&codes, p->tmp)));
	ks_buf_release(&codes);
}

void ks_text_findings(struct ks_sheet *t)
{
	const struct ks_findings *f = t->r->verdicts ? t->r->verdicts->findings : NULL;
	const size_t most = t->v->term.rows >= ROOM_FOR_SEVERAL ? SEVERAL : FEW;
	struct widths w = { 0 };

	if (!f || (f->n_found == 0 && !t->all))
		return;
	const size_t shown = t->all || f->n_found < most ? f->n_found : most;

	ks_pen_nl(&t->pen);
	ks_text_heading(&t->pen, KS_PEN_WORD(&t->pen, KS_TEXT_R_FINDINGS));
	for (size_t i = 0; i < shown; i++) {
		widen(&w.share, share_of(&t->pen, &f->row[i]));
		widen(&w.time, time_of(&t->pen, &f->row[i]));
	}
	for (size_t i = 0; i < shown; i++)
		write_line(t, &f->row[i], &w);
	write_rest(t, f, shown);
}
