/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps and NVTX phases as text: one line each, the table of phases with names that differ in
 * digits alone made one.
 */
#include "base/str.h"
#include "evidence/ratio.h"
#include "evidence/run_row.h"
#include "evidence/value.h"
#include "render/text_grid.h"
#include "render/text_timeline.h"

#define NAMES_ON_LINE 3

void ks_text_steps(struct ks_say *s)
{
	const struct ks_steps *st = &s->time->steps;
	const struct ks_report *r = s->t->r;
	struct ks_pen *p = &s->t->pen;
	ks_str label = KS_PEN_WORD(p, KS_TEXT_R_T_STEPS);

	if (st->n == 0) {
		if (st->why.id != KS_TEXT_NONE && s->time->ranges > 0 && s->t->all) {
			ks_say_add(s, ks_pen_msg_short(p, &st->why, 48));
			ks_say_line(s, label);
		}
		return;
	}
	const ks_str median = ks_text_row_time(p, ks_run_row_find(r, "ks__step_p50_ms"));
	const ks_str spread = ks_text_row_time(p, ks_run_row_find(r, "ks__step_mad_ms"));

	ks_say_add(s, KS_PEN_SAY(p, KS_TEXT_R_T_STEP_COUNT, ks_pen_u64(p, st->n),
				 ks_pen_name(p, st->name, 32, KS_LIT(""))));
	if (median.n > 0)
		ks_say_add(s, spread.n > 0 ? KS_PEN_SAY(p, KS_TEXT_R_T_MEDIAN_MAD, median, spread)
					   : KS_PEN_SAY(p, KS_TEXT_R_T_MEDIAN, median));
	if (st->step[0].mark == KS_STEP_FIRST) /* it may lie before the window */
		ks_say_add(s, KS_PEN_SAY(p, KS_TEXT_R_T_FIRST,
					 ks_pen_duration(p, st->step[0].end_ns -
								    st->step[0].start_ns)));
	if (st->n_outliers > 0)
		ks_say_add(s, ks_text_times(p, st->n_outliers, KS_TEXT_R_T_OUTLIER,
					    KS_TEXT_R_T_OUTLIERS));
	if (st->n_warmup > 0)
		ks_say_add(s, KS_PEN_SAY(p, KS_TEXT_R_T_WARMUP, ks_pen_u64(p, st->n_warmup)));
	ks_say_line(s, label);
}

/* "name 45.2 %" of those with most kernel time. */
static ks_str shares(struct ks_say *s)
{
	const struct ks_timeline *t = s->time;
	struct ks_pen *p = &s->t->pen;
	ks_str list = KS_LIT("");

	for (size_t i = 0; i < t->n_folded_phases && i < NAMES_ON_LINE; i++) {
		const struct ks_phase *ph = &t->folded_phase[i];
		const double pct = ks_share_pct(ph->kernel_ns, s->t->r->kernel_ns);

		if (pct < 0.0)
			break;
		ks_str one = KS_PEN_SAY(p, KS_TEXT_R_T_NAME_PCT,
					ks_pen_name(p, ph->name, 24, KS_LIT("")),
					ks_pen_fixed(p, pct, 1));

		list = list.n == 0 ? one : ks_pen_cat(p, ks_pen_cat(p, list, KS_LIT(", ")), one);
	}
	return list;
}

/* A kernel counts once for each range of the name that it was launched in. */
static bool over_all(const struct ks_say *s)
{
	const struct ks_timeline *t = s->time;

	for (size_t i = 0; i < t->n_folded_phases && i < NAMES_ON_LINE; i++)
		if (t->folded_phase[i].kernel_ns > s->t->r->kernel_ns)
			return true;
	return false;
}

