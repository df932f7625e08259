/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of kernels, widest form that fits: numbers first, aligned, the name last. Columns leave
 * in a fixed order when the terminal is narrow; a name is shortened and never made equal to
 * another.
 */
#include "base/str.h"
#include "base/utf8.h"
#include "evidence/rest.h"
#include "evidence/value.h"
#include "render/decided.h"
#include "render/text.h"

enum col {
	COL_RANK,
	COL_TIME,
	COL_SHARE,
	COL_BAR,
	COL_LAUNCHES,
	COL_MEAN,
	COL_P50,
	COL_CONFIGS,
	COL_OCC,
	COL_LIMITER,
	COL_COUNT
};

/* First to leave when the name would get less than NAME_MIN columns. */
static const enum col leaves[] = { COL_P50,	COL_BAR, COL_MEAN,     COL_CONFIGS,
				   COL_LIMITER, COL_OCC, COL_LAUNCHES, COL_TIME };

#define NAME_MIN 18
#define BAR_COLS 8

struct cell {
	ks_str text;
	enum ks_style style;
};

struct row {
	struct cell cell[COL_COUNT];
	const struct ks_kernel *k;
	ks_str name; /* as shown */
};

struct table {
	struct row *row; /* row[0] is the heading */
	size_t n;
	size_t width[COL_COUNT]; /* 0: left out */
	size_t name_cols;
	double time_per, mean_per; /* nanoseconds in a unit of the column */
	int time_decimals, mean_decimals;
};

const struct ks_ev *ks_text_kernel_row(const struct ks_report *r, const struct ks_kernel *k,
				       enum ks_metric metric)
{
	for (size_t i = 0; i < k->n_sections; i++)
		for (size_t j = 0; j < k->section[i].n; j++) {
			const struct ks_ev *row = ks_ev_get(r->ev, k->section[i].row[j]);

			if (row != NULL && row->metric == metric)
				return row;
		}
	return NULL;
}

static struct cell value_cell(struct ks_sheet *t, const struct ks_kernel *k, enum ks_metric metric)
{
	const struct ks_ev *row = ks_text_kernel_row(t->r, k, metric);
	struct cell c = { KS_LIT("-"), KS_STYLE_DIM };

	if (row == NULL)
		return c;
	if (row->prov == KS_PROV_UNAVAILABLE)
		return (struct cell){ KS_PEN_WORD(&t->pen, KS_TEXT_R_NA), KS_STYLE_WARN };
	c.style = KS_STYLE_PLAIN;
	if (ks_value_is_number(
		    &row->value)) /* 75 and 75.0 alike: a report that was read has either */
		c.text = ks_pen_fixed(&t->pen, ks_value_real(&row->value), 1);
	else if (row->value.kind == KS_V_TEXT)
		c.text = ks_decided_limiter(&t->pen, row->value.s);
	else
		c.text = ks_pen_value(&t->pen, &row->value);
	return c;
}

/* A time metric, which is in ms, in the unit of the mean column. */
static struct cell time_cell(struct ks_sheet *t, const struct table *tab, const struct ks_kernel *k,
			     enum ks_metric metric)
{
	const struct ks_ev *row = ks_text_kernel_row(t->r, k, metric);

	if (row == NULL || !ks_value_is_number(&row->value))
		return value_cell(t, k, metric);
	double ms = ks_value_real(&row->value);

	return (struct cell){ ks_pen_fixed(&t->pen, ms * 1e6 / tab->mean_per, tab->mean_decimals),
			      KS_STYLE_PLAIN };
}

/* Eighths of a column; drawn against the largest share shown, so that small ones are visible too.
 */
static ks_str bar(struct ks_pen *p, double share, double largest)
{
	static const char eighth[8][4] = { "",
					   "\xe2\x96\x8f",
					   "\xe2\x96\x8e",
					   "\xe2\x96\x8d",
					   "\xe2\x96\x8c",
					   "\xe2\x96\x8b",
					   "\xe2\x96\x8a",
					   "\xe2\x96\x89" };
	char text[BAR_COLS * 3 + 1] = "";
	size_t n = 0, steps = 0;

	if (largest > 0.0 && share > 0.0)
		steps = (size_t)(share / largest * 8 * BAR_COLS + 0.5);
	if (steps > 8 * (size_t)BAR_COLS)
		steps = 8 * (size_t)BAR_COLS;
	for (size_t i = 0; i < steps / 8; i++, n += 3)
		memcpy(text + n, "\xe2\x96\x88", 3);
	memcpy(text + n, eighth[steps % 8], strlen(eighth[steps % 8]));
	n += strlen(eighth[steps % 8]);
	return ks_arena_dup(p->tmp, (ks_str){ text, n });
}

