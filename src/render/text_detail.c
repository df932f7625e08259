/* SPDX-License-Identifier: Apache-2.0
 *
 * --print-details all: every kernel with its configurations, sections and rows, each value with its
 * provenance, each refusal with code, reason, what was seen, what was needed and what to do.
 */
#include "base/str.h"
#include "base/utf8.h"
#include "evidence/money.h"
#include "evidence/unit.h"
#include "render/text.h"

/* Column widths of contract 03 §1; the name column shrinks on a narrow terminal. */
#define NAME_COLS     46
#define VALUE_COLS    14
#define UNIT_COLS     8
#define PROV_COLS     14
#define CONFIGS_SHOWN 64
#define PLACES_SHOWN  4

static enum ks_style prov_style(enum ks_prov prov)
{
	static const enum ks_style style[KS_PROV_COUNT] = {
		[KS_PROV_EXACT] = KS_STYLE_GOOD,      [KS_PROV_MEASURED] = KS_STYLE_ACCENT,
		[KS_PROV_DERIVED] = KS_STYLE_ACCENT,  [KS_PROV_ESTIMATED] = KS_STYLE_WARN,
		[KS_PROV_UNAVAILABLE] = KS_STYLE_BAD,
	};

	return prov < KS_PROV_COUNT ? style[prov] : KS_STYLE_PLAIN;
}

static ks_str bracketed(struct ks_pen *p, const char *word)
{
	return ks_arena_fmt(p->tmp, "[%s]", word);
}

static void labelled(struct ks_sheet *t, size_t indent, enum ks_text label, ks_str text)
{
	ks_pen_labelled(&t->pen, indent, label, text);
}

static ks_str display_name(struct ks_sheet *t, const struct ks_section_rows *s,
			   const struct ks_ev *row)
{
	if (!t->v->full_metric_names)
		return row->name;
	return ks_pen_cat(&t->pen, ks_pen_cat(&t->pen, s->name, KS_LIT(".")), row->name);
}

/* Value and unit as shown; --print-units auto turns MB into GB or TB, in this output alone. */
static ks_str shown_value(struct ks_sheet *t, const struct ks_ev *row, enum ks_unit *unit)
{
	struct ks_value v = row->value;

	*unit = row->unit;
	if (v.kind == KS_V_REAL && t->v->auto_units && row->unit == KS_UNIT_MB && v.d >= 1e3) {
		*unit = v.d >= 1e6 ? KS_UNIT_TB : KS_UNIT_GB;
		if (!ks_unit_convert(KS_UNIT_MB, *unit, &v.d))
			*unit = row->unit;
	}
	return ks_pen_value(&t->pen, &v);
}

static size_t name_cols(const struct ks_sheet *t)
{
	size_t cols = (size_t)t->v->term.cols, rest = 4 + VALUE_COLS + 1 + UNIT_COLS + PROV_COLS;

	if (cols >= NAME_COLS + rest)
		return NAME_COLS;
	return cols > rest + 8 ? cols - rest : 8;
}

/* The name in its column, or on a line of its own when it is too long for it. */
static void name_cell(struct ks_sheet *t, ks_str name)
{
	struct ks_pen *p = &t->pen;
	size_t width = name_cols(t);
	const struct ks_wrap whole = { .at = 4, .hang = 6 };

	ks_pen_spaces(p, 4);
	if (ks_utf8_columns(name) <= width) {
		ks_pen_cell(p, KS_STYLE_PLAIN, name, width, false);
		return;
	}
	ks_pen_wrap(p, &whole, name);
	ks_pen_spaces(p, 4 + width);
}

static void value_cells(struct ks_sheet *t, const struct ks_ev *row)
{
	struct ks_pen *p = &t->pen;
	enum ks_unit unit;
	ks_str value = shown_value(t, row, &unit);
	size_t cols = (size_t)t->v->term.cols, used = 4 + name_cols(t);
	bool na = row->prov == KS_PROV_UNAVAILABLE;

	if (cols < used + VALUE_COLS + 1 + UNIT_COLS + PROV_COLS) { /* too narrow for columns */
		const struct ks_wrap how = { .at = used, .hang = 6 };

		ks_pen_wrap(p, &how,
			    ks_arena_fmt(p->tmp, "%s %s [%s]", na ? "n/a" : value.p,
					 ks_report_unit(t->r, unit), ks_prov_name(row->prov)));
		return;
	}
	if (na)
		value = KS_PEN_WORD(p, KS_TEXT_R_NA);
	if (ks_utf8_columns(value) > VALUE_COLS) { /* a text value: whole, below its name */
		const struct ks_wrap how = { .at = used + 1, .hang = 6 };

		ks_pen_spaces(p, 1);
		ks_pen_wrap(p, &how,
			    ks_pen_cat(p, value,
				       ks_arena_fmt(p->tmp, " %s [%s]", ks_report_unit(t->r, unit),
						    ks_prov_name(row->prov))));
		return;
	}
	ks_pen_cell(p, na ? KS_STYLE_DIM : KS_STYLE_BOLD, value, VALUE_COLS, true);
	ks_pen_spaces(p, 1);
	ks_pen_cell(p, KS_STYLE_PLAIN, ks_str_c(ks_report_unit(t->r, unit)), UNIT_COLS, false);
	ks_pen_put(p, prov_style(row->prov), bracketed(p, ks_prov_name(row->prov)));
	ks_pen_nl(p);
}

