/* SPDX-License-Identifier: Apache-2.0
 *
 * The tree and the JSON of `explain`, both drawn while the lineage is walked. Holds no tree in
 * memory.
 */
#include "render/explain.h"

#include "base/jsonw.h"
#include "base/num.h"
#include "base/str.h"
#include "evidence/lineage.h"
#include "evidence/value.h"

/* One line of the tree; names inside may be long. */
#define LINE_BYTES ((size_t)16 * 1024 * 1024)

struct tree {
	const struct ks_explain *e;
	const struct ks_view *v;
	struct ks_out *out;
	struct ks_buf line;		 /* scratch */
	bool failed;			 /* a line could not be put together */
	bool last[KS_LINEAGE_DEPTH + 2]; /* by depth: no sibling follows */
};

/* Whether lines below a step hang from it: rows it was read from, or steps. */
static bool read_from_table(const struct ks_ev *ev)
{
	return ev->origin->table.n > 0;
}

/* One column of the tree: a rail where siblings follow. */
static void rail(struct tree *t, bool more)
{
	ks_out_cstr(t->out, !more ? "   " : t->v->term.utf8 ? "│  " : "|  ");
}

/* The rails of the levels above, then the branch to this line. */
static void rails(struct tree *t, unsigned depth, bool last)
{
	const bool utf8 = t->v->term.utf8;

	if (depth == 0)
		return;
	ks_term_style(&t->v->term, t->out, KS_STYLE_DIM);
	for (unsigned d = 1; d < depth; d++)
		rail(t, !t->last[d]);
	if (last)
		ks_out_cstr(t->out, utf8 ? "└─ " : "`- ");
	else
		ks_out_cstr(t->out, utf8 ? "├─ " : "|- ");
	ks_term_style(&t->v->term, t->out, KS_STYLE_PLAIN);
}

/* A remark under a step: rails go on, no branch. */
static void under(struct tree *t, unsigned depth, bool more)
{
	ks_term_style(&t->v->term, t->out, KS_STYLE_DIM);
	for (unsigned d = 1; d <= depth; d++)
		rail(t, !t->last[d]);
	rail(t, more);
	ks_term_style(&t->v->term, t->out, KS_STYLE_PLAIN);
}

/* What is in a scratch buffer, which a failed allocation may have cut. */
static ks_str whole(struct tree *t, const struct ks_buf *b)
{
	t->failed |= ks_buf_failed(b);
	return ks_buf_view(b);
}

static void text_line(struct tree *t, enum ks_text id, unsigned n, const ks_str *arg)
{
	ks_buf_reset(&t->line);
	ks_text_fmt(&t->line, t->v->lang, id, n, arg);
	ks_term_text(t->out, whole(t, &t->line));
	ks_out_ch(t->out, '\n');
}

/* Anything with parts is shown as JSON. */
static void add_json(struct ks_buf *b, const struct ks_value *v)
{
	struct ks_jsonw w;
	struct ks_out out;

	ks_out_open_mem(&out, b);
	ks_jsonw_init(&w, &out, 0);
	ks_value_json(&w, v);
	(void)ks_out_commit(&out, NULL);
}

static void add_value(struct ks_buf *b, const struct ks_value *v)
{
	char num[KS_NUM_LEN];

	switch (v->kind) {
	case KS_V_INT:
		(void)ks_num_grouped(num, v->i);
		ks_buf_cstr(b, num);
		break;
	case KS_V_REAL:
		(void)ks_num_double(num, v->d);
		ks_buf_cstr(b, num);
		break;
	case KS_V_TEXT:
		ks_buf_str(b, v->s);
		break;
	case KS_V_BOOL:
		ks_buf_cstr(b, v->i != 0 ? "true" : "false");
		break;
	case KS_V_LIST:
	case KS_V_ARRAY:
	case KS_V_OBJECT:
		add_json(b, v);
		break;
	case KS_V_NONE:
		ks_buf_cstr(b, "n/a");
		break;
	}
}

static void value_line(struct tree *t, const struct ks_ev *ev)
{
	const char *symbol = ks_unit_info(ev->unit)->symbol;

	ks_term_style(&t->v->term, t->out, KS_STYLE_BOLD);
	ks_term_text(t->out, ev->name);
	ks_term_style(&t->v->term, t->out, KS_STYLE_PLAIN);
	ks_buf_reset(&t->line);
	ks_buf_cstr(&t->line, " = ");
	add_value(&t->line, &ev->value);
	if (ev->unit != KS_UNIT_COUNT && symbol[0] != '\0' && ev->value.kind != KS_V_NONE &&
	    ev->value.kind != KS_V_TEXT)
		ks_buf_fmt(&t->line, " %s", symbol);
	ks_buf_fmt(&t->line, "  [%s]", ks_prov_name(ev->prov));
	ks_term_text(t->out, whole(t, &t->line));
}

