/* SPDX-License-Identifier: Apache-2.0
 *
 * One event with its call, its ranges, its step and its neighbours.
 */
#include "render/show.h"

#include "base/jsonw.h"
#include "render/find.h"
#include "render/pen.h"

#define SHOW_TMP_MAX ((size_t)64 << 20)
#define NAME_COLS    120

/* --- JSON ---------------------------------------------------------------------------------------
 */

static void three(struct ks_jsonw *w, const char *key, const int64_t v[3])
{
	ks_jsonw_key(w, key);
	if (v[0] == KS_UNKNOWN || v[1] == KS_UNKNOWN || v[2] == KS_UNKNOWN) {
		ks_jsonw_null(w);
		return;
	}
	ks_jsonw_arr(w);
	for (int i = 0; i < 3; i++)
		ks_jsonw_i64(w, v[i]);
	ks_jsonw_arr_end(w);
}

static void known(struct ks_jsonw *w, const char *key, int64_t v)
{
	ks_jsonw_key(w, key);
	if (v == KS_UNKNOWN)
		ks_jsonw_null(w);
	else
		ks_jsonw_i64(w, v);
}

static void event_json(struct ks_jsonw *w, const char *key, const struct ks_shown_event *e)
{
	ks_jsonw_key(w, key);
	if (e == NULL) {
		ks_jsonw_null(w);
		return;
	}
	ks_jsonw_obj(w);
	ks_jsonw_kv_cstr(w, "kind", ks_find_word(e->of.kind));
	ks_find_event_json(w, &e->of);
	if (e->of.kind == KS_FIND_KERNEL) {
		three(w, "grid", e->grid);
		three(w, "block", e->block);
		known(w, "registers", e->regs);
		known(w, "static_smem", e->static_smem);
		known(w, "dynamic_smem", e->dynamic_smem);
	}
	ks_jsonw_obj_end(w);
}

enum ks_status ks_show_json_out(const struct ks_shown *s, struct ks_out *out, struct ks_err *err)
{
	struct ks_jsonw w;

	(void)err;
	ks_jsonw_init(&w, out, 2);
	ks_jsonw_obj(&w);
	ks_jsonw_kv_i64(&w, "schema_version", 1);
	ks_jsonw_kv_str(&w, "id", s->event.of.id);
	event_json(&w, "event", &s->event);
	event_json(&w, "launch_call", s->launch_call);
	ks_jsonw_kv_strs(&w, "range_path", s->path, s->n_path);
	known(&w, "step", s->step);
	event_json(&w, "before", s->before);
	event_json(&w, "after", s->after);
	ks_jsonw_obj_end(&w);
	ks_out_ch(out, '\n');
	return KS_OK;
}

/* --- text ---------------------------------------------------------------------------------------
 */

static ks_str number(struct ks_pen *p, int64_t v)
{
	return v == KS_UNKNOWN ? KS_LIT("-") : ks_pen_i64(p, v);
}

static void say(struct ks_pen *p, ks_str s)
{
	ks_pen_spaces(p, 2);
	ks_pen_put(p, KS_STYLE_PLAIN, s);
	ks_pen_nl(p);
}

static ks_str size(struct ks_pen *p, const int64_t v[3])
{
	if (v[0] == KS_UNKNOWN || v[1] == KS_UNKNOWN || v[2] == KS_UNKNOWN)
		return KS_LIT("-");
	return ks_arena_fmt(p->tmp, "%lld x %lld x %lld", (long long)v[0], (long long)v[1],
			    (long long)v[2]);
}

