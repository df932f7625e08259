/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a JSON Schema (draft 2020-12) from the rows of schemas.def: one line for each key, the
 * lists of names under $defs. Knows no key of any document. Exits on a row that is not understood
 * or that no object leads to.
 */
#include <stdlib.h>
#include <string.h>

#include "rows.h"

#define LISTS_MAX 24
#define TYPE_MAX  256

/* Names that a type may be, from a table. */
static const struct list {
	const char *type, *meaning;
	const void *rows;
	const size_t *n;
	size_t size;
} lists[] = {
#define LIST(type, meaning, rows)                                                                  \
	{                                                                                          \
		type, meaning, rows, &rows##_n, sizeof(rows[0])                                    \
	}
	LIST("code", "Refusal codes", g_refusals),
	LIST("verdict", "Decisions", g_verdicts),
	LIST("premise", "Premises", g_premises),
	LIST("prov", "Provenance", g_provs),
	LIST("unit", "Units", g_units),
	LIST("section", "Sections", g_sections),
	LIST("counter", "States of the hardware counters", g_counter_states),
	LIST("tier", "Levels of evidence", g_tiers),
	LIST("cause", "Classes of errors", g_exits),
	LIST("operation", "Steps of a plan", g_operations),
	LIST("question", "Questions", g_questions),
	LIST("table", "Summary tables", g_stats),
};
#define LISTS (sizeof(lists) / sizeof(lists[0]))

/* Names that are no table of the generator. */
static const struct {
	const char *type, *words;
} fixed[] = {
	{ "status", "ok,soft,refused" },
	{ "cost", "wall_seconds,manual,unavailable" },
	{ "severity", "blocking,degraded" },
	{ "answerable", "available,degraded,refused" },
};
#define FIXED (sizeof(fixed) / sizeof(fixed[0]))

struct pen {
	FILE *out;
	const char *document;
	int used[LISTS_MAX][2]; /* closed, open */
	const char *piece[8];	/* pieces that are referred to */
	size_t n_pieces;
};

static void stop(const char *what, const char *where, const char *which)
{
	fprintf(stderr, "ksgen: schema %s: %s: %s\n", where, which, what);
	exit(1);
}

static void text(FILE *out, const char *s)
{
	fputc('"', out);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			fputc('\\', out);
		fputc(*s, out);
	}
	fputc('"', out);
}

static void indent(struct pen *p, int depth)
{
	fputc('\n', p->out);
	for (int i = 0; i < depth; i++)
		fputc(' ', p->out);
}

/* Words between `from` and `to`, separated by commas. */
static void words(FILE *out, const char *from, const char *to)
{
	fputs("\"enum\": [", out);
	for (;;) {
		const char *end = from;

		while (end < to && *end != ',')
			end++;
		fprintf(out, "\"%.*s\"", (int)(end - from), from);
		if (end == to)
			break;
		fputs(", ", out);
		from = end + 1;
	}
	fputc(']', out);
}

static int is(const char *type, const char *word)
{
	const size_t n = strlen(word);

	return strncmp(type, word, n) == 0 && (type[n] == '\0' || type[n] == '|' || type[n] == ':');
}

static const char *argument(const char *type)
{
	const char *colon = strchr(type, ':');

	return colon ? colon + 1 : "";
}

static int is_row(const struct g_field *f, const struct pen *p, const char *path)
{
	const int shared = !strcmp(f->document, "*") && path[0] == '$';

	return (shared || !strcmp(f->document, p->document)) && !strcmp(f->path, path);
}

static const struct g_field *row_at(const struct pen *p, const char *path)
{
	for (size_t i = 0; i < g_fields_n; i++)
		if (is_row(&g_fields[i], p, path))
			return &g_fields[i];
	return NULL;
}

