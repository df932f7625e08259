/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads C++ names just well enough to know what may be left out. A name it cannot read is cut in
 * the middle. Changes nothing but the display: matching and grouping never see these forms.
 */
#include "render/fit.h"

#include "base/str.h"
#include "base/utf8.h"

/* A name longer than this is cut without being parsed: real ones stay below 16 KiB. */
#define FIT_PARSE_MAX ((size_t)64 << 10)

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || (c & 0x80) != 0;
}

static bool is_operator_sign(char c)
{
	return c != '\0' && strchr("<>=!+-*/%^&|~,", c) != NULL;
}

static ks_str from(ks_str s, size_t at)
{
	return (ks_str){ s.p + at, s.n - at };
}

static ks_str upto(ks_str s, size_t n)
{
	return (ks_str){ s.p, n };
}

/* Length of a piece in which brackets mean nothing: the sign of an operator, or the unnamed
 * namespace as demanglers spell it. 0: none at i. */
static size_t opaque_at(ks_str s, size_t i)
{
	static const char word[] = "operator";
	static const char unnamed[] = "(anonymous namespace)";
	ks_str rest = from(s, i);

	if (ks_str_starts(rest, unnamed))
		return sizeof(unnamed) - 1;
	if (!ks_str_starts(rest, word) || (i > 0 && is_word(s.p[i - 1])))
		return 0;
	size_t n = sizeof(word) - 1;

	if (n + 1 < rest.n && rest.p[n] == '(' && rest.p[n + 1] == ')')
		return n + 2;
	size_t sign = n;

	while (sign < rest.n && sign < n + 3 && is_operator_sign(rest.p[sign]))
		sign++;
	return sign > n ? sign : 0;
}

static int depth_step(char c)
{
	if (c == '<' || c == '(' || c == '{' || c == '[')
		return 1;
	if (c == '>' || c == ')' || c == '}' || c == ']')
		return -1;
	return 0;
}

/* Name without return type and parameter list: "void a::f<int>(int*)" gives "a::f<int>". */
static ks_str core_of(ks_str s)
{
	size_t params = 0, name = 0, pending = 0;
	int depth = 0;

	for (size_t i = 0; i < s.n; i++) {
		size_t skip = opaque_at(s, i);

		if (skip > 0) {
			i += skip - 1;
			continue;
		}
		if (depth == 0 && s.p[i] == ' ')
			pending = i + 1;
		if (depth == 0 && s.p[i] == '(' && i > 0) {
			params = i;
			name = pending;
		}
		depth += depth_step(s.p[i]);
		if (depth < 0)
			return s;
	}
	if (params == 0 || depth != 0 || name >= params)
		return s;
	return (ks_str){ s.p + name, params - name };
}

/* Length of "name::" or "(anonymous namespace)::" at i, 0 if there is none. */
static size_t qualifier_at(ks_str s, size_t i)
{
	size_t n = opaque_at(s, i);

	if (n == 0)
		while (i + n < s.n && is_word(s.p[i + n]))
			n++;
	if (n == 0 || !ks_str_starts(from(s, i + n), "::"))
		return 0;
	return n + 2;
}

/* Length of the cast that demanglers put before a literal argument, "(int)" of "(int)4"; else 0. */
static size_t cast_at(ks_str s, size_t i)
{
	static const char *const cast[] = { "(int)",
					    "(bool)",
					    "(unsigned int)",
					    "(unsigned long)",
					    "(long)",
					    "(char)",
					    "(unsigned char)",
					    "(short)",
					    "(unsigned short)",
					    "(long long)",
					    "(unsigned long long)" };

	for (size_t c = 0; c < KS_ARRAY_LEN(cast); c++) {
		size_t n = strlen(cast[c]);

		if (ks_str_starts(from(s, i), cast[c]) && i + n < s.n &&
		    (s.p[i + n] == '-' || (s.p[i + n] >= '0' && s.p[i + n] <= '9')))
			return n;
	}
	return 0;
}

/* Drops namespaces inside template arguments and, when `outer`, those before the name; ", " and ">
 * >" lose their blank. */
static void without_namespaces(struct ks_buf *out, ks_str s, bool outer)
{
	int depth = 0;

	for (size_t i = 0; i < s.n; i++) {
		bool start = i == 0 || !is_word(s.p[i - 1]);
		size_t q = start && (outer || depth > 0) ? qualifier_at(s, i) : 0;
		size_t skip = q == 0 ? opaque_at(s, i) : 0;

		if (q == 0 && depth > 0)
			q = cast_at(s, i);
		if (q > 0) {
			i += q - 1;
			continue;
		}
		if (skip > 0) {
			ks_buf_str(out, (ks_str){ s.p + i, skip });
			i += skip - 1;
			continue;
		}
		depth += depth_step(s.p[i]);
		if (s.p[i] == ' ' && i > 0 && (s.p[i - 1] == ',' || s.p[i - 1] == '>'))
			continue;
		ks_buf_ch(out, s.p[i]);
	}
}

static void mark(struct ks_buf *out, const struct ks_fit *fit)
{
	ks_buf_cstr(out, fit->utf8 ? "\xe2\x80\xa6" : "...");
}

static size_t mark_cols(const struct ks_fit *fit)
{
	return fit->utf8 ? 1 : 3;
}

static ks_str tail_of(ks_str s, size_t cols)
{
	size_t all = ks_utf8_columns(s);

	if (all <= cols)
		return s;
	size_t at = ks_utf8_prefix_columns(s, all - cols);

	while (at < s.n && ks_utf8_columns(from(s, at)) > cols)
		(void)ks_utf8_next(s, &at);
	return from(s, at);
}

