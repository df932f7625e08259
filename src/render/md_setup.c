/* SPDX-License-Identifier: Apache-2.0
 *
 * Markdown report: title, "0. Profiling setup" and "1. Headline numbers". What was measured with
 * what, and the numbers that come first; a row that was not made is not listed.
 */
#include "base/str.h"
#include "evidence/rest.h"
#include "render/decided.h"
#include "render/md_pen.h"

#define MISSING_SHOWN 10 /* contract 03 §7 */

/* --- title --------------------------------------------------------------------------------------
 */

static void known(struct ks_md *m, enum ks_text sentence, int64_t v)
{
	if (v == KS_UNKNOWN)
		return;
	ks_md_mark(m, KS_TEXT_MD_COMMA);
	KS_MD_SAY(m, sentence, ks_pen_i64(&m->pen, v));
}

static void device_line(struct ks_md *m, const struct ks_gpu *g)
{
	struct ks_pen *p = &m->pen;

	ks_md_item(m, KS_TEXT_MD_GPU);
	if (m->r->n_gpus_used > 1) { /* cards of one name, or of none, are told apart */
		if (g->label < 0)
			KS_MD_WORD(m, KS_TEXT_R_DEVICE_UNKNOWN);
		else
			KS_MD_SAY(m, KS_TEXT_R_DEVICE_BARE, ks_pen_i64(p, g->label));
		ks_md_mark(m, KS_TEXT_MD_COMMA);
	}
	if (g->name.n > 0)
		ks_md_name(m, g->name);
	else
		KS_MD_WORD(m, KS_TEXT_MD_UNKNOWN);
	if (g->cc_major >= 0) {
		ks_md_mark(m, KS_TEXT_MD_COMMA);
		KS_MD_SAY(m, KS_TEXT_MD_CC, ks_pen_i64(p, g->cc_major), ks_pen_i64(p, g->cc_minor));
	}
	known(m, KS_TEXT_MD_SMS, g->sm_count);
	if (g->l2_bytes != KS_UNKNOWN && g->l2_bytes >= 0) {
		ks_md_mark(m, KS_TEXT_MD_COMMA);
		ks_md_raw(m, "L2 ");
		ks_md_text(m, ks_pen_bytes(p, (uint64_t)g->l2_bytes));
	}
	if (g->driver.n > 0) {
		ks_md_mark(m, KS_TEXT_MD_COMMA);
		KS_MD_WORD(m, KS_TEXT_MD_DRIVER);
		ks_md_raw(m, " ");
		ks_md_name(m, g->driver);
	}
	ks_md_nl(m);
}

static void title(struct ks_md *m)
{
	struct ks_pen *p = &m->pen;
	const struct ks_report *r = m->r;

	ks_md_raw(m, "# ");
	KS_MD_WORD(m, KS_TEXT_MD_TITLE);
	ks_md_raw(m, " ");
	ks_md_name(m, m->k->name);
	ks_md_raw(m, "\n\n");
	ks_md_item(m, KS_TEXT_MD_KERNEL);
	ks_md_name(m, m->k->name);
	ks_md_mark(m, KS_TEXT_MD_COMMA);
	KS_MD_SAY(m, m->k->launches == 1 ? KS_TEXT_R_LAUNCH : KS_TEXT_R_LAUNCHES,
		  ks_pen_u64(p, m->k->launches));
	ks_md_nl(m);
	for (size_t i = 0; i < r->n_gpus_used; i++)
		device_line(m, &r->gpu[i]);
	ks_md_item(m, KS_TEXT_MD_TOOL);
	ks_md_text(m, r->tool);
	ks_md_raw(m, " ");
	ks_md_text(m, r->tool_version);
	ks_md_nl(m);
	ks_md_item(m, KS_TEXT_MD_CAVEAT);
	KS_MD_WORD(m, KS_TEXT_MD_CAVEAT_TEXT);
	ks_md_nl(m);
	if (r->synthetic) {
		ks_md_item(m, KS_TEXT_MD_WARNING);
		KS_MD_WORD(m, KS_TEXT_R_S_SYNTHETIC);
		ks_md_nl(m);
	}
	if (ks_report_kernels(r) < 2)
		return;
	ks_md_item(m, KS_TEXT_MD_NOTE);
	KS_MD_SAY(m, KS_TEXT_MD_ONE_OF, ks_pen_u64(p, ks_report_kernels(r)));
	ks_md_nl(m);
}

