/* SPDX-License-Identifier: Apache-2.0
 *
 * What --print-details all adds about time: exact phases, the tree of open ranges, steps, idle
 * gaps, copies by size, calls, call sites. Lists are bounded; what is left out is counted, and a
 * report has it all.
 */
#include "base/str.h"
#include "render/copy_word.h"
#include "render/text_grid.h"
#include "render/text_timeline.h"

#define LISTED 40

static void left_out(struct ks_pen *p, size_t n)
{
	const struct ks_wrap how = { .style = KS_STYLE_DIM, .at = 2, .hang = 4 };

	if (n == 0)
		return;
	ks_pen_spaces(p, 2);
	ks_pen_wrap(p, &how, KS_PEN_SAY(p, KS_TEXT_R_T_MORE, ks_pen_u64(p, n)));
}

static void heading(struct ks_pen *p, enum ks_text title)
{
	ks_pen_nl(p);
	ks_text_heading(p, KS_PEN_WORD(p, title));
}

static void all_phases(struct ks_say *s)
{
	const struct ks_timeline *t = s->time;
	const size_t n = t->n_phases < LISTED ? t->n_phases : LISTED;

	if (n == 0)
		return;
	heading(&s->t->pen, KS_TEXT_R_T_PHASES_TITLE);
	ks_text_phase_table(s, t->phase, NULL, n);
	left_out(&s->t->pen, t->phases_with_time - n);
}

static void paths(struct ks_say *s)
{
	const struct ks_timeline *t = s->time;
	const size_t n = t->n_paths < 5 * (size_t)LISTED ? t->n_paths : 5 * (size_t)LISTED;
	struct ks_pen *p = &s->t->pen;
	struct ks_grid g;

	if (n == 0 || t->path == NULL || !ks_grid_open(&g, p, 4, n))
		return;
	ks_ns largest = 0;

	for (size_t i = 0; i < n; i++)
		largest = t->path[i].total_ns > largest ? t->path[i].total_ns : largest;
	const struct ks_scale u = ks_scale_of(p, largest);
	ks_str *c = ks_grid_row(&g);

	g.leaves = "210";
	heading(p, KS_TEXT_R_T_PATHS_TITLE);
	c[0] = KS_PEN_SAY(p, KS_TEXT_R_T_COL_KERNEL, u.unit);
	c[1] = KS_PEN_SAY(p, KS_TEXT_R_T_COL_OWN, u.unit);
	c[2] = KS_PEN_WORD(p, KS_TEXT_R_COL_LAUNCHES);
	c[3] = KS_PEN_WORD(p, KS_TEXT_R_T_COL_PATH);
	for (size_t i = 0; i < n; i++) {
		c = ks_grid_row(&g);
		c[0] = ks_scaled(p, &u, (double)t->path[i].total_ns);
		c[1] = ks_scaled(p, &u, (double)t->path[i].own_ns);
		c[2] = t->path[i].kernels == UINT64_MAX ? KS_PEN_WORD(p, KS_TEXT_R_NA)
							: ks_pen_u64(p, t->path[i].kernels);
		c[3] = t->path[i].name.n > 0 ? t->path[i].name
					     : KS_PEN_WORD(p, KS_TEXT_R_T_DEFAULT_DOMAIN);
		g.indent[i + 1] = 2 * (size_t)t->path[i].depth;
	}
	ks_grid_write(&g, 2);
	left_out(p, t->n_paths - n + t->paths_left_out);
}

static ks_str mark_word(struct ks_pen *p, enum ks_step_mark mark)
{
	static const enum ks_text word[] = {
		[KS_STEP_PLAIN] = KS_TEXT_NONE,
		[KS_STEP_FIRST] = KS_TEXT_R_T_MARK_FIRST,
		[KS_STEP_WARMUP] = KS_TEXT_R_T_MARK_WARMUP,
		[KS_STEP_OUTLIER] = KS_TEXT_R_T_MARK_OUTLIER,
	};

	return mark == KS_STEP_PLAIN ? KS_LIT("") : KS_PEN_WORD(p, word[mark]);
}

