/* SPDX-License-Identifier: Apache-2.0
 *
 * The evidence page: one file that is HTML and well-formed XML, with no script and nothing from
 * outside, the same bytes for the same report. Drawn from the packet, and from the report where
 * there is one. A page that would be too large is made again with less detail, and says so.
 */
#include "render/html.h"

#include "base/str.h"
#include "base/utf8.h"

#define HTML_TMP_MAX ((size_t)256 << 20)
#define WORDS_COLS   400 /* of a sentence of ours; what it holds of an input is cut before */
#define PAGE_MAX     ((size_t)16 << 20) /* of one attempt, whatever it turns out to be */

/* The last level fits whatever a packet holds: tests/unit/render/test_html.c tries the worst. */
static const struct ks_html_level levels[] = {
	{ 20, 96, 12, 600, 300, 10, 400, 8, 16, 40 }, { 20, 80, 8, 400, 200, 8, 240, 8, 8, 24 },
	{ 12, 64, 6, 240, 120, 6, 160, 8, 6, 16 },    { 8, 56, 4, 120, 60, 4, 100, 4, 4, 10 },
	{ 5, 40, 2, 60, 30, 0, 40, 0, 2, 6 },
};

static const struct ks_term paper = { .utf8 = true, .cols = 80, .rows = 100 };

/* --- writing ---------------------------------------------------------------------------------- */

void ks_html_open(struct ks_html *h, const char *name, const char *class)
{
	ks_xmlw_open(&h->svg.w, name);
	if (class != NULL)
		ks_xmlw_attr_c(&h->svg.w, "class", class);
}

void ks_html_close(struct ks_html *h)
{
	ks_xmlw_close(&h->svg.w);
}

void ks_html_close_n(struct ks_html *h, int n)
{
	for (int i = 0; i < n; i++)
		ks_xmlw_close(&h->svg.w);
}

void ks_html_attr(struct ks_html *h, const char *name, const char *value)
{
	ks_xmlw_attr_c(&h->svg.w, name, value);
}

/* Columns bound what is seen; marks that take no column are bounded by bytes. */
ks_str ks_html_clip(struct ks_html *h, ks_str s, size_t cols)
{
	const size_t bytes = 4 * cols;
	size_t n;

	if (s.n <= bytes && ks_utf8_columns(s) <= cols)
		return s;
	n = ks_utf8_prefix_columns(s, cols - 1);
	if (n > bytes)
		n = ks_utf8_prefix(s, bytes);
	return ks_pen_cat(&h->svg.pen, (ks_str){ s.p, n }, KS_LIT("\xe2\x80\xa6"));
}

void ks_html_put(struct ks_html *h, ks_str s, size_t cols)
{
	ks_xmlw_text(&h->svg.w, ks_html_clip(h, s, cols));
}

void ks_html_el(struct ks_html *h, const char *name, const char *class, ks_str text)
{
	if (text.n == 0)
		return;
	ks_html_open(h, name, class);
	ks_html_put(h, text, WORDS_COLS);
	ks_html_close(h);
}

void ks_html_labelled(struct ks_html *h, enum ks_text label, ks_str text)
{
	if (text.n == 0)
		return;
	ks_html_open(h, "p", NULL);
	ks_html_el(h, "b", NULL, KS_PEN_WORD(&h->svg.pen, label));
	ks_xmlw_text(&h->svg.w, KS_LIT(" "));
	ks_html_put(h, text, h->level->cols);
	ks_html_close(h);
}

void ks_html_section(struct ks_html *h, const char *id, ks_str heading)
{
	ks_xmlw_break(&h->svg.w);
	ks_html_open(h, "section", NULL);
	ks_html_attr(h, "id", id);
	ks_html_el(h, "h2", NULL, heading);
}