/* The key of `f` if it stands directly in the object at `path`, else NULL. */
static const char *key_in(const struct g_field *f, const struct pen *p, const char *path)
{
	const size_t n = strlen(path);
	const int shared = !strcmp(f->document, "*") && path[0] == '$';
	const char *key = f->path + n;

	if ((!shared && strcmp(f->document, p->document)) || strncmp(f->path, path, n))
		return NULL;
	if (n > 0 && *key++ != '.')
		return NULL;
	if (!*key || *key == '$' || strpbrk(key, ".[{"))
		return NULL;
	return key;
}

static void body(struct pen *p, const struct g_field *f, int depth);

static size_t keys(struct pen *p, const char *path, int depth, size_t n)
{
	for (size_t i = 0; i < g_fields_n; i++) {
		const char *key = key_in(&g_fields[i], p, path);

		if (!key)
			continue;
		fputs(n++ ? "," : "", p->out);
		indent(p, depth);
		text(p->out, key);
		fputs(": {", p->out);
		body(p, &g_fields[i], depth);
		fputc('}', p->out);
	}
	return n;
}

/* Keys of an object, or those that must be there. */
static size_t count_keys(const struct pen *p, const char *path, int needed)
{
	size_t n = 0;

	for (size_t i = 0; i < g_fields_n; i++)
		n += key_in(&g_fields[i], p, path) &&
		     (!needed || !strcmp(g_fields[i].need, "REQUIRED"));
	return n;
}

static size_t required(struct pen *p, const char *path, size_t n)
{
	for (size_t i = 0; i < g_fields_n; i++) {
		const char *key = key_in(&g_fields[i], p, path);

		if (!key || strcmp(g_fields[i].need, "REQUIRED"))
			continue;
		fputs(n++ ? ", " : "", p->out);
		text(p->out, key);
	}
	return n;
}

static void object(struct pen *p, const struct g_field *f, const char *type, int depth)
{
	char piece[TYPE_MAX] = "";
	const int open = is(type, "open");

	if (strchr(type, ':'))
		snprintf(piece, sizeof(piece), "$%.*s", (int)strcspn(argument(type), "|"),
			 argument(type));
	if (*piece && !row_at(p, piece))
		stop("no such piece", p->document, piece);
	size_t n = (*piece ? count_keys(p, piece, 0) : 0) + count_keys(p, f->path, 0);

	if (!n && !open)
		stop("an object without keys", p->document, f->path);
	if (n) {
		fputs(", \"properties\": {", p->out);
		n = *piece ? keys(p, piece, depth + 1, 0) : 0;
		(void)keys(p, f->path, depth + 1, n);
		putc('}', p->out);
	}
	if ((*piece ? count_keys(p, piece, 1) : 0) + count_keys(p, f->path, 1)) {
		fputs(", \"required\": [", p->out);
		n = *piece ? required(p, piece, 0) : 0;
		(void)required(p, f->path, n);
		fputc(']', p->out);
	}
	if (!open)
		fputs(", \"additionalProperties\": false", p->out);
}

/* What stands in an array or map. */
static void element(struct pen *p, const struct g_field *f, const char *step, const char *keyword,
		    int depth)
{
	char path[TYPE_MAX];

	snprintf(path, sizeof(path), "%s%s", f->path, step);
	const struct g_field *inner = row_at(p, path);

	if (!inner)
		stop("nothing is said about its elements", p->document, f->path);
	fprintf(p->out, ", \"%s\": {", keyword);
	body(p, inner, depth + 1);
	fputc('}', p->out);
}

/* A named list; `+` lets other names in. */
static int named(struct pen *p, const char *type)
{
	char name[TYPE_MAX];
	const size_t n = strcspn(type, "|");

	snprintf(name, sizeof(name), "%.*s", (int)n, type);
	const int more = n > 0 && name[n - 1] == '+';

	if (more)
		name[n - 1] = '\0';
	for (size_t i = 0; i < LISTS + FIXED; i++) {
		if (strcmp(name, i < LISTS ? lists[i].type : fixed[i - LISTS].type))
			continue;
		p->used[i][more] = 1;
		fprintf(p->out, "\"$ref\": \"#/$defs/%s%s\"", more ? "any_" : "", name);
		return 1;
	}
	return 0;
}

