/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of options.def, groups.def, commands.def and formats.def. Parses nothing.
 */
#include "tables/tables.h"
#include "tables/find.h"
#define KS_LOOKUP_OPTION
#define KS_LOOKUP_COMMAND
#include "tables/lookup.h"

enum flag {
	KS_OF_GUARDED = 1,
	KS_OF_REPEAT = 2,
	KS_OF_HIDDEN = 4,
	KS_OF_OUTPUT = 8,
	KS_OF_USER = 16,
	KS_OF_OPTIONAL = 32
};

static const struct ks_option_info options[KS_OPT_COUNT] = {
	[KS_OPT_NONE] = { .name = "",
			  .metavar = "",
			  .deflt = "",
			  .config_key = "",
			  .env = "",
			  .alias_of = "",
			  .commands = "",
			  .since = "",
			  .help = { "", "" } },
#define KS_OPTION(id, nm, sh, ar, meta, dflt, grp, cls, st, flags, cfg, ev, al, cmds, snc, en, zh) \
	[KS_OPT_##id] = { .name = (nm),                                                            \
			  .short_name = (sh),                                                      \
			  .arg = KS_ARG_##ar,                                                      \
			  .metavar = (meta),                                                       \
			  .deflt = (dflt),                                                         \
			  .group = KS_GROUP_##grp,                                                 \
			  .ncu = KS_NCU_##cls,                                                     \
			  .state = KS_STATE_##st,                                                  \
			  .guarded = ((flags)&KS_OF_GUARDED) != 0,                                 \
			  .repeat = ((flags)&KS_OF_REPEAT) != 0,                                   \
			  .hidden = ((flags)&KS_OF_HIDDEN) != 0,                                   \
			  .output = ((flags)&KS_OF_OUTPUT) != 0,                                   \
			  .user_only = ((flags)&KS_OF_USER) != 0,                                  \
			  .optional = ((flags)&KS_OF_OPTIONAL) != 0,                               \
			  .config_key = (cfg),                                                     \
			  .env = (ev),                                                             \
			  .alias_of = (al),                                                        \
			  .commands = (cmds),                                                      \
			  .since = (snc),                                                          \
			  .help = { (en), (zh) } },
#include "tables/options.def"
#undef KS_OPTION
};

static const char *const groups[KS_GROUP_COUNT][KS_LANG_COUNT] = {
	[KS_GROUP_NONE] = { "", "" },
#define KS_OPTION_GROUP(id, en, zh) [KS_GROUP_##id] = { (en), (zh) },
#include "tables/groups.def"
#undef KS_OPTION_GROUP
};

static const struct ks_command_info commands[KS_CMD_COUNT] = {
	[KS_CMD_NONE] = { .name = "", .usage = "", .help = { "", "" } },
#define KS_COMMAND(id, nm, st, us, en, zh)                                                         \
	[KS_CMD_##id] = {                                                                          \
		.name = (nm), .state = KS_STATE_##st, .usage = (us), .help = { (en), (zh) }        \
	},
#include "tables/commands.def"
#undef KS_COMMAND
};

static const struct ks_format_info formats[KS_FORMAT_COUNT] = {
	[KS_FORMAT_NONE] = { .name = "", .help = { "", "" } },
#define KS_FORMAT(id, nm, st, word, en, zh)                                                        \
	[KS_FORMAT_##id] = { .name = (nm), .state = KS_STATE_##st, .help = { (en), (zh) } },
#include "tables/formats.def"
#undef KS_FORMAT
};

const struct ks_option_info *ks_option_info(enum ks_option o)
{
	return &options[(unsigned)o < KS_OPT_COUNT ? o : KS_OPT_NONE];
}

static const char *option_name(unsigned id)
{
	return options[id].name;
}

enum ks_option ks_option_find(ks_str name)
{
	const size_t at =
		ks_find_sorted(sorted_options, KS_ARRAY_LEN(sorted_options), option_name, name);

	return at == SIZE_MAX ? KS_OPT_NONE : (enum ks_option)sorted_options[at];
}

bool ks_option_of(enum ks_option o, enum ks_command c)
{
	const bool main = c == KS_CMD_NONE || c == KS_CMD_REPORT;
	const char *name = main ? "main" : ks_command_info(c)->name;
	ks_str rest = { ks_option_info(o)->commands, strlen(ks_option_info(o)->commands) };

	if (rest.n == 0)
		return main;
	while (rest.n > 0) {
		const char *comma = memchr(rest.p, ',', rest.n);
		const size_t n = comma != NULL ? (size_t)(comma - rest.p) : rest.n;

		if ((n == strlen(name) && memcmp(rest.p, name, n) == 0) ||
		    (n == 3 && memcmp(rest.p, "all", 3) == 0))
			return true;
		rest.p += n + (comma != NULL);
		rest.n -= n + (comma != NULL);
	}
	return false;
}

const char *ks_group_title(enum ks_option_group g, enum ks_lang lang)
{
	return groups[(unsigned)g < KS_GROUP_COUNT ? g : KS_GROUP_NONE][lang == KS_LANG_ZH];
}

const struct ks_command_info *ks_command_info(enum ks_command c)
{
	return &commands[(unsigned)c < KS_CMD_COUNT ? c : KS_CMD_NONE];
}

static const char *command_name(unsigned id)
{
	return commands[id].name;
}

bool ks_command_find(ks_str name, enum ks_command *c)
{
	const size_t at =
		ks_find_sorted(sorted_commands, KS_ARRAY_LEN(sorted_commands), command_name, name);

	*c = at == SIZE_MAX ? KS_CMD_NONE : (enum ks_command)sorted_commands[at];
	return at != SIZE_MAX;
}

const struct ks_format_info *ks_format_info(enum ks_format f)
{
	return &formats[(unsigned)f < KS_FORMAT_COUNT ? f : KS_FORMAT_NONE];
}

static const char *format_name(unsigned id)
{
	return formats[id].name;
}

bool ks_format_find(ks_str name, enum ks_format *f)
{
	const size_t at =
		ks_find_sorted(sorted_formats, KS_ARRAY_LEN(sorted_formats), format_name, name);

	*f = at == SIZE_MAX ? KS_FORMAT_NONE : (enum ks_format)sorted_formats[at];
	if (*f == KS_FORMAT_LAUNCH_CSV)
		*f = KS_FORMAT_NONE;
	return *f != KS_FORMAT_NONE;
}
