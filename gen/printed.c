/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the JSON Schemas and completions as arrays of bytes, each under its name: what `schema`
 * and `completion` print is what lies in schema/ and completions/.
 */
#include <stdlib.h>
#include <string.h>

#include "rows.h"

static void bytes(const char *array, size_t number, void (*write)(FILE *, const char *),
		  const char *name)
{
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);

	if (out)
		write(out, name);
	if (!out || fclose(out)) {
		fprintf(stderr, "ksgen: out of memory\n");
		exit(1);
	}
	printf("static const char %s_%zu[] = { /* %s */", array, number, name);
	for (size_t i = 0; i < n; i++) {
		if ((unsigned char)text[i] >
		    127) { /* whose value in a char differs between machines */
			fprintf(stderr, "ksgen: %s: a byte that is not ASCII\n", name);
			exit(1);
		}
		printf("%s%d,", i % 24 ? "" : "\n", text[i]);
	}
	puts("\n};");
	free(text);
}

void gen_printed(int lang)
{
	(void)lang;
	puts("/* Made by ksgen from src/tables; edit the rows there, not this. */");
	for (size_t i = 0; i < g_schemas_n; i++)
		if (g_live(g_schemas[i].state))
			bytes("schema", i, gen_schema, g_schemas[i].r.name);
	for (size_t i = 0; i < g_shells_n; i++)
		bytes("completion", i, gen_completion, g_shells[i].r.name);
	puts("static const struct ks_printed schemas[] = {");
	for (size_t i = 0; i < g_schemas_n; i++)
		if (g_live(g_schemas[i].state))
			printf("\t{ \"%s\", { schema_%zu, sizeof(schema_%zu) }, { \"%s\", \"%s\" } "
			       "},\n",
			       g_schemas[i].r.name, i, i, g_schemas[i].title[EN],
			       g_schemas[i].title[ZH]);
	puts("};\nstatic const struct ks_printed completions[] = {");
	for (size_t i = 0; i < g_shells_n; i++)
		printf("\t{ \"%s\", { completion_%zu, sizeof(completion_%zu) }, { \"\", \"\" } "
		       "},\n",
		       g_shells[i].r.name, i, i);
	puts("};");
}