static void reference(struct pen *p, const char *type)
{
	char piece[TYPE_MAX];

	snprintf(piece, sizeof(piece), "$%.*s", (int)strcspn(argument(type), "|"), argument(type));
	const struct g_field *f = row_at(p, piece);

	if (!f)
		stop("no such piece", p->document, piece);
	fprintf(p->out, "\"$ref\": \"#/$defs/%s\"", f->path + 1);
	for (size_t i = 0; i < p->n_pieces; i++)
		if (!strcmp(p->piece[i], f->path))
			return;
	if (p->n_pieces == sizeof(p->piece) / sizeof(p->piece[0]))
		stop("too many pieces", p->document, piece);
	p->piece[p->n_pieces++] = f->path;
}

static const struct {
	const char *type, *json;
} plain[] = {
	{ "str", "string" },  { "bool", "boolean" }, { "int", "integer" }, { "uint", "integer" },
	{ "num", "number" },  { "null", "null" },    { "arr", "array" },   { "obj", "object" },
	{ "open", "object" }, { "map", "object" },
};
#define PLAIN (sizeof(plain) / sizeof(plain[0]))

static const char *plain_name(const char *type)
{
	for (size_t i = 0; i < PLAIN; i++)
		if (is(type, plain[i].type))
			return plain[i].json;
	return NULL;
}

static const char *after(const char *type)
{
	const char *bar = strchr(type, '|');

	return bar ? bar + 1 : NULL;
}

/* Alternatives that are all plain: one list of types, and what each of them asks for. */
static void plain_types(struct pen *p, const struct g_field *f, int depth)
{
	const int several = strchr(f->type, '|') != NULL;

	fputs(several ? "\"type\": [" : "\"type\": ", p->out);
	for (const char *t = f->type; t; t = after(t))
		fprintf(p->out, "%s\"%s\"", t == f->type ? "" : ", ", plain_name(t));
	fputs(several ? "]" : "", p->out);
	for (const char *t = f->type; t; t = after(t)) {
		if (is(t, "uint"))
			fputs(", \"minimum\": 0", p->out);
		else if (is(t, "obj") || is(t, "open"))
			object(p, f, t, depth);
		else if (is(t, "arr"))
			element(p, f, "[]", "items", depth);
		else if (is(t, "map"))
			element(p, f, "{}", "additionalProperties", depth);
	}
}

static void one(struct pen *p, const struct g_field *f, const char *type)
{
	const char *end = type + strcspn(type, "|");

	if (is(type, "any"))
		fputs("\"title\": \"anything\"", p->out);
	else if (is(type, "three"))
		fputs("\"type\": \"array\", \"items\": {\"type\": [\"integer\", \"null\"]}, "
		      "\"minItems\": 3, \"maxItems\": 3",
		      p->out);
	else if (*type == '=')
		fprintf(p->out, "\"const\": \"%.*s\"", (int)(end - type) - 1, type + 1);
	else if (*type == '(' && end[-1] == ')')
		words(p->out, type + 1, end - 1);
	else if (is(type, "const"))
		fprintf(p->out, "\"const\": %.*s", (int)(end - argument(type)), argument(type));
	else if (is(type, "ref"))
		reference(p, type);
	else if (plain_name(type))
		fprintf(p->out, "\"type\": \"%s\"", plain_name(type));
	else if (!named(p, type))
		stop("unknown type", p->document, f->type);
}

static void body(struct pen *p, const struct g_field *f, int depth)
{
	int all_plain = 1;

	if (strcmp(f->need, "REQUIRED") && strcmp(f->need, "OPTIONAL"))
		stop("neither REQUIRED nor OPTIONAL", p->document, f->path);
	fputs("\"description\": ", p->out);
	text(p->out, f->meaning);
	fputs(", ", p->out);
	for (const char *t = f->type; t; t = after(t))
		all_plain = all_plain && plain_name(t);
	if (all_plain) {
		plain_types(p, f, depth);
	} else if (!strchr(f->type, '|')) {
		one(p, f, f->type);
	} else {
		fputs("\"anyOf\": [", p->out);
		for (const char *t = f->type; t; t = after(t)) {
			fputs(t == f->type ? "{" : ", {", p->out);
			one(p, f, t);
			fputc('}', p->out);
		}
		fputc(']', p->out);
	}
}