static void say_event(struct ks_pen *p, const struct ks_shown_event *e)
{
	const ks_str start = ks_pen_i64(p, e->of.start_ns);
	const ks_str duration = ks_pen_duration(p, e->of.duration_ns);

	if (e->of.kind == KS_FIND_GAP) {
		say(p, KS_PEN_SAY(p, KS_TEXT_SHOW_GAP, start, duration, number(p, e->of.device)));
		return;
	}
	say(p, KS_PEN_SAY(p, KS_TEXT_SHOW_TIME, start, duration, number(p, e->of.pid)));
	if (ks_find_is_work(e->of.kind))
		say(p, KS_PEN_SAY(p, KS_TEXT_SHOW_PLACE, number(p, e->of.device),
				  number(p, e->of.context), number(p, e->of.stream)));
	else
		say(p, KS_PEN_SAY(p, KS_TEXT_SHOW_THREAD, number(p, e->of.tid)));
	if (e->of.kind == KS_FIND_COPY && e->of.bytes >= 0)
		say(p, KS_PEN_SAY(p, KS_TEXT_SHOW_SIZE, ks_pen_bytes(p, (uint64_t)e->of.bytes)));
	if (e->of.kind == KS_FIND_KERNEL)
		say(p, KS_PEN_SAY(p, KS_TEXT_SHOW_SHAPE, size(p, e->grid), size(p, e->block),
				  number(p, e->regs), number(p, e->static_smem),
				  number(p, e->dynamic_smem)));
}

/* A line for an event beside it; `none` where there is none. */
static void say_other(struct ks_pen *p, enum ks_text text, enum ks_text none,
		      const struct ks_shown_event *e)
{
	if (e == NULL) {
		say(p, KS_PEN_WORD(p, none));
		return;
	}
	say(p, KS_PEN_SAY(p, text, e->of.id.n > 0 ? e->of.id : KS_LIT("-"),
			  ks_pen_name(p, e->of.name, NAME_COLS, KS_LIT("")),
			  ks_pen_i64(p, e->of.start_ns), ks_pen_duration(p, e->of.duration_ns)));
}

static void say_path(struct ks_pen *p, const struct ks_shown *s)
{
	ks_str path = s->n_path > 0 ? s->path[0] : KS_LIT("");

	for (size_t i = 1; i < s->n_path; i++)
		path = ks_pen_cat(p, ks_pen_cat(p, path, KS_LIT(" > ")), s->path[i]);
	if (s->n_path > 0)
		say(p, KS_PEN_SAY(p,
				  s->event.of.kind == KS_FIND_GAP ? KS_TEXT_SHOW_GAP_PATH
								  : KS_TEXT_SHOW_PATH,
				  path));
	else
		say(p, KS_PEN_WORD(p, KS_TEXT_SHOW_NO_PATH));
	if (s->step != KS_UNKNOWN)
		say(p, KS_PEN_SAY(p, KS_TEXT_SHOW_STEP, ks_pen_i64(p, s->step)));
}

enum ks_status ks_show_text_out(const struct ks_shown *s, const struct ks_view *v,
				struct ks_out *out, struct ks_err *err)
{
	struct ks_arena tmp;
	struct ks_pen pen = { .out = out, .term = &v->term, .lang = v->lang, .tmp = &tmp };
	const struct ks_found_event *e = &s->event.of;

	ks_arena_init(&tmp, SHOW_TMP_MAX);
	ks_pen_put(&pen, KS_STYLE_BOLD, e->id);
	ks_pen_spaces(&pen, 2);
	if (e->domain.n > 0)
		ks_pen_put(&pen, KS_STYLE_PLAIN, ks_pen_cat(&pen, e->domain, KS_LIT(":")));
	ks_pen_put(&pen, KS_STYLE_PLAIN, e->name);
	ks_pen_nl(&pen);
	say_event(&pen, &s->event);
	if (ks_find_on_device(s->event.of.kind))
		say_other(&pen, e->kind == KS_FIND_GAP ? KS_TEXT_SHOW_GAP_CALL : KS_TEXT_SHOW_CALL,
			  KS_TEXT_SHOW_NO_CALL, s->launch_call);
	say_path(&pen, s);
	say_other(&pen, KS_TEXT_SHOW_BEFORE, KS_TEXT_SHOW_NO_BEFORE, s->before);
	say_other(&pen, KS_TEXT_SHOW_AFTER, KS_TEXT_SHOW_NO_AFTER, s->after);
	const enum ks_status st = ks_pen_done(&pen, err);

	ks_arena_release(&tmp);
	return st;
}