static void refusal_lines(struct ks_sheet *t, const struct ks_refused *why)
{
	struct ks_pen *p = &t->pen;
	ks_str seen = ks_pen_kvs(p, why->observed, why->n_observed);
	ks_str needed = ks_pen_kvs(p, why->threshold, why->n_threshold);
	ks_str code = bracketed(p, ks_refusal_info(why->code)->slug);
	const struct ks_wrap how = { .at = 9 + ks_utf8_columns(code), .hang = 10 };
	ks_str cost = ks_pen_cost(p, why->remedy.cost_kind, why->remedy.cost_s);

	ks_pen_spaces(p, 8);
	ks_pen_put(p, KS_STYLE_WARN, code);
	ks_pen_spaces(p, 1);
	ks_pen_wrap(p, &how, ks_pen_refused_message(p, t->r->ev, why));
	labelled(t, 8, KS_TEXT_R_RULE, why->rule);
	labelled(t, 8, KS_TEXT_R_OBSERVED, seen);
	labelled(t, 8, KS_TEXT_R_THRESHOLD, needed);
	labelled(t, 8, KS_TEXT_R_FIX,
		 ks_refusal_info(why->code)->later
			 ? ks_pen_refused_action(p, why)
			 : KS_PEN_SAY(p, KS_TEXT_R_WITH_COST, ks_pen_refused_action(p, why), cost));
	labelled(t, 8, KS_TEXT_R_COMMAND, why->remedy.command);
}

static void row_lines(struct ks_sheet *t, const struct ks_section_rows *s, const struct ks_ev *row)
{
	struct ks_pen *p = &t->pen;

	name_cell(t, display_name(t, s, row));
	value_cells(t, row);
	if (row->has_resolution && row->resolution > 0.0)
		labelled(t, 8, KS_TEXT_R_RESOLUTION,
			 ks_arena_fmt(p->tmp, "%s %s", ks_pen_real(p, row->resolution).p,
				      ks_unit_info(row->unit)->symbol));
	labelled(t, 8, KS_TEXT_R_NOTE, ks_pen_msg(p, &row->note));
	if (row->refused != NULL)
		refusal_lines(t, row->refused);
	if (t->v->page != KS_PAGE_RAW)
		return;
	labelled(t, 8, KS_TEXT_R_SOURCE, ks_pen_msg(p, &row->source));
	if (row->origin->table.n > 0)
		labelled(t, 8, KS_TEXT_R_FROM,
			 KS_PEN_SAY(p, KS_TEXT_R_ORIGIN, row->origin->table, row->origin->columns,
				    ks_pen_u64(p, row->origin->rows)));
}

static bool shows_section(const struct ks_sheet *t, const struct ks_section_rows *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct ks_ev *row = ks_ev_get(t->r->ev, s->row[i]);

		if (row != NULL && ks_view_row(t->v, row))
			return true;
	}
	return false;
}

static void section_heading(struct ks_sheet *t, const struct ks_section_rows *s)
{
	struct ks_pen *p = &t->pen;
	ks_str head = KS_PEN_SAY(p, KS_TEXT_R_SECTION, s->name);
	ks_str prov = bracketed(p, ks_prov_name(s->prov));
	ks_str na = s->n_refused > 0
			    ? KS_PEN_SAY(p, KS_TEXT_R_SECTION_NA, ks_pen_u64(p, s->n_refused))
			    : KS_LIT("");
	size_t width = ks_utf8_columns(head) < 40 ? 40 : ks_utf8_columns(head);

	ks_pen_spaces(p, 2);
	if (4 + width + ks_utf8_columns(prov) + ks_utf8_columns(na) > (size_t)t->v->term.cols) {
		const struct ks_wrap how = { .style = KS_STYLE_BOLD, .at = 2, .hang = 4 };

		head = ks_pen_cat(p, head, KS_LIT("  "));
		ks_pen_wrap(p, &how, ks_pen_cat(p, head, ks_pen_cat(p, prov, na)));
		return;
	}
	ks_pen_cell(p, KS_STYLE_BOLD, head, width, false);
	ks_pen_spaces(p, 2);
	ks_pen_put(p, prov_style(s->prov), prov);
	ks_pen_put(p, KS_STYLE_DIM, na);
	ks_pen_nl(p);
}

