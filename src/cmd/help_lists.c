/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of the help: options by group, commands, sets, and the pages made of them. Which of them a
 * topic means is help.c's.
 */
#include "base/str.h"
#include "cmd/help_internal.h"

static void paragraph(struct ks_app *app, enum ks_text text)
{
	ks_help_filled(&app->out, ks_str_c(ks_text_get(text, ks_app_lang(app))), 0, 0);
}

void ks_help_option(struct ks_app *app, const struct ks_option_info *o)
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

void ks_help_group(struct ks_app *app, enum ks_option_group g)
{
	bool begun = false;

	for (int i = KS_OPT_NONE + 1; i < KS_OPT_COUNT; i++) {
		const struct ks_option_info *o = ks_option_info((enum ks_option)i);

		if (o->group != g || o->state == KS_STATE_PLANNED || o->alias_of[0] != '\0')
			continue;
		if (!begun)
			ks_out_fmt(&app->out, "\n%s\n", ks_group_title(g, ks_app_lang(app)));
		begun = true;
		ks_help_option(app, o);
	}
}

/* What a command takes besides its words; what every command takes is said under `help general`. */
void ks_help_own(struct ks_app *app, enum ks_command c)
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
		ks_help_option(app, o);
	}
}

/* Of one group, or of all (NONE) but those of subcommands. */
void ks_help_planned(struct ks_app *app, enum ks_option_group g)
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
void ks_help_inert(struct ks_app *app)
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

void ks_help_all(struct ks_app *app)
{
	ks_app_print(app, KS_TEXT_CMD_HELP_USAGE, NULL);
	for (int g = KS_GROUP_NONE + 1; g < KS_GROUP_COUNT; g++) {
		if (g != KS_GROUP_SUBCOMMAND && g != KS_GROUP_NCU_INERT)
			ks_help_group(app, (enum ks_option_group)g);
	}
	ks_help_inert(app);
	ks_help_planned(app, KS_GROUP_NONE);
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
void ks_help_essentials(struct ks_app *app)
{
	static const enum ks_option shown[] = {
		KS_OPT_KS_SQLITE, KS_OPT_KERNEL_NAME, KS_OPT_FORMAT, KS_OPT_PACKET, KS_OPT_EXPORT,
	};

	paragraph(app, KS_TEXT_CMD_HELP_WHAT);
	paragraph(app, KS_TEXT_CMD_HELP_USAGE);
	for (size_t i = 0; i < KS_ARRAY_LEN(shown); i++)
		ks_help_option(app, ks_option_info(shown[i]));
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
