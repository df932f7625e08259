/* SPDX-License-Identifier: Apache-2.0
 *
 * The pull reader. Each piece is taken off the front of what is left.
 */
#include "source/xml_pull.h"

#include "base/num.h"
#include "base/str.h"
#include "tables/tables.h"

_Static_assert(KS_XML_LEVELS >= 32, "as many as the limit allows");

void ks_xml_init(struct ks_xml *x, ks_str text, uint64_t line)
{
	*x = (struct ks_xml){ .rest = text, .line = line };
	if (ks_str_starts(text, "\xef\xbb\xbf"))
		x->rest = (ks_str){ text.p + 3, text.n - 3 };
}

/* Its text is then the line from where it is no longer XML. */
static enum ks_xml_event bad(struct ks_xml *x)
{
	const char *end = memchr(x->rest.p, '\n', x->rest.n);

	x->text = (ks_str){ x->rest.p, end != NULL ? (size_t)(end - x->rest.p) : x->rest.n };
	x->bad = true;
	x->rest.n = 0;
	return KS_XML_BAD;
}

static void drop(struct ks_xml *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x->line += x->rest.p[i] == '\n';
	x->rest.p += n;
	x->rest.n -= n;
}

/* Where `end` begins in what is left; SIZE_MAX nowhere. */
static size_t find(const struct ks_xml *x, const char *end)
{
	const char *at = memmem(x->rest.p, x->rest.n, end, strlen(end));

	return at != NULL ? (size_t)(at - x->rest.p) : SIZE_MAX;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-' || c == '.' || c == ':';
}

static ks_str name_at(ks_str s)
{
	size_t n = 0;

	while (n < s.n && is_name_char(s.p[n]))
		n++;
	return (ks_str){ s.p, n };
}

/* Length of the tag at the front, a > inside quotes passed over; 0: it has no end. */
static size_t tag_len(ks_str s)
{
	char quote = '\0';

	for (size_t i = 1; i < s.n; i++) {
		const char c = s.p[i];

		if (quote != '\0')
			quote = c == quote ? '\0' : quote;
		else if (c == '"' || c == '\'')
			quote = c;
		else if (c == '>')
			return i + 1;
		else if (c == '<')
			return 0;
	}
	return 0;
}

static enum ks_xml_event close_element(struct ks_xml *x)
{
	x->name = x->open[--x->depth];
	return KS_XML_CLOSE;
}

static enum ks_xml_event take_close(struct ks_xml *x)
{
	const size_t len = tag_len(x->rest);
	const ks_str name = len > 3 ? name_at((ks_str){ x->rest.p + 2, len - 3 }) : KS_STR_NONE;

	if (name.n == 0 || x->depth == 0 || !ks_str_eq(name, x->open[x->depth - 1]))
		return bad(x);
	drop(x, len);
	return close_element(x);
}

static enum ks_xml_event take_open(struct ks_xml *x)
{
	const size_t len = tag_len(x->rest);
	const ks_str inside = len > 2 ? (ks_str){ x->rest.p + 1, len - 2 } : KS_STR_NONE;
	const bool empty = inside.n > 0 && inside.p[inside.n - 1] == '/';
	const ks_str name = name_at(inside);

	if (name.n == 0 || x->depth >= KS_XML_LEVELS ||
	    x->depth >= (size_t)ks_limit(KS_LIMIT_XML_DEPTH) || (x->depth == 0 && x->seen))
		return bad(x);
	x->name = name;
	x->attributes = (ks_str){ inside.p + name.n, inside.n - name.n - empty };
	x->open[x->depth++] = name;
	x->seen = true;
	x->closing = empty;
	drop(x, len);
	return KS_XML_OPEN;
}

/* Comments, the declaration in front, and a DOCTYPE without definitions. */
static bool pass_over(struct ks_xml *x)
{
	size_t to = SIZE_MAX;

	if (ks_str_starts(x->rest, "<!--")) {
		to = find(x, "-->");
		to = to == SIZE_MAX ? to : to + 3;
	} else if (ks_str_starts(x->rest, "<?") && !x->seen) {
		to = find(x, "?>");
		to = to == SIZE_MAX ? to : to + 2;
	} else if (ks_str_starts(x->rest, "<!DOCTYPE") && !x->seen) {
		const size_t len = tag_len(x->rest);

		if (len > 0 && memchr(x->rest.p, '[', len) == NULL)
			to = len;
	}
	if (to == SIZE_MAX)
		return false;
	drop(x, to);
	return true;
}