static void all_steps(struct ks_say *s)
{
	const struct ks_steps *st = &s->time->steps;
	const size_t n = st->n < LISTED ? st->n : LISTED;
	struct ks_pen *p = &s->t->pen;
	struct ks_grid g;
	ks_ns largest = 0;

	if (n == 0 || !ks_grid_open(&g, p, 5, n))
		return;
	for (size_t i = 0; i < n; i++)
		if (st->step[i].end_ns - st->step[i].start_ns > largest)
			largest = st->step[i].end_ns - st->step[i].start_ns;
	const struct ks_scale u = ks_scale_of(p, largest);
	ks_str *c = ks_grid_row(&g);

	g.leaves = "3";
	heading(p, KS_TEXT_R_T_STEPS_TITLE);
	c[0] = KS_LIT("#");
	c[1] = KS_PEN_SAY(p, KS_TEXT_R_T_COL_LENGTH, u.unit);
	c[2] = KS_PEN_SAY(p, KS_TEXT_R_T_COL_KERNEL, u.unit);
	c[3] = KS_PEN_SAY(p, KS_TEXT_R_T_COL_START, KS_LIT("ns"));
	for (size_t i = 0; i < n; i++) {
		const struct ks_step *one = &st->step[i];

		c = ks_grid_row(&g);
		c[0] = ks_pen_u64(p, st->first_number + i);
		c[1] = ks_scaled(p, &u, (double)(one->end_ns - one->start_ns));
		c[2] = ks_scaled(p, &u,
				 one->kernel_ns == KS_UNKNOWN ? -1.0 : (double)one->kernel_ns);
		c[3] = ks_pen_i64(p, one->start_ns);
		c[4] = mark_word(p, one->mark);
	}
	ks_grid_write(&g, 2);
	left_out(p, st->n - n);
}

static void gaps(struct ks_say *s)
{
	const struct ks_timeline *t = s->time;
	struct ks_pen *p = &s->t->pen;
	struct ks_grid g;

	if (t->n_gaps == 0 || !ks_grid_open(&g, p, 6, t->n_gaps))
		return;
	const struct ks_scale u = ks_scale_of(p, t->gap[0].end_ns - t->gap[0].start_ns);
	ks_str *c = ks_grid_row(&g);

	g.leaves = "214";
	heading(p, KS_TEXT_R_T_GAPS_TITLE);
	c[0] = KS_PEN_SAY(p, KS_TEXT_R_T_COL_IDLE, u.unit);
	c[1] = KS_PEN_SAY(p, KS_TEXT_R_T_COL_OVERHEAD, u.unit);
	c[2] = KS_PEN_WORD(p, KS_TEXT_R_T_COL_DEVICE);
	c[3] = KS_PEN_SAY(p, KS_TEXT_R_T_COL_START, KS_LIT("ns"));
	c[5] = KS_PEN_WORD(p, KS_TEXT_R_T_COL_BETWEEN);
	for (size_t i = 0; i < t->n_gaps; i++) {
		const struct ks_gap *gap = &t->gap[i];

		c = ks_grid_row(&g);
		c[0] = ks_scaled(p, &u, (double)(gap->end_ns - gap->start_ns));
		c[1] = gap->overhead_ns > 0 ? ks_scaled(p, &u, (double)gap->overhead_ns)
					    : KS_LIT("");
		if (s->t->r->n_gpus_used > 1 && gap->gpu < s->t->r->n_gpus)
			c[2] = ks_pen_i64(p, s->t->r->gpu[gap->gpu].label);
		c[3] = ks_pen_i64(p, gap->start_ns);
		c[5] = ks_text_between(p, gap, 40);
	}
	ks_grid_write(&g, 2);
}

static ks_str rate(struct ks_pen *p, const struct ks_copy_group *g, double gb_per_s)
{
	return gb_per_s < 0.0 || g->bytes < KS_TEXT_RATE_BYTES ? KS_LIT("")
							       : ks_pen_fixed(p, gb_per_s, 2);
}

