/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of src/tables as the generator sees them: every column is its text. Host program only;
 * nothing of it is linked into kernoscope.
 */
#ifndef KS_GEN_ROWS_H
#define KS_GEN_ROWS_H

#include <stddef.h>
#include <stdio.h>

enum { EN, ZH };

struct g_row { /* what every table has: id and name */
	const char *id, *name;
};
struct g_metric {
	struct g_row r;
	const char *unit, *prov, *section, *owner, *state, *refusal, *kind, *since, *formula,
		*text[2];
};
struct g_refusal {
	struct g_row r;
	const char *severity, *cost, *seconds, *state, *offer, *command, *answers, *title[2],
		*action[2];
};
struct g_unit {
	struct g_row r;
	const char *factor, *dimension, *meaning[2];
};
struct g_section {
	struct g_row r;
	const char *set, *needs, *status, *owner, *strict, *title[2];
};
struct g_verdict {
	struct g_row r;
	const char *unit, *state, *first, *facts, *phrase[2];
};
struct g_premise {
	struct g_row r;
	const char *refusal, *unit, *label[2];
};
struct g_option {
	struct g_row r;
	const char *short_name, *arg, *metavar, *deflt, *group, *ncu, *state, *flags, *config, *env,
		*alias, *commands, *since, *help[2];
};
struct g_command {
	struct g_row r;
	const char *state, *usage, *help[2];
};
struct g_format {
	struct g_row r;
	const char *state, *word, *help[2];
};
struct g_limit {
	struct g_row r;
	const char *value, *unit, *why[2];
};
struct g_arch {
	struct g_row r; /* "9.0" is made by the writer: id is unused, name is the family */
	int major, minor, threads, warps, blocks, regs_sm, regs_block, reg_gran, regs_thread,
		smem_sm, smem_optin, smem_reserved, smem_gran, parts, block_threads, barriers;
};
struct g_ncu {
	struct g_row r;
	const char *kind, *ours, *counters, *caliber[2];
};
struct g_schema { /* a JSON document that is written */
	struct g_row r;
	const char *state, *since, *title[2];
};
struct g_field { /* a key of one, or of the shared pieces when the document is "*" */
	const char *document, *path, *type, *need, *meaning;
};
struct g_detail { /* the text row that follows the row of an option or of a command */
	const char *id, *text;
};
struct g_example {
	const char *command, *what, *line; /* line is a shell command */
};
struct g_complete { /* what the values of an option or the words of a command are */
	const char *owner, *kind, *arg;
};
struct g_rule { /* a known bad pattern */
	struct g_row r;
	const char *kind, *needs; /* "KS_NEEDS_CALLS | KS_NEEDS_NODES" */
	double least_pct;
	const char *no_bound, *title[2], *remedy[2];
};
struct g_words { /* tables with nothing but an id, a name and two texts */
	struct g_row r;
	const char *extra, *text[2];
};

#define G_TABLE(type, name)                                                                        \
	extern const struct type name[];                                                           \
	extern const size_t name##_n
G_TABLE(g_metric, g_metrics);
G_TABLE(g_refusal, g_refusals);
G_TABLE(g_unit, g_units);
G_TABLE(g_section, g_sections);
G_TABLE(g_verdict, g_verdicts);
G_TABLE(g_premise, g_premises);
G_TABLE(g_option, g_options);
G_TABLE(g_words, g_groups);
G_TABLE(g_command, g_commands);
G_TABLE(g_format, g_formats);
G_TABLE(g_limit, g_limits);
G_TABLE(g_arch, g_archs);
G_TABLE(g_rule, g_rules);
G_TABLE(g_ncu, g_ncus);
G_TABLE(g_words, g_envs);
G_TABLE(g_words, g_operations);
G_TABLE(g_words, g_stats);
G_TABLE(g_words, g_provs);
G_TABLE(g_words, g_topics);  /* of `help` */
G_TABLE(g_words, g_tasks);   /* of `help tasks` and `route` */
G_TABLE(g_words, g_release); /* one row: version, and its day as man pages write it */
G_TABLE(g_words, g_shells);  /* of `completion`; extra is the file */
G_TABLE(g_schema, g_schemas);
G_TABLE(g_field, g_fields);
G_TABLE(g_detail, g_option_details);
G_TABLE(g_detail, g_command_details);
G_TABLE(g_example, g_examples);
G_TABLE(g_complete, g_option_values);
G_TABLE(g_complete, g_command_words);
G_TABLE(g_words, g_langs);
G_TABLE(g_words, g_exits);
G_TABLE(g_words, g_counter_states);
G_TABLE(g_words, g_tiers);
G_TABLE(g_words, g_questions);
G_TABLE(g_words, g_cause_groups);
G_TABLE(g_words, g_parts);
G_TABLE(g_words, g_topics);
G_TABLE(g_words, g_texts);

/* Writers: each prints one file to stdout. `lang` is EN or ZH; files for machines ignore it. */
void gen_ids(int lang);
void gen_lookup(int lang);
void ref_metrics(int lang);
void ref_refusals(int lang);
void ref_options(int lang);
void ref_sections(int lang);
void ref_verdicts(int lang);
void ref_archs(int lang);
void ref_limits(int lang);
void ref_findings(int lang);
void ref_formats(int lang);
void list_metrics(int lang);

/* Writers of one file for each name; exit with a message on an unknown one. */
void gen_schema(FILE *out, const char *name);
void gen_completion(FILE *out, const char *shell);
void gen_man(FILE *out, const char *command); /* "-" is the program itself */
/* The schemas and completions as arrays of bytes, for src/tables/printed.c. */
void gen_printed(int lang);

int g_live(const char *state);
/* Commands in alphabetical order. */
const struct g_command *g_command_by_rank(size_t rank);
/* Whether a command ("" is the program itself) has an option; the rule of ks_option_of. */
int g_option_of(const struct g_option *o, const char *command);
/* And whether it is offered: live, itself and not an alias, not hidden. */
int g_option_shown(const struct g_option *o, const char *command);
const struct g_refusal *g_refusal_by_id(const char *id);
const char *g_unit_symbol(const char *id);
/* A document's opening: title, and that it is made from the tables. */
void g_title(int lang, const char *en, const char *zh);
/* Text for a Markdown table cell: | is escaped. */
void g_cell(const char *text);
const char *g_lower(const char *text, char out[64]);

#endif