void ks_html_table(struct ks_html *h, const char *class, ks_str caption, const enum ks_text *col,
		   size_t n)
{
	ks_html_open(h, "table", class);
	ks_html_attr(h, "role", "table");
	ks_html_el(h, "caption", NULL, caption);
	ks_html_open(h, "thead", NULL);
	ks_html_attr(h, "role", "rowgroup");
	ks_html_open(h, "tr", NULL);
	ks_html_attr(h, "role", "row");
	for (size_t i = 0; i < n; i++) {
		ks_html_open(h, "th", NULL);
		ks_html_attr(h, "scope", "col");
		ks_html_attr(h, "role", "columnheader");
		ks_html_put(h, KS_PEN_WORD(&h->svg.pen, col[i]), h->level->cols);
		ks_html_close(h);
	}
	ks_html_close_n(h, 2);
	ks_html_open(h, "tbody", NULL);
	ks_html_attr(h, "role", "rowgroup");
}

void ks_html_cell(struct ks_html *h, const char *class, enum ks_text label)
{
	ks_html_open(h, "td", class);
	ks_html_attr(h, "role", "cell");
	if (label != KS_TEXT_NONE)
		ks_xmlw_attr(&h->svg.w, "data-l", KS_PEN_WORD(&h->svg.pen, label));
}

void ks_html_pct(struct ks_html *h, const char *property, double pct)
{
	const double within = pct > 100.0 ? 100.0 : pct > 0.0 ? pct : 0.0;

	ks_xmlw_attr_fmt(&h->svg.w, "style", "%s:%.3g%%", property, within);
}

void ks_html_tick(struct ks_html *h, double pct, ks_str label)
{
	ks_html_open(h, "span", pct > KS_HTML_TICK_RIGHT ? "r" : NULL);
	ks_html_pct(h, "left", pct);
	ks_html_put(h, label, 20);
	ks_html_close(h);
}

/* --- the page --------------------------------------------------------------------------------- */

static void meta(struct ks_html *h, const char *key, const char *name, ks_str content)
{
	ks_html_open(h, "meta", NULL);
	ks_html_attr(h, key, name);
	ks_xmlw_attr(&h->svg.w, "content", content);
	ks_html_close(h);
	ks_xmlw_break(&h->svg.w);
}

static void document_head(struct ks_html *h)
{
	struct ks_pen *p = &h->svg.pen;

	ks_html_open(h, "head", NULL);
	ks_xmlw_break(&h->svg.w);
	ks_html_open(h, "meta", NULL);
	ks_html_attr(h, "charset", "utf-8");
	ks_html_close(h);
	ks_xmlw_break(&h->svg.w);
	meta(h, "http-equiv", "Content-Security-Policy",
	     KS_LIT("default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri "
		    "'none'; form-action 'none'"));
	meta(h, "name", "viewport", KS_LIT("width=device-width, initial-scale=1"));
	meta(h, "name", "referrer", KS_LIT("no-referrer"));
	meta(h, "name", "color-scheme", KS_LIT("light dark"));
	meta(h, "name", "generator", KS_LIT("Kernoscope " KS_VERSION));
	ks_html_el(h, "title", NULL,
		   KS_PEN_SAY(p, KS_TEXT_H_TITLE, ks_html_clip(h, ks_html_finding(h, 40), 160)));
	ks_xmlw_break(&h->svg.w);
	/* without this a browser asks the server for a picture of its own */
	ks_html_open(h, "link", NULL);
	ks_html_attr(h, "rel", "icon");
	ks_html_attr(h, "href", "data:,");
	ks_html_close(h);
	ks_xmlw_break(&h->svg.w);
	ks_html_open(h, "style", NULL);
	ks_html_style(h);
	ks_html_close(h);
	ks_xmlw_break(&h->svg.w);
	ks_html_close(h);
}

static void footer(struct ks_html *h)
{
	struct ks_pen *p = &h->svg.pen;

	ks_xmlw_break(&h->svg.w);
	ks_html_open(h, "footer", NULL);
	ks_html_attr(h, "id", "footer");
	ks_html_el(h, "p", NULL, KS_PEN_SAY(p, KS_TEXT_H_FOOTER, KS_LIT("Kernoscope " KS_VERSION)));
	ks_html_close(h);
}

