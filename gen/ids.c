/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes tables/ids.h (the enums) and tables/lookup.h (ids sorted by name, so that a look-up is a
 * binary search and nothing is built when the program starts). Refuses rows that share an id or a
 * name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

static const struct g_row *row_at(const void *rows, size_t size, size_t i)
{
	return (const struct g_row *)(const void *)((const char *)rows + i * size);
}

struct table {
	const char *tag, *prefix, *none, *count;
	const void *rows;
	size_t n, size;
};
#define TABLE(tag, prefix, none, count, rows)                                                      \
	{                                                                                          \
		tag, prefix, none, count, rows, rows##_n, sizeof(rows[0])                          \
	}

static const char banner[] =
	"/* SPDX-License-Identifier: Apache-2.0\n *\n"
	" * Made by ksgen from src/tables; edit the rows there, not this.\n */\n";

static void reject_duplicates(const struct table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		for (size_t k = i + 1; k < t->n; k++) {
			if (strcmp(row_at(t->rows, t->size, i)->id,
				   row_at(t->rows, t->size, k)->id))
				continue;
			fprintf(stderr, "ksgen: %s has two rows called %s\n", t->tag,
				row_at(t->rows, t->size, i)->id);
			exit(1);
		}
	}
}

static void print_enum(const struct table *t)
{
	reject_duplicates(t);
	printf("enum %s {\n", t->tag);
	if (t->none)
		printf("\t%s_%s,\n", t->prefix, t->none);
	for (size_t i = 0; i < t->n; i++)
		printf("\t%s_%s,\n", t->prefix, row_at(t->rows, t->size, i)->id);
	printf("\t%s,\n};\n\n", t->count);
}

void gen_ids(int lang)
{
	(void)lang;
	/* One unit is called COUNT, so the number of units has a name of its own. */
	const struct table table[] = {
		TABLE("ks_lang", "KS_LANG", NULL, "KS_LANG_COUNT", g_langs),
		TABLE("ks_text", "KS_TEXT", "NONE", "KS_TEXT_COUNT", g_texts),
		TABLE("ks_metric", "KS_METRIC", "NONE", "KS_METRIC_COUNT", g_metrics),
		TABLE("ks_refusal", "KS_REFUSAL", "NONE", "KS_REFUSAL_COUNT", g_refusals),
		TABLE("ks_verdict", "KS_VERDICT", "NONE", "KS_VERDICT_COUNT", g_verdicts),
		TABLE("ks_premise", "KS_PREMISE", "NONE", "KS_PREMISE_COUNT", g_premises),
		TABLE("ks_section", "KS_SECTION", "NONE", "KS_SECTION_COUNT", g_sections),
		TABLE("ks_unit", "KS_UNIT", NULL, "KS_UNITS", g_units),
		TABLE("ks_prov", "KS_PROV", NULL, "KS_PROV_COUNT", g_provs),
		TABLE("ks_option", "KS_OPT", "NONE", "KS_OPT_COUNT", g_options),
		TABLE("ks_option_group", "KS_GROUP", "NONE", "KS_GROUP_COUNT", g_groups),
		TABLE("ks_command", "KS_CMD", "NONE", "KS_CMD_COUNT", g_commands),
		TABLE("ks_format", "KS_FORMAT", "NONE", "KS_FORMAT_COUNT", g_formats),
		TABLE("ks_operation", "KS_OPERATION", "NONE", "KS_OPERATION_COUNT", g_operations),
		TABLE("ks_stats_table", "KS_STATS", "NONE", "KS_STATS_COUNT", g_stats),
		TABLE("ks_limit", "KS_LIMIT", "NONE", "KS_LIMIT_COUNT", g_limits),
		TABLE("ks_envvar", "KS_ENV", "NONE", "KS_ENV_COUNT", g_envs),
		TABLE("ks_counter_state", "KS_COUNTER_STATE", NULL, "KS_COUNTER_STATE_COUNT",
		      g_counter_states),
		TABLE("ks_tier", "KS_TIER", NULL, "KS_TIER_COUNT", g_tiers),
		TABLE("ks_question", "KS_QUESTION", NULL, "KS_QUESTION_COUNT", g_questions),
		TABLE("ks_cause_group", "KS_CAUSE", NULL, "KS_CAUSE_COUNT", g_cause_groups),
		TABLE("ks_part", "KS_PART", NULL, "KS_PART_COUNT", g_parts),
		TABLE("ks_topic", "KS_TOPIC", NULL, "KS_TOPIC_COUNT", g_topics),
		TABLE("ks_task", "KS_TASK", NULL, "KS_TASK_COUNT", g_tasks),
	};

	printf("%s#ifndef KS_TABLES_IDS_H\n#define KS_TABLES_IDS_H\n\n", banner);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		print_enum(&table[i]);
	puts("#endif");
}

