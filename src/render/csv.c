/* SPDX-License-Identifier: Apache-2.0
 *
 * Metric CSV (contract 03 §5): one line per row of evidence, refusals included with their codes and
 * an empty value. Header always, CRLF, language of documents.
 */
#include "base/csvw.h"
#include "base/num.h"
#include "base/str.h"
#include "evidence/money.h"
#include "evidence/value.h"
#include "render/render.h"

#define CSV_TEXT_MAX ((size_t)256 << 20)

static const char *const columns[] = {
	"kernel",	"section",	    "section_provenance", "metric",	    "value",
	"unit",		"provenance",	    "resolution",	  "source",	    "reason",
	"refusal_code", "refusal_observed", "refusal_threshold",  "refusal_remedy", "note",
};

struct csv {
	struct ks_csvw w;
	const struct ks_report *r;
	const struct ks_view *v;
	enum ks_lang lang;
	struct ks_buf text;   /* one text at a time */
	struct ks_buf kernel; /* the name as a finished cell */
};

static void msg(struct csv *c, const struct ks_msg *m)
{
	ks_buf_reset(&c->text);
	if (m->id != KS_TEXT_NONE)
		ks_msg_fmt(&c->text, c->lang, m);
	ks_csvw_str(&c->w, ks_buf_view(&c->text));
}

static void value(struct csv *c, const struct ks_value *v)
{
	if (v->kind == KS_V_NONE) {
		ks_csvw_empty(&c->w);
	} else if (v->kind == KS_V_INT) {
		ks_csvw_i64(&c->w, v->i);
	} else if (v->kind == KS_V_REAL) {
		ks_csvw_double(&c->w, v->d);
	} else {
		ks_buf_reset(&c->text);
		ks_value_text(&c->text, v);
		ks_csvw_str(&c->w, ks_buf_view(&c->text));
	}
}

static void resolution(struct csv *c, const struct ks_ev *row)
{
	char number[KS_NUM_LEN];
	const char *unit = ks_report_unit(c->r, row->unit);

	ks_buf_reset(&c->text);
	if (row->has_resolution) {
		ks_buf_add(&c->text, number, ks_num_human(number, row->resolution));
		ks_buf_fmt(&c->text, "%s%s", unit[0] != '\0' ? " " : "", unit);
	}
	ks_csvw_str(&c->w, ks_buf_view(&c->text));
}

static void json_cell(struct csv *c, const struct ks_kv *kv, size_t n)
{
	struct ks_out out;
	struct ks_jsonw w;

	ks_buf_reset(&c->text);
	if (n > 0) {
		ks_out_open_mem(&out, &c->text);
		ks_jsonw_init(&w, &out, 0);
		ks_kvs_json(&w, kv, n);
		(void)ks_out_commit(&out,
				    NULL); /* a full buffer is sticky and reported at the end */
	}
	ks_csvw_str(&c->w, ks_buf_view(&c->text));
}

static void refusal(struct csv *c, const struct ks_refused *why)
{
	if (why == NULL) {
		for (int i = 0; i < 5; i++)
			ks_csvw_empty(&c->w);
		return;
	}
	ks_buf_reset(&c->text);
	ks_refused_message(c->r->ev, why, c->lang, &c->text);
	ks_csvw_str(&c->w, ks_buf_view(&c->text));
	ks_csvw_cstr(&c->w, ks_refusal_info(why->code)->slug);
	json_cell(c, why->observed, why->n_observed);
	json_cell(c, why->threshold, why->n_threshold);
	ks_buf_reset(&c->text);
	ks_refused_action(why, c->lang, &c->text);
	ks_csvw_str(&c->w, ks_buf_view(&c->text));
}

static void row_line(struct csv *c, const struct ks_section_rows *s, const struct ks_ev *row)
{
	ks_csvw_raw(&c->w, ks_buf_view(&c->kernel));
	ks_csvw_str(&c->w, s->name);
	ks_csvw_cstr(&c->w, ks_prov_name(s->prov));
	ks_csvw_str(&c->w, row->name);
	value(c, &row->value);
	ks_csvw_cstr(&c->w, ks_report_unit(c->r, row->unit));
	ks_csvw_cstr(&c->w, ks_prov_name(row->prov));
	resolution(c, row);
	msg(c, &row->source);
	refusal(c, row->refused);
	msg(c, &row->note);
	ks_csvw_end(&c->w);
}

static void kernel_lines(struct csv *c, const struct ks_kernel *k)
{
	ks_buf_reset(&c->kernel);
	ks_csvw_cell(&c->kernel, k->name);
	for (size_t i = 0; i < k->n_sections; i++)
		for (size_t n = 0; n < k->section[i].n; n++) {
			const struct ks_ev *row = ks_ev_get(c->r->ev, k->section[i].row[n]);

			if (row != NULL && ks_view_row(c->v, row))
				row_line(c, &k->section[i], row);
		}
}

static enum ks_status render(const struct ks_ctx *ctx, const struct ks_report *r,
			     const struct ks_view *v, struct ks_out *out, struct ks_err *err)
{
	struct csv c = { .r = r, .v = v, .lang = (enum ks_lang)ctx->doc_lang };
	enum ks_status st = KS_OK;

	ks_buf_init(&c.text, CSV_TEXT_MAX);
	ks_buf_init(&c.kernel, CSV_TEXT_MAX);
	ks_csvw_init(&c.w, out);
	for (size_t i = 0; i < KS_ARRAY_LEN(columns); i++)
		ks_csvw_cstr(&c.w, columns[i]);
	ks_csvw_end(&c.w);
	for (size_t i = 0; i < r->n_kernels && !ks_out_failed(out); i++)
		kernel_lines(&c, &r->kernel[i]);
	if (ks_buf_failed(&c.text) || ks_buf_failed(&c.kernel))
		st = ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_RENDER_MEMORY, NULL);
	ks_buf_release(&c.text);
	ks_buf_release(&c.kernel);
	return st;
}

const struct ks_render_ops ks_render_csv = {
	.format = KS_FORMAT_CSV,
	.render = render,
};