static void section_block(struct ks_sheet *t, const struct ks_section_rows *s)
{
	if (!shows_section(t, s))
		return;
	ks_pen_nl(&t->pen);
	section_heading(t, s);
	labelled(t, 4, KS_TEXT_R_NOTE, ks_pen_msg(&t->pen, &s->note));
	for (size_t i = 0; i < s->n; i++) {
		const struct ks_ev *row = ks_ev_get(t->r->ev, s->row[i]);

		if (row != NULL && ks_view_row(t->v, row))
			row_lines(t, s, row);
	}
}

static void config_line(struct ks_sheet *t, const struct ks_config *c)
{
	struct ks_pen *p = &t->pen;
	const struct ks_ev *occ = ks_ev_get(t->r->ev, c->occupancy_pct);
	ks_str more = KS_LIT("");
	const struct ks_wrap how = { .at = 4, .hang = 8 };

	if (occ != NULL && occ->prov != KS_PROV_UNAVAILABLE)
		more = KS_PEN_SAY(p, KS_TEXT_R_CONFIG_OCC, ks_pen_value(p, &occ->value));
	ks_pen_spaces(p, 4);
	ks_pen_wrap(p, &how,
		    ks_pen_cat(p,
			       KS_PEN_SAY(p,
					  c->launches == 1 ? KS_TEXT_R_CONFIG_LINE_ONE
							   : KS_TEXT_R_CONFIG_LINE,
					  c->key, ks_pen_u64(p, c->launches),
					  ks_pen_fixed(p, (double)c->total_ns / 1e6, 4),
					  ks_pen_fixed(p, c->mean_ns / 1e6, 4)),
			       more));
}

static void config_lines(struct ks_sheet *t, const struct ks_kernel *k)
{
	struct ks_pen *p = &t->pen;
	const struct ks_wrap how = { .style = KS_STYLE_WARN, .at = 2, .hang = 4 };
	const struct ks_wrap more = { .style = KS_STYLE_DIM, .at = 4, .hang = 4 };

	if (k->n_configs < 2)
		return;
	ks_pen_spaces(p, 2);
	ks_pen_wrap(p, &how, KS_PEN_SAY(p, KS_TEXT_R_MIXED, ks_pen_u64(p, k->n_configs)));
	for (size_t i = 0; i < k->n_configs && i < CONFIGS_SHOWN; i++)
		config_line(t, &k->config[i]);
	if (k->n_configs > CONFIGS_SHOWN) {
		ks_pen_spaces(p, 4);
		ks_pen_wrap(p, &more,
			    KS_PEN_SAY(p, KS_TEXT_R_MORE_CONFIGS,
				       ks_pen_u64(p, k->n_configs - CONFIGS_SHOWN)));
	}
}

static bool shows_kernel(const struct ks_sheet *t, const struct ks_kernel *k)
{
	for (size_t i = 0; i < k->n_sections; i++)
		if (shows_section(t, &k->section[i]))
			return true;
	return !k->is_device && t->v->n_metrics == 0;
}

static ks_str known(struct ks_pen *p, int64_t number, bool is_known)
{
	return is_known ? ks_pen_i64(p, number) : KS_PEN_WORD(p, KS_TEXT_R_UNREADABLE);
}

static ks_str place(const struct ks_sheet *t, struct ks_pen *p, const struct ks_place *at)
{
	const int64_t label = at->gpu < t->r->n_gpus ? t->r->gpu[at->gpu].label : -1;

	return KS_PEN_SAY(p, at->launches == 1 ? KS_TEXT_R_PLACE_ONE : KS_TEXT_R_PLACE,
			  known(p, label, label >= 0), known(p, at->pid, at->pid != KS_UNKNOWN),
			  known(p, at->stream, at->stream != KS_UNKNOWN),
			  ks_pen_u64(p, at->launches),
			  ks_pen_fixed(p, (double)at->total_ns / 1e6, 4));
}

/* On which device, process and stream; those with most time. */
static void place_line(struct ks_sheet *t, const struct ks_kernel *k)
{
	struct ks_pen *p = &t->pen;
	ks_str list = KS_LIT("");

	for (size_t i = 0; i < k->n_places && i < PLACES_SHOWN; i++) {
		ks_str next = place(t, p, &k->place[i]);

		list = i == 0 ? next : KS_PEN_SAY(p, KS_TEXT_R_PLACES, list, next);
	}
	if (k->n_places > PLACES_SHOWN)
		list = KS_PEN_SAY(p, KS_TEXT_R_PLACES, list,
				  KS_PEN_SAY(p, KS_TEXT_R_MORE_PLACES,
					     ks_pen_u64(p, k->n_places - PLACES_SHOWN)));
	labelled(t, 2, KS_TEXT_R_ON_LABEL, list);
}