static void copy_groups(struct ks_say *s)
{
	const struct ks_timeline *t = s->time;
	const size_t n = t->n_copy_groups < LISTED ? t->n_copy_groups : LISTED;
	struct ks_pen *p = &s->t->pen;
	struct ks_grid g;

	if (n == 0 || !ks_grid_open(&g, p, 5, n))
		return;
	ks_str *c = ks_grid_row(&g);

	g.leaves = "32";
	heading(p, KS_TEXT_R_T_COPIES_TITLE);
	c[0] = KS_PEN_WORD(p, KS_TEXT_R_T_COL_SIZE);
	c[1] = KS_PEN_WORD(p, KS_TEXT_R_T_COL_TIMES);
	c[2] = KS_PEN_WORD(p, KS_TEXT_R_T_COL_TYPICAL);
	c[3] = KS_PEN_WORD(p, KS_TEXT_R_T_COL_SLOWEST);
	c[4] = KS_PEN_WORD(p, KS_TEXT_R_T_COL_COPY);
	for (size_t i = 0; i < n; i++) {
		const struct ks_copy_group *one = &t->copy_group[i];

		c = ks_grid_row(&g);
		c[0] = one->bytes == KS_UNKNOWN ? KS_PEN_WORD(p, KS_TEXT_R_UNREADABLE)
						: ks_pen_bytes(p, (uint64_t)one->bytes);
		c[1] = ks_pen_u64(p, one->count);
		c[2] = rate(p, one, one->typical_gb_per_s);
		c[3] = rate(p, one, one->gb_per_s);
		c[4] = ks_copy_word(p->tmp, one->kind);
	}
	ks_grid_write(&g, 2);
	left_out(p, t->n_copy_groups - n);
}

static void api_calls(struct ks_say *s)
{
	const struct ks_timeline *t = s->time;
	const size_t n = t->n_api < LISTED ? t->n_api : LISTED;
	struct ks_pen *p = &s->t->pen;
	struct ks_grid g;

	if (n == 0 || !ks_grid_open(&g, p, 5, n))
		return;
	const struct ks_scale u = ks_scale_of(p, t->api[0].total_ns);
	ks_str *c = ks_grid_row(&g);

	g.leaves = "3";
	heading(p, KS_TEXT_R_T_API_TITLE);
	c[0] = KS_PEN_SAY(p, KS_TEXT_R_COL_TIME, u.unit);
	c[1] = KS_PEN_WORD(p, KS_TEXT_R_T_COL_TIMES);
	c[2] = KS_PEN_SAY(p, KS_TEXT_R_T_COL_WORST, u.unit);
	c[3] = KS_PEN_WORD(p, KS_TEXT_R_T_COL_FAILED);
	c[4] = KS_PEN_WORD(p, KS_TEXT_R_T_COL_CALL);
	for (size_t i = 0; i < n; i++) {
		const struct ks_api_call *one = &t->api[i];

		c = ks_grid_row(&g);
		c[0] = ks_scaled(p, &u, (double)one->total_ns);
		c[1] = ks_pen_u64(p, one->calls);
		c[2] = ks_scaled(p, &u, (double)one->max_ns);
		c[3] = one->failed > 0 ? ks_pen_u64(p, one->failed) : KS_LIT("");
		c[4] = one->name;
	}
	ks_grid_write(&g, 2);
	left_out(p, t->n_api_names - n);
}

