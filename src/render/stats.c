/* SPDX-License-Identifier: Apache-2.0
 *
 * The `stats` tables as text, CSV and JSON. Every row goes through the same cells, so the three say
 * the same.
 */
#include "render/stats.h"

#include "base/csvw.h"
#include "base/jsonw.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "render/pen.h"

#define STATS_TMP_MAX ((size_t)64 << 20)
#define EVENT_COLS    13 /* of an event's number in text: they are not looked at twice */
#define NAME_COLS     120
#define NAMES_MAX     ((size_t)1 << 16) /* shortened ones that are kept */

typedef enum ks_status row_fn(void *arg, const struct ks_stats_cells *c);

/* Every row of the table through `each`. */
static enum ks_status walk(const struct ks_stats *t, row_fn *each, void *arg, struct ks_err *err)
{
	struct ks_stats_cells c;
	struct ks_stats_event e;
	bool got = t->log != NULL;

	for (size_t i = 0; i < t->n; i++) {
		ks_stats_row_cells(t, &t->row[i], &c);
		KS_TRY(each(arg, &c));
	}
	while (got) {
		KS_TRY(t->log->next(t->log->self, &e, &got, err));
		if (!got)
			break;
		ks_stats_event_cells(&e, &c);
		KS_TRY(each(arg, &c));
	}
	return KS_OK;
}

/* --- CSV ----------------------------------------------------------------------------------------
 */

static enum ks_status csv_row(void *arg, const struct ks_stats_cells *c)
{
	struct ks_csvw *w = arg;

	for (size_t i = 0; i < c->n; i++) {
		if (c->cell[i].n == 0)
			ks_csvw_empty(w);
		else if (c->is_text[i])
			ks_csvw_str(w, c->cell[i]);
		else
			ks_csvw_raw(w, c->cell[i]);
	}
	ks_csvw_end(w);
	return KS_OK;
}

enum ks_status ks_stats_csv_out(const struct ks_stats *t, struct ks_out *out, struct ks_err *err)
{
	struct ks_stats_cells heading;
	struct ks_csvw w;

	ks_csvw_init(&w, out);
	ks_stats_headings(t->table, &heading);
	KS_TRY(csv_row(&w, &heading));
	return walk(t, csv_row, &w, err);
}

/* --- JSON ---------------------------------------------------------------------------------------
 */

struct json_rows {
	struct ks_jsonw w;
	struct ks_stats_cells heading;
	struct ks_out *out;
};

static enum ks_status json_row(void *arg, const struct ks_stats_cells *c)
{
	struct json_rows *j = arg;
	double v = 0.0;
	int64_t whole = 0;

	ks_jsonw_obj(&j->w);
	for (size_t i = 0; i < c->n; i++) {
		ks_jsonw_key_str(&j->w, j->heading.cell[i]);
		if (c->is_text[i])
			ks_jsonw_str(&j->w, c->cell[i]);
		else if (ks_num_parse_i64(c->cell[i],
					  &whole)) /* a double keeps 53 bits of a time */
			ks_jsonw_i64(&j->w, whole);
		else if (c->cell[i].n > 0 && ks_num_parse_double(c->cell[i], &v))
			ks_jsonw_double(&j->w, v);
		else
			ks_jsonw_null(&j->w);
	}
	ks_jsonw_obj_end(&j->w);
	return KS_OK;
}

enum ks_status ks_stats_json_out(const struct ks_stats *t, struct ks_out *out, struct ks_err *err)
{
	struct json_rows j = { .out = out };

	ks_jsonw_init(&j.w, out, 2);
	ks_stats_headings(t->table, &j.heading);
	ks_jsonw_arr(&j.w);
	KS_TRY(walk(t, json_row, &j, err));
	ks_jsonw_arr_end(&j.w);
	ks_out_ch(out, '\n');
	return KS_OK;
}

/* --- text ---------------------------------------------------------------------------------------
 */

struct columns {
	struct ks_pen *pen;
	size_t cols[KS_STATS_COLUMNS];

	/* Long names are read as C++ once, not once for each of a million events. */
	struct ks_map names; /* ks_str */
	ks_str *shorter;     /* beside names */
	size_t shorter_cap;
	struct ks_arena kept;
	bool failed; /* no memory for a row */
};

static ks_str short_name(struct columns *k, ks_str name)
{
	if (ks_utf8_columns(name) <= NAME_COLS)
		return name;
	const uint32_t at = ks_map_add(&k->names, &name, NULL);

	const bool keeps =
		at != KS_MAP_NONE && KS_GROW(k->shorter, k->shorter_cap, (size_t)at + 1, NAMES_MAX);

	if (keeps && k->shorter[at].p != NULL)
		return k->shorter[at];
	const ks_str made = ks_pen_name(k->pen, name, NAME_COLS, KS_LIT(""));

	if (keeps)
		k->shorter[at] = ks_arena_dup(&k->kept, made);
	return made;
}

