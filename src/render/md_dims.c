/* SPDX-License-Identifier: Apache-2.0
 *
 * Markdown report: "2. Per-dimension analysis". Sorts the rows of the kernel and of the run into
 * seven fixed questions. A question without a number says which refusal stands before one.
 */
#include "base/str.h"
#include "render/md_pen.h"

#define ROWS_SHOWN 14 /* contract 03 §7 */
#define DIMS	   7

struct dim {
	enum ks_text title, about;
	enum ks_refusal fallback;    /* where it has no number at all */
	unsigned long long sections; /* bits: rows of these belong here */
};
#define IN(section) (1ull << KS_SECTION_##section)

static const struct dim dims[DIMS] = {
	{ KS_TEXT_MD_H21, KS_TEXT_MD_ABOUT21, KS_REFUSAL_NO_OCCUPANCY_PROBE,
	  IN(LAUNCHSTATS) | IN(LAUNCHCONFIGS) | IN(OCCUPANCY) },
	{ KS_TEXT_MD_H22, KS_TEXT_MD_ABOUT22, KS_REFUSAL_INSTRUMENTATION_MISSING,
	  IN(WORKLOADDISTRIBUTION) },
	{ KS_TEXT_MD_H23, KS_TEXT_MD_ABOUT23, KS_REFUSAL_NO_INSTR_HIST,
	  IN(WARPSTATESTATS) | IN(SCHEDULERSTATS) | IN(INSTRUCTIONSTATS) | IN(SOURCECOUNTERS) },
	{ KS_TEXT_MD_H24, KS_TEXT_MD_ABOUT24, KS_REFUSAL_COUNTERS_DENIED,
	  IN(COMPUTEWORKLOADANALYSIS) },
	{ KS_TEXT_MD_H25, KS_TEXT_MD_ABOUT25, KS_REFUSAL_SAMPLING_UNAVAILABLE, IN(PMSAMPLING) },
	{ KS_TEXT_MD_H26, KS_TEXT_MD_ABOUT26, KS_REFUSAL_NO_MEMTRACE,
	  IN(DRAMTRAFFIC) | IN(MEMORYTRACE) | IN(MEMORYWORKLOADANALYSIS) |
		  IN(MEMORYWORKLOADANALYSIS_TABLES) },
	{ KS_TEXT_MD_H27, KS_TEXT_MD_ABOUT27, KS_REFUSAL_NONE, 0 },
};

/* Rows that answer another question than their section does. */
static const struct {
	enum ks_metric metric;
	size_t dim;
} placed[] = {
	{ KS_METRIC_KS_GRID_WAVES, 1 },
	{ KS_METRIC_KS_TAIL_WAVE_FILL_PCT, 1 },
	{ KS_METRIC_LAUNCH_LOCAL_MEM_PER_THREAD, 5 },
	{ KS_METRIC_KS_STATIC_SASS_SHARE_TENSOR, 3 },
	{ KS_METRIC_EST_DYN_INSTR_SHARE_TENSOR, 3 },
	{ KS_METRIC_MEAS_GPM_TENSOR_ACTIVE_PCT, 3 },
	{ KS_METRIC_MEAS_GPM_DRAM_BW_UTIL_PCT, 5 },
	{ KS_METRIC_KS_SAMPLER_WINDOW_COVERAGE_PCT, 4 },
	{ KS_METRIC_KS_WINDOW_BUSY_SEGMENTS, 4 },
	{ KS_METRIC_MEAS_WINDOW_ENERGY_J, 4 },
	{ KS_METRIC_KS_DEVICE_N_BUSY_MS, 4 },
	{ KS_METRIC_KS_DEVICE_N_IDLE_MS, 4 },
	{ KS_METRIC_KS_DEVICE_N_IDLE_SHARE_PCT, 4 },
	{ KS_METRIC_KS_DEVICE_N_IDLE_GAP_COUNT, 4 },
	{ KS_METRIC_KS_DEVICE_N_IDLE_GAP_MAX_MS, 4 },
	{ KS_METRIC_KS_DEVICE_N_MAX_CONCURRENT_STREAMS, 4 },
};

/* Told as findings. */
static bool is_finding(const struct ks_ev *row)
{
	return row->metric == KS_METRIC_KS_DEVICE_N_FINDING_RULE_MS ||
	       row->metric == KS_METRIC_KS_FINDING_RULE_COUNT ||
	       row->metric == KS_METRIC_KS_FINDING_RULE_TOUCHED_MS ||
	       row->metric == KS_METRIC_KS_FINDING_RULE_KERNEL ||
	       row->metric == KS_METRIC_KS_FINDING_RULE_DETAIL;
}