static void page(struct ks_html *h)
{
	static void (*const section[])(struct ks_html *) = {
		ks_html_findings,   ks_html_next,	 ks_html_families,  ks_html_kernels,
		ks_html_devices,    ks_html_timeline,	 ks_html_durations, ks_html_steps,
		ks_html_phases,	    ks_html_legend,	 ks_html_verdicts,  ks_html_refusals,
		ks_html_unmeasured, ks_html_environment, ks_html_cost,
	};

	ks_html_open(h, "html", NULL);
	ks_html_attr(h, "lang", h->svg.pen.lang == KS_LANG_ZH ? "zh-Hans" : "en");
	ks_xmlw_break(&h->svg.w);
	document_head(h);
	ks_xmlw_break(&h->svg.w);
	ks_html_open(h, "body", NULL);
	ks_xmlw_break(&h->svg.w);
	ks_html_head(h);
	ks_html_open(h, "main", NULL);
	for (size_t i = 0; i < KS_ARRAY_LEN(section); i++)
		section[i](h);
	ks_html_close(h);
	footer(h);
	ks_html_close_n(h, 2);
}

static enum ks_status attempt(struct ks_html *h, struct ks_buf *text, struct ks_err *err)
{
	struct ks_out out;
	enum ks_status st;

	ks_buf_reset(text);
	ks_out_open_mem(&out, text);
	ks_arena_init(&h->svg.tmp, HTML_TMP_MAX);
	h->svg.pen.tmp = &h->svg.tmp;
	ks_xmlw_init_html(&h->svg.w, &out);
	page(h);
	st = ks_out_commit(&out, err);
	if (st == KS_OK)
		st = ks_pen_done(&h->svg.pen, err);
	ks_arena_release(&h->svg.tmp);
	return st;
}

/* A packet is cut to a few kilobytes; beside the report it was made of, the page has room for what
 * was left out. A packet that was read back is all there is: its report has no rows. */
static enum ks_status widen(const struct ks_ctx *ctx, struct ks_html *h, struct ks_err *err)
{
	const struct ks_packet_spec spec = { .report_bytes = h->k->report_bytes,
					     .report_path = h->k->report_path,
					     .budget = (size_t)ks_limit(KS_LIMIT_HTML_BYTES) };
	struct ks_packet *wide = NULL;

	if (h->r->ev == NULL || ks_store_count(h->r->ev) == 0)
		return KS_OK;
	KS_TRY(ks_packet_make(ctx, h->r, &spec, &wide, err));
	h->k = wide;
	h->wide = true;
	return KS_OK;
}

/* Each attempt is a whole page; the first that fits is the one. */
static enum ks_status fit(struct ks_html *h, struct ks_buf *text, size_t most, struct ks_err *err)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(levels); i++) {
		h->level = &levels[i];
		h->cut = i > 0;
		KS_TRY(attempt(h, text, err));
		if (text->n <= most)
			return KS_OK;
	}
	return ks_err_set(err, KS_E_INTERNAL, KS_TEXT_ERR_HTML_TOO_LARGE, NULL);
}

static enum ks_status render(const struct ks_ctx *ctx, const struct ks_report *r,
			     const struct ks_view *v, struct ks_out *out, struct ks_err *err)
{
	const size_t most = (size_t)ks_limit(KS_LIMIT_HTML_BYTES);
	struct ks_html h = {
		.svg = { .pen = { .term = &paper, .lang = v->lang } },
		.r = r,
		.k = v->packet,
		.packet_words = (int)v->lang == ctx->doc_lang,
	};
	struct ks_buf text;

	if (h.k == NULL || h.k->report == NULL || h.k->report->verdicts == NULL)
		return ks_err_set(err, KS_E_INTERNAL, KS_TEXT_ERR_HTML_NO_PACKET, NULL);
	h.vd = h.k->report->verdicts;
	KS_TRY(widen(ctx, &h, err));
	ks_buf_init(&text, PAGE_MAX);
	const enum ks_status st = fit(&h, &text, most, err);

	if (st == KS_OK)
		ks_out_str(out, ks_buf_view(&text));
	ks_buf_release(&text);
	return st;
}

const struct ks_render_ops ks_render_html = {
	.format = KS_FORMAT_HTML,
	.needs_packet = true,
	.render = render,
};
