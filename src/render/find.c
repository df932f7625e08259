/* SPDX-License-Identifier: Apache-2.0
 *
 * Events that were found, one line or one object each. The columns follow the kind: work has a
 * device and a stream, calls and ranges have a thread.
 */
#include "render/find.h"

#include "base/jsonw.h"
#include "base/num.h"
#include "base/str.h"
#include "base/utf8.h"
#include "render/pen.h"

#define FIND_TMP_MAX ((size_t)1 << 30)
#define NAME_COLS    120
#define SIDE_COLS    60 /* each of two names */
#define COLUMNS	     6	/* before the name */

/* --- JSON ---------------------------------------------------------------------------------------
 */

static void known(struct ks_jsonw *w, const char *key, int64_t v)
{
	ks_jsonw_key(w, key);
	if (v == KS_UNKNOWN)
		ks_jsonw_null(w);
	else
		ks_jsonw_i64(w, v);
}

static void filter(struct ks_jsonw *w, const char *key, int64_t v)
{
	if (v != KS_UNKNOWN)
		ks_jsonw_kv_i64(w, key, v);
}

/* Only what was asked for. */
static void json_filters(struct ks_jsonw *w, const struct ks_found *f)
{
	const struct ks_find_choice *c = f->choice;

	ks_jsonw_key(w, "filters");
	ks_jsonw_obj(w);
	if (f->name.n > 0)
		ks_jsonw_kv_str(w, "name", f->name);
	filter(w, "min_duration_ns", c->min_ns);
	filter(w, "device", c->device);
	filter(w, "stream", c->stream);
	filter(w, "pid", c->pid);
	filter(w, "from_ns", c->from);
	filter(w, "to_ns", c->to);
	ks_jsonw_obj_end(w);
}

/* What stands beside a gap. */
static void side_json(struct ks_jsonw *w, const char *key, const struct ks_found_event *e)
{
	ks_jsonw_key(w, key);
	ks_jsonw_obj(w);
	ks_jsonw_kv_cstr(w, "kind", ks_find_word(e->kind));
	ks_jsonw_kv_known(w, "id", e->id);
	ks_jsonw_kv_str(w, "name", e->name);
	ks_jsonw_obj_end(w);
}

void ks_find_event_json(struct ks_jsonw *w, const struct ks_found_event *e)
{
	ks_jsonw_kv_known(w, "id", e->id);
	ks_jsonw_kv_str(w, "name", e->name);
	known(w, "device", e->device);
	known(w, "pid", e->pid);
	known(w, "stream", e->stream);
	ks_jsonw_kv_i64(w, "start_ns", e->start_ns);
	ks_jsonw_kv_i64(w, "duration_ns", e->duration_ns);
	known(w, "tid", e->tid);
	known(w, "context", e->context);
	known(w, "correlation", e->correlation);
	known(w, "bytes", e->bytes);
	ks_jsonw_key(w, "domain");
	if (e->kind == KS_FIND_RANGE)
		ks_jsonw_str(w, e->domain);
	else
		ks_jsonw_null(w);
	if (e->kind == KS_FIND_GAP) {
		side_json(w, "before", e->before);
		side_json(w, "after", e->after);
	}
}

enum ks_status ks_find_json_out(const struct ks_found *f, ks_str file, struct ks_out *out,
				struct ks_err *err)
{
	struct ks_jsonw w;

	(void)err;
	ks_jsonw_init(&w, out, 2);
	ks_jsonw_obj(&w);
	ks_jsonw_kv_i64(&w, "schema_version", 1);
	ks_jsonw_kv_cstr(&w, "kind", ks_find_word(f->choice->kind));
	ks_jsonw_kv_str(&w, "file", file);
	json_filters(&w, f);
	ks_jsonw_kv_cstr(&w, "sort", f->choice->by_duration ? "duration" : "start");
	ks_jsonw_key(&w, "total");
	ks_jsonw_u64(&w, f->total);
	ks_jsonw_key(&w, "shown");
	ks_jsonw_u64(&w, f->n);
	ks_jsonw_key(&w, "items");
	ks_jsonw_arr(&w);
	for (size_t i = 0; i < f->n; i++) {
		ks_jsonw_obj(&w);
		ks_find_event_json(&w, &f->event[i]);
		ks_jsonw_obj_end(&w);
	}
	ks_jsonw_arr_end(&w);
	ks_jsonw_obj_end(&w);
	ks_out_ch(out, '\n');
	return KS_OK;
}

/* --- text ---------------------------------------------------------------------------------------
 */

struct line {
	ks_str cell[COLUMNS];
	size_t n;
};

static void cell(struct line *l, ks_str s)
{
	l->cell[l->n++] = s;
}

static ks_str number(struct ks_pen *p, int64_t v)
{
	return v == KS_UNKNOWN ? KS_LIT("-") : ks_pen_i64(p, v);
}