static void fill_row(struct ks_sheet *t, const struct table *tab, struct row *row, size_t rank)
{
	const struct ks_kernel *k = row->k;
	struct ks_pen *p = &t->pen;
	struct cell *c = row->cell;
	const struct ks_ev *occ =
		ks_text_kernel_row(t->r, k, KS_METRIC_KS_THEORETICAL_OCCUPANCY_PCT);

	c[COL_RANK] = (struct cell){ ks_pen_u64(p, rank), KS_STYLE_DIM };
	c[COL_TIME].text = ks_pen_fixed(p, (double)k->total_ns / tab->time_per, tab->time_decimals);
	c[COL_SHARE].text = ks_arena_fmt(p->tmp, "%s%%", ks_pen_fixed(p, k->share_pct, 1).p);
	if (t->v->term.utf8)
		c[COL_BAR] = (struct cell){ bar(p, k->share_pct, tab->row[1].k->share_pct),
					    KS_STYLE_ACCENT };
	c[COL_LAUNCHES].text = ks_pen_u64(p, k->launches);
	c[COL_MEAN].text = ks_pen_fixed(p, k->mean_ns / tab->mean_per, tab->mean_decimals);
	c[COL_P50] = time_cell(t, tab, k, KS_METRIC_KS_LAUNCH_TIME_P50);
	c[COL_CONFIGS].text = ks_pen_u64(p, k->n_configs);
	c[COL_OCC] = value_cell(t, k, KS_METRIC_KS_THEORETICAL_OCCUPANCY_PCT);
	c[COL_LIMITER] = value_cell(t, k, KS_METRIC_KS_OCCUPANCY_LIMITER);
	if (occ != NULL && ks_value_is_full_pct(&occ->value)) /* then nothing limits it */
		c[COL_LIMITER] =
			(struct cell){ t->v->term.utf8 ? KS_LIT("\xe2\x80\x93") : KS_LIT("-"),
				       KS_STYLE_DIM };
}

static void fill_heading(struct ks_sheet *t, struct table *tab)
{
	struct ks_pen *p = &t->pen;
	struct cell *c = tab->row[0].cell;
	ks_str us = t->v->term.utf8 ? KS_LIT("\xc2\xb5s") : KS_LIT("us");
	ks_str time_unit = tab->time_per > 1e8	 ? KS_LIT("s")
			   : tab->time_per > 1e5 ? KS_LIT("ms")
						 : us;
	ks_str mean_unit = tab->mean_per > 1e5 ? KS_LIT("ms") : us;

	c[COL_RANK].text = KS_LIT("#");
	c[COL_TIME].text = KS_PEN_SAY(p, KS_TEXT_R_COL_TIME, time_unit);
	c[COL_SHARE].text = KS_PEN_WORD(p, KS_TEXT_R_COL_SHARE);
	c[COL_LAUNCHES].text = KS_PEN_WORD(p, KS_TEXT_R_COL_LAUNCHES);
	c[COL_MEAN].text = KS_PEN_SAY(p, KS_TEXT_R_COL_MEAN, mean_unit);
	c[COL_P50].text = KS_PEN_SAY(p, KS_TEXT_R_COL_P50, mean_unit);
	c[COL_CONFIGS].text = KS_PEN_WORD(p, KS_TEXT_R_COL_CONFIGS);
	c[COL_OCC].text = KS_PEN_WORD(p, KS_TEXT_R_COL_OCC);
	c[COL_LIMITER].text = KS_PEN_WORD(p, KS_TEXT_R_COL_LIMITER);
	tab->row[0].name = KS_PEN_WORD(p, KS_TEXT_R_COL_KERNEL);
	for (size_t i = 0; i < COL_COUNT; i++)
		c[i].style = KS_STYLE_DIM;
}

/* One unit for a whole column, so that digits can be compared by eye. */
static void choose_units(struct table *tab)
{
	double time = 0.0, mean = 0.0;

	for (size_t i = 1; i < tab->n; i++) {
		if ((double)tab->row[i].k->total_ns > time)
			time = (double)tab->row[i].k->total_ns;
		if (tab->row[i].k->mean_ns > mean)
			mean = tab->row[i].k->mean_ns;
	}
	tab->time_per = time >= 1e12 ? 1e9 : time >= 1e6 ? 1e6 : 1e3;
	tab->time_decimals = time >= 1e6 ? 3 : 1;
	tab->mean_per = mean >= 1e8 ? 1e6 : 1e3;
	tab->mean_decimals = mean >= 1e8 ? 3 : mean >= 1e6 ? 1 : 2;
}

/* Whether a column says anything. That nothing is known is said by the occupancy column alone. */
static bool has_any(const struct table *tab, enum col c)
{
	for (size_t i = 1; i < tab->n; i++) {
		const struct cell *cell = &tab->row[i].cell[c];

		if (cell->text.n > 0 && cell->style != KS_STYLE_DIM &&
		    !(c == COL_LIMITER && cell->style == KS_STYLE_WARN))
			return true;
	}
	return c == COL_RANK && tab->n > 1;
}

