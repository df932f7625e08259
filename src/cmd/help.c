/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints what the tables say, in the chosen language. Holds no help text of its own.
 */
#include "cmd/help_internal.h"

#include <strings.h>

#include "base/num.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cmd/settings.h"
#include "cmd/suggest.h"
#include "render/pen.h"
#include "tables/questions.h"

/* Where the second column begins in an option list, and the width lines are filled to. */
#define HELP_COLUMN 26
#define HELP_WIDTH  80

void ks_help_version(struct ks_app *app)
{
	ks_out_cstr(&app->out, "kernoscope " KS_VERSION "\n");
}

void ks_help_blanks(struct ks_out *out, size_t n)
{
	while (n-- > 0)
		ks_out_ch(out, ' ');
}

void ks_help_filled(struct ks_out *out, ks_str s, size_t at, size_t left)
{
	while (s.n > 0) {
		if (at < left)
			ks_help_blanks(out, left - at);
		else if (at > left)
			ks_out_ch(out, ' ');
		const size_t n = ks_pen_line_length(s, HELP_WIDTH - left);

		ks_out_str(out, ks_str_trim((ks_str){ s.p, n }));
		ks_out_ch(out, '\n');
		s = ks_str_trim((ks_str){ s.p + n, s.n - n });
		at = 0;
	}
}

void ks_help_entry(struct ks_app *app, ks_str name, const char *text)
{
	ks_out_cstr(&app->out, "  ");
	ks_out_str(&app->out, name);
	size_t at = 2 + name.n;

	if (at + 2 > HELP_COLUMN) {
		ks_out_ch(&app->out, '\n');
		at = 0;
	}
	ks_help_filled(&app->out, ks_str_c(text), at, HELP_COLUMN);
}

/* A group by its title in either language, in any case. */
static bool help_group(struct ks_app *app, const char *topic)
{
	for (int i = KS_GROUP_NONE + 1; i < KS_GROUP_COUNT; i++) {
		const enum ks_option_group g = (enum ks_option_group)i;

		if (strcasecmp(topic, ks_group_title(g, KS_LANG_EN)) != 0 &&
		    strcasecmp(topic, ks_group_title(g, KS_LANG_ZH)) != 0)
			continue;
		if (g == KS_GROUP_NCU_INERT) {
			ks_help_inert(app);
		} else {
			ks_help_group(app, g);
			ks_help_planned(app, g);
		}
		return true;
	}
	return false;
}

/* What one line cannot say. */
static void detail(struct ks_app *app, enum ks_text text)
{
	ks_out_ch(&app->out, '\n');
	ks_help_blanks(&app->out, 4);
	ks_help_filled(&app->out, ks_str_c(ks_text_get(text, ks_app_lang(app))), 4, 4);
}

/* Rows of tables/details.def; the man pages have the same. */
static enum ks_text option_detail(enum ks_option id)
{
#define KS_DETAIL_OPTION(option, text) [KS_OPT_##option] = KS_TEXT_##text,
#define KS_DETAIL_COMMAND(command, text)
	static const enum ks_text detail_of[KS_OPT_COUNT] = {
#include "tables/details.def"
	};
#undef KS_DETAIL_OPTION
#undef KS_DETAIL_COMMAND

	return detail_of[id];
}

static enum ks_text command_detail(enum ks_command id)
{
#define KS_DETAIL_OPTION(option, text)
#define KS_DETAIL_COMMAND(command, text) [KS_CMD_##command] = KS_TEXT_##text,
	static const enum ks_text detail_of[KS_CMD_COUNT] = {
#include "tables/details.def"
	};
#undef KS_DETAIL_OPTION
#undef KS_DETAIL_COMMAND

	return detail_of[id];
}

static void list_formats(struct ks_app *app)
{
	for (int i = KS_FORMAT_NONE + 1; i < KS_FORMAT_COUNT; i++) {
		const struct ks_format_info *f = ks_format_info((enum ks_format)i);

		if (f->state == KS_STATE_LIVE && i != KS_FORMAT_LAUNCH_CSV)
			ks_help_entry(app, ks_str_c(f->name), f->help[ks_app_lang(app)]);
	}
}

