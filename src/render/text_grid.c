/* SPDX-License-Identifier: Apache-2.0
 *
 * Widths of a small table, and its lines. Columns leave in the given order where the terminal is
 * narrow; the name takes what is left and is shortened, never dropped.
 */
#include "render/text_grid.h"

#include "base/utf8.h"

#define NAME_MIN   ((size_t)18)
#define NAME_LEAST ((size_t)8)
#define GAP	   ((size_t)2)

bool ks_grid_open(struct ks_grid *g, struct ks_pen *p, size_t n_cols, size_t max_rows)
{
	*g = (struct ks_grid){ .p = p, .n_cols = n_cols, .max_rows = max_rows + 1, .leaves = "" };
	BUG_ON(n_cols == 0 || n_cols > KS_GRID_COLS);
	g->cell = KS_ARENA_NEWS(p->tmp, ks_str, n_cols * g->max_rows);
	g->indent = KS_ARENA_NEWS(p->tmp, size_t, g->max_rows);
	return g->cell != NULL && g->indent != NULL;
}

ks_str *ks_grid_row(struct ks_grid *g)
{
	BUG_ON(g->n_rows == g->max_rows);
	return &g->cell[g->n_cols * g->n_rows++];
}

static void measure(const struct ks_grid *g, size_t width[KS_GRID_COLS])
{
	for (size_t c = 0; c + 1 < g->n_cols; c++) {
		bool any = false;

		width[c] = 0;
		for (size_t r = 0; r < g->n_rows; r++) {
			const size_t w = ks_utf8_columns(g->cell[r * g->n_cols + c]);

			any = any || (r > 0 && w > 0);
			width[c] = w > width[c] ? w : width[c];
		}
		if (!any)
			width[c] = 0;
	}
}

static size_t used(const struct ks_grid *g, const size_t width[KS_GRID_COLS])
{
	size_t sum = 0;

	for (size_t c = 0; c + 1 < g->n_cols; c++)
		sum += width[c] > 0 ? width[c] + GAP : 0;
	return sum;
}

static void write_row(const struct ks_grid *g, size_t row, const size_t width[KS_GRID_COLS],
		      size_t name_cols)
{
	const ks_str *cell = &g->cell[row * g->n_cols];
	const enum ks_style style = row == 0 ? KS_STYLE_DIM : KS_STYLE_PLAIN;
	size_t in = g->indent[row];

	for (size_t c = 0; c + 1 < g->n_cols; c++) {
		if (width[c] == 0)
			continue;
		ks_pen_cell(g->p, style, cell[c], width[c], true);
		ks_pen_spaces(g->p, GAP);
	}
	in = in > name_cols / 2 ? name_cols / 2 : in;
	ks_pen_spaces(g->p, in);
	ks_pen_put(g->p, style, ks_pen_name(g->p, cell[g->n_cols - 1], name_cols - in, KS_LIT("")));
	ks_pen_nl(g->p);
}

void ks_grid_write(struct ks_grid *g, size_t indent)
{
	size_t cols = (size_t)g->p->term->cols, width[KS_GRID_COLS] = { 0 };

	measure(g, width);
	for (const char *c = g->leaves; *c != '\0'; c++) {
		if (indent + used(g, width) + NAME_MIN <= cols)
			break;
		width[*c - '0'] = 0;
	}
	for (size_t c = g->n_cols - 1; c-- > 0 && indent + used(g, width) + NAME_LEAST > cols;)
		width[c] = 0;
	const size_t taken = indent + used(g, width);

	for (size_t r = 0; r < g->n_rows; r++) {
		ks_pen_spaces(g->p, indent);
		write_row(g, r, width, cols > taken + NAME_LEAST ? cols - taken : NAME_LEAST);
	}
}

struct ks_scale ks_scale_of(const struct ks_pen *p, ks_ns largest)
{
	if (largest >= 100000000000)
		return (struct ks_scale){ 1e9, 3, KS_LIT("s") };
	if (largest >= 1000000)
		return (struct ks_scale){ 1e6, 3, KS_LIT("ms") };
	return (struct ks_scale){ 1e3, 1, p->term->utf8 ? KS_LIT("\xc2\xb5s") : KS_LIT("us") };
}

ks_str ks_scaled(struct ks_pen *p, const struct ks_scale *u, double ns)
{
	return ns < 0.0 ? KS_LIT("") : ks_pen_fixed(p, ns / u->per, u->decimals);
}
