/* SPDX-License-Identifier: Apache-2.0
 *
 * --print-summary per-kernel: one line a kernel and nothing else, in the order of total time.
 */
#include "base/map.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "evidence/rest.h"
#include "render/text.h"

#define NAME_LEAST 16
#define NAMES_MAX  ((size_t)1 << 26)

/* Columns, so that numbers stand below each other. */
struct widths {
	size_t name, launches, total, mean, facts;
};

/* Short forms that are taken, and by which kernel. */
struct taken {
	struct ks_intern shown;
	uint32_t *by;
	size_t cap;
};

static void widen(size_t *width, ks_str s)
{
	size_t w = ks_utf8_columns(s);

	if (w > *width)
		*width = w;
}

static ks_str total_ms(struct ks_pen *p, const struct ks_kernel *k)
{
	return ks_pen_fixed(p, (double)k->total_ns / 1e6, 4);
}

static ks_str mean_ms(struct ks_pen *p, const struct ks_kernel *k)
{
	return ks_pen_fixed(p, k->mean_ns / 1e6, 4);
}

static ks_str padded(struct ks_pen *p, ks_str s, size_t width)
{
	size_t w = ks_utf8_columns(s);

	return ks_arena_fmt(p->tmp, "%*s%s", w < width ? (int)(width - w) : 0, "", s.p);
}

static ks_str facts(struct ks_pen *p, const struct ks_kernel *k, const struct widths *s)
{
	ks_str config = KS_PEN_SAY(p, k->n_configs == 1 ? KS_TEXT_R_CONFIG : KS_TEXT_R_CONFIGS,
				   ks_pen_u64(p, k->n_configs));

	return KS_PEN_SAY(p, k->launches == 1 ? KS_TEXT_R_SUMMARY_ONE : KS_TEXT_R_SUMMARY,
			  padded(p, ks_pen_u64(p, k->launches), s->launches),
			  padded(p, total_ms(p, k), s->total), padded(p, mean_ms(p, k), s->mean),
			  config);
}

static void measure(struct ks_sheet *t, struct widths *s, size_t n)
{
	struct ks_pen *p = &t->pen;
	size_t cols = (size_t)t->v->term.cols;

	for (size_t i = 0; i < n; i++) {
		const struct ks_kernel *k = &t->r->kernel[i];

		widen(&s->name, k->name);
		widen(&s->launches, ks_pen_u64(p, k->launches));
		widen(&s->total, total_ms(p, k));
		widen(&s->mean, mean_ms(p, k));
		ks_arena_reset(p->tmp);
	}
	for (size_t i = 0; i < n; i++) {
		widen(&s->facts, facts(p, &t->r->kernel[i], s));
		ks_arena_reset(p->tmp);
	}
	size_t room = cols > s->facts + 2 + NAME_LEAST ? cols - s->facts - 2 : NAME_LEAST;

	if (s->name > room)
		s->name = room;
}

/* The short form of kernel i; of two that look the same the later one shows where it differs. */
static ks_str short_name(struct ks_sheet *t, struct taken *taken, size_t i, size_t cols)
{
	ks_str full = t->r->kernel[i].name;
	ks_str shown = ks_pen_name(&t->pen, full, cols, KS_LIT(""));
	bool fresh = false;
	uint32_t number = ks_intern_add(&taken->shown, shown, &fresh);

	if (number == KS_MAP_NONE ||
	    !KS_GROW(taken->by, taken->cap, (size_t)number + 1, NAMES_MAX)) {
		t->pen.tmp->failed = true;
		return shown;
	}
	if (fresh) {
		taken->by[number] = (uint32_t)i;
		return shown;
	}
	return ks_pen_name(&t->pen, full, cols, t->r->kernel[taken->by[number]].name);
}

static void line(struct ks_sheet *t, const struct ks_kernel *k, ks_str name, const struct widths *s)
{
	struct ks_pen *p = &t->pen;
	size_t cols = (size_t)t->v->term.cols, room = cols > s->name + 2 ? cols - s->name - 2 : 1;
	ks_str text = facts(p, k, s);

	ks_pen_cell(p, KS_STYLE_PLAIN, name, s->name, false);
	ks_pen_spaces(p, 2);
	if (ks_utf8_columns(text) > room)
		ks_pen_cell(p, KS_STYLE_PLAIN, text, room, false);
	else
		ks_pen_put(p, KS_STYLE_PLAIN, text);
	ks_pen_nl(p);
}

void ks_text_summary(struct ks_sheet *t)
{
	size_t n = ks_report_kernels(t->r);
	struct widths s = { 0 };
	struct taken taken = { .by = NULL };

	ks_intern_init(&taken.shown, NAMES_MAX);
	measure(t, &s, n);
	for (size_t i = 0; i < n && !ks_out_failed(t->pen.out); i++) {
		line(t, &t->r->kernel[i], short_name(t, &taken, i, s.name), &s);
		if (ks_arena_failed(t->pen.tmp))
			break;
		ks_arena_reset(t->pen.tmp);
	}
	ks_intern_release(&taken.shown);
	ks_mem_free(taken.by);
}