static bool all_single(const struct table *tab)
{
	for (size_t i = 1; i < tab->n; i++)
		if (tab->row[i].k->n_configs > 1)
			return false;
	return true;
}

static size_t used_cols(const struct table *tab)
{
	size_t used = 0;

	for (size_t c = 0; c < COL_COUNT; c++)
		used += tab->width[c] > 0 ? tab->width[c] + 2 : 0;
	return used;
}

static size_t max_width(enum col c, size_t cols)
{
	return c != COL_LIMITER ? 24 : cols < 100 ? 11 : 20;
}

static void choose_columns(struct ks_sheet *t, struct table *tab)
{
	size_t cols = (size_t)t->v->term.cols, longest = 0;

	for (size_t c = 0; c < COL_COUNT; c++) {
		for (size_t i = 0; i < tab->n && has_any(tab, (enum col)c); i++) {
			size_t w = ks_utf8_columns(tab->row[i].cell[c].text);

			if (w > tab->width[c])
				tab->width[c] = w;
		}
		if (tab->width[c] > max_width((enum col)c, cols))
			tab->width[c] = max_width((enum col)c, cols);
	}
	if (all_single(tab))
		tab->width[COL_CONFIGS] = 0;
	for (size_t i = 1; i < tab->n; i++) {
		size_t w = ks_utf8_columns(tab->row[i].k->name);

		longest = w > longest ? w : longest;
	}
	size_t need = longest < NAME_MIN ? longest : NAME_MIN;

	for (size_t i = 0; i < KS_ARRAY_LEN(leaves) && used_cols(tab) + need > cols; i++)
		tab->width[leaves[i]] = 0;
	tab->name_cols = cols > used_cols(tab) + 4 ? cols - used_cols(tab) : 4;
}

static void shorten_names(struct ks_sheet *t, struct table *tab)
{
	for (size_t i = 1; i < tab->n; i++) {
		ks_str full = tab->row[i].k->name;
		ks_str shown = ks_pen_name(&t->pen, full, tab->name_cols, KS_LIT(""));

		for (size_t j = 1; j < i; j++) {
			if (!ks_str_eq(shown, tab->row[j].name))
				continue;
			shown = ks_pen_name(&t->pen, full, tab->name_cols, tab->row[j].k->name);
			break;
		}
		tab->row[i].name = shown;
	}
}

static void write_row(struct ks_sheet *t, const struct table *tab, size_t i)
{
	const struct row *row = &tab->row[i];
	struct ks_pen *p = &t->pen;

	for (size_t c = 0; c < COL_COUNT; c++) {
		bool left = c == COL_BAR || c == COL_LIMITER;

		if (tab->width[c] == 0)
			continue;
		ks_pen_cell(p, row->cell[c].style, row->cell[c].text, tab->width[c], !left);
		ks_pen_spaces(p, 2);
	}
	ks_pen_put(p, i == 0 ? KS_STYLE_DIM : KS_STYLE_PLAIN, row->name);
	ks_pen_nl(p);
}

static void write_rest(struct ks_sheet *t, size_t shown)
{
	struct ks_rest rest = ks_report_rest(t->r, shown);
	struct ks_pen *p = &t->pen;
	const struct ks_wrap how = { .style = KS_STYLE_DIM, .lines = 1 };

	if (rest.n == 0)
		return;
	ks_pen_wrap(p, &how,
		    KS_PEN_SAY(p, rest.n == 1 ? KS_TEXT_R_MORE_KERNEL : KS_TEXT_R_MORE_KERNELS,
			       ks_pen_u64(p, rest.n), ks_pen_duration(p, rest.total_ns),
			       ks_pen_fixed(p, rest.share_pct, 1)));
}

void ks_text_table(struct ks_sheet *t, size_t rows)
{
	size_t n = ks_report_kernels(t->r);
	struct table tab = { .n = (rows < n ? rows : n) + 1 };

	tab.row = KS_ARENA_NEWS(t->pen.tmp, struct row, tab.n);
	if (tab.row == NULL || tab.n < 2)
		return;
	for (size_t i = 1; i < tab.n; i++)
		tab.row[i].k = &t->r->kernel[i - 1];
	choose_units(&tab);
	fill_heading(t, &tab);
	for (size_t i = 1; i < tab.n; i++)
		fill_row(t, &tab, &tab.row[i], i);
	choose_columns(t, &tab);
	shorten_names(t, &tab);
	for (size_t i = 0; i < tab.n; i++)
		write_row(t, &tab, i);
	write_rest(t, tab.n - 1);
}
