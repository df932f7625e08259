/* SPDX-License-Identifier: Apache-2.0
 *
 * The ncu line of one launch. Whatever is no command is a comment to a shell, so that the answer
 * can be piped into one.
 */
#include "render/ncu_line.h"

#include "base/jsonw.h"
#include "render/pen.h"

#define NCU_TMP_MAX ((size_t)64 << 20)
#define NAME_COLS   120

static const enum ks_text limit_text[KS_NCU_LIMITS] = {
	[KS_NCU_REPLAY] = KS_TEXT_NCU_REPLAY,	      [KS_NCU_GRAPH] = KS_TEXT_NCU_GRAPH,
	[KS_NCU_CONCURRENT] = KS_TEXT_NCU_CONCURRENT, [KS_NCU_COLLECTIVE] = KS_TEXT_NCU_COLLECTIVE,
	[KS_NCU_PROCESSES] = KS_TEXT_NCU_PROCESSES,   [KS_NCU_ORDER] = KS_TEXT_NCU_ORDER,
	[KS_NCU_REDACTED] = KS_TEXT_NCU_REDACTED,
};

static ks_str pid_of(struct ks_pen *p, const struct ks_ncu_line *l)
{
	return l->pid == KS_UNKNOWN ? KS_LIT("-") : ks_pen_i64(p, l->pid);
}

/* {0} launches in its own process before it, {1} its process. */
static ks_str limit_words(struct ks_pen *p, const struct ks_ncu_line *l, int limit)
{
	return KS_PEN_SAY(p, limit_text[limit], ks_pen_u64(p, l->skip_in_process), pid_of(p, l));
}

static void comment(struct ks_pen *p, ks_str s)
{
	ks_pen_put(p, KS_STYLE_DIM, ks_pen_cat(p, KS_LIT("# "), s));
	ks_pen_nl(p);
}

static void say_choice(struct ks_pen *p, const struct ks_ncu_line *l)
{
	const ks_str name = ks_pen_name(p, l->kernel, NAME_COLS, KS_LIT(""));
	const ks_str duration = ks_pen_duration(p, l->duration_ns);

	if (l->named > 0)
		comment(p, KS_PEN_SAY(p, KS_TEXT_NCU_MEDIAN, l->id, name, duration,
				      ks_pen_u64(p, l->named)));
	else
		comment(p, KS_PEN_SAY(p, KS_TEXT_NCU_CHOSEN, l->id, name, duration));
	comment(p, KS_PEN_SAY(p, l->nvtx.n > 0 ? KS_TEXT_NCU_COUNT_INSIDE : KS_TEXT_NCU_COUNT,
			      ks_pen_u64(p, l->skip), ks_pen_u64(p, l->launches), l->function));
}

enum ks_status ks_ncu_line_text(const struct ks_ncu_line *l, const struct ks_view *v,
				struct ks_out *out, struct ks_err *err)
{
	struct ks_arena tmp;
	struct ks_pen pen = { .out = out, .term = &v->term, .lang = v->lang, .tmp = &tmp };

	ks_arena_init(&tmp, NCU_TMP_MAX);
	ks_pen_put(&pen, KS_STYLE_PLAIN, l->command);
	ks_pen_nl(&pen);
	say_choice(&pen, l);
	for (int i = 0; i < KS_NCU_LIMITS; i++) {
		if (l->limit[i])
			comment(&pen, limit_words(&pen, l, i));
	}
	const enum ks_status st = ks_pen_done(&pen, err);

	ks_arena_release(&tmp);
	return st;
}

static void limits_json(struct ks_pen *p, struct ks_jsonw *w, const struct ks_ncu_line *l)
{
	ks_jsonw_key(w, "not_reproduced");
	ks_jsonw_arr(w);
	for (int i = 0; i < KS_NCU_LIMITS; i++) {
		if (!l->limit[i])
			continue;
		ks_jsonw_obj(w);
		ks_jsonw_kv_cstr(w, "what", ks_ncu_limit_word((enum ks_ncu_limit)i));
		ks_jsonw_kv_str(w, "meaning", limit_words(p, l, i));
		ks_jsonw_obj_end(w);
	}
	ks_jsonw_arr_end(w);
}

enum ks_status ks_ncu_line_json(const struct ks_ncu_line *l, const struct ks_view *v,
				struct ks_out *out, struct ks_err *err)
{
	struct ks_arena tmp;
	struct ks_pen pen = { .out = out, .term = &v->term, .lang = v->lang, .tmp = &tmp };
	struct ks_jsonw w;

	ks_arena_init(&tmp, NCU_TMP_MAX);
	ks_jsonw_init(&w, out, 2);
	ks_jsonw_obj(&w);
	ks_jsonw_kv_i64(&w, "schema_version", 1);
	ks_jsonw_kv_str(&w, "id", l->id);
	ks_jsonw_kv_str(&w, "kernel", l->kernel);
	ks_jsonw_kv_str(&w, "function", l->function);
	ks_jsonw_kv_cstr(&w, "chosen_by", l->named > 0 ? "median" : "id");
	ks_jsonw_kv_i64(&w, "duration_ns", l->duration_ns);
	ks_jsonw_kv_str(&w, "command", l->command);
	ks_jsonw_kv_strs(&w, "argv", l->argv, l->n_argv);
	ks_jsonw_kv_known(&w, "folder", l->folder);
	ks_jsonw_kv_bool(&w, "program_known", l->program_known);
	ks_jsonw_key(&w, "launch_skip");
	ks_jsonw_u64(&w, l->skip);
	ks_jsonw_key(&w, "launches");
	ks_jsonw_u64(&w, l->launches);
	ks_jsonw_kv_known(&w, "nvtx_include", l->nvtx);
	limits_json(&pen, &w, l);
	ks_jsonw_obj_end(&w);
	ks_out_ch(out, '\n');
	const enum ks_status st = ks_pen_done(&pen, err);

	ks_arena_release(&tmp);
	return st;
}