/* --- 0 ------------------------------------------------------------------------------------------
 */

static void item_code(struct ks_md *m, enum ks_text label, ks_str s)
{
	if (s.n == 0)
		return;
	ks_md_item(m, label);
	ks_md_code(m, s);
	ks_md_nl(m);
}

static void sources(struct ks_md *m)
{
	for (size_t i = 0; i < m->r->n_sources; i++) {
		const struct ks_source_line *s = &m->r->source[i];

		ks_md_item(m, KS_TEXT_MD_SOURCE);
		ks_md_code(m, s->key);
		ks_md_mark(m, KS_TEXT_MD_COLON);
		ks_md_text(m, ks_pen_msg(&m->pen, &s->text));
		ks_md_nl(m);
	}
}

static void missing(struct ks_md *m)
{
	const struct ks_verdicts *vd = m->vd;
	struct ks_pen *p = &m->pen;

	if (vd->n_unmeasured == 0)
		return;
	ks_md_heading(m, 3, KS_TEXT_MD_H_MISSING);
	for (size_t i = 0; i < vd->n_unmeasured && i < MISSING_SHOWN; i++) {
		const struct ks_unmeasured *u = &vd->unmeasured[i];

		ks_md_raw(m, "- ");
		ks_md_refusal(m, u->code, u->slug);
		ks_md_raw(m, " \xc3\x97");
		ks_md_text(m, ks_pen_u64(p, u->count));
		for (size_t j = 0; j < u->n_examples; j++) {
			ks_md_mark(m, j == 0 ? KS_TEXT_MD_COLON : KS_TEXT_MD_COMMA);
			ks_md_name(m, u->example[j]);
		}
		ks_md_nl(m);
	}
	if (vd->n_unmeasured > MISSING_SHOWN) {
		ks_md_raw(m, "- ");
		KS_MD_SAY(m, KS_TEXT_MD_MORE, ks_pen_u64(p, vd->n_unmeasured - MISSING_SHOWN));
		ks_md_nl(m);
	}
}

static void artifacts(struct ks_md *m)
{
	ks_md_heading(m, 3, KS_TEXT_MD_H_ARTIFACTS);
	for (size_t i = 0; i < m->v->n_files; i++) {
		ks_md_raw(m, "- ");
		ks_md_raw(m, m->v->file[i].key);
		ks_md_mark(m, KS_TEXT_MD_COLON);
		ks_md_code(m, m->v->file[i].path);
		ks_md_nl(m);
	}
	if (m->v->n_files > 0)
		return;
	KS_MD_WORD(m, KS_TEXT_MD_NO_ARTIFACTS);
	ks_md_nl(m);
}

static void setup(struct ks_md *m)
{
	const struct ks_report *r = m->r;

	ks_md_heading(m, 2, KS_TEXT_MD_H0);
	item_code(m, KS_TEXT_MD_INPUT, r->input_path);
	item_code(m, KS_TEXT_MD_PRODUCER, r->producer);
	item_code(m, KS_TEXT_MD_HASH, m->vd->protocol_hash);
	item_code(m, KS_TEXT_MD_WINDOW, r->window_mode);
	item_code(m, KS_TEXT_MD_WITHIN, r->within);
	if (r->span_ns > 0) {
		ks_md_item(m, KS_TEXT_MD_SPAN);
		ks_md_text(m, ks_pen_duration(&m->pen, r->span_ns));
		ks_md_nl(m);
	}
	sources(m);
	for (size_t i = 0; i < r->n_notes; i++) {
		ks_md_item(m, KS_TEXT_MD_NOTE);
		ks_md_text(m, ks_pen_msg_short(&m->pen, &r->note[i], 80));
		ks_md_nl(m);
	}
	missing(m);
	ks_md_heading(m, 3, KS_TEXT_MD_H_COMMAND);
	if (m->v->command.n > 0) {
		KS_MD_WORD(m, KS_TEXT_MD_COMMAND);
		ks_md_nl(m);
		ks_md_block(m, m->v->command);
	} else {
		KS_MD_WORD(m, KS_TEXT_MD_NO_COMMAND);
		ks_md_nl(m);
	}
	artifacts(m);
}

