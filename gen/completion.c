/* SPDX-License-Identifier: Apache-2.0
 *
 * Which names a completion offers. Offers what works in this version, and
 * nothing else.
 */
#include "completion.h"

#include <stdlib.h>
#include <string.h>

/* --- names
 * -----------------------------------------------------------------------------------------------
 */

static void name(FILE *out, const char *text, const char *between, size_t *n)
{
	fprintf(out, "%s%s", (*n)++ ? between : "", text);
}

void g_separated(FILE *out, const char *list, char comma, const char *between)
{
	for (; *list; list++) {
		if (*list == comma)
			fputs(between, out);
		else
			putc(*list, out);
	}
}

static void metrics(FILE *out, const char *between)
{
	size_t n = 0;

	for (size_t i = 0; i < g_metrics_n; i++)
		if (g_live(g_metrics[i].state) && !strchr(g_metrics[i].r.name, '{'))
			name(out, g_metrics[i].r.name, between, &n);
}

static void sections(FILE *out, const char *between)
{
	size_t n = 0;

	for (size_t i = 0; i < g_sections_n; i++)
		name(out, g_sections[i].r.name, between, &n);
}

static void formats(FILE *out, const char *between)
{
	size_t n = 0;

	for (size_t i = 0; i < g_formats_n; i++)
		if (g_live(g_formats[i].state) && !strcmp(g_formats[i].word, "NAMED"))
			name(out, g_formats[i].r.name, between, &n);
}

static void refusals(FILE *out, const char *between)
{
	size_t n = 0;

	for (size_t i = 0; i < g_refusals_n; i++)
		name(out, g_refusals[i].r.name, between, &n);
}

void g_command_names(FILE *out, const char *between)
{
	size_t n = 0;

	for (size_t i = 0; i < g_commands_n; i++)
		if (g_live(g_commands[i].state))
			name(out, g_commands[i].r.name, between, &n);
}

/* What `help` is asked for mostly; it also takes every option, metric and code. */
static void topics(FILE *out, const char *between)
{
	size_t n = 1;

	fputs("all", out);
	for (size_t i = 0; i < g_topics_n; i++)
		name(out, g_topics[i].r.name, between, &n);
	fputs(between, out);
	g_command_names(out, between);
	fputs(between, out);
	sections(out, between);
}

static void schemas(FILE *out, const char *between)
{
	size_t n = 0;

	for (size_t i = 0; i < g_schemas_n; i++)
		if (g_live(g_schemas[i].state))
			name(out, g_schemas[i].r.name, between, &n);
}

static void stats(FILE *out, const char *between)
{
	size_t n = 0;

	for (size_t i = 0; i < g_stats_n; i++)
		name(out, g_stats[i].r.name, between, &n);
}

static void keys(FILE *out, const char *between)
{
	size_t n = 0;

	for (size_t i = 0; i < g_options_n; i++)
		if (g_live(g_options[i].state) && *g_options[i].config)
			name(out, g_options[i].config, between, &n);
}

static const struct {
	const char *kind;
	void (*names)(FILE *out, const char *between);
	int list;
} kinds[] = {
	{ "METRICS", metrics, 0 },   { "METRIC_LIST", metrics, 1 },
	{ "SECTIONS", sections, 0 }, { "FORMATS", formats, 0 },
	{ "REFUSALS", refusals, 0 }, { "TOPICS", topics, 0 },
	{ "SCHEMAS", schemas, 0 },   { "STATS", stats, 0 },
	{ "KEYS", keys, 0 },	     { "COMMANDS", g_command_names, 0 },
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static int is(const struct g_complete *row, const char *kind)
{
	return !strcmp(row->kind, kind);
}

int g_is_files(const struct g_complete *row)
{
	return is(row, "FILES") || is(row, "ANY_FILE") || is(row, "FOLDER");
}

int g_is_list(const struct g_complete *row)
{
	for (size_t i = 0; i < KINDS; i++)
		if (is(row, kinds[i].kind))
			return kinds[i].list;
	return is(row, "WORD_LIST");
}

void g_names(FILE *out, const struct g_complete *row, const char *between)
{
	if (is(row, "WORDS") || is(row, "WORD_LIST")) {
		g_separated(out, row->arg, strchr(row->arg, '|') ? '|' : ',', between);
		return;
	}
	if (is(row, "NOTHING"))
		return;
	for (size_t i = 0; i < KINDS; i++) {
		if (is(row, kinds[i].kind)) {
			kinds[i].names(out, between);
			return;
		}
	}
	fprintf(stderr, "ksgen: completes.def: %s: no such kind as %s\n", row->owner, row->kind);
	exit(1);
}

static const struct g_complete *value_row(const char *command, const char *option)
{
	char owner[128];

	snprintf(owner, sizeof(owner), "%s%s%s", command, *command ? " " : "", option);
	for (size_t i = 0; i < g_option_values_n; i++)
		if (!strcmp(g_option_values[i].owner, owner))
			return &g_option_values[i];
	return NULL;
}

int g_is_optional(const struct g_option *o)
{
	return strstr(o->flags, "OPTIONAL") != NULL;
}

int g_value_is_own(const struct g_option *o, const char *command)
{
	return *command && value_row(command, o->r.name) != NULL;
}

const struct g_complete *g_value_row(const struct g_option *o, const char *command,
				     struct g_complete *made)
{
	const struct g_complete *row = *command ? value_row(command, o->r.name) : NULL;

	if (!row)
		row = value_row("", o->r.name);
	if (row)
		return row;
	*made = (struct g_complete){ o->r.name, "WORDS", o->metavar };
	if (!strcmp(o->arg, "CHOICE"))
		return made;
	*made = (struct g_complete){ o->r.name, "ANY_FILE", "" };
	return strcmp(o->arg, "FILE") ? NULL : made;
}

const struct g_complete *g_word_row(const char *command, size_t at)
{
	for (size_t i = 0; i < g_command_words_n; i++)
		if (!strcmp(g_command_words[i].owner, command) && at-- == 0)
			return &g_command_words[i];
	return NULL;
}

void g_value_options(FILE *out, const char *between)
{
	size_t n = 0;

	for (size_t i = 0; i < g_options_n; i++) {
		const struct g_option *o = &g_options[i];

		if (!g_live(o->state) || !strcmp(o->arg, "NONE") || g_is_optional(o))
			continue;
		fprintf(out, "%s--%s", n++ ? between : "", o->r.name);
		if (strcmp(o->short_name, "0"))
			fprintf(out, "%s-%c", between, o->short_name[1]);
	}
}

void gen_completion(FILE *out, const char *shell)
{
	static const struct {
		const char *shell;
		void (*write)(FILE *out);
	} writers[] = { { "bash", g_bash }, { "zsh", g_zsh }, { "fish", g_fish } };

	for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++) {
		if (!strcmp(writers[i].shell, shell)) {
			writers[i].write(out);
			return;
		}
	}
	fprintf(stderr, "ksgen: no completion for %s\n", shell);
	exit(1);
}