static void refused_lines(struct tree *t, const struct ks_lineage_step *s, bool more)
{
	const struct ks_refused *r = s->ev->refused;
	struct ks_buf message;

	ks_buf_init(&message, LINE_BYTES);
	ks_refused_message(t->e->report->ev, r, t->v->lang, &message);
	under(t, s->depth, more);
	text_line(t, KS_TEXT_EXPLAIN_REFUSED, 2,
		  (const ks_str[]){ ks_refused_slug(r), whole(t, &message) });
	ks_buf_reset(&message);
	ks_refused_action(r, t->v->lang, &message);
	if (message.n > 0) {
		under(t, s->depth, more);
		text_line(t, KS_TEXT_EXPLAIN_REMEDY, 1, (const ks_str[]){ whole(t, &message) });
	}
	ks_buf_release(&message);
}

/* How the number is made and how fine it is; nothing for a value read as it is. */
static void method_lines(struct tree *t, const struct ks_lineage_step *s, bool more)
{
	const struct ks_ev *ev = s->ev;
	char num[KS_NUM_LEN];

	if (s->formula[0] != '\0') {
		under(t, s->depth, more);
		text_line(t, KS_TEXT_EXPLAIN_FORMULA, 1, (const ks_str[]){ ks_str_c(s->formula) });
	}
	if (ev->source.id != KS_TEXT_NONE && s->depth == 0) {
		struct ks_buf source;

		ks_buf_init(&source, LINE_BYTES);
		ks_msg_fmt(&source, t->v->lang, &ev->source);
		under(t, s->depth, more);
		text_line(t, KS_TEXT_EXPLAIN_SOURCE, 1, (const ks_str[]){ whole(t, &source) });
		ks_buf_release(&source);
	}
	if (ev->has_resolution && ev->resolution > 0.0) {
		(void)ks_num_double(num, ev->resolution);
		ks_buf_reset(&t->line);
		ks_buf_fmt(&t->line, "%s %s", num, ks_unit_info(ev->unit)->symbol);
		ks_str shown = ks_str_trim(whole(t, &t->line));
		struct ks_buf copy;

		ks_buf_init(&copy, 256);
		ks_buf_str(&copy, shown);
		under(t, s->depth, more);
		text_line(t, KS_TEXT_EXPLAIN_RESOLUTION, 1, (const ks_str[]){ whole(t, &copy) });
		ks_buf_release(&copy);
	}
}

static void origin_line(struct tree *t, const struct ks_lineage_step *s)
{
	const struct ks_origin *o = s->ev->origin;
	char rows[KS_NUM_LEN];

	(void)ks_num_grouped(rows, (int64_t)o->rows);
	t->last[s->depth + 1] = !s->has_children;
	rails(t, s->depth + 1, !s->has_children);
	text_line(t, KS_TEXT_EXPLAIN_TABLE, 3,
		  (const ks_str[]){ o->table, o->columns, ks_str_c(rows) });
}

static enum ks_status check(bool failed, struct ks_err *err)
{
	return failed ? ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL) : KS_OK;
}

static enum ks_status tree_enter(void *arg, const struct ks_lineage_step *s, struct ks_err *err)
{
	struct tree *t = arg;
	const bool last = s->index + 1 >= s->siblings;
	const bool more = (s->has_children || read_from_table(s->ev)) && !s->repeated;

	if (s->depth <= KS_LINEAGE_DEPTH)
		t->last[s->depth] = last;
	rails(t, s->depth, last);
	value_line(t, s->ev);
	if (s->repeated) {
		ks_out_cstr(t->out, "  ");
		text_line(t, KS_TEXT_EXPLAIN_REPEATED, 0, NULL);
		return check(t->failed, err);
	}
	ks_out_ch(t->out, '\n');
	if (s->depth == 0 && s->ev->subject.n > 0) {
		under(t, 0, more);
		text_line(t, KS_TEXT_EXPLAIN_FOR, 1, &s->ev->subject);
	}
	if (s->ev->refused != NULL)
		refused_lines(t, s, more);
	method_lines(t, s, more);
	if (read_from_table(s->ev))
		origin_line(t, s);
	if (s->cut) {
		under(t, s->depth, false);
		text_line(t, KS_TEXT_EXPLAIN_CUT, 0, NULL);
	}
	return check(t->failed, err);
}