/* `tail_pct` of the room goes to the end of the text. */
static void cut_middle(struct ks_buf *out, const struct ks_fit *fit, ks_str s, size_t cols,
		       size_t tail_pct)
{
	if (ks_utf8_columns(s) <= cols) {
		ks_buf_str(out, s);
		return;
	}
	if (cols <= mark_cols(fit) + 1) {
		ks_buf_str(out, upto(s, ks_utf8_prefix_columns(s, cols)));
		return;
	}
	size_t room = cols - mark_cols(fit);
	size_t head = ks_utf8_prefix_columns(s, room - room * tail_pct / 100);
	size_t used = ks_utf8_columns(upto(s, head));

	ks_buf_str(out, upto(s, head));
	mark(out, fit);
	ks_buf_str(out, tail_of(from(s, head), room - used));
}

/* Where the template arguments begin and end: f<args>rest. False when there are none. */
static bool split_args(ks_str s, size_t *open, size_t *close)
{
	int depth = 0;

	*open = s.n;
	for (size_t i = 0; i < s.n; i++) {
		size_t skip = opaque_at(s, i);

		if (skip > 0) {
			i += skip - 1;
			continue;
		}
		if (s.p[i] == '<' && depth == 0 && *open == s.n)
			*open = i;
		depth += depth_step(s.p[i]);
		if (depth == 0 && *open < s.n && s.p[i] == '>') {
			*close = i;
			return true;
		}
	}
	return false;
}

/* f<first...last>rest: the function name stays whole where it can. */
static void cut_args(struct ks_buf *out, const struct ks_fit *fit, ks_str s)
{
	size_t open, close;

	if (!split_args(s, &open, &close)) {
		cut_middle(out, fit, s, fit->cols, 40);
		return;
	}
	ks_str args = { s.p + open + 1, close - open - 1 };
	size_t around = ks_utf8_columns(upto(s, open + 1)) + ks_utf8_columns(from(s, close));

	if (around + mark_cols(fit) + 4 > fit->cols) {
		cut_middle(out, fit, s, fit->cols, 40);
		return;
	}
	ks_buf_str(out, upto(s, open + 1));
	cut_middle(out, fit, args, fit->cols - around, 30); /* the first arguments tell most */
	ks_buf_str(out, from(s, close));
}

static size_t first_difference(ks_str a, ks_str b)
{
	size_t i = 0;

	while (i < a.n && i < b.n && a.p[i] == b.p[i])
		i++;
	while (i > 0 && i < a.n && (a.p[i] & 0xc0) == 0x80)
		i--;
	return i;
}

/* Head, mark, and the text from where it differs, filled up to the width. */
static void cut_around(struct ks_buf *out, const struct ks_fit *fit, ks_str s, size_t differs)
{
	size_t marks = mark_cols(fit);

	if (fit->cols < 4 * marks + 8 || differs >= s.n) {
		cut_middle(out, fit, s, fit->cols, 40);
		return;
	}
	size_t head = ks_utf8_prefix_columns(s, fit->cols / 2 - marks);

	if (head >= differs) {
		ks_buf_str(out, upto(s, ks_utf8_prefix_columns(s, fit->cols - marks)));
		mark(out, fit);
		return;
	}
	size_t room = fit->cols - marks - ks_utf8_columns(upto(s, head));
	ks_str rest = from(s, differs);

	ks_buf_str(out, upto(s, head));
	mark(out, fit);
	if (ks_utf8_columns(rest) <= room) {
		ks_buf_str(out, tail_of(from(s, head), room));
		return;
	}
	ks_buf_str(out, upto(rest, ks_utf8_prefix_columns(rest, room - marks)));
	mark(out, fit);
}

static void fit_apart(struct ks_buf *out, const struct ks_fit *fit, ks_str name)
{
	struct ks_buf a, b;

	ks_buf_init(&a, FIT_PARSE_MAX);
	ks_buf_init(&b, FIT_PARSE_MAX);
	without_namespaces(&a, core_of(name), true);
	without_namespaces(&b, core_of(fit->apart), true);
	ks_str mine = ks_buf_view(&a), theirs = ks_buf_view(&b);

	out->failed |= ks_buf_failed(&a) || ks_buf_failed(&b);
	if (ks_str_eq(mine, theirs)) {
		mine = name;
		theirs = fit->apart;
	}
	if (ks_utf8_columns(mine) <= fit->cols)
		ks_buf_str(out, mine);
	else
		cut_around(out, fit, mine, first_difference(mine, theirs));
	ks_buf_release(&a);
	ks_buf_release(&b);
}

void ks_fit_name(struct ks_buf *out, const struct ks_fit *fit, ks_str name)
{
	if (ks_utf8_columns(name) <= fit->cols) {
		ks_buf_str(out, name);
		return;
	}
	if (name.n > FIT_PARSE_MAX || fit->apart.n > FIT_PARSE_MAX) {
		cut_middle(out, fit, name, fit->cols, 40);
		return;
	}
	if (fit->apart.n > 0) {
		fit_apart(out, fit, name);
		return;
	}
	ks_str core = core_of(name);
	struct ks_buf b;

	if (ks_utf8_columns(core) <= fit->cols) {
		ks_buf_str(out, core);
		return;
	}
	ks_buf_init(&b, FIT_PARSE_MAX);
	without_namespaces(&b, core, false);
	if (ks_utf8_columns(ks_buf_view(&b)) > fit->cols) {
		ks_buf_reset(&b);
		without_namespaces(&b, core, true);
	}
	out->failed |= ks_buf_failed(&b); /* without memory no other shortening, but an error */
	if (ks_utf8_columns(ks_buf_view(&b)) <= fit->cols)
		ks_buf_str(out, ks_buf_view(&b));
	else
		cut_args(out, fit, ks_buf_view(&b));
	ks_buf_release(&b);
}
