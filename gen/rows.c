/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads every .def file into the generator's arrays. No other file of the generator includes one.
 */
#include "rows.h"

#define G_COUNT(name) const size_t name##_n = sizeof(name) / sizeof(name[0])

const struct g_metric g_metrics[] = {
#define KS_METRIC(id, name, unit, prov, section, owner, state, refusal, kind, since, formula, en,  \
		  zh)                                                                              \
	{ { #id, name }, #unit, #prov, #section, #owner,    #state,                                \
	  #refusal,	 #kind, since, formula,	 { en, zh } },
#include "tables/metrics.def"
#undef KS_METRIC
};
G_COUNT(g_metrics);

const struct g_refusal g_refusals[] = {
#define KS_REFUSAL(id, slug, sev, cost, s, state, offer, command, answers, ten, tzh, aen, azh)     \
	{ { #id, slug }, #sev,	  #cost,   #s,		 #state,                                   \
	  #offer,	 command, answers, { ten, tzh }, { aen, azh } },
#include "tables/refusals.def"
#undef KS_REFUSAL
};
G_COUNT(g_refusals);

const struct g_unit g_units[] = {
#define KS_UNIT(id, symbol, factor, dimension, en, zh)                                             \
	{ { #id, symbol }, #factor, #dimension, { en, zh } },
#include "tables/units.def"
};
G_COUNT(g_units);

const struct g_section g_sections[] = {
#define KS_SECTION(id, name, set, needs, status, owner, strict, en, zh)                            \
	{ { #id, name }, #set, #needs, #status, #owner, #strict, { en, zh } },
#include "tables/sections.def"
#undef KS_SECTION
};
G_COUNT(g_sections);

const struct g_verdict g_verdicts[] = {
#define KS_VERDICT(id, name, unit, state, first, facts, en, zh)                                    \
	{ { #id, name }, #unit, #state, #first, #facts, { en, zh } },
#include "tables/verdicts.def"
#undef KS_VERDICT
};
G_COUNT(g_verdicts);

const struct g_premise g_premises[] = {
#define KS_PREMISE(id, name, refusal, unit, en, zh) { { #id, name }, #refusal, #unit, { en, zh } },
#include "tables/premises.def"
#undef KS_PREMISE
};
G_COUNT(g_premises);

const struct g_option g_options[] = {
#define KS_OPTION(id, name, s, arg, meta, deflt, group, ncu, state, flags, config, env, alias,     \
		  cmds, since, en, zh)                                                             \
	{ { #id, name }, #s,	 #arg, meta,  deflt, #group, #ncu,	#state,                    \
	  #flags,	 config, env,  alias, cmds,  since,  { en, zh } },
#include "tables/options.def"
#undef KS_OPTION
};
G_COUNT(g_options);

const struct g_words g_groups[] = {
#define KS_OPTION_GROUP(id, en, zh) { { #id, #id }, "", { en, zh } },
#include "tables/groups.def"
#undef KS_OPTION_GROUP
};
G_COUNT(g_groups);

const struct g_command g_commands[] = {
#define KS_COMMAND(id, name, state, usage, en, zh) { { #id, name }, #state, usage, { en, zh } },
#include "tables/commands.def"
#undef KS_COMMAND
};
G_COUNT(g_commands);

const struct g_format g_formats[] = {
#define KS_FORMAT(id, name, state, word, en, zh) { { #id, name }, #state, #word, { en, zh } },
#include "tables/formats.def"
#undef KS_FORMAT
};
G_COUNT(g_formats);

const struct g_limit g_limits[] = {
#define KS_LIMIT(id, value, unit, en, zh) { { #id, #id }, #value, #unit, { en, zh } },
#include "tables/limits.def"
#undef KS_LIMIT
};
G_COUNT(g_limits);

const struct g_arch g_archs[] = {
#define KS_ARCH(major, minor, threads, warps, blocks, rsm, rblock, rgran, rthread, ssm, soptin,    \
		sres, sgran, parts, bthreads, barriers, family)                                    \
	{ { "", family }, major, minor,	 threads, warps, blocks, rsm,	   rblock,  rgran,         \
	  rthread,	  ssm,	 soptin, sres,	  sgran, parts,	 bthreads, barriers },
#include "tables/archs.def"
#undef KS_ARCH
};
G_COUNT(g_archs);

const struct g_rule g_rules[] = {
#define KS_RULE(id, slug, kind, needs, least, no, en, zh, den, dzh)                                \
	{ { #id, slug }, #kind, #needs, least, #no, { en, zh }, { den, dzh } },
#include "tables/rules.def"
#undef KS_RULE
};
G_COUNT(g_rules);

const struct g_ncu g_ncus[] = {
#define KS_NCU(name, kind, ours, counters, en, zh)                                                 \
	{ { "", name }, #kind, ours, #counters, { en, zh } },
#include "tables/ncu_names.def"
};
G_COUNT(g_ncus);

const struct g_words g_operations[] = {
#define KS_OPERATION(id, name, fx, repeat, where, en, zh, wen, wzh)                                \
	{ { #id, name }, #fx, { en, zh } },
#include "tables/operations.def"
#undef KS_OPERATION
};
G_COUNT(g_operations);

const struct g_words g_stats[] = {
#define KS_STATS(id, name, of, unit, count, heading, absent, en, zh)                               \
	{ { #id, name }, #of, { en, zh } },
#include "tables/stats.def"
#undef KS_STATS
};
G_COUNT(g_stats);

const struct g_words g_envs[] = {
#define KS_ENV(id, name, state, en, zh) { { #id, name }, #state, { en, zh } },
#include "tables/env.def"
#undef KS_ENV
};
G_COUNT(g_envs);

const struct g_words g_provs[] = {
#define KS_PROV(id, name, rank, en, zh, men, mzh) { { #id, name }, #rank, { men, mzh } },
#include "tables/prov.def"
#undef KS_PROV
};
G_COUNT(g_provs);

const struct g_words g_release[] = {
#define KS_RELEASE(version, day) { { version, version }, day, { "", "" } },
#include "tables/release.def"
#undef KS_RELEASE
};
G_COUNT(g_release);

const struct g_words g_shells[] = {
#define KS_SHELL(name, file) { { name, name }, file, { "", "" } },
#include "tables/shells.def"
#undef KS_SHELL
};
G_COUNT(g_shells);

const struct g_schema g_schemas[] = {
#define KS_SCHEMA(name, state, since, en, zh) { { name, name }, #state, since, { en, zh } },
#define KS_FIELD(document, path, type, need, meaning)
#include "tables/schemas.def"
#undef KS_SCHEMA
#undef KS_FIELD
};
G_COUNT(g_schemas);

const struct g_field g_fields[] = {
#define KS_SCHEMA(name, state, since, en, zh)
#define KS_FIELD(document, path, type, need, meaning) { document, path, type, #need, meaning },
#include "tables/schemas.def"
#undef KS_SCHEMA
#undef KS_FIELD
};
G_COUNT(g_fields);

const struct g_detail g_option_details[] = {
#define KS_DETAIL_OPTION(id, text) { #id, #text },
#define KS_DETAIL_COMMAND(id, text)
#include "tables/details.def"
#undef KS_DETAIL_OPTION
#undef KS_DETAIL_COMMAND
};
G_COUNT(g_option_details);

const struct g_detail g_command_details[] = {
#define KS_DETAIL_OPTION(id, text)
#define KS_DETAIL_COMMAND(id, text) { #id, #text },
#include "tables/details.def"
#undef KS_DETAIL_OPTION
#undef KS_DETAIL_COMMAND
};
G_COUNT(g_command_details);

const struct g_example g_examples[] = {
#define KS_EXAMPLE(command, what, line) { command, what, line },
#include "tables/examples.def"
#undef KS_EXAMPLE
};
G_COUNT(g_examples);

const struct g_complete g_option_values[] = {
#define KS_VALUE_OF(option, kind, arg) { option, #kind, arg },
#define KS_WORD_OF(command, kind, arg)
#include "tables/completes.def"
#undef KS_VALUE_OF
#undef KS_WORD_OF
};
G_COUNT(g_option_values);

const struct g_complete g_command_words[] = {
#define KS_VALUE_OF(option, kind, arg)
#define KS_WORD_OF(command, kind, arg) { command, #kind, arg },
#include "tables/completes.def"
#undef KS_VALUE_OF
#undef KS_WORD_OF
};
G_COUNT(g_command_words);

const struct g_words g_langs[] = {
#define KS_LANG(id, code, name) { { #id, code }, name, { name, name } },
#include "tables/langs.def"
#undef KS_LANG
};
G_COUNT(g_langs);

const struct g_words g_exits[] = {
#define KS_EXIT(status, code, word, en, zh) { { #status, word }, #code, { en, zh } },
#include "tables/exit_codes.def"
#undef KS_EXIT
};
G_COUNT(g_exits);

const struct g_words g_counter_states[] = {
#define KS_COUNTER_STATE(id, name, en, zh) { { #id, name }, "", { en, zh } },
#include "tables/counter_states.def"
#undef KS_COUNTER_STATE
};
G_COUNT(g_counter_states);

const struct g_words g_tiers[] = {
#define KS_TIER(id, name, en, zh) { { #id, name }, "", { en, zh } },
#include "tables/tiers.def"
#undef KS_TIER
};
G_COUNT(g_tiers);

const struct g_words g_questions[] = {
#define KS_QUESTION(id, name, tier, needs, offer, outputs, command, failures, en, zh, ...)         \
	{ { #id, name }, command, { en, zh } },
#include "tables/questions.def"
#undef KS_QUESTION
};
G_COUNT(g_questions);

const struct g_words g_cause_groups[] = {
#define KS_CAUSE_GROUP(id, en, zh) { { #id, #id }, "", { en, zh } },
#include "tables/refusal_causes.def"
};
G_COUNT(g_cause_groups);

const struct g_words g_parts[] = {
#define KS_PART(id, en, zh) { { #id, #id }, "", { en, zh } },
#include "tables/refusal_causes.def"
};
G_COUNT(g_parts);

const struct g_words g_topics[] = {
#define KS_TOPIC(id, name, en, zh, page_en, page_zh) { { #id, name }, "", { en, zh } },
#include "tables/topics.def"
#undef KS_TOPIC
};
G_COUNT(g_topics);

const struct g_words g_tasks[] = {
#define KS_TASK(id, name, command, en, zh, words) { { #id, name }, command, { en, zh } },
#include "tables/tasks.def"
#undef KS_TASK
};
G_COUNT(g_tasks);

const struct g_words g_texts[] = {
#define KS_TEXT(id, en, zh) { { #id, #id }, "", { en, zh } },
	KS_TEXT(LITERAL, "{0}", "{0}")
#include "tables/text.def"
#undef KS_TEXT
};
G_COUNT(g_texts);