struct entry {
	const char *name;
	size_t index;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

/* Patterns hold a brace and get an array of their own. */
static void print_sorted(const char *array, const struct table *t, int patterns)
{
	struct entry *e = calloc(t->n + 1, sizeof(*e));
	size_t n = 0;

	if (!e) {
		fprintf(stderr, "ksgen: out of memory\n");
		exit(1);
	}
	for (size_t i = 0; i < t->n; i++) {
		const char *name = row_at(t->rows, t->size, i)->name;

		if ((strchr(name, '{') != NULL) == (patterns != 0))
			e[n++] = (struct entry){ name, i };
	}
	qsort(e, n, sizeof(*e), by_name);
	printf("static const uint16_t %s[] = {\n", array);
	for (size_t i = 0; i < n; i++) {
		if (i && !strcmp(e[i - 1].name, e[i].name)) {
			fprintf(stderr, "ksgen: %s holds the name %s twice\n", array, e[i].name);
			exit(1);
		}
		if (t->prefix)
			printf("\t%s_%s,\n", t->prefix, row_at(t->rows, t->size, e[i].index)->id);
		else
			printf("\t%zu,\n", e[i].index);
	}
	puts("};\n");
	free(e);
}

void gen_lookup(int lang)
{
	(void)lang;
	const struct table metric = TABLE("", "KS_METRIC", NULL, NULL, g_metrics);
	const struct table refusal = TABLE("", "KS_REFUSAL", NULL, NULL, g_refusals);
	const struct table section = TABLE("", "KS_SECTION", NULL, NULL, g_sections);
	const struct table verdict = TABLE("", "KS_VERDICT", NULL, NULL, g_verdicts);
	const struct table premise = TABLE("", "KS_PREMISE", NULL, NULL, g_premises);
	const struct table option = TABLE("", "KS_OPT", NULL, NULL, g_options);
	const struct table command = TABLE("", "KS_CMD", NULL, NULL, g_commands);
	const struct table format = TABLE("", "KS_FORMAT", NULL, NULL, g_formats);
	const struct table unit = TABLE("", "KS_UNIT", NULL, NULL, g_units);
	const struct table ncu = TABLE("", NULL, NULL, NULL, g_ncus);
	const struct {
		const char *guard, *array;
		const struct table *t;
		int patterns;
	} list[] = {
		{ "METRIC", "sorted_metrics", &metric, 0 },
		{ "METRIC", "metric_patterns", &metric, 1 },
		{ "REFUSAL", "sorted_refusals", &refusal, 0 },
		{ "SECTION", "sorted_sections", &section, 0 },
		{ "VERDICT", "sorted_verdicts", &verdict, 0 },
		{ "VERDICT", "sorted_premises", &premise, 0 },
		{ "OPTION", "sorted_options", &option, 0 },
		{ "COMMAND", "sorted_commands", &command, 0 },
		{ "COMMAND", "sorted_formats", &format, 0 },
		{ "UNIT", "sorted_units", &unit, 0 },
		{ "NCU", "sorted_ncus", &ncu, 0 },
	};

	/* Included once per file that looks something up; the file says which arrays it wants. */
	printf("%s", banner);
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		printf("#ifdef KS_LOOKUP_%s\n", list[i].guard);
		print_sorted(list[i].array, list[i].t, list[i].patterns);
		puts("#endif");
	}
}
