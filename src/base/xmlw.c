/* SPDX-License-Identifier: Apache-2.0
 *
 * Streaming XML. Escapes at the last step; what XML 1.0 forbids, or what must not be shown raw, is
 * written in its visible form. Knows no namespaces, comments or processing instructions.
 */
#include "base/xmlw.h"

#include <errno.h>
#include <stdarg.h>

#include "base/str.h"
#include "base/utf8.h"

#define ATTR_MAX (1u << 20) /* bytes of one formatted attribute: a long path of an SVG */

void ks_xmlw_init(struct ks_xmlw *w, struct ks_out *out)
{
	*w = (struct ks_xmlw){ .out = out };
	ks_out_cstr(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
}

void ks_xmlw_init_html(struct ks_xmlw *w, struct ks_out *out)
{
	*w = (struct ks_xmlw){ .out = out, .html = true };
	ks_out_cstr(out, "<!DOCTYPE html>\n");
}

static void new_line(struct ks_xmlw *w)
{
	ks_out_ch(w->out, '\n');
	for (int i = 0; i < w->depth; i++)
		ks_out_cstr(w->out, "  ");
}

static void end_tag(struct ks_xmlw *w)
{
	if (w->tag_open)
		ks_out_ch(w->out, '>');
	w->tag_open = false;
}

void ks_xmlw_open(struct ks_xmlw *w, const char *name)
{
	end_tag(w);
	BUG_ON(w->depth >= KS_XMLW_DEPTH);
	if (w->depth >= KS_XMLW_DEPTH) {
		w->out->err_no = w->out->err_no ? w->out->err_no : EOVERFLOW;
		return;
	}
	if (w->depth > 0) {
		w->has_child[w->depth - 1] = true;
		if (!w->has_text[w->depth - 1] && !w->html)
			new_line(w);
	}
	ks_out_ch(w->out, '<');
	ks_out_cstr(w->out, name);
	w->name[w->depth] = name;
	w->has_child[w->depth] = w->has_text[w->depth] = false;
	w->depth++;
	w->tag_open = true;
}

static const struct {
	char c;
	const char *text;
} entities[] = {
	{ '&', "&amp;" },  { '<', "&lt;" },   { '>', "&gt;" },	{ '"', "&quot;" },
	{ '\'', "&#39;" }, { '\n', "&#10;" }, { '\t', "&#9;" },
};

static const char *entity(int32_t c)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(entities); i++) {
		if (entities[i].c == c)
			return entities[i].text;
	}
	return NULL;
}

static void put_raw(void *arg, const char *p, size_t n)
{
	ks_out_write(arg, p, n);
}

/* One code point at a time: an entity, or itself in its visible form. HTML shows a line end and a
 * tab as the blank they are not: there they are made visible as well. */
static void put_escaped(const struct ks_xmlw *w, ks_str s)
{
	struct ks_out *out = w->out;
	size_t raw = 0; /* start of what was not written yet */

	for (size_t i = 0; i < s.n;) {
		const size_t at = i;
		const int32_t cp = ks_utf8_next(s, &i);
		const char *text =
			cp < 0 || (w->html && (cp == '\n' || cp == '\t')) ? NULL : entity(cp);

		if (!text && cp >= 0 && !ks_utf8_is_hostile(cp))
			continue;
		ks_out_write(out, s.p + raw, at - raw);
		if (text)
			ks_out_cstr(out, text);
		else
			ks_utf8_visible((ks_str){ s.p + at, i - at }, put_raw, out);
		raw = i;
	}
	if (s.n > raw)
		ks_out_write(out, s.p + raw, s.n - raw);
}

void ks_xmlw_attr(struct ks_xmlw *w, const char *name, ks_str value)
{
	BUG_ON(!w->tag_open);
	if (!w->tag_open)
		return;
	ks_out_ch(w->out, ' ');
	ks_out_cstr(w->out, name);
	ks_out_cstr(w->out, "=\"");
	put_escaped(w, value);
	ks_out_ch(w->out, '"');
}

void ks_xmlw_attr_c(struct ks_xmlw *w, const char *name, const char *value)
{
	ks_xmlw_attr(w, name, ks_str_c(value));
}

void ks_xmlw_attr_fmt(struct ks_xmlw *w, const char *name, const char *fmt, ...)
{
	struct ks_buf b;
	va_list ap;

	ks_buf_init(&b, ATTR_MAX);
	va_start(ap, fmt);
	ks_buf_vfmt(&b, fmt, ap);
	va_end(ap);
	ks_xmlw_attr(w, name, ks_buf_view(&b));
	if (ks_buf_failed(&b) && w->out->err_no == 0)
		w->out->err_no = ENOMEM;
	ks_buf_release(&b);
}

void ks_xmlw_text(struct ks_xmlw *w, ks_str s)
{
	BUG_ON(w->depth == 0);
	if (w->depth == 0)
		return;
	end_tag(w);
	w->has_text[w->depth - 1] = true;
	put_escaped(w, s);
}

void ks_xmlw_break(struct ks_xmlw *w)
{
	end_tag(w);
	ks_out_ch(w->out, '\n');
}

/* Elements that an HTML reader ends itself, and those of SVG that never hold anything here. To that
 * reader any other "<name/>" is an element that was left open. */
static bool is_void(const char *name)
{
	static const char *const names[] = { "meta", "link", "br", "rect", "path" };

	for (size_t i = 0; i < KS_ARRAY_LEN(names); i++)
		if (ks_str_eqc(ks_str_c(name), names[i]))
			return true;
	return false;
}

void ks_xmlw_close(struct ks_xmlw *w)
{
	BUG_ON(w->depth == 0);
	if (w->depth == 0)
		return;
	w->depth--;
	if (w->tag_open && (!w->html || is_void(w->name[w->depth]))) {
		ks_out_cstr(w->out, "/>");
		w->tag_open = false;
	} else {
		end_tag(w);
		if (w->has_child[w->depth] && !w->has_text[w->depth] && !w->html)
			new_line(w);
		ks_out_cstr(w->out, "</");
		ks_out_cstr(w->out, w->name[w->depth]);
		ks_out_ch(w->out, '>');
	}
	if (w->depth == 0)
		ks_out_ch(w->out, '\n');
}
