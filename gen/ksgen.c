/* SPDX-License-Identifier: Apache-2.0
 *
 * Host program built from the .def files alone: writes the ids header, the look-up arrays, the man
 * page and the reference documents to stdout. Knows no name of any row.
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

static const struct job {
	const char *word;
	void (*write)(int lang);
} jobs[] = {
	{ "ids", gen_ids },
	{ "lookup", gen_lookup },
	{ "man", gen_man },
	{ "list-metrics", list_metrics },
	{ "ref-metrics", ref_metrics },
	{ "ref-refusals", ref_refusals },
	{ "ref-options", ref_options },
	{ "ref-sections", ref_sections },
	{ "ref-verdicts", ref_verdicts },
	{ "ref-archs", ref_archs },
	{ "ref-limits", ref_limits },
	{ "ref-formats", ref_formats },
};

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
	fprintf(stderr, "usage: ksgen JOB [en|zh]; JOB is one of:\n");
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		fprintf(stderr, "\t%s\n", jobs[i].word);
	return 2;
}
