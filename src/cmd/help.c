/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints what the tables say, in the chosen language. Holds no help text of its own.
 */
#include "cmd/help_internal.h"

#include <strings.h>

#include "base/str.h"
#include "base/utf8.h"
#include "cmd/settings.h"
#include "cmd/suggest.h"
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

/* The longest piece of s that fits `cols`: up to the last blank, or anywhere in a text without. */
static size_t fill_piece(ks_str s, size_t cols)
{
	size_t n = ks_utf8_prefix_columns(s, cols);

	if (n >= s.n)
		return s.n;
	for (size_t i = n; i > 0; i--) {
		if (s.p[i - 1] == ' ')
			return i;
	}
	return n > 0 ? n : s.n;
}

void ks_help_filled(struct ks_out *out, ks_str s, size_t at, size_t left)
{
	while (s.n > 0) {
		if (at < left)
			ks_help_blanks(out, left - at);
		else if (at > left)
			ks_out_ch(out, ' ');
		const size_t n = fill_piece(s, HELP_WIDTH - left);

		ks_out_str(out, ks_str_trim((ks_str){ s.p, n }));
		ks_out_ch(out, '\n');
		s = ks_str_trim((ks_str){ s.p + n, s.n - n });
		at = 0;
	}
}

static void paragraph(struct ks_app *app, enum ks_text text)
{
	ks_help_filled(&app->out, ks_str_c(ks_text_get(text, ks_app_lang(app))), 0, 0);
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

static void option_entry(struct ks_app *app, const struct ks_option_info *o)
{
	struct ks_buf name;

	ks_buf_init(&name, 1024);
	if (o->short_name != 0)
		ks_buf_fmt(&name, "-%c, ", o->short_name);
	ks_buf_fmt(&name, "--%s", o->name);
	if (o->arg != KS_ARG_NONE)
		ks_buf_fmt(&name, o->optional ? "[=%s]" : " %s", o->metavar);
	ks_help_entry(app, ks_buf_view(&name), o->help[ks_app_lang(app)]);
	ks_buf_release(&name);
}

static void heading(struct ks_app *app, enum ks_text text)
{
	ks_out_ch(&app->out, '\n');
	ks_app_print(app, text, NULL);
}

static void list_group(struct ks_app *app, enum ks_option_group g)
{
	bool begun = false;

	for (int i = KS_OPT_NONE + 1; i < KS_OPT_COUNT; i++) {
		const struct ks_option_info *o = ks_option_info((enum ks_option)i);

		if (o->group != g || o->state == KS_STATE_PLANNED || o->alias_of[0] != '\0')
			continue;
		if (!begun)
			ks_out_fmt(&app->out, "\n%s\n", ks_group_title(g, ks_app_lang(app)));
		begun = true;
		option_entry(app, o);
	}
}

/* What a command takes besides its words; what every command takes is said under `help general`. */
static void list_own(struct ks_app *app, enum ks_command c)
{
	bool begun = false;

	for (int i = KS_OPT_NONE + 1; i < KS_OPT_COUNT; i++) {
		const struct ks_option_info *o = ks_option_info((enum ks_option)i);

		if (!ks_option_of((enum ks_option)i, c) || o->state != KS_STATE_LIVE ||
		    strcmp(o->commands, "all") == 0)
			continue;
		if (!begun)
			ks_out_ch(&app->out, '\n');
		begun = true;
		option_entry(app, o);
	}
}

/* Of one group, or of all (NONE) but those of subcommands. */
static void list_planned(struct ks_app *app, enum ks_option_group g)
{
	struct ks_buf names;

	ks_buf_init(&names, (size_t)16 * 1024);
	for (int i = KS_OPT_NONE + 1; i < KS_OPT_COUNT; i++) {
		const struct ks_option_info *o = ks_option_info((enum ks_option)i);

		if (o->state == KS_STATE_PLANNED &&
		    (g == KS_GROUP_NONE ? o->group != KS_GROUP_SUBCOMMAND : o->group == g))
			ks_buf_fmt(&names, "%s--%s", names.n > 0 ? " " : "", o->name);
	}
	if (names.n > 0) {
		heading(app, KS_TEXT_CMD_HELP_PLANNED);
		ks_help_filled(&app->out, ks_buf_view(&names), 0, 2);
	}
	ks_buf_release(&names);
}

static void list_commands(struct ks_app *app)
{
	heading(app, KS_TEXT_CMD_HELP_COMMANDS);
	for (int i = KS_CMD_NONE + 1; i < KS_CMD_COUNT; i++) {
		const struct ks_command_info *c = ks_command_info((enum ks_command)i);

		if (c->state == KS_STATE_LIVE)
			ks_help_entry(app, ks_str_c(c->usage), c->help[ks_app_lang(app)]);
	}
}

/* Twenty rows that all say the same are one list of names. */
static void list_inert(struct ks_app *app)
{
	struct ks_buf names;

	ks_buf_init(&names, (size_t)16 * 1024);
	for (int i = KS_OPT_NONE + 1; i < KS_OPT_COUNT; i++) {
		const struct ks_option_info *o = ks_option_info((enum ks_option)i);

		if (o->ncu == KS_NCU_INERT)
			ks_buf_fmt(&names, "%s--%s", names.n > 0 ? " " : "", o->name);
	}
	ks_out_fmt(&app->out, "\n%s\n", ks_group_title(KS_GROUP_NCU_INERT, ks_app_lang(app)));
	ks_help_filled(&app->out, ks_buf_view(&names), 0, 2);
	ks_buf_release(&names);
}

static void help_all(struct ks_app *app)
{
	ks_app_print(app, KS_TEXT_CMD_HELP_USAGE, NULL);
	for (int g = KS_GROUP_NONE + 1; g < KS_GROUP_COUNT; g++) {
		if (g != KS_GROUP_SUBCOMMAND && g != KS_GROUP_NCU_INERT)
			list_group(app, (enum ks_option_group)g);
	}
	list_inert(app);
	list_planned(app, KS_GROUP_NONE);
	list_commands(app);
}

/* One line for each: `help COMMAND` has its words. */
static void name_commands(struct ks_app *app)
{
	heading(app, KS_TEXT_CMD_HELP_COMMANDS);
	for (int i = KS_CMD_NONE + 1; i < KS_CMD_COUNT; i++) {
		const struct ks_command_info *c = ks_command_info((enum ks_command)i);

		if (c->state == KS_STATE_LIVE)
			ks_out_fmt(&app->out, "  %-13s %s\n", c->name, c->help[ks_app_lang(app)]);
	}
}

/* What nearly everybody needs, on one screen of 24 lines. */
static void help_essentials(struct ks_app *app)
{
	static const enum ks_option shown[] = {
		KS_OPT_KS_SQLITE, KS_OPT_KERNEL_NAME, KS_OPT_FORMAT, KS_OPT_PACKET, KS_OPT_EXPORT,
	};

	paragraph(app, KS_TEXT_CMD_HELP_WHAT);
	paragraph(app, KS_TEXT_CMD_HELP_USAGE);
	ks_out_ch(&app->out, '\n');
	for (size_t i = 0; i < KS_ARRAY_LEN(shown); i++)
		option_entry(app, ks_option_info(shown[i]));
	name_commands(app);
	paragraph(app, KS_TEXT_CMD_HELP_MORE);
}

void ks_help_sets(struct ks_app *app)
{
	ks_app_print(app, KS_TEXT_CMD_SETS, NULL);
	for (int set = KS_SET_BASIC; set <= KS_SET_FULL; set++) {
		struct ks_buf names;

		ks_buf_init(&names, 4096);
		for (int i = KS_SECTION_NONE + 1; i < KS_SECTION_COUNT; i++) {
			const struct ks_section_info *s = ks_section_info((enum ks_section)i);

			if ((s->sets & (1u << set)) != 0)
				ks_buf_fmt(&names, "%s%s", names.n > 0 ? ", " : "", s->name);
		}
		ks_out_fmt(&app->out, "  %-8s  %s\n", ks_set_name((enum ks_set)set),
			   ks_buf_text(&names));
		ks_buf_release(&names);
	}
	ks_out_ch(&app->out, '\n');
	paragraph(app, KS_TEXT_CMD_SETS_COUNTERS);
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
			list_inert(app);
		} else {
			list_group(app, g);
			list_planned(app, g);
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
		option_entry(app, o);
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
		list_own(app, id);
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
	enum ks_section id = KS_SECTION_NONE;

	if (!ks_section_find(ks_str_c(topic), &id))
		return false;
	for (int i = KS_METRIC_NONE + 1; i < KS_METRIC_COUNT; i++) {
		const struct ks_metric_info *m = ks_metric_info((enum ks_metric)i);

		if (m->section == id)
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
		help_essentials(app);
		return KS_OK;
	}
	if (strcmp(topic, "all") == 0) {
		help_all(app);
		return KS_OK;
	}
	if (strcmp(topic, "topics") == 0) {
		ks_help_list_topics(app);
		return KS_OK;
	}
	/* `config` is a command and a page, `metrics` an option and a group; both are meant */
	const bool command = help_command(app, topic);

	if (command && ks_topic_find(ks_str_c(topic), &page))
		ks_out_ch(&app->out, '\n');
	if (ks_help_page(app, topic) || command)
		return KS_OK;
	const bool option = help_option(app, topic), group = help_group(app, topic);

	if (option || group || help_section(app, topic) || help_metric(app, topic) ||
	    help_refusal(app, topic))
		return KS_OK;

	const char *near = ks_suggest_topic(topic);
	if (near != NULL)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_TOPIC_NEAR, topic, near, NULL);
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_TOPIC, topic, NULL);
}