static bool help_option(struct ks_app *app, const char *topic)
{
	const char *name = topic + strspn(topic, "-");

	for (int i = KS_OPT_NONE + 1; i < KS_OPT_COUNT; i++) {
		const struct ks_option_info *o = ks_option_info((enum ks_option)i);
		const bool letter =
			o->short_name != 0 && name[0] == o->short_name && name[1] == '\0';

		if ((strcmp(o->name, name) != 0 && !letter) || o->group == KS_GROUP_SUBCOMMAND)
			continue;
		ks_help_option(app, o);
		if (o->deflt[0] != '\0')
			ks_app_print(app, KS_TEXT_CMD_HELP_DEFAULT, o->deflt, NULL);
		if (o->state == KS_STATE_PLANNED)
			ks_app_print(app, KS_TEXT_CMD_HELP_NOT_YET, NULL);
		if (option_detail((enum ks_option)i) != KS_TEXT_NONE)
			detail(app, option_detail((enum ks_option)i));
		if (i == KS_OPT_FORMAT)
			list_formats(app);
		return true;
	}
	return false;
}

static bool help_command(struct ks_app *app, const char *topic)
{
	enum ks_command id = KS_CMD_NONE;

	if (!ks_command_find(ks_str_c(topic), &id))
		return false;
	const struct ks_command_info *c = ks_command_info(id);

	ks_help_entry(app, ks_str_c(c->usage), c->help[ks_app_lang(app)]);
	if (c->state == KS_STATE_PLANNED)
		ks_app_print(app, KS_TEXT_CMD_HELP_NOT_YET, NULL);
	if (command_detail(id) != KS_TEXT_NONE)
		detail(app, command_detail(id));
	if (c->state == KS_STATE_LIVE && id != KS_CMD_REPORT && id != KS_CMD_HELP)
		ks_help_own(app, id);
	return true;
}

static bool help_metric(struct ks_app *app, const char *topic)
{
	const enum ks_metric id = ks_metric_find(ks_str_c(topic));
	const struct ks_ncu_info *ncu = ks_ncu_find(ks_str_c(topic));

	if (id != KS_METRIC_NONE) {
		const struct ks_metric_info *m = ks_metric_info(id);

		ks_help_entry(app, ks_str_c(m->name), m->what[ks_app_lang(app)]);
		const char *unit = ks_unit_info(m->unit)->symbol;

		if (unit[0] != '\0')
			ks_app_print(app, KS_TEXT_CMD_HELP_METRIC, unit, ks_prov_name(m->prov),
				     m->formula, NULL);
		else
			ks_app_print(app, KS_TEXT_CMD_HELP_METRIC_NO_UNIT, ks_prov_name(m->prov),
				     m->formula, NULL);
		if (m->state == KS_STATE_PLANNED)
			ks_app_print(app, KS_TEXT_CMD_HELP_METRIC_PLANNED,
				     ks_refusal_info(m->planned_refusal)->slug, NULL);
	}
	if (ncu != NULL)
		ks_app_print(app, KS_TEXT_CMD_HELP_NCU, ncu->ncu_name,
			     ncu->ours[0] != '\0' ? ncu->ours : "-",
			     ks_ncu_caliber(ncu, ks_app_lang(app)), NULL);
	return id != KS_METRIC_NONE || ncu != NULL;
}

static bool help_rule(struct ks_app *app, const char *topic)
{
	const enum ks_rule id = ks_rule_find(ks_str_c(topic));
	const struct ks_rule_info *r = ks_rule_info(id);
	const enum ks_lang lang = ks_app_lang(app);
	char least[KS_NUM_LEN];

	if (id == KS_RULE_NONE)
		return false;
	ks_num_human(least, r->least_pct);
	ks_help_entry(app, ks_str_c(r->slug), r->title[lang]);
	ks_app_print(app, KS_TEXT_CMD_HELP_REMEDY, r->remedy[lang], NULL);
	ks_app_print(app, KS_TEXT_CMD_HELP_RULE, least, r->slug, NULL);
	return true;
}