static struct line heading(struct ks_pen *p, enum ks_find_kind kind)
{
	struct line l = { .n = 0 };

	cell(&l, KS_PEN_WORD(p, KS_TEXT_FIND_COL_ID));
	cell(&l, KS_PEN_WORD(p, KS_TEXT_FIND_COL_START));
	cell(&l, KS_PEN_WORD(p, KS_TEXT_FIND_COL_DURATION));
	cell(&l, KS_PEN_WORD(p, ks_find_on_device(kind) ? KS_TEXT_FIND_COL_DEVICE
							: KS_TEXT_FIND_COL_THREAD));
	if (ks_find_is_work(kind))
		cell(&l, KS_PEN_WORD(p, KS_TEXT_FIND_COL_STREAM));
	if (kind == KS_FIND_COPY)
		cell(&l, KS_PEN_WORD(p, KS_TEXT_FIND_COL_SIZE));
	return l;
}

static struct line cells(struct ks_pen *p, enum ks_find_kind kind, const struct ks_found_event *e)
{
	struct line l = { .n = 0 };

	cell(&l, e->id.n > 0 ? e->id : KS_LIT("-"));
	cell(&l, ks_pen_i64(p, e->start_ns));
	cell(&l, ks_pen_duration(p, e->duration_ns));
	cell(&l, number(p, ks_find_on_device(kind) ? e->device : e->tid));
	if (ks_find_is_work(kind))
		cell(&l, number(p, e->stream));
	if (kind == KS_FIND_COPY)
		cell(&l, e->bytes < 0 ? KS_LIT("-") : ks_pen_bytes(p, (uint64_t)e->bytes));
	return l;
}

static void widen(size_t cols[COLUMNS], const struct line *l)
{
	for (size_t i = 0; i < l->n; i++) {
		const size_t n = ks_utf8_columns(l->cell[i]);

		if (n > cols[i])
			cols[i] = n;
	}
}

static void put_line(struct ks_pen *p, const size_t cols[COLUMNS], const struct line *l,
		     ks_str name, enum ks_style style)
{
	for (size_t i = 0; i < l->n; i++) {
		ks_pen_cell(p, style, l->cell[i], cols[i], i > 0);
		ks_pen_spaces(p, 2);
	}
	ks_pen_put(p, style, name);
	ks_pen_nl(p);
}

static ks_str full_name(struct ks_pen *p, const struct ks_found_event *e)
{
	if (e->kind == KS_FIND_GAP)
		return KS_PEN_SAY(p, KS_TEXT_FIND_BETWEEN,
				  ks_pen_name(p, e->before->name, SIDE_COLS, KS_LIT("")),
				  ks_pen_name(p, e->after->name, SIDE_COLS, KS_LIT("")));
	if (e->domain.n == 0)
		return ks_pen_name(p, e->name, NAME_COLS, KS_LIT(""));
	return ks_pen_cat(p, ks_pen_cat(p, e->domain, KS_LIT(":")),
			  ks_pen_name(p, e->name, NAME_COLS, KS_LIT("")));
}

static void table(struct ks_pen *p, const struct ks_found *f)
{
	const enum ks_find_kind kind = f->choice->kind;
	const struct line head = heading(p, kind);
	size_t cols[COLUMNS] = { 0 };

	widen(cols, &head);
	for (size_t i = 0; i < f->n; i++) {
		const struct line l = cells(p, kind, &f->event[i]);

		widen(cols, &l);
	}
	put_line(p, cols, &head, KS_PEN_WORD(p, KS_TEXT_FIND_COL_NAME), KS_STYLE_BOLD);
	for (size_t i = 0; i < f->n; i++) {
		const struct line l = cells(p, kind, &f->event[i]);

		put_line(p, cols, &l, full_name(p, &f->event[i]), KS_STYLE_PLAIN);
	}
}

enum ks_status ks_find_text_out(const struct ks_found *f, const struct ks_view *v,
				struct ks_out *out, struct ks_err *err)
{
	struct ks_arena tmp;
	struct ks_pen pen = { .out = out, .term = &v->term, .lang = v->lang, .tmp = &tmp };

	ks_arena_init(&tmp, FIND_TMP_MAX);
	ks_pen_put(&pen, KS_STYLE_PLAIN,
		   KS_PEN_SAY(&pen,
			      f->choice->by_duration ? KS_TEXT_FIND_SHOWN_DURATION
						     : KS_TEXT_FIND_SHOWN_START,
			      ks_pen_u64(&pen, f->n), ks_pen_u64(&pen, f->total),
			      ks_str_c(ks_find_word(f->choice->kind))));
	ks_pen_nl(&pen);
	if (f->n > 0)
		table(&pen, f);
	const enum ks_status st = ks_pen_done(&pen, err);

	ks_arena_release(&tmp);
	return st;
}
