/* SPDX-License-Identifier: Apache-2.0
 *
 * Host program built from the .def files alone: writes the ids header, the look-up arrays, man
 * pages, reference documents, JSON Schemas and completions to stdout. Knows no name of any row.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "rows.h"

const struct g_refusal *g_refusal_by_id(const char *id)
{
	for (size_t i = 0; i < g_refusals_n; i++) {
		if (!strcmp(g_refusals[i].r.id, id))
			return &g_refusals[i];
	}
	return NULL;
}

const char *g_unit_symbol(const char *id)
{
	for (size_t i = 0; i < g_units_n; i++) {
		if (!strcmp(g_units[i].r.id, id))
			return g_units[i].r.name;
	}
	return "";
}

const char *g_lower(const char *text, char out[64])
{
	size_t i;

	for (i = 0; text[i] && i < 63; i++)
		out[i] = (char)tolower((unsigned char)text[i]);
	out[i] = '\0';
	return out;
}

static void list_files(int lang);

const struct g_command *g_command_by_rank(size_t rank)
{
	for (size_t i = 0; i < g_commands_n; i++) {
		size_t before = 0;

		for (size_t k = 0; k < g_commands_n; k++)
			before += strcmp(g_commands[k].r.name, g_commands[i].r.name) < 0;
		if (before == rank)
			return &g_commands[i];
	}
	return &g_commands[0];
}

int g_live(const char *state)
{
	return !strcmp(state, "LIVE");
}

int g_option_of(const struct g_option *o, const char *command)
{
	const int main_too = !*command || !strcmp(command, "report");
	const char *name = main_too ? "main" : command, *rest = o->commands;

	if (!*rest)
		return main_too;
	for (;;) {
		const size_t n = strcspn(rest, ",");

		if ((n == strlen(name) && !strncmp(rest, name, n)) ||
		    (n == 3 && !strncmp(rest, "all", n)))
			return 1;
		if (!rest[n])
			return 0;
		rest += n + 1;
	}
}

int g_option_shown(const struct g_option *o, const char *command)
{
	return g_live(o->state) && !*o->alias && !strstr(o->flags, "KS_OF_HIDDEN") &&
	       g_option_of(o, command);
}

static const struct job {
	const char *word;
	void (*write)(int lang);
} jobs[] = {
	{ "ids", gen_ids },
	{ "lookup", gen_lookup },
	{ "printed", gen_printed },
	{ "list-files", list_files },
	{ "list-metrics", list_metrics },
	{ "ref-metrics", ref_metrics },
	{ "ref-refusals", ref_refusals },
	{ "ref-options", ref_options },
	{ "ref-sections", ref_sections },
	{ "ref-verdicts", ref_verdicts },
	{ "ref-archs", ref_archs },
	{ "ref-limits", ref_limits },
	{ "ref-findings", ref_findings },
	{ "ref-formats", ref_formats },
};

/* One file for each name. */
static const struct named_job {
	const char *word;
	void (*write)(FILE *out, const char *name);
} named_jobs[] = {
	{ "schema", gen_schema },
	{ "completion", gen_completion },
	{ "man", gen_man },
};

/* For gen.sh: job, name and file of everything that is made by name. */
static void list_files(int lang)
{
	(void)lang;
	puts("man - man/kernoscope.1");
	for (size_t i = 0; i < g_commands_n; i++)
		if (g_live(g_commands[i].state))
			printf("man %s man/kernoscope-%s.1\n", g_commands[i].r.name,
			       g_commands[i].r.name);
	for (size_t i = 0; i < g_schemas_n; i++)
		if (g_live(g_schemas[i].state))
			printf("schema %s schema/%s.schema.json\n", g_schemas[i].r.name,
			       g_schemas[i].r.name);
	for (size_t i = 0; i < g_shells_n; i++)
		printf("completion %s completions/%s\n", g_shells[i].r.name, g_shells[i].extra);
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";
	const int lang = argc > 2 && !strcmp(argv[2], "zh") ? ZH : EN;

	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		if (strcmp(word, jobs[i].word))
			continue;
		jobs[i].write(lang);
		return ferror(stdout) || fflush(stdout) ? 1 : 0;
	}
	for (size_t i = 0; argc > 2 && i < sizeof(named_jobs) / sizeof(named_jobs[0]); i++) {
		if (strcmp(word, named_jobs[i].word))
			continue;
		named_jobs[i].write(stdout, argv[2]);
		return ferror(stdout) || fflush(stdout) ? 1 : 0;
	}
	fprintf(stderr, "usage: ksgen JOB [en|zh|NAME]; JOB is one of:\n");
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		fprintf(stderr, "\t%s\n", jobs[i].word);
	for (size_t i = 0; i < sizeof(named_jobs) / sizeof(named_jobs[0]); i++)
		fprintf(stderr, "\t%s NAME\n", named_jobs[i].word);
	return 2;
}
