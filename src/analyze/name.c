/* SPDX-License-Identifier: Apache-2.0
 *
 * A small scanner over demangled names. It knows brackets, "::", the blank before a return type,
 * and "operator"; it does not parse C++. Nesting deeper than it can hold leaves the name whole.
 */
#include "analyze/name.h"

#include "analyze/demangle.h"
#include "base/mem.h"
#include "base/str.h"

#define DEPTH 256

struct scan {
	ks_str s;
	size_t at;
	size_t depth;
	char open[DEPTH];
	bool failed;
};

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static char partner(char close)
{
	switch (close) {
	case ')':
		return '(';
	case ']':
		return '[';
	case '}':
		return '{';
	default:
		return '<';
	}
}

static void push(struct scan *sc, char c)
{
	if (sc->depth == DEPTH)
		sc->failed = true;
	else
		sc->open[sc->depth++] = c;
}

/* A closing bracket ends everything down to its partner; one without partner is plain text. */
static void pop(struct scan *sc, char close)
{
	const char want = partner(close);

	if (close == '>' && (sc->depth == 0 || sc->open[sc->depth - 1] != '<'))
		return;
	for (size_t d = sc->depth; d > 0; d--) {
		if (sc->open[d - 1] == want) {
			sc->depth = d - 1;
			return;
		}
	}
}

/* Length of an "operator..." name at `at` at depth 0, 0 when there is none. */
static size_t operator_name(const struct scan *sc)
{
	static const char word[] = "operator";
	const ks_str s = sc->s;
	size_t i = sc->at + sizeof(word) - 1;

	if (!ks_str_starts((ks_str){ s.p + sc->at, s.n - sc->at }, word))
		return 0;
	if ((sc->at > 0 && is_word(s.p[sc->at - 1])) || (i < s.n && is_word(s.p[i])))
		return 0;
	size_t j = i;

	while (j < s.n && s.p[j] == ' ')
		j++;
	const ks_str rest = { s.p + j, s.n - j };

	if (ks_str_starts(rest, "()") || ks_str_starts(rest, "[]"))
		return j + 2 - sc->at;
	if (j > i) { /* a conversion, new or delete: up to the parameters */
		while (j < s.n && s.p[j] != '(')
			j++;
		return j - sc->at;
	}
	while (i < s.n && s.p[i] && strchr("+-*/%^&|~!=<>,", s.p[i]))
		i++;
	return i - sc->at;
}

/* Moves over one character, or over an operator's name as a whole. */
static void advance(struct scan *sc)
{
	const char c = sc->s.p[sc->at];
	const size_t op = c == 'o' ? operator_name(sc) : 0;

	if (op) {
		sc->at += op;
		return;
	}
	if (c == '-' && sc->at + 1 < sc->s.n && sc->s.p[sc->at + 1] == '>')
		sc->at++; /* an arrow closes nothing */
	else if (c == '(' || c == '[' || c == '{' || c == '<')
		push(sc, c);
	else if (c == ')' || c == ']' || c == '}' || c == '>')
		pop(sc, c);
	sc->at++;
}

static bool is_scope(ks_str s, size_t at)
{
	return at + 1 < s.n && s.p[at] == ':' && s.p[at + 1] == ':';
}

/* Where the parameter list begins: the last outermost "(...)" that no "::" follows. */
static size_t parameters_at(ks_str s, bool *fine)
{
	struct scan sc = { .s = s };
	size_t start = 0, found = s.n;

	while (sc.at < s.n && !sc.failed) {
		const size_t before = sc.depth;
		const char c = s.p[sc.at];

		if (before == 0 && c == '(')
			start = sc.at;
		advance(&sc);
		if (before == 1 && sc.depth == 0 && c == ')' && !is_scope(s, sc.at))
			found = start;
	}
	*fine = !sc.failed;
	return found;
}

/* The last component of a name without parameters: behind the last "::" or blank outside brackets.
 */
static ks_str last_component(ks_str s, size_t *args)
{
	struct scan sc = { .s = s };
	size_t from = 0;

	*args = s.n;
	while (sc.at < s.n) {
		const size_t at = sc.at, before = sc.depth;

		if (before == 0 && is_scope(s, at)) {
			from = at + 2;
			*args = s.n;
			sc.at += 2;
			continue;
		}
		if (before == 0 && s.p[at] == '<' && *args == s.n)
			*args = at;
		advance(&sc);
		if (before == 0 && s.p[at] == ' ' && sc.depth == 0) {
			from = at + 1;
			*args = s.n;
		}
	}
	*args -= from;
	return (ks_str){ s.p + from, s.n - from };
}

ks_str ks_name_function(ks_str demangled)
{
	bool fine;
	const ks_str whole = ks_str_trim(demangled);
	size_t args;
	ks_str head = { whole.p, parameters_at(whole, &fine) };

	if (!fine)
		return demangled;
	head = ks_str_trim(head);
	ks_str name = last_component(head, &args);

	if (args > 0 && args < name.n) /* "<unnamed>" as a whole is a name, "f<int>" is f */
		name.n = args;
	while (name.n > 1 && (name.p[0] == '*' || name.p[0] == '&')) {
		name.p++;
		name.n--;
	}
	return name.n ? name : demangled;
}

struct pieces {
	struct ks_buf *out;
	bool too_long; /* said apart, for a buffer that failed stays so and the next name may fit */
};

static void put_piece(const char *piece, size_t n, void *arg)
{
	struct pieces *p = arg;

	p->too_long = p->too_long || n > p->out->max - p->out->n;
	if (!p->too_long)
		ks_buf_add(p->out, piece, n);
}

bool ks_name_demangle(ks_str mangled, struct ks_buf *out)
{
	if (mangled.n < 3 || memcmp(mangled.p, "_Z", 2) != 0 || memchr(mangled.p, 0, mangled.n))
		return false;
	char *text = ks_mem_alloc(mangled.n + 1);

	if (!text) {
		out->failed = true;
		return false;
	}
	memcpy(text, mangled.p, mangled.n);
	ks_buf_reset(out);
	struct pieces p = { .out = out };
	int fine = cplus_demangle_v3_callback(text, KS_DMGL_PARAMS | KS_DMGL_ANSI, put_piece, &p);

	ks_mem_free(text);
	return fine && !p.too_long && !ks_buf_failed(out) && out->n > 0;
}