static enum ks_xml_event take_text(struct ks_xml *x)
{
	const char *end = memchr(x->rest.p, '<', x->rest.n);
	const size_t n = end != NULL ? (size_t)(end - x->rest.p) : x->rest.n;
	size_t blank = 0;

	while (blank < n && is_space(x->rest.p[blank]))
		blank++;
	if (x->depth == 0 && blank < n)
		return bad(x);
	x->text = (ks_str){ x->rest.p, n };
	drop(x, n);
	return KS_XML_TEXT;
}

enum ks_xml_event ks_xml_next(struct ks_xml *x)
{
	if (x->bad)
		return KS_XML_BAD;
	if (x->closing) {
		x->closing = false;
		return close_element(x);
	}
	while (x->rest.n > 0) {
		if (x->rest.p[0] != '<') {
			const enum ks_xml_event e = take_text(x);

			if (e == KS_XML_BAD || x->depth > 0)
				return e;
			continue;
		}
		if (ks_str_starts(x->rest, "<!") || ks_str_starts(x->rest, "<?")) {
			if (!pass_over(x))
				return bad(x);
			continue;
		}
		return ks_str_starts(x->rest, "</") ? take_close(x) : take_open(x);
	}
	return x->depth == 0 && x->seen ? KS_XML_END : bad(x);
}

ks_str ks_xml_attribute(const struct ks_xml *x, const char *name)
{
	ks_str s = x->attributes;

	for (;;) {
		s = ks_str_trim(s);
		const ks_str key = name_at(s);

		s = ks_str_trim((ks_str){ s.p + key.n, s.n - key.n });
		if (key.n == 0 || s.n < 2 || s.p[0] != '=')
			return KS_STR_NONE;
		s = ks_str_trim((ks_str){ s.p + 1, s.n - 1 });
		const char *end = s.n > 1 ? memchr(s.p + 1, s.p[0], s.n - 1) : NULL;

		if (end == NULL || (s.p[0] != '"' && s.p[0] != '\''))
			return KS_STR_NONE;
		if (ks_str_eqc(key, name))
			return (ks_str){ s.p + 1, (size_t)(end - s.p) - 1 };
		s = (ks_str){ end + 1, s.n - (size_t)(end + 1 - s.p) };
	}
}

/* --- entities
 * ------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	char c;
} entities[] = {
	{ "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' }, { "&quot;", '"' }, { "&apos;", '\'' },
};

/* The entity at the front: what it stands for into `out`, one byte, and its length;
 * 0: it is none. Numbers beyond ASCII stay as they stand. */
static size_t entity(ks_str s, char *out, size_t *n)
{
	const char *end = memchr(s.p, ';', s.n < 12 ? s.n : 12);
	uint64_t code = 0;

	for (size_t i = 0; i < KS_ARRAY_LEN(entities); i++)
		if (ks_str_starts(s, entities[i].name)) {
			out[0] = entities[i].c;
			*n = 1;
			return strlen(entities[i].name);
		}
	if (end == NULL || s.n < 4 || s.p[1] != '#' ||
	    !ks_num_parse_u64((ks_str){ s.p + 2, (size_t)(end - s.p) - 2 }, &code) || code == 0 ||
	    code > 0x7f)
		return 0;
	out[0] = (char)code;
	*n = 1;
	return (size_t)(end - s.p) + 1;
}

ks_str ks_xml_plain(struct ks_arena *a, ks_str text)
{
	char *to = ks_arena_array(a, text.n + 1, 1);
	size_t n = 0;

	if (to == NULL)
		return KS_STR_NONE;
	for (size_t i = 0; i < text.n;) {
		size_t put = 0;
		const size_t len =
			text.p[i] == '&' ? entity((ks_str){ text.p + i, text.n - i }, to + n, &put)
					 : 0;

		if (len == 0)
			to[n] = text.p[i];
		n += len == 0 ? 1 : put;
		i += len == 0 ? 1 : len;
	}
	return (ks_str){ to, n };
}