enum ks_status ks_explain_text(const struct ks_ctx *ctx, const struct ks_explain *e,
			       const struct ks_view *v, struct ks_out *out, struct ks_err *err)
{
	static const struct ks_lineage_visitor visitor = { tree_enter, NULL };
	struct tree t = { .e = e, .v = v, .out = out };

	(void)ctx;
	ks_buf_init(&t.line, LINE_BYTES);
	if (e->report->synthetic)
		text_line(&t, KS_TEXT_EXPLAIN_SYNTHETIC, 0, NULL);
	enum ks_status status = ks_lineage_walk(e->report->ev, e->id, &visitor, &t, err);

	if (status == KS_OK && e->file.n > 0)
		text_line(&t, KS_TEXT_EXPLAIN_FILE, 1, &e->file);
	ks_buf_release(&t.line);
	return status == KS_OK ? check(t.failed, err) : status;
}

struct jtree {
	const struct ks_explain *e;
	struct ks_jsonw w;
	enum ks_lang lang;
	bool failed;
};

static void kv_buf(struct jtree *t, const char *key, struct ks_buf *text)
{
	t->failed |= ks_buf_failed(text);
	ks_jsonw_kv_str(&t->w, key, ks_buf_view(text));
	ks_buf_reset(text);
}

static void json_refusal(struct jtree *t, const struct ks_refused *r)
{
	struct ks_buf text;

	ks_buf_init(&text, LINE_BYTES);
	ks_jsonw_key(&t->w, "refusal");
	ks_jsonw_obj(&t->w);
	ks_jsonw_kv_str(&t->w, "code", ks_refused_slug(r));
	ks_refused_message(t->e->report->ev, r, t->lang, &text);
	kv_buf(t, "message", &text);
	ks_jsonw_key(&t->w, "observed");
	ks_kvs_json(&t->w, r->observed, r->n_observed);
	ks_jsonw_key(&t->w, "threshold");
	ks_kvs_json(&t->w, r->threshold, r->n_threshold);
	ks_refused_action(r, t->lang, &text);
	kv_buf(t, "action", &text);
	ks_jsonw_kv_str(&t->w, "command", r->remedy.command);
	ks_jsonw_obj_end(&t->w);
	ks_buf_release(&text);
}

static void json_origin(struct jtree *t, const struct ks_origin *o)
{
	ks_jsonw_obj(&t->w);
	ks_jsonw_kv_str(&t->w, "table", o->table);
	ks_jsonw_kv_str(&t->w, "file", t->e->file);
	ks_jsonw_kv_str(&t->w, "column", o->columns);
	ks_jsonw_kv_i64(&t->w, "rows", (int64_t)o->rows);
	ks_jsonw_obj_end(&t->w);
}

static enum ks_status json_enter(void *arg, const struct ks_lineage_step *s, struct ks_err *err)
{
	struct jtree *t = arg;
	const struct ks_ev *ev = s->ev;

	ks_jsonw_obj(&t->w);
	if (s->depth == 0)
		ks_jsonw_kv_i64(&t->w, "schema_version", 1);
	ks_jsonw_kv_str(&t->w, "metric", ev->name);
	ks_jsonw_kv_str(&t->w, "kernel", ev->subject);
	ks_jsonw_key(&t->w, "value");
	ks_value_json(&t->w, &ev->value);
	ks_jsonw_kv_cstr(&t->w, "unit", ks_unit_info(ev->unit)->symbol);
	ks_jsonw_kv_cstr(&t->w, "provenance", ks_prov_name(ev->prov));
	ks_jsonw_kv_cstr(&t->w, "formula", s->formula);
	if (ev->has_resolution)
		ks_jsonw_kv_double(&t->w, "resolution", ev->resolution);
	if (s->depth == 0 && t->e->report->synthetic)
		ks_jsonw_kv_bool(&t->w, "synthetic", true);
	if (ev->refused != NULL)
		json_refusal(t, ev->refused);
	if (s->repeated)
		ks_jsonw_kv_bool(&t->w, "repeated", true);
	if (s->cut)
		ks_jsonw_kv_bool(&t->w, "cut", true);
	ks_jsonw_key(&t->w, "inputs");
	ks_jsonw_arr(&t->w);
	if (read_from_table(ev) && !s->repeated)
		json_origin(t, ev->origin);
	return check(t->failed, err);
}

static enum ks_status json_leave(void *arg, const struct ks_lineage_step *s, struct ks_err *err)
{
	struct jtree *t = arg;

	(void)s;
	(void)err;
	ks_jsonw_arr_end(&t->w);
	ks_jsonw_obj_end(&t->w);
	return KS_OK;
}

enum ks_status ks_explain_json(const struct ks_ctx *ctx, const struct ks_explain *e,
			       struct ks_out *out, struct ks_err *err)
{
	static const struct ks_lineage_visitor visitor = { json_enter, json_leave };
	struct jtree t = { .e = e, .lang = (enum ks_lang)ctx->doc_lang };

	ks_jsonw_init(&t.w, out, 2);
	KS_TRY(ks_lineage_walk(e->report->ev, e->id, &visitor, &t, err));
	ks_out_ch(out, '\n');
	return KS_OK;
}