static bool help_refusal(struct ks_app *app, const char *topic)
{
	enum ks_refusal id = KS_REFUSAL_NONE;

	if (!ks_refusal_find(ks_str_c(topic), &id))
		return false;
	const struct ks_refusal_info *r = ks_refusal_info(id);
	const enum ks_lang lang = ks_app_lang(app);

	ks_help_entry(app, ks_str_c(r->slug), r->title[lang]);
	ks_app_print(app, KS_TEXT_CMD_HELP_REMEDY, r->action[lang], NULL);
	if (r->command[0] != '\0') {
		struct ks_buf command;

		ks_buf_init(&command, 4096);
		ks_command_fill(&command, r->command, &(struct ks_command_words){ 0 });
		ks_app_print(app, KS_TEXT_CMD_HELP_REMEDY_COMMAND, ks_buf_text(&command), NULL);
		ks_buf_release(&command);
	}
	return true;
}

static bool help_section(struct ks_app *app, const char *topic)
{
	int id = KS_SECTION_NONE + 1;

	while (id < KS_SECTION_COUNT &&
	       strcasecmp(topic, ks_section_info((enum ks_section)id)->name) != 0)
		id++;
	if (id == KS_SECTION_COUNT)
		return false;
	for (int i = KS_METRIC_NONE + 1; i < KS_METRIC_COUNT; i++) {
		const struct ks_metric_info *m = ks_metric_info((enum ks_metric)i);

		if (m->section == (enum ks_section)id)
			ks_help_entry(app, ks_str_c(m->name), m->what[ks_app_lang(app)]);
	}
	return true;
}

/* --lang and --color with their values, also as --lang=zh. Returns how many words they take. */
static int manner(struct ks_opts *o, int n, char **word, enum ks_status *status, struct ks_err *err)
{
	static const enum ks_option manners[] = { KS_OPT_LANG, KS_OPT_COLOR };

	for (size_t i = 0; i < KS_ARRAY_LEN(manners); i++) {
		const char *name = ks_option_info(manners[i])->name;
		const size_t len = strlen(name);
		const char *value = NULL;

		if (strncmp(word[0], "--", 2) != 0 || strncmp(word[0] + 2, name, len) != 0)
			continue;
		if (word[0][2 + len] == '=')
			value = word[0] + 3 + len;
		else if (word[0][2 + len] == '\0' && n > 1)
			value = word[1]; /* alone it is a topic */
		if (value == NULL)
			continue;
		*status = ks_opt_check(manners[i], value, err);
		if (*status == KS_OK) {
			o->opt[manners[i]].value = value;
			o->opt[manners[i]].times++;
		}
		return value == word[1] ? 2 : 1;
	}
	return 0;
}

enum ks_status ks_help_words(struct ks_app *app, const struct ks_help_ask *ask, struct ks_err *err)
{
	struct ks_opts o = *ask->opts;
	const char *topic = ask->topic;
	int topics = 0;

	for (int i = 0; i < ask->n;) {
		enum ks_status status = KS_OK;
		const int took = manner(&o, ask->n - i, ask->word + i, &status, err);

		KS_TRY(status);
		if (took == 0 && topics++ == 0)
			topic = ask->word[i];
		i += took > 0 ? took : 1;
	}
	ks_settings_manners(app, &o);
	if (topics > 1 && ask->one)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_ONE_TOPIC, NULL);
	return ks_help_topic(app, topic, err);
}

enum ks_status ks_help_topic(struct ks_app *app, const char *topic, struct ks_err *err)
{
	enum ks_topic page;

	if (topic == NULL) {
		ks_help_essentials(app);
		return KS_OK;
	}
	if (strcmp(topic, "all") == 0) {
		ks_help_all(app);
		return KS_OK;
	}
	if (strcmp(topic, "topics") == 0) {
		ks_help_list_topics(app);
		return KS_OK;
	}
	/* `config` is a command and a page, `occupancy` a command and a section, `metrics` an
	 * option and a group; both are meant */
	const bool command = help_command(app, topic);

	if (command && ks_topic_find(ks_str_c(topic), &page))
		ks_out_ch(&app->out, '\n');
	if (ks_help_page(app, topic) || command) {
		(void)help_section(app, topic);
		return KS_OK;
	}
	const bool option = help_option(app, topic), group = help_group(app, topic);

	if (option || group || help_section(app, topic) || help_metric(app, topic) ||
	    help_refusal(app, topic) || help_rule(app, topic))
		return KS_OK;

	const char *near = ks_suggest_topic(topic);
	if (near != NULL)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_TOPIC_NEAR, topic, near, NULL);
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_TOPIC, topic, NULL);
}
