/* SPDX-License-Identifier: Apache-2.0
 *
 * The grammar of a line, left to right, each part by its own function. What cannot be read is said,
 * never repaired.
 */
#include "source/prom_text.h"

#include "base/num.h"
#include "base/str.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void skip_blanks(ks_str *s)
{
	while (s->n > 0 && is_blank(s->p[0])) {
		s->p++;
		s->n--;
	}
}

static bool is_name_char(char c, bool first, bool label)
{
	if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_')
		return true;
	return (c == ':' && !label) || (!first && c >= '0' && c <= '9');
}

static bool take_name(ks_str *s, bool label, ks_str *name)
{
	size_t n = 0;

	while (n < s->n && is_name_char(s->p[n], n == 0, label))
		n++;
	*name = (ks_str){ s->p, n };
	s->p += n;
	s->n -= n;
	return n > 0;
}

static bool take_char(ks_str *s, char c)
{
	skip_blanks(s);
	if (s->n == 0 || s->p[0] != c)
		return false;
	s->p++;
	s->n--;
	return true;
}

/* Up to the closing quote; a backslash takes the next byte with it, which must be \, " or n. */
static bool take_quoted(ks_str *s, ks_str *value)
{
	size_t n = 0;

	if (!take_char(s, '"'))
		return false;
	while (n < s->n && s->p[n] != '"') {
		const bool escape = s->p[n] == '\\';

		if (escape && (n + 1 >= s->n ||
			       (s->p[n + 1] != '\\' && s->p[n + 1] != '"' && s->p[n + 1] != 'n')))
			return false;
		n += escape ? 2 : 1;
	}
	if (n >= s->n)
		return false;
	*value = (ks_str){ s->p, n };
	s->p += n + 1;
	s->n -= n + 1;
	return true;
}

/* In its place by name; false for a name that is there already, or one too many. */
static bool put_label(struct ks_prom_series *s, const struct ks_prom_label *l)
{
	size_t at = s->n_labels;

	if (s->n_labels == KS_PROM_LABELS)
		return false;
	while (at > 0 && ks_str_cmp(s->label[at - 1].name, l->name) > 0)
		at--;
	if (at > 0 && ks_str_eq(s->label[at - 1].name, l->name))
		return false;
	for (size_t i = s->n_labels; i > at; i--)
		s->label[i] = s->label[i - 1];
	s->label[at] = *l;
	s->n_labels++;
	return true;
}

static bool take_labels(ks_str *line, struct ks_prom_series *s)
{
	if (!take_char(line, '{'))
		return true;
	while (!take_char(line, '}')) {
		struct ks_prom_label l;

		skip_blanks(line);
		if (!take_name(line, true, &l.name) || !take_char(line, '=') ||
		    !take_quoted(line, &l.value) || !put_label(s, &l))
			return false;
		skip_blanks(line);
		if (!take_char(line, ',') && (line->n == 0 || line->p[0] != '}'))
			return false;
	}
	return true;
}

static ks_str take_token(ks_str *s)
{
	size_t n = 0;

	skip_blanks(s);
	while (n < s->n && !is_blank(s->p[n]))
		n++;
	const ks_str token = { s->p, n };

	s->p += n;
	s->n -= n;
	return token;
}

static bool is_word(ks_str s, const char *lower)
{
	if (s.n != strlen(lower))
		return false;
	for (size_t i = 0; i < s.n; i++)
		if ((s.p[i] | 0x20) != lower[i])
			return false;
	return true;
}

static enum ks_tel_why read_number(ks_str token, double *v)
{
	ks_str bare = token;

	if (bare.n > 0 && (bare.p[0] == '+' || bare.p[0] == '-'))
		bare = (ks_str){ bare.p + 1, bare.n - 1 };
	if (is_word(token, "nan"))
		return KS_TEL_NAN;
	if (is_word(bare, "inf") || is_word(bare, "infinity"))
		return KS_TEL_INF;
	/* a plus in front is Go's way of reading as well */
	return ks_num_parse_double(token.n > 0 && token.p[0] == '+' ? bare : token, v)
		       ? KS_TEL_FINE
		       : KS_TEL_BAD_VALUE;
}

enum ks_tel_why ks_prom_line(ks_str line, struct ks_prom_series *s)
{
	double ignored;

	s->n_labels = 0;
	skip_blanks(&line);
	if (!take_name(&line, false, &s->name) ||
	    (line.n > 0 && !is_blank(line.p[0]) && line.p[0] != '{') || !take_labels(&line, s))
		return KS_TEL_BAD_LINE;
	s->value = take_token(&line);
	if (s->value.n == 0)
		return KS_TEL_BAD_LINE;
	const ks_str time = take_token(&line);
	const ks_str more = take_token(&line);

	/* " # {trace_id="1"} 3": an exemplar ends what is of interest */
	const bool exemplar = time.n > 0 && time.p[0] == '#';

	if (!exemplar && more.n > 0 && more.p[0] != '#')
		return KS_TEL_EXTRA_TOKENS;
	if (!exemplar && time.n > 0 && !ks_num_parse_double(time, &ignored))
		return KS_TEL_BAD_TIMESTAMP;
	return read_number(s->value, &s->number);
}

bool ks_prom_type(ks_str line, ks_str *name, ks_str *type)
{
	if (!take_char(&line, '#') || !ks_str_eqc(take_token(&line), "TYPE"))
		return false;
	*name = take_token(&line);
	*type = take_token(&line);
	return name->n > 0 && type->n > 0;
}

void ks_prom_key(struct ks_buf *out, const struct ks_prom_series *s)
{
	ks_buf_str(out, s->name);
	for (size_t i = 0; i < s->n_labels; i++) {
		ks_buf_ch(out, i == 0 ? '{' : ',');
		ks_buf_str(out, s->label[i].name);
		ks_buf_cstr(out, "=\"");
		ks_buf_str(out, s->label[i].value);
		ks_buf_ch(out, '"');
	}
	if (s->n_labels > 0)
		ks_buf_ch(out, '}');
}

static ks_str unescaped(struct ks_arena *a, ks_str s)
{
	char *to = ks_arena_array(a, s.n + 1, 1);
	size_t n = 0;

	if (to == NULL)
		return KS_STR_NONE;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (c == '\\' && i + 1 < s.n) {
			c = s.p[++i];
			c = c == 'n' ? '\n' : c;
		}
		to[n++] = c;
	}
	return (ks_str){ to, n };
}

ks_str ks_prom_label_text(struct ks_arena *a, const struct ks_prom_series *s, const char *name)
{
	for (size_t i = 0; i < s->n_labels; i++)
		if (ks_str_eqc(s->label[i].name, name))
			return unescaped(a, s->label[i].value);
	return KS_STR_NONE;
}