static void list_names(FILE *out, const struct list *l)
{
	fputs("\"enum\": [", out);
	for (size_t i = 0, n = 0; i < *l->n; i++) {
		const struct g_row *row =
			(const struct g_row *)(const void *)((const char *)l->rows + i * l->size);
		size_t twice = 0; /* several rows may have one name */

		while (twice < i &&
		       strcmp(((const struct g_row *)(const void *)((const char *)l->rows +
								    twice * l->size))
				      ->name,
			      row->name))
			twice++;
		if (twice < i)
			continue;
		fputs(n++ ? ", " : "", out);
		text(out, row->name);
	}
	fputc(']', out);
}

static void definition(struct pen *p, size_t i, int more, size_t *n)
{
	const char *type = i < LISTS ? lists[i].type : fixed[i - LISTS].type;

	fputs((*n)++ ? "," : "", p->out);
	indent(p, 2);
	fprintf(p->out, "\"%s%s\": {", more ? "any_" : "", type);
	if (more)
		fprintf(p->out,
			"\"description\": \"A name of the list, or one of another version in a "
			"report that "
			"was read\", \"anyOf\": [{\"$ref\": \"#/$defs/%s\"}, {\"type\": "
			"\"string\", "
			"\"maxLength\": 64}]",
			type);
	else if (i < LISTS)
		list_names(p->out, &lists[i]);
	else
		words(p->out, fixed[i - LISTS].words, strchr(fixed[i - LISTS].words, '\0'));
	fputc('}', p->out);
}

static void definitions(struct pen *p)
{
	size_t n = 0;

	fputs(",\n \"$defs\": {", p->out);
	for (size_t i = 0; i < p->n_pieces; i++) {
		const struct g_field *f = row_at(p, p->piece[i]); /* may refer to further pieces */

		fputs(n++ ? "," : "", p->out);
		indent(p, 2);
		fprintf(p->out, "\"%s\": {", f->path + 1);
		body(p, f, 2);
		fputc('}', p->out);
	}
	for (size_t i = 0; i < LISTS + FIXED; i++) {
		if (p->used[i][0] || p->used[i][1])
			definition(p, i, 0, &n);
		if (p->used[i][1])
			definition(p, i, 1, &n);
	}
	fputs("\n }", p->out);
}

/* A row whose parent has no row would silently be left out. */
static void reject_lost_rows(const struct pen *p)
{
	for (size_t i = 0; i < g_fields_n; i++) {
		const char *path = g_fields[i].path;
		char parent[TYPE_MAX];
		size_t n = strlen(path);

		if (strcmp(g_fields[i].document, p->document) || !n || path[0] == '$')
			continue;
		if (path[n - 1] == ']' || path[n - 1] == '}')
			n -= 2;
		else
			while (n > 0 && path[n - 1] != '.')
				n--;
		snprintf(parent, sizeof(parent), "%.*s",
			 (int)(n > 0 && path[n - 1] == '.' ? n - 1 : n), path);
		if (!row_at(p, parent))
			stop("no row for what it stands in", p->document, path);
	}
}

void gen_schema(FILE *out, const char *name)
{
	struct pen p = { .out = out, .document = name };
	const struct g_field *root = row_at(&p, "");

	if (!root)
		stop("there is no such document", name, "");
	if (LISTS + FIXED > LISTS_MAX)
		stop("too many lists", name, "");
	reject_lost_rows(&p);
	fprintf(out,
		"{\n \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
		" \"$id\": \"urn:kernoscope:schema:%s\",\n \"title\": \"%s\",\n"
		" \"$comment\": \"Made by ksgen from src/tables; edit the rows there, not "
		"this.\",\n ",
		name, name);
	body(&p, root, 1);
	definitions(&p);
	fputs("\n}\n", out);
}
