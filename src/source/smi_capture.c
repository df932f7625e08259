/* SPDX-License-Identifier: Apache-2.0
 *
 * A capture: the outputs of several commands in one file. A line of # begins a section, a second
 * one ends its heading, which holds a title and the command line. What nvidia-smi printed about
 * devices is read, under the name of its section; the rest is listed by title.
 */
#include "base/str.h"
#include "source/telemetry_internal.h"

#define RULE_LONGER 20

struct section {
	ks_str title, command;
	struct ks_tel_text body;
};

static bool is_rule(ks_str line)
{
	line = ks_str_trim(line);
	for (size_t i = 0; i < line.n; i++)
		if (line.p[i] != '#')
			return false;
	return line.n >= RULE_LONGER;
}

/* "idle :: query (-q)" and "q" give idle_q. */
static ks_str set_name(const struct ks_tel_work *w, const struct section *s, const char *form)
{
	const ks_str title = s->title;
	char word[33];
	size_t n = 0;

	if (w->redact != NULL) /* a title may begin with the name of a host */
		return ks_arena_fmt(w->a, "line_%llu_%s", (unsigned long long)s->body.line, form);
	for (size_t i = 0; i < title.n && n < sizeof(word) - 1; i++) {
		const char c = title.p[i];

		if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))
			word[n++] = c;
		else
			break;
	}
	return ks_arena_fmt(w->a, "%.*s%s%s", (int)n, word, n > 0 ? "_" : "", form);
}

/* The value of "--name=value". */
static ks_str option(ks_str command, const char *name)
{
	while (command.p != NULL) {
		const ks_str word = ks_str_cut(&command, ' ');

		if (ks_str_starts(word, name))
			return (ks_str){ word.p + strlen(name), word.n - strlen(name) };
	}
	return KS_STR_NONE;
}

/* "-q" with anything else but -x asks for a part or another thing: not read. */
static void read_section(struct ks_tel_work *w, const struct section *s)
{
	ks_str words = ks_str_trim(s->command);
	const ks_str program = ks_str_cut(&words, ' ');
	const ks_str rest = words.p != NULL ? ks_str_trim(words) : KS_LIT("");
	const ks_str fields = option(rest, "--query-gpu=");
	struct ks_tel_text body = s->body;

	if (ks_str_eqc(program, "nvidia-smi") && ks_str_eqc(rest, "-q")) {
		body.set = set_name(w, s, "q");
		ks_tel_read_listing(w, body);
	} else if (ks_str_eqc(program, "nvidia-smi") &&
		   (ks_str_eqc(rest, "-q -x") || ks_str_eqc(rest, "-x -q"))) {
		body.set = set_name(w, s, "xml");
		ks_tel_read_xml(w, body);
	} else if (ks_str_eqc(program, "nvidia-smi") && fields.n > 0) {
		body.set = set_name(w, s, "query");
		if (ks_str_has(rest, KS_LIT("noheader")))
			body.fields = fields;
		ks_tel_read_query(w, body);
	} else {
		ks_tel_item_add(w, &w->unused, s->title, KS_TEL_FINE, s->body.line);
	}
}

/* The lines between two rules: "# title", "# $ command". The first title counts. */
static void read_heading(struct ks_tel_text *t, struct section *s)
{
	ks_str line;
	bool ended;

	*s = (struct section){ .title = KS_LIT("") };
	while (ks_tel_line(t, &line, &ended) && !is_rule(line)) {
		const ks_str text = ks_str_trim(line);

		if (ks_str_starts(text, "# $ "))
			s->command = (ks_str){ text.p + 4, text.n - 4 };
		else if (ks_str_starts(text, "# ") && s->title.n == 0)
			s->title = (ks_str){ text.p + 2, text.n - 2 };
	}
}

/* Up to the next rule, which stays. */
static void take_body(struct ks_tel_text *t, struct section *s)
{
	struct ks_tel_text next = *t;
	ks_str line;
	bool ended;

	s->body = *t;
	while (ks_tel_line(&next, &line, &ended) && !is_rule(line))
		*t = next;
	s->body.text.n = (size_t)(t->text.p - s->body.text.p);
}

void ks_tel_read_capture(struct ks_tel_work *w, struct ks_tel_text t)
{
	struct section s;
	ks_str line;
	bool ended;

	while (!w->failed && ks_tel_line(&t, &line, &ended)) {
		if (!is_rule(line))
			continue;
		read_heading(&t, &s);
		take_body(&t, &s);
		read_section(w, &s);
	}
}
