/* SPDX-License-Identifier: Apache-2.0
 *
 * Labels, boxes and the frame of an SVG. Has its own background, so that it reads on a dark page as
 * well.
 */
#include "render/svg_pen.h"

#include "base/str.h"
#include "base/utf8.h"

#define SVG_TMP_MAX ((size_t)256 << 20)

static const struct ks_term paper = { .utf8 = true, .cols = 80, .rows = 100 };

static const char sans[] =
	"system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans CJK SC', "
	"'PingFang SC', 'Microsoft YaHei', sans-serif";
static const char mono[] = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', "
			   "'Noto Sans Mono CJK SC', monospace";

void ks_svg_begin(struct ks_svg *s, const struct ks_view *v, struct ks_out *out)
{
	*s = (struct ks_svg){ .pen = { .term = &paper, .lang = v->lang, .tmp = &s->tmp } };
	ks_arena_init(&s->tmp, SVG_TMP_MAX);
	ks_xmlw_init(&s->w, out);
}

enum ks_status ks_svg_done(struct ks_svg *s, struct ks_err *err)
{
	enum ks_status st = ks_pen_done(&s->pen, err);

	ks_arena_release(&s->tmp);
	return st;
}

void ks_svg_document(struct ks_svg *s, int width, int height, ks_str title, ks_str desc)
{
	ks_xmlw_open(&s->w, "svg");
	ks_xmlw_attr_c(&s->w, "xmlns", "http://www.w3.org/2000/svg");
	ks_xmlw_attr_fmt(&s->w, "width", "%d", width);
	ks_xmlw_attr_fmt(&s->w, "height", "%d", height);
	ks_xmlw_attr_fmt(&s->w, "viewBox", "0 0 %d %d", width, height);
	ks_xmlw_attr_c(&s->w, "role", "img");
	ks_xmlw_attr_c(&s->w, "aria-labelledby", "ks-title ks-desc");
	ks_xmlw_attr_c(&s->w, "font-family", sans);
	ks_xmlw_open(&s->w, "title");
	ks_xmlw_attr_c(&s->w, "id", "ks-title");
	ks_xmlw_text(&s->w, title);
	ks_xmlw_close(&s->w);
	ks_xmlw_open(&s->w, "desc");
	ks_xmlw_attr_c(&s->w, "id", "ks-desc");
	ks_xmlw_text(&s->w, desc);
	ks_xmlw_close(&s->w);
	KS_SVG_BOX(s, 0, 0, width, height, 8, KS_SVG_PAPER);
}

void ks_svg_text(struct ks_svg *s, const struct ks_svg_label *l, ks_str text)
{
	if (text.n == 0)
		return;
	ks_xmlw_open(&s->w, "text");
	ks_xmlw_attr_fmt(&s->w, "x", "%g", l->x);
	ks_xmlw_attr_fmt(&s->w, "y", "%g", l->y);
	ks_xmlw_attr_fmt(&s->w, "font-size", "%d", l->size);
	ks_xmlw_attr_c(&s->w, "fill", l->fill);
	if (l->right)
		ks_xmlw_attr_c(&s->w, "text-anchor", "end");
	if (l->middle)
		ks_xmlw_attr_c(&s->w, "text-anchor", "middle");
	if (l->bold)
		ks_xmlw_attr_c(&s->w, "font-weight", "600");
	if (l->mono)
		ks_xmlw_attr_c(&s->w, "font-family", mono);
	ks_xmlw_text(&s->w, text);
	ks_xmlw_close(&s->w);
}

void ks_svg_box(struct ks_svg *s, const struct ks_svg_box *b)
{
	ks_xmlw_open(&s->w, "rect");
	ks_xmlw_attr_fmt(&s->w, "x", "%g", b->x);
	ks_xmlw_attr_fmt(&s->w, "y", "%g", b->y);
	ks_xmlw_attr_fmt(&s->w, "width", "%.1f", b->w);
	ks_xmlw_attr_fmt(&s->w, "height", "%g", b->h);
	if (b->round > 0.0)
		ks_xmlw_attr_fmt(&s->w, "rx", "%g", b->round);
	ks_xmlw_attr_c(&s->w, "fill", b->fill);
	ks_xmlw_close(&s->w);
}

void ks_svg_group(struct ks_svg *s, ks_str hover)
{
	ks_xmlw_open(&s->w, "g");
	ks_xmlw_open(&s->w, "title");
	ks_xmlw_text(&s->w, (ks_str){ hover.p, ks_utf8_prefix(hover, KS_SVG_NAME_MAX) });
	ks_xmlw_close(&s->w);
}

double ks_svg_legend_width(ks_str text)
{
	return 16 + 6.2 * (double)ks_utf8_columns(text) + 22;
}

double ks_svg_legend(struct ks_svg *s, double x, double y, const char *fill, ks_str text)
{
	KS_SVG_BOX(s, x, y - 9, 10, 10, 2, fill);
	KS_SVG_TEXT(s, text, .x = x + 16, .y = y, .size = 11, .fill = KS_SVG_MUTED);
	return x + ks_svg_legend_width(text);
}

/* Parts that do not fit are left out from the end. */
ks_str ks_svg_joined(struct ks_svg *s, const ks_str *part, size_t n, size_t cols)
{
	ks_str all = KS_LIT("");

	for (size_t i = 0; i < n; i++) {
		if (part[i].n == 0 || ks_utf8_columns(all) + 3 + ks_utf8_columns(part[i]) > cols)
			continue;
		if (all.n > 0)
			all = ks_pen_cat(&s->pen, all, ks_str_c(ks_pen_dot(&s->pen)));
		all = ks_pen_cat(&s->pen, all, part[i]);
	}
	return all;
}

ks_str ks_svg_count(struct ks_svg *s, uint64_t n, enum ks_text one, enum ks_text many)
{
	return KS_PEN_SAY(&s->pen, n == 1 ? one : many, ks_pen_u64(&s->pen, n));
}

ks_str ks_svg_device(struct ks_svg *s, const struct ks_report *r)
{
	struct ks_pen *p = &s->pen;

	if (r->n_gpus_used > 1)
		return KS_PEN_SAY(p, KS_TEXT_R_N_DEVICES, ks_pen_u64(p, r->n_gpus_used));
	if (r->n_gpus == 0)
		return KS_LIT("");
	const struct ks_gpu *g = &r->gpu[0];
	ks_str name = g->name.n > 0 ? ks_pen_name(p, g->name, 40, KS_LIT(""))
				    : KS_PEN_WORD(p, KS_TEXT_R_DEVICE_UNKNOWN);

	if (g->cc_major < 0)
		return name;
	return ks_pen_cat(p, name, ks_arena_fmt(p->tmp, " (sm_%d%d)", g->cc_major, g->cc_minor));
}

ks_str ks_svg_signature(struct ks_svg *s, ks_str what)
{
	struct ks_pen *p = &s->pen;

	return ks_pen_cat(p, ks_arena_fmt(p->tmp, "Kernoscope %s%s", KS_VERSION, ks_pen_dot(p)),
			  what);
}
