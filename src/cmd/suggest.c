/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists the names of one table and asks for the nearest.
 */
#include "cmd/suggest.h"

#include "base/mem.h"
#include "base/str.h"
#include "tables/questions.h"

/* A table of names on its way to ks_str_nearest; after a failed allocation nothing is suggested. */
struct names {
	const char **name;
	size_t n, cap;
};

static void names_add(struct names *v, const char *name)
{
	if (KS_GROW(v->name, v->cap, v->n + 1, (size_t)4096))
		v->name[v->n++] = name;
}

static const char *names_nearest(struct names *v, ks_str word)
{
	const char *near = ks_str_nearest(word, v->name, v->n);

	ks_mem_free(v->name);
	return near;
}

const char *ks_suggest_option(const struct ks_opt_spec *spec, const char *word)
{
	struct names v = { NULL, 0, 0 };

	for (int id = KS_OPT_NONE + 1; id < KS_OPT_COUNT; id++) {
		const struct ks_option_info *info = ks_option_info((enum ks_option)id);

		if (ks_option_of((enum ks_option)id, spec->command) && !info->hidden)
			names_add(&v, info->name);
	}
	return names_nearest(&v, ks_str_c(word));
}

const char *ks_suggest_command(const char *word)
{
	if (word[0] == '-')
		return NULL;
	for (int id = KS_CMD_NONE + 1; id < KS_CMD_COUNT; id++) {
		const char *name = ks_command_info((enum ks_command)id)->name;

		if (ks_str_distance(ks_str_c(word), ks_str_c(name), 1) == 1)
			return name;
	}
	return NULL;
}

const char *ks_suggest_section(ks_str word)
{
	struct names v = { NULL, 0, 0 };

	for (int id = KS_SECTION_NONE + 1; id < KS_SECTION_COUNT; id++)
		names_add(&v, ks_section_info((enum ks_section)id)->name);
	return names_nearest(&v, word);
}

const char *ks_suggest_metric(ks_str word)
{
	struct names v = { NULL, 0, 0 };

	for (int id = KS_METRIC_NONE + 1; id < KS_METRIC_COUNT; id++)
		names_add(&v, ks_metric_info((enum ks_metric)id)->name);
	for (size_t i = 0; i < ks_ncu_count(); i++)
		names_add(&v, ks_ncu_at(i)->ncu_name);
	return names_nearest(&v, word);
}

const char *ks_suggest_format(const char *word)
{
	struct names v = { NULL, 0, 0 };

	for (int id = KS_FORMAT_NONE + 1; id < KS_FORMAT_COUNT; id++) {
		if (ks_format_info((enum ks_format)id)->state == KS_STATE_LIVE &&
		    id != KS_FORMAT_LAUNCH_CSV)
			names_add(&v, ks_format_info((enum ks_format)id)->name);
	}
	return names_nearest(&v, ks_str_c(word));
}

const char *ks_suggest_printed(enum ks_printed_kind kind, const char *word)
{
	struct names v = { NULL, 0, 0 };
	const struct ks_printed *p;

	for (size_t i = 0; (p = ks_printed_at(kind, i)) != NULL; i++)
		names_add(&v, p->name);
	return names_nearest(&v, ks_str_c(word));
}

const char *ks_suggest_topic(const char *word)
{
	const struct ks_opt_spec all = { KS_CMD_NONE, false };
	const char *bare = word + strspn(word, "-");
	const ks_str w = ks_str_c(bare);
	struct names v = { NULL, 0, 0 };

	for (int id = KS_CMD_NONE + 1; id < KS_CMD_COUNT; id++)
		names_add(&v, ks_command_info((enum ks_command)id)->name);
	for (int id = KS_REFUSAL_NONE + 1; id < KS_REFUSAL_COUNT; id++)
		names_add(&v, ks_refusal_info((enum ks_refusal)id)->slug);
	for (unsigned id = 0; id < KS_TOPIC_COUNT; id++)
		names_add(&v, ks_topic_info((enum ks_topic)id)->name);
	const char *near = names_nearest(&v, w);

	if (near == NULL)
		near = ks_suggest_option(&all, bare);
	if (near == NULL)
		near = ks_suggest_section(w);
	return near != NULL ? near : ks_suggest_metric(w);
}
