/* SPDX-License-Identifier: Apache-2.0
 *
 * The pages of `help TOPIC` that are rows of topics.def and tasks.def, and their list. Holds no
 * text of its own.
 */
#include "base/str.h"
#include "cmd/help_internal.h"
#include "tables/questions.h"

/* Each row of tasks.def on two lines. */
static void list_tasks(struct ks_app *app)
{
	for (unsigned i = 0; i < KS_TASK_COUNT; i++) {
		const struct ks_task_info *t = ks_task_info((enum ks_task)i);
		struct ks_buf command;

		if (strstr(t->command, "{name}") != NULL)
			continue;
		ks_buf_init(&command, 4096);
		ks_task_command(&command, (enum ks_task)i, KS_STR_NONE);
		ks_out_fmt(&app->out, "%s\n    %s\n", t->title[ks_app_lang(app)],
			   ks_buf_text(&command));
		ks_buf_release(&command);
	}
}

/* The names of rules.def; what each means is a page of the reference. */
static void list_rules(struct ks_app *app)
{
	struct ks_buf names;

	ks_buf_init(&names, 4096);
	for (unsigned i = KS_RULE_NONE + 1; i < KS_RULE_COUNT; i++)
		ks_buf_fmt(&names, "%s%s", i > KS_RULE_NONE + 1 ? ", " : "",
			   ks_rule_info((enum ks_rule)i)->slug);
	ks_help_filled(&app->out, ks_buf_view(&names), 0, 0);
	ks_buf_release(&names);
}

/* Lines are filled; one that begins with a blank is an example and stands as it is. */
bool ks_help_page(struct ks_app *app, const char *name)
{
	enum ks_topic id;

	if (!ks_topic_find(ks_str_c(name), &id))
		return false;
	const struct ks_topic_info *t = ks_topic_info(id);
	ks_str rest = ks_str_c(t->page[ks_app_lang(app)]);

	ks_out_fmt(&app->out, "%s\n\n", t->title[ks_app_lang(app)]);
	while (rest.p != NULL) {
		const ks_str line = ks_str_cut(&rest, '\n');
		const bool example = line.n > 0 && line.p[0] == ' ';

		if (!example && line.n > 0) {
			ks_help_filled(&app->out, line, 0, 0);
			continue;
		}
		ks_help_blanks(&app->out, example ? 3 : 0);
		ks_out_str(&app->out, line);
		ks_out_ch(&app->out, '\n');
	}
	if (id == KS_TOPIC_TASKS)
		list_tasks(app);
	if (id == KS_TOPIC_FINDINGS)
		list_rules(app);
	return true;
}

void ks_help_list_topics(struct ks_app *app)
{
	for (unsigned i = 0; i < KS_TOPIC_COUNT; i++) {
		const struct ks_topic_info *t = ks_topic_info((enum ks_topic)i);

		ks_help_entry(app, ks_str_c(t->name), t->title[ks_app_lang(app)]);
	}
	ks_out_ch(&app->out, '\n');
	ks_help_filled(&app->out, ks_str_c(ks_text_get(KS_TEXT_TOPICS_MORE, ks_app_lang(app))), 0,
		       0);
}