static enum ks_status widen(void *arg, const struct ks_stats_cells *c)
{
	struct columns *k = arg;

	for (size_t i = 0; i < c->n; i++) {
		const size_t cols = ks_utf8_columns(c->cell[i]);

		if (cols > k->cols[i])
			k->cols[i] = cols;
	}
	return KS_OK;
}

/* The name stands last and is as long as it is, up to a bound. */
static enum ks_status text_row(void *arg, const struct ks_stats_cells *c)
{
	struct columns *k = arg;

	for (size_t i = 0; i + 1 < c->n; i++) {
		ks_pen_cell(k->pen, KS_STYLE_PLAIN, c->cell[i], k->cols[i], !c->is_text[i]);
		ks_pen_spaces(k->pen, 2);
	}
	ks_pen_put(k->pen, KS_STYLE_PLAIN, short_name(k, c->cell[c->n - 1]));
	ks_pen_nl(k->pen);
	k->failed = k->failed || ks_arena_failed(k->pen->tmp);
	ks_arena_reset(k->pen->tmp);
	return KS_OK;
}

static void text_heading(struct columns *k, const struct ks_stats_cells *h)
{
	for (size_t i = 0; i < h->n; i++) {
		const bool last = i + 1 == h->n;
		const bool words = last || ks_str_eqc(h->cell[i], "Style") ||
				   ks_str_eqc(h->cell[i], "Device") ||
				   ks_str_ends(h->cell[i], "MemKd");

		if (last)
			ks_pen_put(k->pen, KS_STYLE_BOLD, h->cell[i]);
		else
			ks_pen_cell(k->pen, KS_STYLE_BOLD, h->cell[i], k->cols[i], !words);
		if (!last)
			ks_pen_spaces(k->pen, 2);
	}
	ks_pen_nl(k->pen);
}

enum ks_status ks_stats_text_out(const struct ks_stats *t, const struct ks_view *v,
				 struct ks_out *out, struct ks_err *err)
{
	struct ks_arena tmp;
	struct ks_pen pen = { .out = out, .term = &v->term, .lang = v->lang, .tmp = &tmp };
	struct columns k = { .pen = &pen };
	struct ks_stats_cells heading, row;

	ks_arena_init(&tmp, STATS_TMP_MAX);
	ks_arena_init(&k.kept, STATS_TMP_MAX);
	ks_map_init(&k.names, sizeof(ks_str), NAMES_MAX);
	ks_stats_headings(t->table, &heading);
	(void)widen(&k, &heading);
	for (size_t i = 0; i < t->n; i++) {
		ks_stats_row_cells(t, &t->row[i], &row);
		(void)widen(&k, &row);
	}
	for (size_t i = 0; t->log != NULL && i < heading.n; i++)
		if (k.cols[i] < EVENT_COLS && (i < 3 || i == 16))
			k.cols[i] = EVENT_COLS;
	text_heading(&k, &heading);
	enum ks_status st = walk(t, text_row, &k, err);

	if (st == KS_OK)
		st = k.failed ? ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_RENDER_MEMORY, NULL)
			      : ks_pen_done(&pen, err);
	ks_map_release(&k.names);
	ks_mem_free(k.shorter);
	ks_arena_release(&k.kept);
	ks_arena_release(&tmp);
	return st;
}

/* --- the list of tables
 * ---------------------------------------------------------------------------- */

static void list_json(struct ks_out *out)
{
	struct ks_jsonw w;

	ks_jsonw_init(&w, out, 2);
	ks_jsonw_obj(&w);
	ks_jsonw_kv_i64(&w, "schema_version", 1);
	ks_jsonw_key(&w, "tables");
	ks_jsonw_arr(&w);
	for (int i = KS_STATS_NONE + 1; i < KS_STATS_COUNT; i++) {
		const struct ks_stats_info *info = ks_stats_info((enum ks_stats_table)i);

		ks_jsonw_obj(&w);
		ks_jsonw_kv_cstr(&w, "name", info->name);
		ks_jsonw_kv_cstr(&w, "title", info->title[KS_LANG_EN]);
		ks_jsonw_obj_end(&w);
	}
	ks_jsonw_arr_end(&w);
	ks_jsonw_obj_end(&w);
	ks_out_ch(out, '\n');
}

enum ks_status ks_stats_list(const struct ks_view *v, bool json, struct ks_out *out,
			     struct ks_err *err)
{
	(void)err;
	if (json) {
		list_json(out);
		return KS_OK;
	}
	for (int i = KS_STATS_NONE + 1; i < KS_STATS_COUNT; i++) {
		const struct ks_stats_info *info = ks_stats_info((enum ks_stats_table)i);

		ks_out_fmt(out, "%-22s  %s\n", info->name, info->title[v->lang]);
	}
	return KS_OK;
}