void ks_text_nvtx(struct ks_say *s)
{
	const struct ks_timeline *t = s->time;
	struct ks_pen *p = &s->t->pen;

	if (t->ranges + t->open_ranges == 0)
		return;
	if (t->n_folded_phases == 0)
		ks_say_add(s, ks_text_times(p, t->ranges, KS_TEXT_R_T_RANGE_BARE,
					    KS_TEXT_R_T_RANGES_BARE));
	ks_say_add(s, shares(s));
	if (over_all(s))
		ks_say_add(s, KS_PEN_WORD(p, KS_TEXT_R_T_OVER_ALL));
	ks_say_add(s, KS_PEN_WORD(p, t->by_overlap ? KS_TEXT_R_T_BY_OVERLAP : KS_TEXT_R_T_BY_CALL));
	if (t->unattributed_ns > 0)
		ks_say_add(s, KS_PEN_SAY(p, KS_TEXT_R_T_OUTSIDE,
					 ks_pen_duration(p, t->unattributed_ns)));
	if (t->open_ranges > 0)
		ks_say_add(s, ks_text_times(p, t->open_ranges, KS_TEXT_R_T_OPEN_ONE,
					    KS_TEXT_R_T_OPEN));
	if (t->marks > 0)
		ks_say_add(s, ks_text_times(p, t->marks, KS_TEXT_R_T_MARK_ONE, KS_TEXT_R_T_MARKS));
	ks_say_line(s, KS_LIT("NVTX"));
}

static ks_str with_domain(struct ks_pen *p, const struct ks_phase *ph, uint32_t names)
{
	ks_str name = ph->name;

	if (ph->domain.n > 0)
		name = ks_pen_cat(p, ks_pen_cat(p, name, KS_LIT(" @")), ph->domain);
	if (names > 1)
		name = KS_PEN_SAY(p, KS_TEXT_R_T_NAMES, name, ks_pen_u64(p, names));
	return name;
}

static void phase_heading(struct ks_grid *g, const struct ks_scale *u)
{
	struct ks_pen *p = g->p;
	ks_str *c = ks_grid_row(g);

	c[0] = KS_PEN_SAY(p, KS_TEXT_R_T_COL_KERNEL, u->unit);
	c[1] = KS_PEN_WORD(p, KS_TEXT_R_COL_SHARE);
	c[2] = KS_PEN_SAY(p, KS_TEXT_R_T_COL_OWN, u->unit);
	c[3] = KS_PEN_SAY(p, KS_TEXT_R_T_COL_GPU, u->unit);
	c[4] = KS_PEN_WORD(p, KS_TEXT_R_T_COL_TIMES);
	c[5] = KS_PEN_SAY(p, KS_TEXT_R_T_COL_MEAN, u->unit);
	c[6] = KS_PEN_SAY(p, KS_TEXT_R_T_COL_WORST, u->unit);
	c[7] = KS_PEN_WORD(p, KS_TEXT_R_T_COL_PHASE);
}

void ks_text_phase_table(struct ks_say *s, const struct ks_phase *phase, const uint32_t *names,
			 size_t n)
{
	struct ks_pen *p = &s->t->pen;
	struct ks_grid g;
	ks_ns largest = 0;

	if (n == 0 || !ks_grid_open(&g, p, 8, n))
		return;
	g.leaves = "362541";
	for (size_t i = 0; i < n; i++) {
		largest = phase[i].kernel_ns > largest ? phase[i].kernel_ns : largest;
		largest = phase[i].max_ns > largest ? phase[i].max_ns : largest;
	}
	const struct ks_scale u = ks_scale_of(p, largest);

	phase_heading(&g, &u);
	for (size_t i = 0; i < n; i++) {
		const struct ks_phase *ph = &phase[i];
		const double pct = ks_share_pct(ph->kernel_ns, s->t->r->kernel_ns);
		ks_str *c = ks_grid_row(&g);

		c[0] = ks_scaled(p, &u, (double)ph->kernel_ns);
		c[1] = pct < 0.0 ? KS_LIT("")
				 : ks_arena_fmt(p->tmp, "%s%%", ks_pen_fixed(p, pct, 1).p);
		c[2] = ks_scaled(p, &u, (double)ph->own_ns);
		c[3] = ks_scaled(p, &u, ph->gpu_ns == KS_UNKNOWN ? -1.0 : (double)ph->gpu_ns);
		c[4] = ks_pen_u64(p, ph->instances);
		c[5] = ks_scaled(p, &u, ks_mean_ns(ph->wall_ns, ph->instances));
		c[6] = ks_scaled(p, &u, (double)ph->max_ns);
		c[7] = with_domain(p, ph, names != NULL ? names[i] : 1);
	}
	ks_grid_write(&g, 2);
}

void ks_text_phases(struct ks_say *s, size_t rows)
{
	const struct ks_timeline *t = s->time;
	const size_t n = t->n_folded_phases < rows ? t->n_folded_phases : rows;

	ks_text_phase_table(s, t->folded_phase, t->folded_names, n);
}