/* --- 1 ------------------------------------------------------------------------------------------
 */

static void headline_row(struct ks_md *m, enum ks_metric id, const struct ks_ev *row)
{
	ks_md_raw(m, "| ");
	ks_md_text(m, ks_str_c(ks_metric_info(id)->what[m->pen.lang]));
	ks_md_raw(m, " | ");
	if (row->refused != NULL)
		KS_MD_WORD(m, KS_TEXT_R_NA);
	else if (row->value.kind == KS_V_TEXT)
		ks_md_cell_code(m, ks_pen_name(&m->pen, row->value.s, 80, KS_LIT("")));
	else
		ks_md_text(m, ks_pen_value(&m->pen, &row->value));
	ks_md_raw(m, " | ");
	ks_md_text(m, ks_str_c(row->refused != NULL ? "" : ks_unit_info(row->unit)->symbol));
	ks_md_raw(m, " | ");
	ks_md_raw(m, ks_prov_name(row->prov));
	ks_md_raw(m, " | ");
	ks_md_cell_code(m, row->name);
	if (row->refused != NULL) {
		ks_md_raw(m, " ");
		ks_md_cell_code(m, ks_refused_slug(row->refused));
	}
	ks_md_raw(m, " |\n");
}

static void headline(struct ks_md *m)
{
	static const enum ks_metric rows[] = {
		KS_METRIC_GPU_TIME_DURATION_SUM,
		KS_METRIC_KS_LAUNCH_COUNT,
		KS_METRIC_KS_LAUNCH_TIME_MEAN,
		KS_METRIC_KS_LAUNCH_TIME_P50,
		KS_METRIC_KS_LAUNCH_TIME_MIN,
		KS_METRIC_KS_LAUNCH_TIME_MAX,
		KS_METRIC_KS_THEORETICAL_OCCUPANCY_PCT,
		KS_METRIC_KS_OCCUPANCY_LIMITER,
		KS_METRIC_MEAS_ACHIEVED_OCCUPANCY_PCT,
		KS_METRIC_EST_DRAM_BYTES_TOTAL,
		KS_METRIC_EST_DRAM_BYTES_PER_LAUNCH,
		KS_METRIC_EST_ROOFLINE_EFFICIENCY_PCT,
		KS_METRIC_KS_COST_PER_MTOK,
		KS_METRIC_KS_COST_PER_HOUR,
		KS_METRIC_KS_SAMPLER_WINDOW_COVERAGE_PCT,
		KS_METRIC_SM_MAXIMUM_WARPS_PER_ACTIVE_CYCLE_PCT,
	};
	const struct ks_store *ev = m->r->ev;

	ks_md_heading(m, 2, KS_TEXT_MD_H1);
	ks_md_raw(m, "| ");
	ks_out_cstr(m->pen.out, ks_text_get(KS_TEXT_MD_COLUMNS, m->pen.lang));
	ks_md_raw(m, " |\n| --- | --- | --- | --- | --- |\n");
	for (size_t i = 0; i < KS_ARRAY_LEN(rows); i++) {
		const ks_str name = ks_str_c(ks_metric_info(rows[i])->name);
		const struct ks_ev *row = ks_ev_get(ev, ks_ev_find(ev, name, m->k->name));

		if (row == NULL && m->device != NULL)
			row = ks_ev_get(ev, ks_ev_find(ev, name, m->device->name));
		if (row != NULL && ks_view_row(m->v, row))
			headline_row(m, rows[i], row);
	}
	const struct ks_msg finding = ks_decided_finding(&m->pen, &m->vd->finding);

	if (finding.id == KS_TEXT_NONE)
		return;
	ks_md_raw(m, "\n**");
	KS_MD_WORD(m, KS_TEXT_MD_READ);
	ks_md_raw(m, "** ");
	ks_md_text(m, ks_pen_msg_short(&m->pen, &finding, 80));
	ks_md_nl(m);
}

void ks_md_setup(struct ks_md *m)
{
	title(m);
	setup(m);
	headline(m);
}