static void comm_kernels(struct ks_say *s)
{
	const struct ks_timeline *t = s->time;
	const size_t n = t->n_comm_kernels < LISTED ? t->n_comm_kernels : LISTED;
	struct ks_pen *p = &s->t->pen;
	struct ks_grid g;

	if (n == 0 || !ks_grid_open(&g, p, 5, n))
		return;
	const struct ks_kernel_overlap *k = t->comm_kernel;
	const struct ks_scale u =
		ks_scale_of(p, k[0].with_ns > k[0].without_ns ? k[0].with_ns : k[0].without_ns);
	ks_str *c = ks_grid_row(&g);

	g.leaves = "32";
	heading(p, KS_TEXT_R_T_BESIDE_TITLE);
	c[0] = KS_PEN_SAY(p, KS_TEXT_R_T_COL_WITH, u.unit);
	c[1] = KS_PEN_SAY(p, KS_TEXT_R_T_COL_WITHOUT, u.unit);
	c[2] = KS_PEN_SAY(p, KS_TEXT_R_T_COL_P50_WITH, u.unit);
	c[3] = KS_PEN_SAY(p, KS_TEXT_R_T_COL_P50_WITHOUT, u.unit);
	c[4] = KS_PEN_WORD(p, KS_TEXT_R_COL_KERNEL);
	for (size_t i = 0; i < n; i++) {
		c = ks_grid_row(&g);
		c[0] = ks_scaled(p, &u, (double)k[i].with_ns);
		c[1] = ks_scaled(p, &u, (double)k[i].without_ns);
		if (k[i].with_launches > 0)
			c[2] = ks_scaled(p, &u, (double)k[i].with_median_ns);
		if (k[i].without_launches > 0)
			c[3] = ks_scaled(p, &u, (double)k[i].without_median_ns);
		c[4] = k[i].kernel;
	}
	ks_grid_write(&g, 2);
	left_out(p, t->n_comm_kernels - n);
}

static void graph_nodes(struct ks_say *s)
{
	const struct ks_graphs *graphs = &s->time->graphs;
	const size_t n = graphs->n_top < LISTED ? graphs->n_top : LISTED;
	struct ks_pen *p = &s->t->pen;
	struct ks_grid g;

	if (n == 0 || !ks_grid_open(&g, p, 4, n))
		return;
	const struct ks_scale u = ks_scale_of(p, graphs->top[0].total_ns);
	ks_str *c = ks_grid_row(&g);

	g.leaves = "1";
	heading(p, KS_TEXT_R_T_NODES_TITLE);
	c[0] = KS_PEN_SAY(p, KS_TEXT_R_COL_TIME, u.unit);
	c[1] = KS_PEN_WORD(p, KS_TEXT_R_T_COL_NODE);
	c[2] = KS_PEN_WORD(p, KS_TEXT_R_COL_LAUNCHES);
	c[3] = KS_PEN_WORD(p, KS_TEXT_R_COL_KERNEL);
	for (size_t i = 0; i < n; i++) {
		c = ks_grid_row(&g);
		c[0] = ks_scaled(p, &u, (double)graphs->top[i].total_ns);
		if (graphs->top[i].node != KS_UNKNOWN)
			c[1] = ks_pen_i64(p, graphs->top[i].node);
		c[2] = ks_pen_u64(p, graphs->top[i].launches);
		c[3] = graphs->top[i].kernel;
	}
	ks_grid_write(&g, 2);
	left_out(p, graphs->n_top - n);
}

static void call_sites(struct ks_say *s)
{
	const struct ks_timeline *t = s->time;
	const size_t n = t->n_call_sites < LISTED ? t->n_call_sites : LISTED;
	const struct ks_wrap how = { .style = KS_STYLE_DIM, .at = 6, .hang = 8 };
	struct ks_pen *p = &s->t->pen;

	if (n == 0)
		return;
	heading(p, KS_TEXT_R_T_SITES_TITLE);
	for (size_t i = 0; i < n; i++) {
		const struct ks_call_site *one = &t->call_site[i];
		const struct ks_wrap line = { .at = 2, .hang = 6 };

		ks_pen_spaces(p, 2);
		ks_pen_wrap(p, &line,
			    KS_PEN_SAY(p, KS_TEXT_R_T_SITE,
				       ks_pen_name(p, one->kernel, 60, KS_LIT("")), one->frame,
				       ks_pen_u64(p, one->launches)));
		if (one->stack.n == 0)
			continue;
		ks_pen_spaces(p, 6);
		ks_pen_wrap(p, &how, one->stack);
	}
	left_out(p, t->n_call_sites - n);
}

void ks_text_timeline_lists(struct ks_sheet *t)
{
	struct ks_say s = { .t = t, .time = t->r->timeline };

	if (s.time == NULL)
		return;
	all_steps(&s);
	all_phases(&s);
	paths(&s);
	gaps(&s);
	copy_groups(&s);
	comm_kernels(&s);
	graph_nodes(&s);
	api_calls(&s);
	call_sites(&s);
}