static size_t dim_of(const struct ks_ev *row)
{
	if (is_finding(row))
		return DIMS;
	for (size_t i = 0; i < KS_ARRAY_LEN(placed); i++)
		if (row->metric == placed[i].metric)
			return placed[i].dim;
	/* the times of single launches show whether they are alike */
	if (row->section == KS_SECTION_DURATION && row->metric != KS_METRIC_GPU_TIME_DURATION_SUM)
		return 1;
	if (row->section >= KS_SECTION_COUNT)
		return DIMS - 1;
	for (size_t i = 0; i + 1 < DIMS; i++)
		if (dims[i].sections & (1ull << row->section))
			return i;
	return DIMS - 1;
}

_Static_assert(KS_SECTION_COUNT <= 64, "sections are bits of one number");

struct pass { /* one walk over the rows of a dimension */
	size_t dim;
	bool refused; /* those without a value, else those with one */
	size_t seen, written, most;
};

static void walk(struct ks_md *m, const struct ks_kernel *k, struct pass *w)
{
	for (size_t i = 0; k != NULL && i < k->n_sections; i++) {
		for (size_t j = 0; j < k->section[i].n; j++) {
			const struct ks_ev *row = ks_ev_get(m->r->ev, k->section[i].row[j]);

			if (row == NULL || !ks_view_row(m->v, row) || dim_of(row) != w->dim ||
			    (row->refused != NULL) != w->refused)
				continue;
			w->seen++;
			if (w->written == w->most)
				continue;
			ks_md_row(m, row);
			w->written++;
		}
	}
}

/* What would answer it: never that there is nothing to find. */
static void without_number(struct ks_md *m, const struct dim *d)
{
	const struct ks_refusal_info *info = ks_refusal_info(d->fallback);
	const ks_str command = ks_store_command(m->r->ev, d->fallback, KS_STR_NONE);

	if (d->fallback == KS_REFUSAL_NONE) {
		KS_MD_WORD(m, KS_TEXT_MD_NOTHING_ELSE);
		ks_md_nl(m);
		return;
	}
	ks_md_raw(m, "**");
	KS_MD_WORD(m, KS_TEXT_MD_NO_NUMBER);
	ks_md_raw(m, "** ");
	ks_md_refusal(m, d->fallback, KS_STR_NONE);
	ks_md_mark(m, KS_TEXT_MD_STOP_THEN);
	ks_md_text(m, ks_str_c(info->action[m->pen.lang]));
	ks_md_nl(m);
	if (command.n > 0)
		ks_md_block(m, command);
}

static void dimension(struct ks_md *m, size_t i)
{
	const struct dim *d = &dims[i];
	struct pass value = { .dim = i, .most = ROWS_SHOWN };
	struct pass none = { .dim = i, .refused = true };

	ks_md_heading(m, 3, d->title);
	KS_MD_WORD(m, d->about);
	ks_md_raw(m, "\n\n");
	if (i == DIMS - 1)
		ks_md_findings(m);
	walk(m, m->k, &value);
	walk(m, m->device, &value);
	if (value.seen == 0)
		without_number(m, d);
	walk(m, m->k, &none); /* counted first: a list is set off only where there is one */
	walk(m, m->device, &none);
	if (value.seen == 0 && none.seen > 0)
		ks_md_nl(m);
	none = (struct pass){ .dim = i, .refused = true, .most = ROWS_SHOWN - value.written };
	walk(m, m->k, &none);
	walk(m, m->device, &none);
	if (value.seen + none.seen == value.written + none.written)
		return;
	ks_md_raw(m, "- ");
	KS_MD_SAY(m, KS_TEXT_MD_MORE_ROWS, ks_pen_u64(&m->pen, value.seen - value.written),
		  ks_pen_u64(&m->pen, none.seen - none.written));
	ks_md_nl(m);
}

void ks_md_dimensions(struct ks_md *m)
{
	ks_md_heading(m, 2, KS_TEXT_MD_H2);
	KS_MD_WORD(m, KS_TEXT_MD_ABOUT2);
	ks_md_nl(m);
	for (size_t i = 0; i < DIMS; i++)
		dimension(m, i);
}