/* The whole name, up to what fills a few lines: names of a megabyte exist. */
static void kernel_heading(struct ks_sheet *t, const struct ks_kernel *k)
{
	struct ks_pen *p = &t->pen;
	struct ks_wrap how = { .style = KS_STYLE_BOLD, .hang = 2, .lines = 32 };

	if (k->is_device) {
		ks_pen_put(p, KS_STYLE_DIM, KS_PEN_WORD(p, KS_TEXT_R_DEVICE_ROWS));
		ks_pen_nl(p);
		return;
	}
	how.at = ks_pen_label(p, 0, KS_TEXT_R_KERNEL_LABEL);
	ks_pen_wrap(p, &how, k->name);
	if (k->n_names > 1)
		labelled(t, 2, KS_TEXT_R_NOTE,
			 KS_PEN_SAY(p, KS_TEXT_R_NAMES_MERGED, ks_pen_u64(p, k->n_names)));
	if (k->launches == 0)
		return; /* of device code: it has no times */
	labelled(t, 2, KS_TEXT_R_TIME_LABEL,
		 KS_PEN_SAY(
			 p, k->launches == 1 ? KS_TEXT_R_KERNEL_FACT : KS_TEXT_R_KERNEL_FACTS,
			 ks_pen_u64(p, k->launches), ks_pen_fixed(p, (double)k->total_ns / 1e6, 4),
			 ks_pen_fixed(p, k->mean_ns / 1e6, 4), ks_pen_fixed(p, k->share_pct, 1)));
	place_line(t, k);
}

/* How the rows of a device were matched to a row of the trace's device tables: it may rest on an
 * assumption. */
static void matching_line(struct ks_sheet *t, const struct ks_gpu *g)
{
	struct ks_pen *p = &t->pen;
	const struct ks_wrap how = { .hang = 2 };

	if (g->how.id != KS_TEXT_NONE)
		ks_pen_wrap(p, &how,
			    KS_PEN_SAY(p, KS_TEXT_R_DEVICE_HOW, ks_pen_i64(p, g->label),
				       ks_pen_msg(p, &g->how)));
}

static void source_lines(struct ks_sheet *t)
{
	const struct ks_report *r = t->r;
	struct ks_pen *p = &t->pen;

	if (t->v->quiet || r->n_sources == 0)
		return;
	ks_pen_nl(p);
	for (size_t i = 0; i < r->n_sources; i++) {
		ks_str key = ks_arena_fmt(p->tmp, "source[%.*s]:", (int)r->source[i].key.n,
					  r->source[i].key.p);
		const struct ks_wrap how = { .at = ks_utf8_columns(key) + 1, .hang = 2 };

		ks_pen_put(p, KS_STYLE_DIM, key);
		ks_pen_spaces(p, 1);
		ks_pen_wrap(p, &how, ks_pen_msg(p, &r->source[i].text));
	}
	for (size_t i = 0; i < r->n_gpus; i++)
		if (r->gpu[i].used && !r->synthetic)
			matching_line(t, &r->gpu[i]);
}

static void filter_line(struct ks_sheet *t)
{
	struct ks_pen *p = &t->pen;
	ks_str list = KS_LIT("");

	for (size_t i = 0; i < t->v->n_metrics; i++)
		list = ks_pen_cat(p, ks_pen_cat(p, list, i > 0 ? KS_LIT(", ") : KS_LIT("")),
				  t->v->metric[i]);
	labelled(t, 0, KS_TEXT_R_FILTERED, list);
}

void ks_text_details(struct ks_sheet *t)
{
	const struct ks_report *r = t->r;
	struct ks_pen *p = &t->pen;
	size_t cols = (size_t)t->v->term.cols;
	const struct ks_wrap legend = { .style = KS_STYLE_DIM, .hang = 2 };

	source_lines(t);
	for (size_t i = 0; i < r->n_kernels && !ks_out_failed(p->out); i++) {
		const struct ks_kernel *k = &r->kernel[i];

		ks_arena_reset(p->tmp);
		if (!shows_kernel(t, k))
			continue;
		ks_pen_nl(p);
		ks_pen_rule(p, cols < 100 ? cols : 100);
		kernel_heading(t, k);
		config_lines(t, k);
		for (size_t s = 0; s < k->n_sections; s++)
			section_block(t, &k->section[s]);
	}
	ks_pen_nl(p);
	ks_pen_rule(p, cols < 100 ? cols : 100);
	filter_line(t);
	ks_pen_wrap(p, &legend, KS_PEN_WORD(p, KS_TEXT_R_LEGEND));
}
